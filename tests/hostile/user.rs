//! Files that the user names or has written: links are followed, but only to regular files.

use std::fs;

use crate::{bounded::run, plant::Kind};

#[test]
fn in_the_place_of_an_index_file() {
    for kind in Kind::ALL {
        let folder = tempfile::tempdir().unwrap();
        let outside = folder.path().join("outside");
        fs::write(&outside, "no index: [").unwrap();
        if !kind.plant(&folder.path().join("api.yaml"), &outside) {
            continue;
        }
        let outcome = run(folder.path(), &["--export", "--index", "api.yaml"]);
        assert_eq!(outcome.code, Some(1), "{kind:?}: {}", outcome.stderr);
        assert_eq!(outcome.stdout, "");
        assert!(outcome.stderr.contains("api.yaml: ") && outcome.stderr.lines().count() == 1, "{}", outcome.stderr);
    }
}

#[test]
#[cfg(target_os = "linux")]
fn in_the_place_of_configuration_and_themes() {
    for place in [".config/apidisc-tui/config.toml", ".config/apidisc-tui/themes/mine.toml"] {
        for kind in Kind::ALL {
            let folder = tempfile::tempdir().unwrap();
            let outside = folder.path().join("outside");
            fs::write(&outside, "").unwrap();
            if !kind.plant(&folder.path().join(place), &outside) {
                continue;
            }
            let outcome = run(folder.path(), &["config", "--print"]);
            assert_eq!(outcome.code, Some(0), "{place}, {kind:?}: {}", outcome.stderr);
            assert!(outcome.stdout.contains("theme"), "{place}, {kind:?}");
            let is_said = outcome.stderr.contains("it cannot be read: ");
            assert_eq!(is_said, kind != Kind::OutsideLink, "{place}, {kind:?}: {}", outcome.stderr);
        }
    }
}
