//! Searches from `go` to `bestmove`, and the other long work: perft and the benchmark.

use std::io::{self, Write};
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::reporting::{self, Style};
use super::{Running, Session};
use crate::board::{Move, Position};
use crate::notation::{format_move, format_path};
use crate::protocol::Dialect;
use crate::protocol::answer::{Answer, BestMove};
use crate::protocol::command::BenchCommand;
use crate::protocol::go::GoCommand;
use crate::protocol::jobs::{Counts, Done, Job};
use crate::protocol::search_plan;
use crate::rules::{Game, Path, Rules, legal_moves};
use crate::search::{
    Benchmark, BenchmarkTotal, Bound, Control, Limits, Line, Report, Score, SearchResult,
};

/// In a game on a clock, lines that are found sooner than this are not told, but for the last: nobody
/// could read them, and to write them would take time from the move.
const UNTOLD: Duration = Duration::from_millis(20);

/// A search under way, from `go` to `bestmove`.
pub(super) struct RunningSearch {
    pub(super) go: GoCommand,
    pub(super) control: Arc<Control>,
    pub(super) game: Arc<Game>,
    limits: Limits,
    /// The last line that was told of each of the best moves.
    told: Vec<Line>,
    /// Only the end is told.
    silent: bool,
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
        let game = self.current.game();
        let (mut limits, notes) = search_plan::limits(&go, game, &self.settings, self.dialect);
        limits.started = Some(received);
        let game = Arc::new(game.clone());
        for note in notes {
            self.writer.note(note)?;
        }
        let from_book = self.book_answer(&go, &limits, received)?;
        if self.debug && !limits.strength.is_full() {
            self.writer.note(format!("strength: {}", limits.strength))?;
        }
        if go.perft.is_some() {
            // The counts are what was asked for; the move is there because a `go` has one.
            limits.depth = Some(1);
            limits.multipv = 1;
        }
        let perft = go.perft;
        let search = Box::new(RunningSearch {
            go,
            control,
            game,
            limits,
            told: Vec::new(),
            silent: perft.is_some(),
        });
        if let Some(result) = from_book {
            return self.answer(&search, Ok(result));
        }
        self.worker.submit(match perft {
            Some(depth) => self.perft_job(&search.game, depth, &search.control),
            None => search_job(&search),
        });
        self.running = Some(Running::Search(search));
        Ok(())
    }

    fn perft_job(&self, game: &Game, depth: u32, control: &Arc<Control>) -> Job {
        Job::Perft {
            rules: *game.rules(),
            position: *game.position(),
            depth,
            threads: self.settings.threads,
            control: Arc::clone(control),
        }
    }

    pub(super) fn start_perft(&mut self, depth: u32, control: Arc<Control>) -> io::Result<()> {
        let job = self.perft_job(self.current.game(), depth, &control);
        self.start_count(job, control);
        Ok(())
    }

    pub(super) fn start_benchmark(
        &mut self,
        command: BenchCommand,
        control: Arc<Control>,
    ) -> io::Result<()> {
        let defaults = Benchmark::default();
        let size = |number: Option<u32>| number.and_then(|number| usize::try_from(number).ok());
        let benchmark = Benchmark {
            depth: command.depth.unwrap_or(defaults.depth),
            threads: size(command.threads).unwrap_or(defaults.threads),
            hash_mib: size(command.hash).unwrap_or(defaults.hash_mib),
            evaluation: self.settings.evaluation.clone(),
        };
        self.start_count(Job::Benchmark(benchmark, Arc::clone(&control)), control);
        Ok(())
    }

    fn start_count(&mut self, job: Job, control: Arc<Control>) {
        if self.quitting {
            return;
        }
        // A `stop` that has come already was meant for this too.
        if self.is_to_be_stopped([]) {
            control.stop();
        }
        self.running = Some(Running::Count(control));
        self.worker.submit(job);
    }

    /// Passes on what the running search tells.
    pub(super) fn tell(&mut self, report: &Report) -> io::Result<()> {
        let style = self.style();
        let Some(Running::Search(search)) = &mut self.running else {
            return Ok(());
        };
        if search.silent {
            return Ok(());
        }
        let info = match report {
            Report::Line(line) => {
                let on_a_clock = search.limits.clock.is_some() && !search.limits.ponder;
                if on_a_clock && line.time < UNTOLD || !search.is_news(line) {
                    return Ok(());
                }
                reporting::info(line, &search.game, style)
            }
            Report::CurrentMove {
                depth,
                current,
                number,
            } => match reporting::current_move(&search.game, *depth, *current, *number) {
                Some(info) => info,
                None => return Ok(()),
            },
        };
        self.writer.say(&Answer::Info(info))
    }

    fn style(&self) -> Style {
        Style {
            dialect: self.dialect,
            show_wdl: self.settings.show_wdl.then(|| {
                let rules = self.current.game().rules();
                self.settings.evaluation.win_model(rules)
            }),
        }
    }

    pub(super) fn tell_benchmark(
        &mut self,
        number: usize,
        of: usize,
        fen: &str,
        total: &BenchmarkTotal,
    ) -> io::Result<()> {
        let nodes = total.nodes;
        self.writer.note(format!(
            "bench {number} of {of}, {nodes} nodes so far: {fen}"
        ))
    }

    /// The worker has ended what it was at.
    pub(super) fn finish(&mut self, done: Done) -> io::Result<()> {
        match (self.running.take(), done) {
            (Some(Running::Search(search)), Done::Perft(counts)) => {
                self.tell_counts(counts)?;
                self.worker.submit(search_job(&search));
                self.running = Some(Running::Search(search));
                Ok(())
            }
            (Some(Running::Search(search)), Done::Search(result)) => self.answer(&search, result),
            (_, Done::Perft(counts)) => self.tell_counts(counts),
            (Some(Running::Count(control)), Done::Benchmark(Ok(total))) => {
                if control.is_stopped() {
                    return self.writer.note("bench: stopped");
                }
                let (nodes, speed) = (total.nodes, total.nodes_per_second());
                self.writer.text(format!("{nodes} nodes {speed} nps"))
            }
            (_, Done::Benchmark(Err(message))) => self.writer.error(format!("bench: {message}")),
            (Some(Running::Chore(chore)), Done::Chore(result)) => self.end_chore(chore, result),
            (_, Done::Book(read)) => self.adopt_book(read),
            // The worker ends what it was given, and nothing else.
            _ => Ok(()),
        }
    }

    fn tell_counts(&mut self, counts: Result<Counts, String>) -> io::Result<()> {
        match counts {
            Ok(counts) => match counts.below {
                Some(below) => {
                    let text = divide(&below, counts.depth, self.current.game().rules());
                    self.writer.text(text)
                }
                None => self.writer.note("perft: stopped"),
            },
            Err(message) => self.writer.error(format!("perft: {message}")),
        }
    }

    /// Ends a search: a last line that fits the answer, if the last one told does not, and the
    /// answer.
    fn answer(
        &mut self,
        search: &RunningSearch,
        result: Result<SearchResult, String>,
    ) -> io::Result<()> {
        let game = search.game.as_ref();
        let result = match result {
            Ok(result) => result,
            Err(message) => {
                self.writer.error(format!("go: {message}"))?;
                makeshift(game)
            }
        };
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
                let info = reporting::info(&line, game, self.style());
                self.writer.say(&Answer::Info(info))?;
            }
        }
        let reply = result
            .ponder
            .filter(|_| self.settings.ponder && self.dialect == Dialect::Uci);
        let text = |position: &Position, mv: Move| format_move(game.rules(), position, mv);
        let best = result.best;
        self.writer.say(&Answer::BestMove(BestMove {
            best: best.and_then(|best| text(game.position(), best)),
            ponder: best.and_then(|best| text(&game.position().play(best), reply?)),
        }))
    }
}

