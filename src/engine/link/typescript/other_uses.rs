//! Resolution of mentioned names to the definitions of the sources: uses that are neither calls nor reads.
//!
//! A name resolves through imports and re-exports to what declares it. A property resolves to what a module or
//! namespace declares, else by the type of its receiver to a method or to a function of an object literal; fields are
//! read. A name of a definition outside the sources resolves to none.

use compact_str::CompactString;
use rustc_hash::FxHashSet;

use super::{
    call_sites::call_order,
    infer::{Linker, ResolvedName},
    program::{FileIndex, GlobalDef, InternedName},
    rows::{DefinitionRows, RowDeclaration},
};
use crate::{
    linked::{DefinitionRow, LinkedCall, LinkedDefinition, LinkedUse, PassedArgument},
    other_uses::{UsesOfFile, member_text, result_text},
};
use apidisc_base::nesting;
use apidisc_facts::{
    program::{DefinitionKind, UseKind},
    syntax::typescript::facts::{
        Decl, DefBody, DefId, Expr, ExprId, FileFacts, FunctionKind, Holder, MemberKind, Mention, MentionPlace,
        MentionedName, PassedAs, SymbolId, TypeNode, ValueSource,
    },
};

/// Resolves the mentions of a program.
pub(super) struct UseResolver<'l, 'f> {
    pub(super) linker: &'l mut Linker<'f>,
    pub(super) rows: &'l DefinitionRows,
    pub(super) definitions: &'l [LinkedDefinition],
    /// See [`function_names`].
    pub(super) names: &'l FxHashSet<InternedName>,
}

/// The names of all methods and of all functions of object literals. The receiver of another name is not inferred.
pub(super) fn function_names(linker: &Linker<'_>, rows: &DefinitionRows) -> FxHashSet<InternedName> {
    let mut names = FxHashSet::default();
    for &(file, _, declaration) in &rows.all {
        if let RowDeclaration::Def(def) = declaration
            && linker.program.function(def).is_some()
        {
            names.extend(linker.program.name_of(def).map(|name| linker.program.name(file, name)));
        }
    }
    names
}

impl UseResolver<'_, '_> {
    /// The uses of a file, sorted by line and column. `calls` are its calls in their order.
    pub(super) fn linked_uses(&mut self, file: FileIndex, calls: &[LinkedCall]) -> Vec<LinkedUse> {
        let facts = self.linker.program.facts(file);
        if facts.mentions.is_empty() {
            return Vec::new();
        }
        let mut positions = vec![None; facts.calls.len()];
        call_order(facts).iter().zip(0..).for_each(|(site, at)| positions[site.index()] = Some(at));
        let mut uses = UsesOfFile::default();
        for mention in &facts.mentions {
            self.linker.budget.begin_query();
            let Some(definition) = self.mentioned(file, mention.name) else { continue };
            if self.linker.budget.is_exhausted() || !self.is_use(file, mention, definition) {
                continue;
            }
            let user = mention.user.and_then(|user| self.user(file, user));
            let mut linked = LinkedUse::new((mention.line, mention.col), user, definition);
            let pass = |linked: &mut LinkedUse, passed: PassedAs| {
                let Some(call) = positions[passed.call.index()] else { return };
                linked.argument = Some(PassedArgument { call, argument: passed.argument });
                if calls.get(call as usize).is_some_and(|call| call.resolved().is_none()) {
                    linked.name = callee_text(facts, facts.site(passed.call).callee);
                }
            };
            let name = |name| CompactString::new(facts.name(name));
            linked.kind = match mention.place {
                MentionPlace::Passed { passed, attribute } => {
                    pass(&mut linked, passed);
                    linked.key = attribute.map(name);
                    UseKind::Passed
                }
                MentionPlace::Attribute { element, attribute } => {
                    (linked.name, linked.key) = (Some(name(element)), Some(name(attribute)));
                    UseKind::Passed
                }
                MentionPlace::Held { holder, key } => {
                    match holder {
                        Holder::None => {}
                        Holder::Name(holder) => linked.name = Some(name(holder)),
                        Holder::Argument(passed) => pass(&mut linked, passed),
                    }
                    linked.key = key.map(name);
                    UseKind::Held
                }
                MentionPlace::Annotates(annotation) => {
                    if !uses.is_first_in(annotation, definition) {
                        continue;
                    }
                    UseKind::Annotates
                }
                MentionPlace::Exported => {
                    if !uses.is_first_export(definition) {
                        continue;
                    }
                    UseKind::ReExported
                }
                MentionPlace::Decorates(decorated) => {
                    linked.to = decorated.and_then(|def| self.row_of(file, def));
                    UseKind::Decorates
                }
                MentionPlace::Base => UseKind::Base,
                MentionPlace::Raised => UseKind::Raised,
                MentionPlace::Compared => UseKind::Compared,
                MentionPlace::Returned => UseKind::Returned,
            };
            uses.add(linked);
        }
        uses.finish()
    }

