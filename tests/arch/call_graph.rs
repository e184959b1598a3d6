//! Reads from the source of a folder which of its functions call which, as far as their names and the types that are
//! written tell. Where these leave it open, a call is taken to mean every function of its name.

use std::collections::{BTreeSet, HashMap};

use syn::{
    Expr, ExprCall, ExprMethodCall, ExprPath, FnArg, GenericArgument, ImplItem, ImplItemFn, ItemFn, ItemImpl, ItemMod,
    ItemStruct, ItemTrait, Macro, Member, Pat, PatIdent, PatType, PathArguments, ReturnType, Signature, Stmt, Token,
    TraitItemFn, Type, parse::ParseStream, punctuated::Punctuated, visit, visit::Visit,
};

use crate::sources::File;

/// Methods that run the closure which they get inside a level of recursion.
const LEVELS: &[&str] = &["compute", "memoized", "nested", "nested_type", "query"];

/// Methods of the standard library's collections and iterators: on a receiver of unknown type they mean nothing else.
const STANDARD: &[&str] = &["contains", "entry", "find", "get", "insert", "is_empty", "iter", "len", "push", "retain"];

/// The calls that a graph has.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Calls {
    /// Every call.
    All,
    /// The calls that are made outside a level of recursion.
    OutsideLevels,
}

/// A function of the folder.
pub(crate) struct Function {
    /// The type or trait whose `impl` block holds the function; empty for a function that is no method.
    of: String,
    name: String,
    path: String,
    /// The number of its lines, from the signature to the closing brace.
    lines: usize,
}

impl Function {
    /// True for a method of that type.
    pub(crate) fn is_method_of(&self, of: &str) -> bool {
        self.of == of
    }

    /// The number of the function's lines.
    pub(crate) fn lines(&self) -> usize {
        self.lines
    }

    /// The file that holds the function.
    pub(crate) fn path(&self) -> &str {
        &self.path
    }

    /// The function's name with its file, for a person.
    pub(crate) fn label(&self) -> String {
        let separator = if self.of.is_empty() { "" } else { "::" };
        format!("{}{separator}{} in {}", self.of, self.name, self.path)
    }
}

/// The functions of a folder, and the calls between them.
pub(crate) struct CallGraph {
    pub(crate) functions: Vec<Function>,
    /// For each function: the functions that it calls.
    pub(crate) calls: Vec<BTreeSet<usize>>,
}

impl CallGraph {
    pub(crate) fn read(files: &[File], calls: Calls) -> Self {
        let sources = files.iter().filter(|file| !file.path.contains("/tests"));
        let parsed: Vec<(&File, syn::File)> =
            sources.map(|file| (file, syn::parse_file(&file.text).expect(&file.path))).collect();
        let mut types = WrittenTypes::default();
        for (_, file) in &parsed {
            types.visit_file(file);
        }
        let mut found = Vec::new();
        for (file, parsed) in parsed.iter().filter(|(_, parsed)| !is_test(&parsed.attrs)) {
            let mut reader = Reader {
                path: &file.path,
                unread: &file.text,
                types: &types,
                calls,
                of: Vec::new(),
                open: Vec::new(),
                found: vec![],
            };
            reader.visit_file(parsed);
            found.append(&mut reader.found);
        }
        let mut by_name: HashMap<String, Vec<usize>> = HashMap::new();
        for (at, read) in found.iter().enumerate() {
            by_name.entry(read.function.name.clone()).or_default().push(at);
        }
        let called = |read: &ReadFunction| {
            let of_call = |call: &Call| {
                let named = || by_name.get(&call.name).into_iter().flatten().copied();
                let meant: Vec<usize> =
                    named().filter(|at| call.may_mean(&found[*at].function, &read.function)).collect();
                // A function that the file does not have is imported from another file.
                let is_imported = meant.is_empty() && matches!(call.callee, Callee::Free(None));
                if is_imported { named().filter(|at| found[*at].function.of.is_empty()).collect() } else { meant }
            };
            read.calls.iter().flat_map(of_call).collect()
        };
        let calls = found.iter().map(called).collect();
        Self { functions: found.into_iter().map(|read| read.function).collect(), calls }
    }
}

/// What a call says of the function that it calls.
enum Callee {
    /// A method of the named type.
    MethodOf(String),
    /// A method of another value, whose type is not known.
    MethodOfOther,
    /// A function that is no method, in the named module. If no module is named, the function is in the same file, or
    /// imported from another file.
    Free(Option<String>),
}

