//! One engine against another, to measure which is stronger.
//!
//! The tool behind every decision on search and evaluation:
//!
//! ```text
//! VATO_MATCH_B=/path/to/the/older/vato VATO_MATCH_GO="nodes 5000" \
//!     cargo test --release --test versus -- --ignored --nocapture
//! ```
//!
//! | variable | default | meaning |
//! |---|---|---|
//! | `VATO_MATCH_A`, `_B` | the built binary | the engines; figures are from A's view |
//! | `VATO_MATCH_OPTIONS_A`, `_B` | none | `Name=Value;Name=Value` |
//! | `VATO_MATCH_GO` | `nodes 5000` | or `movetime MS`, `depth N`, `clock MS+MS` |
//! | `VATO_MATCH_PAIRS` | 100 | openings, each played twice with colours swapped |
//! | `VATO_MATCH_PLIES` | 6 | random turns of an opening |
//! | `VATO_MATCH_SEED` | 1 | of the openings |
//! | `VATO_MATCH_RULES` | `tsivy` | a preset or a rules string |
//! | `VATO_MATCH_CONCURRENCY` | 2 | games at a time |
//!
//! Each thread keeps one pair of processes for all its games. Engine A is the
//! referee; a game is drawn after 400 plies. A failure (death, hang, illegal
//! move, time loss) loses the game and is counted apart.

mod support;

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use rand::SeedableRng;
use rand::rngs::StdRng;

use support::Info;
use support::cutegames::{Fault, Plan, Seat};
use support::match_stats::PairStats;
use support::openings::random_openings;
use support::settings::{Limit, Opening, Rules, Who, env_or};

/// A game that is not over by then is drawn.
const PLY_CAP: usize = 400;

/// How often the score so far is printed.
const REPORT_EVERY: Duration = Duration::from_secs(10);

/// Longer than any move of such a match takes.
const HANG: Duration = Duration::from_secs(120);

/// What an engine did over the match.
#[derive(Clone, Copy, Default)]
struct Effort {
    moves: u64,
    depth: u64,
    nodes: u64,
    time: Duration,
}

impl Effort {
    fn add(&mut self, other: &Self) {
        self.moves += other.moves;
        self.depth += other.depth;
        self.nodes += other.nodes;
        self.time += other.time;
    }
}

/// The match so far.
#[derive(Default)]
struct Tally {
    stats: PairStats,
    plies: usize,
    capped: u64,
    effort: [Effort; 2],
    faults: Vec<String>,
    reported: Option<Instant>,
}

/// One finished game.
struct Game {
    half_points_of_a: u32,
    plies: usize,
    capped: bool,
    effort: [Effort; 2],
    fault: Option<String>,
}

#[test]
#[ignore = "a measurement: see the head of this file"]
fn versus() {
    let limit: Limit = env_or("VATO_MATCH_GO", Limit::Nodes(5000));
    let rules = Rules::from(env_or("VATO_MATCH_RULES", "tsivy".to_owned()));
    let pairs: usize = env_or("VATO_MATCH_PAIRS", 100);
    let plies: usize = env_or("VATO_MATCH_PLIES", 6);
    let mut plan = Plan::new(rules, limit, 2 * pairs);
    plan.concurrency = env_or("VATO_MATCH_CONCURRENCY", 2);
    let mut rng = StdRng::seed_from_u64(env_or("VATO_MATCH_SEED", 1));
    for who in Who::BOTH {
        let contestant = &plan.contestants[who.index()];
        println!(
            "{who:?}: {} {:?}",
            contestant.path.display(),
            contestant.options
        );
    }
    println!("{pairs} pairs, {limit:?}, {:?}, {plies} plies", plan.rules);
    let first = &plan.contestants[Who::A.index()];
    plan.openings = random_openings(first, &plan.rules, plies, pairs, &mut rng);

    let next = AtomicUsize::new(0);
    let tally = Mutex::new(Tally::default());
    let worker = || {
        let mut seats = None;
        loop {
            let pair = next.fetch_add(1, Ordering::Relaxed);
            let Some(opening) = plan.openings.get(pair) else {
                return;
            };
            let games = Who::BOTH.map(|first| play(&plan, opening, first, &mut seats));
            record(&mut tally.lock().expect("no thread panics"), games, pairs);
        }
    };
    thread::scope(|scope| {
        for _ in 0..plan.concurrency.max(1) {
            scope.spawn(worker);
        }
    });
    let tally = tally.into_inner().expect("no thread panics");
    summarise(&tally);
}

