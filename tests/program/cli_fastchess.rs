//! `vato fastchess` as tools use it that know the runners of chess. What is said of engines that do something wrong is
//! tested in `tests/tournament/`.

use serde_json::{Value, json};
use vato_records::pgn::{GameRecord, PgnReader};

use crate::support::command_line::{Folder, VATO};
use crate::support::transcript;

/// Two engines that always play the same.
const ENGINES: &str =
    "-engine cmd=VATO name=A nodes=60 -engine cmd=VATO name=B nodes=30 option.Hash=1";

/// The lines of a run that has succeeded.
fn lines(folder: &Folder, arguments: &str) -> Vec<String> {
    let run = folder.run(&format!("fastchess {}", arguments.replace("VATO", VATO)));
    let out = run.success().out;
    out.lines().map(str::to_owned).collect()
}

fn records(folder: &Folder, name: &str) -> Vec<GameRecord> {
    let text = folder.read(name);
    let games = PgnReader::new(text.as_bytes());
    games.map(|game| game.expect("a game")).collect()
}

/// What of a game does not depend on time.
fn essence(game: &GameRecord) -> String {
    let tags = "Round White Black FEN Rules Opening Result TimeControl".split(' ');
    let tags: Vec<Option<&str>> = tags.map(|name| game.tag_value(name)).collect();
    let moves: Vec<&str> = game.moves().iter().map(|mv| mv.text()).collect();
    format!("{tags:?} {moves:?}")
}

/// The line is the pattern, in which `#` is a number.
fn is_like(line: &str, pattern: &str) -> bool {
    let is_number = |word: &str| !word.starts_with('+') && word.parse::<f64>().is_ok();
    let Some((before, behind)) = pattern.split_once('#') else {
        return line == pattern;
    };
    let Some(rest) = line.strip_prefix(before) else {
        return false;
    };
    let end = rest
        .find([' ', ',', '%', ')', ']', ':'])
        .unwrap_or(rest.len());
    let (number, rest) = rest.split_at(end);
    is_number(number) && is_like(rest, behind)
}

#[test]
fn its_lines_are_those_that_tools_take_apart() {
    // Both of one name, which has no place in them.
    let engines = ENGINES
        .replace("name=A", "'name=V: é'")
        .replace("name=B", "'name=V: é'");
    let [one, other] = ["V___", "V____Hash=1"];
    let rule = "-".repeat(50);
    let results = format!(
        "{rule}\nResults of {one} vs {other} (60 nodes - 30 nodes, 1t, 16MB - 1MB):\nElo: # +/- #, nElo: # +/- #\n\
         LOS: # %, DrawRatio: # %, PairsRatio: #\nGames: #, Wins: #, Losses: #, Draws: #, Points: # (# %)\n\
         Ptnml(0-2): [#, #, #, #, #], WL/DD Ratio: #\nLLR: # (#%) (-2.94, 2.94) [0.00, 5.00]\n{rule}"
    );
    let games = results.replace(", PairsRatio: #", "");
    let games = games.replace("\nPtnml(0-2): [#, #, #, #, #], WL/DD Ratio: #", "");
    let score = format!("Score of {one} vs {other}: # - # - # [#] #");
    let colours = format!(
        "... {one} playing White: # - # - # [#] #\n... {one} playing Black: # - # - # [#] #\n\
         ... White vs Black: # - # - # [#] #\nElo difference: # +/- #, LOS: # %, DrawRatio: # %\n\
         SPRT: llr # (#%), lbound -2.94, ubound 2.94"
    );
    let end = "Finished match\nTotal Time: #:#:# (hours:minutes:seconds)\n";
    let ends = [
        "1/2-1/2 {Draw by 3-fold repetition}",
        "1/2-1/2 {Draw by no-capture limit}",
        "1/2-1/2 {Draw by no moves left}",
        "1-0 {White mates}",
        "0-1 {Black mates}",
    ];
    // What stands behind a game, behind the fourth, and at the end.
    for (flags, behind_game, behind_fourth, last) in [
        (
            "-ratinginterval 2",
            "",
            &results,
            format!("{results}\n{end}"),
        ),
        (
            "-ratinginterval 4 -report penta=false",
            "",
            &games,
            format!("{games}\n{end}"),
        ),
        (
            "-output format=cutechess -games 2 -ratinginterval 4",
            &*score,
            &colours,
            format!("{colours}\nFinished match"),
        ),
    ] {
        let sprt = "-sprt elo0=0 elo1=5 alpha=0.05 beta=0.05";
        let arguments = format!("{engines} -rounds 3 {sprt} {flags}");
        let lines = lines(&Folder::new(), &arguments);
        let mut found = lines.iter();
        let mut expect = |patterns: &str| {
            for pattern in patterns.lines().filter(|pattern| !pattern.is_empty()) {
                let line = found.next().map_or("", String::as_str);
                let line = line.split_whitespace().collect::<Vec<_>>().join(" ");
                let is_right = line.is_ascii() && is_like(&line, pattern);
                assert!(is_right, "{pattern}: {line}\n{lines:#?}");
            }
        };
        for game in 1..=6 {
            let players = match game % 2 {
                1 => format!("({one} vs {other})"),
                _ => format!("({other} vs {one})"),
            };
            expect(&format!("Started game {game} of 6 {players}"));
            let finished = format!("Finished game {game} {players}: ");
            let how = lines.iter().find_map(|line| line.strip_prefix(&finished));
            let how = how.expect("its end");
            assert!(ends.contains(&how), "{how}");
            expect(&format!("{finished}{how}"));
            expect(behind_game);
            if game == 4 {
                expect(behind_fourth);
            }
        }
        expect(&last);
        let blank = found.next().map_or("", String::as_str);
        assert_eq!((blank, found.next()), ("", None));
    }
}

