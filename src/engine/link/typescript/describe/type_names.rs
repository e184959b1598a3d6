//! The names of types that the texts of a definition mention, with their definitions.

use compact_str::CompactString;

use super::Describer;
use crate::linked::DefinitionRow;
use crate::typescript::{
    callees::MAX_PROPERTIES,
    infer::ResolvedName,
    program::{FileIndex, GlobalDef, ProgramFacts},
    rows::{DefinitionKey, DefinitionRows},
    types::{InternedType, TypeKind},
};
use apidisc_base::nesting;
use apidisc_facts::syntax::typescript::facts::{
    Decl, DefBody, Expr, ExprId, Member, MemberKind, NameId, SymbolId, TypeId, TypeNode,
};

/// The names of types in the texts of a definition.
#[derive(Debug, Default)]
pub(super) struct TypeNames {
    /// Each name with the row of its definition; `None` if the sources do not define it.
    pub(in crate::typescript) all: Vec<(CompactString, Option<DefinitionRow>)>,
    /// The first parts of the names without a row, each with its symbol.
    pub(super) without_row: Vec<(CompactString, FileIndex, SymbolId)>,
    /// The number of functions and members of objects whose types were written for the definition, also for texts that
    /// are not shown.
    parts: u32,
}

/// The greatest number of functions and members of objects whose types are written for one definition. The types of
/// functions and objects that name each other may hold each other again and again.
const MAX_PARTS: u32 = 1_000;

impl TypeNames {
    /// Counts the type of a function or of a member of an object. Returns false if no more are written.
    pub(super) fn add_part(&mut self) -> bool {
        self.parts += 1;
        self.parts <= MAX_PARTS
    }

    /// Adds a name. A global name that the sources do not define is known in every file, so it is left out.
    fn add(
        &mut self,
        text: CompactString,
        target: &TypeNameTarget,
        (program, rows): (&ProgramFacts<'_>, &DefinitionRows),
        symbol: Option<(FileIndex, SymbolId)>,
    ) {
        let row = match target {
            TypeNameTarget::Definition(target) => rows.of_type(program, *target),
            TypeNameTarget::Outside => None,
            TypeNameTarget::Parameter => return,
        };
        match symbol {
            None if row.is_none() => return,
            Some((file, symbol)) if row.is_none() => {
                let root = text.split('.').next().unwrap_or_default();
                self.without_row.push((root.into(), file, symbol));
            }
            _ => {}
        }
        self.all.push((text, row));
    }
}

impl Describer<'_, '_> {
    pub(super) fn add_type_names_of_function(&mut self, def: GlobalDef) {
        let file = self.linker.program.file_of(def);
        let Some(function) = self.linker.program.function(def) else { return };
        let annotations = function.params.iter().filter_map(|p| p.annotation.as_ref()).chain(&function.returns);
        for (ty, _) in annotations {
            self.add_type_names(file, *ty, 0);
        }
        for param in &function.type_params {
            let row = &self.linker.program.facts(file).type_params[param.index()];
            for ty in row.constraint.iter().chain(&row.default) {
                self.add_type_names(file, *ty, 0);
            }
        }
        // The properties of options objects are listed as parameters, with their annotations.
        for at in 0..function.params.len() {
            let ty = self.linker.parameter_type(def, at as u16);
            self.add_type_names_of_properties(ty, 0);
        }
    }

    pub(super) fn add_type_names_of_properties(&mut self, ty: InternedType, depth: u32) {
        let Some(_level) = nesting::descend() else { return };
        if depth > 4 || self.names.all.len() > 200 {
            return;
        }
        match self.linker.types.kind(ty).clone() {
            TypeKind::Reference(symbol, _) => {
                for def in self.linker.program.definitions(symbol) {
                    if self.linker.program.is_platform(def) || self.linker.program.def(def).class().is_some() {
                        continue;
                    }
                    self.add_type_names_of_members(def);
                    for base in self.linker.base_types(def) {
                        self.add_type_names_of_properties(base, depth + 1);
                    }
                }
            }
            TypeKind::Anonymous(def, _) if !self.linker.program.is_platform(def) => {
                self.add_type_names_of_members(def);
            }
            TypeKind::Intersection(constituents) | TypeKind::Union(constituents) => {
                for constituent in constituents {
                    self.add_type_names_of_properties(constituent, depth + 1);
                }
            }
            TypeKind::Mapped(_, _, substitution) => {
                for (_, ty) in self.linker.types.bindings(substitution).to_vec() {
                    self.add_type_names_of_properties(ty, depth + 1);
                }
            }
            _ => {}
        }
    }

