//! Generates random indexes of Python: plausible usage, hostile text.

use std::sync::Arc;

use apidisc::{
    documentation::{Description, Documentation},
    index::Index,
    program::{DefinitionKind, Parameter, ParameterKind, ParameterSet, Signature},
    usage::ParameterUsage,
};
use proptest::{collection::vec, prelude::*};

use crate::sample::Sample;

/// Text that would break out of its position if it were printed unchanged.
const HOSTILE: [&str; 22] = [
    "\u{1b}[31mred\u{1b}[0m",
    "line\nbreak",
    "\"\"\" + evil() + \"\"\"",
    "'''",
    "end\\",
    "# comment",
    "x): ...\nimport os\ndef f(",
    "\u{202e}txet",
    "```",
    "<|endoftext|>",
    "a b",
    "class",
    "lambda: 0",
    "\0",
    "\r",
    "f'{x}'",
    "[",
    "x := 1",
    "é\u{301}",
    "\u{a0}",
    "",
    "/",
];

const PLAIN: [&str; 12] =
    ["int", "str | None", "''", "None", "30.0", "dict[str, list[int]]", "[]", "...", "-1", "Tool(x=1)", "True", "b'x'"];

fn text() -> impl Strategy<Value = Option<String>> {
    prop_oneof![
        3 => Just(None),
        4 => (0..PLAIN.len()).prop_map(|i| Some(PLAIN[i].to_owned())),
        1 => (0..HOSTILE.len()).prop_map(|i| Some(HOSTILE[i].to_owned())),
        1 => any::<String>().prop_map(Some),
        1 => "[-+*/a-z0-9\\[\\](){}.,:='\"\\\\ ]{1,12}".prop_map(Some),
    ]
}

fn name() -> impl Strategy<Value = String> {
    prop_oneof![
        12 => "[a-z]{1,6}",
        2 => "[a-z]{3,10}_[a-z]{3,10}",
        1 => (0..HOSTILE.len()).prop_map(|i| HOSTILE[i].to_owned()),
        1 => Just("self".to_owned()),
    ]
}

fn kind() -> impl Strategy<Value = ParameterKind> {
    prop_oneof![
        1 => Just(ParameterKind::PositionalOnly),
        5 => Just(ParameterKind::Standard),
        1 => Just(ParameterKind::VarPositional),
        5 => Just(ParameterKind::KeywordOnly),
        1 => Just(ParameterKind::VarKeyword),
    ]
}

fn parameter() -> impl Strategy<Value = Parameter> {
    (name(), kind(), text(), text(), any::<bool>()).prop_map(|(name, kind, annotation, default, required)| Parameter {
        name: name.into(),
        kind,
        annotation: annotation.map(Into::into),
        default: default.map(Into::into),
        required: required && !matches!(kind, ParameterKind::VarPositional | ParameterKind::VarKeyword),
        meaning: None,
        inherited_from: None,
        object: None,
    })
}

fn signature(max_parameters: usize) -> impl Strategy<Value = Signature> {
    (vec(parameter(), 0..max_parameters), text(), any::<bool>(), prop_oneof![Just(None), name().prop_map(Some)])
        .prop_map(|(mut parameters, returns, is_async, receiver)| {
            parameters.sort_by_key(|p| p.kind);
            Signature {
                parameters: parameters.into(),
                returns: returns.map(Into::into),
                inferred_returns: None,
                is_async,
                receiver: receiver.map(Into::into),
                ..Signature::default()
            }
        })
}

/// A signature whose parameters may be objects with properties, which may be objects too.
pub(crate) fn signature_with_objects() -> impl Strategy<Value = Signature> {
    let name = prop_oneof![6 => name(), 2 => Just("{}".to_owned()), 1 => "[a-b][.][a-b]", 1 => Just(String::new())];
    let object = prop_oneof![1 => Just(None), 2 => (0_u16..6).prop_map(Some)];
    (vec((parameter(), name, object), 0..10), text(), text()).prop_map(|(rows, returns, type_parameters)| {
        let mut parameters: Vec<Parameter> = Vec::new();
        for (mut parameter, name, object) in rows {
            parameter.name = name.into();
            parameter.object = object.filter(|&object| usize::from(object) < parameters.len());
            if parameter.object.is_some() {
                parameter.kind = ParameterKind::Property;
            }
            parameters.push(parameter);
        }
        let (returns, type_parameters) = (returns.map(Into::into), type_parameters.map(Into::into));
        Signature { parameters: parameters.into(), returns, type_parameters, ..Signature::default() }
    })
}

