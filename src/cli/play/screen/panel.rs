//! What stands beside the board: the players, their stones and clocks, the moves.

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use ratatui::widgets::Paragraph;
use vato::board::Side;
use vato::rules::Preset;

use super::super::person_text::{player, time_text};
use super::Screen;
use super::move_list::move_lines;

/// Draws the panel.
pub(super) fn draw(screen: &Screen, frame: &mut Frame<'_>, area: Rect) {
    let model = &screen.model;
    let rules = model.game().rules();
    let name = Preset::name_of(rules);
    let mut lines = vec![Line::styled(
        format!("Fanorona {}, {name}", rules.board),
        screen.theme.strong(),
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
        true => screen.theme.strong(),
        false => screen.theme.stone(),
    };
    let pointer = if is_to_move { '>' } else { ' ' };
    let stones = model.stones(side).count();
    let captured = model
        .game()
        .start()
        .stones(side)
        .count()
        .saturating_sub(stones);
    let mut count = format!("    {stones} stones, {captured} lost");
    if let Some(time) = model.time_left(side) {
        count = format!("{count}, {}", time_text(time));
    }
    let who = format!("{pointer} {sign} {side}: {}", player(model, side));
    [Line::from(Span::styled(who, style)), Line::raw(count)]
}
