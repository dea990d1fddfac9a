//! `vato games import`, and other programs' games where commands read games.

use serde_json::Value;

use crate::support::command_line::{Folder, object};
use crate::support::transcript;

/// A game in the notations of several programs: a row for each turn, a column for each.
fn rows() -> Vec<Vec<&'static str>> {
    let lines = include_str!("../data/notations.txt").lines();
    let rows = lines.filter(|line| !line.starts_with('#'));
    rows.map(|line| line.split(" / ").collect()).collect()
}

/// The game in a notation, the turns with these words before and behind them.
fn list(notation: usize, turn: impl Fn(usize, &str) -> String) -> String {
    let rows = rows();
    let turns = rows.iter().enumerate();
    turns.map(|(ply, row)| turn(ply, row[notation])).collect()
}

const BOARDSPACE: &str = include_str!("../data/games/boardspace.sgf");
const ABSTRACT_PLAY: &str = include_str!("../data/games/abstractplay.json");
const VCHESS: &str = include_str!("../data/games/vchess.pgn");
const LUDII: &str = include_str!("../data/games/ludii.trl");

/// The same game in every format, with the rules of each.
#[test]
fn formats_are_known_and_read() {
    let folder = Folder::new();
    let numbered = |ply: usize, turn: &str| match ply % 2 {
        0 => format!("{}. {turn} ", ply / 2 + 1),
        _ => format!("{turn}\n"),
    };
    let (ends, signed) = (" repeat=0 limit=0 ", " repeat=5 limit=0 ");
    for (name, text, rules) in [
        ("boardspace.sgf", BOARDSPACE.to_owned(), ends),
        ("abstractplay.json", ABSTRACT_PLAY.to_owned(), signed),
        ("vchess.pgn", VCHESS.to_owned(), ends),
        ("list of AbstractPlay", list(1, numbered), signed),
        ("SuperDuperGames", list(2, numbered), signed),
        (
            "a number alone",
            "; a game\n".to_owned() + &list(2, numbered).replacen(". ", ".\n", 1),
            signed,
        ),
        (
            "AiAi",
            list(4, |_, turn| format!("{}\n", turn.replace(' ', "\n"))),
            signed,
        ),
        ("tactician", list(3, |_, turn| format!("{turn}\n")), ""),
        ("compass", list(5, |_, turn| format!("{turn} X\n")), ""),
        ("uci", list(7, |_, turn| format!("{turn} ")), ""),
    ] {
        folder.write("game", &text);
        let imported = folder.run("games import --json game").success();
        let game = object(&imported.out);
        let moves: Vec<&str> = rows().iter().map(|row| row[0]).collect();
        assert_eq!(game["moves"], Value::from(moves), "{name}");
        assert_eq!(game["result"], "0-1", "{name}");
        let own = game["tags"]["Rules"].as_str().unwrap_or_default();
        assert!(own.contains(rules), "{name}: {own}");
        // Not every one says who has played.
        folder.write("made.pgn", folder.stdout("games import game"));
        for games in ["game", "made.pgn"] {
            assert!(
                folder
                    .stdout(&format!("games check {games}"))
                    .contains("1 right"),
                "{name}"
            );
        }
    }
    // Tags of a list are kept.
    folder.write("tags", "[Termination \"resignation\"]\n\n1. f2e3+ 1-0");
    let list = folder.stdout("games import --from superdupergames tags");
    assert!(
        list.contains("[Termination \"resignation\"]\n[Rules"),
        "{list}"
    );
    // The same where games are read one by one, and where all positions are.
    assert!(folder.stdout("diagram --pgn game").contains("<svg"));
    assert!(folder.stdout("games tree game").contains("f2-e3A"));
    // Groups of a game without moves have names.
    folder.write("empty.pgn", "[White \"a\"]\n\n*\n");
    let stats = folder.stdout("games stats --csv empty.pgn");
    assert!(stats.contains("\nfirst moves,unknown,1,"), "{stats}");
}

/// A file that may not grow is an error.
#[cfg(unix)]
#[test]
fn a_limit_of_files_is_told() {
    let folder = Folder::new();
    folder.write("a.json", ABSTRACT_PLAY);
    let run = std::process::Command::new("sh")
        .args([
            "-c",
            "ulimit -f 1; for _ in 1 2 3; do cat a.json; done | \"$0\" games import >a.pgn",
        ])
        .arg(env!("CARGO_BIN_EXE_vato"))
        .current_dir(folder.path("."))
        .output()
        .expect("a shell");
    let error = String::from_utf8_lossy(&run.stderr);
    assert!(error.contains("File too large"), "{run:?}");
}

