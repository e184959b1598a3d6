//! Explains how calls were resolved: what is known of each part of a callee, and which code says so.
//!
//! The reader asks inference for the type of each part of a callee, from the innermost receiver outwards. A name or the
//! result of a call whose type is not known is followed to the code that gave the value, so that the first step names
//! the cause.

use apidisc_base::nesting;
use apidisc_facts::syntax::python::facts::{
    Binding, BindingId, BindingKind, CallExprId, Expr, ExprId, Extraction, NameId, ScopeId,
};
use compact_str::CompactString;

use super::{
    emit::place_in_file,
    linker::Linker,
    program::{ClassId, FileIndex, GlobalDef},
    resolve::ResolvedCall,
    types::{Type, TypeId},
};
use crate::explanation::{AskedCalls, CallExplanation, ExplainedStep, MAX_STEPS, alternatives, short, unresolved};

/// The explanations of the asked calls, in the order of the file. `resolved` are the results of linking, per file;
/// `fqns` are the names of all definitions.
pub(super) fn explain(
    linker: &mut Linker<'_>,
    asked: &AskedCalls,
    resolved: &[Vec<ResolvedCall>],
    fqns: &[CompactString],
) -> Vec<CallExplanation> {
    let files = linker.program.files;
    let mut explanations = Vec::new();
    for (at, file) in files.iter().enumerate().filter(|(_, file)| file.path == asked.path) {
        for (site, resolved) in file.facts.calls.iter().zip(&resolved[at]) {
            // Quoted code has the place of its text.
            let place = place_in_file(file.places.as_deref(), site.line);
            let (line, col) = (place.line, place.column + site.col);
            if line != asked.line {
                continue;
            }
            let mut explainer = Explainer { linker, fqns, steps: Vec::new(), followed: Vec::new() };
            explainer.linker.begin_query();
            explainer.part(FileIndex::new(at), site.callee);
            let result = explainer.result(resolved);
            explanations.push(CallExplanation { line, col, steps: explainer.steps, result });
        }
    }
    asked.of_column(explanations)
}

