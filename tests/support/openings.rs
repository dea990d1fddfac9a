//! Openings for matches: random legal turns, learned from an engine.

use std::collections::HashSet;

use rand::RngExt;
use rand::rngs::StdRng;

use super::engine::Engine;
use super::settings::{Contestant, Opening, Rules};

/// How often a line that has been met, or that ends the game, is tried again
/// before a repetition is accepted (small boards have few lines).
const TRIES: usize = 50;

/// `count` openings of `plies` random turns from the start of `rules`.
pub fn random_openings(
    contestant: &Contestant,
    rules: &Rules,
    plies: usize,
    count: usize,
    rng: &mut StdRng,
) -> Vec<Opening> {
    let mut engine = Engine::spawn(&contestant.path, &[]);
    engine.keep_transcript(200);
    engine.send("ugi");
    engine.expect("ugiok");
    for (name, value) in rules.options() {
        engine.send(&format!("setoption name {name} value {value}"));
    }
    let mut met = HashSet::new();
    let mut openings = Vec::with_capacity(count);
    while openings.len() < count {
        let mut opening = Opening::default();
        for _ in 0..TRIES {
            opening = random_line(&mut engine, plies, rng);
            let playable = opening.moves.len() == plies && engine.query("gameover") == "false";
            if playable && met.insert(opening.moves.clone()) {
                break;
            }
            if !playable {
                opening = Opening::default();
            }
        }
        openings.push(opening);
    }
    openings
}

/// A line of `plies` random turns, shorter if the game ends; the engine is left
/// at its end.
pub fn random_line(engine: &mut Engine, plies: usize, rng: &mut StdRng) -> Opening {
    let mut opening = Opening::default();
    engine.send(&opening.position(&[]));
    while opening.moves.len() < plies {
        let mut turns = engine.legal();
        if turns.is_empty() {
            break;
        }
        let turn = turns.swap_remove(rng.random_range(0..turns.len()));
        opening.moves.push(turn);
        engine.send(&opening.position(&[]));
    }
    opening
}
