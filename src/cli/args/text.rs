//! The sections of `--help` and of the manual page after the options.

/// Each section: its title and its text.
pub(in crate::cli) const SECTIONS: [(&str, &str); 4] =
    [("Examples", EXAMPLES), ("Exit codes", EXIT_CODES), ("Environment", ENVIRONMENT), ("Files", FILES)];

const EXAMPLES: &str = "\
Explore the repository you are in, or the bundled demo project:
  apidisc-tui
  apidisc-tui --demo

The most used public API of a repository in a thousand tokens:
  apidisc-tui --export ~/src/adk-python

One class, only what at least a third of its calls pass, as Markdown:
  apidisc-tui --export --symbol LlmAgent --min-frequency 0.33 --format markdown

A choice that the explorer saved, replayed, and whether it still holds:
  apidisc-tui --export --profile agents
  apidisc-tui --check --profile agents

Count once, ask often:
  apidisc-tui index . -o /tmp/api_metadata.yaml
  apidisc-tui --export --index /tmp/api_metadata.yaml --symbol Client --max-tokens 400

Which calls pass a parameter?
  apidisc-tui calls . | jq -c 'select(any(.args[]; .param == \"timeout\"))'

A picture of the explorer, with the page of a class:
  apidisc-tui --demo --screenshot station.svg --keys 'fstation kind:class<enter><enter>'

A folder that is named as a command is:
  apidisc-tui ./index";

const EXIT_CODES: &str = "\
0  done; also when the reader of a pipe has seen enough
1  it failed, with one line that says what and how to mend it
2  wrong usage";

const ENVIRONMENT: &str = "\
VISUAL, EDITOR       the editor that opens definitions and calls
NO_COLOR             the explorer uses no colours where it is set
COLORTERM, TERM      how many colours it uses otherwise
TMUX                 copies go through tmux, which hands them on
APIDISC_CACHE=off    nothing is kept between runs
APIDISC_MODEL, APIDISC_BASE_URL
                     the model that `ask`, `agent` and the explorer ask;
                     model and base_url below [ask] in config.toml hold otherwise
SSH_TTY, SSH_CLIENT, SSH_CONNECTION
                     copies go through the terminal (OSC 52)
XDG_CONFIG_HOME, XDG_STATE_HOME, XDG_CACHE_HOME
                     where files live, on Linux; absolute paths";

const FILES: &str = "\
config.toml, themes/*.toml
                     theme, keys, colours; `apidisc-tui config --paths` says
                     where, `apidisc-tui config --print` what is in force
PATH/.apidisc/NAME.toml
                     profiles that the explorer saved
cache folder         facts of files, for the next run: `apidisc-tui cache`
.gitignore, .ignore  what they name is not indexed";

/// The sections as `--help` prints them.
pub(super) fn after_help() -> String {
    let section = |(title, text): &(&str, &str)| {
        let lines = text.lines().map(|line| if line.is_empty() { "\n".to_owned() } else { format!("  {line}\n") });
        format!("{title}:\n{}", lines.collect::<String>())
    };
    SECTIONS.iter().map(section).collect::<Vec<_>>().join("\n")
}
