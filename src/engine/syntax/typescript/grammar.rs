//! The node kinds, tokens and fields of the TypeScript grammars.

use std::sync::OnceLock;

use super::Dialect;
use crate::syntax::grammar::{field_ids, node_kinds};

node_kinds! {
    /// The named node kinds that lowering distinguishes.
    enum NodeKind {
        AbstractClassDeclaration = "abstract_class_declaration",
        AbstractMethodSignature = "abstract_method_signature",
        AccessibilityModifier = "accessibility_modifier",
        AddingTypeAnnotation = "adding_type_annotation",
        AmbientDeclaration = "ambient_declaration",
        Arguments = "arguments",
        Array = "array",
        ArrayPattern = "array_pattern",
        ArrayType = "array_type",
        ArrowFunction = "arrow_function",
        AsExpression = "as_expression",
        Asserts = "asserts",
        AssertsAnnotation = "asserts_annotation",
        AssignmentExpression = "assignment_expression",
        AssignmentPattern = "assignment_pattern",
        AugmentedAssignmentExpression = "augmented_assignment_expression",
        AwaitExpression = "await_expression",
        BinaryExpression = "binary_expression",
        BreakStatement = "break_statement",
        CallExpression = "call_expression",
        CallSignature = "call_signature",
        CatchClause = "catch_clause",
        Class = "class",
        ClassBody = "class_body",
        ClassDeclaration = "class_declaration",
        ClassHeritage = "class_heritage",
        ClassStaticBlock = "class_static_block",
        ComputedPropertyName = "computed_property_name",
        ConditionalType = "conditional_type",
        Constraint = "constraint",
        ConstructSignature = "construct_signature",
        ConstructorType = "constructor_type",
        ContinueStatement = "continue_statement",
        Decorator = "decorator",
        DefaultType = "default_type",
        DoStatement = "do_statement",
        ElseClause = "else_clause",
        EmptyStatement = "empty_statement",
        EnumAssignment = "enum_assignment",
        EnumBody = "enum_body",
        EnumDeclaration = "enum_declaration",
        ExportClause = "export_clause",
        ExportSpecifier = "export_specifier",
        ExportStatement = "export_statement",
        ExpressionStatement = "expression_statement",
        ExtendsClause = "extends_clause",
        ExtendsTypeClause = "extends_type_clause",
        False = "false",
        FinallyClause = "finally_clause",
        FlowMaybeType = "flow_maybe_type",
        ForInStatement = "for_in_statement",
        ForStatement = "for_statement",
        FormalParameters = "formal_parameters",
        FunctionDeclaration = "function_declaration",
        FunctionExpression = "function_expression",
        FunctionSignature = "function_signature",
        FunctionType = "function_type",
        GeneratorFunction = "generator_function",
        GeneratorFunctionDeclaration = "generator_function_declaration",
        GenericType = "generic_type",
        HtmlCharacterReference = "html_character_reference",
        Identifier = "identifier",
        IfStatement = "if_statement",
        ImplementsClause = "implements_clause",
        Import = "import",
        ImportAlias = "import_alias",
        ImportAttribute = "import_attribute",
        ImportClause = "import_clause",
        ImportRequireClause = "import_require_clause",
        ImportSpecifier = "import_specifier",
        ImportStatement = "import_statement",
        IndexSignature = "index_signature",
        IndexTypeQuery = "index_type_query",
        InferType = "infer_type",
        InstantiationExpression = "instantiation_expression",
        InterfaceBody = "interface_body",
        InterfaceDeclaration = "interface_declaration",
        InternalModule = "internal_module",
        IntersectionType = "intersection_type",
        JsxAttribute = "jsx_attribute",
        JsxClosingElement = "jsx_closing_element",
        JsxElement = "jsx_element",
        JsxExpression = "jsx_expression",
        JsxNamespaceName = "jsx_namespace_name",
        JsxOpeningElement = "jsx_opening_element",
        JsxSelfClosingElement = "jsx_self_closing_element",
        JsxText = "jsx_text",
        LabeledStatement = "labeled_statement",
        LexicalDeclaration = "lexical_declaration",
        LiteralType = "literal_type",
        LookupType = "lookup_type",
        MappedTypeClause = "mapped_type_clause",
        MemberExpression = "member_expression",
        MetaProperty = "meta_property",
        MethodDefinition = "method_definition",
        MethodSignature = "method_signature",
        Module = "module",
        NamedImports = "named_imports",
        NamespaceExport = "namespace_export",
        NamespaceImport = "namespace_import",
        NestedIdentifier = "nested_identifier",
        NestedTypeIdentifier = "nested_type_identifier",
        NewExpression = "new_expression",
        NonNullExpression = "non_null_expression",
        Null = "null",
        Number = "number",
        Object = "object",
        ObjectAssignmentPattern = "object_assignment_pattern",
        ObjectPattern = "object_pattern",
        ObjectType = "object_type",
        OmittingTypeAnnotation = "omitting_type_annotation",
        OptingTypeAnnotation = "opting_type_annotation",
        OptionalChain = "optional_chain",
        OptionalParameter = "optional_parameter",
        OptionalType = "optional_type",
        Pair = "pair",
        PairPattern = "pair_pattern",
        ParenthesizedExpression = "parenthesized_expression",
        ParenthesizedType = "parenthesized_type",
        PredefinedType = "predefined_type",
        PrivatePropertyIdentifier = "private_property_identifier",
        PropertyIdentifier = "property_identifier",
        PropertySignature = "property_signature",
        PublicFieldDefinition = "public_field_definition",
        ReadonlyType = "readonly_type",
        Regex = "regex",
        RequiredParameter = "required_parameter",
        RestPattern = "rest_pattern",
        RestType = "rest_type",
        ReturnStatement = "return_statement",
        SatisfiesExpression = "satisfies_expression",
        SequenceExpression = "sequence_expression",
        ShorthandPropertyIdentifier = "shorthand_property_identifier",
        ShorthandPropertyIdentifierPattern = "shorthand_property_identifier_pattern",
        SpreadElement = "spread_element",
        StatementBlock = "statement_block",
        String = "string",
        SubscriptExpression = "subscript_expression",
        Super = "super",
        SwitchBody = "switch_body",
        SwitchCase = "switch_case",
        SwitchDefault = "switch_default",
        SwitchStatement = "switch_statement",
        TemplateLiteralType = "template_literal_type",
        TemplateString = "template_string",
        TemplateSubstitution = "template_substitution",
        TemplateType = "template_type",
        TernaryExpression = "ternary_expression",
        This = "this",
        ThisType = "this_type",
        ThrowStatement = "throw_statement",
        True = "true",
        TryStatement = "try_statement",
        TupleType = "tuple_type",
        TypeAliasDeclaration = "type_alias_declaration",
        TypeAnnotation = "type_annotation",
        TypeArguments = "type_arguments",
        TypeAssertion = "type_assertion",
        TypeIdentifier = "type_identifier",
        TypeParameter = "type_parameter",
        TypeParameters = "type_parameters",
        TypePredicate = "type_predicate",
        TypePredicateAnnotation = "type_predicate_annotation",
        TypeQuery = "type_query",
        UnaryExpression = "unary_expression",
        Undefined = "undefined",
        UnionType = "union_type",
        UpdateExpression = "update_expression",
        VariableDeclaration = "variable_declaration",
        VariableDeclarator = "variable_declarator",
        WhileStatement = "while_statement",
        WithStatement = "with_statement",
        YieldExpression = "yield_expression",
        Error = "ERROR",
    }
}

