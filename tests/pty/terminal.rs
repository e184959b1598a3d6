//! A terminal emulator on a pseudoterminal that records its screen. It never sleeps for a fixed time: every wait is for
//! an expected text or state.

use std::{
    io::{Read as _, Write},
    num::NonZero,
    sync::{Arc, Condvar, Mutex},
    thread,
    time::{Duration, Instant},
};

use base64::{Engine as _, engine::general_purpose::STANDARD};
use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, native_pty_system};

/// The longest wait. It is generous for slow machines; a passing test never waits this long.
const DEADLINE: Duration = Duration::from_mins(1);

pub(crate) struct Terminal {
    state: Arc<(Mutex<State>, Condvar)>,
    writer: Box<dyn Write + Send>,
    master: Box<dyn MasterPty + Send>,
    child: Box<dyn Child + Send + Sync>,
    _home: tempfile::TempDir,
}

struct State {
    parser: vt100::Parser,
    bytes: Vec<u8>,
    is_closed: bool,
}

impl State {
    /// The text of each escape sequence for the clipboard.
    fn clipboard(&self) -> Vec<String> {
        let text = String::from_utf8_lossy(&self.bytes);
        let sequences = text.split("\x1b]52;c;").skip(1).filter_map(|sequence| Some(sequence.split_once('\x07')?.0));
        sequences.map(|payload| String::from_utf8(STANDARD.decode(payload).unwrap()).unwrap()).collect()
    }
}

impl Terminal {
    /// Starts the binary in a terminal of this size.
    pub(crate) fn open(columns: u16, rows: u16, arguments: &[&str], environment: &[(&str, &str)]) -> Self {
        Self::start(env!("CARGO_BIN_EXE_apidisc-tui"), columns, rows, arguments, environment)
    }

    /// Starts a shell in a terminal of this size; `$BINARY` is the path of the binary.
    pub(crate) fn shell(columns: u16, rows: u16, script: &str) -> Self {
        Self::start("sh", columns, rows, &["-c", script], &[("BINARY", env!("CARGO_BIN_EXE_apidisc-tui"))])
    }

    /// Starts a program in a terminal of this size.
    pub(crate) fn start(
        program: &str,
        columns: u16,
        rows: u16,
        arguments: &[&str],
        environment: &[(&str, &str)],
    ) -> Self {
        let size = PtySize { rows, cols: columns, pixel_width: 0, pixel_height: 0 };
        let pair = native_pty_system().openpty(size).unwrap();
        let mut command = CommandBuilder::new(program);
        command.args(arguments);
        command.cwd(std::env::current_dir().unwrap());
        for name in ["TMUX", "SSH_TTY", "SSH_CONNECTION", "SSH_CLIENT", "NO_COLOR", "VISUAL", "EDITOR"] {
            command.env_remove(name);
        }
        command.env("TERM", "xterm-256color");
        // The configuration and the sessions of the user who runs the tests are neither read nor written.
        let home = tempfile::tempdir().unwrap();
        command.env("HOME", home.path());
        for (name, folder) in [("XDG_CONFIG_HOME", "config"), ("XDG_STATE_HOME", "state"), ("XDG_CACHE_HOME", "cache")]
        {
            command.env(name, home.path().join(folder));
        }
        for (name, value) in environment {
            command.env(name, value);
        }
        let child = pair.slave.spawn_command(command).unwrap();
        drop(pair.slave);
        let mut reader = pair.master.try_clone_reader().unwrap();
        let state =
            State { parser: vt100::Parser::new(cells(rows), cells(columns), 0), bytes: Vec::new(), is_closed: false };
        let state = Arc::new((Mutex::new(state), Condvar::new()));
        let shared = Arc::clone(&state);
        thread::spawn(move || {
            let mut buffer = [0; 8192];
            loop {
                let read = reader.read(&mut buffer).unwrap_or(0);
                let mut state = shared.0.lock().unwrap();
                state.parser.process(&buffer[..read]);
                state.bytes.extend_from_slice(&buffer[..read]);
                state.is_closed = read == 0;
                shared.1.notify_all();
                if read == 0 {
                    return;
                }
            }
        });
        Self { state, writer: pair.master.take_writer().unwrap(), master: pair.master, child, _home: home }
    }

    /// Types keys.
    pub(crate) fn send(&mut self, keys: &str) {
        self.writer.write_all(keys.as_bytes()).unwrap();
        self.writer.flush().unwrap();
    }

    pub(crate) fn resize(&self, columns: u16, rows: u16) {
        self.state.0.lock().unwrap().parser.screen_mut().set_size(cells(rows), cells(columns));
        self.master.resize(PtySize { rows, cols: columns, pixel_width: 0, pixel_height: 0 }).unwrap();
    }

    /// The present text of the screen.
    pub(crate) fn text(&self) -> String {
        self.state.0.lock().unwrap().parser.screen().contents()
    }

    /// Waits until the screen contains `text`.
    #[track_caller]
    pub(crate) fn wait_for(&self, text: &str) {
        self.wait_until(&format!("`{text}`"), |state| state.parser.screen().contents().contains(text));
    }

    /// Waits until the screen no longer contains `text`.
    #[track_caller]
    pub(crate) fn wait_until_gone(&self, text: &str) {
        self.wait_until(&format!("an end of `{text}`"), |state| !state.parser.screen().contents().contains(text));
    }

    /// Waits until the last row of the window contains `text`, so that the window is drawn in its present size.
    #[track_caller]
    pub(crate) fn wait_for_footer(&self, text: &str) {
        self.wait_until(&format!("`{text}` in the last row"), |state| {
            let screen = state.parser.screen();
            screen.rows(0, screen.size().1.get()).last().is_some_and(|row| row.contains(text))
        });
    }