/// A trial that Ludii has played, with the captures that it lists; its 5x5 board is the mirror image.
#[test]
fn trials_of_ludii() {
    let folder = Folder::new();
    let trial = |steps: &str| {
        let first = LUDII.lines().next().expect("a line");
        let placed = "Move=[Move:mover=0,from=0,to=0,actions=[Add]]\n".repeat(24);
        format!("{first}\n{placed}{steps}LUDII_VERSION=1.3.0\n")
    };
    let step = |mover: u32, from: u32, to: u32, removed: &str| {
        format!(
            "Move=[Move:mover={mover},from={from},to={to},actions=[Select:from={from},to={to}]{removed}]\n"
        )
    };
    // b2-c3 of the mirror image is d2-c3.
    let capture = step(1, 8, 12, ",[Remove:type=Vertex,to=16]");
    let pass = |mover: u32| {
        format!("Move=[Move:mover={mover},actions=[Pass:decision=true,forced=true]]\n")
    };
    // White passes where it is shut in, and at the end, where it has no stones.
    let shut_in = "d2-c3A b5-b4A c3-b2W-b3A d3-c3W-b2A-b1W-a1W e2-e3A-d4A c4-c3A-b2W pass b2-c2W";
    let place = |point: &str| [0, 1].map(|at| i32::from(point.as_bytes()[at]) - [97, 49][at]);
    let site = |[file, rank]: [i32; 2]| (5 * rank + 4 - file) as u32;
    let mut steps = String::new();
    for (mover, turn) in (1..).map(|ply| 2 - ply % 2).zip(shut_in.split(' ')) {
        let points: Vec<&str> = turn.split('-').collect();
        if turn == "pass" {
            steps += &pass(mover);
        }
        for pair in points.windows(2) {
            let [from, to] = [place(pair[0]), place(pair[1])];
            // Ahead by approach, behind by withdrawal.
            let first = [0, 1].map(|at| match pair[1].ends_with('A') {
                true => 2 * to[at] - from[at],
                false => 2 * from[at] - to[at],
            });
            let removed = format!(",[Remove:type=Vertex,to={}]", site(first));
            steps += &step(mover, site(from), site(to), &removed);
        }
    }
    let shut_in_trial = trial(&format!("{steps}{}winner=2\n", pass(1)));
    let unasked = format!("{capture}{}{}", pass(2), step(1, 1, 2, ""));
    folder.write(
        "trials",
        format!(
            "{LUDII}{}{}{shut_in_trial}{}",
            trial(&capture),
            trial(&unasked),
            trial(&step(1, 8, 2_000_000_000, ",[Remove:type=Vertex,to=0]"))
                + &LUDII.replace("Fanorona.lud", "Vela.lud")
                + &LUDII[..LUDII.len() / 2]
        ),
    );
    transcript::check(&folder, "games_import_ludii");
}

