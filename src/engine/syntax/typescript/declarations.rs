//! Declarations: variables, functions, enums, and what of them is exported.

use compact_str::CompactString;
use smallvec::SmallVec;
use tree_sitter::{Node, TreeCursor};

use super::{
    facts::{
        Context, Decl, DefBody, DefId, Enum, Export, ExportKind, ExprId, FunctionKind, NameId, ScopeId, ScopeKind,
        SiteKind, SymbolId, ValueSource,
    },
    frame::{Doc, Exporting, Holder, Words},
    functions::Head,
    kinds::{Named, Token},
    lower::{Lowering, line_of},
    patterns::Origin,
    text,
};

impl Lowering<'_> {
    /// Lowers the declaration at the cursor.
    pub(super) fn declaration(&mut self, cursor: &mut TreeCursor, kind: Named) {
        let doc = self.doc.take();
        let exporting = std::mem::take(&mut self.exporting);
        match kind {
            Named::LexicalDeclaration | Named::VariableDeclaration => self.variables(cursor, kind, exporting, doc),
            Named::FunctionDeclaration | Named::GeneratorFunctionDeclaration | Named::FunctionSignature => {
                self.function_declaration(cursor, exporting, doc);
            }
            Named::ClassDeclaration | Named::AbstractClassDeclaration => {
                self.class_declaration(cursor, exporting, doc, &[]);
            }
            Named::InterfaceDeclaration => self.interface(cursor, exporting, doc),
            Named::TypeAliasDeclaration => self.type_alias(cursor, exporting, doc),
            Named::EnumDeclaration => self.enumeration(cursor, exporting, doc),
            Named::Module | Named::InternalModule => self.namespace(cursor, exporting),
            Named::AmbientDeclaration => {
                self.exporting = exporting;
                self.doc = doc;
                self.ambient(cursor);
            }
            Named::ImportAlias => self.import_alias(cursor, exporting),
            _ => {}
        }
    }

    /// Declares a name, and offers it where it is exported.
    pub(super) fn declare_exported(
        &mut self,
        scope: ScopeId,
        name: NameId,
        decl: Decl,
        exporting: Exporting,
        line: u32,
    ) -> SymbolId {
        let symbol = self.declare(scope, name, decl);
        let kind = self.facts.scopes[scope.index()].kind;
        let is_ambient = kind == ScopeKind::Namespace && self.frame.is_ambient;
        if exporting == Exporting::No && !is_ambient {
            return symbol;
        }
        let row = &mut self.facts.symbols[symbol.index()];
        let is_new = !std::mem::replace(&mut row.is_exported, true);
        if kind == ScopeKind::File && is_new {
            let name = if exporting == Exporting::Default { Words::default() } else { name };
            self.facts.exports.push(Export { name, kind: ExportKind::Symbol(symbol), line });
        }
        symbol
    }

    /// Declares a definition in the scope at hand.
    pub(super) fn declare_def(&mut self, name: NameId, def: DefId, exporting: Exporting) {
        let line = self.facts.def(def).line;
        self.declare_exported(self.frame.scope, name, Decl::Def(def), exporting, line);
    }

    fn function_declaration(&mut self, cursor: &mut TreeCursor, exporting: Exporting, doc: Option<Doc>) {
        let Some(name_node) = cursor.node().child_by_field_id(self.grammar.fields.name) else { return };
        let name = self.name_of(name_node);
        let head = Head {
            kind: FunctionKind::Declaration,
            name: Some(name),
            line: Some(line_of(name_node)),
            doc,
            ..Head::default()
        };
        let def = self.function(cursor, &head);
        self.declare_def(name, def, exporting);
    }

    /// `const a = 1, b = 2`
    fn variables(&mut self, cursor: &mut TreeCursor, kind: Named, exporting: Exporting, doc: Option<Doc>) {
        let is_var = kind == Named::VariableDeclaration;
        let is_const = !is_var && self.has_token(cursor.node(), Token::Const);
        let origin = Origin {
            annotation: None,
            source: ValueSource::None,
            is_const,
            scope: if is_var { self.frame.var_scope } else { self.frame.scope },
            exporting,
        };
        self.nodes(cursor, |this, cursor, kind| {
            if kind == Named::VariableDeclarator {
                this.declarator(cursor, origin, doc);
            }
        });
    }

    fn declarator(&mut self, cursor: &mut TreeCursor, origin: Origin, doc: Option<Doc>) {
        let fields = &self.grammar.fields;
        let mut origin = origin;
        let mut simple = None;
        let (mut annotation_text, mut value_text) = (None, None);
        let mut holder = Holder::default();
        self.fields(cursor, |this, cursor, kind, field| {
            if field == fields.name && kind == Named::Identifier {
                let name = this.name_of(cursor.node());
                simple = Some((name, line_of(cursor.node())));
                holder = Holder { name: Some(name), doc };
            } else if field == fields.ty {
                let (ty, text) = this.annotation(cursor);
                origin.annotation = Some(ty);
                annotation_text = Some(text);
            } else if field == fields.value {
                let value = this.named(cursor, holder);
                origin.source = ValueSource::Value(value);
                value_text = Some(this.short_text(cursor.node())).filter(|text| !text.is_empty());
                if let Some(ty) = origin.annotation {
                    this.expect(value, Context::Typed(ty));
                }
            }
        });
        match simple {
            Some((name, line)) => {
                let variable = self.declare_variable(name, line, &origin, SmallVec::new());
                let row = &mut self.facts.variables[variable.index()];
                (row.annotation_text, row.value_text) = (annotation_text, value_text);
            }
            None => self.field(cursor, fields.name, |this, cursor, _| {
                this.declare_pattern(cursor, &origin, &mut SmallVec::new());
            }),
        }
    }

    fn enumeration(&mut self, cursor: &mut TreeCursor, exporting: Exporting, doc: Option<Doc>) {
        let fields = &self.grammar.fields;
        let node = cursor.node();
        let Some(name_node) = node.child_by_field_id(fields.name) else { return };
        let name = self.name_of(name_node);
        let holder = Holder { name: Some(name), doc };
        let def = self.add_def(node, holder, DefBody::Enum(Enum::default()));
        self.facts.definitions[def.index()].line = line_of(name_node);
        self.declare_def(name, def, exporting);
        let is_const = self.has_token(node, Token::Const);
        let mut members = Vec::new();
        self.within(def, |this| {
            this.field(cursor, fields.body, |this, cursor, _| {
                this.nodes(cursor, |this, cursor, kind| {
                    let line = line_of(cursor.node());
                    if kind != Named::EnumAssignment {
                        members.extend(this.property_name(cursor).map(|name| (name, line, None)));
                        return;
                    }
                    let (mut name, mut value) = (None, None);
                    this.fields(cursor, |this, cursor, _, field| {
                        if field == fields.name {
                            name = this.property_name(cursor);
                        } else if field == fields.value {
                            let expr = this.named(cursor, Holder::default());
                            value = Some((expr, text::default(this.text(cursor.node()))));
                        }
                    });
                    members.extend(name.map(|name| (name, line, value)));
                });
            });
        });
        self.facts.definitions[def.index()].body = DefBody::Enum(Enum { members, is_const });
    }

    /// The decorators of a definition, which stand in it, but run before it exists.
    pub(super) fn decorators(&mut self, nodes: &[Node], def: DefId) {
        self.within(def, |this| {
            for node in nodes {
                let decorator = this.deeper(*node, |this| this.decorator(&mut node.walk())).flatten();
                this.facts.definitions[def.index()].decorators.extend(decorator);
            }
        });
    }

    /// The decorator at the cursor: its expression, and its text without `@`.
    pub(super) fn decorator(&mut self, cursor: &mut TreeCursor) -> Option<(ExprId, CompactString)> {
        let caller = self.frame.caller.take();
        let decorator = self.first(cursor, |this, cursor, kind| {
            let source = text::annotation(this.text(cursor.node()));
            let expr = if kind == Named::CallExpression {
                this.call_of_kind(cursor, SiteKind::Decorator)
            } else {
                this.expr(cursor)
            };
            (expr, source)
        });
        self.frame.caller = caller;
        decorator
    }
}
