//! The scores of generated positions.

use super::GenerateSettings;
use vato_engine::engine::{Engine, Settings};
use vato_engine::memory::ResourceError;
use vato_engine::rules::Game;
use vato_engine::search::{Bound, Control, Limits, Report, SearchSettings};

/// The transposition table of each search, in MiB.
const HASH_MIB: usize = 4;

/// The depth from which a search is aborted if its score is more than [`FILTER_MARGIN`] outside the
/// bounds.
const FILTER_DEPTH: u32 = 6;

/// How much a score may still change, in displayed centi-stones. Of some 200 positions for each of 4, 6, 8
/// and 10 random plies whose score at depth 14 lies within ±0.20, this margin lost 7, 5, 2 and 1 in a
/// hundred; half of all searches are aborted. Measured with the hand-made evaluation; displayed network
/// scores are smaller, so that fewer are lost or aborted.
const FILTER_MARGIN: i32 = 150;

/// The score of a position in centi-stones from White's view; `None` if the game is decided, or the
/// search was aborted because the score is far out of bounds.
pub(super) fn score(
    game: &Game,
    settings: &GenerateSettings,
) -> Result<Option<i32>, ResourceError> {
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
    let result = engine.search(game, &limits, &control, &mut |report| {
        if let Report::Line(line) = report
            && line.bound == Bound::Exact
            && line.depth >= FILTER_DEPTH
            && settings.excess(side.for_white(line.score.raw())) > FILTER_MARGIN
        {
            is_out = true;
            control.stop();
        }
    })?;
    let score = result.lines[0].score;
    Ok((!is_out && !score.is_decided()).then(|| side.for_white(score.raw())))
}
