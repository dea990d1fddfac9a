//! Games against the engine: how they begin, are drawn, and are kept.

use serde_json::json;

use crate::browser::Page;
use crate::vato::{open, opened, opened_with, visit, visited};

/// On clocks of a minute and ten seconds a move.
const SLOW: &str = "{ person: 'w', level: 0, clock: { base: 60, increment: 10 } }";

/// *Play* always asks, and begins with what was chosen last; who has chosen nothing has a level that beginners can beat. Eight names
/// are levels to begin with, whose ratings, in tens, have no gaps; each level of a name can be had. Three stones are the colours.
#[test]
fn play_asks_how() {
    let (server, mut page) = opened();
    page.value("['person', 'level', 'clock'].forEach((name) => localStorage.removeItem(`vato-${name}`))");
    let level = "$('dialog details select').selectedOptions[0].textContent";
    page.press_then("Play", &format!("{level} === 'Level 1 (Beginner) · Elo 590'"));
    let bounds = "$texts('.levels .small').map((text) => text.match(/\\d+/g)?.map(Number)).slice(0, 7)";
    page.assert(&format!("(({bounds}).slice(1).every(([low], at) => low === ({bounds})[at][1] && low % 10 === 0))"));
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
    page.value("$('dialog .stones :checked').focus()");
    page.key("ArrowRight");
    page.key("ArrowRight");
    page.value("$('dialog details').open = true");
    page.choose("dialog details select", "3");
    page.submit();
    page.wait_for("app.isPlaying && app.opponent.level === 3 && app.opponent.person === 'b'");
    page.press_button("Play");
    page.wait_for(&format!("$('.levels :checked').value === 'casual' && {level} === 'Level 3 (Casual) · Elo 770'"));
    page.close_dialog();
    // Another level leaves rules, position and colour of a game that has not begun, also when it is continued.
    for (rules, start) in [("vela", ""), ("tsivy", "9/3b5/2w1b4/9/4w4 w 0 2")] {
        page.begin_with(rules, start, "{ person: 'w', level: 4, clock: null }");
        page.value("app.resume({ data: app.tree.data(), opponent: app.opponent.state })");
        page.wait_for("app.opponent.isKept && app.hand.known");
        page.press_button("Level");
        page.assert("$('.levels :checked').value === 'casual'");
        page.click("dialog [value=club]");
        page.submit();
        page.wait_for("app.isPlaying && app.opponent.level === 7 && app.opponent.person === 'w' && app.hand.known");
        page.assert(&format!("app.tree.rules === '{rules}' && app.tree.start.startsWith('{start}')"));
    }
    // The proof is that of the standard game from its start: elsewhere nobody is told that Vato cannot be beaten.
    page.begin("{ rules: 'tsivy' }");
    page.value("stored.set('level', '21'), playDialog(app)");
    for (select, value, is_offered) in [
        (2, "telo", false),
        (2, "tsivy", true),
        (2, "vela", false),
        (2, "tsivy", true),
        (3, "9x5", true),
        (3, "7x5", false),
        (3, "", true),
        (1, "here", false),
    ] {
        page.value("$('dialog [value=perfect]').click()");
        page.value(&format!(
            "{{ const one = $$('dialog details select')[{select}]; one.value = '{value}'; one.dispatchEvent(new Event('change', {{ bubbles: true }})); }}"
        ));
        let offered = "[!$('dialog [value=perfect]').parentElement.hidden, $('.levels :checked').value === 'perfect']";
        assert_eq!(page.value(offered), json!([is_offered, is_offered]), "{value}");
    }
    page.submit();
    page.wait_for("app.isPlaying && app.opponent.level === 20 && app.hand.known && !app.view.drawButton.hidden");
    page.begin_with("tsivy", "", "{ person: 'w', level: 21, clock: null }");
    page.value("app.opponent.resign(), app.rematch(true)");
    page.wait_for("app.isPlaying && app.tree.rules === 'vela' && app.opponent.level === 20");
    page.check(server.origin());
}