struct Call {
    callee: Callee,
    name: String,
}

impl Call {
    fn may_mean(&self, function: &Function, caller: &Function) -> bool {
        match &self.callee {
            Callee::MethodOf(of) => function.of == *of,
            // A method that calls the method of its name on a part of itself is no recursion, unless the part has its
            // type, which is written then.
            Callee::MethodOfOther => {
                let is_itself = function.of == caller.of && function.name == caller.name;
                // The linker is called `self`, `this` or `linker` everywhere.
                let is_other = !function.of.is_empty() && function.of != "Linker" && !is_itself;
                is_other && !STANDARD.contains(&self.name.as_str())
            }
            Callee::Free(None) => function.of.is_empty() && function.path == caller.path,
            Callee::Free(Some(module)) => {
                let is_file = |end: String| function.path.ends_with(&end);
                function.of.is_empty() && (is_file(format!("/{module}.rs")) || is_file(format!("/{module}/mod.rs")))
            }
        }
    }
}

/// The types that are written for the fields of structs, and for the results of methods (`name()`).
#[derive(Default)]
struct WrittenTypes(HashMap<(String, String), String>);

impl<'ast> Visit<'ast> for WrittenTypes {
    fn visit_item_struct(&mut self, item: &'ast ItemStruct) {
        for field in &item.fields {
            if let Some(name) = &field.ident {
                self.0.insert((item.ident.to_string(), name.to_string()), name_of(&field.ty));
            }
        }
    }

    fn visit_item_impl(&mut self, item: &'ast ItemImpl) {
        let of = name_of(&item.self_ty);
        for item in &item.items {
            if let ImplItem::Fn(function) = item
                && let ReturnType::Type(_, ty) = &function.sig.output
            {
                let result = Some(name_of(ty)).filter(|name| name != "Self").unwrap_or_else(|| of.clone());
                self.0.insert((of.clone(), format!("{}()", function.sig.ident)), result);
            }
        }
    }
}

/// The name of a type; of a reference, pointer or list the name of what it leads to.
fn name_of(ty: &Type) -> String {
    match ty {
        Type::Reference(reference) => name_of(&reference.elem),
        Type::Slice(slice) => name_of(&slice.elem),
        Type::Array(array) => name_of(&array.elem),
        Type::Path(path) => {
            let Some(last) = path.path.segments.last() else { return String::new() };
            let name = last.ident.to_string();
            let wraps = ["Arc", "Box", "Cell", "Option", "Rc", "RefCell", "Result", "SmallVec", "ThinVec", "Vec"];
            match &last.arguments {
                PathArguments::AngleBracketed(arguments) if wraps.contains(&name.as_str()) => {
                    let ty = arguments.args.iter().find_map(|argument| match argument {
                        GenericArgument::Type(ty) => Some(name_of(ty)),
                        _ => None,
                    });
                    ty.unwrap_or(name)
                }
                _ => name,
            }
        }
        _ => String::new(),
    }
}

/// True for the items of tests.
fn is_test(attributes: &[syn::Attribute]) -> bool {
    let is_test = |attribute: &syn::Attribute| {
        let path = attribute.path();
        let is_cfg = || path.is_ident("cfg") && attribute.parse_args::<syn::Path>().is_ok_and(|of| of.is_ident("test"));
        path.is_ident("test") || is_cfg()
    };
    attributes.iter().any(is_test)
}

struct ReadFunction {
    function: Function,
    calls: Vec<Call>,
}

/// A function whose body is being read.
struct OpenFunction {
    read: ReadFunction,
    /// The names of its variables, with the types that are written for parameters.
    variables: HashMap<String, String>,
    /// The number of levels of recursion around the code that is being read.
    levels: usize,
}

struct Reader<'t> {
    path: &'t str,
    /// The text of the file from the function on that was begun last.
    unread: &'t str,
    types: &'t WrittenTypes,
    calls: Calls,
    /// The types of the `impl` blocks around the code that is being read.
    of: Vec<String>,
    open: Vec<OpenFunction>,
    found: Vec<ReadFunction>,
}

