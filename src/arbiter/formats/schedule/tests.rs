//! What the schedule promises, and how the tests of the formats play theirs.

use super::super::pairs::PairsOfGames;
use super::super::round_robin::round_robin;
use super::*;

pub(in crate::arbiter::formats) fn schedule(format: impl Format + 'static) -> Schedule {
    Schedule::new(Box::new(format), "games", None)
}

/// Hands a game's result in; `white_wins` is `None` for a draw.
pub(in crate::arbiter::formats) fn finish(
    schedule: &mut Schedule,
    game: &Fixture,
    winner: Option<usize>,
) -> Option<Scored> {
    let [first, second] = game.pairing.engines;
    let players = if game.shape.white == 0 {
        [first, second]
    } else {
        [second, first]
    };
    schedule
        .record(game.number, players, winner)
        .expect("a game of the schedule")
}

/// All games of a format, played one after the other, with results that `winner` decides.
pub(in crate::arbiter::formats) fn play(
    schedule: &mut Schedule,
    mut winner: impl FnMut(&Fixture) -> Option<usize>,
) -> Vec<Fixture> {
    let mut games = Vec::new();
    loop {
        match schedule.next_game() {
            Next::Game(game) => {
                let winner = winner(&game);
                finish(schedule, &game, winner);
                games.push(game);
            }
            Next::Finished => return games,
            Next::Wait => panic!("nothing is being played"),
        }
    }
}

/// The games of a format, all drawn.
pub(in crate::arbiter::formats) fn order(format: impl Format + 'static) -> Vec<Fixture> {
    play(&mut schedule(format), |_| None)
}

#[test]
fn what_is_done_is_not_played_again() {
    let mut schedule = schedule(PairsOfGames::match_of(6));
    for (number, players) in [(1, [0, 1]), (3, [0, 1]), (4, [1, 0])] {
        schedule
            .record(number, players, Some(0))
            .expect("a game of the match");
    }
    assert_eq!(schedule.extent().done, 3);
    assert_eq!(schedule.missing().games, [2, 5, 6]);
    let rest = play(&mut schedule, |_| None);
    let rest: Vec<u32> = rest.iter().map(|game| game.number).collect();
    assert_eq!(rest, [2, 5, 6]);
    assert!(schedule.is_finished());
    assert_eq!(schedule.missing(), Missing::default());
}

#[test]
fn games_under_way_are_waited_for() {
    let mut schedule = schedule(PairsOfGames::match_of(2));
    let Next::Game(first) = schedule.next_game() else {
        panic!("a game");
    };
    let Next::Game(second) = schedule.next_game() else {
        panic!("a game");
    };
    assert_eq!(schedule.next_game(), Next::Wait);
    finish(&mut schedule, &second, None);
    assert_eq!(schedule.next_game(), Next::Wait);
    finish(&mut schedule, &first, Some(1));
    assert_eq!(schedule.next_game(), Next::Finished);
}

#[test]
fn games_that_do_not_belong_are_refused() {
    let mut schedule = schedule(PairsOfGames::match_of(3));
    let foreign = |number| Err(NotScheduled::Foreign(number));
    assert_eq!(schedule.record(0, [0, 1], None), foreign(0));
    assert_eq!(schedule.record(1, [1, 0], None), foreign(1));
    assert_eq!(schedule.record(4, [1, 0], None), foreign(4));
    assert_eq!(schedule.record(u32::MAX, [1, 0], None), foreign(u32::MAX));
    assert!(schedule.record(3, [0, 1], None).is_ok());
    assert_eq!(
        schedule.record(3, [0, 1], None),
        Err(NotScheduled::Twice(3))
    );
    assert_eq!(schedule.extent().done, 1);
}

#[test]
fn parts_together_are_the_whole() {
    for parts in 1..=5 {
        let whole = order(round_robin(4, 4, 1));
        let mut games: Vec<Fixture> = Vec::new();
        for number in 1..=parts {
            let shard = format!("{number}/{parts}").parse().expect("a part");
            let format = Box::new(round_robin(4, 4, 1));
            let mut part = Schedule::new(format, "games", Some(shard));
            let total = part.extent().total;
            let played = play(&mut part, |_| None);
            assert_eq!(played.len() as u64, total);
            assert!(part.is_finished());
            games.extend(played);
        }
        games.sort_by_key(|game| game.number);
        assert_eq!(games, whole);
    }
}

#[test]
fn a_part_may_be_empty() {
    let shard = "3/3".parse().expect("a part");
    let mut part = Schedule::new(Box::new(PairsOfGames::match_of(3)), "games", Some(shard));
    assert!(part.is_finished());
    assert_eq!(part.next_game(), Next::Finished);
    let shard = "2/2".parse().expect("a part");
    let part = Schedule::new(Box::new(PairsOfGames::match_of(3)), "games", Some(shard));
    assert_eq!(part.extent().total, 1);
}
