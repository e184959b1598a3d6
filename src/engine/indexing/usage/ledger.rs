//! The ledger: the number of calls that are counted, and the numbers of calls that are not counted, by reason.

use apidisc_facts::program::{Argument, ArgumentKind, CallSite, Calls, Resolution, SPREAD, UnresolvedReason};

/// The numbers of call sites by the outcome of their resolution.
///
/// The ledger of a whole index uses all fields. The ledger of one definition uses four:
///
/// - `resolved`: the counted calls of the definition.
/// - `spread`: the counted calls with a spread.
/// - `ambiguous`: the uncounted calls that have the definition among their candidates.
/// - `unknown_receiver`: for a method, the uncounted calls of methods with the same name on receivers of unknown type.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Ledger {
    /// Calls that resolve to one definition.
    pub resolved: u32,
    /// Calls with several candidates. They are counted for no candidate.
    pub ambiguous: u32,
    /// The number of resolved calls with `*args`, `**kwargs` or another spread among the arguments.
    pub spread: u32,
    /// Method calls on receivers of unknown type.
    pub unknown_receiver: u32,
    /// Calls of names without a known binding.
    pub unknown_name: u32,
    /// Calls of values that are computed at run time.
    pub dynamic: u32,
    /// Calls of values whose types are too large or take too many steps to infer.
    pub too_complex: u32,
    /// Calls of definitions outside the sources.
    pub external: u32,
}

/// The function from a ledger to one of its numbers.
type NumberOf = fn(&mut Ledger) -> &mut u32;

impl Ledger {
    /// The number of all call sites.
    pub fn total(&self) -> u32 {
        self.resolved + self.ambiguous + self.unresolved() + self.external
    }

    /// The number of unresolved calls that may be calls of definitions of the sources.
    pub fn unresolved(&self) -> u32 {
        self.unknown_receiver + self.unknown_name + self.dynamic + self.too_complex
    }

    /// The number of calls that are or may be calls of definitions of the sources: all but the external ones.
    pub fn internal(&self) -> u32 {
        self.total() - self.external
    }

    /// Each number with its name in files, in the order of the files.
    const NUMBERS: [(&'static str, NumberOf); 8] = [
        ("resolved", |ledger| &mut ledger.resolved),
        ("ambiguous", |ledger| &mut ledger.ambiguous),
        ("spread", |ledger| &mut ledger.spread),
        ("unknown_receiver", |ledger| &mut ledger.unknown_receiver),
        ("unknown_name", |ledger| &mut ledger.unknown_name),
        ("dynamic", |ledger| &mut ledger.dynamic),
        ("too_complex", |ledger| &mut ledger.too_complex),
        ("external", |ledger| &mut ledger.external),
    ];

    /// Each number of this ledger with its name in files.
    pub(crate) fn numbers(mut self) -> [(&'static str, u32); 8] {
        Self::NUMBERS.map(|(name, number)| (name, *number(&mut self)))
    }

    /// The number with this name in files; `None` for an unknown name.
    pub(crate) fn number_mut(&mut self, name: &str) -> Option<&mut u32> {
        let (_, number) = Self::NUMBERS.into_iter().find(|(known, _)| *known == name)?;
        Some(number(self))
    }

    /// Adds one call site to the ledger of a whole index.
    pub(crate) fn add(&mut self, calls: &Calls, call: &CallSite) {
        match call.resolution {
            Resolution::Resolved(_) => {
                self.resolved += 1;
                self.spread += u32::from(has_spread(calls.arguments(call)));
            }
            Resolution::Ambiguous(_) => self.ambiguous += 1,
            Resolution::Unresolved(UnresolvedReason::External) => self.external += 1,
            Resolution::Unresolved(UnresolvedReason::UnknownReceiver) => self.unknown_receiver += 1,
            Resolution::Unresolved(UnresolvedReason::UnknownName) => self.unknown_name += 1,
            Resolution::Unresolved(UnresolvedReason::Dynamic) => self.dynamic += 1,
            Resolution::Unresolved(UnresolvedReason::TooComplex) => self.too_complex += 1,
        }
    }
}

/// True if a call passes `*x`, `**x`, or an object literal with a spread.
pub fn has_spread(arguments: &[Argument]) -> bool {
    let is_spread = |a: &Argument| matches!(a.kind, ArgumentKind::Star | ArgumentKind::DoubleStar);
    let has_spread = |a: &Argument| a.keys.iter().flatten().any(|property| property.name == SPREAD);
    arguments.iter().any(|argument| is_spread(argument) || has_spread(argument))
}

apidisc_base::packed::packed_structs! {
    Ledger { resolved, ambiguous, spread, unknown_receiver, unknown_name, dynamic, too_complex, external }
}
