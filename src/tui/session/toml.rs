//! Reads and writes the file of a [`Session`]. A text is either read or refused with a reason in one line.

use std::{collections::BTreeMap, str::FromStr};

use compact_str::CompactString;
use serde::{Deserialize, Serialize};

use super::{
    Session,
    call_filter::{self, CallFilterToml},
};
use crate::tui::{
    arrangement::Arrangement,
    geometry::Pane,
    model::{Location, PageKind, PageLocation, Settings, TopicName, page::CallOrder},
};
use apidisc::{
    overrides::Overrides,
    strategy::Strategy,
    stub::{Docs, Wording},
    tokens::Encoding,
    usage::Weights,
};

/// The content of the file. Unknown keys, such as those of other versions, are ignored.
#[derive(Default, Deserialize, Serialize)]
#[serde(default)]
struct SessionToml {
    path: String,
    strategy: Option<String>,
    max_tokens: Option<u32>,
    min_frequency: Option<f64>,
    target: Option<f64>,
    wording: Option<String>,
    docs: Option<String>,
    encoding: Option<String>,
    weights: Option<String>,
    theme: Option<String>,
    private: bool,
    pins: Vec<String>,
    bans: Vec<String>,
    filters: FiltersToml,
    layout: LayoutToml,
    place: Option<LocationToml>,
    marks: BTreeMap<String, LocationToml>,
}

#[derive(Default, Deserialize, Serialize)]
#[serde(default)]
struct FiltersToml {
    modules: String,
    symbols: String,
    arguments: String,
}

/// The sizes of the panes.
#[derive(Default, Deserialize, Serialize)]
#[serde(default)]
struct LayoutToml {
    zoomed: bool,
    /// For each shape of the screen, the splits between the panes in thousandths of the split area; -1 for the default.
    cuts: Vec<Vec<i32>>,
}

#[derive(Default, Deserialize, Serialize)]
#[serde(default)]
struct LocationToml {
    /// True for a location in the packages that the code uses.
    packages: Option<bool>,
    module: Option<CompactString>,
    definition: Option<CompactString>,
    argument: Option<CompactString>,
    document: Option<CompactString>,
    part: Option<String>,
    focus: String,
    page: Option<PageToml>,
    tuning: Option<TopicToml>,
}

#[derive(Default, Deserialize, Serialize)]
#[serde(default)]
struct PageToml {
    kind: String,
    part: Option<String>,
    row: Option<String>,
    order: String,
    about: TopicToml,
    calls: Option<CallFilterToml>,
}

/// The topic of a page; without any name it is the repository.
#[derive(Clone, Default, Deserialize, Serialize)]
#[serde(default)]
struct TopicToml {
    module: Option<CompactString>,
    definition: Option<CompactString>,
    argument: Option<CompactString>,
}

const PANES: [(Pane, &str); 4] = [
    (Pane::Modules, "modules"),
    (Pane::Symbols, "symbols"),
    (Pane::Arguments, "arguments"),
    (Pane::Preview, "preview"),
];

impl Session {
    /// Formats the text of the session file; `path` is the path of the repository.
    pub fn to_toml(&self, path: &str) -> String {
        let parameters = self.settings.strategy_parameters();
        let targets = |targets: &std::collections::BTreeSet<_>| targets.iter().map(ToString::to_string).collect();
        let [modules, symbols, arguments] = self.filters.clone();
        let text = SessionToml {
            path: path.to_owned(),
            strategy: Some(self.settings.strategy.name().to_owned()),
            max_tokens: u32::try_from(parameters.max_tokens).ok(),
            min_frequency: Some(parameters.min_frequency),
            target: Some(parameters.target),
            wording: Some(self.settings.wording.name().to_owned()),
            docs: Some(self.settings.docs.name().to_owned()),
            encoding: Some(self.settings.encoding.name().to_owned()),
            weights: Some(self.settings.weights.to_string()),
            theme: self.theme.clone(),
            private: self.has_private,
            pins: targets(&self.overrides.pinned),
            bans: targets(&self.overrides.banned),
            filters: FiltersToml { modules, symbols, arguments },
            layout: LayoutToml {
                zoomed: self.arrangement.is_zoomed,
                cuts: self.arrangement.splits().map(|cuts| cuts.map(|cut| cut.map_or(-1, i32::from)).to_vec()).to_vec(),
            },
            place: self.location.as_ref().map(write_location),
            marks: self.marks.iter().map(|(letter, location)| (letter.to_string(), write_location(location))).collect(),
        };
        let toml = ::toml::to_string(&text).unwrap_or_default();
        format!("# What the explorer remembers of this folder; without the file it begins anew.\n{toml}")
    }

