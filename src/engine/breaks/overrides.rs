//! Methods of the program that override methods of a package of Python, and that the new version calls in another way.

use std::{cell::RefCell, rc::Rc};

use rustc_hash::FxHashMap;

use crate::{
    modules,
    report::{Finding, Rule, Verdict},
    statements::{block, direct, parts, statements},
    versions::{Versions, public_name, text_of},
};
use apidisc_base::language::Language;
use apidisc_facts::program::{DefinitionId, DefinitionKind, ParameterKind, Signature};
use apidisc_indexing::index::{Definition, Index};

/// The verdicts on the methods of the program that override a method of the package, and on its classes that lack a
/// method which the new version demands. `is_of_package` tells the definitions of the package.
pub(crate) fn overrides(versions: &Versions<'_>, is_of_package: &dyn Fn(&Index, &Definition) -> bool) -> Vec<Finding> {
    let before = versions.before.index;
    let table = MethodTable::default();
    let mut findings = Vec::new();
    for (_, class) in before.every_definition() {
        let is_own = class.kind == DefinitionKind::Class
            && class.language == Language::Python
            && before.module_of_file(class.place.file).is_none();
        if !is_own || !class.ancestors.iter().any(|id| is_of_package(before, before.definition(*id))) {
            continue;
        }
        let Some(new_class) = versions.new.find(&class.fqn) else { continue };
        let new_class = versions.after.index.definition(new_class);
        let old = Bases { versions, is_new: false, ancestors: &class.ancestors, table: &table };
        let new = Bases { versions, is_new: true, ancestors: &new_class.ancestors, table: &table };
        let path = before.file(class.place.file).path.as_str();
        for member in class.members.iter().map(|id| before.definition(*id)) {
            let is_plain = matches!(
                member.kind,
                DefinitionKind::Method | DefinitionKind::ClassMethod | DefinitionKind::StaticMethod
            );
            let own = member.signature.as_deref().filter(|_| is_plain && member.name != "__init__");
            let Some(own) = own else { continue };
            let violated = old.method(&member.name, |base, old| {
                let violated = new.method(&member.name, |_, new| violated(own, old, new)).flatten();
                violated.filter(|_| is_of_package(before, base)).map(|violated| (base, violated))
            });
            let Some((base, violated)) = violated.flatten() else { continue };
            let symbol = format!("{}.{}", public_name(base), member.name);
            findings.push(Finding {
                rule: Some(Rule::OverriddenMethod),
                param: Some(violated),
                ..Finding::new(path, member.place.line, 0, &symbol, Verdict::Break)
            });
        }
        let is_abstract = |name: &str| new.method(name, |_, method| method.is_abstract) == Some(true);
        let has = |name: &str| class.members.iter().any(|id| before.definition(*id).name == name);
        let known = old.abstract_methods();
        let missing = new.abstract_methods().into_iter().find(|(base, name)| {
            is_of_package(versions.after.index, base)
                && is_abstract(name)
                && !known.iter().any(|(_, known)| known == name)
                && !has(name)
                && !modules::binds_member(text_of(class, &versions.text(false, class)), name)
        });
        // A class that is made abstract itself leaves the method to its subclasses.
        if let Some((base, name)) = missing.filter(|_| is_called(before, class)) {
            let symbol = format!("{}.{name}", public_name(base));
            findings.push(Finding {
                rule: Some(Rule::AbstractMethod),
                ..Finding::new(path, class.place.line, 0, &symbol, Verdict::Break)
            });
        }
    }
    findings
}

/// True if the program makes an object of a class.
fn is_called(index: &Index, class: &Definition) -> bool {
    index
        .calls
        .iter()
        .filter(|call| !call.is_on_own_object())
        .any(|call| index.calls.candidates(call).iter().any(|id| index.definition(*id).fqn == class.fqn))
}

/// The methods that classes of packages write, by whether they are of the new version. Each class is read once.
type MethodTable = RefCell<FxHashMap<(bool, DefinitionId), Rc<[Method]>>>;

/// The classes that a class of the program inherits from, in the order in which members are looked for.
struct Bases<'v, 'a> {
    versions: &'v Versions<'v>,
    is_new: bool,
    ancestors: &'a [DefinitionId],
    table: &'a MethodTable,
}

/// A method as its class writes it.
struct Method {
    name: String,
    parameters: Vec<Written>,
    is_abstract: bool,
}

/// A parameter as it is written.
struct Written {
    name: String,
    kind: ParameterKind,
    is_required: bool,
}

