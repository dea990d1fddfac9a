//! Without a mouse, and without seeing the page.

use crate::browser::Page;
use crate::vato::{Server, moves, opened};

#[test]
fn a_game_is_played_by_keyboard_alone() {
    let (server, mut page) = opened();
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
    assert!(said.contains("d3-e3W, captures 1") && said.contains("Black to move"), "{said}");
    // Typed, then back and forward.
    page.key("m");
    page.write("d4-c3A");
    page.key("Enter");
    page.wait_for("app.hand.known && app.node.ply === 2");
    page.write("nonsense");
    page.key("Enter");
    page.wait_for("document.querySelector('.message').classList.contains('problem')");
    page.problems.retain(|problem| !problem.contains("400 (Bad Request)"));
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

/// Spaces and capitals do not matter; a capture that may be one of two is refused with both.
#[test]
fn moves_are_typed_as_they_come() {
    let (server, mut page) = opened();
    page.key("m");
    page.write("D3 - e3");
    page.key("Enter");
    let refused = "move 'D3 - e3' may be d3-e3A, d3-e3W";
    page.wait_for(&format!("document.querySelector('.message').textContent === \"{refused}\""));
    // What has been refused is replaced.
    page.key("Escape");
    page.key("m");
    page.write("D3 E3w");
    page.key("Enter");
    page.wait_for("app.hand.known && app.node.ply === 1");
    assert_eq!(moves(&mut page), "d3-e3W");
    // Pressed twice before the answer, it is played once.
    page.fill("#move", "d4-c3A");
    page.value(
        "{ document.querySelector('.typed').requestSubmit(); document.querySelector('.typed').requestSubmit(); }",
    );
    page.wait_for("app.hand.known && app.node.ply >= 2");
    assert_eq!(moves(&mut page), "d3-e3W d4-c3A");
    page.key("ArrowLeft");
    page.wait_for("app.hand.known && app.node.ply === 1");
    // There is nothing to promote in the main line.
    assert_eq!(page.value("app.view.promoteButton.disabled"), true);
    // Why nothing can be played is said as for a click. The engine thinks for ever.
    page.value("globalThis.search = () => new Promise(() => {})");
    page.value("app.begin({ rules: 'tsivy' }, { person: 'w', level: 0, clock: null })");
    page.value("app.play('f2-e3A:d4c5')");
    page.wait_for("app.opponent.node === app.node && app.node.known");
    page.fill("#move", "d5-d4A");
    page.key("Enter");
    assert_eq!(page.text(".message"), "It is not your turn");
    assert_eq!(page.value("app.view.moveInput.value"), "d5-d4A");
    page.value("app.go(app.tree.root)");
    page.key("Enter");
    assert_eq!(page.text(".message"), "Go to the last position to play on");
    page.value("app.begin({ rules: 'tsivy' })");
    assert_eq!(page.value("app.view.moveInput.value"), "");
    page.check_forgiving(server.origin());
}

/// What goes, or cannot be used any longer, does not take the focus with it.
#[test]
fn the_focus_stays_in_the_page() {
    const FOCUSED: &str = "[...document.activeElement.classList].filter((one) => one !== 'tool').join() || document.activeElement.textContent.slice(0, 20)";
    let (server, mut page) = opened();
    page.value("app.view.board.focus('d3')");
    for key in ["Enter", "ArrowRight", "Enter"] {
        page.key(key);
    }
    page.wait_for("document.querySelector('.question').contains(document.activeElement)");
    page.key("Escape");
    assert_eq!(page.value(FOCUSED), "spot");
    page.value("app.begin({ rules: 'tsivy' }, { person: 'w', level: 0, clock: null })");
    page.value("app.play('f2-e3A:d4c5')");
    // The engine's reply does not take the question back.
    page.value("app.view.whilePlaying.at(-1).focus()");
    page.key("Enter");
    page.wait_for("app.node.ply === 2 && app.hand.known");
    assert_eq!(page.value(FOCUSED), "Really resign?");
    page.value("app.view.whilePlaying[0].focus()");
    page.key("Enter");
    page.wait_for("app.node.ply === 0 && app.hand.known");
    assert_eq!(page.value(FOCUSED), "spot");
    page.value("app.view.whilePlaying.at(-1).focus()");
    page.key("Enter");
    page.key("Enter");
    page.wait_for("!app.isPlaying");
    assert_eq!(page.value(FOCUSED), "spot");
    // In another game it is at the moves, or on the board.
    for (button, typed, focused) in [("new-game", "", "spot"), ("open", "1. f2-e3A *", "f2-e3A")] {
        page.value("app.tree.isChanged = false");
        page.value(&format!(
            "document.querySelector('#menu').showPopover(), document.querySelector('#{button}').focus()"
        ));
        page.key("Enter");
        page.wait_for("document.querySelector('dialog')");
        page.value(&format!("{{ const t = document.querySelector('dialog textarea'); if (t) t.value = '{typed}'; }}"));
        page.value("document.querySelector('dialog [type=submit]').focus()");
        page.key("Enter");
        page.wait_for("!document.querySelector('dialog')");
        assert_eq!(page.value(FOCUSED), focused);
    }
    page.value("document.querySelector('#settings').focus()");
    page.key("Enter");
    page.key("ArrowDown");
    page.wait_for("language === 1");
    page.key("ArrowDown");
    page.wait_for("language === 2");
    page.key("Escape");
    page.wait_for("document.activeElement?.id === 'settings'");
    page.check(server.origin());
}

/// Everything that can be used has a name.
#[test]
fn controls_have_names() {
    let (server, mut page) = opened();
    for dialog in ["", "Play", "New", "Set up", "Open", "Save", "Keyboard"] {
        if !dialog.is_empty() {
            page.press_button(dialog);
            page.wait_for("document.querySelector('dialog[open]')");
        }
        let nameless = page.value(
            "[...document.querySelectorAll('button, input, select, textarea, .spot, dialog')]\
             .filter((e) => !(e.getAttribute('aria-label') || e.textContent.trim() || e.closest('label')?.textContent.trim()))\
             .map((e) => e.outerHTML)",
        );
        assert_eq!(nameless, serde_json::json!([]), "{dialog}");
        page.value("document.querySelector('dialog[open]')?.close()");
    }
    page.check(server.origin());
}

/// Keys do nothing behind a dialog, also where nothing in it has the focus; Esc closes it, after a question.
#[test]
fn keys_stay_in_the_dialog() {
    let (server, mut page) = opened();
    page.drag("f2", "e3", 5);
    page.wait_for("app.hand.known && app.node.ply === 1");
    page.press_button("Set up");
    page.click_point("a1");
    for key in ["ArrowLeft", "e", "f", "m"] {
        page.key(key);
    }
    let state = "[app.node.ply, app.engine.isOn, app.isFlipped, document.activeElement === app.view.moveInput]";
    assert_eq!(page.value(state), serde_json::json!([1, false, false, false]));
    page.key("Escape");
    page.wait_for("document.querySelector('dialog .problem').textContent.includes('Esc again')");
    page.key("Escape");
    page.wait_for("!document.querySelector('dialog')");
    page.key("ArrowLeft");
    page.wait_for("app.node.ply === 0");
    // In a small window what has the focus is above the buttons at the end.
    page.resize(320, 480);
    page.value("void setUpDialog(app)");
    page.wait_for("document.querySelector('dialog .spot')");
    page.value("document.querySelector('dialog .spot[tabindex=\"0\"]').focus()");
    page.wait_for("document.activeElement.getBoundingClientRect().bottom <= document.querySelector('dialog .row.end').getBoundingClientRect().top");
    page.check(server.origin());
}

/// Also where the welcome stands in the place of the moves, and from the menus: what is typed is in the field.
#[test]
fn a_move_is_typed_at_once() {
    let typed = |page: &mut Page, open: &str, is_in: &str| {
        page.value(open);
        page.wait_for(is_in);
        page.write("fe");
        page.wait_for("!app.isFlipped && !app.engine.isOn && document.activeElement.value.endsWith('fe')");
    };
    for (width, height) in [(1280, 860), (390, 844), (844, 390)] {
        for part in ["typing", "notes"] {
            let server = Server::start(&[]);
            let mut page = Page::open(width, height);
            page.goto(&server.url);
            page.wait_for("typeof app !== 'undefined' && app.hand?.known");
            let is_in = if part == "typing" {
                "document.activeElement.id === 'move'"
            } else {
                "document.activeElement === app.view.comment"
            };
            typed(&mut page, &format!("document.getElementById('{part}').click()"), is_in);
            page.value(&format!("app.view.unfold('{part}', false)"));
            page.value("app.view.board.focus()");
            if part == "typing" {
                page.key("m");
                page.wait_for(is_in);
                page.value(&format!("app.view.unfold('{part}', false)"));
            }
            let name = if part == "typing" { "Type a move" } else { "Notes" };
            typed(
                &mut page,
                &format!(
                    "moreDialog(app), [...document.querySelectorAll('dialog button')].find((one) => one.textContent === '{name}').click()"
                ),
                is_in,
            );
            page.check(server.origin());
        }
    }
}
