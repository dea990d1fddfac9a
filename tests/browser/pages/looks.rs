//! Sizes, colours, languages, and the pictures of the documentation.

use std::path::Path;

use serde_json::json;

use crate::browser::Page;
use crate::vato::{Server, moves, open, opened, opened_with, speak};

const GAME: &str = "[White \"Rabe\"]\n[Black \"Ranaivo\"]\n\n\
    1. f2-e3A d5-d4A-c5W 2. e2-e3A-d3W !? {Threatens the left side.} (2. f1-f2A {is slower.}) \
    2... c3-d2A-e3W-f3A 3. b2-c1W *\n";

/// Texts whose contrast with what is behind them is below the AA level.
const LOW_CONTRAST: &str = r#"(() => {
    const parse = (text) => (text.match(/[\d.]+/g) ?? []).map(Number);
    const luminance = ([r, g, b]) => [r, g, b].map((c) => c / 255)
        .map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4))
        .reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
    const behind = (element) => {
        for (let at = element; at; at = at.parentElement) {
            const colour = parse(getComputedStyle(at).backgroundColor);
            if (colour.length === 3 || colour[3] === 1) return colour;
        }
        return [255, 255, 255];
    };
    const found = [];
    for (const element of document.querySelectorAll('body *:not(svg *)')) {
        const hasText = [...element.childNodes].some((n) => n.nodeType === 3 && n.textContent.trim());
        if (!hasText || element.closest(':disabled, .hidden, script, noscript, option, .bar') || !element.checkVisibility()) continue;
        const [one, other] = [parse(getComputedStyle(element).color), behind(element)].map(luminance);
        const ratio = (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
        if (ratio < 4.5) found.push(`${element.textContent.slice(0, 30)}: ${ratio.toFixed(2)}`);
    }
    return found;
})()"#;

#[test]
fn it_fits_a_telephone() {
    let server = Server::start(&[]);
    let mut page = Page::open(375, 740);
    page.call(
        "Emulation.setTouchEmulationEnabled",
        json!({ "enabled": true }),
    );
    open(&mut page, &server);
    page.tap_point("d3");
    page.tap_point("e3");
    page.wait_for("!document.querySelector('.question').hidden");
    // The question is on the window in full.
    let inside = page.value("(() => { const b = document.querySelector('.question').getBoundingClientRect(); return b.left >= 0 && b.right <= innerWidth; })()");
    assert_eq!(inside, true);
    page.press_button("Approach");
    page.wait_for("app.hand.known && app.node.ply === 1");
    assert_eq!(moves(&mut page), "d3-e3A");
    page.click("#engine");
    page.wait_for("document.querySelectorAll('.lines li').length > 0");
    for dialog in ["", "Play", "Set up", "Open", "Save"] {
        if !dialog.is_empty() {
            page.press_button(dialog);
        }
        let width = page.value("Math.max(document.documentElement.scrollWidth, document.querySelector('dialog')?.scrollWidth ?? 0)");
        assert!(width.as_u64() <= Some(375), "{dialog}: {width}");
        page.value("document.querySelector('dialog')?.close()");
    }
    // Lying down, with long words.
    page.value("app.engine.toggle()");
    page.wait_for("!document.querySelector('dialog')");
    for (width, height) in [(844, 390), (667, 375)] {
        page.resize(width, height);
        for language in ["en", "fr", "mg"] {
            speak(&mut page, language);
            let widest = page.value("Math.max(document.documentElement.scrollWidth, ...[...document.querySelectorAll('header *, .tools *')].map((one) => one.getBoundingClientRect().right))");
            assert!(
                widest.as_f64() <= Some(f64::from(width)),
                "{width} {language}: {widest}"
            );
            if height < 390 {
                continue;
            }
            for dialog in ["setUpDialog", "saveDialog"] {
                page.value(&format!("void {dialog}(app)"));
                page.wait_for("document.querySelector('dialog .primary')");
                let more = page.value("(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight)(document.querySelector('dialog'))");
                assert_eq!(more, 0, "{language} {dialog}");
                page.value("document.querySelector('dialog').close()");
                page.wait_for("!document.querySelector('dialog')");
            }
        }
    }
    page.check(server.origin());
}

