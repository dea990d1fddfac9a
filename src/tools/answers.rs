//! Answers of engines, read.

use std::str::FromStr;

use vato_engine::protocol::{
    Answer, BestMove, Dialect, EMPTY, GameResult, Info, InfoScore, OptionDeclaration, OptionKind,
    ParseError, Response, ScoreValue, Words,
};
use vato_engine::search::Bound;

/// Reads a line. Every line is an answer: one without a protocol keyword is [`Answer::Text`].
///
/// # Errors
///
/// If a keyword has invalid arguments.
pub fn read_answer(line: &str) -> Result<Answer, ParseError> {
    let mut words = Words::new(line);
    Ok(match words.next() {
        Some("id") => match words.next() {
            Some("name") => Answer::Name(words.rest.to_owned()),
            Some("author") => Answer::Author(words.rest.to_owned()),
            other => return Err(ParseError::wrong("id", other, "name or author")),
        },
        Some("option") => Answer::Option(read_option(words.rest)?),
        Some("ugiok") => Answer::Ok(Dialect::Ugi),
        Some("uciok") => Answer::Ok(Dialect::Uci),
        Some("readyok") => Answer::ReadyOk,
        Some("info") => match words.next_if("string") {
            false => Answer::Info(read_info(words)?),
            true if words.next_if("error") => Answer::Error(words.rest.to_owned()),
            true => Answer::Note(words.rest.to_owned()),
        },
        Some("bestmove") => Answer::BestMove(parse_best_move(words)?),
        Some("response") => Answer::Response(parse_response(words)?),
        _ => Answer::Text(line.trim_end().to_owned()),
    })
}

fn parse_best_move(mut words: Words<'_>) -> Result<BestMove, ParseError> {
    let mv = |word: &str| match word {
        "0000" | "(none)" | "none" => None,
        _ => Some(word.to_owned()),
    };
    let best = mv(words.required("bestmove", "the move")?);
    let ponder = match words.next() {
        None => None,
        Some("ponder") => words.next().and_then(mv),
        other => return Err(ParseError::wrong("bestmove", other, "ponder")),
    };
    Ok(BestMove { best, ponder })
}

fn parse_response(mut words: Words<'_>) -> Result<Response, ParseError> {
    const WORDS: &str = "true, false, none, p1win, p2win or draw";
    let word = words.required("response", "the word")?;
    let result = || GameResult::from_name(word).map(Response::Result);
    let known = word.parse().ok().map(Response::Flag).or_else(result);
    known.ok_or_else(|| ParseError::wrong("response", Some(word), WORDS))
}

/// Reads the text after the word `option`.
///
/// # Errors
///
/// What is wrong with it.
pub fn read_option(text: &str) -> Result<OptionDeclaration, ParseError> {
    let mut words = Words::new(text);
    match words.next() {
        Some("name") => {}
        other => return Err(ParseError::wrong("option", other, "name")),
    }
    let name: Vec<&str> = words.until("type").collect();
    words.required("option", "type")?;
    if name.is_empty() {
        return Err(ParseError::wrong("option", None, "the name"));
    }
    let kind = words.required("option", "the type")?;
    Ok(OptionDeclaration {
        name: name.join(" "),
        kind: parse_kind(kind, words)?,
    })
}

fn parse_kind(kind: &str, mut words: Words<'_>) -> Result<OptionKind, ParseError> {
    if kind == "string" {
        let text = words.next_if("default").then_some(words.rest);
        let default = text.filter(|&text| text != EMPTY).unwrap_or_default();
        return Ok(OptionKind::Text {
            default: default.to_owned(),
        });
    }
    let (mut default, mut min, mut max) = Default::default();
    let mut choices = Vec::new();
    while let Some(word) = words.next() {
        let value: Vec<&str> = words.until("default min max var").collect();
        let value = value.join(" ");
        match word {
            "default" => default = value,
            "min" => min = value,
            "max" => max = value,
            "var" => choices.push(value),
            _ => {}
        }
    }
    let number = |place: &str, text: &str| {
        text.parse()
            .map_err(|_| ParseError::wrong(place, Some(text), "a whole number in range"))
    };
    match kind {
        "check" => Ok(OptionKind::Check {
            default: default.eq_ignore_ascii_case("true"),
        }),
        "spin" => Ok(OptionKind::Spin {
            default: number("option default", &default)?,
            range: number("option min", &min)?..=number("option max", &max)?,
        }),
        "combo" => Ok(OptionKind::Combo { default, choices }),
        "button" => Ok(OptionKind::Button),
        _ => {
            let kinds = "check, spin, combo, string or button";
            Err(ParseError::wrong("option type", Some(kind), kinds))
        }
    }
}

