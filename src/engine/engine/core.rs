//! The searcher, and the files loaded for it.

use std::collections::HashSet;
use std::fmt::Display;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;
use std::{io, thread};

use super::options::Apply;
use super::{Event, OwnBook, Settings, TableFiles};
use crate::container::ContainerError;
use crate::files::require_regular;
use crate::memory::{ResourceError, processors};
use crate::network::Network;
use crate::proofs::Strategy;
use crate::rules::{Game, Preset, Rules};
use crate::search::{Control, Limits, Report, SearchResult, SearchSettings, Searcher};
use crate::tablebase::{TablebaseError, Tablebases};

#[derive(Default)]
pub(super) struct Core {
    pub(super) searcher: Searcher,
    /// The rules for which tablebases were last loaded, and the tablebases, if there are any for them.
    loaded: Option<(Rules, Option<Arc<Tablebases>>)>,
    /// Those that are being solved.
    pub(super) solving: Option<Solving>,
    /// What loading them has to tell.
    message: Option<Event>,
    /// The messages about tablebases that have been told since their folders were set.
    told: HashSet<String>,
    /// The book already reported as unsuitable, and the rules in force then.
    pub(super) refused_book: Option<(Arc<OwnBook>, Rules)>,
}

/// The tablebases that were loaded, if there are any, and what there is to tell.
type Loaded = (Option<Arc<Tablebases>>, Option<Event>);

/// Tablebases that a thread solves.
pub(super) struct Solving {
    rules: Rules,
    loaded: Receiver<Loaded>,
    goes_on: Arc<AtomicBool>,
}

impl Drop for Solving {
    fn drop(&mut self) {
        self.goes_on.store(false, Ordering::Relaxed);
    }
}

impl Core {
    /// The tablebases that a search has now.
    pub(super) fn tablebases<'a>(&'a self, settings: &'a Settings) -> Option<&'a Arc<Tablebases>> {
        match settings.tables {
            Some(_) => self.loaded.as_ref()?.1.as_ref(),
            None => settings.search.tablebases.as_ref(),
        }
    }

    /// Loads the tablebases for these rules, unless they are loaded. Those that are solved, which takes a while, are waited
    /// for while `waits` returns true.
    pub(super) fn use_rules(
        &mut self,
        settings: &Settings,
        rules: &Rules,
        waits: &dyn Fn() -> bool,
    ) {
        let is_loaded = |(of, _): &(Rules, _)| of == rules;
        let Some(files) = &settings.tables else {
            return;
        };
        if self.loaded.as_ref().is_some_and(is_loaded) {
            return;
        }
        // Before others are opened, these are closed: each slice is an open file.
        self.loaded = None;
        let is_begun = |solving: &mut Solving| solving.rules == *rules;
        let begun = self.solving.take_if(is_begun);
        self.solving = None;
        let threads = settings.search.threads;
        let is_slow = Tablebases::are_solved(rules) && !cfg!(target_arch = "wasm32");
        let loaded = if is_slow {
            let solving = begun.map_or_else(|| solve(files, threads, rules), Ok);
            match solving.map(|solving| (solving.wait(waits), solving)) {
                Ok((None, solving)) => return self.solving = Some(solving),
                Ok((Some(loaded), _)) => loaded,
                Err(error) => {
                    let error = ResourceError::Threads(1, error.into());
                    (None, Some(complained(error)))
                }
            }
        } else {
            load(files, threads, rules, &|| true)
        };
        self.loaded = Some((*rules, loaded.0));
        self.message = loaded.1;
    }

    /// Applies changed settings, and puts what is read from files into them.
    ///
    /// # Errors
    ///
    /// A message, if a setting cannot be applied.
    pub(super) fn apply(
        &mut self,
        apply: Apply,
        settings: &mut Settings,
        tell: &mut dyn FnMut(Event),
    ) -> Result<(), String> {
        match apply {
            Apply::Clear => self.searcher.clear(),
            Apply::Book => {
                settings.book = match &settings.book_files[..] {
                    [] => None,
                    paths => Some(read_book(paths, tell)?),
                };
            }
            Apply::Network => {
                read_network(settings, tell)?;
                return self.prepare(settings, tell);
            }
            Apply::Threads => {
                let (threads, processors) = (settings.search.threads, processors());
                if threads > processors {
                    let note = format!(
                        "{threads} threads on {processors} processors: slower than {processors} threads, and time is kept back"
                    );
                    log::warn!("{note}");
                    tell(Event::Note(note));
                }
                let started = self.searcher.start_threads(&settings.search);
                return started.map_err(|error| error.to_string());
            }
            Apply::Hash => {
                self.searcher.free_table();
                return self.prepare(settings, tell);
            }
            Apply::Search => return self.prepare(settings, tell),
            Apply::Rules | Apply::Tables | Apply::TableFolders => {
                if apply != Apply::Rules {
                    (self.loaded, self.solving) = (None, None);
                }
                if apply == Apply::TableFolders {
                    self.told.clear();
                }
                self.use_rules(settings, &settings.rules(), &|| false);
            }
        }
        Ok(())
    }

    /// Makes the table and the threads; the table is made smaller where there is not the memory, which is told.
    pub(super) fn prepare(
        &mut self,
        settings: &Settings,
        tell: &mut dyn FnMut(Event),
    ) -> Result<(), String> {
        let made = self.searcher.prepare_smaller(&settings.search);
        if let Some(mib) = made.map_err(|error| error.to_string())? {
            let error = ResourceError::Memory(settings.search.hash_mib);
            tell(Event::Error(format!("{error}: it has {mib} MiB")));
        }
        Ok(())
    }

