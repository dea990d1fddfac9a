//! How fast the page is. Limits are wide, as other work may run beside the tests; the figures are printed:
//! `cargo test -- speed --nocapture`.

use std::time::Instant;

use serde_json::{Value, json};

use crate::browser::Page;
use crate::vato::{LINES, Server, open};

#[test]
fn the_page_is_soon_there_and_the_engine_answers_at_once() {
    let mut page = Page::open(1280, 860);
    let begun = Instant::now();
    let server = Server::start(&[]);
    let listening = begun.elapsed();
    open(&mut page, &server);
    page.animate();
    let usable = begun.elapsed();
    println!("the command listens after {listening:.0?}, the page is usable after {usable:.0?}");
    assert!(usable.as_millis() < 10_000, "{usable:?}");
    // From the turn that is played to the first line on it.
    page.value(
        "globalThis.times = []; { const go = app.go.bind(app); let since = 0; \
         app.go = (node) => { since = performance.now(); return go(node); }; \
         const hear = app.engine.hear.bind(app.engine); \
         app.engine.hear = (report) => { hear(report); \
         if (since) { times.push(performance.now() - since); since = 0; } }; }",
    );
    page.click_then("#engine", LINES);
    for ply in 1..=6 {
        // Not by the pointer: moves change under it in the first milliseconds of a search.
        page.value("$('.lines button').click()");
        page.wait_for(&format!("app.node.ply === {ply} && app.hand.known && times.length === {ply}"));
        page.wait_for("$$('.lines li').length > 0");
    }
    let times = page.value("times.map(Math.round)");
    println!("the first line comes after {times} ms");
    page.assert("Math.max(...times) < 8000");
    page.check(server.origin());
}

/// How long each task of the page takes while something happens, in milliseconds on the processor, as other work may run
/// beside the tests. The page must be alone, as all of its browser is measured.
fn tasks(page: &mut Page, happens: impl FnOnce(&mut Page)) -> Vec<f64> {
    page.call("Tracing.start", json!({ "traceConfig": { "includedCategories": ["toplevel", "disabled-by-default-devtools.timeline", "devtools.timeline", "__metadata"] } }));
    happens(page);
    page.call("Tracing.end", json!({}));
    let trace = page.collect("Tracing.dataCollected", "Tracing.tracingComplete");
    let events: Vec<_> = trace.iter().filter_map(Value::as_array).flatten().collect();
    let is_main = |event: &&&Value| event["name"] == "thread_name" && event["args"]["name"] == "CrRendererMain";
    let main = events.iter().find(is_main).expect("a main thread");
    let is_task = |event: &&&Value| {
        let name = event["name"].as_str().unwrap_or_default();
        event["tid"] == main["tid"] && event["pid"] == main["pid"] && name.ends_with("RunTask")
    };
    let length = |event: &&Value| event["tdur"].as_f64().or(event["dur"].as_f64());
    events.iter().filter(is_task).filter_map(length).map(|micros| micros / 1000.0).collect()
}

/// A drag while the engine searches, and a turn of several steps.
#[test]
fn motion_is_smooth() {
    let server = Server::start(&[]);
    let mut page = Page::alone(1280, 860);
    open(&mut page, &server);
    page.animate();
    page.click_then("#engine", LINES);
    let lengths = tasks(&mut page, |page| {
        page.drag("f2", "e3", 60);
        page.wait_ply(1);
    });
    let longest = lengths.iter().copied().fold(0.0, f64::max);
    println!("a drag: {} tasks, the longest {longest:.1} ms", lengths.len());
    assert!(lengths.len() > 60 && longest < 50.0, "{longest}");
    page.click_then("#engine", "!app.engine.isOn && app.view.board.rest === 0");
    page.value(
        "globalThis.frames_ = []; globalThis.count = (time) => { frames_.push(time); requestAnimationFrame(count); }",
    );
    let lengths = tasks(&mut page, |page| {
        page.value("void (async () => { const { turn } = await ask('/position', { place: app.tree.place(app.node), turn: 'd5-d4A-c5W' }); app.play(turn.word); frames_.length = 0; requestAnimationFrame(count); })()");
        page.wait_for("app.node.ply === 2 && app.hand.known && app.view.board.rest === 0");
    });
    let longest = lengths.iter().copied().fold(0.0, f64::max);
    let frames = page.value("(frames_.length - 1) * 1000 / (frames_.at(-1) - frames_[0])").as_f64().expect("frames");
    println!("a turn: {frames:.1} frames a second, the longest task {longest:.1} ms");
    assert!(frames > 20.0 && longest < 50.0, "{frames}, {longest}");
    page.check(server.origin());
}
