//! Constants that calls have made: stubs show how they are called, and the members of the instances that they hold.

use std::sync::Arc;

use apidisc::{
    delivery::{Format, Packer},
    index::{Index, Scope, metadata},
    strategy::Strategy,
    tokens::{Encoding, Tokenizer},
};

use crate::{built, compiler::assert_compiles};

const LIBRARY: &str = "
    import { create, debounce } from 'outside';
    import { forwardRef, memo } from 'react';
    export interface Props { kind: string; size?: number }
    export const useStore = create();
    export const Model = create();
    export const timers = { save: debounce(() => 1) };
    export const Box = forwardRef<HTMLElement, Props>((props, ref) => null);
    function Inner(props: Props) { return null; }
    export const Row = memo(Inner);
    class Base { close(force?: boolean): void {} }
    class Logger extends Base {
        static make(): void {}
        info(text: string): void { this.write(text); }
        private write(text: string): void {}
    }
    export const log = new Logger();
";

const USES: &str = "
    import { useStore, Model, timers, Box, Row, log } from './lib';
    useStore('a', { deep: true });
    useStore();
    new Model({ name: 'n' });
    timers.save(1);
    const a = <Box kind=\"a\" size={1} />;
    const b = <Row kind=\"b\" />;
    log.info('x');
    log.info('y');
    log.close(true);
";

fn stub(index: &Arc<Index>) -> String {
    let packer = Packer::new(index, Scope::Repository, &Tokenizer::load(Encoding::O200kBase)).expect("a scope");
    packer.deliver(&Strategy::Exhaustive, Format::Stub).expect("a stub").text
}

#[test]
fn stubs_say_how_constants_and_the_members_of_instances_are_called() {
    let index = built::index([("src/lib.tsx", LIBRARY), ("src/main.tsx", USES)]);
    let text = stub(&index);
    assert_compiles(std::slice::from_ref(&text));
    for line in [
        "export declare function useStore(...args: any[]): any; // 2 calls, not known; passed here: 1st argument 1×, \
         2nd argument 1× (deep 1×)",
        "  new (...args: any[]): any; // 1 call, not known; passed here: 1st argument 1× (name 1×)",
        "  save(...args: any[]): any; // 1 call, not known; passed here: 1st argument 1×",
        "export declare function Box(props: { kind: string; size?: number }): any; // 1 call, size in 100%",
        "export declare function Row(props: { kind: string; size?: number }): any; // 1 call",
        "export declare const log: {",
        "  info(text: string): void; // 2 calls",
        "  close(force?: boolean): void; // 1 call, force in 100%",
    ] {
        assert!(text.lines().any(|written| written == line), "{line}\n\n{text}");
    }
    assert!(!text.contains("make") && !text.contains("write") && !text.contains("Inner"), "{text}");
}

#[test]
fn a_written_index_keeps_the_calls_of_constants() {
    let index = built::index([("src/lib.tsx", LIBRARY), ("src/main.tsx", USES)]);
    let options = metadata::MetadataOptions { min_usage_threshold: 0, encoding: Encoding::O200kBase };
    let read = Arc::new(metadata::read(&metadata::write(&index, &options).expect("a text")).expect("an index"));
    assert_eq!(stub(&read), stub(&index));
}
