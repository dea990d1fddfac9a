//! A game from its end to its beginning.

use crate::board::Position;
use crate::rules::Game;

/// A game at each of its positions, the last one first.
///
/// Each is played again from the last capture before it, which is all that repetition asks for; to keep
/// them all would take memory with the square of the game's length.
pub(super) struct Backwards<'a> {
    game: &'a Game,
    /// All positions that are still to come, the start first.
    positions: Vec<Position>,
}

impl<'a> Backwards<'a> {
    /// From the last position of the game to its start.
    pub(super) fn new(game: &'a Game) -> Backwards<'a> {
        let mut position = *game.start();
        let mut positions = vec![position];
        for &mv in game.moves() {
            position = position.play(mv);
            positions.push(position);
        }
        Backwards { game, positions }
    }
}

impl Iterator for Backwards<'_> {
    type Item = Game;

    fn next(&mut self) -> Option<Game> {
        let quiet = usize::from(self.positions.last()?.quiet_plies());
        let plies = self.positions.len() - 1;
        let begin = plies.saturating_sub(quiet);
        let mut game = Game::from_position(*self.game.rules(), self.positions[begin]);
        for &mv in &self.game.moves()[begin..plies] {
            game.play(mv).expect("the moves of a game are legal");
        }
        self.positions.pop();
        Some(game)
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::notation::{parse_fen, parse_turn};

    /// The game with these moves from this position, under these rules.
    pub(in crate::review) fn game(rules: &str, fen: &str, moves: &str) -> Game {
        let rules = crate::rules::parse_rules(rules).expect("rules");
        let start = parse_fen(fen, rules.board).expect("a position");
        let mut game = Game::from_position(rules, start);
        for text in moves.split_whitespace() {
            let (_, mv) = parse_turn(text, &rules, game.position()).expect(text);
            game.play(mv).expect(text);
        }
        game
    }

    /// Each position is as it was in the game, repetition included.
    #[test]
    fn a_game_is_gone_through_backwards() {
        let shuffle = "a1-a2 i5-i4 a2-a1 i4-i5 ";
        let whole = game(
            "repeat=5",
            "8b/9/9/9/w8 w 3 9",
            &format!("{}a1-b1", shuffle.repeat(3)),
        );
        let mut replayed = game("repeat=5", "8b/9/9/9/w8 w 3 9", "");
        let mut forwards = vec![replayed.clone()];
        for &mv in whole.moves() {
            replayed.play(mv).expect("legal");
            forwards.push(replayed.clone());
        }
        let backwards: Vec<Game> = Backwards::new(&whole).collect();
        assert_eq!(backwards.len(), forwards.len());
        for (one, other) in backwards.iter().rev().zip(&forwards) {
            assert_eq!(one.position(), other.position());
            assert_eq!(one.occurrences(), other.occurrences());
            assert_eq!(one.outcome(), other.outcome());
        }
    }
}
