//! How long each position is searched.

use std::time::Duration;

use clap::Args;
use vato::counted;
use vato::search::{Limits, MAX_DEPTH};

/// At most one of the limits.
#[derive(Args, Debug)]
#[group(multiple = false)]
pub(super) struct LimitArguments {
    /// Search to this depth, in plies
    #[arg(long, value_name = "D", value_parser = clap::value_parser!(u32).range(1..=i64::from(MAX_DEPTH)))]
    depth: Option<u32>,

    /// Search this many nodes [default with --pgn: 100000]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,

    /// Search for this many milliseconds [default: 5000]
    #[arg(long, value_name = "MS", value_parser = clap::value_parser!(u64).range(1..))]
    movetime: Option<u64>,
}

/// What limits an analysis that sets no limit.
#[derive(Clone, Copy, Debug)]
pub(super) enum DefaultLimit {
    /// Of a position: somebody waits for it.
    Time(Duration),
    /// Of each position of a game: the same every time.
    Nodes(u64),
}

impl LimitArguments {
    /// The limits of an analysis that reports so many best moves.
    pub(super) fn limits(&self, default: DefaultLimit, multipv: usize) -> Limits {
        let LimitArguments {
            depth,
            nodes,
            movetime,
        } = *self;
        let mut limits = Limits {
            depth,
            nodes,
            movetime: movetime.map(Duration::from_millis),
            multipv,
            analyse: true,
            ..Limits::default()
        };
        if depth.is_none() && nodes.is_none() && movetime.is_none() {
            match default {
                DefaultLimit::Time(time) => limits.movetime = Some(time),
                DefaultLimit::Nodes(nodes) => limits.nodes = Some(nodes),
            }
        }
        limits
    }
}

/// The limit in words: `depth 12`, `100000 nodes`, `500 ms`.
pub(super) fn limit_text(limits: &Limits) -> String {
    match (limits.depth, limits.nodes, limits.movetime) {
        (Some(depth), _, _) => format!("depth {depth}"),
        (_, Some(nodes), _) => counted(nodes, "node", "nodes"),
        (_, _, time) => format!("{} ms", time.unwrap_or_default().as_millis()),
    }
}
