//! Options: every wrong value is an error and leaves the old one in force.

use std::{env, fs, iter};

use vato_engine::search::Parameters;

use super::{accepted, in_both_dialects, refused, searched, works_as_usual};
use crate::support::{Engine, WAIT};

/// An option as the engine declares it.
#[derive(Debug)]
struct Declared {
    name: String,
    kind: String,
    default: String,
    min: Option<i64>,
    max: Option<i64>,
    variants: Vec<String>,
}

/// The words that may follow the type of an option.
const ATTRIBUTES: [&str; 4] = ["default", "min", "max", "var"];

impl Declared {
    fn parse(line: &str) -> Option<Self> {
        let text = line.strip_prefix("option name ")?;
        let (name, rest) = text.split_once(" type ")?;
        let mut words = rest.split(' ').peekable();
        let mut declared = Self {
            name: name.to_owned(),
            kind: words.next()?.to_owned(),
            default: String::new(),
            min: None,
            max: None,
            variants: Vec::new(),
        };
        while let Some(attribute) = words.next() {
            let mut value = Vec::new();
            while let Some(word) = words.next_if(|word| !ATTRIBUTES.contains(word)) {
                value.push(word);
            }
            let value = value.join(" ");
            match attribute {
                "default" => declared.default = value,
                "min" => declared.min = value.parse().ok(),
                "max" => declared.max = value.parse().ok(),
                "var" => declared.variants.push(value),
                _ => return None,
            }
        }
        Some(declared)
    }
}

/// Opens a session and reads the declared options.
fn declared(word: &str) -> (Engine, Vec<Declared>) {
    let mut engine = Engine::start();
    engine.send(word);
    let lines = engine.expect(&format!("{word}ok"));
    let lines = lines.iter().filter(|line| line.starts_with("option"));
    let mut options = Vec::new();
    for line in lines {
        match Declared::parse(line) {
            Some(option) => options.push(option),
            None => engine.fail(&format!("malformed `{line}`")),
        }
    }
    (engine, options)
}

fn find(word: &str, name: &str) -> (Engine, Declared) {
    let (mut engine, options) = declared(word);
    match options.into_iter().find(|option| option.name == name) {
        Some(option) => (engine, option),
        None => engine.fail(&format!("no option {name}")),
    }
}

#[test]
fn the_declared_options_are_complete_and_consistent() {
    for word in ["ugi", "uci"] {
        let (mut engine, options) = declared(word);
        let names: Vec<&str> = options.iter().map(|option| option.name.as_str()).collect();
        for name in [
            "Threads",
            "Hash",
            "Clear Hash",
            "MultiPV",
            "Ponder",
            "Move Overhead",
            "UCI_LimitStrength",
            "UCI_Elo",
            "Skill Level",
            "Skill Seed",
            "UCI_Variant",
            "Rules",
            "UCI_ShowWDL",
            "UCI_AnalyseMode",
            "Log File",
        ] {
            assert!(names.contains(&name), "{name} is missing in {names:?}");
        }
        // Builds that are not for tests have them only with the feature `tune`.
        if env::var_os("VATO_ENGINE").is_none() {
            let numbers = Parameters::TUNABLE.iter().map(|tunable| tunable.name);
            for name in iter::once("SearchParameters").chain(numbers) {
                assert!(names.contains(&name), "{name} is missing in {names:?}");
            }
        }
        for option in &options {
            let consistent = match option.kind.as_str() {
                "spin" => {
                    let default: Option<i64> = option.default.parse().ok();
                    default >= option.min && default <= option.max && option.min < option.max
                }
                "check" => ["true", "false"].contains(&option.default.as_str()),
                "combo" => option.variants.contains(&option.default),
                "button" => option.default.is_empty(),
                "string" => true,
                _ => false,
            };
            if !consistent {
                engine.fail(&format!("inconsistent {option:?}"));
            }
            if option.name == "Hash" {
                assert_eq!(option.default, "16");
            }
        }
        engine.finish();
    }
}

