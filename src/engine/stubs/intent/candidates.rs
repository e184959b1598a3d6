//! The members and parameters of a scope, with the words of an intent in their texts.

use std::cell::OnceCell;

use super::{
    asked::{GivenMembers, LEAST_RELEVANCE, LEAST_SHARE_OF_BEST},
    given::{given, members_given},
    passed_to::{PassedTo, passed_to},
    words::{Found, IntentWords, Occurring},
};
use crate::{
    exports::{OnlyClasses, classes_in, declaring, own_types, type_named},
    literals::literals_among,
    subclasses::Subclasses,
};
use apidisc_base::sort::SharedSort as _;
use apidisc_facts::program::{DefinitionId, DefinitionKind, Signature, made_outside};
use apidisc_indexing::index::{Definition, Index};

/// The relevance of a word of the intent in the values that callers pass, relative to that in a name.
const VALUES: f32 = 0.7;
/// The relevance of a word of the intent in a type, relative to that in a name.
const TYPES: f32 = 0.5;
/// The relevance of a word of the intent in documentation, relative to that in a name.
const DOCUMENTATION: f32 = 0.5;
/// The longest value whose words are read, in bytes: a longer one is code or prose.
const LONGEST_VALUE: usize = 40;
/// The relevance of a word of the intent in the names of what a callback uses, relative to that in a name.
const GIVEN: f32 = 0.4;
/// The greatest number of members of a given instance that an intent names.
const MAX_GIVEN: usize = 4;
/// The greatest number of fields of the type of a parameter whose names are read.
const MAX_FIELDS: usize = 64;
/// The greatest number of subclasses of the type of a parameter whose names are read.
const MAX_SUBCLASSES: usize = 64;
/// The number of words of documentation above which a word counts less.
const SHORT_DOCUMENTATION: f32 = 12.0;
/// The number of parameters above which a word of the intent in one of them says less of the function.
const MANY_PARAMETERS: f32 = 16.0;
/// The share of its relevance that a name keeps if most of its words are not in the intent.
const RELEVANCE_OF_A_PART: f32 = 0.4;
/// How much a parameter that every call passes gains over one that no call passes.
const RELEVANCE_OF_USE: f32 = 0.3;

/// A definition, or a parameter of it. The keywords that `**kwargs` passes on follow the parameters.
pub(super) type Target = (DefinitionId, Option<usize>);

/// A member or parameter, with the words of the intent in its texts.
pub(super) struct Candidate {
    pub(super) target: Target,
    /// How well each word of the intent occurs.
    pub(super) words: Vec<f32>,
    /// The share of calls that pass the parameter; for a member 0.
    frequency: f32,
}

/// Finds the words of an intent in the texts of definitions.
pub(super) struct CandidateReader<'i> {
    index: &'i Index,
    classes: OnlyClasses<'i>,
    /// Made for the first parameter whose type is a class.
    subclasses: OnceCell<Subclasses>,
    occurring: Occurring<'i>,
    /// The number of words of the intent.
    words: usize,
    /// The number of members and parameters that were read.
    pub(super) names: usize,
}

impl<'i> CandidateReader<'i> {
    pub(super) fn new(index: &'i Index, intent: &'i IntentWords) -> Self {
        let classes = OnlyClasses::new(index);
        Self {
            index,
            classes,
            subclasses: OnceCell::new(),
            occurring: Occurring::new(intent),
            words: intent.len(),
            names: 0,
        }
    }

    /// A definition as a member of its scope, with the texts of the parameters that every call passes and the names of
    /// what its callbacks use.
    pub(super) fn member(&mut self, id: DefinitionId) -> Candidate {
        let definition = self.index.definition(id);
        let mut candidate = self.candidate((id, None), &definition.name);
        candidate.add_text(definition.summary.as_deref().map(|text| self.occurring.in_text(text)));
        let signature = definition.signature.as_deref();
        for position in 0..signature.map_or(0, |signature| signature.parameters.len()) {
            if signature.is_some_and(|signature| is_part_of_the_member(signature, position)) {
                self.add_texts_of_parameter(&mut candidate, definition, position);
            }
        }
        let parameters = signature.map_or(0, |signature| signature.parameters.len());
        let callbacks = given(self.index, &self.classes, id).into_iter().filter(|given| given.position < parameters);
        for member in callbacks.filter_map(|given| given.class).flat_map(|class| members_given(self.index, class)) {
            candidate.add(&self.occurring.in_name(&self.index.definition(member).name), GIVEN);
        }
        candidate
    }

