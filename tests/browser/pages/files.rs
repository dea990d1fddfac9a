//! Files that are opened in the page.

use serde_json::json;

use crate::browser::Page;
use crate::vato::{moves, opened, opened_with, speak};

const GAMES: &str = "1. f2-e3A *\r\n\r\n1. d3-e3A *\r\n\r\n1. e2-e3A *\r\n";

/// Chooses a file in the dialog: the parts of its content as the page has them.
fn choose_file(page: &mut Page, name: &str, parts: &str) {
    page.value(&format!(
        "(async () => {{ const d = new DataTransfer(); d.items.add(new File(await {parts}, {name:?})); \
         const f = document.querySelector('dialog [type=file]'); f.files = d.files; f.dispatchEvent(new Event('change')); }})()"
    ));
}

/// The parts of a file packed by gzip.
fn packed(parts: &str) -> String {
    format!(
        "new Response(new Blob({parts}).stream().pipeThrough(new CompressionStream('gzip'))).blob().then((all) => [all])"
    )
}

fn submit(page: &mut Page) {
    page.value("document.querySelector('dialog [type=submit]').click()");
}

#[test]
fn what_a_packed_file_unpacks_to_is_limited() {
    let (server, mut page) = opened();
    page.press_button("Open");
    choose_file(&mut page, "large.pgn.gz", &packed("Array(60).fill(' '.repeat(1e6))"));
    let told = |what: &str| format!("document.querySelector('dialog .problem').textContent.includes({what:?})");
    page.wait_for(&told("larger than 8 MiB"));
    submit(&mut page);
    page.wait_for(&told("larger than 8 MiB"));
    choose_file(&mut page, "damaged.gz", "[new Uint8Array([31, 139, 1, 2, 3])]");
    page.wait_for("document.querySelector('dialog .problem').textContent.length > 0");
    assert!(!page.text("dialog .problem").contains("MiB"));
    let told_damaged = "document.querySelector('dialog .problem').textContent.includes('is damaged')";
    page.wait_for(told_damaged);
    let [first, second] = [GAMES.split_at(15).0, GAMES.split_at(15).1].map(|part| packed(&json!([part]).to_string()));
    page.value("document.querySelector('dialog .problem').textContent = ''");
    let both = format!("Promise.all([{first}, {second}]).then((parts) => parts.flat())");
    choose_file(&mut page, "broken_off.gz", &format!("{both}.then((parts) => [new Blob(parts).slice(0, -1)])"));
    page.wait_for(told_damaged);
    // What is in another form is named as on the command line.
    for (name, bytes, form) in [
        ("xz", "253, 55, 122, 88, 90, 0, 4", "compressed by xz"),
        ("utf32", "91, 0, 0, 0, 69, 0, 0, 0", "in UTF-32"),
        ("marked", "255, 254, 0, 0, 91, 0, 0, 0", "in UTF-32"),
    ] {
        choose_file(&mut page, name, &format!("[new Uint8Array([{bytes}])]"));
        page.wait_for(&told(form));
    }
    let twice = packed(&format!("await {}", packed("['1. f2-e3A *']")));
    choose_file(&mut page, "twice.gz", &format!("(async () => {twice})()"));
    page.wait_for(&told("compressed by gzip"));
    // A packed file may have several members.
    choose_file(&mut page, "good.pgn.gz", &both);
    page.wait_for("document.querySelectorAll('dialog option').length === 3");
    assert_eq!(page.text("dialog .problem"), "");
    submit(&mut page);
    page.wait_for("!document.querySelector('dialog') && app.hand.known");
    assert_eq!(page.value("app.file.name"), "good.pgn");
    page.check_forgiving(server.origin());
}

