//! Games against the engine: how they begin, are drawn, and are kept.

use crate::browser::Page;
use crate::vato::{Server, moves, open, opened, opened_with};

/// Begins a game as White, on clocks of a minute and ten seconds a move.
fn begin(page: &mut Page, start: &str) {
    page.value(&format!(
        "app.begin({{ rules: 'tsivy', start: '{start}' }}, {{ person: 'w', level: 0, clock: {{ base: 60, increment: 10 }} }})"
    ));
    page.wait_for("app.isPlaying && app.hand.known");
}

/// *Play* always asks, and begins with what was chosen last; who has chosen nothing has a level that beginners can beat.
#[test]
fn play_asks_how() {
    let (server, mut page) = opened();
    page.value("['person', 'level', 'clock'].forEach((name) => localStorage.removeItem(`vato-${name}`))");
    let level = "document.querySelector('dialog details select').selectedOptions[0].textContent";
    page.press_button("Play");
    page.wait_for(&format!("{level} === 'Level 1 (Beginner) · Elo 590'"));
    page.click("dialog .levels label:nth-child(2)");
    page.click("dialog[open] [type=submit]");
    page.wait_for("app.isPlaying && app.opponent.level === 4");
    page.press_button("Play");
    page.wait_for(&format!("{level}.startsWith('Level 4 (Casual')"));
    page.check(server.origin());
}

/// Who is new is offered the rules or a game, by mouse or keyboard, until something has begun. After the rules the game stands out.
#[test]
fn a_first_visit_invites() {
    let is_there = "document.querySelector('.welcome').checkVisibility()";
    for (button, choice, stays) in [
        (
            "Learn the rules in two minutes",
            "document.querySelector('dialog .rulebook') && document.querySelector('.play-beginner.primary')",
            true,
        ),
        ("Play a beginner", "app.isPlaying && app.opponent.level === 1", false),
        ("Choose a level", "document.querySelector('dialog .levels')", true),
        ("×", "!app.isPlaying", false),
        ("Puzzles", "app.exercise", false),
    ] {
        let server = Server::start(&[]);
        let mut page = Page::open(1280, 860);
        page.goto(&server.url);
        page.wait_for("typeof app !== 'undefined' && app.hand?.known");
        assert_eq!(page.value(is_there), true);
        // One action stands out, and on a telephone, too.
        let standing_out = "[...document.querySelectorAll('.primary')].filter((one) => one.checkVisibility()).length";
        for (width, height) in [(390, 844), (844, 390), (1280, 860)] {
            page.resize(width, height);
            page.wait_for(&format!("{standing_out} === 1"));
        }
        // A choice of the look is none.
        page.value("app.view.redraw()");
        assert_eq!(page.value(is_there), true);
        let find = format!("[...document.querySelectorAll('button')].find((one) => one.textContent === '{button}')");
        page.value(&format!("{find}.focus()"));
        page.key("Enter");
        page.wait_for(choice);
        assert_eq!(page.value(is_there), stays);
        page.wait_for("document.activeElement !== document.body");
        page.reload();
        page.wait_for("app.hand?.known");
        assert_eq!(page.value("app.view.isNew"), stays);
        page.check(server.origin());
    }
}

/// After a win the next level is offered, after two losses an easier one, which is the choice from then on.
#[test]
fn another_level_is_offered() {
    let (server, mut page) = opened();
    let offer = "app.view.offerButton.hidden ? '' : app.view.offerButton.textContent";
    for (level, result, offered) in [
        (5, "0-1", ""),
        (5, "1-0", "Next: level 6"),
        (6, "0-1", ""),
        (6, "0-1", "Easier: level 5"),
        (0, "0-1", ""),
        (20, "1-0", ""),
    ] {
        page.value(&format!("app.begin({{ rules: 'tsivy' }}, {{ person: 'w', level: {level}, clock: null }})"));
        page.wait_for("app.isPlaying && app.hand.known && app.node.ply === 0");
        page.value("void app.play('f2-e3A:d4c5')");
        page.wait_for("app.node.ply === 2 && app.hand.known");
        page.value(&format!("app.opponent.end('{result}', 'resignation')"));
        page.wait_for("!app.isPlaying && app.hand.known");
        assert_eq!(page.value(offer), offered, "{level} {result}");
        if offered.contains("Easier") {
            page.wait_for("app.view.offerButton.checkVisibility({ visibilityProperty: true })");
            page.press_button(offered);
            page.wait_for("app.isPlaying && app.opponent.level === 5 && app.opponent.person === 'b'");
            assert_eq!(page.value("stored.get('level')"), "5");
        }
    }
    page.check(server.origin());
}

