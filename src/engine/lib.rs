//! The engine: sources in, an immutable [`index::Index`] and delivered stubs out.
//!
//! **Architecture invariant.** Nothing below this module knows a screen, a clock, a terminal, the
//! network or an async runtime. Errors are collected beside values as [`diagnostic::Diagnostic`].

pub mod control;
pub mod delivery;
pub mod diagnostic;
pub mod hash;
mod ids;
pub mod index;
pub mod indexer;
pub mod language;
mod link;
pub mod overrides;
pub mod program;
pub mod search;
pub mod source;
pub mod strategy;
pub mod stub;
pub mod syntax;
pub mod tokens;
pub mod usage;
