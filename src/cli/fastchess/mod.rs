//! `vato fastchess`: a match by the command line of fastchess and cutechess-cli, for tools that call these.

mod grammar;
mod text;

use std::io::Write;

use clap::Args;
use vato_engine::files::AppendFile;
use vato_tools::tournament::record::{GameEntry, game_record};
use vato_tools::tournament::{Ending, Event, Match, MatchError, MatchState};

use self::grammar::{PgnOut, Plan};
use super::support::failure::{Failure, stdout};
use super::support::signals;

/// Play a match by the command line of fastchess or cutechess-cli
///
/// For OpenBench, tuners and scripts that call one of these. The program is this command where its own name begins
/// with fastchess or is cutechess-cli. Engines, limits, openings, adjudication and the sequential test are those of
/// `vato match`, which says more; scores are given in hundredths of a stone here, as there in pawns. The rules come
/// from the engines' option Rules or UCI_Variant, or from -variant; else they are tsivy.
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
  -engine KEY=VALUE…   an engine: cmd, dir, name, args, proto=uci|ugi, tc, st, nodes, depth, timemargin,
                       option.NAME, restart, ponder; conf=NAME is one of engines.json
  -each KEY=VALUE…     what all engines have
  -rounds N            rounds of -games games [1; with -sprt 50000]
  -games N             games of a round or encounter [2]
  -tournament NAME     roundrobin or gauntlet
  -concurrency N       games at a time [1]
  -openings file=FILE  format=epd|pgn, order=sequential|random, plies=N, start=N [without: even positions]
  -srand N             the seed of order=random [0]
  -resign, -draw       movecount=N score=N; movenumber=N of -draw, twosided=true of -resign
  -maxmoves N          games are drawn after so many moves of both
  -sprt                elo0=X elo1=X alpha=P beta=P model=normalized|logistic
  -variant RULES       a preset or a rules string
  -tb DIR              end games that reach these tables of Vato
  -pgnout FILE         games are added to it: file=FILE, nodes=true, seldepth=true, append=false
  -event, -site NAME   tags of the games
  -ratinginterval N    figures after every N games [10]
  -log file=PREFIX     the communication with each engine, in PREFIX-ENGINE.log

Example:
  vato fastchess -engine cmd=vato name=A -engine cmd=vato name=B nodes=500 -each nodes=1000 -rounds 2 -pgnout a.pgn";

/// Plays the match, and prints each game as it begins and ends.
pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let plan = Plan::read(&arguments.words)?;
    let mut pgn = plan.pgn.as_ref().map(open_pgn).transpose()?;
    let stop = signals::watch("games")?;
    // The record of a match that goes on; no tool that calls this asks for it.
    let folder = tempfile::Builder::new().prefix("vato-match-").tempdir()?;
    let opened = Match::begin(
        plan.settings,
        &folder.path().join("match"),
        plan.log.as_deref(),
        &stop,
    );
    let mut contest = opened.map_err(|error| match error {
        MatchError::Stopped => Failure::Stopped(Some(error.to_string())),
        error => error.into(),
    })?;
    let total = contest.state.extent().total;
    let mut failed = Ok(());
    let ending = contest.run(&mut |event| {
        let done = match event {
            Event::Started { game, players } => print(&text::started(game, total, players)),
            Event::Game { entry, state } => {
                let mut text = text::finished(entry, state);
                if plan.interval > 0 && state.standings.games.is_multiple_of(plan.interval) {
                    text += &text::figures(state);
                }
                let kept = plan
                    .pgn
                    .as_ref()
                    .zip(pgn.as_mut())
                    .map_or(Ok(()), |(out, file)| {
                        let game = game_text(state, entry, out, plan.site.as_deref())?;
                        Ok(file.append(game.as_bytes())?)
                    });
                kept.and_then(|()| print(&text))
            }
            Event::Absent(what) => Ok(log::warn!("{what}")),
            Event::Tick => Ok(()),
        };
        if let (Err(error), Ok(())) = (done, &failed) {
            failed = Err(error);
            stop.now();
        }
    });
    failed?;
    let ending = ending?;
    // An interval may end with the match.
    if plan.interval == 0 || !contest.state.standings.games.is_multiple_of(plan.interval) {
        print(&text::figures(&contest.state))?;
    }
    match ending {
        Ending::Complete | Ending::Decided => print("Finished match\n"),
        Ending::Stopped => Err(Failure::Stopped(None)),
    }
}

/// Lines on standard output, at once: a program waits for them.
fn print(text: &str) -> Result<(), Failure> {
    let mut out = stdout();
    out.write_all(text.as_bytes())?;
    Ok(out.flush()?)
}

/// The file of the games.
fn open_pgn(out: &PgnOut) -> Result<AppendFile, Failure> {
    let mut file = AppendFile::open(&out.file, true)?;
    if !out.append {
        file.cut(0)?;
    }
    Ok(file)
}

/// A game as a record, with the words of these runners.
fn game_text(
    state: &MatchState,
    entry: &GameEntry,
    out: &PgnOut,
    site: Option<&str>,
) -> Result<String, Failure> {
    let mut record = game_record(&state.settings, entry)?;
    if let Some(site) = site {
        record.set_tag("Site", site)?;
    }
    record.set_tag("Termination", text::termination(entry.termination))?;
    for (mv, told) in record.moves_mut().iter_mut().zip(&entry.moves) {
        let (nodes, seldepth) = (
            told.nodes.filter(|_| out.nodes),
            told.seldepth.filter(|_| out.seldepth),
        );
        let nodes = nodes.map(|nodes| format!(", n={nodes}"));
        let seldepth = seldepth.map(|depth| format!(", sd={depth}"));
        if let Some(comment) = mv.comment().map(str::to_owned) {
            let more = nodes.unwrap_or_default() + &seldepth.unwrap_or_default();
            // Readers know numbers only; a win by tables is at least so large.
            mv.set_comment(&(comment.replacen("TB", "290.00", 1) + &more));
        }
    }
    // Readers take words behind the last move's comment for moves.
    let reason = record.final_comment().map(str::to_owned);
    if let (Some(reason), Some(last)) = (reason, record.moves_mut().last_mut()) {
        let told = last.comment().map(|told| format!("{told}, {reason}"));
        last.set_comment(&told.unwrap_or(reason));
        record.set_final_comment("");
    }
    Ok(record.to_string())
}
