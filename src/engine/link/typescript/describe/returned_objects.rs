//! The objects that functions without a declared return type return: their members, with types where code determines
//! them.
//!
//! The members are those of the object literals that the function returns, directly, through a constant, or through a
//! function of the platform that returns what a callback returns, as `useMemo` does.

use std::sync::Arc;

use compact_str::{CompactString, format_compact};

use super::{
    Describer,
    written_type::{WrittenType, joined},
};
use crate::typescript::{
    callees::MAX_PROPERTIES,
    program::{FileIndex, GlobalDef},
    types::TypeKind,
};
use apidisc_base::nesting;
use apidisc_facts::{
    program::{ResultShape, ReturnedMember, ReturnedObject},
    syntax::typescript::facts::{
        CallExprId, CallExprKind, Decl, DefId, Expr, ExprId, Function, FunctionKind, MemberKind, SymbolId, TypeNode,
        ValueSource,
    },
};

/// The greatest length of the text of a member's type in bytes.
const MAX_LENGTH: usize = 160;
/// The greatest length of the text of the type of a member that is no function.
const MAX_VALUE_LENGTH: usize = 120;

/// The objects that a function returns, while they are collected.
#[derive(Default)]
struct Objects {
    /// The members of all objects, each with its type and the number of objects that have it.
    members: Vec<(CompactString, Option<CompactString>, u32)>,
    /// The number of objects.
    count: u32,
    is_open: bool,
    returns_null: bool,
    returns_undefined: bool,
}

/// The members of one object literal, each with its type.
type Members = Vec<(CompactString, Option<CompactString>)>;

impl Describer<'_, '_> {
    /// The object that a function without a declared return type returns. `None` if it may return anything else than
    /// objects, `null` and `undefined`. The types that the texts name are added to those of the definition.
    pub(super) fn returned_object(&mut self, def: GlobalDef) -> Option<Arc<ReturnedObject>> {
        let function = self.linker.program.function(def)?;
        if function.returns.is_some() || !function.has_body || function.is_generator {
            return None;
        }
        let mut objects = Objects { returns_undefined: function.falls_through, ..Objects::default() };
        for value in &function.return_values {
            self.add_returned(def, *value, &mut objects)?;
        }
        if objects.members.is_empty() {
            return None;
        }
        let count = objects.count;
        let member = |(name, annotation, objects): (CompactString, Option<CompactString>, u32)| ReturnedMember {
            name: name.as_str().into(),
            annotation: annotation.map(|text| text.as_str().into()),
            is_optional: objects < count,
        };
        let otherwise = match (objects.returns_null, objects.returns_undefined) {
            (false, false) => None,
            (true, false) => Some("null"),
            (false, true) => Some("undefined"),
            (true, true) => Some("null | undefined"),
        };
        let otherwise = otherwise.map(Into::into);
        let members = objects.members.into_iter().map(member).collect();
        Some(Arc::new(ReturnedObject { shape: ResultShape::Object, members, is_open: objects.is_open, otherwise }))
    }

    /// Adds the object that a returned expression is. `None` if it may be something else.
    fn add_returned(&mut self, function: GlobalDef, value: ExprId, objects: &mut Objects) -> Option<()> {
        let _level = nesting::descend()?;
        if !self.names.add_part() {
            return None;
        }
        let file = self.linker.program.file_of(function);
        let facts = self.linker.program.facts(file);
        match facts.expr(value) {
            Expr::Null => objects.returns_null = true,
            Expr::Undefined => objects.returns_undefined = true,
            Expr::AsConst(inner) | Expr::Satisfies(inner, _) | Expr::Narrowed(inner, _) => {
                return self.add_returned(function, inner, objects);
            }
            Expr::Either(a, b) => {
                self.add_returned(function, a, objects)?;
                return self.add_returned(function, b, objects);
            }
            Expr::Object(object) => {
                let mut members = Members::new();
                objects.is_open |= self.add_members(function, object, &mut members).is_none();
                objects.add(members);
            }
            Expr::Name { symbol: Some(symbol), .. } => {
                let value = self.value_of_constant(file, symbol)?;
                // Code may add further members to the object of a constant.
                objects.is_open |= facts.has_comment_types;
                return self.add_returned(function, value, objects);
            }
            Expr::Call(call) => {
                let value = self.value_of_callback(file, call)?;
                return self.add_returned(function, value, objects);
            }
            _ => return None,
        }
        Some(())
    }

