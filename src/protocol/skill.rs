//! How strong a player the session is asked for.

use crate::drawn_number::drawn_number;
use crate::search::Strength;
use crate::split_mix::split_mix;

/// `UCI_Elo` unless it is set.
pub(super) const DEFAULT_ELO: u32 = 1_500;

/// What the options `UCI_LimitStrength`, `UCI_Elo`, `Skill Level` and `Skill Seed` say.
#[derive(Clone, Debug)]
pub(super) struct Skill {
    /// Whether the Elo counts; else it is the level.
    pub(super) by_elo: bool,
    /// `UCI_Elo`.
    pub(super) elo: u32,
    /// `Skill Level`.
    pub(super) level: u32,
    /// `Skill Seed`; 0 has one drawn for each game.
    seed: u64,
    /// The seed of this game.
    game_seed: u64,
}

impl Default for Skill {
    fn default() -> Skill {
        Skill {
            by_elo: false,
            elo: DEFAULT_ELO,
            level: Strength::FULL_LEVEL,
            seed: 0,
            game_seed: Strength::drawn_seed(),
        }
    }
}

impl Skill {
    /// The strength of searches in this game.
    pub(super) fn strength(&self) -> Strength {
        let strength = match self.by_elo {
            true => Strength::from_elo(self.elo),
            false => Strength::from_level(self.level),
        };
        strength.with_seed(self.game_seed)
    }

    /// Sets the seed of this game and those that follow; 0 has one drawn for each.
    pub(super) fn set_seed(&mut self, seed: u64) {
        self.seed = seed;
        self.begin_game();
    }

    /// A random number for a choice at the position with this key: the same one in every game with the
    /// same seed, and another one every time if there is none.
    pub(super) fn random(&self, key: u64) -> u64 {
        match self.seed {
            0 => drawn_number(),
            seed => split_mix(split_mix(seed) ^ key),
        }
    }

    /// Another game: other mistakes, unless they are wanted the same.
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
        assert_eq!(skill.strength().elo(), Some(DEFAULT_ELO));
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
