//! One file of a set, changed at random.

use std::ops::Range;

use rand::RngExt;
use rand::rngs::SmallRng;
use rand::seq::IndexedRandom;
use serde_json::{Value, json};

/// Bytes of a preamble, and of a block's entry in a directory.
const PREAMBLE: usize = 32;
const ENTRY: usize = 16;

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

/// A changed file.
pub struct Mutation {
    /// The name of the file.
    pub name: String,
    pub bytes: Vec<u8>,
    /// Whether checksums have been made to fit.
    pub is_sealed: bool,
    /// What was done, in words.
    pub what: String,
}

impl Mutation {
    /// A change of the file `bytes`; pieces of `others` may get into it.
    pub fn random(random: &mut SmallRng, name: &str, bytes: &[u8], others: &[&[u8]]) -> Mutation {
        let is_sealed = random.random();
        let (bytes, what) = if is_sealed {
            let mut parts = Parts::of(bytes);
            let what = parts.change(random, others);
            (parts.sealed(), what)
        } else {
            // Most of a small file is header, and blocks are to have their share.
            let scope = match random.random() {
                true => PREAMBLE..Parts::of(bytes).end_of_blocks(),
                false => 0..bytes.len(),
            };
            let mut bytes = bytes.to_vec();
            let mut what = String::new();
            for _ in 0..*[1, 1, 1, 2, 5].choose(random).expect("some") {
                what += &change_bytes(random, &mut bytes, scope.clone(), others);
            }
            (bytes, what)
        };
        Mutation {
            name: name.to_owned(),
            bytes,
            is_sealed,
            what,
        }
    }
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

/// Changes bytes without a thought for checksums. `scope` is where the change begins, if that is still
/// within the bytes.
fn change_bytes(
    random: &mut SmallRng,
    bytes: &mut Vec<u8>,
    scope: Range<usize>,
    others: &[&[u8]],
) -> String {
    let scope = scope.start.min(bytes.len())..scope.end.min(bytes.len());
    let place = range(random, scope.clone());
    let other = *others.choose(random).expect("other files");
    match random.random_range(0..9) {
        0 | 1 if !scope.is_empty() => {
            let bit = random.random_range(0..8);
            let at = random.random_range(scope);
            bytes[at] ^= 1 << bit;
            format!("bit {bit} of byte {at} flipped; ")
        }
        0..=2 => {
            bytes[place.clone()].fill_with(|| random.random());
            format!("bytes {place:?} overwritten; ")
        }
        3 => {
            let filler = *[0, 0xff, b'0', b'"'].choose(random).expect("some");
            bytes[place.clone()].fill(filler);
            format!("bytes {place:?} filled with {filler}; ")
        }
        4 => {
            bytes.truncate(place.start);
            format!("cut off at {}; ", place.start)
        }
        5 => {
            bytes.drain(place.clone());
            format!("bytes {place:?} taken out; ")
        }
        6 => {
            let piece: Vec<u8> = bytes[place.clone()].to_vec();
            bytes.splice(place.start..place.start, piece);
            format!("bytes {place:?} doubled; ")
        }
        7 => {
            let piece = range(random, 0..other.len());
            let what = format!("bytes {place:?} replaced by {piece:?} of another file; ");
            bytes.splice(place, other[piece].iter().copied());
            what
        }
        _ => {
            // The beginning of this file and the end of another one.
            let from = place.start.min(other.len());
            bytes.truncate(place.start);
            bytes.extend_from_slice(&other[from..]);
            format!("from byte {from} on another file; ")
        }
    }
}

/// A file taken apart.
struct Parts {
    version: u32,
    /// Preamble, blocks and directories.
    front: Vec<u8>,
    header: Value,
    /// Used instead of `header`.
    header_text: Option<Vec<u8>>,
}

impl Parts {
    fn of(bytes: &[u8]) -> Parts {
        let offset = u64::from_le_bytes(bytes[16..24].try_into().expect("eight bytes")) as usize;
        Parts {
            version: u32::from_le_bytes(bytes[8..12].try_into().expect("four bytes")),
            front: bytes[..offset].to_vec(),
            header: serde_json::from_slice(&bytes[offset..]).expect("JSON"),
            header_text: None,
        }
    }

    /// Where the directories begin.
    fn end_of_blocks(&self) -> usize {
        let directory = self.header["outcomes"]["directory"].as_u64();
        directory.expect("a number") as usize
    }

