//! Who plays whom, and how often: the part of a match's settings that its format has a say in.

mod anchor;
mod error;
mod format;
mod shard;

pub use anchor::Anchor;
pub use error::TournamentError;
pub use format::TournamentFormat;
pub use shard::Shard;

use super::MatchSettings;
use crate::excerpt::excerpt;
use crate::openings::OpeningSource;
use crate::rules::Vela;

/// The most engines of a match.
const MOST_ENGINES: usize = 256;

impl MatchSettings {
    /// The system by which engines are paired: as set, else pairs for two engines and a round robin
    /// for more.
    #[must_use]
    pub fn format(&self) -> TournamentFormat {
        self.format.unwrap_or(if self.engines.len() > 2 {
            TournamentFormat::RoundRobin
        } else {
            TournamentFormat::Pairs
        })
    }

    /// Games as the format counts them: all games of pairs, the games of an encounter elsewhere;
    /// those of a set of riatra, and the most of a round of the vela.
    #[must_use]
    pub fn games(&self) -> u32 {
        match self.format() {
            TournamentFormat::Riatra => 10,
            TournamentFormat::Vela => self.round_games.unwrap_or(MatchSettings::ROUND_GAMES),
            format => self.games.or(format.default_games()).unwrap_or(2),
        }
    }

    /// How often the engines of a round robin, gauntlet, riatra or vela meet, or how many rounds a
    /// Swiss tournament has; 1 for the other formats.
    #[must_use]
    pub fn rounds(&self) -> u32 {
        let default = self.format().default_rounds(self.engines.len());
        self.rounds.or(default).unwrap_or(1)
    }

    /// Pairs of games by which a level encounter of a knockout is extended at most.
    #[must_use]
    pub fn extra_pairs(&self) -> u32 {
        self.extra_pairs.unwrap_or(MatchSettings::EXTRA_PAIRS)
    }

    /// The most games of a round of the vela, unless something else is set.
    pub const ROUND_GAMES: u32 = 10;

    /// Pairs of games by which a level encounter of a knockout is extended at most, unless something
    /// else is set.
    pub const EXTRA_PAIRS: u32 = 2;

    /// The most rounds that a Swiss tournament of so many engines surely has without a rematch: up to
    /// [`MatchSettings::LOOK_AHEAD`] engines as many as there are opponents (with an odd number, and a bye
    /// for everybody, one more); with more engines half as many as there are, rounded up.
    #[must_use]
    pub fn most_swiss_rounds(engines: usize) -> u32 {
        let places = engines.next_multiple_of(2) as u32;
        if places as usize <= MatchSettings::LOOK_AHEAD {
            places.saturating_sub(1)
        } else {
            places / 2
        }
    }

    /// Up to so many engines the pairings of a Swiss tournament look ahead to its last round.
    pub const LOOK_AHEAD: usize = 16;

    /// Says what the format has by default, so that the record of the match shows it.
    pub(in crate::tournament) fn fill_in_format(&mut self) {
        let format = self.format();
        self.format = Some(format);
        self.games = self.games.or(format.default_games());
        self.rounds = self.rounds.or(format.default_rounds(self.engines.len()));
        if format == TournamentFormat::Vela {
            self.round_games.get_or_insert(MatchSettings::ROUND_GAMES);
        }
        if format == TournamentFormat::Knockout {
            self.extra_pairs.get_or_insert(MatchSettings::EXTRA_PAIRS);
        }
    }

    /// Checks the number of engines and everything that the format has a say in.
    ///
    /// # Errors
    ///
    /// Names the first setting that cannot be.
    pub(super) fn validate_tournament(&self) -> Result<(), TournamentError> {
        let (format, count) = (self.format(), self.engines.len());
        if count < 2 {
            return Err(TournamentError::TooFewEngines(count));
        }
        if count > MOST_ENGINES {
            return Err(TournamentError::TooManyEngines(count));
        }
        if format == TournamentFormat::Pairs && count > 2 {
            return Err(TournamentError::NotTwoEngines(count));
        }
        self.validate_counts(format)?;
        if format == TournamentFormat::Swiss {
            let most = MatchSettings::most_swiss_rounds(count);
            if self.rounds() > most {
                return Err(TournamentError::TooManyRounds {
                    rounds: self.rounds(),
                    most,
                    engines: count,
                });
            }
        }
        let openings = &self.openings;
        let own_openings = matches!(openings.source, None | Some(OpeningSource::Riatra))
            && openings.order == Default::default()
            && openings.plies.is_none()
            && openings.start.is_none();
        if format == TournamentFormat::Riatra && !own_openings {
            return Err(TournamentError::Openings);
        }
        if format == TournamentFormat::Vela && self.rules.vela != Vela::Off {
            return Err(TournamentError::VelaRules);
        }
        if self.shard.is_some() && format.depends_on_results() {
            return Err(TournamentError::Indivisible(format.name()));
        }
        if self.sprt.is_some() {
            if self.shard.is_some() {
                return Err(TournamentError::Indivisible("a sequential test"));
            }
            let testable = matches!(format, TournamentFormat::Pairs | TournamentFormat::Riatra);
            if count > 2 || !testable {
                return Err(TournamentError::Sprt);
            }
        }
        if self.anchor.is_some() && count == 2 {
            return Err(TournamentError::AnchorOfTwo);
        }
        Ok(())
    }

