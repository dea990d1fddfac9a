//! The PGN reader: splits a text into games.

use std::fmt::Display;
use std::io::{self, BufRead};
use std::ops::ControlFlow::{self, Break, Continue};

use super::record::OfSource;
use super::source::Source;
use super::tokens::{
    Comments, Token, comment_text, first_token, join, only_comment_is_final, parse_tag,
};
use super::{
    GameRecord, MAX_GAME_BYTES, MAX_MOVES, MAX_NESTING, MAX_TAGS, PgnError, RecordFault,
    RecordResult, RecordedMove, TOO_LONG, TOO_MANY_TAGS, Tag, Variation,
};
use vato_engine::text::excerpt;

/// Reads the games of a text one by one; only one game is in memory at a time.
///
/// Accepts what `docs/games.md` says of files of others, escape lines that begin with `%`, move numbers of all forms,
/// games without tags, blank lines or result, results in variations (ignored). A new game begins after a result, and
/// with tags that follow moves. Bytes that are not UTF-8 are read as Latin-1 with the additions of Windows, see
/// [`GameRecord::latin1_line`]. A text that is UTF-16 or compressed is an error of the input.
///
/// Whatever word stands for a move is kept as one. [`GameRecord::check`] names what had to be mended.
///
/// A comment belongs to the move or the variation before it; one before the first move of a line or before the tags is
/// its introduction. The last of several at the end of a game, and the only one behind a variation there, is the final
/// comment. Comments behind a result belong to it if they begin on its line, a blank line follows them but none is before
/// them, or no other game follows; else to the next game.
///
/// A game that cannot be read is an error item, and reading goes on. Only an I/O error ends the iteration.
#[derive(Debug)]
pub struct PgnReader<R> {
    source: Source<R>,
    at_end: bool,
}

impl<R: BufRead> PgnReader<R> {
    /// A reader of this text.
    pub fn new(input: R) -> PgnReader<R> {
        PgnReader {
            source: Source::new(input),
            at_end: false,
        }
    }

    /// How many bytes of the text belong to the games that have been read. Counted for UTF-8.
    pub fn offset(&self) -> u64 {
        self.source
            .held_from
            .unwrap_or_else(|| self.source.offset())
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
            Some(Err(error)) => error.is_input,
            Some(Ok(_)) => false,
        };
        item
    }
}

/// Whether the game goes on after a token; if not, its result, if there is one.
type Progress = ControlFlow<Option<RecordResult>>;

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
        self.place_comments();
        self.moves.push(mv);
    }

    /// Adds the comments since the last move or variation to it, else to the line.
    fn place_comments(&mut self) {
        let comment = std::mem::take(&mut self.comments).all();
        self.place_comment(comment);
    }

    fn place_comment(&mut self, comment: Option<String>) {
        let place = match self.moves.last_mut() {
            None => &mut self.introduction,
            Some(mv) => match mv.variations.last_mut() {
                Some(variation) => &mut variation.comment_after,
                None => &mut mv.comment,
            },
        };
        *place = join(place.take(), comment);
    }

    /// Adds a variation, which has ended, to the last move. Of one without moves the comments remain.
    fn add(&mut self, mut variation: OpenLine) {
        variation.place_comments();
        let OpenLine {
            introduction,
            moves,
            ..
        } = variation;
        if moves.is_empty() {
            self.comments.add(introduction);
        } else if let Some(mv) = self.moves.last_mut() {
            mv.variations.push(Variation {
                introduction,
                moves,
                comment_after: None,
            });
        }
    }
}

/// Reads one game. After an error it skips to the end of the game. By `dyn` it is compiled once, in this crate.
struct GameParser<'a> {
    source: &'a mut Source<dyn BufRead + 'a>,
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
    /// What had to be guessed.
    repairs: Vec<RecordFault>,
    /// The first error, without the players.
    fault: Option<PgnError>,
}

