//! The objects that functions return: stubs show their members with the share of calls that take each.

use std::sync::Arc;

use apidisc::{
    delivery::{Format, Packer},
    index::{Index, Scope, metadata},
    strategy::Strategy,
    stub::Wording,
    tokens::{Encoding, Tokenizer},
};

use crate::{built, compiler::assert_compiles};

const LIBRARY: &str = "
    import { useCallback, useMemo, useState } from 'react';
    import { useQuery } from 'outside';
    export interface Item { id: string }
    class Store {}
    export function useDialog(initial = false) {
        const [isOpen, setIsOpen] = useState(initial);
        function open(item: Item, reason?: string): void {}
        const close = useCallback(async (force: boolean) => { await send(force); }, []);
        const toggle = (count = 1, item: Item) => count + 1;
        return { isOpen, open, close, toggle, title: 'Dialog', size: 3, store: new Store(), never: 1 };
    }
    export const useMemoized = () => useMemo(() => ({ name: 'n', items: [] as Item[] }), []);
    export function useData(id: string) { return useQuery(id); }
    export function useBoth(id: string) { const query = useQuery(id); return { ...query, refresh() { return 1; } }; }
    export function find(id: string) { if (!id) return null; if (id === 'a') return { id, size: 1 }; return { id, size: 'x' }; }
    export function pick(flag: boolean) { return flag ? { a: 1 } : { a: 2, b: true }; }
    export async function load() { return { rows: 3, more: false }; }
    export function declared(): Item { return { id: 'x' }; }
    export function text() { return 'x'; }
    export class Api { status() { return { ok: true, self: this }; } }
    export function unused() { return { one: 1 }; }
    export function useTuple(initial: string) {
        const [state, setState] = useState(initial);
        const set = (value: string): void => setState(value);
        return [initial, set] as const;
    }
    export function useDeclared(): [text: string, number] { return ['x', 1]; }
    export async function loadPair(): Promise<readonly [number, string]> { return [1, 'a']; }
    export function usePlain() { return [1, 'a']; }
";

const USES: &str = "
    import { useDialog, useMemoized, useData, useBoth, find, pick, load, declared, text, Api, useTuple, useDeclared,
        loadPair, usePlain } from './lib';
    function A() { const { open, isOpen: shown = true } = useDialog(); open({ id: 'x' }); }
    function B() { const dialog = useDialog(); dialog.open({ id: 'x' }); dialog.close(true); }
    function C() { useDialog().open({ id: 'x' }); }
    function D() { const dialog = useDialog(true); dialog.isOpen; pass(dialog); }
    function E() { pass(useDialog()); }
    const { name } = useMemoized();
    const { data, error } = useData('a');
    const { data: other } = useData('b');
    const { data: both, refresh } = useBoth('c');
    const found = find('x');
    found?.id;
    const { b } = pick(true);
    async function F() { const { rows } = await load(); load().then(({ rows, more }) => 1); }
    const { id } = declared();
    const { length } = text();
    const { ok } = new Api().status();
    function G() { const [state, set] = useTuple('a'); set(state); const [, other] = useTuple('b'); }
    function H() { const pair = useDeclared(); return pair[1]; }
    async function I() { const [count] = await loadPair(); const [one] = usePlain(); }
";

const PYTHON_LIBRARY: &str = r#"
from collections import namedtuple
from typing import Any, Optional

class Config: ...

def load(path: str):
    if not path:
        return None
    config = Config()
    errors = []
    return config, errors

def size() -> tuple[int, str]:
    return 1, "x"

async def fetch() -> Optional[tuple[int, str]]:
    status, text = 200, ""
    return status, text

def measure(values, depth: int = 3):
    """Measures values."""
    return {"mean": 1.5, "max": values, "size": "x"}

def collect(**more) -> dict[str, Any]:
    result = {"count": 1, **more}
    result["config"] = Config()
    return result

def either(flag):
    return {"a": 1} if flag else {"a": "x", "b": True}

