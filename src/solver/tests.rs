use std::collections::HashMap;
use std::path::Path;

use super::*;
use vato_engine::board::Move;
use vato_engine::proofs::CertificateFile;
use vato_engine::rules::{legal_moves, parse_rules};
use vato_engine::tablebase::Wdl;

fn tables(rules: &Rules, stones: u32) -> Arc<Tablebases> {
    Arc::new(Tablebases::solve(rules, stones, 1 << 20, &|| true).expect("tables"))
}

fn can_win(solver: &Solver, position: &Position, attacker: Side) -> Answer {
    let game = Game::from_position(solver.rules, *position);
    answer(solver, &game, attacker)
}

fn answer(solver: &Solver, game: &Game, attacker: Side) -> Answer {
    let stop = AtomicBool::new(false);
    let answer = solver.can_win(game, attacker, u64::MAX, &stop, &mut |_| ());
    answer.expect("threads")
}

fn faults(path: &Path, tables: &Arc<Tablebases>) -> Faults {
    let file = CertificateFile::open(path).expect("a certificate");
    verify_certificate(&file, tables).expect("the right tables")
}

/// Both sides play it by their proofs.
#[test]
fn a_drawn_line_stays_drawn() {
    let rules = parse_rules("board=5x5").expect("rules");
    let solver = Solver::new(&rules, tables(&rules, 4), 16, 1).expect("a solver");
    let stop = AtomicBool::new(false);
    let solved = |game: &Game| solver.value(game, None, u64::MAX, &stop, &mut |_| ());
    let mut game = Game::new(rules);
    let line = solved(&game).expect("memory").line;
    assert!(line.len() > 2, "{line:?}");
    for mv in line {
        game.play(mv).expect("legal");
        let value = solved(&game).expect("memory").value(Side::White);
        assert_eq!(value, Some(Wdl::Draw), "{mv:?}");
    }
}

/// What is known of a position and of its moves adds to each other, and is never wrong.
#[test]
fn a_position_and_its_moves_tell_of_each_other() {
    let rules = parse_rules("board=5x3").expect("rules");
    let solver = Solver::new(&rules, tables(&rules, 4), 16, 1).expect("a solver");
    let stop = AtomicBool::new(false);
    let solved = |game: &Game| {
        let solved = solver.value(game, None, u64::MAX, &stop, &mut |_| ());
        solved.expect("memory")
    };
    let start = Game::new(rules);
    for first in &*legal_moves(&rules, start.position()) {
        let mut game = start.clone();
        game.play(*first).expect("legal");
        let mover = game.position().side();
        let after = |mv: &Move| {
            let mut game = game.clone();
            game.play(*mv).expect("legal");
            (*mv, solved(&game))
        };
        let position = solved(&game);
        let moves: Vec<_> = (legal_moves(&rules, game.position()).iter().map(after)).collect();
        for seed in 0..100 {
            let mut bits = vato_engine::random::split_mix(seed);
            let mut forget = |mut solved: Solution| {
                for claim in &mut solved.claims {
                    *claim = claim.filter(|_| bits & 1 == 0);
                    bits >>= 1;
                }
                solved
            };
            let mut found = match seed {
                0 => Solution::default(),
                _ => forget(position.clone()),
            };
            let mut found_moves = moves.clone();
            if seed > 0 {
                let lessened = moves.iter().map(|(mv, after)| (*mv, forget(after.clone())));
                found_moves = lessened.collect();
            }
            found.join(mover, &mut found_moves);
            if seed == 0 {
                assert_eq!(found.claims, position.claims, "{first:?}");
                assert!(!found.line.is_empty(), "{first:?}");
            }
            let pairs = found_moves.iter().zip(&moves);
            let pairs = pairs.map(|((_, one), (_, other))| (one, other));
            for (one, other) in pairs.chain([(&found, &position)]) {
                for (one, other) in one.claims.iter().zip(&other.claims) {
                    assert!(one.is_none() || one == other, "{first:?}, seed {seed}");
                }
            }
        }
    }
}

