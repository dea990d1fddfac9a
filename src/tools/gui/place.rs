//! Positions that a page asks about, and what it needs to know of them.

use serde::{Deserialize, Serialize};

use crate::pages::turn_word;
use vato_engine::board::{Bitboard, BoardSize};
use vato_engine::notation::pgn::RecordResult;
use vato_engine::notation::{
    format_fen, format_move, format_path, parse_path, parse_turn, read_position,
};
use vato_engine::rules::{Capture, Game, NextStep, Preset, TurnUnderWay, parse_rules};
use vato_engine::tablebase::{Tablebases, Wdl};

/// The most turns of a game that a page may ask about.
const MAX_TURNS: usize = 10_000;

/// The most characters of a rules string, a FEN or a turn.
const MAX_TEXT: usize = 1_000;

/// A position of a game.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Place {
    /// The rules: a preset or a rules string.
    rules: String,
    /// The FEN of the start; empty for the start of the rules.
    #[serde(default)]
    start: String,
    /// The turns played.
    #[serde(default)]
    moves: Vec<String>,
}

impl Place {
    /// The game up to the position.
    ///
    /// # Errors
    ///
    /// If something is too long, malformed or illegal: what, and where.
    pub fn game(&self) -> Result<Game, String> {
        check_length("rules", &self.rules)?;
        check_length("start", &self.start)?;
        if self.moves.len() > MAX_TURNS {
            let length = self.moves.len();
            return Err(format!("{length} moves, expected at most {MAX_TURNS}"));
        }
        let rules = parse_rules(&self.rules).map_err(|error| error.to_string())?;
        let mut game = match self.start.trim() {
            "" => Game::new(rules),
            fen => {
                let position =
                    read_position(fen, rules.board).map_err(|error| error.to_string())?;
                Game::from_position(rules, position)
            }
        };
        for (index, text) in self.moves.iter().enumerate() {
            check_length("moves", text)?;
            parse_turn(text, &rules, game.position())
                .map_err(|error| error.to_string())
                .and_then(|(_, mv)| game.play(mv).map_err(|error| error.to_string()))
                .map_err(|error| format!("move {}: {error}", index + 1))?;
        }
        Ok(game)
    }
}

fn check_length(name: &str, text: &str) -> Result<(), String> {
    match text.len() <= MAX_TEXT {
        true => Ok(()),
        false => Err(format!(
            "{name}: {} bytes, expected at most {MAX_TEXT}",
            text.len()
        )),
    }
}

/// What the page needs to know of a position.
#[derive(Debug, Serialize)]
pub(super) struct Knowledge {
    /// The rules by their shortest name.
    rules: String,
    fen: String,
    outcome: Option<KnownOutcome>,
    /// The stones that can move, with their first steps; none once the game is over.
    stones: Vec<KnownStone>,
    /// The turn under way, if the page named one.
    #[serde(skip_serializing_if = "Option::is_none")]
    turn: Option<KnownTurn>,
    /// What the tablebases know, if they know the position.
    #[serde(skip_serializing_if = "Option::is_none")]
    table: Option<Vec<KnownMove>>,
}

#[derive(Debug, Serialize)]
struct KnownOutcome {
    result: &'static str,
    reason: &'static str,
}

#[derive(Debug, Serialize)]
struct KnownStone {
    from: String,
    next: Vec<KnownStep>,
}

#[derive(Debug, Serialize)]
struct KnownStep {
    to: String,
    /// `A` or `W`; nothing for a paika.
    #[serde(skip_serializing_if = "Option::is_none")]
    how: Option<&'static str>,
    captured: Vec<String>,
}

#[derive(Debug, Serialize)]
struct KnownTurn {
    /// The turn so far, with what it has captured: `f2-e3A:d4c5`.
    word: String,
    next: Vec<KnownStep>,
    may_end: bool,
}

#[derive(Debug, Serialize)]
struct KnownMove {
    word: String,
    /// The outcome for the side that moves.
    outcome: Wdl,
    /// Plies to the next conversion.
    plies: u32,
    /// Whether the no-capture limit comes before it, so that the game is drawn.
    late: bool,
}

impl Knowledge {
    /// What is known of the position of a game, and of a turn of which a part has been played.
    ///
    /// # Errors
    ///
    /// If the turn cannot begin like this.
    pub fn of(
        game: &Game,
        turn: Option<&str>,
        tables: Option<&Tablebases>,
    ) -> Result<Knowledge, String> {
        let (rules, position) = (game.rules(), game.position());
        let board = rules.board;
        let steps = |turn: &TurnUnderWay| steps(&turn.next_steps(), board);
        let stones = position.own().into_iter().filter_map(|from| {
            let next = steps(&TurnUnderWay::begin(rules, position, from)?);
            let from = board.name(from);
            (!next.is_empty()).then_some(KnownStone { from, next })
        });
        let turn = turn.map(|text| {
            let turn = begun(game, text)?;
            let mut word = format_path(&turn.path(), board);
            if !turn.captured().is_empty() {
                word.push(':');
                word.extend(names(turn.captured(), board));
            }
            Ok::<_, String>(KnownTurn {
                word,
                next: steps(&turn),
                may_end: turn.may_end(),
            })
        });
        let ranked = tables.and_then(|tables| tables.rank(rules, position));
        Ok(Knowledge {
            rules: Preset::name_of(rules),
            fen: format_fen(position, board),
            outcome: game.outcome().map(|outcome| KnownOutcome {
                result: RecordResult::of_winner(outcome.winner).text(),
                reason: outcome.reason.name(),
            }),
            stones: stones.collect(),
            turn: turn.transpose()?,
            table: ranked.map(|moves| {
                let known = moves.iter().filter_map(|ranked| {
                    let text = format_move(rules, position, ranked.mv)?;
                    Some(KnownMove {
                        word: turn_word(text, ranked.mv, board),
                        outcome: ranked.outcome(),
                        plies: ranked.value.plies,
                        late: ranked.is_late,
                    })
                });
                known.collect()
            }),
        })
    }
}

/// A turn of which a part has been played.
fn begun(game: &Game, text: &str) -> Result<TurnUnderWay, String> {
    check_length("turn", text)?;
    let (rules, position) = (game.rules(), game.position());
    let path = parse_path(text, rules.board).map_err(|error| error.to_string())?;
    let name = rules.board.name(path.from);
    let turn = TurnUnderWay::begin(rules, position, path.from);
    let mut turn = turn.ok_or_else(|| format!("no stone of the side to move on {name}"))?;
    for &step in &path.steps {
        if !turn.play(step) {
            // The same words as for a turn that is complete, where there are any.
            let why = parse_turn(text, rules, position).err();
            return Err(why.map_or_else(
                || format!("'{text}' is not legal here"),
                |error| error.to_string(),
            ));
        }
    }
    Ok(turn)
}

fn steps(next: &[NextStep], board: BoardSize) -> Vec<KnownStep> {
    let known = next.iter().map(|next| KnownStep {
        to: board.name(next.step.to),
        how: next.step.capture.map(|capture| match capture {
            Capture::Approach => "A",
            Capture::Withdrawal => "W",
        }),
        captured: names(next.captured, board).collect(),
    });
    known.collect()
}

fn names(points: Bitboard, board: BoardSize) -> impl Iterator<Item = String> {
    points.into_iter().map(move |point| board.name(point))
}
