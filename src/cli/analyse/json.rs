//! An analysis as JSON: one object for each completed depth.

use std::io::{self, Write};

use serde::Serialize;
use vato::notation::pgn::ScoreEntry;
use vato::rules::{Game, legal_moves};
use vato::search::{Bound, Line, SearchResult};

use super::super::failure::Failure;
use super::{View, line_text};

/// A completed depth.
#[derive(Serialize)]
struct DepthRecord {
    depth: u32,
    seldepth: u32,
    nodes: u64,
    time_ms: u64,
    nps: u64,
    hashfull: u32,
    lines: Vec<LineRecord>,
}

/// A line of a completed depth.
#[derive(Serialize)]
struct LineRecord {
    multipv: usize,
    score: ScoreEntry,
    pv: Vec<String>,
}

/// Gathers the lines of a depth and writes them once the last is there.
pub(super) struct JsonView<'a> {
    game: &'a Game,
    /// How many lines make a depth complete.
    wanted: usize,
    /// The lines of the depth under way, at the places of their `multipv`.
    lines: Vec<Option<Line>>,
    /// The last depth written.
    written: Option<u32>,
}

impl<'a> JsonView<'a> {
    pub(super) fn new(game: &'a Game, multipv: usize) -> JsonView<'a> {
        let wanted = legal_moves(game.rules(), game.position())
            .len()
            .min(multipv);
        JsonView {
            game,
            wanted,
            lines: Vec::new(),
            written: None,
        }
    }

    /// Writes the depth of `lines`, unless that has been done.
    fn write(&mut self, lines: &[Line]) -> Result<(), Failure> {
        let Some(last) = lines.iter().max_by_key(|line| line.nodes) else {
            return Ok(());
        };
        if self.written.is_some_and(|depth| depth >= last.depth) {
            return Ok(());
        }
        self.written = Some(last.depth);
        let (rules, position) = (self.game.rules(), self.game.position());
        let record = DepthRecord {
            depth: last.depth,
            seldepth: last.seldepth,
            nodes: last.nodes,
            time_ms: u64::try_from(last.time.as_millis()).unwrap_or(u64::MAX),
            nps: last.nodes_per_second(),
            hashfull: last.hashfull,
            lines: lines
                .iter()
                .map(|line| LineRecord {
                    multipv: line.multipv,
                    score: line.score.into(),
                    pv: line_text(rules, position, &line.pv),
                })
                .collect(),
        };
        let mut text = serde_json::to_string(&record)?;
        text.push('\n');
        // In one piece, so that a reader never sees half an object.
        io::stdout().write_all(text.as_bytes())?;
        Ok(())
    }
}

impl View for JsonView<'_> {
    fn line(&mut self, line: &Line) -> Result<(), Failure> {
        let place = line.multipv.saturating_sub(1);
        if line.bound != Bound::Exact || place >= self.wanted {
            return Ok(());
        }
        let depth = self.lines.iter().flatten().map(|line| line.depth).next();
        if depth != Some(line.depth) {
            self.lines = vec![None; self.wanted];
        }
        self.lines[place] = Some(line.clone());
        let complete: Option<Vec<Line>> = self.lines.iter().cloned().collect();
        match complete {
            Some(lines) => self.write(&lines),
            None => Ok(()),
        }
    }

    fn finish(&mut self, result: &SearchResult) -> Result<(), Failure> {
        self.write(&result.lines)
    }
}
