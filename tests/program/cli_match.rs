//! `vato match` as a person uses it: arguments, files, output. What engines may do wrong is tested in
//! `tests/tournament/`.

use serde_json::Value;
use vato_engine::rules::Preset;

use crate::support::command_line::{Folder, Run, VATO, object, start};
use crate::support::transcript;

/// The games of a record, by their numbers.
fn games(folder: &Folder, name: &str) -> Vec<Value> {
    let mut games = folder.objects(name);
    games.remove(0);
    games.sort_by_key(|game| game["game"].as_u64());
    games
}

/// What of a game does not depend on time: colours, opening, moves, end.
fn essence(game: &Value) -> String {
    let moves = game["moves"].as_array().expect("moves");
    let moves: Vec<&str> = moves.iter().filter_map(|mv| mv["move"].as_str()).collect();
    let fixed = [
        "game", "pair", "white", "black", "opening", "result", "reason",
    ];
    let fixed: Vec<&Value> = fixed.iter().map(|key| &game[key]).collect();
    format!("{fixed:?} {moves:?}")
}

#[test]
fn without_an_engine_it_plays_itself() {
    let folder = Folder::new();
    let out = folder.run("match --games 2 --each nodes=200").success().out;
    assert!(out.starts_with("match        Vato "), "{out}");
    assert!(out.contains("2 games\n"), "{out}");
    let files = folder.names();
    let is_dated = |file: &String| file.starts_with("match-20");
    assert!(files.len() == 3 && files.iter().all(is_dated), "{files:?}");
}

/// Whole games: both engines and the runner agree on the rules to the end.
#[test]
fn games_under_all_rules_are_played_without_a_fault() {
    let presets = Preset::ALL
        .into_iter()
        .filter(|preset| preset.rules().is_some());
    let presets = presets.map(|preset| preset.name().to_owned());
    let small = [
        "3x3", "3x5", "5x3", "7x3", "3x7", "9x3", "3x9", "7x5", "5x7", "5x9",
    ];
    for rules in presets.chain(small.map(|size| format!("board={size}"))) {
        let line = format!("match --games 2 --each nodes=200 --rules {rules} --quiet");
        let out = Folder::new().run(&line).success().out;
        assert!(
            out.contains("\nfaults       none\n") && !out.contains("\nadvice"),
            "{rules}: {out}"
        );
    }
}

#[test]
fn the_file_of_settings_gives_the_same_match_again() {
    let folder = Folder::new();
    let warning = folder
        .run(&format!(
            "match --engine name=A,cmd={VATO},nodes=300,option.Hash=1 --engine name=B,cmd={VATO},depth=2 \
             --games 6 --openings random --plies 5 --seed 9 --out one --quiet"
        ))
        .success()
        .err;
    assert!(warning.contains("vato openings --min-score"), "{warning}");
    assert_eq!(warning.lines().count(), 1, "{warning}");
    let again = "match --config one.toml --out two --concurrency 1";
    folder.run(again).success();
    let [one, two] = ["one.jsonl", "two.jsonl"].map(|name| games(&folder, name));
    assert_eq!(one.len(), 6);
    let essences = |games: &[Value]| games.iter().map(essence).collect::<Vec<_>>();
    assert_eq!(essences(&one), essences(&two));
    // Both games of a pair begin alike, pairs differ.
    assert_eq!(one[0]["opening"], one[1]["opening"]);
    assert_ne!(one[0]["opening"], one[2]["opening"]);
    assert_eq!([&one[0]["white"], &one[1]["white"]], ["A", "B"]);
    let checked = folder.stdout("pgn check one.pgn");
    assert_eq!(checked, "6 games, 6 right, 0 wrong\n");
}

