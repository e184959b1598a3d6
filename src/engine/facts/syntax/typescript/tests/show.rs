//! Renders facts as short text.

use crate::syntax::typescript::facts::{
    Access, CallExprId, CallExprKind, Decl, Def, DefBody, DefId, Expr, ExprId, ExpressionContext, FileFacts, Guard,
    GuardId, Member, MemberKind, NarrowingTest, PatternStep, SymbolId, TypeId, TypeNode,
};

/// An expression. A guard is in braces. A name is followed by the place of its symbol, see [`declaring_path`], or by
/// `?` if the file does not declare the name.
pub(super) fn expr(facts: &FileFacts, id: ExprId) -> String {
    let show = |id| expr(facts, id);
    match facts.expr(id) {
        Expr::Name { name, symbol } => {
            format!("{}{}", facts.name(name), symbol.map_or("?".into(), |s| declaring_path(facts, s)))
        }
        Expr::This(def) => format!("this of {}", def.map_or("nothing".into(), |def| path(facts, def))),
        Expr::Super(def) => format!("super of {}", def.map_or("nothing".into(), |def| path(facts, def))),
        Expr::Property { object, name, .. } => format!("{}.{}", show(object), facts.name(name)),
        Expr::Item { object, at } => format!("{}[{at}]", show(object)),
        Expr::Delegated(value) => format!("yield* {}", show(value)),
        Expr::Index { object, index } => format!("{}[{}]", show(object), show(index)),
        Expr::Call(site) => {
            let call = facts.site(site);
            let arguments: Vec<String> = call.arguments.iter().map(|argument| show(argument.value)).collect();
            let new = if call.kind == CallExprKind::New { "new " } else { "" };
            format!("{new}{}({})", show(call.callee), arguments.join(", "))
        }
        Expr::Array(list) => {
            format!("[{}]", facts.list(list).iter().map(|&item| show(item)).collect::<Vec<_>>().join(", "))
        }
        Expr::Object(_) => "{}".into(),
        Expr::Function(def) | Expr::Class(def) => path(facts, def),
        Expr::Await(inner) => format!("await {}", show(inner)),
        Expr::Either(a, b) => format!("(? {} : {})", show(a), show(b)),
        Expr::Or(a, b) => format!("({} || {})", show(a), show(b)),
        Expr::And(a, b) => format!("({} && {})", show(a), show(b)),
        Expr::Nullish(a, b) => format!("({} ?? {})", show(a), show(b)),
        Expr::Plus(a, b) => format!("({} + {})", show(a), show(b)),
        Expr::As(inner, of) => format!("({} as {})", show(inner), ty(facts, of)),
        Expr::AsConst(inner) => format!("({} as const)", show(inner)),
        Expr::Satisfies(inner, of) => format!("({} satisfies {})", show(inner), ty(facts, of)),
        Expr::NonNull(inner) => format!("{}!", show(inner)),
        Expr::Spread(inner) => format!("...{}", show(inner)),
        Expr::Instantiated(inner, of) => format!("{}<{}>", show(inner), ty(facts, of)),
        Expr::Narrowed(inner, of) => format!("{}{{{}}}", show(inner), guard(facts, facts.guards[of.index()])),
        Expr::Import(module) => format!("import({})", facts.name(module)),
        Expr::Require(module) => format!("require({})", facts.name(module)),
        Expr::String(Some(text)) => format!("'{}'", facts.name(text)),
        other => format!("{other:?}").to_lowercase(),
    }
}

/// The place of a symbol: `@` and the path of the definition in whose scope the symbol is declared; empty for the scope
/// of the file; `@block` for any other scope outside of definitions.
fn declaring_path(facts: &FileFacts, symbol: SymbolId) -> String {
    let scope = &facts.scopes[facts.symbol(symbol).scope.index()];
    match (scope.parent, scope.def) {
        (None, _) => String::new(),
        (_, def) => format!("@{}", def.map_or("block".into(), |def| path(facts, def))),
    }
}

fn guard(facts: &FileFacts, guard: Guard) -> String {
    let show = |id| expr(facts, id);
    let inner = |id: GuardId| self::guard(facts, facts.guards[id.index()]);
    let test = match guard.test {
        NarrowingTest::Assigned(value) => format!("= {}", expr(facts, value)),
        NarrowingTest::Truthy => "truthy".into(),
        NarrowingTest::Nullish => "nullish".into(),
        NarrowingTest::Typeof(name) => format!("typeof {}", facts.name(name)),
        NarrowingTest::Instanceof(class) => format!("instanceof {}", show(class)),
        NarrowingTest::Equals(value) => format!("== {}", show(value)),
        NarrowingTest::Discriminant(name, value) => format!(".{} == {}", facts.name(name), show(value)),
        NarrowingTest::HasTruthy(name) => format!(".{}", facts.name(name)),
        NarrowingTest::In(name) => format!("has {}", facts.name(name)),
        NarrowingTest::Predicate(site, NarrowingTest::RECEIVER) => format!("says .{}", callee(facts, site)),
        NarrowingTest::Predicate(site, argument) => format!("says {} of {argument}", callee(facts, site)),
        NarrowingTest::Both(a, b) => format!("({} and {})", inner(a), inner(b)),
        NarrowingTest::Either(a, b) => format!("({} or {})", inner(a), inner(b)),
    };
    if guard.positive { test } else { format!("not {test}") }
}

