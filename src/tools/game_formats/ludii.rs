//! Trials of Ludii: a line for each step.

use super::Draft;
use super::draft::capture_sign;
use vato_records::pgn::RecordResult;

/// Captures are forced, chains stop freely and may go on in the same direction; who cannot move passes, and only the end of
/// the stones ends a game.
const RULES: &str = "direction=any blocked=pass repeat=0 limit=0";

/// How a trial begins.
pub(super) const BEGIN: &str = "game=";

/// Reads a trial.
pub(super) fn read(line: u64, text: &str) -> Draft {
    let first = text.lines().next().unwrap_or_default().trim();
    let name = first.rsplit(['/', '\\', '=']).next().unwrap_or_default();
    let is_placed = |line: &&str| line.contains("mover=0,");
    let placed = text.lines().filter(is_placed).count();
    let [columns, rows] = match placed {
        24 => [5, 5],
        8 => [3, 3],
        _ => [9, 5],
    };
    let rules = format!("board={columns}x{rows} {RULES}");
    let mut draft = Draft::new(line, &rules);
    draft.tag("Site", "Ludii");
    if !name.eq_ignore_ascii_case("Fanorona.lud") || ![44, 24, 8].contains(&placed) {
        draft.fail(format_args!(
            "'{name}' with {placed} stones, expected Fanorona.lud with 44, 24 or 8"
        ));
    }
    let name = |site: u8| {
        let (file, rank) = (site % columns, site / columns + 1);
        // The start of the 5x5 board is the mirror image of Vato's.
        let file = [file, columns - 1 - file][usize::from(placed == 24)];
        format!("{}{rank}", char::from(b'a' + file))
    };
    let (mut mover, mut steps) = (0, Vec::new());
    for line in text.lines().map(str::trim) {
        if let Some(winner) = line.strip_prefix("winner=") {
            draft.result = match winner {
                "1" => RecordResult::WhiteWins,
                "2" => RecordResult::BlackWins,
                "0" => RecordResult::Draw,
                _ => RecordResult::Unfinished,
            };
        }
        let Some(step) = line.strip_prefix("Move=[Move:mover=") else {
            continue;
        };
        let number = |key: &str| -> Option<u8> {
            let (_, digits) = step.split_once(key)?;
            let end = digits.find(|digit: char| !digit.is_ascii_digit());
            digits[..end.unwrap_or(digits.len())].parse().ok()
        };
        let by = number("").unwrap_or_default();
        if by == 0 {
            continue;
        }
        if by != mover {
            if mover != 0 {
                draft.turn(&steps.join(","));
            }
            steps.clear();
            mover = by;
        }
        if step.contains("[Pass:") {
            // Another pass stops a chain.
            if step.contains("forced=true") {
                steps.push("pass".to_owned());
            }
            continue;
        }
        let ends = number(",from=").zip(number(",to="));
        let named = ends.map(|(from, to)| {
            let [from, to] = [from, to].map(name);
            let removed = number("[Remove:type=Vertex,to=").map(name);
            let sign = removed.map_or("", |removed| capture_sign(&from, &to, &removed));
            format!("{from}{to}{sign}")
        });
        match named {
            Some(step) => steps.push(step),
            None => draft.fail(format_args!("no step of this board: '{:.60}'", line)),
        }
    }
    // A side without stones passes as well: the last turn of a game that is won is a capture.
    if mover != 0 && (draft.result.winner().is_none() || steps != ["pass"]) {
        draft.turn(&steps.join(","));
    }
    let last = text.trim_end().lines().last().unwrap_or_default();
    if !last.starts_with("LUDII_VERSION=") {
        draft.fail("expected LUDII_VERSION= at the end of the trial");
    }
    draft
}
