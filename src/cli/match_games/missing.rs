//! Which games and shards a match lacks, as text.

use vato::tournament::{Missing, NumberRanges};
use vato::{counted, plural};

/// More ranges of games, or shards, than this are not listed.
const MOST_MISSING: usize = 12;

/// What parts that were put together lack: the shards, where the match was dealt out in such, and the games.
pub fn missing(missing: &Missing) -> Vec<String> {
    let mut lines = Vec::new();
    let shards = &missing.shards;
    if let Some(count) = missing.shard_count.filter(|_| shards.count > 0) {
        let shown = ranges(shards, |number| format!("{number}/{count}"));
        let word = plural(shards.count, "shard", "shards");
        lines.push(format!("{word} {shown}"));
    }
    let games = &missing.games;
    let shown = ranges(games, |number| number.to_string());
    let mut text = counted(games.count, "game", "games") + ": " + &shown;
    if missing.later > 0 {
        let later = counted(
            missing.later,
            "encounter that depends",
            "encounters that depend",
        );
        text += &format!("; and {later} on them");
    }
    lines.push(text);
    lines
}

/// The first numbers, in order, neighbours as `1-5`.
fn ranges(numbers: &NumberRanges, written: impl Fn(u32) -> String) -> String {
    let all = numbers.ranges.iter().map(|&[first, last]| {
        if first == last {
            written(first)
        } else {
            format!("{}-{}", written(first), written(last))
        }
    });
    let mut shown: Vec<String> = all.take(MOST_MISSING).collect();
    if numbers.cut || numbers.ranges.len() > shown.len() {
        shown.push("…".to_owned());
    }
    shown.join(", ")
}
