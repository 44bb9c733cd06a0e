//! Rust sources as far as the arrows need them: code without comments and strings, and the paths
//! that it names.

use std::path::{Path, PathBuf};

use crate::root;

/// One source file of the sdk.
pub(crate) struct Source {
    /// Its path below `sdk/src`, such as `chat/fold.rs`.
    pub(crate) path: PathBuf,
    /// Its code; comments and strings are blanked out.
    pub(crate) code: String,
}

impl Source {
    /// All sources of the sdk.
    pub(crate) fn all_of_sdk() -> Vec<Self> {
        let folder = root().join("sdk/src");
        let mut paths = Vec::new();
        collect(&folder, &mut paths);
        paths
            .into_iter()
            .map(|path| Self {
                code: code_of(&std::fs::read_to_string(&path).expect("sources are text")),
                path: path.strip_prefix(&folder).expect("below it").into(),
            })
            .collect()
    }

    /// The module it belongs to as a path, such as `["chat", "fold"]`; empty for the crate's root.
    pub(crate) fn module_path(&self) -> Vec<String> {
        let path = self.path.with_extension("");
        let names = path.iter().map(|name| name.to_string_lossy().into_owned());
        names.filter(|name| !["mod", "lib"].contains(&name.as_str())).collect()
    }

    /// The names directly below the crate's root that it uses by `crate::…`; `*` for all of them.
    pub(crate) fn names_behind_crate(&self) -> Vec<String> {
        self.names_behind("crate::")
    }

    /// The names behind as many `super::` as lead to the crate's root from the file itself; from a
    /// module inside the file they lead less far.
    pub(crate) fn names_behind_super(&self) -> Vec<String> {
        self.names_behind(&"super::".repeat(self.module_path().len().max(1)))
    }

    /// Whether the code holds the name as a whole word.
    pub(crate) fn mentions(&self, name: &str) -> bool {
        words(&self.code).any(|word| word == name)
    }

    fn names_behind(&self, prefix: &str) -> Vec<String> {
        let starts = self.code.match_indices(prefix).filter(|(at, _)| {
            let before = self.code[..*at].chars().next_back();
            !before.is_some_and(|c| is_word(c) || c == ':')
        });
        starts.flat_map(|(at, _)| first_names(&self.code[at + prefix.len()..])).collect()
    }
}

/// The first names of a path or of a group of paths.
fn first_names(path: &str) -> Vec<String> {
    let Some(group) = path.strip_prefix('{') else {
        let end = path.find(|c| !is_word(c)).unwrap_or(path.len());
        let name = if path.starts_with('*') { "*" } else { &path[..end] };
        return vec![name.to_owned()];
    };
    let mut depth = 0;
    let mut names = Vec::new();
    let mut rest = group;
    let mut expects_name = true;
    while let Some(c) = rest.chars().next() {
        match c {
            '{' => depth += 1,
            '}' if depth == 0 => break,
            '}' => depth -= 1,
            ',' if depth == 0 => expects_name = true,
            c if is_word(c) && expects_name => {
                names.extend(words(rest).next().map(str::to_owned));
                expects_name = false;
            }
            _ => {}
        }
        rest = &rest[c.len_utf8()..];
    }
    names
}

fn words(code: &str) -> impl Iterator<Item = &str> {
    code.split(|c| !is_word(c)).filter(|word| !word.is_empty())
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// The code with comments and the insides of strings left out.
fn code_of(source: &str) -> String {
    let mut code = String::new();
    let mut rest = source;
    while let Some(c) = rest.chars().next() {
        let skipped = skipped_bytes(rest);
        if skipped > 0 {
            code.push(' ');
        } else {
            code.push(c);
        }
        rest = &rest[skipped.max(c.len_utf8())..];
    }
    code
}

/// How many bytes at the start are a comment, a string or a character; zero if it is code.
fn skipped_bytes(rest: &str) -> usize {
    let up_to = |end: &str, from: usize| {
        let found = rest.get(from..).and_then(|tail| tail.find(end));
        found.map_or(rest.len(), |at| from + at + end.len())
    };
    if rest.starts_with("//") {
        return up_to("\n", 2);
    }
    if rest.starts_with("/*") {
        return up_to("*/", 2);
    }
    for hashes in ["###", "##", "#"] {
        if rest.starts_with(&format!("r{hashes}\"")) {
            return up_to(&format!("\"{hashes}"), hashes.len() + 2);
        }
    }
    if rest.starts_with('"') {
        return quoted_bytes(rest);
    }
    // A quote that closes two or three characters on is a character; any other starts a lifetime.
    ["'\"'", "'\\''", "'\\\"'"]
        .iter()
        .find(|literal| rest.starts_with(**literal))
        .map_or(0, |literal| literal.len())
}

fn quoted_bytes(rest: &str) -> usize {
    let mut is_escaped = false;
    for (at, c) in rest.char_indices().skip(1) {
        if c == '"' && !is_escaped {
            return at + 1;
        }
        is_escaped = c == '\\' && !is_escaped;
    }
    rest.len()
}

fn collect(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("the sdk has sources") {
        let path = entry.expect("it can be listed").path();
        if path.is_dir() {
            collect(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

#[test]
fn reads_the_names_behind_the_root_of_a_crate() {
    let source = |path: &str, text: &str| Source { path: path.into(), code: code_of(text) };
    let text = r##"
        use crate::{Error, wire::{sse::SseParser, ndjson}, json as j};
        // crate::comment
        /* crate::block */
        fn f(_: &'static str) -> crate::Result<()> { g(r#"crate::raw"#, "\"crate::s", '"') }
        use super::state; use super::super::chat;
    "##;
    let fold = source("chat/fold.rs", text);
    assert_eq!(fold.names_behind_crate(), ["Error", "wire", "json", "Result"]);
    assert_eq!(fold.names_behind_super(), ["chat"]);
    let limits = source("limits.rs", "use super::json; use crate::*;");
    assert_eq!(limits.names_behind_super(), ["json"]);
    assert_eq!(limits.names_behind_crate(), ["*"]);
    assert_eq!(source("lib.rs", "").module_path().len(), 0);
    assert!(source("a.rs", "use js_sys::Array;").mentions("js_sys"));
    assert!(!source("a.rs", "use not_js_sys; // js_sys").mentions("js_sys"));
}
