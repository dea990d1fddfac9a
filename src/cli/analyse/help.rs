//! The help text below the options.

/// Only the examples, for the short help.
pub(super) fn examples() -> String {
    format!("Examples:\n{EXAMPLES}{}", of_games(EXAMPLES_OF_GAMES))
}

/// Examples, formats, how moves are judged, exit codes.
pub(super) fn after() -> String {
    format!("{}\n{FORMATS}{}", examples(), of_games(GAMES))
}

/// A text about games, in a program that reads them.
fn of_games(text: &str) -> &str {
    if cfg!(feature = "tools") { text } else { "" }
}

const EXAMPLES: &str = "  vato analyse
  vato analyse --depth 14 --multipv 3
  vato analyse --moves \"1. f2-e3A d5-d4A\" --movetime 10s --threads 2 --hash 256MB
  vato analyse --rules dimy --nodes 1M --json
  vato analyse --mate 5 --fen \"9/9/b8/9/w1w6 w 0 2\"
  vato analyse --rules \"board=5x5 chain=full\" --fen \"5/2b2/1w3/4b/5 w 0 20\"
";

const EXAMPLES_OF_GAMES: &str = "  vato analyse games.pgn
  vato analyse games.pgn --games 3,5-7 --depth 16 --pgn-out annotated.pgn
  vato analyse games.pgn --html report.html
  vato analyse --fens positions.fen --nodes 50000 --out results.jsonl
";

const FORMATS: &str = "Moves are written as in the published analyses: origin, then for each step the point it leads to and \
A (approach) or W (withdrawal): d2-e3A-f4W. Hyphens may be missing, letters may be small: d2e3af4w.

What people read has scores from White's view. In JSON and CSV, where they are numbers, in PGN and in the \
protocol they are for the side that moves, as other programs have them.

With --json each line of the output is one object for one completed depth (docs/schema/analysis.json):
  depth, seldepth, nodes, time_ms, nps, hashfull (thousandths of the table)
  lines: the best first, each with its number `multipv`, its `score`, its moves `pv` and, where the endgame \
tables know the score, the plies to the `conversion` (the next capture there, or the end);
  score, for the side to move: {\"centi_stones\": N}, or {\"plies_to_end\": N} when the game is decided, below 0 if lost;
  29000 centi-stones or more are a win that the endgame tables know
";

const GAMES: &str = "
With --fens FILE the analysis goes through positions, one FEN a line; blank lines, lines that begin with # \
and what stands behind a ; are skipped. All are under --rules. Each line of the output is an object with the \
line of the input, fen, best (the best move), what is above of the deepest search, and settings (limit, --multipv, \
rules and evaluation); in place of a search outcome where the game is over. With --csv it is a row for each line of \
the analysis. Results come in the order of the input. With --out FILE the same command goes on after an \
interruption, with the position after the last of the file, which has to have the same settings. A line that \
is no position is told on standard error and left out.

With --csv a position has a row for each line of each depth, games have a row for each move with what JSON has of it.

With --pgn FILE the analysis goes through the games of a file: a table for each game with the score after \
every move, the best move where it was another, and ?! for an \
inaccuracy, ? for a mistake, ?? for a blunder; then how accurately both have played, and at the end how \
everybody has played in all games. --pgn-out FILE writes the games with these annotations. Without a limit \
each position takes 100000 nodes; with a limit of nodes or depth, and one thread, the result is the same \
every time.

Rules and start are those of the tags Rules, Variant and FEN. Moves are judged by the \
expected score that they cost, 1 for a win and 1/2 for a draw, by the model that also tells chances in \
a session (UCI_ShowWDL): from 0.05 on an inaccuracy, from 0.10 on a mistake, from 0.15 on a blunder \
(as on lichess), of the loss as it is shown, in hundredths. A missed win is a blunder after which 0.9 \
or more have become less than 0.75. Accuracy is computed as on lichess (lichess.org/page/accuracy). \
Moves without an alternative are not judged, and the engine's own choice costs nothing.

Annotated games keep their tags, comments, annotations and variations. Marks are $6, $2 and \
$4; where somebody else has marked a move, $1 to $6 (! ? !! ?? !? ?!), that mark stands, and ours is told in the \
comment: `-0.20/9, mark ?!` or `+0.31/12, no mark`. The \
comment `+0.31/12` has the score after the move, for the side that played it, and its depth (+M5 is a win in 5 plies, +TB one that \
tables know); behind a comment of the input it stands after `Vato:`. The best line, where it was another \
and the move has cost 0.01 at least, is a variation: `({Vato: +0.45/13} 7. e2-e3A d5-d4A)`. New tags are Annotator, WhiteAccuracy and \
BlackAccuracy. To annotate a game again replaces what was said before, in games whose tag Annotator has an \
entry of this program.

--html FILE writes the analysed games as one web page that needs no server and makes no request: a list to \
sort and to filter, and for each game the board, the moves with their marks, comments and better lines, and a graph of \
the evaluation.

With --pgn and --json each line of the output is one object for one game:
  game (its number in the file), white, black, result, rules, start (the FEN)
  outcome: null unless the rules ended the game
  players: for white and black judged, forced, accuracy (0 to 100), average_loss,
    inaccuracies, mistakes, blunders, missed_wins
  moves: ply, number, side, move; fen, stones (of white and black) and phase (by stones) before it; score (for that side), conversion, expected (0 to 1), depth and nodes after the move;
    loss, mark, missed_win, forced; best: score, expected, depth, nodes and pv before it, by a \
search of its own: it may be worth less than the move, whose loss is 0 then
The last line is an object for all of them, below `summary`: games (that were analysed), wrong (that \
could not be), stopped (before the last one), and players, the most accurate first, with their name, \
games and what is told of a player in a game; accuracy and average_loss are means over the games, \
weighed by the moves that were judged. Tables end with the same, if there are several games.

A game that cannot be read or replayed is told on standard error, and the others are analysed. Ctrl-C \
finishes the games under way, twice stops now: of what is written no game is missing then up to the last \
one, and it is said with which number to go on. With --pgn-out or --html the work goes on when \
nobody reads standard output any more; a file to which nothing was written is taken away again.

Exit codes: 0 done, 1 failed, or a game or position is invalid, 2 wrong usage, 3 games or positions stopped before \
the end";
