//! A game line by line.

use std::cmp::Reverse;
use std::fs::File;
use std::io::{self, BufWriter, ErrorKind, IsTerminal, Write};
use std::path::Path;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

use vato_engine::board::Side;
use vato_engine::engine::Settings;
use vato_engine::notation::{Charset, diagram, format_move};
use vato_engine::rules::{Game, legal_moves};
use vato_engine::search::{Bound, Control, Limits, SearchResult};
use vato_records::pgn::GameRecord;
use vato_tools::play::{Purpose, SearchEvent, SearchRequest, SearchThread, limits_at_level};
use vato_tools::review::{self, Mark, PositionReview};

use super::table::{Player, Table, Told};
use super::typed::{HELP, Typed, typed_lines};
use super::{Stopwatch, TICK, load, time_text};
use crate::cli::support::failure::{Context, Failure, print, stdout};
use crate::cli::support::present::{move_number, progress_bar, score_text};
use crate::cli::visible;

/// Time reserved for the delay between the engine and its clock.
const OVERHEAD: Duration = Duration::from_millis(50);

const REVIEW_MOVES: usize = 10;

/// Plays a game with what was `told` of it already. Searches for moves and for hints have these limits, in addition to the
/// level of the engine and its clock.
pub fn run(
    table: Table,
    told: &Told,
    engine: Settings,
    [limits, hint_limits]: [Limits; 2],
    charset: Charset,
) -> Result<(), Failure> {
    let mut game = LineGame {
        table,
        engine: SearchThread::spawn(engine).context("the session failed")?,
        limits,
        hint_limits,
        lines: None,
        charset,
        watch: Stopwatch::start()?,
        // A terminal echoes the input itself.
        echo: !io::stdin().is_terminal(),
    };
    let passed = game.table.pass();
    game.say(&passed.map_or(told.clone(), Ok))?;
    game.show_board()?;
    let played = game.table.turns.len();
    let told = game.go_on(Ok(String::new()))?;
    if told.is_err() {
        game.say(&told)?;
    }
    if game.table.turns.len() > played {
        game.show_board()?;
    }
    game.show_status()?;
    while let Some(line) = game.ask("> ")? {
        if !game.obey(Typed::read(&line))? {
            break;
        }
    }
    Ok(())
}

struct LineGame {
    table: Table,
    engine: SearchThread,
    limits: Limits,
    hint_limits: Limits,
    /// The lines typed, listened to on first use: a program that reads from its terminal needlessly cannot run in the
    /// background.
    lines: Option<Receiver<io::Result<String>>>,
    charset: Charset,
    /// Measures the time not yet charged to a clock.
    watch: Stopwatch,
    echo: bool,
}

impl LineGame {
    /// Asks the person for a line; `None` at the end of input. If a flag falls meanwhile, this is reported.
    fn ask(&mut self, prompt: &str) -> Result<Option<String>, Failure> {
        print(prompt)?;
        loop {
            // Up to the next tick if a clock runs.
            let wait = self.time_to_wait(Duration::MAX);
            let lines = match &self.lines {
                Some(lines) => lines,
                None => self.lines.insert(typed_lines()?),
            };
            let typed = match lines.recv_timeout(wait) {
                Ok(line) => Ok(line.map_err(Failure::cannot_read("standard input"))?),
                Err(none) => Err(none),
            };
            let was_over = self.table.is_over();
            self.pass_time();
            let has_ended = self.table.is_over() && !was_over;
            // The prompt's line is ended first.
            match &typed {
                Ok(line) if self.echo => writeln!(stdout(), "{}", visible(line))?,
                Ok(_) => {}
                Err(RecvTimeoutError::Timeout) if !has_ended => continue,
                Err(_) => writeln!(stdout())?,
            }
            if has_ended {
                self.show_status()?;
            }
            match typed {
                Ok(line) => return Ok(Some(line)),
                Err(RecvTimeoutError::Disconnected) => return Ok(None),
                Err(RecvTimeoutError::Timeout) => print(prompt)?,
            }
        }
    }

