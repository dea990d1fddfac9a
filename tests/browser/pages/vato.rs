//! The program under test, or the site, and a page of its analysis board.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use serde_json::json;

use crate::browser::Page;
use crate::site::Site;

pub fn program() -> PathBuf {
    let built = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/debug/vato");
    std::env::var_os("VATO_PROGRAM").map_or(built, PathBuf::from)
}

/// The folder of the site, if that is under test.
pub fn site() -> Option<PathBuf> {
    std::env::var_os("VATO_SITE").map(PathBuf::from)
}

/// `vato gui`, or the site, while a test runs.
pub struct Server {
    kind: Kind,
    pub url: String,
}

enum Kind {
    Program(Child),
    /// With what a page does to begin as the arguments say: a site has none.
    Site(Site, Option<String>),
}

impl Drop for Server {
    fn drop(&mut self) {
        if let Kind::Program(process) = &mut self.kind {
            let _ = process.kill();
            let _ = process.wait();
        }
    }
}

impl Server {
    pub fn start(arguments: &[&str]) -> Server {
        Server::start_at("0", arguments)
    }

    /// Starts a server where there was one.
    pub fn start_at(port: &str, arguments: &[&str]) -> Server {
        if let Some(folder) = site() {
            return Server::of_site(folder, port, beginning(arguments), "");
        }
        let mut process = Command::new(program())
            .args(["gui", "--no-open", "--port", port])
            .args(arguments)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program: run 'cargo build' before");
        let mut url = String::new();
        let out = process.stdout.take().expect("a pipe");
        BufReader::new(out).read_line(&mut url).expect("an address");
        Server { kind: Kind::Program(process), url: url.trim().to_owned() }
    }

    /// Serves the site in a folder with these headers, and how a page of it begins.
    pub fn of_site(folder: PathBuf, port: &str, beginning: Option<String>, headers: &'static str) -> Server {
        let site = Site::serve(folder, port, headers);
        let url = format!("{}#", site.url());
        let kind = Kind::Site(site, beginning);
        Server { kind, url }
    }

    /// Stops the process (`STOP`), or lets it go on (`CONT`).
    pub fn signal(&self, name: &str) {
        let Kind::Program(process) = &self.kind else {
            panic!("a site has no process");
        };
        let id = process.id().to_string();
        let sent = Command::new("kill").args(["-s", name, &id]).status();
        assert!(sent.expect("kill").success());
    }

    /// What serves the site.
    pub fn site(&self) -> &Site {
        match &self.kind {
            Kind::Site(site, _) => site,
            Kind::Program(_) => panic!("VATO_SITE names the site"),
        }
    }

    pub fn port(&self) -> String {
        let port = self.origin().rsplit(':').next();
        port.unwrap_or_default().to_owned()
    }

    pub fn token(&self) -> &str {
        self.url.rsplit('#').next().unwrap_or_default()
    }

    pub fn origin(&self) -> &str {
        self.url.split("/#").next().unwrap_or_default().trim_end_matches('/')
    }
}

/// What a page of the site does in place of arguments of the program.
fn beginning(arguments: &[&str]) -> Option<String> {
    let mut place = json!({ "rules": "tsivy" });
    for pair in arguments.chunks(2) {
        match pair {
            // It has no others.
            ["--tablebases", "none"] | ["--threads", "1"] => return None,
            [link] => {
                let hash = link.split_once('#').expect("a link").1;
                return Some(format!("void (location.hash = {})", json!(hash)));
            }
            ["--rules", rules] => place["rules"] = json!(rules),
            ["--fen", fen] => place["start"] = json!(fen),
            ["--pgn", path] => {
                let pgn = std::fs::read_to_string(path).expect("a file");
                return Some(format!("app.read({})", json!({ "pgn": pgn })));
            }
            _ => panic!("{pair:?}: a site has no arguments"),
        }
    }
    (!arguments.is_empty()).then(|| format!("app.begin({place})"))
}

/// The analysis board as a new visitor sees it.
fn go(page: &mut Page, server: &Server) {
    page.goto(&server.url);
    page.wait_for("typeof app !== 'undefined' && app.hand?.known");
    if let Kind::Site(_, Some(beginning)) = &server.kind {
        page.value(beginning);
        page.wait_for("app.hand.known");
    }
}

/// The analysis board, ready for moves.
pub fn open(page: &mut Page, server: &Server) {
    go(page, server);
    // What is seldom needed is folded up at first.
    page.value("['notes', 'typing'].forEach((name) => { app.view.open[name] = true; stored.set(name, 'open'); })");
    // Somebody has played before: *Play* asks for the choices.
    page.value("stored.set('person', 'w'), app.view.welcomed(), app.view.show()");
    // Most tests would wait for what moves; see `Page::animate`.
    page.value("animation = 'off', stored.set('animation', animation)");
}

/// A server, and a page of its board.
pub fn opened() -> (Server, Page) {
    opened_with(&[])
}

/// The same with these arguments.
pub fn opened_with(arguments: &[&str]) -> (Server, Page) {
    let server = Server::start(arguments);
    let mut page = Page::open(1280, 860);
    open(&mut page, &server);
    (server, page)
}

/// A server and a page of its board as a new visitor sees it.
pub fn visited(arguments: &[&str]) -> (Server, Page) {
    let server = Server::start(arguments);
    let mut page = Page::open(1280, 860);
    go(&mut page, &server);
    (server, page)
}

/// The page as a new visitor sees it, whatever it has kept.
pub fn visit(page: &mut Page, server: &Server) {
    page.goto("about:blank");
    let script = page.run_first("localStorage.clear(), sessionStorage.clear()");
    go(page, server);
    page.call("Page.removeScriptToEvaluateOnNewDocument", script);
}

