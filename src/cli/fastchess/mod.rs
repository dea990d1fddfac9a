//! `vato fastchess`: a match by the command line of fastchess and cutechess-cli, for tools that call these.

mod grammar;
mod text;

use std::io::Read;
use std::mem::take;
use std::path::{Path, PathBuf};

use clap::Args;
use vato_solver::files::{AppendFile, canonical};
use vato_tools::tournament::record::{GameEntry, game_record};
use vato_tools::tournament::{Ending, Match, MatchEvent, MatchState};

use self::grammar::{PgnOut, Plan};
use self::text::Output;
use super::support::failure::{Failure, print};
use super::support::signals;

/// Play a match by the command line of fastchess or cutechess-cli
///
/// For OpenBench, tuners and scripts that call one of these. If the program's own name begins with fastchess or is
/// cutechess-cli, this command is run, and prints what that program prints. Engines, limits, openings, adjudication and
/// the sequential test are those of `vato match`, whose help explains them; scores are in hundredths of a stone. The
/// rules come from the engines' options Rules and UCI_Variant, or from -variant; otherwise they are tsivy.
#[derive(Args, Debug)]
#[command(after_help = AFTER)]
pub struct Arguments {
    /// Flags and their values
    #[arg(
        trailing_var_arg = true,
        allow_hyphen_values = true,
        required = true,
        value_name = "-FLAG VALUE…"
    )]
    words: Vec<String>,
}

const AFTER: &str = "\
Flags:
  -engine KEY=VALUE…  an engine: cmd, dir, name, args, proto=uci|ugi [uci], tc,
                      st, nodes, depth, timemargin, option.NAME, restart,
                      ponder, rules=options (as of `vato match`); conf=NAME is
                      one of engines.toml or engines.json
  -each KEY=VALUE…    settings of all engines; -engine overrides them
  -rounds N           rounds of -games games [2, as cutechess-cli 1; with
                      -sprt 50000; of a Swiss as many as it takes]
  -games N            games of a round or encounter [2, as cutechess-cli 1]
  -tournament NAME    roundrobin, gauntlet, swiss or knockout
  -concurrency N      games at a time [1]
  -openings file=FILE positions, or games if it ends in .pgn, .json, .sgf or .trl;
                      plies=N, start=N, order=sequential|random [without: as `vato match`]
  -srand N            seed of order=random [a new one]
  -resign, -draw      movecount=N score=N; movenumber=N of -draw [30],
                      twosided=true of -resign
  -maxmoves N         games end after so many moves of both
  -sprt               elo0=X elo1=X alpha=P beta=P model=normalized|logistic
  -variant RULES      a preset or a rules string; standard and fischerandom
                      name no rules
  -tb DIR             end games that reach these tables of Vato
  -pgnout FILE        append the games to a file: file=FILE, nodes=true,
                      seldepth=true, append=false
  -event, -site NAME  tags of the games
  -ratinginterval N   figures after every N pairs of games [10, as
                      cutechess-cli at the end only]
  -report penta=false figures of games, not of pairs (cutechess-cli: always)
  -output format=NAME lines of fastchess or cutechess
  -log file=PREFIX    the communication with each engine: PREFIX-ENGINE.log
  -use-affinity       bind engines to processors

-repeat and -recover are always on; docs/match.md lists what has no effect.

Example:
  vato fastchess -engine cmd=vato name=A -engine cmd=vato name=B -each nodes=1000";