impl<'v> Bases<'v, '_> {
    fn classes(&self) -> impl Iterator<Item = (&'v Definition, Rc<[Method]>)> {
        let version = if self.is_new { self.versions.after } else { self.versions.before };
        self.ancestors.iter().map(|id| {
            let class = version.index.definition(*id);
            let known = self.table.borrow().get(&(self.is_new, *id)).cloned();
            let methods = known.unwrap_or_else(|| {
                let text = self.versions.text(self.is_new, class);
                let read: Rc<[Method]> = methods(text_of(class, &text)).into();
                self.table.borrow_mut().insert((self.is_new, *id), Rc::clone(&read));
                read
            });
            (class, methods)
        })
    }

    /// The method that an object without a method of its own would have, with its class.
    fn method<T>(&self, name: &str, of: impl Fn(&'v Definition, &Method) -> T) -> Option<T> {
        self.classes().find_map(|(class, methods)| {
            let found = methods.iter().find(|method| method.name == name)?;
            Some(of(class, found))
        })
    }

    /// The abstract methods of the classes, each with its class.
    fn abstract_methods(&self) -> Vec<(&'v Definition, String)> {
        let of_class = |(class, methods): (&'v Definition, Rc<[Method]>)| {
            let names = methods.iter().filter(|method| method.is_abstract).map(|method| method.name.clone());
            names.map(|name| (class, name)).collect::<Vec<_>>()
        };
        self.classes().flat_map(of_class).collect()
    }
}

/// The methods that the text of a class writes.
fn methods(class: &str) -> Vec<Method> {
    let all = statements(class);
    let mut is_abstract = false;
    let mut found = Vec::new();
    for (_, statement) in direct(block(&all, 0)) {
        let text = statement.text.strip_prefix("async ").unwrap_or(statement.text);
        let Some(rest) = text.strip_prefix("def ") else {
            is_abstract = text.starts_with('@') && (is_abstract || text.contains("abstractmethod"));
            continue;
        };
        let name = rest.split('(').next().unwrap_or_default().trim();
        found.push(Method::read(name, text, std::mem::take(&mut is_abstract)));
    }
    found
}

impl Method {
    fn read(name: &str, head: &str, is_abstract: bool) -> Self {
        let list = head.split_once('(').map_or("", |(_, list)| list);
        let mut kind = ParameterKind::Standard;
        let mut parameters: Vec<Written> = Vec::new();
        for part in parts(list, b',') {
            let name = part.trim_start_matches('*');
            let stars = part.len() - name.len();
            let end = name.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(name.len());
            let own_kind = match (stars, &name[..end]) {
                (0, "") => continue,
                (1, "") => {
                    kind = ParameterKind::KeywordOnly;
                    continue;
                }
                (1, _) => ParameterKind::VarPositional,
                (2, _) => ParameterKind::VarKeyword,
                _ => kind,
            };
            if own_kind == ParameterKind::VarPositional {
                kind = ParameterKind::KeywordOnly;
            }
            let is_required = !name[end..].contains('=') && !own_kind.is_variadic();
            parameters.push(Written { name: name[..end].to_owned(), kind: own_kind, is_required });
        }
        let is_receiver = parameters.first().is_some_and(|first| matches!(first.name.as_str(), "self" | "cls"));
        parameters.drain(..usize::from(is_receiver));
        Self { name: name.to_owned(), parameters, is_abstract }
    }

    fn positional(&self) -> impl Iterator<Item = &Written> {
        self.parameters.iter().filter(|parameter| parameter.kind == ParameterKind::Standard)
    }

    fn has(&self, kind: ParameterKind) -> bool {
        self.parameters.iter().any(|parameter| parameter.kind == kind)
    }
}

/// The parameter by which a method of the program no longer fits the method that it overrides: one that the new version
/// passes and that the method does not take, or one that the method requires and that the new version does not have.
fn violated(own: &Signature, old: &Method, new: &Method) -> Option<String> {
    let own_has = |kind| own.parameters.iter().any(|parameter| parameter.kind == kind);
    let is_positional = |kind| matches!(kind, ParameterKind::Standard | ParameterKind::PositionalOnly);
    let own_positional = own.parameters.iter().filter(|it| it.object.is_none() && is_positional(it.kind));
    let taken = own_positional.clone().count();
    let demanded = own_positional.filter(|parameter| parameter.required).collect::<Vec<_>>();
    let is_known = |written: &Written| old.parameters.iter().any(|known| known.name == written.name);
    let passed = new.positional().filter(|parameter| parameter.is_required).count();
    let passed_before = old.positional().filter(|parameter| parameter.is_required).count();
    // The new version passes more values than the method takes.
    if passed > taken && passed_before <= taken && !own_has(ParameterKind::VarPositional) {
        return new.positional().find(|parameter| !is_known(parameter)).map(|parameter| parameter.name.clone());
    }
    let named = new.parameters.iter().filter(|it| it.kind == ParameterKind::KeywordOnly && it.is_required);
    let takes = |name: &str| own.parameters.iter().any(|parameter| parameter.name == name);
    let mut unknown = named.filter(|it| !is_known(it) && !takes(&it.name) && !own_has(ParameterKind::VarKeyword));
    if let Some(unknown) = unknown.next() {
        return Some(unknown.name.clone());
    }
    // The method demands more values than the new version has.
    let offered = new.positional().count();
    let is_open = new.has(ParameterKind::VarPositional) || new.has(ParameterKind::VarKeyword);
    let by_name = |name: &str| new.parameters.iter().any(|parameter| parameter.name == name);
    let lost =
        demanded.get(offered).filter(|it| !is_open && old.positional().count() >= demanded.len() && !by_name(&it.name));
    lost.map(|parameter| parameter.name.to_string())
}
