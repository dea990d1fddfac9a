//! Screen contents, keys and the mouse, tested without a terminal.

use std::time::Duration;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind};
use crossterm::style::Attribute;
use vato_engine::eval::Evaluation;
use vato_engine::notation::{Charset, format_move, parse_fen};
use vato_engine::rules::{legal_moves, parse_rules};
use vato_engine::search::{Bound, Limits, Line, Score, Strength};
use vato_tools::play::{Effect, Input, Model, PlaySettings, Player, SearchEvent};

use super::frame::Frame;
use super::help::Page;
use super::theme::Theme;
use super::{Mode, Question, Screen, view};

/// A screen, the size of its terminal, and its last frame.
struct Seen {
    screen: Screen,
    size: (u16, u16),
    frame: Frame,
}

fn settings(rules: &str) -> PlaySettings {
    let rules = parse_rules(rules).expect("rules");
    PlaySettings {
        rules,
        start: rules.start(),
        player: Player::Both,
        level: Strength::FULL_LEVEL,
        limits: Limits::default(),
        hint_limits: Limits::default(),
        judging_limits: Limits::default(),
        clock: None,
        judging: false,
        evaluation: Evaluation::default(),
    }
}

impl Seen {
    fn new(settings: PlaySettings, charset: Charset, coloured: bool) -> Seen {
        let (model, _) = Model::new(settings);
        let mut seen = Seen {
            screen: Screen::new(model, charset, Theme::new(coloured)),
            size: (80, 24),
            frame: Frame::new((0, 0)),
        };
        seen.draw();
        seen
    }

    fn of(rules: &str) -> Seen {
        Seen::new(settings(rules), Charset::Unicode, false)
    }

    fn draw(&mut self) {
        self.frame = Frame::new(self.size);
        self.screen.geometry = view::draw(&self.screen, &mut self.frame);
    }

    fn press(&mut self, code: KeyCode) -> Vec<Effect> {
        let effects = self.screen.key(KeyEvent::new(code, KeyModifiers::NONE));
        self.draw();
        effects
    }

    fn type_text(&mut self, text: &str) {
        for character in text.chars() {
            self.press(KeyCode::Char(character));
        }
    }

    /// Clicks the point of this name.
    fn click(&mut self, name: &str) {
        let geometry = self.screen.geometry.expect("there is room");
        let board = geometry.board;
        let mut points = board.points().into_iter();
        let point = points.find(|&point| board.name(point) == name).expect(name);
        let (column, row) = geometry.cell(point);
        let effects = self.screen.mouse(MouseEvent {
            kind: MouseEventKind::Down(MouseButton::Left),
            column,
            row,
            modifiers: KeyModifiers::NONE,
        });
        assert!(effects.is_empty());
        self.draw();
    }

    fn rows(&self) -> Vec<String> {
        let rows = self.frame.rows.iter();
        rows.map(|row| {
            let cells = row.iter().map(|cell| cell.text.as_str());
            cells.collect::<String>().trim_end().to_owned()
        })
        .collect()
    }

    fn text(&self) -> String {
        self.rows().join("\n")
    }

    fn shows(&self, text: &str) {
        assert!(
            self.text().contains(text),
            "no '{text}' in\n{}",
            self.text()
        );
    }

    fn board(&self) -> Vec<String> {
        let geometry = self.screen.geometry.expect("there is room");
        let width = super::board::Geometry::size(geometry.board, geometry.scale).0;
        self.rows()
            .into_iter()
            .take(usize::from(geometry.height()))
            .map(|row| {
                let row: String = row.chars().take(usize::from(width)).collect();
                row.trim_end().to_owned()
            })
            .collect()
    }
}

