//! The common layout of the program's binary files.
//!
//! | bytes | what |
//! |---|---|
//! | 8 | magic |
//! | 4 | version of the format |
//! | 4 | length of the header |
//! | … | the header, JSON |
//! | … | the body |
//! | 4 or 32 | checksum of all bytes before: CRC-32 or SHA-256 |
//!
//! Integers are little-endian. Networks, checkpoints and certificates are such files. Training
//! data is one with an empty body, followed by the records. A tablebase begins with magic and version
//! (`Format::start`) and has its header at the end, as it is written sequentially and read in parts.
//!
//! Functions on bytes return a message; [`ContainerError`] adds the path.

use std::io::{self, ErrorKind, Read};
use std::path::{Path, PathBuf};

use serde::Serialize;
use serde::de::DeserializeOwned;
use sha2::{Digest, Sha256};
use thiserror::Error;

use crate::{files, memory};

const PREAMBLE: usize = 16;

/// An I/O error, or invalid content.
#[derive(Debug, Error)]
pub enum ContainerError {
    /// The file cannot be read.
    #[error("cannot read {path}: {1}", path = .0.display())]
    Read(PathBuf, io::Error),
    /// The file cannot be written.
    #[error("cannot write {path}: {1}", path = .0.display())]
    Write(PathBuf, io::Error),
    /// The content is of another format, truncated, damaged or invalid.
    #[error("{path}: {1}", path = .0.display())]
    Content(PathBuf, String),
}

impl ContainerError {
    /// For `map_err` on reads of `path`.
    pub fn read(path: &Path) -> impl Fn(io::Error) -> ContainerError {
        |error| ContainerError::Read(path.to_owned(), error)
    }

    /// For `map_err` on writes of `path`.
    pub fn write(path: &Path) -> impl Fn(io::Error) -> ContainerError {
        |error| ContainerError::Write(path.to_owned(), error)
    }

    /// For `map_err` on checks of the content of `path`.
    pub fn content<E: ToString>(path: &Path) -> impl Fn(E) -> ContainerError {
        |what| ContainerError::Content(path.to_owned(), what.to_string())
    }
}

/// The checksum at the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Checksum {
    /// CRC-32, 4 bytes.
    Crc32,
    /// SHA-256, 32 bytes.
    Sha256,
}

impl Checksum {
    const fn bytes(self) -> usize {
        match self {
            Checksum::Crc32 => 4,
            Checksum::Sha256 => 32,
        }
    }

    fn of(self, bytes: &[u8]) -> Vec<u8> {
        match self {
            Checksum::Crc32 => crc32fast::hash(bytes).to_le_bytes().to_vec(),
            Checksum::Sha256 => Sha256::digest(bytes).to_vec(),
        }
    }
}

/// A file format.
#[derive(Debug)]
pub struct Format {
    /// The name for messages, with its article: `a network`.
    pub name: &'static str,
    /// The first bytes.
    pub magic: [u8; 8],
    /// The only version supported.
    pub version: u32,
    /// The checksum at the end.
    pub checksum: Checksum,
    /// The maximum length of a file (of training data: of the header).
    pub max_bytes: u64,
}

impl Format {
    /// Encodes a file.
    ///
    /// # Errors
    ///
    /// If the header cannot be serialised as JSON (such as a path that is not UTF-8), the file would be longer
    /// than [`Format::max_bytes`], or there is no memory for it.
    pub fn encode(&self, header: &impl Serialize, body: &[u8]) -> Result<Vec<u8>, String> {
        let header = serde_json::to_vec(header).map_err(|error| format!("header: {error}"))?;
        let length = PREAMBLE + header.len() + body.len() + self.checksum.bytes();
        self.check_length(length as u64)?;
        let header_length = u32::try_from(header.len()).map_err(|error| error.to_string())?;
        let mut bytes = Vec::new();
        let room = bytes.try_reserve_exact(length);
        room.map_err(|error| error.to_string())?;
        bytes.extend(self.magic);
        bytes.extend(self.version.to_le_bytes());
        bytes.extend(header_length.to_le_bytes());
        bytes.extend(header);
        bytes.extend(body);
        bytes.extend(self.checksum.of(&bytes));
        Ok(bytes)
    }

