//! Commands and answers: what is written is read back as the same value, and no
//! line of any kind makes the readers panic.

use proptest::prelude::*;
use vato_engine::protocol::{
    Answer, BenchCommand, BestMove, Command, Dialect, GameResult, GoCommand, Info, InfoScore,
    OptionDeclaration, OptionKind, PositionCommand, Query, Response, ScoreValue, SetOption,
};
use vato_engine::search::Bound;
use vato_tools::answers::read_answer;

use crate::read_command;

/// Words with a meaning of their own inside commands and answers.
const MEANINGFUL: &str = "value moves name type default min max var string error pv depth seldepth multipv score wdl nodes \
    nps hashfull tbhits time currmove currmovenumber cpuload mate perft infinite ponder none go";

/// A word that means nothing by itself.
fn word() -> impl Strategy<Value = String> {
    "[a-z0-9A-Z<>=/_-]{1,10}".prop_filter("a word with a meaning", |word| {
        !MEANINGFUL.split(' ').any(|other| other == word) && word != "<empty>" && word != "0000"
    })
}

fn words(least: usize) -> impl Strategy<Value = String> {
    prop::collection::vec(word(), least..4).prop_map(|words| words.join(" "))
}

fn turn() -> impl Strategy<Value = String> {
    "[a-i][1-5](-[a-i][1-5][AW]){1,4}"
}

fn turns(least: usize) -> impl Strategy<Value = Vec<String>> {
    prop::collection::vec(turn(), least..6)
}

fn dialect() -> impl Strategy<Value = Dialect> {
    prop_oneof![Just(Dialect::Ugi), Just(Dialect::Uci)]
}

fn go() -> impl Strategy<Value = Command> {
    let clocks = (any::<[Option<i64>; 2]>(), any::<[Option<u64>; 2]>());
    let limits = any::<(
        Option<u32>,
        Option<u64>,
        Option<u32>,
        Option<u64>,
        Option<u32>,
    )>();
    let rest = (
        prop::option::of(0..99_u32),
        any::<bool>(),
        any::<bool>(),
        turns(0),
    );
    (clocks, limits, rest).prop_map(|(clocks, limits, rest)| {
        let (times, increments) = clocks;
        // The most negative number has no positive counterpart.
        let (movestogo, movetime, depth, nodes, mate) = limits;
        let (perft, infinite, ponder, searchmoves) = rest;
        Command::Go(GoCommand {
            time: times.map(|time| time.map(|time| time.max(-i64::MAX))),
            increment: increments,
            movestogo,
            movetime,
            depth,
            nodes,
            mate,
            perft,
            infinite,
            ponder,
            searchmoves: searchmoves.join(" "),
        })
    })
}

fn bench() -> impl Strategy<Value = Command> {
    (0..4_usize, any::<[u32; 3]>()).prop_map(|(given, numbers)| {
        let number = |index: usize| (index < given).then(|| numbers[index].max(1));
        Command::Bench(BenchCommand {
            depth: number(0),
            threads: number(1),
            hash: number(2),
        })
    })
}

fn command() -> impl Strategy<Value = Command> {
    let plain = prop::sample::select(vec![
        Command::IsReady,
        Command::NewGame,
        Command::Stop,
        Command::PonderHit,
        Command::Quit,
        Command::Display,
        Command::Eval,
        Command::Legal,
        Command::Help,
        Command::Wait,
        Command::Debug(true),
        Command::Debug(false),
        Command::Query(Query::P1Turn),
        Command::Query(Query::GameOver),
        Command::Query(Query::Result),
    ]);
    prop_oneof![
        plain,
        dialect().prop_map(Command::Handshake),
        (words(1), prop::option::of(words(0)))
            .prop_map(|(name, value)| Command::SetOption(SetOption { name, value })),
        (prop::option::of(words(1)), turns(0)).prop_map(|(fen, moves)| Command::Position(
            PositionCommand {
                fen,
                moves: moves.join(" ")
            }
        )),
        turns(1).prop_map(|moves| Command::Moves(moves.join(" "))),
        go(),
        (0..=99_u32).prop_map(Command::Perft),
        bench(),
    ]
}

fn score() -> impl Strategy<Value = InfoScore> {
    let bound = prop::sample::select(vec![Bound::Exact, Bound::Lower, Bound::Upper]);
    (any::<bool>(), any::<i32>(), bound).prop_map(|(decided, figure, bound)| InfoScore {
        value: if decided {
            ScoreValue::Mate(figure)
        } else {
            ScoreValue::CentiStones(figure)
        },
        bound,
    })
}

