//! Games, from the first move to the end.

use serde_json::json;

use crate::browser::Page;
use crate::vato::{Server, moves, opened, opened_with};

/// What follows a game is offered once, the result is said once, and a person who has won is congratulated.
#[test]
fn the_end_of_a_game_is_said_once() {
    let (server, mut page) = opened();
    let offered = "[...document.querySelectorAll('.ended button')].filter((one) => one.checkVisibility()).map((one) => one.textContent + (one.matches('.primary') ? '!' : '')).join()";
    let standing_out = "[...document.querySelectorAll('.primary')].filter((one) => one.checkVisibility()).length";
    let rising = "document.querySelector('.board').getAnimations({ subtree: true }).filter(({ effect }) => effect.target.matches('.disc')).length";
    let begin = |page: &mut Page, start: &str| {
        page.value(&format!(
            "app.begin({{ rules: 'tsivy', start: '{start}' }}, {{ person: 'w', level: 0, clock: null }})"
        ));
        page.wait_for("app.isPlaying && app.hand.known");
    };
    for (motion, count) in [("no-preference", 1), ("reduce", 0)] {
        let features = json!([{ "name": "prefers-reduced-motion", "value": motion }]);
        page.call("Emulation.setEmulatedMedia", json!({ "features": features }));
        begin(&mut page, "9/3b5/2w6/9/9 w");
        page.click_point("c3");
        page.click_point("b2");
        page.wait_for("!app.isPlaying");
        assert_eq!(page.value(rising), count);
        // What is seen last is the result.
        let is_hidden = "getComputedStyle(document.querySelector('.verdict')).visibility === 'hidden'";
        assert_eq!(page.value(&format!("{is_hidden} === app.view.board.rest > 0")), true);
        page.wait_for(&format!("!({is_hidden})"));
        assert_eq!(page.text(".verdict"), "You win: Black has no stones left");
        assert_eq!(page.text(".here"), "");
        assert_eq!(page.value(offered), "Review!,Rematch,Next: level 1,New game");
        assert_eq!(page.value("document.querySelector('#vela-is').hidden"), true);
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
    assert_eq!(page.value(offered), "Review!,Rematch,Ask for the vela,New game");
    assert!(page.text("#vela-is").contains("the loser's revenge"));
    // That is still so when the page is loaded anew, and elsewhere in the game.
    page.reload();
    page.wait_for("typeof app !== 'undefined' && app.node?.ply === 2 && app.hand.known");
    assert_eq!(page.value(offered), "Review!,Rematch,Ask for the vela,New game");
    page.key("Home");
    assert_eq!(page.value(offered), "Review!,Rematch,Ask for the vela,New game");
    assert_eq!(page.value(standing_out), 1);
    assert_eq!(page.text(".here"), "White to move");
    page.key("End");
    page.press_button("New game");
    page.wait_for("document.querySelector('dialog .levels')");
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
        assert_eq!(page.value("app.node.ply") == before, page.text(".message").contains("2 deep"));
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
    assert_eq!(page.text(".verdict"), "White wins: Black has no stones left");
    assert_eq!(page.text(".here"), "");
    assert_eq!(page.text(".outcome"), "1-0");
    page.press_button("Save");
    page.wait_for("document.querySelector('dialog textarea').value.includes('[Result \"1-0\"]')");
    let offered = "[...document.querySelectorAll('dialog select')].map((s) => s.value).includes('1-0')";
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
    page.value(
        "app.begin({ rules: 'tsivy', start: '3b5/9/2w6/9/9 b' }).then(() => app.playLine(['d5-d4', 'c3-b2W:d4']))",
    );
    page.wait_for("app.tree.result === '1-0'");
    page.key("ArrowLeft");
    page.reload();
    page.wait_for("typeof app !== 'undefined' && app.node?.known && app.node.ply === 1");
    page.press_button("Delete from here");
    page.press_button("Really delete?");
    page.wait_for("app.node.ply === 0");
    assert_eq!(page.value("app.tree.result"), "*");
    // Or if the game is another one now.
    for (moves, result) in [("1. d5-d4 (1. d5-c5) c3-b2W 1-0", "*"), ("1. d5-c5 (1. d5-d4 c3-b2W) *", "1-0")] {
        page.value(&format!("app.read({{ pgn: '[SetUp \"1\"][FEN \"3b5/9/2w6/9/9 b\"] {moves}' }})"));
        page.wait_for("app.tree.root.children.length === 2 && app.hand.known");
        page.value("app.go(app.tree.root.children[1])");
        page.press_button("Promote");
        page.wait_for(&format!("app.view.promoteButton.disabled && app.tree.result === '{result}'"));
        page.wait_for(&format!("document.querySelector('.outcome').textContent === '{}'", result.trim_matches('*')));
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
    assert!(page.text(".table .loss").contains("loses, 1 ply to a capture or the end"));
    page.click_point("h4");
    page.click_point("g5");
    page.wait_for("app.node.ply === 1 && app.hand.known");
    assert_eq!(page.text(".bar .text"), "Won");
    page.value("app.tree.setTag('White', 'Rakoto')");
    page.click("#review");
    page.wait_for("document.querySelectorAll('#part-review .graph .blunder').length === 1");
    assert!(page.text(".review table").contains("Rakoto"));
    assert!(page.text(".graph").contains("+1"));
    assert_eq!(page.value("app.node.judged"), "??");
    assert_eq!(page.text(".moves .mark.blunder").trim(), "??");
    page.value("void (globalThis.findLines = () => new Promise(() => {}), app.engine.toggle())");
    // The lines of the engine say it by the same word, and who it is.
    page.value("app.engine.hear({ rank: 1, score: '-TB', chance: 0, turns: 'a1-b2', depth: 1, nodes: 1, speed: 1 })");
    page.wait_for("document.querySelector('.lines .value')?.textContent === 'Won'");
    assert_eq!(page.value("document.querySelectorAll('.lines .value .dot.dark').length"), 1);
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
        let stone = page.value("app.hand.known.stones[app.node.ply % app.hand.known.stones.length].from");
        let stone = stone.as_str().expect("a stone").to_owned();
        page.click_point(&stone);
        let target = page.value("app.hand.targets[0]");
        page.click_point(target.as_str().expect("a target"));
        page.wait_for(&format!("app.node.ply > {ply} || app.hand.choice || app.hand.turn"));
        while page.value(&format!("app.node.ply === {ply}")) == true {
            if page.value("!document.querySelector('.question').hidden") == true {
                page.click(".question button");
            } else if let Some(target) = page.value("app.hand.turn && app.hand.targets[0]").as_str() {
                page.click_point(target);
            }
        }
    }
    assert_eq!(page.value("app.isPlaying"), false, "{}", moves(&mut page));
    let result = page.value("app.tree.result");
    assert_ne!(result, "*");
    assert_eq!(page.text(".moves .outcome"), result);
    assert!(["You win", "Vato wins", "Draw"].contains(&page.text(".verdict").split(':').next().unwrap_or_default()));
    page.press_button("Save");
    page.wait_for("document.querySelector('dialog textarea').value.includes('[Result')");
    let pgn = page.value("document.querySelector('dialog textarea').value");
    let pgn = pgn.as_str().expect("PGN");
    assert!(pgn.contains("[White \"You\"]") && pgn.contains("[Variant \"telo\"]"), "{pgn}");
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
    assert_eq!(page.value("document.querySelectorAll('.board .arrow').length"), 0);
    // All moves of a line have their scores in the graph.
    page.click("#review");
    page.wait_for(
        "app.tree.line(app.node).every((node) => node.score) && !document.querySelector('.graph').closest('[hidden]')",
    );
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
    let refuse = "Object.defineProperty(window, 'sessionStorage', { get() { throw new Error(); } })";
    page.call("Page.addScriptToEvaluateOnNewDocument", serde_json::json!({ "source": refuse }));
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
        let why = if by_tables { "Tables: " } else { "Proven: Black cannot win" };
        assert!(said.starts_with(why), "{said}");
        held += u32::from(!by_tables);
        page.value(&format!(
            "(() => {{ const {{ stones }} = app.hand.known; const {{ from, next }} = stones[{number} % stones.length]; \
             const {{ to, how = '' }} = next[{number} % next.length]; app.play(`${{from}}-${{to}}${{how}}`); }})()"
        ));
    }
    assert!(held > 4, "{held}");
    page.wait_for("document.querySelector('.verdict').textContent");
    assert!(!page.text(".verdict").contains("You win"), "{}", page.text(".verdict"));
    page.check(server.origin());
}
