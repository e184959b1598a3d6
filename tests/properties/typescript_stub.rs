//! TypeScript stubs: they are valid, do not exceed their budget, account for every hidden parameter, and never cover
//! less with a larger budget.

use std::sync::Arc;

use apidisc::{
    delivery::{Delivery, DeliveryError, Format, Packer},
    index::{Index, Scope},
    program::{DefinitionId, DefinitionKind, ModuleId},
    strategy::Strategy,
    stub::{Style, Wording},
    tokens::{Encoding, Tokenizer},
};
use proptest::prelude::*;

use crate::{built, chance::cases};

use crate::{stub::style, typescript_index};

pub(crate) fn packers(index: &Arc<Index>) -> Vec<Packer> {
    let tokenizer = Tokenizer::load(Encoding::O200kBase);
    let inner = (0..index.definitions.len()).map(DefinitionId::new).filter(|&id| index.definition(id).parent.is_some());
    let definitions = [DefinitionId::new(0)].into_iter().chain(inner.take(2)).map(Scope::Definition);
    [Scope::Repository, Scope::Module(ModuleId::new(0)), Scope::Module(ModuleId::new(1))]
        .into_iter()
        .chain(definitions)
        .filter_map(|scope| Packer::new(index, scope, &tokenizer).ok())
        .collect()
}

fn budget(packer: &Packer, style: Style, max_tokens: usize, format: Format) -> Result<Delivery, DeliveryError> {
    packer.deliver_in(style, &Strategy::TokenBudget { max_tokens }, format)
}

fn every_strategy() -> Vec<Strategy> {
    let mut strategies = vec![Strategy::Exhaustive];
    strategies.extend([0.0, 0.2, 0.7].map(|min_frequency| Strategy::Threshold { min_frequency }));
    strategies.extend([0.3, 0.95, 1.0].map(|target| Strategy::Coverage { target }));
    strategies.extend([60, 200, 600, 1000].map(|max_tokens| Strategy::TokenBudget { max_tokens }));
    strategies
}

/// The stubs of every strategy in a style.
pub(crate) fn stubs(packer: &Packer, style: Style) -> Vec<Delivery> {
    every_strategy().iter().filter_map(|strategy| packer.deliver_in(style, strategy, Format::Stub).ok()).collect()
}

/// The text without comments and without quoted text.
fn code(text: &str) -> String {
    let mut code = String::new();
    let mut is_documentation = false;
    for line in text.lines() {
        let mut quote = None;
        let mut line = line;
        if is_documentation {
            let end = line.find("*/");
            is_documentation = end.is_none();
            line = end.map_or("", |end| &line[end + 2..]);
        } else if line.trim_start().starts_with("/**") && !line.contains("*/") {
            is_documentation = true;
            line = "";
        }
        let mut chars = line.chars().peekable();
        while let Some(c) = chars.next() {
            match quote {
                Some(_) if c == '\\' => {
                    chars.next();
                }
                Some(open) => quote = (c != open).then_some(open),
                None if c == '/' && matches!(chars.peek(), Some('/' | '*')) => break,
                None if matches!(c, '"' | '\'' | '`') => quote = Some(c),
                None => code.push(c),
            }
        }
        assert_eq!(quote, None, "{line}");
        code.push('\n');
    }
    code
}

