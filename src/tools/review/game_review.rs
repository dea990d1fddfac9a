//! A whole game, position by position and move by move.

use serde::{Serialize, Serializer};

use super::judgement::worth_searching;
use super::{Expectation, Judgement, PlayerReview, expected_score};
use vato_engine::board::{BoardSize, Move, Position, Side};
use vato_engine::engine::{Engine, Settings};
use vato_engine::memory::ResourceError;
use vato_engine::notation::{format_fen, format_line, format_move, format_path, parse_path};
use vato_engine::proofs::Proven;
use vato_engine::rules::{Game, Outcome, Rules, legal_moves};
use vato_engine::search::{Bound, Control, Limits, Report, Score, SearchResult, SearchSettings};
use vato_records::pgn::{GameRecord, RecordedMove};

/// The phase of a game, by the stones on the board, both sides together. The game opens with 44 stones and many captures;
/// after some ten turns a dozen stones are left. Smaller boards begin in a later phase.
fn phase(stones: u32) -> &'static str {
    match stones {
        0..=4 => "1-4",
        5..=7 => "5-7",
        8..=12 => "8-12",
        13..=19 => "13-19",
        20..=29 => "20-29",
        30..=39 => "30-39",
        _ => "40+",
    }
}

/// A position of a game and its search result.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PositionReview {
    /// The position.
    #[serde(skip)]
    pub position: Position,
    /// The score of the best line, from the view of the side to move.
    pub score: Score,
    /// Where the engine's tables know the score: the plies to the next conversion.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub conversion: Option<u32>,
    /// The score that the side to move can expect of the best line, from 0 to 1.
    pub expected: f64,
    /// What White can expect by the search and by what is proven.
    #[serde(skip)]
    white: Expectation,
    /// The depth that the search has reached, in plies; 0 where the game is over.
    pub depth: u32,
    /// The nodes that it has searched.
    pub nodes: u64,
    /// The best line; empty where the game is over.
    #[serde(skip)]
    pub line: Vec<Move>,
    /// The same in notation.
    pub pv: Vec<String>,
    /// The move that the search would have played: the first of the line, unless its limit came when it
    /// had found a better one, but not yet by how much. `None` where the game is over.
    #[serde(skip)]
    pub best: Option<Move>,
}

/// A move of a game and its judgement.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MoveReview {
    /// Its number in the game, from 1.
    pub ply: usize,
    /// The number of the turn, as game records have it.
    pub number: u32,
    /// Its player.
    pub side: Side,
    /// The move in notation.
    #[serde(rename = "move")]
    pub text: String,
    /// The position before it.
    pub fen: String,
    /// The stones of White and Black before it.
    #[serde(serialize_with = "by_side")]
    pub stones: [u32; 2],
    /// The phase of the game before it, by the stones on the board.
    pub phase: &'static str,
    /// What is proven of the position before it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub proven: Option<Proven>,
    /// The score after it, from the view of the side that played it; plies to the end of a decided
    /// game count from the position before it.
    pub score: Score,
    /// Where the engine's tables know the score: the plies to the next conversion, from the position before it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub conversion: Option<u32>,
    /// The score that this side can expect after it, from 0 to 1.
    pub expected: f64,
    /// The depth of the search after it, in plies; 0 where the game is over.
    pub depth: u32,
    /// The nodes of the search after it.
    pub nodes: u64,
    /// Its judgement.
    #[serde(flatten)]
    pub judgement: Judgement,
    /// Whether it was the only one. Such a move is not judged.
    #[serde(rename = "forced")]
    pub is_forced: bool,
    /// Whether it is the one that the search would have played, or begins its line. It costs nothing
    /// then, whatever comes to light after it.
    #[serde(skip)]
    pub is_best: bool,
    /// The search before it.
    #[serde(rename = "best")]
    pub before: PositionReview,
}

/// What counts of a move for its player.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Judged {
    pub side: Side,
    pub judgement: Judgement,
    pub is_forced: bool,
}

