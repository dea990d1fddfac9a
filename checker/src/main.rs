//! Checks tables and certificates of Vato without any of its code.

mod board;
mod certificate;
mod rules;
mod strategy;
mod tables;
#[cfg(test)]
mod tests;
mod vato;

use certificate::{Certificate, Claim};
use rules::Rules;
use std::process::ExitCode;
use strategy::Strategy;
use tables::Tables;

const USAGE: &str = "usage:
  checker tables --stones N [--rules RULES] [--vato PATH [--dir DIR]] [--samples N]
      Solve all positions of up to N stones, print the counts, and compare with Vato: with its
      tables in DIR, or with those in the program
  checker certificate FILE...
      Check certificates and strategies, with tables of its own

  --threads N     threads (all processors)
  --memory MB     the most memory for tables (2000)
  --samples N     compare N positions of each slice instead of all";

/// What the arguments say; `words` are those that belong to no option.
struct Arguments {
    words: Vec<String>,
    rules: String,
    stones: u32,
    vato: Option<String>,
    dir: Option<String>,
    samples: Option<usize>,
    threads: usize,
    memory: usize,
}

fn arguments() -> Result<Arguments, String> {
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let (words, rules) = (Vec::new(), String::new());
    let mut found = Arguments { words, rules, stones: 0, vato: None, dir: None, samples: None, threads, memory: 2000 };
    let mut arguments = std::env::args().skip(1);
    while let Some(word) = arguments.next() {
        if !word.starts_with("--") {
            found.words.push(word);
            continue;
        }
        let value = arguments.next().ok_or_else(|| format!("{word} needs a value"))?;
        let number = || value.parse().map_err(|_| format!("{word} {value}: a number is expected"));
        match word.as_str() {
            "--rules" => found.rules = value,
            "--stones" => found.stones = number()? as u32,
            "--vato" => found.vato = Some(value),
            "--dir" => found.dir = Some(value),
            "--samples" => found.samples = Some(number()?),
            "--threads" => found.threads = number()?.max(1),
            "--memory" => found.memory = number()?,
            _ => return Err(format!("{word} is unknown")),
        }
    }
    Ok(found)
}

fn check_tables(arguments: &Arguments, rules: Rules) -> Result<(), String> {
    let tables = Tables::build(rules, arguments.stones, arguments.threads, arguments.memory, |slice| {
        let ([wins, draws, losses], longest) = slice.count();
        println!("{}: {wins} won, {draws} drawn, {losses} lost, longest {longest} plies", slice.name());
    })?;
    let Some(vato) = &arguments.vato else { return Ok(()) };
    if let Some(dir) = &arguments.dir {
        vato::counts(vato, dir, &tables)?;
        println!("the counts of {dir} are the same");
    }
    let dir = arguments.dir.as_deref().unwrap_or("none");
    let count = match arguments.samples {
        Some(count) => vato::samples(vato, dir, &tables, count)?,
        None => vato::every_value(vato, dir, &tables)?,
    };
    println!("{count} values are the same");
    Ok(())
}

/// Checks a file; the tables are kept for the next one.
fn check_file(file: &str, arguments: &Arguments, kept: &mut Option<Tables>) -> Result<String, String> {
    let bytes = std::fs::read(file).map_err(|error| error.to_string())?;
    let mut with_tables = |claim: &Claim, check: &dyn Fn(&Tables) -> Result<(), String>| {
        let rules = claim.rules.of_tables();
        if !kept.as_ref().is_some_and(|tables| tables.game.rules == rules && tables.stones == claim.stones) {
            *kept = None;
            *kept = Some(Tables::build(rules, claim.stones, arguments.threads, arguments.memory, |_| {})?);
        }
        check(kept.as_ref().expect("just built"))
    };
    let (claims, kind) = if bytes.starts_with(b"VATOSTRA") {
        let strategy = Strategy::read(&bytes)?;
        with_tables(&strategy.claims[0], &|tables| strategy.check(tables))?;
        (strategy.claims, "replies")
    } else {
        let certificate = Certificate::read(&bytes)?;
        with_tables(&certificate.claim, &|tables| certificate.check(tables))?;
        (vec![certificate.claim], "positions")
    };
    let mut text = String::new();
    for claim in &claims {
        text += &format!("{}: {}\n", claim.root, claim.text());
    }
    Ok(format!("{text}{} {kind}, tables of {} stones, valid", claims[0].positions, claims[0].stones))
}

fn main() -> ExitCode {
    let usage = |error: String| {
        eprintln!("{error}\n{USAGE}");
        ExitCode::from(2)
    };
    let arguments = match arguments() {
        Ok(arguments) => arguments,
        Err(error) => return usage(error),
    };
    let words: Vec<&str> = arguments.words.iter().map(String::as_str).collect();
    match words[..] {
        ["tables"] => {
            let rules = match Rules::parse(&arguments.rules) {
                Ok(rules) => rules,
                Err(error) => return usage(error),
            };
            match check_tables(&arguments, rules) {
                Ok(()) => return ExitCode::SUCCESS,
                Err(error) => println!("FAULT: {error}"),
            }
            ExitCode::FAILURE
        }
        ["certificate", ref files @ ..] if !files.is_empty() => {
            let (mut tables, mut code) = (None, ExitCode::SUCCESS);
            for file in files {
                match check_file(file, &arguments, &mut tables) {
                    Ok(text) => println!("{file}: {text}"),
                    Err(error) => {
                        println!("{file}: FAULT: {error}");
                        code = ExitCode::FAILURE;
                    }
                }
            }
            code
        }
        _ => usage("tables or certificate is expected".to_string()),
    }
}
