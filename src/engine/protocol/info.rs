//! `info`: report of a running search.

use std::fmt;
use std::str::FromStr;

use super::words::{ParseError, Words, field, some};
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

/// The keywords that end a principal variation.
const KEYWORDS: &str = "depth seldepth multipv score wdl nodes nps hashfull tbhits time currmove \
     currmovenumber cpuload pv string";

impl Info {
    /// Parses the text after the word `info`. Unknown words are skipped: engines have fields of their own.
    pub(super) fn parse(mut words: Words<'_>) -> Result<Info, ParseError> {
        let mut info = Info::default();
        let words = &mut words;
        while let Some(word) = words.next() {
            match word {
                "depth" => info.depth = Some(number("info depth", words)?),
                "seldepth" => info.seldepth = Some(number("info seldepth", words)?),
                "multipv" => info.multipv = Some(number("info multipv", words)?),
                "score" => info.score = Some(parse_score(words)?),
                "wdl" => {
                    let mut figure = || number("info wdl", words);
                    info.wdl = Some([figure()?, figure()?, figure()?]);
                }
                "nodes" => info.nodes = Some(number("info nodes", words)?),
                "nps" => info.nps = Some(number("info nps", words)?),
                "hashfull" => info.hashfull = Some(number("info hashfull", words)?),
                "tbhits" => info.tbhits = Some(number("info tbhits", words)?),
                "time" => info.time = Some(number("info time", words)?),
                "currmove" => {
                    let mv = words.required("info currmove", "the move")?;
                    info.currmove = Some(mv.to_owned());
                }
                "currmovenumber" => {
                    info.currmovenumber = Some(number("info currmovenumber", words)?)
                }
                "pv" => info.pv = words.until(KEYWORDS).map(str::to_owned).collect(),
                // The rest of the line is text or a variation.
                "string" | "refutation" | "currline" => break,
                _ => {}
            }
        }
        Ok(info)
    }
}

fn number<T: FromStr>(place: &str, words: &mut Words<'_>) -> Result<T, ParseError> {
    let word = words.required(place, "the number")?;
    word.parse()
        .map_err(|_| ParseError::wrong(place, Some(word), "a whole number"))
}

fn parse_score(words: &mut Words<'_>) -> Result<InfoScore, ParseError> {
    let value = match words.next() {
        Some("cp") => ScoreValue::CentiStones(number("info score cp", words)?),
        Some("mate") => ScoreValue::Mate(number("info score mate", words)?),
        other => return Err(ParseError::wrong("info score", other, "cp or mate")),
    };
    let bound = if words.next_if("lowerbound") {
        Bound::Lower
    } else if words.next_if("upperbound") {
        Bound::Upper
    } else {
        Bound::Exact
    };
    Ok(InfoScore { value, bound })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Info, String> {
        Info::parse(Words::new(text)).map_err(|error| error.to_string())
    }

    #[test]
    fn a_full_line() {
        let text = " depth 7 seldepth 12 multipv 2 score mate -3 lowerbound wdl 0 0 1000 nodes 5 \
                    nps 6 hashfull 7 tbhits 8 time 9 currmove a1-a2 currmovenumber 3 pv d3-e3A e2-e3";
        let info = read(text).expect("right");
        assert_eq!(info.to_string(), text);
        assert_eq!(info.pv, ["d3-e3A", "e2-e3"]);
        assert_eq!(info.wdl, Some([0, 0, 1000]));
    }

    #[test]
    fn what_is_unknown_is_skipped() {
        let info = read("depth 3 cpuload 500 pv a1-a2 a2-a1 time 5 colour red string depth x");
        let info = info.expect("right");
        assert_eq!(
            (info.depth, info.time, info.pv.len()),
            (Some(3), Some(5), 2)
        );
    }

    #[test]
    fn what_is_wrong_is_named() {
        let error = |text: &str| read(text).expect_err(text);
        assert_eq!(error("depth x"), "info depth: 'x', expected a whole number");
        assert_eq!(
            error("time 1.5"),
            "info time: '1.5', expected a whole number"
        );
        assert_eq!(error("nodes"), "info nodes: the number is missing");
        assert_eq!(error("score 5"), "info score: '5', expected cp or mate");
    }
}
