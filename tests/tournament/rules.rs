//! How engines are told the rules, and what becomes of those that cannot be told.

use std::fs;

use libtest_mimic::Trial;

use crate::engine::PLAY_AS;
use crate::runner::{Contender, MatchFiles, MatchRun, Proto, Record};
use crate::trial;

pub fn trials() -> Vec<Trial> {
    let mut trials = trials!(
        trial,
        "rules",
        positions_and_passes_are_told_as_they_are,
        options_of_the_engines_own_set_them,
        engines_that_cannot_be_told_are_refused,
        those_of_a_vela,
    );
    #[cfg(unix)]
    trials.push(trial("rules: the command of the document", documented));
    let custom: &[&str] = &[
        "Rules value board=5x5 ",
        "UCI_Variant value custom",
        "Rules value board=5x5",
    ];
    for (behaviour, proto, rules, key, told) in [
        ("no-options", Proto::Ugi, "tsivy", "rules=match", &[][..]),
        (
            "honest",
            Proto::Uci,
            "dimy",
            "rules=match",
            &["UCI_Variant value dimy"],
        ),
        (
            "honest",
            Proto::Ugi,
            "board=5x5 limit=40",
            "rules=match",
            &custom[..2],
        ),
        (
            "rules-only",
            Proto::Uci,
            "dimy",
            "rules=match",
            &custom[..1],
        ),
        (
            "honest",
            Proto::Uci,
            "board=5x5 repeat=4",
            "option.Rules=board=5x5 repeat=4",
            custom,
        ),
    ] {
        let name = format!("rules: {behaviour} with {key} is told {rules}");
        trials.push(trial(name, move || {
            let files = MatchFiles::new();
            let folder = files.subfolder("told");
            let engine = Contender::new("Told", behaviour).proto(proto).with(key);
            let found = play(&files, engine.transcripts(&folder), rules);
            found.assert_faultless();
            for lines in files.transcripts(&folder) {
                let options = options(&lines);
                assert_eq!(options.len(), told.len(), "{options:?}");
                let mut pairs = options.iter().zip(told);
                assert!(
                    pairs.all(|(option, told)| option.starts_with(told)),
                    "{options:?}"
                );
            }
        }));
    }
    trials
}

/// A round and its vela, for an engine that knows them by their names alone.
fn those_of_a_vela() {
    let files = MatchFiles::new();
    let folder = files.subfolder("told");
    let knows = Contender::new("Knows", "tsivy-and-vela")
        .seed(1)
        .transcripts(&folder);
    let other = Contender::new("Other", "honest").seed(2);
    let options = "--each nodes=1 --format vela --rounds 2 --round-games 8 --max-plies 200";
    let (record, _) = files.play([&knows, &other], options);
    let told = files.transcripts(&folder).concat();
    for variant in ["tsivy", "vela"] {
        assert!(told.contains(&format!("setoption name UCI_Variant value {variant}")));
    }
    let mut rules = record
        .games
        .iter()
        .filter_map(|game| game.rules.as_deref())
        .peekable();
    assert!(
        rules.peek().is_some(),
        "the seeds are such that somebody wins"
    );
    assert!(rules.all(|rules| rules == "capture=opening vela=black"));
    let pgn = fs::read_to_string(files.pgn()).expect("the PGN is there");
    assert!(pgn.contains("vela=black") && pgn.contains("[Format \"vela\"]"));
    // Where the match has the rules of the velas, each normal game has its own.
    let files = MatchFiles::new();
    let plain = ["A", "B"].map(|name| Contender::new(name, "honest"));
    let options = "--each nodes=1 --format vela --rounds 1 --round-games 2 --max-plies 20";
    let (record, _) = files.play(&plain, &format!("{options} --rules vela=black"));
    assert_eq!(record.games[0].rules.as_deref(), Some(""));
}

/// What an engine was told behind `setoption name`.
fn options(lines: &[String]) -> Vec<&str> {
    let options = lines
        .iter()
        .map(|line| line.strip_prefix("setoption name "));
    options.flatten().collect()
}

/// Three games under these rules. The engine itself sees to it that its moves are legal under those that it was told.
fn play(files: &MatchFiles, engine: Contender, rules: &str) -> Record {
    let plain = Contender::new("Plain", "honest").seed(2);
    let run = MatchRun::new(files, [&engine.seed(1), &plain])
        .args("--each nodes=1 --games 3 --openings start --concurrency 1 --rules")
        .arg(rules);
    run.play_well();
    crate::runner::assert_pgn_agrees(files);
    files.record().assert_games(3);
    files.record()
}

