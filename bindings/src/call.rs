//! One call to a server, from its settings to its answer.

use crate::answer;
use crate::error::{promise, to_js};
use crate::events::TurnEvents;
use crate::settings::Settings;
use crate::text::text;
use js_sys::Promise;
use std::future::Future;
use turnwire::Result;
use turnwire::client::{CancelToken, Decoded, FetchTransport, LoopClient, RequestOptions};
use turnwire::loopengine::TurnResult;
use wasm_bindgen::prelude::*;

/// A call that is yet to be made or under way: its settings, and the switch that stops it.
///
/// Its methods each make one request; freeing it stops nothing.
#[wasm_bindgen]
#[derive(Debug, Clone)]
pub struct Call {
    client: LoopClient<FetchTransport>,
    options: RequestOptions,
    stop: CancelToken,
    reports_integers: bool,
}

#[wasm_bindgen]
impl Call {
    /// A call to the server at `base_url` with settings as JSON text, or as a list of that and a
    /// function for headers.
    ///
    /// @throws invalid-argument
    #[wasm_bindgen(constructor)]
    pub fn new(base_url: &JsValue, settings: &JsValue) -> Result<Call, JsValue> {
        Self::with(base_url, settings).map_err(|error| to_js(&error))
    }

    /// Stops the request, also one that is not sent yet.
    pub fn cancel(&self) {
        self.stop.cancel();
    }

    /// Sends a message.
    #[wasm_bindgen(js_name = sendMessage)]
    pub fn send_message(&self, agent: &JsValue, message: &JsValue) -> Promise {
        let (agent, message) = (text("agent", agent), text("message", message));
        self.turn(async move |call| call.client.send(&agent?, &message?, &call.options).await)
    }

    /// Sends a message and resolves to the `TurnEvents` of its turn.
    #[wasm_bindgen(js_name = streamMessage)]
    pub fn stream_message(&self, agent: &JsValue, message: &JsValue) -> Promise {
        let (agent, message, call) = (text("agent", agent), text("message", message), self.clone());
        promise(async move {
            let stream = call.client.stream(&agent?, &message?, &call.options).await?;
            Ok(TurnEvents::new(stream, call.reports_integers))
        })
    }

    /// Approves a pending call.
    #[wasm_bindgen(js_name = approveCall)]
    pub fn approve_call(&self, id: &JsValue) -> Promise {
        let id = text("id", id);
        self.turn(async move |call| call.client.approve(&id?, &call.options).await)
    }

    /// Denies a pending call.
    #[wasm_bindgen(js_name = denyCall)]
    pub fn deny_call(&self, id: &JsValue) -> Promise {
        let id = text("id", id);
        self.turn(async move |call| call.client.deny(&id?, &call.options).await)
    }

    /// Answers a pending question.
    #[wasm_bindgen(js_name = answerQuestion)]
    pub fn answer_question(&self, id: &JsValue, answer: &JsValue) -> Promise {
        let (id, answer) = (text("id", id), text("answer", answer));
        self.turn(async move |call| call.client.answer(&id?, &answer?, &call.options).await)
    }

    /// Reads a session's history.
    #[wasm_bindgen(js_name = getSessionHistory)]
    pub fn get_session_history(&self, agent: &JsValue, session_id: &JsValue) -> Promise {
        let (agent, session_id) = (text("agent", agent), text("sessionId", session_id));
        self.read(async move |call| call.client.history(&agent?, &session_id?, &call.options).await)
    }

    /// Lists pending approvals of an agent, of one session if the settings name one.
    #[wasm_bindgen(js_name = getPendingApprovals)]
    pub fn get_pending_approvals(&self, agent: &JsValue) -> Promise {
        let agent = text("agent", agent);
        self.read(async move |call| {
            let session_id = call.options.session_id.as_deref();
            call.client.approvals(&agent?, session_id, &call.options).await
        })
    }

    /// Lists pending questions of an agent, of one session if the settings name one.
    #[wasm_bindgen(js_name = getPendingQuestions)]
    pub fn get_pending_questions(&self, agent: &JsValue) -> Promise {
        let agent = text("agent", agent);
        self.read(async move |call| {
            let session_id = call.options.session_id.as_deref();
            call.client.questions(&agent?, session_id, &call.options).await
        })
    }
}

impl Call {
    fn with(base_url: &JsValue, settings: &JsValue) -> Result<Self> {
        let settings = Settings::read(settings)?;
        let stop = CancelToken::new();
        Ok(Self {
            client: settings.client(&text("baseUrl", base_url)?)?,
            options: RequestOptions { cancel: Some(stop.clone()), ..settings.options()? },
            stop,
            reports_integers: settings.reports_integers(),
        })
    }

    /// The promise of a turn's result.
    fn turn<F>(&self, ask: impl FnOnce(Self) -> F) -> Promise
    where
        F: Future<Output = Result<Decoded<TurnResult>>> + 'static,
    {
        let (answer, reports_integers) = (ask(self.clone()), self.reports_integers);
        promise(async move { Ok(answer::of_turn(&answer.await?, reports_integers)) })
    }

    /// The promise of any other answer.
    fn read<V, F>(&self, ask: impl FnOnce(Self) -> F) -> Promise
    where
        F: Future<Output = Result<Decoded<V>>> + 'static,
    {
        let (answer, reports_integers) = (ask(self.clone()), self.reports_integers);
        promise(async move { Ok(answer::of_json(&answer.await?.json, reports_integers)) })
    }
}
