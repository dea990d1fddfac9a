//! Replaying a record under its rules, and checking its tags and result.

use std::fmt::Display;

use thiserror::Error;

use super::record::OfSource;
use super::tokens::join;
use super::{GameRecord, RecordResult, RecordedMove, Tag};
use crate::{read_exact_turn, read_first_turn};
use vato_engine::board::{Move, Position};
use vato_engine::notation::{MoveTextError, format_path, parse_fen};
use vato_engine::rules::{Eating, Game, Preset, Rules, Vela, parse_rules};
use vato_engine::text::excerpt;

/// An error in a record, and its place.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{}{problem}", .line.map_or(String::new(), |line| format!("line {line}: ")))]
pub struct RecordFault {
    /// The line of the source text, from 1; `None` if the record was not parsed.
    pub line: Option<u64>,
    /// What is wrong.
    pub problem: String,
}

impl GameRecord {
    /// The rules: those of the tag `Rules` (a rules string or a preset), else the preset of the tag `Variant`,
    /// else the standard game, the last two as a vela if there is a tag `Vela`.
    ///
    /// # Errors
    ///
    /// If the deciding tag is invalid, or `Variant` is `custom` and there is no `Rules`.
    pub fn rules(&self) -> Result<Rules, RecordFault> {
        // An empty rules string is the standard game; `?` means unknown.
        if let Some(tag) = self.tag("Rules")
            && tag.value() != "?"
        {
            return parse_rules(tag.value())
                .map_err(|error| fault_of_tag(tag, format_args!("the tag Rules: {error}")));
        }
        let variant = self.known_tag("Variant").map(rules_of_variant);
        let mut rules = variant.unwrap_or(Ok(Rules::STANDARD))?;
        // FGN names the eater.
        if let Some(tag) = self.known_tag("Vela") {
            rules.vela = match tag.value() {
                "none" => return Ok(rules),
                "Blancs" | "Fotsy" | "white" => Vela::Black,
                "Noirs" | "Mainty" | "black" => Vela::White,
                other => {
                    let text = format!(
                        "the tag Vela: '{}', expected the eater: Blancs or Noirs",
                        excerpt(other)
                    );
                    return Err(fault_of_tag(tag, text));
                }
            };
            rules.eating = Eating::Must;
        }
        Ok(rules)
    }

    /// The rules and the start position: the tag `FEN`, else the start position of the rules.
    ///
    /// # Errors
    ///
    /// If the rules or the position are invalid, or `SetUp` is 1 and there is no `FEN`.
    pub fn start(&self) -> Result<(Rules, Position), RecordFault> {
        let rules = self.rules()?;
        match (self.known_tag("FEN"), self.known_tag("SetUp")) {
            (Some(tag), _) => parse_fen(tag.value(), rules.board)
                .map(|position| (rules, position))
                .map_err(|error| fault_of_tag(tag, format_args!("the tag FEN: {error}"))),
            (None, Some(tag)) if tag.value() == "1" => Err(fault_of_tag(
                tag,
                "the tag SetUp is 1, but there is no tag FEN",
            )),
            (None, _) => Ok((rules, rules.start())),
        }
    }

    /// Replays all moves.
    ///
    /// # Errors
    ///
    /// If the rules or the start position are invalid; else names the first move that is malformed, illegal,
    /// or after the end of the game.
    pub fn replay(&self) -> Result<Game, RecordFault> {
        self.replay_plies(usize::MAX)
    }

    /// Replays the first moves, at most `plies`.
    ///
    /// # Errors
    ///
    /// As for [`GameRecord::replay`], for the moves replayed.
    pub fn replay_plies(&self, plies: usize) -> Result<Game, RecordFault> {
        let (rules, start) = self.start()?;
        let mut game = Game::from_position(rules, start);
        for mv in self.moves().iter().take(plies) {
            play_strictly(&mut game, mv.text()).map_err(|problem| RecordFault {
                line: mv.line(),
                problem,
            })?;
        }
        Ok(game)
    }

