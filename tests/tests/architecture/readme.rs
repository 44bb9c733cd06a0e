//! The diagram in the README is the table that the tests hold the code to.

use crate::layers::{LAYERS, modules};
use crate::text_of;

#[test]
fn the_readme_shows_the_layers_as_they_are() {
    let Some(readme) = text_of("README.md") else {
        return;
    };
    let shown = layers_in(&readme).expect(
        "README.md has a fenced block behind a line `<!-- layers -->`, highest layer first",
    );
    let modules = modules();
    let existing = |layer: &&[&str]| -> Vec<String> {
        let names = layer.iter().filter(|name| modules.contains(**name));
        names.map(|name| (*name).to_owned()).collect()
    };
    let expected: Vec<_> = LAYERS.iter().rev().map(existing).collect();
    let expected: Vec<_> = expected.into_iter().filter(|l| !l.is_empty()).collect();
    assert_eq!(shown, expected, "the README on the left, the code on the right");
}

/// The layers of the diagram: the first word of each line, and those that follow it behind a `·`.
/// A line that begins with a space goes on with the one before and names no layer.
fn layers_in(readme: &str) -> Option<Vec<Vec<String>>> {
    let (_, behind) = readme.split_once("<!-- layers -->\n")?;
    let (_, block) = behind.trim_start().strip_prefix("```")?.split_once('\n')?;
    let (block, _) = block.split_once("\n```")?;
    let lines = block.lines().map(names_of);
    Some(lines.filter(|names| !names.is_empty()).collect())
}

fn names_of(line: &str) -> Vec<String> {
    let is_name = |word: &&str| word.bytes().all(|b| b.is_ascii_lowercase() || b == b'_');
    if line.starts_with(char::is_whitespace) {
        return Vec::new();
    }
    let mut words = line.split_whitespace().peekable();
    let mut names: Vec<String> = words.next_if(is_name).map(str::to_owned).into_iter().collect();
    while words.next_if_eq(&"·").is_some() {
        names.extend(words.next_if(is_name).map(str::to_owned));
    }
    names
}

#[test]
fn reads_the_layers_of_a_diagram() {
    let readme = "# T\n\n<!-- layers -->\n```text\nclient   fetch · reqwest\n         more words\n\
                  one · two    types\n↓\nerror · limits\n```\n\n```\nother\n```\n";
    let layers = layers_in(readme).unwrap();
    assert_eq!(layers, [vec!["client"], vec!["one", "two"], vec!["error", "limits"]]);
}
