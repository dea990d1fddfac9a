//! Selects games of a file and reads them ahead of the analysis.

use std::io::BufRead;
use std::ops::RangeInclusive;
use std::str::FromStr;
use std::sync::mpsc::Receiver;

use vato_records::pgn::{GameRecord, PgnError};
use vato_tools::game_formats;

use crate::cli::pgn::tell_latin1;
use crate::cli::support::failure::Failure;
use crate::cli::support::in_order::read_ahead;

/// Numbers of games, from 1: `3,5-7,20-`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Numbers(Vec<RangeInclusive<u64>>);

impl Numbers {
    fn all() -> Numbers {
        Numbers(vec![1..=u64::MAX])
    }
}

impl FromStr for Numbers {
    type Err = String;

    fn from_str(text: &str) -> Result<Numbers, String> {
        let range = |part: &str| {
            let (first, last) = match part.split_once('-') {
                None => (part.parse().ok()?, part.parse().ok()?),
                Some((first, "")) => (first.parse().ok()?, u64::MAX),
                Some((first, last)) => (first.parse().ok()?, last.parse().ok()?),
            };
            (first >= 1 && first <= last).then_some(first..=last)
        };
        text.split(',')
            .map(|part| {
                range(part.trim()).ok_or_else(|| {
                    format!("'{part}' is neither a number from 1 nor a range such as 5-7 or 20-")
                })
            })
            .collect::<Result<_, _>>()
            .map(Numbers)
    }
}

/// The selected games: by number, by player, or all.
#[derive(Clone, Debug)]
pub struct Selection {
    numbers: Numbers,
    /// A part of the name, in lower case.
    player: Option<String>,
}

impl Selection {
    pub fn new(numbers: Option<Numbers>, player: Option<&str>) -> Selection {
        Selection {
            numbers: numbers.unwrap_or_else(Numbers::all),
            player: player.map(str::to_lowercase),
        }
    }

    pub fn is_all(&self) -> bool {
        self.numbers == Numbers::all() && self.player.is_none()
    }

    /// The numbers that select the rest of the selection from game `first` on, in the syntax of the option; `None` if
    /// nothing is left.
    pub fn from(&self, first: u64) -> Option<String> {
        let ranges = self.numbers.0.iter();
        let ranges = ranges.filter(|range| *range.end() >= first);
        let texts: Vec<String> = ranges
            .map(|range| match (first.max(*range.start()), *range.end()) {
                (from, u64::MAX) => format!("{from}-"),
                (from, to) if from == to => from.to_string(),
                (from, to) => format!("{from}-{to}"),
            })
            .collect();
        (!texts.is_empty()).then(|| texts.join(","))
    }

    pub fn ends_before(&self, number: u64) -> bool {
        self.numbers.0.iter().all(|range| number > *range.end())
    }

    /// Whether this game is selected. The players of an unreadable game may be unknown; it is not selected
    /// if a player is given.
    pub fn takes(&self, number: u64, game: &Result<GameRecord, PgnError>) -> bool {
        let is_player = |player: &String| match game {
            Ok(record) => ["White", "Black"]
                .iter()
                .filter_map(|side| record.tag_value(side))
                .any(|name| name.to_lowercase().contains(player)),
            Err(error) => error.players.to_lowercase().contains(player),
        };
        self.numbers.0.iter().any(|range| range.contains(&number))
            && self.player.as_ref().is_none_or(is_player)
    }
}

/// A game of the file, or the error in it, with its number in the file, from 1.
pub(super) type Item = (u64, Result<GameRecord, PgnError>);

/// Reads the selected games ahead of the analysis. An error of the input is sent as the last item.
pub(super) fn read_games(
    input: Box<dyn BufRead + Send>,
    name: String,
    selection: Selection,
) -> Result<Receiver<Item>, Failure> {
    read_ahead(move |send| {
        let mut is_told = false;
        let tell = |(_, record): &Item| {
            let line = record.as_ref().ok().and_then(GameRecord::latin1_line);
            tell_latin1(&name, line, &mut is_told);
        };
        wanted(input, &selection).inspect(tell).all(send);
    })
}

