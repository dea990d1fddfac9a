//! The hand-made evaluation: stones by region, mobility, threats and tempo, each weighted by the number
//! of stones on the board.

use super::Evaluator;
use super::regions::{self, Regions};
use super::weights::{
    CAN_CAPTURE, CAPTURE, COUNTER_THREAT, MOBILITY, STONE, TEMPO, THREAT, THREATENED, Weight,
};
use crate::board::Position;
use crate::rules::{Rules, Variant, capturing_first_steps, steps_to_empty_points, with_variant};

/// The hand-made evaluation for one rule set.
pub(crate) struct HandMade<V> {
    variant: V,
    regions: &'static Regions,
    stones_at_start: i32,
}

impl<V: Variant> HandMade<V> {
    /// The evaluation for games under `rules`, which `variant` plays.
    pub(crate) fn new(rules: &Rules, variant: V) -> HandMade<V> {
        HandMade {
            variant,
            regions: regions::of(rules.board),
            stones_at_start: rules.start().occupied().count() as i32,
        }
    }

    /// Calls `add` with the name of every term, its count and its weight.
    #[inline(always)]
    fn terms(&self, position: &Position, mut add: impl FnMut(&'static str, i32, Weight)) {
        let (own, enemy) = (position.own(), position.enemy());
        for (&region, &weight) in self.regions.iter().zip(&STONE) {
            let count = (own & region).count() as i32 - (enemy & region).count() as i32;
            add("stones", count, weight);
        }
        let own_turn = self.variant.turn(position);
        let enemy_turn = self.variant.turn_of(position, !position.side());
        let steps = steps_to_empty_points(own_turn, own, enemy) as i32
            - steps_to_empty_points(enemy_turn, enemy, own) as i32;
        add("mobility", steps, MOBILITY);
        let captures = capturing_first_steps(own_turn, own, enemy) as i32;
        let threats = capturing_first_steps(enemy_turn, enemy, own) as i32;
        let can_capture = captures > 0;
        add("captures", captures, CAPTURE);
        add("captures", i32::from(can_capture), CAN_CAPTURE);
        let threat = if can_capture { COUNTER_THREAT } else { THREAT };
        add("threats", threats, threat);
        let is_threatened = threats > 0 && !can_capture;
        add("threats", i32::from(is_threatened), THREATENED);
        add("tempo", 1, TEMPO);
    }
}

impl<V: Variant> Evaluator for HandMade<V> {
    #[inline]
    fn evaluate(&mut self, position: &Position, _ply: usize) -> i32 {
        let (mut full, mut bare) = (0, 0);
        self.terms(position, |_, count, weight| {
            full += count * weight.full;
            bare += count * weight.bare;
        });
        let stones = position.occupied().count() as i32;
        let all = self.stones_at_start;
        bare + (full - bare) * stones.min(all) / all
    }
}

/// The hand-made evaluation of a position in which both sides have stones.
pub(super) fn evaluate(rules: &Rules, position: &Position) -> i32 {
    with_variant!(rules, |variant| HandMade::new(rules, variant)
        .evaluate(position, 0))
}

/// The terms of a position's evaluation, by name, in stones, from the view of the side to move.
pub(super) fn terms(rules: &Rules, position: &Position) -> Vec<(&'static str, f64)> {
    let evaluation = HandMade::new(rules, *rules);
    let all = f64::from(evaluation.stones_at_start);
    let phase = f64::from(position.occupied().count()).min(all) / all;
    let mut sums: Vec<(&str, f64)> = Vec::new();
    evaluation.terms(position, |name, count, weight| {
        let (full, bare) = (f64::from(weight.full), f64::from(weight.bare));
        let value = f64::from(count) * (bare + (full - bare) * phase) / 100.0;
        match sums.last_mut() {
            Some((last, sum)) if *last == name => *sum += value,
            _ => sums.push((name, value)),
        }
    });
    sums
}
