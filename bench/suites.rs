//! Makes the suites of `vato suite` again: `src/tools/tournament/suite/winning.epd` and `holding.epd`.
//!
//! ```text
//! cargo build --release --features lab
//! vato tablebase build --stones 7 --out TABLES
//! vato selfplay --games 600 --nodes 300 --asides 10 --seed 1 --threads 1 --out games.data
//! vato data show --lines games.data > games.txt
//! cargo run --release --package vato-lab --bin suites -- --positions games.txt --tables TABLES --out src/tools/tournament/suite
//! ```
//!
//! Candidates are the positions of these games and those up to three random turns off them, with no quiet plies counted.
//! With seven stones the tables say what each move is worth. With more, a short search picks positions in which one
//! move seems to stand alone, and the solver, with the tables at its leaves, has to prove what that move and every
//! other one are worth; proofs that take too long are given up, and it is up to the clock when exactly that is noticed. At
//! most a quarter of a suite are positions that a search of depth 1 solves. All else follows from the seeds.
//!
//! A position has a line (`pv`) if, after its move and a reply that keeps what the other side has, again one move alone keeps
//! the value, by the same proof, and so on. Of such replies it is the best one: the longest resistance. Without `--positions`
//! the lines of the suites are made again.

use std::collections::HashSet;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use chacha20::ChaCha8Rng;
use clap::Parser;
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use vato_engine::board::{BoardSize, Move, Position, Side, Symmetry};
use vato_engine::engine::{Engine, Settings, TableFiles};
use vato_engine::notation::{format_fen, format_move, parse_fen};
use vato_engine::proofs::Claim;
use vato_engine::rules::{Game, Rules, legal_moves};
use vato_engine::search::{Control, Limits, Score, SearchSettings};
use vato_engine::tablebase::{TableFolders, Tablebases, Wdl};
use vato_solver::Solver;
use vato_tools::tournament::suite::parse_suite;

/// For each number of stones: how many positions each suite is to have, and how many are tried at most.
const WANTED: [(u32, usize, usize); 11] = [
    (7, 150, 400_000),
    (8, 12, 3_000),
    (9, 12, 3_000),
    (10, 12, 3_000),
    (11, 12, 3_000),
    (12, 12, 3_000),
    (13, 10, 3_000),
    (14, 10, 3_000),
    (15, 10, 3_000),
    (16, 10, 3_000),
    (18, 10, 3_000),
];

/// Nodes of the search that picks positions.
const PICKING: u64 = 5_000;

/// Nodes of the proof about a move.
const PROOF: u64 = 100_000;

/// The tags of positions that a search of so many nodes solves, with the tables of the program; others are `hard`.
const LEVELS: [(&str, u64); 2] = [("easy", 1_000), ("medium", 50_000)];

/// The most moves of a line that are to be found.
const MOST_TURNS: usize = 5;

/// The most replies that are tried without tables.
const REPLIES: usize = 6;

const SUITES: [&str; 2] = ["winning", "holding"];

#[derive(Parser)]
struct Arguments {
    /// Positions, as `vato data show --lines` prints them
    #[arg(long)]
    positions: Option<PathBuf>,
    /// Tables of seven stones
    #[arg(long)]
    tables: PathBuf,
    /// Folder for the suites
    #[arg(long)]
    out: PathBuf,
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// The engines and tables.
struct Maker {
    rules: Rules,
    tables: Arc<Tablebases>,
    solver: Solver,
    /// With the tables of seven stones.
    knowing: Engine,
    /// As the program is.
    plain: Engine,
}

impl Maker {
    fn new(folder: PathBuf) -> Maker {
        let rules = Rules::STANDARD;
        let folders = TableFolders::of(vec![folder]);
        let (tables, complaint) =
            Tablebases::for_play(&rules, &folders, 1 << 30, 1, &|| true).expect("tables");
        assert!(complaint.is_none() && tables.stones() >= 7, "{complaint:?}");
        let tables = Arc::new(tables);
        let with_tables = SearchSettings {
            tablebases: Some(Arc::clone(&tables)),
            ..SearchSettings::default()
        };
        let plain = Settings {
            tables: Some(TableFiles::of(TableFolders::of(Vec::new()))),
            ..Settings::default()
        };
        Maker {
            rules,
            solver: Solver::new(&rules, Arc::clone(&tables), 256, 1).expect("a solver"),
            knowing: Engine::new(with_tables.into()),
            plain: Engine::new(plain),
            tables,
        }
    }

