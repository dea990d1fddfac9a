//! Reports of an analysed game and of all games: tables for people, JSON and CSV for scripts.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::Arc;

use comfy_table::{CellAlignment, Table, presets::NOTHING};
use serde::Serialize;
use vato_engine::board::{BoardSize, Side};
use vato_engine::notation::pgn::{GameRecord, RecordedMove, ScoreEntry};
use vato_engine::notation::{format_fen, format_path, parse_path};
use vato_engine::rules::{Game, Rules};
use vato_engine::search::Bound;
use vato_engine::tablebase::Tablebases;
use vato_tools::pages::ReportPlayer;
use vato_tools::review::{GameReview, Mark, MoveReview, PlayerReview, PositionReview};
use vato_tools::stats::Phase;

use super::annotate::nag;
use crate::cli::csv;
use crate::cli::failure::Failure;
use crate::cli::text::{conversion, known_score_text, line_text, move_number};

/// The columns of figures in a table of players.
const HEADINGS: &str =
    "accuracy,average loss,inaccuracies,mistakes,blunders,missed wins,judged,forced";

/// An analysed game.
pub(super) struct Told<'a> {
    /// Its number in the file.
    pub(super) number: u64,
    pub(super) record: &'a GameRecord,
    /// The record, replayed.
    pub(super) game: &'a Game,
    pub(super) review: &'a GameReview,
    /// The tables of the game's rules.
    pub(super) tables: Option<&'a Arc<Tablebases>>,
}

/// A move and the positions around it.
struct ToldMove<'a> {
    text: String,
    mv: &'a MoveReview,
    before: &'a PositionReview,
    after: &'a PositionReview,
}

