//! Colours, languages, marks and motion, and the pictures of the documentation.

use std::path::Path;

use serde_json::json;

use crate::browser::Page;
use crate::vato::{LINES, open, opened, opened_file};

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
    for (const element of $$('body *:not(svg *)')) {
        const hasText = [...element.childNodes].some((n) => n.nodeType === 3 && n.textContent.trim());
        if (!hasText || element.closest(':disabled, .hidden, script, noscript, option, .bar') || !element.checkVisibility()) continue;
        const [one, other] = [parse(getComputedStyle(element).color), behind(element)].map(luminance);
        const ratio = (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
        if (ratio < 4.5) found.push(`${element.textContent.slice(0, 30)}: ${ratio.toFixed(2)}`);
    }
    return found;
})()"#;

/// In both themes, also below the dialogs; and in each language the game is still there.
#[test]
fn texts_can_be_read() {
    let (server, mut page) = opened_file(GAME);
    page.click_then("#engine", LINES);
    for theme in ["light", "dark"] {
        page.prefer("prefers-color-scheme", theme);
        page.wait_for(&format!("document.documentElement.dataset.theme === '{theme}'"));
        assert_eq!(page.value(LOW_CONTRAST), json!([]), "{theme}");
        for dialog in ["Play", "Set up", "Open", "Save", "Keyboard", "Settings"] {
            page.press_button(dialog);
            assert_eq!(page.value(LOW_CONTRAST), json!([]), "{theme}, {dialog}");
            page.close_dialog();
        }
    }
    for (code, word) in [("fr", "Jouer"), ("mg", "Hilalao"), ("en", "Play")] {
        page.speak(code);
        page.assert_text("nav button", word);
        assert_eq!(page.value("document.documentElement.lang"), code);
        page.assert("$('.moves').textContent.includes('e2-e3A')");
    }
    // Where the system chooses the colours, what is chosen and what is on can be told from the rest, and the stones from each other.
    page.prefer("forced-colors", "active");
    page.value("app.view.tabs.choose('engine')");
    let differ = "[['[role=tab][aria-selected=true]', '[role=tab][aria-selected=false]'], ['.player .count.dark', '.player .count:not(.dark)'], ['.knob', 'body']] \
        .map((pair) => new Set(pair.map((one) => getComputedStyle($(one)).backgroundColor)).size)";
    assert_eq!(page.value(differ), json!([2, 2, 2]));
    page.assert(
        "getComputedStyle($('.knob')).backgroundColor !== getComputedStyle($('.knob'), '::after').backgroundColor",
    );
    page.value("void playDialog(app)");
    page.assert("new Set($$('dialog .levels label').map((one) => getComputedStyle(one).backgroundColor)).size === 2");
    page.close_dialog();
    page.check(server.origin());
}

/// Writes the pictures of `docs/gui.md`, which are looked at before they are kept.
#[test]
#[ignore = "writes into docs/pictures"]
fn pictures() {
    let pictures = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/pictures");
    let (_server, mut page) = opened_file(GAME);
    page.resize(1440, 900);
    page.fold();
    page.review();
    page.value("app.go(app.tree.line(app.tree.root)[4])");
    page.click_then("#engine", "/depth (1[6-9]|[2-9][0-9])/.test($('.figures').textContent)");
    page.value("document.activeElement.blur()");
    for theme in ["light", "dark"] {
        page.prefer("prefers-color-scheme", theme);
        page.wait_for(&format!("document.documentElement.dataset.theme === '{theme}'"));
        page.picture(pictures.join(format!("gui-{theme}.png")));
    }
}

