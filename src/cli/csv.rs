//! Tables of results as CSV.

use ::csv::Writer;
use comfy_table::Table;

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

/// A table that is shown to people as CSV: percentages and counts are bare numbers, and a column without a
/// heading is called `number`.
pub fn csv_of(table: &Table) -> Result<String, Failure> {
    let rows = table.header().into_iter().chain(table.row_iter());
    csv(rows.enumerate().map(|(number, row)| {
        row.cell_iter().map(move |cell| {
            let text = cell.content();
            let is_count = text
                .bytes()
                .all(|byte| byte == b',' || byte.is_ascii_digit());
            match text.strip_suffix(" %") {
                Some(number) => number.to_owned(),
                None if is_count && number > 0 => text.replace(',', ""),
                None if text.is_empty() && number == 0 => "number".to_owned(),
                None => text,
            }
        })
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_would_end_a_cell_is_quoted() {
        let mut table = Table::new();
        table.set_header(["", "chance"]);
        table.add_row(["a, \"b\"", "62.5 %"]);
        table.add_row(["1,234", ""]);
        let text = csv_of(&table).expect("text");
        assert_eq!(text, "number,chance\n\"a, \"\"b\"\"\",62.5\n1234,\n");
    }
}
