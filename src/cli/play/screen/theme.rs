//! The looks of things: sixteen colours, or none. Nothing is told by colour alone.

use std::env;

use ratatui::style::{Color, Modifier, Style};

/// The looks of things.
#[derive(Clone, Copy, Debug)]
pub(super) struct Theme {
    /// Lines and empty points.
    pub(super) line: Style,
    /// A stone that cannot move now.
    pub(super) stone: Style,
    /// A stone that can be taken up.
    pub(super) movable: Style,
    /// The stone that was taken up.
    pub(super) taken_up: Style,
    /// A point that it can go to.
    pub(super) target: Style,
    /// A stone that it would take.
    pub(super) threatened: Style,
    pub(super) last_turn: Style,
    pub(super) hint: Style,
    pub(super) cursor: Style,
    /// Headings, and what matters most.
    pub(super) strong: Style,
    pub(super) error: Style,
    /// What is there for those who look for it.
    pub(super) quiet: Style,
}

impl Theme {
    /// With colours or without.
    pub(super) fn new(coloured: bool) -> Theme {
        let plain = Style::new();
        let bold = |color: Color| match coloured {
            true => plain.fg(color).add_modifier(Modifier::BOLD),
            false => plain.add_modifier(Modifier::BOLD),
        };
        Theme {
            line: plain.add_modifier(Modifier::DIM),
            stone: plain,
            movable: bold(Color::Green).add_modifier(Modifier::UNDERLINED),
            taken_up: bold(Color::Yellow).add_modifier(Modifier::REVERSED),
            target: bold(Color::Green),
            threatened: bold(Color::Red).add_modifier(Modifier::UNDERLINED),
            last_turn: bold(Color::Cyan),
            hint: bold(Color::Magenta),
            cursor: bold(Color::Yellow),
            strong: plain.add_modifier(Modifier::BOLD),
            error: bold(Color::Red),
            quiet: plain.add_modifier(Modifier::DIM),
        }
    }

    /// With colours unless the environment has `NO_COLOR` (<https://no-color.org>).
    pub(super) fn of_environment() -> Theme {
        Theme::new(env::var_os("NO_COLOR").is_none_or(|value| value.is_empty()))
    }
}