/// Who is new is offered the rules or a game, by mouse or keyboard, until something has begun. After the rules the game stands out.
/// Who just moves a stone plays a game, also who has closed what is offered, or types the move.
#[test]
fn a_first_visit_invites() {
    let (server, mut page) = visited(&[]);
    let is_there = "$('.welcome').checkVisibility()";
    for (button, choice, stays) in [
        ("Learn the rules in two minutes", "$('dialog .rulebook') && $('.play-beginner.primary')", true),
        ("Play a beginner", "app.isPlaying && app.opponent.level === 1", false),
        ("Choose a level", "$('dialog .levels')", true),
        ("×", "!app.isPlaying", false),
        ("Puzzles", "app.exercise", false),
    ] {
        visit(&mut page, &server);
        page.assert(is_there);
        // One action stands out, and on a telephone, too. A choice of the look is none.
        for (width, height) in [(390, 844), (844, 390), (1280, 860)] {
            page.resize(width, height);
            page.wait_for("$seen('.primary').length === 1");
        }
        page.value("app.view.redraw()");
        page.assert(is_there);
        page.value(&format!("$button('{button}').focus()"));
        page.key_then("Enter", choice);
        assert_eq!(page.value(is_there), stays);
        page.wait_for("document.activeElement !== document.body");
        page.reload_board();
        assert_eq!(page.value("app.view.isNew"), stays);
    }
    for first in ["null", "$('.welcome .close').click()", "M"] {
        visit(&mut page, &server);
        if first == "M" {
            page.key("m");
            page.value("app.view.moveInput.value = 'f2-e3A'");
        } else {
            page.value(first);
        }
        page.assert_text(".message", "Move a stone, and a beginner answers");
        if first == "M" {
            page.key("Enter");
        } else {
            page.drag("f2", "e3", 5);
        }
        page.wait_for("app.isPlaying && app.node.ply === 2 && app.hand.known");
        page.assert("app.tree.line(app.node)[1].turn.text === 'f2-e3A'");
    }
    page.check(server.origin());
}

/// A position that is given is not thrown away for a first game, however much it looks like the start.
#[test]
fn a_given_position_is_kept() {
    let fen = "bbbbbbbbb/bbbbbbbbb/bwbw1bwbw/wwwwwwwww/wwwwwwwww b 0 1";
    let (server, mut page) = visited(&["--fen", fen]);
    page.drag("e4", "e3", 5);
    page.wait_ply(1);
    assert_eq!(page.value("app.tree.start"), fen);
    page.assert("app.opponent === null");
    page.check(server.origin());
}

