//! Models of providers, over the network.
//!
//! | file | content |
//! | --- | --- |
//! | `choice` | which model of which provider: names, keys, addresses |
//! | `request` | a prompt in the form of the client |
//! | `failure` | errors of the client: which are worth another try, and how long to wait |
//! | `client` | a model that sends requests |
//!
//! A key is read from the environment when a request is made. It is in no message, event or file.

mod choice;
mod client;
mod failure;
mod request;
#[cfg(test)]
mod tests;

pub use choice::{ChoiceError, ModelChoice};
pub use client::ProviderModel;
