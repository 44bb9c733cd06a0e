//! What a card shows and allows in each state of its decision.

use super::announce::ask;
use super::fault;
use turnwire::chat::{Decider, DecisionState, ItemKind, PendingItem, Verdict};

/// A card's heading: what is asked, or what became of it.
#[must_use]
pub fn heading(item: &PendingItem) -> String {
    match &item.decision {
        DecisionState::Settled { verdict, by } => {
            settled(item, verdict.as_ref(), *by == Some(Decider::Here))
        }
        DecisionState::Stale { expired: true, .. } => format!("Expired: {}", subject(item)),
        DecisionState::Stale { .. } => format!("No longer open: {}", subject(item)),
        DecisionState::Idle
        | DecisionState::Queued { .. }
        | DecisionState::Sending { .. }
        | DecisionState::Elsewhere { .. }
        | DecisionState::Failed { .. } => ask(item),
    }
}

/// The state's name, for styles and tests.
#[must_use]
pub fn state_name(item: &PendingItem) -> &'static str {
    match &item.decision {
        DecisionState::Idle => "idle",
        DecisionState::Queued { .. } => "queued",
        DecisionState::Sending { .. } => "sending",
        DecisionState::Elsewhere { .. } => "elsewhere",
        DecisionState::Failed { .. } => "failed",
        DecisionState::Stale { expired: true, .. } => "expired",
        DecisionState::Stale { .. } => "stale",
        DecisionState::Settled { verdict, .. } => match verdict {
            Some(Verdict::Approve) => "approved",
            Some(Verdict::Deny) => "denied",
            Some(Verdict::Answer { .. }) => "answered",
            None => "decided",
        },
    }
}

/// Whether an approval can be given now.
#[must_use]
pub fn can_approve(item: &PendingItem) -> bool {
    !item.damaged && can_deny(item)
}

/// Whether a question can be answered now.
#[must_use]
pub fn can_answer(item: &PendingItem) -> bool {
    can_approve(item)
}

/// Whether a denial can be given now.
#[must_use]
pub fn can_deny(item: &PendingItem) -> bool {
    matches!(
        item.decision,
        DecisionState::Idle | DecisionState::Elsewhere { .. } | DecisionState::Failed { .. }
    )
}

/// The verdict that is on its way.
#[must_use]
pub fn sending(item: &PendingItem) -> Option<&Verdict> {
    match &item.decision {
        DecisionState::Sending { verdict } => Some(verdict),
        _ => None,
    }
}

/// The answer that is on its way.
#[must_use]
pub fn sending_answer(item: &PendingItem) -> Option<&str> {
    match sending(item)? {
        Verdict::Answer { text } => Some(text),
        Verdict::Approve | Verdict::Deny => None,
    }
}

/// The verdict that did not get through, to be tried again.
#[must_use]
pub fn failed(item: &PendingItem) -> Option<&Verdict> {
    match &item.decision {
        DecisionState::Failed { verdict, .. } => Some(verdict),
        _ => None,
    }
}

/// The verdict that waits for the network and can be withdrawn.
#[must_use]
pub fn queued(item: &PendingItem) -> Option<&Verdict> {
    match &item.decision {
        DecisionState::Queued { verdict } => Some(verdict),
        _ => None,
    }
}

/// What is good to know about the card, though nothing is wrong.
#[must_use]
pub fn note(item: &PendingItem) -> Option<String> {
    match &item.decision {
        DecisionState::Queued { verdict } => {
            Some(format!("{} is sent when the connection is back.", name(verdict)))
        }
        DecisionState::Elsewhere { .. } => Some("Being decided in another window.".to_owned()),
        DecisionState::Settled { by: Some(Decider::Elsewhere), .. } => {
            Some("Decided in another window.".to_owned())
        }
        DecisionState::Stale { expired: true, .. } => {
            Some("Nobody decided in time, so the agent went on without it.".to_owned())
        }
        DecisionState::Idle
        | DecisionState::Sending { .. }
        | DecisionState::Failed { .. }
        | DecisionState::Settled { .. }
        | DecisionState::Stale { .. } => None,
    }
}

/// What went wrong with the card, for people.
#[must_use]
pub fn trouble(item: &PendingItem) -> Option<String> {
    match &item.decision {
        DecisionState::Failed { verdict, error } => {
            Some(format!("{} was not confirmed. {}", name(verdict), fault::explain(error)))
        }
        DecisionState::Stale { reason, expired: false } => {
            Some(format!("Nobody waits for this decision any more. The server said: {reason}"))
        }
        _ if item.damaged => Some(
            "This request came with incomplete input, so it cannot be approved or answered."
                .to_owned(),
        ),
        DecisionState::Idle
        | DecisionState::Queued { .. }
        | DecisionState::Sending { .. }
        | DecisionState::Elsewhere { .. }
        | DecisionState::Settled { .. }
        | DecisionState::Stale { .. } => None,
    }
}

fn name(verdict: &Verdict) -> &'static str {
    match verdict {
        Verdict::Approve => "The approval",
        Verdict::Deny => "The denial",
        Verdict::Answer { .. } => "The answer",
    }
}

/// What to say about an item that the server no longer waits for.
#[must_use]
pub fn gone(server_message: Option<&str>) -> String {
    let reason = server_message.map(|text| format!(" The server said: {text}"));
    format!("Nobody waits for this decision any more.{}", reason.unwrap_or_default())
}

