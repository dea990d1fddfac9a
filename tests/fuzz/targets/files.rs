//! Files of every format.
//!
//! The first byte of an input says how the rest is a file: even as it is; odd as the parts of one, the header up to
//! the end of a line and the body after it, of which a file is made whose lengths and checksums are right. So what
//! lies behind the checksums is reached.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, LazyLock};

use serde_json::Value;
use sha2::{Digest, Sha256};
use tempfile::TempDir;
use vato_engine::board::{Position, Side};
use vato_engine::network::{Accumulators, Network};
use vato_engine::notation::parse_fen;
use vato_engine::proofs::{CertificateFile, Claim};
use vato_engine::rules::{Game, Rules, parse_rules};
use vato_engine::tablebase::Tablebases;
use vato_lab::data::{DataFile, Header, Origin, Survey, parse_record, write};
use vato_lab::{DataSet, Settings, Trainer};
use vato_solver::{Solver, verify_certificate};
use vato_tools::stop::StopSignal;
use vato_tools::tournament::Merged;
use vato_tools::tournament::record::{game_record, read_record};

use super::check_length;

/// A folder of this process, for the files that are read.
pub static FOLDER: LazyLock<TempDir> = LazyLock::new(|| tempfile::tempdir().expect("a folder"));

/// A file with these bytes.
fn file(name: &str, bytes: &[u8]) -> PathBuf {
    let path = FOLDER.path().join(name);
    fs::write(&path, bytes).expect("there is room");
    path
}

/// The header and the body of an input that has them in parts.
pub fn parts(bytes: &[u8]) -> Result<(&[u8], &[u8]), &[u8]> {
    match bytes.split_first() {
        Some((&first, rest)) if first % 2 == 1 => {
            let end = rest.iter().position(|&byte| byte == b'\n');
            let end = end.unwrap_or(rest.len());
            Ok((&rest[..end], rest.get(end + 1..).unwrap_or_default()))
        }
        Some((_, rest)) => Err(rest),
        None => Err(bytes),
    }
}

pub fn crc(bytes: &[u8]) -> Vec<u8> {
    crc32fast::hash(bytes).to_le_bytes().to_vec()
}

/// Magic, version, length of the header, header and body.
fn unsealed(magic: &[u8; 8], version: u32, header: &[u8], body: &[u8]) -> Vec<u8> {
    let length = (header.len() as u32).to_le_bytes();
    [&magic[..], &version.to_le_bytes(), &length, header, body].concat()
}

/// The file that an input stands for, with a CRC-32 at its end.
fn container(bytes: &[u8], magic: &[u8; 8], version: u32) -> Vec<u8> {
    match parts(bytes) {
        Ok((header, body)) => {
            let mut file = unsealed(magic, version, header, body);
            file.extend(crc(&file));
            file
        }
        Err(raw) => raw.to_vec(),
    }
}

/// Networks. The weights after those of the input are the built-in network's.
pub fn network(bytes: &[u8]) {
    static STANDARD: LazyLock<Vec<u8>> = LazyLock::new(|| Network::standard().to_bytes());
    let whole = match parts(bytes) {
        Ok((header, body)) => {
            let length = u32::from_le_bytes(*STANDARD[12..].first_chunk().expect("a length"));
            let weights = &STANDARD[16 + length as usize..STANDARD.len() - 4];
            let rest = weights.get(body.len()..).unwrap_or_default();
            let body = [body, rest].concat();
            let mut file = unsealed(b"VATONET\0", 2, header, &body);
            file.extend(crc(&file));
            file
        }
        Err(raw) => raw.to_vec(),
    };
    match Network::from_bytes(&whole) {
        Ok(network) => {
            let position = Rules::STANDARD.start();
            let all = network.evaluate(position.own(), position.stones(Side::Black));
            let mut accumulators = Accumulators::new(&network, 2);
            let _ = (
                accumulators.evaluate(&network, &position, 0),
                all,
                network.name(),
            );
            let written = network.to_bytes();
            let again = Network::from_bytes(&written).expect("just written");
            assert!(again.to_bytes() == written);
            let model = network.header().wdl_model;
            assert!((0.0..=1.0).contains(&model.win(100, 20, 3)));
        }
        Err(error) => check_length(&error),
    }
}