/// Random positions of three to five stones with White to move.
fn positions(rules: &Rules, count: usize) -> Vec<Position> {
    let points: Vec<_> = rules.board.points().into_iter().collect();
    let mut number = 1_u64;
    let mut found = Vec::new();
    while found.len() < count {
        number = vato_engine::random::split_mix(number);
        let mut stones = [vato_engine::board::Bitboard::EMPTY; 2];
        for shift in 0..5 {
            let point = points[(number >> (8 * shift)) as usize % 256 % points.len()];
            stones[(number >> (50 + shift)) as usize & 1] |= point.into();
        }
        let position = Position::new(stones, Side::White, 0, 2);
        let is_over = position.own().is_empty() || position.enemy().is_empty();
        if !is_over && !stones[0].intersects(stones[1]) && position.occupied().count() >= 3 {
            found.push(position);
        }
    }
    found
}

/// What larger tables say of a position with White to move.
fn expected(tables: &Tablebases, position: &Position, attacker: Side) -> Claim {
    let wins = [Wdl::Win, Wdl::Loss][attacker.index()];
    let is_won = tables.value(position).expect("covered").wdl == wins;
    [Claim::CannotWin, Claim::Wins][usize::from(is_won)]
}

/// With small tables at the leaves, positions of more stones have the values of larger tables.
#[test]
fn values_are_those_of_larger_tables() {
    for rules in [
        "board=3x3",
        "board=3x3 blocked=draw",
        "board=5x3 chain=full",
        "board=3x5 capture=free",
        "board=3x3 chain=single direction=any",
        "board=5x3",
        // Without groups, disproofs by repetition would make the table wrong here: sets would not be closed.
        "board=5x3 capture=free",
    ] {
        let is_likely = rules == "board=5x3 capture=free";
        let count = if is_likely { 300 } else { 60 };
        let rules = parse_rules(rules).expect("rules");
        let (few, many) = (tables(&rules, 2), tables(&rules, 5));
        let solver = Solver::new(&rules, few, 16, 1).expect("a solver");
        for position in positions(&rules, count) {
            for side in Side::BOTH {
                let claim = can_win(&solver, &position, side).claim();
                let expected = expected(&many, &position, side);
                assert_eq!(claim, Some(expected), "{rules} {position:?} {side}");
            }
        }
    }
}

#[test]
fn a_limit_of_nodes_holds() {
    let rules = parse_rules("board=5x5").expect("rules");
    let tables = tables(&rules, 2);
    let searched = || {
        let solver = Solver::new(&rules, Arc::clone(&tables), 16, 1).expect("a solver");
        let (game, stop) = (Game::new(rules), AtomicBool::new(false));
        let answer = solver.can_win(&game, Side::White, 1_000, &stop, &mut |_| ());
        assert!(answer.expect("a thread").claim().is_none());
        solver.nodes()
    };
    assert!((1_000..1_512).contains(&searched()), "{}", searched());
    assert_eq!(searched(), searched());
}

/// Of a certificate that says that it is longer than any file, and of one that is changed after it was read, which stays
/// as it was.
#[test]
fn files_of_any_length_and_files_that_change() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("proof");
    let rules = parse_rules("board=3x3").expect("rules");
    let own = tables(&rules, 4);
    let solver = Solver::new(&rules, Arc::clone(&own), 1, 1).expect("a solver");
    let Answer::Settled(mut proof) = can_win(&solver, &rules.start(), Side::White) else {
        panic!("it is won");
    };
    proof.write(&path).expect("room");
    let file = CertificateFile::open(&path).expect("a certificate");
    for positions in [1 << 63, u64::MAX] {
        proof.header.positions = positions;
        proof.write(&path).expect("room");
        assert!(CertificateFile::open(&path).is_err());
    }
    std::fs::write(&path, "").expect("room");
    let faults = verify_certificate(&file, &own).expect("its tables");
    assert_eq!(faults.count, 0);
    let error = verify_certificate(&file, &tables(&rules, 3)).expect_err("fewer stones");
    assert_eq!(error, "tables of 3 stones, expected 4");
    let dimy = parse_rules("dimy").expect("rules");
    assert!(verify_certificate(&file, &tables(&dimy, 2)).is_err());
}

