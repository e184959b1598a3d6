//! The comment above a definition that says what callers pass for parameters: members of enums, constants, classes that
//! values are made with, the literals of a union, the keys of dicts, and keywords that `**kwargs` passes on. Below it
//! stand what the call gives to the code around it (see [`given`](super::given)), and the imports of these enums,
//! constants and classes.

use super::{PricedTree, value_texts::joined};
use crate::stub::{import_line::import_of, text::sanitized};
use apidisc_facts::program::{DefinitionId, DefinitionKind, ParameterSet};
use apidisc_indexing::{
    index::{Definition, Scope},
    snippet::ExampleImport,
};
use rustc_hash::FxHashMap;

/// What callers pass for the parameters of one definition, by position. Parameters of which there is nothing to say are
/// left out.
#[derive(Debug, Default)]
pub(crate) struct NodeValues(Vec<(usize, ParameterValues)>);

/// What callers pass for one parameter.
#[derive(Debug, Default)]
pub(crate) struct ParameterValues {
    pub(super) text: String,
    /// A shorter text with the first values only, for a stub with an intent whose budget has no room for `text`. Empty
    /// if `text` cannot be shortened.
    pub(super) short: String,
    /// The enums, constants and classes in the text.
    pub(super) named: Vec<DefinitionId>,
    /// The import statements of the classes of other packages in the text.
    pub(super) imports: Vec<String>,
    /// True if an intent names one of the values.
    pub(crate) is_asked: bool,
    /// How many words of an intent the text has, each by how well it occurs.
    pub(crate) relevance: f32,
    /// True for strings of which nothing says that they are all that may be passed.
    pub(crate) is_free_text: bool,
    /// True if the text says what a callback receives or what a call returns.
    pub(crate) is_given: bool,
}

impl ParameterValues {
    /// The length of the text in bytes.
    pub(crate) fn len(&self) -> usize {
        self.text.len()
    }

    /// True if the values may be cut: a text with the first ones alone is shorter.
    pub(crate) fn can_be_cut(&self) -> bool {
        !self.short.is_empty()
    }
}

impl NodeValues {
    /// The parameters of which there is something to say, by position.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (usize, &ParameterValues)> {
        self.0.iter().map(|(position, values)| (*position, values))
    }
}

impl PricedTree {
    /// What callers pass for the parameters of a node, and what a call gives to the code around it.
    pub(super) fn node_values(&self, node: usize) -> NodeValues {
        let Some((id, definition)) = self.definition(node) else { return NodeValues::default() };
        let count = definition.signature.as_ref().map_or(0, |signature| signature.parameters.len());
        let of_parameters = (0..=count).map(|position| {
            let values = || self.values(id, definition, position);
            // Functions that return a callback say more than what it receives.
            let returned_callback = || {
                let made = self.made_for(definition, position, true);
                (position < count && !made.is_empty()).then(|| self.with_relevance(joined(&made, true)))
            };
            let given = self.given(id, definition, position);
            let values = match given.map(|given| returned_callback().map_or(given, |returned| (returned, false))) {
                None => values(),
                Some((given, false)) => given,
                Some((given, true)) => {
                    let values = values();
                    if values.text.is_empty() || values.is_free_text { given } else { values }
                }
            };
            (position, values)
        });
        // The position of the result is the one behind the parameters, then come who takes the result, what gives the
        // object of a method, and what the values of parameters offer.
        let passed_to = self.passed_to(id).map(|values| (count + 1, values));
        let got_from = self.got_from(id, definition).map(|values| (count + 2, values));
        let is_handed_over = passed_to.is_some() && definition.kind != DefinitionKind::Class;
        let says_nothing =
            |(at, values): &(usize, ParameterValues)| values.text.is_empty() || is_handed_over && *at == count;
        let mut of_parameters: Vec<_> = of_parameters.filter(|values| !says_nothing(values)).collect();
        leave_out_repeated_keys(definition, &mut of_parameters);
        let results = self.results_of_makers(definition, &of_parameters).map(|values| (count + 3, values));
        NodeValues(of_parameters.into_iter().chain(passed_to).chain(got_from).chain(results).collect())
    }

