//! Rule sets, as docs/rules.md describes them, without what tables and certificates exclude.

use std::collections::HashMap;

/// The keys in the order of a rules string, each with its values, the standard one first.
const KEYS: [(&str, &[&str]); 10] = [
    ("board", &["9x5"]),
    ("capture", &["forced", "opening", "free"]),
    ("chain", &["free", "full", "single"]),
    ("direction", &["change", "any"]),
    ("opening", &["free", "first", "both"]),
    ("blocked", &["loss", "draw"]),
    ("tie", &["draw"]),
    ("repeat", &["3"]),
    ("limit", &["100"]),
    ("vela", &["off"]),
];

/// The value of every key.
#[derive(Clone, PartialEq)]
pub struct Rules(HashMap<&'static str, String>);

impl Rules {
    pub fn parse(text: &str) -> Result<Rules, String> {
        let mut given = HashMap::new();
        for word in text.split_whitespace() {
            let wrong = || format!("rules: '{word}' is unknown, a second time, or without tables and certificates");
            let (key, value) = word.split_once('=').ok_or_else(wrong)?;
            let &(key, values) = KEYS.iter().find(|known| known.0 == key).ok_or_else(wrong)?;
            let fits = match key {
                "board" => board_size(value).is_some(),
                "repeat" | "limit" => value.parse::<u16>().is_ok() && word != "repeat=1",
                _ => values.contains(&value),
            };
            if !fits || given.insert(key, value.to_string()).is_some() {
                return Err(wrong());
            }
        }
        KEYS.iter().for_each(|&(key, values)| _ = given.entry(key).or_insert(values[0].to_string()));
        Ok(Rules(given))
    }

    /// The rules string, with all keys.
    pub fn text(&self) -> String {
        KEYS.map(|(key, _)| format!("{key}={}", self.0[key])).join(" ")
    }

    pub fn is(&self, key: &str, value: &str) -> bool {
        self.0[key] == value
    }

    /// The columns and ranks of the board.
    pub fn board(&self) -> (usize, usize) {
        board_size(&self.0["board"]).expect("it is checked when read")
    }

    /// The plies without a capture that end the game.
    pub fn limit(&self) -> Option<u32> {
        self.0["limit"].parse().ok().filter(|&plies| plies > 0)
    }

    /// The rules of the tables: what makes no difference after the first turns has its default.
    pub fn of_tables(&self) -> Rules {
        let mut rules = self.clone();
        let capture = if self.is("capture", "forced") { "forced" } else { "free" };
        let defaults = [("capture", capture), ("opening", "free"), ("repeat", "3"), ("limit", "100")];
        rules.0.extend(defaults.map(|(key, value)| (key, value.to_string())));
        rules
    }
}

fn board_size(text: &str) -> Option<(usize, usize)> {
    let (columns, ranks) = text.split_once('x')?;
    let (columns, ranks) = (columns.parse::<usize>().ok()?, ranks.parse::<usize>().ok()?);
    let (long, short) = (columns.max(ranks), columns.min(ranks));
    (long <= 9 && (3..=5).contains(&short) && long % 2 == 1 && short % 2 == 1).then_some((columns, ranks))
}
