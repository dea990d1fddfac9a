//! What a check of a record finds.

use thiserror::Error;

use super::replay::line_prefix;
use super::{RecordResult, ReplayError, ReplayProblem, UnknownResult};
use crate::rules::Outcome;

/// Something in a record that is not right, and where.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{}{problem}", line_prefix(*.line))]
pub struct CheckError {
    /// The line of the text, from 1; `None` if the record was not read from text.
    pub line: Option<u64>,
    /// What is wrong there.
    pub problem: CheckProblem,
}

/// Something in a record that is not right.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[allow(missing_docs)] // the fields are what the messages say they are
pub enum CheckProblem {
    /// It cannot be replayed.
    #[error(transparent)]
    Replay(Box<ReplayProblem>),
    /// A tag that says two different things.
    #[error("the tag {0} is given twice, with different values")]
    TagTwice(String),
    /// The tag `Result` is no result.
    #[error("the tag Result: {0}")]
    ResultTag(UnknownResult),
    /// The tag `Result` is another one than that at the end of the moves.
    #[error("the tag Result says {tag}, but the moves end with {end}")]
    ResultsDiffer {
        tag: RecordResult,
        end: RecordResult,
    },
    /// The tags `Variant` and `Rules` name different rules.
    #[error("the tag Variant says {variant}, but the tag Rules has other rules")]
    VariantAgainstRules { variant: String },
    /// The tag `SetUp` denies the tag `FEN`.
    #[error("the tag SetUp says that there is no tag FEN, but there is one")]
    SetUpAgainstFen,
    /// The rules ended the game otherwise.
    #[error("the result is {result}, but the game has ended {} ({outcome})", RecordResult::from(Some(*.outcome)))]
    OutcomeDiffers {
        result: RecordResult,
        outcome: Outcome,
    },
    /// The rules did not end the game, and nothing says what did.
    #[error(
        "the result is {result}, but the game has not ended by the rules, and no tag Termination \
         says why else"
    )]
    EndUnexplained { result: RecordResult },
    /// The game is unfinished, and is said to have ended normally.
    #[error("the result is *, but the tag Termination says that the game has ended normally")]
    EndDenied,
}

impl From<ReplayError> for CheckError {
    fn from(error: ReplayError) -> CheckError {
        CheckError {
            line: error.line,
            problem: CheckProblem::Replay(error.problem),
        }
    }
}
