//! Bytes and files of tables, changed at random.

use std::ops::Range;

use rand::RngExt;
use rand::rngs::SmallRng;
use rand::seq::IndexedRandom;
use serde_json::{Value, json};

use super::targets::tables::{ENTRY, PREAMBLE, sealed};

/// Numbers at which something may go over.
const ODD_NUMBERS: [u64; 14] = [
    0,
    1,
    2,
    3,
    7,
    255,
    65_535,
    65_536,
    1 << 31,
    (1 << 32) - 1,
    1 << 32,
    1 << 63,
    u64::MAX - 15,
    u64::MAX,
];

fn odd_number(random: &mut SmallRng) -> u64 {
    *ODD_NUMBERS.choose(random).expect("some")
}

/// A range of some bytes; most are short.
fn range(random: &mut SmallRng, of: Range<usize>) -> Range<usize> {
    let start = random.random_range(of.start..=of.end);
    let most = match random.random_range(0..4) {
        0 => of.len(),
        1 => 256,
        _ => 8,
    };
    let end = start
        .saturating_add(random.random_range(0..=most))
        .min(of.end);
    start..end
}

/// Changes bytes without a thought for their meaning; pieces of `others` may get among them. `scope` is where the change
/// begins, if that is still within the bytes.
pub fn change_bytes(
    random: &mut SmallRng,
    bytes: &mut Vec<u8>,
    scope: Range<usize>,
    others: &[&[u8]],
) {
    let scope = scope.start.min(bytes.len())..scope.end.min(bytes.len());
    let place = range(random, scope.clone());
    let other = *others.choose(random).expect("other files");
    match random.random_range(0..10) {
        0 | 1 if !scope.is_empty() => {
            bytes[random.random_range(scope)] ^= 1 << random.random_range(0..8)
        }
        0..=2 => bytes[place].fill_with(|| random.random()),
        3 => {
            let filler = *[0, 0xff, b'0', b'"'].choose(random).expect("some");
            bytes[place].fill(filler);
        }
        4 => bytes.truncate(place.start),
        5 => drop(bytes.drain(place)),
        6 => {
            let piece: Vec<u8> = bytes[place.clone()].to_vec();
            bytes.splice(place.start..place.start, piece);
        }
        7 => {
            let piece = range(random, 0..other.len());
            bytes.splice(place, other[piece].iter().copied());
        }
        8 => {
            let number = odd_number(random).to_le_bytes();
            // Most numbers of files begin at such places.
            let start = (place.start / 8 * 8).min(bytes.len());
            let end = (start + 8).min(bytes.len());
            bytes[start..end].copy_from_slice(&number[..end - start]);
        }
        _ => {
            // The beginning of this one and the end of another one.
            let from = place.start.min(other.len());
            bytes.truncate(place.start);
            bytes.extend_from_slice(&other[from..]);
        }
    }
}

/// A file of tables with a change, whose checksums are made to fit if it is sealed.
pub fn change_table(
    random: &mut SmallRng,
    bytes: &[u8],
    is_sealed: bool,
    others: &[&[u8]],
) -> Vec<u8> {
    let offset = u64::from_le_bytes(bytes[16..24].try_into().expect("eight bytes")) as usize;
    let mut header: Value = serde_json::from_slice(&bytes[offset..]).expect("JSON");
    let mut blocks = bytes[PREAMBLE..offset].to_vec();
    let directories = header["outcomes"]["directory"].as_u64().expect("a number") as usize;
    if !is_sealed {
        let mut bytes = bytes.to_vec();
        // Most of a small file is header, and blocks are to have their share.
        let scope = if random.random() {
            PREAMBLE..directories
        } else {
            0..bytes.len()
        };
        for _ in 0..*[1, 1, 1, 2, 5].choose(random).expect("some") {
            change_bytes(random, &mut bytes, scope.clone(), others);
        }
        return bytes;
    }
    let mut text = None;
    match random.random_range(0..10) {
        0..=2 => change_value(random, &mut header),
        3 => text = Some(change_text(random, &header, others)),
        4..=6 => {
            let length = blocks.len();
            let scope = if random.random() {
                directories - PREAMBLE..length
            } else {
                0..length
            };
            change_bytes(random, &mut blocks, scope, others);
        }
        7 => {
            // A directory over blocks, or the other directory.
            let name = *["outcomes", "distances"].choose(random).expect("some");
            header[name]["directory"] = json!(random.random_range(PREAMBLE..offset));
        }
        _ => replace_block(random, &mut header, &mut blocks),
    }
    let header = text.unwrap_or_else(|| header.to_string().into_bytes());
    sealed(&header, &blocks)
}

