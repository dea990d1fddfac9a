//! A knockout: whoever loses an encounter is out.

use super::{Format, GameShape, Meeting, Pairing, Place, Ranking, Results};
use crate::tournament::standings::Standings;
use crate::tournament::statistics::GameScore;

/// A bracket in which engines are seeded in their order: the best two meet in the final at the
/// earliest, the best four in the semifinals, and so on. If their number is no power of two, the best
/// seeds have no opponent in the first round. A bout is an encounter.
///
/// A level encounter goes on by a pair of games at a time, up to a limit; if it is still level then,
/// the better seed advances.
///
/// The openings of a round go on where those of the round before have ended, extensions not counted: the
/// two engines of an encounter, who meet but once, have as many different ones as the book holds.
#[derive(Debug)]
pub(super) struct Knockout {
    engines: usize,
    /// Games of an encounter that is not level.
    games: u32,
    /// Pairs by which a level one is extended at most.
    extra_pairs: u32,
    /// The engines of the first round in the order of the bracket, those that there are not included.
    bracket: Vec<usize>,
}

/// How an encounter stands. Engines are 0 (the better seed) and 1.
struct Score {
    points: [f64; 2],
    over: bool,
}

impl Score {
    /// The winner, then the loser, of an encounter that is over; a level one is the better seed's.
    fn order(&self, [better, worse]: [usize; 2]) -> [usize; 2] {
        if self.points[1] > self.points[0] {
            [worse, better]
        } else {
            [better, worse]
        }
    }

    fn is_level(&self) -> bool {
        self.points[0] == self.points[1]
    }
}

impl Knockout {
    pub(super) fn new(engines: usize, games: u32, extra_pairs: u32) -> Knockout {
        let mut bracket = vec![0];
        while bracket.len() < engines.max(2) {
            let last = 2 * bracket.len() - 1;
            bracket = bracket
                .into_iter()
                .flat_map(|seed| [seed, last - seed])
                .collect();
        }
        Knockout {
            engines,
            games,
            extra_pairs,
            bracket,
        }
    }

    /// The round of a bout and its place there, from 0.
    fn place(&self, bout: u32) -> (u32, u32) {
        let (mut round, mut place) = (0, bout);
        let mut width = self.bracket.len() as u32 / 2;
        while width > 0 && place >= width {
            place -= width;
            width /= 2;
            round += 1;
        }
        (round, place)
    }

    /// The bout whose winner comes to a bout from its first (0) or second (1) side; `None` in the
    /// first round.
    fn origin(&self, bout: u32, side: u32) -> Option<u32> {
        let (round, place) = self.place(bout);
        let width = self.bracket.len() as u32 >> round;
        // The bouts of the round before end where those of this round begin.
        (round > 0).then(|| bout - place - width + 2 * place + side)
    }

    /// Who comes to a bout from each side, the better seed first; `None` where that is not known, or
    /// where there is nobody.
    fn players(&self, bout: u32, results: &Results) -> Option<[usize; 2]> {
        let player = |side: u32| match self.origin(bout, side) {
            None => {
                let (_, place) = self.place(bout);
                let index = 2 * place + side;
                self.bracket.get(index as usize).copied()
            }
            Some(origin) => self.winner(origin, results),
        };
        let (one, other) = (player(0)?, player(1)?);
        Some([one.min(other), one.max(other)])
    }

    /// Who advances from a bout.
    fn winner(&self, bout: u32, results: &Results) -> Option<usize> {
        let players = self.players(bout, results)?;
        if players[1] >= self.engines {
            return Some(players[0]);
        }
        let score = self.score(results.scores(bout));
        score.over.then(|| score.order(players)[0])
    }

    fn score(&self, scores: &[Option<GameScore>]) -> Score {
        let games = self.games_of(scores) as usize;
        let played = scores.iter().take(games).flatten();
        let first: f64 = played.clone().map(|score| score.points()).sum();
        let count = played.count();
        Score {
            points: [first, count as f64 - first],
            over: count == games,
        }
    }

