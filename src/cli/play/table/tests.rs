use vato_engine::notation::parse_fen;
use vato_engine::rules::{legal_moves, parse_rules};
use vato_engine::search::{Control, SearchLimit, SearchSettings, Searcher};
use vato_records::pgn::PgnReader;

use super::*;

fn table(rules: &str, player: Player) -> Table {
    let rules = parse_rules(rules).expect("rules");
    Table::new(Game::new(rules), player, Strength::FULL_LEVEL, None)
}

/// A table of two people, after these turns.
fn after(turns: &[&str]) -> Table {
    let mut table = table("tsivy", Player::Both);
    turns.iter().for_each(|text| table.turn(text));
    table
}

fn from_fen(rules: &str, player: Player, fen: &str) -> Table {
    let rules = parse_rules(rules).expect("rules");
    let start = parse_fen(fen, rules.board).expect(fen);
    let game = Game::from_position(rules, start);
    Table::new(game, player, Strength::FULL_LEVEL, None)
}

fn with_clock(control: &str, player: Player) -> Table {
    let control = control.parse().expect("a time control");
    let game = Game::new(parse_rules("tsivy").expect("rules"));
    Table::new(game, player, Strength::FULL_LEVEL, Some(control))
}

impl Table {
    fn turn(&mut self, text: &str) {
        self.typed(text).expect(text);
        self.pass();
    }

    fn found(&self) -> SearchResult {
        let (settings, control) = (SearchSettings::default(), Control::new());
        let limits = SearchLimit::Nodes(50).into();
        let found = Searcher::new().search(&settings, &self.game, &limits, &control, &mut |_| {});
        found.expect("a small search")
    }

    /// Lets the engine play as long as it is to move.
    fn go_on(&mut self) {
        self.pass();
        while self.is_engines_turn() {
            self.play_found(&self.found()).expect("a move");
            self.pass();
        }
    }

    fn texts(&self) -> Vec<&str> {
        self.turns.iter().map(|turn| &*turn.text).collect()
    }

    fn left(&self) -> Option<Duration> {
        self.search_clock().map(|clock| clock.remaining)
    }
}

fn refused(told: Told, words: &str) {
    let error = told.expect_err(words);
    assert!(error.contains(words), "{error}");
}

#[test]
fn whole_games_end_under_all_rules() {
    let rules = "telo;board=3x5 chain=full;board=5x3 tie=count limit=12;dimy;vela";
    for rules in rules.split(';') {
        let mut table = table(rules, Player::Neither);
        table.go_on();
        assert!(table.is_over(), "{rules}");
        assert_eq!(table.record().expect("a record").check(), [], "{rules}");
        refused(table.typed("a1-a2"), "the game is over");
        refused(table.resign(), "over");
        // The last turn can be taken back after the end too.
        let turns = table.turns.len();
        table.take_back().expect("a turn");
        assert_eq!(table.turns.len(), turns - 1);
        assert!(table.paused && !table.is_over());
    }
}

#[test]
fn ends_have_their_reasons() {
    let mut table = from_fen("tsivy", Player::Both, "9/9/3w2b2/9/9 b 0 31");
    table.turn("g3-f3");
    table.turn("d3-e3A");
    let ending = table.ending().expect("the end");
    assert_eq!(ending, "White wins: Black has no stones");
    table.take_back().expect("a turn");
    assert!(!table.is_over());
}

#[test]
fn clocks_run_for_the_side_to_move() {
    let mut table = with_clock("10+1", Player::Both);
    let seconds = Duration::from_secs;
    assert!(!table.may_review());
    table.elapse(seconds(4));
    assert_eq!(table.left(), Some(seconds(6)));
    table.turn("f2-e3A");
    assert_eq!(table.left(), Some(seconds(10)));
    // No clock runs during a pause.
    table.paused = true;
    assert_eq!(table.time_to_flag(), None);
    table.elapse(seconds(40));
    refused(table.typed("d5-d4A"), "paused");
    table.paused = false;
    table.elapse(seconds(9));
    let last = table.time_to_flag().expect("a clock runs");
    table.elapse(seconds(1));
    assert_eq!(table.ending(), None);
    table.elapse(last - seconds(1));
    assert_eq!(table.time_to_flag(), None);
    let ending = table.ending().expect("the end");
    assert_eq!(ending, "White wins: Black has no time left");
    assert!(table.may_review());
    let record = table.record().expect("a record");
    assert_eq!(record.tag_value("Termination"), Some("time forfeit"));
    assert_eq!(record.check(), []);
    // Taking the turn back restores the time.
    table.take_back().expect("a turn");
    assert!(!table.is_over());
    assert_eq!(table.left(), Some(seconds(10)));
    table.turn("f2-e3A");
    assert_eq!(table.left(), Some(seconds(10)));
}

