//! The words of a line.

/// The words of a line one by one, with the unread rest at hand.
#[derive(Clone, Debug)]
pub(super) struct Words<'a> {
    rest: &'a str,
}

impl<'a> Words<'a> {
    pub(super) fn new(text: &'a str) -> Words<'a> {
        Words { rest: text.trim() }
    }

    /// What has not been read, without white space around it.
    pub(super) fn rest(&self) -> &'a str {
        self.rest
    }

    pub(super) fn peek(&self) -> Option<&'a str> {
        self.clone().next()
    }
}

impl<'a> Iterator for Words<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        if self.rest.is_empty() {
            return None;
        }
        let (word, rest) = self
            .rest
            .split_once(char::is_whitespace)
            .unwrap_or((self.rest, ""));
        self.rest = rest.trim_start();
        Some(word)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_and_what_is_left() {
        let mut words = Words::new(" \t go  depth\t 5 \r\n");
        assert_eq!(words.next(), Some("go"));
        assert_eq!(words.rest(), "depth\t 5");
        assert_eq!(words.peek(), Some("depth"));
        assert_eq!(words.collect::<Vec<_>>(), ["depth", "5"]);
        assert_eq!(Words::new("  ").next(), None);
    }
}
