//! What comes onto the board from elsewhere: positions that are set up, and what files say of their moves.

use serde_json::json;

use crate::browser::Page;
use crate::vato::{opened, opened_file};

/// Uses the position of the dialog that sets one up.
fn use_position(page: &mut Page) {
    page.press_button("Use this position");
    page.wait_closed();
}

/// All of the dialog is seen; another board is there at once, and an earlier one comes back with what was on it. What
/// would be lost is asked about once.
#[test]
fn a_position_is_set_up() {
    let (server, mut page) = opened();
    let fen = "$('dialog [aria-label=FEN]').value";
    for (width, height) in [(375, 700), (1280, 860)] {
        page.resize(width, height);
        page.begin("{ rules: 'tsivy', start: '9/3b5/2w1b4/9/9 w 3 17' }");
        page.press_button("Set up");
        // The counters hold for this position alone.
        for shown in ["9/3b5/2w1b4/9/9 w 3 17", "9/3b5/2w1b4/9/w8 w", "9/3b5/2w1b4/9/9 w 3 17"] {
            assert_eq!(page.value(fen), shown);
            page.click_point("a1");
        }
        page.click_point("a1");
        let size = |page: &mut Page, size: &str| {
            page.value(&format!("{{ const size = $$('dialog select')[1]; size.value = '{size}'; size.dispatchEvent(new Event('change')); }}"));
        };
        size(&mut page, "5x5");
        page.wait_for("$$('dialog .spot').length === 25");
        page.assert("$box('dialog [type=submit]').bottom < innerHeight");
        page.click_point("a1");
        let small = page.value(fen);
        size(&mut page, "");
        page.wait_for(&format!("{fen} === '9/3b5/2w1b4/9/9 w 3 17'"));
        size(&mut page, "5x5");
        page.wait_for(&format!("{fen} === {small}"));
        use_position(&mut page);
        page.assert("app.tree.columns === 5");
    }
    page.begin("{ rules: 'tsivy' }");
    page.press_button("Set up");
    page.press_button("Clear");
    page.click_point("e3");
    page.click_point("a1");
    page.click("dialog input[value=b]");
    page.click_point("i5");
    use_position(&mut page);
    assert_eq!(page.value("app.node.known.fen"), "8b/9/4w4/9/w8 w 0 2");
    // What the tables know stands beside each move, which is played by a click.
    page.wait_for("app.node.known.table && $$('.table li').length > 3");
    page.click(".table button");
    page.wait_ply(1);
    // What is typed is on the board at once, and a button that is pressed then does not move away.
    page.press_button("Set up");
    for (fen, spots) in [("www/3/bbb w", 9), ("9/9/4w4/9/8b b", 45)] {
        page.value("$('dialog [aria-label=FEN]').select()");
        page.fill("dialog [aria-label=FEN]", fen);
        page.click_slowly("dialog h2");
        page.wait_for(&format!("$$('dialog .spot').length === {spots}"));
    }
    // A rank is missing, or too many stones: there is no such board, and the one that is shown stays as it is.
    for fen in ["9/3b5/2w1b4/9 w", "9999999 w", "99999999999/9 w", "1/1/1/1/1/1/1/1/1/w w", "9/3b5/2w6/9/9 x 0 2"] {
        page.set("dialog [aria-label=FEN]", fen);
        page.assert("$$('dialog .spot').filter((spot) => /, (White|Black|empty)$/.test(spot.getAttribute('aria-label'))).length === 45");
        page.value("app.tree.isChanged = false; $('dialog .problem').textContent = ''");
        page.submit();
        page.wait_for("$('dialog .problem').textContent !== ''");
        assert!(!page.text("dialog .problem").contains("count value"), "{fen}");
        assert_eq!(page.value("$('dialog [aria-label=FEN]').value"), fen);
    }
    // An empty field is not another position than the board that is shown.
    page.set("dialog [aria-label=FEN]", "9/9/4w4/9/8b b");
    page.set("dialog [aria-label=FEN]", " ");
    page.submit();
    page.wait_closed();
    page.assert("app.tree.start === '9/9/4w4/9/8b b 0 2'");
    page.value("app.tree.isChanged = false");
    page.begin("{ rules: 'tsivy' }");
    let new_game = |page: &mut Page, asks: bool| {
        page.press_button("New");
        page.submit();
        if asks {
            page.wait_text("dialog .problem", "saved");
            page.submit();
        }
        page.wait_closed();
        page.assert("app.node.ply === 0");
    };
    // Names alone are work, too.
    page.press_button("Save");
    page.fill("dialog input", "Rabe");
    page.wait_for("$('dialog textarea').value.includes('Rabe')");
    page.close_dialog();
    new_game(&mut page, true);
    page.drag("f2", "e3", 5);
    page.wait_ply(1);
    new_game(&mut page, true);
    new_game(&mut page, false);
    page.drag("f2", "e3", 5);
    page.wait_ply(1);
    page.press_button("Delete from here");
    page.assert("app.node.ply === 1");
    page.press_button("Really delete?");
    page.wait_ply(0);
    page.press_button("Play");
    page.submit();
    page.wait_for("app.isPlaying && app.hand.known");
    page.press_button("Resign");
    page.assert("app.isPlaying");
    page.press_then("Really resign?", "!app.isPlaying");
    page.assert_text(".moves .outcome", "0-1");
    // With another result it is not said how a game of a file has ended.
    page.read("[Termination \"resignation\"]\n\n1. f2-e3A 0-1");
    page.press_button("Save");
    for (result, termination) in [("1/2-1/2", false), ("*", false), ("0-1", true)] {
        page.choose("dialog select", result);
        page.wait_for(&format!("$('dialog textarea').value.includes('[Result \"{result}\"]')"));
        assert_eq!(page.value("$('dialog textarea').value.includes('Termination')"), termination, "{result}");
    }
    page.press_button("Close");
    page.check_forgiving(server.origin());
}

