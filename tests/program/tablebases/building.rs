//! Building tables: what is there is kept, what is missing or damaged is solved, what is somebody's stays.

use std::fs;

use vato_engine::container::ContainerError;
use vato_engine::tablebase::TablebaseError;
use vato_solver::tables::{BuildSettings, Manifest};

use super::set::{Set, THREE_STONES};

/// Neither the number of threads, nor how many stones are built at a time, shows in the files.
#[test]
fn files_do_not_depend_on_how_they_are_built() {
    let whole = Set::build("dimy", 5);
    let set = Set::empty("dimy");
    for (stones, threads) in [(2, 1), (3, 3), (4, 1), (5, 3)] {
        let settings = BuildSettings {
            threads,
            ..set.settings(stones)
        };
        set.build_with(&settings).expect("room");
    }
    assert!(set.files() == whole.files());
    // Slices solved in folders of their own, as by several machines, make the set of one machine.
    let all = Set::empty("dimy");
    for (slice, needed) in [
        ("3v2", "1v1 1v2 1v3 2v1 2v2 2v3 3v1 3v2"),
        ("1v4", "1v1 1v2 1v3 1v4 2v1 3v1 4v1"),
    ] {
        let part = Set::empty("dimy");
        let settings = BuildSettings {
            slice: Some(slice.parse().expect("a slice")),
            ..part.settings(5)
        };
        let mut written = part.build_with(&settings).expect("room").written;
        written.sort();
        assert_eq!(written.join(" "), needed);
        part.remove(Manifest::NAME);
        all.put(&part.files());
    }
    assert_eq!(all.build_up_to(5).written, [""; 0]);
    assert!(all.files() == whole.files());
}

#[test]
fn the_manifest_describes_the_files() {
    let set = Set::build("tsivy", 3);
    let manifest = Manifest::read(set.path())
        .expect("it reads")
        .expect("it is there");
    assert_eq!(manifest.rules, format!("{:#}", set.rules()));
    let names: Vec<&str> = manifest.slices.iter().map(|entry| &*entry.file).collect();
    assert_eq!(names, THREE_STONES);
    for entry in &manifest.slices {
        let bytes = set.read(&entry.file);
        let found = (entry.bytes, entry.crc);
        assert_eq!(found, (bytes.len() as u64, crc32fast::hash(&bytes)));
    }
    let entry = &manifest.slices[1];
    let counts = [entry.wins, entry.draws, entry.losses];
    assert_eq!((counts, entry.longest), ([2_822, 12_766, 26_982], Some(29)));
    // The engine needs none, and no other text is one.
    let changed = |from: &str, to: &str| {
        let text = String::from_utf8(set.read(Manifest::NAME)).expect("UTF-8");
        text.replace(from, to).into_bytes()
    };
    for text in [
        Vec::new(),
        b"[]".to_vec(),
        b"{\"rules\": 3, \"slices\": []}".to_vec(),
        vec![b'['; 100_000],
        changed("1v1\"", "0v1\""),
        changed("592", "-592"),
    ] {
        set.write(Manifest::NAME, &text);
        assert!(Manifest::read(set.path()).is_err());
    }
    set.remove(Manifest::NAME);
    assert_eq!(set.open().stones(), 3);
}

