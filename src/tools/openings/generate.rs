//! Opening generator: random lines whose scores lie within bounds.

use std::collections::VecDeque;

use clap::Args;
use rayon::ThreadPool;
use rayon::prelude::*;
use rustc_hash::FxHashSet;
use thiserror::Error;

use super::random_lines::{MOST_PLIES, random_game, random_of, require_plies};
use crate::stop::StopSignal;
use vato_engine::board::{Canonical, Position, Side};
use vato_engine::engine::{Engine, Settings};
use vato_engine::eval::Evaluation;
use vato_engine::memory::{ResourceError, thread_pool};
use vato_engine::rules::{Game, Rules, legal_moves};
use vato_engine::search::{
    Bound, Control, Limits, MAX_THREADS, Report, STACK_BYTES, SearchLimit, SearchSettings,
};
use vato_engine::tablebase::Tablebases;
use vato_engine::text::{counted, hundredths, number};

/// Number of consecutive random lines without a new position after which the generator gives up.
const MOST_VAIN_LINES: usize = 10_000;

/// Number of consecutive searches without a score within the bounds after which the generator gives up.
const MOST_VAIN_SEARCHES: usize = 20_000;

/// Number of positions given to the threads at a time.
const BATCH: usize = 64;

/// The largest absolute bound of scores, in hundreds of centi-stones.
const MOST_SCORE: i32 = 300;

/// The transposition table of each search, in MiB.
const HASH_MIB: usize = 4;

/// The depth from which a search ends if its score is more than [`FILTER_MARGIN`] out of bounds.
const FILTER_DEPTH: u32 = 6;

/// How much a score may still change, in displayed centi-stones. Of some 200 positions for each of 4, 6, 8
/// and 10 random plies whose score at depth 14 lies within ±0.20, this margin lost 7, 5, 2 and 1 in a
/// hundred; half of all searches are aborted. Measured with the hand-made evaluation; displayed network
/// scores are smaller, so that fewer are lost or aborted.
const FILTER_MARGIN: i32 = 150;

/// A generated position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ScoredPosition {
    /// The position.
    pub position: Position,
    /// Its score, in centi-stones from White's view.
    pub score: i32,
}

/// The settings of the generator; most of them are the options of the command line.
#[derive(Args, Clone, Debug)]
pub struct GenerateSettings {
    /// Number of random plies
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = number::<u32>(1..=u64::from(MOST_PLIES)))]
    pub plies: u32,
    /// Number of positions
    #[arg(long, value_name = "K", default_value_t = 100, value_parser = number::<usize>(1..=u64::from(u32::MAX)))]
    pub count: usize,
    /// Lowest score from White's view, in the evaluation's scale (1.00 is `cp 100`)
    #[arg(long, value_name = "S", default_value = "-0.50", allow_negative_numbers = true, value_parser = bound())]
    pub min_score: i32,
    /// Highest score from White's view, in the evaluation's scale
    #[arg(long, value_name = "S", default_value = "0.50", allow_negative_numbers = true, value_parser = bound())]
    pub max_score: i32,
    /// Apply the bounds to the better side: alternately White and Black
    #[arg(long)]
    pub both_sides: bool,
    /// Seed of the random turns
    #[arg(long, value_name = "X", default_value_t = 1, value_parser = number::<u64>(..))]
    pub seed: u64,
    /// The limit of each search.
    #[arg(skip = SearchLimit::Depth(12))]
    pub limit: SearchLimit,
    /// The evaluation.
    #[arg(skip)]
    pub evaluation: Evaluation,
    /// Number of threads
    // The positions do not depend on it.
    #[arg(long, value_name = "T", default_value_t = 1, value_parser = number::<usize>(1..=MAX_THREADS as u64))]
    pub threads: usize,
}

fn bound() -> impl Fn(&str) -> Result<i32, String> + Clone {
    hundredths("a score", -MOST_SCORE, MOST_SCORE)
}

