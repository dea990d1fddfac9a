//! What a small book answers.

use super::*;
use crate::board::{Side, Symmetry};
use crate::book::BookPosition;
use crate::book::build::{BuildSettings, build};
use crate::book::file::BookEntry;
use crate::book::graph::SearchedMove;
use crate::book::header::{BookSide, SearchLimit};
use crate::eval::Evaluation;
use crate::rules::{has_move, parse_rules};
use crate::search::SearchSettings;
use crate::stop::StopSignal;

/// A small book for these rules.
fn book(rules: &str) -> Book {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.book");
    let settings = BuildSettings {
        rules: parse_rules(rules).expect("rules"),
        limit: SearchLimit::Nodes(200),
        search: SearchSettings {
            evaluation: Evaluation::classical(),
            hash_mib: 1,
            ..SearchSettings::default()
        },
        plies: 3,
        positions: 60,
        margin: 100,
        reply_margin: 200,
        ..BuildSettings::default()
    };
    build(&settings, &path, &StopSignal::new(), &mut |_| {}).expect("built");
    Book::read(&path).expect("just written")
}

#[test]
fn images_of_a_position_have_the_images_of_its_moves() {
    for name in [
        "tsivy",
        "dimy",
        "first-turns",
        "vela",
        // White's first turn has nothing to capture, and Black's is a first turn all the same.
        "board=5x5 opening=both vela=white blocked=draw",
    ] {
        let book = book(name);
        let (rules, board) = (*book.rules(), book.rules().board);
        let positions = book.walk();
        assert!(positions.len() > 3, "{name}: {}", positions.len());
        assert_eq!(
            positions.len(),
            book.positions_by_ply().iter().sum::<usize>()
        );
        for known in positions {
            let position = known.position;
            for &symmetry in Symmetry::of(board) {
                let image = symmetry.position(board, &position);
                let legal = legal_moves(&rules, &image);
                let moves = book.moves(&image);
                assert_eq!(moves.len(), known.moves.len(), "{name}");
                for (there, here) in moves.iter().zip(&known.moves) {
                    assert_eq!((there.score, there.weight), (here.score, here.weight));
                    assert!(legal.contains(&there.mv));
                    // A position that is its own image has more than one way to be turned.
                    let [one, other] = [(position, here.mv), (image, there.mv)]
                        .map(|(position, mv)| rules.canonical(&position.play(mv)).0);
                    assert_eq!(one, other, "{name}, {symmetry:?}");
                }
            }
        }
    }
}

#[test]
fn the_best_move_has_the_largest_weight() {
    let book = book("dimy");
    let positions = book.walk();
    let is_choice =
        |known: &&BookPosition| known.moves.iter().filter(|mv| mv.weight > 0).count() > 1;
    assert!(positions.iter().filter(is_choice).count() > 0);
    for known in &positions {
        assert_eq!(known.moves[0].weight, 1_000);
        assert!(
            known
                .moves
                .is_sorted_by_key(|known| Reverse((known.score, known.weight)))
        );
        let line = book.line(&known.position, known.moves[0].mv);
        let mut game = Game::from_position(*book.rules(), known.position);
        assert!(line.iter().all(|&mv| game.play(mv).is_ok()));
    }
}

/// A game from a position of a book with captures that are not forced: a turn of White's without a
/// capture that leads out of the book, one of Black's, and both back.
struct RoundTrip {
    known: BookPosition,
    out: [Move; 4],
}