/// Whatever is done to the set, the same files are there afterwards. Twins are solved together, so both are written again;
/// nothing else is.
#[test]
fn what_is_missing_or_damaged_is_solved_again() {
    let set = Set::build("tsivy", 4);
    let before = set.files();
    let whole = set.read("2v1.vtb");
    let manifest = set.read(Manifest::NAME);
    let flipped = |place: usize| {
        let mut bytes = whole.clone();
        bytes[place] ^= 4;
        Some(bytes)
    };
    let wrong = String::from_utf8(manifest.clone()).expect("UTF-8");
    let wrong = wrong.replacen("592", "18446744073709551615", 1);
    let twins = &["1v2", "2v1"][..];
    // The stones asked for, a file, what it is instead, whether that is called damage, and what is solved.
    for (stones, name, bytes, is_damage, solved) in [
        (2, "1v1.vtb", Some(set.read("1v1.vtb")), false, &[][..]),
        (3, "1v1.vtb", None, false, &["1v1"]),
        (3, "1v2.vtb", None, false, twins),
        (4, "2v1.vtb", None, false, twins),
        // Somewhere else than in the preamble and in the header: in a block.
        (4, "2v1.vtb", flipped(10), true, twins),
        (4, "2v1.vtb", flipped(60), true, twins),
        (4, "2v1.vtb", flipped(whole.len() - 5), true, twins),
        (4, "2v1.vtb", Some([&whole[..], b"x"].concat()), true, twins),
        (4, "2v1.vtb", Some(whole[..100].to_vec()), true, twins),
        (4, "2v1.vtb", Some(Vec::new()), true, twins),
        (4, "2v1.vtb", Some(set.read("1v2.vtb")), true, twins),
        (2, Manifest::NAME, None, false, &[]),
        (
            4,
            Manifest::NAME,
            Some(manifest[..200].to_vec()),
            false,
            &[],
        ),
        (4, Manifest::NAME, Some(Vec::new()), false, &[]),
        (4, Manifest::NAME, Some(wrong.into_bytes()), false, &[]),
        // A build that was killed has left it.
        (
            4,
            ".vato-1.vtb.part",
            Some(b"half of a file".to_vec()),
            false,
            &[],
        ),
        (
            4,
            ".vato-1.json.part",
            Some(b"half of a file".to_vec()),
            false,
            &[],
        ),
    ] {
        match bytes {
            Some(bytes) => set.write(name, &bytes),
            None => set.remove(name),
        }
        let built = set.build_up_to(stones);
        let mut written = built.written;
        written.sort();
        assert_eq!(written, solved, "{name}");
        let damaged: Vec<String> = built.damaged.iter().map(ToString::to_string).collect();
        assert_eq!(damaged.len(), usize::from(is_damage), "{damaged:?}");
        let path = set.file(name).display().to_string();
        assert!(
            damaged.iter().all(|error| error.starts_with(&path)),
            "{damaged:?}"
        );
        assert!(set.files() == before, "{name}");
    }
}

/// What is neither a table nor a manifest is somebody's, whatever its name; so may tables of other rules be.
#[test]
fn files_of_others_stay() {
    let set = Set::build("tsivy", 3);
    set.remove("1v2.vtb");
    for name in [Manifest::NAME, "1v1.vtb", "2v1.vtb", "2v2.vtb"] {
        for text in [
            "[]",
            "{",
            "{\"name\": \"page\"}",
            "VATONET",
            "a text of mine",
        ] {
            let other = set.copy();
            other.write(name, text.as_bytes());
            let before = other.files();
            let error = other.build_with(&other.settings(3)).expect_err(text);
            let path = other.file(name);
            assert!(
                matches!(&error, TablebaseError::File(ContainerError::Write(named, _)) if *named == path),
                "{name}: {error:?}"
            );
            assert!(other.files() == before, "{name}");
        }
    }
    fs::create_dir(set.file("2v2.vtb")).expect("a folder");
    set.build_with(&set.settings(4))
        .expect_err("a folder is there");

    let set = Set::build("tsivy", 3);
    set.write("2v1.vtb", b"VATOTABLdamaged as well");
    for remaining in [&THREE_STONES[..], &["1v2.vtb"]] {
        for name in THREE_STONES.iter().filter(|name| !remaining.contains(name)) {
            set.remove(name);
        }
        let before = set.files();
        for rules in ["full-chain", "dimy", "capture=free"] {
            let settings = BuildSettings {
                rules: vato_engine::rules::parse_rules(rules).expect(rules),
                ..set.settings(2)
            };
            let error = set.build_with(&settings).expect_err(rules);
            assert!(
                matches!(error, TablebaseError::OtherRules { .. }),
                "{error}"
            );
            assert!(set.files() == before, "{rules}");
        }
    }
}

/// What is complete may be read-only.
#[test]
fn nothing_is_written_without_need() {
    let set = Set::build("tsivy", 3);
    let manifest = || fs::metadata(set.file(Manifest::NAME)).expect("there");
    let before = manifest().modified().expect("a time");
    let mut permissions = fs::metadata(set.path()).expect("there").permissions();
    let writable = permissions.clone();
    permissions.set_readonly(true);
    fs::set_permissions(set.path(), permissions).expect("ours");
    let built = set.build_with(&set.settings(3));
    fs::set_permissions(set.path(), writable).expect("ours");
    assert_eq!(built.expect("nothing to do").written, [""; 0]);
    assert_eq!(manifest().modified().expect("a time"), before);
}
