//! Sessions with an engine that has tables: those in the program, those of the option `TablebasePath`, bad ones, and
//! damage that comes to light during a search.

use std::env;
use std::fs;

use vato_engine::protocol::run;

use super::set::Set;
use crate::support::command_line::{Folder, Run, VATO};

/// Everything that a script prints. The end of the script is the end of input.
fn session(script: &str) -> Vec<String> {
    let mut output = Vec::new();
    run(std::io::Cursor::new(script.to_owned()), &mut output).expect("a vector can be written to");
    let output = String::from_utf8(output).expect("answers are text");
    output.lines().map(str::to_owned).collect()
}

/// The lines that begin with `start`.
fn starting<'a>(lines: &'a [String], start: &str) -> Vec<&'a str> {
    let lines = lines.iter().map(String::as_str);
    lines.filter(|line| line.starts_with(start)).collect()
}

/// The number behind a word of a line.
fn number(line: &str, word: &str) -> i64 {
    let mut words = line.split(' ').skip_while(|&other| other != word);
    let number = words.nth(1).and_then(|text| text.parse().ok());
    number.unwrap_or_else(|| panic!("no {word} in {line}"))
}

/// The last line of play before the only `bestmove`.
fn last_info(lines: &[String]) -> &str {
    assert_eq!(starting(lines, "bestmove ").len(), 1, "{lines:#?}");
    assert!(starting(lines, "bestmove 0000").is_empty(), "{lines:#?}");
    starting(lines, "info depth ")
        .pop()
        .expect("a line of play")
}

/// The last line of play of a session that has nothing to complain about.
fn searched(script: &str) -> String {
    let lines = session(script);
    assert!(
        starting(&lines, "info string error").is_empty(),
        "{lines:#?}"
    );
    last_info(&lines).to_owned()
}

/// Won, drawn and lost positions of the standard game with their scores: a conversion that is `n` plies
/// away counts 30,000 less `n`, and the end of the game is what it always is.
const FEW_STONES: [(&str, &str); 5] = [
    ("9/9/3b5/9/w7w w 0 2", "cp 29993"),
    ("bb7/9/9/3w5/9 w 0 2", "cp -29971"),
    ("9/9/9/9/w7b w 0 2", "cp 0"),
    ("9/9/9/4b4/w3w4 b 0 2", "cp 0"),
    ("9/9/b8/9/w1w6 b 0 2", "mate 1"),
];

/// No folder is needed: some tables are always there.
#[test]
fn positions_with_few_stones_are_answered_at_once() {
    for (fen, score) in FEW_STONES {
        for go in ["go depth 30", "go movetime 10000", "go nodes 100000"] {
            let lines = session(&format!("position fen {fen}\n{go}\nwait\n"));
            let info = last_info(&lines);
            assert_eq!(number(info, "nodes"), 0, "{info}");
            assert!(number(info, "tbhits") > 0, "{info}");
            assert!(info.contains(&format!(" score {score} ")), "{fen}: {info}");
            assert_eq!(starting(&lines, "info depth ").len(), 1, "{lines:#?}");
        }
        let option = "setoption name TablebaseProbeLimit value 0";
        let info = searched(&format!("{option}\nposition fen {fen}\ngo depth 5\nwait\n"));
        assert_eq!(number(&info, "tbhits"), 0, "{info}");
        let is_known = info.contains(" score cp 29") || info.contains(" score cp -29");
        assert!(!is_known, "{info}");
    }
    let [won, lost] = [FEW_STONES[0].0, FEW_STONES[1].0];
    // The limit counts stones: those with more are searched, those with as many looked up.
    for (limit, is_searched) in [(2, true), (3, false), (16, false)] {
        let option = format!("setoption name TablebaseProbeLimit value {limit}");
        let info = searched(&format!("{option}\nposition fen {won}\ngo depth 3\nwait\n"));
        assert_eq!(number(&info, "nodes") > 0, is_searched, "{info}");
    }
    // Several lines are asked for, and each comes with what the tables say of its move.
    let option = "setoption name MultiPV value 3";
    let lines = session(&format!(
        "{option}\nposition fen {lost}\ngo depth 9\nwait\n"
    ));
    let infos = starting(&lines, "info depth ");
    let scores: Vec<i64> = infos.iter().map(|info| number(info, "cp")).collect();
    assert_eq!(scores, [-29_971, -29_977, -29_977]);
}

