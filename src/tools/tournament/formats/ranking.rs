//! Rankings of the engines.

use serde::Serialize;

use crate::tournament::standings::Standings;
use crate::tournament::statistics::GameCounts;
use vato_engine::text::named_enum;

/// A ranking of the engines.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Ranking {
    /// The engines, the best first.
    pub places: Vec<Place>,
    /// The tie-breaks, in order of application.
    pub tie_breaks: Vec<TieBreak>,
    /// Remarks, as sentences.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub remarks: Vec<String>,
}

/// The place of an engine.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Place {
    /// The engine, by index in the settings.
    pub engine: usize,
    /// Its name.
    pub name: String,
    /// Its points: one for a win, one half for a draw; byes included.
    pub points: f64,
    /// The games it has played (rounds, for the vela).
    pub games: u64,
    /// Points from byes.
    pub bye_points: f64,
    /// The values of [`Ranking::tie_breaks`].
    pub tie_breaks: Vec<f64>,
    /// The round it reached, or why it left.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// The individual games of its rounds of the vela, which its points do not show.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub vela: Option<VelaFigures>,
}

/// The individual games of an engine's rounds of the vela.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct VelaFigures {
    /// Normal games.
    pub normal: GameCounts,
    /// Velas after normal games it won.
    pub as_giver: GameCounts,
    /// Velas after normal games it lost.
    pub as_eater: GameCounts,
}

named_enum! {
    /// A tie-break.
    #[derive(Serialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum TieBreak {
        /// The sum of the opponents' points.
        Buchholz = "Buchholz",
        /// The sum of the opponents' points, each weighted by the share of the points won from that opponent.
        SonnebornBerger = "Sonneborn-Berger",
    }
}

impl Ranking {
    /// The engines in the order of the settings.
    pub(super) fn in_order(standings: &Standings) -> Ranking {
        let place = |engine: usize| {
            let counts = standings.total(engine);
            Place {
                engine,
                name: standings.engines[engine].name.clone(),
                points: counts.points(),
                games: counts.games(),
                ..Place::default()
            }
        };
        Ranking {
            places: (0..standings.engines.len()).map(place).collect(),
            ..Ranking::default()
        }
    }

    /// The engines by score percentage; equal ones in the order of the settings, those without games last.
    pub(super) fn by_score(standings: &Standings) -> Ranking {
        let mut ranking = Ranking::in_order(standings);
        let score = |place: &Place| standings.total(place.engine).score().unwrap_or(-1.0);
        let places = &mut ranking.places;
        places.sort_by(|one, other| score(other).total_cmp(&score(one)));
        ranking
    }
}
