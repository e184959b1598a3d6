//! The variables of an asker: names in backticks that the question takes as given, and the classes of their values. Who
//! asks what to do with `session` calls a member of the class that the sources annotate such names with.

use rustc_hash::FxHashMap;

use super::found::is_of_api;
use apidisc_answering::terms::folded;
use apidisc_facts::program::{DefinitionId, DefinitionKind};
use apidisc_indexing::index::{Definition, Index};
use apidisc_stubs::intent::annotated_classes;

/// The greatest number of variables.
const MAX_VARIABLES: usize = 4;
/// The longest name of a variable, in bytes.
const LONGEST_NAME: usize = 40;

/// The variables of a question whose classes are known.
#[derive(Debug, Default)]
pub(super) struct Variables<'q> {
    /// The names in backticks, with the backticks.
    quoted: Vec<&'q str>,
    classes: Vec<DefinitionId>,
}

impl<'q> Variables<'q> {
    pub(super) fn of(index: &Index, question: &'q str) -> Self {
        let mut variables = Self::default();
        let mut quoted: Vec<&str> = question
            .match_indices('`')
            .zip(question.match_indices('`').skip(1))
            .step_by(2)
            .map(|((from, _), (to, _))| &question[from..=to])
            .collect();
        quoted.sort_unstable();
        quoted.dedup();
        for quoted in quoted.into_iter().filter(|quoted| is_variable(quoted.trim_matches('`'))).take(MAX_VARIABLES) {
            if let Some(class) = class_of(index, quoted.trim_matches('`')) {
                variables.quoted.push(quoted);
                variables.classes.push(class);
            }
        }
        variables
    }

    /// The question without the names: what has the name of a variable is not asked for.
    pub(super) fn removed_from(&self, question: &str) -> String {
        self.quoted.iter().fold(question.to_owned(), |text, quoted| text.replace(quoted, ""))
    }

    /// True for a member that a variable has.
    pub(super) fn have(&self, index: &Index, member: DefinitionId) -> bool {
        let owner = index.definition(member).parent;
        let has =
            |class: &DefinitionId| owner == Some(*class) || owner.is_some_and(|owner| is_related(index, *class, owner));
        self.classes.iter().any(has)
    }
}

/// True if one of two classes inherits from the other.
fn is_related(index: &Index, a: DefinitionId, b: DefinitionId) -> bool {
    index.definition(a).ancestors.contains(&b) || index.definition(b).ancestors.contains(&a)
}

/// True for a name as variables have it: `session`, `my_client`.
fn is_variable(name: &str) -> bool {
    name.len() <= LONGEST_NAME
        && name.starts_with(|c: char| c.is_ascii_lowercase())
        && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

/// The class of the API that the parameters, attributes and constants of a name most often have, else the only class
/// that is called alike. `None` for the name of a function of the API.
fn class_of(index: &Index, name: &str) -> Option<DefinitionId> {
    let mut alike = Vec::new();
    let mut annotations: Vec<(&Definition, &str)> = Vec::new();
    let wanted = folded(name);
    for (id, definition) in index.definitions_with_ids() {
        let is_own_name = definition.name == name;
        if is_own_name && definition.kind.is_callable() && definition.parent.is_none() && is_of_api(index, id) {
            return None;
        }
        if definition.kind == DefinitionKind::Class && is_of_api(index, id) && folded(&definition.name) == wanted {
            alike.push(id);
        }
        let own = definition.annotation.as_deref().filter(|_| is_own_name && !definition.kind.is_callable());
        let all = own.into_iter().chain(annotations_of_parameters(definition, name));
        annotations.extend(all.map(|annotation| (definition, annotation)));
    }
    let mut counts: FxHashMap<DefinitionId, u32> = FxHashMap::default();
    for class in annotated_classes(index, annotations.into_iter()).filter(|class| is_of_api(index, *class)) {
        *counts.entry(class).or_default() += 1;
    }
    let most = counts.into_iter().max_by(|a, b| a.1.cmp(&b.1).then(b.0.cmp(&a.0))).map(|(class, _)| class);
    most.or_else(|| alike.first().copied().filter(|_| alike.len() == 1))
}

/// The annotations of the parameters of a name.
fn annotations_of_parameters<'d>(definition: &'d Definition, name: &'d str) -> impl Iterator<Item = &'d str> {
    let parameters = definition.signature.iter().flat_map(|signature| &signature.parameters);
    parameters.filter(move |parameter| parameter.name == name).filter_map(|parameter| parameter.annotation.as_deref())
}
