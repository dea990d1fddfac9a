//! Depth-first proof-number search (df-pn).
//!
//! A. Nagai, *Df-pn algorithm for searching AND/OR trees and its applications*, 2002. With the 1 + ε trick: the
//! threshold is that of the second child times 1 + 1/4 (J. Pawlewicz and Ł. Lew, *Improving depth-first PN-search: 1+ε
//! trick*, 2007). With weak sums, which count transpositions once: the greatest number of the open children plus one
//! for each other (T. Ueda et al., *Weak proof-number search*, 2008). All threads search one tree, with virtual proof
//! numbers: the number of a child is increased for each thread in its subtree (T. Kaneko, *Parallel depth first proof
//! number search*, AAAI 2010).
//!
//! A node is proven if the attacker wins, and disproven if the attacker cannot win. Play that never ends is no win, so
//! a position that repeats one of the path is disproven. Disproofs that depend on this are settled in groups
//! ([`Groups`]). No position recurs after a capture, so only the path since the last capture is compared.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};

use super::groups::{GroupId, Groups, PathDependence, depends_on_both, less_dependent};
use super::initial_numbers::InitialNumbers;
use super::proof_table::{Entry, MOST, PathStatus, ProofTable, Status, of_claim};
use crate::tree::{Child, Tree};
use vato_engine::eval::Evaluation;
use vato_engine::network::Network;
use vato_engine::proofs::{Claim, Node};
use vato_engine::rules::{MoveList, Rules};

/// Counters of threads in subtrees.
const ACTIVE: usize = 1 << 16;
/// Each thread in the subtree of a child adds this fraction of the child's number to it. Weak sums grow as the
/// logarithm of the work: doubling the number would send threads to far worse children.
const VIRTUAL: u32 = 16;
/// Nodes of a thread between two checks of the limit of nodes.
const CHECK_INTERVAL: u64 = 256;
const GROUPS: usize = 1 << 24;

/// State shared by all threads of a search.
pub(super) struct ProofState {
    pub(super) table: ProofTable,
    pub(super) groups: Groups,
    /// Threads in the subtrees of nodes, by key.
    active: Box<[AtomicU32]>,
    threads: usize,
    /// For initial numbers; `None` under rules that it is not used for.
    network: Option<Arc<Network>>,
    pub(super) stop: AtomicBool,
    pub(super) nodes: AtomicU64,
    /// The search ends when `nodes` reaches this.
    pub(super) limit: AtomicU64,
    /// Proof and disproof number of the root after its last visit by any thread.
    pub(super) root: [AtomicU32; 2],
}

impl ProofState {
    /// For this number of threads, with a table of `mib` MiB; `None` if there is no memory for it.
    pub(super) fn new(rules: &Rules, mib: usize, threads: usize) -> Option<ProofState> {
        Some(ProofState {
            table: ProofTable::new(mib)?,
            groups: Groups::new(GROUPS)?,
            active: (0..ACTIVE).map(|_| AtomicU32::new(0)).collect(),
            threads,
            network: Evaluation::default().network_for(rules).cloned(),
            stop: AtomicBool::new(false),
            nodes: AtomicU64::new(0),
            limit: AtomicU64::new(u64::MAX),
            root: [AtomicU32::new(1), AtomicU32::new(1)],
        })
    }

    fn active(&self, key: u64) -> &AtomicU32 {
        &self.active[key as usize % ACTIVE]
    }
}

/// A new node, without initial numbers.
const UNKNOWN: PathStatus = Status::Open {
    proof: 0,
    disproof: 0,
};

/// A child of a node on the path.
struct Branch {
    child: Child,
    /// The most plies to the next conversion.
    bound: u32,
    /// The key of the child with this bound.
    key: u64,
    status: PathStatus,
}

struct PathEntry {
    key: u64,
    /// The group of disproofs whose deepest dependence is this node; made for the first one.
    group: Option<GroupId>,
}

/// The status of a node by those of its children, and the child to search next.
///
/// At attacker nodes the *minimised* number is the proof number and the *summed* one the disproof number; at defender
/// nodes it is the other way round.
struct Combined {
    status: PathStatus,
    /// The child to search next.
    best: usize,
    /// Its minimised and its summed number.
    numbers: [u32; 2],
    /// The least minimised number of the other children, with virtual proof numbers.
    second: u32,
    /// The number of open children.
    open: u32,
}