#[test]
fn texts_can_be_read_in_both_themes_and_all_languages() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("game.pgn");
    std::fs::write(&path, GAME).expect("written");
    let (server, mut page) = opened_with(&["--pgn", path.to_str().expect("UTF-8")]);
    page.click("#engine");
    page.wait_for("document.querySelectorAll('.lines li').length === 3");
    for theme in ["light", "dark"] {
        page.theme(theme);
        page.wait_for(&format!(
            "document.documentElement.dataset.theme === '{theme}'"
        ));
        assert_eq!(page.value(LOW_CONTRAST), json!([]), "{theme}");
        for dialog in ["Play", "Set up", "Open", "Save", "Keys", "Settings"] {
            page.press_button(dialog);
            assert_eq!(page.value(LOW_CONTRAST), json!([]), "{theme}, {dialog}");
            page.value("document.querySelector('dialog').close()");
            page.wait_for("!document.querySelector('dialog')");
        }
    }
    for (code, word) in [("fr", "Jouer"), ("mg", "Hilalao"), ("en", "Play")] {
        speak(&mut page, code);
        assert_eq!(page.text("nav button"), word);
        assert_eq!(page.value("document.documentElement.lang"), code);
        // The game is still there.
        assert!(page.text(".moves").contains("e2-e3A"));
        let width = page.value("document.documentElement.scrollWidth");
        assert!(width.as_u64() <= Some(1280), "{code}: {width}");
    }
    page.check(server.origin());
}

/// What a review says stands below the board in low windows, too, and in all languages.
#[test]
fn what_a_review_says_has_room() {
    let (server, mut page) = opened();
    page.value("document.querySelector('.better').hidden = false; document.querySelector('.better').classList.remove('empty')");
    for (width, height) in [(1440, 900), (1366, 650), (1100, 560), (1000, 800)] {
        page.resize(width, height);
        page.value("app.view.say('A blunder. After this White takes 7 and wins by force: d3-…-b2. Better: d4-e3A (loses 3 instead of 7). Better: d4-e3A (loses 3 instead of 7).')");
        page.wait_for("document.querySelector('.boardpanel .message').getBoundingClientRect().top >= document.querySelector('.board').getBoundingClientRect().bottom");
    }
    page.check(server.origin());
}

/// Writes the pictures of `docs/gui.md`, which are looked at before they are kept.
#[test]
#[ignore = "writes into docs/pictures"]
fn pictures() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("game.pgn");
    std::fs::write(&path, GAME).expect("written");
    let server = Server::start(&["--pgn", path.to_str().expect("UTF-8")]);
    let pictures = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/pictures");
    let mut page = Page::open(1440, 900);
    open(&mut page, &server);
    page.value("['notes', 'typing'].forEach((name) => app.view.unfold(name, false))");
    page.click("#review");
    page.wait_for("app.tree.line(app.node).every((node) => node.score)");
    page.wait_for("document.querySelector('#review').textContent.startsWith('Review')");
    page.key("End");
    page.wait_for("app.hand.known && app.node.ply === 5");
    page.key("ArrowLeft");
    page.wait_for("app.hand.known && app.node.ply === 4");
    page.click("#engine");
    page.wait_for(
        "/depth (1[6-9]|[2-9][0-9])/.test(document.querySelector('.figures').textContent)",
    );
    page.value("document.activeElement.blur()");
    for theme in ["light", "dark"] {
        page.theme(theme);
        page.wait_for(&format!(
            "document.documentElement.dataset.theme === '{theme}'"
        ));
        page.picture(pictures.join(format!("gui-{theme}.png")));
    }
}

/// The board takes the room that there is: on a large screen, and on a telephone lying down or upright.
#[test]
fn the_board_fills_the_window() {
    let server = Server::start(&[]);
    let mut page = Page::open(1920, 1080);
    open(&mut page, &server);
    let size = "(() => { const b = document.querySelector('.board').getBoundingClientRect(); return [b.width, b.height]; })()";
    let bottom = "document.querySelector('.board').getBoundingClientRect().bottom";
    assert!(page.value(size)[0].as_f64() >= Some(1200.0));
    page.resize(844, 390);
    // Nine tenths without the scroll bar, which telephones do not have.
    assert!(page.value(size)[1].as_f64() >= Some(0.87 * 390.0));
    assert!(page.value(bottom).as_f64() <= Some(390.0));
    page.resize(1366, 657);
    assert!(page.value(size)[1].as_f64() >= Some(0.6 * 657.0));
    assert!(page.value(bottom).as_f64() <= Some(657.0));
    page.resize(390, 844);
    assert!(page.value(size)[0].as_f64() >= Some(0.85 * 390.0));
    for (width, height) in [(1920, 1080), (1000, 700), (844, 390), (390, 844)] {
        page.resize(width, height);
        // The moves go where they belong a moment later.
        page.wait_for(&format!("document.documentElement.scrollWidth <= {width}"));
    }
    page.check(server.origin());
}

