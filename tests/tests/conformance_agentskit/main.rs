//! Every vector of `vectors/agentskit.ndjson` against `turnwire::agentskit`.

#![cfg(not(target_arch = "wasm32"))]

mod expand;
mod results;
mod vectors;

use vectors::{deviations, vectors};

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
