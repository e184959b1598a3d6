//! The parameters and properties of an operation, the most useful first.

use rustc_hash::FxHashSet;

use super::{
    shape::{Shape, literal, shape},
    uses::OperationUses,
};
use crate::openapi::{ApiFiles, Node, Operation, Place, Value};
use apidisc_base::nesting;

/// The greatest number of parameters and properties that are read.
const MAX_ITEMS: usize = 600;
/// The greatest nesting of properties.
const MAX_DEPTH: usize = 5;
/// The greatest nesting of properties that is read of an example.
const MAX_EXAMPLE_DEPTH: usize = 3;

/// A part of a request, in the order of a stub.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum RequestPart {
    Path,
    Query,
    Header,
    Cookie,
    Form,
    Body,
}

impl RequestPart {
    pub(super) const ALL: [Self; 6] = [Self::Path, Self::Query, Self::Header, Self::Cookie, Self::Form, Self::Body];

    /// The word at the beginning of the part in a stub.
    pub(super) fn word(self) -> &'static str {
        match self {
            Self::Path => "path",
            Self::Query => "query",
            Self::Header => "headers",
            Self::Cookie => "cookies",
            Self::Form => "form",
            Self::Body => "body",
        }
    }

    fn of_location(location: &str) -> Self {
        match location {
            "path" => Self::Path,
            "header" => Self::Header,
            "cookie" => Self::Cookie,
            "formData" => Self::Form,
            _ => Self::Query,
        }
    }
}

/// A parameter, or a property of a body.
#[derive(Debug)]
pub(super) struct Item {
    pub(super) part: RequestPart,
    /// The object that the property stands in; `None` for a parameter and for a property of the body itself.
    pub(super) parent: Option<usize>,
    pub(super) name: String,
    /// The type on one line.
    pub(super) text: String,
    /// The text before the type if it is written with its properties.
    pub(super) prefix: String,
    /// The text after the type if it is written with its properties.
    pub(super) suffix: String,
    pub(super) default: Option<String>,
    pub(super) is_required: bool,
    pub(super) is_deprecated: bool,
    /// The share of calls that pass the item; `None` if the share is not known.
    pub(super) share: Option<f64>,
    pub(super) description: Option<String>,
    pub(super) depth: usize,
    /// The place of the schema of the item, if the schema has properties.
    place: Option<Place>,
    /// The rank of the item in the order of usefulness.
    pub(super) rank: Rank,
}

/// The rank of an item in the order of usefulness, in which items enter a stub.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Rank {
    pub(super) tier: Tier,
    /// The share of calls that pass the item, in millionths, in descending order.
    share: std::cmp::Reverse<u32>,
}

/// The reasons for which an item is shown, the strongest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Tier {
    /// Every request needs the item.
    Required,
    /// The property is required in the object that contains it.
    RequiredWithin,
    /// Calls pass the item.
    Used,
    /// An example of the document passes the item.
    InExample,
    /// None of these reasons applies.
    Other,
    /// None of these reasons applies, and the document states that the item is deprecated.
    Deprecated,
}

/// The items of an operation, an object before its properties.
pub(super) struct Items<'a> {
    pub(super) all: Vec<Item>,
    /// The type of the body, and the number of its properties; `None` if there is no body.
    pub(super) body: Option<BodyShape>,
    files: &'a ApiFiles,
    /// The shapes of the objects whose properties are still to be read.
    pending: Vec<(usize, Shape<'a>)>,
}

/// The body of a request.
pub(super) struct BodyShape {
    pub(super) media: String,
    pub(super) text: String,
    pub(super) prefix: String,
    pub(super) suffix: String,
    pub(super) is_required: bool,
    place: Option<Place>,
}

