//! Games, from the first move to the end.

use crate::browser::Page;
use crate::vato::{LINES, Server, opened, opened_with};

/// What follows a game is offered once, the result is said once, and a person who has won is congratulated.
#[test]
fn the_end_of_a_game_is_said_once() {
    let (server, mut page) = opened();
    page.animate();
    let offered = "$seen('.ended button').map((one) => one.textContent + (one.matches('.primary') ? '!' : '')).join()";
    let lost = "Review!,Rematch,Ask for the vela,New game";
    let rising =
        "$('.board').getAnimations({ subtree: true }).filter(({ effect }) => effect.target.matches('.disc')).length";
    for (motion, count) in [("no-preference", 1), ("reduce", 0)] {
        page.prefer("prefers-reduced-motion", motion);
        page.begin_with("tsivy", "9/3b5/2w6/9/9 w", "{ person: 'w', level: 0, clock: null }");
        page.click_point("c3");
        page.click_point("b2");
        page.wait_for(&format!("!app.isPlaying && {rising} === {count}"));
        // What is seen last is the result.
        let is_hidden = "getComputedStyle($('.verdict')).visibility === 'hidden'";
        page.assert(&format!("{is_hidden} === app.view.board.rest > 0"));
        page.wait_for(&format!("!({is_hidden})"));
        page.assert_text(".verdict", "You win: Black has no stones left");
        page.assert_text(".here", "");
        assert_eq!(page.value(offered), "Review!,Rematch,Next: level 1,New game");
        page.assert("$('#vela-is').hidden && $seen('.primary').length === 1");
    }
    page.begin_game();
    page.play("f2-e3A:d4c5", 2);
    page.value("app.opponent.resign()");
    page.assert_text(".verdict", "Vato wins: you resigned");
    // Nobody moves, and the button is the way to the review.
    page.assert("$seen('#hint, #tab-review').length === 0");
    assert_eq!(page.value(offered), lost);
    page.wait_text("#vela-is", "the loser's revenge");
    // That is still so when the page is loaded anew, and elsewhere in the game.
    page.reload_board();
    page.assert("app.node.ply === 2");
    assert_eq!(page.value(offered), lost);
    page.key("Home");
    assert_eq!(page.value(offered), lost);
    page.assert("$seen('.primary').length === 1");
    page.assert_text(".here", "White to move");
    page.key("End");
    page.press_then("New game", "$('dialog .levels')");
    page.check(server.origin());
}

