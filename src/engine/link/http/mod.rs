//! Calls of HTTP APIs and routes of servers, for every language.
//!
//! A language tells which function, client or router an expression is, and the values of arguments as far as literals
//! and constants show them. The tables and rules here make requests and routes of that.
//!
//! | module | role |
//! | --- | --- |
//! | `value` | values of arguments: texts with unknown pieces, objects |
//! | `clients` | the clients and functions of libraries that send requests |
//! | `request` | the arguments of such a call → a request |
//! | `routers` | the routers of frameworks, and normal forms of paths |

mod clients;
mod request;
mod routers;
mod value;

pub(crate) use clients::{
    CALLED_PACKAGES, Sender, is_client_class, is_maker, python_function, python_method, typescript_function,
    typescript_method,
};
pub(crate) use request::{Passed, RequestParts, parts};
pub(crate) use routers::{
    ROUTE_MAKERS, RouteMaker, is_python_router, is_typescript_router, joined, python_route_maker, route_path,
};
pub(crate) use value::{Object, Text, Value, concatenated, formatted};

/// The methods of HTTP, as functions of clients and routers are named (RFC 9110, RFC 5789).
pub(crate) const METHODS: [&str; 7] = ["get", "post", "put", "patch", "delete", "head", "options"];
