//! Types that begin with a word: keywords, `typeof` and `import` types, references with type arguments.

use super::{
    generics::{TypeArgumentRules, TypeParameter},
    identifiers::{is_name, is_word},
    lexer::TypeToken,
    resolved_name::StubTypeName,
    type_printer::{PrintedType, TypePrinter, TypeShape},
};
use crate::stub::node_text::TypeReference;
use apidisc_facts::program::DefinitionKind;

impl TypePrinter<'_> {
    /// Parses a type that begins with `word`, which is already consumed.
    pub(super) fn parse_word(&mut self, word: &str) -> Option<()> {
        match word {
            "any" => self.shape = TypeShape::Any,
            "unknown" | "never" | "void" | "undefined" | "null" | "string" | "number" | "boolean" | "bigint"
            | "symbol" | "object" | "true" | "false" => {}
            // `this` counts as a type parameter without its constraint, since the stub may hide members of the class.
            "this" if self.scope.allows_this && self.enclosing_braces == 0 => {
                self.shape = TypeShape::UnconstrainedParameter;
                self.unconstrained_references += 1;
            }
            "this" => {
                self.output.push_str("any");
                self.shape = TypeShape::Any;
                return Some(());
            }
            "typeof" if !self.is_at_word("import") => return self.parse_typeof(),
            "typeof" | "import" => return self.skip_import(word),
            _ if is_name(word) => return self.parse_type_reference(word),
            _ => return None,
        }
        self.output.push_str(word);
        Some(())
    }

    /// `typeof x.y<T>`: printed for a class, enum, function or constant of the sources, since the stub declares or
    /// imports it, and for what is imported from elsewhere; as `any` for another value.
    fn parse_typeof(&mut self) -> Option<()> {
        let start = self.checkpoint();
        let mut path = self.next_word()?.to_owned();
        while self.accept(".") {
            path.push_str(if self.accept("#") { ".#" } else { "." });
            path.push_str(self.next_word()?);
        }
        if self.is_at("<") {
            self.parse_type_arguments()?;
            self.roll_back(start, "any");
            return Some(());
        }
        let Some(ty) = self.value_at(&path) else {
            self.roll_back(start, "any");
            return Some(());
        };
        self.output.extend(["typeof ", self.scope.names.type_name(ty)]);
        // Only the declaration of a base is a class, which is a value, in every stub.
        let is_base =
            matches!(self.scope.names.named_type(ty).kind, Some(DefinitionKind::Class | DefinitionKind::Enum));
        self.references.push(TypeReference { ty, type_arguments: 0, is_base });
        self.pruned_references += 1;
        self.shape = TypeShape::Other;
        Some(())
    }

    /// The value that `path` names: a class, enum, function or constant of the sources, or an import from elsewhere.
    fn value_at(&self, path: &str) -> Option<u32> {
        let names = self.scope.names;
        let ty = match names.resolve(self.scope.type_names, self.scope.type_imports, path) {
            StubTypeName::Definition { ty, .. } => ty,
            StubTypeName::Outside { ty } if names.named_type(ty).import.is_some() => ty,
            _ => return None,
        };
        let root = names.type_name(ty).split('.').next().unwrap_or_default();
        let is_shadowed = self.scope.shadowed_names.iter().any(|name| name == root);
        let is_value = matches!(
            names.named_type(ty).kind,
            None | Some(
                DefinitionKind::Class | DefinitionKind::Enum | DefinitionKind::Function | DefinitionKind::Constant
            )
        );
        (is_value && !is_shadowed).then_some(ty)
    }

    /// `import("m").A<T>`, `typeof import("m").x`: printed as `any`, since the stub may not declare the module.
    fn skip_import(&mut self, word: &str) -> Option<()> {
        let start = self.checkpoint();
        if word == "typeof" {
            self.accept_word("import");
        }
        if !self.is_at("(") {
            return None;
        }
        self.position = self.position_after_brackets();
        while self.accept(".") {
            self.next_word()?;
        }
        if self.is_at("<") {
            self.parse_type_arguments()?;
        }
        self.roll_back(start, "any");
        Some(())
    }

    /// `A`, `A.B<T>`
    pub(super) fn parse_type_reference(&mut self, first: &str) -> Option<()> {
        let start = self.checkpoint();
        let mut path = first.to_owned();
        while self.accept(".") {
            let part = self.next_word().filter(|part| is_word(part))?;
            path.push('.');
            path.push_str(part);
        }
        let type_parameters = self.type_parameters.iter().rev().find(|parameter| parameter.name == path);
        if let Some(argument) = type_parameters.and_then(|parameter| parameter.argument.clone()) {
            self.print_argument(argument);
            return Some(());
        }
        if let Some(&TypeParameter { is_unconstrained, is_array, .. }) = type_parameters {
            self.unconstrained_references += usize::from(is_unconstrained);
            self.output.push_str(&path);
            let has_arguments = self.is_at("<") && self.parse_type_arguments().is_some();
            if has_arguments {
                self.roll_back(start, "any");
            } else {
                self.shape = match (is_array, is_unconstrained) {
                    (true, _) => TypeShape::Array,
                    (false, true) => TypeShape::UnconstrainedParameter,
                    (false, false) => TypeShape::TypeParameter,
                };
            }
            return Some(());
        }
        let unconstrained = self.unconstrained_references;
        let mut resolved = self.scope.names.resolve(self.scope.type_names, self.scope.type_imports, &path);
        let root = resolved.name(self.scope.names, &path).and_then(|name| name.split('.').next());
        let is_shadowed = |root: &str| {
            self.scope.shadowed_names.iter().any(|name| name == root)
                || self.type_parameters.iter().any(|parameter| parameter.name == root)
        };
        if root.is_some_and(is_shadowed) || self.is_value_alone(resolved) {
            resolved = StubTypeName::Unknown;
        }
        if let Some(name) = resolved.name(self.scope.names, &path) {
            self.output.push_str(name);
        }
        let count = if self.is_at("<") { self.parse_type_arguments()? } else { 0 };
        let (names_definitions, is_unconstrained) =
            (self.references.len() > start.references, self.unconstrained_references > unconstrained);
        let takes = |argument_rules: TypeArgumentRules| {
            (usize::from(argument_rules.min)..=usize::from(argument_rules.max)).contains(&count)
        };
        let fits = |argument_rules: TypeArgumentRules| {
            takes(argument_rules)
                && !(argument_rules.has_constraint && is_unconstrained)
                && !(argument_rules.requires_members && (names_definitions || is_unconstrained))
        };
        match resolved {
            StubTypeName::Unknown => self.roll_back(start, "any"),
            StubTypeName::Global(argument_rules) if !fits(argument_rules) => self.roll_back(start, "any"),
            StubTypeName::Global(_) => {
                let is_array =
                    matches!(path.as_str(), "Array" | "ReadonlyArray" | "Parameters" | "ConstructorParameters");
                self.shape = match (is_array, count) {
                    (true, _) => TypeShape::Array,
                    (false, 0) => TypeShape::Global,
                    (false, _) => TypeShape::Other,
                };
            }
            StubTypeName::Definition { ty, argument_rules, is_complete }
                if !fits(argument_rules)
                    && takes(argument_rules)
                    && self.holds_members(ty)
                    && !self.is_circular(ty) =>
            {
                // Every constraint accepts `any`.
                let arguments = if count == 0 { String::new() } else { format!("<{}>", vec!["any"; count].join(", ")) };
                self.roll_back(start, &format!("{}{arguments}", self.scope.names.type_name(ty)));
                self.references.push(TypeReference { ty, type_arguments: 0, is_base: false });
                self.pruned_references += usize::from(!is_complete);
                self.shape = TypeShape::Definition;
            }
            StubTypeName::Definition { ty, argument_rules, .. } if !fits(argument_rules) || self.is_circular(ty) => {
                self.roll_back(start, "any");
            }
            StubTypeName::Definition { ty, is_complete, .. } => {
                self.references.push(TypeReference { ty, type_arguments: 0, is_base: false });
                self.pruned_references += usize::from(!is_complete);
                self.shape = TypeShape::Definition;
            }
            StubTypeName::Outside { ty } => {
                let Ok(type_arguments) = u8::try_from(count) else { return None };
                self.references.push(TypeReference { ty, type_arguments, is_base: false });
                self.shape = TypeShape::Outside;
            }
        }
        Some(())
    }

    /// True for a function or constant, whose name is no type.
    fn is_value_alone(&self, resolved: StubTypeName) -> bool {
        let StubTypeName::Definition { ty, .. } = resolved else { return false };
        let kind = self.scope.names.named_type(ty).kind;
        matches!(kind, Some(DefinitionKind::Function | DefinitionKind::Constant))
    }

    /// Prints the type that stands for a type parameter, in parentheses beside an operator.
    fn print_argument(&mut self, argument: PrintedType) {
        let is_before =
            matches!(self.peek(0), Some(TypeToken::Punctuator("[" | "|" | "&") | TypeToken::Word("extends")));
        let is_after = ["| ", "& ", "keyof ", "readonly ", " extends "].iter().any(|sign| self.output.ends_with(sign));
        let is_wrapped = (is_before || is_after) && is_compound(&argument.text);
        if is_wrapped {
            self.output.extend(["(", &argument.text, ")"]);
        } else {
            self.output.push_str(&argument.text);
        }
        self.references.extend(argument.references);
        self.pruned_references += usize::from(argument.is_lossy);
        self.shape = if is_wrapped { TypeShape::Other } else { argument.shape };
    }

    /// True for a class or interface.
    fn holds_members(&self, ty: u32) -> bool {
        matches!(self.scope.names.named_type(ty).kind, Some(DefinitionKind::Class | DefinitionKind::Interface))
    }

    /// True if `ty` is the alias that is being declared and the reference would make it directly circular.
    fn is_circular(&self, ty: u32) -> bool {
        self.scope.alias == Some(ty) && self.enclosing_constructs == 0
    }

    /// `<A, B>`: returns the number of type arguments.
    pub(super) fn parse_type_arguments(&mut self) -> Option<usize> {
        self.expect("<", "<")?;
        let mut count = 0;
        loop {
            self.nested(Self::parse_type)?;
            count += 1;
            if self.accept(">") {
                break;
            }
            self.expect(",", ", ")?;
        }
        self.output.push('>');
        Some(count)
    }

    /// True if `name[key]` is certainly a valid type in the stub, even if the stub declares only a part of the type
    /// `name`. The sources are assumed to be valid. `base` is the shape of the type `name`.
    pub(super) fn has_key(&self, name: &str, base: TypeShape, key: &str) -> bool {
        match base {
            TypeShape::Global => key.starts_with(['"', '\'']),
            TypeShape::Array => key == "number",
            // The keys are those that the stub declares, whatever it hides.
            TypeShape::TypeParameter | TypeShape::UnconstrainedParameter | TypeShape::Definition => {
                let type_parameters = self.type_parameters.iter().rev().find(|parameter| parameter.name == key);
                key.strip_prefix("keyof ") == Some(name)
                    || type_parameters.is_some_and(|parameter| parameter.keys_of.as_deref() == Some(name))
            }
            TypeShape::Any | TypeShape::Outside | TypeShape::Other => false,
        }
    }
}

/// True for a printed type with an operator outside of brackets: `A | B`, `(a: A) => B`, `keyof A`.
fn is_compound(text: &str) -> bool {
    let mut depth = 0_i32;
    let is_operator = |(at, c): (usize, char)| {
        match c {
            '<' | '(' | '[' | '{' => depth += 1,
            '>' if text[..at].ends_with('=') => {}
            '>' | ')' | ']' | '}' => depth -= 1,
            _ => {}
        }
        depth == 0 && matches!(c, '|' | '&' | '?' | '=' | ' ')
    };
    text.char_indices().any(is_operator)
}
