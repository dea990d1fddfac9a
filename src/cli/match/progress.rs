//! The progress of a match on standard error: a bar on a terminal, elsewhere a line now and then.

use std::io::{self, Write};
use std::path::Path;
use std::time::{Duration, Instant};

use console::Term;
use indicatif::{ProgressBar, ProgressStyle};
use vato_engine::counted;
use vato_records::pgn::Termination;
use vato_tools::tournament::record::GameEntry;
use vato_tools::tournament::statistics::{GameCounts, Sprt};
use vato_tools::tournament::{Extent, Match, MatchEvent, MatchState, Standings};

use super::text::{counted_units, players, short_names};
use crate::cli::support::present::{eta, signed};

/// How often a line is written where there is no terminal.
const LINES_EVERY: Duration = Duration::from_secs(10);

const LEADERS: usize = 4;

/// Names of leaders are no wider.
const LONGEST_NAME: usize = 20;

/// The progress on terminals of at least so many columns; the standings are cut off where the line ends.
const BARS: [(usize, &str); 3] = [
    (110, "{bar:24} {pos}/{len} {elapsed}{eta} {wide_msg}"),
    (60, "{pos}/{len} {elapsed}{eta} {wide_msg}"),
    (0, "{pos}/{len} {wide_msg}"),
];

pub struct ProgressLine {
    bar: ProgressBar,
    quiet: bool,
    /// When a line was written last where there is no terminal, and which.
    written: (Instant, String),
}

impl ProgressLine {
    /// For a match that is about to be played (on).
    pub fn new(contest: &Match, record: &Path, quiet: bool) -> ProgressLine {
        let state = contest.whole();
        let settings = &state.settings;
        let Extent { done, total, unit } = state.extent();
        // Hidden by itself without a terminal.
        let bar = match quiet {
            true => ProgressBar::hidden(),
            false => ProgressBar::new(total),
        };
        fit(&bar);
        bar.set_position(done);
        bar.reset_eta();
        let progress = ProgressLine {
            bar,
            quiet,
            written: (Instant::now(), String::new()),
        };
        let at_once = match contest.games_at_a_time() {
            // Nothing is left to be played.
            0 => String::new(),
            games if unit == "games" => format!(", {games} at a time"),
            games => format!(", {} at a time", counted(games, "game", "games")),
        };
        let players = players(&state.standings.names(), settings.format());
        let mut length = counted_units(total, unit);
        if let Some(sprt) = settings.sprt {
            let expected = sprt.expected_games(&state.standings.tally);
            if expected < total as f64 {
                length = format!("at most {length} (about {expected:.0} expected)");
            }
        }
        let record = record.display();
        progress.line(&format!("{players}: {length}{at_once}; record {record}"));
        let games = state.standings.games;
        if games > 0 {
            progress.line(&(counted(games, "game has", "games have") + " been played"));
        }
        progress
    }

    pub fn show(&mut self, event: &MatchEvent, state: &MatchState) {
        match event {
            MatchEvent::Started { .. } | MatchEvent::Moved(_) => {}
            MatchEvent::Game(entry) => self.game(entry, state),
            MatchEvent::Absent(what) => self.line(what),
            MatchEvent::Tick => {
                fit(&self.bar);
                self.bar.tick();
            }
        }
    }

    pub fn finish(&self) {
        self.bar.finish_and_clear();
    }

    fn game(&mut self, entry: &GameEntry, state: &MatchState) {
        let (standings, extent) = (&state.standings, state.extent());
        // A withdrawal is reported once.
        if entry.termination.is_fault() && entry.termination != Termination::Withdrawn {
            let line = entry.line.as_ref();
            let shown = line.map(|line| format!(" [{line}]")).unwrap_or_default();
            self.line(&format!("game {}: {}{shown}", entry.game, entry.reason));
        }
        let sprt = state.settings.sprt;
        let text = in_short(standings, sprt);
        let Extent { done, unit, .. } = extent;
        let expected = sprt.map(|sprt| sprt.expected_games(&standings.tally));
        let (length, about) = match expected.map(|games| games.ceil() as u64) {
            Some(games) if games < extent.total => (games.max(done), "about "),
            _ => (extent.total, ""),
        };
        let line = format!("{done}/{about}{length} {unit}: {text}");
        self.bar.set_length(length);
        self.bar.set_position(done);
        self.bar.set_message(text);
        let (written, last) = &self.written;
        if self.bar.is_hidden() && written.elapsed() >= LINES_EVERY && *last != line {
            self.line(&line);
            self.written = (Instant::now(), line);
        }
    }

    fn line(&self, text: &str) {
        if !self.quiet {
            self.tell(text);
        }
    }

    /// Writes a text above the progress, also where no progress is shown.
    pub fn tell(&self, text: &str) {
        // Standard error may be closed.
        let _ = self.bar.suspend(|| writeln!(io::stderr(), "{text}"));
    }
}

/// The standings in a few words, the most important ones first.
fn in_short(standings: &Standings, sprt: Option<Sprt>) -> String {
    if standings.engines.len() > 2 {
        return leaders(standings);
    }
    let mut text = standings.tally.games().to_string();
    if let Some(sprt) = sprt {
        let state = sprt.state(&standings.tally);
        let (llr, lower, upper) = (state.llr, state.lower, state.upper);
        text += &format!("  LLR {llr:.2} [{lower:.2}, {upper:.2}]");
    }
    if let Some(figures) = standings.tally.figures()
        && figures.elo.margin().is_finite()
    {
        let elo = figures.elo;
        text += &format!("  Elo {} ± {:.1}", signed(elo.value, 1), elo.margin());
        if let Some(los) = figures.los {
            text += &format!("  LOS {:.1} %", 100.0 * los);
        }
        let normalized = figures.normalized_elo.value;
        text += &format!("  normalised {}", signed(normalized, 1));
    }
    text + &format!("  pairs {:?}", standings.tally.pairs)
}

fn leaders(standings: &Standings) -> String {
    let names = short_names(standings.names(), LONGEST_NAME);
    let totals = (0..names.len()).map(|engine| standings.total(engine));
    let all = names.iter().zip(totals);
    let mut played: Vec<_> = all.filter(|(_, counts)| counts.games() > 0).collect();
    let score = |counts: &GameCounts| counts.score().unwrap_or_default();
    played.sort_by(|(_, one), (_, other)| score(other).total_cmp(&score(one)));
    let leaders = played.iter().take(LEADERS).map(|(name, counts)| {
        let (points, games) = (counts.points(), counts.games());
        format!("{name} {points}/{games}")
    });
    let more = if played.len() > LEADERS { ", …" } else { "" };
    leaders.collect::<Vec<_>>().join(", ") + more
}

/// Makes the bar as wide as the terminal is now: one that is wider would be broken, and leave remains.
fn fit(bar: &ProgressBar) {
    let width = usize::from(Term::stderr().size().1);
    let template = BARS.iter().find(|(least, _)| width >= *least);
    let style = template.map(|(_, template)| ProgressStyle::with_template(template));
    if let Some(Ok(style)) = style {
        bar.set_style(style.with_key("eta", eta));
    }
}
