//! Building a set of tables in a folder.

use std::fs;
use std::path::PathBuf;
use std::sync::Arc;

use rayon::ThreadPoolBuilder;

use super::load::outcomes_of;
use super::plan::Plan;
use super::{Knowledge, Tally, solve_twins};
use crate::rules::Rules;
use crate::tablebase::error::TablebaseError;
use crate::tablebase::file::{Manifest, ManifestEntry, SliceFile, file_name, write_slice};
use crate::tablebase::index::Indices;
use crate::tablebase::slice::{MAX_STONES, Slice};
use crate::tablebase::table_rules::TableRules;

/// What is to be built.
#[derive(Clone, Debug)]
pub struct BuildSettings {
    /// The rules; what tables know nothing of is ignored ([`TableRules`]).
    pub rules: Rules,
    /// All positions with at most so many stones.
    pub stones: u32,
    /// Where the files go; made if it is not there.
    pub folder: PathBuf,
    /// Threads.
    pub threads: usize,
    /// The most bytes of memory; `None` for what the system has available.
    pub memory: Option<u64>,
}

/// How a build comes along.
#[derive(Clone, Debug)]
pub enum BuildReport {
    /// What will be done.
    Planned(Plan),
    /// A file that was there is not right, and its slice will be solved again.
    Replaced {
        /// What is wrong with it.
        why: String,
    },
    /// A slice and its twin are being solved.
    Solving(Slice),
    /// So much has been done since the last time, of [`Plan::work`].
    Worked(u64),
    /// A slice has been written.
    Written(ManifestEntry),
}

/// Solves what is missing in a folder and writes it, slice by slice: a build that was killed goes on
/// with the slice that it was at.
///
/// # Errors
///
/// If there are no tables for these rules, memory or disk will not do, the folder holds tables for
/// other rules, or something cannot be written. What was written stays.
pub fn build(
    settings: &BuildSettings,
    report: &(dyn Fn(BuildReport) + Sync),
) -> Result<Manifest, TablebaseError> {
    let rules = TableRules::of(&settings.rules)?;
    if !(2..=MAX_STONES).contains(&settings.stones) {
        return Err(TablebaseError::Stones(settings.stones));
    }
    let folder = &settings.folder;
    fs::create_dir_all(folder).map_err(TablebaseError::file(folder))?;
    let pool = ThreadPoolBuilder::new()
        .num_threads(settings.threads)
        .build()
        .map_err(|error| TablebaseError::Threads {
            threads: settings.threads,
            error,
        })?;
    let build = Build {
        settings,
        rules,
        indices: Arc::new(Indices::new(rules.rules().board)),
        report,
    };
    pool.install(|| build.run())
}

struct Build<'a> {
    settings: &'a BuildSettings,
    rules: TableRules,
    indices: Arc<Indices>,
    report: &'a (dyn Fn(BuildReport) + Sync),
}

impl Build<'_> {
    fn run(&self) -> Result<Manifest, TablebaseError> {
        let folder = &self.settings.folder;
        // Nothing is changed in a folder that belongs to other rules.
        let mut written = self.written()?;
        let wanted: Vec<Slice> = self.slices(self.settings.stones).collect();
        let missing = |slice: &&Slice| {
            let mut twins = slice.with_twin();
            !twins.all(|slice| written.iter().any(|entry| entry.slice == slice))
        };
        let missing = wanted.iter().filter(missing).copied().collect();
        let plan = Plan::new(
            &self.indices,
            self.settings.stones,
            missing,
            self.settings.threads,
        );
        (self.report)(BuildReport::Planned(plan.clone()));
        plan.check(folder, self.settings.memory)?;
        let mut knowledge = Knowledge::new(Arc::clone(&self.indices));
        for slice in wanted {
            if plan.slices.contains(&slice) {
                self.solve(slice, &mut knowledge, &mut written)?;
                self.manifest(&mut written).write(folder)?;
            } else if plan
                .slices
                .iter()
                .any(|other| other.stones() > slice.stones())
            {
                for slice in slice.with_twin() {
                    outcomes_of(&self.rules, &mut knowledge, &self.open(slice)?)?;
                }
            }
        }
        let manifest = self.manifest(&mut written);
        manifest.write(folder)?;
        Ok(manifest)
    }

    fn slices(&self, stones: u32) -> impl Iterator<Item = Slice> + use<> {
        Slice::twins_up_to(stones, self.rules.rules().board)
    }

    fn path(&self, slice: Slice) -> PathBuf {
        self.settings.folder.join(file_name(slice))
    }

    fn open(&self, slice: Slice) -> Result<SliceFile, TablebaseError> {
        let file = SliceFile::open(&self.path(slice))?;
        file.check(&self.rules, self.indices.slice(slice))?;
        Ok(file)
    }

    /// The good files that are there already, those with more stones than wanted included. They are
    /// read from end to end: what is damaged will be solved again.
    fn written(&self) -> Result<Vec<ManifestEntry>, TablebaseError> {
        let mut written = Vec::new();
        for slice in self.slices(MAX_STONES).flat_map(Slice::with_twin) {
            if !self.path(slice).exists() {
                continue;
            }
            let file = self.open(slice);
            match file.and_then(|file| file.check_blocks().map(|()| ManifestEntry::of(&file))) {
                Ok(entry) => written.push(entry),
                // Somebody may still want them.
                Err(error @ TablebaseError::OtherRules { .. }) => return Err(error),
                Err(error) if slice.stones() <= self.settings.stones => {
                    let why = error.to_string();
                    (self.report)(BuildReport::Replaced { why });
                }
                Err(error) => log::warn!("{error}"),
            }
        }
        Ok(written)
    }

    /// What has been written, in the order of a build.
    fn manifest(&self, written: &mut [ManifestEntry]) -> Manifest {
        let order: Vec<Slice> = self.slices(MAX_STONES).flat_map(Slice::with_twin).collect();
        written.sort_by_key(|entry| order.iter().position(|&slice| slice == entry.slice));
        Manifest {
            rules: self.rules.to_string(),
            slices: written.to_vec(),
        }
    }

    fn solve(
        &self,
        slice: Slice,
        knowledge: &mut Knowledge,
        written: &mut Vec<ManifestEntry>,
    ) -> Result<(), TablebaseError> {
        (self.report)(BuildReport::Solving(slice));
        let worked = |work| (self.report)(BuildReport::Worked(work));
        for solved in solve_twins(&self.rules, knowledge, slice, &worked) {
            let path = self.path(solved.index.slice());
            write_slice(&path, &self.rules, &solved, &Tally::of(&solved))?;
            let entry = ManifestEntry::of(&SliceFile::open(&path)?);
            written.retain(|other| other.slice != entry.slice);
            written.push(entry.clone());
            worked(Plan::work_of_writing(slice, solved.index.entries()));
            (self.report)(BuildReport::Written(entry));
            if slice.stones() < self.settings.stones {
                let outcomes = solved.outcomes();
                knowledge.add(solved.index, outcomes);
            }
        }
        Ok(())
    }
}
