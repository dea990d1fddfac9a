use crate::board::Game;
use crate::proof::Proof;
use crate::rules::Rules;
use crate::state::State;
use crate::tables::Tables;
use sha2::{Digest, Sha256};

/// The number of sequences of turns, path by path.
fn perft(game: &Game, state: &State, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let turns = game.turns(state.stones, game.manner(state.special, state.black));
    turns.iter().map(|turn| perft(game, &state.play(game, turn), depth - 1)).sum()
}

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
        let (state, _) = State::parse(&game, fen).unwrap();
        assert_eq!(perft(&game, &state, depth), nodes, "{rules} {fen}");
    }
}

/// Counts that the documents have.
#[test]
fn tables() {
    let tables = Tables::solve(Rules::parse("").unwrap(), 4).unwrap();
    // 1v1, 1v2, 2v1, 2v2, 1v3 and 3v1.
    assert!(tables.slices.iter().map(|slice| slice.longest).eq([7, 29, 28, 30, 14, 13]));
    let draws = tables.slices.iter().map(|slice| slice.bytes().iter().filter(|byte| **byte == 0).count());
    assert!(draws.eq([1288, 12766, 1550, 314953, 63186, 358]));
    assert!(Tables::solve(Rules::parse("").unwrap(), 8).is_err());
}

/// A file with the right checksum.
fn sealed(mut file: Vec<u8>) -> Vec<u8> {
    let sum = Sha256::digest(&file);
    file.extend(sum);
    file
}

/// A certificate with a changed header and changed records.
fn changed(file: &[u8], header: [&str; 2], change: impl Fn(&mut Vec<[u64; 3]>)) -> Vec<u8> {
    let length = u32::from_le_bytes(file[12..16].try_into().unwrap()) as usize;
    let word = |bytes: &[u8]| u64::from_le_bytes(bytes.try_into().unwrap());
    let records = file[16 + length..file.len() - 32].chunks(24);
    let mut records: Vec<[u64; 3]> = records.map(|b| [word(&b[..8]), word(&b[8..16]), word(&b[16..])]).collect();
    let old = format!("\"positions\":{}", records.len());
    change(&mut records);
    let text = std::str::from_utf8(&file[16..16 + length]).unwrap().replace(header[0], header[1]);
    let text = text.replace(&old, &format!("\"positions\":{}", records.len()));
    let records: Vec<u8> = records.iter().flatten().flat_map(|word| word.to_le_bytes()).collect();
    sealed([&file[..12], &(text.len() as u32).to_le_bytes(), text.as_bytes(), &records].concat())
}

#[test]
fn certificates() {
    let tables = Tables::solve(Rules::parse("board=5x5").unwrap(), 4).unwrap();
    let check = |file: &[u8]| Proof::read(file)?.check(&tables);
    for name in ["wins", "cannot-win"] {
        let file = &std::fs::read(format!("data/{name}")).unwrap();
        let refused = |header, change: &dyn Fn(&mut Vec<[u64; 3]>), text: &str| {
            let error = check(&changed(file, header, change)).expect_err(text);
            assert!(error.contains(text), "{error}, but expected: {text}");
        };
        let same = ["", ""];
        assert_eq!((check(file), &changed(file, same, |_| {})), (Ok(()), file));
        for length in (0..file.len()).step_by(7) {
            assert!(Proof::read(&file[..length]).is_err());
            assert!(Proof::read(&sealed(file[..length].to_vec())).is_err());
        }
        refused(if name == "wins" { ["White", "Black"] } else { ["Black", "White"] }, &|_| {}, "");
        refused(if name == "wins" { ["wins", "cannot-win"] } else { ["cannot-win", "wins"] }, &|_| {}, "");
        refused(["\"tables\":\"", "\"tables\":\"0"], &|_| {}, "other tables");
        refused(["repeat=3", "repeat=1"], &|_| {}, "repeat=1");
        refused(["tie=draw", "tie=count"], &|_| {}, "tie=count");
        refused(same, &|records| records.swap(0, 1), "out of order");
        refused(same, &|records| records[0][0] |= 1 << 60, "reserved");
        refused(same, &|records| records[0][2] |= 1 << 63, "");
        refused(same, &|records| records[0][1] ^= records[0][0] & 0xffff, "one point");
        refused(same, &|records| records.iter_mut().for_each(|record| record[1] |= 101 << 49), "rank");
        if name == "wins" {
            refused(same, &|records| records.iter_mut().for_each(|record| record[1] &= (1 << 49) - 1), "rank");
        }
        for number in 0..19 {
            refused(same, &|records| _ = records.remove(number), "");
            refused(same, &|records| records[number][2] ^= 1 << 49, "");
        }
    }
}

#[test]
fn strategies() {
    let tables = Tables::solve(Rules::parse("board=5x5").unwrap(), 6).unwrap();
    let check = |file: &[u8]| Proof::read(file)?.check(&tables);
    let file = include_bytes!("../data/strategy");
    assert_eq!(check(file), Ok(()));
    for length in 0..file.len() {
        assert!(Proof::read(&file[..length]).is_err());
    }
    // Most changes of the function are found; some concern positions that play does not reach.
    let places = (file.len() - 332..file.len() - 32).step_by(20);
    let refused = places.clone().filter(|&place| {
        let mut damaged = file[..file.len() - 32].to_vec();
        damaged[place] ^= 1;
        assert!(check(&[&damaged[..], &file[file.len() - 32..]].concat()).is_err());
        check(&sealed(damaged)).is_err()
    });
    assert!(refused.count() > places.len() / 2);
    // A root where the side that is to hold has no stones.
    let length = u32::from_le_bytes(file[12..16].try_into().unwrap()) as usize;
    let header = std::str::from_utf8(&file[16..16 + length]).unwrap();
    let lost = header.replacen("bbbbb/bbbbb/bw1bw/wwwww/wwwww w 0 1", "5/5/5/5/b4 b 0 2", 1);
    let rest = &file[16 + length..file.len() - 32];
    let file = [&file[..12], &(lost.len() as u32).to_le_bytes(), lost.as_bytes(), rest].concat();
    let error = check(&sealed(file)).unwrap_err();
    assert!(error.contains("no stones"), "{error}");
}
