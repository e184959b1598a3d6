//! The types of variables and destructured names.

use smallvec::SmallVec;

use super::literal_items::literal_item;
use crate::typescript::{
    infer::Linker,
    program::FileIndex,
    types::{InternedType, InternedTypes, TypeKind},
};
use apidisc_facts::syntax::typescript::facts::{Expr, PatternStep, ValueSource, Variable, VariableId};

impl Linker<'_> {
    /// The type of a variable or destructured name.
    pub(in crate::typescript) fn variable_type(&mut self, file: FileIndex, variable: VariableId) -> InternedType {
        if let Some(name) = self.unique_symbol(file, variable) {
            return self.types.intern(TypeKind::UniqueSymbol(name));
        }
        let facts = self.program.facts(file);
        let row = &facts.variables[variable.index()];
        if row.path.is_empty()
            && let Some(annotation) = row.annotation
        {
            if facts.has_comment_types
                && let ValueSource::Value(value) = row.source
            {
                let ty = self.expr_type(file, value);
                if self.is_more_precise(ty, file, annotation) {
                    return ty;
                }
            }
            let annotated = self.type_from_node(file, annotation);
            if annotated.is_known() {
                return annotated;
            }
            // The type of the annotation is not known, for example an external `FC<Props>`: a function keeps its own.
            if let ValueSource::Value(value) = row.source {
                let ty = self.expr_type(file, value);
                if self.is_function_type(ty) {
                    return ty;
                }
            }
            return annotated;
        }
        let mut ty = self.pattern_type(file, row);
        let is_known_at_declaration = self.is_known_at_declaration(file, row, ty);
        if self.is_empty_array(ty)
            && let Some(grown) = self.growing_array_type(file, variable)
        {
            ty = grown;
        }
        if !row.assigned.is_empty() && row.path.is_empty() && is_known_at_declaration {
            if !self.is_function_value(ty) {
                return ty;
            }
            // An assigned function may replace the first one. A value of unknown type adds `Function` of the platform,
            // so that calls do not resolve to the known functions alone.
            let mut all: InternedTypes = SmallVec::from_slice(&[ty]);
            for value in &row.assigned {
                let assigned = self.expr_type(file, *value);
                if !assigned.is_known() {
                    all.push(self.platform_type(self.well_known.function, &[]));
                } else if self.is_function_value(assigned) {
                    all.push(assigned);
                }
            }
            return self.types.union(all);
        }
        if !row.assigned.is_empty() && row.path.is_empty() {
            let mut all: InternedTypes =
                SmallVec::from_slice(&[if self.is_empty_array(ty) { InternedType::NEVER } else { ty }]);
            for value in &row.assigned {
                // A value that depends on the variable itself adds nothing: `last = last.next()`.
                let (ty, is_final) = self.watch_dependencies(|linker| linker.expr_type(file, *value));
                if ty != InternedType::ANY || is_final {
                    all.push(ty);
                }
            }
            return self.types.union(all);
        }
        let mut path = &row.path[..];
        if let (ValueSource::Value(value), Some(&PatternStep::Element(at))) = (row.source, path.first())
            && row.annotation.is_none()
            && let Some(item) = literal_item(facts, value, at)
        {
            (ty, path) = (self.expr_type(file, item), &path[1..]);
        }
        for step in path {
            ty = self.pattern_step_type(file, ty, *step);
        }
        if ty == InternedType::NEVER && row.source == ValueSource::None { InternedType::ANY } else { ty }
    }

    /// Whether the declaration of a variable determines its type: its initialiser is neither `null` nor an empty array.
    fn is_known_at_declaration(&self, file: FileIndex, row: &Variable, ty: InternedType) -> bool {
        let ValueSource::Value(value) = row.source else { return false };
        let is_empty = matches!(self.program.facts(file).expr(value), Expr::Null | Expr::Undefined);
        !is_empty && !self.is_empty_array(ty) && ty != InternedType::ANY
    }

    /// The type of the whole pattern that declares a name.
    fn pattern_type(&mut self, file: FileIndex, row: &Variable) -> InternedType {
        if let Some(annotation) = row.annotation
            && !row.path.is_empty()
        {
            return self.type_from_node(file, annotation);
        }
        match row.source {
            ValueSource::Value(value) => {
                let ty = self.expr_type(file, value);
                if row.is_const || !row.path.is_empty() { ty } else { self.widened_literal_type(ty) }
            }
            ValueSource::ElementOf(value) => {
                let ty = self.expr_type(file, value);
                self.element_type(ty)
            }
            ValueSource::AwaitedElementOf(value) => {
                let ty = self.expr_type(file, value);
                let element = self.element_type(ty);
                self.awaited_type(element)
            }
            ValueSource::KeyOf(_) => InternedType::STRING,
            ValueSource::Parameter(def, at) => {
                let def = self.program.global_def(file, def);
                self.parameter_type(def, at)
            }
            ValueSource::Caught => InternedType::ANY,
            ValueSource::None => InternedType::NEVER,
        }
    }

    /// The type that a step of the path of a destructured name selects from.
    pub(in crate::typescript) fn destructured_type(
        &mut self,
        file: FileIndex,
        variable: VariableId,
        step: u16,
    ) -> InternedType {
        let row = &self.program.facts(file).variables[variable.index()];
        let mut ty = self.pattern_type(file, row);
        for step in row.path.iter().take(usize::from(step)) {
            ty = self.pattern_step_type(file, ty, *step);
        }
        ty
    }

    /// The type that one step of a destructuring pattern selects.
    fn pattern_step_type(&mut self, file: FileIndex, ty: InternedType, step: PatternStep) -> InternedType {
        let Some(_level) = self.descend() else { return InternedType::ANY };
        match step {
            PatternStep::Property(name) => {
                let name = self.program.name(file, name);
                if ty == InternedType::NULLISH {
                    return InternedType::ANY;
                }
                self.property_type(ty, name).unwrap_or(InternedType::ANY)
            }
            PatternStep::Element(at) => match self.types.kind(ty).clone() {
                TypeKind::Tuple(items, has_rest) => {
                    let last = items.last().copied().filter(|_| has_rest);
                    items.get(at as usize).copied().or(last).unwrap_or(InternedType::ANY)
                }
                TypeKind::VariadicTuple(items) => self.variadic_item(&items, usize::from(at)),
                TypeKind::Union(constituents) => {
                    let all: InternedTypes = constituents
                        .iter()
                        .map(|constituent| self.pattern_step_type(file, *constituent, step))
                        .collect();
                    self.types.union(all)
                }
                TypeKind::Mapped(..) => match self.item_of_mapped(ty, at) {
                    Some(found) => found,
                    None => self.element_type(ty),
                },
                _ => self.element_type(ty),
            },
            PatternStep::RestProperties => ty,
            PatternStep::RestElements(from) => match self.types.kind(ty).clone() {
                TypeKind::Tuple(items, has_rest) => {
                    // A rest element stays, however many elements are before the rest of the pattern.
                    let first = usize::from(from).min(items.len().saturating_sub(usize::from(has_rest)));
                    let remaining: InternedTypes = items.iter().copied().skip(first).collect();
                    self.types.intern(TypeKind::Tuple(remaining, has_rest))
                }
                TypeKind::Reference(..) if !self.is_array(ty) => {
                    let element = self.element_type(ty);
                    self.platform_type(self.well_known.array, &[element])
                }
                _ => ty,
            },
            PatternStep::Default(value) => {
                let default = self.expr_type(file, value);
                if self.is_empty_array(default) && ty.is_known() {
                    return ty;
                }
                match ty {
                    InternedType::ANY | InternedType::NULLISH => default,
                    _ => ty,
                }
            }
            PatternStep::Computed => self.index_signature_type(ty),
        }
    }
}
