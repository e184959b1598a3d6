//! Writes the calls, reads and definitions of an index in the notation of the pages.

use apidisc_facts::program::{
    Argument, ArgumentKind, BoundParameter, CallSite, DefinitionId, DefinitionKind, HttpCall, HttpRoute, OtherUse,
    ParameterKind, PassedName, PassedNames, PropertyArgument, ReadSite, Resolution, Signature,
};
use apidisc_indexing::index::{Definition, Index};

/// The calls on a line, separated by commas.
pub(crate) fn calls(index: &Index, path: &str, line: usize) -> String {
    let on_line = |call: &&CallSite| index.file(call.file).path == *path && call.line as usize == line;
    let calls: Vec<String> = index.calls.iter().filter(on_line).map(|call| self::call(index, call)).collect();
    calls.join(", ")
}

/// The callers of the calls on a line, separated by commas. A constructor is told from its class by its name.
pub(crate) fn callers(index: &Index, path: &str, line: usize) -> String {
    let on_line = |call: &&CallSite| index.file(call.file).path == *path && call.line as usize == line;
    let caller = |call: &CallSite| match call.caller.map(|caller| index.definition(caller)) {
        Some(class) if class.kind == DefinitionKind::Class => format!("{}.constructor", class.fqn),
        Some(function) => function.fqn.to_string(),
        None => index.module(index.file(call.file).module).fqn.to_string(),
    };
    let callers: Vec<String> = index.calls.iter().filter(on_line).map(caller).collect();
    callers.join(", ")
}

/// The attributes that a line reads, separated by commas; `none` if it reads none.
pub(crate) fn reads(index: &Index, path: &str, line: usize) -> String {
    let on_line = |read: &&ReadSite| index.file(read.file).path == *path && read.line as usize == line;
    let attributes = index.reads.iter().filter(on_line).map(|read| index.definition(read.attribute).fqn.as_str());
    let attributes: Vec<&str> = attributes.collect();
    if attributes.is_empty() { "none".to_owned() } else { attributes.join(", ") }
}

/// The uses of a line that are neither calls nor reads, separated by commas; `none` if it has none.
pub(crate) fn uses(index: &Index, path: &str, line: usize) -> String {
    let on_line = |found: &&OtherUse| index.file(found.file).path == *path && found.line as usize == line;
    let name = |id: DefinitionId| index.definition(id).fqn.as_str();
    let found = |found: &OtherUse| {
        let used = index.used_as(found);
        let mut text = format!("{} {}", found.kind.word(), name(found.definition));
        if used.to.is_some() || used.key.is_some() {
            text.push_str(" to ");
        }
        text.push_str(used.to.unwrap_or_default());
        text.extend(used.param.iter().flat_map(|param| ["(", param, ")"]));
        text.extend(used.key.iter().flat_map(|key| ["[", key, "]"]));
        text.extend(found.user.iter().flat_map(|user| [" by ", name(*user)]));
        text
    };
    let all: Vec<String> = index.other_uses.all().iter().filter(on_line).map(found).collect();
    if all.is_empty() { "none".to_owned() } else { all.join(", ") }
}

/// The attributes and properties that are defined on a line, with their types and values, separated by commas.
pub(crate) fn attributes(index: &Index, path: &str, line: usize) -> String {
    let on_line = |definition: &&Definition| {
        definition.kind.is_readable()
            && index.file(definition.place.file).path == *path
            && definition.place.line as usize == line
    };
    let attribute = |definition: &Definition| {
        let part =
            |prefix: &str, text: &Option<_>| text.as_ref().map_or(String::new(), |text| format!("{prefix}{text}"));
        format!("{}{}{}", definition.name, part(": ", &definition.annotation), part(" = ", &definition.value))
    };
    let attributes: Vec<String> = index.definitions.iter().filter(on_line).map(attribute).collect();
    if attributes.is_empty() { "none".to_owned() } else { attributes.join(", ") }
}

/// The names under which the definitions on a line are shown, separated by commas.
pub(crate) fn names(index: &Index, path: &str, line: usize) -> String {
    let on_line = |definition: &&Definition| {
        index.file(definition.place.file).path == *path && definition.place.line as usize == line
    };
    let names: Vec<&str> =
        index.definitions.iter().filter(on_line).map(|definition| definition.alias.as_str()).collect();
    names.join(", ")
}

/// The HTTP requests that a line sends and the routes that it defines, separated by commas; `none` if there are none.
pub(crate) fn http(index: &Index, path: &str, line: usize) -> String {
    let requests =
        index.http.calls.iter().filter(|call| index.file(call.file).path == *path && call.line as usize == line);
    let routes =
        index.http.routes.iter().filter(|route| index.file(route.file).path == *path && route.line as usize == line);
    let all: Vec<String> = requests.map(request).chain(routes.map(|route| self::route(index, route))).collect();
    if all.is_empty() { "none".to_owned() } else { all.join(", ") }
}

