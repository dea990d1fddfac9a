//! Parts of a match that are played by themselves, and joined.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::PathBuf;

use libtest_mimic::Trial;

use crate::runner::{Contender, Ended, MatchFiles, MatchRun, Record, assert_pgn_agrees};
use crate::tournaments::{field, run};
use crate::trial;

pub fn trials() -> Vec<Trial> {
    let mut trials = Vec::new();
    for (format, engines, options) in [
        ("pairs", 2, "--games 9"),
        ("roundrobin", 4, "--games 4"),
        ("gauntlet", 3, "--games 4 --rounds 2"),
        ("riatra", 3, "--sets 2"),
        ("vela", 3, "--rounds 3 --round-games 4"),
    ] {
        let name = format!("shards: those of {format} make the whole");
        trials.push(trial(name, move || {
            make_the_whole(format, engines, options)
        }));
    }
    trials.push(trial(
        "shards: a joined record goes on where parts are missing",
        missing_part,
    ));
    trials.push(trial("shards: what does not fit is refused", refusals));
    trials.push(trial("shards: very much may be missing", much_missing));
    trials.push(trial("shards: ratings from another anchor", other_anchor));
    trials.push(trial(
        "shards: a part that was stopped goes on",
        stopped_part,
    ));
    trials
}

/// Plays all parts, each in a folder of its own.
fn parts(count: u32, engines: &[Contender], format: &str, options: &str) -> Vec<MatchFiles> {
    let part = |number: u32| {
        let files = MatchFiles::new();
        run(&files, engines, format, options)
            .args(&format!("--shard {number}/{count} --concurrency {number}"))
            .play_well();
        files
    };
    (1..=count).map(part).collect()
}

fn states(parts: &[MatchFiles]) -> Vec<PathBuf> {
    parts.iter().map(MatchFiles::state).collect()
}

fn merge(states: &[PathBuf]) -> MatchRun {
    states.iter().fold(MatchRun::merge(), MatchRun::arg)
}

/// The lines of a summary that do not depend on time or place.
fn results(ended: &Ended) -> Vec<&str> {
    let lines = ended.stdout.lines();
    let varies = ["engine", "record"];
    lines
        .filter(|line| !varies.iter().any(|heading| line.starts_with(heading)))
        .collect()
}

fn make_the_whole(format: &str, engines: u64, options: &str) {
    let engines = field(engines);
    let whole = MatchFiles::new();
    let wanted = run(&whole, &engines, format, options).play_well();
    let parts = parts(3, &engines, format, options);
    for part in &parts {
        let played = part.record().games.len();
        assert!(played > 0 && played < whole.record().games.len());
        if format == "vela" {
            assert_whole_pairs(&part.record());
        }
    }
    // In any order.
    let mut states = states(&parts);
    states.rotate_left(1);
    let joined = MatchFiles::new();
    let ended = merge(&states).arg("--out").arg(joined.name()).play_well();
    assert_eq!(results(&ended), results(&wanted));
    assert_pgn_agrees(&joined);
    let [joined, whole] = [joined, whole].map(|files| files.record());
    assert_eq!(joined.essences(), whole.essences());
    let settings = |record: &Record| record.head["match"]["settings"].clone();
    assert_eq!(settings(&joined), settings(&whole));
}

/// Requires both rounds of each pair that has two, so that a part's figures of its own are right.
fn assert_whole_pairs(part: &Record) {
    let mut rounds: BTreeMap<u32, BTreeSet<u32>> = BTreeMap::new();
    for game in &part.games {
        let round = game.place.as_ref().expect("a tournament").round;
        rounds.entry(game.pair).or_default().insert(round);
    }
    for (pair, rounds) in rounds {
        // Three rounds: the last has nobody to go with.
        let wanted: &[u32] = if rounds.contains(&3) { &[3] } else { &[1, 2] };
        assert!(rounds.iter().eq(wanted), "pair {pair}: rounds {rounds:?}");
    }
}

fn missing_part() {
    let engines = field(3);
    let mut parts = parts(3, &engines, "roundrobin", "--games 4");
    parts.remove(1);
    let joined = MatchFiles::new();
    let states = states(&parts);
    let ended = merge(&states).arg("--out").arg(joined.name()).play();
    ended.assert_code(3);
    ended.assert_summary(&["8 games of 12 (stopped)", "shard 2/3", "4 games: 3-4, 9-10"]);
    let json = merge(&states).args("--json").play();
    json.assert_code(3);
    let json = json.json();
    assert_eq!(json["ending"], "stopped");
    let wanted = serde_json::json!({
        "shard_count": 3,
        "shards": {"count": 1, "ranges": [[2, 2]], "cut": false},
        "games": {"count": 4, "ranges": [[3, 4], [9, 10]], "cut": false},
        "later": 0
    });
    assert_eq!(json["missing"], wanted);
    // Somebody else plays them.
    MatchRun::resume(&joined.state()).play_well();
    let whole = MatchFiles::new();
    run(&whole, &engines, "roundrobin", "--games 4").play_well();
    assert_eq!(joined.record().essences(), whole.record().essences());
}

