//! Tests of the schedule, and helpers for the tests of the formats.

use super::super::Rounds;
use super::super::fixed::{PairsOfGames, everybody_meets};
use super::super::vela::VelaRounds;
use super::*;

pub(crate) fn schedule(format: impl Format + 'static) -> Schedule {
    Schedule::new(Box::new(format), None)
}

/// The engines of a game, in the order of the settings.
pub(crate) fn engines(game: &ScheduledGame) -> [usize; 2] {
    let [one, other] = game.players;
    [one.min(other), one.max(other)]
}

/// The side of an engine.
fn side_of(players: [usize; 2], engine: usize) -> Side {
    if engine == players[0] {
        Side::White
    } else {
        Side::Black
    }
}

/// Records a game's result; `winner` is an engine, `None` for a draw.
pub(crate) fn finish(
    schedule: &mut Schedule,
    game: &ScheduledGame,
    winner: Option<usize>,
) -> Option<Scored> {
    let winner = winner.map(|engine| side_of(game.players, engine));
    schedule
        .record(game.number, game.players, winner)
        .expect("a game of the schedule")
}

/// A request of a worker that has these engines running.
pub(crate) fn beside(running: &[usize]) -> Asking<'_> {
    Asking {
        running,
        last: None,
    }
}

/// The game that a worker gets.
pub(crate) fn begin(schedule: &mut Schedule, asking: Asking<'_>) -> ScheduledGame {
    match schedule.next_game(asking) {
        Next::Game(game) => game,
        other => panic!("{other:?}"),
    }
}

/// All games of a format, played sequentially by one worker with results given by `winner`; in the order of
/// their numbers.
pub(crate) fn play(
    schedule: &mut Schedule,
    mut winner: impl FnMut(&ScheduledGame) -> Option<usize>,
) -> Vec<ScheduledGame> {
    let mut games: Vec<ScheduledGame> = Vec::new();
    loop {
        let running = games.last().map(|game| game.players);
        match schedule.next_game(beside(running.as_ref().map_or(&[], |engines| engines))) {
            Next::Game(game) => {
                let winner = winner(&game);
                finish(schedule, &game, winner);
                games.push(game);
            }
            Next::Finished => break,
            Next::Wait => panic!("nothing is being played"),
            Next::NobodyToPair(count) => panic!("{count} encounters without engines"),
        }
    }
    games.sort_by_key(|game| game.number);
    games
}

/// The games of a format, all drawn.
pub(crate) fn order(format: impl Format + 'static) -> Vec<ScheduledGame> {
    play(&mut schedule(format), |_| None)
}

#[test]
fn what_is_done_is_not_played_again() {
    let mut schedule = schedule(PairsOfGames::new(vec![[0, 1]], 6, 1));
    for (number, players) in [(1, [0, 1]), (3, [0, 1]), (4, [1, 0])] {
        let recorded = schedule.record(number, players, Some(side_of(players, 0)));
        recorded.expect("a game of the match");
    }
    assert_eq!(schedule.extent().done, 3);
    assert_eq!(schedule.missing().games.ranges, [[2, 2], [5, 6]]);
    let rest = play(&mut schedule, |_| None);
    assert!(rest.iter().map(|game| game.number).eq([2, 5, 6]));
    assert!(schedule.is_finished());
    assert_eq!(schedule.missing(), Missing::default());
}

#[test]
fn games_under_way_are_waited_for() {
    let mut schedule = schedule(PairsOfGames::new(vec![[0, 1]], 2, 1));
    let [first, second] = [(); 2].map(|()| begin(&mut schedule, Asking::default()));
    assert_eq!(schedule.next_game(Asking::default()), Next::Wait);
    finish(&mut schedule, &second, None);
    assert_eq!(schedule.next_game(Asking::default()), Next::Wait);
    finish(&mut schedule, &first, Some(1));
    assert_eq!(schedule.next_game(Asking::default()), Next::Finished);
}

#[test]
fn games_that_do_not_belong_are_refused() {
    let mut schedule = schedule(PairsOfGames::new(vec![[0, 1]], 3, 1));
    for (number, players) in [(0, [0, 1]), (1, [1, 0]), (4, [1, 0]), (u32::MAX, [1, 0])] {
        let refused = schedule.record(number, players, None);
        assert_eq!(refused, Err(NotScheduled::Foreign(number)));
    }
    assert!(schedule.record(3, [0, 1], None).is_ok());
    let twice = schedule.record(3, [0, 1], None);
    assert_eq!(twice, Err(NotScheduled::Twice(3)));
    assert_eq!(schedule.extent().done, 1);
}

