//! What only the site does, whose engine runs in workers: with `VATO_SITE` alone.

use std::fs;
use std::path::Path;

use serde_json::json;

use crate::browser::{Page, wait};
use crate::vato::{Server, open, opened, site};

const READY: &str = "typeof app !== 'undefined' && app.hand.known";

const LINES: &str = "$$('.lines li').length === 3";

/// The service worker has kept the site, and is asked for the files of the page.
const KEPT: &str = "navigator.serviceWorker.controller?.state === 'activated'";

/// How long the next answers take, in milliseconds, the shortest first.
const TIMES: &str = "(async () => { const times = []; for (let count = 0; count < 9; count += 1) { \
    const begun = performance.now(); await ask('/position', { place: app.tree.place(app.node) }); \
    times.push(Math.round(performance.now() - begun)); } return times.sort((one, other) => one - other); })()";

/// Searches that end by themselves, and that are ended.
const SEARCHES: &str = "(async () => { const place = app.tree.place(app.node); for (let count = 0; count < 40; count += 1) { \
    const { signal } = beginSearch(); const found = findLines(place, { time: 20 }, signal); \
    count % 2 ? await found : await pause(20); } running.abort(); })()";

/// The board can be used: a turn is played, and the engine has lines.
fn works(page: &mut Page) {
    page.wait_for(READY);
    page.value("app.begin({ rules: 'tsivy' })");
    page.value("app.play('f2-e3A:d4c5')");
    page.wait_for("app.node.ply === 1 && app.hand.known");
    page.click("#engine");
    page.wait_for(LINES);
    page.click("#engine");
    page.value("app.tree.isChanged = false");
}

/// The workers that there are.
fn workers(page: &mut Page) -> usize {
    let targets = page.call("Target.getTargets", json!({}));
    let targets = targets["targetInfos"].as_array().expect("targets");
    let own = targets.iter().filter(|one| one["browserContextId"] == page.context);
    own.filter(|one| one["type"] == "worker").count()
}

#[test]
fn a_game_is_played_to_its_end() {
    let server = Server::start(&[]);
    let mut page = Page::open(360, 740);
    open(&mut page, &server);
    page.value("app.begin({ rules: 'dimy' }, { person: 'w', level: 2, clock: { base: 60, increment: 1 } })");
    let may_move = "app.hand.known && app.opponent.mayMove(app.node)";
    for _ in 0..200 {
        page.wait_for(&format!("app.opponent.isOver || ({may_move})"));
        if page.value("app.opponent.isOver") == true {
            break;
        }
        page.value("(() => { const [{ from, next: [{ to, how = '' }] }] = app.hand.known.stones; app.play(`${from}-${to}${how}`); })()");
    }
    page.wait_for("app.opponent.isOver && $('.verdict').textContent");
    assert_eq!(page.value("document.documentElement.scrollWidth"), 360);
    page.check(server.origin());
}

#[test]
fn answers_do_not_wait_for_a_search() {
    let (server, mut page) = opened();
    page.click("#engine");
    page.wait_for(LINES);
    let times = page.value(TIMES);
    println!("beside a search an answer takes {times} ms");
    assert!(times[4].as_u64() < Some(500), "{times}");
    page.check(server.origin());
}

