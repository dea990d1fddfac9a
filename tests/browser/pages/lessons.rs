//! Review, hints, learning from mistakes.

use std::process::Command;

use serde_json::{Value, json};

use crate::browser::Page;
use crate::puzzles::{play_answer, show_puzzle};
use crate::vato::{Server, opened, opened_file, opened_with, program};

/// Black blunders: there is one move that draws. Then White has one move alone.
pub const BLUNDER: &str = "[White \"Ada\"]\n[FEN \"9/7b1/8w/7w1/w7w b 0 2\"]\n\n2... h4-h3A-g3W 3. i1-h2A *";

/// A page with this game, after a review at its end.
pub fn reviewed(pgn: &str) -> (Server, Page) {
    let (server, mut page) = opened_file(pgn);
    page.key_then("End", "app.node.ply > 0 && app.node.known");
    page.click_then("#review", "app.tree.review && !app.review.isRunning");
    (server, page)
}

/// All that is kept of the game, and what else belongs to it.
pub fn game(page: &mut Page) -> Value {
    page.value(
        "JSON.stringify([app.tree.data(), app.tree.places(app.node), app.hasUnsaved, app.file?.number ?? null, \
         app.isFlipped, app.opponent?.state ?? null])",
    )
}

/// Waits until a wrong move may be tried again.
pub fn wait_wrong(page: &mut Page) {
    page.wait_for("$('.what .primary:not([hidden])')?.textContent === 'Try again'");
}

/// The judgement, the accuracy and the marks are those of `vato analyse`.
#[test]
fn a_review_is_that_of_the_program() {
    let (server, mut page) = reviewed(BLUNDER);
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("game.pgn");
    std::fs::write(&path, BLUNDER).expect("written");
    let analysed = Command::new(program()).args(["analyse", "--json", "--nodes", "1000", "--pgn"]).arg(&path).output();
    let text = String::from_utf8(analysed.expect("the program").stdout).expect("UTF-8");
    let analysed: Value = serde_json::from_str(text.lines().next().expect("a game")).expect("JSON");
    let players = page.value("app.tree.review.players");
    assert_eq!([&players[0], &players[1]], [&analysed["players"]["white"], &analysed["players"]["black"]]);
    // Of so few moves none is shown.
    page.assert("$$('.review td[title]').length === 2");
    page.wait_text(".review table", "Ada");
    page.assert(
        "$('.moves .mark.blunder').textContent.trim() === '??' && app.tree.line(app.tree.root)[1].judged === '??'",
    );
    page.assert("$$('#part-review .graph .blunder').length === 1 && $('.graph').textContent.includes('+1')");
    page.key("End");
    page.wait_ply(2);
    // The better move is named where the bad one is looked at, and can be played.
    page.assert("$$('.better.empty').length === 1");
    page.key_then("ArrowLeft", "$('.better .turns button') && app.hand.known");
    page.assert_text(".bar .text", "Won");
    let said = "A blunder. After this White takes 1 stone and wins by force: i1-h2A.";
    page.assert_text(".better p", said);
    page.wait_text(".better", "Better: 2… h4-h3A-g3W-h2A");
    page.assert_text(".message", "");
    // Pointed at, it is drawn, in the position before.
    page.assert_text(".board text.sign", "??");
    let point = |page: &mut Page, kind: &str| {
        page.value(&format!(
            "$('.better').dispatchEvent(new PointerEvent('{kind}')) && \
             ['.arrow', '.step', '.cross:not(.under)', '.last', '.movable'].map((one) => $$('.board ' + one).length).join()"
        ))
    };
    // A number is a text on its ground.
    assert_eq!(point(&mut page, "pointerenter"), "1,6,3,0,0");
    page.assert("app.view.board.seen === app.node.parent.stones");
    // A stone that is taken up is one of the position that follows.
    page.value("app.hand.pick(app.hand.known.stones[0].from)");
    page.wait_for("app.hand.from && app.view.board.seen === app.node.stones");
    page.key("Escape");
    point(&mut page, "pointerleave");
    page.wait_for("$('.board .last.blunder') && !$('.board .arrow')");
    page.resize(390, 844);
    page.value("void app.go(app.node)");
    page.wait_text(".message", &format!("{said} Better: h4-h3A-g3W-h2A."));
    page.resize(1280, 860);
    page.click_then(".better .turns button", "app.node.turn?.text === 'h4-h3A-g3W-h2A' && app.hand.known");
    // A review goes on, whatever is shown meanwhile; it can be stopped, and another game stops it.
    page.value("void (globalThis.search = (_, body, signal) => new Promise((end) => signal.addEventListener('abort', () => end(null))))");
    page.click_then("#review", "app.review.isRunning");
    page.assert_text("#review", "Stop");
    let progress = page.text(".review > .row .muted");
    page.run_then("void app.go(app.tree.root)", "app.hand.known");
    assert!(progress.starts_with("0 / "), "{progress}");
    page.assert_text(".review > .row .muted", &progress);
    page.click_then("#review", "!app.review.isRunning");
    page.click("#review");
    page.begin("{ rules: 'tsivy' }");
    page.wait_for("!app.review.isRunning");
    page.check(server.origin());
}

