//! Types as written to types.

use smallvec::SmallVec;

use super::{
    entities::Meaning,
    infer::{Linker, Question},
    program::{FileIndex, Name},
    types::{Env, Ty, Type, Tys},
};
use crate::syntax::typescript::facts::{ExprId, Keyword, NameId, SymbolId, TypeId, TypeList, TypeNode};

impl Linker<'_> {
    /// The type that a type says, with the type parameters in sight left free.
    pub(super) fn annotation(&mut self, file: FileIndex, ty: TypeId) -> Ty {
        match *self.program.facts(file).ty(ty) {
            TypeNode::Keyword(keyword) => of_keyword(keyword),
            _ => self.ask(Question::Annotation(file, ty), |linker| linker.find_annotation(file, ty)),
        }
    }

    fn annotations(&mut self, file: FileIndex, list: TypeList) -> Tys {
        self.program.facts(file).type_list(list).iter().map(|ty| self.annotation(file, *ty)).collect()
    }

    fn find_annotation(&mut self, file: FileIndex, id: TypeId) -> Ty {
        let facts = self.program.facts(file);
        match facts.ty(id) {
            TypeNode::Unknown => Ty::ANY,
            TypeNode::Keyword(keyword) => of_keyword(*keyword),
            TypeNode::String(text) => {
                let name = self.program.name(file, *text);
                self.types.add(Type::StringLiteral(name))
            }
            TypeNode::Number(text) => {
                let name = self.program.name(file, *text);
                self.types.add(Type::NumberLiteral(name))
            }
            TypeNode::Bool(value) => self.types.add(Type::BooleanLiteral(*value)),
            TypeNode::Template => Ty::STRING,
            TypeNode::Ref { symbol, path, args, .. } => self.reference(file, *symbol, path, *args),
            TypeNode::This(def) => def.map_or(Ty::ANY, |def| self.this_of(self.program.global(file, def))),
            TypeNode::Array(element) => {
                let element = self.annotation(file, *element);
                self.platform_type(self.known.array, &[element])
            }
            TypeNode::Tuple(elements) => {
                let mut tys = Tys::new();
                let mut has_rest = false;
                for element in elements {
                    let ty = self.annotation(file, element.ty);
                    if element.is_rest {
                        has_rest = true;
                        tys.push(self.element_of(ty));
                        break;
                    }
                    tys.push(ty);
                }
                self.types.add(Type::Tuple(tys, has_rest))
            }
            TypeNode::Union(list) => {
                let parts = self.annotations(file, *list);
                self.types.union(parts)
            }
            TypeNode::Intersection(list) => {
                let parts = self.annotations(file, *list);
                self.intersect(&parts)
            }
            TypeNode::Function(def) => {
                let def = self.program.global(file, *def);
                self.types.add(Type::Function(def, Env::EMPTY))
            }
            TypeNode::Literal(def) => {
                let def = self.program.global(file, *def);
                self.types.add(Type::Literal(def, Env::EMPTY))
            }
            TypeNode::TypeOf(expr) => self.expr(file, *expr),
            TypeNode::KeyOf(of) => {
                let of = self.annotation(file, *of);
                self.keys_of(of)
            }
            TypeNode::Operator(of) => self.annotation(file, *of),
            TypeNode::Indexed(of, index) => {
                let of = self.annotation(file, *of);
                let index = self.annotation(file, *index);
                self.indexed(of, index)
            }
            TypeNode::Conditional { .. } => self.conditional(file, id, Env::EMPTY),
            TypeNode::Infer(param) => {
                let param = self.program.global_param(file, *param);
                self.types.add(Type::Param(param))
            }
            TypeNode::Mapped { .. } => self.types.add(Type::Mapped(file, id, Env::EMPTY)),
            TypeNode::Predicate { param, ty, .. } => {
                let of = ty.map_or(Ty::UNKNOWN, |ty| self.annotation(file, ty));
                let param = param.map(|param| self.program.name(file, param));
                self.types.add(Type::Predicate(param, of))
            }
            TypeNode::Import { specifier, path, args, is_value } => {
                let mut meaning = self.imported_module(file, *specifier);
                for part in path {
                    let name = self.program.name(file, *part);
                    meaning = self.member_meaning(meaning, name).unwrap_or(Meaning::Missing);
                }
                if *is_value {
                    return self.value(meaning);
                }
                let args = self.annotations(file, *args);
                self.named_type(meaning, &args)
            }
        }
    }

    fn reference(
        &mut self,
        file: FileIndex,
        symbol: Option<SymbolId>,
        path: &SmallVec<[NameId; 1]>,
        args: TypeList,
    ) -> Ty {
        let Some((first, rest)) = path.split_first() else { return Ty::ANY };
        let mut meaning = if let Some(symbol) = symbol {
            self.meaning(file, symbol)
        } else {
            let name = self.program.name(file, *first);
            self.global_meaning(name)
        };
        for (at, part) in rest.iter().enumerate() {
            let name: Name = self.program.name(file, *part);
            if let Meaning::Entity(entity) = meaning
                && at + 1 == rest.len()
                && self.is_enum(entity)
            {
                return self.types.add(Type::EnumMember(entity, name));
            }
            meaning = self.member_meaning(meaning, name).unwrap_or(Meaning::Missing);
        }
        let args = self.annotations(file, args);
        self.named_type(meaning, &args)
    }

    /// Types that hold at once; primitives that exclude each other leave nothing.
    pub(super) fn intersect(&mut self, parts: &[Ty]) -> Ty {
        if parts.contains(&Ty::ANY) {
            // What is known of the others still holds.
            let known: Tys = parts.iter().copied().filter(|ty| *ty != Ty::ANY).collect();
            return if known.is_empty() { Ty::ANY } else { self.types.intersection(known) };
        }
        // (A | B) & C is A & C | B & C.
        if let Some(at) = parts.iter().position(|ty| matches!(self.types.get(*ty), Type::Union(_))) {
            let alternatives = self.types.parts(parts[at]);
            if alternatives.len() <= 16 {
                let mut all = Tys::new();
                for alternative in alternatives {
                    let mut one: Tys = parts.iter().copied().collect();
                    one[at] = alternative;
                    all.push(self.intersect(&one));
                }
                return self.types.union(all);
            }
        }
        self.types.intersection(parts.iter().copied())
    }

    /// `keyof T`
    pub(super) fn keys_of(&mut self, of: Ty) -> Ty {
        if !of.is_known() {
            return of;
        }
        if self.is_undecided(of) {
            return self.types.add(Type::KeyOf(of));
        }
        let Some(names) = self.property_names(of, 0) else { return Ty::STRING };
        let keys: Tys = names.into_iter().map(|name| self.types.add(Type::StringLiteral(name))).collect();
        self.types.union(keys)
    }

    /// `T[K]`
    pub(super) fn indexed(&mut self, of: Ty, index: Ty) -> Ty {
        if !of.is_known() {
            return of;
        }
        if self.is_undecided(of) || self.is_undecided(index) || matches!(self.types.get(index), Type::KeyOf(_)) {
            return self.types.add(Type::Indexed(of, index));
        }
        let parts = self.types.parts(index);
        let mut found = Tys::new();
        for part in parts {
            let ty = match *self.types.get(part) {
                Type::StringLiteral(name) | Type::NumberLiteral(name) => self.property(of, name),
                Type::Number => Some(self.element_of(of)),
                Type::EnumMember(..) | Type::String | Type::Symbol => Some(self.index_signature(of)),
                _ => None,
            };
            found.push(ty.unwrap_or(Ty::ANY));
        }
        self.types.union(found)
    }

    /// The type of an expression's type arguments.
    pub(super) fn type_args(&mut self, file: FileIndex, args: &[TypeId]) -> Tys {
        args.iter().map(|arg| self.annotation(file, *arg)).collect()
    }

    /// The type that a cast gives: `as const` and the like leave the value's.
    pub(super) fn cast(&mut self, file: FileIndex, value: ExprId, ty: TypeId) -> Ty {
        let said = self.annotation(file, ty);
        if said == Ty::UNKNOWN { self.expr(file, value) } else { said }
    }
}

fn of_keyword(keyword: Keyword) -> Ty {
    match keyword {
        Keyword::Any => Ty::ANY,
        Keyword::Unknown => Ty::UNKNOWN,
        Keyword::Never => Ty::NEVER,
        Keyword::Void | Keyword::Undefined | Keyword::Null => Ty::NOTHING,
        Keyword::String => Ty::STRING,
        Keyword::Number => Ty::NUMBER,
        Keyword::Boolean => Ty::BOOLEAN,
        Keyword::BigInt => Ty::BIGINT,
        Keyword::Symbol => Ty::SYMBOL,
        Keyword::Object => Ty::OBJECT,
    }
}
