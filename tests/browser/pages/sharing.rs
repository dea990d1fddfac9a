//! Games as links, positions as pictures.

use std::process::Command;

use serde_json::json;

use crate::browser::Page;
use crate::vato::{Server, moves, opened, opened_with, program};

const READY: &str = "typeof app !== 'undefined' && app.hand.known";

const GAME: &str = "[Event \"Tsena <i>\"]\n[White \"Rabé\"]\n[Black \"Ranaivo\"]\n[Annotator \"me\"]\n\n\
    {Before.} 1. f2-e3A !? {A & b.} (1. d3-e3A {Or} c3-d3A) ({first} 1. d3-e3W $14) \
    1... d5-d4A-c5W 2. e2-e3A-d3W (2. f1-f2A {is slower.} c3-d2A) 2... c3-d2A-e3W-f3A {After.} 1-0\n";

/// All that a page has of its game, and the place in it.
const ALL: &str = "JSON.stringify([app.tree.data(), app.tree.places(app.node), app.isFlipped])";

/// A page of its own server with a game, in a variation, turned.
fn with_game() -> (Server, Page) {
    let (server, mut page) = opened();
    page.value(&format!("app.read({{ pgn: {} }})", json!(GAME)));
    page.value("app.go(app.tree.at([0, 0, 1, 0])).then(() => { app.flip(); app.tree.isChanged = false; })");
    page.wait_for("app.node.ply === 4 && app.hand.known");
    (server, page)
}

/// The link that the dialog shows.
fn link(page: &mut Page) -> String {
    page.press_button("Save");
    let field = "document.querySelector(\"dialog [aria-label='Link to this game'] input\")";
    page.wait_for(&format!("{field}.value"));
    let link = page.value(&format!("{field}.value"));
    page.press_button("Close");
    page.wait_for("!document.querySelector('dialog')");
    link.as_str().expect("a link").to_owned()
}

/// What stands behind `#` in a link.
fn hash(link: &str) -> &str {
    link.split_once('#').expect("a link").1
}

/// Submits the dialog that is open.
fn submit(page: &mut Page) {
    page.value("document.querySelector('dialog [type=submit]').click()");
}

#[test]
fn a_link_has_the_whole_game_and_the_place_in_it() {
    let (first, mut giver) = with_game();
    let link = link(&mut giver);
    assert!(link.starts_with(&format!("{}/#game=", first.origin())), "{link}");
    assert!(link.ends_with("&ply=2.1.1&turned"), "{link}");
    let all = giver.value(ALL);
    // In another copy of Vato, behind its token; and given to the program.
    let other = Server::start(&[]);
    let mut taker = Page::open(1280, 860);
    taker.goto(&format!("{}&{}", other.url, hash(&link)));
    taker.wait_for(&format!("{READY} && app.tree.tags.length > 3"));
    assert_eq!(taker.value(ALL), all);
    assert_eq!(taker.value("location.hash"), "");
    taker.wait_for("!document.querySelector('dialog')");
    // It is not opened again over what has been done since.
    taker.value("app.go(app.tree.root)");
    taker.reload();
    taker.wait_for(&format!("{READY} && app.node === app.tree.root"));
    assert_eq!(taker.value("[server.link, document.querySelector('dialog')]"), json!(["", null]));
    taker.check(other.origin());
    let (named, mut page) = opened_with(&[&link]);
    page.wait_for("app.tree.tags.length > 3 && app.hand.known");
    assert_eq!(page.value(ALL), all);
    page.check(named.origin());
    giver.check(first.origin());
}

/// A new tab has no token: it keeps the link until it has.
#[test]
fn a_link_waits_for_the_token() {
    let (server, mut giver) = with_game();
    let (link, all) = (link(&mut giver), giver.value(ALL));
    let mut taker = Page::open(1280, 860);
    // Some programs write signs of an address by their numbers.
    taker.goto(&link.replace('#', "%23").replace('=', "%3D"));
    let waits = "document.querySelector('main')?.innerText.includes('will then be opened')";
    taker.wait_for(waits);
    taker.reload();
    taker.wait_for(waits);
    taker.goto(&server.url);
    taker.wait_for(&format!("{READY} && app.tree.tags.length > 3"));
    assert_eq!(taker.value(ALL), all);
    taker.wait_for("kept('link') === ''");
    taker.check_forgiving(server.origin());
}

