//! `package.json`: packages of the sources, found by their names, and their `exports` and `imports`.

use super::project;

#[test]
fn a_package_of_the_sources_is_found_by_its_name_without_being_installed() {
    project(
        "packages/http/src/index.ts packages/http/src/retry.ts packages/log/index.ts packages/old/lib/index.js
         apps/web/main.ts",
        &[
            ("packages/http/package.json", r#"{ "name": "@acme/http" }"#),
            ("packages/log/package.json", r#"{ "name": "log", "main": "./gone.js" }"#),
            ("packages/old/package.json", r#"{ "name": "old", "main": "lib" }"#),
        ],
    )
    .resolves(
        "apps/web/main.ts | @acme/http           | packages/http/src/index.ts
         apps/web/main.ts | @acme/http/retry     | packages/http/src/retry.ts
         apps/web/main.ts | @acme/http/src/retry | packages/http/src/retry.ts
         apps/web/main.ts | @acme/http/nowhere   | missing
         apps/web/main.ts | @acme/http/style.css | outside
         apps/web/main.ts | @acme                | outside
         apps/web/main.ts | log                  | packages/log/index.ts
         apps/web/main.ts | logger               | outside
         apps/web/main.ts | old                  | packages/old/lib/index.js",
    );
}

#[test]
fn a_path_below_the_sources_comes_before_the_guess_of_a_build_output() {
    project(
        "orm/src/migrator.ts orm/src/pg/migrator.ts app.ts",
        &[("orm/package.json", r#"{ "name": "orm", "main": "./index.js" }"#)],
    )
    .resolves(
        "app.ts | orm/pg/migrator   | orm/src/pg/migrator.ts
         app.ts | orm/migrator      | orm/src/migrator.ts
         app.ts | orm/dist/migrator | orm/src/migrator.ts",
    );
}

#[test]
fn a_package_can_import_itself_by_its_name() {
    project(
        "src/index.ts src/testing.ts tests/a.ts",
        &[(
            "package.json",
            r#"{ "name": "kit", "exports": { ".": "./dist/index.js", "./testing": "./dist/testing.js" } }"#,
        )],
    )
    .resolves(
        "tests/a.ts | kit         | src/index.ts
         tests/a.ts | kit/testing | src/testing.ts",
    );
}

#[test]
fn types_for_older_compilers_are_passed_over() {
    project(
        "src/index.ts outdated.d.ts newer.d.ts tests/a.ts",
        &[(
            "package.json",
            r#"{ "name": "kit", "exports": {
                 ".": { "types@<5.4": "./outdated.d.ts", "default": "./dist/index.js" },
                 "./new": { "types@>=4.2": "./newer.d.ts", "default": "./dist/index.js" } } }"#,
        )],
    )
    .resolves(
        "tests/a.ts | kit     | src/index.ts
         tests/a.ts | kit/new | newer.d.ts",
    );
}

#[test]
fn exports_decide_what_a_specifier_resolves_to() {
    let package = r#"{
      "name": "ui",
      "main": "./src/other.ts",
      "exports": {
        ".": { "types": "./dist/index.d.ts", "import": "./dist/index.mjs", "require": "./dist/index.cjs" },
        "./hooks": { "import": { "types": "./dist/hooks/index.d.mts", "default": "./dist/hooks/index.mjs" } },
        "./server": [{ "node": "./dist/server.node.js" }, "./dist/server.js"],
        "./icons/*": "./dist/icons/*.js",
        "./icons/brand/*": "./src/brand/*.tsx",
        "./internal/*": null,
        "./old/": "./dist/old/",
        "./style.css": "./dist/style.css",
        "./package.json": "./package.json"
      }
    }"#;
    project(
        "ui/src/index.ts ui/src/other.ts ui/src/hooks/index.ts ui/src/server.ts ui/src/icons/star.tsx ui/src/brand/x.tsx
         ui/src/old/a.ts app.ts",
        &[("ui/package.json", package)],
    )
    .resolves(
        "app.ts | ui               | ui/src/index.ts
         app.ts | ui/hooks         | ui/src/hooks/index.ts
         app.ts | ui/server        | ui/src/server.ts
         app.ts | ui/icons/star    | ui/src/icons/star.tsx
         app.ts | ui/icons/brand/x | ui/src/brand/x.tsx
         app.ts | ui/icons/none    | missing
         app.ts | ui/old/a         | ui/src/old/a.ts
         app.ts | ui/style.css     | outside
         app.ts | ui/package.json  | outside",
    );
}

#[test]
fn conditions_whose_targets_are_sources_take_precedence() {
    let sources = r#"{ "name": "a", "exports": { ".": {
        "types": "./types/index.d.ts", "browser": "./src/browser.ts", "@acme/source": "./src/main.ts", "source": "./src/entry.ts"
    } } }"#;
    let products = r#"{ "name": "b", "exports": { "browser": "./dist/browser.js", "default": "./dist/node.js" } }"#;
    project(
        "a/types/index.d.ts a/src/browser.ts a/src/main.ts a/src/entry.ts b/src/browser.ts b/src/node.ts app.ts",
        &[("a/package.json", sources), ("b/package.json", products)],
    )
    .resolves(
        "app.ts | a | a/src/entry.ts
         app.ts | b | b/src/node.ts",
    );
}

