//! The numbers of the search: parameters that a build with the feature `tune` can set, fixed ones, and the
//! table of reductions that follows from them. Scores are units of the search, depths plies.

use std::fmt;
use std::ops::RangeInclusive;
use std::str::FromStr;

use thiserror::Error;

use crate::text::excerpt;

/// A parameter, for tuning.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tunable {
    /// The name.
    pub name: &'static str,
    /// The value that the search comes with.
    pub standard: i32,
    /// The values that make sense.
    pub range: RangeInclusive<i32>,
    /// The first step of tuning: about what is worth a few Elo.
    pub step: i32,
}

macro_rules! parameters {
    ($($(#[$doc:meta])* $name:ident: $standard:literal in $least:literal..=$most:literal step $step:literal;)*) => {
        /// The parameters of the search. As text: `name=value`, separated by spaces; what is not named
        /// keeps its standard value.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub struct Parameters {
            $($(#[$doc])* pub $name: i32,)*
        }

        $(const _: () = assert!($least <= $standard && $standard <= $most);)*

        impl Parameters {
            /// What the search comes with.
            pub const STANDARD: Parameters = Parameters { $($name: $standard,)* };

            /// All of them, in the order in which they are listed.
            pub const TUNABLE: &'static [Tunable] = &[
                $(Tunable {
                    name: stringify!($name),
                    standard: $standard,
                    range: $least..=$most,
                    step: $step,
                },)*
            ];

            fn value_mut(&mut self, name: &str) -> Option<&mut i32> {
                match name {
                    $(stringify!($name) => Some(&mut self.$name),)*
                    _ => None,
                }
            }

            /// The value with this name.
            #[must_use]
            pub fn get(mut self, name: &str) -> Option<i32> {
                self.value_mut(name).copied()
            }
        }
    };
}

parameters! {
    /// Half-width of the first aspiration window.
    aspiration_window: 25 in 5..=200 step 5;

    /// Deepest node at which a quiet position far above beta is cut by its static evaluation (reverse
    /// futility pruning).
    reverse_futility_depth: 6 in 0..=20 step 1;
    /// How far above, per ply of depth.
    reverse_futility_margin: 70 in 10..=400 step 10;
    /// Stones on the board below which zugzwang makes static cuts unsafe.
    zugzwang_stones: 8 in 0..=46 step 1;

    /// Deepest node at which paikas that cannot reach alpha are left out (futility pruning).
    futility_depth: 4 in 0..=20 step 1;
    /// How far below alpha the static evaluation has to be, whatever the depth.
    futility_base: 50 in 0..=1000 step 15;
    /// How far below, per ply of depth.
    futility_margin: 100 in 0..=1000 step 15;

    /// Deepest node at which late paikas are left out (late move pruning).
    late_move_depth: 7 in 0..=20 step 1;
    /// Moves that are searched before late ones are left out, in hundredths.
    late_move_base: 300 in 0..=6000 step 60;
    /// How many more for each ply of depth squared, in hundredths.
    late_move_factor: 100 in 0..=1000 step 15;

    /// Depth from which late moves are searched less deep.
    reduction_depth: 3 in 2..=10 step 1;
    /// Reduction = base + ln(depth) * ln(number) * factor, in hundredths of a ply.
    reduction_base: 70 in -200..=300 step 12;
    /// See `reduction_base`.
    reduction_factor: 65 in 10..=200 step 5;
    /// How much further paikas are reduced, in hundredths of a ply: hardly one of the late ones ever
    /// proves better than what was found before.
    paika_reduction: 100 in 0..=300 step 12;
    /// How much less moves are reduced where the score may lie within the window, in hundredths of a ply.
    variation_reduction: 100 in 0..=300 step 12;
    /// A history value of this much makes or unmakes a ply of reduction.
    history_per_ply: 8192 in 1000..=32768 step 800;

    /// Depth from which a node without a tt move is searched a ply less deep.
    internal_reduction_depth: 5 in 2..=20 step 1;

    /// What having to capture is supposed to be worth where quiescence stands pat, beyond the static
    /// evaluation.
    stand_pat_bonus: 40 in -200..=300 step 10;
    /// What each captured stone is supposed to be worth at most where quiescence decides which captures
    /// are worth a look (delta pruning).
    delta_stone: 100 in 0..=400 step 10;
    /// What a capture may be worth beyond its stones.
    delta_margin: 80 in -100..=400 step 12;

    /// How much of its static evaluation a position has lost when the no-capture limit is near, in
    /// hundredths: the part is that of the plies to the limit which have gone by. An advantage that
    /// leads to nothing is worth less than one that does.
    quiet_damping: 50 in 0..=100 step 8;

    /// What the history of a paika after the opponent's move counts in the order, in hundredths.
    continuation_order: 100 in 0..=400 step 12;
    /// What the history of a paika after the own move before counts in the order, in hundredths.
    continuation_order_own: 50 in 0..=400 step 12;

    /// Moves that a game without moves-to-go is expected to last from any position on.
    expected_moves: 24 in 5..=48 step 2;
    /// The time meant for a move, in hundredths of an even share of the time left.
    optimum_share: 70 in 10..=400 step 5;
    /// The most that it may take, in hundredths of an even share.
    maximum_share: 400 in 50..=2000 step 30;
    /// How much of the increment is spent at once, in hundredths.
    increment_share: 75 in 0..=100 step 5;
    /// How far beyond its time an iteration is carried, in hundredths of it.
    iteration_most: 250 in 100..=1000 step 20;

    /// What a move that refutes a node is given, times the depth squared.
    history_bonus: 32 in 1..=400 step 4;
    /// The most that it is given at once.
    history_bonus_most: 2048 in 100..=16384 step 200;
    /// What those before it lose, in hundredths of that.
    history_malus: 100 in 0..=300 step 10;
}

/// How many times as wide the aspiration window gets each time the score lies outside.
pub(super) const ASPIRATION_GROWTH: i32 = 3;
/// Half-width beyond which the window is thrown open.
pub(super) const ASPIRATION_MOST: i32 = 1_000;
/// Depth from which iterations begin with an aspiration window.
pub(super) const ASPIRATION_DEPTH: i32 = 4;
/// Moves that are always searched to the full depth.
pub(super) const UNREDUCED_MOVES: usize = 2;
/// The same at the root.
pub(super) const ROOT_UNREDUCED_MOVES: usize = 3;
/// Deepest node at which what the table knows of the next move is fetched while one is searched: above
/// that it would be gone again before it is needed.
pub(super) const PREFETCH_DEPTH: i32 = 3;

/// The parameters of a searcher, and what follows from them.
#[derive(Debug)]
pub(super) struct Params {
    #[cfg(feature = "tune")]
    values: Parameters,
    /// Reductions by depth and number of the move, in hundredths of a ply.
    reductions: [[i16; REDUCTIONS]; REDUCTIONS],
}

const REDUCTIONS: usize = 64;

impl Params {
    /// For these parameters; without the feature `tune` they are always the standard ones.
    pub(super) fn new(values: Parameters) -> Params {
        let values = match cfg!(feature = "tune") {
            true => values,
            false => Parameters::STANDARD,
        };
        let mut reductions = [[0; REDUCTIONS]; REDUCTIONS];
        for (depth, row) in reductions.iter_mut().enumerate().skip(1) {
            for (number, reduction) in row.iter_mut().enumerate().skip(1) {
                let product = (depth as f64).ln() * (number as f64).ln();
                let factor = f64::from(values.reduction_factor);
                *reduction = (f64::from(values.reduction_base) + product * factor) as i16;
            }
        }
        Params {
            #[cfg(feature = "tune")]
            values,
            reductions,
        }
    }

    /// The parameters: known when this is compiled, but for the feature `tune`.
    #[inline(always)]
    pub(super) const fn values(&self) -> &Parameters {
        #[cfg(feature = "tune")]
        return &self.values;
        #[cfg(not(feature = "tune"))]
        return &Parameters::STANDARD;
    }

    /// The reduction, in hundredths of a ply, of the move with this index at a node of this depth.
    #[inline]
    pub(super) fn reduction(&self, depth: i32, index: usize) -> i32 {
        let depth = (depth.max(0) as usize).min(REDUCTIONS - 1);
        i32::from(self.reductions[depth][index.min(REDUCTIONS - 1)])
    }
}

/// What is wrong with parameters as text.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ParameterError {
    /// Not `name=value`.
    #[error("'{0}', expected name=value")]
    NoPair(String),
    /// No parameter has this name.
    #[error("no parameter '{0}'")]
    UnknownName(String),
    /// A parameter that comes twice.
    #[error("{0} is given twice")]
    Twice(&'static str),
    /// A value that does not fit.
    #[error("{name}: '{value}', expected a number from {least} to {most}")]
    BadValue {
        /// The parameter.
        name: &'static str,
        /// The value.
        value: String,
        /// The smallest value that does.
        least: i32,
        /// The largest.
        most: i32,
    },
}

impl FromStr for Parameters {
    type Err = ParameterError;

    fn from_str(text: &str) -> Result<Parameters, ParameterError> {
        let mut parameters = Parameters::STANDARD;
        let mut named = Vec::new();
        for pair in text.split_whitespace() {
            let (name, value) = pair
                .split_once('=')
                .ok_or_else(|| ParameterError::NoPair(excerpt(pair)))?;
            let unknown = || ParameterError::UnknownName(excerpt(name));
            let tunable = Parameters::TUNABLE
                .iter()
                .find(|tunable| tunable.name == name)
                .ok_or_else(unknown)?;
            if named.contains(&tunable.name) {
                return Err(ParameterError::Twice(tunable.name));
            }
            named.push(tunable.name);
            let number = value
                .parse()
                .ok()
                .filter(|number| tunable.range.contains(number));
            *parameters.value_mut(name).ok_or_else(unknown)? =
                number.ok_or_else(|| ParameterError::BadValue {
                    name: tunable.name,
                    value: excerpt(value),
                    least: *tunable.range.start(),
                    most: *tunable.range.end(),
                })?;
        }
        Ok(parameters)
    }
}

impl fmt::Display for Parameters {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut gap = "";
        for tunable in Parameters::TUNABLE {
            let value = self.get(tunable.name).unwrap_or(tunable.standard);
            if value != tunable.standard {
                write!(f, "{gap}{}={value}", tunable.name)?;
                gap = " ";
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_says_what_is_not_standard() {
        assert_eq!(Parameters::STANDARD.to_string(), "");
        assert_eq!("".parse(), Ok(Parameters::STANDARD));
        let mut all = Parameters::STANDARD;
        for tunable in Parameters::TUNABLE {
            let value = all.value_mut(tunable.name).expect(tunable.name);
            *value = match *value == *tunable.range.end() {
                true => *tunable.range.start(),
                false => *tunable.range.end(),
            };
        }
        let text = all.to_string();
        assert_eq!(text.split(' ').count(), Parameters::TUNABLE.len());
        assert_eq!(text.parse(), Ok(all));
    }

    #[test]
    fn what_is_wrong_is_named() {
        let error = |text: &str| {
            let error = text.parse::<Parameters>().expect_err(text);
            error.to_string()
        };
        assert_eq!(error("a"), "'a', expected name=value");
        assert_eq!(error("a=1"), "no parameter 'a'");
        assert_eq!(
            error("late_move_base=5 late_move_base=5"),
            "late_move_base is given twice"
        );
        for value in ["", "x", "1.5", "-1", "99999999999"] {
            let text = format!("late_move_base={value}");
            assert!(
                error(&text).contains("expected a number from 0 to"),
                "{value}"
            );
        }
    }
}