    /// Header and body of a file. `body_length` is the body's length by the header, for formats where
    /// the header determines it.
    ///
    /// # Errors
    ///
    /// If the bytes are of another format or version, truncated, damaged or too many, or the header is invalid.
    pub fn decode<'a, H: DeserializeOwned>(
        &self,
        bytes: &'a [u8],
        body_length: impl Fn(&H) -> Option<usize>,
    ) -> Result<(H, &'a [u8]), String> {
        let body = PREAMBLE.saturating_add(self.header_length(bytes)?);
        let end = bytes.len().saturating_sub(self.checksum.bytes());
        if end < body {
            let wanted = body.saturating_add(self.checksum.bytes());
            return Err(wrong_length(wanted, bytes.len()));
        }
        let header = serde_json::from_slice(&bytes[PREAMBLE..body]);
        if let Ok(header) = &header
            && let Some(length) = body_length(header)
            && length != end - body
        {
            let rest = length.saturating_add(self.checksum.bytes());
            let wanted = body.saturating_add(rest);
            return Err(wrong_length(wanted, bytes.len()));
        }
        if self.checksum.of(&bytes[..end]) != bytes[end..] {
            let checksum = match self.checksum {
                Checksum::Crc32 => "CRC-32",
                Checksum::Sha256 => "SHA-256",
            };
            return Err(format!("damaged: {checksum} mismatch"));
        }
        let header = header.map_err(|error| format!("invalid header: {error}"))?;
        Ok((header, &bytes[body..end]))
    }

    /// The header of a file with an empty body, and the number of bytes read.
    ///
    /// # Errors
    ///
    /// As for [`Format::decode`], and I/O errors.
    pub fn read_start<H: DeserializeOwned>(
        &self,
        input: &mut impl Read,
    ) -> io::Result<Result<(H, u64), String>> {
        let mut bytes = Vec::new();
        input.take(PREAMBLE as u64).read_to_end(&mut bytes)?;
        let rest = match self.header_length(&bytes) {
            Ok(length) => (length + self.checksum.bytes()) as u64,
            Err(what) => return Ok(Err(what)),
        };
        if let Err(what) = self.check_length(PREAMBLE as u64 + rest) {
            return Ok(Err(what));
        }
        input.take(rest).read_to_end(&mut bytes)?;
        let decoded = self.decode(&bytes, |_| Some(0));
        Ok(decoded.map(|(header, _)| (header, bytes.len() as u64)))
    }

    /// Whether a file begins with the magic of the format. What is read of a pipe would be gone, so it is none.
    pub(crate) fn is_one(&self, path: &Path) -> bool {
        let mut magic = self.magic.map(|_| 0);
        let file = files::require_regular(path).and_then(|()| files::open(path));
        file.is_ok_and(|mut file| file.read_exact(&mut magic).is_ok()) && magic == self.magic
    }

    /// The bytes after magic and version.
    ///
    /// # Errors
    ///
    /// If the bytes are of another format or version, or too few.
    pub(crate) fn start<'a>(&self, bytes: &'a [u8]) -> Result<ByteReader<'a>, String> {
        let magic = &bytes[..bytes.len().min(self.magic.len())];
        if magic.is_empty() || !self.magic.starts_with(magic) {
            let printable = self.magic.split(|byte| !byte.is_ascii_graphic()).next();
            let printable = String::from_utf8_lossy(printable.unwrap_or_default());
            let name = self.name;
            return Err(format!("not {name} (it does not begin with '{printable}')"));
        }
        let mut rest = ByteReader(&bytes[magic.len()..]);
        let version = (rest.u32()).map_err(|_| wrong_length(PREAMBLE, bytes.len()))?;
        if version != self.version {
            return Err(format!(
                "{} of format version {version}; this program reads version {}",
                self.name, self.version
            ));
        }
        Ok(rest)
    }

    fn header_length(&self, bytes: &[u8]) -> Result<usize, String> {
        let length = self.start(bytes)?.u32();
        let length = length.map_err(|_| wrong_length(PREAMBLE, bytes.len()))?;
        usize::try_from(length).map_err(|error| error.to_string())
    }

    fn check_length(&self, length: u64) -> Result<(), String> {
        if length > self.max_bytes {
            let (name, most) = (self.name, self.max_bytes);
            return Err(format!("{name} of more than {most} bytes"));
        }
        Ok(())
    }

    /// Reads a file.
    ///
    /// # Errors
    ///
    /// If it cannot be read, is of another format, or is longer than [`Format::max_bytes`].
    pub fn load(&self, path: &Path) -> Result<Vec<u8>, ContainerError> {
        let read = || {
            let mut bytes = Vec::new();
            let limit = self.max_bytes.saturating_add(1);
            let file = files::open(path)?;
            let length = file.metadata()?.len().min(limit);
            // Decoding takes as much memory again.
            if length.saturating_mul(2) > memory::available_here() {
                return Err(ErrorKind::OutOfMemory.into());
            }
            let mut file = file.take(limit);
            file.by_ref()
                .take(PREAMBLE as u64)
                .read_to_end(&mut bytes)?;
            // What is of another format is not read.
            if self.start(&bytes).is_ok() {
                file.read_to_end(&mut bytes)?;
            }
            Ok(bytes)
        };
        let bytes = read().map_err(ContainerError::read(path))?;
        // Another format is reported before the length.
        (self.start(&bytes).map(drop))
            .and_then(|()| self.check_length(bytes.len() as u64))
            .map_err(ContainerError::content(path))?;
        Ok(bytes)
    }
}

