//! Every vector of `vectors/agentskit.ndjson` against `turnwire::agentskit`, natively and in a
//! browser; random cases natively only.
//!
//! `wasm-pack test --headless --chrome tests --test conformance_agentskit`

#[cfg(not(target_arch = "wasm32"))]
mod cursor;
#[cfg(not(target_arch = "wasm32"))]
mod cuts;
mod edges;
mod expand;
#[cfg(not(target_arch = "wasm32"))]
mod naive;
mod refused;
mod results;
#[cfg(not(target_arch = "wasm32"))]
mod round_trip;
#[cfg(not(target_arch = "wasm32"))]
mod seed;
#[cfg(not(target_arch = "wasm32"))]
mod sessions;
mod vectors;

use vectors::{deviations, vectors};
#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

#[cfg(target_arch = "wasm32")]
wasm_bindgen_test::wasm_bindgen_test_configure!(run_in_browser);

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
