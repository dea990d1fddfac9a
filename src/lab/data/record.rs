//! A training record: one position of a game, in bytes and as a line of text.

use std::fmt::Display;
use std::str::FromStr;

use bytemuck::{Pod, Zeroable};

use vato_engine::board::{Bitboard, BoardSize, Position, Side};
use vato_engine::notation::{format_fen, parse_fen};
use vato_engine::rules::{Rules, has_capture};
use vato_engine::search::Score;
use vato_engine::text::excerpt;

use vato_records::pgn::RecordResult;

/// A position of a game in 24 bytes, little-endian.
///
/// | bytes | what |
/// |---|---|
/// | 0–7 | White's stones: bit `10 * row + column` of the lattice |
/// | 8–15 | Black's stones |
/// | 16–17 | score for the side to move: centi-stones, or from ±29,000 on a win that is known |
/// | 18–19 | plies since the game began, random ones included |
/// | 20–21 | the low 16 bits of the game's number |
/// | 22 | plies since the last capture, at most 255 |
/// | 23 | bit 0: Black is to move; bit 1: it can capture; bits 2–3: 0 White lost, 1 drawn, 2 White won, 3 an aside without result; bit 4: the last position of its game |
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Pod, Zeroable)]
#[repr(C)]
pub struct Record {
    white: [u8; 8],
    black: [u8; 8],
    score: [u8; 2],
    ply: [u8; 2],
    game: [u8; 2],
    halfmove_clock: u8,
    flags: u8,
}

/// Bytes of a record.
pub const RECORD_BYTES: usize = size_of::<Record>();

const _: () = assert!(RECORD_BYTES == 24);

const BLACK_TO_MOVE: u8 = 1;
const CAN_CAPTURE: u8 = 1 << 1;
const RESULT_SHIFT: u8 = 2;
const RESULTS: [RecordResult; 4] = [
    RecordResult::BlackWins,
    RecordResult::Draw,
    RecordResult::WhiteWins,
    RecordResult::Unfinished,
];
const LAST: u8 = 1 << 4;
const FLAGS: u8 = BLACK_TO_MOVE | CAN_CAPTURE | 3 << RESULT_SHIFT | LAST;

/// The contents of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sample {
    /// White's and Black's stones.
    pub stones: [Bitboard; 2],
    /// The side to move.
    pub side: Side,
    /// Plies since the last capture, at most 255.
    pub halfmove_clock: u8,
    /// Whether the side to move can capture.
    pub can_capture: bool,
    /// The score of the search for the side to move, in centi-stones; from ±29,000 on it is known to be
    /// won or lost (see [`Score`](vato_engine::search::Score)).
    pub score: i16,
    /// Plies since the game began, random ones included.
    pub ply: u16,
    /// How the game ended; unfinished for an aside: a position off the game that was not played out.
    pub result: RecordResult,
    /// The low 16 bits of the game's number.
    pub game: u16,
    /// Whether it is the last position of its game.
    pub is_last: bool,
}

impl Sample {
    /// A position that belongs to no game yet.
    pub fn of(rules: &Rules, position: &Position, score: i16, ply: u16) -> Sample {
        Sample {
            stones: Side::BOTH.map(|side| position.stones(side)),
            side: position.side(),
            halfmove_clock: position.halfmove_clock().min(255) as u8,
            can_capture: has_capture(rules, position),
            score,
            ply,
            result: RecordResult::Unfinished,
            game: 0,
            is_last: false,
        }
    }

    /// The stones of the side to move.
    #[inline]
    pub const fn own(&self) -> Bitboard {
        self.stones[self.side.index()]
    }

    /// The stones of the other side.
    #[inline]
    pub fn other(&self) -> Bitboard {
        self.stones[(!self.side).index()]
    }

    /// The result for the side to move, 0, ½ or 1; `None` for an aside.
    #[inline]
    pub fn points(&self) -> Option<f32> {
        match (self.result, self.result.winner()) {
            (RecordResult::Unfinished, _) => None,
            (_, None) => Some(0.5),
            (_, Some(winner)) => Some(f32::from(u8::from(winner == self.side))),
        }
    }

    /// Whether it is a position off the game, without a result.
    #[inline]
    pub fn is_aside(&self) -> bool {
        self.result == RecordResult::Unfinished
    }

    /// Whether the score is a proven win or loss.
    #[inline]
    pub const fn is_decided(&self) -> bool {
        Score::from_raw(self.score as i32).counts_plies()
    }

    /// The position. The move number follows from the ply.
    pub fn position(&self) -> Position {
        Position::new(
            self.stones,
            self.side,
            u16::from(self.halfmove_clock),
            u32::from(self.ply) / 2 + 1,
        )
    }
}

