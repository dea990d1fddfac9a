//! The lines of fastchess and of cutechess-cli, in ASCII and with names of one word: tools take them apart.

use std::time::Instant;

use vato_records::pgn::Termination;
use vato_tools::openings::OpeningSource;
use vato_tools::tournament::record::GameEntry;
use vato_tools::tournament::settings::{EngineSettings, MatchSettings, TournamentFormat};
use vato_tools::tournament::statistics::{
    GameCounts, GameScore, MARGIN, NORMALIZED_ELO_PER_DEVIATION, Sample, Sprt, SprtDecision, Tally,
    normal_cdf,
};
use vato_tools::tournament::{Ending, Match, MatchState};

use super::grammar::Plan;

const LINE: &str = "--------------------------------------------------\n";

/// Whose lines are printed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Style {
    #[default]
    Fastchess,
    Cutechess,
}

/// What is printed of a match.
pub struct Output<'a> {
    plan: &'a Plan,
    /// Time control, threads, hash and openings of two engines.
    conditions: String,
    /// The results of each engine.
    tallies: Vec<Tally>,
    /// Whether the last lines are figures of all games.
    is_told: bool,
    began: Instant,
}

impl Output<'_> {
    pub fn new<'a>(plan: &'a Plan, contest: &Match) -> Output<'a> {
        Output {
            plan,
            conditions: conditions(contest),
            tallies: vec![Tally::default(); contest.state.settings.engines.len()],
            is_told: false,
            began: Instant::now(),
        }
    }

    /// `Started game 1 of 32 (A vs B)`.
    pub fn started(game: u32, total: u64, players: &[String; 2]) -> String {
        let [white, black] = players.each_ref().map(|name| word(name));
        format!("Started game {game} of {total} ({white} vs {black})\n")
    }

    /// `Finished game 1 (A vs B): 1-0 {White mates}`, and the score or figures where they are due.
    pub fn finished(&mut self, entry: &GameEntry, state: &MatchState) -> String {
        let (game, result) = (entry.game, &entry.result);
        let players = [&entry.white, &entry.black];
        let [white, black] = players.map(|name| word(name));
        let reason = reason(entry, &state.settings);
        let mut text =
            format!("Finished game {game} ({white} vs {black}): {result} {{{reason}}}\n");
        let completes = self.count(entry, state);
        if let (Style::Cutechess, [tally, _]) = (self.plan.style, &self.tallies[..]) {
            let score = score(tally.games());
            text += &format!("Score of {}: {score}\n", self.match_up(state));
        }
        let (is_due, number) = match self.plan.pairs {
            true => (completes, u64::from(entry.pair)),
            false => (true, state.standings.games),
        };
        let is_last = self.plan.style == Style::Fastchess && state.ending() == Ending::Complete;
        let is_due = is_due && self.plan.interval > 0 && number.is_multiple_of(self.plan.interval);
        self.is_told = is_due || is_last;
        if self.is_told {
            text += &self.figures(state);
        }
        text
    }

    /// What comes behind the last game.
    pub fn end(&self, state: &MatchState, ending: Ending) -> String {
        let mut text = String::new();
        let is_stopped = ending == Ending::Stopped;
        let is_cutechess = self.plan.style == Style::Cutechess;
        // An interval may end with the match.
        if (is_stopped || is_cutechess) && !self.is_told && state.standings.games > 0 {
            text += &self.figures(state);
        }
        if is_stopped {
            return text;
        }
        if is_cutechess {
            return text + "Finished match\n";
        }
        if let (Some(test), Some(sprt)) = (state.decision(), state.settings.sprt) {
            let accepted = match test.decision {
                SprtDecision::AcceptH0 => "H0",
                _ => "H1",
            };
            let [elo0, elo1] = [sprt.elo0, sprt.elo1];
            text += &self.figures(state);
            text += &format!("SPRT ([{elo0:.2}, {elo1:.2}]) completed - {accepted} was accepted\n");
        }
        let standings = &state.standings;
        let lost = |engine, by: &dyn Fn(Termination) -> bool| {
            let ends = standings.ends.iter();
            let ends = ends.filter(|((end, loser), _)| *loser == Some(engine) && by(*end));
            ends.map(|(_, ends)| ends.games).sum::<u32>()
        };
        let mut failed = String::new();
        for (engine, name) in standings.names().into_iter().enumerate() {
            let late = lost(engine, &|end| end == Termination::TimeLoss);
            let crashed = lost(engine, &Termination::is_abandoned);
            if late + crashed > 0 {
                let name = word(name);
                failed += &format!("Player: {name}\n  Timeouts: {late}\n  Crashed: {crashed}\n");
            }
        }
        if !failed.is_empty() {
            text += &format!("\n{failed}\n");
        }
        let seconds = self.began.elapsed().as_secs();
        let [hours, minutes, seconds] = [seconds / 3600, seconds / 60 % 60, seconds % 60];
        text + &format!(
            "Finished match\nTotal Time: {hours:02}:{minutes:02}:{seconds:02} (hours:minutes:seconds)\n\n"
        )
    }

    /// Counts a game; tells whether it completes a pair.
    fn count(&mut self, entry: &GameEntry, state: &MatchState) -> bool {
        let names = state.standings.names();
        let players = [&entry.white, &entry.black];
        let mut completes = false;
        for (colour, name) in vato_engine::board::Side::BOTH.into_iter().zip(players) {
            let Some(engine) = names.iter().position(|own| own == name) else {
                continue;
            };
            let winner = entry.winner.as_ref();
            let score = GameScore::of(winner.map(|winner| usize::from(winner != name)));
            completes |= self.tallies[engine].add(entry.pair, colour, score, false);
        }
        completes
    }

    fn match_up(&self, state: &MatchState) -> String {
        let names = state.standings.names();
        names.into_iter().map(word).collect::<Vec<_>>().join(" vs ")
    }

    /// The figures of a match: of two engines the difference, and the sequential test; else the ranking.
    fn figures(&self, state: &MatchState) -> String {
        let text = match (&self.tallies[..], self.plan.style) {
            ([tally, _], Style::Fastchess) => self.results(tally, state),
            ([tally, _], Style::Cutechess) => results_by_colour(tally, state),
            _ => self.ranking(state),
        };
        let sprt = state.settings.sprt;
        let test = sprt.map(|sprt| sequential_test(sprt, state, self.plan.style));
        let test = test.unwrap_or_default();
        match self.plan.style {
            Style::Cutechess => text + &test,
            Style::Fastchess => format!("{LINE}{text}{test}{LINE}"),
        }
    }

    fn results(&self, tally: &Tally, state: &MatchState) -> String {
        let own = Figures::of(tally, self.plan.pairs);
        let games = own.games;
        let [elo, normalized] = [own.elo, own.normalized].map(|own| texts(own, 2).join(" +/- "));
        let mut text = format!(
            "Results of {} ({}):\nElo: {elo}, nElo: {normalized}\nLOS: {} %, DrawRatio: {} %",
            self.match_up(state),
            self.conditions,
            decimals(100.0 * own.los, 2),
            decimals(own.draws, 2)
        );
        let [lost_clearly, lost, even, won, won_clearly] = tally.pairs;
        if self.plan.pairs {
            let ratio = (won + won_clearly) as f64 / (lost + lost_clearly) as f64;
            text += &format!(", PairsRatio: {}", decimals(ratio, 2));
        }
        let points = games.points();
        text += &format!(
            "\nGames: {}, Wins: {}, Losses: {}, Draws: {}, Points: {points:.1} ({} %)\n",
            games.games(),
            games.wins,
            games.losses,
            games.draws,
            decimals(100.0 * points / games.games() as f64, 2)
        );
        if self.plan.pairs {
            // Pairs of a win and a loss, to those of two draws.
            let decisive = games.wins.saturating_sub(won + 2 * won_clearly);
            let ratio = decisive as f64 / even.saturating_sub(decisive) as f64;
            text += &format!(
                "Ptnml(0-2): {:?}, WL/DD Ratio: {}\n",
                tally.pairs,
                decimals(ratio, 2)
            );
        }
        text
    }

    /// A row for each engine, the best first.
    fn ranking(&self, state: &MatchState) -> String {
        let names = state.standings.names().into_iter().map(word);
        let figures = |tally| Figures::of(tally, self.plan.pairs);
        let mut rows: Vec<_> = self.tallies.iter().map(figures).zip(names).collect();
        // Without games there is no place but the last.
        let score = |own: &Figures| own.games.score().unwrap_or(-1.0);
        // In a gauntlet cutechess-cli has the engine that plays all others first, as number 0.
        let is_gauntlet = state.settings.format() == TournamentFormat::Gauntlet;
        let fixed = usize::from(is_gauntlet && self.plan.style == Style::Cutechess);
        rows[fixed..].sort_by(|(one, _), (other, _)| score(other).total_cmp(&score(one)));
        let longest = rows.iter().map(|(_, name)| name.len()).max();
        let longest = longest.unwrap_or(0).max(25);
        let (headings, last, width, places) = match self.plan.style {
            Style::Fastchess => ("Elo +/- nElo +/- Games Score Draw", "Ptnml(0-2)", 10, 2),
            Style::Cutechess => ("Elo +/- Games Score Draw", "", 7, 0),
        };
        let line = |rank: &str, name: &str, cells: Vec<String>, pairs: &str| {
            let cells = cells.iter().map(|cell| format!(" {cell:>width$}"));
            let cells = cells.collect::<String>();
            let line = format!("{rank:>4} {name:<longest$}{cells} {pairs:>20}");
            line.trim_end().to_owned() + "\n"
        };
        let headings = headings.split(' ').map(str::to_owned).collect();
        let mut text = line("Rank", "Name", headings, last);
        for (rank, (own, name)) in (1 - fixed..).zip(&rows) {
            let mut cells = texts(own.elo, places).to_vec();
            if self.plan.style == Style::Fastchess {
                cells.extend(texts(own.normalized, places));
            }
            cells.push(own.games.games().to_string());
            let score = own.games.score().unwrap_or(f64::NAN);
            cells.extend([100.0 * score, own.draws].map(|share| decimals(share, 1) + "%"));
            let pairs = self.plan.pairs.then(|| format!("{:?}", own.pairs));
            text += &line(&rank.to_string(), name, cells, &pairs.unwrap_or_default());
        }
        text
    }
}

