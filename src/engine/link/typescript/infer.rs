//! Types on demand: questions, their answers, and circles among them.

use rustc_hash::FxHashMap;

use super::{
    modules::ModuleResolver,
    name_interner::InternedName,
    program::{FileIndex, GlobalDef, GlobalSymbol, ProgramFacts},
    resolved_names::ResolvedName,
    type_interner::TypeInterner,
    types::{InternedType, Substitution},
};
use crate::syntax::typescript::facts::{Context, Decl, Expr, ExprId, SiteId, TypeId, ValueSource, VariableId};

/// Something that is asked once and remembered. Expressions, which are most, have a table of their own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum TypeQuery {
    TypeNode(FileIndex, TypeId),
    Variable(FileIndex, VariableId),
    /// The type of a symbol used as a value.
    Symbol(GlobalSymbol),
    /// The right-hand side of a type alias, with its type parameters free.
    Alias(GlobalSymbol),
    Parameter(GlobalDef, u16),
    Return(GlobalDef),
    Member(GlobalDef, u16),
    Contextual(FileIndex, ExprId),
    /// The instance type of the class that a class extends.
    BaseClass(GlobalDef),
}

#[derive(Clone, Copy, Debug)]
enum Answer {
    /// Being answered, at that depth of questions.
    Busy(u32),
    WellKnown(InternedType),
}

/// Expressions and members are followed that deep; what lies deeper is not known.
const MAX_DEPTH: u32 = 220;

/// How often an answer is sought anew that was cut short by a circle.
const MAX_ATTEMPTS: u8 = 3;

/// An expression not asked for yet; see [`Linker::exprs`].
const UNASKED: u32 = 0;

/// Links a program: knows its tables and answers questions of type.
#[derive(Debug)]
pub(super) struct Linker<'f> {
    pub(super) program: ProgramFacts<'f>,
    pub(super) types: TypeInterner,
    pub(super) resolver: ModuleResolver,
    pub(super) well_known: WellKnownNames,
    answers: FxHashMap<TypeQuery, Answer>,
    attempts: FxHashMap<TypeQuery, u8>,
    /// Per file and expression: [`UNASKED`], or one more than the type's row.
    exprs: Vec<Vec<u32>>,
    busy_exprs: FxHashMap<(FileIndex, ExprId), u32>,
    pub(super) calls: FxHashMap<(FileIndex, SiteId, u16), Option<(u16, Substitution)>>,
    pub(super) exported: FxHashMap<(FileIndex, InternedName), Option<ResolvedName>>,
    pub(super) imported: FxHashMap<(FileIndex, u32), ResolvedName>,
    pub(super) substituted: FxHashMap<(InternedType, Substitution), InternedType>,
    pub(super) member_tables: FxHashMap<GlobalDef, FxHashMap<(InternedName, bool), u16>>,
    /// `f.name = () => …` on functions and objects: the value, by what it is put on.
    pub(super) added: FxHashMap<(GlobalDef, InternedName), (FileIndex, ExprId)>,
    depth: u32,
    /// The lowest depth of a busy question that was met since it was last reset.
    lowest: u32,
}

/// Names that inference itself looks for.
#[derive(Debug)]
pub(super) struct WellKnownNames {
    pub(super) array: Option<GlobalSymbol>,
    pub(super) readonly_array: Option<GlobalSymbol>,
    pub(super) promise: Option<GlobalSymbol>,
    pub(super) generator: Option<GlobalSymbol>,
    pub(super) async_generator: Option<GlobalSymbol>,
    pub(super) string: Option<GlobalSymbol>,
    pub(super) number: Option<GlobalSymbol>,
    pub(super) boolean: Option<GlobalSymbol>,
    pub(super) function: Option<GlobalSymbol>,
    pub(super) iterable: Option<GlobalSymbol>,
    pub(super) default: InternedName,
    pub(super) empty: InternedName,
    pub(super) props: InternedName,
    pub(super) then: InternedName,
    pub(super) prototype: InternedName,
}

impl<'f> Linker<'f> {
    pub(super) fn new(mut program: ProgramFacts<'f>, resolver: ModuleResolver) -> Self {
        let mut global = |text: &str| {
            let name = program.names.intern(text);
            program.find_global(name)
        };
        let (array, readonly_array) = (global("Array"), global("ReadonlyArray"));
        let (promise, iterable) = (global("Promise"), global("Iterable"));
        let (generator, async_generator) = (global("Generator"), global("AsyncGenerator"));
        let (string, number, boolean) = (global("String"), global("Number"), global("Boolean"));
        let function = global("Function");
        let mut name = |text: &str| program.names.intern(text);
        let (default, empty, props) = (name("default"), name(""), name("props"));
        let (then, prototype) = (name("then"), name("prototype"));
        let well_known = WellKnownNames {
            array,
            readonly_array,
            promise,
            generator,
            async_generator,
            string,
            number,
            boolean,
            function,
            iterable,
            default,
            empty,
            props,
            then,
            prototype,
        };
        let exprs =
            (0..program.file_count()).map(|i| vec![UNASKED; program.facts(FileIndex::new(i)).exprs.len()]).collect();
        let added = added(&program);
        Self {
            added,
            program,
            types: TypeInterner::new(),
            resolver,
            well_known,
            answers: FxHashMap::default(),
            attempts: FxHashMap::default(),
            exprs,
            busy_exprs: FxHashMap::default(),
            calls: FxHashMap::default(),
            exported: FxHashMap::default(),
            imported: FxHashMap::default(),
            substituted: FxHashMap::default(),
            member_tables: FxHashMap::default(),
            depth: 0,
            lowest: u32::MAX,
        }
    }