    /// The file, with checksums that fit.
    fn sealed(mut self) -> Vec<u8> {
        let header = self
            .header_text
            .take()
            .unwrap_or_else(|| self.header.to_string().into_bytes());
        let offset = self.front.len() as u64;
        self.front[8..12].copy_from_slice(&self.version.to_le_bytes());
        self.front[12..16].copy_from_slice(&crc32fast::hash(&header).to_le_bytes());
        self.front[16..24].copy_from_slice(&offset.to_le_bytes());
        self.front[24..32].copy_from_slice(&(header.len() as u64).to_le_bytes());
        [self.front, header].concat()
    }

    fn change(&mut self, random: &mut SmallRng, others: &[&[u8]]) -> String {
        match random.random_range(0..12) {
            0..=2 => self.change_a_value(random),
            3 => self.change_header_text(random, others),
            4 | 5 => self.change_directory(random),
            6 | 7 => self.change_block(random),
            8 | 9 => self.replace_block(random),
            10 => self.move_directory(random),
            _ => {
                self.version = *[0, 2, u32::MAX, 1].choose(random).expect("some");
                format!("version {}", self.version)
            }
        }
    }

    /// Puts something odd in the place of a value of the header.
    fn change_a_value(&mut self, random: &mut SmallRng) -> String {
        let pointers = pointers(&self.header);
        let pointer = pointers.choose(random).expect("a header has values");
        let value = self.header.pointer_mut(pointer).expect("a value");
        if random.random_range(0..12) == 0 {
            let (parent, key) = pointer.rsplit_once('/').expect("a slash");
            let parent = self
                .header
                .pointer_mut(parent)
                .and_then(Value::as_object_mut);
            let parent = parent.expect("all values are in objects");
            parent.remove(key);
            return format!("{pointer} left out");
        }
        *value = match random.random_range(0..12) {
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
            _ => json!(*ODD_NUMBERS.choose(random).expect("some")),
        };
        let shown: String = self.header.pointer(pointer).expect("a value").to_string();
        format!("{pointer} = {}", shown.chars().take(40).collect::<String>())
    }

    /// Text that is hardly JSON any more, or far too deep.
    fn change_header_text(&mut self, random: &mut SmallRng, others: &[&[u8]]) -> String {
        let mut text = self.header.to_string().into_bytes();
        let what = match random.random_range(0..4) {
            0 => {
                let opening = *[b"[".as_slice(), b"{\"slice\":"]
                    .choose(random)
                    .expect("some");
                text = opening.repeat(50_000);
                "a header of brackets".to_owned()
            }
            1 => {
                let digit = text.iter().rposition(u8::is_ascii_digit).expect("a digit");
                text.splice(digit..digit, vec![b'9'; random.random_range(1..400)]);
                "a long number in the header".to_owned()
            }
            _ => {
                let scope = 0..text.len();
                change_bytes(random, &mut text, scope, others)
            }
        };
        self.header_text = Some(text);
        format!("header: {what}")
    }

    /// One of the two sections, and where its directory is.
    fn section(&self, random: &mut SmallRng) -> (&'static str, Range<usize>) {
        let name = *["outcomes", "distances"].choose(random).expect("some");
        let start =
            |name: &str| self.header[name]["directory"].as_u64().expect("a number") as usize;
        let blocks = (start("distances") - start("outcomes")) / ENTRY;
        (name, start(name)..start(name) + blocks * ENTRY)
    }

    /// Makes the checksum of a directory fit.
    fn seal_directory(&mut self, name: &str, directory: Range<usize>) {
        self.header[name]["crc"] = json!(crc32fast::hash(&self.front[directory]));
    }

    /// Entries of a directory that are wrong: offsets, lengths, checksums, the order.
    fn change_directory(&mut self, random: &mut SmallRng) -> String {
        let (name, directory) = self.section(random);
        let entries = directory.len() / ENTRY;
        let entry = directory.start + ENTRY * random.random_range(0..entries);
        let odd = *ODD_NUMBERS.choose(random).expect("some");
        let what = match random.random_range(0..4) {
            0 => {
                self.front[entry..entry + 8].copy_from_slice(&odd.to_le_bytes());
                format!("offset {odd}")
            }
            1 => {
                self.front[entry + 8..entry + 12].copy_from_slice(&(odd as u32).to_le_bytes());
                format!("length {}", odd as u32)
            }
            2 => {
                let at = entry + random.random_range(0..ENTRY);
                self.front[at] ^= 1 << random.random_range(0..8);
                format!("byte {} changed", at - entry)
            }
            _ => {
                let other = directory.start + ENTRY * random.random_range(0..entries);
                let entries = [entry, other].map(|start| self.front[start..start + ENTRY].to_vec());
                self.front[entry..entry + ENTRY].copy_from_slice(&entries[1]);
                self.front[other..other + ENTRY].copy_from_slice(&entries[0]);
                "two entries exchanged".to_owned()
            }
        };
        self.seal_directory(name, directory);
        format!("directory of {name}: {what}")
    }

