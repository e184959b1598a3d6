//! The configuration of generated cases. The seed is fixed, so that a failure is caused by the tested change.
//! `PROPTEST_RNG_SEED=7 PROPTEST_CASES=5000 cargo test --test properties` tests other cases.

use proptest::test_runner::{Config, RngSeed};

/// The configuration for a number of cases, which `PROPTEST_CASES` overrides.
pub(crate) fn cases(cases: u32) -> Config {
    let asked = std::env::var("PROPTEST_CASES").ok().and_then(|cases| cases.parse().ok());
    let config = Config { cases: asked.unwrap_or(cases), failure_persistence: None, ..Config::default() };
    let rng_seed = if config.rng_seed == RngSeed::Random { RngSeed::Fixed(1) } else { config.rng_seed };
    Config { rng_seed, ..config }
}
