//! Moves from the engine's own opening book.

use std::sync::Arc;
use std::time::Instant;

use super::core::Core;
use super::{Event, Settings, unsearched};
use crate::book::choose;
use crate::rules::{Game, Preset};
use crate::search::{Limits, SearchResult};
use crate::tablebase::Tablebases;

impl Core {
    /// The book move, as a search result; `None` if a search is needed.
    pub(super) fn book_move(
        &mut self,
        settings: &Settings,
        game: &Game,
        limits: &Limits,
        tell: &mut dyn FnMut(Event),
    ) -> Option<SearchResult> {
        let started = limits.started.unwrap_or_else(Instant::now);
        let book = settings.book.as_ref().filter(|_| settings.own_book)?;
        // Analysis always searches.
        let asks_for_a_move = !limits.infinite
            && !limits.ponder
            && !limits.analyse
            && limits.multipv == 1
            && limits.mate.is_none()
            && limits.searchmoves.is_empty();
        if !asks_for_a_move {
            return None;
        }
        if game.rules() != book.rules() {
            let is_told = |(told, rules): &(_, _)| Arc::ptr_eq(told, book) && rules == game.rules();
            if !self.refused_book.as_ref().is_some_and(is_told) {
                self.refused_book = Some((Arc::clone(book), *game.rules()));
                let rules = Preset::name_of(book.rules());
                let note = format!("the book is for other rules ({rules}), so it is not used");
                tell(Event::Note(note));
            }
            return None;
        }
        // The built-in tablebases take precedence. Limited strength does not probe them.
        let position = game.position();
        if limits.strength.is_full()
            && position.occupied().count() <= settings.probe.stones
            && Tablebases::built_in_cover(game.rules(), position)
        {
            return None;
        }
        let moves = book.moves_in(game);
        let chosen = match settings.best_book_move {
            true => moves.first(),
            false => {
                let weights: Vec<u32> = moves.iter().map(|known| known.weight).collect();
                let random = settings.skill.random(position.key());
                choose(&weights, random).and_then(|place| moves.get(place))
            }
        }?;
        let pv = book.line(position, chosen.mv);
        Some(unsearched(pv, chosen.score, started.elapsed()))
    }
}