    /// Whether a search of the plain program plays `mv`.
    fn finds(
        &mut self,
        position: &Position,
        mv: Move,
        depth: Option<u32>,
        nodes: Option<u64>,
    ) -> bool {
        let game = Game::from_position(self.rules, *position);
        let limits = Limits {
            depth,
            nodes,
            ..Limits::default()
        };
        self.plain.clear();
        let found = self
            .plain
            .search(&game, &limits, &Control::new(), &mut |_| ());
        found.expect("a search").best == Some(mv)
    }

    /// By the tables: the suite, and the move that stands alone.
    fn known(&self, position: &Position) -> Option<(usize, Move)> {
        let ranked = self.tables.rank(&self.rules, position)?;
        let alone = |is_right: &dyn Fn(Wdl) -> bool| {
            let value = |is_late, wdl| if is_late { Wdl::Draw } else { wdl };
            let mut right = ranked
                .iter()
                .filter(|it| is_right(value(it.is_late, it.value.wdl)));
            let first = right.next()?;
            right.next().is_none().then_some(first.mv)
        };
        if ranked.len() < 2 {
            return None;
        }
        let winning = alone(&|wdl| wdl == Wdl::Win).map(|mv| (0, mv));
        winning.or_else(|| alone(&|wdl| wdl != Wdl::Loss).map(|mv| (1, mv)))
    }

    /// By a search: what seems to be so.
    fn picked(&mut self, position: &Position) -> Option<(usize, Move)> {
        let game = Game::from_position(self.rules, *position);
        let limits = Limits {
            nodes: Some(PICKING),
            multipv: 2,
            ..Limits::default()
        };
        self.knowing.clear();
        let found = self
            .knowing
            .search(&game, &limits, &Control::new(), &mut |_| ());
        let lines = found.expect("a search").lines;
        let [first, second, ..] = &lines[..] else {
            return None;
        };
        let is_decided = |score: Score| score.plies_to_end().is_some() || score.is_tablebase();
        let wins = |score| is_decided(score) && score > Score::DRAW;
        let loses = |score| is_decided(score) && score < Score::DRAW;
        let mv = *first.pv.first()?;
        if wins(first.score) && !wins(second.score) {
            return Some((0, mv));
        }
        (!loses(first.score) && loses(second.score)).then_some((1, mv))
    }

    /// Whether the solver proves it.
    fn is_proved(&self, game: &Game, suite: usize, alone: Move) -> bool {
        let mover = game.position().side();
        let attacker = if suite == 0 { mover } else { !mover };
        let mut moves = legal_moves(&self.rules, game.position()).to_vec();
        moves.sort_by_key(|&mv| mv != alone);
        moves.iter().all(|&mv| {
            let mut game = game.clone();
            game.play(mv).expect("legal");
            let wins = (suite == 0) == (mv == alone);
            let expected = if wins { Claim::Wins } else { Claim::CannotWin };
            if let Some(outcome) = game.outcome() {
                return (outcome.winner == Some(attacker)) == wins;
            }
            let stop = AtomicBool::new(false);
            let answer = self
                .solver
                .can_win(&game, attacker, PROOF, &stop, &mut |_| ());
            answer.expect("a thread").claim() == Some(expected)
        })
    }

