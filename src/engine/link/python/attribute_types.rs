//! The types of attributes without annotation, as text that the source could write.
//!
//! Only types that are certain are written: the annotation of the assigned parameter, the class that is called, the
//! type of a literal, a class of the sources. Any other attribute has no type.

use compact_str::{CompactString, ToCompactString, format_compact};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::{
    analysis::FieldRef,
    linker::Linker,
    program::{ClassId, FileIndex, GlobalName},
    types::{Type, TypeId},
};
use apidisc_facts::syntax::python::facts::{BindingId, BindingKind, CallExprId, Expr, ExprId, Extraction};

/// The longest text of a type, in bytes.
const MAX_LENGTH: usize = 60;
/// The maximum number of steps from an attribute to the expressions that its value comes from.
const MAX_DEPTH: u32 = 6;
/// The maximum number of assignments of one attribute that are considered.
const MAX_ASSIGNMENTS: usize = 8;

/// The alternatives of a union in the order in which they were found.
pub(super) type Alternatives = SmallVec<[CompactString; 2]>;

impl Linker<'_> {
    /// The types of the attributes in `fields` that have neither annotation nor value.
    pub(super) fn attribute_types(
        &mut self,
        fields: &[Vec<FieldRef>],
    ) -> FxHashMap<(ClassId, GlobalName), CompactString> {
        let mut types = FxHashMap::default();
        for &field in fields.iter().flatten() {
            let facts = self.field(field);
            let is_installed = self.program.files[field.file.index()].is_installed;
            let Some(class) =
                field.class.filter(|_| !is_installed && facts.annotation.is_none() && facts.value.is_none())
            else {
                continue;
            };
            let name = self.program.global_name(field.file, facts.name);
            self.begin_query();
            if let Some(text) = self.assigned_type(class, name) {
                types.insert((class, name), text);
            }
        }
        types
    }

    /// The union of the types that the methods of a class assign to an attribute. `None` if one of them is not known,
    /// or if only `None` is assigned.
    fn assigned_type(&mut self, class: ClassId, name: GlobalName) -> Option<CompactString> {
        let file = self.program.class_facts(class).0;
        let assigned: SmallVec<[BindingId; 4]> = self.program.attribute_assigns(class, name).collect();
        if assigned.len() > MAX_ASSIGNMENTS {
            return None;
        }
        let mut alternatives = Alternatives::new();
        for binding in assigned {
            self.add_binding_text(file, binding, MAX_DEPTH, &mut alternatives)?;
        }
        let is_none = |text: &CompactString| text == "None";
        // `None` comes last, as in `str | None`.
        alternatives.sort_by_key(is_none);
        let is_known = alternatives.first().is_some_and(|first| !is_none(first));
        let text = alternatives.join(" | ");
        (is_known && text.len() <= MAX_LENGTH).then(|| text.into())
    }

    /// Adds the types that an expression certainly has. `None` if one is not known.
    pub(super) fn certain_type_texts(&mut self, file: FileIndex, expr: ExprId, found: &mut Alternatives) -> Option<()> {
        self.add_expr_text(file, expr, MAX_DEPTH, found)
    }

    /// Adds the type that a binding gives its name. `None` if it is not known.
    fn add_binding_text(
        &mut self,
        file: FileIndex,
        binding: BindingId,
        depth: u32,
        found: &mut Alternatives,
    ) -> Option<()> {
        let facts = self.program.facts(file);
        match &facts.bindings[binding.index()].kind {
            BindingKind::Assign { value: Some(value), annotation: None, unpack, extraction: Extraction::Value }
                if unpack.is_none() =>
            {
                self.add_expr_text(file, *value, depth, found)
            }
            BindingKind::Parameter(def, position) => {
                let function = facts.def(*def).function()?;
                let parameter = function.parameters.get(*position as usize)?;
                match &parameter.annotation {
                    // The value of `*args: T` is a tuple.
                    Some((_, text)) if !parameter.kind.is_variadic() && !text.is_empty() => {
                        union_parts(unquoted(text)).for_each(|part| add(found, part));
                    }
                    _ => return None,
                }
                Some(())
            }
            _ => {
                let ty = self.binding_type(file, binding);
                self.add_type_text(ty, found)
            }
        }
    }

    /// Adds the type of an expression. `None` if it is not known, or if no steps are left.
    fn add_expr_text(&mut self, file: FileIndex, expr: ExprId, depth: u32, found: &mut Alternatives) -> Option<()> {
        let _level = self.descend()?;
        let depth = depth.checked_sub(1)?;
        let facts = self.program.facts(file);
        match facts.expr(expr) {
            Expr::None => add(found, "None"),
            Expr::Bool => add(found, "bool"),
            Expr::Int => add(found, "int"),
            Expr::Float => add(found, "float"),
            Expr::Str(_) => add(found, "str"),
            Expr::Bytes => add(found, "bytes"),
            Expr::Tuple(_) => add(found, "tuple"),
            Expr::List(_) | Expr::ListComprehension(_) => add(found, "list"),
            Expr::Set(_) | Expr::SetComprehension(_) => add(found, "set"),
            Expr::Dict(_) | Expr::DictComprehension(..) => add(found, "dict"),
            Expr::Conditional(yes, no) => {
                self.add_expr_text(file, yes, depth, found)?;
                return self.add_expr_text(file, no, depth, found);
            }
            // `a or b` is `a` only if `a` is true, so it is not `None`.
            Expr::Boolean { is_or: true, left, right } => {
                let mut first = Alternatives::new();
                self.add_expr_text(file, left, depth, &mut first)?;
                first.iter().filter_map(|text| without_none(text)).for_each(|text| add(found, text));
                return self.add_expr_text(file, right, depth, found);
            }
            Expr::Name { reaching, .. } if !reaching.is_empty() => {
                for &binding in facts.reaching(reaching) {
                    self.add_binding_text(file, binding, depth, found)?;
                }
            }
            Expr::Call(site) => return self.add_call_text(file, expr, site, found),
            _ => {
                let ty = self.expr_type(file, expr);
                return self.add_type_text(ty, found);
            }
        }
        Some(())
    }

    /// Adds the type of a call: the class that is called, or the return annotation of the function.
    fn add_call_text(
        &mut self,
        file: FileIndex,
        call: ExprId,
        site: CallExprId,
        found: &mut Alternatives,
    ) -> Option<()> {
        let facts = self.program.facts(file);
        let callee = facts.calls[site.index()].callee;
        let ty = self.expr_type(file, callee);
        if let Type::ExternalName(_) = self.types.get(ty) {
            // By convention (PEP 8), only classes have names that begin with a capital letter.
            let text = self.dotted_text(file, callee)?;
            let last = text.rsplit('.').next().unwrap_or_default();
            let is_builtin =
                matches!(last, "str" | "int" | "float" | "bool" | "bytes" | "list" | "dict" | "set" | "tuple");
            if is_builtin || last.starts_with(char::is_uppercase) && last.contains(char::is_lowercase) {
                add(found, &text);
                return Some(());
            }
            return None;
        }
        let ty = self.expr_type(file, call);
        self.add_type_text(ty, found)
    }

    /// The text of a name or of an attribute of a name.
    fn dotted_text(&self, file: FileIndex, expr: ExprId) -> Option<CompactString> {
        let facts = self.program.facts(file);
        match facts.expr(expr) {
            Expr::Name { name, .. } => Some(facts.name(name).into()),
            Expr::Attribute { value, name, .. } => {
                let value = match facts.expr(value) {
                    Expr::Name { name, .. } => facts.name(name),
                    _ => return None,
                };
                Some(format_compact!("{value}.{}", facts.name(name)))
            }
            _ => None,
        }
    }

    /// Adds an inferred type. `None` if it is not known, or if its name is not certain. Types from outside the sources
    /// are left out, except types of literals, because inference represents some classes by others (`deque` by `list`).
    fn add_type_text(&mut self, ty: TypeId, found: &mut Alternatives) -> Option<()> {
        let parts = self.types.parts(ty);
        for &part in parts.iter() {
            match self.types.get(part) {
                Type::None => add(found, "None"),
                Type::Instance(class, _) => add(found, self.program.name_of(self.program.class_def(*class))),
                Type::Class(class, _) => {
                    let name = self.program.name_of(self.program.class_def(*class));
                    add(found, &format_compact!("type[{name}]"));
                }
                Type::ExternalInstance(path, _) => match self.program.interner.text(*path) {
                    text @ ("str" | "int" | "float" | "bool" | "bytes") => {
                        let text = text.to_compact_string();
                        add(found, &text);
                    }
                    _ => return None,
                },
                _ => return None,
            }
        }
        Some(())
    }
}

