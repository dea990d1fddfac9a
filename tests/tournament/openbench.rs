//! A worker of OpenBench, played by this test: the arguments that it gives to its match runner, and how it reads what
//! this one prints and writes.

use std::collections::BTreeMap;
use std::fs::{self, Permissions};
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::Command;

use libtest_mimic::Trial;
use tempfile::TempDir;
use vato_records::pgn::{GameRecord, PgnReader};

use crate::engine::PLAY_AS;
use crate::timed_trial;

const PROGRAM: &str = env!("CARGO_BIN_EXE_vato");

/// The engines, as the worker calls what it has built.
const DEV: &str = "Engines/Vato-0123ABCD";
const BASE: &str = "Engines/Vato-89ABCDEF";

/// Four openings; numbers go on behind the last.
const BOOK: &str = "\
bb1bb1bb1/bb2b1b1b/b6bw/2b1w1www/ww2ww1ww w 0 4
bb1b2bbb/bbb1b1bbb/b1b2w1bw/w1w1w1www/1ww1wwwww w 0 4
bb1b1bbb1/bbb1b3b/bwbw2b2/www1w3w/wwww5 w 0 5; id \"three\";
bb1b1b1bb/bbb6/bw1w3bw/4b3w/wwww1w1w1 w 0 4
";

const PGN: &str = "PGNs/1.1.1795681668.0.pgn";

pub fn trials() -> Vec<Trial> {
    let faults = [
        ("honest", "tc=20/4.00+0.00", [0, 0, 0], "normal"),
        ("crash:3", "tc=10.00+0.10", [4, 0, 0], "abandoned"),
        ("hang:3", "tc=1.00+0.50", [4, 0, 0], "stalled"),
        ("wait-for-stop:3", "tc=1.00+0.50", [0, 4, 0], "time forfeit"),
        ("illegal:3", "tc=10.00+0.10", [0, 0, 4], "illegal"),
        ("garbage:3", "tc=10.00+0.10", [0, 0, 4], "illegal"),
    ];
    let faulty = faults.map(|(behaviour, limit, faults, termination)| {
        timed_trial(format!("openbench: {behaviour}"), move || {
            faulty(behaviour, limit, faults, termination);
        })
    });
    faulty
        .into_iter()
        .chain([timed_trial("openbench: what it keeps", honest)])
        .collect()
}

/// One engine behaves like this; the worker counts the faults and finds them in the games.
fn faulty(behaviour: &str, limit: &str, faults: [u32; 3], termination: &str) {
    let client = Client::new();
    client.script(behaviour);
    let played = client.play(
        "-concurrency 4 -rounds 2",
        &format!("{limit} timemargin=250"),
    );
    assert_eq!(played.faults, faults);
    assert_eq!((played.games.len(), played.pgn.len()), (4, 4));
    for (number, result) in &played.games {
        let lost = if number % 2 == 1 { "0-1" } else { "1-0" };
        assert!(
            result == lost || behaviour == "honest",
            "{number}: {result}"
        );
    }
    for game in &played.pgn {
        let tag = |name| game.tag_value(name).expect(name);
        assert_eq!(
            tag("Result"),
            played.games[&tag("Round").parse().expect("a number")]
        );
        let told = tag("Termination");
        assert!(
            told.contains(termination) || behaviour == "honest",
            "{told}"
        );
    }
}

/// Vato itself: all that the worker keeps, `SCORE/DEPTH SECONDSs, n=NODES, sd=DEPTH`, for each move; both games of a
/// pair have the same opening, and pairs have others.
fn honest() {
    let played = Client::new().play("-concurrency 2 -rounds 3", "tc=inf nodes=200");
    assert_eq!((played.games.len(), played.faults), (6, [0; 3]));
    for game in &played.pgn {
        for mv in game.moves() {
            let comment = mv.comment.as_deref().expect("a comment");
            assert!(is_told(comment), "{comment}");
        }
    }
    let openings = played
        .pgn
        .iter()
        .map(|game| game.tag_value("FEN").expect("a position"));
    let mut openings: Vec<&str> = openings.collect();
    openings.sort_unstable();
    assert!(openings.chunks(2).all(|pair| pair[0] == pair[1]));
    openings.dedup();
    assert_eq!(openings.len(), 3);
}

/// The folder of a worker.
struct Client(TempDir);