    fn games_of(&self, scores: &[Option<GameScore>]) -> u32 {
        let most = self.most_games() as u32;
        let mut games = self.games;
        // How many more games the first of both has won than the other.
        let mut lead = 0;
        for (played, score) in (1..).zip(scores) {
            lead += match score {
                Some(GameScore::Win) => 1,
                Some(GameScore::Draw) => 0,
                Some(GameScore::Loss) => -1,
                None => break,
            };
            if played == games {
                if lead != 0 || games == most {
                    break;
                }
                games += 2;
            }
        }
        games
    }

    /// The name of a round by its bouts.
    fn round_name(&self, round: u32) -> String {
        match self.bracket.len() >> (round + 1) {
            1 => "the final".to_owned(),
            2 => "the semifinals".to_owned(),
            4 => "the quarterfinals".to_owned(),
            _ => format!("round {}", round + 1),
        }
    }
}

impl Format for Knockout {
    fn bouts(&self) -> u64 {
        self.bracket.len() as u64 - 1
    }

    fn encounters(&self) -> u64 {
        self.engines as u64 - 1
    }

    fn most_games(&self) -> u64 {
        u64::from(self.games).saturating_add(2 * u64::from(self.extra_pairs))
    }

    fn games_at_once(&self) -> u64 {
        self.games.into()
    }

    fn has_fixed_length(&self) -> bool {
        false
    }

    fn meeting(&mut self, bout: u32, results: &Results) -> Meeting {
        let (round, place) = self.place(bout);
        match self.players(bout, results) {
            None => Meeting::Unknown,
            Some([_, worse]) if worse >= self.engines => Meeting::Void,
            Some(engines) => Meeting::Of(Pairing {
                engines,
                round: round + 1,
                encounter: place + 1,
                before: 0,
            }),
        }
    }

    fn games(&self, _: u32, scores: &[Option<GameScore>]) -> u32 {
        self.games_of(scores)
    }

    fn game(&self, bout: u32, game: u32, _: &[Option<GameScore>]) -> GameShape {
        let (round, _) = self.place(bout);
        let pairs_of_a_bout = (self.most_games() / 2) as u32;
        GameShape {
            // The better seed begins in odd rounds, the other in even ones.
            white: (game + round) as usize % 2,
            pair: bout * pairs_of_a_bout + game / 2 + 1,
            opening: round * (self.games / 2) + game / 2,
            vela: false,
        }
    }

    /// By how far they have come, those who came equally far by their seeds.
    fn ranking(&mut self, standings: &Standings, results: &Results) -> Ranking {
        let mut places = Ranking::in_order(standings);
        // The round in which each engine has played last or waits, and what became of it.
        let mut came_to = vec![(0, String::new()); self.engines];
        let mut remarks = Vec::new();
        for bout in 0..self.bouts() as u32 {
            let Some([better, worse]) = self.players(bout, results) else {
                continue;
            };
            let (round, _) = self.place(bout);
            if worse >= self.engines {
                came_to[better] = (round + 1, format!("in {}", self.round_name(round + 1)));
                continue;
            }
            let score = self.score(results.scores(bout));
            if !score.over {
                for engine in [better, worse] {
                    came_to[engine] = (round, format!("in {}", self.round_name(round)));
                }
                continue;
            }
            let [winner, loser] = score.order([better, worse]);
            came_to[loser] = (round, format!("out in {}", self.round_name(round)));
            let is_final = round + 1 == self.bracket.len().ilog2();
            let fate = if is_final {
                "winner".to_owned()
            } else {
                format!("in {}", self.round_name(round + 1))
            };
            came_to[winner] = (round + 1, fate);
            if score.is_level() {
                remarks.push(format!(
                    "{} and {} were level after {} games in {}: the better seed, {}, {}",
                    standings.names[better],
                    standings.names[worse],
                    score.points.iter().sum::<f64>(),
                    self.round_name(round),
                    standings.names[better],
                    if is_final { "wins" } else { "advances" }
                ));
            }
        }
        for Place { engine, note, .. } in &mut places.places {
            *note = came_to.get(*engine).map(|(_, note)| note.clone());
        }
        places.places.sort_by_key(|place| {
            let round = came_to.get(place.engine).map_or(0, |(round, _)| *round);
            (std::cmp::Reverse(round), place.engine)
        });
        Ranking { remarks, ..places }
    }
}

#[cfg(test)]
mod tests {
    use super::super::schedule::tests::{finish, play, schedule};
    use super::super::schedule::{Asking, Next};
    use super::*;

