//! What a turn is submitted with.

use crate::agentskit::{InteractionEvent, SelectionEvent};
use serde::Serialize;

/// What a turn is submitted with: what somebody typed, or did with a component.
///
/// # Protocol
/// The events of components have no carrier of their own in AgentsKit's protocol, which leaves them
/// to the application. Our choice: the input is the event's JSON.
///
/// # Examples
/// ```
/// use turnwire::agentskit::SelectionEvent;
/// use turnwire::client::TurnInput;
/// let input = TurnInput::from(&SelectionEvent::new("choice-list", "c1", "yes")?);
/// assert!(input.as_str().contains(r#""choiceId":"yes""#));
/// assert_eq!(TurnInput::from("hello").as_str(), "hello");
/// # Ok::<(), turnwire::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TurnInput(String);

impl TurnInput {
    /// The text that is sent.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    pub(super) fn into_text(self) -> String {
        self.0
    }

    fn of_event(event: &impl Serialize) -> Self {
        // Strings and JSON always serialise; a blank input would be refused.
        Self(serde_json::to_string(event).unwrap_or_default())
    }
}

impl From<&str> for TurnInput {
    fn from(text: &str) -> Self {
        Self(text.to_owned())
    }
}

impl From<String> for TurnInput {
    fn from(text: String) -> Self {
        Self(text)
    }
}

impl From<&SelectionEvent> for TurnInput {
    fn from(event: &SelectionEvent) -> Self {
        Self::of_event(event)
    }
}

impl From<&InteractionEvent> for TurnInput {
    fn from(event: &InteractionEvent) -> Self {
        Self::of_event(event)
    }
}
