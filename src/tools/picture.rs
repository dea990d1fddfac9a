//! Board diagrams as SVG, as they are printed in books.
//!
//! Coordinates are drawn as lines, not as text, so that a picture looks the same without fonts.

use std::fmt::Write;

use vato_engine::board::{Bitboard, BoardSize, Point, Position, Side};
use vato_engine::notation::format_fen;
use vato_engine::rules::Path;
use vato_engine::text::named_enum;

/// The distance of two neighbouring points, in units of the picture.
const CELL: i32 = 100;
/// From the points of the edge to the edge of the picture.
const MARGIN: i32 = 80;
const STONE: i32 = 38;
/// Height of a coordinate's digit, and of a letter with its ascender.
const GLYPH: f64 = 22.0;

/// Appends a line to a string, which cannot fail.
macro_rules! draw {
    ($svg:expr, $($element:tt)+) => {
        let _ = writeln!($svg, $($element)+);
    };
}

named_enum! {
    /// The colours of a picture.
    #[derive(Default, clap::ValueEnum)]
    pub enum Theme {
        /// Wood.
        #[default]
        Light = "light",
        /// For dark pages.
        Dark = "dark",
        /// Black and white, for paper.
        Print = "print",
    }
}

impl Theme {
    /// Of the board, lines, coordinates, White's stones, Black's, the rims of stones, arrows, the last turn, and the marks
    /// of stones that an arrow captures: those of the pages (`pages/style.css`), but on paper.
    const fn colours(self) -> [u32; 9] {
        match self {
            Theme::Light => [
                0xe9cf9f, 0x5f4526, 0x5f4526, 0xf6efe0, 0x35302b, 0x2e2823, 0x1f7d4f, 0xa35f00,
                0xc22f22,
            ],
            Theme::Dark => [
                0x8a6a43, 0x35260f, 0xebd9ba, 0xefe7d6, 0x211e1b, 0x14110d, 0xc2f7da, 0xffc75c,
                0xff6f61,
            ],
            Theme::Print => [
                0xffffff, 0x000000, 0x000000, 0xffffff, 0x000000, 0x000000, 0x555555, 0x999999,
                0x000000,
            ],
        }
    }
}

/// A colour with this share of another one, in percent.
fn mixed(colour: u32, other: u32, share: u32) -> u32 {
    [16, 8, 0].into_iter().fold(0, |mixed, shift| {
        let [own, new] = [colour, other].map(|colour| (colour >> shift) & 0xff);
        (mixed << 8) | ((own * (100 - share) + new * share + 50) / 100)
    })
}

/// A turn in a picture.
#[derive(Clone, Debug)]
pub struct DrawnTurn {
    /// The path of the stone.
    pub path: Path,
    /// The stones that it captures; none if that is not known.
    pub captured: Bitboard,
}

/// A position with turns.
#[derive(Clone, Debug)]
pub struct Picture {
    /// The board.
    pub board: BoardSize,
    /// The position.
    pub position: Position,
    /// The turn that led there: its path, and where the captured stones were.
    pub last: Option<DrawnTurn>,
    /// Turns that may follow: arrows along their paths, with the captured stones crossed out.
    pub arrows: Vec<DrawnTurn>,
    /// The colours.
    pub theme: Theme,
    /// Width in pixels; the height is in proportion.
    pub width: u32,
}

