//! Rounds of the vela, the revenge game, as a round robin.

use super::{
    Format, Meeting, Ranking, Results, Rounds, ScheduledGame, Scored, Scores, VelaFigures, colours,
    everybody_meets,
};
use crate::tournament::standings::Standings;
use crate::tournament::statistics::GameScore;
use vato_engine::text::counted;

/// Above this number, the rounds of two engines are not listed individually.
const MOST_TOLD: u64 = 20;

/// The most openings of a pair of rounds for each kind of game; longer rounds repeat them.
const MOST_OPENINGS: u32 = 32;

/// An encounter is a round. It starts with a normal game, whose loser plays the vela as White. If the
/// winner of the normal game (the giver) also wins the vela, it has won the round; if the other engine (the
/// eater) wins it, the round starts again with a normal game. A drawn game of either kind is replayed.
///
/// Colours are swapped from one normal game of a round to the next. A replayed vela has the same giver,
/// hence the same colours. Every game of a round has its own opening (as far as [`MOST_OPENINGS`] and the
/// suite allow); deterministic engines would otherwise repeat their games.
///
/// The engines begin rounds alternately. Two consecutive rounds form a pair, and a unit: the second uses
/// the openings of the first with the engines exchanged. The opening of the beginner's `n`-th vela in the
/// first round is that of the other beginner's `n`-th vela in the second.
#[derive(Debug)]
pub(super) struct VelaRounds {
    /// A round undecided after the most games is drawn.
    rounds: Rounds,
}

/// The next stage of a round. Engines are numbered 0 and 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    /// A normal game.
    Normal,
    /// The revenge for a normal game won by `giver`.
    Vela { giver: usize },
    /// The end and the winner; `None` if the game limit was reached.
    Over(Option<usize>),
}

/// The state of a round, updated game by game.
#[derive(Clone, Copy, Debug)]
struct Round {
    stage: Stage,
    normal_games: u32,
    /// The number of velas given by each engine.
    given: [u32; 2],
}

impl Round {
    fn games(&self) -> u32 {
        self.normal_games + self.given[0] + self.given[1]
    }

    fn play(&mut self, score: GameScore, most_games: u64) {
        let winner = [0, 1]
            .into_iter()
            .find(|&engine| score == GameScore::of(Some(engine)));
        self.stage = match (self.stage, winner) {
            (Stage::Normal, _) => {
                self.normal_games += 1;
                winner.map_or(Stage::Normal, |giver| Stage::Vela { giver })
            }
            (Stage::Vela { giver }, _) => {
                self.given[giver] += 1;
                match winner {
                    Some(winner) if winner == giver => Stage::Over(Some(giver)),
                    Some(_) => Stage::Normal,
                    None => self.stage,
                }
            }
            (over, _) => over,
        };
        if u64::from(self.games()) >= most_games && !matches!(self.stage, Stage::Over(_)) {
            self.stage = Stage::Over(None);
        }
    }
}

impl VelaRounds {
    /// Plays this number of rounds between every two engines, with at most `most_games` games in a round.
    pub(super) fn new(engines: usize, rounds: u32, most_games: u32) -> VelaRounds {
        VelaRounds {
            rounds: Rounds {
                games_at_once: 1,
                counted: "rounds",
                unit: 2,
                ..Rounds::of(everybody_meets(engines), rounds.into(), most_games.into())
            },
        }
    }

    /// The state of a round after games with these scores of engine 0: at its end or at the first game not
    /// played yet. `each` is called with the stage and score of every game.
    fn after(&self, scores: &Scores, mut each: impl FnMut(Stage, GameScore)) -> Round {
        let mut round = Round {
            stage: Stage::Normal,
            normal_games: 0,
            given: [0; 2],
        };
        for score in scores.iter().map_while(|&score| score) {
            if matches!(round.stage, Stage::Over(_)) {
                break;
            }
            each(round.stage, score);
            round.play(score, self.rounds.most_games);
        }
        round
    }

