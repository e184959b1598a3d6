//! The texts of long object types, and of unions with a function type.

use compact_str::{CompactString, format_compact};

use super::Describer;
use crate::typescript::program::FileIndex;
use apidisc_base::nesting;
use apidisc_facts::{
    program::{ELIDED_OBJECT, OPEN_OBJECT},
    syntax::typescript::facts::{Member, MemberKind, TypeId, TypeNode},
};

/// The greatest length in bytes of the named types of an intersection that precede its properties.
const MAX_PARTS_LENGTH: usize = 200;
/// The greatest depth of type arguments in them.
const MAX_PARTS_DEPTH: usize = 4;

impl Describer<'_, '_> {
    /// The text of a long object type with its properties elided: `{ ... }`, or for example `Readonly<{ ... }>`. The
    /// other parts of an intersection precede the braces, `A & B<T> & { ... }`, if they are named types.
    /// [`OPEN_OBJECT`] precedes the braces if other parts or an index signature declare further properties. `None` for
    /// any other type, and for an object type that can be called.
    pub(super) fn elided_object(&self, file: FileIndex, ty: TypeId) -> Option<CompactString> {
        let _level = nesting::descend()?;
        let facts = self.linker.program.facts(file);
        let open = || format_compact!("{OPEN_OBJECT}{ELIDED_OBJECT}");
        match facts.ty(ty) {
            TypeNode::Literal(def) => {
                let members = facts.def(*def).members();
                let is_object =
                    |member: &Member| member.name.is_some() || matches!(member.kind, MemberKind::Index { .. });
                if !members.iter().all(is_object) || members.iter().all(|member| member.name.is_none()) {
                    return None;
                }
                let is_closed = members.iter().all(|member| member.name.is_some());
                Some(if is_closed { CompactString::const_new(ELIDED_OBJECT) } else { open() })
            }
            TypeNode::Intersection(parts) => {
                let is_object = |part: &TypeId| {
                    matches!(facts.ty(*part), TypeNode::Literal(_)) && self.elided_object(file, *part).is_some()
                };
                let (objects, others): (Vec<TypeId>, Vec<TypeId>) =
                    facts.type_list(*parts).iter().partition(|part| is_object(part));
                if objects.is_empty() {
                    return None;
                }
                let is_closed = |part: &TypeId| self.elided_object(file, *part).as_deref() == Some(ELIDED_OBJECT);
                let others: Option<Vec<CompactString>> =
                    others.iter().map(|part| self.reference_text(file, *part, 0)).collect();
                let others = others.map(|others| others.join(" & ")).filter(|_| objects.iter().all(is_closed));
                let others = others.filter(|text| !text.is_empty() && text.len() <= MAX_PARTS_LENGTH);
                Some(others.map_or_else(open, |others| format_compact!("{others} & {ELIDED_OBJECT}")))
            }
            TypeNode::Ref { symbol: None, path, args, .. } => {
                let ([name], [inner]) = (&path[..], facts.type_list(*args)) else { return None };
                let name = facts.name(*name);
                let is_object = matches!(facts.ty(*inner), TypeNode::Literal(_) | TypeNode::Intersection(_));
                let inner = self.elided_object(file, *inner).filter(|_| is_object)?;
                let inner = if inner == ELIDED_OBJECT { inner } else { open() };
                matches!(name, "Partial" | "Readonly" | "Required").then(|| format_compact!("{name}<{inner}>"))
            }
            _ => None,
        }
    }

    /// The other alternatives of a property's type that is a union with a function type: `boolean` of
    /// `boolean | ((status: number) => boolean)`. `None` if there are none but the `undefined` of an optional property.
    pub(super) fn alternatives_to_function(
        &self,
        file: FileIndex,
        ty: TypeId,
        text: &str,
        is_optional: bool,
    ) -> Option<CompactString> {
        let facts = self.linker.program.facts(file);
        let TypeNode::Union(list) = facts.ty(ty) else { return None };
        let (nodes, texts) = (facts.type_list(*list), alternatives(text));
        let is_implied = |text: &str| is_optional && text == "undefined";
        let others = nodes
            .iter()
            .zip(&texts)
            .filter(|(node, text)| !matches!(facts.ty(**node), TypeNode::Function(_)) && !is_implied(text));
        let others: Vec<&str> = others.map(|(_, text)| *text).collect();
        (nodes.len() == texts.len() && !others.is_empty()).then(|| others.join(" | ").into())
    }

    /// The text of a named type whose type arguments are named types too. `None` for any other type.
    pub(super) fn reference_text(&self, file: FileIndex, ty: TypeId, depth: usize) -> Option<CompactString> {
        let _level = nesting::descend()?;
        let facts = self.linker.program.facts(file);
        let TypeNode::Ref { path, args, .. } = facts.ty(ty) else { return None };
        if depth > MAX_PARTS_DEPTH {
            return None;
        }
        let name = path.iter().map(|segment| facts.name(*segment)).collect::<Vec<_>>().join(".");
        let args = facts.type_list(*args).iter().map(|arg| self.reference_text(file, *arg, depth + 1));
        let args = args.collect::<Option<Vec<_>>>()?.join(", ");
        Some(if args.is_empty() { name.into() } else { format_compact!("{name}<{args}>") })
    }
}

/// The alternatives of a union on one line.
fn alternatives(union: &str) -> Vec<&str> {
    let (mut found, mut start, mut depth, mut last) = (Vec::new(), 0, 0_i32, ' ');
    for (at, c) in union.char_indices() {
        match c {
            '(' | '[' | '{' | '<' => depth += 1,
            '>' if last == '=' => {}
            ')' | ']' | '}' | '>' => depth -= 1,
            '|' if depth == 0 => {
                found.push(union[start..at].trim());
                start = at + 1;
            }
            _ => {}
        }
        last = c;
    }
    found.push(union[start..].trim());
    found.retain(|alternative| !alternative.is_empty());
    found
}