/// The small board is drawn at twice the scale.
#[test]
fn the_board_of_telo() {
    let mut seen = Seen::of("telo");
    seen.type_text("b1b2a");
    seen.press(KeyCode::Enter);
    assert_eq!(
        seen.board(),
        [
            "3 ●───────×───────●",
            "  │ ╲     │     ╱ │",
            "  │   ╲   │   ╱   │",
            "  │     ╲ │ ╱     │",
            "2 ●──────[○]──────○",
            "  │     ╱ │ ╲     │",
            "  │   ╱   │   ╲   │",
            "  │ ╱     │     ╲ │",
            "1 ○───────∙───────○",
            "  a       b       c",
        ]
    );
    seen.shows("Fanorona 3x3, telo");
    seen.shows("> ● Black: person\n");
    seen.shows("3 stones, 1 lost");
    seen.shows(" 1. b1-b2A");
    seen.shows("Black to move\n");
}

#[test]
fn the_standard_board_from_both_sides() {
    let mut seen = Seen::of("tsivy");
    seen.press(KeyCode::Char('f'));
    seen.type_text("2-e3A");
    seen.press(KeyCode::Enter);
    let expected = [
        "5 ●───●───×───●───●───●───●───●───●",
        "  │ ╲ │ ╱ │ ╲ │ ╱ │ ╲ │ ╱ │ ╲ │ ╱ │",
        "4 ●───●───●───×───●───●───●───●───●",
        "  │ ╱ │ ╲ │ ╱ │ ╲ │ ╱ │ ╲ │ ╱ │ ╲ │",
        "3 ●───○───●───○──[○]──●───○───●───○",
    ];
    let board = seen.board();
    assert_eq!(board[..5], expected);
    assert_eq!(board[9], "  a   b   c   d   e   f   g   h   i");
    seen.press(KeyCode::Char('o'));
    let turned = seen.board();
    assert!(turned[0].starts_with("1 ○───○"), "{turned:?}");
    assert_eq!(turned[9], "  i   h   g   f   e   d   c   b   a");
    // The cursor moves in the direction of its key.
    let before = seen.screen.model.cursor;
    seen.press(KeyCode::Right);
    let after = seen.screen.model.cursor;
    let rules = seen.screen.model.game.rules();
    assert_eq!(rules.board.name(before), "e3");
    assert_eq!(rules.board.name(after), "d3");
}

#[test]
fn ascii_has_its_own_signs() {
    let mut seen = Seen::new(settings("telo"), Charset::Ascii, true);
    seen.press(KeyCode::Down);
    seen.press(KeyCode::Char(' '));
    assert!(seen.text().is_ascii(), "{}", seen.text());
    assert!(seen.board()[4].contains('a'), "{:?}", seen.board());
    assert!(seen.board()[8].contains("[W]"), "{:?}", seen.board());
    seen.press(KeyCode::Char('?'));
    seen.shows("take back");
    assert!(seen.text().is_ascii(), "{}", seen.text());
}

#[test]
fn chains_and_choices_are_shown() {
    let mut seen = Seen::of("tsivy");
    seen.click("d3");
    seen.shows("[○]──?───");
    seen.click("e3");
    seen.shows("capture by approach (a) or by withdrawal (w)?");
    seen.shows("a: approach   w: withdrawal");
    seen.press(KeyCode::Char('a'));
    seen.shows(" 1. d3-e3A");
    seen.press(KeyCode::Char('u'));
    seen.shows("one turn taken back");
    seen.type_text("f2e3a");
    seen.press(KeyCode::Enter);
    seen.click("d5");
    seen.click("d4");
    seen.shows("Black to move: d5-d4A so far");
    seen.shows("enter: stop here");
    seen.press(KeyCode::Enter);
    seen.shows(" 1. f2-e3A d5-d4A");
}

#[test]
fn nothing_is_told_by_colour_alone() {
    for coloured in [true, false] {
        let mut seen = Seen::new(settings("tsivy"), Charset::Unicode, coloured);
        let geometry = seen.screen.geometry.expect("there is room");
        let cell = |seen: &Seen, name: &str| {
            let mut points = geometry.board.points().into_iter();
            let point = points
                .find(|&point| geometry.board.name(point) == name)
                .expect(name);
            let (column, row) = geometry.cell(point);
            seen.frame.rows[usize::from(row)][usize::from(column)].clone()
        };
        let has = |seen: &Seen, name, attribute| cell(seen, name).style.attributes.has(attribute);
        assert!(has(&seen, "f2", Attribute::Underlined));
        assert!(!has(&seen, "a1", Attribute::Underlined));
        seen.click("f2");
        assert!(has(&seen, "f2", Attribute::Reverse));
        assert_eq!(cell(&seen, "e3").text, "A");
        let mut cells = seen.frame.rows.iter().flatten();
        let has_colour = cells.any(|cell| cell.style.foreground_color.is_some());
        assert_eq!(has_colour, coloured);
    }
}