    /// What a call of a definition gives to the code around it, with the members in whose names and summaries words of
    /// the intent occur.
    pub(super) fn given(&mut self, id: DefinitionId, rarity: &[f32]) -> Vec<GivenMembers> {
        let index = self.index;
        let mut found = Vec::new();
        for given in given(index, &self.classes, id) {
            let mut named: Vec<(f32, DefinitionId)> = Vec::new();
            for member in given.class.into_iter().flat_map(|class| members_given(index, class)) {
                let definition = index.definition(member);
                let mut candidate = self.candidate((member, None), &definition.name);
                candidate.add_text(definition.summary.as_deref().map(|text| self.occurring.in_text(text)));
                named.push((candidate.relevance(rarity), member));
            }
            named.shared_sort_by(|(x, a), (y, b)| y.total_cmp(x).then(a.cmp(b)));
            let best = named.first().map_or(0.0, |(relevance, _)| *relevance);
            named.retain(|(relevance, _)| *relevance >= (LEAST_SHARE_OF_BEST * best).max(LEAST_RELEVANCE));
            let named = named.into_iter().take(MAX_GIVEN).map(|(_, member)| member).collect();
            found.push(GivenMembers { given, named });
        }
        found
    }

    /// Where a program takes the instances or results of a definition.
    pub(super) fn passed_to(&self, id: DefinitionId) -> Option<PassedTo> {
        passed_to(self.index, &self.classes, id)
    }

    /// How well each word of the intent occurs in a declaration: in its name and that of its class, in its summary, and
    /// in its parameters.
    pub(super) fn words_of_declaration(&mut self, id: DefinitionId) -> Vec<f32> {
        let definition = self.index.definition(id);
        let mut candidate = self.member(id);
        if let Some(class) = definition.parent {
            candidate.add(&self.occurring.in_name(&self.index.definition(class).name), 1.0);
        }
        let parameters = definition.signature.as_ref().map_or(&[][..], |signature| &signature.parameters);
        // Among very many names some have any word.
        let weight = (MANY_PARAMETERS / parameters.len().max(1) as f32).min(1.0).sqrt();
        for parameter in parameters {
            candidate.add(&self.occurring.in_name(&parameter.name), weight);
        }
        for parameter in self.parameters(id) {
            for (most, share) in candidate.words.iter_mut().zip(&parameter.words) {
                *most = f32::max(*most, weight * share);
            }
        }
        candidate.words
    }

    /// Adds the words of the documentation, the type and the values of a parameter.
    fn add_texts_of_parameter(&mut self, candidate: &mut Candidate, definition: &Definition, position: usize) {
        let index = self.index;
        let Some(signature) = &definition.signature else { return };
        let parameter = &signature.parameters[position];
        let documentation = definition.parameter_documentation(position).or_else(|| {
            // The parameter of a synthesized constructor is documented at the field of its name.
            let fields = definition.members.iter().map(|member| index.definition(*member));
            let mut fields = fields.filter(|_| signature.is_synthesized);
            fields.find(|field| field.name == parameter.name)?.summary.as_deref()
        });
        candidate.add_text(documentation.map(|text| self.occurring.in_text(text)));
        if let Some(annotation) = parameter.type_text() {
            candidate.add(&self.occurring.in_text(annotation), TYPES);
            let declaring = declaring(index, definition, position);
            for member in members_of_enums(index, declaring, annotation) {
                candidate.add(&self.occurring.in_name(member), VALUES);
            }
            for string in literals_among(index, declaring, annotation) {
                candidate.add(&self.occurring.in_text(string), VALUES);
            }
            for class in self.subclasses_of_types(declaring, annotation) {
                candidate.add(&self.occurring.in_name(&index.definition(class).name), VALUES);
            }
            for field in fields_of_types(index, declaring, annotation) {
                candidate.add(&self.occurring.in_name(field), TYPES);
            }
        }
        let usage = definition.usage.parameters.get(position);
        let values = usage.into_iter().flat_map(|usage| &usage.values);
        for (value, _) in values.filter(|(value, _)| value.len() <= LONGEST_VALUE) {
            let value = made_outside(value).map_or(value.as_str(), |(value, _)| value);
            candidate.add(&self.occurring.in_text(value), VALUES);
        }
    }

    /// The classes that inherit a class or interface in an annotation.
    fn subclasses_of_types(&self, declaring: &Definition, annotation: &str) -> Vec<DefinitionId> {
        let types: Vec<DefinitionId> = own_types(annotation)
            .filter_map(|name| type_named(self.index, declaring, name).or_else(|| self.classes.named(declaring, name)))
            .collect();
        if types.is_empty() {
            return Vec::new();
        }
        let subclasses = self.subclasses.get_or_init(|| Subclasses::new(self.index));
        types.iter().flat_map(|ty| subclasses.of(*ty)).take(MAX_SUBCLASSES).copied().collect()
    }

