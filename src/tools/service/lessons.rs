//! What a person learns from: the judgement of a line, and puzzles.

use serde::Deserialize;
use serde_json::{Value, json};

use super::place::{Place, check_length};
use crate::pages::turn_words;
use crate::review::{Expectation, Judged, PlayerReview};
use crate::tournament::suite::{Question, built_in_suite, parse_suite};
use vato_engine::board::{Canonical, Side};
use vato_engine::notation::{format_fen, parse_turn};
use vato_engine::rules::{Game, Preset, Rules};

/// The suites, and what is to be reached in their positions.
const GOALS: [(&str, &str); 2] = [("winning", "win"), ("holding", "hold")];

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct JudgeRequest {
    /// The end of the line.
    place: Place,
    /// Of each position of the line, from the first to the last.
    found: Vec<Found>,
}

/// What a search has found in a position.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Found {
    /// What White can expect, in percent; where the game is over, that counts.
    chance: Option<f64>,
    /// The turns that it would have played.
    best: Vec<String>,
}

/// The judgement of each move of a line, and how White and Black have played.
pub(super) fn judge(request: &JudgeRequest) -> Result<Value, String> {
    let (game, found) = (request.place.game()?, &request.found);
    let (count, expected) = (found.len(), game.moves().len() + 1);
    if count != expected {
        return Err(format!("found: {count} positions, expected {expected}"));
    }
    let mut played = Game::from_position(*game.rules(), *game.start());
    let (mut before, mut moves) = (chance(&played, &found[0])?, Vec::new());
    let mut chances = vec![before.value()];
    for ((&mv, searched), next) in game.moves().iter().zip(found).zip(&found[1..]) {
        let position = *played.position();
        let mut is_best = false;
        for text in &searched.best {
            check_length("best", text)?;
            let (_, best) =
                parse_turn(text, game.rules(), &position).map_err(|error| error.to_string())?;
            is_best |= best == mv;
        }
        played.play(mv).map_err(|error| error.to_string())?;
        let after = chance(&played, next)?;
        moves.push(Judged::of(
            game.rules(),
            &position,
            is_best,
            [before, after],
        ));
        chances.push(after.value());
        before = after;
    }
    Ok(json!({
        // Losses in hundredths.
        "moves": moves.iter().map(|mv| json!({
            "loss": mv.judgement.hundredths(),
            "mark": mv.judgement.mark,
            "forced": mv.is_forced,
        })).collect::<Vec<Value>>(),
        "players": Side::BOTH.map(|side| PlayerReview::of(side, &moves, &chances)),
        // What White could expect in each position, in percent: as found, or as it is proven.
        "chances": chances.iter().map(|chance| 100.0 * chance).collect::<Vec<f64>>(),
    }))
}

/// What White can expect after a game: what was found, and what is proven.
fn chance(game: &Game, found: &Found) -> Result<Expectation, String> {
    match found.chance {
        Some(percent) if (0.0..=100.0).contains(&percent) => {
            Ok(Expectation::of(game, percent / 100.0))
        }
        None if game.outcome().is_some() => Ok(Expectation::of(game, 0.5)),
        _ => Err("chance: expected a number from 0 to 100".to_owned()),
    }
}

/// The positions of the built-in suites in which one move is best, none of them twice.
pub(super) fn puzzles() -> Result<Vec<Value>, String> {
    let mut seen = Vec::new();
    let mut puzzles = Vec::new();
    for (suite, goal) in GOALS {
        let text = built_in_suite(suite).unwrap_or_default();
        for question in parse_suite(text, &Rules::STANDARD)? {
            let canonical = Canonical::of(question.rules.board, &question.position);
            if question.best().len() == 1 && !seen.contains(&(question.rules, canonical)) {
                seen.push((question.rules, canonical));
                puzzles.push(puzzle(&question, goal));
            }
        }
    }
    Ok(puzzles)
}

