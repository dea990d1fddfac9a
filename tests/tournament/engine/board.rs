//! The engine's board: what it was told, and which moves it sees there.

use chacha20::ChaCha8Rng;
use rand::{RngExt, SeedableRng};
use vato_engine::board::Move;
use vato_engine::notation::{format_move, format_path, parse_fen, parse_turn};
use vato_engine::protocol::{Command, PositionCommand, SetOption};
use vato_engine::rules::{ChainRule, Game, Preset, Rules, legal_moves, legal_paths, parse_rules};

/// Rules and position.
#[derive(Debug)]
pub(super) struct Board {
    preset: Preset,
    custom: Rules,
    pub(super) game: Game,
    /// The position as it was told: what draws of moves depend on.
    told: String,
}

impl Board {
    pub(super) fn new() -> Board {
        Board {
            preset: Preset::Tsivy,
            custom: Rules::STANDARD,
            game: Game::new(Rules::STANDARD),
            told: String::new(),
        }
    }

    fn rules(&self) -> Rules {
        self.preset.rules().unwrap_or(self.custom)
    }

    /// Obeys an option that tells the rules; others mean nothing here. `Rules` means something
    /// under `custom`, or to an engine that has no `UCI_Variant`.
    pub(super) fn set_option(
        &mut self,
        option: &SetOption,
        rules_only: bool,
    ) -> Result<(), String> {
        let value = option.value.as_deref().unwrap_or_default();
        match option.name.as_str() {
            "UCI_Variant" => self.preset = value.parse()?,
            "Rules" => {
                self.custom = parse_rules(value)?;
                if rules_only {
                    self.preset = Preset::Custom;
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// Obeys an option of an engine that has names of its own for rules.
    pub(super) fn set_own_option(&mut self, option: &SetOption) -> Result<(), String> {
        let value = option.value.as_deref().unwrap_or_default();
        self.preset = Preset::Custom;
        match option.name.as_str() {
            "Variant" => {
                let named = parse_rules(value)?;
                self.custom.board = named.board;
            }
            "MandatoryContinuation" if value == "true" => self.custom.chain = ChainRule::Full,
            "MandatoryContinuation" => self.custom.chain = ChainRule::Free,
            "NoCaptureLimit" => {
                self.custom.limit = value.parse().map_err(|error| format!("{error}"))?;
            }
            "Hash" => {}
            other => return Err(format!("option '{other}' is not declared")),
        }
        Ok(())
    }

    /// Sets up a position. A manager whose positions or moves are wrong is told so.
    pub(super) fn set(&mut self, command: &PositionCommand) -> Result<(), String> {
        let rules = self.rules();
        let mut game = match &command.fen {
            None => Game::new(rules),
            Some(fen) => {
                let start = parse_fen(fen, rules.board)?;
                Game::from_position(rules, start)
            }
        };
        for text in command.moves.split_whitespace() {
            let (_, mv) = parse_turn(text, &rules, game.position())
                .map_err(|error| format!("position: {error}"))?;
            if let Some(outcome) = game.outcome() {
                return Err(format!("'{text}' after the end: {outcome}"));
            }
            game.play(mv)
                .map_err(|error| format!("position: {error}"))?;
        }
        if let Some(outcome) = game.outcome() {
            return Err(format!("a position of a finished game: {outcome}"));
        }
        self.game = game;
        self.told = Command::Position(command.clone()).to_string();
        Ok(())
    }

    /// All moves, in an order that is always the same.
    pub(super) fn moves(&self) -> Vec<Move> {
        legal_moves(self.game.rules(), self.game.position()).to_vec()
    }

    /// The move that is played: drawn by `seed` and the position, so that a game is the same
    /// however often it is played; without a seed the first.
    pub(super) fn choice(&self, seed: Option<u64>) -> Move {
        let moves = self.moves();
        let index = seed.map_or(0, |seed| {
            let position = u64::from(crc32fast::hash(self.told.as_bytes()));
            ChaCha8Rng::seed_from_u64(seed << 32 | position).random_range(0..moves.len())
        });
        moves[index]
    }

    pub(super) fn text(&self, mv: Move) -> String {
        format_move(self.game.rules(), self.game.position(), mv).expect("a legal move")
    }

    /// `mv` by another path than that of [`Board::text`], if there is one.
    pub(super) fn other_path(&self, mv: Move) -> Option<String> {
        let (rules, position) = (self.game.rules(), self.game.position());
        let paths = legal_paths(rules, position).into_iter();
        let mut paths = paths.filter(|(_, end)| *end == mv);
        paths.find_map(|(path, _)| {
            Some(format_path(&path, rules.board)).filter(|text| *text != self.text(mv))
        })
    }

    /// The first legal reply to `mv`, if the game goes on.
    pub(super) fn first_reply(&self, mv: Move) -> Option<String> {
        let mut ahead = self.game.clone();
        ahead.play(mv).expect("a legal move");
        if ahead.outcome().is_some() {
            return None;
        }
        let reply = *legal_moves(ahead.rules(), ahead.position()).first()?;
        format_move(ahead.rules(), ahead.position(), reply)
    }

    /// Stones of the side to move beyond those of the other.
    pub(super) fn lead(&self) -> i64 {
        let position = self.game.position();
        i64::from(position.own().count()) - i64::from(position.enemy().count())
    }
}
