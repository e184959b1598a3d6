//! The rows of the index: the declarations that become definitions, in order.

mod aliases;
mod declaration_files;
mod default_names;
mod keys;
mod primary_declarations;
mod reached;

use std::collections::hash_map::Entry;

use compact_str::{CompactString, format_compact};
use rustc_hash::FxHashMap;

use super::{
    callees::{CalledValue, CalledValues},
    infer::ResolvedName,
    program::{FileIndex, GlobalDef, GlobalSymbol, ProgramFacts, is_identifier},
    source_file::SourceFile,
};
use crate::linked::DefinitionRow;
use apidisc_base::sort::SharedSort as _;
use apidisc_facts::syntax::typescript::facts::{
    Decl, Def, DefBody, DefId, Expr, FunctionKind, Member, MemberKind, ValueSource, VariableId,
};

pub(super) use declaration_files::{DeclarationFinder, DeclaredRows};
pub(super) use default_names::name_default_exports;
pub(super) use keys::DefinitionKey;
pub(super) use reached::ReachedDefinitions;

/// The declaration that a row describes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RowDeclaration {
    Def(GlobalDef),
    /// A field or property: the declaration that holds it, and its position among the members.
    Member(GlobalDef, u16),
    /// An enum member: the enum, and its position among the members.
    EnumMember(GlobalDef, u16),
    /// A constant of a file: see [`RowCollector::is_constant_row`].
    Variable(FileIndex, VariableId),
}

/// All rows, sorted by file and line, with look-up tables.
#[derive(Debug, Default)]
pub(super) struct DefinitionRows {
    /// The file, the line (from 1) and the declaration of each row.
    pub(super) all: Vec<(FileIndex, u32, RowDeclaration)>,
    /// The row of each definition. All merged declarations have the row of the primary declaration.
    pub(super) of_def: FxHashMap<GlobalDef, DefinitionRow>,
    /// The row of each member with a row of its own: a field, a property or an enum member, by the declaration that
    /// holds the member and its position there.
    pub(super) of_member: FxHashMap<(GlobalDef, u16), DefinitionRow>,
    /// The row of each constant.
    pub(super) of_constant: FxHashMap<(FileIndex, VariableId), DefinitionRow>,
    /// The row of each definition key.
    pub(super) of_key: FxHashMap<DefinitionKey, u32>,
}

impl DefinitionRows {
    /// The row of a definition key.
    pub(super) fn of_key(&self, key: DefinitionKey) -> Option<DefinitionRow> {
        self.of_key.get(&key).map(|row| DefinitionRow::new(*row as usize))
    }

    /// The row of the type with a definition key. A type may share its name with a constant, whose row is that of the
    /// key: `const Mode = { … }; type Mode = …`.
    pub(super) fn of_type(&self, program: &ProgramFacts<'_>, key: DefinitionKey) -> Option<DefinitionRow> {
        let row = self.of_key(key)?;
        let DefinitionKey::Symbol(symbol) = key else { return Some(row) };
        if !matches!(self.all[row.index()], (_, _, RowDeclaration::Variable(..))) {
            return Some(row);
        }
        let of_definition = program.definitions(symbol).into_iter().find_map(|def| self.of_def.get(&def).copied());
        Some(of_definition.unwrap_or(row))
    }

    /// The row of the definition that a name resolves to.
    pub(super) fn of_name(&self, program: &ProgramFacts<'_>, resolved: ResolvedName) -> Option<DefinitionRow> {
        DefinitionKey::of_name(program, resolved).and_then(|key| self.of_key(key))
    }

    /// The row of the declaration whose value a call calls.
    pub(super) fn of_value(&self, value: CalledValue) -> Option<DefinitionRow> {
        match value {
            CalledValue::Variable(file, variable) => self.of_constant.get(&(file, variable)).copied(),
            CalledValue::Member(holder, at) => self.of_member.get(&(holder, at)).copied(),
        }
    }

