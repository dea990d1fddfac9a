//! Sessions as managers, people and faulty programs hold them, mostly right, so that they get somewhere: the bytes of an input
//! are the dice.

use std::time::Duration;

use vato_engine::notation::format_move;
use vato_engine::rules::{Game, Preset, Rules, legal_moves};

/// The most lines of a session.
const LINES: usize = 60;

/// A line of input, and how long before it nothing is sent.
pub type Step = (Duration, String);

/// The session that these bytes make.
pub fn session(bytes: &[u8]) -> Vec<Step> {
    let mut writer = Writer {
        dice: Dice(bytes),
        rules: Rules::STANDARD,
        steps: Vec::new(),
    };
    let opening = writer.dice.pick(&["", "uci", "ugi"]);
    writer.send(opening.to_owned());
    while !writer.dice.0.is_empty() && writer.steps.len() < LINES {
        writer.block();
    }
    writer.steps
}

/// What is left of the bytes.
struct Dice<'a>(&'a [u8]);

impl Dice<'_> {
    /// A number from 0 to `limit - 1`; 0 when nothing is left.
    fn below(&mut self, limit: usize) -> usize {
        let mut number = 0;
        for _ in 0..1 + usize::from(limit > 256) {
            let Some((&first, rest)) = self.0.split_first() else {
                break;
            };
            self.0 = rest;
            number = number << 8 | usize::from(first);
        }
        number % limit
    }

    fn one_in(&mut self, times: usize) -> bool {
        self.below(times) == 1
    }

    fn pick<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.below(items.len())]
    }

    fn word<'a>(&mut self, words: &'a str) -> &'a str {
        self.pick(&words.split(' ').collect::<Vec<_>>())
    }

    fn words(&mut self, most: usize, words: &str) -> String {
        let count = self.below(most + 1);
        let words: Vec<&str> = (0..count).map(|_| self.word(words)).collect();
        words.join(" ")
    }

    /// A number up to `most`, or sometimes one that is good for little.
    fn number(&mut self, most: usize) -> String {
        let odd = "-1 -0 +5 abc 1.5 1e9 0x10 -- ٣ 4294967296 9223372036854775808 18446744073709551616 NaN";
        match self.one_in(8) {
            true => self.word(odd).to_owned(),
            false => self.below(most + 1).to_string(),
        }
    }

    /// Something that has the form of a move, or nearly.
    fn any_move(&mut self) -> String {
        if self.one_in(8) {
            return self
                .word("0000 - d3 e2e4 null d3-e3B A d3--e3A ééé pass")
                .to_owned();
        }
        let mut text = String::new();
        for step in 0..2 + self.below(3) {
            text += if step > 0 { self.pick(&["-", ""]) } else { "" };
            text.push(self.pick(b"abcdefghij") as char);
            text.push(self.pick(b"0123456789") as char);
            text += if step > 0 {
                self.pick(&["A", "W", "", "a"])
            } else {
                ""
            };
        }
        text
    }

    /// The beginning of a game, sometimes with moves in it that are none.
    fn moves(&mut self, rules: Rules) -> Vec<String> {
        let mut game = Game::new(rules);
        let mut moves = Vec::new();
        for _ in 0..self.below(30) {
            let legal = legal_moves(game.rules(), game.position());
            if legal.is_empty() {
                break;
            }
            let mv = self.pick(&legal);
            moves.extend(format_move(game.rules(), game.position(), mv));
            game.play(mv).expect("a legal move");
        }
        if self.one_in(5) {
            let place = self.below(moves.len() + 1);
            moves.insert(place, self.any_move());
        }
        moves
    }

    fn position(&mut self, rules: Rules) -> String {
        let mut line = "position startpos".to_owned();
        if self.one_in(3) {
            let (columns, rows) = match self.one_in(12) {
                true => self.pick(&[(5, 5), (3, 3), (9, 5), (4, 4)]),
                false => (rules.board.columns().into(), rules.board.rows().into()),
            };
            let stones = 2 + self.below(6);
            let mut row = |_| {
                let points = (0..columns).map(|_| match self.below(8) < stones {
                    true => self.pick(b"wb") as char,
                    false => '1',
                });
                points.collect::<String>()
            };
            let rows: Vec<String> = (0..rows).map(&mut row).collect();
            line = format!("position fen {} {}", rows.join("/"), self.word("w b"));
            if self.one_in(2) {
                line += &format!(" {} {}", self.number(120), self.number(100));
            }
        }
        format!("{line} moves {}", self.moves(rules).join(" "))
    }

    /// A `setoption` command but for the variant.
    fn option(&mut self) -> String {
        let flags = "Ponder UCI_ShowWDL UCI_AnalyseMode UCI_LimitStrength OwnBook";
        let (name, value) = match self.below(12) {
            0 => ("Threads", (1 + self.below(3)).to_string()),
            1 => ("Hash", (1 + self.below(3)).to_string()),
            2 => ("MultiPV", (1 + self.below(8)).to_string()),
            3 => ("Move Overhead", self.number(50)),
            4 => ("UCI_Elo", (500 + self.below(1_700)).to_string()),
            5 => ("Skill Level", self.number(20)),
            6 => ("Skill Seed", self.number(1_000)),
            7 => ("Contempt", self.number(100)),
            8 => ("TablebaseProbeLimit", self.number(16)),
            9 => ("Rules", self.rules()),
            10 => ("Clear Hash", String::new()),
            _ => (self.word(flags), self.word("true false maybe").to_owned()),
        };
        format!("setoption name {name} value {value}")
    }

    fn rules(&mut self) -> String {
        let all = "board=9x5 board=5x5 board=3x3 board=7x3 board=4x4 capture=opening capture=free chain=full chain=single \
            direction=any opening=first opening=both blocked=draw blocked=pass tie=count repeat=0 repeat=2 limit=1 limit=20 \
            vela=white vela=black eating=must repeat=x nonsense";
        self.words(5, all)
    }

    /// Any combination of limits.
    fn go(&mut self) -> String {
        let limits = "p1time p2time p1inc wtime btime winc binc movestogo movetime depth nodes mate perft infinite ponder \
            searchmoves banana";
        let mut line = "go".to_owned();
        for _ in 0..self.below(5) {
            let limit = self.word(limits);
            let value = match limit {
                "infinite" | "ponder" => String::new(),
                "searchmoves" => self.any_move(),
                _ => self.number(60),
            };
            line += &format!(" {limit} {value}");
        }
        line
    }

    /// A limit that a search reaches by itself within a moment.
    fn bounded_go(&mut self) -> String {
        match self.below(5) {
            0 => format!("go depth {}", self.below(5)),
            1 => format!("go nodes {}", self.below(300)),
            2 => format!("go movetime {}", self.below(20)),
            3 => format!("go perft {}", self.below(3)),
            _ => format!("go wtime {0} btime {0} winc 5", self.below(100)),
        }
    }

    /// A command that is good at any time.
    fn chatter(&mut self, rules: Rules) -> String {
        let words = "position startpos fen moves setoption name value Hash Rules query p1turn debug on infinite depth d3-e3A \
            board=5x5 w -1 true";
        let heads = "query query position moves setoption debug d eval legal help isready stop ponderhit perft uginewgame \
            ucinewgame ugi uci register hello";
        match self.below(8) {
            0 | 1 => self.option(),
            2 => self.position(rules),
            3 => format!("{} {}", self.word(heads), self.words(6, words)),
            4 => format!("query {}", self.word("p1turn gameover result")),
            5 => format!("moves {}", self.any_move()),
            _ => self.word(heads).to_owned(),
        }
    }

    /// A text with a character changed.
    fn damaged(&mut self, text: &str) -> String {
        let mut text: Vec<char> = text.chars().collect();
        let place = self.below(text.len() + 1);
        let other = self.pick(&[
            '9', '0', '/', ' ', 'x', 'W', '-', 'é', '\t', '\0', '\r', '\u{feff}',
        ]);
        match self.below(3) {
            0 if place < text.len() => text[place] = other,
            1 if place < text.len() => drop(text.remove(place)),
            _ => text.insert(place, other),
        }
        text.into_iter().collect()
    }
}