impl Client {
    fn new() -> Client {
        let client = Client(tempfile::tempdir().expect("a folder"));
        for folder in ["Engines", "Books", "PGNs"] {
            fs::create_dir(client.path(folder)).expect("a folder");
        }
        for name in ["fastchess-ob", DEV, BASE] {
            symlink(PROGRAM, client.path(name)).expect("a link");
        }
        fs::write(client.path("Books/Fanorona.epd"), BOOK).expect("a book");
        client
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// Replaces the engine that is tested by one that behaves like this.
    fn script(&self, behaviour: &str) {
        let path = self.path(DEV);
        fs::remove_file(&path).expect("it is there");
        let this = std::env::current_exe().expect("this program is somewhere");
        let script = format!(
            "#!/bin/sh\nexec '{}' {PLAY_AS} {behaviour}\n",
            this.display()
        );
        fs::write(&path, script).expect("a script");
        fs::set_permissions(&path, Permissions::from_mode(0o755)).expect("it can be run");
    }

    /// Runs the match runner as a worker that has tables of chess does for any game, and reads what comes of it.
    fn play(&self, games: &str, limit: &str) -> Played {
        let player = |engine: &str, branch: &str| {
            let file = engine.trim_start_matches("Engines/");
            format!(
                "-engine dir=Engines/ cmd=./{file} proto=uci {limit} option.Threads=1 option.Hash=8 \
                 option.SyzygyPath=/no/such/folder option.\"Skill Level=20\" name=Vato-{branch}"
            )
        };
        let arguments = format!(
            "-recover -variant fischerandom -testEnv {games} -games 2 -resign movecount=3 score=600 \
             -draw movenumber=30 movecount=8 score=20 -tb /no/such/folder -tbpieces 6 {} {} -openings \
             file=Books/Fanorona.epd format=epd order=random start=401 -srand 1 -pgnout file={PGN} \
             seldepth=true nodes=true match_line='^info string pgncomment .*'",
            player(DEV, "dev"),
            player(BASE, "base"),
        );
        let words = shell_words::split(&arguments).expect("words");
        let mut command = Command::new("./fastchess-ob");
        command.args(words).current_dir(self.0.path());
        let output = command.env_remove("RUST_LOG").output().expect("it starts");
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{errors}");
        let mut played = Played::read(&output.stdout);
        played.pgn = read_games(&self.path(PGN));
        played
    }
}

/// What the worker knows of the games.
#[derive(Debug, Default)]
struct Played {
    games: BTreeMap<u32, String>,
    /// Crashes, losses on time, illegal moves.
    faults: [u32; 3],
    pgn: Vec<GameRecord>,
}

impl Played {
    /// Reads standard output, where the worker stops at a blank line, and would stumble over other bytes than ASCII.
    fn read(output: &[u8]) -> Played {
        assert!(output.is_ascii() && output.ends_with(b"\n"));
        let mut played = Played::default();
        let text = String::from_utf8_lossy(output);
        // Of what comes behind a blank line, after the last game, it reads nothing.
        let lines = text.lines().take_while(|line| !line.trim().is_empty());
        for line in lines.filter(|line| line.contains("Finished game")) {
            played.finish(line);
        }
        played
    }

    fn finish(&mut self, line: &str) {
        let words: Vec<&str> = line.split_whitespace().collect();
        let number = words[2].parse().expect("a number");
        let players = match number % 2 {
            1 => "(Vato-dev vs Vato-base):",
            _ => "(Vato-base vs Vato-dev):",
        };
        assert_eq!(words[3..6].join(" "), players, "{line}");
        assert!(["1-0", "0-1", "1/2-1/2"].contains(&words[6]), "{line}");
        let reason = line.split(':').nth(1).expect("a colon");
        let told: [&[&str]; 3] = [&["disconnect", "stalls"], &["on time"], &["illegal"]];
        for (sum, words) in self.faults.iter_mut().zip(told) {
            *sum += u32::from(words.iter().any(|word| reason.contains(word)));
        }
        let before = self.games.insert(number, words[6].to_owned());
        assert_eq!(before, None, "{line}");
    }
}

/// The games of a file, of which the worker wants tags, a blank line, moves, a blank line, and so on.
fn read_games(path: &Path) -> Vec<GameRecord> {
    let text = fs::read_to_string(path).expect("the games are there");
    let games = PgnReader::new(text.as_bytes()).map(|game| game.expect("a game"));
    let games: Vec<GameRecord> = games.collect();
    let blocks: Vec<&str> = text.trim_end().split("\n\n").collect();
    assert_eq!(blocks.len(), 2 * games.len());
    let are_moves = |text: &str| text.starts_with(|first: char| first.is_ascii_digit());
    let mut pairs = blocks.chunks(2);
    assert!(pairs.all(|game| game[0].starts_with('[') && are_moves(game[1])));
    games
}

/// Whether a comment has all that the worker keeps.
fn is_told(comment: &str) -> bool {
    let number = |text: &str| text.parse::<f64>().is_ok();
    let parts: Vec<&str> = comment.split(", ").collect();
    let [figures, nodes, depth, ..] = parts[..] else {
        return false;
    };
    let (score, rest) = figures.split_once('/').unwrap_or_default();
    let (reached, seconds) = rest.split_once(' ').unwrap_or_default();
    number(score.trim_start_matches(['+', '-']).trim_start_matches("M"))
        && number(reached)
        && seconds.strip_suffix('s').is_some_and(number)
        && nodes.strip_prefix("n=").is_some_and(number)
        && depth.strip_prefix("sd=").is_some_and(number)
}
