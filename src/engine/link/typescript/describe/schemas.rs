//! The types of the values that a schema of zod describes.
//!
//! A schema is a chain of calls: `z.object({ name: z.string() }).partial()`. Its type is read from the names of these
//! calls, so it does not depend on whether zod is installed.

use compact_str::{CompactString, format_compact};

use super::{
    Describer,
    node_texts::{property_text, string_literal},
    written_type::{Constituents, WrittenType, array_of, intersection_of, is_nullish, union_text, with_arguments},
};
use crate::typescript::{program::FileIndex, rows::DefinitionKey, types::TypeKind};
use apidisc_base::nesting;
use apidisc_facts::syntax::typescript::facts::{
    CallExpr, CallExprKind, Decl, DefId, Expr, ExprId, MemberKind, SymbolId, ValueSource,
};

/// The greatest number of fields of a schema.
const MAX_FIELDS: usize = 64;
/// The greatest number of alternatives of an enumeration.
const MAX_ALTERNATIVES: usize = 24;

/// Which values of a schema a type describes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SchemaSide {
    /// The values that the schema accepts.
    Input,
    /// The values that the schema gives.
    Output,
}

/// What a schema describes.
#[derive(Clone, Debug, Default)]
pub(super) struct SchemaType {
    /// The constituents of its type; empty for an object, whose fields say it.
    pub(super) parts: Constituents,
    /// The fields of an object.
    pub(super) fields: Option<Vec<(CompactString, SchemaType)>>,
    /// Whether a field of this type can be left out.
    pub(super) is_optional: bool,
}

impl SchemaType {
    pub(super) fn of(part: impl Into<CompactString>) -> Self {
        Self { parts: Constituents::from_iter([part.into()]), ..Self::default() }
    }

    pub(super) fn object(fields: Vec<(CompactString, Self)>) -> Self {
        Self { fields: Some(fields), ..Self::default() }
    }

    /// Adds an alternative such as `null`.
    pub(super) fn or(self, other: &str) -> Self {
        let mut parts = self.all_parts();
        parts.push(other.into());
        Self { parts, fields: None, ..self }
    }

    /// The text of the type. The fields of inner objects are written down to this depth.
    pub(super) fn text(&self, depth: usize) -> CompactString {
        let Some(_level) = nesting::descend() else { return CompactString::const_new("any") };
        let parts = match &self.fields {
            Some(fields) => Constituents::from_iter([fields_text(fields, depth)]),
            None => self.parts.clone(),
        };
        union_text(parts).unwrap_or_else(|| CompactString::const_new("any"))
    }

    /// The constituents, an object as a text.
    pub(super) fn all_parts(&self) -> Constituents {
        match &self.fields {
            Some(fields) => Constituents::from_iter([fields_text(fields, usize::MAX)]),
            None => self.parts.clone(),
        }
    }

    /// The field of a name.
    pub(super) fn into_field(self, name: &str) -> Option<Self> {
        let field = self.fields?.into_iter().find(|(known, _)| known == name)?.1;
        Some(if field.is_optional { Self { is_optional: false, ..field.or("undefined") } } else { field })
    }
}

/// `{ name: string; age?: number }`
fn fields_text(fields: &[(CompactString, SchemaType)], depth: usize) -> CompactString {
    if depth == 0 {
        return CompactString::const_new("object");
    }
    let field = |(name, ty): &(CompactString, SchemaType)| {
        let mark = if ty.is_optional { "?" } else { "" };
        format!("{name}{mark}: {}", ty.text(depth - 1))
    };
    let fields: Vec<String> = fields.iter().map(field).collect();
    if fields.is_empty() { "{}".into() } else { format_compact!("{{ {} }}", fields.join("; ")) }
}

/// The functions of zod that make a schema of strings of one format: `z.email()`.
const STRING_FORMATS: [&str; 33] = [
    "string",
    "email",
    "url",
    "httpUrl",
    "uuid",
    "uuidv4",
    "uuidv6",
    "uuidv7",
    "guid",
    "nanoid",
    "cuid",
    "cuid2",
    "ulid",
    "xid",
    "ksuid",
    "emoji",
    "ipv4",
    "ipv6",
    "mac",
    "cidrv4",
    "cidrv6",
    "base64",
    "base64url",
    "hex",
    "hash",
    "jwt",
    "e164",
    "hostname",
    "datetime",
    "time",
    "duration",
    "stringFormat",
    "templateLiteral",
];

