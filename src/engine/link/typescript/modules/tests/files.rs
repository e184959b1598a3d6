//! Relative paths: extensions, folders, declaration files, JavaScript.

use super::project;

#[test]
fn a_relative_path_resolves_to_a_source_or_to_the_index_of_a_folder() {
    project("src/app.ts src/util.ts src/ui/index.tsx src/ui/button.tsx src/user.service.ts index.ts", &[]).resolves(
        "src/app.ts       | ./util           | src/util.ts
         src/app.ts       | ./ui             | src/ui/index.tsx
         src/app.ts       | ./ui/            | src/ui/index.tsx
         src/app.ts       | ./ui/button      | src/ui/button.tsx
         src/app.ts       | ./user.service   | src/user.service.ts
         src/ui/button.tsx | .               | src/ui/index.tsx
         src/ui/button.tsx | ./               | src/ui/index.tsx
         src/ui/button.tsx | ../util          | src/util.ts
         src/ui/button.tsx | ../../src//./app | src/app.ts
         src/app.ts       | ..               | index.ts
         src/app.ts       | ./nowhere        | missing
         src/app.ts       | ./nowhere/index  | missing
         src/app.ts       | ../../src/util   | missing",
    );
}

#[test]
fn two_dots_name_a_folder_even_if_a_file_has_its_name() {
    project("a.ts a/b/c.ts a/index.ts a/b.ts", &[]).resolves(
        "a/b/c.ts | ..   | a/index.ts
         a/b/c.ts | ../b | a/b.ts
         a/b.ts   | ./b  | a/b.ts",
    );
}

#[test]
fn the_extension_of_a_build_output_resolves_to_its_source() {
    project("a.ts b.tsx c.mts d.cts e.jsx f.js.ts g/index.ts from.ts", &[]).resolves(
        "from.ts | ./a.js       | a.ts
         from.ts | ./b.js       | b.tsx
         from.ts | ./b.jsx      | b.tsx
         from.ts | ./c.mjs      | c.mts
         from.ts | ./d.cjs      | d.cts
         from.ts | ./e.jsx      | e.jsx
         from.ts | ./a.ts       | a.ts
         from.ts | ./b.tsx      | b.tsx
         from.ts | ./f.js       | f.js.ts
         from.ts | ./g/index.js | g/index.ts
         from.ts | ./b.ts       | missing",
    );
}

#[test]
fn of_files_with_one_stem_typescript_is_preferred_and_the_extension_counts() {
    project("x.ts x.tsx x.mts x.d.ts x.js x/index.ts y.d.ts y.js z.mts z.mjs z.js w/index.ts w.js from.ts", &[])
        .resolves(
            "from.ts | ./x     | x.ts
             from.ts | ./x.jsx | x.tsx
             from.ts | ./x.mjs | x.mts
             from.ts | ./y     | y.d.ts
             from.ts | ./y.js  | y.d.ts
             from.ts | ./z     | z.mts
             from.ts | ./z.js  | z.mts
             from.ts | ./w     | w/index.ts",
        );
}

#[test]
fn javascript_is_found_if_there_is_no_typescript() {
    project("a.js b/index.jsx c.mjs d.cjs from.ts", &[]).resolves(
        "from.ts | ./a     | a.js
         from.ts | ./a.js  | a.js
         from.ts | ./b     | b/index.jsx
         from.ts | ./c.mjs | c.mjs
         from.ts | ./c     | c.mjs
         from.ts | ./d.cjs | d.cjs",
    );
}

#[test]
fn a_path_resolves_to_the_declaration_file_of_a_missing_source() {
    project("a.d.ts b.d.mts logo.d.svg.ts style.css.d.ts from.ts", &[]).resolves(
        "from.ts | ./a          | a.d.ts
         from.ts | ./a.js       | a.d.ts
         from.ts | ./a.d.ts     | a.d.ts
         from.ts | ./a.d        | a.d.ts
         from.ts | ./b.mjs      | b.d.mts
         from.ts | ./logo.svg   | logo.d.svg.ts
         from.ts | ./style.css  | style.css.d.ts",
    );
}

#[test]
fn files_that_are_not_sources_are_outside() {
    project("from.ts worker.ts", &[]).resolves(
        "from.ts | ./style.css     | outside
         from.ts | ./data.json     | outside
         from.ts | ./worker?worker | outside
         from.ts | react           | outside
         from.ts | @scope/name     | outside
         from.ts | node:fs         | outside
         from.ts | https://x.y/z.ts | outside
         from.ts | /etc/passwd     | missing",
    );
}
