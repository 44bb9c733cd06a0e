//! The conversation as the model gets it: whole, or with its oldest messages left out.

use turnwire::loopengine::{Block, Content, HistoryMessage, Role};

/// The conversation from `left_out` on. What was left out is named in a note, and the message that
/// the turn is about stays in.
pub(super) fn messages(
    transcript: &[HistoryMessage],
    left_out: usize,
    user_at: usize,
) -> Vec<HistoryMessage> {
    if left_out == 0 {
        return transcript.to_vec();
    }
    let user = transcript.get(user_at).filter(|_| user_at < left_out);
    std::iter::once(note(left_out))
        .chain(user.cloned())
        .chain(transcript.iter().skip(left_out).cloned())
        .collect()
}

/// How many messages [`messages`] gives.
pub(super) fn len(transcript: &[HistoryMessage], left_out: usize, user_at: usize) -> usize {
    let kept = transcript.len().saturating_sub(left_out);
    match left_out {
        0 => kept,
        _ => 1 + usize::from(user_at < left_out) + kept,
    }
}

/// How many messages to leave out so that about half of the prompt goes; the same number where
/// nothing more can go.
pub(super) fn left_out_after_compaction(
    transcript: &[HistoryMessage],
    left_out: usize,
    user_at: usize,
) -> usize {
    let from = len(transcript, left_out, user_at);
    let kept = (from / 2).saturating_sub(1).max(1);
    let mut cut = transcript.len().saturating_sub(kept);
    // Results whose calls were left out would make no sense to a model.
    while cut > left_out && transcript.get(cut).is_some_and(is_results) {
        cut -= 1;
    }
    if len(transcript, cut, user_at) < from { cut } else { left_out }
}

fn note(left_out: usize) -> HistoryMessage {
    let text =
        format!("The conversation was too long: its first {left_out} messages are left out.");
    HistoryMessage::new(Role::System, Content::Text(text))
}

fn is_results(message: &HistoryMessage) -> bool {
    match &message.content {
        Content::Text(_) => false,
        Content::Blocks(blocks) => {
            blocks.iter().any(|block| matches!(block, Block::ToolResult { .. }))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(text: &str) -> HistoryMessage {
        HistoryMessage::new(Role::User, Content::Text(text.into()))
    }

    fn results() -> HistoryMessage {
        let block = Block::ToolResult {
            tool_use_id: "c".into(),
            content: "1".into(),
            is_error: None,
            reason: None,
        };
        HistoryMessage::new(Role::User, Content::Blocks(vec![block]))
    }

    #[test]
    fn half_of_the_messages_go_and_a_note_says_so() {
        let transcript: Vec<_> = (0..13).map(|n| text(&n.to_string())).collect();
        let cut = left_out_after_compaction(&transcript, 0, 12);
        let prompt = messages(&transcript, cut, 12);
        assert_eq!((cut, prompt.len()), (8, 6));
        assert_eq!(
            prompt[0].content,
            Content::Text(
                "The conversation was too long: its first 8 messages are left out.".into()
            )
        );
        assert_eq!(prompt[1..], transcript[8..]);
    }

    #[test]
    fn a_call_and_its_results_stay_together_and_the_users_message_stays() {
        let transcript = [text("user"), text("call"), results(), text("call"), results()];
        let cut = left_out_after_compaction(&transcript, 0, 0);
        let prompt = messages(&transcript, cut, 0);
        assert_eq!(cut, 3);
        assert_eq!(prompt[1..], [text("user"), text("call"), results()]);
    }

    #[test]
    fn what_cannot_be_shortened_stays() {
        let transcript = [text("user"), text("call"), results()];
        assert_eq!(left_out_after_compaction(&transcript, 0, 0), 0);
        assert_eq!(left_out_after_compaction(&[text("user")], 0, 0), 0);
    }

    #[test]
    fn the_length_told_is_the_length_given() {
        let transcript: Vec<_> = (0..9).map(|n| text(&n.to_string())).collect();
        for left_out in 0..=9 {
            for user_at in 0..9 {
                let prompt = messages(&transcript, left_out, user_at);
                assert_eq!(prompt.len(), len(&transcript, left_out, user_at));
            }
        }
    }
}
