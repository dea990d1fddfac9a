//! The referee of a game: board, clocks, players, record.

use std::time::{Duration, Instant};

use super::adjudication::Adjudicator;
use super::checks::{Check, add_finding, check_answer};
use super::{GameResult, GameSetup};
use crate::clock::PlayerClock;
use crate::tournament::engine::{Player, SearchAnswer, Trouble};
use crate::tournament::record::{GameEntry, MoveEntry};
use vato_engine::board::{Move, Side};
use vato_engine::notation::{MoveTextError, format_fen, format_move, format_path, parse_turn};
use vato_engine::protocol::{Dialect, GoCommand, InfoScore, PositionCommand, ScoreValue};
use vato_engine::rules::Game;
use vato_engine::search::{Bound, Score, ScoreEntry};
use vato_records::pgn::Termination;

/// The word in place of a move by which an engine resigns.
const RESIGN: &str = "resign";

/// A game under way. Arrays have an entry for each side.
pub(in crate::tournament) struct Referee<'a> {
    setup: &'a GameSetup<'a>,
    players: &'a mut [Player; 2],
    game: Game,
    entry: GameEntry,
    clocks: [PlayerClock; 2],
    adjudicator: Adjudicator<'a>,
    /// The first win that each side has announced.
    claims: [Option<String>; 2],
}

/// Why no further move is played: the result of the game; `None`: the match is to stop now.
type End = Option<GameResult>;