/// The order is random, the same for the same seed, and the record has both; so a match that goes on has it too.
#[test]
fn openings_come_in_an_order_that_follows_from_the_seed() {
    let folder = Folder::new();
    let play = |arguments: &str| {
        let run = folder.run(&format!("match --each nodes=1 --quiet {arguments}"));
        run.success()
    };
    let openings = |name: &str| -> Vec<String> {
        let games = games(&folder, &format!("{name}.jsonl")).into_iter();
        let name = |game: Value| game["opening"]["name"].as_str().map(str::to_owned);
        games.step_by(2).filter_map(name).collect()
    };
    for (name, more, conditions) in [
        ("one", "", "(seed 0)"),
        ("two", "--seed 2", "(seed 2)"),
        ("listed", "--order sequential", "(sequential)"),
    ] {
        let run = play(&format!("--games 6 --openings sharp --out {name} {more}"));
        assert!(
            run.out.contains(&format!("openings sharp {conditions}")),
            "{}",
            run.out
        );
        assert_eq!(run.err, "");
    }
    assert_eq!(openings("listed"), ["sharp 1", "sharp 2", "sharp 3"]);
    let [one, two] = ["one", "two"].map(openings);
    assert!(one != two && one != openings("listed"), "{one:?} {two:?}");
    // What went on has the openings of what did not stop.
    play("--games 10 --openings sharp --seed 2 --out whole");
    folder
        .run("match --resume two --games 10 --quiet")
        .success();
    assert_eq!(openings("two"), openings("whole"));
    let unused = [
        "--openings start --games 2",
        "--order sequential --games 2",
        "--format riatra --rounds 1",
    ];
    for arguments in unused {
        let told = play(&format!("--seed 7 {arguments}")).err;
        assert!(
            told.contains("warning: seed 7 is not used: "),
            "{arguments}: {told}"
        );
    }
}

#[test]
fn a_dry_run_tells_what_the_match_will_be() {
    let folder = Folder::new();
    let match_of = |limit: &str| {
        format!(
            "match --engine name=A,cmd={VATO},{limit},option.Hash=2,option.None=1 --engine name=B,cmd={VATO},{limit} \
             --games 12 --concurrency 1 --openings sharp --out m --pgn-live live.pgn"
        )
    };
    let run = folder
        .run(&(match_of("tc=1+0.01") + " --dry-run"))
        .success();
    assert!(run.err.contains("left out: None"), "{}", run.err);
    assert_eq!(folder.names(), [""; 0]);
    let lines: Vec<&str> = run.out.lines().collect();
    let expected = [
        "match        A against B, 0 games of 12",
        "conditions   1+0.01; openings sharp (seed 0); rules tsivy",
        "engine       A: started, Hash=2",
        "engine       B: started",
    ];
    assert_eq!(lines[..4], expected);
    // Twelve games in which each engine has a second and forty times ten milliseconds.
    let expected = [
        "game         … of 12",
        "length       34s if 12 games of 80 plies use all their time",
        "memory       enough for the Hash of 1 game at a time",
        "files        m.jsonl, m.pgn, m.toml, live.pgn",
    ];
    assert_eq!(lines[14..], expected);
    folder.run(&(match_of("nodes=1"))).success();
    for (line, game) in lines[4..14].iter().zip(games(&folder, "m.jsonl")) {
        let of = |key: &str| {
            game.pointer(key)
                .and_then(Value::as_str)
                .expect("text")
                .to_owned()
        };
        let [white, black, opening] = ["/white", "/black", "/opening/name"].map(of);
        let number = &game["game"];
        assert_eq!(
            *line,
            format!("game         {number}: {white} against {black}, {opening}")
        );
    }
    let error = folder.stderr(&(match_of("nodes=1") + " --dry-run"), 1);
    assert!(
        error.starts_with("error: cannot write m.jsonl: it exists already"),
        "{error}"
    );
    let plan = |more: &str| folder.run(&format!("match --dry-run {more}"));
    for (format, game) in [
        ("vela", "game         11: "),
        ("knockout", "game         2: "),
        // An encounter of two games is extended twice.
        ("knockout", "game         … of at most 6\n"),
    ] {
        let out = plan(&format!("--each nodes=1 --format {format}"))
            .success()
            .out;
        assert!(out.contains("length       not known: "), "{out}");
        assert!(out.contains(game), "{out}");
    }
    assert_eq!(plan("--engine cmd=none").code, Some(1));
    let mut without_room = folder.vato("match --dry-run --each nodes=1");
    without_room.env("TMPDIR", folder.path("none"));
    Run::end_of(start(&mut without_room)).success();
}

