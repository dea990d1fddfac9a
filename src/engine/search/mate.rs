//! The exact answer to `go mate N`: whether the game can be decided in N plies against every defence.
//!
//! Depth-first proof-number search (A. Nagai, *Df-pn algorithm for searching AND/OR trees and its
//! applications*, 2002) over positions with the plies that are left, for 1, 2, … N plies in turn. Nothing is
//! pruned, and nothing is evaluated. As the plies left shrink along every line there are no cycles; a
//! repetition within the tree never shortens a win, so only positions of the game before are counted,
//! unless the rules give a repetition a winner.

use std::sync::atomic::{AtomicBool, Ordering};

use bytemuck::Zeroable;
use bytemuck::allocation::zeroed_slice_box;

use super::{Limits, Line, Score};
use crate::board::{Move, Position, Side};
use crate::memory;
use crate::random::split_mix;
use crate::rules::{Game, Rules, Tie, legal_moves, position_outcome, tie_winner};

/// Entries of each of the two tables of proof numbers, 16 bytes each.
const ENTRIES: usize = 1 << 21;
/// Above every number of a position that is not settled: sums are capped below it, at once in tests, as real ones
/// hardly get there.
const INFINITE: u32 = if cfg!(test) { 1 << 3 } else { 1 << 30 };
/// Nodes between two looks at the stop signal.
const LOOK: u64 = 256;

/// The shortest win or loss of the side to move in at most `plies` plies, if there is one; `None` if stopped
/// first. It plays one of the `searchmoves` of `limits`.
pub(super) fn find(
    game: &Game,
    plies: u32,
    limits: &Limits,
    stop: &AtomicBool,
) -> Option<Option<Line>> {
    let room = memory::available_here().saturating_sub(memory::RESERVE);
    let entries = (room / (2 * size_of::<Entry>() as u64)).clamp(1, ENTRIES as u64);
    find_with(entries as usize, game, plies, limits, stop)
}

/// [`find`] with so many entries in the table of each side.
fn find_with(
    entries: usize,
    game: &Game,
    plies: u32,
    limits: &Limits,
    stop: &AtomicBool,
) -> Option<Option<Line>> {
    let side = game.position().side();
    let mut root = legal_moves(game.rules(), game.position()).to_vec();
    limits.retain_searchmoves(&mut root, |&mv| mv);
    let mut searches = [side, !side].map(|attacker| MateSearch {
        rules: game.rules(),
        attacker,
        root: &root,
        played: game.keys_since_capture().len(),
        path: game.keys_since_capture().to_vec(),
        table: zeroed_slice_box(entries),
        nodes: 0,
        stop,
    });
    for left in 1..=plies {
        for search in &mut searches {
            if search.visit(game.position(), left, [INFINITE; 2])?[0] == 0 {
                let score = match search.attacker == side {
                    true => Score::win_in(left),
                    false => Score::loss_in(left),
                };
                let line = Line::of(search.line(game.position(), left)?, score);
                return Some(Some(Line {
                    depth: left,
                    seldepth: left,
                    ..line
                }));
            }
        }
    }
    Some(None)
}

/// Proof numbers of a position with some plies left.
#[derive(Clone, Copy, Zeroable)]
struct Entry {
    key: u64,
    /// Proof and disproof number.
    numbers: [u32; 2],
}

/// Answers whether one side can force a win.
struct MateSearch<'a> {
    rules: &'a Rules,
    attacker: Side,
    root: &'a [Move],
    /// Keys of the positions since the last capture of the game, the root included, then of those of the tree.
    path: Vec<u64>,
    /// How many of them belong to the game.
    played: usize,
    table: Box<[Entry]>,
    nodes: u64,
    stop: &'a AtomicBool,
}

