//! Output of the analysis of a position: a table for people, JSON or CSV for scripts.

use std::io::{self, Write};

use console::Term;
use serde::Serialize;
use vato_engine::board::Move;
use vato_engine::notation::format_line;
use vato_engine::proofs::Proven;
use vato_engine::rules::Game;
use vato_engine::search::{Bound, Line, Score, SearchResult, SearchSettings};

use crate::cli::support::failure::{Failure, stdout};
use crate::cli::support::present::{self, Format, Rows, score_text};

pub(super) trait View {
    fn line(&mut self, line: &Line) -> Result<(), Failure>;
    fn finish(&mut self, result: &SearchResult) -> Result<(), Failure>;
}

/// The position that is analysed, and what it is searched with.
#[derive(Clone, Copy)]
pub(super) struct Analysed<'a> {
    pub(super) game: &'a Game,
    pub(super) settings: &'a SearchSettings,
}

impl Analysed<'_> {
    fn conversion(&self, line: &Line) -> Option<u32> {
        let (rules, position) = (self.game.rules(), self.game.position());
        self.settings
            .conversion(rules, position, line.score, &line.pv)
    }

    /// The moves of a line in notation.
    fn text(&self, line: &[Move]) -> Vec<String> {
        format_line(self.game.rules(), self.game.position(), line)
    }
}

/// Writes lines as rows of a table: updated in place on a terminal, appended in a pipe.
pub(super) struct TextView<'a> {
    analysed: Analysed<'a>,
    terminal: Option<Term>,
    /// The lines displayed last, indexed by `multipv` - 1.
    lines: Vec<Option<Line>>,
    /// The number of terminal rows to replace.
    drawn: usize,
}

impl<'a> TextView<'a> {
    pub(super) fn new(analysed: Analysed<'a>) -> TextView<'a> {
        let terminal = Term::stdout();
        TextView {
            analysed,
            terminal: terminal.is_term().then_some(terminal),
            lines: Vec::new(),
            drawn: 0,
        }
    }

    fn row(&self, line: &Line) -> String {
        let side = self.analysed.game.position().side();
        let conversion = self.analysed.conversion(line);
        let score = score_text(line.score, side, line.bound, conversion);
        // A long score takes room of the nodes.
        let rest = 23 - score.len().clamp(10, 22);
        format!(
            "{:>5} {score:>10}{:>rest$} {:>8}  {}",
            line.depth,
            line.nodes,
            format!("{:.2} s", line.time.as_secs_f64()),
            self.analysed.text(&line.pv).join(" ")
        )
    }

    fn redraw(&mut self) -> io::Result<()> {
        let Some(terminal) = &self.terminal else {
            return Ok(());
        };
        // Rows that wrap or scroll out could not be replaced: they are clipped, and written whole at the end.
        let (height, width) = terminal.size();
        let width = usize::from(width).saturating_sub(1).max(20);
        let most = usize::from(height).saturating_sub(2).max(1);
        let lines = self.lines.iter().flatten().take(most);
        let clipped = |line| self.row(line).chars().take(width).collect();
        let rows: Vec<String> = lines.map(clipped).collect();
        terminal.clear_last_lines(self.drawn)?;
        terminal.write_line(&rows.join("\n"))?;
        self.drawn = rows.len();
        Ok(())
    }
}

impl View for TextView<'_> {
    fn line(&mut self, line: &Line) -> Result<(), Failure> {
        if self.terminal.is_none() && line.bound != Bound::Exact {
            return Ok(());
        }
        let (place, is_first) = (line.multipv.saturating_sub(1), self.lines.is_empty());
        if place >= self.lines.len() {
            self.lines.resize(place + 1, None);
        }
        let shown = self.lines[place].replace(line.clone());
        // A search repeats its last lines at its end.
        let row = |line: &Line| (line.depth, line.score, line.bound);
        if shown.is_some_and(|shown| row(&shown) == row(line) && shown.pv == line.pv) {
            return Ok(());
        }
        if is_first {
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
        let mut out = stdout();
        let open = (result.lines.first()).filter(|line| line.bound != Bound::Exact);
        if let Some(terminal) = &self.terminal {
            terminal.clear_last_lines(self.drawn)?;
            for line in self.lines.iter().flatten() {
                writeln!(out, "{}", self.row(line))?;
            }
        } else if let Some(line) = open {
            // The best move is this one.
            writeln!(out, "{}", self.row(line))?;
        }
        writeln!(out)?;
        let moves: Vec<Move> = result.best.into_iter().chain(result.ponder).collect();
        let moves = self.analysed.text(&moves);
        if moves.is_empty() {
            writeln!(out, "no legal move")?;
        }
        for (what, text) in ["best move", "expected reply"].iter().zip(moves) {
            writeln!(out, "{what}: {text}")?;
        }
        if let Some(proven) = Proven::of(self.analysed.game) {
            write!(out, "proven: {proven}")?;
            if let Some(reply) = &proven.reply_text {
                write!(out, "; reply of the proof: {reply}")?;
            }
            writeln!(out)?;
        }
        Ok(())
    }
}

#[derive(Default, Serialize)]
pub(super) struct DepthRecord {
    depth: u32,
    seldepth: u32,
    nodes: u64,
    time_ms: u64,
    nps: u64,
    hashfull: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    proven: Option<Proven>,
    lines: Vec<LineRecord>,
}

#[derive(Serialize)]
struct LineRecord {
    multipv: usize,
    score: Score,
    #[serde(skip_serializing_if = "Option::is_none")]
    conversion: Option<u32>,
    pv: Vec<String>,
}

impl DepthRecord {
    /// A row of CSV for each line.
    pub(super) const ROWS: Rows<'static> = Rows {
        items: "lines",
        columns: "depth seldepth nodes time_ms nps hashfull multipv \
             centi_stones=score.centi_stones plies_to_end=score.plies_to_end conversion pv \
             proven_white_wins=proven.white_wins proven_black_wins=proven.black_wins proven_reply=proven.reply",
    };

