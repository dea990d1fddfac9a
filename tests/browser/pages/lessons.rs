//! Review, hints, learning from mistakes.

use std::process::Command;

use serde_json::Value;

use crate::browser::Page;
use crate::puzzles::{play_answer, show_puzzle};
use crate::vato::{Server, moves, opened_with, program, speak};

/// Black blunders: there is one move that draws. Then White has one move alone.
pub const BLUNDER: &str = "[White \"Ada\"]\n[FEN \"9/7b1/8w/7w1/w7w b 0 2\"]\n\n2... h4-h3A-g3W 3. i1-h2A *";

/// A page with this game, after a review at its end.
pub fn reviewed(pgn: &str) -> (Server, Page) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("game.pgn");
    std::fs::write(&path, pgn).expect("written");
    let (server, mut page) = opened_with(&["--pgn", path.to_str().expect("UTF-8")]);
    page.key("End");
    page.wait_for("app.node.ply > 0 && app.node.known");
    page.click("#review");
    page.wait_for("app.tree.review && !app.review.isRunning");
    (server, page)
}

/// Puts a turn on the board by clicks.
fn click(page: &mut Page, points: &[&str]) {
    page.wait_for("app.hand.known && !app.hand.from");
    for point in points {
        page.click_point(point);
        page.wait_for(&format!("app.hand.at === '{point}' || !app.hand.at"));
    }
}

/// All that is kept of the game, and what else belongs to it.
pub fn game(page: &mut Page) -> Value {
    page.value(
        "JSON.stringify([app.tree.data(), app.tree.places(app.node), app.hasUnsaved, app.file?.number ?? null, \
         app.isFlipped, app.opponent?.state ?? null])",
    )
}

/// The judgement, the accuracy and the marks are those of `vato analyse`.
#[test]
fn a_review_is_that_of_the_program() {
    let (server, mut page) = reviewed(BLUNDER);
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("game.pgn");
    std::fs::write(&path, BLUNDER).expect("written");
    let analysed = Command::new(program())
        .args(["analyse", "--json", "--nodes", "1000", "--pgn"])
        .arg(&path)
        .output()
        .expect("the program");
    let text = String::from_utf8(analysed.stdout).expect("UTF-8");
    let analysed: Value = serde_json::from_str(text.lines().next().expect("a game")).expect("JSON");
    let players = page.value("app.tree.review.players");
    assert_eq!(players[0], analysed["players"]["white"]);
    assert_eq!(players[1], analysed["players"]["black"]);
    // Of so few moves none is shown.
    assert_eq!(page.value("document.querySelectorAll('.review td[title]').length"), 2);
    assert_eq!(page.text(".moves .mark.blunder").trim(), "??");
    assert_eq!(page.value("document.querySelectorAll('#part-review .graph .blunder').length"), 1);
    page.key("End");
    page.wait_for("app.node.ply === 2 && app.hand.known");
    // The better move is named where the bad one is looked at, and can be played.
    assert_eq!(page.value("document.querySelectorAll('.better.empty').length"), 1);
    page.key("ArrowLeft");
    page.wait_for("document.querySelector('.better .turns button') && app.hand.known");
    let said = "A blunder. After this White takes 1 stone and wins by force: i1-h2A.";
    assert_eq!(page.text(".better p"), said);
    assert!(page.text(".better").contains("Better: 2… h4-h3A-g3W-h2A"));
    assert_eq!(page.text(".message"), "");
    // Pointed at, it is drawn, in the position before.
    assert_eq!(page.text(".board text.sign"), "??");
    let point = |page: &mut Page, kind: &str| {
        page.value(&format!(
            "document.querySelector('.better').dispatchEvent(new PointerEvent('{kind}')) && \
             ['.arrow', '.step', '.cross:not(.under)', '.last', '.movable'].map((one) => document.querySelectorAll('.board ' + one).length).join()"
        ))
    };
    // A number is a text on its ground.
    assert_eq!(point(&mut page, "pointerenter"), "1,6,3,0,0");
    assert_eq!(page.value("app.view.board.seen === app.node.parent.stones"), true);
    // A stone that is taken up is one of the position that follows.
    page.value("app.hand.pick(app.hand.known.stones[0].from)");
    page.wait_for("app.hand.from && app.view.board.seen === app.node.stones");
    page.key("Escape");
    point(&mut page, "pointerleave");
    page.wait_for("document.querySelector('.board .last.blunder') && !document.querySelector('.board .arrow')");
    page.resize(390, 844);
    page.value("void app.go(app.node)");
    page.wait_for(&format!("document.querySelector('.message').textContent === '{said} Better: h4-h3A-g3W-h2A.'"));
    page.resize(1280, 860);
    page.click(".better .turns button");
    page.wait_for("app.node.turn?.text === 'h4-h3A-g3W-h2A' && app.hand.known");
    // A review can be stopped; another game stops it.
    page.value("void (globalThis.search = (_, body, signal) => new Promise((end) => signal.addEventListener('abort', () => end(null))))");
    page.click("#review");
    page.wait_for("app.review.isRunning");
    assert_eq!(page.text("#review"), "Stop");
    page.click("#review");
    page.wait_for("!app.review.isRunning");
    page.click("#review");
    page.value("app.begin({ rules: 'tsivy' })");
    page.wait_for("!app.review.isRunning && app.hand.known");
    page.check(server.origin());
}

