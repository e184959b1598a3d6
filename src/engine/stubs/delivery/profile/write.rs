//! Writes the text of a [`Profile`], with comments for readers of the file.

use std::fmt::{self, Write as _};

use super::{Profile, ProfileLimits, SavedStub, StubRequest};
use crate::strategy::Strategy;
use apidisc_base::unprintable::toml_string;
use apidisc_facts::source::Origin;

impl Profile {
    /// The text of the file; `name` is the name of the profile on the command line.
    pub fn text(&self, name: &str) -> String {
        let mut text = String::new();
        // Writing to a string cannot fail.
        let _ = write(&mut text, self, name);
        text
    }
}

fn write(out: &mut String, profile: &Profile, name: &str) -> fmt::Result {
    let Profile { request, limits, saved } = profile;
    writeln!(out, "# What `apidisc-tui --export --profile {}` prints.", one_line(name))?;
    write_request(out, request)?;
    if *limits != ProfileLimits::default() {
        writeln!(out, "\n# `--check` fails outside of these.\n[check]")?;
        if let Some(tokens) = limits.max_tokens {
            writeln!(out, "max_tokens = {tokens}")?;
        }
        if let Some(coverage) = limits.min_coverage {
            writeln!(out, "min_coverage = {coverage:?}")?;
        }
    }
    if let Some(SavedStub { commit, tokens, coverage, symbols }) = saved {
        writeln!(out, "\n# What was true when it was saved: `--check` names what is different since.\n[saved]")?;
        if let Some(commit) = commit {
            writeln!(out, "commit = {}", toml_string(commit))?;
        }
        writeln!(out, "tokens = {tokens}")?;
        if let Some(coverage) = coverage {
            writeln!(out, "coverage = {coverage:?}")?;
        }
        writeln!(out, "\n# Signatures.\n[saved.symbols]")?;
        for (fqn, fingerprint) in symbols {
            writeln!(out, "{} = {}", toml_string(fqn), toml_string(fingerprint))?;
        }
    }
    Ok(())
}

fn write_request(out: &mut String, request: &StubRequest) -> fmt::Result {
    for (key, name) in [("package", &request.package), ("module", &request.module), ("symbol", &request.symbol)] {
        if let Some(name) = name {
            writeln!(out, "{key} = {}", toml_string(name))?;
        }
    }
    if let Some(intent) = &request.intent {
        writeln!(out, "intent = {}", toml_string(intent))?;
    }
    writeln!(out, "strategy = {}", toml_string(request.strategy.name()))?;
    match request.strategy {
        Strategy::TokenBudget { max_tokens } => writeln!(out, "max_tokens = {max_tokens}")?,
        Strategy::Threshold { min_frequency } => writeln!(out, "min_frequency = {min_frequency:?}")?,
        Strategy::Coverage { target } => writeln!(out, "target = {target:?}")?,
        Strategy::Exhaustive => {}
    }
    writeln!(out, "wording = {}", toml_string(request.wording.name()))?;
    writeln!(out, "docs = {}", toml_string(request.docs.name()))?;
    writeln!(out, "encoding = {}", toml_string(request.encoding.name()))?;
    writeln!(out, "format = {}", toml_string(request.format.name()))?;
    writeln!(out, "# Shown or hidden in any case: \"pkg.Class\", \"pkg.Class.method\", \"pkg.Class(argument)\".")?;
    for (key, targets) in [("pins", &request.overrides.pinned), ("bans", &request.overrides.banned)] {
        let names: Vec<String> = targets.iter().map(|target| toml_string(&target.to_string())).collect();
        match names[..] {
            [] => writeln!(out, "{key} = []")?,
            _ => writeln!(out, "{key} = [\n    {},\n]", names.join(",\n    "))?,
        }
    }
    writeln!(out, "\n# How often each call counts, by where it stands; 0 leaves it out.\n[weights]")?;
    for origin in Origin::ALL {
        writeln!(out, "{} = {}", origin.word(), request.weights.of(origin))?;
    }
    let sources = request.weights.sources().map(|name| (name, request.weights.of_source(name)));
    sources
        .into_iter()
        .try_for_each(|(name, weight)| writeln!(out, "{} = {weight}", toml_string(&format!("source:{name}"))))
}

fn one_line(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}