#[test]
fn approach_or_withdrawal_is_asked() {
    let mut table = table("tsivy", Player::Both);
    refused(table.choose(Capture::Approach), "nothing to choose");
    table.turn("d3e3");
    assert!(table.is_asking() && table.turns.is_empty());
    // The choice is taken back, then made.
    table.take_back().expect("the choice");
    assert!(!table.is_asking());
    table.turn("d3e3");
    table.choose(Capture::Withdrawal).expect("a choice");
    assert_eq!(table.texts(), ["d3-e3W"]);
    assert!(!table.is_asking());
    // What cannot be played changes nothing, and another turn may be typed instead.
    table.begin_anew().expect("a new game");
    table.turn("d3e3");
    table.typed("a1").expect_err("no turn");
    assert!(table.is_asking());
    table.turn("f2e3");
    table.turn("d5-d4-c5");
    assert_eq!(table.texts(), ["f2-e3A", "d5-d4A-c5W"]);
    refused(table.choose(Capture::Approach), "nothing to choose");
}

#[test]
fn who_cannot_move_passes() {
    let fen = "8w/9/w1w6/ww7/bww6 w 0 10";
    let begun = |player, fen: &str| from_fen("blocked=pass", player, fen);
    let mut both = begun(Player::Both, fen);
    both.typed("i5-i4").expect("a turn");
    assert!(both.pass().is_some());
    assert_eq!(both.texts(), ["i5-i4", "pass"]);
    both.take_back().expect("a turn");
    assert!(both.turns.is_empty());
    both.redo().expect("two turns");
    assert_eq!(both.texts(), ["i5-i4", "pass"]);
    // Against the engine, which then has the turn; and the engine passes as well.
    let mut blocked = begun(Player::Black, &fen.replace(" w ", " b "));
    assert!(blocked.pass().is_some() && blocked.is_engines_turn());
    assert_eq!(blocked.texts(), ["pass"]);
    let mut white = begun(Player::White, fen);
    white.turn("i5-i4");
    white.go_on();
    assert_eq!(white.texts(), ["i5-i4", "pass"]);
}

#[test]
fn typed_moves_are_read_and_complained_about() {
    let mut table = table("dimy", Player::Both);
    for text in ["", "b3", "zz", "a1-a2A"] {
        table.typed(text).expect_err(text);
        assert!(table.turns.is_empty());
    }
    table.turn(" B3C3a ");
    assert_eq!(table.texts(), ["b3-c3A"]);
}

#[test]
fn the_engine_answers_and_both_turns_are_taken_back() {
    let mut table = table("tsivy", Player::White);
    assert!(!table.is_engines_turn());
    refused(table.take_back(), "there is nothing to take back");
    table.turn("f2-e3A");
    assert!(table.is_engines_turn());
    refused(table.typed("a1-a2"), "it is Black's turn");
    refused(table.resign(), "only the player to move");
    table.go_on();
    let turns: Vec<String> = table.turns.iter().map(|turn| turn.text.clone()).collect();
    assert_eq!(turns.len(), 2);

    table.take_back().expect("two turns");
    assert_eq!(table.game.position(), &table.game.rules().start());
    table.redo().expect("two turns");
    assert_eq!(table.texts(), turns);
    refused(table.redo(), "nothing was taken back");
    // A different move discards the turns to replay.
    table.take_back().expect("two turns");
    table.turn("d3-e3A");
    refused(table.redo(), "nothing");
    // The engine's first move is no turn of the person's.
    let mut black = self::table("telo", Player::Black);
    black.go_on();
    assert_eq!(black.turns.len(), 1);
    refused(black.take_back(), "nothing to take back");
}

#[test]
fn a_resignation_can_be_taken_back() {
    let mut table = after(&["f2-e3A"]);
    table.resign().expect("the end");
    let ending = table.ending().expect("the end");
    assert_eq!(ending, "White wins: Black has resigned");
    let record = table.record().expect("a record");
    assert_eq!(record.check(), []);
    assert_eq!(record.tag_value("Result"), Some("1-0"));
    table.take_back().expect("the resignation");
    assert!(!table.is_over());
    assert_eq!(table.texts(), ["f2-e3A"]);
}

#[test]
fn nothing_is_played_again_after_an_end_that_was_declared() {
    let [mut resigned, mut late] = [table("tsivy", Player::Both), with_clock("10", Player::Both)];
    for table in [&mut resigned, &mut late] {
        table.turn("f2-e3A");
        table.take_back().expect("a turn");
    }
    resigned.resign().expect("the end");
    late.elapse(Duration::from_secs(11));
    refused(resigned.redo(), "over (Black wins: White has resigned)");
    refused(late.redo(), "over (Black wins: White has no time left)");
    assert!(resigned.turns.is_empty() && late.turns.is_empty());
    // Taking back the resignation removes it from the record.
    resigned.take_back().expect("the resignation");
    resigned.redo().expect("a turn");
    assert_eq!(resigned.texts(), ["f2-e3A"]);
}

