//! The engine's own opening book.

use std::path::PathBuf;
use std::sync::Arc;

use super::book::{Book, choose};
use super::core::Core;
use super::{Event, Settings};
use crate::instant::Instant;
use crate::proofs::{CertificateFile, Strategy};
use crate::rules::{Game, Preset, Rules};
use crate::search::{Limits, Score, SearchResult};
use crate::tablebase::Tablebases;

/// What an engine plays its first moves from.
#[derive(Debug)]
pub enum OwnBook {
    /// Moves with weights.
    Text(Book),
    /// Proofs for the same rules, one at least.
    Proven(Vec<CertificateFile>),
    /// A reply for each position that its own play leads to.
    Strategy(Arc<Strategy>),
}

impl OwnBook {
    /// Reads a book, a strategy, or the certificates of some files.
    ///
    /// # Errors
    ///
    /// What is wrong with which file.
    pub fn read(paths: &[PathBuf]) -> Result<OwnBook, String> {
        if let Some(path) = paths.iter().find(|path| Strategy::is_one(path)) {
            return match paths.len() {
                1 => Strategy::open(path)
                    .map(OwnBook::Strategy)
                    .map_err(|error| error.to_string()),
                _ => Err(format!(
                    "{}: a strategy, expected no other file beside it",
                    path.display()
                )),
            };
        }
        if let [path] = paths
            && !CertificateFile::is_one(path)
        {
            let book = Book::read(path).map(OwnBook::Text);
            return book.map_err(|error| error.to_string());
        }
        let open = |path: &PathBuf| CertificateFile::open(path).map_err(|error| error.to_string());
        let proofs = paths.iter().map(open).collect::<Result<Vec<_>, _>>()?;
        let mut rest = proofs.iter().zip(paths).skip(1);
        match rest.find(|(proof, _)| proof.rules != proofs[0].rules) {
            Some((proof, path)) => Err(format!(
                "{}: rules {}, expected those of the first file: {}",
                path.display(),
                Preset::name_of(&proof.rules),
                Preset::name_of(&proofs[0].rules)
            )),
            None => Ok(OwnBook::Proven(proofs)),
        }
    }

    /// The rules that it is for.
    pub fn rules(&self) -> &Rules {
        match self {
            OwnBook::Text(book) => &book.rules,
            OwnBook::Proven(proofs) => &proofs[0].rules,
            OwnBook::Strategy(strategy) => &strategy.rules,
        }
    }

    /// How many positions it has.
    pub fn positions(&self) -> u64 {
        match self {
            OwnBook::Text(book) => book.positions() as u64,
            OwnBook::Proven(proofs) => proofs.iter().map(|proof| proof.header.positions).sum(),
            OwnBook::Strategy(strategy) => strategy.header.positions,
        }
    }
}

impl Core {
    /// The book move, as a search result; `None` if a search is needed. Proofs restrict `limits` to the moves
    /// that are proven.
    pub(super) fn consult_book(
        &mut self,
        settings: &Settings,
        game: &Game,
        limits: &mut Limits,
        tell: &mut dyn FnMut(Event),
    ) -> Option<SearchResult> {
        let own = settings.book.as_ref().filter(|_| settings.own_book)?;
        // Analysis always searches.
        let asks_for_a_move = !limits.infinite
            && !limits.analyse
            && limits.multipv == 1
            && limits.mate.is_none()
            && limits.searchmoves.is_empty();
        if !asks_for_a_move {
            return None;
        }
        if game.rules() != own.rules() {
            let rules = Preset::name_of(own.rules());
            let why = format!("the book is for other rules ({rules})");
            self.refuse_book(own, game.rules(), why, tell);
            return None;
        }
        match &**own {
            OwnBook::Text(_) if limits.ponder => None,
            OwnBook::Text(book) => text_move(book, settings, game, limits),
            OwnBook::Proven(proofs) => {
                self.use_rules(settings, game.rules(), &|| true);
                match CertificateFile::allowed_moves(proofs, self.tablebases(settings), game) {
                    Ok(moves) => limits.searchmoves = moves,
                    Err(why) => {
                        let why = format!("the book needs other tables ({why})");
                        self.refuse_book(own, game.rules(), why, tell);
                    }
                }
                None
            }
            OwnBook::Strategy(strategy) => {
                let started = limits.started.unwrap_or_else(Instant::now);
                let reply = strategy.reply(game)?;
                self.use_rules(settings, game.rules(), &|| true);
                let stones = settings.search.probe_stones;
                let needed = match self.tablebases(settings) {
                    Some(tables) if stones >= strategy.header.stones => {
                        strategy.require_tables(tables)
                    }
                    _ => Err(format!("none, expected {} stones", strategy.header.stones)),
                };
                if let Err(why) = needed {
                    let why = format!("the book needs other tables ({why})");
                    self.refuse_book(own, game.rules(), why, tell);
                    return None;
                }
                if limits.ponder {
                    // The move is played when the opponent has moved.
                    limits.searchmoves = vec![reply];
                    return None;
                }
                let (line, time) = (vec![reply], started.elapsed());
                Some(SearchResult::unsearched(line, Score::DRAW, time))
            }
        }
    }

    /// Says once why a book is not used under these rules.
    fn refuse_book(
        &mut self,
        book: &Arc<OwnBook>,
        rules: &Rules,
        why: String,
        tell: &mut dyn FnMut(Event),
    ) {
        let is_told = |(told, under): &(_, _)| Arc::ptr_eq(told, book) && under == rules;
        if !self.refused_book.as_ref().is_some_and(is_told) {
            self.refused_book = Some((Arc::clone(book), *rules));
            tell(Event::Note(format!("{why}, so it is not used")));
        }
    }
}

/// The move of a book, as the result of a search.
fn text_move(
    book: &Book,
    settings: &Settings,
    game: &Game,
    limits: &Limits,
) -> Option<SearchResult> {
    let started = limits.started.unwrap_or_else(Instant::now);
    // The built-in tablebases take precedence. Limited strength does not probe them.
    let position = game.position();
    if limits.strength.is_full()
        && position.occupied().count() <= settings.search.probe_stones
        && Tablebases::built_in_cover(game.rules(), position)
    {
        return None;
    }
    let moves = book.moves(game);
    let chosen = match settings.best_book_move {
        true => moves.first().map(|&(mv, _)| mv),
        false => choose(&moves, settings.skill.random(position.key())),
    }?;
    let (line, time) = (book.line(game, chosen), started.elapsed());
    Some(SearchResult::unsearched(line, Score::DRAW, time))
}
