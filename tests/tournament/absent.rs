//! Engines that stop starting in the middle of a match.

use std::fs;
use std::path::Path;

use libtest_mimic::Trial;

use crate::engine::LAST_WORDS;
use crate::runner::{Contender, Game, MatchFiles, MatchRun, Record, assert_pgn_agrees};
use crate::tournament_field::{field, run};
use crate::trial;

pub fn trials() -> Vec<Trial> {
    let mut trials = Vec::new();
    for (format, options) in [
        ("roundrobin", "--games 4"),
        ("gauntlet", "--games 6"),
        ("swiss", "--games 4 --rounds 3"),
        ("knockout", "--games 8"),
        ("riatra", "--rounds 1"),
        ("vela", "--rounds 3 --round-games 6"),
    ] {
        let name = format!("absent: the others play their {format} to its end");
        trials.push(trial(name, move || is_withdrawn(format, options)));
    }
    trials.push(trial(
        "absent: nobody wins where nobody comes",
        two_are_withdrawn,
    ));
    trials.push(trial(
        "absent: a failure now and then withdraws nobody",
        comes_again,
    ));
    trials.push(trial(
        "absent: a match goes on without it, and tries it",
        goes_on,
    ));
    trials.push(trial(
        "absent: one of two ends the match after running games",
        one_of_two,
    ));
    trials.push(trial(
        "absent: no gauntlet without the one that runs it",
        host_of_a_gauntlet,
    ));
    trials
}

/// An engine that is started for every game, and from its `number`-th start (the trial before the match is
/// the first) in vain.
fn failing(name: &str, number: u32, starts: &Path) -> Contender {
    Contender::new(name, &format!("crash-from-start:{number}"))
        .seed(9)
        .starts(starts)
        .with("restart=true")
}

fn count(folder: &Path) -> usize {
    fs::read_dir(folder).expect("the folder is there").count()
}

fn games_of<'a>(record: &'a Record, name: &str) -> Vec<&'a Game> {
    let is_its = |game: &&Game| [&game.white, &game.black].contains(&&name.to_owned());
    record.games.iter().filter(is_its).collect()
}

/// Whether nobody has played it.
fn is_missed(game: &Game) -> bool {
    ["no-start", "withdrawn"].contains(&game.termination.as_str())
}

/// Requires that the engine has lost all games that nobody has played, and tells how many these are.
fn assert_missed_by(record: &Record, name: &str) -> usize {
    let missed = record.games.iter();
    let missed: Vec<&Game> = missed.filter(|game| is_missed(game)).collect();
    for game in &missed {
        assert!(game.moves.is_empty());
        assert!(game.winner.as_deref().is_some_and(|winner| winner != name));
        assert!(game.reason.starts_with(name), "{}", game.reason);
    }
    let its = games_of(record, name);
    let its = its.iter().filter(|game| is_missed(game));
    assert_eq!(missed.len(), its.count());
    missed.len()
}

fn is_withdrawn(format: &str, options: &str) {
    let files = MatchFiles::new();
    let starts = files.subfolder("starts");
    let mut engines = field(4);
    engines[2] = failing("Absent", 3, &starts);
    let ended = run(&files, &engines, format, options)
        .args("--concurrency 2")
        .play_well();
    let record = files.record();
    record.by_number();
    assert_pgn_agrees(&files);
    let missed = assert_missed_by(&record, "Absent");
    let played = games_of(&record, "Absent").len() - missed;
    assert_eq!(played, 1, "one start was the trial");
    assert!(missed >= 4, "{missed} games");
    // Three attempts for each game that it was tried for; while one place is at it, the other may
    // still play with it, or be at it, too.
    let most = 2 + 5 * 3;
    assert!(count(&starts) <= most, "{} starts", count(&starts));
    ended.assert_error(&["Absent is withdrawn", LAST_WORDS]);
    // It was tried for its other games.
    let withdrawn = record.games.iter();
    let withdrawn = withdrawn.filter(|game| game.termination == "withdrawn");
    let tried = missed - withdrawn.count();
    assert!((3..=5).contains(&tried), "{tried} games");
    ended.assert_summary(&[
        &format!(
            "no start of Absent {tried}, absence of Absent {}",
            missed - tried
        ),
        &format!("{missed} games lost by faults; withdrawn, as not starting: Absent\n"),
    ]);
    let json = MatchRun::resume(&files.state()).args("--json").play_well();
    let json = json.json();
    assert_eq!(json["ending"], "complete");
    assert_eq!(json["faults"], missed);
    let withdrawn = json["engines"].as_array().expect("engines").iter();
    let withdrawn: Vec<u64> = withdrawn
        .map(|engine| engine["withdrawn"].as_u64().expect("a number"))
        .collect();
    assert_eq!(withdrawn, [0, 0, (missed - tried) as u64, 0]);
}

