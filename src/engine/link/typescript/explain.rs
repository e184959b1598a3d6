//! Explains how calls were resolved: what is known of each part of a callee, and which code says so.
//!
//! The reader asks inference for the type of each part of a callee, from the innermost receiver outwards. A name or the
//! result of a call whose type is not known is followed to the code that gave the value, so that the first step names
//! the cause.

use apidisc_base::nesting;
use apidisc_facts::syntax::typescript::facts::{CallExprId, Decl, Expr, ExprId, SymbolId, ValueSource, VariableId};

use super::{
    call_sites::ResolvedCall,
    infer::{Linker, ResolvedName},
    program::{FileIndex, GlobalDef, GlobalSymbol},
    rows::DefinitionRows,
    source_file::SourceFile,
    types::{InternedType, TypeKind},
};
use crate::{
    explanation::{AskedCalls, CallExplanation, ExplainedStep, MAX_STEPS, alternatives, short, unresolved},
    linked::LinkedDefinition,
};

/// What an explanation names.
pub(super) struct NamedProgram<'a> {
    pub(super) files: &'a [SourceFile],
    pub(super) rows: &'a DefinitionRows,
    pub(super) definitions: &'a [LinkedDefinition],
}

/// The explanations of the asked calls, in the order of the file. `resolved` are the results of linking, per file.
pub(super) fn explain(
    linker: &mut Linker<'_>,
    asked: &AskedCalls,
    resolved: &[Vec<ResolvedCall>],
    named: &NamedProgram<'_>,
) -> Vec<CallExplanation> {
    let mut explanations = Vec::new();
    for (at, file) in named.files.iter().enumerate().filter(|(_, file)| file.path == asked.path) {
        for (site, resolved) in file.facts.calls.iter().zip(&resolved[at]) {
            if site.line != asked.line {
                continue;
            }
            linker.budget.begin_query();
            let mut explainer = Explainer { linker, named, steps: Vec::new(), followed: Vec::new() };
            explainer.part(FileIndex::new(at), site.callee);
            let result = explainer.result(resolved);
            explanations.push(CallExplanation { line: site.line, col: site.col, steps: explainer.steps, result });
        }
    }
    asked.of_column(explanations)
}

/// The steps of one explanation.
struct Explainer<'l, 'f> {
    linker: &'l mut Linker<'f>,
    named: &'l NamedProgram<'l>,
    steps: Vec<ExplainedStep>,
    /// The expressions that are explained, so that none is explained twice.
    followed: Vec<(FileIndex, ExprId)>,
}

impl Explainer<'_, '_> {
    /// Adds the steps of an expression: those of the parts that its type depends on, then its own.
    fn part(&mut self, file: FileIndex, expr: ExprId) {
        let Some(_level) = nesting::descend() else { return };
        if self.steps.len() >= MAX_STEPS || self.followed.contains(&(file, expr)) {
            return;
        }
        self.followed.push((file, expr));
        let facts = self.linker.program.facts(file);
        match facts.expr(expr) {
            Expr::Property { object: inner, .. }
            | Expr::Index { object: inner, .. }
            | Expr::Item { object: inner, .. }
            | Expr::Await(inner) => self.part(file, inner),
            // The code of such an expression is that of its part.
            Expr::Narrowed(inner, _) | Expr::NonNull(inner) => return self.part(file, inner),
            Expr::Call(site) => self.part(file, facts.site(site).callee),
            Expr::Or(left, right) | Expr::And(left, right) | Expr::Nullish(left, right) | Expr::Either(left, right) => {
                self.part(file, left);
                self.part(file, right);
            }
            _ => {}
        }
        let ty = self.linker.expr_type(file, expr);
        let mut says = self.words(ty);
        if ty == InternedType::ANY {
            if let Some(why) = self.why_unknown(file, expr) {
                says = format!("{says}: {why}");
            }
        } else if let Expr::Name { symbol: Some(symbol), .. } = facts.expr(expr)
            && let Some(said) = self.said_by(file, symbol)
        {
            says = format!("{says}, {said}");
        }
        let step = ExplainedStep { code: self.code(file, expr), says };
        if self.steps.len() < MAX_STEPS && !self.steps.contains(&step) {
            self.steps.push(step);
        }
    }