impl<'a> Told<'a> {
    /// The table: a row for each move, then the players' accuracy.
    pub(super) fn table(&self) -> String {
        let (record, review, rules) = (self.record, self.review, self.game.rules());
        // Writing to a string cannot fail.
        let mut text = format!(
            "game {}: {}, {}\n",
            self.number,
            record.players(),
            record.result()
        );
        if *rules != Rules::STANDARD {
            let _ = writeln!(text, "rules: {rules}");
        }
        if *self.game.start() != rules.start() {
            let _ = writeln!(
                text,
                "start: {}",
                format_fen(self.game.start(), rules.board)
            );
        }
        text.push('\n');
        if review.moves.is_empty() {
            text.push_str("no moves\n");
        } else {
            let heading = ["", "move", "score", "depth", "loss", "", ""].map(str::to_owned);
            let moves = self.moves().map(|told| self.row(told));
            let rows: Vec<[String; 7]> = [heading].into_iter().chain(moves).collect();
            let [label, longest, widest] = [0, 1, 2]
                .map(|column: usize| rows.iter().map(|row| row[column].len()).max().unwrap_or(0));
            let widest = widest.max(10);
            for [number, mv, score, depth, loss, sign, note] in &rows {
                let line = format!(
                    "{number:<label$} {mv:<longest$} {score:>widest$} {depth:>5} {loss:>5} {sign:<2} {note}"
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

    fn moves(&self) -> impl Iterator<Item = ToldMove<'a>> {
        let (record, board) = (self.record, self.game.rules().board);
        let pairs = self.review.positions.windows(2);
        let moves = self.review.moves.iter().zip(pairs).enumerate();
        moves.map(move |(ply, (mv, pair))| ToldMove {
            text: played(record, ply, board),
            mv,
            before: &pair[0],
            after: &pair[1],
        })
    }

    /// The plies to a conversion in the tables from a position on.
    fn conversion(&self, position: &PositionReview) -> Option<u32> {
        let rules = self.game.rules();
        conversion(
            self.tables,
            rules,
            &position.position,
            position.score,
            &position.line,
        )
    }

    /// The cells of a move's row.
    fn row(&self, told: ToldMove<'_>) -> [String; 7] {
        let ToldMove {
            text,
            mv,
            before,
            after,
        } = told;
        let position = &before.position;
        let mut notes = Vec::new();
        if mv.is_forced {
            notes.push("forced".to_owned());
        }
        if mv.judgement.missed_win {
            notes.push("missed win".to_owned());
        }
        if let Some(line) = mv.better_line(before) {
            let best = line_text(self.game.rules(), position, &line[..1]).join("");
            let score =
                known_score_text(before.score, mv.side, Bound::Exact, self.conversion(before));
            notes.push(format!("best {best} ({score})"));
        }
        let loss = f64::from(mv.judgement.hundredths()) / 100.0;
        let sign = mv.judgement.mark.and_then(|mark| nag(mark).sign());
        // As the plies to the end of a game, they count from the position before the move.
        let conversion = self.conversion(after).map(|plies| plies + 1);
        [
            move_number(position),
            text,
            known_score_text(mv.score, mv.side, Bound::Exact, conversion),
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

    /// The object for scripts, on one line.
    pub(super) fn object(&self) -> serde_json::Result<String> {
        Ok(serde_json::to_string(&self.game_object())? + "\n")
    }

    /// A row of CSV for each move.
    pub(super) fn rows(&self) -> Result<String, Failure> {
        csv::rows(MOVE_COLUMNS, &self.game_object(), "moves")
    }

    fn game_object(&self) -> GameObject<'a> {
        let (record, rules) = (self.record, self.game.rules());
        GameObject {
            game: self.number,
            white: record.tag_value("White"),
            black: record.tag_value("Black"),
            result: record.result().text(),
            outcome: self.review.outcome.map(|outcome| outcome.to_string()),
            rules: format!("{rules:#}"),
            start: format_fen(self.game.start(), rules.board),
            players: self.review.players.each_ref().into(),
            moves: self.move_objects().collect(),
        }
    }

    fn move_objects(&self) -> impl Iterator<Item = MoveObject> {
        let rules = self.game.rules();
        (1..).zip(self.moves()).map(move |(ply, told)| {
            let ToldMove {
                text,
                mv,
                before,
                after,
            } = told;
            let position = &before.position;
            MoveObject {
                ply,
                number: position.move_number(),
                side: match mv.side {
                    Side::White => "white",
                    Side::Black => "black",
                },
                mv: text,
                fen: format_fen(position, rules.board),
                stones: Side::BOTH.map(|side| position.stones(side).count()).into(),
                phase: Phase::ALL[Phase::index_of(position.occupied().count())],
                score: mv.score.into(),
                conversion: self.conversion(after).map(|plies| plies + 1),
                expected: mv.expected,
                depth: after.depth,
                nodes: after.nodes,
                loss: mv.judgement.loss,
                mark: mv.judgement.mark.map(Mark::name),
                missed_win: mv.judgement.missed_win,
                forced: mv.is_forced,
                best: BestObject {
                    score: before.score.into(),
                    conversion: self.conversion(before),
                    expected: before.expected,
                    depth: before.depth,
                    nodes: before.nodes,
                    pv: line_text(rules, position, &before.line),
                },
            }
        })
    }
}

/// The columns of [`Told::rows`].
pub(super) const MOVE_COLUMNS: &str = "game white black result ply number side move fen \
     white_stones=stones.white black_stones=stones.black phase centi_stones=score.centi_stones \
     plies_to_end=score.plies_to_end conversion expected depth nodes loss mark missed_win forced \
     best_centi_stones=best.score.centi_stones best_plies_to_end=best.score.plies_to_end \
     best_conversion=best.conversion best_expected=best.expected best_depth=best.depth \
     best_nodes=best.nodes best_pv=best.pv";

/// The move at `ply` by the path in the record (several paths may give one move), in this program's
/// notation.
fn played(record: &GameRecord, ply: usize, board: BoardSize) -> String {
    let text = record.moves().get(ply).map_or("", RecordedMove::text);
    match parse_path(text, board) {
        Ok(path) => format_path(&path, board),
        Err(_) => text.to_owned(),
    }
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
    table.set_header([""].into_iter().chain(games).chain(HEADINGS.split(',')));
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
    players: Sides<&'a PlayerReview>,
    moves: Vec<MoveObject>,
}

/// Something of each side.
#[derive(Serialize)]
struct Sides<T> {
    white: T,
    black: T,
}

impl<T> From<[T; 2]> for Sides<T> {
    fn from([white, black]: [T; 2]) -> Sides<T> {
        Sides { white, black }
    }
}

#[derive(Serialize)]
struct MoveObject {
    ply: usize,
    number: u32,
    side: &'static str,
    #[serde(rename = "move")]
    mv: String,
    /// The position before it.
    fen: String,
    stones: Sides<u32>,
    phase: Phase,
    score: ScoreEntry,
    #[serde(skip_serializing_if = "Option::is_none")]
    conversion: Option<u32>,
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
    #[serde(skip_serializing_if = "Option::is_none")]
    conversion: Option<u32>,
    expected: f64,
    depth: u32,
    nodes: u64,
    pv: Vec<String>,
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