impl GenerateSettings {
    /// The side for which a position with this score, in centi-stones from White's view, counts; `None` if
    /// the score is out of bounds. Where the bounds do not hold for the better side, always White.
    fn side_for(&self, score: i32) -> Option<Side> {
        let bounds = self.min_score..=self.max_score;
        if bounds.contains(&score) {
            Some(Side::White)
        } else if self.both_sides && bounds.contains(&-score) {
            Some(Side::Black)
        } else {
            None
        }
    }

    /// The number of positions wanted for this side.
    fn wanted(&self, side: Side) -> usize {
        let for_black = if self.both_sides { self.count / 2 } else { 0 };
        match side {
            Side::White => self.count - for_black,
            Side::Black => for_black,
        }
    }

    /// The distance of a score from the bounds, in centi-stones; 0 within them.
    fn excess(&self, score: i32) -> i32 {
        let score = if self.both_sides { score.abs() } else { score };
        let below = self.min_score.saturating_sub(score);
        let above = score.saturating_sub(self.max_score);
        below.max(above).max(0)
    }
}

/// Why the generator stopped early.
#[derive(Debug, Error)]
pub enum GenerateError {
    /// A setting that is out of range.
    #[error("{0}")]
    Setting(String),
    /// No new positions, or none within the bounds.
    #[error("{0}")]
    NotEnough(String),
    /// No memory or threads.
    #[error(transparent)]
    Resources(#[from] ResourceError),
}

/// An iterator over generated positions; ends after the number wanted, or after an error.
///
/// Each is the end of a line of random turns from the start position (all distinct moves equally likely),
/// in progress, with at least two distinct moves, not covered by the built-in tablebases, and not a symmetric
/// image of an earlier one. Line `n` follows from the seed and `n`; every search begins with an empty table. So
/// the positions depend on the settings and the rules, not on the threads. Positions that a search finds
/// decided are never within bounds.
pub struct Generator {
    settings: GenerateSettings,
    rules: Rules,
    pool: ThreadPool,
    known: FxHashSet<Canonical>,
    /// The random lines drawn so far.
    lines: u64,
    /// Positions searched but not yet examined, each with the number of lines drawn before the next.
    scored: VecDeque<(u64, Game, Option<i32>)>,
    /// Positions found for White and for Black, not yet returned.
    waiting: [VecDeque<ScoredPosition>; 2],
    /// Positions found for White and for Black, including those not yet returned.
    found: [usize; 2],
    given: usize,
    /// Random lines drawn for the positions returned so far.
    pub tried: u64,
    /// New positions among their ends, all searched.
    pub searched: u64,
    /// Lines drawn since the last new position.
    vain_lines: usize,
    /// Positions searched since the last one within the bounds.
    vain_searches: usize,
    /// When it is given, the generator ends after the searches that run, without an error.
    pub stop: StopSignal,
}

impl Generator {
    /// A generator with these settings.
    ///
    /// # Errors
    ///
    /// If the settings are invalid, or the threads cannot be started.
    pub fn new(settings: GenerateSettings, rules: Rules) -> Result<Generator, GenerateError> {
        let [min, max] =
            [settings.min_score, settings.max_score].map(|score| f64::from(score) / 100.0);
        if settings.both_sides && min < 0.0 {
            let what = "the lowest score of the better side cannot be below 0";
            return Err(GenerateError::Setting(what.to_owned()));
        }
        if min > max {
            let what = format!("no score lies between {min:+.2} and {max:+.2}");
            return Err(GenerateError::Setting(what));
        }
        require_plies(settings.plies).map_err(GenerateError::Setting)?;
        let pool = thread_pool(settings.threads, "generate", Some(STACK_BYTES))?;
        Ok(Generator {
            settings,
            rules,
            pool,
            known: FxHashSet::default(),
            lines: 0,
            scored: VecDeque::new(),
            waiting: [VecDeque::new(), VecDeque::new()],
            found: [0; 2],
            given: 0,
            tried: 0,
            searched: 0,
            vain_lines: 0,
            vain_searches: 0,
            stop: StopSignal::default(),
        })
    }

