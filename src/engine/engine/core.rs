//! The searcher, created on first use, and the files loaded for it.

use std::collections::HashSet;
use std::fmt::Display;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::options::Apply;
use super::{Event, OwnBook, Settings, TablebaseSource};
use crate::container::ContainerError;
use crate::files::require_regular;
use crate::network::Network;
use crate::rules::{Game, Preset, Rules};
use crate::search::{
    Control, Limits, Report, SearchCounts, SearchError, SearchResult, Searcher, processors,
};
use crate::tablebase::{TableFolders, TablebaseError, Tablebases};

/// The searcher and its tablebases; initially neither is loaded.
#[derive(Default)]
pub(super) struct Core {
    searcher: Option<Searcher>,
    pub(super) tablebases: Option<Arc<Tablebases>>,
    /// The rules that the tablebases were loaded for.
    rules: Option<Rules>,
    /// What loading them has to tell.
    message: Option<Event>,
    /// What has been told of them since their folders were set.
    told: HashSet<String>,
    /// The book already reported as unsuitable, and the rules in force then.
    pub(super) refused_book: Option<(Arc<OwnBook>, Rules)>,
}

impl Core {
    /// The searcher, created from the settings if there is none.
    fn searcher(&mut self, settings: &Settings) -> Result<&mut Searcher, SearchError> {
        match &mut self.searcher {
            Some(searcher) => Ok(searcher),
            place => {
                let mut searcher = Searcher::new();
                // A new searcher has the defaults, and allocates memory on first use.
                if settings.threads != 1 {
                    searcher.set_threads(settings.threads)?;
                }
                searcher.set_probe(settings.probe);
                searcher.set_evaluation(settings.evaluation.clone());
                searcher.set_parameters(settings.parameters);
                searcher.set_tablebases(self.tablebases.clone());
                Ok(place.insert(searcher))
            }
        }
    }

    /// The searcher with its table. With `tell` it has the half, the quarter, … of the size set where there is not the
    /// memory for it, which is told.
    pub(super) fn with_table(
        &mut self,
        settings: &Settings,
        tell: Option<&mut dyn FnMut(Event)>,
    ) -> Result<&mut Searcher, SearchError> {
        let searcher = self.searcher(settings)?;
        let mut mib = settings.hash_mib;
        while !searcher.has_table() {
            match searcher.set_hash(mib) {
                Err(_) if tell.is_some() && mib > 1 => mib /= 2,
                made => made?,
            }
        }
        if let Some(tell) = tell.filter(|_| mib < settings.hash_mib) {
            let error = SearchError::Memory {
                mib: settings.hash_mib,
            };
            tell(Event::Error(format!("{error}: it has {mib} MiB")));
        }
        Ok(searcher)
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
        if apply == Apply::Threads && settings.threads > processors() {
            let (threads, processors) = (settings.threads, processors());
            let note = format!(
                "{threads} threads on {processors} processors: slower than {processors} threads, and time is kept back"
            );
            log::warn!("{note}");
            tell(Event::Note(note));
        }
        match apply {
            Apply::Rules => self.use_rules(settings, &settings.rules()),
            Apply::TableFolders => {
                self.told.clear();
                self.load_tablebases(settings, &settings.rules());
            }
            Apply::TableCache => self.load_tablebases(settings, &settings.rules()),
            Apply::Book => {
                settings.book = match &settings.book_files[..] {
                    [] => None,
                    paths => Some(read_book(paths, tell)?),
                };
            }
            Apply::Hash => {
                if let Some(searcher) = &mut self.searcher {
                    searcher.free_table();
                }
                self.with_table(settings, Some(tell)).map_err(in_words)?;
            }
            _ => {
                if apply == Apply::Network {
                    read_network(settings, tell)?;
                }
                let searcher = self.searcher(settings).map_err(in_words)?;
                match apply {
                    Apply::Threads => searcher.set_threads(settings.threads).map_err(in_words)?,
                    Apply::Probe => searcher.set_probe(settings.probe),
                    Apply::Parameters => searcher.set_parameters(settings.parameters),
                    Apply::Clear => searcher.clear(),
                    _ => searcher.set_evaluation(settings.evaluation.clone()),
                }
            }
        }
        Ok(())
    }

    /// Prepares a search, with a smaller table where `tell` is told of it.
    pub(super) fn prepare(
        &mut self,
        settings: &Settings,
        tell: Option<&mut dyn FnMut(Event)>,
    ) -> Result<(), SearchError> {
        self.use_rules(settings, &settings.rules());
        self.with_table(settings, tell)?.prepare()
    }

    pub(super) fn clear(&mut self) {
        if let Some(searcher) = &mut self.searcher {
            searcher.clear();
        }
    }

