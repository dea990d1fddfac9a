//! Games on a terminal, by keys and mouse.

use std::process::Command;

use tempfile::TempDir;
use vato_engine::notation::{format_path, parse_turn};
use vato_engine::rules::{Capture, Game, Path, Preset, TurnUnderWay};

use super::screen::Terminal;
use crate::support::command_line::stdout;

const ENTER: &str = "\r";
const CONTROL_C: &str = "\x03";
const CONTROL_U: &str = "\x15";
const CONTROL_Z: &str = "\x1a";

/// The rows and columns of the small board, drawn twice as large: of a point's file and rank from 0.
fn telo_cell(file: u16, rank: u16) -> (u16, u16) {
    (2 + 8 * file, 4 * (2 - rank))
}

/// The keys that move the cursor from one file and rank to another.
fn arrows(from: (u8, u8), to: (u8, u8)) -> String {
    let steps = |from: u8, to: u8, forth: &str, back: &str| match to >= from {
        true => forth.repeat(usize::from(to - from)),
        false => back.repeat(usize::from(from - to)),
    };
    steps(from.0, to.0, "\x1b[C", "\x1b[D") + &steps(from.1, to.1, "\x1b[A", "\x1b[B")
}

/// The keys that play a turn, and where they leave the cursor.
fn keys_for(game: &Game, path: &Path, mut cursor: (u8, u8)) -> (String, (u8, u8)) {
    let board = game.rules().board;
    let mut turn = TurnUnderWay::begin(game.rules(), game.position(), path.from).expect("a stone");
    let from = board.file_and_rank(path.from);
    let mut keys = arrows(cursor, from) + ENTER;
    cursor = from;
    for &step in &path.steps {
        let to = board.file_and_rank(step.to);
        keys += &(arrows(cursor, to) + ENTER);
        cursor = to;
        let ways = turn
            .next_steps()
            .iter()
            .filter(|next| next.step.to == step.to)
            .count();
        if ways == 2 {
            keys += if step.capture == Some(Capture::Approach) {
                "a"
            } else {
                "w"
            };
        }
        assert!(turn.play(step));
    }
    if !turn.next_steps().is_empty() {
        keys += ENTER;
    }
    (keys, cursor)
}

/// The moves of a line of the list: those behind the number.
fn moves_of(contents: &str, number: u32) -> Vec<String> {
    let label = format!(" {number}. ");
    let line = contents
        .lines()
        .find_map(|line| Some(line.split_once(&label)?.1));
    line.unwrap_or_default()
        .split_whitespace()
        .map(str::to_owned)
        .collect()
}

#[test]
fn a_whole_game_is_played_by_keys() {
    let rules = Preset::Telo.rules().expect("rules");
    let mut terminal = Terminal::play(&["--rules", "telo", "--nodes", "100"]);
    let mut game = Game::new(rules);
    let mut cursor = (1, 1);
    let play = |game: &mut Game, text: &str| {
        let (_, mv) = parse_turn(text, &rules, game.position()).expect(text);
        game.play(mv).expect("legal");
    };
    while game.outcome().is_none() {
        let number = game.position().move_number();
        // The tip before this one is gone.
        terminal.wait_for("the next turn", |screen| {
            let contents = screen.contents();
            (contents.contains("White to move") && !contents.contains("best move:")).then_some(())
        });
        terminal.send("t");
        let tip = terminal.wait_for("a tip", |screen| {
            let contents = screen.contents();
            let tip = contents.split_once("best move: ")?.1;
            tip.contains("for White)")
                .then(|| tip.split(' ').next().map(str::to_owned))?
        });
        let (path, mv) = parse_turn(&tip, &rules, game.position()).expect("a legal tip");
        let (keys, after) = keys_for(&game, &path, cursor);
        cursor = after;
        terminal.send(&keys);
        game.play(mv).expect("legal");
        let shown = format_path(&path, rules.board);
        let over = game.outcome().is_some();
        let moves = terminal.wait_for("the answer", |screen| {
            let contents = screen.contents();
            // What is below the moves is drawn after them: without it they may not be all there.
            let is_whole =
                contents.contains("White to move") || contents.contains("The game is over");
            let moves = moves_of(&contents, number);
            (is_whole && moves.len() == if over { 1 } else { 2 }).then_some(moves)
        });
        assert_eq!(moves[0], shown);
        if let Some(answer) = moves.get(1) {
            play(&mut game, answer);
        }
    }
    let outcome = game.outcome().expect("the end");
    terminal.wait_for_text(&format!("The game is over. {outcome}"));
    // It has not been saved.
    terminal.send("q");
    terminal.wait_for_text("Quit? (y/n)");
    terminal.send("y");
    assert!(terminal.end().success());
}