    /// Parses the text of a file.
    ///
    /// # Errors
    /// The first mistake in the text, in one line.
    pub fn parse(text: &str) -> Result<Self, String> {
        let file: SessionToml =
            ::toml::from_str(text).map_err(|why| why.message().lines().next().unwrap_or_default().to_owned())?;
        let targets = |names: &[String]| names.iter().filter_map(|name| name.parse().ok()).collect();
        let mut arrangement = Arrangement::default();
        arrangement.is_zoomed = file.layout.zoomed;
        for (shape, cuts) in file.layout.cuts.iter().enumerate() {
            for (number, cut) in cuts.iter().enumerate() {
                arrangement.set_split(shape, number, u16::try_from(*cut).ok());
            }
        }
        let mut marks = BTreeMap::new();
        for (letter, location) in &file.marks {
            let mut letters = letter.chars();
            match (letters.next().filter(|letter| letter.is_alphanumeric()), letters.next()) {
                (Some(letter), None) => marks.insert(letter, read_location(location)?),
                _ => return Err(format!("`{letter}` marks nothing: marks are letters and digits")),
            };
        }
        let settings = settings(&file)?;
        let FiltersToml { modules, symbols, arguments } = file.filters;
        Ok(Self {
            settings,
            overrides: Overrides { pinned: targets(&file.pins), banned: targets(&file.bans) },
            theme: file.theme,
            arrangement,
            has_private: file.private,
            filters: [modules, symbols, arguments].map(|filter| filter.chars().filter(|c| !c.is_control()).collect()),
            location: file.place.as_ref().map(read_location).transpose()?,
            marks,
        })
    }
}

fn settings(file: &SessionToml) -> Result<Settings, String> {
    let mut settings = Settings::default();
    let mut parameters = settings.strategy_parameters();
    let share = |share: Option<f64>, default: f64| match share {
        Some(share) if !(0.0..=1.0).contains(&share) => Err(format!("{share} is no share between 0 and 1")),
        share => Ok(share.unwrap_or(default)),
    };
    parameters.min_frequency = share(file.min_frequency, parameters.min_frequency)?;
    parameters.target = share(file.target, parameters.target)?;
    if let Some(max_tokens) = file.max_tokens {
        parameters.max_tokens = usize::try_from(max_tokens).unwrap_or(usize::MAX);
    }
    let (max_tokens, min_frequency, target) = (parameters.max_tokens, parameters.min_frequency, parameters.target);
    let strategies = [
        Strategy::TokenBudget { max_tokens },
        Strategy::Threshold { min_frequency },
        Strategy::Coverage { target },
        Strategy::Exhaustive,
    ];
    for strategy in strategies {
        settings.set(strategy);
    }
    let name = file.strategy.as_deref().unwrap_or(Strategy::default().name());
    let strategy = strategies.into_iter().find(|strategy| strategy.name() == name);
    settings.set(strategy.ok_or_else(|| format!("there is no strategy `{name}`"))?);
    settings.wording = parse_or_default::<Wording>(file.wording.as_deref())?;
    settings.docs = parse_or_default::<Docs>(file.docs.as_deref())?;
    settings.encoding = parse_or_default::<Encoding>(file.encoding.as_deref())?;
    settings.weights = parse_or_default::<Weights>(file.weights.as_deref())?;
    Ok(settings)
}

