//! Searches from `go` to `bestmove`, perft and the benchmark.

use std::io::Write;
use std::sync::Arc;
use std::time::Duration;

use super::{Running, Session};
use crate::board::{Move, Position};
use crate::engine::{Bench, Done, Event};
use crate::instant::Instant;
use crate::network::WdlModel;
use crate::notation::{format_move, format_path};
use crate::protocol::Dialect;
use crate::protocol::answer::{Answer, BestMove};
use crate::protocol::command::BenchCommand;
use crate::protocol::go::GoCommand;
use crate::protocol::info::{Info, InfoScore, ScoreValue};
use crate::rules::{Game, Path, legal_moves};
use crate::search::{Control, Limits, Line, Report, Score, SearchResult, SearchSettings};

/// In a game on a clock, lines found sooner than this are not reported, except for the last: printing
/// them costs thinking time.
const UNTOLD: Duration = Duration::from_millis(20);

/// A running search, from `go` to `bestmove`.
pub(super) struct RunningSearch {
    pub(super) go: GoCommand,
    pub(super) control: Arc<Control>,
    pub(super) limits: Limits,
    /// Whether its perft is running, which a limit of time ends as well.
    pub(super) is_counting: bool,
    /// The last line reported for each rank.
    told: Vec<Line>,
    /// Whether it has failed once and is made again, with one iteration.
    pub(super) has_failed: bool,
}

impl RunningSearch {
    pub(super) fn new(go: GoCommand, control: Arc<Control>, limits: Limits) -> RunningSearch {
        RunningSearch {
            is_counting: go.perft.is_some() && !limits.infinite,
            go,
            control,
            limits,
            told: Vec::new(),
            has_failed: false,
        }
    }

    /// Records a line; returns false if it only repeats the last one of its rank.
    fn is_news(&mut self, line: &Line) -> bool {
        let is_same = |told: &Line| {
            (told.multipv, told.bound, told.depth) == (line.multipv, line.bound, line.depth)
                && (told.score, told.nodes, &told.pv) == (line.score, line.nodes, &line.pv)
        };
        let is_news = !self.told.iter().any(is_same);
        self.told.retain(|told| told.multipv != line.multipv);
        self.told.push(line.clone());
        is_news
    }
}

impl<W: Write> Session<W> {
    pub(super) fn start_search(&mut self, go: GoCommand, control: Arc<Control>, received: Instant) {
        let (limits, notes) = go.limits(self.engine.current.game(), self.dialect);
        let limits = self.engine.with_options(Limits {
            started: Some(received),
            ..limits
        });
        for note in notes {
            self.writer.note(note);
        }
        if self.debug && !limits.strength.is_full() {
            self.writer.note(format!("strength: {}", limits.strength));
        }
        let search = Box::new(RunningSearch::new(go, control, limits));
        if self.hurried {
            return self.answer_unsearched(&search);
        }
        let Some(depth) = search.go.perft else {
            return self.search(search);
        };
        self.engine.perft(depth, Arc::clone(&search.control));
        self.running = Some(Running::Search(search));
    }

    fn search(&mut self, mut search: Box<RunningSearch>) {
        search.is_counting = false;
        self.engine
            .go(search.limits.clone(), Arc::clone(&search.control));
        self.running = Some(Running::Search(search));
    }

    /// Answers without a search: any legal move is better than none.
    fn answer_unsearched(&mut self, search: &RunningSearch) {
        let game = self.engine.current.game();
        let first = legal_moves(game.rules(), game.position()).first().copied();
        let pv = first.into_iter().collect();
        let makeshift = SearchResult::unsearched(pv, Score::DRAW, Duration::ZERO);
        self.answer(search, &makeshift);
    }

    pub(super) fn start_bench(&mut self, command: &BenchCommand, control: Arc<Control>) {
        let defaults = Bench::default();
        let size = |number: Option<u32>| number.and_then(|number| usize::try_from(number).ok());
        let bench = Bench {
            depth: command.depth.unwrap_or(defaults.depth),
            search: SearchSettings {
                threads: size(command.threads).unwrap_or(defaults.search.threads),
                hash_mib: size(command.hash).unwrap_or(defaults.search.hash_mib),
                evaluation: self.engine.settings().search.evaluation.clone(),
                ..defaults.search
            },
        };
        self.count("bench", &control);
        self.engine.bench(bench, control);
    }

    /// Records that `command` starts counting.
    pub(super) fn count(&mut self, command: &'static str, control: &Control) {
        // A held `stop` applies to this as well.
        if self.is_to_be_stopped() {
            control.stop();
        }
        self.running = Some(Running::Count(command));
    }

