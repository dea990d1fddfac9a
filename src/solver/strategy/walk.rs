//! Checking a strategy, by the rules and the tables alone: no code of the search is used.

use std::sync::Arc;

use rustc_hash::FxHashSet;
use vato_engine::board::Side;
use vato_engine::proofs::{Claim, Record, Strategy};
use vato_engine::rules::{MoveList, position_outcome};
use vato_engine::tablebase::Tablebases;

use crate::tree::Tree;
use crate::verify::Faults;

/// What a walk through a strategy found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StrategyReport {
    /// Positions that play by the strategy leads to.
    pub positions: u64,
    /// Those of them with a reply.
    pub replies: u64,
    /// What is wrong.
    pub faults: Faults,
}

/// Walks from the roots: each move of the side that is to be held, the reply of the other one, to the tables.
///
/// # Errors
///
/// If the tables do not include those that the strategy leads to, or there is not the memory for the positions: 32
/// to 64 bytes for each.
pub fn verify_strategy(
    strategy: &Strategy,
    tables: &Arc<Tablebases>,
) -> Result<StrategyReport, String> {
    strategy.require_tables(tables)?;
    let no_memory = |_| "no memory for the positions".to_owned();
    let mut report = StrategyReport::default();
    for holder in Side::BOTH {
        let tree = Tree {
            leaf_stones: strategy.header.stones,
            ..Tree::new(&strategy.rules, tables, !holder)
        };
        let roots = strategy.roots.iter().filter(|(_, side)| *side == holder);
        let mut open: Vec<_> = roots.map(|(node, _)| *node).collect();
        let mut seen: FxHashSet<_> = open.iter().map(Record::key).collect();
        let (mut moves, mut children) = (MoveList::new(), Vec::new());
        while let Some(node) = open.pop() {
            children.clear();
            let end = position_outcome(&strategy.rules, &node.position());
            if end.is_none() {
                tree.expand(&node, &mut moves, &mut children);
            } else if end.is_some_and(|end| end.winner == Some(!holder)) {
                let lost = || format!("{holder} has lost: {:?}", node.stones());
                report.faults.note(lost);
            }
            report.positions += 1;
            if node.side == holder && end.is_none() {
                report.replies += 1;
                let reply = strategy.child(&node);
                children.retain(|child| Some(child.node) == reply);
                if children.is_empty() {
                    report
                        .faults
                        .note(|| format!("{holder} has no reply: {:?}", node.stones()));
                }
            }
            for child in &children {
                match child.terminal {
                    Some(Claim::CannotWin) => {}
                    Some(Claim::Wins) => {
                        report.faults.note(|| {
                            format!("{holder} loses by the tables: {:?}", child.node.stones())
                        });
                    }
                    None => {
                        seen.try_reserve(1).map_err(no_memory)?;
                        if seen.insert(Record::key(&child.node)) {
                            open.try_reserve(1).map_err(no_memory)?;
                            open.push(child.node);
                        }
                    }
                }
            }
        }
    }
    let (found, expected) = (report.replies, strategy.header.positions);
    if found != expected {
        let what = || format!("{found} positions with a reply, expected {expected}");
        report.faults.note(what);
    }
    Ok(report)
}
