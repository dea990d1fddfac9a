//! The rules to try, collections to explore, names of openings, and what is proven.

use std::fs;

use serde_json::json;

use crate::browser::Page;
use crate::vato::{Server, moves, open, opened, opened_with, site, speak};

const SAID: &str = "document.querySelector('.rulebook .message').textContent";

const READY: &str = "document.querySelector('.rulebook [aria-busy=false] .board')";

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
        let least = "Math.min(...[...document.querySelectorAll('.rulebook nav [title^=\"1\"], .rulebook nav [title^=\"5\"]')].map((one) => one.getBoundingClientRect().width))";
        assert!(page.value(least).as_f64() >= Some(28.0), "{width}");
    }
    let tasks: [&[(&str, &str)]; 10] = [
        &[
            ("b3 c4", "No line from b3 to its neighbour c4"),
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
        page.wait_for(&format!("document.querySelector('.rulebook h3').textContent.startsWith({number:?})"));
        let wide = "[document.documentElement, document.querySelector('dialog')].some((part) => part.scrollWidth > part.clientWidth)";
        assert_eq!(page.value(wide), false, "{number}");
        for (points, said) in *tries {
            try_out(&mut page, points, said);
        }
        assert_eq!(
            page.value("document.querySelectorAll('.rulebook .done').length"),
            // The last page has no task, but what comes next.
            (at + 1).min(9)
        );
        // After the last lesson a game may begin, or other rules are told.
        let offered = page.value("[...document.querySelectorAll('.rulebook .center button')].filter((one) => one.checkVisibility()).map((one) => one.textContent).join()");
        match at {
            7 => assert_eq!(offered, "Play,Puzzles,More rules"),
            9 => assert_eq!(offered, "Play,Puzzles"),
            _ => assert_eq!(offered, "Reset,Next rule"),
        }
        page.key("ArrowRight");
    }
    // What is done stays so. All is told in each language.
    page.key("Escape");
    page.wait_for("!document.querySelector('dialog')");
    page.reload();
    page.wait_for("typeof app !== 'undefined' && app.hand.known");
    for code in ["fr", "mg", "en"] {
        speak(&mut page, code);
        page.click("#rules");
        let names = "[...document.querySelectorAll('.rulebook .done')].every((one) => !one.title.includes('rule-')) && document.querySelectorAll('.rulebook .done').length";
        page.wait_for("document.querySelector('.rulebook .board')");
        assert_eq!(page.value(names), 9);
        let told = "[...document.querySelectorAll('.rulebook nav button')].some((one) => { one.click(); return /rule-|undefined|\\{/.test(document.querySelector('dialog').textContent); })";
        assert_eq!(page.value(told), false, "{code}");
        page.key("Escape");
        page.wait_for("!document.querySelector('dialog')");
    }
    page.check_forgiving(server.origin());
}

/// A task shows an example before, also again, and the stones that it means; a touch of the board ends it.
#[test]
fn a_rule_is_shown_before_it_is_tried() {
    let (server, mut page) = opened();
    page.click("#rules");
    page.press_button("2");
    page.wait_for(&format!("{SAID} === 'Example: f1-f2A · Approach: takes f3'"));
    // What the task says is of another picture.
    let task = "getComputedStyle(document.querySelector('.rulebook .task')).visibility";
    assert_eq!(page.value(task), "hidden");
    let rings = "document.querySelectorAll('.rulebook .cross:not(.under)').length";
    assert_eq!(page.value(rings), 0);
    page.click_point("a2");
    page.wait_for(&format!("{SAID}.startsWith('a2 selected')"));
    assert_eq!(page.value(task), "visible");
    page.key("Escape");
    page.wait_for(&format!("{rings} === 3"));
    page.press_button("Example");
    page.wait_for(&format!("{SAID}.startsWith('Example')"));
    // It ends by itself.
    page.wait_for(&format!("{SAID} === '' && {rings} === 3"));
    // None that would give the task away.
    page.press_button("6");
    page.wait_for("document.querySelectorAll('.rulebook .movable').length === 5");
    let example =
        "[...document.querySelectorAll('.rulebook button')].find((one) => one.textContent === 'Example').hidden";
    assert_eq!(page.value(example), true);
    // On telephones there are ways to the next page, and a board that is as high as a window that is low.
    page.resize(390, 844);
    page.click(".rulebook [title='Previous rule']");
    page.wait_for("document.querySelector('.rulebook h3').textContent.startsWith('5.')");
    page.resize(844, 390);
    page.wait_for("document.querySelector('.rulebook .board').getBoundingClientRect().height > 290");
    let scrolls = "(({ scrollHeight, clientHeight }) => scrollHeight > clientHeight)(document.querySelector('dialog'))";
    assert_eq!(page.value(scrolls), false);
    page.check(server.origin());
}

