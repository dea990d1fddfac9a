//! How a turn is made: by click, drag and keyboard, step by step.

use serde_json::json;

use crate::browser::Page;
use crate::vato::{opened, opened_with};

/// Points that are lit or that choose a capture, and over which something lies.
const COVERED: &str = "$$('.spot').filter((spot) => [...app.hand.targets, ...Object.keys(app.hand.letters)].includes(spot.getAttribute('aria-label').slice(0, 2))) \
    .filter((spot) => { const { x, y, width, height } = spot.getBoundingClientRect(); return document.elementFromPoint(x + width / 2, y + height / 2) !== spot; }).length";

/// By click and by drag, with the choice of the capture and of the end of a chain.
#[test]
fn a_turn_is_made_step_by_step() {
    let (server, mut page) = opened();
    page.animate();
    let back = |page: &mut Page, ply: u32| {
        page.click("[aria-label='Back']");
        page.wait_ply(ply);
    };
    // Both captures are possible: the board asks, and each is marked on the stones that it takes.
    page.click_point("d3");
    page.click_point("e3");
    page.wait_for("!$('.question').hidden");
    page.assert("$texts('.letter').sort().join('') === 'AW'");
    page.press_button("Withdrawal: takes c3");
    page.wait_ply(1);
    page.assert_moves("d3-e3W");
    back(&mut page, 0);
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
    let glides = "$('.board').getAnimations({ subtree: true }).length > 0";
    assert_eq!((stands(&mut page), page.value(glides)), ("e3".into(), false.into()));
    page.key("Escape");
    assert_eq!((stands(&mut page), page.value(glides)), ("d3".into(), true.into()));
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
    page.wait_ply(1);
    page.assert_moves("d3-e3A");
    back(&mut page, 0);
    page.drag("f2", "e3", 5);
    page.wait_ply(1);
    // A chain: the turn may end after its first step, and may go on.
    for (end, moves) in [("stop", "f2-e3A d5-d4A"), ("c5", "f2-e3A d5-d4A-c5W")] {
        page.click_point("d5");
        page.click_point("d4");
        page.wait_for("app.hand.turn && !$('#stop-here').hidden");
        match end {
            "stop" => page.press_button("Stop here"),
            point => page.click_point(point),
        }
        page.wait_ply(2);
        page.assert_moves(moves);
        page.wait_text(".moves", &moves[7..]);
        back(&mut page, 1);
    }
    // Three first moves, two replies to one of them.
    page.assert("app.tree.root.children.length === 3 && app.node.children.length === 2");
    // A turn may end on a point that it has emptied: the stone is there, and no mark of the captured one below it.
    page.begin("{ rules: 'tsivy', start: '9/7b1/8w/7w1/w7w b 0 2' }");
    page.click_point("h4");
    for point in ["h3", "g3", "h2"] {
        page.click_point(point);
        page.wait_for(&format!("app.node.ply === 1 || app.hand.at === '{point}'"));
    }
    page.wait_ply(1);
    page.assert_moves("h4-h3A-g3W-h2A");
    assert_eq!(page.value("$('.board').getAttribute('aria-label')"), "White to move. Stones: White 1, Black 1");
    page.assert("$$('.spot').some((spot) => spot.getAttribute('aria-label') === 'h2, Black')");
    page.wait_for("$$('.taken').length === 2");
    // A stone that is put down before the server has answered makes no step.
    page.begin("{ rules: 'tsivy' }");
    page.value("void (app.hand.askServer = () => new Promise((tell) => { globalThis.tell = tell; }))");
    page.click_point("f2");
    page.click_point("e3");
    page.key("Escape");
    page.value("tell({ word: 'f2-e3A:d4c5', next: [], may_end: true })");
    page.assert("app.node.ply === 0");
    page.check(server.origin());
}

