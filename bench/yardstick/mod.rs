//! A plain Fanorona turn generator and perft, written from the rules alone.
//!
//! It has two uses. A benchmark runs it beside the engine's generator, so that "fast" is said against
//! something that everybody can read; and tests ask it for a second opinion. Both need two
//! implementations that share no code, so this file uses only `std` and nothing of the library.
//!
//! It is plain on purpose: a set of points is a `u64`, a step is a shift, a chain of captures is a
//! recursion. Every stone tries every direction, at every node anew. There are no lookup tables, no
//! caches, no threads and no merging of paths that lead to the same result. Please keep it so: a
//! faster yardstick would make every earlier measurement incomparable.
//!
//! Layout: the point in file `x` and rank `y`, both from 0, is bit `y * (columns + 1) + x`. The unused
//! bit at the end of each rank catches every step over the left or right edge.
//!
//! A position is taken as it is: only a side to move that has no stones is without turns for want of
//! stones, and the caller sees to it that the other side has some.

// Each target that includes this file uses a part of it.
#![allow(dead_code)]

/// The index of White in [`Position::stones`] and [`Position::side`].
pub const WHITE: usize = 0;

/// The index of Black in [`Position::stones`] and [`Position::side`].
pub const BLACK: usize = 1;

/// The parameter `capture`: when a turn must capture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Capture {
    /// Whenever it can.
    Forced,
    /// Whenever it can, on the first move of the game only.
    Opening,
    /// Never.
    Free,
}

/// The parameter `chain`: whether a stone goes on after a capturing step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Chain {
    /// As the player likes.
    Free,
    /// As long as it can.
    Full,
    /// Never.
    Single,
}

/// The parameter `opening`: whose first turn is a single step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Opening {
    /// Nobody's.
    Free,
    /// White's.
    First,
    /// Each player's.
    Both,
}

/// A rule set, as far as it decides which turns are legal, with the board it is played on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rules {
    /// Number of files.
    pub columns: usize,
    /// Number of ranks.
    pub rows: usize,
    /// When a turn must capture.
    pub capture: Capture,
    /// Whether a stone goes on after a capturing step.
    pub chain: Chain,
    /// Whether a step may take the direction of the step before it (`direction=any`).
    pub any_direction: bool,
    /// Whose first turn is a single step.
    pub opening: Opening,
    /// The giver of the vela, [`WHITE`] or [`BLACK`].
    pub vela: Option<usize>,
    /// Whether the eater of the vela captures in every turn (`eating=must`).
    pub must_eat: bool,
    /// Whether a player that cannot move passes (`blocked=pass`).
    pub passes: bool,
}

impl Rules {
    /// Reads a rules string such as `board=5x5 chain=full`; what it leaves out has its default.
    ///
    /// The keys that only end games (`tie`, `repeat`, `limit`; `blocked=loss` and `draw`) are accepted and ignored.
    pub fn parse(text: &str) -> Option<Rules> {
        let mut rules = Rules {
            columns: 9,
            rows: 5,
            capture: Capture::Forced,
            chain: Chain::Free,
            any_direction: false,
            opening: Opening::Free,
            vela: None,
            must_eat: false,
            passes: false,
        };
        for pair in text.split_whitespace() {
            match pair.split_once('=')? {
                ("board", size) => {
                    let (columns, rows) = size.split_once('x')?;
                    rules.columns = columns.parse().ok()?;
                    rules.rows = rows.parse().ok()?;
                }
                ("capture", "forced") => rules.capture = Capture::Forced,
                ("capture", "opening") => rules.capture = Capture::Opening,
                ("capture", "free") => rules.capture = Capture::Free,
                ("chain", "free") => rules.chain = Chain::Free,
                ("chain", "full") => rules.chain = Chain::Full,
                ("chain", "single") => rules.chain = Chain::Single,
                ("direction", "change") => rules.any_direction = false,
                ("direction", "any") => rules.any_direction = true,
                ("opening", "free") => rules.opening = Opening::Free,
                ("opening", "first") => rules.opening = Opening::First,
                ("opening", "both") => rules.opening = Opening::Both,
                ("vela", "off") => rules.vela = None,
                ("vela", "white") => rules.vela = Some(WHITE),
                ("vela", "black") => rules.vela = Some(BLACK),
                ("eating", "free") => rules.must_eat = false,
                ("eating", "must") => rules.must_eat = true,
                ("blocked", way) => rules.passes = way == "pass",
                ("tie" | "repeat" | "limit", _) => {}
                _ => return None,
            }
        }
        let short = rules.columns.min(rules.rows);
        let long = rules.columns.max(rules.rows);
        let odd = short % 2 == 1 && long % 2 == 1;
        (odd && (3..=5).contains(&short) && long <= 9).then_some(rules)
    }

