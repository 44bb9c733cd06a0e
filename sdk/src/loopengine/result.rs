//! What a message or a decision is answered with, and the lists of what is pending.

use super::decode::Received;
use super::event::{ApprovalPending, ApprovalScope, QuestionPending, StopReason};
use super::fields::{FieldFault, Fields};
use super::history::SessionHistory;
use crate::json::{self, JsonObject, type_name};
use crate::{Error, ErrorKind, Result};
use serde::Serialize;
use serde_json::Value;

/// The answer to a message, an approval, a denial or an answer.
///
/// # Protocol
/// loopengine Protocol v1, "Plain HTTP" and "Resolving a pending item". `{"ok":true}` is what
/// servers answer to a decision whose turn they no longer track (observed in loopengine 8f93a10).
#[derive(Debug, Clone)]
#[allow(clippy::large_enum_variant, reason = "one lives at a time, and it is matched at once")]
pub enum TurnResult {
    /// The turn is over.
    Finished(Finished),
    /// A call waits for approval.
    PendingApproval(PendingApproval),
    /// A question waits for its answer.
    PendingQuestion(PendingQuestion),
    /// The decision was taken; how the turn goes on is not part of this answer.
    Acknowledged,
}

/// A turn that is over.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Finished {
    /// The answer, or a notice where `stop_reason` is set.
    pub text: String,
    /// Id of the session.
    pub session_id: String,
    /// Every event of the turn, `session` first.
    pub events: Vec<Received>,
    /// Why the turn ended without an answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stop_reason: Option<StopReason>,
    /// Fields that this version does not know.
    #[serde(flatten)]
    pub extra: JsonObject,
}

/// A turn that waits for approval of a call.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PendingApproval {
    /// Id of the decision.
    pub id: String,
    /// Id of the session.
    pub session_id: String,
    /// Name of the tool.
    pub tool: String,
    /// Its arguments.
    pub args: JsonObject,
    /// Where the call would act.
    pub scope: ApprovalScope,
    /// The rule that asks.
    pub reason: String,
    /// Path to approve it.
    pub approve_url: String,
    /// Path to deny it.
    pub deny_url: String,
    /// Every event of the turn so far, `session` first.
    pub events: Vec<Received>,
    /// Path of the session.
    pub status_url: String,
    /// Fields that this version does not know.
    #[serde(flatten)]
    pub extra: JsonObject,
}

/// A turn that waits for an answer.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PendingQuestion {
    /// Id of the decision.
    pub id: String,
    /// Id of the session.
    pub session_id: String,
    /// The question.
    pub question: String,
    /// Answers to choose from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub options: Option<Vec<String>>,
    /// Path to answer it.
    pub answer_url: String,
    /// Every event of the turn so far, `session` first.
    pub events: Vec<Received>,
    /// Path of the session.
    pub status_url: String,
    /// Fields that this version does not know.
    #[serde(flatten)]
    pub extra: JsonObject,
}

/// What `GET …/approvals` answers: each pending call, the fields of `approval:pending` without `type`.
#[derive(Debug, Clone, Serialize)]
pub struct PendingApprovals {
    /// The pending calls.
    pub approvals: Vec<ApprovalPending>,
}

/// What `GET …/questions` answers: each pending question, the fields of `question:pending` without `type`.
#[derive(Debug, Clone, Serialize)]
pub struct PendingQuestions {
    /// The pending questions.
    pub questions: Vec<QuestionPending>,
}

impl TurnResult {
    /// Reads the body of a 200 or 202 response.
    ///
    /// # Errors
    /// `invalid-json`, `nesting-too-deep`, `invalid-response`.
    ///
    /// # Examples
    /// ```
    /// use turnwire::loopengine::TurnResult;
    /// let body = r#"{"text":"Hi","sessionId":"s","events":[]}"#;
    /// let TurnResult::Finished(turn) = TurnResult::from_json(body).unwrap() else { unreachable!() };
    /// assert_eq!(turn.text, "Hi");
    /// ```
    pub fn from_json(text: &str) -> Result<Self> {
        read(text, Self::read)
    }

    /// Every event of the turn so far; empty where the answer holds none.
    #[must_use]
    pub fn events(&self) -> &[Received] {
        match self {
            Self::Finished(turn) => &turn.events,
            Self::PendingApproval(item) => &item.events,
            Self::PendingQuestion(item) => &item.events,
            Self::Acknowledged => &[],
        }
    }

    fn read(mut fields: Fields) -> Result<Self, FieldFault> {
        if fields.take::<Option<bool>>("pending")? == Some(true) {
            let kind: String = fields.take("type")?;
            return match kind.as_str() {
                "approval" => PendingApproval::read(fields).map(Self::PendingApproval),
                "question" => PendingQuestion::read(fields).map(Self::PendingQuestion),
                _ => Err(FieldFault::new("type", ": expected approval or question")),
            };
        }
        if !fields.has("text") && fields.take::<Option<bool>>("ok")? == Some(true) {
            return Ok(Self::Acknowledged);
        }
        Finished::read(fields).map(Self::Finished)
    }
}

impl Serialize for TurnResult {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Pending<'a, T> {
            pending: bool,
            #[serde(rename = "type")]
            kind: &'a str,
            #[serde(flatten)]
            item: &'a T,
        }
        match self {
            Self::Finished(turn) => turn.serialize(serializer),
            Self::PendingApproval(item) => {
                Pending { pending: true, kind: "approval", item }.serialize(serializer)
            }
            Self::PendingQuestion(item) => {
                Pending { pending: true, kind: "question", item }.serialize(serializer)
            }
            Self::Acknowledged => serde_json::json!({ "ok": true }).serialize(serializer),
        }
    }
}

