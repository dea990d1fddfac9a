//! The page about the keys.

use ratatui::Frame;
use ratatui::layout::Constraint;
use ratatui::symbols::border;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, Clear, Padding, Paragraph};
use vato::notation::Charset;

use super::board::signs;
use super::theme::Theme;

/// Keys and what they do.
const KEYS: [(&str, &str); 16] = [
    (
        "arrows, mouse",
        "move the cursor; point at a stone or a point",
    ),
    ("enter, space", "take the stone up, step, stop on its point"),
    ("a, w", "approach or withdrawal, when asked"),
    (".", "stop: the turn ends here"),
    ("esc", "put the stone down"),
    ("a1 ...", "type a move: d2-e3A-f4W, or d2e3af4w"),
    (
        "u, backspace",
        "take back a step, else a move (or right click)",
    ),
    ("r", "play again what was taken back"),
    ("t", "tip: the best move"),
    ("v", "evaluation on or off"),
    ("o", "turn the board round"),
    ("p", "pause, go on"),
    ("n, x", "new game; resign"),
    ("s, l", "save the game; load one (PGN)"),
    ("?, F1", "this page"),
    ("q, ctrl-c", LEAVING),
];

/// How to leave: where there is a shell to come back from, for a while, too.
const LEAVING: &str = match cfg!(unix) {
    true => "quit; ctrl-c does not ask, ctrl-z only halts",
    false => "quit; ctrl-c does not ask",
};

/// A frame for terminals that have nothing better.
const ASCII_FRAME: border::Set<'static> = border::Set {
    top_left: "+",
    top_right: "+",
    bottom_left: "+",
    bottom_right: "+",
    vertical_left: "|",
    vertical_right: "|",
    horizontal_top: "-",
    horizontal_bottom: "-",
};

/// Draws the page over what is there.
pub(super) fn draw(frame: &mut Frame<'_>, theme: Theme, charset: Charset) {
    let mut lines: Vec<Line<'_>> = KEYS
        .iter()
        .map(|(key, does)| {
            Line::from(vec![
                Span::styled(format!("{key:<15}"), theme.strong),
                Span::raw(*does),
            ])
        })
        .collect();
    let signs = signs(charset);
    let (captured, origin, paika) = (signs.captured, signs.origin, signs.paika);
    let (approach, withdrawal, either) = (signs.approach, signs.withdrawal, signs.either);
    let meanings = [
        "".to_owned(),
        "On the board: [ ] cursor, < > stone taken up, ( ) moved last,".to_owned(),
        format!("* * tip; underlined: can move; {captured} captured last, {origin} came from"),
        format!("there; {approach}, {withdrawal} and {either}: the stone can capture there,"),
        format!("{paika}: it can go there."),
    ];
    lines.extend(meanings.into_iter().map(Line::raw));
    let height = u16::try_from(lines.len() + 2).unwrap_or(u16::MAX);
    let area = frame.area();
    let area = area.centered(Constraint::Max(66), Constraint::Max(height));
    let frame_set = match charset {
        Charset::Unicode => border::PLAIN,
        Charset::Ascii => ASCII_FRAME,
    };
    let block = Block::bordered()
        .border_set(frame_set)
        .title(" Keys (any key leads back) ")
        .padding(Padding::horizontal(1));
    frame.render_widget(Clear, area);
    frame.render_widget(Paragraph::new(lines).block(block), area);
}