#[derive(Clone, Debug)]
struct DefinitionDraft {
    name: String,
    kind: DefinitionKind,
    signature: Option<Signature>,
    texts: [Option<String>; 4],
    calls: Vec<(Vec<usize>, bool, u32)>,
}

fn draft(kind: impl Strategy<Value = DefinitionKind>) -> impl Strategy<Value = DefinitionDraft> {
    let calls = vec((vec(0_usize..24, 0..5), prop::bool::weighted(0.1), 1_u32..40), 0..8);
    let signature = prop_oneof![1 => Just(None), 4 => signature(7).prop_map(Some), 2 => signature(24).prop_map(Some)];
    (name(), kind, signature, [text(), text(), text(), text()], calls)
        .prop_map(|(name, kind, signature, texts, calls)| DefinitionDraft { name, kind, signature, texts, calls })
}

fn top_level_kind() -> impl Strategy<Value = DefinitionKind> {
    use DefinitionKind::{Class, Constant, Function};
    prop_oneof![3 => Just(Class), 3 => Just(Function), 1 => Just(Constant)]
}

fn member_kind() -> impl Strategy<Value = DefinitionKind> {
    use DefinitionKind::{Attribute, Class, ClassMethod, Method, Property, StaticMethod};
    prop_oneof![
        4 => Just(Method),
        1 => Just(ClassMethod),
        1 => Just(StaticMethod),
        1 => Just(Property),
        1 => Just(Attribute),
        1 => Just(Class),
    ]
}

/// An index of a package `pkg` with two modules.
pub(crate) fn index() -> impl Strategy<Value = Arc<Index>> {
    vec((draft(top_level_kind()), vec(draft(member_kind()), 0..5), any::<bool>()), 1..8).prop_map(|definitions| {
        let mut sample = Sample::default();
        let package = sample.module("pkg");
        let inner = sample.module("pkg.inner");
        for (draft, members, is_inner) in definitions {
            let module = if is_inner { inner } else { package };
            let class = add(&mut sample, module, None, &draft);
            if draft.kind == DefinitionKind::Class {
                for member in &members {
                    add(&mut sample, module, Some(class), member);
                }
            }
        }
        sample.build()
    })
}

/// Documentation in which each text is `text`; `None` without a text. Every other definition is deprecated.
pub(crate) fn described(text: Option<&str>) -> Option<Arc<Documentation>> {
    let text = text?;
    let description = Description { name: "a".into(), text: text.into() };
    Some(Arc::new(Documentation {
        details: Some(text.into()),
        parameters: vec![description.clone()],
        returns: Some(text.into()),
        raises: vec![description],
        deprecated: Some(text.into()).filter(|_| text.len() % 2 == 0),
        default: Some(text.into()),
        example: Some(text.into()),
    }))
}

fn add(
    sample: &mut Sample,
    module: apidisc::program::ModuleId,
    parent: Option<apidisc::program::DefinitionId>,
    draft: &DefinitionDraft,
) -> apidisc::program::DefinitionId {
    let id = sample.define(module, parent, &draft.name, draft.kind);
    let [summary, base, annotation, value] = draft.texts.clone();
    let definition = sample.edit(id);
    definition.documentation = described(summary.as_deref());
    definition.typical_call = summary.as_deref().map(Into::into);
    definition.summary = summary.map(Into::into);
    definition.bases = base.into_iter().map(Into::into).collect();
    definition.decorators = value.iter().map(|text| format!("contextmanager{text}").into()).collect();
    definition.annotation = annotation.map(Into::into);
    definition.value = value.map(Into::into);
    if draft.kind.is_callable() {
        definition.signature = draft.signature.clone().map(Arc::new);
        let parameters = draft.signature.as_ref().map_or(0, |s| s.parameters.len());
        definition.usage_mut().parameters = vec![ParameterUsage::default(); parameters];
        let required: ParameterSet = draft
            .signature
            .iter()
            .flat_map(|s| s.parameters.iter().enumerate().filter(|(_, p)| p.required).map(|(i, _)| i))
            .collect();
        for (positions, open, calls) in &draft.calls {
            let mut set: ParameterSet = positions.iter().copied().filter(|&p| p < parameters).collect();
            set.extend_with(&required);
            sample.calls_with(id, set, *open, *calls);
        }
    } else if draft.kind.is_readable() {
        draft.calls.iter().for_each(|(.., reads)| sample.reads(id, *reads));
    }
    id
}
