//! What random cases are made from.

use proptest::prelude::ProptestConfig;
use proptest::test_runner::RngSeed;

const SEED: u64 = 20_260_704;

/// Random cases that are the same in every run.
pub(crate) fn seeded(cases: u32) -> ProptestConfig {
    ProptestConfig {
        cases,
        rng_seed: RngSeed::Fixed(SEED),
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}
