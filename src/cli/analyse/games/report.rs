//! Reports of an analysed game and of all games: tables for people, JSON for scripts.

use std::collections::BTreeMap;
use std::fmt::Write;

use comfy_table::{CellAlignment, Table, presets::NOTHING};
use serde::Serialize;
use vato::board::{BoardSize, Side};
use vato::notation::pgn::{GameRecord, RecordedMove, ScoreEntry};
use vato::notation::{format_fen, format_path, parse_path};
use vato::pages::ReportPlayer;
use vato::review::{GameReview, Mark, MoveReview, PlayerReview, PositionReview};
use vato::rules::{Game, Rules};
use vato::search::Bound;

use super::annotate::nag;
use crate::cli::text::{line_text, score_text};

/// The columns of figures in a table of players.
const HEADINGS: [&str; 8] = [
    "accuracy",
    "average loss",
    "inaccuracies",
    "mistakes",
    "blunders",
    "missed wins",
    "judged",
    "forced",
];

/// The table of game `number` of its file: a row for each move, then the players' accuracy. `game` is the
/// record, replayed.
pub(super) fn table(number: u64, record: &GameRecord, game: &Game, review: &GameReview) -> String {
    let rules = game.rules();
    // Writing to a string cannot fail.
    let mut text = format!("game {number}: {}, {}\n", record.players(), record.result());
    if *rules != Rules::STANDARD {
        let _ = writeln!(text, "rules: {rules}");
    }
    if *game.start() != rules.start() {
        let _ = writeln!(text, "start: {}", format_fen(game.start(), rules.board));
    }
    text.push('\n');
    if review.moves.is_empty() {
        text.push_str("no moves\n");
    } else {
        let heading = ["", "move", "score", "depth", "loss", "", ""].map(str::to_owned);
        let rows: Vec<[String; 7]> = [heading]
            .into_iter()
            .chain(
                moves(record, rules, review)
                    .map(|(text, mv, [before, after])| row(rules, text, mv, before, after)),
            )
            .collect();
        let [label, longest] =
            [0, 1].map(|column: usize| rows.iter().map(|row| row[column].len()).max().unwrap_or(0));
        for [number, mv, score, depth, loss, sign, note] in &rows {
            let line = format!(
                "{number:<label$} {mv:<longest$} {score:>10} {depth:>5} {loss:>5} {sign:<2} {note}"
            );
            let _ = writeln!(text, "{}", line.trim_end());
        }
    }
    if let Some(outcome) = review.outcome {
        let _ = writeln!(text, "{outcome}");
    }
    text.push('\n');
    text += &player_table(
        Side::BOTH.map(|side| (side.to_string(), None, &review.players[side.index()])),
    );
    text
}

/// All moves: the text, the review, and the positions before and after.
fn moves<'a>(
    record: &'a GameRecord,
    rules: &'a Rules,
    review: &'a GameReview,
) -> impl Iterator<Item = (String, &'a MoveReview, [&'a PositionReview; 2])> {
    let pairs = review.positions.windows(2);
    let moves = review.moves.iter().zip(pairs).enumerate();
    moves.map(|(ply, (mv, pair))| (played(record, ply, rules.board), mv, [&pair[0], &pair[1]]))
}

/// The move at `ply` by the path in the record (several paths may give one move), in this program's
/// notation.
fn played(record: &GameRecord, ply: usize, board: BoardSize) -> String {
    let text = record.moves().get(ply).map_or("", RecordedMove::text);
    match parse_path(text, board) {
        Ok(path) => format_path(&path, board),
        Err(_) => text.to_owned(),
    }
}

