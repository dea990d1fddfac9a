//! How everybody has played in all games together.

use std::collections::BTreeMap;

use serde::Serialize;
use vato::notation::pgn::GameRecord;
use vato::review::{GameReview, PlayerReview};

use super::json::PlayerObject;
use super::player_table::player_table;

/// The names of White and Black in a game, if they are known, and how they have played.
pub(super) type Players = [(Option<String>, PlayerReview); 2];

/// The players of an analysed game.
pub(super) fn players(record: &GameRecord, review: &GameReview) -> Players {
    let name = |side| record.tag_value(side).map(str::to_owned);
    let [white, black] = review.players.clone();
    [(name("White"), white), (name("Black"), black)]
}

/// The games of every player, summed up. Those whose names are not known count as one.
#[derive(Debug, Default)]
pub(super) struct Summary {
    totals: BTreeMap<Option<String>, Total>,
}

#[derive(Debug, Default)]
struct Total {
    games: u64,
    play: PlayerReview,
}

#[derive(Serialize)]
struct SummaryObject {
    summary: SummaryFigures,
}

#[derive(Serialize)]
struct SummaryFigures {
    games: u64,
    wrong: u64,
    stopped: bool,
    players: Vec<TotalObject>,
}

#[derive(Serialize)]
struct TotalObject {
    name: Option<String>,
    games: u64,
    #[serde(flatten)]
    play: PlayerObject,
}

impl Summary {
    /// Adds a game.
    pub(super) fn add(&mut self, players: Players) {
        let is_against_itself = players[0].0 == players[1].0;
        for (place, (name, play)) in players.into_iter().enumerate() {
            let total = self.totals.entry(name).or_default();
            total.play.add(&play);
            // Somebody who plays both sides plays one game.
            total.games += u64::from(place == 0 || !is_against_itself);
        }
    }

    /// The players, the most accurate first, then by name.
    fn ranked(&self) -> Vec<(Option<&str>, &Total)> {
        let mut ranked: Vec<_> = self
            .totals
            .iter()
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

    /// The object for scripts, on one line.
    ///
    /// # Errors
    ///
    /// If it cannot be put into JSON.
    pub(super) fn object(
        &self,
        games: u64,
        wrong: u64,
        stopped: bool,
    ) -> serde_json::Result<String> {
        let players = self
            .ranked()
            .into_iter()
            .map(|(name, total)| TotalObject {
                name: name.map(str::to_owned),
                games: total.games,
                play: PlayerObject::from(&total.play),
            })
            .collect();
        let summary = SummaryFigures {
            games,
            wrong,
            stopped,
            players,
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
