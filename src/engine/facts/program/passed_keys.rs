//! The keys of the objects and dicts that calls pass, also of those that the call itself does not show: the value of a
//! constant, the elements of a list, what a spread passes. They say what a parameter takes. What a call passes is
//! counted without them, since code may change an object between its literal and the call.

use arcstr::ArcStr;

/// The keys that one argument of a call passes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PassedKeys {
    /// The position among the arguments of the call.
    pub argument: u16,
    /// True for the keys of the elements of a list.
    pub of_elements: bool,
    /// The keys in source order. A key with several values is there once for each value.
    pub keys: Box<[PassedKey]>,
}

/// A key of an object or dict.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PassedKey {
    /// The key.
    pub name: ArcStr,
    /// The text of its value in double quotes, if that is a short string without white space.
    pub value: Option<ArcStr>,
    /// The number of objects that have the key with the value: several in a list.
    pub objects: u16,
}

/// Collects the keys of one argument, in bounded work.
#[derive(Debug)]
pub struct PassedKeysBuilder {
    keys: Vec<PassedKey>,
    of_elements: bool,
    /// The number of objects and members that may still be read.
    left: usize,
}

impl Default for PassedKeysBuilder {
    fn default() -> Self {
        Self { keys: Vec::new(), of_elements: false, left: Self::MOST_READ }
    }
}

impl PassedKeysBuilder {
    /// The greatest number of objects and members that are read for one argument.
    const MOST_READ: usize = 256;

    /// Counts an object or member that is read; `None` if too many have been read.
    pub fn visit(&mut self) -> Option<()> {
        self.left = self.left.checked_sub(1)?;
        Some(())
    }

    /// Adds a key with the text of its value, if it may be the name of an option.
    pub fn add(&mut self, name: &str, value: Option<&str>) {
        if let Some(key) = PassedKey::new(name, value) {
            key.add_to(&mut self.keys);
        }
    }

    /// Calls `add`, and notes that the keys which it adds are those of the elements of a list.
    pub fn of_elements(&mut self, add: impl FnOnce(&mut Self)) {
        let before = self.keys.len();
        add(self);
        self.of_elements |= self.keys.len() > before;
    }

    /// The keys of the argument at a position; `None` without a key.
    pub fn finish(self, argument: usize) -> Option<PassedKeys> {
        let Self { keys, of_elements, .. } = self;
        (!keys.is_empty()).then(|| PassedKeys { argument: argument as u16, of_elements, keys: keys.into() })
    }
}

impl PassedKey {
    /// The greatest number of keys of one argument.
    const MOST: usize = 32;
    /// The greatest length of a key, and of the text of a value, in bytes. Longer ones are data.
    const LONGEST: usize = 30;

    /// A key with the text of its value, which has no quotes. `None` for what is no name of an option.
    fn new(name: &str, value: Option<&str>) -> Option<Self> {
        let is_plain = |text: &str| {
            !text.is_empty() && !text.contains(|c: char| c.is_control() || c.is_whitespace() || "\"\\,{}".contains(c))
        };
        let is_short = |text: &str| text.len() <= Self::LONGEST && is_plain(text);
        let value = value.filter(|value| is_short(value)).map(|value| format!("\"{value}\"").into());
        is_short(name).then(|| Self { name: name.into(), value, objects: 1 })
    }

    /// Adds a key to those of an argument, unless there are many.
    fn add_to(self, keys: &mut Vec<Self>) {
        if let Some(known) = keys.iter_mut().find(|key| key.name == self.name && key.value == self.value) {
            known.objects = known.objects.saturating_add(1);
        } else if keys.len() < Self::MOST {
            keys.push(self);
        }
    }
}

apidisc_base::packed::packed_structs! {
    PassedKeys { argument, of_elements, keys }
    PassedKey { name, value, objects }
}

#[cfg(test)]
mod tests {
    use super::PassedKey;

    #[test]
    fn keys_are_names_of_options() {
        let key = |name: &str, value: Option<&str>| {
            PassedKey::new(name, value).map(|key| (key.name.to_string(), key.value.map(|value| value.to_string())))
        };
        assert_eq!(key("type", Some("input")), Some(("type".to_owned(), Some("\"input\"".to_owned()))));
        for text in ["a\"b", "a b", ""] {
            assert_eq!(key("type", Some(text)), Some(("type".to_owned(), None)));
        }
        let long = "x".repeat(31);
        for name in ["", "a,b", "{}", "a b", &long] {
            assert_eq!(key(name, None), None, "{name}");
        }
    }

    #[test]
    fn each_key_is_counted_with_each_value() {
        let mut keys = Vec::new();
        for (name, value) in
            [("a", None), ("b", Some("x")), ("a", Some("y")), ("b", Some("z")), ("b", None), ("b", Some("z"))]
        {
            PassedKey::new(name, value).expect("a key").add_to(&mut keys);
        }
        let texts: Vec<_> = keys.iter().map(|key| (&*key.name, key.value.as_deref(), key.objects)).collect();
        assert_eq!(
            texts,
            [("a", None, 1), ("b", Some("\"x\""), 1), ("a", Some("\"y\""), 1), ("b", Some("\"z\""), 2), ("b", None, 1)]
        );
        for at in 0..40 {
            PassedKey::new(&format!("k{at}"), None).expect("a key").add_to(&mut keys);
        }
        assert_eq!(keys.len(), PassedKey::MOST);
    }
}