    /// The start of a game on this board.
    pub fn start(&self) -> Position {
        let mut stones = [0, 0];
        for y in 0..self.rows {
            for x in 0..self.columns {
                let (middle_x, middle_y) = (self.columns / 2, self.rows / 2);
                if y < middle_y {
                    stones[WHITE] |= self.point(x, y);
                } else if y > middle_y {
                    stones[BLACK] |= self.point(x, y);
                } else if x != middle_x {
                    // Black first, alternating, as if the centre were not there.
                    let place = if x < middle_x { x } else { x - 1 };
                    stones[if place % 2 == 0 { BLACK } else { WHITE }] |= self.point(x, y);
                }
            }
        }
        Position {
            stones,
            side: WHITE,
            quiet: 0,
            number: 1,
        }
    }

    /// The point in file `x` and rank `y`, as a set of one.
    fn point(&self, x: usize, y: usize) -> u64 {
        1 << (y * (self.columns + 1) + x)
    }

    /// The name of a point, such as `e3`.
    fn name(&self, point: u64) -> String {
        let bit = point.trailing_zeros() as usize;
        let (x, y) = (bit % (self.columns + 1), bit / (self.columns + 1));
        format!("{}{}", (b'a' + x as u8) as char, y + 1)
    }
}

/// The stones, who is to move, and the two counters of the FEN.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    /// The points that hold a stone of White, and of Black, in the layout of this module.
    pub stones: [u64; 2],
    /// The side to move, [`WHITE`] or [`BLACK`].
    pub side: usize,
    /// Plies since the last capture.
    pub quiet: u32,
    /// The move number, up after Black's move.
    pub number: u32,
}

impl Position {
    /// Reads a FEN. `None` if it is not one; it makes no effort to find every error.
    pub fn parse(fen: &str, rules: &Rules) -> Option<Position> {
        let mut fields = fen.split_whitespace();
        let rows: Vec<&str> = fields.next()?.split('/').collect();
        if rows.len() != rules.rows {
            return None;
        }
        let mut stones = [0, 0];
        for (row, y) in rows.iter().zip((0..rules.rows).rev()) {
            let mut x = 0;
            for letter in row.chars() {
                if let Some(run) = letter.to_digit(10) {
                    x += run as usize;
                    continue;
                }
                let colour = match letter {
                    'w' | 'W' => WHITE,
                    'b' | 'B' => BLACK,
                    _ => return None,
                };
                if x >= rules.columns {
                    return None;
                }
                stones[colour] |= rules.point(x, y);
                x += 1;
            }
            if x != rules.columns {
                return None;
            }
        }
        let side = match fields.next()? {
            "w" => WHITE,
            "b" => BLACK,
            _ => return None,
        };
        let quiet = match fields.next() {
            Some(counter) => counter.parse().ok()?,
            None => 0,
        };
        let number = match fields.next() {
            Some(counter) => counter.parse().ok()?,
            None if stones == rules.start().stones => 1,
            None => 2,
        };
        Some(Position {
            stones,
            side,
            quiet,
            number,
        })
    }

