//! Shared text helpers: excerpts of bad input, counts with nouns, numbers and times as people type them, panic
//! messages.

use std::any::Any;
use std::fmt::Display;
use std::ops::{Bound, RangeBounds};
use std::str::FromStr;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// The maximum length of an [`excerpt`], in characters.
const MOST: usize = 40;

/// At most 40 characters of `text`, `…` for the rest, characters that cannot be seen escaped.
pub fn excerpt(text: &str) -> String {
    printable(text, MOST)
}

/// Whether nothing of this character is to be seen but perhaps space: control characters, spaces other than the
/// common one, characters of no width, changes of direction.
pub fn is_invisible(character: char) -> bool {
    character.is_control()
        || character.is_whitespace() && character != ' '
        || matches!(character, '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}'
            | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}')
}

/// At most `most` characters of `text`, `…` for the rest, characters that cannot be seen escaped.
pub fn printable(text: &str, most: usize) -> String {
    let mut shown = String::with_capacity(text.len().min(most.saturating_mul(4)));
    let mut characters = text.chars();
    for character in characters.by_ref().take(most) {
        if is_invisible(character) {
            shown.extend(character.escape_default());
        } else {
            shown.push(character);
        }
    }
    if characters.next().is_some() {
        shown.push('…');
    }
    shown
}

/// Defines an enum whose values have names.
#[macro_export]
macro_rules! named_enum {
    ($(#[$doc:meta])* pub enum $type:ident { $($(#[$value_doc:meta])* $value:ident = $name:literal,)+ }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum $type {
            $($(#[$value_doc])* $value,)+
        }

        impl $type {
            /// All values, in the order of their declaration.
            pub const ALL: [$type; [$($name),+].len()] = [$($type::$value),+];

            /// The value's name.
            pub const fn name(self) -> &'static str {
                match self {
                    $($type::$value => $name,)+
                }
            }

            /// The value with this name.
            pub fn from_name(name: &str) -> Option<$type> {
                $type::ALL.into_iter().find(|value| value.name() == name)
            }
        }

        impl std::fmt::Display for $type {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad(self.name())
            }
        }
    };
}
pub use crate::{named_enum, serde_as_text};

