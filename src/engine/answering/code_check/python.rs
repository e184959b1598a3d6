//! Python code: its mistakes.

use super::{
    Mistake, MistakeKind,
    blocks::BlockStarts,
    calls::CallArguments,
    checked_index::CheckedIndex,
    value::{Instance, NameLookup, Value},
};
use apidisc_base::{language::Language, nesting};
use apidisc_facts::{
    documents::Place,
    program::{ArgumentKind, DefinitionKind},
    syntax::python::facts::{
        BinaryOperator, BindingId, BindingKind, CallExpr, Expr, ExprId, Extraction, FileFacts, NameId,
        ReachingBindings, ScopeId, ScopeKind,
    },
};

/// The greatest number of expressions and bindings that the value of an expression is followed through.
const MAX_STEPS: usize = 40;
/// The greatest number of bindings in other blocks of a name whose value is followed.
const MAX_BINDINGS: usize = 8;

/// The mistakes in the code.
pub(super) fn mistakes(
    known: &CheckedIndex<'_>,
    facts: &FileFacts,
    places: &[Place],
    blocks: &BlockStarts,
) -> Vec<Mistake> {
    let mut code = PythonChecker { known, facts, places, blocks, found: Vec::new() };
    for binding in &facts.bindings {
        code.check_import(&binding.kind, binding.line);
    }
    for call in &facts.calls {
        let callee = code.check_attribute(call.callee, call.line);
        for argument in call.arguments.iter().filter(|argument| argument.kind == ArgumentKind::Keyword) {
            let Some(keyword) = argument.keyword.map(|keyword| facts.name(keyword)) else { continue };
            if known.parameter(&callee, keyword) == NameLookup::Missing {
                code.report(call.line, MistakeKind::Parameter, keyword, &callee);
            }
        }
        code.check_arguments(call, &callee);
    }
    for read in &facts.reads {
        code.check_attribute(read.expr, read.line);
    }
    code.found
}

struct PythonChecker<'c> {
    known: &'c CheckedIndex<'c>,
    facts: &'c FileFacts,
    places: &'c [Place],
    blocks: &'c BlockStarts,
    found: Vec<Mistake>,
}

