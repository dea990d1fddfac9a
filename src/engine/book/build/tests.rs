//! Builds that run through, are stopped, go on and are refused.

use std::fs;
use std::path::PathBuf;

use super::*;
use crate::eval::Evaluation;
use crate::rules::Preset;

fn settings(rules: Rules) -> BuildSettings {
    BuildSettings {
        rules,
        limit: SearchLimit::Nodes(150),
        search: SearchSettings {
            evaluation: Evaluation::classical(),
            hash_mib: 1,
            ..SearchSettings::default()
        },
        plies: 5,
        positions: 70,
        margin: 200,
        reply_margin: 400,
        ..BuildSettings::default()
    }
}

struct Folder(tempfile::TempDir);

impl Folder {
    fn new() -> Folder {
        Folder(tempfile::tempdir().expect("a folder"))
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }
}

fn built(settings: &BuildSettings, path: &Path) -> Built {
    build(settings, path, &StopSignal::new(), &mut |_| {}).expect("built")
}

#[test]
fn a_book_does_not_depend_on_the_threads() {
    let folder = Folder::new();
    for preset in [Preset::Tsivy, Preset::Dimy] {
        let one = settings(preset.rules().expect("rules"));
        let three = BuildSettings {
            threads: 3,
            ..one.clone()
        };
        let [alone, together] = [("one", &one), ("three", &three)].map(|(name, settings)| {
            let path = folder.path(&format!("{preset}-{name}"));
            let done = built(settings, &path);
            assert_eq!((done.positions, done.new), (70, 70));
            assert_eq!(done.ending, BuildEnding::Enough);
            fs::read(&path).expect("written")
        });
        assert_eq!(alone, together, "{preset}");
    }
}

#[test]
fn a_build_that_is_stopped_anywhere_comes_to_the_same_end() {
    let folder = Folder::new();
    // A late look lets a whole round finish; so many positions need several rounds all the same.
    let settings = BuildSettings {
        positions: 140,
        ..settings(Rules::STANDARD)
    };
    let whole = folder.path("whole");
    built(&settings, &whole);
    let path = folder.path("stopped");
    let mut stops = 0;
    loop {
        // So many searches at a time, by turns finished and broken off.
        let stop = StopSignal::new();
        let mut before = None;
        let done = build(&settings, &path, &stop, &mut |positions| {
            let before = *before.get_or_insert(positions);
            match (positions - before > 9, stops % 2) {
                (false, _) => {}
                (true, 0) => stop.after_running_games(),
                (true, _) => stop.now(),
            }
        });
        let done = done.expect("built");
        let book = BookFile::read(&path).expect("a whole book");
        assert_eq!(book.header.complete, done.ending != BuildEnding::Stopped);
        assert_eq!(book.entries.len(), done.positions);
        if done.ending != BuildEnding::Stopped {
            assert_eq!(done.ending, BuildEnding::Enough);
            break;
        }
        assert!(done.new > 9, "it goes on");
        stops += 1;
    }
    assert!(stops > 2);
    assert_eq!(fs::read(&path).ok(), fs::read(&whole).ok());
    // What is done is not done again.
    assert_eq!(built(&settings, &path).new, 0);
}

#[test]
fn a_build_that_is_stopped_at_once_leaves_nothing() {
    let folder = Folder::new();
    let path = folder.path("none");
    let settings = settings(Rules::STANDARD);
    let stop = StopSignal::new();
    stop.after_running_games();
    let done = build(&settings, &path, &stop, &mut |_| {}).expect("stopped");
    assert_eq!((done.positions, done.ending), (0, BuildEnding::Stopped));
    assert!(!path.exists());
}

