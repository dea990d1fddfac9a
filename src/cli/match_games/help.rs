//! The long help of `vato match`.

/// What follows the list of options. Lines are short, so that no terminal breaks them.
pub const AFTER: &str = "\
Engines are described by KEY=VALUE pairs with commas between them; a value with a comma stands
in double quotation marks:
  name=NAME          what it is called [default: what it calls itself]
  cmd=PROGRAM        the program: a path, or a name that the system finds
  args=\"ARG …\"       its arguments
  dir=FOLDER         the folder that it runs in
  proto=ugi|uci      the language that it is spoken to in [default: ugi]
  tc=TIME            its clock, [moves/]time[+increment] in seconds (or minutes:seconds),
                     such as 10+0.1, 40/60, 1:30+1
                     [default: 10+0.1; without an engine 0.5+0.005]
  st=SECONDS         a fixed time for each move
  nodes=N, depth=N   limits of each search
  timemargin=MS      how late an answer may be [default: 0; with st 50]
  ponder=true        let it think on the opponent's time
  restart=true       start it anew for every game
  option.NAME=VALUE  an option of the engine

Each opening is played twice, with colours swapped. The rules are told to engines by their
options UCI_Variant and Rules; an engine that declares neither can play tsivy only.

Faults cost the game: a crash, a hang, an illegal move, an answer that cannot be read, a loss
on time. An engine that has crashed, hangs or talks nonsense is started anew; one that does not
start three times in a row ends the match.

The record is NAME.toml (the settings), NAME.jsonl (one line for the match, one for each
finished game, with moves, scores, depths, nodes and times) and NAME.pgn (the games). Ctrl-C
finishes the running games and prints how to go on; a second Ctrl-C stops now. No finished
game is lost, whatever happens.

Figures: Elo with 95 % bounds from pairs of games; normalised Elo, the lead in standard
deviations of a game; LOS, how sure it is that the first engine is the better one; pairs, how
many gave it 0, ½, 1, 1½ and 2 points; delay, what an answer took beyond the time that the
engine says to have searched (up to 1 ms of it is rounding).

Examples:
  vato match
  vato match --engine cmd=./new --engine cmd=./old --each tc=5+0.05,option.Hash=32
  vato match --engine cmd=./new --engine cmd=./old --each nodes=10000 --sprt elo0=0,elo1=5
  vato match --resume match-20260102-030405-67.jsonl
  vato match --engine cmd=other,proto=uci,name=Other --rules dimy --each st=0.1 --games 20

Exit codes: 0 the match is over, 1 failed, 2 wrong usage, 3 stopped before its end";
