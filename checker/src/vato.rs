//! Comparison with the tables of Vato, through its command line and its protocol.

use crate::tables::{Tables, Value};
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Command, Stdio};

fn failed(what: &str) -> impl Fn(std::io::Error) -> String {
    let what = what.to_string();
    move |error| format!("{what}: {error}")
}

/// Compares the counts of all slices with those of a folder of tables.
pub fn counts(vato: &str, folder: &str, tables: &Tables) -> Result<(), String> {
    let output = Command::new(vato).args(["tablebase", "info", "--json", folder]).output().map_err(failed(vato))?;
    if !output.status.success() {
        return Err(format!("{vato}: {}", String::from_utf8_lossy(&output.stderr).trim()));
    }
    let info: serde_json::Value = serde_json::from_slice(&output.stdout).map_err(|e| format!("{vato}: {e}"))?;
    if info["rules"] != tables.game.rules.to_string() {
        return Err(format!("{folder} has tables of other rules: {}", info["rules"]));
    }
    let slices = info["slices"].as_array().cloned().unwrap_or_default();
    for slice in tables.slices() {
        let theirs = slices.iter().find(|theirs| theirs["slice"] == slice.name());
        let theirs = theirs.ok_or_else(|| format!("{folder} has no slice {}", slice.name()))?;
        let (counts, longest) = slice.count();
        let numbers = ["wins", "draws", "losses"].map(|key| theirs[key].as_u64());
        if numbers != counts.map(|count| Some(count as u64))
            || theirs["longest"]["plies"].as_u64() != Some(longest.into())
        {
            return Err(format!("{}: Vato counts {theirs}", slice.name()));
        }
    }
    Ok(())
}

/// Compares every value with the bytes that Vato writes.
pub fn every_value(vato: &str, folder: &str, tables: &Tables) -> Result<usize, String> {
    let rules = tables.game.rules.to_string();
    let (mut checked, mut wrong) = (0, 0);
    for slice in tables.slices() {
        let name = slice.name();
        let arguments = ["tablebase", "dump", "--dir", folder, "--rules", &rules, "--slice", &name];
        let mut process = Command::new(vato).args(arguments).stdout(Stdio::piped()).spawn().map_err(failed(vato))?;
        let mut bytes = BufReader::with_capacity(1 << 20, process.stdout.take().expect("it is piped"));
        let mut byte = [0];
        let complete = slice.each(|stones, value| {
            let ours = match value {
                Value::Draw => 0,
                Value::Win(plies) => plies,
                Value::Loss(plies) => 128 + plies,
            };
            let read = bytes.read_exact(&mut byte).is_ok();
            checked += read as usize;
            if read && byte[0] != ours {
                wrong += 1;
                if wrong <= 10 {
                    println!(
                        "{name}: {}: {value:?}, but Vato has the byte {}",
                        tables.game.fen(stones, false, 0, 2),
                        byte[0]
                    );
                }
            }
            read
        });
        let ends = bytes.read(&mut byte).map_err(failed(vato))? == 0;
        drop(bytes);
        if !process.wait().map_err(failed(vato))?.success() || !complete || !ends {
            return Err(format!("{vato} {} does not write a byte for each position", arguments.join(" ")));
        }
    }
    if wrong > 0 { Err(format!("{wrong} values differ")) } else { Ok(checked) }
}

/// Asks a session for the values of random positions. It answers from its tables at once.
pub fn samples(vato: &str, folder: &str, tables: &Tables, count: usize) -> Result<usize, String> {
    let mut process = Command::new(vato).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().map_err(failed(vato))?;
    let mut input = process.stdin.take().expect("it is piped");
    let mut lines = BufReader::new(process.stdout.take().expect("it is piped")).lines();
    let rules = &tables.game.rules;
    writeln!(input, "setoption name Rules value {rules}\nsetoption name UCI_Variant value custom")
        .map_err(failed(vato))?;
    writeln!(input, "setoption name TablebasePath value {folder}").map_err(failed(vato))?;
    let mut random = 1;
    let (mut checked, mut wrong) = (0, 0);
    for slice in tables.slices() {
        for _ in 0..count {
            let (stones, value) = slice.random(&mut random);
            let fen = tables.game.fen(stones, false, 0, 2);
            writeln!(input, "position fen {fen}\ngo depth 1").map_err(failed(vato))?;
            let mut score = None;
            loop {
                let line = lines.next().ok_or(format!("{vato} ends"))?.map_err(failed(vato))?;
                let words: Vec<&str> = line.split(' ').collect();
                if let Some(at) = words.iter().position(|word| *word == "score") {
                    score = Some(words[at + 1..].iter().take(2).copied().collect::<Vec<_>>().join(" "));
                }
                if words[0] == "bestmove" {
                    break;
                }
            }
            // A win or loss of the whole game is a mate, which is not sooner than the conversion.
            let score = score.unwrap_or_default();
            let mate = score.strip_prefix("mate ").and_then(|plies| plies.parse::<i32>().ok());
            let agrees = match (value, mate) {
                (Value::Win(plies), None) => score == format!("cp {}", 30000 - i32::from(plies)),
                (Value::Loss(plies), None) => score == format!("cp -{}", 30000 - i32::from(plies)),
                (Value::Draw, None) => score == "cp 0",
                (Value::Win(plies), Some(mate)) => mate >= i32::from(plies),
                (Value::Loss(plies), Some(mate)) => -mate >= i32::from(plies),
                (Value::Draw, Some(_)) => false,
            };
            checked += 1;
            if !agrees {
                wrong += 1;
                if wrong <= 10 {
                    println!("{}: {fen}: {value:?}, but Vato says {}", slice.name(), score);
                }
            }
        }
    }
    drop(input);
    process.wait().map_err(failed(vato))?;
    if wrong > 0 { Err(format!("{wrong} of {checked} values differ")) } else { Ok(checked) }
}
