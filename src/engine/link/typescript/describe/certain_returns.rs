//! The return types of functions and the types of constants without an annotation, where expressions determine the
//! type.
//!
//! The types of [`super::super::infer`] serve the resolution of calls, so they leave out `null` and `undefined`. The
//! types here are shown to people, so they are built only from expressions whose whole type is known: literals,
//! operators, `new`, names with an annotation, and calls of functions whose return type is known in turn. If any part
//! is not certain, there is no result. A part may be wider than the type that the compiler infers.

use compact_str::{CompactString, format_compact};

use super::{
    Describer,
    type_names::TypeNameTarget,
    written_type::{Constituents, MAX_CONSTITUENTS, WrittenType, awaited, is_nullish, joined, string_type},
};
use crate::typescript::{
    program::{FileIndex, GlobalDef},
    rows::RowDeclaration,
    types::TypeKind,
};
use apidisc_base::nesting;
use apidisc_facts::syntax::typescript::facts::{
    CallExprKind, Decl, Expr, ExprId, FunctionKind, NameId, SymbolId, ValueSource, VariableId,
};

/// The greatest depth of calls that are followed.
const MAX_DEPTH: u32 = 4;
/// The greatest length of the text in bytes.
const MAX_LENGTH: usize = 120;

impl Describer<'_, '_> {
    /// The text of the return type of a function without an annotation. The types that it names are added to those of
    /// the definition.
    pub(super) fn certain_return(&mut self, function: GlobalDef) -> Option<CompactString> {
        let mut text = WrittenType::new(Some(function));
        let returned = joined(self.returned_constituents(function, &mut text, 0)?)?;
        self.finish_text(text, returned, MAX_LENGTH)
    }

    /// The text of the type of a constant's value. The types that it names are added to those of the
    /// definition.
    pub(super) fn certain_type(&mut self, file: FileIndex, value: ExprId) -> Option<CompactString> {
        let mut text = WrittenType::of_value(None);
        let constituents = self.constituents(file, value, &mut text, 0)?;
        self.finish_text(text, joined(constituents)?, MAX_LENGTH)
    }

    /// The text of the type of a getter without an annotation.
    pub(super) fn certain_type_of_getter(&mut self, getter: GlobalDef) -> Option<CompactString> {
        let mut text = WrittenType::of_value(Some(getter));
        let returned = self.returned_constituents(getter, &mut text, 0)?;
        self.finish_text(text, joined(returned)?, MAX_LENGTH)
    }

    /// The constituents of the type that a call of a function without an annotation returns.
    pub(super) fn returned_constituents(
        &mut self,
        def: GlobalDef,
        text: &mut WrittenType,
        depth: u32,
    ) -> Option<Constituents> {
        let file = self.linker.program.file_of(def);
        let function = self.linker.program.function(def)?;
        let is_kind = matches!(
            function.kind,
            FunctionKind::Declaration
                | FunctionKind::Expression
                | FunctionKind::Arrow
                | FunctionKind::Method
                | FunctionKind::Getter
        );
        if function.returns.is_some() || !function.has_body || !is_kind {
            return None;
        }
        if function.is_generator {
            return Some(Constituents::from_iter([self.generator_text(def, text, depth)?]));
        }
        let mut all = Constituents::new();
        for value in &function.return_values {
            self.add_constituents(file, *value, text, depth, &mut all)?;
        }
        if function.return_values.is_empty() {
            all.push(function.falls_through.then(|| "void".into())?);
        } else if function.falls_through {
            all.push("undefined".into());
        }
        if function.is_async {
            let inner = joined(all.iter().map(|part| awaited(part).into()).collect())?;
            return Some(Constituents::from_iter([format_compact!("Promise<{inner}>")]));
        }
        Some(all)
    }

    pub(super) fn constituents(
        &mut self,
        file: FileIndex,
        value: ExprId,
        text: &mut WrittenType,
        depth: u32,
    ) -> Option<Constituents> {
        let mut all = Constituents::new();
        self.add_constituents(file, value, text, depth, &mut all)?;
        Some(all)
    }

