//! The page of the analysis board.

use super::{page, policy};

/// The script of the board, after these files.
macro_rules! board_script {
    ($($first:literal),*) => {
        script!(
            $($first,)*
            "server.js",
            "state.js",
            "movelist.js",
            "hand.js",
            "engine.js",
            "reasons.js",
            "review.js",
            "hint.js",
            "opponent.js",
            "exercise.js",
            "puzzles.js",
            "file.js",
            "history.js",
            "ends.js",
            "share.js",
            "dialogs.js",
            "rulebook.js",
            "known.js",
            "app.js",
            "tabs.js",
            "view.js",
            "sound.js",
            "main.js"
        )
    };
}

pub(super) const SCRIPT: &str = board_script!();

/// The same with what takes the place of the server.
const WEB_SCRIPT: &str = board_script!("web.js");

/// In the head. Two stones, as an address of its own: browsers ask for an icon, and the server has no other page.
const ICON: &str = "<link rel=\"icon\" href=\"data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 32 32'%3E\
                    %3Ccircle cx='11' cy='16' r='9.5' fill='%232e2823'/%3E\
                    %3Ccircle cx='21' cy='16' r='9.5' fill='%23fdfaf2' stroke='%232e2823'/%3E%3C/svg%3E\">\n";

/// What only the head of the site has: browsers install a page of which they know this.
const WEB_HEAD: &str = "<meta name=\"description\" content=\"Play Fanorona, the board game of Madagascar, against an engine in the browser, and \
                        analyse games. Nothing is sent anywhere, and it needs no network.\">\n\
                        <link rel=\"manifest\" href=\"manifest.webmanifest\">\n\
                        <link rel=\"apple-touch-icon\" href=\"icon.png\">\n";

/// The analysis board: the HTML document, and its content security policy, which the server sends as well. It
/// takes requests to the page's own server only.
pub fn analysis_board() -> (String, String) {
    let policy = format!("{}; connect-src 'self'; img-src data:", policy(SCRIPT));
    let before = no_script("The board is drawn by a script");
    let html = page(&policy, ICON, &before, SCRIPT);
    // What only counts in a header: no other site shows the board in a frame.
    (html, format!("{policy}; frame-ancestors 'none'"))
}

/// The analysis board for any web server: the HTML document of a page whose engine runs in workers. Their script is at the
/// address `worker`; beside the page are `service-worker.js`, `manifest.webmanifest` and the icons.
pub fn web_board(worker: &str) -> String {
    let policy = format!(
        "{}; connect-src 'self'; img-src data: 'self'; worker-src 'self'; manifest-src 'self'",
        policy(WEB_SCRIPT)
    );
    let before = format!(
        "{}<main data-worker=\"{worker}\"><section class=\"panel\"><h1>Vato</h1><p>Loading the engine …</p></section></main>\n",
        no_script("The engine is a script")
    );
    page(&policy, &format!("{WEB_HEAD}{ICON}"), &before, WEB_SCRIPT)
}

fn no_script(why: &str) -> String {
    format!("<noscript>{why}: allow scripts to see it.</noscript>\n")
}
