//! The rules to try, collections to explore, names of openings, and what is proven.

use std::fs;

use serde_json::json;

use crate::browser::Page;
use crate::vato::{Server, open, opened, opened_with, site};

const SAID: &str = "$('.rulebook .message').textContent";

const READY: &str = "$('.rulebook [aria-busy=false] .board')";

/// Clicks points of the rules' board, and waits until this is said.
fn try_out(page: &mut Page, points: &str, said: &str) {
    page.wait_for(READY);
    for point in points.split(' ') {
        page.click_point(point);
    }
    page.wait_for(&format!("{SAID}.includes({said:?})"));
}

/// On a telephone: every task can be done, and what is wrong is refused in words.
#[test]
fn the_rules_are_learned_by_trying() {
    let server = Server::start(&[]);
    let mut page = Page::open(390, 844);
    open(&mut page, &server);
    page.click("#rules");
    for width in [320, 375, 390] {
        page.resize(width, 844);
        let least = "Math.min(...$$('.rulebook nav [title^=\"1\"], .rulebook nav [title^=\"5\"]').map((one) => one.getBoundingClientRect().width))";
        assert!(page.value(least).as_f64() >= Some(28.0), "{width}");
    }
    let tasks: [&[(&str, &str)]; 10] = [
        &[
            ("b3 c4", "The step from b3 to c4 does not go along a line to an adjacent point"),
            ("a1", "The stone cannot go to a1"),
            ("b4", "That step was straight. The task: step along a diagonal."),
            ("d4 c3", "✓ Well done! Strong points have diagonals"),
        ],
        &[
            ("a2 a3", "A capture exists, so the turn must capture"),
            ("f1 f2", "That took f3 by approach. The task: take c2, d2 and e2 by approach."),
            ("a2 b2", "✓ Well done! That took c2, d2, e2 by approach. One step takes a whole line."),
        ],
        &[
            ("d2 d3", "That took d1 by withdrawal. The task: take a2, b2 and c2 by withdrawal."),
            ("d2 e2", "✓ Well done! That took a2, b2, c2 by withdrawal."),
        ],
        &[
            ("c2 d2", "Approach: takes e2; Withdrawal: takes a2, b2"),
            ("e2", "That took e2 by approach. The task: take two stones"),
            ("c2 d2", "Approach: takes e2; Withdrawal: takes a2, b2"),
            ("b2", "✓ Well done!"),
        ],
        &[
            ("d2 c3", "Go on to b3, d4"),
            ("b4", "Goes in the direction of the step before"),
            ("d2", "The stone was on d2 before in this turn"),
            ("c3", "That took b4 by approach. The task: take all four"),
            ("d2 c3", "Go on to b3, d4"),
            ("b3", "Go on to b4"),
            ("b4", "✓ Well done! That took b2, d3, e3, b4."),
        ],
        &[
            ("b4", "The stone on b4 belongs to the other side"),
            ("c3", "You must capture: the stone on c3 cannot"),
            ("d4 c4", "✓ Well done!"),
        ],
        &[("b3 b4", "Now Black can capture."), ("b3 b2", "✓ Well done! You took nothing")],
        &[("e2 d2", "Go on to c3"), ("c3", "White wins: Black has no stones left")],
        &[("a4 a5", "That took nothing, which a vela allows."), ("a4 b4", "✓ Well done! That took c4 by approach.")],
        &[],
    ];
    for (at, tries) in tasks.iter().enumerate() {
        let number = format!("{}. ", at + 1);
        page.wait_for(&format!("$('.rulebook h3').textContent.startsWith({number:?})"));
        let wide = "[document.documentElement, $('dialog')].some((part) => part.scrollWidth > part.clientWidth)";
        assert_eq!(page.value(wide), false, "{number}");
        for (points, said) in *tries {
            try_out(&mut page, points, said);
        }
        assert_eq!(
            page.value("$$('.rulebook .done').length"),
            // The last page has no task, but what comes next.
            (at + 1).min(9)
        );
        // After the last lesson a game may begin, or other rules are told.
        let offered = page.value("$$('.rulebook .center button').filter((one) => one.checkVisibility()).map((one) => one.textContent).join()");
        match at {
            7 => assert_eq!(offered, "Play,Puzzles,More rules"),
            9 => assert_eq!(offered, "Play,Puzzles"),
            _ => assert_eq!(offered, "Reset,Next rule"),
        }
        page.key("ArrowRight");
    }
    // What is done stays so. All is told in each language.
    page.close_dialog();
    page.reload_board();
    for code in ["fr", "mg", "en"] {
        page.speak(code);
        page.click_then("#rules", "$('.rulebook .board')");
        page.assert(
            "$$('.rulebook .done').every((one) => !one.title.includes('rule-')) && $$('.rulebook .done').length === 9",
        );
        page.assert("!$$('.rulebook nav button').some((one) => { one.click(); return /rule-|undefined|\\{/.test($('dialog').textContent); })");
        page.close_dialog();
    }
    // From page to page the dialog keeps its height; the last one has no board.
    page.click("#rules");
    for (width, height) in [(1280, 860), (844, 390), (390, 844)] {
        page.resize(width, height);
        let heights = "(() => { const high = $('dialog').offsetHeight; return $$('.rulebook nav button').slice(1, -2) \
             .filter((one) => { one.click(); return $('dialog').offsetHeight !== high; }).length; })()";
        assert_eq!(page.value(heights), 0, "{width} x {height}");
    }
    page.check_forgiving(server.origin());
}

