//! `extends`: which file each setting of a configuration comes from.

use super::{
    json::{problem, quoted},
    tsconfig::{Config, KEYS, Key, Link, Setting},
};
use crate::diagnostic::Diagnostic;

/// For each setting, the configuration that it is declared in.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Inherited([Option<u32>; KEYS.len()]);

impl Inherited {
    /// The value of a setting, with the configuration that declares it.
    pub(super) fn get<'a>(&self, key: Key, configs: &'a [Config]) -> Option<(usize, &'a Setting)> {
        let declared_in = self.0[key as usize]? as usize;
        Some((declared_in, configs[declared_in].setting(key)?))
    }

    fn override_with(&mut self, other: &Self) {
        for (mine, theirs) in self.0.iter_mut().zip(other.0) {
            *mine = theirs.or(*mine);
        }
    }

    fn declare(&mut self, config: &Config, id: usize) {
        for key in KEYS {
            if config.setting(key).is_some() {
                self.0[key as usize] = u32::try_from(id).ok();
            }
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    New,
    Open,
    Done,
}

/// Follows `extends` of every configuration; `find` leads from one to the next. Later ones of a list override earlier
/// ones, and a file's own settings override all.
pub(super) fn inherit(
    configs: &[Config],
    find: impl Fn(&Config, &Link) -> Option<usize>,
    problems: &mut Vec<Diagnostic>,
) -> Vec<Inherited> {
    let mut states = vec![State::New; configs.len()];
    let mut inherited = vec![Inherited::default(); configs.len()];
    // Chains may be as long as there are files: they are followed without recursion.
    let mut open: Vec<(usize, usize)> = Vec::new();
    for start in 0..configs.len() {
        if states[start] == State::New {
            states[start] = State::Open;
            open.push((start, 0));
        }
        while let Some((id, next)) = open.last_mut() {
            let (id, config) = (*id, &configs[*id]);
            let Some(link) = config.extends.get(*next) else {
                inherited[id].declare(config, id);
                states[id] = State::Done;
                open.pop();
                continue;
            };
            let Some(base) = find(config, link) else {
                *next += 1;
                continue;
            };
            match states[base] {
                State::New => {
                    states[base] = State::Open;
                    open.push((base, 0));
                }
                State::Open => {
                    *next += 1;
                    let message =
                        format!("`extends` comes back to this file through {}: it ends here", quoted(&link.to));
                    problems.push(problem(&config.path, link.line, &message));
                }
                State::Done => {
                    *next += 1;
                    let base = inherited[base];
                    inherited[id].override_with(&base);
                }
            }
        }
    }
    inherited
}
