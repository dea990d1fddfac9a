//! The page that `help` prints.

pub(super) const HELP: &str = "\
Vato speaks UGI and UCI. The commands, in both vocabularies:

  ugi | uci                         open the session: name, options, ugiok | uciok
  isready                           readyok, when all that came before has taken effect
  setoption name NAME [value V]     set an option (ugi lists them)
  uginewgame | ucinewgame           another game: forget everything, back to the start
  position startpos [moves M...]    set up the game: the start of the active rules,
  position fen FEN [moves M...]     or any position, and the moves played from there
  moves M...                        play on from the current position
  go [LIMIT...]                     search; without a limit until stop
     p1time p2time p1inc p2inc | wtime btime winc binc   clocks, in milliseconds
     movestogo N   movetime MS   depth N   nodes N   mate N   infinite   ponder
     searchmoves M...   perft N
  stop                              end the search with the best move so far
  ponderhit                         the expected move was played
  query p1turn|gameover|result      response ...
  debug on|off                      more notes
  quit

For people and scripts:

  d                                 show the position
  eval                              explain what it is worth
  legal                             list the legal turns
  perft N                           count turns to depth N
  bench [DEPTH [THREADS [HASH]]]    search fixed positions: the signature and the speed
  wait                              hold back what follows until the search has ended
  help                              this page

A move is written as origin, then for each step a hyphen, the landing point, and A (approach) or
W (withdrawal): d2-e3A-f4W. A step that captures nothing has no letter: d3-e3.
";