/// The keywords that end a principal variation.
const KEYWORDS: &str = "depth seldepth multipv score wdl nodes nps hashfull tbhits time currmove \
     currmovenumber cpuload pv string";

/// Reads the text after the word `info`. Unknown words are skipped: engines have fields of their own.
fn read_info(mut words: Words<'_>) -> Result<Info, ParseError> {
    let mut info = Info::default();
    let words = &mut words;
    while let Some(word) = words.next() {
        match word {
            "depth" => info.depth = Some(number("info depth", words)?),
            "seldepth" => info.seldepth = Some(number("info seldepth", words)?),
            "multipv" => info.multipv = Some(number("info multipv", words)?),
            "score" => info.score = Some(parse_score(words)?),
            "wdl" => {
                let mut figure = || number("info wdl", words);
                info.wdl = Some([figure()?, figure()?, figure()?]);
            }
            "nodes" => info.nodes = Some(number("info nodes", words)?),
            "nps" => info.nps = Some(number("info nps", words)?),
            "hashfull" => info.hashfull = Some(number("info hashfull", words)?),
            "tbhits" => info.tbhits = Some(number("info tbhits", words)?),
            "time" => info.time = Some(number("info time", words)?),
            "currmove" => {
                let mv = words.required("info currmove", "the move")?;
                info.currmove = Some(mv.to_owned());
            }
            "currmovenumber" => info.currmovenumber = Some(number("info currmovenumber", words)?),
            "pv" => info.pv = words.until(KEYWORDS).map(str::to_owned).collect(),
            // The rest of the line is text or a variation.
            "string" | "refutation" | "currline" => break,
            _ => {}
        }
    }
    Ok(info)
}

fn number<T: FromStr>(place: &str, words: &mut Words<'_>) -> Result<T, ParseError> {
    let word = words.required(place, "the number")?;
    word.parse()
        .map_err(|_| ParseError::wrong(place, Some(word), "a whole number in range"))
}

