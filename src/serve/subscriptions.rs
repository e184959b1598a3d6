//! Tells clients when a resource that they subscribed to has changed.

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
    living_index::{LivingIndex, State},
    resources::Resource,
};

/// The most subscriptions of all clients of the older revision together.
const MAX_SUBSCRIPTIONS: usize = 1000;

/// The subscriptions of clients of the older revision, in which they outlive their request.
#[derive(Clone)]
pub(super) struct Subscriptions {
    living: LivingIndex,
    entries: Arc<Mutex<Vec<Subscription>>>,
}

struct Subscription {
    uri: String,
    peer: Peer<RoleServer>,
    task: tokio::task::AbortHandle,
}

impl Subscriptions {
    pub(super) fn new(living: LivingIndex) -> Self {
        Self { living, entries: Arc::default() }
    }

    /// Notifies a client whenever the resource changes, until the client goes.
    ///
    /// # Errors
    /// If there are too many subscriptions.
    pub(super) fn add(&self, uri: String, resource: Resource, peer: Peer<RoleServer>) -> Result<(), String> {
        let mut entries = self.entries.lock().unwrap_or_else(PoisonError::into_inner);
        entries.retain(|entry| !entry.task.is_finished());
        if entries.len() >= MAX_SUBSCRIPTIONS {
            return Err(format!("there are {MAX_SUBSCRIPTIONS} subscriptions already"));
        }
        if entries.iter().any(|entry| entry.is(&uri, &peer)) {
            return Ok(());
        }
        let (living, client, name) = (self.living.clone(), peer.clone(), uri.clone());
        let task = tokio::spawn(async move {
            let mut changes = Changes::new(living, vec![(name, resource)]);
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
        entries.retain(|entry| {
            let is_removed = entry.is(uri, peer);
            if is_removed {
                entry.task.abort();
            }
            !is_removed
        });
    }
}

impl Subscription {
    fn is(&self, uri: &str, peer: &Peer<RoleServer>) -> bool {
        self.uri == uri
            && self.peer.peer_info().map(|info| Arc::as_ptr(&info)) == peer.peer_info().map(|info| Arc::as_ptr(&info))
    }
}

/// Serves one subscription of the current revision, until its request is cancelled.
pub(super) async fn listen(living: &LivingIndex, context: &SubscriptionContext) {
    let uris = context.accepted().resource_subscriptions.clone().unwrap_or_default();
    let resources = uris.into_iter().filter_map(|uri| Resource::parse(&uri).map(|resource| (uri, resource))).collect();
    let mut changes = Changes::new(living.clone(), resources);
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

/// Finds out which of some resources have other texts than before.
struct Changes {
    living: LivingIndex,
    states: tokio::sync::watch::Receiver<State>,
    resources: Vec<(String, Resource)>,
    /// The hash of each text at the last index; of an absent resource, that of its error.
    hashes: HashMap<String, u64>,
}

impl Changes {
    fn new(living: LivingIndex, resources: Vec<(String, Resource)>) -> Self {
        living.start();
        let mut states = living.states();
        // The index that is there now gives the texts to compare with.
        states.mark_changed();
        Self { living, states, resources, hashes: HashMap::new() }
    }

    /// The URIs of resources that have changed, once a new index is there. `None` if no index will come.
    async fn next(&mut self) -> Option<Vec<String>> {
        loop {
            self.states.changed().await.ok()?;
            let State::Ready(snapshot) = self.states.borrow_and_update().clone() else { continue };
            let (living, resources) = (self.living.clone(), self.resources.clone());
            let hashes = tokio::task::spawn_blocking(move || {
                let hash = |(uri, resource): (String, Resource)| {
                    let mut hasher = DefaultHasher::new();
                    resource.text(&living, &snapshot).hash(&mut hasher);
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
