//! Constants whose type is a function type.
//!
//! - `export const persist = persistImpl as unknown as Persist` holds a function that may be unknown. It is described
//!   as a function with the signatures of its type, and calls through its name count for it. The callee of such a call
//!   is not certain: see [`Modifiers::is_constant`].
//!   `export const Agent: { new (name: string): Instance }` likewise: see [`Modifiers::is_new`].
//! - `export const handler: Handler = (event) => …` holds a function expression. Its signature is that of the
//!   expression, with the types that `Handler` declares. If `Handler` has several call signatures, they are its
//!   overloads.

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::{
    infer::Linker,
    program::{FileIndex, GlobalDef},
    resolved_names::ResolvedName,
    rows::DefinitionRows,
    type_names::TypeNames,
    types::InternedType,
};
use crate::linked::{LinkedDefinition, LinkedParameter, LinkedSignature};
use apidisc_base::nesting;
use apidisc_facts::{
    program::{DefinitionKind, Modifiers},
    syntax::{
        MAX_PARAMETERS,
        typescript::facts::{Decl, Expr, ExprId, FunctionKind, TypeId, ValueSource, VariableId},
    },
};

/// The greatest number of parts of a callee such as `a.b.f` that names a constant.
const MAX_PARTS: u32 = 4;

impl Linker<'_> {
    /// The variable that a callee names directly or through namespaces: `persist`, `middleware.persist`.
    pub(super) fn called_constant(&mut self, file: FileIndex, callee: ExprId) -> Option<(FileIndex, VariableId)> {
        let mut named = self.constant_of_name(file, callee)?;
        // A constant whose value is the name of another constant is an alias of that constant, unless it is annotated
        // or destructured (`const { … } = …`).
        for _ in 0..MAX_PARTS {
            let (file, variable) = named;
            let row = &self.program.facts(file).variables[variable.index()];
            let ValueSource::Value(value) = row.source else { break };
            if !row.is_const || row.annotation.is_some() || !row.path.is_empty() {
                break;
            }
            let Some(next) = self.constant_of_name(file, value) else { break };
            named = next;
        }
        Some(named)
    }

    /// The variable that a name or a property of a namespace denotes.
    fn constant_of_name(&mut self, file: FileIndex, name: ExprId) -> Option<(FileIndex, VariableId)> {
        let resolved = self.named_value(file, name, 0)?;
        self.variable_of(resolved)
    }

    /// The variable that a name resolves to.
    pub(super) fn variable_of(&self, resolved: ResolvedName) -> Option<(FileIndex, VariableId)> {
        let ResolvedName::Symbol(symbol) = resolved else { return None };
        let (file, symbol) = self.program.symbol(symbol);
        symbol.decls.iter().find_map(|decl| match decl {
            Decl::Variable(variable) => Some((file, *variable)),
            _ => None,
        })
    }

    /// The resolution of an expression that consists of names: `f`, `namespace.f`.
    pub(super) fn named_value(&mut self, file: FileIndex, value: ExprId, depth: u32) -> Option<ResolvedName> {
        let _level = nesting::descend()?;
        match self.program.facts(file).expr(value) {
            Expr::Name { symbol: Some(symbol), .. } => Some(self.resolve_symbol(file, symbol)),
            Expr::Property { object, name, .. } if depth < MAX_PARTS => {
                let parent = self.named_value(file, object, depth + 1)?;
                self.resolve_member(parent, self.program.name(file, name))
            }
            Expr::Narrowed(inner, _) | Expr::NonNull(inner) if depth < MAX_PARTS => {
                self.named_value(file, inner, depth + 1)
            }
            _ => None,
        }
    }

    /// Completes the signature of a function expression by the type of the constant that holds it: the types of
    /// parameters and result, and the parameters that the expression leaves out.
    pub(super) fn add_declared_types(
        &mut self,
        function: GlobalDef,
        rows: &DefinitionRows,
        objects: &FxHashMap<GlobalDef, SmallVec<[u16; 2]>>,
        signature: &mut LinkedSignature,
        names: &mut TypeNames,
    ) {
        let all = self.declared_signatures(function);
        let Some(declared) = self.longest(&all) else { return };
        let declaration = self.linked_signature(declared, &positions_of_objects(&all, objects));
        let own: Vec<usize> = top_level(signature).collect();
        let has_rest = own.last().is_some_and(|&last| signature.parameters[last].is_variadic());
        for (at, declared_at) in top_level(&declaration).enumerate() {
            let parameter = &declaration.parameters[declared_at];
            if let Some(&position) = own.get(at) {
                let own = &mut signature.parameters[position];
                if own.annotation.is_none() && own.is_variadic() == parameter.is_variadic() {
                    own.annotation.clone_from(&parameter.annotation);
                    own.required &= parameter.required;
                }
            } else if !has_rest && signature.parameters.len() < MAX_PARAMETERS {
                let position = signature.parameters.len() as u16;
                signature.parameters.push(parameter.clone());
                let within = |property: &&LinkedParameter| property.within == Some(declared_at as u16);
                let moved = |property: &LinkedParameter| LinkedParameter { within: Some(position), ..property.clone() };
                signature.parameters.extend(declaration.parameters.iter().filter(within).map(moved));
            }
        }
        if signature.returns.is_none() {
            signature.returns = declaration.returns;
        }
        if signature.type_parameters.is_none() {
            signature.type_parameters = declaration.type_parameters;
        }
        for def in all {
            self.add_type_names_of_function(def, rows, names);
        }
    }

    /// The signature with the most parameters, which can bind every argument.
    pub(super) fn longest(&self, signatures: &[GlobalDef]) -> Option<GlobalDef> {
        let parameters = |def: &GlobalDef| self.program.function(*def).map_or(0, |function| function.params.len());
        signatures.iter().copied().rev().max_by_key(parameters)
    }

    /// The call signatures of the type that the declaration of a constant gives the function expression which it holds:
    /// by an annotation, or by a type assertion around the expression. Empty if there is none, or if the type is
    /// declared outside the sources.
    pub(super) fn declared_signatures(&mut self, function: GlobalDef) -> SmallVec<[GlobalDef; 2]> {
        let Some((file, node)) = self.declared_type(function) else { return SmallVec::new() };
        let ty = self.type_from_node(file, node);
        self.own_signatures(ty)
    }

    /// The annotation of the constant that holds a function expression, or the type of the assertion around it.
    fn declared_type(&self, function: GlobalDef) -> Option<(FileIndex, TypeId)> {
        let file = self.program.file_of(function);
        let facts = self.program.facts(file);
        let (expr, name) = (self.program.def(function).expr?, self.program.def(function).name?);
        let symbol = facts.symbol_in(facts.file_scope(), name)?;
        facts.symbol(symbol).decls.iter().find_map(|decl| {
            let Decl::Variable(variable) = decl else { return None };
            let row = &facts.variables[variable.index()];
            let ValueSource::Value(value) = row.source else { return None };
            let asserted = match facts.expr(value) {
                Expr::As(_, node) => Some(node),
                _ => None,
            };
            let is_held = row.path.is_empty() && self.held_value(file, value) == Some(expr);
            row.annotation.or(asserted).filter(|_| is_held).map(|node| (file, node))
        })
    }

    /// The signatures of a constant's type; see [`Self::own_signatures`]. Empty if the type is not known, is no function
    /// type, or is declared outside the sources.
    pub(super) fn constant_signatures(&mut self, file: FileIndex, constant: VariableId) -> SmallVec<[GlobalDef; 2]> {
        let ty = self.variable_type(file, constant);
        self.own_signatures(ty)
    }

    /// The call signatures of a type, or its construct signatures if it has none. Empty if one of them is declared outside
    /// the sources, or by a class.
    pub(super) fn own_signatures(&mut self, ty: InternedType) -> SmallVec<[GlobalDef; 2]> {
        let mut signatures = self.signatures(ty, false);
        if signatures.is_empty() {
            signatures = self.signatures(ty, true);
            if !signatures.iter().all(|signature| self.is_construct_signature(signature.def)) {
                return SmallVec::new();
            }
        }
        if signatures.iter().any(|signature| self.program.is_platform(signature.def)) {
            return SmallVec::new();
        }
        signatures.into_iter().map(|signature| signature.def).collect()
    }

    /// Whether a function is a construct signature: `new (x: number): T`, or the type `new (x: number) => T`.
    pub(super) fn is_construct_signature(&self, def: GlobalDef) -> bool {
        let kind = self.program.function(def).map(|function| function.kind);
        matches!(kind, Some(FunctionKind::ConstructSignature | FunctionKind::ConstructorType))
    }

    /// Describes an exported constant: as a function if its type is a function type of the sources, else as a value
    /// with its type.
    pub(super) fn describe_constant(
        &mut self,
        file: FileIndex,
        constant: VariableId,
        rows: &DefinitionRows,
        objects: &FxHashMap<GlobalDef, SmallVec<[u16; 2]>>,
        definition: &mut LinkedDefinition,
        names: &mut TypeNames,
    ) {
        let row = &self.program.facts(file).variables[constant.index()];
        let signatures = self.constant_signatures(file, constant);
        if !signatures.is_empty() {
            self.describe_as_function(&signatures, rows, objects, definition, names);
            definition.kind = DefinitionKind::Function;
            let is_new = self.is_construct_signature(signatures[0]);
            definition.modifiers = Modifiers { is_constant: true, is_new, ..Modifiers::default() };
            if let Some(ty) = row.annotation.filter(|_| is_new) {
                // The annotation declares the properties.
                definition.annotation.clone_from(&row.annotation_text);
                self.add_type_names(file, ty, rows, names, 0);
            }
            return;
        }
        definition.annotation.clone_from(&row.annotation_text);
        definition.value.clone_from(&row.value_text);
        match (row.annotation, row.source) {
            (Some(ty), _) => self.add_type_names(file, ty, rows, names, 0),
            (None, ValueSource::Value(value)) if row.value_text.is_none() || !self.has_evident_type(file, value) => {
                definition.annotation = self.certain_type(file, value, rows, names);
            }
            _ => {}
        }
    }

    /// Whether the text of a value shows its type, as the text of a literal does.
    fn has_evident_type(&self, file: FileIndex, value: ExprId) -> bool {
        !matches!(self.program.facts(file).expr(value), Expr::Call(_) | Expr::Name { .. })
    }

    /// Gives a definition these call signatures: the longest one, to whose parameters arguments are bound, and, if there
    /// are several, all of them as overloads.
    pub(super) fn describe_as_function(
        &mut self,
        signatures: &[GlobalDef],
        rows: &DefinitionRows,
        objects: &FxHashMap<GlobalDef, SmallVec<[u16; 2]>>,
        definition: &mut LinkedDefinition,
        names: &mut TypeNames,
    ) {
        let Some(longest) = self.longest(signatures) else { return };
        let chosen = positions_of_objects(signatures, objects);
        let mut signature = self.linked_signature(longest, &chosen);
        if signatures.len() > 1 {
            self.add_overload_properties(signatures, &chosen, &mut signature);
            definition.overloads = signatures.iter().map(|&def| self.linked_signature(def, &chosen)).collect();
        }
        definition.signature = Some(signature);
        for &def in signatures {
            self.add_type_names_of_function(def, rows, names);
        }
    }
}

/// The positions of the parameters of `functions` that receive object literals in calls.
pub(super) fn positions_of_objects(
    functions: &[GlobalDef],
    objects: &FxHashMap<GlobalDef, SmallVec<[u16; 2]>>,
) -> SmallVec<[u16; 2]> {
    let mut positions: SmallVec<[u16; 2]> = SmallVec::new();
    for &at in functions.iter().filter_map(|def| objects.get(def)).flatten() {
        if !positions.contains(&at) {
            positions.push(at);
        }
    }
    positions
}

/// The positions of the parameters that are no properties of objects.
fn top_level(signature: &LinkedSignature) -> impl Iterator<Item = usize> + '_ {
    let parameters = signature.parameters.iter().enumerate();
    parameters.filter(|(_, parameter)| parameter.within.is_none()).map(|(position, _)| position)
}
