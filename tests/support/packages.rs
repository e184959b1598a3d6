//! A program with a package that it uses, and one that is not installed.

use std::sync::Arc;

use apidisc::{
    breaks::report::{Finding, Report, Rule, Verdict},
    control::Control,
    dependencies::{CallDestinations, UncountedCalls},
    index::Index,
    indexer::build,
    language::Language,
    packages::{Dependency, DependencyState},
    source::{INSTALLED, Source, SourceMeta},
};
use apidisc_tui::tui::{
    message::Message,
    model::{ReadUpgrade, UpgradeQuestion, UsedPackages, Versioned},
};

use super::drive::Explorer;

const PROGRAM: (&str, &str) = (
    "app.py",
    "from kit.net import Client\nimport gone\n\n\ndef run(address):\n    client = Client(address, timeout=3)\n    \
     client.get(\"/\")\n    return client.get(\"/a\", retries=2)\n\n\nrun(1)\ngone.f()\n",
);
const PACKAGE: [(&str, &str); 2] = [
    ("site-packages/kit/__init__.py", ""),
    (
        "site-packages/kit/net.py",
        "class Client:\n    \"\"\"Gets pages.\"\"\"\n\n    def __init__(self, address, timeout=1, proxy=None): ...\n\n    \
         def get(self, path, retries=0, unused=None): ...\n\n\ndef lonely(): ...\n",
    ),
];

fn index(files: &[(&str, &str)]) -> Index {
    let files = files.iter().map(|&(path, text)| (path.to_owned(), text.as_bytes().to_vec().into())).collect();
    let source = Source::Memory { name: "program".to_owned(), files };
    let mut index = build(&source, &mut |_| Control::Continue).unwrap().unwrap();
    // The files of packages are a source of their own, as where an environment was read.
    let of_packages = index.sources.len() as u32;
    index.sources.push(SourceMeta { name: INSTALLED.into(), ..SourceMeta::default() });
    for file in index.files.iter_mut().filter(|file| file.path.starts_with(INSTALLED)) {
        file.source = of_packages;
    }
    index
}

/// The index of the program alone.
pub fn program() -> Index {
    index(&[PROGRAM])
}

/// The packages that the program uses.
pub fn packages() -> Vec<Dependency> {
    let kit = Dependency {
        package: "kit".to_owned(),
        version: Some("2.1".to_owned()),
        language: Language::Python,
        shares_name: false,
        state: DependencyState::Installed,
        modules: vec!["kit".to_owned()],
        imported_by: 1,
        calls: 3,
        definitions: 2,
        parameters: 4,
        deprecated: Some(1),
        is_incomplete: false,
    };
    let gone = Dependency { package: "gone".to_owned(), imported_by: 1, ..Dependency::default() };
    vec![kit, gone]
}

/// Tells the explorer that these packages were read.
pub fn read(explorer: &mut Explorer, packages: Vec<Dependency>) {
    let index = index(&[PROGRAM, PACKAGE[0], PACKAGE[1]]).into_index_of_packages(packages);
    let catalog = explorer.catalog(index);
    let destinations = CallDestinations { code: 1, packages: 3, not_installed: 1, ..CallDestinations::default() };
    let uncounted = UncountedCalls::default();
    let used = UsedPackages::new(catalog, Some(".venv (.venv of the project)".to_owned()), destinations, uncounted);
    explorer.send(Message::PackagesRead(Ok(Arc::new(used))));
}

/// The comparison of the package with the version at a path.
pub fn question(other: &str) -> UpgradeQuestion {
    UpgradeQuestion { of: Versioned::Package("kit".to_owned()), other: other.to_owned() }
}

/// Tells the explorer what the version at a path breaks.
pub fn compared(explorer: &mut Explorer, other: &str) {
    let net = "class Client:\n    def __init__(self, address, wait=1): ...\n\n    \
               def get(self, path, retries=0): ...\n";
    let files = [PROGRAM, PACKAGE[0], ("site-packages/kit/net.py", net)];
    let index = index(&files).into_index_of_packages(packages());
    let finding = |line, col, symbol: &str, verdict| Finding::new("app.py", line, col, symbol, verdict);
    let findings = vec![
        Finding {
            rule: Some(Rule::RemovedParameter),
            param: Some("timeout".to_owned()),
            now: Some("wait".to_owned()),
            old: Some("Client(address, timeout=1, proxy=None)".to_owned()),
            new: Some("Client(address, wait=1)".to_owned()),
            ..finding(6, 13, "kit.net.Client", Verdict::Break)
        },
        finding(7, 11, "kit.net.Client.get", Verdict::Ok),
        Finding { rule: Some(Rule::DeprecatedSymbol), ..finding(8, 18, "kit.net.Client.get", Verdict::Deprecated) },
    ];
    let upgrade = ReadUpgrade {
        question: question(other),
        title: "kit 2.1 → 3.0".to_owned(),
        summary: "1 of 3 uses of kit still work".to_owned(),
        report: Report { findings },
        other: explorer.catalog(index),
    };
    explorer.send(Message::UpgradeRead { question: question(other), read: Ok(Arc::new(upgrade)) });
}
