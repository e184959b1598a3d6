//! The literal arguments of `setup` in a `setup.py`, which say where its packages are. The script is parsed, never run.

use std::ops::ControlFlow;

use tree_sitter::Node;

use super::parse;

/// The size in bytes of the largest script that is read.
const MAX_BYTES: usize = 1 << 20;

/// What a `setup.py` says about its packages, as far as it is written in literals.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SetupArguments {
    /// True if the script calls `setup`.
    pub calls_setup: bool,
    /// `package_dir`: the folder of each package; that of the empty name contains all others.
    pub package_dir: Vec<(String, String)>,
    /// The folders in which `find_packages` and `find_namespace_packages` look.
    pub searched: Vec<String>,
    /// The names in `packages` and `py_modules`.
    pub names: Vec<String>,
}

/// Reads the arguments of `setup`. A text without such a call has none.
pub fn setup_arguments(source: &str) -> SetupArguments {
    let mut arguments = SetupArguments::default();
    if source.len() > MAX_BYTES {
        return arguments;
    }
    let Ok(tree) = parse(source, &mut || ControlFlow::Continue(())) else { return arguments };
    let mut nodes = vec![tree.root_node()];
    while let Some(node) = nodes.pop() {
        if node.kind() == "call" {
            read_call(node, source, &mut arguments);
        }
        nodes.extend((0..node.named_child_count()).rev().filter_map(|at| node.named_child(at as u32)));
    }
    arguments
}

fn read_call(call: Node<'_>, source: &str, to: &mut SetupArguments) {
    let text = |node: Node<'_>| node.utf8_text(source.as_bytes()).unwrap_or_default().to_owned();
    let Some(function) = call.child_by_field_name("function").map(text) else { return };
    let Some(arguments) = call.child_by_field_name("arguments") else { return };
    let keyword = |name: &str| {
        let mut all = (0..arguments.named_child_count()).filter_map(|at| arguments.named_child(at as u32));
        let named = all.find(|argument| argument.child_by_field_name("name").is_some_and(|key| text(key) == name))?;
        named.child_by_field_name("value")
    };
    match function.rsplit('.').next().unwrap_or_default() {
        "setup" => {
            to.calls_setup = true;
            let pairs = keyword("package_dir").into_iter().flat_map(children).filter(|node| node.kind() == "pair");
            to.package_dir.extend(pairs.filter_map(|pair| {
                let part = |field: &str| literal(pair.child_by_field_name(field)?, source);
                Some((part("key")?, part("value")?))
            }));
            let lists = [keyword("packages"), keyword("py_modules")].into_iter().flatten();
            let lists = lists.filter(|node| matches!(node.kind(), "list" | "tuple"));
            to.names.extend(lists.flat_map(children).filter_map(|node| literal(node, source)));
        }
        "find_packages" | "find_namespace_packages" => {
            let first = arguments.named_child(0).filter(|node| node.kind() != "keyword_argument");
            let searched = match first.or_else(|| keyword("where")) {
                Some(folder) => literal(folder, source),
                None => Some(".".to_owned()),
            };
            to.searched.extend(searched);
        }
        _ => {}
    }
}

fn children(node: Node<'_>) -> Vec<Node<'_>> {
    (0..node.named_child_count()).filter_map(|at| node.named_child(at as u32)).collect()
}

/// The value of a string literal without escapes and interpolations.
fn literal(node: Node<'_>, source: &str) -> Option<String> {
    let parts = if node.kind() == "string" { children(node) } else { return None };
    let contents = parts.iter().filter(|part| !matches!(part.kind(), "string_start" | "string_end"));
    let mut value = String::new();
    for part in contents {
        let is_plain = part.kind() == "string_content" && part.named_child_count() == 0;
        value.push_str(part.utf8_text(source.as_bytes()).ok().filter(|_| is_plain)?);
    }
    Some(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pairs(all: &[(&str, &str)]) -> Vec<(String, String)> {
        all.iter().map(|&(name, folder)| (name.to_owned(), folder.to_owned())).collect()
    }

    #[test]
    fn literal_arguments_are_read_and_others_are_not() {
        let script = "from setuptools import find_packages, setup\nROOT = 'x'\nsetup(\n    name='kit',\n    \
            package_dir={'': 'lib', \"kit.core\": f'{ROOT}/core', 'kit.net': \"net\"},\n    \
            packages=['kit', 'kit.net'], py_modules=('one', ROOT))\n";
        let found = setup_arguments(script);
        assert_eq!(found.package_dir, pairs(&[("", "lib"), ("kit.net", "net")]));
        assert_eq!((found.searched, found.names), (vec![], vec!["kit".into(), "kit.net".into(), "one".into()]));
        let searched = |script: &str| setup_arguments(script).searched;
        assert_eq!(searched("setuptools.setup(packages=setuptools.find_packages('src', exclude=['t']))"), ["src"]);
        assert_eq!(searched("found = find_namespace_packages(where='python')\nsetup(packages=found)"), ["python"]);
        assert_eq!(searched("setup(packages=find_packages(exclude=['t']))"), ["."]);
        assert!(searched("setup(packages=find_packages(ROOT))").is_empty());
        assert_eq!(setup_arguments("def setup(a): ...\nsetup(["), SetupArguments::default());
    }
}
