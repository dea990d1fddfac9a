//! Adjudication: ending decided games and dead draws early.

use super::GameResult;
use crate::tournament::settings::{DrawSettings, MatchSettings, ResignSettings};
use vato_engine::board::Side;
use vato_engine::rules::{Game, Vela, tie_winner};
use vato_engine::search::{Score, ScoreEntry};
use vato_engine::tablebase::{Tablebases, Wdl};
use vato_engine::text::counted;
use vato_records::pgn::Termination;

/// Watches one game and may end it. Counters have an entry for each side.
#[derive(Debug, Default)]
pub(super) struct Adjudicator<'a> {
    tables: Option<&'a Tablebases>,
    resign: Option<ResignSettings>,
    draw: Option<DrawSettings>,
    most_plies: Option<u32>,
    /// Scores in a row at or below the resign margin, for each side.
    losing: [u32; 2],
    /// Scores in a row at or above the resign margin, for each side.
    winning: [u32; 2],
    /// Scores in a row near zero without a capture, for each side.
    level: [u32; 2],
}

impl<'a> Adjudicator<'a> {
    pub(super) fn new(settings: &MatchSettings, tables: Option<&'a Tablebases>) -> Adjudicator<'a> {
        Adjudicator {
            tables,
            resign: settings.resign,
            draw: settings.draw,
            most_plies: settings.ply_cap(),
            ..Adjudicator::default()
        }
    }

    /// A move has been played: `game` is after it, `mover` has played it and given it `score` (from
    /// its own view; `None` if it has not). The result if that ends the game.
    pub(super) fn after_move(
        &mut self,
        game: &Game,
        mover: Side,
        score: Option<Score>,
    ) -> Option<GameResult> {
        // The giver of a vela is far behind until it may capture, and yet it may win.
        let score = score.filter(|_| game.rules().vela == Vela::Off);
        // Both counters are updated, whatever ends the game.
        let resigned = self.resignation(mover, score);
        let drawn = self.dead_draw(game, mover, score);
        let decided = self.perfect_play(game).or(resigned).or(drawn);
        decided.or_else(|| self.full_length(game))
    }

    /// Adjudication by the tablebases.
    fn perfect_play(&self, game: &Game) -> Option<GameResult> {
        let (rules, position) = (game.rules(), game.position());
        let tables = self
            .tables
            .filter(|tables| tables.covers(rules, position))?;
        let value = tables.value(position)?;
        let kind = Termination::AdjudicatedTablebase;
        if value.wdl == Wdl::Draw || value.exceeds_limit(position.halfmove_clock(), rules.limit) {
            return Some(agreed(game, kind, "drawn by the tablebases"));
        }
        let winner = match value.wdl {
            Wdl::Win => position.side(),
            _ => !position.side(),
        };
        let reason = format!("{winner} wins: by the tablebases");
        Some(GameResult::new(Some(winner), kind, reason))
    }

    /// Adjudication of a loss by scores.
    fn resignation(&mut self, mover: Side, score: Option<Score>) -> Option<GameResult> {
        let settings = self.resign?;
        let margin = centi_stones(settings.score);
        let says = |test: &dyn Fn(i32) -> bool| score.is_some_and(|score| test(score.raw()));
        count(&mut self.losing[mover.index()], says(&|raw| raw <= -margin));
        count(&mut self.winning[mover.index()], says(&|raw| raw >= margin));
        let moves = settings.moves;
        let loser = Side::BOTH.into_iter().find(|&side| {
            self.losing[side.index()] >= moves
                && (!settings.two_sided || self.winning[(!side).index()] >= moves)
        })?;
        let reason = format!(
            "{} wins: {loser} has seen itself {} or more behind for {}",
            !loser,
            counted(settings.score, "stone", "stones"),
            counted(moves, "move", "moves")
        );
        Some(GameResult::new(
            Some(!loser),
            Termination::AdjudicatedLoss,
            reason,
        ))
    }

    /// Adjudication of a level game by scores.
    fn dead_draw(&mut self, game: &Game, mover: Side, score: Option<Score>) -> Option<GameResult> {
        let settings = self.draw?;
        let position = game.position();
        if position.halfmove_clock() == 0 {
            self.level = [0; 2];
            return None;
        }
        let margin = centi_stones(settings.score);
        let is_level = score.is_some_and(|score| score.raw().abs() <= margin);
        count(&mut self.level[mover.index()], is_level);
        // After Black's move the number is that of the next move.
        let played = position.move_number() - u32::from(mover == Side::Black);
        let moves = settings.moves;
        let agree = self.level.iter().filter(|&&count| count >= moves).count();
        let needed = if settings.two_sided { 2 } else { 1 };
        let why = || {
            let stones = counted(settings.score, "stone", "stones");
            let moves = counted(moves, "move", "moves");
            format!("scores within {stones} of zero for {moves}")
        };
        let is_dead = played >= settings.number && agree >= needed;
        is_dead.then(|| agreed(game, Termination::AdjudicatedDraw, &why()))
    }

    /// Adjudication by the number of plies.
    fn full_length(&self, game: &Game) -> Option<GameResult> {
        let plies = game.moves().len();
        self.most_plies.filter(|&most| plies >= most as usize)?;
        let why = counted(plies, "ply has", "plies have") + " been played";
        Some(agreed(game, Termination::AdjudicatedLength, &why))
    }
}

/// Stones as the engine counts them, as centi-stones, below all scores of decided games and of tablebases.
fn centi_stones(stones: f64) -> i32 {
    // The cast saturates.
    ((stones * 100.0).round() as i32).min(ScoreEntry::TABLEBASE - 1)
}

/// Counts how often in a row something holds.
fn count(counter: &mut u32, holds: bool) {
    *counter = if holds { *counter + 1 } else { 0 };
}

/// A draw, as if both had agreed: under `tie=count` the side with more stones wins.
fn agreed(game: &Game, kind: Termination, why: &str) -> GameResult {
    let winner = tie_winner(game.rules(), game.position());
    let reason = match winner {
        Some(winner) => format!("{winner} wins by stones: {why}"),
        None => format!("draw: {why}"),
    };
    GameResult::new(winner, kind, reason)
}

#[cfg(test)]
mod tests {
    use super::*;
    use vato_engine::notation::{parse_fen, parse_turn};
    use vato_engine::rules::Rules;

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

