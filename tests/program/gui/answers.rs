//! What the server answers to its page.

use super::*;
use crate::support::patterns::matches;

#[test]
fn a_position_has_its_steps_and_a_turn_is_made_one_by_one() {
    let server = Server::start("");
    let ask = |place: &Value| server.answer("/position", place);
    let known = ask(&at("tsivy", "", &[]));
    let fen = "bbbbbbbbb/bbbbbbbbb/bwbw1bwbw/wwwwwwwww/wwwwwwwww w 0 1";
    assert_eq!(known["fen"], fen);
    let stones = known["stones"].as_array().expect("stones").iter();
    let from: Vec<&Value> = stones.map(|stone| &stone["from"]).collect();
    assert_eq!(from, ["d2", "e2", "f2", "d3"]);
    let next = json!([
        { "to": "e3", "how": "A", "captured": ["f3"] },
        { "to": "e3", "how": "W", "captured": ["c3"] },
    ]);
    assert_eq!(known["stones"][3]["next"], next);
    // Two stones: no first turn takes more.
    assert_eq!(known["largest"], "d2-e3A:f4g5");
    let mut begun = at("tsivy", "", &["f2-e3A"]);
    begun["turn"] = json!("d5d4a");
    let turn = &ask(&begun)["turn"];
    assert_eq!(turn["word"], "d5-d4A:d1d2d3");
    assert_eq!(turn["may_end"], true);
    assert_eq!(turn["next"].as_array().map(Vec::len), Some(1));
    // The tables tell what each move does, and the rules how a game has ended.
    let known = ask(&at("tsivy", "9/9/3b5/9/w7w w 0 2", &[]));
    assert_eq!(known["largest"], Value::Null);
    let table = known["table"].as_array().map_or(0, Vec::len);
    assert!(table > 3, "{known}");
    let moves = ["i1-h1", "a5-b5", "h1-i1", "b5-a5"].repeat(2);
    let known = ask(&at("tsivy", "b8/9/9/9/8w w 0 2", &moves));
    assert_eq!(known["outcome"]["reason"], "repetition");
    assert_eq!(fields(&known, ["table", "stones"]), json!([null, []]));
    let open = ask(&at("tsivy", "9/9/3w2b2/9/9 w 0 2", &[]));
    assert_eq!(open["outcome"], Value::Null);
    let over = ask(&at("blocked=draw", "8b/9/9/9/9 w 0 9", &[]));
    let outcome = json!({ "result": "0-1", "reason": "no-stones" });
    assert_eq!(over["outcome"], outcome);
    // Who cannot move passes.
    let blocked = "8w/9/w1w6/ww7/bww6 b 0 10";
    let mut passing = at("blocked=pass", blocked, &[]);
    passing["turn"] = json!("--");
    let known = ask(&passing);
    assert_eq!(fields(&known, ["passes", "stones"]), json!([true, []]));
    let turn = json!({ "word": "pass", "next": [], "may_end": true });
    assert_eq!(known["turn"], turn);
    let passed = ask(&at("blocked=pass", blocked, &["pass"]));
    assert_eq!(passed["passes"], false);
}

/// The games of collections are counted as `vato games tree` counts them; without a collection there are none.
#[test]
fn collections_are_explored() {
    let folder = Folder::new();
    let games = "1. f2-e3A d5-d4A 1-0\n\n1. f2-e3A d5-d4A 0-1\n\n1. f2-e3A d5-d4A-c5W 0-1\n\n\
                 1. d3-e3W 1/2-1/2\n\n1. f2-e3A *\n\n1. f2-e3W *\n";
    folder.write("games.pgn", games);
    let path = folder.name("games.pgn");
    let server = Server::start(&format!("--games {path} --games {path}"));
    // One of six cannot be read.
    assert_eq!(server.answer("/start", &json!({}))["games"], 10);
    let mut counted = 0;
    for moves in [&[][..], &["f2-e3A"], &["d3-e3W"]] {
        let place = at("tsivy", "", moves);
        let fen = server.answer("/position", &place)["fen"].to_string();
        let command = format!("games tree --fen {fen} --json games.pgn games.pgn");
        let rows = objects(&folder.run(&command).out).into_iter().map(|row| {
            let mut results = ["wins", "draws", "losses"].map(|name| row[name].clone());
            if !moves.is_empty() {
                results.reverse();
            }
            json!([row["moves"], row["games"], results])
        });
        let rows = rows.collect::<Vec<Value>>();
        counted += rows.len();
        let explored = server.answer("/explore", &place);
        let found = explored["moves"].as_array().expect("moves").iter();
        let found = found.map(|one| json!([text(&one["word"]), one["games"], one["results"]]));
        assert_eq!(found.collect::<Vec<Value>>(), rows);
    }
    assert_eq!(counted, 4);
    let dimy = at("dimy", "", &[]);
    let nothing = json!({ "games": 0, "moves": [] });
    assert_eq!(server.answer("/explore", &dimy), nothing);
    assert_eq!(Server::start("").answer("/explore", &dimy), nothing);
    let error = server.refusal("/explore", &at("dimy", "", &["d2-e3A"]));
    assert!(error.starts_with("move 1: move 'd2-e3A'"), "{error}");
    // What cannot be used is told before there is a page.
    let error = folder.stderr("gui --no-open --games none.pgn", 1);
    assert!(error.contains("none.pgn"), "{error}");
}

