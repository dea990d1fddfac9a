//! Games between PGN and the page.

use std::collections::HashMap;
use std::io::Cursor;
use std::iter::{once, successors};

use serde::{Deserialize, Serialize};

use super::place::start;
use crate::game_formats::{self, NO_GAME, is_foreign, respelled};
use crate::pages::turn_word;
use vato_engine::notation::{format_fen, format_path};
use vato_engine::rules::{Game, Preset};
use vato_engine::text::counted;
use vato_records::pgn::{
    GameRecord, MAX_NESTING, Nag, PgnReader, RecordResult, RecordedMove, Variation,
};
use vato_records::read_exact_turn;

/// The largest PGN file that a page may upload, in bytes.
pub const MAX_PGN_BYTES: usize = 8 << 20;

/// The most games of a file that are listed.
const MAX_GAMES: usize = 10_000;

/// The most moves of a game that is shown, with those of its variations.
pub(super) const MAX_NODES: usize = 10_000;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ReadRequest {
    pub pgn: String,
    /// The number of the game wanted, from 1.
    #[serde(default = "first")]
    pub number: usize,
}

const fn first() -> usize {
    1
}

/// The games of a file, and one of them in full.
#[derive(Debug, Serialize)]
pub(super) struct ReadGames {
    /// The text as PGN, if it was in another format.
    #[serde(skip_serializing_if = "Option::is_none")]
    pgn: Option<String>,
    games: Vec<Listed>,
    /// Where further games begin that are not listed, in UTF-16 units.
    #[serde(skip_serializing_if = "Option::is_none")]
    rest: Option<usize>,
    number: usize,
    game: Tree,
    /// Moves of it that are illegal, which are kept as text, in comments, with all that follows them; tags
    /// that are given twice or are not right, which are kept so as well.
    faults: Vec<String>,
}

#[derive(Debug, Serialize)]
struct Listed {
    white: String,
    black: String,
    result: &'static str,
    plies: usize,
    /// Where its text begins, in UTF-16 units, as scripts count.
    begins: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    fault: Option<String>,
}

/// A game with its variations.
#[derive(Debug, Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct Tree {
    rules: String,
    start: String,
    /// All tags but those of rules and start.
    tags: Vec<[String; 2]>,
    introduction: String,
    conclusion: String,
    result: String,
    /// The moves: parents before children, of two children the one of the main line first.
    nodes: Vec<Node>,
    /// The last move of the game, as a place in the list, if others follow it: an analysis, which is saved as a
    /// variation that begins with that move. 0 for a game that ended before its first move: they are saved as a game without a result.
    #[serde(skip_serializing_if = "Option::is_none")]
    end: Option<usize>,
}

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

