//! The properties that assignments add to functions, classes and object literals, and to the instances of functions
//! that `new` calls: `f.name = v`, `F.prototype.name = v`, `this.name = v`, `module.exports.name = v`, `list[0] = v`.

use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

use super::properties::FoundProperty;
use crate::typescript::{
    infer::Linker,
    program::{FileIndex, GlobalDef, InternedName, ProgramFacts},
    types::{InternedType, InternedTypes, Substitution, TypeKind},
};
use apidisc_facts::syntax::typescript::facts::{
    Arg, Decl, DefBody, DefId, ExportKind, Expr, ExprId, FileFacts, FunctionKind, SymbolId, ValueSource,
};

/// The greatest number of values of one property that are kept.
const MAX_VALUES: usize = 8;

/// The greatest length of a chain of prototypes and mixins.
const MAX_PROTOTYPES: usize = 16;

/// The values that are assigned to one property, in source order.
type Values = SmallVec<[(FileIndex, ExprId); 1]>;

/// The values that are assigned to the properties of one holder, by the name of the property.
type Properties = FxHashMap<(GlobalDef, InternedName), Values>;

/// The position of an item, `None` if it is computed, and the value that is assigned to it.
pub(super) type AssignedItem = (Option<u16>, ExprId);

/// The properties that the assignments of all files add.
#[derive(Debug, Default)]
pub(in super::super) struct AssignedProperties {
    /// The properties of functions, classes and object literals.
    own: Properties,
    /// The properties of the instances of functions and classes.
    instance: Properties,
    /// The prototypes of functions: `F.prototype = v`.
    prototypes: FxHashMap<GlobalDef, Values>,
    /// The functions whose prototypes functions inherit from: `util.inherits(F, parent)`.
    parents: FxHashMap<GlobalDef, Values>,
    /// The functions that have instances with properties.
    constructors: FxHashSet<GlobalDef>,
    /// The functions and object literals of prototypes, with the function or class whose prototype has them.
    of_prototype: FxHashMap<GlobalDef, GlobalDef>,
    /// The functions that are assigned to properties, with the object: `object.name = function () {}`.
    receivers: FxHashMap<GlobalDef, (FileIndex, ExprId)>,
    /// The objects whose properties `Object.assign(C.prototype, object)` adds to prototypes, the last one first.
    mixins: FxHashMap<GlobalDef, Values>,
    /// The values that are assigned to items of the arrays that a variable names.
    pub(in super::super) items: FxHashMap<(FileIndex, SymbolId), Vec<AssignedItem>>,
    /// The searches for properties in prototypes and mixins that are in progress, outermost first.
    searches: Vec<(GlobalDef, InternedName)>,
    /// The files that assign several values to one property.
    repeating: FxHashSet<FileIndex>,
    /// The assignments `object.name = value` whose object is a variable or parameter, by the name of the property.
    of_variables: FxHashMap<InternedName, SmallVec<[VariableProperty; 1]>>,
}

/// An assignment `object.name = value`: its file, the object and the value.
type VariableProperty = (FileIndex, ExprId, ExprId);

impl AssignedProperties {
    pub(in super::super) fn new(program: &ProgramFacts<'_>) -> Self {
        let mut all = Self::default();
        for i in 0..program.file_count() {
            let file = FileIndex::new(i);
            all.add_properties(program, file);
            all.add_fields(program, file);
            all.add_parents(program, file);
        }
        all
    }

