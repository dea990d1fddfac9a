//! Texts: positions, moves, rules, games, settings, lines of the protocol.

use std::cmp::Ordering;
use std::fmt::{Debug, Display};
use std::io::BufReader;
use std::str::FromStr;
use std::sync::LazyLock;

use serde::Serialize;
use serde::de::DeserializeOwned;
use vato_engine::board::{BoardSize, Position};
use vato_engine::engine::Book;
use vato_engine::eval::EvaluationKind;
use vato_engine::notation::{
    Charset, diagram, format_fen, format_move, format_path, parse_fen, parse_path, parse_turn,
};
use vato_engine::protocol::{Answer, Command, Dialect};
use vato_engine::rules::{Game, Preset, Rules, legal_moves, parse_rules};
use vato_engine::search::Parameters;
use vato_engine::tablebase::Slice;
use vato_lab::data::{format_record, parse_record};
use vato_records::pgn::{GameRecord, Nag, PgnReader, RecordResult};
use vato_records::{read_first_turn, read_turn};
use vato_tools::answers::{read_answer, read_option};
use vato_tools::clock::TimeControl;
use vato_tools::game_formats::{self, GameFormat};
use vato_tools::games::{Condition, Field, Subject, compare, scan};
use vato_tools::openings::{OpeningSettings, OpeningSource};
use vato_tools::tournament::settings::{
    Anchor, DrawSettings, EngineSettings, MatchSettings, ResignSettings, Shard, TournamentFormat,
};
use vato_tools::tournament::statistics::Sprt;
use vato_tools::tournament::suite::parse_suite;

use super::check_message;

/// The rules of the first line, and the rest.
fn with_rules(text: &str) -> Option<(Rules, &str)> {
    let (first, rest) = text.split_once('\n').unwrap_or((text, ""));
    Some((parse_rules(first).ok()?, rest))
}

/// A line of rules, then a FEN.
pub fn position(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let Some((rules, fen)) = with_rules(&text) else {
        return;
    };
    match parse_fen(fen, rules.board) {
        Ok(position) => check_position(&rules, &position),
        Err(error) => check_message(&error),
    }
}

fn check_position(rules: &Rules, position: &Position) {
    let written = format_fen(position, rules.board);
    assert_eq!(parse_fen(&written, rules.board).as_ref(), Ok(position));
    for charset in [Charset::Ascii, Charset::Unicode] {
        assert!(!diagram(position, rules.board, charset).is_empty());
    }
    for &mv in legal_moves(rules, position).iter() {
        let text = format_move(rules, position, mv).expect("a legal move has a text");
        let read = parse_turn(&text, rules, position);
        assert_eq!(read.map(|(_, mv)| mv), Ok(mv), "{text}");
    }
}

/// Opening books.
pub fn book(bytes: &[u8]) {
    match Book::parse(&String::from_utf8_lossy(bytes)) {
        Ok(book) => {
            assert!(book.positions() > 0);
            let game = Game::new(book.rules);
            for (mv, weight) in book.moves(&game) {
                assert!(weight > 0);
                assert_eq!(book.line(&game, mv).first(), Some(&mv));
            }
        }
        Err(error) => check_message(&error),
    }
}

/// Rules, as people write them and as files have them.
pub fn rules(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    match parse_rules(&text) {
        Ok(rules) => {
            for written in [
                rules.to_string(),
                format!("{rules:#}"),
                Preset::name_of(&rules),
            ] {
                assert_eq!(parse_rules(&written), Ok(rules), "{written}");
            }
            check_position(&rules, &rules.start());
        }
        Err(error) => check_message(&error),
    }
    round_trip::<BoardSize>(&text);
    round_trip::<Slice>(&text);
}

/// A line of rules, a line with a FEN or nothing, then turns that are played if they are legal.
pub fn turns(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let Some((rules, rest)) = with_rules(&text) else {
        return;
    };
    let (fen, turns) = rest.split_once('\n').unwrap_or((rest, ""));
    let start = match fen.trim() {
        "" => Ok(rules.start()),
        fen => parse_fen(fen, rules.board),
    };
    let Ok(start) = start else {
        return;
    };
    let mut game = Game::from_position(rules, start);
    let words = || turns.split(['\n', ' ']);
    for (place, word) in words().enumerate() {
        match read_first_turn(words().skip(place).take(8), &rules, game.position()) {
            Ok((_, (_, mv))) => assert!(legal_moves(&rules, game.position()).contains(&mv)),
            Err(error) => check_message(&error),
        }
        if let Ok(path) = parse_path(word, rules.board) {
            let written = format_path(&path, rules.board);
            assert_eq!(parse_path(&written, rules.board), Ok(path), "{written}");
        }
        match parse_turn(word, &rules, game.position()) {
            Ok((path, mv)) => {
                let board = rules.board;
                assert!(legal_moves(&rules, game.position()).contains(&mv), "{word}");
                let typed = read_turn(word, &rules, game.position()).expect("strictly a turn");
                assert!(typed.iter().all(|(_, typed)| *typed == mv), "{word}");
                let written = format_path(&path, board);
                assert_eq!(
                    parse_turn(&written, &rules, game.position()),
                    Ok((path, mv))
                );
                let shortest = format_move(&rules, game.position(), mv).expect("legal");
                let read = parse_turn(&shortest, &rules, game.position());
                assert_eq!(read.map(|(_, mv)| mv), Ok(mv));
                let played = game.moves().len();
                game.play(mv).expect("a legal move");
                let before = game.truncated(played);
                assert!(before.moves().len() == played);
                assert!(game.occurrences() >= 1);
            }
            Err(error) => check_message(&error),
        }
    }
    assert_eq!(game.truncated(game.moves().len()).outcome(), game.outcome());
}

