//! The pages with the keys, the rules and a review.

use vato_engine::notation::Charset;

use super::Screen;
use super::board::signs;
use super::frame::Frame;
use super::view::wrapped;

pub(super) enum Page {
    Keys,
    Rules,
    Review(Vec<String>),
}

const KEYS: [(&str, &str); 16] = [
    (
        "arrows, mouse",
        "move the cursor; point at a stone or a point",
    ),
    (
        "enter, space",
        "select a stone, step; on the stone: end the turn",
    ),
    ("a, w", "approach or withdrawal, when asked"),
    (".", "end the turn here"),
    ("esc", "deselect the stone"),
    ("a1 ...", "type a move: d2-e3A-f4W or d2e3af4w"),
    (
        "u, backspace",
        "take back a step, else a move (or right click)",
    ),
    ("r", "replay a move that was taken back"),
    ("<, >", "step through the game"),
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

/// The width of the keys in front of what they do.
const KEY_WIDTH: usize = 15;

const WIDTH: u16 = 66;

const RULES: [&str; 7] = [
    "A stone steps along a line to an empty neighbouring point. Only every second point has diagonals.",
    "",
    "A step towards enemy stones captures those in a row ahead of it (approach, A); a step away from them captures \
     those in a row behind it (withdrawal, W). If it does both, the player chooses.",
    "",
    "If you can capture, you must. The stone may then go on capturing, but not twice in a row in the same direction, \
     and never to a point where it has already been in this turn.",
    "",
    "A player without stones, or without a move, loses. When a position occurs for the third time, or after 50 moves \
     without a capture, the game is drawn.",
];

/// The lines of a page, none wider than `width`.
fn lines(page: &Page, charset: Charset, width: usize) -> Vec<String> {
    let texts = match page {
        Page::Rules => RULES.map(str::to_owned).to_vec(),
        Page::Review(lines) => lines.clone(),
        Page::Keys => {
            let [captured, origin, paika, approach, withdrawal, either] = signs(charset);
            let meaning = format!(
                "On the board: [ ] cursor, < > selected stone, ( ) moved last, * * tip; underlined: can move; {captured} \
                 captured last, {origin} came from there; {approach}, {withdrawal} and {either}: the stone can capture \
                 there, {paika}: it can go there."
            );
            vec![String::new(), meaning]
        }
    };
    let keys = KEYS.iter().filter(|_| matches!(page, Page::Keys));
    let keys = keys.flat_map(|(key, does)| {
        let does = wrapped(does, width.saturating_sub(KEY_WIDTH));
        let keys = std::iter::once(*key).chain(std::iter::repeat(""));
        keys.zip(does)
            .map(|(key, does)| format!("{key:<KEY_WIDTH$}{does}"))
    });
    keys.chain(texts.iter().flat_map(|text| wrapped(text, width)))
        .collect()
}

/// Draws a page on top of the screen, framed, from this line on; keeps with which line the next part begins.
pub(super) fn draw(screen: &Screen, frame: &mut Frame, page: &Page, from: usize) {
    let theme = screen.theme;
    let width = frame.width.min(WIDTH);
    let inner = usize::from(width).saturating_sub(4);
    let lines = lines(page, screen.charset, inner);
    let height = u16::try_from(lines.len() + 2)
        .unwrap_or(u16::MAX)
        .min(frame.height);
    let room = usize::from(height.saturating_sub(2));
    let next = Some(from + room).filter(|&next| next < lines.len());
    screen.next_part.set(next);
    let leads = next.map_or("any key leads back", |_| "any key: more, esc: back");
    let title = match page {
        Page::Keys => "Keys",
        Page::Rules => "Rules",
        Page::Review(_) => "Review",
    };
    let title = format!(" {title} ({leads}) ");
    let left = (frame.width - width).div_ceil(2);
    let top = (frame.height - height).div_ceil(2);
    let bottom = top + height.saturating_sub(1);
    let [top_left, top_right, bottom_left, bottom_right] = match screen.charset {
        Charset::Unicode => ['┌', '┐', '└', '┘'],
        Charset::Ascii => ['+'; 4],
    };
    let glyphs = screen.charset.glyphs();
    let line = String::from(glyphs.horizontal).repeat(usize::from(width).saturating_sub(2));
    let mut print = |row, text: String| frame.print(left, row, &text, theme.plain);
    print(top, format!("{top_left}{line}{top_right}"));
    print(bottom, format!("{bottom_left}{line}{bottom_right}"));
    let side = glyphs.vertical;
    let shown = lines.iter().skip(from).map(String::as_str);
    let rows = (top + 1..bottom).zip(shown.chain(std::iter::repeat("")));
    for (row, line) in rows.clone() {
        print(row, format!("{side} {line:<inner$} {side}"));
    }
    frame.print(left + 1, top, &title, theme.plain);
    for (row, line) in rows {
        let is_of_line = |key: &&str| line.starts_with(&format!("{key:<KEY_WIDTH$}"));
        if let Some(key) = KEYS.iter().map(|(key, _)| *key).find(is_of_line) {
            frame.print(left + 2, row, key, theme.strong);
        }
    }
}