/// The stone, the move, the reason; in a game they are counted.
#[test]
fn a_hint_comes_in_three_steps() {
    let fen = "9/7b1/8w/7w1/w7w b 0 2";
    let (server, mut page) = opened_with(&["--fen", fen]);
    let rings = "document.querySelectorAll('.board .chosen').length";
    let arrows = "document.querySelectorAll('.board .arrow').length";
    page.click("#hint");
    page.wait_for("document.querySelector('.answer').textContent");
    assert_eq!(page.text(".answer"), "Move the stone on h4");
    assert_eq!((page.value(rings), page.value(arrows)), (1.into(), 0.into()));
    page.click("#hint");
    page.wait_for(&format!("{arrows} === 1"));
    assert_eq!(page.text(".answer"), "Play h4-h3A-g3W-h2A");
    page.key("h");
    page.wait_for("document.querySelector('.answer').textContent.includes('Takes')");
    assert_eq!(
        page.text(".answer"),
        "Takes 3 stones, and White can take nothing back. Holds the draw. It is the only move that draws."
    );
    // The steps of a chain are numbered.
    assert_eq!(
        page.value("[...document.querySelectorAll('.board text.step')].map((one) => one.textContent).join()"),
        "1,2,3"
    );
    // It is told again in another language.
    speak(&mut page, "fr");
    let hint = page.text(".answer");
    assert!(hint.starts_with("Prend 3 pierres"), "{hint}");
    speak(&mut page, "en");
    // Another position ends it, and the engine has its own arrows.
    page.value("app.play(app.node.known.table[0].word)");
    page.wait_for("app.hand.known && !document.querySelector('.answer').textContent");
    assert_eq!(page.value(arrows), 0);
    page.click("#engine");
    page.wait_for("document.querySelector('#hint').disabled");
    // The engine stays on when the page is loaded anew.
    page.reload();
    page.wait_for("document.querySelector('#hint')?.disabled && app.hand.known && app.engine.isOn");
    page.click("#engine");
    // Without tables the reason is what a search finds.
    page.value("app.begin({ rules: 'tsivy' })");
    page.wait_for("app.hand.known");
    for step in ["Move the stone", "Play", "can take"] {
        page.click("#hint");
        page.wait_for(&format!("document.querySelector('.answer').textContent.includes('{step}')"));
    }
    // What can be taken back is the most, whatever the engine would do.
    page.value("app.begin({ rules: 'tsivy', start: 'bb3b1bb/bb2b2bb/2b2bbbw/w2bww2w/4ww1w1 w 0 4' })");
    page.wait_for("app.hand.known");
    for step in ["Move the stone", "Play", "and Black can take only 3 back"] {
        page.click("#hint");
        page.wait_for(&format!("document.querySelector('.answer').textContent.includes('{step}')"));
    }
    // In a game.
    page.value(&format!("app.begin({{ rules: 'tsivy', start: '{fen}' }}, {{ person: 'b', level: 0, clock: null }})"));
    page.wait_for("app.isPlaying && app.hand.known");
    for step in ["Move the stone", "Play"] {
        page.click("#hint");
        page.wait_for(&format!("document.querySelector('.answer').textContent.includes('{step}')"));
    }
    page.reload();
    page.wait_for("app.isPlaying && app.hand.known");
    page.press_button("Resign");
    page.press_button("Really resign?");
    page.wait_for("document.querySelector('.verdict').textContent");
    assert_eq!(page.text(".verdict"), "Vato wins: you resigned · 1 hint");
    page.check(server.origin());
}

