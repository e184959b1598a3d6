//! The sessions of HTTP clients, which the protocol has up to revision 2025-11-25.
//!
//! A session costs about 80 KB, and a client need not end its sessions. So there are at most [`MAX_SESSIONS`], and one
//! that is not used ends after [`LIFETIME`]. A client whose session has ended gets status 404, and opens another one.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex},
    time::{Duration, Instant},
};

use futures::{Stream, StreamExt as _};
use rmcp::{
    model::{ClientJsonRpcMessage, ServerJsonRpcMessage},
    transport::{
        common::server_side_http::ServerSseMessage,
        streamable_http_server::{
            SessionId, SessionManager,
            session::local::{LocalSessionManager, LocalSessionManagerError as Error},
        },
    },
};
use tokio::sync::watch;

use super::sessions::lock;

/// The greatest number of sessions. When another one is opened, that one ends which has been idle for the longest time.
const MAX_SESSIONS: usize = 256;
/// The time without a request or an open stream after which a session ends.
const LIFETIME: Duration = Duration::from_mins(30);

/// Keeps the number of sessions within a limit.
pub(super) struct HttpSessions {
    /// The sessions themselves.
    inner: LocalSessionManager,
    uses: Mutex<HashMap<SessionId, Arc<SessionUse>>>,
}

/// The use of a session. Every request that is being answered and every open stream holds it.
struct SessionUse {
    /// The time at which a request or stream has begun or ended last.
    last: Mutex<Instant>,
    /// Becomes true when the session ends.
    has_ended: watch::Sender<bool>,
}

/// A request that is being answered, or an open stream.
struct OpenUse(Arc<SessionUse>);

impl Default for HttpSessions {
    fn default() -> Self {
        let mut inner = LocalSessionManager::default();
        // A session with an open stream lives on, however long the stream is silent.
        inner.session_config.keep_alive = None;
        Self { inner, uses: Mutex::default() }
    }
}

impl HttpSessions {
    /// Ends sessions that are not used, until the future is dropped.
    pub(super) async fn end_unused(&self) {
        loop {
            tokio::time::sleep(LIFETIME / 10).await;
            self.end(self.unused(Instant::now())).await;
        }
    }

    /// Removes the sessions that have not been used for [`LIFETIME`].
    fn unused(&self, now: Instant) -> Vec<(SessionId, Arc<SessionUse>)> {
        let is_over = |session: &Arc<SessionUse>| {
            session.is_idle() && now.saturating_duration_since(*lock(&session.last)) > LIFETIME
        };
        lock(&self.uses).extract_if(|_, session| is_over(session)).collect()
    }

    /// Adds a session, and removes one that exceeds the limit: an idle one if there is one, and among these the one
    /// that was used least recently.
    fn add(&self, id: &SessionId) -> Vec<(SessionId, Arc<SessionUse>)> {
        let session = SessionUse { last: Mutex::new(Instant::now()), has_ended: watch::Sender::new(false) };
        let mut uses = lock(&self.uses);
        let mut removed = Vec::new();
        while uses.len() >= MAX_SESSIONS {
            let least = uses.iter().min_by_key(|(_, session)| (!session.is_idle(), *lock(&session.last)));
            let Some(id) = least.map(|(id, _)| Arc::clone(id)) else { break };
            removed.extend(uses.remove_entry(&id));
        }
        uses.insert(Arc::clone(id), Arc::new(session));
        removed
    }

    async fn end(&self, sessions: Vec<(SessionId, Arc<SessionUse>)>) {
        for (id, session) in sessions {
            // The streams end first: the session cannot wait for a client that does not read.
            session.has_ended.send_replace(true);
            drop(session);
            // An error means that the session has ended by itself.
            let _ = self.inner.close_session(&id).await;
        }
    }

    /// Notes the use of a session.
    fn used(&self, id: &SessionId) -> Result<OpenUse, Error> {
        let session = lock(&self.uses).get(id).cloned().ok_or_else(|| Error::SessionNotFound(Arc::clone(id)))?;
        Ok(OpenUse::of(session))
    }
}

impl SessionUse {
    /// True if no request is being answered and no stream is open. Only the table holds the session then.
    fn is_idle(self: &Arc<Self>) -> bool {
        Arc::strong_count(self) == 1
    }
}

impl OpenUse {
    fn of(session: Arc<SessionUse>) -> Self {
        *lock(&session.last) = Instant::now();
        Self(session)
    }

    /// The stream, until it or the session ends.
    fn of_stream<S: Stream + Send + Sync + 'static>(
        self,
        stream: S,
    ) -> impl Stream<Item = S::Item> + Send + Sync + 'static {
        let mut has_ended = self.0.has_ended.subscribe();
        stream.take_until(async move {
            let _ = has_ended.wait_for(|has_ended| *has_ended).await;
            drop(self);
        })
    }
}

