//! The engine's own opening book: which one there is, and what it answers.

use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use super::Session;
use crate::drawn_number::drawn_number;
use crate::protocol::go::GoCommand;
use crate::repertoire::{BookMove, Repertoire, choose};
use crate::rules::Preset;
use crate::search::{Bound, Limits, Line, SearchResult};

impl<W: Write> Session<W> {
    /// Obeys the option `Book File`: the book in a file, or none.
    pub(super) fn set_book(&mut self, path: &str) -> io::Result<()> {
        if path.is_empty() {
            self.settings.book = None;
            return Ok(());
        }
        let book = match Repertoire::read(Path::new(path)) {
            Ok(book) => book,
            Err(error) => return self.writer.error(format!("option Book File: {error}")),
        };
        let positions: usize = book.positions_by_ply().iter().sum();
        let rules = name(&book);
        self.settings.book = Some(Arc::new(book));
        self.is_book_refused = false;
        self.writer
            .note(format!("book of {positions} positions, rules {rules}"))
    }

    /// What the book answers to `go`; `None` if a search has to.
    pub(super) fn book_answer(
        &mut self,
        go: &GoCommand,
        limits: &Limits,
        received: Instant,
    ) -> io::Result<Option<SearchResult>> {
        let game = self.current.game();
        let Some(book) = &self.settings.book else {
            return Ok(None);
        };
        if !self.settings.own_book || !asks_for_a_move(go, limits) {
            return Ok(None);
        }
        if game.rules() != book.rules() {
            if !self.is_book_refused {
                self.is_book_refused = true;
                let rules = name(book);
                let note = format!("the book is for other rules ({rules}), so it is not used");
                self.writer.note(note)?;
            }
            return Ok(None);
        }
        let moves = book.moves_in(game);
        let chosen = match self.settings.best_book_move {
            true => moves.first(),
            false => at_random(&moves),
        };
        Ok(chosen.map(|chosen| {
            let pv = book.line(game.position(), chosen.mv);
            result(chosen, pv, received)
        }))
    }
}

/// Whether a game goes on with the answer: whoever analyses wants a search.
fn asks_for_a_move(go: &GoCommand, limits: &Limits) -> bool {
    !limits.infinite
        && !limits.ponder
        && !limits.analyse
        && limits.multipv == 1
        && limits.mate.is_none()
        && go.mate.is_none()
        && go.searchmoves.is_empty()
        && go.perft.is_none()
}

/// One of the moves, each as likely as its weight says, another one in every game.
fn at_random(moves: &[BookMove]) -> Option<&BookMove> {
    let weights: Vec<u32> = moves.iter().map(|known| known.weight).collect();
    moves.get(choose(&weights, drawn_number())?)
}

/// The answer as if it were a search's, of which nothing had to be searched.
fn result(chosen: &BookMove, pv: Vec<crate::board::Move>, received: Instant) -> SearchResult {
    let time = received.elapsed();
    SearchResult {
        best: Some(chosen.mv),
        ponder: pv.get(1).copied(),
        lines: vec![Line {
            depth: 1,
            seldepth: u32::try_from(pv.len()).unwrap_or(u32::MAX),
            complete: true,
            multipv: 1,
            score: chosen.score,
            bound: Bound::Exact,
            nodes: 0,
            time,
            tablebase_hits: 0,
            hashfull: 0,
            pv,
        }],
        nodes: 0,
        time,
    }
}

/// The rules of a book, by the name of their preset if they have one.
fn name(book: &Repertoire) -> String {
    match Preset::of(book.rules()) {
        Some(preset) => preset.to_string(),
        None => book.rules().to_string(),
    }
}
