//! Moves, games, files.

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
    assert_eq!(
        page.value(
            "[...document.querySelectorAll('.letter')].map((l) => l.textContent).sort().join('')"
        ),
        "AW"
    );
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
    page.value(
        "void (app.hand.askServer = () => new Promise((tell) => { globalThis.tell = tell; }))",
    );
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
    assert_eq!(
        page.text(".message"),
        "The player could not move, and passed"
    );
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
    assert_eq!(label, "White to move. White 1, Black 1 stones");
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

#[test]
fn another_board_is_set_up_at_once_and_all_of_the_dialog_is_seen() {
    let server = Server::start(&["--fen", "9/3b5/2w1b4/9/9 w 3 17"]);
    for (width, height) in [(1280, 800), (375, 700)] {
        let mut page = Page::open(width, height);
        page.goto(&server.url);
        open(&mut page, &server);
        page.press_button("Set up");
        let fen = "document.querySelector('dialog [aria-label=FEN]').value";
        assert_eq!(page.value(fen), "9/3b5/2w1b4/9/9 w 3 17");
        // The counters hold for this position alone.
        page.click_point("a1");
        assert_eq!(page.value(fen), "9/3b5/2w1b4/9/w8 w");
        page.click_point("a1");
        assert_eq!(page.value(fen), "9/3b5/2w1b4/9/9 w 3 17");
        page.value("(() => { const s = document.querySelectorAll('dialog select')[1]; s.value = '5x5'; s.dispatchEvent(new Event('change')); })()");
        page.wait_for("document.querySelectorAll('dialog .spot').length === 25");
        let below = page.value("document.querySelector('dialog [type=submit]').getBoundingClientRect().bottom - innerHeight");
        assert!(below.as_f64() < Some(0.0), "{width}: {below}");
        // What was on the other board is there again, and on this one.
        page.click_point("a1");
        let small = page.value(fen);
        for (size, shown) in [("", "9/3b5/2w1b4/9/9 w 3 17".into()), ("5x5", small)] {
            page.value(&format!("(() => {{ const s = document.querySelectorAll('dialog select')[1]; s.value = '{size}'; s.dispatchEvent(new Event('change')); }})()"));
            page.wait_for(&format!("{fen} === {shown}"));
        }
        page.press_button("Use this position");
        page.wait_for(
            "!document.querySelector('dialog') && app.hand.known && app.tree.columns === 5",
        );
        page.check(server.origin());
    }
}

/// What would be lost is asked about once.
#[test]
fn nothing_is_lost_without_a_question() {
    let (server, mut page) = opened();
    // Names alone are work, too.
    page.press_button("Save");
    page.fill("dialog input", "Rabe");
    page.press_button("Close");
    page.press_button("New");
    page.click("dialog[open] [type=submit]");
    page.wait_for("document.querySelector('dialog .problem').textContent.includes('saved')");
    page.click("dialog[open] [type=submit]");
    page.wait_for("!document.querySelector('dialog') && app.hand.known");
    page.drag("f2", "e3", 5);
    page.wait_for("app.hand.known && app.node.ply === 1");
    page.press_button("New");
    page.click("dialog[open] [type=submit]");
    page.wait_for("document.querySelector('dialog .problem').textContent.includes('saved')");
    page.click("dialog[open] [type=submit]");
    page.wait_for("!document.querySelector('dialog') && app.hand.known && app.node.ply === 0");
    // Nothing to lose.
    page.press_button("New");
    page.click("dialog[open] [type=submit]");
    page.wait_for("!document.querySelector('dialog') && app.hand.known");
    page.drag("f2", "e3", 5);
    page.wait_for("app.hand.known && app.node.ply === 1");
    page.press_button("Delete from here");
    assert_eq!(page.value("app.node.ply"), 1);
    page.press_button("Really delete?");
    page.wait_for("app.node.ply === 0 && app.hand.known");
    page.press_button("Play");
    page.click("dialog[open] [type=submit]");
    page.wait_for("app.isPlaying && app.hand.known");
    page.press_button("Resign");
    assert_eq!(page.value("app.isPlaying"), true);
    page.press_button("Really resign?");
    page.wait_for("!app.isPlaying");
    assert_eq!(page.text(".verdict"), "Vato wins: you resigned");
    // Nobody moves, and the button is the way to the review.
    let gone = "['#hint', '#tab-review'].map((one) => document.querySelector(one).checkVisibility()).join()";
    assert_eq!(page.value(gone), "false,false");
    assert_eq!(page.text(".moves .outcome"), "0-1");
    // With another result it is not said how the game has ended.
    page.press_button("Save");
    for (result, termination, verdict) in [
        ("1/2-1/2", false, "Draw"),
        ("*", false, ""),
        ("0-1", true, "Vato wins: you resigned"),
    ] {
        page.choose("dialog select", result);
        let text = "document.querySelector('dialog textarea').value";
        page.wait_for(&format!("{text}.includes('[Result \"{result}\"]')"));
        let has_termination = page.value(&format!("{text}.includes('Termination')"));
        assert_eq!(has_termination, termination, "{result}");
        assert_eq!(page.text(".verdict"), verdict);
    }
    page.press_button("Close");
    page.check(server.origin());
}

