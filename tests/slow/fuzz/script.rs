//! What a random session does, written down before it begins.

use std::fmt;
use std::time::Duration;

use super::grammar::{Book, Dice, PRESETS};

/// One step of a session.
pub enum Step {
    /// Sends a line.
    Send(Vec<u8>),
    Pause(Duration),
    /// Waits until every `go` has its `bestmove`; all of them come by themselves.
    Finish,
    /// The same, with as many `stop` as it takes.
    Stop,
    /// `isready` and `readyok`.
    Sync,
}

/// How a session ends.
#[derive(Clone, Copy)]
pub enum Leave {
    Quit,
    EndOfInput,
}

pub struct Script {
    pub steps: Vec<Step>,
    pub leave: Leave,
}

impl fmt::Display for Script {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        for step in &self.steps {
            match step {
                Step::Send(bytes) => writeln!(out, "send   {}", bytes.escape_ascii())?,
                Step::Pause(time) => writeln!(out, "pause  {time:?}")?,
                Step::Finish => writeln!(out, "finish")?,
                Step::Stop => writeln!(out, "stop")?,
                Step::Sync => writeln!(out, "sync")?,
            }
        }
        match self.leave {
            Leave::Quit => writeln!(out, "quit"),
            Leave::EndOfInput => writeln!(out, "end of input"),
        }
    }
}

impl Script {
    /// The session of a seed.
    pub fn new(seed: u64, book: &Book) -> Self {
        let mut writer = Writer {
            dice: Dice::new(seed),
            book,
            preset: "tsivy",
            steps: Vec::new(),
        };
        match writer.dice.below(5) {
            0 => {}
            1 | 2 => writer.send("uci"),
            _ => writer.send("ugi"),
        }
        if writer.dice.one_in(4) {
            writer.bytes();
        } else {
            for _ in 0..=writer.dice.below(25) {
                writer.block();
            }
        }
        writer.steps.push(Step::Stop);
        writer.steps.push(Step::Sync);
        if writer.dice.one_in(2) {
            // Leave in the middle of a search.
            let go = match writer.dice.below(3) {
                0 => "go infinite",
                1 => "go ponder",
                _ => "go depth 99",
            };
            writer.send(go);
            writer.pause(30);
        }
        let leave = if writer.dice.one_in(2) {
            Leave::Quit
        } else {
            Leave::EndOfInput
        };
        Self {
            steps: writer.steps,
            leave,
        }
    }
}

/// Writes a script, one block of related commands after the other.
struct Writer<'a> {
    dice: Dice,
    book: &'a Book,
    /// The preset that was chosen last, for positions that fit its board.
    preset: &'static str,
    steps: Vec<Step>,
}

