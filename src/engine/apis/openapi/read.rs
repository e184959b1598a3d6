//! Reads the text of a JSON or YAML file as a [`Value`].
//!
//! Both readers limit the nesting to 128 levels. An alias of YAML copies the value that it names, so a few lines could
//! ask for gigabytes of memory: the size of the text limits the size of the value.

use std::{
    cell::{Cell, RefCell},
    fmt,
};

use compact_str::{CompactString, ToCompactString as _};
use serde::de::{DeserializeSeed, Deserializer, EnumAccess, Error, MapAccess, SeqAccess, VariantAccess as _, Visitor};

use super::value::{Entry, Object, Value};

/// The greatest weight of a value beyond four times the bytes of its text: 8 MB. A node weighs 4, a character of a text
/// 1. Without aliases no text of JSON or YAML becomes a value that weighs more than four times its bytes.
const ALIAS_ALLOWANCE: usize = 8 << 20;
/// The greatest number of open brackets in a text of YAML: for each token its scanner looks at all of them.
const MAX_OPEN_BRACKETS: usize = 10_000;
/// The message for a text whose aliases expand to more than the limit.
const TOO_MANY_ALIASES: &str = "its aliases stand for more than 8 MB";

/// The format of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Syntax {
    Json,
    Yaml,
}

impl Syntax {
    /// The format of a file by the ending of its path. Files of other endings are read as YAML, which includes JSON.
    pub(super) fn of(path: &str) -> Self {
        let is_json = path.rsplit_once('.').is_some_and(|(_, ending)| ending.eq_ignore_ascii_case("json"));
        if is_json { Self::Json } else { Self::Yaml }
    }
}

/// A text that was read.
#[derive(Debug)]
pub(super) struct ReadText {
    pub(super) value: Value,
    /// The keys that stand several times in one object, with the line of each repetition.
    pub(super) duplicates: Vec<(CompactString, u32)>,
}

/// Reads a text.
///
/// # Errors
/// A line with the mistake and its place.
pub(super) fn read(text: &str, syntax: Syntax) -> Result<ReadText, String> {
    let reader = Reader::new(text);
    let value = match syntax {
        Syntax::Json => {
            let mut json = serde_json::Deserializer::from_str(text);
            let value = Seed(&reader).deserialize(&mut json).and_then(|value| json.end().map(|()| value));
            value.map_err(|error| format!("not valid JSON: {error}"))?
        }
        Syntax::Yaml => {
            if open_brackets(text) > MAX_OPEN_BRACKETS {
                return Err(format!("not valid YAML: more than {MAX_OPEN_BRACKETS} brackets are open"));
            }
            let yaml = serde_yaml::Deserializer::from_str(text);
            let value = Seed(&reader).deserialize(yaml);
            value.map_err(|error| format!("not valid YAML: {error}"))?
        }
    };
    Ok(ReadText { value, duplicates: reader.duplicates.into_inner() })
}

/// The greatest number of brackets that are open at one place of a text, wherever they stand.
fn open_brackets(text: &str) -> usize {
    let (mut open, mut most) = (0_usize, 0);
    for byte in text.bytes() {
        match byte {
            b'[' | b'{' => open += 1,
            b']' | b'}' => open = open.saturating_sub(1),
            _ => {}
        }
        most = most.max(open);
    }
    most
}

/// The state that the parts of one text share while they are read.
struct Reader {
    /// The address of the text: the readers lend most keys from it, so that their places are known.
    address: usize,
    len: usize,
    /// The offsets of the line breaks of the text.
    breaks: Vec<u32>,
    /// The number of line breaks before the key that was read last.
    last: Cell<usize>,
    /// The weight that the rest of the value may have.
    weight: Cell<usize>,
    duplicates: RefCell<Vec<(CompactString, u32)>>,
    /// The entries of all objects that have begun and not ended, so that an object is allocated once, when its length
    /// is known.
    entries: RefCell<Vec<Entry>>,
    /// The items of all lists that have begun and not ended.
    items: RefCell<Vec<Value>>,
}

impl Reader {
    fn new(text: &str) -> Self {
        Self {
            address: text.as_ptr() as usize,
            len: text.len(),
            breaks: memchr::memchr_iter(b'\n', text.as_bytes()).map(|at| at as u32).collect(),
            last: Cell::new(0),
            weight: Cell::new(text.len().saturating_mul(4).saturating_add(ALIAS_ALLOWANCE)),
            duplicates: RefCell::default(),
            entries: RefCell::default(),
            items: RefCell::default(),
        }
    }

