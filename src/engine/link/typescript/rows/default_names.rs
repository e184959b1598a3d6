//! The names of default exports that have none, such as `export default function () { … }`: files import each under a
//! name of their own choice, and it is shown under the name that most of them choose.

use compact_str::CompactString;
use rustc_hash::FxHashMap;

use super::DefinitionRows;
use crate::linked::{DefinitionRow, LinkedDefinition};
use crate::typescript::{infer::Linker, program::FileIndex, source_file::SourceFile};
use apidisc_facts::syntax::typescript::facts::{Decl, Expr, SymbolId, ValueSource};

/// The numbers of files that import a definition under each name.
type Names = FxHashMap<CompactString, u32>;

/// Names the exports without a name as most files import them. Of several such names that of the file is taken, else
/// the first in the order of the alphabet. What no file imports keeps its name, and is shown under that of its file.
pub(in crate::typescript) fn name_default_exports(
    linker: &mut Linker<'_>,
    files: &[SourceFile],
    rows: &DefinitionRows,
    definitions: &mut [LinkedDefinition],
) {
    let is_nameless = |definition: &LinkedDefinition| {
        definition.parent.is_none() && matches!(definition.name.as_str(), "default" | "exports")
    };
    if !definitions.iter().any(is_nameless) {
        return;
    }
    let mut imported: FxHashMap<DefinitionRow, Names> = FxHashMap::default();
    for (at, file) in files.iter().enumerate().filter(|(_, file)| !file.is_installed) {
        let of_file = FileIndex::new(at);
        for (symbol_at, symbol) in file.facts.symbols.iter().enumerate() {
            let resolved = match symbol.decls[..] {
                [Decl::Import(_)] => linker.resolve_symbol(of_file, SymbolId::new(symbol_at)),
                [Decl::Variable(variable)] => {
                    let row = &file.facts.variables[variable.index()];
                    let ValueSource::Value(value) = row.source else { continue };
                    let Expr::Require(specifier) = file.facts.expr(value) else { continue };
                    if !row.path.is_empty() {
                        continue;
                    }
                    linker.resolve_require(of_file, specifier)
                }
                _ => continue,
            };
            let row = rows.of_name(&linker.program, resolved).filter(|row| is_nameless(&definitions[row.index()]));
            if let Some(row) = row {
                let names = imported.entry(row).or_default();
                *names.entry(CompactString::new(file.facts.name(symbol.name))).or_default() += 1;
            }
        }
    }
    for (row, names) in imported {
        let module = &files[definitions[row.index()].file].module;
        let rank = |(name, files): &(CompactString, u32)| (*files, is_name_of(module, name));
        let most = names.into_iter().max_by(|one, other| rank(one).cmp(&rank(other)).then_with(|| other.0.cmp(&one.0)));
        if let Some((name, _)) = most.filter(|(name, _)| name != "default") {
            definitions[row.index()].name = name;
        }
    }
}

/// Whether a name is that of a module, but for case and separators: `useClient` for `src/use-client`.
fn is_name_of(module: &str, name: &str) -> bool {
    let last = module.trim_end_matches("/index").rsplit('/').next().unwrap_or_default();
    let letters =
        |text: &str| text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect::<String>();
    letters(last) == letters(name)
}