/// The steps of a turn follow one another, each with the stones that it captures; not for who wants no motion.
#[test]
fn a_turn_is_seen_step_by_step() {
    let (server, mut page) = opened();
    let show = "(() => { const board = new Board({ columns: 9, rows: 5 }); document.body.append(board.element); \
        const before = Board.stonesOf('9/9/2b1b4/9/wb7'); const last = turnOf('a1-b2A-b3W:b1c3'); \
        const after = { stones: Board.play(before, last, 9), last }; \
        board.show({ stones: before }); board.show(after); board.show({ ...after, marked: ['a1'] }); \
        const found = board.element.querySelectorAll('.stone').length; \
        const times = board.element.getAnimations({ subtree: true }).map((one) => one.effect.getComputedTiming().endTime); \
        globalThis.shown = board; return [found, ...times.sort((one, other) => one - other)]; })()";
    // Two steps of 350 ms; two stones stay, and one leaves with each step. To be drawn anew ends none of it.
    assert_eq!(page.value(show), json!([4, 350, 700, 700]));
    page.wait_for("shown.element.querySelectorAll('.stone').length === 2");
    page.click("#settings");
    page.choose("[aria-label='Animation']", "slow");
    assert_eq!(page.value(show), json!([4, 700, 1400, 1400]));
    page.choose("[aria-label='Animation']", "off");
    assert_eq!(page.value(show), json!([2]));
    page.choose("[aria-label='Animation']", "fast");
    let features = json!([{ "name": "prefers-reduced-motion", "value": "reduce" }]);
    page.call(
        "Emulation.setEmulatedMedia",
        json!({ "features": features }),
    );
    assert_eq!(page.value(show), json!([2]));
    page.check(server.origin());
}

/// The marks of a turn, the stones and their numbers are those that have been seen so far.
#[test]
fn a_turn_is_marked_as_far_as_it_is_seen() {
    let (server, mut page) = opened_with(&["--fen", "9/9/2b1b4/9/wb7 w"]);
    page.value(
        "{ const { board, playerParts } = app.view; const { element } = board; globalThis.seen = []; \
         const note = () => { const now = [element.querySelectorAll('.last').length && element.querySelector('.last').points.length, \
         element.querySelectorAll('.taken').length, playerParts.b.count.textContent].join(); if (now !== seen.at(-1)) { seen.push(now); } }; \
         new MutationObserver(note).observe(document.querySelector('.boardcolumn'), { subtree: true, childList: true }); app.play('a1-b2A-b3W:b1c3'); }",
    );
    page.wait_for("app.view.board.rest === 0 && seen.length > 2");
    assert_eq!(page.value("seen.join(' ')"), "0,0,3 2,1,2 3,2,1");
    page.key("r");
    page.wait_for("app.view.board.rest === 0 && seen.length > 5");
    assert_eq!(page.value("seen.slice(3).join(' ')"), "0,0,3 2,1,2 3,2,1");
    // Turned meanwhile, all has been seen.
    page.key("r");
    page.key("f");
    assert_eq!(page.value("app.view.playerParts.b.count.textContent"), "1");
    page.check_forgiving(server.origin());
}

/// All of a chain is marked, with numbers only where a point is passed twice.
#[test]
fn a_chain_is_marked_from_its_beginning() {
    let (server, mut page) = opened_with(&["--fen", "9/9/2b1b4/9/wb7 w"]);
    let marked = |word: &str| {
        format!(
            "(() => {{ const board = new Board({{ columns: 9, rows: 5 }}); board.show({{ stones: Board.stonesOf('9/9/2w6/9/9'), last: turnOf('{word}') }}); \
             return ['.last', '.lasthead', 'text.passed'].map((one) => board.element.querySelectorAll(one)).map((all) => all[0]?.points?.length ?? all.length); }})()"
        )
    };
    assert_eq!(page.value(&marked("a1-b1A-b2A-c2A-c3A")), json!([5, 3, 0]));
    assert_eq!(
        page.value(&marked("a1-b1A-b2A-b1W-c1A-c2A-c3A")),
        json!([7, 3, 6])
    );
    page.check(server.origin());
}

