//! Fixtures of pytest: a test has a parameter with the name of a fixture, and pytest calls the fixture and passes its
//! result. Code never calls a fixture itself.

use apidisc_base::{language::Language, unprintable::escaped_line};
use apidisc_facts::{program::DefinitionId, source::Origin};
use apidisc_indexing::index::{Definition, Index};
use rustc_hash::FxHashMap;

/// The number of functions of tests that take each fixture, by its name.
pub(crate) struct FixtureUses<'i>(FxHashMap<&'i str, u32>);

impl<'i> FixtureUses<'i> {
    pub(crate) fn new(index: &'i Index) -> Self {
        let fixtures = index.definitions.iter().filter(|definition| is_fixture(definition));
        let mut uses: FxHashMap<&str, u32> = fixtures.map(|fixture| (fixture.name.as_str(), 0)).collect();
        if uses.is_empty() {
            return Self(uses);
        }
        for taker in index.definitions.iter().filter(|taker| index.file(taker.place.file).origin == Origin::Tests) {
            for parameter in taker.signature.iter().flat_map(|signature| &signature.parameters) {
                if let Some(count) = uses.get_mut(parameter.name.as_str()) {
                    *count += 1;
                }
            }
        }
        Self(uses)
    }

    /// The number of functions that take a fixture; 0 for another definition.
    pub(crate) fn of(&self, definition: &Definition) -> u32 {
        if self.0.is_empty() || !is_fixture(definition) {
            return 0;
        }
        self.0.get(definition.name.as_str()).copied().unwrap_or_default()
    }
}

/// The line that says of a fixture which tests take it; `None` for another definition.
pub(super) fn fixture_line(index: &Index, id: DefinitionId) -> Option<String> {
    let fixture = index.definition(id);
    if !is_fixture(fixture) {
        return None;
    }
    let takes = |other: &&Definition| {
        let signature = other.signature.as_ref().filter(|_| index.file(other.place.file).origin == Origin::Tests);
        signature.is_some_and(|signature| signature.parameters.iter().any(|one| one.name == fixture.name))
    };
    let mut takers = index.definitions.iter().filter(takes);
    let first = takers.next().map(|first| format!(", the first is {}", escaped_line(&first.name)));
    let count = usize::from(first.is_some()) + takers.count();
    let functions = if count == 1 { "function of tests takes" } else { "functions of tests take" };
    let name = escaped_line(&fixture.name);
    Some(format!("Fixture of pytest: {count} {functions} it as a parameter {name}{}", first.unwrap_or_default()))
}

fn is_fixture(definition: &Definition) -> bool {
    let is_fixture = |decorator: &str| {
        let name = decorator.split('(').next().unwrap_or(decorator).trim();
        matches!(name, "fixture" | "pytest.fixture" | "pytest_asyncio.fixture")
    };
    definition.language == Language::Python && definition.decorators.iter().any(|decorator| is_fixture(decorator))
}
