//! The pieces of code that make an example, and their text.

use compact_str::CompactString;
use tree_sitter::{Node, Tree};

use super::{
    Example, globals, guards,
    names::{self, NameBinding},
    shape,
};
use apidisc_base::{language::Language, sort::SharedSort as _};

/// The greatest number of lines of the statement of the call. In place of a longer statement, the call alone is shown.
const MAX_STATEMENT_LINES: usize = 16;
/// The greatest number of lines of a statement that binds a name. Longer statements are not shown.
const MAX_BINDING_LINES: usize = 10;
/// The greatest number of lines of a class that is shown for a call in its body.
const MAX_CLASS_LINES: usize = 14;
/// The greatest number of lines of a statement that is shown for the callback in it.
const MAX_CALLBACK_LINES: usize = 8;
/// The greatest number of names whose bindings are searched.
const MAX_NAMES: usize = 24;
/// The greatest number of lines of a JSX element that is shown with its children.
const MAX_ELEMENT_LINES: usize = 10;
/// The name that stands for the children of a JSX element.
const CHILDREN: &str = "children";
/// The columns by which a body is indented.
const INDENT: usize = 4;

/// A piece of code.
#[derive(Clone, Copy)]
enum CodePiece<'t> {
    /// A whole node.
    Whole(Node<'t>),
    /// The part of a `with` or `for` statement before its body; pieces in the body are indented below it.
    Header(Node<'t>),
    /// A statement whose body is left out.
    WithoutBody(Node<'t>, Node<'t>),
    /// A JSX element with `{children}` in place of its children.
    WithoutChildren(Node<'t>),
}

/// The example of the calls whose names begin at the bytes `names`. With `with_callbacks`, calls on a parameter of a
/// callback are shown with the statement that passes it.
pub(super) fn example(
    code: &str,
    tree: &Tree,
    language: Language,
    names: &[usize],
    with_callbacks: bool,
) -> Option<Example> {
    let call_at = |&name: &usize| shape::call_of(tree.root_node().descendant_for_byte_range(name, name)?);
    let calls: Vec<Node> = names.iter().map(call_at).collect::<Option<_>>()?;
    let &call = calls.first()?;
    let mut cores: Vec<CodePiece> = calls.iter().map(|call| call_piece(*call, language)).collect::<Option<_>>()?;
    if with_callbacks {
        for (core, call) in cores.iter_mut().zip(&calls) {
            *core = callback_statement(code, *call).map_or(*core, CodePiece::Whole);
        }
    }
    let mut example = Example {
        root: shape::root_of(call).map(|root| CompactString::new(&code[root.byte_range()])),
        ..Example::default()
    };
    let is_cut = cores.iter().any(|core| matches!(core, CodePiece::WithoutChildren(_)));
    example.given.extend(is_cut.then(|| CHILDREN.into()));
    let mut pieces = around_others(cores);
    follow_names(code, language, &mut pieces, &mut example);
    example.is_unchecked = pieces.iter().any(|piece| is_unchecked(code, piece.node()));
    example.call = alone(call).lines(code, language);
    (example.lines, example.setup_lines) = joined(code, language, pieces);
    Some(example)
}

/// The example of the short class of which a base is named at byte `name`, with what its lines use. `None` if no class
/// has a base there.
pub(super) fn class_example(code: &str, tree: &Tree, language: Language, name: usize) -> Option<Example> {
    let base = tree.root_node().descendant_for_byte_range(name, name)?;
    let statement = shape::statement_of(shape::class_extending(base)?)?;
    if lines_of(statement) > MAX_CLASS_LINES {
        return None;
    }
    let mut example = Example { root: Some(CompactString::new(&code[base.byte_range()])), ..Example::default() };
    let mut pieces = vec![CodePiece::Whole(statement)];
    follow_names(code, language, &mut pieces, &mut example);
    example.is_unchecked = pieces.iter().any(|piece| is_unchecked(code, piece.node()));
    example.call = CodePiece::Whole(statement).lines(code, language);
    (example.lines, example.setup_lines) = joined(code, language, pieces);
    Some(example)
}

/// Adds the pieces that bind the names in `pieces`, and the names that no piece binds to the lists of `example`.
fn follow_names(code: &str, language: Language, pieces: &mut Vec<CodePiece<'_>>, example: &mut Example) {
    // A name that is assigned several times is followed once for each assignment whose value a piece uses, so each
    // name is kept with the byte at which the statement that binds it begins.
    let mut followed: Vec<(CompactString, Option<usize>)> = Vec::new();
    let mut at = 0;
    while let Some(&piece) = pieces.get(at) {
        at += 1;
        for (name, is_type) in names::used(code, &piece.nodes()) {
            if example.unbound.iter().any(|other| other == name) {
                continue;
            }
            let known: Vec<Option<usize>> =
                followed.iter().filter(|(other, _)| other == name).map(|(_, place)| *place).collect();
            let is_closed = known.contains(&None) || example.given.iter().any(|given| given == name);
            if is_closed && !known.is_empty() {
                continue;
            }
            let binding = names::binding(code, piece.node(), name);
            let place = match &binding {
                NameBinding::Statement(statement) => Some(statement.start_byte()),
                _ => None,
            };
            if known.contains(&place) {
                continue;
            }
            if followed.len() == MAX_NAMES {
                if !is_type && !globals::is_global(name, language) {
                    example.unbound.push(name.into());
                }
                continue;
            }
            followed.push((name.into(), place));
            match binding {
                // A name of the language may be bound to another value: `dict = load()`.
                NameBinding::Unbound if globals::is_global(name, language) => {}
                NameBinding::Import(import) => example.imports.push(import),
                // The reader provides the value, so the declaration is left out.
                NameBinding::Statement(statement) if names::only_declares(code, statement, name) => {
                    example.declared.push(name.into());
                }
                // Only the file has what a relative path loads: `const Page = lazy(() => import("./page"))`.
                NameBinding::Statement(statement) if loads_by_path(&code[statement.byte_range()]) => {
                    example.unbound.push(name.into());
                }
                NameBinding::Statement(statement) if lines_of(statement) <= MAX_BINDING_LINES => {
                    // `client = client.copy()` needs the value before.
                    let is_value = statement.kind() == "expression_statement";
                    if is_value && names::used(code, &[statement]).iter().any(|(used, _)| *used == name) {
                        example.given.push(name.into());
                    }
                    pieces.push(CodePiece::Whole(statement));
                    let guards = guards::guards(code, statement, piece.node(), name);
                    pieces.extend(guards.shown.into_iter().map(CodePiece::Whole));
                    example.unguarded += usize::from(guards.has_others);
                }
                NameBinding::Header(header) => {
                    if !pieces.iter().any(|piece| matches!(piece, CodePiece::Header(other) if *other == header)) {
                        pieces.push(CodePiece::Header(header));
                    }
                }
                // Another file cannot import what a function binds.
                NameBinding::Statement(statement) if !shape::is_of_module(statement) => {
                    example.given.push(name.into());
                }
                NameBinding::Given(_) => example.given.push(name.into()),
                // A type of the language.
                NameBinding::Unbound if is_type => {}
                NameBinding::Statement(_) | NameBinding::Unbound => example.unbound.push(name.into()),
            }
        }
    }
}

/// The lines of the pieces in the order of the file, and the number of those before the last piece. Pieces in the body
/// of a header are indented below it.
fn joined(code: &str, language: Language, mut pieces: Vec<CodePiece<'_>>) -> (Vec<String>, usize) {
    pieces.shared_sort_by_key(|piece| piece.node().start_byte());
    let headers: Vec<Node> = pieces
        .iter()
        .filter_map(|piece| if let CodePiece::Header(node) = piece { Some(*node) } else { None })
        .collect();
    let mut joined = Vec::new();
    let (mut last_end, mut before_last) = (0, 0);
    for piece in pieces {
        let node = piece.node();
        // A statement that binds two names is one piece.
        if node.end_byte() <= last_end {
            continue;
        }
        let is_around = |header: &&Node| {
            header.id() != node.id() && header.start_byte() <= node.start_byte() && node.end_byte() <= header.end_byte()
        };
        let depth = headers.iter().filter(is_around).count();
        let margin = " ".repeat(depth * INDENT);
        let lines = piece.lines(code, language);
        before_last = joined.len();
        joined.extend(lines.into_iter().map(|line| if line.is_empty() { line } else { format!("{margin}{line}") }));
        if !matches!(piece, CodePiece::Header(_)) {
            last_end = node.end_byte();
        }
    }
    (joined, before_last)
}

/// The statement that passes a callback, if a call is made on a parameter of the callback and the statement is short.
fn callback_statement<'t>(code: &str, call: Node<'t>) -> Option<Node<'t>> {
    let root = shape::root_of(call)?;
    let NameBinding::Given(Some(function)) = names::binding(code, shape::statement_of(call)?, &code[root.byte_range()])
    else {
        return None;
    };
    let passes = |node: Node| matches!(node.kind(), "arguments" | "argument_list" | "keyword_argument");
    let statement = function.parent().filter(|parent| passes(*parent)).and_then(shape::statement_of);
    statement.filter(|statement| lines_of(*statement) <= MAX_CALLBACK_LINES)
}

