//! How a turn is made: by click, drag and keyboard, step by step.

use serde_json::json;

use crate::browser::Page;
use crate::vato::{Server, moves, open, opened, opened_with};

/// By click and by drag, with the choice of the capture and of the end of a chain.
#[test]
fn a_turn_is_made_step_by_step() {
    let (server, mut page) = opened();
    // Both captures are possible: the board asks, and each is marked on the stones that it takes.
    page.click_point("d3");
    page.click_point("e3");
    page.wait_for("!document.querySelector('.question').hidden");
    assert_eq!(page.value("[...document.querySelectorAll('.letter')].map((l) => l.textContent).sort().join('')"), "AW");
    page.press_button("Withdrawal: takes c3");
    page.wait_for("app.hand.known && app.node.ply === 1");
    assert_eq!(moves(&mut page), "d3-e3W");
    page.click("[aria-label='Back']");
    page.wait_for("app.hand.known && app.node.ply === 0");
    // The same by a click on a stone that would be taken.
    page.drag("d3", "e3", 5);
    page.wait_for("app.hand.choice");
    // The stone stands where it was dropped while that is asked, else where it was.
    let stands = |page: &mut Page| {
        page.value(
            "(() => { const { board } = app.view; const box = board.element.viewBox.baseVal; \
             return ['d3', 'e3'].filter((point) => { const [x, y] = board.shareOf(point); \
             return [...board.element.querySelectorAll('.stone')].some((stone) => { const { e, f } = stone.transform.baseVal[0].matrix; \
             return Math.hypot(e - x * box.width, f - y * box.height) < 1; }); }).join(); })()",
        )
    };
    let glides = "document.querySelector('.board').getAnimations({ subtree: true }).length > 0";
    assert_eq!(stands(&mut page), "e3");
    assert_eq!(page.value(glides), false);
    page.key("Escape");
    assert_eq!(stands(&mut page), "d3");
    assert_eq!(page.value(glides), true);
    for elsewhere in ["point", "page"] {
        page.drag("d3", "e3", 5);
        page.wait_for("app.hand.choice");
        match elsewhere {
            "point" => page.click_point("a5"),
            _ => page.click(".moveshead"),
        }
        assert_eq!(stands(&mut page), "d3");
    }
    // By click it glides there; the captured stones leave from where it is.
    page.click_point("d3");
    page.click_point("e3");
    page.wait_for("app.hand.choice");
    assert_eq!(stands(&mut page), "e3");
    page.click_point("f3");
    page.wait_for("app.hand.known && app.node.ply === 1");
    assert_eq!(moves(&mut page), "d3-e3A");
    page.click("[aria-label='Back']");
    page.wait_for("app.hand.known && app.node.ply === 0");
    page.drag("f2", "e3", 5);
    page.wait_for("app.hand.known && app.node.ply === 1");
    // A chain: the turn may end after its first step, and may go on.
    page.click_point("d5");
    page.click_point("d4");
    page.wait_for("app.hand.turn && !document.querySelector('#stop-here').hidden");
    page.press_button("Stop here");
    page.wait_for("app.hand.known && app.node.ply === 2");
    assert_eq!(moves(&mut page), "f2-e3A d5-d4A");
    page.click("[aria-label='Back']");
    page.wait_for("app.hand.known && app.node.ply === 1");
    page.click_point("d5");
    page.click_point("d4");
    page.wait_for("app.hand.turn");
    page.click_point("c5");
    page.wait_for("app.hand.known && app.node.ply === 2");
    assert_eq!(moves(&mut page), "f2-e3A d5-d4A-c5W");
    // Three first moves, two replies to one of them.
    assert_eq!(page.value("app.tree.root.children.length"), 3);
    assert_eq!(page.value("app.node.parent.children.length"), 2);
    assert!(page.text(".moves").contains("d5-d4A-c5W"));
    // A stone that is put down before the server has answered makes no step.
    page.key("Home");
    page.wait_for("app.hand.known && app.node.ply === 0");
    page.value("void (app.hand.askServer = () => new Promise((tell) => { globalThis.tell = tell; }))");
    page.click_point("f2");
    page.click_point("e3");
    page.key("Escape");
    page.value("tell({ word: 'f2-e3A:d4c5', next: [], may_end: true })");
    assert_eq!(page.value("app.node.ply"), 0);
    page.check(server.origin());
}

