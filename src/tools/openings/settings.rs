//! The openings of a match and their order.

use std::convert::Infallible;
use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use clap::Args;
use serde::{Deserialize, Serialize};

use vato_engine::rules::Rules;
use vato_engine::text::{named_enum, number};

/// The source and the order of openings.
///
/// ```
/// use vato_tools::openings::{OpeningOrder, OpeningSettings, OpeningSource};
///
/// let settings: OpeningSettings =
///     serde_json::from_str(r#"{"openings": "sharp", "seed": 7}"#).expect("good settings");
/// assert_eq!(settings.source, Some(OpeningSource::Sharp));
/// assert_eq!(settings.order, OpeningOrder::Random);
/// ```
#[derive(Args, Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[command(next_help_heading = "Openings")]
#[serde(deny_unknown_fields, default)]
pub struct OpeningSettings {
    /// start, riatra, balanced, sharp, random, or a file of FENs, or of games (.pgn, .json, .sgf, .trl) [default:
    /// balanced; random where moves are not those of tsivy]
    #[arg(id = "openings", long = "openings", value_name = "SUITE")]
    #[serde(rename = "openings", skip_serializing_if = "Option::is_none")]
    pub source: Option<OpeningSource>,
    /// Order of a list or a file: random, which follows from the seed, or sequential, as it is there [default: random]
    #[arg(long, value_name = "ORDER", value_enum, hide_possible_values = true)]
    pub order: OpeningOrder,
    /// Seed of the random order and of random openings [default: 0]
    #[arg(long, value_name = "N", value_parser = number::<u64>(..))]
    pub seed: u64,
    /// Plies of a game in a file, or of a random opening, that are played [default: 8]
    #[arg(long, value_name = "N", value_parser = number::<u32>(..))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub plies: Option<u32>,
    /// The first opening to take, from 1 [default: 1]
    #[arg(long, value_name = "N", value_parser = number::<u32>(1..))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub start: Option<u32>,
}

impl OpeningSettings {
    /// Openings of this source in its order.
    pub fn new(source: OpeningSource) -> OpeningSettings {
        OpeningSettings {
            source: Some(source),
            order: OpeningOrder::Sequential,
            ..OpeningSettings::default()
        }
    }
}

/// A source of openings.
///
/// As text a name, else the path of a file. A file with the name of a source needs a folder before it:
/// `./random`.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(from = "PathBuf", into = "PathBuf")]
pub enum OpeningSource {
    /// Only the start position of the rules (`start`).
    Start,
    /// The five openings of the 9x5 board, in the order of a riatra set (`riatra`).
    Riatra,
    /// The built-in suite of even positions (`balanced`).
    Balanced,
    /// The built-in suite of positions in which one side is better (`sharp`).
    Sharp,
    /// Random turns from the start position (`random`).
    Random,
    /// A file: game records if its name ends with `.pgn`, else one FEN per line.
    File(PathBuf),
}

impl OpeningSource {
    const NAMED: [(OpeningSource, &str); 5] = [
        (OpeningSource::Start, "start"),
        (OpeningSource::Riatra, "riatra"),
        (OpeningSource::Balanced, "balanced"),
        (OpeningSource::Sharp, "sharp"),
        (OpeningSource::Random, "random"),
    ];

    /// The default: [`OpeningSource::Balanced`] where board and moves are those of the standard game, for
    /// which the suite was made, else [`OpeningSource::Random`].
    pub fn default_for(rules: &Rules) -> OpeningSource {
        if rules.has_standard_movement() {
            OpeningSource::Balanced
        } else {
            OpeningSource::Random
        }
    }

    /// The name of a source that is not a file.
    pub(super) fn name(&self) -> Option<&'static str> {
        let mut named = OpeningSource::NAMED.into_iter();
        named
            .find(|(source, _)| source == self)
            .map(|(_, name)| name)
    }
}

impl From<PathBuf> for OpeningSource {
    fn from(path: PathBuf) -> OpeningSource {
        let mut named = OpeningSource::NAMED.into_iter();
        let source = named.find(|(_, name)| path.as_os_str() == *name);
        source.map_or(OpeningSource::File(path), |(source, _)| source)
    }
}

impl From<OpeningSource> for PathBuf {
    /// The name, or the path, with a folder before it if it could be taken for a name.
    fn from(source: OpeningSource) -> PathBuf {
        match (source.name(), source) {
            (None, OpeningSource::File(path)) => match OpeningSource::from(path.clone()) {
                OpeningSource::File(path) => path,
                _ => Path::new(".").join(path),
            },
            (name, _) => name.unwrap_or_default().into(),
        }
    }
}

impl fmt::Display for OpeningSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        PathBuf::from(self.clone()).display().fmt(f)
    }
}

impl FromStr for OpeningSource {
    type Err = Infallible;

    fn from_str(text: &str) -> Result<OpeningSource, Infallible> {
        Ok(PathBuf::from(text).into())
    }
}

named_enum! {
    /// The order of openings.
    #[derive(Default, Serialize, Deserialize, clap::ValueEnum)]
    #[serde(rename_all = "lowercase")]
    pub enum OpeningOrder {
        /// The order of the source.
        Sequential = "sequential",
        /// A random order, the same in each round through the suite.
        #[default]
        Random = "random",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn source(text: &str) -> OpeningSource {
        let Ok(source) = text.parse();
        source
    }

    #[test]
    fn sources_read_as_they_are_written() {
        for (named, _) in OpeningSource::NAMED {
            assert_eq!(source(&named.to_string()), named);
        }
        for text in ["a.pgn", "Random", "./random", "dir/start", ""] {
            let file = source(text);
            assert_eq!(file, OpeningSource::File(text.into()));
            assert_eq!(source(&file.to_string()), file);
        }
        let file = OpeningSource::File("sharp".into());
        assert_eq!(source(&file.to_string()), source("./sharp"));
        let json = serde_json::to_string(&file).expect("UTF-8");
        assert_eq!(json, "\"./sharp\"");
    }

    #[test]
    fn settings_read_as_they_are_written() {
        let settings = OpeningSettings {
            source: Some(OpeningSource::File("my openings.fen".into())),
            order: OpeningOrder::Random,
            seed: 7,
            plies: Some(4),
            start: Some(3),
        };
        for settings in [settings, OpeningSettings::default()] {
            let text = toml::to_string(&settings).expect("plain values");
            assert_eq!(toml::from_str(&text), Ok(settings));
        }
        assert!(toml::from_str::<OpeningSettings>("sauce = \"start\"").is_err());
        for order in OpeningOrder::ALL {
            let json = serde_json::to_string(&order).expect("a name");
            assert_eq!(json, format!("\"{order}\""));
        }
    }

    #[test]
    fn the_default_source_fits_the_rules() {
        use OpeningSource::{Balanced, Random};
        for (all, wanted) in [
            (["tsivy", "limit=50", "tie=count blocked=draw"], Balanced),
            (["dimy", "chain=full", "riatra"], Random),
        ] {
            for text in all {
                let rules = vato_engine::rules::parse_rules(text).expect(text);
                assert_eq!(OpeningSource::default_for(&rules), wanted, "{text}");
            }
        }
    }
}
