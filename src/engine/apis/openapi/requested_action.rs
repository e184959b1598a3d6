//! The verb with which a query begins, and the methods of HTTP that it means: `delete a key` does not mean the
//! operation `GET /keys/{id}`, although all of its nouns match.

use super::operation::Operation;

/// The factor of the score of an operation whose method seldom means the verb.
const SELDOM_MEANT_SHARE: f64 = 0.85;
/// The factor of the score of an operation whose method never means the verb.
const NEVER_MEANT_SHARE: f64 = 0.7;

/// The action on resources that a verb asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RequestedAction {
    /// To list several resources.
    List,
    /// To read a resource.
    Read,
    /// To create a resource.
    Create,
    /// To add a resource to another one.
    Add,
    /// To change the content of a resource.
    Update,
    /// To delete a resource.
    Delete,
    /// To start an action on a resource, such as `cancel`.
    Act,
}

/// The method of an operation, and for `GET` and `POST` whether its path names one resource or a collection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Method {
    /// `GET`. `is_one` is true if the path ends with a parameter, so that it names one resource.
    Get { is_one: bool },
    /// `POST`. `is_one` is true if the path ends with a parameter, so that it names one resource.
    Post { is_one: bool },
    /// `PUT`.
    Put,
    /// `PATCH`.
    Patch,
    /// `DELETE`.
    Delete,
    /// Any other method.
    Other,
}

/// The verbs of the documentation of HTTP APIs.
const VERBS: &[(RequestedAction, &[&str])] = &[
    (RequestedAction::List, &["list", "search", "find", "query", "enumerate"]),
    (
        RequestedAction::Read,
        &["get", "retrieve", "return", "fetch", "read", "show", "view", "check", "download", "describe", "look"],
    ),
    (RequestedAction::Create, &["create", "new", "generate", "upload", "start", "submit", "send", "post", "make"]),
    (RequestedAction::Add, &["add", "register", "attach", "assign", "invite"]),
    (
        RequestedAction::Update,
        &[
            "update", "edit", "modify", "modifie", "change", "rename", "patch", "set", "replace", "put", "enable",
            "disable",
        ],
    ),
    (RequestedAction::Delete, &["delete", "remove", "revoke", "clear", "unassign", "detach"]),
    (RequestedAction::Act, &["cancel", "archive", "run", "trigger"]),
];

impl RequestedAction {
    /// The action that the first word of a query names; `None` if it is no verb of [`VERBS`]. `Lists` and `list` are
    /// one verb.
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
            | (Self::Delete, Post { .. }) => SELDOM_MEANT_SHARE,
            _ => NEVER_MEANT_SHARE,
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
    use super::{Method, RequestedAction};

    #[test]
    fn the_first_word_says_what_is_asked_for() {
        for (query, asked) in [
            ("Lists all keys", Some(RequestedAction::List)),
            ("create an issue", Some(RequestedAction::Create)),
            ("**Deletes** a key.", Some(RequestedAction::Delete)),
            ("Modifies a run", Some(RequestedAction::Update)),
            ("keys to delete", None),
            ("", None),
        ] {
            assert_eq!(RequestedAction::of(query), asked, "{query}");
        }
    }

    #[test]
    fn a_method_that_fits_keeps_more_than_one_that_does_not() {
        let (one, several) = (Method::Get { is_one: true }, Method::Get { is_one: false });
        let list = RequestedAction::List;
        assert!(list.share(several) > list.share(one) && list.share(one) > list.share(Method::Delete));
        assert!((RequestedAction::Read.share(one) - RequestedAction::Read.share(several)).abs() < f64::EPSILON);
    }
}