    /// How long to wait: until the flag falls, but not beyond the next tick, if a clock runs.
    fn time_to_wait(&self, without_clock: Duration) -> Duration {
        self.table.time_to_flag().map_or(without_clock, |time| {
            time.saturating_sub(self.watch.elapsed()).min(TICK)
        })
    }

    fn pass_time(&mut self) {
        self.table.elapse(self.watch.take());
    }

    /// Executes a command; returns false if the program is to end.
    fn obey(&mut self, command: Typed) -> Result<bool, Failure> {
        let told = match command {
            // After a failure of the engine an empty line makes it try again.
            Typed::Nothing if self.table.paused => {
                self.table.paused = false;
                Ok(String::new())
            }
            Typed::Nothing => return Ok(true),
            Typed::Quit => return Ok(!self.may_leave_game()?),
            Typed::Help => {
                writeln!(stdout(), "{HELP}")?;
                return Ok(true);
            }
            Typed::Wrong(text) => {
                writeln!(stdout(), "{text}")?;
                return Ok(true);
            }
            Typed::Board => {
                self.show_board()?;
                self.show_status()?;
                return Ok(true);
            }
            Typed::Moves => {
                self.show_moves()?;
                return Ok(true);
            }
            Typed::Hint => {
                match self.hint() {
                    // The flag fell while the engine searched.
                    Ok(None) => self.show_status()?,
                    told => self.say(&told.map(Option::unwrap_or_default))?,
                }
                return Ok(true);
            }
            Typed::Review => {
                match self.review() {
                    Ok(text) => writeln!(stdout(), "{text}")?,
                    told => self.say(&told)?,
                }
                return Ok(true);
            }
            Typed::Save(path) => {
                let told = self.save(&path)?;
                self.say(&told)?;
                return Ok(true);
            }
            Typed::New | Typed::Load(_) if !self.may_leave_game()? => return Ok(true),
            Typed::New => self.table.begin_anew(),
            Typed::Load(path) => load(&mut self.table, &path),
            Typed::Turn(text) if !begins_with_point(&text) => {
                let word: String = text.chars().take(40).collect();
                let word = visible(&word);
                writeln!(
                    stdout(),
                    "'{word}' is neither a move nor a command; help lists them"
                )?;
                return Ok(true);
            }
            Typed::Turn(text) => self.table.typed(&text),
            Typed::Capture(capture) => self.table.choose(capture),
            Typed::TakeBack => self.table.take_back(),
            Typed::Redo => self.table.redo(),
            Typed::Resign => self.table.resign(),
            Typed::As(player) => self.table.seat(player),
            Typed::Level(level) => {
                self.table.level = level;
                Ok(format!("the engine plays at level {level}"))
            }
        };
        let told = self.go_on(told)?;
        self.say(&told)?;
        if told.is_ok() && !self.table.is_asking() {
            self.show_board()?;
            self.show_status()?;
        }
        Ok(true)
    }

    /// Plays for the engine and for people who cannot move, until a person is to move or the game is over. What is said
    /// of that takes the place of what was told before.
    fn go_on(&mut self, mut told: Told) -> Result<Told, Failure> {
        if let Some(passes) = self.table.pass() {
            told = Ok(passes);
        }
        if told.is_ok() && self.table.is_engines_turn() {
            self.say(&told)?;
            told = Ok(String::new());
        }
        while self.table.is_engines_turn() {
            let played = self.table.turns.len();
            if let Err(failed) = self.play() {
                self.table.paused = true;
                told = Err(failed);
            }
            if let Some(passes) = self.table.pass() {
                told = Ok(passes);
            }
            for turn in &self.table.turns[played..] {
                let (side, text) = (turn.before.side(), &turn.text);
                writeln!(stdout(), "{side} ({}) plays {text}", self.player_name(side))?;
            }
        }
        Ok(told)
    }

