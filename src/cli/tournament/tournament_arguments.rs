//! The arguments that say who plays whom, and how often.

use clap::Args;
use vato_tools::tournament::settings::{Anchor, MatchSettings, Shard, TournamentFormat};

use crate::cli::arguments::{number, set};

/// Who plays whom, and how often.
#[derive(Args, Debug)]
#[command(next_help_heading = "Tournament")]
pub struct TournamentArguments {
    /// pairs, roundrobin, gauntlet, swiss, knockout, riatra or vela (see below) [default: pairs with two
    /// engines, else roundrobin]
    #[arg(long, value_name = "FORMAT")]
    format: Option<TournamentFormat>,

    /// Number of games: of a match of pairs [default: 100; with --sprt 100000; without an engine 10];
    /// in roundrobin, gauntlet, swiss and knockout of each encounter, an even number [default: 2]
    #[arg(long, value_name = "N", value_parser = number::<u32>(1..))]
    pub games: Option<u32>,

    /// How often all encounters of a roundrobin, gauntlet, riatra (there it is sets) or vela are played
    /// [default: 1; vela 10]; rounds of a swiss [default: as many as a knockout would have; at most as many
    /// as there are opponents, with more than 16 engines half as many as there are engines]
    #[arg(long, visible_alias = "sets", value_name = "N", value_parser = number::<u32>(1..))]
    rounds: Option<u32>,

    /// The most games of a round of the vela; after them it is drawn [default: 10]
    #[arg(long, value_name = "N", value_parser = number::<u32>(2..))]
    round_games: Option<u32>,

    /// The most pairs of games by which a level encounter of a knockout is extended; then the better
    /// seed advances [default: 2]
    #[arg(long, value_name = "N", value_parser = number::<u32>(..))]
    extra_pairs: Option<u32>,

    /// The engine that the ratings of three or more engines are measured from [default: the first, 0]
    #[arg(long, value_name = "NAME=ELO")]
    anchor: Option<Anchor>,

    /// Play one of COUNT parts of the schedule, for several machines; `vato match merge` joins them. Pairs
    /// of games, and of rounds of the vela, stay together
    #[arg(long, value_name = "NUMBER/COUNT")]
    shard: Option<Shard>,
}

/// The names of the arguments that cannot be used with --resume.
pub const NAMES: [&str; 6] = [
    "format",
    "rounds",
    "round_games",
    "extra_pairs",
    "anchor",
    "shard",
];

impl TournamentArguments {
    /// Puts what is said here into the settings, whose engines are there already. Another format than
    /// theirs has its own numbers of games and rounds: those of the old one are left out, with a warning
    /// where that makes a difference.
    pub fn apply(&self, settings: &mut MatchSettings) {
        let before = settings.format();
        set(&mut settings.format, self.format.map(Some));
        let format = settings.format();
        let mut old = [None; 4];
        if format != before {
            old = settings.lengths_mut().map(Option::take);
        }
        let said = [self.games, self.rounds, self.round_games, self.extra_pairs];
        for (length, said) in settings.lengths_mut().into_iter().zip(said) {
            set(length, said.map(Some));
        }
        // The old ones that are not what the settings have now, unless the arguments have said so.
        let mut unused = Vec::new();
        for (place, new) in settings.lengths().into_iter().enumerate() {
            if let Some(old) = old[place].filter(|&old| said[place].is_none() && old != new) {
                unused.push(format!("{} = {old}", MatchSettings::LENGTHS[place]));
            }
        }
        if !unused.is_empty() {
            let unused = unused.join(", ");
            log::warn!("--format {format}: {unused} of the format {before} is not used");
        }
        set(&mut settings.anchor, self.anchor.clone().map(Some));
        set(&mut settings.shard, self.shard.map(Some));
    }
}
