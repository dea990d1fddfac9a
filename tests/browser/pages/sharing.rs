//! Games as links, positions as pictures.

use std::process::Command;

use serde_json::json;

use crate::browser::Page;
use crate::vato::{Server, opened, opened_with, program};

const GAME: &str = "[Event \"Tsena <i>\"]\n[White \"Rabé\"]\n[Black \"Ranaivo\"]\n[Annotator \"me\"]\n\n\
    {Before.} 1. f2-e3A !? {A & b.} (1. d3-e3A {Or} c3-d3A) ({first} 1. d3-e3W $14) \
    1... d5-d4A-c5W 2. e2-e3A-d3W (2. f1-f2A {is slower.} c3-d2A) 2... c3-d2A-e3W-f3A {After.} 1-0\n";

/// All that a page has of its game, and the place in it.
const ALL: &str = "JSON.stringify([app.tree.data(), app.tree.places(app.node), app.isFlipped])";

/// The game of a link is there.
const THERE: &str = "app.tree.tags.length > 3 && app.hand.known";

/// The link that the dialog shows.
const LINK: &str = "$(\"dialog [aria-label='Link to this game'] input\").value";

const STATUS: &str = "dialog [role=status]";

/// A page of its own server with a game, in a variation, turned.
fn with_game() -> (Server, Page) {
    let (server, mut page) = opened();
    page.read(GAME);
    page.value("app.go(app.tree.at([0, 0, 1, 0])).then(() => { app.flip(); app.tree.isChanged = false; })");
    page.wait_ply(4);
    (server, page)
}

fn link(page: &mut Page) -> String {
    page.press_then("Save", LINK);
    let link = page.value(LINK);
    page.close_dialog();
    link.as_str().expect("a link").to_owned()
}

/// What stands behind `#` in a link.
fn hash(link: &str) -> &str {
    link.split_once('#').expect("a link").1
}

/// Puts a link into the address of a page.
fn put(page: &mut Page, hash: &str) {
    page.value(&format!("location.hash = {}", json!(hash)));
}

#[test]
fn a_link_has_the_whole_game_and_the_place_in_it() {
    let (first, mut giver) = with_game();
    let link = link(&mut giver);
    assert!(link.starts_with(&format!("{}/#game=", first.origin())), "{link}");
    assert!(link.ends_with("&ply=2.1.1&turned"), "{link}");
    let all = giver.value(ALL);
    // In another copy of Vato, behind its token.
    let other = Server::start(&[]);
    let mut taker = Page::open(1280, 860);
    taker.goto(&format!("{}&{}", other.url, hash(&link)));
    taker.wait_board();
    taker.wait_for(THERE);
    assert_eq!(taker.value(ALL), all);
    taker.wait_for("location.hash === '' && !$('dialog')");
    // It is not opened again over what has been done since.
    taker.value("app.go(app.tree.root)");
    taker.reload_board();
    taker.assert("app.node === app.tree.root && server.link === '' && !$('dialog')");
    taker.check(other.origin());
    giver.check(first.origin());
}

#[test]
fn the_program_is_given_a_link_or_a_text_with_one() {
    let (first, mut giver) = with_game();
    let link = link(&mut giver);
    let all = giver.value(ALL);
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("link.txt");
    std::fs::write(&file, format!("See {link}\n")).expect("written");
    for named in [&*link, file.to_str().expect("UTF-8")] {
        let (server, mut page) = opened_with(&[named]);
        page.wait_for(THERE);
        assert_eq!(page.value(ALL), all);
        page.check(server.origin());
    }
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
    taker.wait_for("$('main')?.innerText.includes('will then be opened')");
    taker.reload();
    taker.wait_for("$('main')?.innerText.includes('will then be opened')");
    taker.goto(&server.url);
    taker.wait_board();
    taker.wait_for(THERE);
    assert_eq!(taker.value(ALL), all);
    taker.wait_for("kept('link') === ''");
    taker.check_forgiving(server.origin());
}

