//! What comes onto the board from elsewhere: positions that are set up, files, and what they say.

use crate::browser::Page;
use crate::vato::{Server, open, opened, opened_with};

#[test]
fn another_board_is_set_up_at_once_and_all_of_the_dialog_is_seen() {
    let server = Server::start(&["--fen", "9/3b5/2w1b4/9/9 w 3 17"]);
    for (width, height) in [(1280, 800), (375, 700)] {
        let mut page = Page::open(width, height);
        page.goto(&server.url);
        open(&mut page, &server);
        page.press_button("Set up");
        let fen = "document.querySelector('dialog [aria-label=FEN]').value";
        assert_eq!(page.value(fen), "9/3b5/2w1b4/9/9 w 3 17");
        // The counters hold for this position alone.
        page.click_point("a1");
        assert_eq!(page.value(fen), "9/3b5/2w1b4/9/w8 w");
        page.click_point("a1");
        assert_eq!(page.value(fen), "9/3b5/2w1b4/9/9 w 3 17");
        page.value("(() => { const s = document.querySelectorAll('dialog select')[1]; s.value = '5x5'; s.dispatchEvent(new Event('change')); })()");
        page.wait_for("document.querySelectorAll('dialog .spot').length === 25");
        let below =
            page.value("document.querySelector('dialog [type=submit]').getBoundingClientRect().bottom - innerHeight");
        assert!(below.as_f64() < Some(0.0), "{width}: {below}");
        // What was on the other board is there again, and on this one.
        page.click_point("a1");
        let small = page.value(fen);
        for (size, shown) in [("", "9/3b5/2w1b4/9/9 w 3 17".into()), ("5x5", small)] {
            page.value(&format!("(() => {{ const s = document.querySelectorAll('dialog select')[1]; s.value = '{size}'; s.dispatchEvent(new Event('change')); }})()"));
            page.wait_for(&format!("{fen} === {shown}"));
        }
        page.press_button("Use this position");
        page.wait_for("!document.querySelector('dialog') && app.hand.known && app.tree.columns === 5");
        page.check(server.origin());
    }
}

