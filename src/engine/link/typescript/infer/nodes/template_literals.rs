//! Template literal types (`` `get${K}` ``), and the types of the platform that map strings, such as `Capitalize<K>`.

use compact_str::{CompactString, ToCompactString};
use smallvec::SmallVec;

use crate::typescript::{
    infer::Linker,
    types::{InternedType, InternedTypes, StringMapping, TypeKind},
};

/// The greatest number of string literals that a template literal type stands for. One with more is `string`.
const MAX_LITERALS: usize = 256;

/// The greatest length of a string literal that a template literal type makes, in bytes. A longer one is `string`.
const MAX_LENGTH: usize = 512;

/// The parts of a template literal type that are known so far: those before the last text, and that text.
type KnownParts = (InternedTypes, CompactString);

/// The parts of a template literal type that are no text, each with a type that it stands for.
pub(super) type TemplateMatches = SmallVec<[(InternedType, InternedType); 4]>;

impl Linker<'_> {
    /// The template literal type of `parts`, its texts (as string literal types) and placeholders in source order. If
    /// all parts are literals, it is a string literal type. If parts are unions, it is the union of all combinations.
    /// If a part mentions a type variable, it stays a template until the variable is replaced.
    pub(super) fn template_type(&mut self, parts: InternedTypes) -> InternedType {
        if parts.iter().any(|part| self.types.is_generic(*part)) {
            return self.types.intern(TypeKind::Template(parts));
        }
        let mut all = vec![KnownParts::default()];
        for part in parts {
            let alternatives = self.template_alternatives(part);
            if all.len() * alternatives.len() > MAX_LITERALS {
                return InternedType::STRING;
            }
            let mut longer = Vec::with_capacity(all.len() * alternatives.len());
            for known in &all {
                for alternative in &alternatives {
                    let mut known = known.clone();
                    self.add_to_template(&mut known, *alternative);
                    longer.push(known);
                }
            }
            all = longer;
        }
        let all: InternedTypes = all.into_iter().map(|known| self.finished_template(known)).collect();
        self.types.union(all)
    }

    /// The string literals and the types of strings that a part of a template literal type stands for.
    fn template_alternatives(&mut self, part: InternedType) -> InternedTypes {
        let mut all = InternedTypes::new();
        for constituent in self.types.constituents(part) {
            match *self.types.kind(constituent) {
                TypeKind::Never => {}
                TypeKind::StringLiteral(_) | TypeKind::Template(_) | TypeKind::Number => all.push(constituent),
                TypeKind::NumberLiteral(text) => all.push(self.string_literal_type(text)),
                TypeKind::BooleanLiteral(value) => all.push(self.text_literal(&value.to_compact_string())),
                TypeKind::Boolean => all.extend(["true", "false"].map(|text| self.text_literal(text))),
                _ => all.push(InternedType::STRING),
            }
        }
        all
    }

    fn text_literal(&mut self, text: &str) -> InternedType {
        let name = self.program.names.intern(text);
        self.string_literal_type(name)
    }

    fn add_to_template(&mut self, known: &mut KnownParts, part: InternedType) {
        let Some(_level) = self.descend() else { return };
        match self.types.kind(part).clone() {
            TypeKind::StringLiteral(text) => known.1.push_str(self.program.names.text(text)),
            TypeKind::Template(parts) => parts.into_iter().for_each(|part| self.add_to_template(known, part)),
            _ => {
                self.end_text(known);
                known.0.push(part);
            }
        }
    }

    /// Adds the last text to the parts before it.
    fn end_text(&mut self, known: &mut KnownParts) {
        let text = std::mem::take(&mut known.1);
        if !text.is_empty() {
            known.0.push(self.text_literal(&text));
        }
    }

    fn finished_template(&mut self, mut known: KnownParts) -> InternedType {
        if known.1.len() > MAX_LENGTH {
            return InternedType::STRING;
        }
        if known.0.is_empty() {
            return self.text_literal(&known.1);
        }
        self.end_text(&mut known);
        match known.0[..] {
            [InternedType::STRING] => InternedType::STRING,
            _ => self.types.intern(TypeKind::Template(known.0)),
        }
    }

    /// The type that a mapping of strings makes of `ty`: `"Name"` of `Capitalize<"name">`.
    pub(in super::super) fn mapped_string(&mut self, mapping: StringMapping, ty: InternedType) -> InternedType {
        let Some(_level) = self.descend() else { return InternedType::STRING };
        match self.types.kind(ty).clone() {
            TypeKind::Any | TypeKind::External | TypeKind::Never => ty,
            TypeKind::StringLiteral(text) => {
                let text = mapping.apply(self.program.names.text(text));
                self.text_literal(&text)
            }
            TypeKind::Union(constituents) => {
                let all: InternedTypes =
                    constituents.iter().map(|constituent| self.mapped_string(mapping, *constituent)).collect();
                self.types.union(all)
            }
            TypeKind::Template(mut parts) if !self.types.is_generic(ty) => {
                let mapped = if mapping.is_of_first_character() { 1 } else { parts.len() };
                for part in &mut parts[..mapped] {
                    if matches!(self.types.kind(*part), TypeKind::StringLiteral(_)) {
                        *part = self.mapped_string(mapping, *part);
                    }
                }
                self.types.intern(TypeKind::Template(parts))
            }
            _ if self.types.is_generic(ty) => self.types.intern(TypeKind::StringMapping(mapping, ty)),
            _ => InternedType::STRING,
        }
    }

    /// The parts of a template literal type with what they stand for in `text`; `None` if the text does not match. As
    /// in TypeScript, each part but the last stands for the shortest text before the next text of the template, or for
    /// one character if no text follows.
    pub(in super::super) fn match_template(&mut self, parts: &[InternedType], text: &str) -> Option<TemplateMatches> {
        let (mut parts, mut rest) = (parts, text);
        let literal = |linker: &Self, part: Option<&InternedType>| match linker.types.kind(*part?) {
            TypeKind::StringLiteral(text) => Some(CompactString::new(linker.program.names.text(*text))),
            _ => None,
        };
        if let Some(first) = literal(self, parts.first()) {
            (parts, rest) = (&parts[1..], rest.strip_prefix(first.as_str())?);
        }
        if let Some(last) = literal(self, parts.last()) {
            (parts, rest) = (&parts[..parts.len() - 1], rest.strip_suffix(last.as_str())?);
        }
        let mut matches = TemplateMatches::new();
        while let Some((part, after)) = parts.split_first() {
            let delimiter = literal(self, after.first());
            let (length, skipped) = match &delimiter {
                _ if after.is_empty() => (rest.len(), 0),
                Some(delimiter) => (rest.find(delimiter.as_str())?, delimiter.len()),
                None => (rest.chars().next()?.len_utf8(), 0),
            };
            matches.push((*part, self.matched_type(*part, &rest[..length])?));
            rest = &rest[length + skipped..];
            parts = &after[usize::from(delimiter.is_some())..];
        }
        rest.is_empty().then_some(matches)
    }

    /// The literal type of a text that a part of a template literal type stands for; `None` if the part does not allow
    /// the text.
    fn matched_type(&mut self, part: InternedType, text: &str) -> Option<InternedType> {
        let expected = match self.types.kind(part) {
            TypeKind::TypeParameter(_) => self.constraint(part).unwrap_or(InternedType::STRING),
            _ => part,
        };
        let literal = self.text_literal(text);
        match *self.types.kind(expected) {
            TypeKind::Number | TypeKind::BigInt => {
                let name = self.program.names.intern(text);
                text.parse::<f64>().is_ok().then(|| self.types.intern(TypeKind::NumberLiteral(name)))
            }
            _ => self.is_assignable(literal, expected).then_some(literal),
        }
    }

    /// The parts of a template literal type that are no text, with the types that they stand for in `actual`: a string
    /// literal, a union of those, or a template literal type with the same texts.
    pub(in super::super) fn template_matches(
        &mut self,
        parts: &InternedTypes,
        actual: InternedType,
    ) -> TemplateMatches {
        let mut all = TemplateMatches::new();
        for constituent in self.types.constituents(actual) {
            let found = match self.types.kind(constituent).clone() {
                TypeKind::StringLiteral(text) => {
                    let text = CompactString::new(self.program.names.text(text));
                    self.match_template(parts, &text).unwrap_or_default()
                }
                TypeKind::Template(actual) if actual.len() == parts.len() => {
                    parts.iter().copied().zip(actual).filter(|(part, actual)| part != actual).collect()
                }
                _ if !constituent.is_known() => parts.iter().map(|part| (*part, constituent)).collect(),
                _ => continue,
            };
            for (part, ty) in found {
                match all.iter_mut().find(|(known, _)| *known == part) {
                    Some((_, known)) => *known = self.types.union([*known, ty]),
                    None => all.push((part, ty)),
                }
            }
        }
        all
    }
}
