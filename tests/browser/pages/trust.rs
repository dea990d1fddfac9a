//! Nothing that a person has done is lost: by another page, by a page that is loaded anew, by the server's end, by
//! a damaged file.

use serde_json::json;

use crate::browser::Page;
use crate::vato::{Server, moves, open, opened, speak};

const READY: &str = "typeof app !== 'undefined' && app.hand.known";

/// Plays the first step that is legal.
const PLAY: &str = "(() => { const [{ from, next: [{ to, how = '' }] }] = app.hand.known.stones; app.play(`${from}-${to}${how}`); })()";

/// Two minutes pass.
const LATER: &str = "performance.now = ((now) => () => now() + 120000)(performance.now.bind(performance))";

/// Chooses all games in the dialog that saves.
const SAVE_ALL: &str = "(() => { const s = [...document.querySelectorAll('dialog select')].find((s) => s.value === 'game'); s.value = 'file'; s.dispatchEvent(new Event('change')); })()";

/// Begins a game against the engine as White.
fn play(page: &mut Page, clock: &str) {
    page.press_button("Play");
    page.value(&format!(
        "[...document.querySelectorAll('dialog select')].find((s) => [...s.options].some((o) => o.value === '180+2')).value = '{clock}'"
    ));
    page.click("dialog[open] [type=submit]");
    page.wait_for("!document.querySelector('dialog') && app.isPlaying && app.hand.known");
}

fn answered(ply: u64) -> String {
    format!("app.node.ply === {ply} && app.hand.known && app.opponent.mayMove(app.node)")
}

/// Opens a text in the dialog.
fn open_text(page: &mut Page, text: &str) {
    // The dialog before may still be there for a moment after it was closed.
    page.wait_for("!document.querySelector('dialog')");
    page.press_button("Open");
    page.value(&format!(
        "(() => {{ const t = document.querySelector('dialog textarea'); t.value = {}; t.dispatchEvent(new Event('change')); }})()",
        json!(text)
    ));
    page.value("document.querySelector('dialog [type=submit]').click()");
}

/// What *Save* writes.
fn saved(page: &mut Page, all: bool) -> String {
    page.press_button("Save");
    if all {
        page.value(SAVE_ALL);
        page.wait_for("document.querySelector('dialog textarea').value.split('Result').length > 2");
    }
    page.wait_for("document.querySelector('dialog textarea').value !== ''");
    let text = page.value("document.querySelector('dialog textarea').value");
    page.press_button("Close");
    text.as_str().expect("a text").to_owned()
}

#[test]
fn pages_do_not_disturb_each_other() {
    let server = Server::start(&[]);
    let [mut player, mut other] = [(); 2].map(|()| Page::open(1280, 860));
    open(&mut player, &server);
    open(&mut other, &server);
    other.click("#engine");
    play(&mut player, "60+1");
    for ply in [0, 2] {
        player.wait_for(&answered(ply));
        // The other page begins a search just when this one waits for an answer.
        player.value(PLAY);
        other.click("#engine");
        other.click("#engine");
        player.wait_for(&answered(ply + 2));
    }
    assert_eq!(player.value("app.tree.result"), "*");
    other.wait_for("document.querySelectorAll('.lines li').length === 3");
    player.check(server.origin());
    other.check(server.origin());
}