    /// The lines that say what callers pass for these parameters, and the imports of what they name; empty if there is
    /// nothing to say. The values of the parameters at the positions `cut` are cut.
    pub(super) fn values_lines(
        &self,
        node: usize,
        values: &NodeValues,
        positions: &ParameterSet,
        cut: &ParameterSet,
    ) -> String {
        let Some((id, definition)) = self.definition(node) else { return String::new() };
        let shown: Vec<_> = values.iter().filter(|(position, _)| positions.contains(*position)).collect();
        if shown.is_empty() {
            return String::new();
        }
        let name = |position: usize| {
            let parameters = &definition.signature.as_ref()?.parameters;
            let parameter = parameters.get(position)?;
            let is_named_twice = parameters.iter().filter(|other| other.name == parameter.name).count() > 1;
            let object =
                parameter.object.filter(|_| is_named_twice).and_then(|object| parameters.get(usize::from(object)));
            let object = object.map(|object| format!("{}.", object.name)).unwrap_or_default();
            Some(sanitized(&format!("{object}{}", parameter.name)))
        };
        let (given, passed): (Vec<_>, Vec<_>) = shown.iter().partition(|(_, values)| values.is_given);
        let passed = passed.into_iter().filter_map(|(at, values)| {
            let text = if cut.contains(at) { &values.short } else { &values.text };
            Some(format!("{}: {text}", name(at)?))
        });
        let passed: Vec<String> = passed.collect();
        let given = given.into_iter().map(|(at, values)| match name(at) {
            Some(name) => format!("{name} {}", values.text),
            None => values.text.clone(),
        });
        let begin = format!("{}{} ", " ".repeat(self.nodes[node].indent), self.comment_prefix());
        let mut text = String::new();
        for line in Some(passed.join("; ")).filter(|line| !line.is_empty()).into_iter().chain(given) {
            text.extend([&begin, &*line, "\n"]);
        }
        // The title of a definition's stub has its own import; a module's stub has the imports of its members.
        if matches!(self.scope, Scope::Definition(_)) {
            let own = import_of(&self.index, id);
            let mut imports: Vec<ExampleImport> = Vec::new();
            let is_written = |at: usize, values: &ParameterValues, id: DefinitionId| {
                !cut.contains(at) || values.short.contains(self.index.definition(id).name.as_str())
            };
            let named = shown.iter().flat_map(|(at, values)| values.named.iter().map(move |id| (*at, *values, *id)));
            let named = named.filter(|(at, values, id)| is_written(*at, values, *id));
            for import in named.filter_map(|(_, _, id)| self.import(id)) {
                if Some(&import) != own.as_ref() && !imports.contains(&import) {
                    imports.push(import);
                }
            }
            let mut lines = ExampleImport::lines(&imports, definition.language);
            for line in shown.iter().flat_map(|(_, values)| &values.imports) {
                if !lines.contains(line) {
                    lines.push(line.clone());
                }
            }
            for line in lines {
                text.extend([&begin, &*sanitized(&line), "\n"]);
            }
        }
        text
    }

    fn import(&self, id: DefinitionId) -> Option<ExampleImport> {
        let mut import = import_of(&self.index, id)?;
        import.module = sanitized(&import.module);
        Some(import)
    }
}

/// Of parameters that take the same object, the keys are said of the one that most calls pass.
fn leave_out_repeated_keys(definition: &Definition, values: &mut Vec<(usize, ParameterValues)>) {
    let passed = |at: usize| definition.usage.parameters.get(at).map_or(0, |usage| usage.count);
    let mut best: FxHashMap<String, (u32, usize)> = FxHashMap::default();
    for (at, values) in values.iter().filter(|(_, values)| values.text.starts_with('{')) {
        let most = best.entry(values.text.clone()).or_insert((passed(*at), *at));
        if passed(*at) > most.0 {
            *most = (passed(*at), *at);
        }
    }
    values.retain(|(at, values)| best.get(&values.text).is_none_or(|(_, best)| best == at));
}