/// Puts something odd in the place of a value of the header, or leaves it out.
fn change_value(random: &mut SmallRng, header: &mut Value) {
    let pointers = pointers(header);
    let pointer = pointers.choose(random).expect("a header has values");
    let value = header.pointer_mut(pointer).expect("a value");
    *value = match random.random_range(0..13) {
        0 => Value::Null,
        1 => json!(-1),
        2 => json!(0.5),
        3 => json!("x\nbestmove a1-a2"),
        4 => json!("7".repeat(100_000)),
        5 => json!([[], {}]),
        6 => json!("9v7"),
        7..=9 => match value.as_u64() {
            Some(number) => {
                json!(number.wrapping_add(*[1, 2, 16, u64::MAX].choose(random).expect("some")))
            }
            None => json!("2v1"),
        },
        10 => {
            let (parent, key) = pointer.rsplit_once('/').expect("a slash");
            let parent = header.pointer_mut(parent).and_then(Value::as_object_mut);
            parent.expect("all values are in objects").remove(key);
            return;
        }
        _ => json!(odd_number(random)),
    };
}

/// Text that is hardly JSON any more, or far too deep.
fn change_text(random: &mut SmallRng, header: &Value, others: &[&[u8]]) -> Vec<u8> {
    let mut text = header.to_string().into_bytes();
    match random.random_range(0..4) {
        0 => [&b"["[..], b"{\"slice\":"]
            .choose(random)
            .expect("some")
            .repeat(50_000),
        1 => {
            let digit = text.iter().rposition(u8::is_ascii_digit).expect("a digit");
            text.splice(digit..digit, vec![b'9'; random.random_range(1..400)]);
            text
        }
        _ => {
            let scope = 0..text.len();
            change_bytes(random, &mut text, scope, others);
            text
        }
    }
}

/// Other values than before, too few or far too many, well compressed, behind the other blocks.
fn replace_block(random: &mut SmallRng, header: &mut Value, blocks: &mut Vec<u8>) {
    let [outcomes, distances] = ["outcomes", "distances"]
        .map(|name| header[name]["directory"].as_u64().expect("a number") as usize);
    let at = outcomes - PREAMBLE;
    let entries = 2 * (distances - outcomes) / ENTRY;
    let length = *[0, 1, 1_000, 1 << 16, 1 << 17, (1 << 17) + 1, 16 << 20]
        .choose(random)
        .expect("some");
    let filler = *[0_u8, 0x55, 0xaa, 0xff].choose(random).expect("some");
    let values: Vec<u8> = match random.random() {
        true if length < 1 << 20 => (0..length).map(|_| random.random()).collect(),
        _ => vec![filler; length],
    };
    let block = zstd::bulk::compress(&values, 1).expect("memory");
    let more = block.len();
    blocks.splice(at..at, block);
    for name in ["outcomes", "distances"] {
        let start = header[name]["directory"].as_u64().expect("a number");
        header[name]["directory"] = json!(start + more as u64);
    }
    let entry = at + more + ENTRY * random.random_range(0..entries);
    blocks[entry..entry + 8].copy_from_slice(&(outcomes as u64).to_le_bytes());
    blocks[entry + 8..entry + 12].copy_from_slice(&(more as u32).to_le_bytes());
}

/// The pointers to all values of an object that are no objects, and to those that are.
fn pointers(value: &Value) -> Vec<String> {
    let mut found = Vec::new();
    for (key, value) in value.as_object().into_iter().flatten() {
        found.push(format!("/{key}"));
        found.extend(
            pointers(value)
                .into_iter()
                .map(|pointer| format!("/{key}{pointer}")),
        );
    }
    found
}