/// The name of an opening is that of the first move from the start, and what is proven is what the page of solved games says.
#[test]
fn openings_have_names_and_what_is_proven_is_told() {
    let server = Server::start("");
    let known = |rules: &str, moves: &[&str]| {
        let mut known = server.answer("/position", &at(rules, "", moves));
        // The replies of the proof are not in the table.
        let without_reply = |known: &mut Value| {
            let proven = known["proven"].as_object_mut();
            proven.map(|proven| proven.remove("reply"));
        };
        let firsts = known["firsts"].as_array_mut();
        firsts.into_iter().flatten().for_each(without_reply);
        without_reply(&mut known);
        known
    };
    let bounds = |white: Value, black: Value| json!({ "white": white, "black": black });
    let (mut rules, mut asked, mut boards) = ("tsivy", BTreeMap::new(), 0);
    for line in include_str!("../../../docs/solved.md").lines() {
        if line.starts_with("### Full chains") {
            rules = "full-chain";
        }
        let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
        match cells[..] {
            [on, value, ..] if on.starts_with("`board=") => {
                let white = value == "White wins";
                let proven = &known(on.trim_matches('`'), &[])["proven"];
                assert_eq!(*proven, bounds(json!(white), json!(false)), "{line}");
                boards += 1;
            }
            [first, question, answer @ ("no" | "yes"), ..] if question.starts_with("can ") => {
                let side = ["white", "black"][usize::from(question == "can Black win?")];
                let nothing = bounds(Value::Null, Value::Null);
                // After the reply it is proven of the move before, too.
                let first = first.split(' ').next().unwrap_or(first);
                asked.entry((rules, first)).or_insert(nothing)[side] = json!(answer == "yes");
            }
            _ => {}
        }
    }
    assert_eq!((boards, asked.len()), (15, 10));
    let captures = [
        ("vakiloha", "e2-e3A"),
        ("havanana", "f2-e3A"),
        ("havia", "d2-e3A"),
    ];
    let named = captures
        .into_iter()
        .chain([("fohy", "d3-e3A"), ("kobaka", "d3-e3W")]);
    for rules in ["tsivy", "riatra", "full-chain", "first-turns"] {
        let start = known(rules, &[]);
        let (of, white) = match rules {
            "full-chain" => (rules, Value::Null),
            _ => ("tsivy", json!(false)),
        };
        let expected = bounds(white, json!(false));
        let found = fields(&start, ["proven", "opening"]);
        assert_eq!(found, json!([expected, null]));
        for (name, first) in named.clone() {
            let after = known(rules, &[first]);
            let proven = asked.get(&(of, first)).cloned().unwrap_or_default();
            let found = fields(&after, ["opening", "proven"]);
            assert_eq!(found, json!([name, proven]));
            let firsts = start["firsts"].as_array().expect("moves").iter();
            let told = firsts.filter(|found| found["opening"] == name);
            let told: Vec<&Value> = told.map(|found| &found["proven"]).collect();
            assert_eq!(told, [&proven], "{rules} {first}");
        }
    }
    let later = known("tsivy", &["f2-e3A", "d5-d4A"]);
    assert_eq!(later["opening"], "havanana");
    // White has played by the proof, and then no longer.
    assert_eq!(later["proven"], bounds(Value::Null, json!(false)));
    let left = known("tsivy", &["f2-e3A", "d5-d4A", "e3-d3W"]);
    assert_eq!(left["proven"], Value::Null);
    // An agreed draw is what the rules make of it.
    let counted = at("single-step", "9/7b1/3wb4/1w5b1/9 w 0 20", &[]);
    let agreed = server.answer("/position", &counted);
    assert_eq!([&agreed["agreed"], &later["agreed"]], ["0-1", "1/2-1/2"]);
    // Another start has neither.
    let start = "bbbbbbbb1/bbbbbbbbb/bwbw1bwbw/wwwwwwwww/wwwwwwwww w 0 1";
    let other = server.answer("/position", &at("tsivy", start, &["f2-e3A"]));
    assert_eq!([&other["opening"], &other["proven"]], [&Value::Null; 2]);
}

