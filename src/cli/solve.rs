//! `vato solve`: the values of games and positions, proven.

use std::cell::Cell;
use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, Subcommand};
use serde::Serialize;
use vato_engine::board::Side;
use vato_engine::notation::{format_fen, format_line, format_move};
use vato_engine::proofs::{CertificateFile, Claim};
use vato_engine::rules::{Game, legal_moves};
use vato_engine::tablebase::{MAX_STONES, TableFolders, TablebaseError, Tablebases, Wdl};
use vato_solver::files::{Lock, require_new, with_extension};
use vato_solver::{Answer, Asked, Progress, Solver, tables::for_solving};
use vato_tools::stop::StopSignal;

use super::proofs::{StrategyArguments, VerifyArguments};
use super::support::arguments::{
    MovesArgument, PositionArguments, mebibytes, milliseconds, number, start_threads, stem, threads,
};
use super::support::failure::{Failure, stdout};
use super::support::signals;

/// The longest time between two checkpoints, and the time before the first one.
const KEEP: Duration = Duration::from_secs(30);
const FIRST_KEEP: Duration = Duration::from_secs(1);
/// How often the progress is reported.
const TELL: Duration = Duration::from_secs(5);

/// Prove the value of a position, or of the whole game
///
/// Finds out for each side whether it can force a win, by a proof-number search with tablebases at its leaves;
/// endless play is not a win. A value is given only when its proof is complete: the set of positions that
/// --certificate writes, and that `vato solve verify` checks with only the rules and the tablebases.
///
/// Tablebases are those in the program and those of --tablebases; for other rules and boards they are solved at
/// the start: as many stones as take seconds, or --stones.
#[derive(Args, Clone, Debug)]
#[command(
    args_conflicts_with_subcommands = true,
    after_help = "Examples:
  vato solve --rules telo
  vato solve --rules dimy --each
  vato solve --rules \"board=5x7\" --threads 2 --certificate proof
  vato solve --moves d3-e3W --attacker white --hash 4096 --threads 2
  vato solve verify proof.white

Ctrl-C stops the search and saves the checkpoint. An existing certificate for the same question is kept.

Exit codes: 0 settled, 1 failed, 2 wrong usage, 3 stopped or not settled"
)]
pub struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,

    #[command(flatten)]
    position: PositionArguments,

    #[command(flatten)]
    moves: MovesArgument,

    /// Also the values of all moves
    #[arg(long)]
    each: bool,

    /// Only ask whether this side can win
    #[arg(long, value_name = "SIDE", conflicts_with = "each", value_parser = side())]
    attacker: Option<Side>,

    /// A folder of tablebases; may be given several times; auto: where `vato tablebase build` writes
    #[arg(long, value_name = "DIR")]
    tablebases: Vec<PathBuf>,

    /// Solve tablebases of up to this many stones in memory, if neither the program nor a folder has them [default:
    /// as many as take seconds]
    #[arg(long, value_name = "N", value_parser = number::<u32>(1..=u64::from(MAX_STONES)))]
    stones: Option<u32>,

    /// Size of the table of proof numbers, in MiB
    #[arg(long, value_name = "MB", default_value_t = 1024, value_parser = mebibytes(1))]
    hash: u64,

    /// Number of threads
    #[arg(long, value_name = "T", default_value_t = 1, value_parser = threads())]
    threads: u64,

    /// Stop after this many milliseconds (with --each: for the position, and for each move)
    #[arg(long, value_name = "MS", value_parser = milliseconds)]
    movetime: Option<Duration>,

    /// Stop after about this many nodes, for each position as --movetime
    #[arg(long, value_name = "N", value_parser = number::<u64>(1..))]
    nodes: Option<u64>,

    /// Checkpoint file: written twice a minute, and read if it exists, so that the same command continues after
    /// an interruption
    #[arg(long, value_name = "FILE")]
    checkpoint: Option<PathBuf>,

    /// Write the proofs: NAME.white says whether White can win, NAME.black whether Black can
    #[arg(long, value_name = "NAME", conflicts_with = "each", value_parser = stem())]
    certificate: Option<PathBuf>,

    /// Print the result as one JSON object (docs/schema/solution.json)
    #[arg(long)]
    json: bool,
}

