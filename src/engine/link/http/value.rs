//! The values of arguments, as far as literals and constants show them.

use compact_str::CompactString;

use apidisc_base::nesting;
use apidisc_facts::syntax::texts::TextPiece;

/// A value of an argument.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) enum Value {
    /// A text. A part of it may be unknown.
    Text(Text),
    /// A dictionary or object literal.
    Object(Object),
    /// A list that begins with this value.
    List(Box<Value>),
    /// The parameter at this position of the function around the call.
    Parameter(u16),
    /// No value: `None`, `null`, `undefined`.
    Nothing,
    /// Any other value.
    #[default]
    Unknown,
}

/// A text as a list of pieces.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Text(pub(crate) Vec<Piece>);

/// A piece of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Piece {
    /// Text as written.
    Literal(CompactString),
    /// A piece that is not known. With a position, the value of that parameter of the function around the call.
    Hole(Option<u16>),
}

/// The entries of an object literal.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Object {
    /// Names and values in source order.
    pub(crate) entries: Vec<(CompactString, Value)>,
    /// True if it may have further entries: a spread, a computed name.
    pub(crate) is_open: bool,
}

impl Text {
    /// A text that is written as a whole.
    pub(crate) fn literal(text: &str) -> Self {
        Self(vec![Piece::Literal(text.into())])
    }

    /// The text of a literal with inserted expressions. `value` returns the value of an expression.
    pub(crate) fn of_pieces<E: Copy>(pieces: &[TextPiece<E>], mut value: impl FnMut(E) -> Value) -> Self {
        let mut text = Self::default();
        for piece in pieces {
            match piece {
                TextPiece::Literal(literal) => text.0.push(Piece::Literal(literal.clone())),
                TextPiece::Value(inserted) => text.0.extend(value(*inserted).into_text().0),
            }
        }
        text
    }

    /// A text that is one unknown piece.
    pub(crate) fn unknown() -> Self {
        Self(vec![Piece::Hole(None)])
    }

    /// The text, if all of it is known.
    pub(crate) fn known(&self) -> Option<CompactString> {
        let mut known = CompactString::default();
        for piece in &self.0 {
            let Piece::Literal(text) = piece else { return None };
            known.push_str(text);
        }
        Some(known)
    }

    /// True if a piece of the text is written in the code.
    pub(crate) fn is_written(&self) -> bool {
        self.0.iter().any(|piece| matches!(piece, Piece::Literal(text) if !text.is_empty()))
    }

    /// The text with every parameter of the function around replaced by the value that `argument` has for it.
    pub(crate) fn with_arguments(&self, argument: &impl Fn(u16) -> Value) -> Self {
        let mut text = Vec::new();
        for piece in &self.0 {
            match piece {
                Piece::Hole(Some(position)) => text.extend(argument(*position).into_text().0),
                other => text.push(other.clone()),
            }
        }
        Self(text)
    }

    /// The text with `{}` for each unknown piece. Adjacent unknown pieces become one `{}`.
    pub(crate) fn template(&self) -> CompactString {
        let mut template = CompactString::default();
        for piece in &self.0 {
            match piece {
                Piece::Literal(text) => template.push_str(text),
                Piece::Hole(_) if template.ends_with("{}") => {}
                Piece::Hole(_) => template.push_str("{}"),
            }
        }
        template
    }
}

impl Value {
    /// The value as a text. A value that is not a text becomes one unknown piece.
    pub(crate) fn into_text(self) -> Text {
        match self {
            Self::Text(text) => text,
            Self::Parameter(position) => Text(vec![Piece::Hole(Some(position))]),
            _ => Text::unknown(),
        }
    }

    /// The value with every parameter of the function around replaced by the value that `argument` has for it.
    pub(crate) fn with_arguments(&self, argument: &impl Fn(u16) -> Value) -> Self {
        let Some(_level) = nesting::descend() else { return Self::Unknown };
        match self {
            Self::Parameter(position) => argument(*position),
            Self::Text(text) => Self::Text(text.with_arguments(argument)),
            Self::List(first) => Self::List(Box::new(first.with_arguments(argument))),
            Self::Object(Object { entries, is_open }) => {
                let replaced = entries.iter().map(|(name, value)| (name.clone(), value.with_arguments(argument)));
                Self::Object(Object { entries: replaced.collect(), is_open: *is_open })
            }
            Self::Nothing | Self::Unknown => self.clone(),
        }
    }

    /// The text, if the value is a text without unknown pieces.
    pub(crate) fn known_text(&self) -> Option<CompactString> {
        match self {
            Self::Text(text) => text.known(),
            _ => None,
        }
    }

    /// The entry `name` of an object.
    pub(crate) fn entry(&self, name: &str) -> Option<&Value> {
        match self {
            Self::Object(object) => object.entries.iter().rev().find(|(own, _)| own == name).map(|(_, value)| value),
            _ => None,
        }
    }
}

/// `left` followed by `right`. Python's `"/items/%s" % id` is written with the same operator in the facts, so `%s` and
/// `%d` on the left are the places of unknown pieces.
pub(crate) fn concatenated(left: Text, right: Text) -> Text {
    let is_format = left.0.iter().any(|piece| matches!(piece, Piece::Literal(text) if has_conversion(text)));
    if !is_format {
        return Text(left.0.into_iter().chain(right.0).collect());
    }
    let mut pieces = Vec::new();
    for piece in left.0 {
        match piece {
            Piece::Literal(text) => {
                for (at, part) in text.split("%s").flat_map(|part| part.split("%d")).enumerate() {
                    if at > 0 {
                        pieces.push(Piece::Hole(None));
                    }
                    pieces.push(Piece::Literal(part.into()));
                }
            }
            hole @ Piece::Hole(_) => pieces.push(hole),
        }
    }
    Text(pieces)
}

fn has_conversion(text: &str) -> bool {
    text.contains("%s") || text.contains("%d")
}

/// A text with the replacement fields of `str.format` (`{}`, `{0}`, `{id}`) as unknown pieces.
pub(crate) fn formatted(text: &Text) -> Text {
    let mut pieces = Vec::new();
    for piece in &text.0 {
        let Piece::Literal(text) = piece else {
            pieces.push(piece.clone());
            continue;
        };
        let mut rest = text.as_str();
        while let Some((before, (_, after))) =
            rest.split_once('{').and_then(|(before, inside)| Some((before, inside.split_once('}')?)))
        {
            pieces.extend([Piece::Literal(before.into()), Piece::Hole(None)]);
            rest = after;
        }
        pieces.push(Piece::Literal(rest.into()));
    }
    Text(pieces)
}
