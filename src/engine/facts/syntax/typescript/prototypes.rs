//! The members that assignments give functions and classes. Before JavaScript had classes, a class was a function whose
//! prototype holds the methods:
//!
//! ```js
//! function Queue(size) { this.size = size; }
//! Queue.prototype.add = function (item) {};
//! Queue.of = function (size) { return new Queue(size); };
//! util.inherits(Queue, Base);
//! ```
//!
//! Such a function gets the members of the class that it stands for: `size`, `add`, the static method `of`, and the
//! base class `Base`. The members that a file assigns to the prototype of a class are added to the class.

use arcstr::ArcStr;
use compact_str::{CompactString, format_compact};
use thin_vec::ThinVec;

use super::{
    Dialect,
    added_members::{Added, AddedMembers},
    context::DocRange,
    facts::{
        Arg, CallExprKind, Decl, DefBody, DefId, Expr, ExprId, FunctionKind, Member, MemberKind, NameId, ValueSource,
    },
    lower::Lowering,
    objects::plain_property,
};
use crate::syntax::MAX_MEMBERS;
use apidisc_base::nesting;

/// Where an assignment to a property stands. The assigned expression and the value are in
/// [`super::facts::FileFacts::assigned_properties`].
#[derive(Clone, Copy, Debug)]
pub(super) struct AssignmentPlace {
    pub(super) line: u32,
    pub(super) doc: Option<DocRange>,
}