/// In a game who plays stands above and below its moves, which take the room that they need: no more than the board has.
#[test]
fn a_game_is_one_column_beside_the_board() {
    let (server, mut page) = opened();
    page.value("['notes', 'typing'].forEach((name) => app.view.unfold(name, false))");
    page.value("app.begin({ rules: 'tsivy' }, { person: 'w', level: 0, clock: { base: 300, increment: 3 } })");
    page.wait_for("app.isPlaying && app.hand.known");
    // What each begins and ends at, from above, and the board.
    let places = "[...document.querySelectorAll('.side > *'), app.view.board.element].filter((one) => one.checkVisibility()) \
        .map((one) => one.getBoundingClientRect()).map(({ top, bottom }) => [top, bottom].map(Math.round))";
    let names =
        "[...document.querySelectorAll('.side .name')].map((one) => one.textContent).join()";
    for (width, height) in [(1440, 900), (1920, 1080), (1280, 700), (1000, 800)] {
        page.resize(width, height);
        page.wait_for(&format!("innerWidth === {width}"));
        page.wait_for(&format!("{names} === 'Vato, level 0,You'"));
        let list = page.value(places);
        let list: Vec<[i64; 2]> = serde_json::from_value(list).expect("places");
        let [parts @ .., board] = &list[..] else {
            panic!("no board")
        };
        assert_eq!(parts.len(), 5, "opponent, moves, game, steps, oneself");
        assert!(
            parts
                .windows(2)
                .all(|two| (two[0][1] - two[1][0]).abs() <= 1)
        );
        // A small board is no taller than what is least.
        if width == 1000 {
            continue;
        }
        let (top, bottom) = (parts[0][0], parts[4][1]);
        assert!(top > board[0] && bottom < board[1], "{width}: {list:?}");
        // Much is scrolled, and the box has grown.
        page.value(
            "app.view.moves.element.prepend(...Array.from({ length: 90 }, () => make('button', {}, 'a1-a2')))",
        );
        let list = page.value(places);
        let list: Vec<[i64; 2]> = serde_json::from_value(list).expect("places");
        let (now, end) = (list[0][0], list[4][1]);
        assert!(
            now < top && now >= list[5][0] - 2 && end <= list[5][1] + 2,
            "{width}: {list:?}"
        );
        page.value("app.view.moves.draw(app.tree)");
    }
    // A few moves without an opponent take little room, too.
    page.value("app.begin({ rules: 'tsivy' })");
    page.wait_for("!app.opponent && app.hand.known && app.view.main.matches('.short')");
    let share = "document.querySelector('.movespanel').offsetHeight / document.querySelector('.side').offsetHeight";
    assert!(page.value(share).as_f64() < Some(0.35));
    page.check(server.origin());
}

/// All of a game is in the window of a telephone: board, counts, clocks, moves and what can be done.
#[test]
fn a_game_on_a_telephone_needs_no_scrolling() {
    let (server, mut page) = opened();
    page.value("['notes', 'typing'].forEach((name) => app.view.unfold(name, false))");
    page.value("app.begin({ rules: 'tsivy' }, { person: 'w', level: 0, clock: { base: 300, increment: 3 } })");
    page.wait_for("app.isPlaying && app.hand.known");
    page.value("void app.play('f2-e3A:d4c5')");
    page.wait_for("app.node.ply === 2 && app.hand.known");
    for (width, height) in [(390, 844), (375, 667), (412, 915)] {
        page.resize(width, height);
        page.wait_for(&format!("innerWidth === {width}"));
        page.wait_for("document.documentElement.scrollHeight <= innerHeight");
        let seen = "['.board', '.count', '.clock', '.moves [aria-current]', '.controls #hint', '#part-game .tool'].map((one) => { \
            const { left, top, right, bottom } = document.querySelector(one).getBoundingClientRect(); return left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight && bottom > top; })";
        assert_eq!(
            page.value(seen),
            json!([true, true, true, true, true, true]),
            "{width}"
        );
    }
    page.check(server.origin());
}

