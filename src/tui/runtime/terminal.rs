//! The terminal in its two states: the explorer's, and as the person's shell left it.

use std::{
    cell::RefCell,
    fmt,
    io::{self, Write, stdout},
    panic,
    rc::Rc,
    thread,
};

use crossterm::{
    Command, QueueableCommand as _,
    cursor::Show,
    event::{DisableBracketedPaste, DisableMouseCapture, EnableBracketedPaste},
    execute,
    terminal::{
        BeginSynchronizedUpdate, Clear, ClearType, EndSynchronizedUpdate, EnterAlternateScreen, LeaveAlternateScreen,
        disable_raw_mode, enable_raw_mode,
    },
};
use ratatui::{
    Terminal,
    backend::{Backend as _, CrosstermBackend},
};

use super::sgr;
use crate::tui::{message::Message, model::Model, view};

/// A terminal in the explorer's state; dropping it gives the terminal back.
pub(super) struct Screen {
    terminal: Terminal<CrosstermBackend<Outbox>>,
    outbox: Outbox,
    /// The mouse is taken.
    mouse: bool,
}

impl Screen {
    /// Takes the terminal. From here on a panic of this thread gives it back before it is reported; other
    /// threads report theirs as messages.
    pub(super) fn take(mouse: bool) -> io::Result<Self> {
        let drawing = thread::current().id();
        let hook = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            if thread::current().id() == drawing {
                give_back();
                hook(info);
            }
        }));
        enter(mouse)?;
        let outbox = Outbox::default();
        Ok(Self { terminal: terminal(&outbox)?, outbox, mouse })
    }

    /// Takes the mouse, or leaves it to the terminal.
    pub(super) fn take_mouse(&mut self, mouse: bool) -> io::Result<()> {
        self.mouse = mouse;
        if mouse { execute!(stdout(), EnableMouse) } else { execute!(stdout(), DisableMouseCapture) }
    }

    /// Draws one frame. It leaves in a single write: between two of them the other side may already draw.
    pub(super) fn draw(&mut self, model: &Model) -> io::Result<()> {
        self.terminal.backend_mut().queue(BeginSynchronizedUpdate)?;
        self.terminal.draw(|frame| {
            if let Some(cursor) = view::draw(model, frame.buffer_mut()) {
                frame.set_cursor_position(cursor);
            }
        })?;
        self.terminal.backend_mut().queue(EndSynchronizedUpdate)?;
        self.outbox.send()
    }

    /// Writes an escape sequence that draws nothing.
    pub(super) fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.terminal.backend_mut().write_all(bytes)?;
        self.outbox.send()
    }

    /// Gives the terminal away while `work` runs.
    pub(super) fn lend<T>(&mut self, work: impl FnOnce() -> T) -> io::Result<T> {
        give_back();
        let outcome = work();
        self.retake()?;
        Ok(outcome)
    }

    /// Takes the terminal again, and draws everything anew with the next frame.
    pub(super) fn retake(&mut self) -> io::Result<()> {
        enter(self.mouse)?;
        // Not `Terminal::clear`: that asks the terminal where its cursor is and waits for the answer.
        self.terminal = terminal(&self.outbox)?;
        Ok(())
    }

    /// The size that the terminal has by now: what others did with it is told to nobody.
    pub(super) fn size(&self) -> io::Result<Message> {
        let size = self.terminal.backend().size()?;
        Ok(Message::Resize(size.width, size.height))
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        give_back();
        let _ = panic::take_hook();
    }
}

/// Believes that the screen is empty.
fn terminal(outbox: &Outbox) -> io::Result<Terminal<CrosstermBackend<Outbox>>> {
    Terminal::new(CrosstermBackend::new(outbox.clone()))
}

/// Keeps what is written until it is sent; the terminal library flushes before the frame is over.
#[derive(Clone, Default)]
struct Outbox(Rc<RefCell<Vec<u8>>>);

impl Outbox {
    fn send(&self) -> io::Result<()> {
        let mut bytes = self.0.borrow_mut();
        let mut stdout = stdout().lock();
        stdout.write_all(&sgr::shortened(&bytes))?;
        bytes.clear();
        stdout.flush()
    }
}

impl Write for Outbox {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.borrow_mut().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn enter(mouse: bool) -> io::Result<()> {
    enable_raw_mode()?;
    execute!(stdout(), EnterAlternateScreen, Clear(ClearType::All), EnableBracketedPaste)?;
    if mouse { execute!(stdout(), EnableMouse) } else { Ok(()) }
}

/// Leaves the terminal as the shell left it. Nothing can be done where one of these fails: the terminal is gone.
pub(super) fn give_back() {
    let _ = execute!(
        stdout(),
        EndSynchronizedUpdate,
        DisableBracketedPaste,
        DisableMouseCapture,
        LeaveAlternateScreen,
        Show
    );
    let _ = disable_raw_mode();
}

/// Buttons, the wheel, and movements while a button is down: crossterm's own command asks for all movements,
/// and each would wake the program up.
struct EnableMouse;

impl Command for EnableMouse {
    fn write_ansi(&self, f: &mut impl fmt::Write) -> fmt::Result {
        f.write_str("\x1b[?1000h\x1b[?1002h\x1b[?1006h")
    }

    #[cfg(windows)]
    fn execute_winapi(&self) -> io::Result<()> {
        crossterm::event::EnableMouseCapture.execute_winapi()
    }

    #[cfg(windows)]
    fn is_ansi_code_supported(&self) -> bool {
        crossterm::event::EnableMouseCapture.is_ansi_code_supported()
    }
}