fn parse_score(words: &mut Words<'_>) -> Result<InfoScore, ParseError> {
    let value = match words.next() {
        Some("cp") => ScoreValue::CentiStones(number("info score cp", words)?),
        Some("mate") => ScoreValue::Mate(number("info score mate", words)?),
        other => return Err(ParseError::wrong("info score", other, "cp or mate")),
    };
    let bound = if words.next_if("lowerbound") {
        Bound::Lower
    } else if words.next_if("upperbound") {
        Bound::Upper
    } else {
        Bound::Exact
    };
    Ok(InfoScore { value, bound })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_other_engines_say() {
        let none = BestMove {
            best: None,
            ponder: None,
        };
        for word in ["0000", "(none)", "none"] {
            let line = format!("bestmove {word}\r");
            assert_eq!(read_answer(&line), Ok(Answer::BestMove(none.clone())));
        }
        let error = Answer::Error("in line 3".to_owned());
        assert_eq!(read_answer("info string"), Ok(Answer::Note(String::new())));
        assert_eq!(read_answer("info string error in line 3"), Ok(error));
        let right = "id name Vato 0.1.0\nid author A and B\nugiok\nuciok\nreadyok\ninfo string a note\n\
                     option name Hash type spin default 16 min 1 max 99\n\
                     bestmove d3-e3A\nbestmove d3-e3A ponder d5-d4A\nbestmove 0000\n\
                     response true\nresponse false\nresponse none\nresponse p1win\nresponse p2win\nresponse draw";
        for line in right.lines() {
            let answer = read_answer(line).expect(line);
            assert_eq!(answer.to_string(), line);
            assert!(!matches!(answer, Answer::Text(_)), "{line}");
        }
        assert_eq!(read_answer(""), Ok(Answer::Text(String::new())));
        for line in "bestmove;bestmove a b;response;response maybe;id;option x".split(';') {
            assert!(read_answer(line).is_err(), "{line}");
        }
    }

    fn option(text: &str) -> OptionDeclaration {
        read_option(text).expect(text)
    }

    #[test]
    fn declarations_round_trip() {
        for text in [
            "name Clear Hash type button",
            "name Ponder type check default true",
            "name Hash type spin default 16 min 1 max 1048576",
            "name UCI_Variant type combo default free capture var tsivy var free capture",
            "name Log File type string default <empty>",
            "name Log File type string default /a b/min max 3",
        ] {
            assert_eq!(option(text).to_string(), text);
        }
        let wrong = ";x;name x;name type spin;name x type;name x type y;\
                     name x type spin default a min 0 max 3;name x type spin default 1";
        for text in wrong.split(';') {
            assert!(read_option(text).is_err(), "{text}");
        }
    }

    #[test]
    fn values_that_fit_and_values_that_do_not() {
        let hash = "name Hash type spin default 16 min 1 max 99";
        let flag = "name Ponder type check default false";
        let combo = "name V type combo default a var a var Bc";
        let text = "name T type string default <empty>";
        for (declaration, given, wanted) in [
            (hash, Some("7"), Some("7")),
            (flag, Some("True"), Some("true")),
            (flag, Some("1"), None),
            (combo, Some("bC"), Some("Bc")),
            (combo, Some("d"), None),
            (text, Some("<empty>"), Some("")),
            (text, Some(""), Some("")),
            (text, None, Some("")),
            ("name B type button", None, Some("")),
            (hash, None, None),
            (hash, Some(""), None),
        ] {
            let value = option(declaration).value(given).ok().map(str::to_owned);
            assert_eq!(value.as_deref(), wanted, "{declaration}: {given:?}");
        }
        for wrong in ["0", "100", "x", "+7", "1.5", "--1", "99999999999999999999"] {
            let error = option(hash).value(Some(wrong)).expect_err(wrong);
            let range = "expected a number from 1 to 99";
            assert_eq!(error, format!("option Hash: '{wrong}', {range}"));
        }
    }

    fn info(text: &str) -> Result<Info, String> {
        read_info(Words::new(text)).map_err(|error| error.to_string())
    }

    #[test]
    fn a_full_line() {
        let text = " depth 7 seldepth 12 multipv 2 score mate -3 lowerbound wdl 0 0 1000 nodes 5 \
                    nps 6 hashfull 7 tbhits 8 time 9 currmove a1-a2 currmovenumber 3 pv d3-e3A e2-e3";
        let info = info(text).expect("right");
        assert_eq!(info.to_string(), text);
        assert_eq!(info.pv, ["d3-e3A", "e2-e3"]);
        assert_eq!(info.wdl, Some([0, 0, 1000]));
    }

    #[test]
    fn what_is_unknown_is_skipped() {
        let info = info("depth 3 cpuload 500 pv a1-a2 a2-a1 time 5 colour red string depth x");
        let info = info.expect("right");
        let known = (info.depth, info.time, info.pv.len());
        assert_eq!(known, (Some(3), Some(5), 2));
    }

    #[test]
    fn what_is_wrong_is_named() {
        for (text, told) in [
            (
                "depth x",
                "info depth: 'x', expected a whole number in range",
            ),
            (
                "depth 99999999999999",
                "info depth: '99999999999999', expected a whole number in range",
            ),
            (
                "time 1.5",
                "info time: '1.5', expected a whole number in range",
            ),
            ("nodes", "info nodes: the number is missing"),
            ("score 5", "info score: '5', expected cp or mate"),
        ] {
            assert_eq!(info(text).expect_err(text), told);
        }
    }
}
