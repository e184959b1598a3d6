//! The parameters of a callable symbol as JSON schema.

use serde_json::{Map, Value, json};

use apidisc_facts::program::ParameterKind;
use apidisc_indexing::index::Definition;

/// The schema of the arguments that a call passes; `None` for a symbol that is not callable.
///
/// The type of a parameter is given where its annotation names one of JSON's; otherwise the description begins with the
/// annotation. Properties of an object parameter stand in the schema of the object.
pub(super) fn input_schema(definition: &Definition) -> Option<Value> {
    let signature = definition.signature.as_ref()?;
    let mut made: Vec<Option<Value>> = Vec::new();
    let mut properties = Map::new();
    for (at, parameter) in signature.parameters.iter().enumerate() {
        made.push((!parameter.is_variadic()).then(|| {
            let annotation = parameter.annotation.as_deref().unwrap_or_default();
            let said = definition.parameter_documentation(at).unwrap_or_default();
            let mut schema = match json_type(annotation) {
                Some(word) => json!({"type": word, "description": said}),
                None => json!({"description": format!("{annotation} {said}").trim()}),
            };
            if let Some(default) = parameter.default.as_deref().filter(|default| *default != "...") {
                schema["default"] = serde_json::from_str(default).unwrap_or_else(|_| default.into());
            }
            schema
        }));
    }
    // Objects precede their properties: going backwards, each property is whole when its object gets it.
    for (at, parameter) in signature.parameters.iter().enumerate().rev() {
        let Some(schema) = made[at].take() else { continue };
        let object = parameter.object.map(usize::from).filter(|object| *object < at);
        match object.and_then(|object| made[object].as_mut()) {
            Some(object) if parameter.kind == ParameterKind::Property => {
                object["type"] = "object".into();
                object["properties"][parameter.name.as_str()] = schema;
            }
            _ => {
                properties.insert(parameter.name.to_string(), schema);
            }
        }
    }
    let required: Vec<&str> =
        signature.parameters.iter().filter(|p| p.required && p.object.is_none()).map(|p| p.name.as_str()).collect();
    Some(json!({"type": "object", "properties": properties, "required": required}))
}

/// The type of JSON that an annotation of Python or TypeScript names.
fn json_type(annotation: &str) -> Option<&'static str> {
    let bare = annotation.trim_end_matches("| None").trim_end_matches("| undefined").trim();
    let outer = bare.split(['[', '<']).next().unwrap_or(bare);
    Some(match outer {
        "str" | "string" => "string",
        "int" => "integer",
        "float" | "number" => "number",
        "bool" | "boolean" => "boolean",
        "dict" | "Dict" | "Mapping" | "Record" => "object",
        "list" | "List" | "tuple" | "Sequence" | "Iterable" | "Array" | "ReadonlyArray" => "array",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::json_type;

    #[test]
    fn annotations_are_types_of_json_where_they_name_one() {
        let of = |annotations: &[&str]| annotations.iter().map(|annotation| json_type(annotation)).collect::<Vec<_>>();
        assert_eq!(of(&["str", "int | None", "list[str]"]), [Some("string"), Some("integer"), Some("array")]);
        assert_eq!(of(&["Client", "", "str | bytes"]), [None, None, None]);
    }
}
