//! Results as people and scripts get them: what is serialised once is a line of JSON or rows of CSV; tables, scores, numbers
//! and progress for people are made here.

use std::env;
use std::fmt;
use std::io::{self, Write};
use std::ops::RangeBounds;
use std::time::Duration;

use clap::Args;
#[cfg(feature = "tools")]
use comfy_table::{
    CellAlignment, Table,
    presets::{ASCII_MARKDOWN, NOTHING},
};
use indicatif::{HumanCount, HumanDuration, ProgressBar, ProgressState, ProgressStyle};
use serde::Serialize;
use serde_json::Value;
use vato_engine::board::{Position, Side};
use vato_engine::notation::{Charset, diagram, format_fen};
use vato_engine::rules::{Game, Rules};
use vato_engine::search::{Bound, Score};

use super::failure::Failure;

/// The format of results.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// A table for people.
    Text,
    /// The game record with annotations.
    Pgn,
    /// Objects, one a line.
    Json,
    /// Rows, below a line of headings.
    Csv,
}

impl Format {
    /// By the options `--json` and `--csv`, which exclude each other.
    pub fn of(json: bool, csv: bool) -> Format {
        match (json, csv) {
            (true, _) => Format::Json,
            (_, true) => Format::Csv,
            _ => Format::Text,
        }
    }
}

/// How an object becomes rows of CSV: a row for each item of its list `items`. The columns stand with spaces between
/// them: `NAME`, or `NAME=PLACE` if the cells stand elsewhere in the item, such as in `best.depth`. A cell that the
/// item does not have is that of the object.
#[derive(Clone, Copy, Debug)]
pub struct Rows<'a> {
    pub items: &'a str,
    pub columns: &'a str,
}

impl Rows<'_> {
    fn columns(&self) -> impl Iterator<Item = (&str, &str)> {
        let columns = self.columns.split_whitespace();
        columns.map(|column| column.split_once('=').unwrap_or((column, column)))
    }

    /// The line of headings before the first object, if the format has one.
    pub fn headings(&self, format: Format) -> String {
        let names: Vec<&str> = self.columns().map(|(name, _)| name).collect();
        match format {
            Format::Csv => names.join(",") + "\n",
            _ => String::new(),
        }
    }

    #[cfg(feature = "tools")]
    fn csv(&self, object: &impl Serialize) -> Result<String, Failure> {
        let object = serde_json::to_value(object)?;
        let items = object[self.items].as_array().into_iter().flatten();
        csv(items.map(|item| {
            let object = &object;
            self.columns().map(move |(_, place)| {
                let place = format!("/{}", place.replace('.', "/"));
                cell(item.pointer(&place).or(object.pointer(&place)))
            })
        }))
    }
}

/// An object for scripts: a line of JSON, or its rows of CSV.
pub fn record(format: Format, object: &impl Serialize, rows: Rows<'_>) -> Result<String, Failure> {
    match format {
        #[cfg(feature = "tools")]
        Format::Csv => rows.csv(object),
        _ => Ok(serde_json::to_string(object)? + "\n"),
    }
}

/// The options of commands that print rows; where a row is not a line of JSON, their help says what is.
#[derive(Args, Debug)]
pub struct FormatArguments {
    /// Print JSON, an object for each line
    #[arg(long)]
    json: bool,

    /// Print CSV
    #[arg(long, conflicts_with = "json")]
    csv: bool,
}

impl FormatArguments {
    /// The format that is asked for, else text.
    pub fn format(&self) -> Format {
        Format::of(self.json, self.csv)
    }
}

/// Rows as CSV, the headings first.
#[cfg(feature = "tools")]
pub fn csv<Row>(rows: impl IntoIterator<Item = Row>) -> Result<String, Failure>
where
    Row: IntoIterator<Item: AsRef<[u8]>>,
{
    let mut writer = ::csv::Writer::from_writer(Vec::new());
    for row in rows {
        writer.write_record(row)?;
    }
    let bytes = writer.into_inner()?;
    Ok(String::from_utf8(bytes)?)
}

/// A value as a cell: nothing for what is not known, spaces between the parts of a list.
fn cell(value: Option<&Value>) -> String {
    match value {
        None | Some(Value::Null) => String::new(),
        Some(Value::String(text)) => text.clone(),
        Some(Value::Array(list)) => {
            let cells = list.iter().map(|item| cell(Some(item)));
            cells.collect::<Vec<_>>().join(" ")
        }
        Some(Value::Number(number)) if number.is_f64() => {
            number.as_f64().unwrap_or_default().to_string()
        }
        Some(other) => other.to_string(),
    }
}

