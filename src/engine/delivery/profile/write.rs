//! A [`Profile`] to its text, with comments for whoever opens the file.

use std::fmt::{self, Write as _};

use super::{Limits, Profile, Saved, StubRequest};
use crate::{source::Origin, strategy::Strategy};

impl Profile {
    /// The text of its file; `name` is what it is called on the command line.
    pub fn text(&self, name: &str) -> String {
        let mut text = String::new();
        // Writing to a string cannot fail.
        let _ = write(&mut text, self, name);
        text
    }
}

fn write(out: &mut String, profile: &Profile, name: &str) -> fmt::Result {
    let Profile { cut, limits, saved } = profile;
    writeln!(out, "# What `apidisc-tui --export --profile {}` prints.", one_line(name))?;
    write_cut(out, cut)?;
    if *limits != Limits::default() {
        writeln!(out, "\n# `--check` fails outside of these.\n[check]")?;
        if let Some(tokens) = limits.max_tokens {
            writeln!(out, "max_tokens = {tokens}")?;
        }
        if let Some(coverage) = limits.min_coverage {
            writeln!(out, "min_coverage = {coverage:?}")?;
        }
    }
    if let Some(Saved { commit, tokens, coverage, symbols }) = saved {
        writeln!(out, "\n# What was true when it was saved: `--check` names what is different since.\n[saved]")?;
        if let Some(commit) = commit {
            writeln!(out, "commit = {}", quoted(commit))?;
        }
        writeln!(out, "tokens = {tokens}")?;
        if let Some(coverage) = coverage {
            writeln!(out, "coverage = {coverage:?}")?;
        }
        writeln!(out, "\n# Signatures.\n[saved.symbols]")?;
        for (fqn, fingerprint) in symbols {
            writeln!(out, "{} = {}", quoted(fqn), quoted(fingerprint))?;
        }
    }
    Ok(())
}

fn write_cut(out: &mut String, cut: &StubRequest) -> fmt::Result {
    for (key, name) in [("module", &cut.module), ("symbol", &cut.symbol)] {
        if let Some(name) = name {
            writeln!(out, "{key} = {}", quoted(name))?;
        }
    }
    writeln!(out, "strategy = {}", quoted(cut.strategy.name()))?;
    match cut.strategy {
        Strategy::TokenBudget { max_tokens } => writeln!(out, "max_tokens = {max_tokens}")?,
        Strategy::Threshold { min_frequency } => writeln!(out, "min_frequency = {min_frequency:?}")?,
        Strategy::Coverage { target } => writeln!(out, "target = {target:?}")?,
        Strategy::Exhaustive => {}
    }
    writeln!(out, "encoding = {}", quoted(cut.encoding.name()))?;
    writeln!(out, "format = {}", quoted(cut.format.name()))?;
    writeln!(out, "# Shown or hidden in any case: \"pkg.Class\", \"pkg.Class.method\", \"pkg.Class(argument)\".")?;
    for (key, targets) in [("pins", &cut.overrides.pinned), ("bans", &cut.overrides.banned)] {
        let rows: Vec<String> = targets.iter().map(|target| quoted(&target.to_string())).collect();
        match rows[..] {
            [] => writeln!(out, "{key} = []")?,
            _ => writeln!(out, "{key} = [\n    {},\n]", rows.join(",\n    "))?,
        }
    }
    writeln!(out, "\n# How often each call counts, by where it stands; 0 leaves it out.\n[weights]")?;
    Origin::ALL.into_iter().try_for_each(|origin| writeln!(out, "{} = {}", origin.word(), cut.weights.of(origin)))
}

/// A basic string: good for keys, too.
fn quoted(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            _ if c.is_control() => {
                let _ = write!(out, "\\u{:04x}", u32::from(c));
            }
            _ => out.push(c),
        }
    }
    out.push('"');
    out
}

fn one_line(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}
