//! Options: declarations of any engine's options, and the options of this engine.

use std::iter;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::Duration;

use super::{Settings, Skill};
use crate::eval::EvaluationKind;
use crate::rules::Preset;
use crate::search::{
    Limits, MAX_DEPTH, MAX_HASH_MIB, MAX_THREADS, Parameters, SearchSettings, Strength,
};
use crate::tablebase::{MAX_STONES, TableFolders, Tablebases};
use crate::text::excerpt;

/// Stands for the empty string.
pub const EMPTY: &str = "<empty>";

/// The longest value of a `string`, in bytes: a list of paths takes many times its length.
const LONGEST_TEXT: usize = 1 << 16;

/// Declaration of an option: its name and type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OptionDeclaration {
    /// The name, one or more words.
    pub name: String,
    /// The type and its values.
    pub kind: OptionKind,
}

/// Type of an option.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OptionKind {
    /// `check`: true or false.
    Check {
        /// Default value.
        default: bool,
    },
    /// `spin`: a whole number.
    Spin {
        /// Default value.
        default: i64,
        /// Minimum and maximum.
        range: RangeInclusive<i64>,
    },
    /// `combo`: one of several words.
    Combo {
        /// Default value.
        default: String,
        /// All values.
        choices: Vec<String>,
    },
    /// `string`: any text.
    Text {
        /// Default value.
        default: String,
    },
    /// `button`: an action without a value.
    Button,
}

impl OptionDeclaration {
    /// The value that a text means for this option; `None` if `setoption` has no word `value`, which for a `string` is
    /// the empty one. A `check` has `true` or `false`, a `combo` a choice as declared, a `string` no `<empty>`, a
    /// `button` nothing.
    ///
    /// # Errors
    ///
    /// If the value is invalid, or missing and not of a `string`.
    pub fn value<'a>(&'a self, text: Option<&'a str>) -> Result<&'a str, String> {
        let is_text = matches!(self.kind, OptionKind::Text { .. });
        let text = text.filter(|text| is_text || !text.is_empty());
        let is = |word: &&str| text.is_some_and(|text| text.eq_ignore_ascii_case(word));
        let (value, wanted) = match &self.kind {
            OptionKind::Check { .. } => {
                let flag = ["true", "false"].into_iter().find(is);
                (flag, "true or false".to_owned())
            }
            OptionKind::Spin { range, .. } => {
                let is_in = |text: &&str| text.parse().is_ok_and(|number| range.contains(&number));
                let number = text.filter(|text| !text.starts_with('+')).filter(is_in);
                let wanted = format!("a number from {} to {}", range.start(), range.end());
                (number, wanted)
            }
            OptionKind::Combo { choices, .. } => {
                let choice = choices.iter().map(String::as_str).find(is);
                (choice, format!("one of {}", choices.join(", ")))
            }
            OptionKind::Text { .. } => {
                // Many managers send an empty text as none.
                let text = text.filter(|&text| text != EMPTY).unwrap_or_default();
                let text = Some(text).filter(|text| text.len() <= LONGEST_TEXT);
                (text, format!("at most {LONGEST_TEXT} bytes"))
            }
            OptionKind::Button => return Ok(""),
        };
        value.ok_or_else(|| {
            let reason = match text {
                Some(text) => format!("'{}', expected {wanted}", excerpt(text)),
                None => format!("the value is missing, expected {wanted}"),
            };
            self.unusable(&reason)
        })
    }

    fn unusable(&self, reason: &str) -> String {
        format!("option {}: {reason}", self.name)
    }
}

/// Changes the settings by a valid value, or returns an error message.
type Set = dyn Fn(&mut Settings, &str) -> Result<(), String>;

struct EngineOption {
    declaration: OptionDeclaration,
    set: Box<Set>,
    apply: Option<Apply>,
}