    /// The engine's move.
    fn play(&mut self) -> Result<(), String> {
        let limits = Limits {
            clock: self.table.search_clock(),
            move_overhead: OVERHEAD,
            ..self.limits.clone()
        };
        let (level, seed) = (self.table.level, self.table.seed);
        let limits = limits_at_level(level, seed, &self.table.game, limits);
        let found = self.search(Purpose::Move, limits)?;
        found.map_or(Ok(()), |result| self.table.play_found(&result))
    }

    /// The best move, as a review finds it; `None` if the time is up.
    fn hint(&mut self) -> Result<Option<String>, String> {
        self.table.require_turn()?;
        let Some(result) = self.search(Purpose::Review, self.hint_limits.clone())? else {
            return Ok(None);
        };
        let found =
            PositionReview::searched(&self.table.game, result, &self.engine.settings.search);
        let best = found.pv.first().ok_or("the engine has found no move")?;
        let score = score_text(found.score, self.table.side(), Bound::Exact, None);
        Ok(Some(format!("best move: {best} ({score} for White)")))
    }

    /// Searches the position while the clock runs; `None` if the time is up before the end.
    fn search(&mut self, purpose: Purpose, limits: Limits) -> Result<Option<SearchResult>, String> {
        let game = self.table.game.clone();
        let request = SearchRequest {
            game,
            limits,
            purpose,
        };
        let (sender, events) = channel();
        self.engine.search(request, move |event| {
            // What it says after the time is up is of no interest.
            let _ = sender.send(event);
        });
        loop {
            let said = events.recv_timeout(self.time_to_wait(TICK));
            self.pass_time();
            if self.table.is_over() {
                self.engine.stop();
                return Ok(None);
            }
            let failed = match said {
                Ok(SearchEvent::Done(result)) => return Ok(Some(result)),
                Ok(SearchEvent::Failed(text)) => text,
                Ok(SearchEvent::Line(_)) | Err(RecvTimeoutError::Timeout) => continue,
                Err(RecvTimeoutError::Disconnected) => "its thread has ended".to_owned(),
            };
            return Err(format!("the engine cannot search: {failed}"));
        }
    }

    fn review(&self) -> Told {
        match self.table.may_review() {
            true => review_text(&self.table.game, &self.engine.settings),
            false => Err("the clock runs: review the game when it is over".to_owned()),
        }
    }

    /// Saves the game. Whether a file that exists is replaced, a person is asked; a script does not expect a question, and
    /// its next line is not an answer.
    fn save(&mut self, path: &Path) -> Result<Told, Failure> {
        let shown = path.display();
        let try_save = |table: &Table, replace| save(path, &table.record()?, replace);
        let mut saved = try_save(&self.table, false);
        if let Ok(false) = saved {
            if self.echo {
                let text =
                    format!("{shown} exists already, and stays as it is: save to another file");
                return Ok(Err(text));
            }
            let question = format!("{shown} exists. Replace it? (y/n) ");
            if !self.confirm(&visible(&question))? {
                return Ok(Err("not saved".to_owned()));
            }
            saved = try_save(&self.table, true);
        }
        Ok(saved.map(|_| {
            self.table.unsaved = false;
            format!("saved in {shown}")
        }))
    }

    /// Whether the game may be left: on a terminal the person is asked if it is unsaved; a script is not.
    fn may_leave_game(&mut self) -> Result<bool, Failure> {
        if self.echo || !self.table.is_unsaved() {
            return Ok(true);
        }
        self.confirm("The game is not saved. Give it up? (y/n) ")
    }

    /// Asks until the answer is yes or no; the end of input is no.
    fn confirm(&mut self, question: &str) -> Result<bool, Failure> {
        while let Some(answer) = self.ask(question)? {
            match answer.trim().to_ascii_lowercase().as_str() {
                "y" | "yes" => return Ok(true),
                "n" | "no" => return Ok(false),
                _ => {}
            }
        }
        Ok(false)
    }