#[test]
fn a_game_goes_on_when_the_page_is_loaded_anew() {
    let (server, mut page) = opened();
    play(&mut page, "180+2");
    page.drag("f2", "e3", 5);
    page.wait_for("app.node.ply >= 1");
    // While the engine thinks, or after.
    page.reload();
    page.wait_for(READY);
    assert_eq!(page.questions, 0, "the game is kept");
    page.wait_for(&answered(2));
    assert_eq!(page.value("app.opponent.level"), 1);
    assert!(
        page.text(".player:last-child .clock").starts_with("3:0")
            || page.text(".clock").starts_with("3:0")
            || page.text(".clock").starts_with("2:5")
    );
    page.press_button("Take back");
    page.wait_for("app.node.ply === 0 && app.hand.known");
    page.drag("f2", "e3", 5);
    page.wait_for(&answered(2));
    // Seen from elsewhere in the game.
    page.key("Home");
    page.reload();
    page.wait_for("typeof app !== 'undefined' && app.node?.known");
    assert_eq!(page.value("app.node.ply"), 0);
    page.key("End");
    page.wait_for(&answered(2));
    page.press_button("Resign");
    page.press_button("Really resign?");
    page.wait_for("!app.isPlaying");
    page.reload();
    page.wait_for("typeof app !== 'undefined' && app.node?.known");
    page.wait_for("document.querySelector('.verdict').textContent === 'Vato wins: you resigned'");
    // The game stays as it was played.
    assert_eq!(page.value("app.view.removeButton.disabled"), true);
    // It has ended there, and nowhere else.
    page.key("ArrowLeft");
    page.wait_for("app.node.ply === 1 && app.node.known");
    assert_eq!(page.text(".verdict"), "");
    page.check(server.origin());
}

/// The connection breaks while the engine thinks; the answer comes all the same, and no clock has run out.
#[test]
fn what_breaks_off_is_asked_again() {
    let (server, mut page) = opened();
    play(&mut page, "60+1");
    let offline = |is: bool| json!({ "offline": is, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1 });
    page.call("Network.emulateNetworkConditions", offline(true));
    page.drag("e2", "e3", 5);
    page.wait_for("document.querySelector('.alarm').textContent.includes('has stopped')");
    page.call("Network.emulateNetworkConditions", offline(false));
    page.wait_for("document.querySelector('.alarm').textContent === ''");
    page.click("#move");
    page.write("f2-e3A");
    page.key("Enter");
    page.wait_for(&answered(2));
    // In the midst of a search.
    page.call("Network.emulateNetworkConditions", offline(true));
    page.value(PLAY);
    page.wait_for("document.querySelector('.alarm').textContent !== ''");
    page.call("Network.emulateNetworkConditions", offline(false));
    page.wait_for(&answered(4));
    page.check_forgiving(server.origin());
}

/// The server stands still, or has ended, and nobody asks it for anything.
#[test]
fn clocks_stand_still_without_a_server() {
    let (server, mut page) = opened();
    play(&mut page, "60+1");
    page.value("server.patience = 200");
    server.signal("STOP");
    page.value(LATER);
    page.wait_for("document.querySelector('.alarm').textContent !== ''");
    server.signal("CONT");
    page.wait_for("document.querySelector('.alarm').textContent === ''");
    let port = server.port();
    drop(server);
    page.value(LATER);
    page.wait_for("document.querySelector('.alarm').textContent !== ''");
    // To look around does not start them.
    page.key("Home");
    page.key("End");
    page.value(LATER);
    assert_eq!(page.value("app.isPlaying && app.opponent.state.left.w > 50000"), true);
    // At another port there would be another page.
    let alarm = page.text(".alarm");
    assert!(alarm.contains(&format!("vato gui --port {port}")), "{alarm}");
    page.check_forgiving(&format!("http://127.0.0.1:{port}"));
}

/// Whoever waits for a server that stands still is told, also without a clock.
#[test]
fn a_server_that_stands_still_is_missed() {
    const GONE: &str = "document.querySelector('.alarm').textContent.includes('has stopped')";
    let (server, mut page) = opened();
    page.value("server.patience = 200");
    server.signal("STOP");
    page.fill("#move", "f2-e3A");
    page.key("Enter");
    page.wait_for(GONE);
    server.signal("CONT");
    page.wait_for(&format!("!({GONE}) && app.node.ply === 1"));
    page.click("#engine");
    page.wait_for("document.querySelectorAll('.lines li').length > 0");
    server.signal("STOP");
    page.wait_for(GONE);
    server.signal("CONT");
    page.wait_for(&format!("!({GONE})"));
    page.check_forgiving(server.origin());
}

