//! The index of a collection: every position of every game, sorted.
//!
//! | part | what |
//! |---|---|
//! | header | `Format` without a body: [`Header`], JSON |
//! | games | 32 bytes each: [`Collected`] |
//! | directory | 24 bytes for each block of entries: its first position, its CRC-32, 4 bytes unused |
//! | entries | 24 bytes each: position, game, ply; in blocks, sorted |

use std::io::{self, BufRead, BufReader, Cursor, Read, Seek, SeekFrom};
use std::path::Path;
use std::time::UNIX_EPOCH;

use bytemuck::{Pod, Zeroable};
use rayon::prelude::*;
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::scan::Place;
use super::subject::positions;
use super::{Damage, Shape, Subject, scan};
use crate::game_formats::{self, GameFormat};
use vato_engine::board::{Bitboard, BoardSize, Canonical, Side};
use vato_engine::container::{self, Checksum, ContainerError, Format};
use vato_engine::files;
use vato_engine::notation::pgn::RecordResult;
use vato_engine::rules::{Rules, parse_rules};

const FORMAT: Format = Format {
    name: "an index of games",
    magic: *b"VATOGIDX",
    version: 2,
    checksum: Checksum::Crc32,
    max_bytes: 1 << 28,
};

const BLOCK: usize = 4096;

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Header {
    /// Size of the PGN in bytes, and when it was changed, in nanoseconds since 1970.
    pgn_bytes: u64,
    pgn_changed: u64,
    games: u32,
    /// What was left out, by number.
    left_out: Vec<(u64, Damage)>,
    entries: u64,
    rules: Vec<String>,
    /// Of games and directory.
    crc: u32,
}

/// A game of an index.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Pod, Zeroable)]
#[repr(C)]
pub struct Collected {
    offset: u64,
    lines: u32,
    ordinal: u32,
    /// Its number in the file, from 1, with those that are left out.
    pub number: u32,
    /// The number of its moves.
    pub plies: u32,
    elo: [u16; 2],
    rules: u16,
    result: u16,
}

impl Collected {
    /// Where it is in the text.
    pub fn place(&self) -> Place {
        Place {
            offset: self.offset,
            lines: self.lines.into(),
            ordinal: self.ordinal,
        }
    }

    /// Its result.
    pub fn result(&self) -> RecordResult {
        RecordResult::ALL[usize::from(self.result) % 4]
    }

    /// The rating of a player, if it is known.
    pub fn elo(&self, side: Side) -> Option<u16> {
        Some(self.elo[side.index()]).filter(|&elo| elo > 0)
    }
}

/// A canonical position as it is sorted: white stones, side and board; black stones.
type Key = [u64; 2];

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Pod, Zeroable)]
#[repr(C)]
struct Entry {
    key: Key,
    found: Found,
}

#[derive(Clone, Copy, Debug, Default, Pod, Zeroable)]
#[repr(C)]
struct Block {
    first: Key,
    crc: u32,
    unused: u32,
}

fn key(board: BoardSize, canonical: Canonical) -> Key {
    let [white, black] = canonical.stones().map(Bitboard::bits);
    let side = (canonical.side().index() as u64) << 49;
    let size = u64::from(board.columns()) << 54 | u64::from(board.rows()) << 50;
    [white | side | size, black]
}

/// Board, stones and side of a key; `None` if it is none.
fn unpack(key: Key) -> Option<(BoardSize, [Bitboard; 2], Side)> {
    let nibble = |shift: u32| (key[0] >> shift) as u8 & 15;
    let board = BoardSize::new(nibble(54), nibble(50))?;
    let side = Side::BOTH[(key[0] >> 49 & 1) as usize];
    Some((board, key.map(Bitboard::from_bits), side))
}

/// Why an index cannot be used.
#[derive(Debug, Error)]
pub enum IndexError {
    /// The PGN has changed since the index was made.
    #[error("the games have changed since they were indexed")]
    Stale,
    /// It cannot be read or written, or is no index.
    #[error(transparent)]
    File(#[from] ContainerError),
}

/// A part of an index that is read.
trait Input: Read + Seek + Send {}
impl<T: Read + Seek + Send> Input for T {}

/// Every position of a collection.
pub struct Index {
    header: Header,
    rules: Vec<Rules>,
    /// The games.
    pub games: Vec<Collected>,
    directory: Vec<Block>,
    input: Box<dyn Input>,
    /// Where the entries begin.
    at: u64,
}

/// A position that was found: which game, and after how many plies.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Pod, Zeroable)]
#[repr(C)]
pub struct Found {
    /// The game, from 0.
    pub game: u32,
    /// The number of moves before it.
    pub ply: u32,
}

/// Size and time of change of a file.
fn stamp(path: &Path) -> io::Result<(u64, u64)> {
    let metadata = path.metadata()?;
    let changed = metadata.modified()?.duration_since(UNIX_EPOCH);
    Ok((
        metadata.len(),
        changed.map_or(0, |since| since.as_nanos() as u64),
    ))
}

impl Index {
    /// Indexes a text, in memory.
    ///
    /// # Errors
    ///
    /// The text cannot be read, or has too many games.
    pub fn of(input: impl BufRead + Send) -> io::Result<Index> {
        let bytes = encode(input, (0, 0))?;
        let inner = |error: String| io::Error::other(error);
        Index::decode(Box::new(Cursor::new(bytes))).map_err(inner)
    }

