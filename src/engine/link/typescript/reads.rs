//! Resolution of property reads: the field, property, accessor or enum member that a read yields.

use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

use super::{
    call_sites::ResolvedCall,
    callees::Callees,
    infer::Linker,
    program::{FileIndex, GlobalDef, InternedName, ProgramFacts},
    rows::{DefinitionRows, RowDeclaration},
    types::{InternedType, TypeKind},
};
use crate::linked::{DefinitionRow, LinkedDefinition, LinkedRead};
use apidisc_base::sort::SharedSort as _;
use apidisc_facts::{
    program::CallForm,
    syntax::typescript::facts::{
        DefBody, Expr, ExprId, FunctionKind, MemberKind, NameId, PatternStep, PropertyRead, ReadPlace,
    },
};

/// The greatest nesting of unions, intersections and constraints that is searched for a property.
const MAX_DEPTH: u32 = 8;

/// The attributes that a read may yield.
type Attributes = SmallVec<[DefinitionRow; 2]>;

/// Resolves the reads of a program.
pub(super) struct ReadResolver<'l, 'f> {
    linker: &'l mut Linker<'f>,
    rows: &'l DefinitionRows,
    definitions: &'l [LinkedDefinition],
    /// The names of all attributes. The receiver of another name is not inferred.
    names: FxHashSet<InternedName>,
    /// The attributes that reads yield, by the type of the receiver and the name; `None` if it is not exactly one.
    attributes: FxHashMap<(InternedType, InternedName), Option<DefinitionRow>>,
}

impl<'l, 'f> ReadResolver<'l, 'f> {
    pub(super) fn new(
        linker: &'l mut Linker<'f>,
        rows: &'l DefinitionRows,
        definitions: &'l [LinkedDefinition],
        names: FxHashSet<InternedName>,
    ) -> Self {
        Self { linker, rows, definitions, names, attributes: FxHashMap::default() }
    }