/// What would be lost is asked about once.
#[test]
fn nothing_is_lost_without_a_question() {
    let (server, mut page) = opened();
    // Names alone are work, too.
    page.press_button("Save");
    page.fill("dialog input", "Rabe");
    page.press_button("Close");
    page.press_button("New");
    page.click("dialog[open] [type=submit]");
    page.wait_for("document.querySelector('dialog .problem').textContent.includes('saved')");
    page.click("dialog[open] [type=submit]");
    page.wait_for("!document.querySelector('dialog') && app.hand.known");
    page.drag("f2", "e3", 5);
    page.wait_for("app.hand.known && app.node.ply === 1");
    page.press_button("New");
    page.click("dialog[open] [type=submit]");
    page.wait_for("document.querySelector('dialog .problem').textContent.includes('saved')");
    page.click("dialog[open] [type=submit]");
    page.wait_for("!document.querySelector('dialog') && app.hand.known && app.node.ply === 0");
    // Nothing to lose.
    page.press_button("New");
    page.click("dialog[open] [type=submit]");
    page.wait_for("!document.querySelector('dialog') && app.hand.known");
    page.drag("f2", "e3", 5);
    page.wait_for("app.hand.known && app.node.ply === 1");
    page.press_button("Delete from here");
    assert_eq!(page.value("app.node.ply"), 1);
    page.press_button("Really delete?");
    page.wait_for("app.node.ply === 0 && app.hand.known");
    page.press_button("Play");
    page.click("dialog[open] [type=submit]");
    page.wait_for("app.isPlaying && app.hand.known");
    page.press_button("Resign");
    assert_eq!(page.value("app.isPlaying"), true);
    page.press_button("Really resign?");
    page.wait_for("!app.isPlaying");
    assert_eq!(page.text(".verdict"), "Vato wins: you resigned");
    // Nobody moves, and the button is the way to the review.
    let gone = "['#hint', '#tab-review'].map((one) => document.querySelector(one).checkVisibility()).join()";
    assert_eq!(page.value(gone), "false,false");
    assert_eq!(page.text(".moves .outcome"), "0-1");
    // With another result it is not said how a game of a file has ended.
    page.value(r#"app.readText({ pgn: '[Termination "resignation"]\n\n1. f2-e3A 0-1' })"#);
    page.wait_for("app.hand.known && app.tree.result === '0-1'");
    page.press_button("Save");
    for (result, termination) in [("1/2-1/2", false), ("*", false), ("0-1", true)] {
        page.choose("dialog select", result);
        let text = "document.querySelector('dialog textarea').value";
        page.wait_for(&format!("{text}.includes('[Result \"{result}\"]')"));
        let has_termination = page.value(&format!("{text}.includes('Termination')"));
        assert_eq!(has_termination, termination, "{result}");
    }
    page.press_button("Close");
    page.check(server.origin());
}

/// Scores and times of engines are in the graph and in the saved game, not among the comments.
#[test]
fn what_engines_noted_is_no_comment() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("game.pgn");
    let text = "1. f2-e3A {+0.35/12 0.84s} d5-d4A-c5W {-0.20/11 1.5s a bold idea} \
                2. e2-e3A-d3W {0.840s} c3-d2A-e3W-f3A {+0.3 is too much} *\n";
    std::fs::write(&path, text).expect("written");
    let (server, mut page) = opened_with(&["--pgn", path.to_str().expect("UTF-8")]);
    let said = "[...document.querySelectorAll('.moves .said')].map((e) => e.textContent).join('|')";
    page.key("End");
    page.wait_for("app.hand.known && app.node.ply > 2");
    let shown = page.value(said);
    assert!(shown.as_str().expect("text").starts_with("a bold idea"), "{shown}");
    page.key("Home");
    page.key("ArrowRight");
    page.wait_for("app.hand.known && app.node.ply === 1");
    assert_eq!(page.value("app.view.comment.value"), "");
    page.click(".notes textarea");
    page.write("the usual start");
    page.click(".here");
    page.wait_for("app.node.comment !== ''");
    page.press_button("Save");
    page.wait_for("document.querySelector('dialog textarea').value.includes('[Result')");
    let pgn = page.value("document.querySelector('dialog textarea').value.replace(/\\s+/g, ' ')");
    let pgn = pgn.as_str().expect("PGN");
    for comment in ["{+0.35/12 0.84s the usual start}", "{-0.20/11 1.5s a bold idea}", "{0.840s}"] {
        assert!(pgn.contains(comment), "{comment}: {pgn}");
    }
    page.press_button("Close");
    page.check(server.origin());
}

/// A game that has been annotated has the scores of the annotation.
#[test]
fn what_an_annotation_says_is_no_comment() {
    let folder = tempfile::tempdir().expect("a folder");
    let [path, annotated] =
        ["game.pgn", "annotated.pgn"].map(|name| folder.path().join(name).to_str().expect("UTF-8").to_owned());
    let text = "1. f2-e3A {+9.35/12 0.84s} d5-d4A-c5W {-9.20/11 1.5s a bold idea} 2. e2-e3A-d3W *\n";
    std::fs::write(&path, text).expect("written");
    let done = std::process::Command::new(crate::vato::program())
        .args(["analyse", "--pgn", &path, "--nodes", "300", "--pgn-out", &annotated])
        .output();
    assert!(done.expect("the program").status.success());
    let text = std::fs::read_to_string(&annotated).expect("annotated");
    assert_eq!(text.matches(" Vato: ").count(), 2, "{text}");
    let (server, mut page) = opened_with(&["--pgn", &annotated]);
    page.key("End");
    page.wait_for("app.hand.known && app.node.ply === 3");
    assert_eq!(
        page.value("app.tree.line(app.tree.root).slice(1).map(({ comment }) => comment)"),
        serde_json::json!(["", "a bold idea", ""])
    );
    assert_eq!(
        page.value("app.tree.line(app.tree.root).slice(1).every(({ score }) => Math.abs(Number(score.text)) < 9)"),
        true
    );
    // It is saved as it was, also after the page has been loaded anew.
    page.reload();
    page.wait_for("typeof app !== 'undefined' && app.hand.known");
    let moves = |text: &str| {
        let words: Vec<_> = text.split_whitespace().skip_while(|word| *word != "1.").collect();
        words.join(" ")
    };
    let saved = page.value("ask('/write', app.tree.data()).then(({ pgn }) => pgn)");
    assert_eq!(moves(saved.as_str().expect("PGN")), moves(&text));
    page.check(server.origin());
}

