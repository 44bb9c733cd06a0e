//! `sdk/PROTOCOL.md` against the vectors and tests that it names.

#![cfg(not(target_arch = "wasm32"))]

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use serde_json::Value;

/// Sets of which every vector has to belong to a rule.
const CLAIMED_SETS: [&str; 2] = ["sse", "agentskit"];

/// One row of the ledger.
struct Rule {
    id: String,
    source: String,
    vectors: Vec<(String, String)>,
    tests: Vec<String>,
}

#[test]
fn every_rule_has_an_id_of_its_own_a_source_and_something_that_shows_it() {
    let rules = rules();
    assert!(rules.len() >= 20, "the ledger has {} rules", rules.len());
    let mut ids = BTreeSet::new();
    for rule in &rules {
        assert!(ids.insert(&rule.id), "{} stands twice", rule.id);
        assert!(!rule.source.is_empty(), "{} has no source", rule.id);
        let shown_by = rule.vectors.len() + rule.tests.len();
        assert!(shown_by > 0, "nothing shows {}", rule.id);
    }
}

#[test]
fn every_vector_and_test_that_a_rule_names_exists() {
    let functions = test_functions();
    let mut sets = BTreeMap::new();
    for rule in rules() {
        for (set, pattern) in &rule.vectors {
            let ids = sets.entry(set.clone()).or_insert_with(|| vector_ids(set));
            let found = ids.iter().any(|id| matches(pattern, id));
            assert!(found, "{}: no vector is {set}/{pattern}", rule.id);
        }
        for test in &rule.tests {
            assert!(functions.contains(test), "{}: no test {test}", rule.id);
        }
    }
}

#[test]
fn every_vector_belongs_to_a_rule() {
    let rules = rules();
    for set in CLAIMED_SETS {
        for id in vector_ids(set) {
            let mut claims = rules.iter().flat_map(|rule| &rule.vectors);
            let claimed = claims.any(|(of, pattern)| of == set && matches(pattern, &id));
            assert!(claimed, "no rule names {set}/{id}");
        }
    }
}

fn rules() -> Vec<Rule> {
    let ledger = std::fs::read_to_string(root().join("sdk/PROTOCOL.md")).unwrap();
    ledger.lines().filter_map(rule).collect()
}

fn rule(line: &str) -> Option<Rule> {
    let cells: Vec<_> = line.split(" | ").collect();
    let id = cells.first()?.strip_prefix("| ")?.trim();
    let (letters, digits) = id.split_once('-')?;
    let is_id = letters.bytes().all(|b| b.is_ascii_uppercase())
        && digits.bytes().all(|b| b.is_ascii_digit());
    if !is_id {
        return None;
    }
    assert_eq!(cells.len(), 4, "{id}: four columns");
    let (vectors, tests) =
        cells[3].split('`').skip(1).step_by(2).partition::<Vec<_>, _>(|name| name.contains('/'));
    Some(Rule {
        id: id.to_owned(),
        source: cells[2].trim().to_owned(),
        vectors: vectors.into_iter().map(set_and_pattern).collect(),
        tests: tests.into_iter().map(str::to_owned).collect(),
    })
}

fn set_and_pattern(name: &str) -> (String, String) {
    let (set, pattern) = name.split_once('/').expect("only names with a slash");
    (set.to_owned(), pattern.to_owned())
}

fn matches(pattern: &str, id: &str) -> bool {
    match pattern.split_once('*') {
        None => pattern == id,
        Some((head, tail)) => id.strip_prefix(head).is_some_and(|rest| {
            (0..=rest.len()).any(|at| rest.is_char_boundary(at) && matches(tail, &rest[at..]))
        }),
    }
}

fn vector_ids(set: &str) -> Vec<String> {
    let path = root().join(format!("tests/vectors/{set}.ndjson"));
    let lines = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{path:?}: {e}"));
    lines
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap())
        .filter(|line| line["kind"] != "header")
        .filter_map(|line| Some(line.get("id").or(line.get("scenario"))?.as_str()?.to_owned()))
        .collect()
}

/// The names of all functions in Rust sources that hold tests.
fn test_functions() -> BTreeSet<String> {
    let mut sources = Vec::new();
    for folder in ["sdk/src", "sdk/tests", "tests/tests", "server", "bindings"] {
        collect_sources(&root().join(folder), &mut sources);
    }
    sources
        .iter()
        .map(|path| std::fs::read_to_string(path).unwrap())
        .flat_map(|source| functions_of(&source))
        .collect()
}

fn functions_of(source: &str) -> Vec<String> {
    let declarations = source.lines().filter_map(|line| {
        let line = line.trim_start();
        line.strip_prefix("async fn ").or(line.strip_prefix("fn "))
    });
    declarations.filter_map(|rest| Some(rest.split_once('(')?.0.to_owned())).collect()
}

fn collect_sources(folder: &Path, found: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else {
        return;
    };
    for path in entries.map(|entry| entry.unwrap().path()) {
        let name = path.file_name().unwrap_or_default();
        if path.is_dir() && name != "node_modules" && name != "target" {
            collect_sources(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}