node_kinds! {
    /// The punctuation and keywords that lowering distinguishes.
    enum TokenKind {
        Abstract = "abstract",
        And = "&&",
        AndAssign = "&&=",
        Asserts = "asserts",
        Assign = "=",
        Asterisk = "*",
        Async = "async",
        Await = "await",
        Bang = "!",
        Comma = ",",
        Const = "const",
        Default = "default",
        Delete = "delete",
        Equal = "==",
        Extends = "extends",
        Get = "get",
        Global = "global",
        Greater = ">",
        GreaterEqual = ">=",
        Identical = "===",
        In = "in",
        Instanceof = "instanceof",
        Less = "<",
        LessEqual = "<=",
        Let = "let",
        NotEqual = "!=",
        NotIdentical = "!==",
        Nullish = "??",
        NullishAssign = "??=",
        Of = "of",
        OptionalChain = "?.",
        Or = "||",
        OrAssign = "||=",
        Plus = "+",
        PlusAssign = "+=",
        Question = "?",
        Readonly = "readonly",
        Set = "set",
        Static = "static",
        Type = "type",
        Typeof = "typeof",
        Var = "var",
        Void = "void",
        Yield = "yield",
    }
}

/// The kind of a syntax node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SyntaxKind {
    /// A named node.
    Node(NodeKind),
    /// An anonymous node: punctuation or a keyword.
    Token(TokenKind),
    /// A comment.
    Comment,
}