#[test]
fn games_come_back_as_they_were_written() {
    let server = Server::start("");
    let read = |pgn: &str| server.answer("/read", &json!({ "pgn": pgn }));
    let write = |game: &Value| {
        let written = server.answer("/write", game)["pgn"].take();
        written.as_str().expect("a game").to_owned()
    };
    let pgn = "[White \"<script>alert(1)</script>\"]\n[Black \"B\"]\n[Result \"*\"]\n\n\
               {<img src=x>} 1. d3-e3A $1 {fine} ({or} 1. f2-e3A d5-d4A (1... f3-f2A) 2. e1-d2A) \
               1... c3-d3A ({</script>} 1... c3-d3W) *";
    let first = read(pgn);
    assert_eq!(first["games"][0]["white"], "<script>alert(1)</script>");
    let nodes = first["game"]["nodes"].as_array().expect("nodes");
    let parents: Vec<&Value> = nodes.iter().map(|node| &node["parent"]).collect();
    assert_eq!(json!(parents), json!([0, 1, 0, 3, 4, 3, 1]), "{nodes:?}");
    assert_eq!(nodes[0]["word"], "d3-e3A:f3");
    assert_eq!(nodes[0]["marks"], json!(["!"]));
    let written = write(&first["game"]);
    let again = read(&written);
    assert_eq!(again["game"]["rules"], first["game"]["rules"]);
    assert_eq!(again["game"]["introduction"], "<img src=x>");
    assert_eq!(write(&again["game"]), written);
    // What is played after the end of a game is a variation that begins with its last move, also where none says who has won.
    for result in ["0-1", "*"] {
        let pgn = format!(
            "1. d3-e3A {{one}} 1... c3-d3A {{two}} (1... c3-d3W) (1... c3-d3A 2. e2-e3A (2. f2-e3A)) {result}"
        );
        let mut game = read(&pgn)["game"].take();
        assert_eq!(game["end"], 2);
        let text = write(&game).replace('\n', " ");
        assert!(text.trim_end().ends_with(&pgn), "{text}");
        // Where it has no end, the game goes on.
        game["end"] = Value::Null;
        let text = write(&game).replace('\n', " ");
        assert!(text.contains("(1... c3-d3W) 2. e2-e3A"), "{text}");
    }
    // The rules have ended it.
    let game = json!({ "rules": "board=3x3", "start": "b2/w2/3 w 0 1", "result": "*",
        "nodes": [{ "parent": 0, "word": "a2-a1W" }] });
    let text = write(&game);
    assert!(text.ends_with(" 1-0\n\n"), "{text}");
    assert_eq!(read(&text.replace("1-0", "*"))["game"]["result"], "1-0");
    // After a game that ended before its first move they are a game without a result.
    let game = json!({ "rules": "tsivy", "tags": [["Termination", "resignation"]], "result": "0-1", "end": 0,
        "nodes": [{ "parent": 0, "word": "f2-e3A" }] });
    let text = write(&game);
    assert!(text.ends_with("\n\n1. f2-e3A *\n\n"), "{text}");
    assert!(!text.contains("Termination"), "{text}");
    // A move that is illegal ends its line; what follows is kept as text, and told.
    let kept = read(
        "1. f2-e3A\nd5-d4A ({x} 1... a1-a2 $1 {y}) (1... f3-f2A\n2. a1-a2) 2. a1-a2 b3-b4 (2... c3 {z}) *",
    );
    let comments = ["", "a1-a2 b3-b4 (c3 {z}) x a1-a2 $1 {y}", "a1-a2"];
    let nodes = kept["game"]["nodes"].as_array().expect("nodes").iter();
    let found = nodes.map(|node| node["comment"].as_str().unwrap_or_default());
    assert_eq!(found.collect::<Vec<_>>(), comments);
    let faults = kept["faults"].as_array().expect("faults").iter();
    let lines = faults.filter_map(|fault| fault.as_str()?.split(':').next());
    assert_eq!(lines.collect::<Vec<_>>(), ["line 3", "line 2", "line 3"]);
    // Nested as deep as anybody likes.
    let nested = (0..2000).flat_map(|depth| [(2 * depth, "a1"), (2 * depth, "a2")]);
    let nested = nested.map(|(parent, word)| json!({ "parent": parent, "word": word }));
    let nested: Vec<Value> = nested.collect();
    let error = server.refusal("/write", &json!({ "rules": "tsivy", "nodes": nested }));
    assert!(error.contains("move a2: variations are nested"), "{error}");
}

