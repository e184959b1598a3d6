//! The HTTP methods that view classes handle, in Django, Django REST framework and Flask.

use compact_str::CompactString;

use super::{
    linker::Linker,
    mro_table::Ancestor,
    program::{ClassId, FileIndex, GlobalDef},
    types::Type,
};
use crate::http::{self, METHODS, Text};
use apidisc_facts::syntax::python::facts::{BindingKind, CallExprId, DefId, Expr, ExprId};

/// An HTTP method in capital letters, and the function or class that handles it. Without a method, the handler takes
/// all methods.
pub(super) type HandledMethod = (Option<CompactString>, Option<GlobalDef>);

/// A path relative to the path of a view set, with the HTTP method and its handler.
pub(super) type HandledPath = (Text, HandledMethod);

impl Linker<'_> {
    /// The view class that an expression names: `View.as_view()` or `View`.
    pub(super) fn view_class(&mut self, file: FileIndex, view: ExprId) -> Option<ClassId> {
        let facts = self.program.facts(file);
        let class = match facts.expr(view) {
            Expr::Call(site) => match facts.expr(facts.calls[site.index()].callee) {
                Expr::Attribute { value, name, .. } if facts.name(name) == "as_view" => value,
                _ => return None,
            },
            _ => view,
        };
        let class = self.expr_type(file, class);
        match *self.types.get(class) {
            Type::Class(class, _) => Some(class),
            _ => None,
        }
    }

    /// The HTTP methods that a view class handles: the methods of these names in the class and its bases.
    pub(super) fn handled_methods(&mut self, class: ClassId, fqns: &[CompactString]) -> Vec<HandledMethod> {
        let own = Some(self.program.class_def(class));
        let mut handled: Vec<HandledMethod> = Vec::new();
        let mro = self.mro(class);
        let ancestors: Vec<Ancestor> = self.mro_table.iter(mro).cloned().collect();
        for ancestor in ancestors {
            let known = match ancestor {
                Ancestor::Class(class, _) => {
                    for name in METHODS {
                        if let Some(def) = self.method_of(class, name) {
                            add(&mut handled, name, Some(def));
                        }
                    }
                    http::view_methods(&fqns[self.program.class_def(class).index()]).unwrap_or_default()
                }
                Ancestor::External(path) => match http::view_methods(self.program.interner.text(path)) {
                    Some(methods) => methods,
                    None if handled.is_empty() => return vec![(None, own)],
                    None => continue,
                },
                Ancestor::Unknown(_) => return vec![(None, own)],
            };
            for name in known {
                add(&mut handled, name, own);
            }
        }
        if handled.is_empty() { vec![(None, own)] } else { handled }
    }

    /// The paths of a view set: the paths of its standard actions, and of its methods with the decorator `action`.
    pub(super) fn handled_paths(&mut self, class: ClassId, fqns: &[CompactString]) -> Vec<HandledPath> {
        let own = Some(self.program.class_def(class));
        let mut paths: Vec<HandledPath> = Vec::new();
        let mut known: Vec<&str> = Vec::new();
        let mro = self.mro(class);
        let ancestors: Vec<Ancestor> = self.mro_table.iter(mro).cloned().collect();
        for ancestor in ancestors {
            let inherited = match ancestor {
                Ancestor::Class(class, _) => {
                    for (action, method, is_detail) in http::ACTIONS {
                        if !known.contains(&action)
                            && let Some(def) = self.method_of(class, action)
                        {
                            known.push(action);
                            paths.push((action_path(is_detail, ""), (Some(capital(method)), Some(def))));
                        }
                    }
                    self.add_actions(class, &mut paths);
                    http::view_set_actions(&fqns[self.program.class_def(class).index()])
                }
                Ancestor::External(path) => http::view_set_actions(self.program.interner.text(path)),
                Ancestor::Unknown(_) => None,
            };
            for (action, method, is_detail) in http::ACTIONS {
                if inherited.is_some_and(|actions| actions.contains(&action)) && !known.contains(&action) {
                    known.push(action);
                    paths.push((action_path(is_detail, ""), (Some(capital(method)), own)));
                }
            }
        }
        paths
    }

    /// Adds the methods of a class with the decorator `action`: `@action(detail=True, methods=["post"], url_path="x")`.
    fn add_actions(&mut self, class: ClassId, paths: &mut Vec<HandledPath>) {
        let (file, row, _) = self.program.class_facts(class);
        let facts = self.program.facts(file);
        for (at, def) in facts.definitions.iter().enumerate().filter(|(_, def)| def.outer == row.scope) {
            for (decorator, _) in &def.decorators {
                let Expr::Call(site) = facts.expr(*decorator) else { continue };
                let is_action = match facts.expr(facts.calls[site.index()].callee) {
                    Expr::Name { name, .. } | Expr::Attribute { name, .. } => facts.name(name) == "action",
                    _ => false,
                };
                if !is_action {
                    continue;
                }
                let passed = self.passed_values(file, site);
                let named = |name: &str| passed.iter().find(|a| a.keyword.as_deref() == Some(name)).map(|a| &a.value);
                let path = match named("url_path") {
                    Some(path) => path.known_text().and_then(|path| http::path_of_pattern(&path)),
                    None => Some(facts.name(def.name).into()),
                };
                let Some(path) = path else { continue };
                let is_detail = self.is_true(file, site, "detail");
                let handler = Some(self.program.global_def(file, DefId::new(at)));
                for method in self.listed_methods(file, site) {
                    paths.push((action_path(is_detail, &path), (method, handler)));
                }
            }
        }
    }

    /// True if a call passes `True` for a keyword.
    fn is_true(&self, file: FileIndex, site: CallExprId, keyword: &str) -> bool {
        let facts = self.program.facts(file);
        let mut arguments = facts.calls[site.index()].arguments.iter();
        let argument = arguments.find(|a| a.keyword.is_some_and(|name| facts.name(name) == keyword));
        argument.is_some_and(|argument| facts.literal(argument).is_some_and(|text| text == "True"))
    }

    /// The method `name` that the body of a class defines.
    fn method_of(&mut self, class: ClassId, name: &str) -> Option<GlobalDef> {
        let (file, row, _) = self.program.class_facts(class);
        let name = self.program.interner.intern(name);
        let facts = self.program.facts(file);
        let bindings = self.program.bindings(file, row.scope, name);
        bindings.iter().find_map(|binding| match facts.bindings[binding.index()].kind {
            BindingKind::Def(def) => Some(self.program.global_def(file, def)),
            _ => None,
        })
    }
}

/// The path of an action, relative to the path of its view set.
fn action_path(is_detail: bool, path: &str) -> Text {
    let base = if is_detail { Text::literal("{id}") } else { Text::default() };
    http::joined(base, Text::literal(path))
}

fn capital(method: &str) -> CompactString {
    method.to_ascii_uppercase().into()
}

fn add(handled: &mut Vec<HandledMethod>, method: &str, handler: Option<GlobalDef>) {
    let method = Some(capital(method));
    if handled.iter().all(|(known, _)| *known != method) {
        handled.push((method, handler));
    }
}
