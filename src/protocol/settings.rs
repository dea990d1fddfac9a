//! The options of this engine, and the values in force.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use super::options::{OptionDeclaration, OptionKind};
use super::skill::{DEFAULT_ELO, Skill};
use crate::book::Book;
use crate::eval::{Evaluation, EvaluationKind};
use crate::rules::{Preset, Rules};
use crate::search::{MAX_DEPTH, MAX_HASH_MIB, MAX_THREADS, ProbeSettings, Searcher, Strength};
use crate::tablebase::{MAX_STONES, Tablebases};

/// The largest `MultiPV`.
const MAX_MULTIPV: i64 = 256;
/// The largest `Move Overhead`, in milliseconds.
const MAX_MOVE_OVERHEAD: i64 = 5_000;

/// An option of this engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum EngineOption {
    Threads,
    Hash,
    ClearHash,
    MultiPv,
    Ponder,
    MoveOverhead,
    LimitStrength,
    Elo,
    SkillLevel,
    SkillSeed,
    Variant,
    Rules,
    TablebasePath,
    TablebaseProbeLimit,
    TablebaseProbeDepth,
    TablebaseCache,
    Evaluation,
    EvalFile,
    OwnBook,
    BookFile,
    BestBookMove,
    ShowWdl,
    AnalyseMode,
    SearchParameters,
    LogFile,
}

impl EngineOption {
    /// All options in the order in which they are declared.
    pub(super) const ALL: [EngineOption; 25] = [
        EngineOption::Threads,
        EngineOption::Hash,
        EngineOption::ClearHash,
        EngineOption::MultiPv,
        EngineOption::Ponder,
        EngineOption::MoveOverhead,
        EngineOption::LimitStrength,
        EngineOption::Elo,
        EngineOption::SkillLevel,
        EngineOption::SkillSeed,
        EngineOption::Variant,
        EngineOption::Rules,
        EngineOption::TablebasePath,
        EngineOption::TablebaseProbeLimit,
        EngineOption::TablebaseProbeDepth,
        EngineOption::TablebaseCache,
        EngineOption::Evaluation,
        EngineOption::EvalFile,
        EngineOption::OwnBook,
        EngineOption::BookFile,
        EngineOption::BestBookMove,
        EngineOption::ShowWdl,
        EngineOption::AnalyseMode,
        EngineOption::SearchParameters,
        EngineOption::LogFile,
    ];

