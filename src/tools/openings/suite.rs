//! Opening suites: openings for the game pairs of a match, and their order.

use rand::seq::SliceRandom;
use thiserror::Error;

use super::random_lines::{FURTHEST_START, RandomLines, random_of};
use super::sources::is_pgn;
use super::{OpeningOrder, OpeningSettings, OpeningSource};
use vato_engine::board::{Move, Position};
use vato_engine::notation::{format_fen, format_line};
use vato_engine::rules::{Game, Rules};

/// Default number of plies of random openings and of game records.
pub const DEFAULT_PLIES: u32 = 8;

/// Number of random openings in the checksum: enough to detect a change.
const RANDOM_SAMPLE: usize = 16;

/// Why a suite cannot be opened. Lines and games count from 1.
#[derive(Debug, Error)]
pub enum OpeningSuiteError {
    /// A file that cannot be read, or has no openings; or an opening that is malformed or illegal, with its place.
    #[error("{0}")]
    File(String),
    /// Settings that do not fit the rules or each other.
    #[error("{0}")]
    Settings(String),
}

/// An opening: the start position of a game, and the book moves played before the engines take over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpeningLine {
    /// The name in records: its suite or file and its number there, such as `sharp 17`.
    pub name: String,
    /// The start position.
    pub start: Position,
    /// The moves of the opening.
    pub moves: Vec<Move>,
}

impl OpeningLine {
    /// The game after the opening, still in progress.
    ///
    /// # Errors
    ///
    /// If a move is illegal under these rules, or the opening ends the game. Openings of an
    /// [`OpeningSuite`](super::OpeningSuite) can fail only under rules other than those it was opened for.
    pub fn game(&self, rules: &Rules) -> Result<Game, String> {
        let mut game = Game::from_position(*rules, self.start);
        for (number, &mv) in (1..).zip(&self.moves) {
            game.play(mv)
                .map_err(|_| format!("move {number} of the opening is illegal"))?;
        }
        match game.outcome() {
            None => Ok(game),
            Some(outcome) => Err(format!("the game is over ({outcome})")),
        }
    }

    /// The opening without its name: the position, then the moves.
    pub(super) fn text(&self, rules: &Rules) -> String {
        let fen = format_fen(&self.start, rules.board);
        let moves = format_line(rules, &self.start, &self.moves);
        [vec![fen], moves].concat().join(" ")
    }
}

/// The openings of a match, all legal under its rules.
#[derive(Debug)]
pub struct OpeningSuite {
    lines: SuiteLines,
    /// The index in the order where the match begins.
    first: usize,
    /// Whether the openings, or their order, follow from the seed.
    pub is_seeded: bool,
    /// A checksum (CRC-32) over the openings' positions and moves in the order of their source, by which
    /// a resumed match detects that its suite has changed. Names, comments and the order of play do not
    /// count; of random openings only the first few do.
    pub checksum: u32,
}

#[derive(Debug)]
enum SuiteLines {
    Listed(Vec<OpeningLine>),
    Random(RandomLines),
}

impl OpeningSuite {
    /// Loads the openings and checks that each is legal under `rules` and leaves the game in progress.
    /// Duplicate positions of a file are kept, with a warning in the log.
    ///
    /// A file whose name ends with `.pgn` has game records; their first `plies` plies (8 by default) are
    /// the openings. A game with fewer moves is taken whole; one that is over within these plies is an
    /// error. They are played under `rules`, whatever their tags say, but on the same board. Any other
    /// file has one FEN per line.
    ///
    /// # Errors
    ///
    /// If a file cannot be read or has no openings; if one of its openings is malformed, illegal under
    /// `rules` or ends the game (names the file, the line and the reason); if the board has no such
    /// openings, or the settings do not fit the source.
    pub fn open(
        settings: &OpeningSettings,
        rules: &Rules,
    ) -> Result<OpeningSuite, OpeningSuiteError> {
        let default = OpeningSource::default_for(rules);
        let source = settings.source.as_ref().unwrap_or(&default);
        let plies = settings.plies.unwrap_or(DEFAULT_PLIES);
        let takes_plies = match source {
            OpeningSource::Random => true,
            OpeningSource::File(path) => is_pgn(path),
            _ => false,
        };
        if settings.plies.is_some() && !takes_plies {
            return Err(OpeningSuiteError::Settings(format!(
                "plies is for random openings and for game records, not for '{source}'"
            )));
        }
        let lines = match source {
            OpeningSource::Random => {
                SuiteLines::Random(RandomLines::new(*rules, settings.seed, plies)?)
            }
            _ => SuiteLines::Listed(source.lines(rules, plies)?),
        };
        let start = settings.start.unwrap_or(1);
        let Some(first) = (start as usize).checked_sub(1) else {
            let what = "start 0: expected a number from 1".to_owned();
            return Err(OpeningSuiteError::Settings(what));
        };
        let mut suite = OpeningSuite {
            is_seeded: matches!(lines, SuiteLines::Random(_)),
            lines,
            first: 0,
            checksum: 0,
        };
        let mut hasher = crc32fast::Hasher::new();
        for index in 0..suite.count().unwrap_or(RANDOM_SAMPLE) {
            hasher.update(suite.line(index).text(rules).as_bytes());
            hasher.update(b"\n");
        }
        suite.checksum = hasher.finalize();
        // Programs that divide a test into many matches count on for ever.
        suite.first = first % suite.count().unwrap_or(FURTHEST_START as usize);
        if let (SuiteLines::Listed(list), OpeningOrder::Random) = (&mut suite.lines, settings.order)
        {
            list.shuffle(&mut random_of(settings.seed, 0));
            suite.is_seeded = list.len() > 1;
        }
        Ok(suite)
    }

