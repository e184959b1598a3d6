//! The object that a function returns, and what the code around a call takes of it.

use arcstr::ArcStr;

use super::ParameterSet;

/// The object that a function returns, as far as its members are known: see [`super::Signature::result`].
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct ReturnedObject {
    /// What the object is.
    pub shape: ResultShape,
    /// The members in the order of the source. Members that calls take and that no code of the sources declares come
    /// last, most taken first.
    pub members: Box<[ReturnedMember]>,
    /// True if the object may have further members, since a part of it is not known.
    pub is_open: bool,
    /// What the function returns otherwise, as a type: `null`, `undefined` or `null | undefined`; `None` in Python.
    pub otherwise: Option<ArcStr>,
}

/// What a returned object is, which says how code takes its members.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum ResultShape {
    /// An object of TypeScript, with properties; a dict of Python, with the keys that the code names.
    #[default]
    Object,
    /// A tuple, with items by position.
    Tuple,
    /// A named tuple of Python, with items by position and by name.
    NamedTuple,
}

/// A member of a returned object.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ReturnedMember {
    /// Its name: of an item of a tuple, the name of the returned variable, or its position, from 0. No two members have
    /// the same name.
    pub name: ArcStr,
    /// Its type; `None` if the type is not known.
    pub annotation: Option<ArcStr>,
    /// True if some of the objects that the function returns do not have the member.
    pub is_optional: bool,
}

/// The members of a returned object that the code around one call takes: `const { open } = useThing()`,
/// `useThing().open()`, or `thing.open` if the constant `thing` holds the result; in Python `a, b = f()`,
/// `f()["open"]`, or `thing["open"]` if the variable `thing` holds the result.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TakenMembers {
    /// The members, by position in [`ReturnedObject::members`].
    pub members: ParameterSet,
    /// True if the code may take further members, since it also uses the object in another way.
    pub is_open: bool,
}

apidisc_base::packed::packed_structs! {
    ReturnedObject { shape, members, is_open, otherwise }
    ReturnedMember { name, annotation, is_optional }
    TakenMembers { members, is_open }
}

apidisc_base::packed::packed_enums! {
    ResultShape { Object, Tuple, NamedTuple }
}

impl ReturnedMember {
    /// The name that the code gives to an item of a tuple; `None` for an item that has only a position.
    pub fn label(&self) -> Option<&str> {
        Some(&*self.name).filter(|name| !name.starts_with(|first: char| first.is_ascii_digit()))
    }
}
