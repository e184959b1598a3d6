//! Properties of object parameters: they are counted as calls pass them, and never shown without their object.

use std::{fmt::Write, sync::Arc};

use apidisc::{
    delivery::{Format, Packer},
    index::{Index, Scope},
    strategy::Strategy,
    stub::Wording,
    tokens::{Encoding, Tokenizer},
};
use proptest::{collection::vec, prelude::*, strategy::Strategy as _};

use crate::{built, chance::cases};

const NAMES: [&str; 4] = ["timeout", "retries", "signal", "label"];

/// The way in which one call passes the object.
#[derive(Clone, Debug)]
enum Call {
    Nothing,
    Variable,
    /// A literal with the properties of [`NAMES`] that are true, after a spread if the second value is true.
    Literal([bool; 4], bool),
}

fn call() -> impl proptest::strategy::Strategy<Value = Call> {
    prop_oneof![
        1 => Just(Call::Nothing),
        1 => Just(Call::Variable),
        4 => (any::<[bool; 4]>(), prop::bool::weighted(0.2)).prop_map(|(given, spread)| Call::Literal(given, spread)),
    ]
}

/// An index of the function `open(url, options)` with these calls. The property `timeout` is required.
fn index(calls: &[Call], is_destructured: bool) -> Arc<Index> {
    let mut text =
        "interface Options { timeout: number; retries?: number; signal?: object; label?: string }\n".to_owned();
    let object =
        if is_destructured { "{ timeout, retries, signal, label }: Options = rest" } else { "options?: Options" };
    writeln!(text, "declare const rest: Options;\nexport function open(url: string, {object}) {{}}").expect("a string");
    for call in calls {
        let object = match call {
            Call::Nothing => String::new(),
            Call::Variable => ", rest".to_owned(),
            Call::Literal(given, spread) => {
                let given = NAMES.iter().zip(given).filter(|(_, given)| **given).map(|(name, _)| format!("{name}: x"));
                let parts: Vec<String> = spread.then(|| "...rest".to_owned()).into_iter().chain(given).collect();
                format!(", {{ {} }}", parts.join(", "))
            }
        };
        writeln!(text, "open('a'{object});").expect("a string");
    }
    built::index([("src/open.ts", text.as_str())])
}

proptest! {
    #![proptest_config(cases(48))]

    #[test]
    fn properties_are_counted_as_calls_pass_them(calls in vec(call(), 1..12), is_destructured in any::<bool>()) {
        let index = index(&calls, is_destructured);
        let (_, open) = index.definitions_with_ids().find(|(_, d)| d.fqn == "src/open#open").expect("a function");
        let signature = open.signature.as_ref().expect("a signature");
        prop_assert_eq!(open.usage.total_calls as usize, calls.len());
        let object = calls.iter().filter(|call| !matches!(call, Call::Nothing)).count() as u32;
        prop_assert_eq!((open.usage.parameters[1].count, open.usage.parameters[1].unknown), (object, 0));
        // If no call passes an object literal, the signature has no properties.
        if !is_destructured && !calls.iter().any(|call| matches!(call, Call::Literal(..))) {
            prop_assert!(signature.parameters.len() == 2 && open.usage.argument_sets.iter().all(|set| !set.open));
            return Ok(());
        }
        for (at, name) in NAMES.iter().enumerate() {
            let (mut count, mut unknown) = (0, 0);
            for call in &calls {
                match call {
                    Call::Literal(given, _) if given[at] => count += 1,
                    Call::Variable | Call::Literal(_, true) => unknown += 1,
                    _ => {}
                }
            }
            let label = if is_destructured { format!("{{{name}}}") } else { format!("options.{name}") };
            let position = (0..signature.parameters.len()).find(|&at| signature.label(at) == label).expect("a property");
            let row = &open.usage.parameters[position];
            prop_assert_eq!((row.count, row.unknown), (count, unknown), "{}", label);
        }
        let known: u32 = open.usage.argument_sets.iter().filter(|set| !set.open).map(|set| set.calls).sum();
        let plain = calls.iter().filter(|call| !matches!(call, Call::Literal(_, true))).count();
        prop_assert_eq!(known as usize, plain);
    }

    #[test]
    fn no_property_is_shown_without_its_object(
        calls in vec(call(), 1..12),
        max_tokens in 20_usize..160,
        share in 0.0..1.0,
    ) {
        let index = index(&calls, false);
        let scope = index.scope(None, Some("open")).expect("a function");
        let Scope::Definition(id) = scope else { panic!("a function") };
        let signature = index.definition(id).signature.clone().expect("a signature");
        let packer = Packer::new(&index, scope, &Tokenizer::load(Encoding::O200kBase)).expect("a function");
        let strategies = [
            Strategy::TokenBudget { max_tokens },
            Strategy::Threshold { min_frequency: share },
            Strategy::Coverage { target: share },
            Strategy::Exhaustive,
        ];
        for strategy in strategies {
            let Ok(delivery) = packer.deliver(&strategy, Format::Stub) else {
                prop_assert!(matches!(strategy, Strategy::TokenBudget { .. }), "only a budget refuses");
                continue;
            };
            let shown = delivery.symbols[0].shown(&index);
            for (at, parameter) in signature.parameters.iter().enumerate() {
                let Some(object) = parameter.object.map(usize::from) else { continue };
                let object = shown.contains(&signature.label(object));
                let is_shown = shown.contains(&signature.label(at));
                prop_assert!(object || !is_shown, "{strategy}: {shown:?}");
                prop_assert!(!object || is_shown || !parameter.required, "{strategy}: {shown:?}");
            }
        }
    }
}

/// Options that nobody passes are written once before further members are, and only then again.
#[test]
fn the_options_of_one_function_are_not_repeated_before_further_functions_are_shown() {
    let options: Vec<String> = (0..8).map(|at| format!("option{at}?: number; ")).collect();
    let text = format!(
        "export interface Options {{ {}used?: string }}\n\
         export function fetch(url: string, options?: Options): void {{}}\n\
         export function store(url: string, options?: Options): void {{}}\n\
         export function ping(host: string): void {{}}\n\
         fetch('a', {{ used: 'x' }}); fetch('b'); store('a', {{ used: 'y' }});\n",
        options.concat()
    );
    let index = built::index([("src/lib.ts", text.as_str())]);
    let packer = Packer::new(&index, Scope::Repository, &Tokenizer::load(Encoding::O200kBase)).expect("a scope");
    let mut written = Vec::new();
    for max_tokens in 70..170 {
        let strategy = Strategy::TokenBudget { max_tokens };
        let Ok(delivery) = packer.deliver_in(Wording::Calls, &strategy, Format::Stub) else { continue };
        let has = |function: &str, word: &str| {
            delivery.text.lines().any(|line| line.contains(&format!("{function}(")) && line.contains(word))
        };
        let state = (has("fetch", "option7"), has("ping", "host"), has("store", "option0"));
        assert!(!state.2 || state.0, "{max_tokens}: {}", delivery.text);
        written.push(state);
    }
    assert!(written.contains(&(true, true, false)) && written.contains(&(true, true, true)), "{written:?}");
}
