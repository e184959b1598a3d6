//! The properties that assignments add to functions, classes and object literals: `f.name = v`,
//! `module.exports.name = v`, `list[0] = v`. The members of the instances that `new` makes of functions are facts of
//! the functions.

use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

use crate::typescript::{
    infer::Linker,
    program::{FileIndex, GlobalDef, InternedName, ProgramFacts},
    types::{InternedType, InternedTypes, Substitution, TypeKind},
};
use apidisc_facts::syntax::typescript::facts::{DefBody, Expr, ExprId, FileFacts, SymbolId};

/// The greatest number of values of one property that are kept.
const MAX_VALUES: usize = 8;

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
    /// The functions that are assigned to properties, with the object: `object.name = function () {}`.
    receivers: FxHashMap<GlobalDef, (FileIndex, ExprId)>,
    /// The values that are assigned to items of the arrays that a variable names.
    pub(in super::super) items: FxHashMap<(FileIndex, SymbolId), Vec<AssignedItem>>,
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
        }
        all
    }

    /// Adds the properties that a file assigns to names and exports, and the items of arrays.
    fn add_properties(&mut self, program: &ProgramFacts<'_>, file: FileIndex) {
        let facts = program.facts(file);
        for &(target, value) in &facts.assigned_properties {
            let Expr::Property { object, name, .. } = facts.expr(target) else {
                self.add_item(facts, file, target, value);
                continue;
            };
            let object = facts.without_guards(object);
            let Some(owner) = holder(program, file, object) else {
                self.add_to_unknown(program, file, target, value);
                continue;
            };
            if facts.name(name) == "prototype" {
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
            && let Expr::Name { symbol: Some(_), .. } = facts.expr(facts.without_guards(object))
        {
            let all = self.of_variables.entry(program.name(file, name)).or_default();
            if all.len() < MAX_VALUES {
                all.push((file, object, value));
            }
        }
    }

    /// Adds the properties that functions of a file assign to `this`, where `this` is an object.
    fn add_fields(&mut self, program: &ProgramFacts<'_>, file: FileIndex) {
        let facts = program.facts(file);
        for &(target, value) in &facts.assigned_properties {
            let Expr::Property { object, name, .. } = facts.expr(target) else { continue };
            let Expr::This(Some(function)) = facts.expr(facts.without_guards(object)) else { continue };
            let (function, name) = (program.global_def(file, function), program.name(file, name));
            let object = program.outer(function).filter(|outer| matches!(program.def(*outer).body, DefBody::Object(_)));
            if let Some(&(_, receiver)) = self.receivers.get(&function) {
                if let Some(owner) = holder(program, file, receiver) {
                    add(&mut self.own, (owner, name), (file, value));
                }
            } else if let Some(object) = object {
                add(&mut self.own, (object, name), (file, value));
            }
        }
    }

    fn add_item(&mut self, facts: &FileFacts, file: FileIndex, target: ExprId, value: ExprId) {
        let (object, at) = match facts.expr(target) {
            Expr::Item { object, at } => (object, Some(at)),
            Expr::Index { object, .. } => (object, None),
            _ => return,
        };
        if let Expr::Name { symbol: Some(symbol), .. } = facts.expr(facts.without_guards(object)) {
            self.items.entry((file, symbol)).or_default().push((at, value));
        }
    }
}

/// Adds a value of a property. Returns the number of its values.
fn add(properties: &mut Properties, key: (GlobalDef, InternedName), value: (FileIndex, ExprId)) -> usize {
    let values = properties.entry(key).or_default();
    if values.len() < MAX_VALUES {
        values.push(value);
    }
    values.len()
}

/// The function, class or object literal of the file that an expression names.
fn holder(program: &ProgramFacts<'_>, file: FileIndex, object: ExprId) -> Option<GlobalDef> {
    program.facts(file).holder(object).map(|def| program.global_def(file, def))
}

impl Linker<'_> {
    /// The type of the property `name` that assignments add to a function, class or object literal.
    pub(super) fn assigned_property(&mut self, def: GlobalDef, name: InternedName) -> Option<InternedType> {
        let values = self.assigned.own.get(&(def, name))?.clone();
        let all: InternedTypes = values.into_iter().map(|(file, value)| self.expr_type(file, value)).collect();
        Some(self.types.union(all))
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
                TypeKind::Anonymous(def, _) => def == class,
                _ => false,
            };
            if is_instance {
                types.push(self.expr_type(file, value));
            }
        }
        types
    }

    /// The type of an instance of a function that is written for `new`.
    pub(in super::super) fn instance_of_function(&mut self, def: GlobalDef) -> Option<InternedType> {
        let is_function = self.program.function(def).is_some_and(|function| function.class.is_some());
        is_function.then(|| self.types.intern(TypeKind::Anonymous(def, Substitution::EMPTY)))
    }

    /// The type of `this` in a function that is written for `new`, or that an assignment makes a method of a function
    /// or object; `None` for any other function.
    pub(in super::super) fn assigned_this(&mut self, def: GlobalDef) -> Option<InternedType> {
        if let Some(&(file, receiver)) = self.assigned.receivers.get(&def) {
            return Some(self.expr_type(file, receiver));
        }
        let owner = self.program.outer(def).filter(|outer| self.program.function(*outer).is_some());
        if let Some(owner) = owner
            && let Some(member) = self.program.member_holding(def)
        {
            let is_static = member.is_static;
            return if is_static {
                Some(self.types.intern(TypeKind::Function(owner, Substitution::EMPTY)))
            } else {
                self.instance_of_function(owner)
            };
        }
        self.instance_of_function(def)
    }
}
