//! Colours, languages, marks and motion, and the pictures of the documentation.

use std::path::Path;

use serde_json::json;

use crate::browser::Page;
use crate::vato::{Server, open, opened, opened_with, speak};

/// A game with tags, marks, comments and a variation.
pub const GAME: &str = "[White \"Rabe\"]\n[Black \"Ranaivo\"]\n\n\
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
fn texts_can_be_read_in_both_themes_and_all_languages() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("game.pgn");
    std::fs::write(&path, GAME).expect("written");
    let (server, mut page) = opened_with(&["--pgn", path.to_str().expect("UTF-8")]);
    page.click("#engine");
    page.wait_for("document.querySelectorAll('.lines li').length === 3");
    for theme in ["light", "dark"] {
        page.theme(theme);
        page.wait_for(&format!("document.documentElement.dataset.theme === '{theme}'"));
        assert_eq!(page.value(LOW_CONTRAST), json!([]), "{theme}");
        for dialog in ["Play", "Set up", "Open", "Save", "Keyboard", "Settings"] {
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
    page.wait_for("/depth (1[6-9]|[2-9][0-9])/.test(document.querySelector('.figures').textContent)");
    page.value("document.activeElement.blur()");
    for theme in ["light", "dark"] {
        page.theme(theme);
        page.wait_for(&format!("document.documentElement.dataset.theme === '{theme}'"));
        page.picture(pictures.join(format!("gui-{theme}.png")));
    }
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
    page.call("Emulation.setEmulatedMedia", json!({ "features": features }));
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
    assert_eq!(page.value(&marked("a1-b1A-b2A-b1W-c1A-c2A-c3A")), json!([7, 3, 6]));
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
    page.wait_for("app.hand.turn && !document.querySelector('.board').classList.contains('moving')");
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
    // Slow, as the pass may be late on a busy machine.
    page.value(
        "animation = 'slow'; void (globalThis.isSeen = false, (function look() { \
         isSeen ||= app.node.turn?.text === 'pass' && app.view.board.rest > 0; setTimeout(look); })())",
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
    assert_eq!(page.value("[app.view.board.rest, steps.length].join()"), "0,3");
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
    page.value(&format!(
        "{{ const memory = {memory}; memory.value = '64'; memory.dispatchEvent(new Event('change')); }}"
    ));
    page.wait_for("app.start.engine.hash === 64");
    page.value("document.querySelector('dialog').close()");
    page.wait_for("document.querySelectorAll('.lines li').length === 3");
    let mut other = Page::open(1280, 860);
    open(&mut other, &server);
    assert_eq!(other.value("app.start.engine"), json!({ "threads": 1, "hash": 64 }));
    // What another page has chosen meanwhile is shown, and stays.
    other.value("ask('/engine', { hash: 256 })");
    page.press_button("Settings");
    page.wait_for(&format!("{memory}.value === '256'"));
    page.value("ask('/engine', { threads: 2 })");
    assert_eq!(other.value("ask('/engine')"), json!({ "threads": 2, "hash": 256 }));
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

/// Where the system chooses the colours, what is chosen and what is on can be told from the rest, and the stones from each other.
#[test]
fn forced_colours_leave_what_is_chosen() {
    let (server, mut page) = opened();
    let features = json!([{ "name": "forced-colors", "value": "active" }]);
    page.call("Emulation.setEmulatedMedia", json!({ "features": features }));
    page.value("app.view.tabs.choose('engine')");
    let differ = "[['[role=tab][aria-selected=true]', '[role=tab][aria-selected=false]'], ['.player .count.dark', '.player .count:not(.dark)'], ['.knob', 'body']] \
        .map((pair) => new Set(pair.map((one) => getComputedStyle(document.querySelector(one)).backgroundColor)).size)";
    assert_eq!(page.value(differ), json!([2, 2, 2]));
    let knob = "getComputedStyle(document.querySelector('.knob')).backgroundColor !== getComputedStyle(document.querySelector('.knob'), '::after').backgroundColor";
    assert_eq!(page.value(knob), true);
    page.value("void playDialog(app)");
    let radios = "new Set([...document.querySelectorAll('dialog .levels label')].map((one) => getComputedStyle(one).backgroundColor)).size";
    assert_eq!(page.value(radios), 2);
    page.value("document.querySelector('dialog').close()");
    page.check(server.origin());
}
