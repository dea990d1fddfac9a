//! `vato book probe`.

use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;
use serde::Serialize;
use vato_engine::board::Move;
use vato_engine::engine::OwnBook;
use vato_engine::notation::{format_fen, format_move, read_position};
use vato_engine::rules::{Game, legal_moves};
use vato_engine::solver::{CertificateFile, Claim, Strategy};
use vato_engine::tablebase::TableFolders;

use super::{MoveRow, move_rows};
use crate::cli::support::arguments::MovesArgument;
use crate::cli::support::failure::Failure;
use crate::cli::support::present::{self, AnswerArguments};
use crate::cli::support::resources::tables;

/// Show what a book has for a position
///
/// For a book: its moves, best first, each with its score from White's view (in JSON and CSV for the side to
/// move), its weight, how often it is played, and the line that follows. For certificates of vato solve: the
/// moves that they prove, and what they prove; for a strategy: its reply, if the game has followed it from the start, or
/// that no move wins. The rules are those of the book.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  vato book probe my.book
  vato book probe my.book --moves \"d3-e3A c3-d3W\" --json
  vato book probe white.proof black.proof --fen \"5/2b2/1w3/4b/5 w 0 20\"

Exit codes: 0 done, 1 failed, or the position is not in the book, 2 wrong usage")]
pub struct Arguments {
    /// The book, a strategy (proof: the one in the program), or certificates of the same rules
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,

    /// Start position as a FEN [default: the start of the game]
    #[arg(long, value_name = "FEN")]
    fen: Option<String>,

    #[command(flatten)]
    moves: MovesArgument,

    /// Folder of tablebases for certificates; may be given several times; auto: where `vato tablebase build`
    /// writes; or none
    #[arg(long, value_name = "DIR", default_value = TableFolders::AUTO)]
    tablebases: Vec<PathBuf>,

    #[command(flatten)]
    output: AnswerArguments,
}

#[derive(Serialize)]
struct Answer {
    rules: String,
    fen: String,
    /// Whether the engine plays by the book here.
    played: bool,
    moves: Moves,
}

/// What is known of the moves, by the kind of book.
#[derive(Serialize)]
#[serde(untagged)]
enum Moves {
    Searched(Vec<MoveRow>),
    Proven(Vec<Proven>),
}

/// A move that a certificate proves.
#[derive(Serialize)]
struct Proven {
    #[serde(rename = "move")]
    text: String,
    proof: String,
    file: String,
}

pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let own = OwnBook::read(&arguments.files).map_err(Failure::Error)?;
    let rules = *own.rules();
    let start = match &arguments.fen {
        Some(fen) => read_position(fen, rules.board)
            .map_err(|error| Failure::Usage(format!("--fen: {error}")))?,
        None => rules.start(),
    };
    let game = arguments.moves.game(rules, start)?;
    let position = game.position();
    let (moves, played, columns, table) = match &own {
        OwnBook::Searched(book) => {
            let moves = move_rows(book, position);
            let table = super::table(&moves, position.side());
            let played = !book.moves_in(&game).is_empty();
            let columns = "move centi_stones=score.centi_stones plies_to_end=score.plies_to_end weight chance line";
            (Moves::Searched(moves), played, columns, table)
        }
        OwnBook::Proven(_) | OwnBook::Strategy(_) => {
            let (moves, played) = match &own {
                OwnBook::Strategy(strategy) => {
                    let folders = TableFolders::of(arguments.tablebases.clone());
                    let needed = strategy.require_tables(&tables(&rules, &folders)?);
                    needed.map_err(|error| {
                        Failure::Error(format!("it needs other tables: {error}"))
                    })?;
                    let reply = strategy.reply(&game);
                    (arguments.held(strategy, &game, reply), reply.is_some())
                }
                OwnBook::Proven(proofs) => (arguments.proven(proofs, &game)?, true),
                OwnBook::Searched(_) => (Vec::new(), false),
            };
            let rows = moves
                .iter()
                .map(|mv| [&mv.text, &mv.proof, &mv.file].map(String::clone).into());
            let table = present::table(["move", "proof", "file"], rows, 3..);
            (Moves::Proven(moves), played, "move proof file", table)
        }
    };
    if table.is_empty() {
        return Err(Failure::new("the position is not in the book"));
    }
    let answer = Answer {
        rules: format!("{rules:#}"),
        fen: format_fen(position, rules.board),
        played,
        moves,
    };
    arguments.output.print(&game, &answer, columns, |out| {
        writeln!(out, "{table}")?;
        match played {
            true => Ok(()),
            false => writeln!(
                out,
                "The engine searches here: the book is for the other side, or the game has left it."
            ),
        }
    })
}

impl Arguments {
    /// What a strategy says: the reply of the side that has held, or that no move of the other one wins.
    fn held(&self, strategy: &Strategy, game: &Game, reply: Option<Move>) -> Vec<Proven> {
        let (rules, position) = (game.rules(), game.position());
        let loser = match reply {
            Some(_) => !position.side(),
            None => position.side(),
        };
        let legal = legal_moves(rules, position);
        let moves = match reply {
            None if !strategy.holds(game)[!loser as usize] => &[],
            None => &*legal,
            Some(_) => reply.as_slice(),
        };
        let proven = |&mv: &Move| Proven {
            text: format_move(rules, position, mv).unwrap_or_default(),
            proof: format!("{loser} cannot win"),
            file: self.files[0].display().to_string(),
        };
        moves.iter().map(proven).collect()
    }

    fn proven(&self, proofs: &[CertificateFile], game: &Game) -> Result<Vec<Proven>, Failure> {
        let (rules, position) = (game.rules(), game.position());
        let folders = TableFolders::of(self.tablebases.clone());
        let tables = Arc::new(tables(rules, &folders)?);
        let mut moves = Vec::new();
        for (proof, path) in proofs.iter().zip(&self.files) {
            let file = path.display().to_string();
            proof
                .require_tables(&tables)
                .map_err(|error| Failure::Error(format!("{file} needs other tables: {error}")))?;
            let header = &proof.header;
            let claim = match header.claim {
                Claim::Wins => "wins",
                Claim::CannotWin => "cannot win",
            };
            for mv in proof.proven_moves(&tables, game) {
                moves.push(Proven {
                    text: format_move(rules, position, mv).unwrap_or_default(),
                    proof: format!("{} {claim}", header.attacker),
                    file: file.clone(),
                });
            }
        }
        Ok(moves)
    }
}
