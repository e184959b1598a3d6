//! Packages that cannot be read: what the calls of the program show of them.
//!
//! `from web import Depends` and `Depends(get, cache=False)` show that the module `web` has a function `Depends`, to
//! which calls pass one argument by position and `cache` by name. Nothing else is known of these definitions. They are
//! added to a program that is linked already, so types and own calls do not depend on them.

use std::{collections::BTreeMap, sync::Arc};

use compact_str::{CompactString, format_compact};

use super::CalledNames;
use apidisc_base::language::Language;
use apidisc_facts::{
    program::{ArgumentKind, BoundParameter, DefinitionKind, ParameterKind},
    source::{NOT_INSTALLED, Origin},
};
use apidisc_link::linked::{
    Content, DefinitionRow, LinkedCall, LinkedDefinition, LinkedFile, LinkedParameter, LinkedProgram, LinkedSignature,
};

/// The most parameters by position of a definition, and the most by name.
const MAX_PARAMETERS: usize = 48;

/// A call of the program: the positions of its file and of the call in that file.
type CallPlace = (usize, usize);

/// The called names of a module, each with its calls. A name of several parts is that of a member.
type CalledMembers = BTreeMap<Vec<CompactString>, Vec<CallPlace>>;

/// Adds the definitions of absent packages that a program of one language calls. `called` has the name that each call
/// writes, and `is_absent` says which packages cannot be read: by the first part of a Python module, or by an import
/// specifier. The files of the result are no longer sorted.
pub(super) fn add(
    program: &mut LinkedProgram,
    language: Language,
    called: &CalledNames,
    is_absent: &dyn Fn(&str) -> bool,
) {
    let mut modules: BTreeMap<CompactString, CalledMembers> = BTreeMap::new();
    for (at, file) in program.files.iter().enumerate().filter(|(_, file)| file.content == Content::Code) {
        let Some(names) = called.get(&file.path) else { continue };
        for (call_at, call) in file.calls.iter().enumerate().filter(|(_, call)| call.candidates.is_empty()) {
            let Ok(found) = names.binary_search_by_key(&(call.line, call.col), |(place, _)| *place) else { continue };
            if let Some((module, parts)) = split(&names[found].1, language)
                && is_absent(&module)
            {
                modules.entry(module).or_default().entry(parts).or_default().push((at, call_at));
            }
        }
    }
    // Definitions are large: a table that grows step by step would be copied, and end with room for as many again.
    let parts = modules.values().flat_map(CalledMembers::keys).map(Vec::len);
    program.definitions.reserve_exact(parts.sum());
    for (module, members) in modules {
        Module { program, language, line: 0 }.add(module, members);
    }
}

/// The module of a called name, and the names in the module. In Python a module ends before the first name that begins
/// with a capital letter or ends the path; in TypeScript the import specifier ends before `#`.
fn split(name: &str, language: Language) -> Option<(CompactString, Vec<CompactString>)> {
    let parts = |inner: &str| inner.split('.').map(CompactString::new).collect::<Vec<_>>();
    match language {
        Language::TypeScript => {
            let (module, inner) = name.split_once('#').filter(|(_, inner)| !inner.is_empty())?;
            Some((module.into(), parts(inner)))
        }
        Language::Python => {
            let all = parts(name);
            let is_class = |part: &CompactString| part.starts_with(|first: char| first.is_uppercase());
            let end = all.iter().position(is_class).unwrap_or(all.len().checked_sub(1)?).max(1);
            let inner = all.get(end..).filter(|inner| !inner.is_empty())?.to_vec();
            Some((all[..end].join(".").into(), inner))
        }
    }
}

struct Module<'p> {
    program: &'p mut LinkedProgram,
    language: Language,
    /// The line of the last definition: they stand one below the other.
    line: u32,
}

