//! Settings of an engine: the values of its options.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use super::OwnBook;
use crate::random::{drawn_number, split_mix};
use crate::rules::{Preset, Rules};
use crate::search::{SearchSettings, Strength};
use crate::tablebase::{TableFolders, Tablebases};

/// The values of an engine's options. Defaults: those of [`SearchSettings`], full strength, no tablebases and no book.
#[derive(Clone, Debug)]
pub struct Settings {
    /// What every search is made with; perft uses its threads.
    pub search: SearchSettings,
    /// Number of best moves that [`Engine::go`](super::Engine::go) searches.
    pub multipv: usize,
    /// Whether `bestmove` may name the expected reply.
    pub ponder: bool,
    /// Time subtracted from every time limit.
    pub move_overhead: Duration,
    /// Playing strength.
    pub skill: Skill,
    /// The rules.
    pub variant: Preset,
    /// The rules under [`Preset::Custom`].
    pub custom_rules: Rules,
    /// Where the tablebases of the rules of each game are loaded from; `None`: those of `search` are used as they are.
    pub tables: Option<TableFiles>,
    /// The file that the network was read from; empty for the built-in one.
    pub eval_file: PathBuf,
    /// Whether [`Engine::go`](super::Engine::go) plays from `book`.
    pub own_book: bool,
    /// The files that `book` was read from.
    pub book_files: Vec<PathBuf>,
    /// The opening book, whatever rules it is for.
    pub book: Option<Arc<OwnBook>>,
    /// Whether the best book move is always played.
    pub best_book_move: bool,
    /// Whether win, draw and loss probabilities are reported with each score.
    pub show_wdl: bool,
    /// Whether to search on when a move is forced or the game decided.
    pub analyse_mode: bool,
    /// See [`Limits::contempt`](crate::search::Limits::contempt): of games, not of analysis.
    pub contempt: i32,
}

/// The built-in tablebases and those in folders.
#[derive(Clone, Debug)]
pub struct TableFiles {
    /// The folders.
    pub folders: TableFolders,
    /// Memory for unpacked blocks, in MiB.
    pub cache_mib: u64,
}

impl TableFiles {
    /// With the default memory.
    pub fn of(folders: TableFolders) -> TableFiles {
        TableFiles {
            folders,
            cache_mib: Tablebases::DEFAULT_CACHE_BYTES >> 20,
        }
    }
}

/// The default settings with these for every search.
impl From<SearchSettings> for Settings {
    fn from(search: SearchSettings) -> Settings {
        Settings {
            search,
            ..Settings::default()
        }
    }
}

impl Settings {
    /// The rules in force.
    pub fn rules(&self) -> Rules {
        self.variant.rules().unwrap_or(self.custom_rules)
    }
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            search: SearchSettings::default(),
            multipv: 1,
            ponder: false,
            move_overhead: Duration::from_millis(10),
            skill: Skill::default(),
            variant: Preset::default(),
            custom_rules: Rules::STANDARD,
            tables: None,
            eval_file: PathBuf::new(),
            own_book: false,
            book_files: Vec::new(),
            book: None,
            best_book_move: false,
            show_wdl: false,
            analyse_mode: false,
            contempt: 0,
        }
    }
}

/// Requested playing strength.
#[derive(Clone, Debug)]
pub struct Skill {
    /// Whether `elo` applies; otherwise `level`.
    pub by_elo: bool,
    /// See [`Strength::from_elo`].
    pub elo: u32,
    /// See [`Strength::from_level`].
    pub level: u32,
    /// The seed of every game; 0 draws one per game.
    seed: u64,
    game_seed: u64,
}

impl Default for Skill {
    fn default() -> Skill {
        Skill {
            by_elo: false,
            elo: Skill::DEFAULT_ELO,
            level: Strength::FULL_LEVEL,
            seed: 0,
            game_seed: Strength::drawn_seed(),
        }
    }
}

impl Skill {
    /// The default of `elo`.
    pub const DEFAULT_ELO: u32 = 1_500;

    /// Strength of searches in the current game.
    pub fn strength(&self) -> Strength {
        let strength = match self.by_elo {
            true => Strength::from_elo(self.elo),
            false => Strength::from_level(self.level),
        };
        strength.with_seed(self.game_seed)
    }

    /// Sets the seed of this game and the following ones; 0 draws one per game.
    pub fn set_seed(&mut self, seed: u64) {
        self.seed = seed;
        self.begin_game();
    }

    /// A random number for a choice at the position with this key: repeatable with a seed, otherwise
    /// different each time.
    pub(super) fn random(&self, key: u64) -> u64 {
        match self.seed {
            0 => drawn_number(),
            seed => split_mix(split_mix(seed) ^ key),
        }
    }

    /// Starts another game: draws a new seed, unless one is set.
    pub(super) fn begin_game(&mut self) {
        self.game_seed = match self.seed {
            0 => Strength::drawn_seed(),
            seed => seed,
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elo_goes_before_the_level() {
        let mut skill = Skill::default();
        assert!(skill.strength().is_full());
        skill.level = 0;
        assert_eq!(skill.strength().elo(), Some(Strength::MIN_ELO));
        skill.by_elo = true;
        assert_eq!(skill.strength().elo(), Some(Skill::DEFAULT_ELO));
    }

    #[test]
    fn each_game_has_a_seed_of_its_own_unless_one_is_set() {
        let mut skill = Skill {
            level: 5,
            ..Skill::default()
        };
        let mut seeds = Vec::new();
        for _ in 0..4 {
            seeds.push(skill.strength().seed());
            skill.begin_game();
        }
        assert!(seeds.iter().any(|&seed| seed != seeds[0]), "{seeds:?}");
        let drawn: Vec<u64> = (0..4).map(|_| skill.random(1)).collect();
        assert!(drawn.iter().any(|&random| random != drawn[0]), "{drawn:?}");
        skill.set_seed(7);
        let random = skill.random(1);
        assert_ne!(random, skill.random(2));
        for _ in 0..2 {
            assert_eq!(skill.strength().seed(), Some(7));
            assert_eq!(skill.random(1), random);
            skill.begin_game();
        }
        skill.set_seed(8);
        assert_ne!(random, skill.random(1));
    }
}
