//! Tests of the pages.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::*;
use crate::review::review;
use crate::tournament::record::MoveEntry;
use vato_engine::board::Side;
use vato_engine::engine::{Engine, Settings};
use vato_engine::notation::format_move;
use vato_engine::rules::{Game, Preset, Rules, legal_moves};
use vato_engine::search::{Control, Limits, ScoreEntry, SearchLimit};
use vato_records::pgn::{GameRecord, Nag, PgnReader};

/// Attempts to become markup.
const HOSTILE: [&str; 5] = [
    "</script><script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "<!-- <script>",
    "\" onclick='alert(1)' \\",
    "a\u{2028}b\u{2029}c",
];

fn report(games: Vec<ReportGame>) -> Report {
    Report {
        title: "A test".to_owned(),
        games,
        ..Report::default()
    }
}

/// The data of a page, read back.
fn data(html: &str) -> Value {
    let (_, rest) = html.split_once("id=\"data\">").expect("data");
    let (json, _) = rest.split_once("</script>").expect("its end");
    serde_json::from_str(json).expect("JSON")
}

/// A game of so many plies, in which little is captured, and its record.
fn played(plies: usize) -> (GameRecord, Game) {
    let rules = Rules::STANDARD;
    let mut game = Game::new(rules);
    let mut record = GameRecord::new(&rules, game.start());
    while game.moves().len() < plies && game.outcome().is_none() {
        let moves = legal_moves(&rules, game.position());
        let turn = |place: usize| (place + 7 * game.moves().len()) % moves.len();
        let choices = moves.iter().enumerate();
        let choice = choices.min_by_key(|(place, mv)| (mv.captured().count(), turn(*place)));
        let mv = *choice.expect("a legal move").1;
        let text = format_move(&rules, game.position(), mv).expect("a legal move");
        record.push_move(&text, None).expect("a move");
        game.play(mv).expect("a legal move");
    }
    (record, game)
}

fn parsed(text: &str) -> (GameRecord, Game) {
    let record = PgnReader::new(text.as_bytes()).next().expect("a game");
    let record = record.expect("a valid one");
    let game = record.replay().expect("legal moves");
    (record, game)
}

/// No request leaves the page: it names no other place, and has no means to ask one.
#[test]
fn a_page_is_alone() {
    let html = report(Vec::new()).html().expect("JSON");
    // Parts of the page itself are named, too.
    let without_names = html
        .replace("http://www.w3.org/2000/svg", "")
        .replace("url(#", "");
    let all = "http: https: //cdn src= <link <iframe @import url( import( fetch( XMLHttpRequest WebSocket sendBeacon \
               Image( innerHTML outerHTML insertAdjacentHTML document.write eval( Function( setTimeout(\"";
    for means in all.split_whitespace() {
        assert!(!without_names.contains(means), "{means}");
    }
    let policy = "default-src 'none'; style-src 'sha256-";
    assert!(
        html.contains(policy) && !html.contains("unsafe"),
        "{policy}"
    );
}

/// The policy allows this style and this script, which end where they seem to.
#[test]
fn the_policy_names_what_is_there() {
    assert_eq!(digest(""), "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=");
    let html = report(Vec::new()).html().expect("JSON");
    for (text, tag) in [(STYLE, "style"), (SCRIPT, "script")] {
        assert!(html.contains(&format!("-src 'sha256-{}'", digest(text))));
        assert!(html.contains(&format!("<{tag}>{text}</{tag}>")));
        assert!(!text.contains("</") && !text.contains("<!--"), "{tag}");
    }
}

#[test]
fn text_never_becomes_markup() {
    for hostile in HOSTILE {
        let (mut record, _) = parsed("1. f2-e3A d5-d4A *");
        for tag in ["White", "Event", "Opening", "Termination"] {
            record.set_tag(tag, hostile).expect("a tag");
        }
        record.set_introduction(hostile);
        record.moves_mut()[1].set_comment(hostile);
        record.set_final_comment(hostile);
        let game = record.replay().expect("legal moves");
        let mut report = report(vec![ReportGame::new(1, &record, &game)]);
        report.title = hostile.to_owned();
        let html = report.html().expect("JSON");
        let bare = self::report(Vec::new()).html().expect("JSON");
        for sign in ["<", ">", "\u{2028}", "\u{2029}"] {
            let count = |text: &str| text.matches(sign).count();
            assert_eq!(count(&html), count(&bare), "{sign} of {hostile}");
        }
        let data = data(&html);
        assert_eq!(data["title"], hostile);
        let comment = record.moves()[1].comment.as_deref();
        assert_eq!(data["games"][0]["notes"]["1"]["comment"].as_str(), comment);
    }
}