    /// Adds the members of an object literal, which replace those with the same name. `None` if it may have further
    /// ones.
    fn add_members(&mut self, function: GlobalDef, object: DefId, members: &mut Members) -> Option<()> {
        let _level = nesting::descend()?;
        let file = self.linker.program.file_of(function);
        let facts = self.linker.program.facts(file);
        let mut is_complete = true;
        for member in facts.def(object).members() {
            if !self.names.add_part() {
                return None;
            }
            let annotation = match &member.kind {
                MemberKind::Spread(value) => {
                    let spread = self.object_literal(file, *value);
                    is_complete &= spread.is_some_and(|spread| self.add_members(function, spread, members).is_some());
                    continue;
                }
                MemberKind::Function(def) => {
                    let def = self.linker.program.global_def(file, *def);
                    let method = self.linker.program.function(def)?;
                    match method.kind {
                        FunctionKind::Setter => continue,
                        FunctionKind::Getter => None,
                        _ => self.function_text(def),
                    }
                }
                MemberKind::Property { value: Some((value, _)), .. } => self.value_text(function, *value),
                MemberKind::Property { .. } | MemberKind::Index { .. } => None,
            };
            let Some(name) = member.name.filter(|_| members.len() < MAX_PROPERTIES) else {
                is_complete = false;
                continue;
            };
            let name = facts.name(name);
            match members.iter_mut().find(|(known, _)| known == name) {
                Some(known) => known.1 = annotation,
                None => members.push((name.into(), annotation)),
            }
        }
        is_complete.then_some(())
    }

    /// The object literal that an expression is, or that a constant holds.
    pub(super) fn object_literal(&self, file: FileIndex, value: ExprId) -> Option<DefId> {
        let facts = self.linker.program.facts(file);
        let value = match facts.expr(value) {
            Expr::Name { symbol: Some(symbol), .. } => self.value_of_constant(file, symbol)?,
            _ => value,
        };
        match facts.expr(value) {
            Expr::Object(object) => Some(object),
            _ => None,
        }
    }

    /// The text of the type of a member's value, if the whole type is known.
    pub(super) fn value_text(&mut self, function: GlobalDef, value: ExprId) -> Option<CompactString> {
        let file = self.linker.program.file_of(function);
        if let Some(def) = self.held_function(file, value) {
            return self.function_text(def);
        }
        let mut text = WrittenType::of_value(Some(function));
        let parts = self.constituents(file, value, &mut text, 0)?;
        self.finish_text(text, joined(parts)?, MAX_VALUE_LENGTH).filter(|text| !names_this(text))
    }

