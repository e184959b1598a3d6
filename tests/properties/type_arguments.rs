//! Type arguments in TypeScript stubs: those that a derived type passes to its base, and those that a constraint may
//! refuse. Overloads that are deprecated on their own.

use std::sync::Arc;

use apidisc::{
    delivery::{Format, Packer},
    index::metadata::{MetadataOptions, read, write},
    strategy::Strategy,
    stub::Wording,
    tokens::{Encoding, Tokenizer},
};

use crate::{
    built,
    written_types::{assert_lines, stub_of},
};

#[test]
fn inherited_members_have_the_type_arguments_of_the_heritage_clause() {
    let lib = "
        class Root<K> { key: K; keys(): K[] { return []; } }
        class Base<L, O> extends Root<Map<string, L>> { on(listener: L, option: O): L[] { return []; } }
        export class Emitter<E> extends Base<(event: E) => void, 'once' | 'always'> { last: E; }
        export class Plain extends Base<string> {}
    ";
    let text = stub_of(lib, &[]);
    assert_lines(
        &text,
        &[
            "on(listener: (event: E) => void, option: 'once' | 'always'): ((event: E) => void)[];",
            "keys(): Map<string, (event: E) => void>[];",
            "key: Map<string, (event: E) => void>;",
            "on(listener: string, option: any): string[];",
            "key: Map<string, string>;",
        ],
    );
}

#[test]
fn a_type_argument_that_a_constraint_may_refuse_is_any_and_the_type_stays() {
    let lib = "
        export class Builder<T extends 'a' | 'b'> { from(of: T): void {} }
        export function kind(): 'a' | 'b' { return 'a'; }
        export function make<U extends ReturnType<typeof kind>>(of: U): Builder<U> { return null as any; }
    ";
    let text = stub_of(lib, &[]);
    assert!(text.contains("(of: U): Builder<any>;"), "{text}");
}

#[test]
fn a_deprecated_overload_does_not_deprecate_its_function() {
    let lib = "export class Command {
        /** Adds an option. */
        option(flags: string): this;
        /** @deprecated since v7, use a choice */
        option(flags: string, pattern: RegExp): this;
        option(flags: string, pattern?: RegExp): this { return this; }
        /** @deprecated use run */
        old(name: string): void;
        /** @deprecated use run */
        old(count: number): void;
        old(value: any): void {}
    }
    const command = new Command();
    command.option('-a').option('-b', /b/);
    command.old('a');
    command.old(1);
    ";
    let built = built::index([("lib.ts", lib)]);
    let written = write(&built, &MetadataOptions::default()).expect("metadata");
    let read = Arc::new(read(&written).expect("an index"));
    for index in [built, read] {
        let packer = Packer::new(
            &index,
            index.scope(Some("lib"), Some("Command")).expect("a class"),
            &Tokenizer::load(Encoding::O200kBase),
        );
        let packer = packer.expect("something public");
        let deliver =
            |wording| packer.deliver_in(wording, &Strategy::Exhaustive, Format::Stub).expect("no budget").text;
        let full = deliver(Wording::Full);
        for line in [
            "  /** Adds an option. */\n  option(flags: string): this; // 1 call\n",
            "  option(flags: string, pattern: RegExp): this; // deprecated: since v7, use a choice; 1 call\n",
            "  /** @deprecated use run */\n  old(",
        ] {
            assert!(full.contains(line), "{line}\n{full}");
        }
        assert_eq!(full.matches("deprecated").count(), 2, "{full}");
        let lean = deliver(Wording::Lean);
        assert!(lean.contains("// deprecated: since v7, use a choice; 1 call"), "{lean}");
        // The call shape of both overloads is one.
        let shapes = deliver(Wording::Calls);
        assert!(shapes.contains(" option(flags, pattern?);\n"), "{shapes}");
    }
}
