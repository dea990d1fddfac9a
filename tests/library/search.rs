//! The search as a library: what a caller outside the crate can rely on. What ends it is in `search_limits.rs`.

use std::sync::Arc;

use vato_engine::board::Move;
use vato_engine::notation::{format_move, parse_fen, parse_turn};
use vato_engine::rules::{Game, Outcome, Preset, Rules, legal_moves, parse_rules};
use vato_engine::search::{
    Bound, Control, Limits, Line, Report, Score, SearchResult, SearchSettings, Searcher,
};
use vato_engine::tablebase::Tablebases;

pub fn rules(text: &str) -> Rules {
    parse_rules(text).expect("rules")
}

pub fn game(rules_text: &str, fen: &str) -> Game {
    let rules = rules(rules_text);
    Game::from_position(rules, parse_fen(fen, rules.board).expect("a position"))
}

pub fn depth(depth: u32) -> Limits {
    Limits {
        depth: Some(depth),
        ..Limits::default()
    }
}

pub fn nodes(nodes: u64) -> Limits {
    Limits {
        nodes: Some(nodes),
        ..Limits::default()
    }
}

/// Searches with a fresh searcher, and collects the lines told.
pub fn search(game: &Game, limits: &Limits) -> (SearchResult, Vec<Line>) {
    search_with(&mut Searcher::new(), game, limits, &Control::new())
}

pub fn search_with(
    searcher: &mut Searcher,
    game: &Game,
    limits: &Limits,
    control: &Control,
) -> (SearchResult, Vec<Line>) {
    let (settings, mut lines) = (SearchSettings::default(), Vec::new());
    let result = searcher.search(&settings, game, limits, control, &mut |report| {
        if let Report::Line(line) = report {
            lines.push(line.clone());
        }
    });
    (result.expect("16 MiB"), lines)
}

/// Plays a line on; every move must be legal, and the game must not have ended before the last.
fn play_line(game: &Game, pv: &[Move]) -> Option<Outcome> {
    let mut game = game.clone();
    for (index, &mv) in pv.iter().enumerate() {
        assert!(
            index == 0 || game.outcome().is_none(),
            "the line goes on after the end of the game"
        );
        game.play(mv).expect("the line is legal");
    }
    game.outcome()
}

pub const STARTS: [&str; 6] = [
    "bbbbbbbbb/bbbbbbbbb/bwbw1bwbw/wwwwwwwww/wwwwwwwww w 0 1",
    "1b1b1bbb1/b2bb3b/1bwbwb1bw/ww2w2ww/wwww3ww w 0 5",
    "3b1b1bb/6bbb/2w5w/w2wb2bw/1w1w5 w 0 6",
    "6b2/1w2b4/1ww2b2b/3w5/2w1w4 b 3 18",
    "9/3b4b/6b2/2w1w4/3w5 w 6 53",
    "9/9/3w5/9/b7b w 96 60",
];

#[test]
fn lines_are_legal_and_begin_with_the_best_move() {
    for preset in Preset::ALL {
        let Some(rules) = preset.rules() else {
            continue;
        };
        let mut games = vec![Game::new(rules)];
        if rules.board == Rules::STANDARD.board {
            games.extend(STARTS.map(|fen| game(&rules.to_string(), fen)));
        }
        for game in games {
            let (result, lines) = search(&game, &nodes(30_000));
            assert_eq!(result.lines[0].pv.first().copied(), result.best);
            assert_eq!(lines.last(), Some(&result.lines[0]), "the last line told");
            for line in &lines {
                play_line(&game, &line.pv);
                assert!(line.depth >= 1 && line.seldepth >= 1 && line.multipv == 1);
            }
        }
    }
}

