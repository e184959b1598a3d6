//! The constants of modules that code uses: instances that a module offers, as in `log = Logger()`, and values that a
//! call made, as in `save = debounce(store)`. They are definitions, and the calls and reads that name them say so.

use compact_str::CompactString;
use rustc_hash::FxHashMap;

use super::{
    keywords::add_keywords,
    linker::Linker,
    names::MODULE,
    program::{ClassId, FileIndex},
    resolve::ResolvedCall,
    signatures::CallableSignature,
    types::Type,
};
use apidisc_facts::{
    program::UnresolvedReason,
    source::Origin,
    syntax::python::facts::{Binding, BindingKind, Expr, ExprId, FileFacts, NameId, ScopeId},
};

/// The functions of the module `typing` that make variables of types, not instances.
const MAKERS_OF_TYPES: [&str; 4] = ["TypeVar", "TypeVarTuple", "ParamSpec", "NewType"];
/// The greatest number of modules through which a constant is imported.
const MAX_IMPORTS: usize = 8;

/// A constant of a module: the file that assigns it, and its name there.
pub(super) type ModuleConstant = (FileIndex, NameId);

/// The constants of modules that become definitions because of their values, and the calls that use them.
#[derive(Default)]
pub(super) struct ModuleConstants {
    /// The public names that modules assign. The flag is true if the value is a call.
    assigned: FxHashMap<ModuleConstant, bool>,
    /// The constants whose value is a call of a name in CamelCase, by which Python names classes.
    made: Vec<ModuleConstant>,
    /// The values of the constants that become definitions.
    pub(super) held: FxHashMap<ModuleConstant, HeldValue>,
    /// Per file, the constant that a call uses, by call site.
    pub(super) calls: Vec<FxHashMap<usize, ModuleConstant>>,
}

/// The value of a constant.
pub(super) enum HeldValue {
    /// An instance of a class of the sources.
    Instance(ClassId),
    /// The result of a call whose definition is known: calls of the constant are calls of that definition.
    Known,
    /// The result of a call, of unknown type: calls of the constant count for it alone. The signature has the keywords
    /// that they pass.
    Unknown(Box<CallableSignature>),
    /// An instance of a class outside of the sources, as in `app = FastAPI()`. Nothing says what its calls call.
    External,
}

