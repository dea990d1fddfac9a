//! Reports of an analysed game and of all games: tables for people, JSON and CSV for scripts.

use std::collections::BTreeMap;
use std::fmt::Write;

use serde::Serialize;
use vato_engine::board::Side;
use vato_engine::notation::format_fen;
use vato_engine::rules::{Game, Rules};
use vato_engine::search::Bound;
use vato_records::pgn::GameRecord;
use vato_tools::pages::ReportPlayer;
use vato_tools::review::{GameReview, Mark, MoveReview, PlayerReview, by_side};

use super::annotate::nag;
use crate::cli::support::present::{Rows, move_number, plain_table, score_text};

/// An analysed game, as scripts get it.
#[derive(Serialize)]
pub(super) struct AnalysedGame<'a> {
    game: u64,
    white: Option<&'a str>,
    black: Option<&'a str>,
    result: &'static str,
    outcome: Option<String>,
    rules: String,
    start: String,
    #[serde(serialize_with = "by_side")]
    players: [&'a PlayerReview; 2],
    moves: &'a [MoveReview],
}

impl<'a> AnalysedGame<'a> {
    pub(super) const ROWS: Rows<'static> = Rows {
        items: "moves",
        columns: "game white black result ply number side move fen white_stones=stones.white \
             black_stones=stones.black phase centi_stones=score.centi_stones \
             plies_to_end=score.plies_to_end conversion expected depth nodes loss mark missed_win forced \
             best_centi_stones=best.score.centi_stones best_plies_to_end=best.score.plies_to_end \
             best_conversion=best.conversion best_expected=best.expected best_depth=best.depth \
             best_nodes=best.nodes best_pv=best.pv \
             proven_white_wins=proven.white_wins proven_black_wins=proven.black_wins proven_reply=proven.reply",
    };

    /// The game with this number in the file: its record, the same replayed, and its review.
    pub(super) fn new(
        number: u64,
        record: &'a GameRecord,
        game: &Game,
        review: &'a GameReview,
    ) -> AnalysedGame<'a> {
        AnalysedGame {
            game: number,
            white: record.tag_value("White"),
            black: record.tag_value("Black"),
            result: record.result().name(),
            outcome: review.outcome.map(|outcome| outcome.to_string()),
            rules: format!("{:#}", game.rules()),
            start: format_fen(game.start(), game.rules().board),
            players: review.players.each_ref(),
            moves: &review.moves,
        }
    }

    /// The table for people: a row for each move, then the players' accuracy.
    pub(super) fn table(&self, record: &GameRecord, game: &Game) -> String {
        let rules = game.rules();
        // Writing to a string cannot fail.
        let mut text = format!(
            "game {}: {}, {}\n",
            self.game,
            record.players(),
            record.result()
        );
        if *rules != Rules::STANDARD {
            let _ = writeln!(text, "rules: {rules}");
        }
        if *game.start() != rules.start() {
            let _ = writeln!(text, "start: {}", self.start);
        }
        text.push('\n');
        if self.moves.is_empty() {
            text.push_str("no moves\n");
        } else {
            // As wide as their columns are at least.
            let headings = ["", "move", "     score", "depth", " loss", "  ", ""];
            text += &plain_table(headings, self.moves.iter().map(row), 2..=4, 1);
        }
        if let Some(outcome) = &self.outcome {
            let _ = writeln!(text, "{outcome}");
        }
        let players = Side::BOTH.map(|side| (side.to_string(), None, self.players[side.index()]));
        text + "\n" + &player_table(players)
    }
}

fn row(mv: &MoveReview) -> Vec<String> {
    let mut notes = Vec::new();
    if mv.is_forced {
        notes.push("forced".to_owned());
    }
    if mv.judgement.missed_win {
        notes.push("missed win".to_owned());
    }
    if let Some(best) = mv.better_line() {
        let score = score_text(best.score, mv.side, Bound::Exact, best.conversion);
        notes.push(format!("best {} ({score})", best.pv[..1].concat()));
    }
    let loss = f64::from(mv.judgement.hundredths()) / 100.0;
    let sign = mv.judgement.mark.and_then(|mark| nag(mark).sign());
    let shown = |text: String, is_shown: bool| if is_shown { text } else { String::new() };
    vec![
        move_number(&mv.before.position),
        mv.text.clone(),
        score_text(mv.score, mv.side, Bound::Exact, mv.conversion),
        shown(mv.depth.to_string(), mv.depth > 0),
        shown(format!("{loss:.2}"), !mv.is_forced),
        sign.unwrap_or_default().to_owned(),
        notes.join(", "),
    ]
}

