//! What can be wrong with who is to play whom.

use thiserror::Error;

use super::{MOST_ENGINES, TournamentFormat};
use crate::tournament::settings::MatchSettings;

/// What is wrong with who is to play whom, and how often.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum TournamentError {
    /// A format that does not exist.
    #[error(
        "'{0}' is no format, want pairs, roundrobin, gauntlet, swiss, knockout, riatra or vela"
    )]
    UnknownFormat(String),
    /// A part of nothing.
    #[error("shard: '{0}', want NUMBER/COUNT, such as 1/4, the number at most the count")]
    Shard(String),
    /// An anchor that does not read.
    #[error("anchor: '{0}', want NAME=ELO, with an Elo from -1000000 to 1000000")]
    Anchor(String),
    /// An anchor that does not play.
    #[error("anchor: no engine is called '{name}'; there are {names}")]
    NoSuchAnchor {
        /// The name.
        name: String,
        /// Those that there are.
        names: String,
    },
    /// An anchor for nothing.
    #[error("anchor: two engines get no ratings; three or more do")]
    AnchorOfTwo,
    /// Too few engines for any match.
    #[error("want at least two engines, not {0}")]
    TooFewEngines(usize),
    /// Too many engines for pairs.
    #[error("the format pairs wants two engines, not {0}; try roundrobin")]
    NotTwoEngines(usize),
    /// Too many engines for anything.
    #[error("want at most {MOST_ENGINES} engines, not {0}")]
    TooManyEngines(usize),
    /// A setting that the format has no use for.
    #[error("{setting}: the format {format} has none{advice}")]
    Unused {
        /// The setting.
        setting: &'static str,
        /// The format.
        format: TournamentFormat,
        /// What might have been meant.
        advice: &'static str,
    },
    /// A number that is zero.
    #[error("{0}: want at least 1")]
    Zero(&'static str),
    /// Half a pair.
    #[error(
        "games: '{0}', want an even number: each opening is played twice, with colours swapped"
    )]
    OddGames(u32),
    /// A round of the vela that could never be decided.
    #[error("round_games: '{0}', want at least 2: a normal game and its revenge")]
    ShortRound(u32),
    /// More rounds than can be paired.
    #[error("rounds: '{rounds}', want at most {most}: {}", why_no_more_rounds(*engines))]
    TooManyRounds {
        /// The rounds wanted.
        rounds: u32,
        /// The most that there can be.
        most: u32,
        /// The engines.
        engines: usize,
    },
    /// More games than numbers for them.
    #[error("that makes more than {} games", u32::MAX)]
    TooManyGames,
    /// Openings where the format has its own.
    #[error("openings: the format riatra has its own five, in their order")]
    Openings,
    /// The vela of a vela.
    #[error(
        "rules: the format vela wants the rules of the normal game, without a 'vela' of their own"
    )]
    VelaRules,
    /// A part of a schedule that cannot be played by itself.
    #[error("shard: {0} cannot be played in parts: who plays next depends on all results")]
    Indivisible(&'static str),
    /// A sequential test of something that it cannot test.
    #[error("sprt: want two engines in the format pairs or riatra")]
    Sprt,
}

/// Why a Swiss tournament of so many engines has no more than its most rounds.
fn why_no_more_rounds(engines: usize) -> String {
    let look_ahead = MatchSettings::LOOK_AHEAD;
    if engines <= look_ahead {
        format!("{engines} engines are not to meet twice")
    } else {
        format!(
            "with more than {look_ahead} engines it is not sure that later rounds can be paired without \
             a rematch"
        )
    }
}
