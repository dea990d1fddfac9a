//! A turn played step by step by a person: the next steps, and whether the turn may end.

use arrayvec::ArrayVec;
use vato_engine::board::{Bitboard, Move, Point, Position};
use vato_engine::rules::{NextWalk, Path, Rules, Step, TurnWalk, has_capture};

/// A turn of one stone, from its origin on. Every step offered leads to a legal turn.
///
/// ```
/// use vato_engine::rules::Rules;
/// use vato_records::TurnUnderWay;
///
/// let rules = Rules::STANDARD;
/// let f2 = rules.board.point(5, 1).expect("on the board");
/// let mut turn = TurnUnderWay::begin(&rules, &rules.start(), f2).expect("White's stone");
/// let next = turn.next_steps();
/// assert_eq!(next.len(), 1);
/// assert!(turn.play(next[0].step));
/// assert!(turn.may_end());
/// ```
#[derive(Clone, Debug)]
pub struct TurnUnderWay {
    /// Whether paikas are excluded because a capture exists.
    must_capture: bool,
    path: Path,
    /// After the last step.
    walk: TurnWalk,
}

impl TurnUnderWay {
    /// The turn of the stone on `from`, before its first step; `None` if the side to move has no stone there
    /// or the game is over because a side has no stones.
    pub fn begin(rules: &Rules, position: &Position, from: Point) -> Option<TurnUnderWay> {
        if position.enemy().is_empty() {
            return None;
        }
        let walk = TurnWalk::new(rules, position, from)?;
        Some(TurnUnderWay {
            must_capture: walk.is_compulsory() && has_capture(rules, position),
            path: Path {
                from,
                steps: ArrayVec::new(),
            },
            walk,
        })
    }

    /// The stones captured.
    pub fn captured(&self) -> Bitboard {
        self.walk.captured
    }

    /// Every possible next step; empty when the turn is complete or the stone cannot move.
    pub fn next_steps(&self) -> ArrayVec<NextWalk, 16> {
        let walk = &self.walk;
        let begins = self.path.steps.is_empty();
        let is_paika = !begins && walk.captured.is_empty();
        if is_paika || !walk.may_go_on() || self.path.steps.is_full() {
            return ArrayVec::new();
        }
        let mut next = walk.capturing_steps();
        if begins && !self.must_capture {
            next.extend(walk.paikas());
        }
        next
    }

    /// Plays a step; returns `false` and changes nothing if it is not in [`TurnUnderWay::next_steps`].
    pub fn play(&mut self, step: Step) -> bool {
        let next = self.next_steps().into_iter().find(|next| next.step == step);
        if let Some(next) = &next {
            self.walk = next.after;
            self.path.steps.push(next.step);
        }
        next.is_some()
    }

    /// Whether the turn may end here.
    pub fn may_end(&self) -> bool {
        let walk = &self.walk;
        !self.path.steps.is_empty() && (walk.captured.is_empty() || !walk.must_go_on())
    }

    /// The turn so far.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The turn as a path and as a move; `None` if it may not end here.
    pub fn end(&self) -> Option<(Path, Move)> {
        self.may_end().then(|| {
            let mv = Move::new(self.path.from, self.walk.at, self.captured());
            (self.path.clone(), mv)
        })
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use vato_engine::notation::{format_path, parse_fen};
    use vato_engine::rules::{follow, legal_moves, legal_paths, parse_rules};

    /// Every turn that can be played step by step, as text.
    fn turns(rules: &Rules, position: &Position) -> BTreeSet<String> {
        fn explore(turn: &TurnUnderWay, found: &mut Vec<Path>) {
            found.extend(turn.end().map(|(path, _)| path));
            for next in turn.next_steps() {
                let mut after = turn.clone();
                assert!(after.play(next.step));
                explore(&after, found);
            }
        }
        let mut found = Vec::new();
        for from in position.own() {
            if let Some(turn) = TurnUnderWay::begin(rules, position, from) {
                explore(&turn, &mut found);
            }
        }
        for path in &found {
            assert!(follow(rules, position, path).is_ok());
        }
        let texts = found.iter().map(|path| format_path(path, rules.board));
        let texts: BTreeSet<String> = texts.collect();
        assert_eq!(texts.len(), found.len(), "no turn twice");
        texts
    }

    #[test]
    fn step_by_step_leads_to_the_legal_turns() {
        let presets = "tsivy;dimy;telo;single-step;full-chain;free-capture;vela;riatra;board=3x9 direction=any";
        for rules in presets.split(';') {
            let rules = parse_rules(rules).expect(rules);
            let mut position = rules.start();
            for ply in 0..20 {
                let legal = legal_paths(&rules, &position);
                let expected = legal.iter().map(|(path, _)| format_path(path, rules.board));
                let expected: BTreeSet<String> = expected.collect();
                assert_eq!(turns(&rules, &position), expected, "{rules}, ply {ply}");
                let moves = legal_moves(&rules, &position);
                let Some(&mv) = moves.get(7 * ply % moves.len().max(1)) else {
                    break;
                };
                position = position.play(mv);
            }
        }
    }

    #[test]
    fn what_is_not_offered_is_refused() {
        let rules = Rules::STANDARD;
        let point = |file, rank| rules.board.point(file, rank).expect("on the board");
        let start = rules.start();
        assert!(TurnUnderWay::begin(&rules, &start, point(4, 2)).is_none());
        assert!(TurnUnderWay::begin(&rules, &start, point(0, 4)).is_none());
        let mut turn = TurnUnderWay::begin(&rules, &start, point(5, 1)).expect("a stone");
        let (to, capture) = (point(4, 2), None);
        assert!(!turn.play(Step { to, capture }));
        assert!(turn.end().is_none() && turn.path().steps.is_empty());
        let alone = parse_fen("9/9/3w5/9/9 w 0 9", rules.board).expect("good");
        assert!(TurnUnderWay::begin(&rules, &alone, point(3, 2)).is_none());
    }
}