/// What is seldom needed is in a menu, which closes when something is chosen; the analysis begins with one click.
#[test]
fn seldom_used_tools_are_a_menu() {
    let (server, mut page) = opened();
    let open = "document.querySelector('#menu').matches(':popover-open')";
    let nameless = "[...document.querySelectorAll('header .tool')].filter((one) => !one.querySelector('.icon') || !one.textContent).length";
    assert_eq!(page.value(nameless), 0);
    page.click("#more");
    assert_eq!(page.value(open), true);
    page.key("Escape");
    assert_eq!(page.value(open), false);
    page.click("#more");
    page.press_button("Set up");
    page.wait_for("document.querySelector('dialog .setupboard')");
    page.press_button("Cancel");
    assert_eq!(page.value(open), false);
    page.click("#analysis");
    page.wait_for("app.engine.isOn && app.view.tabs.current === 'engine'");
    page.value("app.begin({ rules: 'tsivy' }, { person: 'w', level: 0, clock: null })");
    page.wait_for("app.isPlaying && app.hand.known");
    let is_off = "document.querySelector('#analysis').ariaDisabled";
    assert_eq!(page.value(is_off), "true");
    page.click("#analysis");
    let why = "The engine helps when the game or the exercise is over";
    assert_eq!(page.text(".message"), why);
    page.check(server.origin());
}

/// A stone that has just arrived follows the pointer, and what is said of the next turn waits for the one that is seen.
#[test]
fn a_stone_goes_on_by_the_pointer() {
    let (server, mut page) = opened();
    page.click("#engine");
    page.wait_for("document.querySelectorAll('.lines li').length === 3");
    page.value(
        "globalThis.early = 0; globalThis.near = false; const { element } = app.view.board; \
         element.addEventListener('pointermove', (event) => { near = [...element.querySelectorAll('.stone')].some((stone) => { \
         const box = stone.lastChild.getBoundingClientRect(); \
         return Math.hypot(box.x + box.width / 2 - event.clientX, box.y + box.height / 2 - event.clientY) < 3; }); }); \
         (function look() { if (element.classList.contains('moving')) { early += 1; \
         globalThis.hidden = [...element.querySelectorAll('.arrow')].every((one) => getComputedStyle(one).visibility === 'hidden'); } \
         requestAnimationFrame(look); })(); app.play('f2-e3A:d4c5')",
    );
    page.wait_for("app.node.ply === 1 && app.hand.known && app.view.board.rest === 0");
    assert_eq!(page.value("early > 0 && hidden"), true);
    page.click_point("d5");
    page.click_point("d4");
    page.wait_for(
        "app.hand.turn && !document.querySelector('.board').classList.contains('moving')",
    );
    page.drag("d4", "c5", 8);
    assert_eq!(page.value("near"), true);
    page.wait_for("app.node.ply === 2");
    page.check(server.origin());
}

/// A turn after which nobody but the same side can move is seen before the pass is.
#[test]
fn a_turn_before_a_pass_is_seen() {
    let rules = "board=5x5 blocked=pass chain=single";
    let (server, mut page) = opened_with(&["--rules", rules, "--fen", "bw3/w1wb1/5/5/5 w 0 1"]);
    page.value(
        "void (globalThis.isSeen = false, (function look() { \
         isSeen ||= app.node.turn?.text === 'pass' && app.view.board.rest > 0; requestAnimationFrame(look); })())",
    );
    page.click_point("c4");
    page.click_point("b4");
    page.wait_for("isSeen && app.view.board.rest === 0");
    page.check(server.origin());
}

/// A turn is shown again on request, also where nothing is animated; its steps are heard if that is wanted.
#[test]
fn a_turn_is_shown_again_and_heard() {
    let (server, mut page) = opened();
    page.value("globalThis.steps = []; globalThis.knock = (...tone) => steps.push(tone)");
    page.value("animation = 'off'; app.play('f2-e3A:d4c5')");
    page.wait_for("app.node.ply === 1 && app.hand.known");
    assert_eq!(page.value("app.view.board.rest"), 0);
    page.press_button("Settings");
    page.click("dialog [role=switch][aria-label=Sound]");
    page.press_button("Close");
    page.click("[aria-label='Show the move again']");
    page.wait_for("steps.length === 3 && app.view.board.rest === 0");
    page.click("[aria-label='Back']");
    page.wait_for("app.node.ply === 0 && app.hand.known");
    page.click("[aria-label='Show the move again']");
    assert_eq!(
        page.value("[app.view.board.rest, steps.length].join()"),
        "0,3"
    );
    page.check(server.origin());
}