    /// Writes the turns as PGN has them, whatever notation they are in ([`read_first_turn`]), where each may be so many `words` of
    /// the text; returns the game that they are. What follows a turn that cannot be read stays as it is.
    ///
    /// # Errors
    ///
    /// As [`GameRecord::replay`], and if a turn may be one of several.
    pub fn respell(&mut self, words: usize) -> Result<Game, RecordFault> {
        let (rules, start) = self.start()?;
        let mut game = Game::from_position(rules, start);
        let (moves, fault) = respelled(&self.moves, &mut game, words);
        self.moves = moves;
        fault.map_or(Ok(game), Err)
    }

    /// All errors of the record.
    ///
    /// - All moves must be legal, and none may follow the end of the game. Only the first error of a line is
    ///   reported, and the variations after it are not checked.
    /// - If the rules ended the game, the result must be theirs. If they did not, a win or a draw
    ///   needs a tag `Termination` with the reason (any value but `normal` and `unterminated`), and an
    ///   unfinished game may not have the termination `normal`.
    /// - Tags must agree with each other and with the result at the end of the moves.
    /// - What the reader had to guess, such as a tag without quotes, is one too.
    pub fn check(&self) -> Vec<RecordFault> {
        let mut faults = self.repairs.0.clone();
        faults.extend(self.check_tags());
        match self.start() {
            Ok((rules, start)) => {
                let mut game = Game::from_position(rules, start);
                if check_line(&mut game, self.moves(), "", &mut faults) {
                    faults.extend(self.check_result(&game));
                }
            }
            Err(fault) => faults.push(fault),
        }
        faults
    }

    fn check_tags(&self) -> Vec<RecordFault> {
        let mut faults = Vec::new();
        for (index, tag) in self.tags().iter().enumerate() {
            let mut before = self.tags()[..index].iter();
            if before.any(|other| other.name() == tag.name()) {
                let name = excerpt(tag.name());
                let text = format!("the tag {name} is given twice, with different values");
                faults.push(fault_of_tag(tag, text));
            }
        }
        faults.extend(self.wrong_result());
        let plies = self.moves().len();
        if let Some(tag) = self.tag("PlyCount")
            && let Ok(count) = tag.value().trim().parse::<usize>()
            && count != plies
        {
            let text = format!("the tag PlyCount says {count}, but there are {plies} moves");
            faults.push(fault_of_tag(tag, text));
        }
        if let Some(tag) = self.tag("Variant")
            && let Ok(preset) = tag.value().parse::<Preset>()
            && let Some(rules) = preset.rules()
            && self.tag("Rules").is_some()
            // Invalid rules are reported by the replay.
            && self.rules().is_ok_and(|own| own != rules)
        {
            let variant = preset.name();
            let text = format!("the tag Variant says {variant}, but the tag Rules has other rules");
            faults.push(fault_of_tag(tag, text));
        }
        if let Some(tag) = self.tag("SetUp")
            && tag.value() == "0"
            && self.tag_value("FEN").is_some()
        {
            let text = "the tag SetUp is 0, but there is a tag FEN";
            faults.push(fault_of_tag(tag, text));
        }
        faults
    }

    /// What is wrong with the tag `Result`.
    pub fn wrong_result(&self) -> Option<RecordFault> {
        let tag = self.tag("Result")?;
        match tag.value().parse::<RecordResult>() {
            Err(error) => Some(fault_of_tag(tag, format_args!("the tag Result: {error}"))),
            Ok(value) if value != self.result() => Some(RecordFault {
                line: self.result_line().or(tag.line()),
                problem: format!(
                    "the tag Result says {value}, but the moves end with {}",
                    self.result()
                ),
            }),
            Ok(_) => None,
        }
    }

    fn check_result(&self, game: &Game) -> Option<RecordFault> {
        let result = self.result();
        let is_unfinished = result == RecordResult::Unfinished;
        let termination = self.tag_value("Termination").unwrap_or_default();
        let termination = termination.trim().to_lowercase();
        let problem = match (game.outcome(), termination.as_str()) {
            (Some(outcome), _) => {
                let wanted = RecordResult::from(Some(outcome));
                if wanted == result {
                    return None;
                }
                format!("the result is {result}, but the game has ended {wanted} ({outcome})")
            }
            (None, "normal") if is_unfinished => {
                "the result is *, but the tag Termination says that the game has ended normally"
                    .to_owned()
            }
            (None, "normal" | "unterminated" | "") if !is_unfinished => format!(
                "the result is {result}, but the game has not ended by the rules, and no tag \
                 Termination says why else"
            ),
            (None, _) => return None,
        };
        let line = self.result_line();
        let line = line.or_else(|| self.tag("Result").and_then(Tag::line));
        Some(RecordFault {
            line: line.or(self.line()),
            problem,
        })
    }
}