/// After a game there is another one with colours changed; who has lost may have the vela. After a win the next level is offered,
/// after two losses an easier one, which is the choice from then on.
#[test]
fn a_game_is_played_again() {
    let (server, mut page) = opened();
    let begun = |rules: &str, person: &str| {
        format!("app.isPlaying && app.tree.rules === '{rules}' && app.opponent.person === '{person}' && app.node.known")
    };
    page.begin_with("tsivy", "", SLOW);
    page.value("app.play('f2-e3A:d4c5')");
    page.resign();
    page.press_then("Rematch", &begun("tsivy", "b"));
    page.assert("app.opponent.clock.base === 60");
    page.run_then("app.opponent.end('0-1', 'resignation')", "!app.isPlaying && app.node.known");
    // Black, who has won, gives it.
    page.press_then("Grant the vela", &begun("vela", "b"));
    // That stands there for the whole game, and the game after it is a normal one.
    page.wait_text(".message", "until five are left");
    page.wait_for("app.node.ply > 0");
    page.press_then("Play", "$$('dialog details select').some(({ value }) => value === 'tsivy')");
    page.close_dialog();
    page.resign();
    page.press_then("Rematch", &begun("tsivy", "w"));
    page.resign();
    page.press_then("Ask for the vela", &begun("vela", "w"));
    // Names follow the language.
    page.value("language = 1; app.view.redraw()");
    page.assert("app.view.playerParts.w.name.textContent === 'Vous'");
    page.value("language = 0; app.view.redraw()");
    // On another board it is the same.
    page.begin_with("board=3x5 vela=white", "", "{ person: 'b', level: 0, clock: null }");
    page.wait_text(".message", "until five are left");
    let offered = "$$('dialog details select').map(({ value }) => value).join().includes('tsivy,3x5')";
    page.press_then("Play", offered);
    page.close_dialog();
    // A position that is opened after it is of a normal game, too, on the same board.
    for (begun, rules) in [("vela", "tsivy"), ("board=5x5 vela=black", "dimy"), ("full-chain", "full-chain")] {
        page.begin(&format!("{{ rules: '{begun}' }}"));
        page.value("app.readText({ pgn: app.tree.start, number: 1 })");
        page.assert("app.tree.isOwn");
        assert_eq!(page.value("app.tree.rules"), rules);
    }
    let offered = |before: &str, level: u32, result: &str| {
        format!(
            "(globalThis.ownGames = () => [{{ result: '{result}', opponent: {{ id: 2, person: 'w', isOver: true }} }}, {before}], \
             betterLevel({{ opponent: {{ id: 2, level: {level}, person: 'w' }}, tree: {{ result: '{result}' }} }}))"
        )
    };
    let lost = "{ result: '0-1', opponent: { id: 1, person: 'w', isOver: true } }";
    for (before, level, result, better) in [
        ("", 5, "0-1", json!(null)),
        ("", 5, "1-0", json!(6)),
        (lost, 6, "0-1", json!(5)),
        (lost, 0, "0-1", json!(null)),
        (lost, 21, "0-1", json!(null)),
        ("", 20, "1-0", json!(null)),
        (lost, 5, "1/2-1/2", json!(null)),
    ] {
        assert_eq!(page.value(&offered(before, level, result)), better, "{level} {result}");
    }
    page.value(&format!(
        "globalThis.ownGames = () => [{{ result: '', opponent: {{ id: app.opponent.id }} }}, {lost}]; null"
    ));
    page.begin_with("tsivy", "", "{ person: 'w', level: 6, clock: null }");
    page.play("f2-e3A:d4c5", 2);
    page.resign();
    page.wait_for("app.view.offerButton.checkVisibility({ visibilityProperty: true })");
    page.press_then("Easier: level 5", "app.isPlaying && app.opponent.level === 5 && app.opponent.person === 'b'");
    page.assert("stored.get('level') === '5'");
    page.check(server.origin());
}