/// Who is new and just moves a stone plays a game, also who has closed what is offered, or types the move.
#[test]
fn the_first_stone_begins_a_game() {
    let server = Server::start(&[]);
    for first in ["null", "document.querySelector('.welcome .close').click()", "M"] {
        let mut page = Page::open(1280, 860);
        page.goto(&server.url);
        page.wait_for("typeof app !== 'undefined' && app.hand?.known");
        if first == "M" {
            page.key("m");
            page.value("app.view.moveInput.value = 'f2-e3A'");
        } else {
            page.value(first);
        }
        assert_eq!(page.text(".message"), "Move a stone, and a beginner answers");
        if first == "M" {
            page.key("Enter");
        } else {
            page.drag("f2", "e3", 5);
        }
        page.wait_for("app.isPlaying && app.node.ply === 2 && app.hand.known");
        assert_eq!(page.value("app.tree.line(app.node)[1].turn.text"), "f2-e3A");
        page.check(server.origin());
    }
}

/// A position that is given is not thrown away for a first game, however much it looks like the start.
#[test]
fn a_given_position_is_kept() {
    let fen = "bbbbbbbbb/bbbbbbbbb/bwbw1bwbw/wwwwwwwww/wwwwwwwww b 0 1";
    let server = Server::start(&["--fen", fen]);
    let mut page = Page::open(1280, 860);
    page.goto(&server.url);
    page.wait_for("typeof app !== 'undefined' && app.hand?.known");
    page.drag("e4", "e3", 5);
    page.wait_for("app.node.ply === 1 && app.hand.known");
    assert_eq!(page.value("app.tree.start"), fen);
    assert_eq!(page.value("app.opponent === null"), true);
    // Where the rules end the game no move follows, whatever list it is from.
    let start = "{ rules: 'tsivy', start: 'b8/9/9/9/8w w 0 2', isOwn: true }";
    page.value(&format!("void app.begin({start})"));
    page.wait_for("app.node.ply === 0 && app.hand.known && app.tree.columns === 9");
    for (ply, word) in (1..).zip(["i1-h1", "a5-b5", "h1-i1", "b5-a5"].repeat(2)) {
        page.value(&format!("app.play('{word}')"));
        page.wait_for(&format!("app.node.ply === {ply} && app.node.known"));
    }
    page.value("app.play('i1-h1')");
    assert_eq!(page.text(".message"), "The game is over");
    assert_eq!(page.value("app.node.children.length"), 0);
    page.check(server.origin());
}

/// Another level leaves rules, position and colour of a game that has not begun.
#[test]
fn another_level_is_for_the_same_game() {
    let (server, mut page) = opened();
    for (what, start) in [
        ("{ rules: 'vela' }", "app.tree.rules === 'vela'"),
        ("{ rules: 'tsivy', start: '9/3b5/2w1b4/9/4w4 w 0 2' }", "app.tree.start === '9/3b5/2w1b4/9/4w4 w 0 2'"),
    ] {
        page.value(&format!("void app.begin({what}, {{ person: 'w', level: 4, clock: null }})"));
        page.wait_for(&format!("app.isPlaying && app.opponent.level === 4 && app.hand.known && {start}"));
        // Also when it is continued.
        page.value("void app.resume({ data: app.tree.data(), opponent: app.opponent.state })");
        page.wait_for("app.opponent.isKept && app.hand.known");
        page.press_button("Level");
        assert_eq!(page.value("document.querySelector('.levels :checked').value"), "casual");
        page.click("dialog [value=club]");
        page.click("dialog [type=submit]");
        page.wait_for(&format!(
            "app.isPlaying && app.opponent.level === 7 && app.opponent.person === 'w' && app.hand.known && {start}"
        ));
    }
    page.check(server.origin());
}

