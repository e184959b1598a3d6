//! The text of a type while it is written: what it names, and how its parts are joined.

use compact_str::{CompactString, format_compact};
use smallvec::SmallVec;

use super::Describer;
use crate::linked::DefinitionRow;
use crate::typescript::program::{FileIndex, GlobalDef};
use apidisc_base::sort::SharedSort as _;
use apidisc_facts::syntax::typescript::facts::SymbolId;

/// The greatest number of expressions and type nodes that are visited for the type of one value, and for an annotation.
const MAX_STEPS: u32 = 48;
const MAX_STEPS_OF_ANNOTATION: u32 = 400;
/// The greatest number of constituents of a union type.
pub(super) const MAX_CONSTITUENTS: usize = 6;

/// The constituents of a union type, as TypeScript writes them.
pub(super) type Constituents = SmallVec<[CompactString; 2]>;

/// What the text of a type names, and the rules by which it is written.
#[derive(Default)]
pub(super) struct WrittenType {
    /// The function whose type parameters the text can name; `None` for the value of a constant.
    pub(super) function: Option<GlobalDef>,
    /// The types of the sources.
    pub(super) names: Vec<(CompactString, DefinitionRow)>,
    /// The global types of the platform.
    globals: Vec<CompactString>,
    /// The types that imports bring in from outside of the sources, each with the symbol of its first part.
    outside: Vec<(CompactString, FileIndex, SymbolId)>,
    /// Whether an object type or function type can be the whole text. The members of an object that a function returns
    /// are described one by one: see [`apidisc_facts::program::ReturnedObject`].
    pub(super) holds_objects: bool,
    /// Whether the text replaces the annotation in which the type node stands: the type parameters, `this`, `any` and
    /// the names of values keep their meaning there.
    pub(super) is_annotation: bool,
    /// Whether a part of an annotation differs from what the sources write.
    pub(super) is_replaced: bool,
    steps: u32,
    max_steps: u32,
}

/// A number of names; see [`WrittenType::forget`].
#[derive(Clone, Copy, Debug)]
pub(super) struct Named {
    names: usize,
    globals: usize,
    outside: usize,
}

impl WrittenType {
    pub(super) fn new(function: Option<GlobalDef>) -> Self {
        Self { function, max_steps: MAX_STEPS, ..Self::default() }
    }

    /// The type of a value, which can be an object.
    pub(super) fn of_value(function: Option<GlobalDef>) -> Self {
        Self { holds_objects: true, ..Self::new(function) }
    }

    /// The text of an annotation.
    pub(super) fn of_annotation() -> Self {
        Self { is_annotation: true, holds_objects: true, max_steps: MAX_STEPS_OF_ANNOTATION, ..Self::default() }
    }

    /// Counts a step. Returns false if no step is left.
    pub(super) fn step(&mut self) -> bool {
        self.steps += 1;
        self.steps <= self.max_steps
    }

    pub(super) fn add_global(&mut self, name: CompactString) {
        self.globals.push(name);
    }

    pub(super) fn add_outside(&mut self, name: CompactString, file: FileIndex, symbol: SymbolId) {
        self.outside.push((name, file, symbol));
    }

    /// `JSX.Element`
    pub(super) fn jsx_element(&mut self) -> CompactString {
        self.add_global(CompactString::const_new("JSX.Element"));
        CompactString::const_new("JSX.Element")
    }

    /// The number of names so far.
    pub(super) fn named(&self) -> Named {
        Named { names: self.names.len(), globals: self.globals.len(), outside: self.outside.len() }
    }

    /// Forgets the names of a part that is not written.
    pub(super) fn forget(&mut self, before: Named) {
        self.names.truncate(before.names);
        self.globals.truncate(before.globals);
        self.outside.truncate(before.outside);
    }
}

impl Describer<'_, '_> {
    /// The text of a type, if it is short enough and each of its names denotes the same type in all texts of the
    /// definition. The types that it names are added to those of the definition.
    pub(super) fn finish_text(
        &mut self,
        text: WrittenType,
        written: CompactString,
        longest: usize,
    ) -> Option<CompactString> {
        let WrittenType { names, globals, outside, .. } = text;
        let known = self.names.all.len();
        let known_outside = self.names.without_row.len();
        let mut fits = written.len() <= longest;
        for (name, row) in names {
            fits &= self.names.all.iter().all(|(known, known_row)| *known != name || *known_row == Some(row));
            self.names.all.push((name, Some(row)));
        }
        fits &= globals.iter().all(|name| self.names.all.iter().all(|(known, _)| known != name));
        for (name, file, symbol) in outside {
            fits &= self.names.all.iter().all(|(known, known_row)| *known != name || known_row.is_none());
            let root: CompactString = name.split('.').next().unwrap_or_default().into();
            fits &= self.is_same_import(&root, file, symbol);
            self.names.all.push((name, None));
            self.names.without_row.push((root, file, symbol));
        }
        if !fits {
            self.names.all.truncate(known);
            self.names.without_row.truncate(known_outside);
        }
        fits.then_some(written)
    }