    pub(super) fn add_type_names_of_members(&mut self, def: GlobalDef) {
        // The other members are not listed.
        for member in self.linker.program.members(def).iter().take(MAX_PROPERTIES) {
            self.add_type_names_of_member(def, member, 0);
        }
    }

    /// Adds the names in the type of a property or method that `holder` declares.
    fn add_type_names_of_member(&mut self, holder: GlobalDef, member: &Member, depth: u32) {
        let file = self.linker.program.file_of(holder);
        match &member.kind {
            MemberKind::Property { annotation: Some((ty, _)), .. } => {
                self.add_type_names(file, *ty, depth);
            }
            MemberKind::Function(function) => {
                let Some(function) = self.linker.program.facts(file).def(*function).function() else { return };
                let annotations = function.params.iter().filter_map(|p| p.annotation.as_ref()).chain(&function.returns);
                for (ty, _) in annotations {
                    self.add_type_names(file, *ty, depth);
                }
            }
            _ => {}
        }
    }

    /// Adds the names in a type node.
    pub(super) fn add_type_names(&mut self, file: FileIndex, ty: TypeId, depth: u32) {
        let Some(_level) = nesting::descend() else { return };
        if depth > 12 || self.names.all.len() > 400 {
            return;
        }
        let depth = depth + 1;
        let facts = self.linker.program.facts(file);
        match facts.ty(ty) {
            TypeNode::Ref { symbol, path, args, .. } => {
                for arg in facts.type_list(*args) {
                    self.add_type_names(file, *arg, depth);
                }
                let mut path = &path[..];
                let mut target = self.type_name_target(file, *symbol, path);
                // `Level.Debug`: a member of an enum has no name of its own among types.
                if let [enumeration @ .., _] = path
                    && let of_path = self.type_name_target(file, *symbol, enumeration)
                    && self.is_enum(&of_path)
                {
                    (path, target) = (enumeration, of_path);
                }
                let text = path.iter().map(|segment| facts.name(*segment)).collect::<Vec<_>>().join(".");
                self.names.add(
                    text.into(),
                    &target,
                    (&self.linker.program, self.rows),
                    symbol.map(|symbol| (file, symbol)),
                );
            }
            TypeNode::Array(inner) | TypeNode::Operator(inner) | TypeNode::KeyOf(inner) => {
                self.add_type_names(file, *inner, depth);
            }
            TypeNode::Tuple(elements) => {
                for element in elements {
                    self.add_type_names(file, element.ty, depth);
                }
            }
            TypeNode::Union(list) | TypeNode::Intersection(list) | TypeNode::Template(list) => {
                for constituent in facts.type_list(*list) {
                    self.add_type_names(file, *constituent, depth);
                }
            }
            TypeNode::Function(def) => {
                let Some(function) = facts.def(*def).function() else { return };
                let annotations = function.params.iter().filter_map(|p| p.annotation.as_ref()).chain(&function.returns);
                for (ty, _) in annotations {
                    self.add_type_names(file, *ty, depth);
                }
            }
            TypeNode::Literal(def) => {
                let def = self.linker.program.global_def(file, *def);
                self.add_type_names_of_members(def);
            }
            TypeNode::TypeOf(expr) => {
                self.add_type_name_of_value(file, *expr);
                let def = self.named_function(file, *expr);
                if let Some((def, function)) = def.and_then(|def| Some((def, self.linker.program.function(def)?))) {
                    let file = self.linker.program.file_of(def);
                    let annotations = function.params.iter().filter_map(|p| p.annotation.as_ref());
                    for (ty, _) in annotations.chain(&function.returns) {
                        self.add_type_names(file, *ty, depth);
                    }
                }
            }
            TypeNode::Indexed(a, b) => {
                self.add_type_names(file, *a, depth);
                self.add_type_names(file, *b, depth);
                if let Some((holder, at)) = self.indexed_member(file, ty) {
                    self.add_type_names_of_member(holder, &self.linker.program.members(holder)[usize::from(at)], depth);
                }
            }
            TypeNode::Conditional { check, extends, positive, negative, .. } => {
                for ty in [check, extends, positive, negative] {
                    self.add_type_names(file, *ty, depth);
                }
            }
            TypeNode::Mapped { key, value, renamed, .. } => {
                let constraint = facts.type_params[key.index()].constraint;
                for ty in constraint.iter().chain(value).chain(renamed) {
                    self.add_type_names(file, *ty, depth);
                }
            }
            TypeNode::Predicate { ty: Some(ty), .. } => self.add_type_names(file, *ty, depth),
            _ => {}
        }
    }

