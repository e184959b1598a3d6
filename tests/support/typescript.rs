//! Builds small indexes of TypeScript by hand, without sources, for tests of declaration files.

use std::sync::Arc;

use apidisc::{
    index::{Definition, Index},
    language::Language,
    program::{DefinitionId, DefinitionKind, ModuleId, Parameter, ParameterKind, ParameterSet, Signature},
    usage::ParameterUsage,
};
use thin_vec::thin_vec;

use crate::sample::Sample;

/// A builder of an index of TypeScript.
#[derive(Default)]
pub(crate) struct Declarations {
    sample: Sample,
    /// By module: the package that exports it.
    packages: Vec<String>,
}

impl Declarations {
    /// Adds a module whose definitions are imported from `package`.
    pub(crate) fn module(&mut self, path: &str, package: &str) -> ModuleId {
        let module = self.sample.module(path);
        let index = &mut self.sample.index;
        for file in index.files.iter_mut().filter(|file| file.module == module) {
            file.path = format!("{path}.ts").into();
            file.language = Language::TypeScript;
        }
        self.packages.resize(module.index() + 1, String::new());
        package.clone_into(&mut self.packages[module.index()]);
        module
    }

    /// Adds a definition without a signature.
    pub(crate) fn define(
        &mut self,
        module: ModuleId,
        parent: Option<DefinitionId>,
        kind: DefinitionKind,
        name: &str,
    ) -> DefinitionId {
        let id = self.sample.define(module, parent, name, kind);
        let package = &self.packages[module.index()];
        let above = parent.map(|parent| self.sample.index.definition(parent));
        let (fqn, alias) = match above {
            Some(above) => (format!("{}.{name}", above.fqn), format!("{}.{name}", above.alias)),
            None => (format!("{}#{name}", self.sample.index.module(module).fqn), format!("{package}#{name}")),
        };
        let definition = self.edit(id);
        definition.language = Language::TypeScript;
        definition.is_public = true;
        definition.fqn = fqn.as_str().into();
        definition.alias = alias.as_str().into();
        definition.aliases = std::iter::once(alias.as_str().into()).collect();
        id
    }

    /// Adds a callable definition. Its parameters are rows: `url: string`, `options?: Options`, `...rest: string[]`,
    /// `.timeout?: number = 30` for a property of the row above, `..times?: number` for a property of that property.
    pub(crate) fn callable(
        &mut self,
        module: ModuleId,
        parent: Option<DefinitionId>,
        kind: DefinitionKind,
        name: &str,
        rows: &[&str],
    ) -> DefinitionId {
        let id = self.define(module, parent, kind, name);
        let signature = signature(rows);
        let definition = self.edit(id);
        definition.usage_mut().parameters = vec![ParameterUsage::default(); signature.parameters.len()];
        definition.signature = Some(Arc::new(signature));
        id
    }

    /// Adds a property of a class or interface.
    pub(crate) fn property(&mut self, parent: DefinitionId, name: &str, annotation: &str) -> DefinitionId {
        let module = self.sample.index.definition(parent).module;
        let id = self.define(module, Some(parent), DefinitionKind::Attribute, name.trim_end_matches('?'));
        let definition = self.edit(id);
        definition.annotation = Some(annotation.into());
        definition.modifiers.is_optional = name.ends_with('?');
        id
    }

    /// Sets the definitions that names in the signature of a definition refer to.
    pub(crate) fn names(&mut self, id: DefinitionId, names: &[(&str, Option<DefinitionId>)]) {
        self.edit(id).type_names.extend(names.iter().map(|&(name, meant)| (name.into(), meant)));
    }

    pub(crate) fn returns(&mut self, id: DefinitionId, text: &str) {
        let signature = self.edit(id).signature_mut().expect("a signature");
        signature.returns = Some(text.into());
    }

    pub(crate) fn edit(&mut self, id: DefinitionId) -> &mut Definition {
        self.sample.edit(id)
    }

    /// Counts calls that pass these parameters, by their labels.
    pub(crate) fn calls(&mut self, id: DefinitionId, labels: &[&str], calls: u32) {
        let signature = self.sample.index.definition(id).signature.as_ref().expect("a signature");
        let position = |label: &&str| {
            (0..signature.parameters.len())
                .find(|&at| signature.label(at) == *label)
                .unwrap_or_else(|| panic!("{label}"))
        };
        let set: ParameterSet = labels.iter().map(position).collect();
        self.calls_with(id, set, false, calls);
    }

    pub(crate) fn calls_with(&mut self, id: DefinitionId, set: ParameterSet, open: bool, calls: u32) {
        self.sample.calls_with(id, set, open, calls);
    }

    pub(crate) fn reads(&mut self, id: DefinitionId, reads: u32) {
        self.sample.reads(id, reads);
    }

    pub(crate) fn build(self) -> Arc<Index> {
        self.sample.build()
    }
}