/// The pieces of several calls. Of a `with` or `for` statement whose body has other pieces, only the header is shown.
fn around_others<'t>(cores: Vec<CodePiece<'t>>) -> Vec<CodePiece<'t>> {
    let has_inside = |core: &CodePiece| {
        let body = core.node().child_by_field_name("body").filter(|_| shape::is_header(core.node()));
        let is_inside =
            |other: &CodePiece| body.is_some_and(|body| body.byte_range().contains(&other.node().start_byte()));
        cores.iter().any(is_inside)
    };
    let is_around: Vec<bool> = cores.iter().map(has_inside).collect();
    let shown =
        |(core, is_around): (CodePiece<'t>, bool)| if is_around { CodePiece::Header(core.node()) } else { core };
    cores.into_iter().zip(is_around).map(shown).collect()
}

/// The piece that shows a call: the definition that the call decorates, the short class whose body contains the call,
/// or the statement whose value is the call; else the call alone.
fn call_piece(call: Node, language: Language) -> Option<CodePiece> {
    let statement = shape::statement_of(call)?;
    let alone = alone(call);
    if let Some(definition) = decorated(call) {
        let body = definition.child_by_field_name("definition").and_then(|inner| inner.child_by_field_name("body"));
        return Some(match body.filter(|_| lines_of(definition) > MAX_STATEMENT_LINES) {
            Some(body) => CodePiece::WithoutBody(definition, body),
            None => CodePiece::Whole(definition),
        });
    }
    if let Some(class) = class_around(statement) {
        return Some(if lines_of(class) <= MAX_CLASS_LINES { CodePiece::Whole(class) } else { alone });
    }
    if shape::is_header(statement) {
        let body = statement.child_by_field_name("body").filter(|_| lines_of(statement) > MAX_BINDING_LINES);
        return Some(match body {
            Some(body) if language == Language::Python => CodePiece::WithoutBody(statement, body),
            Some(_) => alone,
            None => CodePiece::Whole(statement),
        });
    }
    // An assignment of TypeScript needs the declaration of its variable.
    let assigns = statement.named_child(0).is_some_and(|inner| inner.kind() == "assignment_expression");
    let is_value = shape::value_of(statement).is_some_and(|value| value.start_byte() == call.start_byte());
    let is_about = is_value && !assigns;
    Some(if is_about && lines_of(statement) <= MAX_STATEMENT_LINES { CodePiece::Whole(statement) } else { alone })
}

