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

Formats:
  pairs        two engines; every opening twice, with colours swapped
  roundrobin   every engine against every other, in the order of Berger's tables; the openings of a
               round are the same for all
  gauntlet     the first engine against all others
  swiss        in each round engines with as many points as each other meet, no two of them twice:
               from the top on, the upper half of those with equal points (then: seeds) against the
               lower half. The last one who has had none yet has a bye, which counts like winning
               all games. Equal points at the end: Buchholz, Sonneborn-Berger
  knockout     engines are seeded as they are listed; the best have no opponent in the first round
               if their number is no power of two. All games of an encounter are played, even if
               it is decided before the last. Level encounters: --extra-pairs
  riatra       sets of ten games over the five openings vakiloha, havanana, havia, fohy, kobaka;
               games k and k+5 of a set are a pair
  vela         rounds: a normal game, then its loser (the eater) plays the revenge game (rules
               vela=black) as White against its winner (the giver). If the giver wins it too, the
               round is won; if the eater does, the round starts again. Every normal game has the
               colours of the normal game before it swapped, after a draw and after a vela alike. A
               drawn vela is played again with the same giver and colours. All games of a round have
               different openings, in velas of four random plies; with --openings start all begin
               at the start. Score, Elo and pairs count rounds; two rounds with the same openings,
               which the engines begin by turns, are a pair. Between equals most rounds are drawn
               (--round-games), because the eater nearly always wins; the line `games` tells more
In riatra and vela, too, every two engines meet. Games are numbered by their place in the schedule;
numbers that a knockout or a vela turns out not to need are left out.

Several machines: --shard i/n on each of n, whose records `vato match merge` joins. In a Slurm array
job (--array=1-8) it is --shard $SLURM_ARRAY_TASK_ID/8, in an indexed Kubernetes job
--shard $((JOB_COMPLETION_INDEX + 1))/8.

The rules are told to engines by their
options UCI_Variant and Rules; an engine that declares neither can play tsivy only.

Faults cost the game: a crash, a hang, an illegal move, an answer that cannot be read, a loss
on time. An engine that has crashed, hangs or talks nonsense is started anew.

All engines are tried before the first game: if one does not start then, or complains of its options
(info string error), there is no match. One that later does not start three times in a row ends a
match of two engines. Among more it loses the game (no start), and after three such games in a row
it is withdrawn: the games that it has left are lost, too (absence), so that the others can play
theirs. --resume tries it again, and does not need it.

The record is NAME.toml (the settings), NAME.jsonl (one line for the match, one for each
finished game, with moves, scores, depths, nodes and times) and NAME.pgn (the games). Ctrl-C
finishes the running games and prints how to go on; a second Ctrl-C stops now. No finished
game is lost, whatever happens.

Figures of two engines: Elo with 95 % bounds from pairs of games; normalised Elo, the lead in standard
deviations of a game; LOS, how sure it is that the first engine is the better one; pairs, how
many gave it 0, ½, 1, 1½ and 2 points; delay, what an answer took beyond the time that the
engine says to have searched (up to 1 ms of it is rounding). Of more: points against each other,
and ratings by maximum likelihood (Bradley-Terry with Davidson's draws), with 95 % bounds.

Examples:
  vato match
  vato match --engine cmd=./new --engine cmd=./old --each tc=5+0.05,option.Hash=32
  vato match --engine cmd=./new --engine cmd=./old --each nodes=10000 --sprt elo0=0,elo1=5
  vato match --resume match-20260102-030405-67.jsonl
  vato match --engine cmd=./a --engine cmd=./b --engine cmd=./c --each tc=5+0.05 --games 20
  vato match --format swiss --rounds 5 --config engines.toml --anchor ./a=2000
  vato match --format riatra --rounds 3 --engine cmd=./new --engine cmd=./old
  vato match --games 1000 --shard 2/4 --out part-2 --engine cmd=./new --engine cmd=./old
  vato match merge part-1.jsonl part-2.jsonl part-3.jsonl part-4.jsonl --out whole
  vato match --engine cmd=other,proto=uci,name=Other --rules dimy --each st=0.1 --games 20

Exit codes: 0 the match is over, 1 failed, 2 wrong usage, 3 stopped before its end";
