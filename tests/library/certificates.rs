//! Certificates of the solver, checked by a program that shares no code with it.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use sha2::{Digest, Sha256};
use vato_engine::board::Side;
use vato_engine::proofs::{CertificateFile, Claim};
use vato_engine::rules::{
    Blocked, CaptureRule, ChainRule, DirectionRule, Game, OpeningRule, Rules, Tie, Vela,
    parse_rules,
};
use vato_engine::tablebase::{TableRules, Tablebases};
use vato_solver::{Answer, Certificate, Solver, verify_certificate};

/// Rules, the stones of the tables at the leaves, and whether White wins.
const SOLVED: [(&str, u32, bool); 10] = [
    ("board=3x3", 2, true),
    ("board=5x3", 3, true),
    ("board=3x5", 4, true),
    ("board=5x5", 3, false),
    ("board=3x3 blocked=draw", 2, true),
    ("board=5x3 chain=full", 3, true),
    ("board=3x5 capture=free", 3, true),
    ("board=5x3 opening=both", 3, true),
    ("board=5x3 capture=opening chain=single", 3, true),
    ("board=3x5 opening=first direction=any", 3, true),
];

fn tables(rules: &Rules, stones: u32) -> Arc<Tablebases> {
    Arc::new(Tablebases::solve(rules, stones, 1 << 20, &|| true).expect("tables"))
}

fn prove(rules: &Rules, tables: &Arc<Tablebases>, attacker: Side) -> Certificate {
    // Sometimes by two threads.
    let threads = 1 + tables.stones() as usize % 2;
    let solver = Solver::new(rules, Arc::clone(tables), 16, threads).expect("a solver");
    let stop = AtomicBool::new(false);
    let answer = solver.can_win(&Game::new(*rules), attacker, u64::MAX, &stop, &mut |_| ());
    let Answer::Settled(certificate) = answer.expect("a thread") else {
        panic!("{rules}, {attacker}: not settled");
    };
    certificate
}

/// Whether the second checker (`tests/checker/`), whose program `VATO_CHECKER` names, finds a file right.
fn checker(path: &Path) -> Option<bool> {
    let program = std::env::var_os("VATO_CHECKER")?;
    let mut command = Command::new(&program);
    let output = command.arg("certificate").arg(path).output();
    let output = output.expect("VATO_CHECKER can be run");
    let said = String::from_utf8_lossy(&output.stdout);
    match output.status.code() {
        Some(0) => Some(true),
        Some(1) if said.starts_with("FAULT: ") => Some(false),
        code => panic!("{}: {code:?} {said}", path.display()),
    }
}

#[test]
fn another_program_finds_certificates_right() {
    let folder = tempfile::tempdir().expect("a folder");
    for (number, (text, stones, white_wins)) in SOLVED.into_iter().enumerate() {
        let rules = parse_rules(text).expect("rules");
        let tables = tables(&rules, stones);
        let proofs = Side::BOTH.map(|side| (side, prove(&rules, &tables, side)));
        let paths = proofs.map(|(side, certificate)| {
            let wins = white_wins && side == Side::White;
            let claim = if wins { Claim::Wins } else { Claim::CannotWin };
            assert_eq!(certificate.header.claim, claim, "{text}, {side}");
            let path = folder.path().join(format!("{number}.{side}"));
            certificate.write(&path).expect("room");
            let file = CertificateFile::open(&path).expect("a certificate");
            let faults = verify_certificate(&file, &tables).expect("the tables");
            assert_eq!(faults.count, 0, "{text}, {side}: {faults:?}");
            path
        });
        for path in paths {
            assert_ne!(checker(&path), Some(false), "{text}, {}", path.display());
        }
    }
}

/// The parts of a file that are changed.
#[derive(Clone)]
struct Parts {
    header: serde_json::Value,
    records: Vec<[u64; 3]>,
}