    /// The line, from 1, of a key that was lent from the text.
    fn line_of(&self, lent: &str) -> u32 {
        let offset = (lent.as_ptr() as usize).wrapping_sub(self.address);
        if offset < self.len {
            let last = self.last.get();
            let is_after = last == 0 || (self.breaks[last - 1] as usize) < offset;
            // Keys come in the order of the text, but for those of an alias.
            let before = if is_after {
                last + self.breaks[last..].iter().take_while(|at| (**at as usize) < offset).count()
            } else {
                self.breaks.partition_point(|at| (*at as usize) < offset)
            };
            self.last.set(before);
        }
        self.last.get() as u32 + 1
    }

    fn take<E: Error>(&self, text: usize) -> Result<(), E> {
        let left = self.weight.get().checked_sub(text + 4).ok_or_else(|| E::custom(TOO_MANY_ALIASES))?;
        self.weight.set(left);
        Ok(())
    }

    /// The object with these entries. The keys of an object, or of a list of objects, under the key `<<` of YAML are
    /// added where they are missing.
    fn object(&self, mut entries: Vec<Entry>) -> Object {
        while let Some(at) = entries.iter().position(|entry| entry.key == "<<" && is_merged(&entry.value)) {
            let merged = entries.remove(at);
            let objects = std::slice::from_ref(&merged.value).iter().chain(merged.value.items());
            for entry in objects.flat_map(Value::entries) {
                if entries.iter().all(|own| own.key != entry.key) {
                    entries.push(entry.clone());
                }
            }
        }
        Object::new(entries, |key, line| self.duplicates.borrow_mut().push((key.into(), line)))
    }
}

/// True for a value that the key `<<` may have: an object, or a list of objects.
fn is_merged(value: &Value) -> bool {
    matches!(value, Value::Object(_))
        || (!value.items().is_empty() && value.items().iter().all(|item| matches!(item, Value::Object(_))))
}

/// Reads a value.
#[derive(Clone, Copy)]
struct Seed<'r>(&'r Reader);

