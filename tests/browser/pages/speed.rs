//! How fast the page is. Limits are wide, as other work may run beside the tests; the figures are printed:
//! `cargo test -- speed --nocapture`.

use std::time::Instant;

use serde_json::json;

use crate::browser::Page;
use crate::vato::{Server, open, opened};

#[test]
fn the_page_is_soon_there_and_the_engine_answers_at_once() {
    let mut page = Page::open(1280, 860);
    let begun = Instant::now();
    let server = Server::start(&[]);
    let listening = begun.elapsed();
    open(&mut page, &server);
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
    page.click("#engine");
    page.wait_for("document.querySelectorAll('.lines li').length === 3");
    for ply in 1..=6 {
        // Not by the pointer: moves change under it in the first milliseconds of a search.
        page.value("document.querySelector('.lines button').click()");
        page.wait_for(&format!(
            "app.node.ply === {ply} && app.hand.known && times.length === {ply}"
        ));
        page.wait_for("document.querySelectorAll('.lines li').length > 0");
    }
    let times = page.value("times.map(Math.round)");
    println!("the first line comes after {times} ms");
    let most = times.as_array().and_then(|times| {
        times
            .iter()
            .filter_map(|time| time.as_f64())
            .reduce(f64::max)
    });
    assert!(most < Some(8000.0), "{times}");
    page.check(server.origin());
}

#[test]
fn a_drag_is_smooth() {
    let (server, mut page) = opened();
    page.click("#engine");
    page.wait_for("document.querySelectorAll('.lines li').length === 3");
    page.call("Tracing.start", json!({ "traceConfig": { "includedCategories": ["toplevel", "disabled-by-default-devtools.timeline", "devtools.timeline", "__metadata"] } }));
    page.drag("f2", "e3", 60);
    page.wait_for("app.node.ply === 1 && app.hand.known");
    page.call("Tracing.end", json!({}));
    let trace = page.collect("Tracing.dataCollected", "Tracing.tracingComplete");
    let events: Vec<_> = trace
        .iter()
        .filter_map(|part| part.as_array())
        .flatten()
        .collect();
    let main = events
        .iter()
        .find(|event| event["name"] == "thread_name" && event["args"]["name"] == "CrRendererMain")
        .expect("a main thread");
    let tasks = events.iter().filter(|event| {
        event["tid"] == main["tid"]
            && event["pid"] == main["pid"]
            && event["name"]
                .as_str()
                .is_some_and(|name| name.ends_with("RunTask"))
    });
    // Time on the processor, as other work may run beside the tests.
    let length = |event: &&&serde_json::Value| event["tdur"].as_f64().or(event["dur"].as_f64());
    let lengths: Vec<f64> = tasks
        .filter_map(|event| length(&event))
        .map(|micros| micros / 1000.0)
        .collect();
    let longest = lengths.iter().copied().fold(0.0, f64::max);
    println!(
        "a drag: {} tasks, the longest {longest:.1} ms",
        lengths.len()
    );
    assert!(lengths.len() > 60 && longest < 50.0, "{longest}");
    page.check(server.origin());
}
