//! Self-play for statistics.

use std::sync::atomic::{AtomicU64, Ordering};

use clap::Args;
use rayon::prelude::*;
use thiserror::Error;

use super::figures::{Figures, Iteration, Phase};
use crate::openings::{
    OpeningLine, OpeningSettings, OpeningSource, OpeningSuite, OpeningSuiteError,
};
use vato_engine::book::SearchLimit;
use vato_engine::engine::{Engine, Settings};
use vato_engine::eval::Evaluation;
use vato_engine::memory::{ResourceError, thread_pool};
use vato_engine::rules::{Rules, parse_rules};
use vato_engine::search::{Control, MAX_THREADS, STACK_BYTES, SearchSettings};
use vato_engine::text::number;

/// The settings of a run; most of them are the options of the command line. The figures depend on them, but not on the
/// number of threads.
#[derive(Args, Clone, Debug)]
pub struct StatsSettings {
    /// Number of games
    #[arg(long, value_name = "N", default_value_t = StatsSettings::default().games, value_parser = number::<u32>(1..))]
    pub games: u32,
    /// The limit of each move's search.
    #[arg(skip = StatsSettings::default().limit)]
    pub limit: SearchLimit,
    /// Rules: a preset's name or key=value pairs
    #[arg(long, value_name = "RULES", default_value = "tsivy", value_parser = parse_rules)]
    pub rules: Rules,
    /// The openings. Each is played once; after the last the first comes again.
    #[arg(skip)]
    pub openings: OpeningSettings,
    /// Games at a time
    // Each on one thread.
    #[arg(long, value_name = "T", default_value_t = 1, value_parser = number::<usize>(1..=MAX_THREADS as u64))]
    pub threads: usize,
    /// The transposition table of each game, in MiB.
    #[arg(skip)]
    pub hash_mib: usize,
    /// The evaluation.
    #[arg(skip)]
    pub evaluation: Evaluation,
}

impl Default for StatsSettings {
    /// A hundred games at 20,000 nodes a move that begin with two random plies: late enough for the games to
    /// differ, early enough to show the opening.
    fn default() -> StatsSettings {
        StatsSettings {
            games: 100,
            limit: SearchLimit::Nodes(20_000),
            rules: Rules::STANDARD,
            openings: OpeningSettings {
                plies: Some(StatsSettings::DEFAULT_PLIES),
                ..OpeningSettings::new(OpeningSource::Random)
            },
            threads: 1,
            hash_mib: SearchSettings::DEFAULT_HASH_MIB,
            evaluation: Evaluation::default(),
        }
    }
}

impl StatsSettings {
    /// Default number of random plies at the beginning of each game.
    pub const DEFAULT_PLIES: u32 = 2;
}

/// Maximum length of a game in plies; reached only under rules without a limit.
const MOST_PLIES: usize = 1_000;

/// Number of games whose figures are kept until they are added up.
const GAMES_KEPT: usize = 256;

