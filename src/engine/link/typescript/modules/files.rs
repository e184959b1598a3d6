//! The source files by their names without endings: what a path without an ending, or with that of a build product,
//! means.

use std::borrow::Cow;

use compact_str::CompactString;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::path::{child, name_of};

/// What a file's ending says of it, in the order in which files of one name are preferred.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Kind {
    Ts,
    Tsx,
    Mts,
    Cts,
    DeclTs,
    DeclMts,
    DeclCts,
    Js,
    Jsx,
    Mjs,
    Cjs,
}

use Kind::{Cjs, Cts, DeclCts, DeclMts, DeclTs, Js, Jsx, Mjs, Mts, Ts, Tsx};

const ENDINGS: &[(&str, Kind)] = &[
    (".d.ts", DeclTs),
    (".d.mts", DeclMts),
    (".d.cts", DeclCts),
    (".ts", Ts),
    (".tsx", Tsx),
    (".mts", Mts),
    (".cts", Cts),
    (".js", Js),
    (".jsx", Jsx),
    (".mjs", Mjs),
    (".cjs", Cjs),
];

impl Kind {
    pub(super) fn is_declaration(self) -> bool {
        matches!(self, DeclTs | DeclMts | DeclCts)
    }

    pub(super) fn is_typescript(self) -> bool {
        self < Js
    }

    /// What a path with this ending may stand for, before files with any other ending: `./x.js` is written where
    /// `x.ts` is meant.
    fn meant_by(self) -> &'static [Self] {
        match self {
            Js => &[Ts, Tsx, DeclTs, Js, Jsx],
            Jsx => &[Tsx, Ts, DeclTs, Jsx, Js],
            Mjs => &[Mts, DeclMts, Mjs],
            Cjs => &[Cts, DeclCts, Cjs],
            _ => &[],
        }
    }
}

/// A path without its ending, and what that says. The declaration of another kind of file, `x.d.css.ts`, is taken as
/// one of `x.css`.
fn split(path: &str) -> Option<(Cow<'_, str>, Kind)> {
    let &(ending, kind) = ENDINGS.iter().find(|(ending, _)| path.ends_with(ending))?;
    let stem = &path[..path.len() - ending.len()];
    if kind == Ts
        && let Some((before, inner)) = stem.rsplit_once(".d.")
        && !inner.contains(['.', '/'])
    {
        return Some((Cow::Owned(format!("{before}.{inner}")), DeclTs));
    }
    Some((Cow::Borrowed(stem), kind))
}

/// A file that a path leads to.
#[derive(Clone, Copy, Debug)]
pub(super) struct Hit {
    pub(super) file: usize,
    pub(super) kind: Kind,
}

/// All source files.
#[derive(Debug, Default)]
pub(super) struct Files {
    paths: Vec<CompactString>,
    /// Path without ending to the files of that name, the preferred one first.
    stems: FxHashMap<CompactString, SmallVec<[(Kind, u32); 1]>>,
}

impl Files {
    pub(super) fn new(paths: &[&str]) -> Self {
        let mut files = Self::default();
        for (i, path) in paths.iter().enumerate() {
            files.paths.push(CompactString::from(*path));
            if let (Some((stem, kind)), Ok(i)) = (split(path), u32::try_from(i)) {
                files.stems.entry(stem.into()).or_default().push((kind, i));
            }
        }
        for same in files.stems.values_mut() {
            same.sort_unstable();
        }
        files
    }

    pub(super) fn path(&self, file: usize) -> Option<&str> {
        self.paths.get(file).map(CompactString::as_str)
    }

    /// The files whose paths begin with `prefix`.
    pub(super) fn beginning_with(&self, prefix: &str) -> impl Iterator<Item = (usize, &str)> {
        let first = self.paths.partition_point(|path| path.as_str() < prefix);
        let rest = self.paths.iter().enumerate().skip(first);
        rest.map(|(i, path)| (i, path.as_str())).take_while(move |(_, path)| path.starts_with(prefix))
    }

    /// The file that a path means: TypeScript in whatever form it may be there, else JavaScript.
    pub(super) fn find(&self, path: &str) -> Option<Hit> {
        self.look(path, |_| true)
    }

