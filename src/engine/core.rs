//! The searcher, created on first use, and the files loaded for it.

use std::fmt::Display;
use std::path::PathBuf;
use std::sync::Arc;

use super::options::Apply;
use super::{Event, OwnBook, Settings, TablebaseSource};
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
                if settings.hash_mib != Searcher::DEFAULT_HASH_MIB {
                    searcher.set_hash(settings.hash_mib)?;
                }
                searcher.set_probe(settings.probe);
                searcher.set_evaluation(settings.evaluation.clone());
                searcher.set_parameters(settings.parameters);
                searcher.set_tablebases(self.tablebases.clone());
                Ok(place.insert(searcher))
            }
        }
    }

    /// Applies changed settings.
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
            Apply::Tablebases => self.load_tablebases(settings, &settings.rules()),
            Apply::Book => {
                settings.book = match &settings.book_files[..] {
                    [] => None,
                    paths => Some(read_book(paths, tell)?),
                };
            }
            _ => {
                let Some(searcher) = &mut self.searcher else {
                    return self.searcher(settings).map(drop).map_err(in_words);
                };
                match apply {
                    Apply::Threads => searcher.set_threads(settings.threads).map_err(in_words)?,
                    Apply::Hash => searcher.set_hash(settings.hash_mib).map_err(in_words)?,
                    Apply::Probe => searcher.set_probe(settings.probe),
                    Apply::Evaluation => searcher.set_evaluation(settings.evaluation.clone()),
                    Apply::Parameters => searcher.set_parameters(settings.parameters),
                    _ => searcher.clear(),
                }
            }
        }
        Ok(())
    }

    pub(super) fn prepare(&mut self, settings: &Settings) -> Result<(), SearchError> {
        self.use_rules(settings, &settings.rules());
        self.searcher(settings)?.prepare()
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
        self.searcher(settings)?
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

    /// What the tablebases have to tell since the last call.
    pub(super) fn messages(&mut self) -> Vec<Event> {
        let complaints = self
            .tablebases
            .iter()
            .flat_map(|tables| tables.complaints());
        let complaints = complaints.map(complained);
        self.message.take().into_iter().chain(complaints).collect()
    }
}

fn complained(complaint: impl Display) -> Event {
    Event::Error(format!("tablebases: {complaint}"))
}

fn in_words(error: SearchError) -> String {
    error.to_string()
}

fn read_book(paths: &[PathBuf], tell: &mut dyn FnMut(Event)) -> Result<Arc<OwnBook>, String> {
    let book = OwnBook::read(paths).map_err(|error| format!("option Book File: {error}"))?;
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
