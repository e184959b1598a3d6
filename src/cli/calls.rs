//! `calls`: every call site as JSON Lines, for comparison with other tools.

use std::{
    borrow::Cow,
    io::{self, IsTerminal as _, Write},
    mem,
    path::PathBuf,
};

use super::{Input, json_row::JsonRow, note, output};
use crate::cache::Cache;
use apidisc::{
    dependencies::{CallDestinations, CallOrigins, PackageNames, dependencies},
    environment::python::EnvironmentSetting,
    index::{Definition, Index},
    language::Language,
    packages::imported_name,
    program::{
        Argument, ArgumentKind, BoundParameter, CallId, CallSite, DefinitionId, DefinitionKind, FileId, Parameter,
        ReadSite, Resolution, Signature, UnresolvedReason,
    },
};

/// Prints the call sites of a source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PrintCalls {
    /// The input.
    pub input: Input,
    /// The cache of facts; `None` to go without.
    pub cache: Option<Cache>,
    /// Which environment holds the packages that the code imports.
    pub environment: EnvironmentSetting,
    /// The file to write; standard output if `None`.
    pub output: Option<PathBuf>,
    /// Report every file that could not be read in full.
    pub verbose: bool,
}

impl PrintCalls {
    /// Indexes, prints, and reports problems.
    pub fn run(&self) -> anyhow::Result<()> {
        let (index, _, libraries) = self.input.load_counts(self.cache.as_ref(), &self.environment, self.verbose)?;
        let used = dependencies(&index, &libraries);
        let (packages, origins) = (PackageNames::new(&used, &libraries), CallOrigins::new(&used, &libraries));
        // The examples in a file are a part of their own in the index.
        let mut calls: Vec<(CallId, &CallSite)> =
            index.calls.iter().zip(0..).map(|(c, at)| (CallId::new(at), c)).collect();
        calls.sort_by_key(|(_, call)| (&index.file(call.file).path, call.line, call.col));
        let mut json = JsonRow::default();
        output::write(self.output.as_deref(), |out| {
            calls.iter().try_for_each(|&(id, call)| {
                let mut row =
                    CallSiteRow { package: package(&index, call, &packages), ..CallSiteRow::new(&index, id, call) };
                let is_external =
                    call.resolution == Resolution::Unresolved(UnresolvedReason::External) || row.name.is_some();
                let language = index.file(call.file).language;
                let origin = is_external.then(|| origins.of_call(row.path, language, (call.line, call.col))).flatten();
                if let Some(origin) = &origin {
                    (row.package, row.why) = (origin.package.as_deref(), Some(origin.why.word()));
                }
                row.write(&mut json, out)
            })
        })?;
        // A person sees where the calls lead; standard error of other programs is left alone.
        if self.verbose || io::stderr().is_terminal() {
            note(&CallDestinations::of(&index, &origins).in_words());
        }
        let reported = self.input.report(&index, self.verbose);
        // The process ends now, and gives its memory back as a whole.
        mem::forget(index);
        reported
    }
}

/// One line of the output of `calls` or `reads`. Other tools read these lines, so the fields keep their names and their
/// order.
pub(super) struct CallSiteRow<'a> {
    path: &'a str,
    line: u32,
    col: u32,
    caller: Cow<'a, str>,
    callee: Option<&'a str>,
    args: Vec<ArgumentField<'a>>,
    alts: Vec<&'a str>,
    def_path: Option<&'a str>,
    def_line: Option<u32>,
    /// The package that the definition belongs to, if it is an installed one. Left out for `None`, as are `name`, `why`
    /// and `through`.
    package: Option<&'a str>,
    form: &'static str,
    /// For a call of a package that cannot be read, which has no callee: the full name of what is called, from the
    /// import.
    name: Option<&'a str>,
    why: Option<&'static str>,
    /// The constant of a module that the call uses: the instance whose method is called, or the constant that is
    /// called. If the function that a called constant holds may be unknown, there is no callee.
    through: Option<&'a str>,
}

struct ArgumentField<'a> {
    param: Option<Cow<'a, str>>,
    kind: &'static str,
    /// The parameter of another function to which the callee passes on what its `*args` or `**kwargs` receive. For a
    /// callee of an installed package this parameter is `param`.
    forwarded: Option<&'a str>,
    /// The properties of an object literal: `...` for a spread, `[]` for a computed name. Left out for `None`, as is
    /// `forwarded`.
    keys: Option<Vec<&'a str>>,
}

