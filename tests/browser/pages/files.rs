//! Files that are opened in the page.

use serde_json::json;

use crate::browser::Page;
use crate::vato::{opened, opened_with, site};

const GAMES: &str = "1. f2-e3A *\r\n\r\n1. d3-e3A *\r\n\r\n1. e2-e3A *\r\n";

/// Chooses a file in the dialog: the parts of its content as the page has them.
fn choose_file(page: &mut Page, name: &str, parts: &str) {
    page.value(&format!(
        "(async () => {{ const data = new DataTransfer(); data.items.add(new File(await {parts}, {name:?})); \
         const input = $('dialog [type=file]'); input.files = data.files; input.dispatchEvent(new Event('change')); }})()"
    ));
}

/// The parts of a file packed by gzip.
fn packed(parts: &str) -> String {
    format!(
        "new Response(new Blob({parts}).stream().pipeThrough(new CompressionStream('gzip'))).blob().then((all) => [all])"
    )
}

/// A file may be packed, of several members, and in another form, as far as it is not too large or damaged. What is no text for the
/// page is told as on the command line.
#[test]
fn files_come_in_many_forms() {
    let (server, mut page) = opened();
    let [first, second] = [GAMES.split_at(15).0, GAMES.split_at(15).1].map(|part| packed(&json!([part]).to_string()));
    let both = format!("Promise.all([{first}, {second}]).then((parts) => parts.flat())");
    let large = packed("Array(60).fill(' '.repeat(1e6))");
    let twice = packed(&format!("await {}", packed("['1. f2-e3A *']")));
    let bytes = |bytes: &[u8]| format!("[new Uint8Array({})]", json!(bytes));
    for (parts, told) in [
        (bytes(&[31, 139, 1, 2, 3]), "is damaged"),
        (format!("{both}.then((parts) => [new Blob(parts).slice(0, -1)])"), "is damaged"),
        (format!("(async () => {twice})()"), "compressed by gzip"),
        (bytes(&[253, 55, 122, 88, 90, 0, 4]), "compressed by xz"),
        (bytes(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR"), "this is no text"),
        (bytes(b"[\0\0\0E\0\0\0"), "in UTF-32"),
        (bytes(b"\xff\xfe\0\0[\0\0\0"), "in UTF-32"),
        (bytes(b"\xff\xfe[\0\0\xd8]\0\n"), "[\u{fffd}]\u{fffd}"),
    ] {
        let read = page.value(&format!(
            "(async () => textOf(new Blob(await {parts}), app.start.largest).catch(({{ message }}) => message))()"
        ));
        assert!(read.as_str().expect("a text").contains(told), "{told}: {read}");
    }
    page.press_button("Open");
    choose_file(&mut page, "large.pgn.gz", &large);
    page.wait_text("dialog .problem", "larger than 8 MiB");
    page.submit();
    page.wait_text("dialog .problem", "larger than 8 MiB");
    choose_file(&mut page, "good.pgn.gz", &both);
    page.wait_for("$$('dialog option').length === 3");
    page.assert_text("dialog .problem", "");
    page.submit();
    page.wait_closed();
    page.assert("app.file.name === 'good.pgn'");
    page.check_forgiving(server.origin());
}

/// The command reads all that *Open* does, and a file is the text for the page that it is for the program. What is damaged in one
/// place is right elsewhere.
#[test]
fn the_command_opens_what_the_page_opens() {
    let folder = tempfile::tempdir().expect("a folder");
    let gz = [
        31, 139, 8, 0, 0, 0, 0, 0, 2, 3, 51, 212, 83, 72, 51, 210, 77, 53, 118, 84, 208, 226, 2, 0, 70, 239, 246, 3,
        12, 0, 0, 0,
    ];
    let positions = b"5/2b2/5/2w2/5 w\n\nposition fen 9/3b5/2w6/9/9 b\n";
    let damaged = b"[White \"Jos\xc3\xa9\"]\n[Black \"Ren\xe9\"]\r\n\r1. f2-e3A \
        {\x80 \xe2\x82\xac \xed\xa0\x80 \xef\xbb\xbf} *\n; caf\xc3";
    let many = "9/3b5/2w6/9/9 w\n".repeat(10_000) + "5/2b2/5/2w2/5 w\n";
    for (name, bytes, told) in [
        ("a.pgn.gz", &gz[..], "f2-e3A,9x5"),
        ("a.fen#2", positions, ",9x5"),
        ("a.fen#10001", many.as_bytes(), ",5x5"),
        ("damaged.pgn", damaged, "f2-e3A,9x5"),
    ] {
        let path = folder.path().join(name);
        let file = path.to_str().expect("UTF-8");
        std::fs::write(file.split('#').next().expect("a name"), bytes).expect("written");
        let (server, mut page) = opened_with(&[file]);
        let found = "[app.tree.line(app.tree.root).slice(1).map(({ turn }) => turn.text).join(' '), `${app.tree.columns}x${app.tree.rows}`].join()";
        assert_eq!(page.value(found), told, "{name}");
        if name == "damaged.pgn" {
            page.assert(&format!("textOf(new Blob([new Uint8Array({})]), 1e6).then((text) => text.includes('José') && text === app.file.pgn)", json!(bytes)));
        }
        page.check(server.origin());
    }
    let path = folder.path().join("damaged.gz");
    std::fs::write(&path, &gz[..20]).expect("written");
    // A board is there all the same.
    let (_server, mut page) = opened_with(&[path.to_str().expect("UTF-8")]);
    page.wait_for("document.body.textContent.includes('damaged')");
}

/// What is shown is what is saved: comments without braces, and of each tag one; and games that are not changed are saved as they
/// were, with their line ends.
#[test]
fn what_is_read_is_shown_as_it_is_saved() {
    let (server, mut page) = opened();
    page.read("[White \"Alice\"]\n[White \"Bob\"]\n[Result \"1-0\"]\n\n{in {} 1. f2-e3A {a {} ({b {} 1. d3-e3A) zz {c} (x {y}) $5 0-1");
    page.assert("app.tree.tag('White') === 'Alice'");
    page.wait_text(".message", "line 2: 'White' is given twice");
    page.wait_text(".message", "the tag Result says 1-0, but the moves end with 0-1");
    page.press_button("Save");
    page.value("$('dialog input').select()");
    page.fill("dialog input", "Rabe");
    page.wait_for("$('dialog textarea').value.includes('\\n[White \"Rabe\"]')");
    let saved = page.value("$('dialog textarea').value").as_str().expect("PGN").to_owned();
    let shown = page.text(".moves");
    for part in ["[White \"Bob\"]", "[Result \"1-0\"]", "in { [", "a ( zz $5 (c) (x (y))", "b {"] {
        assert!(saved.contains(part) && shown.contains(part), "{part}: {saved}\n{shown}");
    }
    assert!(!saved.contains("Alice"), "{saved}");
    page.close_dialog();
    for games in [&GAMES.replace("\r\n", " "), &GAMES.replace('\n', ""), GAMES] {
        page.read(games);
        page.assert("app.file.count === 3");
        assert_eq!(page.value("app.file.written()"), *games);
    }
    page.fill(".notes textarea", "changed");
    page.click_then("[aria-label='Next game']", "app.file.number === 2 && app.hand.known");
    let all = page.value("app.file.written()");
    let all = all.as_str().expect("text");
    assert!(all.contains("{changed}") && all.ends_with(GAMES.split_at(15).1), "{all}");
    assert!(!all.replace("\r\n", "").contains(['\r', '\n']), "{all:?}");
    // What cannot be opened again, or not be written, is told.
    page.value("app.start.largest = 100");
    page.press_button("Save");
    page.wait_text("dialog .problem", "cannot open it again");
    page.value("app.file.edits[3] = { data: { rules: 'none' } }");
    page.assert("app.file.written().catch((error) => error.message.startsWith('Game 3: '))");
    page.check_forgiving(server.origin());
}

/// Neither the number of games nor that of those that have been changed, nor their length keeps them from being saved; a page that
/// asks for too much at a time waits.
#[test]
fn many_games_are_saved() {
    let (server, mut page) = opened();
    page.value("app.read({ pgn: '[White \"a { b\"]\\n% kept\\n{\\n% not}\\n' + '1. f2-e3A *\\n\\n'.repeat(600) })");
    page.assert("app.file.count === 600");
    page.value("for (let number = 1; number < 600; number += 1) { app.file.edits[number] = { data: { ...app.tree.data(), introduction: `game ${number} ${'x'.repeat(number < 4 ? 6e5 : 1)}` } }; }");
    let all = "app.file.written().then((text) => [text.match(/\\{game \\d+/g).length, text.slice(0, 8)])";
    assert_eq!(page.value(all), json!([599, "% kept\n["]));
    if site().is_none() {
        assert_eq!(page.requests.iter().filter(|url| url.ends_with("/write-all")).count(), 2);
        page.assert(
            "Promise.all(Array.from({ length: 350 }, () => ask('/text', ' '))).then(({ length }) => length === 350)",
        );
    }
    // A game may have grown longer than those that are opened.
    page.value("for (let parent = app.tree.root.children[0], ply = 1; ply <= 10000; ply += 1) { parent = app.tree.add(parent, ply % 2 ? 'd5-d4' : 'd4-d5'); } null");
    page.press_then("Save", "$('dialog textarea').value.startsWith('[')");
    page.assert_text("dialog .problem", "More than 10,000 moves: this page cannot open it again");
    page.press_button("Close");
    // The first ones are listed.
    page.value("app.read({ pgn: '1. f2-e3A *\\n\\n'.repeat(10001) })");
    page.assert_text(".message", "Only the first 10,000 games are listed");
    page.wait_text(".movespanel", "Game 1 of 10000");
    page.run_then("app.turnTo(10000)", "app.file.number === 10000 && app.hand.known");
    page.fill(".notes textarea", "changed");
    page.wait_for("app.tree.isChanged && app.file.stash(app.tree)");
    page.assert("app.file.written().then((all) => all.includes('{changed}') && all.endsWith('*\\n\\n1. f2-e3A *\\n\\n') && all.match(/f2-e3A \\*/g).length === 10001)");
    page.check_forgiving(server.origin());
}

/// The list of games is that of the text which is there. A button that is pressed does not move away when the text that
/// is left changes the dialog. A file that is dropped on the page, or a text that is pasted, is to be opened, in
/// whatever format it is. A game of a file is read like the file, however it is come to.
#[test]
fn texts_and_files_are_chosen_dropped_and_pasted() {
    let (server, mut page) = opened();
    page.press_button("Open");
    page.fill("dialog textarea", &GAMES.replace('\r', ""));
    page.key_then("Tab", "$$('dialog option').length === 3");
    page.choose("dialog [aria-label=Games]", "2");
    // A file takes nothing away that has been typed.
    let typed = page.value("$('dialog textarea').value");
    choose_file(&mut page, "other.pgn", &json!(["1. d3-e3A *\n\n1. e2-e3A *"]).to_string());
    page.wait_for("$$('dialog option').length === 2");
    assert_eq!(page.value("$('dialog textarea').value"), typed);
    page.wait_text("dialog p[role=status]", "file will be opened");
    page.value("$('dialog textarea').select()");
    page.fill("dialog textarea", "1. e2-e3A *");
    page.assert_text("dialog p[role=status]", "");
    page.assert("!$('dialog select').checkVisibility()");
    page.submit();
    page.wait_closed();
    page.key("End");
    page.wait_ply(1);
    page.assert_moves("e2-e3A");
    page.press_button("Open");
    page.fill("dialog textarea", &GAMES.replace('\r', ""));
    page.click_slowly("dialog [type=submit]");
    page.wait_for("!$('dialog') && app.file?.count === 3 && app.hand.known");
    // Of several positions one is chosen, as of several games. A game that is over is won by who has won.
    for (chosen, end) in [("1", "White wins: Black has no stones left"), ("2", "Black wins: White has no stones left")]
    {
        page.press_button("Open");
        choose_file(&mut page, "two.fen", "['; two positions\\n9/9/4w4/9/9 b\\n\\n9/9/4b4/9/9 w\\n']");
        page.wait_for("$$('dialog option').length === 2");
        page.choose("dialog [aria-label=Games]", chosen);
        page.value("app.tree.isChanged = false");
        page.submit();
        page.wait_closed();
        if chosen == "1" {
            page.click("#engine");
        }
        page.wait_for(&format!("app.engine.isOn && app.engine.bar.title === '{end}' && !$('.lines .value')"));
    }
    page.value("app.tree.isChanged = false, app.engine.turnOff()");
    page.begin("{ rules: 'tsivy' }");
    page.value(
        "{ const data = new DataTransfer(); data.items.add(new File(['game=', 'x'], 'a.trl')); \
         $('main').dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true })); }",
    );
    page.wait_text("dialog .problem", "expected Fanorona.lud");
    page.close_dialog();
    page.paste("1. f2e3+ d5d4+");
    page.wait_for("$('dialog textarea')?.value === '1. f2e3+ d5d4+'");
    page.submit();
    page.wait_for("!$('dialog') && app.hand.known && app.tree.line(app.tree.root).length === 3");
    // Of several games those that are damaged are named.
    let sgf = include_str!("../../data/games/boardspace.sgf");
    let damaged = sgf.replace("Capture A F 2 E 3", "Capture W F 2 E 3");
    page.paste(&format!("{damaged}{sgf}"));
    page.wait_for("$('dialog textarea')?.value.startsWith('(;')");
    page.submit();
    page.wait_text(".message", "nothing to capture by withdrawal");
    page.assert("app.tree.line(app.tree.root).length === 39");
    page.read("1. f2-e3A d5-d4A *\n\n1. f2e3+ d5d4+ *\n\n[White \"x\"]\n\n1. f2-e3A a1-a2 *");
    page.value("app.turnTo(2)");
    page.assert("app.file.number === 2 && app.tree.rules === 'tsivy'");
    page.value("app.turnTo(3)");
    page.wait_text(".message", "Kept as text (1): line 7: ");
    page.check_forgiving(server.origin());
}

/// Where a tab has no room for a file, the page says so when it is loaded anew.
#[test]
fn a_file_that_is_not_kept_is_missed() {
    const LOST: &str = "The other games of the file, with your changes, could not be kept";
    let (server, mut page) = opened();
    page.value("sessionStorage.setItem('filler', 'x'.repeat(5.2e6 - JSON.stringify(sessionStorage).length))");
    let noise = "btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(60000))))";
    page.value(&format!("app.read({{ pgn: `1. f2-e3A {{${{{noise}}}}} *\\n\\n1. d3-e3A *` }})"));
    page.wait_text(".message", "too large");
    page.fill(".notes textarea", "lost");
    page.click_then("[aria-label='Next game']", "app.file.number === 2 && app.hand.known && app.hasUnsaved");
    page.reload_board();
    assert_eq!(page.questions, 1);
    page.wait_text(".message", LOST);
    // There is room for the file, but not for what was changed in the game before, or in the one that is shown.
    for number in [2, 1] {
        page.value("sessionStorage.removeItem('rest')");
        page.read(GAMES);
        page.fill(".notes textarea", "changed");
        page.value("app.keep()");
        // At once, as the page keeps what there is every now and then.
        let then = match number {
            2 => "$(\"[aria-label='Next game']\").click()",
            _ => "document.execCommand('insertText', false, ' again')",
        };
        page.value(&format!(
            "for (let size = 2 ** 16; size >= 1; size /= 2) {{ try {{ sessionStorage.rest = (sessionStorage.rest ?? '') + 'x'.repeat(size); }} catch {{ }} }} {then}"
        ));
        page.wait_text(".message", "too large");
        page.reload_board();
        page.wait_text(".message", LOST);
        let introduction = if number == 2 { "" } else { "changed again" };
        assert_eq!(page.value("[app.file, app.tree.introduction]"), json!([null, introduction]));
    }
    // A browser that keeps nothing at all is told of once: all at once, as what the page keeps by itself in between would be told of.
    assert_eq!(
        page.value(
            "Storage.prototype.setItem = () => { throw new Error('refused'); }; [1, 2].map(() => { app.view.say(''); app.keep(); \
             return $('.message').textContent.slice(0, 26); })"
        ),
        json!(["This browser keeps nothing", ""])
    );
    // It takes the address that it asks for.
    page.run_first("Object.defineProperty(window, 'sessionStorage', { get() { throw new Error('refused'); } })");
    page.reload();
    page.wait_for("$$('.alarm, main [role=alert]').some((one) => one.textContent.includes('address bar'))");
    page.run_then(&format!("location.hash = '{}'", server.token()), "app.hand.known");
    page.check_forgiving(server.origin());
}

/// They are not kept, and the page does not say so. What the server says is in the page's language.
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
    page.speak("fr");
    page.fill("#move", "d2-e3W");
    page.key("Enter");
    page.wait_text(".message", "rien à prendre");
    page.press_button("Ouvrir");
    for (text, told) in [("5/5/4/5/5 w", "le plateau 5x5 en a 5"), ("1. f2-e3A {", "n'est pas fermé")] {
        page.set("dialog textarea", text);
        page.submit();
        page.wait_text("dialog .problem", told);
        assert!(!page.text("dialog .problem").contains("en anglais"));
    }
    choose_file(&mut page, "mine.json", &json!([records]).to_string());
    page.wait_for("$$('dialog option').length === 3");
    page.wait_text("dialog", "Partie 2\u{a0}: ligne 2\u{a0}: ");
    page.submit();
    page.wait_for("!$('dialog') && app.hand.known && app.file?.count === 3");
    page.wait_text(".message", "Laissées de côté et non enregistrées (1)\u{a0}: Partie 2\u{a0}: ligne ");
    page.reload_board();
    page.wait_text(".movespanel", "Parties non valables, laissées de côté\u{a0}: 1");
    page.press_button("Sauver");
    page.save_all();
    page.wait_text("dialog .problem", "Laissées de côté");
    // A name that a text gives stays as it is.
    assert_eq!(
        page.value("translated(\"line 2: 'White' is given twice\")"),
        "ligne 2\u{a0}: «\u{a0}White\u{a0}» est donné deux fois"
    );
    // What is not in the page's words says so.
    let read = "translated('line 3: no record of a kind')";
    assert_eq!(page.value(read), "ligne 3\u{a0}: no record of a kind (en anglais)");
    page.check_forgiving(server.origin());
}
