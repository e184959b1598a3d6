//! Counts what code uses through the constants of modules: instances that a module offers, and values made by a call.

use std::cmp::Reverse;

use arcstr::ArcStr;
use rustc_hash::FxHashMap;

use super::{Definition, Index};
use apidisc_base::sort::SharedSort as _;
use apidisc_facts::program::{DefinitionId, FileId, Resolution};

/// Stands among the used members for calls of the value itself.
const CALLED: ArcStr = arcstr::literal!("()");
/// The special method of a called instance.
const CALL: &str = "__call__";

/// Sets [`Definition::used_members`] of every constant, from the calls and reads that name the constant. Each of them
/// counts as many times as `weight` returns for its file.
pub(crate) fn note_used_members(index: &mut Index, weight: impl Fn(FileId) -> u32) {
    let mut uses: FxHashMap<(DefinitionId, Option<DefinitionId>), u32> = FxHashMap::default();
    let is_member = |id: &DefinitionId| {
        let member = index.definition(*id);
        member.parent.is_some() && member.name != CALL
    };
    for call in index.calls.iter() {
        if let (Some(constant), Resolution::Resolved(callee)) = (call.through, call.resolution)
            && callee != constant
        {
            *uses.entry((constant, Some(callee).filter(is_member))).or_default() += weight(call.file);
        }
    }
    for read in index.reads.iter() {
        if let Some(constant) = read.through {
            *uses.entry((constant, Some(read.attribute))).or_default() += weight(read.file);
        }
    }
    index.definitions.iter_mut().for_each(|definition| definition.used_members.clear());
    for ((constant, member), uses) in uses.into_iter().filter(|(_, uses)| *uses > 0) {
        let name = member.map_or(CALLED, |member| index.definition(member).name.clone());
        let used = &mut index.definitions[constant.index()].used_members;
        match used.iter_mut().find(|(known, _)| *known == name) {
            Some((_, sum)) => *sum += uses,
            None => used.push((name, uses)),
        }
    }
    let sort = |definition: &mut Definition| {
        definition.used_members.shared_sort_by_key(|(name, uses)| (Reverse(*uses), name.clone()));
    };
    index.definitions.iter_mut().filter(|definition| definition.used_members.len() > 1).for_each(sort);
}

#[cfg(test)]
mod tests {
    use crate::indexer;
    use apidisc_base::control::Control;
    use apidisc_facts::source::Source;

    #[test]
    fn an_instance_that_a_module_offers_has_the_members_that_are_used_through_it() {
        let library = "class Base:\n    def stop(self): ...\n\nclass _Log(Base):\n    def __init__(self): self.level = 1\n    \
                       def info(self, text): ...\n    def __call__(self, text): ...\n\nlog = _Log()\n";
        let app = "import lib\nfrom lib import log as own\n\ndef f():\n    own.info('a')\n    lib.log.info('b')\n    \
                   own('c')\n    own.stop()\n    print(own.level)\n    other = lib.log\n    other.info('d')\n";
        let files = [("lib.py", library), ("app.py", app)];
        let files = files.iter().map(|&(path, text)| (path.to_owned(), text.as_bytes().to_vec().into())).collect();
        let source = Source::Memory { name: "m".to_owned(), files };
        let index = indexer::build(&source, &mut |_| Control::Continue).expect("files").expect("an index");
        let (id, log) = index.every_definition().find(|(_, d)| d.fqn == "lib.log").expect("the instance");
        assert_eq!(log.annotation.as_deref(), Some("_Log"));
        let used: Vec<(&str, u32)> = log.used_members.iter().map(|(name, uses)| (&**name, *uses)).collect();
        assert_eq!((used, log.uses_through()), (vec![("info", 2), ("()", 1), ("level", 1), ("stop", 1)], 5));
        let through: Vec<u32> = index.calls.iter().filter(|call| call.through == Some(id)).map(|c| c.line).collect();
        assert_eq!(through, [5, 6, 7, 8], "the calls that name the instance");
    }