fn record(tally: &mut Tally, games: [Game; 2], pairs: usize) {
    tally
        .stats
        .add([games[0].half_points_of_a, games[1].half_points_of_a]);
    for game in games {
        tally.plies += game.plies;
        tally.capped += u64::from(game.capped);
        for who in Who::BOTH {
            tally.effort[who.index()].add(&game.effort[who.index()]);
        }
        if let Some(fault) = &game.fault {
            println!("fault: {fault}");
        }
        tally.faults.extend(game.fault);
    }
    let done = tally.stats.pairs.iter().sum::<u64>();
    let due = tally
        .reported
        .is_none_or(|last| last.elapsed() >= REPORT_EVERY);
    if due {
        println!("{done}/{pairs}  {}", tally.stats);
        tally.reported = Some(Instant::now());
    }
}

fn summarise(tally: &Tally) {
    let stats = &tally.stats;
    let games = stats.games().max(1);
    let (elo, low, high) = stats.elo();
    println!("\nresult from A's view");
    println!(
        "  W-D-L        {}-{}-{}  ({} games, {} at the cap of {PLY_CAP} plies, mean length {:.1})",
        stats.wins,
        stats.draws,
        stats.losses,
        stats.games(),
        tally.capped,
        tally.plies as f64 / games as f64,
    );
    println!(
        "  pentanomial  {:?}  (pairs with 0 ½ 1 1½ 2 points)",
        stats.pairs
    );
    println!("  Elo          {elo:+.1}  95 % interval [{low:+.1}, {high:+.1}]");
    println!("  LOS          {:.1} %", 100.0 * stats.superiority());
    for who in Who::BOTH {
        let effort = &tally.effort[who.index()];
        let moves = effort.moves.max(1) as f64;
        println!(
            "  {who:?}            mean depth {:.1}, {:.0} nodes a move, {:.0} knps, {:.1} ms a move",
            effort.depth as f64 / moves,
            effort.nodes as f64 / moves,
            effort.nodes as f64 / effort.time.as_secs_f64().max(1e-9) / 1e3,
            effort.time.as_secs_f64() * 1e3 / moves,
        );
    }
    println!("  faults       {}", tally.faults.len());
    for fault in &tally.faults {
        println!("    {fault}");
    }
}

/// Plays one game; a failure loses it, and both engines are started afresh.
fn play(plan: &Plan, opening: &Opening, first: Who, seats: &mut Option<[Seat; 2]>) -> Game {
    let mut game = Game {
        half_points_of_a: 1,
        plies: 0,
        capped: false,
        effort: [Effort::default(); 2],
        fault: None,
    };
    let outcome = match seats {
        Some(seats) => Ok(seats),
        None => Seat::both(plan).map(|pair| seats.insert(pair)),
    }
    .and_then(|seats| run(plan, opening, first, seats, &mut game));
    match outcome {
        Ok(half_points) => game.half_points_of_a = half_points,
        Err(fault) => {
            game.half_points_of_a = if fault.by == Who::A { 0 } else { 2 };
            game.fault = Some(format!("{:?}: {}", fault.by, fault.what));
            *seats = None;
        }
    }
    game
}

