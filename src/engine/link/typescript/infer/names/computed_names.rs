//! Computed names of properties: the name of the property `[key]` is the value of the constant `key`.
//!
//! The name of a property may be a symbol: after `const key = Symbol()`, the type of `key` is a `unique symbol`
//! (TypeScript handbook, "Symbols"), and `[key]` names a property that no text names. Inside the linker such a property
//! has a name that no source declares, see [`UNIQUE_SYMBOL`].

use crate::typescript::{
    infer::{Linker, names::ResolvedName},
    program::{FileIndex, GlobalDef, GlobalSymbol, InternedName},
    types::{InternedType, InternedTypes, TypeKind},
};
use apidisc_base::nesting;
use apidisc_facts::syntax::typescript::facts::{
    DefBody, Expr, ExprId, FileFacts, Keyword, TypeNode, ValueSource, Variable, VariableId,
};

/// The first character of the names that stand for unique symbols.
const UNIQUE_SYMBOL: char = '\0';

/// The beginning of the names that stand for members of enums which hold numbers.
const ENUM_MEMBER: &str = "\0enum ";

/// The greatest number of constants between a key and the literal or symbol: `const a = b`.
const MAX_CONSTANTS: u32 = 4;

/// The greatest number of members of an enum whose types are listed.
const MAX_MEMBERS: usize = 64;

