//! Names, through imports, exports, namespaces and ambient modules, to the symbols and constants that they denote.
//! Nothing here asks for a type.

mod ambient_modules;
mod augmentations;
mod computed_names;
mod constants;
mod exported_names;
mod exports;
mod resolved_names;
mod stars;

pub(in crate::typescript) use exported_names::FileExports;
pub(in crate::typescript) use resolved_names::{ResolvedModule, ResolvedName};
pub(super) use stars::StarGraph;