/// A table in Markdown; the columns of this range have figures.
#[cfg(feature = "tools")]
pub fn table<'a>(
    headings: impl IntoIterator<Item = &'a str>,
    rows: impl IntoIterator<Item = Vec<String>>,
    figures: impl RangeBounds<usize>,
) -> Table {
    let mut table = Table::new();
    table.load_style(ASCII_MARKDOWN).set_header(headings);
    table.add_rows(rows);
    let columns = table.column_iter_mut().enumerate();
    for (_, column) in columns.filter(|(number, _)| figures.contains(number)) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    table
}

/// A table without lines, with so many spaces between the columns; those of this range have figures.
#[cfg(feature = "tools")]
pub fn plain_table<'a>(
    headings: impl IntoIterator<Item = &'a str>,
    rows: impl IntoIterator<Item = Vec<String>>,
    figures: impl RangeBounds<usize>,
    spaces: u16,
) -> String {
    let mut table = table(headings, rows, figures);
    table.load_style(NOTHING);
    for (number, column) in table.column_iter_mut().enumerate() {
        column.set_padding((if number > 0 { spaces } else { 0 }, 0));
    }
    table.trim_fmt() + "\n"
}

/// A table that is shown to people as CSV: percentages and counts are bare numbers. Headings and the first column,
/// where names stand, are as they are.
#[cfg(feature = "tools")]
pub fn csv_of(table: &Table) -> Result<String, Failure> {
    let rows = table.header().into_iter().chain(table.row_iter());
    csv(rows.enumerate().map(|(row, cells)| {
        cells.cell_iter().enumerate().map(move |(column, cell)| {
            let text = cell.content();
            let is_count = (text.bytes()).all(|byte| byte == b',' || byte.is_ascii_digit());
            match text.strip_suffix(" %") {
                _ if row == 0 || column == 0 => text,
                Some(number) => number.to_owned(),
                None if is_count => text.replace(',', ""),
                None => text,
            }
        })
    }))
}

/// The score of a side as people are shown it, from White's view whoever that side is: `+0.35`, `+M7` if White wins in 7
/// plies, `-TB` if the tables know that Black does, with the plies to a `conversion` in them behind it: `-TB 12`; a bound
/// is preceded by its sign.
pub fn score_text(score: Score, side: Side, bound: Bound, conversion: Option<u32>) -> String {
    let sign = match (bound, side) {
        (Bound::Exact, _) => "",
        (Bound::Lower, Side::White) | (Bound::Upper, Side::Black) => ">=",
        (Bound::Upper, Side::White) | (Bound::Lower, Side::Black) => "<=",
    };
    let plies = conversion.map_or(String::new(), |plies| format!(" {plies}"));
    format!("{sign}{}{plies}", side.for_white(score).short_text())
}

/// The number of the next move as game records have it: `12.`, for Black `12...`.
pub fn move_number(position: &Position) -> String {
    let dots = match position.side() {
        Side::White => ".",
        Side::Black => "...",
    };
    format!("{}{dots}", position.move_number())
}

/// Draws the position of a game, with its FEN and its rules.
pub fn write_position(out: &mut impl Write, game: &Game, ascii: bool) -> io::Result<()> {
    let (rules, position) = (game.rules(), game.position());
    write!(out, "{}", diagram(position, rules.board, charset(ascii)))?;
    writeln!(out, "{} to move", position.side())?;
    writeln!(out, "{}", format_fen(position, rules.board))?;
    if *rules != Rules::STANDARD {
        writeln!(out, "rules: {rules}")?;
    }
    writeln!(out)
}

/// The number with its sign and this many decimals; zero after rounding is `+0`, never `-0`.
pub fn signed(value: f64, decimals: usize) -> String {
    let text = format!("{value:+.decimals$}");
    match text.strip_prefix('-') {
        Some(size) if size.bytes().all(|byte| matches!(byte, b'0' | b'.')) => format!("+{size}"),
        _ => text,
    }
}

/// ASCII if requested or if the locale does not use UTF-8.
pub fn charset(ascii: bool) -> Charset {
    match ascii || !locale_is_utf8() {
        true => Charset::Ascii,
        false => Charset::Unicode,
    }
}

/// Whether the locale uses UTF-8: the first of `LC_ALL`, `LC_CTYPE` and `LANG` that is set decides. Windows
/// has no such variables; its consoles accept Unicode.
fn locale_is_utf8() -> bool {
    let values = ["LC_ALL", "LC_CTYPE", "LANG"].into_iter();
    let mut values = values.filter_map(|name| env::var(name).ok());
    let locale = values.find(|value| !value.is_empty());
    locale.map_or(cfg!(windows), |locale| {
        let locale = locale.to_ascii_lowercase();
        locale.contains("utf-8") || locale.contains("utf8")
    })
}

/// A bar on standard error, if that is a terminal, with the rate, and the message of the bar behind it; `things` names
/// the items counted, in the plural.
pub fn progress_bar(count: u64, things: &str) -> ProgressBar {
    let template = format!(
        "{{elapsed_precise}} [{{wide_bar}}] {{human_pos}}/{{human_len}} {things}, {{rate}}/s{{eta}}{{msg}}"
    );
    bar_with_rate(Some(count), &template, short)
}