/// A link that is put into the address of a page is opened at once, or asked about.
#[test]
fn a_link_does_not_replace_what_has_not_been_saved() {
    let (server, mut page) = with_game();
    let link = link(&mut page);
    let put = format!("location.hash = {}", json!(hash(&link)));
    let all = page.value(ALL);
    page.value("app.begin({ rules: 'tsivy' })");
    page.wait_for("app.tree.tags.length < 3 && app.hand.known");
    page.value(&put);
    page.wait_for("app.tree.tags.length > 3 && app.hand.known");
    assert_eq!(page.value(ALL), all);
    page.value("app.begin({ rules: 'tsivy' }).then(() => app.play('f2-e3A:d4c5'))");
    page.wait_for("app.node.ply === 1 && app.hand.known && !document.querySelector('dialog')");
    page.value(&put);
    page.wait_for("document.querySelector('dialog .problem')?.textContent.includes('has not been saved')");
    assert_eq!(moves(&mut page), "f2-e3A");
    // It is asked again until that is decided.
    page.reload();
    page.wait_for("document.querySelector('dialog .problem')?.textContent.includes('has not been saved')");
    page.key("Escape");
    page.wait_for("!document.querySelector('dialog')");
    assert_eq!(page.value("[server.link, kept('link')]"), json!(["", ""]));
    assert_eq!(moves(&mut page), "f2-e3A");
    // Below a dialog it waits.
    page.press_button("Set up");
    page.value(&put);
    page.wait_for("location.hash === ''");
    page.key("Escape");
    page.wait_for(
        "document.querySelector('dialog[aria-label=Open] .problem')?.textContent.includes('has not been saved')",
    );
    submit(&mut page);
    page.wait_for("app.tree.tags.length > 3 && app.hand.known");
    assert_eq!(page.value(ALL), all);
    page.check(server.origin());
}

#[test]
fn a_link_waits_for_the_server() {
    let (server, mut page) = with_game();
    let (link, all) = (link(&mut page), page.value(ALL));
    page.value("app.begin({ rules: 'dimy' })");
    page.wait_for("app.tree.columns === 5 && app.hand.known");
    page.value("globalThis.fetched = fetch; null");
    page.value("void (globalThis.fetch = () => Promise.reject(new TypeError('away')))");
    page.value(&format!("location.hash = {}", json!(hash(&link))));
    page.wait_for("document.querySelector('dialog .problem')?.textContent.includes('has stopped')");
    page.value("void (globalThis.fetch = fetched)");
    page.wait_for("!document.querySelector('dialog') && app.tree.tags.length > 3 && app.hand.known");
    assert_eq!(page.value(ALL), all);
    page.check_forgiving(server.origin());
}

