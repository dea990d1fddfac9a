//! The proof in the program: walked through, and played against; or instead of it, played against the strategy in the
//! file `VATO_STRATEGY`, with the tables in the folder `VATO_TABLES`.

use std::env;
use std::path::Path;

use rayon::prelude::*;
use vato_engine::board::{Move, Side};
use vato_engine::engine::{Engine, Settings, TableFiles};
use vato_engine::memory::thread_pool;
use vato_engine::notation::parse_fen;
use vato_engine::proofs::Strategy;
use vato_engine::random::split_mix;
use vato_engine::rules::{Game, Rules, legal_moves};
use vato_engine::search::{Control, Limits, STACK_BYTES, Strength};
use vato_engine::tablebase::{TableFolders, Tablebases};
use vato_solver::verify_strategy;

/// Games with each colour.
const GAMES: u64 = 400;
/// Nodes for a move of the proof's player, once the tables decide. The strongest opponent has ten times as many.
const NODES: u64 = 200;

#[test]
fn the_proof_is_valid() {
    let strategy = Strategy::built_in().expect("it is in the program");
    let tables = Tablebases::built_in(&Rules::STANDARD, 1 << 26, 1).expect("tables");
    let report = verify_strategy(strategy, &tables.into()).expect("the tables");
    assert_eq!(report.faults.count, 0, "{:?}", report.faults.named);
    assert_eq!(report.replies, strategy.header.positions);
    // From the start, for both sides.
    let start = Game::new(Rules::STANDARD);
    assert_eq!(strategy.holds(&start), [true; 2]);
    assert_eq!(strategy.header.roots.len(), 2);
}

/// The opponents: who moves at random, two weak players, and the engine after two random moves.
fn opponents_move(engine: &mut Engine, game: &Game, number: u64) -> Move {
    let level = match number % 4 {
        0 => None,
        1 => Some(2),
        2 => Some(12),
        _ if game.moves().len() < 4 => None,
        _ => Some(Strength::FULL_LEVEL),
    };
    let Some(level) = level else {
        let moves = legal_moves(game.rules(), game.position());
        let random = split_mix(game.position().key() ^ split_mix(number));
        return moves[(random % moves.len() as u64) as usize];
    };
    let limits = Limits {
        nodes: Some(10 * NODES),
        strength: Strength::from_level(level).with_seed(1 + number),
        ..Limits::default()
    };
    searched(engine, game, &limits)
}

fn searched(engine: &mut Engine, game: &Game, limits: &Limits) -> Move {
    let result = engine.search(game, limits, &Control::new(), &mut |_| ());
    result.expect("memory").best.expect("a move")
}

#[test]
fn who_plays_by_the_proof_never_loses() {
    let name = env::var_os("VATO_STRATEGY").unwrap_or(Strategy::BUILT_IN.into());
    let strategy = Strategy::open(Path::new(&name)).expect("a strategy");
    let folders = env::var_os("VATO_TABLES").map(Into::into);
    let folders: Vec<_> = folders.into_iter().collect();
    // The start of the game, or positions after first moves.
    let roots = strategy.header.roots.iter().map(|root| {
        let start = parse_fen(&root.fen, strategy.rules.board).expect("a position");
        let side = Side::BOTH
            .into_iter()
            .find(|side| side.to_string() == root.holds);
        (
            Game::from_position(strategy.rules, start),
            side.expect("a side"),
        )
    });
    let games: Vec<_> = roots
        .flat_map(|root| (0..GAMES).map(move |number| (root.clone(), number)))
        .collect();
    let wins = games.par_iter().map(|((start, holder), number)| {
        let (mut game, holder, number) = (start.clone(), *holder, *number);
        let mut settings = Settings::default();
        settings.search.hash_mib = 1;
        settings.tables = Some(TableFiles::of(TableFolders::of(folders.clone())));
        let mut engines = [Engine::new(settings.clone()), Engine::new(settings)];
        while game.outcome().is_none() {
            let is_holder = game.position().side() == holder;
            let engine = &mut engines[usize::from(is_holder)];
            let limits = Limits {
                nodes: Some(NODES),
                ..Limits::default()
            };
            let mv = match is_holder {
                true => strategy
                    .reply(&game)
                    .unwrap_or_else(|| searched(engine, &game, &limits)),
                false => opponents_move(engine, &game, number),
            };
            // Until the tables decide.
            let is_held = strategy.holds(&game)[holder as usize];
            assert!(is_held || game.position().occupied().count() <= strategy.header.stones);
            game.play(mv).expect("legal");
        }
        let winner = game.outcome().and_then(|outcome| outcome.winner);
        assert_ne!(
            winner,
            Some(!holder),
            "{holder}, game {number}: {:?}",
            game.moves()
        );
        u64::from(winner == Some(holder))
    });
    // Searches go deeper than the usual stack of a thread on some boards.
    let pool = thread_pool(rayon::current_num_threads(), "game", Some(STACK_BYTES));
    let wins: u64 = pool.expect("threads").install(|| wins.sum());
    // Weak opponents do not even draw.
    assert!(wins > GAMES / 2, "{wins} wins");
}