    /// Who meets whom in each round if the better seed always wins.
    fn rounds(engines: usize) -> Vec<(u32, [usize; 2])> {
        let mut schedule = schedule(Knockout::new(engines, 2, 1));
        let games = play(&mut schedule, |game| Some(game.pairing.engines[0]));
        let encounters = games.iter().step_by(2);
        encounters
            .map(|game| (game.pairing.round, game.pairing.engines))
            .collect()
    }

    #[test]
    fn the_bracket_is_the_usual_one() {
        assert_eq!(
            rounds(8),
            [
                (1, [0, 7]),
                (1, [3, 4]),
                (1, [1, 6]),
                (1, [2, 5]),
                (2, [0, 3]),
                (2, [1, 2]),
                (3, [0, 1])
            ]
        );
        // The two best of six have nobody to play first.
        assert_eq!(
            rounds(6),
            [
                (1, [3, 4]),
                (1, [2, 5]),
                (2, [0, 3]),
                (2, [1, 2]),
                (3, [0, 1])
            ]
        );
        assert_eq!(rounds(2), [(1, [0, 1])]);
        for engines in 2..40 {
            assert_eq!(rounds(engines).len(), engines - 1);
        }
    }

    #[test]
    fn encounters_of_different_rounds_overlap() {
        let mut schedule = schedule(Knockout::new(6, 2, 1));
        let mut begun = Vec::new();
        while let Next::Game(game) = schedule.next_game(Asking::default()) {
            begun.push(game);
        }
        assert_eq!(begun.len(), 4, "two encounters of the first round");
        for game in begun.iter().filter(|game| game.pairing.encounter == 4) {
            finish(&mut schedule, game, Some(5));
        }
        let Next::Game(next) = schedule.next_game(Asking::default()) else {
            panic!("a semifinal can begin");
        };
        assert_eq!((next.pairing.round, next.pairing.engines), (2, [1, 5]));
    }

    #[test]
    fn level_encounters_are_extended_and_then_decided_by_seed() {
        let mut schedule = schedule(Knockout::new(2, 2, 3));
        let games = play(&mut schedule, |_| None);
        assert_eq!(games.len(), 8);
        let whites: Vec<usize> = games.iter().map(|game| game.shape.white).collect();
        assert_eq!(whites, [0, 1, 0, 1, 0, 1, 0, 1]);
        assert!(schedule.is_finished());
        // A win in the first extension ends it.
        let mut schedule = super::super::schedule::tests::schedule(Knockout::new(2, 2, 3));
        let games = play(&mut schedule, |game| (game.number == 4).then_some(1));
        assert_eq!(games.len(), 4);
        // One without extension is over after its games.
        let mut schedule = super::super::schedule::tests::schedule(Knockout::new(2, 4, 0));
        assert_eq!(play(&mut schedule, |_| None).len(), 4);
    }

    /// Every opening before one of random openings has to be made: a large limit is no reason to make
    /// them.
    #[test]
    fn extensions_that_are_not_played_take_no_openings() {
        let mut schedule = schedule(Knockout::new(8, 4, 100_000_000));
        let games = play(&mut schedule, |game| match game.pairing.round {
            // An extension by one pair in the semifinals.
            2 if game.game <= 4 => None,
            _ => Some(game.pairing.engines[0]),
        });
        let openings_of = |round: u32| -> Vec<u32> {
            let of_round = games.iter().filter(|game| {
                let Pairing {
                    round: other,
                    encounter,
                    ..
                } = game.pairing;
                other == round && encounter == 1
            });
            of_round.map(|game| game.shape.opening).collect()
        };
        assert_eq!(openings_of(1), [0, 0, 1, 1]);
        assert_eq!(openings_of(2), [2, 2, 3, 3, 4, 4]);
        assert_eq!(openings_of(3), [4, 4, 5, 5]);
    }

    #[test]
    fn the_worse_seed_may_win() {
        let mut schedule = schedule(Knockout::new(4, 2, 1));
        let games = play(&mut schedule, |game| Some(game.pairing.engines[1]));
        assert_eq!(games.last().map(|game| game.pairing.engines), Some([2, 3]));
    }
}