impl Parts {
    fn of(bytes: &[u8]) -> Parts {
        let length = u32::from_le_bytes(bytes[12..16].try_into().expect("four bytes"));
        let (header, rest) = bytes[16..].split_at(length as usize);
        let words = rest[..rest.len() - 32].chunks_exact(24).map(|record| {
            [0, 8, 16].map(|at| u64::from_le_bytes(record[at..at + 8].try_into().expect("a word")))
        });
        Parts {
            header: serde_json::from_slice(header).expect("JSON"),
            records: words.collect(),
        }
    }

    /// A file with the right number of records and the right checksum.
    fn bytes(&self) -> Vec<u8> {
        let mut header = self.header.clone();
        header["positions"] = self.records.len().into();
        let header = header.to_string();
        let mut bytes = b"VATOPROV\x01\0\0\0".to_vec();
        bytes.extend((header.len() as u32).to_le_bytes());
        bytes.extend(header.as_bytes());
        bytes.extend(
            self.records
                .iter()
                .flatten()
                .flat_map(|word| word.to_le_bytes()),
        );
        let digest = Sha256::digest(&bytes);
        bytes.extend(digest);
        bytes
    }
}

/// Files that are wrong in one thing each, which the name says.
fn changed(file: &[u8]) -> Vec<(String, Vec<u8>)> {
    let whole = Parts::of(file);
    let mut found: Vec<(String, Vec<u8>)> = Vec::new();
    let mut add = |name: &str, change: &dyn Fn(&mut Parts)| {
        let mut parts = whole.clone();
        change(&mut parts);
        found.push((name.to_owned(), parts.bytes()));
    };
    let records = &whole.records;
    let middle = records.len() / 2;
    let with_move = records
        .iter()
        .position(|record| record[2] != 0)
        .expect("moves");
    let without = records
        .iter()
        .position(|record| record[2] == 0)
        .expect("none");
    let wins = whole.header["claim"] == "wins";
    add("record-dropped", &|parts| {
        parts.records.remove(middle);
    });
    add("records-swapped", &|parts| {
        parts.records.swap(middle, middle + 1)
    });
    add("record-doubled", &|parts| {
        parts.records.insert(middle, parts.records[middle])
    });
    add("other-side-to-move", &|parts| {
        parts.records[middle][0] ^= 1 << 62
    });
    add("first-turn", &|parts| parts.records[middle][0] ^= 1 << 63);
    add("move-dropped", &|parts| parts.records[with_move][2] = 0);
    add("move-added", &|parts| {
        parts.records[without][2] = records[with_move][2]
    });
    add("another-origin", &|parts| {
        parts.records[with_move][2] ^= 1 << 49
    });
    add("stone-gone", &|parts| {
        parts.records[middle][1] &= parts.records[middle][1] - 1
    });
    // One that nothing reaches: two stones are in the tables.
    add("record-added", &|parts| {
        let place = parts.records.partition_point(|record| record[0] < 1);
        parts.records.insert(place, [1, 2, 0]);
    });
    add("bit-without-a-meaning", &|parts| {
        parts.records[middle][0] |= 1 << 55
    });
    add("another-key", &|parts| parts.header["more"] = 1.into());
    if !wins {
        add("rank-without-a-win", &|parts| {
            parts.records[middle][1] |= 1 << 49
        });
    }
    if wins {
        let ranked = records
            .iter()
            .position(|record| record[1] >> 49 > 1)
            .expect("ranks");
        add("no-rank", &|parts| {
            parts.records[ranked][1] &= (1 << 49) - 1
        });
        add("rank-above-the-limit", &|parts| {
            parts.records[ranked][1] |= 101 << 49
        });
        add("root-too-late", &|parts| {
            let root = parts.header["root"].as_str().expect("text");
            parts.header["root"] = root.replace("w 0 1", "w 100 1").into();
        });
    }
    let mut head = |name: &str, key: &str, value: &str| {
        add(name, &|parts| parts.header[key] = value.into());
    };
    let side = whole.header["attacker"].as_str().expect("text");
    head(
        "other-attacker",
        "attacker",
        if side == "White" { "Black" } else { "White" },
    );
    head(
        "other-claim",
        "claim",
        if wins { "cannot-win" } else { "wins" },
    );
    head("other-root", "root", "w3b/5/b3w w 0 9");
    head("rules-without-all-keys", "rules", "board=5x3");
    head("other-tables", "tables", &"0".repeat(64));
    head(
        "counted-ties",
        "rules",
        &whole.header["rules"]
            .to_string()
            .replace("tie=draw", "tie=count")
            .replace('"', ""),
    );
    let mut damaged = file.to_vec();
    damaged[file.len() / 2] ^= 1;
    found.push(("byte-changed".to_owned(), damaged));
    found
}