impl Reader<'_> {
    fn function(&mut self, signature: &Signature, block: &syn::Block) {
        let mut variables = HashMap::new();
        for input in &signature.inputs {
            if let FnArg::Typed(typed) = input
                && let Pat::Ident(name) = &*typed.pat
            {
                variables.insert(name.ident.to_string(), name_of(&typed.ty));
            }
        }
        let of = self.of.last().cloned().unwrap_or_default();
        let mut names = Variables::default();
        names.visit_block(block);
        for (name, ty) in names.0 {
            variables.entry(name).or_insert(if ty == "Self" { of.clone() } else { ty });
        }
        let name = signature.ident.to_string();
        let lines = self.lines_of(&name);
        let function = Function { of, name, path: self.path.to_owned(), lines };
        let read = ReadFunction { function, calls: Vec::new() };
        self.open.push(OpenFunction { read, variables, levels: 0 });
        for statement in &block.stmts {
            self.visit_stmt(statement);
            if let (Stmt::Local(local), Some(open)) = (statement, self.open.last_mut()) {
                open.levels += usize::from(begins_level(&local.pat));
            }
        }
        self.found.extend(self.open.pop().map(|open| open.read));
    }

    /// The number of lines of the next function of that name. rustfmt puts the closing brace of a function below its
    /// first line, or the whole function into one line.
    fn lines_of(&mut self, name: &str) -> usize {
        let starts = |line: &str| {
            let after = line.split_once("fn ").and_then(|(_, after)| after.strip_prefix(name));
            after.is_some_and(|after| after.starts_with(['(', '<'])) && !line.trim_start().starts_with("//")
        };
        let mut lines = self.unread.split_inclusive('\n');
        let before: usize = lines.by_ref().take_while(|line| !starts(line)).map(str::len).sum();
        self.unread = &self.unread[before..];
        let mut lines = self.unread.lines();
        let first = lines.next().unwrap_or_default();
        if first.ends_with('}') {
            return 1;
        }
        let indent = &first[..first.len() - first.trim_start().len()];
        2 + lines.take_while(|line| line.strip_prefix(indent) != Some("}")).count()
    }

    fn add(&mut self, callee: Callee, name: String) {
        let is_listed = |open: &&mut OpenFunction| self.calls == Calls::All || open.levels == 0;
        if let Some(open) = self.open.last_mut().filter(is_listed) {
            open.read.calls.push(Call { callee, name });
        }
    }

    /// The type of an expression, as far as it is written.
    fn type_of(&self, expr: &Expr) -> Option<String> {
        let known = |of: String, name: String| self.types.0.get(&(of, name)).cloned();
        let ty = match expr {
            Expr::Path(path) if path.path.is_ident("self") => self.of.last().cloned(),
            // The names that closures give to the linker.
            Expr::Path(path) if path.path.is_ident("this") || path.path.is_ident("linker") => Some("Linker".to_owned()),
            Expr::Path(path) => self.open.last()?.variables.get(&path.path.get_ident()?.to_string()).cloned(),
            Expr::Reference(inner) => self.type_of(&inner.expr),
            Expr::Paren(inner) => self.type_of(&inner.expr),
            Expr::Unary(inner) => self.type_of(&inner.expr),
            Expr::Try(inner) => self.type_of(&inner.expr),
            Expr::Index(inner) => self.type_of(&inner.expr),
            Expr::Field(field) => match &field.member {
                Member::Named(name) => known(self.type_of(&field.base)?, name.to_string()),
                Member::Unnamed(_) => None,
            },
            Expr::MethodCall(call) => known(self.type_of(&call.receiver)?, format!("{}()", call.method)),
            // `Reader::of(linker)`
            Expr::Call(call) => {
                let Expr::Path(path) = &*call.func else { return None };
                let mut segments = path.path.segments.iter().rev().map(|segment| segment.ident.to_string());
                let (name, of) = (segments.next()?, segments.next()?);
                known(of, format!("{name}()"))
            }
            _ => None,
        };
        // The name of a type parameter says nothing.
        ty.filter(|name| name.len() > 1)
    }

    fn arguments<'a>(&mut self, arguments: impl IntoIterator<Item = &'a Expr>, are_in_level: bool) {
        for argument in arguments {
            let is_in_level = usize::from(are_in_level && matches!(argument, Expr::Closure(_)));
            self.change_levels(|levels| levels + is_in_level);
            self.visit_expr(argument);
            self.change_levels(|levels| levels - is_in_level);
        }
    }

    fn change_levels(&mut self, change: impl Fn(usize) -> usize) {
        if let Some(open) = self.open.last_mut() {
            open.levels = change(open.levels);
        }
    }
}