/// What a change of a setting asks for, if the new value alone is not enough. May be slow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Apply {
    /// The searcher is prepared for its next search.
    Search,
    /// The threads are started; more than there are processors is told.
    Threads,
    /// The table is made anew.
    Hash,
    /// The results of earlier searches are cleared.
    Clear,
    /// The tablebases are those of other rules.
    Rules,
    /// The tablebases are loaded anew.
    Tables,
    /// Other folders of tablebases: all messages about tablebases are told again.
    TableFolders,
    /// The network is read.
    Network,
    /// The opening book is read.
    Book,
}

impl EngineOption {
    fn then(self, apply: Apply) -> EngineOption {
        EngineOption {
            apply: Some(apply),
            ..self
        }
    }
}

fn option(
    name: &str,
    kind: OptionKind,
    set: impl Fn(&mut Settings, &str) -> Result<(), String> + 'static,
) -> EngineOption {
    let name = name.to_owned();
    EngineOption {
        declaration: OptionDeclaration { name, kind },
        set: Box::new(set),
        apply: None,
    }
}

fn check(name: &str, place: fn(&mut Settings) -> &mut bool) -> EngineOption {
    let kind = OptionKind::Check { default: false };
    option(name, kind, move |settings, text| {
        read(place(settings), text)
    })
}

fn spin(
    name: &str,
    default: i64,
    range: RangeInclusive<i64>,
    set: fn(&mut Settings, i64),
) -> EngineOption {
    let kind = OptionKind::Spin { default, range };
    option(name, kind, move |settings, text| {
        let mut number = 0;
        read(&mut number, text)?;
        set(settings, number);
        Ok(())
    })
}

type SetText = fn(&mut Settings, &str) -> Result<(), String>;

fn combo(name: &str, default: &str, choices: &[&str], set: SetText) -> EngineOption {
    let kind = OptionKind::Combo {
        default: default.to_owned(),
        choices: choices.iter().map(|&choice| choice.to_owned()).collect(),
    };
    option(name, kind, set)
}

fn text(name: &str, default: &str, set: SetText) -> EngineOption {
    let default = default.to_owned();
    option(name, OptionKind::Text { default }, set)
}

fn read<T: FromStr<Err: ToString>>(place: &mut T, text: &str) -> Result<(), String> {
    *place = text.parse().map_err(|error: T::Err| error.to_string())?;
    Ok(())
}

