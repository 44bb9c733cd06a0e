//! A tool call of the timeline in words.

use turnwire::chat::{ToolCall, ToolStatus};

/// How a call's state is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tone {
    /// Under way.
    Busy,
    /// Ended well.
    Good,
    /// Ended badly.
    Bad,
    /// Was not run.
    Quiet,
}

/// The state's label: its words never depend on a colour.
#[must_use]
pub fn label(status: &ToolStatus) -> String {
    status.as_str().trim_end_matches('.').to_lowercase()
}

/// How the state is drawn.
#[must_use]
pub fn tone(status: &ToolStatus) -> Tone {
    match status {
        ToolStatus::Requested | ToolStatus::Started => Tone::Busy,
        ToolStatus::Done => Tone::Good,
        ToolStatus::Failed | ToolStatus::Denied => Tone::Bad,
        _ => Tone::Quiet,
    }
}

/// Whether there is anything to unfold.
#[must_use]
pub fn has_details(call: &ToolCall) -> bool {
    call.args.is_some() || call.summary.is_some() || call.detail.is_some()
}

/// Why the call may run or did not, where that is told.
#[must_use]
pub fn reason(call: &ToolCall) -> Option<&str> {
    call.detail.as_deref().filter(|text| !text.trim().is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_state_has_a_word() {
        let states = [
            (ToolStatus::Requested, "requested", Tone::Busy),
            (ToolStatus::Started, "started", Tone::Busy),
            (ToolStatus::Done, "done", Tone::Good),
            (ToolStatus::Failed, "failed", Tone::Bad),
            (ToolStatus::Denied, "denied", Tone::Bad),
            (ToolStatus::Skipped, "skipped", Tone::Quiet),
            (ToolStatus::Interrupted, "interrupted", Tone::Quiet),
            (ToolStatus::Other("Queued.".into()), "queued", Tone::Quiet),
        ];
        for (status, word, expected) in states {
            assert_eq!((label(&status).as_str(), tone(&status)), (word, expected));
        }
    }
}