impl Picture {
    /// The picture as an SVG document, which refers to nothing outside.
    pub fn svg(&self) -> String {
        let [.., edge, _, _, _] = self.theme.colours();
        let [width, height] = [self.board.columns(), self.board.rows()]
            .map(|points| (i32::from(points) - 1) * CELL + 2 * MARGIN);
        let pixels = f64::from(self.width) * f64::from(height) / f64::from(width);
        let fen = format_fen(&self.position, self.board);
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{}\" height=\"{pixels:.0}\" viewBox=\"0 0 {width} {height}\" role=\"img\">\n\
             <title>{fen}</title>\n",
            self.width
        );
        self.draw_wood(&mut svg, width, height);
        self.draw_board(&mut svg);
        if let Some(last) = &self.last {
            self.draw_last(&mut svg, last);
        }
        for (side, name) in Side::BOTH.into_iter().zip(["white", "black"]) {
            let style = format!("fill=\"url(#{name})\" stroke=\"#{edge:06x}\" stroke-width=\"2\"");
            for point in self.position.stones(side) {
                let [x, y] = self.place(point);
                if self.theme != Theme::Print {
                    let shadow = "fill=\"#1a0f00\" opacity=\"0.32\"";
                    draw_circle(&mut svg, [x + 3, y + 6], STONE, shadow);
                }
                draw_circle(&mut svg, [x, y], STONE, &style);
            }
        }
        for arrow in &self.arrows {
            self.draw_arrow(&mut svg, arrow);
        }
        svg.push_str("</svg>\n");
        svg
    }

    /// The wood with its grain, and the colours of the stones, with the light from above on the left. Paper has neither.
    fn draw_wood(&self, svg: &mut String, width: i32, height: i32) {
        let [board, line, _, white, black, ..] = self.theme.colours();
        let is_flat = self.theme == Theme::Print;
        let mixed = |colour, other, share| mixed(colour, other, if is_flat { 0 } else { share });
        let stone = "radialGradient cx=\"0.36\" cy=\"0.3\" r=\"0.78\"";
        let wood = [
            mixed(board, 0xffffff, 14),
            board,
            mixed(board, 0x3a2208, 14),
        ];
        let whites = [
            if is_flat { white } else { 0xffffff },
            white,
            mixed(white, 0x4a3414, 38),
        ];
        let blacks = [
            mixed(black, 0xffffff, 42),
            black,
            mixed(black, 0x000000, 60),
        ];
        svg.push_str("<defs>\n");
        for (name, kind, middle, [first, second, third]) in [
            ("wood", "linearGradient x2=\"0.25\" y2=\"1\"", 0.55, wood),
            ("white", stone, 0.45, whites),
            ("black", stone, 0.45, blacks),
        ] {
            let end = kind.split(' ').next().unwrap_or_default();
            draw!(
                svg,
                "<{kind} id=\"{name}\"><stop offset=\"0\" stop-color=\"#{first:06x}\"/><stop offset=\"{middle}\" stop-color=\"#{second:06x}\"/><stop offset=\"1\" stop-color=\"#{third:06x}\"/></{end}>"
            );
        }
        draw!(
            svg,
            "</defs>\n<rect width=\"{width}\" height=\"{height}\" rx=\"14\" fill=\"url(#wood)\"/>"
        );
        if is_flat {
            return;
        }
        // Long lines that are never quite parallel.
        let (mut grain, mut y, mut number) = (String::new(), 14, 0);
        while y < height {
            let bend = number * 37 % 29 - 14;
            let [above, below, end] = [y - bend, y + bend, y + bend / 2];
            let [third, rest] = [width / 3, 2 * width / 3];
            let _ = write!(grain, "M0 {y}C{third} {below} {rest} {above} {width} {end}");
            y += 17 + number * 7 % 12;
            number += 1;
        }
        let [wide, high] = [width, height].map(|length| length - 6);
        draw!(
            svg,
            "<path d=\"{grain}\" fill=\"none\" stroke=\"#{line:06x}\" stroke-width=\"2\" opacity=\"0.09\"/>\n\
             <rect x=\"3\" y=\"3\" width=\"{wide}\" height=\"{high}\" rx=\"12\" fill=\"none\" stroke=\"#{line:06x}\" stroke-width=\"6\" opacity=\"0.45\"/>"
        );
    }

    fn place(&self, point: Point) -> [i32; 2] {
        let (file, rank) = self.board.file_and_rank(point);
        let from_top = self.board.rows() - 1 - rank;
        [file, from_top].map(|cells| MARGIN + i32::from(cells) * CELL)
    }

    /// The points that a turn touches, its origin first.
    fn places(&self, path: &Path) -> Vec<[i32; 2]> {
        let landings = path.steps.iter().map(|step| step.to);
        let points = [path.from].into_iter().chain(landings);
        points.map(|point| self.place(point)).collect()
    }

    fn draw_board(&self, svg: &mut String) {
        let [_, line, text, ..] = self.theme.colours();
        let (columns, rows) = (self.board.columns(), self.board.rows());
        let mut lines = String::new();
        for point in self.board.points() {
            let (file, rank) = self.board.file_and_rank(point);
            let [x, y] = self.place(point);
            let ahead = [(1, 0), (0, 1), (1, 1), (-1, 1)];
            for (right, up) in ahead {
                let to_file = i32::from(file) + right;
                let is_there = (0..i32::from(columns)).contains(&to_file)
                    && i32::from(rank) + up < i32::from(rows);
                if is_there && (right == 0 || up == 0 || point.is_strong()) {
                    let _ = write!(lines, "M{x} {y}l{} {}", right * CELL, -up * CELL);
                }
            }
        }
        draw!(
            svg,
            "<path d=\"{lines}\" fill=\"none\" stroke=\"#{line:06x}\" stroke-width=\"4\" stroke-linecap=\"round\"/>"
        );
        for point in self.board.points() {
            let radius = if point.is_strong() { 9 } else { 5 };
            draw_circle(
                svg,
                self.place(point),
                radius,
                &format!("fill=\"#{line:06x}\""),
            );
        }
        let bottom = MARGIN + (i32::from(rows) - 1) * CELL;
        for file in 0..columns {
            let x = MARGIN + i32::from(file) * CELL;
            draw_glyph(svg, text, LETTERS[usize::from(file)], [x, bottom + 58]);
        }
        for rank in 0..rows {
            let y = bottom - i32::from(rank) * CELL;
            draw_glyph(svg, text, DIGITS[usize::from(rank)], [MARGIN - 58, y]);
        }
    }

    /// The turn before: where the stone came along, and where the captured ones were.
    fn draw_last(&self, svg: &mut String, turn: &DrawnTurn) {
        let [_, _, _, white, black, .., last, _] = self.theme.colours();
        let places = self.places(&turn.path);
        draw!(
            svg,
            "<polyline points=\"{}\" fill=\"none\" stroke=\"#{last:06x}\" stroke-width=\"11\" stroke-linecap=\"round\" stroke-linejoin=\"round\" opacity=\"0.85\"/>",
            list(&places)
        );
        if let [.., before, end] = places[..] {
            let head = list(&head(before, end, f64::from(STONE - 4), 24.0, 13.0));
            draw!(svg, "<polygon points=\"{head}\" fill=\"#{last:06x}\"/>");
        }
        let style = format!("fill=\"none\" stroke=\"#{last:06x}\" stroke-width=\"6\"");
        draw_circle(svg, self.place(turn.path.from), STONE, &style);
        // The side to move has lost them.
        let fill = [white, black][self.position.side().index()];
        let style = format!(
            "fill=\"#{fill:06x}\" fill-opacity=\"0.3\" stroke=\"#{last:06x}\" stroke-width=\"5\" stroke-dasharray=\"10 8\""
        );
        for point in turn.captured - self.position.occupied() {
            draw_circle(svg, self.place(point), STONE, &style);
        }
    }

    /// A turn to come: an arrow along its path, and crosses on the stones that it captures.
    fn draw_arrow(&self, svg: &mut String, turn: &DrawnTurn) {
        let [board, .., arrow, _, captured] = self.theme.colours();
        let mut places = self.places(&turn.path);
        let (Some(end), Some(before)) = (places.pop(), places.last().copied()) else {
            return;
        };
        let [tip, left, right] = head(before, end, 0.0, 42.0, 23.0);
        // The line ends inside the head.
        let middle = |axis: usize| (left[axis] + right[axis]) / 2;
        let inside = |axis: usize| end[axis] + (middle(axis) - end[axis]) * 30 / 42;
        places.push([inside(0), inside(1)]);
        draw!(
            svg,
            "<g opacity=\"0.9\"><polyline points=\"{}\" fill=\"none\" stroke=\"#{arrow:06x}\" stroke-width=\"13\" stroke-linecap=\"round\" stroke-linejoin=\"round\"/><polygon points=\"{}\" fill=\"#{arrow:06x}\"/></g>",
            list(&places),
            list(&[tip, left, right])
        );
        for point in turn.captured {
            let [x, y] = self.place(point);
            let cross = format!("M{} {}l40 40m0-40l-40 40", x - 20, y - 20);
            for (colour, width) in [(board, 15), (captured, 8)] {
                draw!(
                    svg,
                    "<path d=\"{cross}\" stroke=\"#{colour:06x}\" stroke-width=\"{width}\" stroke-linecap=\"round\"/>"
                );
            }
        }
    }
}