/// Reads the games of a file: the one wanted, or else the next one that can be read, or else the last one.
pub(super) fn read(request: &ReadRequest) -> Result<ReadGames, String> {
    let (pgn, damaged) = game_formats::as_pgn(&request.pgn).unzip();
    let (text, mut games) = (pgn.as_deref().unwrap_or(&request.pgn), Vec::new());
    let mut found: Option<(usize, GameRecord)> = None;
    let mut reader = PgnReader::new(Cursor::new(text));
    let mut damaged = damaged.into_iter().flatten().peekable();
    let (mut end, mut begins) = (0, 0);
    while games.len() < MAX_GAMES {
        // One that is left out of the PGN has its number, and no text.
        let left_out = damaged.next_if(|(before, _)| *before == games.len());
        let item = left_out.map(|(_, error)| Err(error));
        let Some(item) = item.or_else(|| reader.next()) else {
            break;
        };
        let mut listed = Listed {
            white: "?".to_owned(),
            black: "?".to_owned(),
            result: RecordResult::Unfinished.name(),
            plies: 0,
            begins,
            fault: None,
        };
        match respelled(item).map(|record| (check(&record), record)) {
            Err(error) => {
                (listed.white, listed.fault) = (error.players.clone(), Some(error.to_string()))
            }
            Ok((Err(fault), record)) => {
                (listed.white, listed.fault) = (record.players(), Some(fault))
            }
            Ok((Ok(()), record)) => {
                let name = |tag| record.tag_value(tag).unwrap_or("?").to_owned();
                (listed.white, listed.black) = (name("White"), name("Black"));
                (listed.result, listed.plies) = (record.result().name(), record.moves().len());
                if found.as_ref().is_none_or(|(of, _)| *of < request.number) {
                    found = Some((games.len() + 1, record));
                }
            }
        }
        games.push(listed);
        let next = usize::try_from(reader.offset()).unwrap_or(usize::MAX);
        let own = text.get(end..next).unwrap_or_default();
        (end, begins) = (next, begins + own.encode_utf16().count());
    }
    let rest = (games.len() == MAX_GAMES && reader.next().is_some()).then_some(begins);
    let first_fault = games.iter().find_map(|game| game.fault.clone());
    let (number, record) = match found {
        Some(found) if request.number <= games.len() => found,
        None => return Err(first_fault.unwrap_or_else(|| NO_GAME.to_owned())),
        Some(_) if rest.is_some() => {
            return Err(format!("only the first {MAX_GAMES} games are listed"));
        }
        Some(_) => {
            let count = counted(games.len() as u64, "game", "games");
            let number = request.number;
            return Err(format!("{count}, so there is no game {number}"));
        }
    };
    let (game, faults) = Tree::of(&record)?;
    Ok(ReadGames {
        pgn,
        games,
        rest,
        number,
        game,
        faults,
    })
}

/// Checks that there is a game which can be shown.
fn check(record: &GameRecord) -> Result<(), String> {
    let count = record.count_moves();
    if count > MAX_NODES {
        return Err(format!("{count} moves, expected at most {MAX_NODES}"));
    }
    record.start().map_err(|fault| fault.to_string())?;
    // Words that are no moves, and nothing else, are no game.
    if is_foreign(record) {
        let (tree, mut faults) = Tree::of(record)?;
        if tree.nodes.is_empty() {
            return Err(faults.drain(..).next().unwrap_or(NO_GAME.to_owned()));
        }
    }
    Ok(())
}

/// The result that is given, else that of the rules.
fn result(record: &GameRecord) -> RecordResult {
    match (record.result(), record.replay()) {
        (RecordResult::Unfinished, Ok(game)) => game.outcome().into(),
        (given, _) => given,
    }
}

impl Tree {
    /// The tree of a record, and what is wrong with its moves.
    fn of(record: &GameRecord) -> Result<(Tree, Vec<String>), String> {
        let (rules, start) = record.start().map_err(|fault| fault.to_string())?;
        let tree = Tree {
            rules: Preset::name_of(&rules),
            start: format_fen(&start, rules.board),
            tags: Vec::new(),
            introduction: record.introduction().unwrap_or_default().to_owned(),
            conclusion: record.final_comment().unwrap_or_default().to_owned(),
            result: result(record).name().to_owned(),
            nodes: Vec::new(),
            end: None,
        };
        let mut planter = Planter {
            tree,
            known: HashMap::new(),
            faults: Vec::new(),
        };
        for tag in record.tags() {
            let (name, value) = (tag.name(), tag.value());
            // The first of a name counts, as everywhere; the others are not lost either.
            let fault = if record.tag(name) != Some(tag) {
                let line = tag.line().unwrap_or_default();
                Some(format!("line {line}: '{name}' is given twice"))
            } else if name == "Result" && record.tag_value(name).is_some() {
                record.wrong_result().map(|fault| fault.to_string())
            } else {
                None
            };
            if let Some(fault) = fault {
                planter.faults.push(fault);
                planter.say(0, &format!("[{name} \"{value}\"]"));
            } else if !TAGS_ELSEWHERE.contains(&name) {
                planter.tree.tags.push([name, value].map(str::to_owned));
            }
        }
        let game = Game::from_position(rules, start);
        let last = planter.add_line(&game, 0, 0, record.moves(), "");
        if let Ok(game) = record.replay()
            && let given @ (RecordResult::WhiteWins | RecordResult::BlackWins | RecordResult::Draw) =
                record.result()
            && let ended = RecordResult::from(game.outcome())
            && ![given, RecordResult::Unfinished].contains(&ended)
        {
            let line = record.result_line().unwrap_or_default();
            let fault = format!("line {line}: the result is {given}, by the rules it is {ended}");
            planter.faults.push(fault);
        }
        let mut tree = planter.tree;
        let goes_on = tree.nodes.iter().any(|node| node.parent == last);
        tree.end = goes_on.then_some(last);
        Ok((tree, planter.faults))
    }