    /// The row of the definition to which the members of `holder` belong. The properties of a type literal belong to
    /// the property whose type the literal is a part of, or to the type alias.
    pub(super) fn holder(&self, program: &ProgramFacts<'_>, holder: GlobalDef) -> Option<DefinitionRow> {
        if let Some(&row) = self.of_def.get(&holder) {
            return Some(row);
        }
        if let (DefBody::TypeLiteral(_), Some(name)) = (&program.def(holder).body, program.def(holder).name)
            && let Some(outer) = program.outer(holder)
            && let Some(at) = program.members(outer).iter().position(|member| member.name == Some(name))
            && let Some(&row) = self.of_member.get(&(outer, at as u16))
        {
            return Some(row);
        }
        self.enclosing(program, holder)
    }

    /// The row of the innermost enclosing definition that has one.
    pub(super) fn enclosing(&self, program: &ProgramFacts<'_>, def: GlobalDef) -> Option<DefinitionRow> {
        let mut at = program.outer(def);
        while let Some(outer) = at {
            if let Some(&row) = self.of_def.get(&outer) {
                return Some(row);
            }
            at = program.outer(outer);
        }
        None
    }

    /// The row of a caller. The row of a constructor is that of its class.
    pub(super) fn caller(&self, program: &ProgramFacts<'_>, def: GlobalDef) -> Option<DefinitionRow> {
        let is_constructor = program.function(def).is_some_and(|f| f.kind == FunctionKind::Constructor);
        if is_constructor { self.enclosing(program, def) } else { self.of_def.get(&def).copied() }
    }
}

/// A property of a type literal that shares the row of an earlier property of the same name.
#[derive(Debug)]
struct LiteralProperty {
    member: (GlobalDef, u16),
    first: (GlobalDef, u16),
}

/// Reads the rows from the facts of a program.
pub(super) struct RowCollector<'p, 'f> {
    pub(super) program: &'p ProgramFacts<'f>,
    /// The values that code calls: a called property of an object literal has a row.
    pub(super) called: &'p CalledValues,
    /// Of installed packages only what the program reaches has rows.
    pub(super) reached: &'p ReachedDefinitions,
}