    /// The record of the lines of a depth, at least one.
    pub(super) fn new(analysed: Analysed<'_>, lines: &[Line]) -> Option<DepthRecord> {
        let last = lines.iter().max_by_key(|line| line.nodes)?;
        Some(DepthRecord {
            depth: last.depth,
            seldepth: last.seldepth,
            nodes: last.nodes,
            time_ms: u64::try_from(last.time.as_millis()).unwrap_or(u64::MAX),
            nps: last.nodes_per_second(),
            hashfull: last.hashfull,
            proven: Proven::of(analysed.game),
            lines: lines
                .iter()
                .map(|line| LineRecord {
                    multipv: line.multipv,
                    score: line.score,
                    conversion: analysed.conversion(line),
                    pv: analysed.text(&line.pv),
                })
                .collect(),
        })
    }
}

/// Puts a line of a completed depth among the others, by `multipv` - 1, and returns them if all are there.
pub(super) fn complete(lines: &mut [Option<Line>], line: &Line) -> Option<Vec<Line>> {
    let place = line.multipv.saturating_sub(1);
    if line.bound != Bound::Exact || !line.complete || place >= lines.len() {
        return None;
    }
    let depth = lines.iter().flatten().map(|line| line.depth).next();
    if depth != Some(line.depth) {
        lines.fill(None);
    }
    lines[place] = Some(line.clone());
    lines.iter().cloned().collect()
}

/// Writes the lines of a depth once all are there.
pub(super) struct DataView<'a> {
    analysed: Analysed<'a>,
    format: Format,
    /// Those of the current depth, see [`complete`].
    lines: Vec<Option<Line>>,
    written: Option<u32>,
}

impl<'a> DataView<'a> {
    /// `wanted` lines are those of a complete depth.
    pub(super) fn new(analysed: Analysed<'a>, wanted: usize, format: Format) -> DataView<'a> {
        DataView {
            analysed,
            format,
            lines: vec![None; wanted],
            written: None,
        }
    }

    /// Writes the depth of `lines`, unless it was written already.
    fn write(&mut self, lines: &[Line]) -> Result<(), Failure> {
        let is_new = |record: &DepthRecord| self.written.is_none_or(|depth| depth < record.depth);
        let Some(record) = DepthRecord::new(self.analysed, lines).filter(is_new) else {
            return Ok(());
        };
        let mut text = present::record(self.format, &record, DepthRecord::ROWS)?;
        if self.written.is_none() {
            text = DepthRecord::ROWS.headings(self.format) + &text;
        }
        self.written = Some(record.depth);
        // In one write, so that a reader never sees half an object.
        stdout().write_all(text.as_bytes())?;
        Ok(())
    }
}

impl View for DataView<'_> {
    fn line(&mut self, line: &Line) -> Result<(), Failure> {
        complete(&mut self.lines, line).map_or(Ok(()), |lines| self.write(&lines))
    }

    /// A search that completed no depth has no other line.
    fn finish(&mut self, result: &SearchResult) -> Result<(), Failure> {
        match self.written {
            None => self.write(&result.lines),
            Some(_) => Ok(()),
        }
    }
}