impl Writer<'_> {
    fn send(&mut self, line: &str) {
        self.steps.push(Step::Send(line.as_bytes().to_vec()));
    }

    fn pause(&mut self, most: usize) {
        let time = self.dice.below(most + 1);
        let time = u64::try_from(time).unwrap_or(0);
        self.steps.push(Step::Pause(Duration::from_millis(time)));
    }

    /// A session of bytes without meaning.
    fn bytes(&mut self) {
        for _ in 0..5 + self.dice.below(40) {
            let bytes = self.dice.bytes();
            self.steps.push(Step::Send(bytes));
            if self.dice.one_in(10) {
                self.steps.push(Step::Sync);
            }
        }
        self.send("position startpos");
        self.send("go depth 3");
        self.steps.push(Step::Finish);
    }

    fn block(&mut self) {
        match self.dice.below(10) {
            0 => {
                let line = self.dice.option();
                self.send(&line);
            }
            1 => self.variant(),
            2 => {
                let line = self.dice.position(self.book, self.preset);
                self.send(&line);
            }
            3 | 4 => self.bounded_search(),
            5 => self.interrupted_search(),
            6 => self.pondering(),
            7 => self.waiting(),
            8 => self.growing_game(),
            _ => {
                for _ in 0..=self.dice.below(5) {
                    self.idle_command();
                }
            }
        }
        if self.dice.one_in(4) {
            self.steps.push(Step::Sync);
        }
    }

    fn variant(&mut self) {
        if self.dice.one_in(6) {
            let other = self
                .dice
                .pick(&["custom", "chess", "", "TSIVY", "tsivy dimy"]);
            self.send(&format!("setoption name UCI_Variant value {other}"));
        } else {
            self.preset = self.dice.pick(&PRESETS);
            self.send(&format!("setoption name UCI_Variant value {}", self.preset));
        }
    }

    /// A command that no search is needed for and none comes from.
    fn idle_command(&mut self) {
        let line = match self.dice.below(10) {
            0 => "stop".to_owned(),
            1 => "ponderhit".to_owned(),
            2 => format!(
                "perft {}",
                self.dice.pick(&["0", "1", "2", "3", "abc", "-1", ""])
            ),
            3 => format!("moves {}", self.dice.any_move()),
            4 => self.dice.word_soup(),
            5 => {
                let bytes = self.dice.bytes();
                self.steps.push(Step::Send(bytes));
                return;
            }
            _ => self.chatter(),
        };
        self.send(&line);
    }

    /// A command that is good at any time.
    fn chatter(&mut self) -> String {
        let fixed = [
            "query p1turn",
            "query gameover",
            "query result",
            "d",
            "eval",
            "legal",
            "help",
            "debug on",
            "debug off",
            "uginewgame",
            "ucinewgame",
            "ugi",
            "uci",
            "",
            "\t",
            "\r",
            "hello",
            "setoption name Clear Hash",
            "register later",
            "query",
        ];
        match self.dice.below(4) {
            0 => self.dice.option(),
            1 => self.dice.position(self.book, self.preset),
            _ => self.dice.pick(&fixed).to_owned(),
        }
    }

    fn chatter_during_search(&mut self) {
        for _ in 0..self.dice.below(5) {
            let line = self.chatter();
            self.send(&line);
            if self.dice.one_in(3) {
                self.steps.push(Step::Sync);
            }
        }
    }

    /// A search that ends by itself, whatever is said meanwhile.
    fn bounded_search(&mut self) {
        self.steps.push(Step::Stop); // nothing unbounded is left over
        let go = self.dice.bounded_go();
        self.send(&go);
        self.chatter_during_search();
        self.steps.push(Step::Finish);
    }

    /// Searches that need a `stop`, or interrupt each other.
    fn interrupted_search(&mut self) {
        for _ in 0..=self.dice.below(4) {
            let go = match self.dice.below(4) {
                0 => "go infinite".to_owned(),
                1 => self.dice.bounded_go(),
                _ => self.dice.any_go(),
            };
            self.send(&go);
            if self.dice.one_in(2) {
                self.pause(20);
            }
            self.chatter_during_search();
            if self.dice.one_in(6) {
                self.send("ponderhit");
            }
        }
        if self.dice.one_in(2) {
            self.steps.push(Step::Stop);
        }
    }

    fn pondering(&mut self) {
        self.steps.push(Step::Stop);
        let clock = self.dice.below(100);
        let go = match self.dice.below(3) {
            0 => "go ponder depth 2".to_owned(),
            1 => format!("go p1time {clock} p2time {clock} ponder"),
            _ => format!("go ponder wtime {clock} btime {clock} winc 5 binc 5"),
        };
        self.send(&go);
        self.pause(20);
        self.chatter_during_search();
        if self.dice.one_in(2) {
            self.send("ponderhit");
            self.steps.push(Step::Finish);
        } else {
            self.steps.push(Step::Stop);
        }
    }

    /// A piece of a script for `wait`.
    fn waiting(&mut self) {
        self.steps.push(Step::Stop);
        for _ in 0..=self.dice.below(3) {
            let go = self.dice.bounded_go();
            self.send(&go);
            self.send("wait");
            let line = self.chatter();
            self.send(&line);
        }
        if self.dice.one_in(3) {
            self.send("go infinite");
            self.send("wait");
            let go = self.dice.any_go();
            self.send(&go);
            self.steps.push(Step::Stop);
        } else {
            self.steps.push(Step::Finish);
        }
    }

    /// A game with the list of moves a little longer each time.
    fn growing_game(&mut self) {
        self.steps.push(Step::Stop);
        let moves = self.dice.moves(self.book, self.preset);
        for length in 0..moves.len().min(1 + self.dice.below(30)) {
            self.send(&format!(
                "position startpos moves {}",
                moves[..length].join(" ")
            ));
            if self.dice.one_in(3) {
                self.send("query gameover");
            }
            if self.dice.one_in(4) {
                self.send("go nodes 200");
                self.steps.push(Step::Finish);
            }
        }
    }
}