impl<'a> CallSiteRow<'a> {
    fn new(index: &'a Index, id: CallId, call: &'a CallSite) -> Self {
        // Arguments are bound to the first of several candidates.
        let mut candidates = index.calls.candidates(call).iter().map(|id| index.definition(*id));
        let called = candidates.next();
        let absent = called.filter(|definition| index.is_absent_file(definition.place.file));
        let (callee, constant) = match called {
            Some(definition) if definition.modifiers.is_constant && !is_installed(index, definition) => (None, called),
            _ if absent.is_some() => (None, None),
            _ => (called, None),
        };
        let is_installed = called.is_some_and(|definition| is_called_in_package(index, definition));
        let overload = called.and_then(|definition| declared_overload(index, id, definition));
        let rest = called.filter(|definition| definition.kind.is_callable()).and_then(|called| called.value.as_deref());
        let rest = rest.and_then(|value| value.strip_prefix("..."));
        let args = index.calls.arguments(call).iter().enumerate().map(|(at, argument)| match (rest, overload) {
            (Some(rest), _) => ArgumentField::of_implementation(rest, argument),
            (None, Some(overload)) => ArgumentField::of_overload(overload, at, argument),
            (None, None) => ArgumentField::new(called, is_installed, argument),
        });
        // The positions of a package that cannot be read have no names.
        let is_nameless = |field: &ArgumentField<'_>| absent.is_some() && field.kind != "keyword";
        let args = args.map(|field| if is_nameless(&field) { ArgumentField { param: None, ..field } } else { field });
        let args = args.collect();
        let callee = callee.map(|definition| named(index, call, definition));
        // A call of a constant that counts for the constant names the type of a package that declares the signature.
        let of_package = |id: &DefinitionId| self::is_installed(index, index.definition(*id));
        let of_signature = called.and_then(|constant| constant.signature_of).filter(of_package);
        let callee = of_signature.map(|id| index.definition(id)).or(callee);
        Self {
            path: &index.file(call.file).path,
            line: call.line,
            col: call.col,
            caller: surroundings(index, call.file, call.caller),
            callee: callee.map(|definition| written_name(index, definition)),
            args,
            alts: candidates.map(|definition| written_name(index, named(index, call, definition))).collect(),
            def_path: callee.map(|definition| index.file(definition.place.file).path.as_str()),
            def_line: callee.map(|definition| definition.place.line),
            package: None,
            form: call.syntax.form.word(),
            name: absent.map(|definition| imported_name(&definition.fqn)),
            why: match call.resolution {
                Resolution::Resolved(_) => constant.map(|_| UnresolvedReason::Dynamic.word()),
                Resolution::Ambiguous(_) => Some("ambiguous"),
                Resolution::Unresolved(why) => Some(why.word()),
            },
            through: index.reached_through(call).map(|constant| written_name(index, index.definition(constant))),
        }
    }
}

impl<'a> CallSiteRow<'a> {
    /// The row of a read: the reader is the caller, the attribute is the callee.
    pub(super) fn of_read(index: &'a Index, read: &ReadSite) -> Self {
        let attribute = index.definition(read.attribute);
        Self {
            path: &index.file(read.file).path,
            line: read.line,
            col: read.col,
            caller: surroundings(index, read.file, read.reader),
            callee: Some(&attribute.fqn),
            args: Vec::new(),
            alts: Vec::new(),
            def_path: Some(&index.file(attribute.place.file).path),
            def_line: Some(attribute.place.line),
            package: None,
            form: read.form.word(),
            name: None,
            why: None,
            through: read.through.map(|constant| index.definition(constant).fqn.as_str()),
        }
    }

    /// Writes the row as a line of JSON. `json` holds a line while it is made.
    pub(super) fn write(&self, json: &mut JsonRow, out: &mut dyn Write) -> io::Result<()> {
        json.begin();
        json.text("path", Some(self.path));
        json.number("line", Some(self.line));
        json.number("col", Some(self.col));
        json.text("caller", Some(&self.caller));
        json.text("callee", self.callee);
        json.list("args", &self.args, |json, argument| argument.write(json));
        json.texts("alts", self.alts.iter().copied());
        json.text("def_path", self.def_path);
        json.number("def_line", self.def_line);
        json.optional_text("package", self.package);
        json.text("form", Some(self.form));
        json.optional_text("name", self.name);
        json.optional_text("why", self.why);
        json.optional_text("through", self.through);
        json.end();
        json.take_line(|line| out.write_all(line))
    }
}

/// The installed package that a call goes to. `packages` has the package of each module.
fn package<'a>(index: &'a Index, call: &CallSite, packages: &'a PackageNames<'_>) -> Option<&'a str> {
    let callee = index.definition(index.calls.candidates(call).first().copied().or(call.through)?);
    let package_of = |file| packages.of_module(index.module_of_file(file)?);
    // A constant may have a function type of a package, or of another package: it is called by that type's signature.
    let of_signature = callee.signature_of.and_then(|id| package_of(index.definition(id).place.file));
    let of_member = || {
        let path = |file| index.file(file).path.as_str();
        packages.of_member(path(callee.place.file), path(call.file))
    };
    of_signature.or_else(|| package_of(callee.place.file)).or_else(of_member)
}

