//! `info`: report of a running search.

use std::fmt;

use super::words::{field, some};
use crate::search::Bound;

/// Fields of an `info` line; missing ones are `None` or empty. Moves are text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Info {
    /// Depth of the iteration, in plies.
    pub depth: Option<u32>,
    /// Maximum ply reached.
    pub seldepth: Option<u32>,
    /// Rank among the best moves, from 1.
    pub multipv: Option<u32>,
    /// Score from the point of view of the side to move.
    pub score: Option<InfoScore>,
    /// Win, draw and loss probabilities of the side to move, in thousandths.
    pub wdl: Option<[u32; 3]>,
    /// Nodes searched.
    pub nodes: Option<u64>,
    /// Nodes a second.
    pub nps: Option<u64>,
    /// Share of the transposition table in use, in thousandths.
    pub hashfull: Option<u32>,
    /// Tablebase hits.
    pub tbhits: Option<u64>,
    /// Milliseconds since the search began.
    pub time: Option<u64>,
    /// The root move being searched.
    pub currmove: Option<String>,
    /// Its index in the search order, from 1.
    pub currmovenumber: Option<u32>,
    /// The principal variation.
    pub pv: Vec<String>,
}

/// `score …`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InfoScore {
    /// The value.
    pub value: ScoreValue,
    /// Kind of bound.
    pub bound: Bound,
}

/// Value of a score.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScoreValue {
    /// `cp`: centi-stones.
    CentiStones(i32),
    /// `mate`: plies (UGI) or moves (UCI) to the end of a decided game, negative (or zero) if the
    /// side to move loses.
    Mate(i32),
}

impl fmt::Display for Info {
    /// The fields in the usual order, each preceded by a space.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let wdl = self
            .wdl
            .map(|[win, draw, loss]| format!("{win} {draw} {loss}"));
        let fields = [
            field("depth", self.depth),
            field("seldepth", self.seldepth),
            field("multipv", self.multipv),
            field("score", self.score),
            field("wdl", wdl),
            field("nodes", self.nodes),
            field("nps", self.nps),
            field("hashfull", self.hashfull),
            field("tbhits", self.tbhits),
            field("time", self.time),
            field("currmove", self.currmove.as_ref()),
            field("currmovenumber", self.currmovenumber),
            some("pv", &self.pv.join(" ")),
        ];
        f.write_str(&fields.concat())
    }
}

impl fmt::Display for InfoScore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.value {
            ScoreValue::CentiStones(value) => write!(f, "cp {value}")?,
            ScoreValue::Mate(distance) => write!(f, "mate {distance}")?,
        }
        f.write_str(match self.bound {
            Bound::Exact => "",
            Bound::Lower => " lowerbound",
            Bound::Upper => " upperbound",
        })
    }
}
