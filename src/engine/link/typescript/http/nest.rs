//! Routes of `NestJS`: controllers, and the settings of the application for their paths.

use compact_str::{CompactString, format_compact};

use super::{HttpReader, objects::HttpObject};
use crate::typescript::program::FileIndex;
use crate::{
    http::{self, METHODS, Text, Value},
    linked::LinkedRoute,
};
use apidisc_facts::syntax::typescript::facts::{CallExprId, DefId, Expr, ExprId, MemberKind};

/// The settings of an application for the paths of all its controllers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct NestSettings {
    /// The path above all routes: `app.setGlobalPrefix("api")`.
    prefix: Text,
    /// The routes that are not below the prefix.
    excluded: Vec<CompactString>,
    /// The text before the version in a path (`app.enableVersioning()`); `None` if paths contain no version.
    version_prefix: Option<CompactString>,
    /// The version of each route whose decorators name no version.
    default_version: Option<CompactString>,
}

/// The settings of the applications, each with the folder of the file that makes them.
pub(super) type NestApplications = Vec<(CompactString, NestSettings)>;

/// A decorator of `NestJS`.
struct NestDecorator {
    name: CompactString,
    /// The paths in the decorator; a single empty path if the decorator has no path.
    paths: Vec<Text>,
    /// The versions in the decorator.
    versions: Vec<CompactString>,
}

impl HttpReader<'_, '_> {
    /// The settings of all applications.
    pub(super) fn nest_settings(&mut self, files: usize) -> NestApplications {
        let mut applications = NestApplications::default();
        for index in 0..files {
            let file = FileIndex::new(index);
            let mut settings = NestSettings::default();
            for at in 0..self.linker.program.facts(file).calls.len() {
                self.add_setting(file, CallExprId::new(at), &mut settings);
            }
            if settings != NestSettings::default() {
                let path = self.linker.resolver.path(index);
                let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
                applications.push((folder.into(), settings));
            }
        }
        applications
    }

    /// Adds the settings that a call of `setGlobalPrefix` or `enableVersioning` makes.
    fn add_setting(&mut self, file: FileIndex, site: CallExprId, settings: &mut NestSettings) {
        let facts = self.linker.program.facts(file);
        let Expr::Property { object, name, .. } = facts.expr(facts.site(site).callee) else { return };
        let name = facts.name(name);
        if !matches!(name, "setGlobalPrefix" | "enableVersioning") {
            return;
        }
        self.linker.budget.begin_query();
        let Some(HttpObject::Instance { path, .. }) = self.http_object(file, object, 0) else { return };
        if !http::is_nest_application(&path) {
            return;
        }
        let first = self.passed_values(file, site).into_iter().next().map_or(Value::Nothing, |passed| passed.value);
        if name == "setGlobalPrefix" {
            settings.prefix = first.into_text();
            let options = facts.site(site).arguments.get(1).map(|argument| argument.value);
            if let Some((file, excluded)) = options.and_then(|options| self.option(file, options, "exclude")) {
                settings.excluded =
                    self.listed_texts(file, excluded).iter().map(|path| http::route_path(path)).collect();
            }
            return;
        }
        // The type of versioning is a member of an enumeration, which is URI by default.
        let options = facts.site(site).arguments.first().map(|argument| argument.value);
        let is_in_path = match options.map(|options| self.option(file, options, "type")) {
            None => true,
            Some(None) => matches!(first, Value::Object(_)),
            Some(Some((file, value))) => {
                let facts = self.linker.program.facts(file);
                matches!(facts.expr(value), Expr::Property { name, .. } if facts.name(name) == "URI")
            }
        };
        if is_in_path {
            let prefix = first.entry("prefix").and_then(Value::known_text);
            settings.version_prefix = Some(prefix.unwrap_or_else(|| CompactString::const_new("v")));
            settings.default_version = first.entry("defaultVersion").and_then(Value::known_text);
        }
    }

