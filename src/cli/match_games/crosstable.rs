//! The table of a tournament: who made how many points against whom.

use comfy_table::{CellAlignment, Table, presets::ASCII_MARKDOWN};
use vato::tournament::statistics::{Bounds, Rating, Ratings};
use vato::tournament::{Place, Ranking, Standings};

use crate::cli::text::signed;

/// Against more opponents than this the single results are left out.
const MOST_OPPONENTS: usize = 16;

/// The table, its rows in the order of the ranking; `unit` is what is counted, games or rounds.
pub fn crosstable(
    standings: &Standings,
    ranking: &Ranking,
    ratings: Option<&Ratings>,
    unit: &str,
) -> String {
    let engines = standings.names.len();
    let has_byes = ranking.places.iter().any(|place| place.bye_points > 0.0);
    let has_notes = ranking.places.iter().any(|place| place.note.is_some());
    let opponents = if engines <= MOST_OPPONENTS {
        ranking.places.as_slice()
    } else {
        &[]
    };
    let mut header: Vec<String> = ["", "engine", "points", unit].map(str::to_owned).into();
    if has_byes {
        header.push("bye".to_owned());
    }
    header.extend(
        ranking
            .tie_breaks
            .iter()
            .map(|tie_break| tie_break.name().to_owned()),
    );
    if ratings.is_some() {
        header.push("Elo".to_owned());
    }
    header.extend((1..=opponents.len()).map(|place| place.to_string()));
    let figures = 2..header.len();
    if has_notes {
        header.push("came to".to_owned());
    }
    let mut table = Table::new();
    table.load_style(ASCII_MARKDOWN).set_header(header);
    for (index, place) in ranking.places.iter().enumerate() {
        let mut row = vec![
            (index + 1).to_string(),
            cell(&place.name),
            place.points.to_string(),
            place.games.to_string(),
        ];
        if has_byes {
            row.push(place.bye_points.to_string());
        }
        row.extend(place.tie_breaks.iter().map(|value| format!("{value:.2}")));
        if let Some(ratings) = ratings {
            row.push(rating(ratings.engines.get(place.engine)));
        }
        row.extend(
            opponents
                .iter()
                .map(|other| result(standings, place, other)),
        );
        if has_notes {
            row.push(cell(place.note.as_deref().unwrap_or_default()));
        }
        table.add_row(row);
    }
    for (number, column) in table.column_iter_mut().enumerate() {
        if number == 0 || figures.contains(&number) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    table.to_string()
}

/// Text that ends no cell of a Markdown table.
fn cell(text: &str) -> String {
    text.replace('|', "\\|")
}

/// Points of games against an opponent.
fn result(standings: &Standings, place: &Place, other: &Place) -> String {
    let counts = standings.against(place.engine, other.engine);
    match counts.games() {
        _ if place.engine == other.engine => "·".to_owned(),
        0 => String::new(),
        games => format!("{}/{games}", counts.points()),
    }
}

fn rating(rating: Option<&Rating>) -> String {
    let Some((rating, elo)) = rating.and_then(|rating| Some((rating, rating.elo?))) else {
        return "unknown".to_owned();
    };
    let value = signed(elo.value, 0);
    match rating.bounds {
        Bounds::Known => format!("{value} ± {:.0}", elo.margin()),
        Bounds::Given => value,
        Bounds::Unknown | Bounds::Unconnected => format!("{value}, no bounds"),
    }
}
