//! The sessions of agents: the symbols and answers that each agent holds, so that no answer repeats them, and the
//! ledger of its tokens.
//!
//! A server over stdio has one session for its process. Any call may name another one by its handle. The protocol has
//! no sessions, so a server over HTTP keeps state between calls only for those that name a session.

use std::{
    hash::{BuildHasher as _, Hasher as _, RandomState},
    path::PathBuf,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use apidisc::{
    answers::Held,
    session::{FileStorage, MemoryStorage, Session, Storage, StorageError},
};
use serde_json::{Value, json};

use super::{
    resources::NamedSession,
    tools::{self, Arguments, Tool, ToolAnswer},
};
use crate::sessions::SharedStateFile;

/// The handle that asks for a new session.
const NEW: &str = "new";
/// The longest handle, in bytes.
const MAX_HANDLE: usize = 64;
/// The greatest number of sessions beside that of the process: the one that was used least recently ends first.
const MAX_SESSIONS: usize = 100;
/// The time without a call after which a session ends.
const LIFETIME: Duration = Duration::from_hours(6);

/// The sessions of a server; clones share them.
#[derive(Clone)]
pub(super) struct Sessions {
    /// The sessions beside that of the process.
    others: Arc<Mutex<Vec<TimedSession>>>,
    /// The session of the process; `None` over HTTP.
    own: Option<OpenSession>,
    /// The file with the state that outlives sessions; `None` to keep it in memory.
    file: Option<PathBuf>,
}

/// A session beside that of the process.
struct TimedSession {
    open: OpenSession,
    last_use: Instant,
}

/// A session with its handle.
#[derive(Clone)]
pub(super) struct OpenSession {
    pub(super) handle: String,
    session: Arc<Mutex<Session>>,
}

impl Sessions {
    /// An empty table; with `has_own`, a table with one session: that of the process.
    pub(super) fn new(has_own: bool, file: Option<PathBuf>) -> Self {
        let mut sessions = Self { others: Arc::default(), own: None, file };
        sessions.own = has_own.then(|| sessions.open(random_handle()));
        sessions
    }

    /// True if the process has a session.
    pub(super) fn has_own(&self) -> bool {
        self.own.is_some()
    }

    /// The session with this handle; a new session if no session has the handle, also if it had one that has ended.
    /// Without a handle, the session of the process, if the process has one.
    ///
    /// # Errors
    /// A message if the text can be no handle.
    pub(super) fn of(&self, handle: Option<&str>) -> Result<Option<OpenSession>, String> {
        let Some(handle) = handle.filter(|handle| !handle.is_empty()) else { return Ok(self.own.clone()) };
        if handle.len() > MAX_HANDLE || !handle.bytes().all(|byte| byte.is_ascii_graphic()) {
            return Err(format!("`session` is a handle of at most {MAX_HANDLE} letters, digits and signs"));
        }
        if let Some(found) = self.find(handle) {
            return Ok(Some(found));
        }
        let handle = if handle == NEW { random_handle() } else { handle.to_owned() };
        let open = self.open(handle);
        let mut others = lock(&self.others);
        if others.len() >= MAX_SESSIONS {
            let oldest = others.iter().enumerate().min_by_key(|(_, other)| other.last_use).map(|(at, _)| at);
            oldest.map(|at| others.swap_remove(at));
        }
        others.push(TimedSession { open: open.clone(), last_use: Instant::now() });
        Ok(Some(open))
    }

    /// The session with this handle; `None` if no session has the handle, or if the session has ended.
    pub(super) fn find(&self, handle: &str) -> Option<OpenSession> {
        if let Some(own) = self.own.as_ref().filter(|own| own.handle == handle) {
            return Some(own.clone());
        }
        let mut others = lock(&self.others);
        others.retain(|other| other.last_use.elapsed() < LIFETIME);
        let found = others.iter_mut().find(|other| other.open.handle == handle)?;
        found.last_use = Instant::now();
        Some(found.open.clone())
    }

    /// The session that a resource names.
    pub(super) fn named(&self, name: &NamedSession) -> Option<OpenSession> {
        match name {
            NamedSession::Own => self.own.clone(),
            NamedSession::Handle(handle) => self.find(handle),
        }
    }

    fn open(&self, handle: String) -> OpenSession {
        let storage: Box<dyn Storage> = match &self.file {
            Some(path) => Box::new(FileStorage::new(SharedStateFile(path.clone()))),
            None => Box::new(MemoryStorage::default()),
        };
        OpenSession { handle, session: Arc::new(Mutex::new(Session::new(storage))) }
    }
}

impl OpenSession {
    /// The symbols that the session holds.
    pub(super) fn held(&self) -> Held {
        lock(&self.session).held().clone()
    }

    /// Records an answer that is about to be sent. An answer that the session has received before is replaced by one
    /// line that says so.
    pub(super) fn record(&self, tool: &Tool, arguments: &Arguments, answer: &mut ToolAnswer) {
        let mut session = lock(&self.session);
        // The answer does not depend on the ledger, so an error of writing the ledger is ignored.
        let _ = record(&mut session, tool, arguments, answer);
    }

    /// A summary of the session as JSON: its numbers, and the tokens of its answers by tool.
    ///
    /// # Errors
    /// [`StorageError`] if the state cannot be read.
    pub(super) fn describe(&self) -> Result<Value, StorageError> {
        let session = lock(&self.session);
        Ok(json!({
            "session": self.handle,
            "summary": session.get_context_summary()?,
            "tokens_by_tool": session.get_session_token_usage()?,
            "total_tokens": session.get_total_tokens_used()?,
        }))
    }
}

fn record(
    session: &mut Session,
    tool: &Tool,
    arguments: &Arguments,
    answer: &mut ToolAnswer,
) -> Result<(), StorageError> {
    let mut asked = arguments.without_shared();
    if let Some(decision) = answer.data.as_ref().filter(|_| tool.name == tools::ROUTE) {
        // The tool `route` begins a new task.
        session.end_invocation()?;
        session.start_invocation();
        session.record_routing_decision(decision);
    }
    if answer.is_by_symbol {
        session.record_delivered(&answer.delivered)?;
        // The symbols are recorded by their hashes, not by the names in the arguments.
        if let Some(asked) = asked.as_object_mut() {
            asked.retain(|name, _| name != "hash" && name != "symbols");
        }
    } else if answer.data.is_none() {
        let line = session.spare_answer(tool.name, &asked, &answer.text);
        if let Some(line) = line.filter(|_| !arguments.flag(tools::AGAIN)) {
            answer.spared = answer.tokens.unwrap_or_default();
            answer.tokens = Some(tools::count(&line));
            answer.text = line;
            answer.names.clear();
        }
    }
    let tokens = answer.tokens.unwrap_or_default();
    if let Some(repository) = &answer.overview_of {
        session.set(&format!("user:repo_overview:{repository}"), json!({ "tokens": tokens }))?;
    }
    session.record_fetch(tool.name, &asked, tokens)
}

fn random_handle() -> String {
    // Each state has random keys of its own.
    format!("{:016x}", RandomState::new().build_hasher().finish())
}

/// Locks a mutex. A panic while it was locked leaves its value as it was then.
pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::{MAX_SESSIONS, Sessions};

    #[test]
    fn sessions_are_bounded_and_named() {
        let sessions = Sessions::new(true, None);
        let own = sessions.of(None).unwrap().unwrap();
        assert_eq!(sessions.of(Some(&own.handle)).unwrap().unwrap().handle, own.handle);
        let new = sessions.of(Some("new")).unwrap().unwrap().handle;
        assert!(new.len() == 16 && new != own.handle && sessions.find(&new).is_some());
        for number in 0..MAX_SESSIONS {
            sessions.of(Some(&format!("s{number}"))).unwrap();
        }
        assert!(sessions.find(&new).is_none(), "the session that was used least recently has ended");
        assert!(sessions.find("s0").is_some() && sessions.find(&own.handle).is_some());
        assert!(sessions.of(Some("a b")).is_err() && sessions.of(Some(&"x".repeat(65))).is_err());
        assert!(Sessions::new(false, None).of(None).unwrap().is_none());
    }
}
