//! A sequential test on several machines, which see each other's records in a folder.

use std::fs;
use std::path::{Path, PathBuf};

use libtest_mimic::Trial;
use serde_json::Value;
use vato_tools::tournament::Together;
use vato_tools::tournament::record::read_record;

use crate::runner::{Contender, Ended, MatchFiles, MatchRun};
use crate::schema::{check, schema};
use crate::trial;

pub fn trials() -> Vec<Trial> {
    trials!(
        trial,
        "together",
        the_verdict_stops_all_machines,
        #[cfg(unix)]
        a_sick_machine_hands_out_no_points,
        a_folder_in_any_state,
        #[cfg(unix)]
        a_record_that_is_replaced,
        what_cannot_be_is_refused,
    )
}

/// A test on machines of which each has its own name and part.
struct Shared {
    files: MatchFiles,
    engines: [Contender; 2],
    options: &'static str,
}

impl Shared {
    fn new(first: &str, second: &str, options: &'static str) -> Shared {
        let engine = |name, behaviour: &str| Contender::new(name, behaviour).seed(7);
        Shared {
            files: MatchFiles::new(),
            engines: [engine("A", first), engine("B", second)],
            options,
        }
    }

    fn folder(&self) -> &Path {
        self.files.folder()
    }

    fn record(&self, name: &str) -> PathBuf {
        self.folder().join(name).with_extension("jsonl")
    }

    fn part(&self, name: &str, shard: &str) -> MatchRun {
        let engines = self.engines.iter();
        let run = engines.fold(MatchRun::with(&[]), |run, engine| {
            run.arg("--engine").arg(engine.text())
        });
        run.args("--rules dimy --each nodes=1 --concurrency 1 --together")
            .arg(self.folder())
            .arg("--out")
            .arg(self.folder().join(name))
            .args(&format!("--shard {shard} {}", self.options))
    }

    /// What `merge` says of these parts.
    fn merged(&self, names: &[&str]) -> Ended {
        let parts = names.iter().map(|name| self.record(name));
        parts.fold(MatchRun::merge(), MatchRun::arg).play()
    }

    fn lines(&self, name: &str) -> usize {
        let text = fs::read(self.record(name)).unwrap_or_default();
        text.iter().filter(|&&byte| byte == b'\n').count()
    }
}

/// The verdict of a record, in its last line and nowhere else; all lines are as the schema says.
fn verdict_of(path: &Path) -> Value {
    let text = fs::read_to_string(path).expect("a record");
    let schema = schema("match-record.json");
    let verdict = |line: &str| {
        let line: Value = serde_json::from_str(line).expect("JSON");
        check(&line, &schema, &schema, "").expect("as the schema says");
        line["match"]["verdict"].clone()
    };
    let verdicts: Vec<Value> = text.lines().map(verdict).collect();
    let (last, others) = verdicts.split_last().expect("a head");
    assert!(last.is_object(), "no verdict in {}", path.display());
    assert!(others.iter().all(Value::is_null), "another verdict");
    last.clone()
}

/// The line of a summary that begins with this.
fn line(ended: &Ended, heading: &str) -> String {
    let mut lines = ended.stdout.lines();
    let line = lines.find(|line| line.starts_with(heading));
    line.map(str::to_owned).expect(heading)
}

