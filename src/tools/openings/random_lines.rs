//! Random openings, generated on demand.

use std::sync::Mutex;

use chacha20::ChaCha8Rng;
use rand::{RngExt, SeedableRng};
use rustc_hash::FxHashSet;

use super::{OpeningLine, OpeningSuiteError};
use vato_engine::board::{Canonical, Move};
use vato_engine::memory::lock;
use vato_engine::rules::{Game, Rules, legal_moves};

/// The maximum number of plies of a random opening.
pub const MOST_PLIES: u32 = 200;

/// Of random openings a start beyond this number goes round, because all openings before it have to be generated.
pub(super) const FURTHEST_START: u32 = 10_000;

/// Maximum number of lines tried for a new opening that leaves the game in progress.
const TRIES: usize = 200;

/// An error if these are more random plies than there may be.
pub(super) fn require_plies(plies: u32) -> Result<(), String> {
    match plies <= MOST_PLIES {
        true => Ok(()),
        false => Err(format!(
            "{plies} random plies are too many (at most {MOST_PLIES})"
        )),
    }
}

/// A random generator determined by these two numbers, the same on every platform.
pub fn random_of(seed: u64, stream: u64) -> ChaCha8Rng {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    random.set_stream(stream);
    random
}

/// A game after `plies` further random turns, all distinct moves equally likely; `None` if it is over by then.
pub fn random_game(mut game: Game, plies: u32, random: &mut ChaCha8Rng) -> Option<Game> {
    for _ in 0..plies {
        if game.outcome().is_some() {
            return None;
        }
        let moves = legal_moves(game.rules(), game.position());
        let place = random.random_range(0..moves.len().max(1));
        game.play(*moves.get(place)?).ok()?;
    }
    game.outcome().is_none().then_some(game)
}

/// An unlimited sequence of random openings.
///
/// Opening `n` follows from the seed and `n` alone (the openings before it do too). No two end in the
/// same position, symmetric images included, until [`TRIES`] lines in a row bring nothing new; from
/// then on openings may repeat. That is soon on small boards: games in progress on 3x3 have 5
/// positions after two plies and 59 after six, on 5x5 3,291 after four, on 9x5 17,075 after four and
/// 375,275 after five.
#[derive(Debug)]
pub(super) struct RandomLines {
    rules: Rules,
    seed: u64,
    plies: u32,
    made: Mutex<Made>,
}

#[derive(Debug, Default)]
struct Made {
    openings: Vec<Vec<Move>>,
    known: FxHashSet<Canonical>,
}

impl RandomLines {
    /// Openings of this many plies; fails unless there is at least one.
    pub(super) fn new(
        rules: Rules,
        seed: u64,
        plies: u32,
    ) -> Result<RandomLines, OpeningSuiteError> {
        require_plies(plies).map_err(OpeningSuiteError::Settings)?;
        let lines = RandomLines {
            rules,
            seed,
            plies,
            made: Mutex::default(),
        };
        match lines.moves(0) {
            Some(_) => Ok(lines),
            None => Err(OpeningSuiteError::Settings(format!(
                "no opening found: games under these rules are over within {plies} random plies"
            ))),
        }
    }

    pub(super) fn line(&self, index: usize) -> OpeningLine {
        OpeningLine {
            name: format!("random {}", index.saturating_add(1)),
            start: self.rules.start(),
            moves: self.moves(index).unwrap_or_default(),
        }
    }

    /// The moves of an opening; `None` if none was found at all.
    fn moves(&self, index: usize) -> Option<Vec<Move>> {
        let mut made = lock(&self.made);
        while made.openings.len() <= index {
            let moves = self.make(&mut made)?;
            made.openings.push(moves);
        }
        made.openings.get(index).cloned()
    }

    /// The next opening: a new one, else a known one found again, else the first.
    fn make(&self, made: &mut Made) -> Option<Vec<Move>> {
        let mut random = random_of(self.seed, made.openings.len() as u64);
        let mut known = None;
        for _ in 0..TRIES {
            let Some(game) = random_game(Game::new(self.rules), self.plies, &mut random) else {
                continue;
            };
            if made
                .known
                .insert(Canonical::of(self.rules.board, game.position()))
            {
                return Some(game.moves().to_vec());
            }
            known.get_or_insert(game);
        }
        known
            .map(|game| game.moves().to_vec())
            .or_else(|| made.openings.first().cloned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use vato_engine::rules::Preset;

    fn ends(lines: &RandomLines, count: usize) -> FxHashSet<Canonical> {
        (0..count)
            .map(|index| {
                let game = lines.line(index).game(&lines.rules).expect("playable");
                assert_eq!(game.moves().len(), lines.plies as usize);
                Canonical::of(lines.rules.board, game.position())
            })
            .collect()
    }

    #[test]
    fn no_opening_repeats_while_there_are_new_ones() {
        for (preset, plies) in [(Preset::Tsivy, 6), (Preset::Dimy, 6), (Preset::Vela, 8)] {
            let rules = preset.rules().expect("rules");
            let lines = RandomLines::new(rules, 3, plies).expect("openings");
            assert_eq!(ends(&lines, 200).len(), 200, "{preset}");
        }
        let rules = Preset::Telo.rules().expect("rules");
        let lines = RandomLines::new(rules, 3, 2).expect("openings");
        let found = ends(&lines, 100).len();
        assert!((2..100).contains(&found), "{found}");
        assert_eq!(ends(&lines, found).len(), found, "the new ones come first");
    }

    /// Openings must not change: resumed matches depend on them.
    #[test]
    fn openings_follow_from_the_seed() {
        let lines = |seed| RandomLines::new(Rules::STANDARD, seed, 4).expect("openings");
        let text = |lines: &RandomLines, index| lines.line(index).text(&Rules::STANDARD);
        let (one, other) = (lines(1), lines(1));
        for index in [5, 0, 9, 5] {
            assert_eq!(text(&one, index), text(&other, index));
        }
        assert_ne!(text(&one, 0), text(&lines(2), 0));
        assert!(text(&one, 0).ends_with(" w 0 1 f2-e3A c3-d4W c2-c3A-b2W d5-d4A"));
    }

    #[test]
    fn games_that_are_over_are_no_openings() {
        let rules = Preset::Telo.rules().expect("rules");
        let error = RandomLines::new(rules, 1, 150).expect_err("too long for telo");
        assert!(error.to_string().contains("150 random plies"), "{error}");
        let error = RandomLines::new(rules, 1, MOST_PLIES + 1).expect_err("too many");
        assert!(error.to_string().contains("too many"), "{error}");
    }
}