fn refusals() {
    let engines = field(2);
    let parts = parts(2, &engines, "pairs", "--games 8");
    let states = states(&parts);
    let refused = |states: &[PathBuf], words: &[&str]| {
        let ended = merge(states).fails(words);
        assert_eq!(ended.stdout, "");
    };
    let [one, two] = [&states[0], &states[1]];
    refused(
        &[one.clone(), two.clone(), one.clone()],
        &["both shard 1/2"],
    );
    refused(&[one.clone(), "none.jsonl".into()], &["none.jsonl"]);

    // The same games under another head, as whoever copies files may have it.
    let text = fs::read_to_string(one).expect("the part is there");
    let folder = MatchFiles::new();
    let changed = |name: &str, from: &str, to: &str| {
        assert!(text.contains(from), "{from}");
        let path = folder.folder().join(name);
        fs::write(&path, text.replace(from, to)).expect("it can be written");
        path
    };
    let doubled = changed("doubled.jsonl", "\"shard\":\"1/2\",", "");
    refused(&[one.clone(), doubled], &["game 1 is in", "doubled.jsonl"]);
    let foreign = changed("foreign.jsonl", "\"shard\":\"1/2\"", "\"shard\":\"2/2\"");
    refused(
        &[one.clone(), foreign],
        &["foreign.jsonl", "game 1 is not one of"],
    );
    for (name, from, to, word) in [
        ("nodes", "\"nodes\":1}", "\"nodes\":2}", "'engine 1, nodes'"),
        ("games", "\"games\":8", "\"games\":6", "'games'"),
        (
            "rules",
            "\"rules\":\"dimy\"",
            "\"rules\":\"telo\"",
            "'rules'",
        ),
        ("crc", "\"crc32\":", "\"crc32\":0,\"old\":", "'openings'"),
        (
            "shards",
            "\"shard\":\"1/2\"",
            "\"shard\":\"1/3\"",
            "number of shards",
        ),
        ("name", "E1", "E9", "'engine 1, name'"),
    ] {
        let path = changed(&format!("{name}.jsonl"), from, to);
        refused(&[two.clone(), path], &[&format!("{name}.jsonl"), word]);
    }
    let damaged = changed("damaged.jsonl", "\"winner\"", "\"loser");
    refused(&[two.clone(), damaged], &["damaged.jsonl, line 2"]);

    let nothing = MatchRun::merge().play();
    nothing.assert_code(2);
    let swiss = run(&MatchFiles::new(), &field(4), "swiss", "--shard 1/2").play();
    swiss.assert_code(2);
    swiss.assert_error(&["shard: swiss cannot be played in parts"]);
    let test = run(&MatchFiles::new(), &engines, "pairs", "--shard 1/2")
        .args("--sprt elo0=0,elo1=5")
        .play();
    test.assert_code(2);
    test.assert_error(&["shard: parts of a sequential test", "--together DIR"]);
}

/// However much is missing, what is told of it stays short.
fn much_missing() {
    let files = MatchFiles::new();
    run(&files, &field(2), "pairs", "--games 6000")
        .args("--shard 1/2000 --concurrency 1")
        .play_well();
    let record = fs::read_to_string(files.state()).expect("the state is there");
    let torn: String = record.split_inclusive('\n').take(2).collect();
    fs::write(files.state(), torn).expect("it can be written");
    let ended = merge(&[files.state()]).play();
    ended.assert_code(3);
    ended.assert_summary(&["shards 2/2000-2000/2000\n", "5999 games: 2-6000\n"]);

    // Every second pair is missing: there is no end to the list.
    let files = MatchFiles::new();
    run(&files, &field(2), "pairs", "--games 104 --max-plies 9")
        .args("--openings start --shard 1/2")
        .play_well();
    let ended = merge(&[files.state()]).play();
    ended.assert_code(3);
    ended.assert_summary(&["52 games: 3-4, 7-8, ", "47-48, …\n"]);
}

/// A record with an anchor that cannot be could never go on.
fn other_anchor() {
    let states = |engines: u64, format: &str| {
        let parts = parts(2, &field(engines), format, "--games 4");
        let states = states(&parts);
        (parts, states)
    };
    let (_two, pairs) = states(2, "pairs");
    let (_three, round_robin) = states(3, "roundrobin");
    for (states, anchor, words) in [
        (&pairs, "E2=100", "anchor: two engines get no ratings"),
        (&round_robin, "E9=100", "no engine is called 'E9'"),
    ] {
        let joined = MatchFiles::new();
        let ended = merge(&states[..1])
            .args("--anchor")
            .arg(anchor)
            .arg("--out")
            .arg(joined.name())
            .play();
        ended.assert_code(2);
        ended.assert_error(&[words]);
        let files = fs::read_dir(joined.folder()).expect("the folder is there");
        assert_eq!(files.count(), 0, "nothing is written");
    }
    let joined = MatchFiles::new();
    let ended = merge(&round_robin[..1])
        .args("--anchor E2=100 --out")
        .arg(joined.name())
        .play();
    ended.assert_code(3);
    ended.assert_summary(&["Elo from E2 at 100"]);
    let resumed = MatchRun::resume(&joined.state()).play_well();
    resumed.assert_summary(&["Elo from E2 at 100"]);
}

fn stopped_part() {
    let engines = field(2);
    let files = MatchFiles::new();
    let options = "--games 12 --shard 2/2 --concurrency 1";
    run(&files, &engines, "pairs", options).play_well();
    let record = files.record();
    let numbers: Vec<u32> = record.by_number().into_keys().collect();
    assert_eq!(numbers, [3, 4, 7, 8, 11, 12]);
    let text = fs::read_to_string(files.state()).expect("the state is there");
    let torn: String = text.split_inclusive('\n').take(4).collect();
    fs::write(files.state(), torn).expect("it can be written");
    fs::remove_file(files.pgn()).expect("it can be removed");
    MatchRun::resume(&files.state()).play_well();
    assert_eq!(files.record().essences(), record.essences());
}
