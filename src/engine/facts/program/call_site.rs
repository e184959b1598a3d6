//! One call expression: its position, its resolution and its arguments.

use arcstr::ArcStr;

use super::{ArgumentsId, CandidatesId, DefinitionId, FileId, receiver_value::ReceiverLink};

/// A call expression, or a bare decorator, which is a call of the decorator with the decorated object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CallSite {
    /// The file that contains the call.
    pub file: FileId,
    /// The line of the callee's last name token, from 1. A call without a name token, as the outer one of `f(x)(y)`,
    /// stands at its opening parenthesis.
    pub line: u32,
    /// The column at which that token or parenthesis starts, from 0, in UTF-8 bytes.
    pub col: u32,
    /// The innermost function or method around the call; `None` for a call outside of functions.
    pub caller: Option<DefinitionId>,
    /// The class of the receiver, if it is known and inherits the called method from another class.
    pub receiver: Option<DefinitionId>,
    /// The constant of a module that the call uses: the instance whose method is called, as in `log.info(…)`, or the
    /// called constant itself. It is a definition of the sources beside the called one.
    pub through: Option<DefinitionId>,
    /// The definition that is called, if it is known.
    pub resolution: Resolution,
    /// How the call is written.
    pub syntax: CallSyntax,
    /// The value of the receiver; [`super::Calls::receiver_value`] returns it.
    pub receiver_link: ReceiverLink,
    /// The explicit arguments; [`super::Calls::arguments`] returns them.
    pub arguments: ArgumentsId,
}

/// How a call is written, beside its callee and arguments: the record that a parser makes and every later step passes
/// on as it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct CallSyntax {
    /// The syntactic form of the callee.
    pub form: CallForm,
    /// True if the code around the call expects that it fails: it stands under `pytest.raises`, `assertRaises`,
    /// `expect(…).toThrow` or the like.
    pub expects_error: bool,
    /// True if the callee is written as an attribute with the name of a Python constructor: `super().__init__(x)`,
    /// `Base.__init__(self, x)`, `super().__new__(cls)`.
    pub names_constructor: bool,
}

impl CallSyntax {
    /// A call of this form that may succeed.
    pub fn new(form: CallForm) -> Self {
        Self { form, expects_error: false, names_constructor: false }
    }
}

/// The result of resolving the callee of a call site.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Resolution {
    /// The callee is this definition.
    Resolved(DefinitionId),
    /// The callee is one of several definitions, because the receiver is a union or the name is bound on several
    /// branches; or it is a definition or a value from outside the sources. [`super::Calls::candidates`] returns the
    /// definitions, at least one.
    Ambiguous(CandidatesId),
    /// The callee is no known definition of the sources.
    Unresolved(UnresolvedReason),
}

impl Resolution {
    /// The definition that the call is counted for; `None` unless there is exactly one candidate.
    pub fn definition(self) -> Option<DefinitionId> {
        match self {
            Self::Resolved(id) => Some(id),
            _ => None,
        }
    }
}

/// The reason why a call is not resolved to a definition of the sources.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum UnresolvedReason {
    /// The callee is defined outside the sources: a built-in, the standard library, another package.
    External,
    /// The callee is a method of a receiver of unknown type.
    UnknownReceiver,
    /// The callee is a name without a known binding.
    UnknownName,
    /// The callee is computed at run time: a parameter, a subscript, the result of a call.
    Dynamic,
    /// The type of the callee is too large or takes too many steps to infer.
    TooComplex,
}

impl UnresolvedReason {
    /// The name of this reason in files.
    pub fn word(self) -> &'static str {
        match self {
            Self::External => "external",
            Self::UnknownReceiver => "unknown_receiver",
            Self::UnknownName => "unknown_name",
            Self::Dynamic => "dynamic",
            Self::TooComplex => "too_complex",
        }
    }
}

/// The syntactic form of a callee or of a read attribute.
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
    /// `@f(x)`, and a bare decorator, `@f`, whose only argument is of the kind [`ArgumentKind::Decorated`].
    Decorator,
    /// `table[k](x)`
    Subscript,
    /// `f(x)(y)`, `(a or b)(x)` and other callees without a name token.
    Nameless,
    /// `new C(x)`
    New,
    /// `super(x)` in TypeScript.
    Super,
    /// `<C x={1} />`
    Jsx,
    /// A tagged template.
    Template,
    /// `{ f }` in a destructuring pattern, of reads only.
    Pattern,
}

impl CallSite {
    /// True for `self.f(x)`, `super().f(x)`, `super(x)` and `Base.__init__(self, x)`: a class calls a method or
    /// constructor of its own object.
    pub fn is_on_own_object(&self) -> bool {
        matches!(self.syntax.form, CallForm::SelfAttribute | CallForm::SuperAttribute | CallForm::Super)
            || self.syntax.names_constructor
    }
}