/// What is played while the server is gone is played once, and answered when it is back.
#[test]
fn one_turn_is_played_without_a_server() {
    let (server, mut page) = opened();
    page.value("app.begin({ rules: 'tsivy', start: '8w/9/9/9/8b w' }, { person: 'w', level: 12, clock: { base: 60, increment: 10 } })");
    page.wait_for(&answered(0));
    let port = server.port();
    drop(server);
    page.drag("i5", "i4", 3);
    page.wait_for("document.querySelector('.alarm').textContent !== ''");
    page.key("Home");
    page.drag("i5", "h5", 3);
    assert_eq!(page.value("app.tree.data().nodes.length"), 1);
    assert_eq!(page.value("app.view.whilePlaying[0].disabled"), true);
    let server = Server::start_at(&port, &[]);
    page.goto(&server.url);
    page.key("End");
    page.wait_for(&answered(2));
    page.reload();
    page.wait_for(READY);
    page.wait_for(&answered(2));
    assert_eq!(page.value("app.tree.root.children.length"), 1);
    assert!(moves(&mut page).starts_with("i5-i4"));
    assert_eq!(page.value("app.opponent.state.left.w <= 70000"), true);
    // Who looks elsewhere at once is answered all the same.
    page.value(&format!("{PLAY}; app.go(app.tree.root)"));
    page.wait_for("app.tree.line(app.tree.root).length === 5");
    // What is taken back is not where the game ends.
    page.value("app.begin({ rules: 'tsivy' }, { person: 'w', level: 0, clock: null })");
    page.wait_for(&answered(0));
    page.value(PLAY);
    page.wait_for(&answered(2));
    page.reload();
    page.wait_for("typeof app !== 'undefined' && app.node?.known");
    drop(server);
    page.press_button("Take back");
    page.wait_for("app.node.ply === 0");
    // It moves what is below.
    page.wait_for("document.querySelector('.alarm').textContent !== ''");
    page.press_button("Resign");
    page.press_button("Really resign?");
    page.wait_for("!app.isPlaying");
    assert_eq!(page.value("app.node === app.tree.line(app.tree.root).at(-1)"), true);
    assert_eq!(page.text(".verdict"), "Vato wins: you resigned");
    page.check_forgiving(&format!("http://127.0.0.1:{port}"));
}

/// A game may go on, and end, below the dialog that saves it; what is taken back has not been saved.
#[test]
fn what_is_saved_is_the_game_as_it_is_now() {
    let (server, mut page) = opened();
    page.value("URL.createObjectURL = ((create) => (blob) => { globalThis.file = blob; return create(blob); })(URL.createObjectURL.bind(URL))");
    play(&mut page, "60+1");
    page.value(PLAY);
    page.wait_for(&answered(2));
    page.press_button("Save");
    page.value(PLAY);
    let text = "document.querySelector('dialog textarea').value";
    page.wait_for(&format!("{} && {text}.includes(app.node.turn.text)", answered(4)));
    page.press_button("Download");
    page.wait_for("!app.tree.isChanged");
    page.press_button("Close");
    page.press_button("Take back");
    page.wait_for(&answered(2));
    assert_eq!(page.value("app.tree.isChanged"), true);
    page.press_button("Save");
    page.wait_for(&format!("{text} !== ''"));
    page.value(LATER);
    page.wait_for("!app.isPlaying");
    page.fill("dialog label:nth-child(3) input", "Cup");
    page.wait_for(&format!("{text}.includes('[Event \"Cup\"]')"));
    page.press_button("Download");
    page.wait_for("!app.tree.isChanged");
    assert_eq!(page.value(&format!("file.text().then((file) => file === {text})")), true);
    let saved = page.value(text);
    let saved = saved.as_str().expect("PGN");
    assert!(saved.contains("[Result \"0-1\"]") && saved.contains("time forfeit"), "{saved}");
    assert_eq!(page.text(".verdict"), "Vato wins: White ran out of time");
    page.check(server.origin());
}

