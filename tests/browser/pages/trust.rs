//! Nothing that a person has done is lost: by another page, by a page that is loaded anew, by the server's end, by
//! a damaged file.

use serde_json::json;

use crate::browser::Page;
use crate::vato::{LINES, PLAY, Server, open, opened};

/// Two minutes pass.
const LATER: &str = "performance.now = ((now) => () => now() + 120000)(performance.now.bind(performance))";

/// What the dialog is going to save.
const TEXT: &str = "$('dialog textarea').value";

/// Begins a game against the engine as White.
fn play(page: &mut Page, clock: &str) {
    page.press_button("Play");
    page.value(&format!(
        "$$('dialog select').find((one) => [...one.options].some(({{ value }}) => value === '180+2')).value = '{clock}'"
    ));
    page.submit();
    page.wait_for("!$('dialog') && app.isPlaying && app.hand.known");
}

/// Waits for the turn of the person.
fn wait_turn(page: &mut Page, ply: u32) {
    page.wait_for(&format!("app.node.ply === {ply} && app.hand.known && app.opponent.mayMove(app.node)"));
}

/// What *Save* writes.
fn saved(page: &mut Page, all: bool) -> String {
    page.press_button("Save");
    if all {
        page.save_all();
        page.wait_for(&format!("{TEXT}.split('Result').length > 2"));
    }
    page.wait_for(&format!("{TEXT} !== ''"));
    let text = page.value(TEXT);
    page.press_button("Close");
    text.as_str().expect("a text").to_owned()
}

/// Says whether the server is missed.
const ALARM: &str = "$('.alarm').textContent !== ''";

/// One page begins a search just when another one waits for an answer.
#[test]
fn pages_do_not_disturb_each_other() {
    let (server, mut player) = opened();
    let mut other = Page::open(1280, 860);
    open(&mut other, &server);
    other.click("#engine");
    play(&mut player, "60+1");
    for ply in [0, 2] {
        wait_turn(&mut player, ply);
        player.value(PLAY);
        other.click("#engine");
        other.click("#engine");
        wait_turn(&mut player, ply + 2);
    }
    player.assert("app.tree.result === '*'");
    other.wait_for(LINES);
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
    page.reload_board();
    assert_eq!(page.questions, 0, "the game is kept");
    wait_turn(&mut page, 2);
    page.assert("app.opponent.level === 1 && app.opponent.left('w') > 150000 && app.opponent.left('w') <= 182000");
    page.press_button("Take back");
    page.wait_ply(0);
    page.drag("f2", "e3", 5);
    wait_turn(&mut page, 2);
    // Seen from elsewhere in the game.
    page.key("Home");
    page.reload_board();
    page.assert("app.node.ply === 0");
    page.key("End");
    wait_turn(&mut page, 2);
    page.press_button("Resign");
    page.press_then("Really resign?", "!app.isPlaying");
    page.reload_board();
    page.wait_text(".verdict", "Vato wins: you resigned");
    // The game stays as it was played. It has ended there, and nowhere else.
    page.assert("app.view.removeButton.disabled");
    page.key_then("ArrowLeft", "app.node.ply === 1 && app.node.known");
    page.assert_text(".verdict", "");
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
    page.wait_text(".alarm", "has stopped");
    // A stone that is taken up meanwhile stays in hand.
    page.value("app.hand.pick('f2')");
    page.call("Network.emulateNetworkConditions", offline(false));
    page.wait_for(&format!("!({ALARM}) && app.opponent.since !== null"));
    page.assert("app.hand.from === 'f2'");
    page.click("#move");
    page.write("f2-e3A");
    page.key("Enter");
    wait_turn(&mut page, 2);
    // In the midst of a search.
    page.call("Network.emulateNetworkConditions", offline(true));
    page.run_then(PLAY, ALARM);
    page.call("Network.emulateNetworkConditions", offline(false));
    wait_turn(&mut page, 4);
    page.check_forgiving(server.origin());
}

