//! Facts to a program: modules, names, classes, types, calls, binding.
//!
//! | module | what it is for |
//! | --- | --- |
//! | `program` | the tables: files, definitions and names under global ids |
//! | `modules` | the tree of modules, imports |
//! | `types`, `infer` | types and the types of expressions, on demand |
//! | `names`, `parameters`, `annotations`, `members`, `classes`, `narrow`, `results`, `decorators`, `overloads`, `generics`, `given`, `protocols`, `outside`, `known` | the parts of inference |
//! | `constructors`, `signatures`, `bind` | what calls can pass, and where arguments land |
//! | `resolve` | call sites to definitions |
//! | `aliases` | every name that leads to a definition |
//! | `answers`, `hand_over` | all of it asked for every definition and call, and handed on |

mod aliases;
mod annotations;
mod answers;
mod bind;
mod classes;
mod constructors;
mod decorators;
mod generics;
mod given;
mod hand_over;
mod infer;
mod known;
mod members;
mod modules;
mod names;
mod narrow;
mod outside;
mod overloads;
mod parameters;
mod program;
mod protocols;
mod resolve;
mod results;
mod signatures;
mod stars;
mod types;

pub(crate) use hand_over::link;
pub(crate) use program::LinkFile;
