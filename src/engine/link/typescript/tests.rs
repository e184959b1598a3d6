//! Tests of the budget of queries, by what call sites and descriptions say.

use super::{
    call_sites::CallResolver,
    infer::{Linker, MAX_STEPS},
    link_files,
    modules::ModuleResolver,
    platform,
    program::{FileIndex, ProgramFacts},
    source_file::SourceFile,
};
use apidisc_base::control::StepReports;
use apidisc_facts::{
    program::UnresolvedReason,
    source::Roots,
    syntax::typescript::{self, facts::CallExprId},
};

#[test]
fn a_call_that_exhausts_the_budget_is_too_complex_and_the_next_one_is_resolved() {
    let functions: Vec<String> = (1..=50).map(|i| format!("function f{i}() {{ return f{}(); }}", i - 1)).collect();
    let text = format!(
        "class A {{ m() {{}} }}\nfunction f0() {{ return new A(); }}\n{}\nconst a = f50();\na.m();\na.m();\nnew A().m();\n",
        functions.join("\n")
    );
    let facts = typescript::read(&text, typescript::Dialect::TypeScript, false);
    let reasons = |granted: u32| {
        let resolver = ModuleResolver::new(&["a.ts"], &[], &Roots::default());
        let (steps, _reports) = StepReports::new();
        let mut linker = Linker::new(ProgramFacts::new(vec![&facts, platform()], vec![Some(0)]), resolver, steps);
        linker.budget.grant(granted);
        let calls = (0..facts.calls.len()).filter(|site| facts.calls[*site].line > 53);
        let mut resolver = CallResolver { linker: &mut linker, files: &[] };
        let resolved = calls.map(|site| resolver.resolve_call(FileIndex::new(0), CallExprId::new(site)));
        resolved.map(|call| call.candidates.is_empty().then_some(call.why)).collect::<Vec<_>>()
    };
    assert_eq!(reasons(MAX_STEPS), [None; 4]);
    let complex = Some(UnresolvedReason::TooComplex);
    let few = reasons(40);
    assert_eq!((few[0], few[1]), (complex, complex), "{few:?}");
    assert_eq!(few[2..], [None; 2], "{few:?}");
}

#[test]
fn a_description_that_exhausts_the_budget_is_said() {
    let text = "export function f({ a }: T) {}\nexport interface T { a: number }\n";
    let diagnostics = |granted: u32| {
        let facts = typescript::read(text, typescript::Dialect::TypeScript, false);
        let content = crate::linked::Content::Code;
        let files = [SourceFile { path: "a.ts".into(), module: "a".into(), ..SourceFile::new(content, facts) }];
        let (steps, _reports) = StepReports::new();
        let program = ProgramFacts::new(vec![&files[0].facts, platform()], vec![Some(0)]);
        let mut linker = Linker::new(program, ModuleResolver::new(&["a.ts"], &[], &Roots::default()), steps);
        linker.budget.grant(granted);
        link_files(&mut linker, &files, None).diagnostics
    };
    assert_eq!(diagnostics(MAX_STEPS), []);
    let said = diagnostics(1);
    assert!(said[0].path == "a.ts" && said[0].message.contains("line 1: a definition takes more than"), "{said:?}");
}
