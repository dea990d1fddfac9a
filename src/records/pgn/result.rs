//! Results, terminations, annotations and scores in records.

use std::fmt;
use std::iter;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use vato_engine::board::Side;
use vato_engine::rules::Outcome;
use vato_engine::search::ScoreEntry;
use vato_engine::text::{excerpt, named_enum};

named_enum! {
    /// The result that a game record states.
    #[derive(Default)]
    pub enum RecordResult {
        /// `1-0`
        WhiteWins = "1-0",
        /// `0-1`
        BlackWins = "0-1",
        /// `1/2-1/2`
        Draw = "1/2-1/2",
        /// `*`: in progress, abandoned or unknown.
        #[default]
        Unfinished = "*",
    }
}

impl RecordResult {
    /// The result that a text begins with, and the rest: points of White and Black with a dash of any kind or a
    /// colon, `½` for `1/2`, which alone is a draw too.
    pub(super) fn at_start(text: &str) -> Option<(RecordResult, &str)> {
        // In half points.
        const POINTS: [(&str, u8); 5] = [("1/2", 1), ("½", 1), ("0.5", 1), ("1", 2), ("0", 0)];
        let points = |text: &'_ str| {
            let known =
                |(word, points): &(&str, u8)| Some((*points, text.strip_prefix(word)?.len()));
            POINTS.iter().find_map(known)
        };
        let (white, length) = points(text)?;
        let rest = &text[text.len() - length..];
        let dash = rest.trim_start_matches(' ');
        let dash = dash.strip_prefix(['-', '‐', '‑', '‒', '–', '—', '−', ':']);
        let Some(black) = dash.map(|rest| rest.trim_start_matches(' ')) else {
            return (white == 1 && !text.starts_with('0')).then_some((RecordResult::Draw, rest));
        };
        let (points, length) = points(black)?;
        let result = match (white, points) {
            (2, 0) => RecordResult::WhiteWins,
            (0, 2) => RecordResult::BlackWins,
            (1, 1) => RecordResult::Draw,
            _ => return None,
        };
        Some((result, &black[black.len() - length..]))
    }

    /// The result that this text means, however it is written.
    pub(super) fn meant(text: &str) -> Option<RecordResult> {
        let text = text.trim();
        match RecordResult::at_start(text) {
            Some((result, "")) => Some(result),
            _ => text.parse().ok(),
        }
    }

    /// The result of a finished game with this winner; `None` is a draw.
    pub const fn of_winner(winner: Option<Side>) -> RecordResult {
        match winner {
            Some(Side::White) => RecordResult::WhiteWins,
            Some(Side::Black) => RecordResult::BlackWins,
            None => RecordResult::Draw,
        }
    }

    /// The winner, `None` without one.
    pub const fn winner(self) -> Option<Side> {
        match self {
            RecordResult::WhiteWins => Some(Side::White),
            RecordResult::BlackWins => Some(Side::Black),
            RecordResult::Draw | RecordResult::Unfinished => None,
        }
    }
}

impl From<Option<Outcome>> for RecordResult {
    /// The result of a game with this outcome; unfinished without one.
    fn from(outcome: Option<Outcome>) -> RecordResult {
        outcome.map_or(RecordResult::Unfinished, |outcome| {
            RecordResult::of_winner(outcome.winner)
        })
    }
}

impl FromStr for RecordResult {
    type Err = String;

    fn from_str(text: &str) -> Result<RecordResult, String> {
        let text_of_error = || {
            let text = excerpt(text);
            format!("invalid result '{text}': expected 1-0, 0-1, 1/2-1/2 or *")
        };
        RecordResult::from_name(text).ok_or_else(text_of_error)
    }
}

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Termination {
    /// By the rules.
    Normal,
    /// Adjudicated, reason unknown: written by older versions.
    Adjudication,
    /// Adjudicated: the loser's scores stayed below the resign threshold.
    AdjudicatedLoss,
    /// Adjudicated: the scores stayed near zero.
    AdjudicatedDraw,
    /// Adjudicated: by the tablebases.
    AdjudicatedTablebase,
    /// Adjudicated: the game reached the maximum length.
    AdjudicatedLength,
    /// The loser resigned.
    Resignation,
    /// The loser exceeded its time: from here on faults of the engine.
    TimeLoss,
    /// The loser played an illegal move.
    IllegalMove,
    /// The loser's answer could not be parsed as a move.
    UnparsableAnswer,
    /// The loser's process exited or closed its output.
    Crash,
    /// The loser did not answer.
    Hang,
    /// The loser's process did not start; no game was played.
    NoStart,
    /// The loser had failed to start for several games in a row and was not tried again. No winner if that
    /// is true of both.
    Withdrawn,
}

impl Termination {
    /// Whether the loser lost by a fault of the engine.
    pub fn is_fault(self) -> bool {
        self >= Termination::TimeLoss
    }

    /// Whether the loser's process failed or was not there; PGN calls such games abandoned.
    pub fn is_abandoned(self) -> bool {
        self >= Termination::Crash
    }

