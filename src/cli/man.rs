//! `man`: manual pages, made from the definition of the command line.

use clap_mangen::{
    Man,
    roff::{Roff, roman},
};

use super::{NAME, args, output};

/// Prints a manual page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ManPage {
    /// The command that the page describes; `None` for the page of the whole program.
    pub command: Option<String>,
}

impl ManPage {
    /// The commands that have a manual page.
    pub(super) const COMMANDS: [&str; 20] = [
        "index",
        "facts",
        "calls",
        "deps",
        "report",
        "breaks",
        "reads",
        "serve",
        "setup",
        "check-index",
        "discover",
        "docs",
        "route",
        "ask",
        "agent",
        "cache",
        "config",
        "doctor",
        "completions",
        "man",
    ];

    /// Formats and prints the page.
    pub fn run(&self) -> anyhow::Result<()> {
        let mut page = Vec::new();
        match &self.command {
            None => program(&mut page)?,
            Some(name) => command(name, &mut page)?,
        }
        output::write(None, |out| out.write_all(&page))
    }
}

fn program(page: &mut Vec<u8>) -> std::io::Result<()> {
    let man = Man::new(args::definition());
    man.render_title(page)?;
    man.render_name_section(page)?;
    man.render_synopsis_section(page)?;
    man.render_description_section(page)?;
    man.render_options_section(page)?;
    man.render_subcommands_section(page)?;
    let mut roff = Roff::new();
    for (title, text) in args::text::SECTIONS {
        roff.control("SH", [title.to_uppercase().as_str()]).control("nf", []);
        for line in text.lines() {
            roff.text([roman(line)]);
        }
        roff.control("fi", []);
    }
    roff.to_writer(page)?;
    man.render_version_section(page)
}

fn command(name: &str, page: &mut Vec<u8>) -> std::io::Result<()> {
    let mut program = args::definition();
    program.build();
    let Some(command) = program.find_subcommand(name) else { return Ok(()) };
    let command = command.clone().display_name(format!("{NAME}-{name}"));
    let version = concat!(env!("CARGO_PKG_NAME"), " ", env!("CARGO_PKG_VERSION"));
    Man::new(command).title(format!("{NAME}-{name}")).source(version).render(page)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_command_has_a_page() {
        let program = args::definition();
        let commands: Vec<&str> = program.get_subcommands().map(clap::Command::get_name).collect();
        assert_eq!(commands, ManPage::COMMANDS);
    }
}
