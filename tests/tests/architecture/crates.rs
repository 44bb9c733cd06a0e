//! Which crate may depend on which.

use std::collections::BTreeMap;
use std::process::Command;

use serde_json::Value;

use crate::root;

const SDK: &str = "turnwire";
const BINDINGS: &str = "turnwire-js";
const SERVER: &str = "turnwire-server";
const DEMO: &str = "turnwire-demo";
const TESTS: &str = "turnwire-tests";

/// Each crate of the workspace and the crates of the workspace that it may depend on, for building
/// and for testing.
const ARROWS: [(&str, &[&str]); 5] = [
    (SDK, &[]),
    (BINDINGS, &[SDK]),
    (SERVER, &[SDK]),
    (DEMO, &[SDK]),
    (TESTS, &[SDK, BINDINGS, SERVER, DEMO]),
];

#[test]
fn crates_depend_on_each_other_only_along_the_arrows() {
    let allowed = BTreeMap::from(ARROWS);
    for (name, dependencies) in workspace() {
        let may = allowed
            .get(name.as_str())
            .unwrap_or_else(|| panic!("{name} is not in the table of crates"));
        for dependency in dependencies {
            assert!(
                may.contains(&dependency.as_str()),
                "{name} depends on {dependency}; it may depend on {may:?}"
            );
        }
    }
}

#[test]
fn every_crate_of_the_table_is_in_the_workspace() {
    let members = workspace();
    for (name, _) in ARROWS {
        assert!(members.contains_key(name), "{name} is no workspace member");
    }
}

/// Each member with the members that it depends on in any way.
fn workspace() -> BTreeMap<String, Vec<String>> {
    let packages = packages();
    let names: Vec<_> = packages.iter().map(name_of).collect();
    let edges = |package: &Value| {
        let dependencies = package["dependencies"].as_array().expect("a list");
        let known = dependencies.iter().map(name_of);
        known.filter(|name| names.contains(name)).collect()
    };
    packages.iter().map(|p| (name_of(p), edges(p))).collect()
}

fn packages() -> Vec<Value> {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version=1", "--no-deps", "--offline"])
        .current_dir(root())
        .output()
        .expect("cargo runs, since it runs this test");
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "cargo metadata failed: {told}");
    let metadata: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    metadata["packages"].as_array().expect("a list").clone()
}

fn name_of(package: &Value) -> String {
    package["name"].as_str().expect("a name").to_owned()
}
