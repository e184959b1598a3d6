//! Repositories with two languages: one index, with the names of each language in its own syntax.

use serde_json::Value;

use crate::program::{Project, run_on};

const CLIENT: &str = "\
export interface Options { timeout?: number; retries?: number; }

export class Client {
  constructor(private url: string, options: Options = {}) {}
  get(path: string, { signal, headers = {} }: { signal?: AbortSignal; headers?: object } = {}) { return path; }
}

export function tag(strings: TemplateStringsArray, ...values: unknown[]) { return strings; }
";

const APP: &str = "\
import { Client, tag } from '@acme/http';

const rest = { retries: 3 };
const client = new Client('https://a', { timeout: 30 });
new Client('https://b', { ...rest, timeout: 10 });
new Client('https://c');
client.get('/x', { headers: {} });
tag`a ${client} b`;
";

fn project() -> Project {
    Project::with("packages/http/package.json", r#"{ "name": "@acme/http", "main": "src/index.ts" }"#)
        .and("packages/http/src/client.ts", CLIENT)
        .and(
            "packages/http/src/index.ts",
            "export { Client, tag } from './client';\nexport type { Options } from './client';\n",
        )
        .and("packages/app/main.ts", APP)
        .and("package.json", r#"{ "private": true, "workspaces": ["packages/*"] }"#)
        .and("tools/build.py", "def build(target, *, clean=False): ...\n\n\nbuild('app', clean=True)\n")
}

fn calls(project: &Project) -> Vec<Value> {
    let text = run_on("calls", project.path()).success();
    text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

#[test]
fn both_languages_are_in_the_rows() {
    let rows = calls(&project());
    let row = |row: &Value| {
        let args: Vec<String> = row["args"].as_array().expect("a list").iter().map(ToString::to_string).collect();
        let word = |key: &str| row[key].as_str().unwrap_or("-").to_owned();
        format!("{}:{} {} {} {}", word("path"), row["line"], word("callee"), word("form"), args.join(" "))
    };
    let short: Vec<String> = rows.iter().map(row).collect();
    assert_eq!(
        short,
        [
            r#"packages/app/main.ts:4 packages/http/src/client#Client new {"param":"url","kind":"positional"} {"param":"options","kind":"positional","keys":["timeout"]}"#,
            r#"packages/app/main.ts:5 packages/http/src/client#Client new {"param":"url","kind":"positional"} {"param":"options","kind":"positional","keys":["...","timeout"]}"#,
            r#"packages/app/main.ts:6 packages/http/src/client#Client new {"param":"url","kind":"positional"}"#,
            r#"packages/app/main.ts:7 packages/http/src/client#Client.get x.f {"param":"path","kind":"positional"} {"param":"{}","kind":"positional","keys":["headers"]}"#,
            r#"packages/app/main.ts:8 packages/http/src/client#tag template {"param":"*values","kind":"positional"}"#,
            r#"tools/build.py:4 tools.build.build name {"param":"target","kind":"positional"} {"param":"clean","kind":"keyword"}"#,
        ]
    );
}

#[test]
fn properties_are_counted_as_arguments() {
    let text = run_on("index --min-usage-threshold 1", project().path()).success();
    let document: Value = serde_yaml::from_str(&text).expect("YAML");
    let client = &document["packages/http/src/client#Client"];
    assert_eq!((&client["alias"], &client["language"]), (&"@acme/http#Client".into(), &"typescript".into()));
    let counts = |name: &str| {
        let argument = &client["init_args"][name];
        (argument["count"].as_u64(), argument["unknown"].as_u64().unwrap_or(0), argument["within"].as_str())
    };
    assert_eq!(counts("options"), (Some(2), 0, None));
    assert_eq!(counts("options.timeout"), (Some(2), 0, Some("options")));
    // A spread argument may contain the property, so the call counts as unknown.
    assert_eq!(counts("options.retries"), (Some(0), 1, Some("options")));
    let get = &document["packages/http/src/client#Client.get"]["args"];
    assert_eq!((&get["{headers}"]["count"], &get["{signal}"]["count"]), (&1.into(), &0.into()));
    assert_eq!(document["tools.build.build"]["language"], Value::Null);
}

#[test]
fn an_installed_package_named_as_the_input_is_indexed() {
    let project = project()
        .and("node_modules/left/package.json", r#"{ "name": "left", "types": "dist/index.d.ts" }"#)
        .and("node_modules/left/dist/index.d.ts", "export declare function left(text: string, to?: number): string;\n")
        .and(
            "node_modules/left/dist/index.js",
            "export function left(text, to) { return pad(text, to); }\nleft('a');\n",
        );
    assert!(!calls(&project).iter().any(|row| row["path"].as_str().is_some_and(|path| path.contains("left"))));
    let rows = run_on("calls", &project.join("node_modules/left")).success();
    assert!(rows.contains("\"path\":\"dist/index.js\""), "{rows}");
}

#[test]
fn modules_and_packages_are_named_as_imports_name_them() {
    let project = project();
    let asked = |line: &str| {
        let outcome = run_on(&format!("--export {line}"), project.path());
        (outcome.code, outcome.stderr)
    };
    for line in [
        "--module @acme/http --symbol Client",
        "--module packages/http --symbol Client",
        "--module http/src/client --symbol Client.get",
        "--symbol packages/http/src/client#Client",
        "--symbol @acme/http#Client",
        "--module tools.build",
    ] {
        let (_, said) = asked(line);
        assert!(!said.contains("is called") && !said.contains("could be"), "{line}: {said}");
    }
    let (code, said) = asked("--module packages/htpp");
    assert!(code == Some(1) && said.contains("the nearest: packages/http"), "{said}");
    let (code, said) = asked("--symbol Cleint");
    assert!(code == Some(1) && said.contains("the nearest: @acme/http#Client"), "{said}");
}

#[test]
fn the_fence_of_a_stub_names_its_language() {
    let project = project();
    for (module, fence) in [("@acme/http", "```typescript\n"), ("tools.build", "```python\n")] {
        let markdown = run_on(&format!("--export --format markdown --module {module}"), project.path()).success();
        assert!(markdown.contains(fence), "{markdown}");
    }
}