#[test]
fn decided_games_end_as_the_score_says() {
    // White takes the last stone at once; a won start; Black, to move, has lost the same start.
    let telo = "bbb/b1w/www w 0 1";
    let mut after = Game::new(rules("telo"));
    let (result, _) = search(&after, &depth(30));
    after.play(result.best.expect("a move")).expect("legal");
    let cases = [
        (game("tsivy", "9/9/2w1b4/9/9 w"), true, Some(1)),
        (game("telo", telo), true, None),
        (after, false, None),
    ];
    for (game, wins, plies) in cases {
        let (result, _) = search(&game, &depth(30));
        let line = &result.lines[0];
        assert_eq!(line.bound, Bound::Exact);
        let distance = line.score.plies_to_end().expect("a decided score");
        assert_eq!(distance > 0, wins);
        assert!(plies.is_none_or(|plies| plies == distance));
        let side = game.position().side();
        if line.pv.len() == distance.unsigned_abs() as usize {
            let winner = play_line(&game, &line.pv).and_then(|outcome| outcome.winner);
            assert_eq!(winner, Some(if wins { side } else { !side }));
        } else {
            assert!(line.pv.len() < distance.unsigned_abs() as usize);
        }
    }
}

#[test]
fn the_same_search_twice_is_the_same() {
    for fen in STARTS {
        let game = game("tsivy", fen);
        let mut searcher = Searcher::new();
        let mut run = || {
            searcher.clear();
            let (result, _) = search_with(&mut searcher, &game, &depth(9), &Control::new());
            (result.nodes, result.best, result.lines[0].score)
        };
        assert_eq!(run(), run(), "{fen}");
    }
}

#[test]
fn finished_games_have_no_move_but_a_score() {
    for (rules, fen, score) in [
        ("tsivy", "9/9/9/ww7/bw7 b", Score::loss_in(0)),
        ("blocked=draw", "9/9/9/ww7/bw7 b", Score::DRAW),
        ("board=3x3 blocked=pass", "www/wbw/www b", Score::DRAW),
        (
            "board=5x5 vela=black eating=must blocked=pass",
            "bbb2/bbb2/5/5/w4 w",
            Score::loss_in(0),
        ),
        ("tsivy", "9/9/9/9/w8 b", Score::loss_in(0)),
        ("tsivy", "9/9/9/9/w8 w", Score::win_in(0)),
    ] {
        let (result, lines) = search(&game(rules, fen), &depth(5));
        assert_eq!((result.best, lines.len()), (None, 1));
        assert_eq!(lines[0].score, score);
        assert!(lines[0].pv.is_empty());
    }
}

/// A search goes through passes: Black cannot move until White lets it, and the mate is found behind a pass.
#[test]
fn passes_are_searched() {
    let blocked = game("blocked=pass", "9/9/9/ww7/bw7 b");
    let (result, lines) = search(&blocked, &depth(6));
    assert_eq!(result.best, Some(Move::PASS));
    assert!(lines.iter().all(|line| line.pv[0] == Move::PASS));
    let mut after = blocked;
    after.play(Move::PASS).expect("legal");
    let (result, _) = search(&after, &depth(8));
    let line = &result.lines[0];
    assert!(
        line.score.plies_to_end().is_some_and(|plies| plies > 0),
        "{line:?}"
    );
    // The giver passes, and the eater has nothing to eat.
    let starving = game(
        "board=5x5 vela=black eating=must blocked=pass",
        "bbww1/bww2/bww2/bww2/bww2 b",
    );
    let (result, _) = search(&starving, &depth(4));
    assert_eq!(
        result.lines[0].score,
        Score::win_in(1),
        "{:?}",
        result.lines[0]
    );
}

/// The shortest mate comes first; the other lines are those of the search.
#[test]
fn mates_have_other_lines_behind_them() {
    let game = game("tsivy", "9/9/7b1/w8/b8 b 0 40");
    let limits = Limits {
        mate: Some(3),
        multipv: 3,
        ..Limits::default()
    };
    let (result, _) = search(&game, &limits);
    let firsts: Vec<Move> = result.lines.iter().map(|line| line.pv[0]).collect();
    assert_eq!(result.lines[0].score, Score::win_in(3));
    assert!(
        firsts.len() == 3 && !firsts[1..].contains(&firsts[0]),
        "{firsts:?}"
    );
}

