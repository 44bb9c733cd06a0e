//! The client of loopengine Protocol v1.

use super::decoded::{Decoded, cursor_of};
use super::endpoint::Endpoint;
use super::events::EventStream;
use super::reconnect::Reconnect;
use super::request::{BaseUrl, Draft, RequestOptions, answer_body, message_body, to_text};
use super::settings::client_settings;
use super::transport::{Method, Transport};
use crate::Result;
use crate::json::JsonObject;
use crate::loopengine::{PendingApprovals, PendingQuestions, SessionHistory, TurnResult};
use std::time::Duration;

/// Talks to the agents of one server.
///
/// It keeps no state of a conversation, so clones and calls at the same time are fine; a server
/// runs the turns of one session one after another.
///
/// # Protocol
/// loopengine Protocol v1, "Plain HTTP" and "Server-sent events". Names and ids are encoded as
/// JavaScript's `encodeURIComponent` does it.
///
/// # Errors
/// Every call can end with:
/// - `invalid-argument`, before anything is sent: an empty message, one over
///   [`max_message_bytes`](crate::Limits::max_message_bytes), a header that cannot be sent, a name or id that is empty, `.`
///   or `..`;
/// - `headers-failed` where the [function](super::HeaderSource) that gives its headers fails;
/// - `http-status` for a status outside 2xx, with [what the server said](crate::Error::http);
/// - `unexpected-content-type` and `invalid-response` for a success that is not the protocol's,
///   such as a login page; `nesting-too-deep` and `response-too-large` for one that is too much;
/// - `network`, `connect-timeout`, `idle-timeout`, `total-timeout`, `aborted`.
///
/// # Cancellation
/// Dropping a call's future, or switching [`RequestOptions::cancel`], cancels the request. What the
/// server had begun goes on there: a message may be stored, a decision taken.
///
/// # Examples
/// ```
/// use turnwire::client::{LoopClient, RequestOptions, Transport};
/// use turnwire::loopengine::TurnResult;
///
/// async fn ask<T: Transport>(transport: T) -> turnwire::Result<String> {
///     let client = LoopClient::new(transport, "http://127.0.0.1:8787")?;
///     let options = RequestOptions::default();
///     let answer = client.send("customer-service", "hello", &options).await?;
///     Ok(match answer.value {
///         TurnResult::Finished(turn) => turn.text,
///         TurnResult::PendingApproval(item) => format!("{} waits for approval", item.tool),
///         TurnResult::PendingQuestion(item) => item.question,
///         TurnResult::Acknowledged => String::new(),
///     })
/// }
/// ```
pub struct LoopClient<T> {
    pub(super) endpoint: Endpoint<T>,
    pub(super) reconnect: Reconnect,
}

client_settings!(LoopClient);

impl<T: Transport> LoopClient<T> {
    /// A client of the server at this address.
    ///
    /// `base_url` starts with `http://` or `https://`; in browsers it may also be a path of the
    /// page's own origin, `""` being its root. Slashes at its end do not matter.
    ///
    /// # Errors
    /// `invalid-argument` for any other address, and for one with a query or a fragment.
    pub fn new(transport: T, base_url: &str) -> Result<Self> {
        let endpoint = Endpoint::new(transport, BaseUrl::parse(base_url)?);
        Ok(Self { endpoint, reconnect: Reconnect::default() })
    }

    /// Sends a message; done when the turn is over or waits for a decision.
    ///
    /// # Errors
    /// Those of [every call](Self).
    pub async fn send(
        &self,
        agent: &str,
        message: &str,
        options: &RequestOptions,
    ) -> Result<Decoded<TurnResult>> {
        let body = self.message_body(message, options)?;
        self.advance(&["agents", agent, "messages"], Some(body), &options.named()).await
    }

    /// Sends a message; done when the stream of the turn's events is open.
    ///
    /// The stream stays open while a decision is pending. Decide with [`approve`](Self::approve),
    /// [`deny`](Self::deny) or [`answer`](Self::answer) beside it: the events go on arriving here,
    /// and the decision's own response repeats them.
    ///
    /// # Errors
    /// Those of [every call](Self); `invalid-response` with status 204 for a server that has
    /// nothing to stream. The stream's own come from the stream.
    ///
    /// # Examples
    /// ```
    /// # use turnwire::client::{LoopClient, RequestOptions, Transport};
    /// # async fn show<T: Transport>(client: &LoopClient<T>) -> turnwire::Result<()> {
    /// let options = RequestOptions::default();
    /// let mut events = client.stream("customer-service", "hello", &options).await?;
    /// while let Some(frame) = events.next().await {
    ///     println!("{}", frame?.json);
    /// }
    /// # Ok(()) }
    /// ```
    pub async fn stream(
        &self,
        agent: &str,
        message: &str,
        options: &RequestOptions,
    ) -> Result<EventStream<T>> {
        let draft = Draft {
            method: Method::Post,
            path: &["agents", agent, "messages", "stream"],
            body: Some(to_text(&self.message_body(message, options)?)),
        };
        let (headers, body) = self.endpoint.events(draft, &options.named()).await?;
        Ok(EventStream::new(&headers, body, &self.endpoint.limits))
    }

