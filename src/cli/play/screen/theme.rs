//! Text styles: in colours, with a board that is the same on dark and light terminals, or without colours.
//! Only the owner of a stone is told by colour alone, and only in colour mode.

use crossterm::style::{Attribute, Attributes, Color, ContentStyle};

#[derive(Clone, Copy, Debug)]
pub(super) struct Theme {
    pub(super) plain: ContentStyle,
    /// The colours of White's and Black's stones; `None` without colours.
    pub(super) stones: Option<[Color; 2]>,
    pub(super) ground: Option<Color>,
    /// Lines and empty points.
    pub(super) line: ContentStyle,
    pub(super) movable: ContentStyle,
    pub(super) taken_up: ContentStyle,
    /// A point it can step to.
    pub(super) target: ContentStyle,
    /// A stone it would capture.
    pub(super) threatened: ContentStyle,
    pub(super) last_turn: ContentStyle,
    pub(super) hint: ContentStyle,
    pub(super) cursor: ContentStyle,
    /// Headings and other emphasis.
    pub(super) strong: ContentStyle,
    pub(super) error: ContentStyle,
    pub(super) quiet: ContentStyle,
}

impl Theme {
    pub(super) fn new(coloured: bool) -> Theme {
        let of = |color: Option<Color>, attributes: &[Attribute]| ContentStyle {
            foreground_color: color.filter(|_| coloured),
            attributes: Attributes::from(attributes),
            ..ContentStyle::new()
        };
        // Of the 256 colours: bright white, black; brown lines on light wood.
        let [white, black, wood, line] = [231, 16, 180, 94].map(Color::AnsiValue);
        let bold = |color| of(Some(color), &[Attribute::Bold]);
        let bold_and = |color, attribute| of(Some(color), &[Attribute::Bold, attribute]);
        Theme {
            plain: of(None, &[]),
            stones: coloured.then_some([white, black]),
            ground: coloured.then_some(wood),
            line: match coloured {
                true => of(Some(line), &[]),
                false => of(None, &[Attribute::Dim]),
            },
            movable: bold_and(Color::DarkGreen, Attribute::Underlined),
            taken_up: bold_and(Color::DarkYellow, Attribute::Reverse),
            target: bold(Color::DarkGreen),
            threatened: bold_and(Color::DarkRed, Attribute::Underlined),
            last_turn: bold(Color::DarkCyan),
            hint: bold(Color::DarkMagenta),
            cursor: bold(Color::DarkYellow),
            strong: of(None, &[Attribute::Bold]),
            error: bold(Color::DarkRed),
            quiet: of(None, &[Attribute::Dim]),
        }
    }
}