/// Whatever is changed is found, by the checker of the library as well.
#[test]
fn another_program_finds_changes() {
    let folder = tempfile::tempdir().expect("a folder");
    let rules = parse_rules("board=5x3").expect("rules");
    let tables = tables(&rules, 3);
    for side in Side::BOTH {
        let path = folder.path().join("proof");
        prove(&rules, &tables, side).write(&path).expect("room");
        let file = std::fs::read(&path).expect("there");
        let same = Parts::of(&file).bytes();
        std::fs::write(&path, same).expect("room");
        let mut paths = vec![path];
        for (name, bytes) in changed(&file) {
            let path = folder.path().join(name);
            std::fs::write(&path, bytes).expect("room");
            let opened = CertificateFile::open(&path);
            let faults = opened.map(|file| verify_certificate(&file, &tables));
            let is_right = matches!(faults, Ok(Ok(faults)) if faults.count == 0);
            assert!(!is_right, "{}", path.display());
            paths.push(path);
        }
        for (number, path) in paths.iter().enumerate() {
            let found = checker(path);
            assert!(
                found.is_none_or(|right| right == (number == 0)),
                "{}",
                path.display()
            );
        }
    }
}

/// A root where a side has no stones is decided, whoever is to move.
#[test]
fn finished_games_are_as_they_are() {
    let folder = tempfile::tempdir().expect("a folder");
    let rules = parse_rules("board=5x3").expect("rules");
    let tables = tables(&rules, 3);
    let path = folder.path().join("proof");
    prove(&rules, &tables, Side::White)
        .write(&path)
        .expect("room");
    let mut parts = Parts::of(&std::fs::read(&path).expect("there"));
    for (side, bit) in [("w", 0), ("b", 1_u64 << 62)] {
        for claim in ["wins", "cannot-win"] {
            parts.header["root"] = format!("4w/5/5 {side} 0 2").into();
            parts.header["claim"] = claim.into();
            parts.records = vec![[bit | 1, 0, 0]];
            std::fs::write(&path, parts.bytes()).expect("room");
            let opened = CertificateFile::open(&path).expect("whole");
            let faults = verify_certificate(&opened, &tables).expect("the tables");
            assert_eq!(
                faults.count == 0,
                claim == "wins",
                "{side} {claim}: {faults:?}"
            );
            let found = checker(&path);
            assert!(
                found.is_none_or(|right| right == (claim == "wins")),
                "{side} {claim}"
            );
        }
    }
}

