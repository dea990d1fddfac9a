//! `vato match`: engine against engine.

mod arguments;
mod files;
mod help;
mod plan;
mod progress;
mod summary;
mod text;

use std::io::Write;
use std::path::{Path, PathBuf};

use vato_solver::files::{AppendFile, canonical, with_extension};
use vato_tools::tournament::record::{GameEntry, read_record, state_file};
use vato_tools::tournament::{Ending, Match, MatchError, MatchEvent, MatchState, Merged, Together};

pub use self::arguments::Arguments;
use self::arguments::{MatchCommand, MergeArguments, ResultArguments};
use self::files::{GAMES_EVERY, LiveFile, LiveGames, PAGE_EVERY, report, running_page};
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
    require_own_files(&state, arguments)?;
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
    let log = arguments.log.as_deref();
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

/// Files that would take each other's place are refused.
fn require_own_files(state: &Path, arguments: &Arguments) -> Result<(), Failure> {
    let own = ["jsonl", "pgn", "toml"].map(|extension| state.with_extension(extension));
    let mut taken: Vec<PathBuf> = own.iter().map(|path| canonical(path)).collect();
    let logs = arguments.log.as_ref().map(|prefix| {
        let mut begin = prefix.clone().into_os_string();
        begin.push("-");
        canonical(Path::new(&begin))
    });
    for (option, path) in arguments.files() {
        let file = canonical(path);
        let bytes = |path: &Path| path.as_os_str().as_encoded_bytes().to_owned();
        let is_log = file.extension() == Some("log".as_ref())
            && (logs.iter()).any(|logs| bytes(&file).starts_with(&bytes(logs)));
        if taken.contains(&file) || is_log {
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
    vato_solver::files::replace(path, |file| file.write_all(html.as_bytes()))
        .map_err(Failure::cannot_write(path))
}

/// Checks a match, and tells what it would be.
fn dry_run(state: &Path, arguments: &Arguments) -> Result<(), Failure> {
    let own = ["jsonl", "pgn", "toml"].map(|extension| state.with_extension(extension));
    let named = arguments.files().map(|(_, path)| path.clone());
    let files: Vec<PathBuf> = own.into_iter().chain(named).collect();
    for path in &files {
        vato_solver::files::require_new(path).map_err(Failure::cannot_write(path))?;
    }
    let stop = signals::watch("")?;
    let settings = arguments.settings()?;
    arguments.result.check(&settings)?;
    let contest = Match::begin(settings, None, None, &stop)?;
    if stop.is_given() {
        return Err(Failure::Stopped(None));
    }
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
    let page = arguments.html.as_deref().map(AppendFile::create);
    let page = page.transpose()?;
    let merged = Merged::read(&arguments.files, arguments.anchor.as_ref())?;
    let state = &merged.state;
    arguments.result.check(&state.settings)?;
    let record = arguments.out.as_ref().map(|name| merged.write(name));
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