/// Records of games: what is read is written such that it is read again, and one reader finds the same games as
/// many.
pub fn pgn(bytes: &[u8]) {
    let mut good = Vec::new();
    for item in PgnReader::new(BufReader::with_capacity(7, bytes)) {
        match item {
            Ok(record) => good.push(record),
            Err(error) => check_message(&error),
        }
    }
    let format = Some(GameFormat::Pgn);
    let items: Vec<_> = game_formats::read(bytes, format)
        .map(|item| item.map_err(|error| error.to_string()))
        .collect();
    let mut scanned = Vec::new();
    let scan = scan(
        bytes,
        format,
        |_, record| Ok(record),
        |_, item| {
            scanned.push(item.map_err(|error| error.to_string()));
            Ok::<_, String>(())
        },
    );
    // What is no such text is an error of the input for both.
    match scan {
        Ok(_) => assert_eq!(scanned, items, "a text in parts has the same games"),
        Err(_) => assert!(matches!(items[..], [Err(_)])),
    }
    for record in &good {
        for fault in record.check() {
            check_message(&fault);
        }
        let _ = record.replay();
    }
    let text: String = good.iter().map(ToString::to_string).collect();
    let again: Result<Vec<GameRecord>, _> = PgnReader::new(text.as_bytes()).collect();
    let again = again.unwrap_or_else(|error| panic!("{error} in what was written:\n{text}"));
    assert_eq!(again, good, "{text}");
    let twice: String = again.iter().map(ToString::to_string).collect();
    assert_eq!(twice, text);
}

/// Games in any format: what is read begins as a game, and is read again when it is written.
pub fn games(bytes: &[u8]) {
    for format in GameFormat::ALL.map(Some).into_iter().chain([None]) {
        for item in game_formats::read(bytes, format) {
            let record = match item {
                Ok(record) => record,
                Err(error) => {
                    check_message(&error);
                    continue;
                }
            };
            let is_game = record.replay_plies(1.min(record.moves().len())).is_ok();
            assert!(
                is_game || matches!(format, None | Some(GameFormat::Pgn)),
                "{record}"
            );
            let text = record.to_string();
            let again = PgnReader::new(text.as_bytes()).collect::<Result<Vec<_>, _>>();
            assert_eq!(again.expect("PGN"), [record]);
        }
    }
}

/// A line of rules, then questions to an engine.
pub fn epd(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let Some((rules, rest)) = with_rules(&text) else {
        return;
    };
    match parse_suite(rest, &rules) {
        Ok(suite) => {
            for question in &suite {
                check_message(&question.expected());
                check_message(&question.id);
            }
        }
        Err(errors) => errors.lines().for_each(|error| check_message(&error)),
    }
}

/// Games that conditions are asked of.
static GAMES: LazyLock<Vec<GameRecord>> = LazyLock::new(|| {
    let text = "[White \"A\"]\n[Black \"b 1.10\"]\n[Round \"1.2\"]\n[WhiteElo \"1500\"]\n\n1. f2-e3A d5-d4A *\n\n\
                [White \"nan\"]\n[Black \"\"]\n[Rules \"board=3x3\"]\n\n1-0\n\n[White \"x\"]\n\n1. a1-a9 *\n";
    PgnReader::new(text.as_bytes())
        .map(|item| item.expect("a record"))
        .collect()
});

/// Conditions on games; and the order of values, which the lines of the text are.
pub fn condition(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    match text.parse::<Condition>() {
        Ok(condition) => {
            for game in GAMES.iter() {
                let _ = condition.holds(&Subject::new(game.clone()));
            }
        }
        Err(error) => assert_eq!(error.to_string().lines().count(), 3, "{error}"),
    }
    if let Err(error) = text.parse::<Field>() {
        check_message(&error);
    }
    let values: Vec<&str> = text.split(['\n', ' ']).take(6).collect();
    for first in &values {
        for second in &values {
            let order = compare(first, second);
            assert_eq!(
                compare(second, first),
                order.reverse(),
                "{first:?} {second:?}"
            );
            for third in &values {
                let through = [order, compare(second, third)];
                if through.iter().all(|order| order.is_le()) {
                    let whole = compare(first, third);
                    let is_strict = through.contains(&Ordering::Less);
                    let wanted = if is_strict {
                        Ordering::Less
                    } else {
                        Ordering::Equal
                    };
                    assert_eq!(whole, wanted, "{first:?} {second:?} {third:?}");
                }
            }
        }
    }
}

