//! Both languages share one closed list of error codes.

#![cfg(not(target_arch = "wasm32"))]

use std::collections::BTreeSet;
use std::path::Path;

use turnwire::ErrorKind;

const DECLARATIONS: &str = "bindings/js/types.d.ts";
const UNION: &str = "export type TurnwireErrorCode";

#[test]
fn the_codes_of_rust_and_of_typescript_are_the_same() {
    let rust: BTreeSet<_> = ErrorKind::ALL.iter().map(|kind| kind.code().to_owned()).collect();
    let typescript = union_members(&declarations());
    let missing: Vec<_> = rust.difference(&typescript).collect();
    let surplus: Vec<_> = typescript.difference(&rust).collect();
    assert!(
        missing.is_empty() && surplus.is_empty(),
        "TurnwireErrorCode in {DECLARATIONS} lacks {missing:?} and has {surplus:?} too many"
    );
}

fn declarations() -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(DECLARATIONS);
    std::fs::read_to_string(path)
        .unwrap_or_else(|error| panic!("{DECLARATIONS} cannot be read: {error}"))
}

/// The string literals of the union, without its comments.
fn union_members(declarations: &str) -> BTreeSet<String> {
    let (_, behind) = declarations
        .split_once(UNION)
        .unwrap_or_else(|| panic!("{DECLARATIONS} has no `{UNION} = …;`"));
    let (union, _) = behind.split_once(';').expect("the union ends in a semicolon");
    let code = union.lines().map(|line| line.split("//").next().unwrap_or(line));
    let code = code.collect::<String>().replace('\'', "\"");
    let literals = code.split('"').skip(1).step_by(2).map(str::to_owned);
    literals.collect()
}

#[test]
fn reads_a_union_over_several_lines() {
    let declarations =
        "type X = \"x\";\nexport type TurnwireErrorCode =\n  // why\n  | \"a-b\"\n  | 'c';\n";
    let expected = BTreeSet::from(["a-b".to_owned(), "c".to_owned()]);
    assert_eq!(union_members(declarations), expected);
}
