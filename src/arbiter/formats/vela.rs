//! Rounds of the vela, the revenge game: every engine against every other.

use super::circle::everybody_meets;
use super::{Format, GameShape, Meeting, Pairing, Ranking, Results, Scored};
use crate::arbiter::standings::Standings;
use crate::arbiter::statistics::GameScore;

/// More rounds of two engines than this are not told one by one.
const MOST_TOLD: u32 = 20;

/// A bout is a round. It begins with a normal game, whose loser plays the vela as White. If the winner
/// of the normal game (the giver) wins the vela too, it has won the round; if the other (the eater)
/// does, the round starts again with a normal game. A drawn normal game is played again, a drawn vela
/// too.
///
/// Each normal game of a round has the colours of the one before swapped, and an opening for every two
/// of them; the vela begins at the start of the rules. The engines begin rounds by turns, and two
/// rounds that follow each other begin with the same opening: they are a pair.
#[derive(Debug)]
pub(super) struct VelaRounds {
    encounters: Vec<[usize; 2]>,
    rounds: u32,
    /// A round that is not decided after so many games is drawn.
    most_games: u32,
}

/// How far a round has come. Engines are 0 and 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    /// A normal game comes next, after `before` others.
    Normal { before: u32 },
    /// The revenge for the `before`-th normal game comes next.
    Vela { before: u32, giver: usize },
    /// This engine has won; nobody, if there were too many games.
    Over(Option<usize>),
}

impl VelaRounds {
    /// So many rounds of each encounter, of so many games at most.
    pub(super) fn new(engines: usize, rounds: u32, most_games: u32) -> VelaRounds {
        VelaRounds {
            encounters: everybody_meets(engines),
            rounds,
            most_games,
        }
    }

    /// The encounter and the round of a bout, from 0.
    fn place(&self, bout: u32) -> (u32, u32) {
        let encounters = self.encounters.len().max(1) as u32;
        (bout % encounters, bout / encounters)
    }

    /// Where the round stands after its first `games` games, and how many of them were played.
    fn stage(&self, scores: &[Option<GameScore>], games: usize) -> (Stage, u32) {
        let mut stage = Stage::Normal { before: 0 };
        let mut played = 0;
        for score in scores.iter().take(games) {
            let (Some(score), false) = (score, matches!(stage, Stage::Over(_))) else {
                break;
            };
            played += 1;
            let winner = match score {
                GameScore::Win => Some(0),
                GameScore::Draw => None,
                GameScore::Loss => Some(1),
            };
            stage = match (stage, winner) {
                (Stage::Normal { before }, None) => Stage::Normal { before: before + 1 },
                (Stage::Normal { before }, Some(giver)) => Stage::Vela {
                    before: before + 1,
                    giver,
                },
                (Stage::Vela { giver, .. }, Some(winner)) if winner == giver => {
                    Stage::Over(Some(giver))
                }
                (Stage::Vela { before, .. }, Some(_)) => Stage::Normal { before },
                (same, _) => same,
            };
            if played >= self.most_games && !matches!(stage, Stage::Over(_)) {
                stage = Stage::Over(None);
            }
        }
        (stage, played)
    }

    /// How the rounds of two engines have ended, from the view of the first: `1 (2 games), ½ (20 games)`.
    fn round_by_round(&self, results: &Results) -> Vec<String> {
        let round = |round: u32| {
            let scores = results.scores(round);
            let (stage, played) = self.stage(scores, scores.len());
            let points = match stage {
                Stage::Over(Some(0)) => "1",
                Stage::Over(None) => "½",
                Stage::Over(Some(_)) => "0",
                _ => return None,
            };
            Some(format!("{points} ({played} games)"))
        };
        (0..self.rounds).filter_map(round).collect()
    }

    /// Which engine is White in the first normal game of a round.
    fn beginner(round: u32) -> usize {
        round as usize % 2
    }

