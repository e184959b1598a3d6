//! What annotations mean that say it in another place: `K` of `<K extends keyof Events>` means the names of events,
//! `Exclude<Mode, "off">` the other modes, and `T` of `<T extends Options>` means `Options`. A property of a union
//! means what it has in each of its types, and a computed type such as `Tuning[Kind]` the keys of its objects (see
//! [`computed_keys`](super::computed_keys)).

use arcstr::ArcStr;
use compact_str::CompactString;

use super::{Describer, node_texts::string_literal};
use crate::linked::shared_text;
use crate::typescript::{
    program::{FileIndex, InternedName},
    types::{InternedType, TypeKind},
};
use apidisc_base::nesting;
use apidisc_facts::syntax::typescript::facts::{Decl, TypeId, TypeNode, TypeParamId};

/// Operators that compute a type from a named one.
const OPERATORS: [&str; 4] = ["keyof ", "Exclude<", "Extract<", "NonNullable<"];
/// The greatest number of alternatives of a meaning.
const MAX_ALTERNATIVES: usize = 48;
/// The greatest length of a meaning in bytes.
const MAX_LENGTH: usize = 800;
/// What stands for types that are neither literal nor primitive.
const OTHER_TYPE: &str = "any";
/// The greatest number of constraints of type parameters that lead to a type.
const MAX_CONSTRAINTS: u32 = 4;

impl Describer<'_, '_> {
    /// What an annotation means: the literals or keys of a computed type, or what constrains the type parameter that it
    /// is. `None` if the annotation says it itself, or if nothing is known.
    pub(super) fn meaning(&mut self, file: FileIndex, annotation: &(TypeId, ArcStr)) -> Option<ArcStr> {
        self.computed_literals(file, annotation).or_else(|| self.computed_keys(file, annotation.0))
    }

    /// The literals of a computed type, or what constrains a type parameter.
    fn computed_literals(&mut self, file: FileIndex, (ty, text): &(TypeId, ArcStr)) -> Option<ArcStr> {
        let parameter = self.type_parameter(file, *ty);
        if parameter.is_none() && !OPERATORS.iter().any(|operator| text.contains(operator)) {
            return None;
        }
        let constraint = match parameter {
            Some(parameter) => {
                Some(constraint_in(&self.linker.program.facts(file).type_params[parameter.index()].text)?)
            }
            None => None,
        };
        let ty = self.linker.type_from_node(file, *ty);
        let mut parts = Vec::new();
        let literals = self.add_literals(ty, &mut parts, 0);
        let is_literal = |part: &CompactString| part.starts_with('"');
        let length: usize = parts.iter().map(|part| part.len() + " | ".len()).sum();
        let is_short = parts.len() <= MAX_ALTERNATIVES && length <= MAX_LENGTH;
        // What bounds a type parameter may have other types beside literals.
        let is_whole = literals.is_some() && (parameter.is_some() || !parts.iter().any(|part| part == OTHER_TYPE));
        if is_whole && is_short && parts.iter().any(is_literal) {
            return Some(shared_text(parts.join(" | ")));
        }
        constraint.map(shared_text)
    }

    /// The strings that a property has in the types of a union, if `annotation`, that in one of them, is a string: each
    /// of `type: "circle"` and `type: "square"` may be passed.
    pub(super) fn meaning_in_union(
        &mut self,
        union: InternedType,
        name: InternedName,
        annotation: &str,
    ) -> Option<ArcStr> {
        let parts = self.linker.types.constituents(union);
        if parts.len() < 2 || !annotation.starts_with(['"', '\'']) {
            return None;
        }
        let mut strings = Vec::new();
        for part in parts {
            let Some(property) = self.linker.property_type(part, name) else { continue };
            self.add_literals(property, &mut strings, 0)?;
        }
        let is_several = strings.len() > 1 && strings.len() <= MAX_ALTERNATIVES;
        is_several.then(|| shared_text(strings.join(" | ")))
    }

    /// The type parameter that a type node is.
    pub(super) fn type_parameter(&self, file: FileIndex, ty: TypeId) -> Option<TypeParamId> {
        let facts = self.linker.program.facts(file);
        let TypeNode::Ref { symbol: Some(symbol), .. } = *facts.ty(ty) else { return None };
        match facts.symbol(symbol).decls[..] {
            [Decl::TypeParam(parameter)] => Some(parameter),
            _ => None,
        }
    }

    /// Adds the texts of the literal and primitive types of which a type consists, and [`OTHER_TYPE`] for other types.
    /// `None` if a part is not known.
    fn add_literals(&mut self, ty: InternedType, parts: &mut Vec<CompactString>, constraints: u32) -> Option<()> {
        let _level = nesting::descend()?;
        for part in self.linker.types.constituents(ty) {
            let text = match *self.linker.types.kind(part) {
                TypeKind::Nullish => continue,
                TypeKind::String => "string".into(),
                TypeKind::Number => "number".into(),
                TypeKind::Boolean => "boolean".into(),
                TypeKind::Symbol => "symbol".into(),
                TypeKind::StringLiteral(name) => string_literal(self.linker.program.names.text(name))?,
                TypeKind::NumberLiteral(name) => self.linker.program.names.text(name).into(),
                TypeKind::BooleanLiteral(value) => if value { "true" } else { "false" }.into(),
                TypeKind::TypeParameter(_) if constraints < MAX_CONSTRAINTS => {
                    let constraint = self.linker.constraint(part)?;
                    self.add_literals(constraint, parts, constraints + 1)?;
                    continue;
                }
                TypeKind::KeyOf(of) if constraints < MAX_CONSTRAINTS => {
                    let of = self.linker.constraint(of)?;
                    let keys = self.linker.keyof_type(of);
                    self.add_literals(keys, parts, constraints + 1)?;
                    continue;
                }
                _ => OTHER_TYPE.into(),
            };
            if !parts.contains(&text) {
                parts.push(text);
            }
            if parts.len() > MAX_ALTERNATIVES {
                return None;
            }
        }
        Some(())
    }
}

/// The constraint in the text of a type parameter: `Options` of `T extends Options = {}`.
fn constraint_in(text: &str) -> Option<&str> {
    let (_, constraint) = text.split_once(" extends ")?;
    let mut depth = 0_usize;
    let is_default = |&(at, c): &(usize, char)| {
        let is_arrow = c == '=' && constraint[at..].starts_with("=>") || c == '>' && constraint[..at].ends_with('=');
        match c {
            '<' | '(' | '[' | '{' => depth += 1,
            '>' | ')' | ']' | '}' if !is_arrow => depth = depth.saturating_sub(1),
            _ => {}
        }
        c == '=' && depth == 0 && !is_arrow
    };
    let end = constraint.char_indices().find(is_default).map_or(constraint.len(), |(at, _)| at);
    Some(constraint[..end].trim()).filter(|constraint| !constraint.is_empty() && constraint.len() <= MAX_LENGTH)
}

#[cfg(test)]
mod tests {
    use super::constraint_in;

    #[test]
    fn the_constraint_ends_before_the_default() {
        for (text, expected) in [
            ("T extends Options = {}", Some("Options")),
            ("K extends keyof Events", Some("keyof Events")),
            ("F extends (x: A) => B", Some("(x: A) => B")),
            ("T extends Map<A, B> = Map<C, D>", Some("Map<A, B>")),
            ("T = {}", None),
            ("T", None),
        ] {
            assert_eq!(constraint_in(text), expected, "{text}");
        }
    }
}
