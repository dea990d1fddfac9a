//! Limited strength: what a weak player is, as a library and in a session.

use std::sync::Arc;

use crate::support::{Engine, Search};
use vato_engine::board::{Move, Side};
use vato_engine::notation::parse_fen;
use vato_engine::rules::{Game, Preset, Rules, legal_moves};
use vato_engine::search::{Control, Limits, SearchResult, SearchSettings, Searcher, Strength};
use vato_engine::tablebase::Tablebases;

/// Positions with many stones and with few, with captures and without.
const POSITIONS: [&str; 5] = [
    "bbbbbbbbb/bbbbbbbbb/bwbw1bwbw/wwwwwwwww/wwwwwwwww w 0 1",
    "1b1b1bbb1/b2bb3b/1bwbwb1bw/ww2w2ww/wwww3ww w 0 5",
    "3b1b1bb/6bbb/2w5w/w2wb2bw/1w1w5 w 0 6",
    "6b2/1w2b4/1ww2b2b/3w5/2w1w4 b 3 18",
    "9/3b4b/6b2/2w1w4/3w5 w 6 53",
];

/// White to move, with more than enough to win and tables that know it.
const FEW_STONES: &str = "9/9/w8/1b7/3w5 w 0 30";

fn game(fen: &str) -> Game {
    let rules = Rules::STANDARD;
    Game::from_position(rules, parse_fen(fen, rules.board).expect("a position"))
}

fn limits(strength: Strength) -> Limits {
    Limits {
        strength,
        // Where the tree is small, depths cost next to nothing.
        depth: Some(30),
        ..Limits::default()
    }
}

fn search(searcher: &mut Searcher, game: &Game, limits: &Limits) -> SearchResult {
    search_with(&SearchSettings::default(), searcher, game, limits)
}

fn search_with(
    settings: &SearchSettings,
    searcher: &mut Searcher,
    game: &Game,
    limits: &Limits,
) -> SearchResult {
    let result = searcher.search(settings, game, limits, &Control::new(), &mut |_| {});
    result.expect("memory")
}

/// What two searches must agree in to be the same: all but the time.
fn essence(result: &SearchResult) -> (Option<Move>, u64, Vec<Vec<Move>>) {
    let lines = result.lines.iter().map(|line| line.pv.clone()).collect();
    (result.best, result.nodes, lines)
}

/// Two players' game from `fen`, each with a searcher of its own.
fn play(fen: &str, white: Strength, black: Strength) -> Game {
    let mut game = game(fen);
    let mut searchers = [Searcher::new(), Searcher::new()];
    while game.outcome().is_none() {
        let side = game.position().side();
        let strength = match side {
            Side::White => white,
            Side::Black => black,
        };
        let result = search(&mut searchers[side.index()], &game, &limits(strength));
        game.play(result.best.expect("the game goes on"))
            .expect("legal");
    }
    game
}

#[test]
fn every_level_answers_with_a_legal_line_under_every_rule_set() {
    let presets = Preset::ALL.into_iter().filter_map(Preset::rules);
    let mut games: Vec<Game> = presets.map(Game::new).collect();
    games.extend(POSITIONS.map(game));
    for game in &games {
        for level in [0, 4, 9, 14] {
            let strength = Strength::from_level(level).with_seed(3);
            let result = search(&mut Searcher::new(), game, &limits(strength));
            assert_eq!(result.lines[0].pv.first().copied(), result.best);
            let mut follows = game.clone();
            for &mv in &result.lines[0].pv {
                follows.play(mv).expect("the line is legal");
            }
        }
    }
}

#[test]
fn nodes_are_those_of_the_strength_or_fewer() {
    let strength = Strength::from_elo(2000);
    let nodes = strength.nodes().expect("limited");
    for fen in &POSITIONS[..4] {
        let unlimited_depth = Limits {
            depth: None,
            ..limits(strength)
        };
        let result = search(&mut Searcher::new(), &game(fen), &unlimited_depth);
        assert_eq!(result.nodes, nodes, "{fen}");
        let fewer = Limits {
            nodes: Some(7),
            ..unlimited_depth
        };
        let result = search(&mut Searcher::new(), &game(fen), &fewer);
        assert_eq!(result.nodes, 7, "{fen}");
    }
}

/// The first iteration is completed, whatever the limit of nodes is.
#[test]
fn the_weakest_looks_at_all_moves_that_it_sees() {
    for fen in POSITIONS {
        let result = search(
            &mut Searcher::new(),
            &game(fen),
            &limits(Strength::from_level(0)),
        );
        let line = &result.lines[0];
        assert!(line.complete && line.depth >= 1, "{fen}: {line:?}");
    }
}