    /// The replies that keep what the side to move has, the best first.
    fn replies(&mut self, game: &Game) -> Vec<Move> {
        if let Some(ranked) = self.tables.rank(&self.rules, game.position()) {
            let best = ranked[0].outcome();
            let kept = ranked.iter().filter(|it| it.outcome() == best);
            return kept.map(|it| it.mv).collect();
        }
        let limits = Limits {
            nodes: Some(PICKING * REPLIES as u64),
            multipv: REPLIES,
            ..Limits::default()
        };
        self.knowing.clear();
        let found = self
            .knowing
            .search(game, &limits, &Control::new(), &mut |_| ());
        let lines = found.expect("a search").lines;
        let loses = |score: Score| {
            (score.plies_to_end().is_some() || score.is_tablebase()) && score < Score::DRAW
        };
        let best = lines.first().is_none_or(|line| loses(line.score));
        let kept = lines.iter().filter(|line| loses(line.score) == best);
        kept.filter_map(|line| line.pv.first().copied()).collect()
    }

    /// The line that a position and its move begin: at least the move.
    fn line(&mut self, position: &Position, suite: usize, first: Move) -> Vec<Move> {
        let mut game = Game::from_position(self.rules, *position);
        let mut line = vec![first];
        game.play(first).expect("legal");
        while line.len() < 2 * MOST_TURNS - 1 && game.outcome().is_none() {
            let next = self.replies(&game).into_iter().find_map(|reply| {
                let mut next = game.clone();
                next.play(reply).expect("legal");
                let position = next.position();
                let key = self.rules.key(position);
                if next.outcome().is_some() || game.keys_since_capture().contains(&key) {
                    return None;
                }
                let found = match self.tables.covers(&self.rules, position) {
                    true => self.known(position)?,
                    false => self
                        .picked(position)
                        .filter(|&(suite, mv)| self.is_proved(&next, suite, mv))?,
                };
                next.play(found.1).expect("legal");
                (found.0 == suite).then_some(([reply, found.1], next))
            });
            let Some((moves, next)) = next else {
                break;
            };
            line.extend(moves);
            game = next;
        }
        line
    }

    /// The operation of a line, with a space before it; nothing for a single move.
    fn operation(&mut self, position: &Position, suite: usize, first: Move) -> String {
        let mut game = Game::from_position(self.rules, *position);
        let words: Vec<String> = self
            .line(position, suite, first)
            .into_iter()
            .map(|mv| {
                let word = format_move(&self.rules, game.position(), mv).expect("legal");
                game.play(mv).expect("legal");
                word
            })
            .collect();
        match words.len() {
            1 => String::new(),
            _ => format!(" pv {};", words.join(" ")),
        }
    }

