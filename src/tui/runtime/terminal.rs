//! The terminal and its two states: the explorer's state (raw mode, alternate screen, bracketed paste) and the shell's
//! state.

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

/// A terminal in the explorer's state; dropping it restores the shell's state.
pub(super) struct Screen {
    terminal: Terminal<CrosstermBackend<PendingBytes>>,
    pending: PendingBytes,
    /// True if the mouse is captured.
    is_mouse_captured: bool,
}

impl Screen {
    /// Enters the explorer's state. From now on a panic of this thread restores the terminal before it is reported;
    /// other threads report their panics as messages.
    pub(super) fn enter(is_mouse_captured: bool) -> io::Result<Self> {
        let drawing = thread::current().id();
        let hook = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            if thread::current().id() == drawing {
                restore_terminal();
                hook(info);
            }
        }));
        enter(is_mouse_captured)?;
        let pending = PendingBytes::default();
        Ok(Self { terminal: terminal(&pending)?, pending, is_mouse_captured })
    }

    /// Captures the mouse, or leaves it to the terminal.
    pub(super) fn capture_mouse(&mut self, is_captured: bool) -> io::Result<()> {
        self.is_mouse_captured = is_captured;
        if is_captured { execute!(stdout(), EnableMouse) } else { execute!(stdout(), DisableMouseCapture) }
    }

    /// Draws one frame in a single write, since the terminal may refresh between two writes.
    pub(super) fn draw(&mut self, model: &Model) -> io::Result<()> {
        self.terminal.backend_mut().queue(BeginSynchronizedUpdate)?;
        self.terminal.draw(|frame| {
            if let Some(cursor) = view::draw(model, frame.buffer_mut()) {
                frame.set_cursor_position(cursor);
            }
        })?;
        self.terminal.backend_mut().queue(EndSynchronizedUpdate)?;
        self.pending.send()
    }

    /// Writes an escape sequence that draws nothing.
    pub(super) fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.terminal.backend_mut().write_all(bytes)?;
        self.pending.send()
    }

    /// Restores the shell's state while `work` runs.
    pub(super) fn with_shell_state<T>(&mut self, work: impl FnOnce() -> T) -> io::Result<T> {
        restore_terminal();
        let outcome = work();
        self.reenter()?;
        Ok(outcome)
    }

    /// Enters the explorer's state again; the next frame draws everything anew.
    pub(super) fn reenter(&mut self) -> io::Result<()> {
        enter(self.is_mouse_captured)?;
        // `Terminal::clear` is not used, since it queries the position of the cursor and waits for the answer.
        self.terminal = terminal(&self.pending)?;
        Ok(())
    }

    /// The present size of the terminal, as a message. Changes while other programs use the terminal cause no events.
    pub(super) fn size(&self) -> io::Result<Message> {
        let size = self.terminal.backend().size()?;
        Ok(Message::Resize(size.width, size.height))
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        restore_terminal();
        let _ = panic::take_hook();
    }
}

/// A terminal of ratatui that assumes an empty screen.
fn terminal(pending: &PendingBytes) -> io::Result<Terminal<CrosstermBackend<PendingBytes>>> {
    Terminal::new(CrosstermBackend::new(pending.clone()))
}

/// Collects the bytes of a frame until `send`. `flush` does nothing, since ratatui flushes before a frame is complete.
#[derive(Clone, Default)]
struct PendingBytes(Rc<RefCell<Vec<u8>>>);

impl PendingBytes {
    fn send(&self) -> io::Result<()> {
        let mut bytes = self.0.borrow_mut();
        let mut stdout = stdout().lock();
        stdout.write_all(&sgr::shortened(&bytes))?;
        bytes.clear();
        stdout.flush()
    }
}

impl Write for PendingBytes {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.borrow_mut().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn enter(is_mouse_captured: bool) -> io::Result<()> {
    enable_raw_mode()?;
    execute!(stdout(), EnterAlternateScreen, Clear(ClearType::All), EnableBracketedPaste)?;
    if is_mouse_captured { execute!(stdout(), EnableMouse) } else { Ok(()) }
}

/// Restores the shell's state of the terminal. Failures are ignored, since they mean that the terminal is gone.
pub(super) fn restore_terminal() {
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

/// Requests events of buttons, of the wheel, and of movements while a button is down. crossterm's own command requests
/// all movements, which would keep the program busy.
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
