//! What fits where: windows of all sizes, and telephones, in all languages.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::browser::Page;
use crate::looks::GAME;
use crate::vato::{LINES, PLAY, Server, open, opened, opened_file, opened_with};

/// What is wrong with what is seen: what is outside of the window, covered, cut, or too small for a finger.
const FAULTS: &str = r#"
globalThis.faults = () => {
    const box = (one) => one.getBoundingClientRect();
    const name = (one) => one.textContent.trim().slice(0, 30) || one.getAttribute('class');
    const found = [];
    const note = (what, selector, isWrong) => found.push(...$seen(selector).filter((one) => isWrong(one, box(one))).map((one) => `${what}: ${name(one)}`));
    scrollTo(0, 0);
    document.documentElement.scrollWidth > innerWidth && found.push(`${document.documentElement.scrollWidth} pixels wide`);
    note('outside', '.board, .row.hint, .question button, .controls button, .asked button, main .primary, .clock, .player .count, .typed *, header button, .playing #part-game button',
        (_, { left, top, right, bottom }) => left < -1 || top < -1 || right > innerWidth + 1 || bottom > innerHeight + 1);
    note('covered', 'header button, .controls button, [role=tab], .question button, .what button, main .primary, .clock, .learn button', (one, { left, top, right, bottom }) => {
        const over = bottom < innerHeight && document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
        return over && !one.contains(over);
    });
    note('cut', 'header button, .controls button, [role=tab], .learn button, .asked .row button, .upright #part-game button', (one, { right }) => {
        const text = document.createRange();
        text.selectNodeContents(one);
        // Of others the icon is seen.
        return one.childElementCount === 0 && text.getBoundingClientRect().right > right + 1 || one.closest('.dock') && right > box(one.closest('.dock')).right + 1;
    });
    const least = $('main.upright') ? 44 : innerHeight < 400 ? 40 : 0;
    note('small', 'header button, .controls button, .question button, #stop-here, .what button', (_, { height }) => height < least);
    $('main.playing') || innerHeight > 500 || note('no room', '[role=tabpanel]', (_, { height }) => height < 70);
    return found;
};
/* The same in all languages. */
globalThis.allFaults = () => [1, 2, 0].flatMap((code) => {
    language = code;
    app.view.redraw();
    return faults().map((fault) => `${code}: ${fault}`);
});
"#;

/// Windows, and how wide the board is there at least.
const SIZES: [(u32, u32, f64); 13] = [
    (320, 568, 200.0),
    (320, 640, 245.0),
    (360, 780, 325.0),
    (390, 664, 260.0),
    (390, 844, 365.0),
    (480, 320, 250.0),
    (667, 375, 440.0),
    (844, 390, 575.0),
    (1000, 800, 600.0),
    (1280, 700, 840.0),
    (1366, 657, 920.0),
    (1440, 900, 990.0),
    (1920, 1080, 1250.0),
];

/// Board and column, or where there is no column the size of the board.
const PLACES: &str = "[$('.board'), ...$seen('.side')].map((one) => one.getBoundingClientRect()) \
    .flatMap(({ x, y, width, height }) => innerWidth < 1280 ? [width, height] : [x, y, width, height]).map(Math.round)";

/// The buttons that stand out.
const PRIMARY: &str = "[...new Set($seen('main .primary').map((one) => one.textContent))].join()";