    /// An adjudicator with this setting.
    fn with(set: impl FnOnce(&mut Adjudicator<'static>)) -> Adjudicator<'static> {
        let mut adjudicator = Adjudicator::default();
        set(&mut adjudicator);
        adjudicator
    }

    fn resigning(settings: &str) -> Adjudicator<'static> {
        with(|adjudicator| adjudicator.resign = settings.parse().ok())
    }

    fn drawing(settings: &str) -> Adjudicator<'static> {
        with(|adjudicator| adjudicator.draw = settings.parse().ok())
    }

    fn after(most_plies: u32) -> Adjudicator<'static> {
        with(|adjudicator| adjudicator.most_plies = Some(most_plies))
    }

    /// What each engine says, move by move: the last of it decides that White has lost, or nothing does.
    #[test]
    fn resignation_needs_moves_in_a_row_or_both_engines() {
        use Side::{Black, White};
        let game = quiet_game(9);
        let lost = Some(Score::loss_in(3));
        let (row, wins) = (stones(-9.0), stones(1.0));
        let [five, six] = [-5.0, -6.0].map(|value| (White, stones(value)));
        let in_a_row = [
            five,
            (Black, wins),
            (White, None),
            (White, row),
            (White, lost),
        ];
        let both = [six, (Black, stones(4.0)), (Black, stones(6.0))];
        let [one, two] = ["moves=2,score=5", "moves=1,score=5,two-sided=true"];
        for (settings, said) in [(one, &in_a_row[..]), (two, &both)] {
            let mut adjudicator = resigning(settings);
            let results = said
                .iter()
                .map(|&(side, score)| adjudicator.after_move(&game, side, score));
            let mut results: Vec<Option<GameResult>> = results.collect();
            let last = results.pop().flatten().expect("a result");
            assert_eq!(last.winner, Some(Black), "{settings}");
            assert!(
                results.iter().all(Option::is_none),
                "{settings}: {results:?}"
            );
        }
    }

    /// The giver is far behind until it may capture, and for a while after.
    #[test]
    fn no_scores_count_in_a_vela() {
        for (rules, counts) in [("", true), ("vela=black", false)] {
            let rules: Rules = rules.parse().expect("rules");
            let fen = "bbbbb4/9/9/9/wwwwwwwww w 20 30";
            let game = Game::from_position(rules, parse_fen(fen, rules.board).expect("right"));
            let resign = resigning("moves=1,score=6");
            let level = drawing("number=1,moves=1,score=0.1,two-sided=false");
            for (mut adjudicator, score) in [(resign, -9.0), (level, 0.0)] {
                let result = adjudicator.after_move(&game, Side::Black, stones(score));
                assert_eq!(result.is_some(), counts, "{rules}, {score}");
            }
        }
    }

