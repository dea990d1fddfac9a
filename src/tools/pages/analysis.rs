//! The page of the analysis board.

use super::{page, policy};

pub(super) const SCRIPT: &str = script!(
    "server.js",
    "tree.js",
    "hand.js",
    "engine.js",
    "review.js",
    "hint.js",
    "opponent.js",
    "exercise.js",
    "file.js",
    "history.js",
    "ends.js",
    "share.js",
    "dialogs.js",
    "rulebook.js",
    "known.js",
    "app.js",
    "view.js",
    "sound.js",
    "main.js"
);

/// Two stones, as an address of its own: browsers ask for an icon, and the server has no other page.
const ICON: &str = "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 32 32'%3E\
                    %3Ccircle cx='11' cy='16' r='9.5' fill='%232e2823'/%3E\
                    %3Ccircle cx='21' cy='16' r='9.5' fill='%23fdfaf2' stroke='%232e2823'/%3E%3C/svg%3E";

/// The analysis board: the HTML document, and its content security policy, which the server sends as well. It
/// takes requests to the page's own server only.
pub fn analysis_board() -> (String, String) {
    let policy = format!("{}; connect-src 'self'; img-src data:", policy(SCRIPT));
    let before = format!(
        "<link rel=\"icon\" href=\"{ICON}\">\n\
         <noscript>The board is drawn by a script: allow scripts to see it.</noscript>\n"
    );
    let html = page(&policy, &before, SCRIPT);
    // What only counts in a header: no other site shows the board in a frame.
    (html, format!("{policy}; frame-ancestors 'none'"))
}
