//! Links Python: modules, names, classes, types, calls and the binding of arguments.
//!
//! | module | role |
//! | --- | --- |
//! | `program` | the tables of the program: files, definitions and names under global ids |
//! | `modules`, `star_imports` | the module tree, import resolution |
//! | `types` | types and their interner |
//! | `linker` | the memo tables of type inference |
//! | `limits` | limits on deep class hierarchies |
//! | `expressions`, `bindings`, `names`, `parameters`, `annotations` | type inference: expressions, bindings, names, parameters, annotations |
//! | `attributes`, `members`, `mro`, `mro_table` | attribute reads, class members, method resolution order |
//! | `calls`, `returns`, `overloads`, `decorators`, `generics` | types of calls, return types, overload resolution, decorators, type variables |
//! | `narrow`, `protocols` | narrowing, the iteration, await and context manager protocols |
//! | `external`, `standard_library` | the standard library, as far as it passes a type of the sources through |
//! | `constructors`, `fields`, `signatures`, `bind` | signatures of definitions, binding of arguments to parameters |
//! | `resolve`, `propagation` | call sites to definitions, argument types to parameters without annotations |
//! | `aliases` | exports of modules, qualified names and aliases of definitions |
//! | `analysis`, `emit` | all results for a whole program, and their conversion to a linked program |

mod aliases;
mod analysis;
mod annotations;
mod attributes;
mod bind;
mod bindings;
mod calls;
mod constructors;
mod decorators;
mod emit;
mod expressions;
mod external;
mod fields;
mod generics;
mod limits;
mod linker;
mod members;
mod modules;
mod mro;
mod mro_table;
mod names;
mod narrow;
mod overloads;
mod parameters;
mod program;
mod propagation;
mod protocols;
mod resolve;
mod returns;
mod signatures;
mod standard_library;
mod star_imports;
mod types;

pub(crate) use emit::link;
pub(crate) use program::LinkFile;
