//! Files of tables: one of a set is damaged, then the set is opened and asked for everything.
//!
//! Either the checksums are as they come: then the set must not open, or each look-up must give what the whole set gives, or
//! nothing and a complaint. Or they are made to fit, so that what lies behind them is reached: then values may be wrong.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use serde_json::{Value as Json, json};
use vato_engine::board::{BoardSize, Position};
use vato_engine::notation::parse_fen;
use vato_engine::rules::{Rules, legal_moves, parse_rules};
use vato_engine::tablebase::{Slice, Tablebases, Value, Wdl};
use vato_solver::tables::{BuildSettings, SliceInfo, build, info, verify};

use super::check_length;
use super::files::{FOLDER, crc, parts};

#[path = "../../program/tablebases/placements.rs"]
mod placements;

/// Bytes of a preamble, and of a block's entry in a directory.
pub const PREAMBLE: usize = 32;
pub const ENTRY: usize = 16;

/// A set of tables as it was built: its files, and positions with their values.
pub struct Set {
    pub rules: Rules,
    pub files: Vec<(PathBuf, Vec<u8>)>,
    folder: PathBuf,
    known: Vec<(Position, Value)>,
    infos: Vec<SliceInfo>,
}

/// What has come of a damaged set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// It did not open.
    Refused,
    /// Some values could not be read.
    Complained,
    /// Everything could be read.
    Whole,
}

impl Set {
    /// Builds a set and looks at one of `step` positions.
    pub fn build(folder: &Path, rules: &str, stones: u32, step: usize) -> Set {
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
        let files = manifest.slices.iter().map(|entry| {
            let path = folder.join(&entry.file);
            let bytes = fs::read(&path).expect("a file of the set");
            (path, bytes)
        });
        let files = files.collect();
        let tables =
            Tablebases::open(&[folder], &rules, Tablebases::DEFAULT_CACHE_BYTES).expect("a set");
        let slices = Slice::all_up_to(stones, rules.board);
        let positions = slices
            .flat_map(|slice| placements::positions(&rules, slice))
            .step_by(step);
        let value = |position| {
            (
                position,
                tables.value(&position).expect("within the tables"),
            )
        };
        Set {
            rules,
            files,
            folder: folder.to_owned(),
            known: positions.map(value).collect(),
            infos: info(&tables),
        }
    }

    /// Has `bytes` in place of a file while everything is looked up, and panics if what is found is not as it should be.
    pub fn with(&self, path: &Path, bytes: &[u8], is_sealed: bool) -> End {
        let right = fs::read(path).expect("a file of the set");
        // A new file is faster than to write over one.
        let replace = |bytes: &[u8]| {
            fs::remove_file(path).expect("a file of the set");
            fs::write(path, bytes).expect("there is room");
        };
        replace(bytes);
        let end = self.look_up(path, is_sealed);
        replace(&right);
        end
    }

    fn look_up(&self, path: &Path, is_sealed: bool) -> End {
        let is_table = self.files.iter().any(|(table, _)| table == path);
        let named = if is_table { path } else { &self.folder };
        let (rules, name) = (&self.rules, named.display().to_string());
        let tables = match Tablebases::open(&[&self.folder], rules, Tablebases::DEFAULT_CACHE_BYTES)
        {
            Ok(tables) => tables,
            Err(error) => {
                check_length(&error);
                assert!(
                    error.to_string().contains(&name),
                    "the error does not name the file: {error}"
                );
                return End::Refused;
            }
        };
        let mut missing = 0;
        for (number, (position, known)) in self.known.iter().enumerate() {
            let (value, outcome) = (tables.value(position), tables.outcome(position));
            if let Some(value) = value {
                let is_possible = Wdl::ALL.contains(&value.wdl)
                    && value.plies <= u32::from(u16::MAX)
                    && (value.wdl != Wdl::Draw || value.plies == 0);
                assert!(
                    is_possible && outcome == Some(value.wdl),
                    "{value:?}, {outcome:?}: {position:?}"
                );
            }
            let is_known = value.is_none_or(|value| value == *known)
                && outcome.is_none_or(|wdl| wdl == known.wdl);
            assert!(
                is_sealed || is_known,
                "{value:?} for {known:?}: {position:?}"
            );
            missing += usize::from(value.is_none());
            // Ranking takes longer.
            let ranking = (number % 64 == 0)
                .then(|| tables.rank(rules, position))
                .flatten();
            if let Some(ranking) = ranking {
                assert!(ranking.len() == legal_moves(rules, position).len() && !ranking.is_empty());
                assert!(
                    is_sealed || ranking[0].value == *known,
                    "{known:?}: {position:?}"
                );
            }
        }
        self.check_infos(&info(&tables), is_sealed);
        let complaints = tables.complaints();
        complaints.iter().for_each(check_length);
        assert!(
            missing == 0 || !complaints.is_empty(),
            "{missing} values are missing, and nothing is said"
        );
        let is_one = complaints.len() <= 1 && complaints.iter().all(|text| text.contains(&name));
        assert!(is_one, "one file, and {complaints:?}");
        // A check goes through all positions, so the set must be small.
        if rules.board == BoardSize::new(3, 3).expect("a board") {
            let checked = verify(&tables, None, &|_| {});
            assert!(
                missing == 0 || checked.wrong > 0,
                "values are missing, and the check finds nothing"
            );
        }
        if complaints.is_empty() {
            End::Whole
        } else {
            End::Complained
        }
    }

