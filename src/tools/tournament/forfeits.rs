//! Games that engines lose because they do not start.
//!
//! In a match of two such an engine ends it. Among more it loses the games that it misses, and after some of them in
//! a row it is withdrawn, so that formats that wait for results go on; when the match is resumed, all are tried again.

use std::sync::Mutex;

use super::settings::{MatchSettings, TournamentFormat};
use vato_engine::memory::lock;

/// Missed games in a row after which an engine is withdrawn.
pub(super) const MOST_MISSED: u32 = 3;

/// The missed games of each engine, shared by all workers.
#[derive(Debug)]
pub(super) struct Forfeits<'a> {
    settings: &'a MatchSettings,
    missed: Mutex<Vec<u32>>,
}

/// The consequence of a missed game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Missed {
    /// It has lost this game.
    Game,
    /// It has lost this game, and those that are still to come.
    Withdrawn,
    /// The match cannot go on without it.
    Match,
}

impl<'a> Forfeits<'a> {
    pub(super) fn new(settings: &'a MatchSettings) -> Forfeits<'a> {
        Forfeits {
            settings,
            missed: Mutex::new(vec![0; settings.engines.len()]),
        }
    }

    pub(super) fn is_withdrawn(&self, engine: usize) -> bool {
        lock(&self.missed)[engine] >= MOST_MISSED
    }

    /// The engine has started.
    pub(super) fn came(&self, engine: usize) {
        let missed = &mut lock(&self.missed)[engine];
        // A withdrawal is final: later games may have been forfeited already.
        if *missed < MOST_MISSED {
            *missed = 0;
        }
    }

    /// The engine has not started for a game.
    pub(super) fn missed(&self, engine: usize) -> Missed {
        let mut counts = lock(&self.missed);
        let absent: Vec<usize> = (0..counts.len())
            .filter(|&other| other == engine || counts[other] >= MOST_MISSED)
            .collect();
        if !can_do_without(self.settings, &absent) {
            return Missed::Match;
        }
        counts[engine] = counts[engine].saturating_add(1);
        if counts[engine] == MOST_MISSED {
            Missed::Withdrawn
        } else {
            Missed::Game
        }
    }
}

/// Whether a match can go on when these engines (by their places in the settings) do not start: as long
/// as there are two others and, in a gauntlet, the one that all others play against.
pub(super) fn can_do_without(settings: &MatchSettings, absent: &[usize]) -> bool {
    let gauntlet = settings.format() == TournamentFormat::Gauntlet;
    let left = (0..settings.engines.len()).filter(|engine| !absent.contains(engine));
    left.count() >= 2 && !(gauntlet && absent.contains(&0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tournament::settings::EngineSettings;

    fn settings(engines: usize, format: Option<TournamentFormat>) -> MatchSettings {
        MatchSettings {
            format,
            engines: vec![EngineSettings::default(); engines],
            ..MatchSettings::default()
        }
    }

    #[test]
    fn three_games_in_a_row_are_too_many() {
        let settings = settings(4, None);
        let forfeits = Forfeits::new(&settings);
        assert_eq!(forfeits.missed(3), Missed::Game);
        assert_eq!(forfeits.missed(3), Missed::Game);
        forfeits.came(3);
        assert_eq!(forfeits.missed(3), Missed::Game);
        assert_eq!(forfeits.missed(3), Missed::Game);
        assert_eq!(forfeits.missed(3), Missed::Withdrawn);
        assert_eq!(forfeits.missed(3), Missed::Game, "at two places at once");
        forfeits.came(3);
        assert!(forfeits.is_withdrawn(3));
        assert!(!forfeits.is_withdrawn(0));
    }

    #[test]
    fn two_have_to_be_left() {
        let two = settings(2, None);
        assert_eq!(Forfeits::new(&two).missed(0), Missed::Match);
        let three = settings(3, None);
        let forfeits = Forfeits::new(&three);
        for wanted in [Missed::Game, Missed::Game, Missed::Withdrawn] {
            assert_eq!(forfeits.missed(1), wanted);
        }
        assert_eq!(forfeits.missed(0), Missed::Match);
    }

    #[test]
    fn who_is_needed_to_go_on() {
        let swiss = settings(4, Some(TournamentFormat::Swiss));
        assert!(can_do_without(&swiss, &[]));
        assert!(can_do_without(&swiss, &[0, 2]));
        assert!(!can_do_without(&swiss, &[0, 2, 3]));
        assert!(!can_do_without(&settings(2, None), &[1]));
        let gauntlet = settings(4, Some(TournamentFormat::Gauntlet));
        assert!(!can_do_without(&gauntlet, &[0]));
        assert!(can_do_without(&gauntlet, &[1]));
    }
}