/// What is cancelled while the server is asked does not come after all, nor does a move after the game.
#[test]
fn late_answers_change_nothing() {
    let (server, mut page) = opened();
    page.value("globalThis.ask = ((ask) => async (...asked) => { globalThis.isAsked = true; await globalThis.gate; return ask(...asked); })(ask)");
    let close =
        "globalThis.isAsked = false; globalThis.gate = new Promise((open) => { globalThis.open_gate = open; }); null";
    // All that there is comes within this time.
    let release = "(open_gate(), new Promise((done) => setTimeout(done, 150)))";
    page.value("globalThis.before = app.tree; null");
    for (button, keys) in [("New", 0), ("Set up", 1), ("Play", 0), ("Open", 2), ("Open", 1)] {
        page.value(close);
        page.press_button(button);
        page.value("{ const t = document.querySelector('dialog textarea'); if (t) { t.focus(); } }");
        if button == "Open" {
            page.write("1. d3-e3A *");
        }
        page.value("document.querySelector('dialog [type=submit]').click()");
        page.wait_for("globalThis.isAsked");
        for _ in 0..keys {
            page.key("Escape");
        }
        if keys == 0 {
            page.press_button("Cancel");
        }
        page.value(release);
        assert_eq!(page.value("app.tree === before"), true, "{button} {keys}");
        page.value("document.querySelector('dialog')?.close()");
        page.wait_for("!document.querySelector('dialog')");
    }
    play(&mut page, "");
    for end in ["app.opponent.resign()", "app.begin({ rules: 'tsivy' }, { person: 'w', level: 0, clock: null })"] {
        page.value(close);
        page.value("app.view.moveInput.value = 'f2-e3A'");
        page.value("document.querySelector('.typed').requestSubmit()");
        page.value(&format!("void {end}"));
        page.value(release);
        page.wait_for("app.hand.known || !app.isPlaying");
        assert_eq!(page.value("app.tree.isEmpty"), true, "{end}");
        if end.contains("resign") {
            assert_eq!(page.text(".verdict"), "Vato wins: you resigned");
        }
    }
    // What is written after a download has begun is not in it.
    page.value("app.begin({ rules: 'tsivy' })");
    page.fill(".notes textarea", "before");
    page.value(close);
    page.press_button("Save");
    page.press_button("Download");
    page.press_button("Close");
    page.fill(".notes textarea", ", meanwhile");
    page.value(release);
    assert_eq!(page.value("app.hasUnsaved"), true);
    // The game of a dialog stays until it is closed.
    let games = "1. f2-e3A *\n\n1. d3-e3A *\n\n1. e2-e3A *\n";
    page.value(&format!("app.read({{ pgn: {games:?} }})"));
    page.wait_for("app.file?.count === 3 && app.hand.known");
    page.fill(".notes textarea", "of one");
    page.value(close);
    page.click("[aria-label='Next game']");
    page.wait_for("globalThis.isAsked");
    page.press_button("Save");
    page.value(SAVE_ALL);
    page.value(release);
    let text = "document.querySelector('dialog textarea').value";
    page.wait_for(&format!("{text}.includes('of one')"));
    let all = page.value(text);
    assert!(all.as_str().expect("a text").ends_with(games.split_at(13).1));
    assert_eq!(page.value("[app.file.number, app.hasUnsaved]"), json!([1, true]));
    page.press_button("Close");
    page.click("[aria-label='Next game']");
    page.wait_for("app.file.number === 2 && app.hand.known");
    // A server that is back brings no game back.
    page.value("app.begin({ rules: 'tsivy' }, { person: 'w', level: 0, clock: null })");
    page.wait_for(&answered(0));
    page.value("void app.tree.add(app.tree.root, 'f2-e3A:d4c5')");
    page.value(close);
    page.value("void app.begin({ rules: 'tsivy' }); void app.connection()");
    page.value(release);
    assert_eq!(page.value("app.node === app.tree.root"), true);
    page.check(server.origin());
}