/// In all states and windows the board is as large and as high as the window allows, and where a column stands beside it both
/// stay where they are. What the state is for can be pressed without scrolling, and is one thing.
#[test]
fn every_state_fits_every_window() {
    let (server, mut page) = opened_file("1. d3-e3A c3-d3A 2. b2-c3A f4-e3A-f3A *");
    page.value(FAULTS);
    page.fold();
    let mut places: BTreeMap<(u32, u32), Value> = BTreeMap::new();
    let mut wrong = Vec::new();
    let mut check = |page: &mut Page, state: &str, next: &str| {
        page.wait_for("app.node.known && app.view.board.rest === 0");
        for (width, height, least) in SIZES {
            page.resize(width, height);
            page.wait_for("!$('main.upright') === innerWidth * 5 > innerHeight * 3");
            let faults = if width < 900 { "allFaults()" } else { "faults()" };
            let found = page.value(&format!("[{faults}, {PLACES}, $box('.board').width, {PRIMARY}]"));
            // Of middling width, a game has its column beside the board, and what is told is below it.
            let before = places.entry((width, height)).or_insert_with(|| found[1].clone());
            let is_moved = width != 1000 && *before != found[1];
            let is_small = found[2].as_f64() < Some(least);
            if found[0] != json!([]) || is_moved || is_small || found[3] != next {
                wrong.push(format!("{state}, {width} x {height}: {found}, expected {next:?} and {before}"));
            }
        }
        page.resize(1280, 860);
    };
    check(&mut page, "a file", "");
    page.review();
    check(&mut page, "a review", "");
    page.run_then("Mistakes.begin(app, app.tree.review.line, 'w')", "app.exercise && app.hand.known");
    check(&mut page, "a mistake", "");
    page.value("app.leaveExercise()");
    page.run_then("app.engine.toggle()", LINES);
    check(&mut page, "an analysis", "");
    page.run_then("app.engine.turnOff(); Puzzles.begin(app)", "app.exercise && app.hand.known");
    check(&mut page, "a puzzle", "");
    page.run_then("app.exercise.solution()", "app.exercise.isOver");
    check(&mut page, "its answer", "Next puzzle");
    page.value("app.leaveExercise()");
    let start = "9/7b1/8w/7w1/w7w b 0 2";
    page.begin_with("tsivy", start, "{ person: 'b', level: 0, clock: null }");
    page.play("h4-g5W:i3", 2);
    page.value("app.isPlaying && app.opponent.resign()");
    check(&mut page, "an end", "Review");
    page.review();
    check(&mut page, "a review of one's own game", "Learn from 1 move");
    // Its graph is in sight on a telephone, and no tab is cut.
    for (width, height) in [(320, 640), (390, 844)] {
        page.resize(width, height);
        page.wait_for("$('.strip') && (({ right, top, bottom, height }) => right <= innerWidth && bottom <= innerHeight && top >= 0 && height > 35)($box('.strip'))");
        page.assert("$box('[role=tab]').top >= innerHeight");
    }
    // It leads to what is drawn below the pointer, and beyond the ends to them.
    let found = page.value(
        "(() => {
            const found = [], graph = new EvaluationGraph((ply) => found.push(ply), [360, 38]);
            graph.element.style = 'position: fixed; top: 0; left: 0; width: 590px; height: 38px';
            graph.element.setPointerCapture = () => {};
            document.body.append(graph.element);
            graph.draw([Array(61).fill(0)], []);
            const at = [0, 1, 30, 59, 60].map((ply) => (graph.show(ply), graph.element.querySelector('.now').getBoundingClientRect().left));
            [...at, 0, 590].forEach((clientX) => graph.element.dispatchEvent(new PointerEvent('pointerdown', { clientX })));
            graph.element.remove();
            return found;
        })()",
    );
    assert_eq!(found, json!([0, 1, 30, 59, 60, 0, 60]));
    page.resize(1280, 860);
    page.begin_with("tsivy", "", "{ person: 'w', level: 0, clock: { base: 300, increment: 3 } }");
    check(&mut page, "a game", "");
    page.run_then("['d3', 'e3'].forEach((point) => app.hand.pick(point))", "!$('.question').hidden");
    check(&mut page, "a choice", "");
    page.play("d3-e3A:f3", 2);
    page.run_then("app.view.whilePlaying.at(-1).click()", "$('[data-asking]')");
    check(&mut page, "a question", "");
    // The steps have their room beside the question, and beside a move that is typed.
    page.resize(320, 568);
    assert_eq!(page.value("allFaults()"), json!([]));
    page.value("app.view.unfold('typing', true)");
    for code in [1, 2, 0] {
        page.value(&format!("language = {code}; app.view.redraw()"));
        page.wait_for("['.back', '.forward'].every((one) => $box(`.controls ${one}`).width >= 20) && $box('.typed').left >= $box('.here').right");
        page.assert("document.documentElement.scrollWidth <= innerWidth");
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    page.check(server.origin());
}

