//! Links Python: modules, names, classes, types, calls and the binding of arguments.
//!
//! | module | role |
//! | --- | --- |
//! | `program` | the tables of the program: files, definitions and names, with ids that are unique in the program |
//! | `modules`, `imported_modules`, `star_imports` | the module tree, import resolution |
//! | `import_roots`, `project_files` | where the names of modules begin, and what project files say of it |
//! | `types` | types and their interner |
//! | `linker` | the memo tables of type inference |
//! | `limits` | limits on deep class hierarchies |
//! | `expressions`, `bindings`, `names`, `parameters`, `annotations` | the types of these constructs |
//! | `parametrized` | values that pytest gives to tests by name |
//! | `operators`, `literal_items`, `typed_items` | the types of operators, and of items of literals, named tuples and typed dicts |
//! | `declared_records` | named tuples and typed dicts that a call declares |
//! | `attributes`, `members`, `mro`, `mro_table` | attribute reads, class members, method resolution order |
//! | `descriptors` | attributes whose values are computed: `property(f)`, values of enum members |
//! | `stub_files` | types that a `.pyi` beside a module declares for it |
//! | `subclasses` | attributes that only subclasses set |
//! | `attribute_types` | the types of attributes as text |
//! | `calls`, `returns`, `call_returns`, `overloads`, `decorators`, `generics`, `variadic`, `type_defaults`, `unification` | calls, overloads, decorators, type variables |
//! | `concatenate` | parameters that decorators supply |
//! | `decorator_aliases` | other names of known decorators |
//! | `type_aliases` | annotations with types in the place of the names that modules give them |
//! | `narrow`, `protocols` | narrowing by conditions; the protocols of `for`, `await` and `with` |
//! | `match_patterns` | the parts of a value that the patterns of `match` match |
//! | `platform`, `declarations` | the declaration files of libraries (`platform/*.pyi`), and what they declare by dotted path |
//! | `external`, `dict_calls` | types of calls and attributes from outside the sources |
//! | `standard_library` | names of the standard library |
//! | `constructors`, `fields`, `signatures`, `bind` | signatures of definitions, binding of arguments to parameters |
//! | `module_constants` | constants of modules that hold instances or results of calls, and the calls that use them |
//! | `instances` | results of classes whose `__new__` returns another instance |
//! | `returned_objects`, `result_uses` | the tuples and dicts that functions return, and what the code around calls takes of them |
//! | `partial_objects` | objects of `functools.partial`: the callable that they hold, and what a call of them returns |
//! | `forwards` | the parameters to which functions pass on their `*args` and `**kwargs` |
//! | `doubt`, `keywords` | constructors whose parameters the sources do not declare, keywords that `**kwargs` receives |
//! | `resolve`, `fallbacks`, `reads`, `propagation` | resolution of call sites and of reads, propagation of argument types to parameters |
//! | `reached` | the definitions of installed packages that the program reaches |
//! | `aliases` | exports of modules, qualified names and aliases of definitions |
//! | `protected`, `hidden_fields` | the members with a leading underscore that subclasses use |
//! | `http_calls`, `http_routes`, `http_route_lists`, `http_views`, `http_values` | calls of HTTP APIs, routes of servers, and the literals in both |
//! | [`needs`] | the names of other modules that a file needs, before anything is linked |
//! | `passed_lambdas` | types of the parameters of lambdas |
//! | `import_names` | the names by which examples and documents use definitions |
//! | `explain` | how single calls are resolved, in words |
//! | `analysis`, `emit`, `emit_calls`, `emit_definitions`, `emit_http`, `made_values`, `passed_keys` | the results for the whole program, and their conversion to a linked program |
//!
//! # Where a change belongs
//!
//! - A rule of narrowing: `narrow`, of `match` also `match_patterns`; the parser, in `facts/syntax/python`, says which
//!   tests narrow a name.
//! - What a function or class of a library returns: a declaration in `platform/*.pyi`. `external` has what declarations
//!   cannot say, with the reason.
//! - A client library of HTTP or a server: the tables in `link/http`; `http_calls` and `http_routes` read them.
//!
//! # How recursion ends
//!
//! Most functions are methods of the linker that ask for types of other expressions, and may come back to themselves. A
//! type that is asked for while it is being computed is unknown. A function that may come back to itself in another way
//! begins a level with `Linker::descend`, which also counts a step of the query; a function without a linker begins one
//! with [`apidisc_base::nesting::descend`].

mod aliases;
mod analysis;
mod annotations;
mod attribute_types;
mod attributes;
mod bind;
mod bindings;
mod bound_names;
mod call_returns;
mod calls;
mod concatenate;
mod constructors;
mod declarations;
mod declared_records;
mod decorator_aliases;
mod decorators;
mod descriptors;
mod dict_calls;
mod doubt;
mod emit;
mod emit_calls;
mod emit_definitions;
mod emit_http;
mod emit_uses;
mod explain;
mod expressions;
mod external;
mod fallbacks;
mod fields;
mod forwards;
mod generics;
mod hidden_fields;
mod http_calls;
mod http_route_lists;
mod http_routes;
mod http_values;
mod http_views;
mod import_names;
mod import_roots;
mod imported_modules;
mod instances;
mod keywords;
mod limits;
mod linker;
mod literal_items;
mod made_classes;
mod made_values;
mod match_patterns;
mod members;
mod module_constants;
mod modules;
mod mro;
mod mro_table;
mod names;
mod narrow;
pub mod needs;
mod operators;
mod other_uses;
mod overloads;
mod parameters;
mod parametrized;
mod partial_objects;
mod passed_keys;
mod passed_lambdas;
mod platform;
mod program;
mod project_files;
mod propagation;
mod protected;
mod protocols;
mod reached;
mod reads;
mod receiver_values;
mod repeated_definitions;
mod resolve;
mod result_uses;
mod returned_objects;
mod returns;
mod signatures;
mod standard_library;
mod star_imports;
mod stub_files;
mod subclasses;
mod type_aliases;
mod type_defaults;
mod typed_items;
mod types;
mod unification;
mod variadic;

pub use emit::link;
pub use program::{ImportRoot, LinkFile};
pub use standard_library::{is_builtin, is_standard_library};
