//! The lines that fastchess and cutechess-cli print, in ASCII and with names of one word: tools take them apart.

use vato_engine::notation::pgn::Termination;
use vato_tools::tournament::MatchState;
use vato_tools::tournament::record::GameEntry;
use vato_tools::tournament::statistics::SprtDecision;

use crate::cli::support::present::plain_table;

/// `Started game 1 of 32 (A vs B)`.
pub fn started(game: u32, total: u64, players: [&str; 2]) -> String {
    let [white, black] = players.map(word);
    format!("Started game {game} of {total} ({white} vs {black})\n")
}

/// `Finished game 1 (A vs B): 1-0 {White wins}`, and the score of two engines.
pub fn finished(entry: &GameEntry, state: &MatchState) -> String {
    let (game, result, reason) = (entry.game, &entry.result, reason(entry));
    let (white, black) = (word(&entry.white), word(&entry.black));
    let mut text = format!("Finished game {game} ({white} vs {black}): {result} {{{reason}}}\n");
    if let [first, second] = state.standings.names()[..] {
        let (first, second) = (word(first), word(second));
        let counts = state.standings.tally.games();
        let (wins, losses, draws) = (counts.wins, counts.losses, counts.draws);
        let (score, games) = (counts.score().unwrap_or(0.5), counts.games());
        text += &format!(
            "Score of {first} vs {second}: {wins} - {losses} - {draws}  [{score:.3}] {games}\n"
        );
    }
    text
}

/// The figures of a match: of two engines the difference, and the sequential test; else the ranking.
pub fn figures(state: &MatchState) -> String {
    let tally = &state.standings.tally;
    if state.standings.engines.len() > 2 {
        return ranking(state);
    }
    let Some(figures) = tally.figures() else {
        return String::new();
    };
    let (value, margin) = (figures.elo.value, figures.elo.margin());
    let [los, draws] = [figures.los, figures.draw_ratio].map(percent);
    let mut text =
        format!("Elo difference: {value:.2} +/- {margin:.2}, LOS: {los} %, DrawRatio: {draws} %\n");
    if let Some(sprt) = state.settings.sprt {
        let now = sprt.state(tally);
        let (llr, lower, upper) = (now.llr, now.lower, now.upper);
        let part = percent(Some(llr / if llr < 0.0 { lower } else { upper }));
        let decided = match now.decision {
            SprtDecision::Continue => "",
            SprtDecision::AcceptH0 => " - H0 was accepted",
            SprtDecision::AcceptH1 => " - H1 was accepted",
        };
        text += &format!(
            "SPRT: llr {llr:.2} ({part}%), lbound {lower:.2}, ubound {upper:.2}{decided}\n"
        );
    }
    text
}

/// A row for each engine.
fn ranking(state: &MatchState) -> String {
    let ratings = state.ratings();
    let rows = (1..).zip(state.ranking().places).map(|(rank, place)| {
        let counts = state.standings.total(place.engine);
        let elo = ratings
            .as_ref()
            .and_then(|all| all.engines[place.engine].elo);
        let [elo, margin] = [elo.map(|elo| elo.value), elo.map(|elo| elo.margin())]
            .map(|value| value.filter(|value| value.is_finite()))
            .map(|value| value.map_or("-".to_owned(), |value| format!("{value:.2}")));
        let [score, draws] = [counts.score(), counts.draw_ratio()].map(percent);
        let (rank, games) = (format!("{rank}"), format!("{}", counts.games()));
        vec![
            rank,
            word(&place.name),
            elo,
            margin,
            games,
            score + "%",
            draws + "%",
        ]
    });
    let headings = ["Rank", "Name", "Elo", "+/-", "Games", "Score", "Draw"];
    plain_table(headings, rows, 2.., 2)
}

fn percent(share: Option<f64>) -> String {
    format!("{:.1}", 100.0 * share.unwrap_or_default())
}

/// How a game ended, in the words that tools look for.
fn reason(entry: &GameEntry) -> String {
    let (winner, loser) = match entry.result.as_str() {
        "1-0" => ("White", "Black"),
        "0-1" => ("Black", "White"),
        _ if entry.termination == Termination::Normal => return "Draw by the rules".to_owned(),
        _ => return "Draw by adjudication".to_owned(),
    };
    match entry.termination {
        Termination::Normal => format!("{winner} wins"),
        Termination::Resignation => format!("{loser} resigns"),
        Termination::TimeLoss => format!("{loser} loses on time"),
        Termination::IllegalMove | Termination::UnparsableAnswer => {
            format!("{loser} makes an illegal move")
        }
        Termination::Hang => format!("{loser}'s connection stalls"),
        Termination::Crash | Termination::NoStart | Termination::Withdrawn => {
            format!("{loser} disconnects")
        }
        _ => format!("{winner} wins by adjudication"),
    }
}

/// The tag `Termination` of a game.
pub fn termination(termination: Termination) -> &'static str {
    match termination {
        Termination::IllegalMove | Termination::UnparsableAnswer => "illegal move",
        Termination::Hang => "stalled connection",
        other => other.pgn(),
    }
}

/// A name as one word of ASCII without colons.
pub fn word(name: &str) -> String {
    let plain = |character: char| match character {
        '!'..='~' if character != ':' => character,
        _ => '_',
    };
    name.chars().map(plain).collect()
}
