//! The README's fenced blocks and commands.

pub const README: &str = include_str!("../../README.md");

/// A fenced block: its language and its text.
pub struct Block {
    pub language: &'static str,
    pub text: String,
}

pub fn blocks() -> Vec<Block> {
    let mut blocks = Vec::new();
    let mut lines = README.lines();
    while let Some(line) = lines.next() {
        let Some(language) = line.strip_prefix("```") else {
            continue;
        };
        let text: Vec<&str> = lines.by_ref().take_while(|&line| line != "```").collect();
        blocks.push(Block {
            language,
            text: text.join("\n"),
        });
    }
    blocks
}

/// Every command with the output that is shown below it, if there is any.
pub fn commands() -> Vec<(String, Option<String>)> {
    let blocks = blocks();
    let mut commands = Vec::new();
    for (place, block) in blocks.iter().enumerate() {
        if block.language != "sh" {
            continue;
        }
        assert_eq!(block.text.lines().count(), 1, "one command a block");
        let output = blocks
            .get(place + 1)
            .filter(|next| next.language == "text")
            .map(|next| next.text.clone());
        commands.push((block.text.clone(), output));
    }
    commands
}
