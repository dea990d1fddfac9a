//! Parts of a match that are played by themselves, and joined.

use std::fs;
use std::path::PathBuf;

use libtest_mimic::Trial;

use crate::runner::{Contender, Ended, MatchFiles, MatchRun, assert_pgn_agrees};
use crate::tournaments::{field, run};
use crate::trial;

pub fn trials() -> Vec<Trial> {
    let mut trials = trials!(
        trial,
        "shards",
        a_joined_record_goes_on_where_parts_are_missing,
        what_does_not_fit_is_refused,
        ratings_from_another_anchor,
    );
    for (format, engines, options) in [
        ("pairs", 2, "--games 9"),
        ("riatra", 3, "--sets 2"),
        ("vela", 3, "--rounds 3 --round-games 4"),
    ] {
        let name = format!("shards: those of {format} make the whole");
        trials.push(trial(name, move || {
            make_the_whole(format, engines, options)
        }));
    }
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
    let varies = |line: &&str| line.starts_with("engine") || line.starts_with("record");
    ended.stdout.lines().filter(|line| !varies(line)).collect()
}

fn make_the_whole(format: &str, engines: u64, options: &str) {
    let engines = field(engines);
    let whole = MatchFiles::new();
    let wanted = run(&whole, &engines, format, options).play_well();
    let parts = parts(3, &engines, format, options);
    // One of them was stopped.
    let stopped = &parts[1];
    let record = stopped.record();
    let text = fs::read_to_string(stopped.state()).expect("the state is there");
    let torn: String = text.split_inclusive('\n').take(2).collect();
    fs::write(stopped.state(), torn).expect("it can be written");
    fs::remove_file(stopped.pgn()).expect("it can be removed");
    MatchRun::resume(&stopped.state()).play_well();
    assert_eq!(stopped.record().essences(), record.essences());
    // In any order.
    let mut states = states(&parts);
    states.rotate_left(1);
    let joined = MatchFiles::new();
    let ended = merge(&states).arg("--out").arg(joined.name()).play_well();
    assert_eq!(results(&ended), results(&wanted));
    assert_pgn_agrees(&joined);
    let [joined, whole] = [joined, whole].map(|files| files.record());
    assert_eq!(joined.essences(), whole.essences());
    let settings = [&joined, &whole].map(|record| &record.head["match"]["settings"]);
    assert_eq!(settings[0], settings[1]);
}

fn a_joined_record_goes_on_where_parts_are_missing() {
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

    // How many games there are in a round follows from its games.
    let rounds = self::parts(
        3,
        &field(2),
        "vela",
        "--rounds 6 --round-games 4 --max-plies 9",
    );
    let ended = merge(&[rounds[0].state(), rounds[2].state()]).play();
    ended.assert_code(3);
    ended.assert_summary(&["2 games: 9, 13; and those that may follow in these rounds\n"]);

    // Every second pair is missing: there is no end to the list.
    let files = MatchFiles::new();
    run(&files, &field(2), "pairs", "--games 104 --max-plies 9")
        .args("--openings start --shard 1/2")
        .play_well();
    let ended = merge(&[files.state()]).play();
    ended.assert_code(3);
    ended.assert_summary(&["52 games: 3-4, 7-8, ", "47-48, …\n"]);
}

/// The same games under another head, as whoever copies files may have it.
fn what_does_not_fit_is_refused() {
    let parts = parts(2, &field(2), "pairs", "--games 8");
    let [one, two] = [&parts[0], &parts[1]].map(MatchFiles::state);
    let text = fs::read_to_string(&one).expect("the part is there");
    let folder = MatchFiles::new();
    let refused = |states: &[PathBuf], words: &[&str]| {
        let ended = merge(states).fails(words);
        assert_eq!(ended.stdout, "");
    };
    refused(
        &[one.clone(), two.clone(), one.clone()],
        &["both shard 1/2"],
    );
    for (beside, from, to, words) in [
        (&one, "\"shard\":\"1/2\",", "", "game 1 is in"),
        (
            &one,
            "\"shard\":\"1/2\"",
            "\"shard\":\"2/2\"",
            "game 1 is not one of",
        ),
        (&two, "\"nodes\":1}", "\"nodes\":2}", "'engine 1, nodes'"),
        (&two, "\"games\":8", "\"games\":6", "'games'"),
        (&two, "\"rules\":\"dimy\"", "\"rules\":\"telo\"", "'rules'"),
        (&two, "\"crc32\":", "\"crc32\":0,\"old\":", "'openings'"),
        (
            &two,
            "\"shard\":\"1/2\"",
            "\"shard\":\"1/3\"",
            "number of shards",
        ),
        (&two, "E1", "E9", "'engine 1, name'"),
        (&two, "\"winner\"", "\"loser", "changed.jsonl, line 2"),
    ] {
        assert!(text.contains(from), "{from}");
        let changed = folder.folder().join("changed.jsonl");
        fs::write(&changed, text.replace(from, to)).expect("it can be written");
        refused(&[beside.clone(), changed], &["changed.jsonl", words]);
    }
}

/// A record with an anchor that cannot be could never go on.
fn ratings_from_another_anchor() {
    let [pairs, round_robin] = [(2, "pairs"), (3, "roundrobin")]
        .map(|(engines, format)| parts(2, &field(engines), format, "--games 4").swap_remove(0));
    let merge = |part: &MatchFiles, anchor: &str, out: &MatchFiles| {
        let run = merge(&[part.state()]).args("--anchor").arg(anchor);
        run.arg("--out").arg(out.name()).play()
    };
    for (part, anchor, words) in [
        (&pairs, "E2=100", "anchor: two engines get no ratings"),
        (&round_robin, "E9=100", "no engine is called 'E9'"),
    ] {
        let joined = MatchFiles::new();
        let ended = merge(part, anchor, &joined);
        ended.assert_code(2);
        ended.assert_error(&[words]);
        let files = fs::read_dir(joined.folder()).expect("the folder is there");
        assert_eq!(files.count(), 0, "nothing is written");
    }
    let joined = MatchFiles::new();
    let ended = merge(&round_robin, "E2=100", &joined);
    ended.assert_code(3);
    ended.assert_summary(&["Elo from E2 at 100"]);
    let resumed = MatchRun::resume(&joined.state()).play_well();
    resumed.assert_summary(&["Elo from E2 at 100"]);
}