/// A server that begins with a file of this text, and a page of its board.
pub fn opened_file(text: &str) -> (Server, Page) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("game.pgn");
    std::fs::write(&path, text).expect("written");
    opened_with(&["--pgn", path.to_str().expect("UTF-8")])
}

/// What a person does on the board, without the pointer.
impl Page {
    /// Waits until the position that is shown is known.
    #[track_caller]
    pub fn wait_board(&mut self) {
        self.wait_for("typeof app !== 'undefined' && app.node?.known && app.hand.known");
    }

    /// The same at this ply.
    #[track_caller]
    pub fn wait_ply(&mut self, ply: u32) {
        self.wait_for(&format!("app.node.ply === {ply} && app.hand.known"));
    }

    /// Waits until a dialog has closed, and the position that is shown is known.
    #[track_caller]
    pub fn wait_closed(&mut self) {
        self.wait_for("!$('dialog') && app.hand.known");
    }

    /// Turns are seen step by step, as at first.
    pub fn animate(&mut self) {
        self.value("animation = 'normal', stored.set('animation', animation)");
    }

    pub fn reload_board(&mut self) {
        self.reload();
        self.wait_for("typeof app !== 'undefined' && app.node?.known");
    }

    /// Begins a game: its rules and place, and the opponent if there is one.
    #[track_caller]
    pub fn begin(&mut self, game: &str) {
        self.value(&format!("app.begin({game})"));
        self.wait_for("app.hand.known || app.node.known?.outcome");
    }

    /// Begins a game against the lowest level as White without a clock.
    #[track_caller]
    pub fn begin_game(&mut self) {
        self.begin_with("tsivy", "", "{ person: 'w', level: 0, clock: null }");
    }

    #[track_caller]
    pub fn begin_with(&mut self, rules: &str, start: &str, opponent: &str) {
        self.begin(&format!("{{ rules: '{rules}', start: '{start}' }}, {opponent}"));
        self.wait_for("app.isPlaying && app.hand.known");
    }

    /// Plays a turn, and waits for the position that it or a reply leads to.
    #[track_caller]
    pub fn play(&mut self, word: &str, ply: u32) {
        self.value(&format!("void app.play('{word}')"));
        self.wait_ply(ply);
    }

    /// The person of the game resigns.
    #[track_caller]
    pub fn resign(&mut self) {
        self.value("app.opponent.resign()");
        self.wait_for("!app.isPlaying && app.node.known && app.view.board.rest === 0");
    }

    pub fn read(&mut self, pgn: &str) {
        self.value(&format!("app.read({{ pgn: {} }})", json!(pgn)));
        self.wait_for("app.hand.known");
    }

    /// Opens a text in the dialog, which may ask or refuse.
    pub fn open_text(&mut self, text: &str) {
        self.wait_for("!$('dialog')");
        self.press_button("Open");
        self.set("dialog textarea", text);
        self.submit();
    }

    /// Puts a text into a field at once.
    pub fn set(&mut self, selector: &str, text: &str) {
        self.value(&format!(
            "{{ const field = $({selector:?}); field.value = {}; field.dispatchEvent(new Event('change')); }}",
            json!(text)
        ));
    }

    /// Pastes a text into the page.
    pub fn paste(&mut self, text: &str) {
        self.value(&format!(
            "{{ const clipboardData = new DataTransfer(); clipboardData.setData('text', {}); \
             document.body.dispatchEvent(new ClipboardEvent('paste', {{ clipboardData, bubbles: true }})); }}",
            json!(text)
        ));
    }

    /// Chooses all games of the file in the dialog that saves.
    pub fn save_all(&mut self) {
        self.value(
            "{ const what = $$('dialog select').find((one) => one.value === 'game'); what.value = 'file'; \
             what.dispatchEvent(new Event('change')); }",
        );
    }

    /// Submits the dialog that is open.
    pub fn submit(&mut self) {
        self.value("$('dialog [type=submit]').click()");
    }

    #[track_caller]
    pub fn close_dialog(&mut self) {
        self.value("$$('dialog').forEach((one) => one.close())");
        self.wait_for("!$('dialog')");
    }

    /// Solves puzzles from here on.
    #[track_caller]
    pub fn begin_puzzles(&mut self) {
        self.press_button("Puzzles");
        self.wait_for("app.exercise && app.hand.known");
    }

    #[track_caller]
    pub fn review(&mut self) {
        self.value("void app.review.start()");
        self.wait_for("app.tree.review && !app.review.isRunning");
    }

    /// Folds up what is seldom needed, as at first.
    pub fn fold(&mut self) {
        self.value("['notes', 'typing'].forEach((name) => app.view.unfold(name, false))");
    }

    /// Chooses the language, by its code.
    pub fn speak(&mut self, code: &str) {
        self.click("#settings");
        self.choose("dialog[open] select", code);
        self.close_dialog();
    }

    /// The moves of the line that is shown.
    pub fn moves(&mut self) -> String {
        let moves = self.value("app.tree.path(app.node).map((node) => node.turn.text).join(' ')");
        moves.as_str().expect("moves").to_owned()
    }

    #[track_caller]
    pub fn assert_moves(&mut self, moves: &str) {
        let shown = self.moves();
        assert_eq!(shown, moves);
    }
}

/// Plays the first step that is legal.
pub const PLAY: &str =
    "void (([{ from, next: [{ to, how = '' }] }]) => app.play(`${from}-${to}${how}`))(app.hand.known.stones)";

/// A game with three lines of the engine.
pub const LINES: &str = "$$('.lines li').length === 3";
