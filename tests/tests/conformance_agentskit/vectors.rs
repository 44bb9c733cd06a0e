//! The set of vectors, and the list of those that may differ.

use std::collections::BTreeSet;

use serde_json::Value;
use sha2::{Digest, Sha256};
use turnwire::json::JsonText;

use crate::expand::expand;

// A browser has no files to read.
const VECTORS: &str = include_str!("../../vectors/agentskit.ndjson");
const DEVIATIONS: &str = include_str!("../../vectors/agentskit-deviations.ndjson");

/// One vector, its generators expanded.
pub(crate) struct Vector {
    pub(crate) id: String,
    pub(crate) function: String,
    pub(crate) input: Value,
    expected: Option<Value>,
    expected_sha256: String,
    expected_text: Option<String>,
}

impl Vector {
    fn read(line: &Value) -> Self {
        let text = |name: &str| line[name].as_str().map(str::to_owned);
        Self {
            id: text("id").expect("an id"),
            function: text("fn").expect("a function"),
            input: expand(&line["input"]),
            expected: line.get("expected").map(expand),
            expected_sha256: text("expectedSha256").expect("a digest"),
            expected_text: text("expectedText"),
        }
    }

    /// The result has to be the expected one to the byte.
    pub(crate) fn assert_result(&self, form: &str, result: &str) {
        let id = &self.id;
        if let Some(text) = &self.expected_text {
            assert_eq!(result, text, "{id} {form}");
        }
        if let Some(expected) = &self.expected {
            assert_eq!(value_of(result), canonical(expected), "{id} {form}");
        }
        assert_eq!(sha256(result), self.expected_sha256, "{id} {form}: {result:.2000}");
    }

    /// The result has to be the expected one with U+FFFD for each lone surrogate, and no other.
    pub(crate) fn assert_result_without_lone_surrogates(&self, form: &str, result: &str) {
        let text = self.expected_text.as_deref().expect("a deviation has a text to compare with");
        let replaced = ["\\\\ud800", "\\\\udc00", "\\ud800", "\\udc00"]
            .iter()
            .fold(text.to_owned(), |text, lone| text.replace(lone, "\u{fffd}"));
        assert_ne!(replaced, text, "{} holds no lone surrogate", self.id);
        assert_eq!(result, replaced, "{} {form}", self.id);
    }
}

pub(crate) fn vectors() -> Vec<Vector> {
    let lines = lines(VECTORS);
    let vectors: Vec<_> =
        lines.iter().filter(|line| line.get("id").is_some()).map(Vector::read).collect();
    assert_eq!(vectors.len(), 464, "the set is not whole");
    vectors
}

/// The vectors of one function.
pub(crate) fn vectors_of(function: &str) -> impl Iterator<Item = Vector> {
    vectors().into_iter().filter(move |vector| vector.function == function)
}

/// The ids of the vectors that may differ, each with its reason.
pub(crate) fn deviations() -> BTreeSet<String> {
    let listed = lines(DEVIATIONS);
    let listed = listed.iter().filter(|line| line["kind"] != "header");
    let ids = listed.map(|line| {
        let id = line["id"].as_str().expect("an id");
        assert!(line["reason"].as_str().is_some_and(|reason| !reason.is_empty()), "{id}: why?");
        id.to_owned()
    });
    ids.collect()
}

fn lines(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).expect("a line is JSON")).collect()
}

fn value_of(json: &str) -> Value {
    JsonText::parse(json).expect("a result is JSON").to_value()
}

/// The value with its numbers as JavaScript prints them.
fn canonical(value: &Value) -> Value {
    JsonText::of(value).expect("an expected value is JSON").to_value()
}

fn sha256(text: &str) -> String {
    Sha256::digest(text).iter().map(|byte| format!("{byte:02x}")).collect()
}
