//! An analysis for people: a table of lines, brought up to date on a terminal, added to in a pipe.

use std::io::{self, Write};
use std::time::Duration;

use console::Term;
use vato::notation::format_move;
use vato::rules::Game;
use vato::search::{Bound, Line, SearchResult};

use super::super::failure::Failure;
use super::super::text::score_text;
use super::{View, line_text};

/// Writes lines of play as rows of a table.
pub(super) struct TextView<'a> {
    game: &'a Game,
    /// The terminal, if standard output is one.
    terminal: Option<Term>,
    /// The lines shown last, at the places of their `multipv`.
    lines: Vec<Option<Line>>,
    /// How many rows of the terminal are to be replaced.
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

    fn head(&mut self) -> io::Result<()> {
        if !self.headed {
            self.headed = true;
            let side = self.game.position().side();
            writeln!(
                io::stdout(),
                "depth {:>10} {:>12} {:>8}  line (scores for {side})",
                "score",
                "nodes",
                "time"
            )?;
        }
        Ok(())
    }

    fn row(&self, line: &Line) -> String {
        let (rules, position) = (self.game.rules(), self.game.position());
        format!(
            "{:>5} {:>10} {:>12} {:>8}  {}",
            line.depth,
            score_text(line.score, line.bound),
            line.nodes,
            seconds(line.time),
            line_text(rules, position, &line.pv).join(" ")
        )
    }

    fn redraw(&mut self) -> io::Result<()> {
        let Some(terminal) = &self.terminal else {
            return Ok(());
        };
        // Rows that wrap or scroll away could not be replaced.
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
        if shown.is_some_and(|shown| same_row(&shown, line)) {
            return Ok(());
        }
        self.head()?;
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

/// Whether the two say the same; a search tells its last lines once more at its end.
fn same_row(one: &Line, other: &Line) -> bool {
    let said = |line: &Line| (line.depth, line.score, line.bound);
    said(one) == said(other) && one.pv == other.pv
}

fn seconds(time: Duration) -> String {
    format!("{:.2} s", time.as_secs_f64())
}