/// A wrong move is refused with a reason, a right one is not; then the game is as it was.
#[test]
fn mistakes_are_played_better() {
    let (server, mut page) = reviewed(BLUNDER);
    page.wait_for("app.node.ply === 1 && app.hand.known");
    page.click("[aria-label='Turn the board']");
    let before = game(&mut page);
    page.click("[aria-label='Black: Learn from 1 move']");
    page.wait_for("app.exercise && app.hand.known");
    let task = "h4-h3A-g3W was played, a blunder. Find a better move.";
    assert_eq!(page.text(".message"), task);
    assert_eq!(page.text(".asked strong"), "Black to move");
    let about = page.text(".asked .about");
    assert_eq!(about, "Move 2 of the game · mistake 1 of 1");
    assert_eq!(page.value("app.view.playerParts.w.name.textContent"), "Ada");
    // It is drawn until another one is tried.
    let played = "document.querySelectorAll('.board .arrow.blunder').length";
    assert_eq!(page.value(played), 1);
    // It hides nothing of the position; and there are no moves to be listed.
    let drawn = "document.querySelectorAll('.board :is(.cross, .step)').length";
    assert_eq!(page.value(drawn), 0);
    assert_eq!(page.text(".board .arrow text.sign"), "??");
    page.value("app.view.unfold('typing', false)");
    let listed = "document.querySelector('.movespanel').checkVisibility()";
    assert_eq!(page.value(listed), false);
    // In the box, where no player is at the board.
    let count = "[...document.querySelectorAll('.asked .count')].map((one) => one.textContent).join()";
    assert_eq!(page.value(count), "1,4");
    assert_eq!(page.value("document.querySelector('#tab-engine').hidden"), true);
    click(&mut page, &["h4", "g5"]);
    page.wait_for("document.querySelector('.what .primary:not([hidden])')?.textContent === 'Try again'");
    // The wrong one, below its reply.
    assert_eq!(page.value(played), 1);
    assert_eq!(moves(&mut page), "h4-g5W h2-g3");
    assert_eq!(page.value(listed), true);
    let verdict = page.text(".message");
    assert_eq!(verdict, "h4-g5W loses: White answers h2-g3 and wins by force.");
    // In the box beside or below the board.
    assert_eq!(page.text(".asked.bad strong"), "Not this one");
    assert_eq!(page.text(".asked.bad .message"), verdict);
    page.press_button("Try again");
    page.wait_for("app.hand.known && app.node.ply === 0");
    assert_eq!(page.value("app.tree.root.children.length"), 0);
    page.value("app.play(app.node.known.table[0].word)");
    page.wait_for("app.exercise.isOver && app.exercise.turns.children.length > 1");
    assert_eq!(page.text(".message"), "Takes 3 stones, and White can take nothing back. Holds the draw.");
    assert_eq!(page.text(".asked.good strong"), "Right");
    assert_eq!(page.text(".exercise .list .later"), "2. h4-h3A-g3W ??");
    // The page may be loaded anew in an exercise.
    page.reload();
    page.wait_for("app.exercise && app.hand.known");
    assert_eq!(page.value("app.exercise.isOver"), false);
    page.press_button("Show the answer");
    page.wait_for("app.node.ply === 1 && app.exercise.turns.children.length > 1");
    let why = "The answer is h4-h3A-g3W-h2A. Takes 3 stones, and White can take nothing back. Holds the draw.";
    page.wait_for(&format!("document.querySelector('.message').textContent === {why:?}"));
    assert_eq!(moves(&mut page), "h4-h3A-g3W-h2A");
    // It was the only one.
    page.press_button("Back to the game");
    page.wait_for("!app.exercise && app.hand.known");
    assert_eq!(game(&mut page), before);
    page.check(server.origin());
}

