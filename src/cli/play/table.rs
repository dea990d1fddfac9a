//! The state of a game of a person against the engine: turns, clocks, what was taken back, how it ended.

use std::time::{Duration, SystemTime};

use vato_engine::board::{Move, Position, Side};
use vato_engine::notation::{format_path, parse_turn};
use vato_engine::rules::{Capture, Game, Path, shortest_path};
use vato_engine::search::{Clock, SearchResult, Strength};
use vato_engine::text::{named_enum, timestamp};
use vato_records::pgn::{
    GameRecord, Nag, RecordFault, RecordResult, Termination, Variation, move_comment,
};
use vato_records::read_turn;
use vato_tools::clock::{PlayerClock, TimeControl};

/// What a person is told: what was done (nothing, if that is seen anyway), or as an error why it was not done.
pub type Told = Result<String, String>;

const WHICH: &str = "capture by approach (a) or by withdrawal (w)?";

/// Tags determined by the game; all other tags of a record that was read are kept.
const OWN_TAGS: [&str; 8] = [
    "Result",
    "Variant",
    "Rules",
    "SetUp",
    "FEN",
    "Termination",
    "PlyCount",
    "TimeControl",
];

named_enum! {
    /// Which sides people play; the engine plays the others.
    #[derive(Default, clap::ValueEnum)]
    pub enum Player {
        #[default]
        White = "white",
        Black = "black",
        Both = "both",
        /// The engine plays itself.
        #[value(name = "none")]
        Neither = "none",
    }
}

impl Player {
    pub fn plays(self, side: Side) -> bool {
        match self {
            Player::White => side == Side::White,
            Player::Black => side == Side::Black,
            Player::Both => true,
            Player::Neither => false,
        }
    }
}

/// A turn that was played.
#[derive(Clone, Debug)]
pub struct Turn {
    /// The position before it.
    pub before: Position,
    mv: Move,
    /// Step by step, in notation.
    pub text: String,
    /// Its comment in a record; `+0.35/12 0.840s` for a move of the engine.
    comment: Option<String>,
    /// What the record that it was read from has besides.
    annotations: Vec<Nag>,
    variations: Vec<Variation>,
    /// The clocks before it.
    clocks: Option<[PlayerClock; 2]>,
}

pub struct Table {
    pub player: Player,
    /// Playing strength of the engine.
    pub level: u32,
    control: Option<TimeControl>,
    /// The seed of a weakened engine's mistakes in this game.
    pub seed: u64,
    /// The game after the last complete turn.
    pub game: Game,
    /// The turns played, oldest first.
    pub turns: Vec<Turn>,
    /// Turns taken back; the last one is replayed first.
    undone: Vec<Turn>,
    /// An end not given by the rules: who has lost, and how.
    declared: Option<(Side, Termination)>,
    clocks: Option<[PlayerClock; 2]>,
    /// The time the side to move has used for this turn.
    spent: Duration,
    /// The turns that the one typed last may be, while the person is asked which.
    asked: Vec<(Path, Move)>,
    /// Whether the engine does not move for now, and no clock runs.
    pub paused: bool,
    pub unsaved: bool,
    /// The record that the game was read from.
    read: Option<GameRecord>,
}

impl Table {
    pub fn new(game: Game, player: Player, level: u32, control: Option<TimeControl>) -> Table {
        let clock = |control| PlayerClock::new(Some(control), None, Duration::ZERO);
        Table {
            player,
            level,
            control,
            seed: Strength::drawn_seed(),
            game,
            turns: Vec::new(),
            undone: Vec::new(),
            declared: None,
            clocks: control.map(|control| [clock(control), clock(control)]),
            spent: Duration::ZERO,
            asked: Vec::new(),
            paused: false,
            unsaved: false,
            read: None,
        }
    }

    /// Begins another game by the same rules, from the same start.
    pub fn begin_anew(&mut self) -> Told {
        let game = self.game.truncated(0);
        *self = Table::new(game, self.player, self.level, self.control);
        Ok("a new game".to_owned())
    }