#[test]
fn typed_moves_can_be_put_right() {
    let mut seen = Seen::of("tsivy");
    seen.type_text("a1a2a");
    seen.shows("move: a1a2a");
    seen.press(KeyCode::Enter);
    seen.shows("! move 'a1a2a' is illegal");
    seen.shows("move: a1a2a");
    for _ in 0..5 {
        seen.press(KeyCode::Backspace);
    }
    seen.type_text("f2e3a");
    seen.press(KeyCode::Enter);
    seen.shows(" 1. f2-e3A");
}

#[test]
fn questions_keep_the_game() {
    let mut seen = Seen::of("telo");
    seen.press(KeyCode::Char('n'));
    seen.shows("a new game");
    seen.type_text("b1b2a");
    seen.press(KeyCode::Enter);
    for (key, words) in [
        ('q', "Quit?"),
        ('n', "Begin another?"),
        ('l', "Open another?"),
        ('x', "Resign?"),
    ] {
        seen.press(KeyCode::Char(key));
        seen.shows(words);
        seen.press(KeyCode::Char('z'));
        seen.shows(words);
        seen.press(KeyCode::Char('n'));
        seen.shows(" 1. b1-b2A");
        assert!(!seen.screen.done && seen.screen.model.ending().is_none());
    }
    // A turn may begin with an x.
    seen.type_text("xa3-b3");
    seen.shows("move: xa3-b3");
    seen.press(KeyCode::Esc);
    seen.press(KeyCode::Char('x'));
    seen.press(KeyCode::Char('y'));
    seen.shows("The game is over. White wins: Black has resigned");
    seen.shows("White 1.00 ██████████████████████████████");
    seen.press(KeyCode::Char('q'));
    seen.press(KeyCode::Char('y'));
    assert!(seen.screen.done);
}

/// Typing replaces the suggested name.
#[test]
fn a_suggested_name_is_replaced() {
    let mut seen = Seen::of("telo");
    seen.press(KeyCode::Char('s'));
    seen.shows("save as: game.pgn");
    seen.type_text("mine.pgn");
    seen.shows("save as: mine.pgn");
    assert!(!seen.text().contains("game.pgn"));
}

/// Stones are black and white on the board's background, whatever the colours of the terminal.
#[test]
fn stones_have_their_colours() {
    let mut seen = Seen::new(settings("telo"), Charset::Unicode, true);
    let geometry = seen.screen.geometry.expect("there is room");
    let cell = |seen: &Seen, name: &str| {
        let mut points = geometry.board.points().into_iter();
        let point = points.find(|&point| geometry.board.name(point) == name);
        let (column, row) = geometry.cell(point.expect(name));
        seen.frame.rows[usize::from(row)][usize::from(column)].clone()
    };
    let [white, black, empty] = ["a1", "a3", "b2"].map(|name| cell(&seen, name));
    assert_eq!((&*white.text, &*black.text), ("●", "●"));
    assert_ne!(white.style.foreground_color, black.style.foreground_color);
    for cell in [&white, &black, &empty] {
        assert_eq!(cell.style.background_color, seen.screen.theme.ground);
        assert!(cell.style.background_color.is_some());
    }
    seen = Seen::of("telo");
    let [white, black] = ["a1", "a3"].map(|name| cell(&seen, name));
    assert_eq!((&*white.text, &*black.text), ("○", "●"));
    assert_eq!(white.style.background_color, None);
}

#[test]
fn a_narrow_screen_has_the_players_below_the_board() {
    let mut seen = Seen::of("tsivy");
    seen.size = (40, 20);
    seen.draw();
    assert!(seen.screen.geometry.is_some());
    seen.type_text("f2e3");
    seen.press(KeyCode::Enter);
    seen.shows("> ● Black: person, 20 stones, 2 lost");
    seen.shows("1. f2-e3A");
    seen.shows("?: keys");
}