/// What the tables know stands beside each move: the only one that draws is found there.
#[test]
fn a_position_is_set_up_and_the_tables_know_it() {
    let (server, mut page) = opened_with(&["--tablebases", "none"]);
    page.press_button("Set up");
    page.press_button("Clear");
    page.click_point("e3");
    page.click_point("a1");
    page.click("dialog input[value=b]");
    page.click_point("i5");
    page.press_button("Use this position");
    page.wait_for("app.node.known?.table && document.querySelectorAll('.table li').length > 3");
    assert_eq!(page.value("app.node.known.fen"), "8b/9/4w4/9/w8 w 0 2");
    let kinds =
        page.value("[...new Set([...document.querySelectorAll('.table li')].map((li) => li.className))].length");
    assert!(kinds.as_u64() > Some(0));
    page.click(".table button");
    page.wait_for("app.node.ply === 1 && app.hand.known");
    // A position of another size changes the board.
    for (fen, rules) in [("5/2b2/5/2w2/5 w", "dimy"), ("9/3b5/2w6/9/9 w", "tsivy")] {
        page.press_button("Set up");
        page.value("app.tree.isChanged = false");
        page.value(&format!("(() => {{ const f = document.querySelector('dialog [aria-label=FEN]'); f.value = '{fen}'; f.dispatchEvent(new Event('change')); }})()"));
        page.press_button("Use this position");
        page.wait_for(&format!("app.tree.rules === '{rules}' && !document.querySelector('dialog') && app.hand.known"));
    }
    // A wrong position is told, and the dialog stays.
    page.press_button("Set up");
    page.value("app.tree.isChanged = false");
    page.value("(() => { const i = document.querySelector('dialog [aria-label=FEN]'); i.value = '9/9'; })()");
    page.press_button("Use this position");
    page.wait_for("document.querySelector('dialog .problem').textContent !== ''");
    page.press_button("Cancel");
    page.problems.retain(|problem| !problem.contains("400 (Bad Request)"));
    page.check(server.origin());
}

/// A position with what is often around it, in both dialogs: the page sees in it what the server does.
#[test]
fn a_position_is_given_in_many_ways() {
    let (server, mut page) = opened_with(&["--fen", "w8/9/9/9/8b b 3 41"]);
    for text in [
        "w8/9/9/9/8b b 3 41 ; an ending",
        "w8/9/9/9/8b b 3 41 bm i1-i2; id \\\"an ending; won\\\";",
        "W8/9/9/9/8B Black - - 3 41",
        "position fen w8/9/9/9/8b_b_3_41",
        "\\\"w8/9/9/9/8b b 3 41\\\"",
        "[FEN \\\"w8/9/9/9/8b b 3 41\\\"]",
    ] {
        for (button, field) in [("Set up", "[aria-label=FEN]"), ("Open", "textarea")] {
            page.value("app.begin({ rules: 'tsivy' })");
            page.press_button(button);
            page.value(&format!(
                "(() => {{ const f = document.querySelector('dialog {field}'); f.value = \"{text}\"; f.dispatchEvent(new Event('change')); }})()"
            ));
            page.value("document.querySelector('dialog [type=submit]').click()");
            page.wait_for("!document.querySelector('dialog') && app.hand.known");
            let fen = page.value("app.node.known.fen");
            assert_eq!(fen, "w8/9/9/9/8b b 3 41", "{button}: {text}");
            page.value("app.tree.isChanged = false");
        }
    }
    page.check(server.origin());
}

/// What is wrong with one position of a list is said of that one.
#[test]
fn a_list_of_positions_may_have_a_wrong_one() {
    let (server, mut page) = opened();
    let listed = page.value("fensOf('9/3b5/2w1b4/9/9 w\\n\\nMate in three\\n9/3b5/2w1b4/9/8w b').length");
    assert_eq!(listed, 3);
    assert_eq!(page.value("fensOf('9/3b5/2w1b4/9/9 w\\n1. f2-e3A').length"), 0);
    page.check(server.origin());
}

