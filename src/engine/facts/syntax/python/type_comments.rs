//! Type comments (PEP 484): `x = []  # type: list[Agent]`, and the types of a function in its first line:
//! `# type: (int, str) -> Agent`.

use arcstr::ArcStr;
use tree_sitter::Node;

use super::{
    facts::{Expr, ExprId, Function},
    grammar::NodeKind,
    lower::Lowering,
    text,
};

/// An annotation: its expression and its text.
type Annotation = (ExprId, ArcStr);

/// False for a file that certainly has no type comments.
pub(super) fn may_have_type_comments(source: &str) -> bool {
    source.contains("# type:") || source.contains("#type:")
}

impl<'s> Lowering<'s> {
    /// The annotation in a type comment after a statement that ends at the byte `end`, on the same line.
    pub(super) fn type_comment_after(&mut self, end: usize) -> Option<(ExprId, &'s str)> {
        if !self.has_type_comments {
            return None;
        }
        let rest = self.source.get(end..)?;
        let text = type_comment(rest.lines().next()?)?;
        let annotation = self.parse_forward_reference(text);
        (self.facts.expr(annotation) != Expr::Unknown).then_some((annotation, text))
    }

    /// Gives the parameters and the result of a function the types of the type comment between its head, which ends at
    /// the byte `end`, and its body. Annotations come before the comment. The receiver of a method, which the comment
    /// may leave out, gets no type, and `Any` is none: the types are then inferred.
    pub(super) fn add_signature_comment(&mut self, function: &mut Function, end: usize, body: Node, is_method: bool) {
        if !self.has_type_comments {
            return;
        }
        let first = body.child(0).filter(|first| self.kind(*first) == NodeKind::Comment);
        let end_of_comment = first.map_or(body.start_byte(), |first| first.end_byte());
        let Some(head) = self.source.get(end..end_of_comment) else { return };
        let after_colon = head.split_once(':').map_or("", |(_, rest)| rest);
        let Some(comment) = after_colon.lines().find_map(type_comment) else { return };
        let Some((parameters, returns)) = comment.strip_prefix('(').and_then(|rest| rest.rsplit_once("->")) else {
            return;
        };
        let Some(parameters) = parameters.trim_end().strip_suffix(')') else { return };
        if function.returns.is_none() && !is_any(returns.trim()) {
            function.returns = Some(self.annotation_of_text(returns));
        }
        let types = split_types(parameters);
        let skipped = match function.parameters.len().checked_sub(types.len()) {
            Some(0) => 0,
            Some(1) if is_method => 1,
            _ => return,
        };
        for (position, (parameter, ty)) in function.parameters.iter_mut().skip(skipped).zip(types).enumerate() {
            let is_receiver = is_method && skipped + position == 0;
            if parameter.annotation.is_none() && !is_receiver && !is_any(ty) {
                parameter.annotation = Some(self.annotation_of_text(ty.trim_start_matches('*')));
            }
        }
    }

    fn annotation_of_text(&mut self, text: &str) -> Annotation {
        let text = text.trim();
        (self.parse_forward_reference(text), self.kept_text(&text::annotation(text)))
    }
}

/// The type in a comment `# type: T`. `None` for any other text and for `# type: ignore`.
fn type_comment(line: &str) -> Option<&str> {
    let comment = line.trim().strip_prefix('#')?.trim_start().strip_prefix("type:")?;
    // Another comment may follow.
    let ty = comment.split('#').next()?.trim();
    let is_ignore = ty.strip_prefix("ignore").is_some_and(|rest| !rest.starts_with(|c: char| c.is_alphanumeric()));
    (!ty.is_empty() && !is_ignore).then_some(ty)
}

fn is_any(ty: &str) -> bool {
    matches!(ty, "Any" | "typing.Any")
}

/// The types in a list that commas outside of brackets separate: none in an empty list, and none in `...`, which stands
/// for parameters of any types.
pub(super) fn split_types(list: &str) -> Vec<&str> {
    let mut types = Vec::new();
    let (mut depth, mut start) = (0_usize, 0);
    for (at, c) in list.char_indices() {
        match c {
            '[' | '(' => depth += 1,
            ']' | ')' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => {
                types.push(list[start..at].trim());
                start = at + 1;
            }
            _ => {}
        }
    }
    types.push(list[start..].trim());
    types.retain(|ty| !ty.is_empty() && *ty != "...");
    types
}
