//! Counts of games and of pairs.

use std::fmt;

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

use vato_engine::board::Side;

/// The result of a game from the view of one player.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum GameScore {
    /// 0 points.
    Loss = 0,
    /// ½ point.
    Draw,
    /// 1 point.
    Win,
}

impl GameScore {
    /// The points: 0, ½ or 1.
    pub const fn points(self) -> f64 {
        self as u8 as f64 / 2.0
    }

    /// The score of the other player.
    pub const fn reversed(self) -> GameScore {
        match self {
            GameScore::Loss => GameScore::Win,
            GameScore::Draw => GameScore::Draw,
            GameScore::Win => GameScore::Loss,
        }
    }

    /// The score of the first of two players if this one of them has won, from 0; `None`: a draw.
    pub const fn of(winner: Option<usize>) -> GameScore {
        match winner {
            None => GameScore::Draw,
            Some(0) => GameScore::Win,
            Some(_) => GameScore::Loss,
        }
    }
}

/// Numbers of games by result, from the view of one player.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct GameCounts {
    /// Games won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
}

impl GameCounts {
    /// The number of games.
    pub const fn games(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// Points: one for a win, one half for a draw.
    pub fn points(&self) -> f64 {
        self.wins as f64 + 0.5 * self.draws as f64
    }

    /// The mean score per game, from 0 to 1; `None` without games.
    pub fn score(&self) -> Option<f64> {
        ratio(self.points(), self.games())
    }

    /// The draw ratio, from 0 to 1; `None` without games.
    pub fn draw_ratio(&self) -> Option<f64> {
        ratio(self.draws as f64, self.games())
    }

    /// The same games from the view of the other player.
    pub const fn reversed(&self) -> GameCounts {
        GameCounts {
            wins: self.losses,
            draws: self.draws,
            losses: self.wins,
        }
    }

    /// The sum of both.
    pub const fn plus(&self, other: &GameCounts) -> GameCounts {
        GameCounts {
            wins: self.wins + other.wins,
            draws: self.draws + other.draws,
            losses: self.losses + other.losses,
        }
    }

    pub(in crate::tournament) fn add(&mut self, score: GameScore) {
        *self.of(score) += 1;
    }

    fn of(&mut self, score: GameScore) -> &mut u64 {
        match score {
            GameScore::Loss => &mut self.losses,
            GameScore::Draw => &mut self.draws,
            GameScore::Win => &mut self.wins,
        }
    }
}

impl fmt::Display for GameCounts {
    /// Wins, draws and losses: `+3 =2 -1`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "+{} ={} -{}", self.wins, self.draws, self.losses)
    }
}

pub(super) fn ratio(part: f64, whole: u64) -> Option<f64> {
    (whole > 0).then(|| part / whole as f64)
}

/// The results of a match from A's view: games, and complete pairs.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Tally {
    #[serde(rename = "games")]
    count: u64,
    #[serde(flatten)]
    games: GameCounts,
    /// The games in which A was White.
    pub white: GameCounts,
    /// The games in which A was Black.
    pub black: GameCounts,
    /// Complete pairs by A's points: 0, ½, 1, 1½, 2.
    pub pairs: [u64; 5],
    /// Complete pairs that count as games only, as one of them was abandoned.
    pub left_out: u64,
    /// Those since the last pair that counts.
    #[serde(skip)]
    pub(in crate::tournament) left_out_in_a_row: u64,
    /// Whether pairs with an abandoned game are left out.
    #[serde(skip)]
    pub(in crate::tournament) skips_abandoned: bool,
    /// Incomplete pairs: A's colour and score in the game played, and whether it was abandoned.
    #[serde(skip)]
    waiting: FxHashMap<u32, (Side, GameScore, bool)>,
}