#[test]
fn stones_are_pointed_at() {
    let mut terminal = Terminal::play(&["--as", "both", "--rules", "telo"]);
    terminal.wait_for_text("White to move");
    let (column, row) = telo_cell(1, 0);
    terminal.click(column, row);
    terminal.wait_for("a stone taken up", |screen| {
        screen
            .cell(row, column)
            .filter(|cell| cell.inverse())
            .map(|_| ())
    });
    let (column, row) = telo_cell(1, 1);
    terminal.click(column, row);
    terminal.wait_for_text(" 1. b1-b2A");
    terminal.send(CONTROL_C);
    assert!(terminal.end().success());
}

#[test]
fn the_terminal_may_change_its_size() {
    let mut terminal = Terminal::play(&["--as", "both"]);
    terminal.wait_for_text("White to move");
    terminal.resize(50, 10);
    terminal.wait_for_text("The terminal is too small: 50x10, expected 36x18.");
    terminal.send("f2e3a\r");
    terminal.resize(140, 40);
    terminal.wait_for_text(" 1. f2-e3A");
    terminal.wait_for_text("5 ●───────●");
    terminal.send(CONTROL_C);
    assert!(terminal.end().success());
}

#[test]
fn the_terminal_is_given_back_whatever_ends_the_program() {
    // While the engine thinks, which would take a day.
    let long = ["--as", "black", "--level", "20", "--movetime", "86400000"];
    let mut terminal = Terminal::play(&long);
    terminal.wait_for_text("White is thinking");
    terminal.send(CONTROL_C);
    assert!(terminal.end().success());
    for signal in ["TERM", "HUP", "INT"] {
        let terminal = Terminal::play(&long);
        terminal.wait_for_text("White is thinking");
        let killed = Command::new("kill")
            .args([format!("-{signal}"), terminal.process().to_string()])
            .status()
            .expect("kill runs");
        assert!(killed.success());
        let status = terminal.end();
        assert!(
            !status.success() && status.signal().is_some(),
            "{signal}: {status:?}"
        );
    }
}

/// There is nobody left to tell, and nothing to give back: that is no fault of the program.
#[test]
fn a_terminal_may_be_closed() {
    for (arguments, shown) in [
        (&["--as", "both"][..], "White to move"),
        // While the engine thinks, which would take a day.
        (
            &["--as", "black", "--level", "20", "--movetime", "86400000"],
            "White is thinking",
        ),
        (&["--as", "both", "--plain"], "White to move"),
    ] {
        let terminal = Terminal::play(arguments);
        terminal.wait_for_text(shown);
        let status = terminal.hang_up();
        // A panic has the code 101. To whoever reads lines the end may come first: that is a good one.
        let is_end = arguments.contains(&"--plain") && status.success();
        let has_hung_up = status
            .signal()
            .is_some_and(|signal| signal.contains("Hangup"));
        assert!(
            has_hung_up || is_end || status.exit_code() == 1,
            "{arguments:?}: {status:?}"
        );
    }
}

