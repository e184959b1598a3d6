//! Resolves the type names in the texts of a stub.

use arcstr::ArcStr;

use super::{
    generics::TypeArgumentRules,
    global_types,
    stub_names::{NamedType, StubNames, import_source},
};
use apidisc_facts::program::{DefinitionId, DefinitionKind};

/// The result of resolving a name in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum StubTypeName {
    /// A global type.
    Global(TypeArgumentRules),
    /// A definition of the sources.
    Definition {
        ty: u32,
        argument_rules: TypeArgumentRules,
        /// True for an enum, which stays the same type if the stub hides some of its members, and for a type that the
        /// stub never declares.
        is_complete: bool,
    },
    /// A type from outside of the sources.
    Outside { ty: u32 },
    /// The name does not resolve to a type that a stub can declare.
    Unknown,
}

impl StubTypeName {
    /// The name that is printed.
    pub(super) fn name<'n>(self, names: &'n StubNames, path: &'n str) -> Option<&'n str> {
        match self {
            Self::Global(_) => Some(path),
            Self::Definition { ty, .. } | Self::Outside { ty } => Some(names.type_name(ty)),
            Self::Unknown => None,
        }
    }
}

/// The types that are global if type packages such as `@types/node` are installed.
pub(super) const AMBIENT_TYPES: [&str; 14] = [
    "Buffer",
    "BufferEncoding",
    "Express.Request",
    "JSX.Element",
    "JSX.IntrinsicElements",
    "NodeJS.ErrnoException",
    "NodeJS.Process",
    "NodeJS.ProcessEnv",
    "NodeJS.ReadableStream",
    "NodeJS.Signals",
    "NodeJS.Timeout",
    "NodeJS.Timer",
    "NodeJS.WritableStream",
    "React.ReactNode",
];

impl StubNames {
    /// Resolves `path` in a text of a definition. `type_names` are the names in its texts that the indexer resolved,
    /// each with its definition; `None` stands for a type from outside of the sources. `type_imports` are the sources
    /// of their first parts.
    pub(super) fn resolve(
        &self,
        type_names: &[(ArcStr, Option<DefinitionId>)],
        type_imports: &[(ArcStr, ArcStr)],
        path: &str,
    ) -> StubTypeName {
        let mut prefix = path;
        loop {
            if let Some((_, id)) = type_names.iter().find(|(name, _)| name == prefix) {
                return match id {
                    Some(id) => self.resolve_definition(*id, &path[prefix.len()..]),
                    None => self.resolve_outside(path, import_source(type_imports, path)),
                };
            }
            let Some((shorter, _)) = prefix.rsplit_once('.') else { break };
            prefix = shorter;
        }
        let root = path.split('.').next().unwrap_or_default();
        match global_types::global_type(path) {
            Some(global) if !self.is_taken(root) => StubTypeName::Global(global.argument_rules),
            _ if AMBIENT_TYPES.contains(&path) => self.resolve_outside(path, None),
            _ => StubTypeName::Unknown,
        }
    }

    /// Resolves a definition of the sources; `rest` is the part of the path after its name.
    fn resolve_definition(&self, id: DefinitionId, rest: &str) -> StubTypeName {
        let Some(ty) = self.type_of(id) else { return StubTypeName::Unknown };
        let &NamedType { argument_rules, kind, .. } = self.named_type(ty);
        let is_enum = kind == Some(DefinitionKind::Enum);
        // An enum member such as `Level.Debug` is printed as its enum, since the stub may hide the member.
        if rest.is_empty() || is_enum {
            StubTypeName::Definition { ty, argument_rules, is_complete: is_enum || self.is_always_imported(ty) }
        } else {
            StubTypeName::Unknown
        }
    }

    fn resolve_outside(&self, path: &str, source: Option<&ArcStr>) -> StubTypeName {
        self.outside_type(path, source.map(|source| &**source))
            .map_or(StubTypeName::Unknown, |ty| StubTypeName::Outside { ty })
    }
}
