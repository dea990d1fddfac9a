//! The result of a match: as JSON, and the data of its text.

use serde::Serialize;
use sysinfo::System;
use vato_tools::tournament::record::Record;
use vato_tools::tournament::settings::MatchSettings;
use vato_tools::tournament::statistics::{Figures, Ratings, SprtState, Tally};
use vato_tools::tournament::{
    Ending, Extent, MatchState, Missing, Part, Ranking, Standings, Together,
};

use crate::cli::support::resources::processors;

/// The whole result. What is about two engines is from the view of the first.
#[derive(Serialize)]
pub struct Summary<'a> {
    pub ending: Ending,
    pub format: &'static str,
    pub extent: Extent,
    #[serde(flatten)]
    pub standings: &'a Standings,
    /// Of two engines: games (in a vela, rounds) and pairs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tally: Option<&'a Tally>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub figures: Option<Figures>,
    pub ranking: Ranking,
    /// Of three or more engines.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ratings: Option<Ratings>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sprt: Option<Sprt>,
    /// Load averages of the machine over 1, 5 and 15 minutes at the end, and its processors, where the
    /// match was played here.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub load: Option<Load>,
    pub settings: &'a MatchSettings,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub record: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pgn: Option<String>,
    /// Games and shards missing from a merged match.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub missing: Option<Missing>,
    /// What each of several machines plays.
    #[serde(skip)]
    pub machines: &'a [Part],
}

#[derive(Serialize)]
pub struct Load {
    pub averages: [f64; 3],
    pub processors: usize,
}

impl Load {
    /// The load now; `None` where the system does not tell.
    pub fn now() -> Option<Load> {
        let load = System::load_average();
        let averages = [load.one, load.five, load.fifteen];
        let is_known = averages.iter().any(|&average| average > 0.0);
        is_known.then_some(Load {
            averages,
            processors: processors(),
        })
    }
}

#[derive(Serialize)]
pub struct Sprt {
    #[serde(flatten)]
    pub state: SprtState,
    pub sentence: String,
}

impl<'a> Summary<'a> {
    /// The result of a match, played here or merged; `record` is where it is recorded, if it is in one
    /// place.
    pub fn new(
        state: &'a MatchState,
        ending: Ending,
        record: Option<&Record>,
        missing: Option<Missing>,
    ) -> Summary<'a> {
        let standings = &state.standings;
        let sprt = match (state.settings.sprt, state.test(), &standings.names()[..]) {
            (Some(sprt), Some(state), [first, second]) => {
                let sentence = sprt.explain(&state, first, second);
                Some(Sprt { state, sentence })
            }
            _ => None,
        };
        let tally = (standings.engines.len() == 2).then_some(&standings.tally);
        Summary {
            ending,
            format: state.settings.format().name(),
            extent: state.extent(),
            standings,
            tally,
            figures: tally.and_then(Tally::figures),
            ranking: state.ranking(),
            ratings: state.ratings(),
            sprt,
            load: None,
            settings: &state.settings,
            record: record.map(|record| record.state_path().display().to_string()),
            pgn: record.map(|record| record.pgn_path().display().to_string()),
            missing,
            machines: &[],
        }
    }

    /// The result of all machines so far; `record` is that of this one.
    pub fn of_machines(together: &'a Together, record: Option<&Record>) -> Summary<'a> {
        let whole = &together.whole;
        Summary {
            machines: &together.parts,
            load: record.and_then(|_| Load::now()),
            ..Summary::new(whole, whole.ending(), record, None)
        }
    }
}
