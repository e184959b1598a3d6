//! The present time, as logs and kept conversations hold it.

use std::time::SystemTime;

/// The present time in milliseconds since 1970; 0 if the clock of the system stands before.
pub(crate) fn now() -> u64 {
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    u64::try_from(now.as_millis()).unwrap_or(u64::MAX)
}