/// Whether the attacker can force a win of a game, by the rules of a game alone.
fn wins(game: &Game, attacker: Side, known: &mut HashMap<Vec<u64>, bool>) -> bool {
    if let Some(outcome) = game.outcome() {
        return outcome.winner == Some(attacker);
    }
    let mut key = game.keys_since_capture().to_vec();
    key.sort_unstable();
    key.push(game.rules().key(game.position()));
    key.push(game.position().halfmove_clock().into());
    if let Some(&wins) = known.get(&key) {
        return wins;
    }
    let moves = legal_moves(game.rules(), game.position());
    let mut after = moves.iter().map(|&mv| {
        let mut next = game.clone();
        next.play(mv).expect("legal");
        wins(&next, attacker, known)
    });
    let wins = match game.position().side() == attacker {
        true => after.any(|wins| wins),
        false => after.all(|wins| wins),
    };
    known.insert(key, wins);
    wins
}

/// Games that went on for a while, some of them to their end, near the limit, with positions that come again.
#[test]
fn the_game_before_counts() {
    let (mut spoilt, mut late, mut over, mut won) = (0, 0, 0, 0);
    for text in [
        "board=3x3 repeat=2 limit=6",
        "board=3x3 repeat=3 limit=6",
        "board=3x3 repeat=2 limit=6 blocked=draw",
        "board=3x3 repeat=2 limit=6 capture=free",
        "board=3x3 repeat=2 limit=6 opening=both chain=full",
    ] {
        let rules = parse_rules(text).expect("rules");
        let mut number = 1_u64;
        let mut random = |below: usize| {
            number = vato_engine::random::split_mix(number);
            (number >> 20) as usize % below
        };
        // Small tables, so that most is searched, and large ones, so that the position itself is known; and the
        // same table of proof numbers for all games.
        let new = |stones| {
            let tables = tables(&rules, stones);
            let solver = Solver::new(&rules, Arc::clone(&tables), 1, 1).expect("a solver");
            (tables, solver)
        };
        let all = [2, 3].map(new);
        for start in positions(&rules, 40) {
            let clock = random(2) as u16 * (rules.limit / 2);
            let number = 1 + random(2) as u32;
            let stones = Side::BOTH.map(|side| start.stones(side));
            let start = Position::new(stones, Side::BOTH[random(2)], clock, number);
            let mut game = Game::from_position(rules, start);
            for _ in 0..random(10) {
                let moves = legal_moves(&rules, game.position());
                let quiet = moves.iter().copied().filter(|mv| !mv.is_capture());
                let quiet: Vec<Move> = quiet.collect();
                if quiet.is_empty() || game.outcome().is_some() {
                    break;
                }
                game.play(quiet[random(quiet.len())]).expect("legal");
            }
            let questions = all.iter();
            let questions = questions.flat_map(|each| Side::BOTH.map(|side| (each, side)));
            for ((tables, solver), attacker) in questions {
                let answer = answer(solver, &game, attacker);
                let is_won = wins(&game, attacker, &mut HashMap::new());
                let expected = [Claim::CannotWin, Claim::Wins][usize::from(is_won)];
                let shown = format!("{text} {attacker} {:?} {:?}", game.start(), game.moves());
                assert_eq!(answer.claim(), Some(expected), "{shown}");
                won += u32::from(is_won);
                over += u32::from(game.outcome().is_some());
                let fresh = *game.position();
                let stones = Side::BOTH.map(|side| fresh.stones(side));
                let after = 1 + u32::from(!rules.is_special_first_turn(&fresh));
                let fresh = Position::new(stones, fresh.side(), fresh.halfmove_clock(), after);
                let alone = can_win(solver, &fresh, attacker).claim();
                spoilt += u32::from(alone == Some(Claim::Wins) && !is_won);
                let is_known = matches!(answer, Answer::Known(_)) && game.outcome().is_none();
                late += u32::from(is_known && !is_won);
                if let Answer::Settled(certificate) = &answer {
                    let folder = tempfile::tempdir().expect("a folder");
                    let path = folder.path().join("proof");
                    certificate.write(&path).expect("room");
                    assert_eq!(faults(&path, tables), Faults::default(), "{shown}");
                }
            }
        }
    }
    println!("{won} won, {over} over, {spoilt} spoilt, {late} late");
    assert!(won >= 50 && over >= 20 && spoilt >= 2 && late >= 10);
}