    /// Prints the FEN, with both counters.
    pub fn fen(&self, rules: &Rules) -> String {
        let mut text = String::new();
        for y in (0..rules.rows).rev() {
            let mut empty = 0;
            for x in 0..rules.columns {
                let point = rules.point(x, y);
                if (self.stones[WHITE] | self.stones[BLACK]) & point == 0 {
                    empty += 1;
                    continue;
                }
                if empty > 0 {
                    text += &empty.to_string();
                    empty = 0;
                }
                text.push(if self.stones[WHITE] & point != 0 {
                    'w'
                } else {
                    'b'
                });
            }
            if empty > 0 {
                text += &empty.to_string();
            }
            if y > 0 {
                text.push('/');
            }
        }
        let side = if self.side == WHITE { 'w' } else { 'b' };
        format!("{text} {side} {} {}", self.quiet, self.number)
    }

    /// The position after a turn of the side to move that leaves these stones.
    fn after(&self, own: u64, enemy: u64) -> Position {
        let stones = if self.side == WHITE {
            [own, enemy]
        } else {
            [enemy, own]
        };
        let captured = enemy != self.stones[1 - self.side];
        Position {
            stones,
            side: 1 - self.side,
            quiet: if captured { 0 } else { self.quiet + 1 },
            number: self.number + (self.side == BLACK) as u32,
        }
    }
}

/// One complete turn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Turn {
    /// The notation: `d5-d4A-c5W`, `d3-e3` for a paika, or `pass`.
    pub text: String,
    /// The position that it leads to.
    pub position: Position,
    /// How many stones it removes.
    pub captured: u32,
}

/// Counts the turns, path by path, that are `depth` turns away; 1 at depth 0.
pub fn perft(rules: &Rules, position: &Position, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => {
            let mut leaves = Leaves(0);
            Player::new(rules, position).turns(&mut leaves);
            leaves.0
        }
        _ => {
            let mut inner = Inner {
                rules,
                position,
                depth,
                count: 0,
            };
            Player::new(rules, position).turns(&mut inner);
            inner.count
        }
    }
}

/// Lists every turn, path by path.
pub fn turns(rules: &Rules, position: &Position) -> Vec<Turn> {
    let mut lister = Lister {
        rules,
        position,
        way: Vec::new(),
        list: Vec::new(),
    };
    Player::new(rules, position).turns(&mut lister);
    lister.list
}

/// What the generator reports to, as it moves a stone to and fro.
trait Visitor {
    /// A stone is taken up at its origin, or makes a step to this point: a capture by `A` or `W`.
    fn step(&mut self, point: u64, letter: Option<char>);
    /// That is taken back.
    fn back(&mut self);
    /// The turn may end here; these are the stones after it, those of its player first.
    fn turn(&mut self, own: u64, enemy: u64);
}

/// Counts turns.
struct Leaves(u64);

impl Visitor for Leaves {
    fn step(&mut self, _: u64, _: Option<char>) {}
    fn back(&mut self) {}
    fn turn(&mut self, _: u64, _: u64) {
        self.0 += 1;
    }
}

/// Counts what comes after each turn.
struct Inner<'a> {
    rules: &'a Rules,
    position: &'a Position,
    depth: u32,
    count: u64,
}

impl Visitor for Inner<'_> {
    fn step(&mut self, _: u64, _: Option<char>) {}
    fn back(&mut self) {}
    fn turn(&mut self, own: u64, enemy: u64) {
        let next = self.position.after(own, enemy);
        self.count += perft(self.rules, &next, self.depth - 1);
    }
}

/// Writes turns down.
struct Lister<'a> {
    rules: &'a Rules,
    position: &'a Position,
    /// The points of the stone in this turn, as the notation has them.
    way: Vec<String>,
    list: Vec<Turn>,
}

impl Visitor for Lister<'_> {
    fn step(&mut self, point: u64, letter: Option<char>) {
        let mut text = self.rules.name(point);
        text.extend(letter);
        self.way.push(text);
    }
    fn back(&mut self) {
        self.way.pop();
    }
    fn turn(&mut self, own: u64, enemy: u64) {
        let before = self.position.stones[1 - self.position.side];
        self.list.push(Turn {
            text: match self.way.is_empty() {
                true => "pass".to_owned(),
                false => self.way.join("-"),
            },
            position: self.position.after(own, enemy),
            captured: before.count_ones() - enemy.count_ones(),
        });
    }
}

