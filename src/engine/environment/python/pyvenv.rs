//! `pyvenv.cfg`, the file that makes a folder a virtual environment.

use std::path::{Path, PathBuf};

use super::PythonVersion;
use crate::listing;

/// The settings of a virtual environment that say where modules are.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Pyvenv {
    /// The folder of the interpreter that the environment was made with.
    pub(super) home: Option<PathBuf>,
    pub(super) version: Option<PythonVersion>,
    /// The packages of that interpreter can be imported, too.
    pub(super) includes_system: bool,
    /// Another environment whose packages can be imported, too (uv).
    pub(super) extends: Option<PathBuf>,
}

impl Pyvenv {
    /// The settings of the environment in `folder`; `None` if it is no virtual environment.
    pub(super) fn read(folder: &Path) -> Option<Self> {
        listing::text(&folder.join("pyvenv.cfg")).map(|text| Self::parse(&text))
    }

    fn parse(text: &str) -> Self {
        let mut settings = Self::default();
        for (key, value) in text.lines().filter_map(|line| line.split_once('=')) {
            let value = value.trim();
            match key.trim().to_ascii_lowercase().as_str() {
                "home" => settings.home = Some(value.into()),
                "version" | "version_info" => settings.version = PythonVersion::parse(value),
                "include-system-site-packages" => settings.includes_system = value.eq_ignore_ascii_case("true"),
                "extends-environment" => settings.extends = Some(value.into()),
                _ => {}
            }
        }
        settings
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_settings_of_venv_virtualenv_and_uv_are_read() {
        let venv = Pyvenv::parse("home = /usr/bin\ninclude-system-site-packages = false\nversion = 3.12.4\n");
        assert_eq!(venv.version, Some(PythonVersion { major: 3, minor: 12 }));
        assert_eq!(venv.home, Some("/usr/bin".into()));
        let virtualenv =
            Pyvenv::parse("HOME=/opt/py\nversion_info = 3.9.18.final.0\ninclude-system-site-packages=True");
        assert_eq!(virtualenv.version, Some(PythonVersion { major: 3, minor: 9 }));
        assert!(virtualenv.includes_system);
        let uv = Pyvenv::parse("home = /x/bin\nuv = 0.5.1\nversion_info = 3.13.0\nextends-environment = /base\n");
        assert_eq!(uv.extends, Some("/base".into()));
    }
}