    /// Prints what is told, if anything.
    fn say(&self, told: &Told) -> Result<(), Failure> {
        let (Ok(text) | Err(text)) = told;
        match text.as_str() {
            "" => Ok(()),
            text => Ok(writeln!(stdout(), "{}", visible(text))?),
        }
    }

    fn player_name(&self, side: Side) -> String {
        match self.table.player {
            Player::Both => "person".to_owned(),
            player if player.plays(side) => "you".to_owned(),
            _ => format!("Vato, level {}", self.table.level),
        }
    }

    fn show_board(&self) -> Result<(), Failure> {
        let game = &self.table.game;
        print(diagram(game.position(), game.rules().board, self.charset))
    }

    /// Prints whose turn it is, or how the game ended.
    fn show_status(&self) -> Result<(), Failure> {
        let (mut out, side) = (stdout(), self.table.side());
        let clock = self.table.search_clock();
        match (self.table.ending(), clock.map(|clock| clock.remaining)) {
            (Some(ending), _) => writeln!(out, "The game is over. {ending}")?,
            _ if self.table.paused => writeln!(out, "{side} to move; an empty line goes on")?,
            (None, Some(time)) => writeln!(out, "{side} to move, {} left", time_text(time))?,
            (None, None) => writeln!(out, "{side} to move")?,
        }
        Ok(())
    }

    fn show_moves(&self) -> Result<(), Failure> {
        let game = &self.table.game;
        let (rules, position) = (game.rules(), game.position());
        let mut out = stdout();
        if self.table.is_over() {
            return Ok(writeln!(out, "the game is over")?);
        }
        let mut texts: Vec<String> = legal_moves(rules, position)
            .iter()
            .filter_map(|&mv| format_move(rules, position, mv))
            .collect();
        texts.sort_unstable();
        for text in texts {
            writeln!(out, "{text}")?;
        }
        Ok(())
    }
}

/// Writes a record to a file of its own, if there is none of this name or it may be replaced; whether it was. A failure leaves
/// an existing file unchanged. A symbolic link is followed and its target written.
fn save(path: &Path, record: &GameRecord, replace: bool) -> Result<bool, String> {
    let write = |file: &mut BufWriter<File>| write!(file, "{record}");
    // Folders and devices are refused before any question whether to replace them.
    let written = vato_solver::files::destination(path).and_then(|_| match replace {
        true => vato_solver::files::replace(path, write),
        false => vato_solver::files::create(path, write),
    });
    match written {
        Ok(()) => Ok(true),
        Err(error) if !replace && error.kind() == ErrorKind::AlreadyExists => Ok(false),
        Err(error) => Err(format!("cannot write {}: {error}", path.display())),
    }
}

/// The accuracy of both players and the most costly moves.
fn review_text(game: &Game, settings: &Settings) -> Told {
    let limits = Limits {
        nodes: Some(review::NODES),
        ..Limits::default()
    };
    let mut engine = review::engine(settings);
    let bar = progress_bar(game.moves().len() as u64 + 1, "positions");
    let review = review::review(game, &mut engine, &limits, &Control::new(), &mut || {
        bar.inc(1)
    });
    bar.finish_and_clear();
    let review = review.map_err(|error| error.to_string())?;
    let Some(review) = review.filter(|review| !review.moves.is_empty()) else {
        return Err("there are no moves to review".to_owned());
    };
    let mut lines = vec!["      accuracy  inaccuracies  mistakes  blunders".to_owned()];
    for (side, player) in Side::BOTH.iter().zip(&review.players) {
        let accuracy = player.accuracy.map(|it| format!("{it:.1} %"));
        let accuracy = accuracy.unwrap_or("-".to_owned());
        let [inaccuracies, mistakes, blunders] = Mark::ALL.map(|mark| player.count(mark));
        lines.push(format!(
            "{side:<5} {accuracy:>8} {inaccuracies:>13} {mistakes:>9} {blunders:>9}"
        ));
    }
    lines.push(String::new());
    let mut costly = review.moves;
    costly.retain(|judged| judged.judgement.mark.is_some());
    costly.sort_by_key(|judged| Reverse(judged.judgement.hundredths()));
    costly.truncate(REVIEW_MOVES);
    costly.sort_by_key(|judged| judged.ply);
    for judged in costly {
        let best = judged.better_line().map(|line| &line.pv[0]);
        let better = best.map_or(String::new(), |best| format!("; best {best}"));
        lines.push(format!(
            "{} {}: {}, cost {:.2}{better}",
            move_number(&judged.before.position),
            judged.text,
            judged.judgement.mark.map_or("", Mark::name),
            judged.judgement.loss,
        ));
    }
    Ok(lines.join("\n"))
}