/// The names of White and Black in a game, if known, and their reviews.
pub(super) type Players = [(Option<String>, PlayerReview); 2];

pub(super) fn players(record: &GameRecord, review: &GameReview) -> Players {
    let name = |side| record.tag_value(side).map(str::to_owned);
    let [white, black] = review.players.clone();
    [(name("White"), white), (name("Black"), black)]
}

/// A table of players: their names, their numbers of games if given, and their reviews.
fn player_table<'a>(
    rows: impl IntoIterator<Item = (String, Option<u64>, &'a PlayerReview)>,
) -> String {
    let known = |figure: Option<f64>, digits: usize, unit: &str| {
        figure.map_or("-".to_owned(), |figure| format!("{figure:.digits$}{unit}"))
    };
    let mut has_games = false;
    let rows = rows.into_iter().map(|(name, games, player)| {
        has_games |= games.is_some();
        let mut row = vec![name];
        row.extend(games.map(|games| games.to_string()));
        row.push(known(player.accuracy, 1, " %"));
        row.push(known(player.average_loss, 3, ""));
        row.extend(Mark::ALL.map(|mark| player.count(mark).to_string()));
        row.extend([player.missed_wins, player.judged, player.forced].map(|n| n.to_string()));
        row
    });
    let rows: Vec<Vec<String>> = rows.collect();
    let figures = "accuracy,average loss,inaccuracies,mistakes,blunders,missed wins,judged,forced";
    let games = has_games.then_some("games");
    let headings = [""].into_iter().chain(games).chain(figures.split(','));
    plain_table(headings, rows, 1.., 1)
}

/// The summary over all games. Players without a name count as one.
#[derive(Debug, Default)]
pub(super) struct Summary {
    totals: BTreeMap<Option<String>, ReportPlayer>,
}

impl Summary {
    /// Adds a game: the names of White and Black, if known, and their reviews.
    pub(super) fn add(&mut self, players: Players) {
        let is_against_itself = players[0].0 == players[1].0;
        for (place, (name, play)) in players.into_iter().enumerate() {
            let total = self.totals.entry(name.clone()).or_default();
            total.name = name;
            total.play.add(&play);
            // A player on both sides of a game has played one game.
            total.games += u64::from(place == 0 || !is_against_itself);
        }
    }

    /// The players by accuracy, then by average loss, best first, then by name.
    pub(super) fn ranked(&self) -> Vec<ReportPlayer> {
        let mut ranked: Vec<ReportPlayer> = self.totals.values().cloned().collect();
        let accuracy = |total: &ReportPlayer| total.play.accuracy.unwrap_or(-1.0);
        let loss = |total: &ReportPlayer| total.play.average_loss.unwrap_or(1.0);
        ranked.sort_by(|one, other| {
            let by_accuracy = accuracy(other).total_cmp(&accuracy(one));
            by_accuracy.then(loss(one).total_cmp(&loss(other)))
        });
        ranked
    }

    /// The table for people; `games` were analysed.
    pub(super) fn table(&self, games: u64) -> String {
        let ranked = self.ranked();
        let rows = ranked.iter().map(|total| {
            let name = total.name.as_deref().unwrap_or("?").to_owned();
            (name, Some(total.games), &total.play)
        });
        format!("all {games} games\n\n{}", player_table(rows))
    }

    /// The object for scripts; `wrong` games could not be analysed.
    pub(super) fn object(&self, games: u64, wrong: u64, stopped: bool) -> impl Serialize {
        #[derive(Serialize)]
        #[serde(rename_all = "lowercase")]
        enum Object {
            Summary {
                games: u64,
                wrong: u64,
                stopped: bool,
                players: Vec<ReportPlayer>,
            },
        }
        Object::Summary {
            games,
            wrong,
            stopped,
            players: self.ranked(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn player(name: Option<&str>, accuracy: Option<f64>) -> (Option<String>, PlayerReview) {
        let play = PlayerReview {
            judged: u32::from(accuracy.is_some()),
            rated: u32::from(accuracy.is_some()),
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
        let ranked = summary.ranked().into_iter().map(|total| {
            let name = total.name.unwrap_or_default();
            (name, total.games, total.play.accuracy)
        });
        let wanted = [
            ("Soa", 2, Some(70.0)),
            ("", 2, Some(65.0)),
            ("Rabe", 1, None),
        ];
        let wanted = wanted.map(|(name, games, accuracy)| (name.to_owned(), games, accuracy));
        assert!(ranked.eq(wanted));
    }
}
