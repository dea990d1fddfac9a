//! Building a set of tables in a folder.

mod plan;
mod write;

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rayon::prelude::*;

pub use self::plan::Plan;
use self::write::write_slice;
use super::manifest::{Manifest, ManifestEntry};
use crate::files::{Lock, replaceable};
use vato_engine::container::ContainerError;
use vato_engine::memory;
use vato_engine::rules::Rules;
use vato_engine::tablebase::file::{BLOCK_VALUES, FORMAT, SliceFile, file_name};
use vato_engine::tablebase::index::Indices;
use vato_engine::tablebase::retrograde::{WdlTables, solve_pair};
use vato_engine::tablebase::{MAX_STONES, Section, Slice, TableRules, TablebaseError};

/// Settings of a build.
#[derive(Clone, Debug)]
pub struct BuildSettings {
    /// The rules; parameters that do not affect tables are ignored ([`TableRules`]).
    pub rules: Rules,
    /// Solve all positions with at most this many stones.
    pub stones: u32,
    /// Of these only this slice, the colour-swapped one, and those that they need.
    pub slice: Option<Slice>,
    /// The output folder; created if missing.
    pub folder: PathBuf,
    /// Threads.
    pub threads: usize,
    /// The most bytes of memory; `None` for the memory available on the system.
    pub memory: Option<u64>,
    /// Level of compression (zstd), 1 to 22. Compared with level 9, level 22 makes six stones 15 % smaller, and the
    /// build takes three times as long; level 3 makes them an eighth larger.
    pub level: i32,
}

impl BuildSettings {
    /// The default level.
    pub const DEFAULT_LEVEL: i32 = 9;
}

/// Progress of a build.
#[derive(Debug)]
pub enum BuildReport {
    /// The plan.
    Planned(Plan),
    /// A damaged file, whose slice will be solved again.
    Damaged(TablebaseError),
    /// A slice and the colour-swapped one are being solved.
    Solving(Slice),
    /// The part of [`Plan::work`] done since the last report.
    Worked(u64),
    /// A slice has been written.
    Written(ManifestEntry),
}

/// Solves the slices that are missing in a folder and writes each when it is solved: a killed build resumes
/// at the unfinished slice. The folder is locked for other builds; a complete set may be read-only.
///
/// # Errors
///
/// If there are no tables for these rules, memory or disk is too small, the folder has tables for
/// other rules or is in use, a file cannot be written, or `goes_on` returns false. Written files are kept; new folders
/// that are still empty are removed.
pub fn build(
    settings: &BuildSettings,
    goes_on: &(dyn Fn() -> bool + Sync),
    report: &(dyn Fn(BuildReport) + Sync),
) -> Result<Manifest, TablebaseError> {
    let rules = TableRules::of(&settings.rules)?;
    if !(2..=MAX_STONES).contains(&settings.stones) {
        let stones = settings.stones;
        let what = format!("invalid number of stones {stones}: expected 2 to {MAX_STONES}");
        return Err(TablebaseError::Resources(what));
    }
    let pool = memory::thread_pool(settings.threads, "build", None)?;
    let build = Build {
        settings,
        rules,
        indices: Arc::new(Indices::new(rules.rules().board)),
        goes_on,
        report,
    };
    let folder = &settings.folder;
    let is_new = |folder: &&Path| !folder.as_os_str().is_empty() && !folder.exists();
    let new: Vec<&Path> = folder.ancestors().take_while(is_new).collect();
    let built = fs::create_dir_all(folder)
        .map_err(|error| ContainerError::write(folder)(error).into())
        .and_then(|()| pool.install(|| build.run()));
    for folder in new {
        // This fails for folders that are not empty.
        let _ = fs::remove_dir(folder);
    }
    built
}

struct Build<'a> {
    settings: &'a BuildSettings,
    rules: TableRules,
    indices: Arc<Indices>,
    goes_on: &'a (dyn Fn() -> bool + Sync),
    report: &'a (dyn Fn(BuildReport) + Sync),
}