/// The head of an arrow between two places: its tip, so far before the end, and the other corners.
fn head(before: [i32; 2], end: [i32; 2], back: f64, length: f64, half_width: f64) -> [[i32; 2]; 3] {
    let [dx, dy] = [0, 1].map(|axis| f64::from(end[axis] - before[axis]));
    let distance = dx.hypot(dy).max(1.0);
    let (dx, dy) = (dx / distance, dy / distance);
    [
        (back, 0.0),
        (back + length, half_width),
        (back + length, -half_width),
    ]
    .map(|(behind, side)| {
        let x = f64::from(end[0]) - behind * dx - side * dy;
        let y = f64::from(end[1]) - behind * dy + side * dx;
        [x, y].map(|place| place.round() as i32)
    })
}

fn list(places: &[[i32; 2]]) -> String {
    let places: Vec<String> = places.iter().map(|[x, y]| format!("{x},{y}")).collect();
    places.join(" ")
}

fn draw_circle(svg: &mut String, [x, y]: [i32; 2], radius: i32, style: &str) {
    draw!(
        svg,
        "<circle cx=\"{x}\" cy=\"{y}\" r=\"{radius}\" {style}/>"
    );
}

/// Draws a glyph of [`LETTERS`] or [`DIGITS`] around a place.
fn draw_glyph(svg: &mut String, colour: u32, path: &str, [x, y]: [i32; 2]) {
    let scale = GLYPH / 10.0;
    draw!(
        svg,
        "<path d=\"{path}\" transform=\"translate({x} {y}) scale({scale}) translate(-3 -5)\" fill=\"none\" stroke=\"#{colour:06x}\" stroke-width=\"1.5\" stroke-linecap=\"round\" stroke-linejoin=\"round\"/>"
    );
}