    pub fn pgn(&self) -> Result<String, String> {
        let (rules, start) = start(&self.rules, &self.start)?;
        let mut record = GameRecord::new(&rules, &start);
        let is_analysis = self.end == Some(0) && !self.nodes.is_empty();
        for [name, value] in &self.tags {
            let is_left = is_analysis && name == "Termination";
            if !is_left && !TAGS_ELSEWHERE.contains(&name.as_str()) {
                record.set_tag(name, value)?;
            }
        }
        record.set_introduction(&self.introduction);
        record.set_final_comment(&self.conclusion);
        record.set_result(match self.result.as_str() {
            _ if is_analysis => RecordResult::Unfinished,
            "" => RecordResult::Unfinished,
            text => text.parse()?,
        });
        let children = self.children()?;
        let mut main_line = line(children[0].first(), &children);
        let end = main_line.iter().position(|&node| Some(node) == self.end);
        main_line.truncate(end.map_or(main_line.len(), |place| place + 1));
        for &node in &main_line {
            record.push_move(self.text(node), None)?;
        }
        self.annotate(record.moves_mut(), &main_line, &children, 0)?;
        record.set_result(result(&record));
        Ok(record.to_string())
    }

    /// Of each node, and of the start, the nodes that follow it.
    fn children(&self) -> Result<Vec<Vec<usize>>, String> {
        let mut children = vec![Vec::new(); self.nodes.len() + 1];
        for (number, node) in (1..).zip(&self.nodes) {
            let parent = node.parent;
            if parent >= number {
                return Err(format!(
                    "move {number} follows move {parent}, expected one before it"
                ));
            }
            children[parent].push(number);
        }
        Ok(children)
    }

    /// The turn of a node without what it captures.
    fn text(&self, node: usize) -> &str {
        let word = &self.nodes[node - 1].word;
        word.split(':').next().unwrap_or_default()
    }

