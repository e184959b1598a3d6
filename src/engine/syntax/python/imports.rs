//! Imports.

use tree_sitter::TreeCursor;

use super::{
    facts::BindingKind,
    kinds::NodeKind,
    lower::{Lowering, line_of},
};

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

    /// Name and alias of the aliased import at the cursor.
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
        let mut module = String::new();
        let mut level = 0;
        self.field(cursor, fields.module_name, |this, cursor, _| {
            let text: String = this.text(cursor.node()).split_whitespace().collect();
            level = text.bytes().take_while(|&c| c == b'.').count() as u32;
            text[level as usize..].clone_into(&mut module);
        });
        let module = self.intern(&module);
        self.children(cursor, |this, cursor, kind| {
            if kind == NodeKind::WildcardImport {
                let star = this.intern("*");
                let line = line_of(cursor.node());
                this.bind(star, line, BindingKind::ImportStar { module, level });
            }
        });
        self.field(cursor, fields.name, |this, cursor, kind| {
            let node = cursor.node();
            let (name, alias) = if kind == NodeKind::AliasedImport {
                this.aliased_import(cursor)
            } else {
                let text = this.text(node).to_owned();
                (text.clone(), text)
            };
            let name = this.intern(&name);
            let alias = this.intern(&alias);
            this.bind(alias, line_of(node), BindingKind::ImportFrom { module, level, name });
        });
    }
}
