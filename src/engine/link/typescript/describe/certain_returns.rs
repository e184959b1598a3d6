//! The return types of functions and the types of constants without an annotation, where expressions determine the
//! type.
//!
//! The types of [`super::super::infer`] serve the resolution of calls, so they leave out `null` and `undefined`. The
//! types here are shown to people, so they are built only from expressions whose whole type is known: literals,
//! operators, `new`, names with an annotation, and calls of functions whose return type is known in turn. If any part
//! is not certain, there is no result. A part may be wider than the type that the compiler infers.

use compact_str::{CompactString, format_compact};
use smallvec::SmallVec;

use super::{
    Describer,
    type_names::{TypeNameTarget, TypeNames},
};
use crate::linked::DefinitionRow;
use crate::typescript::{
    program::{FileIndex, GlobalDef, GlobalSymbol, GlobalTypeParam},
    rows::{DefinitionKey, RowDeclaration},
    types::{InternedType, TypeKind},
};
use apidisc_base::{nesting, sort::SharedSort as _};
use apidisc_facts::syntax::typescript::facts::{
    CallExprKind, Decl, Expr, ExprId, FunctionKind, Keyword, NameId, SymbolId, TypeId, TypeNode, ValueSource,
};

/// The greatest number of expressions and type nodes that are visited for one function.
const MAX_STEPS: u32 = 48;
/// The greatest depth of calls that are followed.
const MAX_DEPTH: u32 = 4;
/// The greatest number of constituents of a union type, and the greatest length of the text in bytes.
const MAX_CONSTITUENTS: usize = 6;
const MAX_LENGTH: usize = 120;

/// The constituents of a union type, as TypeScript writes them.
pub(super) type Constituents = SmallVec<[CompactString; 2]>;

/// The function whose return type is written, and what the text names.
pub(super) struct ReturnText {
    /// `None` for the value of a constant.
    function: Option<GlobalDef>,
    pub(super) names: Vec<(CompactString, DefinitionRow)>,
    /// The global types of the platform.
    pub(super) globals: Vec<CompactString>,
    steps: u32,
}

impl ReturnText {
    pub(super) fn new(function: Option<GlobalDef>) -> Self {
        Self { function, names: Vec::new(), globals: Vec::new(), steps: 0 }
    }

    /// The text of a union type. The types that it names are added to `names`.
    pub(super) fn finish(self, constituents: Constituents, names: &mut TypeNames) -> Option<CompactString> {
        let joined = joined(constituents)?;
        // A name can denote only one type in all texts of a definition.
        let is_same = |(name, row): &(CompactString, DefinitionRow)| {
            names.all.iter().all(|(known, known_row)| known != name || *known_row == Some(*row))
        };
        let is_global = |name: &CompactString| names.all.iter().all(|(known, _)| known != name);
        if joined.len() > MAX_LENGTH || !self.names.iter().all(is_same) || !self.globals.iter().all(is_global) {
            return None;
        }
        names.all.extend(self.names.into_iter().map(|(name, row)| (name, Some(row))));
        Some(joined)
    }
}

impl Describer<'_, '_> {
    /// The text of the return type of a function without an annotation. The types that it names are added to those of
    /// the definition.
    pub(super) fn certain_return(&mut self, function: GlobalDef) -> Option<CompactString> {
        let mut text = ReturnText::new(Some(function));
        let returned = self.returned_constituents(function, &mut text, 0)?;
        text.finish(returned, &mut self.names)
    }

    /// The text of the type of a constant's value. The types that it names are added to those of the
    /// definition.
    pub(super) fn certain_type(&mut self, file: FileIndex, value: ExprId) -> Option<CompactString> {
        let mut text = ReturnText::new(None);
        let constituents = self.constituents(file, value, &mut text, 0)?;
        text.finish(constituents, &mut self.names)
    }