/// Errors of a run.
#[derive(Debug, Error)]
pub enum StatsError {
    /// The openings cannot be loaded or played.
    #[error(transparent)]
    OpeningSuite(#[from] OpeningSuiteError),
    /// No memory or threads for games or searches.
    #[error(transparent)]
    Resources(#[from] ResourceError),
}

/// Plays the games and counts. `progress` is called after each game with the number of completed games,
/// from any thread. If `control` is stopped, running games are dropped and the figures are those of the
/// completed ones.
///
/// # Errors
///
/// If the openings, the threads or the memory are not available.
pub fn play(
    settings: &StatsSettings,
    control: &Control,
    progress: &(dyn Fn(u64) + Sync),
) -> Result<Figures, StatsError> {
    let suite = OpeningSuite::open(&settings.openings, &settings.rules)?;
    let pool = thread_pool(settings.threads, "stats", Some(STACK_BYTES))?;
    let done = AtomicU64::new(0);
    let play = |index: usize| {
        let figures = play_game(settings, &suite.line(index), control)?;
        if figures.is_some() {
            progress(done.fetch_add(1, Ordering::Relaxed) + 1);
        }
        Ok(figures)
    };
    let mut sum = Figures::default();
    let games: Vec<usize> = (0..settings.games as usize).collect();
    // In batches, to bound the memory for the figures of single games.
    for games in games.chunks(GAMES_KEPT) {
        let games: Result<Vec<Option<Figures>>, StatsError> =
            pool.install(|| games.par_iter().map(|&index| play(index)).collect());
        // Added in the order of the games: floating-point sums depend on it.
        for figures in games?.iter().flatten() {
            sum.add(figures);
        }
    }
    Ok(sum)
}

/// The figures of one game; `None` if it was aborted.
fn play_game(
    settings: &StatsSettings,
    opening: &OpeningLine,
    control: &Control,
) -> Result<Option<Figures>, StatsError> {
    let mut game = opening
        .game(&settings.rules)
        .map_err(OpeningSuiteError::File)?;
    let mut figures = Figures::default();
    let mut engine = Engine::new(Settings::from(SearchSettings {
        hash_mib: settings.hash_mib,
        evaluation: settings.evaluation.clone(),
        ..SearchSettings::default()
    }));
    let limits = settings.limit.into();
    // The last scores of the side to move and of the opponent.
    let mut scores = [None; 2];
    while game.outcome().is_none() && game.moves().len() < MOST_PLIES {
        let mut iterations = Vec::new();
        let result = engine.search(&game, &limits, control, &mut |report| {
            iterations.extend(Iteration::of(report, iterations.len() as u32 + 1));
        })?;
        if control.is_stopped() {
            return Ok(None);
        }
        // A game in progress has a legal move, and the search found one.
        let Some(best) = result.best else { break };
        let position = *game.position();
        let phase = &mut figures.phases[Phase::index_of(position.occupied().count())];
        let results = phase.positions.count(&settings.rules, &position, best);
        if results > 1 {
            scores[0] = phase.iterations.count(&iterations, scores[0]);
        }
        scores.swap(0, 1);
        figures.nodes += result.nodes;
        if game.play(best).is_err() {
            break;
        }
    }
    figures.results.count(game.outcome(), game.moves().len());
    figures.search = engine.counts();
    Ok(Some(figures))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings() -> StatsSettings {
        StatsSettings {
            games: 4,
            limit: SearchLimit::Nodes(300),
            hash_mib: 1,
            ..StatsSettings::default()
        }
    }

    #[test]
    fn the_same_whatever_the_number_of_threads() {
        let control = Control::new();
        let one = play(&settings(), &control, &|_| {}).expect("figures");
        let settings = StatsSettings {
            threads: 3,
            ..settings()
        };
        let three = play(&settings, &control, &|_| {}).expect("figures");
        assert_eq!(one, three);
        assert_eq!(one.results.games(), 4);
    }

    #[test]
    fn the_figures_agree_with_each_other() {
        let progress = AtomicU64::new(0);
        let figures = play(&settings(), &Control::new(), &|games| {
            progress.fetch_max(games, Ordering::Relaxed);
        })
        .expect("figures");
        assert_eq!(progress.into_inner(), 4);
        let all = figures.all_phases();
        // Two plies of each game belong to the opening.
        assert_eq!(all.positions.positions, figures.results.plies - 2 * 4);
        assert!(all.positions.compulsory <= all.positions.captures);
        assert!(all.positions.results >= all.positions.positions);
        assert!(all.positions.paths >= all.positions.results);
        assert!(all.positions.result_steps >= all.positions.results);
        let forced = all.positions.forced;
        assert!(all.iterations.searches <= all.positions.positions - forced);
        assert!(all.iterations.searches > 0);
        if let Some(search) = &figures.search {
            let total = search.total();
            assert!(total.nodes() >= figures.nodes - all.positions.positions);
            let by_depth: u64 = search.by_depth.iter().map(|counts| counts.nodes()).sum();
            assert_eq!(by_depth, total.nodes());
            assert!(total.first_move_cutoffs <= total.cutoffs);
            assert!(total.cutoffs <= total.expanded);
            assert!(total.table_hits <= total.table_probes);
            assert_eq!(
                search.by_depth[0].nodes(),
                total.quiescence_nodes + search.by_depth[0].main_nodes
            );
        }
    }

    #[test]
    fn a_stop_ends_it() {
        let control = Control::new();
        control.stop();
        let figures = play(&settings(), &control, &|_| {}).expect("figures");
        assert_eq!(figures.results.games(), 0);
    }
}
