//! Components that hold scripts, styles and a template in one file: Vue, Svelte, Astro and MDX.
//!
//! The code of a component is written as one program of TypeScript or JavaScript, each line with its place in the file,
//! so that it is read as any other code:
//! - the scripts stand at the top level, those of one component in one scope;
//! - the component is a function, the default export, which takes the props. It has the name of the file;
//! - its body is the template: the elements of components are elements of JSX, the expressions are statements, and what
//!   binds names (`v-for`, `{#each}`) is a block.
//!
//! | module | content |
//! | --- | --- |
//! | `vue`, `vue_options`, `vue_template` | Vue |
//! | `svelte` | Svelte |
//! | `astro`, `mdx`, `elements` | Astro and MDX, whose templates are written as JSX |
//! | `props` | what the scripts say of props, and the head of the function |
//! | `markup`, `code`, `names` | tags, pieces of code, names |
//! | `writer` | the program with the places of its lines |
//! | `places` | facts to their places in the file |

mod astro;
mod code;
mod elements;
mod markup;
mod mdx;
mod names;
mod places;
mod props;
mod svelte;
#[cfg(test)]
mod tests;
mod vue;
mod vue_options;
mod vue_template;
mod writer;

use apidisc_base::language::Framework;

use crate::{
    documents::Place,
    syntax::{
        Watch,
        typescript::{self, Dialect, facts::FileFacts},
    },
};
use writer::Writer;

/// The code of a component as one program.
struct Program {
    text: String,
    /// The place of each line in the file.
    places: Vec<Place>,
    language: ScriptLanguage,
}

impl Program {
    fn new(writer: Writer<'_>, language: ScriptLanguage) -> Self {
        let (text, places) = writer.finish();
        Self { text, places, language }
    }
}

/// The language of the scripts of a component.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ScriptLanguage {
    JavaScript,
    TypeScript,
    Tsx,
}

impl ScriptLanguage {
    /// The language that the attribute `lang` of a script states; `None` for one that is not read.
    fn of_tag(lang: Option<&str>) -> Option<Self> {
        match lang {
            None | Some("" | "js" | "javascript" | "jsx") => Some(Self::JavaScript),
            Some("ts" | "typescript") => Some(Self::TypeScript),
            Some("tsx") => Some(Self::Tsx),
            Some(_) => None,
        }
    }

    /// The dialect of a program of this language with elements.
    fn with_elements(self) -> Dialect {
        match self {
            Self::JavaScript => Dialect::JavaScript,
            Self::TypeScript | Self::Tsx => Dialect::Tsx,
        }
    }
}

/// The facts of a component; `None` for one without code. `watch` may stop the parser.
///
/// Scripts of TypeScript may have syntax that TSX has not, such as `<T>x`. The elements of the template of such a
/// component are left out.
pub fn read(framework: Framework, text: &str, watch: &mut Watch<'_>) -> Option<FileFacts> {
    let program = program(framework, text, true)?;
    let dialect = program.language.with_elements();
    let placed = |facts, program: &Program| {
        let has_typed_scripts = program.language != ScriptLanguage::JavaScript;
        Some(FileFacts { has_typed_scripts, ..places::placed(facts, &program.places) })
    };
    if let Some(facts) = typescript::read_valid(&program.text, dialect, watch) {
        return placed(facts, &program);
    }
    if program.language == ScriptLanguage::TypeScript
        && let Some(plain) = self::program(framework, text, false)
        && let Some(facts) = typescript::read_valid(&plain.text, Dialect::TypeScript, watch)
    {
        return placed(facts, &plain);
    }
    let facts = typescript::read_watched(&program.text, dialect, false, watch);
    placed(facts, &program)
}

/// The scripts of a component at their places, with blanks of the same length for everything else.
pub fn scripts(framework: Framework, text: &str) -> String {
    let scripts = match framework {
        Framework::Vue => vue::scripts(text),
        Framework::Svelte => svelte::scripts(text).into_iter().map(|(_, body)| body).collect(),
        Framework::Astro => astro::frontmatter(text).into_iter().collect(),
        Framework::Mdx => Vec::new(),
    };
    let mut masked = String::with_capacity(text.len());
    let mut at = 0;
    let blank =
        |part: &str, masked: &mut String| masked.extend(part.bytes().map(|b| if b == b'\n' { '\n' } else { ' ' }));
    for script in scripts {
        blank(&text[at..script.start], &mut masked);
        masked.push_str(&text[script.clone()]);
        at = script.end;
    }
    blank(&text[at..], &mut masked);
    masked
}

fn program(framework: Framework, text: &str, has_elements: bool) -> Option<Program> {
    match framework {
        Framework::Vue => vue::program(text, has_elements),
        Framework::Svelte => svelte::program(text, has_elements),
        Framework::Astro => Some(astro::program(text)),
        Framework::Mdx => mdx::program(text),
    }
}