    /// The number of openings; `None` for random ones, which are unlimited.
    pub fn count(&self) -> Option<usize> {
        match &self.lines {
            SuiteLines::Listed(list) => Some(list.len()),
            SuiteLines::Random(_) => None,
        }
    }

    /// The opening of a game pair, counted from 0. After the last opening the suite starts over in the same order:
    /// so no opening comes again before all have been played, wherever the match begins.
    pub fn line(&self, pair: usize) -> OpeningLine {
        let place = self.first.saturating_add(pair);
        match &self.lines {
            SuiteLines::Listed(list) => list[place % list.len()].clone(),
            SuiteLines::Random(lines) => lines.line(place),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use vato_engine::notation::{parse_fen, parse_turn};

    /// Wherever a match begins in the order, and however long it is.
    #[test]
    fn no_opening_comes_again_before_all_have_been_played() {
        for order in OpeningOrder::ALL {
            for start in 1..=12 {
                let settings = OpeningSettings {
                    source: Some(OpeningSource::Riatra),
                    order,
                    start: Some(start),
                    ..OpeningSettings::default()
                };
                let suite = OpeningSuite::open(&settings, &Rules::default()).expect("openings");
                let count = suite.count().expect("a list");
                let names = |first: usize| {
                    let lines = (first..first + count).map(|pair| suite.line(pair));
                    lines.map(|line| line.text(&Rules::default())).collect()
                };
                let first: Vec<String> = names(0);
                assert_eq!(suite.first, (start as usize - 1) % count);
                let distinct: std::collections::BTreeSet<&String> = first.iter().collect();
                assert_eq!(distinct.len(), count, "from {start}");
                assert_eq!(first, names(count));
            }
        }
    }

    /// The shuffle must not change: resumed matches depend on it.
    #[test]
    fn the_random_order_follows_from_the_seed() {
        let order = |seed| {
            let mut places: Vec<usize> = (0..10).collect();
            places.shuffle(&mut random_of(seed, 0));
            places
        };
        assert_eq!(order(1), [3, 8, 5, 2, 7, 9, 6, 0, 4, 1]);
        assert_ne!(order(1), order(2));
    }

    #[test]
    fn only_playable_openings_make_games() {
        let rules = Rules::STANDARD;
        let (_, mv) = parse_turn("d3-e3W", &rules, &rules.start()).expect("legal");
        let line = |start, moves| OpeningLine {
            name: "kobaka".to_owned(),
            start,
            moves,
        };
        let right = line(rules.start(), vec![mv]);
        let game = right.game(&rules).expect("playable");
        assert_eq!((game.start(), game.moves()), (&rules.start(), &[mv][..]));
        assert!(right.text(&rules).ends_with(" w 0 1 d3-e3W"));
        let over = parse_fen("9/9/4w4/9/9 b", rules.board).expect("good");
        for (wrong, told) in [
            (line(rules.start(), vec![mv; 2]), "move 2 of the opening is"),
            (line(over, Vec::new()), "White wins"),
        ] {
            let error = wrong.game(&rules).expect_err("not playable");
            assert!(error.contains(told), "{error}");
        }
    }
}
