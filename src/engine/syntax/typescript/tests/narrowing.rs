//! What tests tell of names and chains, and how long it holds.

use super::{check, show, tsx, typescript};

/// What is passed to `show(…)`, with what is known of it in braces.
fn shown(source: &str) -> Vec<String> {
    let declared = format!("let x, y; {source}");
    show::arguments_of(&typescript(&declared), "show")
}

#[test]
fn branches_know_what_their_test_says() {
    let known = shown(
        "if (x instanceof C) { show(x); } else { show(x); }
         if (typeof x === 'string') show(x); else if (x != null) show(x);
         show(x ? x : y, !x || show(x));
         while ('a' in x) show(x);
         show(x);",
    );
    check(
        &known,
        "x{instanceof C?}
         x{not instanceof C?}
         x{typeof string}
         x{not typeof string}{not nullish}
         (? x{truthy} : y)
         (test || show?(x{truthy}))
         x{truthy}
         x{has a}
         x{not has a}",
    );
}

#[test]
fn early_exits_leave_the_other_side() {
    let known = shown(
        "function f(x) {
             if (!x) return;
             show(x);
             if (x.kind === 'a') { throw 1; }
             show(x);
             for (const y of x) { if (y instanceof C) continue; show(y); }
             if (x.kind === 'b') { show(x); } else { return; }
             show(x);
         }",
    );
    check(
        &known,
        "x@f{truthy}
         x@f{truthy}{not .kind == 'a'}
         y@f{not instanceof C?}
         x@f{truthy}{not .kind == 'a'}{.kind == 'b'}
         x@f{truthy}{not .kind == 'a'}{.kind == 'b'}",
    );
}

#[test]
fn compound_conditions_hold_where_they_must() {
    let known = shown(
        "if (x && y instanceof C) { show(x, y); } else { show(x, y); }
         if (!(x || y)) show(x, y);
         if (x || y) show(x, y);
         if (x && (show(x), y)) {}
         if (!x || !y) throw 0;
         show(x, y);",
    );
    check(
        &known,
        "x{truthy}
         y{instanceof C?}
         x
         y
         x{not truthy}
         y{not truthy}
         x
         y
         x{truthy}
         x{truthy}
         y{truthy}",
    );
}

#[test]
fn chains_are_known_by_themselves_and_by_what_they_end_in() {
    let known = shown(
        "if (x.a.b) show(x.a.b, x.a, x.b);
         class K { m() { if (this.p instanceof C) show(this.p); if (this.is(y)) show(y); } }
         if (x.kind === Kind.A) show(x.kind, x);
         if (x?.a) show(x.a);
         if (x.isC()) show(x);",
    );
    check(
        &known,
        "x.a{.b}.b{truthy}
         x.a{.b}
         x.b
         this of K.m.p{instanceof C?}
         y{says this of K.m.is of 0}
         x{.kind == Kind?.A}.kind{== Kind?.A}
         x{.kind == Kind?.A}
         x{.a}.a{truthy}
         x{says .x.isC}",
    );
}

#[test]
fn switches_tell_cases_apart() {
    let known = shown(
        "switch (x.kind) {
             case 'a': show(x); break;
             case 'b':
             case 'c': show(x); return;
             case 'd': show(x);
             case 'e': show(x); return;
             default: show(x);
         }
         switch (typeof x) { case 'string': show(x); }
         switch (true) { case x instanceof C: show(x); }",
    );
    check(
        &known,
        "x{.kind == 'a'}
         x{not .kind == 'a'}
         x{.kind == 'd'}
         x
         x{not .kind == 'a'}{not .kind == 'b'}{not .kind == 'c'}{not .kind == 'd'}{not .kind == 'e'}
         x{typeof string}
         x{instanceof C?}",
    );
}

#[test]
fn assertions_hold_from_there_on() {
    let known = shown("assertIsC(x); show(x); invariant(y instanceof C); show(y); f(x); show(x);");
    check(
        &known,
        "x{says assertIsC? of 0}
         y{instanceof C?}
         x{says assertIsC? of 0}",
    );
}

#[test]
fn an_assignment_ends_what_was_known() {
    let known = shown(
        "if (x.a) { x.a = 1; show(x.a); }
         if (x.a) { x = y; show(x.a); }
         if (x) { if (y) { x = 1; } show(x); }
         if (x) { while (y) { show(x); x = next(); } }
         if (x) { call(() => { x = 1; }); show(x); }
         if (x) { x++; show(x); }
         if (x) { [x] = y; show(x); }",
    );
    check(&known, "x.a\nx.a\nx\nx\nx\nx\nx");
}

#[test]
fn functions_keep_what_is_known_of_names_that_never_change() {
    let known = show::arguments_of(
        &typescript(
            "const a = get(); let b = get(); let c = get(); c = 1;
             if (a && b && c && a.p) {
                 call(() => show(a, b, c, a.p));
                 function later() { show(a); }
             }
             function f(d, e) { if (d instanceof D && e) { e = 1; return () => show(d); } }",
        ),
        "show",
    );
    check(
        &known,
        "a{truthy}{.p}
         b{truthy}
         c
         a{truthy}{.p}.p
         a
         d@f{instanceof D?}",
    );
}

#[test]
fn another_variable_of_the_name_is_not_known() {
    let known = shown("if (x) { const f = (x) => show(x); { let x = 1; show(x); } show(x); }");
    check(&known, "x@f\nx@block\nx{truthy}");
}

#[test]
fn elements_are_guarded_as_expressions_are() {
    let known =
        show::arguments_of(&tsx("const a = get(); b = <>{a && <p>{show(a)}</p>}{!a ? show(a) : null}</>;"), "show");
    check(&known, "a{truthy}\na{not truthy}");
}

#[test]
fn many_guards_are_cut_to_the_latest() {
    let tests = vec!["if (x === 1) throw 0; "; 100].concat();
    let known = shown(&format!("{tests} show(x);"));
    assert_eq!(known[0].matches('{').count(), 6);
}
