//! The claims of the built-in suites, as far as tables of six stones prove them quickly.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use rayon::prelude::*;
use vato_engine::board::Move;
use vato_engine::proofs::Claim;
use vato_engine::rules::{Game, Rules, legal_moves};
use vato_engine::tablebase::{TableFolders, Tablebases};
use vato_solver::Solver;
use vato_tools::tournament::suite::{built_in_suite, parse_suite};

/// Nodes of the proof about a move; with tables of seven stones that is what it took to make the suites.
const MOST_NODES: [u64; 2] = [2_000, 1_000_000];

/// At each turn that is asked for, one move wins, or does not lose, and every other one does not: no move is found to be worth
/// something else, and of most moves it is proved again; with `VATO_TABLEBASES`, a folder of tables of seven stones, of all.
#[test]
fn moves_are_worth_what_suites_say() {
    let rules = Rules::STANDARD;
    let seven = std::env::var_os("VATO_TABLEBASES");
    let is_all = seven.is_some();
    let folders = TableFolders::of(seven.into_iter().map(Into::into).collect());
    let (tables, _) = Tablebases::for_play(&rules, &folders, 1 << 28, 1, &|| true).expect("tables");
    let tables = Arc::new(tables);
    for (name, floor) in [("winning", 60), ("holding", 80)] {
        let text = built_in_suite(name).expect(name);
        let suite = parse_suite(text, &rules).expect(name);
        let claims = suite.par_iter().flat_map_iter(|question| {
            let position = question.position;
            let solver = Solver::new(&rules, Arc::clone(&tables), 16, 1).expect("a solver");
            let line = match question.line() {
                [] => question.best(),
                line => line,
            };
            let mut game = Game::from_position(rules, position);
            let mut claims = Vec::new();
            for (ply, &best) in line.iter().enumerate() {
                if ply % 2 == 0 {
                    claims.extend(proved(&solver, &game, best, name == "winning"));
                }
                game.play(best).expect("legal");
            }
            assert_eq!(line.len() % 2, 1, "{}", question.id);
            claims.into_iter().map(move |claim| {
                let is_right = claim.unwrap_or(!is_all);
                assert!(is_right, "{}: {claim:?}", question.id);
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

/// Of each move, whether it is worth what it should be, as far as that is proved: the best one alone wins, or does not lose.
fn proved(solver: &Solver, game: &Game, best: Move, is_win: bool) -> Vec<Option<bool>> {
    let mover = game.position().side();
    let attacker = if is_win { mover } else { !mover };
    let moves = legal_moves(game.rules(), game.position()).to_vec();
    assert!(moves.len() > 1 && moves.contains(&best));
    let claim = |mv| {
        let mut game = game.clone();
        game.play(mv).expect("legal");
        let wins = match game.outcome() {
            Some(outcome) => Some(outcome.winner == Some(attacker)),
            None => {
                let stop = AtomicBool::new(false);
                let limit = MOST_NODES[usize::from(std::env::var_os("VATO_TABLEBASES").is_some())];
                let answer = solver.can_win(&game, attacker, limit, &stop, &mut |_| ());
                let claim = answer.expect("a thread").claim();
                claim.map(|claim| claim == Claim::Wins)
            }
        };
        wins.map(|wins| wins == (is_win == (mv == best)))
    };
    moves.into_iter().map(claim).collect()
}
