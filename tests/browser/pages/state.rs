//! What a person would write down of a game: that no move, clock or result comes in or goes by another way.

use crate::browser::Page;
use crate::vato::{open, opened};

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

/// The first turn that there is, with what it captures.
const TURN: &str = "(({ stones: [{ from, next: [{ to, how, captured }] }] }) => `${from}-${to}${how ?? ''}${captured?.length ? ':' + captured.join('') : ''}`)(app.hand.known)";

/// Plays the first turn that there is.
fn play_on(page: &mut Page, ply: u32) {
    page.run_then(&format!("void app.play({TURN})"), &format!("app.node.ply === {ply} && app.hand.known"));
}

/// The clocks show what they did, and the moves are gone from one's own games, also where they were all. No clock runs before the
/// first turn, which earns nothing, nor when all is taken back.
#[test]
fn what_is_taken_back_is_taken_back() {
    let later = "performance.now = ((now) => () => now() + 30000)(performance.now.bind(performance))";
    let left = "Math.round(app.opponent.state.left.w / 1000)";
    let running = "$$('.clock.running').length";
    let (server, mut page) = opened();
    page.begin_with("tsivy", "", "{ person: 'w', level: 0, clock: { base: 180, increment: 2 } }");
    page.value(later);
    assert_eq!((page.value(left), page.value(running)), (180.into(), 0.into()));
    page.play("f2-e3A:d4c5", 2);
    page.wait_for("app.opponent.mayMove(app.node)");
    assert_eq!(page.value(running), 1);
    let clocks = "JSON.stringify(app.opponent.node.clock)";
    let before = page.value(clocks);
    for _ in 0..3 {
        play_on(&mut page, 4);
        page.press_button("Take back");
        page.wait_ply(2);
        assert_eq!(page.value(clocks), before);
        page.assert("app.opponent.left('b') <= 182000");
    }
    page.run_then(later, &format!("{left} <= 153"));
    page.press_button("Take back");
    page.wait_ply(0);
    page.assert_text(".clock", "3:00");
    page.run_then(later, &format!("{left} === 180 && app.isPlaying"));
    // The tab is closed.
    page.goto("about:blank");
    assert_eq!(page.questions, 0);
    open(&mut page, &server);
    page.assert("ownGames().length === 0");
    page.check(server.origin());
}

/// What is played after a decided end is an analysis: below the moves, in what is saved a variation, and not judged. A game that is
/// resigned before its first move has ended, too.
#[test]
fn after_the_end_moves_are_an_analysis() {
    let (server, mut page) = opened();
    let counts = "$$('.moves > button').length + ' ' + $$('.moves > .said button').length";
    page.begin_game();
    page.resign();
    play_on(&mut page, 1);
    play_on(&mut page, 2);
    for tree in ["app.tree", "new GameTree(app.tree.data())"] {
        page.assert(&format!("((tree) => tree.result === '0-1' && tree.line(tree.root).length === 1)({tree})"));
    }
    assert_eq!(page.value(counts), "0 2");
    // Nor can it get another one.
    page.press_then("Save", "$('dialog textarea').value.endsWith(' *\\n\\n')");
    page.assert("!$$('dialog label').some((one) => one.textContent.includes('Result'))");
    page.close_dialog();
    page.begin_game();
    page.play("f2-e3A:d4c5", 2);
    let played = page.moves();
    page.resign();
    play_on(&mut page, 3);
    play_on(&mut page, 4);
    let analysis = page.moves();
    for _ in 0..2 {
        let line = page.value("app.tree.line(app.tree.root).slice(1).map(({ turn }) => turn.text).join(' ')");
        assert_eq!(line, played);
        page.assert("app.tree.result === '0-1'");
        page.assert_moves(&analysis);
        assert_eq!(page.value(counts), "2 2");
        // It can be deleted; the game cannot.
        page.assert("!app.view.removeButton.disabled");
        page.value("app.go(app.opponent.node)");
        page.assert("app.view.removeButton.disabled");
        page.value("app.go(app.opponent.node.children[0].children[0])");
        page.reload_board();
    }
    page.press_then("Save", "$('dialog textarea')?.value.includes('(1... ')");
    page.assert("$('dialog [aria-label=FEN]').value === app.node.known.fen");
    page.close_dialog();
    page.value(&judging(""));
    page.review();
    page.assert("app.tree.review.line.length === 3");
    // A review that ends below a dialog changes nothing of what that is about, nor where somebody writes a note or a move, or
    // has a stone in hand.
    page.value(&judging("while (!app.isInUse) await pause(20);"));
    for begin in [
        "$('#save').click()",
        "app.view.unfold('notes', true)",
        "(app.view.moveInput.value = 'd5')",
        "app.hand.pick(app.hand.known.stones[0].from)",
    ] {
        review_at_end(&mut page);
        page.run_then(&format!("void {begin}"), "app.tree.review && !app.review.isRunning");
        page.assert("app.node === last && app.isInUse");
        page.value("$('dialog')?.close(); app.view.unfold('notes', false)");
    }
    // One of moves that are deleted ends, and where somebody looks elsewhere the board stays there.
    page.value(&judging("await new Promise((end) => { signal.onabort = end; }); if (signal.aborted) return null;"));
    review_at_end(&mut page);
    page.run_then("app.go(last.parent); app.remove(); app.go(app.tree.root)", "!app.review.isRunning");
    page.assert("app.node === app.tree.root && app.tree.line(app.node).length === 2 && !app.tree.review");
    page.check(server.origin());
}

/// Begins the review of a game at its last move.
fn review_at_end(page: &mut Page) {
    page.read("1. f2-e3A d5-d4A 2. e1-d2A *");
    page.run_then(
        "globalThis.last = app.tree.line(app.tree.root).at(-1); void app.go(last)",
        "app.node === last && app.hand.known",
    );
    page.value("void app.review.start()");
}

/// Takes the place of the searches of a review: the first move is a blunder.
fn judging(after: &str) -> String {
    format!(
        "globalThis.collectPuzzles = async () => {{}}; globalThis.judgeLine = async (tree, line, nodes, signal) => {{ {after} return {{ moves: line.slice(1).map((_, at) => ({{ mark: at === 0 ? 'blunder' : null }})), players: Array(2).fill({{ accuracy: null, judged: 0, inaccuracies: 0, mistakes: 0, blunders: 1 }}) }}; }}; null"
    )
}