/// Whoever waits for a server that stands still is told, also in an analysis; and no clock runs without one, whether it stands
/// still or has ended.
#[test]
fn a_server_that_stands_still_is_missed() {
    let (server, mut page) = opened();
    page.value("server.patience = 200");
    server.signal("STOP");
    page.fill("#move", "f2-e3A");
    page.key("Enter");
    page.wait_text(".alarm", "has stopped");
    server.signal("CONT");
    page.wait_for(&format!("!({ALARM}) && app.node.ply === 1"));
    page.click_then("#engine", "$$('.lines li').length > 0");
    server.signal("STOP");
    page.wait_for(ALARM);
    server.signal("CONT");
    page.wait_for(&format!("!({ALARM})"));
    page.value("app.tree.isChanged = false");
    play(&mut page, "60+1");
    server.signal("STOP");
    page.run_then(LATER, ALARM);
    server.signal("CONT");
    page.wait_for(&format!("!({ALARM})"));
    let port = server.port();
    drop(server);
    page.run_then(LATER, ALARM);
    // To look around does not start them.
    page.key("Home");
    page.key("End");
    page.value(LATER);
    page.assert("app.isPlaying && app.opponent.state.left.w > 50000");
    // At another port there would be another page.
    page.assert(&format!("$('.alarm').textContent.includes('vato gui --port {port}')"));
    page.check_forgiving(&format!("http://127.0.0.1:{port}"));
}

/// What is played while the server is gone is played once, and answered when it is back.
#[test]
fn one_turn_is_played_without_a_server() {
    let (server, mut page) = opened();
    page.begin_with("tsivy", "8w/9/9/9/8b w", "{ person: 'w', level: 12, clock: { base: 60, increment: 10 } }");
    wait_turn(&mut page, 0);
    let port = server.port();
    drop(server);
    page.drag("i5", "i4", 3);
    page.wait_for(ALARM);
    page.key("Home");
    page.drag("i5", "h5", 3);
    page.assert("app.tree.data().nodes.length === 1 && app.view.whilePlaying[0].disabled");
    let server = Server::start_at(&port, &[]);
    page.goto(&server.url);
    page.key("End");
    wait_turn(&mut page, 2);
    page.reload_board();
    wait_turn(&mut page, 2);
    assert!(page.moves().starts_with("i5-i4"));
    page.assert("app.tree.root.children.length === 1 && app.opponent.state.left.w <= 70000");
    // Who looks elsewhere at once is answered all the same.
    page.run_then(&format!("{PLAY}; app.go(app.tree.root)"), "app.tree.line(app.tree.root).length === 5");
    // What is taken back is not where the game ends.
    page.begin_game();
    page.value(PLAY);
    wait_turn(&mut page, 2);
    page.reload_board();
    drop(server);
    page.press_then("Take back", &format!("app.node.ply === 0 && {ALARM}"));
    page.press_button("Resign");
    page.press_then("Really resign?", "!app.isPlaying");
    page.assert("app.node === app.tree.line(app.tree.root).at(-1)");
    page.assert_text(".verdict", "Vato wins: you resigned");
    page.check_forgiving(&format!("http://127.0.0.1:{port}"));
}

/// A game may go on, and end, below the dialog that saves it; what is taken back has not been saved.
#[test]
fn what_is_saved_is_the_game_as_it_is_now() {
    let (server, mut page) = opened();
    page.value("URL.createObjectURL = ((create) => (blob) => { globalThis.file = blob; return create(blob); })(URL.createObjectURL.bind(URL))");
    play(&mut page, "60+1");
    page.value(PLAY);
    wait_turn(&mut page, 2);
    page.press_button("Save");
    page.value(PLAY);
    wait_turn(&mut page, 4);
    page.wait_for(&format!("{TEXT}.includes(app.node.turn.text)"));
    page.press_then("Download", "!app.tree.isChanged");
    page.press_button("Close");
    page.press_button("Take back");
    wait_turn(&mut page, 2);
    page.assert("app.tree.isChanged");
    page.press_then("Save", &format!("{TEXT} !== ''"));
    page.run_then(LATER, "!app.isPlaying");
    page.fill("dialog label:nth-child(3) input", "Cup");
    page.wait_for(&format!("{TEXT}.includes('[Event \"Cup\"]')"));
    page.press_then("Download", "!app.tree.isChanged");
    page.assert(&format!("file.text().then((file) => file === {TEXT})"));
    page.assert(&format!("{TEXT}.includes('[Result \"0-1\"]') && {TEXT}.includes('time forfeit')"));
    page.assert_text(".verdict", "Vato wins: White ran out of time");
    page.check(server.origin());
}