fn wrong_length(wanted: usize, found: usize) -> String {
    let what = if found < wanted {
        "truncated"
    } else {
        "too long"
    };
    format!("{what}: expected {wanted} bytes, found {found}")
}

/// The unread bytes. Every function fails with `truncated` if too few are left, and then reads none.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ByteReader<'a>(pub(crate) &'a [u8]);

impl ByteReader<'_> {
    pub(crate) fn array<const N: usize>(&mut self) -> Result<[u8; N], String> {
        let (array, rest) = self.0.split_first_chunk().ok_or("truncated")?;
        self.0 = rest;
        Ok(*array)
    }

    pub(crate) fn u32(&mut self) -> Result<u32, String> {
        self.array().map(u32::from_le_bytes)
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    const FORMAT: Format = Format {
        name: "a list",
        magic: *b"VATOLIST",
        version: 3,
        checksum: Checksum::Crc32,
        max_bytes: 100,
    };

    type Header = Vec<u8>;

    fn decode(bytes: &[u8]) -> Result<(Header, &[u8]), String> {
        FORMAT.decode(bytes, |header: &Header| Some(header.len()))
    }

    #[test]
    fn what_was_encoded_is_decoded_and_nothing_else() {
        let bytes = FORMAT.encode(&[7, 7], b"ab").expect("short");
        assert_eq!(bytes.len(), 16 + 5 + 2 + 4);
        assert_eq!(bytes[..21], *b"VATOLIST\x03\0\0\0\x05\0\0\0[7,7]");
        assert_eq!(decode(&bytes), Ok((vec![7, 7], &b"ab"[..])));
        for place in 0..bytes.len() {
            assert!(decode(&bytes[..place]).is_err(), "{place} bytes");
            for flip in [0x01, 0x80, 0xff] {
                let mut wrong = bytes.clone();
                wrong[place] ^= flip;
                assert!(decode(&wrong).is_err(), "byte {place}");
            }
        }
        assert!(FORMAT.encode(&[7], &[0; 80]).is_err());
    }

    #[test]
    fn messages_say_what_is_wrong() {
        let bytes = FORMAT.encode(&[7, 7], b"ab").expect("short");
        let with = |place: usize, byte: u8, is_sealed: bool| {
            let mut bytes = bytes.clone();
            bytes[place] = byte;
            if is_sealed {
                let end = bytes.len() - 4;
                let checksum = crc32fast::hash(&bytes[..end]).to_le_bytes();
                bytes[end..].copy_from_slice(&checksum);
            }
            bytes
        };
        let foreign = "not a list (it does not begin with 'VATOLIST')";
        let version = "a list of format version 4; this program reads version 3";
        for (bytes, told) in [
            (Vec::new(), foreign),
            (b"#!".to_vec(), foreign),
            (b"VATO".to_vec(), "truncated: expected 16 bytes, found 4"),
            (
                bytes[..25].to_vec(),
                "truncated: expected 27 bytes, found 25",
            ),
            (
                [&bytes[..], b"c"].concat(),
                "too long: expected 27 bytes, found 28",
            ),
            (with(8, 4, true), version),
            (with(16, b'{', false), "damaged: CRC-32 mismatch"),
            (with(16, b'{', true), "invalid header: "),
        ] {
            let message = decode(&bytes).expect_err("wrong");
            assert!(message.starts_with(told), "{message}");
        }
    }

    #[test]
    fn a_start_is_read_from_a_stream() {
        let mut bytes = FORMAT.encode(&[7, 7], &[]).expect("short");
        bytes.extend(b"records");
        let mut input = &bytes[..];
        let start = FORMAT.read_start::<Header>(&mut input).expect("in memory");
        assert_eq!(start, Ok((vec![7, 7], 25)));
        assert_eq!(input, b"records");
        for length in 0..25 {
            let start = FORMAT.read_start::<Header>(&mut &bytes[..length]);
            assert!(start.expect("in memory").is_err(), "{length} bytes");
        }
    }

    #[test]
    fn errors_name_the_file() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.list");
        let error = || FORMAT.load(&path).expect_err("wrong").to_string();
        let missing = error();
        assert!(missing.starts_with("cannot read "), "{missing}");
        assert!(missing.contains("a.list"), "{missing}");
        fs::write(&path, FORMAT.encode(&[7], b"a").expect("short")).expect("there is room");
        assert!(FORMAT.load(&path).is_ok());
        fs::write(&path, [&b"VATOLIST\x03\0\0\0"[..], &[0; 99]].concat()).expect("there is room");
        let told = "a.list: a list of more than 100 bytes";
        assert!(error().ends_with(told), "{}", error());
    }
}
