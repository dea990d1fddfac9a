//! Reading game records one after another: what the words mean, and where a game ends.

use std::io::{self, BufRead};

use thiserror::Error;

use super::record::{SourceLine, players};
use super::source::Source;
use super::tokens::{
    Comments, Token, comment_text, first_token, join, only_comment_is_final, parse_tag,
};
use super::{
    GameRecord, MAX_GAME_BYTES, MAX_MOVES, MAX_TAGS, Nag, RecordResult, RecordedMove, Tag,
};
use crate::text::excerpt;

/// Reads the games of a text one by one; only one game is in memory at a time.
///
/// It takes what the readers of chess take: any line ends, a byte order mark, escape lines that
/// begin with `%`, comments in braces and after `;`, variations (skipped), annotations such as `$1`
/// and `!?` (kept as numbers), move numbers of all forms, games without tags, without blank lines or
/// without a result. A new game begins after a result and with the tags that follow moves. Bytes that are
/// not UTF-8 become replacement characters.
///
/// Comments before a move belong to the move before it. Of several comments at the end of a game the
/// last one is the final comment of the record. Comments between games are skipped.
///
/// A game that cannot be read is an error, and the next item is the next game. Only an error of the
/// input itself is the end.
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

/// A game whose text cannot be read. The reader can go on with the next one.
#[derive(Debug, Error)]
#[error("line {line}: {problem}")]
pub struct PgnError {
    /// The line, from 1.
    pub line: u64,
    /// The players of the game in short, as far as they are known: `Rabe – ?`.
    pub players: String,
    /// What is wrong there.
    pub problem: PgnProblem,
}

/// What is wrong with the text of a game.
#[derive(Debug, Error)]
pub enum PgnProblem {
    /// The text cannot be had; nothing follows.
    #[error("cannot read on: {0}")]
    Input(#[from] io::Error),
    /// `[` without the name of a tag.
    #[error("'[' needs a name of a tag after it, not '{0}'")]
    TagName(String),
    /// A tag without a value in quotes.
    #[error("the tag {0} needs a value in double quotes")]
    TagValue(String),
    /// A tag without an end.
    #[error("the tag {0} does not end with '\"]' on its line")]
    TagEnd(String),
    /// Something that is no part of a game.
    #[error("unexpected '{0}'")]
    Unexpected(String),
    /// A result where no game is.
    #[error("the result {0} belongs to no game")]
    StrayResult(RecordResult),
    /// A comment without an end.
    #[error("the comment that begins here is not closed with '}}'")]
    UnclosedComment,
    /// A variation without an end.
    #[error("the variation that begins here is not closed with ')'")]
    UnclosedVariation,
    /// More text than [`MAX_GAME_BYTES`].
    #[error("the game has more than {} MiB of text", MAX_GAME_BYTES >> 20)]
    TooLong,
    /// More moves than [`MAX_MOVES`].
    #[error("the game has more than {MAX_MOVES} moves")]
    TooManyMoves,
    /// More tags than [`MAX_TAGS`].
    #[error("the game has more than {MAX_TAGS} tags")]
    TooManyTags,
}

/// The tag that comes first in every game whose tags are in order.
const FIRST_TAG: &str = "Event";

/// Whether this line is the first of a game, as most are written.
fn begins_game(line: &str) -> bool {
    line.strip_prefix('[')
        .and_then(|line| line.strip_prefix(FIRST_TAG))
        .is_some_and(|rest| rest.starts_with(' '))
}

/// What a part of the text means for the game.
enum LineStep {
    /// The game goes on.
    GoesOn,
    /// It ends here, with the result if there is one.
    Ends(Option<RecordResult>),
    /// Nothing follows.
    EndOfInput,
}

/// Reads one game. After a fault it reads on to the end of the game and keeps nothing more of it.
struct GameParser<'a, R> {
    source: &'a mut Source<R>,
    /// The line where the game began.
    line: Option<u64>,
    /// Bytes of the lines before the current one, as far as they belong to the game, and where the
    /// game begins on the current one.
    bytes_before: usize,
    begins_at: usize,
    tags: Vec<Tag>,
    /// Whether a blank line followed the last tag.
    blank_after_tags: bool,
    /// Whether the tags are over.
    in_moves: bool,
    moves: Vec<RecordedMove>,
    introduction: Option<String>,
    /// The comments since the last move.
    comments: Comments,
    /// How many variations are open, and the line where the outermost began.
    open_variations: usize,
    variation_line: u64,
    /// The first fault and its line.
    fault: Option<(u64, PgnProblem)>,
}

