//! The engine's conversation with its manager.

use std::fs::File;
use std::io::{self, BufRead};
use std::path::Path;
use std::process::{Command as ProcessCommand, ExitCode, Stdio};
use std::thread;
use std::time::Duration;

use vato_engine::protocol::{Command, Dialect};
use vato_engine::rules::Preset;

use super::board::Board;
use super::conduct::{Conduct, Search};
use super::output::{Deaf, flood_beside, say, say_too_much};
use super::settings::{Settings, Transcript};
use super::{CRASHED, LAST_WORDS, OFFENDED, PLAY_AS, sleep_for_ever};

/// Quotation marks, a backslash, a letter with an accent, a comma, a colour for terminals.
const ODD_NAME: &str = "The \"odd\" \\ né, {one}\t\u{1b}[31m";

/// A session under way.
#[derive(Debug)]
pub(super) struct Session {
    pub(super) settings: Settings,
    pub(super) dialect: Dialect,
    pub(super) board: Board,
    pub(super) conduct: Conduct,
    /// The number of the current move, or of the next one, in this game.
    pub(super) move_number: u32,
    /// Whether the answer waits for `stop`.
    pub(super) held: bool,
    /// Whether the option `Ponder` is on.
    pub(super) ponders: bool,
    games: u32,
    floods: bool,
    transcript: Option<Transcript>,
}

/// Why a session ends.
#[derive(Debug)]
pub(super) enum End {
    /// As it should.
    Quit,
    /// The manager has broken the protocol.
    Offended(String),
}

impl From<String> for End {
    fn from(offence: String) -> End {
        End::Offended(offence)
    }
}

/// Nobody to talk to: the manager may do so at any time.
impl From<Deaf> for End {
    fn from(Deaf: Deaf) -> End {
        End::Quit
    }
}

impl Session {
    pub(super) fn new(settings: Settings) -> Session {
        let transcript = settings.transcripts.as_deref().map(Transcript::create);
        Session {
            settings,
            dialect: Dialect::Ugi,
            board: Board::new(),
            conduct: Conduct::default(),
            move_number: 1,
            held: false,
            ponders: false,
            games: 0,
            floods: false,
            transcript,
        }
    }

    /// Holds the session.
    pub(super) fn run(mut self) -> ExitCode {
        if self.behaves("crash-at-start") {
            crash();
        }
        if let Some(folder) = &self.settings.starts {
            let start = number_of_start(folder);
            if self.settings.is_due("crash-from-start", start) {
                crash();
            }
        }
        if self.behaves("spawn-child") {
            self.spawn_child();
        }
        let mut end = End::Quit;
        for line in io::stdin().lock().lines() {
            let Ok(line) = line else {
                break;
            };
            if let Some(transcript) = &mut self.transcript {
                transcript.add(&line);
            }
            if let Err(this) = self.obey(&line) {
                end = this;
                break;
            }
        }
        if self.behaves("ignore-quit") {
            sleep_for_ever();
        }
        match end {
            End::Quit => ExitCode::SUCCESS,
            End::Offended(offence) => {
                eprintln!("the manager breaks the protocol: {offence}");
                ExitCode::from(OFFENDED)
            }
        }
    }

    fn obey(&mut self, line: &str) -> Result<(), End> {
        let mut complaints = Vec::new();
        let command = Command::parse(line, &mut complaints).filter(|_| complaints.is_empty());
        let command = command.ok_or_else(|| format!("'{line}' does not read: {complaints:?}"))?;
        self.conduct.take(&command)?;
        match command {
            Command::Handshake(dialect) => {
                self.dialect = dialect;
                self.introduce()
            }
            Command::IsReady => self.get_ready(),
            Command::SetOption(option) => {
                if option.name == "Ponder" {
                    self.ponders = option.value.as_deref() == Some("true");
                }
                if self.behaves("complain") {
                    say("info string error option Hash: no memory")?;
                }
                if self.behaves("own-rules") {
                    return Ok(self.board.set_own_option(&option)?);
                }
                let rules_only = self.behaves("rules-only");
                Ok(self.board.set_option(&option, rules_only)?)
            }
            Command::NewGame => {
                self.begin_game();
                Ok(())
            }
            Command::Position(position) => Ok(self.board.set(&position)?),
            Command::Go(go) => self.go(&go),
            Command::PonderHit => self.answer(),
            Command::Stop => self.stop(),
            // The conduct lets nothing else through.
            _ => Err(End::Quit),
        }
    }

