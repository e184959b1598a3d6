//! Call shapes that can be merged: overloads that differ only in how many arguments they take, in the arguments that
//! they take by name, or in the optional properties of an object, are one line.

use apidisc_base::sort::SharedSort as _;
use rustc_hash::{FxHashMap, FxHashSet};

/// The note of a deprecated overload.
pub(crate) const DEPRECATED: &str = "deprecated";

/// A signature with names only, such as `  find(where, options?);`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct CallShape {
    /// The text up to the opening parenthesis, `  find`.
    pub(crate) opening: String,
    /// The parameters that are passed by position.
    pub(crate) parameters: Vec<ShapeParameter>,
    /// The parameters that are passed by name alone, below `*` if no parameter before them takes any number of
    /// arguments.
    pub(crate) keywords: Vec<ShapeParameter>,
    pub(crate) signs: ShapeSigns,
    /// The entries of the comment.
    pub(crate) notes: Vec<String>,
    /// True for a deprecated overload.
    pub(crate) is_deprecated: bool,
}

/// How a language writes a call shape.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ShapeSigns {
    /// The mark of an optional parameter: `?`, `=...`
    pub(crate) optional: &'static str,
    /// The text after the closing parenthesis.
    pub(crate) closing: &'static str,
    /// The text that begins a comment.
    pub(crate) comment: &'static str,
}

/// A parameter of a call shape.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ShapeParameter {
    /// `options`, `...names`, `*names`
    pub(crate) name: String,
    pub(crate) is_optional: bool,
    /// True for a parameter that takes any number of arguments, and for a separator of parameters. It has no mark, and
    /// needs no argument.
    pub(crate) is_rest: bool,
    /// The properties of an object, `{ timeout?, retries? }`; empty for any other parameter.
    pub(crate) properties: Vec<ShapeParameter>,
}

impl CallShape {
    /// The line of the shape.
    pub(crate) fn line(&self) -> String {
        let texts = |parameters: &[ShapeParameter]| -> Vec<String> {
            parameters.iter().map(|parameter| parameter.text(self.signs.optional)).collect()
        };
        let mut parameters = texts(&self.parameters);
        let has_rest = self.parameters.last().is_some_and(|last| last.is_rest && last.name.starts_with('*'));
        if !has_rest && self.keywords.iter().any(|keyword| !keyword.is_rest) {
            parameters.push("*".to_owned());
        }
        parameters.extend(texts(&self.keywords));
        let deprecated = self.is_deprecated.then_some(DEPRECATED);
        let notes: Vec<&str> = self.notes.iter().map(String::as_str).chain(deprecated).collect();
        let comment =
            if notes.is_empty() { String::new() } else { format!("{}{}", self.signs.comment, notes.join(", ")) };
        format!("{}({}){}{comment}\n", self.opening, parameters.join(", "), self.signs.closing)
    }

    /// Merges `other` into this shape and returns true, if the merged shape still states which arguments a call needs:
    /// `find()` and `find(where)` become `find(where?)`. The optional properties of an object become one list, and so
    /// do the arguments that are passed by name, because two lines that differ only in them would not tell a reader
    /// which line applies.
    pub(crate) fn merge(&mut self, other: &Self) -> bool {
        if self.opening != other.opening || !self.needs_similar_arguments(other) {
            return false;
        }
        let Some(parameters) = merged_by_position(&self.parameters, &other.parameters) else { return false };
        let Some(keywords) = merged_by_name(&self.keywords, &other.keywords) else { return false };
        let by_position: FxHashSet<&str> = parameters.iter().map(|parameter| parameter.name.as_str()).collect();
        // One shape takes this argument by position, the other shape takes it by name.
        if keywords.iter().any(|keyword| by_position.contains(keyword.name.as_str())) {
            return false;
        }
        (self.parameters, self.keywords) = (parameters, keywords);
        let new: Vec<String> = other.notes.iter().filter(|note| !self.notes.contains(note)).cloned().collect();
        self.notes.extend(new);
        self.is_deprecated &= other.is_deprecated;
        true
    }

    /// True if the arguments that one shape needs include all arguments that the other shape needs, and if at most one
    /// of the additional ones is no parameter of the other shape. If there were two such arguments, a call of the
    /// merged shape could pass one of them alone.
    fn needs_similar_arguments(&self, other: &Self) -> bool {
        let (own, others) = (self.needed(), other.needed());
        let (less, more, less_needed) = if own.is_subset(&others) {
            (self, &others, &own)
        } else if others.is_subset(&own) {
            (other, &own, &others)
        } else {
            return false;
        };
        let known: FxHashSet<&str> = less.all().map(|parameter| parameter.name.as_str()).collect();
        more.difference(less_needed).filter(|name| !known.contains(*name)).count() <= 1
    }

    fn all(&self) -> impl Iterator<Item = &ShapeParameter> {
        self.parameters.iter().chain(&self.keywords)
    }

    /// The names of the parameters that need an argument.
    fn needed(&self) -> FxHashSet<&str> {
        self.all().filter(|parameter| !parameter.needs_no_argument()).map(|parameter| parameter.name.as_str()).collect()
    }

    /// Shapes, merged as far as possible.
    pub(crate) fn merged(shapes: impl IntoIterator<Item = Self>) -> Vec<Self> {
        let mut merged: Vec<Self> = Vec::new();
        for shape in shapes {
            if !merged.iter_mut().any(|earlier| earlier.merge(&shape)) {
                merged.push(shape);
            }
        }
        merged
    }
}