impl Finished {
    fn read(mut fields: Fields) -> Result<Self, FieldFault> {
        Ok(Self {
            text: fields.take("text")?,
            session_id: fields.take("sessionId")?,
            events: fields.take("events")?,
            stop_reason: fields.take("stopReason")?,
            extra: fields.rest(),
        })
    }
}

impl PendingApproval {
    fn read(mut fields: Fields) -> Result<Self, FieldFault> {
        Ok(Self {
            id: fields.take("id")?,
            session_id: fields.take("sessionId")?,
            tool: fields.take("tool")?,
            args: fields.take("args")?,
            scope: fields.take("scope")?,
            reason: fields.take("reason")?,
            approve_url: fields.take("approveUrl")?,
            deny_url: fields.take("denyUrl")?,
            events: fields.take("events")?,
            status_url: fields.take("statusUrl")?,
            extra: fields.rest(),
        })
    }
}

impl PendingQuestion {
    fn read(mut fields: Fields) -> Result<Self, FieldFault> {
        Ok(Self {
            id: fields.take("id")?,
            session_id: fields.take("sessionId")?,
            question: fields.take("question")?,
            options: fields.take("options")?,
            answer_url: fields.take("answerUrl")?,
            events: fields.take("events")?,
            status_url: fields.take("statusUrl")?,
            extra: fields.rest(),
        })
    }
}

impl SessionHistory {
    /// Reads the body of a session's history.
    ///
    /// # Errors
    /// `invalid-json`, `nesting-too-deep`, `invalid-response`.
    pub fn from_json(text: &str) -> Result<Self> {
        read(text, Self::read)
    }
}

impl PendingApprovals {
    /// Reads the body of a list of pending approvals.
    ///
    /// # Errors
    /// `invalid-json`, `nesting-too-deep`, `invalid-response`.
    pub fn from_json(text: &str) -> Result<Self> {
        read(text, |mut fields| Ok(Self { approvals: fields.take("approvals")? }))
    }
}

impl PendingQuestions {
    /// Reads the body of a list of pending questions.
    ///
    /// # Errors
    /// `invalid-json`, `nesting-too-deep`, `invalid-response`.
    pub fn from_json(text: &str) -> Result<Self> {
        read(text, |mut fields| Ok(Self { questions: fields.take("questions")? }))
    }
}

fn read<T>(text: &str, read: impl FnOnce(Fields) -> Result<T, FieldFault>) -> Result<T> {
    let object = match json::parse(text)? {
        Value::Object(object) => object,
        other => {
            return Err(invalid(format!("expected an object, found {}", type_name(&other))));
        }
    };
    read(Fields::new(object)).map_err(|fault| invalid(fault.to_string()))
}

fn invalid(message: String) -> Error {
    Error::new(ErrorKind::InvalidResponse, message)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    const APPROVAL: &str = r#"{"pending":true,"type":"approval","id":"a","sessionId":"s","tool":"t","args":{},"scope":{"tenant":"d","environment":"p","agent":"c"},"reason":"r","approveUrl":"/a","denyUrl":"/d","events":[{"type":"session","sessionId":"s"}],"statusUrl":"/s"}"#;

    #[test]
    fn all_four_shapes_survive_a_round_trip() {
        for text in [
            APPROVAL,
            r#"{"pending":true,"type":"question","id":"q","sessionId":"s","question":"?","options":["a"],"answerUrl":"/q","events":[],"statusUrl":"/s"}"#,
            r#"{"text":"","sessionId":"s","events":[{"type":"new:one","n":1}],"stopReason":"denied"}"#,
            r#"{"ok":true}"#,
        ] {
            let result = TurnResult::from_json(text).unwrap();
            assert_eq!(serde_json::to_string(&result).unwrap(), text);
        }
    }

    #[test]
    fn a_success_of_another_shape_is_an_error() {
        for (text, reason) in [
            ("null", "expected an object, found null"),
            (r#"{"error":"HTTP 200"}"#, "`text` is missing"),
            (r#"{"pending":true,"type":"vote"}"#, "`type`: expected approval or question"),
            (r#"{"ok":false}"#, "`text` is missing"),
        ] {
            let error = TurnResult::from_json(text).unwrap_err();
            assert_eq!(
                (error.kind(), error.to_string().as_str()),
                (ErrorKind::InvalidResponse, reason)
            );
        }
    }

    #[test]
    fn a_damaged_event_does_not_lose_the_others() {
        let body = json!({"text": "x", "sessionId": "s", "events": [
            {"type": "session", "sessionId": "s"}, {"type": "done"}, {"type": "done", "text": "x"}]});
        let result = TurnResult::from_json(&body.to_string()).unwrap();
        let sound: Vec<_> =
            result.events().iter().map(|event| event.as_event().is_some()).collect();
        assert_eq!(sound, [true, false, true]);
    }

    #[test]
    fn lists_name_the_item_at_fault() {
        let error = PendingApprovals::from_json(r#"{"approvals":[{"id":"a"}]}"#).unwrap_err();
        assert_eq!(error.to_string(), "`approvals[0].tool` is missing");
    }
}
