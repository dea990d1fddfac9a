//! A sequential test as the command line has it.

use super::key_values::{self, SettingError};
use crate::tournament::statistics::{Sprt, SprtModel};

/// Reads `elo0=0,elo1=5,alpha=0.05,beta=0.05,model=normalized`; the two differences have to be
/// there.
///
/// # Errors
///
/// If a part is not a pair, a key or a value is wrong, or one that has to be there is missing.
pub fn sprt_from_pairs(text: &str) -> Result<Sprt, SettingError> {
    let (mut elo0, mut elo1, mut alpha, mut beta) = (None, None, 0.05, 0.05);
    let mut model = SprtModel::Normalized;
    for (key, value) in key_values::pairs(text)? {
        match key.as_str() {
            "elo0" => elo0 = Some(key_values::number(&key, &value)?),
            "elo1" => elo1 = Some(key_values::number(&key, &value)?),
            "alpha" => alpha = key_values::amount(&key, &value)?,
            "beta" => beta = key_values::amount(&key, &value)?,
            "model" => {
                model = match value.as_str() {
                    "normalized" => SprtModel::Normalized,
                    "logistic" => SprtModel::Logistic,
                    _ => {
                        let wanted = "normalized or logistic";
                        return Err(SettingError::bad_value(&key, &value, wanted));
                    }
                }
            }
            _ => {
                return Err(SettingError::UnknownKey {
                    key,
                    known: "elo0, elo1, alpha, beta, model",
                });
            }
        }
    }
    Ok(Sprt {
        elo0: elo0.ok_or(SettingError::Missing("elo0"))?,
        elo1: elo1.ok_or(SettingError::Missing("elo1"))?,
        alpha,
        beta,
        model,
    })
}
