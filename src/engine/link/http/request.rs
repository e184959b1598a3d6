//! Derives a request from the arguments of the call that sends it.

use arcstr::ArcStr;
use compact_str::CompactString;

use super::{
    clients::{Client, MethodSource, Sender},
    value::{Object, Piece, Text, Value},
};
use apidisc_facts::program::{HttpRequest, PassedName, PassedNames};

/// The maximum number of names that are kept for one part of a request.
const MAX_NAMES: usize = 64;

/// An argument of a call that sends a request or adds a route, with its value.
#[derive(Clone, Debug, Default)]
pub(crate) struct PassedArgument {
    /// The keyword of a keyword argument.
    pub(crate) keyword: Option<CompactString>,
    /// True for `*x`, `**x` and `...x`.
    pub(crate) is_spread: bool,
    pub(crate) value: Value,
}

/// The parts of a request as values. A value may be a parameter of the function around the call.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct RequestParts {
    /// The HTTP method; `None` if the call does not name it.
    pub(crate) method: Option<Value>,
    pub(crate) url: Text,
    pub(crate) query: Vec<Value>,
    pub(crate) body: Vec<Value>,
    pub(crate) headers: Vec<Value>,
    /// The base URL that an option of the call gives: `baseURL`.
    base: Option<Text>,
    /// The options objects that are parameters of the function around the call.
    options: Vec<Value>,
    /// True if the method is GET unless an option names another one.
    is_get: bool,
    /// True if the call may pass parts that are not visible: `**kwargs`, options that are not a literal.
    pub(crate) is_open: bool,
}

/// The names of the options of clients and requests that give a base URL.
pub(crate) const BASE_OPTIONS: [&str; 3] = ["baseURL", "prefixUrl", "prefix"];

/// The parts of the request that a call of `sender` sends; `None` if no argument can be the URL. `base` is the base URL
/// of the client.
pub(crate) fn parts(sender: Sender, base: Option<Text>, arguments: &[PassedArgument]) -> Option<RequestParts> {
    let mut parts = RequestParts::default();
    let mut positional = arguments.iter().take_while(|a| a.keyword.is_none() && !a.is_spread).map(|a| &a.value);
    parts.is_open = arguments.iter().any(|argument| argument.is_spread);
    match sender.method {
        MethodSource::Name(name) => parts.method = Some(Value::Text(Text::literal(&name.to_ascii_uppercase()))),
        MethodSource::FirstArgument => {
            parts.method = positional.next().or_else(|| keyword(arguments, &["method"])).cloned();
        }
        MethodSource::Option => {}
    }
    let url = match sender.client {
        Client::Keywords => parts.add_keywords(arguments, positional),
        Client::Fetch | Client::Options => {
            let url = positional.next().cloned();
            if let Some(options) = positional.next() {
                parts.add_options(options);
            }
            url
        }
        // The calls on the result add the other parts: see [`RequestParts::add_step`].
        Client::Chain => positional.next().cloned(),
        Client::Axios => parts.add_axios(positional),
        Client::Inject | Client::Dispatcher => positional.next().and_then(|options| {
            if let Value::Text(_) = options {
                return Some(options.clone());
            }
            parts.add_options(options);
            options.entry("url").or_else(|| options.entry("path")).cloned()
        }),
    };
    parts.is_get = sender.method == MethodSource::Option;
    let url = url?.into_text();
    let base = parts.base.take().or(base);
    parts.url = match base {
        Some(base) if !is_absolute(&url) => super::routers::joined(base, url),
        _ => url,
    };
    Some(parts)
}

/// The first keyword argument with one of `names`.
fn keyword<'v>(arguments: &'v [PassedArgument], names: &[&str]) -> Option<&'v Value> {
    let named =
        |argument: &&PassedArgument| argument.keyword.as_deref().is_some_and(|keyword| names.contains(&keyword));
    arguments.iter().find(named).map(|argument| &argument.value)
}

/// True for a URL with a scheme.
fn is_absolute(url: &Text) -> bool {
    matches!(url.0.first(), Some(Piece::Literal(text)) if text.contains("://"))
}