/// Presses for a hint until it has told this much: the stone, the move, the reason.
fn hint(page: &mut Page, told: &[&str]) {
    for step in told {
        page.click("#hint");
        page.wait_text(".answer", step);
    }
}

/// The stone, the move, the reason; in a game they are counted.
#[test]
fn a_hint_comes_in_three_steps() {
    let fen = "9/7b1/8w/7w1/w7w b 0 2";
    let (server, mut page) = opened_with(&["--fen", fen]);
    hint(&mut page, &["Move the stone on h4"]);
    page.assert("$$('.board .chosen').length === 1 && $$('.board .arrow').length === 0");
    hint(&mut page, &["Play h4-h3A-g3W-h2A"]);
    page.wait_for("$$('.board .arrow').length === 1");
    page.key("h");
    page.wait_text(
        ".answer",
        "Takes 3 stones, and White can take nothing back. Holds the draw. It is the only move that draws.",
    );
    // The steps of a chain are numbered.
    assert_eq!(page.value("$texts('.board text.step').join()"), "1,2,3");
    // It is told again in another language.
    page.speak("fr");
    page.wait_text(".answer", "Prend 3 pierres");
    page.speak("en");
    // Another position ends it, and the engine has its own arrows.
    page.value("app.play(app.node.known.table[0].word)");
    page.wait_for("app.hand.known && !$('.answer').textContent && $$('.board .arrow').length === 0");
    page.click_then("#engine", "$('#hint').disabled");
    // The engine stays on when the page is loaded anew.
    page.reload();
    page.wait_for("$('#hint')?.disabled && app.hand.known && app.engine.isOn");
    page.click("#engine");
    // Without tables the reason is what a search finds.
    page.begin("{ rules: 'tsivy' }");
    hint(&mut page, &["Move the stone", "Play", "can take"]);
    // What can be taken back is the most, whatever the engine would do.
    page.begin("{ rules: 'tsivy', start: 'bb3b1bb/bb2b2bb/2b2bbbw/w2bww2w/4ww1w1 w 0 4' }");
    hint(&mut page, &["Move the stone", "Play", "and Black can take only 3 back"]);
    page.begin_with("tsivy", fen, "{ person: 'b', level: 0, clock: null }");
    hint(&mut page, &["Move the stone", "Play"]);
    page.reload_board();
    page.wait_for("app.isPlaying && app.hand.known");
    page.resign();
    page.wait_text(".verdict", "Vato wins: you resigned · 1 hint");
    page.check(server.origin());
}