impl<'a> Items<'a> {
    /// The items of an operation.
    pub(super) fn read(files: &'a ApiFiles, operation: &Operation, uses: Option<&OperationUses>) -> Self {
        let mut items = Self { all: Vec::new(), body: None, files, pending: Vec::new() };
        for parameter in &operation.parameters {
            let part = RequestPart::of_location(&parameter.location);
            let schema = parameter.schema.as_ref().and_then(|place| files.node(place));
            let shape = schema.as_ref().map(|schema| shape(schema, true)).unwrap_or_default();
            let share = uses.filter(|uses| uses.total_calls > 0).and_then(|uses| match part {
                RequestPart::Query => uses.query.share(&[&parameter.name], uses.total_calls),
                RequestPart::Header => uses.headers.share(&[&parameter.name.to_ascii_lowercase()], uses.total_calls),
                RequestPart::Form => uses.body.share(&[&parameter.name], uses.total_calls),
                RequestPart::Path | RequestPart::Cookie | RequestPart::Body => None,
            });
            let tier = match (parameter.is_required, parameter.is_deprecated) {
                (true, _) => Tier::Required,
                (false, false) => Tier::Other,
                (false, true) => Tier::Deprecated,
            };
            items.all.push(Item {
                part,
                parent: None,
                name: parameter.name.clone(),
                text: shape.text,
                prefix: String::new(),
                suffix: String::new(),
                default: schema.and_then(|schema| default(&schema)),
                is_required: parameter.is_required,
                is_deprecated: parameter.is_deprecated,
                share,
                description: parameter.description.clone(),
                depth: 0,
                place: None,
                rank: rank(tier, share),
            });
        }
        items.read_body(operation, uses);
        items
    }

    /// The properties of a schema, as a request has them.
    pub(super) fn of_schema(files: &'a ApiFiles, schema: &Node<'a>) -> Self {
        let mut items = Self { all: Vec::new(), body: None, files, pending: Vec::new() };
        items.read_properties(shape(schema, true), None, &examples(None, "", schema));
        items
    }

    /// Reads the body breadth first, so that properties near its root come first.
    fn read_body(&mut self, operation: &Operation, uses: Option<&OperationUses>) {
        let Some(body) = &operation.body else { return };
        let Some((media, place)) =
            body.content.iter().find(|(media, _)| media.contains("json")).or(body.content.first())
        else {
            return;
        };
        let Some(schema) = self.files.node(place) else { return };
        let examples = examples(self.files.node(&body.place), media, &schema);
        let mut shape = shape(&schema, true);
        self.body = Some(BodyShape {
            media: media.clone(),
            text: std::mem::take(&mut shape.text),
            prefix: std::mem::take(&mut shape.prefix),
            suffix: std::mem::take(&mut shape.suffix),
            is_required: body.is_required,
            place: shape.place.clone(),
        });
        self.read_properties(shape, uses, &examples);
    }

    /// Reads the properties of an object, then those of the objects in it.
    fn read_properties(&mut self, object: Shape<'a>, uses: Option<&OperationUses>, examples: &FxHashSet<String>) {
        self.add_properties(None, object, uses, examples);
        let mut next = 0;
        while next < self.pending.len() {
            let (parent, shape) = std::mem::take(&mut self.pending[next]);
            self.add_properties(Some(parent), shape, uses, examples);
            next += 1;
        }
        self.pending.clear();
    }

