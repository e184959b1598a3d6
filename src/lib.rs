//! # apidisc: the part of an API that people really use
//!
//! One engine, several faces, never two answers.
//!
//! ```text
//! bytes → facts of one file → linked program → usage → index → strategy → stub
//!         engine::syntax      engine::link     ::usage  ::index  ::strategy ::stub
//! ```
//!
//! | module | what it is for |
//! | --- | --- |
//! | [`engine::source`] | where code comes from: walking a folder, a set of files in memory, import roots |
//! | [`engine::syntax`] | the facts of one file, a folder a language |
//! | [`engine::link`] | facts to a program: modules, names, classes, types, calls, binding |
//! | [`engine::usage`] | calls to counts: parameters, argument sets, pairs, values, the ledger |
//! | [`engine::index`] | the immutable snapshot, its builder, scopes, `api_metadata.yaml` |
//! | [`engine::strategy`] | which members and arguments stay |
//! | [`engine::stub`] | the delivered bytes |
//! | [`engine::tokens`] | tokenizers and exact counting |
//! | [`cli`] | the commands that print and exit |
//! | [`tui`] | the explorer |
//! | [`live`] | an index that follows its sources, for every face |
//! | [`clipboard`] | copying, used by both |
//! | [`places`] | where configuration, state and caches live |
//! | [`demo`] | the bundled demo project |
//!
//! **Architecture invariant.** Data flows one way; each step is a pure function of the one before.
//!
//! **Architecture invariant.** `engine` knows no face: no screen, clock, terminal, network or async
//! runtime. `cli` and `tui` call the engine, never each other.
//!
//! **Architecture invariant.** Of the explorer only `tui::runtime` touches the terminal, the clock, files and processes.
//! `tui::update` returns effects, `tui::view` reads and draws.
//!
//! **Architecture invariant.** Every face gets its stub from [`engine::stub::deliver`].

pub mod cli;
pub mod clipboard;
pub mod demo;
pub mod live;
pub mod places;
mod threads;
pub mod tui;
