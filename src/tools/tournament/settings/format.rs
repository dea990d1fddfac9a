//! Format, anchor, shard, and the settings that depend on the format.

use std::fmt;
use std::str::FromStr;

use super::MatchSettings;
use super::pairs::SettingsError;
use crate::openings::{OpeningOrder, OpeningSource};
use vato_engine::rules::{CaptureRule, Eating, Rules, Vela};
use vato_engine::text::{excerpt, named_enum, serde_as_text};

const MOST_ENGINES: usize = 256;

named_enum! {
    /// The system by which engines are paired.
    pub enum TournamentFormat {
        /// Two engines play every opening twice, with colours swapped.
        Pairs = "pairs",
        /// Every engine against every other.
        RoundRobin = "roundrobin",
        /// The first engine against all others.
        Gauntlet = "gauntlet",
        /// Round by round, engines with as many points as each other meet, and no two twice.
        Swiss = "swiss",
        /// The loser of an encounter is out.
        Knockout = "knockout",
        /// Sets of ten games over the five openings; every engine against every other.
        Riatra = "riatra",
        /// Rounds of a normal game and its revenge; every engine against every other.
        Vela = "vela",
    }
}

impl TournamentFormat {
    /// Defaults of the [`MatchSettings::LENGTHS`]; `None` where the format has no use for one.
    fn default_lengths(self, engines: usize) -> [Option<u32>; 4] {
        match self {
            TournamentFormat::Pairs => [Some(100), None, None, None],
            TournamentFormat::RoundRobin | TournamentFormat::Gauntlet => {
                [Some(2), Some(1), None, None]
            }
            // As many rounds as a knockout would take: then one engine at most has won everything.
            TournamentFormat::Swiss => {
                let rounds = engines.max(2).next_power_of_two().ilog2();
                [Some(2), Some(rounds), None, None]
            }
            TournamentFormat::Knockout => [Some(2), None, None, Some(2)],
            TournamentFormat::Riatra => [None, Some(1), None, None],
            TournamentFormat::Vela => [None, Some(10), Some(10), None],
        }
    }
}

impl FromStr for TournamentFormat {
    type Err = SettingsError;

    /// Reads a name, also as others write it: `Round-Robin`.
    fn from_str(text: &str) -> Result<TournamentFormat, SettingsError> {
        let name = text.to_lowercase().replace(['-', '_', ' '], "");
        TournamentFormat::from_name(&name).ok_or_else(|| {
            let names = TournamentFormat::ALL.map(TournamentFormat::name);
            SettingsError::value("format", text, format_args!("one of {}", names.join(", ")))
        })
    }
}

/// The engine that ratings are measured from. As text `NAME=ELO`, or `NAME` for 0.
#[derive(Clone, Debug, PartialEq)]
pub struct Anchor {
    /// Its name.
    pub name: String,
    /// Its rating, in Elo.
    pub elo: f64,
}

impl fmt::Display for Anchor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}={}", self.name, self.elo)
    }
}

impl FromStr for Anchor {
    type Err = SettingsError;

    fn from_str(text: &str) -> Result<Anchor, SettingsError> {
        let expected = "NAME=ELO, with an Elo from -1000000 to 1000000";
        let wrong = || SettingsError::value("anchor", text, expected);
        // Names may have equals signs of their own.
        let (name, elo) = match text.rsplit_once('=') {
            None => (text, 0.0),
            Some((name, elo)) => (name, elo.trim().parse().map_err(|_| wrong())?),
        };
        if name.trim().is_empty() || !(-1e6..=1e6).contains(&elo) {
            return Err(wrong());
        }
        Ok(Anchor {
            name: name.trim().to_owned(),
            elo,
        })
    }
}

/// A part of a schedule that is played by itself: `number` of `count` parts. As text `2/5`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Shard {
    /// Which part, from 1.
    pub(in crate::tournament) number: u32,
    /// How many parts there are, at least 1.
    pub(in crate::tournament) count: u32,
}

impl Shard {
    /// How many of the numbers below `count` the part has.
    pub fn share_of(self, count: u64) -> u64 {
        let (parts, before) = (u64::from(self.count), u64::from(self.number - 1));
        count / parts + u64::from(count % parts > before)
    }

    /// Whether the part has the encounter (or pair, or set, or pair of rounds) with this number, from 0.
    pub const fn has(self, index: u32) -> bool {
        index % self.count == self.number - 1
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.number, self.count)
    }
}

