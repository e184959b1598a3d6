//! `tsconfig.json`: `paths`, `baseUrl`, `rootDirs`, `extends`, `references`.

use super::project;

#[test]
fn paths_are_relative_to_the_folder_of_their_configuration() {
    let config = r#"{ "compilerOptions": { "paths": {
        "@/*": ["./src/*"],
        "config": ["./settings/main.ts"],
        "lib/*/api": ["./packages/*/src/api"],
        "two/*": ["./first/*", "./second/*"]
    } } }"#;
    project(
        "src/app.ts src/ui/button.tsx settings/main.ts packages/http/src/api.ts second/x.ts",
        &[("tsconfig.json", config)],
    )
    .resolves(
        "src/app.ts | @/ui/button   | src/ui/button.tsx
         src/app.ts | config        | settings/main.ts
         src/app.ts | lib/http/api  | packages/http/src/api.ts
         src/app.ts | two/x         | second/x.ts
         src/app.ts | @/nowhere     | missing
         src/app.ts | @/logo.svg    | outside
         src/app.ts | config/x      | outside",
    );
}

#[test]
fn bare_specifiers_and_paths_are_relative_to_base_url() {
    let config = r#"{ "compilerOptions": { "baseUrl": "./src", "paths": { "~/*": ["shared/*"] } } }"#;
    project("src/app.ts src/util/date.ts src/shared/log.ts src/react.ts", &[("tsconfig.json", config)]).resolves(
        "src/app.ts | util/date  | src/util/date.ts
         src/app.ts | ~/log      | src/shared/log.ts
         src/app.ts | react      | src/react.ts
         src/app.ts | react-dom  | outside",
    );
}

#[test]
fn the_closest_pattern_is_tried_first_then_the_next_one() {
    let config = r#"{ "compilerOptions": { "paths": {
        "*": ["./types/*"], "@app/*": ["./app/*"], "@app/ui/*": ["./ui/*"], "@app/ui/icon": ["./icons/icon"]
    } } }"#;
    project(
        "from.ts app/ui/menu.ts ui/menu.ts app/ui/list.ts icons/icon.ts types/x.d.ts",
        &[("tsconfig.json", config)],
    )
    .resolves(
        "from.ts | @app/ui/icon | icons/icon.ts
             from.ts | @app/ui/menu | ui/menu.ts
             from.ts | @app/ui/list | app/ui/list.ts
             from.ts | x            | types/x.d.ts
             from.ts | y            | outside",
    );
}

#[test]
fn the_nearest_configuration_applies_first_then_those_of_outer_folders() {
    let root = r##"{ "compilerOptions": { "paths": { "@/*": ["./shared/*"], "#all": ["./shared/all"] } } }"##;
    let web = r#"{ "compilerOptions": { "paths": { "@/*": ["./src/*"] } } }"#;
    project(
        "shared/all.ts shared/log.ts web/src/log.ts web/src/app.ts api/app.ts",
        &[("tsconfig.json", root), ("web/tsconfig.json", web)],
    )
    .resolves(
        "web/src/app.ts | @/log | web/src/log.ts
         web/src/app.ts | @/all | shared/all.ts
         web/src/app.ts | #all  | shared/all.ts
         api/app.ts     | @/log | shared/log.ts",
    );
}

#[test]
fn in_a_folder_with_several_configurations_the_one_that_includes_the_file_applies_first() {
    let app = r#"{ "include": ["client/**/*.ts"], "compilerOptions": { "paths": { "@/*": ["./client/*"] } } }"#;
    let server = r#"{ "include": ["server"], "compilerOptions": { "paths": { "@/*": ["./server/*"] } } }"#;
    let solution =
        r#"{ "files": [], "references": [{ "path": "./tsconfig.app.json" }, { "path": "./tsconfig.node.json" }] }"#;
    let project = project(
        "client/main.ts client/log.ts server/main.ts server/log.ts server/db.ts",
        &[("tsconfig.app.json", app), ("tsconfig.json", solution), ("tsconfig.node.json", server)],
    );
    project.resolves(
        "client/main.ts | @/log | client/log.ts
         server/main.ts | @/log | server/log.ts
         client/main.ts | @/db  | server/db.ts",
    );
    assert!(project.problems().is_empty());
}

#[test]
fn a_configuration_of_another_folder_applies_to_the_files_that_it_includes() {
    let config = r#"{ "include": ["../src"], "compilerOptions": { "paths": { "@/*": ["../src/*"] } } }"#;
    let solution = r#"{ "files": [], "references": [{ "path": "./config/tsconfig.app.json" }] }"#;
    project(
        "src/main.ts src/log.ts other/main.ts",
        &[("config/tsconfig.app.json", config), ("tsconfig.json", solution)],
    )
    .resolves(
        "src/main.ts   | @/log | src/log.ts
         other/main.ts | @/log | outside",
    );
}

#[test]
fn root_dirs_form_one_virtual_folder() {
    let config = r#"{ "compilerOptions": { "rootDirs": ["src", "generated"] } }"#;
    project("src/views/main.ts generated/views/main.template.ts", &[("tsconfig.json", config)]).resolves(
        "src/views/main.ts                | ./main.template | generated/views/main.template.ts
         generated/views/main.template.ts | ./main          | src/views/main.ts
         src/views/main.ts                | ./other         | missing",
    );
}