impl RequestParts {
    /// Adds the arguments of a Python client. Returns the URL.
    fn add_keywords<'v>(
        &mut self,
        arguments: &'v [PassedArgument],
        mut positional: impl Iterator<Item = &'v Value>,
    ) -> Option<Value> {
        let url = positional.next().or_else(|| keyword(arguments, &["url", "path"])).cloned();
        let method = self.method.as_ref().and_then(Value::known_text);
        let has_body = matches!(method.as_deref(), Some("POST" | "PUT" | "PATCH"));
        if let Some(second) = positional.next() {
            if has_body { &mut self.body } else { &mut self.query }.push(second.clone());
        }
        for argument in arguments {
            let part = match argument.keyword.as_deref() {
                Some("params" | "query_string" | "query_params" | "query") => &mut self.query,
                Some("json" | "data" | "form" | "body" | "content" | "files") => &mut self.body,
                Some("fields") if has_body => &mut self.body,
                Some("fields") => &mut self.query,
                Some("headers") => &mut self.headers,
                _ => continue,
            };
            part.push(argument.value.clone());
        }
        url
    }

    /// Adds a call of the method `name` of a request that is built step by step: `send(body)`, `query({ limit: 1 })`,
    /// `set("Accept", type)`.
    pub(crate) fn add_step(&mut self, name: &str, arguments: &[PassedArgument]) {
        let part = match name {
            "send" | "field" | "attach" => &mut self.body,
            "query" => &mut self.query,
            "set" | "auth" => &mut self.headers,
            _ => return,
        };
        let only =
            |name: CompactString| Value::Object(Object { entries: vec![(name, Value::Unknown)], is_open: false });
        let Some(PassedArgument { is_spread, value, .. }) = arguments.first() else { return };
        part.push(match (name, value.known_text()) {
            _ if *is_spread => Value::Unknown,
            ("auth", _) => only(CompactString::const_new("Authorization")),
            ("field" | "attach" | "set", Some(name)) => only(name),
            ("query", Some(query)) => {
                let names = query.split('&').filter_map(|part| part.split('=').next());
                let entries = names.filter(|name| !name.is_empty()).map(|name| (name.into(), Value::Unknown)).collect();
                Value::Object(Object { entries, is_open: false })
            }
            _ => value.clone(),
        });
    }

    /// Adds an object literal with the options of a request.
    fn add_options(&mut self, options: &Value) {
        let Value::Object(Object { entries, is_open }) = options else {
            match options {
                Value::Nothing => {}
                Value::Parameter(_) => self.options.push(options.clone()),
                _ => self.is_open = true,
            }
            return;
        };
        self.is_open |= is_open;
        for (name, value) in entries {
            let part = match name.as_str() {
                "method" => {
                    self.method.get_or_insert_with(|| value.clone());
                    continue;
                }
                name if BASE_OPTIONS.contains(&name) => {
                    self.base = (*value != Value::Nothing).then(|| value.clone().into_text());
                    continue;
                }
                "params" | "searchParams" | "query" => &mut self.query,
                "body" | "json" | "data" | "form" | "payload" | "multipart" => &mut self.body,
                "headers" => &mut self.headers,
                _ => continue,
            };
            part.push(value.clone());
        }
    }

    /// Adds the arguments of axios. Returns the URL.
    fn add_axios<'v>(&mut self, mut positional: impl Iterator<Item = &'v Value>) -> Option<Value> {
        let first = positional.next()?;
        if self.method.is_none() && !matches!(first, Value::Text(_)) {
            self.add_options(first);
            return first.entry("url").cloned();
        }
        let method = self.method.as_ref().and_then(Value::known_text);
        if matches!(method.as_deref(), Some("POST" | "PUT" | "PATCH"))
            && let Some(data) = positional.next()
        {
            self.body.push(data.clone());
        }
        if let Some(config) = positional.next() {
            self.add_options(config);
        }
        Some(first.clone())
    }

    /// The request. Parts of unknown value are left out.
    pub(crate) fn request(mut self) -> HttpRequest {
        self.is_open |= !self.options.is_empty();
        if self.is_get && !self.is_open {
            self.method.get_or_insert_with(|| Value::Text(Text::literal("GET")));
        }
        let template = self.url.template();
        let (path, query) = split_query(&template);
        let mut names = names(&self.query, self.is_open);
        add_query_names(query, &mut names);
        let method = self.method.as_ref().and_then(Value::known_text).map(|method| method.to_ascii_uppercase());
        let is_method = |method: &CompactString| !method.is_empty() && method.bytes().all(|c| c.is_ascii_uppercase());
        HttpRequest {
            method: method.filter(is_method).map(|method| ArcStr::from(method.as_str())),
            url: path.into(),
            query: names,
            body: self::names(&self.body, self.is_open),
            headers: self::names(&self.headers, self.is_open),
        }
    }

    /// True if a parameter of the function around the call is the path: then the callers of the function choose the
    /// path. A parameter that is one segment of a written path, as in `f"/pets/{id}"`, is no path. `name` gives the
    /// names of parameters.
    pub(crate) fn takes_path<'n>(&self, name: impl Fn(u16) -> Option<&'n str>) -> bool {
        let position = self.url.0.iter().position(|piece| matches!(piece, Piece::Hole(Some(_))));
        let Some((position, Piece::Hole(Some(parameter)))) = position.map(|at| (at, &self.url.0[at])) else {
            return false;
        };
        let before = Text(self.url.0[..position].to_vec()).template();
        let path = match before.split_once("://") {
            Some((_, rest)) => rest.split_once('/').map_or("", |(_, path)| path),
            None => &before,
        };
        let has_words = |text: &str| text.contains(char::is_alphanumeric);
        let after = Text(self.url.0[position + 1..].to_vec()).template();
        let is_last = !has_words(split_query(&after).0);
        is_last && (!has_words(path) || !path.contains('?') && name(*parameter).is_some_and(is_name_of_path))
    }

    /// The parts with every parameter of the function replaced by the value that `argument` has for it.
    pub(super) fn with_arguments(&self, argument: &impl Fn(u16) -> Value) -> Self {
        let replace = |values: &[Value]| values.iter().map(|value| value.with_arguments(argument)).collect();
        let mut parts = Self {
            method: self.method.as_ref().map(|method| method.with_arguments(argument)),
            url: self.url.with_arguments(argument),
            query: replace(&self.query),
            body: replace(&self.body),
            headers: replace(&self.headers),
            base: None,
            options: Vec::new(),
            is_get: self.is_get,
            is_open: self.is_open,
        };
        for options in &self.options {
            parts.add_options(&options.with_arguments(argument));
        }
        if let Some(base) = parts.base.take().filter(|_| !is_absolute(&parts.url)) {
            parts.url = super::routers::joined(base, parts.url);
        }
        parts
    }
}

