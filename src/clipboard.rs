//! Copying text to the clipboard, also over SSH and inside tmux.
//!
//! The command line and the explorer both copy through this module. Inside tmux the text goes to tmux's buffer, which
//! tmux forwards to the outer terminal. Over SSH it goes to the terminal by an escape sequence (OSC 52), since the
//! desktop is on another machine. Otherwise it goes to the desktop's clipboard. If tmux or the desktop's clipboard
//! fails, OSC 52 is used.

use std::{
    fmt,
    io::{self, Write},
    process::{Command, Stdio},
};

use base64::{Engine as _, engine::general_purpose::STANDARD};

/// The way in which a text reached the clipboard.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// `tmux load-buffer -w`, which also forwards to the outer terminal.
    Tmux,
    /// The desktop's clipboard.
    System,
    /// OSC 52, an escape sequence that the terminal interprets.
    Osc52,
    /// OSC 52 with more text than some terminals accept.
    LargeOsc52,
}

/// The longest OSC 52 sequence that xterm accepts, in bytes.
const LARGEST_OSC52: usize = 74_994;

impl fmt::Display for Way {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Tmux => "tmux",
            Self::System => "the system clipboard",
            Self::Osc52 => "OSC 52",
            Self::LargeOsc52 => "OSC 52, if the terminal takes that much",
        })
    }
}

/// A handle to the clipboard. It must live until the text is pasted, since X11 asks the clipboard's owner for the text.
#[derive(Default)]
pub struct Clipboard {
    system: Option<arboard::Clipboard>,
}

impl fmt::Debug for Clipboard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Clipboard")
    }
}

impl Clipboard {
    /// Copies `text`. If OSC 52 is used, the escape sequence is written to `terminal`.
    ///
    /// # Errors
    /// If the escape sequence cannot be written.
    pub fn copy(&mut self, text: &str, terminal: &mut dyn Write) -> io::Result<Way> {
        let way = first_way();
        let done = match way {
            Way::Tmux => tmux(text),
            Way::System => self.system(text),
            Way::Osc52 | Way::LargeOsc52 => false,
        };
        if done {
            return Ok(way);
        }
        let sequence = osc52(text);
        terminal.write_all(sequence.as_bytes())?;
        terminal.flush()?;
        Ok(if sequence.len() > LARGEST_OSC52 { Way::LargeOsc52 } else { Way::Osc52 })
    }

    fn system(&mut self, text: &str) -> bool {
        if self.system.is_none() {
            self.system = arboard::Clipboard::new().ok();
        }
        self.system.as_mut().is_some_and(|clipboard| clipboard.set_text(text).is_ok())
    }
}

/// The way that is tried first in the environment of this process.
pub fn first_way() -> Way {
    way(|name| std::env::var_os(name).is_some_and(|value| !value.is_empty()))
}

/// True if a way can be used as far as can be known without copying: tmux starts, and a desktop has a clipboard. Of the
/// terminal it is not known.
pub fn works(way: Way) -> bool {
    match way {
        Way::Tmux => {
            let quiet = || Stdio::null();
            let tmux = Command::new("tmux").arg("-V").stdin(quiet()).stdout(quiet()).stderr(quiet()).status();
            tmux.is_ok_and(|status| status.success())
        }
        Way::System => arboard::Clipboard::new().is_ok(),
        Way::Osc52 | Way::LargeOsc52 => true,
    }
}

/// The way to try first; `is_set` tests for an environment variable.
fn way(is_set: impl Fn(&str) -> bool) -> Way {
    if is_set("TMUX") {
        Way::Tmux
    } else if ["SSH_TTY", "SSH_CONNECTION", "SSH_CLIENT"].into_iter().any(is_set) {
        Way::Osc52
    } else {
        Way::System
    }
}

/// Copies through tmux; false if tmux is not there or older than 3.2.
fn tmux(text: &str) -> bool {
    let child = Command::new("tmux")
        .args(["load-buffer", "-w", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn();
    let Ok(mut child) = child else { return false };
    let written = child.stdin.take().is_some_and(|mut input| input.write_all(text.as_bytes()).is_ok());
    child.wait().is_ok_and(|status| status.success()) && written
}

fn osc52(text: &str) -> String {
    format!("\x1b]52;c;{}\x07", STANDARD.encode(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_way_depends_on_the_environment() {
        let way = |set: &[&str]| super::way(|name| set.contains(&name));
        assert_eq!(way(&["TMUX", "SSH_TTY"]), Way::Tmux);
        assert_eq!(way(&["SSH_CONNECTION", "DISPLAY"]), Way::Osc52);
        assert_eq!(way(&["DISPLAY"]), Way::System);
        assert_eq!(way(&[]), Way::System);
    }

    #[test]
    fn osc52_encodes_the_text() {
        assert_eq!(osc52("hi ␛"), "\x1b]52;c;aGkg4pCb\x07");
    }
}
