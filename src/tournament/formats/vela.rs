//! Rounds of the vela, the revenge game: every engine against every other.

mod round;

use super::circle::EverybodyMeets;
use super::{Format, GameShape, Meeting, Pairing, Ranking, Results, Scored, VelaFigures};
use crate::plural::counted;
use crate::tournament::settings::Shard;
use crate::tournament::standings::Standings;
use crate::tournament::statistics::GameScore;

use self::round::{Round, Stage};

/// More rounds of two engines than this are not told one by one.
const MOST_TOLD: u32 = 20;

/// A pair of rounds has at most so many openings, one after the other in the book, for each kind of game:
/// longer rounds have them again.
const MOST_OPENINGS: u32 = 32;

/// A bout is a round. It begins with a normal game, whose loser plays the vela as White. If the winner
/// of the normal game (the giver) wins the vela too, it has won the round; if the other (the eater)
/// does, the round starts again with a normal game. A drawn normal game is played again, a drawn vela
/// too.
///
/// Each normal game of a round has the colours of the one before swapped. A vela that is played again has
/// the same giver, hence the same colours: that it is played again unchanged, as the traditional rules
/// have it, means no more. All games of a round, normal ones and velas, have openings of their own (as far as
/// [`MOST_OPENINGS`] and the book go), for engines that always do the same would play the same games again;
/// who wants it otherwise lets all games begin at the start.
///
/// The engines begin rounds by turns, and two rounds that follow each other are a pair, and a unit: the
/// second has the openings of the first with the engines exchanged. What was the opening of the beginner's
/// `n`-th vela in the one is that of the other beginner's `n`-th in the other.
#[derive(Debug)]
pub(super) struct VelaRounds {
    bouts: EverybodyMeets,
    /// A round that is not decided after so many games is drawn.
    most_games: u32,
}

impl VelaRounds {
    /// So many rounds of each encounter, of so many games at most.
    pub(super) fn new(engines: usize, rounds: u32, most_games: u32) -> VelaRounds {
        VelaRounds {
            bouts: EverybodyMeets::new(engines, rounds),
            most_games,
        }
    }

    /// The round of a bout, from 0.
    fn round(&self, bout: u32) -> u32 {
        self.bouts.place(bout).1
    }

    /// Where a round stands after games with these scores.
    fn after(&self, scores: &[Option<GameScore>]) -> Round {
        Round::after(self.most_games, scores, |_, _| {})
    }

    /// How the rounds of two engines have ended, from the view of the first: `1 (2 games), ½ (10 games)`.
    fn round_by_round(&self, results: &Results) -> Vec<String> {
        let round = |round: u32| {
            let round = self.after(results.scores(round));
            let points = match round.stage {
                Stage::Over(Some(0)) => "1",
                Stage::Over(None) => "½",
                Stage::Over(Some(_)) => "0",
                _ => return None,
            };
            Some(format!(
                "{points} ({})",
                counted(round.games(), "game", "games")
            ))
        };
        (0..self.bouts.rounds()).filter_map(round).collect()
    }

    /// What so many engines have made of the games of their rounds.
    fn figures(&self, engines: usize, results: &Results) -> Vec<VelaFigures> {
        let mut figures = vec![VelaFigures::default(); engines];
        for bout in 0..self.bouts() as u32 {
            let Meeting::Of(pairing) = self.bouts.meeting(bout) else {
                continue;
            };
            Round::after(self.most_games, results.scores(bout), |stage, score| {
                for (place, &engine) in pairing.engines.iter().enumerate() {
                    let score = if place == 0 { score } else { score.reversed() };
                    let figures = &mut figures[engine];
                    let counts = match stage {
                        Stage::Vela { giver } if giver == place => &mut figures.as_giver,
                        Stage::Vela { .. } => &mut figures.as_eater,
                        _ => &mut figures.normal,
                    };
                    counts.add(score);
                }
            });
        }
        figures
    }