/// Games that are not changed are saved as they were, with their line ends.
#[test]
fn line_ends_of_a_file_stay() {
    let (server, mut page) = opened();
    let one_line = GAMES.replace("\r\n", " ");
    for games in [&one_line, &GAMES.replace('\n', ""), GAMES] {
        page.press_button("Open");
        choose_file(&mut page, "games.pgn", &json!([games]).to_string());
        page.wait_for("document.querySelectorAll('dialog option').length === 3");
        submit(&mut page);
        page.wait_for("!document.querySelector('dialog') && app.hand.known");
        assert_eq!(page.value("app.file.written()"), *games);
    }
    page.fill(".notes textarea", "changed");
    page.click("[aria-label='Next game']");
    page.wait_for("app.file.number === 2 && app.hand.known");
    let all = page.value("app.file.written()");
    let all = all.as_str().expect("text");
    assert!(all.contains("{changed}") && all.ends_with(GAMES.split_at(15).1), "{all}");
    assert!(!all.replace("\r\n", "").contains(['\r', '\n']), "{all:?}");
    // What cannot be opened again, or not be written, is told.
    page.value("app.start.largest = 100");
    page.press_button("Save");
    page.wait_for("document.querySelector('dialog .problem').textContent.includes('cannot open it again')");
    page.value("app.file.edits[3] = { data: { rules: 'none' } }");
    page.wait_for("app.file.written().catch((error) => error.message.startsWith('Game 3: '))");
    page.check_forgiving(server.origin());
}

/// The command reads all that *Open* does.
#[test]
fn the_command_opens_what_the_page_opens() {
    let folder = tempfile::tempdir().expect("a folder");
    let gz = [
        31, 139, 8, 0, 0, 0, 0, 0, 2, 3, 51, 212, 83, 72, 51, 210, 77, 53, 118, 84, 208, 226, 2, 0, 70, 239, 246, 3,
        12, 0, 0, 0,
    ];
    let wide: Vec<u8> = "\u{feff}1. f2-e3A *\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
    let positions = b"5/2b2/5/2w2/5 w\n\nposition fen 9/3b5/2w6/9/9 b\n";
    let many = "9/3b5/2w6/9/9 w\n".repeat(10_000) + "5/2b2/5/2w2/5 w\n";
    for (name, bytes, told) in [
        ("a.pgn.gz", &gz[..], "f2-e3A,9x5"),
        ("a.pgn", &wide, "f2-e3A,9x5"),
        ("a.fen", positions, ",5x5"),
        ("a.fen#2", positions, ",9x5"),
        ("a.fen#10001", many.as_bytes(), ",5x5"),
    ] {
        let path = folder.path().join(name);
        let file = path.to_str().expect("UTF-8");
        std::fs::write(file.split('#').next().expect("a name"), bytes).expect("written");
        let (server, mut page) = opened_with(&[file]);
        let found = "[app.tree.line(app.tree.root).slice(1).map(({ turn }) => turn.text).join(' '), `${app.tree.columns}x${app.tree.rows}`].join()";
        assert_eq!(page.value(found), told, "{name}");
        page.check(server.origin());
    }
    let path = folder.path().join("damaged.gz");
    std::fs::write(&path, &gz[..20]).expect("written");
    // A board is there all the same.
    let (_server, mut page) = opened_with(&[path.to_str().expect("UTF-8")]);
    page.wait_for("document.body.textContent.includes('damaged')");
}

/// A file is the text that it is for the program. What is damaged in one place is right elsewhere.
#[test]
fn a_damaged_text_is_read_as_by_the_program() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("damaged.pgn");
    let bytes = b"[White \"Jos\xc3\xa9\"]\n[Black \"Ren\xe9\"]\r\n\r1. f2-e3A \
        {\x80 \xe2\x82\xac \xed\xa0\x80 \xef\xbb\xbf} *\n; caf\xc3";
    std::fs::write(&file, bytes).expect("written");
    let (server, mut page) = opened_with(&[file.to_str().expect("a path")]);
    let mut read = |bytes: &[u8]| page.value(&format!("textOf(new Blob([new Uint8Array({})]), 1e6)", json!(bytes)));
    let text = read(bytes);
    assert!(text.as_str().expect("a text").contains("José"));
    assert_eq!(read(b"\xff\xfe[\0\0\xd8]\0\n"), "[\u{fffd}]\u{fffd}");
    assert_eq!(page.value("app.file.pgn"), text);
    page.check(server.origin());
}