/// All that both can say.
#[test]
fn its_match_is_that_of_vato_match() {
    let folder = Folder::new();
    let book = folder.run("openings --rules dimy --plies 2 --count 8 --depth 1 --seed 3");
    folder.write("book.epd", book.success().out);
    let arguments = format!(
        "{ENGINES} -each timemargin=50 option.Hash=2 -variant standard -rounds 3 -games 2 -openings \
         file=book.epd format=epd order=random plies=16 start=14 -srand 7 -resign movecount=2 score=300 \
         -draw movenumber=5 movecount=2 score=20 -maxmoves 20 -pgnout own.pgn"
    );
    lines(
        &folder,
        &arguments.replace("name=B", "name=B option.UCI_Variant=dimy"),
    );
    let engine = |keys: &str| format!("--engine cmd={VATO},proto=uci,timemargin=50,{keys}");
    let [a, b] = [
        "name=A,nodes=60,option.Hash=2",
        "name=B,nodes=30,option.Hash=1",
    ]
    .map(engine);
    let run = folder.run(&format!(
        "match {a} {b} --rules dimy --games 6 --openings book.epd --order random --start 14 --seed 7 --resign \
         moves=2,score=3 --draw number=5,moves=2,score=0.2 --max-plies 40 --concurrency 1 --out match"
    ));
    run.success();
    let [own, wanted] = ["own.pgn", "match.pgn"].map(|name| records(&folder, name));
    let essences = |games: &[GameRecord]| games.iter().map(essence).collect::<Vec<_>>();
    assert_eq!(own.len(), 6);
    assert_eq!(essences(&own), essences(&wanted));
}

/// Tuners play one short match after another, and say no seed.
#[test]
fn without_a_seed_every_match_has_another_order() {
    let folder = Folder::new();
    let openings = "openings --rules dimy --plies 2 --count 12 --depth 1";
    folder.write("book.epd", folder.run(openings).success().out);
    for file in ["a.pgn", "b.pgn"] {
        let arguments = "-variant dimy -maxmoves 1 -rounds 12 -openings file=book.epd order=random";
        lines(&folder, &format!("{ENGINES} {arguments} -pgnout {file}"));
    }
    let [one, other] = ["a.pgn", "b.pgn"].map(|name| {
        let games = records(&folder, name).into_iter();
        let fens = games.map(|game| game.tag_value("FEN").map(str::to_owned));
        fens.collect::<Vec<_>>()
    });
    assert_eq!((one.len(), other.len()), (24, 24));
    assert_ne!(one, other);
}