impl CallForm {
    /// The name of this form in files.
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
            Self::Nameless => "()()",
            Self::New => "new",
            Self::Super => "super()",
            Self::Jsx => "jsx",
            Self::Template => "template",
            Self::Pattern => "{f}",
        }
    }
}

/// One explicit argument of a call.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Argument {
    /// The parameter that the argument is bound to.
    pub bound: BoundParameter,
    /// The parameter of another function to which the callee passes the argument on, if `*args` or `**kwargs` of the
    /// callee receives the argument.
    pub forwarded: Option<ArcStr>,
    /// The syntactic form of the argument.
    pub kind: ArgumentKind,
    /// The text of a short literal: a string, a number, `True`, `False`, or Python's `None`; or the name of a constant
    /// or enum member, as written: `Color.RED`; or how a class makes the value: `After(attempts=...)`, with imports for
    /// a class of another package (see [`super::made_outside()`]). Any other expression has no value.
    pub value: Option<ArcStr>,
    /// The properties of an object literal in source order; `None` for any other expression.
    pub keys: Option<Box<[PropertyArgument]>>,
}

impl Argument {
    /// Replaces every text by the result of `intern`.
    pub(super) fn intern_texts(&mut self, intern: &mut impl FnMut(&str) -> ArcStr) {
        if let BoundParameter::Named(name) | BoundParameter::Receiver(name) = &mut self.bound {
            *name = intern(name);
        }
        self.forwarded = self.forwarded.as_deref().map(&mut *intern);
        self.value = self.value.as_deref().map(&mut *intern);
        let mut interned = |property: &PropertyArgument| PropertyArgument {
            name: intern(&property.name),
            bound: property.bound,
            value: property.value.as_deref().map(&mut *intern),
        };
        self.keys = self.keys.as_deref().map(|keys| keys.iter().map(&mut interned).collect());
    }
}

/// One property of an object literal that is passed as an argument.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct PropertyArgument {
    /// The property's name; `...` for a spread, `[]` for a computed name.
    pub name: ArcStr,
    /// The parameter of kind [`super::ParameterKind::Property`] that the property is bound to, by its position in the
    /// signature.
    pub bound: Option<u16>,
    /// The text of a short literal, constant or enum member; `None` for any other expression.
    pub value: Option<ArcStr>,
}

/// The name of a [`PropertyArgument`] that is a spread.
pub const SPREAD: &str = "...";
/// The name of a [`PropertyArgument`] with a computed name.
const COMPUTED: &str = "[]";

impl PropertyArgument {
    /// True for a spread or a computed name: any property may be passed.
    pub fn hides_name(&self) -> bool {
        Self::is_hidden(&self.name)
    }

    /// True for the `name` of a spread or of a computed name.
    pub fn is_hidden(name: &str) -> bool {
        name == SPREAD || name == COMPUTED
    }
}

/// The parameter that an argument is bound to.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum BoundParameter {
    /// The parameter at this position of the callee's signature.
    Parameter(u16),
    /// A keyword argument with this name to a callee of unknown signature.
    Named(ArcStr),
    /// An explicit receiver, as `self` in `Base.m(self, x)`, with the name of the receiver parameter.
    Receiver(ArcStr),
    /// The parameter is unknown.
    Unknown,
}

/// The syntactic form of an argument.
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
    /// The function, class, member or parameter below a bare decorator, `@f`: the first positional argument.
    Decorated,
}

impl ArgumentKind {
    /// True for an argument that is bound by its position.
    pub fn is_positional(self) -> bool {
        matches!(self, Self::Positional | Self::Decorated)
    }

    /// True for `*x` and `**x`.
    pub fn is_spread(self) -> bool {
        matches!(self, Self::Star | Self::DoubleStar)
    }

    /// The name of this kind in files.
    pub fn word(self) -> &'static str {
        match self {
            Self::Positional => "positional",
            Self::Keyword => "keyword",
            Self::Star => "star",
            Self::DoubleStar => "double_star",
            Self::Decorated => "decorated",
        }
    }
}

apidisc_base::packed::packed_structs! {
    CallSite { file, line, col, caller, receiver, through, resolution, syntax, receiver_link, arguments }
    CallSyntax { form, expects_error, names_constructor }
    Argument { bound, forwarded, kind, value, keys }
    PropertyArgument { name, bound, value }
}

apidisc_base::packed::packed_enums! {
    Resolution { Resolved(id), Ambiguous(candidates), Unresolved(why) }
    UnresolvedReason { External, UnknownReceiver, UnknownName, Dynamic, TooComplex }
    CallForm {
        Name, SelfAttribute, SuperAttribute, Attribute, Chain, CallAttribute, OtherAttribute, Decorator, Subscript,
        Nameless, New, Super, Jsx, Template, Pattern,
    }
    BoundParameter { Parameter(position), Named(name), Receiver(name), Unknown }
    ArgumentKind { Positional, Keyword, Star, DoubleStar, Decorated }
}