/// The options of this engine, in the order in which they are declared.
fn table() -> impl Iterator<Item = EngineOption> {
    const THREADS: i64 = MAX_THREADS as i64;
    const HASH: i64 = SearchSettings::DEFAULT_HASH_MIB as i64;
    const MAX_HASH: i64 = MAX_HASH_MIB as i64;
    const ELO: i64 = Skill::DEFAULT_ELO as i64;
    const ELOS: RangeInclusive<i64> = Strength::MIN_ELO as i64..=Strength::MAX_ELO as i64;
    const LEVEL: i64 = Strength::FULL_LEVEL as i64;
    const SEED: i64 = Strength::MAX_SEED as i64;
    const STONES: i64 = MAX_STONES as i64;
    const CONTEMPT: i64 = Limits::MAX_CONTEMPT as i64;
    const CACHE: i64 = (Tablebases::DEFAULT_CACHE_BYTES >> 20) as i64;
    let variants = Preset::ALL.map(Preset::name);
    let evaluations = EvaluationKind::ALL.map(EvaluationKind::name);
    [
        spin("Threads", 1, 1..=THREADS, |s, n| {
            s.search.threads = n as usize
        })
        .then(Apply::Threads),
        spin("Hash", HASH, 1..=MAX_HASH, |s, n| {
            s.search.hash_mib = n as usize
        })
        .then(Apply::Hash),
        option("Clear Hash", OptionKind::Button, |_, _| Ok(())).then(Apply::Clear),
        spin("MultiPV", 1, 1..=256, |s, n| s.multipv = n as usize),
        check("Ponder", |s| &mut s.ponder),
        spin("Move Overhead", 10, 0..=5_000, |s, n| {
            s.move_overhead = Duration::from_millis(n.unsigned_abs());
        }),
        spin("Contempt", 0, -CONTEMPT..=CONTEMPT, |s, n| {
            s.contempt = n as i32;
        }),
        check("UCI_LimitStrength", |s| &mut s.skill.by_elo),
        spin("UCI_Elo", ELO, ELOS, |s, n| s.skill.elo = n as u32),
        spin("Skill Level", LEVEL, 0..=LEVEL, |s, n| {
            s.skill.level = n as u32;
        }),
        spin("Skill Seed", 0, 0..=SEED, |s, n| {
            s.skill.set_seed(n.unsigned_abs())
        }),
        combo(
            "UCI_Variant",
            Preset::default().name(),
            &variants,
            |s, name| read(&mut s.variant, name),
        )
        .then(Apply::Rules),
        text("Rules", "", |s, text| read(&mut s.custom_rules, text)).then(Apply::Rules),
        text("TablebasePath", TableFolders::AUTO, |s, path| {
            if let Some(tables) = &mut s.tables {
                tables.folders = TableFolders::of(paths(path));
            }
            Ok(())
        })
        .then(Apply::TableFolders),
        spin("TablebaseProbeLimit", STONES, 0..=STONES, |s, n| {
            s.search.probe_stones = n as u32;
        }),
        spin("TablebaseProbeDepth", 0, 0..=MAX_DEPTH.into(), |s, n| {
            s.search.probe_depth = n as u32;
        }),
        spin("TablebaseCache", CACHE, 1..=MAX_HASH, |s, n| {
            if let Some(tables) = &mut s.tables {
                tables.cache_mib = n.unsigned_abs();
            }
        })
        .then(Apply::Tables),
        combo(
            "Evaluation",
            EvaluationKind::default().name(),
            &evaluations,
            |s, name| read(&mut s.search.evaluation.kind, name),
        )
        .then(Apply::Search),
        text("EvalFile", "", |s, path| read(&mut s.eval_file, path)).then(Apply::Network),
        check("OwnBook", |s| &mut s.own_book),
        text("Book File", "", |s, path| {
            s.book_files = paths(path);
            Ok(())
        })
        .then(Apply::Book),
        check("Best Book Move", |s| &mut s.best_book_move),
        check("UCI_ShowWDL", |s| &mut s.show_wdl),
        check("UCI_AnalyseMode", |s| &mut s.analyse_mode),
    ]
    .into_iter()
    .chain(tuning())
}

/// The parameters of the search, in one text and each as a number: constants without the feature `tune`.
fn tuning() -> impl Iterator<Item = EngineOption> {
    let all = text("SearchParameters", "", |s, text| {
        read(&mut s.search.parameters, text)
    });
    let each = Parameters::TUNABLE.iter().map(|tunable| {
        let (least, most) = tunable.range.clone().into_inner();
        let kind = OptionKind::Spin {
            default: tunable.standard.into(),
            range: least.into()..=most.into(),
        };
        option(tunable.name, kind, |settings, text| {
            let place = settings.search.parameters.value_mut(tunable.name);
            place.map_or(Ok(()), |place| read(place, text))
        })
    });
    let options = iter::once(all)
        .chain(each)
        .filter(|_| cfg!(feature = "tune"));
    options.map(|option| option.then(Apply::Search))
}

/// The paths of a list, `:` between them (on Windows `;`), unless it is itself the path of something.
fn paths(list: &str) -> Vec<PathBuf> {
    if Path::new(list).exists() {
        return vec![list.into()];
    }
    let paths = std::env::split_paths(list);
    paths.filter(|path| !path.as_os_str().is_empty()).collect()
}

/// The options of this engine, in the order in which they are declared.
pub fn options() -> impl Iterator<Item = OptionDeclaration> {
    table().map(|option| option.declaration)
}

/// Sets an option; the files that it names are not read. Returns how the change is applied.
pub(super) fn set(
    settings: &mut Settings,
    name: &str,
    value: Option<&str>,
) -> Result<Option<Apply>, String> {
    let option = table()
        .find(|option| option.declaration.name.eq_ignore_ascii_case(name))
        .ok_or_else(|| format!("no option '{}'", excerpt(name)))?;
    let text = option.declaration.value(value)?;
    (option.set)(settings, text).map_err(|reason| option.declaration.unusable(&reason))?;
    Ok(option.apply)
}
