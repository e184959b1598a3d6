//! The grammar's node kinds and fields as small enums, looked up once.

use std::sync::OnceLock;

macro_rules! kinds {
    ($($variant:ident = $name:literal),* $(,)?) => {
        /// The named node kinds that lowering tells apart.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(super) enum NodeKind {
            $($variant,)*
            /// Every other named kind.
            Other,
            /// Punctuation and keywords.
            Token,
        }

        fn kind_of(name: &str) -> NodeKind {
            match name {
                $($name => NodeKind::$variant,)*
                _ => NodeKind::Other,
            }
        }
    };
}

kinds! {
    AliasedImport = "aliased_import",
    ArgumentList = "argument_list",
    AsPattern = "as_pattern",
    AsPatternTarget = "as_pattern_target",
    AssertStatement = "assert_statement",
    Assignment = "assignment",
    Attribute = "attribute",
    AugmentedAssignment = "augmented_assignment",
    Await = "await",
    BinaryOperator = "binary_operator",
    Block = "block",
    BooleanOperator = "boolean_operator",
    BreakStatement = "break_statement",
    Call = "call",
    CaseClause = "case_clause",
    CasePattern = "case_pattern",
    ClassDefinition = "class_definition",
    ClassPattern = "class_pattern",
    Comment = "comment",
    ComparisonOperator = "comparison_operator",
    ConcatenatedString = "concatenated_string",
    ConditionalExpression = "conditional_expression",
    ContinueStatement = "continue_statement",
    DecoratedDefinition = "decorated_definition",
    Decorator = "decorator",
    DefaultParameter = "default_parameter",
    DeleteStatement = "delete_statement",
    Dictionary = "dictionary",
    DictionaryComprehension = "dictionary_comprehension",
    DictionarySplat = "dictionary_splat",
    DictionarySplatPattern = "dictionary_splat_pattern",
    DottedName = "dotted_name",
    ElifClause = "elif_clause",
    Ellipsis = "ellipsis",
    ElseClause = "else_clause",
    Error = "ERROR",
    ExceptClause = "except_clause",
    ExpressionList = "expression_list",
    ExpressionStatement = "expression_statement",
    False = "false",
    FinallyClause = "finally_clause",
    Float = "float",
    ForInClause = "for_in_clause",
    ForStatement = "for_statement",
    FunctionDefinition = "function_definition",
    FutureImport = "future_import_statement",
    GeneratorExpression = "generator_expression",
    GenericType = "generic_type",
    GlobalStatement = "global_statement",
    Identifier = "identifier",
    IfClause = "if_clause",
    IfStatement = "if_statement",
    ImportFrom = "import_from_statement",
    ImportPrefix = "import_prefix",
    ImportStatement = "import_statement",
    Integer = "integer",
    Interpolation = "interpolation",
    KeywordArgument = "keyword_argument",
    KeywordPattern = "keyword_pattern",
    KeywordSeparator = "keyword_separator",
    Lambda = "lambda",
    LambdaParameters = "lambda_parameters",
    List = "list",
    ListComprehension = "list_comprehension",
    ListPattern = "list_pattern",
    ListSplat = "list_splat",
    ListSplatPattern = "list_splat_pattern",
    MatchStatement = "match_statement",
    MemberType = "member_type",
    Module = "module",
    NamedExpression = "named_expression",
    None = "none",
    NonlocalStatement = "nonlocal_statement",
    NotOperator = "not_operator",
    Pair = "pair",
    Parameters = "parameters",
    ParenthesizedExpression = "parenthesized_expression",
    PassStatement = "pass_statement",
    PatternList = "pattern_list",
    PositionalSeparator = "positional_separator",
    RaiseStatement = "raise_statement",
    RelativeImport = "relative_import",
    ReturnStatement = "return_statement",
    Set = "set",
    SetComprehension = "set_comprehension",
    Slice = "slice",
    SplatPattern = "splat_pattern",
    String = "string",
    StringContent = "string_content",
    Subscript = "subscript",
    True = "true",
    TryStatement = "try_statement",
    Tuple = "tuple",
    TuplePattern = "tuple_pattern",
    Type = "type",
    TypeAliasStatement = "type_alias_statement",
    TypeParameter = "type_parameter",
    TypedDefaultParameter = "typed_default_parameter",
    TypedParameter = "typed_parameter",
    UnaryOperator = "unary_operator",
    UnionPattern = "union_pattern",
    UnionType = "union_type",
    WhileStatement = "while_statement",
    WildcardImport = "wildcard_import",
    WithClause = "with_clause",
    WithItem = "with_item",
    WithStatement = "with_statement",
    Yield = "yield",
}

/// Field ids of the grammar.
#[derive(Debug)]
pub(super) struct FieldIds {
    pub(super) alias: u16,
    pub(super) alternative: u16,
    pub(super) arguments: u16,
    pub(super) attribute: u16,
    pub(super) body: u16,
    pub(super) condition: u16,
    pub(super) consequence: u16,
    pub(super) function: u16,
    pub(super) guard: u16,
    pub(super) left: u16,
    pub(super) module_name: u16,
    pub(super) name: u16,
    pub(super) object: u16,
    pub(super) operator: u16,
    pub(super) parameters: u16,
    pub(super) return_type: u16,
    pub(super) right: u16,
    pub(super) subject: u16,
    pub(super) subscript: u16,
    pub(super) superclasses: u16,
    pub(super) ty: u16,
    pub(super) value: u16,
}

/// The grammar with its tables.
#[derive(Debug)]
pub(super) struct Grammar {
    pub(super) language: tree_sitter::Language,
    kinds: Vec<NodeKind>,
    pub(super) fields: FieldIds,
}

impl Grammar {
    /// Python's, made on first use.
    pub(super) fn get() -> &'static Self {
        static GRAMMAR: OnceLock<Grammar> = OnceLock::new();
        GRAMMAR.get_or_init(|| {
            let language = tree_sitter::Language::new(tree_sitter_python::LANGUAGE);
            let kinds = (0..language.node_kind_count() as u16)
                .map(|id| match language.node_kind_for_id(id) {
                    Some(name) if language.node_kind_is_named(id) => kind_of(name),
                    _ => NodeKind::Token,
                })
                .collect();
            let field = |name| language.field_id_for_name(name).map_or(u16::MAX, std::num::NonZero::get);
            let fields = FieldIds {
                alias: field("alias"),
                alternative: field("alternative"),
                arguments: field("arguments"),
                attribute: field("attribute"),
                body: field("body"),
                condition: field("condition"),
                consequence: field("consequence"),
                function: field("function"),
                guard: field("guard"),
                left: field("left"),
                module_name: field("module_name"),
                name: field("name"),
                object: field("object"),
                operator: field("operator"),
                parameters: field("parameters"),
                return_type: field("return_type"),
                right: field("right"),
                subject: field("subject"),
                subscript: field("subscript"),
                superclasses: field("superclasses"),
                ty: field("type"),
                value: field("value"),
            };
            Self { language, kinds, fields }
        })
    }

    /// The kind of a node.
    #[inline]
    pub(super) fn kind(&self, id: u16) -> NodeKind {
        // Error nodes carry an id beyond the table.
        self.kinds.get(id as usize).copied().unwrap_or(NodeKind::Error)
    }
}
