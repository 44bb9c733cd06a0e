//! Events → conversation.

use super::conversation::Conversation;
use super::item::{ItemKind, PendingItem, Verdict};
use super::message::{Message, MessageStatus, Notice, Part, ToolCall, ToolStatus};
use super::state::ChatFault;
use crate::ErrorKind;
use crate::loopengine::{
    ActauthDecision, BudgetAction, BudgetCheck, Damaged, GateVerdict, LoopEvent, PromptCompaction,
    Received, StopReason, ToolResult, ToolStarted,
};
use std::sync::Arc;

/// How the reason of a call's denial ends where nobody decided on it, and the result of a question
/// that nobody answered.
///
/// # Protocol
/// Our choice. The original tells the two apart from a person's denial and answer by nothing, or by
/// an answer that says so.
const EXPIRED: &str = "nobody decided in time";
const UNANSWERED: &str = "nobody answered in time";

impl Conversation {
    /// Applies one event that is known to be new.
    pub(super) fn fold(&mut self, received: &Received) {
        match received {
            Received::Event(event) => self.fold_event(event),
            Received::Damaged(damaged) => self.fold_damaged(damaged),
        }
    }

    fn fold_event(&mut self, event: &LoopEvent) {
        match event {
            LoopEvent::Session(event) => self.begin_session(&event.session_id),
            LoopEvent::BudgetCheck(event) => self.check_budget(event),
            LoopEvent::PromptCompaction(event) => {
                self.on_message(|turn| turn.note(compaction(event)))
            }
            LoopEvent::AssistantText(event) => self.on_message(|turn| turn.say(event.text.clone())),
            LoopEvent::ActauthDecision(event) => {
                self.on_items(|turn, seen| settle_decided(turn, event, seen))
            }
            LoopEvent::ToolStarted(event) => {
                self.on_items(|turn, seen| start_tool(turn, event, seen))
            }
            LoopEvent::ToolResult(event) => self.end_tool(event),
            LoopEvent::ToollaneResult(event) => {
                if let Some(turn) = &mut self.turn {
                    turn.lane = Some(event.clone());
                }
            }
            LoopEvent::SkillLoaded(event) => {
                self.on_message(|turn| turn.note(Notice::Skill { skill: event.skill.clone() }));
            }
            LoopEvent::LoopDone(event) => self.answer(&event.text),
            LoopEvent::ApprovalPending(event) => self.raise(event.clone().into()),
            LoopEvent::QuestionPending(event) => self.raise(event.clone().into()),
            LoopEvent::Done(event) => self.finish(&event.text, event.stop_reason.as_ref()),
            LoopEvent::Error(event) => self.fail_turn(&event.error),
            // What these say is told by the events around them, or by nobody yet.
            LoopEvent::LoopSkipped(_)
            | LoopEvent::LoopMaxTurns(_)
            | LoopEvent::LoopDenied(_)
            | LoopEvent::Unknown(_) => {}
        }
    }

    /// Ends the turn with the agent's answer, or with the reason why there is none.
    pub(super) fn finish(&mut self, text: &str, stop_reason: Option<&StopReason>) {
        if let Some(stop_reason) = stop_reason.cloned() {
            self.on_message(|turn| {
                turn.note(Notice::Stopped { text: text.to_owned() });
                turn.stop_reason = Some(stop_reason);
            });
        } else if self.turn.as_ref().is_some_and(|turn| !turn.answered) {
            self.answer(text);
        }
        self.end_turn(MessageStatus::Complete);
    }

    /// Ends the turn; nothing stays half open.
    pub(super) fn end_turn(&mut self, status: MessageStatus) {
        if let Some(turn) = &mut self.turn {
            turn.over = true;
        }
        self.on_items(|message, seen| {
            message.status = status;
            message.tools_mut().filter(|call| call.status == ToolStatus::Started).for_each(
                |call| {
                    call.status = ToolStatus::Interrupted;
                },
            );
            message.items_mut().filter(|item| item.is_open()).for_each(|item| item.close(seen));
        });
    }

    fn begin_session(&mut self, session_id: &str) {
        self.session_id = Some(session_id.to_owned());
        // The server has the message.
        self.unsent_key = None;
        let before_last = self.messages.len().checked_sub(2);
        if let Some(message) = before_last.and_then(|index| self.messages.get_mut(index))
            && message.status == MessageStatus::Active
        {
            Arc::make_mut(message).status = MessageStatus::Complete;
        }
    }

    /// A model call begins, so whatever was asked before has been decided.
    fn check_budget(&mut self, event: &BudgetCheck) {
        self.on_items(|turn, seen| {
            let open = turn.items_mut().filter(|item| item.is_open());
            open.for_each(|item| item.settle(None, seen));
            if event.action != BudgetAction::Ok {
                turn.note(Notice::Budget { ratio: event.ratio.as_f64().unwrap_or_default() });
            }
        });
    }

    fn end_tool(&mut self, event: &ToolResult) {
        let lane = self.turn.as_mut().and_then(|turn| turn.lane.take());
        let summary = lane.filter(|lane| lane.name == event.tool).map(|lane| lane.summary);
        self.on_items(|turn, seen| end_tool(turn, event, summary, seen));
    }

    fn answer(&mut self, text: &str) {
        if let Some(turn) = &mut self.turn {
            turn.answered = true;
        }
        self.on_message(|turn| turn.say(text.to_owned()));
    }