/// Parses a name; the default if there is none.
fn parse_or_default<T: FromStr<Err: ToString> + Default>(name: Option<&str>) -> Result<T, String> {
    name.map_or_else(|| Ok(T::default()), |name| name.parse().map_err(|why: T::Err| why.to_string()))
}

fn write_location(location: &Location) -> LocationToml {
    let focus = PANES.iter().find(|(pane, _)| *pane == location.focus).map_or("", |(_, word)| word);
    LocationToml {
        packages: location.is_in_packages.then_some(true),
        module: location.module.clone(),
        definition: location.definition.clone(),
        argument: location.argument.clone(),
        document: location.document.clone(),
        part: location.part.clone(),
        focus: focus.to_owned(),
        page: location.page.as_ref().map(write_page),
        tuning: location.tuning.as_ref().map(write_topic),
    }
}

fn read_location(text: &LocationToml) -> Result<Location, String> {
    let focus = match PANES.iter().find(|(_, word)| *word == text.focus) {
        Some((pane, _)) => *pane,
        None if text.focus.is_empty() => Pane::default(),
        None => return Err(format!("there is no pane `{}`", text.focus)),
    };
    Ok(Location {
        is_in_packages: text.packages.unwrap_or_default(),
        has_agents: false,
        document: text.document.clone(),
        part: text.part.clone(),
        has_ask: false,
        module: text.module.clone(),
        definition: text.definition.clone(),
        argument: text.argument.clone(),
        focus,
        page: text.page.as_ref().map(read_page).transpose()?,
        tuning: text.tuning.as_ref().map(read_topic),
    })
}

fn write_page(page: &PageLocation) -> PageToml {
    let kind = match page.kind {
        // A recipe belongs to one index, so the next session shows the page of its callee. The next session compares no
        // other version.
        PageKind::About | PageKind::Recipe(_) | PageKind::Upgrade | PageKind::Ledger(_) => "about",
        PageKind::Part(_) => "part",
        PageKind::Recipes => "recipes",
        PageKind::Uses => "uses",
        PageKind::Calls(..) => "calls",
    };
    let (kind, order) = (kind.to_owned(), page.order.word().to_owned());
    let part = match &page.kind {
        PageKind::Part(id) => Some(id.clone()),
        _ => None,
    };
    PageToml {
        kind,
        part,
        row: page.row.clone(),
        order,
        about: write_topic(&page.about),
        calls: call_filter::write(&page.kind),
    }
}

fn write_topic(topic: &TopicName) -> TopicToml {
    let (module, definition, argument) = match topic.clone() {
        TopicName::Repository => (None, None, None),
        TopicName::Module(name) => (Some(name), None, None),
        TopicName::Definition(name) => (None, Some(name), None),
        TopicName::Argument(name, argument) => (None, Some(name), Some(argument)),
    };
    TopicToml { module, definition, argument }
}

fn read_topic(text: &TopicToml) -> TopicName {
    match text.clone() {
        TopicToml { definition: Some(name), argument: Some(argument), .. } => TopicName::Argument(name, argument),
        TopicToml { definition: Some(name), .. } => TopicName::Definition(name),
        TopicToml { module: Some(name), .. } => TopicName::Module(name),
        TopicToml { .. } => TopicName::Repository,
    }
}

fn read_page(text: &PageToml) -> Result<PageLocation, String> {
    let kind = match text.kind.as_str() {
        "about" => PageKind::About,
        "recipes" => PageKind::Recipes,
        "uses" => PageKind::Uses,
        "part" => PageKind::Part(text.part.clone().unwrap_or_default()),
        "calls" => call_filter::read(text.calls.as_ref().unwrap_or(&CallFilterToml::default())),
        other => return Err(format!("there is no page `{other}`")),
    };
    let about = read_topic(&text.about);
    let order = CallOrder::ALL.into_iter().find(|order| order.word() == text.order).unwrap_or_default();
    Ok(PageLocation { about, kind, row: text.row.clone(), order })
}

