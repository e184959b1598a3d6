//! The tuples that functions return: `return [state, setState] as const`, and declared ones such as
//! `[state: string, set: (value: string) => void]`.

use arcstr::ArcStr;
use std::sync::Arc;

use compact_str::{CompactString, format_compact};

use super::Describer;
use crate::linked::LinkedSignature;
use crate::typescript::program::{FileIndex, GlobalDef};
use apidisc_facts::{
    program::{ResultShape, ReturnedMember, ReturnedObject},
    syntax::typescript::facts::{Expr, ExprId, Function, TypeId, TypeNode},
};

/// The greatest number of elements of a tuple.
const MAX_ELEMENTS: usize = 16;
/// The greatest length of the text of a tuple type in bytes.
const MAX_LENGTH: usize = 240;

impl Describer<'_, '_> {
    /// Adds the members of the object or tuple that a function returns to its signature.
    pub(super) fn add_result(&mut self, def: GlobalDef, signature: &mut LinkedSignature) {
        if signature.returns.is_none() && signature.inferred_returns.is_none() {
            signature.result = self.returned_object(def);
        }
        if signature.result.is_none() {
            self.add_returned_tuple(def, signature);
        }
    }

    /// Adds the elements of the tuple that a function returns to its signature; and its type, if none is declared.
    fn add_returned_tuple(&mut self, def: GlobalDef, signature: &mut LinkedSignature) {
        let Some(function) = self.linker.program.function(def).filter(|function| !function.is_generator) else {
            return;
        };
        let file = self.linker.program.file_of(def);
        let returned = self.returned_elements(file, function);
        let names: Vec<Option<CompactString>> = match (&function.returns, &returned) {
            (Some((ty, _)), _) => {
                let Some(declared) = self.declared_elements(file, *ty, function.is_async) else { return };
                let returned = returned.filter(|(_, names)| names.len() == declared.len());
                let of_body = |at: usize| returned.as_ref().and_then(|(_, names)| names[at].clone());
                declared.into_iter().enumerate().map(|(at, name)| name.or_else(|| of_body(at))).collect()
            }
            // The type that a contextual type declares says nothing of the elements.
            (None, Some((elements, names))) if signature.returns.is_none() => {
                let types: Vec<CompactString> = elements
                    .iter()
                    .map(|element| self.value_text(def, *element).unwrap_or_else(|| CompactString::const_new("any")))
                    .collect();
                signature.inferred_returns = Some(ArcStr::from(tuple_text(&types, function.is_async).as_str()));
                names.clone()
            }
            _ => return,
        };
        let is_unique = |name: &CompactString| names.iter().flatten().filter(|other| *other == name).count() == 1;
        let member = |(at, name): (usize, &Option<CompactString>)| ReturnedMember {
            name: match name.as_ref().filter(|name| is_unique(name)) {
                Some(name) => name.as_str().into(),
                None => format_compact!("{at}").as_str().into(),
            },
            annotation: None,
            is_optional: false,
        };
        let members = names.iter().enumerate().map(member).collect();
        signature.result =
            Some(Arc::new(ReturnedObject { shape: ResultShape::Tuple, members, is_open: false, otherwise: None }));
    }

    /// The elements of the arrays that a function returns `as const`, those of the last one, and the name of each: that
    /// of the returned variable. `None` if the function may return something else, or arrays of different lengths.
    fn returned_elements(
        &self,
        file: FileIndex,
        function: &Function,
    ) -> Option<(Vec<ExprId>, Vec<Option<CompactString>>)> {
        let facts = self.linker.program.facts(file);
        if function.falls_through || !function.has_body {
            return None;
        }
        let mut found: Option<(Vec<ExprId>, Vec<Option<CompactString>>)> = None;
        for value in &function.return_values {
            let array = match facts.expr(*value) {
                Expr::AsConst(array) => facts.expr(array),
                // A declared tuple is the type of a plain array.
                array if function.returns.is_some() => array,
                _ => return None,
            };
            let Expr::Array(list) = array else { return None };
            let elements = facts.list(list);
            let has_spread = elements.iter().any(|element| matches!(facts.expr(*element), Expr::Spread(_)));
            if has_spread || elements.is_empty() || elements.len() > MAX_ELEMENTS {
                return None;
            }
            let name = |element: &ExprId| match facts.expr(*element) {
                Expr::Name { name, .. } | Expr::Property { name, .. } => Some(CompactString::new(facts.name(name))),
                _ => None,
            };
            let names = elements.iter().map(name);
            let names = match found {
                Some((before, _)) if before.len() != elements.len() => return None,
                Some((_, before)) => {
                    before.into_iter().zip(names).map(|(a, b)| a.filter(|a| b.as_ref() == Some(a))).collect()
                }
                None => names.collect(),
            };
            found = Some((elements.to_vec(), names));
        }
        found
    }

    /// The labels of the elements of a declared tuple; `None` for any other type, and for a tuple with a rest element.
    fn declared_elements(&mut self, file: FileIndex, ty: TypeId, is_async: bool) -> Option<Vec<Option<CompactString>>> {
        let facts = self.linker.program.facts(file);
        let awaited = match facts.ty(ty) {
            // An asynchronous function declares a promise.
            TypeNode::Ref { args, .. } if is_async => *facts.type_list(*args).first()?,
            _ if is_async => return None,
            _ => ty,
        };
        let (file, ty, _) = self.written_tuple(file, awaited, "")?;
        let facts = self.linker.program.facts(file);
        let TypeNode::Tuple(elements) = facts.ty(ty) else { return None };
        let is_fixed = !elements.is_empty() && elements.len() <= MAX_ELEMENTS && !elements.iter().any(|e| e.is_rest);
        let label = |label| CompactString::new(facts.name(label));
        is_fixed.then(|| elements.iter().map(|element| element.label.map(label)).collect())
    }
}

/// `readonly [string, (value: string) => void]`
fn tuple_text(types: &[CompactString], is_async: bool) -> CompactString {
    let mut elements = types.join(", ");
    if elements.len() > MAX_LENGTH {
        elements = vec!["any"; types.len()].join(", ");
    }
    if is_async { format_compact!("Promise<readonly [{elements}]>") } else { format_compact!("readonly [{elements}]") }
}
