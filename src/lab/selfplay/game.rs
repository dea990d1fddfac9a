//! One self-play game.

use std::sync::Arc;

use chacha20::ChaCha8Rng;
use dashmap::DashSet;
use rand::RngExt;
use rustc_hash::FxBuildHasher;

use super::SelfPlaySettings;
use crate::TrainingError;
use crate::data::Sample;
use vato_engine::board::{Canonical, Move};
use vato_engine::engine::{Engine, Settings};
use vato_engine::rules::Game;
use vato_engine::search::{Control, Limits, Score, SearchSettings};
use vato_engine::tablebase::{Tablebases, Wdl};
use vato_records::pgn::RecordResult;
use vato_tools::openings::{random_game, random_of};
use vato_tools::stop::StopSignal;

/// The table of each search, in MiB: a game has some tens of thousands of nodes.
const HASH_MIB: usize = 2;

/// Games are adjudicated as draws after this many plies; only rules without a limit allow such games.
const MOST_PLIES: usize = 1_000;

/// The most plies of an aside off the game.
const MOST_ASIDE_PLIES: u32 = 3;

/// With so many stones a position without a capture gets asides as well.
const MANY_STONES: u32 = 13;

/// Random lines in a row without a new balanced opening after which there are taken to be no more.
const TRIES: usize = 100_000;

/// The positions that openings were drawn with. All threads draw at once; a concurrent set, mirror images taken as one,
/// keeps them from beginning two games in the same place.
pub(super) type Openings = DashSet<Canonical, FxBuildHasher>;

/// Plays both sides of a game.
pub(super) struct Player<'a> {
    engine: Engine,
    limits: Limits,
    settings: &'a SelfPlaySettings,
    tables: Option<Arc<Tablebases>>,
    openings: &'a Openings,
    control: &'a Control,
    stop: &'a StopSignal,
}

impl<'a> Player<'a> {
    /// A player for games with these settings; `control` ends its searches. Fails if there is no memory for them.
    pub(super) fn new(
        settings: &'a SelfPlaySettings,
        tables: Option<Arc<Tablebases>>,
        openings: &'a Openings,
        control: &'a Control,
        stop: &'a StopSignal,
    ) -> Result<Player<'a>, TrainingError> {
        let mut engine = Engine::new(Settings::from(SearchSettings {
            hash_mib: HASH_MIB,
            tablebases: tables.clone(),
            evaluation: settings.evaluation.clone(),
            ..SearchSettings::default()
        }));
        engine.prepare()?;
        Ok(Player {
            engine,
            limits: Limits {
                nodes: Some(settings.nodes),
                ..Limits::default()
            },
            settings,
            tables,
            openings,
            control,
            stop,
        })
    }

    /// The opening of game `number`, a new one that is balanced, and the random numbers that are left for the game;
    /// `None` if it is to stop. Fails if none can be found, or the search fails.
    pub(super) fn draw(
        &mut self,
        number: u64,
    ) -> Result<Option<(Game, ChaCha8Rng)>, TrainingError> {
        let (rules, [least, most]) = (self.settings.rules, self.settings.random_plies);
        let mut random = random_of(self.settings.seed, number);
        for _ in 0..TRIES {
            if self.stop.is_given() {
                return Ok(None);
            }
            let plies = random.random_range(least..=most);
            let Some(game) = random_game(Game::new(rules), plies, &mut random) else {
                continue;
            };
            let opening = Canonical::of(rules.board, game.position());
            if self.openings.insert(opening) && self.is_balanced(&game)? {
                return Ok(Some((game, random)));
            }
        }
        Err(TrainingError::Invalid(format!(
            "no new opening in {TRIES} random lines: there are only so many with {least} to {most} \
             random plies whose score is within bounds (--opening-score)"
        )))
    }

    /// Whether a search gives neither side too much for an opening; nothing of earlier games is remembered after that.
    fn is_balanced(&mut self, game: &Game) -> Result<bool, TrainingError> {
        self.engine.clear();
        let result = self
            .engine
            .search(game, &self.limits, self.control, &mut |_| {})?;
        let score = result.lines[0].score.raw();
        Ok(result.best.is_some() && score.abs() <= self.settings.opening_score)
    }

    /// Plays a game to its end; returns its positions from where play began, each after its asides,
    /// without the numbers of their game.
    pub(super) fn play(
        &mut self,
        mut game: Game,
        random: &mut ChaCha8Rng,
    ) -> Result<Vec<Sample>, TrainingError> {
        let mut samples: Vec<Sample> = Vec::new();
        let rules = *game.rules();
        let result = loop {
            if let Some(outcome) = game.outcome() {
                break RecordResult::of_winner(outcome.winner);
            }
            if game.moves().len() >= MOST_PLIES || self.stop.is_now() {
                break RecordResult::Draw;
            }
            let position = *game.position();
            let (score, best) = self.judge(&game)?;
            let ply = game.moves().len() as u16;
            let main = Sample {
                // Set to the game's result at its end.
                result: RecordResult::Draw,
                ..Sample::of(&rules, &position, score.raw() as i16, ply)
            };
            // A game that is not decided has a legal move, and the search found one.
            let Some(best) = best else {
                samples.push(main);
                let ahead = if score > Score::DRAW {
                    main.side
                } else {
                    !main.side
                };
                break RecordResult::of_winner((score != Score::DRAW).then_some(ahead));
            };
            if main.can_capture || position.occupied().count() >= MANY_STONES {
                for _ in 0..self.settings.asides {
                    samples.extend(self.aside(&game, random)?);
                }
            }
            samples.push(main);
            if game.play(best).is_err() {
                break RecordResult::Draw;
            }
        };
        for sample in samples.iter_mut().filter(|sample| !sample.is_aside()) {
            sample.result = result;
        }
        if let Some(last) = samples.last_mut() {
            last.is_last = true;
        }
        Ok(samples)
    }

    /// The score of a position where the game is not over, and the best move unless it is known how the
    /// game ends.
    fn judge(&mut self, game: &Game) -> Result<(Score, Option<Move>), TrainingError> {
        if let Some(score) = self.known(game) {
            return Ok((score, None));
        }
        let found = self
            .engine
            .search(game, &self.limits, self.control, &mut |_| {})?;
        let score = found.lines[0].score;
        Ok((score, found.best.filter(|_| !score.counts_plies())))
    }

    /// A position a few random plies off the game, with its score; `None` if the game would be over
    /// there.
    fn aside(
        &mut self,
        game: &Game,
        random: &mut ChaCha8Rng,
    ) -> Result<Option<Sample>, TrainingError> {
        let rules = game.rules();
        let plies = random.random_range(1..=MOST_ASIDE_PLIES);
        let here = Game::from_position(*rules, *game.position());
        let Some(off) = random_game(here, plies, random) else {
            return Ok(None);
        };
        let (score, _) = self.judge(&off)?;
        let (score, ply) = (score.raw() as i16, game.moves().len() + off.moves().len());
        Ok(Some(Sample::of(rules, off.position(), score, ply as u16)))
    }

    fn known(&self, game: &Game) -> Option<Score> {
        let tables = self.tables.as_ref()?;
        let position = game.position();
        if !tables.covers(game.rules(), position) {
            return None;
        }
        let value = tables.value(position)?;
        let is_late = value.exceeds_limit(position.halfmove_clock(), game.rules().limit);
        Some(match value.wdl {
            Wdl::Win if !is_late => Score::tablebase_win(value.plies),
            Wdl::Loss if !is_late => -Score::tablebase_win(value.plies),
            _ => Score::DRAW,
        })
    }
}
