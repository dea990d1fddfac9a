//! A report, opened from disk.

use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

use crate::browser::Page;
use crate::vato::program;

#[test]
fn a_report_opens_from_disk() {
    let folder = tempfile::tempdir().expect("a folder");
    let [pgn, html] = ["game.pgn", "report.html"].map(|name| folder.path().join(name));
    // As long as an accuracy tells something.
    let moves = "1. f2-e3A d5-d4A-c5W 2. e2-e3A-d4A-e5W-d5W c4-c3A-d2A-c2A 3. b3-c3W-c4W f3-f2A-e1W \
                 4. h2-g3A-f2A g4-g3A-h2A-g2A 5. h1-h2A b5-c5A 6. c4-c3W-d2W g2-f2W 7. d2-e2A i4-i5W";
    std::fs::write(&pgn, format!("[White \"Rabe\"]\n\n{moves} *\n")).expect("written");
    let output = Command::new(program())
        .args(["analyse", "--nodes", "200", "--pgn"])
        .arg(&pgn)
        .arg("--html")
        .arg(&html)
        .output()
        .expect("the program: run 'cargo build' before");
    assert!(output.status.success(), "{output:?}");
    let mut page = Page::open(1280, 860);
    let url = format!("file://{}", html.display());
    page.goto(&url);
    page.wait_for("document.querySelector('td.white')?.textContent === 'Rabe'");
    page.click_then(".games tbody a", "document.querySelector('.board')");
    page.key_then("ArrowRight", "document.querySelector('.here .move').textContent.includes('f2-e3A')");
    page.key_then("End", "document.querySelectorAll('.board .white, .board .black').length < 20");
    page.click(".graph");
    // All of the board is in a low window.
    page.resize(844, 390);
    page.wait_for("document.querySelector('.board').getBoundingClientRect().height < 390");
    // A line that is looked at stays.
    page.value("view.go(0); view.line = { ply: 0, words: '', turns: view.turns.slice(0, 2), at: 2 }; view.show()");
    page.resize(375, 740);
    page.wait_for("document.documentElement.scrollWidth <= 375");
    assert_eq!(page.value("view.line?.at"), 2);
    page.value("view.go(0)");
    page.key_then("Escape", "document.querySelector('td.white')");
    page.wait_for("document.querySelector('td.result + td.accuracy-white').checkVisibility()");
    let width = page.value(
        "document.querySelector('.games .scroll').scrollWidth - document.querySelector('.games .scroll').clientWidth",
    );
    assert_eq!(width, 0);
    page.check(&url);
}

/// The page of a match that runs is loaded again, sorted as it was, until the match is over.
#[test]
fn the_page_of_a_running_match_goes_on() {
    let folder = tempfile::tempdir().expect("a folder");
    let html = folder.path().join("m.html");
    let mut running = Command::new(program())
        .current_dir(&folder)
        .args("match --each st=0.04 --games 9 --max-plies 60 --concurrency 1 --quiet".split(' '))
        .args("--out m --html m.html --live".split(' '))
        .stdout(Stdio::null())
        .spawn()
        .expect("the program: run 'cargo build' before");
    while !std::fs::metadata(&html).is_ok_and(|file| file.len() > 0) {
        sleep(Duration::from_millis(20));
    }
    let mut page = Page::open(1280, 860);
    page.goto(&format!("file://{}", html.display()));
    let rows = "document.querySelectorAll('.games tbody tr').length";
    page.wait_for(&format!("{rows} > 0"));
    // A click may come while the page is being loaded again.
    page.wait_for(
        "(head => head.ariaSort === 'ascending' || head.querySelector('button').click())\
         (document.querySelector('th.black'))",
    );
    page.wait_for(&format!("{rows} > 2"));
    assert!(running.wait().expect("its end").success());
    page.wait_for(&format!("{rows} === 9"));
    page.wait_for("document.body.textContent.includes('whose pair is unfinished')");
    page.wait_for("document.querySelector('th.black').ariaSort === 'ascending'");
    assert_eq!(page.value("DATA.live === undefined"), true);
}