    pub(super) fn on_engine_event(&mut self, event: Event) {
        match event {
            Event::Report(report) => self.tell(&report),
            Event::Note(note) => self.writer.note(note),
            Event::Error(error) => self.writer.error(error),
            Event::Done(done) => self.finish(done),
        }
    }

    fn tell(&mut self, report: &Report) {
        let Some(Running::Search(search)) = &mut self.running else {
            return;
        };
        let info = match report {
            Report::Line(line) => {
                let on_a_clock = search.limits.clock.is_some() && !search.limits.ponder;
                if on_a_clock && line.time < UNTOLD || !search.is_news(line) {
                    return;
                }
                Some(self.info(line))
            }
            Report::CurrentMove {
                depth,
                current,
                number,
            } => {
                let game = self.engine.current.game();
                let text = format_move(game.rules(), game.position(), *current);
                text.map(|text| Info {
                    depth: Some(*depth),
                    currmove: Some(text),
                    currmovenumber: Some(u32::try_from(*number).unwrap_or(u32::MAX)),
                    ..Info::default()
                })
            }
            Report::NoMate(plies) => {
                let told = search.limits.no_mate(*plies);
                return self.writer.note(told);
            }
        };
        if let Some(info) = info {
            self.writer.say(&Answer::Info(info));
        }
    }

    fn info(&self, line: &Line) -> Info {
        let (game, settings) = (self.engine.current.game(), self.engine.settings());
        let model = || settings.search.evaluation.wdl_model(game.rules());
        info(line, game, self.dialect, settings.show_wdl.then(model))
    }

    fn finish(&mut self, done: Result<Done, String>) {
        let running = self.running.take();
        if matches!(running, Some(Running::Count(_))) {
            self.restart_clocks();
        }
        match (running, done) {
            (Some(Running::Search(search)), Ok(Done::Search(result))) => {
                self.answer(&search, &result);
            }
            (Some(Running::Search(search)), Ok(Done::Perft(counts))) => {
                self.tell_counts(counts);
                self.search(search);
            }
            (Some(Running::Search(mut search)), Err(message)) => {
                self.writer.error(format!("go: {message}"));
                search.told.clear();
                if search.has_failed {
                    return self.answer_unsearched(&search);
                }
                // After a panic the searcher is made anew.
                search.has_failed = true;
                (search.limits.depth, search.limits.mate) = (Some(1), None);
                self.search(search);
            }
            (_, Ok(Done::Perft(counts))) => self.tell_counts(counts),
            (_, Ok(Done::Bench(None))) => self.writer.note("bench: stopped"),
            (_, Ok(Done::Bench(Some(total)))) => {
                let (nodes, speed) = (total.nodes, total.nodes_per_second());
                self.writer.text(format!("{nodes} nodes {speed} nps"));
            }
            (Some(Running::Count(command)), Err(message)) => {
                self.writer.error(format!("{command}: {message}"));
            }
            (running, done) => {
                if let Err(message) = done {
                    // Retried before the next `readyok`.
                    self.unprepared = true;
                    self.writer.error(message);
                }
                if matches!(running, Some(Running::GetReady)) {
                    self.writer.say(&Answer::ReadyOk);
                }
            }
        }
    }

    fn tell_counts(&mut self, counts: Option<(Vec<(Path, u64)>, u64)>) {
        let Some((below, total)) = counts else {
            return self.writer.note("perft: stopped");
        };
        if total == u64::MAX {
            let error = format!("perft: there are more than {total} turns");
            return self.writer.error(error);
        }
        let board = self.engine.current.game().rules().board;
        let turn = |(path, count)| format!("{}: {count}\n", format_path(&path, board));
        let turns: String = below.into_iter().map(turn).collect();
        self.writer.text(format!("{turns}Nodes searched: {total}"));
    }

    /// Ends a search: prints final lines, unless the search has reported them, then the answer.
    fn answer(&mut self, search: &RunningSearch, result: &SearchResult) {
        if search.told.is_empty() {
            for line in &result.lines {
                let info = self.info(&Line {
                    nodes: result.nodes,
                    time: result.time,
                    ..line.clone()
                });
                self.writer.say(&Answer::Info(info));
            }
        }
        let tells_reply = self.engine.settings().ponder && self.dialect == Dialect::Uci;
        let reply = result.ponder.filter(|_| tells_reply);
        let game = self.engine.current.game();
        let text = |position: &Position, mv: Move| format_move(game.rules(), position, mv);
        let best = result.best;
        self.writer.say(&Answer::BestMove(BestMove {
            best: best.and_then(|best| text(game.position(), best)),
            ponder: best.and_then(|best| text(&game.position().play(best), reply?)),
        }));
    }
}

