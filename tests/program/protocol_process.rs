//! The engine's process as managers see it: many searches, answers that have to wait, odd input, little memory, its end.
//! What it says is in `transcripts/session_*.txt`, how soon in `tests/promptness`.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};
use std::{env, fs, thread};

use vato_engine::protocol::{Answer, OptionKind};
use vato_engine::search::Parameters;
use vato_tools::answers::read_answer;

use crate::protocol_sessions::session;
use crate::support::command_line::{Run, engine, vato};
use crate::support::{Engine, Info, Search, WAIT};

/// Two lone stones far apart; `a1-a2 i5-i4 a2-a1 i4-i5` repeats the position.
const LONE_STONES: &str = "8b/9/9/9/w8";

/// Limits that end by themselves, with sense and without.
const LIMITS: &str = "\
    depth 1|depth 6|nodes 1|nodes 3000|movetime 1|movetime 30|mate 2|perft 2|\
    wtime 100|btime 100|wtime 100 btime 100|p1time 100 p2time 100 p1inc 10 p2inc 10|wtime 1000 btime 1000 movestogo 40|\
    binc 100 winc 100 btime 100 wtime 100|p1time 50 p2time 50 movestogo 1|p1time 1 p2time 1|p1time 100 btime 100 winc 5|\
    depth 2 movetime 60000|movetime 60000 depth 2|nodes 100 depth 60|p1time 200 p2time 200 nodes 1000000000|\
    movestogo 10 depth 2 wtime 600000 btime 600000|depth 2 hurry|\
    depth abc|depth 0|depth -3|depth|depth 1.5|nodes 0|nodes -1|movetime 0|movetime -100|mate 0|mate abc|\
    p1time 0 p2time 0|p1time -5 p2time 1000|p1time -100000 p2time -100000 p1inc 0 p2inc 0|p1time p2time|\
    p1time 100 p2time 100 p1inc abc p2inc -5|p1time 100 p2time 100 movestogo 0|p1time 100 p2time 100 movestogo -4|\
    p1time -1 p2time -1 movestogo 1|p1time 1000|p2time 1000|winc 10 binc 10|nodes 0 p1time 10000000 p2time 10000000";

/// The answers to the searches of a session.
pub fn searches(lines: &[String]) -> Vec<Search> {
    let is_end = |line: &String| line.starts_with("bestmove");
    let searches = lines
        .split_inclusive(is_end)
        .filter(|lines| lines.last().is_some_and(is_end));
    searches
        .map(|lines| Search::parse(lines.to_vec()).expect("a good answer"))
        .collect()
}

#[test]
fn every_go_is_answered_by_a_legal_move_and_figures_that_grow() {
    let variant = |name: &str| format!("setoption name UCI_Variant value {name}");
    thread::scope(|scope| {
        for (options, position) in [
            (variant("tsivy"), "startpos"),
            (variant("tsivy"), "startpos moves d3-e3A"),
            (variant("tsivy"), "fen 9/1b2b2b1/9/1w2w2w1/9 w 0 20"),
            (variant("tsivy"), "fen 9/9/3w1w3/4b4/4w4 b 30 40"),
            (variant("dimy"), "startpos"),
            (variant("telo"), "startpos"),
            (variant("vela"), "startpos"),
            (variant("full-chain"), "fen bbbb5/9/4w4/9/5wwww w 3 12"),
            ("setoption name Threads value 4".to_owned(), "startpos"),
            (
                "setoption name Move Overhead value 5000".to_owned(),
                "startpos",
            ),
            ("setoption name MultiPV value 50".to_owned(), "startpos"),
        ] {
            scope.spawn(move || {
                let goes: String = LIMITS
                    .split('|')
                    .map(|limit| format!("go {limit}\nwait\n"))
                    .collect();
                let lines = session(&format!("{options}\nposition {position}\nlegal\n{goes}"));
                let is_count = |line: &String| line.ends_with(" legal turns");
                let count = lines
                    .iter()
                    .position(is_count)
                    .expect("the number of turns");
                for search in searches(&lines[count + 1..]) {
                    assert!(lines[..count].contains(&search.best.turn), "{search:?}");
                    // Of several threads the best line may come from one that has not searched as deep.
                    let is_alone = !options.contains("Threads");
                    let figures = |info: &Info| {
                        let depth = info.depth.filter(|_| is_alone);
                        (depth, info.nodes.filter(|_| is_alone), info.time)
                    };
                    assert!(
                        search
                            .scored
                            .iter()
                            .map(figures)
                            .is_sorted_by(|a, b| a.0 <= b.0 && a.1 <= b.1 && a.2 <= b.2),
                        "{search:?}"
                    );
                    assert!(search.scored.iter().all(|info| info.hashfull <= Some(1000)));
                }
            });
        }
    });
}