/// Other boards have their room, too: in a low window all of a game stands beside them.
#[test]
fn a_low_window_has_room_for_other_boards() {
    let (server, mut page) = opened();
    page.value(FAULTS);
    page.value("app.view.tabs.choose('engine')");
    for (rules, least) in [("dimy", 180.0), ("board=3x9", 90.0)] {
        page.begin_with(rules, "", "{ person: 'w', level: 0, clock: null }");
        page.run_then(PLAY, "app.node.ply >= 1 && app.opponent.mayMove(app.node) && app.hand.known");
        for (width, height) in [(844, 390), (667, 375), (600, 450), (568, 320), (480, 320)] {
            page.resize(width, height);
            page.wait_for("$('.playing .movespanel')");
            assert_eq!(page.value("faults()"), json!([]), "{rules} {width}");
            let sizes = page.value("[$box('.board').width, $box('.moves button').width]");
            let is_seen = sizes[0].as_f64() > Some(least) && sizes[1].as_f64() > Some(60.0);
            assert!(is_seen, "{rules} {width}: {sizes}");
        }
    }
    // Notes take no room from the buttons below them, also beside a square board.
    page.resize(1366, 768);
    page.begin_with("dimy", "", "{ person: 'w', level: 0, clock: null }");
    page.resign();
    page.value("app.view.open.notes = true; app.view.redraw()");
    page.wait_for("$('.notes').checkVisibility() && $box('.side .controls').bottom <= $box('.side').bottom");
    // A tablet that is held upright, and a narrow board in a window: a chain in hand makes nothing larger.
    page.call("Emulation.setTouchEmulationEnabled", json!({ "enabled": true }));
    let stop = "app.view.message.textContent = t('may-go-on', 'c3, d4, b2'), app.view.stopButton.hidden = false";
    for (rules, width, height) in [("dimy", 768, 1024), ("board=3x9", 820, 1180), ("board=3x9", 1024, 768)] {
        page.begin_with(rules, "", "{ person: 'w', level: 0, clock: { base: 300, increment: 3 } }");
        page.resize(width, height);
        for state in ["'plain'", stop] {
            page.value(state);
            page.wait_for(&format!("innerWidth === {width} && document.documentElement.scrollHeight <= {height}"));
            assert_eq!(page.value("faults()"), json!([]), "{rules} {width} {state}");
        }
    }
    page.check(server.origin());
}