    /// An entry of a directory: where its block is.
    fn block(&self, entry: usize) -> Range<usize> {
        let offset = self.front[entry..entry + 8]
            .try_into()
            .expect("eight bytes");
        let length = self.front[entry + 8..entry + 12]
            .try_into()
            .expect("four bytes");
        let start = u64::from_le_bytes(offset) as usize;
        start..start + u32::from_le_bytes(length) as usize
    }

    /// Compressed bytes that are damaged, under a checksum that fits.
    fn change_block(&mut self, random: &mut SmallRng) -> String {
        let (name, directory) = self.section(random);
        let entry = directory.start + ENTRY * random.random_range(0..directory.len() / ENTRY);
        let block = self.block(entry);
        for _ in 0..random.random_range(1..4) {
            let at = random.random_range(block.clone());
            self.front[at] = random.random();
        }
        let crc = crc32fast::hash(&self.front[block]);
        self.front[entry + 12..entry + ENTRY].copy_from_slice(&crc.to_le_bytes());
        self.seal_directory(name, directory);
        format!("a block of {name} damaged")
    }

    /// Other values than before, too few or far too many, well compressed.
    fn replace_block(&mut self, random: &mut SmallRng) -> String {
        let (name, directory) = self.section(random);
        let entry = directory.start + ENTRY * random.random_range(0..directory.len() / ENTRY);
        let old = self.front[self.block(entry)].to_vec();
        let old = zstd::bulk::decompress(&old, 1 << 17).expect("a good block");
        let length = match random.random_range(0..6) {
            0 => 0,
            1 => old.len() - 1,
            2 => old.len() + 1,
            3 => 16 << 20,
            _ => old.len(),
        };
        let filler = *[0_u8, 0x55, 0xaa, 0xff].choose(random).expect("some");
        let values: Vec<u8> = match random.random_range(0..2) {
            0 if length < 1 << 20 => (0..length).map(|_| random.random()).collect(),
            _ => vec![filler; length],
        };
        let block = zstd::bulk::compress(&values, 1).expect("memory");
        // The new block goes before the directories, which makes way for it.
        let at = self.end_of_blocks();
        let more = block.len();
        let crc = crc32fast::hash(&block);
        self.front.splice(at..at, block);
        for section in ["outcomes", "distances"] {
            let start = &mut self.header[section]["directory"];
            *start = json!(start.as_u64().expect("a number") + more as u64);
        }
        let (entry, directory) = (entry + more, directory.start + more..directory.end + more);
        self.front[entry..entry + 8].copy_from_slice(&(at as u64).to_le_bytes());
        self.front[entry + 8..entry + 12].copy_from_slice(&(more as u32).to_le_bytes());
        self.front[entry + 12..entry + ENTRY].copy_from_slice(&crc.to_le_bytes());
        self.seal_directory(name, directory);
        format!("a block of {name} of {length} bytes")
    }

    /// A directory somewhere else: over the preamble, blocks, or the other directory.
    fn move_directory(&mut self, random: &mut SmallRng) -> String {
        let (name, directory) = self.section(random);
        let last = self.front.len() - directory.len();
        let start = random.random_range(PREAMBLE..=last);
        self.header[name]["directory"] = json!(start);
        self.seal_directory(name, start..start + directory.len());
        format!("the directory of {name} at {start}")
    }
}

/// The pointers to all values of an object that are no objects, and to those that are.
fn pointers(value: &Value) -> Vec<String> {
    let mut found = Vec::new();
    if let Some(object) = value.as_object() {
        for (key, value) in object {
            found.push(format!("/{key}"));
            let below = pointers(value);
            found.extend(below.into_iter().map(|pointer| format!("/{key}{pointer}")));
        }
    }
    found
}
