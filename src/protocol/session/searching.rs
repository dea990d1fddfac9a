//! Searches from `go` to `bestmove`, and the other long work: perft and the benchmark.

use std::io::{self, Write};
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::reporting::{self, Style};
use super::{Running, Session};
use crate::board::{Move, Position};
use crate::engine::{Bench, Done, Event, unsearched};
use crate::notation::{format_move, format_path};
use crate::protocol::Dialect;
use crate::protocol::answer::{Answer, BestMove};
use crate::protocol::command::BenchCommand;
use crate::protocol::go::GoCommand;
use crate::rules::{Path, legal_moves};
use crate::search::{Control, Limits, Line, Report, Score, SearchResult};

/// In a game on a clock, lines that are found sooner than this are not told, but for the last: nobody
/// could read them, and to write them would take time from the move.
const UNTOLD: Duration = Duration::from_millis(20);

/// A search under way, from `go` to `bestmove`.
pub(super) struct RunningSearch {
    pub(super) go: GoCommand,
    pub(super) control: Arc<Control>,
    limits: Limits,
    /// The last line that was told of each of the best moves.
    told: Vec<Line>,
}

impl RunningSearch {
    /// The last line that was told of the same rank as `line`.
    fn told_before(&self, line: &Line) -> Option<&Line> {
        self.told.iter().find(|told| told.multipv == line.multipv)
    }

    /// Takes down a line; false if it would only repeat the one before.
    fn is_news(&mut self, line: &Line) -> bool {
        let before = self.told_before(line);
        if before.is_some_and(|before| is_same_line(before, line) && before.nodes == line.nodes) {
            return false;
        }
        self.told.retain(|told| told.multipv != line.multipv);
        self.told.push(line.clone());
        true
    }
}

impl<W: Write> Session<W> {
    pub(super) fn start_search(
        &mut self,
        go: GoCommand,
        control: Arc<Control>,
        received: Instant,
    ) -> io::Result<()> {
        let (limits, notes) = go.limits(self.engine.game(), self.dialect);
        let mut limits = self.engine.with_options(Limits {
            started: Some(received),
            ..limits
        });
        for note in notes {
            self.writer.note(note)?;
        }
        if self.debug && !limits.strength.is_full() {
            self.writer.note(format!("strength: {}", limits.strength))?;
        }
        match go.perft {
            Some(depth) => {
                // The counts are what was asked for; the move is there because a `go` has one.
                limits.depth = Some(1);
                limits.multipv = 1;
                limits.analyse = true;
                self.engine.perft(depth, Arc::clone(&control), self.sink());
            }
            None => {
                let sink = self.sink();
                self.engine.go(limits.clone(), Arc::clone(&control), sink);
            }
        }
        self.running = Some(Running::Search(Box::new(RunningSearch {
            go,
            control,
            limits,
            told: Vec::new(),
        })));
        Ok(())
    }

    pub(super) fn start_perft(&mut self, depth: u32, control: Arc<Control>) -> io::Result<()> {
        self.count("perft", &control);
        self.engine.perft(depth, control, self.sink());
        Ok(())
    }

    pub(super) fn start_bench(
        &mut self,
        command: &BenchCommand,
        control: Arc<Control>,
    ) -> io::Result<()> {
        let defaults = Bench::default();
        let size = |number: Option<u32>| number.and_then(|number| usize::try_from(number).ok());
        let bench = Bench {
            depth: command.depth.unwrap_or(defaults.depth),
            threads: size(command.threads).unwrap_or(defaults.threads),
            hash_mib: size(command.hash).unwrap_or(defaults.hash_mib),
            evaluation: self.engine.settings().evaluation.clone(),
        };
        self.count("bench", &control);
        self.engine.bench(bench, control, self.sink());
        Ok(())
    }

    fn count(&mut self, command: &'static str, control: &Control) {
        // A `stop` that has come already was meant for this too.
        if self.is_to_be_stopped([]) {
            control.stop();
        }
        self.running = Some(Running::Count(command));
    }

    /// Passes on what the engine tells.
    pub(super) fn hear(&mut self, event: Event) -> io::Result<()> {
        match event {
            Event::Report(report) => self.tell(&report),
            Event::Bench {
                number,
                of,
                fen,
                total,
            } => {
                let nodes = total.nodes;
                let note = format!("bench {number} of {of}, {nodes} nodes so far: {fen}");
                self.writer.note(note)
            }
            Event::Note(note) => self.writer.note(note),
            Event::Error(error) => self.writer.error(error),
            Event::Done(done) => self.finish(done),
        }
    }