impl Record {
    /// Encodes the record.
    pub fn new(sample: &Sample) -> Record {
        let flag = |bit: u8, is_set: bool| if is_set { bit } else { 0 };
        let result = RESULTS.iter().position(|&result| result == sample.result);
        Record {
            white: sample.stones[0].bits().to_le_bytes(),
            black: sample.stones[1].bits().to_le_bytes(),
            score: sample.score.to_le_bytes(),
            ply: sample.ply.to_le_bytes(),
            game: sample.game.to_le_bytes(),
            halfmove_clock: sample.halfmove_clock,
            flags: flag(BLACK_TO_MOVE, sample.side == Side::Black)
                | flag(CAN_CAPTURE, sample.can_capture)
                | (result.unwrap_or_default() as u8) << RESULT_SHIFT
                | flag(LAST, sample.is_last),
        }
    }

    /// What the record says, whatever its bytes are; see [`Record::check`].
    #[inline]
    pub fn sample(&self) -> Sample {
        let stones = [self.white, self.black].map(u64::from_le_bytes);
        Sample {
            stones: stones.map(Bitboard::from_bits),
            side: if self.flags & BLACK_TO_MOVE == 0 {
                Side::White
            } else {
                Side::Black
            },
            halfmove_clock: self.halfmove_clock,
            can_capture: self.flags & CAN_CAPTURE != 0,
            score: i16::from_le_bytes(self.score),
            ply: u16::from_le_bytes(self.ply),
            result: RESULTS[usize::from(self.flags >> RESULT_SHIFT & 3)],
            game: u16::from_le_bytes(self.game),
            is_last: self.flags & LAST != 0,
        }
    }

    /// Whether the record can be one of a board of this size: its stones are on the board and not on
    /// top of each other, both sides have some, no bit is set that means nothing, and the
    /// last position of a game has a result.
    pub fn check(&self, board: BoardSize) -> bool {
        let [white, black] = [self.white, self.black].map(u64::from_le_bytes);
        let sample = self.sample();
        white & black == 0
            && white != 0
            && black != 0
            && (white | black) & !board.points().bits() == 0
            && self.flags & !FLAGS == 0
            && !(sample.is_last && sample.is_aside())
    }
}

/// A record as a line, without its end.
///
/// Six fields with tabs between them: the position as FEN, the score in centi-stones from the view
/// of the side to move, the result of the game (`1-0`, `1/2-1/2`, `0-1`, `*` for an aside), the
/// ply, the game's number (its low 16 bits), and `1` for the last position of a game, else `0`.
pub fn format_record(rules: &Rules, record: &Record) -> String {
    let sample = record.sample();
    format!(
        "{}\t{}\t{}\t{}\t{}\t{}",
        format_fen(&sample.position(), rules.board),
        sample.score,
        sample.result,
        sample.ply,
        sample.game,
        u8::from(sample.is_last)
    )
}

/// The record of a line. Its ply counts, not the position's move number.
///
/// # Errors
///
/// Describes the error in the line.
pub fn parse_record(rules: &Rules, line: &str) -> Result<Record, String> {
    let fields: Vec<&str> = line.split('\t').collect();
    let [fen, score, result, ply, game, last] = fields[..] else {
        return Err(format!(
            "{} field(s), expected 6 with tabs between them: position, score, result, ply, game, last",
            fields.len()
        ));
    };
    let position = parse_fen(fen, rules.board)?;
    if Side::BOTH
        .iter()
        .any(|&side| position.stones(side).is_empty())
    {
        return Err("a side has no stones".to_owned());
    }
    let result = RecordResult::from_name(result).ok_or_else(|| {
        let result = excerpt(result);
        format!("result '{result}', expected 1-0, 1/2-1/2, 0-1 or * for an aside")
    })?;
    let is_last = match last {
        "0" => false,
        "1" => true,
        _ => return Err(format!("last '{}', expected 0 or 1", excerpt(last))),
    };
    if is_last && result == RecordResult::Unfinished {
        return Err(
            "the last position of a game cannot be an aside, which has no result".to_owned(),
        );
    }
    let score = number("score", score, i16::MIN, i16::MAX)?;
    let ply = number("ply", ply, 0, u16::MAX)?;
    Ok(Record::new(&Sample {
        result,
        game: number("game", game, 0, u16::MAX)?,
        is_last,
        ..Sample::of(rules, &position, score, ply)
    }))
}

