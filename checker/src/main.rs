//! An independent checker of the tablebases, certificates and strategies of Vato.
//!
//! It is made from docs/rules.md, docs/certificate.md and docs/tablebases.md and shares no code with Vato. The tables it
//! needs it solves itself, by another method: what both programs find is unlikely to be the fault of one. The whole check
//! of the standard game, minutes with 2 GB of memory, compares every value of the tables in the program with its own and
//! checks files with the same tables:
//!
//! ```sh
//! cargo run --release -- all --vato /usr/bin/vato FILE...
//! ```
//!
//! It prints a line for each slice of the tables: the positions by outcome, the longest distance in plies, and the
//! SHA-256 of what `vato tablebase dump --slice 3v3` has to write. The other commands are for other rules. The exit code
//! is 0 if no fault was found, 1 if one was, and 2 if the arguments are wrong.
//!
//! Trusted are: that the rules here (board.rs, 250 lines) are those of the game; that the other files do what docs/ says;
//! the compiler, the crates `serde_json` and `sha2`, and the machine. Not trusted is anything that Vato writes.
//!
//! - rules.rs: rule sets; board.rs: boards and moves; state.rs: positions
//! - tables.rs: tables of its own
//! - proof.rs: files; certificate.rs and strategy.rs: the two kinds of proofs

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
use std::ops::RangeInclusive;
use std::process::{Command, ExitCode, Stdio};
use tables::{Tables, sha256};

const USAGE: &str = "usage:
  checker all --vato PATH [FILE...]
      The standard game: solve all positions of up to six stones, print the counts, compare every
      value with Vato's, and check certificates and strategies
  checker tables --stones N --rules RULES [--vato PATH [--dir DIR]]
      Tables only: of any rules, and compared with those in the program or in a folder
  checker certificate FILE...
      Certificates and strategies only, of any rules";

/// Solves tables, prints what is in them, and compares every value with those of a program, if one is given with its
/// options.
fn check_tables(rules: Rules, stones: u32, program: &[&str]) -> Result<Tables, String> {
    let tables = Tables::solve(rules.of_tables(), stones)?;
    for slice in tables.slices() {
        let (name, ours) = (slice.name(), slice.bytes());
        let count = |range: RangeInclusive<u8>| ours.iter().filter(|byte| range.contains(byte)).count();
        let [wins, draws, losses] = [1..=127, 0..=0, 128..=255].map(count);
        let (longest, digest) = (slice.longest, sha256(&ours));
        println!("{name}: {wins} won, {draws} drawn, {losses} lost, longest {longest}, SHA-256 {digest}");
        let [vato, options @ ..] = program else { continue };
        let mut command = Command::new(vato);
        command.args(["tablebase", "dump", "--rules", &tables.game.rules.to_string(), "--slice", &name]).args(options);
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
    println!("{} values{same}", tables.slices().map(|slice| slice.values.len()).sum::<usize>());
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
    let rules = Rules::parse("")?;
    let proofs = check_files(files, Some(check_tables(rules.clone(), 6, &[vato])?))?;
    let proofs = proofs.into_iter().filter(|proof| proof.game.rules == rules);
    let claims: Vec<Claim> = proofs.flat_map(|proof| proof.claims).collect();
    let game = Game::new(rules);
    let start = State::parse(&game, "bbbbbbbbb/bbbbbbbbb/bwbw1bwbw/wwwwwwwww/wwwwwwwww w 0 1").expect("it is right").0;
    let safe = ["White", "Black"].into_iter().filter(|side| holds(&game, &claims, &start, *side == "Black", 2));
    let follows: String = safe.map(|side| format!("; from the start {side} need not lose")).collect();
    println!("No fault was found in the tables and {} files{follows}.", files.len());
    Ok(())
}

/// Whether it follows from what is proven that a side need not lose from a position, within some moves.
fn holds(game: &Game, claims: &[Claim], state: &State, black: bool, plies: u32) -> bool {
    let words = state.canonical(game).words();
    let safe =
        |claim: &Claim| claim.attacker_black != black && !claim.wins && claim.root.canonical(game).words() == words;
    let turns = if plies == 0 { Vec::new() } else { state.turns(game) };
    let mut later = turns.iter().map(|turn| holds(game, claims, &state.play(game, turn), black, plies - 1));
    let all_or_any = if state.black == black { later.any(|it| it) } else { !turns.is_empty() && later.all(|it| it) };
    claims.iter().any(safe) || all_or_any
}

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let tables = |stones: &str, rules: &str, program: &[&str]| {
        let stones = stones.parse().map_err(|_| format!("'{stones}' is not a number"))?;
        check_tables(Rules::parse(rules)?, stones, program).map(drop)
    };
    let outcome = match words[..] {
        ["all", "--vato", vato, ref files @ ..] => check_all(vato, files),
        ["tables", "--stones", stones, "--rules", rules] => tables(stones, rules, &[]),
        ["tables", "--stones", stones, "--rules", rules, "--vato", ref program @ ..] => tables(stones, rules, program),
        ["certificate", ref files @ ..] if !files.is_empty() => check_files(files, None).map(drop),
        _ => {
            eprintln!("{USAGE}");
            return ExitCode::from(2);
        }
    };
    if let Err(error) = outcome {
        println!("FAULT: {error}");
        return ExitCode::FAILURE;
    }
    ExitCode::SUCCESS
}
