//! Game records: tags, moves with comments, a result.

use super::tokens::{comment_text, is_move_text, is_tag_name};
use super::{MAX_MOVES, MAX_TAGS, Nag, RecordFault, RecordResult};
use vato_engine::board::Position;
use vato_engine::notation::format_fen;
use vato_engine::rules::{Preset, Rules};
use vato_engine::text::excerpt;

/// The Seven Tag Roster in the standard order, with the default values.
pub(super) const ROSTER: [(&str, &str); 7] = [
    ("Event", "?"),
    ("Site", "?"),
    ("Date", "????.??.??"),
    ("Round", "?"),
    ("White", "?"),
    ("Black", "?"),
    ("Result", "*"),
];

/// A game record. It always has the Seven Tag Roster, first and in the standard order.
///
/// Text that PGN cannot hold is normalised when it is set, so that a record reads back as it was
/// written: control characters in tags become spaces; in comments white space becomes single spaces
/// and braces become parentheses, unless none closes. Equality ignores the line numbers of the source text.
///
/// `Display` writes the record and the blank line that ends it, so that records can be concatenated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameRecord {
    pub(super) tags: Vec<Tag>,
    pub(super) introduction: Option<String>,
    pub(super) moves: Vec<RecordedMove>,
    pub(super) final_comment: Option<String>,
    pub(super) result: RecordResult,
    pub(super) line: SourceLine,
    pub(super) result_line: SourceLine,
    pub(super) latin1: SourceLine,
    pub(super) repairs: OfSource<Vec<RecordFault>>,
}

impl Default for GameRecord {
    /// An empty record: no moves, no result.
    fn default() -> GameRecord {
        GameRecord {
            tags: ROSTER
                .iter()
                .map(|(name, value)| Tag::new(name, value, SourceLine::default()))
                .collect(),
            introduction: None,
            moves: Vec::new(),
            final_comment: None,
            result: RecordResult::Unfinished,
            line: SourceLine::default(),
            result_line: SourceLine::default(),
            latin1: SourceLine::default(),
            repairs: OfSource::default(),
        }
    }
}

impl GameRecord {
    /// The record of a game under these rules, without moves: with the tags `Variant` and `Rules`, and with
    /// `SetUp` and `FEN` unless `start` is the start position of the rules.
    pub fn new(rules: &Rules, start: &Position) -> GameRecord {
        let variant = Preset::of(rules).unwrap_or(Preset::Custom);
        let mut record = GameRecord::default();
        record.put_tag("Variant", variant.name());
        record.put_tag("Rules", &format!("{rules:#}"));
        if *start != rules.start() {
            record.put_tag("SetUp", "1");
            record.put_tag("FEN", &format_fen(start, rules.board));
        }
        record
    }

    /// Completes a parsed record, whose tags are in any order, perhaps with some of the roster missing or given twice.
    /// Without a result token the tag `Result` counts.
    pub(super) fn complete(&mut self) {
        for tag in self.tags.iter_mut().filter(|tag| tag.name() == "Result") {
            let meant = RecordResult::meant(tag.value()).map(RecordResult::name);
            if let Some(meant) = meant.filter(|meant| *meant != tag.value()) {
                let problem = format!("the tag Result: read '{}' as {meant}", excerpt(tag.value()));
                self.repairs.0.push(RecordFault {
                    line: tag.line(),
                    problem,
                });
                tag.value = meant.to_owned();
            }
        }
        // What means the same is there once, as what is the same.
        for at in (1..self.tags.len()).rev() {
            if self.tags[..at].contains(&self.tags[at]) {
                self.tags.remove(at);
            }
        }
        if self.result_line().is_none() {
            let stated = self.tag("Result").and_then(|tag| tag.value().parse().ok());
            self.result = stated.unwrap_or_default();
        }
        for (name, unknown) in ROSTER {
            let unknown = match name {
                "Result" => self.result.name(),
                _ => unknown,
            };
            if self.tag(name).is_none() {
                self.put_tag(name, unknown);
            }
        }
        // The roster first; other tags keep their order.
        self.tags.sort_by_key(|tag| {
            let place = ROSTER.iter().position(|(name, _)| *name == tag.name());
            place.unwrap_or(ROSTER.len())
        });
    }

    /// All tags: the roster first, then the others in order of insertion.
    pub fn tags(&self) -> &[Tag] {
        &self.tags
    }

    /// The first tag with this name.
    pub fn tag(&self, name: &str) -> Option<&Tag> {
        self.tags.iter().find(|tag| tag.name() == name)
    }

    /// The value of the first tag with this name; `None` if it is missing, empty or `?` (unknown).
    pub fn tag_value(&self, name: &str) -> Option<&str> {
        self.known_tag(name).map(Tag::value)
    }

    /// The first tag with this name, if its value is known.
    pub(super) fn known_tag(&self, name: &str) -> Option<&Tag> {
        self.tag(name)
            .filter(|tag| !matches!(tag.value(), "" | "?"))
    }

