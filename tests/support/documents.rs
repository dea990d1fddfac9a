//! The README and the pages of `docs/`: their fenced blocks and commands.

use std::path::{Path, PathBuf};

/// The README and all pages of `docs/`, by name.
pub fn pages() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let docs = std::fs::read_dir(root.join("docs")).expect("a folder");
    let mut pages: Vec<PathBuf> = docs
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "md"))
        .collect();
    pages.sort();
    pages.insert(0, root.join("README.md"));
    pages
}

pub fn read(page: &Path) -> String {
    std::fs::read_to_string(page).unwrap_or_else(|error| panic!("{}: {error}", page.display()))
}

pub fn readme() -> String {
    read(&pages()[0])
}

/// A fenced block: what stands behind the fence, and its text.
pub struct Block {
    pub info: String,
    pub text: String,
}

pub fn blocks(page: &str) -> Vec<Block> {
    let mut blocks = Vec::new();
    let mut lines = page.lines();
    while let Some(line) = lines.next() {
        let Some(info) = line.strip_prefix("```") else {
            continue;
        };
        let text: Vec<&str> = lines.by_ref().take_while(|&line| line != "```").collect();
        blocks.push(Block {
            info: info.to_owned(),
            text: text.join("\n"),
        });
    }
    blocks
}

/// A command line of a page.
pub struct Command {
    pub line: String,
    /// The output that is shown below it.
    pub output: Option<String>,
    /// Marked as taking more than a minute: `sh long`.
    pub long: bool,
}

pub fn commands(page: &str) -> Vec<Command> {
    let blocks = blocks(page);
    let mut commands = Vec::new();
    for (place, block) in blocks.iter().enumerate() {
        if !matches!(&*block.info, "sh" | "sh long") {
            continue;
        }
        assert_eq!(
            block.text.lines().count(),
            1,
            "one command a block: {}",
            block.text
        );
        let output = blocks.get(place + 1).filter(|next| next.info == "text");
        commands.push(Command {
            line: block.text.clone(),
            output: output.map(|output| output.text.clone()),
            long: block.info == "sh long",
        });
    }
    commands
}
