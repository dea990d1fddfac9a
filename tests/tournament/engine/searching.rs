//! How the engine answers `go`.

use std::thread;
use std::time::Duration;

use vato_engine::board::Move;
use vato_engine::protocol::{Dialect, GoCommand};

use super::conduct::Search;
use super::output::{say, say_an_endless_line, say_bytes, say_too_much};
use super::session::{End, Session, crash};
use super::sleep_for_ever;

/// By how much a slow answer comes too late.
const TOO_LATE: Duration = Duration::from_millis(250);

impl Session {
    /// Obeys `go`.
    pub(super) fn go(&mut self, go: &GoCommand) -> Result<(), End> {
        if go.ponder {
            if self.is_due("crash-pondering") {
                crash();
            }
            return Ok(());
        }
        if self.is_due("slow") {
            thread::sleep(self.time_left(go) + TOO_LATE);
        }
        self.answer()
    }

    /// The time that this search has.
    fn time_left(&self, go: &GoCommand) -> Duration {
        let side = self.board.game.position().side();
        let clock = go.time[side.index()].map(|time| u64::try_from(time).unwrap_or(0));
        Duration::from_millis(go.movetime.or(clock).unwrap_or(0))
    }

    /// Answers a search on its own time, or does what it does instead.
    pub(super) fn answer(&mut self) -> Result<(), End> {
        if self.is_due("crash") {
            crash();
        }
        if self.is_due("abort") {
            std::process::abort();
        }
        #[cfg(unix)]
        if self.is_due("close-output") {
            self.close_output();
        }
        if self.is_due("hang") {
            sleep_for_ever();
        }
        if self.is_due("endless-info") {
            return Err(say_too_much().into());
        }
        if self.is_due("endless-line") {
            return Err(say_an_endless_line().into());
        }
        if self.is_due("wait-for-stop") || self.is_due("late-after-stop") {
            self.held = true;
            return Ok(());
        }
        thread::sleep(Duration::from_millis(self.settings.number("delay")));
        self.say_answer()
    }

    /// Says what the search has found: information and a move.
    pub(super) fn say_answer(&mut self) -> Result<(), End> {
        let mut best = self.board.choice(self.settings.seed);
        if self.is_due("other-path") {
            let mut moves = self.board.moves().into_iter();
            let several = moves.find(|&mv| self.board.other_path(mv).is_some());
            best = several.unwrap_or(best);
        }
        let mut lines = self.info(best);
        let answer = self.best_move(best);
        if self.is_due("twice") {
            lines.push(answer.clone());
        }
        lines.push(answer);
        if self.is_due("binary") {
            say_bytes()?;
        }
        say(&lines.join("\n"))?;
        if self.is_due("leave") {
            return Err(End::Quit);
        }
        // A search that was stopped before the move was wanted is not a move.
        if self.conduct.search != Search::Pondering {
            self.move_number += 1;
        }
        self.conduct.answered();
        Ok(())
    }

    fn best_move(&self, best: Move) -> String {
        let other = self.is_due("other-path");
        let other = other.then(|| self.board.other_path(best)).flatten();
        let mut text = other.unwrap_or_else(|| self.board.text(best));
        if self.behaves("own-rules") {
            text = text.replace('-', "");
        }
        for (behaviour, answer) in [
            ("garbage", "bestmove skip"),
            ("resign", "bestmove resign"),
            ("bare", "bestmove"),
            ("no-move", "bestmove 0000"),
        ] {
            if self.is_due(behaviour) {
                return answer.to_owned();
            }
        }
        if self.is_due("illegal") {
            return format!("bestmove {}", self.illegal_move());
        }
        match self.board.first_reply(best) {
            Some(reply) if self.ponders && self.dialect == Dialect::Uci => {
                format!("bestmove {text} ponder {reply}")
            }
            _ => format!("bestmove {text}"),
        }
    }

    /// A move of a stone that is not there or that cannot go there.
    fn illegal_move(&self) -> String {
        let moves = self.board.moves().into_iter();
        let legal: Vec<String> = moves.map(|mv| self.board.text(mv)).collect();
        let mut moves = ["a1-a2", "b1-b2", "c1-c2"].map(str::to_owned).into_iter();
        let illegal = moves.find(|text| !legal.contains(text));
        illegal.expect("not all of them can be legal: stones in the way")
    }

    fn info(&self, best: Move) -> Vec<String> {
        let mut lines = Vec::new();
        if self.is_due("no-info") {
            return lines;
        }
        if self.is_due("bad-info") {
            lines.push("info depth x".to_owned());
        }
        let score = if self.is_due("false-win") {
            "mate 3".to_owned()
        } else {
            format!("cp {}", 100 * self.board.lead())
        };
        let pv = self.line_of_play(best).join(" ");
        lines.push(format!("info depth 1 score {score} nodes 1 time 0 pv {pv}"));
        lines
    }

    fn line_of_play(&self, best: Move) -> Vec<String> {
        let text = self.board.text(best);
        if self.is_due("bad-pv") {
            // The other side has no stone where the mover's was.
            return vec![text.clone(), text];
        }
        if self.is_due("pv-not-best")
            && let Some(other) = self.board.moves().into_iter().find(|&other| other != best)
        {
            return vec![self.board.text(other)];
        }
        let mut line = vec![text];
        // In UCI it is `bestmove` that names the reply.
        if self.ponders && self.dialect == Dialect::Ugi {
            line.extend(self.board.first_reply(best));
        }
        line
    }

    /// Goes on as a process that does nothing and whose output is elsewhere.
    #[cfg(unix)]
    fn close_output(&self) -> ! {
        use std::os::unix::process::CommandExt;
        let error = self.sleeper().stdout(std::process::Stdio::null()).exec();
        panic!("this program cannot be run: {error}");
    }
}
