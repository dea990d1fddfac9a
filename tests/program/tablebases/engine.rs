//! Sessions with an engine that has tables.

use vato_engine::protocol::run;

use super::set::Set;

/// Everything that a script prints. The end of the script is the end of input.
pub fn session(script: &str) -> Vec<String> {
    let mut output = Vec::new();
    run(std::io::Cursor::new(script.to_owned()), &mut output).expect("a vector can be written to");
    let output = String::from_utf8(output).expect("answers are text");
    output.lines().map(str::to_owned).collect()
}

/// The lines that begin with `start`.
pub fn starting<'a>(lines: &'a [String], start: &str) -> Vec<&'a str> {
    let lines = lines.iter().map(String::as_str);
    lines.filter(|line| line.starts_with(start)).collect()
}

/// The number behind a word of a line.
pub fn number(line: &str, word: &str) -> i64 {
    let mut words = line.split(' ').skip_while(|&other| other != word);
    let number = words.nth(1).and_then(|text| text.parse().ok());
    number.unwrap_or_else(|| panic!("no {word} in {line}"))
}

/// The last line of play before the only `bestmove`.
pub fn last_info(lines: &[String]) -> &str {
    assert_eq!(starting(lines, "bestmove ").len(), 1, "{lines:#?}");
    starting(lines, "info depth ")
        .last()
        .expect("a line of play")
}

#[test]
fn the_options_are_declared() {
    for dialect in ["ugi", "uci"] {
        let lines = session(&format!("{dialect}\n"));
        for option in [
            "option name TablebasePath type string default auto",
            "option name TablebaseProbeLimit type spin default 16 min 0 max 16",
            "option name TablebaseProbeDepth type spin default 0 min 0 max 200",
            "option name TablebaseCache type spin default 64 min 1 max 1048576",
        ] {
            assert!(
                lines.iter().any(|line| line == option),
                "{option}: {lines:#?}"
            );
        }
    }
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
    }
}

#[test]
fn without_a_probe_limit_they_are_searched() {
    for (fen, _) in FEW_STONES {
        let lines = session(&format!(
            "setoption name TablebaseProbeLimit value 0\nposition fen {fen}\ngo depth 5\nwait\n"
        ));
        let info = last_info(&lines);
        assert_eq!(number(info, "tbhits"), 0, "{info}");
        assert!(
            !info.contains(" score cp 29") && !info.contains(" score cp -29"),
            "{info}"
        );
    }
    // The limit counts stones: those with more are searched, those with as many looked up.
    for (limit, is_searched) in [(2, true), (3, false), (16, false)] {
        let lines = session(&format!(
            "setoption name TablebaseProbeLimit value {limit}\nposition fen {}\ngo depth 3\nwait\n",
            FEW_STONES[0].0
        ));
        assert_eq!(
            number(last_info(&lines), "nodes") > 0,
            is_searched,
            "{lines:#?}"
        );
    }
}

/// Several lines are asked for, and each comes with what the tables say of its move.
#[test]
fn every_line_has_its_score() {
    let lines = session(&format!(
        "setoption name MultiPV value 3\nposition fen {}\ngo depth 9\nwait\n",
        FEW_STONES[1].0
    ));
    let infos = starting(&lines, "info depth ");
    let scores: Vec<i64> = infos.iter().map(|info| number(info, "cp")).collect();
    assert_eq!(scores, [-29_971, -29_977, -29_977]);
}

/// One capture leads into the largest tables here, and they are asked only far from the leaves.
#[test]
fn the_probe_depth_keeps_look_ups_away_from_the_leaves() {
    let hits = |depth: u32| -> i64 {
        let positions = [
            "b8/4b4/9/w2w5/ww4b2",
            "b8/4b4/1b5w1/2w2w3/7w1",
            "8b/2b6/6b2/4w3w/w1w6",
        ];
        let hits = positions.iter().map(|stones| {
            let lines = session(&format!(
                "setoption name TablebaseProbeDepth value {depth}\nposition fen {stones} w 0 20\n\
                 go depth 2\nwait\n"
            ));
            number(last_info(&lines), "tbhits")
        });
        hits.sum()
    };
    let [everywhere, nowhere] = [0, 200].map(hits);
    assert!(everywhere > 10 && nowhere < 5, "{everywhere}, {nowhere}");
}

/// The least memory is enough.
#[test]
fn the_cache_may_be_small() {
    let set = Set::build("dimy", 5);
    let script = |cache: u32| {
        let lines = session(&format!(
            "setoption name UCI_Variant value dimy\nsetoption name TablebaseCache value {cache}\n\
             setoption name TablebasePath value {}\n\
             position fen b3b/5/2b2/1w3/w4 w 0 20\ngo depth 9\nwait\n",
            set.text()
        ));
        assert!(starting(&lines, "info string").is_empty(), "{lines:#?}");
        let info = last_info(&lines);
        assert_eq!(number(info, "nodes"), 0, "{info}");
        lines.last().cloned()
    };
    assert_eq!(script(1), script(64));
}

#[test]
fn rules_without_tables_are_nobodys_fault() {
    for rules in ["single-step", "vela"] {
        let lines = session(&format!(
            "setoption name UCI_Variant value {rules}\nposition startpos\ngo depth 3\nwait\n\
             position fen 9/9/3b5/9/w7w w 0 20\n"
        ));
        assert!(starting(&lines, "info string").is_empty(), "{lines:#?}");
        assert_eq!(number(last_info(&lines), "tbhits"), 0);
        assert_ne!(lines.last().map(String::as_str), Some("bestmove 0000"));
    }
    // A position with few stones is searched, and tables of the rules before are not taken for it.
    let lines = session(
        "setoption name UCI_Variant value single-step\nposition fen 9/9/3b5/9/w7w w 0 20\n\
         go depth 3\nwait\n",
    );
    assert!(number(last_info(&lines), "nodes") > 0, "{lines:#?}");
    assert_eq!(number(last_info(&lines), "tbhits"), 0);
}

/// Under every other rule set the engine knows positions with few stones by itself.
#[test]
fn other_rules_have_tables_too() {
    for rules in ["riatra", "first-turns", "full-chain", "free-capture"] {
        let lines = session(&format!(
            "setoption name UCI_Variant value {rules}\nposition fen 9/9/3b5/9/w7w w 0 20\n\
             go depth 30\nwait\nsetoption name UCI_Variant value tsivy\n"
        ));
        assert!(
            starting(&lines, "info string").is_empty(),
            "{rules}: {lines:#?}"
        );
        let info = last_info(&lines);
        assert_eq!(number(info, "nodes"), 0, "{rules}: {info}");
        assert!(number(info, "cp") > 29_900, "{rules}: {info}");
    }
}
