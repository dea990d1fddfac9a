//! Words that mean nothing, strange white space, long lines, bytes that are not
//! text.

use super::{in_both_dialects, searched, tolerated, works_as_usual};
use crate::support::Engine;
#[cfg(target_os = "linux")]
use crate::support::command_line::{Run, engine};

#[test]
fn unknown_words() {
    in_both_dialects(|engine| {
        for line in [
            "hello",
            "xyzzy 1 2 3",
            "=",
            "%s%n",
            "-",
            "POSITION?",
            "0000",
        ] {
            tolerated(engine, format!("{line}\n").as_bytes());
        }
        works_as_usual(engine);
    });
}

#[test]
fn unknown_words_before_any_handshake() {
    let mut engine = Engine::start();
    tolerated(&mut engine, b"hello\n");
    works_as_usual(&mut engine);
    engine.finish();
}

#[test]
fn blank_lines() {
    in_both_dialects(|engine| {
        for line in ["\n", "   \n", "\t\n", "\r\n"] {
            tolerated(engine, line.as_bytes());
        }
        works_as_usual(engine);
    });
}

#[test]
fn tabs_and_many_spaces_separate_words() {
    in_both_dialects(|engine| {
        engine.send("position\tstartpos \t moves\td3-e3A");
        assert_eq!(engine.query("p1turn"), "false");
        engine.send("  \tposition   startpos  ");
        assert_eq!(engine.query("p1turn"), "true");
        searched(engine, "\tgo\t depth\t\t2  ");
        engine.send(" isready\t");
        assert!(engine.expect("readyok").is_empty());
    });
}

#[test]
fn lines_that_end_as_on_windows() {
    in_both_dialects(|engine| {
        engine.send_bytes(b"isready\r\n");
        assert!(engine.expect("readyok").is_empty());
        engine.send_bytes(b"position startpos moves d3-e3A\r\nquery p1turn\r\n");
        engine.expect("response false");
        searched(engine, "go depth 2\r");
    });
}

#[test]
fn a_line_of_a_megabyte() {
    let million = 1_000_000;
    in_both_dialects(|engine| {
        for unit in ["x", "x ", " ", "9"] {
            let line = unit.repeat(million / unit.len()) + "\n";
            let answer = tolerated(engine, line.as_bytes());
            assert_short(engine, answer);
        }
        works_as_usual(engine);
    });
}

#[test]
fn commands_with_a_megabyte_of_arguments() {
    let long = "x".repeat(1_000_000);
    let many = "x ".repeat(500_000);
    in_both_dialects(|engine| {
        for tail in [&long, &many] {
            for command in [
                "position fen",
                "position startpos moves",
                "setoption name",
                "setoption name Hash value",
                "query",
                "moves",
                "debug",
            ] {
                let answer = tolerated(engine, format!("{command} {tail}\n").as_bytes());
                assert_short(engine, answer);
            }
            engine.send("position startpos");
            searched(engine, &format!("go depth 1 {tail}"));
        }
        works_as_usual(engine);
    });
}

/// They take a few times their length: no list of them is made.
#[cfg(target_os = "linux")]
#[test]
fn millions_of_words() {
    let words = "a:".repeat(4 << 20) + &" a".repeat(4 << 20);
    let commands = [
        "position startpos moves",
        "position fen",
        "go depth 1 searchmoves",
        "setoption name",
        "setoption name TablebasePath value",
    ];
    let input = commands.map(|command| format!("{command} {words}\nisready\n"));
    let mut limited = std::process::Command::new("sh");
    limited.args(["-c", "ulimit -v 400000; exec \"$0\""]);
    let run = Run::with_input(limited.arg(engine()), &input.concat()).success();
    assert_eq!(
        run.out.matches("readyok").count(),
        commands.len(),
        "{}",
        run.err
    );
}

/// What the engine says about a long line must not be as long itself.
fn assert_short(engine: &mut Engine, answer: Option<String>) {
    if let Some(line) = answer.filter(|line| line.len() > 2000) {
        engine.fail(&format!("an info string of {} bytes", line.len()));
    }
}

#[test]
fn bytes_that_are_not_utf8() {
    in_both_dialects(|engine| {
        let lines: [&[u8]; 7] = [
            b"\xff\n",
            b"\xfe\xff\x00\x01\n",
            b"\xc3\x28 \xa0\xa1\n",
            b"\0\n",
            b"\x1b[31m\x07\x08\n",
            "\u{feff}\u{200b}ñ\u{1f600}\n".as_bytes(),
            b"\xf0\x9f\x98\n",
        ];
        for line in lines {
            tolerated(engine, line);
        }
        works_as_usual(engine);
    });
}

#[test]
fn bytes_that_are_not_utf8_within_commands() {
    in_both_dialects(|engine| {
        let lines: [&[u8]; 6] = [
            b"position fen \xff\xfe w 0 1\n",
            b"position startpos moves d3-e3\xff\n",
            b"setoption name H\xe4sh value 16\n",
            b"setoption name Hash value \xff\n",
            b"query \xc3\n",
            b"debug \xff\n",
        ];
        for line in lines {
            tolerated(engine, line);
        }
        engine.send("position startpos");
        let legal = engine.legal();
        engine.send_bytes(b"go depth 2 \xff\xfe\n");
        super::read_checked(engine, &legal);
        works_as_usual(engine);
    });
}

/// Commands whose arguments are missing or senseless.
#[test]
fn commands_without_sense() {
    in_both_dialects(|engine| {
        for line in [
            "position",
            "position fen",
            "position moves d3-e3A",
            "position nonsense",
            "position startpos nonsense",
            "moves",
            "setoption",
            "setoption name",
            "setoption value 3",
            "setoption Hash 16",
            "query",
            "query nonsense",
            "query p1turn gameover",
            "debug",
            "debug maybe",
            "perft",
            "perft abc",
            "perft -1",
        ] {
            engine.send("position startpos");
            engine.send(line);
            let lines = engine.sync();
            if lines.len() > 1 {
                engine.fail(&format!("`{line}` was answered by {lines:?}"));
            }
        }
        works_as_usual(engine);
    });
}

#[test]
fn a_last_line_without_an_end() {
    let mut engine = Engine::start();
    engine.send_bytes(b"ugi");
    engine.close_stdin();
    engine.expect("ugiok");
    assert!(engine.wait_exit(crate::support::WAIT).success());
    engine.expect_no_panic();
}
