//! The packages of a TypeScript project, in its `node_modules` folders.
//!
//! Only declarations are looked for: `.d.ts` files, and TypeScript sources of packages that have no declarations. The
//! order is that of the TypeScript compiler: `exports`, `typesVersions`, `types`, `main`, `index`, then the package
//! `@types/NAME`.
//!
//! | file | content |
//! | --- | --- |
//! | `manifest` | `package.json`: the paths at which a package declares a module |
//! | `packages` | the package of a name, from the folder of the importing file upwards |
//! | `platform` | the modules that platforms provide without any package |
//! | `range` | ranges of versions |

mod manifest;
mod packages;
mod platform;
mod range;
#[cfg(test)]
mod tests;

pub use manifest::{dependencies, listed_types, name, version};
pub use packages::{
    Declarations, NodePackages, Package, is_relative, package_of_specifier, plug_and_play, types_package,
};
pub use platform::is_platform_module;