    #[test]
    fn a_constant_that_holds_a_component_takes_what_the_component_takes() {
        let chart = "import { memo } from 'react';\nimport { Outside } from 'outside';\n\
                     interface Own { kind: string; size?: number }\n\
                     function Inner({ kind, size, title }: Own & Outside) { return kind; }\n\
                     export const Chart = memo(Inner);\n";
        let page = "import { Chart } from './chart';\nexport const a = <Chart kind=\"x\" title=\"t\" wide />;\n\
                    export const b = <Chart kind=\"x\" wide />;\n";
        let files = [("src/chart.tsx", chart), ("src/page.tsx", page)];
        let files = files.iter().map(|&(path, text)| (path.to_owned(), text.as_bytes().to_vec().into())).collect();
        let source = Source::Memory { name: "m".to_owned(), files };
        let index = indexer::build(&source, &mut |_| Control::Continue).expect("files").expect("an index");
        for name in ["src/chart#Inner", "src/chart#Chart"] {
            let (_, definition) = index.every_definition().find(|(_, d)| d.fqn == name).expect("a definition");
            let signature = definition.signature.as_ref().expect("a signature");
            let passed = |at: usize| (signature.label(at).to_string(), definition.usage.parameters[at].count);
            let mut counts: Vec<(String, u32)> = (0..signature.parameters.len()).map(passed).collect();
            counts.retain(|(label, _)| label.contains("title") || label.contains("wide"));
            assert_eq!(counts, [("{title}".to_owned(), 1), ("{wide}".to_owned(), 2)], "{name}");
        }
    }

    #[test]
    fn uses_through_an_instance_count_by_the_weight_of_their_source() {
        let file = |path: &str, text: &str| (path.to_owned(), text.as_bytes().to_vec().into());
        let library = "class Log:\n    def info(self, text): ...\n    def warn(self, text): ...\n\nlog = Log()\n";
        let app = "from lib import log\n\nlog.info('a')\n";
        let tests = "from lib import log\n\ndef test():\n    log.warn('b')\n    log.warn('c')\n    log.info('d')\n";
        let files = [file("lib.py", library), file("app.py", app), file("tests/test_log.py", tests)];
        let source = Source::Memory { name: "m".to_owned(), files: files.into() };
        let index = indexer::build(&source, &mut |_| Control::Continue).expect("files").expect("an index");
        let used = |index: &crate::index::Index| -> Vec<(String, u32)> {
            let (_, log) = index.every_definition().find(|(_, d)| d.fqn == "lib.log").expect("the instance");
            log.used_members.iter().map(|(name, uses)| (name.to_string(), *uses)).collect()
        };
        assert_eq!(used(&index), [("info".to_owned(), 2), ("warn".to_owned(), 2)]);
        let is_test = |index: &crate::index::Index, file| index.file(file).path.starts_with("tests/");
        let without = index.recounted(|file| u32::from(!is_test(&index, file))).expect("call sites");
        assert_eq!(used(&without), [("info".to_owned(), 1)]);
        let thrice = index.recounted(|file| if is_test(&index, file) { 3 } else { 1 }).expect("call sites");
        assert_eq!(used(&thrice), [("warn".to_owned(), 6), ("info".to_owned(), 4)]);
    }

    #[test]
    fn a_default_export_without_a_name_has_that_of_its_imports() {
        let files = [
            ("hooks/use-thing.ts", "export default function (name: string) {}\n"),
            ("hooks/make.ts", "export default class {}\n"),
            ("hooks/old.js", "module.exports = function (n) {};\n"),
            ("hooks/alone.ts", "export default (n: number) => n;\n"),
            ("a.ts", "import useThing from './hooks/use-thing';\nimport Store from './hooks/make';\nuseThing('a');\n"),
            ("b.ts", "import useThing from './hooks/use-thing';\nimport { default as Store } from './hooks/make';\n"),
            ("c.ts", "import thing from './hooks/use-thing';\nimport Maker from './hooks/make';\nthing('c');\n"),
            ("d.js", "const old = require('./hooks/old');\nold(1);\n"),
        ];
        let files = files.iter().map(|&(path, text)| (path.to_owned(), text.as_bytes().to_vec().into())).collect();
        let source = Source::Memory { name: "m".to_owned(), files };
        let index = indexer::build(&source, &mut |_| Control::Continue).expect("files").expect("an index");
        let name_of = |module: &str| {
            let of_module = |fqn: &str| fqn.split_once('#').is_some_and(|(of, _)| of == module);
            let (_, definition) = index.every_definition().find(|(_, d)| of_module(&d.fqn)).expect("a definition");
            (definition.name.to_string(), definition.public_name().to_owned())
        };
        let same = |name: &str| (name.to_owned(), name.to_owned());
        assert_eq!(name_of("hooks/use-thing"), same("useThing"));
        assert_eq!(name_of("hooks/make"), same("Store"));
        assert_eq!(name_of("hooks/old").0, "old");
        assert_eq!(name_of("hooks/alone"), ("default".to_owned(), "alone".to_owned()));
    }
}