    /// True if a definition that is mentioned is used there.
    fn is_use(&self, file: FileIndex, mention: &Mention, row: DefinitionRow) -> bool {
        match mention.place {
            // A constant may hold an error.
            MentionPlace::Raised => {
                matches!(self.definitions[row.index()].kind, DefinitionKind::Class | DefinitionKind::Constant)
            }
            MentionPlace::Exported => self.definitions[row.index()].file != file.index(),
            _ => true,
        }
    }

    fn row_of(&self, file: FileIndex, def: DefId) -> Option<DefinitionRow> {
        self.rows.of_def.get(&self.linker.program.global_def(file, def)).copied()
    }

    /// The innermost function, class or type around a mention that has a row. That of a constructor is its class.
    fn user(&self, file: FileIndex, def: DefId) -> Option<DefinitionRow> {
        let program = &self.linker.program;
        let mut at = Some(program.global_def(file, def));
        while let Some(def) = at {
            let is_literal = matches!(program.def(def).body, DefBody::Object(_) | DefBody::TypeLiteral(_));
            if let Some(row) = self.rows.caller(program, def).filter(|_| !is_literal) {
                return Some(row);
            }
            at = program.outer(def);
        }
        None
    }

    /// The definition that a mention names.
    fn mentioned(&mut self, file: FileIndex, name: MentionedName) -> Option<DefinitionRow> {
        let facts = self.linker.program.facts(file);
        match name {
            MentionedName::Value(expr) => self.mentioned_value(file, expr),
            MentionedName::Type(ty) => {
                let TypeNode::Ref { symbol: Some(symbol), path, .. } = facts.ty(ty) else { return None };
                let mut resolved = self.linker.resolve_symbol(file, *symbol);
                for segment in path.iter().skip(1) {
                    let name = self.linker.program.name(file, *segment);
                    resolved = self.linker.resolve_member(resolved, name)?;
                }
                self.rows.of_name(&self.linker.program, resolved)
            }
            MentionedName::Local(name) => {
                let symbol = facts.symbol_in(facts.file_scope(), name)?;
                let resolved = self.linker.resolve_symbol(file, symbol);
                self.rows.of_name(&self.linker.program, resolved)
            }
            MentionedName::From(specifier, name) => {
                let name = self.linker.program.name(file, name);
                let resolved = self.linker.resolve_imported_name(file, specifier, name);
                self.rows.of_name(&self.linker.program, resolved)
            }
        }
    }

    fn mentioned_value(&mut self, file: FileIndex, expr: ExprId) -> Option<DefinitionRow> {
        let facts = self.linker.program.facts(file);
        let expr = self.linker.program.without_guards_and_assertions(file, expr);
        match facts.expr(expr) {
            Expr::Name { symbol: Some(symbol), .. } => {
                let resolved = self.linker.resolve_symbol(file, symbol);
                let row = self.rows.of_name(&self.linker.program, resolved);
                row.or_else(|| self.local_function(file, symbol))
            }
            Expr::Property { object, name, .. } => {
                let name = self.linker.program.name(file, name);
                if let Some(parent) = self.namespace(file, object) {
                    let resolved = self.linker.resolve_member(parent, name)?;
                    return self.rows.of_name(&self.linker.program, resolved);
                }
                if !self.names.contains(&name) {
                    return None;
                }
                let receiver = self.linker.receiver_type(file, object);
                let member = self.linker.find_property(receiver, name)?.member?;
                self.function_of_member(member)
            }
            _ => None,
        }
    }

