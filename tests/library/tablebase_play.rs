//! Playing by the tables: from won positions the engine reaches every conversion in time and wins, and
//! drawn ones it holds, whatever the tables play against it.
//!
//! The short test takes some positions of every slice of the built-in tables. The long one is ignored
//! by default; it takes 500 won and 500 drawn positions of every slice with as many stones as a folder
//! of tables has:
//!
//! ```text
//! VATO_TABLEBASES=DIR cargo test --release --test library tablebase_play -- --ignored --nocapture
//! ```

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;

use rand::rngs::SmallRng;
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use vato_engine::board::{Bitboard, Move, Point, Position, Side};
use vato_engine::notation::{format_fen, parse_fen, parse_turn};
use vato_engine::rules::{Game, Rules, legal_moves, parse_rules};
use vato_engine::search::{Control, Limits, SearchSettings, Searcher};
use vato_engine::tablebase::{Slice, TableFolders, Tablebases, Value, Wdl};

/// Random positions that are tried to find those wanted; in some slices there are hardly any.
const ATTEMPTS: usize = 100_000;

/// An engine with tables, and the tables that it plays against.
struct Table {
    tables: Arc<Tablebases>,
    engine: Searcher,
    random: SmallRng,
}

/// What was played.
#[derive(Debug, Default)]
struct Played {
    won: usize,
    drawn: usize,
    conversions: usize,
    longest: u32,
}

impl Table {
    fn new(folders: &[PathBuf]) -> Table {
        let (tables, complaint) = Tablebases::for_play(
            &Rules::STANDARD,
            &TableFolders::of(folders.to_vec()),
            1 << 30,
            2,
            &|| true,
        )
        .expect("there are tables for the standard rules");
        assert!(complaint.is_none(), "{complaint:?}");
        let tables = Arc::new(tables);
        Table {
            tables,
            engine: Searcher::new(),
            random: SmallRng::seed_from_u64(5),
        }
    }

    /// A random position of a slice, either side to move.
    fn position(&mut self, slice: Slice) -> Position {
        let mut points: Vec<Point> = Rules::STANDARD.board.points().into_iter().collect();
        points.shuffle(&mut self.random);
        let (own, rest) = points.split_at(slice.own() as usize);
        let own: Bitboard = own.iter().copied().collect();
        let other = rest[..slice.other() as usize].iter().copied().collect();
        if self.random.random() {
            Position::new([own, other], Side::White, 0, 30)
        } else {
            Position::new([other, own], Side::Black, 0, 30)
        }
    }

    fn value(&self, game: &Game) -> Value {
        let value = self.tables.value(game.position());
        value.expect("within the tables")
    }

    /// Plays a move of the engine's.
    fn engine_moves(&mut self, game: &mut Game) {
        let limits = Limits {
            // Not to be used: what the tables know is not searched.
            nodes: Some(1_000_000),
            ..Limits::default()
        };
        let settings = SearchSettings {
            tablebases: Some(Arc::clone(&self.tables)),
            ..SearchSettings::default()
        };
        let result = self
            .engine
            .search(&settings, game, &limits, &Control::new(), &mut |_| {})
            .expect("memory");
        assert_eq!(result.nodes, 0, "{}", fen(game));
        let line = &result.lines[0];
        assert_eq!(line.pv.first().copied(), result.best);
        let mut follows = game.clone();
        for &mv in &line.pv {
            follows.play(mv).expect("lines are legal");
        }
        if line.score.is_tablebase() {
            let end = follows.outcome();
            assert!(end.is_some(), "{}: the line ends too early", fen(game));
        }
        game.play(result.best.expect("a move")).expect("legal");
    }

    /// Plays the best move by the tables.
    fn tables_move(&self, game: &mut Game) {
        let ranking = self.tables.rank(game.rules(), game.position());
        let best = ranking.expect("within the tables")[0].mv;
        game.play(best).expect("legal");
    }

    /// From a won position the engine converts as soon as the tables say, again and again, and wins.
    fn play_win(&mut self, start: Position, played: &mut Played) {
        let mut game = Game::from_position(Rules::STANDARD, start);
        let winner = start.side();
        let mut left = self.value(&game).plies;
        played.longest = played.longest.max(left);
        while game.outcome().is_none() {
            if game.position().side() == winner {
                self.engine_moves(&mut game);
            } else {
                self.tables_move(&mut game);
            }
            assert!(left > 0, "{}: the conversion is late", fen(&game));
            left -= 1;
            if game.position().halfmove_clock() == 0 && game.outcome().is_none() {
                played.conversions += 1;
                left = self.value(&game).plies;
            }
        }
        let outcome = game.outcome().and_then(|outcome| outcome.winner);
        assert_eq!(outcome, Some(winner), "{}", fen(&game));
        played.won += 1;
    }