/// Who overlooks moves plays one of those that are left, the same one for the same seed.
#[test]
fn the_weakest_overlooks_moves() {
    let moves = |strength: Strength| {
        let played = (1..=40).map(|seed| {
            let limits = limits(strength.with_seed(seed));
            search(&mut Searcher::new(), &game(POSITIONS[4]), &limits).best
        });
        let mut played: Vec<_> = played.collect();
        played.sort();
        played.dedup();
        played.len()
    };
    let (weak, strong) = (Strength::from_elo(500), Strength::from_elo(2200));
    assert!(
        moves(weak) > 4 && moves(strong) <= 2,
        "{} {}",
        moves(weak),
        moves(strong)
    );
}

/// How many games out of 40 a player wins who always takes the most: White and Black in turn.
fn won_by_who_takes_the_most(strength: Strength) -> usize {
    let mut won = 0;
    for seed in 1..=40 {
        let own = [Side::White, Side::Black][usize::from(seed % 2 == 0)];
        let (mut game, mut searcher) = (Game::new(Rules::STANDARD), Searcher::new());
        while game.outcome().is_none() {
            let position = *game.position();
            let mv = if position.side() == own {
                let moves = legal_moves(game.rules(), &position);
                let most = moves.iter().map(|mv| mv.captured().count()).max();
                let best: Vec<_> = moves
                    .iter()
                    .filter(|mv| Some(mv.captured().count()) == most)
                    .collect();
                // Any of them, another one in each game.
                *best[(position.key() ^ seed) as usize % best.len()]
            } else {
                let limits = limits(strength.with_seed(seed));
                search(&mut searcher, &game, &limits).best.expect("a move")
            };
            game.play(mv).expect("legal");
        }
        won += usize::from(game.outcome().and_then(|outcome| outcome.winner) == Some(own));
    }
    won
}

/// A first game can be won by who knows the rules; against a better player that does not suffice.
#[test]
fn a_beginner_can_win_a_first_game() {
    let first = won_by_who_takes_the_most(Strength::from_level(Strength::FIRST_LEVEL));
    let better = won_by_who_takes_the_most(Strength::from_elo(1200));
    assert!(first >= 8 && better <= 2, "{first}, {better}");
}

#[test]
fn one_seed_one_game() {
    let level = |seed| Strength::from_level(5).with_seed(seed);
    let moves = |seed| {
        let game = play(POSITIONS[1], level(seed), level(seed + 100));
        game.moves().to_vec()
    };
    let games: Vec<Vec<Move>> = (1..=4).map(moves).collect();
    assert_eq!(games[0], moves(1), "the same seed, the same game");
    for (index, game) in games.iter().enumerate() {
        assert!(
            !games[..index].contains(game),
            "seed {} adds nothing",
            index + 1
        );
    }
}

#[test]
fn threads_lines_and_tables_make_no_player_stronger() {
    let strength = Strength::from_level(8).with_seed(5);
    let tables = Tablebases::built_in(&Rules::STANDARD, 1 << 20, 1).expect("built in");
    let with_help = SearchSettings {
        threads: 3,
        tablebases: Some(Arc::new(tables)),
        ..SearchSettings::default()
    };
    for fen in POSITIONS.into_iter().chain([FEW_STONES]) {
        let game = game(fen);
        let alone = search(&mut Searcher::new(), &game, &limits(strength));
        let several_lines = Limits {
            multipv: 4,
            ..limits(strength)
        };
        let helped = search_with(&with_help, &mut Searcher::new(), &game, &several_lines);
        assert_eq!(essence(&helped), essence(&alone), "{fen}");
        assert_eq!(helped.lines[0].tablebase_hits, 0, "{fen}");
    }
    let (mut searcher, few) = (Searcher::new(), game(FEW_STONES));
    let full = search_with(&with_help, &mut searcher, &few, &Limits::default());
    assert_eq!((full.nodes, full.lines[0].score.is_tablebase()), (0, true));
}

#[test]
fn full_strength_is_as_if_nothing_could_be_limited() {
    for fen in POSITIONS {
        let game = game(fen);
        let depth = Limits {
            depth: Some(8),
            ..Limits::default()
        };
        let before = search(&mut Searcher::new(), &game, &depth);
        let level = Limits {
            strength: Strength::from_level(Strength::FULL_LEVEL).with_seed(9),
            ..depth.clone()
        };
        assert_eq!(level, depth);
        // Nothing is left of a game between the weak.
        let mut searcher = Searcher::new();
        search(&mut searcher, &game, &limits(Strength::from_level(2)));
        searcher.clear();
        let after = search(&mut searcher, &game, &level);
        assert_eq!(essence(&after), essence(&before), "{fen}");
    }
}

