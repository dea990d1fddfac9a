//! What the engine's command line says.

use std::path::PathBuf;

use super::behaviour::Behaviour;

/// How an engine is to behave.
#[derive(Debug, Default)]
pub(super) struct Settings {
    /// Each with its N.
    behaviours: Vec<(Behaviour, Option<u32>)>,
    /// Moves are drawn by this; without it the first legal one is played.
    pub(super) seed: Option<u64>,
    /// Tells this test's processes from all others.
    pub(super) tag: Option<String>,
    /// Starts are counted by files in this folder.
    pub(super) starts: Option<PathBuf>,
    /// Every process writes what it is told to a file in this folder.
    pub(super) transcripts: Option<PathBuf>,
}

impl Settings {
    /// Reads `BEHAVIOUR[:N][+…]` and then `KEY=VALUE`, a word each.
    pub(super) fn read(mut words: impl Iterator<Item = String>) -> Result<Settings, String> {
        let mut settings = Settings::default();
        let behaviours = words.next().ok_or("the behaviour is missing")?;
        for behaviour in behaviours.split('+') {
            let (name, from) = match behaviour.split_once(':') {
                Some((name, number)) => {
                    let number = number.parse();
                    (
                        name,
                        Some(number.map_err(|error| format!("{behaviour}: {error}"))?),
                    )
                }
                None => (behaviour, None),
            };
            settings.behaviours.push((name.parse()?, from));
        }
        for word in words {
            match word.split_once('=') {
                Some(("seed", value)) => {
                    let seed = value.parse().map_err(|error| format!("{word}: {error}"))?;
                    settings.seed = Some(seed);
                }
                Some(("tag", value)) => settings.tag = Some(value.to_owned()),
                Some(("starts", value)) => settings.starts = Some(value.into()),
                Some(("transcripts", value)) => settings.transcripts = Some(value.into()),
                _ => return Err(format!("'{word}' means nothing")),
            }
        }
        Ok(settings)
    }

    /// Whether this behaviour was named.
    pub(super) fn behaves(&self, behaviour: Behaviour) -> bool {
        self.behaviours.iter().any(|&(other, _)| other == behaviour)
    }

    /// Whether this behaviour was named, and `number` (a move, a game) has reached its N.
    pub(super) fn is_due(&self, behaviour: Behaviour, number: u32) -> bool {
        self.behaviours
            .iter()
            .any(|&(other, from)| other == behaviour && number >= from.unwrap_or(1))
    }

    /// The N of a behaviour that needs one; 0 if the behaviour was not named.
    pub(super) fn number(&self, behaviour: Behaviour) -> u64 {
        self.behaviours
            .iter()
            .find(|&&(other, _)| other == behaviour)
            .map_or(0, |&(_, number)| number.unwrap_or(0).into())
    }
}