impl Judged {
    /// Judges a move by what White can expect before and after it.
    pub fn of(
        rules: &Rules,
        position: &Position,
        is_best: bool,
        [before, after]: [Expectation; 2],
    ) -> Judged {
        let is_forced = legal_moves(rules, position).len() == 1;
        Judged {
            side: position.side(),
            judgement: match is_forced || is_best {
                true => Judgement::default(),
                false => Judgement::between(position.side(), before, after),
            },
            is_forced,
        }
    }
}

/// Something of White and of Black, as an object.
///
/// # Errors
///
/// Those of the serializer.
pub fn by_side<T: Serialize, S: Serializer>(
    pair: &[T; 2],
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.collect_map(["white", "black"].iter().zip(pair))
}

/// The review of a game.
#[derive(Clone, Debug, PartialEq)]
pub struct GameReview {
    /// All moves, each with the search of the position before it.
    pub moves: Vec<MoveReview>,
    /// The last position.
    pub last: PositionReview,
    /// How White and Black have played.
    pub players: [PlayerReview; 2],
    /// How the game ended by the rules, if it did.
    pub outcome: Option<Outcome>,
}

impl GameReview {
    /// All positions, from the start to the last: one more than moves.
    pub fn positions(&self) -> impl Iterator<Item = &PositionReview> {
        let before = self.moves.iter().map(|mv| &mv.before);
        before.chain([&self.last])
    }

    /// Names the moves by the paths in the record of the game: several may give one move.
    pub fn name_moves(&mut self, record: &GameRecord, board: BoardSize) {
        let recorded = record.moves().iter().map(RecordedMove::text);
        for (mv, text) in self.moves.iter_mut().zip(recorded) {
            mv.text = path_text(text, board);
        }
    }
}

/// The move of a record in notation; as it stands there if it is no path.
pub(crate) fn path_text(text: &str, board: BoardSize) -> String {
    let path = parse_path(text, board).map(|path| format_path(&path, board));
    path.unwrap_or_else(|_| text.to_owned())
}

/// The nodes that a position is searched for, if nothing else is asked.
pub const NODES: u64 = 400_000;

/// An engine for reviews: whatever the settings of the search are, it has the usual ones.
pub fn engine(settings: &Settings) -> Engine {
    Engine::new(Settings {
        search: SearchSettings::default(),
        ..settings.clone()
    })
}

/// Searches the position of a game as in a review, without what the engine has found before: with one thread and a limit of
/// depth or nodes the result is always the same. Moves that are proven to be worse are left out. The first line of the
/// result is the last one with an exact score: where the limit came before a score was found, the search ends with a bound.
///
/// # Errors
///
/// If memory or threads for the engine are not available.
pub fn examine(
    game: &Game,
    engine: &mut Engine,
    limits: &Limits,
    control: &Control,
    report: &mut dyn FnMut(&Report),
) -> Result<SearchResult, ResourceError> {
    engine.clear();
    let limits = Limits {
        analyse: true,
        searchmoves: worth_searching(game),
        ..limits.clone()
    };
    let mut exact = None;
    let mut result = engine.search(game, &limits, control, &mut |said| {
        if let Report::Line(line) = said
            && line.multipv == 1
            && line.bound == Bound::Exact
        {
            exact = Some(line.clone());
        }
        report(said);
    })?;
    if let Some((first, exact)) = result.lines.first_mut().zip(exact) {
        *first = exact;
    }
    Ok(result)
}