#[test]
fn defaults_and_ends_of_ranges_are_accepted() {
    for word in ["ugi", "uci"] {
        let (mut engine, options) = declared(word);
        for option in options {
            let mut values = option.variants;
            match option.kind.as_str() {
                "check" => values.extend(["true", "false"].map(str::to_owned)),
                "spin" => values.extend(option.min.map(|min| min.to_string())),
                _ => {}
            }
            // The largest values may be more than this machine has.
            if ["MultiPV", "Move Overhead"].contains(&option.name.as_str()) {
                values.extend(option.max.map(|max| max.to_string()));
            }
            if option.kind != "string" && option.kind != "button" {
                values.push(option.default);
            }
            for value in values {
                accepted(
                    &mut engine,
                    &format!("setoption name {} value {value}", option.name),
                );
            }
            // Many managers send an empty text as none.
            if option.kind == "string" {
                let lines = engine.ask(&format!("setoption name {}", option.name));
                assert!(!lines.concat().contains("error"), "{lines:?}");
            }
        }
        accepted(&mut engine, "setoption name Clear Hash");
        works_as_usual(&mut engine);
        engine.finish();
    }
}

#[test]
fn wrong_values_are_refused() {
    for word in ["ugi", "uci"] {
        let (mut engine, options) = declared(word);
        for option in options {
            let name = &option.name;
            let wrong: Vec<String> = match option.kind.as_str() {
                "spin" => {
                    let outside = [option.min.map(|min| min - 1), option.max.map(|max| max + 1)];
                    let outside = outside.iter().flatten().map(i64::to_string);
                    let others = ["abc", "1.5", "3x", "--1", "99999999999999999999999"];
                    outside.chain(others.map(str::to_owned)).collect()
                }
                "check" => ["maybe", "2", "truefalse"].map(str::to_owned).into(),
                "combo" => ["nonsense", "chess", "0"].map(str::to_owned).into(),
                "string" => {
                    let long = "x".repeat(70_000);
                    refused(
                        &mut engine,
                        &format!("setoption name {name} value {long}"),
                        &["65536"],
                    );
                    continue;
                }
                _ => continue,
            };
            for value in wrong {
                let command = format!("setoption name {name} value {value}");
                refused(&mut engine, &command, &[&value]);
            }
            refused(&mut engine, &format!("setoption name {name} value"), &[]);
            refused(&mut engine, &format!("setoption name {name}"), &[]);
        }
        works_as_usual(&mut engine);
        engine.finish();
    }
}

#[test]
fn unknown_names_are_refused() {
    in_both_dialects(|engine| {
        for name in ["Nonsense", "Hash Size", "Skill", "UCI_Chess960", "x"] {
            refused(engine, &format!("setoption name {name} value 3"), &[name]);
            refused(engine, &format!("setoption name {name}"), &[name]);
        }
        for command in [
            "setoption",
            "setoption name",
            "setoption name value 3",
            "setoption Hash",
        ] {
            refused(engine, command, &[]);
        }
        works_as_usual(engine);
    });
}

#[test]
fn the_old_value_stays() {
    in_both_dialects(|engine| {
        accepted(engine, "setoption name MultiPV value 2");
        for value in ["0", "-1", "abc", "1.5", "", "99999999999999999999"] {
            refused(
                engine,
                &format!("setoption name MultiPV value {value}"),
                &[],
            );
            engine.send("position startpos");
            let search = searched(engine, "go depth 2");
            let ranks = search.scored.iter().filter_map(|info| info.multipv).max();
            assert_eq!(ranks, Some(2), "after `{value}`: {:?}", search.lines);
        }

        accepted(engine, "setoption name UCI_Variant value dimy");
        let legal = engine.legal();
        for value in ["chess", "", "tsivyy", "9x5", "board=9x5"] {
            refused(
                engine,
                &format!("setoption name UCI_Variant value {value}"),
                &[],
            );
            assert_eq!(engine.legal(), legal, "after `{value}`");
        }
    });
}

#[test]
fn wrong_rules_are_refused() {
    in_both_dialects(|engine| {
        accepted(engine, "setoption name Rules value board=5x5");
        accepted(engine, "setoption name UCI_Variant value custom");
        let legal = engine.legal();
        for (rules, named) in [
            ("board=4x4", "4x4"),
            ("board=11x5", "11x5"),
            ("board=9x7", "9x7"),
            ("board=1x3", "1x3"),
            ("board=0x0", "0x0"),
            ("board=", "board"),
            ("board", "board"),
            ("capture=maybe", "maybe"),
            ("chain=long", "long"),
            ("direction=up", "up"),
            ("opening=second", "second"),
            ("blocked=win", "win"),
            ("tie=loss", "loss"),
            ("repeat=abc", "abc"),
            ("repeat=-1", "-1"),
            ("limit=1.5", "1.5"),
            ("limit=99999999999999999999999", "99999999999999999999999"),
            ("vela=green", "green"),
            ("eating=two", "two"),
            ("colour=red", "colour"),
            ("board=3x3 nonsense", "nonsense"),
            ("nonsense", "nonsense"),
            ("board=3x3,capture=free", "3x3,capture"),
        ] {
            refused(
                engine,
                &format!("setoption name Rules value {rules}"),
                &[named],
            );
            assert_eq!(engine.legal(), legal, "the old rules after `{rules}`");
        }
        searched(engine, "go depth 2");
    });
}

