//! The analysis of a game as JSON: one object.

use serde::Serialize;
use vato::board::Side;
use vato::notation::format_fen;
use vato::notation::pgn::GameRecord;
use vato::notation::pgn::ScoreEntry;
use vato::review::{GameReview, Mark, MoveReview, PlayerReview, PositionReview};
use vato::rules::{Game, Rules};

use super::super::line_text;
use super::played::played;

#[derive(Serialize)]
struct GameObject<'a> {
    game: u64,
    white: Option<&'a str>,
    black: Option<&'a str>,
    result: &'static str,
    outcome: Option<String>,
    rules: String,
    start: String,
    players: Players,
    moves: Vec<MoveObject>,
}

#[derive(Serialize)]
struct Players {
    white: PlayerObject,
    black: PlayerObject,
}

/// How somebody has played.
#[derive(Serialize)]
pub(super) struct PlayerObject {
    judged: u32,
    forced: u32,
    accuracy: Option<f64>,
    average_loss: Option<f64>,
    inaccuracies: u32,
    mistakes: u32,
    blunders: u32,
    missed_wins: u32,
}

#[derive(Serialize)]
struct MoveObject {
    ply: usize,
    number: u32,
    side: &'static str,
    #[serde(rename = "move")]
    mv: String,
    score: ScoreEntry,
    expected: f64,
    depth: u32,
    nodes: u64,
    loss: f64,
    mark: Option<&'static str>,
    missed_win: bool,
    forced: bool,
    best: BestObject,
}

/// What the search would have played.
#[derive(Serialize)]
struct BestObject {
    score: ScoreEntry,
    expected: f64,
    depth: u32,
    nodes: u64,
    pv: Vec<String>,
}

/// The object of game `number` of its file, on one line; `game` is the record, replayed.
///
/// # Errors
///
/// If it cannot be put into JSON.
pub(super) fn object(
    number: u64,
    record: &GameRecord,
    game: &Game,
    review: &GameReview,
) -> serde_json::Result<String> {
    let rules = game.rules();
    let [white, black] = review.players.each_ref().map(PlayerObject::from);
    let object = GameObject {
        game: number,
        white: record.tag_value("White"),
        black: record.tag_value("Black"),
        result: record.result().text(),
        outcome: review.outcome.map(|outcome| outcome.to_string()),
        rules: format!("{rules:#}"),
        start: format_fen(game.start(), rules.board),
        players: Players { white, black },
        moves: review
            .moves
            .iter()
            .zip(review.positions.windows(2))
            .enumerate()
            .map(|(ply, (mv, pair))| {
                let text = played(record, ply, rules.board);
                move_object(rules, ply + 1, text, mv, &pair[0], &pair[1])
            })
            .collect(),
    };
    Ok(serde_json::to_string(&object)? + "\n")
}

impl From<&PlayerReview> for PlayerObject {
    fn from(review: &PlayerReview) -> PlayerObject {
        PlayerObject {
            judged: review.judged,
            forced: review.forced,
            accuracy: review.accuracy,
            average_loss: review.average_loss,
            inaccuracies: review.inaccuracies,
            mistakes: review.mistakes,
            blunders: review.blunders,
            missed_wins: review.missed_wins,
        }
    }
}

fn move_object(
    rules: &Rules,
    ply: usize,
    text: String,
    mv: &MoveReview,
    before: &PositionReview,
    after: &PositionReview,
) -> MoveObject {
    let position = &before.position;
    MoveObject {
        ply,
        number: position.move_number(),
        side: match mv.side {
            Side::White => "white",
            Side::Black => "black",
        },
        mv: text,
        score: mv.score.into(),
        expected: mv.expected,
        depth: after.depth,
        nodes: after.nodes,
        loss: mv.judgement.loss,
        mark: mv.judgement.mark.map(Mark::name),
        missed_win: mv.judgement.missed_win,
        forced: mv.is_forced,
        best: BestObject {
            score: before.score.into(),
            expected: before.expected,
            depth: before.depth,
            nodes: before.nodes,
            pv: line_text(rules, position, &before.line),
        },
    }
}