impl Describer<'_, '_> {
    /// What the schema describes that an expression is. `None` if it is no schema, or if nothing is known of it.
    pub(super) fn schema_type(
        &mut self,
        file: FileIndex,
        value: ExprId,
        side: SchemaSide,
        text: &mut WrittenType,
    ) -> Option<SchemaType> {
        let _level = nesting::descend()?;
        if !text.step() {
            return None;
        }
        let facts = self.linker.program.facts(file);
        match facts.expr(value) {
            Expr::Name { .. } => self.schema_of_name(file, value, side, text),
            Expr::Narrowed(inner, _) | Expr::NonNull(inner) | Expr::Satisfies(inner, _) => {
                self.schema_type(file, inner, side, text)
            }
            // `schema.shape.name`
            Expr::Property { object, name, .. } => match facts.expr(object) {
                Expr::Property { object, name: shape, .. } if facts.name(shape) == "shape" => {
                    let fields = self.schema_type(file, object, side, text)?.fields?;
                    fields.into_iter().find(|(known, _)| known == facts.name(name)).map(|(_, field)| field)
                }
                _ => self.schema_of_name(file, value, side, text),
            },
            Expr::Call(call) if facts.site(call).kind == CallExprKind::Call => {
                self.schema_of_call(file, facts.site(call), side, text)
            }
            _ => None,
        }
    }

    /// The schema that a constant holds.
    fn schema_of_name(
        &mut self,
        file: FileIndex,
        value: ExprId,
        side: SchemaSide,
        text: &mut WrittenType,
    ) -> Option<SchemaType> {
        let _level = nesting::descend()?;
        let (file, value) = self.value_of_named_constant(file, value)?;
        self.schema_type(file, value, side, text)
    }

    /// The value of the constant without an annotation that an expression names.
    fn value_of_named_constant(&mut self, file: FileIndex, name: ExprId) -> Option<(FileIndex, ExprId)> {
        let resolved = self.linker.named_value(file, name, 0)?;
        let (file, variable) = self.linker.variable_of(resolved)?;
        let row = &self.linker.program.facts(file).variables[variable.index()];
        let is_whole = row.is_const && row.path.is_empty() && row.annotation.is_none();
        match row.source {
            ValueSource::Value(value) if is_whole => Some((file, value)),
            _ => None,
        }
    }

    fn schema_of_call(
        &mut self,
        file: FileIndex,
        call: &CallExpr,
        side: SchemaSide,
        text: &mut WrittenType,
    ) -> Option<SchemaType> {
        let _level = nesting::descend()?;
        let facts = self.linker.program.facts(file);
        let Expr::Property { object, name, .. } = facts.expr(call.callee) else {
            // A function that makes a schema.
            let def = self.single_function(file, call.callee)?;
            let &[value] = &self.linker.program.function(def)?.return_values[..] else { return None };
            return self.schema_type(self.linker.program.file_of(def), value, side, text);
        };
        let name = facts.name(name);
        if self.is_schema_library(file, object) {
            return self.made_schema(file, name, call, side, text);
        }
        let receiver = self.schema_type(file, object, side, text)?;
        self.changed_schema(file, receiver, name, call, side, text)
    }

    /// Whether an expression is the namespace `z` of zod, or a namespace in it such as `z.coerce`.
    fn is_schema_library(&self, file: FileIndex, value: ExprId) -> bool {
        let Some(_level) = nesting::descend() else { return false };
        let facts = self.linker.program.facts(file);
        match facts.expr(value) {
            Expr::Name { symbol: Some(symbol), .. } => self.is_import_of_schemas(file, symbol),
            Expr::Property { object, name, .. } => {
                matches!(facts.name(name), "z" | "default" | "coerce" | "iso") && self.is_schema_library(file, object)
            }
            _ => false,
        }
    }

    /// Whether an import brings in zod.
    pub(super) fn is_import_of_schemas(&self, file: FileIndex, symbol: SymbolId) -> bool {
        let facts = self.linker.program.facts(file);
        let [Decl::Import(import)] = facts.symbol(symbol).decls[..] else { return false };
        let specifier = facts.name(facts.imports[import.index()].specifier);
        specifier == "zod" || specifier.starts_with("zod/") || specifier.ends_with("/zod-openapi")
    }