/// One machine is killed and comes back, one joins late, one never comes.
fn the_verdict_stops_all_machines() {
    let options = "--games 4000 --sprt elo0=0,elo1=5";
    let test = Shared::new("honest+delay:4", "resign:4", options);
    let mut first = test.part("first", "1/4").start();
    let mut second = test.part("second", "2/4").start();
    first.wait_until("a game", || test.lines("first") > 3);
    first.kill();
    let running = test.merged(&["first", "second"]);
    running.assert_code(3);
    running.assert_summary(&["(stopped)", "undecided"]);
    let third = test.part("third", "3/4").start();
    second.wait_until("games of others", || test.lines("third") > 3);
    let first = MatchRun::resume(&test.record("first")).start();
    let ended = [first, second, third].map(|run| run.finish());
    // All tell the same games, and the test of these.
    let names = ["first", "second", "third"];
    let merged = test.merged(&names);
    merged.assert_code(0);
    for part in &ended {
        part.assert_code(0);
        part.assert_summary(&["(the test is decided)", "H1 accepted"]);
        part.assert_summary(&["| first", "| second", "| third"]);
        for heading in ["match ", "score ", "pairs ", "test "] {
            assert_eq!(line(part, heading), line(&merged, heading));
        }
    }
    let parts = names.map(|name| test.record(name));
    for part in &parts {
        assert_eq!(verdict_of(part)["decision"], "accept-h1");
    }
    let told = |ended: &Ended| {
        let test = line(ended, "test ");
        test.split(" (LLR").next().map(str::to_owned)
    };
    // Whatever games say that end later: without any the verdict is the same.
    let text = fs::read_to_string(&parts[1]).expect("a record");
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let bare = MatchFiles::new();
    fs::write(bare.state(), [lines[0], lines[lines.len() - 1]].concat()).expect("room");
    let ended = MatchRun::merge().arg(bare.state()).play_well();
    ended.assert_summary(&[" 0 games (the test is decided)"]);
    assert_eq!(told(&ended), told(&merged));
    // Where verdicts differ, that of the first part counts, in whatever order they are named.
    let other = fs::read_to_string(&parts[2]).expect("a record");
    fs::write(
        bare.state(),
        other.replace("\"accept-h1\"", "\"accept-h0\""),
    )
    .expect("room");
    let run = MatchRun::merge().arg(bare.state()).arg(&parts[1]);
    assert_eq!(told(&run.arg(&parts[0]).play_well()), told(&merged));
    // Over for good, also for one that comes now.
    let before = fs::read(&parts[0]).expect("a record");
    MatchRun::resume(&parts[0]).play_well();
    assert_eq!(fs::read(&parts[0]).expect("a record"), before);
    let last = test.part("last", "4/4").play_well();
    last.assert_summary(&["H1 accepted"]);
    assert_eq!(verdict_of(&test.record("last")), verdict_of(&parts[0]));
}

/// Its engine is as good as the others', as the record of the match sees it, but always crashes.
#[cfg(unix)]
fn a_sick_machine_hands_out_no_points() {
    use std::os::unix::fs::PermissionsExt;

    let mut test = Shared::new("honest", "honest", "--games 60 --sprt elo0=0,elo1=5");
    let this = std::env::current_exe().expect("this program is somewhere");
    let script = |behaviour: &str| {
        let path = test.files.subfolder(behaviour).join("engine");
        let text = format!(
            "#!/bin/sh\nexec '{}' --play-as {behaviour}\n",
            this.display()
        );
        fs::write(&path, text).expect("a script");
        fs::set_permissions(&path, PermissionsExt::from_mode(0o755)).expect("our own");
        path
    };
    let [well, sick] = ["honest", "crash"].map(script);
    test.engines[1] = test.engines[1].clone().program(&sick);
    let ended = test
        .part("sick", "1/2")
        .fails(&["5 pairs in a row", "crash"]);
    ended.assert_summary(&[
        "10 of 10 (100.0 %)",
        "crash of B 10",
        "5 pairs left out of the test",
    ]);
    test.engines[1] = test.engines[1].clone().program(&well);
    let ended = test.part("well", "2/2").play_well();
    ended.assert_summary(&["crash of B 10", "5 pairs left out of the test", "so far"]);
    for (name, wanted) in [
        ("sick", ["1/2", "10", "10", "5", "0"]),
        ("well", ["2/2", "30", "0", "0", "0"]),
    ] {
        let row = line(&ended, &format!("| {name} "));
        let cells: Vec<&str> = row.split('|').map(str::trim).collect();
        assert_eq!(cells[2..7], wanted);
    }
    // The test is that of the sound pairs alone.
    let alone = MatchRun::merge().arg(test.record("well")).play();
    let all = test.merged(&["well", "sick"]);
    let llr = |ended: &Ended| {
        let (_, llr) = ended.stdout.split_once("(LLR ").expect("a test");
        llr.split(' ').next().map(str::to_owned)
    };
    assert_eq!(llr(&alone), llr(&all));
    // A sick machine that is started again leaves at once.
    let again = MatchRun::resume(&test.record("sick")).fails(&["pairs in a row"]);
    again.assert_error(&["to continue"]);
    assert!(test.lines("sick") <= 13);
}

