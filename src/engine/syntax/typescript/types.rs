//! Types as they are written.

use smallvec::SmallVec;
use tree_sitter::{Node, TreeCursor};

use super::{
    facts::{FunctionKind, Keyword, Modifier, NameId, ScopeKind, TupleElement, TypeId, TypeList, TypeNode, TypeParam},
    functions::Head,
    kinds::{Kind, Named},
    lower::Lowering,
    text,
};

type Names = SmallVec<[NameId; 1]>;

impl Lowering<'_> {
    /// Lowers the type at the cursor.
    pub(super) fn ty(&mut self, cursor: &mut TreeCursor) -> TypeId {
        let node = cursor.node();
        self.deeper(node, |this| this.type_node(cursor)).unwrap_or_else(|| self.add_type(TypeNode::Unknown))
    }

    fn type_node(&mut self, cursor: &mut TreeCursor) -> TypeId {
        let node = cursor.node();
        let Kind::Node(kind) = self.kind(node) else { return self.add_type(TypeNode::Unknown) };
        let ty = match kind {
            Named::ParenthesizedType | Named::FlowMaybeType | Named::OptionalType | Named::RestType => {
                return self.only_type(cursor);
            }
            Named::PredefinedType => keyword(self.text(node)),
            Named::LiteralType => self.literal_type(cursor),
            Named::TypeIdentifier if self.text(node) == "bigint" => TypeNode::Keyword(Keyword::BigInt),
            Named::TypeIdentifier | Named::Identifier | Named::NestedTypeIdentifier => {
                let path = self.names(node);
                self.reference(path, TypeList::default())
            }
            Named::GenericType => self.generic(cursor),
            Named::ThisType | Named::This => TypeNode::This(self.this_type),
            Named::ArrayType => TypeNode::Array(self.only_type(cursor)),
            Named::ReadonlyType => {
                let inner = self.only_type(cursor);
                if matches!(self.facts.ty(inner), TypeNode::Array(_)) {
                    return inner;
                }
                TypeNode::Operator(inner)
            }
            Named::TupleType => self.tuple(cursor),
            Named::UnionType | Named::IntersectionType => self.union(cursor, kind),
            Named::FunctionType | Named::ConstructorType => {
                let is_function = kind == Named::FunctionType;
                let kind = if is_function { FunctionKind::Type } else { FunctionKind::ConstructorType };
                let head = Head { kind, name: self.signature.filter(|_| is_function), ..Head::default() };
                TypeNode::Function(self.function(cursor, &head))
            }
            Named::ObjectType => self.object_type(cursor),
            Named::TypeQuery => self.type_query(cursor),
            Named::IndexTypeQuery => TypeNode::KeyOf(self.only_type(cursor)),
            Named::LookupType => {
                let parts = self.types(cursor);
                let [object, index] = parts[..] else { return self.add_type(TypeNode::Unknown) };
                TypeNode::Indexed(object, index)
            }
            Named::ConditionalType => self.conditional(cursor),
            Named::InferType => self.infer(cursor),
            Named::TemplateLiteralType => {
                self.nodes(cursor, |this, cursor, kind| {
                    if kind == Named::TemplateType {
                        this.only_type(cursor);
                    }
                });
                TypeNode::Template
            }
            Named::TypePredicate | Named::Asserts => self.predicate_type(cursor, kind),
            Named::MemberExpression | Named::CallExpression => self.import_type(cursor, false),
            _ => TypeNode::Unknown,
        };
        self.add_type(ty)
    }

    /// The types among the children.
    fn types(&mut self, cursor: &mut TreeCursor) -> SmallVec<[TypeId; 4]> {
        let mut types = SmallVec::new();
        self.nodes(cursor, |this, cursor, _| types.push(this.ty(cursor)));
        types
    }

    fn only_type(&mut self, cursor: &mut TreeCursor) -> TypeId {
        let inner = self.first(cursor, |this, cursor, _| this.ty(cursor));
        inner.unwrap_or_else(|| self.add_type(TypeNode::Unknown))
    }

    /// The type arguments at the cursor.
    pub(super) fn type_arguments(&mut self, cursor: &mut TreeCursor) -> Vec<TypeId> {
        self.types(cursor).to_vec()
    }

    fn reference(&self, path: Names, args: TypeList) -> TypeNode {
        TypeNode::Ref { symbol: None, path, args, scope: self.frame.scope }
    }

    fn generic(&mut self, cursor: &mut TreeCursor) -> TypeNode {
        let fields = &self.grammar.fields;
        let (mut path, mut args) = (Names::new(), Vec::new());
        self.fields(cursor, |this, cursor, _, field| {
            if field == fields.name {
                path = this.names(cursor.node());
            } else if field == fields.type_arguments {
                args = this.type_arguments(cursor);
            }
        });
        let args = self.add_types(&args);
        self.reference(path, args)
    }

    /// The names of `A.B.C`, outermost first.
    pub(super) fn names(&mut self, node: Node) -> Names {
        let fields = &self.grammar.fields;
        let mut names = Names::new();
        let mut at = Some(node);
        while let Some(node) = at {
            let (last, rest) = match self.kind(node) {
                Kind::Node(Named::NestedTypeIdentifier) => {
                    (node.child_by_field_id(fields.name), node.child_by_field_id(fields.module))
                }
                Kind::Node(Named::NestedIdentifier | Named::MemberExpression) => {
                    (node.child_by_field_id(fields.property), node.child_by_field_id(fields.object))
                }
                _ => (Some(node), None),
            };
            names.extend(last.map(|last| self.name_of(last)));
            at = rest;
        }
        names.reverse();
        names
    }

    fn literal_type(&mut self, cursor: &mut TreeCursor) -> TypeNode {
        let ty = self.first(cursor, |this, cursor, kind| {
            let source = this.text(cursor.node());
            match kind {
                Named::String => TypeNode::String(this.intern(text::unquoted(source))),
                Named::True => TypeNode::Bool(true),
                Named::False => TypeNode::Bool(false),
                Named::Null => TypeNode::Keyword(Keyword::Null),
                Named::Undefined => TypeNode::Keyword(Keyword::Undefined),
                Named::Number | Named::UnaryExpression => TypeNode::Number(this.intern(source)),
                _ => TypeNode::Unknown,
            }
        });
        ty.unwrap_or(TypeNode::Unknown)
    }

    fn tuple(&mut self, cursor: &mut TreeCursor) -> TypeNode {
        let fields = &self.grammar.fields;
        let mut elements = Vec::new();
        self.nodes(cursor, |this, cursor, kind| {
            let mut element = TupleElement {
                label: None,
                ty: TypeId::new(0),
                is_optional: matches!(kind, Named::OptionalType | Named::OptionalParameter),
                is_rest: kind == Named::RestType,
            };
            if matches!(kind, Named::RequiredParameter | Named::OptionalParameter) {
                this.fields(cursor, |this, cursor, kind, field| {
                    if field == fields.name && kind == Named::RestPattern {
                        element.is_rest = true;
                        element.label = this.first(cursor, |this, cursor, _| this.name_of(cursor.node()));
                    } else if field == fields.name {
                        element.label = Some(this.name_of(cursor.node()));
                    } else if field == fields.ty {
                        element.ty = this.annotation(cursor).0;
                    }
                });
            } else {
                element.ty = this.ty(cursor);
            }
            elements.push(element);
        });
        TypeNode::Tuple(elements)
    }

    /// `A | B | …`. It leans to the left and is read in a loop, so that its length costs no depth.
    fn union(&mut self, cursor: &mut TreeCursor, kind: Named) -> TypeNode {
        let mut levels = 0;
        while self.is(cursor.node(), kind) && cursor.goto_first_child() {
            levels += 1;
            while !matches!(self.kind(cursor.node()), Kind::Node(_)) && cursor.goto_next_sibling() {}
        }
        let mut parts: SmallVec<[TypeId; 16]> = SmallVec::new();
        parts.push(self.ty(cursor));
        for _ in 0..levels {
            while cursor.goto_next_sibling() {
                if matches!(self.kind(cursor.node()), Kind::Node(_)) {
                    parts.push(self.ty(cursor));
                }
            }
            cursor.goto_parent();
        }
        let list = self.add_types(&parts);
        if kind == Named::UnionType { TypeNode::Union(list) } else { TypeNode::Intersection(list) }
    }

    /// `{ … }`, or `{ [K in C]: T }`.
    fn object_type(&mut self, cursor: &mut TreeCursor) -> TypeNode {
        let node = cursor.node();
        let mapped = self.mapped_clause(node);
        if mapped.is_none() {
            return TypeNode::Literal(self.type_literal(cursor));
        }
        let signature = self.signature.take();
        let ty = self.scoped(ScopeKind::Type, |this| this.first(cursor, |this, cursor, _| this.mapped(cursor)));
        self.signature = signature;
        ty.flatten().unwrap_or(TypeNode::Unknown)
    }

    fn mapped_clause<'t>(&self, object: Node<'t>) -> Option<Node<'t>> {
        let mut walk = object.walk();
        let only = object.named_children(&mut walk).find(|part| self.kind(*part) != Kind::Comment)?;
        if !self.is(only, Named::IndexSignature) {
            return None;
        }
        let mut walk = only.walk();
        only.named_children(&mut walk).find(|part| self.is(*part, Named::MappedTypeClause))
    }

    fn mapped(&mut self, cursor: &mut TreeCursor) -> Option<TypeNode> {
        let fields = &self.grammar.fields;
        let (mut key, mut renamed, mut value, mut optional) = (None, None, None, Modifier::Kept);
        self.fields(cursor, |this, cursor, kind, field| {
            if kind == Named::MappedTypeClause {
                let source = text::annotation(this.text(cursor.node()));
                let (mut name, mut constraint) = (None, None);
                this.fields(cursor, |this, cursor, _, field| {
                    if field == fields.name {
                        name = Some(this.name_of(cursor.node()));
                    } else if field == fields.ty {
                        constraint = Some(this.ty(cursor));
                        // The new name may mention the key.
                        let param =
                            name.map(|name| TypeParam { name, constraint, default: None, text: source.clone() });
                        key = param.map(|param| this.type_parameter(this.frame.scope, param));
                    } else if field == fields.alias {
                        renamed = Some(this.ty(cursor));
                    }
                });
            } else if field == fields.ty {
                optional = match kind {
                    Named::OptingTypeAnnotation | Named::AddingTypeAnnotation => Modifier::Added,
                    Named::OmittingTypeAnnotation => Modifier::Removed,
                    _ => Modifier::Kept,
                };
                value = Some(this.annotation(cursor).0);
            }
        });
        Some(TypeNode::Mapped { key: key?, renamed, value, optional })
    }

    fn type_query(&mut self, cursor: &mut TreeCursor) -> TypeNode {
        let ty = self.first(cursor, |this, cursor, kind| {
            if this.begins_with_import(cursor.node()) {
                return this.import_type(cursor, true);
            }
            match kind {
                Named::CallExpression => TypeNode::Unknown,
                _ => TypeNode::TypeOf(this.expr(cursor)),
            }
        });
        ty.unwrap_or(TypeNode::Unknown)
    }

    fn begins_with_import(&self, node: Node) -> bool {
        let mut at = Some(node);
        while let Some(node) = at {
            if self.is(node, Named::Import) || text::imported_module(self.text(node)).is_some() {
                return true;
            }
            at = node.child(0);
        }
        false
    }

    /// `import("m").A.B`
    fn import_type(&mut self, cursor: &mut TreeCursor, is_value: bool) -> TypeNode {
        let mut path = Names::new();
        let mut args = TypeList::default();
        match self.imported(cursor, &mut path, &mut args) {
            Some(specifier) => TypeNode::Import { specifier, path, args, is_value },
            None => TypeNode::Unknown,
        }
    }

    /// The module of an import type, its names and arguments being added.
    fn imported(&mut self, cursor: &mut TreeCursor, path: &mut Names, args: &mut TypeList) -> Option<NameId> {
        let fields = &self.grammar.fields;
        let node = cursor.node();
        if self.is(node, Named::Identifier) {
            return text::imported_module(self.text(node)).map(|module| self.intern(module));
        }
        let mut specifier = None;
        self.deeper(node, |this| {
            this.fields(cursor, |this, cursor, kind, field| match kind {
                Named::MemberExpression | Named::CallExpression | Named::Identifier => {
                    specifier = this.imported(cursor, path, args);
                }
                Named::PropertyIdentifier => path.push(this.name_of(cursor.node())),
                Named::Arguments if field == fields.arguments => {
                    let module = this.first(cursor, |this, cursor, kind| {
                        (kind == Named::String).then(|| this.intern(text::unquoted(this.text(cursor.node()))))
                    });
                    specifier = module.flatten();
                }
                Named::TypeArguments => {
                    let types = this.type_arguments(cursor);
                    *args = this.add_types(&types);
                }
                _ => {}
            });
        });
        specifier
    }

    fn conditional(&mut self, cursor: &mut TreeCursor) -> TypeNode {
        let parts = self.scoped(ScopeKind::Type, |this| {
            let outer = std::mem::replace(&mut this.infer_scope, this.frame.scope);
            let parts = this.types(cursor);
            this.infer_scope = outer;
            parts
        });
        match parts[..] {
            [check, extends, positive, negative] => TypeNode::Conditional { check, extends, positive, negative },
            _ => TypeNode::Unknown,
        }
    }

    /// `infer T`, `infer T extends C`
    fn infer(&mut self, cursor: &mut TreeCursor) -> TypeNode {
        let source = text::annotation(self.text(cursor.node()).trim_start_matches("infer").trim_start());
        let (mut name, mut constraint) = (None, None);
        self.nodes(cursor, |this, cursor, _| {
            if name.is_none() {
                name = Some(this.name_of(cursor.node()));
            } else {
                constraint = Some(this.ty(cursor));
            }
        });
        match name {
            Some(name) => {
                let param = TypeParam { name, constraint, default: None, text: source };
                TypeNode::Infer(self.type_parameter(self.infer_scope, param))
            }
            None => TypeNode::Unknown,
        }
    }

    /// `x is T`, `asserts x is T`, `asserts x`
    fn predicate_type(&mut self, cursor: &mut TreeCursor, kind: Named) -> TypeNode {
        let fields = &self.grammar.fields;
        let asserts = kind == Named::Asserts;
        let (mut param, mut ty) = (None, None);
        self.fields(cursor, |this, cursor, kind, field| match kind {
            Named::TypePredicate => {
                if let TypeNode::Predicate { param: inner, ty: of, .. } = this.predicate_type(cursor, kind) {
                    (param, ty) = (inner, of);
                }
            }
            Named::This => {}
            _ if field == fields.ty => ty = Some(this.ty(cursor)),
            _ => param = Some(this.name_of(cursor.node())),
        });
        TypeNode::Predicate { param, ty, asserts }
    }
}

fn keyword(text: &str) -> TypeNode {
    TypeNode::Keyword(match text {
        "any" => Keyword::Any,
        "unknown" => Keyword::Unknown,
        "never" => Keyword::Never,
        "void" => Keyword::Void,
        "string" => Keyword::String,
        "number" => Keyword::Number,
        "boolean" => Keyword::Boolean,
        "object" => Keyword::Object,
        _ if text.ends_with("symbol") => Keyword::Symbol,
        _ => return TypeNode::Unknown,
    })
}
