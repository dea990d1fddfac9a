//! What fits where: windows of all sizes, and telephones, in all languages.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::browser::Page;
use crate::looks::GAME;
use crate::vato::{LINES, Server, open, opened, opened_file, opened_with};

/// What is wrong with what is seen: what is wider than the window, what is needed now and outside of it (`isStrict`: all but the board may be
/// scrolled to otherwise), what a panel cuts of it and of the current move, what cannot be reached by scrolling, texts of buttons that are cut.
const FAULTS: &str = r#"
globalThis.faults = (isStrict) => {
    const box = (one) => one.getBoundingClientRect();
    const name = (one) => one.textContent.trim().slice(0, 30) || one.getAttribute('class');
    const found = [];
    scrollTo(0, 0);
    document.documentElement.scrollWidth > innerWidth && found.push(`${document.documentElement.scrollWidth} pixels wide`);
    const now = ', .question button, #stop-here, .controls button, .what button, main .primary, .clock, .player .count, header button, .playing #part-game button, .upright .welcome button';
    const isWithin = (one, edge) => Math.max(edge.left - box(one).left, edge.top - box(one).top, box(one).right - edge.right, box(one).bottom - edge.bottom) <= 1;
    $seen(`.board${isStrict ? now : ''}`).forEach((one) => isWithin(one, new DOMRect(0, 0, innerWidth, innerHeight)) || found.push(`outside: ${name(one)}`));
    const isPanel = ({ display, overflowY }) => display !== 'contents' && overflowY !== 'visible';
    const isCutByPanel = (one, at = one.parentElement) => at !== document.body
        && ((isPanel(getComputedStyle(at)) && !isWithin(one, box(at))) || isCutByPanel(one, at.parentElement));
    const whole = `.playing :is(.moves [aria-current], .typed > *), #part-game button, .welcome button${now}`;
    isStrict && $seen(whole).forEach((one) => isCutByPanel(one) && found.push(`cut by its panel: ${name(one)}`));
    const isHit = (one) => {
        const { left, top, right, bottom } = box(one);
        return one.contains(document.elementFromPoint((left + right) / 2, (top + bottom) / 2)?.closest('button, select, textarea, input, span, svg'));
    };
    // Of others the icon is seen.
    const isCut = (text, edge, { left, top, right, bottom }) => {
        const range = document.createRange();
        range.selectNodeContents(text);
        const seen = range.getBoundingClientRect();
        return box(text.parentElement).width > 1 && text.data.trim() && seen.width > 0
            && (seen.left < Math.max(left, edge.left) - 1 || seen.right > Math.min(right, edge.right) + 1 || seen.top < top - 2 || seen.bottom > bottom + 2);
    };
    for (const one of $seen('header button, main :is(button, select, textarea, input)')) {
        if (!isHit(one)) {
            one.scrollIntoView({ block: 'center', inline: 'center' });
            isHit(one) || found.push(`hidden: ${name(one)}`);
            scrollTo(0, 0);
        }
        const texts = one.matches('button:not(.turns *, .lines *, .better *, .moves *, .list *)') ? [one, ...one.children].flatMap((part) => [...part.childNodes]) : [];
        const dock = one.closest('.dock');
        dock && box(one).right > box(dock).right + 1 && found.push(`beyond its panel: ${name(one)}`);
        texts.some((text) => text.nodeType === 3 && isCut(text, box(text.parentElement), box(one))) && found.push(`cut: ${name(one)}`);
    }
    return found;
};
"#;

/// Windows, and how wide the board is there at least, with a text of 16 pixels.
const SIZES: [(u32, u32, f64); 24] = [
    (320, 480, 300.0),
    (320, 568, 170.0),
    (360, 780, 320.0),
    (390, 664, 240.0),
    (390, 844, 345.0),
    (480, 320, 240.0),
    (480, 800, 330.0),
    (568, 320, 320.0),
    (600, 600, 560.0),
    (667, 375, 420.0),
    (700, 520, 400.0),
    (768, 1024, 740.0),
    (844, 390, 575.0),
    (820, 1180, 790.0),
    (860, 650, 490.0),
    (900, 510, 660.0),
    (960, 501, 700.0),
    (1000, 800, 600.0),
    (1024, 600, 650.0),
    (1280, 700, 840.0),
    (1366, 657, 920.0),
    (1440, 900, 990.0),
    (1920, 950, 1100.0),
    (1920, 1200, 1250.0),
];

/// Board and column, where one stands beside it.
const PLACES: &str = "$seen('.beside .board, .beside .side').map((one) => one.getBoundingClientRect()) \
    .flatMap(({ x, y, width, height }) => [x, y, width, height]).map(Math.round)";

/// The buttons that stand out.
const PRIMARY: &str = "[...new Set($seen('main .primary:not(header *)').map((one) => one.textContent))]";