/// Plays the match, and prints each game as it begins and ends.
pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let mut plan = Plan::read(&arguments.words)?;
    let open = |out: PgnOut| {
        let mut file = AppendFile::open(&out.file, true)?;
        let mut start = Vec::new();
        file.read_from(0)?.take(2).read_to_end(&mut start)?;
        if start == b"{\"" {
            let file = out.file.display();
            let what = format!("-pgnout: {file} is the record of a match, expected a file of PGN");
            return Err(Failure::Usage(what));
        }
        Ok((file, out))
    };
    // Tools that want no file name this one.
    let is_file = |path: &PathBuf| canonical(path) != Path::new("/dev/null");
    let pgn = plan.pgn.take().filter(|out| is_file(&out.file));
    let mut pgn = pgn.map(open).transpose()?;
    plan.log = plan.log.filter(is_file);
    let stop = signals::watch("games")?;
    // No tool that calls this asks for the record of a match that goes on.
    let mut contest = Match::begin(take(&mut plan.settings), None, plan.log.as_deref(), &stop)?;
    if let Some((file, out)) = &mut pgn {
        if out.append == Some(false) {
            file.cut(0)?;
        }
        let mut end = Vec::new();
        let mut last = file.read_from(file.length().saturating_sub(2))?;
        last.read_to_end(&mut end)?;
        // A game that was never finished ends somewhere in a line.
        if ![&b""[..], b"\n\n"].contains(&&*end) {
            file.append(b"\n\n")?;
        }
    }
    let total = contest.state.last_number();
    let mut output = Output::new(&plan, &contest);
    let mut told = Ok(());
    let ended = contest.run(&mut |event, state| {
        let mut tell = || match event {
            MatchEvent::Started { game, players } => print(Output::started(*game, total, players)),
            MatchEvent::Game(entry) => {
                if let Some((file, out)) = &mut pgn {
                    let game = game_text(state, entry, out, plan.site.as_deref())?;
                    file.append(game.as_bytes())?;
                }
                print(output.finished(entry, state))
            }
            MatchEvent::Absent(what) => {
                log::warn!("{what}");
                Ok(())
            }
            MatchEvent::Moved(_) | MatchEvent::Tick => Ok(()),
        };
        if let (Err(error), Ok(())) = (tell(), &told) {
            told = Err(error);
            stop.now();
        }
    });
    // Who reads no more has stopped it.
    told.map_err(|error| match error {
        Failure::ClosedPipe => Failure::Stopped(None),
        error => error,
    })?;
    let ended = ended?;
    print(output.end(&contest.state, ended))?;
    match ended {
        Ending::Complete | Ending::Decided => Ok(()),
        Ending::Stopped => Err(Failure::Stopped(None)),
    }
}

/// A game as a record, with the words of these runners.
fn game_text(
    state: &MatchState,
    entry: &GameEntry,
    out: &PgnOut,
    site: Option<&str>,
) -> Result<String, Failure> {
    let mut record = game_record(&state.settings, entry)?;
    let (site, termination) = (site.unwrap_or("?"), text::termination(entry.termination));
    for (name, value) in [("Site", site), ("Termination", termination)] {
        record.set_tag(name, value).map_err(Failure::Error)?;
    }
    let moves = record.moves_mut().iter_mut().zip(&entry.moves);
    for (number, (mv, told)) in (1..).zip(moves) {
        // Readers know numbers only; a win by tables is at least so large.
        let figures = mv.comment.as_deref();
        let figures = figures.map(|text| text.replacen("TB", "290.00", 1));
        let nodes = told.nodes.filter(|_| out.nodes);
        let nodes = nodes.map(|nodes| format!("n={nodes}"));
        let seldepth = told.seldepth.filter(|_| out.seldepth);
        let seldepth = seldepth.map(|depth| format!("sd={depth}"));
        // They take words behind the last move's comment for moves.
        let is_last = number == entry.moves.len();
        let fault = entry.termination.is_fault().then(|| entry.reason.clone());
        let fault = fault.filter(|_| is_last);
        // OpenBench finds the game of an error by these words.
        let reason = is_last.then(|| text::reason(entry, &state.settings));
        let parts = [figures, nodes, seldepth, fault, reason]
            .into_iter()
            .flatten();
        mv.set_comment(&parts.collect::<Vec<_>>().join(", "));
    }
    if !entry.moves.is_empty() {
        record.set_final_comment("");
    }
    Ok(record.to_string())
}
