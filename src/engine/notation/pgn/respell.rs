//! Turns in other notations, written as PGN has them.

use super::check::play;
use super::record::OfSource;
use super::tokens::join;
use super::{GameRecord, RecordFault, RecordedMove};
use crate::notation::{format_path, read_first_turn};
use crate::rules::Game;

impl GameRecord {
    /// Writes the turns as PGN has them, whatever notation they are in ([`read_first_turn`]), where each may be several words of
    /// the text; returns the game that they are. A variation with a turn that cannot be read stays as it is.
    ///
    /// # Errors
    ///
    /// As [`GameRecord::replay`], and if a turn may be one of several. Nothing is changed then.
    pub fn respell(&mut self) -> Result<Game, RecordFault> {
        let (rules, start) = self.start()?;
        let mut game = Game::from_position(rules, start);
        self.moves = respelled(&self.moves, &mut game)?;
        Ok(game)
    }
}

fn respelled(moves: &[RecordedMove], game: &mut Game) -> Result<Vec<RecordedMove>, RecordFault> {
    let (mut written, mut rest) = (Vec::new(), moves);
    while let [first, ..] = rest {
        let line = first.line();
        let plies = game.moves().len();
        let (count, path) = play(game, first.text(), |game| {
            let words = rest.iter().map(RecordedMove::text);
            let (count, (path, mv)) = read_first_turn(words, game.rules(), game.position())?;
            Ok(((count, path), mv))
        })
        .map_err(|problem| RecordFault { line, problem })?;
        let text = format_path(&path, game.rules().board);
        let mut mv = RecordedMove::new(&text, None, OfSource(line));
        let (own, behind) = rest.split_at(count);
        for part in own {
            mv.comment = join(mv.comment, part.comment.clone());
            for &nag in part.annotations() {
                mv.add_annotation(nag);
            }
            mv.variations.extend(part.variations().iter().cloned());
        }
        for variation in &mut mv.variations {
            if let Ok(moves) = respelled(&variation.moves, &mut game.truncated(plies)) {
                variation.moves = moves;
            }
        }
        written.push(mv);
        rest = behind;
    }
    Ok(written)
}