/// Writes a session, one block of related commands after the other.
struct Writer<'a> {
    dice: Dice<'a>,
    /// The rules that were chosen last, for games that fit.
    rules: Rules,
    steps: Vec<Step>,
}

impl Writer<'_> {
    fn send(&mut self, line: String) {
        let line = match self.dice.one_in(16) {
            true => self.dice.damaged(&line),
            false => line,
        };
        let pause = match self.dice.one_in(12) {
            true => self.dice.below(20) as u64,
            false => 0,
        };
        self.steps.push((Duration::from_millis(pause), line));
    }

    fn chatter(&mut self, most: usize) {
        for _ in 0..self.dice.below(most + 1) {
            let line = self.dice.chatter(self.rules);
            self.send(line);
        }
    }

    fn block(&mut self) {
        match self.dice.below(8) {
            0 => {
                let preset = self.dice.pick(&Preset::ALL);
                self.rules = preset.rules().unwrap_or(self.rules);
                self.send(format!(
                    "setoption name UCI_Variant value {}",
                    preset.name()
                ));
            }
            1 => {
                let line = self.dice.position(self.rules);
                self.send(line);
            }
            // A search that ends by itself, whatever is said meanwhile.
            2 | 3 => {
                let go = self.dice.bounded_go();
                self.send(go);
                self.chatter(3);
                self.send("wait".to_owned());
            }
            // Searches that interrupt each other.
            4 => {
                for _ in 0..=self.dice.below(3) {
                    let go = self.dice.go();
                    self.send(go);
                    self.chatter(2);
                }
                self.send("stop".to_owned());
            }
            5 => {
                let go = self.dice.bounded_go();
                self.send(format!("{go} ponder"));
                self.chatter(3);
                let end = self.dice.word("ponderhit stop");
                self.send(end.to_owned());
                self.send("wait".to_owned());
            }
            // A game with the list of moves a little longer each time.
            6 => {
                let moves = self.dice.moves(self.rules);
                for length in 0..=moves.len().min(8) {
                    self.send(format!(
                        "position startpos moves {}",
                        moves[..length].join(" ")
                    ));
                    if self.dice.one_in(3) {
                        self.send("go nodes 50".to_owned());
                        self.send("wait".to_owned());
                    }
                }
            }
            _ => self.chatter(4),
        }
    }
}