impl RowCollector<'_, '_> {
    /// The rows of all files except the platform's. Quoted code has none.
    pub(super) fn definition_rows(&self, files: &[SourceFile]) -> DefinitionRows {
        let mut rows = DefinitionRows::default();
        let mut primary_declarations = FxHashMap::default();
        let mut representatives: Vec<(GlobalDef, GlobalDef)> = Vec::new();
        let mut alternatives: Vec<LiteralProperty> = Vec::new();
        for (i, _) in files.iter().enumerate().filter(|(_, file)| !file.content.is_quoted()) {
            let file = FileIndex::new(i);
            let mut rows_of_file: Vec<(u32, RowDeclaration)> = Vec::new();
            let facts = self.program.facts(file);
            let mut literals = FxHashMap::default();
            for (at, row) in facts.definitions.iter().enumerate() {
                let def = self.program.global_def(file, DefId::new(at));
                if !self.reached.has_row(self.program, def) {
                    continue;
                }
                if let DefBody::TypeLiteral(members) = &row.body {
                    self.add_literal_properties(def, members, &mut literals, &mut alternatives, &mut rows_of_file);
                    continue;
                }
                if !self.is_definition_row(def, row) {
                    continue;
                }
                let primary = self.primary_declaration(def, &mut primary_declarations);
                representatives.push((def, primary));
                if primary == def {
                    rows_of_file.push((row.line, RowDeclaration::Def(def)));
                }
                self.add_members(def, row, &mut rows_of_file);
            }
            for (at, variable) in facts.variables.iter().enumerate() {
                let variable_id = VariableId::new(at);
                let has_row = self.reached.of_constant(file, variable_id);
                if has_row.unwrap_or_else(|| self.is_constant_row(file, variable_id)) {
                    rows_of_file.push((variable.line, RowDeclaration::Variable(file, variable_id)));
                }
            }
            rows_of_file.shared_sort_by_key(|(line, _)| *line);
            rows.all.extend(rows_of_file.into_iter().map(|(line, declaration)| (file, line, declaration)));
        }
        for (at, (_, _, declaration)) in rows.all.iter().enumerate() {
            match *declaration {
                RowDeclaration::Def(def) => {
                    rows.of_def.insert(def, DefinitionRow::new(at));
                    let key = DefinitionKey::of(self.program, def);
                    rows.of_key.entry(key).or_insert(at as u32);
                    self.add_variable_key(def, at as u32, &mut rows.of_key);
                }
                RowDeclaration::Variable(file, variable) => {
                    rows.of_constant.insert((file, variable), DefinitionRow::new(at));
                    if let Some(symbol) = self.symbol_of_variable(file, variable) {
                        rows.of_key.entry(DefinitionKey::Symbol(symbol)).or_insert(at as u32);
                    }
                }
                RowDeclaration::Member(holder, position) | RowDeclaration::EnumMember(holder, position) => {
                    rows.of_member.insert((holder, position), DefinitionRow::new(at));
                }
            }
        }
        for LiteralProperty { member, first } in alternatives {
            if let Some(&row) = rows.of_member.get(&first) {
                rows.of_member.insert(member, row);
            }
        }
        for (def, primary) in representatives {
            if let Some(&row) = rows.of_def.get(&primary) {
                rows.of_def.entry(def).or_insert(row);
            }
        }
        for &signature in self.reached.signatures() {
            // The signature of a variable of a namespace belongs to the variable.
            let outer = self.program.outer(signature);
            let is_of_variable = outer.is_some_and(|outer| matches!(self.program.def(outer).body, DefBody::Namespace));
            if let Some(row) = rows.enclosing(self.program, signature).filter(|_| !is_of_variable) {
                rows.of_def.insert(signature, row);
            }
        }
        rows
    }

    /// Maps the variable of `const f = () => …` to the row of the function.
    fn add_variable_key(&self, def: GlobalDef, row: u32, of_key: &mut FxHashMap<DefinitionKey, u32>) {
        let file = self.program.file_of(def);
        let facts = self.program.facts(file);
        let (Some(expr), Some(name)) = (self.program.def(def).expr, self.program.def(def).name) else { return };
        let Some(symbol) = facts.symbol_in(facts.file_scope(), name) else { return };
        for decl in &facts.symbol(symbol).decls {
            if let Decl::Variable(variable) = decl
                && let ValueSource::Value(value) = facts.variables[variable.index()].source
                && self.program.held_value(file, value) == Some(expr)
            {
                let symbol = self.program.global_symbol(file, symbol);
                of_key.entry(DefinitionKey::Symbol(symbol)).or_insert(row);
            }
        }
    }

    fn symbol_of_variable(&self, file: FileIndex, variable: VariableId) -> Option<GlobalSymbol> {
        let facts = self.program.facts(file);
        let row = &facts.variables[variable.index()];
        let symbol = facts.symbol_in(facts.file_scope(), row.name)?;
        facts.symbol(symbol).decls.contains(&Decl::Variable(variable)).then(|| self.program.global_symbol(file, symbol))
    }

