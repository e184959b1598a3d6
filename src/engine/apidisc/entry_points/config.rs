//! The sources to index together, as `sources.yaml` lists them.

use std::{
    fmt,
    path::{Path, PathBuf},
};

use compact_str::{CompactString, format_compact};
use serde::{
    Deserialize, Deserializer,
    de::{self, Unexpected, Visitor},
};

use super::location::{Location, LocationError};
use apidisc_base::{
    environment::{EnvironmentSetting, WrittenEnvironment},
    files::{self, FileError, MAX_WRITTEN_BY_HAND},
};
use apidisc_facts::source::{
    ExampleSource, INSTALLED_ROOTS, LinkedSources, NamedSource, PathFilter, PathFilterError, Source,
};
use apidisc_indexing::{
    index::metadata::DEFAULT_OUTPUT,
    usage::{Weights, WeightsError},
};

/// The input of [`build_index`](super::build_index): the sources, and the file to write. The fields are the keys of
/// `sources.yaml`.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, expecting = "the keys of sources.yaml")]
pub struct IndexerConfig {
    /// The sources, in the order in which they define modules.
    pub sources: Vec<RepoConfig>,
    /// The file to which the command `index` writes.
    #[serde(default = "default_output")]
    pub output_path: PathBuf,
    /// Definitions with fewer calls are left out of that file.
    #[serde(default = "default_threshold")]
    pub min_usage_threshold: u32,
    /// The folder from which relative paths start: that of the file.
    #[serde(skip)]
    pub folder: PathBuf,
    /// For each source that says which environment holds its packages: where it is written, such as `sources.yaml: line
    /// 4`. Messages about the environment name the place.
    #[serde(skip)]
    pub environment_places: Vec<String>,
}

/// One source.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, expecting = "the keys of a source, such as url")]
pub struct RepoConfig {
    /// A git URL, or a path.
    pub url: String,
    /// A branch, tag or commit. Without a branch, a path means the files of the folder as they are.
    #[serde(default)]
    pub branch: Option<String>,
    /// Folders and globs, relative to the source; see [`PathFilter`].
    #[serde(default)]
    pub include_paths: Option<Vec<String>>,
    /// Paths and globs that are left out of the included ones.
    #[serde(default)]
    pub exclude_paths: Option<Vec<String>>,
    /// The name of the source on screens and in paths. Without one, it is the last part of the URL.
    #[serde(default)]
    pub name: Option<CompactString>,
    /// The weight of the source, from 0 to 10: the factor by which its calls are multiplied; 1 by default.
    #[serde(default)]
    pub weight: Option<u64>,
    /// Which environment holds the packages that the source imports. The path of a folder is relative to the file that
    /// lists the sources, as that of `url` is. Without it, the environment of the project.
    #[serde(default, deserialize_with = "environment")]
    pub environment: Option<EnvironmentSetting>,
    /// The packages of which the source has examples, since it is a clone of their repository. Its calls in documents,
    /// examples and tests are shown as calls of the installed packages where the other sources have few. It is not
    /// indexed with them, and counts for nothing.
    #[serde(default)]
    pub examples_of: Vec<CompactString>,
}

/// Why a list of sources cannot be used, in one line that says how to mend it.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// The file cannot be read.
    #[error("it cannot be read: {0}; name a file that lists sources")]
    Unreadable(FileError),
    /// The text does not have the form of `sources.yaml`.
    #[error("{}{message}", line.map(|line| format!("line {line}: ")).unwrap_or_default())]
    Form {
        /// The line, from 1.
        line: Option<usize>,
        /// The problem, without control characters.
        message: String,
    },
    /// A source of examples has an environment of its own.
    #[error("{0}: a source with `examples_of` is not linked with packages; leave out its `environment` and `weight`")]
    Examples(CompactString),
    /// There is no source.
    #[error("there are no sources; list some below `sources:`, such as `- url: path/to/folder`")]
    Empty,
    /// A name cannot be the folder of a source.
    #[error("`{0}` is no name for a source; use letters, digits, `.`, `_` and `-`, and begin with a letter or digit")]
    Name(String),
    /// A name is that of the folder of installed packages.
    #[error("`{0}` is the folder of installed packages in paths; give the source another name")]
    ReservedName(CompactString),
    /// Two sources have the same name.
    #[error("two sources are called `{0}`; give one of them another name")]
    RepeatedName(CompactString),
    /// A URL or branch cannot be used.
    #[error(transparent)]
    Location(#[from] LocationError),
    /// A path to include or exclude cannot be used.
    #[error("{0}: {1}")]
    Paths(CompactString, PathFilterError),
    /// A weight is out of range.
    #[error("{0}: {1}")]
    Weight(CompactString, WeightsError),
}

/// A source that lies elsewhere and has to be fetched first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fetch {
    /// Where the source lies.
    pub location: Location,
    /// The branch, tag or commit.
    pub branch: Option<String>,
}

