//! The lines that fastchess and cutechess-cli print, in ASCII and with names of one word: tools take them apart.

use vato_engine::notation::pgn::Termination;
use vato_tools::tournament::MatchState;
use vato_tools::tournament::record::GameEntry;
use vato_tools::tournament::statistics::SprtDecision;

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
        let counts = state.standings.tally.games();
        let score = counts.score().unwrap_or(0.5);
        text += &format!(
            "Score of {} vs {}: {} - {} - {}  [{score:.3}] {}\n",
            word(first),
            word(second),
            counts.wins,
            counts.losses,
            counts.draws,
            counts.games()
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
    let percent = |share: Option<f64>| 100.0 * share.unwrap_or(0.0);
    let mut text = format!(
        "Elo difference: {:.1} +/- {:.1}, LOS: {:.1} %, DrawRatio: {:.1} %\n",
        figures.elo.value,
        figures.elo.margin(),
        percent(figures.los),
        percent(figures.draw_ratio)
    );
    if let Some(sprt) = state.settings.sprt {
        let now = sprt.state(tally);
        let bound = if now.llr < 0.0 { now.lower } else { now.upper };
        let decided = match now.decision {
            SprtDecision::Continue => "",
            SprtDecision::AcceptH0 => " - H0 was accepted",
            SprtDecision::AcceptH1 => " - H1 was accepted",
        };
        text += &format!(
            "SPRT: llr {:.3} ({:.1}%), lbound {:.3}, ubound {:.3}{decided}\n",
            now.llr,
            100.0 * now.llr / bound,
            now.lower,
            now.upper
        );
    }
    text
}

/// A row for each engine.
fn ranking(state: &MatchState) -> String {
    let mut text = format!(
        "{:>4} {:<25} {:>7} {:>7} {:>7} {:>7} {:>7}\n",
        "Rank", "Name", "Elo", "+/-", "Games", "Score", "Draw"
    );
    let ratings = state.ratings();
    for (rank, place) in (1..).zip(state.ranking().places) {
        let counts = state.standings.total(place.engine);
        let elo = ratings
            .as_ref()
            .and_then(|ratings| ratings.engines[place.engine].elo);
        let [elo, margin] = [elo.map(|elo| elo.value), elo.map(|elo| elo.margin())].map(|value| {
            value
                .filter(|value| value.is_finite())
                .map_or("-".to_owned(), |value| format!("{value:.0}"))
        });
        let percent = |share: Option<f64>| format!("{:.1}%", 100.0 * share.unwrap_or(0.0));
        text += &format!(
            "{rank:>4} {:<25} {elo:>7} {margin:>7} {:>7} {:>7} {:>7}\n",
            word(&place.name),
            counts.games(),
            percent(counts.score()),
            percent(counts.draw_ratio())
        );
    }
    text
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
fn word(name: &str) -> String {
    let plain = |character: char| match character {
        '!'..='~' if character != ':' => character,
        _ => '_',
    };
    name.chars().map(plain).collect()
}
