//! A JSON value that keeps the order of its keys and the lines on which they stand.

use compact_str::CompactString;
use serde::{
    Serialize, Serializer,
    ser::{SerializeMap as _, SerializeSeq as _},
};

/// A value of a JSON or YAML file.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Value {
    /// `null`.
    #[default]
    Null,
    /// A truth value.
    Bool(bool),
    /// An integer of 64 bits.
    Integer(i64),
    /// An integer above the range of [`Self::Integer`].
    Unsigned(u64),
    /// A finite number that is no integer of 64 bits.
    Float(f64),
    /// A text. Numbers that JSON cannot write, such as `.inf` of YAML, are texts.
    Text(CompactString),
    /// A list.
    List(Box<[Value]>),
    /// An object.
    Object(Object),
}

/// The entries of an object in the order of the file. Every key stands in it once.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Object {
    entries: Box<[Entry]>,
}

/// An entry of an object.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// The key.
    pub key: CompactString,
    /// The value.
    pub value: Value,
    /// The line of the key in the file, from 1. If the key is written with escapes, the line of the previous key.
    pub line: u32,
    /// When the entries are sorted by key, the entry at this position takes the place of this entry, if there are more
    /// than [`FEW_ENTRIES`]. Also holds [`MAY_REFER`].
    order: u32,
}

/// The keys of references, or of an object that has some.
const REFERRING_KEYS: [&str; 4] = ["$ref", "discriminator", "operationRef", "$dynamicRef"];
/// The bit of [`Entry::order`] of an entry that may have a reference.
const MAY_REFER: u32 = 1 << (u32::BITS - 1);

impl Entry {
    /// An entry, for [`Object::new`].
    pub(super) fn new(key: CompactString, value: Value, line: u32) -> Self {
        let may_refer = value.may_refer() || REFERRING_KEYS.contains(&&*key);
        Self { key, value, line, order: if may_refer { MAY_REFER } else { 0 } }
    }

    /// False if there is no reference in this entry: most of a document has none, and need not be searched.
    pub(super) fn may_refer(&self) -> bool {
        self.order & MAY_REFER != 0
    }

    /// The position in `order` without [`MAY_REFER`].
    fn sorted(&self) -> usize {
        (self.order & !MAY_REFER) as usize
    }
}

/// The most entries of an object that are searched one by one, which needs no order.
const FEW_ENTRIES: usize = 8;

impl Object {
    /// An object with these entries. Of several entries with one key, the last value stays, at the place of the first;
    /// `duplicate` is called with the key and line of each other one.
    pub(super) fn new(mut entries: Vec<Entry>, mut duplicate: impl FnMut(&str, u32)) -> Self {
        let few = &entries[..entries.len().min(FEW_ENTRIES)];
        let is_new = |(at, entry): (usize, &Entry)| few[..at].iter().all(|other| other.key != entry.key);
        if few.len() == entries.len() && few.iter().enumerate().all(is_new) {
            return Self { entries: entries.into() };
        }
        let mut order: Vec<u32> = (0..entries.len() as u32).collect();
        let key = |entries: &[Entry], at: u32| entries[at as usize].key.clone();
        order.sort_unstable_by(|a, b| entries[*a as usize].key.cmp(&entries[*b as usize].key).then(a.cmp(b)));
        if order.windows(2).any(|pair| entries[pair[0] as usize].key == entries[pair[1] as usize].key) {
            let mut is_removed = vec![false; entries.len()];
            let mut first = order[0];
            for &at in &order[1..] {
                if key(&entries, first) == key(&entries, at) {
                    duplicate(&entries[at as usize].key, entries[at as usize].line);
                    entries[first as usize].value = std::mem::take(&mut entries[at as usize].value);
                    entries[first as usize].order |= entries[at as usize].order;
                    is_removed[at as usize] = true;
                } else {
                    first = at;
                }
            }
            let mut removed = is_removed.into_iter();
            entries.retain(|_| !removed.next().unwrap_or_default());
            order = (0..entries.len() as u32).collect();
            order.sort_unstable_by(|a, b| entries[*a as usize].key.cmp(&entries[*b as usize].key));
        }
        for (entry, sorted) in entries.iter_mut().zip(order) {
            entry.order = entry.order & MAY_REFER | sorted;
        }
        Self { entries: entries.into() }
    }