/// The number of positions of all selected readable games; stops early once `goes_on` is false.
pub(super) fn count_positions(
    input: Box<dyn BufRead + Send>,
    selection: &Selection,
    goes_on: &dyn Fn() -> bool,
) -> u64 {
    wanted(input, selection)
        .take_while(|_| goes_on())
        .filter_map(|(_, record)| record.ok())
        .map(|record| record.moves().len() as u64 + 1)
        .sum()
}

/// The selected games, and a possible error of the input. Nothing is read after the last selected one.
fn wanted(
    input: Box<dyn BufRead + Send>,
    selection: &Selection,
) -> impl Iterator<Item = Item> + '_ {
    (1..)
        .take_while(|&number| !selection.ends_before(number))
        .zip(game_formats::read(input, None))
        .filter(move |(number, record)| {
            selection.takes(*number, record) || record.as_ref().is_err_and(|error| error.is_input)
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read() {
        let numbers: Numbers = "3, 5-7,20-".parse().expect("good");
        let taken = |number: &u64| numbers.0.iter().any(|range| range.contains(number));
        let taken: Vec<u64> = (0..23).filter(taken).collect();
        assert_eq!(taken, [3, 5, 6, 7, 20, 21, 22]);
        for text in ["", "0", "x", "7-5", "-3", "1,,2", "1-2-3", "0-4"] {
            assert!(text.parse::<Numbers>().is_err(), "'{text}'");
        }
    }

    #[test]
    fn the_rest_is_told_as_it_is_given() {
        for (numbers, first, rest) in [
            ("3,5-7,20-", 1, Some("3,5-7,20-")),
            ("3,5-7,20-", 4, Some("5-7,20-")),
            ("3,5-7,20-", 6, Some("6-7,20-")),
            ("3,5-7,20-", 7, Some("7,20-")),
            ("3,5-7,20-", 21, Some("21-")),
            ("3,5-7", 8, None),
        ] {
            let selection = Selection::new(numbers.parse().ok(), None);
            assert_eq!(selection.from(first).as_deref(), rest);
        }
        let of_player = Selection::new(None, Some("x"));
        assert_eq!(of_player.from(8).as_deref(), Some("8-"));
    }

    #[test]
    fn games_are_selected() {
        let mut record = GameRecord::default();
        record.set_tag("Black", "Ranaivo Soa").expect("a tag");
        let game = Ok(record);
        let select = |numbers: Option<&str>, player| {
            let numbers = numbers.map(|text| text.parse().expect("good"));
            Selection::new(numbers, player)
        };
        assert!(select(None, None).takes(9, &game) && select(None, None).is_all());
        assert!(select(Some("9"), Some("SOA")).takes(9, &game));
        assert!(!select(Some("9"), Some("SOA")).takes(8, &game));
        assert!(!select(None, Some("Rabe")).takes(9, &game));
        assert!(select(Some("2,4"), None).ends_before(5));
        assert!(!select(Some("2,4"), None).ends_before(4));
        assert!(!select(Some("2-"), None).ends_before(u64::MAX));
    }

    #[test]
    fn the_positions_of_wanted_games_are_counted() {
        let text = "1. f2-e3A d5-d4A *\n\n[White \"Soa\"]\n\n1. f2-e3A *\n\n1. ( *\n\n*\n";
        let count = |numbers: Option<&str>, player, goes_on| {
            let numbers = numbers.map(|text| text.parse().expect("good"));
            let selection = Selection::new(numbers, player);
            count_positions(Box::new(text.as_bytes()), &selection, &|| goes_on)
        };
        assert_eq!(count(Some("1-2"), None, true), 5);
        assert_eq!(count(Some("2"), None, true), 2);
        assert_eq!(count(None, Some("soa"), true), 2);
        assert_eq!(count(None, None, false), 0);
    }
}