    const fn name(self) -> &'static str {
        match self {
            EngineOption::Threads => "Threads",
            EngineOption::Hash => "Hash",
            EngineOption::ClearHash => "Clear Hash",
            EngineOption::MultiPv => "MultiPV",
            EngineOption::Ponder => "Ponder",
            EngineOption::MoveOverhead => "Move Overhead",
            EngineOption::LimitStrength => "UCI_LimitStrength",
            EngineOption::Elo => "UCI_Elo",
            EngineOption::SkillLevel => "Skill Level",
            EngineOption::SkillSeed => "Skill Seed",
            EngineOption::Variant => "UCI_Variant",
            EngineOption::Rules => "Rules",
            EngineOption::TablebasePath => "TablebasePath",
            EngineOption::TablebaseProbeLimit => "TablebaseProbeLimit",
            EngineOption::TablebaseProbeDepth => "TablebaseProbeDepth",
            EngineOption::TablebaseCache => "TablebaseCache",
            EngineOption::Evaluation => "Evaluation",
            EngineOption::EvalFile => "EvalFile",
            EngineOption::OwnBook => "OwnBook",
            EngineOption::BookFile => "Book File",
            EngineOption::BestBookMove => "Best Book Move",
            EngineOption::ShowWdl => "UCI_ShowWDL",
            EngineOption::AnalyseMode => "UCI_AnalyseMode",
            EngineOption::SearchParameters => "SearchParameters",
            EngineOption::LogFile => "Log File",
        }
    }

    /// The option with this name, in upper or lower case.
    pub(super) fn find(name: &str) -> Option<EngineOption> {
        EngineOption::ALL
            .into_iter()
            .find(|option| option.name().eq_ignore_ascii_case(name))
    }

    pub(super) fn declaration(self) -> OptionDeclaration {
        let spin = |default: i64, most: i64| OptionKind::Spin {
            default,
            range: 1..=most,
        };
        let off = OptionKind::Check { default: false };
        let empty = OptionKind::Text {
            default: String::new(),
        };
        let kind = match self {
            EngineOption::Threads => spin(1, number(MAX_THREADS)),
            EngineOption::Hash => spin(number(Searcher::DEFAULT_HASH_MIB), number(MAX_HASH_MIB)),
            EngineOption::ClearHash => OptionKind::Button,
            EngineOption::MultiPv => spin(1, MAX_MULTIPV),
            EngineOption::MoveOverhead => OptionKind::Spin {
                default: 10,
                range: 0..=MAX_MOVE_OVERHEAD,
            },
            EngineOption::Elo => OptionKind::Spin {
                default: i64::from(DEFAULT_ELO),
                range: i64::from(Strength::MIN_ELO)..=i64::from(Strength::MAX_ELO),
            },
            EngineOption::SkillLevel => OptionKind::Spin {
                default: i64::from(Strength::FULL_LEVEL),
                range: 0..=i64::from(Strength::FULL_LEVEL),
            },
            EngineOption::SkillSeed => OptionKind::Spin {
                default: 0,
                range: 0..=i64::try_from(Strength::MAX_SEED).unwrap_or(i64::MAX),
            },
            EngineOption::Variant => OptionKind::Combo {
                default: Preset::default().name().to_owned(),
                choices: Preset::ALL.map(|preset| preset.name().to_owned()).into(),
            },
            EngineOption::Rules
            | EngineOption::TablebasePath
            | EngineOption::EvalFile
            | EngineOption::BookFile
            | EngineOption::SearchParameters
            | EngineOption::LogFile => empty,
            EngineOption::Evaluation => OptionKind::Combo {
                default: EvaluationKind::default().name().to_owned(),
                choices: EvaluationKind::ALL
                    .map(|kind| kind.name().to_owned())
                    .into(),
            },
            EngineOption::TablebaseProbeLimit => OptionKind::Spin {
                default: i64::from(MAX_STONES),
                range: 0..=i64::from(MAX_STONES),
            },
            EngineOption::TablebaseProbeDepth => OptionKind::Spin {
                default: i64::from(ProbeSettings::default().depth),
                range: 0..=i64::from(MAX_DEPTH),
            },
            EngineOption::TablebaseCache => {
                let default = Tablebases::DEFAULT_CACHE_BYTES >> 20;
                spin(default.cast_signed(), number(MAX_HASH_MIB))
            }
            EngineOption::Ponder
            | EngineOption::OwnBook
            | EngineOption::BestBookMove
            | EngineOption::LimitStrength
            | EngineOption::ShowWdl
            | EngineOption::AnalyseMode => off,
        };
        OptionDeclaration {
            name: self.name().to_owned(),
            kind,
        }
    }
}

fn number(value: usize) -> i64 {
    i64::try_from(value).unwrap_or(i64::MAX)
}

/// The values that the session itself looks at. Threads and table belong to the searcher; what is
/// kept of them here serves perft.
#[derive(Clone, Debug)]
pub(super) struct Settings {
    pub(super) threads: usize,
    pub(super) multipv: usize,
    pub(super) ponder: bool,
    pub(super) move_overhead: Duration,
    pub(super) skill: Skill,
    pub(super) variant: Preset,
    /// The option `Rules`, used under [`Preset::Custom`] only.
    pub(super) custom_rules: Rules,
    /// Folders of tablebases.
    pub(super) tablebase_folders: Vec<PathBuf>,
    /// Memory for their unpacked blocks, in MiB.
    pub(super) tablebase_cache: u64,
    pub(super) probe: ProbeSettings,
    /// What positions are evaluated with.
    pub(super) evaluation: Evaluation,
    /// Whether the engine plays from `book`.
    pub(super) own_book: bool,
    /// The opening book, whatever rules it is for.
    pub(super) book: Option<Arc<Book>>,
    /// Whether of the moves of the book always the best is played.
    pub(super) best_book_move: bool,
    pub(super) show_wdl: bool,
    pub(super) analyse_mode: bool,
}

impl Settings {
    /// The rules in force.
    pub(super) fn rules(&self) -> Rules {
        self.variant.rules().unwrap_or(self.custom_rules)
    }
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            threads: 1,
            multipv: 1,
            ponder: false,
            move_overhead: Duration::from_millis(10),
            skill: Skill::default(),
            variant: Preset::default(),
            custom_rules: Rules::STANDARD,
            tablebase_folders: Vec::new(),
            tablebase_cache: Tablebases::DEFAULT_CACHE_BYTES >> 20,
            probe: ProbeSettings::default(),
            evaluation: Evaluation::default(),
            own_book: false,
            book: None,
            best_book_move: false,
            show_wdl: false,
            analyse_mode: false,
        }
    }
}