/// Vato takes a draw where the tables have one, and none in the opening. A double click confirms nothing, another
/// button than the first plays nothing; a game that is left at once has its end, and clocks and hints are kept without
/// moves. Where nothing can be kept, nobody is told that it is.
#[test]
fn hasty_hands_lose_nothing() {
    let (server, mut page) = opened();
    page.begin_with("tsivy", "", SLOW);
    page.press_button("Offer draw");
    page.wait_text(".message", "Vato declines the draw");
    page.assert("app.isPlaying");
    page.begin_with("tsivy", "w7w/9/9/9/b7b w 0 9", SLOW);
    page.press_then("Offer draw", "!app.isPlaying");
    page.assert_text(".verdict", "Draw: by agreement");
    page.assert("app.tree.result === '1/2-1/2'");
    // One that another takes the place of is answered, too.
    page.begin_with("tsivy", "", SLOW);
    page.value("app.node.ply = 20; void app.opponent.offerDraw(); setTimeout(() => app.hint.press(), 200)");
    page.wait_text(".message", "Vato declines the draw");
    // A search that is under way when the game ends decides nothing any more.
    page.begin_with("tsivy", "", SLOW);
    page.run_then("app.node.ply = 20; void app.opponent.offerDraw(); app.opponent.resign()", "!app.isPlaying");
    page.assert("app.tree.result === '0-1'");
    page.begin_with("tsivy", "", SLOW);
    page.value(
        "globalThis.held = (button) => { const at = $$('.spot').find((one) => one.getAttribute('aria-label').startsWith('f2')).getBoundingClientRect(); \
         ['pointerdown', 'pointerup'].forEach((kind) => app.view.board.element.dispatchEvent(new PointerEvent(kind, { button, isPrimary: true, \
         pointerId: 1, bubbles: true, clientX: at.x + at.width / 2, clientY: at.y + at.height / 2 }))); }; app.view.board.element.setPointerCapture = () => {};",
    );
    page.value("held(2)");
    page.assert("app.hand.from === null");
    page.value("held(0)");
    page.assert("app.hand.from === 'f2'");
    page.play("f2-e3A:d4c5", 2);
    page.wait_for("app.opponent.mayMove(app.node) && app.opponent.isKept");
    page.press_then("Save", "$('dialog textarea')?.value.includes('f2-e3A')");
    page.assert("!$$('dialog option').some(({ value }) => value === '1-0')");
    page.close_dialog();
    page.value("app.opponent.hinted(); app.keep()");
    page.assert("ownGames()[0].opponent.hints === 1");
    let click = |count: u32| {
        format!(
            "$$('button').find((one) => /resign/i.test(one.textContent)).dispatchEvent(new MouseEvent('click', {{ bubbles: true, detail: {count} }}))"
        )
    };
    page.value(&format!("{}, {}", click(1), click(2)));
    page.assert("app.isPlaying");
    page.run_then(&format!("{}; void app.rematch()", click(1)), "app.isPlaying && app.opponent.person === 'b'");
    page.assert("ownGames()[0].result === '0-1'");
    page.resign();
    page.value("stored.set('games', '[]')");
    page.press_button("My games");
    page.assert_text(
        "dialog .muted",
        "Your games against Vato are kept here, in this browser: to look at, or to go on with.",
    );
    page.click_then("dialog .primary", "$('dialog .levels')");
    page.close_dialog();
    page.value("void Object.defineProperty(window, 'localStorage', { get() { throw new Error('refused'); } })");
    page.press_button("My games");
    page.wait_text("dialog[open] .muted", "This browser keeps no games");
    page.close_dialog();
    // What would be lost by another game is asked for once.
    page.begin_with("tsivy", "", SLOW);
    page.value("app.play('f2-e3A:d4c5')");
    page.resign();
    page.press_then("Rematch", "document.body.innerText.includes('has not been saved')");
    page.assert("!app.isPlaying");
    page.press_then("Rematch", "app.isPlaying");
    page.check(server.origin());
}

/// A game that is left is among one's own games, where it goes on; each can be deleted, and all be exported.
#[test]
fn own_games_are_kept() {
    let (server, mut page) = opened_with(&["--rules", "tsivy"]);
    page.begin_with("tsivy", "", SLOW);
    page.play("f2-e3A:d4c5", 2);
    page.wait_for("app.opponent.mayMove(app.node)");
    let played = page.moves();
    // The tab is closed, with nothing asked; another one is opened.
    page.value("globalThis.keep = () => true; sessionStorage.clear()");
    page.goto("about:blank");
    assert_eq!(page.questions, 0);
    open(&mut page, &server);
    page.assert("app.opponent === null");
    page.press_button("My games");
    page.wait_text(".owngames", "Unfinished · Vato, level 0 (Beginner) · White");
    // With a picture of its last position.
    page.wait_for("$$('.owngames .board .disc').length > 30");
    page.press_then("Continue", "app.isPlaying && app.node.ply === 2 && app.opponent.mayMove(app.node)");
    page.assert_moves(&played);
    page.resign();
    page.value("globalThis.download = async (pgn) => { globalThis.got = await pgn.text(); }");
    page.press_button("My games");
    page.assert_text("dialog[open] .muted", "Won 0, drawn 0, lost 1");
    page.press_then("Export all", "globalThis.got?.includes('[Result \"0-1\"]') && got.includes('1. f2-e3A')");
    // What is over is reviewed.
    page.press_then("Review", "!$('dialog') && app.tree.review && !app.review.isRunning");
    page.press_button("My games");
    page.click(".owngames button:last-child");
    page.click_then(".owngames button:last-child", "!$('.owngames li')");
    // A page that shows it does not bring it back.
    page.close_dialog();
    page.value("app.keep()");
    page.assert("ownGames().length === 0");
    page.check(server.origin());
}