#[test]
fn the_engine_reports_as_it_searches() {
    let server = Server::start("");
    let place = json!({ "rules": "tsivy", "moves": ["f2-e3A"] });
    let begun = Instant::now();
    let request = json!({ "page": 7, "place": place, "lines": 2 });
    let mut search = server.search("/analyse", &request);
    let first = report(&mut search, |report| report["kind"] == "line");
    // On a busy machine, too.
    assert!(begun.elapsed() < Duration::from_secs(5));
    assert_eq!(first["rank"], 1);
    let turns = first["turns"].as_str().unwrap_or_default();
    assert!(turns.contains(':'), "{first}");
    let chance = first["chance"].as_f64().unwrap_or(-1.0);
    assert!((0.0..=100.0).contains(&chance), "{first}");
    report(&mut search, |report| report["rank"] == 2);
    let clock = json!({ "remaining": 200, "increment": 0 });
    let request = json!({ "page": 7, "place": place, "level": 3, "clock": clock });
    let mut search = server.search("/play", &request);
    let done = report(&mut search, |report| report["kind"] == "done");
    let played = at("tsivy", "", &["f2-e3A", text(&done["turn"])]);
    server.answer("/position", &played);
    // Of a finished game there is nothing to say.
    let over = json!({ "rules": "tsivy", "start": "8b/9/9/9/9 w 0 9" });
    let request = json!({ "page": 9, "place": over, "lines": 1 });
    let mut search = server.search("/analyse", &request);
    let done = report(&mut search, |report| report["kind"] != "line");
    assert_eq!(fields(&done, ["kind", "turn"]), json!(["done", null]));
}

/// A search of so many positions finds the same each time, whatever was searched before it.
#[test]
fn the_same_number_of_nodes_finds_the_same() {
    let found = |settings: Value, before: &[&str]| {
        let server = Server::start("");
        server.answer("/engine", &settings);
        let search = |moves: &[&str]| {
            let place = json!({ "rules": "tsivy", "moves": moves });
            let request = json!({ "page": 7, "place": place, "lines": 1, "nodes": 20_000 });
            let mut reports = server.search("/analyse", &request);
            let mut found: Vec<Value> = Vec::new();
            let is_line = |report: &Value| report["kind"] == "line";
            while found.last().is_none_or(is_line) {
                let mut next = report(&mut reports, |_| true);
                // Those have times in them.
                for key in ["speed", "comment"] {
                    next[key] = Value::Null;
                }
                found.push(next);
            }
            found
        };
        if !before.is_empty() {
            search(before);
        }
        search(&["f2-e3A"])
    };
    let first = found(json!({ "threads": 1, "hash": 16 }), &[]);
    let second = found(json!({ "threads": 4, "hash": 64 }), &["f2-e3A", "d5-d4A"]);
    assert_eq!(first, second);
    assert!(first.len() > 3 && first[0]["kind"] == "line");
}

