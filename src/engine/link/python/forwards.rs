//! The parameters to which functions pass on what their `*args` and `**kwargs` receive.
//!
//! `def f(*args, **kwargs): return g(*args, **kwargs)` takes the arguments of `g`. An argument that `f` receives in
//! `*args` or `**kwargs` has the name of the parameter of `g` that it reaches, over at most [`MAX_HOPS`] functions.
//! The body says which calls pass the arguments on, and which keywords never arrive: those that the function takes out
//! or sets, and the parameters of `g` that the call itself passes.

use std::rc::Rc;

use arcstr::ArcStr;
use compact_str::CompactString;
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

use super::{
    bind::{ReceiverPassing, bind},
    linker::Linker,
    members::{ClassMember, MemberLookup},
    program::{ClassId, FileIndex, GlobalDef},
    resolve::CallCandidate,
    signatures::CallableSignature,
};
use crate::linked::{LinkedParameter, LinkedSignature};
use apidisc_base::nesting;
use apidisc_facts::{
    program::{ArgumentKind, BoundParameter, CallForm, ParameterKind},
    syntax::python::facts::{Arg, CallExpr, CallExprId, FileFacts},
};

/// The greatest number of functions over which one argument is followed.
const MAX_HOPS: usize = 4;
/// The greatest number of calls with which one function passes its arguments on that are followed.
const MAX_CALLS: usize = 4;

/// The greatest number of keywords that one callable passes on, of which no call passes one.
const MAX_PASSED_ON: usize = 48;

/// Follows arguments that functions pass on.
pub(super) struct Forwards<'l, 'f> {
    linker: &'l mut Linker<'f>,
    callables: &'l [CallableSignature],
    /// The only callee of each call that passes arguments on, for the class that is constructed, if one is; `None` if
    /// there is none or several.
    callees: FxHashMap<(FileIndex, CallExprId, Option<ClassId>), Option<CallCandidate>>,
    /// The keywords that a function passes on, for the class that is constructed and the greatest number of functions
    /// over which they are followed.
    passed_on: FxHashMap<(GlobalDef, Option<ClassId>, usize), PassedOn>,
}

/// Names of keywords, at most [`MAX_PASSED_ON`].
type PassedOn = Rc<[CompactString]>;

impl<'l, 'f> Forwards<'l, 'f> {
    pub(super) fn new(linker: &'l mut Linker<'f>, callables: &'l [CallableSignature]) -> Self {
        Self { linker, callables, callees: FxHashMap::default(), passed_on: FxHashMap::default() }
    }

    /// The name of the parameter that a keyword reaches which the `**kwargs` of a function or class receives. `None` if
    /// no function declares such a parameter.
    pub(super) fn keyword(&mut self, def: GlobalDef, keyword: &str) -> Option<CompactString> {
        let constructed = self.linker.program.class_of(def);
        self.keyword_within(def, constructed, keyword, MAX_HOPS)
    }

    /// The keywords that the `**kwargs` of a function or class passes on to parameters of other callables, at most
    /// [`MAX_PASSED_ON`], in the order in which those declare them. None is a parameter of the callable itself.
    pub(super) fn passed_on(&mut self, def: GlobalDef) -> Vec<CompactString> {
        let constructed = self.linker.program.class_of(def);
        let mut found = self.passed_on_within(def, constructed, MAX_HOPS).to_vec();
        if let Some(signature) = self.callables.get(def.index()).and_then(|callable| callable.signature.as_ref()) {
            found.retain(|name| signature.parameters.iter().all(|parameter| parameter.name != *name));
        }
        found
    }

