//! `vato diagram`, seen from outside.

use std::fs;
use std::path::Path;

use crate::support::command_line::{Folder, stdout};
use crate::support::transcript;

/// Width of the margin and of a cell, in units of the picture.
const MARGIN: usize = 80;
const CELL: usize = 100;

/// The places of what is drawn with this mark, as file and rank from above.
fn places(svg: &str, mark: &str, place: impl Fn(&str) -> [usize; 2]) -> Vec<(usize, usize)> {
    let lines = svg.lines().filter(|line| line.contains(mark));
    let mut places: Vec<_> = lines
        .map(|line| {
            let [x, y] = place(line).map(|at| (at - MARGIN) / CELL);
            (x, y)
        })
        .collect();
    places.sort_unstable();
    places
}

/// Every stone is where the FEN has it, on boards of several sizes and in every theme.
#[test]
fn stones_are_where_they_stand() {
    for (rules, fen, white, black) in [
        (
            "board=5x7",
            "b3w/5/1bw2/5/4b/w4/2b2 b 0 9",
            vec![(0, 5), (2, 2), (4, 0)],
            vec![(0, 0), (1, 2), (2, 6), (4, 4)],
        ),
        (
            "telo",
            "b1w/1b1/w1b w 0 1",
            vec![(0, 2), (2, 0)],
            vec![(0, 0), (1, 1), (2, 2)],
        ),
    ] {
        for theme in ["light", "dark", "print"] {
            let svg = stdout(&format!(
                "diagram --rules {rules} --fen '{fen}' --theme {theme}"
            ));
            let centre = |line: &str| {
                ["cx", "cy"].map(|name| {
                    let (_, rest) = line.split_once(&format!("{name}=\"")).expect(line);
                    rest.split_once('"').expect(line).0.parse().expect(line)
                })
            };
            for (side, stones) in [("white", &white), ("black", &black)] {
                let found = places(&svg, &format!("\"url(#{side})\""), centre);
                assert_eq!(&found, stones, "{theme} {rules} {side}");
            }
        }
    }
}

/// An arrow crosses out what the turn captures, by approach and by withdrawal.
#[test]
fn arrows_cross_out_what_is_captured() {
    for (arrows, crossed) in [
        ("d3-e3A", vec![(5, 2)]),
        ("d3-e3W", vec![(2, 2)]),
        ("f2-e3A", vec![(2, 0), (3, 1)]),
        ("d3-e3A d3-e3W", vec![(2, 2), (5, 2)]),
    ] {
        let svg = stdout(&format!("diagram --arrows '{arrows}'"));
        // A cross begins above its middle, to the left of it.
        let middle = |line: &str| {
            let (_, rest) = line.split_once("d=\"M").expect(line);
            let mut at = rest
                .split(['l', ' '])
                .map(|number| number.parse::<usize>().expect(line) + 20);
            [at.next().expect(line), at.next().expect(line)]
        };
        assert_eq!(
            places(&svg, "stroke=\"#c22f22\"", middle),
            crossed,
            "{arrows}"
        );
    }
}

/// Of a game, any position is drawn, with the turn that led there and what it captured.
#[test]
fn games_are_drawn_at_any_ply() {
    let folder = Folder::new();
    folder.write(
        "games.pgn",
        "[Variant \"dimy\"]\n\n1. b3-c3A 0-1\n\n1. f2-e3A f3-f2A 2. d3-d4A *\n",
    );
    let draw = |arguments: &str| folder.stdout(&format!("diagram {arguments}"));
    let title = |arguments: &str| -> String {
        let svg = draw(&format!("--pgn {arguments}"));
        let (_, rest) = svg.split_once("<title>").expect("a title");
        rest.split_once("</title>").expect("its end").0.to_owned()
    };
    let start = "bbbbbbbbb/bbbbbbbbb/bwbw1bwbw/wwwwwwwww/wwwwwwwww w 0 1";
    assert_eq!(title("games.pgn#2 --ply 0"), start);
    let first = "bb1bbbbbb/bbb1bbbbb/bwbwwbwbw/wwwww1www/wwwwwwwww b 0 1";
    assert_eq!(title("games.pgn#2 --ply 1"), first);
    assert_eq!(title("games.pgn#2"), title("games.pgn#2 --ply 3"));
    assert_eq!(title("games.pgn"), "bbbbb/bbbbb/b1w1w/wwwww/wwwww b 0 1");

    // The stone ends its turn where it has captured another: there is no mark below it.
    folder.write(
        "end.pgn",
        "[SetUp \"1\"]\n[FEN \"9/7b1/8w/7w1/w7w b 0 2\"]\n\n2... h4-h3A-g3W-h2A *\n",
    );
    // Captured stones, and the path of the stone.
    for (arguments, mark, count) in [
        ("--pgn games.pgn#2 --ply 1", "stroke-dasharray", 2),
        ("--pgn games.pgn#2 --ply 1", "<polyline", 1),
        ("--pgn games.pgn#2 --ply 0", "<polyline", 0),
        (&format!("--fen '{first}' --last f2-e3A"), "<polyline", 1),
        ("--pgn end.pgn", "stroke-dasharray", 2),
    ] {
        let svg = draw(arguments);
        assert_eq!(svg.matches(mark).count(), count, "{arguments}: {mark}");
    }
}

/// The pictures of the documentation are made by the commands that this test names.
#[test]
fn the_pictures_of_the_documentation_are_up_to_date() {
    for (name, drawing) in [
        ("board", "diagram --size 600"),
        ("approach", "diagram --arrows d3-e3A --size 400"),
        ("withdrawal", "diagram --arrows d3-e3W --size 400"),
    ] {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("docs/pictures/{name}.svg"));
        let kept = fs::read_to_string(&path).expect("the picture");
        let drawn = stdout(drawing);
        assert_eq!(drawn, kept, "vato {drawing} --out docs/pictures/{name}.svg");
    }
}

#[test]
fn what_cannot_be_drawn_is_named() {
    let folder = Folder::new();
    folder.write("game.pgn", "1. f2-e3A *\n");
    transcript::check(&folder, "diagram_refused");
}
