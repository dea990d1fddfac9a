//! The order of the engines.

use serde::Serialize;

use crate::tournament::standings::Standings;
use crate::tournament::statistics::GameCounts;

/// The engines in their order.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Ranking {
    /// The engines, the best first.
    pub places: Vec<Place>,
    /// The tie-breaks, in this order.
    pub tie_breaks: Vec<TieBreak>,
    /// Remarks, as plain sentences.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub remarks: Vec<String>,
}

/// An engine's place.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Place {
    /// The engine, by its place in the settings.
    pub engine: usize,
    /// Its name.
    pub name: String,
    /// Its points: one for a win, one half for a draw; byes included.
    pub points: f64,
    /// Games that it has played (rounds, in a vela).
    pub games: u64,
    /// Points from byes.
    pub bye_points: f64,
    /// The values of [`Ranking::tie_breaks`].
    pub tie_breaks: Vec<f64>,
    /// How far it came, or why it left.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// The games of its rounds of the vela, which its points do not tell.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub vela: Option<VelaFigures>,
}

/// The single games of an engine's rounds of the vela.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct VelaFigures {
    /// Normal games.
    pub normal: GameCounts,
    /// Velas after normal games that it has won.
    pub as_giver: GameCounts,
    /// Velas after normal games that it has lost.
    pub as_eater: GameCounts,
}

/// A tie-break.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum TieBreak {
    /// The sum of the opponents' points.
    Buchholz,
    /// The sum of the opponents' points, each times the part of the points that was won from that
    /// opponent.
    SonnebornBerger,
}

impl TieBreak {
    /// The name, as people write it.
    pub const fn name(self) -> &'static str {
        match self {
            TieBreak::Buchholz => "Buchholz",
            TieBreak::SonnebornBerger => "Sonneborn-Berger",
        }
    }
}

impl Ranking {
    /// The engines as they stand in the settings.
    pub(super) fn in_order(standings: &Standings) -> Ranking {
        let place = |engine: usize| {
            let counts = standings.total(engine);
            Place {
                engine,
                name: standings.names[engine].clone(),
                points: counts.points(),
                games: counts.games(),
                bye_points: 0.0,
                tie_breaks: Vec::new(),
                note: None,
                vela: None,
            }
        };
        Ranking {
            places: (0..standings.names.len()).map(place).collect(),
            tie_breaks: Vec::new(),
            remarks: Vec::new(),
        }
    }

    /// The engines by the part of the points that they have made, equal ones as they stand in the
    /// settings; those that have not played come last.
    pub(super) fn by_score(standings: &Standings) -> Ranking {
        let mut ranking = Ranking::in_order(standings);
        let score = |place: &Place| standings.total(place.engine).score().unwrap_or(-1.0);
        let places = &mut ranking.places;
        places.sort_by(|one, other| score(other).total_cmp(&score(one)));
        ranking
    }
}