/// Long enough for a decision, wherever the test is asked for.
#[test]
fn a_sequential_test_ends_the_match_and_says_why() {
    let folder = Folder::new();
    let engine = |name: &str, limit: &str| {
        format!("[[engine]]\nname = \"{name}\"\ncmd = '{VATO}'\n{limit}\n")
    };
    let engines = engine("deep", "nodes = 1000") + &engine("shallow", "tc = \"inf\"\ndepth = 1");
    let test = "[sprt]\nelo0 = 0.0\nelo1 = 150.0\n";
    for (name, file, arguments) in [
        ("file", format!("{engines}{test}"), ""),
        ("line", engines.clone(), "--sprt elo0=0,elo1=150"),
    ] {
        folder.write("set.toml", file);
        let set = format!("match --config set.toml --out {name} --json {arguments}");
        let result = object(&folder.run(&set).success().out);
        assert_eq!(result["ending"], "decided");
        assert_eq!(result["settings"]["games"], 100_000, "{name}");
        let sentence = result["sprt"]["sentence"].as_str().expect("text");
        assert!(
            sentence.contains("H1 accepted: deep is stronger than shallow"),
            "{sentence}"
        );
    }
    // A match that is decided stays so.
    let before = folder.read("line.jsonl");
    let out = folder.run("match --resume line.jsonl").success().out;
    assert!(out.contains("games (the test is decided)"), "{out}");
    assert_eq!(folder.read("line.jsonl"), before);
}

/// Each leaves what is there, and nothing else.
#[test]
fn what_is_wrong_is_named() {
    let folder = Folder::new();
    folder.write("bad.toml", "games = 3\nrules = \"chess\"\n");
    folder.write("openings.toml", "games = 3\nplies = \"x\"\n");
    folder.write("packed.fen", b"\x1f\x8b\x08\0\n");
    folder.write("old.jsonl", "x\n");
    folder.write("empty.jsonl", "\n");
    transcript::check(&folder, "match_refused");
    let name = folder.name("");
    let name = name.trim_end_matches('/').rsplit('/').next();
    let elsewhere = format!("../{}/new.pgn", name.expect("a name"));
    let error = folder.stderr(&format!("match --out new --html {elsewhere}"), 2);
    let wanted = "new.pgn: another file of this match goes there";
    assert!(error.contains(wanted), "{error}");
    // Devices may have no end.
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("/dev/null", folder.path("out.jsonl")).expect("a link");
        for (arguments, wanted) in [
            ("--resume /dev/null", "/dev/null: not a regular file"),
            ("merge /dev/null", "/dev/null: not a regular file"),
            ("--out out --games 2", "out.jsonl exists already"),
        ] {
            let error = folder.stderr(&format!("match {arguments}"), 1);
            assert!(error.contains(wanted), "{error}");
        }
    }
}

/// As it is written elsewhere, and as it comes to mind.
#[test]
fn what_people_type_is_taken() {
    let folder = Folder::new();
    let draw = "--draw number=0,moves=1,score=9";
    for (name, arguments, words) in [
        (
            "a",
            "--format Pairs --rules 5x5 --each tc=inf,nodes=20 --sprt [0,5]",
            "rules dimy",
        ),
        (
            "b",
            "--rules board=5x5 --each nodes=20 --sprt elo0=0,elo1=5,alpha=5%",
            "rules dimy",
        ),
        (
            "c",
            &format!("--rules 5x5 --each st=1ms {draw} --sprt 0,5"),
            "0.001s/move",
        ),
    ] {
        let run = folder
            .run(&format!("match {arguments} --games 2 --out {name}"))
            .success();
        assert!(run.out.contains(words), "{run:?}");
        assert_eq!(
            run.err.contains("score=9 is 9 stones"),
            name == "c",
            "{run:?}"
        );
    }
    // Each of the files of a match, and its name, is the match.
    for file in ["a.jsonl", "a.pgn", "a.toml", "a"] {
        let run = folder.run(&format!("match --resume {file}")).success();
        assert!(run.out.contains("record       a.jsonl, a.pgn"), "{run:?}");
    }
}