/// Neither the number of games that have been changed nor their length keeps them from being saved; a page that asks for
/// too much at a time waits.
#[test]
fn many_changed_games_are_saved() {
    let (server, mut page) = opened();
    page.value("app.read({ pgn: '[White \"a { b\"]\\n% kept\\n{\\n% not}\\n' + '1. f2-e3A *\\n\\n'.repeat(600) })");
    page.wait_for("app.file?.count === 600 && app.hand.known");
    page.value("for (let number = 1; number < 600; number += 1) { app.file.edits[number] = { data: { ...app.tree.data(), introduction: `game ${number} ${'x'.repeat(number < 4 ? 6e5 : 1)}` } }; }");
    let all = "app.file.written().then((text) => [text.match(/\\{game \\d+/g).length, text.slice(0, 8)])";
    assert_eq!(page.value(all), json!([599, "% kept\n["]));
    let requests = page.requests.iter();
    assert_eq!(requests.filter(|url| url.ends_with("/write-all")).count(), 2);
    // A game may have grown longer than those that are opened.
    page.value("for (let parent = app.tree.root.children[0], ply = 1; ply <= 10000; ply += 1) { parent = app.tree.add(parent, ply % 2 ? 'd5-d4' : 'd4-d5'); } null");
    page.press_button("Save");
    page.wait_for("document.querySelector('dialog textarea').value.startsWith('[')");
    assert_eq!(page.text("dialog .problem"), "More than 10,000 moves: this page cannot open it again");
    page.press_button("Close");
    let many = "Promise.all(Array.from({ length: 350 }, () => ask('/text', ' '))).then((answers) => answers.length)";
    assert_eq!(page.value(many), 350);
    page.check_forgiving(server.origin());
}

/// The list of games is that of the text which is there.
#[test]
fn another_text_has_another_list() {
    let (server, mut page) = opened();
    page.press_button("Open");
    page.fill("dialog textarea", &GAMES.replace('\r', ""));
    page.key("Tab");
    page.wait_for("document.querySelectorAll('dialog option').length === 3");
    page.choose("dialog [aria-label=Games]", "2");
    // A file takes nothing away that has been typed.
    let typed = page.value("document.querySelector('dialog textarea').value");
    let text = "1. d3-e3A *\n\n1. e2-e3A *";
    choose_file(&mut page, "other.pgn", &json!([text]).to_string());
    page.wait_for("document.querySelectorAll('dialog option').length === 2");
    assert_eq!(page.value("document.querySelector('dialog textarea').value"), typed);
    let note = "dialog p[role=status]";
    assert!(page.text(note).contains("file will be opened"));
    page.value("document.querySelector('dialog textarea').select()");
    page.fill("dialog textarea", "1. e2-e3A *");
    assert_eq!(page.text(note), "");
    assert_eq!(page.value("document.querySelector('dialog select').checkVisibility()"), false);
    submit(&mut page);
    page.wait_for("!document.querySelector('dialog') && app.hand.known");
    page.key("End");
    page.wait_for("app.node.ply === 1");
    assert_eq!(moves(&mut page), "e2-e3A");
    page.check(server.origin());
}

/// A button that is pressed does not move away when the text that is left changes the dialog.
#[test]
fn what_is_pressed_stays_where_it_is() {
    let (server, mut page) = opened();
    page.press_button("Open");
    page.fill("dialog textarea", &GAMES.replace('\r', ""));
    page.click_slowly("dialog [type=submit]");
    page.wait_for("!document.querySelector('dialog') && app.file?.count === 3 && app.hand.known");
    page.press_button("Set up");
    page.click_point("a1");
    page.value("document.querySelector('dialog [aria-label=FEN]').select()");
    page.fill("dialog [aria-label=FEN]", "www/3/bbb w");
    page.click_slowly("dialog h2");
    page.wait_for("document.querySelectorAll('dialog .spot').length === 9");
    // An empty field is not another position than the board that is shown.
    page.value("document.querySelector('dialog [aria-label=FEN]').select()");
    page.fill("dialog [aria-label=FEN]", "9/9/4w4/9/8b b");
    page.click_slowly("dialog h2");
    page.wait_for("document.querySelectorAll('dialog .spot').length === 45");
    // A rank is missing: there is no such board.
    page.value("document.querySelector('dialog [aria-label=FEN]').select()");
    page.fill("dialog [aria-label=FEN]", "9/3b5/2w1b4/9 w");
    page.click_slowly("dialog h2");
    let spots = "[...document.querySelectorAll('dialog .spot')]";
    assert_eq!(
        page.value(&format!(
            "{spots}.filter((spot) => /, (White|Black|empty)$/.test(spot.getAttribute('aria-label'))).length"
        )),
        45
    );
    page.value("document.querySelector('dialog [aria-label=FEN]').select()");
    page.fill("dialog [aria-label=FEN]", " ");
    page.click("dialog [type=submit]");
    page.wait_for("!document.querySelector('dialog') && app.hand.known");
    assert_eq!(page.value("app.tree.start"), "9/9/4w4/9/8b b 0 2");
    page.check_forgiving(server.origin());
}