fn info() -> impl Strategy<Value = Info> {
    let depths = any::<(Option<u32>, Option<u32>, Option<u32>)>();
    let scores = (prop::option::of(score()), any::<Option<[u32; 3]>>());
    let counts = any::<(
        Option<u64>,
        Option<u64>,
        Option<u32>,
        Option<u64>,
        Option<u64>,
    )>();
    let moves = (prop::option::of(turn()), any::<Option<u32>>(), turns(0));
    (depths, scores, counts, moves).prop_map(|(depths, scores, counts, moves)| {
        let (depth, seldepth, multipv) = depths;
        let (score, wdl) = scores;
        let (nodes, nps, hashfull, tbhits, time) = counts;
        let (currmove, currmovenumber, pv) = moves;
        Info {
            depth,
            seldepth,
            multipv,
            score,
            wdl,
            nodes,
            nps,
            hashfull,
            tbhits,
            time,
            currmove,
            currmovenumber,
            pv,
        }
    })
}

fn declaration() -> impl Strategy<Value = OptionDeclaration> {
    let kind = prop_oneof![
        any::<bool>().prop_map(|default| OptionKind::Check { default }),
        any::<[i64; 3]>().prop_map(|[default, min, max]| OptionKind::Spin {
            default,
            range: min..=max,
        }),
        (words(1), prop::collection::vec(words(1), 0..4))
            .prop_map(|(default, choices)| OptionKind::Combo { default, choices }),
        words(0).prop_map(|default| OptionKind::Text { default }),
        Just(OptionKind::Button),
    ];
    (words(1), kind).prop_map(|(name, kind)| OptionDeclaration { name, kind })
}

fn answer() -> impl Strategy<Value = Answer> {
    let result = prop::sample::select(vec![
        GameResult::None,
        GameResult::P1Win,
        GameResult::P2Win,
        GameResult::Draw,
    ]);
    let text = words(0).prop_filter("a line of the protocol", |text| {
        let protocol = [
            "id", "option", "ugiok", "uciok", "readyok", "info", "bestmove", "response",
        ];
        let first = text.split(' ').next().unwrap_or("");
        !protocol.contains(&first)
    });
    prop_oneof![
        words(0).prop_map(Answer::Name),
        words(0).prop_map(Answer::Author),
        declaration().prop_map(Answer::Option),
        dialect().prop_map(Answer::Ok),
        Just(Answer::ReadyOk),
        info().prop_map(Answer::Info),
        words(0).prop_map(Answer::Note),
        words(0).prop_map(Answer::Error),
        (prop::option::of(turn()), prop::option::of(turn()))
            .prop_map(|(best, ponder)| Answer::BestMove(BestMove { best, ponder })),
        any::<bool>().prop_map(|flag| Answer::Response(Response::Flag(flag))),
        result.prop_map(|result| Answer::Response(Response::Result(result))),
        text.prop_map(Answer::Text),
    ]
}

/// Lines that look like commands and answers, and lines that look like nothing.
fn line() -> impl Strategy<Value = String> {
    let words = "go position setoption name value startpos fen moves depth nodes p1time wtime searchmoves \
        perft query bench debug info score cp mate wdl pv string error option type spin default min \
        max var bestmove ponder response id -1 0 7 x 99999999999999999999 d3-e3A \u{feff} é";
    let words = prop::sample::select(words.split(' ').chain(["\t"]).collect::<Vec<_>>());
    prop_oneof![
        any::<String>(),
        prop::collection::vec(words, 0..12).prop_map(|words| words.join(" ")),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn commands_round_trip(command in command(), dialect in dialect()) {
        let text = command.to_string();
        prop_assert_eq!(read_command(&text), Some(command.clone()), "{}", text);
        let text = command.in_dialect(dialect).to_string();
        prop_assert_eq!(read_command(&text), Some(command.clone()), "{}", text);
        let first = text.split(' ').next();
        prop_assert!(first == Some(command.name()) || first == Some("ucinewgame"));
    }

    #[test]
    fn answers_round_trip(answer in answer()) {
        let text = answer.to_string();
        prop_assert_eq!(read_answer(&text), Ok(answer), "{}", text);
    }

    /// Whatever is read, what it is taken for is written and read back the same.
    #[test]
    fn any_line_is_read_without_harm(line in line()) {
        let mut complaints = Vec::new();
        if let Some(command) = Command::parse(&line, &mut complaints) {
            prop_assert_eq!(read_command(&command.to_string()), Some(command));
        }
        prop_assert!(complaints.iter().all(|complaint| complaint.to_string().len() < 1000));
        if let Ok(answer) = read_answer(&line) {
            // Text keeps its white space, what it is taken for does not depend on it.
            let text = answer.to_string();
            prop_assert_eq!(read_answer(&text), Ok(answer), "{}", text);
        }
    }
}