    /// From a drawn position the engine does not lose.
    fn play_draw(&mut self, start: Position, played: &mut Played) {
        let mut game = Game::from_position(Rules::STANDARD, start);
        while game.outcome().is_none() {
            if game.position().side() == start.side() {
                self.engine_moves(&mut game);
            } else {
                self.tables_move(&mut game);
            }
        }
        let winner = game.outcome().and_then(|outcome| outcome.winner);
        assert_eq!(winner, None, "{}", fen(&game));
        played.drawn += 1;
    }

    /// Plays from so many won and so many drawn positions of a slice, or as many as are found.
    fn play_slice(&mut self, slice: Slice, each: usize) -> Played {
        let mut played = Played::default();
        for _ in 0..ATTEMPTS {
            let position = self.position(slice);
            let game = Game::from_position(Rules::STANDARD, position);
            if game.outcome().is_some() {
                continue;
            }
            match self.value(&game).wdl {
                Wdl::Win if played.won < each => self.play_win(position, &mut played),
                Wdl::Draw if played.drawn < each => self.play_draw(position, &mut played),
                _ => {}
            }
            if played.won == each && played.drawn == each {
                break;
            }
        }
        played
    }
}

fn fen(game: &Game) -> String {
    format_fen(game.position(), game.rules().board)
}

#[test]
fn built_in_tables_are_played_perfectly() {
    let mut table = Table::new(&[]);
    let slices: Vec<Slice> = table.tables.slices().collect();
    assert_eq!(slices.len(), 15);
    let mut sum = Played::default();
    for slice in slices {
        let played = table.play_slice(slice, 15);
        assert!(played.won > 0, "{slice}: {played:?}");
        sum.drawn += played.drawn;
        sum.conversions += played.conversions;
        sum.longest = sum.longest.max(played.longest);
    }
    assert!(sum.drawn >= 60 && sum.conversions >= 60, "{sum:?}");
    assert!(sum.longest >= 20, "{sum:?}");
}

/// The outcome for the side to move, and that of each quiet position a ply later, by going through all that the game can
/// come to, ply by ply up to the no-capture limit, or until nothing changes: captures and ends as the tables and the rules
/// have them, a position that ends the game is a draw.
fn played_out(tables: &Tablebases, game: &Game) -> (Wdl, HashMap<u64, Wdl>) {
    let rules = game.rules();
    let keys = game.keys_since_capture();
    let ends = |key: u64| {
        let count = keys.iter().filter(|&&seen| seen == key).count();
        count + 1 >= usize::from(rules.repeat)
    };
    let mut places = HashMap::from([(rules.key(game.position()), 0)]);
    let mut positions = vec![*game.position()];
    let mut moves: Vec<Vec<Result<usize, Wdl>>> = Vec::new();
    while let Some(position) = positions.get(moves.len()).copied() {
        let legal = legal_moves(rules, &position);
        let after = legal.iter().map(|&mv| {
            let next = position.play(mv);
            let over = Game::from_position(*rules, next).outcome();
            if let Some(outcome) = over {
                return Err(match outcome.winner {
                    None => Wdl::Draw,
                    Some(winner) if winner == position.side() => Wdl::Win,
                    Some(_) => Wdl::Loss,
                });
            }
            if mv.is_capture() {
                return Err(-tables.value(&next).expect("in the tables").wdl);
            }
            let key = rules.key(&next);
            if ends(key) {
                return Err(Wdl::Draw);
            }
            let place = *places.entry(key).or_insert(positions.len());
            if place == positions.len() {
                positions.push(next);
            }
            Ok(place)
        });
        moves.push(after.collect());
    }
    // What is not decided stays a draw.
    let clock = usize::from(game.position().halfmove_clock());
    let left = match usize::from(rules.limit) {
        0 => usize::MAX,
        limit => limit - clock,
    };
    // Values with one ply less than there is, and with all.
    let mut values = [
        vec![Wdl::Draw; positions.len()],
        vec![Wdl::Draw; positions.len()],
    ];
    for _ in 0..left {
        let later = &values[1];
        let value = |after: &Vec<Result<usize, Wdl>>| {
            let best = after
                .iter()
                .map(|after| after.map_or_else(|end| end, |next| -later[next]));
            best.max().expect("a move")
        };
        let now = moves.iter().map(value).collect();
        let [_, later] = values;
        values = [later, now];
        if values[0] == values[1] {
            break;
        }
    }
    let later = places
        .into_iter()
        .map(|(key, place)| (key, values[0][place]));
    (values[1][0], later.collect())
}