    /// The same for calls over at most `hops` functions, with names that are parameters of the callable itself.
    /// `constructed` is the class whose constructors pass the keywords on.
    fn passed_on_within(&mut self, def: GlobalDef, constructed: Option<ClassId>, hops: usize) -> PassedOn {
        let (Some(left), Some(function)) = (hops.checked_sub(1), self.function(def)) else {
            return PassedOn::default();
        };
        let key = (function, constructed, hops);
        if let Some(known) = self.passed_on.get(&key) {
            return known.clone();
        }
        let Some(_level) = nesting::descend() else { return PassedOn::default() };
        let mut found: Vec<CompactString> = Vec::new();
        let file = self.linker.program.file_of(function);
        let facts = self.linker.program.facts(file);
        let local = self.linker.program.local_id(function);
        let calls = facts.forwards_of(local).iter().filter(|forward| forward.keywords).take(MAX_CALLS);
        let calls: SmallVec<[CallExprId; 2]> = calls.map(|forward| forward.call).collect();
        for call in calls {
            let site = &facts.calls[call.index()];
            let Some(callee) = self.callee(function, call, constructed) else { continue };
            let Some(callable) = self.callables.get(callee.def.index()) else { continue };
            let Some(signature) = &callable.signature else { continue };
            let bound = bind(facts, &site.arguments, callable, callee.passing).into_iter();
            let bound: FxHashSet<usize> = bound
                .filter_map(|bound| match bound {
                    BoundParameter::Parameter(at) => Some(usize::from(at)),
                    _ => None,
                })
                .collect();
            let takes = |at: usize, parameter: &LinkedParameter| {
                matches!(parameter.kind, ParameterKind::Standard | ParameterKind::KeywordOnly) && !bound.contains(&at)
            };
            let next = self.passed_on_within(callee.def, self.next_constructed(site, callee, constructed), left);
            let declared = signature.parameters.iter().enumerate().filter(|(at, parameter)| takes(*at, parameter));
            let names = declared.map(|(_, parameter)| &parameter.name).chain(next.iter());
            let is_set = |name: &str| {
                let mut keywords = site.arguments.iter().filter_map(|argument| argument.keyword);
                facts.takes_keyword(local, name) || keywords.any(|keyword| facts.name(keyword) == name)
            };
            for name in names {
                if found.len() == MAX_PASSED_ON {
                    break;
                }
                if !name.starts_with('_') && !found.contains(name) && !is_set(name) {
                    found.push(name.clone());
                }
            }
        }
        let found: PassedOn = found.into();
        self.passed_on.insert(key, found.clone());
        found
    }

    /// The name of the parameter that the argument at a position of `*args` of a function or class reaches. `None` if
    /// it reaches none, or several.
    pub(super) fn positional(&mut self, def: GlobalDef, position: usize) -> Option<CompactString> {
        let constructed = self.linker.program.class_of(def);
        self.positional_within(def, constructed, position, MAX_HOPS)
    }

    /// True for a callable with `**kwargs`.
    pub(super) fn has_keywords(&self, def: GlobalDef) -> bool {
        let signature = self.callables.get(def.index()).and_then(|callable| callable.signature.as_ref());
        signature.is_some_and(|s| s.parameters.iter().any(|parameter| parameter.kind == ParameterKind::VarKeyword))
    }

