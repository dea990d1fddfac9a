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
            assert!(
                puzzle["level"].is_string() && puzzle["turns"][0].is_string(),
                "{puzzle}"
            );
            let turns = puzzle["turns"].as_array().expect("turns").len();
            assert_eq!(turns % 2, 1, "{puzzle}");
            several += usize::from(turns > 1);
            let (rules, start) =
                super::super::place::start("tsivy", puzzle["start"].as_str().expect("a FEN"))
                    .expect("a position");
            let moves = legal_moves(&rules, &start);
            assert!(moves.len() > 1, "{puzzle}");
            let best = puzzle["turns"][0].as_str().expect("a turn");
            let (_, best) =
                parse_turn(best.split(':').next().unwrap_or(best), &rules, &start).expect(best);
            for &mv in moves.iter() {
                // What the other side has then.
                if let Some(replies) = tables.rank(&rules, &start.play(mv)) {
                    let lost = if puzzle["goal"] == "win" {
                        Wdl::Draw
                    } else {
                        Wdl::Win
                    };
                    let reply = replies[0].outcome();
                    assert_eq!(mv == best, reply < lost, "{puzzle}: {reply:?}");
                    checked += 1;
                }
            }
        }
        assert!(checked > 50 && several > 250, "{checked}, {several}");
    }

    fn judged(moves: &str, found: Value) -> Result<Value, String> {
        let moves: Vec<&str> = moves.split_whitespace().collect();
        let place = json!({ "rules": "tsivy", "start": "9/9/3w2b2/9/9 b 0 31", "moves": moves });
        let request = json!({ "place": place, "found": found });
        judge(&serde_json::from_value(request).expect("a request"))
    }

    #[test]
    fn a_line_is_judged_as_a_review_does() {
        let found = |chance: f64, best: &[&str]| json!({ "chance": chance, "best": best });
        let over = json!({ "chance": null, "best": [] });
        let line = json!([found(50.0, &["g3-g4"]), found(100.0, &["d3-e3A"]), over]);
        let known = judged("g3-f3 d3-e3A", line).expect("a judgement");
        assert_eq!(
            known["moves"][0],
            json!({ "loss": 50, "mark": "blunder", "forced": false })
        );
        assert_eq!(
            known["moves"][1],
            json!({ "loss": 0, "mark": null, "forced": true })
        );
        let [white, black] = [0, 1].map(|side| &known["players"][side]);
        assert_eq!(
            (&white["forced"], &white["accuracy"]),
            (&json!(1), &json!(null))
        );
        assert_eq!(
            (&black["blunders"], &black["judged"]),
            (&json!(1), &json!(1))
        );
        // The best move costs nothing, whatever comes to light after it.
        let line = json!([found(50.0, &["g3-g4", "g3-f3"]), found(100.0, &[])]);
        let known = judged("g3-f3", line).expect("a judgement");
        assert_eq!(known["moves"][0]["mark"], Value::Null);
    }

    #[test]
    fn what_is_proven_counts() {
        let judged = |rules: &str, moves: &[&str], chances: &[f64]| {
            let found: Vec<Value> = chances
                .iter()
                .map(|chance| json!({ "chance": chance, "best": [] }))
                .collect();
            let place = json!({ "rules": rules, "moves": moves });
            let request = json!({ "place": place, "found": found });
            judge(&serde_json::from_value(request).expect("a request")).expect("a judgement")
        };
        let drawn = judged("tsivy", &["d3-e3A"], &[61.0, 40.0]);
        assert_eq!(drawn["chances"], json!([50.0, 50.0]));
        assert_eq!(drawn["moves"][0]["loss"], 0);
        // White cannot win, but may lose.
        for (found, chance) in [(61.0, 50.0), (34.5, 34.5)] {
            let judged = judged("tsivy", &["e2-e3A"], &[50.0, found]);
            assert_eq!(judged["chances"], json!([50.0, chance]));
        }
        // The winner's move is not what loses the proof; one that is proven to lose is a blunder.
        for (rules, moves, chances, loss) in [
            ("board=7x3", ["c1-d2A"], [100.0, 48.0], 2),
            ("full-chain", ["d3-e3W"], [50.0, 0.0], 50),
        ] {
            let won = judged(rules, &moves, &[50.0, 48.0]);
            assert_eq!(won["chances"], json!(chances), "{rules}");
            assert_eq!(won["moves"][0]["loss"], loss, "{rules}");
        }
        let open = judged("tsivy", &["d3-e3A", "c3-d3A"], &[50.0, 50.0, 61.0]);
        assert_eq!(open["chances"][2], 61.0);
    }

    #[test]
    fn nonsense_is_not_judged() {
        let error = |moves: &str, found| judged(moves, found).expect_err("nonsense");
        let found = |chance: f64, best: &str| json!({ "chance": chance, "best": [best] });
        let none = json!({ "chance": null, "best": [] });
        assert_eq!(error("", json!([])), "found: 0 positions, expected 1");
        assert_eq!(
            error("g3-f3", json!([none])),
            "found: 1 positions, expected 2"
        );
        for wrong in [none.clone(), found(100.5, "g3-f3"), found(-1.0, "g3-f3")] {
            assert_eq!(
                error("", json!([wrong])),
                "chance: expected a number from 0 to 100"
            );
        }
        let error = error("g3-f3", json!([found(1.0, "a1-a2"), none]));
        assert!(error.contains("a1-a2"), "{error}");
    }
}