    /// Continues the game of a record. If it does not replay, the current game stays.
    pub fn take_over(&mut self, record: GameRecord) -> Result<(), RecordFault> {
        let game = record.replay()?;
        let mut turns = Vec::new();
        let mut before = *game.start();
        for mv in record.moves() {
            // All moves were validated by the replay.
            let Ok((path, played)) = parse_turn(mv.text(), game.rules(), &before) else {
                break;
            };
            turns.push(Turn {
                before,
                mv: played,
                text: format_path(&path, game.rules().board),
                comment: mv.comment.clone(),
                annotations: mv.annotations().to_vec(),
                variations: mv.variations.to_vec(),
                clocks: None,
            });
            before = before.play(played);
        }
        *self = Table {
            turns,
            read: Some(record),
            ..Table::new(game, self.player, self.level, self.control)
        };
        Ok(())
    }

    pub fn side(&self) -> Side {
        self.game.position().side()
    }

    pub fn is_over(&self) -> bool {
        self.declared.is_some() || self.game.outcome().is_some()
    }

    /// How the game ended, such as `White wins: Black has resigned`; `None` while it is in progress.
    pub fn ending(&self) -> Option<String> {
        let Some((loser, how)) = self.declared else {
            return self.game.outcome().map(|outcome| outcome.to_string());
        };
        let what = match how {
            Termination::Resignation => "resigned",
            _ => "no time left",
        };
        Some(format!("{} wins: {loser} has {what}", !loser))
    }

    fn is_players_turn(&self) -> bool {
        !self.is_over() && self.player.plays(self.side())
    }

    pub fn is_engines_turn(&self) -> bool {
        !self.paused && !self.is_over() && !self.player.plays(self.side())
    }

    /// Whether leaving the game now would lose turns.
    pub fn is_unsaved(&self) -> bool {
        self.unsaved && !self.turns.is_empty()
    }

    /// Whether the person is asked by which capture the turn typed last goes on.
    pub fn is_asking(&self) -> bool {
        !self.asked.is_empty()
    }

    /// Whether moves may be shown what they were worth: that would be help.
    pub fn may_review(&self) -> bool {
        self.clocks.is_none() || self.is_over()
    }

    /// Refuses what only the person to move may do now.
    pub fn require_turn(&self) -> Result<(), String> {
        if self.is_over() {
            Err("the game is over".to_owned())
        } else if self.paused {
            Err("the game is paused".to_owned())
        } else if !self.is_players_turn() {
            Err(format!("it is {}'s turn", self.side()))
        } else {
            Ok(())
        }
    }

    /// Plays a turn as a person types it, or asks which one it is.
    pub fn typed(&mut self, text: &str) -> Told {
        self.require_turn()?;
        let turns = read_turn(text, self.game.rules(), self.game.position());
        self.play_or_ask(turns.map_err(|error| error.to_string())?)
    }

    pub fn choose(&mut self, capture: Capture) -> Told {
        let mut turns = self.asked.clone();
        if let Some(step) = difference(&turns) {
            turns.retain(|(path, _)| path.steps[step].capture == Some(capture));
        }
        match turns.is_empty() {
            true => Err("there is nothing to choose between".to_owned()),
            false => self.play_or_ask(turns),
        }
    }

    fn play_or_ask(&mut self, mut turns: Vec<(Path, Move)>) -> Told {
        if difference(&turns).is_some() {
            self.asked = turns;
            return Ok(WHICH.to_owned());
        }
        if let Some((path, mv)) = turns.pop() {
            self.commit(&path, mv, None)?;
        }
        Ok(String::new())
    }

    /// A person that cannot move passes without being asked.
    pub fn pass(&mut self) -> Option<String> {
        let (rules, position) = (self.game.rules(), self.game.position());
        let pass = shortest_path(rules, position, Move::PASS)?;
        if self.paused || !self.is_players_turn() {
            return None;
        }
        let told = format!("{} cannot move, and passes", self.side());
        self.commit(&pass, Move::PASS, None).err().or(Some(told))
    }

    /// Plays the move that a search of the engine has found.
    pub fn play_found(&mut self, result: &SearchResult) -> Result<(), String> {
        let (rules, position) = (self.game.rules(), self.game.position());
        let best = result.best;
        let best = best.and_then(|mv| Some((shortest_path(rules, position, mv)?, mv)));
        let (path, mv) = best.ok_or("the engine has found no move")?;
        // Time while the process is stopped counts for the search, not for the game.
        let seconds = result.time.min(self.spent).as_secs_f64();
        let line = result.lines.first();
        let comment =
            line.map(|line| move_comment(Some(line.score.into()), Some(line.depth), seconds));
        self.commit(&path, mv, comment)
    }

