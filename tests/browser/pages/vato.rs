//! The program under test, and a page of its analysis board.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use crate::browser::Page;

pub fn program() -> PathBuf {
    let built = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/debug/vato");
    std::env::var_os("VATO_PROGRAM").map_or(built, PathBuf::from)
}

/// `vato gui` while a test runs.
pub struct Server {
    process: Child,
    pub url: String,
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

impl Server {
    pub fn start(arguments: &[&str]) -> Server {
        Server::start_at("0", arguments)
    }

    /// Starts a server where there was one.
    pub fn start_at(port: &str, arguments: &[&str]) -> Server {
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
        Server {
            process,
            url: url.trim().to_owned(),
        }
    }

    /// Stops the process (`STOP`), or lets it go on (`CONT`).
    pub fn signal(&self, name: &str) {
        let id = self.process.id().to_string();
        let sent = Command::new("kill").args(["-s", name, &id]).status();
        assert!(sent.expect("kill").success());
    }

    pub fn port(&self) -> String {
        let port = self.origin().rsplit(':').next();
        port.unwrap_or_default().to_owned()
    }

    pub fn token(&self) -> &str {
        self.url.rsplit('#').next().unwrap_or_default()
    }

    pub fn origin(&self) -> &str {
        self.url.split("/#").next().unwrap_or_default()
    }
}

/// The analysis board, ready for moves.
pub fn open(page: &mut Page, server: &Server) {
    page.goto(&server.url);
    page.wait_for("typeof app !== 'undefined' && app.hand.known");
    // What is seldom needed is folded up at first.
    page.value("['notes', 'typing'].forEach((name) => app.view.unfold(name, true))");
    // Somebody has played before: *Play* asks for the choices.
    page.value("stored.set('person', 'w')");
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

/// The moves of the line that is shown.
pub fn moves(page: &mut Page) -> String {
    let moves = "app.tree.path(app.node).map((node) => node.turn.text).join(' ')";
    page.value(moves).as_str().expect("moves").to_owned()
}

/// Chooses the language of the page, by its code.
pub fn speak(page: &mut Page, code: &str) {
    page.click("#settings");
    page.choose("dialog[open] select", code);
    page.value("document.querySelectorAll('dialog').forEach((one) => one.close())");
    page.wait_for("!document.querySelector('dialog')");
}
