//! Builds small indexes by hand, without sources, for tests of stubs.

use std::sync::Arc;

use apidisc::{
    index::{Definition, File, Index, Module},
    language::Language,
    program::{
        DefinitionId, DefinitionKind, DefinitionPlace, FileId, Modifiers, ModuleId, Parameter, ParameterKind,
        ParameterSet, Signature,
    },
    source::Origin,
    usage::{ArgumentSet, Ledger, ParameterUsage},
};
use thin_vec::{ThinVec, thin_vec};

/// A builder of an index.
#[derive(Default)]
pub(crate) struct Sample {
    pub(crate) index: Index,
}

impl Sample {
    /// Adds a module with a file.
    pub(crate) fn module(&mut self, fqn: &str) -> ModuleId {
        let (module, file) = (ModuleId::new(self.index.modules.len()), FileId::new(self.index.files.len()));
        let path = format!("{}.py", fqn.replace('.', "/"));
        self.index.files.push(File {
            source: 0,
            path: path.into(),
            origin: Origin::Src,
            is_auxiliary: false,
            is_apart: false,
            is_internal: false,
            language: Language::Python,
            module,
        });
        let parent_name = fqn.rsplit_once('.').map_or("", |(parent, _)| parent);
        let parent = self.index.modules.iter().position(|m| m.fqn == parent_name).map(ModuleId::new);
        if let Some(parent) = parent {
            self.index.modules[parent.index()].children.push(module);
            self.index.modules[parent.index()].is_package = true;
        }
        self.index.modules.push(Module {
            fqn: fqn.into(),
            parent,
            children: Vec::new(),
            file: Some(file),
            is_package: false,
            definitions: Vec::new(),
            exports: Vec::new(),
            total_calls: 0,
            total_reads: 0,
        });
        module
    }

    /// Adds a definition without a signature.
    pub(crate) fn define(
        &mut self,
        module: ModuleId,
        parent: Option<DefinitionId>,
        name: &str,
        kind: DefinitionKind,
    ) -> DefinitionId {
        let id = DefinitionId::new(self.index.definitions.len());
        let above = match parent {
            Some(parent) => self.index.definition(parent).fqn.to_string(),
            None => self.index.module(module).fqn.to_string(),
        };
        let fqn = format!("{above}.{name}");
        let file = self.index.module(module).file.expect("modules of a sample have files");
        self.index.definitions.push(Definition {
            fqn: fqn.as_str().into(),
            alias: fqn.as_str().into(),
            aliases: ThinVec::new(),
            name: name.into(),
            kind,
            language: Language::Python,
            module,
            parent,
            members: ThinVec::new(),
            place: DefinitionPlace { file, line: 1, end_line: 1 },
            summary: None,
            documentation: None,
            bases: ThinVec::new(),
            ancestors: ThinVec::new(),
            decorators: ThinVec::new(),
            signature: None,
            annotation: None,
            value: None,
            overloads: ThinVec::new(),
            type_parameters: None,
            modifiers: Modifiers::default(),
            type_names: ThinVec::new(),
            type_imports: thin_vec![],
            signature_of: None,
            is_public: !name.starts_with('_'),
            typical_call: None,
            used_members: thin_vec![],
            usage: Arc::default(),
        });
        match parent {
            Some(parent) => self.index.definitions[parent.index()].members.push(id),
            None => self.index.modules[module.index()].definitions.push(id),
        }
        id
    }

    /// Adds a definition with parameters written as `self; name: str, /, model: str = '', *, tools=[], **kwargs`
    /// (the receiver before `;`).
    pub(crate) fn callable(
        &mut self,
        module: ModuleId,
        parent: Option<DefinitionId>,
        kind: DefinitionKind,
        name: &str,
        signature: &str,
    ) -> DefinitionId {
        let id = self.define(module, parent, name, kind);
        let signature = parse(signature);
        let definition = &mut self.index.definitions[id.index()];
        definition.usage_mut().parameters = vec![ParameterUsage::default(); signature.parameters.len()];
        definition.signature = Some(Arc::new(signature));
        id
    }

    /// The definition, to set its other fields.
    pub(crate) fn edit(&mut self, id: DefinitionId) -> &mut Definition {
        &mut self.index.definitions[id.index()]
    }

    /// Counts calls that pass these parameters by name.
    pub(crate) fn calls(&mut self, id: DefinitionId, names: &[&str], calls: u32) {
        let signature = self.index.definition(id).signature.as_ref().expect("a signature");
        let position = |name: &&str| signature.parameters.iter().position(|p| p.name == **name).expect("a parameter");
        let set: ParameterSet = names.iter().map(position).collect();
        self.calls_with(id, set, false, calls);
    }

    /// Counts calls that pass these parameters; an open call may pass any other parameter too.
    pub(crate) fn calls_with(&mut self, id: DefinitionId, set: ParameterSet, open: bool, calls: u32) {
        let usage = self.index.definitions[id.index()].usage_mut();
        usage.total_calls += calls;
        usage.origins[0] += calls;
        usage.ledger = Ledger { resolved: usage.total_calls, ..usage.ledger };
        for (position, row) in usage.parameters.iter_mut().enumerate() {
            if set.contains(position) {
                row.count += calls;
            } else if open {
                row.unknown += calls;
            }
        }
        if open {
            usage.ledger.spread += calls;
        }
        match usage.argument_sets.iter_mut().find(|s| s.parameters == set && s.open == open) {
            Some(known) => *known = ArgumentSet::new(set, open, known.calls + calls),
            None => usage.argument_sets.push(ArgumentSet::new(set, open, calls)),
        }
        usage.argument_sets.sort_by(|a, b| b.calls.cmp(&a.calls).then_with(|| a.parameters.cmp(&b.parameters)));
    }