/// The smallest size with a panel.
#[test]
fn clocks_and_keys_are_whole() {
    let clock = "100:00+1".parse().ok();
    let settings = PlaySettings {
        clock,
        ..settings("tsivy")
    };
    let mut seen = Seen::new(settings, Charset::Unicode, false);
    seen.size = (66, 15);
    seen.draw();
    seen.shows("22 stones, 100:00.0");
    seen.shows("?: keys");
    seen.shows("q: quit");
}

#[test]
fn pages_are_read() {
    let mut seen = Seen::of("tsivy");
    seen.press(KeyCode::Char('?'));
    seen.press(KeyCode::Char('?'));
    seen.shows(" Rules (any key leads back) ");
    seen.press(KeyCode::Esc);
    assert!(!seen.text().contains(" Rules "));
    let effects = seen.press(KeyCode::Char('y'));
    assert!(matches!(&effects[..], [Effect::Review(_)]));
    let review = Page::Review(vec!["accuracy".to_owned()]);
    seen.screen.mode = Mode::Page(review, 0);
    seen.draw();
    seen.shows("│ accuracy");
}

/// Whatever is shown has room at every size that takes a board: a text that does not fit is wrapped, shortened with
/// `...`, or goes on with the next key.
#[test]
fn nothing_is_cut() {
    type Begin = fn(&mut Seen);
    let screens: [(&str, Begin); 13] = [
        ("the board", |_| ()),
        ("the engine's names", |seen| {
            drop(seen.press(KeyCode::Char('m')))
        }),
        ("a typed move", |seen| seen.type_text("d2e3a")),
        ("a long name", |seen| {
            seen.press(KeyCode::Char('s'));
            seen.type_text(&"a folder/".repeat(20));
        }),
        ("an error", |seen| {
            seen.type_text("d2-e3A-f4W-g5A-d2A");
            seen.press(KeyCode::Enter);
        }),
        ("a stone taken up", |seen| seen.click("f2")),
        ("a chain", |seen| {
            seen.click("f2");
            seen.click("e3");
            seen.click("d5");
            seen.click("d4");
        }),
        ("a choice", |seen| {
            seen.click("d3");
            seen.click("e3");
        }),
        ("the keys", |seen| drop(seen.press(KeyCode::Char('?')))),
        ("the rules", |seen| {
            seen.press(KeyCode::Char('?'));
            seen.press(KeyCode::Char('?'));
        }),
        ("a review", |seen| {
            let lines = vec!["      accuracy  inaccuracies  mistakes  blunders".to_owned(); 30];
            seen.screen.mode = Mode::Page(Page::Review(lines), 0);
        }),
        ("a question", |seen| {
            let name = format!("{}game.pgn", "a folder/".repeat(30));
            seen.screen.mode = Mode::Asked(Question::Replace(name.into()));
        }),
        ("the end", |seen| {
            seen.press(KeyCode::Char('x'));
            seen.press(KeyCode::Char('y'));
        }),
    ];
    for (name, begin) in screens {
        for clock in [None, "100:00+1".parse().ok()] {
            let settings = PlaySettings {
                clock,
                ..settings("tsivy")
            };
            let mut seen = Seen::new(settings, Charset::Unicode, false);
            begin(&mut seen);
            for size in [(36, 18), (40, 20), (64, 24), (66, 15), (80, 24), (120, 40)] {
                seen.size = size;
                seen.draw();
                assert!(seen.screen.geometry.is_some(), "{name} at {size:?}");
                assert!(!seen.frame.is_cut, "{name} at {size:?}:\n{}", seen.text());
            }
        }
    }
}