    /// The schema that a function of zod makes.
    fn made_schema(
        &mut self,
        file: FileIndex,
        name: &str,
        call: &CallExpr,
        side: SchemaSide,
        text: &mut WrittenType,
    ) -> Option<SchemaType> {
        let _level = nesting::descend()?;
        let facts = self.linker.program.facts(file);
        let argument = |at: usize| call.arguments.get(at).filter(|argument| !argument.is_spread);
        let first = argument(0).map(|argument| argument.value);
        Some(match name {
            "number" | "int" | "int32" | "uint32" | "float32" | "float64" | "nan" => SchemaType::of("number"),
            "boolean" | "stringbool" => SchemaType::of("boolean"),
            "bigint" | "int64" | "uint64" => SchemaType::of("bigint"),
            "symbol" | "void" | "never" => SchemaType::of(name),
            "unknown" | "any" => SchemaType { is_optional: true, ..SchemaType::of(name) },
            "null" => SchemaType::of("null"),
            "undefined" => SchemaType { is_optional: true, ..SchemaType::of("undefined") },
            "date" => SchemaType::of(global_name("Date", text)),
            "file" => SchemaType::of(global_name("File", text)),
            "literal" => self.literal_schema(file, call)?,
            "enum" | "nativeEnum" => self.enum_schema(file, first?, text)?,
            "object" | "strictObject" | "looseObject" => match facts.expr(first?) {
                Expr::Object(object) => SchemaType::object(self.schema_fields(file, object, side, text)?),
                _ => return None,
            },
            "array" | "set" | "promise" => {
                let inner = self.inner_schema(file, first, side, text);
                match name {
                    "array" => SchemaType::of(array_of(&inner)),
                    "set" => SchemaType::of(with_arguments(&global_name("Set", text), &[inner])),
                    _ => SchemaType::of(with_arguments(&global_name("Promise", text), &[inner])),
                }
            }
            "record" | "partialRecord" | "map" => {
                let second = argument(1).map(|argument| argument.value);
                let (key, value) = match second {
                    Some(_) => {
                        (self.inner_schema(file, first, side, text), self.inner_schema(file, second, side, text))
                    }
                    None => ("string".into(), self.inner_schema(file, first, side, text)),
                };
                let global = if name == "map" { "Map" } else { "Record" };
                let written = with_arguments(&global_name(global, text), &[key, value]);
                let is_partial = name == "partialRecord";
                SchemaType::of(if is_partial { format_compact!("Partial<{written}>") } else { written })
            }
            "tuple" => {
                let Expr::Array(list) = facts.expr(first?) else { return None };
                let items = facts.list(list).iter().map(|item| self.inner_schema(file, Some(*item), side, text));
                SchemaType::of(format_compact!("[{}]", items.collect::<Vec<_>>().join(", ")))
            }
            "union" | "discriminatedUnion" | "xor" => {
                let at = usize::from(name == "discriminatedUnion");
                let Expr::Array(list) = facts.expr(argument(at)?.value) else { return None };
                let mut union = SchemaType::default();
                for item in facts.list(list) {
                    let item = self.schema_type(file, *item, side, text)?;
                    union.is_optional |= item.is_optional;
                    union.parts.extend(item.all_parts());
                }
                union
            }
            "intersection" => {
                let second = argument(1).map(|argument| argument.value);
                let (a, b) = (self.inner_schema(file, first, side, text), self.inner_schema(file, second, side, text));
                SchemaType::of(intersection_of(&[a, b]))
            }
            "optional" => SchemaType { is_optional: true, ..self.schema_type(file, first?, side, text)? },
            "nullable" => self.schema_type(file, first?, side, text)?.or("null"),
            "nullish" => SchemaType { is_optional: true, ..self.schema_type(file, first?, side, text)?.or("null") },
            "instanceof" => {
                let Expr::Name { name, symbol } = facts.expr(first?) else { return None };
                SchemaType::of(self.reference_name(file, symbol, &[name], text)?)
            }
            "custom" => SchemaType::of(self.node_text(file, *call.type_args.first()?, text)?),
            "preprocess" if side == SchemaSide::Output => self.schema_type(file, argument(1)?.value, side, text)?,
            "preprocess" => SchemaType { is_optional: true, ..SchemaType::of("unknown") },
            "readonly" => self.schema_type(file, first?, side, text)?,
            "nonoptional" => SchemaType { is_optional: false, ..self.schema_type(file, first?, side, text)? },
            name if STRING_FORMATS.contains(&name) => SchemaType::of("string"),
            _ => return None,
        })
    }

    /// The text of what an inner schema describes: `any` if that is not known.
    pub(super) fn inner_schema(
        &mut self,
        file: FileIndex,
        schema: Option<ExprId>,
        side: SchemaSide,
        text: &mut WrittenType,
    ) -> CompactString {
        let before = text.named();
        let inner = schema.and_then(|schema| self.schema_type(file, schema, side, text));
        let Some(inner) = inner else {
            text.forget(before);
            return CompactString::const_new("any");
        };
        let inner = if inner.is_optional { inner.or("undefined") } else { inner };
        inner.text(usize::MAX)
    }