/// A game has the same figures on the board, at the terminal and in `vato analyse --pgn`, and its hints are the moves of its
/// review.
#[test]
fn a_game_is_judged_the_same_everywhere() {
    let (server, folder) = (Server::start(""), Folder::new());
    let moves = "f2-e3A d5-d4A g3-f2W c3-d2A e3-d3W d2-d1W-e1A f2-f3A-g3A-f4A-e3W e1-d1A c2-c3A-d2W-d3W b5-b4A \
                 d3-d2W-c3A-b3A a4-a3A";
    folder.write("a.pgn", moves);
    let moves: Vec<&str> = moves.split(' ').collect();
    let text = |word: &Value| text(word).to_owned();
    let nodes = &server.answer("/start", &json!({}))["review_nodes"];
    let place = |plies: usize| json!({ "rules": "tsivy", "moves": moves[..plies] });
    let (mut found, mut best) = (Vec::new(), Vec::new());
    for plies in 0..=moves.len() {
        let request = json!({ "page": 7, "place": place(plies), "lines": 1, "nodes": nodes });
        let (mut reports, mut line) = (server.search("/analyse", &request), Value::Null);
        let done = report(&mut reports, |report| {
            let is_line = report["kind"] == "line";
            if is_line {
                line = report.clone();
            }
            !is_line
        });
        best.push(text(&line["turns"]));
        let turns = [text(&line["turns"]), text(&done["turn"])];
        found.push(json!({ "chance": line["chance"], "best": turns }));
    }
    let board = server.answer("/judge", &json!({ "place": place(12), "found": found }));
    let analysed = objects(&folder.stdout("analyse --pgn a.pgn --json")).remove(0);
    let number = |value: &Value| value.as_f64().unwrap_or(-1.0);
    for (side, name) in ["white", "black"].into_iter().enumerate() {
        let [here, there] = [&board["players"][side], &analysed["players"][name]];
        for figure in "accuracy average_loss inaccuracies mistakes blunders".split(' ') {
            let (here, there) = (number(&here[figure]), number(&there[figure]));
            let is_same = here >= 0.0 && (here - there).abs() < 1e-6;
            assert!(is_same, "{name}, {figure}: {here}, {there}");
        }
    }
    for (ply, mv) in (0..).zip(analysed["moves"].as_array().expect("moves")) {
        assert_eq!(mv["mark"], board["moves"][ply]["mark"], "{mv}");
        assert_eq!(text(&mv["best"]["pv"][0]), best[ply]);
        let white = number(&board["chances"][ply]) / 100.0;
        let expected = if ply % 2 == 0 { white } else { 1.0 - white };
        let found = number(&mv["best"]["expected"]);
        assert!((found - expected).abs() < 1e-9, "{mv}");
    }
    let mut play = folder.vato("play --as both --pgn a.pgn");
    let shown = Run::with_input(&mut play, "review\nquit\n").stdout();
    for (side, name) in [("White", "white"), ("Black", "black")] {
        let accuracy = number(&analysed["players"][name]["accuracy"]);
        let accuracy = format!(" {accuracy:.1} %");
        let is_told = |line: &str| line.starts_with(side) && line.contains(&accuracy);
        assert!(shown.lines().any(is_told), "{accuracy}: {shown}");
    }
    let typed = moves[..2].join("\n") + "\nhint\nquit\n";
    let shown = Run::with_input(&mut folder.vato("play --as both"), &typed).stdout();
    let told = format!("best move: {} ", best[2]);
    assert!(shown.contains(&told), "{told}: {shown}");
}

/// A variation that begins with the main line's own move is a part of it, and never takes its place.
#[test]
fn the_main_line_stays_the_main_line() {
    let server = Server::start("");
    let pgn = "1. f2-e3A d5-d4A {main} (1... d5-d4A $1 {again} 2. e1-d2A {other}) (1... f3-f2A) (1... f3-f2A {twice}) \
               2. e1-d2A-d3A b5-b4A *";
    let read = server.answer("/read", &json!({ "pgn": pgn }));
    let nodes = read["game"]["nodes"].as_array().expect("nodes").iter();
    let nodes = nodes.map(|node| {
        let comment = node["comment"].as_str().unwrap_or_default();
        format!("{} {} {comment}", node["parent"], text(&node["word"]))
    });
    let wanted =
        "0 f2-e3A ;1 d5-d4A main again;2 e1-d2A-d3A ;3 b5-b4A ;2 e1-d2A other;1 f3-f2A twice";
    assert_eq!(nodes.collect::<Vec<_>>().join(";"), wanted);
    assert_eq!(read["game"]["nodes"][1]["marks"], json!(["!"]));
    let written = server.answer("/write", &read["game"]);
    let again = server.answer("/read", &json!({ "pgn": written["pgn"] }));
    assert_eq!(again["game"]["nodes"].as_array().map(Vec::len), Some(6));
    assert_eq!(server.answer("/write", &again["game"]), written);
}