/// A try that the server has not judged is judged when it is back; without one the game is there all the same.
#[test]
fn an_exercise_outlives_the_server() {
    const GONE: &str = "document.querySelector('.alarm').textContent !== ''";
    let (server, mut page) = reviewed(BLUNDER);
    let before = game(&mut page);
    page.press_button("Puzzles");
    page.wait_for("app.exercise && app.hand.known");
    show_puzzle(&mut page, "winning-002");
    page.value("void (server.patience = 500)");
    server.signal("STOP");
    page.value("void app.play(app.exercise.answer)");
    page.wait_for(GONE);
    server.signal("CONT");
    page.wait_for(&format!("!({GONE}) && app.exercise.at.ply === 2"));
    assert_eq!(page.text(".asked.good strong"), "Right: go on");
    assert!(!play_answer(&mut page));
    page.press_button("Next");
    page.wait_for("!app.exercise.isOver && app.hand.known");
    let origin = server.origin().to_owned();
    drop(server);
    page.press_button("Show the answer");
    page.wait_for(&format!("{GONE} && app.exercise.isOver"));
    page.press_button("Leave");
    page.wait_for("!app.exercise");
    assert_eq!(game(&mut page), before);
    page.check_forgiving(&origin);
}

/// Without tables a search says what a try costs.
#[test]
fn a_try_is_judged_by_a_search() {
    let (server, mut page) = opened_with(&["--tablebases", "none"]);
    let task = "{ rules: 'tsivy', start: '', best: ['f2-e3A:d4c5'], line: ['f2-e3A:d4c5'], played: 'd3-e3W:c3', count: 1, mark: 'mistake' }";
    page.value(&format!("Exercise.begin(app, new Mistakes({{ tasks: [{task}] }}))"));
    page.wait_for("app.exercise && app.hand.known");
    // Whatever it says, it is the program's judgement.
    for (loss, mark, said) in [
        ("31", "'blunder'", "d3-e3A gives away 31 % of the winning chances: Black answers "),
        ("2", "null", "A good move. The best is f2-e3A."),
    ] {
        page.value(&format!(
            "void (globalThis.ask = ((ask) => async (route, body) => (route === '/judge' ? \
             {{ moves: [{{ loss: {loss}, mark: {mark} }}], chances: body.found.map(({{ chance }}) => chance) }} : ask(route, body)))(globalThis.ask))"
        ));
        page.wait_for("app.exercise.mayMove(app.node)");
        page.value("void app.play('d3-e3A:f3')");
        page.wait_for(&format!("app.exercise.words.startsWith('{said}')"));
        if mark != "null" {
            page.wait_for("!app.exercise.againButton.hidden");
            page.press_button("Try again");
        }
    }
    page.wait_for("app.exercise.isOver");
    page.check(server.origin());
}

/// The same figures each time, whatever has been searched before, and with all threads and memory.
#[test]
fn a_review_is_the_same_every_time() {
    let (server, mut page) = reviewed("1. d3-e3A c3-d3A 2. b2-c3A f4-e3A-f3A *");
    let figures = "JSON.stringify([app.tree.review.players, app.tree.line(app.tree.root).map(({ found, score, judged }) => [found, score, judged])])";
    let first = page.value(figures);
    // What is proven is not searched for.
    assert_eq!(
        page.value("JSON.stringify(app.tree.line(app.tree.root).slice(0, 2).map(({ score }) => score))"),
        "[{\"text\":\"+0.00\",\"height\":0,\"chance\":50},{\"text\":\"+0.00\",\"height\":0,\"chance\":50}]"
    );
    page.value("ask('/engine', { threads: 2, hash: 64 })");
    page.reload();
    page.wait_for("app.hand.known && !app.tree.review");
    page.click("#review");
    page.wait_for("app.tree.review && !app.review.isRunning");
    assert_eq!(page.value(figures), first);
    page.resize(1440, 900);
    // Bar and graph tell a lead of two stones from one of five, where both are as good as won.
    // What a game says of a move counts from before it.
    assert_eq!(page.value("['+M5', '-M1', '+TB', '+0.31', '-'].map(scoreAfter).join()"), "+M4,-M0,+TB,+0.31,");
    assert_eq!(
        page.value(
            "['+2.00', '+5.00', '-5.00', '+M3'].map((score) => scoreOf({ score, chance: 99 }).height.toFixed(2)).join()"
        ),
        "0.63,0.81,-0.81,1.00"
    );
    page.value("void app.go(app.tree.root)");
    page.wait_for("app.engine.graph.element.getBoundingClientRect().height >= 50");
    page.check(server.origin());
}