/// `10+0.1, 1t, 16MB, book.epd`, of each two values that differ.
fn conditions(contest: &Match) -> String {
    let settings = &contest.state.settings;
    let both = |texts: Vec<String>| match &texts[..] {
        [first, second] if first != second => format!("{first} - {second}"),
        texts => texts.first().cloned().unwrap_or_default(),
    };
    let size = |place: usize, unit: &str| {
        let size = |sizes: &[Option<u64>; 2]| match sizes[place] {
            Some(size) => format!("{size}{unit}"),
            None => "NULL".to_owned(),
        };
        both(contest.sizes.iter().map(size).collect())
    };
    let limits = settings.engines.iter().map(limit).collect();
    let mut parts = vec![both(limits), size(0, "t"), size(1, "MB")];
    if let Some(OpeningSource::File(file)) = &settings.openings.source {
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        parts.push(word(&name));
    }
    parts.join(", ")
}

/// A limit in the words of fastchess, which shows one.
fn limit(engine: &EngineSettings) -> String {
    let clock = engine.tc.map(|control| control.to_string());
    let time = engine.st.map(|seconds| format!("{seconds}/move"));
    let depth = engine.depth.map(|depth| format!("{depth} plies"));
    let nodes = engine.nodes.map(|nodes| format!("{nodes} nodes"));
    clock.or(time).or(depth).or(nodes).unwrap_or_default()
}