    /// Which engine is White in the first normal game of a round.
    fn beginner(round: u32) -> usize {
        round as usize % 2
    }

    /// The number of a pair of rounds, from 0.
    fn pair(&self, bout: u32) -> u32 {
        self.round(bout) / 2 * self.bouts.of_a_round() + self.bouts.place(bout).0
    }

    /// The opening of a round with this number among those of its pair, from 0 to at most twice the games
    /// of a round.
    fn opening(&self, round: u32, number: u32) -> u32 {
        let own = self.most_games.saturating_mul(2).clamp(1, MOST_OPENINGS);
        (round / 2).saturating_mul(own).saturating_add(number % own)
    }
}

impl Format for VelaRounds {
    fn bouts(&self) -> u64 {
        self.bouts.bouts()
    }

    fn most_games(&self) -> u64 {
        self.most_games.into()
    }

    fn games_at_once(&self) -> u64 {
        1
    }

    fn unit(&self, bout: u32) -> u32 {
        self.pair(bout)
    }

    fn bouts_of(&self, shard: Shard) -> u64 {
        // Every unit has a first round; with an odd number the last of each encounter have no second.
        let units = |rounds: u32| u64::from(rounds) * u64::from(self.bouts.of_a_round());
        let rounds = self.bouts.rounds();
        shard.share_of(units(rounds.div_ceil(2))) + shard.share_of(units(rounds / 2))
    }

    fn has_fixed_length(&self) -> bool {
        false
    }

    fn meeting(&mut self, bout: u32, _: &Results) -> Meeting {
        self.bouts.meeting(bout)
    }

    fn games(&self, _: u32, scores: &[Option<GameScore>]) -> u32 {
        let round = self.after(scores);
        match round.stage {
            Stage::Over(_) => round.games(),
            _ => round.games() + 1,
        }
    }

    fn game(&self, bout: u32, game: u32, scores: &[Option<GameScore>]) -> GameShape {
        let number = self.round(bout);
        let before = scores.get(..game as usize).unwrap_or(scores);
        let round = self.after(before);
        let beginner = VelaRounds::beginner(number);
        let (white, opening, vela) = match round.stage {
            Stage::Vela { giver } => {
                let opening = 2 * round.given[giver] + u32::from(giver != beginner);
                (1 - giver, opening, true)
            }
            // Nobody asks for a game of a round that is over.
            Stage::Normal | Stage::Over(_) => {
                let white = (beginner + round.normal_games as usize) % 2;
                (white, round.normal_games, false)
            }
        };
        GameShape {
            white,
            pair: self.pair(bout) + 1,
            opening: self.opening(number, opening),
            vela,
        }
    }

    /// The round, with its last game.
    fn scored(
        &self,
        bout: u32,
        pairing: &Pairing,
        _: u32,
        scores: &[Option<GameScore>],
    ) -> Option<Scored> {
        let Stage::Over(winner) = self.after(scores).stage else {
            return None;
        };
        let score = match winner {
            Some(0) => GameScore::Win,
            None => GameScore::Draw,
            Some(_) => GameScore::Loss,
        };
        let beginner = VelaRounds::beginner(self.round(bout));
        Some(Scored::new(pairing, self.pair(bout) + 1, beginner, score))
    }

    fn ranking(&mut self, standings: &Standings, results: &Results) -> Ranking {
        let mut ranking = Ranking::by_score(standings);
        let figures = self.figures(standings.names.len(), results);
        for place in &mut ranking.places {
            place.vela = figures.get(place.engine).copied();
        }
        if let ([first, _], true) = (standings.names.as_slice(), self.bouts.rounds() <= MOST_TOLD) {
            let rounds = self.round_by_round(results);
            if !rounds.is_empty() {
                let rounds = rounds.join(", ");
                let remark = format!("the points of {first}, round by round: {rounds}");
                ranking.remarks.push(remark);
            }
        }
        ranking
    }
}

#[cfg(test)]
mod tests;
