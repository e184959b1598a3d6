//! What a definition is and where it stands.

use super::FileId;

/// What a definition is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum DefinitionKind {
    /// A class.
    Class,
    /// A function at module level or nested in a function.
    Function,
    /// A function in a class that takes the instance.
    Method,
    /// A method that takes the class.
    ClassMethod,
    /// A method that takes neither.
    StaticMethod,
    /// A method read as an attribute.
    Property,
    /// A field or attribute of a class.
    Attribute,
    /// A name at module level that holds a value.
    Constant,
    /// An interface.
    Interface,
    /// `type X = …`
    TypeAlias,
    /// An enum; its members are attributes.
    Enum,
    /// A namespace.
    Namespace,
}

/// Words before a name, or the sign after it, that change what can be done with it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[allow(clippy::struct_excessive_bools, reason = "each is a word of its own")]
pub struct Modifiers {
    /// `x?`: of a property or method.
    pub is_optional: bool,
    /// `readonly`
    pub is_readonly: bool,
    /// `static`: of a property; a static method has a kind of its own.
    pub is_static: bool,
    /// `abstract`
    pub is_abstract: bool,
}

impl DefinitionKind {
    /// The word for it on screens and in files.
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

    /// True where call sites of it are counted.
    pub fn is_callable(self) -> bool {
        matches!(self, Self::Class | Self::Function | Self::Method | Self::ClassMethod | Self::StaticMethod)
    }
}

/// Where a definition stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// Its file.
    pub file: FileId,
    /// The line of its name, from 1.
    pub line: u32,
    /// The last line of its body, from 1.
    pub end_line: u32,
}
