//! Components as people and machines break them.

use std::ops::ControlFlow;

use proptest::prelude::*;

use super::{read, scripts};
use crate::syntax::typescript::facts::FileFacts;
use apidisc_base::language::Framework;

const FRAMEWORKS: [Framework; 4] = [Framework::Vue, Framework::Svelte, Framework::Astro, Framework::Mdx];

fn facts(framework: Framework, text: &str) -> FileFacts {
    read(framework, text, &mut || ControlFlow::Continue(())).unwrap_or_default()
}

/// The places of the calls that the text contains.
fn calls(framework: Framework, text: &str) -> Vec<(u32, u32)> {
    let facts = facts(framework, text);
    let mut places: Vec<_> =
        facts.calls.iter().filter(|call| call.line > 0).map(|call| (call.line, call.col)).collect();
    places.sort_unstable();
    places
}

#[test]
fn calls_have_their_lines_and_columns() {
    let vue = "<template>\r\n  <a :b=\"f(1)\">{{ g(2) }}</a>\r\n</template>\r\n<script setup>\r\n  f(3)\r\n</script>";
    assert_eq!(calls(Framework::Vue, vue), [(2, 9), (2, 18), (5, 2)]);
    let svelte = "<script>\nf(1)\n</script>\n{#if f(2)}<p on:click={() => g(3)}/>{/if}";
    assert_eq!(calls(Framework::Svelte, svelte), [(2, 0), (4, 5), (4, 29)]);
    let astro = "---\nf(1)\n---\n<p a={f(2)}>{g(3)}</p><script>h(4)</script>";
    assert_eq!(calls(Framework::Astro, astro), [(2, 0), (4, 6), (4, 13), (4, 30)]);
}

#[test]
fn scripts_in_strings_and_comments_are_no_scripts() {
    for vue in ["<!-- <script>f()</script> -->", "<template><a b='<script>f()</script>'/></template>"] {
        assert_eq!(calls(Framework::Vue, vue), []);
    }
    assert_eq!(calls(Framework::Vue, "<script setup>\nconst a = '<script>'; f()\n</script>"), [(2, 22)]);
    assert_eq!(calls(Framework::Svelte, "<style>{f()}</style><!-- {f()} -->{f()}"), [(1, 35)]);
}

#[test]
fn a_template_contains_templates() {
    let vue = "<template><template #a=\"{ b }\"><p :c=\"f(b)\"/></template><i :d=\"g()\"/></template>";
    assert_eq!(calls(Framework::Vue, vue), [(1, 38), (1, 63)]);
}

#[test]
fn the_other_lines_are_blank_in_the_scripts() {
    let text = "é<script>\nf(1)\n</script>\n<p/>";
    assert_eq!(scripts(Framework::Svelte, text), "          \nf(1)\n         \n    ");
}

#[test]
fn deep_and_unclosed_texts_are_read() {
    let nested =
        ["<A>", "<A b={", "{#if a}", "{#each a as b}", "{", "<template>", "<a v-for=\"b in c\">", "{{", "`", "<!--"];
    for part in nested {
        for framework in FRAMEWORKS {
            for before in
                ["", "<script setup>import A from 'a'</script>", "import A from 'a'\n\n", "<template>", "---\n---\n"]
            {
                facts(framework, &format!("{before}{}", part.repeat(3_000)));
            }
        }
    }
}

proptest! {
    #[test]
    fn any_text_is_read(parts in proptest::collection::vec(prop::sample::select(vec![
        "<script>", "<script setup lang=\"ts\">", "</script>", "<template>", "</template>", "---\n", "<A", "<A.B/>", " b='", "'",
        "\"", ">", "/>", "{", "}", "{{", "}}", "{#each a as", "{/each}", " as b, c (d)}", "{@const e = f()}", "`", "${", "(", ")",
        "v-for=\"(a, b) in c\"", " :d=\"e(f)\"", " @g='h'", "#i=\"{ j }\"", "defineProps<{", "}>()", "defineProps({", "defineEmits([",
        "export default {", "methods: {", "props: ['é", "export let x: ", "let { y = 1", "} = $props()", "Astro.props", "interface Props {",
        "import A from 'a'", "\n", "\n\n", "é", "\u{1F600}", "//", "/*", "*/", "<!--", "-->", "=", ":", ",", ";", "\\", "<", "f(x)",
    ]), 0..40)) {
        let text = parts.concat();
        for framework in FRAMEWORKS {
            let lines = text.lines().count() as u32 + 1;
            for call in &facts(framework, &text).calls {
                prop_assert!(call.line <= lines);
            }
            prop_assert_eq!(scripts(framework, &text).lines().count(), text.lines().count());
        }
    }
}