/// The answer that was given, once it is known, and before that one that waits to be sent.
#[must_use]
pub fn given_answer(item: &PendingItem) -> Option<&str> {
    match &item.decision {
        DecisionState::Settled { verdict: Some(Verdict::Answer { text }), .. }
        | DecisionState::Queued { verdict: Verdict::Answer { text } } => Some(text),
        _ => None,
    }
}

fn settled(item: &PendingItem, verdict: Option<&Verdict>, is_mine: bool) -> String {
    let subject = subject(item);
    match (verdict, is_mine) {
        (Some(Verdict::Approve), true) => format!("You approved {subject}"),
        (Some(Verdict::Approve), false) => format!("Approved: {subject}"),
        (Some(Verdict::Deny), true) => format!("You denied {subject}"),
        (Some(Verdict::Deny), false) => format!("Denied: {subject}"),
        (Some(Verdict::Answer { .. }), true) => format!("You answered: {subject}"),
        (Some(Verdict::Answer { .. }), false) => format!("Answered: {subject}"),
        (None, _) => format!("Decided: {subject}"),
    }
}

fn subject(item: &PendingItem) -> &str {
    match &item.kind {
        ItemKind::Approval { tool, .. } => tool,
        ItemKind::Question { question, .. } => question,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use turnwire::chat::ChatFault;

    fn approval(decision: DecisionState) -> PendingItem {
        PendingItem {
            id: "a1".into(),
            kind: ItemKind::Approval {
                tool: "issue_refund".into(),
                args: Default::default(),
                scope: None,
                reason: "matched rule".into(),
            },
            requested_at: None,
            expires_at: None,
            decision,
            damaged: false,
        }
    }

    fn network() -> ChatFault {
        ChatFault {
            code: "network",
            message: "failed to fetch".into(),
            status: None,
            retryable: true,
        }
    }

    fn every_state() -> Vec<PendingItem> {
        let verdict = Verdict::Approve;
        [
            DecisionState::Idle,
            DecisionState::Queued { verdict: verdict.clone() },
            DecisionState::Sending { verdict: verdict.clone() },
            DecisionState::Elsewhere { verdict: verdict.clone() },
            DecisionState::Failed { verdict: verdict.clone(), error: network() },
            DecisionState::Settled { verdict: Some(verdict), by: None },
            DecisionState::Stale { reason: "gone".into(), expired: false },
            DecisionState::Stale { reason: "late".into(), expired: true },
        ]
        .map(approval)
        .into()
    }

    #[test]
    fn only_an_open_card_that_is_not_sending_can_be_decided() {
        let open: Vec<_> = every_state().iter().map(can_approve).collect();
        assert_eq!(open, [true, false, false, true, true, false, false, false]);
    }

    #[test]
    fn a_damaged_item_can_be_denied_and_never_approved() {
        let item = PendingItem { damaged: true, ..approval(DecisionState::Idle) };
        assert!(can_deny(&item) && !can_approve(&item) && !can_answer(&item));
        assert!(trouble(&item).unwrap().contains("incomplete input"));
    }

    #[test]
    fn the_heading_says_who_decided_only_where_it_is_known() {
        let settled = |verdict, by| approval(DecisionState::Settled { verdict, by });
        let (here, approve) = (Some(Decider::Here), Some(Verdict::Approve));
        assert_eq!(heading(&settled(approve.clone(), here)), "You approved issue_refund");
        assert_eq!(heading(&settled(approve.clone(), None)), "Approved: issue_refund");
        assert_eq!(heading(&settled(Some(Verdict::Deny), here)), "You denied issue_refund");
        assert_eq!(heading(&settled(None, here)), "Decided: issue_refund");
        let elsewhere = settled(approve, Some(Decider::Elsewhere));
        assert_eq!(heading(&elsewhere), "Approved: issue_refund");
        assert_eq!(note(&elsewhere).unwrap(), "Decided in another window.");
    }

    #[test]
    fn what_waits_is_named_and_an_answer_that_waits_is_shown() {
        let queued = |verdict| approval(DecisionState::Queued { verdict });
        let item = queued(Verdict::Approve);
        assert_eq!(note(&item).unwrap(), "The approval is sent when the connection is back.");
        assert_eq!((super::queued(&item), trouble(&item)), (Some(&Verdict::Approve), None));
        let item = queued(Verdict::Answer { text: "A-1001".into() });
        assert_eq!(given_answer(&item), Some("A-1001"));
    }

    #[test]
    fn every_card_that_another_window_or_nobody_decided_has_a_note_and_no_alert() {
        let told: Vec<_> = every_state()
            .iter()
            .filter(|item| note(item).is_some())
            .map(|item| (state_name(item), trouble(item).is_some()))
            .collect();
        assert_eq!(told, [("queued", false), ("elsewhere", false), ("expired", false)]);
    }

    #[test]
    fn a_failure_names_the_verdict_and_the_cause() {
        let item = approval(DecisionState::Failed { verdict: Verdict::Deny, error: network() });
        assert_eq!(
            trouble(&item).unwrap(),
            "The denial was not confirmed. The server could not be reached."
        );
        assert_eq!(failed(&item), Some(&Verdict::Deny));
    }

    #[test]
    fn a_stale_card_quotes_the_server() {
        let item = approval(DecisionState::Stale {
            reason: "not found or expired".into(),
            expired: false,
        });
        assert!(trouble(&item).unwrap().ends_with("not found or expired"));
    }

    #[test]
    fn state_names_are_distinct() {
        let names: Vec<_> = every_state().iter().map(state_name).collect();
        assert_eq!(
            names,
            ["idle", "queued", "sending", "elsewhere", "failed", "approved", "stale", "expired"]
        );
    }
}
