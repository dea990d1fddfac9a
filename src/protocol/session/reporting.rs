//! From what the search reports to what is printed.

use crate::board::{Move, Position};
use crate::network::WdlModel;
use crate::notation::format_move;
use crate::protocol::Dialect;
use crate::protocol::info::{Info, InfoScore, ScoreValue};
use crate::rules::Game;
use crate::search::{Line, Score};

/// How lines are printed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Style {
    pub(super) dialect: Dialect,
    /// Chances of a win, a draw and a loss after each score, by this model.
    pub(super) show_wdl: Option<WdlModel>,
}

/// The `info` of a line of play that begins at the current position of `game`.
pub(super) fn info(line: &Line, game: &Game, style: Style) -> Info {
    // Nothing can be searched where there is no move.
    let depth = if line.pv.is_empty() { 0 } else { line.depth };
    Info {
        depth: Some(depth),
        seldepth: Some(line.seldepth.max(depth)),
        multipv: Some(u32::try_from(line.multipv.max(1)).unwrap_or(u32::MAX)),
        score: Some(InfoScore {
            value: score_value(line.score, style.dialect),
            bound: line.bound,
        }),
        wdl: style
            .show_wdl
            .map(|model| wdl(&model, line.score, game.position())),
        nodes: Some(line.nodes),
        nps: Some(line.nodes_per_second()),
        hashfull: Some(line.hashfull),
        tbhits: Some(line.tablebase_hits),
        time: Some(u64::try_from(line.time.as_millis()).unwrap_or(u64::MAX)),
        pv: variation(&line.pv, game),
        ..Info::default()
    }
}

/// The `info` of the root move that is searched now; `None` if it is not legal.
pub(super) fn current_move(game: &Game, depth: u32, mv: Move, number: usize) -> Option<Info> {
    let text = format_move(game.rules(), game.position(), mv)?;
    Some(Info {
        depth: Some(depth),
        currmove: Some(text),
        currmovenumber: Some(u32::try_from(number).unwrap_or(u32::MAX)),
        ..Info::default()
    })
}

fn score_value(score: Score, dialect: Dialect) -> ScoreValue {
    match score.plies_to_end() {
        None => ScoreValue::CentiStones(score.raw()),
        // A game that is won already: `mate 0` would say that it is lost.
        Some(0) if score > Score::DRAW => ScoreValue::Mate(1),
        Some(plies) => ScoreValue::Mate(dialect.mate_from_plies(plies)),
    }
}

fn wdl(model: &WdlModel, score: Score, position: &Position) -> [u32; 3] {
    let rate = score.win_rate(model, position.occupied().count());
    [rate.win, rate.draw, rate.loss]
}

/// A line of play as text. It ends where the game ends, or before a move that is not legal.
fn variation(moves: &[Move], game: &Game) -> Vec<String> {
    let mut game = game.clone();
    // A game that has ended by repetition or by the limit is played on.
    let ended_before = game.outcome().is_some();
    let mut texts = Vec::with_capacity(moves.len());
    for &mv in moves {
        let Some(text) = format_move(game.rules(), game.position(), mv) else {
            break;
        };
        if game.play(mv).is_err() {
            break;
        }
        texts.push(text);
        if game.outcome().is_some() && !ended_before {
            break;
        }
    }
    texts
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::eval::Evaluation;
    use crate::notation::{parse_fen, parse_turn};
    use crate::rules::Rules;
    use crate::search::Bound;

    const UGI: Style = Style {
        dialect: Dialect::Ugi,
        show_wdl: None,
    };

    fn game(fen: &str) -> Game {
        let rules = Rules::STANDARD;
        Game::from_position(rules, parse_fen(fen, rules.board).expect(fen))
    }

    fn line(score: Score, pv: Vec<Move>) -> Line {
        Line {
            depth: 3,
            seldepth: 2,
            complete: true,
            multipv: 1,
            score,
            bound: Bound::Exact,
            nodes: 5,
            time: Duration::from_millis(2),
            tablebase_hits: 8,
            hashfull: 0,
            pv,
        }
    }

    fn moves(game: &Game, words: &[&str]) -> Vec<Move> {
        let mut position = *game.position();
        let mut moves = Vec::new();
        for word in words {
            let (_, mv) = parse_turn(word, game.rules(), &position).expect(word);
            moves.push(mv);
            position = position.play(mv);
        }
        moves
    }

    #[test]
    fn a_line_with_everything() {
        let game = Game::new(Rules::STANDARD);
        let pv = moves(&game, &["d3-e3A"]);
        let style = Style {
            dialect: Dialect::Uci,
            show_wdl: Some(Evaluation::default().wdl_model(game.rules())),
        };
        assert_eq!(
            info(&line(Score::win_in(3), pv), &game, style).to_string(),
            " depth 3 seldepth 3 multipv 1 score mate 2 wdl 1000 0 0 nodes 5 nps 2500 hashfull 0 \
             tbhits 8 time 2 pv d3-e3A"
        );
    }

    #[test]
    fn games_that_are_over() {
        let game = game("9/9/9/9/w8 b 0 40");
        let lost = info(&line(Score::loss_in(0), Vec::new()), &game, UGI).to_string();
        assert!(
            lost.starts_with(" depth 0 seldepth 2 multipv 1 score mate 0 "),
            "{lost}"
        );
        let won = info(&line(Score::win_in(0), Vec::new()), &game, UGI).to_string();
        assert!(won.contains(" score mate 1 "), "{won}");
    }

    #[test]
    fn variations_end_with_the_game() {
        let cycle = ["a1-a2", "i5-i4", "a2-a1", "i4-i5"].repeat(3);
        let game = game("8b/9/9/9/w8 w 0 20");
        let pv = moves(&game, &cycle);
        assert_eq!(variation(&pv, &game).len(), 8);
        let mut ended = game.clone();
        for &mv in pv.iter().take(8) {
            ended.play(mv).expect("legal");
        }
        assert_eq!(variation(&pv, &ended).len(), 12);
        // The wrong side's moves are not legal.
        assert_eq!(variation(pv.get(1..).unwrap_or_default(), &game).len(), 0);
    }
}
