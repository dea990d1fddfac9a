//! The arguments that say who plays whom, and how often.

use clap::Args;
use vato::arbiter::settings::{Anchor, MatchSettings, Shard, TournamentError, TournamentFormat};

/// Who plays whom, and how often.
#[derive(Args, Debug)]
#[command(next_help_heading = "Tournament")]
pub struct TournamentArguments {
    /// pairs, roundrobin, gauntlet, swiss, knockout, riatra or vela (see below) [default: pairs with two
    /// engines, else roundrobin]
    #[arg(long, value_name = "FORMAT", value_parser = format)]
    format: Option<TournamentFormat>,

    /// Number of games: of a match of pairs [default: 100; with --sprt 100000; without an engine 10];
    /// in other formats of each encounter, an even number [default: 2]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    games: Option<u32>,

    /// How often all encounters of a roundrobin, gauntlet, riatra (there it is sets) or vela are played
    /// [default: 1; vela 10]; rounds of a swiss [default: as many as a knockout would have; at most as many
    /// as there are opponents, with more than 16 engines half as many as there are engines]
    #[arg(long, visible_alias = "sets", value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    rounds: Option<u32>,

    /// The most games of a round of the vela; after them it is drawn [default: 10]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(2..))]
    round_games: Option<u32>,

    /// The most pairs of games by which a level encounter of a knockout is extended; then the better
    /// seed advances [default: 2]
    #[arg(long, value_name = "N")]
    extra_pairs: Option<u32>,

    /// The engine that the ratings of three or more engines are measured from [default: the first, 0]
    #[arg(long, value_name = "NAME=ELO", value_parser = anchor)]
    anchor: Option<Anchor>,

    /// Play one of COUNT parts of the schedule, for several machines; `vato match merge` joins them. Pairs
    /// of games, and of rounds of the vela, stay together
    #[arg(long, value_name = "NUMBER/COUNT", value_parser = shard)]
    shard: Option<Shard>,
}

/// The names of these arguments, which say nothing where a match goes on.
pub const NAMES: [&str; 7] = [
    "format",
    "games",
    "rounds",
    "round_games",
    "extra_pairs",
    "anchor",
    "shard",
];

fn format(text: &str) -> Result<TournamentFormat, TournamentError> {
    text.parse()
}

fn shard(text: &str) -> Result<Shard, TournamentError> {
    text.parse()
}

/// Reads `NAME=ELO`.
pub fn anchor(text: &str) -> Result<Anchor, TournamentError> {
    text.parse()
}

impl TournamentArguments {
    /// Puts what is said here into the settings, whose engines are there already. Another format than
    /// theirs has its own numbers of games and rounds: those of the old one are left out, with a warning.
    pub fn apply(&self, settings: &mut MatchSettings) {
        let before = settings.format();
        if let Some(format) = self.format.filter(|&format| format != before) {
            let dropped: Vec<String> = [
                ("games", settings.games.take(), self.games),
                ("rounds", settings.rounds.take(), self.rounds),
                ("round_games", settings.round_games.take(), self.round_games),
                ("extra_pairs", settings.extra_pairs.take(), self.extra_pairs),
            ]
            .into_iter()
            .filter(|(_, _, said)| said.is_none())
            .filter_map(|(name, value, _)| Some(format!("{name} = {}", value?)))
            .collect();
            if !dropped.is_empty() {
                log::warn!(
                    "--format {format}: {} of the format {before} is not used",
                    dropped.join(", ")
                );
            }
        }
        replace(&mut settings.format, self.format);
        replace(&mut settings.games, self.games);
        replace(&mut settings.rounds, self.rounds);
        replace(&mut settings.round_games, self.round_games);
        replace(&mut settings.extra_pairs, self.extra_pairs);
        replace(&mut settings.anchor, self.anchor.clone());
        replace(&mut settings.shard, self.shard);
    }
}

/// Replaces what the settings say, if there is something else to say.
pub fn replace<T>(place: &mut Option<T>, value: Option<T>) {
    if value.is_some() {
        *place = value;
    }
}