/// Board and column stay where they are, whatever is shown: many moves, a tab of what is told, a hint and its reason, which may be
/// long.
#[test]
fn nothing_moves() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("game.pgn");
    std::fs::write(&path, GAME).expect("written");
    let path = path.to_str().expect("UTF-8");
    let (server, mut page) = opened_with(&["--pgn", path, "--games", path]);
    page.fold();
    let places = "$$('.board, .moves, .movespanel, .boardpanel, .controlpanel, .dock').map((one) => one.getBoundingClientRect()) \
        .flatMap(({ x, y, width, height }) => [x, y, width, height].map(Math.round))";
    for (width, height, is_below) in [(1200, 900, false), (1440, 900, true), (1366, 657, false)] {
        page.resize(width, height);
        page.wait_for(
            "!$('main.framed') === innerWidth * 20 < innerHeight * 31 && !$('main.below') === innerHeight < 780",
        );
        // What is told stands below a wide board where there is room; moves beside the board alone are as tall.
        let below = "$box('.dock:has(#tab-engine)').top >= $box('.boardrow').bottom && $box('.dock:has(#tab-engine)').right < $box('.side').left";
        assert!(width == 1200 || page.value(below) == is_below, "{width}");
        page.assert("$box('.dock').bottom <= innerHeight");
        page.assert("innerWidth > 1300 || $box('.movespanel').height >= $box('.board').height");
        let before = page.value(places);
        page.click_then("#engine", LINES);
        assert_eq!(page.value(places), before, "engine");
        page.click_then("#tab-explorer", "$('#part-explorer tbody tr')");
        assert_eq!(page.value(places), before, "explorer");
        // By keyboard, as tabs are used.
        page.value("$('#tab-explorer').focus()");
        page.key_then("ArrowLeft", "app.view.tabs.current === 'review' && document.activeElement.id === 'tab-review'");
        if page.value("app.tree.review === undefined") == true {
            page.review();
        }
        assert_eq!(page.value(places), before, "review");
        // What a review says of a move is in sight in its panel.
        page.value("$('.better').hidden = false; $('.better').classList.remove('empty')");
        page.value("app.review.reason.textContent = 'A blunder. After this White takes 7 stones and wins by force: d3-…-b2.'; app.review.label.textContent = 'Better, losing 3 stones:'");
        page.wait_for("['.better p', '.better strong'].map($box).every(({ left, bottom }) => document.elementFromPoint(left + 2, bottom - 4)?.closest('.better'))");
        page.value("app.engine.turnOff()");
        page.key_then("e", "app.view.tabs.current === 'engine'");
        page.value("app.engine.turnOff()");
    }
    page.begin_with("tsivy", "", "{ person: 'w', level: 0, clock: { base: 300, increment: 3 } }");
    let places = "$$('.board, .controls, .movespanel, .dock, .seats').map((one) => one.getBoundingClientRect()) \
        .flatMap(({ x, y, width, height }) => [x, y, width, height].map(Math.round))";
    for (width, height) in [(390, 664), (390, 844), (844, 390), (1024, 768), (1440, 900), (1920, 1080)] {
        page.resize(width, height);
        page.wait_for(
            "!$('main.upright') === innerWidth * 5 > innerHeight * 3 && !$('main.framed') === innerWidth < 861",
        );
        page.value("app.hint.text.textContent = ''");
        let before = page.value(places);
        page.value(
            "app.hint.text.textContent = 'f1-f2A-g3A-f3W-f4A-e4W: takes 5 stones (f3, h3, g4, h4, f5). It prevents f3-f2A-e2W-e1W-f1A, \
             which would take 8 stones (f1, g1, h1, i1, g2, h2, i2, e3). About as good: f1-f2A-g3A.'",
        );
        assert_eq!(page.value(places), before, "{width} x {height}");
        page.assert("innerWidth === 844 || $box('.hint').top >= $box('.board').bottom - 1");
        page.value("app.hint.text.textContent = ''");
        if width > 1400 {
            page.value(
                "app.view.moves.element.prepend(...Array.from({ length: 90 }, () => make('button', {}, 'a1-a2')))",
            );
            assert_eq!(page.value(places), before, "{width}: many moves");
            page.value("app.view.moves.draw(app.tree)");
            // In the column, from above: opponent, moves, game, steps, oneself.
            let parts = page.value("$seen('.side > *').map((one) => one.getBoundingClientRect()).map(({ top, bottom }) => [top, bottom].map(Math.round))");
            let parts: Vec<[i64; 2]> = serde_json::from_value(parts).expect("places");
            assert!(parts.len() == 5 && parts.windows(2).all(|two| (two[0][1] - two[1][0]).abs() <= 1), "{parts:?}");
            assert_eq!(page.value("$texts('.side .name').join()"), "Vato, level 0 (Beginner),You");
            page.assert(
                "Math.abs($box('.board').y - $box('.side').y) <= 2 && $box('.board').bottom <= $box('.side').bottom",
            );
        }
    }
    // In a game, the stones that are gone stand below the board, in windows of any height that have room there.
    page.drag("f2", "e3", 5);
    page.wait_for("['.dark', ':not(.dark)'].map((kind) => $$(`.gone .dot${kind}`).length).join() !== '0,0' && app.opponent.mayMove(app.node) && app.view.board.rest === 0");
    page.assert("!$('.dock:has(#tab-engine)').checkVisibility()");
    page.value("$$('.gone > div').forEach((heap) => heap.append(...Array.from({ length: 22 - heap.querySelectorAll('.dot').length }, () => make('span', { class: 'dot' }))))");
    for (width, height, is_room) in
        [(1920, 1080, true), (1366, 768, true), (1280, 720, true), (900, 900, true), (1366, 657, false)]
    {
        page.resize(width, height);
        page.wait_for(&format!(
            "innerWidth === {width} && innerHeight === {height} && document.documentElement.scrollHeight <= {height}"
        ));
        let seen = "$seen('.gone .dot').filter((one) => ((dot, gone) => dot.left >= gone.left - 1 && dot.right <= gone.right + 1 && dot.bottom <= gone.bottom)(one.getBoundingClientRect(), $box('.gone'))).length";
        assert_eq!(page.value(seen), if is_room { 44 } else { 0 }, "{width} x {height}");
    }
    page.check(server.origin());
}

