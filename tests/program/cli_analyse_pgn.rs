//! `vato analyse --pgn`, seen from outside: whole games, annotated.

#[cfg(unix)]
use std::io::{BufRead, BufReader, Read, Write};
#[cfg(unix)]
use std::process::Stdio;

use serde_json::Value;
use vato_records::pgn::{GameRecord, Nag, PgnReader};

#[cfg(unix)]
use crate::support::command_line::{self, Folder, Run, interrupt, start, vato};
#[cfg(not(unix))]
use crate::support::command_line::{self, Folder, Run, vato};
use crate::support::schema::{check, schema};
use crate::support::transcript;

/// White wins with i1-h2 and a1-b2; a1-b1 draws.
const MISSED: &str = "[White \"Rabe\"]
[Black \"Soa\"]
[Annotator \"Ranaivo\"]
[FEN \"9/3b5/9/9/w7w w 0 40\"]

{An ending} 40. i1-h2 d4-d3 {keeps off} 41. a1-b1 !? $10 $2 {a
thought} (41. a1-b2 {wins}) 41... d3-c3 $14 *
";

/// An opening, a game on a small board, a finished one, a draw by repetition, one without a move.
const SEVERAL: &str = "[White \"A\"]

1. f2-e3A d5-d4A 2. e1-d2A *

[White \"B\"]
[Variant \"dimy\"]

1. b3-c3A d4-d3A 2. c3-d4A *

[White \"C\"]
[FEN \"9/9/3w2b2/9/9 b 0 31\"]

31... g3-f3 32. d3-e3A 1-0

[White \"D\"]
[Rules \"repeat=2\"]
[FEN \"8b/9/9/9/w8 w 0 20\"]

20. a1-a2 i5-i4 21. a2-a1 i4-i5 1/2-1/2

[White \"E\"]
[Rules \"board=3x3 chain=single tie=count\"]

*
";

/// The second game has an illegal move, the third cannot be read.
const DAMAGED: &str = "[White \"A\"]

1. f2-e3A d5-d4A *

[White \"B\"]
[Black \"X\"]

1. f2-e3A d5-d4A
2. d3-e3 *

[White \"C\"]

1. f2-e3A } *

[White \"D\"]

1. d3-e3A *
";

/// A folder with these games in `a.pgn`.
fn folder(games: &str) -> Folder {
    let folder = Folder::new();
    folder.write("a.pgn", games);
    folder
}

/// An analysis of `a.pgn` that is the same every time.
const ANALYSE: &str = "analyse --pgn a.pgn --nodes 300 --hash 1";

/// What it puts out.
fn analyse(folder: &Folder, extra: &str) -> String {
    folder.stdout(&format!("{ANALYSE} {extra}"))
}

/// The text of the annotated games.
fn annotated(games: &str) -> String {
    analyse(&folder(games), "--pgn-out -")
}

fn games(text: &str) -> Vec<GameRecord> {
    let games: Result<_, _> = PgnReader::new(text.as_bytes()).collect();
    games.expect("games that can be read")
}

/// The objects of all games, and what stands in the last line.
fn objects(text: &str) -> (Vec<Value>, Value) {
    let mut objects = command_line::objects(text);
    let mut last = objects.pop().expect("a summary");
    assert!(last["summary"].is_object(), "{last}");
    (objects, last["summary"].take())
}

/// A table for people, objects and rows for scripts, an annotated record, sums of all games; what cannot be read is named,
/// and the others are analysed.
#[test]
fn games_are_told_in_every_format() {
    let folder = folder(MISSED);
    transcript::check(&folder, "analyse_pgn");
    let changed = MISSED.replace("Rabe", "nobody").replace("Soa", "Rabe");
    let changed = changed.replace("nobody", "Soa");
    let wrong = "[White \"Rabe\"]\n\n1. a1-a2 *\n";
    folder.write("sums.pgn", [MISSED, &changed, MISSED, wrong].join("\n"));
    folder.write("several.pgn", SEVERAL);
    folder.write("damaged.pgn", DAMAGED);
    folder.write("none.pgn", "");
    // Two captures that are the same move, told as they were played.
    let fen = "bbbb1bbbb/1bb1w4/1b4wbw/1ww2wwww/1ww2wwww b 0 3";
    let game = |turn: &str| format!("[FEN \"{fen}\"]\n\n3... {turn} *\n\n");
    folder.write("ways.pgn", game("c4c3ad4we3ae2w") + &game("c4d4ae3ad2ae2w"));
    transcript::check(&folder, "analyse_games");

    std::fs::create_dir(folder.path("folder")).expect("a folder");
    folder.remove("b.pgn");
    transcript::check(&folder, "analyse_pgn_refused");
    // Nothing is written where nothing can be read, and no file is overwritten, the input least of all.
    assert_eq!(folder.read("a.pgn"), MISSED);
    assert!(!folder.exists("b.pgn"));
    // A try that has failed is no hindrance to the next one.
    analyse(&folder, "--pgn-out b.pgn");
    assert!(folder.read("b.pgn").contains("Annotator"));
}

/// What others have said and marked stays, in whatever way it was written, however much it looks like what we say, and
/// however often the game is analysed.
#[test]
fn what_others_have_said_stays() {
    let text = annotated(MISSED);
    // Annotating again says the same, and no more.
    assert_eq!(annotated(&text), text);
    let deeper = folder(&text).stdout("analyse --pgn a.pgn --depth 2 --pgn-out -");
    let deeper = games(&deeper).remove(0);
    let annotator = deeper.tag_value("Annotator").expect("a tag").to_owned();
    assert!(annotator.ends_with(", depth 2"), "{annotator}");
    assert_eq!(annotator.matches("Vato").count(), 1, "{annotator}");
    let comment = deeper.moves()[2].comment.as_deref().expect("a comment");
    assert_eq!(comment.matches("Vato").count(), 1, "{comment}");
    assert_eq!(deeper.moves()[2].variations.len(), 2);

    let theirs =
        "[Annotator \"Vato Rakoto\"]\n\n1. d3-e3A {+0.31/12} c3-d3A {+1.00 best reply} *\n";
    let text = annotated(theirs);
    assert_eq!(annotated(&text), text);
    let game = games(&text).remove(0);
    let annotator = game.tag_value("Annotator").expect("a tag");
    assert!(annotator.starts_with("Vato Rakoto; Vato "), "{annotator}");
    for (mv, begin) in game.moves().iter().zip(["+0.31/12", "+1.00 best reply"]) {
        let comment = mv.comment.as_deref().expect("a comment");
        assert!(comment.starts_with(&format!("{begin} Vato: ")), "{comment}");
        assert_eq!(comment.matches("Vato").count(), 1, "{comment}");
    }
    // A tag twice is not as it should be, and no reason to say things twice.
    let tags = "[Annotator \"Rabe\"]\n[Annotator \"";
    let twice = text.replacen("[Annotator \"Vato Rakoto; ", tags, 1);
    let twice = annotated(&twice.replace("+0.31/12 Vato: ", ""));
    let game = games(&twice).remove(0);
    let comment = game.moves()[0].comment.as_deref().expect("a comment");
    assert!(!comment.contains("Vato: "), "{twice}");
}

#[test]
fn marks_of_others_stay() {
    let folder = Folder::new();
    for written in [
        "!", "$1 $14", "$3", "?! !? $7", "$2", "?", "$6 $2 $4", "$10", "",
    ] {
        let mut text = format!("1. d3-e3A {written} c3-d3A {written} {{mine}} *\n");
        let theirs = |text: &str| -> Vec<Vec<Nag>> {
            let moves = games(text).remove(0).moves().to_vec();
            moves.iter().map(|mv| mv.annotations().to_vec()).collect()
        };
        let before = theirs(&text);
        for limit in ["--nodes 300", "--depth 2", "--nodes 300"] {
            folder.write("a.pgn", &text);
            text = folder.stdout(&format!("analyse --pgn a.pgn --pgn-out - {limit}"));
            for (after, before) in theirs(&text).iter().zip(&before) {
                if before.iter().any(|nag| nag.sign().is_some()) {
                    assert_eq!(after, before, "{text}");
                } else {
                    // Our mark stands before what they have.
                    let is_more = after.len() <= before.len() + 1;
                    assert!(after.ends_with(before) && is_more, "{text}");
                }
            }
        }
    }
}

/// Neither do games depend on each other, nor on which of them are analysed, nor on whether they come from a file.
#[test]
fn games_do_not_depend_on_each_other() {
    let text = SEVERAL.repeat(3);
    let folder = folder(&text);
    let line = ANALYSE.replace("a.pgn", "-");
    for format in ["", "--json", "--pgn-out -"] {
        let one = analyse(&folder, &format!("{format} --concurrency 1"));
        for concurrency in ["2", "5"] {
            let extra = format!("{format} --concurrency {concurrency}");
            assert_eq!(analyse(&folder, &extra), one, "{concurrency}");
        }
        let input = Run::with_input(&mut vato(&format!("{line} {format}")), &text);
        assert_eq!(input.stdout(), one);
    }
    let all = analyse(&folder, "--json");
    let alone = analyse(&folder, "--json --games 7");
    assert_eq!(all.lines().nth(6), alone.lines().next());
    // Nothing is no error, but it is said.
    let nothing = Run::with_input(&mut vato(&line), "");
    assert_eq!(nothing.stderr(0), "standard input: no games\n");
}

/// Every line that is printed as JSON is one of docs/schema/analysis.json.
#[test]
fn json_is_as_the_schema_says() {
    let schema = schema("analysis.json");
    let folder = folder(SEVERAL);
    folder.write("b.fen", "9/9/9/6b2/w2b3w1 w\n9/9/4w4/9/9 b\n");
    let mut lines = 0;
    for line in [
        "analyse --json --depth 3 --multipv 2",
        "analyse --json --nodes 500 --pgn a.pgn",
        "analyse --nodes 500 --fens b.fen",
    ] {
        for mut value in command_line::objects(&folder.stdout(line)) {
            check(&value, &schema, &schema, "").expect(line);
            value["unknown"] = Value::Null;
            check(&value, &schema, &schema, "").expect_err("a key that the schema does not have");
            lines += 1;
        }
    }
    assert!(lines > 3 + 2 + 2, "{lines}");
}

/// A reader that has seen enough ends the analysis, unless a file is to have all of the games.
#[cfg(unix)]
#[test]
fn a_closed_pipe_ends_it_quietly() {
    let endless = folder(&SEVERAL.repeat(100));
    let mut child = endless.start(&format!("{ANALYSE} --json"));
    let mut line = String::new();
    let mut reader = BufReader::with_capacity(16, child.stdout.take().expect("a pipe"));
    reader.read_line(&mut line).expect("a first line");
    drop(reader);
    assert_eq!(Run::end_of(child).success().err, "");

    let folder = folder(&SEVERAL.repeat(20));
    let whole = analyse(&folder, "--pgn-out -");
    for format in ["", "--json", "--csv"] {
        let mut child = folder.start(&format!("{ANALYSE} --pgn-out b.pgn {format}"));
        drop(child.stdout.take());
        assert_eq!(Run::end_of(child).success().err, "");
        assert_eq!(folder.read("b.pgn"), whole, "{format}");
        folder.remove("b.pgn");
    }
}

/// However often Ctrl-C comes, what is in the file has no gaps, and the work can go on behind it.
#[cfg(unix)]
#[test]
fn an_interrupt_leaves_a_file_without_gaps() {
    let few = annotated(SEVERAL);
    // So many that it cannot be done before it is interrupted.
    let folder = folder(&SEVERAL.repeat(20_000));
    for interrupts in [1, 2] {
        let name = format!("{interrupts}.pgn");
        let line = format!("{ANALYSE} --pgn-out {name} --concurrency 4 --json");
        let mut child = folder.start(&line);
        let mut reader = BufReader::new(child.stdout.take().expect("a pipe"));
        let mut text = String::new();
        reader.read_line(&mut text).expect("a first line");
        let mut errors = BufReader::new(child.stderr.take().expect("a pipe"));
        let mut told = String::new();
        interrupt(&child);
        if interrupts == 2 {
            // Its answer is an empty line and another one.
            errors.read_line(&mut told).expect("a line");
            errors.read_line(&mut told).expect("a line");
            interrupt(&child);
        }
        reader.read_to_string(&mut text).expect("more lines");
        errors.read_to_string(&mut told).expect("more lines");
        let status = child.wait().expect("it ends");
        assert_eq!(status.code(), Some(3), "{told}");
        let written = folder.read(&name);
        let count = games(&written).len();
        let begin = few.repeat(count / games(&few).len() + 1);
        assert!(begin.starts_with(&written), "{written}");
        assert_eq!(objects(&text).0.len(), count);
        let noun = if count == 1 { "game" } else { "games" };
        let next = count + 1;
        let message = format!("stopped after {count} {noun}; continue with --games {next}-\n");
        assert!(told.ends_with(&message), "{message}{told}");
    }
}

/// What is in the file is done, though nobody could be told.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_leaves_a_file_to_go_on_from() {
    let folder = folder(SEVERAL);
    let full = std::fs::File::create("/dev/full").expect("a full disk");
    let mut command = folder.vato(&format!("{ANALYSE} --pgn-out b.pgn --json"));
    let message = Run::of(command.stdout(full)).stderr(1);
    let begin = "error: cannot write to standard output: ";
    assert!(message.starts_with(begin), "{message}");
    let end = "; continue with --games 2-\n";
    assert!(message.ends_with(end), "{message}");
    assert_eq!(games(&folder.read("b.pgn")).len(), 1);
}

/// An analysis that waits for more input ends with Ctrl-C; what it has done is summed up.
#[cfg(unix)]
#[test]
fn an_interrupt_ends_it() {
    let line = ANALYSE.replace("a.pgn", "-");
    let mut command = vato(&format!("{line} --json"));
    let mut child = start(command.stdin(Stdio::piped()));
    let mut input = child.stdin.take().expect("a pipe");
    input.write_all(SEVERAL.as_bytes()).expect("it reads");
    input.flush().expect("it reads");
    let mut reader = BufReader::new(child.stdout.take().expect("a pipe"));
    let mut text = String::new();
    reader.read_line(&mut text).expect("a first line");
    interrupt(&child);
    reader.read_to_string(&mut text).expect("more lines");
    let run = Run::end_of(child);
    assert_eq!(run.code, Some(3), "{run:?}");
    let (objects, summary) = objects(&text);
    assert_eq!(
        (&summary["stopped"], &summary["games"]),
        (&true.into(), &objects.len().into())
    );
    assert!(run.err.contains("stopped after "), "{run:?}");
    drop(input);
}
