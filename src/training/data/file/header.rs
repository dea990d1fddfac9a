//! The header of a file of training data.

use std::io::Read;
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::rules::{Rules, parse_rules};
use crate::training::data::DataError;

const MAGIC: [u8; 8] = *b"VATODATA";
const VERSION: u32 = 1;
/// No header is longer, in bytes: what a damaged file says is not believed.
const LONGEST: u32 = 1 << 24;

/// What a file of training data says of itself.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Header {
    /// The rules of the games, as a rules string.
    pub rules: String,
    /// How the records were made; several after files were merged.
    pub origins: Vec<Origin>,
    /// Whether the records lie in random order, not game by game.
    pub shuffled: bool,
}

/// How records were made.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Origin {
    /// The program and its version.
    pub program: String,
    /// The evaluation of its search: `classical`, or a network's name.
    pub evaluation: String,
    /// Nodes searched for each move.
    pub nodes: u64,
    /// The fewest and the most random plies that games begin with.
    pub random_plies: [u32; 2],
    /// The highest score of an opening, in centi-stones, for either side.
    pub opening_score: i32,
    /// Positions off the game recorded beside each position with captures or many stones.
    #[serde(default)]
    pub asides: u32,
    /// Games are over with so many stones left: tablebases know how they end.
    pub adjudicated_stones: u32,
    /// What the openings derive from.
    pub seed: u64,
}

impl Header {
    /// The header as it stands in a file, everything before the records.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        // Plain strings and numbers: cannot fail.
        let json = serde_json::to_vec(self).unwrap_or_default();
        let mut bytes = MAGIC.to_vec();
        bytes.extend(VERSION.to_le_bytes());
        bytes.extend((json.len() as u32).to_le_bytes());
        bytes.extend(json);
        bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
        bytes
    }

    /// Reads a header, and how many bytes it takes up in the file; `path` is for error messages.
    /// Afterwards `file` stands at the first record.
    ///
    /// # Errors
    ///
    /// If the file does not read, is something else or damaged, or its rules do not exist.
    pub fn read(file: &mut impl Read, path: &Path) -> Result<(Header, u64), DataError> {
        let path = || path.to_path_buf();
        let mut start = [0; 16];
        let mut read = |bytes: &mut [u8], too_short: DataError| match file.read_exact(bytes) {
            Ok(()) => Ok(()),
            Err(error) if error.kind() == std::io::ErrorKind::UnexpectedEof => Err(too_short),
            Err(error) => Err(DataError::Read {
                path: path(),
                error,
            }),
        };
        read(&mut start, DataError::NoData { path: path() })?;
        let number = |at: usize| {
            u32::from_le_bytes([start[at], start[at + 1], start[at + 2], start[at + 3]])
        };
        if start[..8] != MAGIC {
            return Err(DataError::NoData { path: path() });
        }
        if number(8) != VERSION {
            return Err(DataError::Version {
                path: path(),
                found: number(8),
                known: VERSION,
            });
        }
        let damaged = || DataError::Damaged { path: path() };
        let length = number(12);
        if length > LONGEST {
            return Err(damaged());
        }
        let mut json = vec![0; length as usize];
        read(&mut json, damaged())?;
        let mut checksum = [0; 4];
        read(&mut checksum, damaged())?;
        let mut hasher = crc32fast::Hasher::new();
        hasher.update(&start);
        hasher.update(&json);
        if hasher.finalize() != u32::from_le_bytes(checksum) {
            return Err(damaged());
        }
        let header: Header = serde_json::from_slice(&json).map_err(|error| DataError::Header {
            path: path(),
            error,
        })?;
        header.parsed_rules().map_err(|error| DataError::Rules {
            path: path(),
            error,
        })?;
        let bytes = start.len() + json.len() + checksum.len();
        Ok((header, bytes as u64))
    }

    /// The rules.
    ///
    /// # Errors
    ///
    /// If they do not exist; not so in a header that was read from a file.
    pub fn parsed_rules(&self) -> Result<Rules, crate::rules::ParseRulesError> {
        parse_rules(&self.rules)
    }
}

impl Origin {
    /// Where two ways of making records differ, in words; `None` if they do not.
    pub(in crate::training::data) fn difference(&self, other: &Origin) -> Option<String> {
        let fields = [
            ("program", self.program.clone(), other.program.clone()),
            (
                "evaluation",
                self.evaluation.clone(),
                other.evaluation.clone(),
            ),
            ("nodes", self.nodes.to_string(), other.nodes.to_string()),
            (
                "random plies",
                format!("{:?}", self.random_plies),
                format!("{:?}", other.random_plies),
            ),
            (
                "opening score",
                self.opening_score.to_string(),
                other.opening_score.to_string(),
            ),
            (
                "adjudicated stones",
                self.adjudicated_stones.to_string(),
                other.adjudicated_stones.to_string(),
            ),
            ("asides", self.asides.to_string(), other.asides.to_string()),
            ("seed", self.seed.to_string(), other.seed.to_string()),
        ];
        fields
            .into_iter()
            .find(|(_, one, two)| one != two)
            .map(|(name, one, two)| format!("{name} {one} there, {two} here"))
    }
}
