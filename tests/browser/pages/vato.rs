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

/// The analysis board, ready for moves.
pub fn open(page: &mut Page, server: &Server) {
    page.goto(&server.url);
    page.wait_for("typeof app !== 'undefined' && app.hand.known");
    if let Kind::Site(_, Some(beginning)) = &server.kind {
        page.value(beginning);
        page.wait_for("app.hand.known");
    }
    // What is seldom needed is folded up at first.
    page.value("['notes', 'typing'].forEach((name) => { app.view.open[name] = true; stored.set(name, 'open'); })");
    // Somebody has played before: *Play* asks for the choices.
    page.value("stored.set('person', 'w'), app.view.welcomed(), app.view.show()");
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
