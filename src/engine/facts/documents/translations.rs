//! Documents that translate other documents of the same source, by their paths.
//!
//! A translation has the tag of a language other than English after its name (`README.pt-BR.md`) or as a folder
//! (`docs/hi/a.md`). Many tags are also words or file extensions, so a document with a tag counts as a translation only
//! if the original document exists: at the same path without the tag, or with the tag of English in its place.

use rustc_hash::FxHashSet;

/// All languages of ISO 639-1 but English and Tsonga, whose `ts` stands for TypeScript; and `cn`, `jp`, `ua` and `cz`,
/// the codes of countries that are often written for their languages.
const LANGUAGES: &str = "aa ab ae af ak am an ar as av ay az ba be bg bh bi bm bn bo br bs ca ce ch cn co cr cs cu cv cy cz \
                         da de dv dz ee el eo es et eu fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi ho hr ht hu hy hz \
                         ia id ie ig ii ik io is it iu ja jp jv ka kg ki kj kk kl km kn ko kr ks ku kv kw ky la lb lg li \
                         ln lo lt lu lv mg mh mi mk ml mn mr ms mt my na nb nd ne ng nl nn no nr nv ny oc oj om or os pa \
                         pi pl ps pt qu rm rn ro ru rw sa sc sd se sg si sk sl sm sn so sq sr ss st su sv sw ta te tg th \
                         ti tk tl tn to tr tt tw ty ua ug uk ur uz ve vi vo wa wo xh yi yo za zh zu";
/// The tags of English that a folder of original documents may have.
const ENGLISH: [&str; 4] = ["en", "en-US", "en-us", "en_US"];
/// The folders of documents, in which a folder of translations may stand beside the original documents.
const DOCUMENTS: [&str; 3] = ["docs", "doc", "documentation"];

/// The language of a tag, which may be followed by a script and a region: `zh` of `zh_Hans`, `PT` of `PT-BR`.
pub(super) fn language_of_tag(tag: &str) -> Option<&str> {
    let mut parts = tag.split(['-', '_']);
    let language = parts.next().filter(|language| language.len() == 2)?;
    let is_subtag = |part: &str| matches!(part.len(), 2 | 4) && part.bytes().all(|byte| byte.is_ascii_alphabetic());
    parts.all(is_subtag).then_some(language)
}

/// True for a tag of a language of [`LANGUAGES`].
fn is_tag(tag: &str) -> bool {
    language_of_tag(tag).is_some_and(|language| LANGUAGES.split(' ').any(|known| known.eq_ignore_ascii_case(language)))
}

/// The translations among the documents of a source. If a folder with a tag holds one translation, all documents in the
/// folder are translations.
pub(crate) struct Translations<'p> {
    /// The paths of all documents without their extensions.
    stems: FxHashSet<&'p str>,
    folders: FxHashSet<&'p str>,
}

impl<'p> Translations<'p> {
    /// The translations among documents, given by their paths.
    pub(crate) fn new(paths: impl Iterator<Item = &'p str> + Clone) -> Self {
        let stems = paths.clone().map(stem).collect();
        let mut found = Self { stems, folders: FxHashSet::default() };
        let folders =
            paths.flat_map(|path| tagged_folders(path).filter(|folder| found.translates_beside(path, folder)));
        found.folders = folders.collect();
        found
    }

    /// True for a translation.
    pub(crate) fn contains(&self, path: &str) -> bool {
        tagged_folders(path).any(|folder| self.folders.contains(folder)) || self.has_tag_behind_name(path)
    }

    /// True if the path has a tag after its name and the document without the tag exists. After `-` or `_` a tag counts
    /// only in a name in capitals, such as that of a README, since `sign-in` and `user_id` are names without a tag.
    fn has_tag_behind_name(&self, path: &str) -> bool {
        let stem = stem(path);
        let start = stem.rfind('/').map_or(0, |at| at + 1);
        stem[start..].match_indices(['.', '-', '_']).any(|(at, separator)| {
            let name = &stem[start..start + at];
            (separator == "." || !name.contains(char::is_lowercase))
                && is_tag(&stem[start + at + 1..])
                && self.stems.contains(&stem[..start + at])
        })
    }

    /// True if the document exists with the tag of English in place of the tag `folder`, or, below a folder of
    /// documents, without any tag.
    fn translates_beside(&self, path: &str, folder: &str) -> bool {
        let stem = stem(path);
        let (around, rest) = (folder.rfind('/').map_or("", |at| &folder[..=at]), &stem[folder.len() + 1..]);
        let has = |original: String| self.stems.contains(original.as_str());
        ENGLISH.iter().any(|tag| has(format!("{around}{tag}/{rest}")))
            || around.split('/').any(|folder| DOCUMENTS.contains(&folder)) && has(format!("{around}{rest}"))
    }
}

/// The path of a document without its extension.
fn stem(path: &str) -> &str {
    path.rsplit_once('.').map_or(path, |(stem, _)| stem)
}

/// The folders around a document whose names are tags.
fn tagged_folders(path: &str) -> impl Iterator<Item = &str> {
    path.match_indices('/')
        .map(|(end, _)| &path[..end])
        .filter(|folder| is_tag(folder.rsplit('/').next().unwrap_or(folder)))
}

#[cfg(test)]
mod tests {
    use super::Translations;

    fn translations<'p>(paths: &[&'p str]) -> Vec<&'p str> {
        let found = Translations::new(paths.iter().copied());
        paths.iter().copied().filter(|path| found.contains(path)).collect()
    }

    #[test]
    fn a_tag_behind_the_name_makes_a_translation_of_the_document_without_it() {
        let translated = ["README.hi.md", "README_it.md", "README-zh-Hans-CN.rst", "docs/a.de-ch.md", "README.kr.md"];
        let others = ["README.md", "docs/a.md", "README.ts.md", "README.en.md", "docs/sign-in.md", "docs/sign.md"];
        assert_eq!(translations(&[&translated[..], &others].concat()), translated);
        assert_eq!(translations(&["NOTES.hi.md", "docs/user_id.md", "docs/user.md", "docs/a.sv.md"]), [""; 0]);
    }

    #[test]
    fn a_folder_with_one_translation_has_translations_only() {
        let translated = ["docs/hi/docs/a.md", "docs/hi/prompt.md", "x/docs/id/b.md", "site/sv-SE/c.mdx"];
        let originals = ["docs/en/docs/a.md", "x/docs/b.md", "site/en/c.mdx"];
        assert_eq!(translations(&[&translated[..], &originals].concat()), translated);
    }

    #[test]
    fn a_folder_without_an_original_document_has_no_translations() {
        assert_eq!(translations(&["packages/is/README.md", "packages/README.md", "docs/io/a.md", "it/a.md"]), [""; 0]);
    }
}
