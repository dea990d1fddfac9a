//! The long help of `vato match`, and what it says to options of other runners.

use clap::Arg;

/// Options of cutechess-cli and fastchess with other names here, and what to use instead; of single letters are those
/// with one hyphen, by what they begin with.
const OTHERS: [(&str, &str); 9] = [
    (
        "tc st nodes depth timemargin",
        "use --each KEY=… for all engines, --engine …,KEY=… for one",
    ),
    ("repeat recover", "omit it: it is always on"),
    ("tournament", "use --format …"),
    ("variant", "use --rules …"),
    ("srand", "use --seed …"),
    ("pgnout pgn", "use --out NAME: the games are in NAME.pgn"),
    ("maxmoves", "use --max-plies …, twice as many"),
    ("tb", "use --adjudicate tablebase=DIR"),
    (
        "c d e g m o p r s t u v",
        "options have two hyphens: --engine cmd=./a; or use the syntax of fastchess: vato fastchess -engine cmd=./a",
    ),
];

/// Hidden arguments that tell, as errors, what to say instead.
pub fn others() -> impl Iterator<Item = Arg> {
    OTHERS.into_iter().flat_map(|(words, hint)| {
        words.split(' ').map(move |word| {
            let argument = Arg::new(word)
                .hide(true)
                .num_args(0..=1)
                .default_missing_value("");
            let argument = argument.value_parser(move |_: &str| Err::<String, _>(hint));
            match word.parse::<char>() {
                Ok(letter) => argument.short(letter),
                Err(_) => argument.long(word),
            }
        })
    })
}

/// What follows the list of options. Lines have at most 79 characters, so that no terminal breaks them.
pub const AFTER: &str = "\
Engines are described by KEY=VALUE pairs separated by commas; put a value with
a comma in double quotation marks. NAME alone, or before pairs, is an engine of
engines.toml or engines.json in this folder:
  name=NAME          name in results
  cmd=PROGRAM        the program: a path, or a name that the system finds
  args=\"ARG …\"       its arguments
  dir=FOLDER         its working folder
  proto=ugi|uci      its protocol [default: ugi]
  tc=TIME            its clock, [moves/]time[+increment] in seconds or
                     minutes:seconds, such as 10+0.1, 40/60, 1:30+1
                     [default: 10+0.1; without an engine 0.5+0.005]
  st=SECONDS         time for each move, in place of a clock
  nodes=N, depth=N   limits of each move, also beside tc or st
  timemargin=MS      how late an answer may be [default: 0; with st 50]
  ponder=true        think on the opponent's time
  rules=options      its own options set the rules; the match does not tell
                     it the rules
  restart=true       restart the engine for every game
  option.NAME=VALUE  an option of the engine

Formats:
  pairs        two engines; every opening twice, with colours swapped
  roundrobin   every engine against every other
  gauntlet     the first engine against all others
  swiss        each round pairs engines with equal points that have not met
  knockout     a bracket; engines are seeded as listed. Level encounters are
               extended by --extra-pairs
  riatra       sets of ten games over the five traditional openings
  vela         rounds of a normal game and its revenge game (rules vela)
In riatra and vela every engine meets every other.

Several machines: --shard i/n on each of n; `vato match merge` joins the
records. A sequential test also needs --together DIR, the folder of all
records; `vato match merge DIR/*.jsonl` shows the whole match at any time.

A fault (a crash, a hang, an illegal move, a loss on time) loses the game.
Ctrl-C finishes the running games and prints how to resume; a second one stops
at once. docs/match.md explains engines, formats, records and the lines of the
result, docs/engine-authors.md what engines have to do.

Examples:
  vato match
  vato match --engine cmd=./new --engine cmd=./old --each tc=5+0.05
  vato match --engine cmd=./new --engine cmd=./old --sprt elo0=0,elo1=5
  vato match --resume match-20260102-030405-67.jsonl --games 400
  vato match --engine cmd=./a --engine cmd=./b --engine cmd=./c --games 20
  vato match --format swiss --rounds 5 --config engines.toml
  vato match --format riatra --engine cmd=./new --engine cmd=./old
  vato match --shard 2/4 --out part-2 --config match.toml
  vato match --config match.toml --dry-run
  vato match --config match.toml --html m.html --live --pgn-live m-live.pgn
  vato match merge part-1.jsonl part-2.jsonl --out whole
  vato match --engine cmd=python3,args=eng.py,proto=uci --each st=0.1

Exit codes: 0 the match is over, 1 failed, 2 wrong usage, 3 stopped before its
end";