/// What the engine may use is set for all pages, and the search that runs takes it up.
#[test]
fn threads_and_memory_are_settings() {
    let (server, mut page) = opened();
    page.click("#engine");
    page.wait_for("document.querySelectorAll('.lines li').length === 3");
    page.press_button("Settings");
    let memory = "[...document.querySelectorAll('dialog .field')].find((field) => field.textContent.startsWith('Engine: memory')).querySelector('select')";
    page.value(&format!("{{ const memory = {memory}; memory.value = '64'; memory.dispatchEvent(new Event('change')); }}"));
    page.wait_for("app.start.engine.hash === 64");
    page.value("document.querySelector('dialog').close()");
    page.wait_for("document.querySelectorAll('.lines li').length === 3");
    let mut other = Page::open(1280, 860);
    open(&mut other, &server);
    assert_eq!(
        other.value("app.start.engine"),
        json!({ "threads": 1, "hash": 64 })
    );
    // What another page has chosen meanwhile is shown, and stays.
    other.value("ask('/engine', { hash: 256 })");
    page.press_button("Settings");
    page.wait_for(&format!("{memory}.value === '256'"));
    page.value("ask('/engine', { threads: 2 })");
    assert_eq!(
        other.value("ask('/engine')"),
        json!({ "threads": 2, "hash": 256 })
    );
    page.check(server.origin());
}

/// Rings show which stones can move in a game, unless they are not wanted.
#[test]
fn stones_that_can_move_are_marked() {
    let (server, mut page) = opened();
    page.value("app.begin({ rules: 'tsivy' }, { person: 'w', level: 0, clock: null })");
    let rings = "document.querySelectorAll('.movable').length";
    page.wait_for(&format!("{rings} === 4"));
    page.press_button("Settings");
    page.click("dialog [role=switch][aria-label='Stones that can move']");
    assert_eq!(page.value(rings), 0);
    page.check(server.origin());
}

/// On a telephone the board stands upright: moves by tap, drag and keyboard go where they are seen to go.
#[test]
fn the_board_stands_upright() {
    let server = Server::start(&[]);
    let mut page = Page::open(390, 844);
    open(&mut page, &server);
    let size = "(() => { const b = document.querySelector('.board').getBoundingClientRect(); return [b.width, b.height]; })()";
    let filled = page.value(size);
    assert!(filled[1].as_f64() >= Some(0.65 * 844.0), "{filled}");
    // White is on the left, a above, and so are the coordinates.
    let place = |page: &mut Page, point: &str| page.point(point);
    let [a1, a5, i1] = ["a1", "a5", "i1"].map(|point| place(&mut page, point));
    assert!(a1[0] < a5[0] && a1[1] < i1[1], "{a1:?} {a5:?} {i1:?}");
    let written =
        "[...document.querySelectorAll('.coordinate')].map((one) => one.textContent).join('')";
    assert_eq!(page.value(written), "12345abcdefghi");
    page.click_point("f2");
    page.click_point("e3");
    page.wait_for("app.hand.known && app.node.ply === 1");
    assert_eq!(moves(&mut page), "f2-e3A");
    page.drag("d5", "d4", 5);
    page.wait_for("app.hand.turn");
    page.key("s");
    page.wait_for("app.hand.known && app.node.ply === 2");
    assert_eq!(moves(&mut page), "f2-e3A d5-d4A");
    page.value("app.view.board.focus('c3')");
    for (key, point) in [
        ("ArrowDown", "d3"),
        ("ArrowRight", "d4"),
        ("ArrowUp", "c4"),
        ("ArrowLeft", "c3"),
    ] {
        page.key(key);
        let focused = page.value("document.activeElement.getAttribute('aria-label').slice(0, 2)");
        assert_eq!(focused, point, "{key}");
    }
    // Turned, Black is on the left; what is saved as a picture lies as ever.
    page.value("app.flip()");
    assert!(page.point("a1")[0] > page.point("a5")[0]);
    let picture = page.value("pictureOf(app).match(/viewBox=\"([^\"]*)/)[1]");
    assert_eq!(picture, "0 0 960 560");
    // A window that is wide has it as ever, unless somebody wants it upright.
    page.resize(1280, 800);
    page.wait_for(&format!("({size})[0] > ({size})[1]"));
    page.click("#settings");
    page.choose("[aria-label='Board upright']", "on");
    page.wait_for(&format!("({size})[0] < ({size})[1]"));
    page.choose("[aria-label='Board upright']", "off");
    page.resize(390, 844);
    page.wait_for(&format!("({size})[0] > ({size})[1]"));
    page.check(server.origin());
}

