//! Resolution of build outputs to their sources.

use super::project;

#[test]
fn out_dir_and_root_dir_determine_the_source_of_a_build_output() {
    let package = r#"{ "name": "core", "types": "./out/js/main.d.ts" }"#;
    let config = r#"{ "compilerOptions": { "outDir": "./out/js", "rootDir": "./code" } }"#;
    project(
        "core/code/main.ts core/code/util.ts core/src/main.ts core/bin.ts",
        &[("core/package.json", package), ("core/tsconfig.json", config)],
    )
    .resolves(
        "core/bin.ts | core             | core/code/main.ts
         core/bin.ts | ./out/js/util.js | core/code/util.ts
         core/bin.ts | core/out/js/util | core/code/util.ts",
    );
}

#[test]
fn without_root_dir_the_common_folder_of_included_files_is_the_root() {
    let included = r#"{ "include": ["src"], "compilerOptions": { "outDir": "dist" } }"#;
    let all = r#"{ "include": ["src", "test"], "compilerOptions": { "outDir": "dist" } }"#;
    project(
        "a/src/x.ts a/x.ts a/run.ts b/src/x.ts b/test/t.ts b/run.ts",
        &[("a/tsconfig.json", included), ("b/tsconfig.json", all)],
    )
    .resolves(
        "a/run.ts | ./dist/x.js     | a/src/x.ts
         b/run.ts | ./dist/src/x.js | b/src/x.ts",
    );
}

#[test]
fn a_build_output_among_the_files_is_not_preferred_over_its_source() {
    let config = r#"{ "compilerOptions": { "outDir": "lib", "declarationDir": "types", "rootDir": "src" } }"#;
    project("src/x.ts lib/x.js types/x.d.ts lib/y.js run.js", &[("tsconfig.json", config)]).resolves(
        "run.js | ./lib/x   | src/x.ts
         run.js | ./types/x | src/x.ts
         run.js | ./lib/y   | lib/y.js",
    );
}

#[test]
fn without_options_the_usual_names_of_folders_are_searched() {
    let package = r#"{ "name": "kit", "main": "dist/cjs/index.cjs", "exports": {
        ".": "./dist/cjs/index.cjs", "./a": "./build/a.d.ts", "./b": "./esm/b.js", "./c": "./c.js", "./none": "./dist/none.js"
    } }"#;
    project(
        "kit/src/index.ts kit/src/a.ts kit/lib/b.ts kit/src/c.ts kit/bin/run.js main.ts",
        &[("kit/package.json", package)],
    )
    .resolves(
        "main.ts        | kit             | kit/src/index.ts
         main.ts        | kit/a           | kit/src/a.ts
         main.ts        | kit/b           | kit/lib/b.ts
         main.ts        | kit/c           | kit/src/c.ts
         main.ts        | kit/none        | missing
         main.ts        | kit/dist/a.js   | kit/src/a.ts
         kit/bin/run.js | ../dist/a.js    | kit/src/a.ts
         kit/bin/run.js | ../lib/a.js     | missing",
    );
}

#[test]
fn paths_to_build_outputs_of_another_project_resolve_to_its_sources() {
    let core = r#"{ "compilerOptions": { "composite": true, "outDir": "../../dist/core" }, "include": ["src/**/*"] }"#;
    let app = r#"{
        "references": [{ "path": "../core" }],
        "compilerOptions": { "paths": { "@core/*": ["../../dist/core/*"] } }
    }"#;
    project(
        "packages/core/src/net/http.ts packages/app/main.ts",
        &[("packages/app/tsconfig.json", app), ("packages/core/tsconfig.json", core)],
    )
    .resolves("packages/app/main.ts | @core/net/http | packages/core/src/net/http.ts");
}