/// Fetches sources that lie elsewhere: for each the source, or one line that says why it could not be fetched.
pub type FetchSources<'f> = &'f dyn Fn(&[Fetch]) -> Vec<Result<Source, String>>;

fn default_output() -> PathBuf {
    PathBuf::from(DEFAULT_OUTPUT)
}

fn default_threshold() -> u32 {
    2
}

/// Reads `environment`: `auto`, `none`, or the path of a folder.
fn environment<'de, D: Deserializer<'de>>(value: D) -> Result<Option<EnvironmentSetting>, D::Error> {
    struct Written;

    impl Visitor<'_> for Written {
        type Value = Option<EnvironmentSetting>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("`auto`, `none` or the path of an environment, such as ../app/.venv")
        }

        fn visit_str<E: de::Error>(self, text: &str) -> Result<Self::Value, E> {
            match text {
                "auto" => Ok(Some(EnvironmentSetting::Auto)),
                "none" => Ok(Some(EnvironmentSetting::None)),
                path if path.trim().is_empty() || path.chars().any(char::is_control) => {
                    Err(E::invalid_value(Unexpected::Str(path), &self))
                }
                path => Ok(Some(EnvironmentSetting::Folder(path.into()))),
            }
        }
    }

    value.deserialize_str(Written)
}

/// Where a list of sources writes the environments of `count` sources. YAML has several forms of a key; where the lines
/// with the usual form are as many, each names its line.
fn environment_places(text: &str, count: usize) -> Vec<String> {
    let is_key = |line: &str| line.trim_start_matches(['-', ' ']).starts_with("environment:");
    let lines: Vec<usize> = (1..).zip(text.lines()).filter(|(_, line)| is_key(line)).map(|(at, _)| at).collect();
    if lines.len() == count {
        return lines.into_iter().map(|line| format!("line {line}: environment")).collect();
    }
    vec!["environment".to_owned(); count]
}

impl IndexerConfig {
    /// Indexes these sources.
    pub fn new(sources: Vec<RepoConfig>) -> Self {
        Self {
            sources,
            output_path: default_output(),
            min_usage_threshold: default_threshold(),
            folder: PathBuf::from("."),
            environment_places: Vec::new(),
        }
    }

    /// Reads `sources.yaml`. Paths in it are relative to its folder.
    ///
    /// # Errors
    /// [`ConfigError`] with the line and the problem.
    pub fn read(path: &Path) -> Result<Self, ConfigError> {
        let text = files::read_text(path, MAX_WRITTEN_BY_HAND).map_err(ConfigError::Unreadable)?;
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let mut config = Self::parse(&text, folder)?;
        for place in &mut config.environment_places {
            *place = format!("{}: {place}", path.display().to_string().escape_debug());
        }
        Ok(config)
    }

    /// Reads the text of `sources.yaml`. Paths in it are relative to `folder`.
    ///
    /// # Errors
    /// [`ConfigError`] with the line and the problem.
    pub fn parse(text: &str, folder: &Path) -> Result<Self, ConfigError> {
        let config: Self = serde_yaml::from_str(text).map_err(|error| {
            let message = error.to_string();
            // The line number precedes the message, so its repetition in the message is removed.
            let message = message.split(" at line ").next().unwrap_or_default().escape_debug().to_string();
            ConfigError::Form {
                line: error.location().map(|location| location.line()),
                message: message.replace("\\\"", "\"").replace("\\'", "'"),
            }
        })?;
        let named = config.sources.iter().filter(|source| source.environment.is_some()).count();
        let environment_places = environment_places(text, named);
        let config = Self { folder: folder.to_owned(), environment_places, ..config };
        config.check()?;
        Ok(config)
    }

    /// The file to which the command `index` writes, seen from the current folder.
    pub fn output(&self) -> PathBuf {
        self.folder.join(&self.output_path)
    }

    /// Checks everything that can be checked without opening a source.
    ///
    /// # Errors
    /// [`ConfigError`] with the first mistake.
    pub fn check(&self) -> Result<(), ConfigError> {
        self.weights()?;
        for (name, source) in self.names()?.into_iter().zip(&self.sources) {
            let is_linked = source.environment.is_some() || source.weight.is_some();
            if !source.examples_of.is_empty() && is_linked {
                return Err(ConfigError::Examples(name));
            }
            source.location(&self.folder)?;
            source.paths()?;
        }
        Ok(())
    }

    /// The weights of the sources.
    ///
    /// # Errors
    /// [`ConfigError`] if a name or a weight cannot be used.
    pub fn weights(&self) -> Result<Weights, ConfigError> {
        let mut weights = Weights::default();
        let linked = |(_, source): &(CompactString, &RepoConfig)| source.examples_of.is_empty();
        for (name, source) in self.names()?.into_iter().zip(&self.sources).filter(linked) {
            let weight = source.weight.unwrap_or(1);
            weights = weights.with_source(&name, weight).map_err(|error| ConfigError::Weight(name, error))?;
        }
        Ok(weights)
    }