    /// Indexes a file of games and writes the index beside it.
    ///
    /// # Errors
    ///
    /// The games cannot be read or are not PGN, or the index cannot be written.
    pub fn write(games: &Path) -> Result<Index, IndexError> {
        let read = ContainerError::read(games);
        let stamp = stamp(games).map_err(&read)?;
        let file = files::open(games).map_err(&read)?;
        let input = BufReader::new(file);
        let (format, input) = game_formats::format(input, None).map_err(&read)?;
        if format != GameFormat::Pgn {
            let problem = format!(
                "the games are in the format {format}: 'vato games import' makes PGN of them"
            );
            return Err(read(io::Error::other(problem)).into());
        }
        let bytes = encode(input, stamp).map_err(&read)?;
        let path = Index::path(games);
        container::save(&path, &bytes)?;
        let decoded = Index::decode(Box::new(Cursor::new(bytes)));
        Ok(decoded.map_err(ContainerError::content(&path))?)
    }

    /// Opens the index of a file of games; `None` if it has none.
    ///
    /// # Errors
    ///
    /// It is stale, cannot be read, or is damaged.
    pub fn open(games: &Path) -> Result<Option<Index>, IndexError> {
        let path = Index::path(games);
        let file = match files::open(&path) {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(ContainerError::read(&path)(error).into()),
        };
        let index = Index::decode(Box::new(BufReader::new(file)));
        let index = index.map_err(ContainerError::content(&path))?;
        let stamp = stamp(games).map_err(ContainerError::read(games))?;
        match stamp == (index.header.pgn_bytes, index.header.pgn_changed) {
            true => Ok(Some(index)),
            false => Err(IndexError::Stale),
        }
    }

    /// The file of the index of a file of games: `games.pgn.index`.
    pub fn path(games: &Path) -> std::path::PathBuf {
        files::with_extension(games, "index")
    }

    /// The rules of a game.
    pub fn rules(&self, game: &Collected) -> &Rules {
        &self.rules[usize::from(game.rules)]
    }

    /// The games that were left out, each with its number from 1.
    pub fn left_out(&self) -> &[(u64, Damage)] {
        &self.header.left_out
    }

    /// How many positions the index has.
    pub fn positions(&self) -> u64 {
        self.header.entries
    }

    fn decode(mut input: Box<dyn Input>) -> Result<Index, String> {
        let text = |error: io::Error| error.to_string();
        let (header, read) = FORMAT.read_start::<Header>(&mut input).map_err(text)??;
        let blocks = header.entries.div_ceil(BLOCK as u64);
        let parts = u64::from(header.games) * 32 + blocks.saturating_mul(24);
        let at = read.saturating_add(parts);
        let wanted = at.saturating_add(header.entries.saturating_mul(24));
        let length = input.seek(SeekFrom::End(0)).map_err(text)?;
        if length != wanted {
            return Err(format!("expected {wanted} bytes, found {length}"));
        }
        input.seek(SeekFrom::Start(read)).map_err(text)?;
        let mut games = vec![Collected::default(); header.games as usize];
        let mut directory = vec![Block::default(); blocks as usize];
        let mut crc = crc32fast::Hasher::new();
        for bytes in [
            bytemuck::cast_slice_mut(&mut games),
            bytemuck::cast_slice_mut(&mut directory),
        ] {
            input.read_exact(bytes).map_err(text)?;
            crc.update(bytes);
        }
        let rules: Result<Vec<Rules>, _> =
            header.rules.iter().map(|text| parse_rules(text)).collect();
        let rules = rules.map_err(|error| error.to_string())?;
        let is_known = |game: &Collected| usize::from(game.rules) < rules.len();
        if crc.finalize() != header.crc || !games.iter().all(is_known) {
            return Err("damaged: CRC-32 mismatch".to_owned());
        }
        Ok(Index {
            header,
            rules,
            games,
            directory,
            input,
            at,
        })
    }

    fn block(&mut self, number: usize, entries: &mut Vec<Entry>) -> Result<(), String> {
        let begin = number * BLOCK;
        let count = BLOCK.min(self.header.entries as usize - begin);
        entries.resize(count, Entry::default());
        let bytes: &mut [u8] = bytemuck::cast_slice_mut(entries);
        let mut read = || {
            self.input
                .seek(SeekFrom::Start(self.at + begin as u64 * 24))?;
            self.input.read_exact(bytes)
        };
        read().map_err(|error| error.to_string())?;
        let games = self.games.len();
        let is_damaged = crc32fast::hash(bytes) != self.directory[number].crc;
        if is_damaged
            || entries
                .iter()
                .any(|entry| entry.found.game as usize >= games)
        {
            return Err("the index is damaged: CRC-32 mismatch".to_owned());
        }
        Ok(())
    }

