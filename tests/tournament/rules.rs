//! How engines are told the rules, and what becomes of those that cannot be told.

use libtest_mimic::Trial;

use crate::runner::{Contender, MatchFiles, MatchRun, Proto, assert_pgn_agrees};
use crate::trial;

pub fn trials() -> Vec<Trial> {
    let mut trials = vec![
        trial(
            "rules: an engine without options plays tsivy",
            without_options,
        ),
        trial("rules: positions are told as they are", positions),
    ];
    for (behaviour, rules, words) in [
        ("no-options", "dimy", &["UCI_Variant", "dimy"][..]),
        ("tsivy-only", "dimy", &["UCI_Variant", "dimy"]),
        ("tsivy-only", "limit=40", &["Rules"]),
    ] {
        let name = format!("rules: {behaviour} refuses {rules}");
        trials.push(trial(name, move || refused(behaviour, rules, words)));
    }
    for (behaviour, rules, options) in [
        ("honest", "tsivy", &["UCI_Variant value tsivy"][..]),
        ("honest", "dimy", &["UCI_Variant value dimy"]),
        (
            "honest",
            "board=5x5,limit=40",
            &["Rules value board=5x5 ", "UCI_Variant value custom"],
        ),
        ("rules-only", "dimy", &["Rules value board=5x5 "]),
        ("tsivy-only", "tsivy", &["UCI_Variant value tsivy"]),
    ] {
        for proto in Proto::BOTH {
            let name = format!("rules: {behaviour} is told {rules} in {}", proto.name());
            trials.push(trial(name, move || told(behaviour, rules, options, proto)));
        }
    }
    trials
}

/// The engine itself sees to it that its moves are legal under the rules that it was told.
fn told(behaviour: &str, rules: &str, wanted: &[&str], proto: Proto) {
    let files = MatchFiles::new();
    let folder = files.subfolder("told");
    let engine = Contender::new("Told", behaviour)
        .seed(1)
        .proto(proto)
        .transcripts(&folder);
    let plain = Contender::new("Plain", "honest").seed(2);
    MatchRun::new(&files, [&engine, &plain])
        .args("--each nodes=1 --games 3 --openings start --concurrency 1")
        .arg("--rules")
        .arg(rules.replace(',', " "))
        .play_well();
    files.record().assert_games(3);
    files.record().assert_faultless();
    assert_pgn_agrees(&files);
    for lines in files.transcripts(&folder) {
        let options: Vec<&str> = lines
            .iter()
            .filter_map(|line| line.strip_prefix("setoption name "))
            .collect();
        assert_eq!(options.len(), wanted.len(), "{options:?}");
        for (option, wanted) in options.iter().zip(wanted) {
            assert!(option.starts_with(wanted), "{options:?}");
        }
    }
}

fn refused(behaviour: &str, rules: &str, words: &[&str]) {
    let files = MatchFiles::new();
    let engine = Contender::new("Limited", behaviour);
    let plain = Contender::new("Plain", "honest");
    let ended = MatchRun::new(&files, [&plain, &engine])
        .args("--each nodes=1 --games 2 --openings start --concurrency 1")
        .arg("--rules")
        .arg(rules)
        .fails(&["error", "Limited"]);
    ended.assert_error(words);
    files.assert_no_game();
}

fn without_options() {
    let files = MatchFiles::new();
    let folder = files.subfolder("told");
    let engine = Contender::new("Bare", "no-options")
        .seed(1)
        .transcripts(&folder);
    let plain = Contender::new("Plain", "honest").seed(2);
    MatchRun::new(&files, [&engine, &plain])
        .args("--each nodes=1 --games 2 --openings start --concurrency 1 --rules tsivy")
        .play_well();
    files.record().assert_games(2);
    files.record().assert_faultless();
    let transcripts = files.transcripts(&folder);
    let option = transcripts
        .iter()
        .flatten()
        .find(|line| line.starts_with("setoption"));
    assert_eq!(option, None);
}

fn positions() {
    let files = MatchFiles::new();
    let book = files.folder().join("book.fen");
    let fen = "8b/3b5/9/4w4/w8 b 3 20";
    std::fs::write(&book, format!("{fen}\n")).expect("the folder can be written to");
    let folder = files.subfolder("told");
    let engine = Contender::new("Told", "honest")
        .seed(1)
        .transcripts(&folder);
    let plain = Contender::new("Plain", "honest").seed(2);
    MatchRun::new(&files, [&engine, &plain])
        .args("--each nodes=1 --games 2 --concurrency 1 --openings")
        .arg(&book)
        .play_well();
    let record = files.record();
    record.assert_games(2);
    record.assert_faultless();
    for game in &record.games {
        assert_eq!(game.opening.fen.as_deref(), Some(fen));
        // Black begins.
        let of_told = game.moves_of("Told").count();
        let of_plain = game.moves_of("Plain").count();
        assert_eq!(of_told + of_plain, game.plies);
    }
    assert_pgn_agrees(&files);
    for lines in files.transcripts(&folder) {
        let begins = format!("position fen {fen}");
        let positions = lines.iter().filter(|line| line.starts_with("position"));
        assert!(positions.clone().count() > 0);
        assert!(positions.clone().all(|line| line.starts_with(&begins)));
    }
}
