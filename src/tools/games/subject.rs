//! What is known of a game of a collection.

use std::borrow::Cow;
use std::cell::OnceCell;
use std::iter::successors;
use std::str::FromStr;

use super::Shape;
use vato_engine::board::{Position, Side};
use vato_engine::notation::{format_fen, format_line};
use vato_engine::rules::{Game, Preset};
use vato_engine::text::excerpt;
use vato_records::opening_name;
use vato_records::pgn::{GameRecord, PgnError};

/// A property of a game by which it is selected, sorted or counted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Field {
    /// The name of either player.
    Player,
    /// The name of the player who won.
    Winner,
    /// The rating of either player, of the tags `WhiteElo` and `BlackElo`.
    Elo,
    /// The number of moves (plies).
    Plies,
    /// The result.
    Result,
    /// How the game ended: by the rules (`no-stones`, `blocked`, `repetition`, `limit`), else the tag
    /// `Termination`.
    Ending,
    /// The first moves, of which the five of the standard board have names too.
    Opening,
    /// The preset's name, or the string of the rules.
    Rules,
    /// Any tag, by its name, which begins with a capital letter.
    Tag(String),
}

/// The fields but for tags.
const NAMES: [(&str, Field); 8] = [
    ("player", Field::Player),
    ("winner", Field::Winner),
    ("elo", Field::Elo),
    ("plies", Field::Plies),
    ("result", Field::Result),
    ("ending", Field::Ending),
    ("opening", Field::Opening),
    ("rules", Field::Rules),
];

impl FromStr for Field {
    type Err = String;

    fn from_str(text: &str) -> Result<Field, String> {
        if text.starts_with(|first: char| first.is_ascii_uppercase()) {
            return Ok(Field::Tag(text.to_owned()));
        }
        let known = NAMES.iter().find(|(name, _)| *name == text);
        known.map(|(_, field)| field.clone()).ok_or_else(|| {
            let names = NAMES.map(|(name, _)| name).join(", ");
            format!(
                "unknown field '{}': expected {names}, or a tag such as White",
                excerpt(text)
            )
        })
    }
}

/// A game with what replaying it shows, which is done once, when it is needed.
#[derive(Debug)]
pub struct Subject {
    /// The record.
    pub record: GameRecord,
    replayed: OnceCell<Game>,
}

impl Subject {
    /// A game.
    pub fn new(record: GameRecord) -> Subject {
        Subject {
            record,
            replayed: OnceCell::new(),
        }
    }

    /// The game replayed.
    ///
    /// # Errors
    ///
    /// Its rules or its start are invalid, or a move is illegal.
    pub fn game(&self) -> Result<&Game, PgnError> {
        if let Some(game) = self.replayed.get() {
            return Ok(game);
        }
        let game = self.record.replay();
        let game = game.map_err(|fault| PgnError::of(&self.record, fault))?;
        Ok(self.replayed.get_or_init(|| game))
    }

    /// The values of a field: two for [`Field::Player`] and [`Field::Elo`], none if it is unknown. The
    /// opening is the first move, by its name if it has one, after the FEN of a start of the game's own.
    ///
    /// # Errors
    ///
    /// As for [`Subject::game`], for fields that need it.
    pub fn values(&self, field: &Field) -> Result<Vec<Cow<'_, str>>, PgnError> {
        const PLAYERS: [&str; 2] = ["White", "Black"];
        let tag = |name: &str| self.record.tag_value(name).map(Cow::Borrowed);
        let known = |names: &[&str]| names.iter().filter_map(|name| tag(name)).collect();
        Ok(match field {
            Field::Player => known(&PLAYERS),
            Field::Winner => {
                let winner = self.record.result().winner();
                known(winner.map(|side| PLAYERS[side.index()]).as_slice())
            }
            Field::Elo => known(&["WhiteElo", "BlackElo"]),
            Field::Plies => vec![self.record.moves().len().to_string().into()],
            Field::Result => vec![self.record.result().name().into()],
            Field::Ending => match self.game()?.outcome() {
                Some(outcome) => vec![outcome.reason.name().into()],
                None => known(&["Termination"]),
            },
            Field::Opening => {
                let first = self.first_moves(1)?;
                let begun = self.first_moves(0)?;
                match opening_name(self.game()?) {
                    Some(name) => vec![name.into()],
                    None if first == begun => Vec::new(),
                    None => vec![first.into()],
                }
            }
            Field::Rules => (self.record.rules().iter())
                .map(|rules| Preset::name_of(rules).into())
                .collect(),
            Field::Tag(name) => (self.record.tag(name).into_iter())
                .map(|tag| tag.value().into())
                .collect(),
        })
    }

    /// The first moves in notation, with spaces between them; before them the FEN of the start, unless it is that of the rules.
    ///
    /// # Errors
    ///
    /// As for [`Subject::game`].
    pub fn first_moves(&self, plies: usize) -> Result<String, PgnError> {
        let game = self.game()?;
        let moves = &game.moves()[..plies.min(game.moves().len())];
        let (rules, start) = (game.rules(), game.start());
        let mut words = format_line(rules, start, moves);
        if *start != rules.start() {
            words.insert(0, format_fen(start, rules.board));
        }
        Ok(words.join(" "))
    }

    /// Whether the game has a position of this shape, and after how many plies the first.
    ///
    /// # Errors
    ///
    /// As for [`Subject::game`].
    pub fn reaches(&self, shape: &Shape) -> Result<Option<usize>, PgnError> {
        let game = self.game()?;
        let board = game.rules().board;
        Ok(positions(game).position(|position| {
            let stones = Side::BOTH.map(|side| position.stones(side));
            shape.contains(board, stones, position.side())
        }))
    }
}

/// The positions of a game, the start first.
pub(super) fn positions(game: &Game) -> impl Iterator<Item = Position> {
    let mut moves = game.moves().iter();
    successors(Some(*game.start()), move |position| {
        moves.next().map(|&mv| position.play(mv))
    })
}