/// The figures of an engine as these programs compute them: nothing is assumed where results are few.
struct Figures {
    games: GameCounts,
    pairs: [u64; 5],
    /// With half the width of its 95 % interval; either may be no number.
    elo: [f64; 2],
    normalized: [f64; 2],
    los: f64,
    /// Draws, or even pairs, in percent.
    draws: f64,
}

impl Figures {
    /// Of complete pairs, or of games.
    fn of(tally: &Tally, of_pairs: bool) -> Figures {
        let games = match of_pairs {
            true => tally.paired(),
            false => tally.games(),
        };
        let sample = match of_pairs {
            true => Sample::Pairs(tally.pairs),
            false => Sample::Games([games.losses, games.draws, games.wins]),
        };
        let (score, variance) = sample.moments(0.0);
        let (size, counts) = (sample.size() as f64, sample.counts());
        let error = (variance / size).sqrt();
        let interval = |elo: &dyn Fn(f64) -> f64| {
            let [lower, upper] = [-error, error].map(|error| elo(score + MARGIN * error));
            [elo(score), (upper - lower) / 2.0]
        };
        let deviation = (sample.games_each() * variance).sqrt();
        Figures {
            games,
            pairs: tally.pairs,
            elo: interval(&|score| -400.0 * (1.0 / score - 1.0).log10()),
            normalized: interval(&|score| (score - 0.5) / deviation * NORMALIZED_ELO_PER_DEVIATION),
            los: normal_cdf((score - 0.5) / error),
            draws: 100.0 * counts[counts.len() / 2] as f64 / size,
        }
    }
}

