//! Agents that are ready to run.

use std::sync::Arc;

use crate::{
    agent::Agent,
    goal::Goal,
    model::Model,
    project::{FILES, Project, SEARCH, SYSTEM},
};

/// An agent that is ready to run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReadyAgent {
    /// Explores files, and documents them.
    FileExplorer,
    /// Writes the text of a README.
    Readme,
    /// Analyses the structure of code.
    Analysis,
}

impl ReadyAgent {
    /// Every agent.
    pub const ALL: [Self; 3] = [Self::FileExplorer, Self::Readme, Self::Analysis];

    /// The name on a command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::FileExplorer => "file-explorer",
            Self::Readme => "readme",
            Self::Analysis => "analysis",
        }
    }

    /// The agent for a project.
    pub fn agent(self, project: &Arc<Project>, model: Box<dyn Model>) -> Agent {
        let tags: &[&str] = match self {
            Self::FileExplorer | Self::Readme => &[FILES, SYSTEM],
            Self::Analysis => &[FILES, SEARCH, SYSTEM],
        };
        Agent::new(self.goals(), project.registry().with_tags(tags), model)
    }

    fn goals(self) -> Vec<Goal> {
        let goals: &[(&str, &str)] = match self {
            Self::FileExplorer => &[
                ("Gather Information", "List the files of the project, and read those that the task concerns."),
                ("Generate Documentation", "Write the documentation that the task asks for, from what the files say."),
                ("Terminate", "Call terminate with the complete result, naming the files that it comes from."),
            ],
            Self::Readme => &[
                (
                    "Gather Information",
                    "Understand what the project is for, how it is installed and run, and how its parts belong together: \
                     read its configuration, its entry points and the files that matter most.",
                ),
                (
                    "Terminate",
                    "Call terminate with the complete text of a README in Markdown. State only what the files say.",
                ),
            ],
            Self::Analysis => &[
                (
                    "Code Analysis",
                    "Analyse the structure of the code: its modules, what depends on what, and its entry points.",
                ),
                (
                    "Generate Analysis",
                    "Call terminate with insights and recommendations. Each names the files that it rests on.",
                ),
            ],
        };
        (1..).zip(goals).map(|(priority, (name, description))| Goal::new(priority, name, description)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        agent::Unobserved,
        memory::Memory,
        model::{Prepared, Reply},
        transcript::Ending,
    };

    #[test]
    fn a_ready_agent_reads_files_and_ends_with_terminate() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("setup.py"), "setup(name='vane')").unwrap();
        let project = Arc::new(Project::open(folder.path()).unwrap());
        let replies = [
            r#"{"tool": "read_project_file", "args": {"name": "setup.py"}}"#,
            r##"{"tool": "terminate", "args": {"message": "# vane"}}"##,
        ];
        let model = Prepared::new(replies.map(Reply::text));
        let run = ReadyAgent::Readme.agent(&project, Box::new(model)).run("Write it", Memory::new(), &mut Unobserved);
        assert_eq!((run.ending, run.answer.as_str()), (Ending::Terminated("terminate".to_owned()), "# vane"));
        assert!(run.memory.entries(None).iter().any(|entry| entry.content() == "setup(name='vane')"));
    }
}