impl MateSearch<'_> {
    /// Whether the attacker wins in at most `left` plies after a move that led to `position`; `None` if stopped.
    fn wins(&mut self, position: &Position, left: u32) -> Option<bool> {
        match self.end(position) {
            Some(won) => Some(won),
            None if left == 0 => Some(false),
            None => self.enter(position, |search| {
                Some(search.visit(position, left, [INFINITE; 2])?[0] == 0)
            }),
        }
    }

    /// Best play from a position that the attacker wins in `left` plies and no fewer.
    fn line(&mut self, root: &Position, left: u32) -> Option<Vec<Move>> {
        let mut position = *root;
        let known = self.path.len();
        let mut line: Vec<Move> = Vec::new();
        for left in (0..left).rev() {
            for mv in self.moves(&position) {
                let next = position.play(mv);
                let is_best = match position.side() == self.attacker {
                    true => self.wins(&next, left)?,
                    // The defender's move lasts as long as it can.
                    false => left == 0 || !self.wins(&next, left - 1)?,
                };
                if is_best {
                    position = next;
                    self.path.push(self.rules.key(&position));
                    line.push(mv);
                    break;
                }
            }
        }
        self.path.truncate(known);
        Some(line)
    }

    /// The moves of the last position of the path.
    fn moves(&self, position: &Position) -> Vec<Move> {
        match self.path.len() == self.played {
            true => self.root.to_vec(),
            false => legal_moves(self.rules, position).to_vec(),
        }
    }

    /// Does something with a position on the path.
    fn enter<T>(&mut self, position: &Position, work: impl FnOnce(&mut Self) -> T) -> T {
        self.path.push(self.rules.key(position));
        let done = work(self);
        self.path.pop();
        done
    }

    /// Searches a position, which is on the path, until it is settled or one of its numbers has reached its
    /// limit. Returns proof and disproof number; `None` if stopped.
    fn visit(&mut self, position: &Position, left: u32, limits: [u32; 2]) -> Option<[u32; 2]> {
        self.nodes += 1;
        if self.nodes.is_multiple_of(LOOK) && self.stop.load(Ordering::Relaxed) {
            return None;
        }
        let attacks = position.side() == self.attacker;
        // Exchanges the order proof, disproof and the order minimised, summed.
        let ordered = |[first, second]: [u32; 2]| match attacks {
            true => [first, second],
            false => [second, first],
        };
        let own_key = self.key(position, left);
        let mut children = Vec::new();
        for mv in self.moves(position) {
            let next = position.play(mv);
            let key = self.enter(&next, |search| search.key(&next, left - 1));
            let settled = match self.end(&next) {
                Some(true) => Some([0, INFINITE]),
                Some(false) => Some([INFINITE, 0]),
                None => (left == 1).then_some([INFINITE, 0]),
            };
            children.push((next, key, settled));
        }
        loop {
            // For the side to move: the least number and the sum of the others.
            let (mut best, mut least, mut second, mut sum) = (0, INFINITE, INFINITE, 0);
            let mut summed_best = 0;
            for (place, (next, key, numbers)) in children.iter().enumerate() {
                let numbers = numbers.unwrap_or_else(|| self.known(next, *key));
                let [minimised, summed] = ordered(numbers);
                sum = (sum + summed).min(INFINITE - 1);
                if minimised < least {
                    (second, least) = (least, minimised);
                    (best, summed_best) = (place, summed);
                } else {
                    second = second.min(minimised);
                }
            }
            if least == 0 {
                sum = INFINITE;
            }
            let numbers = ordered([least, sum]);
            let settled = least == 0 || sum == 0;
            if settled || numbers[0] >= limits[0] || numbers[1] >= limits[1] {
                let place = own_key as usize % self.table.len();
                self.table[place] = Entry {
                    key: own_key,
                    numbers,
                };
                return Some(numbers);
            }
            let [minimised, summed] = ordered(limits);
            let minimised = minimised.min(second.saturating_add(second / 4 + 1));
            let summed = (summed - (sum - summed_best)).max(summed_best + 1);
            let limits = ordered([minimised, summed]);
            let next = children[best].0;
            let numbers = self.enter(&next, |search| search.visit(&next, left - 1, limits))?;
            // Kept here as well: another position may take its place in the table.
            children[best].2 = Some(numbers);
        }
    }

    /// What the table knows of a position; else the first numbers, by the stones that it is about.
    fn known(&self, position: &Position, key: u64) -> [u32; 2] {
        let entry = &self.table[key as usize % self.table.len()];
        if entry.key == key {
            return entry.numbers;
        }
        let stones = position.stones(!self.attacker).count();
        [stones.min(INFINITE - 1), 1]
    }

    /// Whether the game is over after a move that led to `position`, and if so, whether the attacker has won.
    fn end(&self, position: &Position) -> Option<bool> {
        let rules = self.rules;
        let winner = if let Some(outcome) = position_outcome(rules, position) {
            outcome.winner
        } else {
            let quiet = usize::from(position.halfmove_clock());
            let key = rules.key(position);
            let since = self.path.len() - quiet.min(self.path.len());
            let counted = match self.counts_path() {
                true => self.path.len(),
                false => self.played,
            };
            let before = self.path.get(since..counted).unwrap_or_default();
            let before = before.iter().filter(|&&other| other == key).count();
            let repeated = rules.repeat != 0 && before + 1 >= usize::from(rules.repeat);
            let late = rules.limit != 0 && position.halfmove_clock() >= rules.limit;
            if !repeated && !late {
                return None;
            }
            tie_winner(rules, position)
        };
        Some(winner == Some(self.attacker))
    }

    /// Whether a repetition may win, so that those of the tree count as well.
    fn counts_path(&self) -> bool {
        self.rules.tie == Tie::Count && self.rules.repeat != 0
    }

    /// The key of the last position of the path with so many plies left, with all that decides its value.
    fn key(&self, position: &Position, left: u32) -> u64 {
        let mut key = split_mix(self.rules.key(position) ^ u64::from(left) << 32);
        let quiet = usize::from(position.halfmove_clock());
        if self.rules.limit != 0 && quiet + left as usize >= usize::from(self.rules.limit) {
            key ^= split_mix(quiet as u64);
        }
        if self.counts_path() {
            // What may repeat, in whatever order it came.
            let since = self.path.len() - (quiet + 1).min(self.path.len());
            let run = self.path[since..].iter().map(|&key| split_mix(key));
            key ^= split_mix(run.fold(0, u64::wrapping_add));
        }
        // 0 is an empty entry.
        key.max(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Bitboard;
    use crate::rules::{Vela, parse_rules};

    /// Whether the side to move wins or loses in at most `left` plies, and in how many, by the rules of a game
    /// alone.
    fn decided(game: &Game, left: u32) -> Option<(bool, u32)> {
        let side = game.position().side();
        let moves = legal_moves(game.rules(), game.position());
        let after = moves.iter().map(|&mv| {
            let mut next = game.clone();
            next.play(mv).expect("legal");
            match next.outcome() {
                Some(outcome) => outcome.winner.map(|winner| (winner == side, 1)),
                None if left == 1 => None,
                None => decided(&next, left - 1).map(|(wins, plies)| (!wins, plies + 1)),
            }
        });
        // The nearest win, else what is undecided, else the farthest loss.
        after.max_by_key(|&value| match value {
            Some((true, plies)) => 1_000 - plies as i32,
            None => 0,
            Some((false, plies)) => plies as i32 - 1_000,
        })?
    }

    fn check(game: &Game, most: u32) -> usize {
        let side = game.position().side();
        let stop = AtomicBool::new(false);
        let found = find(game, most, &Limits::default(), &stop).expect("not stopped");
        // Whatever the size of the table: then positions take each other's places.
        let small = find_with(16, game, most, &Limits::default(), &stop).expect("not stopped");
        let told = |mate: &Option<Line>| mate.as_ref().map(|mate| (mate.score, mate.pv.len()));
        assert_eq!(told(&small), told(&found));
        let expected = decided(game, most);
        let shown = found
            .as_ref()
            .map(|mate| (mate.score > Score::DRAW, mate.pv.len() as u32));
        assert_eq!(shown, expected, "{} {:?}", game.rules(), game.position());
        if let Some(mate) = &found {
            let mut game = game.clone();
            for &mv in &mate.pv {
                assert_eq!(game.outcome(), None);
                game.play(mv).expect("legal");
            }
            let winner = if mate.score > Score::DRAW {
                side
            } else {
                !side
            };
            let outcome = game.outcome().expect("the line goes to the end");
            assert_eq!(outcome.winner, Some(winner));
        }
        expected.is_some().into()
    }

    /// Random positions of up to six stones, in a vela more, most of them the giver's; some with games before them and with
    /// the counter near the limit.
    #[test]
    fn mates_are_those_of_brute_force() {
        let mut number = 7;
        let mut random = |below: usize| {
            number = split_mix(number);
            (number >> 20) as usize % below
        };
        let (mut checked, mut found, mut velas) = (0, 0, 0);
        for (rules, most, count) in [
            ("board=3x3", 5, 400),
            ("board=3x3", 7, 50),
            ("board=3x3 tie=count repeat=2 limit=6", 5, 200),
            ("board=3x3 blocked=draw limit=5", 5, 50),
            ("board=5x3 limit=8", 4, 100),
            ("board=3x5 tie=count", 4, 80),
            ("board=5x3 chain=full repeat=2", 4, 80),
            ("board=5x5 capture=free", 2, 30),
            ("board=5x5", 3, 50),
            ("board=9x5", 2, 50),
            ("board=5x3 vela=white", 3, 50),
            ("board=5x3 vela=white eating=must", 3, 50),
            ("board=3x3 blocked=pass limit=5", 5, 50),
        ] {
            let rules = parse_rules(rules).expect("rules");
            let points: Vec<_> = rules.board.points().into_iter().collect();
            let (sides, more) = match rules.vela {
                Vela::Off => (2, 0),
                _ => (5, 7),
            };
            let before = checked;
            while checked < before + count {
                let mut stones = [Bitboard::EMPTY; 2];
                for _ in 0..2 + random(5) + more {
                    let point = points[random(points.len())].into();
                    if !(stones[0] | stones[1]).intersects(point) {
                        stones[random(sides) / (sides - 1)] |= point;
                    }
                }
                let quiet = random(3) as u16 * rules.limit.min(8) / 3;
                let side = Side::BOTH[random(2)];
                let start = Position::new(stones, side, quiet, 20);
                let mut game = Game::from_position(rules, start);
                for _ in 0..random(6) {
                    let moves = legal_moves(&rules, game.position());
                    if game.outcome().is_none() {
                        game.play(moves[random(moves.len())]).expect("legal");
                    }
                }
                if game.outcome().is_none() {
                    checked += 1;
                    velas += usize::from(rules.vela_giver(game.position()).is_some());
                    found += check(&game, most);
                }
            }
        }
        assert!(checked >= 1_000 && found >= 300, "{found} of {checked}");
        assert!(velas >= 30, "{velas}");
    }
}