/// What is copied is the game as it is now, and what was pressed last.
#[test]
fn the_last_that_is_copied_remains() {
    let (server, mut page) = with_game();
    page.press_button("Save");
    let field = "document.querySelector(\"dialog [aria-label='Link to this game'] input\")";
    page.wait_for(&format!("{field}.value"));
    page.value(
        "globalThis.copied = []; document.execCommand = () => copied.push(document.activeElement.value); \
         globalThis.press = (text) => [...document.querySelectorAll('dialog button')].find((one) => one.textContent === text).click(); \
         navigator.clipboard.write = async ([item]) => { await item.getType('image/png'); copied.push('picture'); }; \
         globalThis.said = () => document.querySelector('dialog [role=status]').textContent; null",
    );
    page.value(
        "(() => { const input = document.querySelector('dialog [type=text]'); input.value = 'Soa'; \
         input.dispatchEvent(new Event('input', { bubbles: true })); press('Copy link'); })()",
    );
    page.wait_for("copied.length === 1 && said() === 'Copied'");
    page.wait_for("(async () => (await readLink(copied[0], 1e6)).pgn.includes('[White \"Soa\"]'))()");
    // A picture takes its time.
    page.value("globalThis.drawn = pixelsOf; void (globalThis.pixelsOf = async (picture) => { await new Promise((done) => { globalThis.go = done; }); return drawn(picture); })");
    page.value("press('Copy picture')");
    page.wait_for("globalThis.go && said() === 'The picture is being made…'");
    page.value("(press('Copy link'), go())");
    page.wait_for("copied.length === 2 && said() === 'Copied'");
    page.value("void (globalThis.pixelsOf = drawn)");
    page.value("press('Copy picture')");
    page.wait_for("copied.length === 3 && said() === 'Copied'");
    assert_eq!(page.value("[copied[1] === copied[0], copied[2]]"), json!([true, "picture"]));
    page.value("void (navigator.clipboard.write = () => Promise.reject(new DOMException('Write permission denied.')))");
    page.value("press('Copy picture')");
    page.wait_for("said() === 'The browser does not allow copying'");
    page.check(server.origin());
}

/// Wherever a text may be opened, a link of any host is read, as it arrives in letters.
#[test]
fn a_link_can_be_pasted() {
    let (server, mut page) = with_game();
    let (link, all) = (link(&mut page), page.value(ALL));
    let (begin, end) = hash(&link).split_at(100);
    let bare = &link["http://".len()..];
    let other_order = link.replace("&ply=2.1.1&turned", "&turned&ply=2.1.1");
    for text in [
        link.clone(),
        format!("<https://vato.example:1234/x/#{begin}\n {end}>\n"),
        format!("#{}&{begin}{end}", "0".repeat(64)),
        bare.to_owned(),
        hash(&link).to_owned(),
        format!("> http://localhost/#{begin}\n> {end}\n>\n> Rabe"),
        format!("\"{link}\""),
        format!("See {link}.\nBest regards"),
        format!("A [game]({link}) (mine)"),
        link.replace('&', "&amp;"),
        other_order,
    ] {
        page.value("app.begin({ rules: 'dimy' })");
        page.wait_for("app.tree.columns === 5 && app.hand.known && app.isFlipped");
        page.value("app.flip()");
        page.value(&format!(
            "(() => {{ const clipboardData = new DataTransfer(); clipboardData.setData('text', {}); \
             document.body.dispatchEvent(new ClipboardEvent('paste', {{ clipboardData, bubbles: true }})); }})()",
            json!(text)
        ));
        page.wait_for("document.querySelector('dialog textarea')?.value");
        submit(&mut page);
        page.wait_for("!document.querySelector('dialog') && app.hand.known");
        assert_eq!(page.value(ALL), all, "{text}");
    }
    page.check(server.origin());
}

#[test]
fn a_damaged_link_changes_nothing() {
    let (server, mut page) = with_game();
    let link = link(&mut page);
    let data = hash(&link)["game=".len()..].split('&').next();
    let data = data.expect("data");
    let mut packed = |text: &str| {
        let data = page.value(&format!("packed({text})"));
        let data = data.as_str().expect("data");
        data.replace('+', "-").replace('/', "_").replace('=', "")
    };
    let (large, words) = (packed("' '.repeat(9e6)"), packed("'no game'"));
    let wrong = "This link has no game";
    for (data, message) in [
        (&data[..data.len() - 12], wrong),
        (&data[..data.len() / 2], wrong),
        ("", wrong),
        ("a!%20b", wrong),
        // A game that is not packed.
        ("MS4gZjItZTNBICo", wrong),
        (&large, wrong),
        (&words, ""),
    ] {
        let all = page.value(ALL);
        page.value(&format!("location.hash = 'game={data}&ply=3'"));
        page.wait_for(&format!(
            "document.querySelector('dialog .problem')?.textContent.length > 0 && \
             document.querySelector('dialog .problem').textContent.includes({message:?})"
        ));
        page.key("Escape");
        page.wait_for("!document.querySelector('dialog') && location.hash === ''");
        assert_eq!(page.value(ALL), all, "{data}");
    }
    // A place that is not there is the nearest one.
    for (place, ply) in [("9999.7", 4), ("2.1.77", 4), ("2.5", 2), ("x", 0)] {
        page.value(&format!("location.hash = 'game={data}&ply={place}'"));
        page.wait_for(&format!(
            "!document.querySelector('dialog') && !app.isFlipped && app.node.ply === {ply} && app.hand.known"
        ));
        page.value("app.flip()");
    }
    page.check_forgiving(server.origin());
}