/// What is cancelled while the server is asked does not come after all, nor does a move after the game.
#[test]
fn late_answers_change_nothing() {
    let (server, mut page) = opened();
    page.value("globalThis.ask = ((ask) => async (...asked) => { globalThis.isAsked = true; await globalThis.gate; return ask(...asked); })(ask)");
    let close =
        "globalThis.isAsked = false; globalThis.gate = new Promise((open) => { globalThis.openGate = open; }); null";
    // All that there is comes within this time.
    let release = "(openGate(), new Promise((done) => setTimeout(done, 150)))";
    page.value("globalThis.before = app.tree; null");
    for (button, escapes) in [("New", 0), ("Set up", 1), ("Open", 2), ("Open", 1)] {
        page.value(close);
        page.press_button(button);
        page.value("$('dialog textarea')?.focus()");
        if button == "Open" {
            page.write("1. d3-e3A *");
        }
        page.submit();
        page.wait_for("globalThis.isAsked");
        for _ in 0..escapes {
            page.key("Escape");
        }
        if escapes == 0 {
            page.press_button("Cancel");
        }
        page.value(release);
        page.assert("app.tree === before");
        page.close_dialog();
    }
    play(&mut page, "");
    for end in ["app.opponent.resign()", "app.begin({ rules: 'tsivy' }, { person: 'w', level: 0, clock: null })"] {
        page.value(close);
        page.value("app.view.moveInput.value = 'f2-e3A'; $('.typed').requestSubmit()");
        page.value(&format!("void {end}"));
        page.run_then(release, "app.hand.known || !app.isPlaying");
        page.assert("app.tree.isEmpty");
        if end.contains("resign") {
            page.assert_text(".verdict", "Vato wins: you resigned");
        }
    }
    // What is written after a download has begun is not in it.
    page.begin("{ rules: 'tsivy' }");
    page.fill(".notes textarea", "before");
    page.value(close);
    page.press_button("Save");
    page.press_button("Download");
    page.press_button("Close");
    page.fill(".notes textarea", ", meanwhile");
    page.value(release);
    page.assert("app.hasUnsaved");
    // The game of a dialog stays until it is closed.
    let games = "1. f2-e3A *\n\n1. d3-e3A *\n\n1. e2-e3A *\n";
    page.read(games);
    page.fill(".notes textarea", "of one");
    page.value(close);
    page.click_then("[aria-label='Next game']", "globalThis.isAsked");
    page.press_button("Save");
    page.save_all();
    page.run_then(release, &format!("{TEXT}.includes('of one')"));
    page.assert(&format!("{TEXT}.endsWith({})", json!(games.split_at(13).1)));
    page.assert("app.file.number === 1 && app.hasUnsaved");
    page.press_button("Close");
    page.click_then("[aria-label='Next game']", "app.file.number === 2 && app.hand.known");
    // A server that is back brings no game back.
    page.begin_game();
    page.value("void app.tree.add(app.tree.root, 'f2-e3A:d4c5')");
    page.value(close);
    page.value("void app.begin({ rules: 'tsivy' }); void app.connection()");
    page.run_then(release, "!app.opponent");
    page.assert("app.node === app.tree.root");
    page.check(server.origin());
}

#[test]
fn the_game_outlives_the_server() {
    let (server, mut page) = opened();
    page.drag("f2", "e3", 5);
    page.wait_ply(1);
    let (port, origin) = (server.port(), server.origin().to_owned());
    drop(server);
    page.click("#engine");
    page.wait_text(".alarm", "has stopped");
    page.fill(".notes textarea", "still typed");
    page.press_button("Save");
    page.wait_text("dialog .problem", "kept in this tab");
    page.press_then("Download", "$('dialog .problem').textContent !== ''");
    page.assert("app.hasUnsaved");
    page.press_button("Close");
    let server = Server::start_at(&port, &[]);
    page.wait_text(".alarm", "address bar");
    // It stays so when the page is loaded anew; a wrong address changes nothing.
    page.reload();
    page.wait_for("typeof app !== 'undefined' && app.node?.ply === 1");
    page.wait_text(".alarm", "vato gui");
    page.run_then(&format!("location.hash = '{}'", "0".repeat(64)), "location.hash === ''");
    page.wait_text(".moves", "still typed");
    page.goto(&server.url);
    page.wait_for(&format!("!({ALARM}) && app.hand.known"));
    page.assert_moves("f2-e3A");
    assert!(saved(&mut page, false).contains("{still typed}"));
    // So does the engine, which has been on.
    page.wait_for("$$('.lines li').length > 0 && location.hash === ''");
    // A new address in the same tab does not take the game away either, saved or not, nor does a wrong one.
    let load = |page: &mut Page, secret: &str| {
        page.value(&format!("history.replaceState(null, '', '/#{secret}')"));
        page.reload();
        page.wait_for("$('main')");
    };
    page.value("app.tree.isChanged = false");
    load(&mut page, "abc");
    page.wait_text(".alarm", "address bar");
    load(&mut page, server.token());
    page.wait_board();
    page.assert_moves("f2-e3A");
    page.wait_text(".message", "still here");
    // Where nothing can be read again, the page says what can be done.
    page.value("app.keep = () => keep('game', '{}')");
    load(&mut page, "abc");
    page.wait_text("main [role=alert]", "address bar");
    page.check_forgiving(&origin);
}

