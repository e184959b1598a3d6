//! Resolution of attribute reads to the attributes and properties of the sources.

use rustc_hash::FxHashSet;
use smallvec::SmallVec;

use super::{
    analysis::FieldRef,
    limits::MAX_INHERITED,
    linker::Linker,
    members::{ClassMember, MemberLookup},
    module_constants::{ModuleConstant, ModuleConstants},
    program::{ClassId, FileIndex, GlobalDef, GlobalName},
    types::{Type, TypeId},
};
use apidisc_facts::syntax::python::facts::{CallExpr, DefId, Expr, ExprId};

/// The definition to which the read of an attribute resolves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum AttributeDefinition {
    /// A property: its getter.
    Property(GlobalDef),
    /// An attribute of a class.
    Field(ClassId, GlobalName),
}

/// A read that resolves to one attribute.
#[derive(Clone, Copy, Debug)]
pub(super) struct ResolvedRead {
    pub(super) expr: ExprId,
    pub(super) line: u32,
    pub(super) col: u32,
    pub(super) reader: Option<DefId>,
    pub(super) attribute: AttributeDefinition,
    /// The class of the receiver; `None` if the receiver may be an instance of several classes.
    pub(super) receiver: Option<ClassId>,
    /// The constant of a module that is the receiver.
    pub(super) through: Option<ModuleConstant>,
}

/// The attributes and properties that are definitions.
#[derive(Debug)]
pub(super) struct AttributeTable {
    /// By class and name, the attributes that are no properties.
    fields: FxHashSet<(ClassId, GlobalName)>,
    /// By [`GlobalName`], whether some attribute or property has this name. A read of any other name is skipped before
    /// its receiver is inferred.
    is_name: Vec<bool>,
}

/// Attributes that a read may mean, each with the class of the receiver.
type FoundAttributes = SmallVec<[(AttributeDefinition, Option<ClassId>); 2]>;

impl Linker<'_> {
    /// The table of all attributes in `fields` and of all properties.
    pub(super) fn attribute_table(&self, fields: &[Vec<FieldRef>]) -> AttributeTable {
        let mut table = AttributeTable { fields: FxHashSet::default(), is_name: Vec::new() };
        let mut note = |name: GlobalName| {
            let len = table.is_name.len().max(name.index() + 1);
            table.is_name.resize(len, false);
            table.is_name[name.index()] = true;
        };
        for &field in fields.iter().flatten() {
            if let Some(class) = field.class {
                let name = self.program.global_name(field.file, self.field(field).name);
                note(name);
                table.fields.insert((class, name));
            }
        }
        for def in (0..self.program.def_count()).map(GlobalDef::new) {
            if self.program.is_property(def) && self.program.owner(def).is_some() {
                note(self.program.global_name(self.program.file_of(def), self.def(def).name));
            }
        }
        table
    }

    /// The resolved reads of a file, callees of calls included: `x.run()` reads `run` if it is an attribute.
    pub(super) fn resolve_reads(
        &mut self,
        file: FileIndex,
        table: &AttributeTable,
        constants: &ModuleConstants,
    ) -> Vec<ResolvedRead> {
        let facts = self.program.facts(file);
        let callees = facts.calls.iter().map(|&CallExpr { callee, line, col, caller, .. }| (callee, line, col, caller));
        let reads = facts.reads.iter().map(|read| (read.expr, read.line, read.col, read.reader));
        let mut resolved: Vec<ResolvedRead> = Vec::new();
        for (expr, line, col, reader) in callees.chain(reads) {
            let Expr::Attribute { value, name, .. } = facts.expr(expr) else { continue };
            let name = self.program.global_name(file, name);
            if !table.is_name.get(name.index()).is_some_and(|is_name| *is_name) {
                continue;
            }
            self.begin_query();
            let receiver = self.expr_type(file, value);
            let mut found = FoundAttributes::new();
            self.add_attributes(receiver, name, table, &mut found);
            if let ([(attribute, receiver)], false) = (&found[..], self.is_exhausted()) {
                let (attribute, receiver) = (*attribute, *receiver);
                let through = self.instance_of_receiver(file, expr, constants);
                resolved.push(ResolvedRead { expr, line, col, reader, attribute, receiver, through });
            }
        }
        resolved
    }

    /// Adds the attributes `name` of all parts of a receiver's type to `found`, each once, with the class of the part.
    fn add_attributes(
        &mut self,
        receiver: TypeId,
        name: GlobalName,
        table: &AttributeTable,
        found: &mut FoundAttributes,
    ) {
        let Some(_level) = self.descend() else { return };
        let parts = self.types.parts(receiver);
        for &part in parts.iter() {
            let attribute = match *self.types.get(part) {
                Type::Class(class, _) | Type::Instance(class, _) => {
                    let lookup = self.lookup_member(class, name);
                    self.attribute_of(lookup, name, table).map(|attribute| (attribute, Some(class)))
                }
                Type::Super(class, receiver) => {
                    let lookup = self.lookup_above(class, receiver, name);
                    self.attribute_of(lookup, name, table).map(|attribute| (attribute, None))
                }
                Type::Variable(variable) => {
                    let bound = self.type_variable_bound(variable);
                    if !bound.is_unknown() && !matches!(self.types.get(bound), Type::Variable(_)) {
                        self.add_attributes(bound, name, table, found);
                    }
                    None
                }
                // `cls: type[T]`: the class is the bound of `T`.
                Type::ExternalInstance(path, ref args)
                    if self.program.interner.text(path) == "type" && args.len() == 1 =>
                {
                    let class = self.class_of_instance(args[0]);
                    if matches!(self.types.get(class), Type::Class(..)) {
                        self.add_attributes(class, name, table, found);
                    }
                    None
                }
                _ => None,
            };
            let Some((attribute, receiver)) = attribute else { continue };
            match found.iter_mut().find(|(other, _)| *other == attribute) {
                Some((_, other)) => *other = other.filter(|other| Some(*other) == receiver),
                None => found.push((attribute, receiver)),
            }
        }
    }

    fn attribute_of(
        &mut self,
        lookup: MemberLookup,
        name: GlobalName,
        table: &AttributeTable,
    ) -> Option<AttributeDefinition> {
        match lookup {
            MemberLookup::Found(ClassMember::Property { def, .. }) => Some(AttributeDefinition::Property(def)),
            MemberLookup::Found(ClassMember::Value { owner, .. }) => {
                self.declaring_class(owner, name, table).map(|class| AttributeDefinition::Field(class, name))
            }
            MemberLookup::Found(ClassMember::Function { .. }) | MemberLookup::External | MemberLookup::Missing => None,
        }
    }

    /// The class that declares the attribute `name` of `owner`: `owner` itself, or the nearest base if the methods of
    /// `owner` only assign an inherited attribute.
    fn declaring_class(&mut self, owner: ClassId, name: GlobalName, table: &AttributeTable) -> Option<ClassId> {
        if table.fields.contains(&(owner, name)) {
            return Some(owner);
        }
        let (file, def, _) = self.program.class_facts(owner);
        if !self.program.bindings(file, def.scope, name).is_empty() {
            return None;
        }
        let mro = self.mro(owner);
        let mut bases = self.mro_table.classes(mro).skip(1).take(MAX_INHERITED);
        bases.find(|base| table.fields.contains(&(*base, name)))
    }
}
