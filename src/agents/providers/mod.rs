//! Models of providers, over the network.
//!
//! | file | content |
//! | --- | --- |
//! | `choice` | the choice of a model: provider, name, key and address |
//! | `request` | a prompt in the form of the client |
//! | `failure` | errors of the client: whether a request is tried again, and after how long |
//! | `pieces` | calls that come in pieces |
//! | `exchange` | carries a request to the provider and the reply back, within limits and without redirects |
//! | `client` | a model that sends requests |
//!
//! A key is read from the environment when a request is made. It is in no message, event or file.

mod choice;
mod client;
mod exchange;
mod failure;
mod pieces;
mod request;
#[cfg(test)]
mod tests;

pub use choice::{ChoiceError, ModelChoice};
pub use client::ProviderModel;