/// A position with what is often around it, in both dialogs: the page sees in it what the server does.
#[test]
fn a_position_is_given_in_many_ways() {
    let (server, mut page) = opened();
    for text in [
        "w8/9/9/9/8b b 3 41 ; an ending",
        "w8/9/9/9/8b b 3 41 bm i1-i2; id \"an ending; won\";",
        "W8/9/9/9/8B Black - - 3 41",
        "position fen w8/9/9/9/8b_b_3_41",
        "\"w8/9/9/9/8b b 3 41\"",
        "[FEN \"w8/9/9/9/8b b 3 41\"]",
    ] {
        page.begin("{ rules: 'tsivy' }");
        page.value(&format!("app.readText({{ pgn: {}, number: 1 }})", json!(text)));
        page.assert("app.node.known.fen === 'w8/9/9/9/8b b 3 41'");
        page.begin("{ rules: 'tsivy' }");
        page.value("void setUpDialog(app)");
        page.set("dialog [aria-label=FEN]", text);
        page.submit();
        page.wait_closed();
        page.assert("app.node.known.fen === 'w8/9/9/9/8b b 3 41'");
        page.value("app.tree.isChanged = false");
    }
    // Another size is another board. Digits are read one by one.
    for (fen, start, rules) in
        [("5/2b2/5/2w2/5 w", "5/2b2/5/2w2/5 w 0 2", "dimy"), ("w8/54/9/9/8b w", "w8/9/9/9/8b w 0 2", "tsivy")]
    {
        page.value("app.tree.isChanged = false");
        page.open_text(fen);
        page.wait_closed();
        assert_eq!(page.value("[app.tree.start, app.tree.rules]"), json!([start, rules]));
    }
    // Lists of positions may have words in between, and a wrong one; a game, a result, an address or a path is none.
    for (text, count) in [
        ("9/3b5/2w1b4/9/9 w\n\nMate in three\n9/3b5/2w1b4/9/8w b", 3),
        ("9/3b5/2w1b4/9/9 w\n1. f2-e3A", 0),
        ("9/3x5/2w1b4/..../9 w", 1),
        ("1/2-1/2", 0),
        ("https://abstractplay.com/play/fanorona/0/123e4567", 0),
        ("https://www.boardspace.net/fanorona/x.sgf", 0),
        ("www.site.mg/lalao/1", 0),
        ("games/e4.pgn", 0),
    ] {
        assert_eq!(page.value(&format!("fensOf({}).length", json!(text))), count, "{text}");
    }
    page.check(server.origin());
}

