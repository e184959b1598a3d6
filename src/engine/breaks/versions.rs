//! Two versions, and the verdict on a use that each resolves for itself.

use std::{cell::RefCell, ptr, rc::Rc};

use rustc_hash::FxHashMap;

use crate::{
    arguments::{self, Binding},
    code::FunctionCode,
    forms::{Form, Forms},
    modules,
    overloads::{self, TypedCall},
    presence::Presence,
    replacement,
    report::{Finding, Rule, Verdict, Violation},
    said,
    symbols::Symbols,
    version::Version,
};
use apidisc_base::language::Language;
use apidisc_facts::program::{Argument, CallSite, DefinitionId, DefinitionKind, ReadSite};
use apidisc_indexing::{
    index::{Definition, Index},
    packages::InstalledModule,
};

/// The greatest number of lines of a definition in which messages about its parameters are looked for.
const MAX_LINES: usize = 3_000;

/// A place in a file: path, line and column.
pub(crate) type Place<'v> = (&'v str, u32, u32);

/// The code of functions, by whether they are of the new version.
type CodeTable = FxHashMap<(bool, DefinitionId), Option<Rc<FunctionCode>>>;

/// Two versions of what a program uses.
pub(crate) struct Versions<'v> {
    pub(crate) before: &'v Version<'v>,
    pub(crate) after: &'v Version<'v>,
    /// The names of `before`.
    pub(crate) old: Symbols<'v>,
    /// The names of `after`.
    pub(crate) new: Symbols<'v>,
    /// The calls of the new index.
    calls: FxHashMap<Place<'v>, &'v CallSite>,
    /// The reads of attributes of the new index.
    reads: FxHashMap<Place<'v>, &'v ReadSite>,
    /// The texts of files that were read, by whether they are of the new version, and by path.
    texts: RefCell<FxHashMap<(bool, String), Rc<str>>>,
    /// The code of functions that were looked at.
    codes: RefCell<CodeTable>,
    /// The arguments of the calls of TypeScript files, by path.
    forms: RefCell<FxHashMap<String, Forms>>,
    /// The calls and reads of the old index by what they go to.
    pub(crate) uses: Uses<'v>,
}

/// The calls and reads of an index by the module of the package that they go to, so that each package looks at its own
/// only.
#[derive(Default)]
pub(crate) struct Uses<'v> {
    /// The calls by the module of the first candidate.
    calls: FxHashMap<Module<'v>, Vec<&'v CallSite>>,
    /// The calls of classes whose constructors follow from fields: a base may be of another module than the class.
    pub(crate) of_fields: Vec<&'v CallSite>,
    /// The calls without candidates.
    pub(crate) unresolved: Vec<&'v CallSite>,
    /// The reads of attributes by the module of the attribute.
    reads: FxHashMap<Module<'v>, Vec<&'v ReadSite>>,
}

/// A module of a package: its language and name.
pub(crate) type Module<'v> = (Language, &'v str);

impl<'v> Uses<'v> {
    fn of(index: &'v Index) -> Self {
        let module = |definition: &Definition| {
            let found = InstalledModule::of_file(&index.file(definition.place.file).path)?;
            Some((found.language(), found.name()))
        };
        let mut uses = Self::default();
        for call in index.calls.iter() {
            let Some(id) = callee(index, call) else {
                uses.unresolved.push(call);
                continue;
            };
            let definition = index.definition(id);
            if definition.signature.as_ref().is_some_and(|signature| signature.is_synthesized) {
                uses.of_fields.push(call);
            }
            if let Some(module) = module(definition) {
                uses.calls.entry(module).or_default().push(call);
            }
        }
        for read in index.reads.iter() {
            if let Some(module) = module(index.definition(read.attribute)) {
                uses.reads.entry(module).or_default().push(read);
            }
        }
        uses
    }

    /// The calls of definitions of a module.
    pub(crate) fn calls<'s>(&'s self, module: Module<'s>) -> &'s [&'s CallSite] {
        self.calls.get(&module).map_or(&[], Vec::as_slice)
    }

    /// The reads of attributes of a module.
    pub(crate) fn reads<'s>(&'s self, module: Module<'s>) -> &'s [&'s ReadSite] {
        self.reads.get(&module).map_or(&[], Vec::as_slice)
    }
}

