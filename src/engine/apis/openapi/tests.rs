//! Documents in memory, and the values that are read from them.

use std::borrow::Cow;

use super::{ApiDocuments, Operation};
use apidisc_facts::source::Source;

/// The documents of files with these paths and texts.
pub(super) fn documents(files: &[(&str, &str)]) -> ApiDocuments {
    let files = files.iter().map(|(path, text)| ((*path).to_owned(), Cow::Owned(text.as_bytes().to_vec()))).collect();
    ApiDocuments::read(&Source::Memory { name: "api".to_owned(), files }).expect("documents")
}

/// The operation with this title, in the only document.
fn operation<'a>(api: &'a ApiDocuments, title: &str) -> &'a Operation {
    let found = api.documents[0].operations.iter().find(|operation| operation.title() == title);
    found.unwrap_or_else(|| panic!("{title}: {:#?}", api.diagnostics))
}

fn messages(api: &ApiDocuments) -> Vec<String> {
    api.diagnostics.iter().map(ToString::to_string).collect()
}

const PETS: &str = r#"
openapi: 3.1.0
info: {title: Pets, version: "1", description: {$ref: about.yml}}
servers: [{url: https://pets.example}]
tags: [{name: pet, description: Animals}]
paths:
  /pets/{id}:
    summary: One pet
    parameters:
      - {name: id, in: path, schema: {type: string}}
      - {$ref: '#/components/parameters/Lang'}
    get:
      operationId: getPet
      tags: [pet]
      parameters:
        - {name: lang, in: query, required: true, description: Own}
        - {name: lang, in: header}
      responses:
        200: {description: A pet, content: {application/json: {schema: {$ref: '#/components/schemas/Pet'}}}}
        404: {$ref: 'shared/errors.yml#/NotFound'}
    put: {$ref: 'ops/put.yml'}
  /~odd/{a~b}:
    $ref: 'paths.yml#/~1~0odd~1%7Ba~0b%7D'
webhooks:
  petAdded: {post: {deprecated: true, security: [{}], requestBody: {required: true, content: {a/b: {schema: true}}}}}
components:
  parameters: {Lang: {name: lang, in: query}}
  schemas: {$ref: schemas.yml}
"#;

fn pets() -> ApiDocuments {
    documents(&[
        ("pets.yml", PETS),
        ("about.yml", "All about pets"),
        (
            "ops/put.yml",
            "operationId: putPet\nresponses: {204: {description: Done}}\nrequestBody: {$ref: '../shared/errors.yml#/Body'}",
        ),
        ("shared/errors.yml", "NotFound: {description: Gone}\nBody: {content: {text/plain: {}}}"),
        ("paths.yml", "/~odd/{a~b}: {delete: {operationId: odd}}"),
        ("schemas.yml", "Pet: {properties: {owner: {$ref: '#/Owner'}}}\nOwner: {type: object}"),
        ("package.json", "{\"openapi\": {}}"),
    ])
}

#[test]
fn parameters_of_a_path_belong_to_every_operation_that_does_not_replace_them() {
    let api = pets();
    let parameters = |title| {
        let of = operation(&api, title).parameters.iter();
        of.map(|p| format!("{} {}{}", p.location, p.name, if p.is_required { "!" } else { "" })).collect::<Vec<_>>()
    };
    assert_eq!(parameters("GET /pets/{id}"), ["query lang!", "header lang", "path id!"]);
    assert_eq!(parameters("PUT /pets/{id}"), ["path id!", "query lang"]);
    let get = operation(&api, "GET /pets/{id}");
    assert_eq!(
        (get.line, get.summary.as_deref(), &*get.place.pointer),
        (12, Some("One pet"), "/paths/~1pets~1{id}/get")
    );
    assert_eq!(
        get.responses.iter().map(|r| (&*r.status, r.is_success())).collect::<Vec<_>>(),
        [("200", true), ("404", false)]
    );
    assert_eq!(get.responses[1].description.as_deref(), Some("Gone"));
}

#[test]
fn operations_and_paths_may_lie_in_other_files() {
    let api = pets();
    assert_eq!(messages(&api), [""; 0]);
    let put = operation(&api, "PUT /pets/{id}");
    assert_eq!((put.operation_id.as_deref(), &*api.files.file(put.content.file).path), (Some("putPet"), "ops/put.yml"));
    assert_eq!(put.body.as_ref().map(|body| &*body.content[0].0), Some("text/plain"));
    assert_eq!(operation(&api, "DELETE /~odd/{a~b}").operation_id.as_deref(), Some("odd"));
    let [document] = &api.documents[..] else { panic!("one document") };
    assert_eq!(document.description.as_deref(), Some("All about pets"));
    let components: Vec<String> = document.components.iter().map(|c| format!("{}/{}", c.kind, c.name)).collect();
    assert_eq!(components, ["parameters/Lang", "schemas/Pet", "schemas/Owner"]);
}

#[test]
fn webhooks_have_operations() {
    let api = pets();
    let added = operation(&api, "webhook petAdded");
    assert!(added.is_webhook && added.is_deprecated && added.security == Some(vec![Vec::new()]));
    assert!(added.body.as_ref().is_some_and(|body| body.is_required));
}

#[test]
fn swagger_2_is_read_as_it_is() {
    let api = documents(&[(
        "a.json",
        r##"{"swagger": "2.0", "info": {"title": "Old", "version": "1"}, "host": "h", "basePath": "/v1", "schemes": ["https"],
        "consumes": ["text/x"], "parameters": {"P": {"in": "formData", "name": "file", "type": "file"}},
        "definitions": {"Pet": {"type": "object"}}, "paths": {"/p": {"post": {"parameters": [
            {"in": "body", "name": "body", "required": true, "schema": {"$ref": "#/definitions/Pet"}},
            {"$ref": "#/parameters/P"}],
        "responses": {"200": {"description": "ok", "schema": {"$ref": "#/definitions/Pet"}}}}}}}"##,
    )]);
    assert_eq!(messages(&api), [""; 0]);
    let document = &api.documents[0];
    assert_eq!(
        (document.version.to_string().as_str(), &document.servers[..]),
        ("Swagger 2.0", &["https://h/v1".to_owned()][..])
    );
    let post = operation(&api, "POST /p");
    let body = post.body.as_ref().expect("a body");
    assert_eq!(
        (body.is_required, &*body.content[0].0, &*body.content[0].1.pointer),
        (true, "text/x", "/paths/~1p/post/parameters/0/schema")
    );
    assert_eq!(post.parameters.iter().map(|p| &*p.location).collect::<Vec<_>>(), ["formData"]);
    assert_eq!(post.responses[0].content[0].0, "application/json");
    assert_eq!(document.components[0].kind, "schemas");
    assert_eq!(document.component_at(&document.components[0].place.child("type")), Some(&document.components[0]));
}

#[test]
fn every_unresolved_reference_is_reported() {
    let api = documents(&[
        (
            "a/b.yml",
            "openapi: 3.0.0\npaths: {}\nx: {$ref: '#/gone'}\ny: {$ref: 'https://x/y'}\nz: {$ref: ../../etc/passwd}\nw: {$ref: c.yml}\nv: \
         {$ref: d.yml}\nk: {a: 1, a: 2}\nu: {$ref: '#/gone'}\ninfo: {title: A, version: '1'}\n",
        ),
        ("a/d.yml", "a: ["),
    ]);
    let expected = [
        "a/b.yml: line 4: the reference `https://x/y` is a URL, and URLs are not fetched",
        "a/b.yml: line 5: the reference `../../etc/passwd` leads out of the folder, and is not read",
        "a/b.yml: line 6: the reference `c.yml` cannot be read: there is no such file",
        "a/b.yml: line 7: the reference `d.yml` cannot be read: not valid YAML: ",
        "a/b.yml: it has neither operations nor components",
        "a/b.yml: line 3: the reference `#/gone` leads nowhere",
        "a/b.yml: line 8: the key `a` stands twice in one object; its last value counts",
    ];
    let messages = messages(&api);
    assert_eq!(messages.len(), expected.len(), "{messages:#?}");
    for (message, expected) in messages.iter().zip(expected) {
        assert!(message.starts_with(expected), "{message}");
    }
}

#[test]
fn circles_of_references_end() {
    let api = documents(&[(
        "a.yml",
        "openapi: 3.0.0\npaths:\n  /a: {$ref: '#/paths/~1b'}\n  /b: {$ref: '#/paths/~1a'}\n  /c: {get: {$ref: \
         '#/paths/~1c/get'}}\n  /d: {get: {parameters: {$ref: '#/paths/~1d/get/parameters'}, operationId: one}}\n  /e: {get: {operationId: one}}\ninfo: {title: A, version: '1'}\n",
    )]);
    let titles: Vec<String> = api.documents[0].operations.iter().map(Operation::title).collect();
    assert_eq!(titles, ["GET /c", "GET /d", "GET /e"]);
    assert_eq!(messages(&api), ["a.yml: GET /e has the operationId `one` of GET /d"]);
}

#[test]
fn anchors_and_names_of_schemas_are_targets() {
    let api = documents(&[(
        "a.yml",
        "openapi: 3.1.0\npaths: {}\ncomponents:\n  schemas:\n    Node: {$dynamicAnchor: node, items: {$dynamicRef: '#node'}}\n    \
         Pet: {discriminator: {mapping: {a: Node, b: Unknown}}, not: {$ref: '#node'}}\ninfo: {title: A, version: '1'}\n",
    )]);
    assert_eq!(messages(&api), [""; 0]);
    let node = api.files.root(api.documents[0].file);
    let not = ["components", "schemas", "Pet", "not"].iter().fold(node, |node, key| node.get(key).expect("a key"));
    assert_eq!(not.resolved().place.pointer, "/components/schemas/Node");
}

#[test]
fn files_that_are_no_documents_are_skipped_unless_they_are_named() {
    let api = documents(&[
        ("a.json", "{\"openapi\": 3"),
        ("b.yml", "openapi: 4.0.0"),
        ("c.yml", "a: openapi"),
        ("d.md", "openapi: 3.0.0"),
    ]);
    assert!(api.is_empty());
    let messages = messages(&api);
    assert!(messages[0].starts_with("a.json: not valid JSON: ") && messages.len() == 2, "{messages:?}");
    assert_eq!(messages[1], "b.yml: OpenAPI 4.0.0 is not read; OpenAPI 3.0, 3.1, 3.2 and Swagger 2.0 are");

    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("package.txt");
    std::fs::write(&path, "{}").expect("a file");
    let named = ApiDocuments::read(&Source::Folder(path)).expect("documents");
    assert!(named.diagnostics[0].to_string().starts_with("package.txt: no API document: "), "{:?}", named.diagnostics);
}

#[test]
#[cfg(unix)]
fn a_named_file_brings_its_parts_but_no_link_out_of_the_folder() {
    use std::fs;
    let (folder, outside) = (tempfile::tempdir().expect("a folder"), tempfile::tempdir().expect("a folder"));
    fs::write(outside.path().join("secret.yml"), "type: secret").expect("a file");
    std::os::unix::fs::symlink(outside.path().join("secret.yml"), folder.path().join("link.yml")).expect("a link");
    fs::write(folder.path().join("part.yml"), "type: object").expect("a file");
    let text = "openapi: 3.0.0\ncomponents: {schemas: {A: {$ref: part.yml}, B: {$ref: link.yml}}}";
    fs::write(folder.path().join("api.yml"), text).expect("a file");
    let api = ApiDocuments::read(&Source::Folder(folder.path().join("api.yml"))).expect("documents");
    let files: Vec<&str> = api.files.iter().map(|(_, file)| &*file.path).collect();
    assert_eq!(files, ["api.yml", "part.yml"]);
    assert!(messages(&api)[0].contains("links are not followed"), "{:?}", api.diagnostics);
}

#[test]
fn a_reference_brings_no_file_of_secrets() {
    let api =
        "openapi: 3.0.0\ncomponents: {schemas: {A: {$ref: 'secrets.yaml#/a'}, B: {$ref: '.env'}, C: {$ref: part.yml}}}";
    let files =
        [("api.yml", api), ("secrets.yaml", "a: {type: w0rd}"), (".env", "w0rd: x"), ("part.yml", "type: object")];
    let files = files.map(|(path, text)| (path.to_owned(), text.as_bytes().into())).to_vec();
    let api = ApiDocuments::read(&Source::Memory { name: "m".to_owned(), files }).expect("documents");
    let read: Vec<&str> = api.files.iter().map(|(_, file)| &*file.path).collect();
    assert_eq!(read, ["api.yml", "part.yml"]);
    assert!(messages(&api)[0].contains("files of this name hold secrets"), "{:?}", api.diagnostics);
}

#[test]
fn fields_that_the_specification_requires_are_missed() {
    let api = documents(&[
        ("a.yml", "openapi: 3.1.0\npaths: {/a: {get: {}}}\n"),
        ("b.yml", "openapi: 3.1.0\ninfo: {title: B}\npaths: {/b: {get: {}}}\n"),
        ("c.yml", "openapi: 3.1.0\ninfo: {title: C, version: '1'}\npaths: {/c: {get: {}}}\n"),
    ]);
    let messages = messages(&api);
    assert_eq!(messages.len(), 2, "{messages:?}");
    assert!(messages[0].contains("it has no `info`, which the specification requires"), "{messages:?}");
    assert!(messages[1].contains("it has no `info.version`, which the specification requires"), "{messages:?}");
}