impl<'a> GameParser<'a> {
    /// A reader for the next game of the source.
    fn new(source: &'a mut Source<dyn BufRead + 'a>) -> GameParser<'a> {
        source.held_from = None;
        GameParser {
            begins_at: source.at,
            current: OpenLine {
                comments: std::mem::take(&mut source.held),
                ..OpenLine::default()
            },
            source,
            line: None,
            bytes_before: 0,
            tags: Vec::new(),
            blank_after_tags: false,
            in_moves: false,
            outer: Vec::new(),
            moves: 0,
            open_variations: 0,
            variation_line: 0,
            repairs: Vec::new(),
            fault: None,
        }
    }

    /// Reads the game; `None` at the end of the text.
    fn parse(mut self) -> Option<Result<GameRecord, PgnError>> {
        loop {
            let result = match self.step() {
                Ok(Continue(())) => continue,
                Ok(Break(result)) => result,
                Err(error) => {
                    self.fault = Some(PgnError::of_input(self.source.number, &error));
                    None
                }
            };
            if self.open_variations > 0 {
                let problem = "the variation that begins here is not closed with ')'";
                self.fail_at(self.variation_line, problem);
            }
            let is_empty = self.tags.is_empty()
                && !self.in_moves
                && self.repairs.is_empty()
                && self.fault.is_none();
            let Some(result) = result else {
                return (!is_empty).then(|| self.finish(None, None));
            };
            // All that there is besides the result may be comments behind the game before.
            self.begin();
            if is_empty && self.current.comments.count == 0 {
                self.fail(format_args!("the result {result} belongs to no game"));
            }
            let line = self.source.number;
            let comment = self.comments_behind().unwrap_or_else(|error| {
                self.source.failure = Some(error);
                None
            });
            return Some(self.finish(Some((result, line)), comment));
        }
    }

    /// Reads a token: a word, a comment, a tag, or the end of a line.
    fn step(&mut self) -> io::Result<Progress> {
        let Some(next) = self.source.next_character() else {
            return self.next_line();
        };
        if self.source.is_cut {
            self.fail(TOO_LONG);
        }
        if next == '[' {
            if !self.in_moves {
                return Ok(self.tag());
            }
            // Tags that follow moves without a result.
            if self.source.is_at_line_start() {
                return Ok(Break(None));
            }
        }
        let (token, rest) = first_token(&self.source.text[self.source.at..]);
        self.source.at = self.source.text.len() - rest.len();
        let has_begun = self.in_moves || !self.tags.is_empty();
        let is_in_variation = self.open_variations > 0;
        match token {
            Token::LineComment(text) | Token::Remark(text) => self.keep_comment(comment_text(text)),
            Token::CommentStart => {
                let comment = self.comment()?;
                self.keep_comment(comment);
            }
            Token::MoveNumber => {}
            Token::Annotation(nag) => match self.current.moves.last_mut() {
                Some(mv) => mv.add_annotation(nag),
                // Before the first move there is nothing that it could be about.
                None => self.keep_comment(Some(nag.to_string())),
            },
            Token::VariationEnd if is_in_variation => self.close_variation(),
            Token::Result(..) if is_in_variation => {}
            Token::Result(result, text) => {
                let guess = (has_begun && text != result.name())
                    .then(|| format!("read '{}' as the result {result}", excerpt(text)));
                self.repair(guess);
                return Ok(Break(Some(result)));
            }
            Token::VariationStart => {
                self.in_moves = true;
                self.begin();
                self.open_variation();
            }
            Token::Move(text) => {
                let line = OfSource(Some(self.source.number));
                let mv = RecordedMove::new(text, None, line);
                self.in_moves = true;
                self.begin();
                self.keep_move(mv);
            }
            Token::VariationEnd => self.refuse(")".to_owned()),
            Token::Unexpected(text) => self.refuse(excerpt(text)),
        }
        Ok(Continue(()))
    }

    fn refuse(&mut self, text: String) {
        self.in_moves = true;
        self.fail(format_args!("unexpected '{text}'"));
    }

    fn next_line(&mut self) -> io::Result<Progress> {
        if !self.advance()? {
            return Ok(Break(None));
        }
        self.blank_after_tags |= self.source.is_blank_line();
        self.source.skip_mark();
        if self.source.rest().starts_with('%') {
            self.source.skip_line();
        }
        Ok(Continue(()))
    }

    /// Goes to the next line and checks the maximum size of a game.
    fn advance(&mut self) -> io::Result<bool> {
        if self.line.is_some() {
            self.bytes_before += self.source.text.len() - self.begins_at + 1;
        }
        self.begins_at = 0;
        let is_there = self.source.advance()?;
        if self.bytes_before > MAX_GAME_BYTES {
            self.fail(TOO_LONG);
        }
        Ok(is_there)
    }

    /// Records where the game begins, if it has not begun.
    fn begin(&mut self) {
        self.line.get_or_insert(self.source.number);
    }

    /// Records the first error and drops the moves, which are no longer needed.
    fn fail(&mut self, problem: impl Display) {
        self.fail_at(self.source.number, problem);
    }

    fn fail_at(&mut self, line: u64, problem: impl Display) {
        self.begin();
        if self.fault.is_none() {
            self.fault = Some(PgnError::no_game(line, problem.to_string()));
            self.current = OpenLine::default();
            self.outer = Vec::new();
        }
    }

    fn open_variation(&mut self) {
        if self.open_variations == 0 {
            self.variation_line = self.source.number;
        }
        self.open_variations += 1;
        if self.fault.is_some() {
            return;
        }
        if self.current.moves.is_empty() {
            self.fail("the variation has no move before it");
        } else if self.open_variations > MAX_NESTING {
            self.fail(format_args!(
                "variations are nested more than {MAX_NESTING} deep"
            ));
        } else {
            self.current.place_comments();
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

    fn tag(&mut self) -> Progress {
        let (name, value, repair, rest) = match parse_tag(self.source.rest()) {
            Ok(tag) => tag,
            Err(problem) => {
                let comment = comment_text(self.source.rest());
                self.source.skip_line();
                self.keep_comment(comment);
                self.repair(Some(format!("{problem}: kept as a comment")));
                return Continue(());
            }
        };
        let has = |name| self.tags.iter().any(|tag: &Tag| tag.name() == name);
        let has_begun = !self.tags.is_empty() || self.fault.is_some();
        if has_begun
            && match name {
                "Event" => self.blank_after_tags || has(name) && self.tags.len() > 1,
                _ => self.blank_after_tags && has(name),
            }
        {
            // The tags belong to another game: this one has neither moves nor a result.
            return Break(None);
        }
        let length = rest.len();
        let tag = Tag::new(name, &value, OfSource(Some(self.source.number)));
        self.source.keep(length);
        self.repair(repair);
        self.blank_after_tags = false;
        if self.tags.is_empty() && self.fault.is_none() {
            // Comments before the tags do not count.
            self.line = None;
            self.bytes_before = 0;
        }
        self.begin();
        if self.tags.len() >= MAX_TAGS {
            self.fail(TOO_MANY_TAGS);
        } else if !self.tags.contains(&tag) && self.bytes_before <= MAX_GAME_BYTES {
            self.tags.push(tag);
        }
        Continue(())
    }

    fn keep_move(&mut self, mv: RecordedMove) {
        if self.moves >= MAX_MOVES {
            self.fail(format_args!(
                "the game has more than {MAX_MOVES} moves, those of variations included"
            ));
        }
        if self.fault.is_none() {
            self.moves += 1;
            self.current.push(mv);
        }
    }

    /// Records what had to be guessed, if anything.
    fn repair(&mut self, guess: Option<String>) {
        let line = Some(self.source.number);
        self.repairs
            .extend(guess.map(|problem| RecordFault { line, problem }));
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
        let begins = self.source.number;
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
            let is_next_game = self.source.after_blank && self.source.rest().starts_with("[Event ");
            if !is_there || is_next_game {
                self.in_moves = true;
                let problem = "the comment that begins here is not closed with '}'";
                self.fail_at(begins, problem);
                return Ok(None);
            }
        }
    }

    /// The comments behind the result that belong to the game; the others are held for the next one.
    fn comments_behind(&mut self) -> io::Result<Option<String>> {
        let (mut comment, mut held) = (None, Comments::default());
        let (mut is_apart, mut is_below) = (false, false);
        loop {
            let from = self.source.offset();
            let read = match self.source.next_character() {
                Some('{') => {
                    self.source.at += '{'.len_utf8();
                    // The game is whole, whatever is wrong with what follows.
                    let (current, fault) = (std::mem::take(&mut self.current), self.fault.take());
                    let comment = self.comment();
                    self.current = current;
                    if let Some(fault) = std::mem::replace(&mut self.fault, fault) {
                        let problem = format!("{}: it is left out", fault.problem);
                        let line = Some(fault.line);
                        self.repairs.push(RecordFault { line, problem });
                    }
                    comment?
                }
                Some(';') => {
                    let comment = comment_text(&self.source.rest()[';'.len_utf8()..]);
                    self.source.skip_line();
                    comment
                }
                Some(_) => break,
                None if matches!(self.next_line()?, Break(None)) => {
                    self.source.held_from = None;
                    return Ok(join(comment, held.all()));
                }
                None => {
                    is_below = true;
                    if self.source.is_blank_line() && !is_apart {
                        is_apart = true;
                        self.source.held_from = None;
                        comment = join(comment, std::mem::take(&mut held).all());
                    }
                    continue;
                }
            };
            match is_below {
                true => {
                    self.source.held_from.get_or_insert(from);
                    held.add(read);
                }
                false => comment = join(comment, read),
            }
        }
        self.source.held = held;
        Ok(comment)
    }

    /// Ends the game; `comment` is one that followed its end.
    fn finish(
        mut self,
        result: Option<(RecordResult, u64)>,
        mut comment: Option<String>,
    ) -> Result<GameRecord, PgnError> {
        if self.current.comments.count == 0 && comment.is_some() {
            self.current.comments.add(comment.take());
        }
        let (value, result_line) = result.unzip();
        let value = value.unwrap_or_default();
        let is_final = comment.is_none() && only_comment_is_final(&self.current.moves, value);
        let (last, game) = std::mem::take(&mut self.current.comments).at_end(is_final);
        self.current.place_comment(last);
        let line = self.line.unwrap_or_default();
        let mut record = GameRecord {
            tags: self.tags,
            introduction: self.current.introduction,
            moves: self.current.moves,
            final_comment: join(game, comment),
            result: value,
            line: OfSource(Some(line)),
            result_line: OfSource(result_line),
            latin1: OfSource(self.source.latin1.take()),
            repairs: OfSource(self.repairs),
        };
        record.complete();
        let fault = match self.fault {
            Some(fault) => fault,
            // The tags of the roster that were missing count too.
            None if record.tags().len() > MAX_TAGS => PgnError::no_game(line, TOO_MANY_TAGS),
            None => return Ok(record),
        };
        Err(PgnError {
            players: record.players(),
            ..fault
        })
    }
}
