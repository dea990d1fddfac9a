//! Files that come back, and files that are wrong.

use std::fs;

use sha2::{Digest, Sha256};

use super::*;
use crate::board::{Bitboard, BoardSize};
use crate::network::samples::{header, network, random_positions};
use crate::network::{HIDDEN, INPUT_WEIGHTS, OUTPUT_WEIGHTS};

/// The file of a network with other bytes in it and a right checksum.
fn with(network: &Network, change: impl FnOnce(&mut Vec<u8>)) -> Vec<u8> {
    let mut bytes = network.to_bytes();
    bytes.truncate(bytes.len() - 32);
    change(&mut bytes);
    let checksum = sha256(&bytes);
    bytes.extend(checksum);
    bytes
}

fn sha256(bytes: &[u8]) -> [u8; 32] {
    Sha256::digest(bytes).into()
}

fn message(bytes: &[u8]) -> String {
    Network::from_bytes(bytes).expect_err("wrong").to_string()
}

#[test]
fn networks_come_back() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut header = header();
    header.search_scale = 312.345_67;
    header.trained = "for a \"test\", é".to_owned();
    let network = network(1).with_header(header).expect("a right header");
    let path = folder.path().join("some.net");
    fs::write(&path, network.to_bytes()).expect("there is room");
    let bytes = fs::read(&path).expect("just written");
    assert_eq!(bytes, network.to_bytes());
    assert!((bytes.len() as u64) < FORMAT.max_bytes);
    let again = Network::read(&path).expect("just written");
    assert_eq!(again.header(), network.header());
    assert_eq!(again.weights, network.weights);
    assert_eq!(again.name(), network.name());
    let digest = sha256(&bytes).map(|byte| format!("{byte:02x}")).concat();
    assert_eq!(digest[..12], again.name());
    for position in random_positions(3) {
        let (own, other) = (position.own(), position.enemy());
        assert_eq!(network.evaluate(own, other), again.evaluate(own, other));
    }
    let names = fs::read_dir(folder.path()).expect("a folder");
    assert_eq!(names.count(), 1, "nothing temporary is left");
}

/// What else can be wrong with a container is tested there.
#[test]
fn messages_name_what_is_wrong() {
    let network = network(2);
    let version = with(&network, |bytes| bytes[8] = 1);
    let told = "a network of format version 1; this program reads version 2";
    assert_eq!(message(&version), told);
    let mut damaged = network.to_bytes();
    let middle = damaged.len() / 2;
    damaged[middle] ^= 4;
    assert_eq!(message(&damaged), "damaged: SHA-256 mismatch");
}

#[test]
fn headers_are_not_trusted() {
    let network = network(2);
    let header = |from: &str, to: &str| {
        let text = serde_json::to_string(network.header()).expect("a header");
        assert!(text.contains(from), "{text}");
        let text = text.replace(from, to);
        message(&with(&network, |bytes| {
            let old = u32::from_le_bytes([bytes[12], bytes[13], bytes[14], bytes[15]]);
            let length = (text.len() as u32).to_le_bytes();
            bytes.splice(16..16 + old as usize, text.into_bytes());
            bytes[12..16].copy_from_slice(&length);
        }))
    };
    let hidden = "'patterns 64 double stones': expected 'patterns 128 double stones'";
    for (from, to, expected) in [
        (":128", ":64", hidden),
        ("patterns", "pawns", "of the architecture 'pawns 128"),
        ("\"scale\"", "\"sale\"", "unknown field `sale`"),
        ("\"spread\":", "\"spread\":-", "of more than 0"),
        ("\"scale\":", "\"scale\":-", "a scale of -"),
        ("\"trained\":", "\"more\":1,\"trained\":", "unknown field"),
    ] {
        let message = header(from, to);
        assert!(message.contains(expected), "{to}: {message}");
    }
}

/// What they may be is tested with the weights.
#[test]
fn numbers_are_not_trusted() {
    let network = Network::quantise(header(), &[0.0; PARAMETERS]).expect("zeros");
    let inputs = network.to_bytes().len() - 32 - BODY_LENGTH;
    let head = with(&network, |bytes| {
        let place = inputs + 2 * (INPUT_WEIGHTS + HIDDEN + OUTPUT_WEIGHTS) - WINDOW_WEIGHTS;
        bytes[place..place + 2].copy_from_slice(&128_i16.to_le_bytes());
    });
    let told = "a weight of output bucket 1 is 128: expected at most 127 either way";
    assert_eq!(message(&head), told);
}

#[test]
fn the_network_in_the_program_is_right() {
    let network = Network::standard();
    assert!(network.to_bytes().len() <= 1 << 20);
    let start = BoardSize::STANDARD.start();
    let score = network.evaluate(start.own(), start.enemy());
    assert!(score.abs() < 300, "{score}");
    // Far apart, so that nothing can be captured: three stones against seven are lost.
    let few = Bitboard::from_bits(0b1_0001_0001);
    let many = Bitboard::from_bits(0b0_1111_1110 << 40);
    let score = network.evaluate(few, many);
    assert!(score < -300, "{score}");
    assert!(network.evaluate(many, few) > 300);
}
