//! Generates random indexes of TypeScript: types that name each other, hostile text.

use std::sync::Arc;

use apidisc::{
    index::Index,
    program::{DefinitionId, DefinitionKind, ModuleId, Parameter, ParameterKind, ParameterSet, Signature},
    usage::ParameterUsage,
};
use proptest::{collection::vec, prelude::*};

use crate::{python_index::described, typescript::Declarations};

/// Types as sources have them. `Alpha` to `Delta` may be definitions of any kind or unknown names.
const TYPES: [&str; 49] = [
    "string",
    "number | undefined",
    "Alpha",
    "Beta<string>",
    "Gamma[]",
    "Promise<Alpha>",
    "Map<string, Beta>",
    "(x: Alpha, y?: number) => Promise<void>",
    "{ a: Alpha; b?: string, c(): void }",
    "keyof Alpha",
    "Alpha['x']",
    "Partial<Beta<number>>",
    "Pick<Alpha, 'x' | 'y'>",
    "Omit<Gamma, \"x\">",
    "Record<string, Delta>",
    "T",
    "T[]",
    "Array<T>",
    "(...args: T) => void",
    "typeof Alpha",
    "typeof import('./x')",
    "import('x').Y<string>",
    "React.ReactNode",
    "React.FC<{ a: string }>",
    "Observable<Alpha>",
    "Observable",
    "`a-${string}`",
    "`${Delta}-x`",
    "readonly string[]",
    "[a: string, b?: Alpha, ...rest: number[]]",
    "unique symbol",
    "this",
    "x is Alpha",
    "asserts alpha is string",
    "T extends Alpha ? string : never",
    "T extends (infer U)[] ? U : Gamma",
    "T extends (...args: infer U) => any ? U : never",
    "T extends (...args: (infer U)[] | number) => any ? U : never",
    "{ [K in keyof T]?: T[K] }",
    "{ readonly [key: string]: Beta }",
    "ReturnType<Alpha>",
    "new () => Alpha",
    "abstract new (...args: any[]) => Beta",
    "<U extends Alpha>(x: U, ...rest: U) => x is U",
    "Delta.First | null",
    "Repo<T, Alpha>",
    "Intl.NumberFormat",
    "-1 | 2n | true | 'it\\'s'",
    "ns.Options<Gamma>",
];

/// Right-hand sides of aliases. None names an alias directly, because a valid program has no directly circular alias.
const ALIASES: [&str; 8] = [
    "'get' | 'post'",
    "{ a: Alpha; b?: Beta<T> }",
    "(x: Gamma) => void",
    "T[] | string",
    "[Alpha, Beta<string>]",
    "string | { [key: string]: Delta }",
    "(",
    "Map",
];

/// Text that would break out of its position if it were printed unchanged.
const HOSTILE: [&str; 26] = [
    "\u{1b}[31mred\u{1b}[0m",
    "line\nbreak",
    "*/ evil(); /*",
    "// comment",
    "string; }\nexport declare const evil: 1; type X = {",
    "`${",
    "`a` + `b`",
    "end\\",
    "\"",
    "{ a: string",
    "Map",
    "Promise",
    "string<number>",
    "\u{202e}txet",
    "```",
    "<|endoftext|>",
    "class",
    "a b",
    "any)",
    "\0",
    "é\u{301}",
    "",
    "constructor",
    "prototype",
    "content-type",
    "0",
];

const DEFAULTS: [&str; 10] = ["30", "'x'", "true", "[]", "{}", "null", "new Alpha()", "`a`", "a / b", "/* x */ 1"];

/// Type parameters of types. They accept every type argument in [`TYPES`]: a valid program has no other type arguments.
const TYPE_PARAMETERS: [&str; 5] =
    ["T", "T = unknown", "T, U extends keyof T = keyof T", "T = string, U = T[]", "const T"];

const FUNCTION_TYPE_PARAMETERS: [&str; 9] = [
    "T",
    "T = unknown",
    "T extends object",
    "T extends Alpha",
    "T, U extends keyof T = keyof T",
    "T extends string = string, U = T[]",
    "T extends any[]",
    "const T",
    "",
];

