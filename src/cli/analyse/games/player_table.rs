//! How players have played, for people: a row for each.

use comfy_table::{CellAlignment, Table, presets::NOTHING};
use vato::review::{Mark, PlayerReview};

/// The columns of figures.
const HEADINGS: [&str; 8] = [
    "accuracy",
    "average loss",
    "inaccuracies",
    "mistakes",
    "blunders",
    "missed wins",
    "judged",
    "forced",
];

/// A table of these names and games; `games`, if it is told, is the number of games of each.
pub(super) fn player_table<'a>(
    rows: impl IntoIterator<Item = (String, Option<u64>, &'a PlayerReview)>,
) -> String {
    let mut table = Table::new();
    table.load_style(NOTHING);
    let mut has_games = false;
    for (name, games, player) in rows {
        has_games |= games.is_some();
        let mut row = vec![name];
        row.extend(games.map(|games| games.to_string()));
        row.extend(figures(player));
        table.add_row(row);
    }
    let games = has_games.then_some("games");
    table.set_header([""].into_iter().chain(games).chain(HEADINGS));
    for (number, column) in table.column_iter_mut().enumerate() {
        column.set_padding((u16::from(number > 0), 0));
        if number > 0 {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    table.trim_fmt() + "\n"
}

/// In the order of [`HEADINGS`].
fn figures(player: &PlayerReview) -> [String; HEADINGS.len()] {
    let known = |figure: Option<f64>, digits: usize, unit: &str| {
        figure.map_or_else(
            || "-".to_owned(),
            |figure| format!("{figure:.digits$}{unit}"),
        )
    };
    let [inaccuracies, mistakes, blunders] = Mark::ALL.map(|mark| player.count(mark).to_string());
    [
        known(player.accuracy, 1, " %"),
        known(player.average_loss, 3, ""),
        inaccuracies,
        mistakes,
        blunders,
        player.missed_wins.to_string(),
        player.judged.to_string(),
        player.forced.to_string(),
    ]
}
