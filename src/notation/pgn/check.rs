//! Whether a record is right: its moves, its result, and that its tags agree.

use super::{CheckError, CheckProblem, GameRecord, RecordResult, Tag};
use crate::excerpt::excerpt;
use crate::rules::{Game, Preset};

impl GameRecord {
    /// Everything about the record that is not right; nothing if all is.
    ///
    /// - All moves must be legal, and none may follow the end of the game. Only the first that is
    ///   wrong is named.
    /// - If the rules ended the game, the result must be theirs. If they did not, a win or a draw
    ///   needs a tag `Termination` that says why: any value but `normal` and `unterminated`; and an
    ///   unfinished game may not have terminated as `normal`. Who wins a game that the players or an
    ///   arbiter ended is not for the rules to say.
    /// - Tags must agree with each other and with the result at the end of the moves.
    #[must_use]
    pub fn check(&self) -> Vec<CheckError> {
        let mut errors = Vec::new();
        self.check_tags(&mut errors);
        match self.replay() {
            Ok(game) => errors.extend(self.check_result(&game)),
            Err(error) => errors.push(error.into()),
        }
        errors
    }

    fn check_tags(&self, errors: &mut Vec<CheckError>) {
        let mut complain = |line, problem| errors.push(CheckError { line, problem });
        for (index, tag) in self.tags().iter().enumerate() {
            let mut before = self.tags()[..index].iter();
            if before.any(|other| other.name() == tag.name()) {
                complain(tag.line(), CheckProblem::TagTwice(excerpt(tag.name())));
            }
        }
        if let Some(tag) = self.tag("Result") {
            match tag.value().parse::<RecordResult>() {
                Err(error) => complain(tag.line(), CheckProblem::ResultTag(error)),
                Ok(value) if value != self.result() => complain(
                    self.result_line().or(tag.line()),
                    CheckProblem::ResultsDiffer {
                        tag: value,
                        end: self.result(),
                    },
                ),
                Ok(_) => {}
            }
        }
        if let Some(tag) = self.tag("Variant")
            && let Ok(preset) = tag.value().parse::<Preset>()
            && let Some(rules) = preset.rules()
            // Rules that do not read are a matter of the replay.
            && self.rules().is_ok_and(|own| own != rules)
        {
            let variant = preset.name().to_owned();
            complain(tag.line(), CheckProblem::VariantAgainstRules { variant });
        }
        if let Some(tag) = self.tag("SetUp")
            && tag.value() == "0"
            && self.tag_value("FEN").is_some()
        {
            complain(tag.line(), CheckProblem::SetUpAgainstFen);
        }
    }

    /// Whether the result is that of the game.
    fn check_result(&self, game: &Game) -> Option<CheckError> {
        let result = self.result();
        let termination = self
            .tag_value("Termination")
            .map(|value| value.trim().to_lowercase());
        let problem = match (game.outcome(), termination.as_deref()) {
            (Some(outcome), _) if RecordResult::from(Some(outcome)) != result => {
                CheckProblem::OutcomeDiffers { result, outcome }
            }
            (Some(_), _) => return None,
            (None, Some("normal")) if result == RecordResult::Unfinished => CheckProblem::EndDenied,
            (None, None | Some("normal" | "unterminated" | ""))
                if result != RecordResult::Unfinished =>
            {
                CheckProblem::EndUnexplained { result }
            }
            (None, _) => return None,
        };
        let line = self
            .result_line()
            .or_else(|| self.tag("Result").and_then(Tag::line))
            .or(self.line());
        Some(CheckError { line, problem })
    }
}
