//! Output of the analysis of a position: a table for people, JSON for scripts.

use std::io::{self, Write};

use console::Term;
use serde::Serialize;
use vato::notation::format_move;
use vato::notation::pgn::ScoreEntry;
use vato::rules::{Game, legal_moves};
use vato::search::{Bound, Line, SearchResult};

use crate::cli::failure::Failure;
use crate::cli::text::{line_text, score_text};

/// Output of a running analysis.
pub(super) trait View {
    /// A line reported by the search.
    fn line(&mut self, line: &Line) -> Result<(), Failure>;
    /// The end of the search.
    fn finish(&mut self, result: &SearchResult) -> Result<(), Failure>;
}

/// Writes lines as rows of a table: updated in place on a terminal, appended in a pipe.
pub(super) struct TextView<'a> {
    game: &'a Game,
    /// The terminal, if standard output is one.
    terminal: Option<Term>,
    /// The lines displayed last, indexed by `multipv` - 1.
    lines: Vec<Option<Line>>,
    /// The number of terminal rows to replace.
    drawn: usize,
    headed: bool,
}

impl<'a> TextView<'a> {
    pub(super) fn new(game: &'a Game) -> TextView<'a> {
        let terminal = Term::stdout();
        TextView {
            game,
            terminal: terminal.is_term().then_some(terminal),
            lines: Vec::new(),
            drawn: 0,
            headed: false,
        }
    }

    fn row(&self, line: &Line) -> String {
        let (rules, position) = (self.game.rules(), self.game.position());
        format!(
            "{:>5} {:>10} {:>12} {:>8}  {}",
            line.depth,
            score_text(line.score, line.bound),
            line.nodes,
            format!("{:.2} s", line.time.as_secs_f64()),
            line_text(rules, position, &line.pv).join(" ")
        )
    }

    fn redraw(&mut self) -> io::Result<()> {
        let Some(terminal) = &self.terminal else {
            return Ok(());
        };
        // Rows that wrap or scroll out could not be replaced, so they are clipped; at the end they are
        // written whole.
        let (height, width) = terminal.size();
        let width = usize::from(width).saturating_sub(1).max(20);
        let most = usize::from(height).saturating_sub(2).max(1);
        let block: Vec<String> = self
            .lines
            .iter()
            .flatten()
            .take(most)
            .map(|line| self.row(line).chars().take(width).collect())
            .collect();
        terminal.clear_last_lines(self.drawn)?;
        for row in &block {
            terminal.write_line(row)?;
        }
        self.drawn = block.len();
        Ok(())
    }
}

impl View for TextView<'_> {
    fn line(&mut self, line: &Line) -> Result<(), Failure> {
        if self.terminal.is_none() && line.bound != Bound::Exact {
            return Ok(());
        }
        let place = line.multipv.saturating_sub(1);
        if place >= self.lines.len() {
            self.lines.resize(place + 1, None);
        }
        let shown = self.lines[place].replace(line.clone());
        // A search repeats its last lines at its end.
        let row = |line: &Line| (line.depth, line.score, line.bound);
        if shown.is_some_and(|shown| row(&shown) == row(line) && shown.pv == line.pv) {
            return Ok(());
        }
        if !self.headed {
            self.headed = true;
            let side = self.game.position().side();
            writeln!(
                io::stdout(),
                "depth      score        nodes     time  line (scores for {side})"
            )?;
        }
        if self.terminal.is_some() {
            self.redraw()?;
        } else {
            writeln!(io::stdout(), "{}", self.row(line))?;
        }
        Ok(())
    }

    fn finish(&mut self, result: &SearchResult) -> Result<(), Failure> {
        let (rules, position) = (self.game.rules(), self.game.position());
        let mut out = io::stdout().lock();
        if let Some(terminal) = &self.terminal {
            terminal.clear_last_lines(self.drawn)?;
            for line in self.lines.iter().flatten() {
                writeln!(out, "{}", self.row(line))?;
            }
        }
        writeln!(out)?;
        let best = result.best.and_then(|mv| {
            let text = format_move(rules, position, mv)?;
            Some((position.play(mv), text))
        });
        let Some((after, text)) = best else {
            writeln!(out, "no legal move")?;
            return Ok(());
        };
        writeln!(out, "best move: {text}")?;
        if let Some(reply) = result.ponder
            && let Some(text) = format_move(rules, &after, reply)
        {
            writeln!(out, "expected reply: {text}")?;
        }
        Ok(())
    }
}

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

/// Collects the lines of a depth and writes them once all are there.
pub(super) struct JsonView<'a> {
    game: &'a Game,
    /// The number of lines of a complete depth.
    wanted: usize,
    /// The lines of the current depth, indexed by `multipv` - 1.
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

    /// Writes the depth of `lines`, unless it was written already.
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
        // In one write, so that a reader never sees half an object.
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