    /// Adds the constituents of the type of an expression.
    pub(super) fn add_constituents(
        &mut self,
        file: FileIndex,
        value: ExprId,
        text: &mut WrittenType,
        depth: u32,
        all: &mut Constituents,
    ) -> Option<()> {
        let _level = nesting::descend()?;
        if depth > MAX_DEPTH || !text.step() {
            return None;
        }
        let facts = self.linker.program.facts(file);
        match facts.expr(value) {
            Expr::Undefined => all.push("undefined".into()),
            Expr::Null => all.push("null".into()),
            Expr::Bool(true) => all.push("true".into()),
            Expr::Bool(false) => all.push("false".into()),
            Expr::Number => all.push("number".into()),
            Expr::Test => all.push("boolean".into()),
            Expr::BigInt => all.push("bigint".into()),
            Expr::RegExp => all.push("RegExp".into()),
            Expr::String(literal) => all.push(string_type(literal.map(|name| facts.name(name)))),
            Expr::Plus(a, b) => {
                let (a, b) = (self.constituents(file, a, text, depth)?, self.constituents(file, b, text, depth)?);
                let is_string = |part: &CompactString| part == "string" || part.starts_with('"');
                if a.iter().all(is_string) || b.iter().all(is_string) {
                    all.push("string".into());
                } else if a.iter().chain(&b).all(|part| part == "number") {
                    all.push("number".into());
                } else {
                    return None;
                }
            }
            Expr::This(Some(def)) => {
                let def = self.linker.program.global_def(file, def);
                let is_method = self.member_of_type(def).is_some_and(|member| !member.is_static);
                all.push((Some(def) == text.function && is_method).then(|| "this".into())?);
            }
            Expr::Property { object, name, optional } => {
                self.add_property(file, object, name, text, depth, all)?;
                all.extend(optional.then(|| "undefined".into()));
            }
            Expr::Element => all.push(text.jsx_element()),
            Expr::Array(list) => all.push(self.array_text(file, facts.list(list), text, depth)?),
            Expr::AsConst(inner) => all.push(self.const_text(file, inner, text, depth)?),
            Expr::Object(object) if text.holds_objects => {
                all.push(self.object_text(file, object, false, text, depth)?);
            }
            Expr::Function(def) if text.holds_objects => {
                all.push(self.function_text(self.linker.program.global_def(file, def))?);
            }
            Expr::Either(a, b) => {
                self.add_constituents(file, a, text, depth, all)?;
                self.add_constituents(file, b, text, depth, all)?;
            }
            Expr::Or(a, b) | Expr::Nullish(a, b) => {
                let is_or = matches!(facts.expr(value), Expr::Or(..));
                let mut first = self.constituents(file, a, text, depth)?;
                first.retain(|part| !(is_nullish(part) || is_or && part == "false"));
                all.extend(first);
                self.add_constituents(file, b, text, depth, all)?;
            }
            Expr::And(a, b) => {
                let first = self.constituents(file, a, text, depth)?;
                let is_boolean = first.iter().all(|part| matches!(part.as_str(), "boolean" | "true" | "false"));
                all.push(is_boolean.then(|| "false".into())?);
                self.add_constituents(file, b, text, depth, all)?;
            }
            Expr::NonNull(inner) => {
                let mut parts = self.constituents(file, inner, text, depth)?;
                parts.retain(|part| !is_nullish(part));
                all.extend(parts);
            }
            Expr::Narrowed(inner, _) | Expr::Satisfies(inner, _) => {
                self.add_constituents(file, inner, text, depth, all)?;
            }
            Expr::Await(inner) => {
                let parts = self.constituents(file, inner, text, depth)?;
                for part in parts.iter().map(|part| awaited(part)) {
                    let is_flat = !part.contains(['<', '(', '{', '[']);
                    let inner = part.split(" | ").filter(|_| is_flat).map(CompactString::from);
                    all.extend(inner.chain((!is_flat).then(|| part.into())));
                }
            }
            Expr::As(_, node) => self.add_node(file, node, text, all)?,
            Expr::Name { name, symbol: Some(symbol) } => match self.class_text(file, name, symbol, text) {
                Some(class) => all.push(class),
                None => self.add_variable(file, symbol, text, depth, all)?,
            },
            Expr::Call(call) if facts.calls[call.index()].kind == CallExprKind::New => {
                all.push(self.new_text(file, value, call, text)?);
            }
            Expr::Call(call) if facts.calls[call.index()].kind == CallExprKind::Jsx => {
                all.push(text.jsx_element());
            }
            Expr::Call(call) if facts.calls[call.index()].kind == CallExprKind::Call => {
                self.add_call(file, facts.calls[call.index()].callee, text, depth, all)?;
            }
            _ => return None,
        }
        (all.len() <= 2 * MAX_CONSTITUENTS).then_some(())
    }