/// What is wrong is named, and the other games are kept, whatever is asked of them.
#[test]
fn damaged_games_are_named() {
    let folder = Folder::new();
    let one = ABSTRACT_PLAY
        .trim()
        .trim_start_matches('[')
        .trim_end_matches(']')
        .trim();
    let parts = [
        one.to_owned(),
        one.replace("\"Fanorona\"", "\"Chess\""),
        one.replace("\"b5b4+\"", "\"b5b4-\""),
        one.replace("\"variants\": []", "\"variants\": [\"big\"]"),
        one.replace("\"moves\"", "\"turns\""),
        one.replace("[\"a2a1\", \"c3b2+\"]", "[\"a2a1\", {\"move\": \"resign\"}]"),
        one[..one.find("\"d5d4+").expect("a turn")].to_owned(),
        one.replace("\"moves\": [", "\"moves\": [[tru],"),
        one.replace(" \"moves\": [", " \"moves\": [[{\"move\": \"d5d4+\", \"sequence\": 2}, {\"move\": \"f2e3+\", \"sequence\": 1}], \"g3f2-\"], \"x\": ["),
    ];
    folder.write("archive", format!("[{}", parts.join(",\n")));
    folder.write("list", "1. f2e3+ d5d4+ 2. a1a2+ c3d2+ 3. e3d3- d2d1-, e1+");
    // Clicks of people: a stone is put back, the captured line is chosen, the game is given up.
    let nodes = "Start P0|Pickb D 3 0|Dropb D 3 0|Pickb D 3 0|Dropb E 3 0|Remove B 3 1|done|Resign";
    let nodes: String = nodes
        .split('|')
        .map(|node| format!("; P0[0 {node}]\n"))
        .collect();
    let head = "(; GM[Fanorona] SU[fanorona]\nP0[id \"A \\] B\"] P1[id \"C\"]";
    let clicks = format!("{head}\n{nodes})\n");
    let unknown = clicks.replace("Resign", "Reset");
    let open = clicks.trim().trim_end_matches(')');
    // Blank lines are read as quickly as none.
    let blank = "\n".repeat(100_000);
    folder.write("clicks", format!("{clicks}{unknown}{open}{blank}"));
    // The end of a turn that could go on, and a chain that the program has not kept.
    let stopped = VCHESS.replace(",e5.f4 bpf4/bpe5.wpg3.wph2", ",-.- -/-");
    let lost = VCHESS.replace(",e5.f4 bpf4/bpe5.wpg3.wph2", ",&infin;");
    let set_up = VCHESS.replace("/PPPPPPPPP w", "/1PPPPPPPP w");
    let cut = VCHESS.split("10.w ").next().expect("a part");
    folder.write("vchess", format!("{stopped}\n{lost}\n{set_up}\n{cut}"));
    // What tells the ends of turns has one whole turn between two of them.
    let record = |moves: &str| {
        format!(r#"{{"header": {{"game": {{"name": "Fanorona"}}}}, "moves": [{moves}]}}"#)
    };
    for (number, moves) in (1..).zip([
        r#"["f2e3+","d5d4+"],["g3f2-","c3d2+"],["e3d3-","d2d1-"],["d1e1+"]"#,
        r#"["f2e3+","pass"],["d5d4+"]"#,
        r#"["f2e3+",""],["d5d4+"]"#,
        r#"["f2e3+ d5d4+"]"#,
        r#"["f2e3+","resign"],["g3f2-"]"#,
    ]) {
        folder.write(&format!("record{number}"), record(moves));
    }
    // A record that has lost its beginning takes none with it.
    let whole = record(r#"["f2e3+"]"#);
    folder.write("torn", format!("{whole}\n{}\n{whole}\n", &whole[20..]));
    // Keys are in any order, and also elsewhere; lists have lists.
    let last = whole.replacen(r#"{"header""#, r#"{"chat": [{"header": "x"}], "header""#, 1);
    let [begin, end] = [&last[..40], &last[..last.len() - 9]];
    folder.write("orders", format!("[{last}, {last},\n{begin}\n{end}{last}]"));
    folder.write("lists", format!("[\n[{last}],\n[{whole}, {whole}]]"));
    folder.write("null", "[\n  null\n]\n");
    // What a notation does not tell.
    folder.write("moves", "1. f2 e3 d5 d4 1-0\n1. f2e3\nd5 d3 *\n\n1. d3e3 *");
    // With tags it is PGN, for every command.
    folder.write(
        "tags",
        "[White \"A\"]\n\n1. f2e3 *\n\n[White \"A\"]\n\n1. d3e3+ c3d3+ *\n",
    );
    // PGN of a program that writes names and results in its own way; of its tag Vela, which names the eater, which takes one
    // stone a turn, and the giver none.
    let fgn = "[White \"a\"]\n[Result \"½-½\"]\n[Variant \"Fanoron-Dimy\"]\n[Termination \"agreement\"]\n\n\
        1. b2-c3A?? { -3.2 } ½-½\n\n[White \"b\"]\n[Variant \"Fanoron-Tsivy\"]\n[Vela \"true\"]\n\n1. f2-e3A *\n\n\
        [White \"c\"]\n[Vela \"Noirs\"]\n\
        [FEN \"BBBBBBBBB/BBBBBBBBB/BWBW1BWBW/WWWWWWWWW/WWWWWWWWW b 0 1\"]\n\n1... e4-e3A 2. d2-e2 *\n\n\
        [White \"d\"]\n[Variant \"tsivy\"]\n[Vela \"Noirs\"]\n\n*\n";
    folder.write("fgn", fgn);
    // Games of vchess are known among others.
    let others = "[Event \"e\"]\n\n1. f2-e3A d5-d4A *\n\n".repeat(3);
    let latin1 = VCHESS
        .bytes()
        .map(|byte| if byte == b'T' { 0xe9 } else { byte });
    folder.write(
        "mixed.pgn",
        others.bytes().chain(latin1).collect::<Vec<u8>>(),
    );
    transcript::check(&folder, "games_import");
}
