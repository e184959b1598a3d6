//! The bundled demo project: a small Python library with a client and a dashboard in TypeScript, which together contain
//! everything that the explorer can show.

use apidisc::source::Source;

macro_rules! embed {
    ($($path:literal,)*) => {
        &[$(($path, include_bytes!(concat!("../assets/demo/", $path)))),*]
    };
}

/// Every file of `assets/demo`: its path and its content.
const FILES: &[(&str, &[u8])] = embed![
    "README.md",
    "docs/recipes.py",
    "docs/tutorial.ipynb",
    "examples/airfield-board.tsx",
    "examples/airfield.py",
    "examples/balcony.py",
    "examples/frost-watch.ts",
    "examples/live_map.py",
    "examples/nightly-export.ts",
    "examples/school.py",
    "package.json",
    "packages/client/package.json",
    "packages/client/src/client.ts",
    "packages/client/src/errors.ts",
    "packages/client/src/index.ts",
    "packages/client/src/measures.ts",
    "packages/client/src/schema.ts",
    "packages/client/src/testing.ts",
    "packages/client/src/thresholds.ts",
    "packages/client/src/timeline.ts",
    "packages/client/src/types.ts",
    "packages/client/tests/client.test.ts",
    "packages/client/tests/values.test.ts",
    "packages/client/tsconfig.json",
    "packages/dashboard/package.json",
    "packages/dashboard/src/components/Board.tsx",
    "packages/dashboard/src/components/Gauge.tsx",
    "packages/dashboard/src/components/Sparkline.tsx",
    "packages/dashboard/src/components/StationCard.tsx",
    "packages/dashboard/src/hooks.ts",
    "packages/dashboard/src/index.ts",
    "packages/dashboard/tests/board.test.tsx",
    "packages/dashboard/tsconfig.json",
    "pyproject.toml",
    "src/windvane/__init__.py",
    "src/windvane/_calibration.py",
    "src/windvane/alerts.py",
    "src/windvane/cli.py",
    "src/windvane/config.py",
    "src/windvane/forecast.py",
    "src/windvane/pipeline.py",
    "src/windvane/readings.py",
    "src/windvane/sensors/__init__.py",
    "src/windvane/sensors/air.py",
    "src/windvane/sensors/base.py",
    "src/windvane/sensors/outdoor.py",
    "src/windvane/station.py",
    "src/windvane/storage/__init__.py",
    "src/windvane/storage/base.py",
    "src/windvane/storage/memory.py",
    "src/windvane/storage/sqlite.py",
    "src/windvane/transport.py",
    "src/windvane/units.py",
    "tests/conftest.py",
    "tests/test_readings.py",
    "tests/test_station.py",
    "tests/test_storage_and_alerts.py",
    "tsconfig.base.json",
    "tsconfig.json",
];

/// The demo project as a source in memory.
pub fn source() -> Source {
    let files = FILES.iter().map(|&(path, content)| (path.to_owned(), content.into())).collect();
    Source::Memory { name: "demo".to_owned(), files }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use ignore::WalkBuilder;

    use super::FILES;

    #[test]
    fn every_file_of_the_folder_is_embedded() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/demo");
        let mut found: Vec<String> = WalkBuilder::new(&folder)
            .build()
            .map(|entry| entry.unwrap().into_path())
            .filter(|path| path.is_file() && path.extension().is_none_or(|extension| extension != "pyc"))
            .map(|path| path.strip_prefix(&folder).unwrap().to_str().unwrap().replace('\\', "/"))
            .collect();
        found.sort();
        let embedded: Vec<&str> = FILES.iter().map(|&(path, _)| path).collect();
        assert_eq!(embedded, found);
    }
}
