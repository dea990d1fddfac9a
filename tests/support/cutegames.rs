//! Matches with the traffic of CuteGames, line for line.
//!
//! That manager knows no rules: the engines are its referee, it asks them whose
//! turn it is, whether the game is over and who has won, and it sends the whole
//! list of moves again and again. An engine that plays through its games without
//! a fault here will do so there. Unlike the manager, which hangs or ends when
//! an engine does, this driver turns every failure into a value.

use std::fmt;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use super::engine::{Engine, Line, Silence};
use super::settings::{Clocks, Contestant, Limit, Opening, Rules, Who};

/// An engine that needs longer than this for an answer hangs.
const HANG: Duration = Duration::from_secs(60);

/// A match to be played.
#[derive(Debug, Clone)]
pub struct Plan {
    pub contestants: [Contestant; 2],
    pub rules: Rules,
    pub limit: Limit,
    /// Each is played twice with colours swapped; from the first again when
    /// there are more games. Empty: every game from the start.
    pub openings: Vec<Opening>,
    pub games: usize,
    /// Games at a time.
    pub concurrency: usize,
    /// A game that gets longer than this is taken for endless.
    pub max_plies: usize,
    /// The configuration in which both engines are asked before every move
    /// whether the game is over.
    pub ask_both: bool,
}

impl Plan {
    /// A match between the engines that the environment names.
    pub fn new(rules: Rules, limit: Limit, games: usize) -> Self {
        Self {
            contestants: Contestant::both_from_env(),
            rules,
            limit,
            openings: Vec::new(),
            games,
            concurrency: 1,
            max_plies: 5000,
            ask_both: false,
        }
    }

    /// Plays all games; the records in the order of the games.
    pub fn play(&self) -> Vec<GameRecord> {
        let next = AtomicUsize::new(0);
        let records = Mutex::new(Vec::new());
        let worker = || {
            let mut seats = None;
            loop {
                let number = next.fetch_add(1, Ordering::Relaxed);
                if number >= self.games {
                    return;
                }
                let record = self.play_game(number, &mut seats);
                records
                    .lock()
                    .unwrap_or_else(PoisonError::into_inner)
                    .push(record);
            }
        };
        thread::scope(|scope| {
            for _ in 0..self.concurrency.max(1) {
                scope.spawn(worker);
            }
        });
        let mut records = records.into_inner().unwrap_or_else(PoisonError::into_inner);
        records.sort_by_key(|record: &GameRecord| record.number);
        records
    }

    fn play_game(&self, number: usize, seats: &mut Option<[Seat; 2]>) -> GameRecord {
        let opening = match self.openings.len() {
            0 => Opening::default(),
            count => self.openings[number / 2 % count].clone(),
        };
        let mut game = GameRecord {
            number,
            first: Who::BOTH[number % 2],
            opening,
            moves: Vec::new(),
            ending: Ending::Endless,
            reports: Vec::new(),
            complaints: Vec::new(),
            lowest_clock: None,
            slowest_move: Duration::ZERO,
            transcripts: String::new(),
        };
        let mut clocks = self.limit.clocks();
        let ending = match seats {
            Some(seats) => Ok(seats),
            None => Seat::both(self).map(|pair| seats.insert(pair)),
        }
        .and_then(|seats| game.run(self, &mut clocks, seats));
        game.ending = ending.unwrap_or_else(Ending::Fault);
        if let Some(pair) = seats {
            for seat in pair.iter_mut() {
                game.complaints.append(&mut seat.complaints);
            }
            if game.trouble().is_some() {
                for seat in pair {
                    let transcript = seat.engine.transcript();
                    let tail = transcript.lines().rev().take(40).collect::<Vec<_>>();
                    game.transcripts += &format!("--- engine {:?}\n", seat.who);
                    for line in tail.iter().rev() {
                        game.transcripts += &format!("{line}\n");
                    }
                }
            }
        }
        if matches!(game.ending, Ending::Fault(_)) {
            *seats = None; // what such a process says next cannot be trusted
        }
        game
    }
}

/// A failure of an engine that ends the game.
#[derive(Debug, Clone)]
pub struct Fault {
    pub by: Who,
    pub what: String,
}

/// Who has won.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    FirstWins,
    SecondWins,
    Draw,
}

/// What an engine says of a game that is over.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Report {
    pub gameover: bool,
    pub result: String,
}

/// How a game ended.
#[derive(Debug, Clone)]
pub enum Ending {
    /// Both engines report this.
    Agreed(Outcome),
    /// The engines report different results, or none.
    Disagreement,
    /// A clock was at or below 0 when the move came.
    TimeLoss(Who),
    /// An engine died, hung or answered nonsense.
    Fault(Fault),
    /// The game went on beyond the cap.
    Endless,
}

