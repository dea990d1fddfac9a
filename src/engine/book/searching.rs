//! Searches of book positions.

use std::time::Duration;

use super::build::BuildSettings;
use super::graph::SearchedMove;
use super::header::SearchLimit;
use crate::board::Canonical;
use crate::rules::Game;
use crate::search::{Control, Limits, Line, SearchError, Searcher};

/// The best moves of a position, best first, searched with a cleared table; `None` if the search was
/// stopped before its limit. Whatever the limit, one iteration is completed.
///
/// # Errors
///
/// If there is no thread or memory for the search.
pub(super) fn search(
    searcher: &mut Searcher,
    settings: &BuildSettings,
    key: Canonical,
    control: &Control,
) -> Result<Option<Vec<SearchedMove>>, SearchError> {
    let mut limits = Limits {
        multipv: settings.moves as usize,
        analyse: true,
        ..Limits::default()
    };
    match settings.limit {
        SearchLimit::Depth(depth) => limits.depth = Some(depth),
        SearchLimit::Nodes(nodes) => limits.nodes = Some(nodes),
        SearchLimit::Movetime(time) => limits.movetime = Some(Duration::from_millis(time)),
    }
    // Scores must not depend on the positions searched before.
    searcher.clear();
    let game = Game::from_position(settings.rules, key.position());
    let mut result = searcher.search(&settings.search, &game, &limits, control, &mut |_| {})?;
    if result.lines.first().is_some_and(is_guess) {
        let least = Limits {
            depth: Some(1),
            multipv: limits.multipv,
            ..Limits::default()
        };
        result = searcher.search(&settings.search, &game, &least, control, &mut |_| {})?;
    }
    if control.is_stopped() {
        return Ok(None);
    }
    let records = result.lines.iter().filter_map(|line| {
        Some(SearchedMove {
            mv: *line.pv.first()?,
            score: line.score,
        })
    });
    Ok(Some(records.collect()))
}

/// Whether the time limit was too short for a single iteration over all the moves wanted.
fn is_guess(line: &Line) -> bool {
    line.depth <= 1 && !line.complete
}
