//! Layout of the whole screen: board, side panel, evaluation bar, status, keys.

use crossterm::style::ContentStyle;
use unicode_segmentation::UnicodeSegmentation;
use unicode_width::UnicodeWidthStr;
use vato_engine::board::{BoardSize, Side};
use vato_engine::notation::{Charset, format_path};
use vato_engine::rules::Preset;
use vato_engine::search::Bound;
use vato_tools::play::{Model, Purpose};

use super::board::{BoardView, Geometry};
use super::frame::Frame;
use super::help::Page;
use super::{Mode, Screen, help};
use crate::cli::play::{hint_text, player_name, time_text, turn_text};
use crate::cli::support::text::{move_number, score_text};
use crate::cli::visible;

/// The minimum width of the panel, in columns.
const PANEL_WIDTH: u16 = 28;
/// The minimum height of the panel, in rows: rules, players, some moves.
const PANEL_HEIGHT: u16 = 8;
/// The preferred height of the panel, in rows.
const PANEL_COMFORT: u16 = 12;
const GAP: u16 = 2;
/// Rows below the board.
const FOOT: u16 = 5;
/// Rows below the board for the players and the last turn if the screen is too narrow for a panel.
const NARROW_PANEL: u16 = 3;
/// The minimum width of such a screen, in columns.
const NARROW_WIDTH: u16 = 36;
/// The maximum width of the evaluation bar, in columns.
const BAR: usize = 30;

/// Draws the screen; returns the geometry of the board, if it fits.
pub(super) fn draw(screen: &Screen, frame: &mut Frame) -> Option<Geometry> {
    let board = screen.model.game.rules().board;
    let fits = |(width, height)| width <= frame.width && height <= frame.height;
    let Some((scale, beside)) = [(2, true), (1, true), (1, false)]
        .into_iter()
        .find(|&(scale, beside)| fits(needed(board, scale, beside)))
    else {
        draw_too_small(screen, frame, board);
        return None;
    };
    let (width, height) = Geometry::size(board, scale);
    // The foot is directly below the board or panel, not at the bottom of the screen.
    let foot = match beside {
        true => height.max(PANEL_COMFORT).min(frame.height - FOOT),
        false => height + NARROW_PANEL,
    };
    let geometry = Geometry {
        board,
        column: 0,
        row: 0,
        scale,
        flipped: screen.flipped,
    };
    BoardView { screen, geometry }.draw(frame);
    if beside {
        draw_panel(screen, frame, width + GAP, foot);
    } else {
        for (row, side) in (height..).zip([Side::Black, Side::White]) {
            let [(name, style), (stones, _)] = player_lines(screen, side);
            let (sign, who) = name.split_once(&format!("{side}: ")).unwrap_or((&name, ""));
            let stones = stones.trim_start();
            let texts = [
                format!("{name}, {stones}"),
                format!("{sign}{who}, {stones}"),
                format!("{sign}{side}, {stones}"),
            ];
            let fits = |text: &&String| text.width() <= usize::from(frame.width);
            let text = texts.iter().find(fits).unwrap_or(&texts[2]);
            frame.print(0, row, text, style);
        }
        if let Some(turn) = screen.model.turns.last() {
            let text = move_number(&turn.before) + " " + &turn_text(&screen.model, turn);
            let row = height + 2;
            print_wrapped(frame, row, row + 1, [(text, screen.theme.plain)]);
        }
    }
    draw_foot(screen, frame, foot);
    if let Mode::Page(page, from) = &screen.mode {
        help::draw(screen, frame, page, *from);
    }
    Some(geometry)
}

/// The columns and rows needed for a board of this scale with everything around it: the panel if `beside`,
/// else the players below the board.
fn needed(board: BoardSize, scale: u16, beside: bool) -> (u16, u16) {
    let (width, height) = Geometry::size(board, scale);
    if !beside {
        return (width.max(NARROW_WIDTH), height + NARROW_PANEL + FOOT);
    }
    // A larger board gets a wider panel too, for more than one column of moves.
    let panel = PANEL_WIDTH + 6 * (scale - 1);
    (width + GAP + panel, height.max(PANEL_HEIGHT) + FOOT)
}

fn draw_too_small(screen: &Screen, frame: &mut Frame, board: BoardSize) {
    let (width, height) = needed(board, 1, false);
    let quits = match &screen.mode {
        Mode::Board | Mode::Asked(_) => "q quits.",
        // There q is text, or goes back.
        Mode::Typing(_) | Mode::Page(..) => "esc, then q quits.",
    };
    let text = match &screen.mode {
        Mode::Asked(question) => question.text(),
        _ => format!(
            "The terminal is too small: {}x{}, expected {width}x{height}. {quits}",
            frame.width, frame.height
        ),
    };
    print_wrapped(frame, 0, frame.height, [(text, screen.theme.plain)]);
}

