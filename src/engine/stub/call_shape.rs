//! Call shapes that can be merged: overloads that differ only in how many arguments they take are one line.

/// A signature with names only, such as `  find(where, options?);`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct CallShape {
    /// The text up to the opening parenthesis, `  find`.
    pub(crate) opening: String,
    pub(crate) parameters: Vec<ShapeParameter>,
    /// The text after the closing parenthesis.
    pub(crate) closing: &'static str,
}

/// A parameter of a call shape.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ShapeParameter {
    /// `options`, `...names`
    pub(crate) name: String,
    pub(crate) is_optional: bool,
    /// True for a parameter that takes any number of arguments. It has no mark, and needs no argument.
    pub(crate) is_rest: bool,
    /// The properties of an object, `{ timeout?, retries? }`; empty for any other parameter.
    pub(crate) properties: String,
}

impl CallShape {
    /// The line of the shape.
    pub(crate) fn line(&self) -> String {
        let parameters: Vec<String> = self.parameters.iter().map(ShapeParameter::text).collect();
        format!("{}({}){}\n", self.opening, parameters.join(", "), self.closing)
    }

    /// Adds the calls of `other` to this shape and returns true, if the merged shape allows no other calls than the two
    /// shapes do: `find()` and `find(where)` become `find(where?)`.
    pub(crate) fn merge(&mut self, other: &Self) -> bool {
        let is_longer = self.parameters.len() >= other.parameters.len();
        let (longer, shorter) = if is_longer { (&*self, other) } else { (other, &*self) };
        let is_same = |a: &ShapeParameter, b: &ShapeParameter| a.name == b.name && a.properties == b.properties;
        let common = shorter.parameters.len();
        let is_prefix = longer.parameters.iter().zip(&shorter.parameters).all(|(a, b)| is_same(a, b));
        let further_are_optional = longer.parameters.iter().skip(common + 1).all(ShapeParameter::needs_no_argument);
        if self.opening != other.opening || !is_prefix || !further_are_optional {
            return false;
        }
        let mut merged = longer.parameters.clone();
        for (parameter, other) in merged.iter_mut().zip(&shorter.parameters) {
            parameter.is_optional |= other.is_optional;
        }
        if let Some(parameter) = merged.get_mut(common) {
            parameter.is_optional = true;
        }
        self.parameters = merged;
        true
    }

    /// The lines of shapes, merged as far as possible.
    pub(crate) fn merged_lines(shapes: impl IntoIterator<Item = Self>) -> Vec<String> {
        let mut merged: Vec<Self> = Vec::new();
        for shape in shapes {
            if !merged.iter_mut().any(|earlier| earlier.merge(&shape)) {
                merged.push(shape);
            }
        }
        merged.iter().map(Self::line).collect()
    }
}

impl ShapeParameter {
    fn needs_no_argument(&self) -> bool {
        self.is_optional || self.is_rest
    }

    /// `url`, `options?`, `options?: { timeout?, retries? }`
    pub(crate) fn text(&self) -> String {
        let mark = if self.is_optional && !self.is_rest { "?" } else { "" };
        let sign = if self.properties.is_empty() { "" } else { ": " };
        [&self.name, mark, sign, &self.properties].concat()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `a b? ...c o{x?}` as the shape of `f`.
    fn shape(parameters: &str) -> CallShape {
        let parameter = |text: &str| {
            let (name, properties) = text.split_once('{').unwrap_or((text, ""));
            ShapeParameter {
                name: name.trim_end_matches('?').to_owned(),
                is_optional: name.ends_with('?'),
                is_rest: name.starts_with("..."),
                properties: if properties.is_empty() { String::new() } else { format!("{{{properties}") },
            }
        };
        let parameters = parameters.split_whitespace().map(parameter).collect();
        CallShape { opening: "f".to_owned(), parameters, closing: ";" }
    }

    #[test]
    fn shapes_are_merged_where_no_call_is_gained_or_lost() {
        for (shapes, expected) in [
            (&["", "a"][..], &["f(a?);"][..]),
            (&["a b", "a"], &["f(a, b?);"]),
            (&["a", "a"], &["f(a);"]),
            (&["", "a", "a b"], &["f(a?, b?);"]),
            (&["", "a b?"], &["f(a?, b?);"]),
            (&["a", "a ...b"], &["f(a, ...b);"]),
            (&["o?{x?}", ""], &["f(o?: {x?});"]),
            // `f(a)` would be a call of neither.
            (&["", "a b"], &["f();", "f(a, b);"]),
            (&["a", "b"], &["f(a);", "f(b);"]),
            (&["o{x?}", "o{y?}"], &["f(o: {x?});", "f(o: {y?});"]),
        ] {
            let lines = CallShape::merged_lines(shapes.iter().map(|parameters| shape(parameters)));
            assert_eq!(lines.iter().map(|line| line.trim_end()).collect::<Vec<_>>(), expected, "{shapes:?}");
        }
    }
}
