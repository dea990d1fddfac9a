//! From `go` to the limits of a search.

use std::time::Duration;

use super::Dialect;
use super::command_error::and_more;
use super::go::GoCommand;
use super::settings::Settings;
use crate::board::Move;
use crate::excerpt::excerpt;
use crate::notation::parse_turn;
use crate::rules::Game;
use crate::search::{Clock, Limits, Strength};

/// Times from outside are held to this many milliseconds (about 35 years), so that sums of them
/// cannot overflow.
const LONGEST_TIME: u64 = 1 << 40;

/// The limits that `go` means at the current position of `game`, and what there is to say about
/// parts of it that cannot be had.
pub(super) fn limits(
    go: &GoCommand,
    game: &Game,
    settings: &Settings,
    dialect: Dialect,
) -> (Limits, Vec<String>) {
    let mut notes = Vec::new();
    let mut limits = Limits {
        depth: go.depth,
        nodes: go.nodes,
        movetime: go.movetime.map(milliseconds),
        clock: None,
        mate: go.mate.map(|mate| dialect.plies_of_mate(mate)),
        infinite: is_infinite(go),
        ponder: go.ponder,
        searchmoves: searchmoves(&go.searchmoves, game, &mut notes),
        multipv: settings.multipv,
        move_overhead: settings.move_overhead,
        analyse: settings.analyse_mode,
        strength: strength(go, settings),
        started: None,
    };
    let side = game.position().side();
    let remaining = go
        .time
        .of(side)
        .map(|time| u64::try_from(time).unwrap_or(0));
    match remaining {
        Some(remaining) if remaining > 0 => {
            limits.clock = Some(Clock {
                remaining: milliseconds(remaining),
                increment: milliseconds(go.increment.of(side).unwrap_or(0)),
                moves_to_go: go.movestogo.filter(|&moves| moves > 0),
            });
        }
        // No time left: the least that gives a move.
        Some(_) => limits.depth = Some(1),
        None => {}
    }
    if limits.mate == Some(0) {
        limits.mate = None;
        limits.depth = Some(1);
    }
    let unlimited = limits.depth.is_none()
        && limits.nodes.is_none()
        && limits.movetime.is_none()
        && limits.clock.is_none()
        && limits.mate.is_none();
    if unlimited && go.has_limit() && !go.infinite {
        notes.push(format!(
            "go: no time is given for {side}, so the search is short"
        ));
        limits.depth = Some(1);
    }
    (limits, notes)
}

/// Whether only `stop` ends the search.
fn is_infinite(go: &GoCommand) -> bool {
    go.infinite || !(go.ponder || go.has_limit())
}

/// How strong the search is. What is held back is the move to be played: an analysis is worth as much as
/// it can be.
fn strength(go: &GoCommand, settings: &Settings) -> Strength {
    match is_infinite(go) || go.mate.is_some() || settings.analyse_mode {
        true => Strength::FULL,
        false => settings.skill.strength(),
    }
}

fn milliseconds(count: u64) -> Duration {
    Duration::from_millis(count.min(LONGEST_TIME))
}