fn callee(facts: &FileFacts, site: CallExprId) -> String {
    expr(facts, facts.site(site).callee)
}

/// A type, with the symbol of each name as in [`expr`].
pub(super) fn ty(facts: &FileFacts, id: TypeId) -> String {
    let show = |id: &TypeId| ty(facts, *id);
    let all = |ids: &[TypeId], by: &str| ids.iter().map(show).collect::<Vec<_>>().join(by);
    match facts.ty(id) {
        TypeNode::Keyword(word) => format!("{word:?}").to_lowercase(),
        TypeNode::String(text) => format!("'{}'", facts.name(*text)),
        TypeNode::Number(text) => facts.name(*text).to_owned(),
        TypeNode::Bool(value) => value.to_string(),
        TypeNode::Ref { symbol, path, args, .. } => {
            let names: Vec<&str> = path.iter().map(|&name| facts.name(name)).collect();
            let symbol = symbol.map_or("?".into(), |symbol| declaring_path(facts, symbol));
            let args = facts.type_list(*args);
            let args = if args.is_empty() { String::new() } else { format!("<{}>", all(args, ", ")) };
            format!("{}{symbol}{args}", names.join("."))
        }
        TypeNode::This(of) => format!("this of {}", of.map_or("nothing".into(), |def| path(facts, def))),
        TypeNode::Array(of) => format!("{}[]", show(of)),
        TypeNode::Tuple(elements) => {
            let shown: Vec<String> = elements
                .iter()
                .map(|element| {
                    let rest = if element.is_rest { "..." } else { "" };
                    let label = element.label.map_or(String::new(), |label| format!("{}: ", facts.name(label)));
                    let optional = if element.is_optional { "?" } else { "" };
                    format!("{rest}{label}{}{optional}", show(&element.ty))
                })
                .collect();
            format!("[{}]", shown.join(", "))
        }
        TypeNode::Template(parts) => format!("template({})", all(facts.type_list(*parts), ", ")),
        TypeNode::Union(list) => all(facts.type_list(*list), " | "),
        TypeNode::Intersection(list) => all(facts.type_list(*list), " & "),
        TypeNode::Function(def) => {
            let function = facts.def(*def).function().expect("a function");
            let returns = function.returns.as_ref().map_or("?".into(), |(of, _)| show(of));
            format!("({}) => {returns}", function.params.len())
        }
        TypeNode::Literal(def) => format!("{{{}}}", members(facts, facts.def(*def)).join("; ")),
        TypeNode::TypeOf(of) => format!("typeof {}", expr(facts, *of)),
        TypeNode::KeyOf(of) => format!("keyof {}", show(of)),
        TypeNode::Operator(of) => format!("readonly {}", show(of)),
        TypeNode::Indexed(object, index) => format!("{}[{}]", show(object), show(index)),
        TypeNode::Conditional { check, extends, positive, negative, .. } => {
            format!("{} extends {} ? {} : {}", show(check), show(extends), show(positive), show(negative))
        }
        TypeNode::Infer(param) => format!("infer {}", facts.type_params[param.index()].text),
        TypeNode::Mapped { key, renamed, value, optional, .. } => {
            let param = &facts.type_params[key.index()];
            format!(
                "{{[{} in {}{}]{optional:?} {}}}",
                facts.name(param.name),
                param.constraint.map_or("?".into(), |of| show(&of)),
                renamed.map_or(String::new(), |of| format!(" as {}", show(&of))),
                value.map_or("?".into(), |of| show(&of)),
            )
        }
        TypeNode::Predicate { param, ty, asserts } => {
            let param = param.map_or("this", |name| facts.name(name));
            let of = ty.map_or(String::new(), |of| format!(" is {}", show(&of)));
            format!("{}{param}{of}", if *asserts { "asserts " } else { "" })
        }
        TypeNode::Import { specifier, path, is_value, .. } => {
            let mut names = vec![format!("import({})", facts.name(*specifier))];
            names.extend(path.iter().map(|&name| facts.name(name).to_owned()));
            format!("{}{}", if *is_value { "typeof " } else { "" }, names.join("."))
        }
        TypeNode::Unknown => "unknown".to_owned(),
    }
}

/// The names of the enclosing definitions and of the definition itself, `_` for an anonymous one.
pub(super) fn path(facts: &FileFacts, def: DefId) -> String {
    let row = facts.def(def);
    let name = row.name.map_or("_", |name| facts.name(name));
    match row.outer {
        Some(outer) => format!("{}.{name}", path(facts, outer)),
        None => name.to_owned(),
    }
}