/// Text that the browser is told to make larger: all can be reached, and nothing is wider than the window.
#[test]
fn large_text_has_room() {
    let (server, mut page) = opened();
    page.call("Page.setFontSizes", json!({ "fontSizes": { "standard": 20 } }));
    let faults = "[1, 2, 0].flatMap((code) => {
        language = code;
        app.view.redraw();
        const found = $seen('header button, .what button, .controls button, [role=tab], .part, .notes :is(button, textarea), .typed *').filter((one) => {
            one.scrollIntoView({ block: 'center' });
            const { left, top, width, height } = one.getBoundingClientRect();
            return height < 40 || !one.contains(document.elementFromPoint(left + width / 2, top + height / 2));
        }).map((one) => `${code} hidden: ${one.textContent.slice(0, 30)}`);
        document.documentElement.scrollWidth > innerWidth && found.push(`${code}: ${document.documentElement.scrollWidth} pixels wide`);
        // A row of moves below an exercise.
        $seen('.framed .side:has(.exercise) .movespanel').some((one) => one.clientHeight < 110) && found.push(`${code}: no moves`);
        return found;
    })";
    let sizes = [(320, 568), (360, 640), (390, 844), (480, 320), (740, 360), (900, 510), (1280, 600)];
    let wide = [(601, 800), (620, 800), (861, 700), (1024, 768)];
    let notes = "app.leaveExercise(), Object.assign(app.view.open, { notes: true, typing: true })";
    for (act, sizes) in [
        ("app.flip()", &[&sizes[..], &wide[..]].concat()[..]),
        ("Puzzles.begin(app)", &sizes),
        ("app.exercise.solution()", &sizes),
        (notes, &wide),
    ] {
        page.run_then(act, "app.hand.known || app.exercise?.isOver");
        for (width, height) in sizes {
            page.resize(*width, *height);
            page.wait_for(&format!("innerWidth === {width} && innerHeight === {height}"));
            assert_eq!(page.value(faults), json!([]), "{act} {width} x {height}");
        }
    }
    // The steps of a game have a row of their own where they have no room beside its buttons.
    page.begin_with("tsivy", "", "{ person: 'w', level: 0, clock: { base: 300, increment: 3 } }");
    page.resize(320, 568);
    page.wait_for("innerWidth === 320");
    assert_eq!(page.value(faults), json!([]));
    page.assert("$seen('.controls button').every((one) => one.getBoundingClientRect().width > 40)");
    page.check(server.origin());
}

/// On a telephone the board stands upright: moves by tap, drag and keyboard go where they are seen to go.
#[test]
fn the_board_stands_upright() {
    let server = Server::start(&[]);
    let mut page = Page::open(390, 844);
    page.call("Emulation.setTouchEmulationEnabled", json!({ "enabled": true }));
    open(&mut page, &server);
    // White is on the left, a above, and so are the coordinates.
    let [a1, a5, i1] = ["a1", "a5", "i1"].map(|point| page.point(point));
    assert!(a1[0] < a5[0] && a1[1] < i1[1], "{a1:?} {a5:?} {i1:?}");
    assert_eq!(page.value("$texts('.coordinate').join('')"), "12345abcdefghi");
    page.tap_point("d3");
    page.tap_point("e3");
    page.press_button("Approach");
    page.wait_ply(1);
    page.assert_moves("d3-e3A");
    page.value("app.go(app.tree.root).then(() => app.play('f2-e3A:d4c5'))");
    page.wait_ply(1);
    page.drag("d5", "d4", 5);
    page.wait_for("app.hand.turn");
    page.key("s");
    page.wait_ply(2);
    page.assert_moves("f2-e3A d5-d4A");
    page.value("app.view.board.focus('c3')");
    for (key, point) in [("ArrowDown", "d3"), ("ArrowRight", "d4"), ("ArrowUp", "c4"), ("ArrowLeft", "c3")] {
        page.key(key);
        assert_eq!(page.value("document.activeElement.getAttribute('aria-label').slice(0, 2)"), point, "{key}");
    }
    // Turned, Black is on the left; what is saved as a picture lies as ever.
    page.value("app.flip()");
    assert!(page.point("a1")[0] > page.point("a5")[0]);
    assert_eq!(page.value("pictureOf(app).match(/viewBox=\"([^\"]*)/)[1]"), "0 0 960 560");
    // A window that is wide has it as ever, unless somebody wants it upright.
    page.resize(1280, 800);
    page.wait_for("$box('.board').width > $box('.board').height");
    page.click("#settings");
    page.choose("[aria-label='Board upright']", "on");
    page.wait_for("$box('.board').width < $box('.board').height");
    page.choose("[aria-label='Board upright']", "off");
    page.resize(390, 844);
    page.wait_for("$box('.board').width > $box('.board').height");
    page.check(server.origin());
}

