//! The documentation of a Python definition: its docstring, the descriptions in annotations and defaults, the texts
//! beside the fields of a class, and the deprecation message.

use arcstr::ArcStr;
use compact_str::CompactString;
use tree_sitter::Node;

use super::{grammar::NodeKind, lower::Lowering, text};
use crate::documentation::{self, Documentation};

/// The greatest length in bytes of a statement that is searched for descriptions.
const MAX_STATEMENT: usize = 4_000;

impl Lowering<'_> {
    /// The documentation of a function or class; `node` is its definition without decorators, `docstring` the literal
    /// of its docstring.
    pub(super) fn documentation(
        &self,
        node: Node,
        body: Node,
        docstring: Option<&str>,
        decorators: &[ArcStr],
    ) -> Option<Box<Documentation>> {
        let docstring = docstring.and_then(|literal| documentation::parse_docstring(text::content(literal)?));
        let mut documentation = docstring.map_or_else(Documentation::default, |documentation| *documentation);
        if self.kind(node) == NodeKind::ClassDefinition {
            self.describe_fields(body, &mut documentation);
        } else {
            self.describe_parameters(node, &mut documentation);
        }
        if documentation.deprecated.is_none() {
            documentation.deprecated = decorators.iter().find_map(|decorator| deprecation(decorator));
        }
        if documentation.deprecated.is_none() {
            documentation.deprecated = self.first_warning(body);
        }
        (!documentation.is_empty()).then(|| Box::new(documentation))
    }

    /// Adds the descriptions in annotations (`Annotated[T, Doc("…")]`, PEP 727) and in defaults
    /// (`Query(description="…")`).
    fn describe_parameters(&self, node: Node, documentation: &mut Documentation) {
        let fields = &self.grammar.fields;
        let Some(parameters) = node.child_by_field_id(fields.parameters) else { return };
        let mut cursor = parameters.walk();
        for parameter in parameters.named_children(&mut cursor) {
            if matches!(
                self.kind(parameter),
                NodeKind::TypedParameter | NodeKind::TypedDefaultParameter | NodeKind::DefaultParameter
            ) {
                let source = self.text(parameter);
                if let Some(text) = described(source) {
                    let end = source.find([':', '=']).unwrap_or(source.len());
                    documentation.describe(source[..end].trim(), text);
                }
            }
        }
    }

    /// Adds the descriptions of the fields of a class: those in annotations and values, strings behind a field
    /// (PEP 257, attribute docstrings), and comments that begin with `#:`, before a field or behind it.
    fn describe_fields(&self, body: Node, documentation: &mut Documentation) {
        let mut cursor = body.walk();
        let mut comments: Vec<&str> = Vec::new();
        let mut last: Option<(&str, usize)> = None;
        for statement in body.named_children(&mut cursor) {
            if self.kind(statement) == NodeKind::Comment {
                let Some(comment) = self.text(statement).strip_prefix("#:") else { continue };
                match last.filter(|(_, row)| *row == statement.start_position().row) {
                    Some((name, _)) => documentation.describe(name, documentation::line([comment].into_iter())),
                    None => comments.push(comment),
                }
                continue;
            }
            let inner = statement.named_child(0).filter(|_| self.kind(statement) == NodeKind::ExpressionStatement);
            match inner.map(|inner| (inner, self.kind(inner))) {
                Some((string, NodeKind::String)) => {
                    if let (Some((name, _)), Some(content)) = (last, text::content(self.text(string))) {
                        let paragraph = content.trim().lines().take_while(|line| !line.trim().is_empty());
                        documentation.describe(name, documentation::line(paragraph));
                    }
                    last = None;
                }
                Some((assignment, NodeKind::Assignment)) => {
                    let name = assignment.child_by_field_id(self.grammar.fields.left);
                    let name = name.filter(|name| self.kind(*name) == NodeKind::Identifier).map(|name| self.text(name));
                    last = name.map(|name| (name, statement.end_position().row));
                    if let Some(name) = name {
                        documentation.describe(name, documentation::line(comments.iter().copied()));
                        if let Some(text) = described(self.text(assignment)) {
                            documentation.describe(name, text);
                        }
                    }
                }
                _ => last = None,
            }
            comments.clear();
        }
    }

    /// The message of a warning of deprecation that is the first statement of a body.
    fn first_warning(&self, body: Node) -> Option<CompactString> {
        let mut cursor = body.walk();
        let mut statements = body.named_children(&mut cursor).filter(|node| self.kind(*node) != NodeKind::Comment);
        let is_docstring = |node: &Node| {
            self.kind(*node) == NodeKind::ExpressionStatement
                && node.named_child(0).is_some_and(|inner| self.kind(inner) == NodeKind::String)
        };
        let statement = statements.find(|node| !is_docstring(node))?;
        let call = statement.named_child(0).filter(|inner| {
            self.kind(statement) == NodeKind::ExpressionStatement && self.kind(*inner) == NodeKind::Call
        })?;
        let source = self.text(call);
        let callee = source.split('(').next().unwrap_or_default();
        let warns = source.len() <= MAX_STATEMENT
            && callee.rsplit('.').next() == Some("warn")
            && source.contains("DeprecationWarning");
        warns.then(|| strings_behind(source, "(").unwrap_or_default())
    }
}

/// The message of `@deprecated("…")` (PEP 702) and of decorators of that name that take a reason.
fn deprecation(decorator: &str) -> Option<CompactString> {
    let callee = decorator.split('(').next().unwrap_or_default();
    let is_deprecation = callee.rsplit('.').next()?.trim() == "deprecated";
    let message = || strings_behind(decorator, "reason=").or_else(|| strings_behind(decorator, "("));
    is_deprecation.then(|| message().unwrap_or_default())
}

