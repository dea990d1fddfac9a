//! Scores, numbers and lines as text, and the character set of the terminal.

use std::env;
use std::io::{self, Write};

use vato_engine::board::{Position, Side};
use vato_engine::notation::{Charset, diagram, format_fen};
use vato_engine::rules::{Game, Rules};
use vato_engine::search::{Bound, Score};

/// The score of a side as people are shown it, from White's view whoever that side is: `+0.35`, `+M7` if White wins in 7
/// plies, `-TB` if the tables know that Black does, with the plies to a `conversion` in them behind it: `-TB 12`; a bound
/// is preceded by its sign.
pub fn score_text(score: Score, side: Side, bound: Bound, conversion: Option<u32>) -> String {
    let sign = match (bound, side) {
        (Bound::Exact, _) => "",
        (Bound::Lower, Side::White) | (Bound::Upper, Side::Black) => ">=",
        (Bound::Upper, Side::White) | (Bound::Lower, Side::Black) => "<=",
    };
    let plies = conversion.map_or(String::new(), |plies| format!(" {plies}"));
    format!("{sign}{}{plies}", side.for_white(score).short_text())
}

/// The number of the next move as game records have it: `12.`, for Black `12...`.
pub fn move_number(position: &Position) -> String {
    let dots = match position.side() {
        Side::White => ".",
        Side::Black => "...",
    };
    format!("{}{dots}", position.move_number())
}

/// Draws the position of a game, with its FEN and its rules.
pub fn write_position(out: &mut impl Write, game: &Game, ascii: bool) -> io::Result<()> {
    let (rules, position) = (game.rules(), game.position());
    write!(out, "{}", diagram(position, rules.board, charset(ascii)))?;
    writeln!(out, "{} to move", position.side())?;
    writeln!(out, "{}", format_fen(position, rules.board))?;
    if *rules != Rules::STANDARD {
        writeln!(out, "rules: {rules}")?;
    }
    writeln!(out)
}

/// The number with its sign and this many decimals; zero after rounding is `+0`, never `-0`.
pub fn signed(value: f64, decimals: usize) -> String {
    let text = format!("{value:+.decimals$}");
    match text.strip_prefix('-') {
        Some(size) if size.bytes().all(|byte| matches!(byte, b'0' | b'.')) => format!("+{size}"),
        _ => text,
    }
}

/// ASCII if requested or if the locale does not use UTF-8.
pub fn charset(ascii: bool) -> Charset {
    match ascii || !locale_is_utf8() {
        true => Charset::Ascii,
        false => Charset::Unicode,
    }
}

/// Whether the locale uses UTF-8: the first of `LC_ALL`, `LC_CTYPE` and `LANG` that is set decides. Windows
/// has no such variables; its consoles accept Unicode.
fn locale_is_utf8() -> bool {
    let values = ["LC_ALL", "LC_CTYPE", "LANG"].into_iter();
    let mut values = values.filter_map(|name| env::var(name).ok());
    let locale = values.find(|value| !value.is_empty());
    locale.map_or(cfg!(windows), |locale| {
        let locale = locale.to_ascii_lowercase();
        locale.contains("utf-8") || locale.contains("utf8")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_are_for_white() {
        let text = |hundredths, side| {
            score_text(
                Score::from_centi_stones(hundredths),
                side,
                Bound::Exact,
                None,
            )
        };
        for (hundredths, white, black) in [
            (0, "+0.00", "+0.00"),
            (35, "+0.35", "-0.35"),
            (-7, "-0.07", "+0.07"),
            (-1234, "-12.34", "+12.34"),
        ] {
            assert_eq!(text(hundredths, Side::White), white);
            assert_eq!(text(hundredths, Side::Black), black);
        }
        let win = Score::win_in(7);
        assert_eq!(score_text(win, Side::White, Bound::Lower, None), ">=+M7");
        assert_eq!(score_text(win, Side::Black, Bound::Lower, None), "<=-M7");
        assert_eq!(score_text(win, Side::Black, Bound::Upper, None), ">=-M7");
        let won = Score::tablebase_win(9);
        let known = |plies, side| score_text(won, side, Bound::Exact, plies);
        assert_eq!(known(None, Side::White), "+TB");
        assert_eq!(known(Some(12), Side::Black), "-TB 12");
    }

    #[test]
    fn nothing_is_not_less_than_nothing() {
        assert_eq!(signed(-0.4, 0), "+0");
        assert_eq!(signed(-0.04, 1), "+0.0");
        assert_eq!(signed(-0.0, 2), "+0.00");
        assert_eq!(signed(-0.6, 0), "-1");
        assert_eq!(signed(12.34, 1), "+12.3");
        assert_eq!(signed(f64::NEG_INFINITY, 1), "-inf");
    }
}
