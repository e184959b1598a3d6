//! Type guards: which conditions narrow which reads, and when a guard ends.

use super::{check, show, tsx, typescript};

/// The arguments of calls of `show`, each with its type guards in braces.
fn shown(source: &str) -> Vec<String> {
    let declared = format!("let x, y; {source}");
    show::arguments_of(&typescript(&declared), "show")
}

#[test]
fn a_branch_has_the_guards_of_its_condition() {
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
fn after_an_early_exit_the_opposite_guard_holds() {
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
fn compound_conditions_narrow_only_by_operands_that_are_certain() {
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
fn property_chains_are_narrowed_and_discriminate_their_objects() {
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
fn cases_of_a_switch_have_guards_and_its_default_excludes_them() {
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
         x{not .kind == 'a'}{(.kind == 'b' or .kind == 'c')}
         x{.kind == 'd'}
         x
         x{not .kind == 'a'}{not .kind == 'b'}{not .kind == 'c'}{not .kind == 'd'}{not .kind == 'e'}
         x{typeof string}
         x{instanceof C?}",
    );
}

#[test]
fn assertions_narrow_the_code_after_them() {
    let known = shown("assertIsC(x); show(x); invariant(y instanceof C); show(y); f(x); show(x);");
    check(
        &known,
        "x{says assertIsC? of 0}
         y{instanceof C?}
         x{says assertIsC? of 0}",
    );
}

#[test]
fn an_assignment_invalidates_guards() {
    let known = shown(
        "if (x.a) { x.a = 1; show(x.a); }
         if (x.a) { x = y; show(x.a); }
         if (x) { if (y) { x = 1; } show(x); }
         if (x) { while (y) { show(x); x = next(); } }
         if (x) { call(() => { x = 1; }); show(x); }
         if (x) { x++; show(x); }
         if (x) { [x] = y; show(x); }",
    );
    check(&known, "x.a{= number}\nx{= y}.a\nx{((not .a or = y) or = number)}\nx\nx\nx\nx{= y[0]}");
}

#[test]
fn closures_keep_the_guards_of_names_that_are_never_reassigned() {
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
fn a_guard_does_not_hold_for_another_variable_of_the_same_name() {
    let known = shown("if (x) { const f = (x) => show(x); { let x = 1; show(x); } show(x); }");
    check(&known, "x@f\nx@block\nx{truthy}");
}

#[test]
fn conditions_in_jsx_narrow_like_other_conditions() {
    let known =
        show::arguments_of(&tsx("const a = get(); b = <>{a && <p>{show(a)}</p>}{!a ? show(a) : null}</>;"), "show");
    check(&known, "a{truthy}\na{not truthy}");
}

#[test]
fn only_the_latest_guards_of_a_read_are_kept() {
    let tests = vec!["if (x === 1) throw 0; "; 100].concat();
    let known = shown(&format!("{tests} show(x);"));
    assert_eq!(known[0].matches('{').count(), 6);
}
