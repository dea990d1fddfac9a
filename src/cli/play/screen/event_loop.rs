//! The event loop of the full-screen mode.

use std::collections::VecDeque;
use std::panic::{RefUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::{env, io, iter};

use crossterm::event::{self, Event as TerminalEvent};
use crossterm::terminal;
use vato_engine::notation::Charset;
use vato_tools::play::{Effect, Input, Model, SearchEvent, SearchThread};

use super::frame::Frame;
use super::help::Page;
use super::terminal::{EndRequests, TakenTerminal, restore_on_panic};
use super::theme::Theme;
use super::{Mode, Question, Screen, view};
use crate::cli::play::effects::{Consequence, carry_out};
use crate::cli::play::{Stopwatch, TICK, spawn_engine};
use crate::cli::support::failure::Failure;
use vato_engine::engine::Settings;

/// Ticks between two steps of the activity indicator.
const BEAT: u32 = 4;

enum Event {
    /// A key, the mouse, or a change of size; an error if the terminal can no longer be read.
    Terminal(io::Result<TerminalEvent>),
    /// A report of the engine: the number of the search and the event.
    Search(u64, SearchEvent),
}

pub(in crate::cli::play) fn run(
    model: Model,
    effects: Vec<Effect>,
    engine: Settings,
    charset: Charset,
) -> Result<(), Failure> {
    let (sender, events) = channel();
    let requests = EndRequests::listen()?;
    let mut engine = spawn_engine(engine, sender.clone(), Event::Search)?;
    // <https://no-color.org>
    let coloured = env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
    let mut screen = Screen::new(model, charset, Theme::new(coloured));
    let end = {
        restore_on_panic();
        let taken = TakenTerminal::take()?;
        // This thread ends with the program.
        thread::Builder::new()
            .name("terminal".to_owned())
            .spawn(move || pass_on(event::read, &sender))?;
        carry_out_all(&mut screen, &mut engine, effects);
        play(&mut screen, taken, &mut engine, &events, &requests)
        // The terminal has been restored before any error is printed.
    };
    requests.obey();
    end
}

/// Sends what is read as events until reading fails. A panic counts as a failure: otherwise the game would
/// wait for ever for keys that nobody reads.
fn pass_on(read: impl Fn() -> io::Result<TerminalEvent> + RefUnwindSafe, events: &Sender<Event>) {
    loop {
        let read = catch_unwind(&read)
            .unwrap_or_else(|_| Err(io::Error::other("what it has sent broke its reader")));
        let goes_on = read.is_ok();
        if events.send(Event::Terminal(read)).is_err() || !goes_on {
            break;
        }
    }
}

fn play(
    screen: &mut Screen,
    mut taken: TakenTerminal,
    engine: &mut SearchThread,
    events: &Receiver<Event>,
    requests: &EndRequests,
) -> Result<(), Failure> {
    let mut watch = Stopwatch::start()?;
    let mut ticks: u32 = 0;
    while !screen.done && !requests.is_any() {
        screen.beat = (ticks / BEAT) as usize;
        let mut frame = Frame::new(terminal::size()?);
        screen.geometry = view::draw(screen, &mut frame);
        taken.show(frame)?;
        let first = match events.recv_timeout(TICK) {
            Err(RecvTimeoutError::Timeout) => {
                ticks = ticks.wrapping_add(1);
                None
            }
            // The engine's thread holds the other end, and ends after this one.
            Err(RecvTimeoutError::Disconnected) => break,
            event => event.ok(),
        };
        // All pending events are handled before the next frame.
        let happened: Vec<Event> = first
            .into_iter()
            .chain(iter::from_fn(|| events.try_recv().ok()))
            .collect();
        let effects = screen.model.update(Input::Elapsed(watch.take()));
        carry_out_all(screen, engine, effects);
        for event in happened {
            let effects = match event {
                Event::Terminal(event) => {
                    match event.map_err(Failure::cannot_read("the terminal"))? {
                        TerminalEvent::Key(key) => screen.key(key),
                        TerminalEvent::Mouse(mouse) => screen.mouse(mouse),
                        // The next frame has the new size.
                        _ => Vec::new(),
                    }
                }
                Event::Search(id, event) => screen.model.update(Input::Search { id, event }),
            };
            carry_out_all(screen, engine, effects);
        }
        if std::mem::take(&mut screen.is_to_halt) {
            taken = taken.suspend()?;
            // Time while suspended does not count.
            watch.take();
        }
    }
    Ok(())
}

/// Carries out effects and those that follow from them.
fn carry_out_all(screen: &mut Screen, engine: &mut SearchThread, effects: Vec<Effect>) {
    let mut effects = VecDeque::from(effects);
    while let Some(effect) = effects.pop_front() {
        match carry_out(engine, effect) {
            None => {}
            Some(Consequence::Input(input)) => effects.extend(screen.model.update(input)),
            Some(Consequence::MayReplace(path)) => {
                screen.mode = Mode::Asked(Question::Replace(path));
            }
            Some(Consequence::Page(lines)) => screen.mode = Mode::Page(Page::Review(lines), 0),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;
    use std::panic::AssertUnwindSafe;

    use super::*;

    #[test]
    fn a_terminal_that_cannot_be_read_is_gone() {
        for panics in [false, true] {
            let (sender, events) = channel();
            let count = AssertUnwindSafe(Cell::new(0));
            let read = move || {
                count.set(count.get() + 1);
                match (count.get(), panics) {
                    (1, _) => Ok(TerminalEvent::FocusGained),
                    (_, false) => Err(io::Error::other("unplugged")),
                    (_, true) => panic!("0 - 1"),
                }
            };
            pass_on(read, &sender);
            assert!(matches!(events.try_recv(), Ok(Event::Terminal(Ok(_)))));
            assert!(matches!(events.try_recv(), Ok(Event::Terminal(Err(_)))));
            assert!(events.try_recv().is_err());
        }
    }
}