/// A link that is put into the address of a page is opened at once, or asked about.
#[test]
fn a_link_does_not_replace_what_has_not_been_saved() {
    let (server, mut page) = with_game();
    let link = link(&mut page);
    let all = page.value(ALL);
    page.begin("{ rules: 'tsivy' }");
    put(&mut page, hash(&link));
    page.wait_for(THERE);
    assert_eq!(page.value(ALL), all);
    page.begin("{ rules: 'tsivy' }");
    page.play("f2-e3A:d4c5", 1);
    page.wait_for("!$('dialog')");
    put(&mut page, hash(&link));
    page.wait_text("dialog .problem", "has not been saved");
    page.assert_moves("f2-e3A");
    // It is asked again until that is decided.
    page.reload();
    page.wait_text("dialog .problem", "has not been saved");
    page.key_then("Escape", "!$('dialog') && server.link === '' && kept('link') === ''");
    page.assert_moves("f2-e3A");
    // Below a dialog it waits.
    page.press_button("Set up");
    put(&mut page, hash(&link));
    page.wait_for("location.hash === ''");
    page.key("Escape");
    page.wait_text("dialog[aria-label=Open] .problem", "has not been saved");
    page.submit();
    page.wait_for(THERE);
    assert_eq!(page.value(ALL), all);
    page.check(server.origin());
}

#[test]
fn a_link_waits_for_the_server() {
    let (server, mut page) = with_game();
    let (link, all) = (link(&mut page), page.value(ALL));
    page.begin("{ rules: 'dimy' }");
    page.value("globalThis.fetched = fetch; globalThis.fetch = () => Promise.reject(new TypeError('away')); null");
    put(&mut page, hash(&link));
    page.wait_text("dialog .problem", "has stopped");
    page.run_then("void (globalThis.fetch = fetched)", &format!("!$('dialog') && {THERE}"));
    assert_eq!(page.value(ALL), all);
    page.check_forgiving(server.origin());
}

/// What is copied is the game as it is now, and what was pressed last.
#[test]
fn the_last_that_is_copied_remains() {
    let (server, mut page) = with_game();
    page.press_then("Save", LINK);
    page.value(
        "globalThis.copied = []; document.execCommand = () => copied.push(document.activeElement.value); \
         navigator.clipboard.write = async ([item]) => { await item.getType('image/png'); copied.push('picture'); }; null",
    );
    page.value(
        "{ const input = $('dialog [type=text]'); input.value = 'Soa'; \
         input.dispatchEvent(new Event('input', { bubbles: true })); $button('Copy link').click(); }",
    );
    page.wait_for("copied.length === 1");
    page.wait_text(STATUS, "Copied");
    page.assert("readLink(copied[0], 1e6).then(({ pgn }) => pgn.includes('[White \"Soa\"]'))");
    // A picture takes its time.
    page.value("globalThis.drawn = pixelsOf; void (globalThis.pixelsOf = async (picture) => { await new Promise((done) => { globalThis.go = done; }); return drawn(picture); })");
    page.value("$button('Copy picture').click()");
    page.wait_text(STATUS, "The picture is being made…");
    page.wait_for("globalThis.go");
    page.run_then("($button('Copy link').click(), go())", "copied.length === 2");
    page.wait_text(STATUS, "Copied");
    page.run_then("globalThis.pixelsOf = drawn; $button('Copy picture').click()", "copied.length === 3");
    page.wait_text(STATUS, "Copied");
    page.assert("copied[1] === copied[0] && copied[2] === 'picture'");
    page.value("void (navigator.clipboard.write = () => Promise.reject(new DOMException('Write permission denied.')))");
    page.value("$button('Copy picture').click()");
    page.wait_text(STATUS, "The browser does not allow copying");
    page.close_dialog();
    // What would be cut off where it is passed on is refused.
    for (length, is_there) in [(4000, true), (20000, false)] {
        page.value(&format!(
            "app.tree.introduction = Array.from({{ length: {length} }}, () => Math.random().toString(36)[3]).join('')"
        ));
        page.press_then("Save", &format!("{LINK} || $('{STATUS}').textContent.startsWith('No link')"));
        page.assert(&format!(
            "{LINK}.length <= 8000 && Boolean({LINK}) === {is_there} && $button('Copy link').disabled !== {is_there}"
        ));
        page.close_dialog();
    }
    page.check(server.origin());
}