/// Eight names are levels to begin with, whose ratings, in tens, have no gaps; each level of a name can be had. Three stones are the colours.
#[test]
fn levels_have_names() {
    let (server, mut page) = opened();
    page.press_button("Play");
    let level = "document.querySelector('dialog details select').selectedOptions[0].textContent";
    let bounds = "[...document.querySelectorAll('.levels .small')].map((one) => one.textContent.match(/\\d+/g)?.map(Number)).slice(0, 7)";
    let bounds =
        page.value(&format!("({bounds}).slice(1).every(([low], at) => low === ({bounds})[at][1] && low % 10 === 0)"));
    assert_eq!(bounds, true);
    for (name, text) in [
        ("club", "Level 7 (Club player) · Elo 1130"),
        ("champion", "Level 19 (Champion) · Elo 2200"),
        ("perfect", "Level 21 (Perfect)"),
        ("casual", "Level 4 (Casual) · Elo 860"),
    ] {
        page.click(&format!("dialog [value={name}]"));
        assert_eq!(page.value(level), text);
    }
    // By keyboard, as radio buttons are used.
    page.value("document.querySelector('dialog .stones :checked').focus()");
    page.key("ArrowRight");
    page.key("ArrowRight");
    page.value("document.querySelector('dialog details').open = true");
    page.choose("dialog details select", "3");
    page.click("dialog [type=submit]");
    page.wait_for("app.isPlaying && app.opponent.level === 3 && app.opponent.person === 'b'");
    page.value("playDialog(app)");
    assert_eq!(page.value("document.querySelector('.levels :checked').value"), "casual");
    assert_eq!(page.value(level), "Level 3 (Casual) · Elo 770");
    page.check(server.origin());
}

/// No clock runs before the first turn, which earns nothing; nor when all is taken back.
#[test]
fn clocks_begin_with_the_first_turn() {
    let later = "performance.now = ((now) => () => now() + 30000)(performance.now.bind(performance))";
    let left = "Math.round(app.opponent.state.left.w / 1000)";
    let (server, mut page) = opened();
    begin(&mut page, "");
    page.value(later);
    assert_eq!(page.value(left), 60);
    assert_eq!(page.value("document.querySelectorAll('.clock.running').length"), 0);
    page.value("app.play('f2-e3A:d4c5')");
    page.wait_for("app.node.ply === 2 && app.opponent.mayMove(app.node)");
    assert_eq!(page.value("document.querySelectorAll('.clock.running').length"), 1);
    page.value(later);
    page.wait_for(&format!("{left} <= 30"));
    page.press_button("Take back");
    page.wait_for("app.node.ply === 0 && app.hand.known");
    page.value(later);
    page.wait_for(&format!("{left} > 20"));
    assert_eq!(page.value("app.isPlaying"), true);
    page.check(server.origin());
}

/// Vato takes a draw where the tables have one, and none in the opening.
#[test]
fn a_draw_is_agreed_on_where_it_is_one() {
    let (server, mut page) = opened();
    begin(&mut page, "");
    page.press_button("Offer draw");
    page.wait_for("document.querySelector('.message').textContent === 'Vato declines the draw'");
    assert_eq!(page.value("app.isPlaying"), true);
    begin(&mut page, "w7w/9/9/9/b7b w 0 9");
    page.press_button("Offer draw");
    page.wait_for("!app.isPlaying");
    assert_eq!(page.text(".verdict"), "Draw: by agreement");
    assert_eq!(page.value("app.tree.result"), "1/2-1/2");
    // A search that is under way when the game ends decides nothing any more.
    begin(&mut page, "");
    page.value("app.node.ply = 20; void app.opponent.offerDraw(); app.opponent.resign()");
    page.wait_for("!app.isPlaying");
    assert_eq!(page.value("app.tree.result"), "0-1");
    page.check(server.origin());
}