/// A wrong move is refused with a reason, a right one is not; then the game is as it was.
#[test]
fn mistakes_are_played_better() {
    let (server, mut page) = reviewed(BLUNDER);
    page.wait_ply(1);
    page.click("[aria-label='Turn the board']");
    let before = game(&mut page);
    page.click_then("[aria-label='Black: Learn from 1 move']", "app.exercise && app.hand.known");
    page.assert_text(".message", "h4-h3A-g3W was played, a blunder. Find a better move.");
    page.assert_text(".asked strong", "Black to move");
    page.assert_text(".asked .about", "Move 2 of the game · mistake 1 of 1");
    page.assert("app.view.playerParts.w.name.textContent === 'Ada'");
    // It is drawn until another one is tried, and hides nothing of the position; and there are no moves to be listed.
    let played = "$$('.board .arrow.blunder').length";
    assert_eq!(page.value(played), 1);
    page.assert("$$('.board :is(.cross, .step)').length === 0");
    page.assert_text(".board .arrow text.sign", "??");
    page.value("app.view.unfold('typing', false)");
    page.assert("!$('.movespanel').checkVisibility()");
    // In the box, where no player is at the board.
    page.assert("$texts('.asked .count').join() === '1,4' && $('#tab-engine').hidden");
    page.wait_for("app.hand.known && !app.hand.from");
    for point in ["h4", "g5"] {
        page.click_point(point);
        page.wait_for(&format!("app.hand.at === '{point}' || !app.hand.at"));
    }
    wait_wrong(&mut page);
    // The wrong one, below its reply.
    assert_eq!(page.value(played), 1);
    page.assert_moves("h4-g5W h2-g3");
    page.assert("$('.movespanel').checkVisibility()");
    // In the box beside or below the board.
    let verdict = "h4-g5W loses: White answers h2-g3 and wins by force.";
    page.assert_text(".message", verdict);
    page.assert_text(".asked.bad strong", "Not this one");
    page.assert_text(".asked.bad .message", verdict);
    page.press_button("Try again");
    page.wait_ply(0);
    page.assert("app.tree.root.children.length === 0");
    page.value("app.play(app.node.known.table[0].word)");
    page.wait_for("app.exercise.isOver && app.exercise.turns.children.length > 1");
    page.assert_text(".message", "Takes 3 stones, and White can take nothing back. Holds the draw.");
    page.assert_text(".asked.good strong", "Right");
    page.assert_text(".exercise .list .later", "2. h4-h3A-g3W ??");
    // The page may be loaded anew in an exercise.
    page.reload();
    page.wait_for("app.exercise && app.hand.known && !app.exercise.isOver");
    page.press_then("Show the answer", "app.node.ply === 1 && app.exercise.turns.children.length > 1");
    page.wait_text(
        ".message",
        "The answer is h4-h3A-g3W-h2A. Takes 3 stones, and White can take nothing back. Holds the draw.",
    );
    page.assert_moves("h4-h3A-g3W-h2A");
    // It was the only one.
    page.press_then("Back to the game", "!app.exercise && app.hand.known");
    assert_eq!(game(&mut page), before);
    // Where there are no tables a search says what a try costs. Whatever it says, it is the program's judgement.
    let task = "{ rules: 'tsivy', start: '', best: ['f2-e3A:d4c5'], line: ['f2-e3A:d4c5'], played: 'd3-e3W:c3', count: 1, mark: 'mistake' }";
    page.value(&format!("Exercise.begin(app, new Mistakes({{ tasks: [{task}] }}))"));
    page.wait_for("app.exercise && app.hand.known");
    for (loss, mark, said) in [
        ("31", "'blunder'", "d3-e3A gives away 31 % of the winning chances: Black answers "),
        ("2", "null", "A good move. The best is f2-e3A."),
    ] {
        page.value(&format!(
            "void (globalThis.ask = ((ask) => async (route, body) => (route === '/judge' ? \
             {{ moves: [{{ loss: {loss}, mark: {mark} }}], chances: body.found.map(({{ chance }}) => chance) }} : ask(route, body)))(globalThis.ask))"
        ));
        page.wait_for("app.exercise.mayMove(app.node)");
        page.run_then("void app.play('d3-e3A:f3')", &format!("app.exercise.words.startsWith('{said}')"));
        if mark != "null" {
            page.wait_for("!app.exercise.againButton.hidden");
            page.press_button("Try again");
        }
    }
    page.wait_for("app.exercise.isOver");
    page.check(server.origin());
}