/// The letters from a to i as lines: 6 wide, from 0 (ascenders) to 10 (the base line).
const LETTERS: [&str; 9] = [
    "M5.2 7A2.4 3 0 1 1 0.4 7A2.4 3 0 1 1 5.2 7M5.2 4V10",
    "M0.8 0V10M0.8 7A2.4 3 0 1 1 5.6 7A2.4 3 0 1 1 0.8 7",
    "M5.2 5.2A2.5 3 0 1 0 5.2 8.8",
    "M5.2 0V10M5.2 7A2.4 3 0 1 1 0.4 7A2.4 3 0 1 1 5.2 7",
    "M0.6 6.9H5.4A2.4 3 0 1 0 4.8 9.1",
    "M4.8 0.4C3.2-0.3 2.3 0.6 2.3 2.2V10M0.7 4H4.4",
    "M5.2 4V10.6C5.2 13.4 2 13.6 0.8 12.4M5.2 7A2.4 3 0 1 1 0.4 7A2.4 3 0 1 1 5.2 7",
    "M0.8 0V10M0.8 6.6C1.4 3.4 5.2 3.2 5.2 6.6V10",
    "M3 4V10M3 1V1.1",
];

/// The digits from 1 to 9, likewise.
const DIGITS: [&str; 9] = [
    "M1.2 2.2L3.7 0V10",
    "M0.6 2.6A2.5 2.5 0 0 1 5.6 2.6C5.6 5 0.6 7 0.5 10H5.7",
    "M0.8 0.8C2-0.2 5.4-0.3 5.4 2.3C5.4 4.2 3.8 4.7 2.6 4.7C4.2 4.7 5.7 5.4 5.7 7.3C5.7 10.4 2 10.6 0.5 9.2",
    "M4.3 10V0L0.4 6.8H5.8",
    "M5.2 0H1.3L0.9 4.6C2.5 3.6 5.7 3.9 5.7 6.9C5.7 10.3 2 10.7 0.5 9.2",
    "M4.8 0.2C2.2 1.2 0.5 3.9 0.5 6.9A2.6 3.1 0 0 0 5.7 6.9A2.6 3.1 0 0 0 0.5 6.9",
    "M0.4 0H5.6L2.2 10",
    "M3 4.7A2.2 2.35 0 1 0 3 0A2.2 2.35 0 1 0 3 4.7A2.6 2.65 0 1 0 3 10A2.6 2.65 0 1 0 3 4.7",
    "M1.2 9.8C3.8 8.8 5.5 6.1 5.5 3.1A2.6 3.1 0 0 0 0.3 3.1A2.6 3.1 0 0 0 5.5 3.1",
];

#[cfg(test)]
mod tests {
    use super::{Theme, mixed};

    /// Pictures have the colours of the pages: those of the style, also where it mixes them.
    #[test]
    fn colours_are_those_of_the_pages() {
        let style = include_str!("pages/style.css");
        let (light, rest) = style
            .split_once("data-theme=\"dark\"]")
            .expect("two themes");
        for (theme, part) in [(Theme::Light, light), (Theme::Dark, rest)] {
            let names = "board board-line board-text white-stone black-stone stone-edge arrow last captured";
            for (name, colour) in names.split(' ').zip(theme.colours()) {
                let line = format!("  --{name}: #{colour:06x};");
                assert!(part.contains(&line), "{theme:?}: {line}");
            }
        }
        let mixes = "board), #fff 14%|board), #3a2208 14%|white-stone), #4a3414 38%|black-stone), #fff 42%|\
            black-stone), #000 60%";
        for mix in mixes.split('|') {
            assert!(style.contains(&format!("--{mix}")), "{mix}");
        }
        assert_eq!(mixed(0x804000, 0xffffff, 50), 0xc0a080);
    }
}