    /// Where a position occurs, by game and ply.
    ///
    /// # Errors
    ///
    /// The index cannot be read or is damaged.
    pub fn places(&mut self, board: BoardSize, position: Canonical) -> Result<Vec<Found>, String> {
        let key = key(board, position);
        // The block before the first that begins with the position can end with it.
        let begin = self.directory.partition_point(|block| block.first < key);
        let mut found = Vec::new();
        let mut entries = Vec::new();
        for number in begin.saturating_sub(1)..self.directory.len() {
            if self.directory[number].first > key {
                break;
            }
            self.block(number, &mut entries)?;
            let from = entries.partition_point(|entry| entry.key < key);
            let to = entries.partition_point(|entry| entry.key <= key);
            found.extend(entries[from..to].iter().map(|entry| entry.found));
        }
        Ok(found)
    }

    /// Where positions of a shape occur: the first of each game, by game.
    ///
    /// # Errors
    ///
    /// The index cannot be read or is damaged.
    pub fn find(&mut self, shape: &Shape) -> Result<Vec<Found>, String> {
        let mut found = Vec::new();
        if let Shape::Position(board, position) = shape {
            found = self.places(*board, *position)?;
        } else {
            let mut entries = Vec::new();
            for number in 0..self.directory.len() {
                self.block(number, &mut entries)?;
                let matches = |entry: &&Entry| {
                    let (board, stones, side) = unpack(entry.key)?;
                    Some(shape.contains(board, stones, side))
                };
                let matching = entries.iter().filter(|entry| matches(entry) == Some(true));
                found.extend(matching.map(|entry| entry.found));
            }
            found.par_sort_unstable();
        }
        found.dedup_by_key(|found| found.game);
        Ok(found)
    }
}

fn encode(input: impl BufRead + Send, (pgn_bytes, pgn_changed): (u64, u64)) -> io::Result<Vec<u8>> {
    let mut rules_seen: FxHashMap<Rules, u16> = FxHashMap::default();
    let mut header = Header {
        pgn_bytes,
        pgn_changed,
        ..Header::default()
    };
    let mut games: Vec<Collected> = Vec::new();
    let mut entries: Vec<Entry> = Vec::new();
    let map = |place: Place, record| {
        let subject = Subject::new(record);
        let game = subject.game()?;
        let record = &subject.record;
        let elo = ["WhiteElo", "BlackElo"].map(|name| {
            let value = record.tag_value(name).map(str::parse);
            value.and_then(Result::ok).unwrap_or_default()
        });
        let collected = Collected {
            offset: place.offset,
            lines: place.lines as u32,
            ordinal: place.ordinal,
            plies: game.moves().len() as u32,
            elo,
            result: record.result() as u16,
            ..Collected::default()
        };
        let board = game.rules().board;
        let keys = positions(game).map(|position| key(board, Canonical::of(board, &position)));
        Ok((*game.rules(), collected, keys.collect::<Vec<Key>>()))
    };
    let scanned = scan(input, None, map, |number, item| {
        let (rules, mut game, keys) = match item {
            Ok(item) => item,
            Err(damage) => {
                header.left_out.push((number, damage));
                return Ok(());
            }
        };
        let rules_known = rules_seen.len();
        game.rules = *rules_seen.entry(rules).or_insert_with(|| {
            header.rules.push(format!("{rules:#}"));
            rules_known as u16
        });
        if header.rules.len() > usize::from(u16::MAX) || number > u64::from(u32::MAX) {
            return Err("more games or rules than an index can hold");
        }
        game.number = number as u32;
        let number = games.len() as u32;
        let places = (0..).map(|ply| Found { game: number, ply });
        let placed = keys.into_iter().zip(places);
        entries.extend(placed.map(|(key, found)| Entry { key, found }));
        games.push(game);
        Ok(())
    });
    scanned?.map_err(io::Error::other)?;
    entries.par_sort_unstable();
    let directory: Vec<Block> = (entries.par_chunks(BLOCK))
        .map(|block| Block {
            first: block[0].key,
            crc: crc32fast::hash(bytemuck::cast_slice(block)),
            unused: 0,
        })
        .collect();
    header.games = games.len() as u32;
    header.entries = entries.len() as u64;
    let mut crc = crc32fast::Hasher::new();
    crc.update(bytemuck::cast_slice(&games));
    crc.update(bytemuck::cast_slice(&directory));
    header.crc = crc.finalize();
    let mut bytes = FORMAT.encode(&header, &[]).map_err(io::Error::other)?;
    bytes.extend_from_slice(bytemuck::cast_slice(&games));
    bytes.extend_from_slice(bytemuck::cast_slice(&directory));
    bytes.extend_from_slice(bytemuck::cast_slice(&entries));
    Ok(bytes)
}
