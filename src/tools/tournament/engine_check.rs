//! The trial start before a match: can each engine start and play it, and what is its name?

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::time::Duration;

use super::engine::{CheckedEngine, Launch};
use super::engine_pool::attempts;
use super::formats::Schedule;
use super::match_error::MatchError;
use super::resources::check_memory;
use super::runner::games_at_a_time;
use super::settings::{EngineSettings, MatchSettings};
use super::worker::can_do_without;
use vato_engine::text::printable;

/// The most bytes of an engine's name in the name of its log: a file's has at most 255.
const LONGEST_LOG_NAME: usize = 180;

/// Starts all engines once, one after the other; gives them their names, and takes the options out that they do not
/// declare. Returns the sizes of each, see [`CheckedEngine`], for which there is memory. Those of a match that
/// `resumes` are tried again for their games if they do not start, as far as the match can go on without them.
pub(super) fn check_engines(
    settings: &mut MatchSettings,
    schedule: &Schedule,
    launches: &[Launch],
    resumes: bool,
) -> Result<Vec<[Option<u64>; 2]>, MatchError> {
    // One that is to take more than there is may not answer.
    let set = settings.engines.iter().map(|engine| engine.number("Hash"));
    check_memory(games_at_a_time(settings, schedule), set)?;
    let mut all = Vec::with_capacity(launches.len());
    let mut absent = Vec::new();
    for (number, launch) in launches.iter().enumerate() {
        all.push(check_engine(launch).or_else(|error| {
            absent.push(number);
            let is_fatal = !resumes || matches!(error, MatchError::Stopped);
            if is_fatal || !can_do_without(settings, &absent) {
                return Err(error);
            }
            log::warn!("{error}; it is tried again, and loses the games that it misses");
            Ok(CheckedEngine {
                name: launch.settings.known_name(),
                undeclared: Vec::new(),
                sizes: [None; 2],
            })
        })?);
    }
    for (engine, checked) in settings.engines.iter_mut().zip(&all) {
        let unused = &checked.undeclared;
        engine.options.retain(|name, _| !unused.contains(name));
    }
    let names: Vec<String> = all.iter().map(|engine| engine.name.clone()).collect();
    let names = distinct(told_apart(&names, &settings.engines), |name, number| {
        format!("{name} ({number})")
    });
    for (engine, name) in settings.engines.iter_mut().zip(names) {
        engine.name = Some(name);
    }
    let hashes = all.iter().map(|engine| engine.sizes[1]);
    check_memory(games_at_a_time(settings, schedule), hashes)?;
    Ok(all.iter().map(|engine| engine.sizes).collect())
}

pub(super) fn check_engine(launch: &Launch) -> Result<CheckedEngine, MatchError> {
    let known_as = launch.settings.known_name();
    let failed = |error| log::warn!("{known_as}: {error}; trying again");
    launch.stop.set_starting(true);
    let started = attempts(|| launch.start(None, "try"), failed);
    launch.stop.set_starting(false);
    let (mut player, checked) = started.map_err(|error| MatchError::no_start(&known_as, &error))?;
    player.ask_to_quit();
    player.has_quit(Duration::from_millis(500));
    if !checked.undeclared.is_empty() {
        let names = checked.undeclared.join(", ");
        log::warn!("{known_as}: options that it does not declare are left out: {names}");
    }
    Ok(checked)
}

/// Names for the engines' logs that any file system takes, all different.
pub(super) fn log_names(settings: &MatchSettings) -> Vec<String> {
    let is_special = |c: char| !(c.is_alphanumeric() || "-_.".contains(c));
    let names = settings.engines.iter().map(|engine| {
        let name = engine.known_name();
        let words = name.split(is_special).filter(|word| !word.is_empty());
        let mut plain = words.collect::<Vec<_>>().join("_");
        while plain.len() > LONGEST_LOG_NAME {
            plain.pop();
        }
        plain
    });
    distinct(names.collect(), |name, number| format!("{name}-{number}"))
}

