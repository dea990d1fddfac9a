//! Whole sessions: of the protocol, and of the page of the analysis board.

use std::collections::BTreeSet;
use std::io::Cursor;
use std::sync::LazyLock;
use vato_engine::search::SearchSettings;

use serde_json::{Value, json};
use vato_engine::engine::Settings;
use vato_engine::protocol::{Answer, Command, run};
use vato_tools::answers::read_answer;
use vato_tools::service::{Opening, Reply, Service};

use super::{check_length, check_message};

/// The most lines of a session, and the most of them that make the engine work.
const LINES: usize = 40;
const WORK: usize = 4;

/// The most nodes of a search.
const NODES: u64 = 300;

/// A line of a session that takes a moment at most, reads no files and writes none; `None` if it is left out.
fn harmless(line: &str, work: &mut usize) -> Option<String> {
    let command = Command::parse(line, &mut Vec::new());
    let mut is_work = true;
    let line = match command {
        Some(Command::Go(mut go)) => {
            go.perft = go.perft.map(|depth| depth.min(2));
            go.nodes = Some(go.nodes.unwrap_or(NODES).min(NODES));
            let waits = go.infinite || go.ponder;
            let go = Command::Go(go).to_string();
            // Where a search waits for its end, that comes at once.
            if waits { format!("{go}\nstop") } else { go }
        }
        Some(Command::Perft(depth)) => format!("perft {}", depth.min(2)),
        Some(Command::Bench(_)) => return None,
        Some(Command::SetOption(option)) => {
            let name = option.name.to_lowercase();
            let is_of_files = ["file", "path"].iter().any(|word| name.contains(word));
            let is_large = ["hash", "threads", "tablebasecache"].contains(&name.as_str());
            let number = option
                .value
                .as_ref()
                .and_then(|text| text.trim().parse::<u64>().ok());
            if is_of_files || is_large && number.is_some_and(|number| number > 2) {
                return None;
            }
            line.to_owned()
        }
        Some(Command::IsReady | Command::NewGame | Command::Eval | Command::Legal) => {
            line.to_owned()
        }
        _ => {
            is_work = false;
            line.to_owned()
        }
    };
    *work += usize::from(is_work);
    (*work <= WORK).then_some(line)
}

/// A session: every `go` is answered, and every answer can be read.
pub fn session(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let mut script = String::from("setoption name Hash value 1\n");
    let (mut work, mut searches) = (0, 0);
    for line in text.split('\n').take(LINES) {
        let Some(line) = harmless(line, &mut work) else {
            continue;
        };
        script += &line;
        script.push('\n');
        let command = Command::parse(line.lines().next().unwrap_or_default(), &mut Vec::new());
        match command {
            Some(Command::Go(_)) => searches += 1,
            Some(Command::Quit) => break,
            _ => {}
        }
    }
    let mut output = Vec::new();
    run(Cursor::new(script.clone()), &mut output).expect("a vector can be written to");
    let output = String::from_utf8(output).expect("answers are text");
    let mut answers = 0;
    for line in output.lines() {
        let answer = read_answer(line).unwrap_or_else(|error| panic!("{error}: {line:?}"));
        answers += usize::from(matches!(answer, Answer::BestMove(_)));
        if let Answer::Note(text) | Answer::Error(text) = answer {
            check_message(&text);
        }
    }
    assert_eq!(
        answers, searches,
        "answers to searches in\n{script}\n{output}"
    );
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