impl FromStr for Shard {
    type Err = SettingsError;

    fn from_str(text: &str) -> Result<Shard, SettingsError> {
        let read = || {
            let (number, count) = text.split_once('/')?;
            let (number, count) = (number.parse().ok()?, count.parse().ok()?);
            (1..=count)
                .contains(&number)
                .then_some(Shard { number, count })
        };
        let expected = "NUMBER/COUNT, such as 1/4, the number at most the count";
        read().ok_or_else(|| SettingsError::value("shard", text, expected))
    }
}

serde_as_text!(Anchor, Shard, TournamentFormat);

impl MatchSettings {
    /// How engines are paired: as set, else pairs for two engines and a round robin for more.
    pub fn format(&self) -> TournamentFormat {
        self.format.unwrap_or(match self.engines.len() > 2 {
            true => TournamentFormat::RoundRobin,
            false => TournamentFormat::Pairs,
        })
    }

    /// The rules of a game. In the format vela those of the settings are the ones of the normal games, and the velas
    /// follow the tradition: nobody has to capture after the first move. Rules with a `vela` are those of the velas,
    /// and the normal games have compulsory captures.
    pub fn game_rules(&self, is_vela: bool) -> Rules {
        let is_format = self.format() == TournamentFormat::Vela;
        let (capture, vela) = match (is_vela, self.rules.vela) {
            (true, Vela::Off) => (CaptureRule::Opening, Vela::Black),
            (false, Vela::Black) if is_format => (CaptureRule::Forced, Vela::Off),
            (_, vela) => (self.rules.capture, vela),
        };
        Rules {
            capture,
            vela,
            eating: match vela {
                Vela::Off => Eating::Free,
                _ => self.rules.eating,
            },
            ..self.rules
        }
    }

    /// The settings of the length of a match. Each format has some of them.
    pub const LENGTHS: [&str; 4] = ["games", "rounds", "round-games", "extra-pairs"];

    /// The [`MatchSettings::LENGTHS`], as far as they are set.
    pub fn lengths_mut(&mut self) -> [&mut Option<u32>; 4] {
        [
            &mut self.games,
            &mut self.rounds,
            &mut self.round_games,
            &mut self.extra_pairs,
        ]
    }

    /// The [`MatchSettings::LENGTHS`] as the match has them, those that its format has no use for
    /// included: `games` are those of a set in riatra, and the most of a round in a vela.
    pub fn lengths(&self) -> [u32; 4] {
        let format = self.format();
        let defaults = format.default_lengths(self.engines.len());
        let set = [self.games, self.rounds, self.round_games, self.extra_pairs];
        let length = |place: usize| {
            set[place]
                .or(defaults[place])
                .unwrap_or([2, 1, 10, 2][place])
        };
        let [games, rounds, round_games, extra_pairs] = [0, 1, 2, 3].map(length);
        let games = match format {
            TournamentFormat::Riatra => 10,
            TournamentFormat::Vela => round_games,
            _ => games,
        };
        [games, rounds, round_games, extra_pairs]
    }

    /// The most rounds that a Swiss tournament of so many engines surely has without a rematch: up to
    /// [`MatchSettings::LOOK_AHEAD`] engines as many as there are opponents (with an odd number, and a bye
    /// for everybody, one more); with more engines half as many as there are, rounded up.
    pub fn most_swiss_rounds(engines: usize) -> u32 {
        let places = engines.next_multiple_of(2) as u32;
        if places as usize <= MatchSettings::LOOK_AHEAD {
            places.saturating_sub(1)
        } else {
            places / 2
        }
    }

    /// Up to this number of engines the pairings of a Swiss tournament look ahead to its last round.
    pub const LOOK_AHEAD: usize = 16;

    /// Writes the defaults of the format into the settings, so that the record of the match shows them.
    pub(in crate::tournament) fn fill_in_format(&mut self) {
        let format = self.format();
        self.format = Some(format);
        let defaults = format.default_lengths(self.engines.len());
        for (length, default) in self.lengths_mut().into_iter().zip(defaults) {
            *length = length.or(default);
        }
        if format == TournamentFormat::Riatra {
            self.openings.order = OpeningOrder::Sequential;
        }
    }

