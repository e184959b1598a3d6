//! `extends`: the configuration that each inherited option comes from.

use super::{
    json::{problem, quoted},
    tsconfig::{ConfigOption, ConfigReference, OptionValue, TsConfig},
};
use apidisc_base::diagnostic::Diagnostic;

/// For each option, the position of the configuration that declares its value.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct InheritedOptions([Option<u32>; ConfigOption::ALL.len()]);

impl InheritedOptions {
    /// The value of an option, with the position of the configuration that declares it.
    pub(super) fn get<'a>(&self, option: ConfigOption, configs: &'a [TsConfig]) -> Option<(usize, &'a OptionValue)> {
        let declared_in = self.0[option as usize]? as usize;
        Some((declared_in, configs[declared_in].option(option)?))
    }

    fn override_with(&mut self, other: &Self) {
        for (mine, theirs) in self.0.iter_mut().zip(other.0) {
            *mine = theirs.or(*mine);
        }
    }

    fn declare(&mut self, config: &TsConfig, id: usize) {
        for option in ConfigOption::ALL {
            if config.option(option).is_some() {
                self.0[option as usize] = u32::try_from(id).ok();
            }
        }
    }
}

/// The state of a configuration in the depth-first search along `extends`.
#[derive(Clone, Copy, PartialEq, Eq)]
enum VisitState {
    Unvisited,
    /// The configuration is on the stack. A reference to it closes a cycle.
    Active,
    Done,
}

/// Follows the `extends` of every configuration; `find` returns the position of the configuration that a reference
/// names. Later references of a list override earlier ones, and a configuration's own options override all of them.
pub(super) fn inherit(
    configs: &[TsConfig],
    find: impl Fn(&TsConfig, &ConfigReference) -> Option<usize>,
    problems: &mut Vec<Diagnostic>,
) -> Vec<InheritedOptions> {
    let mut states = vec![VisitState::Unvisited; configs.len()];
    let mut inherited = vec![InheritedOptions::default(); configs.len()];
    // A chain of `extends` may contain every configuration, so the search uses an explicit stack instead of recursion.
    // An entry is a configuration and the position of its next reference.
    let mut stack: Vec<(usize, usize)> = Vec::new();
    for start in 0..configs.len() {
        if states[start] == VisitState::Unvisited {
            states[start] = VisitState::Active;
            stack.push((start, 0));
        }
        while let Some((id, next)) = stack.last_mut() {
            let (id, config) = (*id, &configs[*id]);
            let Some(reference) = config.extends.get(*next) else {
                inherited[id].declare(config, id);
                states[id] = VisitState::Done;
                stack.pop();
                continue;
            };
            let Some(base) = find(config, reference) else {
                *next += 1;
                continue;
            };
            match states[base] {
                VisitState::Unvisited => {
                    states[base] = VisitState::Active;
                    stack.push((base, 0));
                }
                VisitState::Active => {
                    *next += 1;
                    let message = format!(
                        "`extends` comes back to this file through {}: it ends here",
                        quoted(&reference.target)
                    );
                    problems.push(problem(&config.path, reference.line, &message));
                }
                VisitState::Done => {
                    *next += 1;
                    let base = inherited[base];
                    inherited[id].override_with(&base);
                }
            }
        }
    }
    inherited
}
