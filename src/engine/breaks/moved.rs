//! Where a name of a Python package went that its module no longer has.

use crate::{modules, presence::Presence, replacement, statements, versions::Versions};
use apidisc_link::python::is_standard_library;

/// The full name to use instead of `name`, a name of a module of the old version: what it was another name of, where
/// the old module took it from, what a message of either version advises, or the same name in another module.
pub(crate) fn instead(versions: &Versions<'_>, name: &str) -> Option<String> {
    let (module, last) = name.rsplit_once('.')?;
    let is_there = |name: &str| versions.new.presence(name) == Presence::Present || is_bound(versions, name);
    let old_text = versions.old.module_text(module);
    if let Some(text) = &old_text {
        let beside = modules::other_name(text, last).map(|other| format!("{module}.{other}"));
        if let Some(beside) = beside.filter(|name| is_there(name)) {
            return Some(beside);
        }
        let package = first_part(module);
        let elsewhere = modules::imported_name(text, last).filter(|name| first_part(name) != package);
        if elsewhere.is_some() {
            return elsewhere;
        }
    }
    let definition = versions.old.find(name).map(|id| versions.before.index.definition(id));
    let is_assigned = old_text.as_ref().is_some_and(|text| modules::assigns(text, last));
    let own_name = definition
        .filter(|definition| definition.name != last && !is_assigned)
        .map(|it| format!("{module}.{}", it.name));
    if let Some(beside) = own_name.filter(|name| is_there(name)) {
        return Some(beside);
    }
    let text_of_definition = definition.map(|definition| versions.text(false, definition));
    for text in text_of_definition.into_iter().chain(old_text) {
        // A name beside the old one, or a full name of another package or of one that is still there.
        let known = replacement::advised(&text, last).find_map(|advised| {
            let beside = format!("{module}.{advised}");
            if is_there(&beside) {
                return Some(beside);
            }
            let is_full = advised.contains('.') && (is_standard_library(first_part(&advised)) || is_there(&advised));
            is_full.then_some(advised)
        });
        if known.is_some() {
            return known;
        }
    }
    moved(versions, module, last)
}

/// The name of a member to use instead of a member of a class of the old version, as a message of the old module says.
pub(crate) fn instead_of_member(versions: &Versions<'_>, name: &str) -> Option<String> {
    let (class, last) = name.rsplit_once('.')?;
    let module = class.rsplit_once('.')?.0;
    let (old, new) = (versions.old.module_text(module)?, versions.new.module_text(module)?);
    let advised = replacement::advised(&old, last);
    let mut advised = advised.map(|name| name.rsplit('.').next().unwrap_or(&name).to_owned());
    advised.find(|name| statements::words(&new).any(|word| word == name))
}

/// The name in a module around the old one, or in a package that a message of the new version names.
fn moved(versions: &Versions<'_>, module: &str, last: &str) -> Option<String> {
    let above = module.match_indices('.').map(|(at, _)| &module[..at]);
    if let Some(above) =
        above.into_iter().rev().map(|above| format!("{above}.{last}")).find(|it| is_bound(versions, it))
    {
        return Some(above);
    }
    versions.new.texts_of_package(first_part(module)).find_map(|text| replacement::package_of(&text, last)).map(
        |package| {
            let package = package.replace('-', "_");
            format!("{package}.{last}")
        },
    )
}

/// True if a module of the new version defines or imports the name in which a path ends.
fn is_bound(versions: &Versions<'_>, name: &str) -> bool {
    let Some((module, last)) = name.rsplit_once('.') else { return false };
    versions.new.module_text(module).is_some_and(|text| modules::binds(&text, last))
}

fn first_part(name: &str) -> &str {
    name.split('.').next().unwrap_or(name)
}
