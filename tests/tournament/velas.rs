//! Rounds of the vela, the revenge game.

use std::collections::{BTreeMap, BTreeSet};

use libtest_mimic::Trial;

use crate::runner::{Contender, Game, MatchFiles, MatchRun, assert_pgn_agrees};
use crate::tournament_field::{field, run};
use crate::trial;

pub fn trials() -> Vec<Trial> {
    vec![
        trial("velas: a round is the source's", vela_round),
        trial(
            "velas: engines that cannot be told them are refused",
            no_vela,
        ),
        trial("velas: the preset is enough for an engine", by_the_preset),
        trial("velas: other rules are those of their name", by_other_rules),
    ]
}

fn vela_round() {
    let files = MatchFiles::new();
    let options = "--rounds 6 --round-games 8 --concurrency 2";
    let ended = run(&files, &field(2), "vela", options).play_well();
    assert_pgn_agrees(&files);
    let record = files.record();
    record.assert_faultless();
    let mut score = [0.0; 2];
    let mut told = Vec::new();
    let mut openings = BTreeMap::new();
    for number in 1..=6 {
        let games: Vec<&Game> = record
            .by_number()
            .into_values()
            .filter(|game| game.round() == number)
            .collect();
        let beginner = if number % 2 == 1 { "E1" } else { "E2" };
        assert_eq!(games[0].white, beginner, "round {number}");
        assert_eq!(games[0].rules, None);
        let mut won_normal: Option<&str> = None;
        let mut round_winner = None;
        let mut velas = [0; 2];
        for (index, game) in games.iter().enumerate() {
            let is_vela = game.rules.is_some();
            assert_eq!(
                is_vela,
                won_normal.is_some(),
                "round {number}, game {index}"
            );
            assert_eq!(round_winner, None, "the round was over");
            if let Some(giver) = won_normal {
                let rules = game.rules.as_deref().unwrap_or_default();
                assert_eq!(rules, "board=5x5 capture=opening vela=black");
                assert_eq!(game.black, giver, "the loser is White");
                // The same for both beginners of a pair of rounds.
                let begins = giver == beginner;
                let given = &mut velas[usize::from(begins)];
                *given += 1;
                let place = (game.pair, begins, *given);
                let before = openings.insert(place, &game.opening);
                assert!(before.is_none_or(|before| *before == game.opening));
                assert_eq!(game.opening.moves.len(), 4);
                assert!(game.opening.name.starts_with("vela random "));
                match game.winner.as_deref() {
                    None => {}
                    Some(winner) if winner == giver => round_winner = Some(winner),
                    Some(_) => won_normal = None,
                }
            } else {
                won_normal = game.winner.as_deref();
            }
        }
        assert!(round_winner.is_some() || games.len() == 8);
        let points = match round_winner {
            Some("E1") => {
                score[0] += 1.0;
                "1"
            }
            Some(_) => {
                score[1] += 1.0;
                "0"
            }
            None => {
                score = score.map(|points| points + 0.5);
                "½"
            }
        };
        told.push(format!("{points} ({} games)", games.len()));
    }
    let velas = record.games.iter().filter(|game| game.rules.is_some());
    let different: BTreeSet<&[String]> = openings.values().map(|one| &*one.moves).collect();
    assert_eq!(different.len(), openings.len(), "and for nobody else");
    // What E1 has made of them, as giver (Black) and as eater.
    let [as_giver, as_eater] = ["black", "white"].map(|colour| {
        let mine = velas.clone().filter(|game| match colour {
            "black" => game.black == "E1",
            _ => game.white == "E1",
        });
        let count = |winner: Option<&str>| {
            let such = mine.clone().filter(|game| game.winner.as_deref() == winner);
            such.count()
        };
        let (wins, draws, losses) = (count(Some("E1")), count(None), count(Some("E2")));
        format!("+{wins} ={draws} -{losses}")
    });
    ended.assert_summary(&[
        &format!("; velas as giver {as_giver}, as eater {as_eater}"),
        "E1 against E2, vela, 6 rounds",
        &format!("score        {} of 6 rounds", score[0]),
        &format!("round by round: {}", told.join(", ")),
    ]);
    let pgn = std::fs::read_to_string(files.pgn()).expect("the PGN is there");
    assert!(pgn.contains("vela=black") && pgn.contains("[Format \"vela\"]"));
}

fn no_vela() {
    let able = Contender::new("Able", "honest");
    for (behaviour, keys, words) in [
        ("no-options", "", &["Unable", "cannot play these rules"][..]),
        ("tsivy-only", "", &["Unable", "cannot play these rules"]),
        (
            "honest",
            "option.UCI_Variant=tsivy",
            &["Unable", "UCI_Variant", "change from game to game"],
        ),
    ] {
        let files = MatchFiles::new();
        let unable = Contender::new("Unable", behaviour).with(keys);
        MatchRun::new(&files, [&able, &unable])
            .args("--each nodes=1 --format vela --openings start")
            .fails(words);
        files.assert_no_game();
    }
}

/// The rules of the velas of a record.
fn vela_rules(files: &MatchFiles) -> BTreeSet<String> {
    let record = files.record();
    record.assert_faultless();
    let rules = record.games.iter().filter_map(|game| game.rules.clone());
    rules.collect()
}

/// The format plays the vela of the tradition, which such an engine knows by its name alone.
fn by_the_preset() {
    for more in ["", "--rules vela"] {
        let files = MatchFiles::new();
        let folder = files.subfolder("told");
        let knows = Contender::new("Knows", "tsivy-and-vela")
            .seed(1)
            .transcripts(&folder);
        let other = Contender::new("Other", "honest").seed(2);
        MatchRun::new(&files, [&knows, &other])
            .args("--each nodes=1 --format vela --rounds 1 --max-plies 200 --concurrency 1")
            .args(more)
            .play_well();
        let lines: Vec<String> = files.transcripts(&folder).concat();
        for variant in ["tsivy", "vela"] {
            let wanted = format!("setoption name UCI_Variant value {variant}");
            assert!(lines.contains(&wanted), "{wanted}: {lines:?}");
        }
        let rules = vela_rules(&files);
        assert_eq!(
            rules,
            BTreeSet::from(["capture=opening vela=black".to_owned()])
        );
        assert_pgn_agrees(&files);
    }
}

fn by_other_rules() {
    let files = MatchFiles::new();
    MatchRun::new(&files, &field(2))
        .args("--each nodes=1 --format vela --rounds 2 --max-plies 200 --rules vela=black")
        .play_well();
    assert_eq!(
        vela_rules(&files),
        BTreeSet::from(["vela=black".to_owned()])
    );
    assert_pgn_agrees(&files);
}
