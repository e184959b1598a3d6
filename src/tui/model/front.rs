//! What is in front: the panes, or the page that covers them.

use super::Model;

/// What the screen shows below its header, which receives the commands on rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Front {
    /// The panes.
    Panes,
    /// A page about a symbol, a module or a part of API documents. It may cover the page of agents or of questions.
    Page,
    /// The page of agents.
    Agents,
    /// The page of questions.
    Ask,
    /// The tuning page.
    Tuning,
}

impl Model {
    /// What is in front.
    pub fn front(&self) -> Front {
        if self.page.is_some() {
            Front::Page
        } else if self.agents.is_some() {
            Front::Agents
        } else if self.ask.is_open {
            Front::Ask
        } else if self.tuning.is_some() {
            Front::Tuning
        } else {
            Front::Panes
        }
    }
}