proptest! {
    #![proptest_config(cases(24))]

    #[test]
    fn a_budget_is_never_exceeded_and_the_smallest_works(
        index in typescript_index::index(),
        style in style(),
        max_tokens in 1_usize..900,
    ) {
        let tokenizer = Tokenizer::load(Encoding::O200kBase);
        for packer in packers(&index) {
            for format in [Format::Stub, Format::Markdown, Format::Json] {
                match budget(&packer, style, max_tokens, format) {
                    Ok(delivery) => {
                        let counted = if format == Format::Json { delivery.stub() } else { &delivery.text };
                        prop_assert_eq!(tokenizer.count(counted), delivery.tokens);
                        prop_assert!(delivery.tokens <= max_tokens);
                    }
                    Err(DeliveryError::BudgetTooSmall { smallest, .. }) => {
                        prop_assert!(smallest > max_tokens);
                        prop_assert!(budget(&packer, style, smallest, format).is_ok());
                    }
                    Err(error) => return Err(TestCaseError::fail(error.to_string())),
                }
            }
        }
    }

    #[test]
    fn a_larger_budget_never_covers_less(index in typescript_index::index(), style in style(), first in 20_usize..38) {
        for packer in packers(&index) {
            let mut before: Option<Delivery> = None;
            // Every case tries other budgets.
            for max_tokens in (first..900).step_by(18) {
                let Ok(delivery) = budget(&packer, style, max_tokens, Format::Stub) else { continue };
                if let Some(before) = &before {
                    prop_assert!(
                        delivery.covered().total() >= before.covered().total(),
                        "{} calls for {max_tokens}, {} for less:\n{}\n{}",
                        delivery.covered().total(), before.covered().total(), delivery.text, before.text
                    );
                }
                before = Some(delivery);
            }
        }
    }

    #[test]
    fn every_parameter_is_shown_or_hidden(index in typescript_index::index(), style in style()) {
        for packer in packers(&index) {
            for delivery in stubs(&packer, style) {
                for symbol in &delivery.symbols {
                    let parameters = index.definition(symbol.id).signature.as_ref().map_or(0, |s| s.parameters.len());
                    let (shown, hidden, text) = (symbol.shown(&index), symbol.hidden(&index), delivery.part(symbol));
                    prop_assert_eq!(shown.len() + hidden.len(), parameters);
                    let has_sign = text.lines().any(|line| line.contains("//") && line.ends_with(" ..."));
                    // The legend of call shapes says that more is hidden.
                    let has_legend = delivery.text.contains("more hidden");
                    let says = text.contains("hidden")
                        || has_sign
                        || has_legend
                        || text.contains("constructor not in these sources");
                    let definition = index.definition(symbol.id);
                    // A parameter of the implementation that no overload declares is no parameter for callers.
                    let is_declared = definition.signature.is_some() && definition.overloads.is_empty();
                    prop_assert!(hidden.is_empty() || says || !is_declared, "{text}\n{hidden:?}");
                }
            }
        }
    }

    #[test]
    fn brackets_match_and_texts_stay_on_one_line(index in typescript_index::index(), style in style()) {
        for packer in packers(&index) {
            for delivery in stubs(&packer, style) {
                prop_assert!(!delivery.text.chars().any(|c| c.is_control() && c != '\n'), "{:?}", delivery.text);
                let mut open = Vec::new();
                for c in code(&delivery.text).replace("=>", "").chars() {
                    match c {
                        '(' | '[' | '{' | '<' => open.push(c),
                        ')' => prop_assert_eq!(open.pop(), Some('(')),
                        ']' => prop_assert_eq!(open.pop(), Some('[')),
                        '}' => prop_assert_eq!(open.pop(), Some('{')),
                        '>' => prop_assert_eq!(open.pop(), Some('<')),
                        _ => {}
                    }
                }
                prop_assert!(open.is_empty(), "{}", delivery.text);
            }
        }
    }
}

#[test]
fn the_same_index_gives_the_same_bytes() {
    let texts = |index: &Arc<Index>| {
        packers(index).iter().flat_map(|packer| stubs(packer, Style::default())).map(|d| d.text).collect::<Vec<_>>()
    };
    assert_eq!(texts(&crate::typescript::http().build()), texts(&crate::typescript::http().build()));
}

/// Types that are declared only because a text names them do not count as symbols of the scope.
#[test]
fn named_types_are_not_symbols_of_the_scope() {
    let index = crate::typescript::http().build();
    let packer =
        Packer::new(&index, Scope::Module(ModuleId::new(0)), &Tokenizer::load(Encoding::O200kBase)).expect("it");
    let delivery = packer.deliver(&Strategy::Exhaustive, Format::Stub).expect("no budget");
    let named = |kind| delivery.symbols.iter().filter(|symbol| index.definition(symbol.id).kind == kind).count();
    assert!(delivery.text.starts_with("// packages/http/src/client: 4 of 4 symbols, 100% of 119 calls\n"));
    assert_eq!((named(DefinitionKind::Interface), delivery.hidden_members), (3, 0), "{}", delivery.text);
}

/// The text of a long object type is not kept. Its properties are members of the alias.
#[test]
fn a_long_object_type_is_written_with_its_properties() {
    let properties = (0..60).map(|at| format!("  property_{at}: number;\n")).collect::<Vec<_>>().concat();
    let text = format!(
        "export type Settings<T> = Readonly<{{\n  value?: T;\n{properties}}}>;\n\
         export type Point = {{ x: number; y: number }};\n\
         export type Kind = {{ kind: Point }} & Box<\"{{ ... }}\">;\n\
         export class Page {{ constructor(readonly url: string, public settings: Settings<string>) {{}} }}\n"
    );
    let index = built::index([("a.ts", text.as_str())]);
    let packer = Packer::new(&index, Scope::Repository, &Tokenizer::load(Encoding::O200kBase)).expect("a language");
    let exhaustive = packer.deliver(&Strategy::Exhaustive, Format::Stub).expect("no budget");
    let stub = exhaustive.stub();
    assert!(stub.contains("export type Settings<T> = Readonly<{\n  property_0: number;\n"), "{stub}");
    assert!(stub.contains("  property_59: number;\n  value?: T;\n}>;\n"), "{stub}");
    assert!(stub.contains("export type Point = { x: number; y: number };\n"), "{stub}");
    assert!(stub.contains("  readonly url: string;\n"), "{stub}");
    assert!(stub.contains("export type Kind = { kind: Point } & any;\n"), "{stub}");
    let small = budget(&packer, Wording::Full.into(), 200, Format::Stub).expect("it fits");
    assert!(!small.stub().contains("property_59"), "{}", small.stub());
}