/// The members of a definition, with modifiers, types and values.
pub(super) fn members(facts: &FileFacts, def: &Def) -> Vec<String> {
    let member = |member: &Member| {
        let words =
            [(member.is_static, "static "), (member.is_abstract, "abstract "), (member.is_readonly, "readonly ")];
        let words: String = words.iter().filter(|(is, _)| *is).map(|(_, word)| *word).collect();
        let access = match member.access {
            Access::Public => String::new(),
            other => format!("{other:?} ").to_lowercase(),
        };
        let name = member.name.map_or("[]", |name| facts.name(name));
        let optional = if member.is_optional { "?" } else { "" };
        let rest = match &member.kind {
            MemberKind::Property { annotation, value, parameter } => {
                let of = annotation.as_ref().map_or(String::new(), |(of, _)| format!(": {}", ty(facts, *of)));
                let value = value.as_ref().map_or(String::new(), |(value, _)| format!(" = {}", expr(facts, *value)));
                let parameter = parameter.map_or(String::new(), |(_, at)| format!(" of parameter {at}"));
                format!("{of}{value}{parameter}")
            }
            MemberKind::Function(def) => {
                let function = facts.def(*def).function().expect("a function");
                format!("({}) {:?}", function.params.len(), function.kind).to_lowercase()
            }
            MemberKind::Index { key, value } => format!(" {}: {}", ty(facts, *key), ty(facts, *value)),
            MemberKind::Spread(value) => format!(" ...{}", expr(facts, *value)),
        };
        format!("{access}{words}{name}{optional}{rest}")
    };
    def.members().iter().map(member).collect()
}

/// The context of an expression.
pub(super) fn context(facts: &FileFacts, context: ExpressionContext) -> String {
    match context {
        ExpressionContext::None => "nothing".into(),
        ExpressionContext::Argument(site, at) => format!("argument {at} of {}", callee(facts, site)),
        ExpressionContext::Property(def, at) => {
            let name = facts.def(def).members()[at as usize].name;
            format!("property {}", name.map_or("[]", |name| facts.name(name)))
        }
        ExpressionContext::Element(_, at) => format!("element {at}"),
        ExpressionContext::Typed(of) => ty(facts, of),
        ExpressionContext::Return(def) => format!("return of {}", path(facts, def)),
        ExpressionContext::Default(def, at) => format!("default of parameter {at} of {}", path(facts, def)),
        ExpressionContext::Assigned(target) => format!("assigned to {}", expr(facts, target)),
        ExpressionContext::Callee(site) => format!("callee of call {}", site.index()),
        ExpressionContext::Same(around) => format!("as {}", expr(facts, around)),
    }
}

/// The definition with the path `name`.
pub(super) fn find<'f>(facts: &'f FileFacts, name: &str) -> &'f Def {
    let found = (0..facts.definitions.len()).map(DefId::new).find(|&def| path(facts, def) == name);
    facts.def(found.unwrap_or_else(|| panic!("no {name}")))
}

/// Every definition: its path, line and kind.
pub(super) fn definitions(facts: &FileFacts) -> Vec<String> {
    let ids = (0..facts.definitions.len()).map(DefId::new);
    ids.map(|def| {
        let kind = match &facts.def(def).body {
            DefBody::Function(function) => format!("{:?}", function.kind),
            DefBody::Class(_) => "Class".into(),
            DefBody::Interface(_) => "Interface".into(),
            DefBody::TypeAlias(_) => "TypeAlias".into(),
            DefBody::Enum(_) => "Enum".into(),
            DefBody::Namespace => "Namespace".into(),
            DefBody::Object(_) => "Object".into(),
            DefBody::TypeLiteral(_) => "TypeLiteral".into(),
        };
        format!("{}:{} {kind}", path(facts, def), facts.def(def).line)
    })
    .collect()
}

/// The arguments of all calls of the function `name`, in order.
pub(super) fn arguments_of(facts: &FileFacts, name: &str) -> Vec<String> {
    facts
        .calls
        .iter()
        .filter(|call| matches!(facts.expr(call.callee), Expr::Name { name: callee, .. } if facts.name(callee) == name))
        .flat_map(|call| &call.arguments)
        .map(|argument| expr(facts, argument.value))
        .collect()
}

/// One step into a destructured value.
pub(super) fn step(facts: &FileFacts, step: PatternStep) -> String {
    match step {
        PatternStep::Property(name) => format!(".{}", facts.name(name)),
        PatternStep::Element(at) => at.to_string(),
        PatternStep::RestProperties => "...".into(),
        PatternStep::RestElements(at) => format!("{at}..."),
        PatternStep::Default(value) => format!("={}", expr(facts, value)),
        PatternStep::Computed => "[]".into(),
    }
}

/// The kinds of the declarations of a symbol.
pub(super) fn declarations(facts: &FileFacts, symbol: SymbolId) -> Vec<&'static str> {
    let decl = |decl: &Decl| match decl {
        Decl::Def(_) => "definition",
        Decl::Variable(_) => "variable",
        Decl::Parameter(..) => "parameter",
        Decl::Import(_) => "import",
        Decl::TypeParam(_) => "type parameter",
    };
    facts.symbol(symbol).decls.iter().map(decl).collect()
}
