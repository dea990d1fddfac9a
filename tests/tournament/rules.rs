//! How engines are told the rules, and what becomes of those that cannot be told.

use std::path::Path;
use std::process::Command;

use libtest_mimic::Trial;

use crate::engine::PLAY_AS;
use crate::runner::{Contender, MatchFiles, MatchRun, Proto, Record, assert_pgn_agrees};
use crate::schema::{check, schema};
use crate::trial;

pub fn trials() -> Vec<Trial> {
    let mut trials = vec![
        trial(
            "rules: an engine without options plays tsivy",
            without_options,
        ),
        trial("rules: positions are told as they are", positions),
        trial("rules: passes are told, recorded and read", passes),
    ];
    for (options, rules) in [
        (
            "option.Variant=dimy,option.NoCaptureLimit=40",
            "board=5x5 limit=40",
        ),
        ("option.MandatoryContinuation=true", "chain=full"),
    ] {
        let name = format!("rules: options of its own set {rules}");
        trials.push(trial(name, move || by_options(options, rules)));
    }
    trials.push(trial(
        "rules: one set of options, two sets of rules",
        two_sets,
    ));
    #[cfg(unix)]
    trials.push(trial("rules: the commands of the documents", documented));
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
            let told = move || told(behaviour, rules, options, proto, "rules=match");
            trials.push(trial(name, told));
        }
    }
    let both = [
        "Rules value board=5x5 ",
        "UCI_Variant value custom",
        "Rules value board=5x5",
    ];
    trials.push(trial("rules: an option of the same rules", move || {
        told(
            "honest",
            "board=5x5,repeat=4",
            &both,
            Proto::Uci,
            "option.Rules=board=5x5 repeat=4",
        )
    }));
    trials
}

/// The engine itself sees to it that its moves are legal under the rules that it was told.
fn told(behaviour: &str, rules: &str, wanted: &[&str], proto: Proto, key: &str) {
    let files = MatchFiles::new();
    let folder = files.subfolder("told");
    let engine = Contender::new("Told", behaviour)
        .seed(1)
        .proto(proto)
        .transcripts(&folder)
        .with(key);
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

/// The engine is told nothing but these options, in a match, after `--resume`, and by `vato fastchess`.
fn by_options(options: &str, rules: &str) {
    let files = MatchFiles::new();
    let folder = files.subfolder("told");
    let own = Contender::new("Own", "own-rules")
        .seed(1)
        .proto(Proto::Uci)
        .transcripts(&folder)
        .with(options);
    let plain = Contender::new("Plain", "honest").seed(2);
    let play = |own: &Contender| {
        MatchRun::new(&files, [own, &plain])
            .args("--each nodes=1 --games 3 --openings start --concurrency 1 --rules")
            .arg(rules)
    };
    play(&own).fails(&["Own", "rules=options"]);
    let own = own.with("rules=options");
    play(&own).play_well();
    let record = files.record();
    record.assert_games(3);
    record.assert_faultless();
    assert_eq!(
        record.head["match"]["settings"]["engine"][0]["rules"],
        "options"
    );
    let known = schema("match-record.json");
    assert_eq!(check(&record.head, &known, &known, "header"), Ok(()));
    assert_pgn_agrees(&files);
    let half = files.copy();
    let lines = std::fs::read_to_string(half.state()).expect("a record");
    let mut kept: Vec<&str> = lines.lines().collect();
    kept.pop();
    std::fs::write(half.state(), kept.join("\n") + "\n").expect("it can be written");
    MatchRun::resume(&half.state()).play_well();
    half.record().assert_faultless();
    assert_eq!(half.record().essences(), record.essences());
    MatchRun::fastchess([&own.with("nodes=1"), &plain.with("nodes=1,proto=uci")])
        .args("-rounds 1 -variant")
        .arg(rules)
        .within(files.folder())
        .play_well();
    let wanted: Vec<String> = options
        .split(',')
        .map(|option| {
            option
                .replace("option.", "setoption name ")
                .replace('=', " value ")
        })
        .collect();
    for lines in files.transcripts(&folder) {
        let mut told = lines.clone();
        told.retain(|line| line.starts_with("setoption"));
        let refused = lines.iter().all(|line| !line.starts_with("position"));
        let mut wanted = wanted.clone();
        wanted.sort();
        assert!(told == wanted || refused && told.is_empty(), "{told:?}");
    }
}

/// The commands of docs/match.md with a program that has such options; the clocks are short.
#[cfg(unix)]
fn documented() {
    use std::os::unix::fs::PermissionsExt;

    let page = include_str!("../../docs/match.md");
    let files = MatchFiles::new();
    let script = files.folder().join("fanorona");
    let this = std::env::current_exe().expect("this program is somewhere");
    let text = format!(
        "#!/bin/sh\nexec '{}' {PLAY_AS} own-rules+other-path seed=1\n",
        this.display()
    );
    std::fs::write(&script, text).expect("a script");
    let executable = std::fs::Permissions::from_mode(0o755);
    std::fs::set_permissions(&script, executable).expect("it can be run");
    let vato = Path::new(env!("CARGO_BIN_EXE_vato"));
    let path = std::env::var("PATH").unwrap_or_default();
    let mut played = 0;
    for block in page.split("```sh fanorona\n").skip(1) {
        let command = block.split("\n```").next().expect("a first part");
        let short = command
            .replace("tc=10+0.1", "nodes=100")
            .replace("--games 100", "--games 4");
        assert_ne!(command, short);
        let ended = Command::new("sh")
            .args(["-c", &short])
            .env(
                "PATH",
                format!("{}:{path}", vato.parent().expect("a folder").display()),
            )
            .current_dir(files.folder())
            .output()
            .expect("a shell");
        assert!(ended.status.success(), "{short}: {ended:?}");
        let name = short.split("--out ").nth(1).expect("a name");
        let record = Record::read(&files.folder().join(format!("{name}.jsonl")));
        record.assert_games(4);
        record.assert_faultless();
        played += 1;
    }
    assert_eq!(played, 3);
}

/// The options stay what they are from game to game.
fn two_sets() {
    let files = MatchFiles::new();
    let own = Contender::new("Own", "own-rules").with("rules=options,option.Vela=white");
    let plain = Contender::new("Plain", "honest");
    MatchRun::new(&files, [&own, &plain])
        .args("--each nodes=1 --format vela --openings start")
        .fails(&[
            "Own",
            "its options set the rules, which change from game to game",
        ]);
    files.assert_no_game();
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

/// Black is shut in until White lets it out.
fn passes() {
    let files = MatchFiles::new();
    let book = files.folder().join("book.fen");
    std::fs::write(&book, "8w/9/w1w6/ww7/bww6 b 0 10\n").expect("the folder can be written to");
    let [one, other] = ["One", "Other"].map(|name| Contender::new(name, "honest"));
    MatchRun::new(&files, [&one, &other])
        .args("--each nodes=1 --games 2 --concurrency 1 --rules blocked=pass --openings")
        .arg(&book)
        .play_well();
    let record = files.record();
    record.assert_games(2);
    record.assert_faultless();
    for game in &record.games {
        assert_eq!(game.moves[0].text, "pass");
    }
    assert_pgn_agrees(&files);
}
