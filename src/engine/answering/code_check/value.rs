//! The values in the code of an answer, as far as an index knows them.

use std::rc::Rc;

use super::MistakeKind;
use apidisc_facts::program::{DefinitionId, ModuleId};

/// The greatest number of values of a union.
const MAX_UNION: usize = 8;

/// A value in the code of an answer, as far as the index knows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Value {
    /// A module of the index.
    Module(ModuleId),
    /// A class or callable; a method with the object that it was reached through. A method that was reached through its
    /// class has no object: its first argument is the object.
    Definition(DefinitionId, Option<Instance>),
    /// An object.
    Instance(Instance),
    /// A choice of several values; no value of the list is itself a union or unknown.
    Union(Rc<[Value]>),
    /// An object of which `await` gives this value.
    Awaitable(Rc<Value>),
    /// Anything else.
    Unknown,
}

/// An object of a class.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Instance {
    pub(super) class: DefinitionId,
    /// True for the result of a call of the class. Any other value may be an instance of a derived class.
    pub(super) is_exact: bool,
}

impl Value {
    /// The union of these values; unknown if a value is unknown, or if the list is empty.
    pub(super) fn one_of(values: impl IntoIterator<Item = Self>) -> Self {
        let mut all: Vec<Self> = Vec::new();
        for value in values {
            if value == Self::Unknown || all.len() > MAX_UNION {
                return Self::Unknown;
            }
            for member in value.members() {
                if !all.contains(member) {
                    all.push(member.clone());
                }
            }
        }
        match &all[..] {
            [] => Self::Unknown,
            [_] => all.remove(0),
            _ => Self::Union(all.into()),
        }
    }

    /// The values of a union; any other value alone.
    pub(super) fn members(&self) -> &[Self] {
        match self {
            Self::Union(values) => values,
            value => std::slice::from_ref(value),
        }
    }

    /// The value that `await` gives for this one.
    pub(super) fn awaited(&self) -> Self {
        let awaited = |value: &Self| match value {
            Self::Awaitable(value) => (**value).clone(),
            _ => Self::Unknown,
        };
        Self::one_of(self.members().iter().map(awaited))
    }

    /// The kind of a name that is missing among the members of this value.
    pub(super) fn kind_of_members(&self) -> MistakeKind {
        let are_modules = self.members().iter().all(|value| matches!(value, Self::Module(_)));
        if are_modules { MistakeKind::Name } else { MistakeKind::Attribute }
    }
}

/// The result of looking a name up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum NameLookup {
    Value(Value),
    /// The sources do not have the name.
    Missing,
    /// The sources do not decide it.
    Undecided,
}

impl NameLookup {
    pub(super) fn value(self) -> Value {
        match self {
            Self::Value(value) => value,
            Self::Missing | Self::Undecided => Value::Unknown,
        }
    }

    /// The result for a union, from the results for its values: the union has the name if one value has it, and the
    /// name is missing if it is missing in all of them.
    pub(super) fn in_any(found: impl IntoIterator<Item = Self>) -> Self {
        let (mut values, mut is_undecided) = (Vec::new(), false);
        for found in found {
            match found {
                Self::Value(value) => values.push(value),
                Self::Missing => {}
                Self::Undecided => is_undecided = true,
            }
        }
        match (values.is_empty(), is_undecided) {
            (false, false) => Self::Value(Value::one_of(values)),
            (true, false) => Self::Missing,
            (_, true) => Self::Undecided,
        }
    }
}