    fn introduce(&self) -> Result<(), End> {
        if self.behaves("complain-at-start") {
            say("info string error option Hash: no memory")?;
        }
        if self.behaves("no-handshake") {
            sleep_for_ever();
        }
        if self.behaves("flood-at-start") {
            return Err(say_too_much().into());
        }
        thread::sleep(Duration::from_millis(self.settings.number("slow-start")));
        let name = if self.behaves("odd-name") {
            ODD_NAME
        } else {
            "Stooge"
        };
        let mut lines = vec![format!("id name {name}"), "id author nobody".to_owned()];
        if !self.behaves("no-options") {
            lines.push("option name Hash type spin default 16 min 1 max 1024".to_owned());
            lines.extend(self.rules_options());
        }
        if self.behaves("ponder") {
            lines.push("option name Ponder type check default false".to_owned());
        }
        lines.push(format!("{}ok", self.dialect));
        Ok(say(&lines.join("\n"))?)
    }

    /// The declarations of the options that tell the rules.
    fn rules_options(&self) -> Vec<String> {
        let variant = |presets: &[Preset]| {
            let presets = presets.iter().map(|preset| format!(" var {preset}"));
            let presets: String = presets.collect();
            format!("UCI_Variant type combo default tsivy{presets}")
        };
        let rules = "Rules type string default <empty>";
        let options = if self.behaves("own-rules") {
            vec![
                "MandatoryContinuation type check default false".to_owned(),
                "NoCaptureLimit type spin default 100 min 10 max 10000".to_owned(),
                "Variant type combo default tsivy var tsivy var dimy var telo".to_owned(),
                "Vela type combo default none var none var white var black".to_owned(),
            ]
        } else if self.behaves("tsivy-only") {
            vec![variant(&[Preset::Tsivy])]
        } else if self.behaves("tsivy-and-vela") {
            vec![variant(&[Preset::Tsivy, Preset::Vela])]
        } else if self.behaves("rules-only") {
            vec![rules.to_owned()]
        } else {
            vec![variant(&Preset::ALL), rules.to_owned()]
        };
        let declared = options.iter().map(|option| format!("option name {option}"));
        declared.collect()
    }

    fn get_ready(&mut self) -> Result<(), End> {
        let in_a_game = self.games > 0;
        if in_a_game && self.is_due("flood-at-ready") {
            return Err(say_too_much().into());
        }
        if in_a_game && !self.floods && self.is_due("flood") {
            self.floods = true;
            flood_beside();
        }
        Ok(say("readyok")?)
    }

    fn begin_game(&mut self) {
        self.games += 1;
        self.move_number = 1;
        if self.settings.is_due("crash-at-newgame", self.games) {
            crash();
        }
        if self.settings.is_due("hang-at-newgame", self.games) {
            sleep_for_ever();
        }
    }

    fn stop(&mut self) -> Result<(), End> {
        if self.held {
            self.held = false;
            if self.is_due("late-after-stop") {
                thread::sleep(Duration::from_millis(150));
            }
            return self.say_answer();
        }
        match self.conduct.search {
            Search::Pondering if self.is_due("ignore-stop") => Ok(()),
            Search::Pondering => self.say_answer(),
            // It may have crossed the answer.
            Search::None | Search::Own => Ok(()),
        }
    }

    pub(super) fn behaves(&self, behaviour: &str) -> bool {
        self.settings.behaves(behaviour)
    }

    /// Whether this behaviour was asked for and the current move has reached its N.
    pub(super) fn is_due(&self, behaviour: &str) -> bool {
        self.settings.is_due(behaviour, self.move_number)
    }

    /// Starts a process that has this one's output and would outlive it.
    #[expect(clippy::zombie_processes)] // it is not this process that is to end it
    fn spawn_child(&self) {
        let mut sleeper = self.sleeper();
        sleeper.stdin(Stdio::null());
        sleeper.spawn().expect("a process can be started");
    }

    /// This program as one that does nothing, under the same tag.
    pub(super) fn sleeper(&self) -> ProcessCommand {
        let mut command =
            ProcessCommand::new(std::env::current_exe().expect("this program is somewhere"));
        command.args([PLAY_AS, "sleeper"]);
        if let Some(tag) = &self.settings.tag {
            command.arg(format!("tag={tag}"));
        }
        command
    }
}

/// Which start with this folder this is, from 1, even where several processes start at once.
fn number_of_start(folder: &Path) -> u32 {
    let is_mine = |number: &u32| File::create_new(folder.join(number.to_string())).is_ok();
    (1..10_000)
        .find(is_mine)
        .expect("the test's folder can be written to")
}

/// Ends the process as a crash would.
pub(super) fn crash() -> ! {
    eprintln!("{LAST_WORDS}");
    std::process::exit(CRASHED.into())
}