/// After a game there is another one with colours changed; who has lost may have the vela.
#[test]
fn a_game_is_played_again() {
    let (server, mut page) = opened();
    let begun = |rules: &str, person: &str| {
        format!("app.isPlaying && app.tree.rules === '{rules}' && app.opponent.person === '{person}' && app.node.known")
    };
    begin(&mut page, "");
    page.value("app.play('f2-e3A:d4c5')");
    page.value("app.opponent.resign()");
    page.wait_for("!app.isPlaying && app.node.known && app.view.board.rest === 0");
    page.press_button("Rematch");
    page.wait_for(&begun("tsivy", "b"));
    assert_eq!(page.value("app.opponent.clock.base"), 60);
    page.value("app.opponent.end('0-1', 'resignation')");
    page.wait_for("!app.isPlaying && app.node.known");
    // Black, who has won, gives it.
    page.press_button("Grant the vela");
    page.wait_for(&begun("vela", "b"));
    // That stands there for the whole game, and the game after it is a normal one.
    let explained = "app.node.ply > 0 && document.querySelector('.message').textContent.includes('until five are left')";
    page.wait_for(explained);
    page.press_button("Play");
    page.wait_for("[...document.querySelectorAll('dialog details select')].some(({ value }) => value === 'tsivy')");
    page.key("Escape");
    page.wait_for("!document.querySelector('dialog')");
    page.value("app.opponent.resign()");
    page.wait_for("!app.isPlaying && app.node.known");
    page.press_button("Rematch");
    page.wait_for(&begun("tsivy", "w"));
    page.value("app.opponent.resign()");
    page.wait_for("!app.isPlaying && app.node.known");
    page.press_button("Ask for the vela");
    page.wait_for(&begun("vela", "w"));
    // Names follow the language.
    page.value("language = 1; app.view.redraw()");
    assert_eq!(page.value("app.view.playerParts.w.name.textContent"), "Vous");
    page.value("language = 0; app.view.redraw()");
    // On another board it is the same.
    page.value(
        "app.begin({ rules: 'board=3x5 vela=white' }, { person: 'b', level: 0, clock: null })",
    );
    page.wait_for(explained);
    page.press_button("Play");
    page.wait_for("[...document.querySelectorAll('dialog details select')].map(({ value }) => value).join().includes('tsivy,3x5')");
    page.key("Escape");
    // A position that is opened after it is of a normal game, too, on the same board.
    for (begun, rules) in [("vela", "tsivy"), ("board=5x5 vela=black", "dimy"), ("full-chain", "full-chain")] {
        page.value(&format!(
            "app.begin({{ rules: '{begun}' }}).then(() => app.readText({{ pgn: `${{app.tree.start}}`, number: 1 }}))"
        ));
        page.wait_for("app.tree.isOwn && app.hand.known");
        assert_eq!(page.value("app.tree.rules"), rules);
    }
    page.check(server.origin());
}

/// Where nothing can be kept, nobody is told that it is.
#[test]
fn a_browser_that_keeps_no_games_says_so() {
    let (server, mut page) = opened();
    page.press_button("My games");
    assert_eq!(
        page.text("dialog .muted"),
        "Your games against Vato are kept here, in this browser: to look at, or to go on with."
    );
    page.click("dialog .primary");
    page.wait_for("document.querySelector('dialog .levels')");
    page.key("Escape");
    page.value("void Object.defineProperty(window, 'localStorage', { get() { throw new Error('refused'); } })");
    // The first dialog may stay for a moment.
    page.wait_for("!document.querySelector('dialog')");
    page.press_button("My games");
    assert!(page.text("dialog[open] .muted").starts_with("This browser keeps no games"));
    // What would be lost by another game is asked for once.
    page.key("Escape");
    begin(&mut page, "");
    page.value("app.play('f2-e3A:d4c5')");
    page.value("app.opponent.resign()");
    page.wait_for("!app.isPlaying && app.node.known && app.view.board.rest === 0");
    page.press_button("Rematch");
    page.wait_for("document.body.innerText.includes('has not been saved')");
    assert_eq!(page.value("app.isPlaying"), false);
    page.press_button("Rematch");
    page.wait_for("app.isPlaying");
    page.check(server.origin());
}

/// A double click confirms nothing, another button than the first plays nothing; a game that is left at once has its end, and
/// clocks and hints are kept without moves.
#[test]
fn hasty_hands_lose_nothing() {
    let (server, mut page) = opened();
    begin(&mut page, "");
    page.value("const held = (button) => { const at = [...document.querySelectorAll('.spot')].find((one) => one.getAttribute('aria-label').startsWith('f2')).getBoundingClientRect(); ['pointerdown', 'pointerup'].forEach((kind) => app.view.board.element.dispatchEvent(new PointerEvent(kind, { button, isPrimary: true, pointerId: 1, bubbles: true, clientX: at.x + at.width / 2, clientY: at.y + at.height / 2 }))); }; app.view.board.element.setPointerCapture = () => {}; held(2); globalThis.held = held; null");
    assert_eq!(page.value("app.hand.from"), serde_json::Value::Null);
    page.value("held(0)");
    assert_eq!(page.value("app.hand.from"), "f2");
    page.value("void app.play('f2-e3A:d4c5')");
    page.wait_for("app.node.ply === 2 && app.opponent.mayMove(app.node) && app.opponent.isKept");
    page.press_button("Save");
    page.wait_for("document.querySelector('dialog textarea')?.value.includes('f2-e3A')");
    assert_eq!(
        page.value("[...document.querySelectorAll('dialog option')].some(({ value }) => value === '1-0')"),
        false
    );
    page.value("document.querySelector('dialog').close()");
    page.value("app.opponent.hinted(); app.keep()");
    assert_eq!(page.value("ownGames()[0].opponent.hints"), 1);
    let click = |count: u32| {
        format!(
            "[...document.querySelectorAll('button')].find((one) => /resign/i.test(one.textContent)).dispatchEvent(new MouseEvent('click', {{ bubbles: true, detail: {count} }}))"
        )
    };
    page.value(&format!("{}, {}", click(1), click(2)));
    assert_eq!(page.value("app.isPlaying"), true);
    page.value(&format!("{}; void app.rematch()", click(1)));
    page.wait_for("app.isPlaying && app.opponent.person === 'b'");
    assert_eq!(page.value("ownGames()[0].result"), "0-1");
    page.check(server.origin());
}