#[test]
fn games_are_kept_as_they_are_wanted() {
    let folder = Folder::new();
    let play = |arguments: &str| {
        lines(&folder, &format!("{ENGINES} -maxmoves 6 {arguments}"));
    };
    let last_comment = |game: &GameRecord| {
        let comment = game.moves().last().and_then(|mv| mv.comment.as_deref());
        comment.expect("a comment").to_owned()
    };
    // As tuners have it: so many games in all, and the file alone.
    play("-games 4 -rounds 1 -repeat -recover -debug -tb nowhere -pgnout a.pgn min");
    let games = records(&folder, "a.pgn");
    assert_eq!(games.len(), 4);
    assert!(!last_comment(&games[0]).contains("n="));
    let all = "-rounds 1 -site 'my place' -event cup -pgnout file=a.pgn nodes=true seldepth=true";
    play(&format!("{all} match_line='^info .*'"));
    let games = records(&folder, "a.pgn");
    assert_eq!(games.len(), 6);
    let tags = ["Site", "Event"].map(|name| games[5].tag_value(name));
    assert_eq!(tags, [Some("my place"), Some("cup")]);
    let text = last_comment(&games[5]);
    assert!(text.contains("s, n=") && text.contains(", sd="), "{text}");
    play("-rounds 1 -games 1 -pgnout file=a.pgn append=false");
    assert_eq!(records(&folder, "a.pgn").len(), 1);
    // What fails changes nothing.
    let line = format!("fastchess {ENGINES} -openings file=a.epd -pgnout file=a.pgn append=false");
    assert_eq!(folder.run(&line).code, Some(1));
    assert_eq!(records(&folder, "a.pgn").len(), 1);
}

#[test]
fn tournaments_have_a_table() {
    let folder = Folder::new();
    let three = format!("{ENGINES} -engine cmd=VATO name=C nodes=9 -each option.Hash=1");
    let lines = lines(
        &folder,
        &format!(
            "{three} -maxmoves 9 -tournament gauntlet -rounds 1 -ratinginterval 0 -log file=io"
        ),
    );
    let started = |lines: &[String]| {
        let started = lines.iter().filter(|line| line.starts_with("Started game"));
        started.count()
    };
    assert_eq!(started(&lines), 4, "{lines:#?}");
    let heading = "Rank Name Elo +/- nElo +/- Games Score Draw Ptnml(0-2)";
    let words = |line: &String| line.split_whitespace().collect::<Vec<_>>().join(" ");
    let table = lines.iter().position(|line| words(line) == heading);
    assert_eq!(table, Some(lines.len() - 8), "{lines:#?}");
    assert_eq!(folder.names(), ["io-A.log", "io-B.log", "io-C.log"]);

    // cutechess-cli has figures of games, and in a gauntlet the engine that plays all others first.
    let cutechess = three.replace("nodes=9", "nodes=20") + " -output format=cutechess -srand 1";
    for (format, ranks) in [
        ("roundrobin", ["1", "2", "3"]),
        ("gauntlet", ["0", "1", "2"]),
    ] {
        let more = format!("-tournament {format} -games 2 -rounds 4 -pgnout {format}.pgn");
        let lines = self::lines(&folder, &format!("{cutechess} {more}"));
        let games = records(&folder, &format!("{format}.pgn"));
        let table = &lines[lines.len() - 5..];
        assert_eq!(words(&table[0]), "Rank Name Elo +/- Games Score Draw");
        for (row, rank) in table[1..].iter().zip(ranks) {
            let cells: Vec<&str> = row.split_whitespace().collect();
            let [place, name, elo, error, count, score, draws] = cells[..] else {
                panic!("{lines:#?}");
            };
            let points = games.iter().filter_map(|game| {
                let tag = |name: &str| game.tag_value(name).expect("a tag");
                let players = ["White", "Black"].map(tag);
                let black = players.iter().position(|player| *player == name)? as f64;
                Some(match tag("Result") {
                    "1-0" => 1.0 - black,
                    "0-1" => black,
                    _ => 0.5,
                })
            });
            let points: Vec<f64> = points.collect();
            let size = points.len() as f64;
            let mean = points.iter().sum::<f64>() / size;
            let squares = points.iter().map(|own| (own - mean).powi(2)).sum::<f64>();
            let half = 1.96 * squares.sqrt() / size;
            let elo_of = |score: f64| -400.0 * (1.0 / score - 1.0).log10();
            let margin = (elo_of(mean + half) - elo_of(mean - half)) / 2.0;
            let even = points.iter().filter(|&&own| own == 0.5).count() as f64;
            let shares = [mean, even / size].map(|share| format!("{:.1}%", 100.0 * share));
            let wanted = [points.len().to_string(), shares.concat()];
            assert_eq!(
                [count.to_owned(), score.to_owned() + draws],
                wanted,
                "{lines:#?}"
            );
            for (told, value) in [(elo, elo_of(mean)), (error, margin)] {
                let told: f64 = told.parse().expect("a number");
                assert!((told - value).abs() < 0.6, "{value}\n{lines:#?}");
            }
            assert_eq!(place, rank);
        }
    }

    // As many games as are asked for.
    for (flags, games) in [
        ("", 12),
        ("-games 1", 6),
        ("-games 3", 18),
        ("-games 1 -rounds 4", 12),
        ("-rounds 3", 18),
        ("-tournament gauntlet -games 1", 4),
        ("-tournament swiss", 4),
        ("-tournament swiss -rounds 3", 6),
        ("-output format=cutechess -rounds 2", 6),
    ] {
        let lines = self::lines(&folder, &format!("{three} -maxmoves 1 {flags}"));
        assert_eq!(started(&lines), games, "{flags}");
    }

    // An encounter goes on while it is even; the numbers leave room for that.
    let lines = self::lines(
        &folder,
        &format!("{ENGINES} -maxmoves 1 -tournament knockout -rounds 2"),
    );
    let total = "game 4 of 8 (";
    assert!(lines.iter().any(|line| line.contains(total)), "{lines:#?}");
}

