//! The positions of collections, and the moves played from them.

use std::convert::Infallible;
use std::io::{self, BufRead};
use std::{cmp, ptr};

use rayon::prelude::*;

use super::subject::positions;
use super::{Subject, scan};
use crate::tournament::statistics::elo_of_score;
use vato_engine::board::{Bitboard, BoardSize, Canonical, Move, Position, Side};
use vato_engine::rules::{Rules, legal_moves};
use vato_records::pgn::{GameRecord, PgnError, RecordResult};

/// A canonical position: white stones, side and board; black stones.
type Key = [u64; 2];

fn key(board: BoardSize, position: &Position) -> Key {
    let canonical = Canonical::of(board, position);
    let [white, black] = canonical.stones().map(Bitboard::bits);
    let side = (canonical.side.index() as u64) << 49;
    let size = u64::from(board.columns()) << 54 | u64::from(board.rows()) << 50;
    [white | side | size, black]
}

/// What is kept of a game.
struct Collected {
    rules: Rules,
    result: RecordResult,
    /// The ratings of the players; 0 if unknown.
    elo: [u16; 2],
    /// Its positions, the start first.
    positions: Vec<Key>,
}

/// Every position of a collection.
pub struct Index {
    games: Vec<Collected>,
    /// The games that were left out, each with its number from 1.
    pub left_out: Vec<(u64, PgnError)>,
}

impl Index {
    /// Indexes a text.
    ///
    /// # Errors
    ///
    /// The text cannot be read.
    pub fn of(input: impl BufRead + Send) -> io::Result<Index> {
        let (mut games, mut left_out) = (Vec::new(), Vec::new());
        let map = |_, record: GameRecord| {
            let subject = Subject::new(record);
            let (game, record) = (subject.game()?, &subject.record);
            let rules = *game.rules();
            let elo = ["WhiteElo", "BlackElo"].map(|name| {
                let value = record.tag_value(name).map(str::parse);
                value.and_then(Result::ok).unwrap_or_default()
            });
            Ok(Collected {
                rules,
                result: record.result(),
                elo,
                positions: positions(game)
                    .map(|position| key(rules.board, &position))
                    .collect(),
            })
        };
        let Ok(()) = scan(input, None, map, |number, item| {
            match item {
                Ok(collected) => games.push(collected),
                Err(damage) => left_out.push((number, damage)),
            }
            Ok::<_, Infallible>(())
        })?;
        Ok(Index { games, left_out })
    }

    /// The number of games.
    pub fn games(&self) -> usize {
        self.games.len()
    }
}

/// A move that was played, and how its games ended. Moves to positions that a symmetry maps to each other
/// are one.
#[derive(Clone, Debug)]
pub struct Branch {
    /// The move.
    pub mv: Move,
    /// The position after it.
    pub position: Position,
    /// Games in which it was played.
    pub games: u64,
    /// Of these: wins of the mover, draws, losses. Unfinished games are in none of them.
    pub results: [u64; 3],
    /// The rating that the mover's results show: that of the opponents plus the difference of the score,
    /// of the games whose opponent has a rating. `None` without such games; infinite if all were won or lost.
    pub performance: Option<f64>,
    /// What was played next.
    pub next: Vec<Branch>,
}

impl Branch {
    /// The mover's score per finished game, from 0 to 1.
    pub fn score(&self) -> Option<f64> {
        let [wins, draws, losses] = self.results;
        let games = wins + draws + losses;
        (games > 0).then(|| (wins as f64 + draws as f64 / 2.0) / games as f64)
    }
}

/// A position that was found: the game, and the number of moves before it.
type Place<'a> = (&'a Collected, usize);

/// The moves of all collections from this position, in games under these rules, the most frequent first,
/// and those after them, `plies` deep; and how many games have the position.
pub fn tree(
    indices: &[Index],
    rules: &Rules,
    position: &Position,
    plies: u32,
) -> (u64, Vec<Branch>) {
    let wanted = key(rules.board, position);
    let games = indices.par_iter().flat_map(|index| &index.games);
    let places: Vec<Place<'_>> = games
        .filter(|game| game.rules == *rules)
        .flat_map_iter(|game| {
            let plies = (0..).zip(&game.positions);
            plies.filter_map(move |(ply, &key)| (key == wanted).then_some((game, ply)))
        })
        .collect();
    let branches = branches(rules, position, plies, &places);
    (games_of(&places).count() as u64, branches)
}

/// The games that the places are in.
fn games_of<'a>(places: &[Place<'a>]) -> impl Iterator<Item = &'a Collected> {
    let groups = places.chunk_by(|one, other| ptr::eq(one.0, other.0));
    groups.map(|group| group[0].0)
}

fn branches(rules: &Rules, position: &Position, plies: u32, places: &[Place<'_>]) -> Vec<Branch> {
    let (mut branches, mut seen) = (Vec::new(), Vec::new());
    if plies == 0 || places.is_empty() {
        return branches;
    }
    for &mv in legal_moves(rules, position).iter() {
        let after = position.play(mv);
        let key = key(rules.board, &after);
        if seen.contains(&key) {
            continue;
        }
        seen.push(key);
        let next = places.iter().map(|(game, ply)| (*game, ply + 1));
        let reached: Vec<Place<'_>> = next
            .filter(|(game, ply)| game.positions.get(*ply) == Some(&key))
            .collect();
        if !reached.is_empty() {
            let (results, performance) = figures(position.side(), &reached);
            branches.push(Branch {
                mv,
                position: after,
                games: games_of(&reached).count() as u64,
                results,
                performance,
                next: self::branches(rules, &after, plies - 1, &reached),
            });
        }
    }
    branches.sort_by_key(|branch| cmp::Reverse(branch.games));
    branches
}

/// Results and performance of this side in the games that the places are in.
fn figures(side: Side, places: &[Place<'_>]) -> ([u64; 3], Option<f64>) {
    let mut results = [0; 3];
    // Games with a rated opponent: how many, the sum of the ratings, the points.
    let (mut rated, mut ratings, mut points) = (0.0, 0.0, 0.0);
    for game in games_of(places) {
        let place = match (game.result, game.result.winner()) {
            (RecordResult::Unfinished, _) => continue,
            (_, Some(winner)) => 2 * usize::from(winner != side),
            (_, None) => 1,
        };
        results[place] += 1;
        let elo = game.elo[(!side).index()];
        if elo > 0 {
            rated += 1.0;
            ratings += f64::from(elo);
            points += 1.0 - place as f64 / 2.0;
        }
    }
    let performance = (rated > 0.0).then(|| ratings / rated + elo_of_score(points / rated));
    (results, performance)
}
