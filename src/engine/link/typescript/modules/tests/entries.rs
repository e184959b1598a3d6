//! The specifiers under which other code imports files.

use super::project;

#[test]
fn packages_and_their_exports_are_entries() {
    let http = r#"{ "name": "@acme/http", "private": true, "exports": {
        ".": "./dist/index.js", "./testing": "./dist/testing/index.js", "./style.css": "./style.css", "./gone": "./gone.js"
    } }"#;
    project(
        "packages/http/src/index.ts packages/http/src/testing/index.ts packages/log/index.ts",
        &[
            ("packages/http/package.json", http),
            ("packages/log/package.json", r#"{ "name": "log" }"#),
            ("package.json", r#"{ "workspaces": ["packages/*"] }"#),
        ],
    )
    .lists(
        "@acme/http = packages/http/src/index.ts
         @acme/http/testing = packages/http/src/testing/index.ts
         log = packages/log/index.ts",
    );
}

#[test]
fn private_packages_are_entries_if_they_can_be_imported() {
    project(
        "app/index.ts shared/index.ts named/index.ts",
        &[
            ("app/package.json", r#"{ "name": "app", "private": true, "dependencies": { "shared": "*" } }"#),
            ("named/package.json", r#"{ "name": "named", "private": true, "types": "index.ts" }"#),
            ("shared/package.json", r#"{ "name": "shared", "private": true }"#),
        ],
    )
    .lists(
        "named = named/index.ts
         shared = shared/index.ts",
    );
}

#[test]
fn exported_patterns_list_the_existing_files() {
    let package = r#"{ "name": "ui", "exports": {
        "./*": "./src/components/*.tsx",
        "./hooks/*": { "types": "./dist/hooks/*.d.ts", "default": "./dist/hooks/*.js" },
        "./parts/*": "./src/parts/*/index.ts",
        "./raw/*": "./*"
    } }"#;
    project(
        "ui/src/components/button.tsx ui/src/components/deep/menu.tsx ui/src/components/util.ts ui/src/hooks/use-x.ts
         ui/src/parts/a/index.ts ui/src/parts/b/other.ts",
        &[("ui/package.json", package)],
    )
    .lists(
        "ui/button = ui/src/components/button.tsx
         ui/deep/menu = ui/src/components/deep/menu.tsx
         ui/hooks/use-x = ui/src/hooks/use-x.ts
         ui/parts/a = ui/src/parts/a/index.ts",
    );
}

#[test]
fn patterns_of_paths_without_a_star_are_entries() {
    let config = r#"{ "compilerOptions": { "paths": {
        "@org/data": ["./libs/data/src/index.ts"], "@org/data/*": ["./libs/data/src/*"], "~env": ["./env.ts"]
    } } }"#;
    project("libs/data/src/index.ts env.ts", &[("tsconfig.base.json", config)])
        .lists("@org/data = libs/data/src/index.ts");
}

#[test]
fn paths_that_only_the_files_of_a_published_package_import_are_no_entries() {
    let config = r#"{ "compilerOptions": { "paths": {
        "@root": ["./src/index"], "utils": ["./src/utils/index"], "orm": ["./src/index"], "orm/pg": ["./src/pg"]
    } } }"#;
    let files = "orm/src/index.ts orm/src/utils/index.ts orm/src/pg.ts";
    let package = ("orm/package.json", r#"{ "name": "orm", "exports": "./dist/index.js" }"#);
    project(files, &[package, ("orm/tsconfig.json", config)]).lists("orm = orm/src/index.ts\norm/pg = orm/src/pg.ts");
    // An application that is never published names its parts for its own files.
    let application = ("orm/package.json", r#"{ "name": "app", "private": true, "main": "./dist/index.js" }"#);
    project(files, &[application, ("orm/tsconfig.json", config)]).lists(
        "app = orm/src/index.ts
         orm = orm/src/index.ts
         orm/pg = orm/src/pg.ts
         utils = orm/src/utils/index.ts",
    );
}

#[test]
fn imported_paths_into_packages_without_exports_are_entries() {
    project(
        "orm/src/index.ts orm/src/pg/index.ts orm/src/pg/migrator.ts orm/src/migrator.ts kit/index.ts kit/inner.ts",
        &[
            ("orm/package.json", r#"{ "name": "orm", "main": "./index.js" }"#),
            ("kit/package.json", r#"{ "name": "kit", "exports": "./index.ts" }"#),
        ],
    )
    .lists_with_imports(
        "orm/pg orm/pg/migrator orm/src/migrator orm/nowhere kit/inner react/jsx-runtime",
        "kit = kit/index.ts
         orm = orm/src/index.ts
         orm/pg = orm/src/pg/index.ts
         orm/pg/migrator = orm/src/pg/migrator.ts",
    );
}