impl Linker<'_> {
    /// The name of a member; `None` for a signature, a spread, and a computed name whose value is not known.
    pub(in super::super) fn member_name(&mut self, def: GlobalDef, at: usize) -> Option<InternedName> {
        let file = self.program.file_of(def);
        let member = &self.program.members(def)[at];
        match member.name {
            Some(name) => Some(self.program.name(file, name)),
            None => self.name_of_key(file, member.computed_name?),
        }
    }

    /// The name of the property that a constant key selects.
    fn name_of_key(&mut self, file: FileIndex, key: ExprId) -> Option<InternedName> {
        if let Some((file, variable)) = self.called_constant(file, key) {
            return self.name_in_constant(file, variable, 0);
        }
        let Expr::Property { object, name, .. } = self.program.facts(file).expr(key) else { return None };
        let ResolvedName::Symbol(symbol) = self.named_value(file, object, 0)? else { return None };
        let member = self.program.name(file, name);
        self.property_of_enum_member(symbol, member)
    }

    /// The name of the property that a member of an enum selects: the string that it holds; for a number, a name that
    /// stands for the member.
    pub(in super::super) fn property_of_enum_member(
        &mut self,
        symbol: GlobalSymbol,
        member: InternedName,
    ) -> Option<InternedName> {
        let held = self.key_of_enum_member(symbol, member);
        held.or_else(|| {
            let name = format!("{ENUM_MEMBER}{}:{}", symbol.index(), member.index());
            self.is_enum_member(symbol, member).then(|| self.program.names.intern(&name))
        })
    }

    fn is_enum_member(&self, symbol: GlobalSymbol, member: InternedName) -> bool {
        self.program.definitions(symbol).into_iter().any(|def| {
            let file = self.program.file_of(def);
            let DefBody::Enum(body) = &self.program.def(def).body else { return false };
            body.members.iter().any(|(name, ..)| self.program.name(file, *name) == member)
        })
    }

    /// The member of an enum that a name stands for.
    fn enum_member_of_name(&self, name: InternedName) -> Option<(GlobalSymbol, InternedName)> {
        let (symbol, member) = self.program.names.text(name).strip_prefix(ENUM_MEMBER)?.split_once(':')?;
        Some((GlobalSymbol::new(symbol.parse().ok()?), InternedName::new(member.parse().ok()?)))
    }

    /// The string that a member of an enum holds, and thus the name of the property that it selects.
    pub(in super::super) fn key_of_enum_member(
        &self,
        symbol: GlobalSymbol,
        member: InternedName,
    ) -> Option<InternedName> {
        self.program.definitions(symbol).into_iter().find_map(|def| {
            let file = self.program.file_of(def);
            let DefBody::Enum(body) = &self.program.def(def).body else { return None };
            let (.., value) = body.members.iter().find(|(name, ..)| self.program.name(file, *name) == member)?;
            match self.program.facts(file).expr(value.as_ref()?.0) {
                Expr::String(Some(text)) => Some(self.program.name(file, text)),
                _ => None,
            }
        })
    }

    /// The types of the members of an enum; the type itself if it is that of no enum of the sources, or of one with
    /// more than [`MAX_MEMBERS`].
    pub(in super::super) fn members_of_enum(&mut self, ty: InternedType) -> InternedTypes {
        let TypeKind::Reference(symbol, _) = *self.types.kind(ty) else { return InternedTypes::from_slice(&[ty]) };
        let mut members = InternedTypes::new();
        for def in self.program.definitions(symbol) {
            let file = self.program.file_of(def);
            let DefBody::Enum(body) = &self.program.def(def).body else { continue };
            for (name, ..) in body.members.iter().take(MAX_MEMBERS + 1) {
                let name = self.program.name(file, *name);
                members.push(self.types.intern(TypeKind::EnumMember(symbol, name)));
            }
        }
        if (1..=MAX_MEMBERS).contains(&members.len()) { members } else { InternedTypes::from_slice(&[ty]) }
    }

    fn name_in_constant(&mut self, file: FileIndex, variable: VariableId, depth: u32) -> Option<InternedName> {
        let _level = nesting::descend()?;
        if let Some(name) = self.unique_symbol(file, variable) {
            return Some(name);
        }
        let facts = self.program.facts(file);
        let row = &facts.variables[variable.index()];
        let ValueSource::Value(value) = row.source else { return None };
        if !row.is_const || !row.path.is_empty() || depth >= MAX_CONSTANTS {
            return None;
        }
        let value = self.program.without_guards_and_assertions(file, value);
        if let Expr::String(Some(text)) = facts.expr(value) {
            return Some(self.program.name(file, text));
        }
        let (file, variable) = self.called_constant(file, value)?;
        self.name_in_constant(file, variable, depth + 1)
    }

    /// The name of the properties that a constant names, if it holds a symbol of its own.
    pub(in super::super) fn unique_symbol(&mut self, file: FileIndex, variable: VariableId) -> Option<InternedName> {
        let facts = self.program.facts(file);
        let is_unique = holds_symbol(facts, &facts.variables[variable.index()]);
        is_unique.then(|| {
            let name = format!("{UNIQUE_SYMBOL}{}:{}", file.index(), variable.index());
            self.program.names.intern(&name)
        })
    }

    /// Whether a name stands for a unique symbol.
    pub(in crate::typescript) fn is_unique_symbol(&self, name: InternedName) -> bool {
        self.program.names.text(name).starts_with(UNIQUE_SYMBOL)
    }

    /// The type of the key that selects the property `name`: a string literal type, a unique symbol or a member of an
    /// enum.
    pub(in super::super) fn key_type(&mut self, name: InternedName) -> InternedType {
        if let Some((symbol, member)) = self.enum_member_of_name(name) {
            return self.types.intern(TypeKind::EnumMember(symbol, member));
        }
        let is_symbol = self.is_unique_symbol(name);
        self.types.intern(if is_symbol { TypeKind::UniqueSymbol(name) } else { TypeKind::StringLiteral(name) })
    }
}

/// Whether a variable is declared as `const key = Symbol()`, `const key = Symbol.for("key")` or
/// `declare const key: unique symbol`.
fn holds_symbol(facts: &FileFacts, row: &Variable) -> bool {
    if !row.is_const || !row.path.is_empty() {
        return false;
    }
    if let Some(annotation) = row.annotation {
        return matches!(facts.ty(annotation), TypeNode::Keyword(Keyword::Symbol));
    }
    let ValueSource::Value(value) = row.source else { return false };
    let Expr::Call(site) = facts.expr(value) else { return false };
    let is_symbol =
        |expr| matches!(facts.expr(expr), Expr::Name { name, symbol: None } if facts.name(name) == "Symbol");
    let callee = facts.site(site).callee;
    match facts.expr(callee) {
        Expr::Property { object, name, .. } => facts.name(name) == "for" && is_symbol(object),
        _ => is_symbol(callee),
    }
}