    /// The results of the rounds of two engines, from the view of the first: `1 (2 games)`.
    fn round_by_round(&self, results: &Results) -> Vec<String> {
        let round = |encounter: u64| {
            let round = self.after(results.scores(encounter as u32), |_, _| {});
            let points = match round.stage {
                Stage::Over(Some(0)) => "1",
                Stage::Over(None) => "½",
                Stage::Over(Some(_)) => "0",
                _ => return None,
            };
            let games = counted(round.games(), "game", "games");
            Some(format!("{points} ({games})"))
        };
        (0..self.rounds.encounters()).filter_map(round).collect()
    }

    /// The results of each engine in the games of its rounds.
    fn figures(&self, engines: usize, results: &Results) -> Vec<VelaFigures> {
        let mut figures = vec![VelaFigures::default(); engines];
        for encounter in 0..self.rounds.encounters() as u32 {
            let Meeting::Of(engines) = self.meeting(encounter, results) else {
                continue;
            };
            self.after(results.scores(encounter), |stage, score| {
                for (place, score) in [score, score.reversed()].into_iter().enumerate() {
                    let figures = &mut figures[engines[place]];
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

    /// The opening with this number, from 0 to at most twice the games of a round, among the openings of the
    /// pair of rounds that `round` belongs to.
    fn opening(&self, round: u32, number: u32) -> u32 {
        let own = (2 * self.rounds.most_games).clamp(1, MOST_OPENINGS.into()) as u32;
        (round / 2).saturating_mul(own).saturating_add(number % own)
    }
}

impl Format for VelaRounds {
    fn rounds(&self) -> &Rounds {
        &self.rounds
    }

    fn games(&self, _: u32, scores: &Scores) -> u32 {
        let round = self.after(scores, |_, _| {});
        round.games() + u32::from(!matches!(round.stage, Stage::Over(_)))
    }

    fn game(
        &self,
        encounter: u32,
        game: u32,
        engines: [usize; 2],
        scores: &Scores,
    ) -> ScheduledGame {
        let (number, _) = self.rounds.place(encounter);
        let before = scores.get(..game as usize).unwrap_or(scores);
        let round = self.after(before, |_, _| {});
        let beginner = number % 2;
        let normal = (beginner + round.normal_games) % 2;
        let (white, opening, vela) = match round.stage {
            Stage::Vela { giver } => {
                let opening = 2 * round.given[giver] + u32::from(giver as u32 != beginner);
                (1 - giver as u32, opening, true)
            }
            // Games of a finished round are not requested.
            Stage::Normal | Stage::Over(_) => (normal, round.normal_games, false),
        };
        ScheduledGame {
            players: colours(engines, white),
            pair: self.rounds.unit(encounter) + 1,
            opening: self.opening(number, opening),
            vela,
            ..self.game_of_pair(encounter, game, engines)
        }
    }

    /// The score of the round, if this was its last game.
    fn scored(
        &self,
        encounter: u32,
        engines: [usize; 2],
        own: Scored,
        scores: &Scores,
    ) -> Option<Scored> {
        let Stage::Over(winner) = self.after(scores, |_, _| {}).stage else {
            return None;
        };
        let beginner = self.rounds.place(encounter).0 % 2;
        let is_other = |winner: usize| usize::from(winner as u32 != beginner);
        Some(Scored {
            players: colours(engines, beginner),
            score: GameScore::of(winner.map(is_other)),
            ..own
        })
    }

    fn ranking(&self, standings: &Standings, results: &Results) -> Ranking {
        let mut ranking = Ranking::by_score(standings);
        let figures = self.figures(standings.engines.len(), results);
        for place in &mut ranking.places {
            place.vela = figures.get(place.engine).copied();
        }
        if let [first, _] = standings.names()[..]
            && self.rounds.rounds <= MOST_TOLD
        {
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