/// What is shown is what is saved: comments without braces, and of each tag one.
#[test]
fn what_is_read_is_shown_as_it_is_saved() {
    let (server, mut page) = opened();
    let pgn = "[White \"Alice\"]\n[White \"Bob\"]\n[Result \"1-0\"]\n\n{in {} 1. f2-e3A {a {} ({b {} 1. d3-e3A) zz {c} (x {y}) $5 0-1";
    page.value(&format!("app.read({{ pgn: {pgn:?} }})"));
    page.wait_for("app.tree.tag('White') === 'Alice' && app.hand.known");
    let message = page.text(".message");
    assert!(
        message.contains("line 2: 'White' is given twice")
            && message.contains("the tag Result says 1-0, but the moves end with 0-1"),
        "{message}"
    );
    page.press_button("Save");
    page.value("document.querySelector('dialog input').select()");
    page.fill("dialog input", "Rabe");
    let text = "document.querySelector('dialog textarea').value";
    page.wait_for(&format!("{text}.includes('Rabe')"));
    let saved = page.value(text);
    let saved = saved.as_str().expect("PGN");
    let shown = page.text(".moves");
    for part in ["[White \"Bob\"]", "[Result \"1-0\"]", "in ( [", "a ( zz $5 (c) (x (y))", "b ("] {
        assert!(saved.contains(part) && shown.contains(part), "{part}: {saved}\n{shown}");
    }
    assert!(saved.contains("\n[White \"Rabe\"]") && !saved.contains("Alice"), "{saved}");
    page.check(server.origin());
}

/// Of a file of very many games the first are listed, and all are saved.
#[test]
fn games_that_are_not_listed_are_saved() {
    let (server, mut page) = opened();
    page.press_button("Open");
    let game = "1. f2-e3A *\n\n";
    choose_file(&mut page, "many.pgn", &format!("['{}'.repeat(10001)]", game.escape_default()));
    page.wait_for("document.querySelectorAll('dialog option').length === 10001");
    submit(&mut page);
    page.wait_for("!document.querySelector('dialog') && app.hand.known");
    let only = "Only the first 10,000 games are listed";
    assert_eq!(page.text(".message"), only);
    assert!(page.text(".movespanel").contains("Game 1 of 10000"));
    page.value("app.turnTo(10000)");
    page.wait_for("app.file.number === 10000 && app.hand.known");
    page.fill(".notes textarea", "changed");
    page.wait_for("app.tree.isChanged && app.file.stash(app.tree)");
    let all = page.value("app.file.written()");
    let all = all.as_str().expect("text");
    assert!(all.contains("{changed}") && all.ends_with(&format!("*\n\n{game}")));
    assert_eq!(all.matches("f2-e3A *").count(), 10_001);
    page.check(server.origin());
}

/// Of several positions one is chosen, as of several games. A game that is over is won by who has won.
#[test]
fn one_of_several_positions_is_opened() {
    let (server, mut page) = opened();
    for (chosen, score) in [("1", "+M0"), ("2", "−M0")] {
        page.press_button("Open");
        let fens = "['; two positions\\n9/9/4w4/9/9 b\\n\\n9/9/4b4/9/9 w\\n']";
        choose_file(&mut page, "two.fen", fens);
        page.wait_for("document.querySelectorAll('dialog option').length === 2");
        page.choose("dialog [aria-label=Games]", chosen);
        // What is on the board would be lost.
        submit(&mut page);
        submit(&mut page);
        page.wait_for("!document.querySelector('dialog') && app.hand.known");
        if chosen == "1" {
            page.click("#engine");
        }
        let value = "document.querySelector('.lines .value')?.textContent";
        page.wait_for(&format!("{value} === '{score}'"));
        page.wait_for(&format!("app.engine.bar.title === '{score} for White'"));
    }
    page.check(server.origin());
}

