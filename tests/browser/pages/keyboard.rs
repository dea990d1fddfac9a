//! Without a mouse, and without seeing the page.

use serde_json::json;

use crate::browser::Page;
use crate::vato::{opened, visit, visited};

/// From the top of the page to the board, step by step and typed. Spaces and capitals do not matter; a capture that may be one
/// of two is refused with both.
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
    page.wait_for("$('.question').contains(document.activeElement)");
    page.key("w");
    page.wait_ply(1);
    page.assert_moves("d3-e3W");
    page.wait_text("[role=status].hidden", "d3-e3W, captures 1");
    page.wait_text("[role=status].hidden", "Black to move");
    // Typed, then back and forward.
    page.key("m");
    page.write("d4-c3A");
    page.key("Enter");
    page.wait_ply(2);
    page.write("nonsense");
    page.key_then("Enter", "$('.message').classList.contains('problem')");
    page.value("document.activeElement.blur()");
    page.key_then("ArrowLeft", "app.node.ply === 1");
    page.key_then("End", "app.node.ply === 2");
    page.key_then("e", "$$('.lines li').length > 0");
    page.key_then("e", "$$('.lines li').length === 0");
    // A dialog opens, holds the focus and closes.
    page.value("$('nav button').focus()");
    page.key_then("Enter", "$('dialog').contains(document.activeElement)");
    page.key_then("Escape", "!$('dialog')");
    page.begin("{ rules: 'tsivy' }");
    page.key("m");
    page.write("D3 - e3");
    page.key("Enter");
    page.wait_text(".message", "move 'D3 - e3' may be d3-e3A, d3-e3W");
    // What has been refused is replaced.
    page.key("Escape");
    page.key("m");
    page.write("D3 E3w");
    page.key("Enter");
    page.wait_ply(1);
    page.assert_moves("d3-e3W");
    // Pressed twice before the answer, it is played once.
    page.fill("#move", "d4-c3A");
    page.run_then("$('.typed').requestSubmit(), $('.typed').requestSubmit()", "app.hand.known && app.node.ply >= 2");
    page.assert_moves("d3-e3W d4-c3A");
    page.key("ArrowLeft");
    page.wait_ply(1);
    // There is nothing to promote in the main line.
    page.assert("app.view.promoteButton.disabled");
    // Why nothing can be played is said as for a click. The engine thinks for ever.
    page.value("globalThis.search = () => new Promise(() => {})");
    page.begin_game();
    page.run_then("app.play('f2-e3A:d4c5')", "app.opponent.node === app.node && app.node.known");
    page.fill("#move", "d5-d4A");
    page.key("Enter");
    page.assert_text(".message", "It is not your turn");
    page.assert("app.view.moveInput.value === 'd5-d4A'");
    page.value("app.go(app.tree.root)");
    page.key("Enter");
    page.assert_text(".message", "Go to the last position to play on");
    page.begin("{ rules: 'tsivy' }");
    page.assert("app.view.moveInput.value === ''");
    page.check_forgiving(server.origin());
}