/// The description in the source text of an annotation or a value.
fn described(source: &str) -> Option<CompactString> {
    if source.len() > MAX_STATEMENT {
        return None;
    }
    let text = strings_behind(source, "Doc(").or_else(|| strings_behind(source, "description="))?;
    (!text.is_empty()).then_some(text)
}

/// The string literals after the first occurrence of `mark`, concatenated as Python does with adjacent literals, on one
/// line.
fn strings_behind(source: &str, mark: &str) -> Option<CompactString> {
    let (_, mut rest) = source.split_once(mark)?;
    let mut texts = Vec::new();
    loop {
        rest = rest.trim_start_matches(|c: char| c.is_whitespace() || c == '(');
        let prefix = rest.len() - rest.trim_start_matches(['r', 'R', 'u', 'U', 'f', 'F']).len();
        let literal = &rest[prefix.min(2)..];
        let quote = ["\"\"\"", "'''", "\"", "'"].into_iter().find(|quote| literal.starts_with(quote));
        let Some(quote) = quote else { break };
        let body = &literal[quote.len()..];
        let Some(end) = closing_quote(body, quote) else { break };
        texts.push(&body[..end]);
        rest = &body[end + quote.len()..];
    }
    (!texts.is_empty()).then(|| {
        let text = texts.concat().replace("\\n", " ").replace("\\\"", "\"").replace("\\'", "'");
        documentation::line([text.as_str()].into_iter())
    })
}

fn closing_quote(body: &str, quote: &str) -> Option<usize> {
    let mut at = 0;
    while let Some(found) = body[at..].find(quote) {
        let slashes = body[..at + found].bytes().rev().take_while(|byte| *byte == b'\\').count();
        if slashes % 2 == 0 {
            return Some(at + found);
        }
        at += found + 1;
    }
    None
}

#[cfg(test)]
mod tests {
    use crate::syntax::python;

    /// The documentation of the definition `name`.
    fn said(source: &str, name: &str) -> String {
        let facts = python::read(source);
        let def = facts.definitions.iter().find(|def| facts.name(def.name) == name).expect("a definition");
        let Some(documentation) = &def.documentation else { return String::new() };
        let parameters = documentation.parameters.iter().map(|p| format!("{}: {}", p.name, p.text));
        let deprecated = documentation.deprecated.iter().map(|text| format!("deprecated {text}"));
        parameters.chain(deprecated).collect::<Vec<_>>().join("; ")
    }

    #[test]
    fn parameters_are_described_in_annotations_and_defaults() {
        let source = "def f(a: Annotated[int, Doc('One ' \"two.\")], b=Query(1, description='''Three.'''), c: int = 0):\n    pass\n";
        assert_eq!(said(source, "f"), "a: One two.; b: Three.");
    }

    #[test]
    fn fields_are_described_beside_them() {
        let source = "class C:\n    '''C.\n\n    Attributes:\n        e: Five.\n    '''\n    a: int\n    '''One.\n\n    More.'''\n    #: Two\n    #: lines.\n    b = 1\n    c = 2  #: Three.\n    d: str = Field(description='Four.')\n    e = 3\n";
        assert_eq!(said(source, "C"), "e: Five.; a: One.; b: Two lines.; c: Three.; d: Four.");
    }

    #[test]
    fn a_class_has_what_its_constructor_says() {
        let source = "class C:\n    def __init__(self, a):\n        '''Makes.\n\n        Args:\n            a: One.\n        '''\n";
        assert_eq!(said(source, "C"), "a: One.");
    }

    #[test]
    fn deprecation_is_found() {
        assert_eq!(said("@typing_extensions.deprecated('Use \\'g\\'.')\ndef f(): ...\n", "f"), "deprecated Use 'g'.");
        assert_eq!(said("@deprecated\ndef f(): ...\n", "f"), "deprecated ");
        let warns = "def f():\n    'Doc.'\n    warnings.warn(\n        'Use '\n        f'{g}.', DeprecationWarning, stacklevel=2)\n";
        assert_eq!(said(warns, "f"), "deprecated Use {g}.");
        for other in [
            "def f():\n    x = 1\n    warn('a', DeprecationWarning)\n",
            "def f(x=None):\n    if x is not None: warnings.warn('x has no effect', DeprecationWarning)\n",
            "def f():\n    warn('a')\n",
            "def f(): ...\n",
        ] {
            assert_eq!(said(other, "f"), "");
        }
    }

    #[test]
    fn a_deprecated_constructor_deprecates_its_class_but_a_deprecated_overload_does_not() {
        let class = |decorators: &str| format!("class C:\n{decorators}    def __init__(self, a=0): ...\n");
        let deprecated = "    @deprecated('Use D.')\n";
        assert_eq!(said(&class(deprecated), "C"), "deprecated Use D.");
        for overload in ["overload", "typing.overload"] {
            let overload = format!("    @{overload}\n{deprecated}    def __init__(self): ...\n");
            assert_eq!(said(&class(&overload), "C"), "");
        }
    }

    #[test]
    fn texts_that_end_early_are_passed_over() {
        for source in
            ["def f(a: Doc('): ...\n", "def f(a=X(description=\"\"\"b)): ...\n", "@deprecated('\ndef f(): ...\n"]
        {
            python::read(source);
        }
    }
}
