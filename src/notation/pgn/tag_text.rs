//! Tags as text: `[White "Rabe"]`.

use super::PgnProblem;
use super::tokens::is_blank;
use crate::excerpt::excerpt;

/// Whether the name of a tag may be this: a letter or digit, then letters, digits and what chess
/// programs use beside them.
pub(super) fn is_tag_name(name: &str) -> bool {
    name.starts_with(|first: char| first.is_ascii_alphanumeric())
        && name.chars().all(is_name_character)
}

fn is_name_character(character: char) -> bool {
    character.is_ascii_alphanumeric() || "_+#=:-".contains(character)
}

/// The tag that `text` begins with (its first character is `[`): name, value, and the rest of the
/// text.
///
/// A quote that no `]` follows belongs to the value, as do backslashes before other characters than
/// quotes and backslashes: programs forget to escape them.
pub(super) fn parse_tag(text: &str) -> Result<(&str, String, &str), PgnProblem> {
    let text = text.strip_prefix('[').unwrap_or(text);
    let text = text.trim_start_matches(is_blank);
    let end = text
        .find(|character| !is_name_character(character))
        .unwrap_or(text.len());
    let (name, rest) = text.split_at(end);
    if !is_tag_name(name) {
        return Err(PgnProblem::TagName(excerpt(text)));
    }
    let rest = rest
        .trim_start_matches(is_blank)
        .strip_prefix('"')
        .ok_or_else(|| PgnProblem::TagValue(excerpt(name)))?;
    let mut value = String::new();
    let mut characters = rest.char_indices();
    while let Some((place, character)) = characters.next() {
        match character {
            '"' => {
                let behind = rest[place + 1..].trim_start_matches(is_blank);
                if let Some(behind) = behind.strip_prefix(']') {
                    return Ok((name, value, behind));
                }
                value.push('"');
            }
            '\\' => {
                let mut ahead = characters.clone();
                match ahead.next() {
                    Some((_, escaped @ ('"' | '\\'))) => {
                        value.push(escaped);
                        characters = ahead;
                    }
                    _ => value.push('\\'),
                }
            }
            other => value.push(other),
        }
    }
    Err(PgnProblem::TagEnd(excerpt(name)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_are_read() {
        for (text, name, value, rest) in [
            (r#"[White "Rabe"]"#, "White", "Rabe", ""),
            (r#"[  White   "Rabe"  ] 1. "#, "White", "Rabe", " 1. "),
            (
                r#"[White"Rabe"][Black "B"]"#,
                "White",
                "Rabe",
                r#"[Black "B"]"#,
            ),
            (r#"[Event ""]"#, "Event", "", ""),
            (r#"[Event "a \"b\" \\ c\\"]"#, "Event", r#"a "b" \ c\"#, ""),
            (
                r#"[Event "the "big" one"]"#,
                "Event",
                r#"the "big" one"#,
                "",
            ),
            (r#"[Dir "C:\vato\new"]"#, "Dir", r"C:\vato\new", ""),
            (r#"[Event "a\"]"]"#, "Event", r#"a"]"#, ""),
            (r#"[A-1_+#=: "é"]"#, "A-1_+#=:", "é", ""),
        ] {
            let tag = parse_tag(text).expect(text);
            assert_eq!((tag.0, tag.1.as_str(), tag.2), (name, value, rest));
        }
    }

    #[test]
    fn bad_tags_say_why() {
        for (text, why) in [
            ("[", "needs a name"),
            ("[]", "needs a name"),
            ("[\"x\"]", "needs a name"),
            ("[é \"x\"]", "needs a name"),
            ("[White]", "White needs a value"),
            ("[White Rabe]", "White needs a value"),
            ("[White \"Rabe\"", "does not end"),
            ("[White \"Rabe]", "does not end"),
            ("[White \"Rabe\\\"]", "does not end"),
        ] {
            let problem = parse_tag(text).expect_err(text).to_string();
            assert!(problem.contains(why), "{text}: {problem}");
        }
    }
}