/// Makes types that TOML and JSON hold as text, by `Display` and `FromStr`.
#[macro_export]
macro_rules! serde_as_text {
    ($($type:ty),+) => {$(
        impl serde::Serialize for $type {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        impl<'de> serde::Deserialize<'de> for $type {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<$type, D::Error> {
                let text = <String as serde::Deserialize>::deserialize(deserializer)?;
                text.parse().map_err(serde::de::Error::custom)
            }
        }
    )+};
}
/// A count with its noun: `1 game`, `12 games`.
///
/// ```
/// assert_eq!(vato_engine::counted(1, "ply", "plies"), "1 ply");
/// assert_eq!(vato_engine::counted(0, "ply", "plies"), "0 plies");
/// ```
pub fn counted<N: Display + PartialEq + From<u8>>(count: N, one: &str, several: &str) -> String {
    let shown = count.to_string();
    format!("{shown} {}", plural(count, one, several))
}

/// `one` for 1, else `several`.
pub fn plural<'a, N: PartialEq + From<u8>>(count: N, one: &'a str, several: &'a str) -> &'a str {
    if count == N::from(1) { one } else { several }
}

/// A number as a person types it, digits in groups of three if wanted and perhaps a unit behind: `20000`, `20_000`,
/// `20k`, `1.5M`, `2 s`. `units` has the factor of each unit, in small letters; a bare number is of the unit `bare`.
/// `None` if it is no such number, or not a whole one.
///
/// ```
/// assert_eq!(vato_engine::quantity("1.5k", &[("", 1), ("k", 1000)], ""), Some(1500));
/// ```
pub fn quantity(text: &str, units: &[(&str, u64)], bare: &str) -> Option<u64> {
    const SEPARATORS: [char; 3] = ['_', ',', '\''];
    let text = text.trim().to_ascii_lowercase();
    let number = text.trim_end_matches(|letter: char| letter.is_ascii_alphabetic());
    let unit = Some(&text[number.len()..]).filter(|unit| !unit.is_empty());
    let (_, factor) = units
        .iter()
        .find(|(name, _)| *name == unit.unwrap_or(bare))?;
    let number = number.trim_end();
    let (whole, part) = number.split_once('.').unwrap_or((number, "0"));
    let groups: Vec<usize> = whole.split(SEPARATORS).map(str::len).collect();
    let is_grouped = groups[0] <= 3 && groups[1..].iter().all(|&size| size == 3);
    let digits = whole.replace(SEPARATORS, "") + part;
    let is_number = (groups[0] > 0 || number.starts_with('.'))
        && (groups.len() == 1 || is_grouped)
        && !part.is_empty()
        && digits.bytes().all(|byte| byte.is_ascii_digit());
    let scale = 10_u128.checked_pow(u32::try_from(part.len()).ok()?)?;
    let value = digits
        .parse::<u128>()
        .ok()?
        .checked_mul(u128::from(*factor))?;
    let is_whole = is_number && value % scale == 0;
    u64::try_from(value / scale).ok().filter(|_| is_whole)
}

/// The longest time of a search: eleven days.
pub const MOST_TIME: Duration = Duration::from_secs(1_000_000);

/// Parses a whole number of a range as people type it: `20000`, `20_000`, `20k`, `1.5M`.
pub fn number<N: TryFrom<u64>>(
    range: impl RangeBounds<u64> + Clone,
) -> impl Fn(&str) -> Result<N, String> + Clone {
    const UNITS: [(&str, u64); 4] = [
        ("", 1),
        ("k", 1_000),
        ("m", 1_000_000),
        ("g", 1_000_000_000),
    ];
    move |text| {
        let number = quantity(text, &UNITS, "").filter(|number| range.contains(number));
        let number = number.and_then(|number| N::try_from(number).ok());
        number.ok_or_else(|| {
            let least = (0..).find(|number| range.contains(number)).unwrap_or(0);
            let mut types = [16, 31, 32].map(|bits| 1 << bits).into_iter();
            let end = types.find(|&end| N::try_from(end).is_err());
            let more = match (range.end_bound(), end) {
                (Bound::Included(most), _) => format!(" to {most}"),
                // The type ends the range.
                (_, Some(end)) => format!(" to {}", end - 1),
                _ => ", such as 20000, 20_000 or 20k".to_owned(),
            };
            format!("expected a whole number from {least}{more}")
        })
    }
}

/// A time in UTC as RFC 3339 has it, `2026-01-31T12:00:00.000Z`, with 0, 3 or 6 decimals. Clocks may be wrong: years
/// are those from 1970 to 9999.
pub fn timestamp(time: SystemTime, decimals: usize) -> String {
    let last = Duration::from_secs(253_402_300_799);
    let since = time
        .duration_since(UNIX_EPOCH)
        .unwrap_or_default()
        .min(last);
    let text = humantime::format_rfc3339_micros(UNIX_EPOCH + since).to_string();
    let end = if decimals > 0 { 20 + decimals } else { 19 };
    text.chars().take(end).chain(['Z']).collect()
}

/// Reads a duration, with its unit or in the unit `bare`.
pub fn duration(text: &str, bare: &str) -> Option<Duration> {
    const SECOND: u64 = 1_000_000_000;
    const UNITS: [(&str, u64); 5] = [
        ("ms", 1_000_000),
        ("s", SECOND),
        ("m", 60 * SECOND),
        ("min", 60 * SECOND),
        ("h", 3_600 * SECOND),
    ];
    quantity(text, &UNITS, bare).map(Duration::from_nanos)
}

/// Reads a time in whole milliseconds, one at least; a bare number is of the unit `bare`.
pub fn time(text: &str, bare: &str) -> Option<Duration> {
    let is_whole = |time: &Duration| time.subsec_nanos().is_multiple_of(1_000_000);
    duration(text, bare).filter(|time| is_whole(time) && !time.is_zero() && *time <= MOST_TIME)
}

/// Parses a number with decimals.
pub fn decimal<N: FromStr>(text: &str) -> Result<N, String> {
    let is_number = text.parse().is_ok_and(f64::is_finite);
    let number = text.parse().ok().filter(|_| is_number);
    number.ok_or_else(|| "expected a number, such as 2 or 0.05".to_owned())
}

/// Parses scores of a range, as they are shown (1.00 is `cp 100`), in hundredths; `what` they are goes into errors.
pub fn hundredths(
    what: &'static str,
    least: i32,
    most: i32,
) -> impl Fn(&str) -> Result<i32, String> + Clone {
    move |text| {
        let range = f64::from(least)..=f64::from(most);
        let score = text.parse().ok().filter(|score| range.contains(score));
        let hundredths = score.map(|score| (100.0 * score).round() as i32);
        hundredths.ok_or_else(|| format!("expected {what} from {least} to {most}"))
    }
}

/// A number of bytes as `12 B`, `1.50 KiB`, … `2.00 TiB`.
pub fn binary_bytes(bytes: u64) -> String {
    let mut scaled = bytes as f64;
    for unit in ["B", "KiB", "MiB", "GiB"] {
        if scaled < 1024.0 {
            let digits = if unit == "B" { 0 } else { 2 };
            return format!("{scaled:.digits$} {unit}");
        }
        scaled /= 1024.0;
    }
    format!("{scaled:.2} TiB")
}

/// The message of a panic.
pub fn panic_message(panic: &(dyn Any + Send)) -> &str {
    panic
        .downcast_ref::<&str>()
        .copied()
        .or_else(|| panic.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("no message")
}

#[cfg(test)]
mod tests {
    use std::panic::{catch_unwind, panic_any};

    use super::*;

    #[test]
    fn excerpts_are_short_and_visible() {
        assert_eq!(excerpt("abc"), "abc");
        assert_eq!(excerpt("a\x1b[31m\n"), "a\\u{1b}[31m\\n");
        assert_eq!(excerpt("d3\u{200b}-é\u{a0}3"), "d3\\u{200b}-é\\u{a0}3");
        assert_eq!(excerpt(&"x".repeat(1000)).chars().count(), MOST + 1);
        assert_eq!(excerpt(&"é".repeat(MOST)), "é".repeat(MOST));
    }

    #[test]
    fn only_one_is_singular() {
        let games = [0, 1, 21].map(|count: u64| counted(count, "game", "games"));
        assert_eq!(games, ["0 games", "1 game", "21 games"]);
        let stones = [1.0, 0.1].map(|count| counted(count, "stone", "stones"));
        assert_eq!(stones, ["1 stone", "0.1 stones"]);
        assert_eq!(plural(1_u32, "game has", "games have"), "game has");
    }

    #[test]
    fn numbers_are_typed_in_many_ways() {
        let units = [("", 1), ("k", 1000), ("m", 1_000_000), ("min", 60_000)];
        for (text, value) in [
            ("0", 0),
            (" 20000 ", 20_000),
            ("20_000", 20_000),
            ("1,000,000", 1_000_000),
            ("1'000", 1_000),
            ("20k", 20_000),
            ("1.5M", 1_500_000),
            ("2.0", 2),
            (".5k", 500),
            ("0.5 min", 30_000),
            ("18446744073709551615", u64::MAX),
        ] {
            assert_eq!(quantity(text, &units, ""), Some(value), "{text}");
        }
        let wrong = "| |k|-1|+1|1.5|.k|1.k|1_0|1000_000|_1|1_|2kk|2 x|1e3|0x1|\u{664}|18446744073709551616|1m2|1 000 k|\
            1__000";
        let (long, zeros) = ("9".repeat(10_000), format!("1.{}", "0".repeat(10_000)));
        for text in wrong.split('|').chain([long.as_str(), &zeros]) {
            assert_eq!(quantity(text, &units, ""), None, "{text}");
        }
        assert_eq!(quantity("2", &units, "min"), Some(120_000));
    }

    #[test]
    fn all_kinds_of_panics_are_understood() {
        let said = |panicking: fn()| {
            let panic = catch_unwind(panicking).expect_err("it panics");
            panic_message(&*panic).to_owned()
        };
        assert_eq!(said(|| panic!("plain")), "plain");
        assert_eq!(said(|| panic!("number {}", 1 + 1)), "number 2");
        assert_eq!(said(|| panic_any(7)), "no message");
    }

    #[test]
    fn any_clock_has_a_time() {
        let since = |seconds| UNIX_EPOCH + Duration::from_secs(seconds);
        let before = UNIX_EPOCH - Duration::from_secs(1_000_000);
        for (time, digits, text) in [
            (before, 3, "1970-01-01T00:00:00.000Z"),
            (since(1_769_860_800), 3, "2026-01-31T12:00:00.000Z"),
            (since(1 << 40), 3, "9999-12-31T23:59:59.000Z"),
            (UNIX_EPOCH, 0, "1970-01-01T00:00:00Z"),
            (UNIX_EPOCH, 6, "1970-01-01T00:00:00.000000Z"),
        ] {
            assert_eq!(timestamp(time, digits), text);
        }
    }
}
