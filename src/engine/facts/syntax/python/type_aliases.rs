//! The names that a module gives to types: `Mode = Literal["a", "b"]`; also type variables, which stand for their
//! bounds: `T = TypeVar("T", bound=Notice)`.

use thin_vec::ThinVec;

use super::{
    annotations::GENERICS,
    facts::{BindingId, NameId, TypeAlias},
    lower::Lowering,
    text,
    type_comments::split_types,
};

/// Further names whose subscripts are types.
const SPECIAL_FORMS: [&str; 4] = ["Annotated", "Literal", "Concatenate", "AsyncIterator"];

impl Lowering<'_> {
    /// Adds the name of a type, unless a function or class binds the name.
    pub(super) fn record_type_alias(&mut self, name: NameId, source: &str, parameters: &[BindingId]) {
        let source = text::annotation(source);
        if self.flow.def.is_some() || source.is_empty() {
            return;
        }
        let parameters: ThinVec<NameId> =
            parameters.iter().map(|binding| self.facts.bindings[binding.index()].name).collect();
        let text = self.kept_text(&source);
        self.facts.type_aliases.push(TypeAlias { name, text, parameters });
    }

    /// Sorts the names of types; of several types with one name, the first one stays.
    pub(super) fn sort_type_aliases(&mut self) {
        self.facts.type_aliases.sort_by_key(|alias| alias.name);
        self.facts.type_aliases.dedup_by_key(|alias| alias.name);
    }
}

/// True for the text of a value that is a type: a subscript of a generic type, or a union with a class or `None`
/// (PEP 604). The name of a class alone is another name of the class, not of a type.
pub(super) fn is_type(source: &str) -> bool {
    let is_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.');
    let part = |part: &str| {
        let part = part.trim_matches(|c: char| c == '(' || c.is_whitespace());
        let (head, rest) = part.split_at(part.find(|c| !is_name(c)).unwrap_or(part.len()));
        (head.rsplit('.').next().unwrap_or_default().to_owned(), rest.trim().to_owned())
    };
    let (head, rest) = part(source.trim().trim_start_matches('('));
    let is_generic = GENERICS.contains(&&*head) || SPECIAL_FORMS.contains(&&*head);
    if rest.starts_with('[') && is_generic {
        return true;
    }
    let is_class = |(head, rest): (String, String)| {
        let is_named = head.starts_with(char::is_uppercase) && head.contains(char::is_lowercase);
        let is_builtin = matches!(&*head, "None" | "str" | "bytes" | "int" | "float" | "bool" | "dict" | "list");
        (is_named || is_builtin) && (rest.is_empty() || rest.starts_with('['))
    };
    // The parts of a union may be split in brackets: `dict[str, int | None] | None`.
    source.contains('|')
        && source.split('|').map(part).all(|(head, _)| !head.is_empty())
        && source.rsplit('|').next().is_some_and(|last| is_class(part(last.trim_end_matches([')', ']']))))
}

/// The bound of the type variable that a value is, or the union of its constraints: `Notice` of
/// `TypeVar("T", bound=Notice)`, `str | bytes` of `TypeVar("T", str, bytes)`.
pub(super) fn bound_of_type_variable(source: &str) -> Option<String> {
    let (maker, arguments) = source.trim().strip_suffix(')')?.split_once('(')?;
    if maker.rsplit('.').next() != Some("TypeVar") {
        return None;
    }
    let mut constraints: Vec<&str> = Vec::new();
    for argument in split_types(arguments).into_iter().skip(1).map(str::trim) {
        match argument.split_once('=') {
            Some((keyword, bound)) if keyword.trim() == "bound" => return Some(bound.trim().to_owned()),
            Some((keyword, _)) if keyword.trim().chars().all(|c| c.is_alphanumeric() || c == '_') => {}
            _ if argument.is_empty() => {}
            _ => constraints.push(argument),
        }
    }
    (!constraints.is_empty()).then(|| constraints.join(" | "))
}

/// The bound of a type parameter in brackets as a type: `str | bytes` for the constraints `(str, bytes)`.
pub(super) fn types_of_bound(bound: &str) -> String {
    match bound.strip_prefix('(').and_then(|inner| inner.strip_suffix(')')) {
        Some(constraints) => split_types(constraints).into_iter().map(str::trim).collect::<Vec<_>>().join(" | "),
        None => bound.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::{bound_of_type_variable, is_type, types_of_bound};

    #[test]
    fn type_variables_stand_for_their_bounds() {
        let bound = |source| bound_of_type_variable(source).unwrap_or_default();
        assert_eq!(bound("TypeVar('T', bound=Notice)"), "Notice");
        assert_eq!(
            bound("t.TypeVar(\n    'T',\n    bound='Notice[str, int]',\n    covariant=True,\n)"),
            "'Notice[str, int]'"
        );
        assert_eq!(bound("typing.TypeVar('T', str, dict[str, int])"), "str | dict[str, int]");
        assert_eq!(bound("TypeVar('T', bound=Literal['a=b', 'c'])"), "Literal['a=b', 'c']");
        for other in
            ["TypeVar('T')", "TypeVar('T', covariant=True)", "ParamSpec('P')", "Other('T', bound=A)", "TypeVar", ""]
        {
            assert_eq!(bound(other), "", "{other}");
        }
        assert_eq!(types_of_bound("(str, bytes)"), "str | bytes");
        assert_eq!(types_of_bound("Base"), "Base");
    }

    #[test]
    fn types_are_told_from_other_values() {
        for ty in [
            "Literal['a', 'b']",
            "typing.Callable[[Request], Response] | None",
            "t.Union[str, 'Template']",
            "str | Template | Callable[[], str]",
            "None | str",
            "dict[str, int | None] | None",
            "(\n    str | None\n)",
        ] {
            assert!(is_type(ty), "{ty}");
        }
        for other in
            ["os.environ['A']", "FLAG_A | FLAG_B", "re.A | re.B", "1 | 2", "Request", "names[0]", "a | f(x)", ""]
        {
            assert!(!is_type(other), "{other}");
        }
    }
}
