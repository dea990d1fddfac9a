//! The whole screen: the board and the panel, who is better, what is going on, what can be done.

use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Paragraph, Wrap};
use vato::board::{BoardSize, Side};
use vato::notation::{Charset, format_path};
use vato::play::{Hand, Model, Notice};
use vato::rules::Preset;
use vato::search::Bound;

use super::board::{BoardView, Geometry};
use super::{Mode, Screen, help};
use crate::cli::play::text::{hint_text, player_name, time_text, turn_text};
use crate::cli::text::score_text;

/// The narrowest panel.
const PANEL_WIDTH: u16 = 28;
/// The lowest panel: rules, players, some moves.
const PANEL_HEIGHT: u16 = 8;
/// The rows that a panel is given if there are so many.
const PANEL_COMFORT: u16 = 12;
/// Columns between the board and the panel.
const GAP: u16 = 2;
/// Rows below the board.
const FOOT: u16 = 5;
/// The most columns of the bar.
const BAR: u16 = 30;

/// Draws the screen; says where the board is, if there is room for it.
pub(super) fn draw(screen: &Screen, frame: &mut Frame<'_>) -> Option<Geometry> {
    let area = frame.area();
    let board = screen.model.game().rules().board;
    let Some(scale) = [2, 1].into_iter().find(|&scale| {
        let (width, height) = needed(board, scale);
        width <= area.width && height <= area.height
    }) else {
        draw_too_small(screen, frame, board);
        return None;
    };
    let size = Geometry::size(board, scale);
    let [top, foot] = Layout::vertical([Constraint::Min(0), Constraint::Length(FOOT)]).areas(area);
    // The foot follows the board, wherever the screen ends.
    let height = size.height.max(PANEL_COMFORT).min(top.height);
    let foot = Rect {
        y: top.y + height,
        ..foot
    };
    let [left, _, right] = Layout::horizontal([
        Constraint::Length(size.width),
        Constraint::Length(GAP),
        Constraint::Min(0),
    ])
    .areas(Rect { height, ..top });
    let geometry = Geometry::new(board, left, scale, screen.flipped);
    BoardView {
        model: &screen.model,
        geometry,
        charset: screen.charset,
        theme: screen.theme,
    }
    .draw(frame.buffer_mut());
    draw_panel(screen, frame, right);
    draw_foot(screen, frame, foot);
    if matches!(screen.mode, Mode::Help) {
        help::draw(frame, screen.theme, screen.charset);
    }
    Some(geometry)
}

/// The columns and rows that a board of this scale needs with all that is around it.
fn needed(board: BoardSize, scale: u16) -> (u16, u16) {
    let size = Geometry::size(board, scale);
    // People do not read a game in one column: a larger board wants a wider panel, too.
    let panel = PANEL_WIDTH + 6 * (scale - 1);
    (
        size.width + GAP + panel,
        size.height.max(PANEL_HEIGHT) + FOOT,
    )
}

fn draw_too_small(screen: &Screen, frame: &mut Frame<'_>, board: BoardSize) {
    let area = frame.area();
    let (width, height) = needed(board, 1);
    let text = match &screen.mode {
        Mode::Asked(question) => question.text(),
        mode => {
            // Anywhere else a q would be typed, or lead back.
            let quits = match mode {
                Mode::Typing(_) | Mode::Help => "esc, then q quits.",
                _ => "q quits.",
            };
            format!(
                "The terminal is too small: {}x{}, want {width}x{height}. {quits}",
                area.width, area.height
            )
        }
    };
    frame.render_widget(Paragraph::new(text).wrap(Wrap { trim: true }), area);
}

/// Draws the panel.
fn draw_panel(screen: &Screen, frame: &mut Frame<'_>, area: Rect) {
    let model = &screen.model;
    let rules = model.game().rules();
    let name = Preset::name_of(rules);
    let mut lines = vec![Line::styled(
        format!("Fanorona {}, {name}", rules.board),
        screen.theme.strong,
    )];
    for side in [Side::Black, Side::White] {
        lines.extend(player_lines(screen, side));
    }
    lines.push(Line::default());
    let width = usize::from(area.width);
    let room = usize::from(area.height).saturating_sub(lines.len());
    let moves = move_lines(model, width);
    // The newest moves matter most.
    let first = moves.len().saturating_sub(room);
    lines.extend(moves.into_iter().skip(first).map(Line::raw));
    frame.render_widget(Paragraph::new(lines), area);
}

/// A player: name, stones, losses, time.
fn player_lines<'a>(screen: &Screen, side: Side) -> [Line<'a>; 2] {
    let model = &screen.model;
    let sign = screen.charset.glyphs().stones[side.index()];
    let is_to_move = model.ending().is_none() && model.side() == side;
    let style = match is_to_move {
        true => screen.theme.strong,
        false => screen.theme.stone,
    };
    let pointer = if is_to_move { '>' } else { ' ' };
    let stones = model.stones(side).count();
    let at_first = model.game().start().stones(side).count();
    let captured = at_first.saturating_sub(stones);
    let mut count = format!("    {stones} stones, {captured} lost");
    if let Some(time) = model.time_left(side) {
        count = format!("{count}, {}", time_text(time));
    }
    let who = format!("{pointer} {sign} {side}: {}", player_name(model, side));
    [Line::from(Span::styled(who, style)), Line::raw(count)]
}

/// The moves with their numbers, in lines of at most `width` characters.
fn move_lines(model: &Model, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for (index, turn) in model.turns().iter().enumerate() {
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
            // What goes on on a line of its own stands under the moves.
            Some(_) if turn.before.side() == Side::Black => {
                push_cut(&mut lines, &format!("    {numbered}"), width);
            }
            _ => push_cut(&mut lines, &numbered, width),
        }
    }
    lines
}