/// A task shows an example before, also again, and the stones that it means; a touch of the board ends it.
#[test]
fn a_rule_is_shown_before_it_is_tried() {
    let (server, mut page) = opened();
    page.animate();
    page.click("#rules");
    page.press_then("2", &format!("{SAID} === 'Example: f1-f2A · Approach: takes f3'"));
    // What the task says is of another picture.
    let task = "getComputedStyle($('.rulebook .task')).visibility";
    assert_eq!(page.value(task), "hidden");
    let rings = "$$('.rulebook .cross:not(.under)').length";
    assert_eq!(page.value(rings), 0);
    page.click_point("a2");
    page.wait_for(&format!("{SAID}.startsWith('a2 selected')"));
    assert_eq!(page.value(task), "visible");
    page.key_then("Escape", &format!("{rings} === 3"));
    page.press_then("Example", &format!("{SAID}.startsWith('Example')"));
    // It ends by itself.
    page.wait_for(&format!("{SAID} === '' && {rings} === 3"));
    // None that would give the task away.
    page.press_then("6", "$$('.rulebook .movable').length === 5");
    page.assert("$button('Example').hidden");
    // On telephones there are ways to the next page, and a board that is as high as a window that is low.
    page.resize(390, 844);
    page.click_then(".rulebook [title='Previous rule']", "$('.rulebook h3').textContent.startsWith('5.')");
    page.resize(844, 390);
    page.wait_for("$box('.rulebook .board').height > 290 && $('dialog').scrollHeight <= $('dialog').clientHeight");
    page.check(server.origin());
}

/// By keyboard alone: the stone, its choice, the end of the turn, and Esc, which closes the dialog only if no stone is in hand.
#[test]
fn the_rules_are_tried_by_keyboard() {
    let (server, mut page) = opened();
    page.value("$('#rules').focus()");
    page.key_then("Enter", "$('.rulebook')");
    page.value("$$('.rulebook nav button')[4].focus()");
    page.key_then("Enter", "$('.rulebook h3').textContent.startsWith('4')");
    let focus = |page: &mut Page, point: &str| {
        page.value(&format!(
            "$$('dialog .spot').find((one) => one.getAttribute('aria-label').startsWith({point:?})).focus()"
        ));
    };
    page.wait_for(READY);
    focus(&mut page, "c2");
    page.key("Enter");
    page.key("Escape");
    assert_eq!(page.value(SAID), "");
    page.key("Enter");
    page.key("ArrowRight");
    page.key_then("Enter", &format!("{SAID}.startsWith('Approach')"));
    page.key_then("w", &format!("{SAID}.startsWith('✓')"));
    page.assert("$('dialog').contains(document.activeElement)");
    // The server goes and comes.
    server.signal("STOP");
    page.value("server.patience = 300");
    page.key_then("Escape", "!$('dialog')");
    server.signal("CONT");
    page.wait_for("!server.trouble");
    page.assert_moves("");
    page.check_forgiving(server.origin());
}