/// Scores and times of engines are in the graph and in the saved game, not among the comments.
#[test]
fn what_engines_noted_is_no_comment() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("game.pgn");
    let text = "1. f2-e3A {+0.35/12 0.84s} d5-d4A-c5W {-0.20/11 1.5s a bold idea} \
                2. e2-e3A-d3W {0.840s} c3-d2A-e3W-f3A {+0.3 is too much} *\n";
    std::fs::write(&path, text).expect("written");
    let (server, mut page) = opened_with(&["--pgn", path.to_str().expect("UTF-8")]);
    let said = "[...document.querySelectorAll('.moves .said')].map((e) => e.textContent).join('|')";
    page.key("End");
    page.wait_for("app.hand.known && app.node.ply > 2");
    let shown = page.value(said);
    assert!(
        shown.as_str().expect("text").starts_with("a bold idea"),
        "{shown}"
    );
    page.key("Home");
    page.key("ArrowRight");
    page.wait_for("app.hand.known && app.node.ply === 1");
    assert_eq!(page.value("app.view.comment.value"), "");
    page.click(".notes textarea");
    page.write("the usual start");
    page.click(".here");
    page.wait_for("app.node.comment !== ''");
    page.press_button("Save");
    page.wait_for("document.querySelector('dialog textarea').value.includes('[Result')");
    let pgn = page.value("document.querySelector('dialog textarea').value.replace(/\\s+/g, ' ')");
    let pgn = pgn.as_str().expect("PGN");
    for comment in [
        "{+0.35/12 0.84s the usual start}",
        "{-0.20/11 1.5s a bold idea}",
        "{0.840s}",
    ] {
        assert!(pgn.contains(comment), "{comment}: {pgn}");
    }
    page.press_button("Close");
    page.check(server.origin());
}

/// A game that has been annotated has the scores of the annotation.
#[test]
fn what_an_annotation_says_is_no_comment() {
    let folder = tempfile::tempdir().expect("a folder");
    let [path, annotated] = ["game.pgn", "annotated.pgn"]
        .map(|name| folder.path().join(name).to_str().expect("UTF-8").to_owned());
    let text =
        "1. f2-e3A {+9.35/12 0.84s} d5-d4A-c5W {-9.20/11 1.5s a bold idea} 2. e2-e3A-d3W *\n";
    std::fs::write(&path, text).expect("written");
    let done = std::process::Command::new(crate::vato::program())
        .args([
            "analyse",
            "--pgn",
            &path,
            "--nodes",
            "300",
            "--pgn-out",
            &annotated,
        ])
        .output();
    assert!(done.expect("the program").status.success());
    let text = std::fs::read_to_string(&annotated).expect("annotated");
    assert_eq!(text.matches(" Vato: ").count(), 2, "{text}");
    let (server, mut page) = opened_with(&["--pgn", &annotated]);
    page.key("End");
    page.wait_for("app.hand.known && app.node.ply === 3");
    assert_eq!(
        page.value("app.tree.line(app.tree.root).slice(1).map(({ comment }) => comment)"),
        serde_json::json!(["", "a bold idea", ""])
    );
    assert_eq!(
        page.value("app.tree.line(app.tree.root).slice(1).every(({ score }) => Math.abs(Number(score.text)) < 9)"),
        true
    );
    // It is saved as it was, also after the page has been loaded anew.
    page.reload();
    page.wait_for("typeof app !== 'undefined' && app.hand.known");
    let moves = |text: &str| {
        let words: Vec<_> = text
            .split_whitespace()
            .skip_while(|word| *word != "1.")
            .collect();
        words.join(" ")
    };
    let saved = page.value("ask('/write', app.tree.data()).then(({ pgn }) => pgn)");
    assert_eq!(moves(saved.as_str().expect("PGN")), moves(&text));
    page.check(server.origin());
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
    page.check(server.origin());
}

