//! A small index made by hand for the explorer's tests, independent of parsing and linking.

// Every test program uses only a part of this module.
#![allow(dead_code, unreachable_pub, clippy::unwrap_used, clippy::too_many_arguments)]

pub mod ads;
pub mod asked;
mod asking;
pub mod canned;
pub mod drive;
pub mod dump;
pub mod packages;

use std::sync::Arc;

use apidisc::{
    index::{Definition, File, Index, Module},
    language::Language,
    program::{
        DefinitionId, DefinitionKind, DefinitionPlace, FileId, Modifiers, ModuleId, Parameter, ParameterKind, Signature,
    },
    source::{Origin, SourceMeta},
    usage::{ArgumentSet, Ledger, ParameterUsage, Usage},
};
use thin_vec::{ThinVec, thin_vec};

/// A parameter: name, annotation, default (`None` if required), and the number of calls that pass it. A name that
/// begins with a dot is a property of the preceding parameter.
type ParameterRow<'a> = (&'a str, &'a str, Option<&'a str>, u32);

/// A builder of an index.
#[derive(Default)]
pub struct Builder {
    index: Index,
}

impl Builder {
    /// Adds a module with a file. Its parent is the package named before the last dot or slash, if that package exists.
    /// A module whose name contains a slash is a module of TypeScript.
    pub fn module(&mut self, fqn: &str, origin: Origin, is_package: bool) -> ModuleId {
        let id = ModuleId::new(self.index.modules.len());
        let file = FileId::new(self.index.files.len());
        let language = if fqn.contains('/') { Language::TypeScript } else { Language::Python };
        let base = fqn.replace('.', "/");
        let path = match language {
            Language::TypeScript => format!("{fqn}.ts"),
            Language::Python if is_package => format!("{base}/__init__.py"),
            Language::Python => format!("{base}.py"),
        };
        self.index.files.push(File {
            path: path.into(),
            source: 0,
            origin,
            is_auxiliary: false,
            is_apart: false,
            is_internal: false,
            language,
            module: id,
        });
        let parent = fqn
            .rsplit_once(['.', '/'])
            .and_then(|(parent, _)| self.index.modules.iter().position(|m| m.fqn == parent).map(ModuleId::new));
        if let Some(parent) = parent {
            self.index.modules[parent.index()].children.push(id);
        }
        self.index.modules.push(Module {
            fqn: fqn.into(),
            parent,
            children: vec![],
            file: Some(file),
            is_package,
            definitions: vec![],
            exports: vec![],
            total_calls: 0,
            total_reads: 0,
        });
        id
    }

