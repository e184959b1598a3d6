//! Items of list, tuple and dict literals by a constant index: `handlers["open"]`, `pair[0]`.
//!
//! A literal is followed through names, slices, items of other literals, and parameters to which all calls pass the
//! same literal.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::{
    linker::Linker,
    names::MODULE,
    program::{FileIndex, GlobalName},
    types::{Type, TypeId},
};
use apidisc_base::nesting;
use apidisc_facts::syntax::python::facts::{BindingId, BindingKind, Expr, ExprId, Extraction, NameId, ScopeId};

/// The greatest number of names, slices and indices between the read of an item and the literal that contains the item.
const MAX_STEPS: u32 = 8;

/// A dict literal with more keys and values is looked up in a table.
const MANY_ITEMS: usize = 64;

/// The greatest number of values of a dict literal among which a function or class is looked for.
const MAX_VALUES: usize = 256;

/// A key of a dict literal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum DictKey {
    Text(GlobalName),
    Number(i16),
}

/// The items of a dict literal by key.
pub(super) type DictTable = FxHashMap<DictKey, ExprId>;

/// A literal: its file, and its items.
#[derive(Clone, Copy, Debug)]
pub(super) struct Literal<'f> {
    file: FileIndex,
    items: LiteralItems<'f>,
}

#[derive(Clone, Copy, Debug)]
enum LiteralItems<'f> {
    /// The items of a list or tuple, or of a slice of a list or tuple.
    Sequence(&'f [ExprId]),
    /// Keys and values in alternation.
    Dict(&'f [ExprId]),
}

impl<'f> Linker<'f> {
    /// The type of `value[index]`, if `value` is or names a literal and no assignment of the scope changes the item.
    /// Unknown if a dict of functions or classes lacks the key: the value of another key is never the result.
    pub(super) fn literal_item(&mut self, file: FileIndex, value: ExprId, index: ExprId) -> Option<TypeId> {
        let literal = self.literal(file, value, MAX_STEPS)?;
        match self.item(literal, file, index) {
            Some(item) => self.known_item(literal.file, item),
            None => match (literal.items, self.constant(file, index).1) {
                (LiteralItems::Dict(pairs), Expr::Str(Some(_)) | Expr::Position(_)) => {
                    self.has_callable(literal.file, pairs).then_some(TypeId::UNKNOWN)
                }
                _ => None,
            },
        }
    }

    /// The item of a literal at a constant index, which is an expression of `file`.
    fn item(&mut self, literal: Literal<'f>, file: FileIndex, index: ExprId) -> Option<ExprId> {
        let (file, constant) = self.constant(file, index);
        match (literal.items, constant) {
            (LiteralItems::Sequence(items), Expr::Position(at)) => items.get(position(at, items.len())?).copied(),
            (LiteralItems::Dict(pairs), key) => {
                let key = self.dict_key((file, key))?;
                if pairs.len() > MANY_ITEMS {
                    return self.dict_table(literal.file, pairs).get(&key).copied();
                }
                let is_key = |pair: &&[ExprId]| self.dict_key(self.constant(literal.file, pair[0])) == Some(key);
                pairs.chunks_exact(2).rev().find(is_key).map(|pair| pair[1])
            }
            _ => None,
        }
    }

    /// The key that a constant is in a dict; `None` for another expression.
    fn dict_key(&self, (file, constant): (FileIndex, Expr)) -> Option<DictKey> {
        match constant {
            Expr::Str(Some(text)) => Some(DictKey::Text(self.program.global_name(file, text))),
            Expr::Position(number) => Some(DictKey::Number(number)),
            _ => None,
        }
    }

    /// The items of a dict literal of `file` by key, without those whose keys are no constants.
    fn dict_table(&mut self, file: FileIndex, pairs: &[ExprId]) -> Arc<DictTable> {
        let Some(&first) = pairs.first() else { return Arc::default() };
        if let Some(table) = self.dict_tables.get(&(file, first)) {
            return Arc::clone(table);
        }
        let item = |pair: &[ExprId]| Some((self.dict_key(self.constant(file, pair[0]))?, pair[1]));
        let table: Arc<DictTable> = Arc::new(pairs.chunks_exact(2).filter_map(item).collect());
        self.dict_tables.insert((file, first), Arc::clone(&table));
        table
    }

    /// The constant that a key or index has, with the file that contains it: the expression itself, or the string or
    /// integer that a name is bound to. The name must have one binding that reaches the read, or one in the innermost
    /// scope that binds it; the binding may be an import.
    fn constant(&self, file: FileIndex, expr: ExprId) -> (FileIndex, Expr) {
        let facts = self.program.facts(file);
        let literal = (file, facts.expr(expr));
        let Expr::Name { name, scope, reaching } = facts.expr(expr) else { return literal };
        let bindings = match facts.reaching(reaching) {
            [] => facts.scopes_binding(scope, name).next().map_or(&[][..], |(_, bindings)| bindings),
            reaching => reaching,
        };
        let &[only] = bindings else { return literal };
        self.assigned_literal(file, only, MAX_STEPS).unwrap_or(literal)
    }

    /// The string or integer that a binding assigns or imports, with the file that contains the literal.
    fn assigned_literal(&self, file: FileIndex, binding: BindingId, steps: u32) -> Option<(FileIndex, Expr)> {
        let _level = nesting::descend()?;
        let steps = steps.checked_sub(1)?;
        let facts = self.program.facts(file);
        if let BindingKind::ImportFrom { level, module, name } = facts.bindings[binding.index()].kind {
            let module = self.imported_module(file, level, module)?;
            let module = self.program.modules.get(module).file?;
            let imported = self.program.global_name(file, name);
            let &[only] = self.program.bindings(module, ScopeId::new(MODULE), imported) else { return None };
            return self.assigned_literal(module, only, steps);
        }
        facts.literal_of(binding).map(|literal| (file, facts.expr(literal)))
    }

    /// The type of an item. `None` if the type is unknown, and if the item is Python's `None`, which is often a
    /// placeholder for a value that is assigned later.
    fn known_item(&mut self, file: FileIndex, item: ExprId) -> Option<TypeId> {
        let ty = self.expr_type(file, item);
        (!ty.is_unknown() && ty != TypeId::NONE).then_some(ty)
    }

    /// True if one of the first values of a dict literal is a function or class of the sources.
    fn has_callable(&mut self, file: FileIndex, pairs: &[ExprId]) -> bool {
        pairs.iter().skip(1).step_by(2).take(MAX_VALUES).any(|&value| {
            let ty = self.expr_type(file, value);
            matches!(self.types.get(ty), Type::Function(_) | Type::Class(..))
        })
    }

    /// The literal that an expression is or refers to.
    fn literal(&mut self, file: FileIndex, expr: ExprId, steps: u32) -> Option<Literal<'f>> {
        let _level = nesting::descend()?;
        let steps = steps.checked_sub(1)?;
        let facts = self.program.facts(file);
        let items = match facts.expr(expr) {
            Expr::List(list) | Expr::Tuple(list) => {
                let items = facts.list(list);
                let has_star = items.iter().any(|&item| matches!(facts.expr(item), Expr::Starred(_)));
                if has_star {
                    return None;
                }
                LiteralItems::Sequence(items)
            }
            Expr::Dict(list) => LiteralItems::Dict(facts.list(list)),
            Expr::Name { name, scope, reaching } => {
                return self.named_literal(file, (name, scope), facts.reaching(reaching), steps);
            }
            Expr::Subscript { value, index, reaching } if reaching.is_empty() => {
                let literal = self.literal(file, value, steps)?;
                if let (LiteralItems::Sequence(items), Expr::Range(start, stop)) = (literal.items, facts.expr(index)) {
                    let items = LiteralItems::Sequence(&items[range(start, stop, items.len())]);
                    return Some(Literal { items, ..literal });
                }
                let item = self.item(literal, file, index)?;
                return self.literal(literal.file, item, steps);
            }
            _ => return None,
        };
        Some(Literal { file, items })
    }

    /// The literal that a name refers to: the value of the only binding that reaches the read, or of the only binding
    /// in the module.
    fn named_literal(
        &mut self,
        file: FileIndex,
        (name, scope): (NameId, ScopeId),
        reaching: &[BindingId],
        steps: u32,
    ) -> Option<Literal<'f>> {
        let facts = self.program.facts(file);
        let bindings = match reaching {
            [] if facts.bindings_of(scope, name).is_empty() => facts.bindings_of(ScopeId::new(MODULE), name),
            reaching => reaching,
        };
        let &[binding] = bindings else { return None };
        match &facts.bindings[binding.index()].kind {
            BindingKind::Assign { value: Some(value), annotation: None, unpack, extraction: Extraction::Value }
                if unpack.is_none() =>
            {
                self.literal(file, *value, steps)
            }
            BindingKind::Parameter(def, position) => {
                let parameter = (self.program.global_def(file, *def), *position as usize);
                let &(file, literal) = self.passed_literals.get(&parameter)?;
                self.literal(file, literal, steps)
            }
            _ => None,
        }
    }

    /// The dict literal that an argument is or names. A named dict counts only if no code of the scope assigns its
    /// items.
    pub(super) fn argument_literal(&self, file: FileIndex, argument: ExprId) -> Option<(FileIndex, ExprId)> {
        let facts = self.program.facts(file);
        match facts.expr(argument) {
            Expr::Dict(_) => Some((file, argument)),
            Expr::Name { name, scope, reaching } => {
                let &[binding] = facts.reaching(reaching) else { return None };
                let kind = &facts.bindings[binding.index()].kind;
                let BindingKind::Assign { value: Some(value), annotation: None, unpack, extraction } = kind else {
                    return None;
                };
                if *extraction != Extraction::Value {
                    return None;
                }
                let is_item = |binding: &BindingId| {
                    let path = facts.name(facts.bindings[binding.index()].name);
                    path.strip_prefix(facts.name(name)).is_some_and(|rest| rest.starts_with(".["))
                };
                let is_dict = unpack.is_none() && matches!(facts.expr(*value), Expr::Dict(_));
                (is_dict && !facts.bindings_in(scope).iter().any(is_item)).then_some((file, *value))
            }
            _ => None,
        }
    }
}

/// The position of an index in a sequence; a negative index counts from the end.
pub(super) fn position(at: i16, len: usize) -> Option<usize> {
    if at < 0 { len.checked_sub(usize::from(at.unsigned_abs())) } else { Some(usize::from(at.unsigned_abs())) }
}

/// The positions that a slice takes of a sequence.
pub(super) fn range(start: Option<i16>, stop: Option<i16>, len: usize) -> std::ops::Range<usize> {
    let bound = |at: i16| position(at, len).unwrap_or(0).min(len);
    let start = start.map_or(0, bound);
    start..stop.map_or(len, bound).max(start)
}
