//! The view classes and view sets of Django and Django REST framework, and the conversion of URL patterns to paths.

use compact_str::{CompactString, format_compact};

use super::clients::ends;

/// The view classes, each with the HTTP methods that it handles.
const VIEWS: [(&str, &[&str]); 24] = [
    ("View", &[]),
    ("MethodView", &[]),
    ("Resource", &[]),
    ("APIView", &[]),
    ("GenericAPIView", &[]),
    ("TemplateView", &["get"]),
    ("RedirectView", &["get"]),
    ("ListView", &["get"]),
    ("DetailView", &["get"]),
    ("FormView", &["get", "post"]),
    ("CreateView", &["get", "post"]),
    ("UpdateView", &["get", "post"]),
    ("DeleteView", &["get", "post"]),
    ("ListAPIView", &["get"]),
    ("RetrieveAPIView", &["get"]),
    ("CreateAPIView", &["post"]),
    ("ListCreateAPIView", &["get", "post"]),
    ("UpdateAPIView", &["put", "patch"]),
    ("DestroyAPIView", &["delete"]),
    ("RetrieveUpdateAPIView", &["get", "put", "patch"]),
    ("RetrieveDestroyAPIView", &["get", "delete"]),
    ("RetrieveUpdateDestroyAPIView", &["get", "put", "patch", "delete"]),
    ("ObtainAuthToken", &["post"]),
    ("object", &[]),
];

/// The view set classes, each with its actions.
const VIEW_SETS: [(&str, &[&str]); 9] = [
    ("ModelViewSet", &["list", "create", "retrieve", "update", "partial_update", "destroy"]),
    ("ReadOnlyModelViewSet", &["list", "retrieve"]),
    ("ListModelMixin", &["list"]),
    ("CreateModelMixin", &["create"]),
    ("RetrieveModelMixin", &["retrieve"]),
    ("UpdateModelMixin", &["update", "partial_update"]),
    ("DestroyModelMixin", &["destroy"]),
    ("GenericViewSet", &[]),
    ("ViewSet", &[]),
];

/// The actions of view sets, each with its HTTP method and whether its path names one object.
pub(crate) const ACTIONS: [(&str, &str, bool); 6] = [
    ("list", "get", false),
    ("create", "post", false),
    ("retrieve", "get", true),
    ("update", "put", true),
    ("partial_update", "patch", true),
    ("destroy", "delete", true),
];

/// The packages that define view classes.
const PACKAGES: [&str; 6] = ["django", "rest_framework", "flask", "flask_restful", "flask_restx", "builtins"];

/// The HTTP methods that the view class with a dotted path handles; `None` for any other class.
pub(crate) fn view_methods(path: &str) -> Option<&'static [&'static str]> {
    let (root, name) = ends(path);
    let known = VIEWS.iter().find(|(view, _)| *view == name && (PACKAGES.contains(&root) || name == "object"))?;
    Some(known.1)
}

/// The actions of the view set class with a dotted path; `None` for any other class.
pub(crate) fn view_set_actions(path: &str) -> Option<&'static [&'static str]> {
    let (root, name) = ends(path);
    VIEW_SETS.iter().find(|(view, _)| *view == name && root == "rest_framework").map(|(_, actions)| *actions)
}

/// True for the router class of Django REST framework, with which view sets are registered.
pub(crate) fn is_view_set_router(path: &str) -> bool {
    matches!(ends(path), ("rest_framework", "DefaultRouter" | "SimpleRouter" | "BaseRouter"))
}

/// True for a test class whose instances have a client as `self.client`.
pub(crate) fn is_test_with_client(path: &str) -> bool {
    let (root, name) = ends(path);
    match root {
        "django" | "rest_framework" => name.ends_with("TestCase"),
        "flask_testing" => matches!(name, "TestCase" | "LiveServerTestCase"),
        "aiohttp" => name == "AioHTTPTestCase",
        _ => false,
    }
}

/// The path that a pattern matches, with `{name}` for each group: `pets/{id}/` of `^pets/(?P<id>[0-9]+)/$`. `None` if
/// the pattern has other syntax than literal text and groups.
pub(crate) fn path_of_pattern(pattern: &str) -> Option<CompactString> {
    let pattern = pattern.strip_prefix('^').unwrap_or(pattern);
    let pattern = pattern.strip_suffix('$').unwrap_or(pattern);
    let mut path = CompactString::default();
    let mut rest = pattern;
    while let Some(c) = rest.chars().next() {
        rest = &rest[c.len_utf8()..];
        match c {
            '(' => {
                let end = end_of_group(rest)?;
                let group = &rest[..end];
                rest = &rest[end + 1..];
                let is_optional = rest.starts_with('?') || rest.starts_with('*');
                if is_optional {
                    // An optional group is left out of the path.
                    rest = &rest[1..];
                } else if let Some(named) = group.strip_prefix("?P<") {
                    path.push_str(&format_compact!("{{{}}}", named.split('>').next()?));
                } else if group.starts_with('?') {
                    return None;
                } else {
                    path.push_str("{}");
                }
            }
            '\\' => {
                let escaped = rest.chars().next().filter(char::is_ascii_punctuation)?;
                path.push(escaped);
                rest = &rest[1..];
            }
            // `/?`: the slash may be missing.
            '?' if path.ends_with('/') => {}
            '?' | '*' | '+' | '[' | ']' | '|' | ')' | '^' | '$' | '{' | '}' => return None,
            c => path.push(c),
        }
    }
    Some(path)
}

/// The position of the parenthesis that closes a group, whose content is at the beginning of `text`.
fn end_of_group(text: &str) -> Option<usize> {
    let (mut depth, mut in_class, mut is_escaped) = (0, false, false);
    for (at, c) in text.bytes().enumerate() {
        match c {
            _ if is_escaped => is_escaped = false,
            b'\\' => is_escaped = true,
            b'[' => in_class = true,
            b']' => in_class = false,
            b'(' if !in_class => depth += 1,
            b')' if !in_class && depth == 0 => return Some(at),
            b')' if !in_class => depth -= 1,
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::path_of_pattern;

    #[test]
    fn a_pattern_is_a_path_with_groups() {
        let path = |pattern| path_of_pattern(pattern).map(String::from);
        assert_eq!(path(r"^pets/(?P<id>[-\w)]+)/toys/?$").as_deref(), Some("pets/{id}/toys/"));
        assert_eq!(path(r"^(\d+)/v1\.0$").as_deref(), Some("{}/v1.0"));
        assert_eq!(path(r"^logo(?:/(?P<name>.+))?/?$").as_deref(), Some("logo/"));
        assert_eq!(path("^$").as_deref(), Some(""));
        assert_eq!(path(r"^(pets|toys"), None);
        assert_eq!(path(r"^pets/\d+$"), None);
        assert_eq!(path("^(?:a|b)/$"), None);
    }
}
