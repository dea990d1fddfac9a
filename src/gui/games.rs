//! Games between PGN and the page.

use std::io::Cursor;

use serde::{Deserialize, Serialize};

use crate::notation::pgn::{
    GameRecord, MAX_NESTING, Nag, PgnReader, RecordError, RecordResult, RecordedMove,
    UnknownResult, Variation,
};
use crate::notation::{format_fen, format_path, parse_fen, parse_turn};
use crate::pages::turn_word;
use crate::rules::{Game, Preset, parse_rules};
use crate::text::counted;

/// The largest PGN file that a page may upload, in bytes.
pub const MAX_PGN_BYTES: usize = 8 << 20;

/// The most games of a file that are listed.
const MAX_GAMES: usize = 10_000;

/// The most moves of a game, with those of its variations.
const MAX_NODES: usize = 10_000;

fn check_size(count: usize) -> Result<(), String> {
    match count <= MAX_NODES {
        true => Ok(()),
        false => Err(format!("{count} moves, expected at most {MAX_NODES}")),
    }
}

/// A request for the games of a PGN file.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ReadRequest {
    pgn: String,
    /// The number of the game wanted, from 1.
    #[serde(default = "first")]
    number: usize,
}

const fn first() -> usize {
    1
}

/// The games of a file, and one of them in full.
#[derive(Debug, Serialize)]
pub(super) struct ReadGames {
    games: Vec<Listed>,
    number: usize,
    game: Tree,
    /// What is wrong with its moves: those from there on are left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    fault: Option<String>,
}

#[derive(Debug, Serialize)]
struct Listed {
    white: String,
    black: String,
    result: &'static str,
    plies: usize,
}

/// A game with its variations.
#[derive(Debug, Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct Tree {
    rules: String,
    /// The FEN of the start.
    start: String,
    /// All tags but those of rules and start.
    tags: Vec<[String; 2]>,
    introduction: String,
    conclusion: String,
    result: String,
    /// The moves: parents before children, of two children the one of the main line first.
    nodes: Vec<Node>,
}

/// A move of a game.
#[derive(Debug, Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields, default)]
struct Node {
    /// The move before it: its place in the list, from 1; 0 is the start.
    parent: usize,
    /// The turn with what it captures: `f2-e3A:d4c5`. What is captured is not read.
    word: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    comment: String,
    /// The comment before a variation that begins with it.
    #[serde(skip_serializing_if = "String::is_empty")]
    before: String,
    /// Annotations: `??`, `!`; those without a sign as numbers: `$14`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    marks: Vec<String>,
}

/// Tags that the tree has fields for.
const TAGS_ELSEWHERE: [&str; 5] = ["Result", "Variant", "Rules", "SetUp", "FEN"];

/// Reads the games of a file.
///
/// # Errors
///
/// If there is none, or the one wanted cannot be read: what is wrong, and where.
pub(super) fn read(request: &ReadRequest) -> Result<ReadGames, String> {
    let mut games = Vec::new();
    let mut wanted = None;
    for (index, item) in PgnReader::new(Cursor::new(&request.pgn))
        .take(MAX_GAMES)
        .enumerate()
    {
        let is_wanted = index + 1 == request.number;
        let name = |record: &GameRecord, tag| record.tag_value(tag).unwrap_or("?").to_owned();
        games.push(match &item {
            Ok(record) => Listed {
                white: name(record, "White"),
                black: name(record, "Black"),
                result: record.result().text(),
                plies: record.moves().len(),
            },
            // It can still be asked for, to learn what is wrong.
            Err(error) => Listed {
                white: error.players.clone(),
                black: "?".to_owned(),
                result: RecordResult::Unfinished.text(),
                plies: 0,
            },
        });
        if is_wanted {
            wanted = Some(item);
        }
    }
    let record = match wanted {
        Some(Ok(record)) => record,
        Some(Err(error)) => return Err(error.to_string()),
        None if games.is_empty() => return Err("no game in this text".to_owned()),
        None => {
            let count = counted(games.len() as u64, "game", "games");
            let number = request.number;
            return Err(format!("{count}, so there is no game {number}"));
        }
    };
    let (game, fault) = Tree::of(&record)?;
    Ok(ReadGames {
        games,
        number: request.number,
        game,
        fault,
    })
}

impl Tree {
    /// The tree of a record, up to the first illegal move of each line; and what is wrong with the first one.
    fn of(record: &GameRecord) -> Result<(Tree, Option<String>), String> {
        check_size(record.count_moves())?;
        let (rules, start) = record.start().map_err(|fault| fault.to_string())?;
        let tags = record.tags().iter();
        let tags = tags.filter(|tag| !TAGS_ELSEWHERE.contains(&tag.name()));
        let mut tree = Tree {
            rules: Preset::name_of(&rules),
            start: format_fen(&start, rules.board),
            tags: tags
                .map(|tag| [tag.name(), tag.value()].map(str::to_owned))
                .collect(),
            introduction: record.introduction().unwrap_or_default().to_owned(),
            conclusion: record.final_comment().unwrap_or_default().to_owned(),
            result: record.result().text().to_owned(),
            nodes: Vec::new(),
        };
        let game = Game::from_position(rules, start);
        let mut fault = None;
        tree.add_line(game, 0, record.moves(), "", &mut fault);
        Ok((tree, fault))
    }