/// True for the name of a parameter that is a path or URL.
fn is_name_of_path(name: &str) -> bool {
    let word = name.trim_start_matches('_').rsplit('_').next().unwrap_or(name);
    ["path", "url", "uri", "endpoint", "route", "resource"].iter().any(|known| word.eq_ignore_ascii_case(known))
}

/// Splits a URL template into the parts before and after its `?`. The fragment is left out.
fn split_query(template: &str) -> (&str, &str) {
    let template = template.split('#').next().unwrap_or(template);
    template.split_once('?').unwrap_or((template, ""))
}

/// Adds the names in the text of a query: `status={}&limit=10`.
fn add_query_names(query: &str, names: &mut PassedNames) {
    let mut all = std::mem::take(&mut names.names).into_vec();
    for part in query.split('&').filter(|part| !part.is_empty()) {
        let name = part.split('=').next().unwrap_or(part);
        if name.contains("{}") {
            names.is_open = true;
        } else if all.len() < MAX_NAMES && all.iter().all(|known| known.name != name) {
            all.push(PassedName { name: name.into(), within: Box::default(), is_open: true });
        }
    }
    names.names = all.into();
}

/// The names that several values pass: the union of their entries.
fn names(values: &[Value], is_open: bool) -> PassedNames {
    let mut names: Vec<PassedName> = Vec::new();
    let mut open = is_open;
    for value in values {
        let value = match value {
            Value::List(first) => first,
            other => other,
        };
        let Value::Object(object) = value else {
            open |= *value != Value::Nothing;
            continue;
        };
        open |= object.is_open;
        for (name, value) in &object.entries {
            if names.len() < MAX_NAMES && names.iter().all(|known| known.name != name.as_str()) {
                names.push(passed(name, value));
            }
        }
    }
    PassedNames { names: names.into(), is_open: open }
}

/// The name of an entry, with the names in its value if the value is an object.
fn passed(name: &str, value: &Value) -> PassedName {
    let value = match value {
        Value::List(first) => first,
        other => other,
    };
    let (within, is_open) = match value {
        Value::Object(object) => {
            let mut within: Vec<ArcStr> = Vec::new();
            for (name, _) in object.entries.iter().take(MAX_NAMES) {
                if within.iter().all(|known| known != name.as_str()) {
                    within.push(name.as_str().into());
                }
            }
            (within, object.is_open)
        }
        Value::Text(_) | Value::Nothing => (Vec::new(), false),
        _ => (Vec::new(), true),
    };
    PassedName { name: name.into(), within: within.into(), is_open }
}