/// One thread of a search.
pub(super) struct Prover<'a> {
    shared: &'a ProofState,
    tree: &'a Tree,
    thread: usize,
    /// Whether children count the threads in their subtrees.
    is_parallel: bool,
    moves: MoveList,
    expanded: Vec<Child>,
    /// The children of all nodes of the path.
    branches: Vec<Branch>,
    path: Vec<PathEntry>,
    initial_numbers: InitialNumbers<'a>,
    /// Nodes not yet added to [`ProofState::nodes`].
    nodes: u64,
    /// The child that settles the root of the last search.
    pub(super) chosen: Option<Child>,
}

impl<'a> Prover<'a> {
    /// A thread with its own number, below 2^14.
    pub(super) fn new(shared: &'a ProofState, tree: &'a Tree, thread: usize) -> Prover<'a> {
        Prover {
            shared,
            tree,
            thread,
            is_parallel: shared.threads > 1,
            moves: MoveList::new(),
            expanded: Vec::new(),
            branches: Vec::new(),
            path: Vec::new(),
            initial_numbers: InitialNumbers::new(tree, shared.network.as_deref()),
            nodes: 0,
            chosen: None,
        }
    }

    /// Searches `node`, as the root, until it is proven or disproven, or the search is stopped. The attacker has to
    /// reach the next conversion within `bound` plies.
    pub(super) fn settle(&mut self, node: Node, bound: u32) -> PathStatus {
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

    /// The entry of a node that holds on every path.
    pub(super) fn entry(&self, node: &Node, bound: u32) -> Option<Entry> {
        self.entry_with(self.tree.key(node, bound))
            .or_else(|| self.entry_without_bound(node, bound))
    }

    /// The entry with this key, if it holds on every path.
    fn entry_with(&self, key: u64) -> Option<Entry> {
        let Entry { status, size } = self.shared.table.get(key)?;
        let is_confirmed = |group| self.shared.groups.dependence(group, self.thread) == Some(None);
        let status = status.with(|group| is_confirmed(group).then_some(None))?;
        Some(Entry { status, size })
    }

    /// The entry of the node without a bound, if it settles the node with this bound.
    fn entry_without_bound(&self, node: &Node, bound: u32) -> Option<Entry> {
        if bound == u32::MAX || self.tree.depends_on_game(node) {
            return None;
        }
        let entry = self.entry_with(self.tree.key_without_bound(node))?;
        let settles = match entry.status {
            Status::Proven { rank } => rank <= bound && self.tree.limit == u32::MAX,
            Status::Disproven(_) => true,
            Status::Open { .. } => false,
        };
        settles.then_some(entry)
    }

    /// Adds the nodes of this thread to those of all threads, and checks the limit.
    fn flush(&mut self) {
        let before = self.shared.nodes.fetch_add(self.nodes, Ordering::Relaxed);
        if before + self.nodes >= self.shared.limit.load(Ordering::Relaxed) {
            self.shared.stop.store(true, Ordering::Relaxed);
        }
        self.nodes = 0;
    }

    /// Searches a node until it is settled, or its proof or disproof number reaches its threshold. `run` is the place
    /// on the path of the first node since the last capture. Returns the number of nodes searched as well.
    fn visit(
        &mut self,
        node: Node,
        key: u64,
        thresholds: [u32; 2],
        run: usize,
        bound: u32,
    ) -> (PathStatus, u64) {
        self.nodes += 1;
        if self.nodes == CHECK_INTERVAL {
            self.flush();
        }
        let first = self.branches.len();
        let depth = (self.path.len() - run) as u32;
        self.path.push(PathEntry { key, group: None });
        if let Some(claim) = self.expand(&node, run, bound) {
            self.path.pop();
            let status = of_claim(claim);
            self.store(key, status, run, 1);
            return (status, 1);
        }
        let attacks = node.side == self.tree.attacker;
        let mut nodes = 1;
        self.initialise(&node, first);
        let status = loop {
            let combined = self.combine(first, attacks);
            let Status::Open { proof, disproof } = combined.status else {
                break combined.status;
            };
            // Other paths or threads may have searched this child since. (Looking up all children each time takes
            // longer than it saves: the table is not in the cache.)
            if self.look_up(first + combined.best) {
                continue;
            }
            if proof >= thresholds[0]
                || disproof >= thresholds[1]
                || self.shared.stop.load(Ordering::Relaxed)
            {
                break combined.status;
            }
            let [minimised, summed] = ordered(attacks, thresholds);
            let minimised = minimised.min(combined.second.saturating_add(combined.second / 4 + 1));
            let summed = summed.saturating_sub(combined.open - 1);
            // Every visit makes progress, even if other threads have changed the numbers.
            let minimised = minimised.max(combined.numbers[0].saturating_add(1));
            let summed = summed.max(combined.numbers[1].saturating_add(1));
            let thresholds = ordered(attacks, [minimised, summed]);

            let branch = &self.branches[first + combined.best];
            let (child, key, bound) = (branch.child, branch.key, branch.bound);
            let run = if child.mv.is_capture() {
                self.path.len()
            } else {
                run
            };
            let active = self.shared.active(key);
            if self.is_parallel {
                active.fetch_add(1, Ordering::Relaxed);
            }
            let (status, count) = self.visit(child.node, key, thresholds, run, bound);
            if self.is_parallel {
                active.fetch_sub(1, Ordering::Relaxed);
            }
            self.branches[first + combined.best].status = status;
            nodes += count;
        };
        if first == 0 {
            let settles = |branch: &&Branch| match (status, branch.status) {
                (Status::Proven { rank }, Status::Proven { rank: below }) => {
                    branch.child.mv.is_capture() || below < rank
                }
                statuses => matches!(statuses, (Status::Disproven(_), Status::Disproven(_))),
            };
            let settling = self.branches.iter().find(settles);
            self.chosen = settling.map(|branch| branch.child);
        }
        self.branches.truncate(first);
        (self.initial_numbers).learn(&node, self.path.len() - 1, status);
        let status = self.leave(status, depth, run);
        self.store(key, status, run, nodes);
        (status, nodes)
    }

    /// Appends the children of the path's last node. Returns the result if there are no moves or the bound is exceeded.
    fn expand(&mut self, node: &Node, run: usize, bound: u32) -> Option<Claim> {
        self.expanded.clear();
        let result = self.tree.expand(node, &mut self.moves, &mut self.expanded);
        for &child in &self.expanded {
            let Some(bound) = self.tree.bound_after(child.mv, bound) else {
                return Some(Claim::CannotWin);
            };
            let key = self.tree.key(&child.node, bound);
            if child.terminal.is_none() {
                self.shared.table.prefetch(key);
            }
            let repeated = || {
                let same = |entry: &PathEntry| entry.key == key;
                let depth = self.path[run..].iter().position(same)? as u32;
                Some(Status::Disproven(Some((depth, depth))))
            };
            let status = match child.terminal {
                Some(claim) => of_claim(claim),
                None if child.mv.is_capture() => UNKNOWN,
                None => repeated().unwrap_or(UNKNOWN),
            };
            self.branches.push(Branch {
                child,
                bound,
                key,
                status,
            });
        }
        result
    }

    /// Gives the branches from `first` on, the children of `node`, their entries in the table, or else initial numbers.
    fn initialise(&mut self, node: &Node, first: usize) {
        let (position, plies) = (node.position(), self.path.len());
        let mut is_prepared = false;
        for place in first..self.branches.len() {
            if self.look_up(place) || self.branches[place].status != UNKNOWN {
                continue;
            }
            if !std::mem::replace(&mut is_prepared, true) {
                self.initial_numbers.prepare(&position, plies);
            }
            let branch = &mut self.branches[place];
            let after = position.play(branch.child.mv);
            branch.status = self.initial_numbers.of(&after, plies);
        }
    }

    /// Looks up an open branch in the table. Returns whether its status has changed.
    fn look_up(&mut self, place: usize) -> bool {
        let (shared, branch) = (self.shared, &self.branches[place]);
        if !matches!(branch.status, Status::Open { .. }) {
            return false;
        }
        let entry = self.entry_without_bound(&branch.child.node, branch.bound);
        let Some(entry) = entry.or_else(|| shared.table.get(branch.key)) else {
            return false;
        };
        let dependence = |group| shared.groups.dependence(group, self.thread);
        let Some(status) = entry.status.with(dependence) else {
            return false;
        };
        std::mem::replace(&mut self.branches[place].status, status) != status
    }

    /// Combines the children from `first` on.
    fn combine(&self, first: usize, attacks: bool) -> Combined {
        let mut combined = Combined {
            status: Status::Disproven(None),
            best: 0,
            numbers: [0; 2],
            second: MOST,
            open: 0,
        };
        // By the proven and by the disproven children, `None` if there are none.
        let mut rank: Option<u32> = None;
        let mut dependence: Option<PathDependence> = None;
        let (mut least, mut greatest, mut best) = (u32::MAX, 0, u32::MAX);
        for (place, branch) in self.branches[first..].iter().enumerate() {
            match branch.status {
                Status::Proven { rank: below } => {
                    let plies = match branch.child.mv.is_capture() {
                        true => 1,
                        false => below.saturating_add(1),
                    };
                    rank = Some(rank.map_or(plies, |rank| match attacks {
                        true => rank.min(plies),
                        false => rank.max(plies),
                    }));
                }
                Status::Disproven(below) => {
                    dependence = Some(match (dependence, attacks) {
                        (None, _) => below,
                        (Some(before), true) => depends_on_both(before, below),
                        (Some(before), false) => less_dependent(before, below),
                    });
                }
                Status::Open { proof, disproof } => {
                    combined.open += 1;
                    let [minimised, summed] = ordered(attacks, [proof, disproof]);
                    least = least.min(minimised);
                    greatest = greatest.max(summed);
                    let others = match self.is_parallel {
                        false => 0,
                        true => self.shared.active(branch.key).load(Ordering::Relaxed),
                    };
                    let for_each = (minimised / VIRTUAL).max(1);
                    let virtual_number = minimised.saturating_add(others.saturating_mul(for_each));
                    if virtual_number < best {
                        combined.second = best.min(MOST);
                        best = virtual_number;
                        combined.best = place;
                        combined.numbers = [minimised, summed];
                    } else {
                        combined.second = combined.second.min(virtual_number);
                    }
                }
            }
        }
        combined.status = match (attacks, rank, dependence) {
            (true, Some(rank), _) => Status::Proven { rank },
            (false, _, Some(dependence)) => Status::Disproven(dependence),
            _ if combined.open > 0 => {
                let sum = greatest.saturating_add(combined.open - 1).min(MOST);
                let [proof, disproof] = ordered(attacks, [least, sum]);
                Status::Open { proof, disproof }
            }
            (true, None, dependence) => Status::Disproven(dependence.flatten()),
            (false, rank, None) => Status::Proven {
                rank: rank.unwrap_or_default(),
            },
        };
        combined
    }

    /// Removes the last node, at `depth` since the last capture, from the path and settles its group. Returns its
    /// status on the path that is left.
    fn leave(&mut self, status: PathStatus, depth: u32, run: usize) -> PathStatus {
        let group = self.path.pop().and_then(|entry| entry.group);
        let groups = &self.shared.groups;
        let Status::Disproven(dependence) = status else {
            if let Some(group) = group {
                groups.discard(group);
            }
            return status;
        };
        if let Some(group) = group {
            let low = dependence.map_or(u32::MAX, |(low, _)| low);
            let least = low.min(groups.low(group));
            if least >= depth {
                groups.confirm(group);
            } else if let Some(above) = self.group_at(run, depth - 1) {
                self.shared.groups.lower(above, least);
                self.shared.groups.merge(group, above);
            } else {
                self.shared.groups.discard(group);
            }
        }
        // A disproof that depends on this node alone holds on every path.
        Status::Disproven(match dependence {
            Some((low, deep)) if low < depth => Some((low, deep.min(depth - 1))),
            _ => None,
        })
    }

    /// The group of the node at `depth` since the last capture; `None` if there is no room for one.
    fn group_at(&mut self, run: usize, depth: u32) -> Option<GroupId> {
        let group = &mut self.path[run + depth as usize].group;
        if group.is_none() {
            *group = self.shared.groups.open(self.thread, depth);
        }
        *group
    }

    /// Stores the status of a node that has left the path.
    fn store(&mut self, key: u64, status: PathStatus, run: usize, nodes: u64) {
        let stored = status.with(|(low, deep)| {
            let group = self.group_at(run, deep)?;
            self.shared.groups.lower(group, low);
            Some(Some(group))
        });
        if let Some(status) = stored {
            self.shared.table.put(key, Entry::new(status, nodes));
        }
    }
}

/// Exchanges the order proof, disproof and the order minimised, summed.
#[inline]
fn ordered(attacks: bool, [first, second]: [u32; 2]) -> [u32; 2] {
    match attacks {
        true => [first, second],
        false => [second, first],
    }
}
