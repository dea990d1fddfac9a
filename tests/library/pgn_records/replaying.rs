//! Records played under their rules, and checked.

use rand::rngs::SmallRng;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use vato_engine::notation::format_path;
use vato_engine::rules::{Game, Preset, Rules, legal_paths};
use vato_records::pgn::GameRecord;

use super::{faults, only_game};

/// A game of random legal turns, played to its end or to `longest` plies, with its record.
fn random_game(rules: &Rules, seed: u64, longest: usize) -> (Game, GameRecord) {
    let mut random = SmallRng::seed_from_u64(seed);
    let mut game = Game::new(*rules);
    // Some games begin later than at the start.
    for _ in 0..random.random_range(0..4) {
        let paths = legal_paths(rules, game.position());
        game.play(paths.choose(&mut random).expect("a turn").1)
            .expect("legal");
    }
    let mut game = Game::from_position(*rules, *game.position());
    let mut record = GameRecord::new(rules, game.start());
    while game.outcome().is_none() && game.moves().len() < longest {
        let paths = legal_paths(rules, game.position());
        let (path, mv) = paths.choose(&mut random).expect("a turn");
        let comment = random
            .random_bool(0.5)
            .then(|| format!("{:+.2}/12 0.84s", random.random_range(-9.0..9.0)));
        record
            .push_move(&format_path(path, rules.board), comment.as_deref())
            .expect("a move");
        game.play(*mv).expect("legal");
    }
    record.set_result(game.outcome().into());
    (game, record)
}

fn only_fault(record: &GameRecord) -> String {
    let mut faults = faults(record);
    assert_eq!(faults.len(), 1, "{faults:?}");
    faults.remove(0)
}
#[test]
fn games_of_every_preset_are_right_and_read_back() {
    let mut ended = 0;
    for preset in Preset::ALL {
        let Some(rules) = preset.rules() else {
            continue;
        };
        for seed in 0..4 {
            let (game, record) = random_game(&rules, seed, 300);
            ended += usize::from(game.outcome().is_some());
            assert_eq!(record.tag_value("Variant"), Some(preset.name()));
            let read = only_game(&record.to_string());
            assert_eq!(read, record);
            assert_eq!(faults(&read), [""; 0]);
            let replayed = read.replay().expect("legal");
            assert_eq!(replayed.start(), game.start());
            assert_eq!(replayed.moves(), game.moves());
            assert_eq!(replayed.outcome(), game.outcome());
            let begun = read.replay_plies(3).expect("legal");
            assert_eq!(begun.moves(), &game.moves()[..game.moves().len().min(3)]);
        }
    }
    assert!(ended > 10, "most games end: {ended}");
}

#[test]
fn rules_come_from_the_tags() {
    let rules = |tags: &str| only_game(&format!("{tags}\n\n*")).rules();
    let dimy = Preset::Dimy.rules().expect("rules");
    assert_eq!(rules("[White \"W\"]"), Ok(Rules::STANDARD));
    assert_eq!(rules("[Variant \"dimy\"]"), Ok(dimy));
    assert_eq!(
        rules("[Variant \"custom\"]\n[Rules \"board=5x5\"]"),
        Ok(dimy)
    );
    assert_eq!(
        rules("[Variant \"Fanorona\"]\n[Rules \"\"]"),
        Ok(Rules::STANDARD)
    );
    assert_eq!(rules("[Variant \"?\"]\n[Rules \"?\"]"), Ok(Rules::STANDARD));
    let error = |tags: &str| rules(tags).expect_err(tags).to_string();
    assert!(error("[Variant \"custom\"]").starts_with("line 1: the variant custom needs"));
    assert!(error("[Variant \"chess\"]").contains("the tag Variant: 'chess'"));
    assert!(error("[White \"\"]\n[Rules \"board=9x6\"]").contains("line 2: the tag Rules: "));
}

