//! The decorators that a stub names, in both languages: those that change how a definition is used, and those by which
//! a framework calls it, such as routes and validators. Others are not worth their tokens.

/// The decorators whose first string registers nothing: options of a command, parameters and replacements of tests,
/// words for the documentation.
const NO_REGISTRATIONS: [&str; 21] = [
    "ApiBody",
    "ApiHeader",
    "ApiOperation",
    "ApiParam",
    "ApiQuery",
    "ApiResponse",
    "ApiTags",
    "Header",
    "Roles",
    "SetMetadata",
    "argument",
    "confirmation_option",
    "deprecated",
    "help_option",
    "option",
    "parametrize",
    "password_option",
    "permission_required",
    "skip",
    "usefixtures",
    "version_option",
];

/// The modules whose decorators register nothing.
const MODULES: [&str; 6] = ["mark", "mock", "patch", "pytest", "unittest", "warnings"];

/// The keywords whose literals say how callers reach what a decorator registers.
const KEYS: [&str; 9] = ["command", "event", "method", "methods", "name", "path", "rule", "topic", "url"];

/// The greatest length of a registration in bytes.
const MAX_REGISTRATION: usize = 80;

/// A decorator as the sources write it, without `@`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Decorator<'a> {
    /// `router.get` of `router.get("/items")`
    pub(super) path: &'a str,
    /// The last name of the path.
    pub(super) name: &'a str,
    /// The text behind the opening parenthesis; `None` for a decorator that is not called.
    pub(super) arguments: Option<&'a str>,
}

impl<'a> Decorator<'a> {
    pub(super) fn read(text: &'a str) -> Self {
        let text = text.trim_matches([' ', '@']);
        let (path, arguments) = text.split_once('(').map_or((text, None), |(path, rest)| (path.trim(), Some(rest)));
        Self { path, name: path.rsplit('.').next().unwrap_or_default(), arguments }
    }

    /// The decorator with the literals that say how callers reach what it registers: `app.command("list")`,
    /// `app.route("/a", methods=["GET"])`, `app.task(name="a.b")`. Other arguments are left out. `None` for a decorator
    /// that registers nothing under a literal.
    pub(super) fn registration(&self) -> Option<String> {
        let mut around = self.path.split('.').rev().skip(1);
        if NO_REGISTRATIONS.contains(&self.name) || around.any(|part| MODULES.contains(&part)) {
            return None;
        }
        let arguments = self.arguments?.trim_end().strip_suffix(')')?;
        let parts = arguments_of(arguments);
        let is_key = |part: &&str| part.split_once('=').is_some_and(|(name, _)| KEYS.contains(&name.trim()));
        let first = parts.first().copied().filter(|part| is_string(part));
        let named: Vec<&str> = parts.iter().copied().filter(is_key).filter(|part| is_literal_of_key(part)).collect();
        let is_name = |part: &&str| !part.starts_with("method");
        if first.is_none() && !named.iter().any(is_name) {
            return None;
        }
        let written = |parts: &[&str]| format!("{}({})", self.path, parts.join(", "));
        let all: Vec<&str> = first.into_iter().chain(named).collect();
        let whole = written(&all);
        Some(if whole.len() <= MAX_REGISTRATION { whole } else { written(&all[..1]) })
            .filter(|text| text.len() <= MAX_REGISTRATION)
    }

    /// The string that is the first argument, with its quotes.
    pub(super) fn first_string(&self) -> Option<&'a str> {
        let arguments = self.arguments?;
        let quote = arguments.chars().next().filter(|quote| matches!(quote, '"' | '\''))?;
        let end = arguments[1..].find(quote)? + 2;
        arguments[end..].starts_with([',', ')']).then(|| &arguments[..end])
    }
}

/// The parts of a text that commas outside of brackets and strings separate, without the white space around them.
fn arguments_of(text: &str) -> Vec<&str> {
    let (mut depth, mut start, mut quote, mut is_escaped) = (0_usize, 0, None, false);
    let mut parts = Vec::new();
    for (at, c) in text.char_indices() {
        match (quote, c) {
            (Some(_), '\\') => is_escaped = !is_escaped,
            (Some(open), _) => {
                quote = Some(open).filter(|open| *open != c || is_escaped);
                is_escaped = false;
            }
            (None, '"' | '\'' | '`') => quote = Some(c),
            (None, '(' | '[' | '{') => depth += 1,
            (None, ')' | ']' | '}') => depth = depth.saturating_sub(1),
            (None, ',') if depth == 0 => {
                parts.push(text[start..at].trim());
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(text[start..].trim());
    parts.retain(|part| !part.is_empty());
    parts
}

/// True for one string on one line, with nothing behind it.
fn is_string(text: &str) -> bool {
    let inner = ['"', '\''].into_iter().find_map(|quote| text.strip_prefix(quote)?.strip_suffix(quote));
    inner.is_some_and(|inner| !inner.contains(['"', '\'', '\\', '\n']))
}

/// True for a keyword whose value is a string, or a list or tuple of strings.
fn is_literal_of_key(part: &str) -> bool {
    let Some((_, value)) = part.split_once('=') else { return false };
    let value = value.trim();
    let items = [("[", "]"), ("(", ")")].into_iter().find_map(|(a, b)| value.strip_prefix(a)?.strip_suffix(b));
    items.map_or_else(|| is_string(value), |items| arguments_of(items).into_iter().all(is_string))
}

#[cfg(test)]
mod tests {
    use super::Decorator;

    #[test]
    fn a_registration_keeps_the_literals_by_which_callers_reach_it() {
        let check = |text: &str, expected: Option<&str>| {
            assert_eq!(Decorator::read(text).registration().as_deref(), expected, "{text}");
        };
        check("app.get('/items/{id}', response_model=Item)", Some("app.get('/items/{id}')"));
        check(
            "app.route(\"/a\", methods=[\"GET\", 'PUT'], x=f(1))",
            Some("app.route(\"/a\", methods=[\"GET\", 'PUT'])"),
        );
        check("app.command(\"list\")", Some("app.command(\"list\")"));
        check("celery.task(bind=True, name='a, b')", Some("celery.task(name='a, b')"));
        check("app.patch('/a')", Some("app.patch('/a')"));
        check("routes.route(rule('/a'), methods=['GET'])", None);
        check("app.command()", None);
        check("app.task(name=NAME)", None);
        check("app.get(PREFIX + '/a')", None);
        check("app.get('/a' 'b')", None);
        check("click.option('--name', default=1)", None);
        check("pytest.mark.parametrize('a', [1])", None);
        check("mock.patch('a.b')", None);
        check(&format!("app.get('/{}')", "a".repeat(80)), None);
        let long = format!("app.get('/a', name='{}')", "a".repeat(80));
        check(&long, Some("app.get('/a')"));
    }

    #[test]
    fn a_decorator_is_read_in_its_parts() {
        let parts = |text| {
            let decorator = Decorator::read(text);
            (decorator.path, decorator.name, decorator.first_string())
        };
        assert_eq!(parts("router.get('/items', tags=[1])"), ("router.get", "get", Some("'/items'")));
        assert_eq!(parts("@Get(\":id\")"), ("Get", "Get", Some("\":id\"")));
        assert_eq!(parts("Get()"), ("Get", "Get", None));
        assert_eq!(parts("cached"), ("cached", "cached", None));
        assert_eq!(parts("route('a' + b)"), ("route", "route", None));
    }
}