/// Of many positions the first are listed, and that there are more is said.
#[test]
fn not_all_of_many_positions_are_listed() {
    let (server, mut page) = opened();
    page.press_button("Open");
    choose_file(
        &mut page,
        "many.fen",
        "['9/9/4w4/3b5/9 w\\n'.repeat(10001)]",
    );
    page.wait_for("document.querySelectorAll('dialog option').length === 10001");
    assert_eq!(
        page.text("dialog option:last-child"),
        "Only the first 10,000 positions are listed"
    );
    page.check(server.origin());
}

/// Where a tab has no room for a file, the page says so when it is loaded anew.
#[test]
fn a_file_that_is_not_kept_is_missed() {
    let (server, mut page) = opened();
    page.value("sessionStorage.setItem('filler', 'x'.repeat(5.2e6 - JSON.stringify(sessionStorage).length))");
    page.press_button("Open");
    let noise = "btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(60000))))";
    let game = format!("`1. f2-e3A {{${{{noise}}}}} *\\n\\n1. d3-e3A *`");
    page.value(&format!("document.querySelector('dialog textarea').value = {game}"));
    submit(&mut page);
    page.wait_for("!document.querySelector('dialog') && app.hand.known");
    page.wait_for("document.querySelector('.message').textContent.includes('too large')");
    page.fill(".notes textarea", "lost");
    page.click("[aria-label='Next game']");
    page.wait_for("app.file.number === 2 && app.hand.known");
    assert_eq!(page.value("app.hasUnsaved"), true);
    page.reload();
    page.wait_for("typeof app !== 'undefined' && app.hand.known");
    assert_eq!(page.questions, 1);
    page.wait_for("document.querySelector('.message').textContent.startsWith('The other games of the file, with your changes, could not be kept')");
    // There is room for the file, but not for what was changed in the game before, or in the one that is shown.
    for number in [2, 1] {
        page.value("sessionStorage.removeItem('rest')");
        page.value(&format!("app.read({{ pgn: {} }})", json!(GAMES)));
        page.wait_for("app.hand.known && app.file?.count === 3");
        page.fill(".notes textarea", "changed");
        page.value("app.keep()");
        page.value("for (let size = 2 ** 16; size >= 1; size /= 2) { try { sessionStorage.rest = (sessionStorage.rest ?? '') + 'x'.repeat(size); } catch { } }");
        if number == 2 {
            page.click("[aria-label='Next game']");
        } else {
            page.write(" again");
        }
        page.wait_for("document.querySelector('.message').textContent.includes('too large')");
        page.reload();
        page.wait_for("typeof app !== 'undefined' && app.hand.known");
        page.wait_for("document.querySelector('.message').textContent.startsWith('The other games of the file, with your changes, could not be kept')");
        assert_eq!(
            page.value("[app.file, app.tree.introduction]"),
            json!([null, if number == 2 { "" } else { "changed again" }])
        );
    }
    // A browser that keeps nothing at all is told of once.
    // All at once: what the page keeps by itself in between would be told of.
    assert_eq!(
        page.value(
            "Storage.prototype.setItem = () => { throw new Error('refused'); }; [1, 2].map(() => { app.view.say(''); app.keep(); \
             return document.querySelector('.message').textContent.slice(0, 26); })"
        ),
        json!(["This browser keeps nothing", ""])
    );
    // It takes the address that it asks for.
    page.call("Page.addScriptToEvaluateOnNewDocument", json!({ "source": "Object.defineProperty(window, 'sessionStorage', { get() { throw new Error('refused'); } })" }));
    page.reload();
    page.wait_for("document.querySelector('.alarm')?.textContent.includes('address bar') || document.querySelector('main [role=alert]')?.textContent.includes('address bar')");
    page.value(&format!("location.hash = '{}'", server.token()));
    page.wait_for("app.hand.known");
    page.check_forgiving(server.origin());
}