#[test]
fn a_game_has_its_moves_marks_and_tags() {
    let (mut record, game) = parsed(
        "[White \"Rabe\"]\n[Event \"Friday\"]\n[Rules \"limit=9\"]\n\n{Begins} 1. f2e3a {good} d5-d4A $14 2. e1-d2A ?! {ends} 1-0",
    );
    record.moves_mut()[0].set_annotations([Nag(1)]);
    let game = ReportGame::new(7, &record, &game);
    let mut game = serde_json::to_value(&game).expect("JSON");
    let told = game.as_object_mut().expect("an object");
    assert!(told.get("scores").is_none() && told.get("best").is_none());
    let wanted = serde_json::json!({
        "moves": "f2-e3A:d4c5 d5-d4A:d1d2d3 e1-d2A:c3b4a5", "white": "Rabe", "black": "?", "result": "1-0",
        "rules": "limit=9", "tags": [["Event", "Friday"]], "introduction": "Begins",
        "notes": {
            "0": {"marks": ["!"], "comment": "good"},
            "1": {"marks": ["$14"]},
            "2": {"marks": ["?!"], "comment": "ends"},
        },
    });
    told.retain(|key, _| wanted.get(key).is_some());
    assert_eq!(game, wanted);
}

#[test]
fn variations_are_lines() {
    let text = "1. d3-e3A ({or} 1. d3-e3w {x} (1. e2-e3A)) (1. a1-a2 {illegal}) 1... c3-d3A *";
    let (record, game) = parsed(text);
    let html = report(vec![ReportGame::new(1, &record, &game)]).html();
    let page = data(&html.expect("a page"));
    assert_eq!(
        page["games"][0]["notes"]["0"]["lines"],
        serde_json::json!([{ "comment": "or", "turns": "d3-e3W:c3" }])
    );
}

#[test]
fn thoughts_are_seen_from_white() {
    let (record, game) = parsed("[FEN \"9/9/3w2b2/9/9 b 0 31\"]\n\n31... g3-f3 32. d3-e3A 1-0");
    let mut page = ReportGame::new(1, &record, &game);
    let thought = |score, time_ms| MoveEntry {
        score,
        time_ms,
        ..MoveEntry::default()
    };
    let thoughts = [
        thought(Some(ScoreEntry::PliesToEnd(-2)), Some(0.44)),
        thought(Some(ScoreEntry::CentiStones(-35)), Some(1234.4)),
    ];
    page.add_thoughts(&thoughts, Side::Black);
    let page = serde_json::to_value(&page).expect("JSON");
    assert_eq!(page["scores"], "+M2 -0.35");
    assert_eq!(page["times"], "0.4 1234");
    assert!(page.get("depths").is_none());
    assert_eq!(page["reason"], "no-stones");
    // The rules have not ended a game with another result.
    let (record, game) = parsed("[FEN \"9/9/3w2b2/9/9 b 0 31\"]\n\n31... g3-f3 32. d3-e3A 0-1");
    let page = ReportGame::new(1, &record, &game);
    assert!(
        serde_json::to_value(&page)
            .expect("JSON")
            .get("reason")
            .is_none()
    );
}

/// The review of a game as the report has it; and a thousand such games are below 10 MB.
#[test]
fn a_thousand_games_are_small() {
    let (record, game) = played(60);
    let mut limits = Limits::from(SearchLimit::Nodes(200));
    limits.analyse = true;
    let mut engine = Engine::new(Settings::default());
    let review = review(&game, &mut engine, &limits, &Control::new(), &mut || ())
        .expect("memory")
        .expect("not stopped");
    let mut page = ReportGame::new(1, &record, &game);
    page.add_review(&review, game.rules());
    let value = serde_json::to_value(&page).expect("JSON");
    let words = |key: &str| value[key].as_str().expect(key).split(' ').count();
    let plies = game.moves().len();
    assert!(plies > 30, "{plies}");
    let counts = ["moves", "scores", "losses", "chances", "best"].map(words);
    assert_eq!(counts, [plies, plies, plies, plies + 1, plies + 1]);
    let notes = value["notes"].as_object().expect("notes").values();
    let lines = notes.filter_map(|note| note["lines"].as_array()?.first());
    let turns: Vec<_> = lines.map(|line| line["turns"].as_str()).collect();
    assert!(!turns.is_empty());
    let are_moves = |turns: &Option<&str>| turns.is_some_and(|turns| !turns.is_empty());
    assert!(turns.iter().all(are_moves));
    let html = report(vec![page; 1000]).html().expect("JSON");
    assert!(html.len() < 10_000_000, "{}", html.len());
}

