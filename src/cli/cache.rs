//! `cache`: shows and clears the facts that are kept between runs.

use std::{path::Path, time::SystemTime};

use anyhow::{Context as _, anyhow};

use super::{output, terminal_text};
use crate::cache::{Cache, CacheSize};

/// Shows or clears the cache.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ShowCache {
    /// Prints where it is and what it contains.
    Show,
    /// Removes what it contains.
    Clear,
}

impl ShowCache {
    /// Prints the content of the cache, or the content that was removed from it.
    pub fn run(self, cache: Option<Cache>) -> anyhow::Result<()> {
        let cache = cache.context(
            "there is no cache: APIDISC_CACHE is `off`, or there is no home folder; set HOME to an absolute path",
        )?;
        let lines = match self {
            Self::Show => describe(&cache, cache.size()),
            Self::Clear => {
                let removed = cache.clear().map_err(|(path, error)| cannot_remove(&path, &error))?;
                format!("removed {}\n", contents(removed))
            }
        };
        output::write(None, |out| out.write_all(lines.as_bytes()))
    }
}

fn cannot_remove(path: &Path, error: &std::io::Error) -> anyhow::Error {
    anyhow!("cannot remove {}: {error}; allow writing to its folder", path.display())
}

fn describe(cache: &Cache, size: CacheSize) -> String {
    let folder = cache.folder().display().to_string();
    let last_use = size.last_use.map_or_else(|| "never".to_owned(), ago);
    format!(
        "folder    {}\ncontents  {}\nlimit     {}\nlast use  {last_use}\n",
        terminal_text::line(&folder),
        contents(size),
        megabytes(cache.max_bytes()),
    )
}

/// The size and the last use of a cache, in words.
pub(super) fn contents(size: CacheSize) -> String {
    let CacheSize { bytes, packs, files, indexes, .. } = size;
    let s = |count: usize| if count == 1 { "" } else { "s" };
    let indexed = match indexes {
        0 => String::new(),
        1 => ", 1 index".to_owned(),
        count => format!(", {count} indexes"),
    };
    format!("{files} file{} in {packs} pack{}{indexed}, {}", s(files), s(packs), megabytes(bytes))
}

/// Bytes in megabytes, with a digit after the point.
pub(super) fn megabytes(bytes: u64) -> String {
    let tenths = (bytes * 10) >> 20;
    format!("{}.{} MB", tenths / 10, tenths % 10)
}

/// The time since `time`, in its largest unit.
fn ago(time: SystemTime) -> String {
    let seconds = SystemTime::now().duration_since(time).map_or(0, |age| age.as_secs());
    let (count, unit) = match seconds {
        0..60 => (seconds, "second"),
        60..3_600 => (seconds / 60, "minute"),
        3_600..86_400 => (seconds / 3_600, "hour"),
        _ => (seconds / 86_400, "day"),
    };
    format!("{count} {unit}{} ago", if count == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn sizes_and_times_are_said_in_words() {
        let size = CacheSize { bytes: 11 << 20 | 1 << 19, packs: 1, files: 1200, indexes: 1, last_use: None };
        assert_eq!(contents(size), "1200 files in 1 pack, 1 index, 11.5 MB");
        let ago = |seconds| super::ago(SystemTime::now() - Duration::from_secs(seconds));
        assert_eq!([ago(60), ago(7_300), ago(200_000)], ["1 minute ago", "2 hours ago", "2 days ago"]);
    }
}