/// By keyboard alone: the stone, its choice, the end of the turn, and Esc, which closes the dialog only if no stone is in hand.
#[test]
fn the_rules_are_tried_by_keyboard() {
    let (server, mut page) = opened();
    page.value("document.querySelector('#rules').focus()");
    page.key("Enter");
    page.wait_for("document.querySelector('.rulebook')");
    page.value("document.querySelectorAll('.rulebook nav button')[4].focus()");
    page.key("Enter");
    page.wait_for("document.querySelector('.rulebook h3').textContent.startsWith('4')");
    let focus = |page: &mut Page, point: &str| {
        page.value(&format!(
            "[...document.querySelectorAll('dialog .spot')].find((one) => one.getAttribute('aria-label').startsWith({point:?})).focus()"
        ));
    };
    page.wait_for(READY);
    focus(&mut page, "c2");
    page.key("Enter");
    page.key("Escape");
    assert_eq!(page.value(SAID), "");
    page.key("Enter");
    page.key("ArrowRight");
    page.key("Enter");
    page.wait_for(&format!("{SAID}.startsWith('Approach')"));
    page.key("w");
    page.wait_for(&format!("{SAID}.startsWith('✓')"));
    let inside = "document.querySelector('dialog').contains(document.activeElement)";
    assert_eq!(page.value(inside), true);
    // The server goes and comes.
    server.signal("STOP");
    page.value("server.patience = 300");
    page.key("Escape");
    page.wait_for("!document.querySelector('dialog')");
    server.signal("CONT");
    page.wait_for("!server.trouble");
    assert_eq!(moves(&mut page), "");
    page.check_forgiving(server.origin());
}

/// From page to page the dialog keeps its height; the last one has no board.
#[test]
fn the_pages_of_the_rules_are_equally_high() {
    let (server, mut page) = opened();
    page.click("#rules");
    for (width, height) in [(1280, 860), (844, 390), (390, 844)] {
        page.resize(width, height);
        let heights = "(() => { const high = document.querySelector('dialog').offsetHeight; const all = [...document.querySelectorAll('.rulebook nav button')].slice(1, -2); \
             return all.filter((one) => { one.click(); return document.querySelector('dialog').offsetHeight !== high; }).length; })()";
        assert_eq!(page.value(heights), 0, "{width} x {height}");
    }
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
    page.click("#rules");
    page.wait_for(&gone);
    page.value(back);
    page.wait_for(&format!("{READY} && {SAID} === ''"));
    page.press_button("7");
    page.wait_for(READY);
    page.value(away);
    page.click_point("b3");
    page.click_point("b2");
    page.wait_for(&gone);
    page.value(back);
    page.wait_for(&format!("{SAID}.startsWith('✓ Well')"));
    page.press_button("9");
    page.wait_for(READY);
    page.click_point("a4");
    page.value("void (globalThis.fetch = async (...all) => { await new Promise((done) => { globalThis.answer = done; }); return fetched(...all); })");
    page.click_point("b4");
    page.wait_for("globalThis.answer");
    page.value(back);
    page.key("ArrowRight");
    page.value("answer()");
    page.wait_for("[...document.querySelectorAll('.rulebook .done')].map((one) => one.textContent).join() === '7,9'");
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
    let rows = "[...document.querySelectorAll('#part-explorer tbody tr')].map((row) => [...row.children].map((cell) => cell.textContent).join('|'))";
    let shown = |page: &mut Page, wanted: serde_json::Value| {
        page.wait_for(&format!("JSON.stringify({rows}) === {:?}", wanted.to_string()));
    };
    shown(&mut page, json!(["f2-e3A|3|1 · 0 · 2|", "d3-e3W|1|0 · 1 · 0|"]));
    // By keyboard the focus stays in the table as long as there is a row.
    page.value("document.querySelector('#part-explorer tbody button').focus()");
    page.key("Enter");
    shown(&mut page, json!(["d5-d4A|2|1 · 0 · 1|", "d5-d4A-c5W|1|0 · 0 · 1|"]));
    assert_eq!(moves(&mut page), "f2-e3A");
    assert_eq!(page.value("document.activeElement.textContent"), "d5-d4A");
    page.key("Enter");
    shown(&mut page, json!([]));
    assert_eq!(moves(&mut page), "f2-e3A d5-d4A");
    assert_eq!(page.text("#part-explorer p"), "Games with this position: 2");
    // The engine's values, where it has some.
    page.value("app.go(app.tree.root)");
    page.value("app.engine.toggle()");
    page.wait_for(&format!("{rows}.some((row) => /[+−][0-9M]/.test(row))"));
    page.value("app.engine.toggle()");
    // It is not asked while it is not seen; its tab is kept.
    page.reload();
    page.wait_for("typeof app !== 'undefined' && app.hand.known");
    assert_eq!(page.value("app.view.tabs.current"), "explorer");
    page.click("#tab-review");
    page.value("app.begin({ rules: 'dimy' })");
    page.wait_for("app.hand.known");
    assert_eq!(page.value("app.node.explored"), json!(null));
    page.click("#tab-explorer");
    page.wait_for(
        "document.querySelector('#part-explorer p').textContent === 'No game of the collection has this position'",
    );
    // In a game it is away.
    page.value("globalThis.search = () => new Promise(() => {})");
    page.value("app.begin({ rules: 'tsivy' }, { person: 'w', level: 0, clock: null })");
    assert_eq!(page.value("document.querySelector('#part-explorer').checkVisibility()"), false);
    page.check(server.origin());
    // Without one it says what it is, and how there are games.
    let (server, mut page) = opened();
    page.click("#tab-explorer");
    let told = page.text("#part-explorer");
    assert!(told.contains("how often each move was played"), "{told}");
    assert_eq!(page.text("#part-explorer code"), "vato gui --games FILE");
    page.click("#part-explorer button");
    page.wait_for("document.querySelector('dialog [type=file]')");
    page.key("Escape");
    // A server that is started anew with games has them.
    let port = server.port();
    drop(server);
    let server = Server::start_at(&port, &["--games", path]);
    page.goto(&server.url);
    shown(&mut page, json!(["f2-e3A|3|1 · 0 · 2|", "d3-e3W|1|0 · 1 · 0|"]));
    page.check_forgiving(server.origin());
}