/// Nothing lies over a point that may be clicked on; of a stone that cannot be taken up, the page says why. Who clicks another stone
/// of the same side wants that one, or reads why not.
#[test]
fn what_may_be_clicked_on_is_seen() {
    let (server, mut page) = opened();
    for width in [1280, 375] {
        page.resize(width, 740);
        page.begin("{ rules: 'tsivy' }");
        for (point, why) in [
            ("d5", "The stone on d5 belongs to the other side"),
            ("e3", "There is no stone on e3"),
            ("a1", "You must capture: the stone on a1 cannot"),
        ] {
            page.click_point(point);
            page.assert_text(".message", why);
        }
        // Of two lines one goes: neither is crossed out before it is chosen.
        page.click_point("d3");
        assert_eq!(page.value("[app.hand.from, app.hand.previews.e3]"), json!(["d3", []]));
        page.click_point("f2");
        assert_eq!(page.value("[app.hand.from, app.hand.previews.e3]"), json!(["f2", ["d4", "c5"]]));
        page.click_point("a1");
        page.assert("app.hand.from === null");
        page.assert_text(".message", "You must capture: the stone on a1 cannot");
        page.click_point("d3");
        page.click_point("e3");
        page.wait_for("app.hand.choice");
        assert_eq!(page.value(COVERED), 0, "{width}");
        page.key("Escape");
        page.drag("f2", "e3", 5);
        page.wait_ply(1);
        page.click_point("d5");
        page.click_point("d4");
        page.wait_for("app.hand.turn && !$('#stop-here').hidden");
        assert_eq!(page.value(COVERED), 0, "{width}");
        page.click_point("c5");
        page.wait_ply(2);
    }
    // Nothing is refused to a stone that is put down while it is dragged.
    page.key("Home");
    page.wait_ply(0);
    page.value("addEventListener('pointermove', () => app.hand.at && app.putDown())");
    page.drag("d3", "c2", 5);
    page.assert_text(".message", "");
    page.check(server.origin());
}

/// Who cannot move passes, on both sides of the board and against the engine.
#[test]
fn who_cannot_move_passes() {
    let fen = "8w/9/w1w6/ww7/bww6 w 0 10";
    let (server, mut page) = opened_with(&["--rules", "blocked=pass", "--fen", fen]);
    page.click_point("i5");
    page.click_point("i4");
    page.wait_ply(2);
    page.assert_moves("i5-i4 pass");
    page.assert_text(".message", "The player could not move, and passed");
    page.click("[aria-label='Back']");
    page.wait_ply(1);
    // There it can be typed, and no stone can be taken up.
    page.click_point("a1");
    page.wait_text(".message", "type pass");
    page.key("m");
    page.write("pass");
    page.key("Enter");
    page.wait_ply(2);
    // What the engine says there has no arrow.
    page.click("[aria-label='Back']");
    page.wait_ply(1);
    page.run_then("void app.engine.toggle()", "app.engine.arrows.length > 0");
    page.assert("app.engine.arrows[0].text === 'pass' && $$('.arrow').length === 0");
    page.value("void app.engine.toggle()");
    // Against the engine, which moves then.
    let start = fen.replace(" w ", " b ");
    page.value(&format!(
        "app.begin({{ rules: 'blocked=pass', start: '{start}' }}, {{ person: 'b', level: 1, clock: null }})"
    ));
    page.wait_for("app.node.ply >= 2");
    assert!(page.moves().starts_with("pass "));
    page.check(server.origin());
}

/// The engine's reply begins when the turn before it has been seen, also with little time on its clock. In the middle of a turn
/// *Take back* and a hint take back its steps, and nothing before it.
#[test]
fn a_reply_waits_for_the_turn_before_it() {
    let (server, mut page) = opened();
    page.begin_game();
    for act in ["app.takeBack()", "void app.hint.press()"] {
        page.click_point("d3");
        page.click_point("e3");
        page.wait_for("app.hand.choice");
        page.value(act);
        page.assert("app.hand.at === null && app.node.ply === 0 && app.view.question.hidden");
    }
    page.wait_for("app.hint.text.textContent.startsWith('Move the stone on ')");
    page.click("#settings");
    page.choose("[aria-label='Animation']", "slow");
    page.close_dialog();
    page.begin_with("tsivy", "", "{ person: 'w', level: 0, clock: { base: 3, increment: 0 } }");
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
