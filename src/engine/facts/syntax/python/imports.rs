//! Import statements.

use compact_str::CompactString;
use tree_sitter::TreeCursor;

use super::{
    facts::{BindingId, BindingKind, ExprId, MentionPlace},
    grammar::NodeKind,
    lower::Lowering,
};
use crate::syntax::tree::{field_of, line_of, position_of};

impl Lowering<'_> {
    pub(super) fn lower_import(&mut self, cursor: &mut TreeCursor) {
        let fields = &self.grammar.fields;
        self.field(cursor, fields.name, |this, cursor, kind| {
            let node = cursor.node();
            let line = line_of(node);
            if kind == NodeKind::AliasedImport {
                let (module, alias) = this.aliased_import(cursor);
                let module = this.intern(&module);
                let alias = this.intern(&alias);
                this.bind(alias, line, BindingKind::Import { module, whole: true });
            } else {
                let text: String = this.text(node).split_whitespace().collect();
                let module = this.intern(&text);
                let root = this.intern(text.split('.').next().unwrap_or(&text));
                this.bind(root, line, BindingKind::Import { module, whole: root == module });
            }
        });
    }

    /// The name and the alias of the aliased import at the cursor.
    fn aliased_import(&mut self, cursor: &mut TreeCursor) -> (String, String) {
        let fields = &self.grammar.fields;
        let mut name = String::new();
        let mut alias = String::new();
        self.field(cursor, fields.name, |this, cursor, _| {
            name = this.text(cursor.node()).split_whitespace().collect();
        });
        self.field(cursor, fields.alias, |this, cursor, _| this.text(cursor.node()).clone_into(&mut alias));
        (name, alias)
    }

    pub(super) fn lower_import_from(&mut self, cursor: &mut TreeCursor) {
        let fields = &self.grammar.fields;
        let mut from = None;
        self.children(cursor, |this, cursor, kind| {
            let node = cursor.node();
            let field = field_of(cursor);
            let Some((module, level)) = from else {
                if field == fields.module_name {
                    let text: CompactString = this.text(node).split_whitespace().collect();
                    let module = text.trim_start_matches('.');
                    from = Some((this.intern(module), (text.len() - module.len()) as u32));
                }
                return;
            };
            if kind == NodeKind::WildcardImport {
                let star = this.intern("*");
                let binding = BindingId::new(this.facts.bindings.len());
                this.bind(star, line_of(node), BindingKind::ImportStar { module, level });
                let statement = node.parent().and_then(|import| import.parent());
                if this.flow.def.is_none() && statement.is_some_and(|module| module.parent().is_none()) {
                    this.facts.star_imports.push((binding, ExprId::new(this.facts.exprs.len())));
                }
            } else if field == fields.name && kind != NodeKind::Comment {
                let (name, alias) = if kind == NodeKind::AliasedImport {
                    let (name, alias) = this.aliased_import(cursor);
                    (this.intern(&name), this.intern(&alias))
                } else {
                    let name = this.intern(this.text(node));
                    (name, name)
                };
                this.bind(alias, line_of(node), BindingKind::ImportFrom { module, level, name });
                if this.flow.def.is_none() {
                    let expr = this.read_name(alias);
                    let is_offered = kind == NodeKind::AliasedImport && name == alias;
                    this.record_mention(expr, position_of(Some(node)), MentionPlace::Imported { is_offered });
                }
            }
        });
    }
}