    /// The file with code that a path means.
    pub(super) fn code(&self, path: &str) -> Option<Hit> {
        self.look(path, |kind| !kind.is_declaration())
    }

    fn look(&self, path: &str, is_wanted: fn(Kind) -> bool) -> Option<Hit> {
        let mut javascript = None;
        // JavaScript is only what is left where nothing else is found.
        let mut found = |hit: Option<Hit>| match hit {
            Some(hit) if hit.kind.is_typescript() => Some(hit),
            other => {
                javascript = javascript.or(other);
                None
            }
        };
        let written = split(path);
        // `./x.js`, `./x.ts`
        let exact = written.as_ref().and_then(|(stem, kind)| self.named(stem, Some(*kind), is_wanted));
        // `./x`, `./x.service`, `./x.js` that is `x.js.ts`
        let typescript = found(exact)
            .or_else(|| found(self.named(path, None, is_wanted)))
            .or_else(|| found(self.named(path.strip_suffix(".d")?, None, is_wanted)))
            .or_else(|| found(self.named(&child(path, "index"), None, is_wanted)))
            .or_else(|| {
                let (stem, _) = written.as_ref().filter(|(_, kind)| !kind.is_typescript())?;
                found(self.named(&child(stem, "index"), None, is_wanted))
            });
        typescript.or(javascript)
    }

    /// The best file of a name. Of TypeScript that is written out, only the very file.
    fn named(&self, stem: &str, written: Option<Kind>, is_wanted: fn(Kind) -> bool) -> Option<Hit> {
        let fits = |kind: Kind| is_wanted(kind) && written.is_none_or(|w| w == kind || !w.is_typescript());
        let rank = |kind: Kind| {
            let meant = written.map_or(&[][..], Kind::meant_by);
            (!kind.is_typescript(), meant.iter().position(|k| *k == kind).unwrap_or(meant.len()), kind)
        };
        let same = self.stems.get(stem)?.iter().filter(|(kind, _)| fits(*kind));
        same.min_by_key(|(kind, _)| rank(*kind)).map(|&(kind, file)| Hit { file: file as usize, kind })
    }
}

/// Endings of what is imported and is no source, sorted.
const ASSETS: &[&str] = &[
    "astro", "avif", "css", "csv", "eot", "frag", "gif", "glsl", "gql", "graphql", "hbs", "html", "ico", "jpeg", "jpg",
    "json", "json5", "jsonc", "less", "md", "mdx", "mp3", "mp4", "node", "otf", "pdf", "png", "sass", "scss", "styl",
    "svelte", "svg", "toml", "ttf", "txt", "vert", "vue", "wasm", "wav", "webm", "webp", "wgsl", "woff", "woff2",
    "xml", "yaml", "yml",
];

/// True of a path whose ending is that of no source: a style sheet, a picture, data. Nobody can tell whether it is
/// there, since only sources are listed.
pub(super) fn is_asset(path: &str) -> bool {
    // Bundlers take `./x.svg?url` and `loader!./x`.
    if path.contains(['?', '!']) {
        return true;
    }
    let ending = name_of(path).rsplit_once('.').map_or("", |(_, ending)| ending);
    ASSETS.binary_search(&ending).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn endings_are_taken_off() {
        let split = |path| split(path).map(|(stem, kind)| (stem.to_string(), kind));
        assert_eq!(split("a/b.ts"), Some(("a/b".to_owned(), Ts)));
        assert_eq!(split("a/b.d.mts"), Some(("a/b".to_owned(), DeclMts)));
        assert_eq!(split("a/b.d.css.ts"), Some(("a/b.css".to_owned(), DeclTs)));
        assert_eq!(split("a.d.b/c.ts"), Some(("a.d.b/c".to_owned(), Ts)));
        assert_eq!(split("a/b.css"), None);
    }

    #[test]
    fn assets_are_known_by_their_ending() {
        assert!(["./a.css", "./data.json", "./a.ts?raw", "raw!./a"].into_iter().all(is_asset));
        assert!(!["./a", "./a.service", "./a.js", "./json"].into_iter().any(is_asset));
    }
}