/// Writes texts in the rows from `top` up to, not including, `end`, wrapped between words where possible; `...` stands for
/// what has no room.
fn print_wrapped<const N: usize>(
    frame: &mut Frame,
    top: u16,
    end: u16,
    texts: [(String, ContentStyle); N],
) {
    let width = usize::from(frame.width);
    let texts = texts.iter().filter(|(text, _)| !text.is_empty());
    let lines =
        texts.flat_map(|(text, style)| wrapped(text, width).into_iter().map(|line| (line, *style)));
    let mut lines = lines.peekable();
    for row in top..end {
        let Some((mut line, style)) = lines.next() else {
            return;
        };
        if row + 1 == end && lines.peek().is_some() {
            while line.width() + 3 > width && line.pop().is_some() {}
            line.push_str("...");
        }
        frame.print(0, row, &line, style);
    }
}

/// The lines of a text of at most so many columns, broken between words where possible.
pub(super) fn wrapped(text: &str, width: usize) -> Vec<String> {
    let (mut lines, mut line) = (Vec::new(), String::new());
    for word in text.split_inclusive(' ') {
        // Wrapped at words: a whole word must fit, not only its first symbol.
        let mut needed = word.trim_end().width();
        for symbol in word.graphemes(true) {
            if !line.is_empty() && line.width() + needed.max(symbol.width()) > width {
                lines.push(std::mem::take(&mut line));
            }
            needed = 0;
            if !line.is_empty() || symbol != " " || lines.is_empty() {
                line.push_str(symbol);
            }
        }
    }
    lines.push(line);
    lines
        .iter_mut()
        .for_each(|line| line.truncate(line.trim_end().len()));
    lines
}

fn draw_panel(screen: &Screen, frame: &mut Frame, column: u16, height: u16) {
    let model = &screen.model;
    let rules = model.game.rules();
    let name = Preset::name_of(rules);
    let heading = format!("Fanorona {}, {name}", rules.board);
    let mut lines = vec![(heading, screen.theme.strong)];
    for side in [Side::Black, Side::White] {
        lines.extend(player_lines(screen, side));
    }
    let plain = |text| (text, screen.theme.plain);
    lines.push(plain(String::new()));
    let width = usize::from(frame.width - column);
    let room = usize::from(height).saturating_sub(lines.len());
    let moves = move_lines(model, width);
    // If there is not room for all, the newest moves are shown.
    let first = moves.len().saturating_sub(room);
    lines.extend(moves.into_iter().skip(first).map(plain));
    for (row, (text, style)) in (0..height).zip(lines) {
        frame.print(column, row, &text, style);
    }
}

/// The lines for a player: name, stones, losses, time.
fn player_lines(screen: &Screen, side: Side) -> [(String, ContentStyle); 2] {
    let model = &screen.model;
    let sign = screen.charset.glyphs().stones[side.index()];
    let is_to_move = model.ending().is_none() && model.side() == side;
    let (pointer, style) = match is_to_move {
        true => ('>', screen.theme.strong),
        false => (' ', screen.theme.plain),
    };
    let stones = model.stones(side).count();
    let at_first = model.game.start().stones(side).count();
    let captured = at_first.saturating_sub(stones);
    // With a clock there is no room for the stone counts.
    let count = match model.time_left(side) {
        Some(time) => format!("    {stones} stones, {}", time_text(time)),
        None => format!("    {stones} stones, {captured} lost"),
    };
    let who = format!("{pointer} {sign} {side}: {}", player_name(model, side));
    [(who, style), (count, screen.theme.plain)]
}

/// The numbered moves, in lines of at most `width` characters.
fn move_lines(model: &Model, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for (index, turn) in model.turns.iter().enumerate() {
        let number = turn.before.move_number();
        let text = turn_text(model, turn);
        let numbered = match turn.before.side() {
            Side::White => format!("{number:>2}. {text}"),
            Side::Black if index == 0 => format!("{number:>2}... {text}"),
            Side::Black => text,
        };
        match lines.last_mut() {
            Some(line)
                if turn.before.side() == Side::Black
                    && line.chars().count() + 1 + numbered.len() <= width =>
            {
                line.push(' ');
                line.push_str(&numbered);
            }
            // The turn in progress is on its own line below the moves.
            Some(_) if turn.before.side() == Side::Black => {
                push_cut(&mut lines, &format!("    {numbered}"), width);
            }
            _ => push_cut(&mut lines, &numbered, width),
        }
    }
    lines
}

/// Adds a text in pieces of at most `width` characters: the longest turns exceed any column.
fn push_cut(lines: &mut Vec<String>, text: &str, width: usize) {
    let characters: Vec<char> = text.chars().collect();
    for (index, piece) in characters.chunks(width.max(8)).enumerate() {
        let piece = piece
            .iter()
            .skip_while(|sign| index > 0 && sign.is_whitespace());
        lines.push(piece.collect());
    }
}

