//! UGI and UCI: the word that opens the session decides how wins are counted
//! and whether `bestmove` may name a reply; both vocabularies are understood.

use super::{accepted, in_both_dialects, searched};
use crate::support::{BestMove, Engine, Score};

/// A win for the side to move in `plies` plies (odd), or a loss (even).
struct Forced {
    fen: &'static str,
    plies: i64,
}

const FORCED: [Forced; 4] = [
    Forced {
        fen: "9/9/7b1/w8/b8 b 0 40",
        plies: 3,
    },
    Forced {
        fen: "9/8w/9/4b4/2w6 w 0 40",
        plies: 5,
    },
    Forced {
        fen: "9/3w5/9/3w3wb/9 b 0 40",
        plies: 2,
    },
    Forced {
        fen: "9/9/9/2w2w3/b8 b 0 40",
        plies: 4,
    },
];

impl Forced {
    /// The distance with the sign of the result.
    fn in_plies(&self) -> i64 {
        if self.plies % 2 == 1 {
            self.plies
        } else {
            -self.plies
        }
    }

    /// The same in moves of the side to move.
    fn in_moves(&self) -> i64 {
        if self.plies % 2 == 1 {
            (self.plies + 1) / 2
        } else {
            -self.plies / 2
        }
    }

    fn score(&self, dialect: &str) -> Score {
        match dialect {
            "uci" => Score::Mate(self.in_moves()),
            _ => Score::Mate(self.in_plies()),
        }
    }
}

/// A session opened by `word`, or by nothing if that is empty.
fn session(word: &str) -> Engine {
    if word.is_empty() {
        Engine::start()
    } else {
        Engine::opened_by(word)
    }
}

#[test]
fn wins_are_counted_in_plies_or_moves() {
    for dialect in ["ugi", "uci", ""] {
        let mut engine = session(dialect);
        // Wins that the tablebases know are not counted to the end.
        engine.send("setoption name TablebaseProbeLimit value 0");
        for forced in &FORCED {
            accepted(&mut engine, &format!("position fen {}", forced.fen));
            let search = searched(&mut engine, &format!("go depth {}", forced.plies + 4));
            let score = search.last().and_then(|info| info.score);
            assert_eq!(
                score,
                Some(forced.score(dialect)),
                "`{dialect}`, {}: {:?}",
                forced.fen,
                search.lines
            );
        }
        engine.finish();
    }
}

/// `go mate N` is in the units of the dialect, and ends when it has found one.
#[test]
fn go_mate_is_in_plies_or_moves() {
    for dialect in ["ugi", "uci", ""] {
        let mut engine = session(dialect);
        for forced in FORCED.iter().filter(|forced| forced.plies % 2 == 1) {
            engine.send("ucinewgame");
            accepted(&mut engine, &format!("position fen {}", forced.fen));
            let Score::Mate(distance) = forced.score(dialect) else {
                continue;
            };
            let search = searched(&mut engine, &format!("go mate {distance}"));
            let score = search.last().and_then(|info| info.score);
            let found = matches!(score, Some(Score::Mate(found)) if found > 0 && found <= distance);
            assert!(found, "`{dialect}`, {}: {:?}", forced.fen, search.lines);
        }
        engine.finish();
    }
}

/// Where nothing is to be found, `go mate N` says so and ends; its other limits hold.
#[test]
fn go_mate_ends_where_there_is_none() {
    for (dialect, plies) in [("ugi", 3), ("uci", 6)] {
        let mut engine = session(dialect);
        accepted(&mut engine, "position startpos");
        let note = format!("info string no win and no loss in at most {plies} plies");
        let search = searched(&mut engine, "go mate 3");
        assert!(search.lines.contains(&note), "{:?}", search.lines);
        assert!(
            search.last().is_some_and(|info| info.depth >= Some(plies)),
            "{:?}",
            search.lines
        );
        for go in [
            "go mate 99 depth 3",
            "go mate 99 movetime 50",
            "go mate 99 nodes 500",
        ] {
            let search = searched(&mut engine, go);
            assert!(
                !search.lines.iter().any(|line| line.contains("no win")),
                "{go}"
            );
        }
        // Where the search itself is at its end first, whatever thread that is.
        engine.send("setoption name Threads value 2");
        for (rules, fen) in [
            ("tsivy", "9/9/1w7/9/8b w 94 9"),
            ("dimy", "b4/3b1/ww3/4w/5 w 0 9"),
        ] {
            engine.send(&format!("setoption name UCI_Variant value {rules}"));
            accepted(&mut engine, &format!("position fen {fen}"));
            let search = searched(&mut engine, "go mate 3");
            assert!(search.lines.contains(&note), "{fen}: {:?}", search.lines);
        }
        // Of moves that are not searched nothing is said.
        engine.send("setoption name UCI_Variant value telo");
        accepted(&mut engine, "position fen 2b/w2/w1b w 9 5");
        let search = searched(&mut engine, "go mate 1 searchmoves a1-b1A");
        let told = search
            .lines
            .iter()
            .any(|line| line.ends_with(" by the moves searched"));
        assert!(told, "{:?}", search.lines);
        engine.finish();
    }
}

