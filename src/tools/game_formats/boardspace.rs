//! Records of boardspace.net, which look like SGF: `(; GM[Fanorona] … ; P0[1 Capture A F 2 E 3]; P0[2 done] …)`.

use vato_engine::board::Side;

use super::Draft;
use super::draft::capture_sign;
use vato_records::pgn::{RecordResult, Termination};

/// How a record begins.
pub(super) const BEGIN: &str = "(;";

/// Reads a record.
pub(super) fn read(line: u64, text: &str) -> Draft {
    let mut draft = Draft::new(line, "repeat=0 limit=0");
    draft.tag("Site", "boardspace.net");
    let mut turn = Turn::default();
    let mut rest = text;
    while let Some((before, behind)) = rest.split_once('[') {
        let is_between = |key: char| !key.is_ascii_alphanumeric();
        let key = before.trim_end().rsplit(is_between).next();
        let (mut value, mut characters) = (String::new(), behind.chars());
        while let Some(next) = characters.next().filter(|next| *next != ']') {
            let plain = Some(next).filter(|next| *next != '\\');
            value.extend(plain.or_else(|| characters.next()));
        }
        rest = characters.as_str();
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
        if let Some(id) = text.trim().strip_prefix("id ") {
            return draft.tag(&side.to_string(), id.trim().trim_matches('"'));
        }
        let lower = text.to_lowercase();
        let is_number = |word: &&str| word.parse::<u32>().is_ok();
        let words: Vec<&str> = lower.split_whitespace().skip_while(is_number).collect();
        let [verb, rest @ ..] = &*words else { return };
        let (sign, rest) = match (*verb, rest) {
            ("capture", ["a", rest @ ..]) => ("A", rest),
            ("capture", ["w", rest @ ..]) => ("W", rest),
            _ => ("", rest),
        };
        let point = |at: usize| Some(format!("{}{}", rest.get(at)?, rest.get(at + 1)?));
        match (*verb, point(0), point(2)) {
            ("capture" | "move", Some(from), Some(to)) => self.steps.push(([from, to], sign)),
            ("pickb", from @ Some(_), _) => self.picked = from,
            ("dropb", Some(to), _) => {
                if let Some(from) = self.picked.take().filter(|from| *from != to) {
                    self.steps.push(([from, to], ""));
                }
            }
            ("remove", Some(removed), _) => {
                if let Some(([from, to], sign)) = self.steps.last_mut() {
                    *sign = capture_sign(from, to, &removed);
                }
            }
            ("done", ..) => self.end(draft),
            ("resign", ..) => {
                draft.result = RecordResult::of_winner(Some(!side));
                draft.termination = Termination::Resignation.pgn();
            }
            ("acceptdraw", ..) => {
                draft.result = RecordResult::Draw;
                draft.termination = "agreement";
            }
            ("start", ..) if *rest != ["p0"] => draft.fail("the second player begins"),
            ("start" | "offerdraw" | "declinedraw" | "gameover" | "time", ..) => {}
            _ => draft.fail(format_args!("unknown: '{:.60}'", text.trim())),
        }
    }

    fn end(&mut self, draft: &mut Draft) {
        let step = |([from, to], sign): ([String; 2], &str)| format!("{from}{to}{sign},");
        let turn: String = self.steps.drain(..).map(step).collect();
        // Offers end so as well.
        if !turn.is_empty() {
            draft.turn(&turn);
        }
    }
}
