//! What a person would write down of a game: that no move, clock or result comes in or goes by another way.

use crate::browser::Page;
use crate::vato::{moves, open, opened};

/// The state of a game knows no page: its sources run where there is none.
#[test]
fn a_game_is_what_was_written_down() {
    let sources = [
        include_str!("../../../src/tools/pages/board.js"),
        include_str!("../../../src/tools/pages/moves.js"),
        include_str!("../../../src/tools/pages/state.js"),
        include_str!("state.js"),
    ]
    .concat();
    let page_parts =
        "document, window, self, globalThis, localStorage, sessionStorage, matchMedia, addEventListener, t, make, app";
    let mut page = Page::open(300, 300);
    page.goto("about:blank");
    let mut value = |code: &str| page.value(&format!("(({page_parts}) => {{ \"use strict\";\n{sources}\n{code} }})()"));
    assert_eq!(value("return faultOf(150);"), "");
    // The stones go away and come back.
    let repeats = "const words = ['a1-a2', 'i5-i4', 'a2-a1', 'i4-i5'];
        const tree = new GameTree({ rules: 'tsivy', start: '8b/9/9/9/wwwwww3 w 0 1', nodes: words.map((word, parent) => ({ parent, word })) });
        const [root,, , before, end] = tree.line(tree.root);
        return [[root, 'a1-a2'], [before, 'i4-i5'], [before, 'i4-i3'], [end, 'b1-b2']].map(([node, word]) => tree.repeats(node, word)).join();";
    assert_eq!(value(repeats), "false,true,false,true");
}

/// Plays as White against the lowest level, with clocks of three minutes and two seconds a move.
fn begin(page: &mut Page) {
    page.value("app.begin({ rules: 'tsivy' }, { person: 'w', level: 0, clock: { base: 180, increment: 2 } })");
    page.wait_for("app.isPlaying && app.hand.known");
}

fn play(page: &mut Page, word: &str, ply: u32) {
    page.value(&format!("void app.play('{word}')"));
    page.wait_for(&format!("app.node.ply === {ply} && app.opponent.mayMove(app.node) && app.hand.known"));
}

/// The first turn that there is.
const TURN: &str = "(({ stones: [{ from, next: [{ to, how, captured }] }] }) => `${from}-${to}${how ?? ''}${captured?.length ? ':' + captured.join('') : ''}`)(app.hand.known)";

/// The clocks show what they did, and the moves are gone from one's own games, also where they were all.
#[test]
fn what_is_taken_back_is_taken_back() {
    let (server, mut page) = opened();
    begin(&mut page);
    play(&mut page, "f2-e3A:d4c5", 2);
    let clocks = "JSON.stringify(app.opponent.node.clock)";
    let before = page.value(clocks);
    for _ in 0..3 {
        let word = page.value(TURN);
        play(&mut page, word.as_str().expect("a turn"), 4);
        page.press_button("Take back");
        page.wait_for("app.node.ply === 2 && app.hand.known");
        assert_eq!(page.value(clocks), before);
        assert_eq!(page.value("app.opponent.left('b') <= 182000"), true);
    }
    page.press_button("Take back");
    page.wait_for("app.node.ply === 0 && app.hand.known");
    assert_eq!(page.text(".clock"), "3:00");
    // The tab is closed.
    page.goto("about:blank");
    assert_eq!(page.questions, 0);
    open(&mut page, &server);
    assert_eq!(page.value("ownGames().length"), 0);
    page.check(server.origin());
}

