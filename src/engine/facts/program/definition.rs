//! The kind, modifiers and place of a definition.

use super::FileId;

/// The placeholder in the annotation of a type alias or property for an object type that is too long to be kept. The
/// properties of the object type are the members of the alias or property.
pub const ELIDED_OBJECT: &str = "{ ... }";

/// The end of the [meaning](super::Parameter::meaning) of a type of which a string selects the keys:
/// `{ "wide": { size?; }; "plain": { clock?; }; }[choice]`.
pub const CHOSEN_KEYS_END: &str = "}[choice]";

/// The text before [`ELIDED_OBJECT`] if the type has further properties, which other types or an index signature
/// declare.
pub const OPEN_OBJECT: &str = "{ [key: string]: any } & ";

/// The kind of a definition. Files name it as [`Self::word`] does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase", expecting = "a kind, such as class")]
pub enum DefinitionKind {
    /// A class.
    Class,
    /// A function at module level or inside a function.
    Function,
    /// A function in a class; its receiver is the instance.
    Method,
    /// A method whose receiver is the class.
    ClassMethod,
    /// A method without a receiver.
    StaticMethod,
    /// A method that is read as an attribute.
    Property,
    /// A field or attribute of a class.
    Attribute,
    /// A name at module level that holds a value.
    Constant,
    /// An interface.
    Interface,
    /// `type X = …`
    #[serde(rename = "type")]
    TypeAlias,
    /// An enum. Its members are attributes.
    Enum,
    /// A namespace.
    Namespace,
}

/// Modifiers of a definition. Most are those of TypeScript.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[allow(clippy::struct_excessive_bools, reason = "each is a modifier of its own")]
pub struct Modifiers {
    /// `x?` on a property or method.
    pub is_optional: bool,
    /// `readonly`
    pub is_readonly: bool,
    /// `static` on a property; a static method has [`DefinitionKind::StaticMethod`].
    pub is_static: bool,
    /// `abstract`
    pub is_abstract: bool,
    /// `protected`; in Python, a member with a name such as `_load` that a subclass of its class uses.
    pub is_protected: bool,
    /// True for `const f: F = …` and for a field `f: F`, where `F` is a function type: the definition is a function or
    /// method with the signature of `F`. The function that is its value may be unknown.
    pub is_constant: bool,
    /// True for a constant or field as in [`Self::is_constant`] whose signatures are construct signatures: `new` calls
    /// it.
    pub is_new: bool,
    /// An overloaded function without an implementation, such as a method of an interface. The signature of the
    /// definition is the signature of one of the overloads.
    pub is_declared: bool,
}

impl DefinitionKind {
    /// Every kind.
    pub const ALL: [Self; 12] = [
        Self::Class,
        Self::Function,
        Self::Method,
        Self::ClassMethod,
        Self::StaticMethod,
        Self::Property,
        Self::Attribute,
        Self::Constant,
        Self::Interface,
        Self::TypeAlias,
        Self::Enum,
        Self::Namespace,
    ];

    /// The name of this kind on screens and in files.
    pub fn word(self) -> &'static str {
        match self {
            Self::Class => "class",
            Self::Function => "function",
            Self::Method => "method",
            Self::ClassMethod => "classmethod",
            Self::StaticMethod => "staticmethod",
            Self::Property => "property",
            Self::Attribute => "attribute",
            Self::Constant => "constant",
            Self::Interface => "interface",
            Self::TypeAlias => "type",
            Self::Enum => "enum",
            Self::Namespace => "namespace",
        }
    }

    /// True for kinds whose reads are counted. The members of an enum are attributes.
    pub fn is_readable(self) -> bool {
        matches!(self, Self::Property | Self::Attribute)
    }

    /// True for kinds whose call sites are counted.
    pub fn is_callable(self) -> bool {
        matches!(self, Self::Class | Self::Function | Self::Method | Self::ClassMethod | Self::StaticMethod)
    }
}

/// The file and lines of a definition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DefinitionPlace {
    /// The file that contains the definition.
    pub file: FileId,
    /// The line of the definition's name, from 1.
    pub line: u32,
    /// The last line of the definition's body, from 1.
    pub end_line: u32,
}

apidisc_base::packed::packed_structs! {
    Modifiers {
        is_optional, is_readonly, is_static, is_abstract, is_protected, is_constant, is_new, is_declared,
    }
    DefinitionPlace { file, line, end_line }
}

apidisc_base::packed::packed_enums! {
    DefinitionKind {
        Class, Function, Method, ClassMethod, StaticMethod, Property, Attribute, Constant, Interface, TypeAlias, Enum,
        Namespace,
    }
}