    /// The text for it, and the value of the PGN tag `Termination`.
    const fn words(self) -> (&'static str, &'static str) {
        match self {
            Termination::Normal => ("by the rules", "normal"),
            Termination::Adjudication => ("adjudication", "adjudication"),
            Termination::AdjudicatedLoss => ("adjudicated as lost", "adjudication"),
            Termination::AdjudicatedDraw => ("adjudicated as level", "adjudication"),
            Termination::AdjudicatedTablebase => ("adjudicated by tablebases", "adjudication"),
            Termination::AdjudicatedLength => ("adjudicated by length", "adjudication"),
            Termination::Resignation => ("resignation", "resignation"),
            Termination::TimeLoss => ("time loss", "time forfeit"),
            Termination::IllegalMove => ("illegal move", "rules infraction"),
            Termination::UnparsableAnswer => ("unparsable answer", "rules infraction"),
            Termination::Crash => ("crash", "abandoned"),
            Termination::Hang => ("hang", "abandoned"),
            Termination::NoStart => ("no start", "abandoned"),
            Termination::Withdrawn => ("absence", "abandoned"),
        }
    }

    /// The value of the PGN tag `Termination`.
    pub const fn pgn(self) -> &'static str {
        self.words().1
    }
}

impl fmt::Display for Termination {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.words().0)
    }
}

/// A numeric annotation glyph (NAG), such as `$4` for a blunder. The standard defines 0 to 139.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Nag(pub u8);

impl Nag {
    /// A poor move, a mistake: `$2`, `?`.
    pub const MISTAKE: Nag = Nag(2);
    /// A very poor move, a blunder: `$4`, `??`.
    pub const BLUNDER: Nag = Nag(4);
    /// A questionable move: `$6`, `?!`.
    pub const DUBIOUS: Nag = Nag(6);

    /// Symbols and their numbers; the first six are written, too.
    const SIGNS: &str = "! 1 ? 2 !! 3 ?? 4 !? 5 ?! 6 \
        ‼ 3 ⁇ 4 ⁉ 5 ⁈ 6 □ 7 = 10 ∞ 13 ⩲ 14 += 14 ⩱ 15 =+ 15 ± 16 ∓ 17 +- 18 -+ 19 △ 140";

    fn signs() -> impl Iterator<Item = (&'static str, Nag)> {
        let mut words = Nag::SIGNS.split_ascii_whitespace();
        iter::from_fn(move || Some((words.next()?, Nag(words.next()?.parse().ok()?))))
    }

    /// The symbol of the glyph, if there is one: `??` for `$4`.
    pub fn sign(self) -> Option<&'static str> {
        let (sign, _) = Nag::signs().take(6).find(|(_, nag)| *nag == self)?;
        Some(sign)
    }

    /// The symbol, or else the number: `??`, `$14`.
    pub fn mark(&self) -> String {
        self.sign().map_or_else(|| self.to_string(), str::to_owned)
    }

    /// The glyph of a symbol or of a number, `!?` or `$14`; `None` for other text, such as `!!!`.
    pub fn parse(text: &str) -> Option<Nag> {
        if let Some(number) = text.strip_prefix('$') {
            return number.parse().ok().map(Nag);
        }
        let (_, nag) = Nag::signs().find(|(sign, _)| *sign == text)?;
        Some(nag)
    }
}

impl fmt::Display for Nag {
    /// As written in records: `$4`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "${}", self.0)
    }
}

/// The comment on a move: `+0.35/12 0.840s`, score in stones from the mover's view (`+M5` if the game is
/// decided: plies to its end), depth, seconds.
pub fn move_comment(score: Option<ScoreEntry>, depth: Option<u32>, seconds: f64) -> String {
    let score = score.map_or(String::new(), |score| score.to_string());
    let depth = depth.map_or(String::new(), |depth| format!("/{depth}"));
    let space = if score.is_empty() && depth.is_empty() {
        ""
    } else {
        " "
    };
    format!("{score}{depth}{space}{seconds:.3}s")
}

#[cfg(test)]
mod tests {
    use super::*;
    use vato_engine::rules::Reason;

    #[test]
    fn outcomes_are_results() {
        for result in RecordResult::ALL {
            assert_eq!(result.to_string().parse(), Ok(result));
        }
        assert_eq!(RecordResult::from(None).name(), "*");
        let reason = Reason::Repetition;
        for (winner, result) in [
            (Some(Side::White), "1-0"),
            (Some(Side::Black), "0-1"),
            (None, "1/2-1/2"),
        ] {
            let outcome = Outcome { winner, reason };
            let found = RecordResult::from(Some(outcome));
            assert_eq!((found.name(), found.winner()), (result, winner));
            assert_eq!(RecordResult::of_winner(winner), found);
        }
        for text in ["", "1-1", "1/2", "1-0 ", "0-0"] {
            assert!(text.parse::<RecordResult>().is_err(), "'{text}'");
        }
    }

    #[test]
    fn comments_as_tournaments_write_them() {
        for (score, written) in [
            (ScoreEntry::CentiStones(35), "+0.35"),
            (ScoreEntry::PliesToEnd(-4), "-M4"),
            (ScoreEntry::CentiStones(29_995), "+TB"),
            (ScoreEntry::CentiStones(-29_000), "-TB"),
            (ScoreEntry::CentiStones(28_999), "+289.99"),
        ] {
            let comment = move_comment(Some(score), Some(12), 0.8404);
            assert_eq!(comment, format!("{written}/12 0.840s"));
        }
        assert_eq!(move_comment(None, None, 0.8404), "0.840s");
    }

    #[test]
    fn signs_and_numbers_belong_together() {
        for (sign, nag) in Nag::signs().take(6) {
            assert_eq!(nag.sign(), Some(sign));
            assert_eq!(Nag::parse(sign), Some(nag));
            assert_eq!(Nag::parse(&nag.to_string()), Some(nag));
        }
        assert_eq!(Nag::parse("!!!"), None);
        assert_eq!(Nag(7).sign(), None);
        assert_eq!(Nag::BLUNDER.to_string(), "$4");
    }
}
