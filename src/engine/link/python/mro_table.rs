//! The table of all method resolution orders: lists that share their tails.

use super::{
    constructors::{PYDANTIC_BASES, is_pydantic_path},
    linker::Linker,
    program::{ClassId, GlobalName},
    types::TypeList,
};
use apidisc_base::ids::id;

id! {
    /// A node of the table, and the order that begins with it.
    pub(crate) struct MroId;
}

/// An entry of a method resolution order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Ancestor {
    /// A class of the sources, with the type arguments that it is inherited with.
    Class(ClassId, TypeList),
    /// A class from outside the sources, by its dotted path.
    External(GlobalName),
    /// A base that cannot be resolved, by the class that names it.
    Unknown(ClassId),
}

/// Properties of the ancestors in an order, as bits: a bit is set if at least one ancestor has the property.
#[derive(Clone, Copy, Debug, Default)]
struct Traits(u8);

impl Traits {
    const ENUM: u8 = 1;
    const NAMED_TUPLE: u8 = 1 << 1;
    const TYPED_DICT: u8 = 1 << 2;
    /// Names a base of pydantic, or inherits from one.
    const PYDANTIC: u8 = 1 << 3;
    /// Is a model class of pydantic itself, which is among the sources.
    const PYDANTIC_SOURCE: u8 = 1 << 4;
    /// Is inherited with type arguments.
    const ARGUMENTS: u8 = 1 << 5;
    /// Is inherited with type arguments that contain type variables.
    const VARIABLE: u8 = 1 << 6;
    /// Is `tuple` itself.
    const TUPLE: u8 = 1 << 7;
}

/// An entry of an order, and the rest of the order.
#[derive(Clone, Debug)]
pub(crate) struct MroNode {
    pub(crate) ancestor: Ancestor,
    pub(crate) rest: Option<MroId>,
    /// The number of entries from this one to the end.
    len: u32,
    traits: Traits,
}

impl MroNode {
    /// The number of entries from this one to the end.
    pub(super) fn len(&self) -> usize {
        self.len as usize
    }

    pub(super) fn is_enum(&self) -> bool {
        self.traits.0 & Traits::ENUM != 0
    }

    pub(super) fn is_named_tuple(&self) -> bool {
        self.traits.0 & Traits::NAMED_TUPLE != 0
    }

    /// True for a class with `tuple` or `typing.Tuple` among its ancestors.
    pub(super) fn is_tuple(&self) -> bool {
        self.traits.0 & Traits::TUPLE != 0
    }

    pub(super) fn is_typed_dict(&self) -> bool {
        self.traits.0 & Traits::TYPED_DICT != 0
    }

    pub(super) fn is_pydantic(&self) -> bool {
        self.traits.0 & Traits::PYDANTIC != 0
    }

    pub(super) fn is_pydantic_source(&self) -> bool {
        self.traits.0 & Traits::PYDANTIC_SOURCE != 0
    }

    pub(super) fn has_arguments(&self) -> bool {
        self.traits.0 & Traits::ARGUMENTS != 0
    }

    pub(super) fn has_variable(&self) -> bool {
        self.traits.0 & Traits::VARIABLE != 0
    }

    /// True for every 32nd entry, counted from the end of the order. Searches remember their results there, so that the
    /// orders of a chain of classes are not searched to the end for each class.
    pub(super) fn is_checkpoint(&self) -> bool {
        self.len.is_multiple_of(32)
    }
}

/// The nodes of all orders.
#[derive(Debug, Default)]
pub(crate) struct MroTable {
    nodes: Vec<MroNode>,
}

impl MroTable {
    #[inline]
    pub(crate) fn get(&self, id: MroId) -> &MroNode {
        &self.nodes[id.index()]
    }

    /// The nodes of an order.
    pub(super) fn ids(&self, first: impl Into<Option<MroId>>) -> impl Iterator<Item = MroId> + '_ {
        std::iter::successors(first.into(), |&id| self.get(id).rest)
    }

    /// The entries of an order.
    pub(super) fn iter(&self, first: impl Into<Option<MroId>>) -> impl Iterator<Item = &Ancestor> + '_ {
        self.ids(first).map(|id| &self.get(id).ancestor)
    }

    /// The classes of the sources in an order.
    pub(super) fn classes(&self, first: impl Into<Option<MroId>>) -> impl Iterator<Item = ClassId> + '_ {
        self.iter(first).filter_map(|ancestor| match ancestor {
            Ancestor::Class(class, _) => Some(*class),
            _ => None,
        })
    }

    /// The longest tail that all orders share.
    pub(super) fn common_tail(&self, orders: &[MroId]) -> Option<MroId> {
        let mut orders = orders.iter().copied();
        let first = orders.next();
        orders.fold(first, |tail, order| {
            let (mut a, mut b) = (tail?, order);
            while a != b {
                let (len_a, len_b) = (self.get(a).len, self.get(b).len);
                if len_a >= len_b {
                    a = self.get(a).rest?;
                }
                if len_b >= len_a {
                    b = self.get(b).rest?;
                }
            }
            Some(a)
        })
    }

    /// The entries of an order before one of its tails.
    pub(super) fn before(&self, order: MroId, tail: MroId) -> Vec<Ancestor> {
        self.ids(order).take_while(|&id| id != tail).map(|id| self.get(id).ancestor.clone()).collect()
    }
}

impl Linker<'_> {
    /// The order that begins with `ancestor` and goes on with `rest`.
    pub(super) fn prepend(&mut self, ancestor: Ancestor, rest: Option<MroId>) -> MroId {
        let own = match &ancestor {
            Ancestor::Class(class, args) => {
                let flag = |holds: bool, flag: u8| if holds { flag } else { 0 };
                flag(self.has_base(*class, PYDANTIC_BASES), Traits::PYDANTIC)
                    | flag(self.is_pydantic_source_class(*class), Traits::PYDANTIC_SOURCE)
                    | flag(!args.is_empty(), Traits::ARGUMENTS)
                    | flag(args.iter().any(|&ty| self.types.has_variable(ty)), Traits::VARIABLE)
            }
            Ancestor::External(path) => match self.program.interner.text(*path) {
                "enum.Enum" | "enum.IntEnum" | "enum.StrEnum" | "enum.Flag" | "enum.IntFlag" => Traits::ENUM,
                "typing.NamedTuple" | "typing_extensions.NamedTuple" | "collections.namedtuple" => Traits::NAMED_TUPLE,
                "typing.TypedDict" | "typing_extensions.TypedDict" => Traits::TYPED_DICT,
                "tuple" | "typing.Tuple" => Traits::TUPLE,
                path if is_pydantic_path(path) => Traits::PYDANTIC,
                _ => 0,
            },
            Ancestor::Unknown(_) => 0,
        };
        let (len, traits) = rest.map_or((0, 0), |rest| {
            let rest = self.mro_table.get(rest);
            (rest.len, rest.traits.0)
        });
        let id = MroId::new(self.mro_table.nodes.len());
        self.mro_table.nodes.push(MroNode { ancestor, rest, len: len + 1, traits: Traits(own | traits) });
        id
    }
}
