//! The PGN reader: splits a text into games.

use std::io::{self, BufRead};

use thiserror::Error;

use super::record::{SourceLine, players};
use super::source::Source;
use super::tokens::{
    Comments, Token, comment_text, first_token, join, only_comment_is_final, parse_tag,
};
use super::{
    GameRecord, MAX_GAME_BYTES, MAX_MOVES, MAX_NESTING, MAX_TAGS, Nag, RecordResult, RecordedMove,
    Tag, Variation,
};
use crate::text::excerpt;

/// Reads the games of a text one by one; only one game is in memory at a time.
///
/// Accepts what chess readers accept: any line ends, a byte order mark, escape lines that
/// begin with `%`, comments in braces and after `;`, annotations such as `$1` and `!?` (kept as numbers),
/// move numbers of all forms, games without tags, blank lines or result, results in variations (ignored). A new game begins after a result, and with tags that follow moves. Invalid UTF-8
/// becomes replacement characters.
///
/// A comment before a move belongs to the move before it, also where variations are between them; one before
/// the first move of a variation is its introduction. The last of several comments at the end of a
/// game is the final comment of the record. Comments between games are skipped.
///
/// A game that cannot be read is an error item, and reading goes on with the next game. Only an I/O error
/// ends the iteration.
#[derive(Debug)]
pub struct PgnReader<R> {
    source: Source<R>,
    at_end: bool,
}

impl<R: BufRead> PgnReader<R> {
    /// A reader of this text.
    #[must_use]
    pub fn new(input: R) -> PgnReader<R> {
        PgnReader {
            source: Source::new(input),
            at_end: false,
        }
    }

    /// How many bytes of the text belong to the games that have been read. Counted for UTF-8.
    #[must_use]
    pub fn offset(&self) -> u64 {
        self.source.offset()
    }
}

impl<R: BufRead> Iterator for PgnReader<R> {
    type Item = Result<GameRecord, PgnError>;

    fn next(&mut self) -> Option<Result<GameRecord, PgnError>> {
        if self.at_end {
            return None;
        }
        let item = GameParser::new(&mut self.source).parse();
        self.at_end = match &item {
            None => true,
            Some(Err(error)) => matches!(error.problem, PgnProblem::Input(_)),
            Some(Ok(_)) => false,
        };
        item
    }
}

impl<R: BufRead> std::iter::FusedIterator for PgnReader<R> {}

/// A game that cannot be parsed. The reader continues with the next one.
#[derive(Debug, Error)]
#[error("line {line}: {problem}")]
pub struct PgnError {
    /// The line, from 1.
    pub line: u64,
    /// The players of the game as far as known, for messages: `Rabe – ?`.
    pub players: String,
    /// What is wrong.
    pub problem: PgnProblem,
}

/// An error in the text of a game.
#[derive(Debug, Error)]
pub enum PgnProblem {
    /// An I/O error; reading ends.
    #[error("read error: {0}")]
    Input(#[from] io::Error),
    /// `[` without a tag name.
    #[error("expected a tag name after '[', not '{0}'")]
    TagName(String),
    /// A tag without a quoted value.
    #[error("the tag {0} needs a value in double quotes")]
    TagValue(String),
    /// An unterminated tag.
    #[error("the tag {0} does not end with '\"]' on its line")]
    TagEnd(String),
    /// A word that is not valid in a game.
    #[error("unexpected '{0}'")]
    Unexpected(String),
    /// A result outside a game.
    #[error("the result {0} belongs to no game")]
    StrayResult(RecordResult),
    /// An unterminated comment.
    #[error("the comment that begins here is not closed with '}}'")]
    UnclosedComment,
    /// A variation before the first move of a line.
    #[error("the variation has no move before it")]
    EarlyVariation,
    /// More variations around a move than [`MAX_NESTING`].
    #[error("variations are nested more than {MAX_NESTING} deep")]
    TooDeep,
    /// An unterminated variation.
    #[error("the variation that begins here is not closed with ')'")]
    UnclosedVariation,
    /// More text than [`MAX_GAME_BYTES`].
    #[error("the game has more than {} MiB of text", MAX_GAME_BYTES >> 20)]
    TooLong,
    /// More moves than [`MAX_MOVES`].
    #[error("the game has more than {MAX_MOVES} moves, those of variations included")]
    TooManyMoves,
    /// More tags than [`MAX_TAGS`].
    #[error("the game has more than {MAX_TAGS} tags")]
    TooManyTags,
}

/// The first tag of a game in standard order.
const FIRST_TAG: &str = "Event";

/// Whether this line is likely the first of a game.
fn begins_game(line: &str) -> bool {
    line.strip_prefix('[')
        .and_then(|line| line.strip_prefix(FIRST_TAG))
        .is_some_and(|rest| rest.starts_with(' '))
}

/// The effect of a token on the game.
enum LineStep {
    /// The game continues.
    GoesOn,
    /// The game ends here, with its result if there is one.
    Ends(Option<RecordResult>),
    /// End of the text.
    EndOfInput,
}

/// A line of moves that is being read.
#[derive(Default)]
struct OpenLine {
    introduction: Option<String>,
    moves: Vec<RecordedMove>,
    /// The comments since the last move.
    comments: Comments,
}

impl OpenLine {
    fn push(&mut self, mv: RecordedMove) {
        let comment = std::mem::take(&mut self.comments).all();
        self.comment_last_move(comment);
        self.moves.push(mv);
    }