#[test]
fn ten_levels_are_a_clear_difference() {
    let (weak, strong) = (Strength::from_level(0), Strength::from_level(10));
    let mut half_points = 0;
    for (fen, seed) in POSITIONS[..2].iter().cycle().zip(1..=5) {
        for side in Side::BOTH {
            let (weak, strong) = (weak.with_seed(seed), strong.with_seed(seed));
            let game = match side {
                Side::White => play(fen, strong, weak),
                Side::Black => play(fen, weak, strong),
            };
            let winner = game.outcome().and_then(|outcome| outcome.winner);
            half_points += match winner {
                Some(winner) if winner == side => 2,
                None => 1,
                Some(_) => 0,
            };
        }
    }
    assert!(half_points >= 16, "{half_points} of 20 half points");
}

/// An engine of this level, or Elo, with a fixed seed.
fn engine(settings: &str) -> Engine {
    let mut engine = Engine::uci();
    for setting in ["Skill Seed=7"].into_iter().chain(settings.split(", ")) {
        let (name, value) = setting.split_once('=').expect("a value");
        engine.send(&format!("setoption name {name} value {value}"));
    }
    assert_eq!(engine.sync(), [""; 0]);
    engine
}

fn nodes(search: &Search) -> u64 {
    let last = search.last().and_then(|info| info.nodes);
    last.expect("a scored line with nodes")
}

#[test]
fn a_session_plays_as_weakly_as_it_is_told() {
    let strongest = format!("UCI_LimitStrength=true, UCI_Elo={}", Strength::MAX_ELO);
    let weakest = format!("UCI_Elo={}, Skill Level=20", Strength::MIN_ELO);
    let most = |strength: Strength| strength.nodes().expect("limited");
    let [level, elo] = [Strength::from_level(12), Strength::from_elo(1900)].map(most);
    for (settings, nodes_at_most) in [
        ("Skill Level=12", level),
        ("UCI_LimitStrength=true, UCI_Elo=1900", elo),
        // The Elo goes before the level.
        ("UCI_LimitStrength=true, UCI_Elo=1900, Skill Level=20", elo),
        // Without the check the Elo means nothing.
        (&weakest, u64::MAX),
        (&strongest, most(Strength::from_elo(u32::MAX))),
    ] {
        let mut engine = engine(settings);
        engine.send(&format!("position fen {}", POSITIONS[2]));
        for go in ["go nodes 300000", "go wtime 60000 btime 60000"] {
            let search = engine.search(go);
            search.check().expect("a good answer");
            let nodes = nodes(&search);
            assert!(nodes <= nodes_at_most, "{settings}: {nodes} nodes");
            if nodes_at_most == u64::MAX && go.contains("nodes") {
                assert_eq!(nodes, 300_000);
            }
        }
        engine.finish();
    }
}

#[test]
fn analysis_is_never_held_back() {
    let mut engine = engine("Skill Level=0");
    engine.send(&format!("position fen {}", POSITIONS[2]));
    let depth = |search: &Search| search.last().and_then(|info| info.depth);
    assert_eq!(depth(&engine.search("go depth 9")), Some(1));
    engine.send("setoption name UCI_AnalyseMode value true");
    assert_eq!(depth(&engine.search("go depth 9")), Some(9));
    engine.send("setoption name UCI_AnalyseMode value false");
    engine.send(&format!("position fen {FEW_STONES}"));
    engine.send("go infinite");
    engine.expect_line(crate::support::WAIT, "a line of the tablebases", |line| {
        line.contains(" tbhits 1 ")
    });
    engine.send("stop");
    engine.read_search();
    assert_eq!(depth(&engine.search("go depth 9")), Some(1));
    engine.finish();
}

#[test]
fn the_strength_is_told_to_those_who_ask() {
    let mut engine = engine("Skill Level=3, MultiPV=3, Threads=2");
    engine.send("debug on");
    let told = |engine: &mut Engine| {
        engine.send("ucinewgame");
        let search = engine.search("go movetime 60000");
        search.check().expect("a good answer");
        assert!(search.scored.iter().all(|info| info.multipv == Some(1)));
        let start = "info string strength: Elo ";
        let lines: Vec<String> = search.lines.into_iter().collect();
        let strength = lines.into_iter().find(|line| line.starts_with(start));
        (strength.expect("the strength"), search.best.turn)
    };
    let first = told(&mut engine);
    assert!(first.0.ends_with("seed 7)"), "{first:?}");
    assert_eq!(told(&mut engine), first, "the seed is set");
    engine.send("setoption name Skill Seed value 0");
    let (one, other) = (told(&mut engine).0, told(&mut engine).0);
    assert_ne!(one, other, "a seed is drawn for each game");
    engine.finish();
}

#[test]
fn a_weak_player_ponders() {
    let mut engine = engine("Skill Level=3, Ponder=true");
    engine.send("position startpos moves f2-e3A");
    engine.send("go wtime 60000 btime 60000 ponder");
    engine.sync();
    engine.send("ponderhit");
    let search = engine.read_search();
    search.check().expect("a good answer");
    engine.finish();
}