/// A game that is left is among one's own games, where it goes on; each can be deleted, and all be exported.
#[test]
fn own_games_are_kept() {
    let (server, mut page) = opened_with(&["--rules", "tsivy"]);
    begin(&mut page, "");
    page.value("app.play('f2-e3A:d4c5')");
    page.wait_for("app.node.ply === 2 && app.opponent.mayMove(app.node)");
    let played = moves(&mut page);
    // The tab is closed, with nothing asked; another one is opened.
    page.value("globalThis.keep = () => true; sessionStorage.clear()");
    page.goto("about:blank");
    assert_eq!(page.questions, 0);
    open(&mut page, &server);
    assert_eq!(page.value("app.opponent === null"), true);
    page.press_button("My games");
    page.wait_for("document.querySelector('.owngames')");
    assert!(page.text(".owngames").starts_with("Unfinished · Vato, level 0 (Beginner) · White"));
    // With a picture of its last position.
    page.wait_for("document.querySelectorAll('.owngames .board .disc').length > 30");
    page.press_button("Continue");
    page.wait_for("app.isPlaying && app.node.ply === 2 && app.opponent.mayMove(app.node)");
    assert_eq!(moves(&mut page), played);
    page.value("app.opponent.resign()");
    page.wait_for("!app.isPlaying && app.opponent.isKept");
    page.value("globalThis.download = async (pgn) => { globalThis.got = await pgn.text(); }");
    page.press_button("My games");
    assert_eq!(page.text("dialog[open] .muted"), "Won 0, drawn 0, lost 1");
    page.press_button("Export all");
    page.wait_for("globalThis.got?.includes('[Result \"0-1\"]') && got.includes('1. f2-e3A')");
    // What is over is reviewed.
    page.press_button("Review");
    page.wait_for("!document.querySelector('dialog') && app.tree.review && !app.review.isRunning");
    page.press_button("My games");
    page.click(".owngames button:last-child");
    page.click(".owngames button:last-child");
    page.wait_for("!document.querySelector('.owngames li')");
    // A page that shows it does not bring it back.
    page.value("document.querySelector('dialog').close(); app.keep()");
    assert_eq!(page.value("ownGames().length"), 0);
    page.check(server.origin());
}

/// Where there is no room the oldest games go; where nothing is kept, the page asks as before.
#[test]
fn storage_may_be_full_or_missing() {
    let server = Server::start(&[]);
    let mut page = Page::open(1280, 860);
    open(&mut page, &server);
    begin(&mut page, "");
    page.value("app.play('f2-e3A:d4c5')");
    page.wait_for("app.node.ply === 2 && app.opponent.isKept");
    page.value("const old = ownGames()[0]; stored.set('games', JSON.stringify(Array.from({ length: 299 }, (_, id) => ({ ...old, opponent: { ...old.opponent, id } }))))");
    page.value("globalThis.room = stored.get('games').length; const set = stored.set; stored.set = (name, text) => text.length < room / 2 && set(name, text)");
    page.value("app.opponent.resign()");
    page.wait_for("!app.isPlaying && app.opponent.isKept && ownGames().length < 299");
    assert_eq!(page.value("ownGames()[0].result"), "0-1");
    assert!(page.value("ownGames().length").as_u64() > Some(140));
    page.value("stored.set = () => false; app.tree.introduction = 'mine'; app.changed(); app.keep()");
    assert_eq!(page.value("app.opponent.isKept || !app.hasUnsaved"), false);
    page.check(server.origin());
}