impl RoundTrip {
    fn new(book: &Book) -> RoundTrip {
        let rules = book.rules();
        let quiet = |position: &Position| {
            let mut moves = legal_moves(rules, position).to_vec();
            moves.retain(|mv| mv.captured().is_empty());
            moves
        };
        let back = |position: &Position, mv: Move| {
            let mut moves = quiet(position).into_iter();
            moves.find(|other| (other.from(), other.to()) == (mv.to(), mv.from()))
        };
        for known in book.walk() {
            for first in quiet(&known.position) {
                let outside = known.position.play(first);
                if book.place(&outside).is_some() {
                    continue;
                }
                for second in quiet(&outside) {
                    let third = back(&outside.play(second), first);
                    let Some(third) = third else { continue };
                    let before = outside.play(second).play(third);
                    let Some(last) = back(&before, second) else {
                        continue;
                    };
                    let out = [first, second, third, last];
                    return RoundTrip { known, out };
                }
            }
        }
        panic!("no way out and back");
    }

    /// The game from the book's position on, after these moves.
    fn game(&self, book: &Book, moves: &[Move]) -> Game {
        let mut game = Game::from_position(*book.rules(), self.known.position);
        for &mv in moves {
            game.play(mv).expect("legal");
        }
        game
    }
}

/// The positions of a book with their moves.
fn entries(book: &Book) -> Vec<BookEntry> {
    let searched = |link: &super::super::graph::Link| SearchedMove {
        mv: link.mv,
        score: link.searched,
    };
    (book.graph.nodes.iter())
        .map(|node| (node.key, node.links.iter().map(searched).collect()))
        .collect()
}

/// The book with a move more at each of these positions, which are new ones perhaps.
fn with_moves(book: &Book, more: &[(Position, Move, i32)]) -> Book {
    let mut entries = entries(book);
    for &(position, mv, score) in more {
        let (key, symmetry) = book.rules().canonical(&position);
        let mv = symmetry.apply_to_move(book.rules().board, mv);
        let score = Score::from_raw(score);
        let place = entries.iter().position(|entry| entry.0 == key);
        let place = place.unwrap_or_else(|| {
            entries.push((key, Vec::new()));
            entries.len() - 1
        });
        let moves = &mut entries[place].1;
        moves.retain(|known| known.mv != mv);
        moves.push(SearchedMove { mv, score });
    }
    of(book, entries).expect("it follows from the start")
}

fn of(book: &Book, entries: Vec<BookEntry>) -> Result<Book, String> {
    Book::of(BookFile {
        header: book.header.clone(),
        rules: *book.rules(),
        entries,
    })
}

#[test]
fn a_game_that_has_left_the_book_stays_outside() {
    let book = book("board=5x5 capture=free");
    let trip = RoundTrip::new(&book);
    // Where the book goes on, straight on and after the round trip: no position comes twice.
    let on = trip.known.moves.iter().find(|known| {
        let after = trip.known.position.play(known.mv);
        book.place(&after).is_some()
    });
    let on = on.expect("it is not a last position").mv;
    assert!(!book.moves_in(&trip.game(&book, &[on])).is_empty());
    let outside = [&trip.out[..], &[on]].concat();
    let back = trip.game(&book, &outside);
    assert_eq!(back.occurrences(), 1);
    assert!(!book.moves(back.position()).is_empty());
    assert!(book.moves_in(&back).is_empty());
}

/// Known are the positions, not how often they have come.
#[test]
fn a_position_that_has_come_before_is_not_looked_up() {
    let book = book("board=5x5 capture=free");
    let trip = RoundTrip::new(&book);
    let positions: Vec<Position> = (0..4)
        .map(|plies| *trip.game(&book, &trip.out[..plies]).position())
        .collect();
    let way: Vec<_> = (positions.iter().zip(trip.out))
        // Black's last turn wins much, so there are better ones than White's first, which repeats nothing.
        .map(|(&position, mv)| (position, mv, 900))
        .collect();
    let round = with_moves(&book, &way);
    for plies in 0..3 {
        let game = trip.game(&book, &trip.out[..plies]);
        assert!(!round.moves_in(&game).is_empty(), "{plies}");
    }
    let again = trip.game(&book, &trip.out);
    assert_eq!(again.occurrences(), 2);
    assert!(!round.moves(again.position()).is_empty());
    assert!(round.moves_in(&again).is_empty());

    // The last turn of the way back is not played either, better or worse than another.
    let last = trip.game(&book, &trip.out[..3]);
    assert!(round.moves_in(&last).is_empty());
    let mut legal = legal_moves(book.rules(), last.position()).to_vec();
    legal.retain(|&mv| mv != trip.out[3]);
    for (score, is_answered) in [(0, false), (1_000, true)] {
        let other = (positions[3], legal[0], score);
        let book = with_moves(&round, &[other]);
        assert_eq!(book.moves(&positions[3]).len(), 2);
        let moves: Vec<Move> = (book.moves_in(&last).iter())
            .map(|known| known.mv)
            .collect();
        let expected = if is_answered { &legal[..1] } else { &[] };
        assert_eq!(moves, expected, "{score}");
    }
}

