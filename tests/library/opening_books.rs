//! Books of openings: the built-in ones, files, orders.

use std::collections::HashSet;
use std::fs;
use std::path::PathBuf;

use tempfile::TempDir;
use vato_engine::board::{BoardSize, Position, Side, Symmetry};
use vato_engine::rules::{Preset, Rules, legal_moves, parse_rules};
use vato_tools::openings::{
    OpeningOrder, OpeningSettings, OpeningSource, OpeningSuite, without_comment,
};

/// How many openings each of the built-in books has.
const BUILT_IN: usize = 400;

fn open(settings: &OpeningSettings, rules: &str) -> Result<OpeningSuite, String> {
    let rules = parse_rules(rules).expect("good rules");
    OpeningSuite::open(settings, &rules).map_err(|error| error.to_string())
}

fn book(settings: &OpeningSettings) -> OpeningSuite {
    open(settings, "tsivy").expect("a book")
}

fn names(book: &OpeningSuite, pairs: usize) -> Vec<String> {
    (0..pairs).map(|pair| book.line(pair).name).collect()
}

/// Stones and side to move of the smallest image, as symmetry is no matter of the book's own code.
fn smallest_image(rules: &Rules, position: &Position) -> ([u64; 2], Side) {
    let images = Symmetry::of(rules.board).iter().map(|symmetry| {
        let image = symmetry.position(rules.board, position);
        Side::BOTH.map(|side| image.stones(side).bits())
    });
    (images.min().expect("the identity"), position.side())
}

/// A folder with files in it.
struct Files(TempDir);

