//! Depth-first proof-number search.
//!
//! A. Nagai, *Df-pn algorithm for searching AND/OR trees and its applications*, 2002, with thresholds of the
//! second child times 1 + 1/4 (J. Pawlewicz and Ł. Lew, *Improving depth-first PN-search: 1+ε trick*, 2007)
//! and weak sums, the greatest child plus one for each other open one, against counting transpositions many
//! times (T. Ueda et al., *Weak proof-number search*, 2008). Threads search one tree: a child on whose
//! subtree others are at work looks harder by a part of its number for each of them (virtual proof numbers:
//! T. Kaneko, *Parallel depth first proof number search*, AAAI 2010).
//!
//! The attacker proves; the defender holds. Play that never ends is held, so a position that repeats one of
//! the path is. What rests on that is settled in groups ([`Groups`]). No position before a capture comes
//! back after it, so the path of the history begins anew at each capture.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};

use super::first_numbers::FirstNumbers;
use super::groups::{GroupId, Groups, Standing};
use super::proof_table::{Entry, Known, MOST, ProofTable};
use super::tree::{Child, Node, Tree};
use crate::eval::Evaluation;
use crate::network::Network;
use crate::rules::{MoveList, Rules};

/// Counters of threads at work below nodes.
const ACTIVE: usize = 1 << 16;
/// The part of its number by which each thread at work below a child makes it look harder. Weak sums grow slowly, as
/// logarithms of the work to be done: to count a number twice would send threads to far worse children.
const VIRTUAL: u32 = 16;
/// Nodes of a thread between two looks at how many all have searched.
const LOOK: u64 = 256;
/// Room for groups.
const GROUPS: usize = 1 << 24;

/// What the threads of a search share.
pub(super) struct Shared {
    pub(super) table: ProofTable,
    pub(super) groups: Groups,
    /// How many threads are below the nodes with a key.
    active: Box<[AtomicU32]>,
    threads: usize,
    /// Judges new nodes, under rules that it suits.
    network: Option<Arc<Network>>,
    /// Set when the search is to end.
    pub(super) stop: AtomicBool,
    pub(super) nodes: AtomicU64,
    /// The nodes of all questions at which the search ends.
    pub(super) limit: AtomicU64,
    /// Proof and disproof number of the root when a thread last came back there.
    pub(super) root: [AtomicU32; 2],
    /// Store what rests on the path as if it rested on nothing: the naive way, to show that it is wrong.
    #[cfg(test)]
    pub(super) is_naive: bool,
}

impl Shared {
    /// For so many threads with a table of `mib` MiB; `None` if there is no memory for it.
    pub(super) fn new(rules: &Rules, mib: usize, threads: usize) -> Option<Shared> {
        Some(Shared {
            table: ProofTable::new(mib)?,
            groups: Groups::new(GROUPS)?,
            active: (0..ACTIVE).map(|_| AtomicU32::new(0)).collect(),
            threads,
            network: Evaluation::default().network_for(rules).cloned(),
            stop: AtomicBool::new(false),
            nodes: AtomicU64::new(0),
            limit: AtomicU64::new(u64::MAX),
            root: [AtomicU32::new(1), AtomicU32::new(1)],
            #[cfg(test)]
            is_naive: false,
        })
    }

    fn active(&self, key: u64) -> &AtomicU32 {
        &self.active[key as usize % ACTIVE]
    }
}

/// Depths of the path that a result rests on, from the highest to the deepest; `None` if it rests on none.
type History = Option<(u32, u32)>;

/// What a node has come to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Status {
    /// Not settled: proof and disproof number.
    Open { proof: u32, disproof: u32 },
    /// The attacker wins; the most plies to the next capture or the end of the game.
    Won { rank: u32 },
    /// The attacker cannot win, as long as the history is as it is.
    Held(History),
}

/// A node before anything is looked up or counted.
const UNKNOWN: Status = Status::Open {
    proof: 0,
    disproof: 0,
};