/// Every rule set that can have tables has some, and those of the rules before are not taken for those of others.
#[test]
fn each_rule_set_has_its_own_tables() {
    let variant = |rules: &str| format!("setoption name UCI_Variant value {rules}\n");
    let few = "position fen 9/9/3b5/9/w7w w 0 20\ngo depth 30\nwait\n";
    for rules in ["riatra", "first-turns", "full-chain", "free-capture"] {
        let info = searched(&(variant(rules) + few));
        assert_eq!(number(&info, "nodes"), 0, "{rules}: {info}");
        assert!(number(&info, "cp") > 29_900, "{rules}: {info}");
    }
    for rules in ["single-step", "vela"] {
        let info = searched(&(variant(rules) + &few.replace("30", "3")));
        assert_eq!(number(&info, "tbhits"), 0, "{rules}: {info}");
        assert!(number(&info, "nodes") > 0, "{rules}: {info}");
    }
}

/// One capture leads into the largest tables here, and they are asked only far from the leaves.
#[test]
fn the_probe_depth_keeps_look_ups_away_from_the_leaves() {
    let hits = |depth: u32| -> i64 {
        let option = format!("setoption name TablebaseProbeDepth value {depth}");
        let positions = [
            "b8/4b4/9/w2w5/ww4b2",
            "b8/4b4/1b5w1/2w2w3/7w1",
            "8b/2b6/6b2/4w3w/w1w6",
        ];
        let hits = positions.map(|stones| {
            let position = format!("position fen {stones} w 0 20");
            number(
                &searched(&format!("{option}\n{position}\ngo depth 2\nwait\n")),
                "tbhits",
            )
        });
        hits.iter().sum()
    };
    let [everywhere, nowhere] = [0, 200].map(hits);
    assert!(everywhere > 10 && nowhere < 5, "{everywhere}, {nowhere}");
}

/// The options of a session under the rules of a set whose tables are in these folders.
fn with_folders(rules: &str, folders: &str) -> String {
    format!(
        "setoption name UCI_Variant value {rules}\nsetoption name TablebasePath value {folders}\n"
    )
}

/// The whole game on 3x3 with tables from this folder: the answer to the start position.
fn telo_session(folders: &str) -> Vec<String> {
    session(&(with_folders("telo", folders) + "position startpos\ngo depth 6\nwait\n"))
}

/// The one error of a session, which names `path`; a move has been played all the same.
fn expect_error(lines: &[String], path: &str, what: &str) {
    let strings = starting(lines, "info string");
    assert_eq!(strings.len(), 1, "{lines:#?}");
    let is_error = strings[0].starts_with("info string error tablebases: ");
    assert!(is_error, "{strings:?}");
    assert!(strings[0].contains(path), "{path}: {strings:?}");
    assert!(strings[0].contains(what), "{what}: {strings:?}");
    last_info(lines);
}

