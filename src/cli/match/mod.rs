//! `vato match`: engine against engine.

mod arguments;
mod help;
mod page;
mod progress;
mod summary;
mod tables;
mod text;

use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};

use vato_engine::files::{self, AppendFile, canonical, with_extension};
use vato_tools::tournament::record::{GameEntry, read_record, state_file};
use vato_tools::tournament::{Ending, Event, Match, MatchError, MatchState, Merged};

pub use self::arguments::Arguments;
use self::arguments::{MatchCommand, MergeArguments, ResultArguments};
use self::progress::ProgressLine;
use self::summary::{Load, Summary};
use super::support::failure::{Failure, stdout};
use super::support::signals;

/// Plays a match, or goes on with one, and prints how it ended; or joins parts of one.
pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    if let Some(MatchCommand::Merge(arguments)) = &arguments.command {
        return merge(arguments);
    }
    let state = match &arguments.resume {
        Some(path) => state_file(path)?,
        None => with_extension(&arguments.record_name(), "jsonl"),
    };
    require_own_files(&state, arguments)?;
    let page = new_page(arguments.html.as_deref())?;
    if let Some(path) = &arguments.standings_file {
        // A match that goes on has its own there.
        let checked = match arguments.resume {
            Some(_) => files::replaceable(path, b"match  "),
            None => files::require_new(path),
        };
        checked.map_err(Failure::cannot_write(path))?;
    }
    let stop = signals::watch("games")?;
    let log = arguments.log.as_deref();
    let opened = match arguments.resume {
        Some(_) => Match::resume(&state, &arguments.changes()?, log, &stop),
        None => {
            let settings = arguments.settings()?;
            arguments.result.check(&settings)?;
            Match::begin(settings, &state.with_extension(""), log, &stop)
        }
    };
    let mut contest = match opened {
        Ok(contest) => contest,
        Err(error @ MatchError::Stopped) => return Err(Failure::Stopped(Some(error.to_string()))),
        Err(error) => return Err(error.into()),
    };
    let result = &arguments.result;
    result.check(&contest.state.settings)?;
    let quiet = arguments.quiet || result.json || result.csv;
    let mut progress = ProgressLine::new(&contest, quiet, io::stderr().is_terminal());
    let ending = contest.run(&mut |event| {
        progress.show(&event);
        if let (Some(every), Event::Game { state, .. }) = (arguments.standings, &event)
            && state.standings.games.is_multiple_of(every)
        {
            tell_standings(state, arguments, &progress);
        }
    });
    progress.finish();
    let print_match = |ending| {
        let mut summary = Summary::new(&contest.state, ending, Some(&contest.record), None);
        summary.load = Load::now();
        let record = contest.record.state_path();
        let written = page.map_or(Ok(()), |page| {
            let entries = read_record(record)?.entries;
            write_page(page, &summary, &contest.state, &entries)
        });
        // Each is done even if the other fails.
        print(&summary, result).and(written)
    };
    let ending = match ending {
        Ok(ending) => ending,
        Err(error) => {
            let mut printed = Ok(());
            if contest.state.standings.games > 0 {
                // The games played so far are still reported.
                printed = print_match(Ending::Stopped);
                if error.can_be_resumed() {
                    // Standard error may be closed.
                    let _ = writeln!(io::stderr(), "{}", how_to_go_on(&contest));
                }
            }
            return Err(Failure::after(printed, error.into()));
        }
    };
    let printed = print_match(ending);
    match ending {
        Ending::Complete | Ending::Decided => printed,
        Ending::Stopped => {
            let stopped = Failure::Stopped(Some(how_to_go_on(&contest)));
            Err(Failure::after(printed, stopped))
        }
    }
}

