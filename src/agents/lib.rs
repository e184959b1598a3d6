//! A small framework for agents: goals, tools, memory, and a model that calls the tools until it has an answer.
//!
//! An [`Agent`] asks its [`Model`] again and again. Each reply is an answer, or calls of [`Tool`]s, whose results are
//! part of the next prompt. The [`Limits`] end every run. A run that ends without an answer returns what it found until
//! then.
//!
//! Each module uses only those above it:
//!
//! | module | content |
//! | --- | --- |
//! | `nearest` | the name that was probably meant |
//! | [`tool`] | a function with the name, description and parameters that a model sees |
//! | [`registry`] | the tools of an agent, selected by tags or names |
//! | [`goal`] | what an agent has to achieve |
//! | [`memory`] | the requests, replies and results of a run so far |
//! | [`environment`] | runs tools, and records the outcome of each call |
//! | [`prompt`] | everything that a model receives for one reply |
//! | [`model`] | the interface of models, and prepared replies |
//! | [`language`] | how tools are offered to a model, and how its replies are read |
//! | [`limits`] | the limits of a run |
//! | [`transcript`] | every event of a run, which can be played again |
//! | [`agent`] | the loop |
//! | [`steps`] | the events of a run in the form in which a person watches them |
//! | [`project`] | tools that read the files of a project |
//! | [`ready`] | agents that are ready to run |
//! | [`research`](mod@research) | the agent that answers questions about indexed code |
//! | `providers` | models of providers, over the network; with the feature of that name |
//!
//! **Architecture invariant.** Only [`project`] reads files, and nothing here opens a connection or starts a thread:
//! models do. A run blocks its thread; a program that must stay responsive gives it one of its own.

pub mod agent;
pub mod environment;
pub mod goal;
pub mod language;
pub mod limits;
pub mod memory;
pub mod model;
mod nearest;
pub mod project;
pub mod prompt;
#[cfg(feature = "providers")]
pub mod providers;
pub mod ready;
pub mod registry;
pub mod research;
pub mod steps;
pub mod tool;
pub mod transcript;

#[doc(inline)]
pub use {
    agent::{Agent, Observer, Run, Unobserved},
    environment::{Environment, Outcome},
    goal::Goal,
    language::{Action, ActionLanguage},
    limits::Limits,
    memory::{Memory, MemoryEntry, ToolCall},
    model::{Model, ModelError, Prepared, Reply, ReplyPiece},
    project::Project,
    prompt::{AnswerSchema, Message, Prompt, Role},
    ready::ReadyAgent,
    registry::{Registry, RegistryError},
    tool::{Tool, ToolResult},
    transcript::{Ending, Event, Transcript},
};
