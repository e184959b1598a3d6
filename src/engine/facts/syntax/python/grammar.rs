//! The node kinds and fields of the Python grammar.

use std::sync::OnceLock;

use crate::syntax::grammar::{GrammarTables, field_ids, node_kinds};

node_kinds! {
    /// The named node kinds that lowering distinguishes.
    enum NodeKind {
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
        DictPattern = "dict_pattern",
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
        SplatType = "splat_type",
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
        ;
        /// Punctuation and keywords.
        Token
    }
}

impl NodeKind {
    /// True for nodes that are neither expressions nor statements: punctuation, keywords and comments.
    pub(super) fn is_token_or_comment(self) -> bool {
        matches!(self, Self::Token | Self::Comment)
    }
}

field_ids! {
    /// The field ids of the grammar.
    struct FieldIds {
        alias = "alias",
        alternative = "alternative",
        arguments = "arguments",
        attribute = "attribute",
        body = "body",
        condition = "condition",
        consequence = "consequence",
        function = "function",
        guard = "guard",
        key = "key",
        left = "left",
        module_name = "module_name",
        name = "name",
        object = "object",
        operator = "operator",
        parameters = "parameters",
        return_type = "return_type",
        right = "right",
        subject = "subject",
        subscript = "subscript",
        superclasses = "superclasses",
        ty = "type",
        type_parameters = "type_parameters",
        value = "value",
    }
}

/// The grammar of Python.
pub(super) type Grammar = GrammarTables<NodeKind, FieldIds>;

/// The grammar of Python, loaded on first use.
pub(super) fn grammar() -> &'static Grammar {
    static GRAMMAR: OnceLock<Grammar> = OnceLock::new();
    GRAMMAR.get_or_init(|| {
        let language = tree_sitter::Language::new(tree_sitter_python::LANGUAGE);
        let fields = FieldIds::of(&language);
        Grammar::new(language, fields, NodeKind::Error, |name, is_named| match name {
            Some(name) if is_named => NodeKind::of(name),
            _ => NodeKind::Token,
        })
    })
}