/// What is told of a game changes in its own place: the board and the moves stay where they are, and moves beside the board alone are as tall.
#[test]
fn nothing_moves_when_a_tab_is_chosen() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("game.pgn");
    std::fs::write(&path, GAME).expect("written");
    let path = path.to_str().expect("UTF-8");
    let (server, mut page) = opened_with(&["--pgn", path, "--games", path]);
    page.value("['notes', 'typing'].forEach((name) => app.view.unfold(name, false))");
    let places = "[...document.querySelectorAll('.board, .moves, .movespanel, .boardpanel, .controlpanel, .dock')]\
        .flatMap((one) => { const b = one.getBoundingClientRect(); return [b.x, b.y, b.width, b.height].map(Math.round); })";
    for (width, height) in [(1200, 900), (1440, 900), (1366, 657)] {
        page.resize(width, height);
        let before = page.value(places);
        let heights = "['.board', '.movespanel', '.dock'].map((name) => document.querySelector(name).getBoundingClientRect()).map(({ height, bottom }) => [height, bottom])";
        let [board, list, dock] = [0, 1, 2].map(|at| page.value(heights)[at].clone());
        assert!(width > 1300 || list[0].as_f64() >= board[0].as_f64());
        assert!(dock[1].as_f64() <= Some(f64::from(height)));
        page.click("#engine");
        page.wait_for("document.querySelectorAll('.lines li').length === 3");
        assert_eq!(page.value(places), before, "engine");
        page.click("#tab-explorer");
        page.wait_for("document.querySelector('#part-explorer tbody tr')");
        assert_eq!(page.value(places), before, "explorer");
        // By keyboard, as tabs are used.
        page.value("document.querySelector('#tab-explorer').focus()");
        page.key("ArrowLeft");
        page.wait_for(
            "app.view.tabs.current === 'review' && document.activeElement.id === 'tab-review'",
        );
        if page.value("app.tree.review === undefined") == true {
            page.click("#review");
            page.wait_for("app.tree.review");
        }
        assert_eq!(page.value(places), before, "review");
        page.value("app.engine.isOn && app.engine.toggle()");
        page.key("e");
        page.wait_for("app.view.tabs.current === 'engine'");
        page.value("app.engine.toggle()");
    }
    page.check(server.origin());
}

/// Lying down: few buttons, large enough for a finger, and the next puzzle in sight; the others are behind one of them.
#[test]
fn a_telephone_lying_down_has_few_large_buttons() {
    let server = Server::start(&[]);
    let mut page = Page::open(844, 390);
    open(&mut page, &server);
    let small = "[...document.querySelectorAll('header button, .controls button, .dock button')].filter((one) => one.checkVisibility())\
        .map((one) => [one.textContent, one.getBoundingClientRect()]).filter(([, { width, height }]) => width < 40 || height < 40).map(([text]) => text)";
    assert_eq!(page.value(small), json!([]));
    page.value("Puzzles.begin(app)");
    page.wait_for("app.exercise && app.hand.known");
    let bottom = "app.exercise.nextButton.getBoundingClientRect().bottom";
    assert!(page.value(bottom).as_f64() <= Some(390.0));
    assert_eq!(page.value(small), json!([]));
    page.click(".controls .more");
    page.press_button("Turn the board");
    page.wait_for(
        "!document.querySelector('dialog') && app.isFlipped === (app.exercise.person === 'w')",
    );
    page.check(server.origin());
}

