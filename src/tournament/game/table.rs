//! The table at which a game is played: board, clocks, players, and what is written down.

use std::time::Duration;

use super::adjudication::{Adjudicator, Ruling, adjudicators};
use super::checks::{Check, Findings};
use super::{GamePlan, blame};
use crate::board::{Move, Side};
use crate::clock::PlayerClock;
use crate::notation::pgn::{ScoreEntry, Termination};
use crate::notation::{MoveTextError, format_fen, format_move, parse_turn};
use crate::protocol::{
    Dialect, GoCommand, InfoScore, PerPlayer, PositionBase, PositionCommand, ScoreValue,
};
use crate::rules::{Game, tie_winner};
use crate::search::{Bound, Score};
use crate::tournament::engine::{Fault, Player, Searched};
use crate::tournament::record::MoveEntry;
use crate::tournament::settings::EngineSettings;
use crate::tournament::verdict::Verdict;

/// A game under way.
pub(super) struct Table<'a> {
    plan: &'a GamePlan<'a>,
    players: &'a mut [Player; 2],
    pub(super) game: Game,
    base: PositionBase,
    record: Vec<MoveEntry>,
    clocks: PerPlayer<PlayerClock>,
    adjudicators: Vec<Box<dyn Adjudicator + 'a>>,
    findings: Findings,
    /// The first win that each side has announced.
    claims: PerPlayer<Option<String>>,
    broken: [bool; 2],
}

/// An end that is nobody's move.
pub(super) enum End {
    /// The match is to stop now.
    Interrupted,
    /// An engine has lost by its own doing.
    Fault {
        /// Whose.
        side: Side,
        /// What it did.
        fault: Fault,
    },
}