#[test]
fn the_tables_of_folders_are_used() {
    let set = Set::build("telo", 9);
    let play = "position startpos\ngo depth 6\nwait\n";
    let options = with_folders("telo", set.text());
    let info = searched(&(options.clone() + play));
    // The win of the tables, without a search.
    assert_eq!((number(&info, "nodes"), number(&info, "cp")), (0, 29_999));
    // It is taken back.
    let info = searched(&(options + "setoption name TablebasePath value\n" + play));
    assert!(number(&info, "nodes") > 0, "{info}");
    // A folder without fault does not make up for one that is not there, but its tables are used.
    let missing = set.file("nowhere");
    let folders = env::join_paths([set.path(), &missing]).expect("plain paths");
    let lines = telo_session(folders.to_str().expect("UTF-8"));
    expect_error(&lines, "nowhere", "");
    assert_eq!(number(last_info(&lines), "nodes"), 0, "{lines:#?}");
    // The least memory is enough.
    let set = Set::build("dimy", 5);
    let play = "position fen b3b/5/2b2/1w3/w4 w 0 20\ngo depth 9\nwait\n";
    let script = |cache: u32| {
        let option = format!("setoption name TablebaseCache value {cache}\n");
        let lines = session(&(option + &with_folders("dimy", set.text()) + play));
        assert_eq!(number(last_info(&lines), "nodes"), 0, "{lines:#?}");
        lines.last().cloned()
    };
    assert_eq!(script(1), script(64));
}

/// Also where the tables in the program hold all that the folder should.
#[test]
fn what_is_wrong_with_a_folder_is_said_once() {
    let set = Set::build("telo", 5);
    let damaged = set.copy();
    damaged.write("1v2.vtb", b"nonsense");
    let gap = set.copy();
    gap.remove("1v1.vtb");
    // The manifest lists a slice that no other needs.
    let cut = set.copy();
    cut.remove("4v1.vtb");
    let empty = Set::empty("telo");
    let other = Set::build("board=3x3 chain=full", 3);
    let missing = set.file("nowhere").display().to_string();
    let file = set.file("manifest.json").display().to_string();
    for (folder, what) in [
        (missing.as_str(), ""),
        (&file, ""),
        (empty.text(), "no tablebase here"),
        (other.text(), "made for other rules: board=3x3"),
        (damaged.text(), "1v2.vtb: not a tablebase"),
        (gap.text(), "the slice 1v1 is missing"),
        (cut.text(), "the slice 4v1 is missing"),
    ] {
        expect_error(&telo_session(folder), folder, what);
    }
    for (rules, what) in [("single-step", "tie=count"), ("vela", "the vela")] {
        let lines = session(&(with_folders(rules, set.text()) + "go depth 3\nwait\n"));
        expect_error(&lines, "no tablebases for", what);
    }
}

#[cfg(unix)]
#[test]
fn what_is_no_file_is_not_waited_for() {
    let set = Set::build("telo", 5);
    // The engine needs no manifest.
    for (name, is_needed) in [("2v2.vtb", true), ("manifest.json", false)] {
        let pipe = set.copy();
        pipe.remove(name);
        let made = std::process::Command::new("mkfifo")
            .arg(pipe.file(name))
            .status();
        assert!(made.expect("mkfifo runs").success());
        let lines = telo_session(pipe.text());
        match is_needed {
            true => expect_error(&lines, name, "not a regular file"),
            false => {
                let note = format!("info string tablebases of 5 stones in {}", pipe.text());
                assert_eq!(starting(&lines, "info string"), [note], "{lines:#?}");
            }
        }
    }
}

/// All blocks are damaged, which shows only when they are read.
#[test]
fn damage_that_is_met_during_a_search_costs_no_answer() {
    let set = Set::build("telo", 9);
    for (name, mut bytes) in set.files() {
        if name.ends_with(".vtb") {
            bytes[40] ^= 0x10;
            set.write(&name, &bytes);
        }
    }
    let play = "position startpos\ngo depth 9\nwait\nisready\ngo depth 9\nwait\nisready\n";
    let lines = session(&(with_folders("telo", set.text()) + play));
    assert_eq!(starting(&lines, "bestmove ").len(), 2, "{lines:#?}");
    assert!(starting(&lines, "bestmove 0000").is_empty());
    let errors = starting(&lines, "info string error");
    assert!(!errors.is_empty(), "{lines:#?}");
    let begin = format!("info string error tablebases: {}", set.text());
    for (place, error) in errors.iter().enumerate() {
        assert!(error.starts_with(&begin), "{error}");
        assert!(error.contains(": block 0 of "), "{error}");
        assert!(!errors[..place].contains(error), "said twice: {error}");
    }
    // Everything is found by the search, as if there were no folder.
    let info = starting(&lines, "info depth 9 ")
        .pop()
        .expect("a line of play");
    assert!(number(info, "cp") > 200, "{info}");
}