/// What a state is for can be pressed without scrolling, in all windows: after a game, after its review, after a puzzle; and once.
#[test]
fn what_is_next_is_in_sight() {
    let (server, mut page) = opened();
    let next = "[...document.querySelectorAll('main .primary')].filter((one) => one.checkVisibility()).map((one) => { \
        const { left, top, right, bottom } = one.getBoundingClientRect(); \
        return [top + 4, bottom - 4].every((y) => one.contains(document.elementFromPoint((left + right) / 2, y))) ? one.textContent : `${one.textContent}, hidden`; }).join()";
    let sizes = [
        (390, 664),
        (390, 844),
        (844, 390),
        (1024, 768),
        (1440, 900),
        (1920, 1080),
    ];
    let check = |page: &mut Page, text: &str| {
        for (width, height) in sizes {
            page.resize(width, height);
            page.wait_for(&format!("innerWidth === {width}"));
            assert_eq!(page.value(next), text, "{width} x {height}");
        }
    };
    page.value(
        "app.begin({ rules: 'tsivy', start: '9/7b1/8w/7w1/w7w b 0 2' }, { person: 'b', level: 0, clock: null })",
    );
    page.wait_for("app.isPlaying && app.hand.known");
    page.value("void app.play('h4-g5W:i3')");
    page.wait_for("app.node.ply === 2 && app.node.known");
    page.value("app.isPlaying && app.opponent.resign()");
    page.wait_for("!app.isPlaying && !document.querySelector('.board.moving')");
    check(&mut page, "Review");
    page.resize(390, 664);
    page.wait_for(
        "innerWidth === 390 && document.querySelector('.controls .next').checkVisibility()",
    );
    page.value("document.querySelector('.controls .next').click()");
    page.wait_for("app.tree.review && !app.review.isRunning");
    check(&mut page, "Learn from 1 move");
    page.resize(844, 390);
    page.wait_for(
        "innerWidth === 844 && document.querySelector('.controls .next').checkVisibility()",
    );
    page.value("document.querySelector('.controls .next').click()");
    page.wait_for("app.exercise && app.hand.known");
    page.value("app.exercise.solution()");
    page.wait_for("app.exercise.isOver && !document.querySelector('.board.moving')");
    check(&mut page, "Back to the game");
    page.check(server.origin());
}

/// A hint's reason, which may be long, moves nothing.
#[test]
fn a_long_hint_moves_nothing() {
    let (server, mut page) = opened();
    page.value("app.begin({ rules: 'tsivy' }, { person: 'w', level: 0, clock: null })");
    page.wait_for("app.isPlaying && app.hand.known");
    let places = "[...document.querySelectorAll('.board, .controls, .movespanel, .dock, .seats')].flatMap((one) => { \
        const b = one.getBoundingClientRect(); return [b.x, b.y, b.width, b.height].map(Math.round); })";
    let covered = "document.querySelector('.hint').getBoundingClientRect().top < document.querySelector('.board').getBoundingClientRect().bottom - 1";
    for (width, height) in [
        (390, 664),
        (390, 844),
        (844, 390),
        (1024, 768),
        (1440, 900),
        (1920, 1080),
    ] {
        page.resize(width, height);
        page.wait_for(&format!(
            "innerWidth === {width} && innerHeight === {height}"
        ));
        page.wait_for(
            "!document.querySelector('main.upright') === innerWidth * 17 >= innerHeight * 9",
        );
        page.wait_for("lowWindow.matches === Boolean(document.querySelector('.dock .movespanel'))");
        page.value("app.hint.text.textContent = ''");
        let before = page.value(places);
        page.value(
            "app.hint.text.textContent = 'f1-f2A-g3A-f3W-f4A-e4W: takes 5 stones (f3, h3, g4, h4, f5). It prevents f3-f2A-e2W-e1W-f1A, \
             which would take 8 stones (f1, g1, h1, i1, g2, h2, i2, e3). About as good: f1-f2A-g3A.'",
        );
        assert_eq!(page.value(places), before, "{width} x {height}");
        assert!(
            width == 844 || page.value(covered) == false,
            "{width} x {height}"
        );
    }
    page.check(server.origin());
}

/// On a telephone that lies, the moves are behind a tab; in other windows they are where they were.
#[test]
fn a_telephone_lying_down_has_a_tab_of_moves() {
    let server = Server::start(&[]);
    let mut page = Page::open(844, 390);
    open(&mut page, &server);
    let shown = "document.querySelector('.movespanel').checkVisibility()";
    assert_eq!(page.value(shown), false);
    page.click("#tab-moves");
    assert_eq!(page.value(shown), true);
    page.resize(1440, 900);
    page.wait_for("document.querySelector('.movespanel').parentElement.matches('.side')");
    assert_eq!(
        page.value("document.querySelector('#tab-moves').checkVisibility()"),
        false
    );
    page.check(server.origin());
}
