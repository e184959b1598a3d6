//! Axes of what happens after indexing: reading an index file, packing a stub, evaluating strategies.

use std::{fmt::Write as _, sync::Arc};

use apidisc::{
    control::Control,
    delivery::{StubRequest, evaluate::evaluate},
    index::{
        Index,
        metadata::{MetadataOptions, read, write},
    },
    indexer::build,
    strategy::Strategy,
};

use crate::work::{Files, assert_linear_work, measure, source};

fn index(files: Files) -> Arc<Index> {
    Arc::new(build(&source(files), &mut |_| Control::Continue).expect("a source").expect("not cancelled"))
}

fn python(text: String) -> Files {
    vec![("a.py".to_owned(), text)]
}

/// Functions that are each called twice.
fn functions(size: usize) -> Files {
    let mut text = String::new();
    for i in 0..size {
        let _ = writeln!(text, "def f{i}(a, b=1): ...\nf{i}(1)\nf{i}(1, b={i})");
    }
    python(text)
}

/// A class whose methods are each called.
fn methods(size: usize) -> Files {
    let mut text = "class C:\n".to_owned();
    for i in 0..size {
        let _ = writeln!(text, "    def m{i}(self, a, b=1): ...");
    }
    text += "c = C()\n";
    for i in 0..size {
        let _ = writeln!(text, "c.m{i}(1)\nc.m{i}(1, b={i})");
    }
    python(text)
}

/// A function whose parameters are each passed.
fn parameters(size: usize) -> Files {
    let list = |text: fn(usize) -> String| (0..size).map(text).collect::<Vec<_>>().join(", ");
    let mut text = format!("def f({}): ...\n", list(|i| format!("p{i}=None")));
    for i in 0..size {
        let _ = writeln!(text, "f(p{i}=1)");
    }
    python(text)
}

/// Modules that star-import the one before, with a function each.
fn star_imports(size: usize) -> Files {
    let module = |i: usize| {
        let before = if i == 0 { String::new() } else { format!("from p.m{} import *\n", i - 1) };
        (format!("p/m{i}.py"), format!("{before}def f{i}(a, b=1): ...\nf{i}(1)\nf{}(2)\n", i / 2))
    };
    (0..size).map(module).collect()
}

fn pack(files: Files, symbol: Option<&str>, strategy: Strategy) -> crate::work::Work {
    let request = StubRequest { symbol: symbol.map(str::to_owned), strategy, ..StubRequest::default() };
    measure(
        || index(files),
        |index| {
            request.deliver(&index).expect("a stub");
        },
    )
}

#[test]
fn reading_an_index_file() {
    assert_linear_work(500, |size| {
        let text = || write(&index(functions(size)), &MetadataOptions::default()).expect("a text");
        measure(text, |text| {
            read(&text).expect("our own file");
        })
    });
}

#[test]
fn writing_an_index_file() {
    assert_linear_work(500, |size| {
        measure(
            || index(functions(size)),
            |index| {
                write(&index, &MetadataOptions::default()).expect("a text");
            },
        )
    });
}

#[test]
fn a_class_of_many_methods_within_a_budget() {
    assert_linear_work(200, |size| pack(methods(size), Some("C"), Strategy::TokenBudget { max_tokens: 1000 }));
}

#[test]
fn a_class_of_many_methods_up_to_a_target() {
    assert_linear_work(200, |size| pack(methods(size), Some("C"), Strategy::Coverage { target: 0.9 }));
}

#[test]
fn a_function_of_many_parameters_within_a_budget() {
    assert_linear_work(100, |size| pack(parameters(size), Some("f"), Strategy::TokenBudget { max_tokens: 1000 }));
}

#[test]
fn evaluating_star_imports() {
    assert_linear_work(60, |size| {
        measure(
            || index(star_imports(size)),
            |index| {
                let strategies = [Strategy::TokenBudget { max_tokens: 1000 }];
                evaluate(&index, &StubRequest::default(), &strategies, &mut |_, _| Control::Continue)
                    .expect("an evaluation");
            },
        )
    });
}