/// The annotation without the quotes of a forward reference.
fn unquoted(text: &str) -> &str {
    let inner = |quote: char| text.strip_prefix(quote)?.strip_suffix(quote).filter(|inner| !inner.contains(quote));
    inner('"').or_else(|| inner('\'')).unwrap_or(text)
}

/// The parts of a union that is written with `|`. A text with quotes is one part.
fn union_parts(text: &str) -> impl Iterator<Item = &str> {
    let (is_quoted, mut depth) = (text.contains(['"', '\'']), 0_usize);
    let is_bar = move |c: char| {
        match c {
            '[' | '(' => depth += 1,
            ']' | ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        c == '|' && depth == 0 && !is_quoted
    };
    text.split(is_bar).map(str::trim)
}

/// Adds an alternative that is not yet known.
fn add(found: &mut Alternatives, text: &str) {
    if found.iter().all(|known| known != text) {
        found.push(text.into());
    }
}

/// The type without `None`, which may be a part of it: `str` for `str | None` and `Optional[str]`. `None` if nothing is
/// left.
fn without_none(text: &str) -> Option<&str> {
    let optional = text.strip_prefix("Optional[").or_else(|| text.strip_prefix("typing.Optional["));
    if let Some(inner) = optional.and_then(|inner| inner.strip_suffix(']'))
        && !inner.contains('[')
    {
        return Some(inner);
    }
    let text = text.strip_suffix("| None").unwrap_or(text).trim_end();
    (text != "None").then_some(text)
}
