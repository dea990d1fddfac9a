//! Openings of self-play games.

use chacha20::ChaCha8Rng;
use dashmap::DashSet;
use rand::RngExt;
use rustc_hash::FxBuildHasher;

use super::SelfPlaySettings;
use super::game::Player;
use crate::openings::{MOST_PLIES, random_game, random_of};
use crate::training::TrainingError;
use vato_engine::board::{Canonical, Position};
use vato_engine::rules::Game;
use vato_engine::stop::StopSignal;

/// Random lines in a row without a new balanced opening after which there are taken to be no more.
const TRIES: usize = 100_000;

/// Random openings, each new and balanced.
///
/// All threads draw from it at once; a concurrent set of the positions that were drawn, mirror images
/// taken as one, keeps them from beginning two games in the same place.
pub(super) struct RandomOpenings<'a> {
    settings: &'a SelfPlaySettings,
    known: DashSet<Canonical, FxBuildHasher>,
}

impl<'a> RandomOpenings<'a> {
    /// The openings of a run.
    pub(super) fn new(settings: &'a SelfPlaySettings) -> Result<RandomOpenings<'a>, TrainingError> {
        let [least, most] = settings.random_plies;
        if least > most || most > MOST_PLIES {
            return Err(TrainingError::Setting(format!(
                "from {least} to {most} random plies: expected the smaller number first, and at most \
                 {MOST_PLIES}"
            )));
        }
        Ok(RandomOpenings {
            settings,
            known: DashSet::default(),
        })
    }

    /// Marks the opening as used; returns whether it was new.
    pub(super) fn remember(&self, position: &Position) -> bool {
        let board = self.settings.rules.board;
        self.known.insert(Canonical::of(board, position))
    }

    /// The opening of game `number`, a new one, which `player` takes to be balanced, and the random
    /// numbers that are left for the game; `None` if it is to stop.
    pub(super) fn draw(
        &self,
        number: u64,
        player: &mut Player<'_>,
        stop: &StopSignal,
    ) -> Result<Option<(Game, ChaCha8Rng)>, TrainingError> {
        let SelfPlaySettings {
            rules,
            random_plies: [least, most],
            opening_score,
            seed,
            ..
        } = self.settings;
        let mut random = random_of(*seed, number);
        for _ in 0..TRIES {
            if stop.is_given() {
                return Ok(None);
            }
            let plies = random.random_range(*least..=*most);
            let Some(game) = random_game(Game::new(*rules), plies, &mut random) else {
                continue;
            };
            if self.remember(game.position()) && player.is_balanced(&game, *opening_score)? {
                return Ok(Some((game, random)));
            }
        }
        Err(TrainingError::Invalid(format!(
            "no new opening in {TRIES} random lines: there are only so many with {least} to {most} \
             random plies whose score is within bounds (--opening-score)"
        )))
    }
}