    /// A suite with its lines made again.
    fn with_lines(&mut self, text: &str, suite: usize) -> String {
        let questions = parse_suite(text, &self.rules).expect("a suite");
        let lines = text.lines().zip(&questions).map(|(line, question)| {
            let parts = line
                .split_inclusive(';')
                .filter(|part| !part.starts_with(" pv "));
            let mut parts: Vec<String> = parts.map(str::to_owned).collect();
            let operation = self.operation(&question.position, suite, question.best()[0]);
            eprintln!("{}:{operation}", question.id);
            parts.insert(1, operation);
            parts.concat() + "\n"
        });
        lines.collect()
    }
}

/// A position and its move.
type Entry = (Position, Move);

/// Positions for each suite: those that a search of depth 1 does not solve, and others.
type Found = [[Vec<Entry>; 2]; 2];

/// The positions with so many stones: tries candidates until there are enough.
fn collect(
    maker: &mut Maker,
    candidates: &mut dyn Iterator<Item = Position>,
    wanted: usize,
) -> Found {
    let mut found = Found::default();
    let spare = wanted / 4;
    for position in candidates {
        if found.iter().all(|[late, _]| late.len() >= wanted) {
            break;
        }
        let by_tables = maker.tables.covers(&maker.rules, &position);
        let picked = match by_tables {
            true => maker.known(&position),
            false => maker.picked(&position),
        };
        let Some((suite, mv)) = picked else {
            continue;
        };
        let at_once = maker.finds(&position, mv, Some(1), None);
        let place = &mut found[suite][usize::from(at_once)];
        let is_full = place.len() >= if at_once { spare } else { wanted };
        if !is_full
            && (by_tables
                || maker.is_proved(&Game::from_position(maker.rules, position), suite, mv))
        {
            place.push((position, mv));
        }
    }
    found
}

/// The same for positions that are symmetric.
fn image(board: BoardSize, position: &Position) -> Option<String> {
    let images = Symmetry::of(board).iter();
    let fens = images.map(|image| format_fen(&image.position(board, position), board));
    // Without the counters.
    fens.filter_map(|fen| Some(fen.rsplitn(3, ' ').nth(2)?.to_owned()))
        .min()
}

/// Candidates: the positions, each with up to three random turns more, without end.
fn wander(rules: Rules, starts: &[Position], seed: u64) -> impl Iterator<Item = Position> {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    (0..).map_while(move |number: usize| {
        let mut position = *starts.get(number % starts.len().max(1))?;
        for _ in 0..random.random_range(0..4) {
            let moves = legal_moves(&rules, &position);
            if moves.is_empty() {
                break;
            }
            position = position.play(moves[random.random_range(0..moves.len())]);
        }
        let stones = Side::BOTH.map(|side| position.stones(side));
        Some(Position::new(
            stones,
            position.side(),
            0,
            position.move_number(),
        ))
    })
}

fn main() {
    let arguments = Arguments::parse();
    let mut maker = Maker::new(arguments.tables);
    let (rules, board) = (maker.rules, maker.rules.board);
    let path = |name: &str| arguments.out.join(format!("{name}.epd"));
    let Some(positions) = arguments.positions else {
        for (suite, name) in SUITES.iter().enumerate() {
            let text = std::fs::read_to_string(path(name)).expect("a suite");
            std::fs::write(path(name), maker.with_lines(&text, suite)).expect("room");
        }
        return;
    };
    let text = std::fs::read_to_string(positions).expect("positions");
    let fens = text.lines().filter_map(|line| line.split('\t').next());
    let mut starts: Vec<Position> = fens.map(|fen| parse_fen(fen, board).expect(fen)).collect();
    starts.shuffle(&mut ChaCha8Rng::seed_from_u64(arguments.seed));
    let stones_of = |position: &Position| position.occupied().count();
    let mut suites: [Vec<(u32, Entry)>; 2] = Default::default();
    for (stones, wanted, tried) in WANTED {
        let near: Vec<Position> = starts
            .iter()
            .copied()
            .filter(|position| (stones..stones + 3).contains(&stones_of(position)))
            .collect();
        let mut known = HashSet::new();
        let mut candidates = wander(rules, &near, arguments.seed)
            .take(20 * tried)
            .filter(|position| stones_of(position) == stones)
            .filter(|position| Game::from_position(rules, *position).outcome().is_none())
            .filter(|position| legal_moves(&rules, position).len() > 1)
            .filter(|position| known.insert(image(board, position)))
            .take(tried);
        let found = collect(&mut maker, &mut candidates, wanted);
        for (name, [late, at_once]) in SUITES.iter().zip(&found) {
            eprintln!(
                "{stones} stones, {name}: {}, at once {}",
                late.len(),
                at_once.len()
            );
        }
        for (suite, [late, at_once]) in suites.iter_mut().zip(found) {
            let spare = late.len() / 3;
            let entries = late.into_iter().chain(at_once.into_iter().take(spare));
            suite.extend(entries.map(|entry| (stones, entry)));
        }
    }
    for (place, suite) in suites.into_iter().enumerate() {
        let name = SUITES[place];
        let mut text = String::new();
        for (number, (stones, (position, mv))) in (1..).zip(suite) {
            let finds = |&(_, nodes): &(&str, u64)| maker.finds(&position, mv, None, Some(nodes));
            let level = LEVELS
                .into_iter()
                .find(finds)
                .map_or("hard", |(level, _)| level);
            let fen = format_fen(&position, board);
            let line = maker.operation(&position, place, mv);
            let mv = format_move(&rules, &position, mv).expect("legal");
            text += &format!(
                "{fen} bm {mv};{line} id {name}-{number:03}; tags {stones}-stones {level};\n"
            );
        }
        std::fs::write(path(name), text).expect("room");
    }
}
