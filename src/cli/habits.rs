//! What people type out of habit: an option left out, commands of the protocol, of other programs and older versions.

use std::ffi::OsString;
use std::iter;
use std::path::Path;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use vato_engine::protocol;

/// The word that is no argument of its command, and that command.
fn stray<'a>(
    command: &'a clap::Command,
    error: &clap::Error,
    words: &[OsString],
) -> Option<(String, &'a clap::Command)> {
    let kind = match error.kind() {
        ErrorKind::UnknownArgument => ContextKind::InvalidArg,
        ErrorKind::InvalidSubcommand => ContextKind::InvalidSubcommand,
        _ => return None,
    };
    let Some(ContextValue::String(stray)) = error.get(kind) else {
        return None;
    };
    let mut named = words[1..].iter();
    let next = |found: &&'a clap::Command| found.find_subcommand(named.next()?);
    let command = iter::successors(Some(command), next).last()?;
    Some((stray.clone(), command))
}

/// The words with the option that may be left out before the word that cannot be anything else:
/// `vato analyse games.pgn` is `vato analyse --pgn games.pgn`.
pub fn with_option(
    all: &clap::Command,
    error: &clap::Error,
    words: &[OsString],
) -> Option<Vec<OsString>> {
    let (word, command) = stray(all, error, words)?;
    let lower = word.to_lowercase();
    let ends = |ending: &str| lower.ends_with(ending);
    let mut parts = word.split_whitespace();
    let begins_as_fen = parts.next().is_some_and(|rows| rows.contains('/'));
    let has_side = parts.next().is_some_and(|side| ["w", "b"].contains(&side));
    // The same word may also be the value of an option.
    let is_stray = |&place: &usize| {
        let before = all.clone().try_get_matches_from(&words[..=place]);
        before.is_err_and(|error| stray(all, &error, words).is_some())
    };
    let place = (1..words.len()).find(is_stray)?;
    let dashes = words[..place].iter().position(|given| given == "--");
    let option = match command.get_name() {
        _ if dashes.is_none() && word.starts_with('-') && word != "-" => return None,
        _ if word == "startpos" || begins_as_fen && has_side => "fen",
        "analyse" if [".fen", ".epd", ".txt"].into_iter().any(ends) => "fens",
        "analyse" | "play" | "diagram" => "pgn",
        "match" if ends(".toml") => "config",
        "match" if ends(".jsonl") => "resume",
        "train" => "data",
        "bench" => "depth",
        "probe" => "dir",
        "build" if word.starts_with(|first: char| first.is_ascii_digit()) => "stones",
        "build" | "selfplay" => "out",
        _ => return None,
    };
    let has_option = has(command, option);
    let mut words = words.to_vec();
    match dashes {
        None => words.insert(place, format!("--{option}").into()),
        // Behind them nothing is an option.
        Some(at) if at + 1 == place => {
            let file = std::mem::replace(&mut words[place], "--".into());
            words[at] = format!("--{option}=").into();
            words[at].push(file);
        }
        Some(_) => return None,
    }
    has_option.then_some(words)
}

fn has(command: &clap::Command, name: &str) -> bool {
    let mut arguments = command.get_arguments();
    arguments.any(|known| known.get_long() == Some(name))
}

/// Commands that this program does not have: those of older versions and of other builds; and what does their work.
const LEFT: [(&str, &str); 16] = [
    (
        "book",
        "'vato analyse' tells what is proven, and the option Book File reads a text (protocol.md)",
    ),
    ("data", IN_LAB),
    ("data shuffle", "'vato train' shuffles by itself"),
    ("games dedupe", "'vato games filter all --once'"),
    ("games export", "'vato games' writes PGN"),
    ("games index", "all commands read the games themselves"),
    ("games merge", "'vato games filter all' takes several files"),
    ("games sort", "'vato games filter all --sort FIELD'"),
    (
        "games split",
        "'vato games filter all --split FIELD --out PREFIX'",
    ),
    ("man", "'vato --help' and 'vato COMMAND --help' say as much"),
    ("match watch", "--html FILE --live shows a match that runs"),
    ("rules", "'vato --help' lists them (docs/rules.md)"),
    ("selfplay", IN_LAB),
    ("stats", "'vato games stats' counts games"),
    ("train", IN_LAB),
    ("tune", "OpenBench and other tuners do (docs/openbench.md)"),
];

/// Of commands that make networks.
const IN_LAB: &str =
    "it is in a build with the feature 'lab': cargo build --release --features lab";

/// The error with a hint where a habit of other programs or an older version is recognised.
pub fn with_hint(
    command: &clap::Command,
    mut error: clap::Error,
    words: &[OsString],
) -> clap::Error {
    let Some((word, of)) = stray(command, &error, words) else {
        return error;
    };
    let given = words[1..].iter().map(|word| word.to_string_lossy());
    let given: Vec<_> = given.collect();
    let is_top = of.get_name() == command.get_name();
    let analyse = command.find_subcommand("analyse").filter(|_| is_top);
    let is_of_analyse = |name: &str| analyse.is_some_and(|analyse| has(analyse, name));
    let mut single = given.iter().filter_map(|word| word.strip_prefix('-'));
    let name = match is_top {
        true => word.clone(),
        false => format!("{} {word}", of.get_name()),
    };
    let left = LEFT.iter().find(|(left, _)| *left == name);
    let hint = if let Some((name, instead)) = left {
        format!("there is no 'vato {name}' here: {instead}")
    } else if is_top && protocol::Command::parse(&given.join(" "), &mut Vec::new()).is_some() {
        format!(
            "'{word}' is a command of the protocol: start vato without a command, and type it there"
        )
    } else if let Some(name) = single.find(|name| has(analyse.unwrap_or(of), name)) {
        format!("options have two dashes: '--{name}'")
    } else if word.strip_prefix("--").is_some_and(is_of_analyse) {
        format!("a command comes first: 'vato analyse {word}'")
    } else if is_top && Path::new(&word).exists() {
        let commands =
            ["analyse", "gui", "games stats"].map(|name| format!("'vato {name} {word}'"));
        format!("a command comes first: {}", commands.join(", "))
    } else if of.get_name() == "gui" && !word.starts_with('-') {
        "one file is expected; collections of games: --games FILE, for each of them".to_owned()
    } else if word.to_lowercase().ends_with(".pgn") {
        format!("commands for games: 'vato games --help', 'vato analyse {word}'")
    } else {
        return error;
    };
    let hint = ContextValue::StyledStrs(vec![hint.into()]);
    error.insert(ContextKind::Suggested, hint);
    error
}