    fn fail_turn(&mut self, text: &str) {
        self.on_message(|turn| turn.note(Notice::Error { text: text.to_owned() }));
        self.end_turn(MessageStatus::Failed);
        self.last_error = Some(ChatFault {
            code: ErrorKind::AgentFailed.code(),
            message: text.to_owned(),
            status: None,
            retryable: false,
        });
    }

    /// Shows an item once; a verdict given before a replay stays with it.
    fn raise(&mut self, mut item: PendingItem) {
        let earlier = self.turn.iter().flat_map(|turn| &turn.earlier_items);
        if let Some(earlier) = earlier.into_iter().find(|earlier| earlier.id == item.id) {
            item.decision = earlier.decision.clone();
        }
        self.on_message(|turn| {
            if !turn.items().any(|shown| shown.id == item.id) {
                turn.parts.push(Part::Item { item: Arc::new(item) });
            }
        });
    }

    /// Shows that something was lost, and marks the call or item that it was about.
    fn fold_damaged(&mut self, damaged: &Damaged) {
        self.on_message(|turn| turn.note(Notice::Damaged { text: damaged.error.to_string() }));
        if let Some(item) = PendingItem::from_damaged(damaged) {
            return self.raise(item);
        }
        if let Some("tool:started" | "tool:result") = damaged.field("type") {
            self.on_message(|turn| mark_damaged(turn, damaged));
        }
    }

    /// Changes the turn's message, told whether this chat was watching when the event happened.
    fn on_items(&mut self, change: impl FnOnce(&mut Message, bool)) {
        let seen = self.turn.as_ref().is_none_or(|turn| !turn.log.is_in_past());
        self.on_message(|turn| change(turn, seen));
    }

    fn on_message(&mut self, change: impl FnOnce(&mut Message)) {
        if let Some(message) = self.last_message() {
            change(message);
        }
    }
}

/// The gate or a person decided on a call: the approval of that tool is settled.
fn settle_decided(turn: &mut Message, event: &ActauthDecision, seen: bool) {
    let mut items = turn.items_mut().filter(|item| item.can_settle());
    let Some(item) = items.find(|item| is_about(item, &event.tool)) else { return };
    match event.decision {
        GateVerdict::Allow => item.settle(Some(Verdict::Approve), seen),
        GateVerdict::Deny if event.reason.ends_with(EXPIRED) => item.go_stale(EXPIRED, true),
        GateVerdict::Deny => item.settle(Some(Verdict::Deny), seen),
        GateVerdict::Ask | GateVerdict::Other(_) => {}
    }
}

fn start_tool(turn: &mut Message, event: &ToolStarted, seen: bool) {
    let is_asked = |item: &PendingItem| {
        matches!(&item.kind, ItemKind::Approval { tool, args, .. }
            if *tool == event.tool && *args == event.args)
    };
    if let Some(item) = turn.items_mut().find(|item| item.can_settle() && is_asked(item)) {
        item.settle(Some(Verdict::Approve), seen);
    }
    change_tool(turn, &event.id, &event.tool, |call| {
        call.args = Some(event.args.clone());
        call.detail = Some(event.detail_text.clone());
        call.status = ToolStatus::Started;
    });
}

fn end_tool(turn: &mut Message, event: &ToolResult, summary: Option<String>, seen: bool) {
    let status = ToolStatus::from_status_text(&event.status_text);
    let denied = status == ToolStatus::Denied;
    let unanswered = summary.as_ref().is_some_and(|text| text.ends_with(UNANSWERED));
    let mut asked = None;
    change_tool(turn, &event.id, &event.tool, |call| {
        call.status = status;
        call.args = event.args.clone().or(call.args.take());
        call.detail = event.detail_text.clone().or(call.detail.take());
        call.summary = summary.or(call.summary.take());
        asked = call.args.as_ref().and_then(|args| args.get("question")).cloned();
    });
    for item in turn.items_mut().filter(|item| item.can_settle()) {
        match &item.kind {
            ItemKind::Question { question, .. }
                if asked.as_ref().is_some_and(|asked| asked == question) =>
            {
                match unanswered {
                    true => item.go_stale(UNANSWERED, true),
                    false => item.settle(None, seen),
                }
            }
            ItemKind::Approval { tool, .. } if denied && *tool == event.tool => {
                item.settle(Some(Verdict::Deny), seen);
            }
            ItemKind::Question { .. } | ItemKind::Approval { .. } => {}
        }
    }
}

/// Changes the timeline's entry of a call, which is made where there is none yet.
fn change_tool(turn: &mut Message, id: &str, tool: &str, change: impl FnOnce(&mut ToolCall)) {
    if let Some(call) = turn.tools_mut().find(|call| call.id == id) {
        return change(call);
    }
    let mut call = ToolCall::new(id, tool, ToolStatus::Started);
    change(&mut call);
    turn.parts.push(Part::Tool(call));
}

fn mark_damaged(turn: &mut Message, damaged: &Damaged) {
    if let Some(id) = damaged.field("id") {
        let tool = damaged.field("tool").unwrap_or_default();
        change_tool(turn, id, tool, |call| call.damaged = true);
    }
}

fn is_about(item: &PendingItem, name: &str) -> bool {
    matches!(&item.kind, ItemKind::Approval { tool, .. } if tool == name)
}

fn compaction(event: &PromptCompaction) -> Notice {
    let count = |number: &serde_json::Number| number.as_u64().unwrap_or_default();
    Notice::Compaction { from: count(&event.from), to: count(&event.to) }
}
