//! Limited strength: what a weak player is, as a library and in a session.

use std::sync::Arc;

use crate::protocol_process::searches;
use crate::protocol_sessions::session;
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
    let limited = |nodes| Limits {
        depth: None,
        nodes,
        ..limits(strength)
    };
    for fen in &POSITIONS[..4] {
        for (nodes, wanted) in [(None, strength.nodes()), (Some(7), Some(7))] {
            let result = search(&mut Searcher::new(), &game(fen), &limited(nodes));
            assert_eq!(Some(result.nodes), wanted, "{fen}");
        }
    }
    // The first iteration is completed, whatever the limit of nodes is.
    for fen in POSITIONS {
        let weakest = limits(Strength::from_level(0));
        let line = &search(&mut Searcher::new(), &game(fen), &weakest).lines[0];
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

/// What other searches have learned would change a weak player's moves.
#[test]
fn analysis_before_a_weak_search_changes_nothing() {
    let weak = limits(Strength::from_elo(1800).with_seed(7));
    let others = [
        Limits {
            depth: Some(8),
            ..Limits::default()
        },
        limits(Strength::from_elo(1800).with_seed(8)),
    ];
    for (fen, other) in POSITIONS.iter().zip(others.iter().cycle()) {
        let game = game(fen);
        let alone = search(&mut Searcher::new(), &game, &weak);
        let mut searcher = Searcher::new();
        search(&mut searcher, &game, other);
        let after = search(&mut searcher, &game, &weak);
        assert_eq!(essence(&after), essence(&alone), "{fen}");
    }
}

/// With a seed of one's own a new game is the same one, if it is announced.
#[test]
fn a_session_plays_the_same_game_again() {
    let game = "uginewgame\nposition startpos\ngo p1time 60000\nwait\nposition startpos moves d3-e3A f4-f3A\n\
                go p1time 60000\nwait\n";
    let settings = "setoption name Skill Level value 15\nsetoption name Skill Seed value 7\n";
    let played = searches(&session(&format!("{settings}{game}{game}")));
    let pvs: Vec<_> = played
        .iter()
        .map(|search| search.last().map(|info| (&info.pv, info.nodes)))
        .collect();
    assert_eq!(pvs.len(), 4);
    assert_eq!(pvs[..2], pvs[2..]);
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

/// Limited where a move is asked for, not in analysis; the Elo goes before the level, and without its check means nothing.
#[test]
fn a_session_plays_as_weakly_as_it_is_told() {
    let most = |strength: Strength| strength.nodes().expect("limited");
    let [level, elo, strongest] = [
        Strength::from_level(12),
        Strength::from_elo(1900),
        Strength::from_elo(u32::MAX),
    ]
    .map(most);
    for (settings, limited) in [
        ("Skill Level value 12", Some(level)),
        ("UCI_LimitStrength value true|UCI_Elo value 1900", Some(elo)),
        (
            "UCI_LimitStrength value true|UCI_Elo value 1900|Skill Level value 20",
            Some(elo),
        ),
        (
            "UCI_LimitStrength value true|UCI_Elo value 2200",
            Some(strongest),
        ),
        ("UCI_Elo value 500|Skill Level value 20", None),
        ("Skill Level value 0|UCI_AnalyseMode value true", None),
    ] {
        let settings = settings
            .split('|')
            .map(|setting| format!("setoption name {setting}\n"));
        let settings: String = settings.collect();
        let position = POSITIONS[2];
        let mut script = format!("{settings}position fen {position}\ngo nodes 300000\nwait\n");
        if limited.is_some() {
            script += "go wtime 60000 btime 60000\nwait\n";
        }
        for search in searches(&session(&script)) {
            let nodes = search.last().and_then(|info| info.nodes).expect("nodes");
            let is_right = limited.map_or(nodes == 300_000, |most| nodes <= most);
            assert!(is_right, "{script}: {nodes} nodes");
        }
    }
}