impl<'a> Table<'a> {
    pub(super) fn new(plan: &'a GamePlan<'a>, players: &'a mut [Player; 2]) -> Table<'a> {
        let rules = &plan.rules;
        let start = &plan.opening.start;
        let base = if *start == rules.start() {
            PositionBase::Start
        } else {
            PositionBase::Fen(format_fen(start, rules.board))
        };
        let mut table = Table {
            plan,
            players,
            game: Game::from_position(*rules, *start),
            base,
            record: Vec::new(),
            clocks: PerPlayer {
                white: clock_of(plan.engine(Side::White)),
                black: clock_of(plan.engine(Side::Black)),
            },
            adjudicators: adjudicators(plan.settings, plan.tables),
            findings: Findings::default(),
            claims: PerPlayer::default(),
            broken: [false; 2],
        };
        for &mv in &plan.opening.moves {
            let text = table.text(mv);
            // The book has played every opening out before the match.
            if table.game.play(mv).is_ok() {
                table.record.push(MoveEntry {
                    book: true,
                    ..MoveEntry::new(text)
                });
            }
        }
        table
    }

    /// The engines that cannot be used any more.
    pub(super) fn broken(&self) -> [bool; 2] {
        self.broken
    }

    /// What was played, and what was wrong with it.
    pub(super) fn into_record(self) -> (Vec<MoveEntry>, Findings) {
        (self.record, self.findings)
    }

    /// Lets the side to move play; the verdict if that ends the game.
    pub(super) fn play_move(&mut self) -> Result<Option<Verdict>, End> {
        if let Some(verdict) = self.ending() {
            return Ok(Some(verdict));
        }
        let side = self.game.position().side();
        let expected = self.player(side).pondering();
        let hit = expected.is_some() && self.game.moves().last().copied() == expected;
        let allowance = self.clocks.of(side).allowance();
        let answer = if hit {
            self.player(side).ponder_hit(allowance)
        } else {
            let (position, go) = (self.position(None), self.go(side));
            let player = self.player(side);
            player
                .stop_pondering()
                .and_then(|()| player.search(&position, &go, allowance))
        }
        .map_err(blame(side))?;
        let stray = self.player(side).take_stray_answers();
        self.findings
            .add(side, Check::StrayAnswer, stray, "before a search");
        self.take_time(side, &answer)?;
        let (path, mv) = self.read_move(side, &answer)?;
        self.findings.check_answer(&self.game, &answer, mv);
        let score = self.score(side, &answer);
        let info = answer.info.as_ref();
        self.record.push(MoveEntry {
            score: score.map(ScoreEntry::from),
            depth: info.and_then(|info| info.depth),
            nodes: info.and_then(|info| info.nodes),
            time_ms: Some((answer.elapsed.as_secs_f64() * 1e6).round() / 1e3),
            announced_ms: info.and_then(|info| info.time),
            pondered: hit,
            ..MoveEntry::new(path)
        });
        // What was read as legal can be played.
        let _ = self.game.play(mv);
        if let Some(verdict) = self.ending().or_else(|| self.adjudicate(side, score)) {
            return Ok(Some(verdict));
        }
        if self.plan.engine(side).ponders() {
            self.start_pondering(side, &answer)?;
        }
        Ok(None)
    }

    /// After the game: nobody thinks any more, and what was promised has been kept or not.
    ///
    /// # Errors
    ///
    /// If the match is to stop now.
    pub(super) fn settle(&mut self, verdict: &Verdict) -> Result<(), ()> {
        for side in Side::BOTH {
            let engine = self.plan.engine_of(side);
            if !self.broken[engine] {
                match self.player(side).stop_pondering().map_err(blame(side)) {
                    Ok(()) => {}
                    Err(End::Interrupted) => return Err(()),
                    // The game is over: the engine is replaced, and the result stands.
                    Err(End::Fault { .. }) => self.broken[engine] = true,
                }
            }
            let kept = verdict.winner == Some(side) || verdict.termination != Termination::Normal;
            if let Some(claim) = self.claims.of(side).clone().filter(|_| !kept) {
                self.findings.add(side, Check::BrokenWinClaim, 1, claim);
            }
        }
        Ok(())
    }

    /// The verdict on a fault of `side`'s engine.
    pub(super) fn fault(&mut self, side: Side, fault: Fault) -> Verdict {
        let replaced = !matches!(
            fault.termination,
            Termination::TimeLoss | Termination::IllegalMove
        );
        self.broken[self.plan.engine_of(side)] |= replaced;
        Verdict {
            winner: Some(!side),
            termination: fault.termination,
            reason: format!("{} ({side}) {}", self.plan.name(side), fault.what),
            line: fault.line,
        }
    }

    pub(super) fn player(&mut self, side: Side) -> &mut Player {
        &mut self.players[self.plan.engine_of(side)]
    }

    /// The game so far, and one more move if there is one, for an engine.
    pub(super) fn position(&self, more: Option<&str>) -> PositionCommand {
        let played = self.record.iter().map(|mv| mv.text.clone());
        PositionCommand {
            base: self.base.clone(),
            moves: played.chain(more.map(str::to_owned)).collect(),
        }
    }

    /// What a search of `side` is told.
    pub(super) fn go(&self, side: Side) -> GoCommand {
        let own = self.clocks.of(side);
        let settings = self.plan.engine(side);
        let mut go = GoCommand {
            movetime: own.fixed().map(milliseconds),
            nodes: settings.nodes,
            depth: settings.depth,
            movestogo: own.moves_to_go(),
            ..GoCommand::default()
        };
        if own.clock().is_some() {
            let clock = |side: Side| self.clocks.of(side).clock();
            let time = |side| clock(side).map(|(time, _)| milliseconds(time).cast_signed());
            let increment = |side| clock(side).map(|(_, increment)| milliseconds(increment));
            go.time = PerPlayer {
                white: time(Side::White),
                black: time(Side::Black),
            };
            go.increment = PerPlayer {
                white: increment(Side::White),
                black: increment(Side::Black),
            };
        }
        go
    }

    fn text(&self, mv: Move) -> String {
        format_move(self.game.rules(), self.game.position(), mv).unwrap_or_default()
    }

    /// The end that the rules have brought.
    fn ending(&self) -> Option<Verdict> {
        self.game.outcome().map(|outcome| Verdict {
            winner: outcome.winner,
            termination: Termination::Normal,
            reason: outcome.to_string(),
            line: None,
        })
    }

    fn adjudicate(&mut self, mover: Side, score: Option<Score>) -> Option<Verdict> {
        let mut rulings = self
            .adjudicators
            .iter_mut()
            .map(|adjudicator| adjudicator.after_move(&self.game, mover, score));
        // All of them see every move, whatever the first one says.
        let ruling = rulings.by_ref().find_map(|ruling| ruling);
        rulings.for_each(drop);
        let (winner, reason) = match ruling? {
            Ruling::Win(winner, why) => (Some(winner), format!("{winner} wins: {why}")),
            Ruling::Agreed(why) => match tie_winner(self.game.rules(), self.game.position()) {
                Some(winner) => (Some(winner), format!("{winner} wins by stones: {why}")),
                None => (None, format!("draw: {why}")),
            },
        };
        Some(Verdict {
            winner,
            termination: Termination::Adjudication,
            reason,
            line: None,
        })
    }

    fn take_time(&mut self, side: Side, answer: &Searched) -> Result<(), End> {
        let limited = self.clocks.of(side).allowance().is_some();
        let long = self.plan.settings.patience().long_move;
        let clock = match side {
            Side::White => &mut self.clocks.white,
            Side::Black => &mut self.clocks.black,
        };
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
        Err(End::Fault {
            side,
            fault: Fault {
                termination: Termination::TimeLoss,
                what,
                line: Some(answer.line.clone()),
            },
        })
    }

    /// The move of an answer, in the notation of the record.
    fn read_move(&self, side: Side, answer: &Searched) -> Result<(String, Move), End> {
        let fault = |termination, what| End::Fault {
            side,
            fault: Fault {
                termination,
                what,
                line: Some(answer.line.clone()),
            },
        };
        let (rules, position) = (self.game.rules(), self.game.position());
        let Some(text) = &answer.best.best else {
            let what = "says that there is no move, and there is".to_owned();
            return Err(fault(Termination::IllegalMove, what));
        };
        match parse_turn(text, rules, position) {
            Ok((path, mv)) => Ok((crate::notation::format_path(&path, rules.board), mv)),
            Err(error @ MoveTextError::Illegal { .. }) => Err(fault(
                Termination::IllegalMove,
                format!("played an illegal move: {error}"),
            )),
            Err(error) => Err(fault(
                Termination::UnparsableAnswer,
                format!("gave an answer that is no move: {error}"),
            )),
        }
    }

    /// What the mover thinks of its position; a win that it announces is kept in mind.
    fn score(&mut self, side: Side, answer: &Searched) -> Option<Score> {
        let InfoScore { value, bound } = answer.info.as_ref()?.score?;
        let score = score_of(value, self.plan.engine(side).dialect());
        let claim = match side {
            Side::White => &mut self.claims.white,
            Side::Black => &mut self.claims.black,
        };
        let wins = score.plies_to_end().is_some_and(|plies| plies > 0);
        if wins && bound != Bound::Upper && claim.is_none() {
            let ply = self.record.len() + 1;
            *claim = Some(format!(
                "score {value} at ply {ply}",
                value = ShownScore(value)
            ));
        }
        Some(score)
    }
}

fn clock_of(engine: &EngineSettings) -> PlayerClock {
    PlayerClock::new(engine.tc, engine.fixed_time(), engine.margin())
}

struct ShownScore(ScoreValue);

impl std::fmt::Display for ShownScore {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        InfoScore {
            value: self.0,
            bound: Bound::Exact,
        }
        .fmt(f)
    }
}

fn score_of(value: ScoreValue, dialect: Dialect) -> Score {
    match value {
        ScoreValue::CentiStones(value) => Score::from_centi_stones(value),
        ScoreValue::Mate(mate) => {
            let plies = dialect.plies_from_mate(mate);
            let distance = plies.unsigned_abs().min(Score::MOST_PLIES.unsigned_abs());
            if plies > 0 {
                Score::win_in(distance)
            } else {
                Score::loss_in(distance)
            }
        }
    }
}

fn milliseconds(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

fn seconds(time: Duration) -> String {
    format!("{:.3} s", time.as_secs_f64())
}