fn number<N: FromStr + Display>(field: &str, text: &str, least: N, most: N) -> Result<N, String> {
    text.parse().map_err(|_| {
        let text = excerpt(text);
        format!("{field} '{text}', expected a whole number from {least} to {most}")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> Sample {
        let board = BoardSize::STANDARD;
        let position = parse_fen("1bb3b2/5b3/3w2b2/1ww6/3w3b1 b 6 10", board).expect("good");
        Sample {
            stones: Side::BOTH.map(|side| position.stones(side)),
            side: position.side(),
            halfmove_clock: 6,
            can_capture: true,
            score: -29_990,
            ply: 19,
            result: RecordResult::WhiteWins,
            game: 65_535,
            is_last: true,
        }
    }

    #[test]
    fn records_say_what_they_were_told() {
        for side in Side::BOTH {
            use RecordResult::{BlackWins, Draw, Unfinished, WhiteWins};
            for result in [WhiteWins, Draw, BlackWins, Unfinished] {
                for flag in [false, true] {
                    let sample = Sample {
                        side,
                        result,
                        can_capture: flag,
                        is_last: !flag && result != Unfinished,
                        ..sample()
                    };
                    let record = Record::new(&sample);
                    assert!(record.check(BoardSize::STANDARD));
                    assert_eq!(record.sample(), sample);
                }
            }
        }
        assert_eq!(sample().points(), Some(0.0));
        assert_eq!(sample().position().move_number(), 10);
    }

    /// Files are exchanged between machines, so every byte has its place.
    #[test]
    fn bytes_have_their_places() {
        let record = Record::new(&sample());
        let bytes = bytemuck::bytes_of(&record);
        let white = 1_u64 << 23 | 1 << 12 | 1 << 11 | 1 << 3;
        assert_eq!(bytes[..8], white.to_le_bytes());
        assert_eq!(bytes[16..], [0xda, 0x8a, 19, 0, 255, 255, 6, 0b1_1011]);
    }

    #[test]
    fn nonsense_is_noticed() {
        let board = BoardSize::STANDARD;
        let good: [u8; RECORD_BYTES] = bytemuck::cast(Record::new(&sample()));
        let is_good = |bytes: [u8; RECORD_BYTES]| bytemuck::cast::<_, Record>(bytes).check(board);
        assert!(is_good(good));
        for (at, byte, wanted, what) in [
            (7, 1, false, "a stone above the lattice"),
            (1, 2, false, "a stone in the gap"),
            (23, 1 << 5, false, "an unknown flag"),
            (23, 3 << 2, true, "an aside"),
            (23, 3 << 2 | 1 << 4, false, "a game without result"),
        ] {
            let mut bytes = good;
            bytes[at] = byte;
            assert_eq!(is_good(bytes), wanted, "{what}");
        }
        let mut both = good;
        both.copy_within(8..16, 0);
        assert!(!is_good(both), "two stones on a point");
        let mut none = good;
        none[..8].fill(0);
        assert!(!is_good(none), "no stones");
        let small = BoardSize::new(5, 5).expect("a board");
        assert!(!Record::new(&sample()).check(small), "a smaller board");
    }

    #[test]
    fn lines_round_trip() {
        for (line, can_capture) in [
            (
                "1bb3b2/5b3/3w2b2/1ww6/3w3b1 w 6 10\t-244\t1/2-1/2\t18\t0\t0",
                false,
            ),
            (
                "bbbbbbbbb/bbbbbbbbb/bwbw1bwbw/wwwwwwwww/wwwwwwwww b 0 1\t7\t1-0\t1\t65535\t1",
                true,
            ),
            ("8b/9/9/9/w8 w 0 21\t-7\t*\t40\t3\t0", false),
        ] {
            let record = parse_record(&Rules::STANDARD, line).expect(line);
            assert_eq!(format_record(&Rules::STANDARD, &record), line);
            assert_eq!(record.sample().can_capture, can_capture, "{line}");
        }
    }

    #[test]
    fn what_is_wrong_is_named() {
        for (fen, rest, told) in [
            ("8b/9/9/9/w8 w", "0\t1-0\t40\t0", "5 field(s)"),
            ("9/9/9/w8 w 0 20", "0\t1-0\t40\t0\t0", "4 rows"),
            ("9/9/9/9/w8 w 0 20", "0\t1-0\t40\t0\t0", "no stones"),
            (
                "8b/9/9/9/w8 w 0 20",
                "40000\t1-0\t40\t0\t0",
                "score '40000', expected a whole",
            ),
            ("8b/9/9/9/w8 w 0 20", "0\t2-0\t40\t0\t0", "result '2-0'"),
            ("8b/9/9/9/w8 w 0 20", "0\t*\t40\t0\t1", "aside"),
            ("8b/9/9/9/w8 w 0 20", "0\t1-0\t-1\t0\t0", "ply '-1'"),
            ("8b/9/9/9/w8 w 0 20", "0\t1-0\t1\t70000\t0", "game '70000'"),
            ("8b/9/9/9/w8 w 0 20", "0\t1-0\t1\t7\tyes", "last 'yes'"),
        ] {
            let line = format!("{fen}\t{rest}");
            let error = parse_record(&Rules::STANDARD, &line).expect_err(told);
            assert!(error.contains(told), "{error}");
        }
    }
}
