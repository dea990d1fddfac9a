//! What a small book answers.

use super::*;
use crate::board::Symmetry;
use crate::eval::Evaluation;
use crate::repertoire::build::{Wish, build};
use crate::repertoire::header::SearchLimit;
use crate::repertoire::settings::BuildSettings;
use crate::rules::Preset;

/// A small book of these rules.
fn book(preset: Preset) -> Repertoire {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.book");
    let settings = BuildSettings {
        rules: preset.rules().expect("rules"),
        evaluation: Evaluation::classical(),
        limit: SearchLimit::Nodes(200),
        hash_mib: 1,
        plies: 3,
        positions: 60,
        margin: 100,
        reply_margin: 200,
        ..BuildSettings::default()
    };
    build(&settings, &path, &|| Wish::GoOn, &mut |_| {}).expect("built");
    Repertoire::read(&path).expect("just written")
}

#[test]
fn images_of_a_position_have_the_images_of_its_moves() {
    for preset in [
        Preset::Tsivy,
        Preset::Dimy,
        Preset::FirstTurns,
        Preset::Vela,
    ] {
        let book = book(preset);
        let (rules, board) = (*book.rules(), book.rules().board);
        let positions = book.walk();
        assert!(positions.len() > 10, "{preset}: {}", positions.len());
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
                assert_eq!(moves.len(), known.moves.len(), "{preset}");
                for (there, here) in moves.iter().zip(&known.moves) {
                    assert_eq!((there.score, there.weight), (here.score, here.weight));
                    assert!(legal.contains(&there.mv));
                    // A position that is its own image has more than one way to be turned.
                    let [one, other] = [(position, here.mv), (image, there.mv)]
                        .map(|(position, mv)| Folded::of(&rules, &position.play(mv)).0);
                    assert_eq!(one, other, "{preset}, {symmetry:?}");
                }
            }
        }
    }
}

#[test]
fn the_best_move_has_the_largest_weight() {
    let book = book(Preset::Dimy);
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

#[test]
fn a_game_that_has_left_the_book_stays_outside() {
    let book = book(Preset::Tsivy);
    let mut game = Game::new(*book.rules());
    let known = book.moves_in(&game);
    assert!(!known.is_empty());
    let mut left = game.clone();
    game.play(known[0].mv).expect("legal");
    assert!(!book.moves_in(&game).is_empty());
    // From a position that is not in the book it is never reached, whatever follows.
    let unknown = legal_moves(book.rules(), left.position());
    let unknown = unknown.iter().find(|&&mv| {
        let after = left.position().play(mv);
        book.moves(&after).is_empty()
    });
    if let Some(&unknown) = unknown {
        left.play(unknown).expect("legal");
        assert!(book.moves_in(&left).is_empty());
    }
    let elsewhere = Rules {
        limit: 50,
        ..*book.rules()
    };
    assert!(book.moves_in(&Game::new(elsewhere)).is_empty());
    let start = book.rules().start();
    let stones = crate::board::Side::BOTH.map(|side| start.stones(side));
    for (quiet, is_known) in [(49, true), (50, false)] {
        let late = Position::new(stones, start.side(), quiet, 30);
        let game = Game::from_position(*book.rules(), late);
        assert_eq!(!book.moves_in(&game).is_empty(), is_known, "{quiet}");
    }
}

#[test]
fn books_with_holes_are_refused() {
    let book = book(Preset::Dimy);
    let entries: Vec<_> = (book.graph.nodes().iter())
        .map(|node| {
            let moves = node
                .links
                .iter()
                .map(|link| crate::repertoire::searching::SearchedMove {
                    mv: link.mv,
                    score: link.searched,
                });
            (node.folded, moves.collect::<Vec<_>>())
        })
        .collect();
    let start = book.graph.place(book.graph.start()).expect("it is there");
    let without = |place: usize| {
        let mut entries = entries.clone();
        entries.remove(place);
        let file = BookFile {
            header: book.header.clone(),
            rules: book.rules,
            entries,
        };
        Repertoire::of(file).err().unwrap_or_default()
    };
    assert_eq!(without(start), "the start position is not in the book");
    let errors: Vec<String> = (0..entries.len()).map(without).collect();
    assert!(
        errors
            .iter()
            .any(|error| error.contains("do not follow from the start"))
    );
}
