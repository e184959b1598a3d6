//! The tables of types that are computed once: the types of expressions, and those of queries.

use super::TypeQuery;
use crate::memo::{Memo, MemoSlot};
use crate::typescript::{
    program::{FileIndex, ProgramFacts},
    types::InternedType,
};
use apidisc_facts::syntax::typescript::facts::ExprId;

/// What is known about the type of an expression.
#[derive(Clone, Copy, Debug)]
pub(super) enum ExprType {
    Unknown,
    /// The type is being computed by a computation at `depth`.
    InProgress {
        depth: u32,
    },
    Computed(InternedType),
}

/// The types of all expressions. An entry takes 4 bytes, a third of a slot of a [`Memo`]: expressions are more numerous
/// than anything else in a program.
#[derive(Debug)]
pub(super) struct ExprTypes {
    /// For each file and expression: [`Self::UNKNOWN`], [`Self::IN_PROGRESS`] and a depth, or the index of a type plus
    /// one.
    files: Vec<Vec<u32>>,
}

impl ExprTypes {
    const UNKNOWN: u32 = 0;

    /// The bit that marks a depth.
    const IN_PROGRESS: u32 = 1 << 31;

    pub(super) fn new(program: &ProgramFacts<'_>) -> Self {
        let files = (0..program.file_count()).map(|at| program.facts(FileIndex::new(at)).exprs.len());
        Self { files: files.map(|count| vec![Self::UNKNOWN; count]).collect() }
    }

    #[inline]
    pub(super) fn get(&self, file: FileIndex, expr: ExprId) -> ExprType {
        match self.files[file.index()][expr.index()] {
            Self::UNKNOWN => ExprType::Unknown,
            depth if depth & Self::IN_PROGRESS != 0 => ExprType::InProgress { depth: depth & !Self::IN_PROGRESS },
            ty => ExprType::Computed(InternedType::new(ty as usize - 1)),
        }
    }

    #[inline]
    pub(super) fn set(&mut self, file: FileIndex, expr: ExprId, ty: ExprType) {
        self.files[file.index()][expr.index()] = match ty {
            ExprType::Unknown => Self::UNKNOWN,
            ExprType::InProgress { depth } => depth | Self::IN_PROGRESS,
            ExprType::Computed(ty) => ty.index() as u32 + 1,
        };
    }

    /// Forgets the types of the files for which `is_kept` is false.
    pub(super) fn retain(&mut self, is_kept: impl Fn(FileIndex) -> bool) {
        for (at, types) in self.files.iter_mut().enumerate() {
            if !is_kept(FileIndex::new(at)) {
                types.fill(Self::UNKNOWN);
            }
        }
    }
}

/// The types of queries.
#[derive(Debug)]
pub(super) struct QueriedTypes {
    /// For each file and type node. The list of a file is empty until the first query.
    nodes: Vec<Vec<MemoSlot<InternedType>>>,
    others: Memo<TypeQuery, InternedType>,
}

impl QueriedTypes {
    pub(super) fn new(program: &ProgramFacts<'_>) -> Self {
        Self { nodes: vec![Vec::new(); program.file_count()], others: Memo::default() }
    }

    /// The slot of a query.
    #[inline]
    pub(super) fn slot(&mut self, program: &ProgramFacts<'_>, query: TypeQuery) -> &mut MemoSlot<InternedType> {
        match query {
            TypeQuery::TypeNode(file, node) => {
                let nodes = &mut self.nodes[file.index()];
                if nodes.is_empty() {
                    nodes.resize(program.facts(file).types.len(), MemoSlot::default());
                }
                &mut nodes[node.index()]
            }
            _ => self.others.slot(query),
        }
    }

    /// Forgets the types of the queries, other than those of type nodes, for which `is_kept` is false.
    pub(super) fn retain(&mut self, is_kept: impl FnMut(&TypeQuery) -> bool) {
        self.others.retain(is_kept);
    }
}
