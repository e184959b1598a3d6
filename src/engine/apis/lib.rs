//! HTTP APIs: their documents, and the calls and routes that the sources have of them.
//!
//! | module | input → output |
//! | --- | --- |
//! | [`openapi`] | a source → its API documents: operations, components, the references between them |
//! | [`http`] | calls of HTTP APIs, routes and API documents → operations with their uses, and their stubs |

pub mod http;
pub mod openapi;
