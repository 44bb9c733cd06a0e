//! Which decoder an assistant's message is for.

use super::content::is_assistant_content_candidate;
use super::frame::is_component_frame_candidate;

/// What the content of an assistant's message is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ContentKind {
    /// An envelope for [`decode_assistant_content`](super::decode_assistant_content).
    Ordered,
    /// A component for [`decode_component_frame`](super::decode_component_frame).
    Component,
    /// Text, to be shown as it is.
    Text,
}

/// What the content of an assistant's message is; that of other roles is always text.
///
/// It is told by how the content begins and which protocol it names, so that what is broken is
/// shown as broken, not as text.
///
/// # Protocol
/// Observed in AgentsKit-io/agentskit-chat@9836963.
///
/// # Examples
/// ```
/// use turnwire::agentskit::{ContentKind, which_content};
/// assert_eq!(which_content("Hello"), ContentKind::Text);
/// assert_eq!(which_content("\u{1e}agentskit"), ContentKind::Ordered);
/// assert_eq!(
///     which_content(r#"{"protocol":"agentskit.chat.component"}"#),
///     ContentKind::Component,
/// );
/// ```
#[must_use]
pub fn which_content(text: &str) -> ContentKind {
    if is_assistant_content_candidate(text) {
        return ContentKind::Ordered;
    }
    match is_component_frame_candidate(text) {
        true => ContentKind::Component,
        false => ContentKind::Text,
    }
}