/// Who cannot move passes, on both sides of the board and against the engine.
#[test]
fn who_cannot_move_passes() {
    let fen = "8w/9/w1w6/ww7/bww6 w 0 10";
    let (server, mut page) = opened_with(&["--rules", "blocked=pass", "--fen", fen]);
    page.click_point("i5");
    page.click_point("i4");
    page.wait_for("app.hand.known && app.node.ply === 2");
    assert_eq!(moves(&mut page), "i5-i4 pass");
    assert_eq!(page.text(".message"), "The player could not move, and passed");
    page.click("[aria-label='Back']");
    page.wait_for("app.hand.known && app.node.ply === 1");
    // There it can be typed, and no stone can be taken up.
    page.click_point("a1");
    page.wait_for("app.view.message.textContent.includes('type pass')");
    page.key("m");
    page.write("pass");
    page.key("Enter");
    page.wait_for("app.hand.known && app.node.ply === 2");
    // What the engine says there has no arrow.
    page.click("[aria-label='Back']");
    page.wait_for("app.hand.known && app.node.ply === 1");
    page.value("void app.engine.toggle()");
    page.wait_for("app.engine.arrows.length > 0");
    assert_eq!(page.value("app.engine.arrows[0].text"), "pass");
    assert_eq!(page.value("document.querySelectorAll('.arrow').length"), 0);
    page.value("void app.engine.toggle()");
    // Against the engine, which moves then.
    page.value(&format!(
        "void app.begin({{ rules: 'blocked=pass', start: '{}' }}, {{ person: 'b', level: 1, clock: null }})",
        fen.replace(" w ", " b ")
    ));
    page.wait_for("app.hand.known && app.node.ply >= 2");
    assert!(moves(&mut page).starts_with("pass "));
    page.check(server.origin());
}

/// The stone is there, and no mark of the captured one below it.
#[test]
fn a_turn_may_end_on_a_point_that_it_has_emptied() {
    let (server, mut page) = opened_with(&["--fen", "9/7b1/8w/7w1/w7w b 0 2"]);
    page.click_point("h4");
    for point in ["h3", "g3", "h2"] {
        page.click_point(point);
        page.wait_for(&format!("app.node.ply === 1 || app.hand.at === '{point}'"));
    }
    page.wait_for("app.hand.known && app.node.ply === 1");
    assert_eq!(moves(&mut page), "h4-h3A-g3W-h2A");
    let label = page.value("document.querySelector('.board').getAttribute('aria-label')");
    assert_eq!(label, "White to move. Stones: White 1, Black 1");
    let spots = "[...document.querySelectorAll('.spot')].map((s) => s.getAttribute('aria-label'))";
    assert_eq!(page.value(&format!("{spots}.includes('h2, Black')")), true);
    page.wait_for("document.querySelectorAll('.taken').length === 2");
    page.check(server.origin());
}

/// Nothing lies over a point that is lit or that chooses a capture.
#[test]
fn points_that_may_be_clicked_on_are_not_covered() {
    const COVERED: &str = "(() => { const names = [...app.hand.targets, ...Object.keys(app.hand.letters)]; \
        return [...document.querySelectorAll('.spot')].filter((s) => names.includes(s.getAttribute('aria-label').slice(0, 2))).filter((s) => { \
        const b = s.getBoundingClientRect(); return document.elementFromPoint(b.x + b.width / 2, b.y + b.height / 2) !== s; }).length; })()";
    let server = Server::start(&[]);
    for width in [1280, 375] {
        let mut page = Page::open(width, 740);
        open(&mut page, &server);
        page.click_point("d3");
        page.click_point("e3");
        page.wait_for("app.hand.choice");
        assert_eq!(page.value(COVERED), 0, "{width}");
        page.key("Escape");
        page.drag("f2", "e3", 5);
        page.wait_for("app.hand.known && app.node.ply === 1");
        page.click_point("d5");
        page.click_point("d4");
        page.wait_for("app.hand.turn && !document.querySelector('#stop-here').hidden");
        assert_eq!(page.value(COVERED), 0, "{width}");
        page.click_point("c5");
        page.wait_for("app.hand.known && app.node.ply === 2");
        assert_eq!(moves(&mut page), "f2-e3A d5-d4A-c5W");
        page.check(server.origin());
    }
}

