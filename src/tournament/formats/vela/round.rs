//! How far a round of the vela has come.

use crate::tournament::statistics::GameScore;

/// What comes next in a round. Engines are 0 and 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stage {
    /// A normal game.
    Normal,
    /// The revenge for a normal game that `giver` has won.
    Vela { giver: usize },
    /// Nothing: this engine has won; nobody, if there were too many games.
    Over(Option<usize>),
}

/// A round, played game by game.
#[derive(Clone, Copy, Debug)]
pub(super) struct Round {
    pub(super) stage: Stage,
    /// Normal games that have been played.
    pub(super) normal_games: u32,
    /// Velas that each engine has given.
    pub(super) given: [u32; 2],
    /// A round that is not decided after so many games is drawn.
    most_games: u32,
}

impl Round {
    /// A round that begins, of so many games at most.
    pub(super) fn new(most_games: u32) -> Round {
        Round {
            stage: Stage::Normal,
            normal_games: 0,
            given: [0; 2],
            most_games,
        }
    }

    /// The round after its first games with these scores of engine 0: up to its end, or the first that
    /// has not been played. `each` hears of every game: which stage it was played in, and its score.
    pub(super) fn after(
        most_games: u32,
        scores: &[Option<GameScore>],
        mut each: impl FnMut(Stage, GameScore),
    ) -> Round {
        let mut round = Round::new(most_games);
        for score in scores {
            let (Some(score), false) = (*score, matches!(round.stage, Stage::Over(_))) else {
                break;
            };
            each(round.stage, score);
            round.play(score);
        }
        round
    }

    /// Games that have been played.
    pub(super) fn games(&self) -> u32 {
        self.normal_games + self.given[0] + self.given[1]
    }

    fn play(&mut self, score: GameScore) {
        let winner = match score {
            GameScore::Win => Some(0),
            GameScore::Draw => None,
            GameScore::Loss => Some(1),
        };
        match self.stage {
            Stage::Normal => self.normal_games += 1,
            Stage::Vela { giver } => self.given[giver] += 1,
            Stage::Over(_) => return,
        }
        self.stage = match (self.stage, winner) {
            (Stage::Normal, Some(giver)) => Stage::Vela { giver },
            (Stage::Vela { giver }, Some(winner)) if winner == giver => Stage::Over(Some(giver)),
            (Stage::Vela { .. }, Some(_)) => Stage::Normal,
            (same, _) => same,
        };
        if self.games() >= self.most_games && !matches!(self.stage, Stage::Over(_)) {
            self.stage = Stage::Over(None);
        }
    }
}
