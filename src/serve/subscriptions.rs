//! Notifies clients of changes of the resources that they subscribed to.
//!
//! Up to revision 2025-11-25 of the protocol, the request to subscribe is answered at once, and the subscription lasts
//! until the client unsubscribes. In later revisions, the request stays open as long as the subscription, and the
//! client ends both by cancelling the request.

use std::{
    collections::HashMap,
    hash::{DefaultHasher, Hash as _, Hasher as _},
    sync::{Arc, Mutex, PoisonError},
};

use rmcp::{
    RoleServer,
    model::ResourceUpdatedNotificationParam,
    service::{Peer, SubscriptionContext},
};

use super::{
    resources::Resource,
    served_index::{ServedIndex, ServedState},
};

/// The greatest number of entries of [`Subscriptions`], of all clients together.
const MAX_SUBSCRIPTIONS: usize = 1000;

/// The subscriptions by revisions up to 2025-11-25.
#[derive(Clone)]
pub(super) struct Subscriptions {
    served: ServedIndex,
    entries: Arc<Mutex<Vec<Subscription>>>,
}

struct Subscription {
    uri: String,
    peer: Peer<RoleServer>,
    task: tokio::task::AbortHandle,
}

impl Subscriptions {
    pub(super) fn new(served: ServedIndex) -> Self {
        Self { served, entries: Arc::default() }
    }

    /// Notifies a client whenever the resource changes, until the connection is closed or the subscription removed.
    ///
    /// # Errors
    /// If there are too many subscriptions.
    pub(super) fn add(&self, uri: String, resource: Resource, peer: Peer<RoleServer>) -> Result<(), String> {
        let mut entries = self.entries.lock().unwrap_or_else(PoisonError::into_inner);
        entries.retain(Subscription::is_open);
        if entries.len() >= MAX_SUBSCRIPTIONS {
            return Err(format!("there are {MAX_SUBSCRIPTIONS} subscriptions already"));
        }
        if entries.iter().any(|entry| entry.is(&uri, &peer)) {
            return Ok(());
        }
        let (served, client, name) = (self.served.clone(), peer.clone(), uri.clone());
        let task = tokio::spawn(async move {
            let mut changes = Changes::new(served, vec![(name, resource)]);
            while let Some(changed) = changes.next().await {
                for uri in changed {
                    if client.notify_resource_updated(ResourceUpdatedNotificationParam::new(uri)).await.is_err() {
                        return;
                    }
                }
            }
        });
        entries.push(Subscription { uri, peer, task: task.abort_handle() });
        Ok(())
    }

    pub(super) fn remove(&self, uri: &str, peer: &Peer<RoleServer>) {
        let mut entries = self.entries.lock().unwrap_or_else(PoisonError::into_inner);
        entries.retain(|entry| !entry.is(uri, peer));
    }
}

impl Subscription {
    /// True while there is a client to notify.
    fn is_open(&self) -> bool {
        !self.task.is_finished() && !self.peer.is_transport_closed()
    }

    fn is(&self, uri: &str, peer: &Peer<RoleServer>) -> bool {
        self.uri == uri
            && self.peer.peer_info().map(|info| Arc::as_ptr(&info)) == peer.peer_info().map(|info| Arc::as_ptr(&info))
    }
}

impl Drop for Subscription {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// Serves one subscription by a later revision, until its request is cancelled.
pub(super) async fn listen(served: &ServedIndex, context: &SubscriptionContext) {
    let uris = context.accepted().resource_subscriptions.clone().unwrap_or_default();
    let resources = uris.into_iter().filter_map(|uri| Resource::parse(&uri).map(|resource| (uri, resource))).collect();
    let mut changes = Changes::new(served.clone(), resources);
    loop {
        let changed = tokio::select! {
            changed = changes.next() => changed,
            () = context.cancelled() => return,
        };
        for uri in changed.unwrap_or_default() {
            if context.sink().notify_resource_updated(uri).await.is_err() {
                return;
            }
        }
    }
}

/// Finds the changes of resources: compares their texts at each new index with those at the index before.
struct Changes {
    served: ServedIndex,
    states: tokio::sync::watch::Receiver<ServedState>,
    resources: Vec<(String, Resource)>,
    /// By URI, the hash of the text at the last index; for a resource without a text, the hash of its error.
    hashes: HashMap<String, u64>,
}

impl Changes {
    fn new(served: ServedIndex, resources: Vec<(String, Resource)>) -> Self {
        served.start();
        let mut states = served.states();
        // The first pass must run at once: it hashes the texts of the present index, with which later texts are
        // compared.
        states.mark_changed();
        Self { served, states, resources, hashes: HashMap::new() }
    }

    /// Waits for an index at which resources have changed, and returns their URIs. `None` if there will be no more
    /// index.
    async fn next(&mut self) -> Option<Vec<String>> {
        loop {
            self.states.changed().await.ok()?;
            let ServedState::Ready(snapshot) = self.states.borrow_and_update().clone() else { continue };
            let (served, resources) = (self.served.clone(), self.resources.clone());
            let hashes = tokio::task::spawn_blocking(move || {
                let hash = |(uri, resource): (String, Resource)| {
                    let mut hasher = DefaultHasher::new();
                    resource.text(&served, &snapshot).hash(&mut hasher);
                    (uri, hasher.finish())
                };
                resources.into_iter().map(hash).collect::<HashMap<_, _>>()
            });
            let hashes = hashes.await.ok()?;
            let is_changed = |uri: &String| self.hashes.get(uri).is_some_and(|before| *before != hashes[uri]);
            let changed: Vec<String> = hashes.keys().filter(|uri| is_changed(uri)).cloned().collect();
            self.hashes = hashes;
            if !changed.is_empty() {
                return Some(changed);
            }
        }
    }
}
