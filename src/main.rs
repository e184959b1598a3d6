//! The binary: parses the command line, runs it, and returns the exit code.

mod allocator;

use std::{process::ExitCode, sync::Arc};

use apidisc::usage::Weights;
use apidisc_tui::{
    cache::Cache,
    cli::{self, Explore, Invocation, Screenshot, ShowConfig},
    clones::Fetching,
    models,
    places::{self, Places},
    requests::LogFolder,
    serve, tui,
};

fn main() -> ExitCode {
    allocator::configure();
    let invocation = cli::parse();
    for name in places::ignored_variables() {
        cli::note(&format!("{name} is ignored: its path is not absolute"));
    }
    cli::exit_code(match invocation {
        Invocation::Explore(command) => {
            allocator::return_memory_at_once();
            explore(command)
        }
        Invocation::Screenshot(command) => screenshot(&command),
        Invocation::Export(command) => command.run(),
        Invocation::ExportOperation(command) => command.run(),
        Invocation::Check(command) => command.run(),
        Invocation::Evaluate(command) => command.run(),
        Invocation::Serve(command) => {
            allocator::return_memory_at_once();
            serve(command)
        }
        Invocation::ServerConfig(command) => command.run(),
        Invocation::Setup(command) => command.run(),
        Invocation::Index(command) => command.run(),
        Invocation::Facts(command) => command.run(),
        Invocation::Calls(command) => command.run(),
        Invocation::Deps(command) => command.run(),
        Invocation::Report(command) => command.run(),
        Invocation::Breaks(command) => command.run(),
        Invocation::Explain(command) => command.run(),
        Invocation::Reads(command) => command.run(),
        Invocation::Uses(command) => command.run(),
        Invocation::CheckIndex(command) => command.run(),
        Invocation::Discover(command) => command.run(),
        Invocation::Docs(command) => command.run(),
        Invocation::Route(command) => command.run(),
        Invocation::Ask(command) => ask(command),
        Invocation::Agent(command) => agent(command),
        Invocation::Cache(command) => command.run(Cache::of_user()),
        Invocation::Config(command) => config(command),
        Invocation::Doctor(command) => doctor(&command),
        Invocation::Version(command) => command.run(),
        Invocation::Completions(command) => command.run(),
        Invocation::Man(command) => command.run(),
    })
}

/// Opens the explorer. The command line and the explorer never call each other; this file connects them.
fn explore(explore: Explore) -> anyhow::Result<()> {
    let places = Places::find();
    let path = explore.input.path();
    let session_file = path.and_then(|path| tui::session_file(places.as_ref()?, path));
    let session_file = session_file.map(|file| tui::SessionFile { is_fresh: explore.fresh, ..file });
    let conversations = path.and_then(|path| tui::conversations_file(places.as_ref()?, path));
    // The explorer shows how sources are fetched.
    let fetching = explore.input.fetching()?;
    tui::run(tui::ExplorerOptions { session_file, conversations, ..options(explore, fetching)? })
}

/// Serves agents. The server calls `open` in the background when the first request comes.
fn serve(command: cli::Serve) -> anyhow::Result<()> {
    let token = command.token()?;
    let log = request_log(&command.input);
    let state = Places::find().map(|places| places.state.join("sessions.json"));
    let allowed = command.input.allowed_files(&command.allowed);
    let cli::Serve { input, cache, tools, http, docs, model, environment, .. } = command;
    let model = models::open(model.as_deref())?;
    serve::run(serve::ServerOptions {
        open: Box::new(move || match input.content()? {
            cli::InputContent::Source(source, weights) => Ok((source, weights)),
            cli::InputContent::Index(_) => anyhow::bail!("a file of counts is no source; name a folder"),
        }),
        cache,
        model,
        log,
        state,
        tools,
        docs,
        allowed,
        environment,
        http,
        token,
        note: cli::note,
    })
}

/// The log of the requests that agents make of an input.
fn request_log(input: &cli::Input) -> Option<LogFolder> {
    let places = Places::find();
    match input.path() {
        Some(path) => LogFolder::of(places.as_ref(), path),
        None => LogFolder::of_demo(places.as_ref()),
    }
}

fn screenshot(command: &Screenshot) -> anyhow::Result<()> {
    let options = options(command.explore.clone(), None)?;
    command.write(&tui::screenshot(options, command.size, &command.keys, cli::build)?)
}