    /// Whether a name denotes an enum.
    fn is_enum(&self, target: &TypeNameTarget) -> bool {
        let TypeNameTarget::Definition(DefinitionKey::Symbol(symbol)) = target else { return false };
        let definitions = self.linker.program.definitions(*symbol);
        definitions.iter().any(|def| matches!(self.linker.program.def(*def).body, DefBody::Enum(_)))
    }

    /// The resolution of a dotted type name.
    pub(super) fn type_name_target(
        &mut self,
        file: FileIndex,
        symbol: Option<SymbolId>,
        path: &[NameId],
    ) -> TypeNameTarget {
        let Some((first, rest)) = path.split_first() else { return TypeNameTarget::Parameter };
        let mut resolved = if let Some(symbol) = symbol {
            self.linker.resolve_symbol(file, symbol)
        } else {
            let name = self.linker.program.name(file, *first);
            self.linker.resolve_global(file, name)
        };
        if let ResolvedName::Symbol(symbol) = resolved
            && self.linker.program.declarations(symbol).iter().all(|(_, decl)| matches!(decl, Decl::TypeParam(_)))
        {
            return TypeNameTarget::Parameter;
        }
        for segment in rest {
            let name = self.linker.program.name(file, *segment);
            resolved = self.linker.resolve_member(resolved, name).unwrap_or(ResolvedName::Missing);
        }
        DefinitionKey::of_name(&self.linker.program, resolved)
            .map_or(TypeNameTarget::Outside, TypeNameTarget::Definition)
    }

    /// Adds the name of a value that `typeof` names, or the name before its first `.`. A value that an import brings in
    /// from outside of the sources has its whole dotted name.
    pub(super) fn add_type_name_of_value(&mut self, file: FileIndex, expr: ExprId) {
        let facts = self.linker.program.facts(file);
        let (mut at, mut path) = (expr, Vec::new());
        while let Expr::Property { object, name, .. } = facts.expr(at) {
            path.push(name);
            at = object;
        }
        let Expr::Name { name, symbol } = facts.expr(at) else { return };
        path.push(name);
        path.reverse();
        let target = self.type_name_target(file, symbol, &path[..1]);
        let is_outside = matches!(target, TypeNameTarget::Outside);
        let path = if is_outside { &path[..] } else { &path[..1] };
        let text = path.iter().map(|segment| facts.name(*segment)).collect::<Vec<_>>().join(".");
        self.names.add(text.into(), &target, (&self.linker.program, self.rows), symbol.map(|symbol| (file, symbol)));
    }
}

/// The resolution of a type name.
pub(super) enum TypeNameTarget {
    Definition(DefinitionKey),
    /// A type that the sources do not define.
    Outside,
    /// A type parameter, which is not listed.
    Parameter,
}