/// Tables for proofs on a small board.
static TABLES: LazyLock<Arc<Tablebases>> = LazyLock::new(|| {
    let tables = Tablebases::built_in(&parse_rules("board=3x3").expect("rules"), 1 << 20, 1);
    Arc::new(tables.expect("tables of four stones"))
});

/// What is proved of a position in a moment, if anything is.
fn proof(rules: &Rules, position: &Position, attacker: Side) -> Option<Claim> {
    let solver = Solver::new(rules, Arc::clone(&TABLES), 1, 1);
    let solver = solver.expect("the checker takes no rules that the solver does not");
    let game = Game::from_position(*rules, *position);
    let stop = AtomicBool::new(false);
    let answer = solver.can_win(&game, attacker, 3_000, &stop, &mut |_| ());
    answer.expect("a thread").claim()
}

/// Certificates. One that the checker takes says what the solver says.
pub fn certificate(bytes: &[u8]) {
    let whole = match parts(bytes) {
        Ok((header, body)) => {
            let mut file = unsealed(b"VATOPROV", 1, header, body);
            file.extend(Sha256::digest(&file));
            file
        }
        Err(raw) => raw.to_vec(),
    };
    let path = file("a.certificate", &whole);
    let certificate = match CertificateFile::open(&path) {
        Ok(certificate) => certificate,
        Err(error) => return check_length(&error),
    };
    match verify_certificate(&certificate, &TABLES) {
        Ok(faults) if faults.count == 0 => {
            let (header, rules) = (&certificate.header, &certificate.rules);
            let root = parse_fen(&header.root, rules.board).expect("the checker reads it");
            let attacker = Side::BOTH.map(|side| (side.to_string() == header.attacker, side));
            let attacker = attacker.iter().find(|(is_it, _)| *is_it).expect("a side").1;
            let claim = proof(rules, &root, attacker);
            assert!(
                claim.is_none_or(|claim| claim == header.claim),
                "{header:?}"
            );
        }
        Ok(faults) => faults.named.iter().for_each(check_length),
        Err(error) => check_length(&error),
    }
}

/// Checkpoints of the solver.
pub fn proofs(bytes: &[u8]) {
    let rules = parse_rules("board=3x3").expect("rules");
    let path = file("a.proofs", &container(bytes, b"VATOSOLV", 2));
    let solver = Solver::new(&rules, Arc::clone(&TABLES), 1, 1).expect("memory");
    match solver.read_checkpoint(&path, &Game::new(rules)) {
        Ok(_) => {
            let stop = AtomicBool::new(false);
            for side in Side::BOTH {
                // Whether it is true is not known: the file is trusted for that.
                let answer = solver.can_win(&Game::new(rules), side, 500, &stop, &mut |_| ());
                let _ = answer.expect("a thread").claim();
            }
            let again = FOLDER.path().join("again.proofs");
            let written = solver.write_checkpoint(&again, &Game::new(rules), 0.0);
            written.expect("there is room");
        }
        Err(error) => check_length(&error),
    }
}

/// A line of training data.
fn record(number: u16) -> String {
    let stones = ["bbb1b3b/9/3w5/9/w1w5w", "b8/3bb4/9/4ww3/8w"][usize::from(number % 2)];
    let side = ["w", "b"][usize::from(number / 2 % 2)];
    let last = u8::from(number % 4 == 3);
    format!(
        "{stones} {side} 0 9\t{number}\t1-0\t{number}\t{}\t{last}",
        number / 4
    )
}

/// A training: its settings, its data, and the header and the length of the body of its checkpoints.
struct Training {
    settings: Settings,
    data: PathBuf,
    header: Value,
    length: usize,
}