/// The legal ones among the moves to search.
fn searchmoves(words: &[String], game: &Game, notes: &mut Vec<String>) -> Vec<Move> {
    let mut moves = Vec::new();
    let mut first_error = None;
    let mut errors = 0;
    for word in words {
        match parse_turn(word, game.rules(), game.position()) {
            Ok((_, mv)) => moves.push(mv),
            Err(error) => {
                errors += 1;
                first_error.get_or_insert((word, error));
            }
        }
    }
    if let Some((word, error)) = first_error {
        let rest = if moves.is_empty() {
            ", so all moves are searched"
        } else {
            ""
        };
        notes.push(format!(
            "searchmoves: '{}' is dropped: {error}{}{rest}",
            excerpt(word),
            and_more(errors - 1),
        ));
    }
    moves.sort_unstable();
    moves.dedup();
    moves
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::{Command, PerPlayer};
    use crate::rules::Rules;

    fn plan(text: &str, dialect: Dialect) -> (Limits, Vec<String>) {
        let Some(Command::Go(go)) = Command::parse(text, &mut Vec::new()) else {
            panic!("{text}");
        };
        limits(
            &go,
            &Game::new(Rules::STANDARD),
            &Settings::default(),
            dialect,
        )
    }

    #[test]
    fn clocks_of_the_side_to_move() {
        let (limits, notes) = plan("go wtime 5000 btime 7 winc 30 movestogo 0", Dialect::Uci);
        let clock = limits.clock.expect("a clock");
        assert_eq!(clock.remaining, Duration::from_secs(5));
        assert_eq!(clock.increment, Duration::from_millis(30));
        assert_eq!((clock.moves_to_go, limits.depth), (None, None));
        assert!(!limits.infinite && notes.is_empty());
    }

    #[test]
    fn no_time_is_a_short_search() {
        for text in [
            "p1time 0 p2time 9",
            "p1time -5",
            "p2time 9",
            "p1inc 5",
            "movestogo 3",
            "mate 0",
        ] {
            let (limits, _) = plan(&format!("go {text}"), Dialect::Ugi);
            assert_eq!((limits.depth, limits.clock), (Some(1), None), "{text}");
            assert!(!limits.infinite, "{text}");
        }
        let (limits, notes) = plan("go p2time 9 movetime 100", Dialect::Ugi);
        assert_eq!((limits.depth, notes.len()), (None, 0));
    }

    #[test]
    fn searches_without_end() {
        for text in [
            "go",
            "go infinite",
            "go searchmoves d3-e3A",
            "go infinite p2time 9",
        ] {
            let (limits, _) = plan(text, Dialect::Ugi);
            assert!(limits.infinite && limits.depth.is_none(), "{text}");
        }
        let (limits, _) = plan("go ponder", Dialect::Ugi);
        assert!(limits.ponder && !limits.infinite && limits.depth.is_none());
    }

    #[test]
    fn analysis_has_all_the_strength_there_is() {
        let mut settings = Settings::default();
        settings.skill.level = 3;
        let strength = |text: &str, settings: &Settings| {
            let mut complaints = Vec::new();
            let Some(Command::Go(go)) = Command::parse(text, &mut complaints) else {
                panic!("{text}");
            };
            super::strength(&go, settings)
        };
        let limited = Strength::from_level(3).elo();
        for text in ["go wtime 9", "go nodes 9", "go ponder", "go depth x"] {
            assert_eq!(strength(text, &settings).elo(), limited, "{text}");
        }
        for text in ["go", "go infinite", "go infinite wtime 9", "go mate 3"] {
            assert!(strength(text, &settings).is_full(), "{text}");
        }
        settings.analyse_mode = true;
        assert!(strength("go nodes 9", &settings).is_full());
    }

    #[test]
    fn mates_are_counted_in_the_dialect() {
        assert_eq!(plan("go mate 3", Dialect::Ugi).0.mate, Some(3));
        assert_eq!(plan("go mate 3", Dialect::Uci).0.mate, Some(6));
    }

    #[test]
    fn illegal_searchmoves_are_dropped() {
        let (limits, notes) = plan("go searchmoves zz d3-e3A a1-a2 d3e3a", Dialect::Ugi);
        assert_eq!((limits.searchmoves.len(), notes.len()), (1, 1));
        assert!(
            notes
                .iter()
                .any(|note| note.contains("'zz'") && note.contains("(and 1 more)"))
        );
        let (limits, notes) = plan("go depth 1 searchmoves zz", Dialect::Ugi);
        assert_eq!(limits.searchmoves, []);
        assert!(notes.iter().any(|note| note.contains("all moves")));
    }

    #[test]
    fn times_are_held_to_what_can_be_added_up() {
        let go = GoCommand {
            time: PerPlayer {
                white: Some(i64::MAX),
                black: None,
            },
            movetime: Some(u64::MAX),
            ..GoCommand::default()
        };
        let game = Game::new(Rules::STANDARD);
        let (limits, _) = limits(&go, &game, &Settings::default(), Dialect::Ugi);
        assert!(limits.movetime < Some(Duration::from_secs(1 << 32)));
        assert!(
            limits
                .clock
                .is_some_and(|clock| clock.remaining < Duration::from_secs(1 << 32))
        );
    }
}
