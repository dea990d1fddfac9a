//! The bouts whose games may be played now, and which of these comes first.

use std::collections::BTreeMap;

use super::{Asking, number, unplayed};
use crate::tournament::formats::{Fixture, Format, Pairing, Results};

/// So many bouts that nobody plays as yet are to choose from. More save more starts of engines; but then
/// the encounters of a tournament no longer advance together.
const CHOICE: usize = 8;

/// Bouts of which it is known who meets, and which are not over.
#[derive(Debug, Default)]
pub(super) struct OpenBouts {
    bouts: BTreeMap<u32, OpenBout>,
    /// How many of them nobody plays as yet.
    untouched: usize,
}

#[derive(Debug)]
struct OpenBout {
    pairing: Pairing,
    /// Games before this one have been handed out, or need not be.
    next: u32,
    /// The number of the last one that was handed out: who has played that one is to go on.
    last: Option<u32>,
}

impl OpenBouts {
    /// Whether there are none.
    pub(super) fn is_empty(&self) -> bool {
        self.bouts.is_empty()
    }

    /// Whether there should be more to choose from.
    pub(super) fn wants_more(&self) -> bool {
        self.untouched < CHOICE
    }

    /// Adds a bout.
    pub(super) fn add(&mut self, bout: u32, pairing: Pairing) {
        let open = OpenBout {
            pairing,
            next: 0,
            last: None,
        };
        self.bouts.insert(bout, open);
        self.untouched += 1;
    }

    /// Takes away a bout that is over.
    pub(super) fn remove(&mut self, bout: u32) {
        if let Some(open) = self.bouts.remove(&bout) {
            self.untouched -= usize::from(open.last.is_none());
        }
    }

    /// The next game for a place; it is not named again.
    ///
    /// Whoever has begun a bout goes on with it, even if an engine has to be started anew: half a pair of
    /// games is worth nothing. Else it is a game of a bout for which few engines have to be started. A bout
    /// that goes on elsewhere is left to those who play it, unless its engines are here too or nothing else
    /// is left.
    pub(super) fn next_game(
        &mut self,
        asking: Asking<'_>,
        format: &dyn Format,
        results: &Results,
    ) -> Option<Fixture> {
        let candidates = self.bouts.iter().filter_map(|(&bout, open)| {
            let game = unplayed(bout, open.next, format, results).next()?;
            let starts = open.pairing.engines.iter();
            let starts = starts.filter(|engine| !asking.seated.contains(engine));
            let starts = starts.count();
            let is_begun = open.last.is_some();
            let is_here = is_begun && open.last == asking.last;
            let is_elsewhere = is_begun && !is_here && starts > 0;
            Some(((is_elsewhere, !is_here, starts, bout), game))
        });
        let ((.., bout), game) = candidates.min()?;
        let number = number(bout, game, format);
        let open = self.bouts.get_mut(&bout)?;
        open.next = game + 1;
        if open.last.replace(number).is_none() {
            self.untouched -= 1;
        }
        Some(Fixture {
            number,
            pairing: open.pairing,
            game: open.pairing.before + game + 1,
            shape: format.game(bout, game, results.scores(bout)),
        })
    }
}