/// The result on standard output.
fn print(summary: &Summary<'_>, arguments: &ResultArguments) -> Result<(), Failure> {
    let mut out = stdout();
    if arguments.json {
        writeln!(out, "{}", serde_json::to_string(summary)?)?;
    } else if arguments.csv {
        write!(out, "{}", tables::as_csv(summary, arguments)?)?;
    } else {
        write!(
            out,
            "{}{}",
            text::text(summary),
            tables::wanted(summary, arguments)
        )?;
    }
    Ok(out.flush()?)
}

/// Tells the standings of a running match. A file that cannot be written does not end the match.
fn tell_standings(state: &MatchState, arguments: &Arguments, progress: &ProgressLine) {
    let summary = Summary::new(state, Ending::Stopped, None, None);
    let text = text::text(&summary).replace(" (stopped)", "");
    let text = text + &tables::wanted(&summary, &arguments.result);
    match &arguments.standings_file {
        None => progress.tell(&format!("\n{text}")),
        Some(path) => {
            let written = files::replace(path, |file| file.write_all(text.as_bytes()));
            if let Err(error) = written {
                log::warn!("cannot write {}: {error}", path.display());
            }
        }
    }
}

/// Files that would take each other's place are refused.
fn require_own_files(state: &Path, arguments: &Arguments) -> Result<(), Failure> {
    let mut taken: Vec<PathBuf> = ["jsonl", "pgn", "toml"]
        .map(|extension| canonical(&state.with_extension(extension)))
        .into();
    let logs = arguments.log.as_ref().map(|prefix| {
        let mut begin = prefix.clone().into_os_string();
        begin.push("-");
        canonical(Path::new(&begin))
    });
    for (option, path) in [
        ("--html", &arguments.html),
        ("--standings-file", &arguments.standings_file),
    ] {
        let Some(path) = path.as_deref() else {
            continue;
        };
        let file = canonical(path);
        let bytes = |path: &Path| path.as_os_str().as_encoded_bytes().to_owned();
        let mut logs = logs
            .iter()
            .filter(|_| file.extension() == Some("log".as_ref()));
        if taken.contains(&file) || logs.any(|logs| bytes(&file).starts_with(&bytes(logs))) {
            let path = path.display();
            return Err(Failure::Usage(format!(
                "{option} {path}: another file of this match goes there; choose another name"
            )));
        }
        taken.push(file);
    }
    Ok(())
}

/// The file of the report, if it is wanted: before hours of games.
fn new_page(path: Option<&Path>) -> Result<Option<AppendFile>, Failure> {
    Ok(path.map(AppendFile::create).transpose()?)
}

/// The report as a web page.
fn write_page(
    mut file: AppendFile,
    summary: &Summary<'_>,
    state: &MatchState,
    entries: &[GameEntry],
) -> Result<(), Failure> {
    let report = page::report(summary, state, entries)?;
    Ok(file.append(report.html()?.as_bytes())?)
}

/// The command that goes on with a match that was stopped.
fn how_to_go_on(contest: &Match) -> String {
    let state = contest.record.state_path().display().to_string();
    let state = shell_words::quote(&state);
    format!("stopped; go on with: vato match --resume {state}")
}

/// Joins parts of a match and prints the whole result.
fn merge(arguments: &MergeArguments) -> Result<(), Failure> {
    let page = new_page(arguments.html.as_deref())?;
    let merged = Merged::read(&arguments.files, arguments.anchor.as_ref())?;
    let state = &merged.state;
    arguments.result.check(&state.settings)?;
    let record = arguments.out.as_ref().map(|name| merged.write(name));
    let record = record.transpose()?;
    let ending = state.ending();
    let missing = (ending == Ending::Stopped).then(|| merged.missing());
    let summary = Summary::new(state, ending, record.as_ref(), missing);
    let written = page.map_or(Ok(()), |page| {
        write_page(page, &summary, state, merged.entries())
    });
    print(&summary, &arguments.result)?;
    written?;
    match ending {
        Ending::Complete | Ending::Decided => Ok(()),
        Ending::Stopped => Err(Failure::Stopped(None)),
    }
}
