//! Both engines over all positions, in rounds.

use indicatif::{ProgressBar, ProgressStyle};
use vato_engine::protocol::{GoCommand, SetOption};

use crate::arguments::Arguments;
use crate::arithmetic::{branching_factor, median};
use crate::engine::{Engine, Search};
use crate::failure::{Failure, Role};
use crate::positions::Task;

/// One engine's result on one position: medians over the rounds.
#[derive(Clone, Copy, Debug)]
pub struct Figures {
    /// Time to depth, in seconds.
    pub seconds: f64,
    /// Nodes to depth.
    pub nodes: f64,
    /// Nodes a second.
    pub speed: f64,
    /// Branching factor; `None` if a search had one iteration only.
    pub branching: Option<f64>,
}

/// Both engines' results on one position.
#[derive(Clone, Copy, Debug)]
pub struct Pair {
    /// Stones of the position.
    pub stones: u32,
    /// Depth of the searches, in plies.
    pub depth: u32,
    /// The engine that is compared with.
    pub before: Figures,
    /// The engine that is compared.
    pub after: Figures,
}

/// Everything that was measured.
#[derive(Clone, Debug)]
pub struct Measurement {
    /// The engines' names: before, after.
    pub names: [String; 2],
    /// A pair for each position.
    pub pairs: Vec<Pair>,
}

/// Lets both engines search every task in every round.
///
/// A round goes through all positions, so that the searches of one position are spread over the whole
/// run: a machine that is slow for a while spoils one round of some positions, which the median
/// forgives. The two searches of a position follow each other; which engine comes first changes from
/// position to position and from round to round.
///
/// # Errors
///
/// If an engine violates the protocol.
pub fn measure(arguments: &Arguments, tasks: &[Task]) -> Result<Measurement, Failure> {
    let [before, after] = [
        (Role::Before, &arguments.before, &arguments.before_options),
        (Role::After, &arguments.after, &arguments.after_options),
    ]
    .map(|(role, command, options)| Contestant::start(role, command, options, arguments));
    let mut contestants = [before?, after?];
    let calibrations = match arguments.depth {
        Some(_) => 0,
        None => tasks.len(),
    };
    let bar = progress_bar(calibrations + 2 * tasks.len() * arguments.rounds as usize);
    bar.set_message("finding depths");
    let mut depths = Vec::new();
    for task in tasks {
        depths.push(match arguments.depth {
            Some(depth) => depth,
            None => {
                let search = contestants[0].search(task, arguments.calibration())?;
                bar.inc(1);
                search.completed_depth()
            }
        });
    }
    let mut searches: Vec<[Vec<Search>; 2]> = vec![Default::default(); tasks.len()];
    for round in 0..arguments.rounds as usize {
        bar.set_message(format!("round {} of {}", round + 1, arguments.rounds));
        for (index, task) in tasks.iter().enumerate() {
            let go = GoCommand {
                depth: Some(depths[index]),
                ..GoCommand::default()
            };
            let order = if (round + index) % 2 == 0 {
                [0, 1]
            } else {
                [1, 0]
            };
            for side in order {
                let search = contestants[side].search(task, go.clone())?;
                searches[index][side].push(search);
                bar.inc(1);
            }
        }
    }
    bar.finish_and_clear();
    let pairs = tasks.iter().zip(depths).zip(searches);
    Ok(Measurement {
        names: contestants.map(|contestant| contestant.engine.name().to_owned()),
        pairs: pairs
            .filter_map(|((task, depth), [before, after])| {
                Some(Pair {
                    stones: task.stones,
                    depth,
                    before: figures(&before)?,
                    after: figures(&after)?,
                })
            })
            .collect(),
    })
}

/// The medians; `None` without a search.
fn figures(searches: &[Search]) -> Option<Figures> {
    let middle = |figure: &dyn Fn(&Search) -> f64| median(searches.iter().map(figure).collect());
    let branching = searches
        .iter()
        .filter_map(|search| branching_factor(&search.iterations));
    Some(Figures {
        seconds: middle(&seconds)?,
        nodes: middle(&nodes)?,
        speed: middle(&|search| nodes(search) / seconds(search))?,
        branching: median(branching.collect()),
    })
}

/// At least a nanosecond, so that there is a logarithm.
fn seconds(search: &Search) -> f64 {
    search.time.as_secs_f64().max(1e-9)
}

/// At least one, so that there is a logarithm.
fn nodes(search: &Search) -> f64 {
    search.nodes.max(1) as f64
}

/// An engine that knows who it is, for errors.
struct Contestant {
    role: Role,
    command: String,
    engine: Engine,
}

impl Contestant {
    fn start(
        role: Role,
        command: &str,
        options: &[SetOption],
        arguments: &Arguments,
    ) -> Result<Contestant, Failure> {
        let engine = Engine::start(command, options, arguments.dialect(), arguments.patience());
        let command = command.to_owned();
        match engine {
            Ok(engine) => Ok(Contestant {
                role,
                command,
                engine,
            }),
            Err(error) => Err(Failure::Engine {
                role,
                command,
                error,
            }),
        }
    }

    fn search(&mut self, task: &Task, go: GoCommand) -> Result<Search, Failure> {
        self.engine
            .search(&task.fen, go)
            .map_err(|error| Failure::Engine {
                role: self.role,
                command: self.command.clone(),
                error,
            })
    }
}

/// A bar on standard error, which is not drawn if that is no terminal.
fn progress_bar(searches: usize) -> ProgressBar {
    let bar = ProgressBar::new(searches as u64);
    let template = "{bar:24} {pos}/{len} searches {elapsed} (eta {eta}) {msg}";
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style);
    }
    bar
}