/// What is played after a decided end is an analysis: below the moves, in what is saved a variation, and not judged.
#[test]
fn after_the_end_moves_are_an_analysis() {
    let (server, mut page) = opened();
    begin(&mut page);
    play(&mut page, "f2-e3A:d4c5", 2);
    let played = moves(&mut page);
    page.value("app.opponent.resign()");
    page.wait_for("!app.isPlaying && app.hand.known");
    let mut analysis = String::new();
    for ply in [3, 4] {
        let word = page.value(TURN);
        page.value(&format!("void app.play({word})"));
        page.wait_for(&format!("app.node.ply === {ply} && app.hand.known"));
        analysis = moves(&mut page);
    }
    let line = "app.tree.line(app.tree.root).slice(1).map(({ turn }) => turn.text).join(' ')";
    for _ in 0..2 {
        assert_eq!(page.value(line), played);
        assert_eq!(page.value("app.tree.result"), "0-1");
        assert_eq!(moves(&mut page), analysis);
        assert_eq!(page.value("document.querySelectorAll('.moves > button').length"), 2);
        assert_eq!(page.value("document.querySelectorAll('.moves > .said button').length"), 2);
        // It can be deleted; the game cannot.
        let may_remove = "!app.view.removeButton.disabled";
        assert_eq!(page.value(may_remove), true);
        page.value("void app.go(app.opponent.node)");
        page.wait_for("app.node.ply === 2 && app.hand.known");
        assert_eq!(page.value(may_remove), false);
        page.value("void app.go(app.opponent.node.children[0].children[0])");
        page.wait_for("app.node.ply === 4 && app.hand.known");
        page.reload();
        page.wait_for("typeof app !== 'undefined' && app.node?.ply === 4 && app.hand.known");
    }
    page.press_button("Save");
    page.wait_for("document.querySelector('dialog textarea')?.value.includes('(1... ')");
    let shown = "document.querySelector('dialog [aria-label=FEN]').value === app.node.known.fen";
    assert_eq!(page.value(shown), true);
    page.value("document.querySelector('dialog').close()");
    page.value(&judging(""));
    page.value("void app.review.start()");
    page.wait_for("app.tree.review && !app.review.isRunning");
    assert_eq!(page.value("app.tree.review.line.length"), 3);
    page.check(server.origin());
}

/// A game that is resigned before its first move has ended, too.
#[test]
fn a_game_without_a_move_keeps_its_result() {
    let (server, mut page) = opened();
    begin(&mut page);
    page.value("app.opponent.resign()");
    page.wait_for("!app.isPlaying && app.hand.known");
    for ply in [1, 2] {
        let word = page.value(TURN);
        page.value(&format!("void app.play({word})"));
        page.wait_for(&format!("app.node.ply === {ply} && app.hand.known"));
    }
    for tree in ["app.tree", "new GameTree(app.tree.data())"] {
        let state = "((tree) => [tree.result, tree.line(tree.root).length].join())";
        assert_eq!(page.value(&format!("{state}({tree})")), "0-1,1");
    }
    let shown = "document.querySelectorAll('.moves > .said button').length";
    assert_eq!(page.value(shown), 2);
    // Nor can it get another one.
    page.press_button("Save");
    page.wait_for("document.querySelector('dialog textarea').value.endsWith(' *\\n\\n')");
    assert_eq!(
        page.value("[...document.querySelectorAll('dialog label')].some((one) => one.textContent.includes('Result'))"),
        false
    );
    page.check(server.origin());
}

/// Takes the place of the searches of a review: the first move is a blunder.
fn judging(after: &str) -> String {
    format!(
        "globalThis.collectPuzzles = async () => {{}}; globalThis.judgeLine = async (tree, line) => {{ {after} return {{ moves: line.slice(1).map((_, at) => ({{ mark: at === 0 ? 'blunder' : null }})), players: Array(2).fill({{ accuracy: null, judged: 0, inaccuracies: 0, mistakes: 0, blunders: 1 }}) }}; }}; null"
    )
}

/// A review that ends below a dialog changes nothing of what that is about.
#[test]
fn a_review_leaves_the_position_of_a_dialog() {
    let (server, mut page) = opened();
    page.value(
        "app.read({ pgn: '1. f2-e3A d5-d4A 2. e1-d2A *' }).then(() => app.go(app.tree.line(app.tree.root).at(-1)))",
    );
    page.wait_for("app.node.ply === 3 && app.hand.known");
    page.value("app.tree.line(app.tree.root).forEach((node) => { globalThis.last = node; })");
    page.value(&judging("while (!document.querySelector('dialog[open]')) await pause(20);"));
    page.value("void app.review.start()");
    page.press_button("Save");
    page.wait_for("app.tree.review && !app.review.isRunning");
    assert_eq!(page.value("app.node === last"), true);
    page.check(server.origin());
}
