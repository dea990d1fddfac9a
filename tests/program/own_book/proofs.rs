//! Certificates of the solver as opening books.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use vato_engine::board::Side;
use vato_engine::notation::{format_move, parse_turn};
use vato_engine::rules::{Game, legal_moves, parse_rules};
use vato_engine::tablebase::Tablebases;
use vato_solver::{Answer, Solver};

use crate::support::Engine;

/// Writes the proof that `attacker` cannot win under dimy, with tables of so many stones.
pub fn prove(stones: u32, attacker: Side, path: &Path) {
    let rules = parse_rules("dimy").expect("rules");
    let tables = Tablebases::solve(&rules, stones, 1 << 20, &|| true).expect("tables");
    let solver = Solver::new(&rules, Arc::new(tables), 16, 2).expect("a solver");
    let stop = AtomicBool::new(false);
    let answer = solver.can_win(&Game::new(rules), attacker, u64::MAX, &stop, &mut |_| ());
    let Ok(Answer::Settled(proof)) = answer else {
        panic!("{attacker}: {answer:?}");
    };
    proof.write(path).expect("room");
}

/// An engine with proofs of dimy for both sides, and what it says when it opens them.
fn engine(stones: u32, options: &[&str]) -> (Engine, Vec<String>) {
    let folder = tempfile::tempdir().expect("a folder");
    let paths = Side::BOTH.map(|side| folder.path().join(side.to_string()));
    for (side, path) in Side::BOTH.into_iter().zip(&paths) {
        prove(stones, side, path);
    }
    let mut engine = Engine::ugi();
    engine.send("setoption name UCI_Variant value dimy");
    for option in options {
        engine.send(&format!("setoption name {option}"));
    }
    let list = std::env::join_paths(&paths).expect("no separator in a name");
    let told = engine.ask(&format!(
        "setoption name Book File value {}",
        list.display()
    ));
    (engine, told)
}

/// Of the first moves of dimy only one does not lose, and a search of one ply prefers another.
#[test]
fn only_proven_moves_are_played() {
    let (mut engine, told) = engine(4, &[]);
    assert!(told[0].starts_with("info string proofs of "), "{told:?}");
    assert_ne!(engine.search("go depth 1").best.turn, "b2-c3A");
    engine.send("setoption name OwnBook value true");
    for go in ["go depth 1", "go nodes 1", "go p1time 1000 p2time 1000"] {
        assert_eq!(engine.search(go).best.turn, "b2-c3A", "{go}");
    }
    // Analysis is about all moves.
    let search = engine.search("go depth 1 searchmoves c2-c3A");
    assert_eq!(search.best.turn, "c2-c3A");
    engine.finish();
}

/// A random player plays everything that a game can bring.
#[test]
fn no_game_is_lost() {
    let (mut engine, _) = engine(4, &["OwnBook value true"]);
    let rules = parse_rules("dimy").expect("rules");
    let mut random = 1_u64;
    let mut won = 0;
    for number in 0..40 {
        let side = Side::BOTH[number % 2];
        let mut game = Game::new(rules);
        let mut turns = Vec::new();
        while game.outcome().is_none() {
            let position = *game.position();
            let mv = if position.side() == side {
                engine.send(&format!("position startpos moves {}", turns.join(" ")));
                let turn = engine.search("go nodes 30").best.turn;
                parse_turn(&turn, &rules, &position)
                    .expect("a legal turn")
                    .1
            } else {
                // An LCG of D. Knuth's.
                random = random
                    .wrapping_mul(6_364_136_223_846_793_005)
                    .wrapping_add(1_442_695_040_888_963_407);
                let moves = legal_moves(&rules, &position);
                moves[(random >> 33) as usize % moves.len()]
            };
            turns.push(format_move(&rules, &position, mv).expect("a legal move"));
            game.play(mv).expect("a legal move");
        }
        let winner = game.outcome().and_then(|outcome| outcome.winner);
        assert_ne!(winner, Some(!side), "{turns:?}");
        won += usize::from(winner == Some(side));
    }
    assert!(won > 0);
    engine.finish();
}

#[test]
fn other_tables_are_refused() {
    let (mut engine, _) = engine(3, &["OwnBook value true"]);
    // The engine's tables have more stones, which serves as well.
    assert_eq!(engine.search("go depth 1").best.turn, "b2-c3A");
    engine.finish();
    let (mut engine, _) = self::engine(5, &["OwnBook value true"]);
    let note = "info string the book needs other tables (tables of 4 stones, expected 5), so it is not used";
    let search = engine.search("go depth 1");
    assert_eq!(search.count(note), 1, "{:?}", search.lines);
    assert_ne!(search.best.turn, "b2-c3A");
    assert_eq!(engine.search("go depth 1").count(note), 0);
    engine.finish();
}