impl<'de> DeserializeSeed<'de> for Seed<'_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Seed<'_> {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_unit<E: Error>(self) -> Result<Value, E> {
        self.0.take(0).map(|()| Value::Null)
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<Value, E> {
        self.0.take(0).map(|()| Value::Bool(value))
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<Value, E> {
        self.0.take(0).map(|()| Value::Integer(number))
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<Value, E> {
        self.0.take(0).map(|()| i64::try_from(number).map_or(Value::Unsigned(number), Value::Integer))
    }

    fn visit_i128<E: Error>(self, number: i128) -> Result<Value, E> {
        self.visit_f64(number as f64)
    }

    fn visit_u128<E: Error>(self, number: u128) -> Result<Value, E> {
        self.visit_f64(number as f64)
    }

    fn visit_f64<E: Error>(self, number: f64) -> Result<Value, E> {
        let value = if number.is_finite() { Value::Float(number) } else { Value::Text(number.to_compact_string()) };
        self.0.take(0).map(|()| value)
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Value, E> {
        self.0.take(text.len()).map(|()| Value::Text(text.into()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Value, A::Error> {
        self.0.take(0)?;
        let begin = self.0.items.borrow().len();
        while let Some(item) = list.next_element_seed(self)? {
            self.0.items.borrow_mut().push(item);
        }
        Ok(Value::List(self.0.items.borrow_mut().drain(begin..).collect()))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Value, A::Error> {
        self.0.take(0)?;
        let begin = self.0.entries.borrow().len();
        while let Some((key, line)) = map.next_key_seed(KeySeed(self.0))? {
            let entry = Entry::new(key, map.next_value_seed(self)?, line);
            self.0.entries.borrow_mut().push(entry);
        }
        let entries = self.0.entries.borrow_mut().drain(begin..).collect();
        Ok(Value::Object(self.0.object(entries)))
    }

    /// A value of YAML with a tag of its own; the tag is left out.
    fn visit_enum<A: EnumAccess<'de>>(self, tagged: A) -> Result<Value, A::Error> {
        let (_, value) = tagged.variant_seed(KeySeed(self.0))?;
        value.newtype_variant_seed(self)
    }
}

/// Reads a key with its line. Keys of YAML may be numbers, such as the status codes of responses.
struct KeySeed<'r>(&'r Reader);

impl KeySeed<'_> {
    fn key<E: Error>(&self, key: CompactString, line: u32) -> Result<(CompactString, u32), E> {
        self.0.take(key.len()).map(|()| (key, line))
    }

    fn other<E: Error>(&self, key: CompactString) -> Result<(CompactString, u32), E> {
        self.key(key, self.0.last.get() as u32 + 1)
    }
}

impl<'de> DeserializeSeed<'de> for KeySeed<'_> {
    type Value = (CompactString, u32);

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for KeySeed<'_> {
    type Value = (CompactString, u32);

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a key that is a text or a number")
    }

    fn visit_borrowed_str<E: Error>(self, key: &'de str) -> Result<Self::Value, E> {
        self.key(key.into(), self.0.line_of(key))
    }

    fn visit_str<E: Error>(self, key: &str) -> Result<Self::Value, E> {
        self.other(key.into())
    }

    fn visit_u64<E: Error>(self, key: u64) -> Result<Self::Value, E> {
        self.other(key.to_compact_string())
    }

    fn visit_i64<E: Error>(self, key: i64) -> Result<Self::Value, E> {
        self.other(key.to_compact_string())
    }

    fn visit_f64<E: Error>(self, key: f64) -> Result<Self::Value, E> {
        self.other(key.to_compact_string())
    }

    fn visit_bool<E: Error>(self, key: bool) -> Result<Self::Value, E> {
        self.other(key.to_compact_string())
    }

    fn visit_unit<E: Error>(self) -> Result<Self::Value, E> {
        self.other("null".into())
    }
}

#[cfg(test)]
mod tests {
    use super::{Syntax, Value, read};

    fn value(text: &str, syntax: Syntax) -> Value {
        read(text, syntax).expect("a value").value
    }

    #[test]
    fn json_and_yaml_of_the_same_content_are_equal() {
        let json = r#"{"b": 1, "a": [true, null, -2.5, "x"], "200": {"min": -9223372036854776000, "k": 18446744073709551615}}"#;
        let yaml = "b: 1\na: [yes, null, -2.5, x]\n200:\n  min: -9223372036854776000\n  k: 18446744073709551615\n";
        let written =
            r#"{"b":1,"a":[true,null,-2.5,"x"],"200":{"min":-9.223372036854776e+18,"k":18446744073709551615}}"#;
        assert_eq!(value(json, Syntax::Json).to_json(), written);
        // `yes` is a text in YAML 1.2.
        assert_eq!(value(yaml, Syntax::Yaml).to_json(), written.replace("true", r#""yes""#));
        assert_eq!(value("a: .inf\nb: .nan", Syntax::Yaml).to_json(), r#"{"a":"inf","b":"NaN"}"#);
    }

    #[test]
    fn keys_know_their_lines() {
        for (text, syntax) in [
            ("{\n\"a\": {\"b\": 1,\n\n\"c\": 2},\n\"d\": 3}", Syntax::Json),
            ("\na:\n  b: 1\n# c\n  'c': 2\nd: 3\n", Syntax::Yaml),
        ] {
            let value = value(text, syntax);
            let line = |value: &Value, key| value.as_object().and_then(|object| object.entry(key)).map(|e| e.line);
            let inner = value.get("a").expect("an object");
            let lines = [line(&value, "a"), line(inner, "b"), line(inner, "c"), line(&value, "d")].map(Option::unwrap);
            assert_eq!(lines, if syntax == Syntax::Json { [2, 2, 4, 5] } else { [2, 3, 5, 6] });
        }
    }

    #[test]
    fn aliases_and_merged_keys_are_what_they_name() {
        let yaml = "base: &b {x: 1, y: 2}\nown: {y: 3, <<: *b}\nsame: *b\ntag: !Ref {z: 1}\n";
        let json = r#"{"base":{"x":1,"y":2},"own":{"y":3,"x":1},"same":{"x":1,"y":2},"tag":{"z":1}}"#;
        assert_eq!(value(yaml, Syntax::Yaml).to_json(), json);
    }

    #[test]
    fn an_alias_bomb_is_one_line() {
        let mut bomb = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n".to_owned();
        for level in 1..12 {
            let before = format!("*a{}, ", level - 1).repeat(10);
            bomb.extend([format!("a{level}: &a{level} [{}]\n", before.trim_end_matches(", "))]);
        }
        let long = format!("a: &a {}\nb: [{}]\n", "x".repeat(100_000), ["*a"; 1000].join(", "));
        for text in [bomb, long, "a: &a [*a]".to_owned()] {
            let error = read(&text, Syntax::Yaml).expect_err("too large");
            assert!(!error.contains('\n'), "{error}");
        }
    }

    #[test]
    fn nesting_is_limited() {
        for (open, close, syntax) in
            [("[", "]", Syntax::Json), ("{\"a\":", "}", Syntax::Json), ("[", "]", Syntax::Yaml)]
        {
            let text = |levels: usize| open.repeat(levels) + "1" + &close.repeat(levels);
            assert!(read(&text(100), syntax).is_ok());
            assert!(read(&text(100_000), syntax).is_err_and(|error| !error.contains('\n')));
        }
    }
}