    /// Adds the comment to the move before it, else to the line.
    fn comment_last_move(&mut self, comment: Option<String>) {
        match self.moves.last_mut() {
            Some(mv) => mv.comment = comment,
            None => self.introduction = comment,
        }
    }

    /// Adds a variation, which has ended, to the last move. Of one without moves the comments remain.
    fn add(&mut self, mut variation: OpenLine) {
        let comment = std::mem::take(&mut variation.comments).all();
        variation.comment_last_move(comment);
        match Variation::of(variation.introduction, variation.moves) {
            Ok(variation) => {
                if let Some(mv) = self.moves.last_mut() {
                    mv.variations.push(variation);
                }
            }
            Err(comment) => self.comments.add(comment),
        }
    }
}

/// Reads one game. After an error it skips to the end of the game.
struct GameParser<'a, R> {
    source: &'a mut Source<R>,
    /// The line where the game began.
    line: Option<u64>,
    /// Bytes of the game on the lines before the current one, and the game's offset in the current
    /// line.
    bytes_before: usize,
    begins_at: usize,
    tags: Vec<Tag>,
    /// Whether a blank line followed the last tag.
    blank_after_tags: bool,
    /// Whether the tag section is over.
    in_moves: bool,
    /// The line of moves that goes on, and those around it, the game's first.
    current: OpenLine,
    outer: Vec<OpenLine>,
    /// Moves of all lines.
    moves: usize,
    /// Number of open variations, after an error as well, and the line of text where the outermost began.
    open_variations: usize,
    variation_line: u64,
    /// The first error and its line.
    fault: Option<(u64, PgnProblem)>,
}