impl Module<'_> {
    fn add(&mut self, module: CompactString, members: CalledMembers) {
        let file = self.program.files.len();
        let mut rows: BTreeMap<Vec<CompactString>, DefinitionRow> = BTreeMap::new();
        let mut holders: BTreeMap<Vec<CompactString>, DefinitionRow> = BTreeMap::new();
        let names: Vec<Vec<CompactString>> = members.keys().cloned().collect();
        for (parts, calls) in members {
            let outer = &parts[..parts.len() - 1];
            let holder = (!outer.is_empty()).then(|| self.holder(file, &module, outer, &mut holders));
            // A class of Python is called by its own name. In TypeScript a function and a namespace merge.
            let has_members = names.iter().any(|name| name.len() > parts.len() && name.starts_with(&parts));
            let row = if has_members && self.language == Language::Python && is_class_name(&parts) {
                self.holder(file, &module, &parts, &mut holders)
            } else {
                // What is called on a class of Python is no method of an instance.
                let is_static = holder.is_some() && self.language == Language::Python;
                let kind = if is_static { DefinitionKind::StaticMethod } else { DefinitionKind::Function };
                self.define(file, &module, &parts, kind, holder)
            };
            rows.insert(parts.clone(), row);
            let signature = Shape::of(calls.iter().map(|&place| self.call(place))).signature(self.language);
            for place in calls {
                bind(self.call_mut(place), row, &signature);
            }
            self.program.definitions[row.index()].signature = Some(Box::new(signature));
        }
        holders.extend(rows);
        let top = holders.into_iter().filter(|(parts, _)| parts.len() == 1);
        let mut exports: Vec<_> = top.map(|(mut parts, row)| (parts.swap_remove(0), row)).collect();
        exports.sort_unstable();
        let folder = if self.language == Language::Python { module.replace('.', "/") } else { module.to_string() };
        let name = if self.language == Language::Python { "__init__.pyi" } else { "index.d.ts" };
        if self.language == Language::TypeScript {
            // The sources import the module by its specifier, never by a path.
            self.program.packages.push((module.clone(), module.clone()));
        }
        self.program.files.push(LinkedFile {
            path: format_compact!("{NOT_INSTALLED}/{folder}/{name}"),
            language: self.language,
            content: Content::Code,
            origin: Origin::Src,
            is_auxiliary: false,
            is_apart: false,
            is_internal: false,
            module,
            exports,
            calls: Vec::new(),
            reads: Vec::new(),
            uses: Vec::new(),
            requests: Vec::new(),
            routes: Vec::new(),
        });
    }

    fn call(&self, (file, at): CallPlace) -> &LinkedCall {
        &self.program.files[file].calls[at]
    }

    fn call_mut(&mut self, (file, at): CallPlace) -> &mut LinkedCall {
        &mut self.program.files[file].calls[at]
    }

    /// The class or namespace of a name, with those around it. Each has one definition, which `holders` keeps.
    fn holder(
        &mut self,
        file: usize,
        module: &str,
        parts: &[CompactString],
        holders: &mut BTreeMap<Vec<CompactString>, DefinitionRow>,
    ) -> DefinitionRow {
        let kind = match self.language {
            Language::Python => DefinitionKind::Class,
            Language::TypeScript => DefinitionKind::Namespace,
        };
        let mut outer = None;
        for end in 1..parts.len() {
            let known = holders.get(&parts[..end]).copied();
            let row = known.unwrap_or_else(|| self.define(file, module, &parts[..end], kind, outer));
            holders.insert(parts[..end].to_vec(), row);
            outer = Some(row);
        }
        let known = holders.get(parts).copied();
        let row = known.unwrap_or_else(|| self.define(file, module, parts, kind, outer));
        holders.insert(parts.to_vec(), row);
        row
    }

    fn define(
        &mut self,
        file: usize,
        module: &str,
        parts: &[CompactString],
        kind: DefinitionKind,
        holder: Option<DefinitionRow>,
    ) -> DefinitionRow {
        let row = DefinitionRow::new(self.program.definitions.len());
        let separator = if self.language == Language::Python { '.' } else { '#' };
        let fqn = format_compact!("{module}{separator}{}", parts.join("."));
        let name = parts.last().cloned().unwrap_or_default();
        self.line += 1;
        let definition = LinkedDefinition::new(file, fqn, name, kind, self.line);
        let definition = LinkedDefinition { parent: holder, is_public: Some(true), ..definition };
        self.program.definitions.push(definition);
        row
    }
}

/// True if the last part of a name begins with a capital letter, as the names of classes do.
fn is_class_name(parts: &[CompactString]) -> bool {
    parts.last().is_some_and(|name| name.starts_with(|first: char| first.is_uppercase()))
}

/// The arguments that calls pass to one definition.
#[derive(Default)]
struct Shape {
    calls: usize,
    /// For each position: the calls that pass an argument there, and the properties of the objects that are passed.
    positions: Vec<(usize, BTreeMap<CompactString, usize>)>,
    /// The calls that pass each name.
    names: BTreeMap<CompactString, usize>,
}

