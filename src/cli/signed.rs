//! Numbers that are shown with their sign.

/// The number with its sign and so many decimals; what is rounded to zero is `+0`, never `-0`.
pub fn signed(value: f64, decimals: usize) -> String {
    let text = format!("{value:+.decimals$}");
    match text.strip_prefix('-') {
        Some(size) if size.bytes().all(|byte| matches!(byte, b'0' | b'.')) => format!("+{size}"),
        _ => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_not_less_than_nothing() {
        assert_eq!(signed(-0.4, 0), "+0");
        assert_eq!(signed(-0.04, 1), "+0.0");
        assert_eq!(signed(-0.0, 2), "+0.00");
        assert_eq!(signed(-0.6, 0), "-1");
        assert_eq!(signed(12.34, 1), "+12.3");
        assert_eq!(signed(f64::NEG_INFINITY, 1), "-inf");
    }
}