#[test]
fn other_rules_and_late_games_are_not_looked_up() {
    let book = book("tsivy");
    assert!(!book.moves_in(&Game::new(*book.rules())).is_empty());
    let elsewhere = Rules {
        limit: 50,
        ..*book.rules()
    };
    assert!(book.moves_in(&Game::new(elsewhere)).is_empty());
    let start = book.rules().start();
    let stones = Side::BOTH.map(|side| start.stones(side));
    for (quiet, is_known) in [(49, true), (50, false)] {
        let late = Position::new(stones, start.side(), quiet, 30);
        let game = Game::from_position(*book.rules(), late);
        assert_eq!(!book.moves_in(&game).is_empty(), is_known, "{quiet}");
    }
}

#[test]
fn a_book_for_one_side_is_not_played_by_the_other() {
    let both = book("dimy");
    for side in [BookSide::White, BookSide::Black] {
        let mut book = both.clone();
        book.header.side = side;
        let mut played = 0;
        for known in book.walk() {
            let game = Game::from_position(*book.rules(), known.position);
            let moves = book.moves_in(&game);
            let is_for = side.sides() == [known.position.side()];
            assert_eq!(moves, if is_for { known.moves } else { Vec::new() });
            played += moves.iter().filter(|known| known.weight > 0).count();
        }
        assert_eq!(book.move_counts().played, played);
    }
    let moves = both.walk();
    let moves = moves.iter().flat_map(|known| &known.moves);
    let counts = MoveCounts {
        known: moves.clone().count(),
        played: moves.filter(|known| known.weight > 0).count(),
    };
    assert_eq!(both.move_counts(), counts);
}

#[test]
fn games_by_the_book_leave_it_at_its_ends() {
    let book = book("dimy");
    let ends = book.ends();
    assert!(ends.len() > 5, "{}", ends.len());
    let played = |position: &Position| {
        let mut moves = book.moves(position);
        moves.retain(|known| known.weight > 0);
        moves
    };
    let known = book.walk();
    for (number, end) in ends.iter().enumerate() {
        assert!(book.place(end).is_none() && has_move(book.rules(), end));
        let key = |position: &Position| book.rules().canonical(position).0;
        let twice = ends[..number].iter().any(|one| key(one) == key(end));
        assert!(!twice);
        let leads_there = |known: &BookPosition| {
            let mut moves = played(&known.position).into_iter();
            moves.any(|mv| key(&known.position.play(mv.mv)) == key(end))
        };
        assert!(known.iter().any(leads_there));
    }
}

#[test]
fn books_with_holes_are_refused() {
    let book = book("dimy");
    let entries = entries(&book);
    let start = book.graph.place(book.graph.start()).expect("it is there");
    let without = |place: usize| {
        let mut entries = entries.clone();
        entries.remove(place);
        of(&book, entries).err().unwrap_or_default()
    };
    assert_eq!(without(start), "the start position is not in the book");
    let errors: Vec<String> = (0..entries.len()).map(without).collect();
    assert!(
        errors
            .iter()
            .any(|error| error.contains("do not follow from the start"))
    );
}