impl Shape {
    fn of<'c>(calls: impl Iterator<Item = &'c LinkedCall>) -> Self {
        let mut shape = Self::default();
        for call in calls {
            shape.calls += 1;
            for (at, argument) in positional(call) {
                if shape.positions.len() <= at {
                    shape.positions.resize_with(at + 1, Default::default);
                }
                shape.positions[at].0 += 1;
                for key in argument.keys.iter().flatten().filter(|key| is_name(&key.name)) {
                    *shape.positions[at].1.entry(CompactString::new(&key.name)).or_default() += 1;
                }
            }
            for argument in &*call.arguments {
                if let BoundParameter::Named(name) = &argument.bound {
                    *shape.names.entry(CompactString::new(name)).or_default() += 1;
                }
            }
        }
        shape
    }

    fn signature(self, language: Language) -> LinkedSignature {
        let mut parameters = Vec::new();
        let objects = self.positions.iter().filter(|(_, keys)| !keys.is_empty()).count();
        for (at, (count, keys)) in self.positions.into_iter().enumerate() {
            let name = match (keys.is_empty(), objects) {
                (true, _) => format_compact!("arg{}", at + 1),
                (false, 1) => CompactString::const_new("options"),
                (false, _) => format_compact!("options{}", at + 1),
            };
            let object = parameters.len() as u16;
            let required = count == self.calls;
            let parameter = LinkedParameter::undeclared(name, ParameterKind::PositionalOnly, None);
            parameters.push(LinkedParameter { required, ..parameter });
            let properties = by_count(keys).into_iter().take(MAX_PARAMETERS);
            parameters.extend(
                properties.map(|name| LinkedParameter::undeclared(name, ParameterKind::Property, Some(object))),
            );
        }
        let kind = if language == Language::Python { ParameterKind::KeywordOnly } else { ParameterKind::Property };
        let names = by_count(self.names).into_iter().take(MAX_PARAMETERS);
        parameters.extend(names.map(|name| LinkedParameter::undeclared(name, kind, None)));
        LinkedSignature { parameters, ..LinkedSignature::default() }
    }
}

/// Names by the number of calls, then by name.
fn by_count(names: BTreeMap<CompactString, usize>) -> Vec<CompactString> {
    let mut names: Vec<(CompactString, usize)> = names.into_iter().collect();
    names.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    names.into_iter().map(|(name, _)| name).collect()
}

/// False for the marks of spreads and computed names among the properties of an object.
fn is_name(name: &str) -> bool {
    name != "..." && name != "[]"
}

/// The arguments by position before the first spread, each with its position.
fn positional(call: &LinkedCall) -> impl Iterator<Item = (usize, &apidisc_facts::program::Argument)> {
    let before = call.arguments.iter().take_while(|argument| argument.kind != ArgumentKind::Star);
    before.filter(|argument| argument.kind.is_positional()).enumerate().take(MAX_PARAMETERS)
}

/// Lets a call go to a definition, and binds its arguments to the parameters of the definition.
fn bind(call: &mut LinkedCall, row: DefinitionRow, signature: &LinkedSignature) {
    call.candidates.push(row);
    // The arguments have the positions of this definition, and of no class or constant beside it.
    (call.receiver, call.through) = (None, None);
    let is_position = |at: &usize| signature.parameters[*at].kind == ParameterKind::PositionalOnly;
    let positions: Vec<usize> = (0..signature.parameters.len()).filter(is_position).collect();
    let bound: Vec<usize> = positional(call).map(|(at, _)| positions[at]).collect();
    let mut bound = bound.into_iter();
    let mut has_spread = false;
    for argument in Arc::make_mut(&mut call.arguments) {
        has_spread |= argument.kind == ArgumentKind::Star;
        let parameter = if argument.kind.is_positional() && !has_spread {
            bound.next()
        } else if let BoundParameter::Named(name) = &argument.bound {
            signature.parameters.iter().position(|p| p.kind == ParameterKind::KeywordOnly && p.name == **name)
        } else {
            None
        };
        let Some(parameter) = parameter else { continue };
        argument.bound = BoundParameter::Parameter(parameter as u16);
        for key in argument.keys.iter_mut().flatten() {
            let is_key = |p: &LinkedParameter| p.within == Some(parameter as u16) && p.name == *key.name;
            key.bound = signature.parameters.iter().position(is_key).map(|at| at as u16);
        }
    }
}
