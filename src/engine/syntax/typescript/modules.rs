//! Imports, exports, namespaces and ambient declarations.

use tree_sitter::{Node, TreeCursor};

use super::{
    facts::{
        Decl, DefBody, DefId, Export, ExportKind, Expr, Import, ImportId, ImportKind, NameId, ScopeId, ScopeKind,
        SymbolId,
    },
    finish::LocalExport,
    frame::{Exporting, Holder, Words},
    kinds::{Kind, Named, Token},
    lower::{Lowering, line_of},
    text,
};

impl Lowering<'_> {
    pub(super) fn import(&mut self, cursor: &mut TreeCursor) {
        let fields = &self.grammar.fields;
        self.facts.is_module |= self.frame.scope == ScopeId::new(0);
        let node = cursor.node();
        let is_type = self.has_token(node, Token::Type);
        let source = node.child_by_field_id(fields.source).map(|source| self.unquoted(source));
        self.nodes(cursor, |this, cursor, kind| match (kind, source) {
            (Named::ImportClause, Some(source)) => this.import_clause(cursor, source, is_type),
            (Named::ImportRequireClause, _) => {
                let module = cursor.node().child_by_field_id(fields.source).map(|source| this.unquoted(source));
                let name = this.first(cursor, |this, cursor, _| this.name_of(cursor.node()));
                if let (Some(module), Some(name)) = (module, name) {
                    this.add_import(cursor.node(), name, module, ImportKind::Required, is_type);
                }
            }
            _ => {}
        });
    }

    fn unquoted(&mut self, node: Node) -> NameId {
        let text = text::unquoted(self.text(node));
        self.intern(text)
    }

    fn import_clause(&mut self, cursor: &mut TreeCursor, module: NameId, is_type: bool) {
        let fields = &self.grammar.fields;
        self.nodes(cursor, |this, cursor, kind| match kind {
            Named::Identifier => {
                let node = cursor.node();
                let name = this.name_of(node);
                this.add_import(node, name, module, ImportKind::Named(Words::default()), is_type);
            }
            Named::NamespaceImport => {
                this.first(cursor, |this, cursor, _| {
                    let name = this.name_of(cursor.node());
                    this.add_import(cursor.node(), name, module, ImportKind::Namespace, is_type);
                });
            }
            Named::NamedImports => this.nodes(cursor, |this, cursor, kind| {
                let node = cursor.node();
                let Some(name) = node.child_by_field_id(fields.name).filter(|_| kind == Named::ImportSpecifier) else {
                    return;
                };
                let taken = this.unquoted(name);
                let local = node.child_by_field_id(fields.alias).map_or(taken, |alias| this.name_of(alias));
                // `type` may be the name itself.
                let is_type = is_type
                    || node
                        .child(0)
                        .is_some_and(|first| this.kind(first) == Kind::Token(Token::Type) && first.id() != name.id());
                this.add_import(node, local, module, ImportKind::Named(taken), is_type);
            }),
            _ => {}
        });
    }

    fn add_import(&mut self, node: Node, name: NameId, specifier: NameId, kind: ImportKind, is_type: bool) -> SymbolId {
        let id = ImportId::new(self.facts.imports.len());
        self.facts.imports.push(Import { specifier, kind, is_type, path: Vec::new(), line: line_of(node) });
        self.declare(self.frame.scope, name, Decl::Import(id))
    }

    /// `import X = A.B.C`
    pub(super) fn import_alias(&mut self, cursor: &mut TreeCursor, exporting: Exporting) {
        let node = cursor.node();
        let mut parts = Vec::new();
        self.nodes(cursor, |this, cursor, _| parts.push(this.names(cursor.node())));
        let [name, entity] = &parts[..] else { return };
        let id = ImportId::new(self.facts.imports.len());
        self.facts.imports.push(Import {
            specifier: Words::nothing(),
            kind: ImportKind::Entity,
            is_type: false,
            path: entity.to_vec(),
            line: line_of(node),
        });
        self.declare_exported(self.frame.scope, name[0], Decl::Import(id), exporting, line_of(node));
    }

    pub(super) fn export(&mut self, cursor: &mut TreeCursor) {
        let fields = &self.grammar.fields;
        self.facts.is_module |= self.frame.scope == ScopeId::new(0);
        let node = cursor.node();
        let (line, doc) = (line_of(node), self.doc);
        let source = node.child_by_field_id(fields.source).map(|source| self.unquoted(source));
        let is_default = self.has_token(node, Token::Default);
        let is_assignment = self.has_token(node, Token::Assign);
        let mut decorators = Vec::new();
        // The grammar knows no `export type * from`, and takes it for an error.
        let mut is_star = true;
        self.fields(cursor, |this, cursor, kind, field| match kind {
            Named::Decorator => decorators.push(cursor.node()),
            Named::ExportClause => {
                is_star = false;
                this.export_clause(cursor, source);
            }
            Named::NamespaceExport => {
                is_star = false;
                if let (Some(name), Some(source)) =
                    (this.first(cursor, |this, cursor, _| this.unquoted(cursor.node())), source)
                {
                    this.offer(name, ExportKind::Namespace(source), line);
                }
            }
            Named::ClassDeclaration | Named::AbstractClassDeclaration if field == fields.declaration => {
                let exporting = if is_default { Exporting::Default } else { Exporting::Named };
                let doc = this.doc.take();
                this.class_declaration(cursor, exporting, doc, &decorators);
            }
            _ if field == fields.declaration => {
                this.exporting = if is_default { Exporting::Default } else { Exporting::Named };
                this.statement(cursor, kind);
                this.exporting = Exporting::No;
            }
            _ if field == fields.source => {}
            // `export as namespace x` has an identifier, too, but no token of these.
            _ if is_default || is_assignment => {
                let holder = Holder { name: Some(Words::default()), doc };
                this.export_value(cursor, kind, holder, is_assignment, line);
            }
            _ => {}
        });
        if let Some(source) = source.filter(|_| is_star) {
            self.offer(Words::nothing(), ExportKind::Star(source), line);
        }
    }

    /// `export default x`, `export = x`
    fn export_value(&mut self, cursor: &mut TreeCursor, kind: Named, holder: Holder, is_assignment: bool, line: u32) {
        let local = (kind == Named::Identifier && !is_assignment).then(|| self.name_of(cursor.node()));
        let value = self.named(cursor, holder);
        let at = self.facts.exports.len();
        if is_assignment {
            self.offer(Words::nothing(), ExportKind::Assign(value), line);
        } else {
            self.offer(Words::default(), ExportKind::Value(value), line);
        }
        if let Some(name) = local {
            self.pending.exports.push(LocalExport { scope: self.frame.scope, name, at });
        }
    }

    /// `{ a, b as c }`
    fn export_clause(&mut self, cursor: &mut TreeCursor, source: Option<NameId>) {
        let fields = &self.grammar.fields;
        self.nodes(cursor, |this, cursor, kind| {
            let node = cursor.node();
            let Some(name) = node.child_by_field_id(fields.name).filter(|_| kind == Named::ExportSpecifier) else {
                return;
            };
            let name = this.unquoted(name);
            let offered = node.child_by_field_id(fields.alias).map_or(name, |alias| this.unquoted(alias));
            let kind = if let Some(source) = source {
                ExportKind::From(source, name)
            } else {
                let (scope, at) = (this.frame.scope, this.facts.exports.len());
                this.pending.exports.push(LocalExport { scope, name, at });
                // Of a name that the file does not declare, this is what stays.
                ExportKind::Value(this.add(Expr::Name { name, symbol: None }))
            };
            this.offer(offered, kind, line_of(node));
        });
    }

    /// Offers something to other files; in a namespace, only to those who look into it.
    fn offer(&mut self, name: NameId, kind: ExportKind, line: u32) {
        if self.frame.scope == ScopeId::new(0) {
            self.facts.exports.push(Export { name, kind, line });
        }
    }

    /// `namespace A.B { … }`, `module "m" { … }`
    pub(super) fn namespace(&mut self, cursor: &mut TreeCursor, exporting: Exporting) {
        let fields = &self.grammar.fields;
        let node = cursor.node();
        let Some(name_node) = node.child_by_field_id(fields.name) else { return };
        if self.is(name_node, Named::String) {
            let name = self.unquoted(name_node);
            let def = self.add_def(node, Holder::default(), DefBody::Namespace);
            self.facts.ambient_modules.push((name, def));
            self.namespace_body(cursor, def, None);
            return;
        }
        let names = self.names(name_node);
        self.nested_namespace(cursor, &names, exporting);
    }

    fn nested_namespace(&mut self, cursor: &mut TreeCursor, names: &[NameId], exporting: Exporting) {
        let [name, inner @ ..] = names else { return };
        let def = self.add_def(cursor.node(), Holder::named(Some(*name)), DefBody::Namespace);
        self.declare_def(*name, def, exporting);
        let scope = self.merged_namespace(*name, def);
        if inner.is_empty() {
            self.namespace_body(cursor, def, scope);
        } else {
            self.in_namespace(cursor.node(), def, scope, |this| {
                this.nested_namespace(cursor, inner, Exporting::Named);
            });
        }
    }

    /// The scope of an earlier namespace of that name, which this one adds to.
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

    fn in_namespace(&mut self, node: Node, def: DefId, scope: Option<ScopeId>, f: impl FnOnce(&mut Self)) {
        let mark = self.mark();
        let outer = (self.frame.scope, self.frame.var_scope);
        self.within(def, |this| {
            let scope = scope.unwrap_or_else(|| this.add_scope(ScopeKind::Namespace));
            (this.frame.scope, this.frame.var_scope) = (scope, scope);
            this.facts.definitions[def.index()].scope = scope;
            this.deeper(node, f);
        });
        (self.frame.scope, self.frame.var_scope) = outer;
        self.leave_and_meet(&mark);
    }

    /// `declare …`, `declare global { … }`
    pub(super) fn ambient(&mut self, cursor: &mut TreeCursor) {
        let is_global = self.has_token(cursor.node(), Token::Global);
        let outer = std::mem::replace(&mut self.frame.is_ambient, true);
        self.nodes(cursor, |this, cursor, kind| {
            if kind == Named::StatementBlock && is_global {
                let def = this.add_def(cursor.node(), Holder::default(), DefBody::Namespace);
                this.facts.global_augmentations.push(def);
                this.in_namespace(cursor.node(), def, None, |this| this.statements(cursor));
            } else {
                this.statement(cursor, kind);
            }
        });
        self.frame.is_ambient = outer;
    }
}
