//! The heritage clauses of a class or interface: `extends` and `implements`.
//!
//! `extends` is written as code only if the compiler certainly accepts it. Otherwise it is a comment, in particular:
//!
//! - if the base is not public, since the derived type has its members;
//! - if the base is from outside of the sources, except for known global types such as `Error`;
//! - if the base and the derived type declare a member of the same name. The stub may show only a part of one of the
//!   two members, which can make them incompatible.
//!
//! `implements` is always a comment, since members of the interface may be hidden.

use compact_str::CompactString;
use rustc_hash::FxHashSet;

use super::{
    declaration::DeclarationWriter,
    generics::TypeParameter,
    global_types,
    members::is_shown,
    types::{PrintedType, TypeShape, type_text},
};
use crate::stub::{node_text::TypeReference, text::sanitized};
use apidisc_facts::program::{DefinitionId, DefinitionKind};
use apidisc_indexing::index::{Definition, Index};

/// The maximum length of a clause in a comment, in bytes. A longer clause is left out: it is not worth its tokens.
const MAX_NOTE_LENGTH: usize = 80;
/// The maximum number of types in the ancestry of a base, including the base. If there are more, the clause is a
/// comment.
pub(super) const MAX_ANCESTORS: usize = 24;

/// The printed heritage clauses of a class or interface.
#[derive(Debug, Default)]
pub(super) struct HeritageClause {
    /// ` extends Base<T>`, or empty.
    pub(super) code: String,
    /// The text of the comment, such as `implements Closeable`, or empty.
    pub(super) note: String,
    pub(super) references: Vec<TypeReference>,
}

/// The heritage clauses of a class or interface.
pub(super) fn heritage(declaration: &DeclarationWriter<'_>, type_parameters: &[TypeParameter]) -> HeritageClause {
    let is_class = declaration.definition.kind == DefinitionKind::Class;
    let mut heritage = HeritageClause::default();
    let (mut code, mut notes) = (Vec::new(), Vec::new());
    let mut members = member_names(declaration.index, declaration.id);
    for base in &declaration.definition.bases {
        if let Some(implemented) = base.strip_prefix("implements ") {
            // A caller needs the members, which are shown.
            if !declaration.is_short() {
                notes.push(format!("implements {}", sanitized(implemented)));
            }
            continue;
        }
        let printed = (code.is_empty() || !is_class)
            .then(|| self::extends_clause(declaration, base, type_parameters, &mut members))
            .flatten();
        if let Some(printed) = printed {
            heritage.references.extend(printed.references);
            code.push(printed.text);
        } else {
            let base = if declaration.is_short() { class_name(base) } else { base };
            notes.push(format!("extends {}", sanitized(base)));
        }
    }
    notes.retain(|note| note.len() <= MAX_NOTE_LENGTH);
    if !code.is_empty() {
        heritage.code = format!(" extends {}", code.join(", "));
    }
    heritage.note = notes.join(", ");
    heritage
}

/// Prints `base` as code; `None` if the compiler might reject it. `members` holds the names of the members of the
/// derived type and of its bases so far. The names of the members that this base declares or inherits in the sources
/// are added.
fn extends_clause(
    declaration: &DeclarationWriter<'_>,
    base: &str,
    type_parameters: &[TypeParameter],
    members: &mut FxHashSet<CompactString>,
) -> Option<PrintedType> {
    let is_class = declaration.definition.kind == DefinitionKind::Class;
    let name = class_name(base);
    let printed = || type_text(base, declaration.type_scope(type_parameters));
    let Some(base_id) = resolve(declaration.definition, name) else {
        let global = global_types::global_type(name)?;
        let is_alone = declaration.definition.bases.iter().filter(|base| !base.starts_with("implements ")).count() == 1;
        let is_accepted = if is_class { global.is_class } else { is_alone };
        let printed = printed().filter(|printed| is_accepted && printed.text.starts_with(name))?;
        return Some(printed);
    };
    // The members of such a base are members of the derived type.
    if declaration.holds_inherited || !declaration.index.definition(base_id).is_public {
        return None;
    }
    let kind = declaration.index.definition(base_id).kind;
    let is_accepted = match kind {
        DefinitionKind::Class => true,
        DefinitionKind::Interface => !is_class,
        _ => false,
    };
    let mut printed = printed().filter(|printed| is_accepted && printed.shape == TypeShape::Definition)?;
    let ty = declaration.names.type_of(base_id)?;
    printed.references.iter_mut().filter(|r| r.ty == ty).for_each(|r| r.is_base = is_class);
    let inherited = ancestors(declaration.index, base_id, declaration.id)?;
    let inherited: FxHashSet<CompactString> =
        inherited.into_iter().flat_map(|id| member_names(declaration.index, id)).collect();
    if inherited.iter().any(|name| members.contains(name)) {
        return None;
    }
    members.extend(inherited);
    Some(printed)
}

/// The name of a base without its type arguments: `Base` of `Base<T>`.
fn class_name(base: &str) -> &str {
    base.split(['<', ' ', '(']).next().unwrap_or_default()
}

/// The definition in the sources that `name` denotes in the text of `definition`.
fn resolve(definition: &Definition, name: &str) -> Option<DefinitionId> {
    definition.type_names.iter().find(|(known, _)| known == name).and_then(|(_, id)| *id)
}

/// The definition in the sources that a heritage clause of `definition` names.
pub(super) fn base_definition(definition: &Definition, clause: &str) -> Option<DefinitionId> {
    resolve(definition, class_name(clause))
}

/// The class or interface `id` and all its ancestors in the sources; `None` if `from` is one of these types or if they
/// are more than [`MAX_ANCESTORS`].
fn ancestors(index: &Index, id: DefinitionId, from: DefinitionId) -> Option<Vec<DefinitionId>> {
    let mut found = vec![id];
    let mut next = 0;
    while let Some(&at) = found.get(next) {
        next += 1;
        if at == from || next > MAX_ANCESTORS {
            return None;
        }
        let definition = index.definition(at);
        for base in &definition.bases {
            let name = class_name(base);
            let parent = resolve(definition, name).filter(|parent| !found.contains(parent));
            found.extend(parent);
        }
    }
    Some(found)
}

fn member_names(index: &Index, id: DefinitionId) -> FxHashSet<CompactString> {
    let members = index.members_of(id).map(|id| index.definition(id));
    members
        .filter(|member| is_shown(index.definition(id), member) && member.name != "constructor")
        .map(|member| CompactString::new(&member.name))
        .collect()
}