/// A child of a node on the path.
struct Branch {
    child: Child,
    /// How soon the next conversion has to come, and the key of the child with that.
    bound: u32,
    key: u64,
    status: Status,
}

/// A node on the path.
struct PathEntry {
    key: u64,
    /// Of results that rest on this node and none below it; 0 until there is one.
    group: GroupId,
}

/// What the children of a node come to.
struct Combined {
    status: Status,
    /// The child to search next.
    best: usize,
    /// Its numbers, as the node counts them: that which its choice goes by, and the other one.
    numbers: [u32; 2],
    /// The least number of the other children, threads at work below them counted.
    second: u32,
    /// Children that are not settled.
    open: u32,
}

/// One thread of a search.
pub(super) struct Worker<'a> {
    shared: &'a Shared,
    tree: &'a Tree,
    thread: usize,
    moves: MoveList,
    expanded: Vec<Child>,
    /// The children of all nodes of the path.
    branches: Vec<Branch>,
    path: Vec<PathEntry>,
    first_numbers: FirstNumbers<'a>,
    nodes: u64,
    /// The child that settled the node that was settled last.
    pub(super) chosen: Option<Child>,
}

impl<'a> Worker<'a> {
    /// A thread with a number of its own, below 2^14.
    pub(super) fn new(shared: &'a Shared, tree: &'a Tree, thread: usize) -> Worker<'a> {
        Worker {
            shared,
            tree,
            thread,
            moves: MoveList::new(),
            expanded: Vec::new(),
            branches: Vec::new(),
            path: Vec::new(),
            first_numbers: FirstNumbers::new(tree, shared.network.as_deref()),
            nodes: 0,
            chosen: None,
        }
    }

    /// Searches `node`, as the first of its path, until it is settled or the stop signal is given. The attacker has
    /// to come to the next conversion within `bound` plies.
    pub(super) fn settle(&mut self, node: Node, bound: u32) -> Status {
        let key = self.tree.key(&node, bound);
        let mut limit = 2;
        loop {
            let (status, _) = self.visit(node, key, [limit; 2], 0, bound);
            self.flush();
            let Status::Open { proof, disproof } = status else {
                return status;
            };
            self.shared.root[0].store(proof, Ordering::Relaxed);
            self.shared.root[1].store(disproof, Ordering::Relaxed);
            if self.shared.stop.load(Ordering::Relaxed) {
                return status;
            }
            let most = proof.max(disproof);
            limit = most.saturating_add(most / 4 + 1).max(limit).min(2 * MOST);
        }
    }

    /// What is known of a node apart from any path.
    pub(super) fn known(&self, node: &Node, bound: u32) -> Option<Entry> {
        self.settled(self.tree.key(node, bound))
            .or_else(|| self.known_without(node, bound))
    }

    /// What the table knows of a node with this key apart from any path.
    fn settled(&self, key: u64) -> Option<Entry> {
        let mut entry = self.shared.table.get(key)?;
        if let Known::HeldIf(group) = entry.known {
            let standing = self.shared.groups.standing(group, self.thread);
            entry.known = (standing == Standing::Held).then_some(Known::Held)?;
        }
        Some(entry)
    }

    /// What is known of a node with a bound because it is known without one.
    fn known_without(&self, node: &Node, bound: u32) -> Option<Entry> {
        if bound == u32::MAX || self.tree.remembers(node) {
            return None;
        }
        let entry = self.settled(node.key(self.tree.attacker))?;
        match entry.known {
            Known::Won { rank } if rank <= bound && self.tree.quiet == u32::MAX => Some(entry),
            Known::Held => Some(entry),
            _ => None,
        }
    }

    /// Adds the nodes of this thread to those of all, and looks whether they are as many as they may be.
    fn flush(&mut self) {
        let before = self.shared.nodes.fetch_add(self.nodes, Ordering::Relaxed);
        if before + self.nodes >= self.shared.limit.load(Ordering::Relaxed) {
            self.shared.stop.store(true, Ordering::Relaxed);
        }
        self.nodes = 0;
    }

    /// Searches a node until it is settled or one of its numbers has come to its limit. `run` is where the
    /// plies since the last capture begin on the path. Returns the nodes searched as well.
    fn visit(
        &mut self,
        node: Node,
        key: u64,
        limits: [u32; 2],
        run: usize,
        bound: u32,
    ) -> (Status, u64) {
        self.nodes += 1;
        if self.nodes == LOOK {
            self.flush();
        }
        let first = self.branches.len();
        let depth = (self.path.len() - run) as u32;
        self.path.push(PathEntry { key, group: 0 });
        if let Some(won) = self.expand(&node, run, bound) {
            self.path.pop();
            let status = match won {
                true => Status::Won { rank: 0 },
                false => Status::Held(None),
            };
            self.store(key, status, run, 1);
            return (status, 1);
        }
        let attacks = node.side == self.tree.attacker;
        let mut nodes = 1;
        self.judge(&node, first);
        let status = loop {
            let combined = self.combine(first, attacks);
            let Status::Open { proof, disproof } = combined.status else {
                break combined.status;
            };
            // What was known of it when the node was expanded may be known better now. (To look at all
            // children each time costs more than it finds: the table lies far away in memory.)
            if self.look_up(first + combined.best) {
                continue;
            }
            if proof >= limits[0]
                || disproof >= limits[1]
                || self.shared.stop.load(Ordering::Relaxed)
            {
                break combined.status;
            }
            // The number that the choice goes by, and the one that is summed up.
            let [chosen, summed] = if attacks {
                limits
            } else {
                [limits[1], limits[0]]
            };
            let chosen = chosen.min(combined.second.saturating_add(combined.second / 4 + 1));
            let summed = summed.saturating_sub(combined.open - 1);
            // A visit makes some progress, whatever other threads have changed.
            let chosen = chosen.max(combined.numbers[0].saturating_add(1));
            let summed = summed.max(combined.numbers[1].saturating_add(1));
            let limits = if attacks {
                [chosen, summed]
            } else {
                [summed, chosen]
            };

            let branch = &self.branches[first + combined.best];
            let (child, key, bound) = (branch.child, branch.key, branch.bound);
            let run = if child.mv.is_capture() {
                self.path.len()
            } else {
                run
            };
            let active = self.shared.active(key);
            let has_others = self.shared.threads > 1;
            if has_others {
                active.fetch_add(1, Ordering::Relaxed);
            }
            let (status, count) = self.visit(child.node, key, limits, run, bound);
            if has_others {
                active.fetch_sub(1, Ordering::Relaxed);
            }
            self.branches[first + combined.best].status = status;
            nodes += count;
        };
        if first == 0 {
            // By which it has come to this status.
            let settles = |branch: &&Branch| match (status, branch.status) {
                (Status::Won { rank }, Status::Won { rank: below }) => {
                    branch.child.mv.is_capture() || below < rank
                }
                statuses => matches!(statuses, (Status::Held(_), Status::Held(_))),
            };
            let settling = self.branches.iter().find(settles);
            self.chosen = settling.map(|branch| branch.child);
        }
        self.branches.truncate(first);
        let status = self.leave(status, depth, run);
        self.store(key, status, run, nodes);
        (status, nodes)
    }

    /// Appends the children of the last node of the path. Returns whether the attacker has won if there are
    /// no moves, or none in time.
    fn expand(&mut self, node: &Node, run: usize, bound: u32) -> Option<bool> {
        self.expanded.clear();
        let end = self.tree.expand(node, &mut self.moves, &mut self.expanded);
        for &child in &self.expanded {
            let Some(bound) = self.tree.bound_after(child.mv, bound) else {
                return Some(false);
            };
            let key = self.tree.key(&child.node, bound);
            if child.end.is_none() {
                self.shared.table.prefetch(key);
            }
            let repeated = || {
                let same = |entry: &PathEntry| entry.key == key;
                let since = self.path[run..].iter().position(same)? as u32;
                Some((since, since))
            };
            let status = match child.end {
                Some(true) => Status::Won { rank: 0 },
                Some(false) => Status::Held(None),
                None if child.mv.is_capture() => UNKNOWN,
                None => match repeated() {
                    Some(history) => Status::Held(Some(history)),
                    None => UNKNOWN,
                },
            };
            self.branches.push(Branch {
                child,
                bound,
                key,
                status,
            });
        }
        end
    }

    /// Looks up the branches from `first` on, the children of `node`, and counts the first numbers of those
    /// of which nothing is known.
    fn judge(&mut self, node: &Node, first: usize) {
        let (position, plies) = (node.position(), self.path.len());
        let mut is_prepared = false;
        for place in first..self.branches.len() {
            if self.look_up(place) || self.branches[place].status != UNKNOWN {
                continue;
            }
            if !std::mem::replace(&mut is_prepared, true) {
                self.first_numbers.prepare(&position, plies);
            }
            let branch = &mut self.branches[place];
            let after = position.play(branch.child.mv);
            branch.status = self.first_numbers.count(&after, plies);
        }
    }

    /// Takes what the table knows of a branch that is open. Returns whether that is something new.
    fn look_up(&mut self, place: usize) -> bool {
        let (shared, branch) = (self.shared, &self.branches[place]);
        if !matches!(branch.status, Status::Open { .. }) {
            return false;
        }
        let known = self.known_without(&branch.child.node, branch.bound);
        let Some(entry) = known.or_else(|| shared.table.get(branch.key)) else {
            return false;
        };
        let status = match entry.known {
            Known::Open { proof, disproof } => Status::Open { proof, disproof },
            Known::Won { rank } => Status::Won { rank },
            Known::Held => Status::Held(None),
            Known::HeldIf(group) => match shared.groups.standing(group, self.thread) {
                Standing::Held => Status::Held(None),
                Standing::OnPath { low, deep } => Status::Held(Some((low, deep))),
                Standing::Void => return false,
            },
        };
        std::mem::replace(&mut self.branches[place].status, status) != status
    }

    /// What the children from `first` on come to.
    fn combine(&self, first: usize, attacks: bool) -> Combined {
        let mut combined = Combined {
            status: Status::Held(None),
            best: 0,
            numbers: [0; 2],
            second: MOST,
            open: 0,
        };
        // For the side to move: how its best child is settled, and the ranks of the settled ones.
        let mut rank: Option<u32> = None;
        let mut history: Option<History> = None;
        let (mut least, mut greatest) = (u32::MAX, 0);
        let mut best = u32::MAX;
        for (place, branch) in self.branches[first..].iter().enumerate() {
            match branch.status {
                Status::Won { rank: below } => {
                    let plies = match branch.child.mv.is_capture() {
                        true => 1,
                        false => below.saturating_add(1),
                    };
                    let better = |rank: u32| {
                        if attacks {
                            rank.min(plies)
                        } else {
                            rank.max(plies)
                        }
                    };
                    rank = Some(rank.map_or(plies, better));
                }
                Status::Held(below) => {
                    history = Some(match (history, attacks) {
                        (None, _) => below,
                        (Some(before), true) => join(before, below),
                        (Some(before), false) => freer(before, below),
                    });
                }
                Status::Open { proof, disproof } => {
                    combined.open += 1;
                    let [chosen, summed] = if attacks {
                        [proof, disproof]
                    } else {
                        [disproof, proof]
                    };
                    least = least.min(chosen);
                    greatest = greatest.max(summed);
                    // Where other threads are at work looks harder.
                    let others = match self.shared.threads {
                        1 => 0,
                        _ => self.shared.active(branch.key).load(Ordering::Relaxed),
                    };
                    let shown =
                        chosen.saturating_add(others.saturating_mul((chosen / VIRTUAL).max(1)));
                    if shown < best {
                        combined.second = best.min(MOST);
                        best = shown;
                        combined.best = place;
                        combined.numbers = [chosen, summed];
                    } else {
                        combined.second = combined.second.min(shown);
                    }
                }
            }
        }
        combined.status = match (attacks, rank, history) {
            (true, Some(rank), _) => Status::Won { rank },
            (false, _, Some(history)) => Status::Held(history),
            _ if combined.open > 0 => {
                let sum = greatest.saturating_add(combined.open - 1).min(MOST);
                let [proof, disproof] = if attacks { [least, sum] } else { [sum, least] };
                Status::Open { proof, disproof }
            }
            (true, None, history) => Status::Held(history.flatten()),
            (false, rank, None) => Status::Won {
                rank: rank.unwrap_or_default(),
            },
        };
        combined
    }

    /// Takes the last node, at `depth` of its run, off the path and settles its group. Returns the status
    /// for those above.
    fn leave(&mut self, status: Status, depth: u32, run: usize) -> Status {
        let group = self.path.pop().map_or(0, |entry| entry.group);
        let groups = &self.shared.groups;
        let Status::Held(history) = status else {
            if group != 0 {
                groups.void(group);
            }
            return status;
        };
        let low = history.map_or(u32::MAX, |(low, _)| low);
        if group != 0 {
            let least = low.min(groups.low(group));
            if least >= depth {
                groups.hold(group);
            } else if let Some(above) = self.group_at(run, depth - 1) {
                self.shared.groups.lower(above, least);
                self.shared.groups.merge(group, above);
            } else {
                self.shared.groups.void(group);
            }
        }
        // What rests on this node alone rests on nothing.
        Status::Held(match history {
            Some((low, deep)) if low < depth => Some((low, deep.min(depth - 1))),
            _ => None,
        })
    }

    /// The group of the node at `depth` of the run; `None` if there is no room for one.
    fn group_at(&mut self, run: usize, depth: u32) -> Option<GroupId> {
        let entry = &mut self.path[run + depth as usize];
        if entry.group == 0 {
            entry.group = self.shared.groups.open(self.thread, depth)?;
        }
        Some(entry.group)
    }

    fn store(&mut self, key: u64, status: Status, run: usize, nodes: u64) {
        let known = match status {
            Status::Open { proof, disproof } => Known::Open { proof, disproof },
            Status::Won { rank } => Known::Won { rank },
            Status::Held(None) => Known::Held,
            #[cfg(test)]
            Status::Held(_) if self.shared.is_naive => Known::Held,
            Status::Held(Some((low, deep))) => match self.group_at(run, deep) {
                Some(group) => {
                    self.shared.groups.lower(group, low);
                    Known::HeldIf(group)
                }
                None => return,
            },
        };
        self.shared.table.put(key, Entry::new(known, nodes));
    }
}

/// What rests on two results rests on all that they rest on.
fn join(one: History, other: History) -> History {
    match (one, other) {
        (Some((low, deep)), Some((other_low, other_deep))) => {
            Some((low.min(other_low), deep.max(other_deep)))
        }
        (one, other) => one.or(other),
    }
}

/// The one of two results that rests on less: on none, or on none so high on the path.
fn freer(one: History, other: History) -> History {
    match (one, other) {
        (Some((low, _)), Some((other_low, _))) if other_low > low => other,
        (Some(_), Some(_)) => one,
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn histories_add_up() {
        assert_eq!(join(None, None), None);
        assert_eq!(join(Some((2, 3)), None), Some((2, 3)));
        assert_eq!(join(Some((2, 3)), Some((1, 2))), Some((1, 3)));
        assert_eq!(freer(None, Some((1, 1))), None);
        assert_eq!(freer(Some((1, 4)), Some((2, 2))), Some((2, 2)));
        assert_eq!(freer(Some((2, 4)), Some((1, 1))), Some((2, 4)));
    }
}