/// Parses the rows of [`Declarations::callable`].
pub(crate) fn signature(rows: &[&str]) -> Signature {
    let mut parameters: Vec<Parameter> = Vec::new();
    let mut objects: Vec<u16> = Vec::new();
    for row in rows {
        let is_rest = row.starts_with("...");
        let text = row.trim_start_matches('.');
        let depth = if is_rest { 0 } else { row.len() - text.len() };
        let (head, default) = text.split_once(" = ").map_or((text, None), |(head, default)| (head, Some(default)));
        let (name, annotation) = head.split_once(": ").map_or((head, None), |(name, ty)| (name, Some(ty)));
        let is_optional = name.ends_with('?');
        objects.truncate(depth);
        parameters.push(Parameter {
            name: name.trim_end_matches('?').into(),
            kind: match (depth, is_rest) {
                (0, true) => ParameterKind::VarPositional,
                (0, false) => ParameterKind::PositionalOnly,
                _ => ParameterKind::Property,
            },
            annotation: annotation.map(Into::into),
            default: default.map(Into::into),
            required: !is_optional && default.is_none() && !is_rest,
            meaning: None,
            inherited_from: None,
            object: objects.last().copied(),
        });
        objects.push(parameters.len() as u16 - 1);
    }
    Signature { parameters: parameters.into(), ..Signature::default() }
}

/// A package with a client, the types of its parameters, and the types that it returns.
pub(crate) fn http() -> Declarations {
    use DefinitionKind::{Class, Constant, Enum, Function, Interface, Method, Property, TypeAlias};
    let mut d = Declarations::default();
    let client_module = d.module("packages/http/src/client", "@acme/http");
    let types = d.module("packages/http/src/types", "@acme/http");
    let core = d.module("packages/core/src/log", "@acme/core");

    let logger = d.define(core, None, Interface, "Logger");
    d.property(logger, "level", "Level");
    let log = d.callable(core, Some(logger), Method, "log", &["message: string", "...rest: unknown[]"]);
    d.returns(log, "void");
    let level = d.define(core, None, Enum, "Level");
    for (name, value) in [("Debug", "\"debug\""), ("Info", "\"info\"")] {
        let member = d.define(core, Some(level), DefinitionKind::Attribute, name);
        d.edit(member).value = Some(value.into());
    }
    d.names(log, &[]);
    for id in [logger, DefinitionId::new(1)] {
        d.names(id, &[("Level", Some(level))]);
    }

    let method = d.define(types, None, TypeAlias, "HttpMethod");
    d.edit(method).annotation = Some("\"GET\" | \"POST\"".into());
    let response = d.define(types, None, Interface, "HttpResponse");
    d.edit(response).type_parameters = Some("T".into());
    d.property(response, "status", "number");
    d.property(response, "body", "T");
    d.property(response, "logger?", "Logger");
    for id in 0..30 {
        let id = DefinitionId::new(id);
        if d.sample.index.definitions.get(id.index()).is_some_and(|x| x.parent == Some(response)) {
            d.names(id, &[("Logger", Some(logger))]);
        }
    }
    let options = d.define(types, None, Interface, "RequestOptions");
    d.property(options, "timeout?", "number");

    let client = d.callable(
        client_module,
        None,
        Class,
        "Client",
        &[
            "url: string",
            "options?: ClientOptions",
            ".timeout?: number = 30",
            ".retries?: number",
            ".content-type?: string",
            ".logger?: Logger",
            ".method?: HttpMethod",
            ".agent?: Agent",
        ],
    );
    d.edit(client).bases = thin_vec!["EventEmitter".into(), "implements Closeable".into()];
    d.edit(client).summary = Some("Talks to a server. It does more.".into());
    d.names(
        client,
        &[
            ("Logger", Some(logger)),
            ("HttpMethod", Some(method)),
            ("Agent", None),
            ("EventEmitter", None),
            ("Closeable", None),
        ],
    );
    d.calls(client, &["url"], 40);
    d.calls(client, &["url", "options", "options.timeout"], 30);
    d.calls(client, &["url", "options", "options.timeout", "options.method"], 20);
    d.calls(client, &["url", "options", "options.logger"], 2);
    let get = d.callable(client_module, Some(client), Method, "get", &["path: string", "options?: RequestOptions"]);
    d.returns(get, "Promise<HttpResponse<T>>");
    d.edit(get).signature_mut().expect("a signature").type_parameters = Some("T = unknown".into());
    d.names(get, &[("HttpResponse", Some(response)), ("RequestOptions", Some(options))]);
    d.calls(get, &["path"], 12);
    d.calls(get, &["path", "options"], 3);
    let close = d.callable(client_module, Some(client), Method, "close", &[]);
    d.returns(close, "Promise<void>");
    let state = d.define(client_module, Some(client), Property, "state");
    d.edit(state).modifiers.is_readonly = true;
    d.edit(state).annotation = Some("\"open\" | \"closed\"".into());
    let retry = d.callable(
        client_module,
        None,
        Function,
        "retry",
        &["{}: RetryOptions", ".attempts: number", ".delay?: number = 100", "job: () => Promise<T>"],
    );
    d.edit(retry).signature_mut().expect("a signature").type_parameters = Some("T".into());
    d.returns(retry, "Promise<T>");
    d.calls(retry, &["{}", "{attempts}", "job"], 9);
    d.calls(retry, &["{}", "{attempts}", "{delay}", "job"], 1);
    let api = d.define(client_module, None, Constant, "api");
    let ping = d.callable(client_module, Some(api), Method, "ping", &["host?: string"]);
    d.edit(ping).signature_mut().expect("a signature").is_async = true;
    d.calls(ping, &[], 2);
    let limit = d.define(client_module, None, Constant, "LIMIT");
    d.edit(limit).value = Some("10".into());
    d
}
