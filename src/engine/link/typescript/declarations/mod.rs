//! Declarations of the platform, and of packages that pass types of the sources through: see `README.md` beside this
//! file.

/// The declarations, as one script.
pub(super) const PLATFORM: &str = concat!(
    include_str!("platform.d.ts"),
    include_str!("react.d.ts"),
    include_str!("angular.d.ts"),
    include_str!("lodash.d.ts"),
    include_str!("nest.d.ts"),
    include_str!("query.d.ts"),
    include_str!("redux.d.ts"),
    include_str!("rxjs.d.ts"),
    include_str!("testing.d.ts"),
    include_str!("types.d.ts"),
    include_str!("vue.d.ts"),
    include_str!("zustand.d.ts"),
);