/// A try that the server has not judged is judged when it is back; without one the game is there all the same.
#[test]
fn an_exercise_outlives_the_server() {
    const GONE: &str = "$('.alarm').textContent !== ''";
    let (server, mut page) = reviewed(BLUNDER);
    let before = game(&mut page);
    page.begin_puzzles();
    show_puzzle(&mut page, "winning-002");
    page.value("void (server.patience = 500)");
    server.signal("STOP");
    page.run_then("void app.play(app.exercise.answer)", GONE);
    server.signal("CONT");
    page.wait_for(&format!("!({GONE}) && app.exercise.at.ply === 2"));
    page.assert_text(".asked.good strong", "Right: go on");
    assert!(!play_answer(&mut page));
    page.press_then("Next", "!app.exercise.isOver && app.hand.known");
    let (port, origin) = (server.port(), server.origin().to_owned());
    drop(server);
    page.press_then("Show the answer", &format!("{GONE} && app.exercise.isOver"));
    page.press_then("Leave", "!app.exercise");
    assert_eq!(game(&mut page), before);
    // One that is loaded anew waits for a server, and the clocks of the game with it.
    let mut server = Server::start_at(&port, &[]);
    page.goto(&server.url);
    page.wait_for(&format!("!({GONE})"));
    page.review();
    for begin in [
        "void Mistakes.begin(app, app.tree.review.line, 'b')",
        "void app.leaveExercise().then(() => app.begin({ rules: 'tsivy' }, { person: 'w', level: 0, clock: { base: 60, increment: 0 } })).then(() => Puzzles.begin(app))",
    ] {
        page.run_then(
            &format!("globalThis.last = app.exercise; {begin}"),
            "app.exercise !== last && app.exercise && app.hand.known",
        );
        let task = page.value("JSON.stringify(app.exercise.task)");
        drop(server);
        server = Server::start_at(&port, &[]);
        for _ in 0..2 {
            page.reload();
            page.wait_for(&format!("typeof app !== 'undefined' && app.tree && {GONE}"));
        }
        page.goto(&server.url);
        page.wait_for(&format!("!({GONE}) && app.exercise && app.hand.known"));
        assert_eq!(page.value("JSON.stringify(app.exercise.task)"), task);
        page.assert("!app.game.opponent?.since");
    }
    page.press_then("Leave", "app.isPlaying && app.hand.known");
    page.reload_board();
    page.assert("!app.exercise");
    page.check_forgiving(&origin);
}

/// The same figures each time, whatever has been searched before, and with all threads and memory.
#[test]
fn a_review_is_the_same_every_time() {
    let (server, mut page) = reviewed("1. d3-e3A c3-d3A 2. b2-c3A f4-e3A-f3A *");
    let figures = "JSON.stringify([app.tree.review.players, app.tree.line(app.tree.root).map(({ found, score, judged }) => [found, score, judged])])";
    let first = page.value(figures);
    // What is proven is not searched for.
    let proven = json!({ "text": "+0.00", "height": 0, "chance": 50 });
    assert_eq!(
        page.value("app.tree.line(app.tree.root).slice(0, 2).map(({ score }) => score)"),
        json!([proven, proven])
    );
    page.value("ask('/engine', { threads: 2, hash: 64 })");
    page.reload();
    page.wait_for("app.hand.known && !app.tree.review");
    page.click_then("#review", "app.tree.review && !app.review.isRunning");
    assert_eq!(page.value(figures), first);
    page.resize(1440, 900);
    page.run_then("void app.go(app.tree.root)", "app.engine.graph.element.getBoundingClientRect().height >= 50");
    // A variation has figures of its own, and the game keeps its.
    let shown = "$('#part-review table').textContent";
    let of_game = page.value(shown);
    page.value("app.playLine(['f2-e3A:d4c5', 'd5-d4A:d3d2d1'])");
    page.wait_for("app.node.ply === 2 && app.node.known");
    assert_eq!(page.value(shown), of_game);
    page.click_then("#review", "app.tree.reviews.length === 2 && !app.review.isRunning");
    assert_ne!(page.value(shown), of_game);
    page.run_then("void app.go(app.tree.line(app.tree.root).at(-1))", "app.node.known");
    assert_eq!(page.value(shown), of_game);
    page.check(server.origin());
}

