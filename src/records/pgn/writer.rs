//! The PGN writer: the export format of the standard.

use std::fmt::{self, Write};

use super::tokens::only_comment_is_final;
use super::{GameRecord, RecordedMove};
use vato_engine::board::Side;

/// Lines of moves have fewer than 80 columns.
const LONGEST_LINE: usize = 79;

impl fmt::Display for GameRecord {
    /// Tags, a blank line, moves, a blank line.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for tag in self.tags() {
            write!(f, "[{} \"", tag.name())?;
            for character in tag.value().chars() {
                if matches!(character, '"' | '\\') {
                    f.write_char('\\')?;
                }
                f.write_char(character)?;
            }
            f.write_str("\"]\n")?;
        }
        f.write_char('\n')?;
        let mut lines = Lines {
            out: f,
            column: 0,
            word: String::new(),
            opens: false,
        };
        self.write_moves(&mut lines)?;
        lines.end()?;
        f.write_str("\n\n")
    }
}

impl GameRecord {
    fn write_moves(&self, lines: &mut Lines<'_, '_>) -> fmt::Result {
        // An invalid FEN gives no side or move number; the moves are written all the same.
        let start = self.start().map(|(_, position)| position).ok();
        let side = start.map_or(Side::White, |position| position.side());
        let number = start.map_or(1, |position| position.move_number());
        lines.comment(self.introduction())?;
        lines.moves(self.moves(), number, side)?;
        let last = match self.moves().last() {
            Some(mv) => comment_on(mv),
            None => self.introduction(),
        };
        let is_final = only_comment_is_final(self.moves(), self.result());
        // An empty comment, where the only comment would otherwise be taken for the other kind.
        match (last, self.final_comment()) {
            (None, Some(comment)) if is_final => lines.comment(Some(comment))?,
            (None, Some(comment)) => {
                lines.word("{}")?;
                lines.comment(Some(comment))?;
            }
            (Some(_), None) if is_final => lines.word("{}")?,
            (_, comment) => lines.comment(comment)?,
        }
        lines.word(self.result().name())
    }
}

/// The comment behind a move and its variations.
fn comment_on(mv: &RecordedMove) -> Option<&str> {
    match mv.variations.last() {
        Some(variation) => variation.comment_after.as_deref(),
        None => mv.comment.as_deref(),
    }
}

/// Wraps words into lines.
struct Lines<'a, 'b> {
    out: &'a mut fmt::Formatter<'b>,
    /// The length of the line so far, in characters.
    column: usize,
    /// The last word, which is not written yet: brackets may follow it.
    word: String,
    /// Whether the next word is the first of a variation.
    opens: bool,
}

impl Lines<'_, '_> {
    /// Moves and their variations; the first one is that of `side` with this number.
    fn moves(&mut self, moves: &[RecordedMove], number: u32, side: Side) -> fmt::Result {
        let (mut number, mut side) = (number, side);
        let mut after_white_move = false;
        for mv in moves {
            match side {
                Side::White => self.word(&format!("{number}."))?,
                Side::Black if !after_white_move => self.word(&format!("{number}..."))?,
                Side::Black => {}
            }
            self.word(mv.text())?;
            for nag in mv.annotations() {
                self.word(&nag.to_string())?;
            }
            self.comment(mv.comment.as_deref())?;
            for variation in &mv.variations {
                self.opens = true;
                self.comment(variation.introduction.as_deref())?;
                self.moves(&variation.moves, number, side)?;
                self.word.push(')');
                self.comment(variation.comment_after.as_deref())?;
            }
            // After a comment or a variation the standard requires Black's move to be numbered too.
            after_white_move =
                side == Side::White && mv.comment.is_none() && mv.variations.is_empty();
            // As a position counts.
            number = number.saturating_add(side.index() as u32);
            side = !side;
        }
        Ok(())
    }

    fn word(&mut self, word: &str) -> fmt::Result {
        self.end()?;
        if std::mem::take(&mut self.opens) {
            self.word.push('(');
        }
        self.word.push_str(word);
        Ok(())
    }

    fn comment(&mut self, comment: Option<&str>) -> fmt::Result {
        let Some(comment) = comment else {
            return Ok(());
        };
        let braced = format!("{{{comment}}}");
        for word in braced.split(' ') {
            self.word(word)?;
        }
        Ok(())
    }