/// `Rules` may come before or after `UCI_Variant`; it is kept, and used under
/// `custom` only.
#[test]
fn rules_and_variant_in_any_order() {
    in_both_dialects(|engine| {
        accepted(engine, "setoption name UCI_Variant value dimy");
        let small = engine.legal();
        accepted(engine, "setoption name UCI_Variant value tsivy");
        accepted(engine, "setoption name Rules value board=5x5");
        works_as_usual(engine);
        accepted(engine, "setoption name UCI_Variant value custom");
        assert_eq!(engine.legal(), small);
        accepted(engine, "setoption name Rules value board=9x5");
        works_as_usual(engine);
        accepted(engine, "setoption name UCI_Variant value telo");
        accepted(engine, "setoption name Rules value board=5x5");
        assert_ne!(engine.legal(), small, "telo is still played");
        accepted(engine, "setoption name UCI_Variant value custom");
        assert_eq!(engine.legal(), small);
        accepted(engine, "setoption name Rules");
        works_as_usual(engine);
    });
}

/// The main memory of this machine in MiB, where that is easy to learn.
fn memory() -> Option<i64> {
    let text = fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find(|line| line.starts_with("MemTotal:"))?;
    let kibibytes: i64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kibibytes / 1024)
}

#[test]
fn more_hash_than_can_be_had() {
    let (mut engine, hash) = find("ugi", "Hash");
    accepted(&mut engine, "setoption name Hash value 4");
    let max = hash.max.expect("Hash has a maximum");
    refused(
        &mut engine,
        &format!("setoption name Hash value {}", max + 1),
        &[],
    );
    // Only a demand far beyond this machine's memory is sure to fail, and does
    // not trouble whatever else runs on it.
    if memory().is_some_and(|memory| max / 4 >= memory) {
        engine.send(&format!("setoption name Hash value {max}"));
        let lines = engine.sync();
        let errors = lines
            .iter()
            .filter(|line| line.starts_with("info string error"));
        assert_eq!(errors.count(), 1, "one error in {lines:?}");
    }
    works_as_usual(&mut engine);
    searched(&mut engine, "go depth 4");
    engine.finish();
}

#[test]
fn sizes_of_the_table_one_after_another() {
    in_both_dialects(|engine| {
        for size in [1, 64, 2, 33, 7, 16] {
            accepted(engine, &format!("setoption name Hash value {size}"));
            searched(engine, "go nodes 2000");
            accepted(engine, "setoption name Clear Hash");
        }
        for threads in [2, 4, 1, 3, 1] {
            accepted(engine, &format!("setoption name Threads value {threads}"));
            searched(engine, "go nodes 2000");
            accepted(engine, "ucinewgame");
        }
    });
}

#[test]
fn a_log_file_holds_the_traffic() {
    for word in ["ugi", "uci"] {
        let path = format!("{}/traffic-{word}.log", env!("CARGO_TARGET_TMPDIR"));
        let _ = fs::remove_file(&path);
        let mut engine = Engine::opened_by(word);
        accepted(
            &mut engine,
            &format!("setoption name Log File value {path}"),
        );
        searched(&mut engine, "go depth 2");
        let text = fs::read_to_string(&path).expect("the log is there while the engine runs");
        for words in ["isready", "readyok", "go depth 2", "bestmove"] {
            assert!(text.contains(words), "{words} is not in the log:\n{text}");
        }
        engine.finish();
    }
}

#[test]
fn a_log_file_that_cannot_be_written() {
    in_both_dialects(|engine| {
        let path = format!("{}/no/such/directory/log", env!("CARGO_TARGET_TMPDIR"));
        refused(
            engine,
            &format!("setoption name Log File value {path}"),
            &[],
        );
        works_as_usual(engine);
    });
}