/// The `info` of a line from the current position of `game`, with probabilities by `model`.
fn info(line: &Line, game: &Game, dialect: Dialect, model: Option<WdlModel>) -> Info {
    // Without a legal move there is no search.
    let depth = if line.pv.is_empty() { 0 } else { line.depth };
    let wdl = |model: WdlModel| line.score.win_draw_loss(&model, game.position());
    Info {
        depth: Some(depth),
        seldepth: Some(line.seldepth.max(depth)),
        multipv: Some(u32::try_from(line.multipv.max(1)).unwrap_or(u32::MAX)),
        score: Some(InfoScore {
            value: match line.score.plies_to_end() {
                None => ScoreValue::CentiStones(line.score.raw()),
                // A game already won: `mate 0` would mean a loss.
                Some(0) if line.score > Score::DRAW => ScoreValue::Mate(1),
                Some(plies) => ScoreValue::Mate(dialect.mate_from_plies(plies)),
            },
            bound: line.bound,
        }),
        wdl: model.map(wdl),
        nodes: Some(line.nodes),
        nps: Some(line.nodes_per_second()),
        hashfull: Some(line.hashfull),
        tbhits: Some(line.tablebase_hits),
        time: Some(u64::try_from(line.time.as_millis()).unwrap_or(u64::MAX)),
        pv: variation(&line.pv, game),
        ..Info::default()
    }
}

/// A line as text, up to the end of the game or the first illegal move.
fn variation(moves: &[Move], game: &Game) -> Vec<String> {
    let mut game = game.clone();
    // A game ended by repetition or by the limit is played on.
    let ended_before = game.outcome().is_some();
    let mut texts = Vec::with_capacity(moves.len());
    for &mv in moves {
        let Some(text) = format_move(game.rules(), game.position(), mv) else {
            break;
        };
        if game.play(mv).is_err() {
            break;
        }
        texts.push(text);
        if game.outcome().is_some() && !ended_before {
            break;
        }
    }
    texts
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::Evaluation;
    use crate::notation::{parse_fen, parse_turn};
    use crate::rules::Rules;
    use crate::search::Bound;

    fn game(fen: &str) -> Game {
        let rules = Rules::STANDARD;
        Game::from_position(rules, parse_fen(fen, rules.board).expect(fen))
    }

    fn line(score: Score, pv: Vec<Move>) -> Line {
        Line {
            depth: 3,
            seldepth: 2,
            complete: true,
            multipv: 1,
            score,
            bound: Bound::Exact,
            nodes: 5,
            time: Duration::from_millis(2),
            tablebase_hits: 8,
            hashfull: 0,
            pv,
        }
    }

    fn moves(game: &Game, words: &[&str]) -> Vec<Move> {
        let mut position = *game.position();
        let mut moves = Vec::new();
        for word in words {
            let (_, mv) = parse_turn(word, game.rules(), &position).expect(word);
            moves.push(mv);
            position = position.play(mv);
        }
        moves
    }

    #[test]
    fn a_line_with_everything() {
        let game = Game::new(Rules::STANDARD);
        let pv = moves(&game, &["d3-e3A"]);
        let model = Evaluation::default().wdl_model(game.rules());
        let line = line(Score::win_in(3), pv);
        let told = " depth 3 seldepth 3 multipv 1 score mate 2 wdl 1000 0 0 nodes 5 nps 2500 hashfull 0 tbhits 8 time 2 \
                    pv d3-e3A";
        let info = info(&line, &game, Dialect::Uci, Some(model));
        assert_eq!(info.to_string(), told);
    }

    #[test]
    fn games_that_are_over() {
        let game = game("9/9/9/9/w8 b 0 40");
        for (score, told) in [
            (
                Score::loss_in(0),
                " depth 0 seldepth 2 multipv 1 score mate 0 ",
            ),
            (Score::win_in(0), " score mate 1 "),
        ] {
            let info = info(&line(score, Vec::new()), &game, Dialect::Ugi, None);
            assert!(info.to_string().contains(told), "{info}");
        }
    }

    #[test]
    fn variations_end_with_the_game() {
        let cycle = ["a1-a2", "i5-i4", "a2-a1", "i4-i5"].repeat(3);
        let game = game("8b/9/9/9/w8 w 0 20");
        let pv = moves(&game, &cycle);
        assert_eq!(variation(&pv, &game).len(), 8);
        let mut ended = game.clone();
        for &mv in pv.iter().take(8) {
            ended.play(mv).expect("legal");
        }
        assert_eq!(variation(&pv, &ended).len(), 12);
        // Moves of the wrong side are not legal.
        assert_eq!(variation(pv.get(1..).unwrap_or_default(), &game).len(), 0);
    }
}
