//! Where the libraries of a project are installed.
//!
//! **Nothing of an environment is ever executed**: no interpreter, no package manager, no line of code in a `.pth`
//! file, no import hook. An environment is read as hostile input: listings and files are bounded, and a name that is
//! read from a file leads nowhere unless a folder of that name is there.
//!
//! | module | content |
//! | --- | --- |
//! | [`listing`] | looks at the disk: the entries of a folder, small texts; and a record of them |
//! | [`node`] | the packages of a TypeScript project, and the files that declare their modules |
//! | [`python`] | the environment of a Python project, its folders of modules, and its distributions |

pub mod listing;
pub mod node;
pub mod python;

/// A hash of the sources of this package, for versions of what is kept on disk.
pub const SOURCES: &str = env!("SOURCES");