    /// `constructed` is the class whose constructors pass the argument on.
    fn keyword_within(
        &mut self,
        def: GlobalDef,
        constructed: Option<ClassId>,
        keyword: &str,
        hops: usize,
    ) -> Option<CompactString> {
        let _level = nesting::descend()?;
        let hops = hops.checked_sub(1)?;
        let function = self.function(def)?;
        let file = self.linker.program.file_of(function);
        let facts = self.linker.program.facts(file);
        let local = self.linker.program.local_id(function);
        if facts.takes_keyword(local, keyword) {
            return None;
        }
        let calls = facts.forwards_of(local).iter().filter(|forward| forward.keywords).take(MAX_CALLS);
        let calls: SmallVec<[CallExprId; 2]> = calls.map(|forward| forward.call).collect();
        calls.into_iter().find_map(|call| {
            let (site, callee) = (&facts.calls[call.index()], self.callee(function, call, constructed)?);
            if site.arguments.iter().any(|argument| argument.keyword.is_some_and(|name| facts.name(name) == keyword)) {
                return None;
            }
            let callable = self.callables.get(callee.def.index())?;
            let signature = callable.signature.as_ref()?;
            let declared = signature.parameters.iter().position(|parameter| {
                parameter.name == keyword
                    && matches!(parameter.kind, ParameterKind::Standard | ParameterKind::KeywordOnly)
            });
            let declared = declared.or_else(|| callable.keywords.get(keyword).map(|&position| position.into()));
            match declared {
                Some(at) if is_passed(facts, site, callable, callee.passing, at) => None,
                Some(at) => Some(signature.parameters[at].name.clone()),
                None => {
                    self.keyword_within(callee.def, self.next_constructed(site, callee, constructed), keyword, hops)
                }
            }
        })
    }

    fn positional_within(
        &mut self,
        def: GlobalDef,
        constructed: Option<ClassId>,
        position: usize,
        hops: usize,
    ) -> Option<CompactString> {
        let _level = nesting::descend()?;
        let hops = hops.checked_sub(1)?;
        let function = self.function(def)?;
        let file = self.linker.program.file_of(function);
        let facts = self.linker.program.facts(file);
        let forwards = facts.forwards_of(self.linker.program.local_id(function)).iter();
        let calls = forwards.filter(|forward| forward.positional).take(MAX_CALLS);
        let calls: SmallVec<[CallExprId; 2]> = calls.map(|forward| forward.call).collect();
        let mut reached = calls.into_iter().map(|call| {
            let (site, callee) = (&facts.calls[call.index()], self.callee(function, call, constructed)?);
            let callable = self.callables.get(callee.def.index())?;
            let signature = callable.signature.as_ref()?;
            let before = site.arguments.iter().take_while(|argument| argument.kind != ArgumentKind::Star);
            let before = before.filter(|argument| argument.kind.is_positional()).count();
            let others = site.arguments.iter().filter(|argument| argument.kind == ArgumentKind::Star).count();
            let first = match callee.passing {
                _ if others != 1 => return None,
                ReceiverPassing::FirstParameter => before + 1,
                ReceiverPassing::Argument if signature.receiver.is_some() => before.checked_sub(1)?,
                ReceiverPassing::Implicit | ReceiverPassing::Argument => before,
            };
            let parameters = signature.parameters.iter().enumerate();
            let declared: SmallVec<[usize; 8]> =
                parameters.filter(|(_, p)| is_positional(p.kind)).map(|(at, _)| at).collect();
            match declared.get(first + position) {
                Some(&at) if is_passed(facts, site, callable, callee.passing, at) => None,
                Some(&at) => Some(signature.parameters[at].name.clone()),
                None => {
                    let next = self.next_constructed(site, callee, constructed);
                    self.positional_within(callee.def, next, first + position - declared.len(), hops)
                }
            }
        });
        let first = reached.next()??;
        reached.all(|other| other.as_ref() == Some(&first)).then_some(first)
    }

    /// The function that a call of a definition runs, as far as its signature is that of the function.
    fn function(&self, def: GlobalDef) -> Option<GlobalDef> {
        match self.linker.program.class_of(def) {
            Some(_) => self.callables.get(def.index())?.constructor,
            None => Some(def),
        }
    }

    /// The class that is constructed behind a call: the same one if a constructor calls another one by its name.
    fn next_constructed(
        &self,
        site: &CallExpr,
        callee: CallCandidate,
        constructed: Option<ClassId>,
    ) -> Option<ClassId> {
        if site.syntax.names_constructor { constructed } else { self.linker.program.class_of(callee.def) }
    }