/// Of a file that is damaged in places, everything that can be read is; every game has its text.
#[test]
fn all_that_can_be_read_of_a_file_is() {
    let server = Server::start("");
    let games = [
        "[Event \"é€\"]\n\n1. f2-e3A (1. d3-e3A *\n\n",
        "[Event \"B\"]\n\n1. f2-e3A *\n\n",
        "[Event \"C\"]\n[FEN \"9/9\"]\n\n*\n\n",
        "[Event \"D\"]\r\n\r\n1. d3-e3A\r\n\r\n",
        "[Event \"E\"]\n\n1. f2-e3A * ",
        "1. d3-e3A {last} *",
    ];
    let pgn = games.concat();
    let read = |number: usize| server.answer("/read", &json!({ "pgn": pgn, "number": number }));
    let whole = read(1);
    let listed = whole["games"].as_array().expect("games");
    assert_eq!(listed.len(), games.len());
    let units: Vec<u16> = pgn.encode_utf16().collect();
    for (index, game) in listed.iter().enumerate() {
        let end = |index: usize| listed.get(index).and_then(|game| game["begins"].as_u64());
        let begin = end(index).expect("a place") as usize;
        let end = end(index + 1).map_or(units.len(), |end| end as usize);
        let text = String::from_utf16(&units[begin..end]).expect("whole characters");
        assert_eq!(text.trim(), games[index].trim());
        assert_eq!(game["fault"].is_string(), [0, 2].contains(&index), "{game}");
    }
    // The one wanted, or the next one that can be read, or the last.
    let numbers = [1, 3, 5].map(|number| read(number)["number"].clone());
    assert_eq!(numbers, [2, 4, 5]);
    let error = server.refusal("/read", &json!({ "pgn": games[0] }));
    assert!(error.contains("line 3"), "{error}");
}

#[test]
fn the_page_begins_with_what_the_command_names() {
    let folder = Folder::new();
    let path = folder.name("games.pgn");
    let opening = |bytes: &[u8], arguments: &str| {
        folder.write("games.pgn", bytes);
        let server = Server::start(arguments);
        server.answer("/start", &json!({}))["opening"].take()
    };
    let text = "1. f2-e3A *\n\n[White \"Rabe\"]\n\n1. d3-e3A *\n";
    // The bare file, also one whose first game cannot be read.
    let damaged = "1. f2-e3A (1. d3-e3A *\n\n[White \"b\"]\n\n1. d3-e3A *\n";
    let second = format!("--pgn {path}#2");
    for (number, text, arguments) in [(2, text, &second), (1, damaged, &path)] {
        let opening = opening(text.as_bytes(), arguments);
        let found = fields(&opening, ["number", "pgn"]);
        assert_eq!(found, json!([number, text]));
    }
    // As it is in the commands for games: Latin-1 as Windows writes it is read, other forms are named, but those that the page reads.
    let latin1 = opening(b"[White \"Rakoto\x96Rab\xe9\"]\n\n1. f2-e3A *\n", &path);
    let pgn = latin1["pgn"].as_str().expect("text");
    assert!(pgn.contains("Rakoto–Rabé"), "{pgn}");
    let wide = |order: fn(u16) -> [u8; 2]| text.encode_utf16().flat_map(order).collect::<Vec<u8>>();
    let marked = [b"\xff\xfe".to_vec(), wide(u16::to_le_bytes)].concat();
    let bare = [b"\0[".to_vec(), wide(u16::to_be_bytes)].concat();
    for (bytes, told) in [
        (&b"1. f2-e3A ("[..], "line 1"),
        (b"hello", "no game of Fanorona"),
        (b"", "no game"),
        (b"BZh9", "compressed by bzip2"),
        (b"\xff\xfe\0\0", "in UTF-32"),
    ] {
        folder.write("games.pgn", bytes);
        let error = folder.stderr("gui --no-open games.pgn", 1);
        assert!(error.contains("games.pgn"), "{error}");
        assert!(error.contains(told), "{error}");
    }
    for bytes in [&marked[..], &bare, b"\x1f\x8b\x08"] {
        let file = opening(bytes, &path)["file"].take();
        let given = file.as_str().expect("a file").chars().map(u8::try_from);
        assert_eq!(given.collect::<Result<Vec<u8>, _>>().expect("bytes"), bytes);
    }
    let positions = "5/2b2/5/2w2/5 w\n9/3b5/2w6/9/9 w\n";
    assert_eq!(opening(positions.as_bytes(), &path)["pgn"], positions);
    let error = folder.stderr("gui --no-open games.pgn#3", 1);
    let told = "2 positions, so there is no position 3";
    assert!(error.contains(told), "{error}");
    let server = Server::start("--rules dimy --fen '5/2b2/5/2w2/5 b 3 9'");
    let opening = &server.answer("/start", &json!({}))["opening"];
    assert_eq!(opening["rules"], "dimy");
    assert_eq!(opening["start"], "5/2b2/5/2w2/5 b 3 9");
}