/// A's half points.
fn run(
    plan: &Plan,
    opening: &Opening,
    first: Who,
    seats: &mut [Seat; 2],
    game: &mut Game,
) -> Result<u32, Fault> {
    let order = [first, first.other()];
    for seat in seats.iter_mut() {
        seat.engine.send("uginewgame");
        seat.is_ready()?;
        seat.complaints.clear();
    }
    let mut moves: Vec<String> = Vec::new();
    let mut clocks = plan.limit.clocks();
    let first_to_move = seats[0].is_first_players_turn(&opening.position(&moves))?;
    let mut player = usize::from(!first_to_move);
    loop {
        let position = opening.position(&moves);
        let over = seats[0].is_gameover(&position)?;
        if let Some(complaint) = seats[0].complaints.pop() {
            let by = order[1 - player]; // the one who has just moved
            let what = format!("{complaint}, in {position}");
            return Err(Fault { by, what });
        }
        if over {
            let half_points_of_first = match seats[0].result(&position)?.as_str() {
                "p1win" => 2,
                "p2win" => 0,
                _ => 1,
            };
            return Ok(match first {
                Who::A => half_points_of_first,
                Who::B => 2 - half_points_of_first,
            });
        }
        if moves.len() >= PLY_CAP {
            game.capped = true;
            return Ok(1);
        }
        let who = order[player];
        let seat = &mut seats[who.index()];
        if who == Who::B {
            seat.engine.send(&position);
        }
        let go = plan.limit.go(clocks.as_ref());
        let start = Instant::now();
        seat.engine.send(&go);
        let (turn, spent) = best_move(seat, start, &mut game.effort[who.index()])?;
        if let Some(clocks) = &mut clocks
            && !clocks.charge(player, spent)
        {
            let what = format!("time loss in {position}");
            return Err(Fault { by: who, what });
        }
        moves.push(turn);
        game.plies += 1;
        player = 1 - player;
    }
}

/// Waits for the move and adds the figures of the last `info` line.
fn best_move(
    seat: &mut Seat,
    start: Instant,
    effort: &mut Effort,
) -> Result<(String, Duration), Fault> {
    let mut last = None;
    let line = seat.wait(HANG, "a bestmove", |line| {
        if line.starts_with("info") && line.contains(" score ") {
            last = Some(line.to_owned());
        }
        line.starts_with("bestmove ")
    })?;
    let turn = line.text.split_whitespace().nth(1).unwrap_or_default();
    let spent = line.at.saturating_duration_since(start);
    if let Some(Ok(Some(info))) = last.map(|line| Info::parse(&line)) {
        effort.moves += 1;
        effort.depth += info.depth.unwrap_or(0);
        effort.nodes += info.nodes.unwrap_or(0);
        effort.time += spent;
    }
    Ok((turn.to_owned(), spent))
}

/// The figures agree with values computed by hand.
#[test]
fn figures_of_a_match() {
    let mut even = PairStats::default();
    let mut better = PairStats::default();
    for _ in 0..50 {
        even.add([2, 0]);
        even.add([1, 1]);
        better.add([2, 1]);
        better.add([1, 1]);
    }
    assert_eq!((even.wins, even.draws, even.losses), (50, 100, 50));
    assert_eq!(even.pairs, [0, 0, 100, 0, 0]);
    assert!(even.elo().0.abs() < 1e-6);
    assert!((even.superiority() - 0.5).abs() < 1e-6);

    // Pair scores 0.75 and 0.5 in equal numbers: mean 0.625, standard error
    // 0.125 / 10.
    assert_eq!(better.pairs, [0, 0, 50, 50, 0]);
    let (mean, error) = better.mean_and_error();
    assert!((mean - 0.625).abs() < 1e-4, "{mean}");
    assert!((error - 0.0125).abs() < 1e-4, "{error}");
    let (elo, low, high) = better.elo();
    assert!((elo - 88.74).abs() < 0.1, "{elo}");
    assert!(low > 70.0 && low < elo && elo < high && high < 108.0);
    assert!(better.superiority() > 0.999_999);
}