impl Files {
    fn new(files: &[(&str, &[u8])]) -> Files {
        let folder = tempfile::tempdir().expect("a folder");
        for (name, contents) in files {
            fs::write(folder.path().join(name), contents).expect("a file");
        }
        Files(folder)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn settings(&self, name: &str) -> OpeningSettings {
        OpeningSettings::new(OpeningSource::File(self.path(name)))
    }

    fn error(&self, name: &str) -> String {
        open(&self.settings(name), "tsivy").expect_err(name)
    }
}

/// The score behind a position, in stones from White's view.
fn score(with_score: &str) -> f64 {
    let (_, score) = with_score.split_once(" ; ").expect("a score");
    assert!(score.starts_with(['+', '-']), "{score}");
    score.parse().expect("a number")
}

#[test]
fn the_built_in_books_are_good() {
    let rules = Rules::STANDARD;
    for source in [OpeningSource::Balanced, OpeningSource::Sharp] {
        let book = book(&OpeningSettings::new(source.clone()));
        assert_eq!(book.count(), Some(BUILT_IN), "{source}");
        let mut known = HashSet::new();
        let openings = source.built_in().expect("built in");
        for (index, with_score) in openings.lines().enumerate() {
            let fen = without_comment(with_score);
            let line = book.line(index);
            let game = line.game(&rules).expect("playable");
            assert_eq!(line.name, format!("{source} {}", index + 1));
            assert_eq!(game.outcome(), None);
            assert!(game.position().move_number() > 2, "some plies were played");
            let moves = legal_moves(&rules, game.position());
            assert!(moves.len() >= 2, "{}", fen);
            assert!(
                known.insert(smallest_image(&rules, game.position())),
                "{source} has an image of {} before",
                fen
            );
            let score = score(with_score);
            if source == OpeningSource::Balanced {
                assert!((-0.20..=0.20).contains(&score), "{}", with_score);
            } else {
                let better = if index % 2 == 0 { score } else { -score };
                assert!((SHARP.0..=SHARP.1).contains(&better), "{}", with_score);
            }
        }
    }
    assert!(OpeningSource::Riatra.built_in().is_none());
}

/// The bounds of the sharp book.
const SHARP: (f64, f64) = (0.80, 1.60);

#[test]
fn the_default_is_the_balanced_book_where_it_fits() {
    let settings = OpeningSettings::default();
    assert_eq!(names(&book(&settings), 1), ["balanced 28"]);
    let in_order = OpeningSettings {
        order: OpeningOrder::Sequential,
        ..settings.clone()
    };
    assert_eq!(names(&book(&in_order), 1), ["balanced 1"]);
    let random = open(&settings, "dimy").expect("random openings");
    assert_eq!(
        (random.count(), names(&random, 2)[1].as_str()),
        (None, "random 2")
    );
    assert_ne!(random.count(), Some(0));
}

#[test]
fn every_rule_set_has_openings() {
    let boards = BoardSize::ALL.map(|board| format!("board={board}"));
    let presets = Preset::ALL.map(|preset| preset.name().to_owned());
    let named = presets.iter().filter(|name| *name != "custom");
    for rules in boards.iter().chain(named) {
        let book = open(&OpeningSettings::default(), rules).expect(rules);
        let rules = parse_rules(rules).expect("good rules");
        for pair in 0..20 {
            let game = book.line(pair).game(&rules).expect("playable");
            assert_eq!(game.outcome(), None);
        }
    }
}

#[test]
fn named_openings() {
    let start = book(&OpeningSettings::new(OpeningSource::Start));
    assert_eq!(start.count(), Some(1));
    assert_eq!(start.line(3).start, Rules::STANDARD.start());
    assert!(start.line(3).moves.is_empty());
    let riatra = OpeningSettings::new(OpeningSource::Riatra);
    for rules in ["tsivy", "riatra", "vela"] {
        let book = open(&riatra, rules).expect("legal on 9x5");
        assert_eq!(
            names(&book, 7),
            [
                "vakiloha", "havanana", "havia", "fohy", "kobaka", "vakiloha", "havanana"
            ]
        );
        assert!((0..5).all(|pair| book.line(pair).moves.len() == 1));
    }
    for source in [
        OpeningSource::Riatra,
        OpeningSource::Balanced,
        OpeningSource::Sharp,
    ] {
        let error = open(&OpeningSettings::new(source), "dimy").expect_err("another board");
        assert!(error.contains("9x5") && error.contains("5x5"), "{error}");
    }
    // Under these rules a game is over before its first move.
    for source in [
        OpeningSource::Start,
        OpeningSource::Sharp,
        OpeningSource::Random,
    ] {
        let error = open(&OpeningSettings::new(source), "repeat=1").expect_err("over");
        assert!(error.contains("over"), "{error}");
    }
}

/// Of positions and of games; how lines are read and what is wrong with them is tested with the sources.
#[test]
fn openings_of_a_file() {
    let game = "[White \"A\"]\n\n1. f2-e3A d5-d4A 2. e1-d2A-d3A {+0.35/12} b5-b4A *\n\n";
    let files = Files::new(&[
        (
            "my book.txt",
            b"# \xff\r\n9/9/3w1b3/9/9 w ; +0.35\r\n\r\n9/9/3w1b3/9/9 b 0 7\r\n",
        ),
        ("GAMES.PGN", game.repeat(3).as_bytes()),
        ("rows.fen", b"# one\n9/9/3w1b3/9/9 w\n9/9/9/9 w\n"),
        ("empty.fen", b"# nothing\n\n"),
        ("empty.pgn", b""),
        ("illegal.pgn", b"1. f2-e3A *\n\n1. f2-e3A\nf2-e3A *\n"),
    ]);
    let positions = book(&files.settings("my book.txt"));
    let expected = ["my book.txt 1", "my book.txt 2", "my book.txt 1"];
    assert_eq!(names(&positions, 3), expected);
    assert_eq!(positions.line(1).start.move_number(), 7);
    for (plies, moves) in [(None, 4), (Some(2), 2)] {
        let settings = OpeningSettings {
            plies,
            ..files.settings("GAMES.PGN")
        };
        let games = book(&settings);
        assert_eq!(games.count(), Some(3));
        assert_eq!(games.line(2).moves.len(), moves);
    }
    for (name, wanted) in [
        ("rows.fen", "rows.fen, line 3: "),
        ("illegal.pgn", "illegal.pgn, line 4, game 2: "),
        ("empty.fen", "empty.fen has no openings"),
        ("empty.pgn", "empty.pgn has no openings"),
        ("missing.fen", "missing.fen"),
        ("missing.pgn", "missing.pgn"),
        (".", "cannot read"),
    ] {
        let error = files.error(name);
        assert!(error.contains(wanted), "{name}: {error}");
        assert_eq!(error.lines().count(), 1, "{error}");
    }
}

#[test]
fn a_match_may_begin_anywhere_that_there_is() {
    let [sharp, random] = [OpeningSource::Sharp, OpeningSource::Random].map(OpeningSettings::new);
    for (book, start, plies, is_good) in [
        (&sharp, Some(0), None, false),
        (&sharp, Some(1), None, true),
        (&sharp, Some(401), None, true),
        (&sharp, Some(u32::MAX), None, true),
        // Positions are not cut.
        (&sharp, None, Some(4), false),
        (&random, None, Some(201), false),
        (&random, Some(0), None, false),
    ] {
        let settings = OpeningSettings {
            start,
            plies,
            ..book.clone()
        };
        assert_eq!(open(&settings, "tsivy").is_ok(), is_good, "{settings:?}");
    }
    let from = |start, settings: OpeningSettings| OpeningSettings {
        start: Some(start),
        ..settings
    };
    let balanced = from(399, OpeningSettings::new(OpeningSource::Balanced));
    let expected = ["balanced 399", "balanced 400", "balanced 1"];
    assert_eq!(names(&book(&balanced), 3), expected);
    let later = from(3, random.clone());
    assert_eq!(book(&later).line(0), book(&random).line(2));
}

/// What a resumed match looks at.
#[test]
fn the_checksum_is_that_of_the_openings() {
    let one = "9/9/3w1b3/9/9 w 0 2\n9/9/3w1b3/9/9 b 0 2\n";
    let commented = "# again\n9/9/3w1b3/9/9 w;+1.00\n\n9/9/3w1b3/9/9 b\n";
    let other = "9/9/3w1b3/9/9 w 0 2\n9/9/2w2b3/9/9 b 0 2\n";
    let files = Files::new(&[
        ("one", one.as_bytes()),
        ("commented", commented.as_bytes()),
        ("other", other.as_bytes()),
    ]);
    let checksum = |name: &str| book(&files.settings(name)).checksum;
    assert_eq!(checksum("one"), checksum("commented"));
    assert_ne!(checksum("one"), checksum("other"));
    let random_order = OpeningSettings {
        order: OpeningOrder::Random,
        ..files.settings("one")
    };
    assert_eq!(book(&random_order).checksum, checksum("one"));
    assert_eq!(checksum("one"), crc32fast::hash(one.as_bytes()));
    // Random openings must be the same on every platform.
    let random = book(&OpeningSettings::new(OpeningSource::Random));
    assert_eq!(random.checksum, 2_560_295_032);
}