    /// The players, for messages: `Rabe – Ranaivo`, with `?` for an unknown one.
    pub fn players(&self) -> String {
        let [white, black] = ["White", "Black"].map(|name| {
            let known = self.tag(name).map(|tag| excerpt(&tag.value));
            known.unwrap_or_else(|| "?".to_owned())
        });
        format!("{white} – {black}")
    }

    /// Sets the value of a tag, replacing any old one. For the tag `Result` use
    /// [`GameRecord::set_result`].
    ///
    /// # Errors
    ///
    /// If the name is not letters and digits, or there are already [`MAX_TAGS`].
    pub fn set_tag(&mut self, name: &str, value: &str) -> Result<(), String> {
        if !is_tag_name(name) {
            let name = excerpt(name);
            return Err(format!(
                "invalid tag name '{name}': expected letters and digits"
            ));
        }
        if self.tags.len() >= MAX_TAGS && self.tag(name).is_none() {
            return Err(format!("a record has at most {MAX_TAGS} tags"));
        }
        self.put_tag(name, value);
        Ok(())
    }

    fn put_tag(&mut self, name: &str, value: &str) {
        let tag = Tag::new(name, value, SourceLine::default());
        match self.tags.iter_mut().find(|tag| tag.name() == name) {
            Some(place) => *place = tag,
            None => self.tags.push(tag),
        }
    }

    /// The moves, in the order of play.
    pub fn moves(&self) -> &[RecordedMove] {
        &self.moves
    }

    /// The number of moves (plies) with those of all variations.
    pub fn count_moves(&self) -> usize {
        count_moves(&self.moves)
    }

    /// The moves, to set their comments, annotations and variations.
    pub fn moves_mut(&mut self) -> &mut [RecordedMove] {
        &mut self.moves
    }

    /// Appends a move and the comment on it, such as `+0.35/12 0.84s`.
    ///
    /// # Errors
    ///
    /// If the text would not be read back as a move, or there are already [`MAX_MOVES`]. Legality is
    /// checked when the record is replayed.
    pub fn push_move(&mut self, text: &str, comment: Option<&str>) -> Result<(), String> {
        if !is_move_text(text) {
            let text = excerpt(text);
            return Err(format!(
                "invalid move '{text}': expected a letter, then letters, digits and hyphens"
            ));
        }
        if self.moves.len() >= MAX_MOVES {
            return Err(format!("a record has at most {MAX_MOVES} moves"));
        }
        let comment = comment.and_then(comment_text);
        self.moves
            .push(RecordedMove::new(text, comment, SourceLine::default()));
        Ok(())
    }

    /// The comment before the first move.
    pub fn introduction(&self) -> Option<&str> {
        self.introduction.as_deref()
    }

    /// Sets the comment before the first move; an empty string removes it.
    pub fn set_introduction(&mut self, comment: &str) {
        self.introduction = comment_text(comment);
    }

    /// The final comment, which follows the comment on the last move.
    pub fn final_comment(&self) -> Option<&str> {
        self.final_comment.as_deref()
    }

    /// Sets the final comment; an empty string removes it.
    pub fn set_final_comment(&mut self, comment: &str) {
        self.final_comment = comment_text(comment);
    }

    /// The result at the end of the moves. In a parsed record the tag `Result` may differ, see
    /// [`GameRecord::check`].
    pub fn result(&self) -> RecordResult {
        self.result
    }

    /// Sets the result and the tag `Result`.
    pub fn set_result(&mut self, result: RecordResult) {
        self.result = result;
        self.put_tag("Result", result.name());
    }

    /// The line of the source text where the record begins, from 1; `None` for a record that was not
    /// parsed.
    pub fn line(&self) -> Option<u64> {
        self.line.0
    }

    /// Sets the line and the first one that was not UTF-8, for a record that has been read from another format.
    pub fn set_lines(&mut self, line: u64, latin1: Option<u64>) {
        (self.line, self.latin1) = (OfSource(Some(line)), OfSource(latin1));
    }

    /// The line of the result at the end of the moves, if it was parsed there.
    pub fn result_line(&self) -> Option<u64> {
        self.result_line.0
    }

    /// The first line of the source text that was not UTF-8 and was read as Latin-1, if there was one.
    pub fn latin1_line(&self) -> Option<u64> {
        self.latin1.0
    }
}

/// A tag: name and value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tag {
    name: String,
    value: String,
    line: SourceLine,
}

impl Tag {
    /// A tag of this line. The name is valid; the value is normalised.
    pub(super) fn new(name: &str, value: &str, line: SourceLine) -> Tag {
        let value = value
            .chars()
            .map(|character| match character.is_control() {
                true => ' ',
                false => character,
            })
            .collect();
        Tag {
            name: name.to_owned(),
            value,
            line,
        }
    }

    /// The name, such as `White`.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The value, without quotes and escapes, free of control characters.
    pub fn value(&self) -> &str {
        &self.value
    }

    /// The line of the source text, from 1; `None` for a tag that was not parsed.
    pub fn line(&self) -> Option<u64> {
        self.line.0
    }
}