/// A turn counts for its page, also when another one is open, or the server away, before it is judged.
#[test]
fn what_was_tried_is_judged_later() {
    let (server, mut page) = opened();
    let away = "void (globalThis.fetch = () => Promise.reject(new TypeError('away')))";
    let back = "void (globalThis.fetch = fetched)";
    let gone = format!("{SAID}.startsWith('Vato has stopped')");
    page.value("globalThis.fetched = fetch; null");
    page.value(away);
    page.click_then("#rules", &gone);
    page.run_then(back, &format!("{READY} && {SAID} === ''"));
    page.press_then("7", READY);
    page.value(away);
    page.click_point("b3");
    page.click_point("b2");
    page.wait_for(&gone);
    page.run_then(back, &format!("{SAID}.startsWith('✓ Well')"));
    page.press_then("9", READY);
    page.click_point("a4");
    page.value("void (globalThis.fetch = async (...all) => { await new Promise((done) => { globalThis.answer = done; }); return fetched(...all); })");
    page.click_point("b4");
    page.wait_for("globalThis.answer");
    page.value(back);
    page.key("ArrowRight");
    page.run_then("answer()", "$$('.rulebook .done').map((one) => one.textContent).join() === '7,9'");
    page.check_forgiving(server.origin());
}

#[test]
fn collections_are_explored() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("games.pgn");
    let games = "1. f2-e3A d5-d4A 1-0\n\n1. f2-e3A d5-d4A 0-1\n\n1. f2-e3A d5-d4A-c5W 0-1\n\n1. d3-e3W 1/2-1/2\n";
    fs::write(&path, games).expect("written");
    let path = path.to_str().expect("UTF-8");
    let (server, mut page) = opened_with(&["--games", path]);
    page.click("#tab-explorer");
    let rows =
        "$$('#part-explorer tbody tr').map((row) => [...row.children].map((cell) => cell.textContent).join('|'))";
    let shown = |page: &mut Page, wanted: serde_json::Value| {
        page.wait_for(&format!("JSON.stringify({rows}) === {:?}", wanted.to_string()));
    };
    shown(&mut page, json!(["f2-e3A|3|1 · 0 · 2|", "d3-e3W|1|0 · 1 · 0|"]));
    // By keyboard the focus stays in the table as long as there is a row.
    page.value("$('#part-explorer tbody button').focus()");
    page.key("Enter");
    shown(&mut page, json!(["d5-d4A|2|1 · 0 · 1|", "d5-d4A-c5W|1|0 · 0 · 1|"]));
    page.assert_moves("f2-e3A");
    page.assert("document.activeElement.textContent === 'd5-d4A'");
    page.key("Enter");
    shown(&mut page, json!([]));
    page.assert_moves("f2-e3A d5-d4A");
    page.assert_text("#part-explorer p", "Games with this position: 2");
    // The engine's values, where it has some.
    page.value("app.go(app.tree.root)");
    page.run_then("app.engine.toggle()", &format!("{rows}.some((row) => /[+−][0-9M]/.test(row))"));
    page.value("app.engine.toggle()");
    // It is not asked while it is not seen; its tab is kept.
    page.reload_board();
    page.assert("app.view.tabs.current === 'explorer'");
    page.click("#tab-review");
    page.begin("{ rules: 'dimy' }");
    page.assert("app.node.explored === undefined");
    page.click("#tab-explorer");
    page.wait_text("#part-explorer p", "No game of the collection has this position");
    // In a game it is away.
    page.begin_game();
    page.assert("!$('#part-explorer').checkVisibility()");
    page.check(server.origin());
    // Without one it says what it is, and how there are games.
    let (server, mut page) = opened();
    page.click("#tab-explorer");
    page.wait_text("#part-explorer", "how often each move was played");
    page.assert_text("#part-explorer code", "vato gui --games FILE");
    page.click_then("#part-explorer button", "$('dialog [type=file]')");
    page.key("Escape");
    // A server that is started anew with games has them.
    let port = server.port();
    drop(server);
    let server = Server::start_at(&port, &["--games", path]);
    page.goto(&server.url);
    shown(&mut page, json!(["f2-e3A|3|1 · 0 · 2|", "d3-e3W|1|0 · 1 · 0|"]));
    page.check_forgiving(server.origin());
}

