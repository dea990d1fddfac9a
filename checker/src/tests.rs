use crate::board::Game;
use crate::certificate::Certificate;
use crate::rules::Rules;
use crate::strategy::Strategy;
use crate::tables::Tables;
use sha2::{Digest, Sha256};

/// Counts of sequences of turns, which several programs agree on.
#[test]
fn moves() {
    let start = "bbbbbbbbb/bbbbbbbbb/bwbw1bwbw/wwwwwwwww/wwwwwwwww w 0 1";
    let dimy = "bbbbb/bbbbb/bw1bw/wwwww/wwwww w 0 1";
    for (rules, fen, depth, nodes) in [
        ("", start, 5, 431852),
        ("", "bbbb1bbbb/bbbbb2bb/b2b2w1w/wwwwwwb2/wwwwww2w w 0 1", 3, 56479),
        ("board=5x5", dimy, 5, 34608),
        ("board=5x5 direction=any", dimy, 5, 39467),
        ("board=5x5 chain=full", "1b1b1/4w/5/4w/w1www w 0 1", 4, 3132),
        ("capture=free direction=any", start, 4, 35886),
        ("board=5x5 capture=opening", dimy, 4, 8862),
        ("opening=both", start, 4, 4770),
        ("board=3x9", "bbb/bbb/bbb/bbb/b1w/www/www/www/www w 0 1", 5, 556),
        ("chain=single", start, 5, 4404),
    ] {
        let game = Game::new(Rules::parse(rules).unwrap());
        let (stones, black, quiet, number) = game.parse(fen).unwrap();
        assert_eq!(game.fen(stones, black, quiet, number), fen);
        assert_eq!(game.perft(stones, black, number == 1, depth), nodes, "{rules} {fen}");
    }
}

/// Counts that the documents have.
#[test]
fn tables() {
    let tables = Tables::build(Rules::parse("").unwrap(), 4, 2, 100, |_| {}).unwrap();
    let counts: Vec<_> = tables.slices().map(|slice| (slice.name(), slice.count())).collect();
    let expected = [
        ("1v1", [592, 1288, 100], 7),
        ("1v2", [2822, 12766, 26982], 29),
        ("2v1", [40996, 1550, 24], 28),
        ("2v2", [509777, 314953, 69240], 30),
        ("1v3", [16682, 63186, 516112], 14),
        ("3v1", [595618, 358, 4], 13),
    ];
    assert_eq!(counts, expected.map(|(name, counts, longest)| (name.to_string(), (counts, longest))));
    assert!(Tables::build(Rules::parse("").unwrap(), 7, 2, 2000, |_| {}).is_err());
    assert!(Tables::build(Rules::parse("board=3x3").unwrap(), 10, 2, 2000, |_| {}).is_err());
}

/// A certificate with a changed header and changed records, and the right checksum.
fn changed(file: &[u8], header: [&str; 2], change: impl Fn(&mut Vec<[u64; 3]>)) -> Vec<u8> {
    let length = u32::from_le_bytes(file[12..16].try_into().unwrap()) as usize;
    let word = |bytes: &[u8]| u64::from_le_bytes(bytes.try_into().unwrap());
    let records = file[16 + length..file.len() - 32].chunks(24);
    let mut records: Vec<[u64; 3]> = records.map(|b| [word(&b[..8]), word(&b[8..16]), word(&b[16..])]).collect();
    let positions = records.len();
    change(&mut records);
    let old = String::from_utf8(file[16..16 + length].to_vec()).unwrap();
    let count = |positions: usize| format!("\"positions\":{positions}");
    let text = old.replace(header[0], header[1]).replace(&count(positions), &count(records.len()));
    let mut bytes = file[..12].to_vec();
    bytes.extend((text.len() as u32).to_le_bytes());
    bytes.extend(text.as_bytes());
    bytes.extend(records.iter().flatten().flat_map(|word| word.to_le_bytes()));
    let sum = Sha256::digest(&bytes);
    bytes.extend(sum);
    bytes
}

#[test]
fn certificates() {
    let cannot_win = include_bytes!("../data/cannot-win");
    let wins = include_bytes!("../data/wins");
    let same = ["", ""];
    let tables = Tables::build(Rules::parse("board=5x5").unwrap(), 4, 2, 100, |_| {}).unwrap();
    let check = |file: &[u8]| Certificate::read(file)?.check(&tables);
    for file in [&cannot_win[..], wins] {
        assert_eq!(check(file), Ok(()));
        assert_eq!(check(&changed(file, same, |_| {})), Ok(()));
        for length in (0..file.len()).step_by(7) {
            assert!(Certificate::read(&file[..length]).is_err());
        }
        let refused = |header, change: &dyn Fn(&mut Vec<[u64; 3]>), text: &str| {
            let error = check(&changed(file, header, change)).expect_err(text);
            assert!(error.contains(text), "{error}, but expected: {text}");
        };
        let count = changed(file, same, |_| {}).len();
        assert_eq!(count, file.len());
        refused(if file == wins { ["White", "Black"] } else { ["Black", "White"] }, &|_| {}, "record");
        refused(if file == wins { ["wins", "cannot-win"] } else { ["cannot-win", "wins"] }, &|_| {}, "record");
        refused(["\"tables\":\"", "\"tables\":\"0"], &|_| {}, "other tables");
        refused(["repeat=3", "repeat=1"], &|_| {}, "repeat=1");
        refused(["tie=draw", "tie=count"], &|_| {}, "tie=count");
        refused(same, &|records| records.swap(0, 1), "out of order");
        refused(same, &|records| records[0][2] |= 1 << 63, "reserved");
        refused(same, &|records| records[0][1] ^= records[0][0] & 0xffff, "one point");
        for number in 0..count.min(19) {
            let mut damaged = changed(file, same, |records| _ = records.remove(number));
            assert!(check(&damaged).is_err(), "without record {number}");
            damaged = changed(file, same, |records| records[number][2] ^= 1 << 49);
            assert!(check(&damaged).is_err(), "with another move in record {number}");
        }
    }
    let higher = changed(wins, same, |records| records.iter_mut().for_each(|record| record[1] |= 101 << 49));
    assert!(check(&higher).unwrap_err().contains("rank"));
    let lower = changed(wins, same, |records| records.iter_mut().for_each(|record| record[1] &= (1 << 49) - 1));
    assert!(check(&lower).unwrap_err().contains("rank"));
    let ranked = changed(cannot_win, same, |records| records[0][1] |= 1 << 49);
    assert!(check(&ranked).unwrap_err().contains("rank"));
}

#[test]
fn strategies() {
    let tables = Tables::build(Rules::parse("board=5x5").unwrap(), 6, 2, 100, |_| {}).unwrap();
    let check = |file: &[u8]| Strategy::read(file)?.check(&tables);
    let file = include_bytes!("../data/strategy");
    assert_eq!(check(file), Ok(()));
    for length in 0..file.len() {
        assert!(Strategy::read(&file[..length]).is_err());
    }
    // Most changes of the function are found; some concern positions that play does not reach.
    let places = (file.len() - 332..file.len() - 32).step_by(20);
    let refused = places.clone().filter(|&place| {
        let mut damaged = file[..file.len() - 32].to_vec();
        damaged[place] ^= 1;
        assert!(check(&[&damaged[..], &file[file.len() - 32..]].concat()).is_err());
        let sum = Sha256::digest(&damaged);
        damaged.extend(sum);
        check(&damaged).is_err()
    });
    assert!(refused.count() > places.len() / 2);
}