/// What follows a game is offered once, the result is said once, and a person who has won is congratulated.
#[test]
fn the_end_of_a_game_is_said_once() {
    let (server, mut page) = opened();
    let offered = "[...document.querySelectorAll('.ended button')].filter((one) => one.checkVisibility()).map((one) => one.textContent + (one.matches('.primary') ? '!' : '')).join()";
    let standing_out =
        "[...document.querySelectorAll('.primary')].filter((one) => one.checkVisibility()).length";
    let rising = "document.querySelector('.board').getAnimations({ subtree: true }).filter(({ effect }) => effect.target.matches('.disc')).length";
    let begin = |page: &mut Page, start: &str| {
        page.value(&format!(
            "app.begin({{ rules: 'tsivy', start: '{start}' }}, {{ person: 'w', level: 0, clock: null }})"
        ));
        page.wait_for("app.isPlaying && app.hand.known");
    };
    for (motion, count) in [("no-preference", 1), ("reduce", 0)] {
        let features = json!([{ "name": "prefers-reduced-motion", "value": motion }]);
        page.call(
            "Emulation.setEmulatedMedia",
            json!({ "features": features }),
        );
        begin(&mut page, "9/3b5/2w6/9/9 w");
        page.click_point("c3");
        page.click_point("b2");
        page.wait_for("!app.isPlaying");
        assert_eq!(page.value(rising), count);
        // What is seen last is the result.
        let is_hidden =
            "getComputedStyle(document.querySelector('.verdict')).visibility === 'hidden'";
        assert_eq!(
            page.value(&format!("{is_hidden} === app.view.board.rest > 0")),
            true
        );
        page.wait_for(&format!("!({is_hidden})"));
        assert_eq!(page.text(".verdict"), "You win: Black has no stones left");
        assert_eq!(page.text(".here"), "");
        assert_eq!(
            page.value(offered),
            "Review!,Rematch,Next: level 1,New game"
        );
        assert_eq!(
            page.value("document.querySelector('#vela-is').hidden"),
            true
        );
        assert_eq!(page.value(standing_out), 1);
    }
    begin(&mut page, "");
    page.value("app.play('f2-e3A:d4c5')");
    page.wait_for("app.node.ply === 2 && app.hand.known");
    page.value("app.opponent.resign()");
    assert_eq!(page.text(".verdict"), "Vato wins: you resigned");
    // Nobody moves, and the button is the way to the review.
    let gone = "['#hint', '#tab-review'].map((one) => document.querySelector(one).checkVisibility()).join()";
    assert_eq!(page.value(gone), "false,false");
    assert_eq!(
        page.value(offered),
        "Review!,Rematch,Ask for the vela,New game"
    );
    assert!(page.text("#vela-is").contains("the loser's revenge"));
    // That is still so elsewhere in the game.
    page.key("Home");
    assert_eq!(
        page.value(offered),
        "Review!,Rematch,Ask for the vela,New game"
    );
    assert_eq!(page.value(standing_out), 1);
    assert_eq!(page.text(".here"), "White to move");
    page.key("End");
    page.press_button("New game");
    page.wait_for("document.querySelector('dialog .levels')");
    page.check(server.origin());
}

