//! The verb with which a query begins, and the methods of HTTP that it means: who asks to `delete a key` does not mean the
//! operation that gets it.

use super::operation::Operation;

/// The share of its score that an operation keeps whose method seldom means the verb.
const SELDOM: f64 = 0.85;
/// The share of its score that an operation keeps whose method means something else.
const OTHERWISE: f64 = 0.7;

/// What a verb asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum AskedMethod {
    /// Several things.
    List,
    /// Something that is there.
    Read,
    /// A new thing.
    Create,
    /// A thing as a part of another one.
    Add,
    /// A thing with another content.
    Update,
    /// The end of a thing.
    Delete,
    /// Something that happens to a thing.
    Act,
}

/// The method of an operation, and what its path names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Method {
    /// It gets something; one thing if the path ends with a parameter.
    Get { is_one: bool },
    /// It sends something; to one thing if the path ends with a parameter.
    Post { is_one: bool },
    /// It puts a thing in its place.
    Put,
    /// It changes a part of a thing.
    Patch,
    /// It removes a thing.
    Delete,
    /// Another one.
    Other,
}

/// The verbs of the documentation of HTTP APIs.
const VERBS: &[(AskedMethod, &[&str])] = &[
    (AskedMethod::List, &["list", "search", "find", "query", "enumerate"]),
    (
        AskedMethod::Read,
        &["get", "retrieve", "return", "fetch", "read", "show", "view", "check", "download", "describe", "look"],
    ),
    (AskedMethod::Create, &["create", "new", "generate", "upload", "start", "submit", "send", "post", "make"]),
    (AskedMethod::Add, &["add", "register", "attach", "assign", "invite"]),
    (
        AskedMethod::Update,
        &[
            "update", "edit", "modify", "modifie", "change", "rename", "patch", "set", "replace", "put", "enable",
            "disable",
        ],
    ),
    (AskedMethod::Delete, &["delete", "remove", "revoke", "clear", "unassign", "detach"]),
    (AskedMethod::Act, &["cancel", "archive", "run", "trigger"]),
];

impl AskedMethod {
    /// What the first word of a query asks for; `None` if it is no such verb. `Lists` and `list` are one verb.
    pub(super) fn of(query: &str) -> Option<Self> {
        let first = query.split(|c: char| !c.is_alphabetic()).find(|word| !word.is_empty())?.to_lowercase();
        let verb = first.strip_suffix('s').unwrap_or(&first);
        VERBS.iter().find(|(_, verbs)| verbs.contains(&verb)).map(|(asked, _)| *asked)
    }

    /// The share of its score that an operation with this method keeps.
    pub(super) fn share(self, method: Method) -> f64 {
        use Method::{Delete, Get, Patch, Post, Put};
        match (self, method) {
            (Self::List, Get { is_one: false })
            | (Self::Read, Get { .. })
            | (Self::Create, Post { is_one: false })
            | (Self::Add, Post { .. } | Put)
            | (Self::Update, Patch | Put | Post { .. })
            | (Self::Delete, Delete)
            | (Self::Act, Post { .. } | Put | Delete) => 1.0,
            (Self::List, Get { is_one: true } | Post { is_one: false })
            | (Self::Create, Put | Post { is_one: true })
            | (Self::Add, Patch)
            | (Self::Delete, Post { .. }) => SELDOM,
            _ => OTHERWISE,
        }
    }
}

impl Method {
    /// The method of an operation.
    pub(super) fn of(operation: &Operation) -> Self {
        let is_one = operation.path.trim_end_matches('/').ends_with('}');
        match &*operation.method {
            "get" | "query" | "head" => Self::Get { is_one },
            "post" => Self::Post { is_one },
            "put" => Self::Put,
            "patch" => Self::Patch,
            "delete" => Self::Delete,
            _ => Self::Other,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{AskedMethod, Method};

    #[test]
    fn the_first_word_says_what_is_asked_for() {
        for (query, asked) in [
            ("Lists all keys", Some(AskedMethod::List)),
            ("create an issue", Some(AskedMethod::Create)),
            ("**Deletes** a key.", Some(AskedMethod::Delete)),
            ("Modifies a run", Some(AskedMethod::Update)),
            ("keys to delete", None),
            ("", None),
        ] {
            assert_eq!(AskedMethod::of(query), asked, "{query}");
        }
    }

    #[test]
    fn a_method_that_fits_keeps_more_than_one_that_does_not() {
        let (one, several) = (Method::Get { is_one: true }, Method::Get { is_one: false });
        let list = AskedMethod::List;
        assert!(list.share(several) > list.share(one) && list.share(one) > list.share(Method::Delete));
        assert!((AskedMethod::Read.share(one) - AskedMethod::Read.share(several)).abs() < f64::EPSILON);
    }
}