/// The result that is shown is the one that is saved.
#[test]
fn a_game_ends_on_the_board() {
    let (server, mut page) = opened_with(&["--fen", "9/3b5/2w6/9/9 w"]);
    let delete = |page: &mut Page| {
        page.press_button("Delete from here");
        page.press_then("Really delete?", "app.node.ply === 0 && app.tree.result === '*'");
    };
    page.drag("c3", "b2", 5);
    page.wait_for("app.node.known?.outcome && $('.outcome').textContent");
    page.assert_text(".verdict", "White wins: Black has no stones left");
    page.assert_text(".here", "");
    page.assert_text(".outcome", "1-0");
    page.press_then("Save", "$('dialog textarea').value.includes('[Result \"1-0\"]')");
    page.assert("$$('dialog select').some(({ value }) => value === '1-0')");
    page.press_button("Close");
    page.fill("#move", "a1-a2");
    page.key("Enter");
    page.assert_text(".message", "The game is over");
    // Nor is the result a given one because it has been kept, also if its position has not been looked at since.
    page.reload_board();
    delete(&mut page);
    page.begin("{ rules: 'tsivy', start: '3b5/9/2w6/9/9 b' }");
    page.run_then("app.playLine(['d5-d4', 'c3-b2W:d4'])", "app.tree.result === '1-0'");
    page.key("ArrowLeft");
    page.reload_board();
    delete(&mut page);
    // Or if the game is another one now.
    for (moves, result) in [("1. d5-d4 (1. d5-c5) c3-b2W 1-0", "*"), ("1. d5-c5 (1. d5-d4 c3-b2W) *", "1-0")] {
        page.read(&format!("[SetUp \"1\"][FEN \"3b5/9/2w6/9/9 b\"] {moves}"));
        page.value("app.go(app.tree.root.children[1])");
        page.press_then("Promote", &format!("app.view.promoteButton.disabled && app.tree.result === '{result}'"));
        page.wait_for(&format!("$('.outcome').textContent === '{}'", result.trim_matches('*')));
    }
    // Where nobody can move nobody is told how to; where the rules end the game no move follows, whatever list it is from.
    page.begin("{ rules: 'tsivy', start: '9/9/2w6/9/9 b' }");
    page.wait_for("app.node.known?.outcome && $('.verdict').textContent");
    page.assert_text(".message", "");
    page.begin("{ rules: 'tsivy', start: 'b8/9/9/9/8w w 0 2', isOwn: true }");
    for (ply, word) in (1..).zip(["i1-h1", "a5-b5", "h1-i1", "b5-a5"].repeat(2)) {
        page.run_then(&format!("app.play('{word}')"), &format!("app.node.ply === {ply} && app.node.known"));
    }
    page.value("app.play('i1-h1')");
    page.assert_text(".message", "The game is over");
    page.assert("app.node.children.length === 0");
    // Variations are not nested deeper than they can be saved: that is told when one would be.
    page.begin("{ rules: 'tsivy', start: 'b8/9/9/9/8w w' }");
    page.assert("app.start.nesting === 64");
    page.value("app.start.nesting = 2");
    let play = |page: &mut Page, from: &str, word: &str, nodes: u32| {
        page.value(&format!("app.go({from})"));
        let before = page.value("app.node.ply");
        page.run_then(&format!("app.play('{word}')"), "app.hand.known");
        assert_eq!(page.value("app.tree.data().nodes.length"), nodes, "{word}");
        assert_eq!(page.value("app.node.ply") == before, page.text(".message").contains("2 deep"));
    };
    play(&mut page, "app.tree.root", "i1-i2", 1);
    play(&mut page, "app.tree.root", "i1-h1", 2);
    play(&mut page, "app.node", "a5-a4", 3);
    play(&mut page, "app.node.parent", "a5-b5", 4);
    play(&mut page, "app.node", "h1-h2", 5);
    play(&mut page, "app.node.parent", "h1-g1", 5);
    // One that is there is gone to.
    play(&mut page, "app.node", "h1-h2", 5);
    // Nor does another main line make one deeper.
    page.value("app.start.nesting = 1");
    page.value("app.go(app.tree.root.children[0]).then(() => app.play('a5-a4'))");
    page.value("app.go(app.tree.root.children[0]).then(() => app.play('a5-b5'))");
    page.value("app.go(app.tree.root.children[1]).then(() => app.promote())");
    page.wait_text(".message", "1 deep");
    page.assert("app.tree.root.children.map(({ turn }) => turn.text).join() === 'i1-i2,i1-h1'");
    page.check(server.origin());
}

/// A game against the engine from the dialog to the record.
#[test]
fn a_whole_game() {
    let (server, mut page) = opened_with(&["--rules", "telo"]);
    page.press_button("Play");
    page.value("$('dialog details').open = true");
    page.choose("dialog details select", "0");
    page.value(
        "$$('dialog select').find((one) => [...one.options].some(({ value }) => value === '180+2')).value = '180+2'",
    );
    page.submit();
    page.wait_for("app.isPlaying && $('.clock').textContent.startsWith('3:0')");
    for _ in 0..200 {
        page.wait_for("!app.isPlaying || (app.opponent.mayMove(app.node) && app.hand.known)");
        if page.value("app.isPlaying") == false {
            break;
        }
        let ply = page.value("app.node.ply").as_u64().expect("a ply");
        let stone = page.value("app.hand.known.stones[app.node.ply % app.hand.known.stones.length].from");
        page.click_point(stone.as_str().expect("a stone"));
        let target = page.value("app.hand.targets[0]");
        page.click_point(target.as_str().expect("a target"));
        page.wait_for(&format!("app.node.ply > {ply} || app.hand.choice || app.hand.turn"));
        while page.value(&format!("app.node.ply === {ply}")) == true {
            if page.value("!$('.question').hidden") == true {
                page.click(".question button");
            } else if let Some(target) = page.value("app.hand.turn && app.hand.targets[0]").as_str() {
                page.click_point(target);
            }
        }
    }
    page.assert("!app.isPlaying && app.tree.result !== '*' && $('.moves .outcome').textContent === app.tree.result");
    page.assert("/^(You win|Vato wins|Draw)/.test($('.verdict').textContent)");
    page.press_then("Save", "$('dialog textarea').value.includes('[Result')");
    page.assert("['[White \"You\"]', '[Variant \"telo\"]'].every((tag) => $('dialog textarea').value.includes(tag))");
    page.press_button("Close");
    page.check(server.origin());
}

