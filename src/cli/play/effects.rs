//! Carries out the effects requested by the model: searches, files.

use std::cmp::Reverse;
use std::fs::File;
use std::io::{BufWriter, ErrorKind, Write};
use std::path::PathBuf;
use std::time::SystemTime;

use vato_engine::board::Side;
use vato_engine::engine::Settings;
use vato_engine::rules::Game;
use vato_engine::search::{Control, Limits};
use vato_tools::notation::pgn::GameRecord;
use vato_tools::play::{Effect, Input, SearchThread};
use vato_tools::review::{self, Mark};

use crate::cli::pgn::read_game;
use crate::cli::support::progress::progress_bar;
use crate::cli::support::text::move_number;
use vato_engine::text::timestamp;

#[derive(Debug)]
pub enum Consequence {
    Input(Input),
    /// The file exists; the player must confirm that it may be replaced.
    MayReplace(PathBuf),
    Page(Vec<String>),
}

/// Carries out an effect; `None` if it has no immediate result.
pub fn carry_out(engine: &mut SearchThread, effect: Effect) -> Option<Consequence> {
    let followed = match effect {
        Effect::Search(request) => {
            engine.search(*request);
            return None;
        }
        Effect::StopSearch => {
            engine.stop();
            return None;
        }
        Effect::Save {
            path,
            mut record,
            is_of_today,
            replace,
        } => date(&mut record, is_of_today).and_then(|()| save(path, &record, replace)),
        Effect::Open(path) => {
            read_game(&path).map(|found| Consequence::Input(Input::Opened(Box::new(found))))
        }
        Effect::Review(game) => review_text(&game, &engine.settings).map(Consequence::Page),
    };
    Some(followed.unwrap_or_else(|message| Consequence::Input(Input::Failed(message))))
}

/// Sets the date of a game played today, if it has none, to the current date in UTC, in PGN format.
fn date(record: &mut GameRecord, is_of_today: bool) -> Result<(), String> {
    let is_dated = record
        .tag_value("Date")
        .is_some_and(|date| !date.starts_with('?'));
    if is_dated || !is_of_today {
        return Ok(());
    }
    let now = timestamp(SystemTime::now(), 0);
    let day = now.split('T').next().unwrap_or_default().replace('-', ".");
    let dated = record.set_tag("Date", &day);
    dated.map_err(|error| error.to_string())
}

/// Writes a record to a file of its own. A failure leaves an existing file unchanged. A symbolic link is followed and
/// its target written.
fn save(path: PathBuf, record: &GameRecord, replace: bool) -> Result<Consequence, String> {
    let write = |file: &mut BufWriter<File>| write!(file, "{record}");
    // Folders and devices are refused before any question whether to replace them.
    let written = vato_solver::files::destination(&path).and_then(|_| match replace {
        true => vato_solver::files::replace(&path, write),
        false => vato_solver::files::create(&path, write),
    });
    match written {
        Ok(()) => Ok(Consequence::Input(Input::Saved(path))),
        Err(error) if !replace && error.kind() == ErrorKind::AlreadyExists => {
            Ok(Consequence::MayReplace(path))
        }
        Err(error) => Err(format!("cannot write {}: {error}", path.display())),
    }
}

const REVIEW_MOVES: usize = 10;