fn two_are_withdrawn() {
    let files = MatchFiles::new();
    let starts = [files.subfolder("starts-1"), files.subfolder("starts-2")];
    let mut engines = field(2);
    engines.push(failing("Away", 2, &starts[0]));
    engines.push(failing("Gone", 2, &starts[1]));
    let ended = run(&files, &engines, "roundrobin", "--games 4 --rounds 2")
        .args("--concurrency 1")
        .play_well();
    let record = files.record();
    record.assert_games(48);
    assert_pgn_agrees(&files);
    let nobody = record.games.iter();
    let nobody = nobody.filter(|game| game.termination == "withdrawn" && game.winner.is_none());
    let mut drawn = 0;
    for game in nobody {
        drawn += 1;
        let both = [game.white.as_str(), game.black.as_str()];
        assert!(both.contains(&"Away") && both.contains(&"Gone"), "{both:?}");
        assert_eq!(game.result, "1/2-1/2");
        assert!(game.reason.starts_with("draw: neither"), "{}", game.reason);
    }
    assert!(drawn >= 4, "{drawn}");
    ended.assert_summary(&["withdrawn, as not starting: Away, Gone\n"]);
    for game in games_of(&record, "E1") {
        let against_other = [&game.white, &game.black].contains(&&"E2".to_owned());
        assert_eq!(game.termination == "normal", against_other);
    }
}

/// Its process fails at every second new game: that costs nothing but the process.
fn comes_again() {
    let files = MatchFiles::new();
    let mut engines = field(3);
    engines[1] = Contender::new("Odd", "crash-at-newgame:2").seed(3);
    let ended = run(&files, &engines, "roundrobin", "--games 6").play_well();
    let record = files.record();
    record.assert_games(18);
    record.assert_faultless();
    ended.assert_summary(&["faults       none\n"]);
}

fn goes_on() {
    let files = MatchFiles::new();
    let starts = files.subfolder("starts");
    let mut engines = field(4);
    engines[2] = failing("Absent", 3, &starts);
    run(&files, &engines, "roundrobin", "--games 4")
        .args("--concurrency 1")
        .play_well();
    // What a kill would have left in the middle.
    let text = fs::read_to_string(files.state()).expect("the state is there");
    let torn: String = text.split_inclusive('\n').take(13).collect();
    fs::write(files.state(), &torn).expect("it can be written");
    fs::write(files.pgn(), "").expect("it can be written");
    let whole = files.copy();

    let ended = MatchRun::resume(&files.state()).play_well();
    ended.assert_error(&["Absent does not start", "it is tried again"]);
    let record = files.record();
    record.assert_games(24);
    assert_pgn_agrees(&files);
    assert_missed_by(&record, "Absent");
    ended.assert_summary(&["withdrawn, as not starting: Absent"]);

    // It is well again: its other games are played.
    fs::remove_dir_all(&starts).expect("it can be removed");
    let healthy = torn.replace("crash-from-start:3", "crash-from-start:99");
    fs::create_dir(&starts).expect("a new folder");
    fs::write(whole.state(), healthy).expect("it can be written");
    let ended = MatchRun::resume(&whole.state()).play_well();
    let record = whole.record();
    record.assert_games(24);
    assert_pgn_agrees(&whole);
    let later = &record.games[12..];
    assert!(later.iter().all(|game| game.termination == "normal"));
    assert!(!ended.stdout.contains("withdrawn"), "{ended}");
}

/// The game of another place is finished, and recorded.
fn one_of_two() {
    let files = MatchFiles::new();
    let starts = files.subfolder("starts");
    let slow = Contender::new("Slow", "delay:30").seed(1);
    let failing = failing("Absent", 3, &starts);
    let ended = MatchRun::new(&files, [&slow, &failing])
        .args("--each nodes=1 --rules dimy --games 4 --concurrency 2")
        .fails(&["error", "Absent", "3 attempts", "--resume"]);
    ended.assert_summary(&["1 game of 4 (stopped)"]);
    let record = files.record();
    assert_eq!(record.games.len(), 1);
    record.assert_faultless();
    MatchRun::resume(&files.state()).fails(&["error", "Absent", "3 attempts"]);
}

fn host_of_a_gauntlet() {
    let files = MatchFiles::new();
    let starts = files.subfolder("starts");
    let mut engines = field(4);
    engines[0] = failing("Host", 4, &starts);
    let ended = run(&files, &engines, "gauntlet", "--games 2")
        .args("--concurrency 1")
        .fails(&["error", "Host", "3 attempts"]);
    ended.assert_summary(&["2 games of 6 (stopped)"]);
    let record = files.record();
    assert_eq!(record.games.len(), 2);
    record.assert_faultless();
    MatchRun::resume(&files.state()).fails(&["error", "Host"]);
}