    /// The constituents of the type that a call of a function without an annotation returns.
    fn returned_constituents(&mut self, def: GlobalDef, text: &mut ReturnText, depth: u32) -> Option<Constituents> {
        let file = self.linker.program.file_of(def);
        let function = self.linker.program.function(def)?;
        let is_kind = matches!(
            function.kind,
            FunctionKind::Declaration | FunctionKind::Expression | FunctionKind::Arrow | FunctionKind::Method
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

    fn constituents(
        &mut self,
        file: FileIndex,
        value: ExprId,
        text: &mut ReturnText,
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
        text: &mut ReturnText,
        depth: u32,
        all: &mut Constituents,
    ) -> Option<()> {
        let _level = nesting::descend()?;
        text.steps += 1;
        if text.steps > MAX_STEPS || depth > MAX_DEPTH {
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
            Expr::Property { object, name, optional: false } if matches!(facts.expr(object), Expr::This(Some(_))) => {
                self.add_own_field(file, object, name, text, all)?;
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
                let ty = self.linker.expr_type(file, value);
                all.push(self.instance_text(ty, text, 0)?);
            }
            Expr::Call(call) if facts.calls[call.index()].kind == CallExprKind::Call => {
                self.add_call(file, facts.calls[call.index()].callee, text, depth, all)?;
            }
            _ => return None,
        }
        (all.len() <= 2 * MAX_CONSTITUENTS).then_some(())
    }

    /// `typeof C`, if the name denotes the class `C` of the sources.
    fn class_text(
        &mut self,
        file: FileIndex,
        name: NameId,
        symbol: SymbolId,
        text: &mut ReturnText,
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
        text: &mut ReturnText,
        depth: u32,
        all: &mut Constituents,
    ) -> Option<()> {
        let facts = self.linker.program.facts(file);
        let [declaration] = facts.symbol(symbol).decls[..] else { return None };
        match declaration {
            Decl::Variable(variable) => {
                let row = &facts.variables[variable.index()];
                match (row.annotation, row.source) {
                    _ if !row.path.is_empty() => None,
                    (Some(node), ValueSource::Value(_) | ValueSource::None) => self.add_node(file, node, text, all),
                    (None, ValueSource::Value(value)) if row.is_const => {
                        self.add_constituents(file, value, text, depth, all)
                    }
                    _ => None,
                }
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

    /// Adds the return type of a called function that has one declaration.
    fn add_call(
        &mut self,
        file: FileIndex,
        callee: ExprId,
        text: &mut ReturnText,
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

    /// Adds the constituents of a type node. The name of a type stands for the whole type.
    pub(super) fn add_node(
        &mut self,
        file: FileIndex,
        node: TypeId,
        text: &mut ReturnText,
        all: &mut Constituents,
    ) -> Option<()> {
        let _level = nesting::descend()?;
        text.steps += 1;
        if text.steps > MAX_STEPS {
            return None;
        }
        let facts = self.linker.program.facts(file);
        match facts.ty(node) {
            TypeNode::Keyword(keyword) => all.push(keyword_text(*keyword)?.into()),
            TypeNode::String(name) => all.push(string_type(Some(facts.name(*name)))),
            TypeNode::Number(name) => all.push(facts.name(*name).into()),
            TypeNode::Bool(value) => all.push(if *value { "true" } else { "false" }.into()),
            TypeNode::Union(list) => {
                for constituent in facts.type_list(*list) {
                    self.add_node(file, *constituent, text, all)?;
                }
            }
            TypeNode::Ref { symbol, path, args, .. } => {
                let [name] = path[..] else { return None };
                let written = match self.type_name_target(file, *symbol, path) {
                    TypeNameTarget::Definition(key) => self.definition_text(key, text)?,
                    TypeNameTarget::Parameter => self.parameter_text(file, (*symbol)?, text)?,
                    TypeNameTarget::Outside if symbol.is_some() => return None,
                    TypeNameTarget::Outside => {
                        text.globals.push(facts.name(name).into());
                        facts.name(name).into()
                    }
                };
                let mut arguments: Vec<CompactString> = Vec::new();
                for argument in facts.type_list(*args) {
                    let mut parts = Constituents::new();
                    self.add_node(file, *argument, text, &mut parts)?;
                    arguments.push(joined(parts)?);
                }
                all.push(with_arguments(&written, &arguments));
            }
            _ => return None,
        }
        Some(())
    }

    /// The name of a class, interface, enum or type alias.
    fn definition_text(&self, key: DefinitionKey, text: &mut ReturnText) -> Option<CompactString> {
        let Some(&row) = self.rows.of_key.get(&key) else {
            let DefinitionKey::Symbol(symbol) = key else { return None };
            let definitions = self.linker.program.definitions(symbol);
            let is_platform = definitions.first().is_some_and(|&def| self.linker.program.is_platform(def));
            text.globals.extend(is_platform.then(|| self.symbol_name(symbol)));
            return is_platform.then(|| self.symbol_name(symbol));
        };
        let (_, _, RowDeclaration::Def(def)) = self.rows.all[row as usize] else { return None };
        let name = self.linker.program.name_text(def);
        text.names.push((name.clone(), DefinitionRow::new(row as usize)));
        (!name.is_empty()).then_some(name)
    }

    fn symbol_name(&self, symbol: GlobalSymbol) -> CompactString {
        let (file, row) = self.linker.program.symbol(symbol);
        CompactString::new(self.linker.program.facts(file).name(row.name))
    }

    /// The name of a type parameter that is in scope in the function.
    fn parameter_text(&self, file: FileIndex, symbol: SymbolId, text: &ReturnText) -> Option<CompactString> {
        let facts = self.linker.program.facts(file);
        let [Decl::TypeParam(param)] = facts.symbol(symbol).decls[..] else { return None };
        self.is_in_scope(self.linker.program.global_param(file, param), text)
            .then(|| CompactString::new(facts.name(facts.symbol(symbol).name)))
    }

    fn is_in_scope(&self, param: GlobalTypeParam, text: &ReturnText) -> bool {
        text.function.is_some_and(|function| self.linker.program.type_params_in_scope(function).contains(&param))
    }

    /// The type of `new C()`: the class with its type arguments. An argument that is not known is `any`.
    fn instance_text(&mut self, ty: InternedType, text: &mut ReturnText, depth: u32) -> Option<CompactString> {
        let _level = nesting::descend()?;
        match self.linker.types.kind(ty).clone() {
            TypeKind::String if depth > 0 => Some("string".into()),
            TypeKind::Number if depth > 0 => Some("number".into()),
            TypeKind::Boolean if depth > 0 => Some("boolean".into()),
            TypeKind::Reference(symbol, arguments) if depth < MAX_DEPTH => {
                let name = self.definition_text(DefinitionKey::Symbol(symbol), text)?;
                let mut written = Vec::new();
                for argument in arguments {
                    written.push(self.instance_text(argument, text, depth + 1)?);
                }
                Some(with_arguments(&name, &written))
            }
            TypeKind::Anonymous(def, _) if self.linker.program.is_class(def) => {
                self.definition_text(DefinitionKey::of(&self.linker.program, def), text)
            }
            _ => (depth > 0).then(|| "any".into()),
        }
    }
}

fn keyword_text(keyword: Keyword) -> Option<&'static str> {
    Some(match keyword {
        Keyword::Any | Keyword::Unknown | Keyword::Never => return None,
        Keyword::Void => "void",
        Keyword::Undefined => "undefined",
        Keyword::Null => "null",
        Keyword::String => "string",
        Keyword::Number => "number",
        Keyword::Boolean => "boolean",
        Keyword::BigInt => "bigint",
        Keyword::Symbol => "symbol",
        Keyword::Object => "object",
    })
}

/// The literal type of a short plain string, else `string`.
fn string_type(literal: Option<&str>) -> CompactString {
    let is_plain =
        |text: &&str| text.len() <= 32 && text.bytes().all(|b| b.is_ascii_alphanumeric() || b" -_./:#+".contains(&b));
    literal.filter(is_plain).map_or_else(|| "string".into(), |text| format_compact!("\"{text}\""))
}

fn with_arguments(name: &str, arguments: &[CompactString]) -> CompactString {
    if arguments.is_empty() { name.into() } else { format_compact!("{name}<{}>", arguments.join(", ")) }
}

fn is_nullish(part: &str) -> bool {
    matches!(part, "null" | "undefined" | "void")
}

/// `T` for `Promise<T>`, any other type as it is.
pub(super) fn awaited(part: &str) -> &str {
    part.strip_prefix("Promise<").and_then(|inner| inner.strip_suffix('>')).unwrap_or(part)
}

/// The text of a union type. A literal type that is the whole type is widened, as the compiler does.
pub(super) fn joined(mut parts: Constituents) -> Option<CompactString> {
    let has = |parts: &Constituents, text: &str| parts.iter().any(|part| part == text);
    if has(&parts, "true") && has(&parts, "false") {
        parts.push("boolean".into());
    }
    if has(&parts, "boolean") {
        parts.retain(|part| part != "true" && part != "false");
    }
    if has(&parts, "string") {
        parts.retain(|part| !part.starts_with('"'));
    }
    let mut unique = Constituents::new();
    parts.into_iter().for_each(|part| {
        if !unique.contains(&part) {
            unique.push(part);
        }
    });
    // `null` and `undefined` come last, as people write them.
    unique.shared_sort_by_key(|part| is_nullish(part));
    match &unique[..] {
        [] => None,
        [only] if only.starts_with('"') => Some("string".into()),
        [only] if only == "true" || only == "false" => Some("boolean".into()),
        [only] if only == "null" || only == "undefined" => None,
        all if all.len() > MAX_CONSTITUENTS => None,
        all => Some(all.join(" | ").into()),
    }
}