/// Stones, clock and seconds of a player are seen whole beside each other, and some of the name, where the board is upright.
#[test]
fn players_at_an_upright_board_have_room() {
    let (server, mut page) = opened();
    page.value("upright = 'on'");
    let faults = "[1, 2, 0].flatMap((code) => {
        language = code;
        app.view.redraw();
        app.view.showThinking('b', 12);
        const parts = $seen('.player > *').filter((one) => one.textContent).map((one) => [one, one.getBoundingClientRect()]);
        const isCut = ([one, box], at) => one.matches('.name') ? box.width < 20 : one.scrollWidth > one.clientWidth + 1 && !one.matches('.name + .thinking')
            || parts.some(([, other], place) => place !== at && box.left < other.right - 1 && other.left < box.right - 1 && box.top < other.bottom - 1 && other.top < box.bottom - 1);
        const isTold = app.opponent.clock || $seen('.player').some((one) => one.textContent.includes('12 s'));
        return [...parts.filter(isCut).map(([one]) => `${code}: ${one.className} ${one.textContent}`), ...(isTold ? [] : ['no seconds'])];
    })";
    let windows =
        [(320, 568), (390, 844), (667, 375), (800, 600), (844, 390), (900, 510), (1280, 600), (1366, 768), (1920, 950)];
    for clock in ["{ base: 7200, increment: 10 }", "null"] {
        page.begin_with("tsivy", "", &format!("{{ person: 'w', level: 20, clock: {clock} }}"));
        for (width, height) in windows {
            page.resize(width, height);
            page.wait_for(&format!("innerWidth === {width} && innerHeight === {height}"));
            assert_eq!(page.value(faults), json!([]), "{width} x {height}, clock {clock}");
            page.assert("innerWidth < 861 || document.documentElement.scrollHeight <= innerHeight");
        }
    }
    page.check(server.origin());
}

/// A telephone that lies has few buttons and a tab of moves; what else can be done is behind one of them. In other windows the moves
/// are where they were.
#[test]
fn a_telephone_lies() {
    let server = Server::start(&[]);
    let mut page = Page::open(844, 390);
    open(&mut page, &server);
    let small = "$seen('header button, .controls button, .dock button').map((one) => [one.textContent, one.getBoundingClientRect()]) \
        .filter(([, { width, height }]) => width < 40 || height < 40).map(([text]) => text)";
    assert_eq!(page.value(small), json!([]));
    page.assert("!$('.movespanel').checkVisibility()");
    page.click("#tab-moves");
    page.assert("$('.movespanel').checkVisibility()");
    page.run_then("Puzzles.begin(app)", "app.exercise && app.hand.known");
    page.assert("app.exercise.nextButton.getBoundingClientRect().bottom <= innerHeight");
    assert_eq!(page.value(small), json!([]));
    page.click(".controls .more");
    page.press_then("Turn the board", "!$('dialog') && app.isFlipped === (app.exercise.person === 'w')");
    // What is said stays when it is turned.
    page.value("app.leaveExercise(); app.view.say('as it was')");
    page.resize(390, 844);
    page.wait_for("$('main.upright')");
    page.assert_text(".message", "as it was");
    page.resize(1440, 900);
    page.wait_for("$('.movespanel').parentElement.matches('.side') && !$('#tab-moves').checkVisibility()");
    // A short move is not broken where it is said; a long chain may be.
    page.value("app.view.say('Take a3-b4. After a1-…-b2: d3-e3A-e4W-d4A, not a1-a2A-b2W-c2A-d2W.')");
    let whole = "$$('.message .whole').map((one) => `${one.textContent} ${getComputedStyle(one).whiteSpace}`).join()";
    assert_eq!(page.value(whole), "a3-b4 nowrap,a1-…-b2 nowrap,d3-e3A-e4W-d4A nowrap");
    page.check(server.origin());
}