    /// Whether a name that the texts of the definition already import comes from the same module as this one.
    fn is_same_import(&mut self, root: &CompactString, file: FileIndex, symbol: SymbolId) -> bool {
        let others = self.names.without_row.iter().filter(|(known, ..)| known == root);
        let others: SmallVec<[(FileIndex, SymbolId); 2]> = others.map(|(_, file, symbol)| (*file, *symbol)).collect();
        let mut others = others.into_iter().filter(|other| *other != (file, symbol)).peekable();
        if others.peek().is_none() {
            return true;
        }
        let source = self.import_source(file, symbol);
        others.all(|(file, symbol)| self.import_source(file, symbol) == source)
    }
}

/// The literal type of a short plain string, else `string`.
pub(super) fn string_type(literal: Option<&str>) -> CompactString {
    let is_plain =
        |text: &&str| text.len() <= 32 && text.bytes().all(|b| b.is_ascii_alphanumeric() || b" -_./:#+".contains(&b));
    literal.filter(is_plain).map_or_else(|| "string".into(), |text| format_compact!("\"{text}\""))
}

pub(super) fn is_nullish(part: &str) -> bool {
    matches!(part, "null" | "undefined" | "void")
}

/// `T` for `Promise<T>`, any other type as it is.
pub(super) fn awaited(part: &str) -> &str {
    part.strip_prefix("Promise<").and_then(|inner| inner.strip_suffix('>')).unwrap_or(part)
}

/// `name<A, B>`
pub(super) fn with_arguments(name: &str, arguments: &[CompactString]) -> CompactString {
    if arguments.is_empty() { name.into() } else { format_compact!("{name}<{}>", arguments.join(", ")) }
}

/// The type of an array whose elements have this type.
pub(super) fn array_of(element: &str) -> CompactString {
    let is_operator =
        ["keyof ", "typeof ", "readonly ", "unique ", "new "].iter().any(|word| element.starts_with(word));
    let is_compound = is_operator || has_outside_of_brackets(element, &["|", "&", "=>", "extends"]);
    if is_compound { format_compact!("({element})[]") } else { format_compact!("{element}[]") }
}

/// The text of an intersection type.
pub(super) fn intersection_of(parts: &[CompactString]) -> CompactString {
    let part = |part: &CompactString| {
        let is_compound = has_outside_of_brackets(part, &["|", "=>", "extends"]);
        if is_compound { format!("({part})") } else { part.to_string() }
    };
    parts.iter().map(part).collect::<Vec<_>>().join(" & ").into()
}

/// Whether one of these signs and words stands in a text outside of all brackets and string literals.
fn has_outside_of_brackets(text: &str, signs: &[&str]) -> bool {
    let mut depth = 0_i32;
    let mut in_string = false;
    for word in text.split(' ') {
        if depth == 0 && !in_string && signs.contains(&word) {
            return true;
        }
        let mut before = ' ';
        for c in word.chars() {
            match c {
                // Literals with quotes or backslashes inside are not written.
                '"' => in_string = !in_string,
                _ if in_string => {}
                '(' | '[' | '{' | '<' => depth += 1,
                '>' if before == '=' => {}
                ')' | ']' | '}' | '>' => depth -= 1,
                _ => {}
            }
            before = c;
        }
    }
    false
}

/// The type of a variable or field that is assigned values of these types.
pub(super) fn widened(parts: Constituents) -> Constituents {
    let wide = |part: CompactString| match part.as_str() {
        "true" | "false" => "boolean".into(),
        text if text.starts_with('"') && text.ends_with('"') => "string".into(),
        _ => part,
    };
    parts.into_iter().map(wide).collect()
}

/// The text of a union type. A literal type that is the whole type is widened, as the compiler does.
pub(super) fn joined(parts: Constituents) -> Option<CompactString> {
    let unique = distinct(parts);
    match &unique[..] {
        [only] if only.starts_with('"') && only.ends_with('"') => Some("string".into()),
        [only] if only == "true" || only == "false" => Some("boolean".into()),
        [only] if only == "null" || only == "undefined" => None,
        all if all.len() > MAX_CONSTITUENTS => None,
        _ => union_of(&unique),
    }
}

/// The text of a union type of declared types.
pub(super) fn union_text(parts: Constituents) -> Option<CompactString> {
    union_of(&distinct(parts))
}

fn union_of(parts: &[CompactString]) -> Option<CompactString> {
    let part = |part: &CompactString| {
        let is_compound = has_outside_of_brackets(part, &["=>", "extends"]);
        if is_compound { format!("({part})") } else { part.to_string() }
    };
    match parts {
        [] => None,
        [only] => Some(only.clone()),
        all => Some(all.iter().map(part).collect::<Vec<_>>().join(" | ").into()),
    }
}

/// The constituents without those that others include; `null` and `undefined` come last, as people write them.
fn distinct(mut parts: Constituents) -> Constituents {
    let has = |parts: &Constituents, text: &str| parts.iter().any(|part| part == text);
    if has(&parts, "any") {
        parts.retain(|part| part == "any");
    }
    if has(&parts, "true") && has(&parts, "false") {
        parts.push("boolean".into());
    }
    if has(&parts, "boolean") {
        parts.retain(|part| part != "true" && part != "false");
    }
    if has(&parts, "string") {
        parts.retain(|part| !(part.starts_with('"') && part.ends_with('"')));
    }
    let mut unique = Constituents::new();
    parts.into_iter().for_each(|part| {
        if !unique.contains(&part) {
            unique.push(part);
        }
    });
    unique.shared_sort_by_key(|part| is_nullish(part));
    unique
}
