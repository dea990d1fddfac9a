//! `key=value,key=value`: how the command line gives several settings at once.

use std::fmt::Display;
use std::ops::RangeBounds;
use std::str::FromStr;

use serde::Deserializer;
use serde::de::value::{MapDeserializer, SeqDeserializer};
use serde::de::{self, DeserializeOwned, IntoDeserializer, Visitor};
use thiserror::Error;

use vato_engine::engine::options;
use vato_engine::text::excerpt;

use crate::clock::read_seconds;

/// Invalid settings: a sentence that names the setting.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{0}")]
pub struct SettingsError(String);

impl SettingsError {
    /// An error with this text.
    pub fn new(text: impl Into<String>) -> SettingsError {
        SettingsError(text.into())
    }

    pub(in crate::tournament) fn value(
        key: &str,
        value: impl Display,
        expected: impl Display,
    ) -> SettingsError {
        let (key, value) = (excerpt(key), excerpt(&value.to_string()));
        SettingsError(format!("invalid {key} '{value}': expected {expected}"))
    }

    /// An error if there is a value, and it is not in the range that is `expected`.
    pub fn unless<T: Display + PartialOrd>(
        range: impl RangeBounds<T>,
        key: &str,
        value: impl Into<Option<T>>,
        expected: impl Display,
    ) -> Result<(), SettingsError> {
        match value.into().filter(|value| !range.contains(value)) {
            Some(value) => Err(SettingsError::value(key, value, expected)),
            None => Ok(()),
        }
    }

    /// An error unless the text can stand in a line of its own, and be seen there.
    pub(super) fn unless_line(key: &str, text: &str) -> Result<(), SettingsError> {
        match text.trim().is_empty() || text.contains(char::is_control) {
            true => Err(SettingsError::value(key, text, "text of one line")),
            false => Ok(()),
        }
    }

    /// The same, of a part of something larger.
    pub(super) fn within(self, place: impl Display) -> SettingsError {
        SettingsError(format!("{place}: {self}"))
    }
}

impl de::Error for SettingsError {
    fn custom<T: Display>(text: T) -> SettingsError {
        SettingsError(text.to_string())
    }

    fn unknown_field(key: &str, known: &'static [&'static str]) -> SettingsError {
        let (key, known) = (excerpt(key), known.join(", "));
        let option = options().find(|option| option.name.eq_ignore_ascii_case(&key));
        let hint = option
            .filter(|_| known.contains("cmd"))
            .map(|option| format!("; the option of an engine is option.{}", option.name));
        let hint = hint.unwrap_or_default();
        SettingsError(format!(
            "unknown key '{key}': expected one of {known}{hint}"
        ))
    }

    fn duplicate_field(key: &'static str) -> SettingsError {
        SettingsError(format!("'{key}' is given twice"))
    }

    fn missing_field(key: &'static str) -> SettingsError {
        SettingsError(format!("'{key}' is missing"))
    }
}

/// Settings of these keys and values.
pub fn from_pairs<T: DeserializeOwned>(pairs: Vec<(String, String)>) -> Result<T, SettingsError> {
    let pairs = pairs.into_iter();
    let entry = |(key, text): (String, String)| (key.clone(), Value { key, text });
    T::deserialize(MapDeserializer::new(pairs.map(entry)))
}

/// The pairs of `text`, in their order. Commas separate pairs; what stands between double quotation
/// marks belongs to the value, commas included, and the marks do not.
pub(super) fn pairs(text: &str) -> Result<Vec<(String, String)>, SettingsError> {
    let Some(parts) = split_unquoted(text, ',') else {
        let text = excerpt(text);
        let what = format!("'{text}': a quotation mark is not closed");
        return Err(SettingsError(what));
    };
    let mut pairs: Vec<(String, String)> = Vec::new();
    let parts = parts.into_iter().map(|part| part.replace('"', ""));
    // A trailing comma is ignored.
    for part in parts.filter(|part| !part.trim().is_empty()) {
        let (key, value) = part
            .split_once('=')
            .map(|(key, value)| (key.trim(), value.trim()))
            .filter(|(key, _)| !key.is_empty())
            .ok_or_else(|| {
                SettingsError(format!("'{}' is not of the form key=value", excerpt(&part)))
            })?;
        if pairs.iter().any(|(other, _)| other == key) {
            return Err(SettingsError(format!("'{}' is given twice", excerpt(key))));
        }
        pairs.push((key.to_owned(), value.to_owned()));
    }
    Ok(pairs)
}