    /// Approves a pending call; done when the turn is over or waits for the next decision.
    ///
    /// # Errors
    /// Those of [every call](Self); `http-status` with status 404 where no such call is pending any
    /// more. After a lost connection or a status of 500 the call may have been approved.
    pub async fn approve(
        &self,
        approval_id: &str,
        options: &RequestOptions,
    ) -> Result<Decoded<TurnResult>> {
        let path = ["approvals", approval_id, "approve"];
        self.advance(&path, own_body(options), options).await
    }

    /// Denies a pending call; done when the turn is over or waits for the next decision.
    ///
    /// # Errors
    /// As for [`approve`](Self::approve).
    pub async fn deny(
        &self,
        approval_id: &str,
        options: &RequestOptions,
    ) -> Result<Decoded<TurnResult>> {
        let path = ["approvals", approval_id, "deny"];
        self.advance(&path, own_body(options), options).await
    }

    /// Answers a pending question; done when the turn is over or waits for the next decision.
    ///
    /// # Errors
    /// As for [`approve`](Self::approve); `invalid-argument` for an answer over
    /// [`max_message_bytes`](crate::Limits::max_message_bytes).
    pub async fn answer(
        &self,
        question_id: &str,
        answer: &str,
        options: &RequestOptions,
    ) -> Result<Decoded<TurnResult>> {
        let max_bytes = self.endpoint.limits.max_message_bytes;
        let body = answer_body(answer, options, max_bytes)?;
        let path = ["questions", question_id, "answer"];
        self.advance(&path, Some(body), options).await
    }

    /// Reads a session's stored messages; one that the server does not know has none.
    ///
    /// # Errors
    /// Those of [every call](Self).
    pub async fn history(
        &self,
        agent: &str,
        session_id: &str,
        options: &RequestOptions,
    ) -> Result<Decoded<SessionHistory>> {
        let path = ["agents", agent, "sessions", session_id];
        self.read(&path, options, SessionHistory::from_json).await
    }

    /// Lists the calls of an agent, or of one of its sessions, that wait for approval.
    ///
    /// # Errors
    /// Those of [every call](Self).
    pub async fn approvals(
        &self,
        agent: &str,
        session_id: Option<&str>,
        options: &RequestOptions,
    ) -> Result<Decoded<PendingApprovals>> {
        let path = list_path(agent, session_id, "approvals");
        self.read(&path, options, PendingApprovals::from_json).await
    }

    /// Lists the questions of an agent, or of one of its sessions, that wait for an answer.
    ///
    /// # Errors
    /// Those of [every call](Self).
    pub async fn questions(
        &self,
        agent: &str,
        session_id: Option<&str>,
        options: &RequestOptions,
    ) -> Result<Decoded<PendingQuestions>> {
        let path = list_path(agent, session_id, "questions");
        self.read(&path, options, PendingQuestions::from_json).await
    }

    pub(super) fn message_body(
        &self,
        message: &str,
        options: &RequestOptions,
    ) -> Result<JsonObject> {
        message_body(message, options, self.endpoint.limits.max_message_bytes)
    }

    /// What moves a turn on.
    async fn advance(
        &self,
        path: &[&str],
        body: Option<JsonObject>,
        options: &RequestOptions,
    ) -> Result<Decoded<TurnResult>> {
        let draft = Draft { method: Method::Post, path, body: body.as_ref().map(to_text) };
        let limit = self.endpoint.timeouts.response;
        self.exchange(draft, limit, options, TurnResult::from_json).await
    }

    async fn read<V>(
        &self,
        path: &[&str],
        options: &RequestOptions,
        read: fn(&str) -> Result<V>,
    ) -> Result<Decoded<V>> {
        let draft = Draft { method: Method::Get, path, body: None };
        let limit = self.endpoint.timeouts.connect;
        self.exchange(draft, limit, options, read).await
    }

    pub(super) async fn exchange<V>(
        &self,
        draft: Draft<'_>,
        head_limit: Option<Duration>,
        options: &RequestOptions,
        read: fn(&str) -> Result<V>,
    ) -> Result<Decoded<V>> {
        let (value, json, headers) = self.endpoint.json(draft, head_limit, options, read).await?;
        Ok(Decoded { value, json, cursor: cursor_of(&headers) })
    }
}

/// A decision has a body only where the caller gives it one.
fn own_body(options: &RequestOptions) -> Option<JsonObject> {
    (!options.body.is_empty()).then(|| options.body.clone())
}

fn list_path<'a>(agent: &'a str, session_id: Option<&'a str>, list: &'a str) -> Vec<&'a str> {
    match session_id {
        Some(session_id) => vec!["agents", agent, "sessions", session_id, list],
        None => vec!["agents", agent, list],
    }
}