#[test]
fn a_port_that_is_taken_is_told_at_once() {
    let server = Server::start("");
    let port = server.port;
    let taken = stderr(&format!("gui --no-open --port {port}"), 1);
    let told = format!(
        "cannot listen at 127.0.0.1:{port}: the port is taken, perhaps by another 'vato gui'"
    );
    assert!(taken.contains(&told), "{taken}");
}

/// One that is asked for by nobody is the next one; what the browser keeps belongs to it.
#[test]
fn another_port_is_told() {
    let usual = TcpListener::bind("127.0.0.1:8355");
    let mut command = vato("gui --no-open");
    command.stderr(Stdio::piped()).stdout(Stdio::piped());
    let mut process = command.spawn().expect("the program");
    let (mut url, mut told) = (String::new(), String::new());
    let out = process.stdout.take().expect("a pipe");
    let read = BufReader::new(out).read_line(&mut url);
    process.kill().expect("it runs");
    let mut err = process.stderr.take().expect("a pipe");
    err.read_to_string(&mut told).expect("text");
    process.wait().expect("it ran");
    read.expect("an address");
    drop(usual);
    let is_at = |port: u16| url.contains(&format!(":{port}/"));
    assert!((8356..8365).any(is_at), "{url}");
    assert!(told.contains("port 8355 is taken"), "{told}");
}

/// Others on the network need another address than this machine, also as a QR code, and a token that stays.
#[test]
fn the_address_for_the_network_is_printed() {
    let folder = Folder::new();
    let data = folder.path("data");
    let token = |url: &str| url.rsplit_once('#').map(|(_, token)| token.to_owned());
    let first = network_urls(&data);
    assert_eq!(token(&first[0]), token(&network_urls(&data)[0]));
    assert_ne!(token(&first[0]), Some(Server::start("").token.clone()));
}

/// The addresses that a server for the network prints.
fn network_urls(data: &std::path::Path) -> Vec<String> {
    let mut command = vato("gui --no-open --port 0 --address 0.0.0.0");
    command.env("XDG_DATA_HOME", data);
    let process = command.stdout(Stdio::piped()).spawn();
    let mut process = process.expect("the program");
    let lines = BufReader::new(process.stdout.take().expect("a pipe")).lines();
    // Without a network there is no other address.
    let socket = UdpSocket::bind("0.0.0.0:0").and_then(|socket| socket.connect("192.0.2.1:9"));
    let urls = lines
        .map_while(Result::ok)
        .take(1 + 5 * usize::from(socket.is_ok()));
    let mut urls: Vec<String> = urls.collect();
    process.kill().expect("it runs");
    process.wait().expect("it ran");
    assert!(urls[0].starts_with("http://127.0.0.1:"), "{urls:?}");
    let code = urls.split_off(urls.len().min(2));
    let has_corner = |line: &String| line.contains("█ ▄▄▄▄▄ █");
    assert_eq!(code.iter().any(has_corner), socket.is_ok(), "{code:?}");
    for url in &urls[1..] {
        let is_here = url.contains("0.0.0.0") || url.contains("127.0.0.1");
        assert!(!is_here, "{url}");
        let rest = |url: &str| url.rsplit_once(':').map(|(_, rest)| rest.to_owned());
        assert_eq!(rest(url), rest(&urls[0]));
    }
    urls
}

/// A link may be given in place of a file, also where its signs are written by their numbers.
#[test]
fn a_link_is_passed_on() {
    for link in ["#game=H4s-_w&ply=3.1.0", "%23game%3dH4s-_w%26ply%3D3.1.0"] {
        let server = Server::start(&format!("http://127.0.0.1:8355/{link}"));
        assert!(server.token.ends_with("&game=H4s-_w&ply=3.1.0"), "{link}");
    }
}

