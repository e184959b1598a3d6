//! What gives a program a value of a type, besides a call of the class: functions that return one, constants that hold
//! one, and classes that implement an interface from outside of the sources.

use apidisc_base::language::Language;
use apidisc_facts::program::{DefinitionId, DefinitionKind};
use apidisc_indexing::index::{Definition, File, Index};
use compact_str::CompactString;
use rustc_hash::FxHashMap;

use crate::{
    exports::{own_types, type_named},
    subclasses::can_be_made,
};

/// Names of types that say nothing of what a value is for: those of the languages and of their standard libraries.
const GENERAL: [&str; 3] = [
    "str int float bool bytes None Any dict list tuple set object type Dict List Tuple Set Type Union Optional Mapping",
    "Sequence Iterable Iterator Callable Generator Awaitable Coroutine Self Literal datetime date time timedelta Path",
    "UUID Decimal string number boolean unknown any void undefined null never Array ReadonlyArray Promise Record Map \
     Partial Readonly Function Error Date Buffer T",
];

/// The public functions and constants of the library that give a value of a type, and the classes that implement a type
/// from outside of the sources, by the name of the type.
#[derive(Debug)]
pub(crate) struct Makers(FxHashMap<(Language, CompactString), Vec<DefinitionId>>);

impl Makers {
    /// The table of an index.
    pub(crate) fn new(index: &Index) -> Self {
        let mut makers: FxHashMap<_, Vec<DefinitionId>> = FxHashMap::default();
        for (id, definition) in index.definitions_with_ids() {
            let is_library = || index.files.get(definition.place.file.index()).is_none_or(File::is_library);
            if !definition.is_public || definition.parent.is_some() || !is_library() {
                continue;
            }
            for name in types_given(index, id, definition) {
                let of_name = makers.entry((definition.language, CompactString::new(last(name)))).or_default();
                if of_name.last() != Some(&id) {
                    of_name.push(id);
                }
            }
        }
        Self(makers)
    }

    /// What gives a value of the type that `name` means in a text of a definition.
    pub(crate) fn of<'m>(
        &'m self,
        index: &'m Index,
        definition: &'m Definition,
        name: &str,
    ) -> impl Iterator<Item = DefinitionId> + use<'m> {
        let ty = type_named(index, definition, name);
        let found = self.0.get(&(definition.language, CompactString::new(last(name))));
        let name = CompactString::new(last(name));
        found.into_iter().flatten().copied().filter(move |id| {
            // Where both names are known, they mean the same type.
            let other = type_named(index, index.definition(*id), &name);
            ty.is_none() || other.is_none() || ty == other
        })
    }
}

/// The names of the types of which a definition gives values: the result of a function, the type of a constant, and
/// what a class implements that the sources do not define.
fn types_given<'i>(index: &'i Index, id: DefinitionId, definition: &'i Definition) -> Vec<&'i str> {
    let annotation = match definition.kind {
        DefinitionKind::Function => {
            let declared = definition.overloads.first().or(definition.signature.as_deref());
            declared.and_then(|declared| declared.returns.as_deref().or(declared.inferred_returns.as_deref()))
        }
        DefinitionKind::Constant => definition.annotation.as_deref(),
        DefinitionKind::Class if can_be_made(index, id) => {
            let bases = definition.bases.iter().map(|base| base.strip_prefix("implements ").unwrap_or(base));
            let names = bases.map(|base| base.split(['<', '[']).next().unwrap_or_default().trim());
            return names.filter(|name| type_named(index, definition, name).is_none()).collect();
        }
        _ => None,
    };
    let is_general = |name: &str| GENERAL.iter().any(|names| names.split(' ').any(|general| general == last(name)));
    let names = annotation.map(own_types);
    names.map(|names| names.filter(|name| !is_general(name)).take(1).collect()).unwrap_or_default()
}

/// The last part of a dotted name.
fn last(name: &str) -> &str {
    name.rsplit('.').next().unwrap_or(name)
}