    /// Adds the properties that a file assigns to names, prototypes and exports, and the items of arrays.
    fn add_properties(&mut self, program: &ProgramFacts<'_>, file: FileIndex) {
        let facts = program.facts(file);
        for &(target, value) in &facts.assigned_properties {
            let Expr::Property { object, name, .. } = facts.expr(target) else {
                self.add_item(facts, file, target, value);
                continue;
            };
            let object = without_guards(facts, object);
            if let Expr::Property { object: base, name: prototype, .. } = facts.expr(object)
                && facts.name(prototype) == "prototype"
            {
                let Some(owner) = holder(program, file, base) else { continue };
                add(&mut self.instance, (owner, program.name(file, name)), (file, value));
                self.constructors.insert(owner);
                if let Some(def) = held_definition(facts, value) {
                    self.of_prototype.insert(program.global_def(file, def), owner);
                }
                continue;
            }
            let Some(owner) = holder(program, file, object) else {
                self.add_to_unknown(program, file, target, value);
                continue;
            };
            if facts.name(name) == "prototype" {
                let value = created_from(facts, value).unwrap_or(value);
                self.prototypes.entry(owner).or_default().push((file, value));
                self.constructors.insert(owner);
                if let Some(def) = held_definition(facts, value) {
                    self.of_prototype.insert(program.global_def(file, def), owner);
                }
                continue;
            }
            let count = add(&mut self.own, (owner, program.name(file, name)), (file, value));
            if count > 1 {
                self.repeating.insert(file);
            }
            if let (Expr::Name { symbol: Some(_), .. }, Expr::Function(def)) = (facts.expr(object), facts.expr(value)) {
                self.receivers.insert(program.global_def(file, def), (file, object));
            }
        }
    }

    /// Adds an assignment to a property of a variable or parameter. The type of the variable is inferred later.
    fn add_to_unknown(&mut self, program: &ProgramFacts<'_>, file: FileIndex, target: ExprId, value: ExprId) {
        let facts = program.facts(file);
        if let Expr::Property { object, name, .. } = facts.expr(target)
            && let Expr::Name { symbol: Some(_), .. } = facts.expr(without_guards(facts, object))
        {
            let all = self.of_variables.entry(program.name(file, name)).or_default();
            if all.len() < MAX_VALUES {
                all.push((file, object, value));
            }
        }
    }

    /// Adds the properties that functions of a file assign to `this`.
    fn add_fields(&mut self, program: &ProgramFacts<'_>, file: FileIndex) {
        let facts = program.facts(file);
        for &(target, value) in &facts.assigned_properties {
            let Expr::Property { object, name, .. } = facts.expr(target) else { continue };
            let Expr::This(Some(function)) = facts.expr(without_guards(facts, object)) else { continue };
            let (function, name) = (program.global_def(file, function), program.name(file, name));
            let object = program.outer(function).filter(|outer| matches!(program.def(*outer).body, DefBody::Object(_)));
            let of_prototype =
                self.of_prototype.get(&function).or_else(|| object.and_then(|object| self.of_prototype.get(&object)));
            if let Some(&owner) = of_prototype {
                add(&mut self.instance, (owner, name), (file, value));
            } else if let Some(&(_, receiver)) = self.receivers.get(&function) {
                if let Some(owner) = holder(program, file, receiver) {
                    add(&mut self.own, (owner, name), (file, value));
                }
            } else if let Some(object) = object {
                add(&mut self.own, (object, name), (file, value));
            } else if is_constructible(program, function) {
                add(&mut self.instance, (function, name), (file, value));
                self.constructors.insert(function);
            }
        }
    }

    /// Adds the parents of functions that a file states by `util.inherits(F, parent)`, and the mixins of prototypes.
    fn add_parents(&mut self, program: &ProgramFacts<'_>, file: FileIndex) {
        let facts = program.facts(file);
        if !facts.names.iter().any(|name| name == "inherits" || name == "assign") {
            return;
        }
        for call in &facts.calls {
            let (Expr::Name { name, .. } | Expr::Property { name, .. }) = facts.expr(call.callee) else { continue };
            if is_object_method(facts, call.callee, "assign") {
                self.add_mixins(program, file, &call.arguments);
            } else if let [child, parent] = &call.arguments[..]
                && facts.name(name) == "inherits"
                && let Some(owner) = holder(program, file, child.value)
            {
                self.parents.entry(owner).or_default().push((file, parent.value));
                self.constructors.insert(owner);
            }
        }
    }

