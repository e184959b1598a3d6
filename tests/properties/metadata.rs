//! `api_metadata.yaml`: an index that is read from the file gives the same stubs, and a malformed file gives a clear
//! error.

use std::{fmt::Write, iter::successors, sync::Arc};

use apidisc::{
    delivery::{Format, Packer},
    index::{
        Definition, Index, Scope,
        metadata::{MetadataError, MetadataOptions, read, write},
    },
    language::Language,
    program::{DefinitionId, DefinitionKind, Modifiers, ParameterSet},
    strategy::Strategy,
    stub::Wording,
    tokens::{Encoding, Tokenizer},
    usage::{OverloadUsage, ParameterUsage},
};
use proptest::prelude::*;
use thin_vec::thin_vec;

use crate::{chance::cases, python_index, sample};

/// The stubs of the definitions with these FQNs, for several strategies.
fn stubs(index: &Arc<Index>, fqns: &[String]) -> Vec<String> {
    let tokenizer = Tokenizer::load(Encoding::O200kBase);
    let mut stubs = Vec::new();
    for fqn in fqns {
        let Some((id, _)) = index.definitions_with_ids().find(|(_, d)| d.fqn == *fqn) else {
            stubs.push(format!("no {fqn}"));
            continue;
        };
        let Ok(packer) = Packer::new(index, Scope::Definition(id), &tokenizer) else { continue };
        for strategy in [
            Strategy::Exhaustive,
            Strategy::TokenBudget { max_tokens: 150 },
            Strategy::Coverage { target: 0.8 },
            Strategy::Threshold { min_frequency: 0.2 },
        ] {
            stubs.push(packer.deliver(&strategy, Format::Stub).map_or_else(|e| e.to_string(), |d| d.text));
        }
    }
    stubs
}

/// The FQNs of definitions with an entry that is read back unchanged. Definitions that no Python file can have are left
/// out: those with a repeated FQN, with an empty part in the name, or with repeated parameter names.
fn fqns_read_back(index: &Index) -> Vec<String> {
    let is_unique = |fqn: &str| index.definitions.iter().filter(|d| d.fqn == fqn).count() == 1;
    let is_plain = |fqn: &str| !fqn.split('.').any(str::is_empty) && fqn.split('.').count() < 4;
    let has_unique_names = |definition: &Definition| {
        let names = definition.signature.iter().flat_map(|s| s.parameters.iter().map(|p| &p.name));
        let mut names: Vec<_> = names.collect();
        names.sort();
        // Generated attributes may have calls, real ones have none.
        let has_valid_calls = definition.kind.is_callable() || definition.usage.total_calls == 0;
        has_valid_calls && names.windows(2).all(|pair| pair[0] != pair[1])
    };
    let is_valid = |id: DefinitionId| {
        let mut worklist = vec![id];
        while let Some(id) = worklist.pop() {
            let definition = index.definition(id);
            if !is_unique(&definition.fqn) || !is_plain(&definition.fqn) || !has_unique_names(definition) {
                return false;
            }
            worklist.extend(&definition.members);
        }
        true
    };
    let called = index.definitions_with_ids().filter(|(_, d)| d.usage.total_calls >= 2 && d.kind.is_callable());
    // The entry of a definition contains the definitions around it.
    let has_unique_parents = |definition: &Definition| {
        successors(definition.parent, |&parent| index.definition(parent).parent)
            .all(|parent| is_unique(&index.definition(parent).fqn))
    };
    called.filter(|&(id, d)| is_valid(id) && has_unique_parents(d)).map(|(_, d)| d.fqn.to_string()).collect()
}