    /// The cause for an unknown type. Values that are followed add their steps.
    fn why_unknown(&mut self, file: FileIndex, expr: ExprId) -> Option<String> {
        let facts = self.linker.program.facts(file);
        match facts.expr(expr) {
            Expr::Name { name, symbol: None } => {
                Some(format!("`{}` is a name of the platform, which no code of the sources declares", facts.name(name)))
            }
            Expr::Name { symbol: Some(symbol), .. } => {
                if let Some(value) = self.value_of(file, symbol) {
                    self.part(file, value);
                }
                self.said_by(file, symbol)
            }
            Expr::Property { object, name, .. } => {
                let receiver = self.linker.expr_type(file, object);
                let name = facts.name(name);
                Some(if receiver == InternedType::ANY {
                    format!("nothing is known of the receiver of `{name}`")
                } else {
                    format!("no code says what `{name}` of {} is", self.words(receiver))
                })
            }
            Expr::Call(site) => {
                let callee = facts.site(site).callee;
                let ty = self.linker.expr_type(file, callee);
                match *self.linker.types.kind(ty) {
                    TypeKind::Function(def, _) => Some(self.why_result_is_unknown(def)),
                    TypeKind::Any => Some("nothing is known of what is called".to_owned()),
                    _ => Some(format!("a call of {} has no known result", self.words(ty))),
                }
            }
            Expr::Index { object, .. } | Expr::Item { object, .. } => {
                let ty = self.linker.expr_type(file, object);
                Some(format!("nothing is known of the items of {}", self.words(ty)))
            }
            Expr::As(_, _) => Some("the type after `as` is not known".to_owned()),
            Expr::Or(..) | Expr::And(..) | Expr::Nullish(..) | Expr::Either(..) => {
                Some("nothing is known of its alternatives".to_owned())
            }
            _ => Some("nothing is known of such an expression".to_owned()),
        }
    }

    fn why_result_is_unknown(&mut self, def: GlobalDef) -> String {
        let def = self.linker.program.implementation(def);
        let name = self.definition(def);
        let Some(function) = self.linker.program.function(def) else { return format!("{name} has no known result") };
        let at = self.linker.program.file_of(def);
        if let Some((_, text)) = &function.returns {
            return format!("{name} is declared to return `{}`, which is not known", short(text));
        }
        if !function.has_body {
            return format!("{name} declares no result and has no body");
        }
        for &value in &function.return_values {
            self.part(at, value);
        }
        format!("{name} declares no result, and nothing is known of what it returns")
    }

    /// The value that the declaration of a variable without an annotation gives.
    fn value_of(&self, file: FileIndex, symbol: SymbolId) -> Option<ExprId> {
        let facts = self.linker.program.facts(file);
        let variable = facts.symbol(symbol).decls.iter().find_map(|decl| match decl {
            Decl::Variable(variable) => Some(&facts.variables[variable.index()]),
            _ => None,
        })?;
        match variable.source {
            _ if variable.annotation.is_some() => None,
            ValueSource::Value(value) | ValueSource::ElementOf(value) | ValueSource::AwaitedElementOf(value) => {
                Some(value)
            }
            _ => variable.assigned.last().copied(),
        }
    }

    /// What the declaration of a symbol says of its value.
    fn said_by(&mut self, file: FileIndex, symbol: SymbolId) -> Option<String> {
        let facts = self.linker.program.facts(file);
        match *facts.symbol(symbol).decls.first()? {
            Decl::Import(import) => {
                let row = &facts.imports[import.index()];
                let found = match self.linker.resolve_symbol(file, symbol) {
                    ResolvedName::External => ", outside the sources",
                    ResolvedName::Missing => ", in which no code declares the name",
                    _ => "",
                };
                Some(format!("imported in line {} from \"{}\"{found}", row.line, facts.name(row.specifier)))
            }
            Decl::Variable(variable) => self.said_by_variable(file, variable),
            Decl::Parameter(def, at) => {
                let function = self.linker.program.global_def(file, def);
                self.said_by_parameter(function, at)
            }
            Decl::TypeParam(_) => Some("a type parameter".to_owned()),
            Decl::Def(_) => None,
        }
    }