/// The accuracy of both players and the most costly moves.
fn review_text(game: &Game, settings: &Settings) -> Result<Vec<String>, String> {
    let limits = Limits {
        nodes: Some(review::NODES),
        ..Limits::default()
    };
    let mut engine = review::engine(settings);
    let bar = progress_bar(game.moves().len() as u64 + 1, "positions");
    let review = review::review(game, &mut engine, &limits, &Control::new(), &mut || {
        bar.inc(1)
    });
    bar.finish_and_clear();
    let review = review.map_err(|error| error.to_string())?;
    let Some(review) = review.filter(|review| !review.moves.is_empty()) else {
        return Err("there are no moves to review".to_owned());
    };
    let mut lines = vec!["      accuracy  inaccuracies  mistakes  blunders".to_owned()];
    for (side, player) in Side::BOTH.iter().zip(&review.players) {
        let accuracy = player.accuracy.map(|it| format!("{it:.1} %"));
        let accuracy = accuracy.unwrap_or("-".to_owned());
        let [inaccuracies, mistakes, blunders] = Mark::ALL.map(|mark| player.count(mark));
        lines.push(format!(
            "{side:<5} {accuracy:>8} {inaccuracies:>13} {mistakes:>9} {blunders:>9}"
        ));
    }
    lines.push(String::new());
    let mut costly = review.moves;
    costly.retain(|judged| judged.judgement.mark.is_some());
    costly.sort_by_key(|judged| Reverse(judged.judgement.hundredths()));
    costly.truncate(REVIEW_MOVES);
    costly.sort_by_key(|judged| judged.ply);
    for judged in costly {
        let best = judged.better_line().map(|line| &line.pv[0]);
        let better = best.map_or(String::new(), |best| format!("; best {best}"));
        lines.push(format!(
            "{} {}: {}, cost {:.2}{better}",
            move_number(&judged.before.position),
            judged.text,
            judged.judgement.mark.map_or("", Mark::name),
            judged.judgement.loss,
        ));
    }
    Ok(lines)
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use vato_engine::notation::parse_turn;

    use vato_engine::rules::Rules;

    use super::*;

    fn save(path: &Path, record: &GameRecord, replace: bool) -> Result<Consequence, String> {
        super::save(path.to_owned(), record, replace)
    }

    fn only_game(path: &Path) -> GameRecord {
        let found = read_game(path).expect("read");
        assert_eq!(found.games, 1);
        found.record
    }

    #[test]
    fn a_game_is_reviewed() {
        let rules = Rules::STANDARD;
        let mut game = Game::new(rules);
        let settings = Settings::default();
        assert!(review_text(&game, &settings).is_err());
        for text in ["d3-e3A", "c3-d3A", "b2-c3A"] {
            let (_, mv) = parse_turn(text, &rules, game.position()).expect("legal");
            game.play(mv).expect("legal");
        }
        let lines = review_text(&game, &settings).expect("a review").join("\n");
        assert!(
            lines.contains("White") && lines.contains("Black"),
            "{lines}"
        );
        assert!(lines.contains("2. b2-c3A: blunder, cost 0."), "{lines}");
    }

    #[test]
    fn files_are_not_replaced_by_accident() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("game.pgn");
        let rules = Rules::STANDARD;
        let empty = GameRecord::new(&rules, &rules.start());
        let mut played = empty.clone();
        played.push_move("f2-e3A", None).expect("a move");
        save(&path, &empty, false).expect("written");
        let numbered = |number: u64| {
            let path = PathBuf::from(format!("{}#{number}", path.display()));
            read_game(&path).map(|found| (found.number, found.games))
        };
        assert_eq!(numbered(1), Ok((1, 1)));
        let error = numbered(2).expect_err("there is one");
        assert!(
            error.ends_with("has 1 game, so there is no game 2"),
            "{error}"
        );
        let again = save(&path, &played, false).expect("it exists");
        assert!(matches!(again, Consequence::MayReplace(_)));
        assert_eq!(only_game(&path), empty);
        save(&path, &played, true).expect("replaced");
        assert_eq!(only_game(&path), played);
        assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 1);
    }

    #[test]
    fn a_folder_is_no_file() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("games");
        fs::create_dir(&path).expect("another one");
        for replace in [false, true] {
            let error = save(&path, &GameRecord::default(), replace).expect_err("a folder");
            assert_eq!(
                error,
                format!("cannot write {}: is a directory", path.display())
            );
        }
        assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 1);
    }

    /// No question whether to replace something that cannot be replaced.
    #[cfg(unix)]
    #[test]
    fn links_are_followed_and_pipes_refused() {
        use std::os::unix::fs::{FileTypeExt, symlink};

        let folder = tempfile::tempdir().expect("a folder");
        let [file, link, pipe] = ["game", "link", "pipe"].map(|name| folder.path().join(name));
        let record = GameRecord::default();
        fs::write(&file, "old").expect("written");
        symlink("game", &link).expect("a link");
        let asked = save(&link, &record, false).expect("it exists");
        assert!(matches!(asked, Consequence::MayReplace(path) if path == link));
        save(&link, &record, true).expect("written");
        assert!(link.is_symlink());
        assert_eq!(only_game(&file), record);

        let made = std::process::Command::new("mkfifo").arg(&pipe).status();
        assert!(made.expect("mkfifo runs").success());
        for replace in [false, true] {
            let error = save(&pipe, &record, replace).expect_err("a pipe");
            assert_eq!(
                error,
                format!("cannot write {}: not a regular file", pipe.display())
            );
        }
        let metadata = fs::metadata(&pipe).expect("it is there");
        assert!(metadata.file_type().is_fifo());
    }

    /// The name is too long. (That an existing file is left unchanged is tested with `vato_solver::files::replace`.)
    #[test]
    fn what_fails_leaves_everything_as_it_was() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("g".repeat(300));
        for replace in [false, true] {
            save(&path, &GameRecord::default(), replace).expect_err("no place");
            assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 0);
        }
    }

    #[test]
    fn what_goes_wrong_is_named() {
        let folder = tempfile::tempdir().expect("a folder");
        let missing = folder.path().join("none").join("game.pgn");
        let record = GameRecord::default();
        for replace in [false, true] {
            let error = save(&missing, &record, replace).expect_err("no folder");
            assert!(error.starts_with("cannot write "), "{error}");
        }
        let error = read_game(&missing).map(|_| ()).expect_err("no file");
        assert!(error.starts_with("cannot read "), "{error}");
        let path = folder.path().join("bad.pgn");
        fs::write(&path, "").expect("written");
        let error = read_game(&path).map(|_| ()).expect_err("no game");
        assert_eq!(error, format!("{} has no game", path.display()));
        fs::write(&path, "[White \"x\"]\n\n1. f2-e3A }").expect("written");
        let error = read_game(&path).map(|_| ()).expect_err("no game");
        assert!(error.contains("line 3: unexpected '}'"), "{error}");
        let error = read_game(folder.path()).map(|_| ()).expect_err("a folder");
        let begin = format!("cannot read {}: ", folder.path().display());
        assert!(
            error.starts_with(&begin) && !error.contains("line"),
            "{error}"
        );
    }
}
