//! `vato fastchess` with engines that do everything wrong; what OpenBench reads of them is tested in `openbench`.

use libtest_mimic::Trial;

use crate::runner::{Contender, MatchFiles, MatchRun};
use crate::timed_trial;

pub fn trials() -> Vec<Trial> {
    vec![
        timed_trial("fastchess: no engine, no game", does_not_start),
        #[cfg(target_os = "linux")]
        timed_trial("fastchess: nobody is left", || {
            ["TERM", "KILL"].into_iter().for_each(leaves_nobody);
        }),
    ]
}

fn does_not_start() {
    let files = MatchFiles::new();
    let faulty = Contender::new("Bad", "crash-at-start").with("nodes=1");
    let honest = Contender::new("Good", "honest").with("nodes=1");
    let ended = MatchRun::fastchess([&faulty, &honest])
        .args("-rounds 9 -pgnout games.pgn")
        .within(files.folder())
        .fails(&["Bad does not start"]);
    assert_eq!(ended.stdout, "");
    assert!(!files.folder().join("games.pgn").exists());
}

#[cfg(target_os = "linux")]
fn leaves_nobody(signal: &str) {
    use crate::runner::processes::{alive, assert_none_left, unique_tag};

    let tag = unique_tag("fastchess");
    let engines = ["First", "Second"].map(|name| {
        Contender::new(name, "ignore-quit+spawn-child+delay:600000")
            .tag(&tag)
            .with("nodes=1")
    });
    let mut running = MatchRun::fastchess(&engines)
        .args("-rounds 9 -concurrency 2")
        .start();
    running.wait_until("its engines", || alive(&tag).len() >= 8);
    running.signal(signal);
    let ended = running.finish();
    assert_none_left(&tag);
    assert_eq!(
        ended.status.code(),
        (signal == "TERM").then_some(3),
        "{ended}"
    );
}
