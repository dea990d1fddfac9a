//! Rule sets, as docs/rules.md describes them, without those that certificates and tables exclude.

use std::fmt;

/// When capturing is compulsory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Capture {
    Forced,
    Opening,
    Free,
}

/// What follows a capturing step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Chain {
    Free,
    Full,
    Single,
}

/// Whose first turn is a single step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Opening {
    Free,
    First,
    Both,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rules {
    pub columns: usize,
    pub ranks: usize,
    pub capture: Capture,
    pub chain: Chain,
    /// `direction=any`: a step may repeat the direction of the step before.
    pub any_direction: bool,
    pub opening: Opening,
    /// `blocked=draw`: a player without a move draws. Otherwise that player has lost.
    pub blocked_draws: bool,
    pub repeat: u16,
    pub limit: u16,
}

impl Rules {
    pub fn parse(text: &str) -> Result<Rules, String> {
        let text = match text.to_ascii_lowercase().as_str() {
            "tsivy" => "",
            "dimy" => "board=5x5",
            "telo" => "board=3x3",
            "riatra" => "opening=first",
            "first-turns" => "opening=both",
            "full-chain" => "chain=full blocked=draw",
            "free-capture" => "capture=opening",
            _ => text,
        };
        let mut rules = Rules {
            columns: 9,
            ranks: 5,
            capture: Capture::Forced,
            chain: Chain::Free,
            any_direction: false,
            opening: Opening::Free,
            blocked_draws: false,
            repeat: 3,
            limit: 100,
        };
        let mut seen = Vec::new();
        for word in text.split_whitespace() {
            let (key, value) =
                word.split_once('=').ok_or_else(|| format!("rules: '{word}' is not of the form key=value"))?;
            if seen.contains(&key) {
                return Err(format!("rules: '{key}' is given twice"));
            }
            seen.push(key);
            let number = || value.parse().map_err(|_| format!("rules: '{word}' needs a number up to 65535"));
            match (key, value) {
                ("board", _) => {
                    (rules.columns, rules.ranks) =
                        board_size(value).ok_or_else(|| format!("rules: no board of size '{value}'"))?
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
                ("blocked", "loss") => rules.blocked_draws = false,
                ("blocked", "draw") => rules.blocked_draws = true,
                ("repeat", _) => rules.repeat = number()?,
                ("limit", _) => rules.limit = number()?,
                ("tie", "draw") | ("vela", "off") | ("eating", "free" | "must") => {}
                ("tie", "count") | ("blocked", "pass") | ("vela", "white" | "black") => {
                    return Err(format!("rules: {word} has no tables and no certificates"));
                }
                _ => return Err(format!("rules: '{word}' is unknown")),
            }
        }
        Ok(rules)
    }

    /// The rules of the tables: what makes no difference after the first turns has its default.
    pub fn of_tables(&self) -> Rules {
        let capture = if self.capture == Capture::Forced { Capture::Forced } else { Capture::Free };
        Rules { capture, opening: Opening::Free, repeat: 3, limit: 100, ..*self }
    }

    /// Whether the first turn of a player has rules of its own.
    pub fn special_first(&self, black: bool) -> bool {
        match self.opening {
            Opening::Both => true,
            Opening::First => !black,
            Opening::Free => self.capture == Capture::Opening && !black,
        }
    }
}

fn board_size(text: &str) -> Option<(usize, usize)> {
    let (columns, ranks) = text.split_once('x')?;
    let (columns, ranks) = (columns.parse::<usize>().ok()?, ranks.parse::<usize>().ok()?);
    let (long, short) = (columns.max(ranks), columns.min(ranks));
    (long <= 9 && (3..=5).contains(&short) && long % 2 == 1 && short % 2 == 1).then_some((columns, ranks))
}

impl fmt::Display for Rules {
    /// All keys but `eating`.
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let capture = match self.capture {
            Capture::Forced => "forced",
            Capture::Opening => "opening",
            Capture::Free => "free",
        };
        let chain = match self.chain {
            Chain::Free => "free",
            Chain::Full => "full",
            Chain::Single => "single",
        };
        let opening = match self.opening {
            Opening::Free => "free",
            Opening::First => "first",
            Opening::Both => "both",
        };
        let direction = if self.any_direction { "any" } else { "change" };
        let blocked = if self.blocked_draws { "draw" } else { "loss" };
        let Rules { columns, ranks, repeat, limit, .. } = self;
        write!(f, "board={columns}x{ranks} capture={capture} chain={chain} direction={direction} opening={opening} ")?;
        write!(f, "blocked={blocked} tie=draw repeat={repeat} limit={limit} vela=off")
    }
}
