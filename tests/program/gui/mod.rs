//! `vato gui`: what the server answers, and what it refuses. The page itself is tested in a browser, in
//! `tests/browser`.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream, UdpSocket};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::support::command_line::{Folder, Run, object, objects, stderr, vato};
use crate::support::transcript;

mod answers;
mod refusals;

/// What the page sends of a position: rules, start ("" is that of the rules) and moves.
fn at(rules: &str, start: &str, moves: &[&str]) -> Value {
    json!({ "place": { "rules": rules, "start": start, "moves": moves } })
}

/// The beginning of a word, its text.
fn text(word: &Value) -> &str {
    let word = word.as_str().unwrap_or_default();
    word.split([' ', ':']).next().unwrap_or_default()
}

/// These fields of an answer.
fn fields<const N: usize>(answer: &Value, names: [&str; N]) -> Value {
    Value::Array(names.map(|name| answer[name].clone()).into())
}

/// All commands of the page, each with a request that is answered.
fn commands() -> Vec<(&'static str, Value)> {
    let place = json!({ "rules": "tsivy", "moves": ["f2-e3A"] });
    let judged = json!({ "place": { "rules": "tsivy" }, "found": [{ "chance": 50, "best": [] }] });
    let analysed = json!({ "page": 1, "place": place, "lines": 1, "time": 10 });
    vec![
        ("/start", json!({})),
        ("/engine", json!({ "threads": 1, "hash": 16 })),
        ("/position", json!({ "place": place })),
        ("/explore", json!({ "place": place })),
        ("/judge", judged),
        ("/puzzles", json!({})),
        ("/text", json!("1.")),
        ("/read", json!({ "pgn": "1. f2-e3A *" })),
        ("/write", json!({ "rules": "tsivy" })),
        ("/write-all", json!([{ "rules": "tsivy" }])),
        ("/analyse", analysed),
        ("/play", json!({ "page": 2, "place": place, "level": 0 })),
    ]
}

/// What the program itself can tell is an error before there is a page.
#[test]
fn what_cannot_be_served_is_named() {
    let folder = Folder::new();
    std::fs::create_dir(folder.path("empty")).expect("a folder");
    transcript::check(&folder, "gui_refused");
    #[cfg(unix)]
    {
        // A pipe has no length.
        let mut command = vato("gui --no-open /dev/stdin");
        let text = Run::with_input(&mut command, &" ".repeat((8 << 20) + 1)).stderr(1);
        assert!(text.contains("more than 8388608 bytes"), "{text}");
    }
}

/// A running server; it ends with the test.
struct Server {
    process: Child,
    port: u16,
    token: String,
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// An answer: status, head, body.
struct Answer {
    status: u16,
    head: String,
    body: String,
}

impl Answer {
    fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|_| panic!("no JSON: {}", self.body))
    }
}

impl Server {
    fn start(arguments: &str) -> Server {
        Server::from(&mut vato(&format!("gui --no-open --port 0 {arguments}")))
    }

    fn from(command: &mut Command) -> Server {
        let process = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn();
        let mut process = process.expect("it starts");
        let mut url = String::new();
        let mut out = BufReader::new(process.stdout.take().expect("a pipe"));
        out.read_line(&mut url).expect("an address");
        let rest = url
            .trim()
            .strip_prefix("http://127.0.0.1:")
            .expect("a local address");
        let (port, token) = rest.split_once("/#").expect("a token");
        Server {
            process,
            port: port.parse().expect("a port"),
            token: token.to_owned(),
        }
    }

    fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(("127.0.0.1", self.port)).expect("it listens");
        let time = Some(Duration::from_secs(60));
        stream.set_read_timeout(time).expect("a timeout");
        stream
    }

    /// Sends bytes, and reads until the server closes the connection; nothing if it closes at once.
    fn send(&self, bytes: &[u8]) -> Option<Answer> {
        let mut stream = self.connect();
        // It may be closed before everything is sent.
        let _ = stream.write_all(bytes);
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        let answer = String::from_utf8(answer).expect("UTF-8");
        let (head, body) = answer.split_once("\r\n\r\n")?;
        Some(Answer {
            status: head.split(' ').nth(1)?.parse().ok()?,
            head: head.to_lowercase(),
            body: body.to_owned(),
        })
    }

    fn page(&self) -> Answer {
        let request = format!("GET / HTTP/1.1\r\n{}Connection: close\r\n\r\n", self.host());
        self.send(request.as_bytes()).expect("a page")
    }

    fn host(&self) -> String {
        format!("Host: 127.0.0.1:{}\r\n", self.port)
    }

    /// The headers of a command of the page.
    fn headers(&self) -> String {
        let (host, token, port) = (self.host(), &self.token, self.port);
        format!(
            "{host}Origin: http://127.0.0.1:{port}\r\nAuthorization: Bearer {token}\r\n\
             Content-Type: application/json\r\n"
        )
    }

    fn post(&self, path: &str, headers: &str, body: &[u8]) -> Answer {
        let length = body.len();
        let head = format!(
            "POST {path} HTTP/1.1\r\n{headers}Connection: close\r\nContent-Length: {length}\r\n\r\n"
        );
        let answer = self.send(&[head.as_bytes(), body].concat());
        answer.unwrap_or_else(|| panic!("no answer to {path}"))
    }

    fn ask(&self, path: &str, body: &Value) -> Answer {
        self.post(path, &self.headers(), body.to_string().as_bytes())
    }

    /// The answer to a command that is right.
    fn answer(&self, path: &str, body: &Value) -> Value {
        let answer = self.ask(path, body);
        assert_eq!(answer.status, 200, "{path}: {}", answer.body);
        answer.json()
    }

    /// The error of a command that is wrong.
    fn refusal(&self, path: &str, body: &Value) -> String {
        let answer = self.ask(path, body);
        assert_eq!(answer.status, 400, "{path}: {}", answer.body);
        answer.json()["error"].as_str().expect("text").to_owned()
    }

    /// Starts a search: the lines of its reports, as they come.
    fn search(&self, path: &str, request: &Value) -> BufReader<TcpStream> {
        let mut stream = self.connect();
        let (headers, body) = (self.headers(), request.to_string());
        let length = body.len();
        let request =
            format!("POST {path} HTTP/1.1\r\n{headers}Content-Length: {length}\r\n\r\n{body}");
        stream.write_all(request.as_bytes()).expect("it listens");
        let mut reader = BufReader::new(stream);
        let mut line = String::new();
        reader.read_line(&mut line).expect("a status");
        assert!(line.contains(" 200 "), "{path}: {line}");
        while line != "\r\n" {
            line.clear();
            reader.read_line(&mut line).expect("a head");
        }
        reader
    }
}

/// Compares the answers to the requests in a transcript.
fn compare_requests(name: &str, answer: impl Fn(&str, &Value) -> String) {
    transcript::compare(name, "POST ", |request| {
        let (path, body) = request.split_once(' ').expect("a body");
        answer(path, &object(body))
    });
}

/// The next report of a listener that is wanted.
fn report(listener: &mut BufReader<TcpStream>, mut wanted: impl FnMut(&Value) -> bool) -> Value {
    loop {
        let mut line = String::new();
        let length = listener.read_line(&mut line).expect("a report");
        assert_ne!(length, 0, "it has ended");
        // Between the reports stand the lengths of the parts.
        if !line.starts_with('{') {
            assert_ne!(line, "0\r\n", "the search has ended");
            continue;
        }
        let report = serde_json::from_str(&line).expect("JSON");
        if wanted(&report) {
            return report;
        }
    }
}
