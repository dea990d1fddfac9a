//! The bouts whose games may be played now, and which of these comes first.

use std::collections::BTreeMap;

use super::{number, unplayed};
use crate::arbiter::formats::{Fixture, Format, Pairing, Results};

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
    /// Whether one has been handed out.
    touched: bool,
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
            touched: false,
        };
        self.bouts.insert(bout, open);
        self.untouched += 1;
    }

    /// Takes away a bout that is over.
    pub(super) fn remove(&mut self, bout: u32) {
        if let Some(open) = self.bouts.remove(&bout) {
            self.untouched -= usize::from(!open.touched);
        }
    }

    /// The next game for a place where the engines `seated` run; it is not named again.
    ///
    /// It is one of a bout for which few engines have to be started. A bout that goes on elsewhere is
    /// left to those who play it, unless its engines are here too or nothing else is left.
    pub(super) fn next_game(
        &mut self,
        seated: &[usize],
        format: &dyn Format,
        results: &Results,
    ) -> Option<Fixture> {
        let candidates = self.bouts.iter().filter_map(|(&bout, open)| {
            let game = unplayed(bout, open.next, format, results).next()?;
            let starts = open.pairing.engines.iter();
            let starts = starts.filter(|engine| !seated.contains(engine)).count();
            let is_elsewhere = open.touched && starts > 0;
            Some(((is_elsewhere, starts, bout), game))
        });
        let ((_, _, bout), game) = candidates.min()?;
        let open = self.bouts.get_mut(&bout)?;
        open.next = game + 1;
        if !std::mem::replace(&mut open.touched, true) {
            self.untouched -= 1;
        }
        Some(Fixture {
            number: number(bout, game, format),
            pairing: open.pairing,
            game: open.pairing.before + game + 1,
            shape: format.game(bout, game, results.scores(bout)),
        })
    }
}