/// A search that ends when its first move has turned out lost plays one that it has not searched, and claims nothing.
#[test]
fn the_loss_of_some_moves_is_not_that_of_all() {
    let moves = "f2-e3A d5-d4A-c5W e2-e3A-d4A-e5W-d5W c4-c3A-d3W d5-d4A-e4A f3-e3W-e2W-f2A-g3W-h2A b2-b3A-c3W";
    let mut game = Game::new(Rules::STANDARD);
    for text in moves.split(' ') {
        let (_, mv) = parse_turn(text, game.rules(), game.position()).expect(text);
        game.play(mv).expect(text);
    }
    for limit in (45..80).step_by(5) {
        let (result, lines) = search(&game, &nodes(limit));
        let is_claim = |line: &&Line| line.score.counts_plies();
        assert_eq!(
            lines.iter().chain(&result.lines).find(is_claim),
            None,
            "{limit}"
        );
    }
}

#[test]
fn a_draw_by_repetition_is_seen_and_a_counted_tie_is_won() {
    // One stone against one, far apart, can only walk about.
    let fen = "8b/9/9/9/w8 w 0 30";
    let (result, _) = search(&game("tsivy", fen), &depth(8));
    assert_eq!(result.lines[0].score.plies_to_end(), None);
    // Two against one: whoever counts more has won when the limit comes.
    let fen = "8b/9/9/9/ww7 w 97 60";
    let (result, _) = search(&game("tie=count", fen), &depth(8));
    assert_eq!(result.lines[0].score, Score::win_in(3));
    let (result, _) = search(&game("tie=draw", fen), &depth(8));
    assert_eq!(result.lines[0].score, Score::DRAW);
}

/// Under `repeat=1` a move that leaves the other side a move ends the game; tables know nothing of that.
#[test]
fn where_every_position_ends_the_game_a_move_is_worth_what_it_ends_in() {
    let tables = Tablebases::built_in(&Rules::STANDARD, 1 << 20, 1).expect("built in");
    let settings = SearchSettings {
        tablebases: Some(Arc::new(tables)),
        ..SearchSettings::default()
    };
    for (rules_text, fen, score) in [
        ("repeat=1", "9/9/w2w5/1b7/3w4b w 0 30", Score::DRAW),
        ("repeat=1", "8b/9/bb6b/9/w6ww w 0 30", Score::DRAW),
        ("repeat=1", "9/9/2w1b4/9/9 w 0 30", Score::win_in(1)),
        ("repeat=1", "9/9/9/ww7/bw3w3 w 0 30", Score::win_in(1)),
        (
            "repeat=1 tie=count",
            "9/9/w2w5/1b7/3w4b w 0 30",
            Score::win_in(1),
        ),
    ] {
        let game = game(rules_text, fen);
        let result =
            Searcher::new().search(&settings, &game, &depth(4), &Control::new(), &mut |_| {});
        let line = &result.expect("16 MiB").lines[0];
        assert_eq!(
            (line.score, line.pv.len()),
            (score, 1),
            "{rules_text}: {fen}"
        );
    }
}

/// What was found before a position came twice is not used where its next occurrence is a draw.
#[test]
fn wins_that_repetition_has_spoilt_are_not_claimed() {
    for (rules_text, fen, moves, claimed) in [
        (
            "tsivy",
            "2w5w/3w5/1bb6/w1b6/2w1w3b w 1 5",
            "e1-d2A-e2W i1-h2 d4-e5 h2-h1 a2-a1 h1-i1 c5-d5 i1-i2 c1-d1 b3-c3 a1-b2A i2-h2 b2-a3 \
             h2-h1 e5-f4 h1-i1 f4-e5 i1-h1 d5-d4 h1-h2",
            "d4-d5",
        ),
        (
            "tsivy",
            "w1bw5/1w1w5/9/1w7/1w5b1 w 1 2",
            "b4-a3W h1-i1 d4-e3 i1-i2 e3-d2 i2-h2 d2-e3 h2-i2 e3-d2 i2-h2",
            "d2-e3",
        ),
        (
            "dimy",
            "b3w/1b3/w4/b1bb1/b1ww1 b 1 2",
            "a1-b1A a3-a4A a2-a3A e5-e4 a3-a2 e4-e5 b1-a1 e5-e4 a1-b1 e4-e5 a2-a3 e5-e4 d2-e1 e4-e5 c2-c1 e5-d5 \
             c1-c2 d5-e5 c2-c1 e5-d5 c1-c2 d5-c5",
            "c2-c1",
        ),
    ] {
        let mut game = game(rules_text, fen);
        let mut searcher = Searcher::new();
        let mut search =
            |game: &Game| search_with(&mut searcher, game, &depth(10), &Control::new());
        for word in moves.split_whitespace() {
            search(&game);
            let (_, mv) = parse_turn(word, game.rules(), game.position()).expect("a turn");
            game.play(mv).expect("legal");
        }
        let (result, _) = search(&game);
        let best = format_move(game.rules(), game.position(), result.lines[0].pv[0]);
        assert_ne!(best.as_deref(), Some(claimed), "{fen}");
    }
}