    pub(super) fn linker(&mut self) -> &mut Linker<'f> {
        self.linker
    }

    /// The reads of a file that yield exactly one attribute of the sources, sorted by line and column. In `x.run()` the
    /// expression `x.run` counts as a read only if the call resolves to no definition.
    pub(super) fn linked_reads(&mut self, file: FileIndex, calls: &[ResolvedCall]) -> Vec<LinkedRead> {
        let facts = self.linker.program.facts(file);
        let called: FxHashSet<ExprId> = (facts.calls.iter().zip(calls))
            .filter(|(_, resolved)| {
                let counts = |row: DefinitionRow| self.definitions[row.index()].modifiers.is_constant;
                !resolved.candidates.is_empty()
                    || resolved.value.and_then(|value| self.rows.of_value(value)).is_some_and(counts)
            })
            .map(|(site, _)| self.linker.program.without_guards_and_assertions(file, site.callee))
            .collect();
        let mut reads = Vec::new();
        for read in &facts.reads {
            let Some(name) = self.read_name(file, read) else { continue };
            let is_called = matches!(read.place, ReadPlace::Access(expr) if called.contains(&expr));
            if is_called || !self.names.contains(&self.linker.program.name(file, name)) {
                continue;
            }
            if let Some((attribute, class)) = self.read_attribute(file, read, self.linker.program.name(file, name)) {
                let reader = read
                    .reader
                    .and_then(|def| self.rows.caller(&self.linker.program, self.linker.program.global_def(file, def)));
                let form = self.read_form(file, read.place);
                let declaring = self.definitions[attribute.index()].parent;
                let receiver = class.and_then(|class| self.rows.of_def.get(&class).copied());
                let receiver = receiver.filter(|receiver| declaring.is_some_and(|declaring| declaring != *receiver));
                let (line, col) = (read.line, read.col);
                reads.push(LinkedRead { line, col, reader, attribute, receiver, through: None, form });
            }
        }
        reads.shared_sort_by_key(|read| (read.line, read.col));
        reads
    }

    /// The name of the property that is read.
    fn read_name(&self, file: FileIndex, read: &PropertyRead) -> Option<NameId> {
        let facts = self.linker.program.facts(file);
        match read.place {
            ReadPlace::Access(expr) => match facts.expr(expr) {
                Expr::Property { name, .. } => Some(name),
                _ => None,
            },
            ReadPlace::Pattern(variable, step) => match facts.variables[variable.index()].path.get(usize::from(step)) {
                Some(PatternStep::Property(name)) => Some(*name),
                _ => None,
            },
        }
    }

    /// The attribute that a read yields, with the class or interface of the receiver; `None` if the attribute is
    /// unknown, or one of several.
    fn read_attribute(
        &mut self,
        file: FileIndex,
        read: &PropertyRead,
        name: InternedName,
    ) -> Option<(DefinitionRow, Option<GlobalDef>)> {
        self.linker.budget.begin_query();
        let receiver = match read.place {
            ReadPlace::Access(expr) => match self.linker.program.facts(file).expr(expr) {
                Expr::Property { object, .. } => self.linker.receiver_type(file, object),
                _ => return None,
            },
            ReadPlace::Pattern(variable, step) => self.linker.destructured_type(file, variable, step),
        };
        if let Some(&found) = self.attributes.get(&(receiver, name)) {
            return Some((found?, Callees::of(self.linker).class_of_type(receiver)));
        }
        let mut attributes = Attributes::new();
        self.search_attributes(receiver, name, &mut attributes, 0);
        if self.linker.budget.is_exhausted() {
            return None;
        }
        let found = match attributes[..] {
            [attribute] => Some(attribute),
            _ => None,
        };
        self.attributes.insert((receiver, name), found);
        Some((found?, Callees::of(self.linker).class_of_type(receiver)))
    }

    /// Adds the attributes that `name` may yield on a receiver: one for each alternative of a union. In an intersection
    /// the first constituent that declares the attribute counts.
    fn search_attributes(&mut self, receiver: InternedType, name: InternedName, found: &mut Attributes, depth: u32) {
        let Some(_level) = self.linker.descend() else { return };
        if depth > MAX_DEPTH {
            return;
        }
        let attribute = match self.linker.types.kind(receiver).clone() {
            TypeKind::Union(constituents) => {
                for constituent in constituents {
                    self.search_attributes(constituent, name, found, depth + 1);
                }
                None
            }
            TypeKind::Intersection(constituents) => {
                let mut own = Attributes::new();
                for constituent in constituents {
                    self.search_attributes(constituent, name, &mut own, depth + 1);
                    if !own.is_empty() {
                        break;
                    }
                }
                own.into_iter().for_each(|attribute| add(found, attribute));
                None
            }
            TypeKind::TypeParameter(_) | TypeKind::IndexedAccess(..) => {
                if let Some(constraint) = self.linker.constraint(receiver) {
                    self.search_attributes(constraint, name, found, depth + 1);
                }
                None
            }
            TypeKind::EnumObject(symbol) => self.linker.program.definitions(symbol).into_iter().find_map(|def| {
                let DefBody::Enum(body) = &self.linker.program.def(def).body else { return None };
                let file = self.linker.program.file_of(def);
                let at =
                    body.members.iter().position(|(member, ..)| self.linker.program.name(file, *member) == name)?;
                self.rows.of_member.get(&(def, at as u16)).copied()
            }),
            _ => {
                let member = self.linker.find_property(receiver, name).and_then(|property| property.member);
                member.and_then(|member| self.attribute_of_member(member))
            }
        };
        if let Some(attribute) = attribute {
            add(found, attribute);
        }
    }

    /// The row of a field, property or accessor; `None` for a method.
    fn attribute_of_member(&self, member: (GlobalDef, u16)) -> Option<DefinitionRow> {
        if let Some(&row) = self.rows.of_member.get(&member) {
            return Some(row);
        }
        let (holder, at) = member;
        let file = self.linker.program.file_of(holder);
        let facts = self.linker.program.facts(file);
        let function = match &self.linker.program.members(holder)[usize::from(at)].kind {
            MemberKind::Function(function) => {
                let kind = facts.def(*function).function().map(|function| function.kind);
                matches!(kind, Some(FunctionKind::Getter | FunctionKind::Setter)).then_some(*function)
            }
            // The row of a property whose value or type is a function is that of the function.
            MemberKind::Property { value: Some((value, _)), .. }
                if self.linker.program.held_value(file, *value).is_some() =>
            {
                match facts.expr(self.linker.program.without_assertions(file, *value)) {
                    Expr::Function(function) => Some(function),
                    _ => None,
                }
            }
            MemberKind::Property { annotation: Some((ty, _)), .. } => self.linker.program.function_type(file, *ty),
            _ => None,
        };
        // An object literal has rows for its functions, but its properties are no attributes.
        let is_object = matches!(self.linker.program.def(holder).body, DefBody::Object(_));
        self.rows.of_def.get(&self.linker.program.global_def(file, function.filter(|_| !is_object)?)).copied()
    }

    /// The form of the receiver of a read.
    fn read_form(&self, file: FileIndex, place: ReadPlace) -> CallForm {
        let facts = self.linker.program.facts(file);
        let ReadPlace::Access(expr) = place else { return CallForm::Pattern };
        let Expr::Property { object, .. } = facts.expr(expr) else { return CallForm::OtherAttribute };
        match facts.expr(self.linker.program.without_guards_and_assertions(file, object)) {
            Expr::This(_) => CallForm::SelfAttribute,
            Expr::Super(_) => CallForm::SuperAttribute,
            Expr::Name { .. } => CallForm::Attribute,
            Expr::Property { .. } => CallForm::Chain,
            Expr::Call(_) | Expr::Await(_) => CallForm::CallAttribute,
            _ => CallForm::OtherAttribute,
        }
    }
}

/// The names of all fields, properties, accessors and enum members of the sources.
pub(super) fn attribute_names(program: &ProgramFacts<'_>, rows: &DefinitionRows) -> FxHashSet<InternedName> {
    let mut names = FxHashSet::default();
    for &(file, _, declaration) in &rows.all {
        let name = match declaration {
            RowDeclaration::Def(def) if is_function_member(program, def) => program.def(def).name,
            RowDeclaration::Member(holder, at) => program.members(holder)[usize::from(at)].name,
            RowDeclaration::EnumMember(holder, at) => match &program.def(holder).body {
                DefBody::Enum(body) => body.members.get(usize::from(at)).map(|(name, ..)| *name),
                _ => None,
            },
            RowDeclaration::Def(_) | RowDeclaration::Variable(..) => None,
        };
        names.extend(name.map(|name| program.name(file, name)));
    }
    names
}

/// Whether a definition is an accessor, or a function that is the value or type of a member.
fn is_function_member(program: &ProgramFacts<'_>, def: GlobalDef) -> bool {
    let is_holder = |outer: GlobalDef| {
        program.is_class(outer) || matches!(program.def(outer).body, DefBody::Interface(_) | DefBody::TypeLiteral(_))
    };
    program.function(def).is_some() && program.outer(def).is_some_and(is_holder)
}

/// Adds an attribute that is not there yet.
fn add(found: &mut Attributes, attribute: DefinitionRow) {
    if !found.contains(&attribute) {
        found.push(attribute);
    }
}