/// A search that has nothing more to find, or nothing at all, waits all the same.
#[test]
fn an_answer_is_held_back_until_it_is_asked_for() {
    const ONE_MOVE: &str = "position fen 9/9/9/9/1w1b5 w 0 40";
    const NO_MOVE: &str = "position fen 9/9/9/ww7/bw7 b 0 40";
    const SMALL: &str = "setoption name UCI_Variant value telo";
    thread::scope(|scope| {
        for (before, go, end) in [
            ("", "go", "stop"),
            ("", "go infinite", "stop"),
            ("", "go infinite searchmoves d3-e3A", "stop"),
            ("", "go searchmoves d3-e3A", "stop"),
            ("", "go depth 1 infinite", "stop"),
            ("", "go infinite nodes 10", "stop"),
            ("", "go ponder", "stop"),
            ("", "go ponder depth 1", "ponderhit"),
            ("", "go ponder nodes 10", "stop"),
            ("", "go ponder movetime 20", "ponderhit"),
            ("", "go p1time 50 p2time 50 ponder", "ponderhit"),
            ("", "go perft 1 ponder", "ponderhit"),
            (
                "setoption name Skill Level value 3",
                "go wtime 60000 btime 60000 ponder",
                "ponderhit",
            ),
            ("", "go perft 99 movetime 20 infinite", "stop"),
            // They are for the searches before them.
            ("stop\nponderhit", "go infinite", "stop"),
            (
                "stop\nponderhit",
                "go ponder p1time 100 p2time 100",
                "ponderhit",
            ),
            (ONE_MOVE, "go infinite", "stop"),
            (ONE_MOVE, "go ponder p1time 50 p2time 50", "ponderhit"),
            (NO_MOVE, "go", "stop"),
            (NO_MOVE, "go ponder", "stop"),
            (NO_MOVE, "go ponder p1time 100 p2time 100", "ponderhit"),
            (SMALL, "go infinite", "stop"),
            (SMALL, "go ponder", "stop"),
        ] {
            scope.spawn(move || {
                let mut engine = Engine::ugi();
                engine.send(before);
                engine.send(go);
                let told = engine.sync();
                let is_early = |line: &String| line.starts_with("bestmove");
                assert!(!told.iter().any(is_early), "{go}: {told:?}");
                engine.expect_no_bestmove(Duration::from_millis(250));
                engine.send(end);
                engine.read_search().check().expect(go);
                engine.finish();
            });
        }
    });
}

/// A `stop` may come before the search has found anything.
#[test]
fn stops_and_hits_come_at_once() {
    for threads in [1, 4] {
        session(&format!(
            "setoption name Threads value {threads}\n{}{}",
            "go infinite\nstop\n".repeat(50),
            "ucinewgame\ngo ponder\nponderhit\nstop\nwait\n".repeat(20)
        ));
    }
}