const BASES: [&str; 9] = [
    "Alpha",
    "Beta<string>",
    "Gamma",
    "Error",
    "Map<string, Alpha>",
    "EventEmitter",
    "mixin(Alpha)",
    "implements Delta",
    "Omit<Alpha, 'x'>",
];

fn pick(values: &'static [&'static str]) -> impl Strategy<Value = String> {
    (0..values.len()).prop_map(|i| values[i].to_owned())
}

fn text() -> impl Strategy<Value = Option<String>> {
    prop_oneof![
        2 => Just(None),
        8 => pick(&TYPES).prop_map(Some),
        1 => pick(&HOSTILE).prop_map(Some),
        1 => any::<String>().prop_map(Some),
        1 => "[-+|&a-zA-Z0-9\\[\\](){}<>.,:=?'\"`$ ]{1,14}".prop_map(Some),
    ]
}

fn name() -> impl Strategy<Value = String> {
    prop_oneof![12 => "[a-z]{2,6}", 2 => "[a-z]{3,10}[A-Z][a-z]{3,10}", 1 => pick(&HOSTILE)]
}

fn top_level_name() -> impl Strategy<Value = String> {
    prop_oneof![
        6 => pick(&["Alpha", "Beta", "Gamma", "Delta"]),
        2 => "[A-Z][a-z]{3,8}",
        1 => pick(&["default", "Response", "Map", "React", "Observable", "string"]),
        1 => pick(&HOSTILE),
    ]
}

fn parameter() -> impl Strategy<Value = (Parameter, bool)> {
    let kind = prop_oneof![6 => Just(0_u8), 6 => Just(1), 1 => Just(2), 2 => Just(3)];
    (name(), kind, text(), prop::option::weighted(0.3, pick(&DEFAULTS)), any::<bool>()).prop_map(
        |(name, kind, annotation, default, required)| {
            let parameter = Parameter {
                name: if kind == 3 { "{}".into() } else { name.into() },
                kind: match kind {
                    0 | 3 => ParameterKind::PositionalOnly,
                    1 => ParameterKind::Property,
                    _ => ParameterKind::VarPositional,
                },
                annotation: annotation.map(Into::into),
                required: required && default.is_none() && kind != 2,
                default: default.map(Into::into),
                meaning: None,
                inherited_from: None,
                object: None,
            };
            (parameter, kind == 1)
        },
    )
}

fn signature(max_parameters: usize) -> impl Strategy<Value = Signature> {
    let type_parameters = prop::option::weighted(0.3, pick(&FUNCTION_TYPE_PARAMETERS));
    (vec(parameter(), 0..max_parameters), text(), any::<bool>(), type_parameters).prop_map(
        |(rows, returns, is_async, type_parameters)| {
            let mut parameters: Vec<Parameter> = Vec::new();
            let mut object = None;
            for (mut parameter, is_property) in rows {
                if is_property {
                    parameter.object = object;
                    if object.is_none() {
                        parameter.kind = ParameterKind::PositionalOnly;
                    }
                }
                if parameter.object.is_none() {
                    object = Some(parameters.len() as u16);
                }
                parameters.push(parameter);
            }
            Signature {
                parameters: parameters.into(),
                returns: returns.map(Into::into),
                is_async,
                type_parameters: type_parameters.map(Into::into),
                ..Signature::default()
            }
        },
    )
}

#[derive(Clone, Debug)]
struct DefinitionDraft {
    name: String,
    kind: usize,
    signature: Option<Signature>,
    overloads: Vec<Signature>,
    texts: [Option<String>; 3],
    type_parameters: Option<String>,
    bases: Vec<String>,
    modifiers: u8,
    calls: Vec<(Vec<usize>, bool, u32)>,
    members: Vec<DefinitionDraft>,
}