    /// The entries in the order of the file.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// The entry with this key.
    pub fn entry(&self, key: &str) -> Option<&Entry> {
        if self.entries.len() <= FEW_ENTRIES {
            return self.entries.iter().find(|entry| entry.key == key);
        }
        let by_key = |sorted: &Entry| (*self.entries[sorted.sorted()].key).cmp(key);
        let at = self.entries.binary_search_by(by_key).ok()?;
        self.entries.get(self.entries[at].sorted())
    }

    /// The value of this key.
    pub fn get(&self, key: &str) -> Option<&Value> {
        self.entry(key).map(|entry| &entry.value)
    }
}

impl Value {
    /// The object, if the value is one.
    pub fn as_object(&self) -> Option<&Object> {
        match self {
            Self::Object(object) => Some(object),
            _ => None,
        }
    }

    /// The entries of the object; none if the value is no object.
    pub fn entries(&self) -> &[Entry] {
        self.as_object().map_or(&[], Object::entries)
    }

    /// The items of the list; none if the value is no list.
    pub fn items(&self) -> &[Self] {
        match self {
            Self::List(items) => items,
            _ => &[],
        }
    }

    /// False if there is no reference in this value.
    pub(super) fn may_refer(&self) -> bool {
        self.entries().iter().any(Entry::may_refer) || self.items().iter().any(Self::may_refer)
    }

    /// The text, if the value is one.
    pub fn as_text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }

    /// True if the value is `true`.
    pub fn is_true(&self) -> bool {
        *self == Self::Bool(true)
    }

    /// The value of a key of the object.
    pub fn get(&self, key: &str) -> Option<&Self> {
        self.as_object()?.get(key)
    }

    /// The text of a key of the object.
    pub fn text(&self, key: &str) -> Option<&str> {
        self.get(key)?.as_text()
    }

    /// The value as JSON on one line, with `\u` escapes in place of unprintable characters.
    pub fn to_json(&self) -> String {
        apidisc_base::unprintable::escaped_json(serde_json::to_string(self).unwrap_or_default())
    }
}

impl Serialize for Value {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Null => serializer.serialize_unit(),
            Self::Bool(value) => serializer.serialize_bool(*value),
            Self::Integer(number) => serializer.serialize_i64(*number),
            Self::Unsigned(number) => serializer.serialize_u64(*number),
            Self::Float(number) => serializer.serialize_f64(*number),
            Self::Text(text) => serializer.serialize_str(text),
            Self::List(items) => {
                let mut list = serializer.serialize_seq(Some(items.len()))?;
                items.iter().try_for_each(|item| list.serialize_element(item))?;
                list.end()
            }
            Self::Object(object) => {
                let mut map = serializer.serialize_map(Some(object.entries.len()))?;
                object.entries.iter().try_for_each(|entry| map.serialize_entry(&*entry.key, &entry.value))?;
                map.end()
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Entry, Object, Value};

    fn object(entries: &[(&str, i64)]) -> (Value, Vec<String>) {
        let mut duplicates = Vec::new();
        let entries = entries.iter().map(|(key, value)| Entry::new((*key).into(), Value::Integer(*value), 1));
        let object = Object::new(entries.collect(), |key, _| duplicates.push(key.to_owned()));
        (Value::Object(object), duplicates)
    }

    #[test]
    fn an_object_keeps_the_order_of_its_keys_and_finds_each() {
        let keys = ["z", "a", "m", "b", "é", ""];
        let entries: Vec<(&str, i64)> = keys.into_iter().zip(0..).collect();
        let (value, duplicates) = object(&entries);
        assert!(duplicates.is_empty());
        assert_eq!(value.to_json(), r#"{"z":0,"a":1,"m":2,"b":3,"é":4,"":5}"#);
        for (key, number) in entries {
            assert_eq!(value.get(key), Some(&Value::Integer(number)), "{key}");
        }
        assert_eq!(value.get("c"), None);
    }

    #[test]
    fn the_last_of_several_values_stays_at_the_place_of_the_first() {
        let (value, duplicates) = object(&[("b", 1), ("a", 2), ("b", 3), ("c", 4), ("b", 5)]);
        assert_eq!(value.to_json(), r#"{"b":5,"a":2,"c":4}"#);
        assert_eq!(duplicates, ["b", "b"]);
        assert_eq!(value.get("c"), Some(&Value::Integer(4)));
    }
}