/// The names; on those that several engines have as few of their settings as tell them apart, of files the names if
/// that is enough.
fn told_apart(names: &[String], engines: &[EngineSettings]) -> Vec<String> {
    let file = |path: &str| {
        let name = Path::new(path).file_name().unwrap_or_default();
        name.display().to_string()
    };
    let settings = |(name, engine): (&String, &EngineSettings)| {
        let options = engine.options.iter();
        let options =
            options.map(|(name, value)| (name.clone(), format!("{name}={}", file(value))));
        let cmd = engine.cmd.clone().unwrap_or_default().display().to_string();
        let more = [engine.limit_text(), file(&cmd), engine.args.join(" "), cmd];
        // Behind the options.
        let all = options.chain(('\u{fff0}'..).map(String::from).zip(more));
        let is_shared = names.iter().filter(|other| *other == name).count() > 1;
        all.filter(|_| is_shared).collect::<BTreeMap<_, _>>()
    };
    let settings: Vec<_> = names.iter().zip(engines).map(settings).collect();
    let kinds = |names: &[String]| names.iter().collect::<BTreeSet<_>>().len();
    let mut told = names.to_vec();
    let keys: BTreeSet<_> = settings.iter().flat_map(BTreeMap::keys).collect();
    for key in keys {
        let longer = |(name, own): (&String, &BTreeMap<_, String>)| {
            let text = own
                .get(key)
                .map(|text| printable(text, EngineSettings::LONGEST_NAME));
            let longer = format!("{name} {}", text.unwrap_or_default());
            longer.trim_end().to_owned()
        };
        let longer: Vec<String> = told.iter().zip(&settings).map(longer).collect();
        if kinds(&longer) > kinds(&told) {
            told = longer;
        }
    }
    told
}

/// The names, with a number on those that are not the only ones of their kind.
fn distinct(names: Vec<String>, numbered: impl Fn(&str, usize) -> String) -> Vec<String> {
    let mut found: Vec<String> = Vec::with_capacity(names.len());
    for (index, name) in names.iter().enumerate() {
        let same = |other: &&String| *other == name;
        let before = names[..index].iter().filter(same).count();
        let mut numbers = (1 + before..).map(|number| numbered(name, number));
        // An engine may have that name already.
        let is_free = |chosen: &String| !names.contains(chosen) && !found.contains(chosen);
        let chosen = match names.iter().filter(same).count() {
            1 => name.clone(),
            _ => numbers.find(is_free).unwrap_or_default(),
        };
        found.push(chosen);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scripts_give_their_names() {
        let name = |text: &str| text.parse::<EngineSettings>().expect(text).known_name();
        assert_eq!(name("cmd=/usr/bin/python3,args=./my/eng.py -x"), "eng");
        assert_eq!(name("cmd=python3.12"), "python3");
        assert_eq!(name("cmd=./vato,args=--set=a.b"), "vato");
        assert_eq!(name("cmd=./vato,args=serve"), "vato");
    }

    #[test]
    fn engines_of_one_name_are_told_apart_by_what_differs() {
        // The last is no more than it takes.
        let all = "\
            cmd=v,nodes=9 cmd=v,nodes=9,option.Hash=8 => V|V Hash=8
            cmd=v,option.Hash=4 cmd=v,option.Hash=8 => V Hash=4|V Hash=8
            cmd=/a/new,nodes=9 cmd=/a/old,nodes=9 => V new|V old
            cmd=/a/new/v cmd=/a/old/v => V /a/new/v|V /a/old/v
            cmd=v,option.EvalFile=/n/a.net cmd=v,option.EvalFile=/n/b.net => V EvalFile=a.net|V EvalFile=b.net
            cmd=v,args=a.py cmd=v,args=b.py => V a.py|V b.py
            cmd=v,nodes=5 cmd=v,tc=1 => V nodes=5|V 1
            cmd=v cmd=v => V|V
            cmd=v,option.A=1,option.B=1 cmd=v,option.A=1,option.B=2 cmd=v,option.A=2,option.B=2 => V A=1 B=1|V A=1 B=2|V A=2 B=2";
        for line in all.lines() {
            let (engines, names) = line.trim().split_once(" => ").expect("both");
            let read = |text: &str| text.parse().expect(text);
            let engines: Vec<EngineSettings> = engines.split(' ').map(read).collect();
            let told = told_apart(&vec!["V".to_owned(); engines.len()], &engines);
            assert_eq!(told.join("|"), names);
        }
    }

    #[test]
    fn equal_names_are_numbered() {
        let named = |names: &str| {
            let names = names.split(", ").map(str::to_owned).collect();
            distinct(names, |name, number| format!("{name} ({number})"))
        };
        assert_eq!(named("A, B"), ["A", "B"]);
        assert_eq!(named("A, B, A, A"), ["A (1)", "B", "A (2)", "A (3)"]);
        let all = named("A, A (1), A, A (2), A (1)");
        let different: std::collections::BTreeSet<&String> = all.iter().collect();
        assert_eq!(different.len(), all.len(), "{all:?}");
    }
}