/// What another page has made of a game stays; nor does a page bring back what was deleted, or trip over what is no game.
#[test]
fn pages_do_not_overwrite_each_others_games() {
    let (server, mut page) = opened();
    begin(&mut page, "");
    page.value("app.play('f2-e3A:d4c5')");
    page.wait_for("app.node.ply === 2 && app.opponent.isKept && app.opponent.mayMove(app.node)");
    page.value("app.keep()");
    // Elsewhere the same game has been lost.
    let elsewhere = "const [own] = ownGames(); stored.set('games', JSON.stringify([{ ...own, result: '0-1', opponent: { ...own.opponent, isOver: true } }, null, 7, { at: 1 }]))";
    page.value(elsewhere);
    page.reload();
    page.wait_for("typeof app !== 'undefined' && app.isPlaying && app.hand.known");
    page.value("app.keep()");
    assert_eq!(page.value("ownGames().map(({ result }) => result).join()"), "0-1");
    // What is played here from now on is a game of its own.
    page.value("app.opponent.resign()");
    page.wait_for("!app.isPlaying && app.opponent.isKept && ownGames().length === 2");
    page.press_button("My games");
    page.wait_for("document.querySelectorAll('.owngames li').length === 2");
    page.value("document.querySelector('dialog').close(); stored.set('games', '[]')");
    page.reload();
    page.wait_for("typeof app !== 'undefined' && app.node?.known");
    page.value("app.keep()");
    assert_eq!(page.value("ownGames().length"), 0);
    page.check(server.origin());
}

/// The proof is that of the standard game from its start: under other rules, from another position, in the vela, and where a puzzle is played out,
/// nobody is told that Vato cannot be beaten.
#[test]
fn perfect_is_what_is_proven() {
    let (server, mut page) = opened();
    let offered = "!document.querySelector('dialog [value=perfect]').parentElement.hidden";
    let selects = "[...document.querySelectorAll('dialog details select')]";
    page.value("stored.set('level', '21'), playDialog(app)");
    assert_eq!(page.value(offered), true);
    for (select, value, is_offered) in
        [(2, "telo", false), (2, "tsivy", true), (2, "vela", false), (2, "tsivy", true), (1, "here", false)]
    {
        page.value("document.querySelector('dialog [value=perfect]').click()");
        page.value(&format!(
            "globalThis.one = {selects}[{select}]; one.value = '{value}'; one.dispatchEvent(new Event('change', {{ bubbles: true }}))"
        ));
        assert_eq!(page.value(offered), is_offered, "{value}");
        let chosen = "document.querySelector('.levels :checked').value";
        assert_eq!(page.value(&format!("{chosen} === 'perfect'")), is_offered, "{value}");
    }
    page.click("dialog [type=submit]");
    page.wait_for("app.isPlaying && app.opponent.level === 20 && app.hand.known");
    assert_eq!(page.value("app.view.drawButton.hidden"), false);
    page.value("app.begin({ rules: 'tsivy' }, { person: 'w', level: 21, clock: null })");
    page.wait_for("app.isPlaying && app.hand.known");
    page.value("app.opponent.resign(), app.rematch(true)");
    page.wait_for("app.isPlaying && app.tree.rules === 'vela'");
    assert_eq!(page.value("app.opponent.level"), 20);
    page.check(server.origin());
}

/// What is stored may be damaged, or of another version.
#[test]
fn damaged_storage_is_passed_over() {
    let (server, mut page) = opened();
    begin(&mut page, "");
    page.value("app.play('f2-e3A:d4c5')");
    page.wait_for("app.node.ply === 2 && app.opponent.isKept");
    page.value("app.keep()");
    page.value("globalThis.own = ownGames()[0]; stored.set('games', JSON.stringify([{ ...own, opponent: { ...own.opponent, level: undefined } }, { ...own, data: { nodes: [] } }, own]))");
    page.press_button("My games");
    page.wait_for("document.querySelectorAll('.owngames li').length === 1");
    page.value("document.querySelector('dialog').close()");
    page.value("['level', 'person', 'clock', 'puzzle-goal', 'puzzle-level', 'own-puzzles', 'lines', 'tab', 'upright'].forEach((name) => stored.set(name, name === 'own-puzzles' ? '[null, {}, 7]' : 'none'))");
    page.reload();
    page.wait_for("typeof app !== 'undefined' && app.node?.known");
    page.press_button("Puzzles");
    page.wait_for("app.exercise && app.hand.known");
    page.press_button("Play");
    page.click("dialog [type=submit]");
    page.wait_for("document.querySelector('dialog .problem')?.textContent || app.opponent?.level === 1");
    page.check(server.origin());
}
