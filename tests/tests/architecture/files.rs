//! Habits of the repository's own files: their names, their length, and no trace of a machine.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::root;

const MAX_LINES: usize = 400;
/// Names that say nothing about what a file holds.
const BANNED_NAMES: [&str; 8] =
    ["common", "helper", "helpers", "manager", "misc", "types", "util", "utils"];
const SOURCE_EXTENSIONS: [&str; 4] = ["rs", "mjs", "js", "ts"];
/// Folders under which people's files stand, in two pieces so that this file does not hold them.
const HOMES: [(&str, &str); 4] =
    [("/ho", "me/"), ("/ro", "ot/"), ("/Us", "ers/"), (":\\Us", "ers\\")];

#[test]
fn no_file_holds_a_path_of_somebodys_machine() {
    let mut banned: Vec<_> = HOMES.iter().map(|(a, b)| format!("{a}{b}")).collect();
    // Where this clone stands; a short path such as `/app` may mean something else.
    let here = root();
    banned.extend((here.components().count() > 2).then(|| here.display().to_string()));
    for path in files() {
        let Ok(text) = std::fs::read_to_string(root().join(&path)) else {
            continue;
        };
        for (line, content) in (1..).zip(text.lines()) {
            let found = banned.iter().find(|banned| content.contains(*banned));
            assert_eq!(found, None, "{}:{line}", path.display());
        }
    }
}

#[test]
fn no_source_is_longer_than_400_lines_without_its_tests() {
    let sources = files().into_iter().filter(|path| {
        let is_source =
            path.components().any(|part| part.as_os_str() == "src") || path.starts_with("tools");
        is_source && extension_of(path).is_some_and(|e| SOURCE_EXTENSIONS.contains(&e))
    });
    let long: Vec<_> = sources
        .filter_map(|path| Some((lines_without_tests(&path)?, path)))
        .filter(|(lines, _)| *lines > MAX_LINES)
        .collect();
    assert!(long.is_empty(), "split these by noun: {long:?}");
}

#[test]
fn every_file_and_folder_has_a_name_that_says_what_it_holds() {
    for path in files() {
        for part in &path {
            let name = part.to_str().expect("names are UTF-8");
            let stem = name.split('.').next().unwrap_or(name);
            // TypeScript calls declarations `*.d.ts`, and `types` is what they declare.
            let is_banned = BANNED_NAMES.contains(&stem) && !name.ends_with(".d.ts");
            assert!(!is_banned, "{}: name it after what it holds", path.display());
        }
    }
}

/// The repository's own files: those that git has or would take.
fn files() -> Vec<PathBuf> {
    let output = Command::new("git")
        .args(["ls-files", "-z", "--cached", "--others", "--exclude-standard"])
        .current_dir(root())
        .output()
        .expect("git is installed");
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "git ls-files failed: {told}");
    let listed = String::from_utf8(output.stdout).expect("names are UTF-8");
    let files: Vec<_> = listed
        .split_terminator('\0')
        .map(PathBuf::from)
        .filter(|path| root().join(path).is_file())
        .collect();
    assert!(!files.is_empty(), "git lists no file");
    files
}

fn extension_of(path: &Path) -> Option<&str> {
    path.extension().and_then(OsStr::to_str)
}

/// How many lines stand before a module of tests; none for a file that is one.
fn lines_without_tests(path: &Path) -> Option<usize> {
    if path.ends_with("tests.rs") || path.components().any(|part| part.as_os_str() == "tests") {
        return None;
    }
    let text = std::fs::read_to_string(root().join(path)).ok()?;
    let lines: Vec<_> = text.lines().collect();
    let tests = lines.windows(2).position(|pair| {
        pair[0] == "#[cfg(test)]" && pair[1].starts_with("mod ") && pair[1].ends_with('{')
    });
    Some(tests.unwrap_or(lines.len()))
}