    /// Writes the last word.
    fn end(&mut self) -> fmt::Result {
        if self.word.is_empty() {
            return Ok(());
        }
        let length = self.word.chars().count();
        if self.column > 0 {
            // At the start of a line these have another meaning, at least for some readers.
            let may_begin_line = !self.word.starts_with(['%', '[', ';']);
            if may_begin_line && self.column + 1 + length > LONGEST_LINE {
                self.out.write_char('\n')?;
                self.column = 0;
            } else {
                self.out.write_char(' ')?;
                self.column += 1;
            }
        }
        self.column += length;
        self.out.write_str(&self.word)?;
        self.word.clear();
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pgn::{PgnReader, RecordResult};
    use vato_engine::notation::parse_fen;
    use vato_engine::rules::Rules;

    #[test]
    fn records_are_written_as_the_standard_has_them() {
        let rules = Rules::STANDARD;
        let mut record = GameRecord::new(&rules, &rules.start());
        record.set_tag("White", "a \"b\" \\").expect("good");
        record.set_tag("Date", "2026.05.01").expect("good");
        record.push_move("d3-e3A", None).expect("good");
        record.push_move("f4-f3A", Some("x}")).expect("good");
        let comment = Some("+0.35/12 0.84s");
        record.push_move("d2-e3A", comment).expect("good");
        record.push_move("g5-f4A", None).expect("good");
        record.set_final_comment("the end");
        record.set_result(RecordResult::BlackWins);
        assert_eq!(
            record.to_string(),
            "[Event \"?\"]\n[Site \"?\"]\n[Date \"2026.05.01\"]\n[Round \"?\"]\n\
             [White \"a \\\"b\\\" \\\\\"]\n[Black \"?\"]\n[Result \"0-1\"]\n[Variant \"tsivy\"]\n\
             [Rules \"board=9x5 capture=forced chain=free direction=change opening=free \
             blocked=loss tie=draw repeat=3 limit=100 vela=off\"]\n\n\
             1. d3-e3A f4-f3A {x)} 2. d2-e3A {+0.35/12 0.84s} 2... g5-f4A {} {the end} 0-1\n\n"
        );
    }

    /// The number of a move is that of its position, which has a greatest one.
    #[test]
    fn no_move_has_a_number_that_is_not_read() {
        let mut record = GameRecord::default();
        let fen = format!("9/3b5/9/9/w7w w 0 {}", u32::MAX);
        record.set_tag("FEN", &fen).expect("good");
        for text in ["i1-h2", "d4-d3", "a1-b1"] {
            record.push_move(text, None).expect("good");
        }
        let moves = format!("\n{0}. i1-h2 d4-d3 {0}. a1-b1 *\n\n", u32::MAX);
        assert!(record.to_string().ends_with(&moves), "{record}");
    }

    #[test]
    fn games_without_moves_need_no_empty_comment() {
        for (introduction, end, result, written) in [
            ("", "resigned", RecordResult::BlackWins, "{resigned} 0-1"),
            ("to win", "", RecordResult::Unfinished, "{to win} *"),
            ("a", "b", RecordResult::Draw, "{a} {b} 1/2-1/2"),
            // These two belong to no move.
            ("", "stopped", RecordResult::Unfinished, "{} {stopped} *"),
            ("a", "", RecordResult::Draw, "{a} {} 1/2-1/2"),
        ] {
            let mut record = GameRecord::default();
            record.set_introduction(introduction);
            record.set_final_comment(end);
            record.set_result(result);
            let text = record.to_string();
            assert!(text.ends_with(&format!("\n\n{written}\n\n")), "{text}");
            let mut read = PgnReader::new(text.as_bytes());
            assert_eq!(read.next().expect("a game").expect("good"), record);
        }
    }

    #[test]
    fn numbers_follow_the_position() {
        let rules = Rules::STANDARD;
        let start = parse_fen("9/9/3wb4/9/9 b 0 7", rules.board).expect("good");
        let mut record = GameRecord::new(&rules, &start);
        for text in ["e3-f3", "d3-c3", "f3-g3"] {
            record.push_move(text, None).expect("good");
        }
        let (text, wanted) = (record.to_string(), "\n\n7... e3-f3 8. d3-c3 f3-g3 *\n\n");
        assert!(text.contains(wanted), "{text}");
        record.set_tag("FEN", "nonsense").expect("good");
        let text = record.to_string();
        assert!(text.contains("\n\n1. e3-f3 d3-c3 2. f3-g3 *\n\n"), "{text}");
    }
}
