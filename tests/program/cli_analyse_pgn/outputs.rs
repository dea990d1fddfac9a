//! What is said of a game: a table, an object, an annotated record.

use serde_json::Value;
use vato_engine::board::Position;
use vato_engine::notation::{format_fen, format_path, parse_turn};
use vato_engine::rules::{Path, Rules, legal_paths};
use vato_engine::tablebase::{Tablebases, Wdl};
use vato_records::pgn::Nag;

use super::{ANALYSE, MISSED, SEVERAL, analyse, folder, games, moves, objects, summary};
use crate::support::command_line::{self, Folder};
use crate::support::schema::{check, schema};
use crate::support::transcript;

/// What the tests below take for granted.
#[test]
fn the_missed_win_is_one() {
    let game = games(MISSED).remove(0).replay_plies(2).expect("legal");
    let tables = Tablebases::built_in(&Rules::STANDARD, 1 << 20, 1).expect("in the program");
    let ranking = tables
        .rank(game.rules(), game.position())
        .expect("five stones or fewer");
    assert_eq!(ranking[0].outcome(), Wdl::Win);
    let (_, mv) = parse_turn("a1-b1", game.rules(), game.position()).expect("legal");
    let played = ranking.iter().find(|ranked| ranked.mv == mv);
    assert_eq!(played.expect("listed").outcome(), Wdl::Draw);
}

/// A table for people, objects for scripts, an annotated record.
#[test]
fn a_game_is_told_in_every_format() {
    let folder = folder(MISSED);
    transcript::check(&folder, "analyse_pgn");
    assert_eq!(objects(&analyse(&folder, "--json")).len(), 1);
}

#[test]
fn annotated_games_keep_what_they_had_and_read_back() {
    let folder = folder(MISSED);
    let table = analyse(&folder, "--pgn-out b.pgn");
    let text = folder.read("b.pgn");
    // The same to standard output.
    assert_eq!(analyse(&folder, "--pgn-out -"), text);
    assert_eq!(
        folder.stdout("pgn check b.pgn"),
        "1 game, 1 right, 0 wrong\n"
    );

    let (before, after) = (games(MISSED), games(&text));
    assert_eq!(moves(&before), moves(&after));
    let (before, after) = (&before[0], &after[0]);
    for tag in before.tags().iter().filter(|tag| tag.name() != "Annotator") {
        assert_eq!(after.tag_value(tag.name()), before.tag_value(tag.name()));
    }
    assert_eq!(after.introduction(), before.introduction());
    // Annotating again says the same, and no more.
    folder.write("a.pgn", &text);
    assert_eq!(analyse(&folder, ""), table);
    assert_eq!(analyse(&folder, "--pgn-out -"), text);
    let deeper = folder.stdout("analyse --pgn a.pgn --depth 2 --pgn-out -");
    let deeper = games(&deeper).remove(0);
    let annotator = deeper.tag_value("Annotator").expect("a tag").to_owned();
    assert!(annotator.ends_with(", depth 2"), "{annotator}");
    assert_eq!(annotator.matches("Vato").count(), 1, "{annotator}");
    let comment = deeper.moves()[2].comment.as_deref().expect("a comment");
    assert_eq!(comment.matches("Vato").count(), 1, "{comment}");
    assert_eq!(deeper.moves()[2].variations.len(), 2);
}

/// A person's marks stay, in whatever way they were written and however often the game is analysed.
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
                    assert!(
                        after.ends_with(before) && after.len() <= before.len() + 1,
                        "{text}"
                    );
                }
            }
        }
    }
}

/// What others have said stays, whoever they are and however much it looks like what we say.
#[test]
fn comments_of_others_stay() {
    let theirs =
        "[Annotator \"Vato Rakoto\"]\n\n1. d3-e3A {+0.31/12} c3-d3A {+1.00 best reply} *\n";
    let annotated = |games: &str| analyse(&folder(games), "--pgn-out -");
    let text = annotated(theirs);
    let again = annotated(&text);
    let game = games(&again).remove(0);
    let annotator = game.tag_value("Annotator").expect("a tag");
    assert!(annotator.starts_with("Vato Rakoto; Vato "), "{annotator}");
    for (mv, begin) in game.moves().iter().zip(["+0.31/12", "+1.00 best reply"]) {
        let comment = mv.comment.as_deref().expect("a comment");
        assert!(comment.starts_with(&format!("{begin} Vato: ")), "{comment}");
        assert_eq!(comment.matches("Vato").count(), 1, "{comment}");
    }
    assert_eq!(again, text);
    // A tag twice is not as it should be, and no reason to say things twice.
    let twice = text.replacen(
        "[Annotator \"Vato Rakoto; ",
        "[Annotator \"Rabe\"]\n[Annotator \"",
        1,
    );
    let bare = twice.replace("+0.31/12 Vato: ", "");
    let twice = annotated(&bare);
    let comment = games(&twice).remove(0).moves()[0]
        .comment
        .as_deref()
        .map(str::to_owned);
    assert!(!comment.expect("a comment").contains("Vato: "), "{twice}");
}

