//! The honest part of usage: what is counted, and what could not be.

/// Numbers of call sites, by how much is known of them.
///
/// Of one definition, `resolved` are its counted calls, `spread` those of them that may pass more than is
/// seen, `ambiguous` the uncounted ones that may mean it, and of a method `unknown_receiver` the uncounted
/// ones of its name on receivers of unknown type. The others are kept for a whole index only.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Ledger {
    /// Resolved to one definition.
    pub resolved: u32,
    /// One of several definitions: counted for none.
    pub ambiguous: u32,
    /// Resolved, and with `*args`, `**kwargs` or another spread among its arguments.
    pub spread: u32,
    /// A method call on a receiver whose type is not known.
    pub unknown_receiver: u32,
    /// A name that leads nowhere that is known.
    pub unknown_name: u32,
    /// Computed at run time.
    pub dynamic: u32,
    /// Defined outside the sources.
    pub external: u32,
}

impl Ledger {
    /// Every call site.
    pub fn total(&self) -> u32 {
        self.resolved + self.ambiguous + self.unknown_receiver + self.unknown_name + self.dynamic + self.external
    }
}
