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
    /// The composer in this phase, with this draft.
    #[must_use]
    pub fn new(phase: Phase, draft: &str) -> Self {
        let obstacle = obstacle(phase, draft);
        Self {
            can_send: obstacle.is_none() && !draft.trim().is_empty(),
            can_stop: matches!(phase, Phase::Sending | Phase::Running),
            hint: obstacle.unwrap_or("Enter to send, Shift + Enter for a new line"),
        }
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
        Phase::Sending | Phase::Running => Some("The agent is working. Esc stops it."),
        Phase::Waiting => Some("The agent waits for your decision above."),
        Phase::Idle if draft.len() > Limits::default().max_message_bytes => {
            Some("This message is longer than the 256 KiB that the server takes.")
        }
        Phase::Idle => None,
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
    fn only_an_idle_chat_takes_a_message() {
        let can_send = |phase| Composer::new(phase, "hello").can_send;
        assert!(can_send(Phase::Idle));
        for phase in [Phase::Loading, Phase::Sending, Phase::Running, Phase::Waiting] {
            assert!(!can_send(phase), "{phase:?}");
        }
    }

    #[test]
    fn blank_and_oversized_drafts_stay() {
        assert!(!Composer::new(Phase::Idle, " \n").can_send);
        let long = "x".repeat(Limits::default().max_message_bytes + 1);
        assert!(!Composer::new(Phase::Idle, &long).can_send);
        assert!(Composer::new(Phase::Idle, &long).hint.contains("longer"));
    }

    #[test]
    fn only_a_running_turn_can_be_stopped() {
        let can_stop = |phase| Composer::new(phase, "").can_stop;
        assert!(can_stop(Phase::Sending) && can_stop(Phase::Running));
        assert!(!can_stop(Phase::Idle) && !can_stop(Phase::Waiting));
    }
}