/// The cells of a move's row.
fn row(
    rules: &Rules,
    text: String,
    mv: &MoveReview,
    before: &PositionReview,
    after: &PositionReview,
) -> [String; 7] {
    let position = &before.position;
    let dots = match mv.side {
        Side::White => ".",
        Side::Black => "...",
    };
    let mut notes = Vec::new();
    if mv.is_forced {
        notes.push("forced".to_owned());
    }
    if mv.judgement.missed_win {
        notes.push("missed win".to_owned());
    }
    if let Some(line) = mv.better_line(before) {
        let best = line_text(rules, position, &line[..1]).join("");
        let score = score_text(before.score, Bound::Exact);
        notes.push(format!("best {best} ({score})"));
    }
    let loss = f64::from(mv.judgement.hundredths()) / 100.0;
    let sign = mv.judgement.mark.and_then(|mark| nag(mark).sign());
    [
        format!("{}{dots}", position.move_number()),
        text,
        score_text(mv.score, Bound::Exact),
        match after.depth {
            0 => String::new(),
            depth => depth.to_string(),
        },
        match mv.is_forced {
            true => String::new(),
            false => format!("{loss:.2}"),
        },
        sign.unwrap_or_default().to_owned(),
        notes.join(", "),
    ]
}

/// A table of players: their names, their numbers of games if given, and their reviews.
fn player_table<'a>(
    rows: impl IntoIterator<Item = (String, Option<u64>, &'a PlayerReview)>,
) -> String {
    let known = |figure: Option<f64>, digits: usize, unit: &str| {
        figure.map_or("-".to_owned(), |figure| format!("{figure:.digits$}{unit}"))
    };
    let mut table = Table::new();
    table.load_style(NOTHING);
    let mut has_games = false;
    for (name, games, player) in rows {
        has_games |= games.is_some();
        let mut row = vec![name];
        row.extend(games.map(|games| games.to_string()));
        row.push(known(player.accuracy, 1, " %"));
        row.push(known(player.average_loss, 3, ""));
        row.extend(Mark::ALL.map(|mark| player.count(mark).to_string()));
        row.extend([player.missed_wins, player.judged, player.forced].map(|n| n.to_string()));
        table.add_row(row);
    }
    let games = has_games.then_some("games");
    table.set_header([""].into_iter().chain(games).chain(HEADINGS));
    for (number, column) in table.column_iter_mut().enumerate() {
        column.set_padding((u16::from(number > 0), 0));
        if number > 0 {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    table.trim_fmt() + "\n"
}

#[derive(Serialize)]
struct GameObject<'a> {
    game: u64,
    white: Option<&'a str>,
    black: Option<&'a str>,
    result: &'static str,
    outcome: Option<String>,
    rules: String,
    start: String,
    players: PlayersObject<'a>,
    moves: Vec<MoveObject>,
}

#[derive(Serialize)]
struct PlayersObject<'a> {
    white: &'a PlayerReview,
    black: &'a PlayerReview,
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

/// The engine's choice.
#[derive(Serialize)]
struct BestObject {
    score: ScoreEntry,
    expected: f64,
    depth: u32,
    nodes: u64,
    pv: Vec<String>,
}

/// The object of game `number` of its file, on one line; `game` is the record, replayed.
pub(super) fn object(
    number: u64,
    record: &GameRecord,
    game: &Game,
    review: &GameReview,
) -> serde_json::Result<String> {
    let rules = game.rules();
    let [white, black] = review.players.each_ref();
    let object = GameObject {
        game: number,
        white: record.tag_value("White"),
        black: record.tag_value("Black"),
        result: record.result().text(),
        outcome: review.outcome.map(|outcome| outcome.to_string()),
        rules: format!("{rules:#}"),
        start: format_fen(game.start(), rules.board),
        players: PlayersObject { white, black },
        moves: (1..)
            .zip(moves(record, rules, review))
            .map(|(ply, (text, mv, [before, after]))| MoveObject {
                ply,
                number: before.position.move_number(),
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
                    pv: line_text(rules, &before.position, &before.line),
                },
            })
            .collect(),
    };
    Ok(serde_json::to_string(&object)? + "\n")
}

/// The names of White and Black in a game, if known, and their reviews.
pub(super) type Players = [(Option<String>, PlayerReview); 2];

/// The players of an analysed game.
pub(super) fn players(record: &GameRecord, review: &GameReview) -> Players {
    let name = |side| record.tag_value(side).map(str::to_owned);
    let [white, black] = review.players.clone();
    [(name("White"), white), (name("Black"), black)]
}

