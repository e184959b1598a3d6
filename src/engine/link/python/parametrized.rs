//! Values that pytest gives to tests and fixtures: the arguments of `@pytest.mark.parametrize`, `request.param` in a
//! fixture with `params` or with `indirect` arguments, and `request.getfixturevalue("name")`.

use smallvec::SmallVec;

use super::{
    linker::Linker,
    parameters::is_fixture,
    program::{FileIndex, GlobalDef, GlobalName, Program},
    types::TypeId,
};
use apidisc_facts::syntax::python::facts::{BindingKind, CallExpr, Expr, ExprId, Extraction, FileFacts};

/// The greatest number of rows of a `parametrize` whose values are joined.
const MAX_ROWS: usize = 32;

impl<'f> Linker<'f> {
    /// The type of the values that `@pytest.mark.parametrize` passes to a parameter of a test. `None` if no decorator
    /// names the parameter, and unless every value has a type that the sources define.
    pub(super) fn parametrized_type(&mut self, def: GlobalDef, position: usize) -> Option<TypeId> {
        let file = self.program.file_of(def);
        let facts = self.program.facts(file);
        let row = self.program.def(def);
        if !facts.name(row.name).starts_with("test") {
            return None;
        }
        let parameter = facts.name(row.function()?.parameters.get(position)?.name);
        let parametrization = self.parametrization(def, parameter).filter(|found| !found.is_indirect)?;
        let values = parametrization.values(facts)?;
        self.union_of_values(file, values)
    }

    /// The union of the types of values. `None` unless every value has a type that the sources define.
    fn union_of_values(&mut self, file: FileIndex, values: Vec<ExprId>) -> Option<TypeId> {
        let mut types = Vec::with_capacity(values.len());
        for value in values {
            types.push(self.expr_type(file, value));
        }
        let is_known = !types.is_empty() && types.iter().all(|&ty| self.is_defined_in_sources(ty));
        is_known.then(|| self.types.union(types)).filter(|&ty| ty != TypeId::NONE)
    }

    /// The type of `request.param` in a fixture of pytest: the union of the types of the values in
    /// `@pytest.fixture(params=[…])` and of the values that tests pass to the fixture by
    /// `@pytest.mark.parametrize(…, indirect=True)`.
    pub(super) fn fixture_parameter(&mut self, file: FileIndex, receiver: ExprId) -> Option<TypeId> {
        let facts = self.program.facts(file);
        let &BindingKind::Parameter(fixture, position) = facts.only_binding(receiver)? else { return None };
        let row = facts.def(fixture);
        if facts.name(row.function()?.parameters.get(position as usize)?.name) != "request" {
            return None;
        }
        let fixture_call = row.decorators.iter().filter(|(_, text)| is_fixture(text)).find_map(|(decorator, _)| {
            let Expr::Call(site) = facts.expr(*decorator) else { return None };
            Some(&facts.calls[site.index()])
        });
        let argument = |name| {
            let arguments = &fixture_call?.arguments;
            arguments.iter().find(|argument| argument.keyword.is_some_and(|keyword| facts.name(keyword) == name))
        };
        let mut types = Vec::new();
        if let Some(params) = argument("params") {
            let values = rows_of(facts, params.value, 0, 1)?;
            types.push(self.union_of_values(file, values)?);
        }
        let name = match argument("name").map(|name| facts.expr(name.value)) {
            Some(Expr::Str(Some(name))) => name,
            _ => row.name,
        };
        let fixture = self.program.global_def(file, fixture);
        for (test, values) in self.indirect_values(fixture, self.program.global_name(file, name)) {
            types.push(self.union_of_values(self.program.file_of(test), values?)?);
        }
        (!types.is_empty()).then(|| self.types.union(types))
    }

    /// The tests that pass values to a fixture, each with the values; `None` for values that are not listed.
    fn indirect_values(&mut self, fixture: GlobalDef, name: GlobalName) -> Vec<(GlobalDef, Option<Vec<ExprId>>)> {
        let mut tests = self.indirect_tests.get(&name).cloned().unwrap_or_default();
        tests.retain(|test| self.nearest_fixture(*test, name) == Some(fixture));
        let text = self.program.interner.text(name);
        let values =
            |test: GlobalDef| self.parametrization(test, text)?.values(self.program.facts(self.program.file_of(test)));
        tests.into_iter().map(|test| (test, values(test))).collect()
    }

    /// Notes that a test passes values to fixtures, under the names of the fixtures.
    pub(super) fn collect_indirect_values(&mut self, test: GlobalDef) {
        let facts = self.program.facts(self.program.file_of(test));
        let mut names: SmallVec<[&str; 2]> = SmallVec::new();
        for site in parametrize_calls(&self.program, test) {
            let listed = site.arguments.first().and_then(|names| names_of(facts, names.value)).unwrap_or_default();
            names.extend(listed.into_iter().filter(|name| is_indirect(facts, site, name)));
        }
        for name in names {
            let name = self.program.interner.intern(name);
            self.indirect_tests.entry(name).or_default().push(test);
        }
    }

    /// True if a decorator passes values under this name to a test, instead of the fixture of the name.
    pub(super) fn is_parametrized(&self, def: GlobalDef, name: &str) -> bool {
        self.parametrization(def, name).is_some_and(|found| !found.is_indirect)
    }