    /// Types a query into the finder, waits until `shown` appears, and goes to the best hit. The finder is closed
    /// afterwards.
    #[track_caller]
    pub(crate) fn find(&mut self, typed: &str, shown: &str) {
        self.send("f");
        self.wait_for("go there");
        self.send(typed);
        self.wait_for(shown);
        // The pane beside the list may show the text as well.
        self.wait_until("a match", |state| !marked(state).is_empty());
        self.send("\r");
        self.wait_until_gone("go there");
    }

    /// Waits for `text` and clicks on it.
    #[track_caller]
    pub(crate) fn click(&mut self, text: &str) {
        self.wait_for(text);
        let (column, row) = self.place(text).unwrap();
        // Terminals count from 1.
        self.send(&format!("\x1b[<0;{0};{1}M\x1b[<0;{0};{1}m", column + 1, row + 1));
    }

    /// The column and row of `text`; every character before it must be one cell wide.
    fn place(&self, text: &str) -> Option<(usize, usize)> {
        let state = self.state.0.lock().unwrap();
        let screen = state.parser.screen();
        let place = |(row, line): (usize, String)| Some((line.split_once(text)?.0.chars().count(), row));
        screen.rows(0, screen.size().1.get()).enumerate().find_map(place)
    }

    /// Waits until the underlined text begins with `text`; only matches are underlined.
    #[track_caller]
    pub(crate) fn wait_for_marked(&self, text: &str) {
        self.wait_until(&format!("a marked `{text}`"), |state| marked(state).starts_with(text));
    }

    /// Waits until the background colour of the screen fulfils the condition.
    #[track_caller]
    pub(crate) fn wait_until_background(&self, is_match: impl Fn(vt100::Color) -> bool) {
        self.wait_until("another background", |state| is_match(state.parser.screen().cell(0, 0).unwrap().bgcolor()));
    }

    /// The background colour of the screen.
    pub(crate) fn background(&self) -> vt100::Color {
        self.state.0.lock().unwrap().parser.screen().cell(0, 0).unwrap().bgcolor()
    }

    #[track_caller]
    fn wait_until(&self, what: &str, is_true: impl Fn(&State) -> bool) {
        let end = Instant::now() + DEADLINE;
        let mut state = self.state.0.lock().unwrap();
        while !is_true(&state) {
            let left = end.saturating_duration_since(Instant::now());
            assert!(
                !left.is_zero() && !state.is_closed,
                "{what} did not come; the screen was:\n{}",
                state.parser.screen().contents()
            );
            state = self.state.1.wait_timeout(state, left).unwrap().0;
        }
    }

    /// True while the explorer uses the alternate screen.
    pub(crate) fn is_taken(&self) -> bool {
        self.state.0.lock().unwrap().parser.screen().alternate_screen()
    }

    /// True while the explorer receives mouse events.
    pub(crate) fn has_mouse(&self) -> bool {
        self.state.0.lock().unwrap().parser.screen().mouse_protocol_mode() != vt100::MouseProtocolMode::None
    }

    /// The text of the last escape sequence for the clipboard.
    pub(crate) fn clipboard(&self) -> Option<String> {
        self.state.0.lock().unwrap().clipboard().pop()
    }

    /// Copies the stub and returns its text; `SSH_TTY` must be set, so that the text goes through the terminal.
    #[track_caller]
    pub(crate) fn copied(&mut self) -> String {
        let before = self.state.0.lock().unwrap().clipboard().len();
        self.send("y");
        self.wait_until("a copy", |state| state.clipboard().len() > before);
        self.clipboard().unwrap()
    }

    /// All output of the program.
    pub(crate) fn written(&self) -> String {
        String::from_utf8_lossy(&self.state.0.lock().unwrap().bytes).into_owned()
    }

    pub(crate) fn pid(&self) -> u32 {
        self.child.process_id().unwrap()
    }

    /// Waits for the end of the program.
    pub(crate) fn exit_code(&mut self) -> u32 {
        self.child.wait().unwrap().exit_code()
    }

    /// Waits for the end of the program, and checks that the terminal is in the shell's state.
    #[track_caller]
    pub(crate) fn assert_given_back(&mut self, code: u32) {
        assert_eq!(self.exit_code(), code);
        self.wait_until_closed();
        let state = self.state.0.lock().unwrap();
        let screen = state.parser.screen();
        assert!(!screen.alternate_screen(), "the alternate screen is left");
        assert!(!screen.hide_cursor(), "the cursor is shown");
        assert!(!screen.bracketed_paste(), "pastes are no longer bracketed");
        assert_eq!(screen.mouse_protocol_mode(), vt100::MouseProtocolMode::None);
    }

    fn wait_until_closed(&self) {
        let mut state = self.state.0.lock().unwrap();
        while !state.is_closed {
            state = self.state.1.wait(state).unwrap();
        }
    }
}

/// The underlined text of a screen.
fn marked(state: &State) -> String {
    let screen = state.parser.screen();
    let (rows, columns) = screen.size();
    let cells = (0..rows.get()).flat_map(|row| (0..columns.get()).filter_map(move |column| screen.cell(row, column)));
    cells.filter(|cell| cell.underline()).map(vt100::Cell::contents).collect()
}

fn cells(number: u16) -> NonZero<u16> {
    NonZero::new(number).unwrap()
}

impl Drop for Terminal {
    fn drop(&mut self) {
        let _ = self.child.kill();
    }
}
