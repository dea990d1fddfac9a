//! Tournaments of several engines, in every format: to their end, through crashes, kills and stops.

use std::collections::{BTreeMap, BTreeSet};

use libtest_mimic::Trial;

use crate::runner::{Contender, Ended, MatchFiles, MatchRun, Record, assert_pgn_agrees};
use crate::tournament_field::{self, field};
use crate::trial;

/// A format, and what makes a small tournament of four engines of it.
const FORMATS: [(&str, &str); 6] = [
    ("roundrobin", "--games 2 --rounds 2"),
    ("gauntlet", "--games 4"),
    ("swiss", "--games 2 --rounds 3"),
    ("knockout", "--games 2 --extra-pairs 1"),
    ("riatra", "--rounds 1"),
    ("vela", "--rounds 2 --round-games 6"),
];

pub fn trials() -> Vec<Trial> {
    let mut trials = Vec::new();
    for (format, options) in FORMATS {
        let name = format!("tournaments: {format} to its end, in spite of crashes");
        trials.push(trial(name, move || through_crashes(format, options)));
        #[cfg(unix)]
        trials.push(trial(
            format!("tournaments: {format} goes on after a kill as if nothing had been"),
            move || through_a_kill(format, options),
        ));
    }
    trials.push(trial(
        "tournaments: a round robin has everybody meet everybody",
        everybody_meets,
    ));
    trials.push(trial(
        "tournaments: five engines of a swiss meet once",
        swiss_of_five,
    ));
    trials.push(trial(
        "tournaments: seven engines of a knockout leave one",
        knockout_of_seven,
    ));
    trials.push(trial(
        "tournaments: a set of riatra is the source's",
        riatra_set,
    ));
    trials.push(trial(
        "tournaments: no more than two engines of a slot run",
        few_processes,
    ));
    #[cfg(unix)]
    trials.push(trial(
        "tournaments: a stopped swiss says so and goes on",
        stopped_swiss,
    ));
    trials.push(trial(
        "tournaments: a record of the time before formats goes on",
        old_record,
    ));
    trials
}

/// A tournament, two games at a time.
fn run(files: &MatchFiles, engines: &[Contender], format: &str, options: &str) -> MatchRun {
    tournament_field::run(files, engines, format, options).args("--concurrency 2")
}

/// Requires that the record is in order and its PGN says the same.
fn assert_in_order(files: &MatchFiles) -> Record {
    let record = files.record();
    record.by_number();
    assert_pgn_agrees(files);
    record
}

fn through_crashes(format: &str, options: &str) {
    let files = MatchFiles::new();
    let mut engines = field(4);
    engines[2] = Contender::new("Broken", "crash:4").seed(3);
    let ended = run(&files, &engines, format, options).play_well();
    let record = assert_in_order(&files);
    let mut crashes = 0;
    for game in &record.games {
        if game.termination == "crash" {
            crashes += 1;
            assert_ne!(game.winner.as_deref(), Some("Broken"), "who crashes loses");
            assert!(game.reason.contains("Broken"), "{}", game.reason);
        } else {
            assert_eq!(game.termination, "normal", "{}", game.reason);
        }
    }
    assert!(crashes > 0, "the broken engine has played");
    ended.assert_summary(&[&format!("crash of Broken {crashes}"), "Broken", "ratings"]);
    let json = MatchRun::resume(&files.state()).args("--json").play_well();
    let json = json.json();
    assert_eq!(json["ending"], "complete");
    assert_eq!(json["format"], format);
    assert_eq!(json["games"], record.games.len());
    assert_eq!(json["ranking"]["places"].as_array().map(Vec::len), Some(4));
    assert_eq!(json["ratings"]["engines"].as_array().map(Vec::len), Some(4));
    assert_eq!(json["crosstable"].as_array().map(Vec::len), Some(4));
}

#[cfg(unix)]
fn through_a_kill(format: &str, options: &str) {
    let undisturbed = MatchFiles::new();
    run(&undisturbed, &field(4), format, options).play_well();
    let undisturbed = assert_in_order(&undisturbed);

    let files = MatchFiles::new();
    let mut run = run(&files, &field(4), format, options);
    for part in 1..=3 {
        let wanted = 1 + undisturbed.games.len() * part / 5;
        let mut running = run.start();
        running.wait_until("the kill", || files.lines() >= wanted);
        running.kill();
        run = MatchRun::resume(&files.state());
    }
    run.play_well();
    let record = assert_in_order(&files);
    assert_eq!(record.essences(), undisturbed.essences());
}

fn everybody_meets() {
    let files = MatchFiles::new();
    let ended = MatchRun::new(&files, &field(4))
        .args("--each nodes=1 --rules dimy --games 2 --concurrency 3")
        .play_well();
    // More than two engines make a round robin without further words.
    ended.assert_summary(&["4 engines, roundrobin, 12 games"]);
    let record = assert_in_order(&files);
    record.assert_games(12);
    record.assert_faultless();
    let mut met: BTreeMap<(String, String), u32> = BTreeMap::new();
    for game in &record.games {
        *met.entry((game.white.clone(), game.black.clone()))
            .or_default() += 1;
    }
    assert_eq!(met.len(), 12);
    assert!(met.values().all(|&games| games == 1));
}

/// The encounters of a record: round, encounter, both engines.
fn encounters(record: &Record) -> BTreeMap<(u32, u32), [String; 2]> {
    let mut found = BTreeMap::new();
    for game in &record.games {
        let place = game.place.as_ref().expect("a tournament");
        let mut both = [game.white.clone(), game.black.clone()];
        both.sort();
        let before = found.insert((place.round, place.encounter), both.clone());
        assert!(before.is_none_or(|before| before == both));
    }
    found
}