fn side() -> impl TypedValueParser<Value = Side> {
    PossibleValuesParser::new(["white", "black"])
        .map(|name| Side::BOTH[usize::from(name == "black")])
}

#[derive(Clone, Debug, Subcommand)]
enum Command {
    Verify(VerifyArguments),
    Strategy(StrategyArguments),
}

#[derive(Default, Serialize)]
struct Solution {
    /// Of the side to move: win, draw, loss or unknown.
    value: &'static str,
    /// What is known if the value is not.
    #[serde(skip_serializing_if = "Option::is_none")]
    known: Option<Vec<&'static str>>,
    nodes: u64,
    seconds: f64,
    /// Proof and disproof number of a single question that is not settled.
    #[serde(skip_serializing_if = "Option::is_none")]
    numbers: Option<[u32; 2]>,
    /// A line of best play up to the tables, or to where it comes round.
    line: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    moves: Option<Vec<MoveValue>>,
}

#[derive(Serialize)]
struct MoveValue {
    #[serde(rename = "move")]
    mv: String,
    /// Of the side that plays it.
    value: &'static str,
}

pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    start_threads(arguments.threads as usize)?;
    match &arguments.command {
        Some(Command::Verify(arguments)) => return arguments.verify(),
        Some(Command::Strategy(arguments)) => return arguments.make(),
        None => {}
    }
    let (rules, start) = arguments.position.read()?;
    let game = arguments.moves.game(rules, start)?;
    let position = *game.position();
    let mover = position.side();
    let began = Instant::now();
    let stop = signals::watch("")?;
    let goes_on =
        || !stop.is_given() && arguments.movetime.is_none_or(|time| began.elapsed() < time);
    let folders = TableFolders::of(arguments.tablebases.clone());
    let tables = for_solving(&rules, &folders, arguments.stones, &goes_on);
    if let Err(TablebaseError::Stopped) = tables {
        let unknown = Solution {
            value: "unknown",
            known: Some(Vec::new()),
            seconds: began.elapsed().as_secs_f64(),
            ..Solution::default()
        };
        print(&unknown, &game, arguments.json)?;
        let told = "stopped while the tables were solved: --stones takes smaller ones";
        return Err(Failure::Stopped(Some(told.to_owned())));
    }
    let tables = Arc::new(tables?);
    let (hash, threads) = (arguments.hash as usize, arguments.threads as usize);
    let solver = Solver::new(&rules, Arc::clone(&tables), hash, threads)?;
    let asking = Asking::new(arguments, &game, solver, &tables, began, stop)?;
    let mut solved = asking.solve(&game, true)?;
    let mut moves = Vec::new();
    if arguments.each {
        for &mv in &*legal_moves(&rules, &position) {
            let mut after = game.clone();
            after.play(mv).map_err(Failure::new)?;
            moves.push((mv, asking.solve(&after, false)?));
        }
        if game.outcome().is_none() {
            solved.join(mover, &mut moves);
        }
    }
    let known = [(mover, "not-win"), (!mover, "not-loss")].into_iter();
    let known = known.filter(|&(side, _)| solved.claims[side as usize] == Some(Claim::CannotWin));
    let known: Vec<&str> = known.map(|(_, name)| name).collect();
    let value = solved.value(mover);
    let is_single = arguments.attacker.is_some();
    let is_settled = (value.is_some() || is_single && !known.is_empty())
        && (moves.iter()).all(|(_, after)| after.value(mover).is_some());
    let name = |value: Option<Wdl>| value.map_or("unknown", Wdl::name);
    let moves = moves.iter().map(|(mv, after)| MoveValue {
        mv: format_move(&rules, &position, *mv).unwrap_or_default(),
        value: name(after.value(mover)),
    });
    let solution = Solution {
        value: name(value),
        known: value.is_none().then_some(known),
        nodes: asking.solver.nodes(),
        seconds: asking.seconds(),
        numbers: (is_single && !is_settled).then(|| asking.solver.numbers()),
        line: format_line(&rules, &position, &solved.line),
        moves: arguments.each.then(|| moves.collect()),
    };
    print(&solution, &game, arguments.json)?;
    if let Some(failure) = asking.unwritten.take() {
        return Err(failure);
    }
    let kept = match &arguments.checkpoint {
        _ if is_settled => return Ok(()),
        _ if !asking.stop.is_given() => None,
        Some(path) => Some(format!(
            "stopped; the same command continues from {}",
            path.display()
        )),
        None => Some("stopped; --checkpoint would have saved the search".to_owned()),
    };
    Err(Failure::Stopped(kept))
}