static TRAINING: LazyLock<Training> = LazyLock::new(|| {
    let header = Header {
        rules: Rules::STANDARD.to_string(),
        origins: vec![Some(Origin {
            program: "Vato".to_owned(),
            evaluation: "classical".to_owned(),
            nodes: 1,
            random_plies: [1, 2],
            opening_score: 0,
            asides: 0,
            adjudicated_stones: 0,
            seed: 0,
        })],
        shuffled: false,
    };
    let records = (0..64).map(|number| {
        let line = record(number);
        Ok(parse_record(&Rules::STANDARD, &line).expect("a record"))
    });
    let data = FOLDER.path().join("training.data");
    write(&data, &header, records, &StopSignal::new()).expect("there is room");
    let settings = Settings {
        epochs: 2,
        batch: 64,
        score_scale: Some(100.0),
        validation: 0.5,
        threads: 1,
        ..Settings::default()
    };
    let set = DataSet::read(std::slice::from_ref(&data), &settings).expect("data");
    let trainer = Trainer::new(settings.clone(), set).expect("settings");
    let path = FOLDER.path().join("first.checkpoint");
    trainer.write_checkpoint(&path).expect("there is room");
    let bytes = fs::read(&path).expect("just written");
    let end = 16 + u32::from_le_bytes(*bytes[12..].first_chunk().expect("a length")) as usize;
    Training {
        settings,
        data,
        header: serde_json::from_slice(&bytes[16..end]).expect("JSON"),
        length: bytes.len() - end - 4,
    }
});

/// Checkpoints of a training. What the header of the input lacks is as it should be, numbers that are missing in
/// the body are zeros.
pub fn training(bytes: &[u8]) {
    let training = &*TRAINING;
    let whole = match parts(bytes) {
        Ok((header, body)) => {
            let mut header = header.to_vec();
            if let Ok(Value::Object(mut given)) = serde_json::from_slice(&header) {
                for (key, value) in training.header.as_object().expect("an object") {
                    given.entry(key).or_insert_with(|| value.clone());
                }
                header = Value::Object(given).to_string().into_bytes();
            }
            let mut body = body.to_vec();
            body.resize(training.length, 0);
            let mut file = unsealed(b"VATOTRN\0", 1, &header, &body);
            file.extend(crc(&file));
            file
        }
        Err(raw) => raw.to_vec(),
    };
    let path = file("a.checkpoint", &whole);
    let data = DataSet::read(std::slice::from_ref(&training.data), &training.settings);
    match Trainer::resume(training.settings.clone(), data.expect("data"), &path) {
        Ok(mut trainer) => {
            if !trainer.is_done()
                && let Err(error) = trainer.epoch(&mut |_| true)
            {
                check_length(&error);
            }
        }
        Err(error) => check_length(&error),
    }
}

/// Files of training data.
pub fn data(bytes: &[u8]) {
    let whole = match parts(bytes) {
        Ok((header, records)) => {
            let mut file = unsealed(b"VATODATA", 1, header, &[]);
            file.extend(crc(&file));
            file.extend(records);
            file
        }
        Err(raw) => raw.to_vec(),
    };
    let path = file("a.data", &whole);
    let read = match DataFile::read(&path) {
        Ok(read) => read,
        Err(error) => return check_length(&error),
    };
    let mut survey = Survey::default();
    read.records
        .iter()
        .for_each(|record| survey.add(&record.sample()));
    let again = FOLDER.path().join("again.data");
    let _ = fs::remove_file(&again);
    let records = read.records.iter().copied().map(Ok);
    write(&again, &read.header, records, &StopSignal::new()).expect("there is room");
    assert_eq!(DataFile::read(&again).expect("just written"), read);
    if let Err(error) = DataSet::read(&[path], &TRAINING.settings) {
        check_length(&error);
    }
}

/// Records of matches.
pub fn match_record(bytes: &[u8]) {
    let path: &Path = &file("a.jsonl", bytes);
    let reading = match read_record(path) {
        Ok(reading) => reading,
        Err(error) => return check_length(&error),
    };
    for entry in &reading.entries {
        match game_record(&reading.header.settings, entry) {
            Ok(record) => {
                for fault in record.check() {
                    check_length(&fault);
                }
            }
            Err(error) => check_length(&error),
        }
    }
    match Merged::read(&[path.to_owned()], None) {
        Ok(merged) => {
            let state = &merged.state;
            let _ = (
                state.ranking(),
                state.ratings(),
                state.decision(),
                state.extent(),
            );
            let _ = (merged.missing(), state.ending());
        }
        Err(error) => check_length(&error),
    }
}