impl PythonChecker<'_> {
    /// Reports a name that the owner does not have, with its line of the facts.
    fn report(&mut self, line: u32, kind: MistakeKind, name: &str, owner: &Value) {
        self.found.extend(self.known.mistake(self.line_of_text(line), kind, name, owner));
    }

    /// The line of the text for a line of the facts.
    fn line_of_text(&self, line: u32) -> u32 {
        self.places.get((line as usize).saturating_sub(1)).map_or(line, |place| place.line)
    }

    /// The number of the block that has a line of the facts.
    fn block_of(&self, line: u32) -> usize {
        self.blocks.block_of(self.line_of_text(line))
    }

    /// Reports arguments that do not fit the parameters. Calls with `...` and calls in tests of errors are left out,
    /// because their authors do not mean them to succeed as written.
    fn check_arguments(&mut self, call: &CallExpr, callee: &Value) {
        let has = |kind| call.arguments.iter().any(|argument| argument.kind == kind);
        let is_sketch = call.arguments.iter().any(|argument| matches!(self.facts.expr(argument.value), Expr::Ellipsis));
        if is_sketch || call.syntax.expects_error || has(ArgumentKind::Star) {
            return;
        }
        let keywords = call.arguments.iter().filter_map(|argument| argument.keyword);
        let passed = CallArguments {
            positional: call.arguments.iter().filter(|argument| argument.kind.is_positional()).count(),
            keywords: keywords.map(|keyword| self.facts.name(keyword)).collect(),
            has_more: has(ArgumentKind::DoubleStar),
        };
        if let Some((kind, name)) = self.known.argument_mistake(callee, &passed) {
            self.report(call.line, kind, &name, callee);
        }
    }

    fn check_import(&mut self, kind: &BindingKind, line: u32) {
        let (module, name) = match *kind {
            BindingKind::Import { module, .. } => (self.facts.name(module), None),
            BindingKind::ImportFrom { module, level: 0, name } => {
                (self.facts.name(module), Some(self.facts.name(name)))
            }
            _ => return,
        };
        // The part of the dotted name that names a module of the index, and the first part that is not in it.
        let mut end = module.len();
        let mut missing = name;
        let owner = loop {
            if let Some(id) = self.known.module(&module[..end], Language::Python) {
                break id;
            }
            let Some((before, part)) = module[..end].rsplit_once('.') else { return };
            (end, missing) = (before.len(), Some(part));
        };
        let Some(missing) = missing else { return };
        // Builds generate private modules, and modules from protocol buffers, which the sources do not contain.
        let may_be_made = missing.starts_with('_') || missing.contains("_pb2");
        if !may_be_made && self.known.module_member(owner, missing) == NameLookup::Missing {
            self.report(line, MistakeKind::Name, missing, &Value::Module(owner));
        }
    }

    /// The value of an expression. Reports it if it reads an attribute that the sources do not have.
    fn check_attribute(&mut self, expr: ExprId, line: u32) -> Value {
        let Expr::Attribute { value, name, reaching } = self.facts.expr(expr) else {
            return self.value(expr, line, MAX_STEPS);
        };
        if !self.facts.reaching(reaching).is_empty() {
            return Value::Unknown;
        }
        let owner = self.value(value, line, MAX_STEPS);
        let name = self.facts.name(name);
        let found = self.known.member(&owner, name);
        if found == NameLookup::Missing {
            self.report(line, owner.kind_of_members(), name, &owner);
        }
        found.value()
    }

    /// The value of an expression in a line of the facts.
    fn value(&self, expr: ExprId, line: u32, steps: usize) -> Value {
        let Some(_level) = nesting::descend() else { return Value::Unknown };
        let Some(steps) = steps.checked_sub(1) else { return Value::Unknown };
        match self.facts.expr(expr) {
            Expr::Name { name, scope, reaching } => self.name(name, scope, reaching, line, steps),
            Expr::Attribute { value, name, reaching } if self.facts.reaching(reaching).is_empty() => {
                self.known.member(&self.value(value, line, steps), self.facts.name(name)).value()
            }
            Expr::Call(call) => self.known.result(&self.value(self.facts.calls[call.index()].callee, line, steps)),
            Expr::Await(inner) => self.value(inner, line, steps).awaited(),
            // Each side may branch again, so the steps are shared out.
            Expr::Conditional(left, right) => {
                Value::one_of([left, right].map(|side| self.value(side, line, steps / 2)))
            }
            _ => Value::Unknown,
        }
    }

    /// The value of a name: the value of one of the bindings that reach the name. If the bindings stand in other
    /// blocks, the value of any binding of the name in the blocks before.
    fn name(&self, name: NameId, scope: ScopeId, reaching: ReachingBindings, line: u32, steps: usize) -> Value {
        let reaching = self.facts.reaching(reaching);
        let mut bindings = if reaching.is_empty() { self.outer_bindings(name, scope) } else { reaching };
        let before = self.bindings_before(name, bindings, line);
        if !before.is_empty() {
            bindings = &before;
        }
        let Some((first, others)) = bindings.split_first().filter(|(_, others)| others.len() < MAX_BINDINGS) else {
            if !bindings.is_empty() {
                return Value::Unknown;
            }
            let has_star = self.facts.bindings.iter().any(|b| matches!(b.kind, BindingKind::ImportStar { .. }));
            let only = self.known.only_public(self.facts.name(name), Language::Python).filter(|_| !has_star);
            return only.map_or(Value::Unknown, |id| Value::Definition(id, None));
        };
        // Each binding may have several others, so the steps are shared out.
        let steps = if others.is_empty() { steps } else { steps / (others.len() + 1) };
        Value::one_of([first].into_iter().chain(others).map(|binding| self.binding(*binding, steps)))
    }

    /// The bindings of a name of the module in the blocks before a line, if `found` are such bindings. Empty if the
    /// block of the line binds the name.
    fn bindings_before(&self, name: NameId, found: &[BindingId], line: u32) -> Vec<BindingId> {
        let binding = |id: &BindingId| &self.facts.bindings[id.index()];
        let block = self.block_of(line);
        let is_before = |id: &BindingId| binding(id).line > 0 && self.block_of(binding(id).line) < block;
        let is_of_module = |id: &BindingId| self.facts.scopes[binding(id).scope.index()].parent.is_none();
        let Some(first) = found.first().filter(|_| found.iter().all(|id| is_before(id) && is_of_module(id))) else {
            return Vec::new();
        };
        self.facts.bindings_of(binding(first).scope, name).iter().copied().filter(is_before).collect()
    }

    /// The bindings of a name in the nearest scope that has any. Names of classes are not visible in their functions.
    fn outer_bindings(&self, name: NameId, scope: ScopeId) -> &[BindingId] {
        let mut scopes = std::iter::successors(Some(scope), |&scope| self.facts.scopes[scope.index()].parent);
        let is_visible = |&at: &ScopeId| at == scope || self.facts.scopes[at.index()].kind != ScopeKind::Class;
        let bindings = scopes.by_ref().filter(is_visible).map(|scope| self.facts.bindings_of(scope, name));
        bindings.into_iter().find(|bindings| !bindings.is_empty()).unwrap_or_default()
    }

    fn binding(&self, binding: BindingId, steps: usize) -> Value {
        let Some(steps) = (steps / 2).checked_sub(1) else { return Value::Unknown };
        let line = self.facts.bindings[binding.index()].line;
        match &self.facts.bindings[binding.index()].kind {
            BindingKind::Import { module, whole } => {
                let module = self.facts.name(*module);
                let bound = if *whole { module } else { module.split('.').next().unwrap_or_default() };
                self.known.module(bound, Language::Python).map_or(Value::Unknown, Value::Module)
            }
            BindingKind::ImportFrom { module, level: 0, name } => {
                match self.known.module(self.facts.name(*module), Language::Python) {
                    Some(module) => self.known.module_member(module, self.facts.name(*name)).value(),
                    None => Value::Unknown,
                }
            }
            BindingKind::Parameter(function, position) => {
                let function = self.facts.def(*function).function();
                let parameter = function.and_then(|function| function.parameters.get(*position as usize));
                let annotation = parameter.filter(|p| !p.kind.is_variadic()).and_then(|p| p.annotation.as_ref());
                annotation.map_or(Value::Unknown, |(expr, _)| self.annotated(*expr, line, steps))
            }
            BindingKind::Assign { value: Some(value), annotation: None, unpack, extraction } if unpack.is_none() => {
                let value = self.value(*value, line, steps);
                match extraction {
                    Extraction::Value => value,
                    Extraction::Enter => self.known.entered(&value, "__enter__", false),
                    Extraction::AsyncEnter => self.known.entered(&value, "__aenter__", true),
                    _ => Value::Unknown,
                }
            }
            _ => Value::Unknown,
        }
    }

    /// The object of an annotation: `A`, `A | B`, `Optional[A]`, `Union[A, B]`. `None` is left out.
    fn annotated(&self, annotation: ExprId, line: u32, steps: usize) -> Value {
        let Some(_level) = nesting::descend() else { return Value::Unknown };
        let Some(steps) = steps.checked_sub(1) else { return Value::Unknown };
        let mut parts = Vec::new();
        match self.facts.expr(annotation) {
            Expr::Binary { operator: BinaryOperator::Or, left, right } => parts.extend([left, right]),
            Expr::Subscript { value, index, .. } => match (self.last_name(value), self.facts.expr(index)) {
                (Some("Union"), Expr::Tuple(types)) => parts.extend(self.facts.list(types)),
                (Some("Optional" | "Union"), _) => parts.push(index),
                _ => return Value::Unknown,
            },
            _ => return self.object_of(&self.value(annotation, line, steps)),
        }
        let parts = parts.into_iter().filter(|part| !matches!(self.facts.expr(*part), Expr::None));
        Value::one_of(parts.map(|part| self.annotated(part, line, steps)))
    }

    /// The last part of a dotted name.
    fn last_name(&self, expr: ExprId) -> Option<&str> {
        match self.facts.expr(expr) {
            Expr::Name { name, .. } | Expr::Attribute { name, .. } => Some(self.facts.name(name)),
            _ => None,
        }
    }

    /// An object of an annotated class.
    fn object_of(&self, class: &Value) -> Value {
        match class {
            Value::Definition(id, _) if self.known.index.definition(*id).kind == DefinitionKind::Class => {
                Value::Instance(Instance { class: *id, is_exact: false })
            }
            _ => Value::Unknown,
        }
    }
}