    /// The type of `request.getfixturevalue("name")` in a test or fixture. The name may also be one of those that
    /// `parametrize` passes to the test.
    pub(super) fn requested_value(&mut self, file: FileIndex, site: &CallExpr) -> Option<TypeId> {
        let facts = self.program.facts(file);
        if facts.attribute_name(site.callee) != Some("getfixturevalue") {
            return None;
        }
        let requester = self.program.global_def(file, site.caller?);
        let argument = site.arguments.first()?.value;
        let names = match facts.only_binding(argument) {
            Some(&BindingKind::Parameter(test, at)) => {
                let parameter = facts.def(test).function()?.parameters.get(at as usize)?;
                let found = self.parametrization(self.program.global_def(file, test), facts.name(parameter.name))?;
                found.values(facts)?
            }
            _ => vec![argument],
        };
        let mut types = Vec::with_capacity(names.len());
        for name in names {
            let Expr::Str(Some(name)) = facts.expr(name) else { return None };
            let fixture = self.nearest_fixture(requester, self.program.global_name(file, name))?;
            types.push(self.fixture_value(fixture)?);
        }
        (!types.is_empty()).then(|| self.types.union(types))
    }

    /// The decorator `parametrize` of a test, or of its class, that passes values under a name.
    fn parametrization(&self, test: GlobalDef, parameter: &str) -> Option<Parametrization<'f>> {
        let facts = self.program.facts(self.program.file_of(test));
        parametrize_calls(&self.program, test).find_map(|site| {
            let names = names_of(facts, site.arguments.first()?.value)?;
            let at = names.iter().position(|name| *name == parameter)?;
            Some(Parametrization { site, at, names: names.len(), is_indirect: is_indirect(facts, site, parameter) })
        })
    }
}

/// The decorators `parametrize` of a test and of its class.
fn parametrize_calls<'f>(program: &Program<'f>, test: GlobalDef) -> impl Iterator<Item = &'f CallExpr> {
    let facts = program.facts(program.file_of(test));
    let class = program.owner(test).map(|class| program.class_facts(class).1);
    let decorators = std::iter::once(program.def(test)).chain(class).flat_map(|def| &def.decorators);
    decorators.filter_map(|(decorator, _)| {
        let Expr::Call(site) = facts.expr(*decorator) else { return None };
        Some(&facts.calls[site.index()]).filter(|site| facts.is_named(site.callee, "parametrize"))
    })
}

/// A decorator `parametrize` that passes values under a name.
struct Parametrization<'f> {
    site: &'f CallExpr,
    /// The position of the name among the names of the decorator, and their number.
    at: usize,
    names: usize,
    /// The values are the `request.param` of the fixture of this name.
    is_indirect: bool,
}

impl Parametrization<'_> {
    /// The values under the name in `parametrize("a, b", [(1, 2), pytest.param(3, 4)])`. `None` if its rows are no
    /// literal.
    fn values(&self, facts: &FileFacts) -> Option<Vec<ExprId>> {
        rows_of(facts, self.site.arguments.get(1)?.value, self.at, self.names)
    }
}

/// Whether `parametrize` passes the values of a name to the fixture of the name: by `indirect=True`, or by
/// `indirect=["name"]`. Any other expression counts as `True`; `False` is the default, so hardly anybody writes it.
fn is_indirect(facts: &FileFacts, site: &CallExpr, name: &str) -> bool {
    let is_named = |keyword| facts.name(keyword) == "indirect";
    let named = site.arguments.iter().find(|argument| argument.keyword.is_some_and(is_named));
    let third = site.arguments.get(2).filter(|argument| argument.keyword.is_none());
    let Some(argument) = named.or(third) else { return false };
    match names_of(facts, argument.value) {
        Some(names) => names.contains(&name),
        None => true,
    }
}

/// The names that the first argument of `parametrize` lists.
fn names_of(facts: &FileFacts, names: ExprId) -> Option<Vec<&str>> {
    Some(match facts.expr(names) {
        Expr::Str(Some(names)) => facts.name(names).split(',').map(str::trim).filter(|name| !name.is_empty()).collect(),
        Expr::List(names) | Expr::Tuple(names) => {
            let name = |expr: &ExprId| match facts.expr(*expr) {
                Expr::Str(Some(name)) => Some(facts.name(name)),
                _ => None,
            };
            facts.list(names).iter().map(name).collect::<Option<_>>()?
        }
        _ => return None,
    })
}

/// The values at a position of the rows of a list, or of a variable of the module that holds one.
fn rows_of(facts: &FileFacts, rows: ExprId, at: usize, names: usize) -> Option<Vec<ExprId>> {
    let rows = match facts.only_binding(rows) {
        Some(BindingKind::Assign { value: Some(value), unpack, extraction: Extraction::Value, .. })
            if unpack.is_none() =>
        {
            *value
        }
        _ => rows,
    };
    let (Expr::List(rows) | Expr::Tuple(rows)) = facts.expr(rows) else { return None };
    let value = |row: &ExprId| match facts.expr(*row) {
        Expr::Call(site) if facts.is_named(facts.calls[site.index()].callee, "param") => {
            facts.calls[site.index()].arguments.get(at).map(|argument| argument.value)
        }
        Expr::List(items) | Expr::Tuple(items) if names > 1 => facts.list(items).get(at).copied(),
        _ if names > 1 => None,
        _ => Some(*row),
    };
    facts.list(rows).iter().take(MAX_ROWS).map(value).collect()
}
