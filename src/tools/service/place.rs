//! Positions that a page asks about, and what it needs to know of them.

use serde::Deserialize;
use serde_json::{Value, json};

use crate::games::{Index, tree};
use crate::pages::turn_word;
use vato_engine::board::{Bitboard, BoardSize, Move, Position, Side};
use vato_engine::notation::{format_fen, format_move, format_path, parse_turn, read_position};
use vato_engine::proofs::Proven;
use vato_engine::rules::{
    Capture, Game, Path, Preset, Rules, legal_moves, parse_rules, shortest_path, tie_winner,
};
use vato_engine::tablebase::Tablebases;
use vato_records::pgn::RecordResult;
use vato_records::{TurnUnderWay, opening_name, read_begun_turn, read_turn};

/// The most turns of a game that a page may ask about.
const MAX_TURNS: usize = 10_000;

/// The most characters of a rules string, a FEN or a turn.
const MAX_TEXT: usize = 1_000;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Place {
    rules: String,
    /// The FEN of the start; empty for the start of the rules.
    #[serde(default)]
    start: String,
    #[serde(default)]
    moves: Vec<String>,
}

impl Place {
    /// The game up to the position.
    pub fn game(&self) -> Result<Game, String> {
        check_length("rules", &self.rules)?;
        check_length("start", &self.start)?;
        if self.moves.len() > MAX_TURNS {
            let length = self.moves.len();
            return Err(format!("{length} moves, expected at most {MAX_TURNS}"));
        }
        let (rules, start) = start(&self.rules, &self.start)?;
        let mut game = Game::from_position(rules, start);
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

/// The rules of a game, and its start: that of the rules if it is empty.
pub(super) fn start(rules: &str, start: &str) -> Result<(Rules, Position), String> {
    let rules = parse_rules(rules).map_err(|error| error.to_string())?;
    let start = match start.trim() {
        "" => rules.start(),
        fen => read_position(fen, rules.board).map_err(|error| error.to_string())?,
    };
    Ok((rules, start))
}

pub(super) fn check_length(name: &str, text: &str) -> Result<(), String> {
    match text.len() <= MAX_TEXT {
        true => Ok(()),
        false => Err(format!(
            "{name}: {} bytes, expected at most {MAX_TEXT}",
            text.len()
        )),
    }
}

/// What the page needs to know of the position of a game, and of a turn of which a part has been played.
pub(super) fn knowledge(
    game: &Game,
    turn: Option<&str>,
    tables: Option<&Tablebases>,
) -> Result<Value, String> {
    let (rules, position) = (game.rules(), game.position());
    let board = rules.board;
    let outcome = game.outcome();
    // A game that is over has no moves.
    let goes_on = outcome.is_none();
    let movers = position.own().into_iter().filter(|_| goes_on);
    let stones = movers.filter_map(|from| {
        let next = steps(&TurnUnderWay::begin(rules, position, from)?, board);
        (!next.is_empty()).then(|| json!({ "from": board.name(from), "next": next }))
    });
    let passes = goes_on && shortest_path(rules, position, Move::PASS).is_some();
    let turn = turn.map(|text| {
        check_length("turn", text)?;
        if passes && read_turn(text, rules, position).is_ok() {
            let word = format_path(&Path::pass(), board);
            return Ok(json!({ "word": word, "next": [], "may_end": true }));
        }
        let turn = read_begun_turn(text, rules, position).map_err(|error| error.to_string())?;
        let mut word = format_path(turn.path(), board);
        if !turn.captured().is_empty() {
            word.push(':');
            word.extend(names(turn.captured(), board));
        }
        let (next, may_end) = (steps(&turn, board), turn.may_end());
        Ok::<_, String>(json!({ "word": word, "next": next, "may_end": may_end }))
    });
    let ranked = tables
        .filter(|_| goes_on)
        .and_then(|tables| tables.rank_in(game));
    let table = ranked.map(|moves| {
        let known = moves.iter().filter_map(|ranked| {
            let text = format_move(rules, position, ranked.mv)?;
            Some(json!({
                "word": turn_word(text, ranked.mv, board),
                // For the side that moves.
                "outcome": ranked.outcome(),
                // Plies to the next conversion, and whether the no-capture limit comes before it.
                "plies": ranked.value.plies,
                "late": ranked.is_late,
            }))
        });
        known.collect::<Vec<Value>>()
    });
    let moves = legal_moves(rules, position);
    let captures = moves.iter().filter(|mv| mv.is_capture());
    let largest = captures.max_by_key(|mv| mv.captured().count());
    let largest = largest.filter(|_| goes_on);
    let largest =
        largest.and_then(|&mv| Some(turn_word(format_move(rules, position, mv)?, mv, board)));
    // The names of the moves from the start, and what is proven of them.
    let is_start = game.moves().is_empty() && *position == rules.start();
    let after = moves.iter().filter(|_| is_start).filter_map(|&mv| {
        let mut game = game.clone();
        game.play(mv).ok()?;
        let word = turn_word(format_move(rules, position, mv)?, mv, board);
        Some(json!({ "word": word, "opening": opening_name(&game), "proven": proven(&game) }))
    });
    Ok(json!({
        // By their shortest name.
        "rules": Preset::name_of(rules),
        "fen": format_fen(position, board),
        "outcome": outcome.map(|outcome| json!({
            "result": RecordResult::of_winner(outcome.winner).name(),
            "reason": outcome.reason.name(),
        })),
        // The result of a draw that is agreed here.
        "agreed": RecordResult::of_winner(tie_winner(rules, position)).name(),
        // Those that can move, with their first steps.
        "stones": stones.collect::<Vec<Value>>(),
        // Whether the only turn is a pass.
        "passes": passes,
        // A turn that captures as many stones as one can; none if none can capture.
        "largest": largest,
        "turn": turn.transpose()?,
        "table": table,
        // The name of the first move.
        "opening": opening_name(game),
        "proven": proven(game),
        "firsts": after.collect::<Vec<Value>>(),
    }))
}

/// Whether White and Black can win, where that is proven.
fn proven(game: &Game) -> Option<Value> {
    let proven = Proven::of(game)?;
    let reply = proven.reply_text.zip(proven.reply);
    let reply = reply.map(|(text, mv)| turn_word(text, mv, game.rules().board));
    Some(json!({ "white": proven.white_wins, "black": proven.black_wins, "reply": reply }))
}

/// The moves from a position in collections of games, and how the games with each of them ended.
pub(super) fn explored(game: &Game, games: &[Index]) -> Value {
    let (rules, position) = (game.rules(), game.position());
    let (count, branches) = tree(games, rules, position, 1);
    let moves = branches.iter().filter_map(|branch| {
        let text = format_move(rules, position, branch.mv)?;
        let mut results = branch.results;
        if position.side() == Side::Black {
            results.reverse();
        }
        let word = turn_word(text, branch.mv, rules.board);
        // Wins of White, draws, wins of Black.
        Some(json!({ "word": word, "games": branch.games, "results": results }))
    });
    json!({ "games": count, "moves": moves.collect::<Vec<Value>>() })
}

/// The next steps of a turn: `how` is `A`, `W`, or empty for a paika.
fn steps(turn: &TurnUnderWay, board: BoardSize) -> Vec<Value> {
    let known = turn.next_steps().into_iter().map(|next| {
        let how = match next.step.capture {
            None => "",
            Some(Capture::Approach) => "A",
            Some(Capture::Withdrawal) => "W",
        };
        let captured: Vec<String> = names(next.after.captured - turn.captured(), board).collect();
        json!({ "to": board.name(next.step.to), "how": how, "captured": captured })
    });
    known.collect()
}

fn names(points: Bitboard, board: BoardSize) -> impl Iterator<Item = String> {
    points.into_iter().map(move |point| board.name(point))
}