    /// Passes on what the running search tells.
    fn tell(&mut self, report: &Report) -> io::Result<()> {
        let style = self.style();
        let Some(Running::Search(search)) = &mut self.running else {
            return Ok(());
        };
        let info = match report {
            Report::Line(line) => {
                let on_a_clock = search.limits.clock.is_some() && !search.limits.ponder;
                if on_a_clock && line.time < UNTOLD || !search.is_news(line) {
                    return Ok(());
                }
                reporting::info(line, self.engine.game(), style)
            }
            Report::CurrentMove {
                depth,
                current,
                number,
            } => {
                let game = self.engine.game();
                match reporting::current_move(game, *depth, *current, *number) {
                    Some(info) => info,
                    None => return Ok(()),
                }
            }
        };
        self.writer.say(&Answer::Info(info))
    }

    fn style(&self) -> Style {
        let settings = self.engine.settings();
        let rules = self.engine.game().rules();
        let model = || settings.evaluation.wdl_model(rules);
        Style {
            dialect: self.dialect,
            show_wdl: settings.show_wdl.then(model),
        }
    }

    /// The engine has ended what it was at.
    fn finish(&mut self, done: Result<Done, String>) -> io::Result<()> {
        match (self.running.take(), done) {
            (Some(Running::Search(search)), Ok(Done::Search(result))) => {
                self.answer(&search, &result)
            }
            (Some(Running::Search(search)), Ok(Done::Perft(counts))) => {
                self.tell_counts(counts)?;
                let (limits, control) = (search.limits.clone(), Arc::clone(&search.control));
                self.engine.go(limits, control, self.sink());
                self.running = Some(Running::Search(search));
                Ok(())
            }
            (Some(Running::Search(search)), Err(message)) => {
                self.writer.error(format!("go: {message}"))?;
                // A search that fails must not lose the game as well.
                let game = self.engine.game();
                let first = legal_moves(game.rules(), game.position()).first().copied();
                let makeshift =
                    unsearched(first.into_iter().collect(), Score::DRAW, Duration::ZERO);
                self.answer(&search, &makeshift)
            }
            (_, Ok(Done::Perft(counts))) => self.tell_counts(counts),
            (_, Ok(Done::Bench(None))) => self.writer.note("bench: stopped"),
            (_, Ok(Done::Bench(Some(total)))) => {
                let (nodes, speed) = (total.nodes, total.nodes_per_second());
                self.writer.text(format!("{nodes} nodes {speed} nps"))
            }
            (Some(Running::Count(command)), Err(message)) => {
                self.writer.error(format!("{command}: {message}"))
            }
            (running, done) => {
                let is_ready_asked = matches!(running, Some(Running::GetReady));
                if let Err(message) = done {
                    // Tried again before the next `readyok`.
                    self.unprepared = true;
                    self.writer.error(message)?;
                }
                match is_ready_asked {
                    true => self.writer.say(&Answer::ReadyOk),
                    false => Ok(()),
                }
            }
        }
    }

    /// The counts below each turn, and their sum.
    fn tell_counts(&mut self, counts: Option<(Vec<(Path, u64)>, u64)>) -> io::Result<()> {
        let Some((below, total)) = counts else {
            return self.writer.note("perft: stopped");
        };
        let board = self.engine.game().rules().board;
        let mut text = String::new();
        for (path, count) in below {
            text.push_str(&format!("{}: {count}\n", format_path(&path, board)));
        }
        text.push_str(&format!("Nodes searched: {total}"));
        self.writer.text(text)
    }

    /// Ends a search: a last line that fits the answer, if the last one told does not, and the
    /// answer.
    fn answer(&mut self, search: &RunningSearch, result: &SearchResult) -> io::Result<()> {
        let game = Arc::clone(self.engine.game());
        let fits = |line: &Line| {
            let told = search.told_before(line);
            told.is_some_and(|told| is_same_line(told, line))
        };
        if !result.lines.first().is_some_and(fits) {
            for line in &result.lines {
                let line = Line {
                    nodes: result.nodes,
                    time: result.time,
                    ..line.clone()
                };
                let info = reporting::info(&line, &game, self.style());
                self.writer.say(&Answer::Info(info))?;
            }
        }
        let tells_reply = self.engine.settings().ponder && self.dialect == Dialect::Uci;
        let reply = result.ponder.filter(|_| tells_reply);
        let text = |position: &Position, mv: Move| format_move(game.rules(), position, mv);
        let best = result.best;
        self.writer.say(&Answer::BestMove(BestMove {
            best: best.and_then(|best| text(game.position(), best)),
            ponder: best.and_then(|best| text(&game.position().play(best), reply?)),
        }))
    }
}

/// Whether two lines say the same of the best move.
fn is_same_line(told: &Line, line: &Line) -> bool {
    told.bound == line.bound
        && told.depth == line.depth
        && told.score == line.score
        && told.pv == line.pv
}