/// Draws the rows below the board, from row `top`.
fn draw_foot(screen: &Screen, frame: &mut Frame, top: u16) {
    let theme = screen.theme;
    frame.print(0, top, &bar_text(screen, frame.width), theme.plain);
    let (status, notice) = ((status_text(screen), theme.strong), notice_line(screen));
    let keys = top + 4;
    if let Mode::Typing(entry) = &screen.mode {
        let label = entry.label();
        let indent = u16::try_from(label.len()).unwrap_or(0);
        let width = frame.width.saturating_sub(indent + 1).max(1);
        let (text, cursor) = entry.visible(usize::from(width));
        frame.print(0, keys - 1, &format!("{label}{text}"), theme.plain);
        let column = (indent + cursor).min(frame.width.saturating_sub(1));
        frame.cursor = Some((column, keys - 1));
        let shown = if notice.0.is_empty() { status } else { notice };
        print_wrapped(frame, top + 1, keys - 1, [shown]);
    } else {
        print_wrapped(frame, top + 1, keys, [status, notice]);
    }
    let mut text = keys_text(screen);
    while text.width() > usize::from(frame.width)
        && let Some((fewer, _)) = text.rsplit_once("  ")
    {
        text = fewer.trim_end();
    }
    frame.print(0, keys, text, theme.quiet);
}

/// The evaluation bar; full when White has won.
fn bar_text(screen: &Screen, width: u16) -> String {
    let model = &screen.model;
    let Some(expected) = model.expected_score() else {
        return String::new();
    };
    let [full, empty] = match screen.charset {
        Charset::Unicode => ["█", "░"],
        Charset::Ascii => ["#", "."],
    };
    let score = model.score.filter(|_| model.ending().is_none());
    let score = score.map_or(String::new(), |known| {
        let score = score_text(known.score, Bound::Exact, Side::White);
        format!(" {score}, depth {}", known.depth)
    });
    let label = format!("White {expected:.2} ");
    let room = usize::from(width)
        .saturating_sub(label.len() + score.len())
        .min(BAR);
    let filled = (expected * room as f64).round() as usize;
    label + &full.repeat(filled) + &empty.repeat(room.saturating_sub(filled)) + &score
}

fn status_text(screen: &Screen) -> String {
    let model = &screen.model;
    if let Some(ending) = model.ending() {
        return format!("The game is over. {ending}");
    }
    if model.paused {
        return "Paused; p resumes".to_owned();
    }
    let side = model.side();
    match &model.thinking {
        Some(thinking) if thinking.purpose != Purpose::Judging => {
            let dots = ".".repeat(1 + screen.beat % 3);
            let what = match thinking.purpose == Purpose::Move {
                true => format!("{side} is thinking"),
                false => "Looking for the best move".to_owned(),
            };
            match thinking.depth {
                0 => format!("{what} {dots}"),
                depth => format!("{what}, depth {depth} {dots}"),
            }
        }
        _ => match model.hand().map(|hand| &hand.turn) {
            Some(turn) if !turn.steps().is_empty() => {
                let text = format_path(turn.path(), model.game.rules().board);
                format!("{side} to move: {text} so far")
            }
            _ => format!("{side} to move"),
        },
    }
}

fn notice_line(screen: &Screen) -> (String, ContentStyle) {
    let theme = screen.theme;
    if let Mode::Asked(question) = &screen.mode {
        return (question.text(), theme.strong);
    }
    match (screen.model.notice(), &screen.model.hint) {
        (Some(notice), _) if notice.is_error => (format!("! {}", notice.text), theme.error),
        (Some(notice), _) => (notice.text.clone(), theme.plain),
        (None, Some(hint)) => (hint_text(&screen.model, hint), theme.hint),
        (None, None) => {
            let turn = screen.model.turns.last();
            let comment = turn.and_then(|turn| turn.comment.as_deref());
            (visible(comment.unwrap_or_default()), theme.plain)
        }
    }
}

fn keys_text(screen: &Screen) -> &'static str {
    let model = &screen.model;
    match (&screen.mode, model.hand()) {
        (Mode::Typing(_), _) => "enter: done   esc: cancel",
        (Mode::Asked(_), _) => "y: yes   n: no",
        (Mode::Page(Page::Keys, _), _) => "any key: back to the game   ?: the rules",
        (Mode::Page(..), _) => "any key: back to the game",
        (Mode::Board, Some(hand)) if hand.asking.is_some() => {
            "a: approach   w: withdrawal   u: neither"
        }
        (Mode::Board, Some(hand)) if hand.turn.may_end() => {
            "enter: stop here, or go on elsewhere  u: step back  esc: put down"
        }
        (Mode::Board, Some(_)) => "?: keys  arrows, enter: step  esc: put down",
        (Mode::Board, None) if model.ending().is_some() => {
            "?: keys  y: review  n: new game  u: take back  s: save  q: quit"
        }
        (Mode::Board, None) => "?: keys  arrows, enter: choose  u: back  t: tip  s: save  q: quit",
    }
}