def point():
    Point = namedtuple("Point", "x y")
    return Point(1, y=2)

def mixed(flag):
    return {"a": 1} if flag else 3

def passed(flag):
    return measure(flag)

def walk():
    yield 1, 2

def cached(f): return 3

@cached
def changed():
    return 1, 2

class Store:
    def parts(self):
        return self, self._name
    @property
    def pair(self):
        return 1, 2
"#;

const PYTHON_USES: &str = r#"
import library as lib

def main(store: lib.Store):
    config, errors = lib.load("a")
    config, _ = lib.load("b")
    lib.size()[0]
    result = lib.measure([], depth=1)
    result["mean"] + result.get("max", 0)
    lib.measure([])["mean"]
    other = lib.measure([])
    print(other, other["max"])
    collected = lib.collect()
    collected["count"] = 2
    collected["config"]
    lib.either(True)["b"]
    found = lib.point()
    found.x, found[1]
    owner, name = store.parts()
    a, b = lib.changed()
    for a, b in lib.walk(): pass

async def fetching():
    response = await lib.fetch()
    if response is None:
        return
    status, _ = response
"#;

fn stub(index: &Arc<Index>) -> String {
    let packer = Packer::new(index, Scope::Repository, &Tokenizer::load(Encoding::O200kBase)).expect("a scope");
    packer.deliver(&Strategy::Exhaustive, Format::Stub).expect("a stub").text
}

#[test]
fn the_result_of_a_function_is_an_object_type_with_the_taken_members_first() {
    let index = built::index([("src/lib.tsx", LIBRARY), ("src/main.tsx", USES)]);
    let text = stub(&index);
    assert_compiles(std::slice::from_ref(&text));
    for lines in [
        "export declare function useDialog(initial?: boolean): { // initial in 20%
  open: (item: Item, reason?: string) => void; // 100%
  isOpen: any; // 50%
  close: (force: boolean) => Promise<void>; // 33%
  toggle: (count: any, item: Item) => any;
  title: string;
  size: number;
  store: Store;
  never: number;
}; // 5 calls
",
        "export declare function useMemoized(): {
  name: string; // 100%
  items: Item[];
}; // 1 call
",
        "export declare function useData(id: string): {
  data: any; // 100%
  error: any; // 50%
  [name: string]: any;
}; // 2 calls
",
        "export declare function useBoth(id: string): {
  refresh: () => number; // 100%
  data: any; // 100%
  [name: string]: any;
}; // 1 call
",
        "export declare function find(id: string): {
  id: string; // 100%
  size: any;
} | null; // 1 call
",
        "export declare function pick(flag: boolean): {
  b?: boolean; // 100%
  a: number;
}; // 1 call
",
        "export declare function load(): Promise<{
  rows: number; // 100%
  more: boolean;
}>; // 2 calls
",
        "export declare function declared(): Item; // 1 call\n",
        "export declare function text(): string; // 1 call\n",
        "  status(): {
    ok: boolean; // 100%
    self: any;
  }; // 1 call
",
        "export declare function unused(): {
  one: number;
};
",
        "export declare function useTuple(initial: string): readonly [string, (value: string) => void]; \
         // 2 calls, returns [initial 50%, set 100%]\n",
        "export declare function useDeclared(): [string, number]; // 1 call, returns [text, [1] 100%]\n",
        "export declare function loadPair(): Promise<readonly [number, string]>; // 1 call, returns [[0] 100%, [1]]\n",
        "export declare function usePlain(): (number | string)[]; // 1 call\n",
    ] {
        assert!(text.contains(lines), "{lines}\n\n{text}");
    }
}