impl<'v> Versions<'v> {
    pub(crate) fn new(before: &'v Version<'v>, after: &'v Version<'v>) -> Self {
        let path = |file| after.index.file(file).path.as_str();
        let calls = after.index.calls.iter().map(|call| ((path(call.file), call.line, call.col), call));
        let reads = after.index.reads.iter().map(|read| ((path(read.file), read.line, read.col), read));
        Self {
            before,
            after,
            old: Symbols::new(before),
            new: Symbols::new(after),
            calls: calls.collect(),
            reads: reads.collect(),
            texts: RefCell::default(),
            codes: RefCell::default(),
            forms: RefCell::default(),
            uses: Uses::of(before.index),
        }
    }

    /// True if a version is compared with itself.
    pub(crate) fn is_one(&self) -> bool {
        ptr::eq(self.before, self.after)
    }

    /// The call of the new version at a place.
    pub(crate) fn new_call(&self, place: Place<'_>) -> Option<&'v CallSite> {
        self.calls.get(&place).copied()
    }

    /// The read of an attribute of the new version at a place.
    pub(crate) fn new_read(&self, place: Place<'_>) -> Option<&'v ReadSite> {
        self.reads.get(&place).copied()
    }

    /// The verdict on a read that both versions resolve.
    pub(crate) fn read(&self, new: &ReadSite) -> UseVerdict {
        let definition = self.after.index.definition(new.attribute);
        deprecated(definition)
            .filter(|_| definition.language == Language::TypeScript)
            .map_or(UseVerdict::Ok, UseVerdict::Found)
    }

    /// The verdict on a call that both versions resolve.
    pub(crate) fn call(
        &self,
        (old, old_id): (&CallSite, DefinitionId),
        (new, new_id): (&CallSite, DefinitionId),
    ) -> UseVerdict {
        let (before, after) = (self.before.index, self.after.index);
        let (old_definition, new_definition) = (before.definition(old_id), after.definition(new_id));
        let mut found = if old.syntax.expects_error {
            Vec::new()
        } else if new_definition.language == Language::TypeScript {
            let typed = self.typed((old, old_id), (new, new_id));
            let gone = || self.gone_property((old, old_id, old_definition), (new, new_id, new_definition));
            typed.or_else(gone).into_iter().collect()
        } else {
            self.violations((old, old_id, old_definition), (new, new_id, new_definition))
        };
        found.extend(deprecated(new_definition));
        let has_spread = before.calls.arguments(old).iter().any(|argument| argument.kind.is_spread());
        let without = if has_spread { UseVerdict::Unknown } else { UseVerdict::Ok };
        found.into_iter().min_by_key(Violation::rank).map_or(without, UseVerdict::Found)
    }

    /// What the new signatures of TypeScript do to a call.
    fn typed(
        &self,
        (old, old_id): (&CallSite, DefinitionId),
        (new, new_id): (&CallSite, DefinitionId),
    ) -> Option<Violation> {
        let (old_definition, new_definition) =
            (self.before.index.definition(old_id), self.after.index.definition(new_id));
        // A version that is compared with itself refuses no call that it resolves.
        if self.is_one() && new_definition.overloads.iter().all(|signature| signature.deprecated.is_none()) {
            return None;
        }
        let path = self.before.index.file(old.file).path.as_str();
        let arguments = self.before.index.calls.arguments(old);
        let forms = self.forms(path, (old.line, old.col), arguments);
        let before = TypedCall::new(&self.old.npm.declarations, old_id, old.syntax.form, arguments, &forms);
        let arguments = self.after.index.calls.arguments(new);
        let after = TypedCall::new(&self.new.npm.declarations, new_id, new.syntax.form, arguments, &forms);
        let [old_file, new_file] =
            [(false, old_definition), (true, new_definition)].map(|(is_new, definition)| self.text(is_new, definition));
        overloads::violation(&before, &after, &[&new_file, &old_file])
    }

    /// A property of an object that a call passes, if the new version has it no longer. Of a function of the program
    /// itself all properties are known.
    fn gone_property(
        &self,
        old: (&CallSite, DefinitionId, &Definition),
        new: (&CallSite, DefinitionId, &Definition),
    ) -> Option<Violation> {
        let is_own = self.after.index.module_of_file(new.2.place.file).is_none();
        let has_one_signature = old.2.overloads.is_empty() && new.2.overloads.is_empty();
        if !is_own || !has_one_signature {
            return None;
        }
        self.violations(old, new).into_iter().find(|violation| violation.rule == Rule::RemovedParameter)
    }

    /// The forms of the arguments of a call in a file of the program.
    fn forms(&self, path: &str, place: (u32, u32), arguments: &[Argument]) -> Vec<Form> {
        let mut files = self.forms.borrow_mut();
        if !files.contains_key(path) {
            let text = (self.before.read)(path).unwrap_or_default();
            files.insert(path.to_owned(), Forms::of_file(path, &text));
        }
        files.get(path).map(|forms| forms.of_call(place, arguments)).unwrap_or_default()
    }

    /// What the new version does to a call, by its signature and by its code.
    fn violations(
        &self,
        (old, old_id, old_definition): (&CallSite, DefinitionId, &Definition),
        (new, new_id, new_definition): (&CallSite, DefinitionId, &Definition),
    ) -> Vec<Violation> {
        let (Some(old_signature), Some(new_signature)) = (&old_definition.signature, &new_definition.signature) else {
            return Vec::new();
        };
        let (old_arguments, new_arguments) =
            (self.before.index.calls.arguments(old), self.after.index.calls.arguments(new));
        let is_same = old_signature == new_signature && old_arguments == new_arguments;
        let new_code = self.code(true, new_id);
        // A version that is compared with itself refuses nothing.
        let is_silent = |code: &Rc<FunctionCode>| if self.is_one() { !code.may_warn() } else { !code.is_telling() };
        if is_same && new_code.as_ref().is_none_or(is_silent) {
            return Vec::new();
        }
        let old_code = self.code(false, old_id);
        let [old_file, new_file] =
            [(false, old_definition), (true, new_definition)].map(|(is_new, definition)| self.text(is_new, definition));
        let old = Binding {
            signature: old_signature,
            arguments: old_arguments,
            text: old_code.as_deref().map_or_else(|| text_of(old_definition, &old_file), FunctionCode::text),
            file_text: &old_file,
            code: old_code.as_deref(),
        };
        let new = Binding {
            signature: new_signature,
            arguments: new_arguments,
            text: new_code.as_deref().map_or_else(|| text_of(new_definition, &new_file), FunctionCode::text),
            file_text: &new_file,
            code: new_code.as_deref(),
        };
        let mut found = said::violations(&old, &new, &new_definition.name);
        if !is_same {
            found.extend(arguments::violations(old, new));
        }
        found
    }

    /// The code of a function of Python, or of the constructor of a class, which an ancestor may have.
    fn code(&self, is_new: bool, id: DefinitionId) -> Option<Rc<FunctionCode>> {
        let is_new = is_new && !self.is_one();
        if let Some(known) = self.codes.borrow().get(&(is_new, id)) {
            return known.clone();
        }
        let index = if is_new { self.after.index } else { self.before.index };
        let definition = index.definition(id);
        let read = |definition: &Definition| {
            let (place, is_class) = (definition.place, definition.kind == DefinitionKind::Class);
            let text = self.text(is_new, definition);
            FunctionCode::read(&text, place.line as usize, place.end_line as usize, is_class)
        };
        if definition.language != Language::Python {
            return None;
        }
        let ancestors = || definition.ancestors.iter().map(|id| index.definition(*id));
        let is_class = definition.kind == DefinitionKind::Class;
        let code = match read(definition) {
            Some(code) if is_class && code.calls_base() => Some(code.with_base(ancestors().find_map(read))),
            Some(code) => Some(code),
            None => ancestors().filter(|_| is_class).find_map(read).map(|inherited| {
                inherited.inherited_by(&self.text(is_new, definition), definition.place.line as usize)
            }),
        };
        let code = code.map(Rc::new);
        self.codes.borrow_mut().insert((is_new, id), code.clone());
        code
    }

    /// The verdict on a use of a member that a class of the new version may no longer have.
    pub(crate) fn gone_member(&self, class: DefinitionId, definition: &Definition) -> UseVerdict {
        match self.new.member(class, &definition.name) {
            // The text of the class still defines the member; only the call could not be resolved.
            Presence::Absent if self.has_text(class, |class| modules::binds_member(class, &definition.name)) => {
                UseVerdict::Unknown
            }
            Presence::Absent => {
                let text = self.text(false, definition);
                let advised = replacement::advised(&text, &definition.name);
                let mut advised = advised.map(|name| name.rsplit('.').next().unwrap_or(&name).to_owned());
                let now = advised.find(|name| self.has_text(class, |class| modules::defines_member(class, name)));
                UseVerdict::found(Verdict::Break, Rule::RemovedSymbol, now)
            }
            _ => UseVerdict::Unknown,
        }
    }

    /// True if the text of a class of the new version, or of an ancestor, has something. Beside a stub, the code counts
    /// as well.
    fn has_text(&self, class: DefinitionId, has: impl Fn(&str) -> bool) -> bool {
        let index = self.after.index;
        let ancestors = index.definition(class).ancestors.iter().copied();
        std::iter::once(class).chain(ancestors).map(|id| index.definition(id)).any(|definition| {
            let path = index.file(definition.place.file).path.as_str();
            let source = path.strip_suffix(".pyi").map(|stem| self.text_at(true, &format!("{stem}.py")));
            has(text_of(definition, &self.text(true, definition))) || source.is_some_and(|source| has(&source))
        })
    }

    /// The definition of the new version that has a name of a definition of the old one.
    pub(crate) fn found_in_new(&self, definition: &Definition) -> Option<DefinitionId> {
        let names = std::iter::once(&definition.alias).chain([&definition.fqn]).chain(&definition.aliases);
        names.into_iter().find_map(|name| self.new.find(name))
    }

    /// The first name that the file of a definition of the old version advises to use instead of `name`.
    pub(crate) fn advised_by_file(&self, definition: &Definition, name: &str) -> Option<String> {
        replacement::advised(&self.text(false, definition), name).next()
    }

    /// The text of the file of a definition; empty if it cannot be read.
    pub(crate) fn text(&self, is_new: bool, definition: &Definition) -> Rc<str> {
        let version = if is_new { self.after } else { self.before };
        self.text_at(is_new, &version.index.file(definition.place.file).path)
    }

    /// The text of a file of the old version; empty if it cannot be read.
    pub(crate) fn old_text(&self, path: &str) -> Rc<str> {
        self.text_at(false, path)
    }

    fn text_at(&self, is_new: bool, path: &str) -> Rc<str> {
        let is_new = is_new && !self.is_one();
        let version = if is_new { self.after } else { self.before };
        let read = |(_, path): &(bool, String)| (version.read)(path).unwrap_or_default().into();
        Rc::clone(self.texts.borrow_mut().entry((is_new, path.to_owned())).or_insert_with_key(read))
    }
}

/// What is said of a use of a definition that is deprecated.
fn deprecated(definition: &Definition) -> Option<Violation> {
    let (name, message) = (definition.name.as_str(), definition.deprecation()?);
    let now = replacement::advised(&format!("{name} {message}"), name).next();
    Some(Violation { verdict: Verdict::Deprecated, rule: Rule::DeprecatedSymbol, param: None, now })
}

/// The verdict on a use.
pub(crate) enum UseVerdict {
    Ok,
    Unknown,
    Found(Violation),
}

impl UseVerdict {
    pub(crate) fn found(verdict: Verdict, rule: Rule, now: Option<String>) -> Self {
        Self::Found(Violation { verdict, rule, param: None, now })
    }

    /// The finding with this verdict.
    pub(crate) fn on(self, finding: Finding) -> Finding {
        match self {
            Self::Ok => finding,
            Self::Unknown => Finding { verdict: Verdict::Unknown, ..finding },
            Self::Found(Violation { verdict, rule, param, now }) => {
                Finding { verdict, rule: Some(rule), param, now, ..finding }
            }
        }
    }
}

/// The lines of a definition in the text of its file.
pub(crate) fn text_of<'t>(definition: &Definition, file: &'t str) -> &'t str {
    let line_at = |line: usize| {
        let mut breaks = file.match_indices('\n').map(|(at, _)| at + 1);
        if line == 0 { 0 } else { breaks.nth(line - 1).unwrap_or(file.len()) }
    };
    let begin = (definition.place.line as usize).saturating_sub(1);
    let end = (definition.place.end_line as usize).min(begin + MAX_LINES);
    file.get(line_at(begin)..line_at(end)).unwrap_or_default()
}

/// The definition that a call resolves to; of several the first.
pub(crate) fn callee(index: &Index, call: &CallSite) -> Option<DefinitionId> {
    index.calls.candidates(call).first().copied()
}

/// The shortest public name of a definition.
pub(crate) fn public_name(definition: &Definition) -> &str {
    if definition.alias.is_empty() { &definition.fqn } else { &definition.alias }
}
