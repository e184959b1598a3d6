//! The decorators that a stub names, in both languages: those that change how a definition is used, and those by which
//! a framework calls it, such as routes and validators. Others are not worth their tokens.

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

    /// The string that is the first argument, with its quotes.
    pub(super) fn first_string(&self) -> Option<&'a str> {
        let arguments = self.arguments?;
        let quote = arguments.chars().next().filter(|quote| matches!(quote, '"' | '\''))?;
        let end = arguments[1..].find(quote)? + 2;
        arguments[end..].starts_with([',', ')']).then(|| &arguments[..end])
    }
}

#[cfg(test)]
mod tests {
    use super::Decorator;

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
