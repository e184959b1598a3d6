//! Modules that import and export each other.

use super::lines;
use crate::work::{Files, assert_linear};

/// `size` modules with a function each.
fn modules(size: usize) -> Files {
    (0..size).map(|i| (format!("m{i}.ts"), format!("export function f{i}(a: number) {{ return a; }}\n"))).collect()
}

/// The statements `export * from` all modules.
fn stars(size: usize) -> String {
    (0..size).map(|i| format!("export * from './m{i}';\n")).collect()
}

#[test]
fn a_barrel_and_a_module_that_uses_all_of_it() {
    assert_linear(200, |size| {
        let mut files = modules(size);
        files.push(("index.ts".to_owned(), stars(size)));
        let names: Vec<String> = (0..size).map(|i| format!("f{i}")).collect();
        let calls: String = (0..size).map(|i| format!("f{i}(1);\n")).collect();
        files.push(("use.ts".to_owned(), format!("import {{ {} }} from './index';\n{calls}", names.join(", "))));
        files
    });
}

#[test]
fn a_barrel_and_a_user_of_each_module() {
    assert_linear(200, |size| {
        let mut files = modules(size);
        files.push(("index.ts".to_owned(), stars(size)));
        files.extend(
            (0..size).map(|i| (format!("use{i}.ts"), format!("import {{ f{i} }} from './index';\nf{i}({i});\n"))),
        );
        files
    });
}

#[test]
fn a_barrel_that_lists_its_names() {
    assert_linear(200, |size| {
        let mut files = modules(size);
        let index = (0..size).map(|i| format!("export {{ f{i} }} from './m{i}';\n")).collect();
        files.push(("index.ts".to_owned(), index));
        files.extend(
            (0..size).map(|i| (format!("use{i}.ts"), format!("import * as all from './index';\nall.f{i}({i});\n"))),
        );
        files
    });
}

#[test]
fn a_chain_of_barrels() {
    assert_linear(200, |size| {
        let module = |i: usize| {
            let next = if i + 1 < size { format!("export * from './m{}';\n", i + 1) } else { String::new() };
            (format!("m{i}.ts"), format!("{next}export function f{i}(a: number) {{}}\n"))
        };
        let mut files: Files = (0..size).map(module).collect();
        files.push(("use.ts".to_owned(), format!("import {{ f{} }} from './m0';\nf{}(1);\n", size - 1, size - 1)));
        files
    });
}

#[test]
fn a_cycle_of_barrels() {
    assert_linear(200, |size| {
        let module = |i: usize| {
            let next = (i + 1) % size;
            let text = format!(
                "export * from './m{next}';\nimport {{ f{next} }} from './m{i}';\n\
                 export function f{i}(a: number) {{ return f{next}(a); }}\n"
            );
            (format!("m{i}.ts"), text)
        };
        (0..size).map(module).collect()
    });
}

#[test]
fn modules_that_all_export_each_other() {
    // The size of the program grows with the square of the number of modules.
    assert_linear(200, |size| {
        let count = (size as f64).sqrt().round() as usize * 3;
        let module = |i: usize| {
            let text = format!(
                "{}export function f{i}(a: number) {{ return a; }}\nimport {{ f{} }} from './m{}';\nf{}(1);\n",
                stars(count),
                (i + 7) % count,
                (i + 3) % count,
                (i + 7) % count
            );
            (format!("m{i}.ts"), text)
        };
        (0..count).map(module).collect()
    });
}

#[test]
fn modules_that_import_each_other_in_a_cycle() {
    assert_linear(300, |size| {
        let module = |i: usize| {
            let next = (i + 1) % size;
            let text = format!(
                "import {{ f{next} }} from './m{next}';\nexport function f{i}(a: number) {{ return f{next}(a); }}\n"
            );
            (format!("m{i}.ts"), text)
        };
        (0..size).map(module).collect()
    });
}

#[test]
fn a_chain_of_renaming_reexports() {
    assert_linear(200, |size| {
        let module = |i: usize| {
            let text = if i == 0 {
                "export function f0(a: number) {}\n".to_owned()
            } else {
                format!(
                    "export {{ f{} as f{i} }} from './m{}';\nimport {{ f{i} }} from './m{i}';\nf{i}(1);\n",
                    i - 1,
                    i - 1
                )
            };
            (format!("m{i}.ts"), text)
        };
        (0..size).map(module).collect()
    });
}

#[test]
fn namespaces_of_modules_inside_each_other() {
    assert_linear(100, |size| {
        let module = |i: usize| {
            let text = if i == 0 {
                "export function f(a: number) {}\n".to_owned()
            } else {
                format!("export * as n from './m{}';\nexport function f(a: number) {{}}\n", i - 1)
            };
            (format!("m{i}.ts"), text)
        };
        let mut files: Files = (0..size).map(module).collect();
        files.push((
            "use.ts".to_owned(),
            format!("import * as a from './m{}';\na{}.f(1);\n", size - 1, ".n".repeat(size / 2)),
        ));
        files
    });
}

#[test]
fn exports_of_one_module() {
    assert_linear(500, |size| {
        lines(size, "", |i| format!("export const c{i} = {i};\nexport function f{i}(a = c{i}) {{ return f{i}(1); }}\n"))
    });
}

#[test]
fn modules_that_augment_one_module() {
    assert_linear(200, |size| {
        (0..size)
            .map(|i| {
                let text = format!(
                    "import {{ f{i} }} from 'ambient';\ndeclare module 'ambient' {{ export function f{i}(a: number): void }}\nf{i}(1);\n"
                );
                (format!("m{i}.ts"), text)
            })
            .collect()
    });
}

#[test]
fn expando_properties_of_one_function() {
    assert_linear(400, |size| {
        lines(size, "export function f() {}\n", |i| format!("f.p{i} = (a: number) => a;\nf.p{i}(1);\n"))
    });
}

#[test]
fn folders_inside_each_other() {
    assert_linear(200, |size| {
        let folder = |i: usize| {
            let text =
                format!("export {{ f }} from './p';\nimport {{ g }} from '{}g';\ng({i});\n", "../".repeat(i + 1));
            (format!("{}index.ts", "p/".repeat(i + 1)), text)
        };
        let first = ("g.ts".to_owned(), "export function g(a: number) {}\n".to_owned());
        (0..size).map(folder).chain([first]).collect()
    });
}
