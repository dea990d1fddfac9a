//! A whole game, position by position and move by move.

use super::{Judgement, PlayerReview, expected_of_outcome, expected_score};
use vato_engine::board::{Move, Position, Side};
use vato_engine::engine::Engine;
use vato_engine::network::WdlModel;
use vato_engine::rules::{Game, Outcome, Rules, legal_moves};
use vato_engine::search::{Bound, Control, Limits, Line, Report, Score, SearchError, SearchResult};

/// A position of a game and its search result.
#[derive(Clone, Debug, PartialEq)]
pub struct PositionReview {
    /// The position.
    pub position: Position,
    /// Its score, from the view of the side to move.
    pub score: Score,
    /// The score that the side to move can expect, from 0 to 1.
    pub expected: f64,
    /// The depth that the search has reached, in plies; 0 where the game is over.
    pub depth: u32,
    /// The nodes that it has searched.
    pub nodes: u64,
    /// The best line; empty where the game is over.
    pub line: Vec<Move>,
    /// The move that the search would have played: the first of the line, unless its limit came when it
    /// had found a better one, but not yet by how much. `None` where the game is over.
    pub best: Option<Move>,
}

/// A move of a game and its judgement.
#[derive(Clone, Debug, PartialEq)]
pub struct MoveReview {
    /// Its player.
    pub side: Side,
    /// The move.
    pub mv: Move,
    /// Whether it was the only one. Such a move is not judged.
    pub is_forced: bool,
    /// Whether it is the one that the search would have played, or begins its line. It costs nothing
    /// then, whatever comes to light after it.
    pub is_best: bool,
    /// The score after it, from the view of the side that played it; plies to the end of a decided
    /// game count from the position before it.
    pub score: Score,
    /// The score that this side can expect after it, from 0 to 1.
    pub expected: f64,
    /// Its judgement.
    pub judgement: Judgement,
}

impl MoveReview {
    /// The best line of the position `before` the move, if there was a choice and the move lost a visible
    /// amount. (A move without loss may have the higher score, as the position after it is searched
    /// separately.)
    #[must_use]
    pub fn better_line<'a>(&self, before: &'a PositionReview) -> Option<&'a [Move]> {
        let costs = !self.is_best && !self.is_forced && self.judgement.hundredths() > 0;
        (costs && !before.line.is_empty()).then_some(&before.line)
    }
}

/// The review of a game.
#[derive(Clone, Debug, PartialEq)]
pub struct GameReview {
    /// All positions, from the start to the last: one more than moves.
    pub positions: Vec<PositionReview>,
    /// All moves.
    pub moves: Vec<MoveReview>,
    /// How White and Black have played.
    pub players: [PlayerReview; 2],
    /// How the game ended by the rules, if it did.
    pub outcome: Option<Outcome>,
}

/// Searches every position of `game` within `limits` and judges its moves. `progress` is called after
/// each position. `None` if `control` was stopped before the end.
///
/// Positions are searched from the last to the first: the transposition table then holds the
/// continuation of the game, which improves the score of earlier positions. With an engine that has not
/// been used before, one thread, and a limit of depth or nodes, a game always has the same review.
///
/// # Errors
///
/// If memory or threads for the engine are not available.
pub fn review(
    game: &Game,
    engine: &mut Engine,
    limits: &Limits,
    control: &Control,
    progress: &mut dyn FnMut(),
) -> Result<Option<GameReview>, SearchError> {
    let rules = game.rules();
    let model = engine.settings().search.evaluation.wdl_model(rules);
    let mut positions = Vec::with_capacity(game.moves().len() + 1);
    for plies in (0..=game.moves().len()).rev() {
        let game = game.truncated(plies);
        let reviewed = match game.outcome() {
            Some(outcome) => PositionReview::ended(*game.position(), outcome),
            None => {
                let mut exact = None;
                let result = engine.search(&game, limits, control, &mut |report| {
                    if let Report::Line(line) = report
                        && line.multipv == 1
                        && line.bound == Bound::Exact
                    {
                        exact = Some(line.clone());
                    }
                })?;
                if control.is_stopped() {
                    return Ok(None);
                }
                PositionReview::searched(*game.position(), result, exact, &model)
            }
        };
        positions.push(reviewed);
        progress();
    }
    positions.reverse();
    let moves = judge(rules, &positions, game.moves());
    let expected: Vec<f64> = positions
        .iter()
        .map(|reviewed| match reviewed.position.side() {
            Side::White => reviewed.expected,
            Side::Black => 1.0 - reviewed.expected,
        })
        .collect();
    Ok(Some(GameReview {
        players: Side::BOTH.map(|side| PlayerReview::of(side, &moves, &expected)),
        positions,
        moves,
        outcome: game.outcome(),
    }))
}