#[test]
fn a_book_grows_and_does_not_change_otherwise() {
    let folder = Folder::new();
    let path = folder.path("book");
    let small = BuildSettings {
        plies: 2,
        positions: 40,
        ..settings(Rules::STANDARD)
    };
    let first = built(&small, &path);
    assert_eq!(first.ending, BuildEnding::Exhausted);
    let larger = settings(Rules::STANDARD);
    let second = built(&larger, &path);
    assert_eq!((second.ending, second.positions), (BuildEnding::Enough, 70));
    let before = fs::read(&path).expect("written");
    for (other, what) in [
        (
            small,
            "plies: 5 in the book, 2 requested (a book only grows)",
        ),
        (
            BuildSettings {
                margin: 201,
                ..larger.clone()
            },
            "margin: 2.00 in the book, 2.01 requested",
        ),
        (
            BuildSettings {
                limit: SearchLimit::Depth(3),
                ..larger.clone()
            },
            "limit: 150 nodes in the book, depth 3 requested",
        ),
        (
            BuildSettings {
                side: BookSide::White,
                ..larger.clone()
            },
            "side: both in the book, white requested",
        ),
        (
            BuildSettings {
                search: SearchSettings {
                    hash_mib: 1,
                    ..SearchSettings::default()
                },
                ..larger.clone()
            },
            "evaluation: classical in the book",
        ),
        (
            settings(Preset::Riatra.rules().expect("rules")),
            "rules: '' in the book, 'opening=first' requested",
        ),
    ] {
        let error = build(&other, &path, &StopSignal::new(), &mut |_| {}).expect_err(what);
        assert!(error.to_string().contains(what), "{what}: {error}");
    }
    assert_eq!(fs::read(&path).ok(), Some(before));
}

/// What the smaller book has searched is not what the larger one would have, and is not thrown away.
#[test]
fn positions_of_the_smaller_book_count() {
    let folder = Folder::new();
    let path = folder.path("book");
    let mut narrow = BuildSettings {
        plies: 4,
        positions: 1_000,
        ..settings(Rules::STANDARD)
    };
    let all = built(&narrow, &folder.path("all"));
    assert_eq!(all.ending, BuildEnding::Exhausted);
    assert!(all.positions > 32, "more than a round");
    narrow.positions = all.positions;
    built(&narrow, &path);
    for more in [1, 2, 30] {
        let before = BookFile::read(&path).expect("written").entries.len();
        let deep = BuildSettings {
            plies: 20,
            positions: before + more,
            ..narrow.clone()
        };
        // Stopped on the way, it comes to the same end.
        let (stopped, stop) = (folder.path("stopped"), StopSignal::new());
        fs::copy(&path, &stopped).expect("there is room");
        let half = build(&deep, &stopped, &stop, &mut |positions| {
            if (positions - before) * 2 > more {
                stop.after_running_games();
            }
        });
        half.expect("built");
        for path in [&path, &stopped] {
            let done = built(&deep, path);
            assert_eq!(
                (done.ending, done.positions),
                (BuildEnding::Enough, before + more)
            );
        }
        assert_eq!(fs::read(&path).ok(), fs::read(&stopped).ok());
    }
}

#[test]
fn what_cannot_be_is_refused() {
    let folder = Folder::new();
    let path = folder.path("book");
    let error = |settings: &BuildSettings, path: &Path| {
        let built = build(settings, path, &StopSignal::new(), &mut |_| {});
        built
            .err()
            .map(|error| error.to_string())
            .unwrap_or_default()
    };
    let none = BuildSettings {
        moves: 0,
        ..settings(Rules::STANDARD)
    };
    assert_eq!(error(&none, &path), "moves '0': expected 1 to 64");
    let right = settings(Rules::STANDARD);
    for (content, what) in [("VATOBOO", "truncated"), ("VATOBOX", "not an opening book")] {
        fs::write(&path, content).expect("there is room");
        assert!(error(&right, &path).contains(what));
    }
    assert!(error(&right, &folder.path("no/such/folder")).contains("cannot write"));
    let lock = Lock::take(&folder.path("taken")).expect("free");
    assert!(error(&right, &folder.path("taken")).contains("in use"));
    drop(lock);
}
