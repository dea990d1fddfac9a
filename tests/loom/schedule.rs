//! The schedule of several workers: each game is handed out once, and no worker waits for ever for a game that
//! depends on another worker's. (In a model waiting does not end by time.)

use loom::sync::Arc;
use loom::thread;

use super::*;
use crate::tournament::formats::fixed::PairsOfGames;
use crate::tournament::formats::knockout::Knockout;
use crate::tournament::formats::vela::VelaRounds;

/// Two workers play all games; the winner of each is the engine of the lower number.
fn model(format: impl Fn() -> Box<dyn Format> + Send + Sync + 'static) {
    loom::model(move || {
        let schedule = Schedule::new(format(), None);
        let shared = Arc::new(SharedSchedule::new(schedule));
        let work = |shared: Arc<SharedSchedule>| {
            let mut played = Vec::new();
            let stop = StopSignal::new();
            while let Next::Game(game) = shared.next(Asking::default(), &stop) {
                let winner = if game.players[0] < game.players[1] {
                    Side::White
                } else {
                    Side::Black
                };
                shared
                    .record(game.number, game.players, Some(winner))
                    .expect("a game of the schedule");
                played.push(game.number);
            }
            played
        };
        let other = Arc::clone(&shared);
        let other = thread::spawn(move || work(other));
        let mut played = work(Arc::clone(&shared));
        played.extend(other.join().expect("no panic"));
        played.sort_unstable();
        let count = played.len();
        played.dedup();
        assert_eq!(played.len(), count, "each game is played once");
        assert!(shared.lock().is_finished());
    });
}

#[test]
fn loom_pairs_of_games_end() {
    model(|| Box::new(PairsOfGames::new(vec![[0, 1]], 2, 1)));
}

#[test]
fn loom_a_final_waits_for_its_players() {
    model(|| Box::new(Knockout::new(3, 2, 0)));
}

#[test]
fn loom_a_revenge_waits_for_its_game() {
    model(|| Box::new(VelaRounds::new(2, 1, 2)));
}