/// The engine is told nothing but these options, in a match, after `--resume`, and by `vato fastchess`.
fn options_of_the_engines_own_set_them() {
    let files = MatchFiles::new();
    let folder = files.subfolder("told");
    let options = "rules=options,option.NoCaptureLimit=40,option.Variant=dimy";
    let own = Contender::new("Own", "own-rules")
        .proto(Proto::Uci)
        .with(options);
    let own = own.transcripts(&folder);
    let rules = "board=5x5 limit=40";
    let record = play(&files, own.clone(), rules);
    record.assert_faultless();
    assert_eq!(
        record.head["match"]["settings"]["engine"][0]["rules"],
        "options"
    );
    let half = files.copy();
    let text = fs::read_to_string(half.state()).expect("a record");
    let kept: String = text.split_inclusive('\n').take(3).collect();
    fs::write(half.state(), kept).expect("it can be written");
    MatchRun::resume(&half.state()).play_well();
    assert_eq!(half.record().essences(), record.essences());
    let plain = Contender::new("Plain", "honest").with("nodes=1,proto=uci");
    MatchRun::fastchess([&own.seed(1).with("nodes=1"), &plain])
        .args("-rounds 1 -variant")
        .arg(rules)
        .within(files.folder())
        .play_well();
    let transcripts = files.transcripts(&folder);
    assert_eq!(transcripts.len(), 3);
    for lines in transcripts {
        let told = self::options(&lines);
        assert_eq!(told, ["NoCaptureLimit value 40", "Variant value dimy"]);
    }
}

/// The command of docs/match.md with a program that has such options; the clocks are short.
#[cfg(unix)]
fn documented() {
    use std::os::unix::fs::PermissionsExt;
    use std::path::Path;
    use std::process::Command;

    let files = MatchFiles::new();
    let script = files.folder().join("fanorona");
    let this = std::env::current_exe().expect("this program is somewhere");
    let text = format!(
        "#!/bin/sh\nexec '{}' {PLAY_AS} own-rules+other-path seed=1\n",
        this.display()
    );
    fs::write(&script, text).expect("a script");
    fs::set_permissions(&script, fs::Permissions::from_mode(0o755)).expect("it can be run");
    let vato = Path::new(env!("CARGO_BIN_EXE_vato"))
        .parent()
        .expect("a folder");
    let path = format!(
        "{}:{}",
        vato.display(),
        std::env::var("PATH").unwrap_or_default()
    );
    let page = include_str!("../../docs/match.md");
    let (_, rest) = page.split_once("```sh fanorona\n").expect("a command");
    let command = rest.split("\n```").next().expect("a first part");
    let short = command
        .replace("tc=10+0.1", "nodes=100")
        .replace("--games 100", "--games 4");
    assert_ne!(command, short);
    let mut shell = Command::new("sh");
    let run = shell
        .args(["-c", &short])
        .env("PATH", &path)
        .current_dir(files.folder());
    let ended = run.output().expect("a shell");
    assert!(ended.status.success(), "{short}: {ended:?}");
    let record = Record::read(&files.folder().join("dimy.jsonl"));
    record.assert_games(4);
    record.assert_faultless();
}

fn engines_that_cannot_be_told_are_refused() {
    for (behaviour, keys, options, words) in [
        ("tsivy-only", "", "--rules dimy", ["UCI_Variant", "dimy"]),
        ("tsivy-only", "", "--rules limit=40", ["Rules", "limit=40"]),
        (
            "own-rules",
            "option.Variant=dimy",
            "--rules 5x5",
            ["dimy", "rules=options"],
        ),
        (
            "no-options",
            "",
            "--format vela",
            ["", "cannot play these rules"],
        ),
        (
            "honest",
            "option.UCI_Variant=tsivy",
            "--format vela",
            ["UCI_Variant", "change from game"],
        ),
        // The options stay what they are from game to game.
        (
            "own-rules",
            "rules=options,option.Vela=white",
            "--format vela",
            ["", "change from game"],
        ),
    ] {
        let files = MatchFiles::new();
        let engine = Contender::new("Limited", behaviour).with(keys);
        let plain = Contender::new("Plain", "honest");
        MatchRun::new(&files, [&plain, &engine])
            .args("--each nodes=1 --openings start --concurrency 1")
            .args(options)
            .fails(&["error", "Limited"])
            .assert_error(&words);
        files.assert_no_game();
    }
}

/// In one Black begins; in the other it is shut in until White lets it out.
fn positions_and_passes_are_told_as_they_are() {
    for (fen, rules, first) in [
        ("8b/3b5/9/4w4/w8 b 3 20", "tsivy", None),
        ("8w/9/w1w6/ww7/bww6 b 0 10", "blocked=pass", Some("pass")),
    ] {
        let files = MatchFiles::new();
        let book = files.folder().join("book.fen");
        fs::write(&book, format!("{fen}\n")).expect("the folder can be written to");
        let folder = files.subfolder("told");
        let engine = Contender::new("Told", "honest")
            .seed(1)
            .transcripts(&folder);
        let plain = Contender::new("Plain", "honest").seed(2);
        let options = format!(
            "--each nodes=1 --games 2 --rules {rules} --openings {}",
            book.display()
        );
        let (record, _) = files.play([&engine, &plain], &options);
        record.assert_games(2);
        record.assert_faultless();
        for game in &record.games {
            assert_eq!(game.opening.fen.as_deref(), Some(fen));
            assert!(first.is_none_or(|first| game.moves[0].text == first));
            let moves = ["Told", "Plain"].map(|name| game.moves_of(name).count());
            assert_eq!(moves[0] + moves[1], game.plies);
        }
        let begins = format!("position fen {fen}");
        let told = files.transcripts(&folder).concat();
        let positions: Vec<&String> = told
            .iter()
            .filter(|line| line.starts_with("position"))
            .collect();
        assert!(!positions.is_empty());
        assert!(positions.iter().all(|line| line.starts_with(&begins)));
    }
}