    fn annotate(
        &self,
        moves: &mut [RecordedMove],
        line: &[usize],
        children: &[Vec<usize>],
        depth: usize,
    ) -> Result<(), String> {
        if depth > MAX_NESTING {
            let head = self.text(line[0]);
            return Err(format!(
                "move {head}: variations are nested more than {MAX_NESTING} times"
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
            let others = match &children[node.parent][..] {
                [first, others @ ..] if *first == number => others,
                _ => &[],
            };
            // Another move, or this one with what follows the game.
            let ends = (Some(number) == self.end && depth == 0).then_some(&number);
            for head in others.iter().chain(ends) {
                let line = self::line(Some(head), children);
                let texts = line.iter().map(|&node| self.text(node));
                let before = &self.nodes[head - 1].before;
                let repeated = usize::from(*head == number);
                let before = if repeated == 0 { before } else { "" };
                let mut variation = Variation::new(before, texts)?;
                let moves = &mut variation.moves[repeated..];
                self.annotate(moves, &line[repeated..], children, depth + 1)?;
                mv.variations.push(variation);
            }
        }
        Ok(())
    }
}

struct Planter {
    tree: Tree,
    /// Nodes by their parent and their word: a variation that begins like another line is a part of that.
    known: HashMap<(usize, String), usize>,
    faults: Vec<String>,
}

impl Planter {
    /// Adds a line that follows the node `parent` and may be played instead of `other`, then the variations
    /// of its moves. The answer is its last node.
    fn add_line(
        &mut self,
        game: &Game,
        parent: usize,
        other: usize,
        moves: &[RecordedMove],
        before: &str,
    ) -> usize {
        let (mut now, mut node, mut added) = (game.clone(), parent, Vec::new());
        for (index, recorded) in moves.iter().enumerate() {
            let before = if index == 0 { before } else { "" };
            let board = now.rules().board;
            let text = recorded.text();
            let played = match now.outcome() {
                Some(_) => Err(format!("'{text}' comes after the end of the game")),
                None => read_exact_turn(text, now.rules(), now.position())
                    .map_err(|error| error.to_string()),
            };
            let played = played.and_then(|(path, mv)| {
                now.play(mv).map_err(|error| error.to_string())?;
                Ok((turn_word(format_path(&path, board), mv, board), mv))
            });
            match played {
                Ok((word, mv)) => {
                    node = self.node(node, word, recorded, before);
                    added.push((node, mv));
                }
                Err(error) => {
                    let line = recorded.line().unwrap_or_default();
                    self.faults.push(format!("line {line}: {error}"));
                    let lost = [before, &as_text(&moves[index..])].join(" ");
                    self.say(if index == 0 { other } else { node }, lost.trim());
                    break;
                }
            }
        }
        let (mut now, mut parent) = (game.clone(), parent);
        for (recorded, (node, mv)) in moves.iter().zip(added) {
            for variation in &recorded.variations {
                let before = variation.introduction.as_deref().unwrap_or_default();
                self.add_line(&now, parent, node, &variation.moves, before);
                self.say(node, variation.comment_after.as_deref().unwrap_or_default());
            }
            // It has been played above.
            let _ = now.play(mv);
            parent = node;
        }
        parent
    }

    /// The node of a move: a new one, or the one that is there, with what this one says of it as well.
    fn node(
        &mut self,
        parent: usize,
        word: String,
        recorded: &RecordedMove,
        before: &str,
    ) -> usize {
        let marks = recorded.annotations().iter().map(Nag::mark);
        let comment = recorded.comment.as_deref().unwrap_or_default();
        if let Some(&known) = self.known.get(&(parent, word.clone())) {
            self.say(known, before);
            self.say(known, comment);
            let node = &mut self.tree.nodes[known - 1];
            let new: Vec<String> = marks.filter(|mark| !node.marks.contains(mark)).collect();
            node.marks.extend(new);
            return known;
        }
        self.tree.nodes.push(Node {
            parent,
            word: word.clone(),
            comment: comment.to_owned(),
            before: before.to_owned(),
            marks: marks.collect(),
        });
        let number = self.tree.nodes.len();
        self.known.insert((parent, word), number);
        number
    }

    /// Adds a comment to a node, or at the start.
    fn say(&mut self, node: usize, text: &str) {
        let comment = match node.checked_sub(1) {
            Some(place) => &mut self.tree.nodes[place].comment,
            None => &mut self.tree.introduction,
        };
        if !comment.is_empty() && !text.is_empty() {
            comment.push(' ');
        }
        comment.push_str(text);
    }
}

/// Moves with all that is said of them, for those that are not legal.
fn as_text(moves: &[RecordedMove]) -> String {
    let words = moves.iter().flat_map(|mv| {
        let variations = mv.variations.iter().map(|variation| {
            let comment = variation
                .introduction
                .as_deref()
                .map(|text| format!("{{{text}}} "));
            let moves = as_text(&variation.moves);
            let after = variation
                .comment_after
                .as_deref()
                .map(|text| format!(" {{{text}}}"));
            format!(
                "({}{moves}){}",
                comment.unwrap_or_default(),
                after.unwrap_or_default()
            )
        });
        once(mv.text().to_owned())
            .chain(mv.annotations().iter().map(Nag::to_string))
            .chain(mv.comment.as_deref().map(|text| format!("{{{text}}}")))
            .chain(variations)
    });
    words.collect::<Vec<_>>().join(" ")
}

/// The line that begins with a node: the first that follows each.
fn line(head: Option<&usize>, children: &[Vec<usize>]) -> Vec<usize> {
    successors(head, |&&node| children[node].first())
        .copied()
        .collect()
}
