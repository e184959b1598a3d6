//! Call shapes that can be merged: overloads that differ only in how many arguments they take, or in the optional
//! properties of an object, are one line.

/// The note of a deprecated overload.
pub(crate) const DEPRECATED: &str = "deprecated";

/// A signature with names only, such as `  find(where, options?);`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct CallShape {
    /// The text up to the opening parenthesis, `  find`.
    pub(crate) opening: String,
    pub(crate) parameters: Vec<ShapeParameter>,
    /// The text after the closing parenthesis.
    pub(crate) closing: &'static str,
    /// True for a deprecated overload.
    pub(crate) is_deprecated: bool,
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
    pub(crate) properties: Vec<ShapeParameter>,
}

impl CallShape {
    /// The line of the shape.
    pub(crate) fn line(&self) -> String {
        let parameters: Vec<String> = self.parameters.iter().map(ShapeParameter::text).collect();
        let note = if self.is_deprecated { format!(" // {DEPRECATED}") } else { String::new() };
        format!("{}({}){}{note}\n", self.opening, parameters.join(", "), self.closing)
    }

    /// Adds the calls of `other` to this shape and returns true, if the merged shape still says which arguments a call
    /// needs: `find()` and `find(where)` become `find(where?)`. The optional properties of an object become one list, since
    /// two lines that differ in nothing else do not say when to take which.
    pub(crate) fn merge(&mut self, other: &Self) -> bool {
        let is_longer = self.parameters.len() >= other.parameters.len();
        let (longer, shorter) = if is_longer { (&*self, other) } else { (other, &*self) };
        let common = shorter.parameters.len();
        let pairs = longer.parameters.iter().zip(&shorter.parameters);
        let Some(mut merged) = pairs.map(|(a, b)| a.merged(b)).collect::<Option<Vec<ShapeParameter>>>() else {
            return false;
        };
        let further_are_optional = longer.parameters.iter().skip(common + 1).all(ShapeParameter::needs_no_argument);
        if self.opening != other.opening || !further_are_optional {
            return false;
        }
        merged.extend_from_slice(&longer.parameters[common..]);
        if let Some(parameter) = merged.get_mut(common) {
            parameter.is_optional = true;
        }
        self.parameters = merged;
        self.is_deprecated &= other.is_deprecated;
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

    /// The parameter that takes what both take. `None` if the names differ, or if an object of one needs a property that
    /// the other does not have.
    fn merged(&self, other: &Self) -> Option<Self> {
        if self.name != other.name {
            return None;
        }
        let mut properties = Vec::new();
        for own in &self.properties {
            match other.properties.iter().find(|property| property.name == own.name) {
                Some(property) => properties.push(own.merged(property)?),
                None if own.is_optional => properties.push(own.clone()),
                None => return None,
            }
        }
        for property in &other.properties {
            if self.properties.iter().all(|own| own.name != property.name) {
                properties.push(Some(property).filter(|property| property.is_optional)?.clone());
            }
        }
        let is_optional = self.is_optional || other.is_optional;
        Some(Self { name: self.name.clone(), is_optional, is_rest: self.is_rest, properties })
    }

    /// `url`, `options?`, `options?: { timeout?, retries? }`
    pub(crate) fn text(&self) -> String {
        let mark = if self.is_optional && !self.is_rest { "?" } else { "" };
        if self.properties.is_empty() {
            return format!("{}{mark}", self.name);
        }
        let properties: Vec<String> = self.properties.iter().map(Self::text).collect();
        format!("{}{mark}: {{ {} }}", self.name, properties.join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `a`, `b?`, `...c`, `o{x?,y}`
    fn parameter(text: &str) -> ShapeParameter {
        let (name, properties) = text.split_once('{').unwrap_or((text, ""));
        let properties = properties.trim_end_matches('}').split(',').filter(|property| !property.is_empty());
        ShapeParameter {
            name: name.trim_end_matches('?').to_owned(),
            is_optional: name.ends_with('?'),
            is_rest: name.starts_with("..."),
            properties: properties.map(parameter).collect(),
        }
    }

    /// `a b? ...c o{x?}` as the shape of `f`.
    fn shape(parameters: &str) -> CallShape {
        let parameters = parameters.split_whitespace().map(parameter).collect();
        CallShape { opening: "f".to_owned(), parameters, closing: ";", is_deprecated: false }
    }

    #[test]
    fn shapes_are_merged_where_the_needed_arguments_stay_the_same() {
        for (shapes, expected) in [
            (&["", "a"][..], &["f(a?);"][..]),
            (&["a b", "a"], &["f(a, b?);"]),
            (&["a", "a"], &["f(a);"]),
            (&["", "a", "a b"], &["f(a?, b?);"]),
            (&["", "a b?"], &["f(a?, b?);"]),
            (&["a", "a ...b"], &["f(a, ...b);"]),
            (&["o?{x?}", ""], &["f(o?: { x? });"]),
            (&["t o?{x?,y?}", "t o?{z?,x?}", "t"], &["f(t, o?: { x?, y?, z? });"]),
            (&["o", "o{x?}"], &["f(o: { x? });"]),
            (&["o{x,y?}", "o{x?}"], &["f(o: { x?, y? });"]),
            // `f(a)` would be a call of neither.
            (&["", "a b"], &["f();", "f(a, b);"]),
            (&["a", "b"], &["f(a);", "f(b);"]),
            // `f(o: {})` would be a call of neither.
            (&["o{x}", "o{y}"], &["f(o: { x });", "f(o: { y });"]),
            (&["o{x}", "o"], &["f(o: { x });", "f(o);"]),
        ] {
            let lines = CallShape::merged_lines(shapes.iter().map(|parameters| shape(parameters)));
            assert_eq!(lines.iter().map(|line| line.trim_end()).collect::<Vec<_>>(), expected, "{shapes:?}");
        }
    }
}
