//! Names as templates write them, and as scripts do.

/// The name of the prop that listens to an event (Vue, "Render Functions"): `update:model-value` is
/// `onUpdate:modelValue`.
pub(super) fn listener(event: &str) -> String {
    let name = camel_case(event);
    let mut chars = name.chars();
    chars.next().map_or(String::new(), |first| format!("on{}{}", first.to_uppercase(), chars.as_str()))
}

/// `user-id` as `userId`.
pub(super) fn camel_case(name: &str) -> String {
    let mut parts = name.split('-');
    let mut camel = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let mut chars = part.chars();
        camel.extend(chars.next().into_iter().flat_map(char::to_uppercase));
        camel.push_str(chars.as_str());
    }
    camel
}

/// `user-card` as `UserCard`.
pub(super) fn pascal_case(name: &str) -> String {
    let camel = camel_case(name);
    let mut chars = camel.chars();
    chars.next().map_or(String::new(), |first| format!("{}{}", first.to_uppercase(), chars.as_str()))
}
