//! Tests of the server with the real binary, message by message, in both revisions of the protocol.

// Tests may panic: that is how they fail.
#![allow(clippy::unwrap_used)]

mod client;

mod asking;
mod bad_input;
mod changing;
mod documents;
mod http;
mod logging;
mod packages;
mod sessions;