impl<'a, R: BufRead> GameParser<'a, R> {
    /// A game that begins where the source stands, or further on.
    fn new(source: &'a mut Source<R>) -> GameParser<'a, R> {
        GameParser {
            begins_at: source.consumed(),
            source,
            line: None,
            bytes_before: 0,
            tags: Vec::new(),
            blank_after_tags: false,
            in_moves: false,
            moves: Vec::new(),
            introduction: None,
            comments: Comments::default(),
            open_variations: 0,
            variation_line: 0,
            fault: None,
        }
    }

    /// Reads the game; `None` if the text has no more.
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

    /// Reads a word, a comment, a tag, or the end of a line.
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
        if self.open_variations > 0 {
            self.skip_in_variation()?;
            return Ok(LineStep::GoesOn);
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
                self.open_variations = 1;
                self.variation_line = self.source.number();
            }
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

    /// Goes to the next line and looks to it that the game does not become too long.
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

    /// Notes where the game begins, if it has not begun.
    fn begin(&mut self) {
        self.line.get_or_insert(self.source.number());
    }

    /// Keeps the first fault; the game that has it does not need its moves any more.
    fn fail(&mut self, problem: PgnProblem) {
        self.fail_at(self.source.number(), problem);
    }

    fn fail_at(&mut self, line: u64, problem: PgnProblem) {
        self.begin();
        if self.fault.is_none() {
            self.fault = Some((line, problem));
            self.moves = Vec::new();
            self.introduction = None;
            self.comments = Comments::default();
        }
    }

    fn tag(&mut self) -> LineStep {
        let (name, value, rest) = match parse_tag(self.source.rest()) {
            Ok(tag) => tag,
            Err(problem) => {
                self.source.skip_line();
                self.blank_after_tags = false;
                self.fail(problem);
                return LineStep::GoesOn;
            }
        };
        let has_begun = !self.tags.is_empty() || self.fault.is_some();
        if self.blank_after_tags
            && has_begun
            && (name == FIRST_TAG || self.tags.iter().any(|tag| tag.name() == name))
        {
            // The tags of another game: this one has neither moves nor a result.
            return LineStep::Ends(None);
        }
        let length = rest.len();
        let tag = Tag::new(name, &value, SourceLine::new(self.source.number()));
        self.source.keep(length);
        self.blank_after_tags = false;
        if self.tags.is_empty() && self.fault.is_none() {
            // What stands before the tags is about the file, not about the game.
            self.comments = Comments::default();
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
        if self.moves.len() >= MAX_MOVES {
            self.fail(PgnProblem::TooManyMoves);
        }
        if self.fault.is_some() {
            return;
        }
        let comment = std::mem::take(&mut self.comments).all();
        self.comment_last_move(comment);
        self.moves.push(mv);
    }

    /// Gives the comment to the move before it, or to the game if there is none.
    fn comment_last_move(&mut self, comment: Option<String>) {
        match self.moves.last_mut() {
            Some(mv) => mv.comment = comment,
            None => self.introduction = comment,
        }
    }

    /// Gives the judgement to the move before it; before the first move it is about nothing.
    fn keep_annotation(&mut self, nag: Option<Nag>) {
        if let (Some(nag), Some(mv)) = (nag, self.moves.last_mut()) {
            mv.add_annotation(nag);
        }
    }

    fn keep_comment(&mut self, comment: Option<String>) {
        self.begin();
        if self.fault.is_none() {
            self.comments.add(comment);
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
            // The brace is missing rather than that a comment has a whole game in it.
            let is_next_game = self.source.is_after_blank() && begins_game(self.source.rest());
            if !is_there || is_next_game {
                self.in_moves = true;
                self.fail_at(begins, PgnProblem::UnclosedComment);
                return Ok(None);
            }
        }
    }

    /// Skips what lies before the next bracket in a variation, and the bracket.
    fn skip_in_variation(&mut self) -> io::Result<()> {
        let rest = self.source.rest();
        let Some(place) = rest.find(['(', ')', '{', ';']) else {
            self.source.skip_line();
            return Ok(());
        };
        let bracket = rest.as_bytes()[place];
        let length = rest.len() - place - 1;
        self.source.keep(length);
        match bracket {
            b'(' => self.open_variations += 1,
            b')' => self.open_variations -= 1,
            b';' => self.source.skip_line(),
            _ => drop(self.comment()?),
        }
        Ok(())
    }

    /// The end of a game with a result, which has been consumed. A comment that follows it on its
    /// line is about the game as well.
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

    /// The end of a game; the comment is one that followed its end.
    fn finish(
        mut self,
        result: Option<(RecordResult, u64)>,
        comment: Option<String>,
    ) -> Result<GameRecord, PgnError> {
        let line = self.line.unwrap_or_default();
        let players = players(&self.tags);
        let is_final = comment.is_none()
            && result.is_some_and(|(result, _)| only_comment_is_final(self.moves.len(), result));
        let (last_move, game) = std::mem::take(&mut self.comments).at_end(is_final);
        self.comment_last_move(last_move);
        let fault = self.fault.take();
        let record = GameRecord::from_text(
            self.tags,
            self.introduction,
            self.moves,
            join(game, comment),
            result,
            line,
        );
        let (line, problem) = match fault {
            Some(fault) => fault,
            // The roster, where it was missing, has made them more.
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