    /// The answer to a question, found by `find` where it is not known yet. In a circle, what is asked again is not
    /// known; an answer that a circle cut short is not kept while something better may still be found.
    pub(super) fn ask(&mut self, question: TypeQuery, find: impl FnOnce(&mut Self) -> InternedType) -> InternedType {
        match self.answers.get(&question) {
            Some(Answer::WellKnown(ty)) => return *ty,
            Some(Answer::Busy(depth)) => {
                self.lowest = self.lowest.min(*depth);
                return InternedType::ANY;
            }
            None => {}
        }
        if self.depth >= MAX_DEPTH {
            return InternedType::ANY;
        }
        self.depth += 1;
        let depth = self.depth;
        self.answers.insert(question, Answer::Busy(depth));
        let outer = std::mem::replace(&mut self.lowest, u32::MAX);
        let ty = find(self);
        let cut_short = self.lowest < depth;
        self.lowest = if cut_short { outer.min(self.lowest) } else { outer };
        self.depth -= 1;
        if cut_short && ty == InternedType::ANY && self.try_again(question) {
            self.answers.remove(&question);
        } else {
            self.answers.insert(question, Answer::WellKnown(ty));
        }
        ty
    }

    fn try_again(&mut self, question: TypeQuery) -> bool {
        let attempts = self.attempts.entry(question).or_default();
        *attempts += 1;
        *attempts < MAX_ATTEMPTS
    }

    /// The type of an expression.
    pub(super) fn expr_type(&mut self, file: FileIndex, expr: ExprId) -> InternedType {
        let slot = self.exprs[file.index()][expr.index()];
        if slot != UNASKED {
            return InternedType::new(slot as usize - 1);
        }
        if let Some(&depth) = self.busy_exprs.get(&(file, expr)) {
            self.lowest = self.lowest.min(depth);
            return InternedType::ANY;
        }
        if self.depth >= MAX_DEPTH {
            return InternedType::ANY;
        }
        self.depth += 1;
        let depth = self.depth;
        self.busy_exprs.insert((file, expr), depth);
        let outer = std::mem::replace(&mut self.lowest, u32::MAX);
        let ty = self.find_expr_type(file, expr);
        let cut_short = self.lowest < depth;
        self.lowest = if cut_short { outer.min(self.lowest) } else { outer };
        self.depth -= 1;
        self.busy_exprs.remove(&(file, expr));
        // Expressions are cheap to ask anew: what they hang on is counted.
        if !(cut_short && ty == InternedType::ANY) {
            self.exprs[file.index()][expr.index()] = ty.index() as u32 + 1;
        }
        ty
    }

    /// A type of the platform with its arguments; not known where the platform lacks it.
    pub(super) fn platform_type(&mut self, symbol: Option<GlobalSymbol>, args: &[InternedType]) -> InternedType {
        match symbol {
            Some(symbol) => {
                self.types.intern(super::types::TypeKind::Reference(symbol, args.iter().copied().collect()))
            }
            None => InternedType::EXTERNAL,
        }
    }
}

/// What files assign to properties of functions and object literals that a name holds.
fn added(program: &ProgramFacts<'_>) -> FxHashMap<(GlobalDef, InternedName), (FileIndex, ExprId)> {
    let mut added = FxHashMap::default();
    for i in 0..program.file_count() {
        let file = FileIndex::new(i);
        let facts = program.facts(file);
        for &(value, context) in &facts.contexts {
            let Context::Assigned(target) = context else { continue };
            let Expr::Property { object, name, .. } = facts.expr(target) else { continue };
            let Expr::Name { symbol: Some(symbol), .. } = facts.expr(object) else { continue };
            let holder = facts.symbol(symbol).decls.iter().find_map(|decl| match *decl {
                Decl::Def(def) => Some(def),
                Decl::Variable(variable) => match facts.variables[variable.index()].source {
                    ValueSource::Value(value) => match facts.expr(value) {
                        Expr::Function(def) | Expr::Object(def) => Some(def),
                        _ => None,
                    },
                    _ => None,
                },
                _ => None,
            });
            if let Some(holder) = holder {
                let key = (program.global_def(file, holder), program.name(file, name));
                added.entry(key).or_insert((file, value));
            }
        }
    }
    added
}