    /// The sources, linked together. `fetch` provides every source except folders without a branch: it returns the
    /// fetched source, or one line that says why the source could not be fetched.
    ///
    /// # Errors
    /// [`ConfigError`] if the configuration has a mistake. A source that cannot be fetched becomes [`Source::Missing`].
    pub fn source(&self, fetch: FetchSources<'_>) -> Result<Source, ConfigError> {
        let names = self.names()?;
        let mut wanted = Vec::new();
        let mut sources = Vec::new();
        let mut places = self.environment_places.iter();
        for (name, config) in names.into_iter().zip(&self.sources) {
            let (location, paths) = (config.location(&self.folder)?, config.paths()?);
            let branch = config.branch.clone();
            let source = if let (Location::Path(path), None) = (&location, &branch) {
                Source::Folder(path.clone())
            } else {
                wanted.push((sources.len(), Fetch { location: location.clone(), branch: branch.clone() }));
                Source::Missing { url: location.shown(), why: "it was not fetched".to_owned() }
            };
            let environment = config.environment.as_ref().map(|setting| WrittenEnvironment {
                setting: match setting {
                    EnvironmentSetting::Folder(path) => EnvironmentSetting::Folder(self.folder.join(path)),
                    other => other.clone(),
                },
                place: places.next().cloned().unwrap_or_else(|| "environment".to_owned()),
            });
            sources.push(NamedSource { name, source, paths, branch, environment });
        }
        let (positions, wanted): (Vec<usize>, Vec<Fetch>) = wanted.into_iter().unzip();
        if !wanted.is_empty() {
            for ((at, fetched), wanted) in positions.into_iter().zip(fetch(&wanted)).zip(&wanted) {
                let missing = |why| Source::Missing { url: wanted.location.shown(), why };
                sources[at].source = fetched.unwrap_or_else(missing);
            }
        }
        let (linked, examples): (Vec<_>, Vec<_>) =
            sources.into_iter().zip(&self.sources).partition(|(_, config)| config.examples_of.is_empty());
        let example = |(source, config): (NamedSource, &RepoConfig)| ExampleSource {
            source,
            packages: config.examples_of.clone(),
        };
        let linked = LinkedSources::new(linked.into_iter().map(|(source, _)| source).collect());
        Ok(Source::Linked(linked.with_examples(examples.into_iter().map(example).collect())))
    }

    /// The names of the sources: those that are given, else the last part of the URL, with a number if that is taken.
    fn names(&self) -> Result<Vec<CompactString>, ConfigError> {
        if self.sources.iter().all(|source| !source.examples_of.is_empty()) {
            return Err(ConfigError::Empty);
        }
        let given: Vec<&CompactString> = self.sources.iter().filter_map(|source| source.name.as_ref()).collect();
        for (at, name) in given.iter().enumerate() {
            if !is_name(name) {
                return Err(ConfigError::Name(name.escape_debug().to_string()));
            }
            if INSTALLED_ROOTS.contains(&name.as_str()) {
                return Err(ConfigError::ReservedName((*name).clone()));
            }
            if given[..at].contains(name) {
                return Err(ConfigError::RepeatedName((*name).clone()));
            }
        }
        let mut names: Vec<CompactString> = Vec::new();
        for source in &self.sources {
            let name = if let Some(name) = &source.name {
                name.clone()
            } else {
                let base = source.location(&self.folder)?.name();
                let numbered = (2..).map(|number| format_compact!("{base}-{number}"));
                let mut candidates = std::iter::once(base.clone()).chain(numbered);
                let is_free = |name: &CompactString| {
                    !names.contains(name) && !given.contains(&name) && !INSTALLED_ROOTS.contains(&name.as_str())
                };
                candidates.find(is_free).unwrap_or_default()
            };
            names.push(name);
        }
        Ok(names)
    }
}

impl RepoConfig {
    /// The source at a URL or path.
    pub fn new(url: impl Into<String>) -> Self {
        Self { url: url.into(), ..Self::default() }
    }

    fn location(&self, folder: &Path) -> Result<Location, ConfigError> {
        if let Some(branch) = &self.branch {
            super::location::check_branch(branch)?;
        }
        Ok(Location::parse(&self.url, folder)?)
    }

    fn paths(&self) -> Result<PathFilter, ConfigError> {
        let list = |paths: &Option<Vec<String>>| paths.clone().unwrap_or_default();
        let filter = PathFilter::new(&list(&self.include_paths), &list(&self.exclude_paths));
        filter.map_err(|error| ConfigError::Paths(self.url.escape_debug().to_string().into(), error))
    }
}

/// True for a name that can be a folder in paths of the index and a part of the names of modules.
pub(super) fn is_name(name: &str) -> bool {
    let is_plain = |c: char| c.is_alphanumeric() || matches!(c, '.' | '_' | '-');
    name.starts_with(char::is_alphanumeric) && name.chars().all(is_plain)
}