    /// Adds the routes of a class with `@Controller("path")`, whose methods have `@Get(":id")`.
    pub(super) fn add_controller(
        &mut self,
        file: FileIndex,
        class: DefId,
        applications: &NestApplications,
        routes: &mut Vec<LinkedRoute>,
    ) {
        let facts = self.linker.program.facts(file);
        let row = facts.def(class);
        if row.class().is_none() || row.decorators.is_empty() {
            return;
        }
        self.linker.budget.begin_query();
        let mut of_class: Vec<NestDecorator> = Vec::new();
        for (decorator, _) in &row.decorators {
            of_class.extend(self.nest_decorator(file, *decorator));
        }
        let Some(controller) = of_class.iter().find(|decorator| decorator.name == "Controller") else { return };
        let settings = settings_of(applications, self.linker.resolver.path(file.index())).unwrap_or_default();
        for member in row.members() {
            let MemberKind::Function(method) = member.kind else { continue };
            let mut of_method: Vec<NestDecorator> = Vec::new();
            for (decorator, _) in &facts.def(method).decorators {
                of_method.extend(self.nest_decorator(file, *decorator));
            }
            let version =
                |list: &[NestDecorator]| list.iter().find(|d| d.name == "Version").map(|d| d.versions.clone());
            let own = version(&of_method).or_else(|| version(&of_class)).unwrap_or_else(|| controller.versions.clone());
            let versions = settings.versions(&own);
            let handler = self.rows.of_def.get(&self.linker.program.global_def(file, method)).copied();
            for decorator in &of_method {
                let name = decorator.name.to_ascii_lowercase();
                if name != "all" && !METHODS.contains(&name.as_str()) {
                    continue;
                }
                let method = (name != "all").then(|| name.to_ascii_uppercase());
                for version in &versions {
                    for prefix in &controller.paths {
                        for path in &decorator.paths {
                            let below = http::joined(prefix.clone(), path.clone());
                            let is_excluded = settings.excluded.contains(&http::route_path(&below.template()));
                            let above = if is_excluded { Text::default() } else { settings.prefix.clone() };
                            let above = http::joined(above, version.clone());
                            let path = http::route_path(&http::joined(above, below).template());
                            routes.push(LinkedRoute { line: member.line, method: method.clone(), path, handler });
                        }
                    }
                }
            }
        }
    }

    /// A decorator of `NestJS`, with the paths and versions that it names.
    fn nest_decorator(&mut self, file: FileIndex, decorator: ExprId) -> Option<NestDecorator> {
        let facts = self.linker.program.facts(file);
        let Expr::Call(site) = facts.expr(decorator) else { return None };
        let callee = facts.site(site).callee;
        let HttpObject::Outside(path) = self.http_object(file, callee, 0)? else { return None };
        let name = CompactString::new(path.strip_prefix("@nestjs/common#")?);
        let mut decorator = NestDecorator { name, paths: Vec::new(), versions: Vec::new() };
        if let Some(argument) = facts.site(site).arguments.first() {
            let (origin, value) = self.value_origin(file, argument.value);
            if let Expr::Object(def) = self.linker.program.facts(origin).expr(value) {
                let facts = self.linker.program.facts(origin);
                for member in facts.def(def).members() {
                    let (Some(name), MemberKind::Property { value: Some((value, _)), .. }) =
                        (member.name, &member.kind)
                    else {
                        continue;
                    };
                    match facts.name(name) {
                        "path" => decorator.paths = self.paths(origin, *value),
                        "version" => decorator.versions = self.listed_texts(origin, *value),
                        _ => {}
                    }
                }
            } else if decorator.name == "Version" {
                decorator.versions = self.listed_texts(file, argument.value);
            } else {
                decorator.paths = self.paths(file, argument.value);
            }
        }
        if decorator.paths.is_empty() {
            decorator.paths.push(Text::default());
        }
        Some(decorator)
    }

    /// The paths of a list, or the only path that an expression is.
    fn paths(&mut self, file: FileIndex, expr: ExprId) -> Vec<Text> {
        let (origin, value) = self.value_origin(file, expr);
        match self.linker.program.facts(origin).expr(value) {
            Expr::Array(_) => self.listed_texts(origin, value).iter().map(|path| Text::literal(path)).collect(),
            _ => vec![self.literal_value(file, expr, None, 0).into_text()],
        }
    }
}

impl NestSettings {
    /// The path segments of the versions of a route; a single empty text if paths contain no version.
    fn versions(&self, versions: &[CompactString]) -> Vec<Text> {
        let versions = if versions.is_empty() { self.default_version.as_slice() } else { versions };
        match &self.version_prefix {
            Some(before) if !versions.is_empty() => {
                versions.iter().map(|own| Text::literal(&format_compact!("{before}{own}"))).collect()
            }
            _ => vec![Text::default()],
        }
    }
}

/// The settings of the application that a file belongs to: the one in the nearest folder around it.
fn settings_of(applications: &NestApplications, path: &str) -> Option<NestSettings> {
    let is_around =
        |folder: &str| folder.is_empty() || path.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'));
    let around = applications.iter().filter(|(folder, _)| is_around(folder));
    let nearest = around.clone().map(|(folder, _)| folder.len()).max()?;
    let mut nearest = around.filter(|(folder, _)| folder.len() == nearest).map(|(_, settings)| settings);
    let first = nearest.next()?;
    // If the applications in a folder have different settings, the settings of a controller there are unknown.
    nearest.all(|other| other == first).then(|| first.clone())
}
