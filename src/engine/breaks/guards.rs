//! Code of a program that works with several versions of a package: what fails in one of them is caught, or stands
//! under a test of the version.

use crate::{
    report::{Finding, Rule, Verdict},
    statements,
    versions::Versions,
};

/// The errors by which a name that is gone is told.
const NAME_ERRORS: [&str; 3] = ["ImportError", "ModuleNotFoundError", "AttributeError"];
/// The errors by which arguments that do not fit are told.
const CALL_ERRORS: [&str; 1] = ["TypeError"];

/// Makes the findings of guarded lines of Python fine: whoever wrote the guard expects the use to fail.
pub(crate) fn mark_guarded(findings: &mut [Finding], versions: &Versions<'_>) {
    for finding in findings.iter_mut().filter(|it| it.verdict == Verdict::Break && is_python(&it.path)) {
        let text = versions.old_text(&finding.path);
        let errors = if finding.rule == Some(Rule::RemovedSymbol) { &NAME_ERRORS[..] } else { &CALL_ERRORS[..] };
        let name = finding.symbol.rsplit(['.', '#']).next().unwrap_or_default();
        if is_guarded(&text, finding.line as usize, errors, name) {
            let fine = Finding::new(&finding.path, finding.line, finding.col, &finding.symbol, Verdict::Ok);
            *finding = Finding { user: finding.user.take(), adapted: finding.adapted, ..fine };
        }
    }
}

fn is_python(path: &str) -> bool {
    path.rsplit_once('.').is_some_and(|(_, extension)| extension == "py")
}

/// True for a line, from 1, below a `try` that catches one of `errors`, in the part that catches it, or below a test of
/// a version or of whether something has the name `name`.
fn is_guarded(text: &str, line: usize, errors: &[&str], name: &str) -> bool {
    let lines: Vec<&str> = text.lines().collect();
    let indent = |at: usize| lines[at].len() - lines[at].trim_start().len();
    let is_blank = |at: usize| lines[at].trim_start().is_empty() || lines[at].trim_start().starts_with('#');
    let Some(mut at) = line.checked_sub(1).filter(|at| *at < lines.len()) else { return false };
    let mut limit = indent(at);
    while limit > 0 && at > 0 {
        at -= 1;
        if is_blank(at) || indent(at) >= limit {
            continue;
        }
        limit = indent(at);
        let head = lines[at].trim();
        let catches = |head: &str| {
            let caught = head.strip_prefix("except").unwrap_or_default();
            errors.iter().any(|error| statements::words(caught).any(|word| word == *error))
        };
        if catches(head) {
            return true;
        }
        let is_test = head.starts_with("if ") || head.starts_with("elif ");
        if is_test && (tests_version(head) || tests_name(head, name)) {
            return true;
        }
        if head == "try:" {
            let below = (at + 1..lines.len()).filter(|&at| !is_blank(at)).skip_while(|&at| indent(at) > limit);
            let is_part = |head: &str| ["except", "else", "finally"].iter().any(|word| head.starts_with(word));
            let mut handlers =
                below.take_while(|&at| indent(at) > limit || (indent(at) == limit && is_part(lines[at].trim())));
            if handlers.any(|at| indent(at) == limit && catches(lines[at].trim())) {
                return true;
            }
        }
        if head.starts_with("def ") || head.starts_with("class ") || head.starts_with("async def ") {
            return false;
        }
    }
    false
}

/// True for a condition on a version. A test of `sys.version_info` says nothing of a package.
fn tests_version(head: &str) -> bool {
    let mut words = statements::words(head).map(str::to_ascii_lowercase);
    words.any(|word| word != "version_info" && word.split('_').any(|part| part == "version"))
}

/// True for a condition on whether something has a name: `hasattr(kit, "name")`.
fn tests_name(head: &str, name: &str) -> bool {
    statements::words(head).any(|word| word == "hasattr") && statements::literals(head).any(|literal| literal == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_guard_is_around_the_line() {
        let text = "try:\n    from kit import old\nexcept ImportError:\n    from kit import older\n\
                    try:\n    kit.f(a=1)\n    # x\nexcept (TypeError, OSError):\n    pass\n\
                    if kit.VERSION < (2,):\n    kit.g()\nelif hasattr(kit, 'h'):\n    kit.h()\nelse:\n    kit.i()\n\
                    try:\n    def f():\n        kit.j()\nexcept ImportError:\n    pass\nkit.k()\n";
        let guarded = |errors: &[&str]| -> Vec<usize> {
            (1..=text.lines().count() + 1).filter(|line| is_guarded(text, *line, errors, "h")).collect()
        };
        assert_eq!(guarded(&NAME_ERRORS), [2, 4, 11, 13, 17, 20]);
        assert_eq!(guarded(&CALL_ERRORS), [6, 7, 9, 11, 13]);
        for open in ["conversion", "sys.version_info > (3,)", "hasattr(kit, 'x')"] {
            assert!(!is_guarded(&format!("if {open}:\n    kit.h()\n"), 2, &NAME_ERRORS, "h"), "{open}");
        }
    }
}
