//! `vato openings`, seen from outside.

#[cfg(unix)]
use crate::support::command_line::interrupt;
use crate::support::command_line::{Folder, Run, stdout};
use crate::support::transcript;

/// A search for openings that succeeds.
fn good(folder: &Folder, arguments: &str) -> Run {
    folder.run(&format!("openings {arguments}")).success()
}

const SMALL: &str = "--plies 6 --count 12 --depth 5";

#[test]
fn a_book_is_made_and_taken_back() {
    let folder = Folder::new();
    let Run { out: text, err, .. } = good(&folder, SMALL);
    assert_eq!(text.lines().count(), 12);
    assert!(
        text.lines().all(|line| line.split(' ').count() == 4),
        "{text}"
    );
    assert_eq!(err.lines().count(), 1, "{err}");
    assert!(err.contains(" 12 kept; scores from "), "{err}");

    let to_file = format!("{SMALL} --scores --threads 2 --out book.fen");
    assert_eq!(good(&folder, &to_file).out, "");
    let written = folder.read("book.fen");
    let lines = written.lines();
    let fens: Vec<&str> = lines
        .map(|line| line.split_once(" ; ").expect("a score").0)
        .collect();
    assert_eq!(fens, text.lines().collect::<Vec<_>>());

    // Wherever it ends, the same command makes the same of it; another file is not overwritten.
    for length in [0, 5, written.len() / 2, written.len()] {
        folder.write("book.fen", &written[..length]);
        good(&folder, &to_file);
        assert_eq!(folder.read("book.fen"), written);
    }
    let refused = |other: &str| {
        folder.write("book.fen", other);
        let run = folder.run(&format!("openings {to_file}"));
        assert_eq!(run.code, Some(1), "{run:?}");
        assert_eq!(folder.read("book.fen"), other);
        run.err
    };
    let more = format!("{written}9/9/9/6b2/w2b3w1 w\n");
    for other in ["a letter", "a letter\n", &more] {
        let message = refused(other);
        assert!(
            message.contains("book.fen has other positions"),
            "{message}"
        );
    }
}

/// Stopped, it says so; what was found is in the file, and the same command comes to the same end.
#[cfg(unix)]
#[test]
fn a_book_that_was_stopped_is_completed() {
    let folder = Folder::new();
    let arguments = "openings --plies 6 --depth 7 --out book.fen";
    let mut running = folder.start(&format!("{arguments} --count 100000"));
    folder.wait_for(&mut running, "book.fen");
    interrupt(&running);
    let run = Run::end_of(running);
    assert_eq!(run.code, Some(3), "{run:?}");
    let message = run.err;
    assert!(
        message.contains("to continue, run the same command"),
        "{message}"
    );
    let stopped = folder.read("book.fen");
    let others = folder.run(&format!("{arguments} --count 100000 --seed 2"));
    assert_eq!(others.code, Some(1));
    assert!(others.err.contains("has other positions"), "{others:?}");
    let count = stopped.lines().count() + 3;
    folder
        .run(&format!("{arguments} --count {count}"))
        .success();
    let whole = folder.read("book.fen");
    assert!(whole.starts_with(&stopped) && whole != stopped);
    let never_stopped = good(&folder, &format!("--plies 6 --depth 7 --count {count}")).out;
    assert_eq!(whole, never_stopped);
    assert!(!folder.exists("book.fen.tried"));
}

/// Other rules and bounds, both sides in turn. (What is found within bounds is tested with the generator.)
#[test]
fn options_are_those_of_the_search() {
    let folder = Folder::new();
    let both = format!("{SMALL} --min-score 1 --max-score 2 --both-sides --scores");
    let Run { out: text, err, .. } = good(&folder, &both);
    for (index, line) in text.lines().enumerate() {
        let sign = [" ; +", " ; -"][index % 2];
        assert!(line.contains(sign), "{text}");
    }
    assert!(err.contains("scores from -"), "{err}");
    let dimy = "--rules 'board=5x5 chain=full' --plies 4 --count 5 --nodes 300 --min-score -9 --max-score 9";
    let text = good(&folder, dimy).out;
    assert_eq!(text.lines().count(), 5);
    assert!(
        text.lines().all(|line| line.split('/').count() == 5),
        "{text}"
    );
    assert_ne!(good(&folder, &format!("{dimy} --seed 2")).out, text);
    // An exhausted board is an error.
    let telo = "openings --rules telo --plies 1 --count 100 --depth 3 --min-score -9 --max-score 9";
    let run = folder.run(telo);
    let found = run.out.lines().count();
    assert_eq!((run.code, found < 100), (Some(1), true), "{run:?}");
    let told = format!(" {found} kept; scores from ");
    let error = format!("\nerror: {found} of 100 positions found");
    assert!(
        run.err.contains(&told) && run.err.contains(&error),
        "{run:?}"
    );
}

#[test]
fn the_built_in_books_are_printed() {
    for name in ["balanced", "sharp"] {
        let fens = stdout(&format!("openings --builtin {name}"));
        assert!(!fens.contains(';'));
        let scored = stdout(&format!("openings --builtin {name} --scores"));
        assert_eq!(scored.lines().count(), 400);
        for (fen, scored) in fens.lines().zip(scored.lines()) {
            assert!(scored.starts_with(&format!("{fen} ; ")), "{scored}");
        }
    }
}

#[test]
fn wrong_usage_is_told_apart() {
    transcript::check(&Folder::new(), "openings_refused");
}