    fn validate_counts(&self, format: TournamentFormat) -> Result<(), TournamentError> {
        let unused = |setting, advice| {
            Err(TournamentError::Unused {
                setting,
                format,
                advice,
            })
        };
        for (setting, value) in [("games", self.games), ("rounds", self.rounds)] {
            if value == Some(0) {
                return Err(TournamentError::Zero(setting));
            }
        }
        match self.games {
            Some(_) if format.default_games().is_none() => {
                return unused("games", "; say its rounds (--rounds)");
            }
            Some(games) if format != TournamentFormat::Pairs && !games.is_multiple_of(2) => {
                return Err(TournamentError::OddGames(games));
            }
            _ => {}
        }
        if self.rounds.is_some() && format.default_rounds(self.engines.len()).is_none() {
            return unused("rounds", "; say its games (--games)");
        }
        match self.round_games {
            Some(_) if format != TournamentFormat::Vela => return unused("round_games", ""),
            Some(games) if games < 2 => return Err(TournamentError::ShortRound(games)),
            _ => {}
        }
        if self.extra_pairs.is_some() && format != TournamentFormat::Knockout {
            return unused("extra_pairs", "");
        }
        Ok(())
    }

    /// Checks that the anchor plays; the engines have their names by now.
    pub(in crate::tournament) fn validate_anchor(&self) -> Result<(), TournamentError> {
        let Some(anchor) = &self.anchor else {
            return Ok(());
        };
        let names = || {
            self.engines
                .iter()
                .flat_map(|engine| engine.name.as_deref())
        };
        if names().any(|name| name == anchor.name) {
            return Ok(());
        }
        Err(TournamentError::NoSuchAnchor {
            name: excerpt(&anchor.name),
            names: names().collect::<Vec<_>>().join(", "),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tournament::settings::EngineSettings;
    use crate::tournament::settings::sprt_from_pairs;

    fn settings(format: TournamentFormat, engines: usize) -> MatchSettings {
        MatchSettings {
            format: Some(format),
            engines: vec![EngineSettings::default(); engines],
            ..MatchSettings::default()
        }
    }

    #[test]
    fn two_engines_play_pairs_and_more_a_round_robin() {
        for (count, wanted) in [
            (2, TournamentFormat::Pairs),
            (3, TournamentFormat::RoundRobin),
        ] {
            let mut settings = settings(TournamentFormat::Vela, count);
            settings.format = None;
            assert_eq!(settings.format(), wanted);
            settings.fill_in_format();
            assert_eq!(settings.format, Some(wanted));
            assert_eq!(settings.validate_tournament(), Ok(()));
        }
    }

    #[test]
    fn what_is_wrong_is_named() {
        use TournamentFormat::*;
        let error = |format, engines, change: &dyn Fn(&mut MatchSettings)| {
            let mut settings = settings(format, engines);
            change(&mut settings);
            let wrong = settings.validate_tournament().expect_err("wrong");
            wrong.to_string()
        };
        let nothing: &dyn Fn(&mut MatchSettings) = &|_| {};
        assert_eq!(error(Swiss, 1, nothing), "want at least two engines, not 1");
        assert!(error(Pairs, 3, nothing).starts_with("the format pairs wants two engines, not 3"));
        assert!(error(Swiss, 257, nothing).contains("at most 256"));
        assert!(error(Swiss, 4, &|set| set.games = Some(3)).contains("even number"));
        assert_eq!(
            error(Pairs, 2, &|set| set.games = Some(0)),
            "games: want at least 1"
        );
        assert!(error(Riatra, 2, &|set| set.games = Some(10)).contains("say its rounds"));
        assert!(error(Knockout, 4, &|set| set.rounds = Some(2)).contains("say its games"));
        assert!(error(Swiss, 4, &|set| set.rounds = Some(4)).contains("at most 3"));
        assert!(error(Swiss, 4, &|set| set.rounds = Some(4)).ends_with("not to meet twice"));
        assert!(error(Swiss, 16, &|set| set.rounds = Some(16)).contains("at most 15"));
        // Here more are possible, but not surely.
        let late = error(Swiss, 20, &|set| set.rounds = Some(11));
        assert!(
            late.contains("at most 10: with more than 16 engines"),
            "{late}"
        );
        assert!(error(Swiss, 4, &|set| set.round_games = Some(4)).contains("round_games"));
        assert!(error(Vela, 2, &|set| set.round_games = Some(1)).contains("at least 2"));
        assert!(error(Vela, 2, &|set| set.extra_pairs = Some(1)).contains("extra_pairs"));
        assert!(
            error(Vela, 2, &|set| set.rules.vela = crate::rules::Vela::Black)
                .contains("without a 'vela'")
        );
        let sharp = |set: &mut MatchSettings| set.openings.source = Some(OpeningSource::Sharp);
        assert!(error(Riatra, 2, &sharp).contains("its own five"));
        let shard = |set: &mut MatchSettings| set.shard = "1/2".parse().ok();
        for format in [Swiss, Knockout] {
            assert!(error(format, 4, &shard).contains("cannot be played in parts"));
        }
        let test = |set: &mut MatchSettings| set.sprt = sprt_from_pairs("elo0=0,elo1=5").ok();
        assert!(error(RoundRobin, 2, &test).starts_with("sprt: want two engines"));
        assert!(error(Riatra, 3, &test).starts_with("sprt: want two engines"));
        let both = |set: &mut MatchSettings| {
            test(set);
            shard(set);
        };
        assert!(error(Pairs, 2, &both).contains("a sequential test"));
        assert!(error(Pairs, 2, &|set| set.anchor = "A".parse().ok()).contains("two engines"));
    }
}
