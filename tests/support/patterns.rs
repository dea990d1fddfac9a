//! Texts with gaps, as `protocol.md` shows what the engine prints.

/// Whether `text` is `pattern` with any text, also none, for each `…`.
pub fn matches(pattern: &str, text: &str) -> bool {
    let Some((start, rest)) = pattern.split_once('…') else {
        return pattern == text;
    };
    let Some(text) = text.strip_prefix(start) else {
        return false;
    };
    let ends = text.char_indices().map(|(index, _)| index);
    ends.chain([text.len()])
        .any(|index| matches(rest, &text[index..]))
}
