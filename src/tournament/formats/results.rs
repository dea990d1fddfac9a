//! The results of a tournament, bout by bout.

use rustc_hash::FxHashMap;

use crate::tournament::statistics::GameScore;

/// The scores of all games that have been played, from the view of the first engine of their bout.
#[derive(Clone, Debug, Default)]
pub(in crate::tournament) struct Results {
    bouts: FxHashMap<u32, Vec<Option<GameScore>>>,
}

impl Results {
    /// The scores of a bout in the order of its games; `None` where one has not been played.
    pub(in crate::tournament) fn scores(&self, bout: u32) -> &[Option<GameScore>] {
        self.bouts.get(&bout).map_or(&[], Vec::as_slice)
    }

    /// Whether a game of a bout has been played.
    pub(in crate::tournament) fn has(&self, bout: u32, game: u32) -> bool {
        let score = self.scores(bout).get(game as usize);
        score.is_some_and(Option::is_some)
    }

    /// The points of both engines in the games of a bout.
    pub(in crate::tournament) fn points(&self, bout: u32) -> [f64; 2] {
        let played = self.scores(bout).iter().flatten();
        let first: f64 = played.clone().map(|score| score.points()).sum();
        [first, played.count() as f64 - first]
    }

    /// Adds a game; false if it has been played before.
    pub(super) fn add(&mut self, bout: u32, game: u32, score: GameScore) -> bool {
        let scores = self.bouts.entry(bout).or_default();
        let game = game as usize;
        if scores.len() <= game {
            scores.resize(game + 1, None);
        }
        scores[game].replace(score).is_none()
    }
}