/// What another page has made of a game stays; nor does a page bring back what was deleted, or trip over what is no game. What is
/// stored may be damaged, or of another version. Where there is no room the oldest games go; where nothing is kept, the page asks.
#[test]
fn storage_is_shared_damaged_full_or_missing() {
    let (server, mut page) = opened();
    page.begin_with("tsivy", "", SLOW);
    page.play("f2-e3A:d4c5", 2);
    page.wait_for("app.opponent.isKept && app.opponent.mayMove(app.node)");
    page.value("app.keep()");
    // Elsewhere the same game has been lost.
    page.value("{ const [own] = ownGames(); stored.set('games', JSON.stringify([{ ...own, result: '0-1', opponent: { ...own.opponent, isOver: true } }, null, 7, { at: 1 }])); }");
    page.reload_board();
    page.wait_for("app.isPlaying");
    page.value("app.keep()");
    page.assert("ownGames().map(({ result }) => result).join() === '0-1'");
    // What is played here from now on is a game of its own.
    page.resign();
    page.wait_for("app.opponent.isKept && ownGames().length === 2");
    page.press_then("My games", "$$('.owngames li').length === 2");
    page.close_dialog();
    page.value("globalThis.own = ownGames()[0]; stored.set('games', '[]'); sessionStorage.own = JSON.stringify(own)");
    page.reload_board();
    page.value("app.keep()");
    page.assert("ownGames().length === 0");
    page.value("globalThis.own = JSON.parse(sessionStorage.own); stored.set('games', JSON.stringify([{ ...own, opponent: { ...own.opponent, level: undefined } }, { ...own, data: { nodes: [] } }, own]))");
    page.press_then("My games", "$$('.owngames li').length === 1");
    page.close_dialog();
    page.value("['level', 'person', 'clock', 'puzzle-goal', 'puzzle-level', 'own-puzzles', 'lines', 'tab', 'upright'].forEach((name) => stored.set(name, name === 'own-puzzles' ? '[null, {}, 7]' : 'none'))");
    page.reload_board();
    page.begin_puzzles();
    page.press_button("Play");
    page.submit();
    page.wait_for("$('dialog .problem')?.textContent || app.opponent?.level === 1");
    page.close_dialog();
    page.begin_with("tsivy", "", SLOW);
    page.play("f2-e3A:d4c5", 2);
    page.wait_for("app.opponent.isKept");
    page.value("{ const old = ownGames()[0]; stored.set('games', JSON.stringify(Array.from({ length: 299 }, (_, id) => ({ ...old, opponent: { ...old.opponent, id } })))); }");
    page.value("globalThis.room = stored.get('games').length; const set = stored.set; stored.set = (name, text) => text.length < room / 2 && set(name, text)");
    page.resign();
    page.wait_for("app.opponent.isKept && ownGames().length < 299");
    page.assert("ownGames()[0].result === '0-1' && ownGames().length > 140");
    page.value("stored.set = () => false; app.tree.introduction = 'mine'; app.changed(); app.keep()");
    page.assert("!(app.opponent.isKept || !app.hasUnsaved)");
    page.check(server.origin());
}

