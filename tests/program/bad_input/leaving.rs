//! The end of the process: `quit`, the end of the input, a reader that is gone.
//! How fast it must be is tested in `tests/promptness`.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::support::{Engine, Search, WAIT};

/// The input closes or `quit` comes, in the state that `commands` make; the
/// process must end well and answer every `go`.
fn ends_well(commands: &str, quit: bool) -> Vec<String> {
    let mut engine = Engine::start();
    engine.send(commands);
    if quit {
        engine.send("quit");
    } else {
        engine.close_stdin();
    }
    let status = engine.wait_exit(WAIT);
    let lines = engine.rest();
    engine.expect_no_panic();
    if !status.success() {
        engine.fail(&format!("ended with {status}"));
    }
    let go = commands.lines().filter(|line| line.starts_with("go"));
    let best = lines.iter().filter(|line| line.starts_with("bestmove"));
    if go.count() != best.count() {
        engine.fail("not one bestmove for each go");
    }
    lines
}

#[test]
fn quit_and_end_of_input_when_idle() {
    for quit in [true, false] {
        ends_well("", quit);
        ends_well("ugi", quit);
        ends_well("uci\nisready\nposition startpos moves d3-e3A", quit);
        ends_well("ugi\nsetoption name Threads value 2\nisready", quit);
    }
}

#[test]
fn quit_and_end_of_input_during_a_search() {
    for quit in [true, false] {
        for go in [
            "go",
            "go infinite",
            "go ponder",
            "go ponder p1time 1000 p2time 1000",
            "go depth 60",
            "go nodes 1000000000",
            "go movetime 60000",
            "go wtime 600000 btime 600000",
            "go p1time 600000 p2time 600000",
            "go infinite\ngo infinite",
        ] {
            let lines = ends_well(&format!("ugi\nposition startpos\n{go}"), quit);
            if !go.contains('\n') {
                let search = Search::parse(lines).expect("a well-formed answer");
                search.check().expect("a checked answer");
            }
        }
    }
}

#[test]
fn quit_during_a_search_with_threads_and_queued_commands() {
    for quit in [true, false] {
        ends_well(
            "uci\nsetoption name Threads value 2\nposition startpos\ngo infinite\n\
             position startpos moves d3-e3A\nsetoption name Hash value 32\nucinewgame",
            quit,
        );
    }
}

/// A decided position: the search is over, its answer held back.
#[test]
fn quit_while_an_answer_is_held_back() {
    for quit in [true, false] {
        let lines = ends_well("ugi\nposition fen 9/9/9/9/w8 b 0 40\ngo infinite", quit);
        assert!(
            lines.iter().any(|line| line == "bestmove 0000"),
            "{lines:?}"
        );
    }
}

/// What an option is about to answer comes, though nobody can say any more.
#[test]
fn the_end_of_the_input_waits_for_options() {
    for (option, answer) in [
        ("Threads value 2", "readyok"),
        ("Book File value /no/such.book\nisready", "/no/such.book"),
        ("TablebasePath value /no/such/folder", "/no/such/folder"),
    ] {
        let commands = format!("setoption name {option}\nisready");
        let lines = ends_well(&commands, false);
        let is_there = lines.iter().any(|line| line.contains(answer));
        assert!(is_there, "{commands}: {lines:?}");
    }
    assert_eq!(ends_well("isready", false), ["readyok"]);
    let lines = ends_well("setoption name Book File value /no/such.book", false);
    assert!(lines.len() == 1 && lines[0].contains("error"), "{lines:?}");
}

/// `wait` is what keeps a script's search from being cut short by its own end.
#[test]
fn a_script_that_waits() {
    let lines = ends_well("ugi\nposition startpos\ngo depth 3\nwait", true);
    let search = Search::parse(lines).expect("a well-formed answer");
    assert_eq!(search.last().and_then(|info| info.depth), Some(3));
}

/// The reader of the output goes away during a search, and while nothing
/// happens: the engine ends without a word as soon as it cannot write.
#[test]
fn the_reader_is_gone() {
    for last_command in ["go infinite", "isready", "d", "perft 3"] {
        let mut child = Command::new(crate::support::command_line::engine())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the engine starts");
        let mut input = child.stdin.take().expect("the input is piped");
        let mut output = BufReader::new(child.stdout.take().expect("the output is piped"));
        input.write_all(b"ugi\n").expect("the engine reads");
        let mut line = String::new();
        while line.trim_end() != "ugiok" {
            line.clear();
            output.read_line(&mut line).expect("the engine answers");
        }
        drop(output);
        input
            .write_all(format!("position startpos\n{last_command}\n").as_bytes())
            .expect("the engine reads");

        let deadline = Instant::now() + WAIT;
        let status = loop {
            if let Some(status) = child.try_wait().expect("a child can be waited for") {
                break status;
            }
            if Instant::now() > deadline {
                let _ = child.kill();
                panic!("the engine goes on without a reader after `{last_command}`");
            }
            thread::sleep(Duration::from_millis(2));
        };
        let mut errors = String::new();
        let mut stderr = child.stderr.take().expect("the error output is piped");
        stderr.read_to_string(&mut errors).expect("errors are text");
        assert_eq!(errors, "", "after `{last_command}`: not a quiet end");
        assert!(status.success(), "after `{last_command}`: {status}");
    }
}
