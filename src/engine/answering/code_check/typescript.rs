//! TypeScript and JavaScript code: its mistakes.

use rustc_hash::FxHashMap;

use super::{
    Mistake, MistakeKind,
    blocks::BlockStarts,
    calls::CallArguments,
    checked_index::CheckedIndex,
    value::{NameLookup, Value},
};
use apidisc_base::{language::Language, nesting};
use apidisc_facts::syntax::typescript::facts::{
    CallExprId, CallExprKind, Decl, Expr, ExprId, FileFacts, ImportKind, NameId, PatternStep, ReadPlace, SymbolId,
    ValueSource,
};

/// The greatest number of expressions and variables that the value of an expression is followed through.
const MAX_STEPS: usize = 40;
/// The greatest number of blocks that may bind a name whose value is followed.
const MAX_BLOCKS: usize = 8;

/// The mistakes in the code. Lines are those of the text.
pub(super) fn mistakes(known: &CheckedIndex<'_>, facts: &FileFacts, blocks: &BlockStarts) -> Vec<Mistake> {
    let mut code = TypeScriptChecker { known, facts, blocks, names: names_of_blocks(facts), found: Vec::new() };
    for import in &facts.imports {
        let ImportKind::Named(name) = import.kind else { continue };
        let name = facts.name(name);
        let Some(module) = known.module(facts.name(import.specifier), Language::TypeScript) else { continue };
        if name != "default" && known.module_member(module, name) == NameLookup::Missing {
            code.report(import.line, MistakeKind::Name, name, &Value::Module(module));
        }
    }
    for call in &facts.calls {
        let callee = code.check_property(call.callee, call.line);
        if !matches!(call.kind, CallExprKind::Call | CallExprKind::New) || call.arguments.iter().any(|a| a.is_spread) {
            continue;
        }
        for (position, argument) in call.arguments.iter().enumerate() {
            for key in argument.keys.iter().flatten() {
                let name = facts.name(key.name);
                let is_hidden = matches!(name, "..." | "[]");
                if !is_hidden && known.property(&callee, position, name) == NameLookup::Missing {
                    code.report(call.line, MistakeKind::Parameter, name, &callee);
                }
            }
        }
        let passed = CallArguments { positional: call.arguments.len(), keywords: Vec::new(), has_more: false };
        if let Some((kind, name)) = known.argument_mistake(&callee, &passed).filter(|_| !call.syntax.expects_error) {
            code.report(call.line, kind, &name, &callee);
        }
    }
    for read in &facts.reads {
        if let ReadPlace::Access(expr) = read.place {
            code.check_property(expr, read.line);
        }
    }
    code.found
}

/// The symbols by name that stand outside of functions and classes.
fn names_of_blocks(facts: &FileFacts) -> FxHashMap<NameId, Vec<SymbolId>> {
    let mut names: FxHashMap<NameId, Vec<SymbolId>> = FxHashMap::default();
    for (name, symbol) in facts.scopes.iter().filter(|scope| scope.def.is_none()).flat_map(|scope| &scope.symbols) {
        names.entry(*name).or_default().push(*symbol);
    }
    names
}

struct TypeScriptChecker<'c> {
    known: &'c CheckedIndex<'c>,
    facts: &'c FileFacts,
    blocks: &'c BlockStarts,
    /// See [`names_of_blocks`].
    names: FxHashMap<NameId, Vec<SymbolId>>,
    found: Vec<Mistake>,
}