/// [Examines](examine) every position of `game` within `limits` and judges its moves. `progress` is called after
/// each position. `None` if `control` was stopped before the end.
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
) -> Result<Option<GameReview>, ResourceError> {
    let mut positions = Vec::with_capacity(game.moves().len() + 1);
    for plies in 0..=game.moves().len() {
        let game = game.truncated(plies);
        let reviewed = match game.outcome() {
            Some(outcome) => PositionReview::ended(&game, outcome),
            None => {
                let result = examine(&game, engine, limits, control, &mut |_| {})?;
                if control.is_stopped() {
                    return Ok(None);
                }
                PositionReview::searched(&game, result, &engine.settings().search)
            }
        };
        positions.push(reviewed);
        progress();
    }
    let expected = positions.iter().map(PositionReview::expected_of_white);
    let expected: Vec<f64> = expected.collect();
    let mut moves = Vec::with_capacity(game.moves().len());
    let mut positions = positions.into_iter();
    let Some(mut last) = positions.next() else {
        return Ok(None);
    };
    for ((plies, &mv), after) in (0..).zip(game.moves()).zip(positions) {
        moves.push(MoveReview::of(&game.truncated(plies), mv, last, &after));
        last = after;
    }
    let judged: Vec<Judged> = moves.iter().map(MoveReview::judged).collect();
    Ok(Some(GameReview {
        players: Side::BOTH.map(|side| PlayerReview::of(side, &judged, &expected)),
        moves,
        last,
        outcome: game.outcome(),
    }))
}

impl PositionReview {
    /// The score that White can expect, from 0 to 1.
    pub(crate) fn expected_of_white(&self) -> f64 {
        self.white.value()
    }

    fn ended(game: &Game, outcome: Outcome) -> PositionReview {
        let position = *game.position();
        let side = position.side();
        let white = Expectation::of(game, 0.5);
        PositionReview {
            position,
            score: match outcome.winner {
                Some(winner) if winner == side => Score::win_in(0),
                Some(_) => Score::loss_in(0),
                None => Score::DRAW,
            },
            conversion: None,
            expected: white.seen_by(side).value(),
            white,
            depth: 0,
            nodes: 0,
            line: Vec::new(),
            pv: Vec::new(),
            best: None,
        }
    }

    /// The review of a position by its search ([`examine`]) with these settings.
    pub fn searched(
        game: &Game,
        result: SearchResult,
        settings: &SearchSettings,
    ) -> PositionReview {
        let (rules, position) = (game.rules(), *game.position());
        let line = result.lines.into_iter().next();
        let found = line.map(|line| (line.score, line.depth, line.pv));
        let (score, depth, mut line) = found.unwrap_or_default();
        let model = settings.evaluation.wdl_model(rules);
        let side = position.side();
        let found = side.for_white(score);
        let expected = expected_score(&model, found, &position);
        let white = Expectation::of(game, expected);
        let mut of_best = Expectation::of_move(game, line.first().copied(), expected);
        // A search that finds less than is proven has not found the move by which it is.
        let reply = Proven::of(game).and_then(|proven| proven.reply);
        let of_reply = Expectation::of_move(game, reply, expected);
        if reply.is_some() && of_best.seen_by(side).value() < of_reply.seen_by(side).value() {
            (line, of_best) = (Vec::from_iter(reply), of_reply);
        }
        let score = side.for_white(of_best.score(found));
        PositionReview {
            position,
            score,
            conversion: settings.conversion(rules, &position, score, &line),
            expected: of_best.seen_by(side).value(),
            white,
            depth,
            nodes: result.nodes,
            pv: format_line(rules, &position, &line),
            line,
            best: result.best,
        }
    }
}

impl MoveReview {
    /// The best line of the position before the move, if there was a choice and the move lost a visible
    /// amount. (A move without loss may have the higher score, as the position after it is searched
    /// separately.)
    pub fn better_line(&self) -> Option<&PositionReview> {
        let costs = !self.is_best && !self.is_forced && self.judgement.hundredths() > 0;
        (costs && !self.before.line.is_empty()).then_some(&self.before)
    }

    fn judged(&self) -> Judged {
        Judged {
            side: self.side,
            judgement: self.judgement,
            is_forced: self.is_forced,
        }
    }

