//! A knockout: the loser of an encounter is eliminated.

use super::{Format, Meeting, Ranking, Results, Rounds, ScheduledGame, Scores, colours, points};
use crate::tournament::standings::Standings;

/// A bracket seeded in the order of the engines: the two best seeds can meet only in the final, the best
/// four only from the semifinals on, and so on. If the number of engines is no power of two, the best seeds
/// have a bye in the first round.
///
/// A level encounter is extended by one pair of games at a time, up to a limit; if it is still level then,
/// the better seed advances.
///
/// The openings of a round follow those of the previous round, extensions not counted: the two engines of
/// an encounter, who meet only once, have as many different ones as the suite holds.
#[derive(Debug)]
pub(super) struct Knockout {
    engines: usize,
    /// The number of games of an encounter without extension.
    games: u32,
    encounters: Rounds,
    /// The seeds of the first round in bracket order, including absent ones.
    bracket: Vec<usize>,
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
        let most_games = u64::from(games).saturating_add(2 * u64::from(extra_pairs));
        Knockout {
            engines,
            games,
            encounters: Rounds {
                void: bracket.len().saturating_sub(engines) as u64,
                games_at_once: games.into(),
                counted: "encounters",
                ..Rounds::new(1, bracket.len() - 1, most_games)
            },
            bracket,
        }
    }

    /// The engines of an encounter, the better seed first; `None` if not known yet. The worse seed may be
    /// absent (a bye).
    fn engines(&self, encounter: u32, results: &Results) -> Option<[usize; 2]> {
        let (round, place) = self.place(encounter);
        let engine = |side: u32| {
            if round == 0 {
                return self.bracket.get((2 * place + side) as usize).copied();
            }
            // The encounters of the previous round are numbered just before those of this one.
            let width = self.bracket.len() as u32 >> round;
            let origin = encounter - place - width + 2 * place + side;
            let engines = self.engines(origin, results)?;
            Some(self.outcome(engines, results.scores(origin))?[0])
        };
        let (one, other) = (engine(0)?, engine(1)?);
        Some([one.min(other), one.max(other)])
    }

    /// The winner, then the loser, of an encounter that is over. A bye is; if level, the better seed wins.
    fn outcome(&self, [better, worse]: [usize; 2], scores: &Scores) -> Option<[usize; 2]> {
        let [first, second] = points(scores);
        let is_over = worse >= self.engines
            || scores.iter().flatten().count() == self.games(0, scores) as usize;
        is_over.then_some(match second > first {
            true => [worse, better],
            false => [better, worse],
        })
    }

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
    fn rounds(&self) -> &Rounds {
        &self.encounters
    }

    fn place(&self, encounter: u32) -> (u32, u32) {
        let (mut round, mut place) = (0, encounter);
        let mut width = self.bracket.len() as u32 / 2;
        while width > 0 && place >= width {
            place -= width;
            width /= 2;
            round += 1;
        }
        (round, place)
    }

    fn meeting(&self, encounter: u32, results: &Results) -> Meeting {
        match self.engines(encounter, results) {
            None => Meeting::Unknown,
            Some([_, worse]) if worse >= self.engines => Meeting::Void,
            Some(engines) => Meeting::Of(engines),
        }
    }

    fn games(&self, _: u32, scores: &Scores) -> u32 {
        let played = scores.iter().map_while(|score| *score);
        // By how much the first engine leads after each game.
        let leads = played.scan(0.0, |lead, score| {
            *lead += score.points() - 0.5;
            Some(*lead)
        });
        let ends = leads.skip(self.games.saturating_sub(1) as usize).step_by(2);
        let extensions = ends.take_while(|&lead| lead == 0.0).count() as u64;
        (u64::from(self.games) + 2 * extensions).min(self.encounters.most_games) as u32
    }

    fn game(&self, encounter: u32, game: u32, engines: [usize; 2], _: &Scores) -> ScheduledGame {
        let (round, _) = self.place(encounter);
        ScheduledGame {
            // The better seed begins in odd rounds, the other one in even rounds.
            players: colours(engines, (game + round) % 2),
            opening: round * (self.games / 2) + game / 2,
            ..self.game_of_pair(encounter, game, engines)
        }
    }

    /// By the round reached, then by seed.
    fn ranking(&self, standings: &Standings, results: &Results) -> Ranking {
        let mut ranking = Ranking::in_order(standings);
        // The last round of each engine, and how it ended there.
        let mut came_to = vec![(0, String::new()); self.engines];
        for encounter in 0..self.encounters.encounters {
            let Some([better, worse]) = self.engines(encounter, results) else {
                continue;
            };
            let (round, _) = self.place(encounter);
            let [this, next] = [round, round + 1].map(|round| self.round_name(round));
            let scores = results.scores(encounter);
            let Some([winner, loser]) = self.outcome([better, worse], scores) else {
                for engine in [better, worse] {
                    came_to[engine] = (round, format!("in {this}"));
                }
                continue;
            };
            let is_final = round + 1 == self.bracket.len().ilog2();
            came_to[winner] = match is_final {
                true => (round + 1, "winner".to_owned()),
                false => (round + 1, format!("in {next}")),
            };
            if loser >= self.engines {
                continue;
            }
            came_to[loser] = (round, format!("out in {this}"));
            let [first, second] = points(scores);
            if first == second {
                let names = standings.names();
                ranking.remarks.push(format!(
                    "{} and {} were level after {} games in {this}: the better seed, {}, {}",
                    names[better],
                    names[worse],
                    first + second,
                    names[better],
                    if is_final { "wins" } else { "advances" }
                ));
            }
        }
        for place in &mut ranking.places {
            place.note = Some(came_to[place.engine].1.clone());
        }
        let places = &mut ranking.places;
        places.sort_by_key(|place| std::cmp::Reverse(came_to[place.engine].0));
        ranking
    }
}