    /// Plays a turn known to be legal.
    fn commit(&mut self, path: &Path, mv: Move, comment: Option<String>) -> Result<(), String> {
        let turn = Turn {
            before: *self.game.position(),
            mv,
            text: format_path(path, self.game.rules().board),
            comment,
            annotations: Vec::new(),
            variations: Vec::new(),
            clocks: self.clocks.clone(),
        };
        let played = self.game.play(mv);
        played.map_err(|error| format!("'{}': {error}", turn.text))?;
        let mover = turn.before.side();
        self.turns.push(turn);
        self.undone.clear();
        if let Some(clocks) = &mut self.clocks
            && clocks[mover.index()].spend(self.spent).is_err()
        {
            self.declared = Some((mover, Termination::TimeLoss));
        }
        self.leave_position();
        Ok(())
    }

    pub fn resign(&mut self) -> Told {
        if self.is_over() {
            return Err("the game is over".to_owned());
        }
        if !self.is_players_turn() {
            return Err("only the player to move can resign".to_owned());
        }
        self.declare(Termination::Resignation);
        Ok(String::new())
    }

    /// Ends the game otherwise than by the rules: the side to move has lost.
    fn declare(&mut self, how: Termination) {
        self.declared = Some((self.side(), how));
        self.unsaved = true;
        self.asked.clear();
    }

    /// Clears what belonged to the position: another one is reached.
    fn leave_position(&mut self) {
        self.unsaved = true;
        self.asked.clear();
        self.spent = Duration::ZERO;
    }

    /// Sets which sides people play.
    pub fn seat(&mut self, player: Player) -> Told {
        self.player = player;
        self.asked.clear();
        self.paused = false;
        Ok(format!("people play: {player}"))
    }

    /// Undoes the last action of a person: an open choice of capture, a resignation, or the last turn of a person together
    /// with the engine's reply.
    pub fn take_back(&mut self) -> Told {
        if self.is_asking() {
            self.asked.clear();
            return Ok(String::new());
        }
        if let Some((_, Termination::Resignation)) = self.declared {
            self.declared = None;
            self.unsaved = true;
            return Ok(String::new());
        }
        let player = self.player;
        if player == Player::Neither && !self.paused && !self.is_over() {
            return Err("pause the game first".to_owned());
        }
        let kept = match player {
            Player::Neither => self.turns.len().checked_sub(1),
            _ => self.turns.iter().rposition(|turn| self.is_own(turn)),
        };
        let kept = kept.ok_or("there is nothing to take back")?;
        let taken = self.turns.split_off(kept);
        if let Some(clocks) = taken.first().and_then(|turn| turn.clocks.clone()) {
            self.clocks = Some(clocks);
        }
        let count = taken.len();
        self.undone.extend(taken.into_iter().rev());
        self.declared = None;
        // Otherwise the engine, playing both sides, would move again at once.
        self.paused |= player == Player::Neither;
        self.replay();
        Ok(match count {
            1 => "one turn taken back".to_owned(),
            _ => format!("{count} turns taken back"),
        })
    }

    /// Whether a person has chosen this turn.
    fn is_own(&self, turn: &Turn) -> bool {
        self.player.plays(turn.before.side()) && turn.mv != Move::PASS
    }

    /// Replays turns taken back, up to the next turn of a person.
    pub fn redo(&mut self) -> Told {
        if self.undone.is_empty() {
            return Err("nothing was taken back".to_owned());
        }
        if let Some(ending) = self.ending().filter(|_| self.declared.is_some()) {
            return Err(format!("the game is over ({ending})"));
        }
        while let Some(turn) = self.undone.pop() {
            self.turns.push(turn);
            let next = self.undone.last();
            if next.is_none_or(|next| self.player == Player::Neither || self.is_own(next)) {
                break;
            }
        }
        self.replay();
        Ok(String::new())
    }

    /// Rebuilds the game from the turns.
    fn replay(&mut self) {
        self.game = self.game.truncated(0);
        for turn in &self.turns {
            // They were legal when first played.
            if self.game.play(turn.mv).is_err() {
                break;
            }
        }
        self.leave_position();
    }