    /// Adds the object literals that a call of `Object.assign` copies to a prototype. The methods of a class are not
    /// enumerable, so that `Object.assign` does not copy them from its prototype.
    fn add_mixins(&mut self, program: &ProgramFacts<'_>, file: FileIndex, arguments: &[Arg]) {
        let facts = program.facts(file);
        let Some((target, sources)) = arguments.split_first() else { return };
        let Expr::Property { object, name, .. } = facts.expr(target.value) else { return };
        let Some(owner) = holder(program, file, object).filter(|_| facts.name(name) == "prototype") else { return };
        self.constructors.insert(owner);
        for source in sources.iter().rev() {
            let is_prototype = matches!(facts.expr(source.value), Expr::Property { name, .. }
                if facts.name(name) == "prototype");
            if !source.is_spread && !is_prototype {
                self.mixins.entry(owner).or_default().push((file, source.value));
            }
        }
    }

    fn add_item(&mut self, facts: &FileFacts, file: FileIndex, target: ExprId, value: ExprId) {
        let (object, at) = match facts.expr(target) {
            Expr::Item { object, at } => (object, Some(at)),
            Expr::Index { object, .. } => (object, None),
            _ => return,
        };
        if let Expr::Name { symbol: Some(symbol), .. } = facts.expr(without_guards(facts, object)) {
            self.items.entry((file, symbol)).or_default().push((at, value));
        }
    }
}

/// Whether a callee is `Object.name`.
fn is_object_method(facts: &FileFacts, callee: ExprId, method: &str) -> bool {
    let Expr::Property { object, name, .. } = facts.expr(callee) else { return false };
    facts.name(name) == method
        && matches!(facts.expr(object), Expr::Name { name, symbol: None } if facts.name(name) == "Object")
}

/// Adds a value of a property. Returns the number of its values.
fn add(properties: &mut Properties, key: (GlobalDef, InternedName), value: (FileIndex, ExprId)) -> usize {
    let values = properties.entry(key).or_default();
    if values.len() < MAX_VALUES {
        values.push(value);
    }
    values.len()
}

fn without_guards(facts: &FileFacts, expr: ExprId) -> ExprId {
    let mut expr = expr;
    while let Expr::Narrowed(inner, _) | Expr::NonNull(inner) = facts.expr(expr) {
        expr = inner;
    }
    expr
}

/// The function, class or object literal that an expression is.
fn held_definition(facts: &FileFacts, value: ExprId) -> Option<DefId> {
    match facts.expr(value) {
        Expr::Function(def) | Expr::Object(def) | Expr::Class(def) => Some(def),
        _ => None,
    }
}

/// The argument of `Object.create(prototype)`.
fn created_from(facts: &FileFacts, value: ExprId) -> Option<ExprId> {
    let Expr::Call(site) = facts.expr(value) else { return None };
    let call = facts.site(site);
    let is_create = is_object_method(facts, call.callee, "create");
    call.arguments.first().filter(|_| is_create).map(|argument| argument.value)
}

/// Whether a name of the platform is `exports` or `module.exports` of `CommonJS`.
pub(in super::super) fn is_exports(facts: &FileFacts, expr: ExprId) -> bool {
    let is_global =
        |expr, text| matches!(facts.expr(expr), Expr::Name { name, symbol: None } if facts.name(name) == text);
    match facts.expr(expr) {
        Expr::Property { object, name, .. } => facts.name(name) == "exports" && is_global(object, "module"),
        _ => is_global(expr, "exports"),
    }
}

/// The function, class or object literal of the file that an expression names.
fn holder(program: &ProgramFacts<'_>, file: FileIndex, object: ExprId) -> Option<GlobalDef> {
    let facts = program.facts(file);
    let local = match facts.expr(without_guards(facts, object)) {
        Expr::Name { symbol: Some(symbol), .. } => declared_holder(facts, symbol),
        _ if is_exports(facts, object) => {
            let value = facts.exports.iter().find_map(|export| match export.kind {
                ExportKind::Assign(value) => Some(value),
                _ => None,
            })?;
            match facts.expr(value) {
                Expr::Name { symbol: Some(symbol), .. } => declared_holder(facts, symbol),
                _ => held_definition(facts, value),
            }
        }
        _ => None,
    }?;
    Some(program.global_def(file, local))
}

