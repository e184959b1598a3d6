//! What the methods of a schema make of it: `schema.partial()`, `schema.extend({ … })`.

use compact_str::{CompactString, format_compact};

use super::{
    Describer,
    node_texts::{property_text, string_literal},
    schemas::{SchemaSide, SchemaType},
    written_type::{WrittenType, array_of, intersection_of},
};
use crate::typescript::program::FileIndex;
use apidisc_base::nesting;
use apidisc_facts::syntax::typescript::facts::{CallExpr, Expr, ExprId, FunctionKind};

impl Describer<'_, '_> {
    /// The schema that a method of a schema makes of it. Methods that are not listed, such as `min` and `describe`,
    /// keep the type.
    pub(super) fn changed_schema(
        &mut self,
        file: FileIndex,
        schema: SchemaType,
        name: &str,
        call: &CallExpr,
        side: SchemaSide,
        text: &mut WrittenType,
    ) -> Option<SchemaType> {
        let _level = nesting::descend()?;
        let facts = self.linker.program.facts(file);
        let first = call.arguments.first().filter(|argument| !argument.is_spread).map(|argument| argument.value);
        let keys = || -> Option<Vec<CompactString>> {
            let Expr::Object(object) = facts.expr(first?) else { return None };
            facts.def(object).members().iter().map(|member| property_text(facts.name(member.name?))).collect()
        };
        Some(match name {
            "optional" | "exactOptional" => SchemaType { is_optional: true, ..schema },
            "nullable" => schema.or("null"),
            "nullish" => SchemaType { is_optional: true, ..schema.or("null") },
            "default" | "prefault" | "catch" => SchemaType { is_optional: side == SchemaSide::Input, ..schema },
            // The parts do not tell whether the outermost wrapper was for `null` or for `undefined`.
            "unwrap" if schema.parts.iter().any(|part| part == "null") => return None,
            "unwrap" | "nonoptional" | "removeDefault" => SchemaType { is_optional: false, ..schema },
            "array" => {
                let item = if schema.is_optional { schema.or("undefined") } else { schema };
                SchemaType::of(array_of(&item.text(usize::MAX)))
            }
            "or" => {
                let other = self.schema_type(file, first?, side, text)?;
                let parts = schema.all_parts().into_iter().chain(other.all_parts()).collect();
                SchemaType { parts, is_optional: schema.is_optional || other.is_optional, ..SchemaType::default() }
            }
            "and" => {
                let other = self.inner_schema(file, first, side, text);
                SchemaType::of(intersection_of(&[schema.text(usize::MAX), other]))
            }
            "transform" if side == SchemaSide::Output => self.transformed_schema(file, first?, text)?,
            "pipe" if side == SchemaSide::Output => self.schema_type(file, first?, side, text)?,
            "extend" | "safeExtend" | "augment" | "merge" => {
                let mut fields = schema.fields?;
                let added = match facts.expr(first?) {
                    Expr::Object(object) => self.schema_fields(file, object, side, text)?,
                    Expr::Property { object, name, .. } if facts.name(name) == "shape" => {
                        self.schema_type(file, object, side, text)?.fields?
                    }
                    _ => self.schema_type(file, first?, side, text)?.fields?,
                };
                fields.retain(|(known, _)| added.iter().all(|(name, _)| name != known));
                fields.extend(added);
                SchemaType::object(fields)
            }
            "pick" | "omit" => {
                let keys = keys()?;
                let mut fields = schema.fields?;
                fields.retain(|(field, _)| keys.contains(field) == (name == "pick"));
                SchemaType::object(fields)
            }
            "partial" | "required" => {
                let keys = if first.is_some() { Some(keys()?) } else { None };
                let mut fields = schema.fields?;
                for (field, ty) in &mut fields {
                    if keys.as_ref().is_none_or(|keys| keys.contains(field)) {
                        ty.is_optional = name != "required";
                    }
                }
                SchemaType::object(fields)
            }
            "keyof" => {
                let keys =
                    schema.fields?.into_iter().map(|(name, _)| format_compact!("\"{}\"", name.trim_matches('"')));
                SchemaType { parts: keys.collect(), ..SchemaType::default() }
            }
            "exclude" | "extract" => {
                let Expr::Array(list) = facts.expr(first?) else { return None };
                let literal = |item: &ExprId| match facts.expr(*item) {
                    Expr::String(Some(name)) => string_literal(facts.name(name)),
                    _ => None,
                };
                let named: Vec<CompactString> = facts.list(list).iter().map(literal).collect::<Option<_>>()?;
                let mut parts = schema.parts;
                parts.retain(|part| named.contains(part) == (name == "extract"));
                SchemaType { parts, ..SchemaType::default() }
            }
            "deepPartial" | "catchall" | "rest" | "element" | "options" | "promise" | "parse" | "safeParse" => {
                return None;
            }
            _ => schema,
        })
    }

    /// What the function gives that is passed to `transform`.
    fn transformed_schema(&mut self, file: FileIndex, function: ExprId, text: &mut WrittenType) -> Option<SchemaType> {
        let Expr::Function(def) = self.linker.program.facts(file).expr(function) else { return None };
        let def = self.linker.program.global_def(file, def);
        let function = self.linker.program.function(def).filter(|function| function.kind != FunctionKind::Getter)?;
        if let Some((node, _)) = &function.returns {
            return Some(SchemaType::of(self.node_text(file, *node, text)?));
        }
        let parts = self.returned_constituents(def, text, 0)?;
        Some(SchemaType { parts, ..SchemaType::default() })
    }
}