/// What TOML has is written such that it is the same again.
fn toml_of<T: DeserializeOwned + Serialize + PartialEq + Debug>(
    text: &str,
    check: impl Fn(&T) -> bool,
) {
    let Ok(value) = toml::from_str::<T>(text) else {
        return;
    };
    if check(&value) {
        let written = toml::to_string_pretty(&value).expect("can be written");
        let again = toml::from_str(&written);
        let again: T = again.unwrap_or_else(|error| panic!("{error} in:\n{written}"));
        assert_eq!(again, value, "{written}");
    }
}

/// The check of settings; its messages have a line.
fn is_right<E: Display>(checked: Result<(), E>) -> bool {
    checked.inspect_err(check_message).is_ok()
}

fn is_right_engine(engine: &EngineSettings) -> bool {
    let settings = MatchSettings {
        engines: vec![engine.clone(), engine.clone()],
        ..MatchSettings::default()
    };
    is_right(settings.validate())
}

/// Settings of matches and trainings.
pub fn toml(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return;
    };
    toml_of::<MatchSettings>(text, |settings| {
        let _ = (settings.ply_cap(), settings.games_at_a_time(4));
        is_right(settings.validate())
    });
    toml_of::<EngineSettings>(text, is_right_engine);
    toml_of::<vato_lab::Settings>(text, |settings| is_right(settings.check()));
    toml_of::<OpeningSettings>(text, |_| true);
}

/// A text that is read is written such that it is the same again.
fn round_trip<T: FromStr<Err: Display> + Display + PartialEq + Debug>(text: &str) {
    match text.parse::<T>() {
        Ok(value) => {
            let written = value.to_string();
            match written.parse::<T>() {
                Ok(again) => assert_eq!(again, value, "{written}"),
                Err(error) => panic!("{error}: {written:?}, of {text:?}"),
            }
        }
        Err(error) => check_message(&error),
    }
}

/// Values of the command line.
pub fn pairs(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return;
    };
    round_trip::<TournamentFormat>(text);
    round_trip::<Anchor>(text);
    round_trip::<Shard>(text);
    round_trip::<TimeControl>(text);
    round_trip::<OpeningSource>(text);
    check(text.parse::<Parameters>());
    round_trip::<Preset>(text);
    round_trip::<RecordResult>(text);
    check(text.parse::<Sprt>());
    check(text.parse::<DrawSettings>());
    check(text.parse::<ResignSettings>());
    check(text.parse::<EvaluationKind>());
    match text.parse::<EngineSettings>() {
        Ok(engine) => {
            if is_right_engine(&engine) {
                let _ = (engine.limit_text(), engine.threads());
                let written = toml::to_string(&engine).expect("can be written");
                assert_eq!(toml::from_str::<EngineSettings>(&written), Ok(engine));
            }
        }
        Err(error) => check_message(&error),
    }
    let _ = Nag::parse(text);
}

fn check<T, E: Display>(read: Result<T, E>) {
    if let Err(error) = read {
        check_message(&error);
    }
}

/// A line of rules, then a record of training data as text.
pub fn record(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let Some((rules, line)) = with_rules(&text) else {
        return;
    };
    match parse_record(&rules, line) {
        Ok(record) => {
            let written = format_record(&rules, &record);
            assert_eq!(
                parse_record(&rules, &written).as_ref(),
                Ok(&record),
                "{written}"
            );
        }
        Err(error) => check_message(&error),
    }
}

/// Lines to an engine.
pub fn command(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    for line in text.lines() {
        let mut complaints = Vec::new();
        let command = Command::parse(line, &mut complaints);
        complaints.iter().for_each(check_message);
        let Some(command) = command.filter(|_| complaints.is_empty()) else {
            continue;
        };
        for dialect in [Dialect::Ugi, Dialect::Uci] {
            let written = command.in_dialect(dialect);
            let again = Command::parse(&written, &mut complaints);
            assert_eq!(again.as_ref(), Some(&command), "{written:?}");
            assert!(complaints.is_empty(), "{complaints:?}");
        }
    }
}

/// Lines of an engine.
pub fn answer(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    for line in text.lines() {
        match read_answer(line) {
            Ok(answer) => {
                let written = answer.to_string();
                let again = read_answer(&written);
                assert_eq!(again.map(|again| again.to_string()), Ok(written));
                if let Answer::Option(declaration) = &answer {
                    let _ = declaration.value(Some("1"));
                }
            }
            Err(error) => check_message(&error),
        }
        let _ = read_option(line);
    }
}
