//! Output of the analysis of a position: a table for people, JSON or CSV for scripts.

use std::io::{self, Write};
use std::sync::Arc;

use console::Term;
use serde::Serialize;
use vato_engine::notation::format_move;
use vato_engine::notation::pgn::ScoreEntry;
use vato_engine::rules::Game;
use vato_engine::search::{Bound, Line, SearchResult};
use vato_engine::tablebase::Tablebases;

#[cfg(feature = "tools")]
use crate::cli::csv;
use crate::cli::failure::{Failure, stdout};
use crate::cli::text::{conversion, known_score_text, line_text};

/// Output of a running analysis.
pub(super) trait View {
    /// A line reported by the search.
    fn line(&mut self, line: &Line) -> Result<(), Failure>;
    /// The end of the search.
    fn finish(&mut self, result: &SearchResult) -> Result<(), Failure>;
}

/// Formats for scripts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Data {
    Json,
    #[cfg(feature = "tools")]
    Csv,
}

/// The position that is analysed, and the tables that its scores come from.
#[derive(Clone, Copy)]
pub(super) struct Analysed<'a> {
    pub(super) game: &'a Game,
    pub(super) tables: Option<&'a Arc<Tablebases>>,
}

impl Analysed<'_> {
    /// The plies to a conversion in the tables, see [`conversion`].
    fn conversion(&self, line: &Line) -> Option<u32> {
        let (rules, position) = (self.game.rules(), self.game.position());
        conversion(self.tables, rules, position, line.score, &line.pv)
    }
}

/// Writes lines as rows of a table: updated in place on a terminal, appended in a pipe.
pub(super) struct TextView<'a> {
    analysed: Analysed<'a>,
    /// The terminal, if standard output is one.
    terminal: Option<Term>,
    /// The lines displayed last, indexed by `multipv` - 1.
    lines: Vec<Option<Line>>,
    /// The number of terminal rows to replace.
    drawn: usize,
    headed: bool,
}

impl<'a> TextView<'a> {
    pub(super) fn new(analysed: Analysed<'a>) -> TextView<'a> {
        let terminal = Term::stdout();
        TextView {
            analysed,
            terminal: terminal.is_term().then_some(terminal),
            lines: Vec::new(),
            drawn: 0,
            headed: false,
        }
    }

    fn row(&self, line: &Line) -> String {
        let (rules, position) = (self.analysed.game.rules(), self.analysed.game.position());
        let score = known_score_text(
            line.score,
            position.side(),
            line.bound,
            self.analysed.conversion(line),
        );
        // A long score takes room of the nodes.
        let rest = 23 - score.len().clamp(10, 22);
        format!(
            "{:>5} {score:>10}{:>rest$} {:>8}  {}",
            line.depth,
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
            let heading = "depth      score        nodes     time  line (scores for White)";
            writeln!(stdout(), "{heading}")?;
        }
        if self.terminal.is_some() {
            self.redraw()?;
        } else {
            writeln!(stdout(), "{}", self.row(line))?;
        }
        Ok(())
    }

    fn finish(&mut self, result: &SearchResult) -> Result<(), Failure> {
        let (rules, position) = (self.analysed.game.rules(), self.analysed.game.position());
        let mut out = stdout();
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
#[derive(Default, Serialize)]
pub(super) struct DepthRecord {
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
    #[serde(skip_serializing_if = "Option::is_none")]
    conversion: Option<u32>,
    pv: Vec<String>,
}

impl DepthRecord {
    /// The columns of CSV, a row for each line.
    #[cfg(feature = "tools")]
    pub(super) const COLUMNS: &str = "depth seldepth nodes time_ms nps hashfull multipv \
         centi_stones=score.centi_stones plies_to_end=score.plies_to_end conversion pv";

    /// The record of the lines of a depth, at least one.
    pub(super) fn new(analysed: Analysed<'_>, lines: &[Line]) -> Option<DepthRecord> {
        let last = lines.iter().max_by_key(|line| line.nodes)?;
        let (rules, position) = (analysed.game.rules(), analysed.game.position());
        Some(DepthRecord {
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
                    conversion: analysed.conversion(line),
                    pv: line_text(rules, position, &line.pv),
                })
                .collect(),
        })
    }
}

/// Collects exact lines until all of a depth are there.
pub(super) struct Depth {
    /// The lines of the current depth, indexed by `multipv` - 1.
    lines: Vec<Option<Line>>,
}

impl Depth {
    /// Wants so many lines.
    pub(super) fn new(wanted: usize) -> Depth {
        Depth {
            lines: vec![None; wanted],
        }
    }

    /// Takes a line and returns those of its depth, if all are there.
    pub(super) fn take(&mut self, line: &Line) -> Option<Vec<Line>> {
        let place = line.multipv.saturating_sub(1);
        if line.bound != Bound::Exact || place >= self.lines.len() {
            return None;
        }
        let depth = self.lines.iter().flatten().map(|line| line.depth).next();
        if depth != Some(line.depth) {
            self.lines.fill(None);
        }
        self.lines[place] = Some(line.clone());
        self.lines.iter().cloned().collect()
    }
}

/// Writes the lines of a depth once all are there.
pub(super) struct DataView<'a> {
    analysed: Analysed<'a>,
    format: Data,
    lines: Depth,
    /// The last depth written.
    written: Option<u32>,
}

impl<'a> DataView<'a> {
    /// `wanted` lines are those of a complete depth.
    pub(super) fn new(analysed: Analysed<'a>, wanted: usize, format: Data) -> DataView<'a> {
        DataView {
            analysed,
            format,
            lines: Depth::new(wanted),
            written: None,
        }
    }

    /// Writes the depth of `lines`, unless it was written already.
    fn write(&mut self, lines: &[Line]) -> Result<(), Failure> {
        let Some(record) = DepthRecord::new(self.analysed, lines) else {
            return Ok(());
        };
        if self.written.is_some_and(|depth| depth >= record.depth) {
            return Ok(());
        }
        let text = match self.format {
            Data::Json => serde_json::to_string(&record)? + "\n",
            #[cfg(feature = "tools")]
            Data::Csv => {
                let rows = csv::rows(DepthRecord::COLUMNS, &record, "lines")?;
                match self.written {
                    None => csv::headings(DepthRecord::COLUMNS) + &rows,
                    Some(_) => rows,
                }
            }
        };
        self.written = Some(record.depth);
        // In one write, so that a reader never sees half an object.
        stdout().write_all(text.as_bytes())?;
        Ok(())
    }
}

impl View for DataView<'_> {
    fn line(&mut self, line: &Line) -> Result<(), Failure> {
        match self.lines.take(line) {
            Some(lines) => self.write(&lines),
            None => Ok(()),
        }
    }

    fn finish(&mut self, result: &SearchResult) -> Result<(), Failure> {
        self.write(&result.lines)
    }
}
