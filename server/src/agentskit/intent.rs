//! What a submission means, given where its session stands.

use super::Fault;
use super::component::{APPROVAL, CHOICES};
use super::view::View;
use crate::store::Decision;
use crate::turns::{Conversation, State};
use turnwire::agentskit::{
    AssistantPart, ComponentEvent, ComponentFrame, Message, decode_assistant_content,
    read_component_event,
};
use turnwire::loopengine::LoopEvent;

/// What a submission asks for.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Intent {
    /// A message, which starts a turn.
    Say(String),
    /// A decision on a pending item, with which its turn goes on.
    Decide {
        /// The item.
        item: String,
        /// The decision.
        decision: Decision,
    },
    /// Nothing any more: what it decides is settled.
    Look,
}

impl Intent {
    /// The meaning of an input.
    ///
    /// # Errors
    /// `Busy` while the session's turn goes on, or waits for something else.
    pub(super) fn of(input: &str, conversation: &Conversation, view: &View) -> Result<Self, Fault> {
        let event = read_component_event(input);
        match conversation.state {
            State::Running => Err(Fault::Busy),
            State::Waiting => {
                decision(input, event.as_ref(), conversation, view).ok_or(Fault::Busy)
            }
            State::Over | State::Failed => Ok(message(input, event.as_ref(), view)),
        }
    }
}

fn decision(
    input: &str,
    event: Option<&ComponentEvent>,
    conversation: &Conversation,
    view: &View,
) -> Option<Intent> {
    let item = conversation.turn.as_ref()?.last.as_ref()?;
    let names = |id: &str| event.is_none_or(|event| event.instance_id().as_str() == id);
    match item {
        LoopEvent::ApprovalPending(item) if names(&item.id) => {
            let decision = verdict(event?)?;
            Some(Intent::Decide { item: item.id.clone(), decision })
        }
        LoopEvent::QuestionPending(item) if names(&item.id) => {
            let answer = match event {
                Some(event) => choice(event, view)?,
                None => input.to_owned(),
            };
            Some(Intent::Decide { item: item.id.clone(), decision: Decision::Answer(answer) })
        }
        _ => None,
    }
}

fn message(input: &str, event: Option<&ComponentEvent>, view: &View) -> Intent {
    match event {
        Some(event) if verdict(event).is_some() => Intent::Look,
        Some(event) => Intent::Say(choice(event, view).unwrap_or_else(|| input.to_owned())),
        None => Intent::Say(input.to_owned()),
    }
}

/// The verdict of an event of an `approval-request`.
fn verdict(event: &ComponentEvent) -> Option<Decision> {
    let word = match event {
        _ if event.component_key().as_str() != APPROVAL => return None,
        ComponentEvent::Selection(selection) => selection.choice_id().as_str(),
        ComponentEvent::Interaction(interaction) if interaction.value().is_some() => return None,
        ComponentEvent::Interaction(interaction) => interaction.event().as_str(),
    };
    match word {
        "approve" => Some(Decision::Approve),
        "deny" => Some(Decision::Deny),
        _ => None,
    }
}

/// What the choice of an event of a `choice-list` says, where the conversation has that list.
fn choice(event: &ComponentEvent, view: &View) -> Option<String> {
    let chosen = match event {
        _ if event.component_key().as_str() != CHOICES => return None,
        ComponentEvent::Selection(selection) => selection.choice_id().to_string(),
        ComponentEvent::Interaction(interaction) if interaction.event().as_str() == "select" => {
            interaction.value()?.to::<String>().ok()?
        }
        ComponentEvent::Interaction(_) => return None,
    };
    let lists = view.messages.iter().rev().flat_map(components);
    let list = lists.into_iter().find(|frame| {
        frame.component_key == *event.component_key() && frame.instance_id == *event.instance_id()
    })?;
    let props = list.props.to_value();
    let mut choices = props.get("choices")?.as_array()?.iter();
    let choice = choices.find(|choice| choice["id"] == chosen.as_str())?;
    choice.get("label")?.as_str().map(str::to_owned)
}

fn components(message: &Message) -> Vec<ComponentFrame> {
    let parts = decode_assistant_content(&message.content).map(|content| content.parts);
    let component = |part| match part {
        AssistantPart::Component(frame) => Some(frame),
        AssistantPart::Text(_) => None,
    };
    parts.unwrap_or_default().into_iter().filter_map(component).collect()
}