/// One game.
#[derive(Debug, Clone)]
pub struct GameRecord {
    pub number: usize,
    /// Who was player 1, White.
    pub first: Who,
    pub opening: Opening,
    /// The moves after the opening.
    pub moves: Vec<String>,
    pub ending: Ending,
    /// The reports of player 1's and player 2's engine at the end.
    pub reports: Vec<Report>,
    /// Errors that an engine reported; a position with an illegal move is one.
    pub complaints: Vec<String>,
    /// The least time in milliseconds that was left on a clock after a move.
    pub lowest_clock: Option<i64>,
    pub slowest_move: Duration,
    /// The last exchanges, when something went wrong.
    pub transcripts: String,
}

impl GameRecord {
    /// What went wrong, if anything did.
    pub fn trouble(&self) -> Option<String> {
        if let Some(complaint) = self.complaints.first() {
            return Some(complaint.clone());
        }
        match &self.ending {
            Ending::Agreed(_) => None,
            Ending::Disagreement => Some(format!("no agreement: {:?}", self.reports)),
            Ending::TimeLoss(who) => Some(format!("time loss of {who:?}")),
            Ending::Fault(fault) => Some(format!("{:?}: {}", fault.by, fault.what)),
            Ending::Endless => Some("the game does not end".to_owned()),
        }
    }

    /// The outcome for engine A in half points.
    pub fn half_points_of_a(&self) -> Option<u32> {
        let first = match &self.ending {
            Ending::Agreed(Outcome::FirstWins) => 2,
            Ending::Agreed(Outcome::SecondWins) => 0,
            Ending::Agreed(Outcome::Draw) => 1,
            Ending::TimeLoss(who) => return Some(if *who == Who::A { 0 } else { 2 }),
            _ => return None,
        };
        Some(if self.first == Who::A {
            first
        } else {
            2 - first
        })
    }

    fn run(
        &mut self,
        plan: &Plan,
        clocks: &mut Option<Clocks>,
        seats: &mut [Seat; 2],
    ) -> Result<Ending, Fault> {
        let order = [self.first.index(), self.first.other().index()];
        for seat in order {
            seats[seat].is_ready()?;
        }
        for seat in order {
            seats[seat].engine.send("uginewgame");
        }
        let position = self.opening.position(&[]);
        seats[order[0]].is_first_players_turn(&position)?;
        loop {
            let position = self.opening.position(&self.moves);
            let first_to_move = seats[order[0]].is_first_players_turn(&position)?;
            let player = usize::from(!first_to_move);
            let (us, them) = (order[player], order[1 - player]);
            seats[us].is_ready()?;
            seats[us].engine.send(&position);
            if seats[us].is_gameover(&position)?
                || plan.ask_both && seats[them].is_gameover(&position)?
            {
                return self.agree(seats, order, &position);
            }
            if self.moves.len() >= plan.max_plies {
                return Ok(Ending::Endless);
            }
            let patience = HANG + thinking_time(plan.limit, clocks.as_ref());
            let go = plan.limit.go(clocks.as_ref());
            let (turn, spent) = seats[us].go(&go, patience)?;
            self.slowest_move = self.slowest_move.max(spent);
            if let Some(clocks) = clocks {
                let in_time = clocks.charge(player, spent);
                let left = clocks.left(player);
                self.lowest_clock = Some(self.lowest_clock.map_or(left, |low| low.min(left)));
                if !in_time {
                    return Ok(Ending::TimeLoss(seats[us].who));
                }
            }
            self.moves.push(turn);
        }
    }

    /// Asks both engines how the game has ended.
    fn agree(
        &mut self,
        seats: &mut [Seat; 2],
        order: [usize; 2],
        position: &str,
    ) -> Result<Ending, Fault> {
        for seat in order {
            let seat = &mut seats[seat];
            seat.is_ready()?;
            seat.engine.send(position);
            let gameover = seat.is_gameover(position)?;
            let result = seat.result(position)?;
            self.reports.push(Report { gameover, result });
        }
        let agreed = self.reports[0] == self.reports[1] && self.reports[0].gameover;
        Ok(match (agreed, self.reports[0].result.as_str()) {
            (true, "p1win") => Ending::Agreed(Outcome::FirstWins),
            (true, "p2win") => Ending::Agreed(Outcome::SecondWins),
            (true, "draw") => Ending::Agreed(Outcome::Draw),
            _ => Ending::Disagreement,
        })
    }
}

impl fmt::Display for GameRecord {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            out,
            "game {}, {:?} first, {} plies, {:?}: {}",
            self.number + 1,
            self.first,
            self.moves.len(),
            self.ending,
            self.opening.position(&self.moves)
        )
    }
}