/// Compares the outcomes of all moves with those of the game played out, where they are told; returns whether repetition
/// changes that of the position.
fn compare_with_played_out(tables: &Tablebases, game: &Game) -> Option<bool> {
    let ranked = tables.rank_in(game)?;
    let rules = game.rules();
    let (outcome, later) = played_out(tables, game);
    let shown = format!("{rules} {} {:?}", fen(game), game.moves());
    assert_eq!(ranked[0].outcome(), outcome, "{shown}");
    for one in ranked.iter().filter(|one| !one.mv.is_capture()) {
        let after = game.position().play(one.mv);
        if let Some(&next) = later.get(&rules.key(&after)) {
            assert_eq!(one.outcome(), -next, "{shown} {one:?}");
        }
    }
    Some(outcome != ranked[0].value.wdl)
}

/// In random games of few stones, whose positions come again, moves are ranked as all of them played out.
#[test]
fn repetition_counts_as_in_games_played_out() {
    let mut random = SmallRng::seed_from_u64(7);
    for text in [
        "board=5x3 limit=0",
        "board=3x5 repeat=2 limit=0",
        "board=5x3 repeat=2 limit=0",
        "board=5x3",
        "board=3x5 repeat=2",
    ] {
        let (mut asked, mut spoilt) = (0, 0);
        let rules = parse_rules(text).expect("rules");
        let tables = Tablebases::solve(&rules, 3, 1 << 20, &|| true).expect("tables");
        for _ in 0..6_000 {
            let mut points: Vec<Point> = rules.board.points().into_iter().collect();
            points.shuffle(&mut random);
            let stones = [&points[..1], &points[1..3]];
            let stones = stones.map(|some| some.iter().copied().collect::<Bitboard>());
            // Near the no-capture limit, if there is one.
            let clock = rules.limit.saturating_sub(random.random_range(1..20));
            let start = Position::new(stones, Side::BOTH[random.random_range(0..2)], clock, 30);
            let mut game = Game::from_position(rules, start);
            for _ in 0..random.random_range(0..14) {
                let quiet: Vec<Move> = legal_moves(&rules, game.position())
                    .iter()
                    .copied()
                    .filter(|mv| !mv.is_capture())
                    .collect();
                if quiet.is_empty() || game.outcome().is_some() {
                    break;
                }
                // Back as often as not, if it goes.
                let last = game
                    .moves()
                    .len()
                    .checked_sub(2)
                    .map(|place| game.moves()[place]);
                let back = last.and_then(|last| {
                    quiet
                        .iter()
                        .find(|mv| (mv.from(), mv.to()) == (last.to(), last.from()))
                });
                let mv = match back {
                    Some(&back) if random.random_bool(0.9) => back,
                    _ => quiet[random.random_range(0..quiet.len())],
                };
                game.play(mv).expect("legal");
            }
            if game.outcome().is_some() || !tables.covers(&rules, game.position()) {
                continue;
            }
            if let Some(is_spoilt) = compare_with_played_out(&tables, &game) {
                asked += 1;
                spoilt += usize::from(is_spoilt);
            }
        }
        assert!(asked > 100 && spoilt > 10, "{text}: {asked}, {spoilt}");
    }
}

/// On a board where too many positions would have to be tried out, nothing is told rather than what the tables say.
#[test]
fn what_repetition_leaves_open_is_not_told() {
    let tables = Table::new(&[]).tables;
    for (start, moves) in [
        (
            "6w1w/9/9/9/7b1 b 3 30",
            "h1-i1 g5-h5 i1-h1 h5-g5 h1-i1 g5-h5",
        ),
        (
            "5w3/9/9/1b7/8b w 0 30",
            "f5-f4 b2-c3 f4-g5 c3-b2 g5-f4 b2-c3 f4-g5 c3-b2",
        ),
        // The way round the repetition is longer than the no-capture limit allows.
        ("1b7/5w3/9/3w5/9 w 89 30", "f4-g4 b5-c5 g4-f4 c5-b5 f4-g4"),
        (
            "9/9/1w7/2b6/4b4 w 87 30",
            "b3-a3 c2-d2 a3-b3 d2-c2 b3-a3 c2-d2",
        ),
    ] {
        let mut game = Game::from_position(
            Rules::STANDARD,
            parse_fen(start, Rules::STANDARD.board).expect("a position"),
        );
        for word in moves.split(' ') {
            let (_, mv) = parse_turn(word, game.rules(), game.position()).expect("a turn");
            game.play(mv).expect("legal");
        }
        compare_with_played_out(&tables, &game);
    }
}

#[test]
#[ignore = "takes minutes and a folder of tables"]
fn largest_slices_are_played_perfectly() {
    let folder = std::env::var_os("VATO_TABLEBASES").expect("VATO_TABLEBASES names a folder");
    let mut table = Table::new(&[PathBuf::from(folder)]);
    let most = table.tables.stones();
    let slices: Vec<Slice> = table.tables.slices().collect();
    for slice in slices.into_iter().filter(|slice| slice.stones() == most) {
        let played = table.play_slice(slice, 500);
        println!("{slice}: {played:?}");
    }
}