/// The first and the last value of each option, its default, and none where an empty text is meant.
#[test]
fn declared_values_are_taken() {
    let mut script = String::new();
    for line in session("uci\n") {
        let Ok(Answer::Option(option)) = read_answer(&line) else {
            continue;
        };
        let values = match option.kind {
            OptionKind::Check { .. } => vec!["true".to_owned(), "false".to_owned()],
            OptionKind::Spin { default, range } => {
                // The largest may be more than this machine has.
                let is_of_memory =
                    ["Hash", "Threads", "TablebaseCache"].contains(&option.name.as_str());
                let most = if is_of_memory { 2 } else { *range.end() };
                [*range.start(), most, default]
                    .map(|value| value.to_string())
                    .into()
            }
            OptionKind::Combo { default, choices } => {
                choices.into_iter().chain([default]).collect()
            }
            OptionKind::Text { .. } => vec![String::new()],
            OptionKind::Button => Vec::new(),
        };
        let settings = values
            .iter()
            .map(|value| format!("setoption name {} value {value}\n", option.name));
        script.extend(
            settings
                .chain([format!("setoption name {}\n", option.name)])
                .filter(|line| {
                    // Only a text may be left out.
                    values.len() < 2 || line.contains(" value ")
                }),
        );
    }
    let lines = session(&format!("{script}position startpos\ngo depth 2\nwait\n"));
    assert!(
        !lines.iter().any(|line| line.contains(" error ")),
        "{lines:#?}"
    );
}

/// The nodes of a search after each of these settings.
fn nodes(settings: &[&str]) -> Vec<Option<u64>> {
    let goes: String = settings
        .iter()
        .map(|setting| format!("{setting}\ngo depth 8\nwait\n"))
        .collect();
    let nodes = |search: &Search| search.last().and_then(|info| info.nodes);
    searches(&session(&goes)).iter().map(nodes).collect()
}

#[test]
fn what_clears_the_table_makes_a_search_as_long_again() {
    let hash = "setoption name Hash value 16";
    let counts = nodes(&["", "", hash, "setoption name Clear Hash", "ucinewgame"]);
    let [first, kept, new, cleared, begun] = counts[..] else {
        panic!("{counts:?}");
    };
    // A new table leaves the history of the searches.
    assert!(kept < first && first <= new, "{counts:?}");
    assert_eq!([cleared, begun], [first; 2]);
}

/// Each number of the search has an option of its own, beside the text for all of them.
#[test]
fn numbers_of_the_search() {
    // Builds that are not for tests have them only with the feature `tune`.
    if env::var_os("VATO_ENGINE").is_some() {
        return;
    }
    let all = "setoption name SearchParameters value late_move_base=0 reduction_base=300";
    let one = "setoption name late_move_base value 0";
    let both = format!("{one}\nsetoption name reduction_base value 300");
    let reset = format!("{both}\nsetoption name SearchParameters value <empty>");
    let [standard, all, one, both, reset] =
        ["", all, one, &both, &reset].map(|setting| nodes(&[setting])[0]);
    assert!(all != standard && one != both && both == all && reset == standard);
    let declared = session("uci\n").join("\n");
    for tunable in Parameters::TUNABLE {
        assert!(declared.contains(&format!("option name {} type spin", tunable.name)));
    }
}

#[test]
fn what_is_said_of_a_megabyte_is_short() {
    let commands = "|position fen|position startpos moves|setoption name|setoption name Hash value|setoption name Rules value|\
                    query|moves|debug|go depth 1|go depth 1 searchmoves";
    for tail in [
        "x".repeat(1_000_000),
        "x ".repeat(500_000),
        " ".repeat(1_000_000),
    ] {
        let lines = commands
            .split('|')
            .map(|command| format!("{command} {tail}\n"));
        session(&(lines.collect::<String>() + "position startpos\ngo depth 2\nwait\n"));
    }
}

/// The list a move longer each time, as managers send it; and a long one, in which nothing ends the game.
#[test]
fn thousands_of_moves() {
    let mut script = String::new();
    let mut line = format!("position fen {LONE_STONES} w 0 20 moves");
    for turn in "a1-a2 i5-i4 a2-a1 i4-i5 ".repeat(30).split_whitespace() {
        line = format!("{line} {turn}");
        script += &format!("{line}\n");
    }
    let cycle = "a1-a2 i5-i4 a2-a1 i4-i5 ".repeat(1250);
    script += &format!(
        "query result\ngo nodes 100\nwait\nsetoption name Rules value repeat=0 limit=0\n\
         setoption name UCI_Variant value custom\nposition fen {LONE_STONES} w 0 20 moves {cycle}\nquery result\n\
         go depth 4\nwait\nmoves a1-a2\nquery p1turn\ngo depth 4\nwait\n"
    );
    let lines = session(&script);
    let own: Vec<&String> = lines
        .iter()
        .filter(|line| !line.starts_with("info") && !line.starts_with("best"))
        .collect();
    assert_eq!(own, ["response draw", "response none", "response false"]);
}