/// A move of a record, as text; legality is checked when the record is replayed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordedMove {
    text: String,
    annotations: Vec<Nag>,
    /// The comment on the move, without braces; see [`RecordedMove::set_comment`].
    pub comment: Option<String>,
    /// The variations on the move: each begins in the position before it.
    pub variations: Vec<Variation>,
    line: SourceLine,
}

impl RecordedMove {
    /// A move of this line. The text is a valid move token.
    pub(super) fn new(text: &str, comment: Option<String>, line: SourceLine) -> RecordedMove {
        RecordedMove {
            text: text.to_owned(),
            annotations: Vec::new(),
            comment,
            variations: Vec::new(),
            line,
        }
    }

    /// Adds an annotation, unless it is there already.
    pub(super) fn add_annotation(&mut self, nag: Nag) {
        if !self.annotations.contains(&nag) {
            self.annotations.push(nag);
        }
    }

    /// The move, such as `d5-d4A-c5W`.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The annotations of the move by number, without duplicates.
    pub fn annotations(&self) -> &[Nag] {
        &self.annotations
    }

    /// Sets the annotations of the move; duplicates are dropped.
    pub fn set_annotations(&mut self, nags: impl IntoIterator<Item = Nag>) {
        self.annotations.clear();
        for nag in nags {
            self.add_annotation(nag);
        }
    }

    /// Sets the comment on the move, as PGN can hold it; an empty string removes it.
    pub fn set_comment(&mut self, comment: &str) {
        self.comment = comment_text(comment);
    }

    /// The line of the source text, from 1; `None` for a move that was not parsed.
    pub fn line(&self) -> Option<u64> {
        self.line.0
    }
}

/// A line of moves in place of a move and all that follow it. It has at least one move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variation {
    /// The comment before the first move.
    pub introduction: Option<String>,
    /// The moves, in the order of play.
    pub moves: Vec<RecordedMove>,
    /// The comment behind the variation, before what follows it.
    pub comment_after: Option<String>,
}

impl Variation {
    /// The variation of these moves, with a comment before the first one; an empty string is none.
    ///
    /// # Errors
    ///
    /// If there are no moves, or the text of one would not be read back as a move.
    pub fn new<'a>(
        introduction: &str,
        moves: impl IntoIterator<Item = &'a str>,
    ) -> Result<Variation, String> {
        let mut line = GameRecord::default();
        line.set_introduction(introduction);
        for text in moves {
            line.push_move(text, None)?;
        }
        match line.moves.is_empty() {
            true => Err("a variation has at least one move".to_owned()),
            false => Ok(Variation {
                introduction: line.introduction,
                moves: line.moves,
                comment_after: None,
            }),
        }
    }
}

/// The number of moves (plies) of a line and of all its variations.
fn count_moves(moves: &[RecordedMove]) -> usize {
    let variations = moves.iter().flat_map(|mv| &mv.variations);
    moves.len()
        + variations
            .map(|variation| count_moves(&variation.moves))
            .sum::<usize>()
}

/// What is known of the source text of a record. All compare equal, so that the source does not affect equality.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct OfSource<T>(pub(super) T);

/// A line number of the source text, from 1; none if not parsed.
pub(super) type SourceLine = OfSource<Option<u64>>;

impl<T> PartialEq for OfSource<T> {
    fn eq(&self, _: &OfSource<T>) -> bool {
        true
    }
}

impl<T> Eq for OfSource<T> {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn new_records_name_their_rules() {
        let rules = Preset::Dimy.rules().expect("rules");
        let record = GameRecord::new(&rules, &rules.start());
        assert_eq!(record.tag_value("Variant"), Some("dimy"));
        let told = format!("{rules:#}");
        assert_eq!(record.tag_value("Rules"), Some(told.as_str()));
        assert_eq!(record.tag("FEN"), None);
        let rules = Rules { limit: 7, ..rules };
        let start = vato_engine::notation::parse_fen("5/2b2/5/2w2/5 b", rules.board).expect("good");
        let record = GameRecord::new(&rules, &start);
        assert_eq!(record.tag_value("Variant"), Some("custom"));
        assert_eq!(record.tag_value("SetUp"), Some("1"));
        assert_eq!(record.tag_value("FEN"), Some("5/2b2/5/2w2/5 b 0 2"));
    }

    #[test]
    fn what_cannot_be_read_back_is_refused() {
        let mut record = GameRecord::default();
        for name in ["", "A B", "\"", "A]", "é", "_"] {
            assert!(record.set_tag(name, "x").is_err(), "'{name}'");
        }
        for text in ["", "1-0", "*", "a1 a2", "a1{", "é", "-a1", "a1\u{7}", "a1!"] {
            assert!(record.push_move(text, None).is_err(), "'{text}'");
        }
        assert_eq!(record, GameRecord::default());
        for _ in record.tags().len()..MAX_TAGS {
            let name = format!("T{}", record.tags().len());
            record.set_tag(&name, "x").expect("room");
        }
        assert!(record.set_tag("One", "x").is_err());
        assert_eq!(record.set_tag("White", "x"), Ok(()));
    }
}
