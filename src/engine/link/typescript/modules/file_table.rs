//! A table of the source files by path without extension. It resolves a path without an extension, or with the
//! extension of a build output, to the source file.

use std::borrow::Cow;

use compact_str::CompactString;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use apidisc_base::language::Framework;

use super::path::{child, name_of};

/// The extension of a file. Of files that differ only in their extension, the one whose extension comes first in this
/// list is preferred.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum FileExtension {
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
    /// A component, whose ending is part of the module that an import names.
    Component,
}

use FileExtension::{Cjs, Component, Cts, DeclCts, DeclMts, DeclTs, Js, Jsx, Mjs, Mts, Ts, Tsx};

const EXTENSIONS: &[(&str, FileExtension)] = &[
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

impl FileExtension {
    pub(super) fn is_declaration(self) -> bool {
        matches!(self, DeclTs | DeclMts | DeclCts)
    }

    pub(super) fn is_typescript(self) -> bool {
        self < Js
    }

    /// The extensions of the files that a path with this extension may resolve to, in the order in which they are
    /// tried. TypeScript resolves `./x.js` to `x.ts`, since an import names the emitted file.
    fn sources_of_output(self) -> &'static [Self] {
        match self {
            Js => &[Ts, Tsx, DeclTs, Js, Jsx],
            Jsx => &[Tsx, Ts, DeclTs, Jsx, Js],
            Mjs => &[Mts, DeclMts, Mjs],
            Cjs => &[Cts, DeclCts, Cjs],
            _ => &[],
        }
    }
}

/// Splits a path into its stem and its extension. `x.d.css.ts`, the declaration file of a file of another type
/// (`allowArbitraryExtensions`), has the stem `x.css`.
fn split_extension(path: &str) -> Option<(Cow<'_, str>, FileExtension)> {
    if Framework::of_path(path).is_some() {
        return Some((Cow::Borrowed(path), Component));
    }
    let &(suffix, extension) = EXTENSIONS.iter().find(|(suffix, _)| path.ends_with(suffix))?;
    let stem = &path[..path.len() - suffix.len()];
    if extension == Ts
        && let Some((before, inner)) = stem.rsplit_once(".d.")
        && !inner.contains(['.', '/'])
    {
        return Some((Cow::Owned(format!("{before}.{inner}")), DeclTs));
    }
    Some((Cow::Borrowed(stem), extension))
}

/// The file that a path resolves to.
#[derive(Clone, Copy, Debug)]
pub(super) struct FileMatch {
    /// The position of the file in the table.
    pub(super) file: usize,
    pub(super) extension: FileExtension,
}

/// The paths of all source files.
#[derive(Debug, Default)]
pub(super) struct FileTable {
    paths: Vec<CompactString>,
    /// For each path without extension: the files of that stem, the preferred one first.
    by_stem: FxHashMap<CompactString, SmallVec<[(FileExtension, u32); 1]>>,
}

impl FileTable {
    pub(super) fn new(paths: &[&str]) -> Self {
        let mut files = Self::default();
        for (i, path) in paths.iter().enumerate() {
            files.paths.push(CompactString::from(*path));
            if let (Some((stem, extension)), Ok(i)) = (split_extension(path), u32::try_from(i)) {
                files.by_stem.entry(stem.into()).or_default().push((extension, i));
            }
        }
        for same in files.by_stem.values_mut() {
            same.sort_unstable();
        }
        files
    }

    /// The number of files.
    pub(super) fn len(&self) -> usize {
        self.paths.len()
    }

    pub(super) fn path(&self, file: usize) -> Option<&str> {
        self.paths.get(file).map(CompactString::as_str)
    }

    /// The files whose paths begin with `prefix`, with their positions.
    pub(super) fn with_prefix(&self, prefix: &str) -> impl Iterator<Item = (usize, &str)> {
        let first = self.paths.partition_point(|path| path.as_str() < prefix);
        let rest = self.paths.iter().enumerate().skip(first);
        rest.map(|(i, path)| (i, path.as_str())).take_while(move |(_, path)| path.starts_with(prefix))
    }

    /// The file that a path resolves to: a TypeScript file with any extension, else a JavaScript file.
    pub(super) fn find(&self, path: &str) -> Option<FileMatch> {
        self.find_matching(path, |_| true)
    }

    /// The file that a path resolves to. Declaration files are ignored.
    pub(super) fn find_code(&self, path: &str) -> Option<FileMatch> {
        self.find_matching(path, |extension| !extension.is_declaration())
    }

