//! Calls of HTTP APIs and routes of servers, for every language.
//!
//! The linker of a language resolves functions, clients and routers, and evaluates arguments as far as literals and
//! constants allow. The tables and rules in this folder derive requests and routes from the results.
//!
//! | module | role |
//! | --- | --- |
//! | `value` | values of arguments: texts with unknown pieces, objects |
//! | `clients` | the clients and functions of libraries that send requests |
//! | `request` | derives a request from the arguments of a call |
//! | `wrappers` | the functions of the sources that wrap a request, and their calls |
//! | `django` | the views of Django and its REST framework |
//! | `routers` | the routers of frameworks, and normal forms of paths |

mod clients;
mod django;
mod request;
mod routers;
mod value;
mod wrappers;

pub(crate) use clients::{
    CALLED_PACKAGES, Client, Sender, fixture, is_client_class, is_maker, made_by_property, python_function,
    python_method, takes_base_first, typescript_function, typescript_method,
};
pub(crate) use django::{
    ACTIONS, is_test_with_client, is_view_set_router, path_of_pattern, view_methods, view_set_actions,
};
pub(crate) use request::{BASE_OPTIONS, PassedArgument, RequestParts, parts};
pub(crate) use routers::{
    PLUGIN_SERVER, ROUTE_MAKERS, RouteMaker, chains_methods, has_plugins, is_nest_application, is_plugin_type,
    is_python_router, is_typescript_router, joined, makes_route, python_route_maker, route_path, router_prefix,
};
pub(crate) use value::{Object, Text, Value, concatenated, formatted};
pub(crate) use wrappers::{FileRequests, WrapperCalls, Wrappers};

/// The HTTP methods (RFC 9110, RFC 5789) in small letters, as the methods of clients and routers are named.
pub(crate) const METHODS: [&str; 7] = ["get", "post", "put", "patch", "delete", "head", "options"];