/// The engine's reply begins when the turn before it has been seen, also with little time on its clock.
#[test]
fn a_reply_waits_for_the_turn_before_it() {
    let (server, mut page) = opened();
    page.click("#settings");
    page.choose("[aria-label='Animation']", "slow");
    page.key("Escape");
    page.value(
        "app.begin({ rules: 'tsivy' }, { person: 'w', level: 0, clock: { base: 3, increment: 0 } })",
    );
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

/// Variations are not nested deeper than they can be saved: that is told when one would be.
#[test]
fn variations_are_nested_as_deep_as_can_be_saved() {
    let (server, mut page) = opened_with(&["--fen", "b8/9/9/9/8w w"]);
    assert_eq!(page.value("app.start.nesting"), 64);
    page.value("app.start.nesting = 2");
    let play = |page: &mut Page, word: &str, nodes: u32| {
        let before = page.value("app.node.ply");
        page.value(&format!("app.play('{word}')"));
        page.wait_for("app.hand.known");
        assert_eq!(page.value("app.tree.data().nodes.length"), nodes, "{word}");
        assert_eq!(
            page.value("app.node.ply") == before,
            page.text(".message").contains("2 deep")
        );
    };
    play(&mut page, "i1-i2", 1);
    page.key("Home");
    play(&mut page, "i1-h1", 2);
    play(&mut page, "a5-a4", 3);
    page.key("ArrowLeft");
    play(&mut page, "a5-b5", 4);
    play(&mut page, "h1-h2", 5);
    page.key("ArrowLeft");
    play(&mut page, "h1-g1", 5);
    page.wait_for("app.hand.known");
    // One that is there is gone to.
    play(&mut page, "h1-h2", 5);
    // Nor does another main line make one deeper.
    page.value("app.start.nesting = 1");
    page.key("Home");
    page.value("app.go(app.tree.root.children[0]); app.play('a5-a4')");
    page.key("ArrowLeft");
    page.value("app.play('a5-b5')");
    let order = "app.tree.root.children.map(({ turn }) => turn.text).join()";
    page.value("app.go(app.tree.root.children[1]); app.promote()");
    page.wait_for("document.querySelector('.message').textContent.includes('1 deep')");
    assert_eq!(page.value(order), "i1-i2,i1-h1");
    page.check_forgiving(server.origin());
}

/// The result that is shown is the one that is saved.
#[test]
fn a_game_ends_on_the_board() {
    let (server, mut page) = opened_with(&["--fen", "9/3b5/2w6/9/9 w"]);
    page.drag("c3", "b2", 5);
    page.wait_for("app.node.known?.outcome && document.querySelector('.outcome').textContent");
    assert_eq!(
        page.text(".verdict"),
        "White wins: Black has no stones left"
    );
    assert_eq!(page.text(".here"), "");
    assert_eq!(page.text(".outcome"), "1-0");
    page.press_button("Save");
    page.wait_for("document.querySelector('dialog textarea').value.includes('[Result \"1-0\"]')");
    let offered =
        "[...document.querySelectorAll('dialog select')].map((s) => s.value).includes('1-0')";
    assert_eq!(page.value(offered), true);
    page.press_button("Close");
    page.fill("#move", "a1-a2");
    page.key("Enter");
    assert_eq!(page.text(".message"), "The game is over");
    // Nor is the result a given one because it has been kept.
    page.reload();
    page.wait_for("typeof app !== 'undefined' && app.node?.known?.outcome");
    page.press_button("Delete from here");
    page.press_button("Really delete?");
    page.wait_for("app.node.ply === 0");
    assert_eq!(page.value("app.tree.result"), "*");
    // Also if its position has not been looked at since.
    page.value("app.begin({ rules: 'tsivy', start: '3b5/9/2w6/9/9 b' }).then(() => app.playLine(['d5-d4', 'c3-b2W:d4']))");
    page.wait_for("app.tree.result === '1-0'");
    page.key("ArrowLeft");
    page.reload();
    page.wait_for("typeof app !== 'undefined' && app.node?.known && app.node.ply === 1");
    page.press_button("Delete from here");
    page.press_button("Really delete?");
    page.wait_for("app.node.ply === 0");
    assert_eq!(page.value("app.tree.result"), "*");
    // Or if the game is another one now.
    for (moves, result) in [
        ("1. d5-d4 (1. d5-c5) c3-b2W 1-0", "*"),
        ("1. d5-c5 (1. d5-d4 c3-b2W) *", "1-0"),
    ] {
        page.value(&format!(
            "app.read({{ pgn: '[SetUp \"1\"][FEN \"3b5/9/2w6/9/9 b\"] {moves}' }})"
        ));
        page.wait_for("app.tree.root.children.length === 2 && app.hand.known");
        page.value("app.go(app.tree.root.children[1])");
        page.press_button("Promote");
        page.wait_for(&format!(
            "app.view.promoteButton.disabled && app.tree.result === '{result}'"
        ));
        page.wait_for(&format!(
            "document.querySelector('.outcome').textContent === '{}'",
            result.trim_matches('*')
        ));
    }
    // Where nobody can move nobody is told how to.
    page.value("app.begin({ rules: 'tsivy', start: '9/9/2w6/9/9 b' })");
    page.wait_for("app.node.known?.outcome && document.querySelector('.verdict').textContent");
    assert_eq!(page.text(".message"), "");
    page.check(server.origin());
}

/// Moves that lose much are marked in the list and in the graph, and the bar shows what the tables know.
#[test]
fn bad_moves_are_marked_in_a_review() {
    let (server, mut page) = opened_with(&["--fen", "9/7b1/8w/7w1/w7w b 0 2"]);
    assert_eq!(page.text(".bar .text"), "Draw");
    assert!(
        page.text(".table .loss")
            .contains("loses, 1 ply to a capture or the end")
    );
    page.click_point("h4");
    page.click_point("g5");
    page.wait_for("app.node.ply === 1 && app.hand.known");
    assert_eq!(page.text(".bar .text"), "Won");
    assert_eq!(page.text(".bar .other"), "Lost");
    page.value("app.tree.setTag('White', 'Rakoto')");
    page.click("#review");
    page.wait_for("document.querySelectorAll('.graph .blunder').length === 1");
    assert!(page.text(".review table").contains("Rakoto"));
    assert!(page.text(".graph").contains("+3"));
    assert_eq!(page.value("app.node.judged"), "??");
    assert_eq!(page.text(".moves .mark.blunder").trim(), "??");
    page.value("void (globalThis.findLines = () => new Promise(() => {}), app.engine.toggle())");
    // The lines of the engine say it by the same word, and who it is.
    page.value("app.engine.hear({ rank: 1, score: '-TB', chance: 0, turns: 'a1-b2', depth: 1, nodes: 1, speed: 1 })");
    page.wait_for("document.querySelector('.lines .value')?.textContent === 'Won'");
    assert_eq!(
        page.value("document.querySelectorAll('.lines .value .dot.dark').length"),
        1
    );
    page.check(server.origin());
}

/// A game against the engine from the dialog to the record.
#[test]
fn a_whole_game() {
    let (server, mut page) = opened_with(&["--rules", "telo"]);
    page.press_button("Play");
    page.value("document.querySelector('dialog details').open = true");
    page.choose("dialog details select", "0");
    page.value("[...document.querySelectorAll('dialog select')].find((s) => [...s.options].some((o) => o.value === '180+2')).value = '180+2'");
    page.click("dialog[open] [type=submit]");
    page.wait_for("app.isPlaying");
    assert!(page.text(".clock").starts_with("3:0"));
    for _ in 0..200 {
        page.wait_for("!app.isPlaying || (app.opponent.mayMove(app.node) && app.hand.known)");
        if page.value("app.isPlaying") == false {
            break;
        }
        let ply = page.value("app.node.ply").as_u64().expect("a ply");
        let stone =
            page.value("app.hand.known.stones[app.node.ply % app.hand.known.stones.length].from");
        let stone = stone.as_str().expect("a stone").to_owned();
        page.click_point(&stone);
        let target = page.value("app.hand.targets[0]");
        page.click_point(target.as_str().expect("a target"));
        page.wait_for(&format!(
            "app.node.ply > {ply} || app.hand.choice || app.hand.turn"
        ));
        while page.value(&format!("app.node.ply === {ply}")) == true {
            if page.value("!document.querySelector('.question').hidden") == true {
                page.click(".question button");
            } else if let Some(target) = page.value("app.hand.turn && app.hand.targets[0]").as_str()
            {
                page.click_point(target);
            }
        }
    }
    assert_eq!(page.value("app.isPlaying"), false, "{}", moves(&mut page));
    let result = page.value("app.tree.result");
    assert_ne!(result, "*");
    assert_eq!(page.text(".moves .outcome"), result);
    assert!(
        ["You win", "Vato wins", "Draw"]
            .contains(&page.text(".verdict").split(':').next().unwrap_or_default())
    );
    page.press_button("Save");
    page.wait_for("document.querySelector('dialog textarea').value.includes('[Result')");
    let pgn = page.value("document.querySelector('dialog textarea').value");
    let pgn = pgn.as_str().expect("PGN");
    assert!(
        pgn.contains("[White \"You\"]") && pgn.contains("[Variant \"telo\"]"),
        "{pgn}"
    );
    page.press_button("Close");
    page.check(server.origin());
}

#[test]
fn the_engine_is_turned_on_and_off() {
    let (server, mut page) = opened();
    // Without a value there is no bar.
    let bar = "getComputedStyle(document.querySelector('.bar')).visibility";
    assert_eq!(page.value(bar), "hidden");
    page.click("#engine");
    page.wait_for("document.querySelectorAll('.lines li').length === 3");
    page.wait_for("document.querySelectorAll('.board .arrow').length > 0");
    assert!(page.text(".figures").contains("depth"));
    assert_eq!(page.value(bar), "visible");
    // The start is proven.
    assert_eq!(page.text(".bar .text"), "Draw");
    // A move of a line is played, and the search goes on from there.
    page.click(".lines button");
    page.wait_for("app.node.ply === 1 && document.querySelectorAll('.lines li').length === 3");
    // Not by the pointer: moves change under it in the first milliseconds of a search.
    page.value("document.querySelector('.lines button').click()");
    page.wait_for("app.node.ply === 2 && document.querySelectorAll('.lines li').length > 0");
    page.click("#engine");
    page.wait_for("document.querySelectorAll('.lines li').length === 0");
    assert_eq!(
        page.value("document.querySelectorAll('.board .arrow').length"),
        0
    );
    // All moves of a line have their scores in the graph.
    page.click("#review");
    page.wait_for("app.tree.line(app.node).every((node) => node.score) && !document.querySelector('.graph').closest('[hidden]')");
    page.wait_for("document.querySelector('#review').textContent.startsWith('Review')");
    // It goes on, whatever is shown meanwhile.
    page.value("void (globalThis.search = () => new Promise(() => {}))");
    let other = "app.tree.root.children[0].turn.text === 'f2-e3A' ? 'd3-e3A:f3' : 'f2-e3A:d4c5'";
    page.value(&format!("void app.play({other}, app.tree.root)"));
    page.wait_for("app.hand.known");
    page.click("#review");
    assert_eq!(page.text(".review > .row .muted"), "0 / 2");
    page.value("void app.go(app.tree.root.children[0])");
    page.wait_for("app.hand.known");
    assert_eq!(page.text(".review > .row .muted"), "0 / 2");
    page.check(server.origin());
}

/// What the tables know stands beside each move: the only one that draws is found there.
#[test]
fn a_position_is_set_up_and_the_tables_know_it() {
    let (server, mut page) = opened_with(&["--tablebases", "none"]);
    page.press_button("Set up");
    page.press_button("Clear");
    page.click_point("e3");
    page.click_point("a1");
    page.click("dialog input[value=b]");
    page.click_point("i5");
    page.press_button("Use this position");
    page.wait_for("app.node.known?.table && document.querySelectorAll('.table li').length > 3");
    assert_eq!(page.value("app.node.known.fen"), "8b/9/4w4/9/w8 w 0 2");
    let kinds = page.value("[...new Set([...document.querySelectorAll('.table li')].map((li) => li.className))].length");
    assert!(kinds.as_u64() > Some(0));
    page.click(".table button");
    page.wait_for("app.node.ply === 1 && app.hand.known");
    // A position of another size changes the board.
    for (fen, rules) in [("5/2b2/5/2w2/5 w", "dimy"), ("9/3b5/2w6/9/9 w", "tsivy")] {
        page.press_button("Set up");
        page.value("app.tree.isChanged = false");
        page.value(&format!("(() => {{ const f = document.querySelector('dialog [aria-label=FEN]'); f.value = '{fen}'; f.dispatchEvent(new Event('change')); }})()"));
        page.press_button("Use this position");
        page.wait_for(&format!(
            "app.tree.rules === '{rules}' && !document.querySelector('dialog') && app.hand.known"
        ));
    }
    // A wrong position is told, and the dialog stays.
    page.press_button("Set up");
    page.value("app.tree.isChanged = false");
    page.value("(() => { const i = document.querySelector('dialog [aria-label=FEN]'); i.value = '9/9'; })()");
    page.press_button("Use this position");
    page.wait_for("document.querySelector('dialog .problem').textContent !== ''");
    page.press_button("Cancel");
    page.problems
        .retain(|problem| !problem.contains("400 (Bad Request)"));
    page.check(server.origin());
}

/// A position with what is often around it, in both dialogs: the page sees in it what the server does.
#[test]
fn a_position_is_given_in_many_ways() {
    let (server, mut page) = opened_with(&["--fen", "w8/9/9/9/8b b 3 41"]);
    for text in [
        "w8/9/9/9/8b b 3 41 ; an ending",
        "w8/9/9/9/8b b 3 41 bm i1-i2; id \\\"an ending; won\\\";",
        "W8/9/9/9/8B Black - - 3 41",
        "position fen w8/9/9/9/8b_b_3_41",
        "\\\"w8/9/9/9/8b b 3 41\\\"",
        "[FEN \\\"w8/9/9/9/8b b 3 41\\\"]",
    ] {
        for (button, field) in [("Set up", "[aria-label=FEN]"), ("Open", "textarea")] {
            page.value("app.begin({ rules: 'tsivy' })");
            page.press_button(button);
            page.value(&format!(
                "(() => {{ const f = document.querySelector('dialog {field}'); f.value = \"{text}\"; f.dispatchEvent(new Event('change')); }})()"
            ));
            page.value("document.querySelector('dialog [type=submit]').click()");
            page.wait_for("!document.querySelector('dialog') && app.hand.known");
            let fen = page.value("app.node.known.fen");
            assert_eq!(fen, "w8/9/9/9/8b b 3 41", "{button}: {text}");
            page.value("app.tree.isChanged = false");
        }
    }
    page.check(server.origin());
}

/// Digits are read one by one, and nothing is drawn that is larger than a board.
#[test]
fn sizes_are_those_of_boards() {
    let (server, mut page) = opened();
    let large = ["9999999 w", "99999999999/9 w", "1/1/1/1/1/1/1/1/1/w w"];
    for (button, field) in [("Set up", "[aria-label=FEN]"), ("Open", "textarea")] {
        for text in [large[0], large[1], large[2], "w8/54/9/9/8b w"] {
            page.press_button(button);
            page.value(&format!(
                "(() => {{ const f = document.querySelector('dialog {field}'); f.value = '{text}'; f.dispatchEvent(new Event('change')); }})()"
            ));
            let spots = page.value("document.querySelectorAll('dialog .spot').length");
            assert_eq!(spots, if button == "Open" { 0 } else { 45 }, "{text}");
            page.value("document.querySelector('dialog [type=submit]').click()");
            page.wait_for("document.querySelector('dialog .problem')?.textContent !== ''");
            if large.contains(&text) {
                let problem = page.text("dialog .problem");
                assert!(!problem.contains("count value"), "{text}: {problem}");
                page.press_button("Cancel");
            }
            page.wait_for("!document.querySelector('dialog')");
        }
        assert_eq!(page.value("app.tree.start"), "w8/9/9/9/8b w 0 2");
        page.value("app.begin({ rules: 'tsivy' })");
    }
    page.check_forgiving(server.origin());
}

/// Text of a file stays text, whatever it is.
#[test]
fn a_file_is_read_and_nothing_in_it_becomes_markup() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("games.pgn");
    let hostile = "<img src=x onerror=alert(1)></script><script>alert(2)</script>";
    let text = format!(
        "[White \"{hostile}\"]\n[Black \"Second\"]\n\n{{{hostile}}} 1. d3-e3A !? {{{hostile}}} \
         ({{{hostile}}} 1. f2-e3A d5-d4A) 1... c3-d3A *\n\n[White \"Other\"]\n\n1. f2-e3A *\n"
    );
    std::fs::write(&path, &text).expect("written");
    let (server, mut page) = opened_with(&["--pgn", path.to_str().expect("UTF-8")]);
    assert!(page.text(".moves").contains(hostile));
    assert!(
        page.text(".player:last-child .name").contains("<img")
            || page.text("main").contains("<img")
    );
    assert_eq!(
        page.value("document.querySelectorAll('main img, main script').length"),
        0
    );
    page.key("End");
    page.wait_for("app.node.ply === 2 && app.hand.known");
    // Another game of the same text.
    page.press_button("Open");
    let quoted = serde_json::json!(text).to_string();
    page.value(&format!("(() => {{ const t = document.querySelector('dialog textarea'); t.value = {quoted}; t.dispatchEvent(new Event('change')); }})()"));
    page.wait_for("document.querySelectorAll('dialog select option').length === 2");
    page.value("document.querySelector('dialog select').selectedIndex = 1");
    page.value(
        "[...document.querySelectorAll('dialog button')].find((b) => b.type === 'submit').click()",
    );
    page.wait_for("!document.querySelector('dialog') && app.tree.tag('White') === 'Other'");
    assert!(page.text(".movespanel").contains("Game 2 of 2"));
    page.click("[aria-label='Previous game']");
    page.wait_for("app.hand.known && app.tree.tag('White') !== 'Other'");
    page.click("[aria-label='Next game']");
    page.wait_for("app.hand.known && app.tree.tag('White') === 'Other'");
    // Comments and marks are kept when the page is loaded anew.
    page.key("End");
    page.wait_for("app.node.ply === 1 && app.hand.known");
    page.click(".notes textarea");
    page.write("a <b>bold</b> move");
    page.click(".here");
    page.wait_for("app.node.comment !== ''");
    page.reload();
    page.wait_for("typeof app !== 'undefined' && app.hand.known && app.node.ply === 1");
    assert!(page.text(".moves .said").contains("a <b>bold</b> move"));
    page.check(server.origin());
}

