//! Values that pytest gives to tests and fixtures: the arguments of `@pytest.mark.parametrize`, `request.param` in a
//! fixture with `params`, and `request.getfixturevalue("name")`.

use super::{
    linker::Linker,
    parameters::is_fixture,
    program::{FileIndex, GlobalDef},
    types::TypeId,
};
use apidisc_facts::syntax::python::facts::{BindingKind, CallExpr, Def, Expr, ExprId, Extraction, FileFacts};

/// The greatest number of rows of a `parametrize` whose values are joined.
const MAX_ROWS: usize = 32;

impl Linker<'_> {
    /// The type of the values that `@pytest.mark.parametrize` passes to a parameter of a test. `None` if no decorator
    /// names the parameter, and unless every value has a type that the sources define.
    pub(super) fn parametrized_type(&mut self, def: GlobalDef, position: usize) -> Option<TypeId> {
        let file = self.program.file_of(def);
        let facts = self.program.facts(file);
        let row = self.program.def(def);
        if row.decorators.is_empty() || !facts.name(row.name).starts_with("test") {
            return None;
        }
        let parameter = facts.name(row.function()?.parameters.get(position)?.name);
        let (site, at, names) = parametrization(facts, row, parameter)?;
        let values = values_of(facts, site, at, names)?;
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

    /// The type of `request.param` in a fixture: that of the values that its decorator lists in `params`.
    pub(super) fn fixture_parameter(&mut self, file: FileIndex, receiver: ExprId) -> Option<TypeId> {
        let facts = self.program.facts(file);
        let &BindingKind::Parameter(fixture, position) = facts.only_binding(receiver)? else { return None };
        let row = facts.def(fixture);
        if facts.name(row.function()?.parameters.get(position as usize)?.name) != "request" {
            return None;
        }
        let params = row.decorators.iter().filter(|(_, text)| is_fixture(text)).find_map(|(decorator, _)| {
            let Expr::Call(site) = facts.expr(*decorator) else { return None };
            let arguments = &facts.calls[site.index()].arguments;
            arguments.iter().find(|argument| argument.keyword.is_some_and(|keyword| facts.name(keyword) == "params"))
        })?;
        let values = rows_of(facts, params.value, 0, 1)?;
        self.union_of_values(file, values)
    }

    /// True if a decorator passes values under this name to a test, instead of the fixture of the name.
    pub(super) fn is_parametrized(&self, def: GlobalDef, name: &str) -> bool {
        parametrization(self.program.facts(self.program.file_of(def)), self.program.def(def), name).is_some()
    }

    /// The type of `request.getfixturevalue("name")` in a test or fixture.
    pub(super) fn requested_value(&mut self, file: FileIndex, site: &CallExpr) -> Option<TypeId> {
        let facts = self.program.facts(file);
        if facts.attribute_name(site.callee) != Some("getfixturevalue") {
            return None;
        }
        let Expr::Str(Some(name)) = facts.expr(site.arguments.first()?.value) else { return None };
        let test = self.program.global_def(file, site.caller?);
        let fixture = self.nearest_fixture(test, self.program.global_name(file, name))?;
        self.fixture_value(fixture)
    }
}

/// The decorator `parametrize` of a test that passes values to a parameter, with the position of the parameter among
/// the names of the decorator, and the number of these names. With `indirect`, the values are those of fixtures.
fn parametrization<'f>(facts: &'f FileFacts, test: &Def, parameter: &str) -> Option<(&'f CallExpr, usize, usize)> {
    test.decorators.iter().find_map(|(decorator, _)| {
        let Expr::Call(site) = facts.expr(*decorator) else { return None };
        let site = &facts.calls[site.index()];
        let is_indirect = || site.arguments.iter().any(|a| a.keyword.is_some_and(|k| facts.name(k) == "indirect"));
        if !facts.is_named(site.callee, "parametrize") || is_indirect() {
            return None;
        }
        let names = names_of(facts, site.arguments.first()?.value)?;
        Some((site, names.iter().position(|name| *name == parameter)?, names.len()))
    })
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

/// The values of a parameter in the rows of `parametrize("a, b", [(1, 2), pytest.param(3, 4)])`. `None` if its rows are
/// no literal.
fn values_of(facts: &FileFacts, site: &CallExpr, at: usize, names: usize) -> Option<Vec<ExprId>> {
    rows_of(facts, site.arguments.get(1)?.value, at, names)
}

/// The values at a position of the rows of a list, or of a variable of the module that holds one.
fn rows_of(facts: &FileFacts, rows: ExprId, at: usize, names: usize) -> Option<Vec<ExprId>> {
    let rows = match facts.only_binding(rows) {
        Some(BindingKind::Assign { value: Some(value), unpack, extraction: Extraction::Value, .. })
            if unpack.is_empty() =>
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
