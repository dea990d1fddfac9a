//! Without a mouse, and without seeing the page.

use crate::browser::Page;
use crate::vato::{Server, moves, open};

#[test]
fn a_game_is_played_by_keyboard_alone() {
    let server = Server::start(&[]);
    let mut page = Page::open(1280, 860);
    open(&mut page, &server);
    // From the top of the page to the board.
    for _ in 0..20 {
        page.key("Tab");
        if page.value("document.activeElement.classList.contains('spot')") == true {
            break;
        }
    }
    let focused = "document.activeElement.getAttribute('aria-label')";
    assert_eq!(page.value(focused), "e3, empty");
    page.key("ArrowLeft");
    assert_eq!(page.value(focused), "d3, White, can move");
    page.key("Enter");
    page.key("ArrowRight");
    assert_eq!(page.value(focused), "e3, empty, can go here");
    page.key("Enter");
    // The choice has the focus; its letter takes it, too.
    page.wait_for("document.querySelector('.question').contains(document.activeElement)");
    page.key("w");
    page.wait_for("app.hand.known && app.node.ply === 1");
    assert_eq!(moves(&mut page), "d3-e3W");
    let said = page.text("[role=status].hidden");
    assert!(
        said.contains("d3-e3W, captures 1") && said.contains("Black to move"),
        "{said}"
    );
    // Typed, then back and forward.
    page.key("m");
    page.write("d4-c3A");
    page.key("Enter");
    page.wait_for("app.hand.known && app.node.ply === 2");
    page.write("nonsense");
    page.key("Enter");
    page.wait_for("document.querySelector('.message').classList.contains('problem')");
    page.problems
        .retain(|problem| !problem.contains("400 (Bad Request)"));
    page.value("document.activeElement.blur()");
    page.key("ArrowLeft");
    page.wait_for("app.node.ply === 1");
    page.key("End");
    page.wait_for("app.node.ply === 2");
    page.key("e");
    page.wait_for("document.querySelectorAll('.lines li').length > 0");
    page.key("e");
    page.wait_for("document.querySelectorAll('.lines li').length === 0");
    // A dialog opens, holds the focus and closes.
    page.value("document.querySelector('nav button').focus()");
    page.key("Enter");
    page.wait_for("document.querySelector('dialog').contains(document.activeElement)");
    page.key("Escape");
    page.wait_for("!document.querySelector('dialog')");
    page.check(server.origin());
}

/// Spaces and capitals do not matter; a capture without its letter is refused with those that there are.
#[test]
fn moves_are_typed_as_they_come() {
    let server = Server::start(&[]);
    let mut page = Page::open(1280, 860);
    open(&mut page, &server);
    page.key("m");
    page.write("D3 - e3");
    page.key("Enter");
    assert_eq!(
        page.text(".message"),
        "A capture has a letter: d3-e3A, d3-e3W"
    );
    page.value("app.moveInput.value = ''");
    page.write("D3 E3w");
    page.key("Enter");
    page.wait_for("app.hand.known && app.node.ply === 1");
    assert_eq!(moves(&mut page), "d3-e3W");
    // There is nothing to promote in the main line.
    assert_eq!(page.value("app.promoteButton.disabled"), true);
    page.check(server.origin());
}

/// Everything that can be used has a name.
#[test]
fn controls_have_names() {
    let server = Server::start(&[]);
    let mut page = Page::open(1280, 860);
    open(&mut page, &server);
    for dialog in ["", "Play", "New", "Set up", "Open", "Save", "Keys"] {
        if !dialog.is_empty() {
            page.press_button(dialog);
        }
        let nameless = page.value(
            "[...document.querySelectorAll('button, input, select, textarea, .spot, dialog')]\
             .filter((e) => !(e.getAttribute('aria-label') || e.textContent.trim() || e.closest('label')?.textContent.trim()))\
             .map((e) => e.outerHTML)",
        );
        assert_eq!(nameless, serde_json::json!([]), "{dialog}");
        page.value("document.querySelector('dialog')?.close()");
    }
    page.check(server.origin());
}