#[test]
fn the_game_outlives_the_server() {
    let (server, mut page) = opened();
    page.drag("f2", "e3", 5);
    page.wait_for("app.hand.known && app.node.ply === 1");
    let (port, origin) = (server.port(), server.origin().to_owned());
    drop(server);
    page.click("#engine");
    page.wait_for("document.querySelector('.alarm').textContent.includes('has stopped')");
    page.fill(".notes textarea", "still typed");
    page.press_button("Save");
    page.wait_for("document.querySelector('dialog .problem').textContent.includes('kept in this tab')");
    page.press_button("Download");
    page.wait_for("document.querySelector('dialog .problem').textContent !== ''");
    assert_eq!(page.value("app.hasUnsaved"), true);
    page.press_button("Close");
    let server = Server::start_at(&port, &[]);
    page.wait_for("document.querySelector('.alarm').textContent.includes('address bar')");
    // It stays so when the page is loaded anew; a wrong address changes nothing.
    page.reload();
    page.wait_for("typeof app !== 'undefined' && app.node?.ply === 1");
    assert!(page.text(".alarm").contains("vato gui"));
    page.value(&format!("location.hash = '{}'", "0".repeat(64)));
    page.wait_for("location.hash === ''");
    assert!(page.text(".moves").contains("still typed"));
    page.goto(&server.url);
    page.wait_for("document.querySelector('.alarm').textContent === '' && app.hand.known");
    assert_eq!(moves(&mut page), "f2-e3A");
    assert!(saved(&mut page, false).contains("{still typed}"));
    // So does the engine, which has been on.
    page.wait_for("document.querySelectorAll('.lines li').length > 0");
    assert_eq!(page.value("location.hash"), "");
    // A new address in the same tab does not take the game away either, saved or not, nor does a wrong one.
    let load = |page: &mut Page, secret: &str| {
        page.value(&format!("history.replaceState(null, '', '/#{secret}')"));
        page.reload();
        page.wait_for("document.querySelector('main')");
    };
    page.value("app.tree.isChanged = false");
    load(&mut page, "abc");
    assert!(page.text(".alarm").contains("address bar"));
    load(&mut page, server.token());
    page.wait_for(READY);
    assert_eq!(moves(&mut page), "f2-e3A");
    assert!(page.text(".message").contains("still here"));
    // Where nothing can be read again, the page says what can be done.
    page.value("app.keep = () => keep('game', '{}')");
    load(&mut page, "abc");
    assert!(page.text("main [role=alert]").contains("address bar"));
    page.check_forgiving(&origin);
}

#[test]
fn what_is_typed_is_kept_as_it_is_typed() {
    let (server, mut page) = opened();
    page.drag("f2", "e3", 5);
    page.wait_for("app.hand.known && app.node.ply === 1");
    page.fill(".notes textarea", "half a sent");
    page.value("app.view.moveInput.value = 'd5-d'");
    page.resize(500, 740);
    page.wait_for("isNarrow() && app.view.comment === document.activeElement");
    page.write("ence");
    assert_eq!(page.value("app.view.comment.value"), "half a sentence");
    page.reload();
    page.wait_for("typeof app !== 'undefined' && app.node?.ply === 1");
    assert_eq!(page.value("[app.view.comment.value, app.view.moveInput.value]"), json!(["half a sentence", "d5-d"]));
    page.wait_for(READY);
    assert!(saved(&mut page, false).contains("{half a sentence}"));
    // What is shown is what is saved; it may look like what engines write.
    page.value("app.view.comment.select()");
    page.write("+M5 a } b\t{\n ");
    assert_eq!(page.value("app.view.comment.value"), "+M5 a } b\t{\n ");
    page.click("[aria-label='Turn the board']");
    page.wait_for("app.view.comment.value === '+M5 a ) b ('");
    page.reload();
    page.wait_for(READY);
    assert_eq!(page.value("app.view.comment.value"), "+M5 a ) b (");
    assert!(saved(&mut page, false).contains("{+M5 a ) b (}"));
    // A click right after typing is not lost.
    page.resize(1280, 860);
    // Not before the page has been drawn anew.
    page.wait_for(
        "!isNarrow() && new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))",
    );
    page.value("app.view.comment.focus()");
    page.write("!");
    page.click("[aria-label='Back']");
    page.wait_for("app.node.ply === 0");
    page.fill(".notes textarea", "at the start");
    // The list has one line more a moment later, and the move is no longer where it was.
    page.wait_for("document.querySelector('.moves').textContent.includes('at the start')");
    page.click(".moves button");
    page.wait_for("app.node.ply === 1 && app.tree.introduction === 'at the start'");
    page.check(server.origin());
}