#[test]
fn a_lean_signature_has_the_members_that_many_calls_take() {
    let index = built::index([("src/lib.tsx", LIBRARY), ("src/main.tsx", USES)]);
    let packer = Packer::new(&index, Scope::Repository, &Tokenizer::load(Encoding::O200kBase)).expect("a scope");
    let text = packer.deliver_in(Wording::Lean, &Strategy::Exhaustive, Format::Stub).expect("a stub").text;
    assert_compiles(std::slice::from_ref(&text));
    let line = "export function useDialog(initial?: boolean): { open: (item: Item, reason?: string) => void; isOpen: any; \
                close: (force: boolean) => Promise<void> }; // 5 calls: initial 20%, takes open 100%, isOpen 50%, \
                close 33%, ...\n";
    assert!(text.contains(line), "{text}");
}

#[test]
fn a_written_index_keeps_the_members_that_calls_take() {
    let index = built::index([("src/lib.tsx", LIBRARY), ("src/main.tsx", USES)]);
    let options = metadata::MetadataOptions { min_usage_threshold: 0, encoding: Encoding::O200kBase };
    let text = metadata::write(&index, &options).expect("a text");
    let read = Arc::new(metadata::read(&text).expect("an index"));
    assert_eq!(stub(&read), stub(&index));
    let broken = text.replacen("known: 3", "known: 300", 1);
    assert!(
        broken != text
            && metadata::read(&broken).is_err_and(|error| error.to_string().contains("a member of its result"))
    );
}

#[test]
fn comments_of_a_python_function_name_the_members_of_its_tuple_or_dict() {
    let index = built::index([("library.py", PYTHON_LIBRARY), ("main.py", PYTHON_USES)]);
    let text = stub(&index);
    for lines in [
        "def load(path: str) -> tuple[Config, list] | None: ...  # 2 calls, returns (config 100%, errors 50%)\n",
        "def size() -> tuple[int, str]: ...  # 1 call, returns ([0] 100%, [1])\n",
        "async def fetch() -> Optional[tuple[int, str]]: ...  # 1 call, returns (status 100%, text)\n",
        "def measure(values, depth: int = 3) -> dict:  # 4 calls, depth in 25%
    # \"mean\": float, 100%
    # \"max\", 67%
    # \"size\": str
    \"\"\"Measures values.\"\"\"
",
        "def collect(**more) -> dict[str, Any]: ...  # 1 call
    # \"config\": Config, 100%
    # \"count\": int
    # ...
",
        "def either(flag) -> dict: ...  # 1 call
    # \"b\": bool, 100%
    # \"a\": int | str
",
        "def point() -> tuple: ...  # 1 call, returns (.x 100%, .y 100%)\n",
        "def mixed(flag): ...\n",
        "def passed(flag): ...\n",
        "def walk() -> Generator: ...  # 1 call\n",
        "    def parts(self) -> tuple: ...  # 1 call, returns ([0] 100%, name 100%)\n",
        "    def pair(self): ...\n",
    ] {
        assert!(text.contains(lines), "{lines}\n\n{text}");
    }
    assert!(!text.contains("def changed() ->"), "{text}");
}

#[test]
fn a_lean_python_signature_has_the_members_that_many_calls_take() {
    let index = built::index([("library.py", PYTHON_LIBRARY), ("main.py", PYTHON_USES)]);
    let packer = Packer::new(&index, Scope::Repository, &Tokenizer::load(Encoding::O200kBase)).expect("a scope");
    let text = packer.deliver_in(Wording::Lean, &Strategy::Exhaustive, Format::Stub).expect("a stub").text;
    for line in [
        "# 2 calls: returns (config 100%, errors 50%)\n",
        "-> dict: # 4 calls: depth 25%, returns {\"mean\" 100%, \"max\" 67%, ...}\n",
    ] {
        assert!(text.contains(line), "{line}\n\n{text}");
    }
}

#[test]
fn a_written_index_keeps_the_tuples_and_dicts_of_python() {
    let index = built::index([("library.py", PYTHON_LIBRARY), ("main.py", PYTHON_USES)]);
    let options = metadata::MetadataOptions { min_usage_threshold: 0, encoding: Encoding::O200kBase };
    let text = metadata::write(&index, &options).expect("a text");
    assert_eq!(stub(&Arc::new(metadata::read(&text).expect("an index"))), stub(&index));
}
