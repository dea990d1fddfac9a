//! Tables of results as CSV.

use ::csv::Writer;
use comfy_table::Table;
use serde::Serialize;
use serde_json::Value;

use super::failure::Failure;

/// Rows as CSV, the headings first.
pub fn csv<Row>(rows: impl IntoIterator<Item = Row>) -> Result<String, Failure>
where
    Row: IntoIterator<Item: AsRef<[u8]>>,
{
    let mut writer = Writer::from_writer(Vec::new());
    for row in rows {
        writer.write_record(row)?;
    }
    let bytes = writer.into_inner()?;
    Ok(String::from_utf8(bytes)?)
}

/// The columns of CSV for what is JSON otherwise, with spaces between them: `NAME`, or `NAME=PLACE` if the cells stand
/// elsewhere in the JSON, such as in `best.depth`.
fn columns(columns: &str) -> impl Iterator<Item = (&str, &str)> {
    let columns = columns.split_whitespace();
    columns.map(|column| column.split_once('=').unwrap_or((column, column)))
}

/// The line of headings.
pub fn headings(of: &str) -> String {
    let names: Vec<&str> = columns(of).map(|(name, _)| name).collect();
    names.join(",") + "\n"
}

/// A row for each item of the list `items` of an object. A cell that the item does not have is that of the object.
pub fn rows(of: &str, object: &impl Serialize, items: &str) -> Result<String, Failure> {
    let object = serde_json::to_value(object)?;
    let items = object[items].as_array().into_iter().flatten();
    csv(items.map(|item| {
        let object = &object;
        columns(of).map(move |(_, place)| {
            let place = format!("/{}", place.replace('.', "/"));
            cell(item.pointer(&place).or(object.pointer(&place)))
        })
    }))
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

/// A table that is shown to people as CSV: percentages and counts are bare numbers. Headings and the first column,
/// where names stand, are as they are.
pub fn csv_of(table: &Table) -> Result<String, Failure> {
    let rows = table.header().into_iter().chain(table.row_iter());
    csv(rows.enumerate().map(|(row, cells)| {
        cells.cell_iter().enumerate().map(move |(column, cell)| {
            let text = cell.content();
            let is_count = text
                .bytes()
                .all(|byte| byte == b',' || byte.is_ascii_digit());
            match text.strip_suffix(" %") {
                _ if row == 0 || column == 0 => text,
                Some(number) => number.to_owned(),
                None if is_count => text.replace(',', ""),
                None => text,
            }
        })
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_found_in_items_then_in_their_object() {
        let columns = "game score=best.score move mark line loss";
        let object = serde_json::json!({
            "game": 3, "move": "-", "mark": null,
            "moves": [{"best": {"score": 1.0}, "move": "a, b", "line": ["x", "y"]}, {"loss": 0.25}],
        });
        assert_eq!(headings(columns), "game,score,move,mark,line,loss\n");
        let text = rows(columns, &object, "moves").expect("text");
        assert_eq!(text, "3,1,\"a, b\",,x y,\n3,,-,,,0.25\n");
        assert_eq!(rows(columns, &object, "none").expect("text"), "");
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
}
