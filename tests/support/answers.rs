//! The answers of an engine, taken apart strictly.
//!
//! Managers differ in what they forgive; these parsers forgive nothing that one
//! of them would not: a number that is not an integer, a `bestmove` line of
//! another shape, or a move that is not written in the game's notation is an
//! error with the line in it.

/// Whether `word` is a turn in the notation that engines print: `f2-e3A`,
/// `d5-d4A-c5W`, `d3-e3`, or a pass.
pub fn looks_like_move(word: &str) -> bool {
    if word == "pass" {
        return true;
    }
    let mut points = word.split('-');
    let Some(origin) = points.next() else {
        return false;
    };
    let steps: Vec<&str> = points.collect();
    let paika = steps.len() == 1 && is_point(steps[0]);
    let captures = !steps.is_empty()
        && steps
            .iter()
            .all(|step| step.strip_suffix(['A', 'W']).is_some_and(is_point));
    is_point(origin) && (paika || captures)
}

fn is_point(text: &str) -> bool {
    matches!(text.as_bytes(), [b'a'..=b'i', b'1'..=b'9'])
}

/// The value of a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Score {
    /// Centi-stones.
    Cp(i64),
    /// Distance to the win, negative for a loss; plies in UGI, moves in UCI.
    Mate(i64),
}

/// One `info` line that is not an `info string`.
#[derive(Debug, Clone, Default)]
pub struct Info {
    pub depth: Option<u64>,
    pub seldepth: Option<u64>,
    pub multipv: Option<u64>,
    pub score: Option<Score>,
    /// Whether the score is only a lower or upper bound.
    pub bound: bool,
    pub nodes: Option<u64>,
    pub nps: Option<u64>,
    pub hashfull: Option<u64>,
    pub time: Option<u64>,
    pub pv: Vec<String>,
}

impl Info {
    /// `None` for a line that is not an `info` line with figures.
    pub fn parse(line: &str) -> Result<Option<Self>, String> {
        let mut words = line.split_whitespace().peekable();
        if words.next() != Some("info") || words.peek() == Some(&"string") {
            return Ok(None);
        }
        let mut info = Self::default();
        while let Some(word) = words.next() {
            let mut number = |what: &str| -> Result<Option<u64>, String> {
                let text = words.next().unwrap_or("");
                let value = text.parse();
                value
                    .map(Some)
                    .map_err(|_| format!("{what} `{text}` is not a whole number in `{line}`"))
            };
            match word {
                "depth" => info.depth = number(word)?,
                "seldepth" => info.seldepth = number(word)?,
                "multipv" => info.multipv = number(word)?,
                "nodes" => info.nodes = number(word)?,
                "nps" => info.nps = number(word)?,
                "hashfull" => info.hashfull = number(word)?,
                "time" => info.time = number(word)?,
                "score" => {
                    let kind = words.next().unwrap_or("");
                    let text = words.next().unwrap_or("");
                    let value = text
                        .parse()
                        .map_err(|_| format!("score `{text}` is no number in `{line}`"))?;
                    info.score = match kind {
                        "cp" => Some(Score::Cp(value)),
                        "mate" => Some(Score::Mate(value)),
                        _ => return Err(format!("unknown kind of score in `{line}`")),
                    };
                }
                "lowerbound" | "upperbound" => info.bound = true,
                "pv" => info.pv = words.by_ref().map(str::to_owned).collect(),
                _ => {}
            }
        }
        if let Some(step) = info.pv.iter().find(|step| !looks_like_move(step)) {
            return Err(format!("`{step}` is no move in `{line}`"));
        }
        Ok(Some(info))
    }
}

/// A `bestmove` line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BestMove {
    /// The move, `0000` when there is none.
    pub turn: String,
    /// The reply that is expected; UCI with `Ponder` on only.
    pub ponder: Option<String>,
}

impl BestMove {
    /// Takes `bestmove M` and `bestmove M ponder P`.
    pub fn parse(line: &str) -> Result<Self, String> {
        let words: Vec<&str> = line.split(' ').collect();
        let (turn, ponder) = match words[..] {
            ["bestmove", turn] => (turn, None),
            ["bestmove", turn, "ponder", reply] => (turn, Some(reply)),
            _ => return Err(format!("malformed `{line}`")),
        };
        let well_formed =
            (turn == "0000" || looks_like_move(turn)) && ponder.is_none_or(looks_like_move);
        if !well_formed {
            return Err(format!("no move of the notation in `{line}`"));
        }
        Ok(Self {
            turn: turn.to_owned(),
            ponder: ponder.map(str::to_owned),
        })
    }
}

/// The answer to one `go`: every line up to its `bestmove`.
#[derive(Debug, Clone)]
pub struct Search {
    /// All lines, the `bestmove` line last.
    pub lines: Vec<String>,
    /// The `info` lines with a score.
    pub scored: Vec<Info>,
    pub best: BestMove,
}

impl Search {
    /// Takes the lines apart; an error names the line at fault.
    pub fn parse(lines: Vec<String>) -> Result<Self, String> {
        let mut scored = Vec::new();
        for line in &lines {
            scored.extend(Info::parse(line)?.filter(|info| info.score.is_some()));
        }
        let last = lines.last().ok_or("an answer without a line")?;
        let best = BestMove::parse(last)?;
        Ok(Self {
            scored,
            best,
            lines,
        })
    }

    /// The last line of play and score of the best move.
    pub fn last(&self) -> Option<&Info> {
        let mut infos = self.scored.iter().rev();
        infos.find(|info| info.multipv.is_none_or(|rank| rank == 1))
    }

    /// The number of lines that begin with `start`.
    pub fn count(&self, start: &str) -> usize {
        let lines = self.lines.iter();
        lines.filter(|line| line.starts_with(start)).count()
    }

    /// What every answer to a `go` must be: a scored line comes before the
    /// `bestmove`, the last one has the figures that managers read, and its
    /// variation begins with the move.
    pub fn check(&self) -> Result<(), String> {
        let lines = || self.lines.join("\n");
        let Some(last) = self.last() else {
            return Err(format!("no scored line before bestmove:\n{}", lines()));
        };
        if last.time.is_none() || last.nps.is_none() || last.nodes.is_none() {
            return Err(format!("time, nodes or nps is missing:\n{}", lines()));
        }
        let begun_with_best = match self.best.turn.as_str() {
            "0000" => last.pv.is_empty(),
            turn => last.pv.first().is_some_and(|first| first == turn),
        };
        if !begun_with_best {
            return Err(format!("the pv does not begin with bestmove:\n{}", lines()));
        }
        Ok(())
    }
}