/// Where the game is over the engine has its result, and no moves; what a file has behind it is kept as text.
#[test]
fn a_finished_game_has_its_result() {
    let moves = "60. c3-c2 h1-i1 61. c2-c3 i1-h1 62. c3-c2 h1-i1 63. c2-c3 i1-h1 64. d3-e3 1-0";
    let (server, mut page) = opened_file(&format!("[FEN \"9/9/2ww5/9/7b1 w 0 60\"]\n\n{moves}"));
    page.wait_for("$('.message').textContent.endsWith(\"line 3: 'd3-e3' comes after the end of the game\")");
    page.value("void app.go(app.tree.line(app.tree.root).at(-1))");
    page.wait_for("app.node.ply === 8 && app.node.known && app.node.comment === 'd3-e3'");
    page.value("app.engine.toggle()");
    page.wait_for("app.engine.isOn && app.engine.bar.title === 'Draw: repetition'");
    // Nobody has won.
    page.assert("!$('.verdict').classList.contains('won')");
    page.value("app.go(app.node.parent)");
    page.wait_for("$$('#part-engine .turns').length > 0");
    page.value("app.go(app.node.children[0])");
    page.wait_for("app.engine.bar.title === 'Draw: repetition' && app.engine.list.textContent === ''");
    page.check(server.origin());
}

/// Of a game against the engine, one's own mistakes.
#[test]
fn own_mistakes_are_counted() {
    let (server, mut page) = opened();
    page.begin_with("tsivy", "9/7b1/8w/7w1/w7w b 0 2", "{ person: 'b', level: 0, clock: null }");
    page.run_then("void app.play('h4-g5W:i3')", "app.node.ply === 2 && app.node.known");
    page.value("app.isPlaying && app.opponent.resign()");
    page.wait_for("!app.isPlaying && $('.ended .primary').checkVisibility({ visibilityProperty: true })");
    page.click_then(".ended .primary", "app.tree.review && !app.review.isRunning");
    page.assert_text(".learn", "Learn from 1 move");
    page.press_then("Learn from 1 move", "app.exercise && app.hand.known");
    page.assert_text(".message", "You played h4-g5W, a blunder. Find a better move.");
    page.wait_text(".asked .about", "Move 2 of your game");
    assert_eq!(
        page.value("['w', 'b'].map((side) => app.view.playerParts[side].name.textContent).join()"),
        "Vato, level 0 (Beginner),You"
    );
    // Why a move is bad: by what the reply takes, by what is proven, by what the better one takes, else by the chances.
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
        let text = page.value(&format!(
            "(([was, is]) => judgedText({{ isWhite: () => true }}, {{ ply: 1, judged: '?', turn: turnOf('{played}'), score: {{ text: is }}, chance: 40, \
             found: {{ words: ['{reply}'] }}, parent: {{ chance: 60, score: {{ text: was }}, found: {{ words: '{better}'.split(' ') }} }} }}))({scores})"
        ));
        assert_eq!(text, format!("A mistake. {said}"));
    }
    // What a game says of a move counts from before it. Bar and graph tell a lead of two stones from one of five, where both are as
    // good as won.
    for (code, expected) in [
        ("['+M5', '-M1', '+TB', '+0.31', '-'].map(scoreAfter).join()", "+M4,-M0,+TB,+0.31,"),
        (
            "['+2.00', '+5.00', '-5.00', '+M3'].map((score) => scoreOf({ score, chance: 99 }).height.toFixed(2)).join()",
            "0.63,0.81,-0.81,1.00",
        ),
    ] {
        assert_eq!(page.value(code), expected);
    }
    page.check(server.origin());
}