/// A call without the rest of its statement, and with the `await` before it. A long JSX element has no children.
fn alone(call: Node) -> CodePiece {
    if call.kind() == "jsx_element" && lines_of(call) > MAX_ELEMENT_LINES {
        return CodePiece::WithoutChildren(call);
    }
    let waits = call.parent().filter(|parent| matches!(parent.kind(), "await" | "await_expression"));
    CodePiece::Whole(waits.unwrap_or(call))
}

/// True if a comment keeps type checkers from reporting what is wrong with a piece of code: `# type: ignore` (PEP 484)
/// in its lines, `// @ts-expect-error` there or in the line before.
fn is_unchecked(code: &str, node: Node) -> bool {
    let line = code[..node.start_byte()].rfind('\n').unwrap_or_default();
    let before = code[..line].lines().next_back().unwrap_or_default();
    let end = code[node.end_byte()..].find('\n').map_or(code.len(), |at| node.end_byte() + at);
    let lines = &code[node.start_byte()..end];
    let has = |text: &str, mark: &str| text.contains(mark);
    ["type: ignore", "pyright: ignore"].iter().any(|mark| has(lines, mark))
        || ["@ts-expect-error", "@ts-ignore"].iter().any(|mark| has(lines, mark) || has(before, mark))
}

/// True if code loads a file by a path relative to its own file: `require('./a')`, `import("../a")`.
pub(super) fn loads_by_path(code: &str) -> bool {
    ["require(", "import("].iter().any(|load| {
        let mut after = code.match_indices(load).map(|(at, _)| code[at + load.len()..].trim_start());
        after.any(|path| ["'.", "\".", "`."].iter().any(|start| path.starts_with(start)))
    })
}

