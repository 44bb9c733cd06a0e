//! When a message can be sent, and what a key does.

use turnwire::Limits;
use turnwire::chat::Phase;

/// The key code that browsers report while an input method composes (Safari even after its end).
const COMPOSING_KEY_CODE: u32 = 229;

/// What the composer offers at one moment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Composer {
    /// Whether Send works.
    pub can_send: bool,
    /// Whether there is a turn to stop.
    pub can_stop: bool,
    /// Why Send does not work, or how to send.
    pub hint: &'static str,
}

/// What a key press in the composer means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Key {
    /// Send the message.
    Send,
    /// Stop the turn.
    Stop,
    /// None of ours: the browser's default happens.
    Other,
}

/// A key press, as the browser reports it.
#[derive(Debug, Clone, Default)]
pub struct KeyPress {
    /// The key's name.
    pub key: String,
    /// Whether Shift was held.
    pub shift: bool,
    /// Whether an input method is composing.
    pub composing: bool,
    /// The legacy key code.
    pub key_code: u32,
}

impl Composer {
    /// The composer in this phase, with this draft. A message that cannot be sent at once waits.
    #[must_use]
    pub fn new(phase: Phase, is_online: bool, draft: &str) -> Self {
        Self::of(obstacle(phase, draft), phase, is_online, draft)
    }

    /// The composer of a conversation in which nothing waits: what cannot be sent at once stays.
    #[must_use]
    pub fn direct(phase: Phase, is_online: bool, draft: &str) -> Self {
        let obstacle = obstacle(phase, draft).or_else(|| delay(phase, is_online));
        Self::of(obstacle, phase, is_online, draft)
    }

    fn of(obstacle: Option<&'static str>, phase: Phase, is_online: bool, draft: &str) -> Self {
        let is_blank = draft.trim().is_empty();
        Self {
            can_send: obstacle.is_none() && !is_blank,
            can_stop: matches!(phase, Phase::Sending | Phase::Running),
            hint: obstacle.unwrap_or_else(|| prospect(phase, is_online, is_blank)),
        }
    }
}

/// The draft after a message came back that was not sent: nothing that was written is lost.
#[must_use]
pub fn with_returned(draft: &str, text: &str) -> String {
    match draft.trim().is_empty() {
        true => text.to_owned(),
        false => format!("{text}\n\n{draft}"),
    }
}

impl KeyPress {
    /// What it means. A key that belongs to an input method is never ours.
    #[must_use]
    pub fn meaning(&self) -> Key {
        if self.composing || self.key_code == COMPOSING_KEY_CODE {
            return Key::Other;
        }
        match self.key.as_str() {
            "Enter" if !self.shift => Key::Send,
            "Escape" => Key::Stop,
            _ => Key::Other,
        }
    }
}

fn obstacle(phase: Phase, draft: &str) -> Option<&'static str> {
    match phase {
        Phase::Loading => Some("Opening the conversation…"),
        _ if draft.len() > Limits::default().max_message_bytes => {
            Some("This message is longer than the 256 KiB that the server takes.")
        }
        Phase::Idle | Phase::Sending | Phase::Running | Phase::Waiting => None,
    }
}

/// What a message would have to wait for.
fn delay(phase: Phase, is_online: bool) -> Option<&'static str> {
    match phase {
        _ if !is_online => Some("Offline: nothing can be sent."),
        Phase::Sending | Phase::Running => Some("The agent is working. Esc stops it."),
        Phase::Waiting => Some("The agent waits for your decision above."),
        Phase::Idle | Phase::Loading => None,
    }
}

/// What becomes of a message that is sent now; as short as a phone is narrow.
fn prospect(phase: Phase, is_online: bool, is_blank: bool) -> &'static str {
    match phase {
        _ if !is_online => "Offline: messages wait for the connection.",
        Phase::Sending | Phase::Running if is_blank => "The agent is working. Esc stops it.",
        Phase::Sending | Phase::Running => "Sends when the agent is done. Esc stops it.",
        Phase::Waiting if is_blank => "The agent waits for your decision above.",
        Phase::Waiting => "Sends once you have decided above.",
        Phase::Loading | Phase::Idle => "Enter to send, Shift + Enter for a new line",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn press(key: &str) -> KeyPress {
        KeyPress { key: key.into(), ..KeyPress::default() }
    }

    #[test]
    fn enter_sends_and_shift_enter_does_not() {
        assert_eq!(press("Enter").meaning(), Key::Send);
        let shifted = KeyPress { shift: true, ..press("Enter") };
        assert_eq!(shifted.meaning(), Key::Other);
    }

    #[test]
    fn an_input_method_keeps_its_enter_and_its_escape() {
        for key in ["Enter", "Escape"] {
            let composing = KeyPress { composing: true, ..press(key) };
            let safari = KeyPress { key_code: COMPOSING_KEY_CODE, ..press(key) };
            assert_eq!(composing.meaning(), Key::Other);
            assert_eq!(safari.meaning(), Key::Other);
        }
    }

    #[test]
    fn a_message_can_be_sent_or_wait_in_every_conversation_that_is_shown() {
        let can_send = |phase| Composer::new(phase, true, "hello").can_send;
        assert!(!can_send(Phase::Loading));
        for phase in [Phase::Idle, Phase::Sending, Phase::Running, Phase::Waiting] {
            assert!(can_send(phase), "{phase:?}");
        }
    }

    #[test]
    fn where_nothing_waits_a_message_can_be_sent_only_at_once() {
        let direct = |phase, is_online| Composer::direct(phase, is_online, "hello");
        assert!(direct(Phase::Idle, true).can_send);
        assert_eq!(direct(Phase::Idle, true), Composer::new(Phase::Idle, true, "hello"));
        assert!(!direct(Phase::Idle, false).can_send);
        for phase in [Phase::Loading, Phase::Sending, Phase::Running, Phase::Waiting] {
            let offer = direct(phase, true);
            assert!(!offer.can_send && !offer.hint.contains("Sends"), "{phase:?}");
        }
    }

    #[test]
    fn a_message_that_would_wait_is_told_to() {
        let hint = |phase, is_online| Composer::new(phase, is_online, "hello").hint;
        assert_eq!(hint(Phase::Waiting, true), "Sends once you have decided above.");
        assert!(hint(Phase::Running, true).starts_with("Sends when the agent is done"));
        for phase in [Phase::Idle, Phase::Running, Phase::Waiting] {
            assert!(hint(phase, false).starts_with("Offline"), "{phase:?}");
        }
        assert!(hint(Phase::Idle, true).starts_with("Enter to send"));
    }

    #[test]
    fn a_returned_message_never_takes_the_place_of_a_draft() {
        assert_eq!(with_returned(" \n", "hello"), "hello");
        assert_eq!(with_returned("draft", "hello"), "hello\n\ndraft");
    }

    #[test]
    fn blank_and_oversized_drafts_stay() {
        assert!(!Composer::new(Phase::Idle, true, " \n").can_send);
        let long = "x".repeat(Limits::default().max_message_bytes + 1);
        assert!(!Composer::new(Phase::Idle, true, &long).can_send);
        assert!(Composer::new(Phase::Idle, true, &long).hint.contains("longer"));
    }

    #[test]
    fn only_a_running_turn_can_be_stopped() {
        let can_stop = |phase| Composer::new(phase, true, "").can_stop;
        assert!(can_stop(Phase::Sending) && can_stop(Phase::Running));
        assert!(!can_stop(Phase::Idle) && !can_stop(Phase::Waiting));
    }
}
