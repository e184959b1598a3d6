//! The engine: sources in, an immutable [`index::Index`] and delivered stubs out.
//!
//! **Architecture invariant.** Nothing below this module knows a screen, a clock, a terminal, the
//! network or an async runtime. Errors are collected beside values as [`diagnostic::Diagnostic`].

pub mod curve;
pub mod diagnostic;
pub mod evaluate;
pub mod hash;
mod ids;
pub mod index;
mod link;
pub mod profile;
pub mod source;
pub mod strategy;
pub mod stub;
pub mod syntax;
pub mod tokens;
pub mod usage;