    /// Judges a move after the game `so_far` by the positions before and after it.
    fn of(so_far: &Game, mv: Move, before: PositionReview, after: &PositionReview) -> MoveReview {
        let (rules, position) = (so_far.rules(), &before.position);
        let found = after.position.side().for_white(after.score);
        let is_best = before.best == Some(mv) || before.line.first() == Some(&mv);
        let judged = Judged::of(rules, position, is_best, [before.white, after.white]);
        MoveReview {
            ply: so_far.moves().len() + 1,
            number: position.move_number(),
            side: judged.side,
            text: format_move(rules, position, mv).unwrap_or_default(),
            fen: format_fen(position, rules.board),
            stones: Side::BOTH.map(|side| position.stones(side).count()),
            phase: phase(position.occupied().count()),
            proven: Proven::of(so_far),
            score: one_ply_earlier(judged.side.for_white(after.white.score(found))),
            conversion: after.conversion.map(|plies| plies + 1),
            // Each turn changes the side to move.
            expected: after.white.seen_by(judged.side).value(),
            depth: after.depth,
            nodes: after.nodes,
            judgement: judged.judgement,
            is_forced: judged.is_forced,
            is_best,
            before,
        }
    }
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
    use vato_engine::notation::{parse_fen, parse_turn};
    use vato_engine::search::SearchLimit;

    const START: &str = "bbbbbbbbb/bbbbbbbbb/bwbw1bwbw/wwwwwwwww/wwwwwwwww w 0 1";

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

    fn search(nodes: u64) -> Limits {
        let mut limits = Limits::from(SearchLimit::Nodes(nodes));
        limits.analyse = true;
        limits
    }

    /// The review by a fresh engine, unless it is stopped.
    fn reviewed_with(game: &Game, limits: &Limits, control: &Control) -> Option<GameReview> {
        let mut engine = Engine::new(Settings::default());
        review(game, &mut engine, limits, control, &mut || ()).expect("memory")
    }

    fn reviewed(game: &Game) -> GameReview {
        reviewed_with(game, &search(2_000), &Control::new()).expect("not stopped")
    }

