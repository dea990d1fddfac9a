//! `vato match`: engine against engine.

mod arguments;
mod files;
mod help;
mod plan;
mod progress;
mod summary;
mod text;

use std::path::{Path, PathBuf};

use vato_solver::files::{AppendFile, canonical, with_extension};
use vato_tools::tournament::record::{GameEntry, read_record, record_files, state_file};
use vato_tools::tournament::{
    Ending, Match, MatchError, MatchEvent, MatchState, Merged, Together, may_be_log,
};

pub use self::arguments::Arguments;
use self::arguments::{MatchCommand, MergeArguments, ResultArguments};
use self::files::{GAMES_EVERY, LiveFile, LiveGames, PAGE_EVERY, replace, report, running_page};
use self::progress::ProgressLine;
use self::summary::{Load, Summary, by_opening, standings};
use super::support::failure::{Failure, print};
use super::support::present::{Format, csv_of};
use super::support::signals;
use super::tell;

pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    if let Some(MatchCommand::Merge(arguments)) = &arguments.command {
        return merge(arguments);
    }
    let state = match &arguments.resume {
        Some(path) => state_file(path)?,
        None => with_extension(&arguments.record_name(), "jsonl"),
    };
    let log = arguments.log.as_deref();
    require_own_files(&record_files(&state), log, arguments.files())?;
    if arguments.dry_run {
        return dry_run(&state, arguments);
    }
    // Before hours of games; what is written meanwhile takes the place of the empty file.
    let create = |path: &Option<PathBuf>, every| {
        let file = path.as_ref().map(|path| LiveFile::create(path, every));
        file.transpose()
    };
    let mut page = create(&arguments.html, PAGE_EVERY)?;
    let games = create(&arguments.pgn_live, GAMES_EVERY)?;
    let stop = signals::watch("games")?;
    let opened = match arguments.resume {
        Some(_) => Match::resume(&state, &arguments.changes()?, log, &stop),
        None => {
            let settings = arguments.settings()?;
            arguments.result.check(&settings)?;
            Match::begin(settings, Some(&state.with_extension("")), log, &stop)
        }
    };
    let mut contest = opened?;
    let result = &arguments.result;
    result.check(&contest.state.settings)?;
    let quiet = arguments.quiet || result.data.format() != Format::Text;
    let mut progress = ProgressLine::new(&contest, &state, quiet);
    let mut told = contest.whole().standings.games;
    let games = games.map(|file| LiveGames::new(file, &mut contest, &state));
    let mut games = games.transpose()?;
    let ended = contest.run(&mut |event, whole| {
        progress.show(event, whole);
        if let (Some(page), true) = (&mut page, arguments.live) {
            page.is_old |= matches!(event, MatchEvent::Game(_));
            page.write(|every| running_page(&state, every));
        }
        games.iter_mut().for_each(|games| games.show(event));
        if let (Some(every), MatchEvent::Game(_)) = (arguments.standings, event)
            && whole.standings.games / every > told / every
        {
            // Those of other machines come together.
            told = whole.standings.games;
            let summary = Summary::new(whole, Ending::Stopped, None, None);
            let text = text::text(&summary, result.by_opening).replace(" (stopped)", "");
            progress.tell(&format!("\n{text}"));
        }
    });
    progress.finish();
    games.iter_mut().for_each(LiveGames::finish);
    let has_games = contest.state.standings.games > 0;
    let (ending, error) = match ended {
        Ok(ending) => (ending, None),
        Err(error) => (contest.state.ending(), Some(error)),
    };
    let mut printed = Ok(());
    // The games played so far are still reported; a page is not left as that of a match that runs.
    if error.is_none() || has_games || arguments.live {
        let mut summary = Summary::new(&contest.state, ending, contest.record.as_ref(), None);
        summary.load = Load::now();
        drop(page);
        let written = arguments.html.as_ref().map_or(Ok(()), |path| {
            let entries = read_record(&state)?.entries;
            write_page(path, &summary, &contest.state, &entries)
        });
        if let Some(Together { whole, parts, .. }) = &contest.together {
            let record = contest.record.as_ref();
            summary = Summary {
                machines: parts,
                load: record.and(summary.load),
                ..Summary::new(whole, whole.ending(), record, None)
            };
        }
        // Each is done even if the other fails.
        printed = match error.is_none() || has_games {
            true => print_result(&summary, result).and(written),
            false => written,
        };
    }
    let failure = match (error, ending) {
        (Some(error), _) => {
            // A schedule that contradicts the record would do so again.
            if has_games && !matches!(error, MatchError::Schedule(_)) {
                how_to_go_on(&state).into_iter().for_each(tell);
            }
            error.into()
        }
        (None, Ending::Stopped) => Failure::Stopped(how_to_go_on(&state)),
        (None, Ending::Complete | Ending::Decided) => return printed,
    };
    Err(Failure::after(printed, failure))
}