/// Another site's page can do nothing, not even with the right address.
#[test]
fn without_the_token_there_is_no_board() {
    let server = Server::start(&[]);
    let mut page = Page::open(1280, 860);
    page.goto(server.origin());
    page.wait_for("document.querySelector('[role=alert]')");
    assert!(page.text("[role=alert]").contains("vato gui"));
    assert!(page.text("[role=alert]").contains("incomplete"));
    page.goto(&server.url);
    page.wait_for("typeof app !== 'undefined' && app.hand.known");
    // Nor where the browser keeps nothing.
    let refuse =
        "Object.defineProperty(window, 'sessionStorage', { get() { throw new Error(); } })";
    page.call(
        "Page.addScriptToEvaluateOnNewDocument",
        serde_json::json!({ "source": refuse }),
    );
    page.reload();
    page.wait_for("document.querySelector('main [role=alert]')");
    assert!(page.text("main [role=alert]").contains("incomplete"));
}

/// Whatever one plays, the reply of the proof comes, and the page says why it does not win.
#[test]
fn the_proof_cannot_be_beaten() {
    let (server, mut page) = opened();
    page.value("document.querySelector('#proof').click()");
    page.wait_for("document.querySelector('dialog[open] select')");
    page.value("document.querySelector('dialog[open] select').value = 'b'");
    page.press_button("Try it");
    let may_move = "app.hand.known && app.opponent?.mayMove(app.node)";
    let mut held = 0;
    for number in 0..300 {
        page.wait_for(&format!("app.opponent?.isOver || ({may_move})"));
        if page.value("app.opponent.isOver") == true {
            break;
        }
        let said = page.text(".proven");
        let by_tables = page.value("Boolean(app.node.known.table)") == true;
        let why = if by_tables {
            "Tables: "
        } else {
            "Proven: Black cannot win"
        };
        assert!(said.starts_with(why), "{said}");
        held += u32::from(!by_tables);
        page.value(&format!(
            "(() => {{ const {{ stones }} = app.hand.known; const {{ from, next }} = stones[{number} % stones.length]; \
             const {{ to, how = '' }} = next[{number} % next.length]; app.play(`${{from}}-${{to}}${{how}}`); }})()"
        ));
    }
    assert!(held > 4, "{held}");
    page.wait_for("document.querySelector('.verdict').textContent");
    assert!(
        !page.text(".verdict").contains("You win"),
        "{}",
        page.text(".verdict")
    );
    page.check(server.origin());
}