fn thinking_time(limit: Limit, clocks: Option<&Clocks>) -> Duration {
    let milliseconds = match (limit, clocks) {
        (_, Some(clocks)) => clocks.left(0).max(clocks.left(1)),
        (Limit::Movetime(time), None) => i64::try_from(time).unwrap_or(0),
        _ => 0,
    };
    Duration::from_millis(u64::try_from(milliseconds).unwrap_or(0))
}

/// An engine at the board.
pub struct Seat {
    pub who: Who,
    pub engine: Engine,
    /// The errors it has reported since they were last taken away.
    pub complaints: Vec<String>,
}

impl Seat {
    /// Both engines of a match, started.
    pub fn both(plan: &Plan) -> Result<[Self; 2], Fault> {
        Ok([Self::start(plan, Who::A)?, Self::start(plan, Who::B)?])
    }

    /// Starts an engine and sends its options.
    fn start(plan: &Plan, who: Who) -> Result<Self, Fault> {
        let contestant = &plan.contestants[who.index()];
        let mut engine = Engine::spawn(&contestant.path, &[]);
        engine.keep_transcript(400);
        let mut seat = Self {
            who,
            engine,
            complaints: Vec::new(),
        };
        seat.engine.send("ugi");
        seat.wait(HANG, "ugiok", |line| line == "ugiok")?;
        let mut options = plan.rules.options();
        options.extend_from_slice(&contestant.options);
        if who == Who::B {
            options.reverse(); // the manager sends them in no fixed order
        }
        for (name, value) in options {
            seat.engine
                .send(&format!("setoption name {name} value {value}"));
        }
        seat.is_ready()?;
        Ok(seat)
    }

    /// The first line that is `wanted`; errors on the way are kept.
    pub fn wait(
        &mut self,
        timeout: Duration,
        what: &str,
        wanted: impl FnMut(&str) -> bool,
    ) -> Result<Line, Fault> {
        let by = self.who;
        let fault = |what: String| Fault { by, what };
        let mut lines = match self.engine.wait_for(timeout, wanted) {
            Ok(lines) => lines,
            Err(Silence::Closed) => return Err(fault(format!("died, {what} was awaited"))),
            Err(Silence::Timeout) => return Err(fault(format!("hangs, {what} was awaited"))),
        };
        let last = lines
            .pop()
            .ok_or_else(|| fault(format!("no {what} at all")))?;
        let errors = lines
            .iter()
            .filter(|line| line.text.starts_with("info string error"));
        self.complaints
            .extend(errors.map(|line| format!("{by:?} says: {}", line.text)));
        Ok(last)
    }

    pub fn is_ready(&mut self) -> Result<(), Fault> {
        self.engine.send("isready");
        self.wait(HANG, "readyok", |line| line == "readyok")
            .map(|_| ())
    }

    pub fn is_first_players_turn(&mut self, position: &str) -> Result<bool, Fault> {
        self.response(position, "p1turn").map(|word| word == "true")
    }

    pub fn is_gameover(&mut self, position: &str) -> Result<bool, Fault> {
        self.response(position, "gameover")
            .map(|word| word == "true")
    }

    pub fn result(&mut self, position: &str) -> Result<String, Fault> {
        self.response(position, "result")
    }

    /// Sends the position and a query; the word of the answer.
    fn response(&mut self, position: &str, what: &str) -> Result<String, Fault> {
        self.engine.send(&format!("{position}\nquery {what}"));
        let line = self.wait(HANG, "a response", |line| {
            second_word("response", line).is_some()
        })?;
        Ok(second_word("response", &line.text)
            .unwrap_or_default()
            .to_owned())
    }

    /// Lets the engine think; its move and the time it took.
    pub fn go(&mut self, go: &str, patience: Duration) -> Result<(String, Duration), Fault> {
        let start = Instant::now();
        self.engine.send(go);
        let line = self.wait(patience, "a bestmove of two words", |line| {
            second_word("bestmove", line).is_some()
        })?;
        let turn = second_word("bestmove", &line.text)
            .unwrap_or_default()
            .to_owned();
        Ok((turn, line.at.saturating_duration_since(start)))
    }
}

impl Drop for Seat {
    fn drop(&mut self) {
        self.engine.send("quit"); // and the kill follows at once
    }
}

/// The second word of a line of exactly two words that begins with `first`.
fn second_word<'a>(first: &str, line: &'a str) -> Option<&'a str> {
    let mut words = line.split_whitespace();
    match (words.next(), words.next(), words.next()) {
        (Some(word), Some(second), None) if word == first => Some(second),
        _ => None,
    }
}