fn declared_holder(facts: &FileFacts, symbol: SymbolId) -> Option<DefId> {
    facts.symbol(symbol).decls.iter().find_map(|decl| match *decl {
        Decl::Def(def) => {
            Some(def).filter(|def| matches!(facts.def(*def).body, DefBody::Function(_) | DefBody::Class(_)))
        }
        Decl::Variable(variable) => {
            let variable = &facts.variables[variable.index()];
            match variable.source {
                ValueSource::Value(value) if variable.path.is_empty() => held_definition(facts, value),
                _ => None,
            }
        }
        _ => None,
    })
}

/// Whether `new` may call a function: a function that is neither an arrow function nor a method.
fn is_constructible(program: &ProgramFacts<'_>, def: GlobalDef) -> bool {
    let kind = program.function(def).map(|function| function.kind);
    let is_function = matches!(kind, Some(FunctionKind::Declaration | FunctionKind::Expression));
    let in_class = program.outer(def).is_some_and(|outer| matches!(program.def(outer).body, DefBody::Class(_)));
    is_function && !in_class
}

impl Linker<'_> {
    /// The type of the property `name` that assignments add to a function, class or object literal.
    pub(super) fn assigned_property(&mut self, def: GlobalDef, name: InternedName) -> Option<InternedType> {
        if let Some(values) = self.assigned.own.get(&(def, name)).cloned() {
            return Some(self.union_of_values(values));
        }
        (name == self.well_known.prototype).then(|| self.instance_of_function(def)).flatten()
    }

    /// The type of `object.name`, if the file assigns several values to the property: that of the last one above the
    /// read.
    pub(in super::super) fn reassigned_property(
        &mut self,
        file: FileIndex,
        object: ExprId,
        name: InternedName,
    ) -> Option<InternedType> {
        if !self.assigned.repeating.contains(&file) {
            return None;
        }
        let owner = holder(&self.program, file, object)?;
        let values = self.assigned.own.get(&(owner, name)).filter(|values| values.len() > 1)?;
        let &(_, value) = values.iter().rev().find(|(of, value)| *of == file && *value < object)?;
        Some(self.expr_type(file, value))
    }

    /// The types of the values that assignments `object.name = value` give the property `name` of instances of a class,
    /// where `object` is a variable or parameter.
    pub(super) fn assigned_to_instances(&mut self, class: GlobalDef, name: InternedName) -> InternedTypes {
        let mut types = InternedTypes::new();
        for (file, object, value) in self.assigned.of_variables.get(&name).cloned().unwrap_or_default() {
            let receiver = self.expr_type(file, object);
            let is_instance = match *self.types.kind(receiver) {
                TypeKind::Reference(symbol, _) => self.program.definitions(symbol).contains(&class),
                _ => false,
            };
            if is_instance {
                types.push(self.expr_type(file, value));
            }
        }
        types
    }

    /// The property `name` that a mixin adds to the prototype of a function or class.
    pub(super) fn mixed_in_property(&mut self, def: GlobalDef, name: InternedName) -> Option<FoundProperty> {
        if self.assigned.mixins.is_empty() {
            return None;
        }
        let mixins = self.assigned.mixins.get(&def)?.clone();
        let search = |linker: &mut Self| {
            mixins.into_iter().find_map(|(file, mixin)| {
                let ty = linker.expr_type(file, mixin);
                let is_object = matches!(*linker.types.kind(ty), TypeKind::Anonymous(def, _)
                    if matches!(linker.program.def(def).body, DefBody::Object(_)));
                linker.find_property(ty, name).filter(|found| is_object && found.ty.is_known())
            })
        };
        self.search_once(def, name, search)
    }

    /// Searches the prototypes or mixins of `def` for the property `name`. `None` if the same search is in progress
    /// already, as for prototypes that are assigned to each other, or if too many searches are in progress.
    fn search_once<T>(
        &mut self,
        def: GlobalDef,
        name: InternedName,
        search: impl FnOnce(&mut Self) -> Option<T>,
    ) -> Option<T> {
        let searches = &mut self.assigned.searches;
        if searches.len() >= MAX_PROTOTYPES || searches.contains(&(def, name)) {
            return None;
        }
        searches.push((def, name));
        let found = search(self);
        self.assigned.searches.pop();
        found
    }

    /// The type of an instance of a function that is written for `new`.
    pub(in super::super) fn instance_of_function(&mut self, def: GlobalDef) -> Option<InternedType> {
        let is_function = self.program.function(def).is_some() && self.assigned.constructors.contains(&def);
        is_function.then(|| self.types.intern(TypeKind::Anonymous(def, Substitution::EMPTY)))
    }

    /// The type of `this` in a function that assignments make a method; `None` for any other function.
    pub(in super::super) fn assigned_this(&mut self, def: GlobalDef) -> Option<InternedType> {
        let object = self.program.outer(def);
        let owner = self.assigned.of_prototype.get(&def);
        let owner = owner.or_else(|| object.and_then(|object| self.assigned.of_prototype.get(&object)));
        if let Some(&owner) = owner {
            return Some(match self.program.def(owner).body {
                DefBody::Class(_) => self.this_type(owner),
                _ => self.types.intern(TypeKind::Anonymous(owner, Substitution::EMPTY)),
            });
        }
        if let Some(&(file, receiver)) = self.assigned.receivers.get(&def) {
            return Some(self.expr_type(file, receiver));
        }
        self.instance_of_function(def)
    }

    /// The type of the property `name` of the instances of a function or class, as assignments and prototypes give it.
    pub(super) fn instance_property(&mut self, def: GlobalDef, name: InternedName) -> Option<InternedType> {
        if let Some(found) = self.mixed_in_property(def, name) {
            return Some(found.ty);
        }
        if let Some(values) = self.assigned.instance.get(&(def, name)).cloned() {
            return Some(self.union_of_values(values));
        }
        if !self.assigned.constructors.contains(&def) {
            return None;
        }
        self.search_once(def, name, |linker| linker.inherited_property(def, name))
    }

    /// The type of the property `name` of the prototypes of a function or class.
    fn inherited_property(&mut self, def: GlobalDef, name: InternedName) -> Option<InternedType> {
        let _level = self.descend()?;
        for (file, value) in self.assigned.prototypes.get(&def).cloned().unwrap_or_default() {
            let prototype = self.expr_type(file, value);
            let found = match *self.types.kind(prototype) {
                TypeKind::Anonymous(parent, _) if self.program.function(parent).is_some() => {
                    (parent != def).then(|| self.instance_property(parent, name)).flatten()
                }
                _ => self.find_property(prototype, name).map(|found| found.ty),
            };
            if found.is_some_and(InternedType::is_known) {
                return found;
            }
        }
        for (file, parent) in self.assigned.parents.get(&def).cloned().unwrap_or_default() {
            let parent = self.expr_type(file, parent);
            let found = match *self.types.kind(parent) {
                TypeKind::Function(parent, _) if parent != def => self.instance_property(parent, name),
                TypeKind::ClassConstructor(..) => {
                    let instance = self.instance_type(parent, &[]);
                    self.find_property(instance, name).map(|found| found.ty)
                }
                TypeKind::External => Some(InternedType::EXTERNAL),
                _ => None,
            };
            if found.is_some() {
                return found;
            }
        }
        None
    }

    fn union_of_values(&mut self, values: Values) -> InternedType {
        let all: InternedTypes = values.into_iter().map(|(file, value)| self.expr_type(file, value)).collect();
        self.types.union(all)
    }
}