    /// The row of the function that a local constant holds.
    fn local_function(&self, file: FileIndex, symbol: SymbolId) -> Option<DefinitionRow> {
        let facts = self.linker.program.facts(file);
        let [Decl::Variable(variable)] = facts.symbol(symbol).decls[..] else { return None };
        let row = &facts.variables[variable.index()];
        let ValueSource::Value(value) = row.source else { return None };
        match facts.expr(value) {
            Expr::Function(def) | Expr::Class(def) if row.is_const => self.row_of(file, def),
            _ => None,
        }
    }

    /// The module or namespace that an expression names.
    fn namespace(&mut self, file: FileIndex, object: ExprId) -> Option<ResolvedName> {
        let _level = self.linker.descend()?;
        let facts = self.linker.program.facts(file);
        let object = self.linker.program.without_guards_and_assertions(file, object);
        let resolved = match facts.expr(object) {
            Expr::Name { symbol: Some(symbol), .. } => self.linker.resolve_symbol(file, symbol),
            Expr::Property { object, name, .. } => {
                let parent = self.namespace(file, object)?;
                let name = self.linker.program.name(file, name);
                self.linker.resolve_member(parent, name)?
            }
            _ => return None,
        };
        let is_namespace = match resolved {
            ResolvedName::File(_) | ResolvedName::AmbientModule(_) | ResolvedName::External => true,
            ResolvedName::Symbol(symbol) => {
                let program = &self.linker.program;
                let is_namespace = |def: &GlobalDef| matches!(program.def(*def).body, DefBody::Namespace);
                program.definitions(symbol).iter().all(is_namespace) && !program.definitions(symbol).is_empty()
            }
            ResolvedName::Expression(..) | ResolvedName::Missing => false,
        };
        is_namespace.then_some(resolved)
    }

    /// The row of a method, or of a function in an object literal. A field of a class is read, whatever it holds.
    fn function_of_member(&self, (holder, at): (GlobalDef, u16)) -> Option<DefinitionRow> {
        let program = &self.linker.program;
        let file = program.file_of(holder);
        let facts = program.facts(file);
        let function = match &program.members(holder).get(usize::from(at))?.kind {
            MemberKind::Function(function) => {
                let kind = facts.def(*function).function().map(|function| function.kind);
                (!matches!(kind, Some(FunctionKind::Getter | FunctionKind::Setter))).then_some(*function)
            }
            MemberKind::Property { value: Some((value, _)), .. }
                if matches!(program.def(holder).body, DefBody::Object(_)) =>
            {
                match facts.expr(program.without_assertions(file, *value)) {
                    Expr::Function(function) => Some(function),
                    _ => None,
                }
            }
            _ => None,
        };
        self.row_of(file, function?)
    }
}

/// The text of a callee: names that dots join, `….connect` after a receiver of another kind. `None` for any other
/// callee.
fn callee_text(facts: &FileFacts, callee: ExprId) -> Option<CompactString> {
    let _level = nesting::descend()?;
    match facts.expr(callee) {
        Expr::Name { name, .. } => Some(CompactString::new(facts.name(name))),
        Expr::This(_) => Some(CompactString::const_new("this")),
        Expr::Super(_) => Some(CompactString::const_new("super")),
        Expr::Property { object, name, .. } => member_text(callee_text(facts, object), facts.name(name)),
        Expr::Call(site) => result_text(callee_text(facts, facts.site(site).callee)),
        Expr::Narrowed(inner, _) | Expr::NonNull(inner) | Expr::As(inner, _) | Expr::Satisfies(inner, _) => {
            callee_text(facts, inner)
        }
        _ => None,
    }
}
