//! Imports, exports, namespaces and ambient declarations.

use smallvec::SmallVec;
use tree_sitter::{Node, TreeCursor};

use super::{
    Dialect,
    context::{ExportModifier, InferredName, WellKnownNames},
    facts::{
        AmbientModule, Decl, DefBody, DefId, Export, ExportKind, Expr, ExprId, Import, ImportId, ImportKind,
        MentionPlace, MentionedName, NameId, ScopeId, ScopeKind, SymbolId, ValueSource,
    },
    grammar::{NodeKind, SyntaxKind, TokenKind},
    lower::Lowering,
    name_resolution::{LocalExport, NamespaceExport},
    patterns::PatternBinding,
    text,
};
use crate::syntax::tree::line_of;

impl Lowering<'_> {
    pub(super) fn import_statement(&mut self, cursor: &mut TreeCursor) {
        let fields = &self.grammar.fields;
        self.facts.is_module |= self.frame.scope == ScopeId::new(0);
        let node = cursor.node();
        let is_type = self.has_token(node, TokenKind::Type);
        let source = node.child_by_field_id(fields.source).map(|source| self.unquoted_name(source));
        self.named_children(cursor, |this, cursor, kind| match (kind, source) {
            (NodeKind::ImportClause, Some(source)) => this.import_clause(cursor, source, is_type),
            (NodeKind::ImportRequireClause, _) => {
                let module = cursor.node().child_by_field_id(fields.source).map(|source| this.unquoted_name(source));
                let name = this.first_named_child(cursor, |this, cursor, _| this.name_of(cursor.node()));
                if let (Some(module), Some(name)) = (module, name) {
                    this.add_import(cursor.node(), name, module, ImportKind::Required, is_type);
                }
            }
            _ => {}
        });
    }

    /// Interns the text of an identifier or string literal, without quotes.
    fn unquoted_name(&mut self, node: Node) -> NameId {
        let text = text::unquoted(self.text(node));
        self.intern(text)
    }

    fn import_clause(&mut self, cursor: &mut TreeCursor, module: NameId, is_type: bool) {
        let fields = &self.grammar.fields;
        self.named_children(cursor, |this, cursor, kind| match kind {
            NodeKind::Identifier => {
                let node = cursor.node();
                let name = this.name_of(node);
                this.add_import(node, name, module, ImportKind::Named(WellKnownNames::default()), is_type);
            }
            NodeKind::NamespaceImport => {
                this.first_named_child(cursor, |this, cursor, _| {
                    let name = this.name_of(cursor.node());
                    this.add_import(cursor.node(), name, module, ImportKind::Namespace, is_type);
                });
            }
            NodeKind::NamedImports => this.named_children(cursor, |this, cursor, kind| {
                let node = cursor.node();
                let Some(name) = node.child_by_field_id(fields.name).filter(|_| kind == NodeKind::ImportSpecifier)
                else {
                    return;
                };
                let imported = this.unquoted_name(name);
                let local = node.child_by_field_id(fields.alias).map_or(imported, |alias| this.name_of(alias));
                // In `import { type }`, the word is the imported name, not a modifier.
                let is_type = is_type
                    || node.child(0).is_some_and(|first| {
                        this.kind(first) == SyntaxKind::Token(TokenKind::Type) && first.id() != name.id()
                    });
                this.add_import(node, local, module, ImportKind::Named(imported), is_type);
            }),
            _ => {}
        });
    }

    fn add_import(&mut self, node: Node, name: NameId, specifier: NameId, kind: ImportKind, is_type: bool) -> SymbolId {
        let id = ImportId::new(self.facts.imports.len());
        self.facts.imports.push(Import { specifier, kind, is_type, path: Vec::new(), line: line_of(node) });
        self.declare(self.frame.scope, name, Decl::Import(id))
    }

    /// Lowers `import X = A.B.C`.
    pub(super) fn import_alias(&mut self, cursor: &mut TreeCursor, exporting: ExportModifier) {
        let node = cursor.node();
        let mut parts = Vec::new();
        self.named_children(cursor, |this, cursor, _| parts.push(this.qualified_name(cursor.node())));
        let [name, entity] = &parts[..] else { return };
        let id = ImportId::new(self.facts.imports.len());
        self.facts.imports.push(Import {
            specifier: WellKnownNames::empty(),
            kind: ImportKind::Entity,
            is_type: false,
            path: entity.to_vec(),
            line: line_of(node),
        });
        self.declare_exported(self.frame.scope, name[0], Decl::Import(id), exporting, line_of(node));
    }

    pub(super) fn export_statement(&mut self, cursor: &mut TreeCursor) {
        let fields = &self.grammar.fields;
        self.facts.is_module |= self.frame.scope == ScopeId::new(0);
        let node = cursor.node();
        let (line, doc) = (line_of(node), self.doc);
        let source = node.child_by_field_id(fields.source).map(|source| self.unquoted_name(source));
        let is_default = self.has_token(node, TokenKind::Default);
        let is_assignment = self.has_token(node, TokenKind::Assign);
        let mut decorators = Vec::new();
        // The grammar does not know `export type * from`: the `*` is in an ERROR node. So an export with a source is
        // taken for a star export unless it has one of the clauses below.
        let mut is_star = true;
        self.fields(cursor, |this, cursor, kind, field| match kind {
            NodeKind::Decorator => decorators.push(cursor.node()),
            NodeKind::ExportClause => {
                is_star = false;
                this.export_clause(cursor, source);
            }
            NodeKind::NamespaceExport => {
                is_star = false;
                let scope = this.frame.scope;
                let name = this.first_named_child(cursor, |this, cursor, _| this.unquoted_name(cursor.node()));
                match (name, source) {
                    (Some(name), Some(source)) if scope == ScopeId::new(0) => {
                        this.add_export(name, ExportKind::Namespace(source), line);
                    }
                    (Some(name), Some(source)) => {
                        this.declare_namespace_export(scope, name, source, ImportKind::Namespace, line);
                    }
                    _ => {}
                }
            }
            NodeKind::ClassDeclaration | NodeKind::AbstractClassDeclaration if field == fields.declaration => {
                let exporting = if is_default { ExportModifier::Default } else { ExportModifier::Named };
                let doc = this.doc.take();
                this.class_declaration(cursor, exporting, doc, &decorators);
            }
            _ if field == fields.declaration => {
                this.exporting = if is_default { ExportModifier::Default } else { ExportModifier::Named };
                this.statement(cursor, kind);
                this.exporting = ExportModifier::No;
            }
            _ if field == fields.source => {}
            // `export as namespace x` exports no value. It has neither `default` nor `=`.
            NodeKind::Identifier if !is_default && !is_assignment => {
                let is_global = node.child(1).is_some_and(|word| word.kind() == "as");
                this.facts.global_name = is_global.then(|| this.name_of(cursor.node())).or(this.facts.global_name);
            }
            _ if is_default || is_assignment => {
                let inferred = InferredName { name: Some(WellKnownNames::default()), doc, is_member: false };
                this.export_value(cursor, kind, inferred, is_assignment, line);
            }
            _ => {}
        });
        if let Some(source) = source.filter(|_| is_star) {
            self.add_export(WellKnownNames::empty(), ExportKind::Star(source), line);
        }
    }

    /// Lowers `export default x` or `export = x`. `export default make()` declares a constant named `default`, which
    /// no other code of the file can name.
    fn export_value(
        &mut self,
        cursor: &mut TreeCursor,
        kind: NodeKind,
        inferred: InferredName,
        is_assignment: bool,
        line: u32,
    ) {
        let local = (kind == NodeKind::Identifier && !is_assignment).then(|| self.name_of(cursor.node()));
        let value = self.named_expr(cursor, inferred);
        let row = self.facts.exports.len();
        if is_assignment {
            self.add_export(WellKnownNames::empty(), ExportKind::Assign(value), line);
        } else if self.is_made_by_call(value) && self.frame.scope == ScopeId::new(0) {
            let binding = PatternBinding {
                annotation: None,
                source: ValueSource::Value(value),
                is_const: true,
                scope: self.frame.scope,
                exporting: ExportModifier::Default,
            };
            self.declare_variable(WellKnownNames::default(), line, &binding, SmallVec::new());
        } else {
            self.add_export(WellKnownNames::default(), ExportKind::Value(value), line);
        }
        if let Some(name) = local.filter(|_| self.frame.scope == ScopeId::new(0)) {
            self.pending.local_exports.push(LocalExport { name, row });
        }
    }

    /// Whether an expression is the result of a call, possibly with an assertion of its type.
    fn is_made_by_call(&self, value: ExprId) -> bool {
        let mut value = value;
        while let Expr::As(inner, _) | Expr::Satisfies(inner, _) | Expr::NonNull(inner) = self.facts.expr(value) {
            value = inner;
        }
        matches!(self.facts.expr(value), Expr::Call(_))
    }

    /// Lowers `{ a, b as c }`.
    fn export_clause(&mut self, cursor: &mut TreeCursor, source: Option<NameId>) {
        let fields = &self.grammar.fields;
        self.named_children(cursor, |this, cursor, kind| {
            let node = cursor.node();
            let Some(name) = node.child_by_field_id(fields.name).filter(|_| kind == NodeKind::ExportSpecifier) else {
                return;
            };
            let name = this.unquoted_name(name);
            let exported = node.child_by_field_id(fields.alias).map_or(name, |alias| this.unquoted_name(alias));
            let (scope, line) = (this.frame.scope, line_of(node));
            let is_in_namespace = scope != ScopeId::new(0);
            let kind = if let Some(source) = source {
                if is_in_namespace {
                    this.declare_namespace_export(scope, exported, source, ImportKind::Named(name), line);
                    return;
                }
                ExportKind::From(source, name)
            } else if is_in_namespace {
                this.pending.namespace_exports.push(NamespaceExport { scope, name, exported, line });
                return;
            } else {
                let row = this.facts.exports.len();
                this.pending.local_exports.push(LocalExport { name, row });
                // A placeholder until names are resolved. It remains if the file does not declare the name.
                ExportKind::Value(this.add_expr(Expr::Name { name, symbol: None }))
            };
            this.add_export(exported, kind, line);
            let token = node.child_by_field_id(fields.name);
            let mentioned = source.map_or(MentionedName::Local(name), |source| MentionedName::From(source, name));
            this.record_mention(mentioned, token, MentionPlace::Exported);
        });
    }

    /// Declares a name that a namespace exports, and that stands for a name of another scope or module.
    pub(super) fn declare_namespace_export(
        &mut self,
        scope: ScopeId,
        exported: NameId,
        specifier: NameId,
        kind: ImportKind,
        line: u32,
    ) {
        let id = ImportId::new(self.facts.imports.len());
        self.facts.imports.push(Import { specifier, kind, is_type: false, path: Vec::new(), line });
        let symbol = self.declare(scope, exported, Decl::Import(id));
        self.facts.symbols[symbol.index()].is_exported = true;
    }

    /// Adds an export of the file or of the ambient module around the statement. Does nothing in another namespace,
    /// whose exports are marked in its symbols instead.
    pub(super) fn add_export(&mut self, name: NameId, kind: ExportKind, line: u32) {
        let export = Export { name, kind, line };
        if self.frame.scope == ScopeId::new(0) {
            self.facts.exports.push(export);
        } else if let Some(module) = self.facts.ambient_modules.last_mut()
            && self.facts.definitions[module.namespace.index()].scope == self.frame.scope
        {
            module.exports.push(export);
        }
    }

    /// Lowers `namespace A.B { … }` or `module "m" { … }`.
    pub(super) fn namespace(&mut self, cursor: &mut TreeCursor, exporting: ExportModifier) {
        let fields = &self.grammar.fields;
        let node = cursor.node();
        let Some(name_node) = node.child_by_field_id(fields.name) else { return };
        if self.is_node(name_node, NodeKind::String) {
            let name = self.unquoted_name(name_node);
            let namespace = self.add_def(node, InferredName::default(), DefBody::Namespace);
            self.facts.ambient_modules.push(AmbientModule { name, namespace, exports: Vec::new() });
            self.namespace_body(cursor, namespace, None);
            return;
        }
        let names = self.qualified_name(name_node);
        self.nested_namespace(cursor, &names, exporting);
    }

    /// Lowers `namespace A.B { … }` as the namespace `A` that exports the namespace `B`.
    fn nested_namespace(&mut self, cursor: &mut TreeCursor, names: &[NameId], exporting: ExportModifier) {
        let [name, inner @ ..] = names else { return };
        let def = self.add_def(cursor.node(), InferredName::named(Some(*name)), DefBody::Namespace);
        self.declare_def(*name, def, exporting);
        let scope = self.merged_namespace(*name, def);
        if inner.is_empty() {
            self.namespace_body(cursor, def, scope);
        } else {
            self.in_namespace(cursor.node(), def, scope, |this| {
                this.nested_namespace(cursor, inner, ExportModifier::Named);
            });
        }
    }

    /// The scope of an earlier namespace of the same name, with which `def` merges (declaration merging).
    fn merged_namespace(&self, name: NameId, def: DefId) -> Option<ScopeId> {
        let symbol = self.symbols.get(&(self.frame.scope, name))?;
        self.facts.symbol(*symbol).decls.iter().find_map(|decl| match decl {
            Decl::Def(other) if *other != def => {
                let other = self.facts.def(*other);
                matches!(other.body, DefBody::Namespace).then_some(other.scope)
            }
            _ => None,
        })
    }

    fn namespace_body(&mut self, cursor: &mut TreeCursor, def: DefId, scope: Option<ScopeId>) {
        let fields = &self.grammar.fields;
        self.in_namespace(cursor.node(), def, scope, |this| {
            this.field(cursor, fields.body, |this, cursor, _| this.statements(cursor));
        });
    }

    /// Runs `f` in the namespace `def`. The scope of the namespace is `scope`, or a new one if `scope` is `None`.
    fn in_namespace(&mut self, node: Node, def: DefId, scope: Option<ScopeId>, f: impl FnOnce(&mut Self)) {
        let start = self.start_branch();
        let outer = (self.frame.scope, self.frame.var_scope);
        self.in_definition(def, |this| {
            let scope = scope.unwrap_or_else(|| this.add_scope(ScopeKind::Namespace));
            (this.frame.scope, this.frame.var_scope) = (scope, scope);
            this.facts.definitions[def.index()].scope = scope;
            this.descend(node, f);
        });
        (self.frame.scope, self.frame.var_scope) = outer;
        self.end_branch_and_join(&start);
    }

    /// Lowers `declare …` or `declare global { … }`. In JavaScript, `declare` is Flow's: what it describes is defined
    /// outside of JavaScript and TypeScript, and TypeScript does not see it.
    pub(super) fn ambient_declaration(&mut self, cursor: &mut TreeCursor) {
        if self.dialect == Dialect::JavaScript {
            return;
        }
        let is_global = self.has_token(cursor.node(), TokenKind::Global);
        let outer = std::mem::replace(&mut self.frame.is_ambient, true);
        self.named_children(cursor, |this, cursor, kind| {
            if kind == NodeKind::StatementBlock && is_global {
                let def = this.add_def(cursor.node(), InferredName::default(), DefBody::Namespace);
                this.facts.global_augmentations.push(def);
                this.in_namespace(cursor.node(), def, None, |this| this.statements(cursor));
            } else {
                this.statement(cursor, kind);
            }
        });
        self.frame.is_ambient = outer;
    }
}