fn begins_with_point(text: &str) -> bool {
    let mut begin = text.strip_prefix(['x', 'X']).unwrap_or(text).chars();
    begin.next().is_some_and(|file| file.is_ascii_alphabetic())
        && begin.next().is_some_and(|rank| rank.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::PathBuf;

    use vato_engine::eval::EvaluationKind;
    use vato_engine::notation::parse_turn;
    use vato_engine::rules::Rules;

    use super::*;
    use crate::cli::pgn::read_game;

    fn only_game(path: &Path) -> GameRecord {
        let found = read_game(path).expect("read");
        assert_eq!(found.games, 1);
        found.record
    }

    #[test]
    fn a_game_is_reviewed() {
        let rules = Rules::STANDARD;
        let mut game = Game::new(rules);
        let settings = Settings::default();
        assert!(review_text(&game, &settings).is_err());
        for text in ["d3-e3A", "c3-d3A", "b2-c3A"] {
            let (_, mv) = parse_turn(text, &rules, game.position()).expect("legal");
            game.play(mv).expect("legal");
        }
        let lines = review_text(&game, &settings).expect("a review");
        for told in ["White", "Black", "2. b2-c3A: blunder, cost 0."] {
            assert!(lines.contains(told), "{lines}");
        }
        // How the opponent searches changes nothing.
        let mut other = settings;
        other.search.evaluation.kind = EvaluationKind::Classical;
        (other.search.threads, other.search.hash_mib) = (2, 1);
        assert_eq!(review_text(&game, &other), Ok(lines));
    }

    #[test]
    fn files_are_not_replaced_by_accident() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("game.pgn");
        let rules = Rules::STANDARD;
        let empty = GameRecord::new(&rules, &rules.start());
        let mut played = empty.clone();
        played.push_move("f2-e3A", None).expect("a move");
        save(&path, &empty, false).expect("written");
        let numbered = |number: u64| {
            let path = PathBuf::from(format!("{}#{number}", path.display()));
            read_game(&path).map(|found| (found.number, found.games))
        };
        assert_eq!(numbered(1), Ok((1, 1)));
        numbered(2).expect_err("there is one");
        assert_eq!(save(&path, &played, false), Ok(false));
        assert_eq!(only_game(&path), empty);
        save(&path, &played, true).expect("replaced");
        assert_eq!(only_game(&path), played);
        assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 1);
    }

    #[test]
    fn what_goes_wrong_is_named() {
        let folder = tempfile::tempdir().expect("a folder");
        let missing = folder.path().join("none").join("game.pgn");
        for replace in [false, true] {
            save(&missing, &GameRecord::default(), replace).expect_err("no folder");
        }
        let path = folder.path().join("bad.pgn");
        for (text, told) in [
            ("", "bad.pgn has no game"),
            ("[White \"x\"]\n\n1. f2-e3A }", "line 3: unexpected '}'"),
        ] {
            fs::write(&path, text).expect("written");
            let error = read_game(&path).map(|_| ()).expect_err("no game");
            assert!(error.contains(told), "{error}");
        }
    }
}