impl Build<'_> {
    fn run(&self) -> Result<Manifest, TablebaseError> {
        let folder = &self.settings.folder;
        let lock = match Lock::take(&folder.join(Manifest::NAME)) {
            Err(error @ ContainerError::Content(..)) => return Err(error.into()),
            // A folder without write permission may be complete.
            lock => lock,
        };
        // This fails for a folder of other rules, before anything is changed.
        let mut manifest = self.written()?;
        let found = Manifest::read(folder).ok().flatten();
        if found.is_none() {
            let path = folder.join(Manifest::NAME);
            replaceable(&path, Manifest::START).map_err(ContainerError::write(&path))?;
        }
        let wanted: Vec<Slice> = Slice::pairs_up_to(self.settings.stones, self.indices.board)
            .filter(|&pair| self.settings.slice.is_none_or(|slice| slice.needs(pair)))
            .collect();
        let is_too_large = |pair: &&Slice| {
            let index = self.indices.slice(**pair);
            index.is_some_and(|index| index.block >= u32::MAX.into())
        };
        if let Some(slice) = wanted.iter().find(is_too_large) {
            let what =
                format!("the slice {slice} is too large: more than 2^32 placements of a side");
            return Err(TablebaseError::Resources(what));
        }
        let is_written = |slice| manifest.entry(slice).is_some();
        let missing = wanted.iter().filter(|pair| !pair.pair().all(is_written));
        let missing: Vec<Slice> = missing.copied().collect();
        let plan = Plan::new(&self.indices, &wanted, missing, self.settings.threads);
        (self.report)(BuildReport::Planned(plan.clone()));
        plan.check(folder, self.settings.memory)?;
        // Temporary files of a killed build: tables, and a manifest.
        let entries = lock.is_ok().then(|| fs::read_dir(folder));
        for entry in entries.into_iter().flatten().flatten().flatten() {
            let name = entry.file_name().to_string_lossy().into_owned();
            let is_left = [".vtb.part", ".json.part"]
                .iter()
                .any(|end| name.ends_with(end));
            if is_left && name.starts_with(".vato-") {
                let _ = fs::remove_file(entry.path());
            }
        }
        if plan.slices.is_empty() && found.as_ref() == Some(&manifest) {
            return Ok(manifest);
        }
        let _lock = lock?;
        let mut known = WdlTables::new(Arc::clone(&self.indices));
        let most = plan.slices.iter().map(|slice| slice.stones()).max();
        for slice in wanted {
            if plan.slices.contains(&slice) {
                self.solve(slice, &mut known, &mut manifest)?;
                manifest.write(folder)?;
            } else if most > Some(slice.stones()) {
                for slice in slice.pair() {
                    self.load(slice, &mut known)?;
                }
            }
        }
        manifest.write(folder)?;
        Ok(manifest)
    }

    fn path(&self, slice: Slice) -> PathBuf {
        self.settings.folder.join(file_name(slice))
    }

    /// The valid files in the folder, also those with more stones than wanted. Damaged ones, which reading all
    /// blocks finds, will be solved again.
    fn written(&self) -> Result<Manifest, TablebaseError> {
        let mut slices = Vec::new();
        for slice in Slice::all_up_to(MAX_STONES, self.indices.board) {
            let path = self.path(slice);
            // Otherwise a folder, a device or a foreign file would be found only when the slice is written.
            replaceable(&path, &FORMAT.magic).map_err(ContainerError::write(&path))?;
            if !path.exists() {
                continue;
            }
            let entry = SliceFile::open(&path).and_then(|file| {
                file.check(&self.rules, self.indices.slice(slice))?;
                file.check_blocks()?;
                ManifestEntry::of(&file)
            });
            match entry {
                Ok(entry) => slices.push(entry),
                Err(error @ TablebaseError::OtherRules { .. }) => return Err(error),
                Err(error) if slice.stones() <= self.settings.stones => {
                    (self.report)(BuildReport::Damaged(error));
                }
                Err(error) => log::warn!("{error}"),
            }
        }
        let rules = self.rules.to_string();
        Ok(Manifest { rules, slices })
    }

    fn solve(
        &self,
        slice: Slice,
        known: &mut WdlTables,
        manifest: &mut Manifest,
    ) -> Result<(), TablebaseError> {
        (self.report)(BuildReport::Solving(slice));
        let worked = |work| {
            (self.report)(BuildReport::Worked(work));
            (self.goes_on)()
        };
        let pair = solve_pair(&self.rules, known, slice, &worked);
        let pair = pair.ok_or(TablebaseError::Stopped)?;
        let work = pair.len() as u64;
        for solved in pair {
            let path = self.path(solved.index.slice);
            let value = |number| (solved.value(number), solved.is_stored(number));
            write_slice(
                &path,
                &self.rules,
                &solved.index,
                &value,
                self.settings.level,
            )?;
            let entry = ManifestEntry::of(&SliceFile::open(&path)?)?;
            (manifest.slices).retain(|other| other.slice != entry.slice);
            manifest.slices.push(entry.clone());
            worked(2 * solved.index.entries() / work);
            (self.report)(BuildReport::Written(entry));
            if slice.stones() < self.settings.stones {
                let outcomes = solved.outcomes();
                known.add(solved.index, outcomes);
            }
        }
        let order: Vec<Slice> = Slice::all_up_to(MAX_STONES, self.indices.board).collect();
        let place = |entry: &ManifestEntry| order.iter().position(|&slice| slice == entry.slice);
        manifest.slices.sort_by_key(place);
        Ok(())
    }

    /// Loads the outcomes of a file. Those of positions with forced captures are not in it, and are computed
    /// again from the smaller slices in `known`.
    fn load(&self, slice: Slice, known: &mut WdlTables) -> Result<(), TablebaseError> {
        let file = SliceFile::open(&self.path(slice))?;
        let index = file.check(&self.rules, self.indices.slice(slice))?;
        let blocks: Vec<Vec<u8>> = (0..file.blocks())
            .into_par_iter()
            .map(|block| {
                let mut bytes = file.block(Section::Outcomes, block)?;
                if self.rules.captures_are_forced() {
                    let start = block * BLOCK_VALUES;
                    let numbers = start..index.entries().min(start + BLOCK_VALUES);
                    known.add_captures(&self.rules, &index, numbers, &mut bytes);
                }
                Ok(bytes)
            })
            .collect::<Result<_, TablebaseError>>()?;
        known.add(index, blocks.concat());
        Ok(())
    }
}