/// The decorated function or class, if the call is in one of its decorators.
fn decorated(call: Node) -> Option<Node> {
    let mut node = call;
    while node.kind() != "decorator" {
        node = node.parent().filter(|parent| !shape::is_block(*parent))?;
    }
    node.parent().filter(|parent| parent.kind() == "decorated_definition")
}

/// The class whose body a statement of Python stands in, with the decorators of the class.
fn class_around(statement: Node) -> Option<Node> {
    let class = statement.parent()?.parent().filter(|parent| parent.kind() == "class_definition")?;
    Some(class.parent().filter(|parent| parent.kind() == "decorated_definition").unwrap_or(class))
}

fn lines_of(node: Node) -> usize {
    node.end_position().row - node.start_position().row + 1
}

impl<'t> CodePiece<'t> {
    fn node(self) -> Node<'t> {
        match self {
            Self::Whole(node) | Self::Header(node) | Self::WithoutBody(node, _) | Self::WithoutChildren(node) => node,
        }
    }

    /// The nodes whose names the piece uses.
    fn nodes(self) -> Vec<Node<'t>> {
        let before = |node: Node<'t>, body: usize| {
            let mut cursor = node.walk();
            node.named_children(&mut cursor).filter(|child| child.end_byte() <= body).collect()
        };
        match self {
            Self::Whole(node) => vec![node],
            Self::Header(node) => {
                let body = node.child_by_field_name("body").map_or(node.end_byte(), |body| body.start_byte());
                before(node, body)
            }
            Self::WithoutBody(node, body) => {
                let mut nodes = before(node, body.start_byte());
                // Below decorators the definition, not the node, contains the body.
                let definition = body.parent().filter(|definition| *definition != node);
                nodes.extend(definition.map(|definition| before(definition, body.start_byte())).unwrap_or_default());
                nodes
            }
            Self::WithoutChildren(node) => node.child_by_field_name("open_tag").into_iter().collect(),
        }
    }

    /// The lines, without the indentation of the first one.
    fn lines(self, code: &str, language: Language) -> Vec<String> {
        let node = self.node();
        let end = match self {
            Self::Whole(_) => node.end_byte(),
            Self::Header(_) => node.child_by_field_name("body").map_or(node.end_byte(), |body| body.start_byte()),
            Self::WithoutBody(_, body) => body.start_byte(),
            Self::WithoutChildren(node) => {
                node.child_by_field_name("open_tag").map_or(node.end_byte(), |tag| tag.end_byte())
            }
        };
        let start = node.start_byte();
        let line_start = code[..start].rfind('\n').map_or(0, |at| at + 1);
        let line = &code[line_start..start];
        let indent = line.len() - line.trim_start().len();
        let dedented = |line: &str| {
            let white = line.len() - line.trim_start().len();
            line[white.min(indent)..].trim_end().to_owned()
        };
        let text = code[start..end].trim_end();
        let mut lines: Vec<String> = text
            .lines()
            .enumerate()
            .map(|(at, line)| if at == 0 { line.trim_end().to_owned() } else { dedented(line) })
            .collect();
        if let Self::WithoutBody(..) = self
            && language == Language::Python
        {
            lines.push(format!("{}...", " ".repeat(INDENT)));
        }
        if let Self::WithoutChildren(node) = self {
            lines.push(format!("{}{{{CHILDREN}}}", " ".repeat(INDENT)));
            lines.extend(node.child_by_field_name("close_tag").map(|tag| code[tag.byte_range()].to_owned()));
        }
        lines
    }
}