proptest! {
    #![proptest_config(cases(40))]

    #[test]
    fn an_index_read_back_gives_the_same_stubs(index in python_index::index()) {
        let text = write(&index, &MetadataOptions::default()).expect("a text");
        if let Ok(read_back) = read(&text) {
            let read_back = Arc::new(read_back);
            prop_assert_eq!(stubs(&index, &fqns_read_back(&index)), stubs(&read_back, &fqns_read_back(&index)));
        } else {
            // Names with empty parts are refused, because no language has them.
            prop_assert!(index.definitions.iter().any(|d| d.fqn.split('.').any(str::is_empty)));
        }
    }

    #[test]
    fn a_typescript_definition_is_read_back_unchanged(
        signature in python_index::signature_with_objects(),
        overloads in prop::collection::vec(python_index::signature_with_objects(), 0..3),
        passed in prop::collection::vec((prop::collection::vec(0_usize..10, 0..6), any::<bool>(), 1_u32..9), 1..6),
        modifiers in any::<[bool; 8]>(),
    ) {
        let mut index = typescript();
        let fetch = &mut index.definitions[1];
        let [is_optional, is_readonly, is_static, is_abstract, is_constant, is_new, is_declared, is_protected] =
            modifiers;
        fetch.modifiers = Modifiers {
            is_optional,
            is_readonly,
            is_static,
            is_abstract,
            is_protected,
            is_constant,
            is_new,
            is_declared,
        };
        let parameters = signature.parameters.len();
        fetch.usage_mut().overloads = vec![OverloadUsage::default(); overloads.len()];
        fetch.overloads = overloads.into();
        let mut sample = sample::Sample { index };
        let id = DefinitionId::new(1);
        sample.edit(id).usage_mut().parameters = vec![ParameterUsage::default(); parameters];
        sample.edit(id).signature = Some(Arc::new(signature));
        for (positions, open, calls) in passed {
            let set = positions.into_iter().filter(|&position| position < parameters).collect();
            sample.calls_with(id, set, open, calls + 1);
        }
        let index = sample.build();
        let read_back = read(&write(&index, &MetadataOptions::default()).expect("a text")).expect("our own file");
        let (old, new) = (index.definition(id), definition(&read_back, "packages/http/src/fetch#fetch"));
        prop_assert_eq!(&new.signature, &old.signature);
        prop_assert_eq!(&new.overloads, &old.overloads);
        prop_assert_eq!(&new.usage, &old.usage);
        prop_assert_eq!(new.modifiers, old.modifiers);
    }

    #[test]
    fn reading_never_panics(text in "[-:{}\\[\\]&*!|>'\"%@a-c0-9#,\n \u{0}]{0,60}") {
        let _ = read(&text);
    }
}

#[test]
fn writing_is_deterministic_and_survives_a_round_trip() {
    let index = sample::agents().build();
    let text = write(&index, &MetadataOptions::default()).expect("a text");
    assert_eq!(text, write(&index, &MetadataOptions::default()).expect("a text"));
    let read_back = read(&text).expect("our own file");
    assert_eq!(read_back.definitions.len(), 6, "the class with its four public members, `load_tools`");
    let entries = |text: &str| text.split_once("\ngoogle").map(|(_, entries)| entries.to_owned());
    assert_eq!(entries(&text), entries(&write(&read_back, &MetadataOptions::default()).expect("a text")));
}

/// `@acme/http` with `interface Options<T>`, which has a property, and the function `fetch`, which names `Options`.
fn typescript() -> Index {
    let mut sample = sample::Sample::default();
    let package = sample.module("packages/http");
    let module = sample.module("packages/http/src/fetch");
    for (id, parent) in [(package, None), (module, Some(package))] {
        sample.index.modules[id.index()].parent = parent;
    }
    for file in &mut sample.index.files {
        file.language = Language::TypeScript;
    }
    let options = sample.define(module, None, "Options", DefinitionKind::Interface);
    let fetch = sample.define(module, None, "fetch", DefinitionKind::Function);
    let timeout = sample.define(module, Some(options), "timeout", DefinitionKind::Attribute);
    for (id, fqn) in [(options, "Options"), (fetch, "fetch"), (timeout, "Options.timeout")] {
        let definition = sample.edit(id);
        definition.fqn = format!("packages/http/src/fetch#{fqn}").into();
        definition.alias = format!("@acme/http#{fqn}").into();
        definition.language = Language::TypeScript;
    }
    sample.edit(options).type_parameters = Some("T".into());
    sample.edit(timeout).modifiers.is_optional = true;
    sample.edit(timeout).type_names = thin_vec![("T".into(), None)];
    sample.edit(fetch).type_names = thin_vec![("Options".into(), Some(options)), ("Promise".into(), None)];
    sample.index
}

fn definition<'i>(index: &'i Index, fqn: &str) -> &'i Definition {
    index.definitions.iter().find(|definition| definition.fqn == fqn).expect("a definition")
}