impl<'a> Referee<'a> {
    /// A game between White's engine and Black's, which are ready for it.
    pub(in crate::tournament) fn new(
        setup: &'a GameSetup<'a>,
        players: &'a mut [Player; 2],
    ) -> Referee<'a> {
        let mut referee = Referee {
            setup,
            players,
            game: Game::from_position(setup.rules, setup.opening.start),
            entry: setup.begun(),
            clocks: Side::BOTH.map(|side| {
                let engine = setup.engine(side);
                let fixed = engine.st.map(Duration::from_secs_f64);
                PlayerClock::new(engine.tc, fixed, engine.margin())
            }),
            adjudicator: Adjudicator::new(setup.settings, setup.resources.tables.as_ref()),
            claims: [None, None],
        };
        for &mv in &setup.opening.moves {
            let game = &mut referee.game;
            let text = format_move(game.rules(), game.position(), mv).unwrap_or_default();
            // Every opening has been played out before the match.
            if game.play(mv).is_ok() {
                referee.entry.opening.moves.push(text.clone());
                referee.add_move(MoveEntry {
                    book: true,
                    text,
                    ..MoveEntry::default()
                });
            }
        }
        referee
    }

    /// Plays the game to its end; `None` if the match is to stop now. If moves are to be told, `tell` hears of the game
    /// before each.
    pub(in crate::tournament) fn play(mut self, tell: &dyn Fn(GameEntry)) -> Option<GameEntry> {
        let clock = Instant::now();
        let result = loop {
            if self.setup.resources.tells_moves {
                tell(self.entry.clone());
            }
            if let Err(end) = self.play_move() {
                break end?;
            }
        };
        for side in Side::BOTH {
            if !self.player(side).is_broken {
                match self.player(side).stop_pondering() {
                    Ok(()) => {}
                    Err(Trouble::Interrupted) => return None,
                    // The game is over: the engine is replaced, and the result stands.
                    Err(Trouble::Fault(..)) => self.player(side).is_broken = true,
                }
            }
            let kept = result.winner == Some(side) || result.termination != Termination::Normal;
            if let Some(claim) = self.claims[side.index()].take().filter(|_| !kept) {
                let engine = self.setup.name(side);
                let findings = &mut self.entry.checks;
                add_finding(findings, engine, Check::BrokenWinClaim, 1, claim);
            }
        }
        self.entry.seconds = (clock.elapsed().as_secs_f64() * 1e3).round() / 1e3;
        Some(self.setup.finished(self.entry, result))
    }

    fn add_move(&mut self, mv: MoveEntry) {
        self.entry.moves.push(mv);
        self.entry.plies += 1;
    }

    fn play_move(&mut self) -> Result<(), End> {
        self.check_end()?;
        let side = self.game.position().side();
        let expected = self.player(side).pondering;
        let hit = expected.is_some() && self.game.moves().last().copied() == expected;
        let allowance = self.clocks[side.index()].allowance();
        let answer = if hit {
            self.player(side).ponder_hit(allowance)
        } else {
            let (position, go) = (self.position(None), self.go(side));
            let player = self.player(side);
            player
                .stop_pondering()
                .and_then(|()| player.search(&position, &go, allowance, &mut |_, _| ()))
        };
        let answer = answer.map_err(|trouble| self.end_by(side, trouble))?;
        let stray = std::mem::take(&mut self.player(side).stray_answers);
        let (engine, findings) = (self.setup.name(side), &mut self.entry.checks);
        let when = "before a search";
        add_finding(findings, engine, Check::StrayAnswer, stray, when);
        let clock = &self.clocks[side.index()];
        if clock.is_late(answer.elapsed) {
            let milliseconds = 1e3 * answer.elapsed.as_secs_f64();
            let example = format!("ply {}, {milliseconds:.1} ms", self.entry.plies + 1);
            add_finding(findings, engine, Check::LateAnswer, 1, example);
        }
        let in_time = self.take_time(side, &answer);
        if in_time.is_ok() && answer.best.best.as_deref() == Some(RESIGN) {
            let reason = format!("{engine} ({side}) resigns");
            let result = GameResult::new(Some(!side), Termination::Resignation, reason);
            return Err(Some(result));
        }
        let turn = in_time.and_then(|()| self.read_move(&answer));
        let (path, mv) = turn.map_err(|trouble| self.end_by(side, trouble))?;
        check_answer(&mut self.entry.checks, engine, &self.game, &answer, mv);
        let score = self.score(side, &answer);
        let info = answer.reports.scored.as_ref();
        self.add_move(MoveEntry {
            score: score.map(ScoreEntry::from),
            depth: info.and_then(|info| info.depth),
            seldepth: info.and_then(|info| info.seldepth),
            nodes: info.and_then(|info| info.nodes),
            time_ms: Some((answer.elapsed.as_secs_f64() * 1e6).round() / 1e3),
            announced_ms: info.and_then(|info| info.time),
            pondered: hit,
            text: path,
            ..MoveEntry::default()
        });
        // It was checked to be legal.
        let _ = self.game.play(mv);
        self.check_end()?;
        if let Some(result) = self.adjudicator.after_move(&self.game, side, score) {
            return Err(Some(result));
        }
        if self.setup.engine(side).ponders() {
            self.start_pondering(side, &answer)?;
        }
        Ok(())
    }

    /// Lets `side` ponder the expected reply: the one that `bestmove` names (UCI), else the second move
    /// of its `pv`. Without a legal one it does not ponder.
    fn start_pondering(&mut self, side: Side, answer: &SearchAnswer) -> Result<(), End> {
        let expected = answer.best.ponder.as_ref().or_else(|| {
            let pv = &answer.reports.pv;
            let begins = pv.first() == answer.best.best.as_ref();
            pv.get(1).filter(|_| begins)
        });
        let mut ahead = self.game.clone();
        let Some(text) = expected else {
            return Ok(());
        };
        let mv = match parse_turn(text, ahead.rules(), ahead.position()) {
            Ok((_, mv)) if ahead.play(mv).is_ok() && ahead.outcome().is_none() => mv,
            _ => return Ok(()),
        };
        let (position, go) = (self.position(Some(text)), self.go(side));
        self.player(side)
            .ponder(&position, &go, mv)
            .map_err(|trouble| self.end_by(side, trouble))
    }

    fn player(&mut self, side: Side) -> &mut Player {
        &mut self.players[side.index()]
    }

    /// The end of the game by a failure of the engine of `side`.
    fn end_by(&mut self, side: Side, trouble: Trouble) -> End {
        let Trouble::Fault(termination, what, line) = trouble else {
            return None;
        };
        let is_sound = [Termination::TimeLoss, Termination::IllegalMove].contains(&termination);
        self.player(side).is_broken |= !is_sound;
        Some(GameResult {
            winner: Some(!side),
            termination,
            reason: format!("{} ({side}) {what}", self.setup.name(side)),
            line,
        })
    }

    /// The game so far, and one more move if there is one, for an engine.
    fn position(&self, more: Option<&str>) -> PositionCommand {
        let played = self.entry.moves.iter().map(|mv| &*mv.text);
        let moves: Vec<&str> = played.chain(more).collect();
        PositionCommand {
            fen: self.entry.opening.fen.clone(),
            moves: moves.join(" "),
        }
    }

    fn go(&self, side: Side) -> GoCommand {
        let own = &self.clocks[side.index()];
        let settings = self.setup.engine(side);
        let mut go = GoCommand {
            movetime: own.fixed.map(milliseconds),
            nodes: settings.nodes,
            depth: settings.depth,
            movestogo: own.clock().and_then(|clock| clock.moves_to_go),
            ..GoCommand::default()
        };
        if own.clock().is_some() {
            let clocks = [0, 1].map(|side| self.clocks[side].clock());
            go.time = clocks.map(|clock| Some(milliseconds(clock?.remaining).cast_signed()));
            go.increment = clocks.map(|clock| Some(milliseconds(clock?.increment)));
        }
        go
    }

    /// Whether the rules have ended the game.
    fn check_end(&self) -> Result<(), End> {
        self.game.outcome().map_or(Ok(()), |outcome| {
            let reason = outcome.to_string();
            let result = GameResult::new(outcome.winner, Termination::Normal, reason);
            Err(Some(result))
        })
    }

    fn take_time(&mut self, side: Side, answer: &SearchAnswer) -> Result<(), Trouble> {
        let clock = &mut self.clocks[side.index()];
        let limited = clock.allowance().is_some();
        let long = self.setup.settings.timeouts().long_move;
        let seconds = |time: Duration| format!("{:.3} s", time.as_secs_f64());
        let what = match clock.spend(answer.elapsed) {
            Err(fallen) => format!(
                "lost on time: used {} of {}",
                seconds(fallen.used),
                seconds(fallen.had)
            ),
            Ok(()) if !limited && answer.elapsed > long => {
                format!("took more than {} for a move", seconds(long))
            }
            Ok(()) => return Ok(()),
        };
        Err(answer.fault(Termination::TimeLoss, what))
    }

    /// The move of an answer, in the notation of the record.
    fn read_move(&self, answer: &SearchAnswer) -> Result<(String, Move), Trouble> {
        let (rules, position) = (self.game.rules(), self.game.position());
        let Some(text) = &answer.best.best else {
            // `0000` is how a pass is written as well.
            if let Some(pass) = format_move(rules, position, Move::PASS) {
                return Ok((pass, Move::PASS));
            }
            let what = "says that there is no move, and there is".to_owned();
            return Err(answer.fault(Termination::IllegalMove, what));
        };
        match parse_turn(text, rules, position) {
            Ok((path, mv)) => Ok((format_path(&path, rules.board), mv)),
            Err(error @ MoveTextError::Illegal { .. }) => {
                let fen = format_fen(position, rules.board);
                let what = format!("played an illegal move: {error}; position {fen}");
                Err(answer.fault(Termination::IllegalMove, what))
            }
            Err(error) => {
                let what = format!("gave an answer that is no move: {error}");
                Err(answer.fault(Termination::UnparsableAnswer, what))
            }
        }
    }

    /// The mover's score; the first announced win is kept for the check at the end.
    fn score(&mut self, side: Side, answer: &SearchAnswer) -> Option<Score> {
        let InfoScore { value, bound } = answer.reports.scored.as_ref()?.score?;
        let score = score_of(value, self.setup.engine(side).dialect());
        let claim = &mut self.claims[side.index()];
        let wins = score.plies_to_end().is_some_and(|plies| plies > 0);
        if wins && bound != Bound::Upper && claim.is_none() {
            let bound = Bound::Exact;
            let ply = self.entry.plies + 1;
            *claim = Some(format!("score {} at ply {ply}", InfoScore { value, bound }));
        }
        Some(score)
    }
}

fn score_of(value: ScoreValue, dialect: Dialect) -> Score {
    match value {
        ScoreValue::CentiStones(value) => Score::from_centi_stones(value),
        ScoreValue::Mate(mate) => {
            let plies = dialect.plies_from_mate(mate);
            let distance = plies.unsigned_abs().min(Score::MOST_PLIES.unsigned_abs());
            match plies > 0 {
                true => Score::win_in(distance),
                false => Score::loss_in(distance),
            }
        }
    }
}

fn milliseconds(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}