fn request(HttpCall { request, .. }: &HttpCall) -> String {
    let names = |names: &PassedNames, open: &str, separator: &str, close: &str| {
        let name = |name: &PassedName| match &name.within[..] {
            [] => name.name.to_string(),
            within => format!("{}{{{}}}", name.name, within.join(", ")),
        };
        let mut all: Vec<String> = names.names.iter().map(name).collect();
        all.extend(names.is_open.then(|| "...".to_owned()));
        if all.is_empty() { String::new() } else { format!("{open}{}{close}", all.join(separator)) }
    };
    let method = request.method.as_deref().unwrap_or("?");
    let query = names(&request.query, "?", "&", "");
    let (body, headers) = (names(&request.body, " {", ", ", "}"), names(&request.headers, " [", ", ", "]"));
    format!("{method} {}{query}{body}{headers}", request.url)
}

fn route(index: &Index, route: &HttpRoute) -> String {
    let handler = route.handler.map_or(String::new(), |id| format!(" {}", index.definition(id).fqn));
    format!("route {} {}{handler}", route.method.as_deref().unwrap_or("*"), route.path)
}

/// The parameters of the callable definitions on a line.
pub(crate) fn parameters(index: &Index, path: &str, line: usize) -> String {
    let on_line = |definition: &&Definition| {
        index.file(definition.place.file).path == *path && definition.place.line as usize == line
    };
    let signatures = index.definitions.iter().filter(on_line).filter_map(|definition| definition.signature.as_deref());
    signatures.map(signature).collect::<Vec<_>>().join("; ")
}

fn signature(signature: &Signature) -> String {
    let parameter = |at: usize| {
        let parameter = &signature.parameters[at];
        let label = signature.label(at);
        match &parameter.default {
            Some(default) => format!("{label} = {default}"),
            None if parameter.required || parameter.is_variadic() => label.to_string(),
            None => format!("{label}?"),
        }
    };
    (0..signature.parameters.len()).map(parameter).collect::<Vec<_>>().join(", ")
}

fn call(index: &Index, call: &CallSite) -> String {
    let candidate = |id: DefinitionId, is_first: bool| {
        let definition = index.definition(id);
        let arguments = index.calls.arguments(call).iter().map(|argument| self::argument(definition, argument));
        // Arguments are bound to the first of several candidates.
        if is_first {
            format!("{}({})", definition.fqn, arguments.collect::<Vec<_>>().join(", "))
        } else {
            definition.fqn.to_string()
        }
    };
    if let Resolution::Unresolved(why) = call.resolution {
        return format!("? {}", why.word());
    }
    let candidates = index.calls.candidates(call);
    let mut all: Vec<String> = candidates.iter().enumerate().map(|(i, id)| candidate(*id, i == 0)).collect();
    // The only candidate may be the wrong one: the callee may also come from outside the sources.
    if let (Resolution::Ambiguous(_), [_]) = (&call.resolution, candidates) {
        all.push("?".to_owned());
    }
    all.join(" | ")
}

fn argument(definition: &Definition, argument: &Argument) -> String {
    let name = match &argument.bound {
        BoundParameter::Parameter(position) => {
            let signature = definition.signature.as_ref().filter(|s| s.parameters.len() > usize::from(*position));
            let name = signature.and_then(|s| s.reported_name(usize::from(*position)));
            name.map_or_else(|| "~".into(), |name| name.to_string())
        }
        BoundParameter::Named(name) | BoundParameter::Receiver(name) => name.to_string(),
        BoundParameter::Unknown => "~".into(),
    };
    let name = match &argument.forwarded {
        Some(parameter) => format!("{name}>{parameter}"),
        None => name,
    };
    match &argument.keys {
        None if argument.kind == ArgumentKind::Decorated => format!("@{name}"),
        Some(keys) if name != "~" => {
            let keys: Vec<String> = keys.iter().map(|key| property(definition, &argument.bound, key)).collect();
            // The label of a destructured parameter is `{}`: the properties replace it.
            format!("{}{{{}}}", name.strip_suffix("{}").unwrap_or(&name), keys.join(", "))
        }
        _ => name,
    }
}

/// A property of an object literal. If it is bound, it must be bound to the property of the same name of the parameter
/// `object`.
fn property(definition: &Definition, object: &BoundParameter, key: &PropertyArgument) -> String {
    let Some(position) = key.bound else {
        let is_name = !matches!(key.name.as_str(), "..." | "[]");
        return if is_name { format!("~{}", key.name) } else { key.name.to_string() };
    };
    let parameter = definition.signature.as_ref().and_then(|s| s.parameters.get(usize::from(position)));
    let parameter = parameter.expect("a key is bound to a parameter of the signature");
    assert_eq!((parameter.kind, parameter.name.as_str()), (ParameterKind::Property, key.name.as_str()));
    assert_eq!(parameter.object.map(BoundParameter::Parameter).as_ref(), Some(object));
    key.name.to_string()
}
