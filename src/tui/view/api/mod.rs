//! The panes of symbols and arguments while an API document is selected.

mod arguments;
mod parts;

pub(super) use arguments::draw as arguments;
pub(super) use parts::draw as parts;

use ratatui::style::Style;

use crate::tui::{model::PartKind, theme::Roles};

/// The style of the sign of a part.
pub(super) fn sign_style(roles: &Roles, kind: PartKind) -> Style {
    match kind {
        PartKind::Operation | PartKind::Webhook => roles.function,
        PartKind::Schema => roles.class,
        PartKind::Component | PartKind::Other => roles.value,
    }
}