fn draft(name: impl Strategy<Value = String>) -> impl Strategy<Value = DefinitionDraft> {
    let calls = vec((vec(0_usize..24, 0..5), prop::bool::weighted(0.1), 1_u32..40), 0..6);
    let signature = prop_oneof![1 => Just(None), 5 => signature(6).prop_map(Some), 2 => signature(20).prop_map(Some)];
    let overloads = prop_oneof![4 => Just(Vec::new()), 1 => vec(self::signature(4), 1..7)];
    let generics = prop::option::weighted(0.3, pick(&TYPE_PARAMETERS));
    let bases = prop_oneof![3 => Just(Vec::new()), 2 => vec(pick(&BASES), 1..3)];
    let value = prop_oneof![1 => Just(None), 1 => pick(&DEFAULTS).prop_map(Some)];
    (
        (name, 0_usize..32, signature, overloads),
        [text().boxed(), text().boxed(), value.boxed()],
        generics,
        bases,
        any::<u8>(),
        calls,
    )
        .prop_map(|((name, kind, signature, overloads), texts, type_parameters, bases, modifiers, calls)| {
            DefinitionDraft {
                name,
                kind,
                signature,
                overloads,
                texts,
                type_parameters,
                bases,
                modifiers,
                calls,
                members: Vec::new(),
            }
        })
}

/// An index of three modules, two of them in packages that are imported under other names.
pub(crate) fn index() -> impl Strategy<Value = Arc<Index>> {
    let tops = vec((draft(top_level_name()), vec(draft(name()), 0..5), 0_usize..3), 1..9);
    let known = vec(0_u8..8, 8);
    (tops, known).prop_map(|(tops, known)| {
        let mut d = Declarations::default();
        let modules = [d.module("src/a", "@acme/a"), d.module("src/b", "@acme/b"), d.module("lib/c", "lib/c")];
        let mut added = Vec::new();
        for (mut draft, members, module) in tops {
            draft.members = members;
            added.extend(add(&mut d, modules[module], None, &draft));
        }
        let index = std::mem::take(&mut d).build();
        name_types(&index, &added, &known)
    })
}

/// The kinds of definitions that a definition of kind `parent` can contain.
fn member_kinds(parent: Option<DefinitionKind>) -> &'static [DefinitionKind] {
    use DefinitionKind::{
        Attribute, Class, Constant, Enum, Function, Interface, Method, Namespace, Property, StaticMethod, TypeAlias,
    };
    match parent {
        None => &[Class, Class, Function, Function, Constant, Interface, TypeAlias, Enum, Namespace],
        Some(Class) => &[Method, Method, StaticMethod, Property, Attribute],
        Some(Interface) => &[Method, Attribute, Attribute],
        Some(Constant) => &[Method, Attribute, Constant],
        Some(Namespace) => &[Function, Constant, Interface, Class, TypeAlias],
        Some(Enum) => &[Attribute],
        Some(_) => &[],
    }
}