    #[test]
    fn the_end_of_a_game_is_no_search() {
        let won = game("tsivy", "9/9/3w2b2/9/9 b 0 31", "g3-f3 d3-e3A");
        let review = reviewed(&won);
        let last = &review.last;
        assert_eq!((last.depth, last.nodes, last.expected), (0, 0, 0.0));
        assert!(last.line.is_empty());
        let winner = &review.moves[1];
        assert_eq!(winner.score, Score::win_in(1));
        assert_eq!((winner.expected, winner.judgement.loss), (1.0, 0.0));
        assert_eq!(review.outcome, won.outcome());
        assert!(review.outcome.is_some());
        // Distances count from the position before the move.
        for (score, earlier) in [
            (Score::win_in(4), Score::win_in(5)),
            (Score::loss_in(0), Score::loss_in(1)),
            (Score::win_in(0), Score::win_in(1)),
            (Score::win_in(1000), Score::win_in(1000)),
            (Score::DRAW, Score::DRAW),
            (Score::tablebase_win(7), Score::tablebase_win(7)),
        ] {
            assert_eq!(one_ply_earlier(score), earlier);
        }
        // A game without a move, over or not, has nothing to judge.
        for fen in ["9/9/4w4/9/9 b", "9/9/3w2b2/9/9 b 0 31"] {
            let review = reviewed(&game("tsivy", fen, ""));
            assert_eq!((review.positions().count(), review.moves.len()), (1, 0));
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
        // One move tells nothing of a player.
        assert_eq!(black.accuracy, None);
        assert_eq!(black.average_loss, Some(offer.judgement.loss));
    }

    /// A limit of nodes may come when a score is known to be more than expected, and no more.
    #[test]
    fn a_bound_is_no_score() {
        let game = game("free-capture", START, "");
        let mut bounds = 0;
        for nodes in (400..4_000).step_by(60) {
            let limits = search(nodes);
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
            let review = reviewed_with(&game, &limits, &Control::new());
            let position = &review.expect("not stopped").last;
            assert_eq!(position.score, exact.score, "{nodes} nodes");
            assert_eq!((position.depth, &position.line), (exact.depth, &exact.pv));
            assert_eq!(position.best, result.best);
        }
        assert!(bounds > 0);
    }

    /// What is proven overrules the search: draws and wins, before the move and after it.
    #[test]
    fn what_is_proven_counts() {
        let first = |rules: &str, mv: &str| {
            let rules = vato_engine::rules::parse_rules(rules).expect("rules");
            let fen = format_fen(&rules.start(), rules.board);
            reviewed(&game(&rules.to_string(), &fen, mv))
        };
        let drawn = first("tsivy", "f2-e3A");
        let (mv, draw) = (&drawn.moves[0], Score::DRAW);
        assert_eq!((mv.before.score, mv.score), (draw, draw));
        assert_eq!((mv.judgement, mv.expected), (Judgement::default(), 0.5));
        let best = first("tsivy", "d2-e3A");
        assert!(["d3-e3A", "f2-e3A"].contains(&best.moves[0].before.pv[0].as_str()));
        // White does not lose at first; after its move Black wins.
        let lost = first("full-chain", "d3-e3W");
        let mv = &lost.moves[0];
        assert_eq!((mv.score, mv.expected), (-Score::tablebase_win(0), 0.0));
        assert_eq!(mv.judgement.mark, Some(Mark::Blunder));
        assert_ne!(mv.before.pv[0], "d3-e3W");
        // The best move is one of which as much is proven as of the position.
        let left = reviewed(&game("tsivy", START, "f2-e3A d5-d4A g3-f2W"));
        let mv = &left.moves[2];
        assert_eq!(
            (&mv.before.pv[..], mv.before.score),
            (&["e3-d3W-d2W".to_owned()][..], draw)
        );
        assert_eq!(mv.judgement.mark, Some(Mark::Blunder));
        // After the move of a winner nothing is proven: what it costs the searches say, and so what the best one is worth.
        let won = first("board=7x3", "c1-d2A");
        let mv = &won.moves[0];
        let before = &mv.before;
        assert_eq!((before.white.value(), mv.judgement.mark), (1.0, None));
        assert!(before.expected < 1.0 && !before.score.counts_plies());
    }

    /// Each position is as it was in the game, repetition included.
    #[test]
    fn a_move_that_repeats_for_the_last_time_ends_the_game() {
        let shuffle = "a1-a2 i5-i4 a2-a1 i4-i5 ".repeat(2);
        let review = reviewed(&game("repeat=3", "8b/9/9/9/w8 w 3 9", &shuffle));
        let ended: Vec<_> = review.positions().map(|one| one.depth == 0).collect();
        assert_eq!(ended, [&[false; 8][..], &[true]].concat());
    }

    #[test]
    fn the_same_game_has_the_same_review_and_a_stop_ends_it() {
        let played = game("tsivy", START, "f2-e3A d5-d4A e1-d2A");
        assert_eq!(reviewed(&played), reviewed(&played));
        let control = Control::new();
        control.stop();
        assert_eq!(reviewed_with(&played, &Limits::default(), &control), None);
    }

    #[test]
    fn what_costs_nothing_needs_no_better_line() {
        let reviewed = reviewed(&game("tsivy", START, "f2-e3A"));
        let played = |expected: f64| MoveReview {
            is_forced: false,
            is_best: false,
            judgement: Judgement::of(0.5, expected),
            ..reviewed.moves[0].clone()
        };
        let better = |mv: &MoveReview| mv.better_line() == Some(&reviewed.moves[0].before);
        assert!(better(&played(0.49)));
        assert!(!better(&played(0.496)) && !better(&played(0.6)));
        let mut without = played(0.3);
        for (is_best, is_forced) in [(true, false), (false, true)] {
            let mut mv = without.clone();
            (mv.is_best, mv.is_forced) = (is_best, is_forced);
            assert!(!better(&mv));
        }
        without.before.line.clear();
        assert_eq!(without.better_line(), None);
    }
}