/// All of a page is read, part by part.
#[test]
fn pages_have_parts() {
    let words = |size: (u16, u16), keys: &str| -> Vec<String> {
        let mut seen = Seen::of("tsivy");
        seen.size = size;
        seen.type_text(keys);
        let mut words = Vec::new();
        while matches!(seen.screen.mode, Mode::Page(..)) {
            for row in seen.rows() {
                if let Some(line) = row.find("│ ").map(|start| &row[start..])
                    && let Some(end) = line.rfind(" │")
                {
                    words.extend(line[..end].split_whitespace().map(str::to_owned));
                }
            }
            seen.press(KeyCode::Char(' '));
            assert!(words.len() < 1000);
        }
        words
    };
    for keys in ["?", "??"] {
        // Nothing but the page is seen behind one that is as wide as the screen.
        let wanted = words((66, 60), keys);
        assert!(wanted.len() > 80, "{wanted:?}");
        for size in [(36, 18), (40, 20), (66, 15)] {
            let (mut read, mut wanted) = (words(size, keys), wanted.clone());
            read.retain(|word| word.is_ascii());
            wanted.retain(|word| word.is_ascii());
            assert_eq!(read, wanted, "{size:?}");
        }
    }
    let mut seen = Seen::of("tsivy");
    seen.size = (40, 18);
    seen.press(KeyCode::Char('?'));
    seen.shows("any key: more, esc: back");
    seen.press(KeyCode::Esc);
    assert!(!seen.text().contains("more"));
}

/// The bar is of the position that is shown.
#[test]
fn the_score_goes_with_its_position() {
    let mut seen = Seen::of("tsivy");
    let effects = seen.press(KeyCode::Char('t'));
    let [Effect::Search(request)] = &effects[..] else {
        panic!("{effects:?}");
    };
    let line = Line {
        depth: 7,
        seldepth: 9,
        complete: true,
        multipv: 1,
        score: Score::DRAW,
        bound: Bound::Exact,
        nodes: 100,
        time: Duration::ZERO,
        tablebase_hits: 0,
        hashfull: 0,
        pv: legal_moves(request.game.rules(), request.game.position())[..1].to_vec(),
    };
    let event = SearchEvent::Line(line);
    let _ = seen.screen.model.update(Input::Search {
        id: request.id,
        event,
    });
    seen.draw();
    seen.shows("+0.00, depth 7");
    seen.type_text("f2e3a");
    seen.press(KeyCode::Enter);
    assert!(!seen.text().contains("depth 7"), "{}", seen.text());
}

/// A typed move without letters that may be two is asked about, and goes on behind the answer.
#[test]
fn typed_moves_are_asked_about() {
    let mut seen = Seen::of("tsivy");
    for (key, played) in [('a', "d3-e3A"), ('w', "d3-e3W")] {
        seen.type_text("d3e3");
        seen.press(KeyCode::Enter);
        seen.shows("capture by approach (a) or by withdrawal (w)?");
        seen.press(KeyCode::Char(key));
        seen.shows(&format!(" 1. {played}"));
        seen.press(KeyCode::Char('u'));
    }
    seen.type_text("d3e3");
    seen.press(KeyCode::Enter);
    seen.press(KeyCode::Esc);
    seen.type_text("f2e3");
    seen.press(KeyCode::Enter);
    seen.shows(" 1. f2-e3A");
}

#[test]
fn level_and_players_are_chosen() {
    let mut seen = Seen::of("tsivy");
    for _ in 0..2 {
        seen.press(KeyCode::Char('+'));
        seen.shows("the engine plays at level 21");
    }
    seen.press(KeyCode::Char('-'));
    seen.press(KeyCode::Char('-'));
    seen.shows("the engine plays at level 19");
    seen.press(KeyCode::Char('m'));
    seen.shows("people play: none");
    let effects = seen.press(KeyCode::Char('m'));
    seen.shows("people play: white");
    seen.shows("● Black: Vato, level 19");
    assert!(effects.is_empty() || matches!(effects[0], Effect::StopSearch));
}

