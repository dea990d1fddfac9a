//! Puzzles: proven ones, and those from games.

use crate::browser::Page;
use crate::lessons::{BLUNDER, game, reviewed, wait_wrong};
use crate::vato::opened;

/// Shows this puzzle instead of the one that is shown.
pub fn show_puzzle(page: &mut Page, name: &str) {
    // It may be the one that is shown.
    page.value(&format!(
        "void (globalThis.before = app.exercise, app.exercise.series.task = puzzles.proven.find((one) => one.name === '{name}'), \
         Exercise.begin(app, app.exercise.series))"
    ));
    page.wait_for("app.exercise !== before && app.hand.known");
}

/// Plays the turn that is to be found; whether there is another one.
pub fn play_answer(page: &mut Page) -> bool {
    page.wait_for("app.exercise.mayMove(app.node) && app.hand.known");
    let ply = page.value("app.exercise.at.ply");
    page.run_then("void app.play(app.exercise.answer)", &format!("app.exercise.isOver || app.exercise.at.ply > {ply}"));
    page.value("!app.exercise.isOver") == true
}

/// Proven positions, one after the other; what has become of them is kept.
#[test]
fn puzzles_are_solved() {
    let (server, mut page) = opened();
    page.play("f2-e3A:d4c5", 1);
    let before = game(&mut page);
    page.begin_puzzles();
    page.choose(".exercise [aria-label=Goal]", "win");
    page.choose(".exercise [aria-label=Difficulty]", "medium");
    page.wait_for("app.exercise.task.goal === 'win' && app.exercise.task.level === 'medium' && app.hand.known");
    page.wait_text(".message", "Find the only move that wins.");
    // The answer of one turn, after a wrong one.
    show_puzzle(&mut page, "winning-115");
    page.assert_text(".message", "Find the only move that wins.");
    page.assert_text(".asked strong", "White to move");
    page.value("void app.play('b2-b1')");
    wait_wrong(&mut page);
    page.wait_text(".message", "b2-b1 does not win: Black answers ");
    page.press_button("Try again");
    page.wait_ply(0);
    assert!(!play_answer(&mut page));
    page.wait_for("app.exercise.turns.children.length > 1");
    page.assert_text(".message", "Black can take nothing after it. Wins by force. No other move wins.");
    page.speak("fr");
    page.wait_text(".message", "Ensuite les Noirs ne peuvent rien");
    page.speak("en");
    // The line is stepped through.
    page.click(".asked .turns button:nth-child(2)");
    page.wait_ply(2);
    page.press_then("Next puzzle", "app.exercise.task.name !== 'winning-115' && app.hand.known");
    while play_answer(&mut page) {}
    let progress = page.text(".exercise .small");
    assert!(progress.starts_with("Solved 2 · missed 0 · "), "{progress}");
    // All are listed, with what has become of them.
    let states =
        "['button', '.solved', '.later', '[aria-current]'].map((one) => $$('.exercise .grid ' + one).length).join()";
    assert_eq!(page.value(states), "24,1,1,1");
    page.click(".exercise .grid button:nth-child(7).new");
    page.wait_for("$('.exercise .grid [aria-current]').textContent === '436' && app.hand.known");
    page.assert_text(".asked .about", "Puzzle 436 · Win · medium");
    // By the cursor keys from one to the next.
    page.value("$('.grid [aria-current]').focus()");
    page.key("ArrowLeft");
    page.assert("document.activeElement.textContent === '435'");
    page.reload();
    page.wait_for("app.exercise && app.hand.known");
    page.assert_text(".exercise .small", &progress);
    page.press_then("Leave", "!app.exercise && app.hand.known");
    assert_eq!(game(&mut page), before);
    // It goes on where one was. Against the engine from there, after the question whether the game is to be lost.
    page.begin_puzzles();
    page.assert_text(".exercise .grid [aria-current]", "436");
    page.press_then("Show the answer", "app.exercise.isOver && app.node.ply === 1 && app.node.known");
    page.press_then("Play it out", "app.view.message.textContent.includes('not been saved')");
    page.press_then("Play it out", "app.isPlaying && !app.exercise && app.opponent.level === PERFECT_LEVEL - 1");
    page.check(server.origin());
}

/// Each kind is folded, but for that of the puzzle, which is in sight; the cursor keys go through those that can be seen.
#[test]
fn puzzles_are_folded_by_kind() {
    let (server, mut page) = opened();
    page.begin_puzzles();
    // The last one of its kind.
    show_puzzle(&mut page, "winning-263");
    page.assert("$$('.exercise details').map((one) => Number(one.open)).join('') === '100000'");
    page.wait_for("(({ left, top }) => document.elementFromPoint(left + 9, top + 9))($box('.grid [aria-current]'))?.textContent === '234'");
    page.value("void ['winning-263', 'winning-003'].forEach((name) => app.exercise.series.note({ name }, 1))");
    page.assert_text(".exercise .tally", "1 / 234");
    page.assert_text(".exercise .small", "Solved 2 · missed 0 · 506 left · 2 in a row");
    let next = |page: &mut Page| {
        page.value("$('.grid [aria-current]').focus()");
        page.key("ArrowRight");
        page.value("document.activeElement.textContent")
    };
    assert_eq!(next(&mut page), "1");
    page.click(".exercise details:nth-child(2) summary");
    assert_eq!(next(&mut page), "235");
    // Who was shown the answer has not won, and what is over is not played out.
    page.value("$$('.exercise .grid button').find((one) => one.textContent === '3').click()");
    page.wait_for("app.exercise.series.about.startsWith('Puzzle 3') && app.exercise.task === app.exercise.series.task && app.hand.known");
    page.press_button("Show the answer");
    page.wait_for("app.exercise.isOver && app.node.known?.outcome && app.exercise.playButton.hidden");
    page.assert("!/you win/i.test($('main').textContent)");
    page.press_then("Leave", "!app.exercise && app.hand.known");
    // A game against Vato waits while somebody solves a puzzle, also that of the clocks, and goes on then.
    page.begin_with("tsivy", "", "{ person: 'w', level: 0, clock: { base: 60, increment: 0 } }");
    page.play("f2-e3A:d4c5", 2);
    // Also where an earlier position is looked at.
    page.key_then("ArrowLeft", "app.node.ply === 1 && app.node.known");
    page.begin_puzzles();
    let left = "app.game.opponent.state.left.w";
    let before = page.value(left);
    page.run_then("app.exercise.solution()", "app.exercise.isOver && !$('.board.moving')");
    assert_eq!(page.value(left), before);
    page.assert("$seen('.clock').length === 0");
    page.press_button("Leave");
    page.wait_for(
        "!app.exercise && app.opponent.isRunning('w') && app.node.ply === 1 && $('.clock').checkVisibility()",
    );
    page.key_then("End", "app.hand.known && app.opponent.mayMove(app.node)");
    page.check(server.origin());
}