impl Tally {
    /// Adds a finished game of pair number `pair`, in which A had `colour` and reached `score`. Returns
    /// whether it completes its pair.
    ///
    /// The games of a pair may arrive in either order. A second game with the same colour counts as a game
    /// but does not complete the pair; the number of a complete pair may be reused. Of a pair with a game that was
    /// abandoned, as an engine crashed, hung or did not start, the tally may leave out all but the games.
    pub fn add(&mut self, pair: u32, colour: Side, score: GameScore, is_abandoned: bool) -> bool {
        self.count += 1;
        self.games.add(score);
        match colour {
            Side::White => self.white.add(score),
            Side::Black => self.black.add(score),
        }
        let game = (colour, score, is_abandoned);
        let (first_colour, first, abandoned) = *self.waiting.entry(pair).or_insert(game);
        let is_complete = first_colour != colour;
        if is_complete {
            self.waiting.remove(&pair);
            if self.skips_abandoned && (abandoned || is_abandoned) {
                self.left_out += 1;
                self.left_out_in_a_row += 1;
            } else {
                self.pairs[first as usize + score as usize] += 1;
                self.left_out_in_a_row = 0;
            }
        }
        is_complete
    }

    /// All games, from A's view.
    pub const fn games(&self) -> GameCounts {
        self.games
    }

    /// All games, from the view of White.
    pub const fn games_of_white(&self) -> GameCounts {
        self.white.plus(&self.black.reversed())
    }

    /// The games of complete pairs, from A's view.
    pub fn paired(&self) -> GameCounts {
        let mut games = self.games;
        for (_, score, _) in self.waiting.values() {
            *games.of(*score) -= 1;
        }
        games
    }

    /// The number of complete pairs that count.
    pub fn complete_pairs(&self) -> u64 {
        self.pairs.iter().sum()
    }

    /// The sample for error estimates: pairs, or games if no pair is complete and no game has to be left out.
    pub(super) fn sample(&self) -> Sample {
        if self.complete_pairs() > 0 || self.skips_abandoned {
            Sample::Pairs(self.pairs)
        } else {
            let games = self.games();
            Sample::Games([games.losses, games.draws, games.wins])
        }
    }
}

/// Independent, identically distributed results, counted by their points in ascending order.
#[derive(Clone, Copy, Debug)]
pub enum Sample {
    /// Single games: lost, drawn, won (trinomial).
    Games([u64; 3]),
    /// Pairs of games with 0, ½, 1, 1½ and 2 points (pentanomial).
    Pairs([u64; 5]),
}

impl Sample {
    /// The counts.
    pub fn counts(&self) -> &[u64] {
        match self {
            Sample::Games(counts) => counts,
            Sample::Pairs(counts) => counts,
        }
    }

    /// The games that a result is made of.
    pub fn games_each(&self) -> f64 {
        match self {
            Sample::Games(_) => 1.0,
            Sample::Pairs(_) => 2.0,
        }
    }

    /// The number of results.
    pub fn size(&self) -> u64 {
        self.counts().iter().sum()
    }