/// What goes, or cannot be used any longer, does not take the focus with it. Arrows step through the game wherever the
/// focus is but in a text. They do nothing behind a dialog, also where nothing in it has the focus; Esc closes it,
/// after a question.
#[test]
fn focus_and_keys_have_their_place() {
    const FOCUSED: &str = "[...document.activeElement.classList].filter((one) => one !== 'tool').join() || document.activeElement.textContent.slice(0, 20)";
    let (server, mut page) = opened();
    page.value("app.view.board.focus('d3')");
    for key in ["Enter", "ArrowRight", "Enter"] {
        page.key(key);
    }
    page.wait_for("$('.question').contains(document.activeElement)");
    page.key("Escape");
    assert_eq!(page.value(FOCUSED), "spot");
    page.begin_game();
    page.value("app.play('f2-e3A:d4c5')");
    // The engine's reply does not take the question back.
    page.value("app.view.whilePlaying.at(-1).focus()");
    page.key("Enter");
    page.wait_ply(2);
    assert_eq!(page.value(FOCUSED), "Really resign?");
    page.value("app.view.whilePlaying[0].focus()");
    page.key("Enter");
    page.wait_ply(0);
    assert_eq!(page.value(FOCUSED), "spot");
    page.value("app.view.whilePlaying.at(-1).focus()");
    page.key("Enter");
    page.key_then("Enter", "!app.isPlaying");
    assert_eq!(page.value(FOCUSED), "spot");
    // In another game it is at the moves, or on the board.
    for (button, typed, focused) in [("new-game", "", "spot"), ("open", "1. f2-e3A *", "f2-e3A")] {
        page.value("app.tree.isChanged = false");
        page.value(&format!("$('#menu').showPopover(), $('#{button}').focus()"));
        page.key_then("Enter", "$('dialog')");
        page.value(&format!("{{ const text = $('dialog textarea'); if (text) text.value = '{typed}'; }}"));
        page.value("$('dialog [type=submit]').focus()");
        page.key_then("Enter", "!$('dialog')");
        assert_eq!(page.value(FOCUSED), focused);
    }
    page.value("$('#settings').focus()");
    page.key("Enter");
    page.key_then("ArrowDown", "language === 1");
    page.key_then("ArrowDown", "language === 2");
    page.key_then("Escape", "document.activeElement?.id === 'settings'");
    page.value("language = 0; app.tree.isChanged = false");
    page.read("1. f2-e3A (1. d3-e3A c3-d3A) (1. e2-e3A) d5-d4A *");
    page.key("ArrowRight");
    page.wait_ply(1);
    page.choose("[aria-label='Mark']", "!");
    for control in
        ["[aria-label='Mark']", "[aria-label='Number of lines']", "#settings", "#engine", ".moves button", "#move"]
    {
        let state = "[app.view.mark.value, app.engine.count, language]";
        let before = page.value(state);
        page.value(&format!("$({control:?}).focus()"));
        page.key_then("ArrowRight", "app.node.ply === 2");
        page.key_then("ArrowLeft", "app.node.ply === 1");
        assert_eq!(page.value(state), before, "{control}");
    }
    page.value("document.activeElement.blur()");
    // From within a variation to the move that it begins instead of.
    for (key, text) in [
        ("ArrowDown", "d3-e3A"),
        ("ArrowDown", "e2-e3A"),
        ("ArrowUp", "d3-e3A"),
        ("ArrowRight", "c3-d3A"),
        ("ArrowUp", "f2-e3A"),
    ] {
        page.key_then(key, &format!("app.node.turn.text === '{text}'"));
    }
    // In a text the keys belong to the text.
    page.fill("#move", "xy");
    page.key("ArrowLeft");
    page.assert("app.node.ply === 1");
    page.key_then("Escape", "document.activeElement === document.body && app.hand.known");
    page.click_point("e3");
    page.wait_for("$('.message').textContent !== ''");
    page.key_then("Escape", "$('.message').textContent === ''");
    page.press_button("Set up");
    page.click_point("a1");
    for key in ["ArrowLeft", "e", "f", "m"] {
        page.key(key);
    }
    let state = "[app.node.ply, app.engine.isOn, app.isFlipped, document.activeElement === app.view.moveInput]";
    assert_eq!(page.value(state), json!([1, false, false, false]));
    page.key("Escape");
    page.wait_text("dialog .problem", "Esc again");
    page.key_then("Escape", "!$('dialog')");
    page.key_then("ArrowLeft", "app.node.ply === 0");
    // In a small window what has the focus is above the buttons at the end.
    page.resize(320, 480);
    page.run_then("void setUpDialog(app)", "$('dialog .spot')");
    page.value("$('dialog .spot[tabindex=\"0\"]').focus()");
    page.wait_for("document.activeElement.getBoundingClientRect().bottom <= $box('dialog .row.end').top");
    page.check(server.origin());
}

/// Also where the welcome stands in the place of the moves, and from the menus: what is typed is in the field.
#[test]
fn a_move_is_typed_at_once() {
    let typed = |page: &mut Page, open: &str, is_in: &str| {
        page.run_then(open, is_in);
        page.write("fe");
        page.wait_for("!app.isFlipped && !app.engine.isOn && document.activeElement.value.endsWith('fe')");
    };
    let (server, mut page) = visited(&[]);
    for (width, height) in [(1280, 860), (390, 844), (844, 390)] {
        page.resize(width, height);
        for (part, name, is_in) in [
            ("typing", "Type a move", "document.activeElement.id === 'move'"),
            ("notes", "Notes", "document.activeElement === app.view.comment"),
        ] {
            visit(&mut page, &server);
            let fold = format!("app.view.unfold('{part}', false)");
            typed(&mut page, &format!("document.getElementById('{part}').click()"), is_in);
            page.value(&fold);
            page.value("app.view.board.focus()");
            if part == "typing" {
                page.key_then("m", is_in);
                page.value(&fold);
            }
            typed(
                &mut page,
                &format!("moreDialog(app), $$('dialog button').find((one) => one.textContent === '{name}').click()"),
                is_in,
            );
        }
    }
    page.check(server.origin());
}
