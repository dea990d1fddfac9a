//! Named rule sets, one for each written source.

use std::str::FromStr;

use super::{Blocked, CaptureRule, ChainRule, OpeningRule, Rules, Tie, Vela};
use crate::board::BoardSize;
use crate::text::{excerpt, named_enum};

named_enum! {
    /// A named rule set: the values of the option `UCI_Variant`.
    #[derive(Default)]
    pub enum Preset {
        /// The standard game (Schadd et al. 2008, Boardspace, AbstractPlay).
        #[default]
        Tsivy = "tsivy",
        /// The standard game on 5x5.
        Dimy = "dimy",
        /// The standard game on 3x3.
        Telo = "telo",
        /// White's first turn is a single step; the rules of riatra matches.
        Riatra = "riatra",
        /// The first turn of each player is a single step.
        FirstTurns = "first-turns",
        /// Every turn is a single step, and ties are decided by counting stones.
        SingleStep = "single-step",
        /// Capturing turns must go on as far as they can, and a blocked player draws.
        FullChain = "full-chain",
        /// Captures are compulsory on the first move only.
        FreeCapture = "free-capture",
        /// The revenge game, given by Black.
        Vela = "vela",
        /// The rules string of the option `Rules`.
        Custom = "custom",
    }
}

impl Preset {
    /// All names, or those that stand for rules by themselves, separated by commas.
    pub(super) fn names(with_rules: bool) -> String {
        let mut all = Preset::ALL.to_vec();
        all.retain(|preset| !with_rules || preset.rules().is_some());
        let names: Vec<&str> = all.into_iter().map(Preset::name).collect();
        names.join(", ")
    }

    /// The preset with these rules, if there is one.
    pub fn of(rules: &Rules) -> Option<Preset> {
        Preset::ALL
            .into_iter()
            .find(|preset| preset.rules().as_ref() == Some(rules))
    }

    /// The display name of rules: the name of their preset, else their rules string.
    pub fn name_of(rules: &Rules) -> String {
        Preset::of(rules).map_or_else(|| rules.to_string(), |preset| preset.name().to_owned())
    }

    /// The rules, `None` for [`Preset::Custom`].
    pub const fn rules(self) -> Option<Rules> {
        let mut rules = Rules::STANDARD;
        match self {
            Preset::Tsivy => {}
            Preset::Dimy => rules.board = BoardSize::of(5, 5),
            Preset::Telo => rules.board = BoardSize::of(3, 3),
            Preset::Riatra => rules.opening = OpeningRule::First,
            Preset::FirstTurns => rules.opening = OpeningRule::Both,
            Preset::SingleStep => {
                rules.chain = ChainRule::Single;
                rules.tie = Tie::Count;
            }
            Preset::FullChain => {
                rules.chain = ChainRule::Full;
                rules.blocked = Blocked::Draw;
            }
            Preset::FreeCapture => rules.capture = CaptureRule::Opening,
            Preset::Vela => {
                rules.capture = CaptureRule::Opening;
                rules.vela = Vela::Black;
            }
            Preset::Custom => return None,
        }
        Some(rules)
    }
}

impl FromStr for Preset {
    type Err = String;

    /// Parses a name, case-insensitively.
    fn from_str(text: &str) -> Result<Preset, String> {
        Preset::ALL
            .into_iter()
            .find(|preset| preset.name().eq_ignore_ascii_case(text))
            .ok_or_else(|| {
                let (text, names) = (excerpt(text), Preset::names(false));
                format!("unknown preset '{text}': expected {names}")
            })
    }
}
