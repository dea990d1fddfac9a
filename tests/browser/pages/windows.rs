//! What fits where: windows of all sizes, and telephones.

use serde_json::json;

use crate::browser::Page;
use crate::looks::GAME;
use crate::vato::{Server, moves, open, opened, opened_with, speak};

#[test]
fn it_fits_a_telephone() {
    let server = Server::start(&[]);
    let mut page = Page::open(375, 740);
    page.call("Emulation.setTouchEmulationEnabled", json!({ "enabled": true }));
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
        let width = page.value(
            "Math.max(document.documentElement.scrollWidth, document.querySelector('dialog')?.scrollWidth ?? 0)",
        );
        assert!(width.as_u64() <= Some(375), "{dialog}: {width}");
        page.value("document.querySelector('dialog[open]')?.close()");
    }
    // Lying down, with long words.
    page.value("app.engine.toggle()");
    page.wait_for("!document.querySelector('dialog')");
    for (width, height) in [(844, 390), (667, 375)] {
        page.resize(width, height);
        for language in ["en", "fr", "mg"] {
            speak(&mut page, language);
            let widest = page.value("Math.max(document.documentElement.scrollWidth, ...[...document.querySelectorAll('header *, .tools *')].map((one) => one.getBoundingClientRect().right))");
            assert!(widest.as_f64() <= Some(f64::from(width)), "{width} {language}: {widest}");
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

/// What a review says of a move is in sight in its panel, in low windows, too.
#[test]
fn what_a_review_says_has_room() {
    let (server, mut page) = opened();
    page.value("['notes', 'typing'].forEach((name) => app.view.unfold(name, false))");
    page.value("app.view.tabs.choose('review')");
    for (width, height) in [(1440, 900), (1366, 650), (1100, 560), (1000, 800)] {
        page.resize(width, height);
        page.value("document.querySelector('.better').hidden = false; document.querySelector('.better').classList.remove('empty')");
        page.value("app.review.reason.textContent = 'A blunder. After this White takes 7 stones and wins by force: d3-…-b2.'; app.review.label.textContent = 'Better, losing 3 stones:'");
        page.wait_for("['.better p', '.better strong'].map((one) => document.querySelector(one).getBoundingClientRect()).every(({ left, bottom }) => document.elementFromPoint(left + 2, bottom - 4)?.closest('.better'))");
    }
    // Notes take no room from the buttons below them, also beside a square board.
    page.resize(1366, 768);
    page.value("app.begin({ rules: 'dimy' }, { person: 'w', level: 0, clock: null })");
    page.wait_for("app.isPlaying && app.hand.known && innerWidth === 1366");
    page.value("app.opponent.resign(); app.view.open.notes = true; app.view.redraw()");
    page.wait_for("document.querySelector('.notes').checkVisibility()");
    let is_inside = "(([side, controls]) => controls.bottom <= side.bottom)(['.side', '.side .controls'].map((one) => document.querySelector(one).getBoundingClientRect()))";
    page.wait_for(is_inside);
    page.check(server.origin());
}

/// A short move is not broken where it is said; a long chain may be.
#[test]
fn a_move_stays_on_its_line() {
    let (server, mut page) = opened();
    page.value("app.view.say('Take a3-b4. After a1-…-b2: d3-e3A-e4W-d4A, not a1-a2A-b2W-c2A-d2W.')");
    let whole = "[...document.querySelectorAll('.message .whole')].map((one) => `${one.textContent} ${getComputedStyle(one).whiteSpace}`).join()";
    assert_eq!(page.value(whole), "a3-b4 nowrap,a1-…-b2 nowrap,d3-e3A-e4W-d4A nowrap");
    page.check(server.origin());
}

/// The board takes the room that there is: on a large screen, and on a telephone lying down or upright.
#[test]
fn the_board_fills_the_window() {
    let server = Server::start(&[]);
    let mut page = Page::open(1920, 1080);
    open(&mut page, &server);
    let size =
        "(() => { const b = document.querySelector('.board').getBoundingClientRect(); return [b.width, b.height]; })()";
    let bottom = "document.querySelector('.board').getBoundingClientRect().bottom";
    assert!(page.value(size)[0].as_f64() >= Some(1200.0));
    page.resize(844, 390);
    // Nine tenths without the scroll bar, which telephones do not have.
    assert!(page.value(size)[1].as_f64() >= Some(0.87 * 390.0));
    assert!(page.value(bottom).as_f64() <= Some(390.0));
    page.resize(1366, 657);
    page.wait_for("document.querySelector('main.framed')");
    assert!(page.value(size)[1].as_f64() >= Some(0.6 * 657.0));
    assert!(page.value(bottom).as_f64() <= Some(657.0));
    page.resize(390, 844);
    page.wait_for("document.querySelector('main.upright:not(.framed)')");
    assert!(page.value(size)[0].as_f64() >= Some(0.85 * 390.0));
    for (width, height) in [(1920, 1080), (1000, 700), (844, 390), (390, 844)] {
        page.resize(width, height);
        // The moves go where they belong a moment later.
        page.wait_for(&format!("document.documentElement.scrollWidth <= {width}"));
    }
    page.check(server.origin());
}

/// What is told of a position stands below a wide board where there is room, in a game the stones that are gone; else it is in the column.
#[test]
fn what_is_told_stands_below_a_wide_board() {
    let (server, mut page) = opened();
    let places = "['.boardrow', '.dock:has(#tab-engine)', '.side'].map((one) => document.querySelector(one).getBoundingClientRect())";
    let is_below = format!(
        "(([board, dock, side]) => dock.top >= board.bottom && dock.right < side.left && dock.bottom <= innerHeight)({places})"
    );
    for (width, height, wanted) in [(1440, 900, true), (1920, 1080, true), (1366, 657, false)] {
        page.resize(width, height);
        assert_eq!(page.value(&is_below), wanted, "{width}");
    }
    page.resize(1440, 900);
    page.value("globalThis.search = () => new Promise(() => {})");
    page.value("app.begin({ rules: 'tsivy' }, { person: 'w', level: 0, clock: null })");
    page.wait_for("app.isPlaying && app.hand.known");
    page.drag("f2", "e3", 5);
    page.wait_for("app.node.ply === 1 && !document.querySelector('.board.moving')");
    let gone = "['.dark', ':not(.dark)'].map((kind) => document.querySelectorAll(`.gone .dot${kind}`).length).join()";
    page.wait_for(&format!("{gone} === '2,0'"));
    assert_eq!(
        page.value(
            "['.gone', '.dock:has(#tab-engine)'].map((one) => document.querySelector(one).checkVisibility()).join()"
        ),
        "true,false"
    );
    page.check(server.origin());
}

/// In a wide window one column stands beside the board, who plays at its ends; board and column stay where they are, whatever is done.
#[test]
fn one_column_stands_beside_the_board() {
    let (server, mut page) = opened();
    page.value("['notes', 'typing'].forEach((name) => app.view.unfold(name, false))");
    let start = "app.begin({ rules: 'tsivy' }, { person: 'w', level: 0, clock: { base: 300, increment: 3 } })";
    // What each begins and ends at, from above.
    let parts = "[...document.querySelectorAll('.side > *')].filter((one) => one.checkVisibility()) \
        .map((one) => one.getBoundingClientRect()).map(({ top, bottom }) => [top, bottom].map(Math.round))";
    let places = "[app.view.board.element, document.querySelector('.side')].map((one) => one.getBoundingClientRect()) \
        .flatMap(({ x, y, right, bottom }) => [x, y, right, bottom].map(Math.round))";
    let names = "[...document.querySelectorAll('.side .name')].map((one) => one.textContent).join()";
    for (width, height) in [(1440, 900), (1920, 1080), (1280, 700), (1000, 800)] {
        page.value(start);
        page.wait_for("app.isPlaying && app.hand.known");
        page.resize(width, height);
        page.wait_for(&format!("innerWidth === {width}"));
        page.wait_for(&format!("{names} === 'Vato, level 0 (Beginner),You'"));
        let list: Vec<[i64; 2]> = serde_json::from_value(page.value(parts)).expect("places");
        assert_eq!(list.len(), 5, "opponent, moves, game, steps, oneself");
        assert!(list.windows(2).all(|two| (two[0][1] - two[1][0]).abs() <= 1));
        let before = page.value(places);
        let number = |at: usize| before[at].as_i64().expect("a number");
        assert!((number(1) - number(5)).abs() <= 2, "{width}: {before}");
        assert!(number(3) <= number(7), "{width}: {before}");
        page.value("app.view.moves.element.prepend(...Array.from({ length: 90 }, () => make('button', {}, 'a1-a2')))");
        assert_eq!(page.value(places), before, "{width}: many moves");
        page.value("app.view.moves.draw(app.tree)");
        // In a narrower window, what follows a game is below the board.
        if width == 1000 {
            continue;
        }
        page.value("app.opponent.resign()");
        page.wait_for("!app.isPlaying");
        assert_eq!(page.value(places), before, "{width}: the end");
        page.value("Puzzles.begin(app)");
        page.wait_for("app.exercise && app.hand.known");
        assert_eq!(page.value(places), before, "{width}: a puzzle");
        page.value("app.leaveExercise()");
        page.wait_for("!app.exercise");
        page.value("app.begin({ rules: 'tsivy' })");
        page.wait_for("!app.opponent && app.hand.known");
        assert_eq!(page.value(places), before, "{width}: no opponent");
    }
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
    // How many stones each has is written on round ones, with a ring in the window.
    let round = "[...document.querySelectorAll('.player .count')].every((one) => { const { width, height, top, bottom } = one.getBoundingClientRect(); return Math.abs(width - height) < 1 && top >= 2 && bottom <= innerHeight - 2; })";
    for (width, height) in [(844, 390), (390, 844)] {
        page.resize(width, height);
        page.wait_for(&format!("innerWidth === {width} && {round}"));
    }
    for (width, height) in [(390, 844), (375, 667), (412, 915)] {
        page.resize(width, height);
        page.wait_for(&format!("innerWidth === {width}"));
        page.wait_for("document.documentElement.scrollHeight <= innerHeight");
        let seen = "['.board', '.count', '.clock', '.moves [aria-current]', '.controls #hint', '#part-game .tool'].map((one) => { \
            const { left, top, right, bottom } = document.querySelector(one).getBoundingClientRect(); return left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight && bottom > top; })";
        assert_eq!(page.value(seen), json!([true, true, true, true, true, true]), "{width}");
    }
    page.check(server.origin());
}

/// An upright board is as large in every state, and what is said and the steps are in the window with it. What is pressed is large enough for a finger.
#[test]
fn an_upright_board_has_one_size() {
    let (server, mut page) = opened();
    page.value("['notes', 'typing'].forEach((name) => app.view.unfold(name, false))");
    let check = |page: &mut Page, state: &str| {
        page.wait_for("app.hand.known && !document.querySelector('.board.moving')");
        for (width, height, least) in [(390, 844, 365.0), (360, 780, 325.0), (320, 640, 245.0)] {
            page.resize(width, height);
            page.wait_for(&format!("innerWidth === {width} && document.querySelector('main.upright')"));
            let size = page.value("document.querySelector('.board').getBoundingClientRect().width");
            assert!(size.as_f64() >= Some(least), "{state}, {width}: {size}");
            let hidden = "[...document.querySelectorAll('.board, .row.hint, .controls button, .asked button')].filter((one) => one.checkVisibility()) \
                .filter((one) => { const b = one.getBoundingClientRect(); return b.top < 0 || b.left < 0 || b.right > innerWidth || b.bottom > innerHeight; }).map((one) => one.className)";
            assert_eq!(page.value(hidden), json!([]), "{state}, {width}");
            let small = "[...document.querySelectorAll('.controls button, .question button, #stop-here, .what button, header button')].filter((one) => one.checkVisibility()) \
                .filter((one) => one.getBoundingClientRect().height < 44).map((one) => one.textContent)";
            assert_eq!(page.value(small), json!([]), "{state}, {width}");
        }
    };
    check(&mut page, "a free board");
    page.value("app.begin({ rules: 'tsivy' }, { person: 'w', level: 0, clock: { base: 300, increment: 3 } })");
    page.wait_for("app.isPlaying && app.hand.known");
    check(&mut page, "a game");
    let covered = "[...document.querySelectorAll('.clock')].some((one) => one.getBoundingClientRect().right > (one.closest('.player').nextElementSibling?.getBoundingClientRect().left ?? innerWidth))";
    assert_eq!(page.value(covered), false);
    page.value("['d3', 'e3'].forEach((point) => app.hand.pick(point))");
    page.wait_for("!document.querySelector('.question').hidden");
    check(&mut page, "a choice");
    page.value("void app.play('d3-e3A:f3')");
    page.wait_for("app.node.ply === 2 && app.hand.known");
    page.value("app.opponent.resign()");
    page.wait_for("!app.isPlaying");
    check(&mut page, "the end");
    page.value("void app.review.start()");
    page.wait_for("app.tree.review && !app.review.isRunning");
    check(&mut page, "a review");
    // Its graph is in sight, and no tab is cut.
    for (width, height) in [(320, 640), (390, 844)] {
        page.resize(width, height);
        let places = "['.strip', '[role=tab]'].map((one) => document.querySelector(one).getBoundingClientRect()).map(({ right, top, bottom, height }) => [right <= innerWidth, top >= innerHeight, bottom <= innerHeight, height > 35])";
        page.wait_for(&format!("JSON.stringify({places}) === '[[true,false,true,true],[true,true,false,true]]'"));
    }
    page.value("app.engine.toggle()");
    check(&mut page, "an analysis");
    page.value("app.engine.turnOff(); Puzzles.begin(app)");
    page.wait_for("app.exercise");
    check(&mut page, "a puzzle");
    page.value("app.exercise.solution()");
    page.wait_for("app.exercise.isOver");
    check(&mut page, "its answer");
    page.check(server.origin());
}

/// On a telephone the board stands upright: moves by tap, drag and keyboard go where they are seen to go.
#[test]
fn the_board_stands_upright() {
    let server = Server::start(&[]);
    let mut page = Page::open(390, 844);
    open(&mut page, &server);
    let size =
        "(() => { const b = document.querySelector('.board').getBoundingClientRect(); return [b.width, b.height]; })()";
    let filled = page.value(size);
    assert!(filled[1].as_f64() >= Some(0.65 * 844.0), "{filled}");
    // White is on the left, a above, and so are the coordinates.
    let place = |page: &mut Page, point: &str| page.point(point);
    let [a1, a5, i1] = ["a1", "a5", "i1"].map(|point| place(&mut page, point));
    assert!(a1[0] < a5[0] && a1[1] < i1[1], "{a1:?} {a5:?} {i1:?}");
    let written = "[...document.querySelectorAll('.coordinate')].map((one) => one.textContent).join('')";
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
    for (key, point) in [("ArrowDown", "d3"), ("ArrowRight", "d4"), ("ArrowUp", "c4"), ("ArrowLeft", "c3")] {
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
        page.wait_for(
            "!document.querySelector('main.framed') === innerWidth * 20 < innerHeight * 31 && !document.querySelector('main.below') === innerHeight < 780",
        );
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
        page.wait_for("app.view.tabs.current === 'review' && document.activeElement.id === 'tab-review'");
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
    page.wait_for("!document.querySelector('dialog') && app.isFlipped === (app.exercise.person === 'w')");
    page.check(server.origin());
}

/// What a state is for can be pressed without scrolling, in all windows: after a game, after its review, after a puzzle; and once.
#[test]
fn what_is_next_is_in_sight() {
    let (server, mut page) = opened();
    let next = "[...document.querySelectorAll('main .primary')].filter((one) => one.checkVisibility()).map((one) => { \
        const { left, top, right, bottom } = one.getBoundingClientRect(); \
        return [top + 4, bottom - 4].every((y) => one.contains(document.elementFromPoint((left + right) / 2, y))) ? one.textContent : `${one.textContent}, hidden`; }).join()";
    let sizes = [(390, 664), (390, 844), (844, 390), (1024, 768), (1440, 900), (1920, 1080)];
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
    page.wait_for("innerWidth === 390 && document.querySelector('.controls .next').checkVisibility()");
    page.value("document.querySelector('.controls .next').click()");
    page.wait_for("app.tree.review && !app.review.isRunning");
    check(&mut page, "Learn from 1 move");
    page.resize(844, 390);
    page.wait_for("innerWidth === 844 && document.querySelector('.controls .next').checkVisibility()");
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
    for (width, height) in [(390, 664), (390, 844), (844, 390), (1024, 768), (1440, 900), (1920, 1080)] {
        page.resize(width, height);
        page.wait_for(&format!("innerWidth === {width} && innerHeight === {height}"));
        page.wait_for("!document.querySelector('main.upright') === innerWidth * 5 > innerHeight * 3");
        page.wait_for("!document.querySelector('main.framed') === innerWidth < 861");
        page.value("app.hint.text.textContent = ''");
        let before = page.value(places);
        page.value(
            "app.hint.text.textContent = 'f1-f2A-g3A-f3W-f4A-e4W: takes 5 stones (f3, h3, g4, h4, f5). It prevents f3-f2A-e2W-e1W-f1A, \
             which would take 8 stones (f1, g1, h1, i1, g2, h2, i2, e3). About as good: f1-f2A-g3A.'",
        );
        assert_eq!(page.value(places), before, "{width} x {height}");
        assert!(width == 844 || page.value(covered) == false, "{width} x {height}");
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
    assert_eq!(page.value("document.querySelector('#tab-moves').checkVisibility()"), false);
    page.check(server.origin());
}

/// In a low window all of a game stands beside the board, a move as text, too; what follows it is in sight, whatever was seen before.
#[test]
fn a_low_window_has_room_for_a_game() {
    let (server, mut page) = opened();
    page.value("animation = 'off', app.view.tabs.choose('engine')");
    let hidden = "[...document.querySelectorAll('.board, .controls button, #part-game button, .typed *, header button')].filter((one) => one.checkVisibility()) \
        .filter((one) => { const b = one.getBoundingClientRect(); return b.top < 0 || b.left < 0 || b.right > innerWidth || b.bottom > innerHeight; }).map((one) => one.textContent)";
    for rules in ["dimy", "board=3x9", "tsivy"] {
        page.value(&format!("app.begin({{ rules: '{rules}' }}, {{ person: 'w', level: 0, clock: null }})"));
        page.wait_for("app.isPlaying && app.hand.known");
        page.value(
            "void (({ from, next: [{ to, how = '' }] }) => app.play(`${from}-${to}${how}`))(app.hand.known.stones[0])",
        );
        page.wait_for("app.node.ply >= 1 && app.opponent.mayMove(app.node) && app.hand.known");
        for (width, height) in [(844, 390), (667, 375), (600, 450), (568, 320), (480, 320)] {
            page.resize(width, height);
            page.wait_for("document.querySelector('.playing .movespanel')");
            assert_eq!(page.value(hidden), json!([]), "{rules} {width}");
            let sizes = page.value(
                "['.board', '.moves button'].map((one) => document.querySelector(one).getBoundingClientRect().width)",
            );
            let size = |at: usize| sizes[at].as_f64().expect("a size");
            let least = match rules {
                "tsivy" => 250.0,
                "dimy" => 180.0,
                _ => 90.0,
            };
            assert!(size(0) > least && size(1) > 60.0, "{rules} {width}: {sizes}");
        }
    }
    // A tablet that is held upright, and a narrow board in a window: a chain in hand moves nothing.
    let stop = "app.view.message.textContent = t('may-go-on', 'c3, d4, b2'), app.view.stopButton.hidden = false";
    page.call(
        "Emulation.setTouchEmulationEnabled",
        json!({ "enabled": true }),
    );
    for (rules, width, height) in [
        ("dimy", 768, 1024),
        ("board=3x9", 820, 1180),
        ("board=3x9", 1024, 768),
    ] {
        page.value(&format!("app.begin({{ rules: '{rules}' }}, {{ person: 'w', level: 0, clock: {{ base: 300, increment: 3 }} }})"));
        page.wait_for("app.isPlaying && app.hand.known");
        page.resize(width, height);
        for state in ["'plain'", stop] {
            page.value(state);
            page.wait_for(&format!(
                "innerWidth === {width} && document.documentElement.scrollHeight <= {height}"
            ));
            assert_eq!(page.value(hidden), json!([]), "{rules} {width} {state}");
        }
    }
    page.call(
        "Emulation.setTouchEmulationEnabled",
        json!({ "enabled": false }),
    );
    page.value("app.begin({ rules: 'tsivy' }, { person: 'w', level: 0, clock: null })");
    page.wait_for("app.isPlaying && app.hand.known");
    page.value("app.opponent.resign()");
    page.wait_for("!app.isPlaying");
    for (width, height) in [(1024, 768), (1280, 900)] {
        page.resize(width, height);
        page.wait_for("[...document.querySelectorAll('button')].some((one) => one.textContent === 'Rematch' && one.checkVisibility())");
    }
    page.check(server.origin());
}

/// No word of a language is too long for a telephone: the header is a row, names of levels and fields have their room, and *Close* covers nothing.
/// In a game a move can be typed from the first one on, and the steps have their room beside what is asked.
#[test]
fn long_words_have_room() {
    let (server, mut page) = opened();
    let wide = "[...document.querySelectorAll('dialog .levels label, dialog .stones label, dialog .field > span')].filter((one) => one.checkVisibility()).filter((one) => { \
        const [text, { left, right }] = [document.createRange(), one.getBoundingClientRect()]; \
        text.selectNodeContents(one.lastChild.nodeType === 3 ? one.lastChild : [...one.childNodes].find(({ nodeType }) => nodeType === 3)); \
        const [edge, { left: first, right: last }] = [one.matches('label') ? 1.5 : 0, text.getBoundingClientRect()]; \
        return first < left + edge || last > right - edge; }).map((one) => one.textContent)";
    let steps = "document.documentElement.scrollWidth <= innerWidth && ['.back', '.forward'].every((one) => document.querySelector(`.controls ${one}`).getBoundingClientRect().width >= 20)";
    for code in ["fr", "mg", "en"] {
        page.resize(1280, 860);
        speak(&mut page, code);
        for (width, height) in [(320, 568), (360, 640), (667, 375), (844, 390)] {
            page.resize(width, height);
            let rows = "new Set([...document.querySelectorAll('header button')].filter((one) => one.checkVisibility()).map((one) => one.getBoundingClientRect().top)).size";
            assert_eq!(page.value(rows), 1, "{code} {width}");
            for dialog in ["playDialog", "settingsDialog", "newGameDialog"] {
                page.value(&format!("void {dialog}(app)"));
                assert_eq!(page.value(wide), json!([]), "{code} {width} {dialog}");
                page.value("document.querySelector('dialog').close()");
                page.wait_for("!document.querySelector('dialog')");
            }
            page.value("void rulesDialog(app)");
            page.wait_for("document.querySelector('dialog .rulebook nav')");
            let covered = "(([one, other]) => one.right > other.left && one.bottom > other.top && one.top < other.bottom)(['.rulebook nav button:last-child', '.rulebook ~ .row.end button'].map((one) => document.querySelector(one).getBoundingClientRect()))";
            assert_eq!(page.value(covered), false, "{code} {width}");
            page.value("document.querySelector('dialog').close()");
            page.wait_for("!document.querySelector('dialog')");
        }
        page.resize(320, 568);
        page.value("app.begin({ rules: 'tsivy' }, { person: 'w', level: 0, clock: null })");
        page.wait_for("app.isPlaying && app.hand.known && innerWidth === 320");
        page.value("app.view.unfold('typing', true)");
        page.wait_for(&format!("{steps} && document.querySelector('.typed').getBoundingClientRect().left >= document.querySelector('.here').getBoundingClientRect().right"));
        page.value("void app.play('f2-e3A:d4c5')");
        page.wait_for("app.node.ply === 2 && app.hand.known");
        page.value("document.querySelector('#part-game button:last-of-type').click()");
        page.wait_for(&format!("document.querySelector('[data-asking]') && {steps}"));
    }
    page.check(server.origin());
}

/// What is to be learnt of a review can be pressed in small windows, in all languages, and so can what belongs to an exercise.
#[test]
fn what_is_to_be_learnt_has_room() {
    let (server, mut page) = opened();
    page.value("app.read({ pgn: '1. d3-e3A c3-d3A 2. b2-c3A f4-e3A-f3A *' })");
    page.wait_for("app.tree.root.children.length > 0 && app.hand.known");
    page.value("void app.review.start()");
    page.wait_for("app.tree.review && !app.review.isRunning");
    let cut = "[...document.querySelectorAll('.dock .learn button')].filter((one) => one.checkVisibility() \
        && one.getBoundingClientRect().right > one.closest('.dock').getBoundingClientRect().right).map((one) => one.textContent)";
    let below = "[...document.querySelectorAll('.asked button')].filter((one) => one.checkVisibility() && one.getBoundingClientRect().bottom > innerHeight).map((one) => one.textContent)";
    for (is_task, state) in [(false, "null"), (true, "Mistakes.begin(app, app.tree.review.line, 'w')")] {
        page.value(state);
        page.wait_for(&format!("Boolean(app.exercise) === {is_task} && app.hand.known"));
        for code in ["fr", "mg", "en"] {
            page.resize(1280, 860);
            speak(&mut page, code);
            for (width, height) in [(320, 568), (320, 640), (667, 375), (844, 390)] {
                page.resize(width, height);
                page.wait_for(&format!("innerWidth === {width}"));
                assert_eq!(page.value(cut), json!([]), "{code} {width}");
                assert_eq!(page.value(below), json!([]), "{code} {width} {height}");
            }
        }
    }
    page.check(server.origin());
}