#[test]
fn the_engine_is_turned_on_and_off() {
    let (server, mut page) = opened();
    // Without a value there is no bar.
    let bar = "getComputedStyle($('.bar')).visibility";
    assert_eq!(page.value(bar), "hidden");
    page.click_then("#engine", LINES);
    page.wait_for("$$('.board .arrow').length > 0");
    page.wait_text(".figures", "depth");
    assert_eq!(page.value(bar), "visible");
    // The start is proven.
    page.assert_text(".bar .text", "Draw");
    // A move of a line is played, and the search goes on from there.
    page.click_then(".lines button", &format!("app.node.ply === 1 && {LINES}"));
    // Not by the pointer: moves change under it in the first milliseconds of a search.
    page.run_then("$('.lines button').click()", "app.node.ply === 2 && $$('.lines li').length > 0");
    page.click_then("#engine", "$$('.lines li').length === 0 && $$('.board .arrow').length === 0");
    // All moves of a line have their scores in the graph.
    page.review();
    page.wait_for("app.tree.line(app.node).every((node) => node.score) && $('.graph').checkVisibility()");
    // The bar shows what the tables know; the lines say it by the same word, and who it is.
    page.begin("{ rules: 'tsivy', start: '9/7b1/8w/7w1/w7w b 0 2' }");
    page.assert_text(".bar .text", "Draw");
    page.wait_text(".table .loss", "loses, 1 ply to a capture or the end");
    page.play("h4-g5W:i3", 1);
    page.assert_text(".bar .text", "Won");
    page.value("void (globalThis.findLines = () => new Promise(() => {}), app.engine.toggle())");
    page.value("app.engine.hear({ rank: 1, score: '-TB', chance: 0, turns: 'a1-b2', depth: 1, nodes: 1, speed: 1 })");
    page.wait_for("$('.lines .value')?.textContent === 'Won' && $$('.lines .value .dot.dark').length === 1");
    page.check(server.origin());
}

/// Another site's page can do nothing, not even with the right address.
#[test]
fn without_the_token_there_is_no_board() {
    let server = Server::start(&[]);
    let mut page = Page::open(1280, 860);
    page.goto(server.origin());
    page.wait_text("[role=alert]", "vato gui");
    page.wait_text("[role=alert]", "incomplete");
    page.goto(&server.url);
    page.wait_board();
    // Nor where the browser keeps nothing.
    page.run_first("Object.defineProperty(window, 'sessionStorage', { get() { throw new Error(); } })");
    page.reload();
    page.wait_text("main [role=alert]", "incomplete");
}

/// Whatever one plays, the reply of the proof comes, and the page says why it does not win.
#[test]
fn the_proof_cannot_be_beaten() {
    let (server, mut page) = opened();
    page.run_then("$('#proof').click()", "$('dialog[open] select')");
    page.value("$('dialog[open] select').value = 'b'");
    page.press_button("Try it");
    let mut held = 0;
    for number in 0..300 {
        page.wait_for("app.opponent?.isOver || (app.hand.known && app.opponent?.mayMove(app.node))");
        if page.value("app.opponent.isOver") == true {
            break;
        }
        let said = page.text(".proven");
        let by_tables = page.value("Boolean(app.node.known.table)") == true;
        assert!(said.starts_with(if by_tables { "Tables: " } else { "Proven: Black cannot win" }), "{said}");
        held += u32::from(!by_tables);
        page.value(&format!(
            "{{ const {{ stones }} = app.hand.known; const {{ from, next }} = stones[{number} % stones.length]; \
             const {{ to, how = '' }} = next[{number} % next.length]; app.play(`${{from}}-${{to}}${{how}}`); }}"
        ));
    }
    assert!(held > 4, "{held}");
    page.wait_for("$('.verdict').textContent");
    page.assert("!$('.verdict').textContent.includes('You win')");
    page.check(server.origin());
}
