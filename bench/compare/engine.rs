//! An engine that is measured: started, told its options, and given positions to search.

use std::io;
use std::process::Command as Program;
use std::time::{Duration, Instant};

use thiserror::Error;
use vato_engine::protocol::{
    Answer, Command, Dialect, GoCommand, Info, OptionDeclaration, OptionError, OptionKind,
    ParseError, PositionCommand, SetOption,
};
use vato_engine::search::Bound;
use vato_engine::stop::StopSignal;
use vato_tools::tournament::{Line, Process, Received};

use crate::arithmetic::Iteration;

/// How long the handshake may take: whatever needs longer is no engine.
const HANDSHAKE: Duration = Duration::from_secs(10);

/// How long an engine that was told to quit is waited for.
const FAREWELL: Duration = Duration::from_millis(500);

/// The most characters of an engine's line that are quoted.
const QUOTED: usize = 200;

/// An engine's error, worded to follow its name.
#[derive(Debug, Error)]
pub enum EngineError {
    /// A command line with quotation marks that do not close.
    #[error("the command line does not read: {0}")]
    CommandLine(#[from] shell_words::ParseError),
    /// A command line without a word.
    #[error("the command line is empty")]
    NoProgram,
    /// A program that cannot be started.
    #[error("cannot start '{program}': {error}")]
    Start {
        /// The program.
        program: String,
        /// Why not.
        error: io::Error,
    },
    /// It has ended.
    #[error("no answer to '{asked}': {end}")]
    Ended {
        /// What it had been asked.
        asked: String,
        /// How it ended.
        end: String,
    },
    /// It takes too long.
    #[error("no answer to '{asked}' within {} s", patience.as_secs_f64())]
    Silent {
        /// What it had been asked.
        asked: String,
        /// How long it has been waited for.
        patience: Duration,
    },
    /// An option that it does not have, or a value that does not fit.
    #[error(transparent)]
    Option(#[from] OptionError),
    /// It complains.
    #[error("it answers '{asked}' with the error '{text}'")]
    Complaint {
        /// What it had been asked.
        asked: String,
        /// The complaint.
        text: String,
    },
    /// An answer that cannot be understood.
    #[error("it says '{line}': {error}")]
    Answer {
        /// The answer.
        line: String,
        /// What is wrong with it.
        error: ParseError,
    },
    /// A search that tells no figures.
    #[error("it answers '{asked}' without telling depth, score and nodes of an iteration")]
    NoFigures {
        /// What it had been asked.
        asked: String,
    },
}

/// A search that has ended.
#[derive(Clone, Debug)]
pub struct Search {
    /// From sending `go` to reading `bestmove`.
    pub time: Duration,
    /// Nodes as told last.
    pub nodes: u64,
    /// The iterations with an exact score of the best line, each as told first; one at least.
    pub iterations: Vec<Iteration>,
}

impl Search {
    /// The deepest iteration that was completed in a search whose time ran out.
    ///
    /// Such a search may end with a line of an iteration that was broken off after finding something
    /// better. That line has all the nodes; whoever completes an iteration goes on to the next.
    pub fn completed_depth(&self) -> u32 {
        let completed = self
            .iterations
            .iter()
            .rfind(|iteration| iteration.nodes < self.nodes);
        completed
            .or(self.iterations.first())
            .map_or(1, |iteration| iteration.depth)
    }
}

/// An engine that has been started and told its options.
#[derive(Debug)]
pub struct Engine {
    process: Process,
    dialect: Dialect,
    patience: Duration,
    name: String,
}

impl Engine {
    /// Starts an engine.
    ///
    /// # Errors
    ///
    /// If it does not start, introduce itself, or take the options.
    pub fn start(
        command_line: &str,
        options: &[SetOption],
        dialect: Dialect,
        patience: Duration,
    ) -> Result<Engine, EngineError> {
        let words = shell_words::split(command_line)?;
        let (program, arguments) = words.split_first().ok_or(EngineError::NoProgram)?;
        let mut command = Program::new(program);
        command.args(arguments);
        let process = Process::spawn(command).map_err(|error| EngineError::Start {
            program: program.clone(),
            error,
        })?;
        let mut engine = Engine {
            process,
            dialect,
            patience,
            name: "unnamed".to_owned(),
        };
        let declared = engine.handshake()?;
        let unless_said_otherwise = [without_tablebases()];
        let known = |option: &&SetOption| fitting(option, &declared).is_ok();
        for option in unless_said_otherwise.iter().filter(known).chain(options) {
            let command = Command::SetOption(fitting(option, &declared)?);
            let asked = engine.say(&command).0;
            engine.synchronise(&asked)?;
        }
        Ok(engine)
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Searches a position with nothing learned before.
    ///
    /// # Errors
    ///
    /// If there is no answer, or none with figures.
    pub fn search(&mut self, fen: &str, go: GoCommand) -> Result<Search, EngineError> {
        let asked = self.say(&Command::NewGame).0;
        self.synchronise(&asked)?;
        let position = Command::Position(PositionCommand {
            fen: Some(fen.to_owned()),
            moves: String::new(),
        });
        let asked = self.say(&position).0;
        self.synchronise(&asked)?;
        let limit = self.patience + Duration::from_millis(go.movetime.unwrap_or(0));
        let (asked, started) = self.say(&Command::Go(go));
        let mut nodes = 0;
        let mut iterations: Vec<Iteration> = Vec::new();
        loop {
            let line = self.line(&asked, started, limit)?;
            match self.answer(&asked, &line.text)? {
                Answer::Info(info) => {
                    nodes = info.nodes.unwrap_or(nodes);
                    let deepest = iterations.last().map_or(0, |iteration| iteration.depth);
                    iterations
                        .extend(iteration(&info).filter(|iteration| iteration.depth > deepest));
                }
                Answer::BestMove(_) if iterations.is_empty() => {
                    return Err(EngineError::NoFigures { asked });
                }
                Answer::BestMove(_) => {
                    let written = self.process.written_since(started);
                    return Ok(Search {
                        time: line.at.saturating_duration_since(written),
                        nodes,
                        iterations,
                    });
                }
                _ => {}
            }
        }
    }

    /// Opens the session; the options that the engine declares.
    fn handshake(&mut self) -> Result<Vec<OptionDeclaration>, EngineError> {
        let (asked, started) = self.say(&Command::Handshake(self.dialect));
        let mut declared = Vec::new();
        loop {
            let line = self.line(&asked, started, HANDSHAKE)?;
            // What does not read here cannot be used, and may not be needed.
            match line.text.parse() {
                Ok(Answer::Name(name)) => self.name = quoted(&name),
                Ok(Answer::Option(option)) => declared.push(option),
                Ok(Answer::Ok(dialect)) if dialect == self.dialect => return Ok(declared),
                _ => {}
            }
        }
    }

    /// Waits until everything said has taken effect; `asked` is what a complaint is about.
    fn synchronise(&mut self, asked: &str) -> Result<(), EngineError> {
        let (_, started) = self.say(&Command::IsReady);
        loop {
            let line = self.line(asked, started, self.patience)?;
            if self.answer(asked, &line.text)? == Answer::ReadyOk {
                return Ok(());
            }
        }
    }

    /// Says a command; as text, and when.
    fn say(&mut self, command: &Command) -> (String, Instant) {
        let text = command.in_dialect(self.dialect).to_string();
        let at = Instant::now();
        self.process.send(text.clone(), true);
        (text, at)
    }

    fn line(
        &mut self,
        asked: &str,
        started: Instant,
        patience: Duration,
    ) -> Result<Line, EngineError> {
        let asked = || asked.to_owned();
        let until = started + patience;
        match self.process.next_line(until, &StopSignal::new()) {
            Received::Line(line) if line.at <= until => Ok(line),
            Received::Closed => Err(EngineError::Ended {
                asked: asked(),
                end: self.process.exit_status(),
            }),
            Received::Line(_) | Received::Nothing | Received::Stopped => Err(EngineError::Silent {
                asked: asked(),
                patience,
            }),
        }
    }

    fn answer(&self, asked: &str, line: &str) -> Result<Answer, EngineError> {
        match line.parse() {
            Ok(Answer::Error(text)) => Err(EngineError::Complaint {
                asked: asked.to_owned(),
                text: quoted(&text),
            }),
            Ok(answer) => Ok(answer),
            Err(error) => Err(EngineError::Answer {
                line: quoted(line),
                error,
            }),
        }
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        self.process.ask_to_quit("quit".to_owned());
        self.process.wait(FAREWELL);
    }
}

/// What is measured is the search: positions that tablebases know are not searched.
fn without_tablebases() -> SetOption {
    SetOption {
        name: "TablebaseProbeLimit".to_owned(),
        value: Some("0".to_owned()),
    }
}

/// The option as it is to be set, if the engine has it and its value fits.
fn fitting(option: &SetOption, declared: &[OptionDeclaration]) -> Result<SetOption, OptionError> {
    let declaration = declared
        .iter()
        .find(|declaration| declaration.name.eq_ignore_ascii_case(&option.name))
        .ok_or_else(|| OptionError::UnknownName(option.name.clone()))?;
    declaration.value(option.value.as_deref())?;
    let is_button = declaration.kind == OptionKind::Button;
    Ok(SetOption {
        name: declaration.name.clone(),
        value: option.value.clone().filter(|_| !is_button),
    })
}

/// The iteration that a line tells the end of: depth, nodes and an exact score of the best line.
fn iteration(info: &Info) -> Option<Iteration> {
    let exact = info.score?.bound == Bound::Exact;
    let best = info.multipv.is_none_or(|rank| rank == 1);
    if !exact || !best {
        return None;
    }
    Some(Iteration {
        depth: info.depth?,
        nodes: info.nodes?,
    })
}

/// Text of an engine, short and harmless to a terminal.
fn quoted(text: &str) -> String {
    text.chars()
        .take(QUOTED)
        .map(|character| {
            if character.is_control() {
                char::REPLACEMENT_CHARACTER
            } else {
                character
            }
        })
        .collect()
}