/// Options may come before the handshake is over, and before any handshake.
#[test]
fn options_before_the_handshake() {
    let mut engine = Engine::start();
    engine.send("setoption name MultiPV value 2\nsetoption name Nonsense value 2\nugi");
    engine.expect_line(WAIT, "ugiok", |line| line == "ugiok");
    let search = searched(&mut engine, "go depth 2");
    assert!(search.scored.iter().any(|info| info.multipv == Some(2)));
    engine.finish();
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
    in_both_dialects(|engine| {
        for (option, values) in [
            ("EvalFile", &[pipe, folder, "/dev/zero", "/dev/stdin"][..]),
            ("Book File", &[pipe, folder, "/dev/zero", "/dev/stdin"]),
            ("Log File", &[pipe, folder]),
            ("TablebasePath", &[pipe, "/dev/zero"]),
        ] {
            for value in values {
                refused(
                    engine,
                    &format!("setoption name {option} value {value}"),
                    &[option_or_tables(option), value],
                );
            }
        }
        let two = format!("setoption name Book File value {pipe}:{pipe}");
        refused(engine, &two, &["Book File", pipe]);
        works_as_usual(engine);
    });
}

/// What an error about a file of this option begins with.
#[cfg(unix)]
fn option_or_tables(option: &str) -> &str {
    match option {
        "TablebasePath" => "tablebases",
        _ => option,
    }
}

#[cfg(target_os = "linux")]
#[test]
fn little_stack() {
    let script = "ulimit -s 300; \"$0\" --help && printf 'go depth 3\nwait\n' | exec \"$0\"";
    let program = env::var("VATO_ENGINE").unwrap_or_else(|_| env!("CARGO_BIN_EXE_vato").to_owned());
    let output = std::process::Command::new("sh")
        .args(["-c", script, &program])
        .output()
        .expect("a shell");
    let answers = String::from_utf8_lossy(&output.stdout);
    assert!(
        output.status.success() && answers.contains("\nbestmove "),
        "{output:?}"
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
        let limited = format!("ulimit -v {kibibytes}; printf '{script}' | exec \"$0\"");
        let program =
            env::var("VATO_ENGINE").unwrap_or_else(|_| env!("CARGO_BIN_EXE_vato").to_owned());
        let output = std::process::Command::new("sh")
            .args(["-c", &limited, &program])
            .output()
            .expect("a shell");
        let [answers, errors] =
            [&output.stdout, &output.stderr].map(|text| String::from_utf8_lossy(text));
        let said = format!("{kibibytes} KiB: {:?}\n{answers}\n{errors}", output.status);
        let best = answers.lines().filter(|line| line.starts_with("bestmove"));
        if output.status.success() {
            started = true;
            assert_eq!(best.count(), 2, "{said}");
            assert!(answers.contains("it has "), "{said}");
            assert!(!answers.contains("error go:"), "{said}");
        } else {
            // 127: the libraries of the system cannot be loaded. 101, a signal, or 128 and its number: the language's own
            // start, or that of the network, found no memory.
            let is_refused = match output.status.code() {
                Some(1 | 127) => errors.contains("error"),
                Some(101 | 129..) | None => answers.is_empty(),
                _ => false,
            };
            assert!(!started && is_refused, "{said}");
        }
    }
    assert!(started);
}

/// Each number of the search has an option of its own, beside the text for all of them.
#[test]
fn numbers_of_the_search() {
    if env::var_os("VATO_ENGINE").is_some() {
        return;
    }
    let nodes = |options: &[&str]| {
        let mut engine = Engine::uci();
        for option in options {
            accepted(&mut engine, &format!("setoption name {option}"));
        }
        let search = searched(&mut engine, "go depth 8");
        engine.finish();
        search.last().and_then(|info| info.nodes)
    };
    let all = "SearchParameters value late_move_base=0 reduction_base=300";
    let each = ["late_move_base value 0", "reduction_base value 300"];
    let standard = nodes(&[]);
    assert_ne!(nodes(&[all]), standard);
    assert_ne!(nodes(&each[..1]), nodes(&each));
    assert_eq!(nodes(&each), nodes(&[all]));
    let reset = [each[0], each[1], "SearchParameters value <empty>"];
    assert_eq!(nodes(&reset), standard);
}