fn puzzle(question: &Question, goal: &str) -> Value {
    let (rules, position) = (&question.rules, &question.position);
    let turns = match question.line() {
        [] => question.best(),
        line => line,
    };
    let levels = ["easy", "medium", "hard"];
    json!({
        "name": question.id,
        "rules": Preset::name_of(rules),
        "start": format_fen(position, rules.board),
        "goal": goal,
        "level": levels.iter().find(|level| question.tags.iter().any(|tag| tag == *level)),
        // The turns that are to be found, and the replies between them.
        "turns": turn_words(rules, position, turns),
    })
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use vato_engine::rules::legal_moves;
    use vato_engine::tablebase::{Tablebases, Wdl};

    /// One move is best, and there are others; wherever a capture leads to a position of the built-in tables, they agree.
    #[test]
    fn puzzles_have_one_answer() {
        let puzzles = puzzles().expect("suites");
        let tables = Tablebases::built_in(&Rules::STANDARD, 16 << 20, 1).expect("tables");
        let (mut checked, mut several) = (0, 0);
        assert!(puzzles.len() > 400);
        let starts: HashSet<&str> = puzzles
            .iter()
            .filter_map(|one| one["start"].as_str())
            .collect();
        assert_eq!(starts.len(), puzzles.len());
        for puzzle in &puzzles {
            assert!(["win", "hold"].contains(&puzzle["goal"].as_str().expect("a goal")));
            assert!(puzzle["level"].is_string(), "{puzzle}");
            let turns = puzzle["turns"].as_array().expect("turns").len();
            assert_eq!(turns % 2, 1, "{puzzle}");
            several += usize::from(turns > 1);
            let fen = puzzle["start"].as_str().expect("a FEN");
            let (rules, start) = super::super::place::start("tsivy", fen).expect("a position");
            let moves = legal_moves(&rules, &start);
            assert!(moves.len() > 1, "{puzzle}");
            let best = puzzle["turns"][0].as_str().expect("a turn");
            let best = best.split(':').next().unwrap_or(best);
            let (_, best) = parse_turn(best, &rules, &start).expect(best);
            let is_win = puzzle["goal"] == "win";
            let lost = if is_win { Wdl::Draw } else { Wdl::Win };
            for &mv in moves.iter() {
                // What the other side has then.
                if let Some(replies) = tables.rank(&rules, &start.play(mv)) {
                    let reply = replies[0].outcome();
                    assert_eq!(mv == best, reply < lost, "{puzzle}: {reply:?}");
                    checked += 1;
                }
            }
        }
        assert!(checked > 50 && several > 250, "{checked}, {several}");
    }

    fn judged(place: Value, found: Value) -> Value {
        let request = json!({ "place": place, "found": found });
        judge(&serde_json::from_value(request).expect("a request")).expect("a judgement")
    }

    #[test]
    fn a_line_is_judged_as_a_review_does() {
        let place = |moves: &[&str]| json!({ "rules": "tsivy", "start": "9/9/3w2b2/9/9 b 0 31", "moves": moves });
        let found = |chance: f64, best: &[&str]| json!({ "chance": chance, "best": best });
        let over = json!({ "chance": null, "best": [] });
        let line = json!([found(50.0, &["g3-g4"]), found(100.0, &["d3-e3A"]), over]);
        let known = judged(place(&["g3-f3", "d3-e3A"]), line);
        let blunder = json!({ "loss": 50, "mark": "blunder", "forced": false });
        let forced = json!({ "loss": 0, "mark": null, "forced": true });
        assert_eq!(known["moves"], json!([blunder, forced]));
        let [white, black] = [0, 1].map(|side| &known["players"][side]);
        let figures = json!([white["forced"], white["accuracy"], black["blunders"]]);
        assert_eq!(figures, json!([1, null, 1]));
        // The best move costs nothing, whatever comes to light after it.
        let line = json!([found(50.0, &["g3-g4", "g3-f3"]), found(100.0, &[])]);
        let known = judged(place(&["g3-f3"]), line);
        assert_eq!(known["moves"][0]["mark"], Value::Null);
    }

    /// The chances that a search has found, and what they are with what is proven; the loss of the first move.
    #[test]
    fn what_is_proven_counts() {
        let check = |rules: &str, moves: &[&str], found: &[f64], chances: &[f64]| {
            let found = found.iter();
            let found = found.map(|chance| json!({ "chance": chance, "best": [] }));
            let place = json!({ "rules": rules, "moves": moves });
            let known = judged(place, found.collect());
            assert_eq!(known["chances"], json!(chances), "{rules}");
            known["moves"][0]["loss"].clone()
        };
        let drawn = check("tsivy", &["d3-e3A"], &[61.0, 40.0], &[50.0, 50.0]);
        assert_eq!(drawn, 0);
        // White cannot win, but may lose.
        check("tsivy", &["e2-e3A"], &[50.0, 61.0], &[50.0, 50.0]);
        check("tsivy", &["e2-e3A"], &[50.0, 34.5], &[50.0, 34.5]);
        let open = [50.0, 50.0, 61.0];
        check("tsivy", &["d3-e3A", "c3-d3A"], &open, &open);
        // The winner's move is not what loses the proof; one that is proven to lose is a blunder.
        let won = check("board=7x3", &["c1-d2A"], &[50.0, 48.0], &[100.0, 48.0]);
        let lost = check("full-chain", &["d3-e3W"], &[50.0, 48.0], &[50.0, 0.0]);
        assert_eq!([won, lost], [2, 50]);
    }
}