/// The player to move: the stones as they lie before the turn, and what the rules demand of this turn.
struct Player {
    /// All points of the board.
    board: u64,
    /// The points with diagonals.
    strong: u64,
    /// The shifts of the eight directions, those of the lines that every point has first.
    shifts: [i32; 8],
    /// The stones of the player.
    own: u64,
    /// The stones of the other player.
    enemy: u64,
    /// A paika is legal only if no step captures.
    must_capture: bool,
    /// A capturing turn ends after one step.
    single: bool,
    /// A capturing turn ends only when the stone cannot go on.
    full: bool,
    /// A step may take the direction of the step before it.
    any_direction: bool,
    /// The giver of a vela: no step captures.
    gives: bool,
    /// The eater of a vela: a step removes one stone.
    eats: bool,
    /// No turn is a paika.
    must_eat: bool,
    /// Without a turn the player passes.
    passes: bool,
}

impl Player {
    fn new(rules: &Rules, position: &Position) -> Player {
        let up = rules.columns as i32 + 1;
        let rank = (1 << rules.columns) - 1;
        let mut board = 0;
        for y in 0..rules.rows {
            board |= rank << (y * (rules.columns + 1));
        }
        // File and rank count from 0 here, which leaves the parity of their sum as it is.
        let evens = 0x5555_5555_5555_5555;
        let mut strong = 0;
        for y in 0..rules.rows {
            let files = if y % 2 == 0 { evens } else { evens << 1 };
            strong |= (files & rank) << (y * (rules.columns + 1));
        }

        let first_number = position.number == 1;
        let first_of_game = first_number && position.side == WHITE;
        // The vela lasts while its giver has more than five stones.
        let vela = rules
            .vela
            .filter(|&giver| position.stones[giver].count_ones() > 5);
        Player {
            board,
            strong,
            shifts: [1, -1, up, -up, up + 1, up - 1, -up + 1, -up - 1],
            own: position.stones[position.side],
            enemy: position.stones[1 - position.side],
            must_capture: match rules.capture {
                Capture::Forced => true,
                Capture::Opening => first_of_game,
                Capture::Free => false,
            },
            single: vela.is_some()
                || rules.chain == Chain::Single
                || match rules.opening {
                    Opening::Free => false,
                    Opening::First => first_of_game,
                    Opening::Both => first_number,
                },
            full: rules.chain == Chain::Full,
            any_direction: rules.any_direction,
            gives: vela.is_some_and(|giver| giver == position.side),
            eats: vela.is_some_and(|giver| giver != position.side),
            must_eat: rules.must_eat && vela.is_some_and(|giver| giver != position.side),
            passes: rules.passes,
        }
    }

    /// Visits every turn.
    fn turns<V: Visitor>(&self, visitor: &mut V) {
        // The hot code is compiled twice, so that the standard rules do not pay for the others.
        let usual = !self.single && !self.full && !self.any_direction && !self.eats;
        let captures = if self.gives {
            false
        } else if usual {
            self.first_captures::<true, V>(visitor)
        } else {
            self.first_captures::<false, V>(visitor)
        };
        let mut found = captures;
        if !(captures && self.must_capture || self.must_eat) {
            found |= self.paikas(visitor);
        }
        if !found && self.passes && !self.must_eat && self.other_can_move() {
            visitor.turn(self.own, self.enemy);
        }
    }

    /// Whether the other player could move a stone now.
    fn other_can_move(&self) -> bool {
        let mut count = Leaves(0);
        let other = Player {
            own: self.enemy,
            enemy: self.own,
            gives: true,
            ..*self
        };
        self.own != 0 && other.paikas(&mut count)
    }

    /// Visits every capturing turn, and says whether there is one.
    ///
    /// Here and below, `USUAL` promises that `single`, `full`, `any_direction` and `eats` are false.
    fn first_captures<const USUAL: bool, V: Visitor>(&self, visitor: &mut V) -> bool {
        let mut found = false;
        for stone in each(self.own) {
            let others = self.own ^ stone;
            visitor.step(stone, None);
            // The step before the first has no direction: 0.
            found |= self.captures::<USUAL, V>(others, self.enemy, stone, 0, stone, visitor);
            visitor.back();
        }
        found
    }