/// The page is left while a file is being packed: the game of before is no game of that file.
#[test]
fn a_file_takes_the_place_of_a_game_at_once() {
    let (server, mut page) = opened();
    page.value("app.play('f2-e3A:d4c5')");
    page.wait_for("app.hand.known && app.node.ply === 1");
    page.value("app.tree.isChanged = false");
    page.value("GameFile.prototype.keep = ((keep) => async function (wait) { await keep.call(this, wait); globalThis.isKept = true; await new Promise(() => {}); })(GameFile.prototype.keep)");
    open_text(&mut page, "1. d3-e3A *\n\n1. e2-e3A *\n");
    page.wait_for("globalThis.isKept");
    page.reload();
    page.wait_for(READY);
    assert_eq!(moves(&mut page), "f2-e3A");
    assert_eq!(page.value("app.file"), json!(null));
    page.check(server.origin());
}

/// Files: nothing is replaced by nothing, bad games are passed over and kept, edits of all games stay.
#[test]
fn a_damaged_file_is_opened_as_far_as_it_goes() {
    const FILE: &str = "[White \"bad\"]\n\n1. f2-e3A (1. d3-e3A *\n\n[White \"two\"]\n\n1. f2-e3A *\n\n\
        [White \"worse\"]\n[FEN \"9/9\"]\n\n*\n\n[White \"four\"]\n\n1. d3-e3A (1. a1-a2 {lost?}) *\n";
    let (server, mut page) = opened();
    page.drag("f2", "e3", 5);
    page.wait_for("app.hand.known && app.node.ply === 1");
    for nothing in ["hello", "", "{ nothing }", "5/5/4/5/6 w", "5/5/5/5/w4 x", "<html>"] {
        open_text(&mut page, nothing);
        page.wait_for("document.querySelector('dialog .problem').textContent.includes('not been saved')");
        page.value("document.querySelector('dialog [type=submit]').click()");
        page.wait_for("!document.querySelector('dialog .problem').textContent.includes('not been saved') && document.querySelector('dialog .problem').textContent !== ''");
        let problem = page.text("dialog .problem");
        assert!(!problem.contains("5.2"), "{problem}");
        page.press_button("Cancel");
        assert_eq!(moves(&mut page), "f2-e3A");
    }
    page.value("app.tree.isChanged = false");
    open_text(&mut page, FILE);
    page.wait_for("!document.querySelector('dialog') && app.hand.known && app.tree.tag('White') === 'two'");
    let message = page.text(".message");
    assert!(message.starts_with("Cannot be read (2): Game 1") && message.contains("Game 3"), "{message}");
    assert!(page.text(".movespanel").contains("Game 2 of 4"));
    assert_eq!(page.value("document.querySelector(\"[aria-label='Previous game']\").disabled"), true);
    page.fill(".notes textarea", "of two");
    page.click("[aria-label='Next game']");
    page.wait_for("app.hand.known && app.tree.tag('White') === 'four'");
    assert!(page.text(".message").starts_with("Kept as text (1): "));
    assert!(page.text(".message").contains("a1-a2"));
    page.key("End");
    page.wait_for("app.hand.known && app.node.ply === 1");
    assert!(page.text(".moves").contains("a1-a2 (lost?)"));
    page.fill(".notes textarea", "of four ");
    page.reload();
    page.wait_for("typeof app !== 'undefined' && app.file?.number === 4 && app.hand.known");
    page.click("[aria-label='Previous game']");
    page.wait_for("app.hand.known && app.tree.introduction === 'of two'");
    let all = saved(&mut page, true);
    for part in ["(1. d3-e3A *", "{of two}", "[FEN \"9/9\"]", "of four", "(lost?)"] {
        assert!(all.contains(part), "{part}: {all}");
    }
    page.check_forgiving(server.origin());
}