/// A capture that can be made in two ways is told as it was played.
#[test]
fn moves_are_told_as_they_were_played() {
    let (position, paths) = two_ways();
    let board = Rules::STANDARD.board;
    let folder = Folder::new();
    for path in paths {
        let path = format_path(&path, board);
        let short = path.replace('-', "").to_lowercase();
        let fen = format_fen(&position, board);
        folder.write("a.pgn", format!("[FEN \"{fen}\"]\n\n1. {short} *\n"));
        let table = analyse(&folder, "");
        let has_row = table
            .lines()
            .any(|line| line.split_whitespace().nth(1) == Some(&path));
        assert!(has_row, "{path}: {table}");
        let object = objects(&analyse(&folder, "--json")).remove(0);
        assert_eq!(object["moves"][0]["move"], path.as_str());
        let annotated = analyse(&folder, "--pgn-out -");
        assert_eq!(moves(&games(&annotated)), [[short.as_str()]]);
    }
}

/// A position, and two paths that are one move there.
fn two_ways() -> (Position, [Path; 2]) {
    let rules = Rules::STANDARD;
    for odd in 1..100 {
        let mut position = rules.start();
        for ply in 1..30 {
            let paths = legal_paths(&rules, &position);
            for (number, (path, mv)) in paths.iter().enumerate() {
                if let Some((other, _)) = paths[..number].iter().find(|(_, other)| other == mv) {
                    return (position, [other.clone(), path.clone()]);
                }
            }
            let Some(&(_, mv)) = paths.get(ply * odd % paths.len().max(1)) else {
                break;
            };
            position = position.play(mv);
        }
    }
    panic!("no such move");
}

/// Rules, starts and ends of all kinds.
#[test]
fn every_game_is_played_by_its_own_rules() {
    let folder = folder(SEVERAL);
    let text = analyse(&folder, "");
    for line in [
        "game 1: A – ?, *",
        "rules: board=5x5",
        "White wins: Black has no stones",
        "rules: repeat=2",
        "draw: repetition",
        "rules: board=3x3 chain=single tie=count",
        "no moves",
    ] {
        assert!(text.lines().any(|found| found == line), "{line}: {text}");
    }
    let objects = objects(&analyse(&folder, "--json"));
    let plies: Vec<_> = objects
        .iter()
        .map(|object| object["moves"].as_array().expect("a list").len())
        .collect();
    assert_eq!(plies, [3, 3, 2, 4, 0]);
    // The capture that ends the third game is forced, and not judged.
    let last = &objects[2]["moves"][1];
    assert_eq!(
        (&last["forced"], &last["loss"]),
        (&true.into(), &0.0.into())
    );
    assert_eq!(last["score"]["plies_to_end"], 1);
    assert_eq!(
        (&last["depth"], &last["expected"]),
        (&0.into(), &1.0.into())
    );
    let white = &objects[2]["players"]["white"];
    assert_eq!((&white["judged"], &white["forced"]), (&0.into(), &1.into()));
    assert_eq!(white["accuracy"], Value::Null);
    // The last move of the fourth game is a draw.
    assert_eq!(objects[3]["moves"][3]["expected"], 0.5);
    assert_eq!(objects[3]["outcome"], "draw: repetition");
    let annotated = games(&analyse(&folder, "--pgn-out -"));
    assert_eq!(moves(&annotated), moves(&games(SEVERAL)));
    assert_eq!(annotated[2].tag_value("WhiteAccuracy"), None);
    assert_eq!(annotated[2].moves()[1].comment.as_deref(), Some("+M1"));
}

#[test]
fn games_do_not_depend_on_each_other() {
    let folder = folder(&SEVERAL.repeat(3));
    for format in ["", "--json", "--pgn-out -"] {
        let one = analyse(&folder, &format!("{format} --concurrency 1"));
        for concurrency in ["2", "5"] {
            let extra = format!("{format} --concurrency {concurrency}");
            assert_eq!(analyse(&folder, &extra), one, "{concurrency}");
        }
    }
    // Nor on which others are analysed.
    let all = analyse(&folder, "--json");
    let alone = analyse(&folder, "--json --games 7");
    assert_eq!(all.lines().nth(6), alone.lines().next());
}

