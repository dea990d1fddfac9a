//! How a match goes on, on standard error: a bar on a terminal, now and then a line elsewhere.

use std::io::{self, Write};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use vato::arbiter::record::GameEntry;
use vato::arbiter::statistics::Sprt;
use vato::arbiter::{Event, Match, Standings};

/// How often a line is written where there is no terminal.
const LINES_EVERY: Duration = Duration::from_secs(10);

/// Shows how a match goes on.
pub struct Progress {
    view: View,
    games: u64,
    sprt: Option<Sprt>,
}

enum View {
    None,
    Bar(ProgressBar),
    Lines(Instant),
}

impl Progress {
    /// For a match that is about to be played (on).
    pub fn new(contest: &Match, quiet: bool, terminal: bool) -> Progress {
        let settings = contest.settings();
        let total = u64::from(settings.games);
        let done = contest.standings().tally.games().games();
        let view = if quiet {
            View::None
        } else if terminal {
            let bar = ProgressBar::with_draw_target(Some(total), ProgressDrawTarget::stderr());
            let style =
                ProgressStyle::with_template("{bar:24} {pos}/{len} {elapsed} (eta {eta}) {msg}");
            bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
            bar.set_position(done);
            bar.reset_eta();
            View::Bar(bar)
        } else {
            View::Lines(Instant::now())
        };
        let mut progress = Progress {
            view,
            games: total,
            sprt: settings.sprt,
        };
        let standings = contest.standings();
        progress.line(&format!(
            "{} against {}: {total} games, {} at a time; record {}",
            standings.names[0],
            standings.names[1],
            contest.games_at_a_time(),
            contest.record().state_path().display(),
        ));
        if done > 0 {
            progress.line(&format!("{done} games have been played"));
        }
        progress
    }

    /// Shows what has happened.
    pub fn show(&mut self, event: &Event<'_>) {
        match event {
            Event::Game { entry, standings } => self.game(entry, standings),
            Event::StartFailed { engine, error } => {
                self.line(&format!("{engine} has not started, trying again: {error}"));
            }
            Event::Tick => {
                if let View::Bar(bar) = &self.view {
                    bar.tick();
                }
            }
        }
    }

    /// Takes the bar away.
    pub fn finish(&mut self) {
        if let View::Bar(bar) = &self.view {
            bar.finish_and_clear();
        }
    }

    fn game(&mut self, entry: &GameEntry, standings: &Standings) {
        if entry.termination.is_fault() {
            let line = entry.line.as_ref();
            let shown = line.map(|line| format!(" [{line}]")).unwrap_or_default();
            self.line(&format!("game {}: {}{shown}", entry.game, entry.reason));
        }
        let state = self.state(standings);
        match &mut self.view {
            View::None => {}
            View::Bar(bar) => {
                bar.inc(1);
                bar.set_message(state);
            }
            View::Lines(last) if last.elapsed() >= LINES_EVERY => {
                *last = Instant::now();
                let done = standings.tally.games().games();
                let line = format!("{done}/{} games: {state}", self.games);
                self.line(&line);
            }
            View::Lines(_) => {}
        }
    }

    /// The standings in a few words.
    fn state(&self, standings: &Standings) -> String {
        let games = standings.tally.games();
        let mut text = format!("+{} ={} -{}", games.wins, games.draws, games.losses);
        if let Some(figures) = standings.tally.figures()
            && figures.elo.margin().is_finite()
        {
            let elo = figures.elo;
            text += &format!("  Elo {:+.1} ± {:.1}", elo.value, elo.margin());
            let normalized = figures.normalized_elo.value;
            text += &format!("  normalised {normalized:+.1}");
            if let Some(los) = figures.los {
                text += &format!("  LOS {:.1} %", 100.0 * los);
            }
        }
        text += &format!("  pairs {:?}", standings.tally.pairs());
        if let Some(sprt) = self.sprt {
            let state = sprt.state(&standings.tally);
            text += &format!(
                "  LLR {:.2} [{:.2}, {:.2}]",
                state.llr, state.lower, state.upper
            );
        }
        text
    }

    fn line(&mut self, text: &str) {
        match &self.view {
            View::None => {}
            View::Bar(bar) => bar.println(text),
            View::Lines(_) => {
                // With standard error closed there is nobody to tell.
                let _ = writeln!(io::stderr(), "{text}");
            }
        }
    }
}
