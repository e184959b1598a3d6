//! Types in annotations, as they are written.

use smallvec::SmallVec;
use thin_vec::ThinVec;
use tree_sitter::{Node, TreeCursor};

use super::{
    facts::{DefBody, FunctionKind, Keyword, NameId, ScopeKind, TupleElement, TypeId, TypeList, TypeNode},
    functions::FunctionHeader,
    grammar::{NodeKind, SyntaxKind},
    lower::Lowering,
    text,
};

/// The names of `A.B.C`, outermost first.
pub(super) type DottedName = SmallVec<[NameId; 1]>;

impl Lowering<'_> {
    /// Lowers the type at the cursor.
    pub(super) fn ty(&mut self, cursor: &mut TreeCursor) -> TypeId {
        let node = cursor.node();
        let place = self.place_of_type();
        let ty = self.at_place(Some(place), |this| this.descend(node, |this| this.type_node(cursor)));
        ty.unwrap_or_else(|| self.add_type(TypeNode::Unknown))
    }

    fn type_node(&mut self, cursor: &mut TreeCursor) -> TypeId {
        let node = cursor.node();
        let SyntaxKind::Node(kind) = self.kind(node) else { return self.add_type(TypeNode::Unknown) };
        let ty = match kind {
            NodeKind::ParenthesizedType | NodeKind::FlowMaybeType | NodeKind::OptionalType | NodeKind::RestType => {
                return self.inner_type(cursor);
            }
            NodeKind::PredefinedType => keyword(self.text(node)),
            NodeKind::LiteralType => self.literal_type(cursor),
            NodeKind::TypeIdentifier if self.text(node) == "bigint" => TypeNode::Keyword(Keyword::BigInt),
            NodeKind::TypeIdentifier
            | NodeKind::Identifier
            | NodeKind::NestedTypeIdentifier
            | NodeKind::GenericType
                if self.begins_with_import(node) =>
            {
                self.import_type(cursor, false)
            }
            NodeKind::TypeIdentifier | NodeKind::Identifier | NodeKind::NestedTypeIdentifier => {
                let path = self.qualified_name(node);
                self.reference(path, TypeList::default())
            }
            NodeKind::GenericType => self.generic_type(cursor),
            NodeKind::ThisType | NodeKind::This => TypeNode::This(self.this_type),
            NodeKind::ArrayType => TypeNode::Array(self.inner_type(cursor)),
            NodeKind::ReadonlyType => {
                let inner = self.inner_type(cursor);
                if matches!(self.facts.ty(inner), TypeNode::Array(_)) {
                    return inner;
                }
                TypeNode::Operator(inner)
            }
            NodeKind::TupleType => self.tuple_type(cursor),
            NodeKind::UnionType | NodeKind::IntersectionType => self.union_or_intersection(cursor, kind),
            NodeKind::FunctionType | NodeKind::ConstructorType => {
                let is_function = kind == NodeKind::FunctionType;
                let kind = if is_function { FunctionKind::Type } else { FunctionKind::ConstructorType };
                let head =
                    FunctionHeader { kind, name: self.signature.filter(|_| is_function), ..FunctionHeader::default() };
                TypeNode::Function(self.function(cursor, &head))
            }
            NodeKind::ObjectType => self.object_type(cursor),
            NodeKind::TypeQuery => self.type_query(cursor),
            NodeKind::IndexTypeQuery => TypeNode::KeyOf(self.inner_type(cursor)),
            NodeKind::LookupType => {
                let parts = self.child_types(cursor);
                let [object, index] = parts[..] else { return self.add_type(TypeNode::Unknown) };
                TypeNode::Indexed(object, index)
            }
            NodeKind::ConditionalType => self.conditional_type(cursor),
            NodeKind::InferType => self.infer_type(cursor),
            NodeKind::TemplateLiteralType => self.template_type(cursor),
            NodeKind::TypePredicate | NodeKind::Asserts => self.predicate_type(cursor, kind),
            NodeKind::MemberExpression | NodeKind::CallExpression => self.import_type(cursor, false),
            _ => TypeNode::Unknown,
        };
        let ty = self.add_type(ty);
        let name = match kind {
            NodeKind::GenericType => node.child_by_field_id(self.grammar.fields.name).unwrap_or(node),
            _ => node,
        };
        self.note_type(ty, name);
        ty
    }

    /// Lowers all children of the node at the cursor as types.
    pub(super) fn child_types(&mut self, cursor: &mut TreeCursor) -> SmallVec<[TypeId; 4]> {
        let mut types = SmallVec::new();
        self.named_children(cursor, |this, cursor, _| types.push(this.ty(cursor)));
        types
    }

    /// Lowers the first child of the node at the cursor as a type.
    pub(super) fn inner_type(&mut self, cursor: &mut TreeCursor) -> TypeId {
        let inner = self.first_named_child(cursor, |this, cursor, _| this.ty(cursor));
        inner.unwrap_or_else(|| self.add_type(TypeNode::Unknown))
    }

    /// Lowers the type arguments at the cursor.
    pub(super) fn type_arguments(&mut self, cursor: &mut TreeCursor) -> ThinVec<TypeId> {
        self.child_types(cursor).as_slice().into()
    }

    fn reference(&self, path: DottedName, args: TypeList) -> TypeNode {
        TypeNode::Ref { symbol: None, path, args, scope: self.frame.scope }
    }

    fn generic_type(&mut self, cursor: &mut TreeCursor) -> TypeNode {
        let fields = &self.grammar.fields;
        let (mut path, mut args) = (DottedName::new(), ThinVec::new());
        self.fields(cursor, |this, cursor, _, field| {
            if field == fields.name {
                path = this.qualified_name(cursor.node());
            } else if field == fields.type_arguments {
                let place = this.place_of_type_arguments();
                args = this.at_place(Some(place), |this| this.type_arguments(cursor));
            }
        });
        let args = self.add_type_list(&args);
        self.reference(path, args)
    }

    /// The interned names of a node such as `A.B.C`, outermost first.
    pub(super) fn qualified_name(&mut self, node: Node) -> DottedName {
        let fields = &self.grammar.fields;
        let mut names = DottedName::new();
        let mut at = Some(node);
        while let Some(node) = at {
            let (last, rest) = match self.kind(node) {
                SyntaxKind::Node(NodeKind::NestedTypeIdentifier) => {
                    (node.child_by_field_id(fields.name), node.child_by_field_id(fields.module))
                }
                SyntaxKind::Node(NodeKind::NestedIdentifier | NodeKind::MemberExpression) => {
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
        let ty = self.first_named_child(cursor, |this, cursor, kind| {
            let source = this.text(cursor.node());
            match kind {
                NodeKind::String => TypeNode::String(this.intern(&text::name_value(source))),
                NodeKind::True => TypeNode::Bool(true),
                NodeKind::False => TypeNode::Bool(false),
                NodeKind::Null => TypeNode::Keyword(Keyword::Null),
                NodeKind::Undefined => TypeNode::Keyword(Keyword::Undefined),
                NodeKind::Number | NodeKind::UnaryExpression => TypeNode::Number(this.intern(source)),
                _ => TypeNode::Unknown,
            }
        });
        ty.unwrap_or(TypeNode::Unknown)
    }

    fn tuple_type(&mut self, cursor: &mut TreeCursor) -> TypeNode {
        let fields = &self.grammar.fields;
        let mut elements = Vec::new();
        self.named_children(cursor, |this, cursor, kind| {
            let mut element = TupleElement {
                label: None,
                ty: TypeId::new(0),
                is_optional: matches!(kind, NodeKind::OptionalType | NodeKind::OptionalParameter),
                is_rest: kind == NodeKind::RestType,
            };
            if matches!(kind, NodeKind::RequiredParameter | NodeKind::OptionalParameter) {
                this.fields(cursor, |this, cursor, kind, field| {
                    if field == fields.name && kind == NodeKind::RestPattern {
                        element.is_rest = true;
                        element.label = this.first_named_child(cursor, |this, cursor, _| this.name_of(cursor.node()));
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

    /// Lowers `A | B | …` or `A & B & …`. The tree is nested on the left. A loop walks it, so that a long list costs no
    /// recursion depth.
    fn union_or_intersection(&mut self, cursor: &mut TreeCursor, kind: NodeKind) -> TypeNode {
        let mut levels = 0;
        while self.is_node(cursor.node(), kind) && cursor.goto_first_child() {
            levels += 1;
            while !matches!(self.kind(cursor.node()), SyntaxKind::Node(_)) && cursor.goto_next_sibling() {}
        }
        let mut parts: SmallVec<[TypeId; 16]> = SmallVec::new();
        let first = cursor.node();
        parts.push(self.ty(cursor));
        for _ in 0..levels {
            while cursor.goto_next_sibling() {
                if matches!(self.kind(cursor.node()), SyntaxKind::Node(_)) {
                    parts.push(self.ty(cursor));
                }
            }
            cursor.goto_parent();
        }
        if let Some(constructor) = self.extended_constructor(first, cursor.node().end_byte(), kind, &mut parts) {
            return constructor;
        }
        let list = self.add_type_list(&parts);
        joined(kind, list)
    }

    /// The constructor type `new () => A & B`, which the grammar takes for `(new () => A) & B`. `parts` are the
    /// operands in the tree, `first` is the node of the first one, and the whole ends at `end`.
    fn extended_constructor(
        &mut self,
        first: Node,
        end: usize,
        kind: NodeKind,
        parts: &mut SmallVec<[TypeId; 16]>,
    ) -> Option<TypeNode> {
        let TypeNode::Function(constructor) = *self.facts.ty(*parts.first()?) else { return None };
        let mut node = first;
        while let SyntaxKind::Node(NodeKind::IntersectionType) = self.kind(node) {
            node = node.named_child(0)?;
        }
        if parts.len() < 2 || !self.is_node(node, NodeKind::ConstructorType) {
            return None;
        }
        let start = node.child_by_field_id(self.grammar.fields.ty)?.start_byte();
        let text = self.texts.keep(&text::annotation(self.source.get(start..end)?));
        let DefBody::Function(function) = &mut self.facts.definitions[constructor.index()].body else { return None };
        parts[0] = function.returns.as_ref()?.0;
        let list = self.add_type_list(parts);
        let returned = self.add_type(joined(kind, list));
        if let DefBody::Function(function) = &mut self.facts.definitions[constructor.index()].body {
            function.returns = Some((returned, text));
        }
        Some(TypeNode::Function(constructor))
    }

    /// Lowers `{ … }` or the mapped type `{ [K in C]: T }`.
    fn object_type(&mut self, cursor: &mut TreeCursor) -> TypeNode {
        let node = cursor.node();
        let mapped = self.mapped_clause(node);
        if mapped.is_none() {
            return TypeNode::Literal(self.type_literal(cursor));
        }
        let signature = self.signature.take();
        let ty = self.in_new_scope(ScopeKind::Type, |this| {
            this.first_named_child(cursor, |this, cursor, _| this.mapped_type(cursor))
        });
        self.signature = signature;
        ty.flatten().unwrap_or(TypeNode::Unknown)
    }
}

/// The union or intersection of types.
fn joined(kind: NodeKind, list: TypeList) -> TypeNode {
    if kind == NodeKind::UnionType { TypeNode::Union(list) } else { TypeNode::Intersection(list) }
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
