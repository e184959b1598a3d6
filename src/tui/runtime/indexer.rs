//! The thread that indexes, and decides when a partial index is worth showing.

use std::{
    sync::Arc,
    thread,
    time::{Duration, Instant},
};

use super::worker::{Post, guarded};
use crate::{
    engine::{
        index::{Control, Index, Progress, build},
        source::Source,
    },
    tui::{Content, message::Message, model::Catalog},
};

/// The first partial index comes after this time, each further one after twice the time of the last.
const FIRST_SNAPSHOT: Duration = Duration::from_millis(150);
/// Progress is told this often: more would only be drawn over.
const PROGRESS: Duration = Duration::from_millis(50);

/// Starts it.
pub(super) fn spawn(content: Content, post: Post) -> std::io::Result<()> {
    thread::Builder::new().name("indexer".to_owned()).spawn(move || {
        let done = guarded(&post, || match content {
            Content::Source(source) => index(&source, &post),
            Content::Index(index) => post.message(Message::Indexed(Arc::new(Catalog::new(index, 1)))),
        });
        if !done {
            post.message(Message::NotIndexed("the indexer failed; this is a bug of apidisc-tui".to_owned()));
        }
    })?;
    Ok(())
}

fn index(source: &Source, post: &Post) {
    let mut reporter = Reporter {
        post: post.clone(),
        start: Instant::now(),
        snapshot_at: FIRST_SNAPSHOT,
        progress_at: Duration::ZERO,
        generation: 0,
    };
    match build(source, &mut |progress| reporter.observe(progress)) {
        Ok(Some(index)) => reporter.publish(index),
        Ok(None) => {}
        Err(why) => post.message(Message::NotIndexed(why.to_string())),
    }
}

struct Reporter {
    post: Post,
    start: Instant,
    snapshot_at: Duration,
    progress_at: Duration,
    generation: u64,
}

impl Reporter {
    fn observe(&mut self, progress: Progress) -> Control {
        let now = self.start.elapsed();
        match progress {
            Progress::Walked { files, .. } => self.post.message(Message::Walked(files)),
            Progress::Parsed { done, total, calls } => {
                if now >= self.progress_at || done == total {
                    self.progress_at = now + PROGRESS;
                    self.post.message(Message::Parsed { done, total, calls });
                }
                if now >= self.snapshot_at && done < total {
                    self.snapshot_at = Duration::MAX;
                    return Control::Snapshot;
                }
            }
            Progress::Partial(index) => {
                self.publish(*index);
                self.snapshot_at = self.start.elapsed() * 2;
            }
        }
        Control::Continue
    }

    fn publish(&mut self, index: Index) {
        self.generation += 1;
        let catalog = Catalog::new(Arc::new(index), self.generation);
        self.post.message(Message::Indexed(Arc::new(catalog)));
    }
}