fn print(solution: &Solution, game: &Game, json: bool) -> Result<(), Failure> {
    let (rules, position) = (game.rules(), game.position());
    let mut out = stdout();
    if json {
        return Ok(writeln!(out, "{}", serde_json::to_string(solution)?)?);
    }
    writeln!(out, "{}", format_fen(position, rules.board))?;
    let known = solution.known.iter().flatten().copied();
    let known: Vec<&str> = [solution.value].into_iter().chain(known).collect();
    writeln!(out, "value: {} for {}", known.join(", "), position.side())?;
    for MoveValue { mv, value } in solution.moves.iter().flatten() {
        writeln!(out, "  {mv:<16} {value}")?;
    }
    if !solution.line.is_empty() {
        writeln!(out, "line: {}", solution.line.join(" "))?;
    }
    if let Some(outcome) = game.outcome() {
        writeln!(out, "the game is over: {outcome}")?;
    }
    if let Some([proof, disproof]) = solution.numbers {
        writeln!(out, "proof number: {proof}, disproof number: {disproof}")?;
    }
    writeln!(out, "nodes: {}", solution.nodes)?;
    Ok(writeln!(out, "time: {:.2} s", solution.seconds)?)
}

struct Asking<'a> {
    arguments: &'a Arguments,
    game: &'a Game,
    solver: Solver,
    tables: &'a Tablebases,
    stop: StopSignal,
    began: Instant,
    /// Seconds spent before, by the checkpoint.
    before: f64,
    /// Where the proofs for White and Black are to be written; none that are not asked for, or are there already.
    proofs: [Option<PathBuf>; 2],
    /// Keep others from the proofs and the checkpoint.
    _locks: Vec<Lock>,
    /// Why a proof could not be written.
    unwritten: Cell<Option<Failure>>,
}