/// Nodes whose entries were replaced are searched again; the new proof may use positions further up.
#[test]
fn a_win_is_proved_whatever_the_table_has_lost() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("proof");
    let [small, free] = [("board=5x3", 2), ("board=3x5 capture=free", 3)];
    for (text, stones) in [("board=7x3", 4), free, small] {
        let rules = parse_rules(text).expect("rules");
        let tables = tables(&rules, stones);
        let solver = Solver::new(&rules, Arc::clone(&tables), 16, 1).expect("a solver");
        for seed in 0..20 {
            let Answer::Settled(certificate) = can_win(&solver, &rules.start(), Side::White) else {
                panic!("{text}, {seed}");
            };
            assert_eq!(certificate.header.claim, Claim::Wins, "{text}, {seed}");
            certificate.write(&path).expect("room");
            assert_eq!(faults(&path, &tables), Faults::default(), "{text}, {seed}");
            solver.shared.table.lose(seed);
        }
    }
}

#[test]
fn a_winning_move_goes_before_one_that_holds() {
    let rules = parse_rules("board=5x3").expect("rules");
    let tables = tables(&rules, 4);
    let folder = tempfile::tempdir().expect("a folder");
    let proofs = Side::BOTH.map(|attacker| {
        let solver = Solver::new(&rules, Arc::clone(&tables), 4, 1).expect("a solver");
        let Answer::Settled(proof) = can_win(&solver, &rules.start(), attacker) else {
            panic!("{attacker}");
        };
        let path = folder.path().join(attacker.to_string());
        proof.write(&path).expect("room");
        CertificateFile::open(&path).expect("a certificate")
    });
    let claims = [0, 1].map(|place| proofs[place].header.claim);
    assert!(claims.contains(&Claim::Wins) && claims.contains(&Claim::CannotWin));
    let mut games = vec![Game::new(rules)];
    let mut differing = 0;
    for _ in 0..7 {
        let mut next = Vec::new();
        for game in games {
            let [winning, holding] = [Claim::Wins, Claim::CannotWin].map(|claim| {
                let proof = proofs.iter().find(|proof| proof.header.claim == claim);
                proof.expect("both").proven_moves(&tables, &game)
            });
            let chosen = CertificateFile::allowed_moves(&proofs, Some(&tables), &game);
            let chosen = chosen.expect("their tables");
            let is_won = !winning.is_empty();
            assert_eq!(chosen, if is_won { &winning[..] } else { &holding[..] });
            differing += usize::from(is_won && holding.iter().any(|mv| !winning.contains(mv)));
            for &mv in legal_moves(&rules, game.position()).iter() {
                let mut after = game.clone();
                if after.play(mv).is_ok() && after.outcome().is_none() {
                    next.push(after);
                }
            }
        }
        games = next;
    }
    assert!(differing > 0, "no move holds beside one that wins");
}
