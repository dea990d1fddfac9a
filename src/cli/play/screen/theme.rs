//! The looks of things: sixteen colours, or none. Nothing is told by colour alone.

use std::env;

use ratatui::style::{Color, Modifier, Style};

/// The looks of things.
#[derive(Clone, Copy, Debug)]
pub(super) struct Theme {
    coloured: bool,
}

impl Theme {
    /// With colours or without.
    pub(super) const fn new(coloured: bool) -> Theme {
        Theme { coloured }
    }

    /// With colours unless the environment has `NO_COLOR` (<https://no-color.org>).
    pub(super) fn of_environment() -> Theme {
        Theme::new(env::var_os("NO_COLOR").is_none_or(|value| value.is_empty()))
    }

    fn style(self, color: Color) -> Style {
        match self.coloured {
            true => Style::new().fg(color),
            false => Style::new(),
        }
    }

    /// Lines and empty points.
    pub(super) fn line(self) -> Style {
        Style::new().add_modifier(Modifier::DIM)
    }

    /// A stone that cannot move now.
    pub(super) fn stone(self) -> Style {
        Style::new()
    }

    /// A stone that can be taken up.
    pub(super) fn movable(self) -> Style {
        self.style(Color::Green)
            .add_modifier(Modifier::BOLD | Modifier::UNDERLINED)
    }

    /// The stone that was taken up.
    pub(super) fn taken_up(self) -> Style {
        self.style(Color::Yellow)
            .add_modifier(Modifier::BOLD | Modifier::REVERSED)
    }

    /// A point that it can go to.
    pub(super) fn target(self) -> Style {
        self.style(Color::Green).add_modifier(Modifier::BOLD)
    }

    /// A stone that it would take.
    pub(super) fn threatened(self) -> Style {
        self.style(Color::Red)
            .add_modifier(Modifier::BOLD | Modifier::UNDERLINED)
    }

    /// What the last turn did.
    pub(super) fn last_turn(self) -> Style {
        self.style(Color::Cyan).add_modifier(Modifier::BOLD)
    }

    /// A hint.
    pub(super) fn hint(self) -> Style {
        self.style(Color::Magenta).add_modifier(Modifier::BOLD)
    }

    /// The cursor.
    pub(super) fn cursor(self) -> Style {
        self.style(Color::Yellow).add_modifier(Modifier::BOLD)
    }

    /// Headings, and what matters most.
    pub(super) fn strong(self) -> Style {
        Style::new().add_modifier(Modifier::BOLD)
    }

    /// Something that did not work.
    pub(super) fn error(self) -> Style {
        self.style(Color::Red).add_modifier(Modifier::BOLD)
    }

    /// What is there for those who look for it.
    pub(super) fn quiet(self) -> Style {
        Style::new().add_modifier(Modifier::DIM)
    }
}
