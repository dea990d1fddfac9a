//! Ending games that are decided, or that nobody will decide.
//!
//! Every way to do so is an [`Adjudicator`]; another one needs no change to how games are played.

use crate::board::Side;
use crate::plural::counted;
use crate::rules::Game;
use crate::search::Score;
use crate::tablebase::{Tablebases, Wdl};
use crate::tournament::settings::{DrawSettings, MatchSettings, ResignSettings};

/// A decision of the arbiter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Ruling {
    /// This side has won.
    Win(Side, String),
    /// A draw, as if both had agreed: under `tie=count` the side with more stones wins.
    Agreed(String),
}

/// Watches one game and may end it.
pub(super) trait Adjudicator {
    /// A move has been played: `game` is after it, `mover` has played it and given it `score` (from
    /// its own view; `None` if it has not).
    fn after_move(&mut self, game: &Game, mover: Side, score: Option<Score>) -> Option<Ruling>;
}

/// The adjudicators that the settings ask for.
pub(super) fn adjudicators<'a>(
    settings: &MatchSettings,
    tables: Option<&'a Tablebases>,
) -> Vec<Box<dyn Adjudicator + 'a>> {
    let mut adjudicators: Vec<Box<dyn Adjudicator + 'a>> = Vec::new();
    if let Some(tables) = tables {
        adjudicators.push(Box::new(PerfectPlay { tables }));
    }
    if let Some(resign) = settings.resign {
        adjudicators.push(Box::new(Resignation::new(resign)));
    }
    if let Some(draw) = settings.draw {
        adjudicators.push(Box::new(DeadDraw::new(draw)));
    }
    if let Some(most) = settings.ply_cap() {
        adjudicators.push(Box::new(Length { most }));
    }
    adjudicators
}

/// Stones as the engine counts them, as centi-stones, below all decided scores.
fn centi_stones(stones: f64) -> i32 {
    // The cast saturates.
    Score::from_centi_stones((stones * 100.0).round() as i32).raw()
}

/// What the tablebases know the end of.
struct PerfectPlay<'a> {
    tables: &'a Tablebases,
}

impl Adjudicator for PerfectPlay<'_> {
    fn after_move(&mut self, game: &Game, _: Side, _: Option<Score>) -> Option<Ruling> {
        let (rules, position) = (game.rules(), game.position());
        if !self.tables.covers(rules, position) {
            return None;
        }
        let value = self.tables.value(position)?;
        if value.wdl == Wdl::Draw || value.exceeds_limit(position.quiet_plies(), rules.limit) {
            return Some(Ruling::Agreed("drawn by the tablebases".to_owned()));
        }
        let winner = match value.wdl {
            Wdl::Win => position.side(),
            _ => !position.side(),
        };
        Some(Ruling::Win(
            winner,
            format!("{winner} wins by the tablebases"),
        ))
    }
}

/// An engine that has said often enough that it is lost.
struct Resignation {
    settings: ResignSettings,
    /// How often in a row each side has said that it loses, and that it wins.
    losing: [u32; 2],
    winning: [u32; 2],
}

impl Resignation {
    fn new(settings: ResignSettings) -> Resignation {
        Resignation {
            settings,
            losing: [0; 2],
            winning: [0; 2],
        }
    }
}

impl Adjudicator for Resignation {
    fn after_move(&mut self, _: &Game, mover: Side, score: Option<Score>) -> Option<Ruling> {
        let ResignSettings {
            moves,
            score: margin,
            two_sided,
        } = self.settings;
        let margin = centi_stones(margin);
        let raw = score.map(Score::raw);
        let count =
            |counter: &mut u32, holds: bool| *counter = if holds { *counter + 1 } else { 0 };
        count(
            &mut self.losing[mover.index()],
            raw.is_some_and(|raw| raw <= -margin),
        );
        count(
            &mut self.winning[mover.index()],
            raw.is_some_and(|raw| raw >= margin),
        );
        let resigns = |side: Side| {
            self.losing[side.index()] >= moves
                && (!two_sided || self.winning[(!side).index()] >= moves)
        };
        let loser = Side::BOTH.into_iter().find(|&side| resigns(side))?;
        Some(Ruling::Win(
            !loser,
            format!(
                "{loser} has seen itself {} or more behind for {}",
                counted(self.settings.score, "stone", "stones"),
                counted(moves, "move", "moves")
            ),
        ))
    }
}

/// A game in which nothing happens.
struct DeadDraw {
    settings: DrawSettings,
    /// How often in a row each side has given a score near zero.
    level: [u32; 2],
}

impl DeadDraw {
    fn new(settings: DrawSettings) -> DeadDraw {
        DeadDraw {
            settings,
            level: [0; 2],
        }
    }
}

impl Adjudicator for DeadDraw {
    fn after_move(&mut self, game: &Game, mover: Side, score: Option<Score>) -> Option<Ruling> {
        let DrawSettings {
            number,
            moves,
            score: margin,
            two_sided,
        } = self.settings;
        let position = game.position();
        if position.quiet_plies() == 0 {
            self.level = [0; 2];
            return None;
        }
        let margin = centi_stones(margin);
        let level = score.is_some_and(|score| score.raw().abs() <= margin);
        let counter = &mut self.level[mover.index()];
        *counter = if level { *counter + 1 } else { 0 };
        // After Black's move the number is that of the next move.
        let played = position.move_number() - u32::from(mover == Side::Black);
        let agreed = if two_sided {
            self.level.iter().all(|&count| count >= moves)
        } else {
            self.level.iter().any(|&count| count >= moves)
        };
        (played >= number && agreed).then(|| {
            Ruling::Agreed(format!(
                "scores within {} of zero for {}",
                counted(self.settings.score, "stone", "stones"),
                counted(moves, "move", "moves")
            ))
        })
    }
}

