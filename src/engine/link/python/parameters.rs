//! Types of parameters inside their function: annotated, inherited from an overridden method, provided by a pytest
//! fixture, propagated from calls, or taken from the default.

use smallvec::SmallVec;

use super::{
    limits::MAX_INHERITED,
    linker::Linker,
    mro_table::Ancestor,
    program::{ClassId, FileIndex, GlobalDef, GlobalName},
    types::{Type, TypeId},
};
use apidisc_facts::{
    program::ParameterKind,
    syntax::python::facts::{BindingKind, DefBody, DefId, Expr},
};

impl Linker<'_> {
    /// The type of a parameter inside its function.
    pub(super) fn parameter_type(&mut self, def: GlobalDef, position: usize) -> TypeId {
        let file = self.program.file_of(def);
        let Some(function) = self.program.function(def) else { return TypeId::UNKNOWN };
        let parameter = &function.parameters[position];
        if let Some((declaring, annotation, text)) = self.parameter_annotation(def, position) {
            let is_unpacked = is_unpacked(text);
            let mut ty = self.annotation_type(declaring, annotation);
            if let Some(owner) = self.program.owner(def) {
                let receiver = self.types.instance(owner);
                ty = self.bind_self_type(ty, receiver);
            }
            return match parameter.kind {
                // `*args: *Ts` is a tuple of the types that `Ts` stands for (PEP 646).
                ParameterKind::VarPositional if self.unpacked_variable(ty).is_some() => {
                    self.types.add(Type::Tuple([ty].into()))
                }
                ParameterKind::VarPositional => self.external_instance("tuple", &[ty]),
                // The typed dict of all keywords (PEP 692).
                ParameterKind::VarKeyword if is_unpacked => ty,
                ParameterKind::VarKeyword => {
                    let key = self.external_instance("str", &[]);
                    self.external_instance("dict", &[key, ty])
                }
                _ => ty,
            };
        }
        match parameter.kind {
            ParameterKind::VarPositional => return self.external_instance("tuple", &[]),
            ParameterKind::VarKeyword => return self.external_instance("dict", &[]),
            _ => {}
        }
        if let Some(owner) = self.program.owner(def) {
            let is_static = self.program.is_decorated(def, &["staticmethod"]);
            if position == 0 && !is_static {
                let name = self.program.name_of(def);
                let on_class = self.program.is_decorated(def, &["classmethod"])
                    || matches!(name, "__new__" | "__init_subclass__" | "__class_getitem__");
                // This also holds for methods of a metaclass: their receiver is a class, which is an instance of the
                // metaclass.
                return if on_class { self.types.class(owner) } else { self.types.instance(owner) };
            }
            if let Some(inherited) = self.inherited_parameter_type(owner, def, position) {
                return inherited;
            }
        }
        if let Some(provided) = self.parametrized_type(def, position).or_else(|| self.fixture_type(def, position)) {
            return provided;
        }
        if let Some(&propagated) = self.propagated_types.get(&(def, position)) {
            return propagated;
        }
        match &parameter.default {
            Some((default, _)) => {
                let ty = self.expr_type(file, *default);
                // Before the first propagation the types of the arguments are unknown, and the type of the default may
                // differ from them.
                let is_waiting = !self.has_propagated && self.has_open_default(parameter, file);
                if ty == TypeId::NONE || is_waiting && self.is_defined_in_sources(ty) { TypeId::UNKNOWN } else { ty }
            }
            None => TypeId::UNKNOWN,
        }
    }

    /// The annotated type of the parameter in the method that `def` overrides.
    pub(super) fn inherited_parameter_type(
        &mut self,
        owner: ClassId,
        def: GlobalDef,
        position: usize,
    ) -> Option<TypeId> {
        let name = self.program.interner.intern(self.program.name_of(def));
        let parameter = &self.program.function(def)?.parameters[position];
        let parameter_name = self.program.facts(self.program.file_of(def)).name(parameter.name);
        let mro = self.mro(owner);
        let bases: SmallVec<[ClassId; 8]> = self.mro_table.classes(mro).skip(1).take(MAX_INHERITED).collect();
        for base in bases {
            let (file, base_def, _) = self.program.class_facts(base);
            let facts = self.program.facts(file);
            let Some(&last) = self.program.bindings(file, base_def.scope, name).last() else { continue };
            let BindingKind::Def(overridden) = facts.bindings[last.index()].kind else { return None };
            let parameters = &facts.def(overridden).function()?.parameters;
            parameters.get(position).filter(|p| facts.name(p.name) == parameter_name && p.kind == parameter.kind)?;
            let overridden = self.program.global_def(file, overridden);
            let (file, annotation, _) = self.parameter_annotation(overridden, position)?;
            let ty = self.annotation_type(file, annotation);
            return (!ty.is_unknown()).then_some(ty);
        }
        None
    }

    /// Collects pytest fixtures under the names that tests request, and the tests that pass values to them.
    pub(super) fn collect_fixtures(&mut self) {
        let mut tests: Vec<GlobalDef> = Vec::new();
        for (i, file) in self.program.files.iter().enumerate() {
            let file_index = FileIndex::new(i);
            for (d, def) in file.facts.definitions.iter().enumerate() {
                if file.facts.name(def.name).starts_with("test") {
                    tests.push(self.program.global_def(file_index, DefId::new(d)));
                }
                let fixture = def.decorators.iter().find(|(_, text)| is_fixture(text));
                let (Some((decorator, _)), DefBody::Function(_)) = (fixture, &def.body) else { continue };
                let mut name = self.program.global_name(file_index, def.name);
                if let Expr::Call(site) = file.facts.expr(*decorator) {
                    let name_argument = file.facts.calls[site.index()]
                        .arguments
                        .iter()
                        .find(|a| a.keyword.is_some_and(|k| file.facts.name(k) == "name"));
                    if let Some(Expr::Str(Some(text))) = name_argument.map(|a| file.facts.expr(a.value)) {
                        name = self.program.global_name(file_index, text);
                    }
                }
                let def = self.program.global_def(file_index, DefId::new(d));
                self.fixtures.entry(name).or_default().push(def);
            }
        }
        for test in tests {
            self.collect_indirect_values(test);
        }
    }

    /// The type of the value of [`Self::requested_fixture`].
    fn fixture_type(&mut self, def: GlobalDef, position: usize) -> Option<TypeId> {
        let fixture = self.requested_fixture(def, position)?;
        self.fixture_value(fixture)
    }

    /// The type of the value of a fixture.
    pub(super) fn fixture_value(&mut self, fixture: GlobalDef) -> Option<TypeId> {
        let ty = self.return_type(fixture);
        // The value of a generator fixture is the value that it yields.
        let function = self.program.function(fixture)?;
        Some(if function.is_generator { self.any_iteration_type(ty) } else { self.awaited_if_awaitable(ty) })
    }

    /// The pytest fixture that a parameter of a test or fixture requests by its name. The fixture is searched for in
    /// the class and its bases, then in the file, then in the `conftest.py` of the file's folder and of each folder
    /// above.
    pub(super) fn requested_fixture(&mut self, def: GlobalDef, position: usize) -> Option<GlobalDef> {
        let file = self.program.file_of(def);
        let facts = self.program.facts(file);
        let row = self.program.def(def);
        let is_requester =
            facts.name(row.name).starts_with("test") || row.decorators.iter().any(|(_, t)| is_fixture(t));
        if !is_requester {
            return None;
        }
        self.nearest_fixture(def, self.program.global_name(file, row.function()?.parameters[position].name))
    }

    /// The fixture of a name that a function of a test file gets.
    pub(super) fn nearest_fixture(&mut self, def: GlobalDef, name: GlobalName) -> Option<GlobalDef> {
        if !self.fixtures.contains_key(&name) || self.is_parametrized(def, self.program.interner.text(name)) {
            return None;
        }
        match self.inherited_fixture(def, name) {
            InheritedFixture::None => {}
            InheritedFixture::Known(fixture) => return Some(fixture),
            InheritedFixture::Unknown => return None,
        }
        let file = self.program.file_of(def);
        let path = &self.program.files[file.index()].path;
        let nearest = self.fixtures.get(&name)?.iter().copied().filter(|&f| f != def).filter_map(|fixture| {
            let other = self.program.file_of(fixture);
            let other_path = &self.program.files[other.index()].path;
            let distance = if self.program.owner(fixture).is_some() {
                return None;
            } else if other == file {
                usize::MAX
            } else {
                let folder = other_path.strip_suffix("conftest.py")?;
                path.starts_with(folder).then_some(folder.len())?
            };
            Some((distance, fixture))
        });
        nearest.max_by_key(|&(distance, _)| distance).map(|(_, fixture)| fixture)
    }

    /// The fixture of a name that the class of a method defines, or the nearest of its bases.
    fn inherited_fixture(&mut self, method: GlobalDef, name: GlobalName) -> InheritedFixture {
        let Some(class) = self.program.owner(method) else { return InheritedFixture::None };
        let fixtures = self.fixtures.get(&name).into_iter().flatten().filter(|&&fixture| fixture != method);
        let in_classes: Vec<(ClassId, GlobalDef)> =
            fixtures.filter_map(|fixture| Some((self.program.owner(*fixture)?, *fixture))).collect();
        if in_classes.is_empty() {
            return InheritedFixture::None;
        }
        let mro = self.mro(class);
        let mut has_unknown = false;
        for ancestor in self.mro_table.iter(mro) {
            match ancestor {
                Ancestor::Class(class, _) => {
                    // The last of several definitions in a class is the one that the class has.
                    if let Some((_, fixture)) = in_classes.iter().rfind(|(owner, _)| owner == class) {
                        let known = InheritedFixture::Known(*fixture);
                        return if has_unknown { InheritedFixture::Unknown } else { known };
                    }
                }
                Ancestor::Unknown(_) => has_unknown = true,
                Ancestor::External(_) => {}
            }
        }
        InheritedFixture::None
    }
}

/// What the class of a method and its bases say of a fixture.
enum InheritedFixture {
    /// None of them defines it.
    None,
    /// The nearest class that defines it has this one.
    Known(GlobalDef),
    /// A base that cannot be resolved may define it before the one that does.
    Unknown,
}

/// True for the annotation `Unpack[T]`.
fn is_unpacked(annotation: &str) -> bool {
    annotation.split('[').next().is_some_and(|head| head.rsplit('.').next() == Some("Unpack"))
}

/// True for the text of a decorator that makes a function a fixture of pytest.
pub(super) fn is_fixture(decorator: &str) -> bool {
    let path = decorator.split('(').next().unwrap_or(decorator).trim();
    matches!(path, "pytest.fixture" | "fixture" | "pytest_asyncio.fixture")
}
