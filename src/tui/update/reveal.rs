//! Reveals a topic, which is anything that has a page, in the panes.

use super::browse;
use crate::tui::{
    geometry::Pane,
    model::{Catalog, Model, Topic},
};
use apidisc::{
    index::{Index, Scope},
    program::{DefinitionId, ModuleId},
};

/// Selects a topic in the panes and focuses its pane.
pub(super) fn show(model: &mut Model, catalog: &Catalog, topic: Topic) {
    match topic {
        Topic::Repository => {
            model.modules.reveal_repository();
            model.modules.rebuild(catalog);
            browse::focus(model, Pane::Modules);
        }
        Topic::Module(id) => {
            reveal_module(model, catalog, id);
            browse::focus(model, Pane::Modules);
        }
        Topic::Definition(id) => {
            reveal(model, catalog, id, None);
            browse::focus(model, Pane::Symbols);
        }
        Topic::Argument(id, at) => {
            reveal(model, catalog, id, None);
            model.arguments.reveal(catalog, id, usize::from(at));
            browse::focus(model, Pane::Arguments);
        }
    }
}

fn reveal_module(model: &mut Model, catalog: &Catalog, id: ModuleId) {
    model.modules.state.filter.clear();
    model.modules.reveal(catalog, id);
    model.modules.rebuild(catalog);
}

/// Selects a definition in the first of these modules that lists it: the scope `asked`, the selected module, the module
/// in the definition's public name. If none of these modules lists the definition, selects it in the module that
/// defines it.
pub(super) fn reveal(model: &mut Model, catalog: &Catalog, id: DefinitionId, asked: Option<Scope>) {
    let index = &catalog.index;
    let outermost = top(index, id);
    let here = model.modules.scope();
    // A selection of the whole repository is not kept, since its list does not show which module holds a definition.
    let here_module = here.filter(|scope| matches!(scope, Scope::Module(_)));
    let shown = [asked, here_module, catalog.public_home(id)]
        .into_iter()
        .flatten()
        .find(|scope| catalog.listed(*scope, false).contains(&outermost))
        .unwrap_or(Scope::Module(index.definition(id).module));
    if let Scope::Module(module) = shown
        && here != Some(shown)
    {
        reveal_module(model, catalog, module);
    }
    model.has_private |=
        !std::iter::successors(Some(id), |id| index.definition(*id).parent).all(|id| index.definition(id).is_public);
    model.symbols.state.filter.clear();
    model.symbols.list(catalog, shown, model.has_private);
    model.symbols.reveal(catalog, id);
    model.symbols.rebuild(catalog, model.has_private);
    model.focus = Pane::Symbols;
    model.subject = Pane::Symbols;
}

/// The definition at module level that contains a definition; the definition itself if it is at module level.
fn top(index: &Index, id: DefinitionId) -> DefinitionId {
    std::iter::successors(Some(id), |id| index.definition(*id).parent).last().unwrap_or(id)
}