    fn advance(&mut self) -> Result<(), GenerateError> {
        if self.scored.is_empty() {
            self.search_batch()?;
        }
        let Some((lines, game, score)) = self.scored.pop_front() else {
            self.tried = self.lines;
            return Err(self.not_enough(format!(
                "then no new one in {MOST_VAIN_LINES} random lines of {}: choose fewer positions, \
                 wider bounds, or another number of plies",
                counted(self.settings.plies, "ply", "plies")
            )));
        };
        self.tried = lines;
        self.searched += 1;
        if let Some(score) = score
            && let Some(side) = self.settings.side_for(score)
            && self.found[side.index()] < self.settings.wanted(side)
        {
            self.vain_searches = 0;
            self.found[side.index()] += 1;
            let position = *game.position();
            self.waiting[side.index()].push_back(ScoredPosition { position, score });
            return Ok(());
        }
        self.vain_searches += 1;
        if self.vain_searches >= MOST_VAIN_SEARCHES {
            return Err(self.not_enough(format!(
                "then none within the bounds in {MOST_VAIN_SEARCHES} searches: choose wider bounds"
            )));
        }
        Ok(())
    }

    fn not_enough(&self, why: String) -> GenerateError {
        let wanted = counted(self.settings.count, "position", "positions");
        GenerateError::NotEnough(format!("{} of {wanted} found, {why}", self.given))
    }

    /// Draws new positions and searches them on all threads; none if there are no new ones.
    fn search_batch(&mut self) -> Result<(), GenerateError> {
        let mut batch = Vec::with_capacity(BATCH);
        while batch.len() < BATCH && self.vain_lines < MOST_VAIN_LINES {
            let mut random = random_of(self.settings.seed, self.lines);
            self.lines += 1;
            self.vain_lines += 1;
            let game = random_game(Game::new(self.rules), self.settings.plies, &mut random);
            let is_open = |game: &Game| {
                let (rules, position) = (game.rules(), game.position());
                legal_moves(rules, position).len() >= 2
                    && !Tablebases::built_in_cover(rules, position)
            };
            let Some(game) = game.filter(is_open) else {
                continue;
            };
            if self
                .known
                .insert(Canonical::of(self.rules.board, game.position()))
            {
                self.vain_lines = 0;
                batch.push((self.lines, game));
            }
        }
        let (settings, rules) = (&self.settings, &self.rules);
        let scored: Result<Vec<_>, ResourceError> = self.pool.install(|| {
            let scored = batch.into_par_iter().map(|(lines, game)| {
                // A suite has positions without history.
                let game = Game::from_position(*rules, *game.position());
                let score = score(&game, settings)?;
                Ok((lines, game, score))
            });
            scored.collect()
        });
        self.scored.extend(scored?);
        Ok(())
    }
}

impl Iterator for Generator {
    type Item = Result<ScoredPosition, GenerateError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.given >= self.settings.count {
            return None;
        }
        loop {
            let is_for_black = self.settings.both_sides && self.given % 2 == 1;
            if let Some(position) = self.waiting[usize::from(is_for_black)].pop_front() {
                self.given += 1;
                return Some(Ok(position));
            }
            if self.scored.is_empty() && self.stop.is_given() {
                return None;
            }
            if let Err(error) = self.advance() {
                // Nothing comes after an error.
                self.given = self.settings.count;
                return Some(Err(error));
            }
        }
    }
}

