//! Types of variables and destructured names.

use smallvec::SmallVec;

use super::{
    infer::Linker,
    program::FileIndex,
    types::{Ty, Type, Tys},
};
use crate::syntax::typescript::facts::{PatternStep, ValueSource, VariableId};

impl Linker<'_> {
    /// The type of a variable or destructured name.
    pub(super) fn variable_value(&mut self, file: FileIndex, variable: VariableId) -> Ty {
        let facts = self.program.facts(file);
        let row = &facts.variables[variable.index()];
        if row.path.is_empty()
            && let Some(annotation) = row.annotation
        {
            let said = self.annotation(file, annotation);
            if said.is_known() {
                return said;
            }
            // An annotation of which nothing is known, such as `FC<Props>`, leaves a function its own type.
            if let ValueSource::Value(value) = row.source {
                let ty = self.expr(file, value);
                if self.is_function(ty) {
                    return ty;
                }
            }
            return said;
        }
        let whole = match row.annotation {
            Some(annotation) if !row.path.is_empty() => self.annotation(file, annotation),
            _ => match row.source {
                ValueSource::Value(value) => {
                    let ty = self.expr(file, value);
                    if row.is_const || !row.path.is_empty() { ty } else { self.widened(ty) }
                }
                ValueSource::ElementOf(value) => {
                    let ty = self.expr(file, value);
                    self.element_of(ty)
                }
                ValueSource::AwaitedElementOf(value) => {
                    let ty = self.expr(file, value);
                    let element = self.element_of(ty);
                    self.awaited(element)
                }
                ValueSource::KeyOf(_) => Ty::STRING,
                ValueSource::Parameter(def, at) => {
                    let def = self.program.global(file, def);
                    self.parameter(def, at)
                }
                ValueSource::Caught => Ty::ANY,
                ValueSource::None => Ty::NEVER,
            },
        };
        let mut ty = whole;
        if !row.assigned.is_empty() && row.path.is_empty() {
            let mut all: Tys = SmallVec::from_slice(&[if self.is_empty_array(ty) { Ty::NEVER } else { ty }]);
            for value in &row.assigned {
                all.push(self.expr(file, *value));
            }
            return self.types.union(all);
        }
        for step in &row.path {
            ty = self.step(file, ty, *step);
        }
        if ty == Ty::NEVER && row.source == ValueSource::None { Ty::ANY } else { ty }
    }

    pub(super) fn step(&mut self, file: FileIndex, ty: Ty, step: PatternStep) -> Ty {
        match step {
            PatternStep::Property(name) => {
                let name = self.program.name(file, name);
                if ty == Ty::NOTHING {
                    return Ty::ANY;
                }
                self.property(ty, name).unwrap_or(Ty::ANY)
            }
            PatternStep::Element(at) => match self.types.get(ty).clone() {
                Type::Tuple(items, has_rest) => {
                    let last = items.last().copied().filter(|_| has_rest);
                    items.get(at as usize).copied().or(last).unwrap_or(Ty::ANY)
                }
                Type::Union(parts) => {
                    let all: Tys = parts.iter().map(|part| self.step(file, *part, step)).collect();
                    self.types.union(all)
                }
                Type::Mapped(..) => {
                    let name = self.program.names.intern(&at.to_string());
                    match self.property(ty, name) {
                        Some(found) if found.is_known() => found,
                        _ => self.element_of(ty),
                    }
                }
                _ => self.element_of(ty),
            },
            PatternStep::RestProperties => ty,
            PatternStep::RestElements(from) => match self.types.get(ty).clone() {
                Type::Tuple(items, has_rest) => {
                    let left: Tys = items.iter().copied().skip(from as usize).collect();
                    self.types.add(Type::Tuple(left, has_rest))
                }
                _ => ty,
            },
            PatternStep::Default(value) => {
                let default = self.expr(file, value);
                if self.is_empty_array(default) && ty.is_known() {
                    return ty;
                }
                match ty {
                    Ty::ANY | Ty::NOTHING => default,
                    Ty::EXTERNAL => ty,
                    _ => ty,
                }
            }
            PatternStep::Computed => self.index_signature(ty),
        }
    }
}
