//! The environment of a Python project: the folder that a tool such as `venv`, uv, poetry or conda has made, with the
//! packages that are installed in it.
//!
//! ```text
//! project, settings, shell → candidates, in order → the one that holds what is imported → folders of modules
//!                                                                                       → distributions
//! ```

mod candidates;
mod configured;
mod distributions;
mod editable;
mod managed;
mod modules;
mod pyvenv;
mod search;
mod site_folders;
mod version;

pub use apidisc_base::environment::EnvironmentSetting;
pub use candidates::{FoundBy, Shell};
pub use distributions::{Distribution, Distributions, distribution_of, normalized};
pub use modules::{InstalledModule, InstalledModules, ModuleForm, is_compiled};
pub use search::{Candidate, Outcome, Search, search};
pub use site_folders::{Environment, ModuleFolder, ModuleFolderKind};
pub use version::PythonVersion;

#[cfg(test)]
mod tests;
