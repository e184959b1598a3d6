//! Import statements: the names that they bind, and how they are written.

use compact_str::CompactString;
use tree_sitter::Node;

use apidisc_base::language::Language;

/// A name that an import statement binds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExampleImport {
    /// The name in the file.
    pub local: CompactString,
    /// The module as it is written: `httpx`, `.models`, `../src/index`.
    pub module: String,
    /// The part of the module that is imported.
    pub name: ImportedName,
}

/// The part of a module that an import statement imports.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ImportedName {
    /// The module itself: `import httpx`, `import * as z from "zod"`.
    Module,
    /// The default export of a module of TypeScript.
    Default,
    /// A name of the module.
    Named(CompactString),
}

impl ExampleImport {
    /// The import statements of some names. Names of one module share a statement.
    pub fn lines(imports: &[Self], language: Language) -> Vec<String> {
        let mut lines = Vec::new();
        for (at, import) in imports.iter().enumerate() {
            let is_named =
                |other: &&Self| matches!(other.name, ImportedName::Named(_)) && other.module == import.module;
            let Self { local, module, name } = import;
            let is_python = language == Language::Python;
            lines.push(match name {
                ImportedName::Named(_) if imports[..at].iter().any(|other| is_named(&other)) => continue,
                ImportedName::Named(_) => {
                    let names: Vec<String> = imports[at..].iter().filter(is_named).map(Self::binding).collect();
                    let names = names.join(", ");
                    if is_python {
                        format!("from {module} import {names}")
                    } else {
                        format!("import {{ {names} }} from \"{module}\"")
                    }
                }
                ImportedName::Default => format!("import {local} from \"{module}\""),
                ImportedName::Module if !is_python => format!("import * as {local} from \"{module}\""),
                ImportedName::Module if module.split('.').next() == Some(local) => format!("import {module}"),
                ImportedName::Module => format!("import {module} as {local}"),
            });
        }
        lines
    }

    /// True for `import a.b` in Python, which binds `a`.
    pub(super) fn is_submodule(&self) -> bool {
        matches!(self.name, ImportedName::Module)
            && self.module.strip_prefix(&*self.local).is_some_and(|m| m.starts_with('.'))
    }

    /// The name in a list of names: `Client`, `Client as C`.
    fn binding(&self) -> String {
        match &self.name {
            ImportedName::Named(name) if *name != self.local => format!("{name} as {}", self.local),
            _ => self.local.to_string(),
        }
    }
}

/// The import of `local` by a statement, if the statement imports that name.
pub(super) fn import_of(code: &str, statement: Node, local: &str) -> Option<ExampleImport> {
    imports_of(code, statement).into_iter().map(|(_, import)| import).find(|import| import.local == local)
}

/// The names that a statement imports, each with its row in the code, from 0.
pub(super) fn imports_of(code: &str, statement: Node) -> Vec<(usize, ExampleImport)> {
    match statement.kind() {
        "import_statement" if statement.child_by_field_name("source").is_some() => of_typescript(code, statement),
        "import_statement" => of_python(code, statement),
        "import_from_statement" => of_python_from(code, statement),
        "lexical_declaration" | "variable_declaration" => of_require(code, statement),
        _ => Vec::new(),
    }
}

fn text<'c>(code: &'c str, node: Node) -> &'c str {
    &code[node.byte_range()]
}

/// The text of a string literal without its quotes.
fn unquoted(code: &str, node: Node) -> String {
    text(code, node).trim_matches(['"', '\'', '`']).to_owned()
}

/// The name and the alias of a node that is a name or `name as alias`.
fn aliased<'c>(code: &'c str, node: Node) -> (&'c str, Option<&'c str>) {
    let name = node.child_by_field_name("name").unwrap_or(node);
    (text(code, name), node.child_by_field_name("alias").map(|alias| text(code, alias)))
}

/// The row on which a node begins.
fn row(node: Node) -> usize {
    node.start_position().row
}

