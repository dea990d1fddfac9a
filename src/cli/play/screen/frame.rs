//! A frame of the screen, and writing it to the terminal.

use std::io::{self, Write};

use crossterm::cursor::{Hide, MoveTo, Show};
use crossterm::queue;
use crossterm::style::{Attribute, Color, ContentStyle, Print, SetAttribute, SetStyle};
use crossterm::terminal::{BeginSynchronizedUpdate, Clear, ClearType, EndSynchronizedUpdate};
use unicode_segmentation::UnicodeSegmentation;
use unicode_width::UnicodeWidthStr;

#[derive(Clone, PartialEq, Eq)]
pub(super) struct Cell {
    /// One displayed character; empty in the right half of a wide one.
    pub(super) text: String,
    pub(super) style: ContentStyle,
}

/// A frame: the contents of the whole terminal.
pub(super) struct Frame {
    pub(super) width: u16,
    pub(super) height: u16,
    /// From top to bottom, each from left to right.
    pub(super) rows: Vec<Vec<Cell>>,
    /// The column and the row of the cursor; `None` hides it.
    pub(super) cursor: Option<(u16, u16)>,
    /// Whether a text had no room.
    pub(super) is_cut: bool,
}

impl Frame {
    pub(super) fn new((width, height): (u16, u16)) -> Frame {
        let blank = Cell {
            text: " ".to_owned(),
            style: ContentStyle::new(),
        };
        Frame {
            width,
            height,
            rows: vec![vec![blank; usize::from(width)]; usize::from(height)],
            cursor: None,
            is_cut: false,
        }
    }

    /// Writes a text, clipped at the end of the row. Control characters are omitted.
    pub(super) fn print(&mut self, column: u16, row: u16, text: &str, style: ContentStyle) {
        let Some(cells) = self.rows.get_mut(usize::from(row)) else {
            self.is_cut |= !text.is_empty();
            return;
        };
        let mut column = usize::from(column);
        for symbol in text.graphemes(true) {
            if symbol.contains(char::is_control) {
                continue;
            }
            let end = column + symbol.width();
            let Some(covered) = cells.get_mut(column..end) else {
                self.is_cut = true;
                return;
            };
            let text = String::new();
            covered.fill(Cell { text, style });
            if let Some(first) = covered.first_mut() {
                symbol.clone_into(&mut first.text);
            }
            column = end;
        }
    }

    /// Sets the background of the cells of a rectangle that have none.
    pub(super) fn paint(
        &mut self,
        (left, top): (u16, u16),
        (width, height): (u16, u16),
        color: Color,
    ) {
        let rows = self.rows.iter_mut().skip(top.into()).take(height.into());
        for cell in rows.flat_map(|row| row.iter_mut().skip(left.into()).take(width.into())) {
            cell.style.background_color.get_or_insert(color);
        }
    }

    /// Writes the rows that differ from the frame `shown`; all rows if the size differs.
    pub(super) fn write(&self, shown: &Frame, output: &mut impl Write) -> io::Result<()> {
        queue!(output, BeginSynchronizedUpdate)?;
        let is_resized = (self.width, self.height) != (shown.width, shown.height);
        if is_resized {
            queue!(output, Clear(ClearType::All))?;
        }
        let mut style = ContentStyle::new();
        for (row, cells) in (0..).zip(&self.rows) {
            if !is_resized && shown.rows.get(usize::from(row)) == Some(cells) {
                continue;
            }
            queue!(output, MoveTo(0, row))?;
            for (column, cell) in (1..).zip(cells) {
                if cell.style != style {
                    style = cell.style;
                    queue!(output, SetAttribute(Attribute::Reset), SetStyle(style))?;
                }
                queue!(output, Print(&cell.text))?;
                // Terminals differ in the width of such characters: the cursor position is set again.
                if cell.text.width() != 1 {
                    queue!(output, MoveTo(column, row))?;
                }
            }
        }
        queue!(output, SetAttribute(Attribute::Reset))?;
        match self.cursor {
            Some((column, row)) => queue!(output, MoveTo(column, row), Show)?,
            None => queue!(output, Hide)?,
        }
        queue!(output, EndSynchronizedUpdate)
    }
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroU16;

    use super::*;

    #[test]
    fn pictures_follow_each_other() {
        let [high, wide] = [3, 8].map(|side| NonZeroU16::new(side).expect("more than nothing"));
        let mut parser = vt100::Parser::new(high, wide, 0);
        let mut shown = Frame::new((0, 0));
        let bold = ContentStyle {
            attributes: Attribute::Bold.into(),
            ..ContentStyle::new()
        };
        for (texts, expected) in [
            (["one", "two\x1b[7m", "three"], "one\ntwo[7m\nthree"),
            (["one", "日本e\u{301}", "3"], "one\n日本e\u{301}\n3"),
            (["", "1234567日", "12345678"], "\n1234567\n12345678"),
            (["", "", ""], ""),
        ] {
            let mut frame = Frame::new((8, 3));
            for (row, text) in (0..).zip(texts) {
                frame.print(0, row, text, bold);
            }
            frame.print(0, 3, "below", bold);
            frame.print(9, 0, "beside", bold);
            frame.cursor = Some((2, 1));
            let mut bytes = Vec::new();
            frame.write(&shown, &mut bytes).expect("written");
            parser.process(&bytes);
            let screen = parser.screen();
            let rows: Vec<String> = screen
                .rows(0, 8)
                .map(|row| row.trim_end().to_owned())
                .collect();
            assert_eq!(rows.join("\n").trim_end(), expected);
            assert_eq!(screen.cursor_position(), (1, 2));
            for (row, text) in (0..).zip(texts) {
                let cell = screen.cell(row, 0).expect("a cell");
                assert_eq!(cell.bold(), !text.is_empty());
            }
            shown = frame;
        }
    }
}
