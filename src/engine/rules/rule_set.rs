//! The rule parameters and rule sets.

use super::has_capture;
use crate::board::{BoardSize, Canonical, FIRST_TURN_KEY, Position, Side, Symmetry};
use crate::text::named_enum;

named_enum! {
    /// `capture`: whether captures are compulsory.
    pub enum CaptureRule {
        /// If any capture exists, the turn must capture.
        Forced = "forced",
        /// Forced for the first move of the game only, free afterwards.
        Opening = "opening",
        /// A paika may be played although a capture exists.
        Free = "free",
    }
}

named_enum! {
    /// `chain`: how long a capturing turn may or must go on.
    pub enum ChainRule {
        /// After each capturing step the player may stop or go on.
        Free = "free",
        /// The stone must go on while it has another capturing step.
        Full = "full",
        /// A turn is a single step.
        Single = "single",
    }
}

named_enum! {
    /// `direction`: whether a step may repeat the direction of the step before it.
    pub enum DirectionRule {
        /// It may not.
        Change = "change",
        /// It may; only returning to a visited point is forbidden.
        Any = "any",
    }
}

named_enum! {
    /// `opening`: which first turns are a single step.
    pub enum OpeningRule {
        /// None.
        Free = "free",
        /// White's first turn.
        First = "first",
        /// The first turn of each player.
        Both = "both",
    }
}

named_enum! {
    /// `blocked`: result for a player to move without a legal move.
    pub enum Blocked {
        /// The player loses.
        Loss = "loss",
        /// The game is drawn.
        Draw = "draw",
        /// The player passes, which is a turn; where no point is empty, the game is drawn.
        Pass = "pass",
    }
}

named_enum! {
    /// `tie`: result of repetition and of the no-capture limit.
    pub enum Tie {
        /// A draw.
        Draw = "draw",
        /// A win for the side with more stones, a draw with equal numbers.
        Count = "count",
    }
}

named_enum! {
    /// `vela`: whether this is a revenge game, and which side gives it.
    pub enum Vela {
        /// An ordinary game.
        Off = "off",
        /// White won the previous game and gives the vela.
        White = "white",
        /// Black won the previous game and gives the vela.
        Black = "black",
    }
}

named_enum! {
    /// `eating`: how many stones the eater of a vela captures in a turn.
    pub enum Eating {
        /// At most one; whether it has to, `capture` says.
        Free = "free",
        /// Exactly one; an eater that cannot has lost.
        Must = "must",
    }
}

/// A rule set: every parameter, the board size included. The default is the standard game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Rules {
    /// Size of the board.
    pub board: BoardSize,
    /// Whether captures are compulsory.
    pub capture: CaptureRule,
    /// How long a capturing turn may or must go on.
    pub chain: ChainRule,
    /// Whether a step may repeat the direction of the step before it.
    pub direction: DirectionRule,
    /// Which first turns are a single step.
    pub opening: OpeningRule,
    /// Result for a player to move without a legal move.
    pub blocked: Blocked,
    /// Result of repetition and of the no-capture limit.
    pub tie: Tie,
    /// Number of occurrences of a position that ends the game; 0 = never.
    pub repeat: u16,
    /// Plies without a capture that end the game; 0 = never.
    pub limit: u16,
    /// Whether this is a revenge game.
    pub vela: Vela,
    /// How many stones the eater of a vela captures in a turn.
    pub eating: Eating,
}

impl Rules {
    /// The standard game (`tsivy`): all defaults.
    pub const STANDARD: Rules = Rules {
        board: BoardSize::STANDARD,
        capture: CaptureRule::Forced,
        chain: ChainRule::Free,
        direction: DirectionRule::Change,
        opening: OpeningRule::Free,
        blocked: Blocked::Loss,
        tie: Tie::Draw,
        repeat: 3,
        limit: 100,
        vela: Vela::Off,
        eating: Eating::Free,
    };

    /// Once the giver has this many stones or fewer, the vela is over and both sides play normally.
    pub const VELA_STONES: u32 = 5;

    /// The start position.
    pub fn start(&self) -> Position {
        self.board.start()
    }

    /// Whether the legal moves of every position are those of the standard game (endings may differ).
    pub fn has_standard_movement(&self) -> bool {
        let movement = Rules {
            blocked: Blocked::Loss,
            // Without a vela nobody eats.
            eating: Eating::Free,
            tie: Tie::Draw,
            repeat: Rules::STANDARD.repeat,
            limit: Rules::STANDARD.limit,
            ..*self
        };
        movement == Rules::STANDARD && self.blocked != Blocked::Pass
    }

    /// Whether `position` is a turn that `opening` or `capture=opening` treats specially.
    #[inline]
    pub fn is_special_first_turn(&self, position: &Position) -> bool {
        position.move_number() == 1
            && match position.side() {
                Side::White => {
                    self.opening != OpeningRule::Free || self.capture == CaptureRule::Opening
                }
                Side::Black => self.opening == OpeningRule::Both,
            }
    }

    /// Everything that decides the legal moves from here on, the same for all symmetric images of the position; and the
    /// symmetry that maps the position to it.
    pub fn canonical(&self, position: &Position) -> (Canonical, Symmetry) {
        // Even where it makes no difference to this turn: the next one may be a first turn too.
        Canonical::fold(self.board, position, self.is_special_first_turn(position))
    }

    /// The hash key of everything that decides the legal moves: stones, side to move and, where these
    /// rules treat first turns specially and there is something to capture, whether this is a first turn.
    /// (Without a capture a first turn is like any other.)
    ///
    /// Keys under different rules are not comparable.
    #[inline]
    pub fn key(&self, position: &Position) -> u64 {
        if self.is_special_first_turn(position) && has_capture(self, position) {
            position.key() ^ FIRST_TURN_KEY
        } else {
            position.key()
        }
    }

    /// The giver of the vela, if it is still restricted to paikas at `position`.
    #[inline]
    pub fn vela_giver(&self, position: &Position) -> Option<Side> {
        let giver = match self.vela {
            Vela::Off => return None,
            Vela::White => Side::White,
            Vela::Black => Side::Black,
        };
        (position.stones(giver).count() > Rules::VELA_STONES).then_some(giver)
    }

    /// Whether `side` is the eater of a vela that has to capture in every turn.
    #[inline]
    pub(crate) fn must_eat(&self, position: &Position, side: Side) -> bool {
        self.eating == Eating::Must && self.vela_giver(position) == Some(!side)
    }
}

impl Default for Rules {
    fn default() -> Rules {
        Rules::STANDARD
    }
}
