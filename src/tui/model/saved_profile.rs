//! The profiles that are saved in the repository.

use super::settings::in_words;
use apidisc::delivery::StubRequest;

/// A profile of the repository.
#[derive(Clone, Debug, PartialEq)]
pub struct SavedProfile {
    /// Its name.
    pub name: String,
    /// The request that it replays, or the mistake in its file.
    pub request: Result<Box<StubRequest>, String>,
}

impl SavedProfile {
    /// The request that the profile repeats, such as `budget 1,000 of windvane.Station`, or the reason why the profile
    /// cannot be read.
    pub fn describe(&self) -> String {
        match &self.request {
            Ok(request) => {
                let scope = request.symbol.as_ref().or(request.module.as_ref()).or(request.package.as_ref());
                let scope = scope.map_or("everything", String::as_str);
                format!("{} of {scope}", in_words(request.strategy))
            }
            Err(why) => why.clone(),
        }
    }
}