/// A terminal that takes lines only gets lines, and is asked as a terminal is.
#[test]
fn terminals_without_a_screen_get_lines() {
    for kind in ["dumb", ""] {
        let mut terminal = Terminal::play_in(&["--as", "both"], &[("TERM", kind)]);
        terminal.wait_for("the prompt", |screen| {
            assert!(!screen.alternate_screen() && !screen.hide_cursor());
            screen.contents().contains("\n>").then_some(())
        });
        terminal.send("f2e3a\rquit\r");
        terminal.wait_for_text("The game is not saved. Give it up? (y/n)");
        terminal.send("y\r");
        assert!(terminal.end().success());
    }
}

#[test]
fn control_z_leads_back_to_the_shell_for_a_while() {
    let mut terminal = Terminal::play_in_shell(&["--as", "both"]);
    terminal.wait_for_text("White to move");
    terminal.send("f2e3a\r");
    terminal.wait_for_text(" 1. f2-e3A");
    terminal.send(CONTROL_Z);
    terminal.wait_for("the shell", |screen| {
        let is_back = !screen.alternate_screen() && !screen.hide_cursor();
        (is_back && screen.contents().contains("halted")).then_some(())
    });
    terminal.send(ENTER);
    terminal.wait_for("the game", |screen| {
        let is_back = screen.alternate_screen() && screen.contents().contains(" 1. f2-e3A");
        (is_back && !screen.contents().contains("halted")).then_some(())
    });
    // The keys are read as before.
    terminal.send("u");
    terminal.wait_for_text("one turn taken back");
    terminal.send("q");
    assert!(terminal.end().success());
}

#[test]
fn without_a_shell_control_z_does_nothing() {
    let mut terminal = Terminal::play(&["--as", "both"]);
    terminal.wait_for_text("White to move");
    terminal.send(CONTROL_Z);
    terminal.send("f2e3a");
    // Only then is the terminal certain to be taken over again, and enter to be that key.
    terminal.wait_for_text("move: f2e3a");
    terminal.send(ENTER);
    terminal.wait_for_text(" 1. f2-e3A");
    terminal.send(CONTROL_C);
    assert!(terminal.end().success());
}

/// Line by line on a terminal: a person is asked, as on the screen.
#[test]
fn an_unsaved_game_is_not_left_without_a_question() {
    let mut terminal = Terminal::play(&["--plain", "--as", "both", "--rules", "telo"]);
    terminal.wait_for_text("White to move");
    terminal.send("b1b2a\r");
    terminal.wait_for_text("Black to move");
    terminal.send("quit\r");
    terminal.wait_for_text("The game is not saved. Give it up? (y/n)");
    terminal.send("n\rmoves\r");
    terminal.wait_for_text("a3-b3");
    terminal.send("quit\r");
    terminal.send("y\r");
    assert!(terminal.end().success());

    // Nothing is lost, nothing is asked.
    let mut terminal = Terminal::play(&["--plain", "--as", "both"]);
    terminal.wait_for_text("White to move");
    terminal.send("quit\r");
    assert!(terminal.end().success());
}

