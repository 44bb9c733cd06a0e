//! What there is to know about the line to the server, though nothing has failed.

use turnwire::chat::{ChatState, Connection};

/// The sentence for a server whose turns cannot be joined.
#[must_use]
pub fn limitation(state: &ChatState) -> Option<&'static str> {
    match state.connection {
        Connection::Degraded => {
            Some("Live updates are not available from this server; showing what it has stored.")
        }
        Connection::Steady | Connection::Reconnecting { .. } => None,
    }
}

/// What somebody who runs the server or the page should know, as sentences.
#[must_use]
pub fn notes(state: &ChatState) -> Vec<String> {
    state.diagnostics.iter().map(|diagnostic| sentence(&diagnostic.to_string())).collect()
}

fn sentence(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(char::to_uppercase).into_iter().flatten();
    format!("{}.", first.chain(letters).collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;
    use turnwire::chat::{Conversation, Diagnostic};

    #[test]
    fn only_a_degraded_line_is_limited() {
        let mut conversation = Conversation::new();
        for connection in [Connection::Steady, Connection::Reconnecting { attempt: 1 }] {
            conversation.set_connection(connection);
            assert_eq!(limitation(&conversation.state()), None);
        }
        conversation.set_connection(Connection::Degraded);
        assert!(limitation(&conversation.state()).unwrap().contains("what it has stored"));
    }

    #[test]
    fn notes_are_sentences() {
        let mut conversation = Conversation::new();
        assert!(notes(&conversation.state()).is_empty());
        conversation.diagnose(Diagnostic::Buffered { frames: 12 });
        conversation.diagnose(Diagnostic::Headers {
            header: "cache-control".into(),
            problem: "allows caching".into(),
        });
        let notes = notes(&conversation.state());
        assert!(notes[0].starts_with("12 events") && notes[0].ends_with('.'));
        assert_eq!(notes[1], "The stream's cache-control allows caching.");
    }
}