/// By their names, and in words, of the start, its first moves and positions of the tables.
#[test]
fn openings_are_named_and_what_is_proven_is_said() {
    let (server, mut page) = opened();
    let proven = "#part-engine .proven";
    page.wait_for(&format!("$({proven:?})"));
    page.assert_text(proven, "Proven: a draw with best play");
    let firsts = page.value("$texts('#part-engine .table li').sort().join('\\n')");
    let told = "d2-e3AWhite cannot win; whether Black can is open\nd3-e3Aa draw with best play\nd3-e3WWhite cannot win; whether Black can is open\n\
                e2-e3AWhite cannot win; whether Black can is open\nf2-e3Aa draw with best play";
    assert_eq!(firsts, told);
    page.assert_text(".opening", "");
    for (first, name, words) in [
        ("f2-e3A:d4c5", "havanana", "a draw with best play"),
        ("e2-e3A:e4e5", "vakiloha", "White cannot win; whether Black can is open"),
    ] {
        page.value(&format!("app.play({first:?}, app.tree.root)"));
        page.wait_ply(1);
        page.assert_text(".opening", &format!("Opening: {name}"));
        page.assert_text(proven, &format!("Proven: {words}"));
    }
    // The line has a name at its start, too; of what follows the proof knows what it needs.
    page.value("app.go(app.tree.root)");
    page.assert_text(".opening", "Opening: havanana");
    page.value("app.playLine(['f2-e3A:d4c5', 'd5-d4A:d1d2d3'])");
    page.wait_ply(2);
    page.assert_text(".opening", "Opening: havanana");
    // The site loads it when somebody plays against it.
    let said = page.text(proven);
    let is_known = said == "Proven: Black cannot win; whether White can is open";
    assert!(is_known || said.is_empty() && site().is_some(), "{said}");
    for (fen, words) in [
        ("9/9/3b5/9/w7w w 0 2", "Proven: White wins, 7 plies to a capture or the end"),
        ("9/3b5/2w1b4/9/9 w 0 2", "Proven: White wins, 1 ply to a capture or the end"),
    ] {
        page.begin(&format!("{{ rules: 'tsivy', start: {fen:?} }}"));
        page.assert_text(proven, words);
    }
    // Who plays against the proof is told of moves, not of plies.
    for (plies, words) in [(7, "White wins, 4 moves"), (1, "White wins, 1 move to")] {
        let text = page.value(&format!("proofText({{ node: {{ known: {{ table: [{{ outcome: 'win', plies: {plies} }}] }}, ply: 0 }}, opponent: {{ person: 'b' }}, tree: {{ whiteMoves: () => true }} }})"));
        assert!(text.to_string().contains(words), "{text}");
    }
    // While somebody plays nothing is told.
    page.begin_game();
    page.assert_text(proven, "");
    page.check(server.origin());
}
