//! Property reads: their positions, places and readers.

use super::{check, show, typescript};
use crate::syntax::typescript::facts::{FileFacts, ReadPlace};

/// For each read: line, column, the expression or the name and step of the pattern, and the reader.
fn reads(facts: &FileFacts) -> Vec<String> {
    let place = |place| match place {
        ReadPlace::Access(expr) => show::expr(facts, expr),
        ReadPlace::Pattern(variable, step) => {
            format!("step {step} of {}", facts.name(facts.variables[variable.index()].name))
        }
    };
    let reader =
        |read: &super::super::facts::PropertyRead| read.reader.map_or("-".into(), |def| show::path(facts, def));
    facts
        .reads
        .iter()
        .map(|read| format!("{}:{} {} {}", read.line, read.col, place(read.place), reader(read)))
        .collect()
}

#[test]
fn a_read_is_at_the_name_of_the_property() {
    let facts = typescript("function f(x) { x.a?.b; x['c']; }\n(x.d)!.e;\nx[d]; x.y.z();\n");
    check(
        &reads(&facts),
        "1:18 x@f.a f
         1:21 x@f.a.b f
         1:26 x@f.c f
         2:3 x?.d -
         2:7 x?.d!.e -
         3:8 x?.y -
         3:10 x?.y.z -",
    );
}

#[test]
fn targets_of_assignments_and_deletions_are_not_read() {
    let facts = typescript(
        "x.a.b = x.c; x.d += 1; x.e++; delete x.f;\n[x.g, ...x.h] = [x.i]; ({ p: x.j, q: x.k = x.l } = x);\n\
         for (x.m of x.n) {}\nlet t: typeof x.o;\n(x.p as any) = 1; x!.q! = 1;\n",
    );
    check(
        &reads(&facts),
        "1:2 x?.a -
         1:10 x?.c -
         1:15 x?.d -
         1:25 x?.e -
         2:19 x?.i -
         2:45 x?.l -
         3:14 x?.n -",
    );
}

#[test]
fn a_pattern_reads_the_properties_that_it_names() {
    let facts = typescript(
        "const { a, b: { c = ({ z }) => z.d, ...r }, [k]: e, 'f': g } = x;\nfunction h({ i = 1, j: [{ k }] }, { l: {} }) {}\n",
    );
    check(
        &reads(&facts),
        "1:8 step 0 of a -
         1:23 step 0 of z -
         1:33 z@_.d -
         1:16 step 1 of c -
         1:11 step 0 of r -
         1:52 step 0 of g -
         2:13 step 0 of i h
         2:26 step 2 of k h
         2:20 step 0 of k h",
    );
}