/// Digits are read one by one, and nothing is drawn that is larger than a board.
#[test]
fn sizes_are_those_of_boards() {
    let (server, mut page) = opened();
    let large = ["9999999 w", "99999999999/9 w", "1/1/1/1/1/1/1/1/1/w w"];
    for (button, field) in [("Set up", "[aria-label=FEN]"), ("Open", "textarea")] {
        for text in [large[0], large[1], large[2], "w8/54/9/9/8b w"] {
            page.press_button(button);
            page.value(&format!(
                "(() => {{ const f = document.querySelector('dialog {field}'); f.value = '{text}'; f.dispatchEvent(new Event('change')); }})()"
            ));
            let spots = page.value("document.querySelectorAll('dialog .spot').length");
            assert_eq!(spots, if button == "Open" { 0 } else { 45 }, "{text}");
            page.value("document.querySelector('dialog [type=submit]').click()");
            page.wait_for("document.querySelector('dialog .problem')?.textContent !== ''");
            if large.contains(&text) {
                let problem = page.text("dialog .problem");
                assert!(!problem.contains("count value"), "{text}: {problem}");
                page.press_button("Cancel");
            }
            page.wait_for("!document.querySelector('dialog')");
        }
        assert_eq!(page.value("app.tree.start"), "w8/9/9/9/8b w 0 2");
        page.value("app.begin({ rules: 'tsivy' })");
    }
    page.check_forgiving(server.origin());
}

/// Text of a file stays text, whatever it is.
#[test]
fn a_file_is_read_and_nothing_in_it_becomes_markup() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("games.pgn");
    let hostile = "<img src=x onerror=alert(1)></script><script>alert(2)</script>";
    let text = format!(
        "[White \"{hostile}\"]\n[Black \"Second\"]\n\n{{{hostile}}} 1. d3-e3A !? {{{hostile}}} \
         ({{{hostile}}} 1. f2-e3A d5-d4A) 1... c3-d3A *\n\n[White \"Other\"]\n\n1. f2-e3A *\n"
    );
    std::fs::write(&path, &text).expect("written");
    let (server, mut page) = opened_with(&["--pgn", path.to_str().expect("UTF-8")]);
    assert!(page.text(".moves").contains(hostile));
    assert!(page.text(".player:last-child .name").contains("<img") || page.text("main").contains("<img"));
    assert_eq!(page.value("document.querySelectorAll('main img, main script').length"), 0);
    page.key("End");
    page.wait_for("app.node.ply === 2 && app.hand.known");
    // Another game of the same text.
    page.press_button("Open");
    let quoted = serde_json::json!(text).to_string();
    page.value(&format!("(() => {{ const t = document.querySelector('dialog textarea'); t.value = {quoted}; t.dispatchEvent(new Event('change')); }})()"));
    page.wait_for("document.querySelectorAll('dialog select option').length === 2");
    page.value("document.querySelector('dialog select').selectedIndex = 1");
    page.value("[...document.querySelectorAll('dialog button')].find((b) => b.type === 'submit').click()");
    page.wait_for("!document.querySelector('dialog') && app.tree.tag('White') === 'Other'");
    assert!(page.text(".movespanel").contains("Game 2 of 2"));
    page.click("[aria-label='Previous game']");
    page.wait_for("app.hand.known && app.tree.tag('White') !== 'Other'");
    page.click("[aria-label='Next game']");
    page.wait_for("app.hand.known && app.tree.tag('White') === 'Other'");
    // Comments and marks are kept when the page is loaded anew.
    page.key("End");
    page.wait_for("app.node.ply === 1 && app.hand.known");
    page.click(".notes textarea");
    page.write("a <b>bold</b> move");
    page.click(".here");
    page.wait_for("app.node.comment !== ''");
    page.reload();
    page.wait_for("typeof app !== 'undefined' && app.hand.known && app.node.ply === 1");
    assert!(page.text(".moves .said").contains("a <b>bold</b> move"));
    page.check(server.origin());
}