/// Adds a text in pieces of at most `width` characters: the longest turns fit into no column.
fn push_cut(lines: &mut Vec<String>, text: &str, width: usize) {
    let characters: Vec<char> = text.chars().collect();
    for (index, piece) in characters.chunks(width.max(8)).enumerate() {
        let piece: String = piece.iter().collect();
        lines.push(match index {
            0 => piece,
            _ => piece.trim_start().to_owned(),
        });
    }
}

fn draw_foot(screen: &Screen, frame: &mut Frame<'_>, area: Rect) {
    let [bar, status, notice, keys] = Layout::vertical([
        Constraint::Length(1),
        Constraint::Length(1),
        Constraint::Length(2),
        Constraint::Length(1),
    ])
    .areas(area);
    frame.render_widget(Paragraph::new(bar_line(screen)), bar);
    let status_line = Line::styled(status_text(screen), screen.theme.strong);
    frame.render_widget(Paragraph::new(status_line), status);
    if let Mode::Typing(entry) = &screen.mode {
        let [line, below] =
            Layout::vertical([Constraint::Length(1), Constraint::Length(1)]).areas(notice);
        let label = entry.label();
        let width = usize::from(line.width).saturating_sub(label.len() + 1);
        let (text, cursor) = entry.visible(width.max(1));
        frame.render_widget(Paragraph::new(format!("{label}{text}")), line);
        let column = line.x + u16::try_from(label.len()).unwrap_or(0) + cursor;
        frame.set_cursor_position((column.min(line.right().saturating_sub(1)), line.y));
        frame.render_widget(Paragraph::new(notice_line(screen)), below);
    } else {
        let text = Paragraph::new(notice_line(screen)).wrap(Wrap { trim: true });
        frame.render_widget(text, notice);
    }
    let keys_line = Line::styled(keys_text(screen), screen.theme.quiet);
    frame.render_widget(Paragraph::new(keys_line), keys);
}

/// Who is better: a bar that is full when White has won.
fn bar_line(screen: &Screen) -> Line<'static> {
    let model = &screen.model;
    let Some(expected) = model.expected_score() else {
        return Line::default();
    };
    let [full, empty] = match screen.charset {
        Charset::Unicode => ["█", "░"],
        Charset::Ascii => ["#", "."],
    };
    let filled = (expected * f64::from(BAR)).round() as usize;
    let bar = full.repeat(filled) + &empty.repeat(usize::from(BAR).saturating_sub(filled));
    let mut text = format!("White {expected:.2} {bar}");
    if let Some(known) = model.score().filter(|_| model.ending().is_none()) {
        let score = score_text(known.score, Bound::Exact);
        text = format!("{text} {score}, depth {}", known.depth);
    }
    Line::raw(text)
}

/// What is going on.
fn status_text(screen: &Screen) -> String {
    let model = &screen.model;
    if let Some(ending) = model.ending() {
        return format!("The game is over. {ending}");
    }
    if model.is_paused() {
        return "Paused; p goes on".to_owned();
    }
    let side = model.side();
    match model.thinking() {
        Some(thinking) if thinking.is_for_move() || thinking.is_for_hint() => {
            let dots = ".".repeat(1 + screen.beat % 3);
            let what = match thinking.is_for_move() {
                true => format!("{side} is thinking"),
                false => "Looking for the best move".to_owned(),
            };
            match thinking.depth() {
                0 => format!("{what} {dots}"),
                depth => format!("{what}, depth {depth} {dots}"),
            }
        }
        _ => match model.hand().map(Hand::turn) {
            Some(turn) if !turn.steps().is_empty() => {
                let text = format_path(&turn.path(), model.game().rules().board);
                format!("{side} to move: {text} so far")
            }
            _ => format!("{side} to move"),
        },
    }
}

fn notice_line(screen: &Screen) -> Line<'static> {
    if let Mode::Asked(question) = &screen.mode {
        return Line::styled(question.text(), screen.theme.strong);
    }
    match (screen.model.notice(), screen.model.hint()) {
        (
            Some(Notice {
                text,
                is_error: true,
            }),
            _,
        ) => Line::styled(format!("! {text}"), screen.theme.error),
        (Some(notice), _) => Line::raw(notice.text.clone()),
        (None, Some(hint)) => Line::from(Span::styled(
            hint_text(&screen.model, hint),
            screen.theme.hint,
        )),
        (None, None) => Line::default(),
    }
}

/// The keys that matter now.
fn keys_text(screen: &Screen) -> &'static str {
    let model = &screen.model;
    match (&screen.mode, model.hand()) {
        (Mode::Typing(_), _) => "enter: done   esc: never mind",
        (Mode::Asked(_), _) => "y: yes   n: no",
        (Mode::Help, _) => "any key: back to the game",
        (Mode::Board, Some(hand)) if hand.asking().is_some() => {
            "a: approach   w: withdrawal   u: neither"
        }
        (Mode::Board, Some(hand)) if hand.turn().may_end() => {
            "enter: stop here, or go on elsewhere   u: step back   esc: put down"
        }
        (Mode::Board, Some(_)) => "arrows, enter: step   esc: put down   ?: keys",
        (Mode::Board, None) if model.ending().is_some() => {
            "n: new game   u: take back   s: save   q: quit   ?: keys"
        }
        (Mode::Board, None) => {
            "arrows, enter: choose   u: back   t: tip   s: save   q: quit   ?: keys"
        }
    }
}
