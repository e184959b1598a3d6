//! Properties that hold for every index and every budget.

#[path = "../support/built.rs"]
mod built;
#[path = "../support/chance.rs"]
mod chance;
#[path = "../support/sample.rs"]
mod sample;
#[path = "../fuzz/targets.rs"]
mod targets;
#[path = "../support/tools.rs"]
mod tools;
#[path = "../support/typescript.rs"]
mod typescript;

mod call_evidence;
mod called_constants;
mod compiler;
mod declarations;
mod documented;
mod exhaustive;
mod expected_stubs;
mod exported_names;
mod generators;
mod hierarchies;
mod import_shim;
mod inherited;
mod keywords;
mod linking;
mod metadata;
mod mutants;
mod named_constructors;
mod objects;
mod overloads;
mod pins_and_bans;
mod profile;
mod program;
mod python_index;
mod recount;
mod recursive_types;
mod returned_objects;
mod seeds;
mod stub;
mod texts;
mod type_arguments;
mod typescript_index;
mod typescript_stub;
mod unknown_constructors;
mod unprintable;
mod written_attributes;
mod written_index;
mod written_sources;
mod written_types;