    /// Checks the number of engines and everything that depends on the format.
    pub(super) fn validate_format(&self) -> Result<(), SettingsError> {
        let (format, count) = (self.format(), self.engines.len());
        let wrong = |text: &str| Err(SettingsError::new(text));
        let range = format_args!("2 to {MOST_ENGINES}");
        SettingsError::unless(2..=MOST_ENGINES, "number of engines", count, range)?;
        if format == TournamentFormat::Pairs && count > 2 {
            let text = format!("the format pairs has two engines, not {count}; try roundrobin");
            return wrong(&text);
        }
        self.validate_counts(format)?;
        let openings = &self.openings;
        let own_openings = matches!(openings.source, None | Some(OpeningSource::Riatra))
            && openings.plies.is_none()
            && openings.start.is_none();
        if format == TournamentFormat::Riatra && !own_openings {
            return wrong("openings: the format riatra has its own five");
        }
        if format == TournamentFormat::Vela && self.rules.vela == Vela::White {
            return wrong(
                "rules: in the format vela White is the eater, expected vela=black or none",
            );
        }
        let depends = matches!(format, TournamentFormat::Swiss | TournamentFormat::Knockout);
        if self.shard.is_some() && depends {
            return Err(SettingsError::new(format!(
                "shard: {format} cannot be played in parts: who plays next depends on all results"
            )));
        }
        if self.shard.is_some() && self.sprt.is_some_and(|sprt| !sprt.skip_abandoned) {
            return wrong(
                "shard: parts of a sequential test have to see each other; name the folder of their records by \
                 --together DIR",
            );
        }
        let testable = matches!(format, TournamentFormat::Pairs | TournamentFormat::Riatra);
        if self.sprt.is_some() && (count > 2 || !testable) {
            return wrong("sprt: expected two engines in the format pairs or riatra");
        }
        if self.anchor.is_some() && count == 2 {
            return wrong("anchor: two engines get no ratings; three or more do");
        }
        Ok(())
    }

    fn validate_counts(&self, format: TournamentFormat) -> Result<(), SettingsError> {
        let count = self.engines.len();
        let defaults = format.default_lengths(count);
        for ((setting, value, least, advice), default) in [
            ("games", self.games, 1, "; set --rounds"),
            ("rounds", self.rounds, 1, "; set --games"),
            ("round-games", self.round_games, 2, ""),
            ("extra-pairs", self.extra_pairs, 0, ""),
        ]
        .into_iter()
        .zip(defaults)
        {
            match value {
                Some(_) if default.is_none() => {
                    let text = format!("{setting}: the format {format} has none{advice}");
                    return Err(SettingsError::new(text));
                }
                Some(value) if value < least => {
                    let expected = format_args!("at least {least}");
                    return Err(SettingsError::value(setting, value, expected));
                }
                _ => {}
            }
        }
        if let Some(games) = self.games
            && format != TournamentFormat::Pairs
            && !games.is_multiple_of(2)
        {
            let expected = "an even number: each opening is played twice, with colours swapped";
            return Err(SettingsError::value("games", games, expected));
        }
        let most = MatchSettings::most_swiss_rounds(count);
        let [_, rounds, ..] = self.lengths();
        if format == TournamentFormat::Swiss && rounds > most {
            let look_ahead = MatchSettings::LOOK_AHEAD;
            let why = if count <= look_ahead {
                format!("{count} engines are not to meet twice")
            } else {
                format!(
                    "with more than {look_ahead} engines it is not sure that later rounds can be \
                     paired without a rematch"
                )
            };
            let expected = format_args!("at most {most}: {why}");
            return Err(SettingsError::value("rounds", rounds, expected));
        }
        Ok(())
    }