    fn said_by_variable(&mut self, file: FileIndex, variable: VariableId) -> Option<String> {
        let row = &self.linker.program.facts(file).variables[variable.index()];
        let line = row.line;
        if let Some(text) = &row.annotation_text {
            return Some(format!("declared in line {line} as `{}`", short(text)));
        }
        Some(match row.source {
            _ if row.annotation.is_some() => format!("destructured in line {line} from a pattern with a type"),
            ValueSource::Value(value) if row.path.is_empty() => {
                format!("assigned in line {line}: `{}`", self.code(file, value))
            }
            ValueSource::Value(value) => format!("destructured in line {line} from `{}`", self.code(file, value)),
            ValueSource::ElementOf(value) | ValueSource::AwaitedElementOf(value) => {
                format!("an element of `{}` in line {line}", self.code(file, value))
            }
            ValueSource::KeyOf(value) => format!("a key of `{}` in line {line}", self.code(file, value)),
            ValueSource::Parameter(def, at) => {
                let function = self.linker.program.global_def(file, def);
                return self.said_by_parameter(function, at).map(|said| format!("destructured from {said}"));
            }
            ValueSource::Caught => format!("caught in line {line}"),
            ValueSource::None => format!("declared in line {line} without a type and a value"),
        })
    }

    fn said_by_parameter(&mut self, function: GlobalDef, at: u16) -> Option<String> {
        let owner = self.definition(function);
        let parameter = self.linker.program.function(function)?.params.get(usize::from(at))?;
        Some(match &parameter.annotation {
            Some((_, text)) => format!("a parameter of {owner} with the type `{}`", short(text)),
            None => format!("a parameter of {owner} without a type"),
        })
    }

    /// A type in words.
    fn words(&self, ty: InternedType) -> String {
        let Some(_level) = nesting::descend() else { return "…".to_owned() };
        match self.linker.types.kind(ty) {
            TypeKind::Any => "not known".to_owned(),
            TypeKind::External => "a value from outside the sources".to_owned(),
            TypeKind::Unknown => "`unknown`".to_owned(),
            TypeKind::Never => "`never`".to_owned(),
            TypeKind::Nullish => "`undefined` or `null`".to_owned(),
            TypeKind::String | TypeKind::StringLiteral(_) | TypeKind::Template(_) | TypeKind::StringMapping(..) => {
                "a string".to_owned()
            }
            TypeKind::Number | TypeKind::NumberLiteral(_) => "a number".to_owned(),
            TypeKind::Boolean | TypeKind::BooleanLiteral(_) | TypeKind::Predicate(..) => "a boolean".to_owned(),
            TypeKind::BigInt => "a bigint".to_owned(),
            TypeKind::Symbol | TypeKind::UniqueSymbol(_) => "a symbol".to_owned(),
            TypeKind::Object => "an object".to_owned(),
            TypeKind::Reference(symbol, _) => format!("an instance of {}", self.symbol(*symbol)),
            TypeKind::This(symbol) => format!("an instance of {}", self.symbol(*symbol)),
            TypeKind::EnumMember(symbol, _) => format!("a member of {}", self.symbol(*symbol)),
            TypeKind::Anonymous(def, _) => format!("an object of the form in {}", self.place(*def)),
            TypeKind::ClassConstructor(def, _) => format!("the class {}", self.definition(*def)),
            TypeKind::Function(def, _) => format!("the function {}", self.definition(*def)),
            TypeKind::EnumObject(symbol) => format!("the enum {}", self.symbol(*symbol)),
            TypeKind::NamespaceObject(symbol) => format!("the namespace {}", self.symbol(*symbol)),
            TypeKind::ModuleNamespace(file) => match self.named.files.get(file.index()) {
                Some(file) => format!("the module `{}`", file.path),
                None => "a module".to_owned(),
            },
            TypeKind::AmbientModuleNamespace(module) => {
                let program = &self.linker.program;
                format!("the module \"{}\"", program.names.text(program.ambient_modules.name(*module)))
            }
            TypeKind::Tuple(items, _) | TypeKind::VariadicTuple(items) => format!("a tuple of {} items", items.len()),
            TypeKind::Union(parts) => alternatives(&parts.iter().map(|part| self.words(*part)).collect::<Vec<_>>()),
            TypeKind::Intersection(parts) => {
                let parts: Vec<String> = parts.iter().take(MAX_PARTS).map(|part| self.words(*part)).collect();
                parts.join(" and ")
            }
            TypeKind::TypeParameter(parameter) => {
                let (file, row) = self.linker.program.type_param(*parameter);
                format!("a value of the type parameter `{}`", self.linker.program.facts(file).name(row.name))
            }
            TypeKind::Spread(_)
            | TypeKind::KeyOf(_)
            | TypeKind::IndexedAccess(..)
            | TypeKind::Mapped(..)
            | TypeKind::ReverseMapped(..)
            | TypeKind::Conditional(..) => "a value of a type that is computed from others".to_owned(),
        }
    }