#[test]
fn games_are_saved_and_go_on() {
    let folder = TempDir::new().expect("a folder");
    let path = folder.path().join("game.pgn");
    let name = path.to_str().expect("UTF-8");
    let mut terminal = Terminal::play(&["--nodes", "100", "--as", "both", "--rules", "dimy"]);
    terminal.wait_for_text("White to move");
    terminal.send("b3c3a\r");
    terminal.wait_for_text(" 1. b3-c3A");
    terminal.send(&format!("s{CONTROL_U}{name}\r"));
    terminal.wait_for_text("saved in ");
    assert_eq!(
        stdout(&["pgn", "check", name]),
        "1 game, 1 right, 0 wrong\n"
    );
    let first = std::fs::read_to_string(&path).expect("it is there");
    assert!(first.contains("[Variant \"dimy\"]") && first.contains("1. b3-c3A"));

    // Taken back, and saved in the same file: first not, then so.
    terminal.send("u");
    terminal.wait_for_text("one turn taken back");
    terminal.send("s\r");
    terminal.wait_for_text("Replace it? (y/n)");
    terminal.send("n");
    terminal.wait_for_text("enter: choose");
    assert_eq!(std::fs::read_to_string(&path).expect("it is there"), first);
    terminal.send("s\r");
    terminal.wait_for_text("Replace it? (y/n)");
    terminal.send("y");
    terminal.wait_for_text("saved in ");
    let second = std::fs::read_to_string(&path).expect("it is there");
    assert!(!second.contains("b3-c3A"));

    // A pipe is not a file, and stays one.
    let pipe = folder.path().join("pipe");
    let made = Command::new("mkfifo").arg(&pipe).status();
    assert!(made.expect("mkfifo runs").success());
    let pipe_name = pipe.to_str().expect("UTF-8");
    terminal.send(&format!("s{CONTROL_U}{pipe_name}\r"));
    terminal.wait_for_text("not a regular file");
    assert!(!pipe.is_file());

    // What cannot be read changes nothing.
    terminal.send(&format!("l{CONTROL_U}{name}.none\r"));
    terminal.wait_for_text("! cannot read ");
    std::fs::write(&path, &first).expect("written");
    terminal.send(&format!("l{CONTROL_U}{name}\r"));
    terminal.wait_for_text(" 1. b3-c3A");
    terminal.send("q");
    assert!(terminal.end().success());

    let mut terminal = Terminal::play(&["--pgn", name, "--as", "both"]);
    terminal.wait_for_text(" 1. b3-c3A");
    terminal.send("q");
    assert!(terminal.end().success());
}

#[test]
fn the_engine_can_be_watched() {
    let mut terminal = Terminal::play(&["--as", "none", "--rules", "telo", "--nodes", "50"]);
    terminal.wait_for_text("The game is over.");
    terminal.send("u");
    terminal.wait_for_text("Paused; p resumes");
    terminal.send("p");
    terminal.wait_for_text("The game is over.");
    terminal.send("q");
    terminal.wait_for_text("Quit? (y/n)");
    terminal.send("y");
    assert!(terminal.end().success());
}

#[test]
fn without_colours_there_are_none() {
    for (variables, coloured) in [(&[][..], true), (&[("NO_COLOR", "1")][..], false)] {
        let mut terminal = Terminal::play_in(&["--as", "both"], variables);
        let colours = terminal.wait_for("the board", |screen| {
            screen.contents().contains("q: quit").then(|| {
                let (rows, columns) = (0..24, 0..80);
                rows.flat_map(|row| columns.clone().map(move |column| (row, column)))
                    .filter_map(|(row, column)| screen.cell(row, column))
                    .filter(|cell| cell.fgcolor() != vt100::Color::Default)
                    .count()
            })
        });
        assert_eq!(colours > 0, coloured);
        terminal.send("q");
        assert!(terminal.end().success());
    }
}

/// The picture in docs/play.md is what the program shows without colours.
#[test]
fn the_page_shows_the_screen() {
    let page = include_str!("../../../docs/play.md");
    let shown = page
        .split("```text\n")
        .skip(1)
        .filter_map(|rest| rest.split("```").next())
        .find(|block| block.contains("Fanorona 9x5, tsivy"))
        .expect("the page shows a game");
    let mut terminal = Terminal::play_in(&["--as", "both"], &[("NO_COLOR", "1")]);
    terminal.wait_for_text("White to move");
    terminal.send("f2-e3A\r");
    let lines = |text: &str| -> Vec<String> {
        let lines = text.trim_end().lines();
        lines.map(|line| line.trim_end().to_owned()).collect()
    };
    terminal.wait_for("the screen of the page", |screen| {
        (lines(&screen.contents()) == lines(shown)).then_some(())
    });
    terminal.send(CONTROL_C);
    assert!(terminal.end().success());
}

#[test]
fn a_session_on_a_terminal_begins_with_a_greeting() {
    let mut terminal = Terminal::session();
    terminal.wait_for_text("A game: vato play.");
    terminal.send("quit\r");
    assert!(terminal.end().success());
}
