//! The positions of a collection, in memory and sorted.

use std::io::{self, BufRead};

use rayon::prelude::*;

use super::subject::positions;
use super::{Damage, Subject, scan};
use crate::notation::pgn::{GameRecord, RecordResult};
use vato_engine::board::{Bitboard, BoardSize, Canonical, Side};
use vato_engine::rules::Rules;

/// What is kept of a game.
#[derive(Clone, Debug)]
pub(super) struct Collected {
    pub(super) rules: Rules,
    pub(super) result: RecordResult,
    elo: [u16; 2],
}

impl Collected {
    /// The rating of a player, if it is known.
    pub(super) fn elo(&self, side: Side) -> Option<u16> {
        Some(self.elo[side.index()]).filter(|&elo| elo > 0)
    }
}

/// A canonical position as it is sorted: white stones, side and board; black stones.
type Key = [u64; 2];

fn key(board: BoardSize, canonical: Canonical) -> Key {
    let [white, black] = canonical.stones().map(Bitboard::bits);
    let side = (canonical.side.index() as u64) << 49;
    let size = u64::from(board.columns()) << 54 | u64::from(board.rows()) << 50;
    [white | side | size, black]
}

/// A position that was found: which game, and after how many plies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Found {
    /// The game, from 0.
    pub(super) game: u32,
    /// The number of moves before it.
    pub(super) ply: u32,
}

/// Every position of a collection.
pub struct Index {
    pub(super) games: Vec<Collected>,
    left_out: Vec<(u64, Damage)>,
    entries: Vec<(Key, Found)>,
}

impl Index {
    /// Indexes a text.
    ///
    /// # Errors
    ///
    /// The text cannot be read, or has more than 2³² games.
    pub fn of(input: impl BufRead + Send) -> io::Result<Index> {
        let mut index = Index {
            games: Vec::new(),
            left_out: Vec::new(),
            entries: Vec::new(),
        };
        let map = |_, record: GameRecord| {
            let subject = Subject::new(record);
            let game = subject.game()?;
            let record = &subject.record;
            let elo = ["WhiteElo", "BlackElo"].map(|name| {
                let value = record.tag_value(name).map(str::parse);
                value.and_then(Result::ok).unwrap_or_default()
            });
            let collected = Collected {
                rules: *game.rules(),
                result: record.result(),
                elo,
            };
            let board = game.rules().board;
            let keys = positions(game).map(|position| key(board, Canonical::of(board, &position)));
            Ok((collected, keys.collect::<Vec<Key>>()))
        };
        let scanned = scan(input, None, map, |number, item| {
            let (collected, keys) = match item {
                Ok(item) => item,
                Err(damage) => {
                    index.left_out.push((number, damage));
                    return Ok(());
                }
            };
            let game = u32::try_from(index.games.len())?;
            index.games.push(collected);
            let places = (0..).map(|ply| Found { game, ply });
            index.entries.extend(keys.into_iter().zip(places));
            Ok::<_, std::num::TryFromIntError>(())
        });
        scanned?.map_err(io::Error::other)?;
        index.entries.par_sort_unstable();
        Ok(index)
    }

    /// The number of games.
    pub fn games(&self) -> usize {
        self.games.len()
    }

    /// The games that were left out, each with its number from 1.
    pub fn left_out(&self) -> &[(u64, Damage)] {
        &self.left_out
    }

    /// Where a position occurs, by game and ply.
    pub(super) fn places(&self, board: BoardSize, position: Canonical) -> Vec<Found> {
        let key = key(board, position);
        let from = self.entries.partition_point(|entry| entry.0 < key);
        let same = self.entries[from..].iter();
        same.take_while(|entry| entry.0 == key)
            .map(|entry| entry.1)
            .collect()
    }
}