/// Two people at one screen have names, a board that may turn to who moves, moves to take back, a draw by agreement, and a rematch with
/// colours changed. The game is kept, and goes on after a reload; nobody gets hints.
#[test]
fn two_people_play_at_one_screen() {
    let (server, mut page) = opened();
    page.press_button("Play");
    page.click("dialog [value=two]");
    page.assert("$$('dialog .levels, dialog .stones').every((part) => !part.checkVisibility())");
    page.value("$$('dialog [type=text]').forEach((input, at) => { input.value = ['Ann', 'Bea'][at]; })");
    page.click("dialog .knob[aria-label^=Turn]");
    page.submit();
    page.wait_for("app.isPlaying && app.hand.known && !app.isFlipped && $texts('.player').join().includes('Ann')");
    page.assert("app.hint.button.hidden && $('.here').textContent === 'White to move'");
    page.play("f2-e3A:d4c5", 1);
    page.wait_for("app.hand.known && app.isFlipped && app.opponent.mayMove(app.node)");
    page.press_then("Take back", "app.node.ply === 0 && !app.isFlipped");
    page.play("f2-e3A:d4c5", 1);
    page.reload_board();
    page.wait_for("app.isPlaying && app.hand.known && app.isFlipped && app.node.ply === 1");
    page.press_then("Draw", "$texts('button').includes('Both agree?') && app.isPlaying");
    page.press_then("Both agree?", "!app.isPlaying && $('.verdict').textContent === 'Draw: by agreement'");
    page.press_then("Rematch", "app.isPlaying && app.hand.known && app.tree.tag('White') === 'Bea' && !app.isFlipped");
    page.play("f2-e3A:d4c5", 1);
    page.resign();
    page.wait_for(
        "$('.verdict').textContent === 'White wins: Black resigned' && $texts('button').includes('Ask for the vela')",
    );
    page.press_then("My games", "$texts('.owngames .about').length === 2");
    page.assert("$texts('.owngames .about')[0].startsWith('White wins · Bea – Ann · ')");
    page.assert("$texts('.owngames .about')[1].startsWith('Drawn · Ann – Bea · ')");
    page.check(server.origin());
}