    /// The function that an expression certainly is: a function expression, the name of a function of the file or of a
    /// constant that holds one, or what a function of the platform returns unchanged, as `useCallback` does.
    fn held_function(&mut self, file: FileIndex, value: ExprId) -> Option<GlobalDef> {
        let _level = nesting::descend()?;
        let facts = self.linker.program.facts(file);
        match facts.expr(value) {
            Expr::Function(def) => Some(self.linker.program.global_def(file, def)),
            Expr::Name { symbol: Some(symbol), .. } => {
                if let [Decl::Def(def)] = facts.symbol(symbol).decls[..] {
                    let def = self.linker.program.global_def(file, def);
                    return self.linker.program.function(def).map(|_| def);
                }
                let value = self.value_of_constant(file, symbol)?;
                self.held_function(file, value)
            }
            Expr::Call(call) if self.returns_argument(file, call) => {
                let ty = self.linker.expr_type(file, value);
                match *self.linker.types.kind(ty) {
                    TypeKind::Function(def, _) if self.linker.program.file_of(def) == file => Some(def),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// The value of a constant without an annotation.
    fn value_of_constant(&self, file: FileIndex, symbol: SymbolId) -> Option<ExprId> {
        let facts = self.linker.program.facts(file);
        let [Decl::Variable(variable)] = facts.symbol(symbol).decls[..] else { return None };
        let variable = &facts.variables[variable.index()];
        match variable.source {
            ValueSource::Value(value)
                if variable.is_const && variable.path.is_empty() && variable.annotation.is_none() =>
            {
                Some(value)
            }
            _ => None,
        }
    }

    /// The expression that the first argument of a call returns, if the call returns it in turn: `x` in
    /// `useMemo(() => x, [])`.
    fn value_of_callback(&mut self, file: FileIndex, call: CallExprId) -> Option<ExprId> {
        if !self.returns_argument(file, call) {
            return None;
        }
        let facts = self.linker.program.facts(file);
        let site = facts.site(call);
        let Expr::Function(callback) = facts.expr(site.arguments.first()?.value) else { return None };
        let callback = facts.def(callback).function()?;
        let &[value] = &callback.return_values[..] else { return None };
        // The function of the platform takes a function and returns what that one returns.
        let callee = self.linker.expr_type(file, site.callee);
        let TypeKind::Function(def, _) = *self.linker.types.kind(callee) else { return None };
        let parameter = self.linker.program.function(def)?.params.first()?.annotation.as_ref()?.0;
        let declaring = self.linker.program.file_of(def);
        let takes_function = matches!(self.linker.program.facts(declaring).ty(parameter), TypeNode::Function(_));
        (takes_function && !callback.falls_through && !callback.is_async && !callback.is_generator).then_some(value)
    }

    /// Whether a call of a function of the platform returns a type parameter of that function.
    fn returns_argument(&mut self, file: FileIndex, call: CallExprId) -> bool {
        let site = self.linker.program.facts(file).site(call);
        if site.kind != CallExprKind::Call {
            return false;
        }
        let callee = self.linker.expr_type(file, site.callee);
        let TypeKind::Function(def, _) = *self.linker.types.kind(callee) else { return false };
        let Some(function) = self.linker.program.function(def).filter(|_| self.linker.program.is_platform(def)) else {
            return false;
        };
        let facts = self.linker.program.facts(self.linker.program.file_of(def));
        let Some(TypeNode::Ref { symbol: Some(symbol), .. }) = function.returns.as_ref().map(|(ty, _)| facts.ty(*ty))
        else {
            return false;
        };
        matches!(facts.symbol(*symbol).decls[..], [Decl::TypeParam(param)] if function.type_params.contains(&param))
    }

    /// The type of a function as a text, such as `(id: string, size?: number) => void`.
    pub(super) fn function_text(&mut self, def: GlobalDef) -> Option<CompactString> {
        let _level = nesting::descend()?;
        if !self.names.add_part() {
            return None;
        }
        let function = self.linker.program.function(def)?;
        if self.linker.program.declarations_of_function(def).len() > 1 || self.linker.program.is_class(def) {
            return None;
        }
        let file = self.linker.program.file_of(def);
        let facts = self.linker.program.facts(file);
        let type_parameters: Vec<&str> =
            function.type_params.iter().map(|param| facts.type_params[param.index()].text.as_str()).collect();
        let type_parameters = match type_parameters[..] {
            [] => CompactString::default(),
            _ => format_compact!("<{}>", type_parameters.join(", ")),
        };
        let parameters = self.parameter_texts(file, function).join(", ");
        let returns = match &function.returns {
            Some(returns) => {
                Some(CompactString::new(self.annotation_text(file, returns))).filter(|text| !text.is_empty())
            }
            None => self.certain_return(def),
        };
        let unknown = if function.is_async && !function.is_generator { "Promise<any>" } else { "any" };
        let returns = returns.filter(|text| !names_this(text)).unwrap_or_else(|| unknown.into());
        self.add_type_names_of_function(def);
        let text = format_compact!("{type_parameters}({parameters}) => {returns}");
        let unknown = || format_compact!("(...args: any[]) => {unknown}");
        Some(if text.len() <= MAX_LENGTH { text } else { unknown() })
    }

    /// The parameters of a function as those of a function type. A parameter with a default before a required one takes
    /// `undefined`.
    fn parameter_texts(&mut self, file: FileIndex, function: &Function) -> Vec<String> {
        let facts = self.linker.program.facts(file);
        let is_optional = |at: usize| {
            let optional = function.params[at..].iter().all(|p| p.is_optional || p.default.is_some() || p.is_rest);
            optional && !function.params[at].is_rest
        };
        let parameter = |at: usize| {
            let param = &function.params[at];
            let name = param.name.map_or_else(|| format_compact!("arg{at}"), |name| facts.name(name).into());
            let annotation = param.annotation.as_ref().map(|annotation| self.annotation_text(file, annotation));
            let annotation = annotation.filter(|text| !text.is_empty() && !names_this(text));
            let unknown = if param.is_rest { "any[]" } else { "any" };
            let annotation = annotation.unwrap_or_else(|| unknown.into());
            let (dots, mark) = (if param.is_rest { "..." } else { "" }, if is_optional(at) { "?" } else { "" });
            let undefined = if param.default.is_some() && mark.is_empty() && annotation != "any" {
                format!("({annotation}) | undefined")
            } else {
                annotation.to_string()
            };
            format!("{dots}{name}{mark}: {undefined}")
        };
        (0..function.params.len()).map(parameter).collect()
    }
}

impl Objects {
    /// Adds an object with these members. A member that has different types in two objects has no known type.
    fn add(&mut self, members: Members) {
        self.count += 1;
        for (name, annotation) in members {
            match self.members.iter_mut().find(|(known, ..)| *known == name) {
                Some((_, known, count)) => {
                    *count += 1;
                    if *known != annotation {
                        *known = None;
                    }
                }
                None => self.members.push((name, annotation, 1)),
            }
        }
    }
}

/// Whether the text of a type names the type `this`, which has another meaning in a returned object.
pub(super) fn names_this(text: &str) -> bool {
    text.split(|c: char| !c.is_alphanumeric() && c != '_' && c != '$').any(|word| word == "this")
}