#[test]
fn the_log_has_both_directions_with_times_and_is_added_to() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("log").display().to_string();
    for _ in 0..2 {
        session(&format!(
            "setoption name Hash value 32\nsetoption name Log File value {path}\nisready\nd\n\
             setoption name Log File value\nd\n"
        ));
    }
    let log = fs::read_to_string(&path).expect("the log is written");
    let lines = log
        .lines()
        .map(|line| line.split_once(' ').expect("a time"));
    for (time, _) in lines.clone() {
        assert!(time.ends_with('Z') && time.len() == "2026-01-01T00:00:00.000000Z".len());
    }
    // It begins although the option before it is still being applied, and has ended before the second `d` is answered.
    for start in ["> isready", "< readyok", "< FEN: "] {
        assert_eq!(
            lines
                .clone()
                .filter(|(_, line)| line.starts_with(start))
                .count(),
            2,
            "{log}"
        );
    }
}

#[test]
fn help_explains_every_command() {
    let page = session("help\n").join("\n");
    let names = "ugi uci isready setoption uginewgame ucinewgame position moves go stop ponderhit query debug \
        quit d eval legal perft bench wait help";
    for name in names.split(' ') {
        let mut words = page.split(|character: char| !character.is_alphanumeric());
        assert!(words.any(|word| word == name), "{name} is not explained");
    }
    assert!(page.lines().all(|line| line.chars().count() <= 100));
}

/// Says something until a process has ended whose output cannot be written any more. (Once is not enough: a process that
/// another test starts has all pipes for a moment.)
fn ended(mut child: Child, last: &str) -> Run {
    let mut input = child.stdin.take().expect("a pipe");
    let deadline = Instant::now() + WAIT;
    while child.try_wait().expect("it can be asked").is_none() {
        if Instant::now() > deadline {
            let _ = child.kill();
            panic!("the engine goes on without a reader after `{last}`");
        }
        // It may end in between.
        let _ = input.write_all(format!("{last}\n").as_bytes());
        thread::sleep(Duration::from_millis(50));
    }
    Run::end_of(child)
}

