//! The architecture's invariants, read off the source: who may name what, and the house's rules for a file.

// Tests may panic: that is how they fail.
#![allow(clippy::unwrap_used)]

mod call_graph;
mod circles;
mod layers;
mod rust;
mod sources;

mod agents;
mod engine;
mod engine_breaks;
mod engine_lower;
mod engine_upper;
mod explorer;
mod house;
mod packages;
mod program;
mod readme;
mod recursion;
mod typescript;