impl<'a, R: BufRead> GameParser<'a, R> {
    /// A reader for the next game of the source.
    fn new(source: &'a mut Source<R>) -> GameParser<'a, R> {
        GameParser {
            begins_at: source.consumed(),
            source,
            line: None,
            bytes_before: 0,
            tags: Vec::new(),
            blank_after_tags: false,
            in_moves: false,
            current: OpenLine::default(),
            outer: Vec::new(),
            moves: 0,
            open_variations: 0,
            variation_line: 0,
            fault: None,
        }
    }

    /// Reads the game; `None` at the end of the text.
    fn parse(mut self) -> Option<Result<GameRecord, PgnError>> {
        loop {
            let progress = match self.step() {
                Ok(LineStep::GoesOn) => continue,
                Ok(progress) => progress,
                Err(error) => {
                    self.fault = Some((self.source.number(), error.into()));
                    LineStep::Ends(None)
                }
            };
            if self.open_variations > 0 {
                self.fail_at(self.variation_line, PgnProblem::UnclosedVariation);
            }
            let is_empty = self.tags.is_empty() && !self.in_moves && self.fault.is_none();
            return match progress {
                LineStep::Ends(Some(result)) => {
                    if is_empty {
                        self.fail(PgnProblem::StrayResult(result));
                    }
                    Some(self.finish_with(result))
                }
                _ if is_empty => None,
                _ => Some(self.finish(None, None)),
            };
        }
    }

    /// Reads a token: a word, a comment, a tag, or the end of a line.
    fn step(&mut self) -> io::Result<LineStep> {
        let Some(next) = self.source.next_character() else {
            return self.next_line();
        };
        if next == '[' {
            if !self.in_moves {
                return Ok(self.tag());
            }
            // Tags that follow moves without a result.
            if self.source.is_at_line_start() {
                return Ok(LineStep::Ends(None));
            }
        }
        let (token, rest) = first_token(self.source.rest());
        let length = rest.len();
        match token {
            Token::LineComment(text) => {
                let comment = comment_text(text);
                self.source.keep(length);
                self.keep_comment(comment);
            }
            Token::CommentStart => {
                self.source.keep(length);
                let comment = self.comment()?;
                self.keep_comment(comment);
            }
            Token::VariationStart => {
                self.source.keep(length);
                self.in_moves = true;
                self.begin();
                self.open_variation();
            }
            Token::VariationEnd if self.open_variations > 0 => {
                self.source.keep(length);
                self.close_variation();
            }
            Token::VariationEnd => {
                self.source.keep(length);
                self.in_moves = true;
                self.fail(PgnProblem::Unexpected(")".to_owned()));
            }
            Token::Result(_) if self.open_variations > 0 => self.source.keep(length),
            Token::MoveNumber => self.source.keep(length),
            Token::Annotation(nag) => {
                self.source.keep(length);
                self.keep_annotation(nag);
            }
            Token::Result(result) => {
                self.source.keep(length);
                return Ok(LineStep::Ends(Some(result)));
            }
            Token::Move(text) => {
                let line = SourceLine::new(self.source.number());
                let mv = RecordedMove::new(text, None, line);
                self.source.keep(length);
                self.in_moves = true;
                self.begin();
                self.keep_move(mv);
            }
            Token::Unexpected(text) => {
                let problem = PgnProblem::Unexpected(excerpt(text));
                self.source.keep(length);
                self.in_moves = true;
                self.fail(problem);
            }
        }
        Ok(LineStep::GoesOn)
    }

    fn next_line(&mut self) -> io::Result<LineStep> {
        if !self.advance()? {
            return Ok(LineStep::EndOfInput);
        }
        self.blank_after_tags |= self.source.is_blank_line();
        self.source.skip_mark();
        if self.source.rest().starts_with('%') {
            self.source.skip_line();
        } else if self.source.is_cut() {
            self.fail(PgnProblem::TooLong);
        }
        Ok(LineStep::GoesOn)
    }

    /// Goes to the next line and checks the maximum size of a game.
    fn advance(&mut self) -> io::Result<bool> {
        if self.line.is_some() {
            self.bytes_before += self.source.line_length() - self.begins_at + 1;
        }
        self.begins_at = 0;
        let is_there = self.source.advance()?;
        if self.bytes_before > MAX_GAME_BYTES {
            self.fail(PgnProblem::TooLong);
        }
        Ok(is_there)
    }

    /// Records where the game begins, if it has not begun.
    fn begin(&mut self) {
        self.line.get_or_insert(self.source.number());
    }

    /// Records the first error and drops the moves, which are no longer needed.
    fn fail(&mut self, problem: PgnProblem) {
        self.fail_at(self.source.number(), problem);
    }

    fn fail_at(&mut self, line: u64, problem: PgnProblem) {
        self.begin();
        if self.fault.is_none() {
            self.fault = Some((line, problem));
            self.current = OpenLine::default();
            self.outer = Vec::new();
        }
    }

    fn open_variation(&mut self) {
        if self.open_variations == 0 {
            self.variation_line = self.source.number();
        }
        self.open_variations += 1;
        if self.fault.is_some() {
            return;
        }
        if self.current.moves.is_empty() {
            self.fail(PgnProblem::EarlyVariation);
        } else if self.open_variations > MAX_NESTING {
            self.fail(PgnProblem::TooDeep);
        } else {
            self.outer.push(std::mem::take(&mut self.current));
        }
    }

    fn close_variation(&mut self) {
        self.open_variations -= 1;
        // After an error there are no lines.
        if let Some(outer) = self.outer.pop() {
            let variation = std::mem::replace(&mut self.current, outer);
            self.current.add(variation);
        }
    }

    fn tag(&mut self) -> LineStep {
        let has_begun = !self.tags.is_empty() || self.fault.is_some();
        let is_of_another = self.blank_after_tags && has_begun;
        let (name, value, rest) = match parse_tag(self.source.rest()) {
            Ok(tag) => tag,
            Err(_) if is_of_another && begins_game(self.source.rest()) => {
                return LineStep::Ends(None);
            }
            Err(problem) => {
                self.source.skip_line();
                self.blank_after_tags = false;
                self.fail(problem);
                return LineStep::GoesOn;
            }
        };
        if is_of_another && (name == FIRST_TAG || self.tags.iter().any(|tag| tag.name() == name)) {
            // The tags belong to another game: this one has neither moves nor a result.
            return LineStep::Ends(None);
        }
        let length = rest.len();
        let tag = Tag::new(name, &value, SourceLine::new(self.source.number()));
        self.source.keep(length);
        self.blank_after_tags = false;
        if self.tags.is_empty() && self.fault.is_none() {
            // A comment before the tags is about the file, not the game.
            self.current.comments = Comments::default();
            self.line = None;
            self.bytes_before = 0;
        }
        self.begin();
        if self.tags.len() >= MAX_TAGS {
            self.fail(PgnProblem::TooManyTags);
        } else if !self.tags.contains(&tag) && self.bytes_before <= MAX_GAME_BYTES {
            self.tags.push(tag);
        }
        LineStep::GoesOn
    }

    fn keep_move(&mut self, mv: RecordedMove) {
        if self.moves >= MAX_MOVES {
            self.fail(PgnProblem::TooManyMoves);
        }
        if self.fault.is_none() {
            self.moves += 1;
            self.current.push(mv);
        }
    }

    /// Adds the annotation to the move before it; before the first move it is ignored.
    fn keep_annotation(&mut self, nag: Option<Nag>) {
        if let (Some(nag), Some(mv)) = (nag, self.current.moves.last_mut()) {
            mv.add_annotation(nag);
        }
    }

    fn keep_comment(&mut self, comment: Option<String>) {
        self.begin();
        if self.fault.is_none() {
            self.current.comments.add(comment);
        }
    }

    /// Reads a comment to its end; the opening brace has been consumed.
    fn comment(&mut self) -> io::Result<Option<String>> {
        self.begin();
        let begins = self.source.number();
        let mut text = String::new();
        loop {
            let rest = self.source.rest();
            let end = rest.find('}');
            if self.fault.is_none() {
                text.push_str(&rest[..end.unwrap_or(rest.len())]);
                text.push('\n');
            }
            if let Some(end) = end {
                let length = rest.len() - end - '}'.len_utf8();
                self.source.keep(length);
                return Ok(comment_text(&text));
            }
            let is_there = self.advance()?;
            // A missing brace is likelier than a whole game inside a comment.
            let is_next_game = self.source.is_after_blank() && begins_game(self.source.rest());
            if !is_there || is_next_game {
                self.in_moves = true;
                self.fail_at(begins, PgnProblem::UnclosedComment);
                return Ok(None);
            }
        }
    }

    /// Ends a game whose result has been consumed. A comment on the same line belongs to the game as well.
    fn finish_with(mut self, result: RecordResult) -> Result<GameRecord, PgnError> {
        let line = self.source.number();
        let comment = match self.source.next_character() {
            Some('{') => {
                let length = self.source.rest().len() - '{'.len_utf8();
                self.source.keep(length);
                self.comment().unwrap_or_else(|error| {
                    self.fault = Some((self.source.number(), error.into()));
                    None
                })
            }
            Some(';') => {
                let comment = comment_text(&self.source.rest()[';'.len_utf8()..]);
                self.source.skip_line();
                comment
            }
            _ => None,
        };
        self.finish(Some((result, line)), comment)
    }

    /// Ends the game; `comment` is one that followed its end.
    fn finish(
        mut self,
        result: Option<(RecordResult, u64)>,
        comment: Option<String>,
    ) -> Result<GameRecord, PgnError> {
        let line = self.line.unwrap_or_default();
        let players = players(&self.tags);
        let is_final = comment.is_none()
            && result
                .is_some_and(|(result, _)| only_comment_is_final(self.current.moves.len(), result));
        let (last_move, game) = std::mem::take(&mut self.current.comments).at_end(is_final);
        self.current.comment_last_move(last_move);
        let fault = self.fault.take();
        let record = GameRecord::from_text(
            self.tags,
            self.current.introduction,
            self.current.moves,
            join(game, comment),
            result,
            line,
        );
        let (line, problem) = match fault {
            Some(fault) => fault,
            // The tags of the roster that were missing count too.
            None if record.tags().len() > MAX_TAGS => (line, PgnProblem::TooManyTags),
            None => return Ok(record),
        };
        Err(PgnError {
            line,
            players,
            problem,
        })
    }
}