    /// The name and place of a symbol's first definition.
    fn symbol(&self, symbol: GlobalSymbol) -> String {
        match self.linker.program.definitions(symbol).first() {
            Some(def) => self.definition(*def),
            None => "a type".to_owned(),
        }
    }

    /// The name and place of a definition. The platform has no place.
    fn definition(&self, def: GlobalDef) -> String {
        let facts = self.linker.program.facts(self.linker.program.file_of(def));
        let written = self.linker.program.name_of(def).map(|name| facts.name(name));
        if self.linker.program.is_platform(def) {
            return format!("`{}` of the platform", written.unwrap_or("…"));
        }
        let row = self.named.rows.of_def.get(&def).map(|row| self.named.definitions[row.index()].fqn.as_str());
        match row.or(written) {
            Some(name) => format!("`{name}` ({})", self.place(def)),
            None => format!("without a name ({})", self.place(def)),
        }
    }

    fn place(&self, def: GlobalDef) -> String {
        let file = self.linker.program.file_of(def);
        let line = self.linker.program.def(def).line;
        match self.named.files.get(file.index()) {
            Some(file) => format!("{}:{line}", file.path),
            None => "the platform".to_owned(),
        }
    }

    /// The result of a call in words.
    fn result(&self, resolved: &ResolvedCall) -> String {
        let names: Vec<String> = resolved.candidates.iter().map(|def| self.definition(*def)).collect();
        match &names[..] {
            [] => match resolved.value.and_then(|value| self.named.rows.of_value(value)) {
                Some(row) => format!(
                    "counted for the constant or property `{}`, whose function is not known",
                    self.named.definitions[row.index()].fqn
                ),
                None => unresolved(resolved.why),
            },
            [one] if !resolved.may_be_other => format!("counted for {one}"),
            _ => format!("ambiguous, counted for none: it may call {}", alternatives(&names)),
        }
    }

    /// The code of an expression, with `…` for what does not matter.
    fn code(&self, file: FileIndex, expr: ExprId) -> String {
        let Some(_level) = nesting::descend() else { return "…".to_owned() };
        let facts = self.linker.program.facts(file);
        let call = |site: CallExprId| self.code(file, facts.site(site).callee);
        match facts.expr(expr) {
            Expr::Name { name, .. } => facts.name(name).to_owned(),
            Expr::Property { object, name, optional } => {
                let dot = if optional { "?." } else { "." };
                format!("{}{dot}{}", self.code(file, object), facts.name(name))
            }
            Expr::Call(site) => format!("{}(…)", call(site)),
            Expr::Index { object, .. } => format!("{}[…]", self.code(file, object)),
            Expr::Item { object, at } => format!("{}[{at}]", self.code(file, object)),
            Expr::Await(inner) => format!("(await {})", self.code(file, inner)),
            Expr::NonNull(inner) | Expr::Narrowed(inner, _) => self.code(file, inner),
            Expr::As(inner, _) => format!("{} as …", self.code(file, inner)),
            Expr::This(_) => "this".to_owned(),
            Expr::Super(_) => "super".to_owned(),
            Expr::String(_) => "\"…\"".to_owned(),
            Expr::Array(_) => "[…]".to_owned(),
            Expr::Object(_) => "{…}".to_owned(),
            Expr::Function(_) => "(…) => …".to_owned(),
            Expr::Or(left, right) => format!("({} || {})", self.code(file, left), self.code(file, right)),
            Expr::Nullish(left, right) => format!("({} ?? {})", self.code(file, left), self.code(file, right)),
            Expr::And(left, right) => format!("({} && {})", self.code(file, left), self.code(file, right)),
            Expr::Either(left, right) => format!("(… ? {} : {})", self.code(file, left), self.code(file, right)),
            Expr::Require(specifier) | Expr::Namespace(specifier) => {
                format!("require(\"{}\")", facts.name(specifier))
            }
            _ => "…".to_owned(),
        }
    }
}

/// The number of parts of an intersection that are named.
const MAX_PARTS: usize = 4;