/// The steps of one explanation.
struct Explainer<'l, 'f> {
    linker: &'l mut Linker<'f>,
    fqns: &'l [CompactString],
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
            Expr::Attribute { value, .. } | Expr::Subscript { value, .. } | Expr::Await(value) => {
                self.part(file, value);
            }
            Expr::Call(site) => self.part(file, facts.calls[site.index()].callee),
            Expr::Boolean { left, right, .. } | Expr::Conditional(left, right) => {
                self.part(file, left);
                self.part(file, right);
            }
            _ => {}
        }
        let ty = self.linker.expr_type(file, expr);
        let mut says = self.words(ty);
        if ty.is_unknown() && ty != TypeId::TOO_COMPLEX {
            if let Some(why) = self.why_unknown(file, expr) {
                says = format!("{says}: {why}");
            }
        } else if let Expr::Name { name, scope, reaching } = facts.expr(expr)
            && let Some((binding, at)) = self.only_binding(file, name, scope, facts.reaching(reaching))
            && let Some(said) = self.said_by(at, binding)
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
            Expr::Name { name, scope, reaching } => {
                let text = facts.name(name).to_owned();
                let Some((binding, at)) = self.only_binding(file, name, scope, facts.reaching(reaching)) else {
                    return Some(format!("no code binds `{text}` in one known way"));
                };
                if let BindingKind::Assign { value: Some(value), annotation: None, .. } = binding.kind {
                    self.part(at, value);
                }
                self.said_by(at, binding)
            }
            Expr::Attribute { value, name, .. } => {
                let receiver = self.linker.expr_type(file, value);
                let name = facts.name(name).to_owned();
                Some(if receiver.is_unknown() {
                    format!("nothing is known of the receiver of `{name}`")
                } else {
                    format!("no code says what `{name}` of {} is", self.words(receiver))
                })
            }
            Expr::Call(site) => {
                let callee = facts.calls[site.index()].callee;
                let ty = self.linker.expr_type(file, callee);
                match *self.linker.types.get(ty) {
                    Type::Function(def) | Type::Method(def, _) => Some(self.why_result_is_unknown(def)),
                    Type::Unknown => Some("nothing is known of what is called".to_owned()),
                    _ => Some(format!("a call of {} has no known result", self.words(ty))),
                }
            }
            Expr::Subscript { value, .. } => {
                let ty = self.linker.expr_type(file, value);
                Some(format!("nothing is known of the items of {}", self.words(ty)))
            }
            Expr::Boolean { .. } | Expr::Conditional(..) => Some("nothing is known of its alternatives".to_owned()),
            _ => Some("nothing is known of such an expression".to_owned()),
        }
    }

    fn why_result_is_unknown(&mut self, def: GlobalDef) -> String {
        let name = self.definition(def);
        let Some(function) = self.linker.program.function(def) else { return format!("{name} has no known result") };
        let at = self.linker.program.file_of(def);
        if let Some((_, text)) = &function.returns {
            return format!("{name} is annotated with `{}`, which is not known", short(text));
        }
        if function.is_declared {
            return format!("{name} has neither an annotation of its result nor a body");
        }
        for &value in &function.return_values {
            self.part(at, value);
        }
        format!("{name} has no annotation of its result, and nothing is known of what it returns")
    }

    /// The only binding of a name that reaches a read, with its file; of several ones the last.
    fn only_binding<'b>(
        &self,
        file: FileIndex,
        name: NameId,
        scope: ScopeId,
        reaching: &[BindingId],
    ) -> Option<(&'b Binding, FileIndex)>
    where
        Self: 'b,
    {
        let facts = self.linker.program.facts(file);
        let mut bound = reaching;
        let mut enclosing = Some(scope);
        while let (true, Some(scope)) = (bound.is_empty(), enclosing) {
            bound = facts.bindings_of(scope, name);
            enclosing = facts.scopes[scope.index()].parent;
        }
        let last = bound.iter().rev().map(|id| &facts.bindings[id.index()]);
        last.into_iter().find(|binding| binding.line > 0).map(|binding| (binding, file))
    }

    /// What a binding says of its name.
    fn said_by(&mut self, file: FileIndex, binding: &Binding) -> Option<String> {
        let facts = self.linker.program.facts(file);
        let places = self.linker.program.files[file.index()].places.as_deref();
        let line = place_in_file(places, binding.line).line;
        Some(match &binding.kind {
            BindingKind::Import { module, .. } => format!("imported in line {line}: `import {}`", facts.name(*module)),
            BindingKind::ImportFrom { module, level, name } => {
                let from = format!("{}{}", ".".repeat(*level as usize), facts.name(*module));
                format!("imported in line {line}: `from {from} import {}`", facts.name(*name))
            }
            BindingKind::Parameter(def, at) => {
                let function = self.linker.program.global_def(file, *def);
                let owner = self.definition(function);
                let parameter = self.linker.program.function(function)?.parameters.get(*at as usize)?;
                match &parameter.annotation {
                    Some((_, text)) => format!("a parameter of {owner} with the annotation `{}`", short(text)),
                    None => format!("a parameter of {owner} without an annotation"),
                }
            }
            BindingKind::Assign { annotation: Some(_), .. } => format!("annotated in line {line}"),
            BindingKind::Assign { value: Some(value), extraction, .. } => {
                let code = self.code(file, *value);
                match extraction {
                    Extraction::Value => format!("assigned in line {line}: `{code}`"),
                    Extraction::Iteration | Extraction::AsyncIteration => {
                        format!("an item of `{code}` in line {line}")
                    }
                    Extraction::Enter | Extraction::AsyncEnter => format!("what `with {code}` gives in line {line}"),
                    Extraction::Exception | Extraction::ExceptionGroup => {
                        format!("what `except {code}` catches in line {line}")
                    }
                }
            }
            BindingKind::Def(_) => return None,
            BindingKind::TypeAlias { .. } => format!("a type alias of line {line}"),
            BindingKind::TypeParameter { .. } => format!("a type parameter of line {line}"),
            _ => format!("bound in line {line}"),
        })
    }

    /// A type in words.
    fn words(&self, ty: TypeId) -> String {
        let text = |name| self.linker.program.interner.text(name);
        match self.linker.types.get(ty) {
            Type::Unknown => "not known".to_owned(),
            Type::TooComplex => "too large or takes too many steps to infer".to_owned(),
            Type::External => "a value from outside the sources".to_owned(),
            Type::None => "None".to_owned(),
            Type::Module(_) => "a module of the sources".to_owned(),
            Type::ExternalName(path) => format!("`{}`, outside the sources", text(*path)),
            Type::ExternalClass(path, _) => format!("the class `{}`, outside the sources", text(*path)),
            Type::ExternalInstance(path, _) => format!("an instance of `{}`, outside the sources", text(*path)),
            Type::ExternalMethod(name, receiver) => {
                format!("the method `{}` of {}", text(*name), self.words_of_part(*receiver))
            }
            Type::Class(class, _) => format!("the class {}", self.class(*class)),
            Type::Instance(class, _) => format!("an instance of {}", self.class(*class)),
            Type::Function(def) => format!("the function {}", self.definition(*def)),
            Type::Method(def, _) => format!("the method {}", self.definition(*def)),
            Type::Tuple(items) => format!("a tuple of {} items", items.len()),
            Type::Union(parts) => alternatives(&parts.iter().map(|part| self.words_of_part(*part)).collect::<Vec<_>>()),
            Type::Variable(_) => "a value of a type variable".to_owned(),
            Type::Super(class, _) => format!("the bases of {}", self.class(*class)),
        }
    }

    /// The words of a part of a type.
    fn words_of_part(&self, ty: TypeId) -> String {
        let Some(_level) = nesting::descend() else { return "…".to_owned() };
        self.words(ty)
    }

    fn class(&self, class: ClassId) -> String {
        self.definition(self.linker.program.class_def(class))
    }

    /// The name and place of a definition.
    fn definition(&self, def: GlobalDef) -> String {
        let file = self.linker.program.file_of(def);
        let path = &self.linker.program.files[file.index()].path;
        format!("`{}` ({path}:{})", self.fqns[def.index()], self.linker.program.def(def).line)
    }

    /// The result of a call in words.
    fn result(&self, resolved: &ResolvedCall) -> String {
        let names: Vec<String> = resolved.candidates.iter().map(|candidate| self.definition(candidate.def)).collect();
        match &names[..] {
            [] => unresolved(resolved.unresolved_reason),
            [one] if !resolved.may_be_outside => format!("counted for {one}"),
            _ => format!("ambiguous, counted for none: it may call {}", alternatives(&names)),
        }
    }

    /// The code of an expression, with `…` for what does not matter.
    fn code(&self, file: FileIndex, expr: ExprId) -> String {
        let Some(_level) = nesting::descend() else { return "…".to_owned() };
        let facts = self.linker.program.facts(file);
        let call = |site: CallExprId| self.code(file, facts.calls[site.index()].callee);
        match facts.expr(expr) {
            Expr::Name { name, .. } => facts.name(name).to_owned(),
            Expr::Attribute { value, name, .. } => format!("{}.{}", self.code(file, value), facts.name(name)),
            Expr::Call(site) => format!("{}(…)", call(site)),
            Expr::Subscript { value, .. } => format!("{}[…]", self.code(file, value)),
            Expr::Await(value) => format!("(await {})", self.code(file, value)),
            Expr::None => "None".to_owned(),
            Expr::Str(_) => "\"…\"".to_owned(),
            Expr::List(_) | Expr::ListComprehension(_) => "[…]".to_owned(),
            Expr::Dict(_) | Expr::DictComprehension(..) | Expr::Set(_) | Expr::SetComprehension(_) => "{…}".to_owned(),
            Expr::Tuple(_) | Expr::Generator(_) => "(…)".to_owned(),
            Expr::Lambda(_) => "lambda: …".to_owned(),
            Expr::Boolean { is_or, left, right } => {
                let operator = if is_or { "or" } else { "and" };
                format!("({} {operator} {})", self.code(file, left), self.code(file, right))
            }
            Expr::Conditional(then, other) => {
                format!("({} if … else {})", self.code(file, then), self.code(file, other))
            }
            _ => "…".to_owned(),
        }
    }
}
