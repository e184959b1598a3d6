//! Rest parameters of tuple type: the elements of the tuple are parameters with the labels of the elements, as the
//! compiler shows them. `(...a: [x: number, y?: string])` is `(x: number, y?: string)`.

use arcstr::ArcStr;
use compact_str::{CompactString, format_compact};

use super::Describer;
use crate::linked::LinkedParameter;
use crate::typescript::{infer::ResolvedName, program::FileIndex};
use apidisc_base::nesting;
use apidisc_facts::{
    program::ParameterKind,
    syntax::typescript::facts::{DefBody, Function, Param, TypeId, TypeNode},
};

impl Describer<'_, '_> {
    /// The parameters that a rest parameter of tuple type stands for; `None` for any other parameter, and for a tuple
    /// with a rest element before others.
    pub(super) fn parameters_of_rest(&mut self, file: FileIndex, param: &Param) -> Option<Vec<LinkedParameter>> {
        let (ty, text) = param.annotation.as_ref().filter(|_| param.is_rest)?;
        let name = self.linker.program.facts(file).name(param.name?).to_owned();
        let (file, ty, text) = self.written_tuple(file, *ty, text)?;
        let facts = self.linker.program.facts(file);
        let TypeNode::Tuple(elements) = facts.ty(ty) else { return None };
        let texts = element_texts(&text).filter(|texts| texts.len() == elements.len());
        let last = elements.len().checked_sub(1)?;
        let mut parameters = Vec::with_capacity(elements.len());
        for (at, element) in elements.iter().enumerate() {
            if element.is_rest && at != last {
                return None;
            }
            let label = element.label.map(|label| CompactString::new(facts.name(label)));
            parameters.push(LinkedParameter {
                // The compiler numbers the elements without a label.
                name: label.unwrap_or_else(|| format_compact!("{name}_{at}")),
                kind: if element.is_rest { ParameterKind::VarPositional } else { ParameterKind::PositionalOnly },
                annotation: texts.as_ref().map(|texts| ArcStr::from(texts[at])),
                meaning: None,
                default: None,
                required: !element.is_optional && !element.is_rest,
                within: None,
                summary: None,
            });
        }
        Some(parameters)
    }

    /// The only parameter of a function as it is written, `...args`, if it stands for the elements of a tuple.
    pub(super) fn tuple_of_arguments(&mut self, file: FileIndex, function: &Function) -> Option<ArcStr> {
        let [only] = &function.params[..] else { return None };
        self.parameters_of_rest(file, only)?;
        Some(arcstr::format!("...{}", self.linker.program.facts(file).name(only.name?)))
    }

    /// The tuple type that a type node is or names, with the file that writes it and its text.
    pub(super) fn written_tuple(
        &mut self,
        file: FileIndex,
        ty: TypeId,
        text: &str,
    ) -> Option<(FileIndex, TypeId, CompactString)> {
        let _level = nesting::descend()?;
        let facts = self.linker.program.facts(file);
        match facts.ty(ty) {
            TypeNode::Tuple(_) => Some((file, ty, text.into())),
            TypeNode::Operator(inner) => {
                self.written_tuple(file, *inner, text.strip_prefix("readonly").map_or(text, str::trim_start))
            }
            TypeNode::Ref { symbol: Some(symbol), path, args, .. }
                if path.len() == 1 && facts.type_list(*args).is_empty() =>
            {
                let ResolvedName::Symbol(symbol) = self.linker.resolve_symbol(file, *symbol) else { return None };
                let alias = self.linker.program.definitions(symbol).into_iter().find_map(|def| {
                    let file = self.linker.program.file_of(def);
                    match &self.linker.program.def(def).body {
                        DefBody::TypeAlias(alias) if alias.type_params.is_empty() => Some((file, &**alias)),
                        _ => None,
                    }
                });
                let (file, alias) = alias?;
                self.written_tuple(file, alias.ty, &alias.text)
            }
            _ => None,
        }
    }
}

/// The texts of the types of a tuple's elements, without labels, `?` and `...`; `None` if the text is no tuple.
fn element_texts(tuple: &str) -> Option<Vec<&str>> {
    let inner = tuple.trim().strip_prefix('[')?.strip_suffix(']')?;
    let mut elements = Vec::new();
    let (mut depth, mut start, mut label_end) = (0_i32, 0, None);
    let mut quote = None;
    let bytes = inner.as_bytes();
    let mut add = |start: usize, end: usize, label_end: &mut Option<usize>| {
        let element = inner[label_end.take().unwrap_or(start)..end].trim();
        let element = element.strip_prefix("...").unwrap_or(element);
        elements.push(element.strip_suffix('?').unwrap_or(element));
    };
    for (at, &byte) in bytes.iter().enumerate() {
        match (quote, byte) {
            (Some(open), _) => quote = Some(open).filter(|open| *open != byte || bytes[at - 1] == b'\\'),
            (None, b'"' | b'\'' | b'`') => quote = Some(byte),
            (None, b'(' | b'[' | b'{' | b'<') => depth += 1,
            (None, b')' | b']' | b'}') => depth -= 1,
            (None, b'>') if at == 0 || bytes[at - 1] != b'=' => depth -= 1,
            (None, b',') if depth == 0 => {
                add(start, at, &mut label_end);
                start = at + 1;
            }
            (None, b':') if depth == 0 && label_end.is_none() && is_label(&inner[start..at]) => {
                label_end = Some(at + 1);
            }
            _ => {}
        }
    }
    if !inner[start..].trim().is_empty() {
        add(start, inner.len(), &mut label_end);
    }
    Some(elements)
}

/// Whether a text is the label of a tuple's element, such as `...rest` or `name?`.
fn is_label(text: &str) -> bool {
    let name = text.trim();
    let name = name.strip_prefix("...").unwrap_or(name);
    let name = name.strip_suffix('?').unwrap_or(name);
    !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '$'))
}

#[cfg(test)]
mod tests {
    use super::element_texts;

    #[test]
    fn the_texts_of_elements_have_no_labels() {
        let texts = |tuple| element_texts(tuple).unwrap_or_default();
        assert_eq!(texts("[x: number, y?: string, ...rest: A[]]"), ["number", "string", "A[]"]);
        assert_eq!(texts("[number, string?, ...A[],]"), ["number", "string", "A[]"]);
        assert_eq!(texts("[f: (a: 1, b: 2) => void, o: { a: 1, b: 2 }]"), ["(a: 1, b: 2) => void", "{ a: 1, b: 2 }"]);
        assert_eq!(texts("[Map<string, ',]'>, \"a,b\"]"), ["Map<string, ',]'>", "\"a,b\""]);
        assert_eq!(texts("[]"), [""; 0]);
        assert_eq!(element_texts("A[]"), None);
    }
}