/// The summary over all games. Players without a name count as one.
#[derive(Debug, Default)]
pub(super) struct Summary {
    totals: BTreeMap<Option<String>, Total>,
}

/// The totals of a player.
#[derive(Debug, Default, Serialize)]
struct Total {
    games: u64,
    #[serde(flatten)]
    play: PlayerReview,
}

#[derive(Serialize)]
struct SummaryObject<'a> {
    summary: SummaryFigures<'a>,
}

#[derive(Serialize)]
struct SummaryFigures<'a> {
    games: u64,
    wrong: u64,
    stopped: bool,
    players: Vec<TotalObject<'a>>,
}

#[derive(Serialize)]
struct TotalObject<'a> {
    name: Option<&'a str>,
    #[serde(flatten)]
    total: &'a Total,
}

impl Summary {
    /// Adds a game.
    pub(super) fn add(&mut self, players: Players) {
        let is_against_itself = players[0].0 == players[1].0;
        for (place, (name, play)) in players.into_iter().enumerate() {
            let total = self.totals.entry(name).or_default();
            total.play.add(&play);
            // A player on both sides of a game has played one game.
            total.games += u64::from(place == 0 || !is_against_itself);
        }
    }

    /// The players by accuracy, best first, then by name.
    fn ranked(&self) -> Vec<(Option<&str>, &Total)> {
        let totals = self.totals.iter();
        let mut ranked: Vec<_> = totals
            .map(|(name, total)| (name.as_deref(), total))
            .collect();
        let accuracy = |total: &Total| total.play.accuracy.unwrap_or(-1.0);
        ranked.sort_by(|(_, one), (_, other)| accuracy(other).total_cmp(&accuracy(one)));
        ranked
    }

    /// The table for people; `games` were analysed.
    pub(super) fn table(&self, games: u64) -> String {
        let rows = self.ranked().into_iter().map(|(name, total)| {
            let name = name.unwrap_or("?").to_owned();
            (name, Some(total.games), &total.play)
        });
        format!("all {games} games\n\n{}", player_table(rows))
    }

    /// The players for a report.
    pub(super) fn report_players(&self) -> Vec<ReportPlayer> {
        let ranked = self.ranked().into_iter();
        ranked
            .map(|(name, total)| ReportPlayer {
                name: name.map(str::to_owned),
                games: total.games,
                play: total.play.clone(),
            })
            .collect()
    }

    /// The object for scripts, on one line.
    pub(super) fn object(
        &self,
        games: u64,
        wrong: u64,
        stopped: bool,
    ) -> serde_json::Result<String> {
        let ranked = self.ranked().into_iter();
        let summary = SummaryFigures {
            games,
            wrong,
            stopped,
            players: ranked
                .map(|(name, total)| TotalObject { name, total })
                .collect(),
        };
        Ok(serde_json::to_string(&SummaryObject { summary })? + "\n")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn player(name: Option<&str>, accuracy: Option<f64>) -> (Option<String>, PlayerReview) {
        let play = PlayerReview {
            judged: u32::from(accuracy.is_some()),
            accuracy,
            ..PlayerReview::default()
        };
        (name.map(str::to_owned), play)
    }

    #[test]
    fn the_most_accurate_comes_first() {
        let mut summary = Summary::default();
        summary.add([player(Some("Soa"), Some(50.0)), player(Some("Rabe"), None)]);
        summary.add([player(None, Some(60.0)), player(Some("Soa"), Some(90.0))]);
        summary.add([player(None, None), player(None, Some(70.0))]);
        let ranked: Vec<_> = summary
            .ranked()
            .into_iter()
            .map(|(name, total)| (name, total.games, total.play.accuracy))
            .collect();
        assert_eq!(
            ranked,
            [
                (Some("Soa"), 2, Some(70.0)),
                (None, 2, Some(65.0)),
                (Some("Rabe"), 1, None)
            ]
        );
    }
}