    fn find_matching(&self, path: &str, accepts: fn(FileExtension) -> bool) -> Option<FileMatch> {
        let mut javascript = None;
        // A JavaScript file is used only if no TypeScript file matches, so the first one found is kept in reserve.
        let mut found = |file_match: Option<FileMatch>| match file_match {
            Some(file_match) if file_match.extension.is_typescript() => Some(file_match),
            other => {
                javascript = javascript.or(other);
                None
            }
        };
        let written = split_extension(path);
        // `./x.js`, `./x.ts`
        let exact = written.as_ref().and_then(|(stem, extension)| self.best_of_stem(stem, Some(*extension), accepts));
        // `./x`, `./x.service`, `./x.js` for the file `x.js.ts`
        let typescript = found(exact)
            .or_else(|| found(self.best_of_stem(path, None, accepts)))
            .or_else(|| found(self.best_of_stem(path.strip_suffix(".d")?, None, accepts)))
            .or_else(|| found(self.best_of_stem(&child(path, "index"), None, accepts)))
            .or_else(|| {
                let (stem, _) = written.as_ref().filter(|(_, extension)| !extension.is_typescript())?;
                found(self.best_of_stem(&child(stem, "index"), None, accepts))
            });
        typescript.or(javascript)
    }

    /// The preferred file of a stem, for a path written with the extension `written`. If that is a TypeScript
    /// extension, only a file with exactly this extension matches.
    fn best_of_stem(
        &self,
        stem: &str,
        written: Option<FileExtension>,
        accepts: fn(FileExtension) -> bool,
    ) -> Option<FileMatch> {
        let is_match = |extension: FileExtension| {
            accepts(extension) && written.is_none_or(|w| w == extension || !w.is_typescript())
        };
        let rank = |extension: FileExtension| {
            let sources = written.map_or(&[][..], FileExtension::sources_of_output);
            (
                !extension.is_typescript(),
                sources.iter().position(|k| *k == extension).unwrap_or(sources.len()),
                extension,
            )
        };
        let matching = self.by_stem.get(stem)?.iter().filter(|(extension, _)| is_match(*extension));
        matching
            .min_by_key(|(extension, _)| rank(*extension))
            .map(|&(extension, file)| FileMatch { file: file as usize, extension })
    }
}

/// True for a JavaScript file.
pub(crate) fn is_javascript(path: &str) -> bool {
    split_extension(path).is_some_and(|(_, extension)| !extension.is_typescript())
}

/// Extensions of files that are imported but are no sources, sorted.
const ASSET_EXTENSIONS: &[&str] = &[
    "astro", "avif", "css", "csv", "eot", "frag", "gif", "glsl", "gql", "graphql", "hbs", "html", "ico", "jpeg", "jpg",
    "json", "json5", "jsonc", "less", "md", "mdx", "mp3", "mp4", "node", "otf", "pdf", "png", "sass", "scss", "styl",
    "svelte", "svg", "toml", "ttf", "txt", "vert", "vue", "wasm", "wav", "webm", "webp", "wgsl", "woff", "woff2",
    "xml", "yaml", "yml",
];

/// True for a path to a style sheet, an image or another file that is imported but is not a source. Whether the file
/// exists is not known, since only source files are listed.
pub(super) fn is_asset(path: &str) -> bool {
    // Bundlers accept `./x.svg?url` and `loader!./x`.
    if path.contains(['?', '!']) {
        return true;
    }
    let suffix = name_of(path).rsplit_once('.').map_or("", |(_, suffix)| suffix);
    ASSET_EXTENSIONS.binary_search(&suffix).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn extensions_are_split_off() {
        let split = |path| split_extension(path).map(|(stem, extension)| (stem.to_string(), extension));
        assert_eq!(split("a/b.ts"), Some(("a/b".to_owned(), Ts)));
        assert_eq!(split("a/b.d.mts"), Some(("a/b".to_owned(), DeclMts)));
        assert_eq!(split("a/b.d.css.ts"), Some(("a/b.css".to_owned(), DeclTs)));
        assert_eq!(split("a.d.b/c.ts"), Some(("a.d.b/c".to_owned(), Ts)));
        assert_eq!(split("a/b.css"), None);
    }

    #[test]
    fn assets_are_known_by_their_extension() {
        assert!(["./a.css", "./data.json", "./a.ts?raw", "raw!./a"].into_iter().all(is_asset));
        assert!(!["./a", "./a.service", "./a.js", "./json"].into_iter().any(is_asset));
    }
}