#[test]
fn parts_together_are_the_whole() {
    let format = |games| PairsOfGames::new(everybody_meets(4), games, 1);
    for parts in 1..=5 {
        let mut games: Vec<ScheduledGame> = Vec::new();
        for number in 1..=parts {
            let shard = format!("{number}/{parts}").parse().expect("a part");
            let mut part = Schedule::new(Box::new(format(4)), Some(shard));
            let total = part.extent().total;
            let played = play(&mut part, |_| None);
            assert_eq!(played.len() as u64, total);
            assert!(part.is_finished());
            games.extend(played);
        }
        games.sort_by_key(|game| game.number);
        assert_eq!(games, order(format(4)));
    }
    let pairs = Box::new(PairsOfGames::new(vec![[0, 1]], 3, 1));
    let mut empty = Schedule::new(pairs, "3/3".parse().ok());
    assert!(empty.is_finished());
    assert_eq!(empty.next_game(Asking::default()), Next::Finished);
}

/// A format whose later pairings stay unknown after the first encounter.
#[derive(Debug)]
struct Dumb(Rounds);

impl Format for Dumb {
    fn rounds(&self) -> &Rounds {
        &self.0
    }

    fn meeting(&self, encounter: u32, _: &Results) -> Meeting {
        match encounter {
            0 => Meeting::Of([0, 1]),
            _ => Meeting::Unknown,
        }
    }
}

#[test]
fn nobody_waits_for_what_will_never_be_known() {
    let mut schedule = schedule(Dumb(Rounds::new(1, 4, 1)));
    let game = begin(&mut schedule, Asking::default());
    assert_eq!(schedule.next_game(Asking::default()), Next::Wait);
    finish(&mut schedule, &game, None);
    assert_eq!(schedule.next_game(Asking::default()), Next::NobodyToPair(3));
    assert!(!schedule.is_finished());
    let shared = SharedSchedule::new(schedule);
    let next = shared.next(Asking::default(), &StopSignal::new());
    assert_eq!(next, Next::NobodyToPair(3));
}

#[test]
fn who_plays_an_encounter_plays_it_to_its_end() {
    // 0-3, 1-2, 3-2, 0-1, 1-3 and 2-0, with four pairs each.
    let mut schedule = schedule(PairsOfGames::new(everybody_meets(4), 8, 1));
    let mut workers: [Vec<usize>; 2] = [vec![], vec![]];
    let mut starts = 0;
    let mut begun = Vec::new();
    loop {
        let mut running = Vec::new();
        for workers in &mut workers {
            if let Next::Game(game) = schedule.next_game(beside(workers)) {
                let engines = game.players;
                starts += engines.iter().filter(|one| !workers.contains(one)).count();
                *workers = engines.to_vec();
                begun.push(game.number);
                running.push(game);
            }
        }
        if running.is_empty() {
            break;
        }
        for game in running {
            finish(&mut schedule, &game, None);
        }
    }
    assert!(schedule.is_finished());
    assert_eq!(begun.len(), 48);
    // Two workers for six encounters: at least one start for each.
    assert!((6..24).contains(&starts), "{starts}");
    // Still, no encounter is far ahead.
    for (turn, number) in (0..).zip(&begun) {
        assert!(number.abs_diff(turn) < 24, "{begun:?}");
    }
}

/// An engine that exits after every game, or never runs.
#[test]
fn a_pair_is_finished_though_an_engine_must_be_started_anew() {
    let mut schedule = schedule(PairsOfGames::new(everybody_meets(4), 8, 1));
    let mut asking = Asking::default();
    let mut numbers = Vec::new();
    while let Next::Game(game) = schedule.next_game(asking) {
        finish(&mut schedule, &game, None);
        numbers.push(game.number);
        asking = Asking {
            running: &[2],
            last: Some(game.number),
        };
    }
    assert_eq!(numbers.len(), 48);
    for pair in numbers.chunks(2) {
        assert_eq!(pair[1], pair[0] + 1, "{numbers:?}");
    }
}

#[test]
fn a_round_goes_on_where_its_last_game_was_played() {
    let mut schedule = schedule(VelaRounds::new(3, 2, 6));
    let first = begin(&mut schedule, Asking::default());
    let running = first.players;
    let asking = Asking {
        running: &running,
        last: Some(first.number),
    };
    // Its result has not been recorded yet.
    assert_eq!(schedule.next_game(asking), Next::Wait);
    finish(&mut schedule, &first, Some(running[0]));
    let second = begin(&mut schedule, asking);
    assert!(second.vela);
    assert_eq!(second.number, first.number + 1);
}