/// The steps of a turn follow one another, each with the stones that it captures and its marks; not for who wants no motion. It is
/// shown again on request, and its steps are heard if that is wanted.
#[test]
fn a_turn_is_seen_step_by_step() {
    let (server, mut page) = opened();
    page.animate();
    let show = "(() => { globalThis.shown?.element.remove(); const board = new Board({ columns: 9, rows: 5 }); document.body.append(board.element); \
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
    for (animation, times) in [("slow", json!([4, 700, 1400, 1400])), ("off", json!([2]))] {
        page.choose("[aria-label='Animation']", animation);
        assert_eq!(page.value(show), times, "{animation}");
    }
    page.choose("[aria-label='Animation']", "fast");
    page.prefer("prefers-reduced-motion", "reduce");
    assert_eq!(page.value(show), json!([2]));
    page.prefer("prefers-reduced-motion", "no-preference");
    page.close_dialog();
    // All of a chain is marked, with numbers only where a point is passed twice.
    for (word, marks) in [("a1-b1A-b2A-c2A-c3A", [5, 3, 0]), ("a1-b1A-b2A-b1W-c1A-c2A-c3A", [7, 3, 6])] {
        let marked = format!(
            "(() => {{ const board = new Board({{ columns: 9, rows: 5 }}); board.show({{ stones: Board.stonesOf('9/9/2w6/9/9'), last: turnOf('{word}') }}); \
             return ['.last', '.lasthead', 'text.passed'].map((one) => board.element.querySelectorAll(one)).map((all) => all[0]?.points?.length ?? all.length); }})()"
        );
        assert_eq!(page.value(&marked), json!(marks), "{word}");
    }
    // The marks of a turn, the stones and their numbers are those that have been seen so far, also when it is shown again.
    page.begin("{ rules: 'tsivy', start: '9/9/2b1b4/9/wb7 w' }");
    page.value("shown.element.remove(); animation = 'slow'; globalThis.steps = []; globalThis.knock = (...tone) => steps.push(tone)");
    page.value(
        "{ const { board, playerParts } = app.view; const { element } = board; globalThis.seen = []; \
         const note = () => { const now = [element.querySelectorAll('.last').length && element.querySelector('.last').points.length, \
         element.querySelectorAll('.taken').length, playerParts.b.count.textContent].join(); if (now !== seen.at(-1)) { seen.push(now); } }; \
         new MutationObserver(note).observe($('.boardpanel'), { subtree: true, childList: true }); app.play('a1-b2A-b3W:b1c3'); }",
    );
    page.wait_for("app.view.board.rest === 0 && seen.length > 2");
    page.key_then("r", "app.view.board.rest === 0 && seen.length > 5");
    assert_eq!(page.value("seen.join(' ')"), "0,0,3 2,1,2 3,2,1 0,0,3 2,1,2 3,2,1");
    assert_eq!(page.value("steps.length"), 0);
    // Turned meanwhile, all has been seen.
    page.key("r");
    page.key("f");
    assert_eq!(page.value("app.view.playerParts.b.count.textContent"), "1");
    // Also where nothing is animated it can be shown.
    page.value("animation = 'off'");
    page.begin("{ rules: 'tsivy' }");
    page.play("f2-e3A:d4c5", 1);
    page.assert("app.view.board.rest === 0");
    page.press_button("Settings");
    page.click("dialog [role=switch][aria-label=Sound]");
    page.press_button("Close");
    page.click_then("[aria-label='Show the move again']", "steps.length === 3 && app.view.board.rest === 0");
    page.click("[aria-label='Back']");
    page.wait_ply(0);
    page.click("[aria-label='Show the move again']");
    page.assert("app.view.board.rest === 0 && steps.length === 3");
    // A turn after which nobody but the same side can move is seen before the pass is; slow, as the pass may be late.
    page.begin("{ rules: 'board=5x5 blocked=pass chain=single', start: 'bw3/w1wb1/5/5/5 w 0 1' }");
    page.value(
        "STEP_TIMES.slow = 3000; animation = 'slow'; void (globalThis.isSeen = false, (function look() { \
         isSeen ||= app.node.turn?.text === 'pass' && app.view.board.rest > 0; setTimeout(look); })())",
    );
    page.click_point("c4");
    page.click_point("b4");
    page.wait_for("isSeen && app.view.board.rest === 0");
    page.check_forgiving(server.origin());
}

/// A stone that has just arrived follows the pointer, and what is said of the next turn waits for the one that is seen.
#[test]
fn a_stone_goes_on_by_the_pointer() {
    let (server, mut page) = opened();
    page.animate();
    page.click_then("#engine", LINES);
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
    page.assert("early > 0 && hidden");
    page.click_point("d5");
    page.click_point("d4");
    page.wait_for("app.hand.turn && !$('.board').classList.contains('moving')");
    page.drag("d4", "c5", 8);
    page.assert("near");
    page.wait_for("app.node.ply === 2");
    page.check(server.origin());
}

/// What is seldom needed is in a menu, which closes when something is chosen; the analysis begins with one click. Rings show which
/// stones can move in a game, unless they are not wanted.
#[test]
fn seldom_used_tools_are_a_menu() {
    let (server, mut page) = opened();
    let open = "$('#menu').matches(':popover-open')";
    page.assert("$$('header .tool').every((one) => one.querySelector('.icon') && one.textContent)");
    page.click("#more");
    page.assert(open);
    page.key("Escape");
    page.assert(&format!("!{open}"));
    page.click("#more");
    page.press_then("Set up", "$('dialog .setupboard')");
    page.press_button("Cancel");
    page.assert(&format!("!{open}"));
    page.click_then("#analysis", "app.engine.isOn && app.view.tabs.current === 'engine'");
    page.begin_game();
    page.assert("$('#analysis').ariaDisabled === 'true'");
    page.click("#analysis");
    page.assert_text(".message", "The engine helps when the game or the exercise is over");
    page.assert("$$('.movable').length === 4");
    page.press_button("Settings");
    page.click("dialog [role=switch][aria-label='Stones that can move']");
    page.assert("$$('.movable').length === 0");
    page.check(server.origin());
}

/// What the engine may use is set for all pages, and the search that runs takes it up.
#[test]
fn threads_and_memory_are_settings() {
    let (server, mut page) = opened();
    page.click_then("#engine", LINES);
    page.press_button("Settings");
    let memory =
        "$$('dialog .field').find((field) => field.textContent.startsWith('Engine: memory')).querySelector('select')";
    page.value(&format!(
        "{{ const memory = {memory}; memory.value = '64'; memory.dispatchEvent(new Event('change')); }}"
    ));
    page.wait_for("app.start.engine.hash === 64");
    page.close_dialog();
    page.wait_for(LINES);
    let mut other = Page::open(1280, 860);
    open(&mut other, &server);
    assert_eq!(other.value("app.start.engine"), json!({ "threads": 1, "hash": 64 }));
    // What another page has chosen meanwhile is shown, and stays.
    other.value("ask('/engine', { hash: 256 })");
    page.press_then("Settings", &format!("{memory}.value === '256'"));
    page.value("ask('/engine', { threads: 2 })");
    assert_eq!(other.value("ask('/engine')"), json!({ "threads": 2, "hash": 256 }));
    page.check(server.origin());
}