#[cfg(test)]
mod tests {
    use super::super::schedule::tests::{begin, engines, finish, play, schedule};
    use super::super::schedule::{Asking, Next};
    use super::*;

    /// The encounters of each round if the better seed always wins.
    fn rounds(count: usize) -> Vec<(u32, [usize; 2])> {
        let mut schedule = schedule(Knockout::new(count, 2, 1));
        let games = play(&mut schedule, |game| Some(engines(game)[0]));
        let encounters = games.iter().step_by(2);
        encounters
            .map(|game| (game.place.round, engines(game)))
            .collect()
    }

    #[test]
    fn the_bracket_is_the_usual_one() {
        let pairs = |count| {
            rounds(count)
                .into_iter()
                .unzip::<u32, [usize; 2], Vec<_>, Vec<_>>()
        };
        let eight = [[0, 7], [3, 4], [1, 6], [2, 5], [0, 3], [1, 2], [0, 1]];
        assert_eq!(pairs(8), (vec![1, 1, 1, 1, 2, 2, 3], eight.to_vec()));
        // The two best of six have a bye in the first round.
        let six = [[3, 4], [2, 5], [0, 3], [1, 2], [0, 1]];
        assert_eq!(pairs(6), (vec![1, 1, 2, 2, 3], six.to_vec()));
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
        for game in begun.iter().filter(|game| game.place.encounter == 4) {
            finish(&mut schedule, game, Some(5));
        }
        // A semifinal can begin.
        let next = begin(&mut schedule, Asking::default());
        assert_eq!((next.place.round, engines(&next)), (2, [1, 5]));
    }

    #[test]
    fn level_encounters_are_extended_and_then_decided_by_seed() {
        let drawn = |games_of_two, extra_pairs, decisive: u32| {
            let mut schedule = schedule(Knockout::new(2, games_of_two, extra_pairs));
            let games = play(&mut schedule, |game| (game.number == decisive).then_some(1));
            assert!(schedule.is_finished());
            games
                .iter()
                .map(|game| game.players[0])
                .collect::<Vec<usize>>()
        };
        assert_eq!(drawn(2, 3, 0), [0, 1, 0, 1, 0, 1, 0, 1]);
        // A win in the first extension ends the encounter.
        assert_eq!(drawn(2, 3, 4).len(), 4);
        // Without extensions the encounter is over after its games.
        assert_eq!(drawn(4, 0, 0).len(), 4);
    }

    /// Random openings are generated in sequence: a large limit of extensions must not make the openings in
    /// between necessary.
    #[test]
    fn extensions_that_are_not_played_take_no_openings() {
        let mut schedule = schedule(Knockout::new(8, 4, 100_000_000));
        let games = play(&mut schedule, |game| match game.place.round {
            // An extension by one pair in the semifinals.
            2 if game.place.game <= 4 => None,
            // The worse seed may win.
            _ => Some(engines(game)[1]),
        });
        let first = |game: &&ScheduledGame| game.place.encounter == 1;
        let openings = games
            .iter()
            .filter(first)
            .map(|game| (game.place.round, game.opening));
        let wanted = [(1, 0..2), (2, 2..5), (3, 4..6)]
            .map(|(round, openings)| openings.map(move |one| [(round, one); 2]));
        assert!(openings.eq(wanted.into_iter().flatten().flatten()));
        assert_eq!(games.last().map(engines), Some([6, 7]));
    }
}