/// What is wrong with the dialog that is open: its width, texts that are cut, controls without a name, what covers the end of it.
const DIALOG_FAULTS: &str = r#"(() => {
    const found = [document.documentElement, $('dialog')].filter((one) => one.scrollWidth > one.clientWidth).map((one) => `${one.scrollWidth} pixels wide`);
    for (const one of $seen('dialog .levels label, dialog .stones label, dialog .field > span')) {
        const [text, { left, right }] = [document.createRange(), one.getBoundingClientRect()];
        const own = [...one.childNodes].filter(({ nodeType }) => nodeType === 3);
        text.selectNodeContents(one.lastChild.nodeType === 3 ? one.lastChild : own[0]);
        const [edge, { left: first, right: last }] = [one.matches('label') ? 1.5 : 0, text.getBoundingClientRect()];
        (first < left + edge || last > right - edge) && found.push(`cut: ${one.textContent}`);
    }
    for (const one of $seen('dialog :is(select, .copied input)')) {
        one.clientWidth < 95 && found.push(`${one.clientWidth} pixels of ${one.ariaLabel || one.closest('label').textContent}`);
    }
    for (const one of $$('button, input, select, textarea, .spot, dialog')) {
        one.getAttribute('aria-label') || one.textContent.trim() || one.closest('label')?.textContent.trim() || found.push(`no name: ${one.outerHTML}`);
    }
    const [end, row] = ['dialog .rulebook nav button:last-child', 'dialog .row.end button'].map((one) => $(one)?.getBoundingClientRect());
    end && end.right > row.left && end.bottom > row.top && end.top < row.bottom && found.push('the rules are covered');
    return found;
})()"#;

/// No word of a language is too long for a dialog on a telephone, whether it stands or lies.
#[test]
fn every_dialog_fits_every_window() {
    let (server, mut page) = opened();
    let dialogs = [
        "playDialog",
        "settingsDialog",
        "newGameDialog",
        "rulesDialog",
        "setUpDialog",
        "saveDialog",
        "openFileDialog",
        "helpDialog",
        "moreDialog",
        "ownGamesDialog",
    ];
    for (width, height) in [(320, 568), (375, 740), (480, 320), (667, 375), (844, 390)] {
        page.resize(width, height);
        for dialog in dialogs {
            for code in [1, 2, 0] {
                page.value(&format!("language = {code}; app.view.redraw(); void {dialog}(app)"));
                page.wait_for("$('dialog[open]')");
                if dialog == "rulesDialog" {
                    page.wait_for("$('dialog .rulebook nav')");
                }
                assert_eq!(page.value(DIALOG_FAULTS), json!([]), "{dialog} {width} {code}");
                // These do not scroll in a window that is as high as those of telephones.
                if width == 844 && ["setUpDialog", "saveDialog"].contains(&dialog) {
                    page.wait_for("$('dialog .primary') && $('dialog').scrollHeight === $('dialog').clientHeight");
                }
                page.close_dialog();
            }
        }
    }
    // A word of a file that is named in a message may be longer than a line.
    page.resize(320, 568);
    let word = "board=9x5_".repeat(20);
    page.value("void openFileDialog(app)");
    page.set("dialog textarea", &format!("[Rules \"{word}\"]\n\n1. f2-e3A *"));
    page.submit();
    page.wait_for("$('dialog .problem').textContent");
    assert_eq!(page.value(DIALOG_FAULTS), json!([]));
    page.close_dialog();
    page.value(&format!("app.view.say('{word}')"));
    page.assert("[document.documentElement, $('.row.hint')].every((one) => one.scrollWidth <= one.clientWidth)");
    page.check_forgiving(server.origin());
}