    /// `typeof C`, if the name denotes the class `C` of the sources.
    pub(super) fn class_text(
        &mut self,
        file: FileIndex,
        name: NameId,
        symbol: SymbolId,
        text: &mut WrittenType,
    ) -> Option<CompactString> {
        let TypeNameTarget::Definition(key) = self.type_name_target(file, Some(symbol), &[name]) else { return None };
        let row = *self.rows.of_key.get(&key)?;
        let (_, _, RowDeclaration::Def(def)) = self.rows.all[row as usize] else { return None };
        if !self.linker.program.is_class(def) {
            return None;
        }
        Some(format_compact!("typeof {}", self.definition_text(key, text)?))
    }

    /// Adds the type of a variable or parameter.
    fn add_variable(
        &mut self,
        file: FileIndex,
        symbol: SymbolId,
        text: &mut WrittenType,
        depth: u32,
        all: &mut Constituents,
    ) -> Option<()> {
        let facts = self.linker.program.facts(file);
        let [declaration] = facts.symbol(symbol).decls[..] else { return None };
        match declaration {
            Decl::Variable(variable) => self.add_value_of_variable((file, variable), text, depth, all),
            Decl::Import(_) => {
                let resolved = self.linker.resolve_symbol(file, symbol);
                let variable = self.linker.variable_of(resolved)?;
                self.add_value_of_variable(variable, text, depth, all)
            }
            Decl::Parameter(function, at) => {
                let param = facts.def(function).function()?.params.get(usize::from(at))?;
                self.add_node(file, param.annotation.as_ref()?.0, text, all)?;
                if param.is_optional && param.default.is_none() {
                    all.push("undefined".into());
                }
                Some(())
            }
            _ => None,
        }
    }

    /// Adds the declared type of a variable, or the type of a constant's value.
    pub(super) fn add_value_of_variable(
        &mut self,
        (file, variable): (FileIndex, VariableId),
        text: &mut WrittenType,
        depth: u32,
        all: &mut Constituents,
    ) -> Option<()> {
        let row = &self.linker.program.facts(file).variables[variable.index()];
        match (row.annotation, row.source) {
            _ if !row.path.is_empty() => None,
            (Some(node), ValueSource::Value(_) | ValueSource::None) => self.add_node(file, node, text, all),
            (None, ValueSource::Value(value)) if row.is_const => self.add_constituents(file, value, text, depth, all),
            _ => None,
        }
    }

    /// Adds the return type of a called function that has one declaration.
    fn add_call(
        &mut self,
        file: FileIndex,
        callee: ExprId,
        text: &mut WrittenType,
        depth: u32,
        all: &mut Constituents,
    ) -> Option<()> {
        if self.has_optional_part(file, callee) {
            return None;
        }
        let ty = self.linker.expr_type(file, callee);
        let TypeKind::Function(def, _) = *self.linker.types.kind(ty) else { return None };
        let function = self.linker.program.function(def)?;
        let is_kind = matches!(
            function.kind,
            FunctionKind::Declaration | FunctionKind::Expression | FunctionKind::Arrow | FunctionKind::Method
        );
        let is_optional = self.linker.program.member_holding(def).is_some_and(|member| member.is_optional);
        if !is_kind || is_optional || self.linker.program.declarations_of_function(def).len() != 1 {
            return None;
        }
        if let Some((node, _)) = &function.returns {
            return self.add_node(self.linker.program.file_of(def), *node, text, all);
        }
        let parts = self.returned_constituents(def, text, depth + 1)?;
        all.extend(parts);
        Some(())
    }

    /// Whether a callee contains `?.`.
    fn has_optional_part(&self, file: FileIndex, callee: ExprId) -> bool {
        let facts = self.linker.program.facts(file);
        let mut at = callee;
        loop {
            at = match facts.expr(at) {
                Expr::Property { optional: true, .. } => return true,
                Expr::Property { object, .. } | Expr::Index { object, .. } | Expr::Item { object, .. } => object,
                Expr::Call(call) => facts.calls[call.index()].callee,
                Expr::NonNull(inner) | Expr::Narrowed(inner, _) => inner,
                _ => return false,
            };
        }
    }
}