/// Files that are synchronised, damaged, or of others.
fn a_folder_in_any_state() {
    let test = Shared::new("honest", "honest", "--games 24 --sprt elo0=0,elo1=5");
    for (name, shard) in [("a", "1/3"), ("b", "2/3")] {
        test.part(name, shard).play_well();
    }
    let whole = fs::read(test.record("b")).expect("a record");
    let write =
        |name: &str, bytes: &[u8]| fs::write(test.folder().join(name), bytes).expect("room");
    let lines: Vec<&[u8]> = whole.split_inclusive(|&byte| byte == b'\n').collect();
    let half = &lines[1][..lines[1].len() / 2];
    let mut header = read_record(&test.record("a")).expect("a record").header;
    header.settings.shard = Some("3/3".parse().expect("a shard"));
    let together = Together::join(&header, &test.folder().join("c")).expect("two parts");
    let mut together = together.expect("a test");
    let mut games = |changed: &[&[u8]]| {
        write("b.jsonl", &changed.concat());
        together.look().expect("the folder is there");
        (together.whole.standings.games, together.parts.len())
    };
    // Game by game, in the middle of a line, an older version, another match, nothing.
    assert_eq!(games(&lines), (16, 2));
    assert_eq!(games(&[lines[0]]), (8, 2));
    assert_eq!(games(&[lines[0], half]), (8, 2));
    assert_eq!(games(&lines[..4]), (11, 2));
    assert_eq!(games(&[lines[0], lines[1], b"\0\0\0\0\n"]), (9, 2));
    assert_eq!(games(&lines), (16, 2));
    assert_eq!(games(&[]), (8, 1));
    assert_eq!(games(&[&lines[0][..99]]), (8, 1));
    assert_eq!(games(&lines), (16, 2));
    // A copy, and a game twice: no game counts twice.
    write("b (copy).jsonl", &whole);
    assert_eq!(games(&[&whole[..], lines[1]]), (16, 2));
    assert_eq!(games(&lines), (16, 2));
    // An old one does not count, whatever its name.
    write("0.jsonl", &lines[..4].concat());
    assert_eq!(games(&lines), (16, 2));
    fs::remove_file(test.record("0")).expect("a file");
    // Nor does the whole.
    let parts = ["a", "b"].map(|name| test.record(name));
    let merged = parts.iter().fold(MatchRun::merge(), MatchRun::arg);
    let merged = merged.arg("--out").arg(test.folder().join("whole")).play();
    merged.assert_code(3);
    assert_eq!(games(&lines), (16, 2));

    let text = String::from_utf8(whole).expect("text");
    for (name, from, to) in [
        ("other.jsonl", "\"games\":24", "\"games\":26"),
        ("few.jsonl", "\"2/3\"", "\"2/4\""),
    ] {
        write(name, text.replace(from, to).as_bytes());
    }
    write("notes.jsonl", b"no record\n");
    // It does not matter to those who play.
    let ended = test.part("c", "3/3").play_well();
    ended.assert_summary(&["24 games"]);
    for (name, word) in [
        ("other.jsonl: no part of this match", "'games' differs"),
        ("few.jsonl: no part of this match", "number of shards"),
        ("notes.jsonl, line 1", "not the head of a match"),
        ("whole.jsonl: no part of this match", "'shard' differs"),
        ("b (copy).jsonl: the same part as", "b.jsonl"),
    ] {
        let is_it = |line: &str| line.contains(name) && line.contains(word);
        assert!(ended.stderr.lines().any(is_it), "{name}\n{ended}");
    }
    assert_eq!(
        ended.stderr.matches("it is left alone").count(),
        5,
        "{ended}"
    );

    // What is there is not played twice.
    let twice = test
        .part("d", "3/3")
        .fails(&["c.jsonl", "the same part of this match"]);
    assert!(!test.record("d").exists(), "{twice}");
    // Two that begin at once see each other later.
    let refused =
        || MatchRun::resume(&test.record("c")).fails(&["c2.jsonl", "the same part of this match"]);
    let rival = fs::read_to_string(test.record("c")).expect("a record");
    let lines: Vec<&str> = rival.split_inclusive('\n').collect();
    fs::remove_file(test.record("c").with_extension("pgn")).expect("a file");
    // So do two that go on with the same record, though only one of them ends.
    let mut ends = [lines[2], lines[3]];
    ends.sort_unstable();
    let ends = ends.map(|end| [lines[0], lines[1], end].concat());
    for other in [&rival, &ends[1]] {
        write("c.jsonl", ends[0].as_bytes());
        write("c2.jsonl", other.as_bytes());
        refused();
    }
    let earlier = lines[..3]
        .concat()
        .replacen("\"started\":\"20", "\"started\":\"19", 1);
    write("c2.jsonl", earlier.as_bytes());
    refused();
    write("c.jsonl", ends[1].as_bytes());
    write("c2.jsonl", ends[0].as_bytes());
    MatchRun::resume(&test.record("c")).play_well();
}

