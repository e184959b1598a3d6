//! What a class or interface builds on.
//!
//! `extends` is code only where the compiler takes it for certain. What is shown of a class and of its base may be
//! less than they have, so that a method of both would not fit; then, and where the base is from outside, a comment
//! says it. So it does of `implements`, since what is implemented may be hidden.

use compact_str::CompactString;
use rustc_hash::FxHashSet;

use super::{
    generics::Bound,
    heads::Writer,
    library,
    types::{Printed, Shape, type_text},
};
use crate::{
    index::{Definition, Index},
    program::{DefinitionId, DefinitionKind},
    stub::{needs::Need, text::inert},
};

/// A longer base is not worth its tokens in a comment.
const LONGEST: usize = 80;
/// Deeper hierarchies are not looked into.
const DEEPEST: usize = 24;

/// What stands behind a name.
#[derive(Debug, Default)]
pub(super) struct Heritage {
    /// ` extends Base<T>`, or nothing.
    pub(super) code: String,
    /// `implements Closeable`, for a comment.
    pub(super) note: String,
    pub(super) needs: Vec<Need>,
}

/// What `writer`'s class or interface builds on.
pub(super) fn heritage(writer: &Writer<'_>, bound: &[Bound]) -> Heritage {
    let is_class = writer.definition.kind == DefinitionKind::Class;
    let mut heritage = Heritage::default();
    let (mut code, mut notes) = (Vec::new(), Vec::new());
    let mut members = member_names(writer.index(), writer.definition);
    for base in &writer.definition.bases {
        if let Some(implemented) = base.strip_prefix("implements ") {
            notes.push(format!("implements {}", inert(implemented)));
            continue;
        }
        let printed = (code.is_empty() || !is_class).then(|| self::code(writer, base, bound, &mut members)).flatten();
        match printed {
            Some(printed) => {
                heritage.needs.extend(printed.needs);
                code.push(printed.text);
            }
            None => notes.push(format!("extends {}", inert(base))),
        }
    }
    notes.retain(|note| note.len() <= LONGEST);
    if !code.is_empty() {
        heritage.code = format!(" extends {}", code.join(", "));
    }
    heritage.note = notes.join(", ");
    heritage
}

/// A base as code; `members` has the names of all members so far, and gets those of the base.
fn code(writer: &Writer<'_>, base: &str, bound: &[Bound], members: &mut FxHashSet<CompactString>) -> Option<Printed> {
    let is_class = writer.definition.kind == DefinitionKind::Class;
    let name_end = base.find(['<', ' ', '(']).unwrap_or(base.len());
    let name = &base[..name_end];
    let meant = meaning(writer.definition, name);
    let printed = || type_text(base, writer.world(bound));
    let Some(meant) = meant else {
        let global = library::global(name)?;
        let is_alone = writer.definition.bases.iter().filter(|base| !base.starts_with("implements ")).count() == 1;
        let takes = if is_class { global.is_class } else { is_alone };
        let printed = printed().filter(|printed| takes && printed.text.starts_with(name))?;
        return Some(printed);
    };
    let kind = writer.index().definition(meant).kind;
    let takes = match kind {
        DefinitionKind::Class => true,
        DefinitionKind::Interface => !is_class,
        _ => false,
    };
    let mut printed = printed().filter(|printed| takes && printed.shape == Shape::Named)?;
    let ty = writer.names.type_of(meant)?;
    printed.needs.iter_mut().filter(|need| need.ty == ty).for_each(|need| need.is_base = is_class);
    let inherited = ancestors(writer.index(), meant, writer.id)?;
    let inherited: FxHashSet<CompactString> =
        inherited.into_iter().flat_map(|id| member_names(writer.index(), writer.index().definition(id))).collect();
    if inherited.iter().any(|name| members.contains(name)) {
        return None;
    }
    members.extend(inherited);
    Some(printed)
}

/// The definition of the sources that a name in a text of `definition` means.
fn meaning(definition: &Definition, name: &str) -> Option<DefinitionId> {
    definition.type_names.iter().find(|(known, _)| known == name).and_then(|(_, meant)| *meant)
}

/// A class or interface of the sources with all that it builds on there; `None` where that leads back to `from`.
fn ancestors(index: &Index, id: DefinitionId, from: DefinitionId) -> Option<Vec<DefinitionId>> {
    let mut found = vec![id];
    let mut next = 0;
    while let Some(&at) = found.get(next) {
        next += 1;
        if at == from || next > DEEPEST {
            return None;
        }
        let definition = index.definition(at);
        for base in &definition.bases {
            let name = base.split(['<', ' ', '(']).next().unwrap_or_default();
            let above = meaning(definition, name).filter(|above| !found.contains(above));
            found.extend(above);
        }
    }
    Some(found)
}

fn member_names(index: &Index, definition: &Definition) -> FxHashSet<CompactString> {
    let members = definition.members.iter().map(|&id| index.definition(id));
    members
        .filter(|member| member.is_public && member.name != "constructor")
        .map(|member| CompactString::new(&member.name))
        .collect()
}