    /// `z.literal("a")`, `z.literal(["a", "b"])`
    fn literal_schema(&mut self, file: FileIndex, call: &CallExpr) -> Option<SchemaType> {
        let facts = self.linker.program.facts(file);
        let argument = call.arguments.first()?;
        let mut parts = Constituents::new();
        match facts.expr(argument.value) {
            Expr::Array(list) => {
                for item in facts.list(list) {
                    let Expr::String(Some(name)) = facts.expr(*item) else { return None };
                    parts.push(format_compact!("\"{}\"", facts.name(name)));
                }
            }
            Expr::String(Some(name)) => parts.push(format_compact!("\"{}\"", facts.name(name))),
            Expr::Null | Expr::Undefined | Expr::Bool(_) | Expr::Number => {
                parts.push(argument.literal.as_ref()?.as_str().into());
            }
            _ => {
                let mut text = WrittenType::of_value(None);
                let found = self.constituents(file, argument.value, &mut text, 0)?;
                let is_literal = found.iter().all(|part| part.starts_with('"') || is_nullish(part));
                parts.extend(is_literal.then_some(found)?);
            }
        }
        let is_plain = parts.iter().all(|part| !part.trim_matches('"').contains(['"', '\\', '\n']));
        is_plain.then(|| SchemaType { parts, ..SchemaType::default() })
    }

    /// `z.enum(["a", "b"])`, `z.nativeEnum(Colour)`
    fn enum_schema(&mut self, file: FileIndex, value: ExprId, text: &mut WrittenType) -> Option<SchemaType> {
        let ty = self.linker.expr_type(file, value);
        if let TypeKind::EnumObject(symbol) = *self.linker.types.kind(ty) {
            return Some(SchemaType::of(self.definition_text(DefinitionKey::Symbol(symbol), text)?));
        }
        let (file, value) = match self.linker.program.facts(file).expr(value) {
            Expr::Name { .. } => {
                let (file, value) = self.value_of_named_constant(file, value)?;
                (file, self.linker.program.without_assertions(file, value))
            }
            _ => (file, value),
        };
        let facts = self.linker.program.facts(file);
        let mut values = Vec::new();
        match facts.expr(value) {
            Expr::Array(list) => values.extend_from_slice(facts.list(list)),
            Expr::Object(object) => {
                for member in facts.def(object).members() {
                    let MemberKind::Property { value: Some((value, _)), .. } = member.kind else { return None };
                    values.push(value);
                }
            }
            _ => return None,
        }
        let is_many = values.len() > MAX_ALTERNATIVES;
        let mut parts = Constituents::new();
        for value in values {
            let Expr::String(name) = facts.expr(value) else { return None };
            let literal = name.and_then(|name| string_literal(facts.name(name)));
            parts.push(literal.unwrap_or_else(|| "string".into()));
        }
        Some(if is_many { SchemaType::of("string") } else { SchemaType { parts, ..SchemaType::default() } })
    }

    /// The fields of the object literal of schemas. A field of unknown type is `any`.
    pub(super) fn schema_fields(
        &mut self,
        file: FileIndex,
        object: DefId,
        side: SchemaSide,
        text: &mut WrittenType,
    ) -> Option<Vec<(CompactString, SchemaType)>> {
        let _level = nesting::descend()?;
        let facts = self.linker.program.facts(file);
        let mut fields: Vec<(CompactString, SchemaType)> = Vec::new();
        for member in facts.def(object).members() {
            let added = match &member.kind {
                MemberKind::Property { value: Some((value, _)), .. } => {
                    let before = text.named();
                    let field = self.schema_type(file, *value, side, text);
                    if field.is_none() {
                        text.forget(before);
                    }
                    let name = property_text(facts.name(member.name?))?;
                    vec![(name, field.unwrap_or_else(|| SchemaType::of("any")))]
                }
                // `...Other.shape`
                MemberKind::Spread(value) => match facts.expr(*value) {
                    Expr::Property { object, name, .. } if facts.name(name) == "shape" => {
                        self.schema_type(file, object, side, text)?.fields?
                    }
                    _ => return None,
                },
                _ => return None,
            };
            for (name, field) in added {
                fields.retain(|(known, _)| *known != name);
                fields.push((name, field));
            }
            if fields.len() > MAX_FIELDS {
                return None;
            }
        }
        Some(fields)
    }
}

/// A global type of the platform.
fn global_name(name: &'static str, text: &mut WrittenType) -> CompactString {
    text.add_global(CompactString::const_new(name));
    CompactString::const_new(name)
}
