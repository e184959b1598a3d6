//! What one file of a package says of a name that another file imports of it.

use compact_str::CompactString;

use apidisc_base::nesting;
use apidisc_facts::syntax::typescript::facts::{
    AmbientModule, Decl, DefBody, DefId, Export, ExportKind, Expr, ExprId, FileFacts, ImportKind, NameId, SymbolId,
};

/// What a file says of a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ExportedName {
    /// The file declares it, on this line (from 1).
    Declared(u32),
    /// Another module has it, under these names, outermost first; the module itself without names.
    Elsewhere(CompactString, Vec<CompactString>),
    /// The file does not declare it, and exports everything of these modules.
    Starred(Vec<CompactString>),
    /// The file does not have it.
    Absent,
    /// The file has no default export, which an importing file gets as the namespace of the module where the file is
    /// compiled to `CommonJS`.
    NoDefault,
    /// The names begin with a value or type of the file, whose members its type decides.
    Member,
    /// The file does not show it.
    Unknown,
}

/// What a file says of a name of the module that `specifier` names: the file itself, or a module that the file declares
/// by this name. The names of `path` stand after each other, outermost first: `z.string`.
pub fn exported_name(facts: &FileFacts, specifier: &str, path: &[&str]) -> ExportedName {
    let Some((&name, rest)) = path.split_first() else { return ExportedName::Declared(1) };
    let declared: Vec<&AmbientModule> =
        facts.ambient_modules.iter().filter(|module| facts.name(module.name) == specifier).collect();
    for module in &declared {
        let scope = &facts.scopes[facts.def(module.namespace).scope.index()];
        if let Some((_, symbol)) = scope.symbols.iter().find(|(symbol, _)| facts.name(*symbol) == name) {
            return of_symbol(facts, *symbol, rest);
        }
    }
    if declared.is_empty() && !facts.is_module {
        return ExportedName::Unknown;
    }
    let exports: Vec<&Export> = if declared.is_empty() {
        facts.exports.iter().collect()
    } else {
        declared.iter().flat_map(|module| &module.exports).collect()
    };
    if let Some(export) = exports.iter().find(|export| facts.name(export.name) == name) {
        match export.kind {
            ExportKind::Symbol(symbol) => return of_symbol(facts, symbol, rest),
            ExportKind::Value(value) => return of_value(facts, value, rest, export.line),
            ExportKind::From(module, name) => {
                let names = std::iter::once(facts.name(name)).chain(rest.iter().copied());
                return elsewhere(facts, module, names);
            }
            ExportKind::Namespace(module) => return elsewhere(facts, module, rest.iter().copied()),
            ExportKind::Star(_) | ExportKind::Assign(_) => {}
        }
    }
    let assigned = exports.iter().find_map(|export| match export.kind {
        ExportKind::Assign(value) => Some((value, export.line)),
        _ => None,
    });
    if let Some((value, line)) = assigned {
        // The compiler gives the value of `export =` as the default export, too.
        let path = if name == "default" { rest } else { path };
        return of_value(facts, value, path, line);
    }
    if name == "default" {
        return ExportedName::NoDefault;
    }
    let starred: Vec<CompactString> = exports
        .iter()
        .filter_map(|export| match export.kind {
            ExportKind::Star(module) => Some(facts.name(module).into()),
            _ => None,
        })
        .collect();
    // A declaration file without an export clause exports all that it declares.
    let is_hidden = declared.is_empty() && declares(facts, name);
    match (starred.is_empty(), is_hidden) {
        (_, true) => ExportedName::Unknown,
        (true, _) => ExportedName::Absent,
        (false, _) => ExportedName::Starred(starred),
    }
}

/// True if a file declares a name itself, at the top.
fn declares(facts: &FileFacts, name: &str) -> bool {
    let symbols = &facts.scopes[facts.file_scope().index()].symbols;
    symbols
        .iter()
        .filter(|(symbol, _)| facts.name(*symbol) == name)
        .any(|(_, symbol)| facts.symbol(*symbol).decls.iter().any(|decl| !matches!(decl, Decl::Import(_))))
}

fn elsewhere<'n>(facts: &FileFacts, module: NameId, names: impl Iterator<Item = &'n str>) -> ExportedName {
    ExportedName::Elsewhere(facts.name(module).into(), names.map(CompactString::from).collect())
}

fn of_value(facts: &FileFacts, value: ExprId, path: &[&str], line: u32) -> ExportedName {
    match facts.expr(value) {
        Expr::Name { symbol: Some(symbol), .. } => of_symbol(facts, symbol, path),
        _ if path.is_empty() => ExportedName::Declared(line),
        _ => ExportedName::Member,
    }
}

/// What a file says of the names after a symbol.
fn of_symbol(facts: &FileFacts, id: SymbolId, path: &[&str]) -> ExportedName {
    let Some(_level) = nesting::descend() else { return ExportedName::Unknown };
    let symbol = facts.symbol(id);
    for decl in &symbol.decls {
        let Decl::Import(import) = decl else { continue };
        let row = &facts.imports[import.index()];
        match row.kind {
            ImportKind::Named(name) => {
                let names = std::iter::once(facts.name(name)).chain(path.iter().copied());
                return elsewhere(facts, row.specifier, names);
            }
            ImportKind::Namespace | ImportKind::Required => {
                return elsewhere(facts, row.specifier, path.iter().copied());
            }
            ImportKind::Local(symbol) => return of_symbol(facts, symbol, path),
            ImportKind::Entity => return ExportedName::Unknown,
        }
    }
    let Some((&name, rest)) = path.split_first() else {
        return symbol
            .decls
            .iter()
            .find_map(|decl| line_of(facts, *decl))
            .map_or(ExportedName::Unknown, ExportedName::Declared);
    };
    let namespaces = symbol.decls.iter().filter_map(|decl| match decl {
        Decl::Def(def) if is_namespace(facts, *def) => Some(facts.def(*def).scope),
        _ => None,
    });
    let namespaces: Vec<_> = namespaces.collect();
    for scope in &namespaces {
        let symbols = &facts.scopes[scope.index()].symbols;
        if let Some((_, inner)) = symbols.iter().find(|(symbol, _)| facts.name(*symbol) == name) {
            return of_symbol(facts, *inner, rest);
        }
    }
    let has_value = symbol.decls.iter().any(|decl| match decl {
        Decl::Def(def) => matches!(facts.def(*def).body, DefBody::Class(_) | DefBody::Enum(_) | DefBody::Object(_)),
        _ => true,
    });
    if has_value || namespaces.is_empty() { ExportedName::Member } else { ExportedName::Absent }
}

fn is_namespace(facts: &FileFacts, def: DefId) -> bool {
    matches!(facts.def(def).body, DefBody::Namespace)
}

fn line_of(facts: &FileFacts, decl: Decl) -> Option<u32> {
    match decl {
        Decl::Def(def) => Some(facts.def(def).line),
        Decl::Variable(variable) => Some(facts.variables[variable.index()].line),
        _ => None,
    }
}
