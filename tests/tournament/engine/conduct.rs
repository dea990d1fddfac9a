//! Whether the manager keeps to the protocol.

use vato_engine::protocol::Command;

/// What a manager may say depends on what it has said.
#[derive(Debug, Default)]
pub(super) struct Conduct {
    introduced: bool,
    new_game: bool,
    /// Everything said before the last `isready` has taken effect.
    ready: bool,
    positioned: bool,
    pub(super) search: Search,
}

/// Whether a search runs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Search {
    /// None does.
    #[default]
    None,
    /// One on the engine's own time.
    Own,
    /// One on the opponent's time.
    Pondering,
}

impl Conduct {
    /// Takes note of a command, or says why it does not belong here.
    pub(super) fn take(&mut self, command: &Command) -> Result<(), String> {
        let idle = self.search == Search::None;
        let welcome = match command {
            Command::Handshake(_) => !self.introduced,
            Command::Quit | Command::IsReady | Command::Stop => self.introduced,
            Command::SetOption(_) | Command::NewGame => self.introduced && idle,
            Command::Position(_) => self.new_game && idle,
            Command::Go(_) => self.ready && self.positioned && idle,
            Command::PonderHit => self.search == Search::Pondering,
            _ => false,
        };
        if !welcome {
            return Err(format!("'{command}' does not belong here: {self:?}"));
        }
        match command {
            Command::Handshake(_) => self.introduced = true,
            Command::SetOption(_) => self.ready = false,
            Command::IsReady => self.ready = true,
            Command::NewGame => {
                (self.new_game, self.ready, self.positioned) = (true, false, false);
            }
            Command::Position(_) => self.positioned = true,
            Command::Go(go) => {
                self.positioned = false;
                self.search = if go.ponder {
                    Search::Pondering
                } else {
                    Search::Own
                };
            }
            Command::PonderHit => self.search = Search::Own,
            _ => {}
        }
        Ok(())
    }

    /// The search has been answered.
    pub(super) fn answered(&mut self) {
        self.search = Search::None;
    }
}