/// The reader of the output goes away during a search, and while nothing happens: the engine ends without a word as soon as
/// it cannot write.
#[test]
fn a_reader_that_is_gone_ends_the_process() {
    for last in ["go infinite", "isready", "d", "perft 3"] {
        let mut command = vato("");
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("it starts");
        let input = child.stdin.as_mut().expect("a pipe");
        input.write_all(b"isready\n").expect("it reads");
        let mut output = BufReader::new(child.stdout.take().expect("a pipe"));
        output.read_line(&mut String::new()).expect("it answers");
        drop(output);
        let run = ended(child, last);
        assert_eq!((run.code, run.err.as_str()), (Some(0), ""), "{last}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn an_output_that_cannot_be_written_is_an_error() {
    for script in ["ugi", "go infinite", "perft 3"] {
        let full = fs::OpenOptions::new()
            .write(true)
            .open("/dev/full")
            .expect("there is one");
        let mut command = vato("");
        let child = command
            .stdin(Stdio::piped())
            .stdout(full)
            .stderr(Stdio::piped())
            .spawn()
            .expect("it starts");
        // The input stays open.
        let run = ended(child, script);
        assert!(run.code == Some(1) && run.err.contains("error"), "{run:?}");
    }
}

/// A pipe that nobody writes to, a device without an end, a folder: an error at once, and the session goes on.
#[cfg(unix)]
#[test]
fn files_that_are_none() {
    let folder = tempfile::tempdir().expect("a folder");
    let pipe = folder.path().join("pipe");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status();
    assert!(made.expect("mkfifo runs").success());
    let [pipe, folder] = [&pipe, folder.path()].map(|path| path.to_str().expect("UTF-8"));
    let two = format!("{pipe}:{pipe}");
    for (option, values) in [
        ("EvalFile", &[pipe, folder, "/dev/zero", "/dev/stdin"][..]),
        (
            "Book File",
            &[pipe, folder, "/dev/zero", "/dev/stdin", &two],
        ),
        ("Log File", &[pipe, folder]),
        ("TablebasePath", &[pipe, "/dev/zero"]),
    ] {
        for value in values {
            let lines = session(&format!(
                "setoption name {option} value {value}\nisready\nwait\n"
            ));
            let [error, ready] = &lines[..] else {
                panic!("{option}: {lines:?}");
            };
            let path = value.split(':').next().expect("a first one");
            let place = if option == "TablebasePath" {
                "tablebases"
            } else {
                option
            };
            let start = error.strip_prefix("info string error ").unwrap_or_default();
            assert!(
                start.contains(place) && start.contains(path) && ready == "readyok",
                "{lines:?}"
            );
        }
    }
}

/// The engine with this input, under a limit of the shell.
#[cfg(target_os = "linux")]
fn limited(limit: &str, input: &str) -> Run {
    let mut shell = std::process::Command::new("sh");
    shell
        .args(["-c", &format!("ulimit {limit}; exec \"$0\"")])
        .arg(engine());
    Run::with_input(&mut shell, input)
}

/// A search does not wait for pages of a new table: the system has handed them out before `readyok`.
#[cfg(target_os = "linux")]
#[test]
fn a_new_table_is_in_memory_when_the_engine_is_ready() {
    let mut engine = std::process::Command::new(engine())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("an engine");
    let mut input = engine.stdin.take().expect("piped");
    input
        .write_all(b"setoption name Hash value 128\nucinewgame\nisready\n")
        .expect("written");
    let output = BufReader::new(engine.stdout.take().expect("piped"));
    assert!(output.lines().any(|line| line.expect("text") == "readyok"));
    let status = fs::read_to_string(format!("/proc/{}/status", engine.id())).expect("a process");
    drop(input);
    engine.wait().expect("it ends");
    let resident = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let kibibytes = resident.and_then(|text| text.split_whitespace().next()?.parse().ok());
    assert!(kibibytes >= Some(128 << 10), "{status}");
}

#[cfg(target_os = "linux")]
#[test]
fn little_stack() {
    let run = limited("-s 300", "go depth 3\nwait\n").success();
    assert!(run.out.contains("\nbestmove "), "{run:?}");
}

/// They take a few times their length: no list of them is made.
#[cfg(target_os = "linux")]
#[test]
fn millions_of_words() {
    let words = "a:".repeat(4 << 20) + &" a".repeat(4 << 20);
    let commands = [
        "position startpos moves",
        "position fen",
        "go depth 1 searchmoves",
        "setoption name",
        "setoption name TablebasePath value",
    ];
    let input = commands.map(|command| format!("{command} {words}\nisready\n"));
    let run = limited("-v 400000", &input.concat()).success();
    assert_eq!(
        run.out.matches("readyok").count(),
        commands.len(),
        "{}",
        run.err
    );
}

/// Too little address space for the default table, then for anything: the table is smaller and the search a real one, or
/// the session does not begin. Nothing hangs, and no allocation ends the process.
#[cfg(target_os = "linux")]
#[test]
fn little_memory() {
    let script = "setoption name Threads value 1024\nisready\nsetoption name Hash value 1048576\n\
                  go depth 3\nwait\nsetoption name UCI_Variant value custom\nsetoption name Rules value direction=any\n\
                  go mate 2\nwait\nquit\n";
    let mut started = false;
    for kibibytes in (36_000..360_000).step_by(9_000) {
        let run = limited(&format!("-v {kibibytes}"), script);
        if run.code == Some(0) {
            started = true;
            assert_eq!(run.out.matches("\nbestmove").count(), 2, "{run:?}");
            assert!(
                run.out.contains("it has ") && !run.out.contains("error go:"),
                "{run:?}"
            );
        } else {
            // 127: the libraries of the system cannot be loaded. 101, a signal, or 128 and its number: the language's own
            // start, or that of the network, found no memory.
            let is_refused = match run.code {
                Some(1 | 127) => run.err.contains("error"),
                Some(101 | 129..) | None => run.out.is_empty(),
                _ => false,
            };
            assert!(!started && is_refused, "{kibibytes} KiB: {run:?}");
        }
    }
    assert!(started);
}