impl PositionReview {
    fn ended(position: Position, outcome: Outcome) -> PositionReview {
        let side = position.side();
        PositionReview {
            position,
            score: match outcome.winner {
                Some(winner) if winner == side => Score::win_in(0),
                Some(_) => Score::loss_in(0),
                None => Score::DRAW,
            },
            expected: expected_of_outcome(outcome, side),
            depth: 0,
            nodes: 0,
            line: Vec::new(),
            best: None,
        }
    }

    /// `exact` is the last line that was told with an exact score. The last line of all may have a bound
    /// for a score, where the limit came before the score was found.
    fn searched(
        position: Position,
        result: SearchResult,
        exact: Option<Line>,
        model: &WdlModel,
    ) -> PositionReview {
        let last = result.lines.into_iter().next();
        let line = last
            .clone()
            .filter(|line| line.bound == Bound::Exact)
            .or(exact)
            .or(last);
        let score = line.as_ref().map_or(Score::DRAW, |line| line.score);
        PositionReview {
            position,
            score,
            expected: expected_score(model, score, &position),
            depth: line.as_ref().map_or(0, |line| line.depth),
            nodes: result.nodes,
            line: line.map_or_else(Vec::new, |line| line.pv),
            best: result.best,
        }
    }
}

/// Judges each move by the positions before and after it.
fn judge(rules: &Rules, positions: &[PositionReview], moves: &[Move]) -> Vec<MoveReview> {
    positions
        .windows(2)
        .zip(moves)
        .map(|(pair, &mv)| {
            let (before, after) = (&pair[0], &pair[1]);
            let is_forced = legal_moves(rules, &before.position).len() == 1;
            let is_best = before.best == Some(mv) || before.line.first() == Some(&mv);
            // Each turn changes the side to move.
            let expected = 1.0 - after.expected;
            let judgement = if is_forced || is_best {
                Judgement::default()
            } else {
                Judgement::of(before.expected, expected)
            };
            MoveReview {
                side: before.position.side(),
                mv,
                is_forced,
                is_best,
                score: one_ply_earlier(-after.score),
                expected,
                judgement,
            }
        })
        .collect()
}