    /// The number of a pair of rounds, from 1.
    fn pair(&self, bout: u32) -> u32 {
        let (encounter, round) = self.place(bout);
        round / 2 * self.encounters.len() as u32 + encounter + 1
    }
}

impl Format for VelaRounds {
    fn bouts(&self) -> u64 {
        u64::from(self.rounds).saturating_mul(self.encounters.len() as u64)
    }

    fn most_games(&self) -> u64 {
        self.most_games.into()
    }

    fn games_at_once(&self) -> u64 {
        1
    }

    fn has_fixed_length(&self) -> bool {
        false
    }

    fn meeting(&mut self, bout: u32, _: &Results) -> Meeting {
        let (encounter, round) = self.place(bout);
        match self.encounters.get(encounter as usize) {
            None => Meeting::Void,
            Some(&engines) => Meeting::Of(Pairing {
                engines,
                round: round + 1,
                encounter: encounter + 1,
                before: 0,
            }),
        }
    }

    fn games(&self, _: u32, scores: &[Option<GameScore>]) -> u32 {
        match self.stage(scores, scores.len()) {
            (Stage::Over(_), played) => played,
            (_, played) => played + 1,
        }
    }

    fn game(&self, bout: u32, game: u32, scores: &[Option<GameScore>]) -> GameShape {
        let (_, round) = self.place(bout);
        let pair = self.pair(bout);
        match self.stage(scores, game as usize).0 {
            Stage::Vela { giver, .. } => GameShape {
                white: 1 - giver,
                pair,
                opening: None,
                vela: true,
            },
            Stage::Normal { before } => GameShape {
                white: (VelaRounds::beginner(round) + before as usize) % 2,
                pair,
                // All rounds have had their first opening before one has its second.
                opening: Some((before / 2).saturating_mul(self.rounds.div_ceil(2)) + round / 2),
                vela: false,
            },
            // Nobody asks for a game of a round that is over.
            Stage::Over(_) => GameShape {
                white: VelaRounds::beginner(round),
                pair,
                opening: None,
                vela: false,
            },
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
        let (Stage::Over(winner), _) = self.stage(scores, scores.len()) else {
            return None;
        };
        let score = match winner {
            Some(0) => GameScore::Win,
            None => GameScore::Draw,
            Some(_) => GameScore::Loss,
        };
        let (_, round) = self.place(bout);
        let beginner = VelaRounds::beginner(round);
        Some(Scored::new(pairing, self.pair(bout), beginner, score))
    }

    fn ranking(&mut self, standings: &Standings, results: &Results) -> Ranking {
        let mut ranking = Ranking::by_score(standings);
        if standings.names.len() == 2 && self.rounds <= MOST_TOLD {
            let rounds = self.round_by_round(results);
            if !rounds.is_empty() {
                let (name, rounds) = (&standings.names[self.encounters[0][0]], rounds.join(", "));
                let remark = format!("the points of {name}, round by round: {rounds}");
                ranking.remarks.push(remark);
            }
        }
        ranking
    }
}

#[cfg(test)]
mod tests {
    use GameScore::{Draw, Loss, Win};

    use super::*;

    const FORMAT: fn() -> VelaRounds = || VelaRounds::new(2, 4, 6);

    /// Whether the games are velas and who is White in them, for the scores that engine 0 makes.
    fn games(bout: u32, scores: &[GameScore]) -> Vec<(bool, usize)> {
        let format = FORMAT();
        let scores: Vec<_> = scores.iter().copied().map(Some).collect();
        (0..=scores.len())
            .take(format.games(bout, &scores) as usize)
            .map(|game| {
                let shape = format.game(bout, game as u32, &scores);
                (shape.vela, shape.white)
            })
            .collect()
    }