    fn add_properties(
        &mut self,
        parent: Option<usize>,
        object: Shape<'a>,
        uses: Option<&OperationUses>,
        examples: &FxHashSet<String>,
    ) {
        let above: Vec<String> = parent.map_or(Vec::new(), |parent| self.path(parent));
        for property in object.properties {
            if self.all.len() >= MAX_ITEMS {
                return;
            }
            let mut path: Vec<&str> = above.iter().map(String::as_str).collect();
            path.push(property.name);
            let of_calls = uses.filter(|uses| uses.total_calls > 0 && path.len() <= 2);
            let share = of_calls.and_then(|uses| uses.body.share(&path, uses.total_calls));
            let is_used = of_calls.is_some_and(|uses| uses.body.count(&path) > 0);
            let around = parent.map(|parent| (self.all[parent].rank, self.all[parent].depth + 1));
            let resolved = property.node.clone().resolved();
            let is_deprecated = resolved.value.get("deprecated").is_some_and(Value::is_true);
            let tier = if property.is_required {
                match around {
                    None => Tier::Required,
                    Some(_) => Tier::RequiredWithin,
                }
            } else if is_used {
                Tier::Used
            } else if examples.contains(&path.join("\n")) {
                Tier::InExample
            } else if is_deprecated {
                Tier::Deprecated
            } else {
                Tier::Other
            };
            let mut rank = rank(tier, share.filter(|_| tier < Tier::Other));
            let mut depth = 0;
            if let Some((above, at)) = around {
                depth = at;
                rank = rank.max(above);
            }
            let shape = property.shape();
            let description = property.node.text("description").or_else(|| resolved.text("description"));
            self.all.push(Item {
                part: RequestPart::Body,
                parent,
                name: property.name.to_owned(),
                text: shape.text.clone(),
                prefix: shape.prefix.clone(),
                suffix: shape.suffix.clone(),
                default: default(&resolved),
                is_required: property.is_required,
                is_deprecated,
                share,
                description: description.map(str::to_owned),
                depth,
                place: shape.place.clone(),
                rank,
            });
            if !shape.properties.is_empty() && depth < MAX_DEPTH && !self.is_inside_itself(parent, shape.place.as_ref())
            {
                self.pending.push((self.all.len() - 1, shape));
            }
        }
    }

    /// True if the schema at a place is that of the body, or of an object around.
    fn is_inside_itself(&self, parent: Option<usize>, place: Option<&Place>) -> bool {
        let mut at = parent;
        while let Some(item) = at {
            if self.all[item].place.as_ref() == place {
                return true;
            }
            at = self.all[item].parent;
        }
        self.body.as_ref().is_some_and(|body| body.place.as_ref() == place)
    }

    /// The names from the body to a property.
    pub(super) fn path(&self, item: usize) -> Vec<String> {
        let mut path: Vec<String> = Vec::new();
        let mut at = Some(item);
        while let Some(item) = at {
            path.push(self.all[item].name.clone());
            at = self.all[item].parent;
        }
        path.reverse();
        path
    }
}

fn rank(tier: Tier, share: Option<f64>) -> Rank {
    let tier = match (tier, share) {
        (Tier::Other | Tier::Deprecated, Some(share)) if share > 0.0 => Tier::Used,
        (tier, _) => tier,
    };
    Rank { tier, share: std::cmp::Reverse((share.unwrap_or_default() * 1e6) as u32) }
}

/// The default of a schema, if it is short.
fn default(schema: &Node<'_>) -> Option<String> {
    let value = schema.value.get("default").filter(|value| **value != Value::Null)?;
    let text = literal(value);
    (!text.ends_with('…')).then_some(text)
}

/// The paths of all properties in the examples of a body.
fn examples(body: Option<Node<'_>>, media: &str, schema: &Node<'_>) -> FxHashSet<String> {
    let mut found = FxHashSet::default();
    let content = body.and_then(|body| body.get_resolved("content")?.get_resolved(media));
    for holder in content.iter().chain([&schema.clone().resolved()]) {
        let listed = holder.get_resolved("examples");
        let values = listed.iter().flat_map(Node::entries).map(|(_, example)| example.resolved());
        for value in values.filter_map(|example| example.get_resolved("value")).chain(holder.get_resolved("example")) {
            add_paths(value.value, "", 0, &mut found);
        }
    }
    found
}

fn add_paths(value: &Value, above: &str, depth: usize, found: &mut FxHashSet<String>) {
    let Some(_level) = nesting::descend() else { return };
    let value = value.items().first().unwrap_or(value);
    for entry in value.entries() {
        let path = if above.is_empty() { entry.key.to_string() } else { format!("{above}\n{}", entry.key) };
        if depth < MAX_EXAMPLE_DEPTH && found.len() < MAX_ITEMS {
            add_paths(&entry.value, &path, depth + 1, found);
            found.insert(path);
        }
    }
}
