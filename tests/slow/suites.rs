//! The claims of the built-in suites, as far as tables of six stones prove them quickly.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use rayon::prelude::*;
use vato_engine::notation::parse_turn;
use vato_engine::rules::{Game, Rules, legal_moves};
use vato_engine::solver::{Claim, Solver};
use vato_engine::tablebase::{TableFolders, Tablebases};
use vato_tools::tournament::suite::{built_in_suite, parse_suite};

/// Nodes of the proof about a move.
const MOST_NODES: u64 = 20_000;

/// One move wins, or does not lose, and every other one does not: in every fourth position no move is found to be worth
/// something else, and of most moves it is proved again.
#[test]
fn moves_are_worth_what_suites_say() {
    let rules = Rules::STANDARD;
    let folders = TableFolders::of(Vec::new());
    let (tables, _) = Tablebases::for_play(&rules, &folders, 1 << 28, 1).expect("tables");
    let tables = Arc::new(tables);
    for (name, floor) in [("winning", 40), ("holding", 70)] {
        let text = built_in_suite(name).expect(name);
        let suite = parse_suite(text, &rules).expect(name);
        let some = suite.par_iter().step_by(4);
        let claims = some.flat_map_iter(|question| {
            let position = question.position;
            let best = question.expected();
            let (_, best) = parse_turn(&best, &rules, &position).expect("one move");
            let mover = position.side();
            let attacker = if name == "winning" { mover } else { !mover };
            let solver = Solver::new(&rules, Arc::clone(&tables), 16, 1).expect("a solver");
            let moves = legal_moves(&rules, &position).to_vec();
            moves.into_iter().map(move |mv| {
                let mut game = Game::from_position(rules, position);
                game.play(mv).expect("legal");
                let wins = (attacker == mover) == (mv == best);
                let claim = match game.outcome() {
                    Some(outcome) if outcome.winner == Some(attacker) => Some(Claim::Wins),
                    Some(_) => Some(Claim::CannotWin),
                    None => {
                        let stop = AtomicBool::new(false);
                        let answer =
                            solver.can_win(&game, attacker, MOST_NODES, &stop, &mut |_| ());
                        answer.expect("a thread").claim()
                    }
                };
                let expected = if wins { Claim::Wins } else { Claim::CannotWin };
                let is_right = claim.is_none_or(|claim| claim == expected);
                assert!(is_right, "{}, {mv:?}: {claim:?}", question.id);
                usize::from(claim.is_some())
            })
        });
        let claims: Vec<usize> = claims.collect();
        let proved: usize = claims.iter().sum();
        println!("{name}: {proved} of {} moves", claims.len());
        assert!(
            100 * proved >= floor * claims.len(),
            "{name}: {proved} of {}",
            claims.len()
        );
    }
}