#[test]
fn a_file_is_named() {
    let mut seen = Seen::of("telo");
    seen.press(KeyCode::Char('s'));
    seen.shows("save as: game.pgn");
    seen.press(KeyCode::End);
    seen.type_text(".1");
    let effects = seen.press(KeyCode::Enter);
    let [
        Effect::Save {
            path,
            replace: false,
            ..
        },
    ] = &effects[..]
    else {
        panic!("{effects:?}");
    };
    assert_eq!(path.to_str(), Some("game.pgn.1"));
    seen.screen.mode = Mode::Asked(Question::Replace(path.clone()));
    seen.draw();
    seen.shows("game.pgn.1 exists. Replace it? (y/n)");
    let effects = seen.press(KeyCode::Char('y'));
    assert!(matches!(&effects[..], [Effect::Save { replace: true, .. }]));
    let failed = Input::Failed("cannot write game.pgn.1: no".to_owned());
    assert!(seen.screen.model.update(failed).is_empty());
    seen.draw();
    seen.shows("! cannot write game.pgn.1: no");
    seen.press(KeyCode::Char('s'));
    seen.shows("save as: game.pgn.1");
    seen.press(KeyCode::Esc);
    // A file that was opened may have other games, and may be of another format.
    seen.press(KeyCode::Char('l'));
    seen.type_text("many.json");
    seen.press(KeyCode::Enter);
    seen.press(KeyCode::Char('s'));
    seen.shows("save as: game.pgn");
    assert!(!seen.text().contains("game.pgn.1"));
}

#[test]
fn every_board_fits_or_says_so() {
    for board in vato_engine::board::BoardSize::ALL {
        let mut seen = Seen::of(&format!("board={board}"));
        assert!(seen.screen.geometry.is_some(), "{board} on 80x24");
        seen.press(KeyCode::Char('?'));
        seen.shows("Keys (any key leads back)");
        seen.shows("◇: it can go");
        seen.press(KeyCode::Enter);
        for width in 1..60 {
            for height in [1, 2, 7, 13, 30] {
                seen.size = (width, height);
                seen.draw();
            }
        }
        seen.size = (60, 9);
        seen.draw();
        assert!(seen.screen.geometry.is_none());
        seen.shows("The terminal is too small: 60x9, expected ");
        // Quitting asks for confirmation there too.
        let game = &seen.screen.model.game;
        let moves = legal_moves(game.rules(), game.position());
        let first = format_move(game.rules(), game.position(), moves[0]);
        seen.type_text(&first.expect("a legal move"));
        seen.shows("esc, then q");
        seen.press(KeyCode::Enter);
        seen.shows("q quits.");
        seen.press(KeyCode::Char('q'));
        seen.shows("The game is not saved. Quit? (y/n)");
    }
}

/// An error is shown until the next action of the person.
#[test]
fn errors_go_with_what_they_are_about() {
    let mut seen = Seen::of("tsivy");
    for leave in [KeyCode::Esc, KeyCode::Enter, KeyCode::Backspace] {
        seen.type_text("f2-e4A");
        seen.press(KeyCode::Enter);
        // It stays while the move is corrected.
        for _ in "f2-e4A".chars() {
            seen.press(KeyCode::Backspace);
            seen.shows("! ");
        }
        seen.press(leave);
        assert!(!seen.text().contains("! "), "{leave:?}: {}", seen.text());
    }
    for key in ['g', 's', 'l', 'x'] {
        seen.press(KeyCode::Char('r'));
        seen.shows("! nothing was taken back");
        seen.press(KeyCode::Char(key));
        assert!(!seen.text().contains("! "), "{key}: {}", seen.text());
        seen.press(KeyCode::Esc);
    }
}

#[test]
fn long_games_show_their_newest_moves() {
    let rules = parse_rules("tsivy").expect("rules");
    let start = parse_fen("w8/9/9/9/8b b 0 41", rules.board).expect("good");
    let mut seen = Seen::new(
        PlaySettings {
            start,
            ..settings("repeat=0")
        },
        Charset::Unicode,
        true,
    );
    seen.type_text("i1i2");
    seen.press(KeyCode::Enter);
    seen.shows("41... i1-i2");
    for _ in 0..12 {
        for text in ["a5a4", "i2i1", "a4a5", "i1i2"] {
            seen.type_text(text);
            seen.press(KeyCode::Enter);
        }
    }
    seen.shows("65. a4-a5 i1-i2");
    assert!(!seen.text().contains("41..."));
}
