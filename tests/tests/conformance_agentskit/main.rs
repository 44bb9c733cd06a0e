//! Every vector of `vectors/agentskit.ndjson` against `turnwire::agentskit`.

#![cfg(not(target_arch = "wasm32"))]

mod cursor;
mod cuts;
mod edges;
mod expand;
mod naive;
mod refused;
mod results;
mod round_trip;
mod sessions;
mod vectors;

use proptest::prelude::ProptestConfig;
use proptest::test_runner::RngSeed;
use vectors::{deviations, vectors};

const SEED: u64 = 20_260_704;

#[test]
fn every_vector_gives_the_bytes_that_javascript_gives() {
    let deviations = deviations();
    for vector in vectors() {
        for (form, result) in results::of(&vector) {
            match deviations.contains(&vector.id) {
                false => vector.assert_result(form, &result),
                true => vector.assert_result_without_lone_surrogates(form, &result),
            }
        }
    }
}

#[test]
fn every_deviation_is_a_vector_and_they_are_few() {
    let deviations = deviations();
    assert!(deviations.len() <= 5, "{deviations:?}");
    let known: Vec<_> = vectors().into_iter().map(|vector| vector.id).collect();
    for id in deviations {
        assert!(known.contains(&id), "{id} is no vector");
    }
}

/// Random cases that are the same in every run.
fn seeded(cases: u32) -> ProptestConfig {
    ProptestConfig {
        cases,
        rng_seed: RngSeed::Fixed(SEED),
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}
