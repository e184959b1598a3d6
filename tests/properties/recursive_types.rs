//! Programs of recursive types, written by the grammars of the fuzz targets, are indexed and exported.
//! `cargo bench --bench recursive_types` judges as many as it is told.

use std::collections::BTreeSet;

use crate::targets::{
    Target,
    programs::{self, Grammar, Program, Rule},
    python_types, typescript_types,
};

const GRAMMARS: [fn() -> &'static Grammar; 2] = [|| &programs::PYTHON, || &programs::TYPESCRIPT];

fn program(grammar: &'static Grammar, number: u64) -> Program {
    programs::program(grammar, &programs::input(number))
}

#[test]
fn every_form_occurs_among_the_first_programs() {
    for grammar in GRAMMARS.map(|grammar| grammar()) {
        let used: BTreeSet<_> = (0..400).flat_map(|number| program(grammar, number).forms).collect();
        for Rule { name, forms } in &grammar.rules {
            for (at, form) in forms.iter().enumerate() {
                assert!(used.contains(&(*name, at)), "{name} is never written as {form}");
            }
        }
    }
}

#[test]
fn most_programs_have_a_declaration_that_names_itself() {
    for grammar in GRAMMARS.map(|grammar| grammar()) {
        let names_itself = |number: &u64| {
            let files = program(grammar, *number).files;
            files.iter().any(|(_, text)| {
                text.lines().any(|line| {
                    let mut words = line.split(|c: char| !c.is_alphanumeric() && c != '_');
                    let declared = words.find(|word| word.ends_with(|c: char| c.is_ascii_digit()));
                    declared.is_some_and(|declared| words.any(|word| word == declared))
                })
            })
        };
        let count = (0..200).filter(names_itself).count();
        assert!(count >= 180, "{count} of 200");
    }
}

#[test]
fn an_input_has_one_program() {
    for grammar in GRAMMARS.map(|grammar| grammar()) {
        for number in 0..20 {
            assert_eq!(program(grammar, number).files, program(grammar, number).files);
        }
        assert_ne!(program(grammar, 0).files, program(grammar, 1).files);
    }
}

/// Indexes and exports the first 200 programs.
fn run(target: Target) {
    for number in 0..200 {
        // Shown when the target fails.
        println!("program {number}");
        target(&programs::input(number));
    }
}

#[test]
fn programs_of_recursive_types_in_typescript_are_indexed_and_exported() {
    run(typescript_types);
}

#[test]
fn programs_of_recursive_types_in_python_are_indexed_and_exported() {
    run(python_types);
}