#[test]
fn what_is_decided_under_counted_ties_is_decided() {
    // Winning the count is winning only once the game has ended: lines of decided scores are played
    // out, the first of them one that repeats before it ends.
    let fens = [
        "9/3w3b1/9/8w/1w7 w 0 20",
        "9/2b6/8w/w8/8w w 0 20",
        "8b/9/9/9/ww7 w 90 60",
        "9/3b4b/6b2/2w1w4/3w5 w 6 53",
    ];
    let mut played_out = 0;
    for rules_text in [
        "single-step",
        "tie=count repeat=0",
        "tie=count repeat=2",
        "tie=count",
    ] {
        for fen in fens {
            let game = game(rules_text, fen);
            let (_, lines) = search(&game, &nodes(60_000));
            for line in lines.iter().filter(|line| line.bound == Bound::Exact) {
                if !line.score.is_decided() {
                    continue;
                }
                let outcome = play_line(&game, &line.pv);
                // A line from the table may be cut short; a whole one ends as the score says.
                let plies = line.score.plies_to_end().map(i32::unsigned_abs);
                if plies == Some(line.pv.len() as u32) {
                    let side = game.position().side();
                    let expected = if line.score > Score::DRAW {
                        side
                    } else {
                        !side
                    };
                    let winner = outcome.and_then(|outcome| outcome.winner);
                    assert_eq!(winner, Some(expected), "{rules_text}: {fen}");
                    played_out += 1;
                }
            }
        }
    }
    assert!(played_out > 0, "no line was played out");
}

#[test]
fn nothing_learned_under_other_rules_is_used() {
    let fen = "9/2b6/8w/w8/8w w 0 20";
    let run = |searcher: &mut Searcher, rules_text: &str| {
        let game = game(rules_text, fen);
        let (result, _) = search_with(searcher, &game, &depth(6), &Control::new());
        (result.lines[0].score, result.nodes)
    };
    let alone = run(&mut Searcher::new(), "tie=draw");
    let mut searcher = Searcher::new();
    run(&mut searcher, "tie=count limit=20");
    assert_eq!(run(&mut searcher, "tie=draw"), alone);
}

/// The score to depth 6 with this contempt, in hundredths of a stone.
fn with_contempt(searcher: &mut Searcher, game: &Game, contempt: i32) -> i32 {
    let limits = Limits {
        contempt,
        ..depth(6)
    };
    let (result, _) = search_with(searcher, game, &limits, &Control::new());
    result.lines[0].score.raw()
}

#[test]
fn contempt_keeps_stones_and_no_table_entry_is_shared() {
    let start = Game::new(Rules::STANDARD);
    let fresh = |contempt| with_contempt(&mut Searcher::new(), &start, contempt);
    let (none, most) = (fresh(0), fresh(i32::MAX));
    assert!(fresh(10) > none + 100 && fresh(-10) < none - 100);
    assert!(most > fresh(10) && most == fresh(Limits::MAX_CONTEMPT));
    // The histories of a search before change a score by some hundredths.
    let mut searcher = Searcher::new();
    with_contempt(&mut searcher, &start, 10);
    assert!((with_contempt(&mut searcher, &start, 0) - none).abs() < 40);
    // Nor are those of the other side's contempt used.
    let mut second = start.clone();
    second
        .play(legal_moves(start.rules(), start.position())[0])
        .expect("legal");
    let alone = with_contempt(&mut Searcher::new(), &second, 10);
    assert!((with_contempt(&mut searcher, &second, 10) - alone).abs() < 40);
}