    /// The only callee of a call in a function. In a constructor, `super()` is the next class of the class that is
    /// constructed.
    fn callee(&mut self, function: GlobalDef, call: CallExprId, constructed: Option<ClassId>) -> Option<CallCandidate> {
        let file = self.linker.program.file_of(function);
        if let Some(known) = self.callees.get(&(file, call, constructed)) {
            return *known;
        }
        let site = &self.linker.program.facts(file).calls[call.index()];
        let only = match constructed.filter(|_| site.syntax.names_constructor) {
            Some(class) if site.syntax.form == CallForm::SuperAttribute => self.next_constructor(function, site, class),
            _ => {
                let resolved = self.linker.resolve_call(file, site);
                match resolved.candidates[..] {
                    [only] if !resolved.may_be_outside => Some(only),
                    _ => None,
                }
            }
        };
        self.callees.insert((file, call, constructed), only);
        only
    }

    /// The constructor that `super().__init__` in a constructor runs when a class is constructed.
    fn next_constructor(&mut self, function: GlobalDef, site: &CallExpr, class: ClassId) -> Option<CallCandidate> {
        let owner = self.linker.program.owner(function)?;
        let name = self.linker.program.facts(self.linker.program.file_of(function)).attribute_name(site.callee)?;
        // `__new__` is a static method: the class is an argument.
        let passing = if name == "__new__" { ReceiverPassing::Argument } else { ReceiverPassing::Implicit };
        let name = self.linker.program.interner.intern(name);
        self.linker.begin_query();
        let receiver = self.linker.types.instance(class);
        match self.linker.lookup_above(owner, receiver, name) {
            MemberLookup::Found(ClassMember::Function { def, .. }) => {
                Some(CallCandidate { def, passing, receiver: Some(class) })
            }
            _ => None,
        }
    }
}

/// True if a call visibly passes the parameter at a position.
fn is_passed(
    facts: &FileFacts,
    site: &CallExpr,
    callable: &CallableSignature,
    passing: ReceiverPassing,
    position: usize,
) -> bool {
    let bounds = bind(facts, &site.arguments, callable, passing);
    let is_position =
        |bound: &BoundParameter| matches!(bound, BoundParameter::Parameter(at) if usize::from(*at) == position);
    bounds.iter().any(is_position)
}

fn is_positional(kind: ParameterKind) -> bool {
    matches!(kind, ParameterKind::PositionalOnly | ParameterKind::Standard)
}

/// The parameters of other functions to which a callable passes on what its `*args` and `**kwargs` receive.
#[derive(Clone, Debug, Default)]
pub(crate) struct ForwardedArguments {
    /// The parameters that the arguments in `*args` reach, in the order of the arguments.
    pub(super) positional: Vec<Option<CompactString>>,
    /// The parameters that keywords reach, by keyword.
    pub(super) keywords: FxHashMap<CompactString, CompactString>,
}

impl ForwardedArguments {
    /// For each argument of a call, the parameter of another function that it reaches. `bounds` are the parameters of
    /// the callable that the arguments are bound to.
    pub(super) fn names(
        &self,
        facts: &FileFacts,
        arguments: &[Arg],
        bounds: &[BoundParameter],
        signature: &LinkedSignature,
    ) -> Vec<Option<ArcStr>> {
        let mut positional = self.positional.iter();
        let mut has_star = false;
        let name = |(argument, bound): (&Arg, &BoundParameter)| {
            has_star |= argument.kind == ArgumentKind::Star;
            let BoundParameter::Parameter(at) = *bound else { return None };
            let kind = signature.parameters.get(usize::from(at))?.kind;
            let reached = match (argument.keyword, kind) {
                (None, ParameterKind::VarPositional) if !has_star => positional.next()?.as_ref()?,
                (Some(keyword), ParameterKind::VarKeyword | ParameterKind::Property) => {
                    self.keywords.get(facts.name(keyword))?
                }
                _ => return None,
            };
            Some(reached.as_str().into())
        };
        arguments.iter().zip(bounds).map(name).collect()
    }
}