impl<'a> Asking<'a> {
    /// Goes on from the checkpoint, if there is one. A file that cannot be written is found out now.
    fn new(
        arguments: &'a Arguments,
        game: &'a Game,
        solver: Solver,
        tables: &'a Tablebases,
        began: Instant,
        stop: StopSignal,
    ) -> Result<Asking<'a>, Failure> {
        let proof = |side| arguments.proof(game, side, tables);
        let proofs = [proof(Side::White)?, proof(Side::Black)?];
        let files = proofs.iter().flatten().chain(&arguments.checkpoint);
        let locks = files.map(|path| Lock::take(path));
        let locks = locks.collect::<Result<_, _>>()?;
        let mut before = 0.0;
        if let Some(path) = &arguments.checkpoint {
            if path.exists() {
                before = solver.read_checkpoint(path, game)?;
            }
            solver.write_checkpoint(path, game, before)?;
        }
        Ok(Asking {
            arguments,
            game,
            solver,
            tables,
            stop,
            began,
            before,
            proofs,
            _locks: locks,
            unwritten: Cell::new(None),
        })
    }

    /// Seconds spent in all, those before the checkpoint included.
    fn seconds(&self) -> f64 {
        self.before + self.began.elapsed().as_secs_f64()
    }

    /// Writes the checkpoint, if one is asked for. A failure is reported, and the work goes on.
    fn keep(&self) {
        let time = self.seconds();
        if let Some(path) = &self.arguments.checkpoint
            && let Err(error) = self.solver.write_checkpoint(path, self.game, time)
        {
            let _ = writeln!(io::stderr(), "no checkpoint: {error}");
        }
    }

    /// The value of a position; its proofs are written if it is the one that was asked for.
    fn solve(&self, game: &Game, is_root: bool) -> Result<vato_solver::Solution, Failure> {
        let end = self.arguments.movetime.map(|time| Instant::now() + time);
        let is_over = || self.stop.is_given() || end.is_some_and(|end| Instant::now() >= end);
        let only = self.arguments.attacker;
        let stop = AtomicBool::new(is_over());
        let began = Instant::now();
        let [mut told, mut kept] = [began; 2];
        let most = self.arguments.nodes.unwrap_or(u64::MAX);
        Ok(self.solver.value(game, only, most, &stop, &mut |asked| {
            let now = Instant::now();
            match asked {
                Asked::Answer(attacker, answer) => {
                    self.keep();
                    if is_root {
                        self.write_proof(attacker, answer);
                    }
                }
                Asked::Progress(attacker, progress) => {
                    // More often at first: what is short is not lost either.
                    if now - kept >= KEEP.min(kept - began + FIRST_KEEP) {
                        self.keep();
                        kept = Instant::now();
                    }
                    if now - told >= TELL {
                        told = now;
                        let Progress { nodes, proof, disproof } = progress;
                        // With standard error closed there is nobody to tell.
                        let _ = writeln!(
                            io::stderr(),
                            "can {attacker} win? {:.0} s, {nodes} nodes, proof number {proof}, disproof number \
                             {disproof}",
                            self.seconds()
                        );
                    }
                }
            }
            for complaint in self.tables.complaints() {
                let _ = writeln!(io::stderr(), "warning: a damaged table is left out: {complaint}");
            }
            if is_over() {
                stop.store(true, Ordering::Relaxed);
            }
        })?)
    }

    /// Writes the proof of an answer, if it is asked for. A failure is kept, and the work goes on.
    fn write_proof(&self, attacker: Side, answer: &Answer) {
        if let (Answer::Settled(certificate), Some(path)) =
            (answer, &self.proofs[attacker as usize])
            && let Err(failure) = require_new(path)
                .map_err(Failure::cannot_write(path))
                .and_then(|()| Ok(certificate.write(path)?))
        {
            self.unwritten.set(Some(failure));
        }
    }
}

impl Arguments {
    /// Where the proof of a question is to be written. What is there already has to be one.
    fn proof(
        &self,
        game: &Game,
        attacker: Side,
        tables: &Tablebases,
    ) -> Result<Option<PathBuf>, Failure> {
        let is_asked = self.attacker.is_none_or(|only| only == attacker);
        let Some(name) = self.certificate.as_ref().filter(|_| is_asked) else {
            return Ok(None);
        };
        let path = with_extension(name, &attacker.to_string().to_lowercase());
        if self.checkpoint.as_ref() == Some(&path) {
            let path = path.display();
            return Err(Failure::Usage(format!(
                "--checkpoint and --certificate both write {path}: give them different names"
            )));
        }
        match require_new(&path) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            // Long work is not to end at a folder that is not there.
            absent => {
                absent.map_err(Failure::cannot_write(&path))?;
                return Ok(Some(path));
            }
        }
        let there = CertificateFile::open(&path)?;
        let header = &there.header;
        let is_same = there.rules == *game.rules()
            && header.root == format_fen(game.position(), game.rules().board)
            && header.attacker == attacker.to_string()
            && header.stones == tables.stones()
            && there.require_tables(tables).is_ok();
        match is_same {
            true => Ok(None),
            false => Err(Failure::new(format_args!(
                "{} is there, a certificate of another question or other tables; it is not replaced",
                path.display()
            ))),
        }
    }
}
