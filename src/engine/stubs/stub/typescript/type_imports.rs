//! The import statements of a stub: they bring in the types that the stub names and does not declare.
//!
//! Every name in a stub is the name of the sources. A name that the stub needs for something else is reached through
//! the namespace of its module: `import type * as zod from "zod"` and `zod.ZodOptional`.

use compact_str::CompactString;
use rustc_hash::FxHashMap;

use apidisc_base::unprintable::is_unprintable;

/// An import statement.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct ImportStatement {
    pub(super) module: CompactString,
    pub(super) clause: ImportClause,
}

/// The names that an import statement declares.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum ImportClause {
    /// `{ A, B }`: every name of the module that the stub needs.
    Named,
    /// The default export, under this name.
    Default(CompactString),
    /// `* as zod`
    Namespace(CompactString),
}

/// A name that an import statement declares.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Binding {
    /// A position in [`TypeImports::statements`].
    statement: u32,
    /// The name between the braces; empty for a statement without braces.
    name: CompactString,
}

/// The import statements that a stub may contain.
#[derive(Debug, Default)]
pub(super) struct TypeImports {
    statements: Vec<ImportStatement>,
    bindings: Vec<Binding>,
    statement_numbers: FxHashMap<ImportStatement, u32>,
    binding_numbers: FxHashMap<Binding, u32>,
    /// The local names of module namespaces, by module.
    namespaces: FxHashMap<CompactString, CompactString>,
}

impl TypeImports {
    /// The number of the binding of `name` (for [`ImportClause::Named`]) or of the whole clause.
    pub(super) fn bind(&mut self, module: &str, clause: ImportClause, name: &str) -> u32 {
        let statement = self.statement(ImportStatement { module: module.into(), clause });
        let binding = Binding { statement, name: name.into() };
        let next = self.bindings.len() as u32;
        let number = *self.binding_numbers.entry(binding.clone()).or_insert(next);
        if number == next {
            self.bindings.push(binding);
        }
        number
    }

    fn statement(&mut self, statement: ImportStatement) -> u32 {
        let next = self.statements.len() as u32;
        let number = *self.statement_numbers.entry(statement.clone()).or_insert(next);
        if number == next {
            self.statements.push(statement);
        }
        number
    }

    /// The number of the binding of `name` in a statement with braces, if there is one.
    pub(super) fn named(&self, module: &str, name: &str) -> Option<u32> {
        let statement = ImportStatement { module: module.into(), clause: ImportClause::Named };
        let statement = *self.statement_numbers.get(&statement)?;
        self.binding_numbers.get(&Binding { statement, name: name.into() }).copied()
    }

    /// The local name of the namespace of a module, if the stub has one.
    pub(super) fn namespace(&self, module: &str) -> Option<&CompactString> {
        self.namespaces.get(module)
    }

    /// Declares the namespace of a module under a local name.
    pub(super) fn add_namespace(&mut self, module: &str, local: &CompactString) {
        self.namespaces.insert(module.into(), local.clone());
    }

    /// The statement of a binding, and its name between the braces.
    pub(super) fn binding(&self, number: u32) -> (u32, &str) {
        let Binding { statement, name } = &self.bindings[number as usize];
        (*statement, name)
    }

    /// True if the binding declares the default export of a module.
    pub(super) fn is_default_of(&self, number: u32, module: &str) -> bool {
        let statement = &self.statements[self.binding(number).0 as usize];
        statement.module == module && matches!(statement.clause, ImportClause::Default(_))
    }

    /// A statement as a line, with these names between the braces.
    pub(super) fn line(&self, statement: u32, names: &[&str]) -> String {
        let ImportStatement { module, clause } = &self.statements[statement as usize];
        let clause = match clause {
            ImportClause::Named => format!("{{ {} }}", names.join(", ")),
            ImportClause::Default(name) => name.to_string(),
            ImportClause::Namespace(name) => format!("* as {name}"),
        };
        format!("import type {clause} from \"{module}\";\n")
    }
}

/// True for a module specifier that can be written between quotes.
pub(super) fn is_specifier(module: &str) -> bool {
    let is_plain = |c: char| !is_unprintable(c) && !c.is_control() && !matches!(c, '"' | '\\' | '\'' | '`' | ' ');
    !module.is_empty() && module.len() <= 200 && module.chars().all(is_plain)
}