#[test]
fn inherited_options_keep_the_folder_that_declares_them() {
    let base = r#"{ "compilerOptions": { "paths": { "@lib/*": ["./libs/*/src"] } } }"#;
    project(
        "libs/http/src/index.ts apps/web/main.ts apps/web/src/x.ts apps/api/main.ts libs/http/src/libs/x.ts",
        &[
            ("tsconfig.base.json", base),
            ("apps/tsconfig.json", r#"{ "extends": "../tsconfig.base" }"#),
            (
                "apps/web/tsconfig.json",
                r#"{ "extends": "../tsconfig.json", "compilerOptions": { "baseUrl": "./src" } }"#,
            ),
            ("apps/api/tsconfig.json", r#"{ "extends": "../tsconfig.json", "compilerOptions": { "paths": null } }"#),
        ],
    )
    // If a configuration sets `baseUrl`, its inherited `paths` are relative to that `baseUrl`. `@lib/http` is found by
    // the base configuration, which applies to all files below its folder.
    .resolves(
        "apps/web/main.ts | x          | apps/web/src/x.ts
         apps/web/main.ts | @lib/http  | libs/http/src/index.ts
         apps/api/main.ts | @lib/http  | libs/http/src/index.ts",
    );
}

#[test]
fn the_last_of_several_extended_configurations_counts() {
    project(
        "a/x.ts b/x.ts main.ts",
        &[
            ("one/tsconfig.json", r#"{ "compilerOptions": { "paths": { "x": ["../a/x"] } } }"#),
            ("two/tsconfig.json", r#"{ "compilerOptions": { "paths": { "x": ["../b/x"] } } }"#),
            ("tsconfig.json", r#"{ "extends": ["./one/tsconfig.json", "./two/tsconfig.json"] }"#),
        ],
    )
    .resolves("main.ts | x | b/x.ts");
}

#[test]
fn extends_may_name_a_package_of_the_sources() {
    project(
        "apps/web/src/x.ts apps/web/main.ts apps/api/src/x.ts apps/api/main.ts",
        &[
            ("tools/tsconfig/package.json", r#"{ "name": "@acme/tsconfig", "tsconfig": "base.json" }"#),
            ("tools/tsconfig/base.json", r#"{ "compilerOptions": { "paths": { "@/*": ["${configDir}/src/*"] } } }"#),
            ("apps/web/tsconfig.json", r#"{ "extends": "@acme/tsconfig/base.json" }"#),
            ("apps/api/tsconfig.json", r#"{ "extends": "@acme/tsconfig" }"#),
        ],
    )
    .resolves(
        "apps/web/main.ts | @/x | apps/web/src/x.ts
         apps/api/main.ts | @/x | apps/api/src/x.ts",
    );
}

#[test]
fn circular_extends_end_with_a_diagnostic() {
    let project = project(
        "src/x.ts main.ts",
        &[
            ("tsconfig.a.json", r#"{ "extends": "./tsconfig.b.json" }"#),
            (
                "tsconfig.b.json",
                "{\n  \"extends\": \"./tsconfig.a.json\",\n  \"compilerOptions\": { \"baseUrl\": \"src\" }\n}",
            ),
            ("tsconfig.json", r#"{ "extends": "./tsconfig.json" }"#),
        ],
    );
    project.resolves("main.ts | x | src/x.ts");
    assert_eq!(
        project.problems(),
        [
            "tsconfig.b.json: line 2: `extends` comes back to this file through \"./tsconfig.a.json\": it ends here",
            "tsconfig.json: line 1: `extends` comes back to this file through \"./tsconfig.json\": it ends here",
        ]
    );
}

#[test]
fn comments_and_trailing_commas_are_accepted_in_configurations() {
    let config = "\u{feff}// Settings\n{\n  \"compilerOptions\": {\n    /* from the root */ \"baseUrl\": \".\",\n    \
                  \"paths\": { \"a//b\": [\"./src/*/x.ts\", \"./src/x\",], },\n  },\n}\n";
    project("src/x.ts main.ts", &[("jsconfig.json", config)]).resolves("main.ts | a//b | src/x.ts");
}

#[test]
fn errors_are_reported_and_the_valid_options_apply() {
    let config = r#"{
  "extends": ["./tsconfig.gone.json", "./.nuxt/tsconfig.json", "@tsconfig/node20/tsconfig.json"],
  "references": [
    { "path": "../core" },
    { "path": "./here" }
  ],
  "compilerOptions": {
    "paths": {
      "x": "./src/x",
      "y": ["./src/y"]
    }
  }
}"#;
    let project = project(
        "web/src/x.ts web/src/y.ts",
        &[
            ("broken/tsconfig.json", "{\n  \"compilerOptions\": {\n    \"baseUrl\" \".\"\n  }\n}"),
            ("web/here/tsconfig.json", "{}"),
            ("web/package.json", "name: web"),
            ("web/tsconfig.json", config),
        ],
    );
    project.resolves("web/src/x.ts | y | web/src/y.ts");
    assert_eq!(
        project.problems(),
        [
            "broken/tsconfig.json: line 3: no valid JSON (expected colon after the string or word in object property): \
             none of its settings are used",
            "web/package.json: line 1: no valid JSON (unexpected word): none of its settings are used",
            "web/tsconfig.json: line 2: `extends` leads to \"./tsconfig.gone.json\", which is not among the sources: its settings are not used",
            "web/tsconfig.json: line 4: `references` leads to \"../core\", where no `tsconfig.json` is",
            "web/tsconfig.json: line 9: `paths` of \"x\" have to be a list: they are left out",
        ]
    );
}
