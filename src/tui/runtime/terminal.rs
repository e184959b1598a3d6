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
        let pending = PendingBytes::default();
        let entered = enter(is_mouse_captured).and_then(|()| terminal(&pending));
        let terminal = entered.inspect_err(|_| restore_terminal())?;
        Ok(Self { terminal, pending, is_mouse_captured })
    }

    /// Draws one frame in a single write, since the terminal may refresh between two writes. Captures the mouse, or
    /// leaves the mouse to the terminal, as the model says.
    pub(super) fn draw(&mut self, model: &Model) -> io::Result<()> {
        if model.is_mouse_captured != self.is_mouse_captured {
            self.is_mouse_captured = model.is_mouse_captured;
            let backend = self.terminal.backend_mut();
            if self.is_mouse_captured {
                backend.queue(EnableMouse)?
            } else {
                backend.queue(DisableMouseCapture)?
            };
        }
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
        // A thread that panics may not change the hook: a second panic would end the process here.
        if !thread::panicking() {
            let _ = panic::take_hook();
        }
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

#[cfg(all(test, unix))]
mod tests {
    use std::{env, io::Read as _, num::NonZero};

    use portable_pty::{CommandBuilder, PtySize, native_pty_system};

    use super::*;

    /// The variable that tells the child of a test that it has a terminal.
    const IN_TERMINAL: &str = "APIDISC_TEST_IN_TERMINAL";

    /// A drawing thread with a bug. The next test runs it in a terminal; it does nothing elsewhere.
    #[test]
    fn a_drawing_thread_that_panics() {
        if env::var_os(IN_TERMINAL).is_some() {
            let screen = Screen::enter(true).expect("a terminal");
            assert!(!screen.is_mouse_captured, "nothing can be drawn");
        }
    }

    #[test]
    fn a_panic_while_drawing_restores_the_terminal_and_is_reported() {
        let pair =
            native_pty_system().openpty(PtySize { rows: 30, cols: 120, ..PtySize::default() }).expect("a terminal");
        let mut command = CommandBuilder::new("sh");
        let test = "tui::runtime::terminal::tests::a_drawing_thread_that_panics";
        let script = format!("\"$TESTS\" --exact {test} --nocapture; echo ENDED $? $(stty -a | grep -o -e '-*icanon')");
        command.args(["-c", &script]);
        command.env("TESTS", env::current_exe().expect("this program"));
        command.env(IN_TERMINAL, "1");
        command.env("RUST_BACKTRACE", "0");
        let mut child = pair.slave.spawn_command(command).expect("a shell");
        drop(pair.slave);
        let mut written = Vec::new();
        // The end of the shell closes the terminal, which is an error for the reader.
        let _ = pair.master.try_clone_reader().expect("a reader").read_to_end(&mut written);
        child.wait().expect("the end of the shell");
        let cells = |number| NonZero::new(number).expect("a number of cells");
        let mut parser = vt100::Parser::new(cells(30), cells(120), 0);
        parser.process(&written);
        let screen = parser.screen();
        let text = screen.contents();
        assert!(String::from_utf8_lossy(&written).contains("\x1b[?1049h"), "{text}");
        assert!(text.contains("nothing can be drawn") && text.contains("ENDED 101 icanon"), "{text}");
        assert!(!screen.alternate_screen() && !screen.hide_cursor() && !screen.bracketed_paste());
        assert_eq!(screen.mouse_protocol_mode(), vt100::MouseProtocolMode::None);
    }
}
