//! `vato play`: a person against the engine.

mod lines;
mod table;
mod typed;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use clap::Args;
use vato_engine::engine::{Engine, Settings, TableFiles};
use vato_engine::rules::{Game, Preset};
use vato_engine::search::{Limits, SearchLimit, Strength};
use vato_engine::tablebase::TableFolders;
use vato_tools::clock::TimeControl;
use vato_tools::play::PERFECT_LEVEL;
use vato_tools::review::NODES;

use self::table::{Player, Table, Told};
use super::pgn::read_game;
use super::support::arguments::{LimitArguments, PositionArguments, SearchArguments, number};
use super::support::failure::{Context, Failure};
use super::support::present::charset;

const MOVE_TIME: SearchLimit = SearchLimit::Movetime(1_500);
const HINT_NODES: SearchLimit = SearchLimit::Nodes(NODES);

/// Play against the engine
///
/// The game is played line by line: type moves and commands; `help` lists them. The board in the browser is `vato gui`.
/// You play White unless --as says otherwise; `--as both` is a board for two people, `--as none`
/// shows the engine playing itself. A bare FILE is a file of games, as with --pgn.
#[derive(Args, Debug)]
#[command(mut_arg("movetime", |time| time.help("Time of the engine per move, in milliseconds [default: 1500]")))]
#[command(override_usage = "vato play [OPTIONS] [FILE]")]
#[command(after_help = "Examples:
  vato play
  vato play --as black --level 5
  vato play --tc 5:00+3
  vato play --as both --rules telo
  vato play games.pgn#3

A move is its origin, then for each step the point it leads to and A (approach) or W (withdrawal): \
d5-d4A-c5W. Hyphens may be left out, letters may be small: d5d4ac5w. Notations of other programs are read, too.")]
pub struct Arguments {
    /// Sides played by people: white, black, both or none
    #[arg(
        long = "as",
        value_name = "SIDE",
        value_enum,
        default_value_t,
        ignore_case = true,
        hide_possible_values = true
    )]
    player: Player,

    /// Strength of the engine: 0 to 19, 20 at full strength, 21 also by the proof, so that it never loses the standard
    /// game
    #[arg(long, value_name = "N", default_value_t = Strength::FIRST_LEVEL, value_parser = number::<u32>(0..=u64::from(PERFECT_LEVEL)))]
    level: u32,

    #[command(flatten)]
    limit: LimitArguments,

    /// Clock for both players: [moves/]time[+increment] in seconds, such as 5:00+3
    #[arg(long, value_name = "TC", conflicts_with_all = ["depth", "nodes", "movetime"])]
    tc: Option<TimeControl>,

    #[command(flatten)]
    position: PositionArguments,

    /// Continue the first game of this file under its rules; FILE#N: game N
    #[arg(long, value_name = "FILE", conflicts_with_all = ["fen", "rules"])]
    pgn: Option<PathBuf>,

    #[command(flatten)]
    search: SearchArguments,

    /// Draw the board in plain ASCII (the default where the locale is not UTF-8)
    #[arg(long)]
    ascii: bool,
}

impl Arguments {
    /// The game to begin with, what is told of it, and the settings of the engine for its rules.
    fn game_and_engine(&self) -> Result<(Table, Told, Settings), Failure> {
        let (rules, start) = self.position.read()?;
        let game = Game::from_position(rules, start);
        let mut table = Table::new(game, self.player, self.level, self.tc);
        let mut told = Ok(String::new());
        if let Some(path) = &self.pgn {
            told = Ok(load(&mut table, path).map_err(Failure::Error)?);
        }
        let engine = Settings {
            variant: Preset::Custom,
            custom_rules: *table.game.rules(),
            tables: Some(TableFiles::of(TableFolders::auto())),
            search: self.search.settings()?,
            ..Settings::default()
        };
        Ok((table, told, engine))
    }
}

pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let (table, told, engine) = arguments.game_and_engine()?;
    // A network or tablebases that cannot be loaded must fail before the game starts.
    Engine::new(engine.clone()).prepare()?;
    let limits = |default| Limits::from(arguments.limit.given().unwrap_or(default));
    let of_moves = match arguments.tc {
        Some(_) => Limits::default(),
        None => limits(MOVE_TIME),
    };
    let limits = [of_moves, limits(HINT_NODES)];
    lines::run(table, &told, engine, limits, charset(arguments.ascii))
}

/// Continues a game of a file: the first, or game N if the path ends in `#N`.
fn load(table: &mut Table, path: &Path) -> Told {
    let found = read_game(path)?;
    let (path, number, games) = (found.path.display(), found.number, found.games);
    let taken = table.take_over(found.record);
    taken.map_err(|error| format!("{path}: {error}"))?;
    Ok(match games {
        1 => format!("read {path}"),
        _ => format!("read game {number} of {games}; {path}#N opens game N"),
    })
}

/// Time left, `4:05.3`.
fn time_text(time: Duration) -> String {
    let tenths = time.as_millis() / 100;
    let (minutes, seconds) = (tenths / 600, tenths / 10 % 60);
    format!("{minutes}:{seconds:02}.{}", tenths % 10)
}

/// The interval at which the time is to be read. While the process is suspended (Ctrl-Z in a shell) no
/// clock runs; the time since the last reading is lost then.
const TICK: Duration = Duration::from_millis(100);

/// A stopwatch that runs only while the process does.
struct Stopwatch {
    taken: Instant,
    /// Whether the process was suspended and resumed since.
    was_halted: Arc<AtomicBool>,
}

impl Stopwatch {
    fn start() -> Result<Stopwatch, Failure> {
        let was_halted = Arc::new(AtomicBool::new(false));
        #[cfg(unix)]
        signal_hook::flag::register(signal_hook::consts::SIGCONT, Arc::clone(&was_halted))
            .context("cannot listen to signals")?;
        Ok(Stopwatch {
            taken: Instant::now(),
            was_halted,
        })
    }

    /// The time since the last reading; the reading is moved to now.
    fn take(&mut self) -> Duration {
        let now = Instant::now();
        let time = match self.was_halted.swap(false, Ordering::SeqCst) {
            true => Duration::ZERO,
            false => now - self.taken,
        };
        self.taken = now;
        time
    }

    fn elapsed(&self) -> Duration {
        self.taken.elapsed()
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;
    use vato_engine::rules::parse_rules;

    use super::*;

    #[derive(Parser)]
    struct Command {
        #[command(flatten)]
        play: Arguments,
    }

    fn engine(arguments: &[&str]) -> Settings {
        let words = [&["play"], arguments].concat();
        let arguments = Command::try_parse_from(words).expect("arguments").play;
        arguments.game_and_engine().expect("a game").2
    }

    /// Solving tables takes long enough to be charged to a clock.
    #[test]
    fn the_engine_is_made_ready_for_the_rules_of_the_game() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("game.pgn");
        std::fs::write(&path, "[Variant \"dimy\"]\n\n1. b3-c3A *\n").expect("written");
        let name = path.to_str().expect("UTF-8");
        let rules = |text| parse_rules(text).expect("rules");
        assert_eq!(engine(&["--pgn", name]).rules(), rules("dimy"));
        assert_eq!(engine(&["--rules", "telo"]).rules(), rules("telo"));
        assert_eq!(engine(&[]).rules(), rules("tsivy"));
    }

    #[test]
    fn times_as_clocks_show_them() {
        let text = |milliseconds| time_text(Duration::from_millis(milliseconds));
        assert_eq!(text(0), "0:00.0");
        assert_eq!(text(9_350), "0:09.3");
        assert_eq!(text(3_725_000), "62:05.0");
    }

    #[test]
    fn a_halt_does_not_count() {
        let mut watch = Stopwatch::start().expect("signals");
        while watch.elapsed().is_zero() {}
        assert!(!watch.take().is_zero());
        while watch.elapsed().is_zero() {}
        watch.was_halted.store(true, Ordering::SeqCst);
        assert!(watch.take().is_zero());
        while watch.elapsed().is_zero() {}
        assert!(!watch.take().is_zero());
    }
}
