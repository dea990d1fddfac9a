//! What a network says about itself.

use serde::{Deserialize, Serialize};

use super::{Architecture, NetworkError, WinModel};

/// The largest scale.
const MAX_SCALE: f32 = 1_000_000.0;

/// What a network says about itself: all but its numbers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Header {
    /// What it is made of.
    pub architecture: Architecture,
    /// Units of the search for each unit of the output, which is the logit of the points that the side
    /// to move expects. The search's margins are meant for units that stay the same from network to
    /// network. More than 0, at most 1,000,000.
    pub search_scale: f32,
    /// Centi-stones for each unit of the output, as they are shown: such that at ply 30 of a game of the
    /// engine against itself 100 of them are won as often as not. More than 0, at most 1,000,000.
    pub scale: f32,
    /// How likely the side to move is to win at a score.
    pub win_model: WinModel,
    /// How it was made, in words.
    pub trained: String,
}

impl Header {
    /// Looks at everything but the length of the text.
    pub(super) fn check(&self) -> Result<(), NetworkError> {
        if !self.architecture.is_possible() {
            return Err(NetworkError::Architecture {
                hidden: self.architecture.hidden,
            });
        }
        for scale in [self.search_scale, self.scale] {
            // Not a number is no number in this range.
            if !(scale > 0.0 && scale <= MAX_SCALE) {
                return Err(NetworkError::Scale(scale));
            }
        }
        if !self.win_model.is_possible() {
            return Err(NetworkError::WinModel(self.win_model));
        }
        Ok(())
    }
}
