//! Axes of broken programs: the parser recovers from the same errors again and again, in a context that grows.

use crate::work::assert_linear;

macro_rules! linear {
    ($($name:ident($path:expr, $size:expr): $text:expr;)+) => {
        $(#[test]
        fn $name() {
            assert_linear($size, |size| vec![($path.to_owned(), $text.repeat(size))]);
        })+
    };
}

linear! {
    labels_without_statements("a.ts", 2_000): "a: b: c: }\n";
    clauses_without_statements("a.ts", 1_000): "function of catch of + }\n";
    operators_without_operands("a.ts", 2_500): "delete ,\n";
    comments_without_ends("a.ts", 2_000): "/* a\n";
    arrows_without_types("a.ts", 1_000): "(a: ) => b\n";
    pairs_without_braces("a.ts", 1_000): "- a: b\n";
    elements_without_ends("a.tsx", 4_000): "<div class=\"a\"><p>Hello & bye</div>\n";
    negations_on_lines("a.ts", 1_000): "a!\n!\n";
    stars_in_arguments("a.py", 1_000): "f(**, *a, **)\n";
    lines_that_go_on("a.py", 2_000): "  \\\n";
    brackets_that_stay_open("a.py", 1_000): "f(1, (2\n";
}
