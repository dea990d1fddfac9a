//! `vato diagram`, seen from outside.

use std::fs;
use std::path::Path;

use crate::support::command_line::{Folder, stdout};
use crate::support::transcript;
use resvg::tiny_skia::Pixmap;

/// Width of the margin and of a cell, in units of the picture.
const MARGIN: usize = 80;
const CELL: usize = 100;

/// A picture in pixels as large as its units.
fn pixels(columns: usize, arguments: &str) -> Pixmap {
    let folder = Folder::new();
    let width = (columns - 1) * CELL + 2 * MARGIN;
    let drawn = folder.stdout(&format!(
        "diagram --size {width} --out picture.png {arguments}"
    ));
    assert_eq!(drawn, "");
    Pixmap::load_png(folder.path("picture.png")).expect("a PNG")
}

/// The colour in the middle of a point, as `#rrggbb`.
fn colour(pixels: &Pixmap, file: usize, from_top: usize) -> String {
    let [x, y] = [file, from_top].map(|cells| (MARGIN + cells * CELL) as u32);
    let colour = pixels.pixel(x, y).expect("inside").demultiply();
    let [red, green, blue] = [colour.red(), colour.green(), colour.blue()];
    format!("#{red:02x}{green:02x}{blue:02x}")
}

/// Every stone is where the FEN has it, on boards of several sizes and in every theme.
#[test]
fn stones_are_where_they_stand() {
    let themes = [
        ("light", ["#f6efe0", "#35302b", "#5f4526"]),
        ("dark", ["#efe7d6", "#211e1b", "#35260f"]),
        ("print", ["#ffffff", "#000000", "#000000"]),
    ];
    let positions = [
        (
            "tsivy",
            "bbbbbbbbb/bbbbbbbbb/bwbw1bwbw/wwwwwwwww/wwwwwwwww w 0 1",
        ),
        ("board=5x7", "b3w/5/1bw2/5/4b/w4/2b2 b 0 9"),
        ("telo", "b1w/1b1/w1b w 0 1"),
    ];
    for (theme, [white, black, empty]) in themes {
        for (rules, fen) in positions {
            let ranks: Vec<&str> = fen.split(' ').next().expect("ranks").split('/').collect();
            let row = |rank: &str| -> String {
                let gap =
                    |character: char| character.to_digit(10).map_or(0, |count| count as usize);
                let points = rank.chars().map(|character| match gap(character) {
                    0 => character.to_string(),
                    count => ".".repeat(count),
                });
                points.collect()
            };
            let columns = row(ranks[0]).len();
            let arguments = format!("--rules {rules} --fen '{fen}' --theme {theme}");
            let pixels = pixels(columns, &arguments);
            assert_eq!(
                pixels.height() as usize,
                (ranks.len() - 1) * CELL + 2 * MARGIN
            );
            for (from_top, rank) in ranks.iter().enumerate() {
                for (file, stone) in row(rank).chars().enumerate() {
                    let expected = match stone {
                        'w' => white,
                        'b' => black,
                        _ => empty,
                    };
                    let place = format!("{theme} {rules}, file {file}, {from_top} from above");
                    let found = colour(&pixels, file, from_top);
                    // Stones are in the light: their middle is as they are, but for a shade.
                    let parts = [1, 3, 5].map(|at| {
                        let part = |text: &str| i32::from_str_radix(&text[at..at + 2], 16);
                        part(&found)
                            .expect("hex")
                            .abs_diff(part(expected).expect("hex"))
                    });
                    assert!(
                        parts.iter().all(|&part| part < 40),
                        "{place}: {found} for {expected}"
                    );
                }
            }
        }
    }
}

/// An arrow crosses out what the turn captures, by approach and by withdrawal.
#[test]
fn arrows_cross_out_what_is_captured() {
    let crossed = |mv: &str| -> Vec<(usize, usize)> {
        let pixels = pixels(9, &format!("--arrows '{mv}'"));
        let points = (0..9).flat_map(|file| (0..5).map(move |rank| (file, rank)));
        let is_crossed =
            |&(file, from_top): &(usize, usize)| colour(&pixels, file, from_top) == "#c22f22";
        points.filter(is_crossed).collect()
    };
    assert_eq!(crossed("d3-e3A"), [(5, 2)]);
    assert_eq!(crossed("d3-e3W"), [(2, 2)]);
    assert_eq!(crossed("f2-e3A"), [(2, 0), (3, 1)]);
    assert_eq!(crossed("d3-e3A d3-e3W"), [(2, 2), (5, 2)]);
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
