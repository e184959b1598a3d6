//! The names that a module gives to types: `Mode = Literal["a", "b"]`.

use thin_vec::ThinVec;

use super::{
    annotations::GENERICS,
    facts::{BindingId, NameId, TypeAlias},
    lower::Lowering,
    text,
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

#[cfg(test)]
mod tests {
    use super::is_type;

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