/// As [`progress_bar`], for an unknown total.
pub fn progress_counter(things: &str) -> ProgressBar {
    let template = format!("{{elapsed_precise}} {{human_pos}} {things} ({{rate}}/s){{msg}}");
    bar_with_rate(None, &template, short)
}

/// How long the rest takes, once something tells.
pub fn eta(state: &ProgressState, out: &mut dyn fmt::Write) {
    let eta = state.eta();
    if !eta.is_zero() {
        // Formatting errors are ignored.
        let _ = write!(out, " (eta {:#})", HumanDuration(eta));
    }
}

/// A rate, without decimals if it is high.
fn short(rate: f64) -> String {
    match rate {
        10.0.. => HumanCount(rate as u64).to_string(),
        _ => format!("{rate:.1}"),
    }
}

/// A bar of this template on standard error, if that is a terminal; `text` makes its `{rate}` of the rate per second.
pub fn bar_with_rate(
    count: Option<u64>,
    template: &str,
    text: impl Fn(f64) -> String + Clone + Send + Sync + 'static,
) -> ProgressBar {
    let bar = count.map_or_else(ProgressBar::no_length, ProgressBar::new);
    if let Ok(style) = ProgressStyle::with_template(template) {
        let rate = move |state: &ProgressState, out: &mut dyn fmt::Write| {
            // Formatting errors are ignored.
            let _ = out.write_str(&text(state.per_sec()));
        };
        bar.set_style(
            style
                .with_key("rate", rate)
                .with_key("eta", eta)
                .progress_chars("=> "),
        );
    }
    bar.enable_steady_tick(Duration::from_millis(500));
    bar
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_found_in_items_then_in_their_object() {
        let columns = "game score=best.score move mark line loss";
        let rows = |items| Rows { items, columns };
        let object = serde_json::json!({
            "game": 3, "move": "-", "mark": null,
            "moves": [{"best": {"score": 1.0}, "move": "a, b", "line": ["x", "y"]}, {"loss": 0.25}],
        });
        let moves = rows("moves");
        let headings = "game,score,move,mark,line,loss\n";
        assert_eq!(moves.headings(Format::Csv), headings);
        assert_eq!(moves.headings(Format::Json), "");
        let text = record(Format::Csv, &object, moves).expect("text");
        assert_eq!(text, "3,1,\"a, b\",,x y,\n3,,-,,,0.25\n");
        let none = record(Format::Csv, &object, rows("none"));
        assert_eq!(none.expect("text"), "");
    }

    #[test]
    fn what_would_end_a_cell_is_quoted() {
        let mut table = Table::new();
        table.set_header(["engine", "net 50 %", "1,000"]);
        table.add_row(["a, \"b\"", "62.5 %", "1,234"]);
        table.add_row(["1,000", "", "x"]);
        table.add_row(["net 50 %", "", ""]);
        let text = csv_of(&table).expect("text");
        let wanted =
            "engine,net 50 %,\"1,000\"\n\"a, \"\"b\"\"\",62.5,1234\n\"1,000\",,x\nnet 50 %,,\n";
        assert_eq!(text, wanted);
    }

    #[test]
    fn scores_are_for_white() {
        let text = |hundredths, side| {
            let score = Score::from_centi_stones(hundredths);
            score_text(score, side, Bound::Exact, None)
        };
        for (hundredths, white, black) in [
            (0, "+0.00", "+0.00"),
            (35, "+0.35", "-0.35"),
            (-7, "-0.07", "+0.07"),
            (-1234, "-12.34", "+12.34"),
        ] {
            assert_eq!(text(hundredths, Side::White), white);
            assert_eq!(text(hundredths, Side::Black), black);
        }
        let (win, table) = (Score::win_in(7), Score::tablebase_win(9));
        for (score, side, bound, plies, wanted) in [
            (win, Side::White, Bound::Lower, None, ">=+M7"),
            (win, Side::Black, Bound::Lower, None, "<=-M7"),
            (win, Side::Black, Bound::Upper, None, ">=-M7"),
            (table, Side::White, Bound::Exact, None, "+TB"),
            (table, Side::Black, Bound::Exact, Some(12), "-TB 12"),
        ] {
            assert_eq!(score_text(score, side, bound, plies), wanted);
        }
    }

    #[test]
    fn nothing_is_not_less_than_nothing() {
        for (number, places, wanted) in [
            (-0.4, 0, "+0"),
            (-0.04, 1, "+0.0"),
            (-0.0, 2, "+0.00"),
            (-0.6, 0, "-1"),
            (12.34, 1, "+12.3"),
            (f64::NEG_INFINITY, 1, "-inf"),
        ] {
            assert_eq!(signed(number, places), wanted);
        }
    }
}
