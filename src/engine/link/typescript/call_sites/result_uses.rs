//! The members that the code around a call takes of its result.
//!
//! A result is destructured (`const { open } = useThing()`), used at once (`useThing().open()`), or held by a constant
//! of which code uses members (`thing.open`). If the code uses such a constant otherwise, for example as an argument,
//! it may take any member. Of a result that is passed on, returned, spread, or held by a variable that may get other
//! values, nothing is known.

use compact_str::CompactString;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::resolve::ResolvedCall;
use crate::linked::{DefinitionRow, LinkedDefinition, LinkedSignature};
use crate::typescript::{rows::DefinitionRows, source_file::SourceFile};
use apidisc_facts::{
    program::{DefinitionKind, ResultShape, ReturnedMember, ReturnedObject, TakenMembers, most_passed},
    syntax::typescript::facts::{
        CallExprId, Decl, Expr, ExprId, FileFacts, NameId, PatternStep, SymbolId, ValueSource, VariableId,
    },
};

/// The greatest number of wrappers between an expression and the call in it.
const MAX_WRAPPERS: u32 = 16;

/// The uses of the results of calls in one file.
pub(in crate::typescript) type ResultUses = FxHashMap<CallExprId, ResultUse>;

/// What the code around one call does with its result.
#[derive(Debug, Default)]
pub(in crate::typescript) struct ResultUse {
    /// The names of the members that it takes, each once.
    members: SmallVec<[NameId; 4]>,
    /// The names among them that a pattern takes. Only an object has these as members: `list.map(…)` may also be a use
    /// of an array.
    destructured: SmallVec<[NameId; 4]>,
    /// The elements of a tuple that it takes: a bit for each position.
    elements: u16,
    /// It may take further members.
    is_open: bool,
    /// It awaits the result.
    is_awaited: bool,
}

impl ResultUse {
    fn add(&mut self, name: NameId) {
        if !self.members.contains(&name) {
            self.members.push(name);
        }
    }

    /// Adds the element of a tuple at a position. Further ones than a result has members for are unknown members.
    fn add_element(&mut self, at: u16) {
        match 1_u16.checked_shl(at.into()) {
            Some(bit) => self.elements |= bit,
            None => self.is_open = true,
        }
    }

    /// The members of the object that `signature` returns which the code takes.
    pub(super) fn taken_members(&self, facts: &FileFacts, signature: &LinkedSignature) -> Option<TakenMembers> {
        let object = signature.result.as_ref().filter(|_| self.is_awaited || !signature.is_async)?;
        let taken = match object.shape {
            ResultShape::Object => {
                let position =
                    |name: &NameId| object.members.iter().position(|member| member.name == *facts.name(*name));
                let members = self.members.iter().filter_map(position).collect();
                TakenMembers { members, is_open: self.is_open || self.elements != 0 }
            }
            ResultShape::Tuple | ResultShape::NamedTuple => {
                let is_taken = |at: &usize| self.elements.checked_shr(*at as u32).is_some_and(|bits| bits & 1 == 1);
                // A method of the array may use any element.
                let is_open = self.is_open || !self.members.is_empty();
                TakenMembers { members: (0..object.members.len()).filter(is_taken).collect(), is_open }
            }
        };
        (!taken.is_open || taken.members.iter().next().is_some()).then_some(taken)
    }
}

/// A constant that holds the result of a call.
struct HeldResult {
    call: CallExprId,
    is_awaited: bool,
    /// The number of expressions that name the constant, without those that use a member.
    other_uses: i32,
}

