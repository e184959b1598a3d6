//! Tests of what pages of documentation say of symbols.

use super::*;

const SCHEMAS: &str = "export class Schema { label(text: string): this { return this; } }\n\
    export class ObjectSchema extends Schema {\n  pick(keys: string[]): this { return this; }\n  \
    from(a: string): this { return this; }\n}\n\
    export class StringSchema extends Schema { pick(n: number): this { return this; } }\n\
    export function object(): ObjectSchema { return new ObjectSchema(); }\n\
    export const text: StringSchema = new StringSchema();\n";

#[test]
fn a_heading_names_a_member_behind_a_value_of_its_class() {
    let page = "# API\n\n### object\n\n#### `object.pick(keys: string[]): Schema`\n\nDistil a subset of the fields that \
                remain.\n\n#### `text.pick(n: number)`\n\nChop letters away.\n\n#### `object.label()`\n\nChristen it \
                for messages.\n\n#### `other.pick()`\n\nNothing of the kind is known here at all.\n";
    let searched = SearchedSources::of(&[("schema.ts", SCHEMAS), ("README.md", page)]);
    let best = |intent: &str| {
        let filter = Filter { kind: TypeFilter::Symbol, min_score: 0.0 };
        let request = Discover { intent: intent.into(), filter, ..Discover::default() };
        searched.discover(&request).expect("results").results.into_iter().next().map(|found| found.name)
    };
    assert_eq!(best("distil a subset").as_deref(), Some("schema#ObjectSchema.pick"));
    assert_eq!(best("chop letters away").as_deref(), Some("schema#StringSchema.pick"));
    assert_eq!(best("christen for messages").as_deref(), Some("schema#Schema.label"));
    assert_eq!(best("nothing of the kind").as_deref(), None);
    let sections = searched.discover(&Discover {
        intent: "distil a subset of fields".into(),
        filter: Filter { kind: TypeFilter::Doc, min_score: 0.0 },
        ..Discover::default()
    });
    assert_eq!(sections.expect("results").results[0].symbols, ["schema#ObjectSchema.pick"]);
}