#[test]
fn uncalled_types_that_stubs_show_have_entries() {
    let mut sample = sample::Sample { index: typescript() };
    sample.calls_with(DefinitionId::new(1), ParameterSet::new(), false, 3);
    let index = sample.build();
    let text = write(&index, &MetadataOptions::default()).expect("a text");
    let read_back = read(&text).expect("our own file");
    let fetch = definition(&read_back, "packages/http/src/fetch#fetch");
    assert_eq!(fetch.language, Language::TypeScript);
    let types: Vec<_> =
        fetch.type_names.iter().map(|(name, id)| (&**name, id.map(|id| &*read_back.definition(id).fqn))).collect();
    assert_eq!(types, [("Options", Some("packages/http/src/fetch#Options")), ("Promise", None)]);
    let options = definition(&read_back, "packages/http/src/fetch#Options");
    assert_eq!((options.kind, options.type_parameters.as_deref()), (DefinitionKind::Interface, Some("T")));
    let timeout = read_back.definition(options.members[0]);
    assert!(timeout.modifiers.is_optional && timeout.type_names == [("T".into(), None)]);
    assert!(read_back.root_modules().map(|id| &*read_back.module(id).fqn).eq(["packages"]));
    assert_eq!(
        text,
        write(&read_back, &MetadataOptions::default())
            .map(|text_again| with_header_of(&text_again, &text))
            .expect("a text")
    );
}

/// The `$meta` of the file `header`, followed by the entries of the file `text`. An index that was read back has other
/// counts in `$meta`.
fn with_header_of(text: &str, header: &str) -> String {
    let split = |text: &str| text.find("\npackages/").expect("an entry");
    format!("{}{}", &header[..split(header)], &text[split(text)..])
}

#[test]
fn a_property_without_its_object_is_an_error() {
    let text = "a/b#f: {total_calls: 1, args: {o.x: {within: o}}}";
    assert!(matches!(read(text), Err(error) if error.to_string().contains("`o.x` within `o`, which is no argument")));
}

#[test]
fn entries_have_the_form_of_the_seed_document() {
    let text = write(&sample::agents().build(), &MetadataOptions::default()).expect("a text");
    let value: serde_yaml::Value = serde_yaml::from_str(&text).expect("YAML");
    let agent = &value["google.adk.agents.llm_agent.LlmAgent"];
    assert_eq!(agent["usage_rank"], 1);
    assert_eq!(agent["total_calls"], 101);
    assert_eq!(agent["init_args"]["name"]["required"], true);
    assert_eq!(agent["init_args"]["model"]["freq"], 0.9802);
    assert_eq!(value["google.adk.agents.tools.load_tools"]["args"]["path"]["required"], true);
    assert_eq!(value["$meta"]["schema"], 4);
    assert!(value.get("google.adk.agents.tools.LIMIT").is_none());
}

#[test]
fn the_bare_form_says_nothing_of_the_order_of_arguments_and_implies_the_classes_of_members() {
    let index = read(
        "kit.make:\n  total_calls: 10\n  args:\n    alpha: {required: false, freq: 0.1}\n    model: {required: false, freq: 0.5}\n    \
         name: {required: true, freq: 1.0}\nkit.Store.Page.turn:\n  total_calls: 3\n  args: {}\n",
    )
    .expect("the seed's form");
    let scope = index.scope(Some("kit"), None).expect("the module");
    let packer = Packer::new(&Arc::new(index), scope, &Tokenizer::load(Encoding::O200kBase)).expect("a module");
    let delivery = packer.deliver_in(Wording::Calls, &Strategy::Exhaustive, Format::Stub).expect("it has no budget");
    let expected = "\
# kit: 2 of 2 symbols, coverage not known
# names alone
def make(*, name, model=..., alpha=...): ...

class Store:
 ...
 class Page:
  ...
  def turn(self): ...
";
    assert_eq!(delivery.text, expected);
}

#[test]
fn the_bare_form_loads() {
    let index = read(
        "google.adk.agents.llm_agent.LlmAgent:\n  usage_rank: 1\n  total_calls: 245\n  init_args:\n    name:\n      required: true\n      freq: 1.0\n    \
         model:\n      required: false\n      freq: 0.98\n    instruction:\n      required: false\n      freq: 0.92\n\
         google.adk.agents.llm_agent.LlmAgent.run:\n  total_calls: 3\n  args:\n    message: {required: true, freq: 1.0}\n",
    )
    .expect("the seed's form");
    let scope = index.scope(Some("google.adk.agents"), Some("LlmAgent")).expect("the class");
    let packer = Packer::new(&Arc::new(index), scope, &Tokenizer::load(Encoding::O200kBase)).expect("a class");
    let delivery = packer.deliver(&Strategy::Threshold { min_frequency: 0.95 }, Format::Stub).expect("it fits");
    assert_eq!(
        delivery.text,
        "\
# from google.adk.agents.llm_agent import LlmAgent: coverage not known
class LlmAgent:
    def __init__(
        self,
        *,
        name,  # REQUIRED
        model=...,  # used in 98% of 245 calls
        # ... + 1 argument hidden
    ) -> None: ...
    def run(self, *, message): ...  # 3 calls
"
    );
}

