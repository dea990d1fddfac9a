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

/// Whether the lines of `text` fit those of `pattern`; a line of `…` alone is any number of lines.
pub fn matches_lines(pattern: &str, text: &str) -> bool {
    fn fit(patterns: &[&str], lines: &[&str]) -> bool {
        match (patterns, lines) {
            ([], _) => lines.is_empty(),
            (["…", rest @ ..], _) => {
                (0..=lines.len()).any(|skipped| fit(rest, &lines[skipped..]))
            }
            ([first, rest @ ..], [line, more @ ..]) => matches(first, line) && fit(rest, more),
            _ => false,
        }
    }
    let [pattern, text] = [pattern, text].map(|text| text.lines().collect::<Vec<_>>());
    fit(&pattern, &text)
}