    /// Adds a definition at module level, or a member of a class.
    pub fn define(
        &mut self,
        module: ModuleId,
        parent: Option<DefinitionId>,
        kind: DefinitionKind,
        name: &str,
        calls: u32,
        rows: &[ParameterRow<'_>],
    ) -> DefinitionId {
        let id = DefinitionId::new(self.index.definitions.len());
        let container = match parent {
            Some(parent) => self.index.definition(parent).fqn.to_string(),
            None => self.index.module(module).fqn.to_string(),
        };
        let file = self.index.module(module).file.unwrap_or(FileId::new(0));
        let language = self.index.file(file).language;
        let separator = if language == Language::TypeScript && parent.is_none() { '#' } else { '.' };
        let fqn = format!("{container}{separator}{name}");
        let object = |position: usize| {
            let is_property = rows[position].0.starts_with('.');
            is_property.then(|| rows[..position].iter().rposition(|row| !row.0.starts_with('.')).unwrap() as u16)
        };
        let parameters: Box<[Parameter]> = rows
            .iter()
            .enumerate()
            .map(|(position, (name, annotation, default, _))| Parameter {
                name: name.trim_start_matches('.').into(),
                kind: if object(position).is_some() { ParameterKind::Property } else { ParameterKind::Standard },
                annotation: (!annotation.is_empty()).then(|| (*annotation).into()),
                default: default.map(Into::into),
                required: default.is_none(),
                meaning: None,
                inherited_from: None,
                object: object(position),
            })
            .collect();
        let usage = Usage {
            total_calls: calls,
            parameters: rows.iter().map(|(.., count)| ParameterUsage { count: *count, ..Default::default() }).collect(),
            argument_sets: argument_sets(calls, rows),
            origins: [calls / 2, calls - calls / 2, 0, 0],
            ..Default::default()
        };
        let line = 10 * (self.index.definitions.len() as u32 + 1);
        self.index.definitions.push(Definition {
            fqn: fqn.as_str().into(),
            alias: fqn.as_str().into(),
            aliases: ThinVec::new(),
            name: name.into(),
            kind,
            language,
            module,
            parent,
            members: ThinVec::new(),
            place: DefinitionPlace { file, line, end_line: line + 5 },
            summary: None,
            documentation: None,
            bases: ThinVec::new(),
            ancestors: ThinVec::new(),
            decorators: ThinVec::new(),
            signature: kind.is_callable().then(|| Arc::new(Signature { parameters, ..Default::default() })),
            annotation: (!kind.is_callable()).then(|| "int".into()),
            value: None,
            overloads: ThinVec::new(),
            type_parameters: None,
            modifiers: Modifiers::default(),
            type_names: ThinVec::new(),
            type_imports: ThinVec::new(),
            signature_of: None,
            is_public: !name.starts_with('_'),
            typical_call: None,
            used_members: ThinVec::new(),
            usage: Arc::new(usage),
        });
        match parent {
            Some(parent) => self.index.definitions[parent.index()].members.push(id),
            None => self.index.modules[module.index()].definitions.push(id),
        }
        let mut above = Some(module);
        while let Some(module) = above {
            let module = &mut self.index.modules[module.index()];
            module.total_calls += calls;
            above = module.parent;
        }
        self.index.ledger.resolved += calls;
        id
    }

    /// Changes a definition.
    pub fn change(&mut self, id: DefinitionId, change: impl FnOnce(&mut Definition)) {
        change(&mut self.index.definitions[id.index()]);
    }

    /// Completes the index.
    pub fn build(mut self, complete: bool) -> Index {
        self.index.complete = complete;
        self.index.sources = vec![SourceMeta { url: "station".to_owned(), ..SourceMeta::default() }];
        self.index.ledger = Ledger {
            ambiguous: 12,
            spread: 7,
            unknown_receiver: 341,
            unknown_name: 3,
            dynamic: 29,
            external: 902,
            ..self.index.ledger
        };
        self.index
    }
}

/// Argument sets that add up to the counts: a call that passes a rare argument passes every more frequent one too.
fn argument_sets(calls: u32, rows: &[ParameterRow<'_>]) -> Vec<ArgumentSet> {
    let mut steps: Vec<u32> = rows.iter().map(|row| row.3).chain([0, calls]).collect();
    steps.sort_unstable();
    steps.dedup();
    let sets = steps.windows(2).map(|step| {
        let parameters = (0..rows.len()).filter(|&i| rows[i].3 >= step[1]).collect();
        ArgumentSet::new(parameters, false, step[1] - step[0])
    });
    sets.collect()
}

/// A library of two packages with tests.
pub fn station() -> Builder {
    fill(Builder::default())
}

/// The library of [`station`], and a package of TypeScript whose calls pass objects.
pub fn station_and_client() -> Builder {
    use DefinitionKind::{Class, Interface, Method};
    let mut b = station();
    for folder in ["packages", "packages/client", "packages/client/src"] {
        b.module(folder, Origin::Src, true);
    }
    let client = b.module("packages/client/src/client", Origin::Src, false);
    let rows = [
        ("url", "string", None, 640),
        ("options", "Options", Some("{}"), 240),
        (".timeout", "number", Some("30"), 61),
        (".retries", "number", Some("3"), 180),
        (".signal", "AbortSignal", Some("undefined"), 0),
        ("label", "string", Some("''"), 7),
    ];
    let class = b.define(client, None, Class, "Client", 640, &rows);
    b.change(class, |d| d.alias = "@station/client#Client".into());
    b.define(client, Some(class), Method, "get", 120, &[("path", "string", None, 120)]);
    b.define(client, None, Interface, "Options", 0, &[]);
    b
}

/// Adds the library of [`station`] to an index.
pub fn fill(mut b: Builder) -> Builder {
    use DefinitionKind::{Attribute, Class, Constant, Function, Method};
    b.module("station", Origin::Src, true);
    let agents = b.module("station.agents", Origin::Src, true);
    let core = b.module("station.agents.core", Origin::Src, false);
    let tools = b.module("station.tools", Origin::Src, false);
    b.module("station.version", Origin::Src, false);
    let tests = b.module("tests", Origin::Tests, true);
    let agent = b.define(
        core,
        None,
        Class,
        "Agent",
        412,
        &[
            ("name", "str", None, 412),
            ("description", "str", Some("''"), 91),
            ("model", "Union[str, BaseModel]", Some("''"), 371),
            ("instruction", "Union[str, InstructionProvider]", Some("''"), 303),
            ("tools", "list[ToolUnion]", Some("[]"), 201),
            ("planner", "Optional[Planner]", Some("None"), 9),
            ("before_call", "Optional[Callback]", Some("None"), 0),
        ],
    );
    b.change(agent, |d| {
        d.alias = "station.Agent".into();
        d.bases = thin_vec!["BaseAgent".into()];
        d.summary = Some("An agent that asks a model what to do next.".into());
        d.usage_mut().parameters[2].values = vec![("'small'".into(), 120), ("'large'".into(), 44)];
        d.usage_mut().parameters[5].unknown = 6;
    });
    b.define(
        core,
        Some(agent),
        Method,
        "run",
        57,
        &[("question", "str", None, 57), ("timeout", "float", Some("30.0"), 11)],
    );
    b.define(core, Some(agent), Method, "close", 0, &[]);
    b.define(core, Some(agent), Attribute, "calls", 0, &[]);
    let base = b.define(core, None, Class, "BaseAgent", 3, &[]);
    b.change(base, |d| d.signature = None);
    b.define(tools, None, Function, "fetch", 88, &[("url", "str", None, 88), ("retries", "int", Some("3"), 30)]);
    let spread = b.define(tools, None, Function, "spread", 5, &[("x", "", Some("0"), 0)]);
    b.change(spread, |d| d.usage_mut().parameters[0].unknown = 5);
    b.define(tools, None, Function, "unused", 0, &[("flag", "bool", Some("False"), 0)]);
    b.define(tools, None, Function, "_private", 4, &[("x", "int", None, 4)]);
    b.define(tools, None, Constant, "LIMIT", 0, &[]);
    b.define(agents, None, Function, "größe", 2, &[("breite_in_日本", "float", None, 2)]);
    b.define(tests, None, Function, "helper", 20, &[]);
    b
}
