//! A score that claims a win or a loss, by the tablebases or to the end of the game, is a proof: random positions with
//! few stones, searched to growing depths.
//!
//! `VATO_CLAIMS=N cargo test --release --test library search_claims` takes N positions under each rule set, and as many
//! games.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use rand::rngs::SmallRng;
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use vato_engine::board::{Bitboard, Point, Position, Side};
use vato_engine::notation::{format_fen, parse_fen};
use vato_engine::proofs::Claim;
use vato_engine::rules::{Game, Rules, legal_moves, parse_rules};
use vato_engine::search::{Bound, Control, Limits, Report, Score, SearchSettings, Searcher};
use vato_engine::tablebase::Tablebases;
use vato_solver::Solver;

/// Rules; the fewest and the most stones, more than the tables have, of a position.
const RULES: [(&str, [usize; 2]); 7] = [
    ("board=9x5", [7, 9]),
    ("board=9x5 limit=12", [7, 9]),
    ("board=5x5", [5, 9]),
    ("chain=full blocked=draw", [5, 8]),
    ("capture=free", [5, 8]),
    ("board=7x5 direction=any blocked=draw", [5, 8]),
    ("chain=single limit=9", [5, 8]),
];
/// Positions of the standard rules in which a claim was once false, or taken back.
const ONCE_WRONG: [&str; 3] = [
    "5w2w/4b4/4w3w/b7b/4b3b w 0 20",
    "8w/w1w6/8b/1b4bb1/b4w3 w 0 20",
    "bb6b/3b1b2b/9/1b7/6ww1 w 0 30",
];
const POSITIONS: usize = 400;
const DEPTH: u32 = 11;
/// One of so many claims is put to the solver, for so many nodes.
const CONFIRMED: usize = 8;
const SOLVER_NODES: u64 = 20_000;

fn random_position(rules: &Rules, [fewest, most]: [usize; 2], random: &mut SmallRng) -> Position {
    let mut points: Vec<Point> = rules.board.points().into_iter().collect();
    points.shuffle(random);
    let stones = random.random_range(fewest..=most);
    let white = random.random_range(1..stones);
    let set = |points: &[Point]| points.iter().copied().collect::<Bitboard>();
    let stones = [set(&points[..white]), set(&points[white..stones])];
    let side = [Side::White, Side::Black][random.random_range(0..2)];
    let quiet = match random.random_range(0..3) {
        0 => random.random_range(0..rules.limit.max(1)),
        _ => 0,
    };
    Position::new(stones, side, quiet, 40)
}

/// Whether the side to move claims to win; `None` without a claim.
fn claim(score: Score, bound: Bound) -> Option<bool> {
    let wins = score > Score::DRAW;
    let other_side = if wins { Bound::Upper } else { Bound::Lower };
    (score.counts_plies() && bound != other_side).then_some(wins)
}