/// Under every value of every rule: the checkers take the proofs of the solver, refuse the rules under which a proof
/// shows nothing, whatever the header says, and agree with each other on proofs of other rules.
#[test]
fn only_rules_under_which_proofs_hold_are_accepted() {
    let folder = tempfile::tempdir().expect("a folder");
    let base = parse_rules("board=3x3").expect("rules");
    let proofs = Side::BOTH.map(|side| {
        let path = folder.path().join("base");
        prove(&base, &tables(&base, 2), side)
            .write(&path)
            .expect("room");
        Parts::of(&fs::read(&path).expect("written"))
    });
    fn all<T: Copy>(key: &str, values: &[T], name: impl Fn(T) -> &'static str) -> Vec<String> {
        let values = values.iter();
        values
            .map(|&value| format!("{key}={}", name(value)))
            .collect()
    }
    let numbers = |key: &str| -> Vec<String> {
        let numbers = (0..=20).chain([99, 100, u16::MAX]);
        numbers.map(|number| format!("{key}={number}")).collect()
    };
    let values: Vec<String> = [
        all("board", &["3x3", "3x5", "5x3"], |name| name),
        all("capture", &CaptureRule::ALL, CaptureRule::name),
        all("chain", &ChainRule::ALL, ChainRule::name),
        all("direction", &DirectionRule::ALL, DirectionRule::name),
        all("opening", &OpeningRule::ALL, OpeningRule::name),
        all("blocked", &Blocked::ALL, Blocked::name),
        all("tie", &Tie::ALL, Tie::name),
        all("vela", &Vela::ALL, Vela::name),
        all("eating", &["free", "must"], |name| name),
        numbers("repeat"),
        numbers("limit"),
    ]
    .concat();
    let (mut paths, mut verdicts) = (Vec::new(), Vec::new());
    let mut add = |name: String, bytes: &[u8], expected: Option<bool>| {
        let path = folder.path().join(&name);
        fs::write(&path, bytes).expect("room");
        let is_right = CertificateFile::open(&path).is_ok_and(|file| {
            let faults = verify_certificate(&file, &tables(&file.rules, 2));
            faults.is_ok_and(|faults| faults.count == 0)
        });
        if let Some(expected) = expected {
            assert_eq!(is_right, expected, "{name}");
        }
        verdicts.push(is_right);
        paths.push(path);
    };
    for value in values {
        let rules = match value.starts_with("board=") {
            true => parse_rules(&value),
            false => parse_rules(&format!("board=3x3 {value}")),
        };
        let rules = rules.expect("rules");
        let solver = TableRules::of(&rules).is_ok().then(|| tables(&rules, 2));
        let solver = solver.map(|tables| {
            let solver = Solver::new(&rules, Arc::clone(&tables), 1, 1).ok();
            (solver, tables)
        });
        for (side, proof) in Side::BOTH.into_iter().zip(&proofs) {
            // What the header of another proof says.
            let mut forged = proof.clone();
            forged.header["rules"] = format!("{rules:#}").into();
            let rank = proof
                .records
                .iter()
                .map(|record| record[1] >> 49)
                .max()
                .unwrap_or(0);
            let (key, _) = value.split_once('=').expect("a value");
            let same_moves = ["tie", "vela", "repeat", "limit"].contains(&key);
            let is_sound = solver.as_ref().is_some_and(|(solver, _)| {
                let limit = u64::from(rules.limit);
                // The solver looks at the tables' longest conversion.
                let in_time = limit == 0 || limit >= rank && solver.is_some();
                rules.repeat != 1 && (side == Side::Black || in_time)
            });
            add(
                format!("{value} {side} forged"),
                &forged.bytes(),
                same_moves.then_some(is_sound),
            );
            // A proof under these rules; a win may be too late for the limit.
            if let Some((Some(solver), _)) = &solver {
                let stop = AtomicBool::new(false);
                let answer = solver.can_win(&Game::new(rules), side, u64::MAX, &stop, &mut |_| ());
                if let Answer::Settled(proof) = answer.expect("a thread") {
                    let path = folder.path().join("own");
                    proof.write(&path).expect("room");
                    let bytes = fs::read(&path).expect("written");
                    add(format!("{value} {side} own"), &bytes, Some(true));
                }
            }
        }
    }
    let right = verdicts.iter().filter(|&&right| right).count();
    assert!(
        right > 50 && verdicts.len() - right > 20,
        "{right} of {}",
        verdicts.len()
    );
    for (path, is_right) in paths.iter().zip(verdicts) {
        let found = checker(path);
        assert!(
            found.is_none_or(|right| right == is_right),
            "{}: {is_right}",
            path.display()
        );
    }
}