impl Lowering<'_> {
    /// Adds the members that assignments and calls of the platform give the functions and classes of the file.
    pub(super) fn add_assigned_members(&mut self) {
        let places = std::mem::take(&mut self.pending.assigned_properties);
        let mut added = AddedMembers::default();
        for &(target, value) in &self.facts.assigned_properties {
            if let (Expr::Property { object, .. }, Expr::Function(def)) =
                (self.facts.expr(target), self.facts.expr(value))
                && let Expr::Name { symbol: Some(_), .. } = self.facts.expr(self.facts.without_guards(object))
                && self.function_of_this(object).is_none()
            {
                added.of_variables.insert(def);
            }
        }
        for (at, place) in places.iter().enumerate() {
            self.add_to_prototype(&mut added, at, *place);
        }
        self.add_members_of_calls(&mut added);
        for (at, place) in places.iter().enumerate() {
            self.add_field(&mut added, at, *place);
        }
        for (at, place) in places.iter().enumerate() {
            self.add_static_member(&mut added, at, *place);
        }
        for (def, Added { class: new, has_prototype, .. }) in added.of {
            match &mut self.facts.definitions[def.index()].body {
                DefBody::Function(function) => {
                    function.has_prototype = has_prototype;
                    function.class = Some(Box::new(new));
                }
                DefBody::Class(class) => {
                    class.members.extend(new.members);
                    class.members.truncate(MAX_MEMBERS);
                    class.extends = class.extends.take().or(new.extends);
                    class.prototypes = new.prototypes;
                    class.mixins = new.mixins;
                }
                _ => {}
            }
        }
    }

    /// Adds the member of `C.prototype.name = value`, or what `C.prototype = value` makes the prototype.
    fn add_to_prototype(&mut self, added: &mut AddedMembers, at: usize, place: AssignmentPlace) {
        let (target, value) = self.facts.assigned_properties[at];
        let Expr::Property { object, name, .. } = self.facts.expr(target) else { return };
        if let Some(owner) = self.prototype_owner(object) {
            match self.facts.name(name) {
                "__proto__" => self.set_prototype(added, owner, value),
                // A prototype refers back to its own function.
                "constructor" => {}
                _ => {
                    let member = self.assigned_member(name, value, place);
                    self.add_member(added, owner, member);
                }
            }
            added.to(&self.facts, owner).has_prototype = true;
        } else if self.facts.name(name) == "prototype"
            && let Some(owner) = self.prototype_holder(object)
        {
            self.set_prototype(added, owner, value);
            added.to(&self.facts, owner).has_prototype = true;
        }
    }

    /// Adds the field of `this.name = value`, or of `that.name = value` after `var that = this`. The function is a
    /// member of a prototype, or itself written for `new`.
    fn add_field(&mut self, added: &mut AddedMembers, at: usize, place: AssignmentPlace) {
        let (target, value) = self.facts.assigned_properties[at];
        let Expr::Property { object, name, .. } = self.facts.expr(target) else { return };
        let Some(function) = self.function_of_this(object) else { return };
        let outer = self.facts.def(function).outer.map(|outer| &self.facts.def(outer).body);
        let owner = if let Some(&(owner, is_static)) = added.holders.get(&function) {
            (!is_static).then_some(owner)
        } else {
            let is_method = matches!(outer, Some(DefBody::Object(_) | DefBody::Class(_)));
            let is_free = !is_method && !added.of_variables.contains(&function);
            (is_free && self.is_constructible(function)).then_some(function)
        };
        if let Some(owner) = owner {
            let member = self.assigned_member(name, value, place);
            self.add_member(added, owner, member);
        }
    }

    /// The function whose `this` an expression is: `this`, or a variable that is declared with it.
    fn function_of_this(&self, expr: ExprId) -> Option<DefId> {
        match self.facts.expr(self.facts.without_guards(expr)) {
            Expr::This(function) => function,
            Expr::Name { symbol: Some(symbol), .. } => {
                let [Decl::Variable(variable)] = self.facts.symbol(symbol).decls[..] else { return None };
                let row = &self.facts.variables[variable.index()];
                match row.source {
                    ValueSource::Value(value) if row.path.is_empty() && row.annotation.is_none() => {
                        let Expr::This(function) = self.facts.expr(value) else { return None };
                        function
                    }
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// Adds the static member of `C.name = value`, where `C` is a class or a function with instances.
    fn add_static_member(&mut self, added: &mut AddedMembers, at: usize, place: AssignmentPlace) {
        let (target, value) = self.facts.assigned_properties[at];
        let Expr::Property { object, name, .. } = self.facts.expr(target) else { return };
        let object = self.facts.without_guards(object);
        let Expr::Name { symbol: Some(_), .. } = self.facts.expr(object) else { return };
        let Some(owner) = self.facts.holder(object) else { return };
        let is_class = matches!(self.facts.def(owner).body, DefBody::Class(_)) && self.dialect == Dialect::JavaScript;
        if self.facts.name(name) != "prototype" && (is_class || added.of.contains_key(&owner)) {
            let member = self.assigned_member(name, value, place);
            self.add_member(added, owner, Member { is_static: true, ..member });
        }
    }

    /// Adds what calls of `Object` and functions named `inherits` say of prototypes.
    fn add_members_of_calls(&mut self, added: &mut AddedMembers) {
        let names =
            ["inherits", "__extends", "_inherits", "_inheritsLoose", "assign", "setPrototypeOf", "defineProperty"];
        let further = ["defineProperties", "__defineGetter__", "__defineSetter__"];
        if !self.facts.names.iter().any(|name| names.contains(&name.as_str()) || further.contains(&name.as_str())) {
            return;
        }
        for site in 0..self.facts.calls.len() {
            let callee = self.facts.without_guards(self.facts.calls[site].callee);
            let (Expr::Name { name, .. } | Expr::Property { name, .. }) = self.facts.expr(callee) else { continue };
            let is_of_object = |method| self.facts.is_object_method(callee, method);
            let arguments: Vec<Arg> = match self.facts.name(name) {
                name if names.contains(&name) || further.contains(&name) => self.facts.calls[site].arguments.to_vec(),
                _ => continue,
            };
            let argument = |at: usize| arguments.get(at).filter(|arg: &&Arg| !arg.is_spread).map(|arg| arg.value);
            let (Some(first), Some(second)) = (argument(0), argument(1)) else { continue };
            match self.facts.name(name) {
                "inherits" | "__extends" | "_inherits" | "_inheritsLoose" => {
                    if let Some(owner) = self.prototype_holder(first) {
                        self.set_base(added, owner, second);
                    }
                }
                "setPrototypeOf" if is_of_object("setPrototypeOf") => {
                    if let Some(owner) = self.prototype_owner(first) {
                        self.set_prototype(added, owner, second);
                        added.to(&self.facts, owner).has_prototype = true;
                    }
                }
                "assign" if is_of_object("assign") => {
                    if let Some(owner) = self.prototype_owner(first) {
                        self.mix_in(added, owner, &arguments[1..]);
                    }
                }
                "defineProperty" if is_of_object("defineProperty") => {
                    if let (Some((owner, is_static)), Some(descriptor), Expr::String(Some(name))) =
                        (self.described_owner(first), argument(2), self.facts.expr(second))
                    {
                        self.add_described(added, owner, is_static, name, descriptor);
                    }
                }
                "defineProperties" if is_of_object("defineProperties") => {
                    if let (Some((owner, is_static)), Expr::Object(def)) =
                        (self.described_owner(first), self.facts.expr(second))
                    {
                        self.add_all_described(added, owner, is_static, def);
                    }
                }
                kind @ ("__defineGetter__" | "__defineSetter__") => {
                    let kind = if kind == "__defineGetter__" { FunctionKind::Getter } else { FunctionKind::Setter };
                    if let Expr::Property { object, .. } = self.facts.expr(callee)
                        && let Some((owner, is_static)) = self.described_owner(object)
                        && let (Expr::String(Some(name)), Expr::Function(def)) =
                            (self.facts.expr(first), self.facts.expr(second))
                    {
                        self.add_accessor(added, owner, is_static, name, def, kind);
                    }
                }
                _ => {}
            }
        }
    }

    /// The function or class whose prototype an expression is: `C.prototype`, or a variable that holds it.
    fn prototype_owner(&self, expr: ExprId) -> Option<DefId> {
        let expr = self.facts.without_guards(expr);
        match self.facts.expr(expr) {
            Expr::Property { object, name, .. } if self.facts.name(name) == "prototype" => {
                self.prototype_holder(object)
            }
            Expr::Name { symbol: Some(symbol), .. } => {
                let [Decl::Variable(variable)] = self.facts.symbol(symbol).decls[..] else { return None };
                let row = &self.facts.variables[variable.index()];
                let ValueSource::Value(value) = row.source else { return None };
                let value = self.facts.without_guards(value);
                match self.facts.expr(value) {
                    Expr::Property { object, name, .. }
                        if row.path.is_empty() && self.facts.name(name) == "prototype" =>
                    {
                        self.prototype_holder(object)
                    }
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// The class that an expression names, or the function that `new` may call.
    fn prototype_holder(&self, object: ExprId) -> Option<DefId> {
        let def = self.facts.holder(object)?;
        let is_class = matches!(self.facts.def(def).body, DefBody::Class(_));
        (is_class || self.is_constructible(def)).then_some(def)
    }

    /// The function or class to which `Object.defineProperty(target, …)` adds a property, and whether the property is
    /// static.
    fn described_owner(&self, target: ExprId) -> Option<(DefId, bool)> {
        let of_prototype = self.prototype_owner(target).map(|owner| (owner, false));
        of_prototype.or_else(|| {
            let is_name = matches!(self.facts.expr(self.facts.without_guards(target)), Expr::Name { .. });
            let owner = self.facts.holder(target).filter(|_| is_name)?;
            matches!(self.facts.def(owner).body, DefBody::Class(_)).then_some((owner, true))
        })
    }

    /// Whether `new` may call a function: a function that is neither an arrow function nor a method.
    fn is_constructible(&self, def: DefId) -> bool {
        let row = self.facts.def(def);
        let is_function = row.function().is_some_and(|function| {
            matches!(function.kind, FunctionKind::Declaration | FunctionKind::Expression)
                && !function.is_async
                && !function.is_generator
        });
        let in_class = row.outer.is_some_and(|outer| matches!(self.facts.def(outer).body, DefBody::Class(_)));
        is_function && !in_class
    }

    /// Makes an object the prototype of a function or class.
    fn set_prototype(&mut self, added: &mut AddedMembers, owner: DefId, value: ExprId) {
        let Some(_level) = nesting::descend() else { return };
        let value = self.facts.without_guards(value);
        match self.facts.expr(value) {
            Expr::Object(def) => self.add_members_of_object(added, owner, def),
            Expr::Property { object, name, .. } if self.facts.name(name) == "prototype" => {
                self.set_base(added, owner, object);
            }
            Expr::Call(site) => {
                let call = self.facts.site(site);
                let arguments = call.arguments.to_vec();
                let first = arguments.first().filter(|argument| !argument.is_spread).map(|argument| argument.value);
                match first {
                    _ if call.kind == CallExprKind::New => {
                        let base = call.callee;
                        self.set_base(added, owner, base);
                    }
                    Some(first) if self.facts.is_object_method(call.callee, "create") => {
                        self.set_prototype(added, owner, first);
                        let descriptors = arguments.get(1).map(|argument| self.facts.expr(argument.value));
                        if let Some(Expr::Object(def)) = descriptors {
                            self.add_all_described(added, owner, false, def);
                        }
                    }
                    Some(first) if self.facts.is_object_method(call.callee, "assign") => {
                        self.set_prototype(added, owner, first);
                        self.mix_in(added, owner, &arguments[1..]);
                    }
                    _ => added.to(&self.facts, owner).class.prototypes.push(value),
                }
            }
            Expr::Null | Expr::Undefined => {}
            _ => added.to(&self.facts, owner).class.prototypes.push(value),
        }
    }

    /// Makes the class or function `base` the base class of `owner`.
    fn set_base(&mut self, added: &mut AddedMembers, owner: DefId, base: ExprId) {
        let text = self.path_text(base);
        let added = added.to(&self.facts, owner);
        added.has_prototype = true;
        if added.class.extends.is_none() {
            added.class.extends = Some((base, ThinVec::new(), ArcStr::from(text.as_str())));
        }
    }

    /// The text of a name with properties; empty for any other expression.
    fn path_text(&self, expr: ExprId) -> CompactString {
        let Some(_level) = nesting::descend() else { return CompactString::default() };
        match self.facts.expr(self.facts.without_guards(expr)) {
            Expr::Name { name, .. } => CompactString::new(self.facts.name(name)),
            Expr::Property { object, name, .. } => {
                let object = self.path_text(object);
                if object.is_empty() { object } else { format_compact!("{object}.{}", self.facts.name(name)) }
            }
            _ => CompactString::default(),
        }
    }

    /// Adds the properties of objects to a prototype, as `Object.assign` does. The methods of a class are not
    /// enumerable, so that `Object.assign` does not copy them from its prototype.
    fn mix_in(&mut self, added: &mut AddedMembers, owner: DefId, sources: &[Arg]) {
        added.to(&self.facts, owner).has_prototype = true;
        for source in sources.iter().rev() {
            let is_prototype = matches!(self.facts.expr(source.value), Expr::Property { name, .. }
                if self.facts.name(name) == "prototype");
            match self.facts.expr(source.value) {
                Expr::Object(def) => self.add_members_of_object(added, owner, def),
                _ if source.is_spread || is_prototype => {}
                _ => added.to(&self.facts, owner).class.mixins.push(source.value),
            }
        }
    }

    /// Adds the members of an object literal that is a prototype. The literal itself has no name then.
    fn add_members_of_object(&mut self, added: &mut AddedMembers, owner: DefId, object: DefId) {
        let members = self.facts.def(object).members().to_vec();
        self.facts.definitions[object.index()].name = None;
        for member in members {
            let name = member.name.map(|name| self.facts.name(name));
            match member.kind {
                _ if name == Some("constructor") => {}
                MemberKind::Spread(value) => added.to(&self.facts, owner).class.mixins.push(value),
                MemberKind::Property { value: Some((value, _)), .. } if name == Some("__proto__") => {
                    self.set_prototype(added, owner, value);
                }
                _ => self.add_member(added, owner, member),
            }
        }
    }

    /// Adds the property that a descriptor describes: `{ get() {} }`, `{ value: v }`.
    fn add_described(
        &mut self,
        added: &mut AddedMembers,
        owner: DefId,
        is_static: bool,
        name: NameId,
        descriptor: ExprId,
    ) {
        let Expr::Object(def) = self.facts.expr(descriptor) else { return };
        added.to(&self.facts, owner).has_prototype |= !is_static;
        for part in self.facts.def(def).members().to_vec() {
            let Some(key) = part.name else { continue };
            let function = match part.kind {
                MemberKind::Function(function) => Some(function),
                MemberKind::Property { value: Some((value, _)), .. } => match self.facts.expr(value) {
                    Expr::Function(function) => Some(function),
                    _ => None,
                },
                _ => None,
            };
            match (self.facts.name(key), function) {
                ("get", Some(function)) => {
                    self.add_accessor(added, owner, is_static, name, function, FunctionKind::Getter);
                }
                ("set", Some(function)) => {
                    self.add_accessor(added, owner, is_static, name, function, FunctionKind::Setter);
                }
                ("value", _) if self.facts.name(name) != "constructor" => {
                    self.add_member(added, owner, Member { name: Some(name), is_static, ..part });
                }
                _ => {}
            }
        }
    }

    /// Adds the properties that an object of descriptors describes.
    fn add_all_described(&mut self, added: &mut AddedMembers, owner: DefId, is_static: bool, object: DefId) {
        for property in self.facts.def(object).members().to_vec() {
            if let (Some(name), MemberKind::Property { value: Some((descriptor, _)), .. }) =
                (property.name, property.kind)
            {
                self.add_described(added, owner, is_static, name, descriptor);
            }
        }
    }

    fn add_accessor(
        &mut self,
        added: &mut AddedMembers,
        owner: DefId,
        is_static: bool,
        name: NameId,
        accessor: DefId,
        kind: FunctionKind,
    ) {
        let row = &mut self.facts.definitions[accessor.index()];
        if let DefBody::Function(function) = &mut row.body {
            function.kind = kind;
        }
        let member =
            Member { is_static, kind: MemberKind::Function(accessor), ..plain_property(Some(name), row.line, None) };
        added.to(&self.facts, owner).has_prototype |= !is_static;
        self.add_member(added, owner, member);
    }

    fn assigned_member(&self, name: NameId, value: ExprId, place: AssignmentPlace) -> Member {
        let property = plain_property(Some(name), place.line, Some((value, ArcStr::new())));
        Member { summary: self.summary(place.doc), documentation: self.documentation(place.doc), ..property }
    }
}