/// A game by link: each move makes a link that holds the game; who opens it answers with the next one. Both have the game once
/// among their own. What is older, or another game under the same name, changes nothing. A draw is offered with a link.
#[test]
fn two_people_play_by_link() {
    let (server, mut page) = opened();
    let (_friend_server, mut friend) = opened();
    let play = |page: &mut Page, word: &str| {
        page.value(&format!("void app.play('{word}')"));
        page.wait_for(&format!("app.node.word === '{word}' && app.node.known && !app.opponent.mayMove(app.node)"));
    };
    let send = |page: &mut Page, button: &str| {
        page.press_then(button, "$('dialog [readonly]')?.value.includes('&with=')");
        let link = page.value("$('dialog [readonly]').value");
        page.submit();
        page.wait_for("!$('dialog') && app.opponent.isSent");
        link.as_str().unwrap().to_owned()
    };
    let answer = |page: &mut Page, link: &str, ply: u32| {
        page.open_text(&format!("Your turn: {link}"));
        page.wait_for(&format!("!$('dialog') && app.opponent?.isByLink && app.node.ply === {ply} && app.hand.known"));
    };
    page.press_button("Play");
    page.click("dialog [value=link]");
    page.value("$$('dialog [type=text]').forEach((input, at) => { input.value = ['Ann', 'Bea'][at]; })");
    page.submit();
    page.wait_for("app.isPlaying && app.opponent.mayMove(app.node) && app.hand.known");
    play(&mut page, "f2-e3A:d4c5");
    page.press_then("Take back", "app.node.ply === 0");
    play(&mut page, "f2-e3A:d4c5");
    let first = send(&mut page, "Send the move");
    page.assert("app.opponent.lastMove === null");

    answer(&mut friend, &first, 1);
    friend.wait_for(
        "app.isFlipped && app.opponent.person === 'b' && app.opponent.mayMove(app.node) && ownGames().length === 1",
    );
    play(&mut friend, "c3-d4W:b2a1");
    friend.press_then("Offer draw", "app.opponent.isOffering");
    let second = send(&mut friend, "Send the move");
    answer(&mut page, &second, 2);
    page.assert(
        "ownGames().length === 1 && app.opponent.person === 'w' && $('.message').textContent.includes('offers a draw')",
    );
    // Also when it is continued later. A link that is cut off, or of other moves, changes nothing; one that is older shows the game as
    // it is now.
    page.value("app.begin({ rules: 'tsivy' }).then(() => app.resume(ownGames()[0])).then(() => null)");
    page.wait_for("app.opponent?.isOffered && app.node.ply === 2 && app.hand.known");
    page.value("app.keep()");
    page.assert("ownGames().length === 1 && ownGames()[0].opponent.id === app.opponent.id");
    let (cut, _) = first.split_once("&to=").expect("a name");
    page.open_text(cut);
    page.wait_for("$('dialog .problem').textContent.includes('link')");
    page.close_dialog();
    page.open_text(&first);
    page.wait_for("!$('dialog') && app.node.ply === 2 && $('.message').textContent.startsWith('This link is older')");
    page.assert("(() => { try { continued(ownGames(), { ...app.tree.data(), nodes: [{ parent: 0, word: 'd3-e3A:f3' }] }, app.opponent); return false; } catch { return true; } })()");
    page.press_then("Draw", "$texts('button').includes('Both agree?')");
    page.press_then("Both agree?", "!app.isPlaying && $('.verdict').textContent === 'Draw: by agreement'");
    let last = send(&mut page, "Send the end");
    answer(&mut friend, &last, 2);
    friend
        .assert("app.opponent.isOver && $('.verdict').textContent === 'Draw: by agreement' && ownGames().length === 1");
    friend.wait_for("ownGames()[0].result === '1/2-1/2'");
    friend.open_text(&first);
    friend.wait_for("!$('dialog') && app.node.ply === 2 && $('.message').textContent.startsWith('This link is older')");
    // Notes stay when the end is opened again.
    friend.value("app.tree.introduction = 'mine'; app.changed(); app.keep()");
    friend.open_text(&last);
    friend
        .wait_for("!$('dialog') && app.opponent.isOver && app.tree.introduction === 'mine' && ownGames().length === 1");
    // An end holds where the other has moved meanwhile, but not against another end; after a forced pass there is nothing to take back.
    page.value(
        "globalThis.taken = (result, isOver, given) => {
            const data = { rules: 'tsivy', start: app.tree.start, result, nodes: [{ parent: 0, word: 'f2-e3A:d4c5' }, { parent: 1, word: 'c3-d4W:b2a1' }] };
            const kept = { data, opponent: { id: 5, person: 'b', isOver } };
            const { data: { result: ended, nodes }, opponent } = continued([kept], { ...data, result: given, nodes: data.nodes.slice(0, 1) }, { id: 5, to: 'b' });
            return [ended, nodes.length, opponent.isOver].join();
        }",
    );
    page.assert("taken('*', false, '0-1') === '0-1,2,true' && taken('*', false, '*') === '*,2,false' && taken('0-1', true, '0-1') === '0-1,2,true'");
    page.assert("(() => { try { return taken('1/2-1/2', true, '0-1'), false; } catch { return true; } })()");
    page.assert(
        "(() => {
            const nodes = [{ parent: 0, word: 'c1-d1' }, { parent: 1, word: 'pass' }];
            const tree = new GameTree({ rules: 'blocked=pass', start: '9/9/w1w6/ww7/bww6 w 0 1', nodes });
            return new Contest(tree, { person: 'b', level: null, clock: null, isByLink: true }).lastMove === null;
        })()",
    );
    page.check(server.origin());
}
