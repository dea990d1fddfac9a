//! Random pieces of the protocol: numbers, moves, positions, options, limits;
//! most of them right, so that a session gets somewhere, some of them wrong.

use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

use crate::support::Engine;

/// The presets of the rules.
pub const PRESETS: [&str; 9] = [
    "tsivy",
    "dimy",
    "telo",
    "riatra",
    "first-turns",
    "single-step",
    "full-chain",
    "free-capture",
    "vela",
];

/// The random numbers of one session, and the words made from them.
pub struct Dice {
    rng: StdRng,
}

/// Games that are legal under a preset.
pub struct Book {
    lines: Vec<(&'static str, Vec<String>)>,
}

impl Book {
    /// Plays random games under every preset; the engine says what is legal.
    pub fn learn() -> Self {
        let mut rng = StdRng::seed_from_u64(1);
        let mut engine = Engine::ugi();
        let mut lines = Vec::new();
        for preset in PRESETS {
            engine.send(&format!("setoption name UCI_Variant value {preset}"));
            for _ in 0..3 {
                lines.push((preset, random_line(&mut engine, 60, &mut rng)));
            }
        }
        engine.finish();
        Self { lines }
    }
}

/// Up to so many random turns from the start, fewer if the game ends.
fn random_line(engine: &mut Engine, plies: usize, rng: &mut StdRng) -> Vec<String> {
    let mut moves: Vec<String> = Vec::new();
    engine.send("position startpos");
    while moves.len() < plies {
        let mut turns = engine.legal();
        if turns.is_empty() {
            break;
        }
        moves.push(turns.swap_remove(rng.random_range(0..turns.len())));
        engine.send(&format!("position startpos moves {}", moves.join(" ")));
    }
    moves
}

/// Words that begin a line or follow in it.
const WORDS: &str = "position startpos fen moves setoption name value Hash Threads MultiPV Ponder Rules UCI_Variant \
    custom tsivy query p1turn gameover result debug on off infinite depth nodes movetime p1time \
    wtime binc searchmoves mate ponder d3-e3A e2e4 0000 board=5x5 capture=free w b 0 1 -1 true false";

/// Commands that a line of random words may begin with: none that starts a
/// search or holds back what follows, so that the script knows what to expect.
const HEADS: &str =
    "position moves setoption query debug stop ponderhit d eval legal uginewgame help";

/// Characters that do not belong where they are put, digits first.
const ODD: [char; 11] = ['9', '0', '/', ' ', 'x', 'W', '-', '\u{e9}', '\t', '=', 'z'];

impl Dice {
    pub fn new(seed: u64) -> Self {
        Self {
            rng: StdRng::seed_from_u64(seed),
        }
    }

    /// A number from 0 to `limit - 1`.
    pub fn below(&mut self, limit: usize) -> usize {
        self.rng.random_range(0..limit)
    }

    /// True once in `times`.
    pub fn one_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }

    /// One of the words of a line.
    fn word<'a>(&mut self, words: &'a str) -> &'a str {
        let words: Vec<&str> = words.split(' ').collect();
        self.pick(&words)
    }

    pub fn pick<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.below(items.len())]
    }

    /// A number that is good for little.
    pub fn bad_number(&mut self) -> String {
        // The first of them is empty.
        let fixed = " -1 -0 +5 abc 1.5 1e9 0x10 -- ٣ 4294967296 -2147483649 9223372036854775807 \
            9223372036854775808 18446744073709551616 -9223372036854775809 \
            999999999999999999999999999999 NaN inf";
        self.word(fixed).to_owned()
    }

    /// A number up to `most`, or sometimes a bad one.
    pub fn number(&mut self, most: usize) -> String {
        if self.one_in(6) {
            self.bad_number()
        } else {
            self.below(most + 1).to_string()
        }
    }

    /// Any bytes but a line end; nothing that looks like a command whose answer
    /// is counted.
    pub fn bytes(&mut self) -> Vec<u8> {
        loop {
            let length = match self.below(20) {
                0 => 0,
                1 => self.below(100_000),
                _ => self.below(200),
            };
            let printable = self.one_in(2);
            let byte = |rng: &mut StdRng| -> u8 {
                if printable {
                    rng.random_range(b' '..=b'~')
                } else {
                    rng.random()
                }
            };
            let mut bytes: Vec<u8> = (0..length).map(|_| byte(&mut self.rng)).collect();
            bytes.retain(|&byte| byte != b'\n');
            let text = String::from_utf8_lossy(&bytes).to_lowercase();
            // Short words do turn up in long lines.
            let counted = ["go", "quit", "wait", "perft", "bench", "log", "isready"];
            if !text
                .split_whitespace()
                .any(|word| counted.iter().any(|other| word.contains(other)) && word.len() < 20)
            {
                return bytes;
            }
        }
    }

    /// A known command with words of the protocol in any order.
    pub fn word_soup(&mut self) -> String {
        let mut line = self.word(HEADS).to_owned();
        for _ in 0..self.below(12) {
            line.push(' ');
            if self.one_in(10) {
                line += &self.bad_number();
            } else {
                line += self.word(WORDS);
            }
        }
        line
    }

    /// A point of a board, or one beyond it.
    fn point(&mut self) -> String {
        let file = self.pick(b"abcdefghij") as char;
        let rank = self.pick(b"0123456789") as char;
        format!("{file}{rank}")
    }

    /// Something that has the form of a move, or nearly.
    pub fn any_move(&mut self) -> String {
        if self.one_in(8) {
            let odd = [
                "0000", "-", "d3", "e2e4", "null", "d3-e3B", "A", "d3--e3A", "ééé",
            ];
            return self.pick(&odd).to_owned();
        }
        let mut text = self.point();
        for _ in 0..=self.below(4) {
            if !self.one_in(5) {
                text.push('-');
            }
            text += &self.point();
            text += self.pick(&["A", "W", "", "a", "w"]);
        }
        text
    }

    /// Moves: the beginning of a legal game, random ones, or both.
    pub fn moves(&mut self, book: &Book, preset: &str) -> Vec<String> {
        let mut lines: Vec<&Vec<String>> = book
            .lines
            .iter()
            .filter(|(name, _)| *name == preset)
            .map(|(_, line)| line)
            .collect();
        if lines.is_empty() || self.one_in(10) {
            lines = book.lines.iter().map(|(_, line)| line).collect();
        }
        let line = lines[self.below(lines.len())];
        let mut moves = line[..self.below(line.len() + 1)].to_vec();
        while self.one_in(5) {
            let illegal = self.any_move();
            let at = self.below(moves.len() + 1);
            moves.insert(at, illegal);
        }
        moves
    }

    /// A position of any density on a board of `columns` by `rows`.
    fn placement(&mut self, columns: usize, rows: usize) -> String {
        let stones = 1 + self.below(9);
        let mut lines = Vec::new();
        for _ in 0..rows {
            let mut line = String::new();
            let mut empty = 0;
            for _ in 0..columns {
                if self.below(10) >= stones {
                    empty += 1;
                    continue;
                }
                if empty > 0 {
                    line += &empty.to_string();
                    empty = 0;
                }
                line.push(self.pick(b"wb") as char);
            }
            if empty > 0 {
                line += &empty.to_string();
            }
            lines.push(line);
        }
        lines.join("/")
    }

    /// A position for the board of `preset`, sometimes for another, sometimes
    /// damaged.
    pub fn fen(&mut self, preset: &str) -> String {
        let (columns, rows) = match preset {
            _ if self.one_in(12) => self.pick(&[(5, 5), (3, 3), (7, 5), (3, 9), (9, 5), (4, 4)]),
            "dimy" => (5, 5),
            "telo" => (3, 3),
            _ => (9, 5),
        };
        let mut fen = self.placement(columns, rows);
        fen += self.pick(&[" w", " b"]);
        match self.below(6) {
            0 => {}
            1 => fen += &format!(" {} {}", self.number(120), self.number(100)),
            _ => fen += &format!(" {} {}", self.below(40), 1 + self.below(40)),
        }
        if self.one_in(6) {
            fen = self.damage(&fen, 0, &ODD);
        }
        fen
    }

    /// A text with a few characters after `head` changed to some of `others`.
    fn damage(&mut self, text: &str, head: usize, others: &[char]) -> String {
        let mut tail: Vec<char> = text[head..].chars().collect();
        for _ in 0..=self.below(3) {
            let at = self.below(tail.len() + 1);
            let other = self.pick(others);
            match self.below(3) {
                0 => tail.insert(at, other),
                1 if at < tail.len() => tail[at] = other,
                _ if at < tail.len() => {
                    tail.remove(at);
                }
                _ => {}
            }
        }
        text[..head].chars().chain(tail).collect()
    }

    /// A `position` command.
    pub fn position(&mut self, book: &Book, preset: &str) -> String {
        let mut line = match self.below(3) {
            0 => format!("position fen {}", self.fen(preset)),
            _ => "position startpos".to_owned(),
        };
        if !self.one_in(4) {
            line += " moves ";
            line += &self.moves(book, preset).join(" ");
        }
        line
    }

    /// A `setoption` command but for the variant; mostly one that is right.
    pub fn option(&mut self) -> String {
        let (name, value) = match self.below(18) {
            0 | 1 => ("Threads", (1 + self.below(4)).to_string()),
            2 | 3 => ("Hash", (1 + self.below(64)).to_string()),
            4 => ("MultiPV", (1 + self.below(8)).to_string()),
            5 => ("Ponder", self.pick(&["true", "false"]).to_owned()),
            6 => ("Move Overhead", self.below(50).to_string()),
            7 => ("UCI_ShowWDL", self.pick(&["true", "false"]).to_owned()),
            8 => ("UCI_AnalyseMode", self.pick(&["true", "false"]).to_owned()),
            9 => ("Rules", self.rules()),
            10 => return "setoption name Clear Hash".to_owned(),
            11 => (
                "SearchParameters",
                self.pick(&[
                    "late_move_base=300",
                    "late_move_depth=3 reduction_base=0",
                    "x=1",
                ])
                .to_owned(),
            ),
            12 => (
                "UCI_LimitStrength",
                self.pick(&["true", "false"]).to_owned(),
            ),
            13 => ("UCI_Elo", (500 + self.below(1_700)).to_string()),
            14 => ("Skill Level", self.below(21).to_string()),
            15 => ("Skill Seed", self.below(1_000).to_string()),
            16 => ("Contempt", (self.below(201) as i32 - 100).to_string()),
            _ => ("Nonsense", self.number(100)),
        };
        let absurd = ",0,-1,abc,1000000000000,99999999999999999999,true,1.5,<empty>,4 4,value";
        let absurd: Vec<&str> = absurd.split(',').collect();
        match self.below(8) {
            0 => format!("setoption name {name} value {}", self.pick(&absurd)),
            1 => {
                let line = format!("setoption name {name} value {value}");
                // No digits: a table of that size might be granted.
                self.damage(&line, "setoption ".len(), &ODD[2..])
            }
            2 => format!("setoption name {name}"),
            _ => format!("setoption name {name} value {value}"),
        }
    }

    /// A rules string, mostly a good one.
    fn rules(&mut self) -> String {
        let all = "board=9x5 board=5x5 board=3x3 board=7x3 board=3x9 board=4x4 capture=forced \
            capture=opening capture=free chain=free chain=full chain=single direction=change \
            direction=any opening=free opening=first opening=both blocked=loss blocked=draw blocked=pass tie=draw \
            tie=count repeat=0 repeat=2 repeat=3 limit=0 limit=1 limit=20 vela=off vela=white \
            vela=black eating=must repeat=x nonsense";
        let count = self.below(6);
        let words: Vec<&str> = (0..count).map(|_| self.word(all)).collect();
        words.join(" ")
    }

    /// A limit that a search reaches by itself within a moment.
    pub fn bounded_go(&mut self) -> String {
        match self.below(8) {
            0 => format!("go depth {}", self.below(5)),
            1 => format!("go nodes {}", self.below(5000)),
            2 => format!("go movetime {}", self.below(40)),
            3 => self
                .pick(&["go depth abc", "go nodes 0", "go movetime -7"])
                .to_owned(),
            4 => format!("go perft {}", self.below(3)),
            5 => format!("go depth 2 nodes 500 searchmoves {}", self.any_move()),
            6 => format!(
                "go wtime {0} btime {0} winc {1} binc {1}",
                self.below(200),
                self.below(10)
            ),
            _ => format!(
                "go p1time {0} p2time {0} p1inc {1} p2inc {1} movestogo {2}",
                self.below(200),
                self.below(10),
                1 + self.below(30)
            ),
        }
    }

    /// Any combination of limits; it may need a `stop`.
    pub fn any_go(&mut self) -> String {
        let mut line = "go".to_owned();
        for _ in 0..self.below(7) {
            let keys = "p1time p2time p1inc p2inc wtime btime winc binc movestogo movetime depth nodes mate \
                infinite ponder searchmoves banana";
            let key = self.word(keys);
            line.push(' ');
            line += key;
            match key {
                "infinite" | "ponder" => {}
                "searchmoves" => {
                    for _ in 0..self.below(4) {
                        line.push(' ');
                        line += &self.any_move();
                    }
                }
                _ => {
                    line.push(' ');
                    line += &self.number(300);
                }
            }
        }
        if self.one_in(8) {
            line = self.damage(&(line + " "), "go ".len(), &ODD);
        }
        line
    }
}