/// If the process is stopped while the engine thinks, the search time includes the pause.
#[test]
fn a_halt_is_no_thinking() {
    let mut timed = with_clock("60", Player::Black);
    let mut free = table("tsivy", Player::Black);
    for table in [&mut timed, &mut free] {
        let mut result = table.found();
        result.time = Duration::from_secs(3_600);
        table.elapse(Duration::from_millis(250));
        table.play_found(&result).expect("a move");
        let comment = table.turns[0].comment.clone().expect("a score");
        assert!(comment.ends_with(" 0.250s"), "{comment}");
    }
}

/// A game with every kind of annotation found in records.
const ANNOTATED: &str = r#"[Event "Friday"]
[Site "?"]
[Date "????.??.??"]
[Round "1"]
[White "Rabe"]
[Black "Ranaivo"]
[Result "1-0"]
[Variant "tsivy"]
[Termination "abandoned"]
[Annotator "a friend"]

{at the market} 1. f2-e3A $1 {the usual} (1. d3-e3A {or} 1... c3-d3A) 1...
d5-d4A $6 $14 {} {he left} 1-0

"#;

fn read_annotated() -> (Table, GameRecord) {
    let mut games = PgnReader::new(ANNOTATED.as_bytes());
    let record = games.next().expect("a game").expect("it reads");
    let mut table = table("dimy", Player::Both);
    table.take_over(record.clone()).expect("it replays");
    (table, record)
}

#[test]
fn a_game_that_was_only_read_is_written_as_it_was() {
    let (mut table, record) = read_annotated();
    let written = table.record().expect("a record");
    assert_eq!(written, record);
    assert_eq!(written.to_string(), ANNOTATED);
    table.take_back().expect("a turn");
    table.redo().expect("a turn");
    assert_eq!(table.record(), Ok(record));
}

#[test]
fn a_game_that_goes_on_keeps_what_was_said_of_its_moves() {
    let (mut table, record) = read_annotated();
    let mv = legal_moves(table.game.rules(), table.game.position())[0];
    let path = shortest_path(table.game.rules(), table.game.position(), mv).expect("legal");
    table.turn(&format_path(&path, table.game.rules().board));
    let written = table.record().expect("a record");
    // Those who have played on.
    assert_eq!(written.tag_value("White"), Some("Person"));
    table.take_back().expect("a turn");
    let taken_back = table.record().expect("a record");
    assert_eq!(taken_back.tag_value("White"), record.tag_value("White"));
    table.redo().expect("a turn");
    assert_eq!(&written.moves()[..2], record.moves());
    assert_eq!(written.moves().len(), 3);
    assert!(written.moves()[2].annotations().is_empty());
    assert_eq!(written.introduction(), Some("at the market"));
    // The date of another day stays unknown; the comment at the end no longer applies.
    assert_eq!(written.tag_value("Date"), Some("????.??.??"));
    assert_eq!(written.final_comment(), None);
    assert_eq!(written.tag("Termination"), None);
    assert_eq!(written.result(), RecordResult::Unfinished);

    let (mut table, record) = read_annotated();
    table.take_back().expect("a turn");
    let written = table.record().expect("a record");
    assert_eq!(written.moves(), &record.moves()[..1]);
    assert_eq!(written.result(), RecordResult::Unfinished);
}

#[test]
fn games_go_to_records_and_come_back() {
    let mut own = table("dimy", Player::White);
    own.turn("b3-c3A");
    own.go_on();
    let mut record = own.record().expect("a record");
    assert!(own.is_unsaved());
    own.unsaved = false;
    assert!(!own.is_unsaved());
    assert_eq!(record.check(), []);
    assert_eq!(record.tag_value("WhiteType"), Some("human"));
    let day = record.tag_value("Date").unwrap_or_default();
    assert!(day.starts_with('2'), "{day}");
    record.set_tag("White", "Rabe").expect("a tag");

    let mut other = after(&["f2-e3A"]);
    other.take_over(record.clone()).expect("it replays");
    let position = *own.game.position();
    assert_eq!(
        (other.texts(), *other.game.position()),
        (own.texts(), position)
    );
    assert!(!other.is_unsaved());
    let again = other.record().expect("a record");
    assert_eq!(again.tag_value("White"), Some("Rabe"));
    assert_eq!(again.moves(), record.moves());

    // A record that does not replay leaves the game unchanged.
    record.push_move("a1-a5", None).expect("a move");
    other.take_over(record).expect_err("an illegal move");
    assert_eq!(
        (other.texts(), *other.game.position()),
        (own.texts(), position)
    );
}