/// `bestmove` lines of searches that have a reply in their variation.
fn best_moves(engine: &mut Engine) -> Vec<BestMove> {
    let mut best = Vec::new();
    for position in [
        "startpos",
        "startpos moves d3-e3A",
        "fen 9/9/3w1w3/4b4/4w4 w 0 40",
    ] {
        accepted(engine, &format!("position {position}"));
        for go in [
            "go depth 1",
            "go depth 6",
            "go movetime 20",
            "go p1time 100 p2time 100",
        ] {
            best.push(searched(engine, go).best);
        }
    }
    best
}

#[test]
fn bestmove_has_two_words_in_ugi() {
    for dialect in ["ugi", ""] {
        let mut engine = session(dialect);
        for ponder in ["false", "true"] {
            accepted(
                &mut engine,
                &format!("setoption name Ponder value {ponder}"),
            );
            for best in best_moves(&mut engine) {
                assert_eq!(best.ponder, None, "in `{dialect}` with Ponder {ponder}");
            }
        }
        engine.finish();
    }
}

#[test]
fn bestmove_may_name_a_reply_in_uci_with_ponder() {
    let mut engine = Engine::uci();
    for best in best_moves(&mut engine) {
        assert_eq!(best.ponder, None, "Ponder is off until it is set");
    }
    accepted(&mut engine, "setoption name Ponder value true");
    let replies: Vec<_> = best_moves(&mut engine)
        .into_iter()
        .filter_map(|best| Some((best.turn, best.ponder?)))
        .collect();
    assert!(!replies.is_empty(), "a reply is named where one is known");

    // The reply is a legal one.
    accepted(&mut engine, "position startpos");
    let best = searched(&mut engine, "go depth 6").best;
    let reply = best.ponder.expect("a reply after six plies");
    accepted(&mut engine, &format!("moves {}", best.turn));
    assert!(engine.legal().contains(&reply), "{reply} is legal");
    accepted(&mut engine, "setoption name Ponder value false");
    for best in best_moves(&mut engine) {
        assert_eq!(best.ponder, None, "Ponder is off again");
    }
    engine.finish();
}

/// Two moves are a game to ponder on, one is the end.
#[test]
fn no_reply_is_named_after_the_last_move() {
    let mut engine = Engine::uci();
    accepted(&mut engine, "setoption name Ponder value true");
    accepted(&mut engine, "position fen 9/9/9/9/1w1b5 w 0 40");
    let best = searched(&mut engine, "go depth 5").best;
    assert_eq!((best.turn.as_str(), best.ponder), ("b1-c1A", None));
    accepted(&mut engine, "position fen 9/9/9/9/w8 b 0 40");
    let best = searched(&mut engine, "go depth 5").best;
    assert_eq!((best.turn.as_str(), best.ponder), ("0000", None));
    engine.finish();
}

#[test]
fn both_vocabularies_are_understood() {
    in_both_dialects(|engine| {
        for newgame in ["uginewgame", "ucinewgame"] {
            accepted(engine, newgame);
            accepted(engine, "position startpos");
            searched(engine, "go p1time 100 p2time 100 p1inc 5 p2inc 5");
            searched(engine, "go wtime 100 btime 100 winc 5 binc 5");
            searched(engine, "go p1time 100 btime 100 winc 5 p2inc 5");
        }
        // A second handshake is answered like the first.
        for word in ["ugi", "uci"] {
            engine.send(word);
            let lines = engine.expect(&format!("{word}ok"));
            assert!(lines.iter().any(|line| line.starts_with("id name ")));
            assert!(
                lines
                    .iter()
                    .any(|line| line.starts_with("option name Hash "))
            );
        }
    });
}

/// A session does not need a handshake.
#[test]
fn without_a_handshake() {
    let mut engine = Engine::start();
    engine.send("isready");
    assert!(engine.expect("readyok").is_empty());
    searched(&mut engine, "go depth 3");
    assert_eq!(engine.query("p1turn"), "true");
    engine.finish();
}
