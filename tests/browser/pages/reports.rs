//! A report, opened from disk.

use std::process::Command;

use crate::browser::Page;
use crate::vato::program;

#[test]
fn a_report_opens_from_disk() {
    let folder = tempfile::tempdir().expect("a folder");
    let [pgn, html] = ["game.pgn", "report.html"].map(|name| folder.path().join(name));
    std::fs::write(&pgn, "[White \"Rabe\"]\n\n1. f2-e3A d5-d4A 2. e1-d2A *\n").expect("written");
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
    page.click(".games tbody a");
    page.wait_for("document.querySelector('.board')");
    page.key("ArrowRight");
    page.wait_for("document.querySelector('.here .move').textContent.includes('f2-e3A')");
    page.key("End");
    page.wait_for("document.querySelectorAll('.board .white, .board .black').length > 30");
    page.click(".graph");
    page.resize(375, 740);
    page.wait_for("document.documentElement.scrollWidth <= 375");
    page.key("Escape");
    page.wait_for("document.querySelector('td.white')");
    page.wait_for("document.querySelector('td.result + td.accuracy-white').checkVisibility()");
    let width = page.value("document.querySelector('.games .scroll').scrollWidth - document.querySelector('.games .scroll').clientWidth");
    assert_eq!(width, 0);
    page.check(&url);
}