/// What cutechess-cli prints of two engines.
fn results_by_colour(tally: &Tally, state: &MatchState) -> String {
    let mut text = String::new();
    let names = state.standings.names();
    let name = names.first().map_or(String::new(), |name| word(name));
    let colours = [
        (format!("{name} playing White"), tally.white),
        (format!("{name} playing Black"), tally.black),
        ("White vs Black".to_owned(), tally.games_of_white()),
    ];
    for (who, games) in colours {
        if games.games() > 0 {
            text += &format!("...      {who}: {}\n", score(games));
        }
    }
    let own = Figures::of(tally, false);
    let [elo, margin] = texts(own.elo, 1);
    let [wins, losses] = [own.games.wins, own.games.losses].map(|count| count as f64);
    let los = 100.0 * normal_cdf((wins - losses) / (wins + losses).sqrt());
    let [los, draws] = [los, own.draws].map(|share| decimals(share, 1));
    text + &format!("Elo difference: {elo} +/- {margin}, LOS: {los} %, DrawRatio: {draws} %\n")
}

/// How the sequential test stands.
fn sequential_test(sprt: Sprt, state: &MatchState, style: Style) -> String {
    let test = sprt.state(&state.standings.tally);
    let (llr, lower, upper) = (test.llr, test.lower, test.upper);
    if style == Style::Fastchess {
        let share = 100.0 * if llr < 0.0 { -llr / lower } else { llr / upper };
        let [elo0, elo1] = [sprt.elo0, sprt.elo1];
        return format!(
            "LLR: {llr:.2} ({share:.1}%) ({lower:.2}, {upper:.2}) [{elo0:.2}, {elo1:.2}]\n"
        );
    }
    let decided = match test.decision {
        SprtDecision::Continue => "",
        SprtDecision::AcceptH0 => " - H0 was accepted",
        SprtDecision::AcceptH1 => " - H1 was accepted",
    };
    let share = 100.0 * llr / upper;
    format!("SPRT: llr {llr:.2} ({share:.1}%), lbound {lower:.2}, ubound {upper:.2}{decided}\n")
}

/// `3 - 1 - 2  [0.667] 6`.
fn score(counts: GameCounts) -> String {
    let (wins, losses, draws) = (counts.wins, counts.losses, counts.draws);
    let games = counts.games();
    let score = counts.score().unwrap_or(0.5);
    format!("{wins} - {losses} - {draws}  [{score:.3}] {games}")
}

fn texts(numbers: [f64; 2], places: usize) -> [String; 2] {
    numbers.map(|number| decimals(number, places))
}

/// A number with so many decimals, as C prints it.
fn decimals(value: f64, places: usize) -> String {
    match value.is_nan() {
        true => "nan".to_owned(),
        false => format!("{value:.places$}"),
    }
}

/// How a game ended, in the words that tools look for.
pub fn reason(entry: &GameEntry, settings: &MatchSettings) -> String {
    let (winner, loser) = match entry.result.as_str() {
        "1-0" => ("White", "Black"),
        "0-1" => ("Black", "White"),
        _ => ("", ""),
    };
    let adjudicated = match winner {
        "" => "Draw by adjudication".to_owned(),
        _ => format!("{winner} wins by adjudication"),
    };
    match entry.termination {
        Termination::Normal => by_rules(entry, settings, winner),
        Termination::Resignation => format!("{loser} resigns"),
        Termination::TimeLoss => format!("{loser} loses on time"),
        Termination::IllegalMove | Termination::UnparsableAnswer => {
            format!("{loser} makes an illegal move")
        }
        Termination::Hang => format!("{loser}'s connection stalls"),
        Termination::Crash | Termination::NoStart | Termination::Withdrawn => match loser {
            "" => "Draw by disconnection".to_owned(),
            _ => format!("{loser} disconnects"),
        },
        Termination::AdjudicatedTablebase => adjudicated + ": SyzygyTB",
        _ => adjudicated,
    }
}

/// An end by the rules, which the record tells as `White wins: WHY` or `draw: WHY`.
fn by_rules(entry: &GameEntry, settings: &MatchSettings, winner: &str) -> String {
    let (_, why) = entry.reason.split_once(": ").unwrap_or_default();
    match why {
        why if why.ends_with("no stones") => format!("{winner} mates"),
        _ if !winner.is_empty() => entry.reason.clone(),
        "repetition" => format!("Draw by {}-fold repetition", settings.rules.repeat),
        "no capture for too long" => "Draw by no-capture limit".to_owned(),
        _ => "Draw by no moves left".to_owned(),
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
