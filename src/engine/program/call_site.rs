//! One call expression: where it stands, what it means, what it passes.

use arcstr::ArcStr;

use super::{ArgumentsId, CandidatesId};
use super::{DefinitionId, FileId};

/// A call expression whose callee has a name token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CallSite {
    /// The file it stands in.
    pub file: FileId,
    /// The line of the callee's last name token, from 1.
    pub line: u32,
    /// The column of that token's start, from 0, in UTF-8 bytes.
    pub col: u32,
    /// The function or method it stands in; none where it stands outside of every one, in the module of its file.
    pub caller: Option<DefinitionId>,
    /// What it calls.
    pub resolution: Resolution,
    /// How the callee is written.
    pub form: CallForm,
    /// Explicit arguments: [`super::Calls::arguments`] has them.
    pub arguments: ArgumentsId,
}

/// What a call site calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Resolution {
    /// This definition.
    Resolved(DefinitionId),
    /// One of several: a union, definitions on several branches. At least two; [`super::Calls::candidates`] has them.
    Ambiguous(CandidatesId),
    /// No definition in the sources, and why.
    Unresolved(UnresolvedReason),
}

impl Resolution {
    /// The definition a call is counted for: only where there is exactly one.
    pub fn definition(self) -> Option<DefinitionId> {
        match self {
            Self::Resolved(id) => Some(id),
            _ => None,
        }
    }
}

/// UnresolvedReason a call has no definition in the sources.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum UnresolvedReason {
    /// Defined outside the sources: a built-in, the standard library, another package.
    External,
    /// A method of something whose type is not known.
    UnknownReceiver,
    /// A name that leads nowhere that is known.
    UnknownName,
    /// A value computed at run time: a parameter, a subscript, a call's result.
    Dynamic,
}

impl UnresolvedReason {
    /// The word for it in files.
    pub fn word(self) -> &'static str {
        match self {
            Self::External => "external",
            Self::UnknownReceiver => "unknown_receiver",
            Self::UnknownName => "unknown_name",
            Self::Dynamic => "dynamic",
        }
    }
}

/// How a callee is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
pub enum CallForm {
    /// `f(x)`
    Name,
    /// `self.f(x)` or `cls.f(x)`
    SelfAttribute,
    /// `super().f(x)`
    SuperAttribute,
    /// `x.f(y)`
    Attribute,
    /// `a.b.f(x)`, `self.a.f(x)`
    Chain,
    /// `g().f(x)`
    CallAttribute,
    /// `a[0].f(x)` and other receivers
    OtherAttribute,
    /// `@f(x)`
    Decorator,
    /// `table[k](x)`
    Subscript,
    /// `new C(x)`
    New,
    /// `super(x)` in TypeScript.
    Super,
    /// `<C x={1} />`
    Jsx,
    /// A tagged template.
    Template,
}

impl CallForm {
    /// The word for it in files.
    pub fn word(self) -> &'static str {
        match self {
            Self::Name => "name",
            Self::SelfAttribute => "self.f",
            Self::SuperAttribute => "super().f",
            Self::Attribute => "x.f",
            Self::Chain => "a.b.f",
            Self::CallAttribute => "().f",
            Self::OtherAttribute => "[].f",
            Self::Decorator => "decorator",
            Self::Subscript => "subscript",
            Self::New => "new",
            Self::Super => "super()",
            Self::Jsx => "jsx",
            Self::Template => "template",
        }
    }
}

/// One explicit argument.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Argument {
    /// The parameter it lands on.
    pub bound: BoundParameter,
    /// How it is written.
    pub kind: ArgumentKind,
    /// The literal's text where it is a short one: a string, number, `True`, `False`, `None`.
    pub value: Option<ArcStr>,
    /// Of an object literal, its properties in source order.
    pub keys: Option<Box<[PropertyArgument]>>,
}

impl Argument {
    /// Gives every text of it in exchange for what `share` makes of it.
    pub(super) fn share_texts(&mut self, share: &mut impl FnMut(&str) -> ArcStr) {
        if let BoundParameter::Named(name) | BoundParameter::Receiver(name) = &mut self.bound {
            *name = share(name);
        }
        self.value = self.value.as_deref().map(&mut *share);
        let mut key = |key: &PropertyArgument| PropertyArgument {
            name: share(&key.name),
            bound: key.bound,
            value: key.value.as_deref().map(&mut *share),
        };
        self.keys = self.keys.as_deref().map(|keys| keys.iter().map(&mut key).collect());
    }
}

/// One property of an object literal that is an argument.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct PropertyArgument {
    /// Its name; `...` for a spread, `[]` for a computed one.
    pub name: ArcStr,
    /// The position in the signature of the [`super::ParameterKind::Property`] that it gives.
    pub bound: Option<u16>,
    /// The literal's text where it is a short one.
    pub value: Option<ArcStr>,
}

/// The name of a [`PropertyArgument`] that is a spread, and of a computed one.
pub(crate) const SPREAD: &str = "...";
const COMPUTED: &str = "[]";

impl PropertyArgument {
    /// True where its name does not tell which properties it gives.
    pub(crate) fn is_unseen(&self) -> bool {
        self.name == SPREAD || self.name == COMPUTED
    }
}

/// The parameter an argument lands on.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum BoundParameter {
    /// The parameter at that position of the callee's signature.
    Parameter(u16),
    /// A keyword whose name is known though the signature is not.
    Named(ArcStr),
    /// An explicit receiver, as in `Base.m(self, x)`, by its name.
    Receiver(ArcStr),
    /// Not known.
    Unknown,
}

/// How an argument is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
pub enum ArgumentKind {
    /// `f(x)`
    Positional,
    /// `f(a=x)`
    Keyword,
    /// `f(*x)`
    Star,
    /// `f(**x)`
    DoubleStar,
}

impl ArgumentKind {
    /// The word for it in files.
    pub fn word(self) -> &'static str {
        match self {
            Self::Positional => "positional",
            Self::Keyword => "keyword",
            Self::Star => "star",
            Self::DoubleStar => "double_star",
        }
    }
}