#[test]
fn imports_are_private_specifiers_of_a_package() {
    let package = r##"{ "name": "kit", "imports": {
        "#internal/*": "./src/internal/*.js",
        "#db": { "node": "./src/db.node.ts", "default": "./src/db.ts" },
        "#dep": "lodash",
        "#peer": "peer"
    } }"##;
    project(
        "kit/src/a.ts kit/src/internal/log.ts kit/src/db.node.ts kit/src/db.ts kit/nested/b.ts peer/index.ts other.ts",
        &[
            ("kit/nested/package.json", r#"{ "type": "commonjs" }"#),
            ("kit/package.json", package),
            ("peer/package.json", r#"{ "name": "peer" }"#),
        ],
    )
    .resolves(
        "kit/src/a.ts    | #internal/log | kit/src/internal/log.ts
         kit/nested/b.ts | #internal/log | kit/src/internal/log.ts
         kit/src/a.ts    | #db           | kit/src/db.node.ts
         kit/src/a.ts    | #dep          | outside
         kit/src/a.ts    | #peer         | peer/index.ts
         kit/src/a.ts    | #nothing      | missing
         other.ts        | #db           | missing",
    );
}

#[test]
fn the_nearest_of_several_packages_with_one_name_counts() {
    let ui = r#"{ "name": "@repo/ui" }"#;
    project(
        "examples/a/ui/index.ts examples/a/web/main.ts examples/b/ui/index.ts examples/b/web/main.ts main.ts",
        &[("examples/a/ui/package.json", ui), ("examples/b/ui/package.json", ui)],
    )
    .resolves(
        "examples/a/web/main.ts | @repo/ui | examples/a/ui/index.ts
         examples/b/web/main.ts | @repo/ui | examples/b/ui/index.ts
         main.ts                | @repo/ui | examples/a/ui/index.ts",
    );
}

#[test]
fn paths_come_before_packages() {
    project(
        "packages/http/src/index.ts mocks/http.ts main.ts",
        &[
            ("packages/http/package.json", r#"{ "name": "http" }"#),
            (
                "tsconfig.json",
                r#"{ "compilerOptions": { "paths": { "http": ["./mocks/http"], "log": ["./node_modules/log"] } } }"#,
            ),
        ],
    )
    .resolves(
        "main.ts | http | mocks/http.ts
         main.ts | log  | outside",
    );
}

#[test]
fn a_folder_with_a_package_json_resolves_to_its_main_file() {
    project("src/testing.ts main.ts", &[("testing/package.json", r#"{ "main": "../src/testing.js" }"#)])
        .resolves("main.ts | ./testing | src/testing.ts");
}