/// A file that is dropped on the page, or a text that is pasted, is to be opened, in whatever format it is.
#[test]
fn files_are_dropped_and_texts_pasted() {
    let (server, mut page) = opened();
    page.value(
        "{ const data = new DataTransfer(); data.items.add(new File(['game=', 'x'], 'a.trl')); \
         document.querySelector('main').dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true })); }",
    );
    page.wait_for("document.querySelector('dialog .problem').textContent.includes('expected Fanorona.lud')");
    page.key("Escape");
    page.wait_for("!document.querySelector('dialog')");
    page.value(
        "{ const data = new DataTransfer(); data.setData('text', '1. f2e3+ d5d4+'); \
         document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true })); }",
    );
    page.wait_for("document.querySelector('dialog textarea')?.value === '1. f2e3+ d5d4+'");
    submit(&mut page);
    page.wait_for("!document.querySelector('dialog') && app.hand.known && app.tree.root.children.length === 1");
    assert_eq!(page.value("app.tree.line(app.tree.root).length"), 3);
    // Of several games those that are damaged are named.
    let sgf = include_str!("../../data/games/boardspace.sgf");
    let damaged = sgf.replace("Capture A F 2 E 3", "Capture W F 2 E 3");
    page.value(&format!(
        "{{ const data = new DataTransfer(); data.setData('text', {:?}); \
         document.body.dispatchEvent(new ClipboardEvent('paste', {{ clipboardData: data, bubbles: true }})); }}",
        format!("{damaged}{sgf}")
    ));
    page.wait_for("document.querySelector('dialog textarea')?.value.startsWith('(;')");
    submit(&mut page);
    page.wait_for("document.querySelector('.message').textContent.includes('nothing to capture by withdrawal')");
    assert_eq!(page.value("app.tree.line(app.tree.root).length"), 39);
    page.check_forgiving(server.origin());
}

/// They are not kept, and the page does not say so.
#[test]
fn games_of_another_format_that_cannot_be_read_are_left_out() {
    let (server, mut page) = opened();
    let record = |moves: &str| {
        format!(
            "{{\"header\":{{\"game\":{{\"name\":\"Fanorona\"}},\"players\":[{{\"name\":\"a\"}},{{\"name\":\"b\"}}]}},\"moves\":{moves}}}"
        )
    };
    let good = record("[[\"f2e3+\",\"d5d4+\"]]");
    let records = format!("[{good},\n{},\n{good}]", record("[[\"a1a9\"]]"));
    speak(&mut page, "fr");
    page.press_button("Ouvrir");
    choose_file(&mut page, "mine.json", &json!([records]).to_string());
    page.wait_for("document.querySelectorAll('dialog option').length === 3");
    let left_out = "Partie 2\u{a0}: ligne 2\u{a0}: ";
    assert!(page.text("dialog").contains(left_out));
    submit(&mut page);
    page.wait_for("!document.querySelector('dialog') && app.hand.known && app.file?.count === 3");
    let told = page.text(".message");
    assert!(told.starts_with("Laissées de côté et non enregistrées (1)\u{a0}: Partie 2\u{a0}: ligne "), "{told}");
    page.reload();
    page.wait_for("typeof app !== 'undefined' && app.file && app.hand.known");
    assert!(page.text(".movespanel").contains("Parties non valables, laissées de côté\u{a0}: 1"));
    page.press_button("Sauver");
    page.value("(() => { const s = [...document.querySelectorAll('dialog select')].find((s) => s.value === 'game'); s.value = 'file'; s.dispatchEvent(new Event('change')); })()");
    page.wait_for("document.querySelector('dialog .problem').textContent.startsWith('Laissées de côté')");
    // What is not in the page's words says so.
    let read = "translated('line 3: no record of a kind')";
    assert_eq!(page.value(read), "ligne 3\u{a0}: no record of a kind (en anglais)");
    page.check(server.origin());
}

/// A game of a file is read like the file, however it is come to.
#[test]
fn a_game_by_itself_is_not_taken_for_another_format() {
    let (server, mut page) = opened();
    page.value(
        "app.read({ pgn: '1. f2-e3A d5-d4A *\\n\\n1. f2e3+ d5d4+ *\\n\\n[White \"x\"]\\n\\n1. f2-e3A a1-a2 *' })",
    );
    page.wait_for("app.hand.known && app.file?.count === 3");
    page.click("[aria-label='Next game']");
    page.wait_for("app.hand.known && app.file.number === 2");
    assert_eq!(page.value("app.tree.rules"), "tsivy");
    page.click("[aria-label='Next game']");
    page.wait_for("app.hand.known && app.file.number === 3");
    assert!(page.text(".message").starts_with("Kept as text (1): line 7: "));
    page.check(server.origin());
}