/// The score as it is one ply earlier: the end of a decided game is one ply further away.
fn one_ply_earlier(score: Score) -> Score {
    let Some(plies) = score.plies_to_end() else {
        return score;
    };
    let plies = (plies.unsigned_abs() + 1).min(Score::MOST_PLIES as u32);
    if score > Score::DRAW {
        Score::win_in(plies)
    } else {
        Score::loss_in(plies)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::review::Mark;
    use vato_engine::engine::Settings;
    use vato_engine::notation::{parse_fen, parse_turn};

    /// The game with these moves from this position, under these rules.
    fn game(rules: &str, fen: &str, moves: &str) -> Game {
        let rules = vato_engine::rules::parse_rules(rules).expect("rules");
        let start = parse_fen(fen, rules.board).expect("a position");
        let mut game = Game::from_position(rules, start);
        for text in moves.split_whitespace() {
            let (_, mv) = parse_turn(text, &rules, game.position()).expect(text);
            game.play(mv).expect(text);
        }
        game
    }

    fn reviewed(game: &Game) -> GameReview {
        let limits = Limits {
            nodes: Some(2_000),
            analyse: true,
            ..Limits::default()
        };
        review(
            game,
            &mut Engine::new(Settings::default()),
            &limits,
            &Control::new(),
            &mut || (),
        )
        .expect("memory")
        .expect("not stopped")
    }

    #[test]
    fn the_end_of_a_game_is_no_search() {
        let won = game("tsivy", "9/9/3w2b2/9/9 b 0 31", "g3-f3 d3-e3A");
        let review = reviewed(&won);
        let last = review.positions.last().expect("a position");
        assert_eq!((last.depth, last.nodes, last.expected), (0, 0, 0.0));
        assert!(last.line.is_empty());
        let winner = &review.moves[1];
        assert_eq!(winner.score, Score::win_in(1));
        assert_eq!((winner.expected, winner.judgement.loss), (1.0, 0.0));
        assert_eq!(review.outcome, won.outcome());
        assert!(review.outcome.is_some());
        // A game without a move, over or not, has nothing to judge.
        for fen in ["9/9/4w4/9/9 b", "9/9/3w2b2/9/9 b 0 31"] {
            let review = reviewed(&game("tsivy", fen, ""));
            assert_eq!((review.positions.len(), review.moves.len()), (1, 0));
            assert_eq!(review.players, [(); 2].map(|()| PlayerReview::default()));
        }
    }

    /// g3-f3 offers the stone, where keeping away would have drawn (or won).
    #[test]
    fn blunders_are_found_and_forced_moves_are_not_judged() {
        let review = reviewed(&game("tsivy", "9/9/3w2b2/9/9 b 0 31", "g3-f3 d3-e3A"));
        let [offer, capture] = &review.moves[..] else {
            panic!("two moves");
        };
        assert_eq!(offer.judgement.mark, Some(Mark::Blunder));
        assert!(!offer.judgement.missed_win && !offer.is_best && !offer.is_forced);
        assert_eq!(offer.score, Score::loss_in(2));
        assert!(capture.is_forced && capture.is_best);
        let [white, black] = &review.players;
        assert_eq!((white.judged, white.forced, white.accuracy), (0, 1, None));
        assert_eq!((black.judged, black.blunders), (1, 1));
        assert_eq!(black.count(Mark::Blunder), 1);
        assert!(black.accuracy.expect("a move") < 30.0);
        assert_eq!(black.average_loss, Some(offer.judgement.loss));
    }

    #[test]
    fn distances_count_from_the_position_before_the_move() {
        assert_eq!(one_ply_earlier(Score::win_in(4)), Score::win_in(5));
        assert_eq!(one_ply_earlier(Score::loss_in(0)), Score::loss_in(1));
        assert_eq!(one_ply_earlier(Score::win_in(0)), Score::win_in(1));
        assert_eq!(one_ply_earlier(Score::win_in(1000)), Score::win_in(1000));
        for score in [Score::DRAW, Score::tablebase_win(7)] {
            assert_eq!(one_ply_earlier(score), score);
        }
    }

    /// A limit of nodes may come when a score is known to be more than expected, and no more.
    #[test]
    fn a_bound_is_no_score() {
        let game = Game::new(Rules::STANDARD);
        let mut bounds = 0;
        for nodes in (400..4_000).step_by(60) {
            let limits = Limits {
                nodes: Some(nodes),
                analyse: true,
                ..Limits::default()
            };
            let mut lines = Vec::new();
            let result = Engine::new(Settings::default())
                .search(&game, &limits, &Control::new(), &mut |report| {
                    if let Report::Line(line) = report {
                        lines.push(line.clone());
                    }
                })
                .expect("memory");
            bounds += usize::from(result.lines[0].bound != Bound::Exact);
            let exact = lines.iter().rfind(|line| line.bound == Bound::Exact);
            let exact = exact.expect("a first iteration");
            let review = review(
                &game,
                &mut Engine::new(Settings::default()),
                &limits,
                &Control::new(),
                &mut || (),
            );
            let review = review.expect("memory").expect("not stopped");
            let position = &review.positions[0];
            assert_eq!(position.score, exact.score, "{nodes} nodes");
            assert_eq!((position.depth, &position.line), (exact.depth, &exact.pv));
            assert_eq!(position.best, result.best);
        }
        assert!(bounds > 0);
    }

    /// Each position is as it was in the game, repetition included.
    #[test]
    fn a_move_that_repeats_for_the_last_time_ends_the_game() {
        let shuffle = "a1-a2 i5-i4 a2-a1 i4-i5 ".repeat(2);
        let review = reviewed(&game("repeat=3", "8b/9/9/9/w8 w 3 9", &shuffle));
        let ended: Vec<_> = review.positions.iter().map(|one| one.depth == 0).collect();
        assert_eq!(ended, [&[false; 8][..], &[true]].concat());
    }

    #[test]
    fn the_same_game_has_the_same_review_and_a_stop_ends_it() {
        let start = "bbbbbbbbb/bbbbbbbbb/bwbw1bwbw/wwwwwwwww/wwwwwwwww w 0 1";
        let played = game("tsivy", start, "f2-e3A d5-d4A e1-d2A");
        assert_eq!(reviewed(&played), reviewed(&played));
        let control = Control::new();
        control.stop();
        let limits = Limits::default();
        let stopped = review(
            &played,
            &mut Engine::new(Settings::default()),
            &limits,
            &control,
            &mut || (),
        );
        assert_eq!(stopped.expect("memory"), None);
    }

    #[test]
    fn what_costs_nothing_needs_no_better_line() {
        let rules = Rules::STANDARD;
        let moves = legal_moves(&rules, &rules.start());
        let mut before = PositionReview {
            position: rules.start(),
            score: Score::DRAW,
            expected: 0.5,
            depth: 1,
            nodes: 1,
            line: vec![moves[1]],
            best: Some(moves[1]),
        };
        let played = |expected: f64| MoveReview {
            side: Side::White,
            mv: moves[0],
            is_forced: false,
            is_best: false,
            score: Score::DRAW,
            expected,
            judgement: Judgement::of(0.5, expected),
        };
        assert_eq!(played(0.49).better_line(&before), Some(&moves[1..2]));
        assert_eq!(played(0.496).better_line(&before), None);
        assert_eq!(played(0.6).better_line(&before), None);
        let best = MoveReview {
            is_best: true,
            ..played(0.3)
        };
        let forced = MoveReview {
            is_forced: true,
            ..played(0.3)
        };
        assert_eq!(best.better_line(&before), None);
        assert_eq!(forced.better_line(&before), None);
        before.line.clear();
        assert_eq!(played(0.3).better_line(&before), None);
    }
}