/// In all states and windows the whole board is in sight, and what the state is for can be pressed without scrolling, and is one thing. With
/// larger text, too; all else can be reached. Where a column stands beside the board, both stay where they are.
#[test]
fn every_state_fits_every_window() {
    let (server, mut page) = opened_file("1. d3-e3A c3-d3A 2. b2-c3A f4-e3A-f3A *");
    page.value(FAULTS);
    page.fold();
    let mut places: BTreeMap<(u32, u32), Value> = BTreeMap::new();
    let mut wrong = Vec::new();
    let (mut turn, mut round) = (0, 0);
    let mut check = |page: &mut Page, state: &str, next: &str| {
        page.wait_for("app.node.known && app.view.board.rest === 0");
        assert_eq!(page.value(&format!("{PRIMARY}.join()")), next, "{state}");
        for text in [16, 20, 24, 32] {
            page.call("Page.setFontSizes", json!({ "fontSizes": { "standard": text } }));
            round += 1;
            for (place, (width, height, least)) in SIZES.into_iter().enumerate() {
                // Large text has each window in every third state, and none that is less than 11 em wide.
                turn += 1;
                if text > 16 && ((place + round) % 3 != 0 || width < 11 * text) {
                    continue;
                }
                page.resize(width, height);
                page.wait_for(&format!("innerWidth === {width} && innerHeight === {height}"));
                let (across, down) = (width * 16 / text, height * 16 / text);
                let is_strict = across.min(down) >= 320 && across.max(down) >= 480;
                let found = page.value(&format!(
                    "language = {}; app.view.redraw(); new Promise((seen) => requestAnimationFrame(() => setTimeout(seen))).then(() => \
                     [faults({is_strict}), {PLACES}, $box('.board').width, {PRIMARY}.length, app.tree.rows * app.tree.columns])",
                    turn / 3 % 3
                ));
                // Of the usual board.
                let before = places.entry((width, height)).or_insert_with(|| found[1].clone());
                let is_usual = text == 16 && found[4] == 45;
                let is_moved = is_usual && *before != found[1];
                let least = if state == "a file" { least } else { 0.6 * least };
                let is_small = is_usual && found[2].as_f64() < Some(least);
                if found[0] != json!([]) || is_moved || is_small || found[3] != next.split_terminator(',').count() {
                    wrong.push(format!("{state}, {width} x {height}, {text}: {found}, expected {next:?} and {before}"));
                }
            }
        }
        page.call("Page.setFontSizes", json!({ "fontSizes": { "standard": 16 } }));
        page.value("language = 0; app.view.redraw()");
        page.resize(1280, 860);
    };
    check(&mut page, "a file", "");
    page.value("app.view.isNew = true, app.view.show()");
    check(&mut page, "a first visit", "Learn the rules in two minutes");
    page.value("app.view.welcomed(true), app.view.show()");
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
    page.value("app.leaveExercise(), Object.assign(app.view.open, { notes: true, typing: true }), app.view.show()");
    check(&mut page, "notes", "");
    page.fold();
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
    page.value("app.hint.text.textContent = 'f1-f2A-g3A-f3W-f4A-e4W: takes 5 stones (f3, h3, g4, h4, f5). It prevents f3-f2A-e2W-e1W-f1A, which would take 8 stones. About as good: f1-f2A-g3A.'");
    check(&mut page, "a long hint", "");
    page.begin_with(
        "tsivy",
        "",
        "{ person: 'w', level: null, isByLink: true, names: { w: 'Ann', b: 'Bea' }, clock: null }",
    );
    page.run_then("app.play('d3-e3A:f3')", "app.node.ply === 1 && !app.view.sendButton.hidden");
    check(&mut page, "a game by link", "Send the move");
    page.resign();
    check(&mut page, "the end of a game by link", "Review");
    page.begin("{ rules: 'tsivy' }");
    page.value("app.view.waiting = ownGames()[0], app.view.redraw()");
    check(&mut page, "a game that waits", "Continue");
    page.begin_with("tsivy", "", "{ person: null, level: null, names: { w: 'Ann', b: 'Bea' }, clock: null }");
    for (ply, word) in (1..).zip(["d3-e3A", "c3-d3A", "b2-c3A", "f4-e3A-f3A"]) {
        page.play(word, ply);
    }
    page.value("app.view.unfold('typing', true)");
    check(&mut page, "a move to be typed", "");
    page.fold();
    for rules in ["dimy", "board=3x9"] {
        page.begin_with(rules, "", "{ person: 'w', level: 0, clock: { base: 300, increment: 3 } }");
        check(&mut page, rules, "");
        page.value("app.view.message.textContent = t('may-go-on', 'c3, d4, b2'), app.view.stopButton.hidden = false");
        check(&mut page, "a chain in hand", "");
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
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
    for (width, height, is_below) in [(1200, 900, true), (1440, 900, true), (1366, 657, false)] {
        page.resize(width, height);
        page.wait_for(&format!("!$('main.below') !== {is_below} && innerWidth === {width}"));
        // What is told stands below a wide board where there is room; moves beside the board alone are as tall.
        let below = "$box('.dock:has(#tab-engine)').top >= $box('.boardrow').bottom && $box('.dock:has(#tab-engine)').right < $box('.side').left";
        assert_eq!(page.value(below), is_below, "{width}");
        page.assert("$box('.dock').bottom <= innerHeight");
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
            "!$('main.upright') === innerWidth * 5 > innerHeight * 3 && !$('main.beside') === innerWidth < 861",
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
    for (width, height, is_room) in [(1920, 1080, true), (1366, 768, true), (1280, 720, true), (1366, 657, false)] {
        page.resize(width, height);
        page.wait_for(&format!(
            "innerWidth === {width} && innerHeight === {height} && document.documentElement.scrollHeight <= {height}"
        ));
        let seen = "$seen('.gone .dot').filter((one) => ((dot, gone) => dot.left >= gone.left - 1 && dot.right <= gone.right + 1 && dot.bottom <= gone.bottom)(one.getBoundingClientRect(), $box('.gone'))).length";
        assert_eq!(page.value(seen), if is_room { 44 } else { 0 }, "{width} x {height}");
    }
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
        "((app) => (stored.set('opponent', 'two'), playDialog(app)))",
        "((app) => (stored.set('opponent', 'link'), playDialog(app)))",
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