/// What people have put into the files of a match stays, whether it is over or goes on, or cannot.
#[test]
fn what_is_not_of_the_match_stays() {
    let folder = Folder::new();
    let files = || ["m.jsonl", "m.pgn", "m.toml"].map(|name| folder.read(name));
    let play = |arguments: &str, code: i32| {
        let run = folder.run(&format!("match {arguments}"));
        assert_eq!(run.code, Some(code), "{run:?}");
        run.err
    };
    play(
        "--each nodes=20 --rules dimy --openings random --games 4 --concurrency 2 --out m",
        0,
    );
    // A match that is over.
    let whole = files();
    play("--resume m", 0);
    assert_eq!(files(), whole);
    folder.remove("m.pgn");
    play("--resume m", 0);
    assert_eq!(files(), whole);
    for (line, what) in [
        ("", "the line is empty"),
        ("{\"game\":", "EOF while parsing a value at column 8"),
    ] {
        let mut lines: Vec<&str> = whole[0].lines().collect();
        lines[2] = line;
        folder.write("torn.jsonl", lines.join("\n") + "\n");
        let told = folder.stderr("match merge torn.jsonl", 1);
        let wanted = format!("torn.jsonl, line 3: not a finished game: {what}\n");
        assert!(told.contains(&wanted), "{told}");
        folder.remove("torn.jsonl");
    }
    let noted = whole[1].replacen("/", "good! /", 1);
    let commented = format!("# a test\n{}", whole[2]);
    for pgn in [&noted, "precious", &format!("{}{{a note}}", whole[1])] {
        folder.write("m.pgn", pgn);
        folder.write("m.toml", &commented);
        let told = play("--resume m.jsonl --html m.html", 0);
        assert!(told.contains("m.pgn, line "), "{told}");
        assert!(told.contains("move this file away"), "{told}");
        folder.remove("m.html");
        assert_eq!(files(), [&whole[0], pgn, &commented]);
        // One that is to go on.
        let told = play("--resume m.jsonl --games 6", 1);
        assert!(told.contains("m.pgn, line "), "{told}");
        assert!(told.contains("move this file away"), "{told}");
        assert_eq!(files(), [&whole[0], pgn, &commented]);
    }
    folder.remove("m.pgn");
    let told = play("--resume m.jsonl --games 6", 0);
    assert!(
        told.contains("m.toml is not as the match has written it"),
        "{told}"
    );
    let [_, pgn, toml] = files();
    assert_eq!((pgn.matches("[Event ").count(), toml), (6, commented));
    // Settings that a kill has left behind are of the match.
    folder.write("m.toml", &whole[2]);
    play("--resume m.jsonl --games 8", 0);
    assert!(folder.read("m.toml").contains("games = 8\n"));
    // A copy is another file.
    folder.write("m.bak", folder.bytes("m.jsonl"));
    let before = files();
    let told = play("--resume m.bak --games 10", 1);
    assert!(told.contains("m.bak: not the record of a match"), "{told}");
    assert_eq!(files(), before);
}

/// An engine that plays with other settings than it was given is measured in vain.
#[test]
fn options_that_have_no_effect_are_no_match() {
    let folder = Folder::new();
    transcript::check(&folder, "match_options_refused");
    assert_eq!(folder.names(), [""; 0]);
    // What sets the rules of the match is no harm.
    for option in ["UCI_Variant=tsivy", "Rules=chain=free"] {
        let line =
            format!("match --engine cmd={VATO},name=A,option.{option} --games 2 --each nodes=10");
        Folder::new().run(&line).success();
    }
}

