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
  vato analyse --moves \"f2-e3A d5-d4A\" --movetime 10s --threads 2 --hash 256MB
  vato analyse --rules dimy --nodes 1M --json
  vato analyse --mate 5 --fen \"9/9/b8/9/w1w6 w 0 2\"
  vato analyse --rules \"board=5x5 chain=full\" --fen \"5/2b2/1w3/4b/5 w 0 20\"
";

const EXAMPLES_OF_GAMES: &str = "  vato analyse games.pgn
  vato analyse games.pgn --games 3,5-7 --depth 16 --pgn-out annotated.pgn
  vato analyse games.pgn --html report.html
  vato analyse --fens positions.fen --nodes 50000 --out results.jsonl
";

const FORMATS: &str = "A move is its origin, then for each step the point it leads to and A (approach) or W (withdrawal): \
d5-d4A-c5W. Hyphens may be left out, letters may be small: d5d4ac5w. Notations of other programs are read, too.

Output for people has scores from White's view. In JSON, CSV, PGN and the protocol they are from the view of the \
side to move, as in other programs.

With --json each line of the output is one object for one completed depth (docs/schema/analysis.json):
  depth, seldepth, nodes, time_ms, nps, hashfull (thousandths of the table)
  lines: the best first, each with its number `multipv`, its `score`, its moves `pv` and, if the score comes \
from the tablebases, the plies to the `conversion` (the next capture there, or the end);
  proven: what is proven of the position, if anything: white_wins, black_wins (null: open) and reply;
  score, for the side to move: {\"centi_stones\": N}, or {\"plies_to_end\": N} when the game is decided, below 0 if lost;
  29000 centi-stones or more are a tablebase win
";

const GAMES: &str = "
--fens FILE analyses a list of positions under --rules, one FEN per line; blank lines, lines that begin with # \
and everything after a ; are skipped. Each line of the output is an object with the line number in the \
input, fen, best (the best move, which may be that of a deeper search that was not completed), the fields above for the \
deepest completed search, and settings (limit, --multipv, rules, \
evaluation, threads, hash and tables); if the game is over, outcome replaces the search. With --csv it is a row for \
each line of the analysis. Results are in the order of the input. Without a limit each position is searched for 100000 \
nodes. With --out FILE the same command continues after an interruption, if the settings are the same. A line that is \
not a position is reported on standard error and skipped.

With --csv a position has a row for each line of each depth; games have a row for each move. The columns are the \
fields of JSON for that line or move. Those of a whole game (rules, start, outcome, players) and of the summary are only in JSON.

--pgn FILE analyses the games of a file. It prints a table for each game with the score after every move, the best \
move if it was another one, and ?! for an inaccuracy, ? for a mistake, ?? for a blunder; then the accuracy of both \
players, and at the end that of every player over all games. --pgn-out FILE writes the games with these \
annotations. Without a limit each position is searched for 400000 nodes, as in a review by `vato gui` and `vato play`. \
With a limit of nodes or depth, and one thread, the result is reproducible. What is proven (docs/solved.md) counts more \
than what a search finds; what a move costs that leads to where nothing is proven the searches alone say.

Rules and start position are those of the tags Rules, Variant and FEN. Moves are judged by the expected score \
that they lose (1 for a win, 1/2 for a draw), by the model of UCI_ShowWDL: 0.05 or more is an inaccuracy, 0.10 a \
mistake, 0.15 a blunder (as on lichess), of the loss rounded to hundredths. A missed win is a blunder that takes \
the expected score from 0.9 or more to less than 0.75. Accuracy is computed as on lichess \
(lichess.org/page/accuracy), of five judged moves at least. Moves without an alternative are not judged, and the \
engine's own choice loses nothing: `best` is the best line with an exact score, and a deeper search that was not \
completed may have preferred the move that was played.

Annotated games keep their tags, comments, annotations and variations. Marks are $6, $2 and $4. If a move already \
has a mark, $1 to $6 (! ? !! ?? !? ?!), that mark is kept, and ours is written into the comment: `-0.20/9, mark ?!` \
or `+0.31/12, no mark`. The comment `+0.31/12` is the score after the move, for the side that played it, and the \
depth (+M5: a win in 5 plies, +TB: a tablebase win); in a comment that was there before it follows `Vato:`. If \
another line was better and the move lost at least 0.01, that line is added as a variation: \
`({Vato: +0.45/13} 7. e2-e3A d5-d4A)`. New tags are Annotator, WhiteAccuracy and BlackAccuracy. Annotating a game \
again replaces the annotations of this program, if the tag Annotator names it.

--html FILE writes the analysed games as one web page that needs no server and makes no requests: a list to sort \
and filter, and for each game the board, the moves with marks, comments and better lines, and a graph of the \
evaluation.

With --pgn and --json each line of the output is one object for one game:
  game (its number in the file), white, black, result, rules, start (the FEN)
  outcome: null unless the rules ended the game
  players: for white and black judged, forced, accuracy (0 to 100), average_loss,
    inaccuracies, mistakes, blunders, missed_wins
  moves: ply, number, side, move; fen, stones (of white and black), phase (by stones) and proven, as above, before it; score (for that side), conversion, expected (0 to 1), depth and nodes after the move, \
but plies are counted from before it, as those of `best`;
    loss, mark, missed_win, forced; best: score, expected, depth, nodes and pv before it, from a \
separate search: it may score less than the move, whose loss then is 0
The last line is an object with the totals in `summary`: games (analysed), wrong (invalid games), stopped (before \
the last game), and players, the most accurate first, with name, games and the fields of a player above; accuracy \
and average_loss are means over the games, weighted by the judged moves. Tables end with the same, if there are \
several games.

A game that cannot be read or replayed is reported on standard error, and the others are analysed. Ctrl-C finishes \
the games under way; a second Ctrl-C stops now. The output then has every game up to the last one written, and a \
message says with which number to continue. With --pgn-out or --html the analysis continues even if standard output \
is closed; a file to which nothing was written is removed again.

Exit codes: 0 done, 1 failed, or a game or position is invalid, 2 wrong usage, 3 games or positions stopped before \
the end";