/// The uses of the results of all calls of a file.
pub(in crate::typescript) fn result_uses(facts: &FileFacts) -> ResultUses {
    let mut uses = ResultUses::default();
    let mut holders: FxHashMap<VariableId, HeldResult> = FxHashMap::default();
    for (at, variable) in facts.variables.iter().enumerate() {
        let ValueSource::Value(value) = variable.source else { continue };
        let (origin, is_awaited) = unwrapped(facts, value);
        let Expr::Call(call) = origin else { continue };
        match variable.path.first() {
            None if variable.is_const => {
                holders.insert(VariableId::new(at), HeldResult { call, is_awaited, other_uses: 0 });
            }
            None => {}
            Some(step) => {
                let result = uses.entry(call).or_default();
                result.is_awaited |= is_awaited;
                match *step {
                    PatternStep::Property(name) => {
                        result.add(name);
                        result.destructured.push(name);
                    }
                    PatternStep::Element(at) => result.add_element(at),
                    PatternStep::RestElements(from) => {
                        result.elements |= u16::MAX.checked_shl(from.into()).unwrap_or(0);
                    }
                    _ => result.is_open = true,
                }
            }
        }
    }
    let mut held: FxHashMap<SymbolId, HeldResult> = FxHashMap::default();
    if !holders.is_empty() {
        for (at, symbol) in facts.symbols.iter().enumerate().filter(|(_, symbol)| !symbol.is_exported) {
            if let [Decl::Variable(variable)] = symbol.decls[..]
                && let Some(result) = holders.remove(&variable)
            {
                held.insert(SymbolId::new(at), result);
            }
        }
    }
    for expr in &facts.exprs {
        match *expr {
            Expr::Name { symbol: Some(symbol), .. } => {
                if let Some(result) = held.get_mut(&symbol) {
                    result.other_uses += 1;
                }
            }
            Expr::Property { object, name, .. } => {
                if let Some(result) = used_result(facts, object, &mut held, &mut uses) {
                    result.add(name);
                }
            }
            Expr::Item { object, at } => {
                if let Some(result) = used_result(facts, object, &mut held, &mut uses) {
                    result.add_element(at);
                }
            }
            _ => {}
        }
    }
    for result in held.into_values() {
        let HeldResult { call, is_awaited, other_uses } = result;
        let result = uses.entry(call).or_default();
        result.is_awaited |= is_awaited;
        result.is_open |= other_uses > 0;
    }
    uses
}

/// The result whose member an expression takes: of a call, or of a constant that holds one.
fn used_result<'u>(
    facts: &FileFacts,
    object: ExprId,
    held: &mut FxHashMap<SymbolId, HeldResult>,
    uses: &'u mut ResultUses,
) -> Option<&'u mut ResultUse> {
    let (origin, is_awaited) = unwrapped(facts, object);
    let call = match origin {
        Expr::Call(call) => call,
        Expr::Name { symbol: Some(symbol), .. } => {
            let result = held.get_mut(&symbol)?;
            result.other_uses -= 1;
            result.call
        }
        _ => return None,
    };
    let result = uses.entry(call).or_default();
    result.is_awaited |= is_awaited;
    Some(result)
}

/// The expression in `await x`, `x!`, and behind type guards; and whether it is awaited.
fn unwrapped(facts: &FileFacts, expr: ExprId) -> (Expr, bool) {
    let (mut expr, mut is_awaited) = (facts.expr(expr), false);
    for _ in 0..MAX_WRAPPERS {
        expr = match expr {
            Expr::NonNull(inner) | Expr::Narrowed(inner, _) => facts.expr(inner),
            Expr::Await(inner) => {
                is_awaited = true;
                facts.expr(inner)
            }
            _ => break,
        };
    }
    (expr, is_awaited)
}

/// Adds the members that calls destructure to the results of functions that return an object of unknown type, or an
/// object with parts of unknown type.
pub(in crate::typescript) fn name_taken_members(
    files: &[SourceFile],
    resolved: &[Vec<ResolvedCall>],
    uses: &[ResultUses],
    rows: &DefinitionRows,
    definitions: &mut [LinkedDefinition],
) {
    let mut taken: FxHashMap<DefinitionRow, FxHashMap<CompactString, u32>> = FxHashMap::default();
    for ((file, resolved), uses) in files.iter().zip(resolved).zip(uses) {
        for (site, result) in uses.iter().filter(|(_, result)| !result.destructured.is_empty()) {
            let call = &resolved[site.index()];
            let row = match (&call.candidates[..], call.value) {
                (&[candidate], _) => rows.of_def.get(&candidate).copied(),
                ([], Some(value)) => rows.of_value(value),
                _ => None,
            };
            let Some(row) = row else { continue };
            let callee = &definitions[row.index()];
            let Some(signature) = callee.signature.as_ref().filter(|_| returns_unknown_members(callee)) else {
                continue;
            };
            // A function that is not `async` may return a promise, whose own members are not these.
            if signature.is_async == result.is_awaited {
                let names = taken.entry(row).or_default();
                for name in &result.destructured {
                    *names.entry(CompactString::new(file.facts.name(*name))).or_default() += 1;
                }
            }
        }
    }
    for (row, names) in taken {
        let Some(signature) = &mut definitions[row.index()].signature else { continue };
        let known =
            signature.result.take().map_or_else(ReturnedObject::default, |object| ReturnedObject::clone(&object));
        let is_new = |name: &CompactString| known.members.iter().all(|member| member.name != name.as_str());
        let new = most_passed(names.into_iter().filter(|(name, _)| is_new(name)));
        let member =
            |name: CompactString| ReturnedMember { name: name.as_str().into(), annotation: None, is_optional: false };
        let members = known.members.iter().cloned().chain(new.into_iter().map(member)).collect();
        signature.result = Some(ReturnedObject { members, is_open: true, ..known }.into());
    }
}