/// What would be cut off where it is passed on is refused.
#[test]
fn long_games_have_no_link() {
    let (server, mut page) = with_game();
    page.value("app.tree.introduction = Array.from({ length: 4000 }, () => Math.random().toString(36)[3]).join('')");
    page.wait_for("!document.querySelector('dialog')");
    assert!(link(&mut page).len() < 8000);
    page.value("app.tree.introduction = Array.from({ length: 20000 }, () => Math.random().toString(36)[3]).join('')");
    page.press_button("Save");
    page.wait_for("document.querySelector('dialog [role=status]').textContent.startsWith('No link')");
    let shown = "(() => { const [input, button] = document.querySelector(\"dialog [aria-label='Link to this game'] .copied\").children; return [input.value, button.disabled]; })()";
    assert_eq!(page.value(shown), json!(["", true]));
    page.check(server.origin());
}

/// The picture has no style, class or font of the page, all stones, and the looks of what `vato diagram` draws.
#[test]
fn a_picture_is_the_board_in_any_program() {
    let (server, mut page) = with_game();
    page.value("window.download = (content, name) => { window.got = [content, name]; }");
    // What is there in a document: how parts look, without the coordinates, which are texts or lines.
    page.value(
        "window.looks = (text) => { \
           const all = [...new DOMParser().parseFromString(text, 'image/svg+xml').querySelectorAll('circle, rect, polyline, polygon, path:not([transform]), stop')]; \
           const of = (part, name) => (part.getAttribute(name) ?? part.parentElement.getAttribute(name) ?? '').replace(/url.*/, 'url').replace(/,|none/, ''); \
           const names = ['stop-color', 'offset', 'fill', 'fill-opacity', 'stroke', 'stroke-width', 'stroke-dasharray', 'opacity']; \
           return [...new Set(all.map((part) => [part.localName, ...names.map((name) => of(part, name))].join()))].sort(); }",
    );
    let last = "f2-e3A";
    for (rules, theme, start) in
        [("tsivy", "light", None), ("tsivy", "dark", None), ("telo", "dark", Some("b1w/1b1/w1b w 0 1"))]
    {
        page.theme(theme);
        page.value(&format!("app.begin({{ rules: {rules:?}, start: {} }})", json!(start.unwrap_or_default())));
        if start.is_none() {
            page.value(&format!("app.play('{last}:d4c5')"));
            page.wait_for("app.node.ply === 1 && app.hand.known");
            page.value("void Object.defineProperty(app.engine, 'arrows', { configurable: true, value: [turnOf('f3-f2A:f1')] })");
        } else {
            page.value("delete app.engine.arrows");
        }
        page.wait_for("!document.querySelector('dialog') && app.hand.known");
        page.press_button("Save");
        page.press_button("SVG");
        page.wait_for("window.got");
        let text = page.value("got[0].text().then((text) => { got = [text, ...got.slice(1)]; return text; })");
        let text = text.as_str().expect("SVG");
        assert_eq!(page.value("got[1]"), "vato.svg");
        for foreign in ["class=", "style", "var(", "px", "color(", "currentColor"] {
            assert!(!text.contains(foreign), "{foreign}");
        }
        let stones =
            "new DOMParser().parseFromString(got[0], 'image/svg+xml').querySelectorAll(\"circle[fill^='url']\").length";
        let count = page.value("app.node.stones.replaceAll('.', '').length");
        assert_eq!(page.value(stones), count);
        let corner = "new DOMParser().parseFromString(got[0], 'image/svg+xml').querySelector('text').textContent";
        assert_eq!(page.value(corner), if rules == "telo" { "c" } else { "i" });
        let mut diagram = Command::new(program());
        diagram.args(["diagram", "--theme", theme]);
        match start {
            Some(fen) => diagram.args(["--rules", rules, "--fen", fen]),
            None => diagram.args(["--moves", last, "--arrows", "f3-f2A"]),
        };
        let drawn = diagram.output().expect("vato diagram");
        let drawn = String::from_utf8(drawn.stdout).expect("SVG");
        let both = page.value(&format!("[looks(got[0]), looks({})]", json!(drawn)));
        let near = |one: &str, other: &str| {
            let parts = one.split(',').zip(other.split(','));
            parts.into_iter().all(|(one, other)| {
                let byte = |text: &str, at: usize| i32::from_str_radix(text.get(at..at + 2)?, 16).ok();
                one == other
                    || [1, 3, 5].into_iter().all(|at| {
                        let bytes = byte(one, at).zip(byte(other, at));
                        bytes.is_some_and(|(one, other)| one.abs_diff(other) <= 1)
                    })
            })
        };
        let list = |which: usize| -> Vec<&str> {
            let looks = both[which].as_array().expect("looks").iter();
            looks.filter_map(|look| look.as_str()).collect()
        };
        let (own, drawn) = (list(0), list(1));
        for (some, others) in [(&own, &drawn), (&drawn, &own)] {
            for look in some {
                assert!(others.iter().any(|other| near(look, other)), "{theme} {rules}: {look}\n{own:#?}\n{drawn:#?}");
            }
        }
        // With two pixels for each unit, turned as the board is.
        page.press_button("PNG");
        page.wait_for("got[1] === 'vato.png'");
        let size = page.value("createImageBitmap(got[0]).then(({ width, height }) => [width, height])");
        let expected = if rules == "telo" { [720, 720] } else { [1920, 1120] };
        assert_eq!(size, json!(expected));
        page.value("(got = null, document.querySelector('dialog').close())");
    }
    page.check(server.origin());
}

