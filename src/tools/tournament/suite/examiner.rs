//! An engine that is asked for its moves.

use std::fmt;
use std::sync::Mutex;
use std::time::Duration;

use serde::Serialize;

use super::Question;
use crate::stop::StopSignal;
use crate::tournament::MatchError;
use crate::tournament::engine::{IoLog, Launch, Player, StartError, Trouble};
use crate::tournament::engine_check::check_engine;
use crate::tournament::resources::check_memory;
use crate::tournament::settings::{EngineSettings, MatchSettings, SettingsError};
use vato_engine::counted;
use vato_engine::memory::lock;
use vato_engine::notation::{format_fen, parse_turn};
use vato_engine::protocol::{GoCommand, Info, InfoScore, PositionCommand};

/// An engine that is asked, by several threads if need be: each has a process of its own.
#[derive(Debug)]
pub struct Examiner {
    /// The engine's name: as set, else as it sends it.
    pub name: String,
    launch: Launch,
    /// Processes that nobody is asking.
    idle: Mutex<Vec<Player>>,
}

/// When a position was solved, as the engine reported it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Solution {
    /// The depth, in plies.
    pub depth: Option<u32>,
    /// The nodes.
    pub nodes: Option<u64>,
    /// The seconds since `go`.
    pub seconds: f64,
}

impl Solution {
    fn new(info: Option<&Info>, time: Duration) -> Solution {
        Solution {
            depth: info.and_then(|info| info.depth),
            nodes: info.and_then(|info| info.nodes),
            seconds: time.as_secs_f64(),
        }
    }
}

impl fmt::Display for Solution {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(depth) = self.depth {
            write!(f, "depth {depth}, ")?;
        }
        if let Some(nodes) = self.nodes {
            write!(f, "{}, ", counted(nodes, "node", "nodes"))?;
        }
        write!(f, "{:.3} s", self.seconds)
    }
}

/// A position of the suite, and what the engine has answered.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Verdict {
    /// The position's name.
    pub id: String,
    /// The position.
    pub fen: String,
    /// The right answers.
    pub expected: String,
    /// The move played; `None`: none.
    #[serde(rename = "move")]
    pub mv: Option<String>,
    /// Whether the answer was right.
    pub solved: bool,
    /// The first report from which on all were right, if the answer was.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub solution: Option<Solution>,
    /// The fault of the engine: the end of a sentence that begins with its name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fault: Option<String>,
}

impl Verdict {
    /// A question without an answer.
    fn unanswered(question: &Question, fault: Option<String>) -> Verdict {
        Verdict {
            id: question.id.clone(),
            fen: format_fen(&question.position, question.rules.board),
            expected: question.expected(),
            mv: None,
            solved: false,
            solution: None,
            fault,
        }
    }
}

impl Examiner {
    /// Starts the engine once, to see that it can be asked the questions of the suite.
    ///
    /// # Errors
    ///
    /// If its settings are invalid, have no limit of nodes, depth or fixed time, or the engine does not start or does
    /// not play by the rules of the suite.
    pub fn new(
        suite: &[Question],
        mut engine: EngineSettings,
        stop: &StopSignal,
    ) -> Result<Examiner, MatchError> {
        engine.remove_inf();
        engine.validate()?;
        engine.make_paths_absolute();
        if engine.tc.is_some() || !engine.has_limit() {
            let what = "expected st, nodes or depth: a limit for each position";
            return Err(SettingsError::new(what).into());
        }
        let mut rules = Vec::new();
        for question in suite {
            if !rules.contains(&question.rules) {
                rules.push(question.rules);
            }
        }
        let launch = Launch {
            settings: engine,
            rules,
            timeouts: MatchSettings::default().timeouts(),
            stop: stop.clone(),
            log: IoLog::default(),
        };
        check_memory(1, [launch.settings.number("Hash")].into_iter())?;
        let checked = check_engine(&launch)?;
        Ok(Examiner {
            name: checked.name,
            launch,
            idle: Mutex::default(),
        })
    }

    /// Asks a question, as at the beginning of a game: the engine knows nothing of those before. `None` if
    /// everything is to stop now.
    pub fn ask(&self, question: &Question) -> Option<Verdict> {
        let start = || Ok(self.launch.start(None, "suite")?.0);
        let idle = lock(&self.idle).pop();
        let mut player = match idle.map_or_else(start, Ok) {
            Ok(player) => player,
            Err(StartError::Stopped) => return None,
            Err(error) => {
                let fault = format!("does not start: {error}");
                return Some(Verdict::unanswered(question, Some(fault)));
            }
        };
        match self.answer(&mut player, question) {
            Ok(verdict) => {
                lock(&self.idle).push(player);
                Some(verdict)
            }
            Err(Trouble::Interrupted) => None,
            // The process is not asked again.
            Err(Trouble::Fault(_, what, _)) => Some(Verdict::unanswered(question, Some(what))),
        }
    }

    fn answer(&self, player: &mut Player, question: &Question) -> Result<Verdict, Trouble> {
        let settings = &self.launch.settings;
        let time = settings.st.map(Duration::from_secs_f64);
        let go = GoCommand {
            movetime: time.map(|time| u64::try_from(time.as_millis()).unwrap_or(u64::MAX).max(1)),
            nodes: settings.nodes,
            depth: settings.depth,
            ..GoCommand::default()
        };
        let position = PositionCommand {
            fen: Some(format_fen(&question.position, question.rules.board)),
            moves: String::new(),
        };
        let is_right = |mv: &str, score| question.is_answered_by(mv, score, settings.dialect());
        let mut score: Option<InfoScore> = None;
        // Since when all reports are right.
        let mut right = None;
        player.new_game(&question.rules)?;
        let allowance = time.map(|time| time + settings.margin());
        let answer = player.search(&position, &go, allowance, &mut |info, time| {
            score = info.score.or(score);
            let Some(mv) = info.pv.first() else {
                return;
            };
            let solution = || right.unwrap_or(Solution::new(Some(info), time));
            right = is_right(mv, score).then(solution);
        })?;
        let elapsed = answer.elapsed;
        let at_the_end = Solution::new(answer.reports.scored.as_ref(), elapsed);
        let mv = answer.best.best.as_deref().unwrap_or_default();
        let fault = match parse_turn(mv, &question.rules, &question.position) {
            Err(error) => Some(format!("answered '{}': {error}", answer.line)),
            Ok(_) => allowance
                .filter(|&allowance| elapsed > allowance)
                .map(|allowance| format!("answered late: after {elapsed:.3?} of {allowance:?}")),
        };
        let is_solved = fault.is_none() && is_right(mv, score);
        Ok(Verdict {
            mv: answer.best.best,
            solved: is_solved,
            solution: is_solved.then(|| right.unwrap_or(at_the_end)),
            ..Verdict::unanswered(question, fault)
        })
    }
}
