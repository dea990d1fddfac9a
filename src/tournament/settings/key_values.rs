//! `key=value,key=value`: how the command line says several things at once.

use thiserror::Error;

use crate::excerpt::excerpt;

/// What is wrong with a list of `key=value` pairs, or with one of them.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SettingError {
    /// Something that is not `key=value`.
    #[error("'{0}' is not of the form key=value")]
    NotAPair(String),
    /// A quotation mark without its partner.
    #[error("'{0}': a quotation mark is not closed")]
    OpenQuote(String),
    /// A key that does not exist.
    #[error("unknown key '{key}' (known: {known})")]
    UnknownKey {
        /// The key.
        key: String,
        /// Those that exist.
        known: &'static str,
    },
    /// A key that was there before.
    #[error("'{0}' is given twice")]
    Twice(String),
    /// A key that has to be there.
    #[error("'{0}' is missing")]
    Missing(&'static str),
    /// A value that the key cannot have.
    #[error("{key}: '{value}', want {wanted}")]
    BadValue {
        /// The key.
        key: String,
        /// The value.
        value: String,
        /// What it can have.
        wanted: &'static str,
    },
}

impl SettingError {
    pub(super) fn bad_value(key: &str, value: &str, wanted: &'static str) -> SettingError {
        SettingError::BadValue {
            key: key.to_owned(),
            value: excerpt(value),
            wanted,
        }
    }
}

/// The pairs of `text`, in their order. Commas separate pairs; what stands between double quotation
/// marks belongs to the value, commas included, and the marks do not.
///
/// # Errors
///
/// If a part is not a pair, a key comes twice, or a quotation mark is not closed.
pub(super) fn pairs(text: &str) -> Result<Vec<(String, String)>, SettingError> {
    let mut pairs: Vec<(String, String)> = Vec::new();
    for part in split(text)? {
        let (key, value) = part
            .split_once('=')
            .ok_or_else(|| SettingError::NotAPair(excerpt(&part)))?;
        let key = key.trim();
        if key.is_empty() {
            return Err(SettingError::NotAPair(excerpt(&part)));
        }
        if pairs.iter().any(|(other, _)| other == key) {
            return Err(SettingError::Twice(excerpt(key)));
        }
        pairs.push((key.to_owned(), value.trim().to_owned()));
    }
    Ok(pairs)
}

/// The parts between commas, without quotation marks.
fn split(text: &str) -> Result<Vec<String>, SettingError> {
    let mut parts = vec![String::new()];
    let mut quoted = false;
    for character in text.chars() {
        match character {
            '"' => quoted = !quoted,
            ',' if !quoted => parts.push(String::new()),
            _ => {
                if let Some(part) = parts.last_mut() {
                    part.push(character);
                }
            }
        }
    }
    if quoted {
        return Err(SettingError::OpenQuote(excerpt(text)));
    }
    // A comma at the end is a slip that means nothing.
    parts.retain(|part| !part.trim().is_empty());
    Ok(parts)
}

/// Whether a text can stand in a line of its own, and be seen there.
pub(super) fn is_line(text: &str) -> bool {
    !text.trim().is_empty() && !text.contains(char::is_control)
}

/// A whole number.
pub(super) fn whole<N: std::str::FromStr>(key: &str, value: &str) -> Result<N, SettingError> {
    value
        .parse()
        .map_err(|_| SettingError::bad_value(key, value, "a whole number"))
}

/// A whole number of at least 1.
pub(super) fn positive<N: std::str::FromStr + PartialOrd + From<u8>>(
    key: &str,
    value: &str,
) -> Result<N, SettingError> {
    value
        .parse()
        .ok()
        .filter(|number| *number >= N::from(1))
        .ok_or_else(|| SettingError::bad_value(key, value, "a whole number of at least 1"))
}

/// `true` or `false`.
pub(super) fn flag(key: &str, value: &str) -> Result<bool, SettingError> {
    match value {
        "true" | "on" => Ok(true),
        "false" | "off" => Ok(false),
        _ => Err(SettingError::bad_value(key, value, "true or false")),
    }
}

/// A number of at least 0 with or without decimals.
pub(super) fn amount(key: &str, value: &str) -> Result<f64, SettingError> {
    number(key, value).and_then(|number| {
        (number >= 0.0)
            .then_some(number)
            .ok_or_else(|| SettingError::bad_value(key, value, "a number of at least 0"))
    })
}

/// A number with or without decimals.
pub(super) fn number(key: &str, value: &str) -> Result<f64, SettingError> {
    value
        .parse()
        .ok()
        .filter(|number: &f64| number.is_finite())
        .ok_or_else(|| SettingError::bad_value(key, value, "a number"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Vec<(String, String)>, String> {
        pairs(text).map_err(|error| error.to_string())
    }

    #[test]
    fn pairs_and_quotes() {
        let wanted = |pairs: &[(&str, &str)]| {
            let owned = |&(key, value): &(&str, &str)| (key.to_owned(), value.to_owned());
            Ok(pairs.iter().map(owned).collect::<Vec<_>>())
        };
        assert_eq!(
            read("name=A, cmd=./a b ,tc=10+0.1,"),
            wanted(&[("name", "A"), ("cmd", "./a b"), ("tc", "10+0.1")])
        );
        assert_eq!(
            read("args=\"--x=1,2 -y\",option.A B=c=d"),
            wanted(&[("args", "--x=1,2 -y"), ("option.A B", "c=d")])
        );
        assert_eq!(read(""), wanted(&[]));
    }

    #[test]
    fn what_is_wrong_is_named() {
        let error = |text: &str| read(text).expect_err(text);
        assert_eq!(error("name"), "'name' is not of the form key=value");
        assert_eq!(error("=3"), "'=3' is not of the form key=value");
        assert_eq!(error("a=1,a=2"), "'a' is given twice");
        assert_eq!(
            error("a=\"1,2"),
            "'a=\"1,2': a quotation mark is not closed"
        );
        let error = positive::<u32>("games", "0").expect_err("0");
        assert_eq!(
            error.to_string(),
            "games: '0', want a whole number of at least 1"
        );
        assert!(number("x", "inf").is_err() && amount("x", "-1").is_err());
    }
}