fn search_job(search: &RunningSearch) -> Job {
    Job::Search {
        game: Arc::clone(&search.game),
        limits: search.limits.clone(),
        control: Arc::clone(&search.control),
    }
}

/// Whether two lines say the same of the best move.
fn is_same_line(told: &Line, line: &Line) -> bool {
    told.bound == line.bound
        && told.depth == line.depth
        && told.score == line.score
        && told.pv == line.pv
}

/// An answer without a search, so that one that fails does not lose the game as well.
fn makeshift(game: &Game) -> SearchResult {
    let best = legal_moves(game.rules(), game.position()).first().copied();
    SearchResult {
        best,
        ponder: None,
        lines: vec![Line {
            depth: 1,
            seldepth: 1,
            complete: true,
            multipv: 1,
            score: Score::DRAW,
            bound: Bound::Exact,
            nodes: 0,
            time: Duration::ZERO,
            tablebase_hits: 0,
            hashfull: 0,
            pv: best.into_iter().collect(),
        }],
        nodes: 0,
        time: Duration::ZERO,
    }
}

/// The counts below each turn, and their sum.
fn divide(counts: &[(Path, u64)], depth: u32, rules: &Rules) -> String {
    let mut text = String::new();
    for (path, count) in counts {
        text.push_str(&format!("{}: {count}\n", format_path(path, rules.board)));
    }
    let total: u64 = match depth {
        // One position, without any turn played.
        0 => 1,
        _ => counts.iter().map(|(_, count)| count).sum(),
    };
    text.push_str(&format!("Nodes searched: {total}"));
    text
}
