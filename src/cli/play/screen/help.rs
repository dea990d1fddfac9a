//! The pages with the keys, the rules and a review.

use vato::notation::Charset;

use super::board::signs;
use super::frame::Frame;
use super::theme::Theme;

/// Keys and their functions.
const KEYS: [(&str, &str); 16] = [
    (
        "arrows, mouse",
        "move the cursor; point at a stone or a point",
    ),
    ("enter, space", "take the stone up, step, stop on its point"),
    ("a, w", "approach or withdrawal, when asked"),
    (".", "stop: the turn ends here"),
    ("esc", "put the stone down"),
    ("a1 ...", "type a move: d2-e3A-f4W, d2e3af4w; or no letters"),
    (
        "u, backspace",
        "take back a step, else a move (or right click)",
    ),
    ("r", "play again what was taken back"),
    ("<, >", "look at the game, a turn back or forward"),
    ("t, y", "tip: the best move; review of the game"),
    ("+, -, m", "level of the engine; which sides people play"),
    ("v, o", "evaluation on or off; flip the board"),
    ("p, n, x", "pause, resume; new game; resign"),
    ("s, l", "save the game; load one (PGN)"),
    ("?, F1", "this page; again: the rules"),
    ("q, ctrl-c", LEAVING),
];

/// How to quit, and where a shell can resume the program, how to suspend it.
const LEAVING: &str = match cfg!(unix) {
    true => "quit; ctrl-c does not ask, ctrl-z suspends",
    false => "quit; ctrl-c does not ask",
};

/// The maximum width of the page in columns.
const WIDTH: u16 = 66;

/// A summary of the rules.
const RULES: [&str; 13] = [
    "A stone steps along a line to an empty neighbouring point. Only",
    "every second point has diagonals.",
    "",
    "A step towards enemy stones captures those in a row ahead of it",
    "(approach, A); a step away from them captures those in a row",
    "behind it (withdrawal, W). If it does both, the player chooses.",
    "",
    "Who can capture must. The stone that captured may go on",
    "capturing, not twice in a row in the same direction, and never",
    "to a point where it has been in this turn.",
    "",
    "A player without stones, or without a move, has lost. A position",
    "that comes a third time, or 50 moves without a capture: a draw.",
];

/// Draws the rules on top of the screen.
pub(super) fn draw_rules(frame: &mut Frame, theme: Theme, charset: Charset) {
    let lines = RULES.map(str::to_owned);
    draw_page(
        frame,
        theme,
        charset,
        " The standard rules (any key leads back) ",
        &lines,
    );
}

/// Draws a review on top of the screen.
pub(super) fn draw_review(frame: &mut Frame, theme: Theme, charset: Charset, lines: &[String]) {
    draw_page(
        frame,
        theme,
        charset,
        " Review (any key leads back) ",
        lines,
    );
}

/// Draws the keys on top of the screen.
pub(super) fn draw(frame: &mut Frame, theme: Theme, charset: Charset) {
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
    let keys = KEYS.map(|(key, does)| format!("{key:<15}{does}"));
    let lines: Vec<String> = keys.into_iter().chain(meanings).collect();
    let (left, top) = draw_page(frame, theme, charset, " Keys (any key leads back) ", &lines);
    for (row, (key, _)) in (top + 1..frame.height.saturating_sub(1)).zip(KEYS) {
        frame.print(left + 2, row, key, theme.strong);
    }
}

/// Draws framed lines on top of the screen; returns the column and row of the top left corner.
fn draw_page(
    frame: &mut Frame,
    theme: Theme,
    charset: Charset,
    title: &str,
    lines: &[String],
) -> (u16, u16) {
    let height = u16::try_from(lines.len() + 2).unwrap_or(u16::MAX);
    let (width, height) = (frame.width.min(WIDTH), frame.height.min(height));
    let left = (frame.width - width).div_ceil(2);
    let top = (frame.height - height).div_ceil(2);
    let bottom = top + height.saturating_sub(1);
    let [top_left, top_right, bottom_left, bottom_right] = match charset {
        Charset::Unicode => ['┌', '┐', '└', '┘'],
        Charset::Ascii => ['+'; 4],
    };
    let glyphs = charset.glyphs();
    let inner = usize::from(width).saturating_sub(2);
    let line = String::from(glyphs.horizontal).repeat(inner);
    let upper = format!("{top_left}{line}{top_right}");
    let lower = format!("{bottom_left}{line}{bottom_right}");
    frame.print(left, top, &upper, theme.plain);
    frame.print(left + 1, top, title, theme.plain);
    frame.print(left, bottom, &lower, theme.plain);
    let (side, inner) = (glyphs.vertical, inner.saturating_sub(2));
    for (row, line) in (top + 1..bottom).zip(lines) {
        let line = format!("{side} {line:<inner$.inner$} {side}");
        frame.print(left, row, &line, theme.plain);
    }
    (left, top)
}