    /// Counts reads of an attribute.
    pub(crate) fn reads(&mut self, id: DefinitionId, reads: u32) {
        let usage = self.index.definitions[id.index()].usage_mut();
        usage.total_reads += reads;
        usage.worth_of_reads = usage.total_reads * ArgumentSet::WORTH_OF_A_CALL;
        usage.origins[0] += reads;
    }

    /// Completes the index with ranks and the totals of modules.
    pub(crate) fn build(mut self) -> Arc<Index> {
        let mut order: Vec<usize> =
            (0..self.index.definitions.len()).filter(|&i| self.index.definitions[i].usage.uses() > 0).collect();
        order.sort_by_key(|&i| {
            let definition = &self.index.definitions[i];
            (std::cmp::Reverse(definition.usage.uses()), definition.fqn.clone())
        });
        for (rank, i) in order.into_iter().enumerate() {
            self.index.definitions[i].usage_mut().rank = rank as u32 + 1;
        }
        self.index.complete = true;
        Arc::new(self.index)
    }
}

fn parse(text: &str) -> Signature {
    let (text, is_async) = text.strip_prefix("async ").map_or((text, false), |rest| (rest, true));
    let (text, returns) = text.split_once(" -> ").map_or((text, None), |(text, returns)| (text, Some(returns.into())));
    let (receiver, text) = text.split_once(';').map_or((None, text), |(receiver, rest)| (Some(receiver.into()), rest));
    let mut parameters: Vec<Parameter> = Vec::new();
    let mut kind = ParameterKind::Standard;
    for item in text.split(", ").map(str::trim).filter(|item| !item.is_empty()) {
        match item {
            "/" => parameters.iter_mut().for_each(|p| p.kind = ParameterKind::PositionalOnly),
            "*" => kind = ParameterKind::KeywordOnly,
            _ => {
                let (head, default) = item.split_once('=').map_or((item, None), |(h, d)| (h, Some(d.trim())));
                let (name, annotation) = head.split_once(':').map_or((head, None), |(n, a)| (n, Some(a.trim())));
                let name = name.trim();
                let this = if name.starts_with("**") {
                    ParameterKind::VarKeyword
                } else if name.starts_with('*') {
                    ParameterKind::VarPositional
                } else {
                    kind
                };
                if this == ParameterKind::VarPositional {
                    kind = ParameterKind::KeywordOnly;
                }
                let is_variadic = matches!(this, ParameterKind::VarKeyword | ParameterKind::VarPositional);
                parameters.push(Parameter {
                    name: name.trim_start_matches('*').into(),
                    kind: this,
                    annotation: annotation.map(Into::into),
                    default: default.map(Into::into),
                    required: default.is_none() && !is_variadic,
                    meaning: None,
                    inherited_from: None,
                    object: None,
                });
            }
        }
    }
    Signature { parameters: parameters.into(), returns, is_async, receiver, ..Signature::default() }
}

/// The example package of the design documents: a class with many arguments, its methods, and a few other definitions.
pub(crate) fn agents() -> Sample {
    use DefinitionKind::{Attribute, Class, Constant, Function, Method, Property};
    let mut sample = Sample::default();
    let package = sample.module("google.adk.agents");
    let module = sample.module("google.adk.agents.llm_agent");
    let tools = sample.module("google.adk.agents.tools");
    let _ = package;
    let agent = sample.callable(
        module,
        None,
        Class,
        "LlmAgent",
        "self; *, name: str, model: Union[str,BaseLlm] = '', instruction: str = '', tools: list = [], \
         planner: Planner = None, output_key: str = None, code_executor: Executor = None, description: str = ''",
    );
    sample.edit(agent).alias = "google.adk.agents.LlmAgent".into();
    sample.edit(agent).aliases = thin_vec!["google.adk.agents.Agent".into(), "google.adk.agents.LlmAgent".into()];
    sample.edit(agent).bases = thin_vec!["BaseAgent".into()];
    sample.edit(agent).summary = Some("An agent that asks a model. It does more.".into());
    sample.calls(agent, &["name", "model"], 40);
    sample.calls(agent, &["name", "model", "instruction"], 30);
    sample.calls(agent, &["name", "model", "instruction", "tools"], 25);
    sample.calls(agent, &["name"], 2);
    sample.calls(agent, &["name", "model", "planner"], 3);
    sample.calls(agent, &["name", "model", "output_key", "instruction"], 1);
    let run = sample.callable(
        module,
        Some(agent),
        Method,
        "run",
        "self; message: str, *, timeout: float = 30.0, session=None -> Result",
    );
    sample.calls(run, &["message"], 9);
    sample.calls(run, &["message", "timeout"], 3);
    let stop = sample.callable(module, Some(agent), Method, "stop", "async self; ");
    sample.edit(stop).summary = Some("Stops at once.".into());
    let canonical = sample.define(module, Some(agent), "canonical_model", Property);
    sample.edit(canonical).annotation = Some("BaseLlm".into());
    sample.define(module, Some(agent), "_private", Method);
    let kind = sample.define(module, Some(agent), "kind", Attribute);
    sample.edit(kind).annotation = Some("str".into());
    let load = sample.callable(
        tools,
        None,
        Function,
        "load_tools",
        "path, /, strict=True, *names: str, **options -> list[Tool]",
    );
    sample.calls(load, &["path"], 4);
    sample.calls_with(load, [0].into_iter().collect(), true, 2);
    let limit = sample.define(tools, None, "LIMIT", Constant);
    sample.edit(limit).value = Some("10".into());
    sample
}