impl Drop for OpenUse {
    fn drop(&mut self) {
        *lock(&self.0.last) = Instant::now();
    }
}

impl SessionManager for HttpSessions {
    type Error = Error;
    type Transport = <LocalSessionManager as SessionManager>::Transport;

    async fn create_session(&self) -> Result<(SessionId, Self::Transport), Error> {
        let (id, transport) = self.inner.create_session().await?;
        self.end(self.add(&id)).await;
        Ok((id, transport))
    }

    async fn initialize_session(
        &self,
        id: &SessionId,
        message: ClientJsonRpcMessage,
    ) -> Result<ServerJsonRpcMessage, Error> {
        let _use = self.used(id)?;
        self.inner.initialize_session(id, message).await
    }

    async fn has_session(&self, id: &SessionId) -> Result<bool, Error> {
        Ok(self.used(id).is_ok())
    }

    async fn close_session(&self, id: &SessionId) -> Result<(), Error> {
        let session = lock(&self.uses).remove_entry(id);
        self.end(session.into_iter().collect()).await;
        Ok(())
    }

    async fn create_stream(
        &self,
        id: &SessionId,
        message: ClientJsonRpcMessage,
    ) -> Result<impl Stream<Item = ServerSseMessage> + Send + Sync + 'static, Error> {
        let open = self.used(id)?;
        Ok(open.of_stream(self.inner.create_stream(id, message).await?))
    }

    async fn create_standalone_stream(
        &self,
        id: &SessionId,
    ) -> Result<impl Stream<Item = ServerSseMessage> + Send + Sync + 'static, Error> {
        let open = self.used(id)?;
        Ok(open.of_stream(self.inner.create_standalone_stream(id).await?))
    }

    async fn resume(
        &self,
        id: &SessionId,
        last_event_id: String,
    ) -> Result<impl Stream<Item = ServerSseMessage> + Send + Sync + 'static, Error> {
        let open = self.used(id)?;
        Ok(open.of_stream(self.inner.resume(id, last_event_id).await?))
    }

    async fn accept_message(&self, id: &SessionId, message: ClientJsonRpcMessage) -> Result<(), Error> {
        let _use = self.used(id)?;
        self.inner.accept_message(id, message).await
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Opens sessions, and returns their ids.
    async fn open(sessions: &HttpSessions, count: usize) -> Vec<SessionId> {
        let mut ids = Vec::new();
        for _ in 0..count {
            ids.push(sessions.create_session().await.expect("a session").0);
        }
        ids
    }

    fn count(sessions: &HttpSessions) -> usize {
        lock(&sessions.uses).len()
    }

    #[tokio::test]
    async fn the_session_that_has_been_idle_for_the_longest_time_ends_first() {
        let sessions = HttpSessions::default();
        let ids = open(&sessions, MAX_SESSIONS).await;
        // The first one has an open stream, the second one a request that is over.
        let stream = sessions.used(&ids[0]).expect("a session").of_stream(futures::stream::pending::<()>());
        assert!(sessions.has_session(&ids[1]).await.expect("an answer"));
        open(&sessions, 2).await;
        assert_eq!(count(&sessions), MAX_SESSIONS);
        for (at, lives) in [(0, true), (1, true), (2, false), (3, false), (4, true)] {
            assert_eq!(lock(&sessions.uses).contains_key(&ids[at]), lives, "{at}");
        }
        // Nothing remains of a session that has ended.
        assert!(sessions.inner.sessions.read().await.len() == MAX_SESSIONS);
        drop(stream);
        open(&sessions, MAX_SESSIONS).await;
        assert!(!sessions.has_session(&ids[0]).await.expect("an answer"));
    }

    #[tokio::test]
    async fn an_open_stream_keeps_no_session_if_all_have_one_and_ends_with_its_session() {
        let sessions = HttpSessions::default();
        let ids = open(&sessions, MAX_SESSIONS).await;
        let stream = |id| sessions.used(id).expect("a session").of_stream(futures::stream::pending::<()>());
        let mut streams: Vec<_> = ids.iter().map(|id| Box::pin(stream(id))).collect();
        open(&sessions, 1).await;
        assert_eq!(count(&sessions), MAX_SESSIONS);
        assert_eq!(streams[0].next().await, None);
    }

    #[tokio::test]
    async fn a_session_that_is_not_used_ends_after_its_lifetime() {
        let sessions = HttpSessions::default();
        let ids = open(&sessions, 3).await;
        let _stream = sessions.used(&ids[0]).expect("a session");
        assert!(sessions.unused(Instant::now()).is_empty());
        let ended = sessions.unused(Instant::now() + LIFETIME + Duration::from_secs(1));
        assert_eq!((ended.len(), count(&sessions)), (2, 1));
    }
}