#[test]
fn claims_are_never_taken_back_and_the_solver_confirms_them() {
    let positions =
        std::env::var("VATO_CLAIMS").map_or(POSITIONS, |text| text.parse().expect("a number"));
    let mut random = SmallRng::seed_from_u64(61);
    let mut faults = Vec::new();
    for (text, stones) in RULES {
        let rules = parse_rules(text).expect(text);
        let tables = Arc::new(Tablebases::built_in(&rules, 1 << 26, 2).expect(text));
        // Fewer stones where the tables have wins that take longer than the no-capture limit.
        let fewer = |stones| Tablebases::solve(&rules, stones, 1 << 26, &|| true).expect(text);
        let solver = Solver::new(&rules, Arc::clone(&tables), 16, 1).or_else(|_| {
            let mut smaller = (2..=3)
                .rev()
                .map(|stones| Solver::new(&rules, Arc::new(fewer(stones)), 16, 1));
            smaller.find(Result::is_ok).expect("two sizes")
        });
        // What one position leaves in the table must be true in the next.
        let mut searchers = [1, 2].map(|threads| {
            let settings = SearchSettings {
                threads,
                tablebases: Some(Arc::clone(&tables)),
                ..SearchSettings::default()
            };
            (settings, Searcher::new())
        });
        let (mut claims, mut confirmed) = (0, 0);
        for number in 0..positions {
            let position = match ONCE_WRONG.get(number).filter(|_| rules == Rules::STANDARD) {
                Some(fen) => parse_fen(fen, rules.board).expect(fen),
                None => random_position(&rules, stones, &mut random),
            };
            let game = Game::from_position(rules, position);
            if game.outcome().is_some() {
                continue;
            }
            let (settings, searcher) = &mut searchers[usize::from(number % 4 == 3)];
            let limits = Limits {
                depth: Some(DEPTH),
                ..Limits::default()
            };
            let mut claimed = None;
            let mut fault = |what: String| {
                faults.push(format!(
                    "{text}: {}: {what}",
                    format_fen(&position, rules.board)
                ))
            };
            let mut tell = |report: &Report| {
                let Report::Line(line) = report else { return };
                let now = claim(line.score, line.bound);
                if claimed.is_some() && now != claimed && line.bound == Bound::Exact {
                    fault(format!(
                        "{claimed:?} became {:?} at depth {}",
                        line.score, line.depth
                    ));
                }
                claimed = now.or(claimed);
            };
            searcher
                .search(settings, &game, &limits, &Control::new(), &mut tell)
                .expect("16 MiB");
            let Some(wins) = claimed else { continue };
            claims += 1;
            if let Some(solver) = solver.as_ref().ok().filter(|_| claims % CONFIRMED == 0) {
                let winner = if wins {
                    position.side()
                } else {
                    !position.side()
                };
                let stop = AtomicBool::new(false);
                let answer = solver
                    .can_win(&game, winner, SOLVER_NODES, &stop, &mut |_| {})
                    .expect("an answer");
                confirmed += usize::from(answer.claim() == Some(Claim::Wins));
                if answer.claim() == Some(Claim::CannotWin) {
                    fault(format!("{winner:?} cannot win"));
                }
            }
        }
        println!("{text}: {positions} positions, {claims} claims, {confirmed} confirmed");
        assert!(claims > positions / 20, "{text}: {claims} claims");
    }
    assert!(
        faults.is_empty(),
        "{} faults:\n{}",
        faults.len(),
        faults.join("\n")
    );
}

/// A claim's line does not end in a draw, whatever the game before has made of positions that were won once.
#[test]
fn claims_count_the_positions_of_the_game() {
    let games = std::env::var("VATO_CLAIMS").map_or(60, |text| text.parse().expect("a number"));
    let mut random = SmallRng::seed_from_u64(62);
    let (mut claims, mut faults) = (0, Vec::new());
    for text in [
        "board=9x5",
        "board=9x5 repeat=2",
        "board=5x5",
        "board=5x5 repeat=2 blocked=pass",
    ] {
        let rules = parse_rules(text).expect(text);
        let tables = Tablebases::built_in(&rules, 1 << 26, 2).ok().map(Arc::new);
        let settings = SearchSettings {
            tablebases: tables,
            ..SearchSettings::default()
        };
        let mut searcher = Searcher::new();
        for number in 0..games {
            let position = random_position(&rules, [6, 10], &mut random);
            let mut game = Game::from_position(rules, position);
            let limits = Limits {
                depth: Some(4 + 2 * (number as u32 % 4)),
                ..Limits::default()
            };
            for _ in 0..24 {
                if game.outcome().is_some() {
                    break;
                }
                let result =
                    searcher.search(&settings, &game, &limits, &Control::new(), &mut |_| {});
                let line = &result.expect("16 MiB").lines[0];
                if claim(line.score, line.bound).is_some() {
                    claims += 1;
                    let mut end = game.clone();
                    let legal = line.pv.iter().all(|&mv| end.play(mv).is_ok());
                    if !legal
                        || end
                            .outcome()
                            .is_some_and(|outcome| outcome.winner.is_none())
                    {
                        let (start, moves) = (format_fen(&position, rules.board), game.moves());
                        faults.push(format!(
                            "{text}: {start} {moves:?}: {:?} {:?}",
                            line.score, line.pv
                        ));
                    }
                }
                // Back as often as not, if it goes.
                let moves = legal_moves(&rules, game.position());
                let played = game.moves();
                let last = played.len().checked_sub(2).map(|place| played[place]);
                let back = last.and_then(|last| {
                    moves.iter().find(|mv| {
                        (mv.from(), mv.to()) == (last.to(), last.from()) && !mv.is_capture()
                    })
                });
                let quiet: Vec<_> = moves.iter().filter(|mv| !mv.is_capture()).collect();
                let mv = match back {
                    Some(&back) if random.random_bool(0.8) => back,
                    _ if !quiet.is_empty() => *quiet[random.random_range(0..quiet.len())],
                    _ => moves[random.random_range(0..moves.len())],
                };
                game.play(mv).expect("legal");
            }
        }
    }
    assert!(
        faults.is_empty() && claims > 500,
        "{claims} claims\n{}",
        faults.join("\n")
    );
}
