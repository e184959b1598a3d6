//! The roles of source text. A theme gives each role a style.

/// The role of a piece of source text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SyntaxRole {
    /// Any other text.
    Plain,
    /// `def`, `class`, `async`, `import`, …
    Keyword,
    /// A string.
    String,
    /// A number.
    Number,
    /// `None`, `True`, `...`
    Constant,
    /// A comment.
    Comment,
    /// The name of a function at its definition.
    Function,
    /// The name of a class, or a type.
    Type,
    /// The name of a parameter.
    Parameter,
    /// A decorator.
    Decorator,
    /// `=`, `->`, `|`, …
    Operator,
    /// Brackets, commas, colons.
    Punctuation,
}

/// A piece of a line with one role; it begins where the piece before it ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SyntaxRun {
    /// The byte offset in the line at which it ends.
    pub end: usize,
    /// Its role.
    pub role: SyntaxRole,
}

/// The runs of one line, from left to right.
pub type SyntaxRuns = Vec<SyntaxRun>;