    /// Visits every paika: a step that lines up with nothing, or any step of a giver. Says whether there is one.
    fn paikas<V: Visitor>(&self, visitor: &mut V) -> bool {
        let mut found = false;
        let empty = self.board & !self.own & !self.enemy;
        for stone in each(self.own) {
            visitor.step(stone, None);
            for &shift in self.directions(stone) {
                let target = shifted(stone, shift);
                let touched = shifted(target, shift) | shifted(stone, -shift);
                if target & empty != 0 && (touched & self.enemy == 0 || self.gives) {
                    found = true;
                    visitor.step(target, None);
                    visitor.turn(self.own ^ stone ^ target, self.enemy);
                    visitor.back();
                }
            }
            visitor.back();
        }
        found
    }

    /// Visits every turn that goes on with a capturing step of this stone, and says whether there is
    /// one.
    ///
    /// `others` are the player's other stones, `last` is the shift of the step before, and `been` holds
    /// the points that the stone has been on in this turn.
    fn captures<const USUAL: bool, V: Visitor>(
        &self,
        others: u64,
        enemy: u64,
        stone: u64,
        last: i32,
        been: u64,
        visitor: &mut V,
    ) -> bool {
        let mut found = false;
        let free = self.board & !others & !enemy & !been;
        for &shift in self.directions(stone) {
            let target = shifted(stone, shift);
            let repeats = shift == last && (USUAL || !self.any_direction);
            if target & free == 0 || repeats {
                continue;
            }
            let been = been | target;
            let approached = self.line::<USUAL>(target, shift, enemy);
            if approached != 0 {
                found = true;
                visitor.step(target, Some('A'));
                self.goes_on::<USUAL, V>(others, enemy ^ approached, target, shift, been, visitor);
                visitor.back();
            }
            let withdrawn = self.line::<USUAL>(stone, -shift, enemy);
            if withdrawn != 0 {
                found = true;
                visitor.step(target, Some('W'));
                self.goes_on::<USUAL, V>(others, enemy ^ withdrawn, target, shift, been, visitor);
                visitor.back();
            }
        }
        found
    }

    /// Visits every turn that begins as this one does, up to a capturing step just made.
    #[inline]
    fn goes_on<const USUAL: bool, V: Visitor>(
        &self,
        others: u64,
        enemy: u64,
        stone: u64,
        last: i32,
        been: u64,
        visitor: &mut V,
    ) {
        let may = USUAL || !self.single;
        let can = may && self.captures::<USUAL, V>(others, enemy, stone, last, been, visitor);
        let must = can && !USUAL && self.full;
        if !must {
            visitor.turn(others | stone, enemy);
        }
    }

    /// The enemy stones in an unbroken line from the point next to `from`; for an eater only the first.
    #[inline]
    fn line<const USUAL: bool>(&self, from: u64, shift: i32, enemy: u64) -> u64 {
        let mut line = 0;
        let mut next = shifted(from, shift) & enemy;
        while next != 0 {
            line |= next;
            if !USUAL && self.eats {
                break;
            }
            next = shifted(next, shift) & enemy;
        }
        line
    }

    /// The shifts of the directions in which lines leave a point.
    fn directions(&self, point: u64) -> &[i32] {
        let number = if point & self.strong != 0 { 8 } else { 4 };
        &self.shifts[..number]
    }
}

/// The points of a set, one at a time.
fn each(mut set: u64) -> impl Iterator<Item = u64> {
    std::iter::from_fn(move || {
        let point = set & set.wrapping_neg();
        set ^= point;
        (point != 0).then_some(point)
    })
}

/// The set one step further.
///
/// What leaves at one end of the word comes back at the other, above the board: the highest bit of a
/// board and the longest step are 48 and 11 on 9x5, 52 and 7 on 5x9, and less on the other boards.
fn shifted(set: u64, shift: i32) -> u64 {
    set.rotate_left(shift as u32)
}