#[test]
fn arrows_step_wherever_the_focus_is_but_in_a_text() {
    let (server, mut page) = opened();
    open_text(&mut page, "1. f2-e3A (1. d3-e3A c3-d3A) (1. e2-e3A) d5-d4A *");
    page.wait_for("!document.querySelector('dialog') && app.hand.known && app.tree.root.children.length === 3");
    page.key("ArrowRight");
    page.wait_for("app.node.ply === 1 && app.hand.known");
    page.choose("[aria-label='Mark']", "!");
    for control in
        ["[aria-label='Mark']", "[aria-label='Number of lines']", "#settings", "#engine", ".moves button", "#move"]
    {
        let before = page.value("[app.view.mark.value, app.engine.count, language].join()");
        page.value(&format!("document.querySelector({control:?}).focus()"));
        page.key("ArrowRight");
        page.wait_for("app.node.ply === 2");
        page.key("ArrowLeft");
        page.wait_for("app.node.ply === 1");
        assert_eq!(page.value("[app.view.mark.value, app.engine.count, language].join()"), before, "{control}");
    }
    page.value("document.activeElement.blur()");
    for text in ["d3-e3A", "e2-e3A"] {
        page.key("ArrowDown");
        page.wait_for(&format!("app.node.turn.text === '{text}'"));
    }
    page.key("ArrowUp");
    page.key("ArrowRight");
    page.wait_for("app.node.turn.text === 'c3-d3A'");
    // From within a variation to the move that it begins instead of.
    page.key("ArrowUp");
    page.wait_for("app.node.turn.text === 'f2-e3A'");
    // In a text the keys belong to the text.
    page.fill("#move", "xy");
    page.key("ArrowLeft");
    assert_eq!(page.value("app.node.ply"), 1);
    page.key("Escape");
    page.wait_for("document.activeElement === document.body");
    page.wait_for(READY);
    page.click_point("e3");
    page.wait_for("document.querySelector('.message').textContent !== ''");
    page.key("Escape");
    page.wait_for("document.querySelector('.message').textContent === ''");
    page.check(server.origin());
}

/// What the server says is in the page's language.
#[test]
fn errors_are_in_the_language_of_the_page() {
    let (server, mut page) = opened();
    speak(&mut page, "fr");
    for (typed, told) in
        [("a1", "s'arrête après son départ"), ("x9", "attendu une colonne"), ("d2-e3W", "rien à prendre")]
    {
        page.value("app.view.moveInput.value = ''");
        page.fill("#move", typed);
        page.key("Enter");
        page.wait_for(&format!("document.querySelector('.message').textContent.includes({told:?})"));
    }
    page.press_button("Ouvrir");
    for (text, told) in [
        ("9/9/9/9/9 w", "aucune pierre"),
        ("5/5/4/5/5 w", "le plateau 5x5 en a 5"),
        ("(", "n'a pas de coup"),
        ("1. f2-e3A {", "n'est pas fermé"),
    ] {
        page.value(&format!("document.querySelector('dialog textarea').value = {text:?}"));
        page.value("document.querySelector('dialog [type=submit]').click()");
        page.wait_for(&format!("document.querySelector('dialog .problem').textContent.includes({told:?})"));
        assert!(!page.text("dialog .problem").contains("en anglais"));
    }
    page.check_forgiving(server.origin());
}