fn of_python(code: &str, statement: Node) -> Vec<(usize, ExampleImport)> {
    let mut cursor = statement.walk();
    let names = statement.children_by_field_name("name", &mut cursor);
    let import = |node| {
        let (module, alias) = aliased(code, node);
        let local = alias.or_else(|| module.split('.').next()).unwrap_or(module);
        (row(node), ExampleImport { local: local.into(), module: module.to_owned(), name: ImportedName::Module })
    };
    names.map(import).collect()
}

fn of_python_from(code: &str, statement: Node) -> Vec<(usize, ExampleImport)> {
    let Some(module) = statement.child_by_field_name("module_name") else { return Vec::new() };
    let module: String = text(code, module).split_whitespace().collect();
    let mut cursor = statement.walk();
    let names = statement.children_by_field_name("name", &mut cursor);
    let import = |node| {
        let (name, alias) = aliased(code, node);
        let name = CompactString::new(name);
        let import = ExampleImport {
            local: alias.map_or_else(|| name.clone(), CompactString::new),
            module: module.clone(),
            name: ImportedName::Named(name),
        };
        (row(node), import)
    };
    names.map(import).collect()
}

fn of_typescript(code: &str, statement: Node) -> Vec<(usize, ExampleImport)> {
    let Some(source) = statement.child_by_field_name("source") else { return Vec::new() };
    let module = unquoted(code, source);
    let mut cursor = statement.walk();
    let Some(clause) = statement.named_children(&mut cursor).find(|node| node.kind() == "import_clause") else {
        return Vec::new();
    };
    let mut imports = Vec::new();
    let mut add = |node: Node, local: &str, name| {
        imports.push((row(node), ExampleImport { local: local.into(), module: module.clone(), name }));
    };
    let mut cursor = clause.walk();
    for node in clause.named_children(&mut cursor) {
        match node.kind() {
            "identifier" => add(node, text(code, node), ImportedName::Default),
            "namespace_import" => {
                if let Some(local) = node.named_child(0) {
                    add(local, text(code, local), ImportedName::Module);
                }
            }
            "named_imports" => {
                let mut cursor = node.walk();
                for specifier in node.named_children(&mut cursor).filter(|node| node.kind() == "import_specifier") {
                    let (name, alias) = aliased(code, specifier);
                    let imported =
                        if name == "default" { ImportedName::Default } else { ImportedName::Named(name.into()) };
                    add(specifier, alias.unwrap_or(name), imported);
                }
            }
            _ => {}
        }
    }
    imports
}

/// `const a = require("m")` and `const { a, b: c } = require("m")`.
fn of_require(code: &str, statement: Node) -> Vec<(usize, ExampleImport)> {
    let declarator = statement.named_child(0).filter(|node| node.kind() == "variable_declarator");
    let module = declarator.and_then(|declarator| {
        let call = declarator.child_by_field_name("value").filter(|value| value.kind() == "call_expression")?;
        let callee = call.child_by_field_name("function")?;
        let argument = call.child_by_field_name("arguments")?.named_child(0)?;
        (text(code, callee) == "require" && argument.kind() == "string").then(|| unquoted(code, argument))
    });
    let name = declarator.and_then(|declarator| declarator.child_by_field_name("name"));
    let (Some(module), Some(name)) = (module, name) else { return Vec::new() };
    let import = |node: Node, local: &str, name| {
        (row(node), ExampleImport { local: local.into(), module: module.clone(), name })
    };
    if name.kind() == "identifier" {
        return vec![import(name, text(code, name), ImportedName::Module)];
    }
    let mut cursor = name.walk();
    let of_property = |node: Node| match node.kind() {
        "shorthand_property_identifier_pattern" => {
            Some(import(node, text(code, node), ImportedName::Named(text(code, node).into())))
        }
        "pair_pattern" => {
            let (key, value) = (node.child_by_field_name("key")?, node.child_by_field_name("value")?);
            Some(import(node, text(code, value), ImportedName::Named(text(code, key).into())))
        }
        _ => None,
    };
    name.named_children(&mut cursor).filter_map(of_property).collect()
}