    fn check_infos(&self, infos: &[SliceInfo], is_sealed: bool) {
        assert!(is_sealed || infos == self.infos, "{infos:?}");
        assert_eq!(infos.len(), self.infos.len(), "every file is described");
        for info in infos {
            let longest = info.longest.as_ref();
            assert!(
                longest.is_none_or(|longest| parse_fen(&longest.fen, self.rules.board).is_ok()),
                "{info:?}"
            );
            assert_eq!(
                info.positions,
                info.slice.positions(self.rules.board),
                "{info:?}"
            );
        }
    }
}

/// A file of tables whose checksums are right, those within the header, too, if its parts are where it says. `blocks` are
/// the blocks and the directories.
pub fn sealed(header: &[u8], blocks: &[u8]) -> Vec<u8> {
    let mut front = [&[0; PREAMBLE], blocks].concat();
    let mut header = header.to_vec();
    if let Ok(mut parsed) = serde_json::from_slice::<Json>(&header)
        && ["outcomes", "distances"]
            .iter()
            .all(|name| parsed[name].is_object())
    {
        let start = |name: &str| parsed[name]["directory"].as_u64().unwrap_or_default() as usize;
        let starts = [start("outcomes"), start("distances")];
        let length = starts[1].saturating_sub(starts[0]);
        for (name, start) in std::iter::zip(["outcomes", "distances"], starts) {
            let Some(end) = start.checked_add(length).filter(|&end| end <= front.len()) else {
                continue;
            };
            for entry in (start..end).step_by(ENTRY).filter(|at| at + ENTRY <= end) {
                let number = |at: usize, bytes: usize| {
                    let mut number = [0; 8];
                    number[..bytes].copy_from_slice(&front[at..at + bytes]);
                    u64::from_le_bytes(number) as usize
                };
                let (from, length) = (number(entry, 8), number(entry + 8, 4));
                let to = from.saturating_add(length);
                if let Some(block) = front.get(from..to) {
                    let sum = crc(block);
                    front[entry + 12..entry + ENTRY].copy_from_slice(&sum);
                }
            }
            parsed[name]["crc"] = json!(crc32fast::hash(&front[start..end]));
        }
        header = parsed.to_string().into_bytes();
    }
    let offset = (front.len() as u64).to_le_bytes();
    let length = (header.len() as u64).to_le_bytes();
    let preamble = [
        &b"VATO\r\nTB\x01\0\0\0"[..],
        &crc(&header),
        &offset,
        &length,
    ]
    .concat();
    front[..PREAMBLE].copy_from_slice(&preamble);
    front.extend(header);
    front
}

static SET: LazyLock<Set> =
    LazyLock::new(|| Set::build(&FOLDER.path().join("tables"), "board=3x3", 3, 1));

/// A file of a set of tables: which one the second byte says, `m` is the manifest.
pub fn table(bytes: &[u8]) {
    let [kind, which, rest @ ..] = bytes else {
        return;
    };
    let bytes = [&[*kind], rest].concat();
    let (whole, is_sealed) = match parts(&bytes) {
        Ok((header, blocks)) => (sealed(header, blocks), true),
        Err(raw) => (raw.to_vec(), false),
    };
    let path = match which {
        b'm' => &SET.folder.join("manifest.json"),
        _ => &SET.files[usize::from(*which) % SET.files.len()].0,
    };
    SET.with(path, &whole, is_sealed);
}