/// Programs that write signs of an address by their numbers do no harm to a link, nor does a comment that looks like a score; a side that is none
/// is named.
#[test]
fn what_was_written_is_read() {
    let (server, mut page) = opened();
    page.value("app.play('f2-e3A:d4c5')");
    page.wait_for("app.node.ply === 1 && app.hand.known");
    page.value("app.comment('+1.50')");
    page.press_button("Save");
    page.wait_for("document.querySelector('dialog .copied input')?.value");
    page.value("globalThis.link = document.querySelector('dialog .copied input').value; document.querySelector('dialog').close()");
    for written in
        ["link", "link.replace('#', '%23')", "link.replace('#', '%23').replaceAll('=', '%3d').replace('&', '%26')"]
    {
        page.value(&format!(
            "readLink({written}, app.start.largest).then((read) => app.readText({{ ...read, number: 1 }}))"
        ));
        page.wait_for("app.node.ply === 1 && app.hand.known");
        assert_eq!(page.value("[app.node.comment, app.node.score].join()"), "+1.50,");
    }
    page.value("setUpDialog(app)");
    page.value("globalThis.fen = document.querySelector('dialog [aria-label=FEN]'); fen.value = '9/3b5/2w6/9/9 x 0 2'; fen.dispatchEvent(new Event('change'))");
    assert_eq!(page.value("fen.value"), "9/3b5/2w6/9/9 x 0 2");
    page.value("app.tree.isChanged = false; document.querySelector('dialog [type=submit]').click()");
    page.wait_for("document.querySelector('dialog .problem').textContent.includes(\"'x'\")");
    page.check_forgiving(server.origin());
}