    /// However far apart the scores may be: a win by tablebases is beyond all that are undecided.
    #[test]
    fn scores_of_tablebases_are_decided() {
        let game = quiet_game(9);
        let lost = Some(-Score::tablebase_win(7));
        let result = resigning("moves=1,score=1000").after_move(&game, Side::White, lost);
        assert_eq!(result.expect("a result").winner, Some(Side::Black));
        let mut level = drawing("number=1,moves=1,score=1000,two-sided=false");
        assert_eq!(level.after_move(&game, Side::White, lost), None);
    }

    /// As by repetition and the limit: the result and the words are of one mind.
    #[test]
    fn under_counted_ties_stones_decide_level_games() {
        let rules: Rules = "tie=count".parse().expect("rules");
        for (stones, winner, words) in [
            ("8b/9/9/9/w8", None, "draw: "),
            ("8b/9/9/9/ww7", Some(Side::White), "White wins by stones: "),
            ("7bb/9/9/9/w8", Some(Side::Black), "Black wins by stones: "),
        ] {
            let start = parse_fen(&format!("{stones} w 20 9"), rules.board).expect("right");
            let game = Game::from_position(rules, start);
            let mut by_scores = drawing("number=1,moves=1,score=0.1,two-sided=false");
            let mut by_length = after(0);
            for level in [&mut by_scores, &mut by_length] {
                let result = level.after_move(&game, Side::White, Some(Score::DRAW));
                let result = result.expect("a result");
                assert_eq!(result.winner, winner);
                assert!(result.reason.starts_with(words), "{}", result.reason);
                let told = result.termination.to_string();
                assert!(!told.contains("draw"), "{told}");
            }
        }
    }

    #[test]
    fn dead_draws_need_time_and_both_engines() {
        // At first White alone has said it twice at move 10; in the other game it is too early.
        for (move_number, is_drawn) in [(9, true), (2, false)] {
            let mut draw = drawing("number=10,moves=2,score=0.1");
            let mut game = quiet_game(move_number);
            let results = ["a1-b1 0", "i5-h5 0.1", "b1-a1 0.05", "h5-i5 -0.1"].map(|said| {
                let (text, score) = said.split_once(' ').expect("both");
                let mover = game.position().side();
                play(&mut game, text);
                let score = stones(score.parse().expect("a number"));
                let result = draw.after_move(&game, mover, score);
                result.map(|result| result.winner)
            });
            assert_eq!(results, [None, None, None, is_drawn.then_some(None)]);
        }
    }

    #[test]
    fn a_capture_begins_the_count_anew() {
        let mut draw = drawing("number=1,moves=1,score=9");
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
        let mut adjudicator = Adjudicator {
            tables: Some(&tables),
            ..Adjudicator::default()
        };
        let mut rule = |fen: &str| {
            let start = parse_fen(fen, Rules::STANDARD.board).expect(fen);
            let game = Game::from_position(Rules::STANDARD, start);
            adjudicator.after_move(&game, Side::White, None)
        };
        // Two stones against one win, but not within what is left of the limit.
        let win = rule("9/9/w8/1b7/3w5 w 0 9");
        assert_eq!(win.expect("a result").winner, Some(Side::White));
        let late = rule("9/9/w8/1b7/3w5 w 73 90");
        assert_eq!(late.expect("a result").winner, None);
        let lost = rule("9/9/9/9/b7w b 0 9");
        assert!(lost.is_some());
        assert_eq!(rule("bbbb5/9/9/9/www6 w 0 9"), None);
    }

    #[test]
    fn games_of_full_length_end() {
        let mut game = quiet_game(2);
        let mut length = after(2);
        play(&mut game, "a1-b1");
        assert_eq!(length.after_move(&game, Side::White, None), None);
        play(&mut game, "i5-h5");
        assert!(length.after_move(&game, Side::Black, None).is_some());
        // An opening may be longer.
        length.most_plies = Some(1);
        let result = length.after_move(&game, Side::Black, None);
        let reason = result.expect("a result").reason;
        assert_eq!(reason, "draw: 2 plies have been played");
    }
}