fn swiss_of_five() {
    let files = MatchFiles::new();
    let ended = run(&files, &field(5), "swiss", "--rounds 5").play_well();
    let record = assert_in_order(&files);
    record.assert_games(20);
    let encounters = encounters(&record);
    assert_eq!(encounters.len(), 10);
    let different: BTreeSet<_> = encounters.values().collect();
    assert_eq!(different.len(), 10, "no two meet twice");
    for engine in 1..=5 {
        ended.assert_summary(&[&format!("E{engine} had a bye in round")]);
    }
    ended.assert_summary(&["Buchholz", "Sonneborn-Berger", "bye"]);
    let too_many = run(&MatchFiles::new(), &field(5), "swiss", "--rounds 6").play();
    too_many.assert_code(2);
    too_many.assert_error(&["invalid rounds '6': expected at most 5"]);
}

fn knockout_of_seven() {
    let files = MatchFiles::new();
    let ended = run(&files, &field(7), "knockout", "--extra-pairs 0").play_well();
    let record = assert_in_order(&files);
    assert_eq!(record.games.len(), 12);
    assert_eq!(encounters(&record).len(), 6);
    let first_round = record.games.iter().filter(|game| game.round() == 1);
    assert!(first_round.clone().count() == 6);
    assert!(
        first_round
            .clone()
            .all(|game| game.white != "E1" && game.black != "E1")
    );
    ended.assert_summary(&["6 encounters, 12 games", "winner", "out in the final"]);
}

fn riatra_set() {
    let files = MatchFiles::new();
    run(&files, &field(2), "riatra", "--sets 2").play_well();
    let record = assert_in_order(&files);
    record.assert_games(20);
    let names = ["vakiloha", "havanana", "havia", "fohy", "kobaka"];
    for (number, game) in record.by_number() {
        let place = (number as usize - 1) % 10;
        assert_eq!(game.opening.name, names[place % 5], "game {number}");
        let opener = if place.is_multiple_of(2) { "E1" } else { "E2" };
        assert_eq!(game.white, opener, "game {number}");
        let pair = (number - 1) / 10 * 5 + place as u32 % 5 + 1;
        assert_eq!(game.pair, pair, "game {number}");
    }
    let wrong = MatchRun::new(&MatchFiles::new(), &field(2))
        .args("--each nodes=1 --format riatra --rules dimy")
        .play();
    wrong.assert_code(2);
    wrong.assert_error(&["riatra", "9x5"]);
}

fn few_processes() {
    let files = MatchFiles::new();
    let folder = files.subfolder("told");
    let engines: Vec<Contender> = field(4)
        .into_iter()
        .map(|engine| engine.transcripts(&folder))
        .collect();
    MatchRun::new(&files, &engines)
        .args("--each nodes=1 --rules dimy --format gauntlet --games 6 --concurrency 1")
        .play_well();
    // Whoever runs plays on: each engine is started once.
    let mut games: Vec<usize> = files
        .transcripts(&folder)
        .iter()
        .map(|lines| {
            lines
                .iter()
                .filter(|line| line.ends_with("newgame"))
                .count()
        })
        .collect();
    games.sort_unstable();
    // Besides these each is tried before the first game.
    assert_eq!(games, [6, 6, 6, 18]);
    for lines in files.transcripts(&folder) {
        let last = lines.last().map(String::as_str);
        assert_eq!(last, Some("quit"), "asked to leave");
    }
}

#[cfg(unix)]
fn stopped_swiss() {
    let files = MatchFiles::new();
    let engines: Vec<Contender> = (1..=4)
        .map(|seed| Contender::new(&format!("E{seed}"), "delay:5").seed(seed))
        .collect();
    let mut running = run(&files, &engines, "swiss", "--rounds 3").start();
    running.wait_until("its third game", || files.lines() > 3);
    running.signal("INT");
    let ended: Ended = running.finish();
    ended.assert_code(3);
    ended.assert_error(&["--resume"]);
    ended.assert_summary(&["of 12 (stopped)"]);
    let resumed = MatchRun::resume(&files.state()).play_well();
    resumed.assert_summary(&["4 engines, swiss, 12 games"]);
    assert_in_order(&files).assert_games(12);
}

fn old_record() {
    let whole = MatchFiles::new();
    let [first, second] =
        [1, 2].map(|seed| Contender::new(&format!("E{seed}"), "honest").seed(seed));
    MatchRun::new(&whole, [&first, &second])
        .args("--each nodes=1 --rules dimy --games 4 --concurrency 1")
        .play_well();
    let state = std::fs::read_to_string(whole.state()).expect("the state is there");
    let mut lines = Vec::new();
    for line in state.lines().take(3) {
        let mut value: serde_json::Value = serde_json::from_str(line).expect("JSON");
        if let Some(settings) = value.pointer_mut("/match/settings") {
            let settings = settings.as_object_mut().expect("settings");
            assert!(settings.remove("format").is_some());
        }
        let game = value.as_object_mut().expect("an object");
        assert_eq!(game.remove("place").is_some(), !lines.is_empty());
        lines.push(value.to_string() + "\n");
    }
    let old = MatchFiles::new();
    std::fs::write(old.state(), lines.concat()).expect("it can be written");
    MatchRun::resume(&old.state()).play_well();
    assert_eq!(assert_in_order(&old).essences(), whole.record().essences());
}
