//! Type inference of expressions.

use super::{
    linker::Linker,
    program::FileIndex,
    types::{Type, TypeId},
};
use apidisc_facts::syntax::python::facts::{Expr, ExprId};

impl Linker<'_> {
    /// The type of an expression's value.
    pub(crate) fn expr_type(&mut self, file: FileIndex, expr: ExprId) -> TypeId {
        self.memoized(|this| &mut this.expr_types[file.index()][expr.index()], |this| this.infer_expr(file, expr))
    }

    fn infer_expr(&mut self, file: FileIndex, expr: ExprId) -> TypeId {
        let facts = self.program.facts(file);
        match facts.expr(expr) {
            Expr::Unknown => TypeId::UNKNOWN,
            Expr::Slice | Expr::Range(..) => self.external_instance("slice", &[]),
            Expr::Ellipsis => TypeId::EXTERNAL,
            Expr::None => TypeId::NONE,
            Expr::Bool => self.external_instance("bool", &[]),
            Expr::Int => self.external_instance("int", &[]),
            Expr::Float => self.external_instance("float", &[]),
            Expr::Str(_) => self.external_instance("str", &[]),
            Expr::Bytes => self.external_instance("bytes", &[]),
            Expr::Name { name, scope, reaching } => {
                if reaching.is_empty() {
                    self.lookup_name(file, scope, name)
                } else {
                    let bindings = facts.reaching(reaching);
                    if let Some(starred) = self.starred_over(file, bindings, Some(expr)) {
                        return starred;
                    }
                    if let [one] = bindings {
                        self.binding_type(file, *one)
                    } else {
                        let parts: Vec<TypeId> = bindings.iter().map(|&b| self.binding_type(file, b)).collect();
                        self.types.union(parts)
                    }
                }
            }
            Expr::Attribute { value, name, reaching } => {
                if !reaching.is_empty() {
                    let parts: Vec<TypeId> =
                        facts.reaching(reaching).iter().map(|&b| self.binding_type(file, b)).collect();
                    let reaching_type = self.types.union(parts);
                    if !reaching_type.is_unknown() && !self.has_unknown_items(reaching_type) {
                        return reaching_type;
                    }
                    let receiver = self.expr_type(file, value);
                    let global_name = self.program.global_name(file, name);
                    let declared = self.attribute_type(receiver, global_name);
                    // The items of an empty container (`self.items = []`) have the type of the items of the attribute.
                    let is_declared = reaching_type.is_unknown() || self.is_same_container(declared, reaching_type);
                    return if is_declared { declared } else { reaching_type };
                }
                if facts.name(name) == "param"
                    && let Some(param) = self.fixture_parameter(file, value)
                {
                    return param;
                }
                let receiver = self.expr_type(file, value);
                if let Some(value) = self.enum_value_type(file, value, facts.name(name), receiver) {
                    return value;
                }
                let global_name = self.program.global_name(file, name);
                self.attribute_type(receiver, global_name)
            }
            Expr::Call(site) => self.call_expr_type(file, site),
            Expr::Position(_) => self.external_instance("int", &[]),
            Expr::Subscript { value, index, reaching } => {
                if reaching.is_empty() {
                    if let Some(item) = self.literal_item(file, value, index) {
                        return item;
                    }
                } else {
                    let parts: Vec<TypeId> =
                        facts.reaching(reaching).iter().map(|&b| self.binding_type(file, b)).collect();
                    let reaching_type = self.types.union(parts);
                    if !reaching_type.is_unknown() {
                        return reaching_type;
                    }
                }
                self.subscript_type(file, value, index)
            }
            Expr::Tuple(list) => {
                let items: Vec<TypeId> = facts.list(list).iter().map(|&e| self.expr_type(file, e)).collect();
                let starred = facts.list(list).iter().any(|&e| matches!(facts.expr(e), Expr::Starred(_)));
                if starred {
                    let item = self.types.union(items);
                    self.external_instance("tuple", &[item])
                } else {
                    self.types.add(Type::Tuple(items.into()))
                }
            }
            Expr::List(list) => self.collection_type("list", file, facts.list(list)),
            Expr::Set(list) => self.collection_type("set", file, facts.list(list)),
            Expr::Dict(list) => {
                let items = facts.list(list);
                let mut keys: Vec<TypeId> =
                    items.iter().step_by(2).take(32).map(|&e| self.expr_type(file, e)).collect();
                let mut values: Vec<TypeId> =
                    items.iter().skip(1).step_by(2).take(32).map(|&e| self.expr_type(file, e)).collect();
                for &spread in facts.spreads_of(expr).unwrap_or_default().iter().take(32) {
                    let spread = self.expr_type(file, spread);
                    if let Some((key, value)) = self.arguments_of_dict(spread) {
                        keys.push(key);
                        values.push(value);
                    }
                }
                let key = self.types.union(keys);
                let value = self.types.union(values);
                self.external_instance("dict", &[key, value])
            }
            Expr::ListComprehension(item) => {
                let item = self.expr_type(file, item);
                self.external_instance("list", &[item])
            }
            Expr::SetComprehension(item) => {
                let item = self.expr_type(file, item);
                self.external_instance("set", &[item])
            }
            Expr::Generator(item) => {
                let item = self.expr_type(file, item);
                self.external_instance("Iterable", &[item])
            }
            Expr::DictComprehension(key, value) => {
                let args = [self.expr_type(file, key), self.expr_type(file, value)];
                self.external_instance("dict", &args)
            }
            Expr::Binary { operator, left, right } => self.binary_operation_type(file, operator, left, right),
            Expr::Unary(operator, value) => self.unary_operation_type(file, operator, value),
            Expr::Boolean { is_or, left, right } => {
                let left = self.expr_type(file, left);
                let right = self.expr_type(file, right);
                let left = if is_or { self.without_none(left) } else { left };
                self.types.union([left, right])
            }
            Expr::Conditional(yes, no) => {
                let parts = [self.expr_type(file, yes), self.expr_type(file, no)];
                self.types.union(parts)
            }
            Expr::Await(value) => {
                let value = self.expr_type(file, value);
                self.awaited_type(value)
            }
            Expr::Starred(value) => {
                let value = self.expr_type(file, value);
                if let Some(unpacked) = self.unpacked(value) {
                    return unpacked;
                }
                self.iteration_type(value)
            }
            Expr::Lambda(def) => {
                let def = self.program.global_def(file, def);
                self.types.add(Type::Function(def))
            }
            Expr::Sent(def) => self.sent_type(file, def),
            Expr::Delegated(generator) => {
                let generator = self.expr_type(file, generator);
                self.delegated_type(generator)
            }
        }
    }

    fn collection_type(&mut self, path: &str, file: FileIndex, items: &[ExprId]) -> TypeId {
        // A long literal is data: its first items represent all of them.
        let items: Vec<TypeId> = items.iter().take(32).map(|&e| self.expr_type(file, e)).collect();
        let item = self.types.union(items);
        self.external_instance(path, &[item])
    }

    /// True for a `list`, `dict` or `set` whose items have no known type, such as the type of `[]`.
    pub(super) fn has_unknown_items(&self, ty: TypeId) -> bool {
        match self.types.get(ty) {
            Type::ExternalInstance(path, items) => {
                matches!(self.program.interner.text(*path), "list" | "dict" | "set")
                    && items.iter().all(|item| item.is_unknown())
            }
            _ => false,
        }
    }

    /// True if two types are containers of one class.
    pub(super) fn is_same_container(&self, a: TypeId, b: TypeId) -> bool {
        match (self.types.get(a), self.types.get(b)) {
            (Type::ExternalInstance(a, _), Type::ExternalInstance(b, _)) => a == b,
            _ => false,
        }
    }
}