/// The same game twice and one with the players changed about, then one that is not right.
#[test]
fn the_end_tells_of_all_games() {
    let folder = Folder::new();
    let changed = MISSED
        .replace("Rabe", "nobody")
        .replace("Soa", "Rabe")
        .replace("nobody", "Soa");
    let wrong = "[White \"Rabe\"]\n\n1. a1-a2 *\n";
    folder.write("a.pgn", [MISSED, &changed, MISSED, wrong].join("\n"));
    let failing = |extra: &str| {
        let run = folder.run(&format!("{ANALYSE} {extra}"));
        assert_eq!(run.code, Some(1), "{run:?}");
        run.out
    };
    let text = failing("");
    let (_, table) = text.split_once("\n\nall 3 games\n\n").expect("a summary");
    let rows: Vec<Vec<&str>> = table
        .lines()
        .map(|line| line.split_whitespace().collect())
        .collect();
    assert_eq!(rows.len(), 3, "{table}");
    assert_eq!(rows[0][..2], ["games", "accuracy"]);
    // Soa has played Black twice, without a fault, and White once, Rabe the other way round.
    assert_eq!(rows[1][..2], ["Soa", "3"]);
    assert_eq!(rows[1][2..], ["-", "0.083", "0", "0", "1", "1", "6", "0"]);
    assert_eq!(rows[2][..2], ["Rabe", "3"]);
    assert_eq!(rows[2][2..], ["-", "0.167", "0", "0", "2", "2", "6", "0"]);

    let all = summary(&failing("--json"));
    assert_eq!((&all["games"], &all["wrong"]), (&3.into(), &1.into()));
    assert_eq!(all["stopped"], false);
    let players = all["players"].as_array().expect("a list");
    assert_eq!(players.len(), 2);
    assert_eq!(
        (&players[0]["name"], &players[0]["games"]),
        (&"Soa".into(), &3.into())
    );
    assert_eq!(players[1]["missed_wins"], 2);
    // One game needs no sum for people; for scripts there is one even of none.
    folder.write("a.pgn", MISSED);
    assert!(!analyse(&folder, "").contains("all "));
    folder.write("a.pgn", "");
    let nothing = folder.run(&format!("{ANALYSE} --json")).out;
    let nothing = summary(&nothing);
    assert_eq!(
        (&nothing["games"], &nothing["players"]),
        (&0.into(), &Value::Array(vec![]))
    );
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

/// As the text of a position does: the value where it is known, and the reply as long as the game has followed the proof.
#[test]
fn what_is_proven_of_a_position_is_in_the_objects() {
    let folder = folder("1. f2-e3A f3-f2A *\n");
    let json = objects(&analyse(&folder, "--json")).remove(0);
    let proven = |ply: usize| json["moves"][ply]["proven"].to_string();
    let draw = |reply| format!(r#"{{"black_wins":false,"reply":"{reply}","white_wins":false}}"#);
    assert_eq!(proven(0), draw("f2-e3A"));
    assert_eq!(proven(1), draw("f3-f2A"));
    let text = folder.stdout("analyse --depth 1 --moves f2-e3A");
    assert!(
        text.ends_with("proven: a draw; reply of the proof: f3-f2A\n"),
        "{text}"
    );
    let depths = command_line::objects(&folder.stdout("analyse --depth 1 --moves f2-e3A --json"));
    assert_eq!(depths[0]["proven"].to_string(), draw("f3-f2A"));
}

/// CSV has a row for each move, with what JSON has of it.
#[test]
fn csv_has_a_row_for_each_move() {
    let folder = folder(SEVERAL);
    let json = analyse(&folder, "--json");
    let csv = analyse(&folder, "--csv");
    let mut rows = csv.lines();
    let headings: Vec<&str> = rows.next().expect("headings").split(',').collect();
    let moves = objects(&json)
        .into_iter()
        .flat_map(|game| game["moves"].as_array().cloned().unwrap_or_default());
    let mut count = 0;
    for (mv, row) in moves.zip(rows.by_ref()) {
        // No cell of these has a comma.
        let cells: Vec<&str> = row.split(',').collect();
        let cell = |name| {
            headings
                .iter()
                .position(|&one| one == name)
                .map(|place| cells[place])
        };
        assert_eq!(cell("move"), mv["move"].as_str(), "{row}");
        assert_eq!(cell("fen"), mv["fen"].as_str());
        assert_eq!(cell("phase"), mv["phase"].as_str());
        let stones = ["white", "black"].map(|side| mv["stones"][side].as_u64().expect("a number"));
        let fen = mv["fen"].as_str().expect("text");
        assert_eq!(
            stones.map(|count| count as usize),
            ['w', 'b'].map(|stone| { fen.split(' ').next().expect("rows").matches(stone).count() })
        );
        count += 1;
    }
    assert!(count > 0 && rows.next().is_none(), "{csv}");
}
