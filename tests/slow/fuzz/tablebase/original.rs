//! Sets of tables as they were built.

use std::fs;
use std::path::{Path, PathBuf};

use rand::RngExt;
use rand::rngs::SmallRng;
use rand::seq::IndexedRandom;
use vato_engine::board::Position;
use vato_engine::rules::{Rules, parse_rules};
use vato_engine::tablebase::{Slice, Tablebases, Value};
use vato_solver::tables::{BuildSettings, SliceInfo, build};

use super::placements::positions;

/// A set of tables as it was built.
pub struct Original {
    pub rules: Rules,
    pub folder: PathBuf,
    /// Names and bytes.
    pub files: Vec<(String, Vec<u8>)>,
    /// Positions with their values.
    pub known: Vec<(Position, Value)>,
    pub infos: Vec<SliceInfo>,
}

impl Original {
    /// Builds a set in `folder` and looks at one of `step` positions.
    fn build(folder: &Path, rules: &str, stones: u32, step: usize) -> Original {
        let rules = parse_rules(rules).expect("rules");
        let settings = BuildSettings {
            rules,
            stones,
            slice: None,
            folder: folder.to_owned(),
            threads: 2,
            memory: None,
            level: BuildSettings::DEFAULT_LEVEL,
        };
        let manifest = build(&settings, &|| true, &|_| {}).expect("a set of tables");
        let files = manifest.slices.into_iter().map(|entry| {
            let bytes = fs::read(folder.join(&entry.file)).expect("a file of the set");
            (entry.file, bytes)
        });
        let tables = Tablebases::open(&[folder], &rules, Tablebases::DEFAULT_CACHE_BYTES)
            .expect("a set of tables");
        let known = Slice::all_up_to(stones, rules.board)
            .flat_map(|slice| positions(&rules, slice))
            .step_by(step)
            .map(|position| {
                let value = tables.value(&position);
                (position, value.expect("within the tables"))
            });
        Original {
            rules,
            folder: folder.to_owned(),
            known: known.collect(),
            infos: vato_solver::tables::info(&tables),
            files: files.collect(),
        }
    }
}

/// The sets that files are taken from: small ones, and one with several blocks in a file.
pub struct Originals {
    pub small: [Original; 2],
    pub large: [Original; 2],
}

impl Originals {
    /// Builds them within `folder`.
    pub fn build(folder: &Path) -> Originals {
        let set = |name: &str, rules: &str, stones: u32, step: usize| {
            Original::build(&folder.join(name), rules, stones, step)
        };
        Originals {
            small: [
                set("small-forced", "telo", 4, 1),
                set("small-free", "board=3x3 capture=free", 4, 1),
            ],
            large: [
                set("large-forced", "tsivy", 3, 1),
                set("large-free", "free-capture", 4, 997),
            ],
        }
    }

    /// One of them. Large ones take long, and come up seldom.
    pub fn random(&self, random: &mut SmallRng) -> &Original {
        let sets = match random.random_range(0..40) {
            0 => &self.large,
            _ => &self.small,
        };
        sets.choose(random).expect("two sets")
    }

    /// The bytes of all files of all sets.
    pub fn files(&self) -> Vec<&[u8]> {
        let sets = self.small.iter().chain(&self.large);
        let files = sets.flat_map(|original| &original.files);
        files.map(|(_, bytes)| bytes.as_slice()).collect()
    }
}
