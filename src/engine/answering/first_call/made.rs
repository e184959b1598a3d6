//! Code that is made from the signature of a definition.

use std::collections::HashSet;

use super::Candidate;
use apidisc_base::language::{Framework, Language};
use apidisc_facts::program::{DefinitionId, DefinitionKind, Parameter, ParameterKind};
use apidisc_indexing::{
    index::{Definition, Index},
    snippet::ImportedName,
};
use apidisc_stubs::stub::import_of;

/// True for a class that cannot be instantiated: in TypeScript one with the modifier `abstract`, in Python a protocol,
/// and a class with abstract methods that no class before it in its ancestry defines.
pub(super) fn is_abstract(index: &Index, id: DefinitionId) -> bool {
    let definition = index.definition(id);
    if definition.kind != DefinitionKind::Class {
        return false;
    }
    if definition.language == Language::TypeScript {
        return definition.modifiers.is_abstract;
    }
    let chain: Vec<&Definition> =
        std::iter::once(definition).chain(definition.ancestors.iter().map(|&class| index.definition(class))).collect();
    let is_meta = |base: &&str| base.contains("ABC") || base.contains("Protocol");
    if !chain.iter().any(|class| class.bases.iter().any(|base| is_meta(&base.as_str()))) {
        return false;
    }
    let class_name = |base: &str| base.split('[').next().and_then(|base| base.rsplit('.').next()).map(str::to_owned);
    if definition.bases.iter().any(|base| class_name(base).as_deref() == Some("Protocol")) {
        return true;
    }
    let mut known: HashSet<&str> = HashSet::new();
    let members = chain.iter().flat_map(|class| &class.members).map(|&member| index.definition(member));
    let mut first_of_name = members.filter(|member| known.insert(&member.name));
    first_of_name.any(|member| member.decorators.iter().any(|decorator| decorator.contains("abstract")))
}

/// The example that is made from the signature of a definition where the sources have no call of it: for a function or
/// class a call with the required arguments, for an attribute a read, for anything else the import alone.
pub(super) fn from_signature(index: &Index, id: DefinitionId) -> Candidate {
    let definition = index.definition(id);
    let Some(own) = import_of(index, id) else { return Candidate::default() };
    let mut candidate = Candidate { imports: vec![own.clone()], ..Candidate::default() };
    let callee = match definition.parent.map(|parent| index.definition(parent)) {
        None => own.local.to_string(),
        Some(parent) => {
            let is_on_class = matches!(parent.kind, DefinitionKind::Enum | DefinitionKind::Namespace)
                || matches!(definition.kind, DefinitionKind::ClassMethod | DefinitionKind::StaticMethod)
                || definition.modifiers.is_static;
            let receiver = if is_on_class { own.local.to_string() } else { variable_of(parent) };
            if !is_on_class {
                candidate.missing.push(receiver.clone());
                candidate.root = Some(receiver.clone());
            }
            format!("{receiver}.{}", definition.name)
        }
    };
    // Templates, not calls, use the component of a file such as `Dialog.vue`.
    let is_component =
        own.name == ImportedName::Default && Framework::of_path(&index.file(definition.place.file).path).is_some();
    if is_abstract(index, id) || is_component {
        return candidate;
    }
    if definition.kind.is_callable() {
        let parameters = definition.signature.as_ref().map_or(&[][..], |signature| &signature.parameters);
        let required: Vec<&Parameter> = parameters
            .iter()
            .filter(|parameter| parameter.required && parameter.object.is_none() && !parameter.is_variadic())
            .collect();
        let name_of = |parameter: &Parameter| match parameter.name.as_str() {
            "{}" => "options".to_owned(),
            "[]" => "items".to_owned(),
            name => name.to_owned(),
        };
        let argument = |parameter: &&Parameter| match parameter.kind {
            ParameterKind::KeywordOnly => format!("{0}={0}", parameter.name),
            _ => name_of(parameter),
        };
        let arguments: Vec<String> = required.iter().map(argument).collect();
        candidate.missing.extend(required.iter().map(|parameter| name_of(parameter)));
        let is_class = definition.kind == DefinitionKind::Class && definition.language == Language::TypeScript;
        let is_new = is_class || definition.modifiers.is_new;
        let new = if is_new { "new " } else { "" };
        candidate.lines = vec![format!("{new}{callee}({})", arguments.join(", "))];
    } else if definition.parent.is_some() {
        candidate.lines = vec![callee];
    }
    candidate
}

/// A name for a variable that holds an instance of a class: `http_client` for `HttpClient`, in TypeScript `httpClient`.
fn variable_of(class: &Definition) -> String {
    let mut name = String::new();
    let mut was_lower = false;
    for c in class.name.trim_start_matches('_').chars() {
        if c.is_uppercase() && was_lower && class.language == Language::Python {
            name.push('_');
        }
        let begins = !was_lower && name.chars().all(char::is_lowercase);
        was_lower = !c.is_uppercase();
        if class.language == Language::Python || begins {
            name.extend(c.to_lowercase());
        } else {
            name.push(c);
        }
    }
    name
}
