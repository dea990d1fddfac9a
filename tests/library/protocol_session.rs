//! Sessions held inside the test's own process: what scripts print, in which
//! order things happen, and what becomes of an output that cannot be written.

use std::io::{self, ErrorKind, Read, Write};
use std::time::{Duration, Instant};

use vato_engine::protocol::{Answer, run};
use vato_tools::answers::read_answer;

use crate::read_command;

/// Everything that a script prints. The end of the script is the end of input.
fn session(script: &str) -> Vec<String> {
    let mut output = Vec::new();
    run(io::Cursor::new(script.to_owned()), &mut output).expect("a vector can be written to");
    let output = String::from_utf8(output).expect("answers are text");
    output.lines().map(str::to_owned).collect()
}

fn count(lines: &[String], start: &str) -> usize {
    lines.iter().filter(|line| line.starts_with(start)).count()
}

/// The number of the first line that begins with `start`.
fn find(lines: &[String], start: &str) -> usize {
    lines
        .iter()
        .position(|line| line.starts_with(start))
        .unwrap_or_else(|| panic!("no line `{start}…` in {lines:#?}"))
}

#[test]
fn an_empty_session_says_nothing() {
    assert_eq!(session(""), [""; 0]);
    assert_eq!(session("\n\n  \n"), [""; 0]);
    assert_eq!(
        session("quit\nugi\n"),
        [""; 0],
        "what comes after quit is not read"
    );
}

#[test]
fn commands_behind_work_keep_their_order() {
    let lines = session(
        "setoption name Hash value 8\nposition startpos moves d3-e3A\nquery p1turn\nisready\n\
         perft 2\nquery gameover\nuginewgame\nquery p1turn\nquit\n",
    );
    let order = [
        "response false",
        "readyok",
        "Nodes searched",
        "response true",
    ];
    let places = order.map(|start| find(&lines, start));
    assert!(places.is_sorted(), "{lines:#?}");
    assert_eq!(count(&lines, "response"), 3);
}

#[test]
fn every_go_is_answered_at_the_end() {
    for end in ["quit\n", ""] {
        for goes in [
            "go infinite\n",
            "go infinite\ngo\ngo ponder\ngo infinite\n",
            "setoption name Hash value 2\ngo infinite\nposition startpos moves d3-e3A\ngo\n",
            "go infinite\nsetoption name Threads value 2\nperft 9\nbench\ngo infinite\n",
            "go infinite\nisready\nwait\ngo perft 30\n",
            "uginewgame\ngo perft 60\n",
        ] {
            let start = Instant::now();
            let lines = session(&format!("{goes}{end}"));
            let asked = goes.lines().filter(|line| line.starts_with("go")).count();
            assert_eq!(count(&lines, "bestmove"), asked, "{goes}: {lines:#?}");
            assert!(start.elapsed() < Duration::from_secs(30), "{goes}");
        }
    }
}

#[test]
fn stop_means_all_that_was_asked_before() {
    // The searches have not begun when `stop` comes: an option is at work.
    let lines = session(
        "setoption name Hash value 8\ngo infinite\nstop\nisready\nperft 50\nperft 50\nstop\n\
         go ponder\nponderhit\nstop\nwait\nquery gameover\n",
    );
    assert_eq!(count(&lines, "bestmove"), 2, "{lines:#?}");
    assert_eq!(count(&lines, "info string perft: stopped"), 2);
    assert_eq!(count(&lines, "response false"), 1);
}

#[test]
fn wait_holds_the_end_back() {
    for end in ["quit\n", ""] {
        let lines = session(&format!("go depth 4\nwait\n{end}"));
        assert!(lines.iter().any(|line| line.starts_with("info depth 4 ")));
        let lines = session(&format!("perft 4\nwait\n{end}"));
        assert_eq!(
            lines.last().map(String::as_str),
            Some("Nodes searched: 18026")
        );
    }
    // A count is finished although the script ends; `quit` would end it.
    assert_eq!(count(&session("perft 4"), "Nodes searched: 18026"), 1);
    let lines = session("go infinite\nwait\nquery gameover\n");
    assert_eq!(count(&lines, "info string error wait"), 1);
}

#[test]
fn deferred_commands_come_before_what_was_held_later() {
    let lines = session(
        "go movetime 60000\nposition startpos moves d3-e3A\nsetoption name MultiPV value 2\n\
         wait\nquery p1turn\nstop\ngo depth 2\nwait\n",
    );
    assert_eq!(count(&lines, "info string position: deferred"), 1);
    assert_eq!(count(&lines, "info string setoption: deferred"), 1);
    assert!(find(&lines, "bestmove") < find(&lines, "response false"));
    assert!(lines.iter().any(|line| line.contains(" multipv 2 ")));
}