/// Of a stone that cannot be taken up, the page says why.
#[test]
fn why_a_stone_cannot_move() {
    let (server, mut page) = opened();
    for (point, why) in [
        ("d5", "The stone on d5 belongs to the other side"),
        ("e3", "There is no stone on e3"),
        ("a1", "You must capture: the stone on a1 cannot"),
    ] {
        page.click_point(point);
        assert_eq!(page.text(".message"), why);
    }
    // Nothing is refused to a stone that is put down while it is dragged.
    page.value("addEventListener('pointermove', () => app.hand.at && app.putDown())");
    page.drag("d3", "c2", 5);
    assert_eq!(page.text(".message"), "");
    page.check(server.origin());
}

/// The engine's reply begins when the turn before it has been seen, also with little time on its clock.
#[test]
fn a_reply_waits_for_the_turn_before_it() {
    let (server, mut page) = opened();
    page.click("#settings");
    page.choose("[aria-label='Animation']", "slow");
    page.key("Escape");
    page.value("app.begin({ rules: 'tsivy' }, { person: 'w', level: 0, clock: { base: 3, increment: 0 } })");
    page.wait_for("app.isPlaying && app.hand.known");
    page.value(
        "{ let seen = 0; (function look() { if (app.view.board.rest > 0) { seen = performance.now(); } requestAnimationFrame(look); })(); \
         const play = app.play.bind(app); \
         app.play = (word, from) => { if (from) { globalThis.gap = app.view.board.rest > 0 ? -1 : performance.now() - seen; } return play(word, from); }; \
         app.play('f2-e3A:d4c5'); }",
    );
    page.wait_for("app.node.ply === 2 && globalThis.gap");
    let gap = page.value("gap").as_f64().expect("a time");
    assert!(gap > 100.0, "{gap}");
    page.check(server.origin());
}

/// In the middle of a turn *Take back* and a hint take back its steps, and nothing before it.
#[test]
fn a_turn_that_has_begun_is_taken_back_first() {
    let (server, mut page) = opened();
    page.value("app.begin({ rules: 'tsivy' }, { person: 'w', level: 0, clock: null })");
    page.wait_for("app.isPlaying && app.hand.known");
    for act in ["app.takeBack()", "void app.hint.press()"] {
        page.click_point("d3");
        page.click_point("e3");
        page.wait_for("app.hand.choice");
        page.value(act);
        assert_eq!(page.value("[app.hand.at, app.node.ply, app.view.question.hidden]"), json!([null, 0, true]));
    }
    page.wait_for("app.hint.text.textContent.startsWith('Move the stone on ')");
    page.check(server.origin());
}

/// Of two lines one goes: neither is crossed out before it is chosen. Who clicks another stone of the same side wants that one, or reads why not.
#[test]
fn another_stone_is_wanted() {
    let (server, mut page) = opened();
    page.click_point("d3");
    assert_eq!(page.value("JSON.stringify([app.hand.from, app.hand.previews.e3])"), "[\"d3\",[]]");
    page.click_point("f2");
    assert_eq!(page.value("JSON.stringify([app.hand.from, app.hand.previews.e3])"), "[\"f2\",[\"d4\",\"c5\"]]");
    page.click_point("a1");
    assert_eq!(page.value("app.hand.from"), serde_json::Value::Null);
    assert_eq!(page.text(".message"), "You must capture: the stone on a1 cannot");
    page.check(server.origin());
}