/// The parts between the separators that do not stand between quotation marks; `None` if one of these is not closed.
pub(in crate::tournament) fn split_unquoted(text: &str, separator: char) -> Option<Vec<&str>> {
    let mut quoted = false;
    let ends = |character| {
        quoted ^= character == '"';
        character == separator && !quoted
    };
    let parts = text.split(ends).collect();
    (!quoted).then_some(parts)
}

/// The value of a key, read as the type of the setting.
struct Value {
    key: String,
    text: String,
}

impl Value {
    fn wrong<T>(self, expected: impl Display) -> Result<T, SettingsError> {
        Err(SettingsError::value(&self.key, self.text, expected))
    }

    fn whole<N: FromStr>(self) -> Result<N, SettingsError> {
        let number = self.text.parse();
        number.or_else(|_| self.wrong("a whole number in range"))
    }

    /// A number; a time in any of its units, a probability also as `5%`.
    fn number(&self) -> Option<f64> {
        let number = match (self.key.as_str(), self.text.strip_suffix('%')) {
            ("st", _) => read_seconds(&self.text)?.as_secs_f64(),
            ("alpha" | "beta", Some(percent)) => percent.trim_end().parse::<f64>().ok()? / 100.0,
            _ => self.text.parse().ok()?,
        };
        Some(number).filter(|number| number.is_finite())
    }
}

impl IntoDeserializer<'_, SettingsError> for Value {
    type Deserializer = Value;

    fn into_deserializer(self) -> Value {
        self
    }
}

impl<'de> Deserializer<'de> for Value {
    type Error = SettingsError;

    fn deserialize_u32<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, SettingsError> {
        visitor.visit_u32(self.whole()?)
    }

    fn deserialize_u64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, SettingsError> {
        visitor.visit_u64(self.whole()?)
    }

    fn deserialize_f64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, SettingsError> {
        match self.number() {
            Some(number) => visitor.visit_f64(number),
            None if self.key == "st" => self.wrong("seconds, such as 0.5"),
            None => self.wrong("a number"),
        }
    }

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, SettingsError> {
        visitor.visit_string(self.text)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, SettingsError> {
        visitor.visit_some(self)
    }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, SettingsError> {
        match self.text.as_str() {
            "true" | "on" => visitor.visit_bool(true),
            "false" | "off" => visitor.visit_bool(false),
            _ => self.wrong("true or false"),
        }
    }

    /// Words, separated and quoted as by a shell.
    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, SettingsError> {
        match shell_words::split(&self.text) {
            Ok(words) => visitor.visit_seq(SeqDeserializer::new(words.into_iter())),
            Err(_) => self.wrong("closed quotation marks"),
        }
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, SettingsError> {
        if !variants.contains(&self.text.as_str()) {
            return self.wrong(variants.join(" or "));
        }
        visitor.visit_enum(self.text.into_deserializer())
    }

    serde::forward_to_deserialize_any! {
        i8 i16 i32 i64 i128 u8 u16 u128 f32 char str string bytes byte_buf unit unit_struct
        newtype_struct tuple tuple_struct map struct identifier ignored_any
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_and_quotes() {
        let one: &[_] = &[("name", "A"), ("cmd", "./a b"), ("tc", "10+0.1")];
        let other: &[_] = &[("args", "--x=1,2 -y"), ("option.A B", "c=d")];
        for (text, wanted) in [
            ("name=A, cmd=./a b ,tc=10+0.1,", one),
            ("args=\"--x=1,2 -y\",option.A B=c=d", other),
            ("", &[]),
        ] {
            let found = pairs(text).expect(text);
            let found = found
                .iter()
                .map(|(key, value)| (key.as_str(), value.as_str()));
            assert!(found.eq(wanted.iter().copied()), "{text}");
        }
    }

    #[test]
    fn what_is_wrong_is_named() {
        for (text, wanted) in [
            ("name", "'name' is not of the form key=value"),
            ("=3", "'=3' is not of the form key=value"),
            ("a=1,a=2", "'a' is given twice"),
            ("a=\"1,2", "'a=\"1,2': a quotation mark is not closed"),
        ] {
            assert_eq!(pairs(text).expect_err(text).to_string(), wanted);
        }
    }
}