/// Every text is there in all three languages, and every text that the script names is there.
#[test]
fn texts_are_complete() {
    let json = include_str!("texts.json");
    let texts: BTreeMap<String, [String; 3]> =
        serde_json::from_str(json).expect("three texts each");
    // Of two with the same key the first would be lost.
    let keys = json.lines().filter_map(|line| line.split_once("\": ["));
    let mut seen = BTreeSet::new();
    for (key, _) in keys {
        assert!(seen.insert(key), "twice: {key}");
    }
    assert_eq!(seen.len(), texts.len());
    for (key, texts) in &texts {
        assert!(texts.iter().all(|text| !text.is_empty()), "{key}");
        // In French a space that does not break stands before these marks.
        for mark in [" :", " ;", " ?", " !", " »", "« "] {
            assert!(!texts[1].contains(mark), "{key}");
        }
        let places =
            |text: &String| [0, 1, 2, 3, 4, 5, 6, 7, 8].map(|n| text.contains(&format!("{{{n}}}")));
        assert!(
            texts.iter().all(|text| places(text) == places(&texts[0])),
            "{key}"
        );
    }
    let scripts = [
        SCRIPT,
        #[cfg(feature = "board")]
        analysis::SCRIPT,
    ];
    let mut count = 0;
    for script in scripts {
        let named = script.split("t(\"").skip(1).filter_map(|rest| {
            let at = rest.as_ptr() as usize - script.as_ptr() as usize;
            let before_name = script.as_bytes()[at - 4];
            let (name, _) = rest.split_once('"')?;
            (!before_name.is_ascii_alphanumeric() && before_name != b'_').then_some(name)
        });
        for name in named {
            assert!(texts.contains_key(name), "{name}");
            count += 1;
        }
    }
    assert!(count > 60, "{count}");
    // Those that the server or a record names.
    let named = "normal adjudication adjudicated-loss adjudicated-draw adjudicated-tablebase adjudicated-length \
        resignation time-loss illegal-move unparsable-answer crash hang no-start withdrawn no-stones blocked repetition \
        limit illegal-pv pv-without-bestmove broken-win-claim missing-info unreadable-info stray-answer late-answer \
        complete decided stopped sprt-continue sprt-accept-h0 sprt-accept-h1 approach withdrawal may-go-on must-go-on \
        not-a-step must-capture engine-on engine-off table-win table-loss table-draw table-late connected key-move \
        key-tab key-enter key-choice key-stop key-put-down";
    let presets = Preset::ALL.map(|preset| format!("rules-{}", preset.name()));
    for name in named
        .split_whitespace()
        .chain(presets.iter().map(String::as_str))
    {
        assert!(texts.contains_key(name), "{name}");
    }
}

/// What is wrong with a turn, a FEN or rules is told in the page's language: each message of the engine is among the texts, by which
/// `translated` in server.js knows it.
#[test]
fn messages_of_the_engine_are_texts() {
    // What is filled in, as one sign.
    let shape = |text: &str| {
        let parts: Vec<&str> = text.split(['{', '}']).step_by(2).collect();
        parts.join("_")
    };
    let texts: BTreeMap<String, [String; 3]> =
        serde_json::from_str(include_str!("texts.json")).expect("three texts each");
    let known = texts.iter().filter(|(key, _)| key.starts_with("error-"));
    let known: BTreeSet<String> = known.map(|(_, texts)| shape(&texts[0])).collect();
    let mut count = 0;
    for source in [
        include_str!("../../engine/rules/turn.rs"),
        include_str!("../../engine/rules/rules_text.rs"),
        include_str!("../../engine/notation/fen.rs"),
        include_str!("../../engine/notation/move_text.rs"),
        include_str!("../../records/typed_turn.rs"),
    ] {
        let code = source.split("#[cfg(test)]").next().expect("a part");
        let lines = code.lines().map(str::trim_start);
        let lines: Vec<&str> = lines.filter(|line| !line.starts_with("//")).collect();
        let code = lines.join("\n").replace("\\\"", "");
        for literal in code.split('"').skip(1).step_by(2) {
            let text = shape(literal);
            let is_word = |word: &&str| word.chars().all(char::is_alphabetic);
            // Names, separators and what only joins others.
            if text.split_whitespace().filter(is_word).count() < 2 {
                continue;
            }
            let text = match text.strip_prefix("step _: ") {
                Some(reason) => reason.to_owned(),
                // What stands behind a move.
                None if text.starts_with(' ') => format!("move '_'{text}"),
                None => text,
            };
            assert!(known.contains(&text), "{text}");
            count += 1;
        }
    }
    assert!(count > 30, "{count}");
}