/// A game that lasts too long.
struct Length {
    most: u32,
}

impl Adjudicator for Length {
    fn after_move(&mut self, game: &Game, _: Side, _: Option<Score>) -> Option<Ruling> {
        (game.moves().len() >= self.most as usize)
            .then(|| Ruling::Agreed(counted(self.most, "ply has", "plies have") + " been played"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::{parse_fen, parse_turn};
    use crate::rules::Rules;

    fn stones(value: f64) -> Option<Score> {
        Some(Score::from_centi_stones(centi_stones(value)))
    }

    /// A game in which White and Black shuffle about.
    fn quiet_game(move_number: u32) -> Game {
        let rules = Rules::STANDARD;
        let fen = format!("8b/9/9/9/w8 w 20 {move_number}");
        let start = parse_fen(&fen, rules.board).expect("right");
        Game::from_position(rules, start)
    }

    fn play(game: &mut Game, text: &str) {
        let (_, mv) = parse_turn(text, game.rules(), game.position()).expect(text);
        game.play(mv).expect(text);
    }

    #[test]
    fn resignation_needs_moves_in_a_row() {
        let game = quiet_game(9);
        let settings = ResignSettings::from_pairs("moves=2,score=5").expect("right");
        let mut resignation = Resignation::new(settings);
        let mut say = |side, score| resignation.after_move(&game, side, score);
        assert_eq!(say(Side::White, stones(-5.0)), None);
        assert_eq!(say(Side::Black, stones(1.0)), None);
        assert_eq!(say(Side::White, None), None);
        assert_eq!(say(Side::White, stones(-9.0)), None);
        let ruling = say(Side::White, Some(Score::loss_in(3)));
        assert!(
            matches!(ruling, Some(Ruling::Win(Side::Black, _))),
            "{ruling:?}"
        );
    }

    #[test]
    fn a_two_sided_resignation_needs_both() {
        let game = quiet_game(9);
        let settings = ResignSettings::from_pairs("moves=1,score=5,two-sided=true").expect("right");
        let mut resignation = Resignation::new(settings);
        let mut say = |side, score| resignation.after_move(&game, side, score);
        assert_eq!(say(Side::White, stones(-6.0)), None);
        assert_eq!(say(Side::Black, stones(4.0)), None);
        assert!(say(Side::Black, stones(6.0)).is_some());
    }

    #[test]
    fn dead_draws_need_time_and_both_engines() {
        let settings = DrawSettings::from_pairs("number=10,moves=2,score=0.1").expect("right");
        let mut draw = DeadDraw::new(settings);
        let mut game = quiet_game(9);
        let mut rulings = Vec::new();
        for (text, score) in [
            ("a1-b1", 0.0), // move 9
            ("i5-h5", 0.1),
            ("b1-a1", 0.05), // move 10, only White has said it twice
            ("h5-i5", -0.1),
        ] {
            let mover = game.position().side();
            play(&mut game, text);
            rulings.push(draw.after_move(&game, mover, stones(score)));
        }
        assert_eq!(rulings[..3], [None, None, None]);
        assert!(matches!(rulings[3], Some(Ruling::Agreed(_))));
        // Too early, however level.
        let mut draw = DeadDraw::new(settings);
        let mut game = quiet_game(2);
        for text in ["a1-b1", "i5-h5", "b1-a1", "h5-i5"] {
            let mover = game.position().side();
            play(&mut game, text);
            assert_eq!(draw.after_move(&game, mover, stones(0.0)), None);
        }
    }

    #[test]
    fn a_capture_begins_the_count_anew() {
        let settings = DrawSettings::from_pairs("number=1,moves=1,score=9").expect("right");
        let mut draw = DeadDraw::new(settings);
        let mut game = Game::new(Rules::STANDARD);
        for text in ["f2-e3A", "d5-d4A"] {
            let mover = game.position().side();
            play(&mut game, text);
            assert_eq!(draw.after_move(&game, mover, stones(0.0)), None);
        }
        assert_eq!(draw.level, [0, 0]);
    }

    #[test]
    fn tablebases_decide_what_they_know() {
        let tables = Tablebases::built_in(&Rules::STANDARD, 1 << 20, 1).expect("in the program");
        let mut adjudicator = PerfectPlay { tables: &tables };
        let mut rule = |fen: &str| {
            let start = parse_fen(fen, Rules::STANDARD.board).expect(fen);
            let game = Game::from_position(Rules::STANDARD, start);
            adjudicator.after_move(&game, Side::White, None)
        };
        // Two stones against one win, but not within what is left of the limit.
        let win = rule("9/9/w8/1b7/3w5 w 0 9");
        assert!(matches!(win, Some(Ruling::Win(Side::White, _))), "{win:?}");
        let late = rule("9/9/w8/1b7/3w5 w 73 90");
        assert!(matches!(late, Some(Ruling::Agreed(_))), "{late:?}");
        let lost = rule("9/9/9/9/b7w b 0 9");
        assert!(lost.is_some());
        assert_eq!(rule("bbbb5/9/9/9/www6 w 0 9"), None);
    }

    #[test]
    fn games_of_full_length_are_drawn() {
        let mut game = quiet_game(2);
        let mut length = Length { most: 2 };
        play(&mut game, "a1-b1");
        assert_eq!(length.after_move(&game, Side::White, None), None);
        play(&mut game, "i5-h5");
        assert!(length.after_move(&game, Side::Black, None).is_some());
    }
}