#[test]
fn the_first_bad_move_is_named() {
    let fault = |text: &str| only_fault(&only_game(text));
    let text = fault("1. f2-e3A d5-d4A\n2. d3-e3 e4 *");
    assert_eq!(
        text,
        "line 2: move 2, White: move 'd3-e3' is illegal: no stone of White's on d3"
    );
    let text = fault("1. f2-e3A\nNf6 *");
    assert!(
        text.starts_with("line 2: move 1, Black: move 'Nf6', character 1"),
        "{text}"
    );
    let fen = "[FEN \"9/9/3w2b2/9/9 b 0 31\"]\n[SetUp \"1\"]\n\n";
    let text = fault(&format!("{fen}31... g3-g2 32. d3-e3 g2-f1A *"));
    assert!(
        text.contains("line 4: move 32, Black: move 'g2-f1A'"),
        "{text}"
    );
    let text = fault(&format!("{fen}g3-f3\nd3-d4A 1-0"));
    assert!(text.contains("line 5: move 32, White: "), "{text}");
    // The last stone falls, and the game goes on.
    let text = fault(&format!("{fen}g3-f3 d3-e3A\ne3-e4 1-0"));
    assert!(
        text.ends_with("'e3-e4' comes after the end of the game (White wins: Black has no stones)"),
        "{text}"
    );
    let text = fault("[FEN \"9/9/9/9 w\"]\n\n*");
    assert!(text.starts_with("line 1: the tag FEN: "), "{text}");
    let text = fault("[SetUp \"1\"]\n\n*");
    assert!(text.starts_with("line 1: the tag SetUp is"), "{text}");
    // One that was not read has no lines.
    let mut record = GameRecord::default();
    record.push_move("f3-d3", None).expect("a move");
    let fault = only_fault(&record);
    assert!(
        fault.starts_with("move 1, White: move 'f3-d3' is"),
        "{fault}"
    );
    // What comes after the moves that are asked for does not matter.
    let record = only_game("1. f2-e3A d5-d4A 2. x");
    assert_eq!(record.replay_plies(2).expect("legal").moves().len(), 2);
    let error = record.replay_plies(3).expect_err("not a move");
    assert!(
        error.problem.starts_with("move 2, White: move 'x'"),
        "{error}"
    );
}

#[test]
fn the_result_is_that_of_the_game() {
    let fen = "[FEN \"9/9/3w2b2/9/9 b 0 31\"]\n";
    let check = |tags: &str, moves: &str| faults(&only_game(&format!("{fen}{tags}\n{moves}")));
    let won = "31... g3-f3 32. d3-e3A";
    // Tags, moves, and what is wrong with them.
    for row in [
        " | WON 1-0 | ",
        "[Termination \"normal\"] | WON 1-0 | ",
        " | g3-f3 * | ",
        "[Termination \"unterminated\"] | g3-f3 * | ",
        "[Termination \"Time forfeit\"] | g3-f3 0-1 | ",
        "[Termination \"adjudication\"] | g3-f3 1/2-1/2 | ",
        " | WON 0-1 | line 3: the result is 0-1, but the game has ended 1-0 (White",
        " | WON * | the result is *, but the game has ended 1-0",
        "[Termination \"abandoned\"] | WON 0-1 | has ended 1-0",
        " | g3-f3 1-0 | no tag Termination says why",
        "[Termination \"Normal\"] | g3-f3 1/2-1/2 | no tag Termination",
        "[Termination \"unterminated\"] | g3-f3 0-1 | no tag Termination",
        "[Termination \"?\"] | g3-f3 0-1 | no tag Termination",
        "[Termination \"normal\"] | g3-f3 * | says that the game has ended",
        "[Result \"0-1\"] | WON 1-0 | the tag Result says 0-1, but the moves end with 1-0",
        "[Result \"2:0\"] | WON 1-0 | line 2: the tag Result: invalid result '2:0'",
        "[White \"a\"][White \"b\"] | WON 1-0 | line 3: the tag White is given twice",
        "[PlyCount \"3\"] | WON 1-0 | line 2: the tag PlyCount says 3, but there are 2 moves",
        "[SetUp \"0\"] | WON 1-0 | the tag SetUp",
        "[Variant \"vela\"][Rules \"\"] | WON 1-0 | the tag Variant says vela",
    ] {
        let cells: Vec<&str> = row.split(" | ").collect();
        let [tags, moves, why] = cells[..] else {
            panic!("{row}");
        };
        let mut tags = tags.replace("][", "]\n[");
        if !tags.is_empty() {
            tags.push('\n');
        }
        let faults = check(&tags, &moves.replace("WON", won));
        assert_eq!(faults.is_empty(), why.is_empty(), "{row}: {faults:?}");
        assert!(faults.len() <= 1, "{row}: {faults:?}");
        assert!(
            faults.iter().all(|fault| fault.contains(why)),
            "{row}: {faults:?}"
        );
    }
    // Several faults are all named.
    assert_eq!(
        check("[Result \"0-1\"]\n[SetUp \"0\"]\n", "g3-f3 x 1-0").len(),
        3
    );
}
