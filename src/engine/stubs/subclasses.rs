//! The classes whose instances code passes where a type is expected: those that inherit a class or implement an
//! interface.

use apidisc_base::language::Language;
use apidisc_facts::program::{DefinitionId, DefinitionKind};
use apidisc_indexing::index::{Definition, File, Index};
use arcstr::ArcStr;
use rustc_hash::{FxHashMap, FxHashSet};

/// The classes of the library that code can make an instance of, by the classes and interfaces that they inherit.
#[derive(Debug)]
pub(crate) struct Subclasses(FxHashMap<DefinitionId, Vec<DefinitionId>>);

impl Subclasses {
    /// The table of all classes of an index.
    pub(crate) fn new(index: &Index) -> Self {
        let mut subclasses: FxHashMap<DefinitionId, Vec<DefinitionId>> = FxHashMap::default();
        for (id, class) in index.definitions_with_ids() {
            let is_library = || index.files.get(class.place.file.index()).is_none_or(File::is_library);
            if !class.ancestors.is_empty() && can_be_made(index, id) && is_library() {
                for ancestor in &class.ancestors {
                    subclasses.entry(*ancestor).or_default().push(id);
                }
            }
        }
        Self(subclasses)
    }

    /// The classes that inherit a class or implement an interface, in the order of the index.
    pub(crate) fn of(&self, ty: DefinitionId) -> &[DefinitionId] {
        self.0.get(&ty).map_or(&[], Vec::as_slice)
    }
}

/// True for a public class that is neither abstract nor an enum.
pub(crate) fn can_be_made(index: &Index, id: DefinitionId) -> bool {
    let class = index.definition(id);
    let is_abstract = |base: &ArcStr| {
        let base = base.strip_prefix("metaclass=").unwrap_or(base);
        let base = base.split('[').next().unwrap_or_default();
        matches!(base.rsplit('.').next(), Some("ABC" | "ABCMeta" | "Protocol"))
    };
    class.kind == DefinitionKind::Class
        && class.is_public
        && class.signature.is_some()
        && !class.modifiers.is_abstract
        && !class.bases.iter().any(is_abstract)
        && !index.is_enum(id)
        && !(class.language == Language::Python && has_abstract_methods(index, class))
}

/// True for a Python class that declares an abstract method, or inherits one that nothing overrides.
fn has_abstract_methods(index: &Index, class: &Definition) -> bool {
    let is_abstract =
        |decorator: &ArcStr| decorator.rsplit('.').next().is_some_and(|name| name.starts_with("abstract"));
    let ancestors = class.ancestors.iter().map(|id| index.definition(*id));
    let mut seen: FxHashSet<&str> = FxHashSet::default();
    std::iter::once(class).chain(ancestors).any(|owner| {
        let members: Vec<&Definition> = owner.members.iter().map(|id| index.definition(*id)).collect();
        let is_left =
            |member: &&Definition| !seen.contains(member.name.as_str()) && member.decorators.iter().any(is_abstract);
        let has_abstract = members.iter().any(is_left);
        seen.extend(members.iter().map(|member| member.name.as_str()));
        has_abstract
    })
}
