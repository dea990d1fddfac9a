//! An independent checker of the tablebases, certificates and strategies of Vato.
//! It is made from docs/rules.md, docs/certificate.md and docs/tablebases.md and shares no code with Vato, so what both
//! find is unlikely to be the fault of one. The check of the standard game takes minutes and 1.4 GB of memory. It solves
//! all positions of six stones, compares every value with the tables in Vato, and checks files with tables of its own:
//! `cargo run --release -- all --vato /usr/bin/vato FILE...`
//! For each slice of the tables it prints the positions by outcome, the longest distance in plies, and the SHA-256 of
//! what `vato tablebase dump` has to write. The other commands are for other rules. The exit code is 0 if no fault was
//! found, 1 if one was, and 2 if the arguments are wrong. A fault ends the check.
//! Trusted are that the rules are those of the game (rules.rs, board.rs, state.rs), that the tables are solved rightly
//! (tables.rs), that the proofs are what the documents say (proof.rs, certificate.rs, strategy.rs), the compiler, the
//! crates `serde`, `serde_json` and `sha2`, and the machine. Nothing that Vato writes is trusted.

mod board;
mod certificate;
mod proof;
mod rules;
mod state;
mod strategy;
mod tables;
#[cfg(test)]
mod tests;

use board::Game;
use proof::{Claim, Proof};
use rules::Rules;
use state::State;
use std::process::{Command, ExitCode, Stdio};
use tables::{Tables, sha256};

const USAGE: &str = "usage:
  checker all --vato PATH [FILE...]
      The standard game: solve six stones, compare every value, check certificates and strategies
  checker tables --stones N --rules RULES [--vato PATH [--dir DIR]]
      Tables only: of any rules, and compared with those in the program or in a folder
  checker certificate FILE...
      Certificates and strategies only, of any rules";

/// Solves tables, prints what is in them, and compares every value with those of a program, given with its options.
fn check_tables(stones: &str, rules: &str, program: &[&str]) -> Result<Tables, String> {
    let stones = stones.parse().map_err(|_| format!("'{stones}' is not a number"))?;
    let tables = Tables::solve(Rules::parse(rules)?.of_tables(), stones)?;
    for slice in &tables.slices {
        let (name, ours) = (slice.name(), slice.bytes());
        let count = |low, high| ours.iter().filter(|byte| (low..=high).contains(*byte)).count();
        let [wins, draws, losses] = [count(1, 127), count(0, 0), count(128, 255)];
        let (longest, digest) = (slice.longest, sha256(&ours));
        println!("{name}: {wins} won, {draws} drawn, {losses} lost, longest {longest}, SHA-256 {digest}");
        let [vato, options @ ..] = program else { continue };
        let mut command = Command::new(vato);
        command.args(["tablebase", "dump", "--rules", &tables.game.rules.text(), "--slice", &name]).args(options);
        let output = command.stderr(Stdio::inherit()).output().map_err(|error| format!("{vato}: {error}"))?;
        let theirs = output.stdout;
        if !output.status.success() || theirs.len() != ours.len() {
            return Err(format!("{command:?} does not write a byte for each position"));
        }
        if let Some(index) = (0..ours.len()).find(|&index| ours[index] != theirs[index]) {
            return Err(format!("{name}: byte {index} is {}, but {} in Vato", ours[index], theirs[index]));
        }
    }
    let same = if program.is_empty() { "" } else { ", each the same in Vato" };
    println!("{} values{same}", tables.slices.iter().map(|slice| slice.values.len()).sum::<usize>());
    Ok(tables)
}

/// Checks files, with tables that are kept for the next one.
fn check_files(files: &[&str], mut kept: Option<Tables>) -> Result<Vec<Proof>, String> {
    let mut check = |file: &str| {
        let proof = Proof::read(&std::fs::read(file).map_err(|error| error.to_string())?)?;
        let rules = proof.game.rules.of_tables();
        let tables = match kept.take() {
            Some(tables) if tables.game.rules == rules && tables.stones == proof.stones => tables,
            _ => Tables::solve(rules, proof.stones)?,
        };
        proof.check(&tables)?;
        kept = Some(tables);
        println!("{file}: {}", proof.text());
        Ok(proof)
    };
    files.iter().map(|file| check(file).map_err(|error: String| format!("{file}: {error}"))).collect()
}

/// Checks the tables of the standard game and files, and says what follows for its start.
fn check_all(vato: &str, files: &[&str]) -> Result<(), String> {
    let proofs = check_files(files, Some(check_tables("6", "", &[vato])?))?;
    let game = Game::new(Rules::parse("")?);
    let proofs = proofs.into_iter().filter(|proof| proof.game.rules == game.rules);
    let claims: Vec<Claim> = proofs.flat_map(|proof| proof.claims).collect();
    let start = State::parse(&game, "bbbbbbbbb/bbbbbbbbb/bwbw1bwbw/wwwwwwwww/wwwwwwwww w 0 1").expect("it is right").0;
    let safe = ["White", "Black"].into_iter().filter(|side| holds(&game, &claims, &start, *side == "Black", 2));
    let follows: String = safe.map(|side| format!("; from the start {side} need not lose")).collect();
    println!("No fault was found in the tables and {} files{follows}.", files.len());
    Ok(())
}

/// Whether it follows from what is proven that a side need not lose from a position, within some moves.
fn holds(game: &Game, claims: &[Claim], state: &State, black: bool, plies: u32) -> bool {
    let same = |claim: &Claim| claim.root.canonical(game).words() == state.canonical(game).words();
    let safe = |claim: &Claim| claim.attacker_black != black && !claim.wins && same(claim);
    let turns = if plies == 0 { Vec::new() } else { state.turns(game) };
    let mut later = turns.iter().map(|turn| holds(game, claims, &state.play(game, turn), black, plies - 1));
    let all_or_any = if state.black == black { later.any(|it| it) } else { !turns.is_empty() && later.all(|it| it) };
    claims.iter().any(safe) || all_or_any
}

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let outcome = match words[..] {
        ["all", "--vato", vato, ref files @ ..] => check_all(vato, files),
        ["tables", "--stones", n, "--rules", rules] => check_tables(n, rules, &[]).map(drop),
        ["tables", "--stones", n, "--rules", rules, "--vato", ref vato @ ..] => check_tables(n, rules, vato).map(drop),
        ["certificate", ref files @ ..] if !files.is_empty() => check_files(files, None).map(drop),
        _ => {
            eprintln!("{USAGE}");
            return ExitCode::from(2);
        }
    };
    let fault = outcome.map_err(|error| println!("FAULT: {error}"));
    if fault.is_ok() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