fn rules_of_variant(tag: &Tag) -> Result<Rules, RecordFault> {
    // Some programs write the names of the boards in full.
    let variant = tag.value().trim();
    let board = variant.strip_prefix("Fanoron-").map(str::to_lowercase);
    let variant = board.as_deref().unwrap_or(variant);
    if variant.parse() == Ok(Preset::Custom) {
        return Err(fault_of_tag(tag, "the variant custom needs a tag Rules"));
    }
    parse_rules(variant)
        .map_err(|error| fault_of_tag(tag, format_args!("the tag Variant: {error}")))
}

fn fault_of_tag(tag: &Tag, problem: impl Display) -> RecordFault {
    RecordFault {
        line: tag.line(),
        problem: problem.to_string(),
    }
}

/// Plays a line and its variations, and adds the errors, with what the line is; whether the line itself has none.
fn check_line(
    game: &mut Game,
    moves: &[RecordedMove],
    what: &str,
    faults: &mut Vec<RecordFault>,
) -> bool {
    for mv in moves {
        for variation in &mv.variations {
            check_line(&mut game.clone(), &variation.moves, "variation, ", faults);
        }
        if let Err(problem) = play_strictly(game, mv.text()) {
            let (line, problem) = (mv.line(), format!("{what}{problem}"));
            faults.push(RecordFault { line, problem });
            return false;
        }
    }
    true
}

fn play_strictly(game: &mut Game, text: &str) -> Result<(), String> {
    let read = |game: &Game| read_exact_turn(text, game.rules(), game.position());
    play(game, text, read).map(drop)
}

/// The turns as PGN has them, and the first one that cannot be read.
fn respelled(
    moves: &[RecordedMove],
    game: &mut Game,
    words: usize,
) -> (Vec<RecordedMove>, Option<RecordFault>) {
    let (mut written, mut rest) = (Vec::new(), moves);
    while let [first, ..] = rest {
        let (line, plies) = (first.line(), game.moves().len());
        let read = play(game, first.text(), |game| {
            let texts = rest.iter().map(RecordedMove::text).take(words);
            let (count, (path, mv)) = read_first_turn(texts, game.rules(), game.position())?;
            Ok(((count, path), mv))
        });
        let (count, path) = match read {
            Ok(read) => read,
            Err(problem) => {
                written.extend_from_slice(rest);
                return (written, Some(RecordFault { line, problem }));
            }
        };
        let text = format_path(&path, game.rules().board);
        let mut mv = RecordedMove::new(&text, None, OfSource(line));
        let (own, behind) = rest.split_at(count);
        for part in own {
            mv.comment = join(mv.comment, part.comment.clone());
            let annotations = part.annotations().iter();
            annotations.for_each(|&nag| mv.add_annotation(nag));
            mv.variations.extend(part.variations.iter().cloned());
        }
        for variation in &mut mv.variations {
            variation.moves = respelled(&variation.moves, &mut game.truncated(plies), words).0;
        }
        written.push(mv);
        rest = behind;
    }
    (written, None)
}

/// Plays the move of this text as `read` understands it.
fn play<T>(
    game: &mut Game,
    text: &str,
    read: impl FnOnce(&Game) -> Result<(T, Move), MoveTextError>,
) -> Result<T, String> {
    let (number, side) = (game.position().move_number(), game.position().side());
    let wrong = |why: &dyn Display| format!("move {number}, {side}: {why}");
    if let Some(outcome) = game.outcome() {
        let text = excerpt(text);
        return Err(wrong(&format_args!(
            "'{text}' comes after the end of the game ({outcome})"
        )));
    }
    let (found, mv) = read(game).map_err(|error| wrong(&error))?;
    game.play(mv)
        .map_err(|error| wrong(&format_args!("move '{}': {error}", excerpt(text))))?;
    Ok(found)
}
