//! Self-play games for training.
//!
//! A game begins with random plies to a position that no other game has begun from and that a short
//! search does not call decided. Then every move is searched with the same number of nodes, until the
//! game ends, the search proves who wins, or so few stones are left that tablebases know the result.
//! Every position searched becomes a record, and beside it go asides: positions a few random plies off
//! the game. Most positions that a search evaluates follow bad moves; a network trained on good
//! moves only misjudges them.

mod game;
mod settings;

use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

use self::game::{Openings, Player};
pub use self::settings::{SelfPlaySettings, Target};
use super::TrainingError;
use super::data::{Appender, Contents, Record, Sample};
use vato_engine::board::Canonical;
use vato_engine::memory::{lock, thread_pool};
use vato_engine::search::{Control, STACK_BYTES};
use vato_tools::stop::StopSignal;

const TICK: Duration = Duration::from_millis(50);

/// Plays until the file holds the target number, continuing an existing file, or until it is to stop. `progress` is called at the
/// beginning and after every game, from any thread.
///
/// The games do not depend on each other but for their openings, which differ: with one thread the
/// same settings give the same file, however often the program was killed meanwhile; with several the
/// games' order, and which of them gets an opening that two have drawn, is a matter of chance.
///
/// # Errors
///
/// If the settings are invalid, the file has other settings or cannot be written, or memory, threads,
/// tablebases or openings are not available.
pub fn play(
    settings: &SelfPlaySettings,
    path: &Path,
    stop: &StopSignal,
    progress: &(dyn Fn(Contents) + Sync),
) -> Result<Contents, TrainingError> {
    let tables = settings.tablebases()?;
    settings.check()?;
    let openings = Openings::default();
    let board = settings.rules.board;
    let header = settings.header(tables.as_deref());
    let appender = Appender::open(path, &header, |sample| {
        openings.insert(Canonical::of(board, &sample.position()));
    })?;
    let pool = thread_pool(settings.threads, "self-play", Some(STACK_BYTES))?;
    // Of the next game, from which its opening derives.
    let next = AtomicU64::new(appender.contents.games);
    let is_over = AtomicBool::new(settings.target.is_reached(appender.contents));
    let file = Mutex::new(appender);
    let control = Control::new();
    // Plays game after game, on one thread.
    let work = || -> Result<(), TrainingError> {
        let mut player = Player::new(settings, tables.clone(), &openings, &control, stop)?;
        while !is_over.load(Ordering::Relaxed) && !stop.is_given() {
            let number = next.fetch_add(1, Ordering::Relaxed);
            let Some((opening, mut random)) = player.draw(number)? else {
                break;
            };
            let samples = player.play(opening, &mut random)?;
            if stop.is_now() {
                break;
            }
            let mut file = lock(&file);
            if settings.target.is_reached(file.contents) {
                break;
            }
            let game = file.contents.games as u16;
            let records = samples.into_iter();
            let records = records.map(|sample| Record::new(&Sample { game, ..sample }));
            file.append(&records.collect::<Vec<_>>())?;
            let contents = file.contents;
            is_over.fetch_or(settings.target.is_reached(contents), Ordering::Relaxed);
            // With the file still locked, so that reports come in order.
            progress(contents);
        }
        Ok(())
    };
    progress(lock(&file).contents);
    let (results, inbox) = channel();
    pool.in_place_scope(|scope| {
        let (work, is_over) = (&work, &is_over);
        scope.spawn_broadcast(move |_, _| {
            let result = work();
            if result.is_err() {
                is_over.store(true, Ordering::Relaxed);
            }
            // The receiver outlives all threads.
            let _ = results.send(result);
        });
        let mut outcome = Ok(());
        loop {
            match inbox.recv_timeout(TICK) {
                Ok(result) => outcome = outcome.and(result),
                Err(RecvTimeoutError::Timeout) if stop.is_now() => control.stop(),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return outcome,
            }
        }
    })?;
    Ok(lock(&file).contents)
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::data::{DataFile, RECORD_BYTES};
    use vato_engine::eval::Evaluation;
    use vato_engine::rules::{Game, Preset, Rules, legal_moves};
    use vato_engine::tablebase::Tablebases;

    impl Default for SelfPlaySettings {
        fn default() -> SelfPlaySettings {
            SelfPlaySettings {
                rules: Rules::STANDARD,
                target: Target::default(),
                nodes: 1_000,
                random_plies: [4, 12],
                opening_score: 200,
                asides: 2,
                seed: 0,
                threads: 1,
                tablebases: Vec::new(),
                tablebase_cache: Tablebases::DEFAULT_CACHE_BYTES,
                evaluation: Evaluation::default(),
            }
        }
    }

    fn settings(games: u64) -> SelfPlaySettings {
        SelfPlaySettings {
            target: Target {
                games: Some(games),
                ..Target::default()
            },
            nodes: 200,
            ..SelfPlaySettings::default()
        }
    }

    fn run(settings: &SelfPlaySettings, path: &Path) -> DataFile {
        let done = play(settings, path, &StopSignal::new(), &|_| {}).expect("played");
        let file = DataFile::read(path).expect("written");
        assert_eq!(done.positions, file.records.len() as u64);
        file
    }

    /// The games of a file: positions that follow from one another, one result, one number.
    fn check(file: &DataFile, rules: &Rules) -> usize {
        let (mut games, mut asides) = (0, 0);
        let mut openings = HashSet::new();
        for game in file
            .records
            .split_inclusive(|record| record.sample().is_last)
        {
            assert!(game.last().is_some_and(|record| record.sample().is_last));
            let played = game.iter().filter(|record| !record.sample().is_aside());
            let samples: Vec<_> = played.map(Record::sample).collect();
            let number = |record: &Record| usize::from(record.sample().game);
            assert!(game.iter().all(|record| number(record) == games));
            asides += game.len() - samples.len();
            let first = samples[0].position();
            assert!(openings.insert(Canonical::of(rules.board, &first)));
            for (index, sample) in samples.iter().enumerate() {
                assert_eq!(sample.result, samples[0].result);
                assert_eq!(usize::from(sample.ply), usize::from(samples[0].ply) + index);
                assert!(sample.is_last || !sample.is_decided());
                let next = samples.get(index + 1).map(crate::data::Sample::position);
                let position = sample.position();
                let moves = legal_moves(rules, &position);
                assert!(next.is_none_or(|next| moves.iter().any(|&mv| {
                    let after = position.play(mv);
                    (after.key(), after.halfmove_clock()) == (next.key(), next.halfmove_clock())
                })));
            }
            assert!(Game::from_position(*rules, first).outcome().is_none());
            games += 1;
        }
        assert!(asides > games);
        games
    }

    #[test]
    fn games_are_whole_and_begin_in_different_places() {
        let folder = tempfile::tempdir().expect("a folder");
        for preset in [Preset::Tsivy, Preset::Vela, Preset::Dimy] {
            let rules = preset.rules().expect("rules");
            let settings = SelfPlaySettings {
                rules,
                threads: 2,
                random_plies: [2, 4],
                // In a vela one side is always far ahead.
                opening_score: 10_000,
                ..settings(12)
            };
            let file = run(&settings, &folder.path().join(preset.name()));
            assert_eq!(check(&file, &rules), 12, "{preset}");
            let told = vato_engine::rules::parse_rules(&file.header.rules);
            assert_eq!(told, Ok(rules));
        }
    }

    /// A file that is cut off anywhere is completed to what it would have been.
    #[test]
    fn a_run_goes_on_where_it_was_killed() {
        let folder = tempfile::tempdir().expect("a folder");
        let (whole, cut) = (folder.path().join("whole"), folder.path().join("cut"));
        let settings = settings(8);
        let file = run(&settings, &whole);
        let bytes = std::fs::read(&whole).expect("written");
        let header = bytes.len() - file.records.len() * RECORD_BYTES;
        let within = header + 30 * RECORD_BYTES;
        for length in [0, header, header + 5, within, bytes.len() - 1] {
            std::fs::write(&cut, &bytes[..length]).expect("written");
            assert!(run(&settings, &cut) == file, "cut at {length}");
        }
        let more = SelfPlaySettings {
            target: Target {
                positions: Some(file.records.len() as u64 + 1),
                ..Target::default()
            },
            ..settings
        };
        let longer = run(&more, &cut);
        assert!(longer.records.starts_with(&file.records));
        assert_eq!(check(&longer, &Rules::STANDARD), 9);
    }

    /// A header may be written in more than one way; records begin where it ends.
    #[test]
    fn a_header_is_as_long_as_it_is() {
        let folder = tempfile::tempdir().expect("a folder");
        let (one, other) = (folder.path().join("one"), folder.path().join("other"));
        let file = run(&settings(2), &one);
        let bytes = std::fs::read(&one).expect("written");
        let start = bytes.len() - file.records.len() * RECORD_BYTES;
        let mut longer = bytes[..8 + 4].to_vec();
        let json = [&bytes[16..start - 4], b"  "].concat();
        longer.extend((json.len() as u32).to_le_bytes());
        longer.extend(json);
        longer.extend(crc32fast::hash(&longer).to_le_bytes());
        longer.extend(&bytes[start..]);
        std::fs::write(&other, longer).expect("written");
        let records = run(&settings(3), &other).records;
        assert!(records == run(&settings(3), &one).records);
        assert_eq!(check(&run(&settings(3), &other), &Rules::STANDARD), 3);
    }

    #[test]
    fn another_runs_file_is_left_alone() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("games");
        run(&settings(1), &path);
        let before = std::fs::read(&path).expect("written");
        let [mut seed, mut nodes, mut rules] = [(); 3].map(|()| settings(2));
        seed.seed = 9;
        nodes.nodes = 9;
        rules.rules = Preset::FullChain.rules().expect("rules");
        for (other, wanted) in [
            (seed, "seed 0 there, 9 here"),
            (nodes, "nodes 200 there, 9 here"),
            (rules, "rules '' there"),
        ] {
            let error = play(&other, &path, &StopSignal::new(), &|_| {}).expect_err(wanted);
            assert!(error.to_string().contains(wanted), "{error}");
        }
        assert_eq!(std::fs::read(&path).expect("still there"), before);
        std::fs::write(&path, "something else").expect("written");
        play(&settings(2), &path, &StopSignal::new(), &|_| {}).expect_err("no data");
    }

    #[test]
    fn settings_without_sense_are_refused() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("games");
        let telo = SelfPlaySettings {
            rules: Preset::Telo.rules().expect("rules"),
            random_plies: [0, 0],
            ..settings(5)
        };
        // There is one opening, and that is decided.
        let error = play(&telo, &path, &StopSignal::new(), &|_| {}).expect_err("no opening");
        assert!(error.to_string().contains("no new opening"), "{error}");
    }
}
