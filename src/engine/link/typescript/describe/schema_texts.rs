//! The texts of types that are inferred from schemas: `z.infer<typeof schema>`.

use compact_str::CompactString;

use super::{
    Describer,
    schemas::{SchemaSide, SchemaType},
    written_type::WrittenType,
};
use crate::typescript::{
    infer::ResolvedName,
    program::{FileIndex, GlobalDef, InternedName},
};
use apidisc_base::nesting;
use apidisc_facts::syntax::typescript::facts::{DefBody, Expr, Param, TypeId, TypeNode};

/// The greatest length in bytes of a text in which the fields of inner objects are written.
const MAX_LENGTH: usize = 480;

impl Describer<'_, '_> {
    /// The text of `z.infer<typeof schema>`: the values that the schema describes.
    pub(super) fn inferred_by_schema(
        &mut self,
        file: FileIndex,
        node: TypeId,
        text: &mut WrittenType,
    ) -> Option<CompactString> {
        let before = text.named();
        let is_annotation = std::mem::take(&mut text.is_annotation);
        let schema = self.schema_of_node(file, node, text);
        text.is_annotation = is_annotation;
        let Some(schema) = schema else {
            text.forget(before);
            return None;
        };
        let mut texts = [usize::MAX, 2, 1].into_iter().map(|depth| schema.text(depth));
        texts.find(|text| text.len() <= MAX_LENGTH).filter(|text| text != "any")
    }

    /// The text of `Data["field"]`, where `Data` is inferred from a schema.
    pub(super) fn field_of_schema(
        &mut self,
        file: FileIndex,
        object: TypeId,
        field: &str,
        text: &mut WrittenType,
    ) -> Option<CompactString> {
        let before = text.named();
        let is_annotation = std::mem::take(&mut text.is_annotation);
        let schema = self.schema_of_node(file, object, text).and_then(|schema| schema.into_field(field));
        text.is_annotation = is_annotation;
        if schema.is_none() {
            text.forget(before);
        }
        schema.map(|schema| schema.text(usize::MAX)).filter(|text| text != "any")
    }

    /// The text of the type of a property of a parameter whose type is inferred from a schema.
    pub(super) fn property_of_schema(
        &mut self,
        function: GlobalDef,
        param: &Param,
        name: InternedName,
    ) -> Option<CompactString> {
        let (node, _) = param.annotation.as_ref()?;
        let file = self.linker.program.file_of(function);
        let name = CompactString::new(self.linker.program.names.text(name));
        let mut text = WrittenType::of_annotation();
        let field = self.field_of_schema(file, *node, &name, &mut text)?;
        self.finish_text(text, field, MAX_LENGTH)
    }

    /// What the schema describes in `z.infer<typeof schema>`, or in the alias of such a type.
    fn schema_of_node(&mut self, file: FileIndex, node: TypeId, text: &mut WrittenType) -> Option<SchemaType> {
        let _level = nesting::descend()?;
        let facts = self.linker.program.facts(file);
        let TypeNode::Ref { symbol: Some(symbol), ref path, args, .. } = *facts.ty(node) else { return None };
        if !self.is_import_of_schemas(file, symbol) {
            let [_] = path[..] else { return None };
            let ResolvedName::Symbol(alias) = self.linker.resolve_symbol(file, symbol) else { return None };
            let &[def] = &self.linker.program.definitions(alias)[..] else { return None };
            let DefBody::TypeAlias(alias) = &self.linker.program.def(def).body else { return None };
            let is_plain = alias.type_params.is_empty();
            let ty = Some(alias.ty).filter(|_| is_plain)?;
            return self.schema_of_node(self.linker.program.file_of(def), ty, text);
        }
        let side = match facts.name(*path.last()?) {
            "infer" | "output" | "TypeOf" => SchemaSide::Output,
            "input" => SchemaSide::Input,
            _ => return None,
        };
        let &[argument] = facts.type_list(args) else { return None };
        let TypeNode::TypeOf(schema) = *facts.ty(argument) else { return None };
        let is_path = matches!(facts.expr(schema), Expr::Name { .. } | Expr::Property { .. });
        self.schema_type(file, schema, side, text).filter(|_| is_path)
    }
}