    /// Whether a definition has a row of its own or shares the row of another declaration.
    fn is_definition_row(&self, def: GlobalDef, row: &Def) -> bool {
        let Some(name) = self.program.name_of(def) else { return is_mixin(row) };
        let facts = self.program.facts(self.program.file_of(def));
        match &row.body {
            DefBody::Function(function) => match function.kind {
                FunctionKind::Declaration
                | FunctionKind::Expression
                | FunctionKind::Arrow
                | FunctionKind::Method
                | FunctionKind::Getter
                | FunctionKind::Setter => true,
                // A function type is a definition if it is the annotation of a property.
                FunctionKind::Type => row.outer.is_some_and(|outer| {
                    matches!(facts.def(outer).body, DefBody::Interface(_) | DefBody::TypeLiteral(_))
                }),
                FunctionKind::Constructor
                | FunctionKind::CallSignature
                | FunctionKind::ConstructSignature
                | FunctionKind::ConstructorType => false,
            },
            DefBody::Class(_)
            | DefBody::Interface(_)
            | DefBody::TypeAlias(_)
            | DefBody::Enum(_)
            | DefBody::Namespace => is_identifier(facts.name(name)),
            DefBody::Object(members) => {
                let is_function_or_object = |kind: &MemberKind| match kind {
                    MemberKind::Function(_) => true,
                    MemberKind::Property { value: Some((value, _)), .. } => {
                        matches!(facts.expr(*value), Expr::Function(_) | Expr::Object(_))
                    }
                    _ => false,
                };
                let is_called = |at: usize| self.called.contains_key(&CalledValue::Member(def, at as u16));
                is_identifier(facts.name(name))
                    && members.iter().enumerate().any(|(at, m)| is_function_or_object(&m.kind) || is_called(at))
                    && self.is_reachable_by_name(def)
            }
            DefBody::TypeLiteral(_) => false,
        }
    }

    /// Whether all definitions around a definition are named object literals or namespaces.
    fn is_reachable_by_name(&self, def: GlobalDef) -> bool {
        let mut at = self.program.outer(def);
        while let Some(outer) = at {
            let row = self.program.def(outer);
            if !matches!(row.body, DefBody::Object(_) | DefBody::Namespace) || row.name.is_none() {
                return false;
            }
            at = self.program.outer(outer);
        }
        true
    }

    /// Adds the rows of fields, properties and enum members, and of the called properties of object literals.
    fn add_members(&self, def: GlobalDef, row: &Def, rows_of_file: &mut Vec<(u32, RowDeclaration)>) {
        match &row.body {
            DefBody::Class(_) | DefBody::Interface(_) | DefBody::Function(_) => {
                if row.function().is_some() && !self.program.is_class(def) {
                    return;
                }
                for (at, member) in row.members().iter().enumerate() {
                    if member.name.is_some() && self.has_own_row(def, row, member) {
                        rows_of_file.push((member.line, RowDeclaration::Member(def, at as u16)));
                    }
                }
            }
            DefBody::Object(members) => {
                for (at, member) in members.iter().enumerate() {
                    let is_called = self.called.contains_key(&CalledValue::Member(def, at as u16));
                    if is_called && member.name.is_some() && self.has_own_row(def, row, member) {
                        rows_of_file.push((member.line, RowDeclaration::Member(def, at as u16)));
                    }
                }
            }
            DefBody::Enum(body) => {
                let file = self.program.file_of(def);
                for (at, (name, line, _)) in body.members.iter().enumerate() {
                    if !self.reached.has_member_row(file, self.program.name(file, *name)) {
                        continue;
                    }
                    rows_of_file.push((*line, RowDeclaration::EnumMember(def, at as u16)));
                }
            }
            _ => {}
        }
    }

    /// Whether a member is a field or property with a row of its own. A property whose value or type is a function has
    /// the row of that function.
    fn has_own_row(&self, holder: GlobalDef, row: &Def, member: &Member) -> bool {
        let MemberKind::Property { annotation, value, .. } = &member.kind else { return false };
        let file = self.program.file_of(holder);
        if member.name.is_some_and(|name| !self.reached.has_member_row(file, self.program.name(file, name))) {
            return false;
        }
        let held = value.as_ref().and_then(|(value, _)| self.program.held_value(file, *value));
        let facts = self.program.facts(file);
        let is_method = held.is_some_and(|value| matches!(facts.expr(value), Expr::Function(_)))
            || row.function().is_some() && self.program.holds_functions(file, member);
        let is_typed_method = matches!(row.body, DefBody::Interface(_) | DefBody::TypeLiteral(_))
            && annotation.as_ref().is_some_and(|(ty, _)| self.program.function_type(file, *ty).is_some());
        !is_method && !is_typed_method
    }