/// Games of other programs come with the PGN that is made of them, and those that are left out have their numbers.
#[test]
fn games_in_other_formats_are_read() {
    let server = Server::start("");
    let read = |pgn: &str| server.answer("/read", &json!({ "pgn": pgn }));
    let count = |read: &Value| read["game"]["nodes"].as_array().map(Vec::len);
    let sgf = include_str!("../../data/games/boardspace.sgf");
    let damaged = sgf.replace("Capture A F 2 E 3", "Capture W F 2 E 3");
    let both = read(&format!("{damaged}{sgf}"));
    assert_eq!(both["games"].as_array().map(Vec::len), Some(2));
    assert_eq!([&both["number"], &both["games"][1]["begins"]], [2, 0]);
    assert_eq!(count(&both), Some(38));
    assert_eq!(both["game"]["rules"], "repeat=0 limit=0");
    let fault = both["games"][0]["fault"].as_str().unwrap_or_default();
    let told = "nothing to capture by withdrawal";
    assert!(fault.contains(told), "{fault}");
    let again = read(both["pgn"].as_str().expect("text"));
    let found = fields(&again, ["game", "pgn"]);
    assert_eq!(found, json!([both["game"], null]));
    let error = server.refusal("/read", &json!({ "pgn": damaged }));
    assert!(error.contains(told), "{error}");
    // An illegal turn and what follows it are kept as a comment.
    let game = include_str!("../../data/games/abstractplay.json").replace("c3d2+", "c3d2-");
    let kept = read(&game);
    assert_eq!(count(&kept), Some(3));
    for told in [&kept["game"]["nodes"][2]["comment"], &kept["faults"][0]] {
        assert!(told.to_string().contains("c3d2-"), "{kept}");
    }
    for words in [
        "hello world",
        "https://abstractplay.com/play/fanorona/0/123e4567",
        "C:\\games\\e4.pgn",
    ] {
        let none = server.refusal("/read", &json!({ "pgn": words }));
        assert!(none.ends_with("no game of Fanorona in this text"), "{none}");
    }
    // A list of turns is read as it is, in any notation.
    let list = read("1. f2e3 D5SF 2. xg3-f2");
    let words = list["game"]["nodes"].as_array().expect("nodes").iter();
    let words: Vec<&str> = words.map(|node| text(&node["word"])).collect();
    assert_eq!(words, ["f2-e3A", "d5-d4A", "g3-f2W"]);
    assert_eq!(list["pgn"], Value::Null);
}

/// What a person may read of the server is among the texts of the page, so that it comes in the page's language.
#[test]
fn errors_are_in_all_languages() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/src/tools/pages/texts.json");
    let texts = std::fs::read_to_string(path).expect("texts");
    let texts: serde_json::Map<String, Value> = serde_json::from_str(&texts).expect("JSON");
    let errors = texts.iter().filter(|(key, _)| key.starts_with("error-"));
    let errors = errors.filter_map(|(_, texts)| texts[0].as_str().map(str::to_owned));
    let open = |text: String| {
        (0..9).fold(text, |text, place| {
            text.replace(&format!("{{{place}}}"), "…")
        })
    };
    let patterns: Vec<String> = errors.map(open).collect();
    let is_known = |message: &str| patterns.iter().any(|pattern| matches(pattern, message));
    assert!(is_known("move 'x' is illegal: so") && !is_known("a message of nobody"));
    let server = Server::start("");
    let check = |path: &str, body: &Value| {
        let error = server.refusal(path, body);
        assert!(is_known(&error), "{body:.80}: {error}");
        // What stands behind the line, or the step, as well.
        let (_, inner) = error.split_once(": ").unwrap_or(("", &error));
        let is_value = inner.starts_with("expected") && is_known(&error);
        let is_command = inner.starts_with("see ");
        assert!(is_known(inner) || is_value || is_command, "{body}: {inner}");
        error
    };
    check("/read", &json!({ "pgn": "1. f2-e3A ".repeat(12_000) }));
    let deep = format!("1. f2-e3A {}", "(1. d3-e3A ".repeat(70));
    check("/read", &json!({ "pgn": deep }));
    compare_requests("board_refused", check);
}