impl Linker<'_> {
    /// The constants that become definitions, and the calls that use them.
    pub(super) fn module_constants(&mut self, resolved: &[Vec<ResolvedCall>]) -> ModuleConstants {
        let mut constants = self.instances_of_modules();
        let mut keywords: FxHashMap<ModuleConstant, FxHashMap<CompactString, u32>> = FxHashMap::default();
        for (index, resolved) in resolved.iter().enumerate() {
            let file = FileIndex::new(index);
            let facts = self.program.facts(file);
            let mut used = FxHashMap::default();
            if self.program.files[index].is_installed {
                constants.calls.push(used);
                continue;
            }
            for (at, (site, resolved)) in facts.calls.iter().zip(resolved).enumerate() {
                if let Some(instance) = self.instance_of_receiver(file, site.callee, &constants) {
                    used.insert(at, instance);
                    continue;
                }
                let Some(constant) = self.module_constant(file, site.callee, &constants) else { continue };
                let is_instance = matches!(constants.held.get(&constant), Some(HeldValue::Instance(_)));
                if !resolved.candidates.is_empty() && (is_instance || constants.assigned[&constant]) {
                    constants.held.entry(constant).or_insert(HeldValue::Known);
                    used.insert(at, constant);
                } else if resolved.candidates.is_empty() && !is_instance && constants.assigned[&constant] {
                    let is_value =
                        matches!(resolved.unresolved_reason, UnresolvedReason::External | UnresolvedReason::Dynamic);
                    if !is_value {
                        continue;
                    }
                    let passed = keywords.entry(constant).or_default();
                    for keyword in site.arguments.iter().filter_map(|argument| argument.keyword) {
                        *passed.entry(CompactString::new(facts.name(keyword))).or_default() += 1;
                    }
                    used.insert(at, constant);
                }
            }
            constants.calls.push(used);
        }
        for (constant, keywords) in keywords {
            constants.held.entry(constant).or_insert_with(|| {
                let mut callable = CallableSignature::unknown_function();
                if let Some(signature) = callable.signature.as_mut().filter(|_| !keywords.is_empty()) {
                    add_keywords(signature, keywords);
                }
                HeldValue::Unknown(Box::new(callable))
            });
        }
        for constant in std::mem::take(&mut constants.made) {
            constants.held.entry(constant).or_insert(HeldValue::External);
        }
        constants
    }

    /// The constants whose values are instances of classes of the sources.
    fn instances_of_modules(&mut self) -> ModuleConstants {
        let mut constants = ModuleConstants::default();
        for index in 0..self.program.files.len() {
            let file = FileIndex::new(index);
            let facts = self.program.facts(file);
            let of_file = &self.program.files[index];
            // The variables of examples and tests are offered to nobody.
            if of_file.content.is_quoted() || of_file.is_installed || of_file.origin != Origin::Src {
                continue;
            }
            for field in &facts.constants {
                let value = field.value.as_ref().map(|(value, _)| facts.expr(*value));
                let is_call = matches!(value, Some(Expr::Call(_) | Expr::Await(_)));
                *constants.assigned.entry((file, field.name)).or_default() |= is_call;
                if value.is_some_and(|value| is_made_by_class(facts, &value)) {
                    constants.made.push((file, field.name));
                }
            }
            for field in &facts.constants {
                let constant = (file, field.name);
                let Some(&binding) = facts.bindings_of(ScopeId::new(MODULE), field.name).last() else { continue };
                if constants.held.contains_key(&constant) {
                    continue;
                }
                self.begin_query();
                let ty = self.binding_type(file, binding);
                if let (&Type::Instance(class, _), false) = (self.types.get(ty), self.is_exhausted()) {
                    constants.held.insert(constant, HeldValue::Instance(class));
                }
            }
        }
        constants
    }

    /// The constant that is the receiver of a callee or read attribute, if it holds an instance.
    pub(super) fn instance_of_receiver(
        &mut self,
        file: FileIndex,
        attribute: ExprId,
        constants: &ModuleConstants,
    ) -> Option<ModuleConstant> {
        let Expr::Attribute { value, .. } = self.program.facts(file).expr(attribute) else { return None };
        let constant = self.module_constant(file, value, constants)?;
        matches!(constants.held.get(&constant), Some(HeldValue::Instance(_))).then_some(constant)
    }

    /// The constant that a name, or an attribute of a module, reads. Imports are followed.
    fn module_constant(
        &mut self,
        file: FileIndex,
        expr: ExprId,
        constants: &ModuleConstants,
    ) -> Option<ModuleConstant> {
        let facts = self.program.facts(file);
        let mut expr = expr;
        while let Some(BindingKind::Narrow { before, .. }) = first_binding(facts, expr).map(|binding| &binding.kind) {
            expr = *before;
        }
        let mut next = match facts.expr(expr) {
            Expr::Name { name, scope, reaching } if facts.reaching(reaching).is_empty() => {
                let (owner, _) = facts.scopes_binding(scope, name).next()?;
                (owner.index() == MODULE).then_some((file, name))
            }
            Expr::Name { name, .. } => {
                let binding = first_binding(facts, expr)?;
                match binding.kind {
                    BindingKind::ImportFrom { level, module, name } => self.name_of_import(file, level, module, name),
                    _ => (binding.scope.index() == MODULE).then_some((file, name)),
                }
            }
            Expr::Attribute { value, name, .. } => {
                if !matches!(facts.expr(value), Expr::Name { .. } | Expr::Attribute { .. }) {
                    return None;
                }
                self.begin_query();
                let receiver = self.expr_type(file, value);
                let Type::Module(node) = *self.types.get(receiver) else { return None };
                self.name_in_module(node, self.program.global_name(file, name))
            }
            _ => None,
        };
        for _ in 0..MAX_IMPORTS {
            let (file, name) = next?;
            if constants.assigned.contains_key(&(file, name)) {
                return next;
            }
            let facts = self.program.facts(file);
            let &[binding] = facts.bindings_of(ScopeId::new(MODULE), name) else { return None };
            let BindingKind::ImportFrom { level, module, name } = facts.bindings[binding.index()].kind else {
                return None;
            };
            next = self.name_of_import(file, level, module, name);
        }
        None
    }

    /// The module of the sources and the name in it that `from module import name` imports.
    pub(super) fn name_of_import(
        &self,
        file: FileIndex,
        level: u32,
        module: NameId,
        name: NameId,
    ) -> Option<ModuleConstant> {
        let node = self.imported_module(file, level, module)?;
        self.name_in_module(node, self.program.global_name(file, name))
    }
}

/// True for a call of a name in CamelCase, as classes have.
fn is_made_by_class(facts: &FileFacts, value: &Expr) -> bool {
    let Expr::Call(call) = value else { return false };
    let (Expr::Name { name, .. } | Expr::Attribute { name, .. }) = facts.expr(facts.calls[call.index()].callee) else {
        return false;
    };
    let name = facts.name(name);
    name.starts_with(char::is_uppercase) && name.contains(char::is_lowercase) && !MAKERS_OF_TYPES.contains(&name)
}

/// The first binding that reaches the read of a name.
fn first_binding(facts: &FileFacts, expr: ExprId) -> Option<&Binding> {
    let Expr::Name { reaching, .. } = facts.expr(expr) else { return None };
    facts.reaching(reaching).first().map(|binding| &facts.bindings[binding.index()])
}