/// Whether a function has a result that is not declared, and of which nothing or a part is known.
fn returns_unknown_members(callee: &LinkedDefinition) -> bool {
    let is_unknown = |signature: &LinkedSignature| {
        signature.returns.is_none()
            && signature.inferred_returns.is_none()
            && signature.result.as_ref().is_none_or(|object| object.is_open)
    };
    callee.kind != DefinitionKind::Class
        && callee.overloads.is_empty()
        && callee.signature.as_deref().is_some_and(is_unknown)
}

#[cfg(test)]
mod tests {
    use super::*;
    use apidisc_facts::syntax::typescript::{Dialect, read};

    /// The members that the code takes of the result of the first call in it; `…` if it may take more, `await` if it
    /// awaits the result. `None` if nothing is known.
    fn taken(code: &str) -> Option<String> {
        let facts = read(code, Dialect::Tsx, false);
        let uses = result_uses(&facts);
        let (_, result) = uses.iter().min_by_key(|(site, _)| facts.site(**site).line)?;
        let mut words: Vec<&str> = result.members.iter().map(|name| facts.name(*name)).collect();
        words.sort_unstable();
        let taken = (0..4).filter(|at| (result.elements >> at) & 1 == 1);
        let elements: Vec<String> = taken.map(|at| format!("[{at}]")).collect();
        words.extend(elements.iter().map(String::as_str));
        words.extend(result.is_open.then_some("…"));
        words.extend(result.is_awaited.then_some("await"));
        Some(words.join(" "))
    }

    #[test]
    fn a_result_is_destructured_used_at_once_or_held() {
        for (code, expected) in [
            ("const { a, b: c = 1, d: { e } } = f();", "a b d"),
            ("const { a, ...rest } = f();", "a …"),
            ("const { a, [key]: b } = f();", "a …"),
            ("const { a } = (await f())!;", "a await"),
            ("f().a(); ", "a"),
            ("(await f())?.a;", "a await"),
            ("const t = f(); t.a(); t?.b; if (t) t.a;", "a b …"),
            ("const t = f(); t.a(); t?.b;", "a b"),
            ("const t = f(); const { a } = t; t.b;", "b …"),
            ("const t = f();", ""),
            ("const [a, b] = f();", "[0] [1]"),
            ("const [, b] = f();", "[1]"),
            ("const [a = 1, { b }] = await f();", "[0] [1] await"),
            ("const [a, ...b] = f();", "[0] [1] [2] [3]"),
            ("f()[1](2);", "[1]"),
            ("const t = f(); t[0]; t[1]();", "[0] [1]"),
            ("const t = f(); const [a] = t;", "…"),
        ] {
            assert_eq!(taken(code).as_deref(), Some(expected), "{code}");
        }
    }

    #[test]
    fn a_result_that_is_passed_on_is_used_in_an_unknown_way() {
        for use_of_t in [
            "g(t)",
            "[t]",
            "({ t })",
            "({ ...t })",
            "<X v={t} />",
            "<X {...t} />",
            "`${t}`",
            "t + 1",
            "() => t",
            "t",
            "x = t",
            "t[key]",
            "t as any",
            "t ? 1 : 2",
            "new C(t)",
            "(() => { return t })()",
            "for (const k in t) {}",
            "typeof t",
            "!t",
            "throw t",
            "switch (t) {}",
            "while (t) {}",
        ] {
            let code = format!("const t = f();\nt.a;\n{use_of_t};");
            assert_eq!(taken(&code).as_deref(), Some("a …"), "{code}");
        }
        for code in ["export const t = f();\nt.a;", "const t = f();\nt.a;\nexport { t };"] {
            assert_eq!(taken(code), None, "{code}");
        }
        for code in ["g(f());", "let t = f();\nt = 1;", "x = f();", "f();", "const t = { ...f() };"] {
            assert_eq!(taken(code), None, "{code}");
        }
    }
}