#[test]
fn errors_name_the_line() {
    let line = |text: &str| match read(text) {
        Err(error @ MetadataError::Malformed { line, .. }) => (line, error.to_string()),
        other => panic!("{other:?}"),
    };
    assert_eq!(line("a.b:\n  total_calls: many\n").0, Some(2));
    assert_eq!(
        line("a.b: {total_calls: 2}\na.b: {total_calls: 3}\n").1.split(';').next(),
        Some("line 1: `a.b` stands there twice")
    );
    assert_eq!(line("- a\n- b\n").0, Some(1));
    assert_eq!(line("a.b:\n\tx: 1\n").0, Some(2));
    assert_eq!(line("a.b: {total_calls: 1, args: {x: {freq: 7.5}}}").0, Some(1));
    assert_eq!(line("ok.f: {total_calls: 1}\na.b: {total_calls: 2, args: {x: {count: 3}}}").0, Some(2));
    assert!(line("a.b.: {total_calls: 1}").1.contains("is no dotted name"));
    assert!(line("a.b: {total_calls: 4294967296}").1.contains("line 1"));
    assert!(
        line("a.b: {total_calls: 1, argument_sets: [{args: [x], calls: 1}]}").1.contains("`x`, which is no argument")
    );
    assert!(matches!(read("$meta: {schema: 9}"), Err(MetadataError::Schema { found: 9 })));
}

#[test]
fn more_uses_than_a_plan_can_weigh_are_refused() {
    let refused = |text: &str| {
        let error = read(text).expect_err("too many uses").to_string();
        assert!(error.contains("brings the file above 50 million uses"), "{error}");
    };
    refused("a.f: {total_calls: 100000000}\n");
    refused("a.f: {total_calls: 30000000}\na.g: {total_calls: 0, total_reads: 30000000}\n");
    let inherited = "{declaration: a._B.go, total_calls: 4294967295}";
    refused(&format!("a.C: {{total_calls: 1, inherited: [{inherited}, {inherited}]}}\n"));
    // The largest file that is read can be planned.
    let index = Arc::new(read("a.f: {total_calls: 50000000, args: {x: {count: 50000000}}}\n").expect("a file"));
    let packer = Packer::new(&index, Scope::Repository, &Tokenizer::load(Encoding::O200kBase)).expect("a function");
    for max_tokens in [10, 100, 10_000] {
        let _ = packer.deliver(&Strategy::TokenBudget { max_tokens }, Format::Stub);
    }
}

#[test]
fn overloads_times_parameters_are_limited() {
    let arguments: Vec<String> = (0..2_000).map(|at| format!("a{at}: {{count: 0}}")).collect();
    let file = |calls: u32| {
        let overloads = vec![format!("{{calls: {calls}}}"); 2_000].join(", ");
        format!("a.f: {{total_calls: 1, args: {{{}}}, overloads: [{overloads}]}}\n", arguments.join(", "))
    };
    let error = read(&file(1)).expect_err("too many counts").to_string();
    assert!(error.contains("brings the file above a million parameters of called overloads"), "{error}");
    let index = read(&file(0)).expect("overloads without calls count nothing");
    let usage = &definition(&index, "a.f").usage;
    assert!(usage.overloads.len() == 2_000 && usage.overloads.iter().all(|overload| overload.parameters.is_empty()));
}

#[test]
fn inherited_members_are_as_many_as_an_index_has() {
    let members = vec!["{declaration: a._B.go, total_calls: 0}"; 1_000].join(", ");
    let index = read(&format!(
        "a._B: {{total_calls: 1, kind: class}}\na._B.go: {{total_calls: 1, kind: method, args: {{x: {{count: 1}}}}}}\n\
         a.C: {{total_calls: 1, kind: class, inherited: [{members}]}}\n"
    ))
    .expect("a file");
    let class = index.definitions_with_ids().find(|(_, d)| d.fqn == "a.C").expect("the class").0;
    assert_eq!(index.inherited_members(class).count(), 2 * index.definitions.len());
}

#[test]
fn exponential_yaml_aliases_are_refused() {
    let mut text = String::from("a: &a0 {total_calls: 1}\n");
    for level in 1..40 {
        let below = level - 1;
        writeln!(text, "b{level}: &a{level} {{members: {{x: *a{below}, y: *a{below}}}}}").expect("a string takes it");
    }
    assert!(read(&text).is_err());
    assert!(read(&"[".repeat(100_000)).is_err());
    assert!(read(&"a: {members: ".repeat(5_000)).is_err());
}