/// After the reply the next turn is asked for; it is solved when all are found.
#[test]
fn puzzles_go_on() {
    let (server, mut page) = opened();
    page.begin_puzzles();
    show_puzzle(&mut page, "winning-003");
    // Its name is what it asks for.
    page.assert_text(".asked .about", "Puzzle 433 · Win · medium");
    page.assert_text(".message", "Find the only move that wins. Turn 1 of 4.");
    assert!(play_answer(&mut page));
    page.assert_text(".message", "Find the only move that wins. Turn 2 of 4.");
    // Its moves are counted from the first on, although it is from a game.
    page.assert_text(".moves .count", "1.");
    page.assert_moves("c2-d2 f5-g5");
    page.wait_text(".exercise .small", "missed 0");
    // A wrong turn is taken back, the turns before it are not.
    page.wait_for("app.exercise.mayMove(app.node) && app.hand.known");
    page.value("void app.play('b1-a1')");
    wait_wrong(&mut page);
    // What is said stays when the page is drawn anew, and the second click of two does nothing.
    page.wait_for("app.node.ply === 4 && !$('.board.moving')");
    let said = page.text(".message");
    page.resize(390, 844);
    page.wait_for("$('main.upright')");
    page.assert_text(".message", &said);
    page.value("$('.what .primary').dispatchEvent(new MouseEvent('click', { detail: 2 }))");
    page.assert("app.exercise.isWrong && app.node.ply === 4");
    // A server that was away does not make the reply a turn of one's own.
    page.value("void (app.exercise.stop(), app.exercise.begin(app.node))");
    page.wait_for("app.exercise.mayMove(app.node) && app.hand.known");
    page.assert_moves("c2-d2 f5-g5");
    assert!(play_answer(&mut page) && play_answer(&mut page));
    assert!(!play_answer(&mut page));
    page.assert_text(
        ".message",
        "You took 2 stones and lost nothing. Wins by force. Each was the only move that wins.",
    );
    page.assert("$$('.exercise .grid .later').length === 1");
    // The answer is that of the turn which is asked for, and the line goes on from it.
    show_puzzle(&mut page, "winning-026");
    assert!(play_answer(&mut page));
    page.press_button("Show the answer");
    page.wait_for("app.exercise.isOver && app.node.ply === 3 && app.exercise.turns.children.length > 7");
    page.wait_text(".message", "The answer is b3-b2. Wins by force. Each was the only move that wins.");
    // The turns after it begin from the start when the page is loaded anew.
    page.reload();
    page.wait_for("app.exercise && app.hand.known && $('.message').textContent.endsWith('Turn 1 of 4.')");
    page.check(server.origin());
}

/// Blunders where one move alone was good become puzzles.
#[test]
fn own_blunders_become_puzzles() {
    let (server, mut page) = reviewed(BLUNDER);
    let kept = "JSON.parse(localStorage.getItem('vato-own-puzzles') ?? '[]')";
    page.wait_for(&format!("{kept}.length === 1 && {kept}[0].goal === 'hold'"));
    page.begin_puzzles();
    page.choose(".exercise [aria-label=Goal]", "own");
    page.wait_for("!app.exercise.task.isProven && app.hand.known");
    page.assert_text(".message", "Find the only move that holds the draw.");
    page.press_then("Leave", "!app.exercise && app.hand.known");
    // The same position under other rules is another puzzle; one that is there keeps its name, and so its result.
    for rules in ["riatra", "tsivy"] {
        page.value(&format!("addPuzzle({{ ...{kept}[0], rules: '{rules}', name: '{rules} x' }})"));
    }
    let names = page.value(&format!("{kept}.map(({{ name }}) => name)"));
    assert_eq!(names[0], "riatra x");
    assert!(names[1] != "tsivy x" && names[2].is_null(), "{names}");
    // Without tables a search says whether there is another good move.
    page.value("localStorage.setItem('vato-own-puzzles', '[]')");
    page.reload_board();
    for (second, count) in [(60, 0), (50, 1)] {
        page.value(&format!(
            "void (globalThis.findLines = async () => ({{ lines: [{{ chance: 70, turns: 'h4-g5' }}, {{ chance: {second}, turns: 'h4-h5' }}] }}))"
        ));
        page.value(
            "(async () => { const [root, node] = app.tree.line(app.node); node.judged = '??'; \
             root.known = { ...(await ask('/position', { place: app.tree.place(root) })), table: null }; \
             await collectPuzzles(app, app.tree, [root, node], new AbortController().signal); })()",
        );
        assert_eq!(page.value(&format!("{kept}.length")), count);
    }
    page.check(server.origin());
}