    /// The optional parameters of a definition in which a word of the intent occurs, and such keywords that its
    /// `**kwargs` passes on.
    pub(super) fn parameters(&mut self, id: DefinitionId) -> Vec<Candidate> {
        let index = self.index;
        let definition = index.definition(id);
        let Some(signature) = &definition.signature else { return Vec::new() };
        let mut found = Vec::new();
        for (position, parameter) in signature.parameters.iter().enumerate() {
            if is_part_of_the_member(signature, position) {
                continue;
            }
            let mut candidate = self.candidate((id, Some(position)), &parameter.name);
            self.add_texts_of_parameter(&mut candidate, definition, position);
            candidate.frequency = definition.usage.frequency(position).unwrap_or_default() as f32;
            if candidate.occurs() {
                found.push(candidate);
            }
        }
        for (at, name) in signature.passed_on.iter().enumerate() {
            let candidate = self.candidate((id, Some(signature.parameters.len() + at)), name);
            found.extend(Some(candidate).filter(Candidate::occurs));
        }
        found
    }

    fn candidate(&mut self, target: Target, name: &str) -> Candidate {
        self.names += 1;
        let found = self.occurring.in_name(name);
        let share_of_name = found.matched / found.length.max(1) as f32;
        let mut candidate = Candidate { target, words: vec![0.0; self.words], frequency: 0.0 };
        candidate.add(&found, RELEVANCE_OF_A_PART + (1.0 - RELEVANCE_OF_A_PART) * share_of_name);
        candidate
    }
}

/// True for a parameter that is shown wherever its definition is: a required one, or one that takes any number of
/// arguments.
pub(super) fn is_part_of_the_member(signature: &Signature, position: usize) -> bool {
    signature.parameters[position].is_variadic() || signature.is_always_required(position)
}

/// The names of the members of enums that an annotation names.
fn members_of_enums<'i>(index: &'i Index, definition: &Definition, annotation: &str) -> Vec<&'i str> {
    let enums = classes_in(index, definition, annotation).filter(|id| index.is_enum(*id));
    let members = enums.flat_map(|id| &index.definition(id).members);
    members.map(|member| index.definition(*member).name.as_str()).collect()
}

/// The names of what code sets in the values of an annotated type: the fields of a record, and the members of an
/// interface or object type.
pub(super) fn fields_of_types<'i>(index: &'i Index, definition: &Definition, annotation: &str) -> Vec<&'i str> {
    let mut fields: Vec<&str> = Vec::new();
    for id in own_types(annotation).filter_map(|name| type_named(index, definition, name)) {
        let ty = index.definition(id);
        match (ty.kind, &ty.signature) {
            (DefinitionKind::Class, Some(signature)) if signature.is_synthesized => {
                fields.extend(signature.parameters.iter().map(|parameter| parameter.name.as_str()));
            }
            (DefinitionKind::Interface | DefinitionKind::TypeAlias, _) => {
                fields.extend(members_given(index, id).map(|member| index.definition(member).name.as_str()));
            }
            _ => {}
        }
    }
    fields.truncate(MAX_FIELDS);
    fields
}

/// The members of the first interface or object type in an annotation.
pub(super) fn members_of_types(index: &Index, definition: &Definition, annotation: &str) -> Vec<DefinitionId> {
    let mut types = own_types(annotation).filter_map(|name| type_named(index, definition, name));
    let object =
        types.find(|id| matches!(index.definition(*id).kind, DefinitionKind::Interface | DefinitionKind::TypeAlias));
    object.map(|id| members_given(index, id).take(MAX_FIELDS).collect()).unwrap_or_default()
}

impl Candidate {
    /// Adds the occurrences of words, which count by `weight`.
    fn add(&mut self, found: &Found, weight: f32) {
        for &(at, share) in &found.occurrences {
            let most = &mut self.words[usize::from(at)];
            *most = most.max(share * weight);
        }
    }

    /// Adds the words of documentation. A word of a long text says less.
    fn add_text(&mut self, found: Option<Found>) {
        if let Some(found) = found {
            let length = (SHORT_DOCUMENTATION / found.length.max(1) as f32).min(1.0).sqrt();
            self.add(&found, DOCUMENTATION * length);
        }
    }

    pub(super) fn occurs(&self) -> bool {
        self.words.iter().any(|share| *share > 0.0)
    }

    /// The relevance by words, of which each counts by its rarity, and by use.
    pub(super) fn relevance(&self, rarity: &[f32]) -> f32 {
        let words: f32 = self.words.iter().zip(rarity).map(|(share, rarity)| share * rarity).sum();
        words * (1.0 + RELEVANCE_OF_USE * self.frequency)
    }
}