    /// Searches with these settings, and the tablebases for the rules of the game.
    pub(super) fn search(
        &mut self,
        settings: &Settings,
        game: &Game,
        limits: &Limits,
        control: &Control,
        report: &mut dyn FnMut(&Report),
    ) -> Result<SearchResult, ResourceError> {
        if !control.is_stopped() {
            // Better no tables than too late.
            let is_timed = limits.movetime.is_some() || limits.clock.is_some();
            let waits = || !is_timed && !control.is_stopped();
            self.use_rules(settings, game.rules(), &waits);
        }
        let search = SearchSettings {
            tablebases: self.tablebases(settings).cloned(),
            ..settings.search.clone()
        };
        self.searcher.search(&search, game, limits, control, report)
    }

    /// What the tablebases have to tell since the last call, each thing once.
    pub(super) fn messages(&mut self, settings: &Settings) -> Vec<Event> {
        let tables = self.tablebases(settings).into_iter();
        let complaints: Vec<String> = tables.flat_map(|tables| tables.complaints()).collect();
        let message = self.message.take().into_iter();
        let mut messages: Vec<Event> = message
            .chain(complaints.into_iter().map(complained))
            .collect();
        messages.retain(|message| self.told.insert(format!("{message:?}")));
        messages
    }
}

fn solve(files: &TableFiles, threads: usize, rules: &Rules) -> io::Result<Solving> {
    let (done, loaded) = channel();
    let goes_on = Arc::new(AtomicBool::new(true));
    let solving = Solving {
        rules: *rules,
        loaded,
        goes_on: Arc::clone(&goes_on),
    };
    let (files, rules) = (files.clone(), *rules);
    let goes_on = move || goes_on.load(Ordering::Relaxed);
    // Ignored if it was stopped.
    let solve = move || drop(done.send(load(&files, threads, &rules, &goes_on)));
    let thread = thread::Builder::new().name("tables".to_owned());
    thread.spawn(solve).map(|_| solving)
}

impl Solving {
    /// The tables, waited for while `waits` returns true; none after a panic.
    fn wait(&self, waits: &dyn Fn() -> bool) -> Option<Loaded> {
        const INTERVAL: Duration = Duration::from_millis(1);
        loop {
            let time = if waits() { INTERVAL } else { Duration::ZERO };
            match self.loaded.recv_timeout(time) {
                Ok(loaded) => return Some(loaded),
                Err(RecvTimeoutError::Disconnected) => return Some((None, None)),
                Err(RecvTimeoutError::Timeout) if time.is_zero() => return None,
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }
}

fn load(
    files: &TableFiles,
    threads: usize,
    rules: &Rules,
    goes_on: &(dyn Fn() -> bool + Sync),
) -> Loaded {
    let TableFiles { folders, cache_mib } = files;
    match Tablebases::for_play(rules, folders, cache_mib << 20, threads, goes_on) {
        Ok((tables, complaint)) => {
            let found = || {
                let paths = folders.paths(rules).into_iter();
                let paths: Vec<String> = paths.map(|path| path.display().to_string()).collect();
                let (stones, paths) = (tables.stones(), paths.join(", "));
                let text = format!("tablebases of {stones} stones in {paths}");
                let is_told = tables.have_more_than_built_in();
                is_told.then_some(Event::Note(text))
            };
            let message = complaint.map(complained).or_else(found);
            (Some(Arc::new(tables)), message)
        }
        // Rules without tables are an error only if folders were given.
        Err(TablebaseError::Rules(_)) if !folders.are_named() => (None, None),
        Err(error) => (None, Some(complained(error))),
    }
}

fn complained(complaint: impl Display) -> Event {
    Event::Error(format!("tablebases: {complaint}"))
}

/// Not standard input either, which other readers may take: the session reads it.
fn require_file(path: &Path) -> Result<(), ContainerError> {
    require_regular(path).map_err(ContainerError::read(path))
}

fn read_network(settings: &mut Settings, tell: &mut dyn FnMut(Event)) -> Result<(), String> {
    settings.search.evaluation.network = match settings.eval_file.as_os_str().is_empty() {
        true => Network::standard(),
        false => {
            let path = &settings.eval_file;
            let network = require_file(path).and_then(|()| Network::read(path));
            Arc::new(network.map_err(|error| format!("option EvalFile: {error}"))?)
        }
    };
    let name = settings.search.evaluation.network.name();
    let unused = match settings.search.evaluation.network_for(&settings.rules()) {
        Some(_) => "",
        None => ", not used: the evaluation is classical now",
    };
    tell(Event::Note(format!("network {name}{unused}")));
    Ok(())
}

fn read_book(paths: &[PathBuf], tell: &mut dyn FnMut(Event)) -> Result<Arc<OwnBook>, String> {
    let mut files = paths.iter().filter(|path| !Strategy::is_built_in(path));
    let are_files =
        files.try_for_each(|path| require_file(path).map_err(|error| error.to_string()));
    let book = are_files.and_then(|()| OwnBook::read(paths));
    let book = book.map_err(|error| format!("option Book File: {error}"))?;
    let what = match book {
        OwnBook::Text(_) => "book",
        OwnBook::Proven(_) | OwnBook::Strategy(_) => "proofs",
    };
    let (positions, rules) = (book.positions(), Preset::name_of(book.rules()));
    tell(Event::Note(format!(
        "{what} of {positions} positions, rules {rules}"
    )));
    Ok(Arc::new(book))
}