#[test]
fn what_is_typed_is_kept_as_it_is_typed() {
    let (server, mut page) = opened();
    page.drag("f2", "e3", 5);
    page.wait_ply(1);
    page.fill(".notes textarea", "half a sent");
    page.value("app.view.moveInput.value = 'd5-d'");
    page.resize(500, 740);
    page.wait_for("isNarrow() && app.view.comment === document.activeElement");
    page.write("ence");
    page.reload_board();
    page.assert("app.view.comment.value === 'half a sentence' && app.view.moveInput.value === 'd5-d'");
    assert!(saved(&mut page, false).contains("{half a sentence}"));
    // What is shown is what is saved; it may look like what engines write.
    page.value("app.view.comment.select()");
    page.write("+M5 a } b\t{\n ");
    assert_eq!(page.value("app.view.comment.value"), "+M5 a } b\t{\n ");
    page.click_then("[aria-label='Turn the board']", "app.view.comment.value === '+M5 a ) b ('");
    page.reload_board();
    assert_eq!(page.value("app.view.comment.value"), "+M5 a ) b (");
    assert!(saved(&mut page, false).contains("{+M5 a ) b (}"));
    // A click right after typing is not lost.
    page.resize(1280, 860);
    page.wait_for("!isNarrow()");
    page.value("app.view.comment.focus()");
    page.write("!");
    page.click_then("[aria-label='Back']", "app.node.ply === 0");
    page.fill(".notes textarea", "at the start");
    // The list has one line more a moment later, and the move is no longer where it was.
    page.wait_text(".moves", "at the start");
    page.click_then(".moves button", "app.node.ply === 1 && app.tree.introduction === 'at the start'");
    page.check(server.origin());
}

/// Nothing is replaced by nothing; bad games are passed over and kept, and what was changed in any game stays.
#[test]
fn a_damaged_file_is_opened_as_far_as_it_goes() {
    const FILE: &str = "[White \"bad\"]\n\n1. f2-e3A (1. d3-e3A *\n\n[White \"two\"]\n\n1. f2-e3A *\n\n\
        [White \"worse\"]\n[FEN \"9/9\"]\n\n*\n\n[White \"four\"]\n\n1. d3-e3A (1. a1-a2 {lost?}) *\n";
    let (server, mut page) = opened();
    page.drag("f2", "e3", 5);
    page.wait_ply(1);
    for nothing in ["hello", "", "{ nothing }", "5/5/4/5/6 w", "5/5/5/5/w4 x", "<html>"] {
        page.open_text(nothing);
        page.wait_text("dialog .problem", "not been saved");
        page.submit();
        page.wait_for("!['', 'What is'].includes($('dialog .problem').textContent.slice(0, 7))");
        page.press_button("Cancel");
        page.assert_moves("f2-e3A");
    }
    page.value("app.tree.isChanged = false");
    // The page is left while a file is being packed: the game of before is no game of that file.
    page.value("GameFile.prototype.keep = ((keep) => async function (wait) { await keep.call(this, wait); globalThis.isKept = true; await new Promise(() => {}); })(GameFile.prototype.keep)");
    page.open_text("1. d3-e3A *\n\n1. e2-e3A *\n");
    page.wait_for("globalThis.isKept");
    page.reload_board();
    page.assert_moves("f2-e3A");
    page.assert("app.file === null");
    page.open_text(FILE);
    page.wait_for("!$('dialog') && app.hand.known && app.tree.tag('White') === 'two'");
    page.assert("/^Cannot be read \\(2\\): Game 1.*Game 3/.test($('.message').textContent)");
    page.wait_text(".movespanel", "Game 2 of 4");
    page.assert("$(\"[aria-label='Previous game']\").disabled");
    page.fill(".notes textarea", "of two");
    page.click_then("[aria-label='Next game']", "app.hand.known && app.tree.tag('White') === 'four'");
    page.assert("/^Kept as text \\(1\\): .*a1-a2/.test($('.message').textContent)");
    page.key("End");
    page.wait_ply(1);
    page.wait_text(".moves", "a1-a2 (lost?)");
    page.fill(".notes textarea", "of four ");
    page.reload_board();
    page.assert("app.file?.number === 4");
    page.click_then("[aria-label='Previous game']", "app.hand.known && app.tree.introduction === 'of two'");
    let all = saved(&mut page, true);
    for part in ["(1. d3-e3A *", "{of two}", "[FEN \"9/9\"]", "of four", "(lost?)"] {
        assert!(all.contains(part), "{part}: {all}");
    }
    page.check_forgiving(server.origin());
}