#[test]
fn what_it_does_not_know_is_named() {
    let folder = Folder::new();
    folder.write("a.epd", "bb3bbbb/bb2b1bbb/b4bwbw/w2bw1www/1w5ww w 0 4\n");
    folder.write("m.jsonl", "{\"version\":1}\n");
    transcript::check(&folder, "fastchess_refused");
    assert_eq!(folder.names(), ["a.epd", "m.jsonl"]);
    assert_eq!(folder.read("m.jsonl"), "{\"version\":1}\n");
}

/// The program is this command by its own name, too.
#[cfg(unix)]
#[test]
fn it_is_called_as_others_are() {
    use std::process::Command;

    let folder = Folder::new();
    for name in ["fastchess-ob", "cutechess-cli"] {
        let program = folder.path(name);
        std::os::unix::fs::symlink(VATO, &program).expect("a link");
        let out = |words: &str| {
            let mut command = Command::new(&program);
            command.args(words.split(' ')).current_dir(folder.path(""));
            let output = command.output().expect("it can be run");
            assert!(output.status.success(), "{output:?}");
            String::from_utf8(output.stdout).expect("UTF-8")
        };
        assert_eq!(out("--version"), out("-version"));
        assert!(out("-version").starts_with("vato "));
        for help in ["-help", "--help", "-h"] {
            assert!(out(help).contains("-pgnout FILE"));
        }
        let engines = ENGINES.replace("VATO", VATO);
        let match_of_tools = out(&format!("{engines} -rounds 1 -games 2 -maxmoves 3"));
        let is_cutechess = match_of_tools.contains("Score of A vs B: ");
        assert_eq!(is_cutechess, name == "cutechess-cli", "{match_of_tools}");
        assert_eq!(
            !is_cutechess,
            match_of_tools.contains("Results of A vs B (")
        );
        assert!(
            match_of_tools.contains("Finished match\n"),
            "{match_of_tools}"
        );
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_reader_that_has_gone_ends_it() {
    use std::fs::File;
    use std::process::Stdio;

    let folder = Folder::new();
    let long = format!("fastchess {ENGINES} -rounds 20000").replace("VATO", VATO);
    let (reader, writer) = std::io::pipe().expect("a pipe");
    drop(reader);
    let full = File::options()
        .write(true)
        .open("/dev/full")
        .expect("a device");
    for (out, code) in [(Stdio::from(writer), 3), (Stdio::from(full), 1)] {
        let mut command = folder.vato(&long);
        let ended = command.stdout(out).stderr(Stdio::null()).status();
        let ended = ended.expect("it ends");
        assert_eq!(ended.code(), Some(code));
    }
}

/// In the formats of both worlds, and wherever an engine is named.
#[test]
fn engines_have_names_in_files() {
    let folder = Folder::new();
    let own = "games = 9\n[[engine]]\nname = \"deep one\"\ncmd = 'VATO'\nnodes = 40\n[engine.option]\nHash = 3\n\
               [[engine]]\ncmd = \"./other.sh\"\nnodes = 5\n";
    folder.write("engines.toml", own.replace("VATO", VATO));
    let others = r#"[{"name": "E 1", "command": "VATO", "protocol": "uci", "workingDirectory": "",
        "initStrings": ["uci", "setoption name Hash value 2", "setoption name Multi PV value 1"],
        "options": [{"name": "Threads", "type": "spin", "value": 1}, {"name": "Clear Hash", "type": "button"}]},
        {"name": "X", "command": "VATO", "protocol": "xboard"},
        {"name": "Y", "command": "VATO", "protocol": "uci", "initStrings": ["level 40 5 0"]},
        {"name": "Z", "command": "'VATO", "protocol": "uci"}]"#;
    folder.write("engines.json", others.replace("VATO", VATO));
    let named = [
        "match",
        "--engine",
        "deep one",
        "--engine",
        "E 1,name=E,depth=1,option.hash=1",
    ];
    let more = ["--games", "2", "--max-plies", "4", "--out", "m"];
    folder.run(&[&named[..], &more].concat()).success();
    let header = &folder.objects("m.jsonl")[0]["match"]["settings"]["engine"];
    let of = |place: usize, keys: &[&str]| -> Vec<Value> {
        keys.iter()
            .map(|key| header[place].pointer(key).cloned().unwrap_or_default())
            .collect()
    };
    let deep = of(0, &["/name", "/nodes", "/option/Hash"]);
    assert_eq!(json!(deep), json!(["deep one", 40, "3"]));
    // It does not declare the other one.
    let options = json!({"hash": "1", "Threads": "1"});
    let one = of(1, &["/name", "/proto", "/depth", "/option"]);
    assert_eq!(json!(one), json!(["E", "uci", 1, options]));
    let words = "-engine 'conf=E 1' tc=inf nodes=30 ponder -engine 'conf=deep one' restart=auto -maxmoves 3 -games 1 -rounds 1";
    let told = lines(&folder, words);
    assert_eq!(told[0], "Started game 1 of 1 (E_1 vs deep_one)");
    folder.write(
        "engines.toml",
        own.replace("deep one", "deep, one").replace("VATO", VATO),
    );
    let named = [
        "match",
        "--engine",
        "\"deep, one\",depth=1",
        "--engine",
        "\"deep, one\"",
    ];
    let run = folder.run(&[&named[..], &["--dry-run"]].concat());
    assert!(run.success().out.contains("depth=1 against nodes=40"));
    // Quotation marks of a name make no difference.
    for file in ["engines.toml", "engines.json"] {
        let quoted = folder.read(file).replace("deep, one", "deep, \\\"one\\\"");
        folder.write(file, quoted.replace("E 1", "E, \\\"1\\\""));
    }
    let named = "match --engine '\"deep, \"one\"\"' --engine '\"E, 1\",nodes=3' --dry-run";
    let told = folder.run(named).success().out;
    assert!(told.contains("deep, \"one\" against E, \"1\""), "{told}");
    folder.write("engines.json", others.replace("VATO", VATO));
    folder.write("engines.toml", own.replace("VATO", VATO));
    folder
        .run("suite winning --nodes 1 --engine 'E 1' --quiet")
        .success();
    for (name, wanted) in [
        ("deep", "expected one of deep one, other, E 1, X, Y, Z"),
        (
            "X",
            "engines.json: X: invalid proto 'xboard': expected ugi or uci",
        ),
        (
            "Y",
            "engines.json: Y: invalid initStrings 'level 40 5 0': expected setoption name",
        ),
        ("Z", "engines.json: Z: invalid command '"),
    ] {
        for line in [
            format!("match --engine {name}"),
            format!("fastchess -engine conf={name}"),
        ] {
            let error = folder.stderr(&line, 2);
            assert!(error.contains(wanted), "{error}");
        }
    }
    for (toml, json, wanted) in [
        (
            "[[engine]]\ncmd = \"a\"\nnode = 5\n",
            "[]",
            "engines.toml: TOML parse error at line 3",
        ),
        ("", "[{\"name\": 3}]", "at line 1 column 11"),
    ] {
        folder.write("engines.toml", toml);
        folder.write("engines.json", json);
        let error = folder.stderr("match --engine a", 2);
        assert!(error.contains(wanted), "{error}");
    }
}