fn print_result(summary: &Summary<'_>, arguments: &ResultArguments) -> Result<(), Failure> {
    match arguments.data.format() {
        Format::Json => print(serde_json::to_string(summary)? + "\n"),
        Format::Csv if arguments.by_opening => print(csv_of(&by_opening(summary))?),
        Format::Csv => print(standings(summary)?),
        _ => print(text::text(summary, arguments.by_opening)),
    }
}

/// Files that would take each other's place are refused: those of the record, the logs, and those with their options.
fn require_own_files<'a>(
    record: &[PathBuf],
    log: Option<&Path>,
    named: impl IntoIterator<Item = (&'static str, &'a PathBuf)>,
) -> Result<(), Failure> {
    let mut taken: Vec<PathBuf> = record.iter().map(|path| canonical(path)).collect();
    for (option, path) in named {
        let file = canonical(path);
        if taken.contains(&file) || log.is_some_and(|prefix| may_be_log(prefix, path)) {
            let path = path.display();
            return Err(Failure::Usage(format!(
                "{option} {path}: another file of this match goes there; choose another name"
            )));
        }
        taken.push(file);
    }
    Ok(())
}

fn write_page(
    path: &Path,
    summary: &Summary<'_>,
    state: &MatchState,
    entries: &[GameEntry],
) -> Result<(), Failure> {
    let html = report(summary, state, entries)?.html()?;
    replace(path, &html)
}

/// Checks a match, and tells what it would be.
fn dry_run(state: &Path, arguments: &Arguments) -> Result<(), Failure> {
    let named = arguments.files().map(|(_, path)| path.clone());
    let files: Vec<PathBuf> = record_files(state).into_iter().chain(named).collect();
    for path in &files {
        vato_solver::files::require_new(path).map_err(Failure::cannot_write(path))?;
    }
    let stop = signals::watch("")?;
    let settings = arguments.settings()?;
    arguments.result.check(&settings)?;
    let contest = Match::begin(settings, None, None, &stop)?;
    print(plan::text(&contest, &files))
}

/// The command that goes on with a match that was stopped, if its record is still there.
fn how_to_go_on(state: &Path) -> Option<String> {
    let name = state.display().to_string();
    let name = shell_words::quote(&name);
    let told = || format!("stopped; to continue: vato match --resume {name}");
    state.exists().then(told)
}

fn merge(arguments: &MergeArguments) -> Result<(), Failure> {
    let name = arguments.out.as_ref();
    let own = name.map(|name| record_files(&with_extension(name, "jsonl")));
    let named = arguments.html.iter().map(|path| ("--html", path));
    require_own_files(own.as_ref().map_or(&[], |own| own), None, named)?;
    let page = arguments.html.as_deref().map(AppendFile::create);
    let page = page.transpose()?;
    let merged = Merged::read(&arguments.files, arguments.anchor.as_ref())?;
    let state = &merged.state;
    arguments.result.check(&state.settings)?;
    let record = name.map(|name| merged.write(name));
    let record = record.transpose()?;
    let ending = state.ending();
    let missing = (ending == Ending::Stopped).then(|| merged.missing());
    let summary = Summary::new(state, ending, record.as_ref(), missing);
    drop(page);
    let written = arguments.html.as_ref().map_or(Ok(()), |path| {
        write_page(path, &summary, state, &merged.entries)
    });
    print_result(&summary, &arguments.result).and(written)?;
    match ending {
        Ending::Complete | Ending::Decided => Ok(()),
        Ending::Stopped => Err(Failure::Stopped(None)),
    }
}