field_ids! {
    /// The field ids of a grammar.
    struct FieldIds {
        alias = "alias",
        alternative = "alternative",
        arguments = "arguments",
        attribute = "attribute",
        body = "body",
        close_tag = "close_tag",
        condition = "condition",
        consequence = "consequence",
        constraint = "constraint",
        constructor = "constructor",
        declaration = "declaration",
        decorator = "decorator",
        finalizer = "finalizer",
        function = "function",
        handler = "handler",
        increment = "increment",
        index = "index",
        index_type = "index_type",
        initializer = "initializer",
        key = "key",
        left = "left",
        module = "module",
        name = "name",
        object = "object",
        open_tag = "open_tag",
        operator = "operator",
        parameter = "parameter",
        parameters = "parameters",
        pattern = "pattern",
        property = "property",
        return_type = "return_type",
        right = "right",
        source = "source",
        ty = "type",
        type_arguments = "type_arguments",
        type_parameters = "type_parameters",
        value = "value",
    }
}

/// A grammar, with the [`SyntaxKind`] of each of its node kinds and the ids of its fields.
#[derive(Debug)]
pub(super) struct Grammar {
    pub(super) language: tree_sitter::Language,
    /// The kinds of nodes, indexed by the kind id that tree-sitter gives a node.
    kinds: Vec<SyntaxKind>,
    pub(super) fields: FieldIds,
}

impl Grammar {
    /// The grammar of a dialect, loaded on first use.
    pub(super) fn of(dialect: Dialect) -> &'static Self {
        static TYPESCRIPT: OnceLock<Grammar> = OnceLock::new();
        static TSX: OnceLock<Grammar> = OnceLock::new();
        match dialect {
            Dialect::TypeScript => {
                TYPESCRIPT.get_or_init(|| Self::new(tree_sitter_typescript::LANGUAGE_TYPESCRIPT.into()))
            }
            Dialect::Tsx | Dialect::JavaScript => {
                TSX.get_or_init(|| Self::new(tree_sitter_typescript::LANGUAGE_TSX.into()))
            }
        }
    }

    fn new(language: tree_sitter::Language) -> Self {
        let kinds = (0..language.node_kind_count() as u16)
            .map(|id| match language.node_kind_for_id(id) {
                Some("comment" | "html_comment") => SyntaxKind::Comment,
                Some(name) if language.node_kind_is_named(id) => SyntaxKind::Node(NodeKind::of(name)),
                Some(name) => SyntaxKind::Token(TokenKind::of(name)),
                None => SyntaxKind::Token(TokenKind::Other),
            })
            .collect();
        let fields = FieldIds::of(&language);
        Self { language, kinds, fields }
    }

    /// The kind of a node to which tree-sitter gives the kind id `id`.
    #[inline]
    pub(super) fn kind(&self, id: u16) -> SyntaxKind {
        // The kind id of ERROR nodes is beyond the table.
        self.kinds.get(id as usize).copied().unwrap_or(SyntaxKind::Node(NodeKind::Error))
    }
}