    pub(super) fn counts(&self) -> Option<SearchCounts> {
        self.searcher.as_ref()?.counts()
    }

    pub(super) fn search(
        &mut self,
        settings: &Settings,
        game: &Game,
        limits: &Limits,
        control: &Control,
        report: &mut dyn FnMut(&Report),
    ) -> Result<SearchResult, SearchError> {
        if !control.is_stopped() {
            self.use_rules(settings, game.rules());
        }
        self.with_table(settings, None)?
            .search(game, limits, control, report)
    }

    /// Loads the tablebases for these rules, unless already loaded.
    pub(super) fn use_rules(&mut self, settings: &Settings, rules: &Rules) {
        if self.rules != Some(*rules) {
            self.load_tablebases(settings, rules);
        }
    }

    /// Loads the tablebases for these rules.
    pub(super) fn load_tablebases(&mut self, settings: &Settings, rules: &Rules) {
        self.rules = Some(*rules);
        // Before others are opened, these are closed: each slice is an open file.
        self.tablebases = None;
        if let Some(searcher) = &mut self.searcher {
            searcher.set_tablebases(None);
        }
        self.tablebases = match &settings.tablebases {
            TablebaseSource::None => None,
            TablebaseSource::Given(tables) => Some(Arc::clone(tables)),
            TablebaseSource::Load { folders, cache_mib } => {
                let cache_bytes = cache_mib << 20;
                self.message = None;
                match Tablebases::for_play(rules, folders, cache_bytes, settings.threads) {
                    Ok((tables, complaint)) => {
                        let found = || match (folders, &folders.paths(rules)[..]) {
                            (TableFolders::Auto, [folder]) => Some(Event::Note(format!(
                                "tablebases of {} stones in {}",
                                tables.stones(),
                                folder.display()
                            ))),
                            _ => None,
                        };
                        self.message = complaint.map(complained).or_else(found);
                        Some(Arc::new(tables))
                    }
                    // Rules without tables are an error only if folders were given.
                    Err(TablebaseError::Rules(_)) if !folders.are_named() => None,
                    Err(error) => {
                        self.message = Some(complained(error));
                        None
                    }
                }
            }
        };
        if let Some(searcher) = &mut self.searcher {
            searcher.set_tablebases(self.tablebases.clone());
        }
    }

    /// What the tablebases have to tell since the last call, each thing once.
    pub(super) fn messages(&mut self) -> Vec<Event> {
        let tables = self.tablebases.iter();
        let complaints = tables.flat_map(|tables| tables.complaints());
        let message = self.message.take().into_iter();
        let mut messages: Vec<Event> = message.chain(complaints.map(complained)).collect();
        messages.retain(|message| self.told.insert(format!("{message:?}")));
        messages
    }
}

fn complained(complaint: impl Display) -> Event {
    Event::Error(format!("tablebases: {complaint}"))
}

fn in_words(error: SearchError) -> String {
    error.to_string()
}

/// Not standard input either, which other readers may take: the session reads it.
fn require_file(path: &Path) -> Result<(), ContainerError> {
    require_regular(path).map_err(ContainerError::read(path))
}

/// Reads the network of the settings into them.
fn read_network(settings: &mut Settings, tell: &mut dyn FnMut(Event)) -> Result<(), String> {
    settings.evaluation.network = match settings.eval_file.as_os_str().is_empty() {
        true => Network::standard(),
        false => {
            let path = &settings.eval_file;
            let network = require_file(path).and_then(|()| Network::read(path));
            Arc::new(network.map_err(|error| format!("option EvalFile: {error}"))?)
        }
    };
    let name = settings.evaluation.network.name();
    let unused = match settings.evaluation.network_for(&settings.rules()) {
        Some(_) => "",
        None => ", not used: the evaluation is classical now",
    };
    tell(Event::Note(format!("network {name}{unused}")));
    Ok(())
}

fn read_book(paths: &[PathBuf], tell: &mut dyn FnMut(Event)) -> Result<Arc<OwnBook>, String> {
    let mut files = paths.iter();
    let are_files =
        files.try_for_each(|path| require_file(path).map_err(|error| error.to_string()));
    let book = are_files.and_then(|()| OwnBook::read(paths));
    let book = book.map_err(|error| format!("option Book File: {error}"))?;
    let what = match book {
        OwnBook::Searched(_) => "book",
        OwnBook::Proven(_) => "proofs",
    };
    let (positions, rules) = (book.positions(), Preset::name_of(book.rules()));
    tell(Event::Note(format!(
        "{what} of {positions} positions, rules {rules}"
    )));
    Ok(Arc::new(book))
}