/// Of a game against the engine, one's own mistakes.
#[test]
fn own_mistakes_are_counted() {
    let (server, mut page) = opened_with(&[]);
    page.value(
        "app.begin({ rules: 'tsivy', start: '9/7b1/8w/7w1/w7w b 0 2' }, { person: 'b', level: 0, clock: null })",
    );
    page.wait_for("app.isPlaying && app.hand.known");
    page.value("void app.play('h4-g5W:i3')");
    page.wait_for("app.node.ply === 2 && app.node.known");
    if page.value("app.isPlaying") == true {
        page.press_button("Resign");
        page.press_button("Really resign?");
    }
    page.wait_for("!app.isPlaying");
    page.wait_for("document.querySelector('.ended .primary').checkVisibility({ visibilityProperty: true })");
    page.click(".ended .primary");
    page.wait_for("app.tree.review && !app.review.isRunning");
    assert_eq!(page.text(".learn"), "Learn from 1 move");
    page.press_button("Learn from 1 move");
    page.wait_for("app.exercise && app.hand.known");
    assert_eq!(page.text(".message"), "You played h4-g5W, a blunder. Find a better move.");
    assert!(page.text(".asked .about").starts_with("Move 2 of your game"));
    let names = "['w', 'b'].map((side) => app.view.playerParts[side].name.textContent).join()";
    assert_eq!(page.value(names), "Vato, level 0 (Beginner),You");
    page.check(server.origin());
}

/// Why a move is bad: by what the reply takes, by what is proven, by what the better one takes, else by the chances.
#[test]
fn a_bad_move_has_a_reason() {
    let (server, mut page) = opened_with(&[]);
    #[rustfmt::skip]
    let cases = [
        ("a1-b1", "c1-d1A:e1 f1-f2A:f3", "f1-f2A:f3f4f5", "['+1.00', '+0.50']", "After this Black takes 3 stones: f1-f2A. Better, taking 1 stone and losing 1: c1-d1A."),
        ("a1-b1", "c1-d1A:e1 f1-f2", "f1-f2", "['+1.00', '+0.50']", "Better, taking 1 stone instead of none: c1-d1A."),
        ("a1-b1A:c1", "c1-d1A:e1 f1-f2", "f1-f2", "['+1.00', '+0.50']", "White's winning chances fall from 60 % to 40 %. Better: c1-d1A."),
        ("a1-b1", "c1-d1A:e1", "f1-f2A:f3", "['+1.00', '-M3']", "After this Black takes 1 stone and wins by force: f1-f2A. Better: c1-d1A."),
        ("a1-b1", "c1-d1A:e1", "f1-f2", "['+TB', '+0.10']", "It gives away a forced win. Better: c1-d1A."),
        ("a1-b1", "c1-d1", "f1-f2-g3-h4-i5", "['+1.00', '-TB']", "After this Black wins by force: f1-…-i5. Better: c1-d1."),
    ];
    for (played, better, reply, scores, said) in cases {
        let node = format!(
            "(([was, is]) => judgedText({{ isWhite: () => true }}, {{ ply: 1, judged: '?', turn: turnOf('{played}'), score: {{ text: is }}, chance: 40, \
             found: {{ words: ['{reply}'] }}, parent: {{ chance: 60, score: {{ text: was }}, found: {{ words: '{better}'.split(' ') }} }} }}))({scores})"
        );
        let text = page.value(&node);
        assert_eq!(text, format!("A mistake. {said}"));
    }
    page.check(server.origin());
}