fn add(
    d: &mut Declarations,
    module: ModuleId,
    parent: Option<(DefinitionId, DefinitionKind)>,
    draft: &DefinitionDraft,
) -> Vec<DefinitionId> {
    let kinds = member_kinds(parent.map(|(_, kind)| kind));
    if kinds.is_empty() {
        return Vec::new();
    }
    let kind = kinds[draft.kind % kinds.len()];
    let id = d.define(module, parent.map(|(id, _)| id), kind, &draft.name);
    let [summary, annotation, value] = draft.texts.clone();
    let definition = d.edit(id);
    definition.documentation = described(summary.as_deref());
    definition.typical_call = summary.as_deref().map(Into::into);
    definition.summary = summary.map(Into::into);
    definition.annotation = annotation.map(Into::into);
    if kind == DefinitionKind::TypeAlias {
        definition.annotation = Some(ALIASES[draft.kind % ALIASES.len()].into());
    }
    definition.value = value.map(Into::into);
    definition.bases = draft.bases.iter().map(|base| base.as_str().into()).collect();
    definition.type_parameters = draft.type_parameters.as_deref().map(Into::into);
    definition.modifiers.is_optional = draft.modifiers & 1 > 0;
    definition.modifiers.is_readonly = draft.modifiers & 2 > 0;
    definition.modifiers.is_static = draft.modifiers & 4 > 0 && kind == DefinitionKind::Attribute;
    definition.modifiers.is_abstract = draft.modifiers & 8 > 0;
    definition.is_public = draft.modifiers < 240;
    if kind.is_callable() {
        definition.signature = draft.signature.clone().map(Arc::new);
        definition.overloads = draft.overloads.iter().cloned().collect();
        let parameters = draft.signature.as_ref().map_or(&[][..], |s| &s.parameters);
        definition.usage_mut().parameters = vec![ParameterUsage::default(); parameters.len()];
        for (positions, open, calls) in &draft.calls {
            let mut set: ParameterSet = positions.iter().copied().filter(|&p| p < parameters.len()).collect();
            // A call passes every argument before one that it passes, and the object of every property.
            for position in set.clone().iter() {
                parameters[position].object.iter().for_each(|&object| set.insert(object.into()));
            }
            let last = set.iter().filter(|&p| parameters[p].object.is_none()).last();
            let required = (0..parameters.len()).filter(|&p| parameters[p].object.is_none());
            required.filter(|&p| parameters[p].required || last.is_some_and(|l| p < l)).for_each(|p| set.insert(p));
            let needed: Vec<usize> = (0..parameters.len())
                .filter(|&p| parameters[p].required && parameters[p].object.is_some_and(|o| set.contains(o.into())))
                .collect();
            for position in needed {
                set.insert(position);
            }
            d.calls_with(id, set, *open, *calls);
        }
    } else if kind.is_readable() {
        draft.calls.iter().for_each(|(.., reads)| d.reads(id, *reads));
    }
    let mut added = vec![id];
    for member in &draft.members {
        added.extend(add(d, module, Some((id, kind)), member));
    }
    added
}

/// Resolves the names in the texts of every definition: to a top-level definition of that name, to a type from outside
/// of the sources, or to nothing.
fn name_types(index: &Arc<Index>, added: &[DefinitionId], known: &[u8]) -> Arc<Index> {
    let names = ["Alpha", "Beta", "Gamma", "Delta", "Observable", "React.ReactNode", "React.FC", "ns.Options"];
    let mut index = Index::clone(index);
    let top = |name: &str, nth: usize| {
        let tops = added.iter().copied().filter(|&id| index.definition(id).parent.is_none());
        let mut called: Vec<DefinitionId> = tops.filter(|&id| index.definition(id).name == name).collect();
        called.dedup();
        called.get(nth % called.len().max(1)).copied()
    };
    let meanings: Vec<(&str, Option<DefinitionId>)> = names
        .iter()
        .zip(known)
        .filter(|(_, known)| **known > 0)
        .map(|(name, known)| (*name, top(name, usize::from(*known)).filter(|_| *known > 1)))
        .collect();
    let enums: Vec<Option<DefinitionId>> =
        meanings.iter().map(|(_, id)| id.and_then(|id| index.definition(id).members.first().copied())).collect();
    // The modules from which the sources import the names, by what is known of the names.
    let source = |root: &str, known: u8| match (root, known % 4) {
        ("React" | "ns", 0) => Some(format!("{}#default", root.to_lowercase())),
        ("React" | "ns", 1) => Some(format!("{}#*", root.to_lowercase())),
        ("Observable" | "React", 2) => Some(format!("rxjs/\u{202e}#{root}")),
        (_, 3) => None,
        _ => Some(format!("@acme/{}#{root}", root.to_lowercase())),
    };
    for (nth, &id) in added.iter().enumerate() {
        let names = meanings.iter().map(|&(name, id)| (name.into(), id));
        let definition = &mut index.definitions[id.index()];
        let roots = ["Alpha", "Beta", "Gamma", "Delta", "Observable", "React", "ns"];
        let sources = roots.iter().zip(known).filter_map(|(root, &known)| {
            Some(((*root).into(), source(root, known.wrapping_add((nth % 5 == 0).into()))?.into()))
        });
        definition.type_imports = sources.collect();
        definition.type_names = names.collect();
        definition
            .type_names
            .extend(enums.last().copied().flatten().map(|member| ("Delta.First".into(), Some(member))));
    }
    Arc::new(index)
}