    /// Mean and variance (sum of squared deviations divided by the sample size) of the score per game, with `added`
    /// results more of no points and as many of all points; NaN without results.
    pub fn moments(&self, added: f64) -> (f64, f64) {
        let counts = self.counts();
        let most = counts.len() - 1;
        let size = self.size() as f64 + 2.0 * added;
        let mean = |value: &dyn Fn(f64) -> f64| {
            let values = counts.iter().enumerate().map(|(index, &count)| {
                let more = if index == 0 || index == most {
                    added
                } else {
                    0.0
                };
                value(index as f64 / most as f64) * (count as f64 + more)
            });
            values.sum::<f64>() / size
        };
        let score = mean(&|points| points);
        (score, mean(&|points| (points - score).powi(2)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use GameScore::{Draw, Loss, Win};

    impl Tally {
        /// A tally with these counts, which are not checked against each other.
        pub(in crate::tournament) fn from_counts(
            white: GameCounts,
            black: GameCounts,
            pairs: [u64; 5],
        ) -> Tally {
            let games = white.plus(&black);
            Tally {
                count: games.games(),
                games,
                white,
                black,
                pairs,
                ..Tally::default()
            }
        }
    }

    /// Wins, draws and losses.
    impl From<[u64; 3]> for GameCounts {
        fn from([wins, draws, losses]: [u64; 3]) -> GameCounts {
            GameCounts {
                wins,
                draws,
                losses,
            }
        }
    }

    #[test]
    fn pairs_complete_in_any_order() {
        let mut tally = Tally::default();
        assert!(!tally.add(1, Side::White, Win, false));
        assert!(!tally.add(2, Side::White, Draw, false));
        assert!(tally.add(2, Side::Black, Win, false));
        assert!(!tally.add(3, Side::Black, Loss, false));
        assert!(tally.add(3, Side::White, Loss, false));
        assert!(tally.add(1, Side::Black, Loss, false));
        assert!(!tally.add(4, Side::White, Draw, false));
        assert_eq!(tally.pairs, [1, 0, 1, 1, 0]);
        let counts = |games: GameCounts| [games.wins, games.draws, games.losses];
        assert_eq!(counts(tally.white), [1, 2, 1]);
        assert_eq!(counts(tally.black), [1, 0, 2]);
        assert_eq!(counts(tally.games()), [2, 2, 3]);
        assert_eq!(counts(tally.games_of_white()), [3, 2, 2]);
        assert_eq!(tally.games().points(), 3.0);
        assert_eq!(tally.games().score(), Some(3.0 / 7.0));
        assert_eq!(tally.games().draw_ratio(), Some(2.0 / 7.0));
        let figures = tally.figures().expect("games");
        assert_eq!(figures.even_pairs_ratio, Some(1.0 / 3.0));
        assert_eq!(figures.pairs_ratio, Some(1.0));
    }

    #[test]
    fn every_pair_of_results_has_its_place() {
        for first in [Loss, Draw, Win] {
            for second in [Loss, Draw, Win] {
                let mut tally = Tally::default();
                tally.add(9, Side::Black, first, false);
                tally.add(9, Side::White, second, false);
                let mut wanted = [0; 5];
                wanted[(2.0 * tally.games().points()) as usize] = 1;
                assert_eq!(tally.pairs, wanted);
            }
        }
    }

    #[test]
    fn a_game_with_the_same_colour_does_not_complete_a_pair() {
        let mut tally = Tally::default();
        tally.add(1, Side::White, Win, false);
        assert!(!tally.add(1, Side::White, Loss, false));
        assert_eq!(tally.complete_pairs(), 0);
        assert!(tally.add(1, Side::Black, Win, false));
        assert_eq!(tally.pairs, [0, 0, 0, 0, 1]);
        assert_eq!(tally.games().games(), 3);
    }

    #[test]
    fn ratios_without_a_denominator() {
        for (pairs, ratio) in [
            ([0; 5], None),
            ([0, 0, 7, 0, 0], None),
            ([0, 0, 7, 1, 0], Some(f64::INFINITY)),
            ([1, 0, 7, 0, 0], Some(0.0)),
            ([1, 3, 7, 4, 2], Some(1.5)),
        ] {
            let tally = Tally::from_counts(GameCounts::default(), GameCounts::default(), pairs);
            let figures = tally.figures();
            assert_eq!(figures.and_then(|figures| figures.pairs_ratio), ratio);
        }
        assert_eq!(GameCounts::default().score(), None);
        assert_eq!(Tally::default().figures(), None);
    }

    #[test]
    fn pairs_with_an_abandoned_game_are_left_out() {
        let mut tally = Tally {
            skips_abandoned: true,
            ..Tally::default()
        };
        let mut pair = |number, abandoned: [bool; 2]| {
            tally.add(number, Side::White, Win, abandoned[0]);
            tally.add(number, Side::Black, Draw, abandoned[1]);
            (tally.pairs, tally.left_out, tally.left_out_in_a_row)
        };
        assert_eq!(pair(1, [true, false]), ([0; 5], 1, 1));
        assert_eq!(pair(2, [false, true]), ([0; 5], 2, 2));
        assert_eq!(pair(3, [false, false]), ([0, 0, 0, 1, 0], 2, 0));
        assert_eq!(pair(4, [true, true]), ([0, 0, 0, 1, 0], 3, 1));
        assert_eq!(tally.games().games(), 8);
        assert_eq!(tally.figures().expect("a pair").unpaired, 0);
        // Games of which nothing is known yet decide nothing.
        tally.pairs = [0; 5];
        assert_eq!(tally.sample().size(), 0);
    }

    #[test]
    fn moments_by_hand() {
        // 1 loss, 2 draws, 1 win: deviations ½ twice.
        assert_eq!(Sample::Games([1, 2, 1]).moments(0.0), (0.5, 0.125));
        // Scores per game ¼, ¼, 1, 1: mean ⅝, deviations ⅜.
        let pairs = Sample::Pairs([0, 2, 0, 0, 2]);
        assert_eq!(pairs.moments(0.0), (0.625, 0.140_625));
    }
}
