//! A worker of OpenBench, played by this test: the arguments that it gives to its match runner, and how it reads what
//! this one prints and writes.

use std::collections::BTreeMap;
use std::fs::{self, Permissions};
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::Command;

use libtest_mimic::Trial;
use tempfile::TempDir;

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
    let mut trials = Vec::new();
    // An honest engine needs no time; one that oversleeps has as little.
    for limit in [
        "tc=inf nodes=200",
        "tc=inf depth=2",
        "tc=0.25+0.02 timemargin=250",
        "tc=20/0.40+0.00 timemargin=250",
        "st=0.02 timemargin=250",
    ] {
        let name = format!("openbench: a workload with {limit}");
        trials.push(timed_trial(name, move || honest(limit)));
    }
    for (behaviour, limit, faults, termination) in [
        ("crash:3", "tc=10.00+0.10", [4, 0, 0], "abandoned"),
        ("hang:3", "tc=1.00+0.50", [4, 0, 0], "stalled"),
        ("wait-for-stop:3", "tc=1.00+0.50", [0, 4, 0], "time forfeit"),
        ("illegal:3", "tc=10.00+0.10", [0, 0, 4], "illegal"),
        ("garbage:3", "tc=10.00+0.10", [0, 0, 4], "illegal"),
    ] {
        let name = format!("openbench: {behaviour}");
        trials.push(timed_trial(name, move || {
            faulty(behaviour, limit, faults, termination)
        }));
    }
    trials
}

fn honest(limit: &str) {
    // Clocks take their time.
    let rounds = if limit.starts_with("tc=inf") { 3 } else { 1 };
    let client = Client::new();
    let played = client.play(&format!("-concurrency 2 -rounds {rounds}"), limit);
    played.assert_games(2 * rounds, [0; 3]);
    for game in &played.pgn {
        assert!(!game.comments.is_empty());
        for comment in &game.comments {
            assert!(is_told(comment), "{comment}");
        }
    }
    // Both games of a pair have the same opening, and pairs have others.
    let openings = played.pgn.iter().map(|game| &*game.tags["FEN"]);
    let mut openings: Vec<&str> = openings.collect();
    openings.sort_unstable();
    assert!(openings.chunks(2).all(|pair| pair[0] == pair[1]));
    openings.dedup();
    assert_eq!(openings.len() as u32, rounds);
}

fn faulty(behaviour: &str, limit: &str, faults: [u32; 3], termination: &str) {
    let client = Client::new();
    client.script(DEV, behaviour);
    let played = client.play(
        "-concurrency 4 -rounds 2",
        &format!("{limit} timemargin=250"),
    );
    played.assert_games(4, faults);
    for (number, result) in &played.games {
        assert_eq!(result, if number % 2 == 1 { "0-1" } else { "1-0" });
    }
    for game in &played.pgn {
        let told = &game.tags["Termination"];
        assert!(told.contains(termination), "{told}");
    }
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

    /// Replaces an engine by one that behaves like this.
    fn script(&self, engine: &str, behaviour: &str) {
        let path = self.path(engine);
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
        played.pgn = Game::read(&self.path(PGN));
        played
    }
}

/// What the worker knows of the games.
#[derive(Debug, Default)]
struct Played {
    games: BTreeMap<u32, String>,
    /// Crashes, losses on time, illegal moves.
    faults: [u32; 3],
    pgn: Vec<Game>,
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

    /// Requires all games up to this number, and as many faults.
    fn assert_games(&self, count: u32, faults: [u32; 3]) {
        assert!(self.games.keys().copied().eq(1..=count), "{self:?}");
        assert_eq!(self.faults, faults);
        assert_eq!(self.pgn.len(), count as usize);
        for game in &self.pgn {
            let number = game.tags["Round"].parse().expect("a number");
            assert_eq!(game.tags["Result"], self.games[&number]);
        }
    }
}

/// A game of the file.
#[derive(Debug)]
struct Game {
    tags: BTreeMap<String, String>,
    comments: Vec<String>,
}

impl Game {
    /// The games of a file: tags, a blank line, moves, a blank line, and so on.
    fn read(path: &Path) -> Vec<Game> {
        let text = fs::read_to_string(path).expect("the games are there");
        let blocks: Vec<&str> = text.trim_end().split("\n\n").collect();
        let games = blocks.chunks(2).map(|blocks| match blocks {
            [tags, moves] => Game::of(tags, moves),
            _ => panic!("no moves: {blocks:?}"),
        });
        games.collect()
    }

    fn of(tags: &str, moves: &str) -> Game {
        let tag = |line: &str| {
            let tag = line
                .strip_prefix('[')
                .and_then(|line| line.strip_suffix("\"]"));
            let (name, value) = tag.and_then(|tag| tag.split_once(" \"")).expect(line);
            (name.to_owned(), value.to_owned())
        };
        let tags: BTreeMap<String, String> = tags.lines().map(tag).collect();
        let moves = moves.replace('\n', " ");
        assert!(moves.ends_with(&format!(" {}", tags["Result"])), "{moves}");
        let comments = moves
            .split('{')
            .skip(1)
            .filter_map(|part| part.split('}').next());
        let comments: Vec<String> = comments.map(str::to_owned).collect();
        // A comment for each move, which the worker takes apart.
        let is_move = |word: &&str| word.starts_with(|first: char| first.is_ascii_lowercase());
        let outside = moves
            .split('}')
            .map(|part| part.split('{').next().unwrap_or_default());
        let count = outside
            .flat_map(str::split_whitespace)
            .filter(is_move)
            .count();
        assert_eq!(count, comments.len(), "{moves}");
        Game { tags, comments }
    }
}

/// Whether a comment has all that the worker keeps: `SCORE/DEPTH SECONDSs, n=NODES, sd=DEPTH`.
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
