//! Converts type nodes to types.

use smallvec::SmallVec;

use crate::typescript::{
    infer::{Linker, TypeQuery, names::ResolvedName},
    program::{FileIndex, InternedName},
    types::{InternedType, InternedTypes, Substitution, TypeKind},
};
use apidisc_facts::syntax::typescript::facts::{Keyword, NameId, SymbolId, TypeId, TypeList, TypeNode};

impl Linker<'_> {
    /// The type that a type node denotes, with the type parameters in scope left free.
    pub(in crate::typescript) fn type_from_node(&mut self, file: FileIndex, ty: TypeId) -> InternedType {
        match *self.program.facts(file).ty(ty) {
            TypeNode::Keyword(keyword) => keyword_type(keyword),
            _ => self.query(TypeQuery::TypeNode(file, ty), |linker| linker.find_type_from_node(file, ty)),
        }
    }

    fn types_from_nodes(&mut self, file: FileIndex, list: TypeList) -> InternedTypes {
        self.program.facts(file).type_list(list).iter().map(|ty| self.type_from_node(file, *ty)).collect()
    }

    fn find_type_from_node(&mut self, file: FileIndex, id: TypeId) -> InternedType {
        let facts = self.program.facts(file);
        match facts.ty(id) {
            TypeNode::Unknown => InternedType::ANY,
            TypeNode::Keyword(keyword) => keyword_type(*keyword),
            TypeNode::String(text) => {
                let name = self.program.name(file, *text);
                self.types.intern(TypeKind::StringLiteral(name))
            }
            TypeNode::Number(text) => {
                let name = self.program.name(file, *text);
                self.types.intern(TypeKind::NumberLiteral(name))
            }
            TypeNode::Bool(value) => self.types.intern(TypeKind::BooleanLiteral(*value)),
            TypeNode::Template(parts) => {
                let parts = self.types_from_nodes(file, *parts);
                self.template_type(parts)
            }
            TypeNode::Ref { symbol, path, args, .. } => self.type_from_reference(file, *symbol, path, *args),
            TypeNode::This(def) => {
                def.map_or(InternedType::ANY, |def| self.this_type(self.program.global_def(file, def)))
            }
            TypeNode::Array(element) => {
                let element = self.type_from_node(file, *element);
                self.platform_type(self.well_known.array, &[element])
            }
            TypeNode::Tuple(elements) => {
                let mut parts = InternedTypes::new();
                for element in elements {
                    let ty = self.type_from_node(file, element.ty);
                    parts.push(if element.is_rest { self.types.intern(TypeKind::Spread(ty)) } else { ty });
                }
                self.tuple_type(parts)
            }
            TypeNode::Union(list) => {
                let constituents = self.types_from_nodes(file, *list);
                self.types.union(constituents)
            }
            TypeNode::Intersection(list) => {
                let constituents = self.types_from_nodes(file, *list);
                self.intersect(&constituents)
            }
            TypeNode::Function(def) => {
                let def = self.program.global_def(file, *def);
                self.types.intern(TypeKind::Function(def, Substitution::EMPTY))
            }
            TypeNode::Literal(def) => {
                let def = self.program.global_def(file, *def);
                self.types.intern(TypeKind::Anonymous(def, Substitution::EMPTY))
            }
            TypeNode::TypeOf(expr) => self.expr_type(file, *expr),
            TypeNode::KeyOf(of) => {
                let of = self.type_from_node(file, *of);
                self.keyof_type(of)
            }
            TypeNode::Operator(of) => self.type_from_node(file, *of),
            TypeNode::Indexed(of, index) => {
                let of = self.type_from_node(file, *of);
                let index = self.type_from_node(file, *index);
                self.indexed_access(of, index)
            }
            TypeNode::Conditional { .. } => self.conditional_type(file, id, Substitution::EMPTY),
            TypeNode::Infer(param) => {
                let param = self.program.global_param(file, *param);
                self.types.intern(TypeKind::TypeParameter(param))
            }
            TypeNode::Mapped { .. } => self.intern_mapped(file, id, Substitution::EMPTY),
            TypeNode::Predicate { param, ty, .. } => {
                let of = ty.map_or(InternedType::UNKNOWN, |ty| self.type_from_node(file, ty));
                let param = param.map(|param| self.program.name(file, param));
                self.types.intern(TypeKind::Predicate(param, of))
            }
            TypeNode::Import { specifier, path, args, is_value } => {
                let mut resolved = if path.is_empty() && !is_value {
                    // In JSDoc comments: `import("./module")` of a module that exports a class by assignment.
                    self.resolve_require(file, *specifier)
                } else {
                    self.resolve_namespace_import(file, *specifier)
                };
                for segment in path {
                    let name = self.program.name(file, *segment);
                    resolved = self.resolve_member(resolved, name).unwrap_or(ResolvedName::Missing);
                }
                if *is_value {
                    return self.type_of_name(resolved);
                }
                let args = self.types_from_nodes(file, *args);
                self.declared_type_of_name(resolved, &args)
            }
        }
    }

    fn type_from_reference(
        &mut self,
        file: FileIndex,
        symbol: Option<SymbolId>,
        path: &SmallVec<[NameId; 1]>,
        args: TypeList,
    ) -> InternedType {
        let Some((first, rest)) = path.split_first() else { return InternedType::ANY };
        let mut resolved = if let Some(symbol) = symbol {
            self.resolve_symbol(file, symbol)
        } else {
            let name = self.program.name(file, *first);
            self.resolve_global(file, name)
        };
        // The namespace of a module is no type, so that a type of the same name around it is meant.
        if rest.is_empty() && matches!(resolved, ResolvedName::File(_) | ResolvedName::AmbientModule(_)) {
            let name = self.program.name(file, *first);
            resolved = self.resolve_global(file, name);
        }
        for (at, segment) in rest.iter().enumerate() {
            let name: InternedName = self.program.name(file, *segment);
            if let ResolvedName::Symbol(symbol) = resolved
                && at + 1 == rest.len()
                && self.is_enum(symbol)
            {
                return self.types.intern(TypeKind::EnumMember(symbol, name));
            }
            resolved = self.resolve_member(resolved, name).unwrap_or(ResolvedName::Missing);
        }
        let args = self.types_from_nodes(file, args);
        self.declared_type_of_name(resolved, &args)
    }

    /// `keyof T`
    pub(in crate::typescript) fn keyof_type(&mut self, of: InternedType) -> InternedType {
        if !of.is_known() {
            return of;
        }
        if self.is_deferred(of) {
            return self.types.intern(TypeKind::KeyOf(of));
        }
        let Some(names) = self.property_names(of, 0) else { return InternedType::STRING };
        // The keys of a type with an index signature alone.
        if names.is_empty() && self.has_index_signature(of) {
            return InternedType::STRING;
        }
        let keys: InternedTypes = names.into_iter().map(|name| self.key_type(name)).collect();
        self.types.union(keys)
    }

    /// `T[K]`
    pub(in crate::typescript) fn indexed_access(&mut self, of: InternedType, index: InternedType) -> InternedType {
        if !of.is_known() {
            return of;
        }
        if self.is_deferred(of) || self.is_deferred(index) || matches!(self.types.kind(index), TypeKind::KeyOf(_)) {
            return self.types.intern(TypeKind::IndexedAccess(of, index));
        }
        if index == InternedType::NEVER {
            return index;
        }
        let constituents = self.types.constituents(index);
        let keys: InternedTypes = constituents.into_iter().flat_map(|key| self.members_of_enum(key)).collect();
        let mut properties = InternedTypes::new();
        for constituent in keys {
            // A member of an enum selects the property that the string names which the member holds.
            let key = match *self.types.kind(constituent) {
                TypeKind::EnumMember(symbol, member) => self.property_of_enum_member(symbol, member),
                _ => None,
            };
            if let Some(name) = key
                && let Some(ty) = self.property_type(of, name)
            {
                properties.push(ty);
                continue;
            }
            let held = key.filter(|name| !self.is_unique_symbol(*name));
            let constituent = held.map_or(constituent, |key| self.string_literal_type(key));
            let ty = match *self.types.kind(constituent) {
                TypeKind::NumberLiteral(_) if self.is_array(of) => Some(self.element_type(of)),
                TypeKind::StringLiteral(name) | TypeKind::NumberLiteral(name) | TypeKind::UniqueSymbol(name) => {
                    match self.property_type(of, name) {
                        // A property that an object type lacks is `unknown`, so that a conditional type can test
                        // whether a type declares the property.
                        None if self.has_known_properties(of) => return InternedType::UNKNOWN,
                        found => found,
                    }
                }
                TypeKind::Number => Some(self.element_type(of)),
                TypeKind::EnumMember(..) | TypeKind::String | TypeKind::Symbol => Some(self.index_signature_type(of)),
                _ => None,
            };
            properties.push(ty.unwrap_or(InternedType::ANY));
        }
        self.types.union(properties)
    }

    /// Whether a type is a class, interface, type literal or object literal of the sources whose property names are all
    /// known.
    fn has_known_properties(&mut self, ty: InternedType) -> bool {
        let definitions = match *self.types.kind(ty) {
            TypeKind::Reference(symbol, _) => self.program.definitions(symbol),
            TypeKind::Anonymous(def, _) => SmallVec::from_slice(&[def]),
            _ => return false,
        };
        // An object literal may spread values of unknown types.
        if matches!(self.types.kind(ty), TypeKind::Anonymous(..)) && self.property_names(ty, 0).is_none() {
            return false;
        }
        definitions.into_iter().all(|def| {
            let members = self.program.members(def);
            let has_name = |linker: &mut Self, at: usize| {
                members[at].computed_name.is_none() || linker.member_name(def, at).is_some()
            };
            !self.program.is_platform(def) && (0..members.len()).all(|at| has_name(self, at))
        })
    }

    /// The types of a list of type arguments.
    pub(in super::super) fn type_arguments(&mut self, file: FileIndex, args: &[TypeId]) -> InternedTypes {
        args.iter().map(|arg| self.type_from_node(file, *arg)).collect()
    }
}

fn keyword_type(keyword: Keyword) -> InternedType {
    match keyword {
        Keyword::Any => InternedType::ANY,
        Keyword::Unknown => InternedType::UNKNOWN,
        Keyword::Never => InternedType::NEVER,
        Keyword::Void | Keyword::Undefined | Keyword::Null => InternedType::NULLISH,
        Keyword::String => InternedType::STRING,
        Keyword::Number => InternedType::NUMBER,
        Keyword::Boolean => InternedType::BOOLEAN,
        Keyword::BigInt => InternedType::BIGINT,
        Keyword::Symbol => InternedType::SYMBOL,
        Keyword::Object => InternedType::OBJECT,
    }
}