#[cfg(test)]
mod tests {
    use super::super::command;
    use super::*;

    #[cfg(unix)]
    #[test]
    fn a_file_is_one_whatever_its_name() {
        use std::os::unix::ffi::OsStringExt;
        let name = OsString::from_vec(b"\xff.pgn".to_vec());
        let words = ["vato".into(), "analyse".into(), name.clone()];
        let error = command().try_get_matches_from(&words);
        let words = with_option(&command(), &error.expect_err("no option"), &words);
        assert_eq!(words.expect("a file")[2..], ["--pgn".into(), name]);
    }

    /// The words that the program understands, or its hint.
    fn understood(line: &str) -> Result<Vec<OsString>, String> {
        let words: Vec<OsString> = line.split('|').map(OsString::from).collect();
        let error = command().try_get_matches_from(&words).expect_err(line);
        with_option(&command(), &error, &words)
            .ok_or_else(|| with_hint(&command(), error, &words).to_string())
    }

    #[test]
    fn an_option_may_be_left_out_where_nothing_else_can_be_meant() {
        let all = "\
            vato|analyse|games.pgn => vato|analyse|--pgn|games.pgn
            vato|analyse|- => vato|analyse|--pgn|-
            vato|analyze|--json|a.PGN => vato|analyze|--json|--pgn|a.PGN
            vato|analyse|my.epd|--out|x => vato|analyse|--fens|my.epd|--out|x
            vato|analyse|--json|a.pgn|--pgn-out|a.pgn => vato|analyse|--json|--pgn|a.pgn|--pgn-out|a.pgn
            vato|analyse|--player|a.pgn|a.pgn => vato|analyse|--player|a.pgn|--pgn|a.pgn
            vato|analyse|9/9/9/9/w7b w|--depth|3 => vato|analyse|--fen|9/9/9/9/w7b w|--depth|3
            vato|solve|startpos => vato|solve|--fen|startpos
            vato|play|games.pgn#3 => vato|play|--pgn|games.pgn#3
            vato|diagram|games.pgn => vato|diagram|--pgn|games.pgn
            vato|match|cup.toml => vato|match|--config|cup.toml
            vato|match|cup.jsonl => vato|match|--resume|cup.jsonl
            vato|bench|13 => vato|bench|--depth|13
            vato|tablebase|build|5 => vato|tablebase|build|--stones|5
            vato|tablebase|probe|tables => vato|tablebase|probe|--dir|tables
            vato|play|--|-d.pgn => vato|play|--pgn=-d.pgn|--";
        let lab = "vato|train|a.data|--out|n => vato|train|--data|a.data|--out|n";
        for line in all.lines().chain(cfg!(feature = "lab").then_some(lab)) {
            let (typed, meant) = line.trim().split_once(" => ").expect("two");
            let words = understood(typed).expect(typed);
            assert_eq!(words.join("|".as_ref()), meant, "{typed}");
        }
    }

    #[test]
    fn a_bare_file_is_in_the_usage() {
        for name in ["analyse", "play", "diagram"] {
            let help = understood(&format!("vato|{name}|--help")).expect_err(name);
            assert!(
                help.contains(&format!("Usage: vato {name} [OPTIONS] [FILE]")),
                "{help}"
            );
        }
    }

    #[test]
    fn habits_of_other_programs_get_a_hint() {
        let all = "\
            vato|uci => 'uci' is a command of the protocol
            vato|go|depth|5 => 'go' is a command of the protocol
            vato|position|startpos => 'position' is a command of the protocol
            vato|-fen|startpos => options have two dashes: '--fen'
            vato|analyse|-depth|5 => options have two dashes: '--depth'
            vato|--fen|startpos => a command comes first: 'vato analyse --fen'
            vato|/|--depth|5 => 'vato gui /'
            vato|stats|games.pgn => 'vato games stats' counts games
            vato|tune|--list => OpenBench
            vato|book|build|my.book => Book File reads a text
            vato|games|index|x.pgn => read the games themselves
            vato|match|watch|x.jsonl => --html FILE --live
            vato|man|pages => 'vato --help'
            vato|gui|a.pgn|b.pgn => one file is expected
            vato|rules => 'vato --help' lists them";
        let no_lab = "vato|train|--data|x => cargo build --release --features lab";
        for line in all
            .lines()
            .chain((!cfg!(feature = "lab")).then_some(no_lab))
        {
            let (typed, hint) = line.trim().split_once(" => ").expect("two");
            let said = understood(typed).expect_err(typed);
            assert!(said.contains(hint), "{typed}: {said}");
        }
    }
}
