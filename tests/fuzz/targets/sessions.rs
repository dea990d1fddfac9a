//! Whole sessions: of the protocol, and of the page of the analysis board.

use std::collections::BTreeSet;
use std::io::{self, Cursor, Read};
use std::sync::LazyLock;
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};
use vato_engine::engine::Settings;
use vato_engine::protocol::{Answer, Command, run};
use vato_engine::search::SearchSettings;
use vato_tools::answers::read_answer;
use vato_tools::service::{Opening, Reply, Service};

use super::grammar::{self, Step};
use super::{check_length, check_message};

/// The most lines of a text, and the most of them that make the engine work.
const LINES: usize = 40;
const WORK: usize = 4;

/// The most nodes of a search.
const NODES: u64 = 300;

/// A line of a session that takes a moment at most, reads no files and writes none; `None` if it is left out. Counts those
/// that make the engine work.
fn harmless(line: &str, work: &mut usize) -> Option<String> {
    *work += 1;
    match Command::parse(line, &mut Vec::new()) {
        Some(Command::Go(mut go)) => {
            go.perft = go.perft.map(|depth| depth.min(2));
            go.nodes = Some(go.nodes.unwrap_or(NODES).min(NODES));
            Some(Command::Go(go).to_string())
        }
        Some(Command::Perft(depth)) => Some(format!("perft {}", depth.min(2))),
        Some(Command::Bench(_)) => None,
        Some(Command::SetOption(option)) => {
            let name = option.name.to_lowercase();
            let is_of_files = ["file", "path"].iter().any(|word| name.contains(word));
            let is_large = ["hash", "threads", "tablebasecache"].contains(&name.as_str());
            let number = option
                .value
                .and_then(|text| text.trim().parse::<u64>().ok());
            let is_too_large = is_large && number.is_some_and(|number| number > 3);
            (!is_of_files && !is_too_large).then(|| line.to_owned())
        }
        Some(Command::IsReady | Command::NewGame | Command::Eval | Command::Legal) => {
            Some(line.to_owned())
        }
        _ => {
            *work -= 1;
            Some(line.to_owned())
        }
    }
}

/// An input that comes line by line.
struct Paced {
    steps: std::vec::IntoIter<Step>,
    line: Cursor<String>,
}

impl Read for Paced {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.line.position() == self.line.get_ref().len() as u64
            && let Some((pause, line)) = self.steps.next()
        {
            thread::sleep(pause);
            self.line = Cursor::new(line + "\n");
        }
        self.line.read(buffer)
    }
}

/// Holds a session: every `go` is answered, and every answer can be read.
fn hold(steps: Vec<Step>) {
    let mut searches = 0;
    for (_, line) in &steps {
        match Command::parse(line, &mut Vec::new()) {
            Some(Command::Go(_)) => searches += 1,
            Some(Command::Quit) => break,
            _ => {}
        }
    }
    let script: Vec<&str> = steps.iter().map(|(_, line)| line.as_str()).collect();
    let script = script.join("\n");
    let mut output = Vec::new();
    let input = Paced {
        steps: steps.into_iter(),
        line: Cursor::default(),
    };
    run(input, &mut output).expect("a vector can be written to");
    let output = String::from_utf8(output).expect("answers are text");
    let mut answers = 0;
    for line in output.lines() {
        let answer = read_answer(line).unwrap_or_else(|error| panic!("{error}: {line:?}"));
        answers += usize::from(matches!(answer, Answer::BestMove(_)));
        if let Answer::Note(text) | Answer::Error(text) = answer {
            check_message(&text);
            assert!(!text.contains("internal error"), "{text} in\n{script}");
        }
    }
    assert_eq!(
        answers, searches,
        "answers to searches in\n{script}\n{output}"
    );
}

/// Makes lines harmless and holds a session of them.
fn hold_harmless(lines: impl Iterator<Item = Step>, most_work: usize) {
    let (mut work, mut steps) = (
        0,
        vec![(Duration::ZERO, "setoption name Hash value 1".to_owned())],
    );
    for (pause, line) in lines {
        // A line end within it makes two.
        let line = line.replace('\n', " ");
        if let Some(line) = harmless(&line, &mut work)
            && work <= most_work
        {
            steps.push((pause, line));
        }
    }
    hold(steps);
}

/// A text as a session.
pub fn session(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let lines = text.split('\n').take(LINES);
    hold_harmless(lines.map(|line| (Duration::ZERO, line.to_owned())), WORK);
}

/// A session of the grammar, of which the bytes are the dice.
pub fn script(bytes: &[u8]) {
    hold_harmless(grammar::session(bytes).into_iter(), usize::MAX);
}

static SERVICE: LazyLock<Service> = LazyLock::new(|| {
    let settings = Settings::from(SearchSettings {
        hash_mib: 1,
        ..SearchSettings::default()
    });
    Service::new(settings, Opening::default())
});

/// A command of the page and, after the end of its line, its body. A game that is written is read as the same.
pub fn board(bytes: &[u8]) {
    let end = bytes
        .iter()
        .position(|&byte| byte == b'\n')
        .unwrap_or(bytes.len());
    let route = String::from_utf8_lossy(&bytes[..end]);
    let body = bytes.get(end + 1..).unwrap_or_default();
    let ask = |route: &str, body: &[u8]| match SERVICE
        .answer(route, body)
        .inspect_err(check_length)
        .ok()??
    {
        Reply::Json(answer) => {
            Some(serde_json::from_slice::<Value>(&answer).expect("answers are JSON"))
        }
        Reply::Search(..) => Some(Value::Null),
    };
    let Some(answer) = ask(&route, body) else {
        return;
    };
    // Illegal moves are kept as text; of tags that are there twice one is written.
    let is_whole = |read: &Value| {
        let tags = read["game"]["tags"].as_array().expect("tags");
        let names: BTreeSet<&str> = tags.iter().filter_map(|tag| tag[0].as_str()).collect();
        read["faults"] == json!([]) && names.len() == tags.len()
    };
    let game = match &*route {
        "/read" if is_whole(&answer) => answer["game"].clone(),
        "/write" => {
            let request = json!({ "pgn": answer["pgn"] });
            let read = ask("/read", request.to_string().as_bytes()).expect("just written");
            if !is_whole(&read) {
                return;
            }
            read["game"].clone()
        }
        _ => return,
    };
    let write = |game: &Value| ask("/write", game.to_string().as_bytes()).expect("just read");
    let written = write(&game);
    let request = json!({ "pgn": written["pgn"] });
    let again = ask("/read", request.to_string().as_bytes()).expect("just written");
    assert_eq!(again["game"], game, "{}", written["pgn"]);
    assert_eq!(write(&again["game"]), written);
}