    /// Adds a line that follows the node `parent`, and its variations after each of its moves.
    fn add_line(
        &mut self,
        mut game: Game,
        mut parent: usize,
        moves: &[RecordedMove],
        before: &str,
        fault: &mut Option<String>,
    ) {
        for (index, recorded) in moves.iter().enumerate() {
            let board = game.rules().board;
            let earlier = (!recorded.variations().is_empty()).then(|| (game.clone(), parent));
            let played = parse_turn(recorded.text(), game.rules(), game.position())
                .map_err(|error| error.to_string());
            let played = played.and_then(|(path, mv)| {
                game.play(mv).map_err(|error| error.to_string())?;
                Ok(turn_word(format_path(&path, board), mv, board))
            });
            let word = match played {
                Ok(word) => word,
                Err(error) => {
                    let line = recorded.line().unwrap_or_default();
                    fault.get_or_insert(format!("line {line}: {error}"));
                    return;
                }
            };
            let marks = recorded.annotations().iter().map(|nag| match nag.sign() {
                Some(sign) => sign.to_owned(),
                None => nag.to_string(),
            });
            self.nodes.push(Node {
                parent,
                word,
                comment: recorded.comment().unwrap_or_default().to_owned(),
                before: if index == 0 { before } else { "" }.to_owned(),
                marks: marks.collect(),
            });
            parent = self.nodes.len();
            if let Some((game, parent)) = earlier {
                for variation in recorded.variations() {
                    let before = variation.introduction().unwrap_or_default();
                    self.add_line(game.clone(), parent, variation.moves(), before, fault);
                }
            }
        }
    }

    /// The tree as PGN.
    ///
    /// # Errors
    ///
    /// If it is too large, or something in it is invalid: what, and where.
    pub fn pgn(&self) -> Result<String, String> {
        let rules = parse_rules(&self.rules).map_err(|error| error.to_string())?;
        let start = match self.start.trim() {
            "" => rules.start(),
            fen => parse_fen(fen, rules.board).map_err(|error| error.to_string())?,
        };
        let mut record = GameRecord::new(&rules, &start);
        let wrong = |error: RecordError| error.to_string();
        for [name, value] in &self.tags {
            if !TAGS_ELSEWHERE.contains(&name.as_str()) {
                record.set_tag(name, value).map_err(wrong)?;
            }
        }
        record.set_introduction(&self.introduction);
        record.set_final_comment(&self.conclusion);
        record.set_result(match self.result.as_str() {
            "" => RecordResult::Unfinished,
            text => text
                .parse()
                .map_err(|error: UnknownResult| error.to_string())?,
        });
        let lines = self.lines()?;
        for &node in &lines.of_head[0] {
            record.push_move(self.text(node), None).map_err(wrong)?;
        }
        self.annotate(record.moves_mut(), &lines.of_head[0], &lines, 0)?;
        Ok(record.to_string())
    }

    fn lines(&self) -> Result<Lines, String> {
        let count = self.nodes.len();
        check_size(count)?;
        let mut lines = Lines {
            of_head: vec![Vec::new(); count + 1],
            instead_of: vec![Vec::new(); count + 1],
        };
        // Of each node its first child, and the head of the line that it is in.
        let mut first_child = vec![0; count + 1];
        let mut head = vec![0; count + 1];
        for (index, node) in self.nodes.iter().enumerate() {
            let (number, parent) = (index + 1, node.parent);
            if parent >= number {
                return Err(format!(
                    "move {number} follows move {parent}, expected one before it"
                ));
            }
            match first_child[parent] {
                0 => {
                    first_child[parent] = number;
                    head[number] = head[parent];
                }
                first => {
                    lines.instead_of[first].push(number);
                    head[number] = number;
                }
            }
            lines.of_head[head[number]].push(number);
        }
        Ok(lines)
    }

    /// The turn of a node without what it captures.
    fn text(&self, node: usize) -> &str {
        let word = &self.nodes[node - 1].word;
        word.split(':').next().unwrap_or_default()
    }

    /// Sets comments, annotations and variations of the moves of a line.
    fn annotate(
        &self,
        moves: &mut [RecordedMove],
        line: &[usize],
        lines: &Lines,
        depth: usize,
    ) -> Result<(), String> {
        if depth > MAX_NESTING {
            return Err(format!(
                "variations are nested more than {MAX_NESTING} times"
            ));
        }
        for (mv, &number) in moves.iter_mut().zip(line) {
            let node = &self.nodes[number - 1];
            mv.set_comment(&node.comment);
            let nags = node.marks.iter().map(|mark| {
                let nag = Nag::parse(mark);
                nag.ok_or_else(|| format!("move {number}: no annotation, such as !? or $14"))
            });
            mv.set_annotations(nags.collect::<Result<Vec<Nag>, String>>()?);
            for &head in &lines.instead_of[number] {
                let texts = lines.of_head[head].iter().map(|&node| self.text(node));
                let before = &self.nodes[head - 1].before;
                let variation = Variation::new(before, texts);
                let mut variation = variation.map_err(|error| error.to_string())?;
                let moves = variation.moves_mut();
                self.annotate(moves, &lines.of_head[head], lines, depth + 1)?;
                mv.variations_mut().push(variation);
            }
        }
        Ok(())
    }
}

/// The nodes of a tree as lines: the main line, and one for each variation.
struct Lines {
    /// By the first node of a line, 0 for the main line: its nodes.
    of_head: Vec<Vec<usize>>,
    /// By node: the first nodes of the variations that may be played instead of it.
    instead_of: Vec<Vec<usize>>,
}
