//! Which module of the sdk may use which.

use std::collections::{BTreeMap, BTreeSet};

use crate::source::Source;
use crate::text_of;

/// The layers of the sdk, lowest first. A module uses modules of lower layers only: never one of
/// its own layer, so the protocols do not know each other.
pub(crate) const LAYERS: [&[&str]; 7] = [
    &["error", "limits", "store"],
    &["json"],
    &["wire"],
    &["loopengine", "agentskit", "lowkey", "openscout", "entire"],
    &["chat"],
    &["client"],
    &["adapters"],
];

/// Crates that tie code to a platform, and the modules that may name them.
const PLATFORM_CRATES: [(&[&str], &[&str]); 2] = [
    (&["js_sys", "web_sys", "wasm_bindgen", "wasm_bindgen_futures"], &["client/fetch", "adapters"]),
    (&["reqwest", "tokio", "hyper"], &["client", "adapters"]),
];

#[test]
fn every_module_has_a_layer() {
    for module in modules() {
        assert!(layer_of(&module).is_some(), "{module} is in no layer");
    }
}

#[test]
fn modules_use_lower_layers_only() {
    let exports = exports();
    for source in Source::all_of_sdk() {
        let path = source.path.display().to_string();
        // The crate's root only declares modules and shows their names.
        let Some(user) = source.module_path().into_iter().next() else {
            continue;
        };
        let known = |name: &String| exports.contains_key(name) || layer_of(name).is_some();
        let behind_super = source.names_behind_super().into_iter().filter(known);
        for name in source.names_behind_crate().into_iter().chain(behind_super) {
            let used = exports.get(&name).unwrap_or(&name);
            let layer = layer_of(used)
                .unwrap_or_else(|| panic!("{path} uses crate::{name}, which is in no layer"));
            let is_lower = layer_of(&user).is_some_and(|own| layer < own);
            assert!(*used == user || is_lower, "{path} uses {used}, which is not below {user}");
        }
    }
}

#[test]
fn only_the_edges_name_a_platform() {
    for source in Source::all_of_sdk() {
        let path = source.module_path().join("/");
        for (crates, places) in PLATFORM_CRATES {
            if places.iter().any(|place| is_within(&path, place)) {
                continue;
            }
            for name in crates {
                assert!(!source.mentions(name), "{path} names {name}: only {places:?} may");
            }
        }
    }
}

/// The modules directly below the crate's root.
pub(crate) fn modules() -> BTreeSet<String> {
    Source::all_of_sdk()
        .iter()
        .filter_map(|source| source.module_path().into_iter().next())
        .collect()
}

fn is_within(path: &str, place: &str) -> bool {
    path.strip_prefix(place).is_some_and(|rest| rest.is_empty() || rest.starts_with(['/', '_']))
}

fn layer_of(module: &str) -> Option<usize> {
    LAYERS.iter().position(|layer| layer.contains(&module))
}

/// Names that the crate's root shows and the module each comes from.
fn exports() -> BTreeMap<String, String> {
    let root = text_of("sdk/src/lib.rs").expect("the crate has a root");
    let mut exports = BTreeMap::new();
    for line in root.split(';').filter_map(|item| item.split("pub use ").nth(1)) {
        let (module, names) = line.split_once("::").expect("`pub use` names a module");
        for name in names.trim_matches(['{', '}']).split(',') {
            let shown = name.rsplit([':', ' ']).find(|word| !word.is_empty());
            exports.extend(shown.map(|shown| (shown.trim().to_owned(), module.to_owned())));
        }
    }
    exports
}
