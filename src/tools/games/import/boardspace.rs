//! Records of boardspace.net, which look like SGF: `(; GM[Fanorona] … ; P0[1 Capture A F 2 E 3]; P0[2 done] …)`.

use vato_engine::board::Side;
use vato_engine::notation::pgn::{RecordResult, Termination};

use super::Draft;
use super::draft::{capture_sign, place};

/// The standard game without repetition and limit.
const RULES: &str = "repeat=0 limit=0";

/// Reads a record.
pub(super) fn read(line: u64, text: &str) -> Draft {
    let mut draft = Draft::new(line, RULES);
    draft.tag("Site", "boardspace.net");
    let mut turn = Turn::default();
    let mut rest = text;
    while let Some((before, behind)) = rest.split_once('[') {
        let key = before
            .trim_end()
            .rsplit(|key: char| !key.is_ascii_alphanumeric())
            .next();
        let (mut value, mut is_escaped, mut end) = (String::new(), false, behind.len());
        for (place, character) in behind.char_indices() {
            if character == ']' && !is_escaped {
                end = place;
                break;
            }
            is_escaped = character == '\\' && !is_escaped;
            value.extend((!is_escaped).then_some(character));
        }
        rest = behind.get(end + 1..).unwrap_or_default();
        match key.unwrap_or_default() {
            key @ ("GM" | "SU") if !value.eq_ignore_ascii_case("fanorona") => {
                draft.fail(format_args!("{key} is '{value}', expected fanorona"));
            }
            "GN" => draft.tag("GameId", &value),
            "DT" => draft.tag("DateTime", &value),
            "P0" => turn.node(&mut draft, Side::White, &value),
            "P1" => turn.node(&mut draft, Side::Black, &value),
            _ => {}
        }
    }
    turn.end(&mut draft);
    if rest.trim() != ")" {
        draft.fail("expected ')' at the end of the record");
    }
    draft
}

/// A turn as it is made.
#[derive(Default)]
struct Turn {
    steps: Vec<([String; 2], &'static str)>,
    picked: Option<String>,
}

impl Turn {
    /// Adds what a player does.
    fn node(&mut self, draft: &mut Draft, side: Side, text: &str) {
        let name = if side == Side::White {
            "White"
        } else {
            "Black"
        };
        if let Some(id) = text.trim().strip_prefix("id ") {
            return draft.tag(name, id.trim().trim_matches('"'));
        }
        let mut words = text
            .split_whitespace()
            .skip_while(|word| word.parse::<u32>().is_ok());
        let Some(verb) = words.next().map(str::to_ascii_lowercase) else {
            return;
        };
        let mut rest: Vec<&str> = words.collect();
        let mut sign = "";
        if verb == "capture" && !rest.is_empty() {
            sign = if rest.remove(0).eq_ignore_ascii_case("w") {
                "W"
            } else {
                "A"
            };
        }
        let point =
            |at: usize| Some(format!("{}{}", rest.get(at)?, rest.get(at + 1)?).to_lowercase());
        match (verb.as_str(), point(0), point(2)) {
            ("capture" | "move", Some(from), Some(to)) => self.steps.push(([from, to], sign)),
            ("capturew", Some(from), Some(to)) => self.steps.push(([from, to], "W")),
            ("pickb", from @ Some(_), _) => self.picked = from,
            ("dropb", Some(to), _) => {
                if let Some(from) = self.picked.take().filter(|from| *from != to) {
                    self.steps.push(([from, to], ""));
                }
            }
            ("remove", Some(removed), _) => {
                if let Some(([from, to], sign)) = self.steps.last_mut() {
                    let [from, to, removed] = [&*from, &*to, &*removed].map(place);
                    *sign = capture_sign(from, to, removed);
                }
            }
            ("done", ..) => self.end(draft),
            ("resign", ..) => {
                draft.result(Some(RecordResult::of_winner(Some(!side))));
                draft.ended_by(Termination::Resignation.pgn());
            }
            ("acceptdraw", ..) => {
                draft.result(Some(RecordResult::Draw));
                draft.ended_by("agreement");
            }
            ("start", ..) if rest != ["P0"] => draft.fail("the second player begins"),
            ("start" | "offerdraw" | "declinedraw" | "gameover" | "time", ..) => {}
            _ => draft.fail(format_args!("unknown: '{:.60}'", text.trim())),
        }
    }

    fn end(&mut self, draft: &mut Draft) {
        let steps = self
            .steps
            .drain(..)
            .map(|([from, to], sign)| format!("{from}{to}{sign}"));
        draft.turn(&steps.collect::<Vec<_>>().join(","));
    }
}
