//! Files of training data: a header, then records without end.
//!
//! | bytes | what |
//! |---|---|
//! | 8 | `VATODATA` |
//! | 4 | version of the format, little-endian (1) |
//! | 4 | length of the header in bytes, little-endian |
//! | … | the header as JSON: rules, and how the records were made |
//! | 4 | CRC-32 of everything before |
//! | 24 each | the records |
//!
//! A program that is killed while it writes leaves at most a record that is cut off and a game without
//! its last position; [`Appender`] drops both and goes on.

mod appender;
mod data_file;
mod header;
mod merging;
mod records;
mod shuffling;
mod writer;

pub use self::appender::Appender;
pub use self::data_file::DataFile;
pub use self::header::{Header, Origin};
pub use self::merging::merge;
pub use self::records::Records;
pub use self::shuffling::shuffle;
pub use self::writer::DataWriter;

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::rules::Rules;
    use crate::training::data::{RECORD_BYTES, Record, parse_record};

    fn record(number: u16) -> Record {
        let line = format!("8b/9/9/9/w8 w 0 20\t0\t1-0\t40\t{number}\t1");
        parse_record(&Rules::STANDARD, &line).expect("a record")
    }

    fn header(rules: &str, seed: u64) -> Header {
        Header {
            rules: rules.to_owned(),
            origins: vec![Origin {
                program: "vato".to_owned(),
                evaluation: "classical".to_owned(),
                nodes: 1,
                random_plies: [1, 2],
                opening_score: 3,
                asides: 0,
                adjudicated_stones: 4,
                seed,
            }],
            shuffled: false,
        }
    }

    fn write(path: &Path, header: &Header, records: &[Record]) {
        let mut writer = DataWriter::create(path, header).expect("a file");
        for record in records {
            writer.write(record).expect("written");
        }
        writer.finish().expect("complete");
    }

    #[test]
    fn files_round_trip_and_damage_is_noticed() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("data");
        let records: Vec<Record> = (0..50).map(record).collect();
        let header = header("chain=full", 7);
        write(&path, &header, &records);
        let file = DataFile::read(&path).expect("right");
        assert_eq!((&file.header, &file.records), (&header, &records));
        let good = std::fs::read(&path).expect("there");
        let length = header.to_bytes().len();
        assert_eq!(good.len(), length + 50 * RECORD_BYTES);
        // Everything in the header is protected, and so is the length.
        for at in 0..length {
            let mut bytes = good.clone();
            bytes[at] ^= 1 << (at % 8);
            std::fs::write(&path, &bytes).expect("written");
            assert!(DataFile::read(&path).is_err(), "byte {at}");
        }
        for cut in (0..length).chain([length + 1, good.len() - 1]) {
            std::fs::write(&path, &good[..cut]).expect("written");
            assert!(DataFile::read(&path).is_err(), "cut at {cut}");
        }
        let mut bytes = good.clone();
        bytes[length + 10 * RECORD_BYTES + 23] = 255;
        std::fs::write(&path, &bytes).expect("written");
        let error = DataFile::read(&path).expect_err("damaged").to_string();
        assert!(error.contains("record 11 is none"), "{error}");
    }

    /// A file on another disk stays there, and a pipe is no file.
    #[cfg(unix)]
    #[test]
    fn links_stay_and_only_files_are_replaced() {
        let folder = tempfile::tempdir().expect("a folder");
        let [file, link, pipe] = ["file", "link", "pipe"].map(|name| folder.path().join(name));
        std::fs::write(&file, "old").expect("written");
        std::os::unix::fs::symlink("file", &link).expect("a link");
        write(&link, &header("", 1), &[record(1)]);
        assert!(link.is_symlink());
        assert_eq!(DataFile::read(&file).expect("right").records, [record(1)]);
        let made = std::process::Command::new("mkfifo").arg(&pipe).status();
        assert!(made.expect("mkfifo runs").success());
        let error = DataWriter::create(&pipe, &header("", 1)).err();
        let error = error.expect("a pipe").to_string();
        assert!(error.contains("not a regular file"), "{error}");
        assert_eq!(
            std::fs::read_dir(folder.path()).expect("a folder").count(),
            3
        );
    }

    #[test]
    fn files_merge_if_they_belong_together() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = |name: &str| folder.path().join(name);
        write(&path("a"), &header("", 1), &[record(1), record(2)]);
        write(&path("b"), &header("", 2), &[record(3)]);
        write(&path("c"), &header("chain=full", 2), &[record(3)]);
        let count = merge(&[path("b"), path("a"), path("b")], &path("out")).expect("merged");
        let merged = DataFile::read(&path("out")).expect("right");
        assert_eq!(
            (count, merged.records),
            (4, [3, 1, 2, 3].map(record).to_vec())
        );
        assert_eq!(merged.header.origins.len(), 2);
        let error = merge(&[path("a"), path("c")], &path("out")).expect_err("other rules");
        assert!(error.to_string().contains("chain=full"), "{error}");
        let error = merge(&[path("a"), path("b")], &path("b")).expect_err("the same file");
        assert!(
            error.to_string().contains("both read and written"),
            "{error}"
        );
        assert_eq!(
            DataFile::read(&path("b"))
                .expect("still right")
                .records
                .len(),
            1
        );
    }

    #[test]
    fn shuffling_keeps_every_record() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = |name: &str| folder.path().join(name);
        let records: Vec<Record> = (0..100).map(record).collect();
        write(&path("in"), &header("", 1), &records);
        let shuffled = |seed: u64| {
            shuffle(&path("in"), &path("out"), seed).expect("shuffled");
            let file = DataFile::read(&path("out")).expect("right");
            assert!(file.header.shuffled);
            file.records
        };
        let one = shuffled(1);
        assert_eq!((shuffled(1) == one, shuffled(2) == one), (true, false));
        assert_ne!(one, records);
        let mut sorted = one;
        sorted.sort_by_key(|record| record.sample().game);
        assert_eq!(sorted, records);
    }
}