#[test]
fn openings_are_named_and_what_is_proven_is_said() {
    let (server, mut page) = opened();
    let proven = "#part-engine .proven";
    page.wait_for(&format!("document.querySelector({proven:?})"));
    assert_eq!(page.text(proven), "Proven: a draw with best play");
    let firsts = page.value(
        "[...document.querySelectorAll('#part-engine .table li')].map((one) => one.textContent).sort().join('\\n')",
    );
    let told = "d2-e3AWhite cannot win; whether Black can is open\nd3-e3Aa draw with best play\nd3-e3WWhite cannot win; whether Black can is open\n\
                e2-e3AWhite cannot win; whether Black can is open\nf2-e3Aa draw with best play";
    assert_eq!(firsts, told);
    assert_eq!(page.text(".opening"), "");
    for (first, name, is_draw) in [
        ("e2-e3A:e4e5", "vakiloha", false),
        ("f2-e3A:d4c5", "havanana", true),
        ("d2-e3A:f4g5", "havia", false),
        ("d3-e3A:f3", "fohy", true),
        ("d3-e3W:c3", "kobaka", false),
    ] {
        page.value(&format!("app.play({first:?}, app.tree.root)"));
        page.wait_for("app.node.ply === 1 && app.hand.known");
        assert_eq!(page.text(".opening"), format!("Opening: {name}"));
        let words = if is_draw { "a draw with best play" } else { "White cannot win; whether Black can is open" };
        assert_eq!(page.text(proven), format!("Proven: {words}"));
    }
    // The line has a name at its start, too; of what follows the proof knows what it needs.
    page.value("app.go(app.tree.root)");
    assert_eq!(page.text(".opening"), "Opening: vakiloha");
    page.value("app.playLine(['f2-e3A:d4c5', 'd5-d4A:d1d2d3'])");
    page.wait_for("app.node.ply === 2 && app.hand.known");
    assert_eq!(page.text(".opening"), "Opening: havanana");
    // The site loads it when somebody plays against it.
    let said = page.text(proven);
    let is_known = said == "Proven: Black cannot win; whether White can is open";
    assert!(is_known || said.is_empty() && site().is_some(), "{said}");
    // The tables.
    for (fen, words) in [
        ("9/9/3b5/9/w7w w 0 2", "Proven: White wins, 7 plies to a capture or the end"),
        ("9/9/3b5/9/w7w b 0 2", "Proven: "),
        ("9/3b5/2w1b4/9/9 w 0 2", "Proven: White wins, 1 ply to a capture or the end"),
    ] {
        page.value(&format!("app.begin({{ rules: 'tsivy', start: {fen:?} }})"));
        page.wait_for("app.hand.known");
        let text = page.text(proven);
        assert!(text.starts_with(words), "{fen}: {text}");
    }
    // Who plays against the proof is told of moves, not of plies.
    for (plies, words) in [(7, "White wins, 4 moves"), (1, "White wins, 1 move to")] {
        let text = page.value(&format!("proofText({{ node: {{ known: {{ table: [{{ outcome: 'win', plies: {plies} }}] }}, ply: 0 }}, opponent: {{ person: 'b' }}, tree: {{ whiteMoves: () => true }} }})"));
        assert!(text.to_string().contains(words), "{text}");
    }
    // While somebody plays nothing is told.
    page.value("globalThis.search = () => new Promise(() => {})");
    page.value("app.begin({ rules: 'tsivy' }, { person: 'w', level: 0, clock: null })");
    page.wait_for("app.hand.known");
    assert_eq!(page.text(proven), "");
    page.check(server.origin());
}