/// True for the variable of a level: `_level`, or `Some(_level)`.
fn begins_level(pattern: &Pat) -> bool {
    match pattern {
        Pat::Ident(name) => name.ident == "_level",
        Pat::TupleStruct(tuple) => tuple.elems.iter().any(begins_level),
        _ => false,
    }
}

/// The names that patterns bind, with the types that are written for them, as for the parameters of closures.
#[derive(Default)]
struct Variables(HashMap<String, String>);

impl<'ast> Visit<'ast> for Variables {
    fn visit_pat_ident(&mut self, pattern: &'ast PatIdent) {
        self.0.entry(pattern.ident.to_string()).or_default();
        visit::visit_pat_ident(self, pattern);
    }

    fn visit_pat_type(&mut self, pattern: &'ast PatType) {
        if let Pat::Ident(name) = &*pattern.pat {
            self.0.insert(name.ident.to_string(), name_of(&pattern.ty));
        }
        visit::visit_pat_type(self, pattern);
    }
}

impl<'ast> Visit<'ast> for Reader<'_> {
    fn visit_item_mod(&mut self, item: &'ast ItemMod) {
        if !is_test(&item.attrs) {
            visit::visit_item_mod(self, item);
        }
    }

    fn visit_item_impl(&mut self, item: &'ast ItemImpl) {
        self.of.push(name_of(&item.self_ty));
        visit::visit_item_impl(self, item);
        self.of.pop();
    }

    fn visit_item_trait(&mut self, item: &'ast ItemTrait) {
        self.of.push(item.ident.to_string());
        visit::visit_item_trait(self, item);
        self.of.pop();
    }

    fn visit_item_fn(&mut self, item: &'ast ItemFn) {
        if !is_test(&item.attrs) {
            let of = std::mem::take(&mut self.of);
            self.function(&item.sig, &item.block);
            self.of = of;
        }
    }

    fn visit_impl_item_fn(&mut self, item: &'ast ImplItemFn) {
        if !is_test(&item.attrs) {
            self.function(&item.sig, &item.block);
        }
    }

    fn visit_trait_item_fn(&mut self, item: &'ast TraitItemFn) {
        if let Some(block) = &item.default {
            self.function(&item.sig, block);
        }
    }

    fn visit_expr_method_call(&mut self, call: &'ast ExprMethodCall) {
        let name = call.method.to_string();
        let runs_in_level = LEVELS.contains(&name.as_str());
        self.visit_expr(&call.receiver);
        let callee = self.type_of(&call.receiver).map_or(Callee::MethodOfOther, Callee::MethodOf);
        self.add(callee, name);
        self.arguments(&call.args, runs_in_level);
    }

    fn visit_expr_call(&mut self, call: &'ast ExprCall) {
        self.visit_expr(&call.func);
        self.arguments(&call.args, false);
    }

    /// A function that is named is called, or passed to be called.
    fn visit_expr_path(&mut self, path: &'ast ExprPath) {
        let mut segments = path.path.segments.iter().rev().map(|segment| segment.ident.to_string());
        let Some(name) = segments.next() else { return };
        let callee = match segments.next() {
            Some(of) if of == "Self" => Callee::MethodOf(self.of.last().cloned().unwrap_or_default()),
            Some(of) if of.starts_with(char::is_lowercase) => Callee::Free(Some(of)),
            Some(of) => Callee::MethodOf(of),
            None if self.open.last().is_some_and(|open| open.variables.contains_key(&name)) => return,
            None => Callee::Free(None),
        };
        self.add(callee, name);
    }

    /// The expressions that a macro begins with: all of `format!("{}", f(x))`, the first one of
    /// `matches!(f(x), Some(_))`.
    fn visit_macro(&mut self, item: &'ast Macro) {
        if let Ok(all) = item.parse_body_with(Punctuated::<Expr, Token![,]>::parse_terminated) {
            self.arguments(&all, false);
            return;
        }
        let first = |input: ParseStream<'_>| {
            let first: Expr = input.parse()?;
            input.step(|rest| {
                let mut rest = *rest;
                while let Some((_, next)) = rest.token_tree() {
                    rest = next;
                }
                Ok(((), rest))
            })?;
            Ok(first)
        };
        if let Ok(first) = item.parse_body_with(first) {
            self.arguments([&first], false);
        }
    }
}