#[test]
fn chances_are_shown_on_demand() {
    let lines = session("go depth 2\nwait\n");
    assert!(!lines.iter().any(|line| line.contains(" wdl ")));
    let lines = session("setoption name UCI_ShowWDL value true\ngo depth 2\nwait\n");
    let mut chances = 0;
    for line in &lines {
        if let Ok(Answer::Info(info)) = read_answer(line) {
            let wdl = info.wdl.expect("with each score");
            assert_eq!(wdl.iter().sum::<u32>(), 1000, "{line}");
            chances += 1;
        }
    }
    assert!(chances >= 2);
    let lines = session(
        "setoption name UCI_ShowWDL value true\nposition fen 9/9/9/9/w8 b 0 40\ngo depth 2\nwait\n",
    );
    assert!(
        lines
            .iter()
            .any(|line| line.contains("score mate 0 wdl 0 0 1000"))
    );
}

#[test]
fn debug_tells_more() {
    let script = "stop it\nsetoption name UCI_Variant value telo\n";
    assert_eq!(session(script), [""; 0]);
    let lines = session(&format!("debug on\n{script}"));
    assert_eq!(count(&lines, "info string stop: ignored 'it'"), 1);
    assert_eq!(count(&lines, "info string other rules"), 1);
    assert_eq!(session(&format!("debug on\ndebug off\n{script}")), [""; 0]);
}

/// The page names every command.
#[test]
fn help_is_complete() {
    let page = session("help\n").join("\n");
    let names = "ugi uci isready setoption uginewgame ucinewgame position moves go stop ponderhit query debug \
        quit d eval legal perft bench wait help";
    for name in names.split(' ') {
        let words = page.split(|character: char| !character.is_alphanumeric());
        assert!(
            words.into_iter().any(|word| word == name),
            "{name} is not explained"
        );
    }
    assert!(page.lines().all(|line| line.chars().count() <= 100));
}

/// Every line that a session prints is one that the types read, and a command
/// written by the types is one that the session obeys.
#[test]
fn the_types_speak_the_same_language() {
    let position = read_command("position fen 8b/9/9/9/w8 w 0 20 moves a1-a2").expect("right");
    let go = read_command("go nodes 500 movetime 1000").expect("right");
    let lines = session(&format!(
        "uci\nisready\n{position}\n{go}\nwait\nquery result\nnonsense\n"
    ));
    for line in &lines {
        let answer = read_answer(line).unwrap_or_else(|error| panic!("{line}: {error}"));
        assert!(!matches!(answer, Answer::Text(_)), "{line}");
        assert_eq!(&answer.to_string(), line);
    }
    assert!(lines.len() > 15, "{lines:#?}");
}

#[test]
fn the_log_has_both_directions_with_times() {
    let path = format!("{}/protocol-session.log", env!("CARGO_TARGET_TMPDIR"));
    let _ = std::fs::remove_file(&path);
    for _ in 0..2 {
        session(&format!(
            "setoption name Log File value {path}\nisready\nd\nsetoption name Log File value\nd\n"
        ));
    }
    let log = std::fs::read_to_string(&path).expect("the log is written");
    let mut words = Vec::new();
    for line in log.lines() {
        let (time, rest) = line.split_once(' ').expect("a time");
        assert!(time.ends_with('Z') && time.len() == "2026-01-01T00:00:00.000000Z".len());
        words.push(rest.to_owned());
    }
    assert_eq!(
        count(&words, "> isready"),
        2,
        "the second session adds to the first:\n{log}"
    );
    assert_eq!(count(&words, "< readyok"), 2);
    let shown = count(&words, "< FEN: ");
    assert_eq!(shown, 2, "the log has ended before the second `d`:\n{log}");
}

/// An input that never ends by itself.
struct Endless(io::Cursor<Vec<u8>>);

impl Read for Endless {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self.0.read(buffer)? {
            0 => loop {
                std::thread::park();
            },
            length => Ok(length),
        }
    }
}

/// An output that fails after some bytes.
struct Broken(usize, ErrorKind);

impl Write for Broken {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.0 < bytes.len() {
            return Err(self.1.into());
        }
        self.0 -= bytes.len();
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn an_output_that_breaks_ends_the_session() {
    for script in ["ugi\n", "go infinite\n", "isready\n", "perft 3\n"] {
        for (kind, is_fine) in [
            (ErrorKind::BrokenPipe, true),
            (ErrorKind::StorageFull, false),
        ] {
            let input = Endless(io::Cursor::new(script.as_bytes().to_vec()));
            let end = run(input, Broken(5, kind));
            assert_eq!(end.is_ok(), is_fine, "{script} {kind:?}");
        }
    }
}