/// Scores and times of engines, and what an annotation says, are in the graph and in the saved game, not among the comments.
#[test]
fn what_engines_noted_is_no_comment() {
    let comments = "app.tree.line(app.tree.root).slice(1).map(({ comment }) => comment)";
    let (server, mut page) = opened_file(
        "1. f2-e3A {+0.35/12 0.84s} d5-d4A-c5W {-0.20/11 1.5s a bold idea} \
         2. e2-e3A-d3W {0.840s} c3-d2A-e3W-f3A {+0.3 is too much} *\n",
    );
    assert_eq!(page.value(comments), json!(["", "a bold idea", "", "+0.3 is too much"]));
    page.key("Home");
    page.key("ArrowRight");
    page.wait_ply(1);
    page.assert("app.view.comment.value === ''");
    page.click(".notes textarea");
    page.write("the usual start");
    page.click_then(".here", "app.node.comment !== ''");
    page.press_then("Save", "$('dialog textarea').value.includes('[Result')");
    let pgn = page.value("$('dialog textarea').value.replace(/\\s+/g, ' ')");
    for comment in ["{+0.35/12 0.84s the usual start}", "{-0.20/11 1.5s a bold idea}", "{0.840s}"] {
        assert!(pgn.as_str().expect("PGN").contains(comment), "{comment}: {pgn}");
    }
    page.press_button("Close");
    page.check(server.origin());
    // A game that has been annotated has the scores of the annotation.
    let folder = tempfile::tempdir().expect("a folder");
    let [path, annotated] =
        ["game.pgn", "annotated.pgn"].map(|name| folder.path().join(name).to_str().expect("UTF-8").to_owned());
    let text = "1. f2-e3A {+9.35/12 0.84s} d5-d4A-c5W {-9.20/11 1.5s a bold idea} 2. e2-e3A-d3W *\n";
    std::fs::write(&path, text).expect("written");
    let done = std::process::Command::new(crate::vato::program())
        .args(["analyse", "--nodes", "300", "--pgn", &path, "--pgn-out", &annotated])
        .output();
    assert!(done.expect("the program").status.success());
    let text = std::fs::read_to_string(&annotated).expect("annotated");
    assert_eq!(text.matches(" Vato: ").count(), 2, "{text}");
    page.read(&text);
    assert_eq!(page.value(comments), json!(["", "a bold idea", ""]));
    page.assert("app.tree.line(app.tree.root).slice(1).every(({ score }) => Math.abs(Number(score.text)) < 9)");
    // It is saved as it was, also after the page has been loaded anew.
    page.reload_board();
    let moves = |text: &str| text.split_whitespace().skip_while(|word| *word != "1.").collect::<Vec<_>>().join(" ");
    let saved = page.value("ask('/write', app.tree.data()).then(({ pgn }) => pgn)");
    assert_eq!(moves(saved.as_str().expect("PGN")), moves(&text));
}

/// Text of a file stays text, whatever it is.
#[test]
fn a_file_is_read_and_nothing_in_it_becomes_markup() {
    let hostile = "<img src=x onerror=alert(1)></script><script>alert(2)</script>";
    let text = format!(
        "[White \"{hostile}\"]\n[Black \"Second\"]\n\n{{{hostile}}} 1. d3-e3A !? {{{hostile}}} \
         ({{{hostile}}} 1. f2-e3A d5-d4A) 1... c3-d3A *\n\n[White \"Other\"]\n\n1. f2-e3A *\n"
    );
    let (server, mut page) = opened_file(&text);
    page.wait_text(".moves", hostile);
    page.wait_text("main", "<img");
    page.assert("$$('main img, main script').length === 0");
    page.key("End");
    page.wait_ply(2);
    // Another game of the same text.
    page.press_button("Open");
    page.set("dialog textarea", &text);
    page.wait_for("$$('dialog select option').length === 2");
    page.value("$('dialog select').selectedIndex = 1");
    page.submit();
    page.wait_for("!$('dialog') && app.tree.tag('White') === 'Other'");
    page.wait_text(".movespanel", "Game 2 of 2");
    page.click_then("[aria-label='Previous game']", "app.hand.known && app.tree.tag('White') !== 'Other'");
    page.click_then("[aria-label='Next game']", "app.hand.known && app.tree.tag('White') === 'Other'");
    // Comments and marks are kept when the page is loaded anew.
    page.key("End");
    page.wait_ply(1);
    page.click(".notes textarea");
    page.write("a <b>bold</b> move");
    page.click_then(".here", "app.node.comment !== ''");
    page.reload_board();
    page.assert("app.node.ply === 1 && $('.moves .said').textContent.includes('a <b>bold</b> move')");
    page.check(server.origin());
}
