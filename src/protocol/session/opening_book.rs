//! The engine's own opening book: which one there is, and what it answers.

use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use super::{Chore, Session};
use crate::book::{Book, BookMove, choose};
use crate::protocol::go::GoCommand;
use crate::protocol::jobs::Job;
use crate::rules::{Game, Preset};
use crate::search::{Bound, Limits, Line, SearchResult};
use crate::tablebase::Tablebases;

impl<W: Write> Session<W> {
    /// Obeys the option `Book File`: the book in a file, or none. A large one takes its time.
    pub(super) fn set_book(&mut self, path: &str) {
        match path.is_empty() {
            true => self.settings.book = None,
            false => self.start_chore(Chore::Silent, Job::ReadBook(PathBuf::from(path))),
        }
    }

    /// Takes the book that has been read.
    pub(super) fn adopt_book(&mut self, read: Result<Arc<Book>, String>) -> io::Result<()> {
        let book = match read {
            Ok(book) => book,
            Err(message) => {
                let message = format!("option Book File: {message}");
                return self.writer.error(message);
            }
        };
        let positions: usize = book.positions_by_ply().iter().sum();
        let rules = Preset::name_of(book.rules());
        self.settings.book = Some(book);
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
                let rules = Preset::name_of(book.rules());
                let note = format!("the book is for other rules ({rules}), so it is not used");
                self.writer.note(note)?;
            }
            return Ok(None);
        }
        // A player that is held back looks up no tables.
        if self.settings.skill.strength().is_full() && self.is_in_tables(game) {
            return Ok(None);
        }
        let moves = book.moves_in(game);
        let random = self.settings.skill.random(game.position().key());
        let chosen = match self.settings.best_book_move {
            true => moves.first(),
            false => one_of(&moves, random),
        };
        Ok(chosen.map(|chosen| {
            let pv = book.line(game.position(), chosen.mv);
            result(chosen, pv, received)
        }))
    }

    /// Whether the tables that are always there know better than any book.
    fn is_in_tables(&self, game: &Game) -> bool {
        let position = game.position();
        position.occupied().count() <= self.settings.probe.stones
            && Tablebases::built_in_cover(game.rules(), position)
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

/// The move that a random number stands for, each as likely as its weight says.
fn one_of(moves: &[BookMove], random: u64) -> Option<&BookMove> {
    let weights: Vec<u32> = moves.iter().map(|known| known.weight).collect();
    moves.get(choose(&weights, random)?)
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
