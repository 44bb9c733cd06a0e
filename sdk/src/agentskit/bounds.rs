//! How large and how deep JSON of any shape may be.

use crate::json::{JsonText, Node};

/// Upper bounds of a tree; the value that a walk begins with has its own depth.
#[derive(Debug, Clone, Copy)]
pub(super) struct Bounds {
    max_nodes: usize,
    max_depth: usize,
    max_string_units: usize,
    max_key_units: usize,
}

/// Props, the value of an interaction, the input of a confirmation.
///
/// # Protocol
/// Observed in AgentsKit-io/agentskit-chat@9836963.
const FREE_FORM: Bounds =
    Bounds { max_nodes: 1000, max_depth: 20, max_string_units: 16_384, max_key_units: 256 };

/// The messages of a snapshot, all of their fields included, known or not.
///
/// # Protocol
/// Observed in AgentsKit-io/agentskit@5cb1c6df: counted on an object of a version and the messages,
/// so the array of messages is the third node, and one level deep.
pub(super) const MESSAGES: Bounds = Bounds {
    max_nodes: 10_000 - 2,
    max_depth: 32 - 1,
    max_string_units: usize::MAX,
    max_key_units: 256,
};

impl Bounds {
    /// Whether a tree keeps within the bounds. It is left at the first node beyond them.
    pub(super) fn admit(self, root: &Node<'_>) -> bool {
        Walk { bounds: self, nodes: 0 }.admits(root, 0)
    }
}

/// JSON of any shape within the bounds of [`FREE_FORM`].
pub(super) fn free_form(node: &Node<'_>) -> Option<JsonText> {
    FREE_FORM.admit(node).then(|| JsonText::of_node(node))
}

struct Walk {
    bounds: Bounds,
    nodes: usize,
}

impl Walk {
    /// Recursion ends at the depth that the bounds allow.
    fn admits(&mut self, node: &Node<'_>, depth: usize) -> bool {
        self.nodes += 1;
        if self.nodes > self.bounds.max_nodes || depth > self.bounds.max_depth {
            return false;
        }
        match node {
            Node::Null | Node::Bool(_) => true,
            Node::Number(number) => number.is_finite(),
            Node::String(string) => string.fits(self.bounds.max_string_units),
            Node::Array(items) => items.iter().all(|item| self.admits(item, depth + 1)),
            Node::Object(members) => members.iter().all(|(key, value)| {
                key.fits(self.bounds.max_key_units) && self.admits(value, depth + 1)
            }),
            Node::TooDeep => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::read;

    #[test]
    fn a_walk_ends_at_the_first_node_beyond_the_bounds() {
        let text = format!("[{}0]", "0,".repeat(100_000));
        let root = read(&text).unwrap();
        let mut walk = Walk { bounds: FREE_FORM, nodes: 0 };
        assert!(!walk.admits(&root, 0));
        assert_eq!(walk.nodes, FREE_FORM.max_nodes + 1);
    }
}