    /// Adds the rows of the properties of a type literal, if the literal is a part of a type alias or of the type of an
    /// interface's property; of a literal that is the type of a constant, those of the called properties. Properties
    /// with the same name, as in the alternatives of a union, share the row of the first one: `firsts` contains the
    /// members that have a row by their names in the file, and `alternatives` receives the others.
    fn add_literal_properties(
        &self,
        def: GlobalDef,
        members: &[Member],
        firsts: &mut FxHashMap<CompactString, (GlobalDef, u16)>,
        alternatives: &mut Vec<LiteralProperty>,
        rows_of_file: &mut Vec<(u32, RowDeclaration)>,
    ) {
        let is_called = |at: usize| self.called.contains_key(&CalledValue::Member(def, at as u16));
        let is_named = self.is_named_literal(def);
        let of_constant = || (0..members.len()).any(is_called) && self.program.constant_of_literal(def).is_some();
        if !is_named && !of_constant() {
            return;
        }
        let facts = self.program.facts(self.program.file_of(def));
        let holder = self.program.dotted_name(def);
        for (at, member) in members.iter().enumerate() {
            let Some(name) = member.name.filter(|_| self.has_own_row(def, self.program.def(def), member)) else {
                continue;
            };
            let member_id = (def, at as u16);
            if !is_named {
                if is_called(at) {
                    rows_of_file.push((member.line, RowDeclaration::Member(def, at as u16)));
                }
                continue;
            }
            match firsts.entry(format_compact!("{holder}.{}", facts.name(name))) {
                Entry::Occupied(first) => {
                    alternatives.push(LiteralProperty { member: member_id, first: *first.get() });
                }
                Entry::Vacant(entry) => {
                    entry.insert(member_id);
                    rows_of_file.push((member.line, RowDeclaration::Member(def, at as u16)));
                }
            }
        }
    }

    /// True if other code can name the properties of a type literal: the literal stands in a type alias, in a property
    /// of an interface, or in a property of another literal of this kind. The properties of a literal in the type of a
    /// parameter cannot be named by other code.
    fn is_named_literal(&self, def: GlobalDef) -> bool {
        let mut at = def;
        while let Some(outer) = self.program.outer(at) {
            match self.program.def(outer).body {
                DefBody::TypeAlias(_) => return true,
                DefBody::Interface(_) => return self.program.def(at).name.is_some(),
                DefBody::TypeLiteral(_) => at = outer,
                _ => return false,
            }
        }
        false
    }

    /// Whether a variable of the top level has a row: its value has no row of its own, and it is exported, or a call
    /// has made it and elements of JSX name it.
    fn is_constant_row(&self, file: FileIndex, variable: VariableId) -> bool {
        let facts = self.program.facts(file);
        let row = &facts.variables[variable.index()];
        let is_component = || {
            self.called.get(&CalledValue::Variable(file, variable)).is_some_and(|calls| calls.is_component)
                && self.program.is_made_by_call(file, variable)
        };
        if !self.program.is_exported(file, variable) && !is_component() {
            return false;
        }
        match row.source {
            ValueSource::Value(value) if row.path.is_empty() => match self.program.held_value(file, value) {
                Some(held) => match facts.expr(held) {
                    Expr::Object(def) => {
                        let def = self.program.global_def(file, def);
                        !self.is_definition_row(def, self.program.def(def))
                    }
                    _ => false,
                },
                None => true,
            },
            _ => true,
        }
    }
}

/// Whether a definition is a class without a name in a function, with a base class: a mixin, whose members other
/// classes inherit.
fn is_mixin(row: &Def) -> bool {
    matches!(&row.body, DefBody::Class(class) if class.extends.is_some() && row.outer.is_some())
}