impl TypeScriptChecker<'_> {
    fn report(&mut self, line: u32, kind: MistakeKind, name: &str, owner: &Value) {
        self.found.extend(self.known.mistake(line, kind, name, owner));
    }

    /// The value of an expression. Reports it if it reads a property that the sources do not have.
    fn check_property(&mut self, expr: ExprId, line: u32) -> Value {
        let Expr::Property { object, name, .. } = self.facts.expr(expr) else {
            return self.value(expr, line, MAX_STEPS);
        };
        let owner = self.value(object, line, MAX_STEPS);
        let name = self.facts.name(name);
        let found = self.known.member(&owner, name);
        if found == NameLookup::Missing {
            self.report(line, owner.kind_of_members(), name, &owner);
        }
        found.value()
    }

    /// The value of an expression in a line.
    fn value(&self, expr: ExprId, line: u32, steps: usize) -> Value {
        let Some(_level) = nesting::descend() else { return Value::Unknown };
        let Some(steps) = steps.checked_sub(1) else { return Value::Unknown };
        match self.facts.expr(expr) {
            Expr::Name { symbol: Some(symbol), .. } => self.name(symbol, line, steps),
            Expr::Name { name, symbol: None } => {
                let only = self.known.only_public(self.facts.name(name), Language::TypeScript);
                only.map_or(Value::Unknown, |id| Value::Definition(id, None))
            }
            Expr::Property { object, name, .. } => self.member(&self.value(object, line, steps), name),
            Expr::Call(call) => self.call(call, line, steps),
            Expr::NonNull(inner) => self.value(inner, line, steps),
            Expr::Await(inner) => self.value(inner, line, steps).awaited(),
            // Each side may branch again, so the steps are shared out.
            Expr::Either(left, right) => Value::one_of([left, right].map(|side| self.value(side, line, steps / 2))),
            _ => Value::Unknown,
        }
    }

    fn member(&self, object: &Value, name: NameId) -> Value {
        self.known.member(object, self.facts.name(name)).value()
    }

    fn call(&self, call: CallExprId, line: u32, steps: usize) -> Value {
        let call = self.facts.site(call);
        match call.kind {
            CallExprKind::Call | CallExprKind::New => self.known.result(&self.value(call.callee, line, steps)),
            _ => Value::Unknown,
        }
    }

    /// The value of a name that a line reads. If another block binds it, the value of any block before the line that
    /// binds the name.
    fn name(&self, symbol: SymbolId, line: u32, steps: usize) -> Value {
        let own = self.facts.symbol(symbol);
        let block = self.blocks.block_of(line);
        let block_of = |symbol: SymbolId| self.line_of(symbol).map(|line| self.blocks.block_of(line));
        let is_of_block = self.facts.scopes[own.scope.index()].def.is_none();
        let namesakes = self.names.get(&own.name).map_or(&[][..], Vec::as_slice);
        if !is_of_block || namesakes.len() < 2 || block_of(symbol) == Some(block) {
            return self.symbol(symbol, steps);
        }
        let before = namesakes.iter().filter(|other| block_of(**other).is_none_or(|other| other < block));
        let before: Vec<SymbolId> = before.copied().collect();
        if before.len() > MAX_BLOCKS {
            return Value::Unknown;
        }
        // Each value may have several blocks again, so the steps are shared out.
        let steps = steps / before.len().max(1);
        Value::one_of(before.into_iter().map(|other| self.symbol(other, steps)))
    }

    /// The line of a name that is imported or a variable.
    fn line_of(&self, symbol: SymbolId) -> Option<u32> {
        match self.facts.symbol(symbol).decls.first()? {
            Decl::Import(import) => Some(self.facts.imports[import.index()].line),
            Decl::Variable(variable) => Some(self.facts.variables[variable.index()].line),
            _ => None,
        }
    }

    /// The value of a name with one declaration.
    fn symbol(&self, symbol: SymbolId, steps: usize) -> Value {
        match self.facts.symbol(symbol).decls[..] {
            [Decl::Import(import)] => {
                let import = &self.facts.imports[import.index()];
                let module = self.known.module(self.facts.name(import.specifier), Language::TypeScript);
                match (module, import.kind) {
                    (Some(module), ImportKind::Named(name)) => self.member(&Value::Module(module), name),
                    (Some(module), ImportKind::Namespace) => Value::Module(module),
                    _ => Value::Unknown,
                }
            }
            [Decl::Variable(variable)] => {
                let variable = &self.facts.variables[variable.index()];
                let ValueSource::Value(value) = variable.source else { return Value::Unknown };
                if !variable.is_const || variable.annotation.is_some() {
                    return Value::Unknown;
                }
                let value = self.value(value, variable.line, steps);
                match variable.path[..] {
                    [] => value,
                    [PatternStep::Property(name)] => self.member(&value, name),
                    _ => Value::Unknown,
                }
            }
            _ => Value::Unknown,
        }
    }
}