/// The score of a position in centi-stones from White's view; `None` if the game is decided, or the
/// search was aborted because the score is far out of bounds.
fn score(game: &Game, settings: &GenerateSettings) -> Result<Option<i32>, ResourceError> {
    let limits = Limits {
        analyse: true,
        ..settings.limit.into()
    };
    let side = game.position().side();
    let mut engine = Engine::new(Settings::from(SearchSettings {
        hash_mib: HASH_MIB,
        evaluation: settings.evaluation.clone(),
        ..SearchSettings::default()
    }));
    let control = Control::new();
    let mut is_out = false;
    let mut exact = None;
    let result = engine.search(game, &limits, &control, &mut |report| {
        if let Report::Line(line) = report
            && line.bound == Bound::Exact
        {
            exact = Some(line.score);
            let excess = settings.excess(side.for_white(line.score.raw()));
            if line.depth >= FILTER_DEPTH && excess > FILTER_MARGIN {
                is_out = true;
                control.stop();
            }
        }
    })?;
    let score = exact.unwrap_or(result.lines[0].score);
    Ok((!is_out && !score.is_decided()).then(|| side.for_white(score.raw())))
}

#[cfg(test)]
mod tests {
    use super::*;
    use vato_engine::rules::Preset;

    fn settings(plies: u32, count: usize) -> GenerateSettings {
        GenerateSettings {
            plies,
            count,
            min_score: -100,
            max_score: 100,
            both_sides: false,
            seed: 9,
            limit: SearchLimit::Depth(4),
            evaluation: Evaluation::classical(),
            threads: 1,
        }
    }

    fn generate(settings: &GenerateSettings, rules: Rules) -> (Vec<ScoredPosition>, String) {
        let mut found = Vec::new();
        for result in Generator::new(settings.clone(), rules).expect("good settings") {
            match result {
                Ok(position) => found.push(position),
                Err(error) => return (found, error.to_string()),
            }
        }
        (found, String::new())
    }

    #[test]
    fn positions_are_playable_distinct_and_within_bounds() {
        let dimy = Preset::Dimy.rules().expect("rules");
        let mut known = FxHashSet::default();
        for (rules, plies) in [(Rules::STANDARD, 6), (dimy, 8)] {
            let (found, error) = generate(&settings(plies, 100), rules);
            assert_eq!((found.len(), error.as_str()), (100, ""));
            for ScoredPosition { position, score } in found {
                assert!((-100..=100).contains(&score));
                let game = Game::from_position(rules, position);
                assert!(game.outcome().is_none());
                assert!(legal_moves(game.rules(), game.position()).len() >= 2);
                assert!(!Tablebases::built_in_cover(&rules, &position));
                assert!(known.insert(Canonical::of(rules.board, &position)));
            }
        }
    }

    #[test]
    fn the_result_does_not_depend_on_the_threads() {
        for limit in [SearchLimit::Depth(7), SearchLimit::Nodes(500)] {
            let found = [(9, 1), (9, 3), (10, 1)].map(|(seed, threads)| {
                let mut settings = settings(8, 30);
                (settings.limit, settings.seed, settings.threads) = (limit, seed, threads);
                generate(&settings, Rules::STANDARD).0
            });
            assert_eq!(found[0], found[1]);
            assert_ne!(found[0], found[2]);
        }
    }

    #[test]
    fn sides_take_turns_to_be_better() {
        let mut settings = settings(6, 21);
        (settings.min_score, settings.max_score) = (50, 200);
        settings.both_sides = true;
        let (found, _) = generate(&settings, Rules::STANDARD);
        assert_eq!(found.len(), 21);
        for (index, position) in found.iter().enumerate() {
            let sign = if index % 2 == 0 { 1 } else { -1 };
            assert!((50..=200).contains(&(sign * position.score)), "{index}");
        }
    }

    #[test]
    fn small_boards_are_exhausted() {
        let rules = Preset::Telo.rules().expect("rules");
        let (found, error) = generate(&settings(2, 1000), rules);
        let count = format!("{} of 1000", found.len());
        assert!(found.len() < 1000 && error.contains(&count), "{error}");
        assert!(error.contains("no new one in 10000 random lines of 2 plies"));
        // No game lasts that long.
        let (found, error) = generate(&settings(150, 1), rules);
        assert!(found.is_empty() && error.contains("0 of 1"), "{error}");
    }
}