    pub fn elapse(&mut self, time: Duration) {
        if self.paused || self.is_over() {
            return;
        }
        self.spent += time;
        let allowance = self.clock().and_then(PlayerClock::allowance);
        if allowance.is_some_and(|most| self.spent > most) {
            self.declare(Termination::TimeLoss);
        }
    }

    /// The clock of the side to move.
    fn clock(&self) -> Option<&PlayerClock> {
        Some(&self.clocks.as_ref()?[self.side().index()])
    }

    /// The time until the side to move loses on time if it does not move; `None` if no clock runs.
    pub fn time_to_flag(&self) -> Option<Duration> {
        if self.paused || self.is_over() {
            return None;
        }
        let most = self.clock()?.allowance()?;
        // The flag falls only once the time is exceeded.
        Some(most.saturating_sub(self.spent) + Duration::from_nanos(1))
    }

    /// The clock of the side to move in the form of the search.
    pub fn search_clock(&self) -> Option<Clock> {
        let clock = self.clock()?.clock()?;
        Some(Clock {
            remaining: clock.remaining.saturating_sub(self.spent),
            ..clock
        })
    }

    /// The game as a record: with the moves of the one that was read it is that one, with all its tags and comments; else its
    /// introduction and the tags that no game determines are kept, those of its players as long as the moves are theirs. A game that was begun here has today's date, in UTC.
    pub fn record(&self) -> Result<GameRecord, String> {
        let is_same = |read: Game| read.moves() == self.game.moves();
        let is_theirs = (self.read.iter()).any(|read| read.replay().is_ok_and(is_same));
        if let (true, None, Some(read)) = (is_theirs, self.declared, &self.read) {
            return Ok(read.clone());
        }
        let mut record = GameRecord::new(self.game.rules(), self.game.start());
        for side in Side::BOTH.into_iter().filter(|_| !is_theirs) {
            let (version, level) = (env!("CARGO_PKG_VERSION"), self.level);
            let (name, kind) = match self.player.plays(side) {
                true => ("Person".to_owned(), "human"),
                false => (format!("Vato {version} (level {level})"), "program"),
            };
            record.set_tag(&side.to_string(), &name)?;
            record.set_tag(&format!("{side}Type"), kind)?;
        }
        if let Some(control) = self.control {
            record.set_tag("TimeControl", &control.to_string())?;
        }
        match &self.read {
            Some(read) => {
                record.set_introduction(read.introduction().unwrap_or_default());
                let is_of_player =
                    |name: &str| name.starts_with("White") || name.starts_with("Black");
                let kept =
                    |name: &str| !OWN_TAGS.contains(&name) && (is_theirs || !is_of_player(name));
                for tag in read.tags().iter().filter(|tag| kept(tag.name())) {
                    record.set_tag(tag.name(), tag.value())?;
                }
            }
            None => {
                let now = timestamp(SystemTime::now(), 0);
                let day = now.split('T').next().unwrap_or_default();
                record.set_tag("Date", &day.replace('-', "."))?;
            }
        }
        record.set_tag("PlyCount", &self.turns.len().to_string())?;
        for turn in &self.turns {
            record.push_move(&turn.text, turn.comment.as_deref())?;
        }
        for (mv, turn) in record.moves_mut().iter_mut().zip(&self.turns) {
            mv.set_annotations(turn.annotations.iter().copied());
            mv.variations.clone_from(&turn.variations);
        }
        if let Some(ending) = self.ending() {
            let by_rules = self.game.outcome().and_then(|outcome| outcome.winner);
            let winner = self.declared.map_or(by_rules, |(loser, _)| Some(!loser));
            record.set_result(RecordResult::of_winner(winner));
            record.set_final_comment(&ending);
        }
        if let Some((_, how)) = self.declared {
            record.set_tag("Termination", how.pgn())?;
        }
        Ok(record)
    }
}

/// The first step in which these turns capture in different ways.
fn difference(turns: &[(Path, Move)]) -> Option<usize> {
    let ((first, _), others) = turns.split_first()?;
    (0..first.steps.len()).find(|&step| {
        let capture = |path: &Path| path.steps[step].capture;
        others
            .iter()
            .any(|(path, _)| capture(path) != capture(first))
    })
}

#[cfg(test)]
mod tests;
