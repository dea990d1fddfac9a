//! The lines of fastchess and of cutechess-cli, in ASCII and with names of one word: tools take them apart.

use std::fmt::Write;
use std::time::Instant;

use vato_engine::notation::pgn::Termination;
use vato_tools::openings::OpeningSource;
use vato_tools::tournament::record::GameEntry;
use vato_tools::tournament::settings::{EngineSettings, MatchSettings};
use vato_tools::tournament::statistics::{
    GameCounts, GameScore, MARGIN, NORMALIZED_ELO_PER_DEVIATION, SprtDecision, SprtState, Tally,
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
pub struct Output {
    style: Style,
    /// Whether the figures are those of complete pairs.
    pairs: bool,
    /// After how many pairs (else games) figures are printed; 0: at the end only.
    interval: u64,
    /// Time control, threads, hash and openings of two engines.
    conditions: String,
    /// The results of each engine.
    tallies: Vec<Tally>,
    /// Losses on time of each engine, and crashes.
    failed: Vec<[u32; 2]>,
    /// Whether the last lines are figures of all games.
    is_told: bool,
    began: Instant,
}

impl Output {
    pub fn new(plan: &Plan, contest: &Match) -> Output {
        let engines = contest.state.settings.engines.len();
        Output {
            style: plan.style,
            pairs: plan.pairs,
            interval: plan.interval,
            conditions: conditions(contest),
            tallies: vec![Tally::default(); engines],
            failed: vec![[0; 2]; engines],
            is_told: false,
            began: Instant::now(),
        }
    }

    /// `Started game 1 of 32 (A vs B)`.
    pub fn started(game: u32, total: u64, players: [&str; 2]) -> String {
        let [white, black] = players.map(word);
        format!("Started game {game} of {total} ({white} vs {black})\n")
    }

    /// `Finished game 1 (A vs B): 1-0 {White mates}`, and the score or figures where they are due.
    pub fn finished(&mut self, entry: &GameEntry, state: &MatchState) -> String {
        let (game, result) = (entry.game, &entry.result);
        let players = [&entry.white, &entry.black];
        let [white, black] = players.map(|name| word(name));
        let reason = reason(entry, &state.settings, self.style);
        let mut text =
            format!("Finished game {game} ({white} vs {black}): {result} {{{reason}}}\n");
        let completes = self.count(entry, state);
        let games = state.standings.games;
        let (is_due, number) = match self.style {
            Style::Fastchess if self.pairs => (completes, u64::from(entry.pair)),
            Style::Fastchess => (true, games),
            Style::Cutechess => {
                if let [tally, _] = &self.tallies[..] {
                    let score = score(tally.games(), tally.games().games());
                    writeln!(text, "Score of {}: {score}", self.match_up(state)).unwrap_or(());
                }
                (true, games)
            }
        };
        let is_last = self.style == Style::Fastchess && state.ending() == Ending::Complete;
        let is_due = is_due && self.interval > 0 && number.is_multiple_of(self.interval);
        self.is_told = is_due || is_last;
        if self.is_told {
            text += &self.figures(state);
        }
        text
    }

    /// What comes behind the last game.
    pub fn end(&self, state: &MatchState, ending: Ending) -> String {
        let mut text = String::new();
        if self.style == Style::Cutechess {
            // An interval may end with the match.
            if !self.is_told {
                text += &self.figures(state);
            }
            if ending != Ending::Stopped {
                text += "Finished match\n";
            }
            return text;
        }
        if let (Some(test), Some(sprt)) = (state.decision(), state.settings.sprt) {
            let accepted = match test.decision {
                SprtDecision::AcceptH0 => "H0",
                _ => "H1",
            };
            text += &self.figures(state);
            text += &format!(
                "SPRT ([{:.2}, {:.2}]) completed - {accepted} was accepted\n",
                sprt.elo0, sprt.elo1
            );
        }
        if ending == Ending::Stopped {
            return text;
        }
        if self.failed.iter().any(|failed| *failed != [0; 2]) {
            text += "\n";
            for (name, [late, crashed]) in state.standings.names().iter().zip(&self.failed) {
                text += &format!(
                    "Player: {}\n  Timeouts: {late}\n  Crashed: {crashed}\n",
                    word(name)
                );
            }
            text += "\n";
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
            let score = match &entry.winner {
                None => GameScore::Draw,
                Some(winner) if winner == name => GameScore::Win,
                Some(_) => GameScore::Loss,
            };
            completes |= self.tallies[engine].add(entry.pair, colour, score, false);
            let late = entry.termination == Termination::TimeLoss;
            if score == GameScore::Loss && (late || entry.termination.is_abandoned()) {
                self.failed[engine][usize::from(!late)] += 1;
            }
        }
        completes
    }

    fn match_up(&self, state: &MatchState) -> String {
        let names = state.standings.names();
        names.into_iter().map(word).collect::<Vec<_>>().join(" vs ")
    }

    /// The figures of a match: of two engines the difference, and the sequential test; else the ranking.
    fn figures(&self, state: &MatchState) -> String {
        let text = match (&self.tallies[..], self.style) {
            ([tally, _], Style::Fastchess) => self.results(tally, state),
            ([tally, _], Style::Cutechess) => results_by_colour(tally, state),
            _ => self.ranking(state),
        };
        let sprt = state.settings.sprt;
        let test = sprt.map(|sprt| (sprt, sprt.state(&state.standings.tally)));
        match self.style {
            Style::Cutechess => {
                text + &test.map_or(String::new(), |(_, test)| cutechess_test(&test))
            }
            Style::Fastchess => {
                let test = test.map_or(String::new(), |(sprt, test)| {
                    let (llr, lower, upper) = (test.llr, test.lower, test.upper);
                    let share = 100.0 * if llr < 0.0 { -llr / lower } else { llr / upper };
                    let [elo0, elo1] = [sprt.elo0, sprt.elo1];
                    format!(
                        "LLR: {llr:.2} ({share:.1}%) ({lower:.2}, {upper:.2}) [{elo0:.2}, {elo1:.2}]\n"
                    )
                });
                format!("{LINE}{text}{test}{LINE}")
            }
        }
    }

    fn results(&self, tally: &Tally, state: &MatchState) -> String {
        let own = Figures::of(tally, self.pairs);
        let games = own.games;
        let mut text = format!(
            "Results of {} ({}):\nElo: {}, nElo: {}\nLOS: {} %, DrawRatio: {} %",
            self.match_up(state),
            self.conditions,
            own.elo,
            own.normalized,
            decimals(100.0 * own.los, 2),
            decimals(own.draws, 2)
        );
        let [lost_clearly, lost, even, won, won_clearly] = tally.pairs;
        if self.pairs {
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
        if self.pairs {
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
        let names = state.standings.names();
        let figures = |tally| Figures::of(tally, self.pairs);
        let mut rows: Vec<_> = self.tallies.iter().map(figures).zip(names).collect();
        // Without games there is no number, and no place but the last.
        let key = |(own, _): &(Figures, _)| match self.style {
            Style::Fastchess => own.elo.value,
            Style::Cutechess => own.games.score().unwrap_or(f64::NAN),
        };
        let key = |row: &_| {
            Some(key(row))
                .filter(|key| !key.is_nan())
                .unwrap_or(f64::NEG_INFINITY)
        };
        rows.sort_by(|one, other| key(other).total_cmp(&key(one)));
        let width = rows.iter().map(|(_, name)| name.len()).max();
        let width = width.unwrap_or(0).max(25);
        let mut text = match self.style {
            Style::Fastchess => format!(
                "{:<4} {:<width$} {:>10} {:>10} {:>10} {:>10} {:>10} {:>10} {:>10} {:>20}\n",
                "Rank", "Name", "Elo", "+/-", "nElo", "+/-", "Games", "Score", "Draw", "Ptnml(0-2)"
            ),
            Style::Cutechess => format!(
                "{:>4} {:<25} {:>7} {:>7} {:>7} {:>7} {:>7}\n",
                "Rank", "Name", "Elo", "+/-", "Games", "Score", "Draw"
            ),
        };
        for (rank, (own, name)) in (1..).zip(&rows) {
            let (name, games) = (word(name), own.games.games());
            let score = 100.0 * own.games.score().unwrap_or(f64::NAN);
            let [score, draws] = [score, own.draws].map(|share| decimals(share, 1));
            text += &match self.style {
                Style::Fastchess => {
                    let [elo, elo_margin] = own.elo.texts(2);
                    let [normalized, margin] = own.normalized.texts(2);
                    let pairs = match self.pairs {
                        true => format!("{:?}", own.pairs),
                        false => String::new(),
                    };
                    format!(
                        "{rank:>4} {name:<width$} {elo:>10} {elo_margin:>10} {normalized:>10} \
                         {margin:>10} {games:>10} {score:>9}% {draws:>9}% {pairs:>20}\n"
                    )
                }
                Style::Cutechess => {
                    let [elo, margin] = own.elo.texts(0);
                    format!(
                        "{rank:>4} {name:<25} {elo:>7} {margin:>7} {games:>7} {score:>6}% {draws:>6}%\n"
                    )
                }
            };
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
    if let Some(control) = engine.tc {
        let moves = control.moves.map(|moves| format!("{moves}/"));
        let time = control.time.as_millis() as f64 / 1e3;
        let increment = control.increment.as_secs_f64();
        let increment = (increment > 0.0).then(|| format!("+{}", general(increment, 2)));
        return format!(
            "{}{time}{}",
            moves.unwrap_or_default(),
            increment.unwrap_or_default()
        );
    }
    let time = engine.st.map(|seconds| format!("{seconds}/move"));
    let depth = engine.depth.map(|depth| format!("{depth} plies"));
    let nodes = engine.nodes.map(|nodes| format!("{nodes} nodes"));
    time.or(depth).or(nodes).unwrap_or_default()
}

/// A number and half the width of its 95 % interval, either of which may not be one.
struct Interval {
    value: f64,
    margin: f64,
}

impl Interval {
    fn texts(&self, places: usize) -> [String; 2] {
        [self.value, self.margin].map(|value| decimals(value, places))
    }
}

impl std::fmt::Display for Interval {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let [value, margin] = self.texts(2);
        write!(f, "{value} +/- {margin}")
    }
}

/// The figures of an engine as these programs compute them: nothing is assumed where results are few.
struct Figures {
    games: GameCounts,
    pairs: [u64; 5],
    elo: Interval,
    normalized: Interval,
    los: f64,
    /// Draws, or even pairs, in percent.
    draws: f64,
}

impl Figures {
    /// Of complete pairs, or of games.
    fn of(tally: &Tally, of_pairs: bool) -> Figures {
        let games = if of_pairs {
            tally.paired()
        } else {
            tally.games()
        };
        let single = [games.losses, games.draws, games.wins];
        let (counts, each) = match of_pairs {
            true => (&tally.pairs[..], 2.0),
            false => (&single[..], 1.0),
        };
        let size = counts.iter().sum::<u64>() as f64;
        let most = (counts.len() - 1) as f64;
        let mean = |value: &dyn Fn(f64) -> f64| {
            let points = (0..).map(f64::from).zip(counts);
            let values = points.map(|(points, &count)| value(points / most) * count as f64 / size);
            values.sum::<f64>()
        };
        let score = mean(&|score| score);
        let variance = mean(&|own| (own - score).powi(2));
        let error = (variance / size).sqrt();
        let interval = |elo: &dyn Fn(f64) -> f64| Interval {
            value: elo(score),
            margin: (elo(score + MARGIN * error) - elo(score - MARGIN * error)) / 2.0,
        };
        let deviation = (each * variance).sqrt();
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
            text += &format!("...      {who}: {}\n", score(games, games.games()));
        }
    }
    let own = Figures::of(tally, false);
    let [elo, margin] = own.elo.texts(1);
    let [wins, losses] = [own.games.wins, own.games.losses].map(|count| count as f64);
    let los = 100.0 * normal_cdf((wins - losses) / (wins + losses).sqrt());
    let [los, draws] = [los, own.draws].map(|share| decimals(share, 1));
    text + &format!("Elo difference: {elo} +/- {margin}, LOS: {los} %, DrawRatio: {draws} %\n")
}

fn cutechess_test(test: &SprtState) -> String {
    let decided = match test.decision {
        SprtDecision::Continue => "",
        SprtDecision::AcceptH0 => " - H0 was accepted",
        SprtDecision::AcceptH1 => " - H1 was accepted",
    };
    let [llr, lower, upper] = [test.llr, test.lower, test.upper].map(|value| general(value, 3));
    let share = decimals(100.0 * test.llr / test.upper, 1);
    format!("SPRT: llr {llr} ({share}%), lbound {lower}, ubound {upper}{decided}\n")
}

/// `3 - 1 - 2  [0.667] 6`.
fn score(counts: GameCounts, games: u64) -> String {
    let (wins, losses, draws) = (counts.wins, counts.losses, counts.draws);
    let score = counts.score().unwrap_or(0.5);
    format!("{wins} - {losses} - {draws}  [{score:.3}] {games}")
}

/// A number with so many decimals, as C prints it.
fn decimals(value: f64, places: usize) -> String {
    match value.is_nan() {
        true => "nan".to_owned(),
        false => format!("{value:.places$}"),
    }
}

/// A number with so many digits, as C's `%g` prints it.
fn general(value: f64, digits: usize) -> String {
    let text = format!("{value:.*e}", digits - 1);
    let (number, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    let trimmed = |text: &str| match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.').to_owned(),
        false => text.to_owned(),
    };
    if exponent < -4 || exponent >= digits as i32 {
        let sign = if exponent < 0 { '-' } else { '+' };
        return format!("{}e{sign}{:02}", trimmed(number), exponent.abs());
    }
    let places = (digits as i32 - 1 - exponent).max(0) as usize;
    trimmed(&format!("{value:.places$}"))
}

/// How a game ended, in the words that tools look for.
pub fn reason(entry: &GameEntry, settings: &MatchSettings, style: Style) -> String {
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
        Termination::TimeLoss => {
            let late = overrun(&entry.reason).filter(|_| style == Style::Fastchess);
            let late = late.map(|late| format!(" ({late}ms overrun)"));
            format!("{loser} loses on time{}", late.unwrap_or_default())
        }
        Termination::IllegalMove | Termination::UnparsableAnswer => {
            format!("{loser} makes an illegal move")
        }
        Termination::Hang => format!("{loser}'s connection stalls"),
        Termination::Crash | Termination::NoStart | Termination::Withdrawn if winner.is_empty() => {
            "Draw by disconnection".to_owned()
        }
        Termination::Crash | Termination::NoStart | Termination::Withdrawn => {
            format!("{loser} disconnects")
        }
        Termination::AdjudicatedTablebase => adjudicated + ": SyzygyTB",
        _ => adjudicated,
    }
}

/// An end by the rules, which the record tells as `White wins: WHY` or `draw: WHY`.
fn by_rules(entry: &GameEntry, settings: &MatchSettings, winner: &str) -> String {
    let (_, why) = entry.reason.split_once(": ").unwrap_or_default();
    let rules = entry.rules.as_deref().and_then(|rules| rules.parse().ok());
    let rules = rules.unwrap_or(settings.rules);
    match why {
        why if why.ends_with("no stones") => format!("{winner} mates"),
        _ if !winner.is_empty() => entry.reason.clone(),
        "repetition" => format!("Draw by {}-fold repetition", rules.repeat),
        "no capture for too long" => "Draw by no-capture limit".to_owned(),
        _ => "Draw by no moves left".to_owned(),
    }
}

/// By how many milliseconds a time was exceeded that ends a sentence: `used 1.250 s of 1.000 s`.
fn overrun(sentence: &str) -> Option<i64> {
    let numbers = sentence
        .rsplit(' ')
        .filter_map(|word| word.parse::<f64>().ok());
    let [had, used] = numbers.take(2).collect::<Vec<_>>().try_into().ok()?;
    Some((1e3 * (used - had)).round().max(0.0) as i64)
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