/// Asks a question, by default the model of the configuration.
fn ask(command: cli::Ask) -> anyhow::Result<()> {
    let model = command.model.map(with_configured_model);
    cli::Ask { model, ..command }.run()
}

/// Runs an agent, by default with the model of the configuration.
fn agent(command: cli::RunAgent) -> anyhow::Result<()> {
    let model = with_configured_model(command.model);
    cli::RunAgent { model, ..command }.run()
}

/// The options, with the model of the configuration if they name none. Prints the mistakes in the configuration.
fn with_configured_model(options: cli::ModelOptions) -> cli::ModelOptions {
    let setup = tui::setup(Places::find().as_ref());
    for complaint in &setup.complaints {
        cli::note(&complaint.to_string());
    }
    options.or(setup.config.ask.model, setup.config.ask.base_url)
}

/// The language model of the environment or the configuration; `None` if neither names a model. The model is opened
/// when the user asks a question.
fn assistant(setup: &tui::Setup) -> Option<tui::Assistant> {
    let ask = setup.config.ask.clone();
    let options = cli::ModelOptions::of_environment().or(ask.model, ask.base_url);
    let name = options.model.clone()?;
    let limits = options.limits();
    let open = move || options.open().map_err(|error| format!("{error:#}"));
    Some(tui::Assistant { name, limits, open: Arc::new(open) })
}

fn options(
    Explore { input, cache, model, request, given, documents, environment, theme, color, ascii, no_watch, .. }: Explore,
    fetching: Option<(Fetching, Weights)>,
) -> anyhow::Result<tui::ExplorerOptions> {
    let places = Places::find();
    let mut setup = tui::setup(places.as_ref());
    let model = setup.open_model(places.as_ref(), model.as_deref())?;
    let mut request = request.resolve(&input)?;
    let request_log = request_log(&input);
    let (content, weights) = match fetching {
        Some((fetching, weights)) => (tui::Content::Fetching(fetching, cache), weights),
        None => match input.content()? {
            cli::InputContent::Source(source, weights) => (tui::Content::Source(source, cache), weights),
            cli::InputContent::Index(index) => {
                let index = request.weighted(&Arc::from(index))?;
                let weights = index.weights.clone();
                (tui::Content::Index(index), weights)
            }
        },
    };
    // The weights of a file of counts are in force; those of sources only where they differ from the usual ones.
    let has_weights = given.weights || !weights.are_default() || matches!(content, tui::Content::Index(_));
    request.weights = request.weights.or_those_of(&weights);
    setup.config.is_ascii |= ascii;
    setup.config.is_watching &= !no_watch;
    if let Some(color) = color.and_then(|word| word.parse().ok()) {
        setup.config.color = color;
    }
    Ok(tui::ExplorerOptions {
        content,
        model,
        assistant: assistant(&setup),
        conversations: None,
        title: input.title(),
        argument: input.argument(),
        strategy: given.strategy.then_some(request.strategy),
        wording: given.wording.then_some(request.wording),
        docs: given.docs.then_some(request.docs),
        encoding: given.encoding.then_some(request.encoding),
        weights: has_weights.then_some(request.weights),
        overrides: given.overrides.then_some(request.overrides),
        session_file: None,
        request_log,
        theme,
        documents,
        environment,
        setup,
        module: request.module,
        symbol: request.symbol,
    })
}

/// Prints the configuration: `tui` reads it, `cli` prints it.
fn config(command: ShowConfig) -> anyhow::Result<()> {
    let places = Places::find();
    let setup = tui::setup(places.as_ref());
    let complaints: Vec<String> = setup.complaints.iter().map(ToString::to_string).collect();
    command.run(places.as_ref(), &setup.config.to_toml(), &complaints)
}

/// Says what works here: `tui` reads the configuration, `cli` looks at everything else.
fn doctor(command: &cli::Doctor) -> anyhow::Result<()> {
    let places = Places::find();
    let mut setup = tui::setup(places.as_ref());
    let has_own_words = setup.config.model.is_some();
    // A model of word vectors that cannot be used becomes a complaint.
    setup.open_model(places.as_ref(), None)?;
    let ask = setup.config.ask.clone();
    command.run(&cli::Configured {
        places,
        complaints: setup.complaints.iter().map(ToString::to_string).collect(),
        colours: tui::colours(&setup),
        smallest_window: (tui::geometry::MINIMUM.columns, tui::geometry::MINIMUM.rows),
        has_own_words,
        model: cli::ModelOptions::of_environment().or(ask.model, ask.base_url),
    })
}