/// True for a definition of an installed package.
fn is_installed(index: &Index, definition: &Definition) -> bool {
    index.module_of_file(definition.place.file).is_some()
}

/// True for a definition of an installed package, and for a class that inherits its constructor from one.
fn is_called_in_package(index: &Index, called: &Definition) -> bool {
    let mut parameters = called.signature.iter().flat_map(|signature| &signature.parameters);
    let is_installed = |id: DefinitionId| self::is_installed(index, index.definition(id));
    self::is_installed(index, called)
        || parameters.any(|parameter| parameter.is_variadic() && parameter.inherited_from.is_some_and(is_installed))
}

/// The qualified name of a definition. That of an npm package is the name by which it is imported, if it has one.
fn written_name<'a>(index: &Index, definition: &'a Definition) -> &'a str {
    let is_of_package = definition.language == Language::TypeScript && is_installed(index, definition);
    let is_imported_by_name = !definition.alias.ends_with("#default");
    imported_name(if is_of_package && is_imported_by_name { &definition.alias } else { &definition.fqn })
}

/// The definition that a call names. A call of a constructor by its own name, as `super().__init__(x)`, counts for the
/// class, but names the method.
fn named<'a>(index: &'a Index, call: &CallSite, counted: &'a Definition) -> &'a Definition {
    if !call.syntax.names_constructor || counted.kind != DefinitionKind::Class {
        return counted;
    }
    let member = |name: &str| counted.members.iter().map(|&id| index.definition(id)).find(|member| member.name == name);
    member("__init__").or_else(|| member("__new__")).unwrap_or(counted)
}

/// The overload that a call takes, if the definition has no implementation: then the call's parameters are those of the
/// overload. If there is an implementation, they are those of the implementation.
fn declared_overload<'a>(index: &'a Index, call: CallId, definition: &'a Definition) -> Option<&'a Signature> {
    let overload = index.calls.overload(call).filter(|_| definition.modifiers.is_declared)?;
    definition.overloads.get(overload.position())
}

/// The FQN of the function around a site, or of the module. For a site in a constructor the index records the class,
/// because a constructor has no definition of its own.
fn surroundings(index: &Index, file: FileId, function: Option<DefinitionId>) -> Cow<'_, str> {
    match function.map(|id| index.definition(id)) {
        Some(class) if class.kind == DefinitionKind::Class => Cow::Owned(format!("{}.constructor", class.fqn)),
        Some(function) => Cow::Borrowed(&function.fqn),
        None => Cow::Borrowed(&index.module(index.file(file).module).fqn),
    }
}

impl<'a> ArgumentField<'a> {
    /// The argument at the position `at` of a call that takes an overload. TypeScript passes arguments by position.
    fn of_overload(overload: &'a Signature, at: usize, argument: &'a Argument) -> Self {
        let is_declared = |parameter: &&Parameter| parameter.object.is_none();
        let mut declared = overload.parameters.iter().filter(is_declared);
        let last = declared.clone().next_back().filter(|parameter| parameter.is_variadic());
        let parameter = declared.nth(at).or(last).filter(|_| argument.kind != ArgumentKind::Star);
        Self {
            param: parameter.map(|parameter| parameter.label().into_string().into()),
            ..Self::new(None, false, argument)
        }
    }

    /// An argument that the parameter `...rest` of an implementation receives.
    fn of_implementation(rest: &str, argument: &'a Argument) -> Self {
        let is_passed = argument.kind != ArgumentKind::Star;
        Self { param: is_passed.then(|| format!("*{rest}").into()), ..Self::new(None, false, argument) }
    }

    fn new(callee: Option<&Definition>, is_installed: bool, argument: &'a Argument) -> Self {
        let is_spread = matches!(argument.kind, ArgumentKind::Star | ArgumentKind::DoubleStar);
        let param = match &argument.bound {
            _ if is_spread => None,
            _ if is_installed && argument.forwarded.is_some() => argument.forwarded.as_deref().map(Cow::Borrowed),
            BoundParameter::Parameter(position) => callee
                .and_then(|definition| definition.signature.as_ref())
                .and_then(|signature| signature.reported_name(usize::from(*position)))
                .map(|name| name.into_string().into()),
            BoundParameter::Named(name) | BoundParameter::Receiver(name) => Some(name.as_str().into()),
            BoundParameter::Unknown => None,
        };
        let keys = argument.keys.as_ref().map(|keys| keys.iter().map(|key| key.name.as_str()).collect());
        let forwarded = argument.forwarded.as_deref().filter(|_| !is_installed);
        Self { param, kind: argument.kind.word(), forwarded, keys }
    }

    fn write(&self, json: &mut JsonRow) {
        json.begin();
        json.text("param", self.param.as_deref());
        json.text("kind", Some(self.kind));
        json.optional_text("forwarded", self.forwarded);
        if let Some(keys) = &self.keys {
            json.texts("keys", keys.iter().copied());
        }
        json.end();
    }
}