    /// Checks that the anchor plays; the engines have their names by now.
    pub(in crate::tournament) fn validate_anchor(&self) -> Result<(), SettingsError> {
        let engines = self.engines.iter();
        let names: Vec<&str> = engines.flat_map(|engine| engine.name.as_deref()).collect();
        match &self.anchor {
            Some(anchor) if !names.contains(&anchor.name.as_str()) => {
                let (name, names) = (excerpt(&anchor.name), names.join(", "));
                let text = format!("anchor: no engine is called '{name}'; there are {names}");
                Err(SettingsError::new(text))
            }
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_engines_play_pairs_and_more_a_round_robin() {
        use TournamentFormat::{Pairs, RoundRobin, Vela};
        for (count, wanted) in [(2, Pairs), (3, RoundRobin)] {
            let mut settings = MatchSettings::of_format(Vela, count);
            settings.format = None;
            assert_eq!(settings.format(), wanted);
            settings.fill_in_format();
            assert_eq!(settings.format, Some(wanted));
            assert_eq!(settings.validate_format(), Ok(()));
        }
    }

    /// Each is right but for the change; the sentences are in the transcript `tournaments_refused`.
    #[test]
    fn what_cannot_be_is_refused() {
        use TournamentFormat::*;
        type Change = fn(&mut MatchSettings);
        let sprt: Change = |set| set.sprt = "elo0=0,elo1=5".parse().ok();
        let wrong: [(TournamentFormat, usize, &str, Change); 10] = [
            (Pairs, 2, "at least 1", |set| set.games = Some(0)),
            (Swiss, 16, "at most 15", |set| set.rounds = Some(16)),
            // Here more are possible, but not surely.
            (Swiss, 20, "at most 10", |set| set.rounds = Some(11)),
            (Swiss, 1, "number of engines", |_| ()),
            (Swiss, 257, "number of engines", |_| ()),
            (Vela, 2, "at least 2", |set| set.round_games = Some(1)),
            (Vela, 2, "extra-pairs", |set| set.extra_pairs = Some(1)),
            (Riatra, 3, "sprt: ", sprt),
            (Knockout, 4, "shard: ", |set| set.shard = "1/2".parse().ok()),
            (Pairs, 2, "a sequential test", |set| {
                set.sprt = "elo0=0,elo1=5".parse().ok();
                set.shard = "1/2".parse().ok();
            }),
        ];
        for (format, engines, word, change) in wrong {
            let mut settings = MatchSettings::of_format(format, engines);
            change(&mut settings);
            let error = settings.validate_format().expect_err(word).to_string();
            assert!(error.contains(word), "{format}: {error}");
        }
    }

    #[test]
    fn velas_have_the_rules_of_the_tradition_unless_others_are_named() {
        let free = "capture=opening vela=black";
        for (rules, normal, vela) in [
            ("tsivy", "", free),
            ("vela", "", free),
            ("vela=black", "", "vela=black"),
            ("free-capture", "capture=opening", free),
            ("5x5", "board=5x5", &format!("board=5x5 {free}")),
        ] {
            let mut settings = MatchSettings::of_format(TournamentFormat::Vela, 2);
            settings.rules = vato_engine::rules::parse_rules(rules).expect(rules);
            assert_eq!(settings.validate_format(), Ok(()), "{rules}");
            let found = [false, true].map(|is_vela| settings.game_rules(is_vela).to_string());
            assert_eq!(found, [normal, vela], "{rules}");
            settings.format = Some(TournamentFormat::Pairs);
            assert_eq!(settings.game_rules(false), settings.rules);
        }
    }

    #[test]
    fn words_read_as_they_are_written() {
        for format in TournamentFormat::ALL {
            assert_eq!(format.name().parse(), Ok(format));
            let json = serde_json::to_string(&format).expect("a name");
            assert_eq!(json, format!("\"{format}\""));
        }
        for text in ["round-robin", "Round Robin"] {
            assert_eq!(text.parse(), Ok(TournamentFormat::RoundRobin));
        }
        for text in ["1/1", "3/7", "4294967295/4294967295"] {
            assert_eq!(text.parse::<Shard>().expect(text).to_string(), text);
        }
        let wrong = "0/1 2/1 1 1/0 a/b / -1/2 1/2/3 1/4294967296";
        for text in wrong.split(' ').chain([""]) {
            assert!(text.parse::<Shard>().is_err(), "{text}");
        }
        let anchor = |text: &str| text.parse::<Anchor>();
        for text in ["A=2000", "a=b c=-12.5"] {
            assert_eq!(anchor(text).expect(text).to_string(), text);
        }
        assert_eq!(anchor("A").expect("0 Elo").elo, 0.0);
        for text in ["", "=3", "A=", "A=inf", "A=nan", "A=1e9"] {
            assert!(anchor(text).is_err(), "{text}");
        }
    }

    #[test]
    fn everything_is_in_one_part() {
        for count in [1, 2, 3, 7] {
            for index in 0..50 {
                let parts = (1..=count).map(|number| Shard { number, count });
                assert_eq!(parts.filter(|part| part.has(index)).count(), 1);
            }
            for number in 1..=count {
                let part = Shard { number, count };
                for total in 0..50 {
                    let share = (0..total).filter(|&index| part.has(index)).count();
                    assert_eq!(part.share_of(total.into()), share as u64);
                }
            }
        }
    }
}
