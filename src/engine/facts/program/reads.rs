//! One read of an attribute: its position and the attribute.

use super::{CallForm, DefinitionId, FileId};

/// An expression that reads an attribute or property of the sources, such as `response.status_code`. The target of an
/// assignment or a deletion is no read, but the target of an augmented assignment (`x.a += 1`) is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReadSite {
    /// The file that contains the read.
    pub file: FileId,
    /// The line of the attribute's name token, from 1.
    pub line: u32,
    /// The column at which that token starts, from 0, in UTF-8 bytes.
    pub col: u32,
    /// The innermost function or method around the read; `None` for a read outside of functions.
    pub reader: Option<DefinitionId>,
    /// The attribute or property that is read.
    pub attribute: DefinitionId,
    /// The class of the receiver, if it is known and inherits the attribute from another class.
    pub receiver: Option<DefinitionId>,
    /// The constant of a module whose attribute is read, as in `settings.debug`.
    pub through: Option<DefinitionId>,
    /// The syntactic form of the receiver.
    pub form: CallForm,
}

apidisc_base::packed::packed_structs! {
    ReadSite { file, line, col, reader, attribute, receiver, through, form }
}