/// Wherever a text may be opened, a link of any host is read, as it arrives in letters, and from programs that write its signs by
/// their numbers. One that is damaged changes nothing.
#[test]
fn a_link_is_read_from_any_text() {
    let (server, mut page) = with_game();
    let (link, all) = (link(&mut page), page.value(ALL));
    let read = |page: &mut Page, text: &str| {
        page.value(&format!("readLink({}, app.start.largest).catch(({{ message }}) => message)", json!(text)))
    };
    let whole = read(&mut page, &link);
    assert_eq!((&whole["at"], &whole["isFlipped"]), (&json!([0, 0, 1, 0]), &json!(true)));
    let (begin, end) = hash(&link).split_at(100);
    let bare = &link["http://".len()..];
    for text in [
        format!("<https://vato.example:1234/x/#{begin}\n {end}>\n"),
        format!("#{}&{begin}{end}", "0".repeat(64)),
        bare.to_owned(),
        hash(&link).to_owned(),
        format!("> http://localhost/#{begin}\n> {end}\n>\n> Rabe"),
        format!("\"{link}\""),
        format!("See {link}.\nBest regards"),
        format!("A [game]({link}) (mine)"),
        link.replace('&', "&amp;"),
        link.replace("&ply=2.1.1&turned", "&turned&ply=2.1.1"),
        link.replace('#', "%23"),
        link.replace('#', "%23").replace('=', "%3d").replacen('&', "%26", 1),
    ] {
        assert_eq!(read(&mut page, &text), whole, "{text}");
    }
    page.begin("{ rules: 'dimy' }");
    page.value("app.flip()");
    page.paste(&format!("See {link}.\nBest regards"));
    page.wait_for("$('dialog textarea')?.value");
    page.submit();
    page.wait_closed();
    assert_eq!(page.value(ALL), all);
    let data = hash(&link)["game=".len()..].split('&').next().expect("data");
    let mut packed = |text: &str| {
        let data = page.value(&format!("packed({text})"));
        let data = data.as_str().expect("data");
        data.replace('+', "-").replace('/', "_").replace('=', "")
    };
    let (large, words) = (packed("' '.repeat(9e6)"), packed("'no game'"));
    // The one before the last is a game that is not packed.
    for data in [&data[..data.len() - 12], &data[..data.len() / 2], "", "a!%20b", "MS4gZjItZTNBICo", &large] {
        let told = read(&mut page, &format!("#game={data}&ply=3"));
        assert!(told.as_str().expect("a refusal").contains("This link has no game"), "{data}: {told}");
    }
    for data in [&data[..data.len() / 2], &words] {
        put(&mut page, &format!("game={data}&ply=3"));
        page.wait_for("$('dialog .problem')?.textContent");
        page.key_then("Escape", "!$('dialog') && location.hash === ''");
        assert_eq!(page.value(ALL), all, "{data}");
    }
    // A place that is not there is the nearest one.
    for (place, ply) in [("9999.7", 4), ("2.1.77", 4), ("2.5", 2), ("x", 0)] {
        let at = read(&mut page, &format!("#game={data}&ply={place}"))["at"].take();
        assert_eq!(page.value(&format!("app.tree.at({at}).ply")), ply, "{place}");
    }
    // A comment that looks like a score comes back as a comment.
    page.begin("{ rules: 'tsivy' }");
    page.play("f2-e3A:d4c5", 1);
    page.value("app.comment('+1.50')");
    let link = self::link(&mut page);
    page.value(&format!(
        "readLink({}, app.start.largest).then((read) => app.readText({{ ...read, number: 1 }}))",
        json!(link)
    ));
    page.assert("app.node.ply === 1 && app.node.comment === '+1.50' && !app.node.score");
    page.check_forgiving(server.origin());
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
        page.prefer("prefers-color-scheme", theme);
        page.begin(&format!("{{ rules: {rules:?}, start: {} }}", json!(start.unwrap_or_default())));
        if start.is_none() {
            page.play(&format!("{last}:d4c5"), 1);
            page.value("void Object.defineProperty(app.engine, 'arrows', { configurable: true, value: [turnOf('f3-f2A:f1')] })");
        } else {
            page.value("delete app.engine.arrows");
        }
        page.wait_closed();
        page.value("app.tree.setTag('White', 'Ann / L.'), app.tree.setTag('Date', '2026.11.30')");
        page.press_button("Save");
        page.press_then("SVG", "window.got");
        let text = page.value("got[0].text().then((text) => { got = [text, ...got.slice(1)]; return text; })");
        let text = text.as_str().expect("SVG");
        assert_eq!(page.value("got[1]"), "Ann_L-2026.11.30.svg");
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
        page.press_then("PNG", "got[1] === 'Ann_L-2026.11.30.png'");
        let size = page.value("createImageBitmap(got[0]).then(({ width, height }) => [width, height])");
        let expected = if rules == "telo" { [720, 720] } else { [1920, 1120] };
        assert_eq!(size, json!(expected));
        page.value("(got = null, $('dialog').close())");
    }
    page.check(server.origin());
}