/// Merges the positional parameters of two shapes. Parameters that only the longer list has become optional. `None` if
/// two parameters at the same position cannot be merged.
fn merged_by_position(own: &[ShapeParameter], others: &[ShapeParameter]) -> Option<Vec<ShapeParameter>> {
    let (longer, shorter) = if own.len() >= others.len() { (own, others) } else { (others, own) };
    let pairs = longer.iter().zip(shorter);
    let mut merged = pairs.map(|(a, b)| a.merged(b)).collect::<Option<Vec<ShapeParameter>>>()?;
    let further = longer[shorter.len()..].iter();
    merged.extend(further.map(|parameter| ShapeParameter { is_optional: true, ..parameter.clone() }));
    Some(merged)
}

/// Merges the keyword parameters of two shapes. Parameters that only one list has become optional. A parameter that
/// takes any number of arguments stays last.
fn merged_by_name(own: &[ShapeParameter], others: &[ShapeParameter]) -> Option<Vec<ShapeParameter>> {
    let by_name: FxHashMap<&str, &ShapeParameter> = others.iter().map(|other| (other.name.as_str(), other)).collect();
    let known: FxHashSet<&str> = own.iter().map(|parameter| parameter.name.as_str()).collect();
    let mut merged = Vec::with_capacity(own.len());
    for parameter in own {
        merged.push(match by_name.get(parameter.name.as_str()) {
            Some(other) => parameter.merged(other)?,
            None => ShapeParameter { is_optional: true, ..parameter.clone() },
        });
    }
    let new = others.iter().filter(|other| !known.contains(other.name.as_str()));
    merged.extend(new.map(|parameter| ShapeParameter { is_optional: true, ..parameter.clone() }));
    let rests = merged.iter().filter(|parameter| parameter.is_rest).count();
    merged.shared_sort_by_key(|parameter| parameter.is_rest);
    // The lists may give different names to the parameter that takes all other keywords.
    merged.truncate(merged.len() - rests.saturating_sub(1));
    Some(merged)
}

impl ShapeParameter {
    fn needs_no_argument(&self) -> bool {
        self.is_optional || self.is_rest
    }

    /// A parameter that accepts the arguments of both parameters. `None` if the names differ, or if one parameter needs
    /// a property of its object that the object of the other parameter does not have.
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

    /// `url`, `options?`, `options?: { timeout?, retries? }`; `optional` is the mark of an optional parameter.
    pub(crate) fn text(&self, optional: &str) -> String {
        let mark = if self.is_optional && !self.is_rest { optional } else { "" };
        if self.properties.is_empty() {
            return format!("{}{mark}", self.name);
        }
        let properties: Vec<String> = self.properties.iter().map(|property| property.text(optional)).collect();
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
            is_rest: name.starts_with("...") || name.starts_with('*'),
            properties: properties.map(parameter).collect(),
        }
    }

    /// `a b? ...c o{x?} | k k2? **r` as the shape of `f`: what follows `|` is passed by name.
    fn shape(parameters: &str) -> CallShape {
        let (parameters, keywords) = parameters.split_once('|').unwrap_or((parameters, ""));
        let list = |text: &str| text.split_whitespace().map(parameter).collect();
        CallShape {
            opening: "f".to_owned(),
            parameters: list(parameters),
            keywords: list(keywords),
            signs: ShapeSigns { optional: "?", closing: ";", comment: " // " },
            notes: Vec::new(),
            is_deprecated: false,
        }
    }

    fn merged_lines(shapes: &[&str]) -> Vec<String> {
        let merged = CallShape::merged(shapes.iter().map(|parameters| shape(parameters)));
        merged.iter().map(|shape| shape.line().trim_end().to_owned()).collect()
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
            assert_eq!(merged_lines(shapes), expected, "{shapes:?}");
        }
    }

    #[test]
    fn parameters_that_are_passed_by_name_become_one_list() {
        for (shapes, expected) in [
            (&["a | k?", "a b | k? l?"][..], &["f(a, b?, *, k?, l?);"][..]),
            // Whoever passes `stream` may pass `model` too.
            (&["a | s?", "a | s m", "a | s m?"], &["f(a, *, s?, m?);"]),
            (&["| k?", "a | k?", "| d k?"], &["f(a?, *, k?, d?);"]),
            (&["a *b | k", "a *b | k?"], &["f(a, *b, k?);"]),
            (&["a | **r", "a | k? **r"], &["f(a, *, k?, **r);"]),
            (&["| **r", "| k? **s"], &["f(*, k?, **r);"]),
            // A call with `x` alone would be a call of neither.
            (&["", "| x y"], &["f();", "f(*, x, y);"]),
            // A call without arguments would be a call of neither.
            (&["a", "| d"], &["f(a);", "f(*, d);"]),
            (&["| x", "| y"], &["f(*, x);", "f(*, y);"]),
            // The second overload takes `k` by name alone, as its second parameter is `b`.
            (&["a k?", "a b? | k?"], &["f(a, k?);", "f(a, b?, *, k?);"]),
        ] {
            assert_eq!(merged_lines(shapes), expected, "{shapes:?}");
        }
    }
}