#[cfg(test)]
mod tests {
    use super::*;
    use apidisc::index::CallFilter;

    fn session() -> Session {
        let mut settings = Settings::default();
        settings.set(Strategy::Coverage { target: 0.875 });
        settings.set(Strategy::TokenBudget { max_tokens: 740 });
        settings.weights = "tests=0,examples=3".parse().expect("weights");
        settings.wording = Wording::Lean;
        settings.docs = Docs::Full;
        let page = PageLocation {
            about: TopicName::Argument("pkg.Client".into(), "timeout".into()),
            kind: PageKind::Calls(CallFilter::all(), Vec::new()),
            row: Some("a \"row\"\n".to_owned()),
            order: CallOrder::Path,
        };
        let location = Location {
            is_in_packages: true,
            has_agents: false,
            document: None,
            part: None,
            has_ask: false,
            module: Some("pkg".into()),
            definition: Some("pkg.Client".into()),
            argument: Some("timeout".into()),
            focus: Pane::Arguments,
            page: Some(page),
            tuning: Some(TopicName::Module("pkg".into())),
        };
        let mut arrangement = Arrangement::default();
        arrangement.is_zoomed = true;
        arrangement.set_split(2, 1, Some(333));
        Session {
            settings,
            overrides: Overrides {
                pinned: ["pkg.Client(timeout)".parse().expect("a name")].into(),
                banned: ["pkg.größe".parse().expect("a name")].into(),
            },
            theme: Some("nord".to_owned()),
            arrangement,
            has_private: true,
            filters: ["a".to_owned(), String::new(), "tim".to_owned()],
            location: Some(location.clone()),
            marks: [('a', Location::default()), ('7', location)].into(),
        }
    }

    /// The location of a schema in a document, with its page.
    fn location_in_a_document() -> Location {
        let id = "api/openapi.yaml:components/schemas/Tag";
        let page = PageLocation {
            about: TopicName::Repository,
            kind: PageKind::Part(id.to_owned()),
            row: None,
            order: CallOrder::default(),
        };
        Location {
            document: Some("api/openapi.yaml".into()),
            part: Some(id.to_owned()),
            focus: Pane::Symbols,
            page: Some(page),
            ..Location::default()
        }
    }

    #[test]
    fn a_written_session_is_read_back() {
        let in_a_document = Session { location: Some(location_in_a_document()), ..Session::default() };
        for session in [session(), in_a_document, Session::default()] {
            let text = session.to_toml("/home/x/\"src\"");
            assert_eq!(Session::parse(&text), Ok(session), "{text}");
        }
    }

    #[test]
    fn mistakes_are_reported() {
        for (text, why) in [
            ("strategy = 3", "invalid type: integer `3`, expected a string"),
            ("strategy = 'hope'", "there is no strategy `hope`"),
            ("wording = 'long'", "no wording is called `long`; there are auto, full, lean, calls"),
            ("docs = 'all'", "no amount of documentation is called `all`; there are none, summary, full"),
            ("target = nan", "NaN is no share between 0 and 1"),
            ("weights = 'tests=99'", "99 is too much; a weight is a whole number from 0 to 10"),
            ("max_tokens = -1", "invalid value: integer `-1`, expected u32"),
            ("[marks.ab]", "`ab` marks nothing: marks are letters and digits"),
            ("[place]\nfocus = 'moon'", "there is no pane `moon`"),
        ] {
            assert_eq!(Session::parse(text), Err(why.to_owned()), "{text}");
        }
    }

    #[test]
    fn keys_of_other_versions_are_ignored() {
        let session = Session::parse("later = { x = 1 }\n[layout]\ncuts = [[5000, -7], [], [1, 2, 3, 4], [], [9]]\n");
        assert!(session.is_ok_and(|session| session.settings == Settings::default()));
    }
}