/// What is built without `--out` is found without an option, named once, and left alone when that is wanted.
#[cfg(not(any(windows, target_os = "macos")))]
#[test]
fn the_tables_of_the_user_are_found() {
    let data = Folder::new();
    let folder = data.path("vato/tablebases/telo");
    let at_home = |line: &str| {
        let mut command = data.vato(line);
        command.env("XDG_DATA_HOME", data.path(""));
        command
    };
    let play = |options: &str| {
        let script = format!(
            "ugi\nsetoption name UCI_Variant value telo\n{options}\nisready\ngo depth 6\nwait\nquit\n"
        );
        let out = Run::with_input(&mut at_home(""), &script).out;
        out.lines().map(str::to_owned).collect::<Vec<_>>()
    };
    // Without the folder it is not missed, nor named where it has no more than the program.
    for stones in ["3", "9"] {
        let lines = play("");
        assert!(starting(&lines, "info string").is_empty(), "{lines:#?}");
        assert!(number(last_info(&lines), "nodes") > 0, "{lines:#?}");
        let build = format!("tablebase build --stones {stones} --rules telo");
        Run::of(&mut at_home(&build)).success();
    }
    let found = format!("info string tablebases of 9 stones in {}", folder.display());
    // An option that is set loads them anew.
    for (options, times) in [("", 1), ("setoption name TablebasePath value auto", 2)] {
        let lines = play(options);
        assert_eq!(
            starting(&lines, "info string"),
            vec![found.as_str(); times],
            "{lines:#?}"
        );
        assert_eq!(number(last_info(&lines), "nodes"), 0, "{lines:#?}");
        let greeting = lines.iter().position(|line| line == "ugiok");
        let told = lines.iter().position(|line| *line == found);
        assert!(greeting < told, "{lines:#?}");
    }
    for none in ["none", "<empty>", ""] {
        let lines = play(&format!("setoption name TablebasePath value {none}"));
        assert!(number(last_info(&lines), "nodes") > 0, "{none}: {lines:#?}");
    }
    Run::of(&mut at_home("tablebase probe --rules telo --json")).success();

    // Some slices are missing, as while tables are built: no error.
    fs::remove_file(folder.join("4v4.vtb")).expect("a file");
    let found = found.replace("9 stones", "7 stones");
    assert_eq!(starting(&play(""), "info string"), [found.as_str()]);

    // A damaged one is, for the engine; a match does not look there unless it is told to.
    fs::write(folder.join("1v1.vtb"), "damaged").expect("a file");
    expect_error(&play(""), "1v1.vtb", "");
    // `analyse` goes on without them, too, unless they are named.
    for (options, code) in [
        (String::new(), 0),
        (format!("--tablebases {}", folder.display()), 1),
    ] {
        let analyse = format!("analyse --rules telo --depth 2 {options}");
        let run = Run::of(&mut at_home(&analyse));
        assert!(
            run.code == Some(code) && run.err.contains("1v1.vtb"),
            "{run:?}"
        );
    }
    for (option, plays) in [("", true), (",option.TablebasePath=auto", false)] {
        let engine = |name| format!("--engine name={name},cmd={VATO},nodes=10{option}");
        let engines = [engine("A"), engine("B")].join(" ");
        let run = Run::of(&mut at_home(&format!(
            "match {engines} --rules telo --games 2"
        )));
        assert_eq!(run.code == Some(0), plays, "{run:?}");
    }
}
