//! Search parameters: tunable ones (feature `tune`), fixed ones, and the table of reductions computed
//! from them. Scores are in units of the search, depths in plies.

use std::ops::RangeInclusive;
use std::str::FromStr;

use crate::text::excerpt;

/// A tunable parameter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tunable {
    /// The name.
    pub name: &'static str,
    /// The default value.
    pub standard: i32,
    /// The valid range.
    pub range: RangeInclusive<i32>,
}

macro_rules! parameters {
    ($($(#[$doc:meta])* $name:ident: $standard:literal in $least:literal..=$most:literal;)*) => {
        /// The search parameters. As text: `name=value`, separated by spaces; parameters not listed
        /// keep their default.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub struct Parameters {
            $($(#[$doc])* pub $name: i32,)*
        }

        $(const _: () = assert!($least <= $standard && $standard <= $most);)*

        impl Parameters {
            /// The default values.
            pub const STANDARD: Parameters = Parameters { $($name: $standard,)* };

            /// All parameters, in listing order.
            pub const TUNABLE: &'static [Tunable] = &[
                $(Tunable {
                    name: stringify!($name),
                    standard: $standard,
                    range: $least..=$most,
                },)*
            ];

            /// The place of the value with this name.
            pub(crate) fn value_mut(&mut self, name: &str) -> Option<&mut i32> {
                match name {
                    $(stringify!($name) => Some(&mut self.$name),)*
                    _ => None,
                }
            }

            /// The value with this name.
            pub fn get(mut self, name: &str) -> Option<i32> {
                self.value_mut(name).copied()
            }
        }
    };
}

parameters! {
    /// Half-width of the first aspiration window.
    aspiration_window: 25 in 5..=200;

    /// Maximum depth of reverse futility pruning of quiet positions.
    reverse_futility_depth: 8 in 0..=20;
    /// Margin above beta, per ply of depth.
    reverse_futility_margin: 50 in 10..=400;
    /// Minimum number of stones for static pruning; below, zugzwang makes it unsafe.
    zugzwang_stones: 8 in 0..=46;

    /// Maximum depth of futility pruning of paikas.
    futility_depth: 4 in 0..=20;
    /// Constant part of the margin below alpha.
    futility_base: 50 in 0..=1000;
    /// Part of the margin per ply of depth.
    futility_margin: 100 in 0..=1000;

    /// Maximum depth of late move pruning of paikas.
    late_move_depth: 7 in 0..=20;
    /// Moves searched before late move pruning, in hundredths.
    late_move_base: 300 in 0..=6000;
    /// Additional moves per depth squared, in hundredths.
    late_move_factor: 100 in 0..=1000;

    /// Minimum depth of late move reductions.
    reduction_depth: 3 in 2..=10;
    /// Reduction = base + ln(depth) * ln(move number) * factor, in hundredths of a ply.
    reduction_base: 70 in -200..=300;
    /// See `reduction_base`.
    reduction_factor: 65 in 10..=200;
    /// Additional reduction of paikas, in hundredths of a ply: late ones hardly ever raise alpha.
    paika_reduction: 100 in 0..=300;
    /// Smaller reduction at PV nodes, in hundredths of a ply.
    variation_reduction: 100 in 0..=300;
    /// History score worth one ply of reduction.
    history_per_ply: 8192 in 1000..=32768;

    /// Minimum depth of internal iterative reductions: a ply less without a tt move.
    internal_reduction_depth: 5 in 2..=20;

    /// Stand-pat bonus of quiescence, on top of the static evaluation: assumed value of having a capture.
    stand_pat_bonus: 40 in -200..=300;
    /// Delta pruning: maximum value of a captured stone.
    delta_stone: 100 in 0..=400;
    /// Delta pruning: margin beyond the captured stones.
    delta_margin: 80 in -100..=400;

    /// Scaling of the static evaluation towards a draw, in hundredths: an advantage loses this share at
    /// the no-capture limit, proportionally less before it.
    quiet_damping: 50 in 0..=100;

    /// Weight of the continuation history one ply back in move ordering, in hundredths.
    continuation_order: 100 in 0..=400;
    /// Weight of the continuation history two plies back in move ordering, in hundredths.
    continuation_order_own: 50 in 0..=400;

    /// Expected number of remaining moves in a game without moves-to-go.
    expected_moves: 24 in 5..=48;
    /// Soft time limit, in hundredths of an even share of the remaining time.
    optimum_share: 70 in 10..=400;
    /// Hard time limit, in hundredths of an even share.
    maximum_share: 400 in 50..=2000;
    /// Share of the increment spent on the current move, in hundredths.
    increment_share: 75 in 0..=100;
    /// Maximum time of an iteration, in hundredths of the soft limit.
    iteration_most: 250 in 100..=1000;

    /// History bonus of a move that fails high, times the depth squared.
    history_bonus: 32 in 1..=400;
    /// Maximum history bonus of one update.
    history_bonus_most: 2048 in 100..=16384;
    /// Malus of the moves before it, in hundredths of the bonus.
    history_malus: 100 in 0..=300;
}

/// Factor by which the aspiration window grows after each fail-high or fail-low.
pub(super) const ASPIRATION_GROWTH: i32 = 3;
/// Half-width above which the window becomes infinite.
pub(super) const ASPIRATION_MOST: i32 = 1_000;
/// Minimum depth of aspiration windows.
pub(super) const ASPIRATION_DEPTH: i32 = 4;
/// Number of moves that are never reduced.
pub(super) const UNREDUCED_MOVES: usize = 2;
/// The same at the root.
pub(super) const ROOT_UNREDUCED_MOVES: usize = 3;
/// Maximum number of stones that contempt counts.
pub(super) const CONTEMPT_STONES: u32 = 20;
/// Maximum depth at which the table entry of the next move is prefetched: at greater depths it would be
/// evicted before it is used.
pub(super) const PREFETCH_DEPTH: i32 = 3;

/// The parameters of a searcher, and the table of reductions.
#[derive(Debug)]
pub(super) struct Params {
    values: Parameters,
    /// Reductions by depth and move number, in hundredths of a ply.
    reductions: [[i16; REDUCTIONS]; REDUCTIONS],
}

const REDUCTIONS: usize = 64;

impl Params {
    /// Those of `wanted` that apply: without the feature `tune` always the defaults.
    #[inline(always)]
    pub(super) const fn in_force(wanted: &Parameters) -> &Parameters {
        match cfg!(feature = "tune") {
            true => wanted,
            false => &Parameters::STANDARD,
        }
    }

    /// For the values of `wanted` that are [in force](Params::in_force).
    pub(super) fn new(wanted: &Parameters) -> Params {
        let values = *Params::in_force(wanted);
        let mut reductions = [[0; REDUCTIONS]; REDUCTIONS];
        for (depth, row) in reductions.iter_mut().enumerate().skip(1) {
            for (number, reduction) in row.iter_mut().enumerate().skip(1) {
                let product = (depth as f64).ln() * (number as f64).ln();
                let factor = f64::from(values.reduction_factor);
                *reduction = (f64::from(values.reduction_base) + product * factor) as i16;
            }
        }
        Params { values, reductions }
    }

    /// The parameters; compile-time constants without the feature `tune`.
    #[inline(always)]
    pub(super) const fn values(&self) -> &Parameters {
        Params::in_force(&self.values)
    }

    /// The reduction of the move at `index` at a node of this depth, in hundredths of a ply.
    #[inline]
    pub(super) fn reduction(&self, depth: i32, index: usize) -> i32 {
        let depth = (depth.max(0) as usize).min(REDUCTIONS - 1);
        i32::from(self.reductions[depth][index.min(REDUCTIONS - 1)])
    }
}

impl FromStr for Parameters {
    type Err = String;

    fn from_str(text: &str) -> Result<Parameters, String> {
        let mut parameters = Parameters::STANDARD;
        let mut named = Vec::new();
        for pair in text.split_whitespace() {
            let Some((name, value)) = pair.split_once('=') else {
                return Err(format!("'{}', expected name=value", excerpt(pair)));
            };
            let tunable = Parameters::TUNABLE
                .iter()
                .find(|tunable| tunable.name == name);
            let (Some(tunable), Some(place)) = (tunable, parameters.value_mut(name)) else {
                return Err(format!("no parameter '{}'", excerpt(name)));
            };
            if named.contains(&name) {
                return Err(format!("{name} is given twice"));
            }
            named.push(name);
            let (least, most) = (tunable.range.start(), tunable.range.end());
            match value.parse() {
                Ok(number) if tunable.range.contains(&number) => *place = number,
                _ => {
                    let value = excerpt(value);
                    return Err(format!(
                        "{name}: '{value}', expected a number from {least} to {most}"
                    ));
                }
            }
        }
        Ok(parameters)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_says_what_is_not_standard() {
        assert_eq!("".parse(), Ok(Parameters::STANDARD));
        let (mut all, mut text) = (Parameters::STANDARD, String::new());
        for tunable in Parameters::TUNABLE {
            let value = all.value_mut(tunable.name).expect(tunable.name);
            *value = match *value == *tunable.range.end() {
                true => *tunable.range.start(),
                false => *tunable.range.end(),
            };
            text += &format!("{}={value} ", tunable.name);
        }
        assert_eq!(text.parse(), Ok(all));
    }

    /// The transcript `session_build` has the sentences.
    #[test]
    fn only_whole_numbers_in_range_are_values() {
        for value in ["", "x", "1.5", "-1", "99999999999"] {
            let text = format!("late_move_base={value}");
            assert!(text.parse::<Parameters>().is_err(), "{value}");
        }
    }
}