/// What a program that synchronises the folder puts in place of the record that a machine writes.
#[cfg(unix)]
fn a_record_that_is_replaced() {
    let options = "--games 4000 --sprt elo0=0,elo1=5";
    let put = [
        |old: &Path, record: &Path| fs::rename(old, record),
        |old: &Path, record: &Path| fs::copy(old, record).map(|_| ()),
        |_: &Path, record: &Path| fs::remove_file(record),
    ];
    for put in put {
        let test = Shared::new("honest+delay:4", "honest", options);
        let mut run = test.part("a", "1/2").start();
        let (record, old) = (test.record("a"), test.folder().join("old"));
        run.wait_until("a game", || test.lines("a") > 3);
        fs::copy(&record, &old).expect("room");
        run.wait_until("more games", || test.lines("a") > 6);
        let before = fs::read(&old).expect("a record");
        put(&old, &record).expect("our own");
        let ended = run.finish();
        ended.assert_code(1);
        ended.assert_error(&["a.jsonl", "replaced or removed", "a.pgn"]);
        // Nothing is written behind it, and the games stay.
        assert!(fs::read(&record).map_or(true, |found| found == before));
        let pgn = fs::read_to_string(record.with_extension("pgn")).expect("the games");
        assert!(pgn.matches("[Event ").count() >= 6);
    }
}

fn what_cannot_be_is_refused() {
    let test = Shared::new("honest", "honest", "");
    let sprt = "--sprt elo0=0,elo1=5";
    let elsewhere = MatchFiles::new();
    let with_test = || test.part("a", "1/2").args(sprt);
    for (run, words) in [
        (
            test.part("a", "1/2"),
            ": expected also --sprt, --shard and --out",
        ),
        (with_test().arg("--out").arg(elsewhere.name()), "--out"),
    ] {
        let ended = run.play();
        ended.assert_code(2);
        ended.assert_error(&[words]);
        assert!(!test.record("a").exists());
    }
    with_test().args("--games 4").play_well();
    let resumed = MatchRun::resume(&test.record("a")).args("--games 8").play();
    resumed.assert_code(2);
    resumed.assert_error(&["games, timemargin: other machines"]);
    // Parts of a test that do not see each other.
    let alone = MatchRun::new(&elsewhere, &test.engines)
        .args(sprt)
        .args("--shard 1/2")
        .play();
    alone.assert_code(2);
    alone.assert_error(&["shard: parts of a sequential test", "--together DIR"]);
}