#[test]
fn tablebases_decide_games() {
    let folder = Folder::new();
    folder
        .run("tablebase build --stones 4 --out tables")
        .success();
    // Five stones, and the only moves are captures.
    folder.write("five.fen", "b7b/9/2w1b4/9/w8 w 0 30\n");
    let limit = "--each nodes=300,option.TablebaseProbeLimit=0";
    let line = format!(
        "match --games 2 --openings five.fen {limit} --adjudicate tablebase=tables --out bout"
    );
    folder.run(&line).success();
    let games = games(&folder, "bout.jsonl");
    assert_eq!(games.len(), 2);
    for game in games {
        assert!(
            game["reason"].to_string().contains("by the tablebases"),
            "{game}"
        );
        assert_eq!(game["termination"], "adjudicated-tablebase", "{game}");
        assert_eq!(game["plies"], 1, "{game}");
    }
    for (tables, wanted) in [
        ("nowhere", "nowhere"),
        ("tables --rules full-chain", "other rules"),
    ] {
        let error = folder.stderr(
            &format!("match --each nodes=1 --adjudicate tablebase={tables}"),
            1,
        );
        assert!(error.contains(wanted), "{error}");
    }
}

/// What the tables tell is what the record has.
#[test]
fn standings_and_openings_are_told_when_asked_for() {
    let folder = Folder::new();
    let run = folder.run(&format!(
        "match --engine name=A,cmd={VATO},nodes=30 --engine name=B,cmd={VATO},nodes=30 --each option.Hash=1 \
         --games 8 --openings sharp --out m --quiet --standings 3 --by-opening"
    ));
    let run = run.success();
    for games in ["3 games of 8", "6 games of 8"] {
        let heads = run.err.lines().filter(|line| line.ends_with(games));
        assert_eq!(heads.count(), 1, "{}", run.err);
    }
    let games = games(&folder, "m.jsonl");
    let points_of_a = |opening: &str| -> f64 {
        let games = games
            .iter()
            .filter(|game| game["opening"]["name"] == opening);
        let points = games.map(|game| match game["winner"].as_str() {
            Some("A") => 1.0,
            Some(_) => 0.0,
            None => 0.5,
        });
        points.sum()
    };
    let rows = run.out.lines().filter(|line| line.starts_with("| sharp "));
    let rows: Vec<Vec<&str>> = rows
        .map(|row| row.split('|').map(str::trim).collect())
        .collect();
    assert_eq!(rows.len(), 4, "{}", run.out);
    let told: Vec<f64> = rows
        .iter()
        .map(|row| row[3].parse().expect("points"))
        .collect();
    let wanted: Vec<f64> = rows.iter().map(|row| points_of_a(row[1])).collect();
    assert_eq!(told, wanted, "{}", run.out);
    assert!(told.is_sorted(), "{}", run.out);

    let merge = |more: &str| folder.run(&format!("match merge m.jsonl {more}")).out;
    let csv = merge("--csv");
    let row = format!(",A,{},8,", wanted.iter().sum::<f64>());
    assert!(csv.lines().any(|line| line.contains(&row)), "{csv}");
    assert_eq!(merge("--csv --by-opening").lines().count(), 1 + 4);
}

/// Threads share what the allocator reserves where there is little.
#[cfg(target_os = "linux")]
#[test]
fn many_games_fit_into_little_memory() {
    let folder = Folder::new();
    for arguments in [
        "match --concurrency 8 --games 16 --each nodes=50 --quiet --out m",
        "suite winning --nodes 50 --concurrency 4",
        "analyse --pgn m.pgn --nodes 50 --html m.html",
    ] {
        let limited = format!("ulimit -v 350000; exec {VATO} {arguments}");
        let mut shell = std::process::Command::new("sh");
        Run::of(shell.args(["-c", &limited]).current_dir(folder.path(""))).success();
    }
}