    fn outcome(scores: &[GameScore]) -> Option<GameScore> {
        let mut format = FORMAT();
        let Meeting::Of(pairing) = format.meeting(0, &Results::default()) else {
            panic!("two engines meet");
        };
        let scores: Vec<_> = scores.iter().copied().map(Some).collect();
        let scored = format.scored(0, &pairing, scores.len() as u32 - 1, &scores);
        scored.map(|scored| scored.score)
    }

    #[test]
    fn the_loser_plays_the_vela_as_white() {
        assert_eq!(games(0, &[]), [(false, 0)]);
        assert_eq!(games(0, &[Win]), [(false, 0), (true, 1)]);
        assert_eq!(games(0, &[Loss]), [(false, 0), (true, 0)]);
        // In the second round the other engine begins.
        assert_eq!(games(1, &[Loss]), [(false, 1), (true, 0)]);
    }

    #[test]
    fn who_wins_both_games_wins_the_round() {
        assert_eq!(outcome(&[Win]), None);
        assert_eq!(outcome(&[Win, Win]), Some(Win));
        assert_eq!(outcome(&[Loss, Loss]), Some(Loss));
        assert_eq!(games(0, &[Loss, Loss]).len(), 2, "and it is over");
    }

    #[test]
    fn a_round_that_the_eater_wins_starts_again() {
        assert_eq!(outcome(&[Win, Loss]), None);
        let wanted = [(false, 0), (true, 1), (false, 1)];
        assert_eq!(games(0, &[Win, Loss]), wanted);
        assert_eq!(outcome(&[Win, Loss, Loss, Loss]), Some(Loss));
    }

    #[test]
    fn drawn_games_are_played_again() {
        // A normal game with colours swapped,
        assert_eq!(games(0, &[Draw]), [(false, 0), (false, 1)]);
        // a vela as it was.
        let wanted = [(false, 0), (true, 1), (true, 1)];
        assert_eq!(games(0, &[Win, Draw]), wanted);
        assert_eq!(outcome(&[Draw, Win, Draw, Win]), Some(Win));
    }

    #[test]
    fn a_round_without_end_is_drawn() {
        assert_eq!(outcome(&[Draw; 5]), None);
        assert_eq!(outcome(&[Draw; 6]), Some(Draw));
        assert_eq!(games(0, &[Draw; 6]).len(), 6);
        assert_eq!(outcome(&[Draw, Draw, Draw, Draw, Win, Draw]), Some(Draw));
        // The last game may decide it.
        assert_eq!(outcome(&[Draw, Draw, Draw, Draw, Win, Win]), Some(Win));
    }

    #[test]
    fn rounds_are_told_one_by_one() {
        let mut results = Results::default();
        for (bout, scores) in [
            (0, &[Win, Win][..]),
            (1, &[Draw; 6]),
            (2, &[Win]),
            (3, &[Loss; 2]),
        ] {
            for (game, &score) in scores.iter().enumerate() {
                assert!(results.add(bout, game as u32, score));
            }
        }
        let told = FORMAT().round_by_round(&results);
        assert_eq!(told, ["1 (2 games)", "½ (6 games)", "0 (2 games)"]);
    }

    #[test]
    fn two_rounds_are_a_pair_and_share_their_opening() {
        let format = FORMAT();
        let first = |bout| format.game(bout, 0, &[]);
        let openings: Vec<(u32, Option<u32>, usize)> = (0..4)
            .map(|bout| (first(bout).pair, first(bout).opening, first(bout).white))
            .collect();
        let wanted = [
            (1, Some(0), 0),
            (1, Some(0), 1),
            (2, Some(1), 0),
            (2, Some(1), 1),
        ];
        assert_eq!(openings, wanted);
        // The second opening of a round is one that no round begins with.
        let scores = [Some(Draw); 2];
        assert_eq!(format.game(0, 1, &scores).opening, Some(0));
        assert_eq!(format.game(0, 2, &scores).opening, Some(2));
        assert_eq!(format.game(0, 1, &[Some(Win)]).opening, None);
    }
}