/// Without the headers of a host that isolates pages there is one thread. A search goes on when the memory is changed, and when it is over there are as many workers.
#[test]
fn settings_and_searches_leave_no_workers() {
    let (server, mut page) = opened();
    page.click("#engine");
    page.wait_for(LINES);
    assert_eq!(page.value("[app.start.processors, app.start.engine.threads]"), json!([1, 1]));
    for hash in [64, 16] {
        let asked = page.value(&format!("ask('/engine', {{ threads: 1, hash: {hash} }})"));
        assert_eq!(asked, json!({ "threads": 1, "hash": hash }));
        page.value("app.engine.restart()");
        page.wait_for(LINES);
    }
    // They are kept, as far as this host has them; what is damaged is not.
    for (kept, expected) in
        [("", 16), (r#"{"threads":8,"hash":64}"#, 64), (r#"{"threads":"x","hash":-1}"#, 16), ("[", 16)]
    {
        if !kept.is_empty() {
            page.value(&format!("stored.set('engine', {})", json!(kept)));
        }
        page.reload();
        page.wait_for(READY);
        assert_eq!(page.value("app.start.engine"), json!({ "threads": 1, "hash": expected }));
    }
    // It was on, and is on again.
    page.wait_for(LINES);
    assert_eq!(page.value("server.trouble"), json!(null));
    page.value(SEARCHES);
    page.click("#engine");
    assert!(workers(&mut page) <= 3);
    page.check(server.origin());
}

/// Where the host isolates the page, searches have threads, which end with them.
#[test]
fn an_isolated_page_has_threads() {
    let headers = "Cross-Origin-Opener-Policy: same-origin\r\nCross-Origin-Embedder-Policy: require-corp\r\n";
    let server = Server::of_site(site().expect("VATO_SITE"), "0", None, headers);
    let mut page = Page::open(1280, 860);
    open(&mut page, &server);
    let are_loaded = || {
        let asked = server.site().asked();
        asked.iter().any(|path| path.ends_with("vato-threads.wasm"))
    };
    assert_eq!(page.value("app.start.engine.threads"), 1);
    works(&mut page);
    assert!(!are_loaded());
    page.press_button("Settings");
    let threads =
        "$$('dialog .field').find((field) => field.textContent.startsWith('Engine: threads')).querySelector('select')";
    page.value(&format!(
        "{{ const threads = {threads}; threads.value = '2'; threads.dispatchEvent(new Event('change')); }}"
    ));
    page.wait_for("app.start.engine.threads === 2");
    page.value("$('dialog').close()");
    works(&mut page);
    page.value(SEARCHES);
    works(&mut page);
    // One that answers; two that search, or will, with a thread more each.
    let found = wait(|| (workers(&mut page) <= 5).then_some(()));
    assert!(found.is_some() && workers(&mut page) > 3);
    assert_eq!(page.text(".alarm"), "");
    page.wait_for(KEPT);
    assert!(are_loaded());
    page.assert("(({ threads, hash }) => threads === 2 && hash === 16)(JSON.parse(stored.get('engine')))");
    let origin = server.origin().to_owned();
    drop(server);
    page.reload();
    works(&mut page);
    assert_eq!(page.value("crossOriginIsolated"), true);
    assert_eq!(page.value("app.start.engine.threads"), 2);
    page.check_forgiving(&origin);
}

#[test]
fn a_worker_that_is_lost_is_replaced() {
    let (server, mut page) = opened();
    page.click("#engine");
    page.wait_for(LINES);
    // Ended, or by an error in it.
    for loss in [
        "Object.values(workers).forEach((worker) => worker?.end())",
        "['answers', 'search'].forEach((name) => workers[name].ask({ toString: null }, '').catch(() => {})); app.engine.restart()",
    ] {
        page.value(loss);
        page.wait_for("!server.trouble && workers.answers?.isOver === false");
        page.value("app.play(app.hand.known.stones[0].from + '-' + app.hand.known.stones[0].next[0].to + (app.hand.known.stones[0].next[0].how ?? ''))");
        page.wait_for(&format!("app.node.known && app.hand.known && {LINES}"));
    }
    assert_eq!(page.text(".alarm"), "");
    page.check(server.origin());
}

#[test]
fn larger_tables_come_with_few_stones() {
    let (server, mut page) = opened();
    works(&mut page);
    let tables = || server.site().asked().iter().filter(|path| path.ends_with(".vtb")).count();
    assert_eq!(tables(), 0);
    page.value("app.begin({ rules: 'telo' })");
    page.wait_for("app.tree.columns === 3 && app.hand.known");
    assert_eq!(tables(), 0);
    page.value("app.begin({ rules: 'tsivy', start: 'w7w/9/b3w3b/9/b8 w 0 2' })");
    page.wait_for("app.node.known?.table?.length > 0");
    assert!(tables() >= 5);
    page.check(server.origin());
}

#[test]
fn the_site_is_there_without_its_server() {
    let (server, mut page) = opened();
    page.wait_for(KEPT);
    let origin = server.origin().to_owned();
    drop(server);
    page.reload();
    works(&mut page);
    // Without the larger tables there are those of five stones.
    for (start, count) in [("w7w/9/b3w3b/9/b8 w 0 2", 0), ("w7w/9/b7b/9/9 w 0 2", 1)] {
        page.value(&format!("app.begin({{ rules: 'tsivy', start: '{start}' }})"));
        page.wait_for(&format!("app.hand.known && Number(app.node.known.table?.length > 0) === {count}"));
    }
    page.check_forgiving(&origin);
}

/// A copy of the site.
fn copied() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let from = site().expect("VATO_SITE").join(".");
    let copied = std::process::Command::new("cp").arg("-r").args([&from, folder.path()]).status();
    assert!(copied.expect("cp").success());
    folder
}

/// What a network gives in place of a file is not kept; where the site has gone, the page says so and waits.
#[test]
fn only_what_is_right_is_kept() {
    let folder = copied();
    let server = Server::of_site(folder.path().to_owned(), "0", None, "");
    let mut page = Page::open(1280, 860);
    open(&mut page, &server);
    page.wait_for(KEPT);
    let version = page.value("WORKER.split('/')[0]");
    let version = folder.path().join(version.as_str().expect("a version"));
    let table = fs::read(version.join("1v5.vtb")).expect("a table");
    fs::write(version.join("1v5.vtb"), "<h1>Please log in</h1>").expect("written");
    let few = "app.begin({ rules: 'tsivy', start: 'w7w/9/b3w3b/9/b8 w 0 2' })";
    page.value(few);
    page.wait_for("begun.areTablesWanted && app.hand.known");
    assert_eq!(page.value("app.node.known.table"), json!(null));
    fs::write(version.join("1v5.vtb"), table).expect("written");
    page.value("app.tree.isChanged = false");
    page.reload();
    page.wait_for(READY);
    page.value(few);
    page.wait_for("app.node.known?.table?.length > 0");
    // Where there is no service worker.
    page.call("Network.enable", json!({}));
    page.call("Network.setBypassServiceWorker", json!({ "bypass": true }));
    page.reload();
    page.wait_for(READY);
    let moved = version.with_file_name("moved");
    fs::rename(&version, &moved).expect("renamed");
    page.call("Network.setCacheDisabled", json!({ "cacheDisabled": true }));
    page.value("workers.answers.end(); void reach()");
    page.wait_for("$('.alarm').textContent.includes('updated')");
    fs::rename(&moved, &version).expect("renamed");
    page.wait_for("$('.alarm').textContent === ''");
    page.check_forgiving(server.origin());
}

/// What was damaged when it was asked for is asked for again, past what the browser has kept of it.
#[test]
fn damaged_files_are_asked_for_again() {
    let folder = copied();
    let server = Server::of_site(folder.path().to_owned(), "0", None, "");
    let mut page = Page::open(1280, 860);
    let path = |page: &mut Page, name: &str| {
        let worker = page.value("WORKER.split('/')[0]");
        let version = worker.as_str().expect("a version");
        folder.path().join(version).join(name)
    };
    page.goto("about:blank");
    for (name, damage) in [
        ("vato.wasm", Some(1000)),
        ("worker.js", Some(1000)),
        ("standard.strategy", Some(1000)),
        ("standard.strategy", None),
    ] {
        page.goto(server.origin());
        page.wait_for("typeof WORKER !== 'undefined'");
        let file = path(&mut page, name);
        page.value(
            "navigator.serviceWorker.getRegistrations().then((all) => Promise.all(all.map((one) => one.unregister())))",
        );
        page.value("caches.keys().then((names) => Promise.all(names.map((name) => caches.delete(name))))");
        page.call("Network.clearBrowserCache", json!({}));
        let whole = fs::read(&file).expect("a file");
        match damage {
            Some(length) => fs::write(&file, &whole[..length]).expect("written"),
            None => fs::remove_file(&file).expect("removed"),
        }
        page.reload();
        if name == "standard.strategy" {
            // Nothing is promised, and nobody plays in its place.
            page.wait_for(READY);
            let refused = "$('dialog .problem').textContent.startsWith('The proof cannot be loaded')";
            page.value("proofDialog(app)");
            page.wait_for(refused);
            page.press_button("Try it");
            page.wait_for(&format!("{refused} && $('dialog .problem').textContent && !app.opponent"));
            page.value("$('dialog').close()");
            page.value("app.begin({ rules: 'tsivy' }, { person: 'b', level: PERFECT_LEVEL, clock: null })");
            page.wait_for("$('.message').textContent.startsWith('The proof cannot be loaded')");
            assert_eq!(page.value("app.node.ply"), 0);
        } else {
            page.wait_for("$('.alarm')?.textContent");
        }
        fs::write(&file, whole).expect("written");
        if name == "standard.strategy" {
            page.wait_for("app.node.ply === 1");
            page.value("app.opponent.resign(), app.tree.isChanged = false");
        } else {
            page.wait_for("$('.alarm').textContent === ''");
        }
        works(&mut page);
    }
    page.problems.clear();
    page.check(server.origin());
}

/// Browsers offer to install the site; its window has a title in the language of the page.
#[test]
fn the_site_can_be_installed() {
    let (server, mut page) = opened();
    page.wait_for(KEPT);
    let errors = page.call("Page.getInstallabilityErrors", json!({}));
    let mut errors = errors["installabilityErrors"].as_array().expect("a list").clone();
    // That is how tests have their pages.
    errors.retain(|error| error["errorId"] != "in-incognito");
    assert_eq!(errors, [json!(null); 0]);
    let manifest = page.call("Page.getAppManifest", json!({}));
    assert_eq!(manifest["errors"], json!([]));
    for name in ["meta[name=description]", "meta[name=theme-color]", "link[rel=apple-touch-icon]"] {
        let is_there = format!("Boolean(document.head.querySelector('{name}'))");
        assert_eq!(page.value(&is_there), true, "{name}");
    }
    let icon = "fetch($('[rel=apple-touch-icon]').href).then((found) => found.ok)";
    assert_eq!(page.value(icon), true);
    for (code, words) in [("fr", "jouer au Fanorona"), ("mg", "milalao"), ("en", "play")] {
        page.speak(code);
        let title = page.value("document.title");
        let title = title.as_str().expect("a title");
        assert!(title.starts_with("Vato") && title.contains(words), "{title}");
    }
    page.check(server.origin());
}

/// Puts another version of the site in its place.
fn renew(folder: &Path, old: &str, new: &str) {
    fs::rename(folder.join(old), folder.join(new)).expect("renamed");
    for name in ["index.html", "service-worker.js"] {
        let text = fs::read_to_string(folder.join(name)).expect("a text");
        fs::write(folder.join(name), text.replace(old, new)).expect("written");
    }
}

/// A page is of one version, whichever the host has by then.
#[test]
fn versions_do_not_mix() {
    let folder = copied();
    let server = Server::of_site(folder.path().to_owned(), "0", None, "");
    let mut page = Page::open(1280, 860);
    let version = "$('[data-worker]')?.dataset.worker.split('/')[0] ?? WORKER.split('/')[0]";
    let kept = "caches.keys().then((names) => names.map((name) => name.split(' ').at(-1)).join())";
    open(&mut page, &server);
    page.wait_for(KEPT);
    let old = page.value(version).as_str().expect("a version").to_owned();
    renew(folder.path(), &old, "v-new");
    // The old one is still there, though its files are not.
    page.reload();
    works(&mut page);
    assert_eq!(page.value(version), *old);
    page.wait_for("navigator.serviceWorker.getRegistration().then(({ waiting }) => waiting)");
    // Nobody looks at it any longer.
    for _ in 0..20 {
        page.goto("about:blank");
        page.wait_for("location.href === 'about:blank'");
        page.goto(server.origin());
        works(&mut page);
        if page.value(version) != *old {
            break;
        }
    }
    assert_eq!(page.value(version), "v-new");
    page.wait_for(&format!("{kept}.then((kept) => kept === 'v-new')"));
    let asked = server.site().asked();
    let others = |path: &&String| path.contains("/worker.js") && !path.starts_with(&old) && !path.starts_with("v-new");
    assert_eq!(asked.iter().find(others), None);
    page.check(server.origin());
}
